"""The languages that can be read and written. A new one is one more row and the modules it names.

Looking at the rows imports nothing else; the command line does so for its help."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache, partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar, cast

from bpconvert.models.light import NamedTuple

if TYPE_CHECKING:
    from pathlib import Path

    from bpconvert.diagnostics import Diagnostic, Reporter, SourceError
    from bpconvert.files import Files, TypeNames
    from bpconvert.models.expressions import Value
    from bpconvert.models.topology import Input, Topology
    from bpconvert.options import Nearby
    from bpconvert.translators.catalogue.model import Column
    from bpconvert.translators.catalogue.types import Catalogue
    from bpconvert.translators.catalogue.user_types import Hooks
    from bpconvert.translators.comparing.model import Comparison
    from bpconvert.translators.evaluate.facts import Evaluator
    from bpconvert.translators.lowered import Lowered
    from bpconvert.translators.passes.capabilities import Capabilities
    from bpconvert.translators.passes.request import Request
    from bpconvert.translators.provenance.sidecar import Sidecar
    from bpconvert.translators.support.deploying import Steps
    from bpconvert.translators.support.drawn import Drawn
    from bpconvert.translators.support.editing import Editing
    from bpconvert.translators.support.packing import Packing
    from bpconvert.translators.takeovers import Adopting, AdoptionSteps, Recording
    from bpconvert.yamlio.document import Document

    Reader: TypeAlias = Callable[..., Topology]
    Writer: TypeAlias = Callable[[Topology, Request], Lowered]
    Checker: TypeAlias = Callable[[Document, Reporter, Files, Sequence[str], Catalogue | None], None]
    Acceptor: TypeAlias = Callable[[Input, Any], Value]
    Environments: TypeAlias = Callable[[Sequence[str]], tuple[Any, list[Diagnostic]]]
    Around: TypeAlias = Callable[[Any, Nearby, Callable[[str], bool]], Any]

T = TypeVar("T")
#: the sections that every language has under some name
SECTIONS: Final = ("description", "inputs", "nodes", "outputs")
_ROOT: Final = "bpconvert.translators."


class Dialect(NamedTuple):
    """One language. What is a function or another object here may be given as ``module:name``, and is imported when it
    is needed first; only the reader and the writer have to be given.

    title: what messages call a document of it.
    marker: the top-level key by which a document is known; its value is the version.
    reader: (document, catalogue, reporter, files) -> topology; with ``naming`` also ``seen``: takes what was read.
    writer: (topology, request) -> lowered.
    layout: how a result is laid out: the name of a built-in template, the path of another one, or a template's text.
    short: its name in the names of commands; default: ``name``.
    word: what users call a document of it.
    options: the fields of :class:`~bpconvert.options.Options` that say how a document of it is written.
    recogniser: data of a document -> whether it is of this language; default: the marker is there.
    can: its :class:`~.passes.capabilities.Capabilities`.
    acceptor: (input, value) -> what a reference to the input yields; ValueError where the engine refuses the value.
    checker: (document, reporter, files, environments, mappings of types); reports what the engine refuses.
    naming: the same for what was read, for misspelt names; False where the engine sees something else.
    environments: files of the user -> what types stand for, and what was found in them.
    around: (that, what was found near a document, whether a type needs none) -> both; ``registry``: the key that such
        files have.
    evaluator: the :class:`~.evaluate.facts.Evaluator` of values; default: none.
    comparison: how documents are compared: a :class:`~.comparing.model.Comparison`; default: the plain one.
    sidecar: where a document keeps the record of its source; default: nowhere.
    published: the section of a nested document that the nesting one can read.
    bodies: sections inside of which others are, of which a document has one; ``lifted``: those others.
    drawing: (data of a document, its section of nodes) -> what a picture shows of it as it is written
        (:class:`~.support.drawn.Drawn`); default: nothing.
    hooks: yields the functions that users' mappings of types may name.
    column: its :class:`~.catalogue.model.Column` in the catalogue, where that is under a key of its own.
    archive: the module that knows its archives (:class:`~.support.packing.Packing`); default: it has none.
    deploying: the function that lists what to do before a document of it can be deployed, as
    :data:`~.support.deploying.Steps`; default: it is not known.
    recording: the module that reads what its engine records of a deployment (:class:`Recording`); default: it is not
        known.
    adopting: the same for an engine that owns what it takes over (:class:`Adopting`).
    adopts: documents of it take over what runs.
    adoption: the module with the steps of taking over (:class:`AdoptionSteps`).
    profile: yields the file with all types that results can import; default: there is none.
    library: whether a text of the language only defines what others import; default: none does.
    core: whether a text is of a version that is read by the core schema of YAML 1.2; default: none is.
    editing: what an editor knows of it; default: nothing."""

    name: str
    title: str
    marker: str
    reader: Reader | str
    writer: Writer | str
    layout: str | Path
    short: str = ""
    word: str = "document"
    options: tuple[str, ...] = ()
    recogniser: Callable[[Any], bool] | str = ""
    can: Capabilities | str = ""
    acceptor: Acceptor | str = _ROOT + "support.constraints:accept_data"
    checker: Checker | str = ""
    naming: Callable[..., bool] | str = ""
    environments: Environments | str = ""
    around: Around | str = ""
    registry: str = ""
    evaluator: Evaluator | str = ""
    comparison: Comparison | str = _ROOT + "comparing.model:PLAIN"
    sidecar: Sidecar | str = _ROOT + "provenance.sidecar:NO_SIDECAR"
    published: str = "outputs"
    bodies: tuple[str, ...] = ()
    lifted: frozenset[str] = frozenset()
    hooks: Callable[[], Hooks] | str = ""
    column: Column | str = ""
    drawing: Callable[[Any, str], Drawn] | str = ""
    archive: Packing | str = ""
    deploying: Steps | str = ""
    recording: Recording | str = ""
    adopting: Adopting | str = ""
    adopts: bool = False
    adoption: AdoptionSteps | str = ""
    profile: Callable[[], str] | str = ""
    library: Callable[[bytes], bool] | str = ""
    core: Callable[[str], bool] | str = ""
    editing: Editing | str = _ROOT + "support.editing:NOTHING"

    @property
    def kind(self) -> str:
        """What a document of it is, in messages: ``Heat template``."""
        return f"{self.capabilities().title} {self.word}"

    def recognises(self, data: Any) -> bool:
        """True for the data of a document of this language."""
        if self.recogniser:
            return _found(self.recogniser)(data)
        return isinstance(data, dict) and self.marker in data

    def capabilities(self) -> Capabilities:
        """What the language can express."""
        if self.can:
            return _found(self.can)
        from bpconvert.translators.passes.capabilities import Capabilities

        return Capabilities(self.title)

    def read(self) -> Reader:
        """The function that reads a document into a topology."""
        return _found(self.reader)

    def write(self) -> Writer:
        """The function that writes a topology."""
        return _found(self.writer)

    def check(self) -> Checker | None:
        """The function that checks a document; None where the language has no other than its reader."""
        return _found(self.checker) if self.checker else None

    def names(self) -> Callable[..., bool] | None:
        """The function that finds misspelt names in what was read; None where only the checker does."""
        return _found(self.naming) if self.naming else None

    def accept(self, declared: Input, value: Any) -> Value:
        """What a reference to the input yields when it is given ``value``; ValueError where the engine refuses it."""
        return _found(self.acceptor)(declared, value)

    def evaluated(self) -> Evaluator | None:
        """How its engine computes values; None where it is not known."""
        return _found(self.evaluator) if self.evaluator else None

    def compared(self) -> Comparison:
        """How its documents are compared with others."""
        return _found(self.comparison)

    def keeper(self) -> Sidecar:
        """What keeps and finds the record of the source."""
        return _found(self.sidecar)

    def drawn(self, data: Any) -> Drawn:
        """What a picture shows of a document as it is written."""
        from bpconvert.translators.support.drawn import Drawn

        return _found(self.drawing)(data, self.section("nodes")) if self.drawing else Drawn({}, {})

    def records(self) -> Recording | None:
        """The module that reads what the engine records of a deployment."""
        return _found(self.recording) if self.recording else None

    @property
    def file_name(self) -> str:
        """What a document is called where nobody gives it a name."""
        return f"{self.word.replace(' ', '_')}.yaml"

    def adopter(self) -> Adopting | None:
        """The module that writes what the engine adopts."""
        return _found(self.adopting) if self.adopting else None

    def adoption_steps(self) -> AdoptionSteps | None:
        """The module with the steps of taking over; None for a language without."""
        return _found(self.adoption) if self.adoption else None

    def packing(self) -> Packing | None:
        """What knows its archives; None for a language without."""
        return _found(self.archive) if self.archive else None

    def deployed(self) -> Steps | None:
        """What lists the steps of a deployment; None where they are not known."""
        return _found(self.deploying) if self.deploying else None

    def types_file(self) -> str | None:
        """The text of the file with all types that results can import; None for a language without one."""
        return _found(self.profile)() if self.profile else None

    def edited(self) -> Editing:
        """What an editor knows of the language."""
        return _found(self.editing)

    def is_library(self, text: bytes) -> bool:
        """True for the text of a file that only defines what others import."""
        return bool(self.library) and _found(self.library)(text)

    def section(self, neutral: str) -> str:
        """The name of one of :data:`SECTIONS`, or of ``capabilities``."""
        return self.capabilities().words.section(neutral)

    def counterparts(self, other: Dialect) -> dict[str, str]:
        """Section of this dialect -> section of the other one."""
        theirs, mine = self.capabilities().words, other.capabilities().words
        found = {theirs.section(neutral): mine.section(neutral) for neutral in SECTIONS}
        return {**found, **({theirs.connecting: mine.section("nodes")} if theirs.connecting else {})}


DIALECTS: dict[str, Dialect] = {
    dialect.name: dialect
    for dialect in (
        Dialect(
            "hot",
            "OpenStack Heat HOT",
            "heat_template_version",
            reader=_ROOT + "hot.read.template:to_topology",
            writer=_ROOT + "hot.write.template:from_topology",
            layout="hot.yaml.j2",
            word="template",
            options=("hot_version",),
            can=_ROOT + "hot.capabilities:CAPABILITIES",
            acceptor=_ROOT + "evaluate.parameters:accept",
            checker=_ROOT + "hot.check.template:check",
            naming=_ROOT + "hot.check.template:names",
            evaluator=_ROOT + "hot.evaluation:EVALUATOR",
            comparison=_ROOT + "hot.comparing:COMPARISON",
            editing=_ROOT + "hot.editing:EDITING",
            environments=_ROOT + "hot.environment:read",
            around=_ROOT + "hot.nearby:around",
            registry="resource_registry",
            sidecar=_ROOT + "hot.sidecar",
            recording=_ROOT + "hot.running",
            adopting=_ROOT + "hot.adopting",
            adoption=_ROOT + "hot.adoption_steps",
            adopts=True,
        ),
        Dialect(
            "cloudify",
            "Cloudify DSL",
            "tosca_definitions_version",
            reader=_ROOT + "cloudify.read.blueprint:to_topology",
            writer=_ROOT + "cloudify.write.blueprint:from_topology",
            layout="cloudify.yaml.j2",
            short="cfy",
            word="blueprint",
            recogniser=_ROOT + "cloudify.recognising:is_blueprint",
            options=("dsl_version", "plugin", "files", "asked", "client_config"),
            can=_ROOT + "cloudify.capabilities:CAPABILITIES",
            checker=_ROOT + "cloudify.check.blueprint:check",
            naming=_ROOT + "cloudify.check.blueprint:names",
            evaluator=_ROOT + "cloudify.evaluation:EVALUATOR",
            comparison=_ROOT + "cloudify.comparing:COMPARISON",
            editing=_ROOT + "cloudify.editing:EDITING",
            sidecar=_ROOT + "cloudify.sidecar",
            published="capabilities",
            hooks=_ROOT + "cloudify.hook_names:hooks",
            deploying=_ROOT + "cloudify.deploying:steps",
            recording=_ROOT + "cloudify.running",
            adoption=_ROOT + "cloudify.adoption_steps",
            adopts=True,
            drawing=_ROOT + "toscalike.drawing:drawn",
        ),
        Dialect(
            "tosca",
            "TOSCA",
            "tosca_definitions_version",
            reader=_ROOT + "tosca.read.service:to_topology",
            writer=_ROOT + "tosca.write.service:from_topology",
            layout="tosca.yaml.j2",
            word="service template",
            recogniser=_ROOT + "tosca.recognising:is_service_template",
            library=_ROOT + "tosca.recognising:is_library",
            core=_ROOT + "tosca.recognising:is_core",
            options=("profile", "tosca_version"),
            profile=_ROOT + "tosca.profile:text",
            can=_ROOT + "tosca.capabilities:CAPABILITIES",
            checker=_ROOT + "tosca.check.template:check",
            naming=_ROOT + "tosca.check.template:names",
            evaluator=_ROOT + "tosca.evaluation:EVALUATOR",
            acceptor=_ROOT + "tosca.read.sizes:accept",
            comparison=_ROOT + "tosca.comparing:COMPARISON",
            editing=_ROOT + "tosca.editing:EDITING",
            sidecar=_ROOT + "tosca.sidecar",
            adopts=True,
            bodies=("topology_template", "service_template"),
            hooks=_ROOT + "tosca.read.hooks:hooks",
            column=_ROOT + "tosca.column:COLUMN",
            archive=_ROOT + "tosca.archive",
            drawing=_ROOT + "toscalike.drawing:drawn",
            lifted=frozenset({
                "inputs", "node_templates", "relationship_templates", "groups", "policies", "substitution_mappings",
                "workflows", "outputs",
            }),
        ),
    )
}


def reads_core(text: str) -> bool:
    """True for the text of a document whose plain scalars are read by the core schema of YAML 1.2."""
    return any(_found(dialect.core)(text) for dialect in DIALECTS.values() if dialect.core)


def load(text: str | bytes, name: str = "<input>") -> Document:
    """The document that ``text`` is, with all its sections side by side where its language is known. Raises SourceError
    as :func:`bpconvert.yamlio.document.load`, and for values that are no data of JSON, which no engine stores."""
    from bpconvert.yamlio import document

    read = document.load(text, name, reads_core)
    for tag, place in read.unstored:
        from bpconvert.diagnostics import SourceError, Span, diagnostic

        problem = f"no engine stores a value with the tag '!!{tag}'"
        raise SourceError(diagnostic("BPC106", Span(name, *place), (), {"problem": problem}))
    found = recognised(read.data)
    if found is None:
        return read
    made = document.unfolded(read, found.bodies, found.lifted) if found.bodies else read
    if "hidden" in made.text:
        hide(made, found)
    return made


def unlike(document: Document, *wanted: Dialect, others: Iterable[Dialect] = ()) -> SourceError:
    """The error for a document that is of none of these languages (BPC131), with what it is in their place: one of the
    ``others`` is named."""
    from bpconvert.diagnostics import Reporter, SourceError

    kinds = " nor ".join(f"a {dialect.kind}" for dialect in wanted)
    unlike = f"neither {kinds}" if len(wanted) > 1 else f"not {kinds}"
    return SourceError(Reporter(document).build("BPC131", (), unlike=unlike, what=_what_else(document, wanted, others)))


#: what YAML makes of a file that has no keys
_WITHOUT_KEYS: Final = {str: "plain text", list: "a list", object: "a single value"}


def _what_else(document: Document, wanted: Sequence[Dialect], others: Iterable[Dialect]) -> str:
    other = recognised(document.data)
    if other is not None and other in others:
        return f"it is a {other.kind}"
    if document.data is None:
        return "the file has no content" if document.text.strip() else "the file is empty"
    if not isinstance(document.data, dict):
        kind = next(text for kind, text in _WITHOUT_KEYS.items() if isinstance(document.data, kind))
        return f"it is {kind}, without any keys"
    markers = " and no ".join(dict.fromkeys(f"'{dialect.marker}'" for dialect in wanted))
    return f"there is no {markers}"


#: values that nobody has to guess
_EMPTY: Final[tuple[Any, ...]] = (None, "", [], {})


def hide(document: Document, dialect: Dialect) -> None:
    """Enter the defaults of hidden inputs, and the lines that they are written on, into the document's secrets."""
    from bpconvert.diagnostics.secrets import hidden_defaults, is_hidden
    from bpconvert.yamlio.hidden import lines_of

    section = dialect.section("inputs")
    declared = document.data.get(section)
    hidden = [name for name, entry in declared.items() if is_hidden(entry)] if isinstance(declared, dict) else []
    if hidden and document.events:
        document.secrets.place_later(document.name, cache(partial(lines_of, document, section, hidden)))
    for name, default in hidden_defaults(declared):
        if default in _EMPTY:
            continue
        document.secrets.add(default, document.name)
        span = document.span((section, name, "default"))
        if span is not None and not isinstance(default, bool):
            document.secrets.add(document.text[slice(*span[:2])].partition(":")[2], document.name)


