"""TOSCA service template to the neutral topology."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from bpconvert.diagnostics import Reporter
from bpconvert.files import Files
from bpconvert.models.checks import Problem
from bpconvert.models.expressions import MISSING, Path
from bpconvert.models.light import NamedTuple
from bpconvert.models.plain import tosca, validate
from bpconvert.models.topology import Output, Topology
from bpconvert.translators.catalogue.types import Catalogue
from bpconvert.translators.support.places import entries
from bpconvert.translators.tosca import DIALECT, scripts
from bpconvert.translators.tosca.read import counts
from bpconvert.translators.tosca.read.computed_values import open_values
from bpconvert.translators.tosca.read.declarations import read_input
from bpconvert.translators.tosca.read.imports import combine
from bpconvert.translators.tosca.read.known_types import are_known, used_types
from bpconvert.translators.tosca.read.leftovers import report_left
from bpconvert.translators.tosca.read.nesting import add_nested, report
from bpconvert.translators.tosca.read.nodes import neutralise
from bpconvert.translators.tosca.read.policies import Policies
from bpconvert.translators.tosca.read.raw import NodeReader, RawNode
from bpconvert.translators.tosca.read.reading import PlacedFindings, Reading
from bpconvert.translators.tosca.read.sections import BODIES, report_sections
from bpconvert.translators.tosca.read.software import add_software
from bpconvert.translators.tosca.read.substitution import add_attributes
from bpconvert.translators.tosca.read.types import NODE, Types
from bpconvert.translators.tosca.read.unquoted import report_versions
from bpconvert.translators.tosca.versions import version
from bpconvert.translators.tosca.vocabulary import TYPE_SECTIONS
from bpconvert.yamlio.document import Document

#: code -> the capability of a language that keeps what it is about
NAMES: Final[dict[str, str]] = {"BPC832": "artifacts", "BPC859": "software nodes"}


def to_topology(
    document: Document,
    catalogue: Catalogue,
    reporter: Reporter,
    files: Files,
    seen: Callable[[Raw], None] | None = None,
) -> Topology:
    """The neutral form of a service template. Errors that engines would refuse are reported, everything else is
    read; what has no neutral form is a feature of the topology. ``seen``: is given what was read."""
    written = read_template(document, reporter, files, forgives=True)
    if seen is not None:
        seen(written)
    template, topology, reading, types, raw = written
    for name, output in template.outputs.items():
        topology.outputs[name] = _output(name, output, reading)
    reading.read_conditions()
    open_values(topology, raw, lambda path: files.look(path)[0])
    _open_scripts(raw, files)
    if files.inner:
        add_attributes(topology, template.substitution_mappings, reading)
    neutralise(topology, raw, types, catalogue, reading)
    add_nested(topology, raw, types, files, reading)
    add_software(topology, raw, reading)
    Policies(topology, template, types, reading, catalogue).apply()
    report(template, files, reading)
    report_versions(document, reading.findings)
    reading.finish()
    report_left(topology, template, raw, reading.findings)
    report_sections(document, template, reading.findings)
    return topology


def _open_scripts(nodes: dict[str, RawNode], files: Files) -> None:
    """Let what runs a script by our playbook run the script itself."""
    for node in nodes.values():
        for operations in (node.operations, *(requirement.operations for requirement in node.requirements)):
            if any(requirement.implementation == scripts.PROGRAM for requirement in operations):
                scripts.open_scripts(operations, lambda path: files.look(path)[0])


class Raw(NamedTuple):
    """A service template as it was read: the ``topology`` without its outputs and nodes, which are as written yet."""

    template: tosca.ServiceTemplate
    topology: Topology
    reading: Reading
    types: Types
    nodes: dict[str, RawNode]


def _fixes(problem: Problem, types: Types) -> bool:
    """True for the value that a type of TOSCA 2.0 fixes for a property, which other versions do not know."""
    section, type, key, name, *inner = [*problem.path, *[None] * 4][: max(4, len(problem.path))]
    if section not in TYPE_SECTIONS or key != "properties" or inner not in ([], ["value"]):
        return False
    return "value" in types.properties(str(section), str(type)).get(str(name), ({}, ()))[0]


def read_template(document: Document, reporter: Reporter, files: Files, *, forgives: bool = False) -> Raw:
    """A service template with the types of its imports, before it is put into neutral words. Errors that engines
    would refuse are reported; an import that is not read is an info with ``forgives`` where all types are known."""
    combined = combine(document, files, reporter)
    types = Types(combined.data, combined.standard, combined.complete)
    is_known = forgives and bool(combined.unread or combined.remote) and are_known(combined.data, types)
    combined.report(reporter, is_known=is_known)
    findings = PlacedFindings(reporter, NAMES, combined)
    written = with_copies(combined.data)
    kind = version(written.get("tosca_definitions_version"))
    expanded = counts.expand(written, kind.prefix)
    combined.data = expanded.data
    combined.copies = {
        ("node_templates", instance): ("node_templates", row) for instance, row in expanded.copies.items()
    }
    template, problems = validate(tosca.ServiceTemplate, combined.data)
    used = used_types(combined.data, types) if problems and forgives else set()
    for problem in problems:
        if kind.prefix and _fixes(problem, types):
            continue
        code = "BPC120" if problem.removed else "BPC121"
        imported = problem.path[:1] in [(section,) for section in TYPE_SECTIONS] and combined.origin(problem.path)
        idle = forgives and imported and problem.path[1:2] and problem.path[1] not in used
        findings.report("BPC897" if idle else code, problem.path, problem=problem.text)
    name = template.tosca_definitions_version
    counts.report(expanded, findings)
    if not kind.known:
        takers = f"only {kind.engine} takes" if kind.engine else "no engine takes"
        findings.report("BPC850", ("tosca_definitions_version",), version=name, like=kind.like, takers=takers)
    inner = next((body for body in BODIES if "description" in entries(combined.data, body)), BODIES[0])
    description = template.description or entries(combined.data, inner).get("description")
    topology = Topology(DIALECT, name or "", description)
    topology.features = findings.features
    reading = Reading(topology, template, findings, kind.prefix, combined, files)
    types = Types(combined.data, combined.standard, combined.complete)
    for name, declared in template.inputs.items():
        topology.inputs[name] = read_input(declared, reading, name, types)
    nodes = NodeReader(template, types, reading).nodes()
    if not combined.complete:
        topology.unread = {name for name, node in nodes.items() if node.type and not types.is_known(NODE, node.type)}
    return Raw(template, topology, reading, types, nodes)


def with_copies(data: dict[str, Any]) -> dict[str, Any]:
    """``data`` with everything that templates copy of others in them; maps are merged, other values are replaced by
    their own (Simple Profile 1.3, 3.8.3, ``copy``; puccini). ``data`` itself where there is no copy."""
    copied = data
    for section in ("node_templates", "relationship_templates"):
        rows = entries(data, section)
        copies = {name for name, row in rows.items() if isinstance(row, dict) and "copy" in row}
        if copies:
            copied = {**copied, section: {name: _copied(rows, name) if name in copies else rows[name] for name in rows}}
    return copied


def _copied(rows: dict[Any, Any], name: Any) -> dict[Any, Any]:
    seen: list[Any] = []
    copied: dict[Any, Any] = {}
    while isinstance(name, str) and name not in seen and isinstance(row := rows.get(name), dict):
        seen.append(name)
        copied = _merged(row, copied)
        name = row.get("copy")
    copied.pop("copy", None)
    return copied


def _merged(first: dict[Any, Any], second: dict[Any, Any]) -> dict[Any, Any]:
    """``first`` with what ``second`` has in other words."""
    merged = {**first, **second}
    for key in first.keys() & second.keys():
        if isinstance(first[key], dict) and isinstance(second[key], dict):
            merged[key] = _merged(first[key], second[key])
    return merged


def _output(name: str, output: tosca.Output, reading: Reading) -> Output:
    path: Path = ("outputs", name)
    more = reading.kept_entry("outputs", name)
    value = reading.value(output.value, (*path, "value"), more.get("value"))
    read_output = Output(name, value, output.description, path=path)
    if "condition" in more:
        read_output.condition = reading.kept_value(more["condition"], path)
    extra = reading.kept_value(more.get("extra", {}), path)
    read_output.extra = extra if extra is not MISSING else {}
    return read_output
