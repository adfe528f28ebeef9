"""What of node and relationship templates has no neutral form, and nobody else reports."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from bpconvert.models.expressions import Path
from bpconvert.models.plain import tosca
from bpconvert.models.topology import Topology
from bpconvert.translators.support.places import inside, items
from bpconvert.translators.tosca import template_metadata
from bpconvert.translators.tosca.interfaces import assigned
from bpconvert.translators.tosca.read.counts import is_counted, is_several
from bpconvert.translators.tosca.read.raw import RawNode, RawRequirement
from bpconvert.translators.tosca.read.reading import PlacedFindings

_READERS: Final = "it is for readers"
#: key of an artifact -> why it is not converted; others are for readers
_ARTIFACTS: Final = {
    "repository": "files are looked for beside the document",
    "deploy_path": "nothing is put there",
    "checksum": "nobody compares it",
    "checksum_algorithm": "nobody compares it",
}
#: keys of an output that have a reader, or that its value shows
_OUTPUT: Final = frozenset({"value", "description", "type", "entry_schema", "key_schema"})
#: relationships whose properties have a reader
_READ: Final = ("tosca.relationships.AttachesTo",)


def report_left(
    topology: Topology, template: tosca.ServiceTemplate, raw: Mapping[str, RawNode], findings: PlacedFindings
) -> None:
    """Report, at its place, what is left of the templates."""
    for name, node in raw.items():
        written = template.node_templates[name]
        if written.description is not None:
            _report(findings, "BPC147", (*node.path, "description"), _READERS)
        if is_several(written.count) and not (name in topology.nodes and is_counted(topology.nodes[name])):
            _report(findings, "BPC854", (*node.path, "count"), "there is one node of this template")
        _without_operations(topology, node, findings)
        for path, why in _idle(node, written):
            if why:
                findings.report("BPC831", path, name=".".join(map(str, path[3:])), node=name, why=why)
            else:
                _report(findings, "BPC147", path, "it has no implementation")
        for artifact in node.artifacts.values():
            for key in artifact.extra if artifact.path[:2] == node.path else ():
                why = _ARTIFACTS.get(key, _READERS)
                _report(findings, "BPC147" if why == _READERS else "BPC854", (*artifact.path, key), why)
        for requirement in node.requirements:
            _requirement(requirement, template, findings)
    for name, output in template.outputs.items():
        for key in output.model_fields_set - _OUTPUT:
            _report(findings, "BPC147", ("outputs", name, key), "an output is its value")
    _relationships(template, raw, findings)
    _groups(template, findings)
    _descriptions(template, findings)


def _groups(template: tosca.ServiceTemplate, findings: PlacedFindings) -> None:
    """Report groups that only policies without an effect have as a target."""
    targeted: dict[str, list[bool]] = {}
    for index, row in enumerate(items(template.policies)):
        for name, policy in row.items() if isinstance(row, dict) else ():
            for target in items(policy.get("targets")) if isinstance(policy, dict) else ():
                if isinstance(target, str):
                    targeted.setdefault(target, []).append(("policies", index, name) in findings.reported)
    for name in template.groups:
        if ("groups", name) not in findings.reported and targeted.get(name) and all(targeted[name]):
            findings.report("BPC836", ("groups", name), name=name)


def _descriptions(template: tosca.ServiceTemplate, findings: PlacedFindings) -> None:
    """Report what is for readers in policies and groups that have an effect."""
    rows: list[tuple[Path, Any]] = [(("groups", name), group.as_map()) for name, group in template.groups.items()]
    for index, entry in enumerate(items(template.policies)):
        rows += [(("policies", index, name), row) for name, row in (entry if isinstance(entry, dict) else {}).items()]
    for place, row in rows:
        for key in ("description", "metadata") if isinstance(row, dict) and place not in findings.reported else ():
            if row.get(key):
                findings.report("BPC147", (*place, key), what=f"'{key}' of '{place[-1]}'", why=_READERS)


def _without_operations(topology: Topology, raw: RawNode, findings: PlacedFindings) -> None:
    """Report a node that is software, and of which nothing runs."""
    node = topology.nodes.get(raw.name)
    if node is None or node.kind is not None or node.shows is not None or node.nested is not None:
        return
    if node.role and not node.operations:
        findings.report("BPC859", raw.path, name=raw.name, type=raw.type)


def _idle(raw: RawNode, template: tosca.NodeTemplate) -> Iterator[tuple[Path, str]]:
    """The places of operations of a template that have no implementation, and of notifications, and why they do not
    run; "" for those that have nothing at all."""
    run = {(operation.interface, operation.name) for operation in raw.operations}
    for interface, row in (template.interfaces or {}).items():
        for name, path in assigned(row):
            place = (*raw.path, "interfaces", interface, *path)
            if path[0] == "notifications":
                yield place, "nothing notifies" if _has_program(inside(row, path)) else ""
            elif (interface, name) not in run:
                yield place, "it has no implementation" if _has_program(inside(row, path)) else ""


def _has_program(operation: Any) -> bool:
    """True for an operation or a notification that names a program."""
    return (operation.get("implementation") if isinstance(operation, dict) else operation) not in (None, [], {})


def _requirement(requirement: RawRequirement, template: tosca.ServiceTemplate, findings: PlacedFindings) -> None:
    if requirement.template or any(ancestor in _READ for ancestor in requirement.ancestry):
        return
    if requirement.properties and requirement.target is not None:
        path = (*requirement.path, "relationship", "properties")
        written = template.node_templates[requirement.source].requirements
        row = next(iter(items(written)[requirement.path[3]].values()), None)
        if inside(row, ("relationship", "properties")):
            findings.report("BPC150", path, target=requirement.target)


def _relationships(template: tosca.ServiceTemplate, raw: Mapping[str, RawNode], findings: PlacedFindings) -> None:
    """Report what is left of relationship templates."""
    used = {
        requirement.template: requirement
        for node in raw.values()
        for requirement in node.requirements
        if requirement.template
    }
    for name, written in template.relationship_templates.items():
        path: Path = ("relationship_templates", name)
        requirement = used.get(name)
        if requirement is None:
            _report(findings, "BPC147", path, "no requirement names it")
            continue
        if written.description is not None:
            _report(findings, "BPC147", (*path, "description"), _READERS)
        for key in (written.metadata or {}).keys() - {template_metadata.NODE_KEY}:
            _report(findings, "BPC147", (*path, "metadata", key), _READERS)
        if written.properties and not any(ancestor in _READ for ancestor in requirement.ancestry):
            findings.report("BPC150", (*path, "properties"), target=requirement.target or requirement.wanted)


def _report(findings: PlacedFindings, code: str, path: Path, why: str) -> None:
    if not any(path[:length] in findings.reported for length in range(3, len(path) + 1)):
        findings.report(code, path, what=f"'{_path_of(path)}' of '{path[1]}'", why=why)


def _path_of(path: Path) -> Any:
    return path[-1]