def read_stages(
    stages: Sequence[tuple[str, str]], *dialects: Dialect
) -> tuple[dict[str, TypeNames], list[Diagnostic]]:
    """The values of stages, each from a file that is read as :func:`read_environments` does; and what was found."""
    from bpconvert.diagnostics import Span, diagnostic

    made: dict[str, TypeNames] = {}
    reported: list[Diagnostic] = []
    for name, file in stages:
        environment, found = read_environments([file], *dialects)
        if environment is not None:
            made[name] = environment
            reported += found
            if environment.entries:
                reported.append(diagnostic("BPC653", Span(file, 1, 1), (), {"file": file}))
    return made, reported


def hide_given(document: Document, values: Mapping[str, Any]) -> None:
    """Enter what is given for hidden inputs into the document's secrets."""
    from bpconvert.diagnostics.secrets import is_hidden

    dialect = recognised(document.data)
    declared = document.data.get(dialect.section("inputs")) if dialect is not None else None
    for name, entry in declared.items() if isinstance(declared, dict) else ():
        if name not in values:
            continue
        value = values[name]
        if is_hidden(entry) and value not in _EMPTY:
            document.secrets.add(value, document.name)


def recognised(data: Any) -> Dialect | None:
    """The language that a document with this data is written in; None where it is none of the known ones."""
    return next((dialect for dialect in DIALECTS.values() if dialect.recognises(data)), None)


