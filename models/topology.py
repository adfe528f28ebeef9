"""The neutral template: nodes, dependencies, inputs, outputs. No dialect's spelling occurs here.

Values inside (``properties``, ``default``, ``value``, ...) are :data:`~bpconvert.models.expressions.Value`.
``path`` is always the place in the source document."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

from bpconvert.models.expressions import MISSING, Attribute, Identity, Path, Value
from bpconvert.models.light import NamedTuple, dataclass, field, replace

if TYPE_CHECKING:
    from bpconvert.models.input_requests import InputRequest
    from bpconvert.models.scaling import Change, Step


@dataclass(eq=False, repr=False)
class Constraint:
    """One restriction of an input. ``kind`` is ``range`` {min, max}, ``length`` {min, max}, ``allowed_values`` [..],
    ``allowed_pattern`` text (must match whole), ``modulo`` {step, offset}, ``custom`` name."""

    kind: str
    argument: Any
    description: str | None = None
    path: Path = ()
    #: what the source calls it; "" for one that the source does not have
    word: str = ""


@dataclass(eq=False, repr=False)
class Input:
    """A template parameter. ``type`` is ``string``, ``number``, ``boolean``, ``list`` (of text) or ``json``; None:
    unknown. ``default`` is already coerced to what a reference yields."""

    name: str
    type: str | None
    default: Value = MISSING
    label: str | None = None
    description: str | None = None
    hidden: bool | None = None  #: None: not given
    constraints: list[Constraint] = field(default_factory=list)
    #: keys without a neutral meaning, as written (immutable, tags, ...)
    extra: dict[str, Any] = field(default_factory=dict)
    path: Path = ()
    guessed: bool = False  #: the source does not give the type: it is what the default or the constraints show
    asked: InputRequest | None = None
    #: the bytes that one of its numbers stands for, where the source takes sizes with a unit; 0 for any other input
    unit: int = 0
    #: the only structure that an input of type ``json`` takes: ``list`` or ``map``; "" for any
    structure: str = ""
    #: the source does not declare it: it asks for what the source does not give
    added: bool = False
    #: what stands in it, by the keys that lead there: to what nests, each is a value of its own
    parts: dict[Path, Input] = field(default_factory=dict)

    @property
    def allowed_texts(self) -> list[str] | None:
        """The only texts that it, or each of its items, may be; None where anything else is allowed."""
        allowed = next(
            (constraint.argument for constraint in self.constraints if constraint.kind == "allowed_values"), None
        )
        return allowed if isinstance(allowed, list) and all(isinstance(item, str) for item in allowed) else None


@dataclass(eq=False, repr=False)
class Script:
    """A program that an operation runs: a ``file``, or the ``text`` itself. ``inputs``: its variables, name -> value
    and its place below the operation; ``settings``: places of what others lack; ``needs``: files that it needs beside
    it, and their place. ``central``: it runs beside the manager, not on a machine. ``address``: that of the machine
    that it runs on, MISSING where its node says that. ``tool``: the program that runs it (``ansible``, ``puppet``);
    ``fitted``: it is made for the target's engine; ``evaluated``: the source's evaluates it, as Python; ``setup``: what
    that sets at its start, as ``inputs`` are; ``installs``: what it installs for its node's tool, and no more."""

    file: str | None
    text: str = ""
    inputs: dict[str, tuple[Value, Path]] = field(default_factory=dict)
    settings: list[Path] = field(default_factory=list)
    central: bool = False
    address: Value = MISSING
    tool: str = ""
    needs: tuple[tuple[str, ...], Path] = ((), ())
    fitted: bool = False
    evaluated: bool = False
    setup: dict[str, tuple[Value, Path]] = field(default_factory=dict)
    installs: tuple[str, ...] = ()


