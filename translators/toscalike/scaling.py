"""Scaling groups: how many there are of what.

A node is in one group; what is contained in a member is scaled with it; a group may be a member of another one (from
dsl_parser/elements/policies.py of cloudify-common 7; TOSCA has no groups in groups).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.light import dataclass, field
from bpconvert.models.topology import Node, Topology
from bpconvert.translators.passes.expressions.choices import conjunction
from bpconvert.translators.support.text import fresh
from bpconvert.translators.toscalike.node_templates import RawNode

#: kinds of nodes that scripts run on
_HOSTS: Final = ("server", "compute")


@dataclass(eq=False, repr=False)
class RawGroup:
    """Nodes that are scaled together. ``members``: nodes and groups as written; ``counted``: where their number stands;
    ``outer``: the group that this one is in."""

    name: str
    members: list[str]
    instances: Value
    limits: tuple[Value, Value]
    counted: Path
    path: Path
    outer: str | None = None
    #: a node that is scaled by itself, with what is contained in it
    node: bool = False
    nodes: list[str] = field(default_factory=list)


class Scaling:
    """Who is scaled with whom. ``groups``: those that are scaled; ``sets``: the members of all groups;
    ``contained``: the type of the relationship to what a node is in."""

    def __init__(
        self, groups: dict[str, RawGroup], raw: Mapping[str, RawNode], sets: Mapping[str, Sequence[str]], contained: str
    ) -> None:
        self.groups = groups
        self.raw = raw
        self.sets = sets
        self.contained = contained

    def settled(self) -> dict[str, RawGroup]:
        """Give every node its group, and take the groups of a single node away."""
        for group in list(self.groups.values()):
            self._members(group, group.members, set())
        hosts = self._hosts()
        for name, node in self.raw.items():
            if name in hosts.values() and (node.instances is not MISSING or node.limits[1] is not MISSING):
                self._by_itself(node)
        for name in self.raw:
            self._contained(name, hosts)
        for name, group in list(self.groups.items()):
            group.nodes = [node.name for node in self.raw.values() if node.group == name]
            inner = [other for other in self.groups.values() if other.outer == name]
            if len(group.nodes) == 1 and not inner and not group.node:
                self._single(group, self.raw[group.nodes[0]])
        return self.groups

    def _members(self, group: RawGroup, names: Sequence[str], seen: set[str]) -> None:
        for name in names:
            if name in self.groups:
                if self.groups[name].outer is None and not _is_inside(group.name, name, self.groups):
                    self.groups[name].outer = group.name
            elif name in self.raw:
                self.raw[name].group = self.raw[name].group or group.name
            elif name in self.sets and name not in seen:
                seen.add(name)
                self._members(group, self.sets[name], seen)

    def _hosts(self) -> dict[str, str]:
        """Node -> the one that it is contained in."""
        hosts: dict[str, str] = {}
        for name, node in self.raw.items():
            for relationship in node.relationships:
                if self.contained in relationship.ancestry and relationship.target in self.raw:
                    hosts.setdefault(name, relationship.target)
        return hosts

    def _by_itself(self, node: RawNode) -> None:
        """A node with a number of instances of its own, in which others are contained: they are scaled with it."""
        name = fresh(f"{node.name}_group", {*self.raw, *self.sets, *self.groups})
        instances = 1 if node.instances is MISSING else node.instances
        counted = node.counted or node.path
        group = RawGroup(name, [node.name], instances, node.limits, counted, node.path, node.group, node=True)
        node.instances, node.limits, node.group, node.counted = MISSING, (MISSING, MISSING), name, ()
        self.groups[name] = group

    def _contained(self, name: str, hosts: dict[str, str]) -> None:
        """A node is in the group of what it is contained in."""
        node, seen, host = self.raw[name], {name}, hosts.get(name)
        while node.group is None and host is not None and host not in seen:
            seen.add(host)
            node.group, host = self.raw[host].group, hosts.get(host)

    def _single(self, group: RawGroup, node: RawNode) -> None:
        """The number of a group is that of its only node, unless this has one of its own."""
        if node.instances is not MISSING or node.limits[1] is not MISSING:
            return
        outer = group.outer
        node.instances, node.limits, node.counted = group.instances, group.limits, group.counted
        node.group, node.scaling_group = outer, group.name
        del self.groups[group.name]


# -- the groups of the topology -----------------------------------------------------------------------------


def add_groups(topology: Topology, groups: dict[str, RawGroup], raw: dict[str, RawNode]) -> None:
    """A node for each group of ``topology``, before its first member. So is a server whose scripts run on each of
    its instances."""
    for node in list(topology.nodes.values()):
        scaled = (node.instances is not MISSING and node.instances != 1) or node.limits[1] is not MISSING
        if scaled and node.operations and node.kind in _HOSTS and node.external_name is MISSING:
            wanted = raw[node.name].scaling_group if node.name in raw else None
            name = fresh(wanted or f"{node.name}_group", {*topology.nodes, *groups})
            counted = node.origins.pop(("instances",), node.path)
            instances = 1 if node.instances is MISSING else node.instances
            groups[name] = RawGroup(name, [node.name], instances, node.limits, counted, counted[:2], node.group)
            node.instances, node.limits, node.group = MISSING, (MISSING, MISSING), name
    for name in list(groups):
        has_nodes = any(node.group == name for node in topology.nodes.values())
        if not has_nodes and not any(group.outer == name for group in groups.values()):
            del groups[name]
    for name, group in groups.items():
        _add(topology, name, group, groups)


def _add(topology: Topology, name: str, group: RawGroup, groups: dict[str, RawGroup]) -> None:
    inside = [node for node in topology.nodes.values() if _is_inside(node.group, name, groups)]
    if not inside or name in topology.nodes:
        return
    group_node = Node(name, "", None, path=group.path, group=group.outer)
    group_node.instances, group_node.limits, group_node.is_group = group.instances, group.limits, True
    group_node.origins["instances",] = group.counted
    ordered: dict[str, Node] = {}
    for node in topology.nodes.values():
        if node is inside[0]:
            ordered[name] = group_node
        ordered[node.name] = node
    topology.nodes.clear()
    topology.nodes.update(ordered)


def join_groups(topology: Topology) -> None:
    """A group of which one node is left (the others are part of it now) is that node's number of instances."""
    for group in [node for node in topology.nodes.values() if node.is_group]:
        inside = [node for node in topology.nodes.values() if node.group == group.name]
        node = inside[0] if len(inside) == 1 else group
        if node.is_group or node.is_scaled or (node.operations and node.kind in _HOSTS):
            continue
        conditions = [condition for condition in (group.condition, node.condition) if condition is not MISSING]
        node.condition = conjunction(*conditions) if conditions else MISSING
        node.instances, node.limits, node.group = group.instances, group.limits, group.group
        if node.instances == 1 and node.limits[1] is MISSING:
            node.instances = MISSING
        node.origins["instances",] = group.origins["instances",]
        del topology.nodes[group.name]


def _is_inside(group: str | None, name: str, groups: dict[str, RawGroup]) -> bool:
    while group is not None and group != name:
        group = groups[group].outer if group in groups else None
    return group is not None
