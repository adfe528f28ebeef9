"""Nodes of which there are several as members of groups that a policy scales."""

from __future__ import annotations

from typing import Final

from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.topology import Group, Node, Topology
from bpconvert.translators.passes.request import Request
from bpconvert.translators.support.text import fresh

_GROUP: Final = "_group"
_POLICY: Final = "_scaling"


def to_members(topology: Topology, request: Request) -> Topology:
    """Let each node of which there are several, and the nodes in each group, be members of one of
    :attr:`Topology.groups`."""
    for node in list(topology.nodes.values()):
        if node.is_group:
            del topology.nodes[node.name]
            inside = [other for other in topology.nodes.values() if other.group == node.name]
            _add(topology, node, inside)
        elif node.is_scaled and (node.kind is not None or node.role):
            _add(topology, node, [node])
        elif node.is_scaled:
            place = node.origins.get(("instances",), node.path)
            request.reporter.report("BPC382", place, name=node.name)
        node.instances, node.limits = MISSING, (MISSING, MISSING)
    return topology


def _add(topology: Topology, node: Node, inside: list[Node]) -> None:
    """A group with the numbers of ``node``. What is contained in a member is scaled with it."""
    names = {one.name for one in inside}
    members = [one.name for one in inside if one.host not in names]
    if not members:
        return
    base = node.name.removesuffix(_GROUP) if node.is_group else node.name
    taken = {*topology.nodes, *topology.groups, *(group.policy for group in topology.groups.values())}
    name = fresh(f"{base}{_GROUP}", taken)
    place = node.origins.get(("instances",), node.path)
    sizes = {"count": node.instances, "least": node.limits[0], "most": node.limits[1]}
    given: dict[str, Value] = {key: value for key, value in sizes.items() if value is not MISSING}
    origins: dict[str, Path] = dict.fromkeys(given, place)
    topology.groups[name] = Group(members, given, origins, fresh(f"{base}{_POLICY}", {*taken, name}))
    for one in inside:
        one.group = name
