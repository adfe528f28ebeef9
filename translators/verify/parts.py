"""What a document deploys under given inputs: the nodes that exist, with their values, in one form for all dialects."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.topology import Node
from bpconvert.translators.cloudify import implicit
from bpconvert.translators.cloudify.software import CONFIGS
from bpconvert.translators.types import PropertyRule
from bpconvert.translators.verify import canonical
from bpconvert.translators.verify.effective import effective
from bpconvert.translators.verify.side import REFUSED, REFUSED_TEXT, Side, is_component

#: what a nested template or blueprint is called here
COMPONENT: Final = "component"


@dataclass(eq=False, repr=False)
class Part:
    """A node that exists. ``kind`` is its id in the catalogue, else its type; ``properties`` are plain, under neutral
    names; ``origin``: the place of a property; ``existing``: it is not created."""

    name: str
    kind: str
    properties: dict[Any, Value]
    path: Path
    origin: Callable[..., Path]
    node: Node
    existing: bool = False


class Published(NamedTuple):
    """A value that the deployment publishes."""

    value: Value
    path: Path


@dataclass(eq=False, repr=False)
class Deployment:
    """The nodes and what is published, by their names. ``waits``: any node, also one that is no part by itself -> those
    that it waits for."""

    parts: dict[str, Part] = field(default_factory=dict)
    waits: dict[str, set[str]] = field(default_factory=dict)
    outputs: dict[str, Published] = field(default_factory=dict)


def deployment(side: Side) -> Deployment:
    """What ``side`` deploys under its present inputs."""
    found = Deployment()
    for node in side.topology.nodes.values():
        if not node.is_group and node.kind not in CONFIGS and side.exists(node):
            found.parts.update((part.name, part) for part in _parts(side, node))
    found.waits = _waits(side)
    canonical.unify(found)
    for part in found.parts.values():
        part.properties = _unmarked(part.properties)
    for output in (*side.topology.capabilities.values(), *side.topology.outputs.values()):
        if side.exists(output):
            found.outputs[output.name] = Published(_unmarked(side.value(output.value)), (*output.path, "value"))
    return found


def _unmarked(value: Value) -> Value:
    """``value`` with what stands for refused values put right."""
    if isinstance(value, dict):
        return {key: _unmarked(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_unmarked(item) for item in value]
    return REFUSED if value == REFUSED_TEXT else value


def _parts(side: Side, node: Node) -> Iterator[Part]:
    """The parts that a node is: one, or its members."""
    names = side.groups.get(node.name)
    yield from (_part(side, side.nodes[name]) for name in ([node.name] if names is None else names))


def _part(side: Side, node: Node) -> Part:
    properties, kind = _properties(side, node)
    part = Part(side.named(node.name), kind, properties, node.path, node.origin, node)
    for existing, key in ((node.external_id, "id"), (node.external_name, "id")):
        if existing is not MISSING:
            part.properties, part.existing = {key: side.value(existing)}, True
    return part


def _waits(side: Side) -> dict[str, set[str]]:
    """Node -> those that it waits for. A group is its members, and each waits for what the group waits for."""
    said = side.graph or {name: _referred(node) for name, node in side.topology.nodes.items()}
    if side.graph is None and side.topology.dialect == "cloudify":
        said |= _related(side.document.data)
    found = {side.named(name): {side.named(target) for target in targets} for name, targets in said.items()}
    if side.graph is None:
        interfaces = [node for node in side.topology.nodes.values() if node.kind == "router_interface"]
        subnets = {node.name: node.properties.get("subnet") for node in interfaces}
        part_of = {name: subnet.node for name, subnet in subnets.items() if isinstance(subnet, ex.Identity)}
        for source, target in implicit.edges(side.topology, part_of) if side.topology.dialect == "hot" else ():
            found[side.named(source)].add(side.named(target))
    for group, members in side.groups.items():
        name = side.named(group)
        targets = found.get(name, set())
        found.update((side.named(member), targets | found.get(side.named(member), set())) for member in members)
        found[name] = targets | {side.named(member) for member in members}
    return found


def _related(data: Any) -> dict[str, set[str]]:
    """Node template -> the targets of its relationships: only these order."""
    templates = data.get("node_templates")
    found: dict[str, set[str]] = {}
    for name, node in templates.items() if isinstance(templates, dict) else ():
        rows = node.get("relationships") if isinstance(node, dict) else None
        maps = [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
        found[name] = {row["target"] for row in maps if isinstance(row.get("target"), str)}
    return found


def _referred(node: Node) -> set[str]:
    """The nodes that a node refers to, or says that it depends on."""
    found = {
        expr.node
        for expr in ex.walk([node.properties, node.extra.get("metadata"), [o.inputs for o in node.operations]])
        if isinstance(expr, (ex.Identity, ex.Attribute)) and isinstance(expr.node, str)
    }
    return (found | set(node.depends_on)) - {node.name}


def _properties(side: Side, node: Node) -> tuple[dict[Any, Value], str]:
    """The properties of a node as its engine computes them, with what Heat makes of them, and its kind."""
    found = side.value(node.properties)
    if not isinstance(found, dict):
        return {"": found}, node.kind or node.source_type
    if is_component(node):
        return _component(found, node.native or side.topology.dialect), COMPONENT
    return settled(side, node.kind, found), node.kind or node.source_type


def _component(properties: dict[Any, Value], dialect: str) -> dict[Any, Value]:
    """The inputs of a component."""
    for step in () if dialect == "hot" else ("resource_config", "deployment", "inputs"):
        inner = properties.get(step)
        properties = inner if isinstance(inner, dict) else {}
    return {key: item for key, item in properties.items() if item is not None}


def settled(side: Side, name: str | None, properties: dict[Any, Value]) -> dict[Any, Value]:
    """``properties`` of kind ``name`` with defaults, and without what means nothing."""
    kind = side.catalogue.kind(name)
    if kind is None or not kind.heat:
        return {key: value for key, value in properties.items() if value is not None}
    named = {key: _items(kind.properties.get(key), value) for key, value in properties.items()}
    found = effective(kind, named)
    for key, rule in kind.properties.items():
        if rule.hook == "metadata" and isinstance(found.get(key), dict):  # Heat's meta_serialize
            texts = found[key].items()
            found[key] = {
                name: part if isinstance(part, str) else json.dumps(part, default=repr) for name, part in texts
            }
        if rule.ignore and found.get(key) in rule.ignore:
            del found[key]
    return found


def _items(rule: PropertyRule | None, value: Value) -> Value:
    """The items of a list of maps under their canonical keys."""
    if rule is None or not rule.each:
        return value
    if isinstance(value, list):
        return [_items(rule, item) for item in value]
    if isinstance(value, dict):
        named = {rule.aliases.get(key, key): item for key, item in value.items() if item is not None}
        return {key: _items(rule.each.get(key), item) for key, item in named.items()}
    return value