@dataclass(eq=False, repr=False)
class Operation:
    """What runs at a point of a node's life. ``interface`` and ``name`` as written (``cloudify.interfaces.lifecycle``,
    ``create``); ``implementation`` is a script's path or the name of a function. ``target``: the other end of the
    relationship that the operation belongs to, None for the node's own; ``host``: ``source`` or ``target``, the side it
    runs on; ``native``: the only language that runs it, and has it in this form; "" for others."""

    interface: str
    name: str
    implementation: str
    inputs: dict[str, Value] = field(default_factory=dict)
    target: str | None = None
    host: str = "source"
    extra: dict[str, Any] = field(default_factory=dict)  #: keys without a neutral meaning, as written (executor, ...)
    path: Path = ()
    origins: dict[str, Path] = field(default_factory=dict)  #: input -> its place, where that is known
    #: the step of a node's life at which it runs, and the program that it is, as far as a pass has asked for them
    step: str = ""
    script: Script | None = None
    #: the machine (a node by name) that its program runs on; None where it cannot run on one
    machine: str | None = None
    machines: list[str] = field(default_factory=list)  #: where there are several machines, the others
    outputs: list[str] = field(default_factory=list)  #: what its program publishes, as attributes of its node
    native: str = ""


#: the type of a relationship that means nothing but order
ORDER: Final = "order"


@dataclass(eq=False, repr=False)
class Relationship:
    """What connects node ``source`` to node ``target``; the source waits for the target. ``type``: the dialect's own
    name, or :data:`ORDER`; ``ancestry``: the type, its parent, ... Operations of its own are the source's, with this
    target; ``switched_off``: those of its type that it replaces by nothing."""

    source: str
    target: str
    type: str = ORDER
    ancestry: list[str] = field(default_factory=list)
    properties: dict[str, Value] = field(default_factory=dict)
    switched_off: list[Operation] = field(default_factory=list)
    #: the order follows from other parts of the topology as well
    implied: bool = False
    path: Path = ()
    #: the source is inside of the target
    inside: bool = False
    #: the source talks to the target
    connects: bool = False


@dataclass(eq=False, repr=False)
class NestedInterface:
    """A nested document, as the nesting one sees it. ``file``: the result, relative to the nesting document;
    ``digest``: differs with its content.

    ``inputs``: the source's own, ``names``: what they are called in the result; ``outputs``: of those that the nesting
    document can read, the names in the result. ``types``: of the result's inputs, as written. ``needed``: inputs of the
    result that the source does not have and that have to be given; ``given``: values for those of them that are
    known; ``undefaulted``: of ``inputs``, those whose default the result does not have."""

    file: str
    digest: str
    inputs: dict[str, Input] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    outputs: dict[str, str] = field(default_factory=dict)
    types: dict[str, str] = field(default_factory=dict)
    needed: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    given: dict[str, Any] = field(default_factory=dict)
    undefaulted: tuple[str, ...] = ()
    #: of ``outputs``, what identifies the nesting node ("" for none), and the kinds of the nodes that it may be
    identity: str = ""
    identity_kinds: frozenset[str] = frozenset()
    #: what belongs to the result, by the path beside it; None where that is not known, or elsewhere
    files: tuple[str, ...] | None = None

    def is_required(self, name: str) -> bool:
        """True for an input without a default."""
        declared = self.inputs[name]
        return declared.default is MISSING and declared.extra.get("required") is not False


class Shown(NamedTuple):
    """What a stand-in shows of the node that it stands for. ``language``: the name of that one's language or engine,
    in small letters; ``type``, ``properties``, ``operations``: the properties of the stand-in that have them."""

    language: str
    type: str
    properties: str
    operations: str = ""


class Refusal(NamedTuple):
    """Why a node could not be converted: the code of the diagnostic, and what completes its text."""

    code: str
    why: str


@dataclass(eq=False, repr=False)
class Group:
    """Nodes that are scaled together. ``members``: their names; ``sizes``: how many there are (``count``), at ``least``
    and at ``most``, as far as that is given; ``origins``: the places of the sizes in the source; ``policy``: the name
    of what scales them; ``changes``: what users start to change their number."""

    members: list[str]
    sizes: dict[str, Value] = field(default_factory=dict)
    origins: dict[str, Path] = field(default_factory=dict)
    policy: str = ""
    changes: list[Change] = field(default_factory=list)


