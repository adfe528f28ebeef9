"""The languages that can be read and written. A new one is one more row and the modules it names.

Looking at the rows imports nothing else; the command line does so for its help."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING, Any, Final

from bpconvert.translators.dialect import ROOT, Dialect, resolved

if TYPE_CHECKING:
    from bpconvert.diagnostics import Diagnostic, SourceError
    from bpconvert.files import TypeNames
    from bpconvert.options import Nearby
    from bpconvert.translators.catalogue.types import Catalogue
    from bpconvert.translators.catalogue.user_types import Hooks
    from bpconvert.yamlio.document import Document

DIALECTS: dict[str, Dialect] = {
    dialect.name: dialect
    for dialect in (
        Dialect(
            "hot",
            "OpenStack Heat HOT",
            "heat_template_version",
            reader=ROOT + "hot.read.template:to_topology",
            writer=ROOT + "hot.write.template:from_topology",
            layout="hot.yaml.j2",
            word="template",
            options=("hot_version",),
            can=ROOT + "hot.capabilities:CAPABILITIES",
            acceptor=ROOT + "evaluate.parameters:accept",
            checker=ROOT + "hot.check.template:check",
            naming=ROOT + "hot.check.template:names",
            evaluator=ROOT + "hot.evaluation:EVALUATOR",
            comparison=ROOT + "hot.comparing:COMPARISON",
            editing=ROOT + "hot.editing:EDITING",
            environments=ROOT + "hot.environment:read",
            around=ROOT + "hot.nearby:around",
            registry="resource_registry",
            sidecar=ROOT + "hot.sidecar:SIDECAR",
            recording=ROOT + "hot.running",
            adopting=ROOT + "hot.adopting",
            adoption=ROOT + "hot.adoption_steps",
            adopts=True,
        ),
        Dialect(
            "cloudify",
            "Cloudify DSL",
            "tosca_definitions_version",
            reader=ROOT + "cloudify.read.blueprint:to_topology",
            writer=ROOT + "cloudify.write.blueprint:from_topology",
            layout="cloudify.yaml.j2",
            short="cfy",
            word="blueprint",
            recogniser=ROOT + "cloudify.recognising:is_blueprint",
            options=("dsl_version", "plugin", "files", "asked", "client_config"),
            can=ROOT + "cloudify.capabilities:CAPABILITIES",
            checker=ROOT + "cloudify.check.blueprint:check",
            naming=ROOT + "cloudify.check.blueprint:names",
            evaluator=ROOT + "cloudify.evaluation:EVALUATOR",
            comparison=ROOT + "cloudify.comparing:COMPARISON",
            editing=ROOT + "cloudify.editing:EDITING",
            sidecar=ROOT + "cloudify.sidecar",
            published="capabilities",
            hooks=ROOT + "cloudify.hook_names:hooks",
            deploying=ROOT + "cloudify.deploying:steps",
            recording=ROOT + "cloudify.running",
            adoption=ROOT + "cloudify.adoption_steps",
            adopts=True,
            drawing=ROOT + "toscalike.drawing:drawn",
        ),
        Dialect(
            "tosca",
            "TOSCA",
            "tosca_definitions_version",
            reader=ROOT + "tosca.read.service:to_topology",
            writer=ROOT + "tosca.write.service:from_topology",
            layout="tosca.yaml.j2",
            word="service template",
            recogniser=ROOT + "tosca.recognising:is_service_template",
            library=ROOT + "tosca.recognising:is_library",
            core=ROOT + "tosca.recognising:is_core",
            options=("profile", "tosca_version"),
            profile=ROOT + "tosca.profile:text",
            can=ROOT + "tosca.capabilities:CAPABILITIES",
            checker=ROOT + "tosca.check.template:check",
            naming=ROOT + "tosca.check.template:names",
            evaluator=ROOT + "tosca.evaluation:EVALUATOR",
            acceptor=ROOT + "tosca.read.sizes:accept",
            comparison=ROOT + "tosca.comparing:COMPARISON",
            editing=ROOT + "tosca.editing:EDITING",
            sidecar=ROOT + "tosca.sidecar:SIDECAR",
            adopts=True,
            bodies=("topology_template", "service_template"),
            hooks=ROOT + "tosca.read.hooks:hooks",
            column=ROOT + "tosca.column:COLUMN",
            archive=ROOT + "tosca.archive",
            drawing=ROOT + "toscalike.drawing:drawn",
            lifted=frozenset(
                {
                    "inputs",
                    "node_templates",
                    "relationship_templates",
                    "groups",
                    "policies",
                    "substitution_mappings",
                    "workflows",
                    "outputs",
                }
            ),
        ),
    )
}


def reads_core(text: str) -> bool:
    """True for the text of a document whose plain scalars are read by the core schema of YAML 1.2."""
    languages = (dialect for dialect in DIALECTS.values() if dialect.core and dialect.marker in text)
    return any(resolved(dialect.core)(text) for dialect in languages)


def load(text: str | bytes, name: str = "<input>") -> Document:
    """The document that ``text`` is, with all its sections side by side where its language is known. Raises SourceError
    as :func:`bpconvert.yamlio.document.load`, and for values that are no data of JSON, which no engine stores."""
    from bpconvert.yamlio import document

    read = document.load(text, name, reads_core)
    for tag, place in read.unstored:
        from bpconvert.diagnostics import SourceError, Span, diagnostic

        problem = f"no engine stores a value with the tag '!!{tag}'"
        raise SourceError(diagnostic("BPC106", Span(name, *place), (), {"problem": problem}))
    dialect = recognised(read.data)
    if dialect is None:
        return read
    unfolded = document.unfolded(read, dialect.bodies, dialect.lifted) if dialect.bodies else read
    if "hidden" in unfolded.text:
        hide(unfolded, dialect)
    return unfolded


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


def read_stages(stages: Sequence[tuple[str, str]], *dialects: Dialect) -> tuple[dict[str, TypeNames], list[Diagnostic]]:
    """The values of stages, each from a file that is read as :func:`read_environments` does; and what was found."""
    from bpconvert.diagnostics import Span, diagnostic

    environments: dict[str, TypeNames] = {}
    reported: list[Diagnostic] = []
    for name, file in stages:
        environment, findings = read_environments([file], *dialects)
        if environment is not None:
            environments[name] = environment
            reported += findings
            if environment.entries:
                reported.append(diagnostic("BPC653", Span(file, 1, 1), (), {"file": file}))
    return environments, reported


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

    COLUMNS.update({name: resolved(row.column) for name, row in DIALECTS.items() if row.column})
    return merged(tuple(map(str, files)), _hooks)


def _hooks() -> Hooks:
    """The functions that mappings may name, in any language."""
    from bpconvert.translators.catalogue.user_types import Hooks

    return Hooks.joined(resolved(dialect.hooks)() for dialect in DIALECTS.values() if dialect.hooks)


def read_environments(files: Sequence[str], *dialects: Dialect) -> tuple[Any, list[Diagnostic]]:
    """What types stand for by environment files, read as the first of ``dialects`` that has such files does, and what
    was found in them; (None, []) for no files, or where no language has them."""
    reader = next((dialect.environments for dialect in dialects if dialect.environments), None)
    return (None, []) if reader is None or not files else resolved(reader)(files)


def with_nearby(environment: Any, nearby: Nearby | None, types: Sequence[str], dialect: Dialect) -> Any:
    """An environment, or None, with what was found near the document. ``types``: files of mappings, whose types need no
    environment."""
    if nearby is None or not dialect.around or not nearby.files:
        return environment
    mappings = catalogue(types)
    return resolved(dialect.around)(environment, nearby, lambda type: mappings.kind_of(dialect.name, type) is not None)
