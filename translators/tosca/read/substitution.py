"""Nodes for which the topology of an imported document stands (Simple Profile 1.3, 3.8.13; TOSCA 2.0, 15).

Properties of the node are inputs of the topology: those that its mappings lead to, else those of the same name. A
mapping to a value is one that the property has to have. Attributes are outputs, mapped ones are read from the nodes
inside."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.topology import Node, Output, Topology
from bpconvert.translators.support.places import entries, items
from bpconvert.translators.tosca.read import tacker
from bpconvert.translators.tosca.read.imports import ImportedTopology
from bpconvert.translators.tosca.read.raw import RawNode
from bpconvert.translators.tosca.read.reading import Reading
from bpconvert.translators.tosca.read.types import NODE, Types

_SECTION: Final = "substitution_mappings"
#: the directive for a node that a topology stands for, as it is called since 1.3, and before
DIRECTIVES: Final = ("substitute", "substitutable")
#: the property that names the deployment flavour of a VNF (ETSI GS NFV-SOL 001, 6.11.1)
_FLAVOUR: Final = "flavour_id"


def asks(raw: RawNode) -> bool:
    """True for a node template that is to be substituted."""
    return any(one in raw.directives for one in DIRECTIVES)


def topology_for(
    raw: RawNode, node: Node, types: Types, reading: Reading, topologies: list[ImportedTopology]
) -> ImportedTopology | None:
    """The imported topology that stands for a node: for one that asks for it, and for one of which nothing
    else is known. None where there is none, or it is not known which; for a node that asks, that is reported."""
    if not asks(raw) and (node.kind is not None or raw.operations):
        return None
    known = [one for one in topologies if raw.ancestry[0] in types.ancestry(NODE, one.type)]
    given = {name: _given(name, value, reading) for name, value in raw.properties.items()}
    found = [one for one in known if _fits(one, given)]
    if len(found) == 1:
        chosen = [name for name in _fixed_in(found[0]) if given.get(name, MISSING) != raw.properties.get(name, MISSING)]
        for name in chosen:
            others = dict.fromkeys(str(_fixed_in(one)[name]) for one in known if name in _fixed_in(one))
            words = {"node": raw.name, "name": name, "value": given[name], "all": ", ".join(others)}
            reading.findings.report("BPC950", (*raw.path, "properties", name), **words)
        return found[0]
    why = f"{', '.join(one.file for one in found)} can stand for it" if found else "no imported document stands for it"
    if known and not found:
        why = f"its properties are not those of {', '.join(one.file for one in known)}"
    if asks(raw) or known:
        place: Path = (*raw.path, "directives" if raw.directives else "type")
        reading.findings.report("BPC893", place, node=raw.name, type=raw.type, why=why)
    return None


def _given(name: str, value: Value, reading: Reading) -> Value:
    """The value of a property that decides which topology stands for its node: of an input, the default; of the
    flavour, the one that is chosen."""
    if name == _FLAVOUR and reading.files.flavour is not None:
        return reading.files.flavour
    if isinstance(value, ex.Input) and isinstance(value.name, str) and not value.keys:
        declared = reading.topology.inputs.get(value.name)
        return value if declared is None or declared.default is MISSING else declared.default
    return value


def _fits(topology: ImportedTopology, given: Mapping[str, Value]) -> bool:
    """True where a node with the properties ``given`` has the values that the mappings of a topology ask for."""
    if topology.body[_SECTION].get("substitution_filter") is not None:
        return False
    return all(name not in given or given[name] == value for name, value in _fixed_in(topology).items())


def _fixed_in(topology: ImportedTopology) -> dict[str, Any]:
    """The values that the mappings of a topology ask for, by their properties."""
    mapped = entries(topology.body[_SECTION], "properties")
    fixed = {name: value for name, value in mapped.items() if _input(value, topology.body) is None}
    return {name: one["value"] if isinstance(one, dict) and "value" in one else one for name, one in fixed.items()}


def _input(mapping: Any, body: Mapping[str, Any]) -> str | None:
    """The input that a mapping of a property leads to; None for a value."""
    if isinstance(mapping, dict) and isinstance(mapping.get("mapping"), list):
        mapping = mapping["mapping"]
    if isinstance(mapping, list) and len(mapping) == 1 and isinstance(mapping[0], str):
        return mapping[0]
    return mapping if isinstance(mapping, str) and mapping in entries(body, "inputs") else None


def become(node: Node, raw: RawNode, topology: ImportedTopology, reading: Reading) -> None:
    """Let the properties of a node be the inputs of the topology that stands for it."""
    mapped = entries(topology.body[_SECTION], "properties")
    leads = {name: found for name, value in mapped.items() if (found := _input(value, topology.body)) is not None}
    inputs = entries(topology.body, "inputs")
    leads |= {name: name for name in inputs if name not in mapped and name not in leads.values()}
    values: dict[str, Value] = {name: value for name, value in _fixed_in(topology).items() if name in inputs}
    places: dict[Path, Path] = {}
    for name, value in raw.declared.items():
        if name in mapped and name not in leads:
            if name in raw.properties:
                place, why = (*raw.path, "properties", name), f"'{topology.file}' stands for nodes that have it"
                reading.findings.report("BPC147", place, what=f"'{name}' of '{raw.name}'", why=why)
        elif (name in leads or name in raw.properties) and value is not None:
            values[leads.get(name, name)] = value
            places[leads.get(name, name),] = (*raw.path, "properties", name) if name in raw.properties else raw.path
    if reading.files.orchestrator == tacker.NAME and not reading.files.inner:
        reading.findings.report("BPC783", raw.path, node=raw.name, file=topology.file)
    node.shows, node.kind, node.source_type, node.role, node.host = None, None, topology.file, "", None
    node.properties, node.origins = values, places
    for path, name in _inside(raw, topology):
        why = f": what it leads to is inside of '{topology.file}'"
        reading.findings.report("BPC810", path, name=name, node=raw.name, why=why)
    raw.operations.clear()


def _inside(raw: RawNode, topology: ImportedTopology) -> Iterator[tuple[Path, str]]:
    """The requirements of a node that nodes of the topology have, and its operations."""
    given = topology.body[_SECTION].get("requirements")
    rows = [given] if isinstance(given, dict) else [row for row in items(given) if isinstance(row, dict)]
    names = {name for row in rows for name in row}
    yield from ((one.path, one.name) for one in raw.requirements if one.name in names and one.target is not None)
    yield from ((one.path, f"{one.interface}.{one.name}") for one in raw.operations)


def report_unused(topologies: list[ImportedTopology], used: set[str], reading: Reading) -> None:
    """Report the imported topologies that stand for no node."""
    for one in topologies:
        if one.file not in used:
            reading.findings.report("BPC851", one.place, name=one.file)


def add_attributes(topology: Topology, mappings: Any, reading: Reading) -> None:
    """The attributes that the mappings of a document read from its nodes are outputs for the one that nests it."""
    for name, target in entries(mappings, "attributes").items():
        if isinstance(target, list) and len(target) > 1 and name not in topology.outputs:
            path: Path = (_SECTION, "attributes", name)
            call = {f"{reading.prefix}get_attribute": target}
            topology.outputs[name] = Output(name, reading.value(call, path), path=path)