@dataclass(eq=False, repr=False)
class Node:
    """One resource. ``kind`` is its id in the type catalogue (None: unmapped), ``source_type`` the dialect's own name.
    For a known kind, ``properties`` has the catalogue's neutral names; else the source's."""

    name: str
    source_type: str
    kind: str | None = None
    properties: dict[str, Value] = field(default_factory=dict)
    #: neutral property name -> source key, where the source used an alias
    aliases: dict[str, str] = field(default_factory=dict)
    #: to other nodes, as far as no property says them
    relationships: list[Relationship] = field(default_factory=list)
    condition: Value = MISSING
    #: resource-level keys without a neutral meaning, as written (update_policy, deletion_policy, metadata, ...)
    extra: dict[str, Any] = field(default_factory=dict)
    external_id: Value = MISSING
    #: the name or id of an existing resource, where only services that look names up can use it
    external_name: Value = MISSING
    #: the ``external_name`` stands in place of an id, and is one where nothing else is taken
    by_id: bool = False
    #: neutral properties with which what exists already is created where it is missing, {} where it never is
    otherwise: dict[str, Value] = field(default_factory=dict)
    #: all properties under the source's own names, defaults of its types included: what a :class:`Property` names
    declared: dict[str, Value] = field(default_factory=dict)
    #: the node (by name) inside which this one runs, None for none
    host: str | None = None
    #: where it runs inside of several, the others
    hosts: list[str] = field(default_factory=list)
    operations: list[Operation] = field(default_factory=list)
    unrun: list[Operation] = field(default_factory=list)  #: taken away, as the target runs nothing at their step
    #: what kind of software it is (see :mod:`~.passes.software.kinds`), "" for no software. Software is nothing but its
    #: operations and its order: where operations are resources, it needs none itself
    role: str = ""
    was: str = ""  #: the kind of software that an earlier conversion made it of, as far as that is kept
    #: the operations that it was, where a pass has made a deployment of them
    made_of: list[Operation] = field(default_factory=list)
    #: how many of it are created (MISSING: one)
    instances: Value = MISSING
    #: the least and the greatest number that there may be later (MISSING: no limit)
    limits: tuple[Value, Value] = (MISSING, MISSING)
    #: the group (a node by name) with which it is scaled, None for none
    group: str | None = None
    #: it only stands for the nodes that are in it as their ``group``
    is_group: bool = False
    #: it does nothing but change the number of other nodes
    step: Step | None = None
    #: ``source_type``, its parent, ..., as far as they are known
    ancestry: list[str] = field(default_factory=list)
    #: what ``source_type`` is derived from is not known to the end
    is_open: bool = False
    #: the dialect of ``source_type`` where it is not the topology's (a stand-in that came back)
    native: str | None = None
    #: what it shows of a node of another language, None where it is no stand-in
    shows: Shown | None = None
    #: neutral property path -> its place in the source, where that is not ``properties.<name>`` of the node
    origins: dict[Path, Path] = field(default_factory=dict)
    #: the document that the node nests, None for none
    nested: NestedInterface | None = None
    #: the nodes that it has several of, as a topology of their own, whose inputs are its properties
    template: Topology | None = None
    #: it nests a document that cannot be converted, which has been reported
    not_nested: bool = False
    #: the node that it was made for (it stands before that), None for one of the source
    made_for: str | None = None
    #: the node that it has become a part of, None for one of its own
    part_of: str | None = None
    #: of an alarm, what the source calls it and its policy; of a machine that exists already, where it is
    trigger: tuple[str, str] | None = None
    address: Value = MISSING
    #: nothing in the target is like it: something visible stands in its place
    stand_in: bool = False
    #: why it cannot be converted, None where it can
    refusal: Refusal | None = None
    #: attributes that its own operations publish
    published: set[str] = field(default_factory=set)
    #: properties of which everything has been reported, and which need nothing more
    settled: set[str] = field(default_factory=set)
    #: properties that its type requires and that the document that it once came from does not give either
    lacks: tuple[str, ...] = ()
    #: properties under the target's names, given by what is part of it, each with its place in the source
    settings: dict[str, tuple[Value, Path]] = field(default_factory=dict)
    path: Path = ()
    #: the place of the whole resource, where ``path`` is that of a definition inside of it
    outer: Path = ()

    @property
    def entry(self) -> Path:
        """The place of the resource in the source."""
        return self.outer or self.path

    @property
    def exists(self) -> bool:
        """True for a resource that is there already: nothing creates it."""
        return self.external_id is not MISSING or self.external_name is not MISSING

    def origin(self, *steps: Any) -> Path:
        """The place in the source of the property (or part of it) at ``steps``; that of the nearest known part."""
        for length in range(len(steps), -1, -1) if self.origins else ():
            origin = self.origins.get(steps[:length])
            if origin is not None:
                return (*origin, *steps[length:])
        name = self.aliases.get(steps[0], steps[0]) if steps else None
        return (*self.path, "properties", name, *steps[1:]) if steps else (*self.path, "properties")

    def value_of(self, name: str) -> Value:
        """The property of that name; None where it is not given, or the properties are computed as a whole."""
        return self.properties.get(name) if isinstance(self.properties, dict) else None

    @property
    def is_several(self) -> bool:
        """True for a resource of which another number than one is created."""
        return self.instances is not MISSING and (self.instances != 1 or isinstance(self.instances, bool))

    @property
    def is_scaled(self) -> bool:
        """True for a resource of which there may be several."""
        return self.instances is not MISSING or self.limits[1] is not MISSING

    @property
    def waits(self) -> list[Relationship]:
        """The relationships to the nodes that this one waits for, unless something else says so."""
        return [wait for wait in self.relationships if not wait.implied]

    @property
    def awaited(self) -> list[str]:
        """The targets of :attr:`waits`."""
        return [wait.target for wait in self.waits]

    def values(self, *, declared: bool = True) -> Iterator[Value]:
        """Everything of the node that may hold expressions. ``declared``: its :attr:`declared` properties too."""
        yield self.properties
        if declared:
            yield self.declared
        yield from (self.condition, self.instances, *self.limits, self.external_id, self.external_name, self.address)
        yield from (operation.inputs for operation in self.operations)

    def rewrite(self, function: Callable[[Value], Value], *, declared: bool = True) -> None:
        """Exchange each of :meth:`values` for what ``function`` makes of it."""
        self.properties = function(self.properties)
        if declared:
            self.declared = function(self.declared)
        self.condition, self.instances = function(self.condition), function(self.instances)
        self.limits = (function(self.limits[0]), function(self.limits[1]))
        self.external_id, self.external_name = function(self.external_id), function(self.external_name)
        self.address = function(self.address)
        for operation in self.operations:
            operation.inputs = function(operation.inputs)

    def imply(self, targets: Collection[str]) -> None:
        """Take the order out, of this node after ``targets``, that follows from something else."""
        self.relationships = [
            replace(wait, implied=True) if wait.target in targets else wait
            for wait in self.relationships
            if wait.type != ORDER or wait.target not in targets
        ]

    def wait_for(self, *targets: str, path: Path = ()) -> None:
        """Let the node wait for others, which the source says at ``path``."""
        self.relationships += [Relationship(self.name, target, path=path) for target in targets]

    def wait_as(self, other: Node) -> None:
        """Let the node wait for all that ``other`` waits for."""
        self.relationships += [replace(wait, source=self.name) for wait in other.relationships]


