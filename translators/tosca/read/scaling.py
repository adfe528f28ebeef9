"""Nodes that are scaled, with what belongs to each instance: its ports, its volumes and the software on it."""

from __future__ import annotations

from functools import partial
from typing import Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Expr, Path, Value
from bpconvert.models.light import dataclass, field, rows
from bpconvert.models.topology import Node, Topology
from bpconvert.translators.support.findings import Reports
from bpconvert.translators.support.text import fresh
from bpconvert.translators.tosca.read.counts import is_counted
from bpconvert.translators.toscalike.scaling import RawGroup, add_groups

#: kinds of resources that belong to the server that they are attached to
_PARTS = ("port", "volume", "volume_attachment", "floating_ip", "floating_ip_association",
          "nova_floating_ip_association")  # fmt: skip
#: the type of what changes a number of instances, and its property with the group
SCALING_RESOURCE: Final = "OS::Heat::ScalingPolicy"
_GROUP: Final = "auto_scaling_group_id"
#: kinds of what such parts are attached to
_OWNERS = ("server", "port")


@dataclass(eq=False, repr=False)
class Scaled:
    """Nodes of which there are several. ``members``: the targets of a policy; ``name``: that of the policy;
    ``policies``: the nodes that change the number; ``renames``: a single node gets this name; ``counted``: the number
    is the ``count`` of a template; ``policy``: the policy that gives the number; ``listed``: what belongs to the
    members is among them, except software."""

    name: str
    members: list[str]
    instances: Value
    limits: tuple[Value, Value]
    path: Path
    policies: list[Node] = field(default_factory=list)
    renames: bool = False
    counted: bool = False
    policy: str = ""
    listed: bool = False


def assign_counts(topology: Topology, scaled: list[Scaled], findings: Reports, *, always: bool) -> None:
    """Give the nodes their numbers, or the group that has one. Nodes that have a number of their own, and others that
    belong to each of them, are a group as well; ``always``: single ones, too."""
    groups: dict[str, RawGroup] = {}
    targets = {name for group in scaled for name in group.members}
    for name, node in topology.nodes.items():
        if node.is_scaled and name not in targets:
            place = node.origins.get(("instances",), node.path)
            group = fresh(f"{name}_group", topology.nodes)
            scaled.append(Scaled(group, [name], node.instances, node.limits, place, counted=is_counted(node)))
    links = _Links(topology)
    for numbered in _independent(scaled, links):
        members = links.members(numbered.members, listed=numbered.listed)
        if numbered.counted:
            _report_others(topology, numbered, members, findings)
        if len(members) == 1 and not always:
            node = topology.nodes[members[0]]
            node.instances, node.limits = numbered.instances, numbered.limits
            node.origins["instances",] = numbered.path
            name = node.name
            if numbered.renames:
                _rename(topology, name, numbered.name)
                name, links = numbered.name, _Links(topology)
        else:
            name = fresh(numbered.name, topology.nodes)
            for member in members:
                node = topology.nodes[member]
                node.group, node.instances, node.limits = name, MISSING, (MISSING, MISSING)
            groups[name] = RawGroup(name, members, numbered.instances, numbered.limits, numbered.path, numbered.path)
        if numbered.policy:
            topology.group_nodes[numbered.policy] = name
        for policy in numbered.policies:
            policy.properties = ex.transform(policy.properties, partial(_to, numbered.name, name))
            policy.step = policy.step and policy.step._replace(group=name)
    add_groups(topology, groups, {})
    _refer(topology)


def _refer(topology: Topology) -> None:
    """Let what scales a group and has the name of its policy refer to the node that the group is."""
    for node in topology.nodes.values():
        shows = node.shows
        properties = node.properties.get(shows.properties) if shows is not None else None
        if shows is None or not isinstance(properties, dict) or node.properties.get(shows.type) != SCALING_RESOURCE:
            continue
        group = topology.group_nodes.get(properties[_GROUP]) if isinstance(properties.get(_GROUP), str) else None
        if group in topology.nodes:
            identity = ex.Identity(group, path=node.origin(shows.properties, _GROUP))
            node.properties[shows.properties] = {**properties, _GROUP: identity}