def entry_of(names: Collection[str], read: Callable[[str], bytes | None]) -> str:
    """The path of the document in an archive with these files. Raises ValueError, with the reason, where no language
    finds one."""
    problem = "no language has archives"
    for packing in filter(None, (dialect.packing() for dialect in DIALECTS.values())):
        try:
            return packing.entry(names, read)
        except ValueError as error:
            problem = str(error)
    raise ValueError(problem)


def catalogue(files: Sequence[str] = ()) -> Catalogue:
    """The built-in catalogue with the mappings of ``files`` merged over it, in this order.

    Raises SourceError with all errors of the files, and OSError for one that cannot be read."""
    if not files:
        from bpconvert.translators.catalogue.types import builtin

        return builtin()
    from bpconvert.translators.catalogue.model import COLUMNS
    from bpconvert.translators.catalogue.user_types import merged  # few conversions need it

    COLUMNS.update({name: _found(row.column) for name, row in DIALECTS.items() if row.column})
    return merged(tuple(map(str, files)), _hooks)


def _hooks() -> Hooks:
    """The functions that mappings may name, in any language."""
    from bpconvert.translators.catalogue.user_types import Hooks

    return Hooks.joined(_found(dialect.hooks)() for dialect in DIALECTS.values() if dialect.hooks)


def read_environments(files: Sequence[str], *dialects: Dialect) -> tuple[Any, list[Diagnostic]]:
    """What types stand for by environment files, read as the first of ``dialects`` that has such files does, and what
    was found in them; (None, []) for no files, or where no language has them."""
    reader = next((dialect.environments for dialect in dialects if dialect.environments), None)
    return (None, []) if reader is None or not files else _found(reader)(files)


def with_nearby(environment: Any, nearby: Nearby | None, types: Sequence[str], dialect: Dialect) -> Any:
    """An environment, or None, with what was found near the document. ``types``: files of mappings, whose types need no
    environment."""
    if nearby is None or not dialect.around or not nearby.files:
        return environment
    known = catalogue(types)
    return _found(dialect.around)(environment, nearby, lambda type: known.kind_of(dialect.name, type) is not None)


def _found(what: T | str) -> T:
    """What ``module:name`` or ``module`` means; anything else is itself."""
    return cast(T, _imported(what)) if isinstance(what, str) else what


@cache
def _imported(what: str) -> Any:
    module, _, name = what.partition(":")
    return getattr(import_module(module), name) if name else import_module(module)
