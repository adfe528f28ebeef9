"""What a language can express, as data: what passes and writers ask instead of asking which language it is."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from bpconvert.diagnostics import Reporter
from bpconvert.models.expressions import Expr, Foreign, Path, Value
from bpconvert.models.light import NamedTuple
from bpconvert.models.topology import Node, Operation, Script, Topology
from bpconvert.translators.catalogue.model import Kind

#: for what has no entries
_NONE: Final[Mapping[Any, Any]] = MappingProxyType({})

# -- words --------------------------------------------------------------------------------------------------


class Vocabulary(NamedTuple):
    """The words of one language. This one knows the names that it is given, and takes any map of one key for a call.

    sections: neutral name of a section (``version``, ``description``, ``inputs``, ``nodes``, ``outputs``,
        ``capabilities``) -> its name, where that is another one.
    keys: the same for the keys of inputs and nodes (``label``, ``depends_on``, ``operations``).
    imports: the section whose content becomes part of others; "" for none.
    empty: keys and functions that mean nothing for what stands behind them.
    calls: keys of maps with one entry that stand on one line, as calls do. A matter of looks only.
    facts: what is known about a deployment (``project.id``, ``region``) -> how it is asked for.
    connecting: a section of what connects nodes, entries of which can be nodes elsewhere; "" for none.
    joins: functions that join texts -> where in their argument stands what is put between; None: nothing is, and the
        argument is the texts."""

    sections: Mapping[str, str] = _NONE
    keys: Mapping[str, str] = _NONE
    imports: str = ""
    empty: Collection[str] = frozenset({"properties", "value", "default"})
    calls: Collection[str] = frozenset()
    facts: Mapping[str, str] = _NONE
    connecting: str = ""
    joins: Mapping[str, int | None] = _NONE

    def section(self, neutral: str) -> str:
        """The name of a section."""
        return self.sections.get(neutral, neutral)

    def key(self, neutral: str) -> str:
        """The name of a key."""
        return self.keys.get(neutral, neutral)

    def legal(self, name: str) -> str:
        """``name``, or the nearest one that an entry may have."""
        return name

    def is_imported(self, path: Path) -> bool:
        """True for the place of something that is in another file."""
        return bool(self.imports) and path[:1] == (self.imports,)

    def entry(self, path: Path) -> Path:
        """The entry of the document that ``path`` is in; what another file has is part of the imports."""
        return path[:1] if self.is_imported(path) else path[:2]

    def wholes(self, node: Node) -> list[Path]:
        """The sections without entries of their own (lists) that have a part of what the node is, beside its entry."""
        touched_entries = dict.fromkeys(self.entry(place) for place in node.origins.values())
        own = self.entry(node.entry)
        return [entry for entry in touched_entries if len(entry) == 1 and entry != own and not self.is_imported(entry)]

    def others(self, node: Node) -> list[Path]:
        """The entries of other nodes that say something of a node."""
        sections = {self.section("nodes"), self.connecting} - {""}
        touched_entries = dict.fromkeys(self.entry(place) for place in node.origins.values() if place)
        return [entry for entry in touched_entries if entry[0] in sections and entry != self.entry(node.entry)]

    def inside(self, path: Path, *steps: Any) -> Path:
        """A place inside of what stands at ``path``; of something imported, ``path`` itself."""
        return path if self.is_imported(path) else (*path, *steps)

    def called(self, data: Any) -> str | None:
        """The function that plain ``data`` is a call of; None where it is none."""
        return str(next(iter(data))) if isinstance(data, dict) and len(data) == 1 else None

    def name(self, expr: Expr) -> str:
        """The name of the function that makes ``expr``."""
        return type(expr).__name__.lower()

    def written(self, value: Value) -> Any:
        """``value`` as plain data with calls; ValueError where the language has no function for a part of it."""
        raise ValueError(f"there is no way to write {value!r}")

    def annotated(self, expr: Foreign) -> tuple[Value, str] | None:
        """The call and the type, of a call beside which its type stands; None for others."""
        return None

    def obstacle(self, expr: Foreign) -> str:
        """Why no other language has the call ``expr``; "" where the engine refuses it."""
        return ""

    def inputs_in(self, data: Any) -> Iterator[Any]:
        """The names of the inputs that calls in plain ``data`` ask for."""
        return iter(())


# -- groups -------------------------------------------------------------------------------------------------


class GroupType(NamedTuple):
    """A type of nodes that stand for several. ``definition``: the property that defines one of them, a map with
    ``type`` and ``properties``; ``scales``: it has a least and a greatest size."""

    definition: str
    scales: bool = False


class PolicyType(NamedTuple):
    """A type of nodes that scale a group. ``group``: the property that names the group; ``step``: the one with
    the change; ``meaning``: the one with what the step means; ``by_number``: its value where the step is
    a number of members."""

    group: str
    step: str
    meaning: str
    by_number: str


class Groups(NamedTuple):
    """The types of groups and of their policies. ``paths_since``: the version from which a path selects from each
    member's value, before that from the list of all. ``neutral``: gives a member's properties their neutral names."""

    types: Mapping[str, GroupType] = _NONE
    policies: Mapping[str, PolicyType] = _NONE
    paths_since: str = ""
    neutral: Callable[[Node, Kind | None, Reporter], None] = lambda node, kind, reporter: None

    def definition(self, type: str) -> str | None:
        """The property that defines a member of a node of this type; None where it is no group."""
        group_type = self.types.get(type)
        return group_type.definition if group_type is not None else None


# -- programs on machines -----------------------------------------------------------------------------------


class Runner(NamedTuple):
    """A program of ours that runs another one as a deployment does: its path in the bundle, and its own variables: the
    other program as a file or as text, the names of outputs to publish, and of those that mean failure (with spaces
    between). ``always``: outputs that are published anyway; ``program``: its text."""

    path: str
    file: str
    text: str
    outputs: str
    errors: str
    always: tuple[str, ...]
    program: str = ""


class EngineValue(NamedTuple):
    """What a script asks its engine for. ``what``: ``value`` (what a script has published), ``property``, ``address``
    (that of the machine), ``name``, or ``deployment`` (its id); ``side``: of which side of its relationship
    (``source``, ``target``), "" for its node; ``name``: of the value or the property; ``variable``: what has it for
    another engine."""

    what: str
    side: str
    name: str
    variable: str


class Published(NamedTuple):
    """A script that publishes in the way of another engine: its ``text``; the names that it ``sets``, and what it
    ``asks`` for. ``code``: what reports it; ``resources``: files whose text is in it; ``sides``: of a relationship that
    it sets or asks for values of, "" for those of its node."""

    text: str
    sets: tuple[str, ...] = ()
    asks: tuple[EngineValue, ...] = ()
    code: str = ""
    resources: tuple[str, ...] = ()
    sides: frozenset[str] = frozenset()


_NO_RUNNER: Final = Runner("", "", "", "", "", ())


class Over(NamedTuple):
    """A ``playbook`` that runs beside the engine, on the hosts of an inventory: its file, the inventory (a map, a
    file, or the text of one), variables, options of the command, and settings of Ansible in the environment."""

    playbook: Value
    inventory: Value
    variables: Mapping[str, Value]
    options: Mapping[str, Value]
    settings: Mapping[str, Value]


class Runs(NamedTuple):
    """How a language writes operations that run a playbook over an inventory: ``program``: what the operation runs,
    which needs ``needs``; ``inputs``: the inputs of the operation; ``files``: all of these; ``extra``: more of what
    implements it."""

    program: str
    needs: Sequence[str]
    inputs: Callable[[Over], dict[str, Value]]
    files: Mapping[str, str]
    extra: Mapping[str, Any]


class Operations(NamedTuple):
    """How a language writes the operations that run scripts.

    names: action (``CREATE``, ``UPDATE``, ``DELETE``, ``SUSPEND``, ``RESUME``) -> its interface and operation.
    files: a pattern for the names of files that an operation can run.
    inputs: the variables of a script, and whether that is a Python file -> inputs of the operation.
    once: what an operation has that is not tried again.
    central: what an operation has that runs beside the engine, on no machine.
    tools: program that runs files of its own -> the implementation and the inputs of an operation that runs such a file
        with these variables.
    installing: program that runs files of its own -> the input of such an operation for what is installed before.
    beside: program that runs files of its own -> the files that are beside such a file which publishes something, so
        that the engine gets it: their paths from there, and their texts.
    over: how a playbook is run over an inventory, beside the engine; None where it cannot be.
    own, between: step of a node, or of a node with the target of a relationship -> interface and operation; for the
        latter, by the side that it runs on as well (``source``, ``target``)."""

    names: Mapping[str, tuple[str, str]] = _NONE
    files: str = ".+"
    inputs: Callable[[dict[str, Value], bool], dict[str, Value]] = lambda variables, is_python: variables
    once: Mapping[str, Any] = _NONE
    central: Mapping[str, Any] = _NONE
    tools: Mapping[str, Callable[[str, dict[str, Value]], tuple[str, dict[str, Value]]]] = _NONE
    installing: Mapping[str, str] = _NONE
    beside: Mapping[str, Mapping[str, str]] = _NONE
    over: Callable[[], Runs] | None = None
    own: Mapping[str, tuple[str, str]] = _NONE
    between: Mapping[tuple[str, str], tuple[str, str]] = _NONE


class Software(NamedTuple):
    """What a language has. A language with deployments has ``config`` and ``deployment``: the types of what says
    what to run, and of what runs it; ``derived``: a pattern for the names of the variables that it adds;
    ``ungrouped``: groups of configurations that are any texts.

    A language with operations has ``component``: a type of nodes that do nothing but run their operations;
    ``steps``: interface and name of an operation -> the step of installing or removing a node at which it runs
    (``create``, ``start``, ``establish``, ``delete``, ...); ``script``: the program that an operation runs, None
    where that is none; ``why_not``: why it is none, as far as more is known than that; ``variables``: those of an
    operation that runs its implementation once, as a deployment does, None for others; ``tool``: what a program uses
    that only this language has, "" for nothing; ``module``: the module of Python that only its engine has, which
    evaluates what imports it; ``agent``: the place where a machine says whether it has an agent;
    ``publish``: what the engine takes from a script as an output, as commands of a shell with the name in ``$3`` and
    the value in ``$ctx_value``; ``user``: the user that its engine comes to machines as, to run programs on them from
    outside, "" where it does not; ``published``: a script (the name of its file, its text, such commands, and what
    reads files) with these in place of what only this language has, None for one that has no such form;
    ``unpublished``: one (file and text) that an earlier conversion gave such commands, with what only this language
    has again, None for others; ``runner``: see :class:`Runner`;
    ``over``: the playbook that an operation runs on the hosts of an inventory, None for others;
    ``operations``: how operations are written; ``roles``: kind of software (see :mod:`~.software.kinds`) -> the type of
    its nodes; ``label``: the name of an operation in the names of what is made of it."""

    config: str = ""
    deployment: str = ""
    derived: str = r"(?!)"
    ungrouped: tuple[str, ...] = ()
    component: str = ""
    steps: Mapping[tuple[str, str], str] = _NONE
    script: Callable[[Operation], Script | None] = lambda operation: None
    why_not: Callable[[Operation], str] = lambda operation: ""
    variables: Callable[[Operation], dict[str, Value] | None] = lambda operation: None
    tool: Callable[[str, str], str] = lambda file, text: ""
    module: str = ""
    publish: str = ""
    user: str = ""
    published: Callable[[str, str, str, Callable[[str], str | None]], Published | None] = (
        lambda file, text, publish, read: None
    )
    unpublished: Callable[[str, str], Published | None] = lambda file, text: None
    over: Callable[[Operation], Over | None] = lambda operation: None
    agent: Callable[[Node], Path] = lambda node: node.path
    runner: Runner = _NO_RUNNER
    operations: Operations = Operations()
    roles: Mapping[str, str] = _NONE
    label: Callable[[Operation], str] = lambda operation: operation.name

    def step(self, operation: Operation) -> str:
        """The step at which an operation runs; "" for none that this is known of."""
        return self.steps.get((operation.interface, operation.name), "")


# -- all of a language --------------------------------------------------------------------------------------


class Capabilities(NamedTuple):
    """What one language can express.

    language: its name among the dialects.
    title: the name of its engine, as messages use it (``Heat``).
    conditions: values and nodes that depend on a condition.
    references: ``values`` (a property refers to another node) or ``relationships`` (a reference between nodes is one).
    software: ``deployments`` (resources of their own) or ``operations`` (of the nodes' interfaces); "" for neither.
    groups: ``templates`` (a group has a template of its member) or ``scaling`` (nodes are members of a group, which a
        policy scales); "" for neither.
    nesting: ``templates`` (a type is a document), ``components`` (a node's properties name it) or ``types`` (a document
        says which type it stands for); "" for none.
    nested_identity: the output of a nested document that is what identifies the nesting node; "" for none.
    document_types: endings of types of nodes that are names of nested documents.
    group_types: its types of groups, and of what scales them.
    shared_by_instances: kind -> why the instances of one node of it cannot be the members of a group.
    programs: how it runs programs on machines.
    waits: (node, what it waits for) of what its engine orders though the document does not say so.
    may_wait: (node, what it may have to wait for) where a value or what a machine does decides it.
    words: its words.
    defines_types: a document says itself where the types of its nodes are from.
    has_type: (type) -> whether every document of the language has it.
    whole_numbers: a place in a list, and the number of instances, has to be one (else a text of digits does, too).
    parts_exist: what is taken of the value of an input has to be there (else it is nothing).
    names_properties: a value can be a property of a node, by its name.
    computes_defaults: the default of an input may be computed of others.
    owns: its engine owns what it takes over: it keeps texts that were drawn, and deletes what it has taken over.
    describes: a resource has a description that its engine gives to what it creates, or that stays a description.
    given_in: orchestrator of its engine -> the parameter in which it gives all values, where it has one.
    playbooks_only: orchestrators that run playbooks and no other programs.
    marked_ending: ending of files of its own among others.
    started: names of what users start in any deployment.
    borrows: (engine in small letters, type of it) -> the language of that engine, where a node can be of such a type
        here, too, else "".
    keeps: names of features without a neutral form that it has a place for (see :class:`~.topology.Feature`)."""

    title: str
    conditions: bool = False
    references: str = "values"
    software: str = ""
    groups: str = ""
    nesting: str = ""
    nested_identity: str = ""
    document_types: tuple[str, ...] = ()
    group_types: Groups = Groups()
    shared_by_instances: Mapping[str, str] = _NONE
    programs: Software = Software()
    waits: Callable[[Topology], Iterable[tuple[str, str]]] = lambda topology: ()
    may_wait: Callable[[Topology], Iterable[tuple[str, str]]] = lambda topology: ()
    words: Vocabulary = Vocabulary()
    keeps: frozenset[str] = frozenset()
    language: str = ""
    defines_types: bool = False
    has_type: Callable[[str], bool] = lambda type: False
    whole_numbers: bool = False
    parts_exist: bool = False
    names_properties: bool = False
    computes_defaults: bool = False
    owns: bool = False
    describes: bool = False
    given_in: Mapping[str, str] = _NONE
    playbooks_only: frozenset[str] = frozenset()
    marked_ending: str = ""
    started: frozenset[str] = frozenset()
    borrows: Callable[[str, str], str] = lambda engine, type: ""

    @property
    def orchestrators(self) -> frozenset[str]:
        """The orchestrators that a result can be written for."""
        return self.playbooks_only.union(self.given_in)

    def is_called(self, word: str) -> bool:
        """True for the name of the language or of its engine, in small letters."""
        return word in (self.language, self.title.lower())