def _independent(scaled: list[Scaled], links: _Links) -> list[Scaled]:
    """``scaled`` without nodes that have the number of another one that they belong to."""
    belongs = [(other, links.members(other.members)) for other in scaled if other.counted]

    def is_inside(group: Scaled) -> bool:
        return any(
            other is not group and group.instances == other.instances and set(group.members) < set(members)
            for other, members in belongs
        )

    return [group for group in scaled if not (group.counted and is_inside(group))]


def _report_others(topology: Topology, group: Scaled, members: list[str], findings: Reports) -> None:
    """Report the members of a group of which the template has another number. Parts of a member have no template."""
    paths = {topology.nodes[name].path[:2] for name in group.members}
    for name in members:
        node = topology.nodes[name]
        if node.path[:2] not in paths and not is_counted(node):
            paths.add(node.path[:2])
            findings.report("BPC862", node.path, name=name, of=group.members[0])


def _to(old: str, new: str, expr: Value) -> Value:
    """``expr``, of node ``new`` where it is the identity of ``old``."""
    if isinstance(expr, ex.Identity) and expr.node == old:
        return ex.Identity(new, path=expr.path)
    return expr


class _Links:
    """What belongs to what in a topology, looked up once for all groups."""

    def __init__(self, topology: Topology) -> None:
        self._places = {name: place for place, name in enumerate(topology.nodes)}
        #: node -> the nodes that its values name, and that name it
        self._uses = {name: set(ex.named_nodes(node.properties)) for name, node in topology.nodes.items()}
        self._users: dict[str, set[str]] = {}
        for name, used in self._uses.items():
            for name_used in used:
                self._users.setdefault(name_used, set()).add(name)
        self._parts = {name for name, node in topology.nodes.items() if node.kind in _PARTS and not node.exists}
        self._owners = {name for name, node in topology.nodes.items() if node.kind in _OWNERS}
        self._hosted: dict[str, list[str]] = {}
        for name, node in topology.nodes.items():
            if node.role and node.host is not None:
                self._hosted.setdefault(node.host, []).append(name)

    def members(self, targets: list[str], *, listed: bool = False) -> list[str]:
        """The targets with what belongs to them and to nothing else, in the order of the topology: the software on
        them, and those of the parts connected with them that nothing else uses or has (``listed``: no others than the
        targets)."""
        reached = set(targets)
        waiting = [*reached]
        while waiting:
            more = [name for name in self._hosted.get(waiting.pop(), ()) if name not in reached]
            reached.update(more)
            waiting += more
        inside: set[str] = set()
        waiting = [] if listed else [*reached]
        while waiting:
            more = [name for name in self._scaled_with(waiting.pop()) & self._parts if name not in reached | inside]
            inside.update(more)
            waiting += more
        while out := {name for name in inside if self._wanted(name) - reached - inside}:
            inside -= out
        return sorted((name for name in reached | inside if name in self._places), key=self._places.__getitem__)

    def _scaled_with(self, name: str) -> set[str]:
        return self._uses.get(name, set()) | self._users.get(name, set())

    def _wanted(self, name: str) -> set[str]:
        """The nodes that have a part, or use it."""
        return self._users.get(name, set()) | (self._uses[name] & self._owners)


def _rename(topology: Topology, old: str, new: str) -> None:
    """Give a node another name, everywhere."""

    def renamed(expr: Value) -> Value:
        if isinstance(expr, Expr) and getattr(expr, "node", None) == old:
            values = {field.name: getattr(expr, field.name) for field in rows(expr)}
            return type(expr)(**{**values, "node": new})
        return expr

    topology.rewrite(lambda value: ex.transform(value, renamed))
    nodes = dict(topology.nodes)
    topology.nodes.clear()
    for name, node in nodes.items():
        if name == old:
            node.name = new
        topology.nodes[node.name] = node
        node.host = new if node.host == old else node.host
        for relationship in node.relationships:
            relationship.source = new if relationship.source == old else relationship.source
            relationship.target = new if relationship.target == old else relationship.target
        for operation in node.operations:
            operation.target = new if operation.target == old else operation.target