@dataclass(eq=False, repr=False)
class Output:
    """A value that the deployment publishes."""

    name: str
    value: Value
    description: str | None = None
    condition: Value = MISSING
    extra: dict[str, Any] = field(default_factory=dict)
    path: Path = ()

    def rewrite(self, function: Callable[[Value], Value]) -> None:
        """Exchange the value and the condition for what ``function`` makes of them."""
        self.value, self.condition = function(self.value), function(self.condition)


class Feature(NamedTuple):
    """Something of the source that the neutral form has no place for, or expresses differently. ``name``: the
    capability of a language that keeps it; ``code``, ``path`` and ``texts``: the diagnostic for one that does not."""

    name: str
    code: str
    path: Path
    texts: Mapping[str, Any]


@dataclass(eq=False, repr=False)
class Topology:
    """A whole template."""

    dialect: str
    version: str
    description: str | None = None
    inputs: dict[str, Input] = field(default_factory=dict)
    conditions: dict[str, Value] = field(default_factory=dict)
    nodes: dict[str, Node] = field(default_factory=dict)
    outputs: dict[str, Output] = field(default_factory=dict)
    #: values that only other deployments read
    capabilities: dict[str, Output] = field(default_factory=dict)
    #: nodes that are scaled together, by the name of their group
    groups: dict[str, Group] = field(default_factory=dict)
    #: group of the source -> the node that stands for it
    group_nodes: dict[str, str] = field(default_factory=dict)
    #: node that stood for several -> those that it has become
    unrolled: dict[str, list[str]] = field(default_factory=dict)
    #: (kind, name or id, condition) -> the node that stands for the resource that exists already
    existing: dict[tuple[str, str, str], str] = field(default_factory=dict)
    #: generated files of the bundle (scripts): path -> text
    files: dict[str, str] = field(default_factory=dict)
    #: node that other nodes' operations run on -> the first of those
    machines: dict[str, str] = field(default_factory=dict)
    #: place of the template of a node that a group has as its member -> the file that it is
    templates: dict[Path, str] = field(default_factory=dict)
    #: what the source says beside the rest
    features: list[Feature] = field(default_factory=list)
    #: entry of the source -> the nodes that have its nodes in their ``template``
    moved: dict[Path, list[str]] = field(default_factory=dict)
    #: places of inputs that have been decided, and are gone
    decided: list[Path] = field(default_factory=list)
    #: hidden inputs that have been decided: their values are kept nowhere else
    withheld: set[str] = field(default_factory=set)
    #: nodes as written whose types an import may define that could not be read
    unread: set[str] = field(default_factory=set)
    #: places of calls that the source's engine refuses to compute, which has been reported
    uncomputable: set[Path] = field(default_factory=set)

    @property
    def relationships(self) -> list[Relationship]:
        """Those of all nodes."""
        return [relationship for node in self.nodes.values() for relationship in node.relationships]

    @property
    def published(self) -> list[Output]:
        """The outputs and the capabilities."""
        return [*self.outputs.values(), *self.capabilities.values()]

    def values(self, *, declared: bool = True) -> Iterator[Value]:
        """Everything that may hold expressions. ``declared``: the nodes' :attr:`Node.declared` properties too."""
        yield from (declared_input.default for declared_input in self.inputs.values())
        yield from self.conditions.values()
        for node in self.nodes.values():
            yield from node.values(declared=declared)
        for output in self.published:
            yield from (output.value, output.condition)

    def rewrite(self, function: Callable[[Value], Value], *, declared: bool = True) -> None:
        """Exchange each of :meth:`values` for what ``function`` makes of it."""
        for node in self.nodes.values():
            node.rewrite(function, declared=declared)
        for output in self.published:
            output.rewrite(function)
        for name in list(self.conditions):
            self.conditions[name] = function(self.conditions[name])
        for declared_input in self.inputs.values():
            declared_input.default = function(declared_input.default)

    def node(self, name: Value) -> Node | None:
        """The node with this name; None where there is none, or the name is computed."""
        return self.nodes.get(name) if isinstance(name, str) else None

    def owner(self, name: str) -> str:
        """The node that node ``name`` has become a part of, or itself."""
        seen = {name}
        while (node := self.nodes.get(name)) is not None and node.part_of is not None:
            name = node.part_of
            if name in seen:
                break
            seen.add(name)
        return name

    def is_of_stand_in(self, value: Value) -> bool:
        """True for the identity or an attribute of a stand-in, which gives nothing."""
        if not isinstance(value, (Attribute, Identity)) or self.node(value.node) is None:
            return False
        owner = self.node(self.owner(str(value.node)))
        return owner is not None and owner.stand_in

    def members(self, name: str) -> list[str]:
        """The nodes that ``name`` has become, also those of groups inside of it; itself where it is one node."""
        if name not in self.unrolled:
            return [name]
        return [member for part in self.unrolled[name] for member in self.members(part)]

    def is_reference(self, value: Value, kinds: Iterable[str]) -> bool:
        """True when ``value`` is the identity of a node of one of ``kinds`` that stays a node of its own."""
        node = self.node(getattr(value, "node", None)) if isinstance(value, Identity) else None
        if node is None or node.kind is None or node.part_of is not None or node.stand_in:
            return False
        return node.kind in kinds

    def parts(self) -> list[Node]:
        """The nodes that are part of others."""
        return [node for node in self.nodes.values() if node.part_of is not None]
