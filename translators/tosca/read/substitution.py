"""Nodes for which the topology of an imported document stands (Simple Profile 1.3, 3.8.13; TOSCA 2.0, 15).

Properties of the node are inputs of the topology: those that its mappings lead to, else those of the same name. A
mapping to a value is one that the property has to have. Attributes are outputs, mapped ones are read from the nodes
inside."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from typing import Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.light import replace
from bpconvert.models.topology import Input, Node, Output, Topology
from bpconvert.translators.support.places import entries, items
from bpconvert.translators.tosca.read import networks, tacker
from bpconvert.translators.tosca.read.imports import ImportedTopology
from bpconvert.translators.tosca.read.making import NETWORKS
from bpconvert.translators.tosca.read.raw import RawNode
from bpconvert.translators.tosca.read.reading import Reading
from bpconvert.translators.tosca.read.structures import Structures
from bpconvert.translators.tosca.read.types import NODE, Types

_SECTION: Final = "substitution_mappings"
#: the directive for a node that a topology stands for, as it is called since 1.3, and before
DIRECTIVES: Final = ("substitute", "substitutable")
#: the property that names the deployment flavour of a VNF (ETSI GS NFV-SOL 001, 6.11.1)
_FLAVOUR: Final = "flavour_id"


def asks(raw: RawNode) -> bool:
    """True for a node template that is to be substituted."""
    return any(directive in raw.directives for directive in DIRECTIVES)


def topology_for(
    raw: RawNode, node: Node, types: Types, reading: Reading, topologies: list[ImportedTopology]
) -> ImportedTopology | None:
    """The imported topology that stands for a node: for one that asks for it, and for one of which nothing
    else is known. None where there is none, or it is not known which; for a node that asks, that is reported."""
    if not asks(raw) and (node.kind is not None or raw.operations):
        return None
    candidates = [topology for topology in topologies if raw.ancestry[0] in types.ancestry(NODE, topology.type)]
    properties = {name: _value_of(name, value, reading) for name, value in raw.properties.items()}
    fitting = [topology for topology in candidates if _fits(topology, properties)]
    if len(fitting) == 1:
        chosen = [
            name for name in _fixed_in(fitting[0]) if properties.get(name, MISSING) != raw.properties.get(name, MISSING)
        ]
        for name in chosen:
            others = dict.fromkeys(
                str(_fixed_in(topology)[name]) for topology in candidates if name in _fixed_in(topology)
            )
            words = {"node": raw.name, "name": name, "value": properties[name], "all": ", ".join(others)}
            reading.findings.report("BPC950", (*raw.path, "properties", name), **words)
        return fitting[0]
    why = (
        f"{', '.join(topology.file for topology in fitting)} can stand for it"
        if fitting
        else "no imported document stands for it"
    )
    if candidates and not fitting:
        why = f"its properties are not those of {', '.join(topology.file for topology in candidates)}"
    if asks(raw) or candidates:
        place: Path = (*raw.path, "directives" if raw.directives else "type")
        reading.findings.report("BPC893", place, node=raw.name, type=raw.type, why=why)
    return None


def _value_of(name: str, value: Value, reading: Reading) -> Value:
    """The value of a property that decides which topology stands for its node: of an input, the default; of the
    flavour, the one that is chosen."""
    if name == _FLAVOUR and reading.files.flavour is not None:
        return reading.files.flavour
    if isinstance(value, ex.Input) and isinstance(value.name, str) and not value.keys:
        declared = reading.topology.inputs.get(value.name)
        return value if declared is None or declared.default is MISSING else declared.default
    return value


def _fits(topology: ImportedTopology, properties: Mapping[str, Value]) -> bool:
    """True where a node with the properties ``properties`` has the values that the mappings of a topology ask for."""
    if topology.body[_SECTION].get("substitution_filter") is not None:
        return False
    return all(name not in properties or properties[name] == value for name, value in _fixed_in(topology).items())


def _fixed_in(topology: ImportedTopology) -> dict[str, Any]:
    """The values that the mappings of a topology ask for, by their properties."""
    mapped = entries(topology.body[_SECTION], "properties")
    fixed = {name: value for name, value in mapped.items() if _input(value, topology.body) is None}
    return {name: row["value"] if isinstance(row, dict) and "value" in row else row for name, row in fixed.items()}


def _input(mapping: Any, body: Mapping[str, Any]) -> str | None:
    """The input that a mapping of a property leads to; None for a value."""
    if isinstance(mapping, dict) and isinstance(mapping.get("mapping"), list):
        mapping = mapping["mapping"]
    if isinstance(mapping, list) and len(mapping) == 1 and isinstance(mapping[0], str):
        return mapping[0]
    return mapping if isinstance(mapping, str) and mapping in entries(body, "inputs") else None


def become(
    node: Node, raw: RawNode, topology: ImportedTopology, types: Types, nodes: Mapping[str, Node], reading: Reading
) -> None:
    """Let the properties of a node be the inputs of the topology that stands for it, and the networks that it requires
    those of the ports inside. ``nodes``: the others of its document."""
    mapped = entries(topology.body[_SECTION], "properties")
    leads = {
        name: input_name for name, value in mapped.items() if (input_name := _input(value, topology.body)) is not None
    }
    inputs = entries(topology.body, "inputs")
    leads |= {name: name for name in inputs if name not in mapped and name not in leads.values()}
    structures = Structures(types, reading)
    values: dict[str, Value] = {name: value for name, value in _fixed_in(topology).items() if name in inputs}
    places: dict[Path, Path] = {}
    for name, value in raw.declared.items():
        if name in mapped and name not in leads:
            if name in raw.properties:
                place, why = (*raw.path, "properties", name), f"'{topology.file}' stands for nodes that have it"
                reading.findings.report("BPC147", place, what=f"'{name}' of '{raw.name}'", why=why)
        elif name not in leads and name in raw.properties and name in types.properties(NODE, raw.ancestry[0]):
            why = f"'{topology.file}' has no input for it"
            what, place = f"'{name}' of '{raw.name}'", (*raw.path, "properties", name)
            if _is_several(value):
                reading.findings.report("BPC810", place, name=name, node=raw.name, why=f": {why}")
            else:
                reading.findings.report("BPC147", place, what=what, why=why)
        elif (name in leads or name in raw.properties) and value is not None:
            values[leads.get(name, name)] = structures.of_property(NODE, raw.ancestry[0], name, value)
            places[leads.get(name, name),] = (*raw.path, "properties", name) if name in raw.properties else raw.path
    if reading.files.orchestrator == tacker.NAME and not reading.files.inner:
        reading.findings.report("BPC783", raw.path, node=raw.name, file=topology.file)
    node.shows, node.kind, node.source_type, node.role, node.host = None, None, topology.file, "", None
    linked = _link(node, raw, topology, nodes)
    values |= {linked[path]: ex.Identity(target, path=path) for path, target in _targets(raw, linked)}
    places |= {(name,): path for path, name in linked.items()}
    node.properties, node.origins = values, places
    for path, name in _inside(raw, topology, linked):
        why = f": what it leads to is inside of '{topology.file}'"
        reading.findings.report("BPC810", path, name=name, node=raw.name, why=why)
    raw.operations.clear()


def _is_several(profile: Value) -> bool:
    """True for the profile of a function of which there may be several (ETSI GS NFV-SOL 001, 6.2.19)."""
    return isinstance(profile, dict) and any(
        profile.get(f"{end}_number_of_instances", 1) != 1 for end in ("min", "max")
    )


def _requirements(topology: ImportedTopology) -> dict[str, Any]:
    """The requirements that the mappings of a topology lead to nodes inside."""
    written = topology.body[_SECTION].get("requirements")
    rows = [written] if isinstance(written, dict) else [row for row in items(written) if isinstance(row, dict)]
    return {name: target for row in rows for name, target in row.items()}


def _link(node: Node, raw: RawNode, topology: ImportedTopology, nodes: Mapping[str, Node]) -> dict[Path, str]:
    """Place of a requirement for a network -> the input of the nested document that asks for the network of the port
    which has it inside; that is one that this document gives then."""
    nested, linked = node.nested, dict[Path, str]()
    if nested is None:
        return linked
    for requirement in raw.requirements:
        mapped, target = _requirements(topology).get(requirement.name), nodes.get(requirement.target or "")
        mapped = mapped.get("mapping") if isinstance(mapped, dict) else mapped
        inside, *words = mapped if isinstance(mapped, list) else [None]
        name = networks.asked_network(str(inside))
        is_network = target is not None and target.kind in NETWORKS
        if is_network and words and words[0] in networks.LINKS and name in nested.needed:
            linked[requirement.path] = name
    if linked:
        needed = {name: row for name, row in nested.needed.items() if name not in linked.values()}
        inputs = {name: Input(name, "string") for name in linked.values()}
        node.nested = replace(
            nested,
            needed=needed,
            inputs={**nested.inputs, **inputs},
            names={**nested.names, **{name: name for name in inputs}},
            types={**nested.types, **dict.fromkeys(linked.values(), "string")},
        )
    return linked


def _targets(raw: RawNode, places: Mapping[Path, str]) -> Iterator[tuple[Path, str]]:
    """Of requirements, the nodes that fulfil them."""
    for requirement in raw.requirements:
        if requirement.path in places and requirement.target is not None:
            yield requirement.path, requirement.target


def _inside(raw: RawNode, topology: ImportedTopology, linked: Container[Path]) -> Iterator[tuple[Path, str]]:
    """The requirements of a node that nodes of the topology have, but for those that are ``linked``, and its
    operations."""
    names = _requirements(topology)
    yield from (
        (requirement.path, requirement.name)
        for requirement in raw.requirements
        if requirement.name in names and requirement.target is not None and requirement.path not in linked
    )
    yield from ((operation.path, f"{operation.interface}.{operation.name}") for operation in raw.operations)


def report_unused(topologies: list[ImportedTopology], used: set[str], reading: Reading) -> None:
    """Report the imported topologies that stand for no node."""
    for topology in topologies:
        if topology.file not in used:
            reading.findings.report("BPC851", topology.place, name=topology.file)


def add_attributes(topology: Topology, mappings: Any, reading: Reading) -> None:
    """The attributes that the mappings of a document read from its nodes are outputs for the one that nests it."""
    for name, target in entries(mappings, "attributes").items():
        if isinstance(target, list) and len(target) > 1 and name not in topology.outputs:
            path: Path = (_SECTION, "attributes", name)
            call = {f"{reading.prefix}get_attribute": target}
            topology.outputs[name] = Output(name, reading.value(call, path), path=path)
