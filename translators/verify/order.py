"""What waits for what, as the engines have it.

Heat orders by references, by ``depends_on``, and by what its resource classes add (:mod:`implicit`). Cloudify orders
by relationships alone: what a relationship does (attach a volume, connect a subnet to a router) is done in the
installation of its source, whose dependents wait until all of it is done (cloudify/plugins/lifecycle.py).
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any

from bpconvert.models import expressions as ex
from bpconvert.models.topology import Node
from bpconvert.translators.comparing.model import Side
from bpconvert.translators.hot import implicit_order
from bpconvert.translators.verify import scaled


def waits(side: Side) -> dict[str, set[str]]:
    """Node -> those that it waits for. A group is its members, and each waits for what the group waits for."""
    said = _of_heat(side) if side.topology.dialect == "hot" else _of_cloudify(side)
    found = {side.named(name): {side.named(target) for target in targets} for name, targets in said.items()}
    for group, members in side.groups.items():
        name = side.named(group)
        targets = found.get(name, set())
        for member in members:
            own = scaled.same_instance(side, group, member, targets)
            found[side.named(member)] = own | found.get(side.named(member), set())
        found[name] = targets | {side.named(member) for member in members}
    return found


def referred(node: Node) -> set[str]:
    """The nodes that a node refers to, or says that it depends on."""
    found = {
        expr.node
        for expr in ex.walk([node.properties, node.extra.get("metadata"), [o.inputs for o in node.operations]])
        if isinstance(expr, (ex.Identity, ex.Attribute)) and isinstance(expr.node, str)
    }
    return (found | set(node.awaited)) - {node.name}


# -- Heat ---------------------------------------------------------------------------------------------------


def _of_heat(side: Side) -> dict[str, set[str]]:
    nodes = side.topology.nodes
    interfaces = [node for node in nodes.values() if node.kind == "router_interface"]
    subnets = {node.name: node.properties.get("subnet") for node in interfaces}
    part_of = {name: subnet.node for name, subnet in subnets.items() if isinstance(subnet, ex.Identity)}
    added = list(implicit_order.edges(side.topology, part_of))
    if side.graph is None:
        found = {name: referred(node) for name, node in nodes.items()}
        for source, target in added:
            found[source].add(target)
        return found
    return {name: _meant(side, name, targets, added) for name, targets in side.graph.items()}


def _meant(side: Side, name: str, targets: set[str], added: list[tuple[str, str]]) -> set[str]:
    """``targets`` without the subnets that a server only waits for because Heat does not look up the network of a port
    that the server is given (``add_dependencies`` in heat/engine/resources/openstack/nova/server.py)."""
    nodes = side.topology.nodes
    if name not in nodes or nodes[name].kind != "server":
        return targets
    written = (side.original or side).topology.nodes[name]
    wanted = referred(written) | {target for source, target in added if source == name}
    return {one for one in targets if one in wanted or one not in nodes or nodes[one].kind != "subnet"}


# -- Cloudify -----------------------------------------------------------------------------------------------


def _of_cloudify(side: Side) -> dict[str, set[str]]:
    nodes, templates = side.topology.nodes, side.document.data.get("node_templates")
    found = {name: referred(node) for name, node in nodes.items()}
    found |= {name: set(targets) for name, targets in (side.graph or _related(templates)).items()}
    made: dict[str, list[str]] = {}
    for node in nodes.values():
        owner = _owner(node, templates)
        if owner is not None:
            made.setdefault(owner, []).append(node.name)
    for name, targets in found.items():
        for target in list(targets):
            parts = made.get(target, [])
            if name not in parts:
                targets.update(parts)
    for names in made.values():
        _one_after_another([nodes[name] for name in names], found)
    return found


def _owner(node: Node, templates: Any) -> str | None:
    """The node template that does what ``node`` is a resource for; None for a node template itself."""
    is_part = node.path[:1] == ("node_templates",) and len(node.path) > 2 and node.name not in (templates or {})
    return str(node.path[1]) if is_part else None


def _one_after_another(parts: list[Node], found: dict[str, set[str]]) -> None:
    """What relationships of one node to different nodes do is done in their order."""
    rows = sorted((node for node in parts if node.path[2] == "relationships"), key=lambda node: node.path[3])
    for before, after in itertools.pairwise(rows):
        if before.kind == after.kind:
            found[after.name].add(before.name)


def _related(templates: Any) -> Mapping[str, set[str]]:
    """Node template -> the targets of its relationships."""
    found: dict[str, set[str]] = {}
    for name, node in templates.items() if isinstance(templates, dict) else ():
        rows = node.get("relationships") if isinstance(node, dict) else None
        maps = [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
        if isinstance(name, str):
            found[name] = {row["target"] for row in maps if isinstance(row.get("target"), str)}
    return found
