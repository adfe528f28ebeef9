"""Taking over what runs: a document for another engine that refers to the resources which exist already."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path, PurePath
from typing import Any, Final

from bpconvert.api import Result, finished
from bpconvert.conversion import Conversion
from bpconvert.deploy_notes import FORMATS
from bpconvert.diagnostics import Diagnostic, DocumentError, Reporter, SourceError, UsageError
from bpconvert.files import Files
from bpconvert.limits import bounded
from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING
from bpconvert.models.light import NamedTuple, replace
from bpconvert.models.running import Created, Existing, Recorded
from bpconvert.models.topology import Topology
from bpconvert.options import Options
from bpconvert.render import render
from bpconvert.translation import Way
from bpconvert.translators.dialect import Dialect
from bpconvert.translators.dialects import DIALECTS, catalogue, load, recognised
from bpconvert.translators.passes.expressions.kinds import step_into
from bpconvert.translators.support.deploying import Bundle
from bpconvert.translators.support.places import entries, inside
from bpconvert.translators.takeovers import Adopting, Recording
from bpconvert.yamlio import document as documents
from bpconvert.yamlio.document import Document
from bpconvert.yamlio.emit import emit

#: languages whose engine's records are read, and those that a result can be in
SOURCES: Final = tuple(name for name, dialect in DIALECTS.items() if dialect.recording)
TARGETS: Final = tuple(name for name, dialect in DIALECTS.items() if dialect.adopts)
_PAIRS: Final = re.compile(rb"(?<!\\)((?:\\\\)*)(\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})")
#: what the record of a deployment has beside its document
_EXPORT: Final = frozenset({"template", "resources"})
_INPUTS: Final = "inputs.yaml"
#: findings about what the first engine has created and the result does not have
_LEFT: Final = frozenset({"BPC713"})
#: the finding about what existed before the first engine, which the result only names
_THERE: Final = "BPC383"
#: of a deployment that its own engine takes over
_ADOPT: Final = "adopt.json"
_PARAMETERS: Final = "parameters.json"


class Wanted(NamedTuple):
    """What is asked of a takeover. ``only``: names of the resources to take over, () for all; ``without``: those to
    leave where they are; ``notes``: the name of a file for the steps, in order, with their checks and the way back: a
    script (.sh) or a page (.md)."""

    only: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    notes: str = ""

    def has(self, name: str) -> bool:
        """True for a resource to take over."""
        return name not in self.without and (not self.only or name in self.only)

    @property
    def is_part(self) -> bool:
        """True where something is left out."""
        return bool(self.only or self.without)

    def check(self, names: Collection[str]) -> None:
        """Raise UsageError for what there is not."""
        for name in (*self.only, *self.without):
            if name not in names:
                raise UsageError(f"{name}: what runs has no resource of that name")
        if self.notes and (PurePath(self.notes).suffix not in FORMATS or PurePath(self.notes).name != self.notes):
            raise UsageError(f"{self.notes}: a file beside the result, whose ending chooses: {', '.join(FORMATS)}")


class _Deployed(NamedTuple):
    """A deployment: its document, what the engine records of it, and the files that were read."""

    dialect: Dialect
    document: Document
    recorded: Recorded
    folder: Path | None
    names: list[str]

    def flattened(self, reader: Recording) -> _Deployed:
        """The same as one document without nested ones."""
        recorded = reader.flat(self.recorded)
        return self if recorded is self.recorded else self.holding(recorded)

    def holding(self, recorded: Recorded) -> _Deployed:
        """The same with another document."""
        document = Document(self.document.name, self.document.text, recorded.document)
        return self._replace(recorded=recorded, document=document)


def adopt(
    source: str | Path,
    target: str = "cloudify",
    *,
    resources: str | Path | None = None,
    inputs: str | Path | None = None,
    attributes: str | Path | None = None,
    wanted: Wanted | None = None,
    options: Options | None = None,
) -> Result:
    """The document with which another engine takes over what runs: it refers to every resource that exists.

    Args:
        source: the file of an export (``openstack stack export``, ``abandon``), or of a template or blueprint.
        resources: for a template, the file of the list of its resources
            (``openstack stack resource list -n 5 -f json``); for a blueprint, that of its node instances
            (``cfy node-instances list --json``); for an export, a later list that it has to agree with.
        inputs: the file of the values that the deployment was given, where the record does not have them.
        attributes: the file of attributes, by the names of the resources (``openstack stack resource show -f json``,
            ``openstack server show -f json``).
        target: the language of the result; one of :data:`TARGETS`. Where its engine owns what it takes over,
            ``adopt.json`` has what it adopts, and the result is the document to update with afterwards.
        wanted: a part of it, and the steps.
        options: see :class:`~bpconvert.options.Options`; the source is not kept.

    Returns:
        what :func:`~bpconvert.api.convert` returns; the values to give when deploying are in ``inputs.yaml``.

    Raises:
        SourceError: a file cannot be read, or the record does not fit to the template.
        DocumentError: something would be created, changed or run again; all reasons are in its ``diagnostics``.
        OSError: a file cannot be read.
        UsageError: the target cannot take over, or the inputs have no use."""
    if target not in TARGETS:
        raise UsageError(f"{target}: what runs can be taken over by: {', '.join(TARGETS)}")
    wanted = wanted or Wanted()
    values = _inputs(Path(inputs)) if inputs is not None else {}
    if resources is None and values:
        raise UsageError("an export has the values of inputs; others are taken with a list of resources only")
    deployed = _recorded(Path(source), Path(resources) if resources is not None else None, values)
    wanted.check(deployed.recorded.resources.keys())
    if attributes is not None:
        deployed = deployed._replace(recorded=deployed.recorded._replace(attributes=_attributes(Path(attributes))))
    return _noted(_adopted(deployed, target, values, wanted, options or Options()), deployed, target, wanted)


def _adopted(deployed: _Deployed, target: str, values: Mapping[str, Any], wanted: Wanted, options: Options) -> Result:
    """The result for what was deployed."""
    adopter, reader, own = DIALECTS[target].adopter(), deployed.dialect.records(), deployed.dialect.adopter()
    if wanted.is_part and own is not None:
        deployed = deployed.holding(own.part(deployed.recorded, wanted.has))
    if target != deployed.dialect.name and reader is not None:
        deployed = deployed.flattened(reader)
    _refuse([_problem(deployed, name, why) for name, why in deployed.recorded.problems])
    if target == deployed.dialect.name:
        if adopter is None:
            raise UsageError(f"{target} to {target}: it refers to what runs, and owns nothing that it takes over")
        return _again(deployed, adopter, wanted)
    asked = options._replace(carry=False, running=deployed.recorded.resources)
    asked.check()
    files = Files(deployed.folder, given=deployed.recorded.files, environment=deployed.recorded.environment)
    conversion = Conversion(Way(deployed.dialect, DIALECTS[target], asked), deployed.document, files)
    result = finished(conversion, deployed.names)
    result.diagnostics += _lost(deployed)
    _refuse([finding for finding in result.diagnostics if finding.code == "BPC671"])
    if adopter is None:
        return _with_inputs(conversion, result)
    return _owned(deployed, conversion, result, _Taken(adopter, values, wanted if own is None else Wanted()))


class _Taken(NamedTuple):
    """How what another engine has created is taken over: by which engine, with which values, and which part."""

    adopter: Adopting
    given: Mapping[str, Any]
    wanted: Wanted


def _noted(result: Result, deployed: _Deployed, target: str, wanted: Wanted) -> Result:
    """The result with the steps, where they are wanted."""
    if not wanted.notes:
        return result
    theirs, mine = DIALECTS[target].adoption_steps(), deployed.dialect.adoption_steps()
    if theirs is None or mine is None:
        raise UsageError(f"no steps are known by which a {DIALECTS[target].word} takes over")
    inputs = {stage: (name, documents.load(result.files[name]).data or {}) for stage, name in result.inputs.items()}
    bundle = Bundle(DIALECTS[target].file_name, result.document, {}, inputs)
    first, *others = mine.releasing(DIALECTS[target].adopter() is not None)
    result.files[wanted.notes] = FORMATS[PurePath(wanted.notes).suffix]([first, *theirs.taking(bundle), *others])
    return result


def _inputs(file: Path) -> dict[str, Any]:
    """The values that a deployment was given."""
    document = documents.load(file.read_bytes(), str(file))
    if not isinstance(document.data, dict):
        raise _faulty(document, "the values of inputs are a map")
    return document.data


def _attributes(file: Path) -> dict[str, Any]:
    """The attributes of resources: either by name, or as they are shown of each."""
    document = documents.load(_plain(file), str(file))
    data = document.data
    if not isinstance(data, dict) or not all(isinstance(shown, dict) for shown in data.values()):
        raise _faulty(document, "attributes are a map for each resource")
    return {
        name: shown["attributes"] if isinstance(shown.get("attributes"), dict) else shown
        for name, shown in data.items()
    }


def _plain(file: Path) -> bytes:
    """The bytes of a file in which characters outside of the first plane are not pairs of escapes, which YAML lacks."""
    return _PAIRS.sub(lambda pair: pair[1] + json.loads(b'"%b"' % pair[2]).encode(), file.read_bytes())


def _owned(deployed: _Deployed, conversion: Conversion, result: Result, taken: _Taken) -> Result:
    """The result with the data by which its engine adopts what another one has created."""
    lowered, topology, way = conversion.lowered, conversion.topology, conversion.way
    adopter, values_given, wanted = taken
    if lowered is None or topology is None:
        return result
    mine, theirs = way.source.section("nodes"), way.target.section("nodes")
    left = dict.fromkeys(
        str(finding.path[1]) for finding in result.diagnostics if finding.code in _LEFT and len(finding.path) > 1
    )
    why = "what it has given is not all in the result, and nobody would own it"
    _refuse([_problem(deployed, name, why) for name in left])
    places = {name: lowered.made.get((mine, name), [])[:1] for name in deployed.recorded.resources}
    names = {places[0][1]: name for name, places in places.items() if places and places[0][0] == theirs}
    shown = deployed.recorded.attributes
    existing = {
        name: resource._replace(data={**resource.data, **shown.get(name, {})})
        for name, resource in deployed.recorded.resources.items()
    }
    parts: dict[str, dict[str, Existing]] = {}
    for name, place in places.items():
        if place and place[0][0] == theirs:
            parts.setdefault(place[0][1], {})[name] = existing[name]
    others = {name: state for name, state in existing.items() if name not in {*names, *names.values()}}
    running = {**others, **{new: existing[name] for new, name in names.items()}}
    renamed = lowered.names.get(way.source.section("inputs"), {})
    declared = entries(result.document, way.target.section("inputs"))
    values = {renamed.get(name, name): value for name, value in values_given.items()}
    values = {name: value for name, value in values.items() if name in declared}
    created = Created(Path(deployed.names[0]).stem, running, parts, result.files, values)
    recorded = adopter.composed(result.document, created)
    values = {**recorded.data["environment"]["parameters"], **values}
    if wanted.is_part:
        origins = {
            place[1]: name for name in deployed.recorded.resources for place in lowered.made.get((mine, name), ())
        }
        recorded = adopter.part(recorded, lambda new: new in origins and wanted.has(origins[new]))
        result = replace(result, text=_rendered(way.target, recorded.document), traces=[])
        result.diagnostics += _lost(deployed._replace(recorded=recorded, dialect=way.target))
    recorded = adopter.adoptable(recorded)
    _refuse([_problem(deployed, names.get(name, name), why) for name, why in recorded.problems])
    hidden = {renamed.get(name, name): declared.path for name, declared in topology.inputs.items() if declared.hidden}
    reporter = Reporter(deployed.document)
    for name in sorted(hidden.keys() & values.keys()):
        reporter.report("BPC676", hidden[name], name=name)
    nodes = entries(deployed.document.data, mine)
    there = {finding.path[1] for finding in result.diagnostics if finding.code == _THERE and len(finding.path) > 1}
    for name, state in existing.items():
        new = places[name][0][-1] if places[name] else ""
        if (state.id or state.members) and name not in there and wanted.has(name) and not adopter.owns(recorded, new):
            reporter.report("BPC678", (mine, name), name=name, type=inside(nodes, (name, "type")))
    for name, setting, asked in recorded.unread:
        reporter.report("BPC970", (mine, names.get(name, name)), setting=setting, name=name, input=asked)
    result.diagnostics += reporter.diagnostics
    read = {**result.files, **recorded.data["files"]}
    result.files |= _texts({**recorded.data, "files": read, "environment": {"parameters": values}}, values, hidden)
    result.files.pop(conversion.inputs_name, None)
    result.inputs = {}
    return result


def _texts(data: Any, values: Mapping[str, Any], hidden: Collection[str]) -> dict[str, str]:
    """The files for an engine that adopts; hidden values stand in what it adopts alone."""
    shown = {name: value for name, value in values.items() if name not in hidden}
    texts = {_ADOPT: data, _PARAMETERS: {"parameters": shown}}
    return {name: json.dumps(data, indent=2, default=str) + "\n" for name, data in texts.items()}


def _rendered(dialect: Dialect, document: Any) -> str:
    return render(dialect.layout, dict(document), calls=dialect.capabilities().words.calls)


@bounded(None)
def _again(deployed: _Deployed, adopter: Adopting, wanted: Wanted) -> Result:
    """The document, and the data by which its own engine adopts the resources."""
    recorded = adopter.adoptable(deployed.recorded)
    _refuse([_problem(deployed, name, why) for name, why in recorded.problems])
    reporter = Reporter(deployed.document)
    values = recorded.environment.parameters if recorded.environment is not None else {}
    declared = deployed.dialect.read()(
        deployed.document, catalogue(), Reporter(deployed.document), Files(deployed.folder)
    ).inputs
    secret = {name for name in values if name in declared and declared[name].hidden}
    for name in sorted(secret):
        reporter.report("BPC676", declared[name].path, name=name)
    for name in recorded.asking:
        reporter.report("BPC694", (deployed.dialect.section("nodes"), name), name=name)
    is_text = deployed.folder is not None and not wanted.is_part
    text = deployed.document.text if is_text else _rendered(deployed.dialect, recorded.document)
    reporter.diagnostics.extend(_lost(deployed))
    data = {**recorded.data, "environment": recorded.data.get("environment") or {"parameters": values}}
    files = _texts(data, values, secret)
    read = {Path(name).resolve() for name in deployed.names}
    return Result(text, reporter.diagnostics, {**recorded.files, **files}, read=read, target=deployed.dialect.name)


@bounded(None)
def _recorded(file: Path, resources: Path | None, values: Mapping[str, Any]) -> _Deployed:
    """A deployment by its export, by its document and the list of its resources, or by an export and a list that it is
    compared with."""
    if resources is None:
        return _exported(file)
    document = load(_plain(file), str(file))
    is_export = isinstance(document.data, dict) and _EXPORT.issubset(document.data)
    if recognised(document.data) is not None or not is_export:
        return _listed(file, resources, values)
    if values:
        raise UsageError("an export has the values of inputs; others are taken with a document and a list only")
    deployed, record = _exported(file), documents.load(_plain(resources), str(resources))
    problems: list[tuple[str, str]] = []

    def compared(reader: Recording) -> Recorded:
        problems.extend(reader.unlike(deployed.recorded, record.data))
        return deployed.recorded

    _read(record, compared, deployed.dialect)
    _refuse([_problem(deployed, name, why) for name, why in problems])
    return deployed._replace(names=[*deployed.names, str(resources)])


def _exported(file: Path) -> _Deployed:
    """A deployment by its export."""
    record, dialect = documents.load(_plain(file), str(file)), DIALECTS[SOURCES[0]]
    recorded = _read(record, lambda reader: reader.exported(record.data), dialect)
    document = Document(record.name, record.text, recorded.document)
    return _Deployed(dialect, document, recorded, None, [str(file)])


def _listed(file: Path, resources: Path, values: Mapping[str, Any]) -> _Deployed:
    """A deployment by its document and the list of its resources."""
    document, record = load(file.read_bytes(), str(file)), documents.load(_plain(resources), str(resources))
    dialect = recognised(document.data) or DIALECTS[SOURCES[0]]
    if not dialect.recognises(document.data):
        raise _faulty(document, f"not a {dialect.kind}")
    recorded = _read(record, lambda reader: reader.listed(document.data, record.data, values), dialect)
    return _Deployed(dialect, document, recorded, file.parent, [str(file), str(resources)])


def _read(record: Document, read: Callable[[Recording], Recorded], dialect: Dialect) -> Recorded:
    reader = dialect.records()
    if reader is None:
        raise _faulty(record, f"what runs of a {dialect.word} is not known")
    try:
        return read(reader)
    except ValueError as error:
        raise _faulty(record, str(error)) from None


def _faulty(record: Document, problem: str) -> SourceError:
    return SourceError(Reporter(record).build("BPC672", (), problem=problem))


def _problem(deployed: _Deployed, name: str, why: str) -> Diagnostic:
    """The finding about a resource of a record, or about all of it."""
    reporter = Reporter(deployed.document)
    if not name:
        return reporter.build("BPC672", (), problem=why)
    return reporter.build("BPC671", (deployed.dialect.section("nodes"), name), name=name, why=why)


def _lost(deployed: _Deployed) -> list[Diagnostic]:
    """Findings about what the document had and cannot have as it is here."""
    reporter, nodes, outputs = Reporter(deployed.document), *map(deployed.dialect.section, ("nodes", "outputs"))
    for name, *setting in deployed.recorded.lost:
        if setting:
            reporter.report("BPC675", (nodes, name), setting=setting[0], name=name, done="left out")
        else:
            reporter.report("BPC692", (outputs, name), name=name)
    return reporter.diagnostics


def _refuse(findings: Sequence[Diagnostic]) -> None:
    if findings:
        raise DocumentError(*findings)


def _with_inputs(conversion: Conversion, result: Result) -> Result:
    """The result with the values to give when deploying in one file, hidden ones left out."""
    topology, lowered = conversion.topology, conversion.lowered
    names = lowered.names.get(conversion.way.source.section("inputs"), {}) if lowered is not None else {}
    declared = topology.inputs.items() if topology is not None else ()
    hidden = {names.get(name, name): declaration.path for name, declaration in declared if declaration.hidden}
    reporter = Reporter(conversion.document)
    for name in sorted(hidden.keys() & conversion.inputs.keys()):
        del conversion.inputs[name]
        reporter.report("BPC676", hidden[name], name=name)
    result.diagnostics += reporter.diagnostics
    if topology is not None and conversion.way.target.capabilities().parts_exist:
        values = {name: conversion.inputs.get(names.get(name, name)) for name in topology.inputs}
        _refuse([*_without_parts(topology, values, reporter)])
    result.files.pop(conversion.inputs_name, None)
    if conversion.inputs:
        result.files[_INPUTS] = emit(conversion.inputs)
    result.inputs = {"": _INPUTS} if conversion.inputs else {}
    return result


def _without_parts(topology: Topology, values: Mapping[str, Any], reporter: Reporter) -> Iterator[Diagnostic]:
    """Errors about inputs whose values, ``values`` by name, lack a part that is taken: Heat has nothing there
    (heat/engine/hot/functions.py, ``GetParam``), Cloudify refuses the value (dsl_parser/functions.py, ``GetInput``)."""

    def value_of(value: Any) -> Any:
        """What an input has; any other value itself."""
        return values.get(str(value.name)) if isinstance(value, ex.Input) and not value.keys else value

    every = [*ex.walk([*topology.values(declared=False)])]
    choices = [expr for expr in every if isinstance(expr, ex.If)]  # of which only the branch that is taken is computed
    branches = {id(expr) for expr in ex.walk([[choice.then, choice.otherwise] for choice in choices])}
    for expr in every:
        if not isinstance(expr, ex.Input) or not expr.keys or id(expr) in branches:
            continue
        value, keys = value_of(replace(expr, keys=())), [value_of(key) for key in expr.keys]
        if value is not None and None not in keys and ex.is_constant(keys) and step_into(value, keys) is MISSING:
            yield reporter.build("BPC677", expr.path, name=expr.name, part=".".join(map(str, keys)))
