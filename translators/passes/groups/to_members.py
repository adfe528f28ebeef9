"""Nodes of which there are several as members of groups that a policy scales."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.topology import Group, Node, Topology
from bpconvert.translators.passes.request import Request
from bpconvert.translators.support.text import fresh

_GROUP: Final = "_group"
_POLICY: Final = "_scaling"


def to_members(topology: Topology, request: Request) -> Topology:
    """Let each node of which there are several, and the nodes in each group, be members of one of
    :attr:`Topology.groups`."""
    made: dict[str, str] = {}
    for node in list(topology.nodes.values()):
        if node.is_group:
            del topology.nodes[node.name]
            inside = [other for other in topology.nodes.values() if other.group == node.name]
            made[node.name] = _add(topology, node, inside)
        elif node.is_scaled and (node.kind is not None or node.role):
            _add(topology, node, [node])
        elif node.is_scaled:
            place = node.origins.get(("instances",), node.path)
            request.reporter.report("BPC382", place, name=node.name)
        node.instances, node.limits = MISSING, (MISSING, MISSING)
    _absorb_steps(topology, made, request)
    _name_groups(topology, made)
    _refer(topology, request)
    return topology


def _absorb_steps(topology: Topology, made: Mapping[str, str], request: Request) -> None:
    """Leave out the nodes that only change numbers, and what would signal them: the user does that. ``made``: as in
    :func:`_name_groups`."""
    absorbed: set[str] = set()
    for node in list(topology.nodes.values()):
        step = node.step
        target = topology.nodes.get(step.group) if step is not None else None
        group = made.get(step.group) or (target.group if target is not None else None) if step is not None else None
        if step is None or not group:
            continue
        del topology.nodes[node.name]
        absorbed.add(node.name)
        request.reporter.report("BPC745", node.path, name=step.name, group=group, delta=step.by)
        for name, place in step.settings.items():
            request.reporter.report("BPC743", place, name=name, why="nothing waits between two scalings")
    for node in list(topology.nodes.values()):
        if node.trigger is not None and absorbed & {*ex.named_nodes(node.properties)}:
            del topology.nodes[node.name]
            texts = {"name": node.trigger[0], "policy": node.trigger[1], "why": ": nothing watches what it measures"}
            request.reporter.report("BPC839", node.path, **texts)


def _name_groups(topology: Topology, made: dict[str, str]) -> None:
    """What refers to a group gets its name, and waits for its members. ``made``: node that was a group -> its name."""
    for node in topology.nodes.values():
        for name in [one for one in ex.named_nodes(node.properties) if made.get(one)]:
            node.wait_for(*topology.groups[made[name]].members, path=node.path)

    def named(expr: Value) -> Value:
        return (made.get(str(expr.node)) or expr) if isinstance(expr, ex.Identity) else expr

    topology.rewrite(lambda value: ex.transform(value, named))


def _refer(topology: Topology, request: Request) -> None:
    """What refers to a member from outside of its group gets the values of all instances."""

    def group_of(name: str) -> str | None:
        node, seen = topology.nodes.get(name), {name}
        while node is not None and node.group is None and node.host not in (None, *seen):
            seen.add(str(node.host))
            node = topology.nodes.get(str(node.host))
        return node.group if node is not None else None

    def listed(own: str | None, expr: Value) -> Value:
        if not isinstance(expr, (ex.Attribute, ex.Identity)) or not isinstance(expr.node, str):
            return expr
        group = group_of(expr.node)
        if group is None or group == own or group not in topology.groups:
            return expr
        request.reporter.report("BPC841", expr.path, name=expr.node)
        if isinstance(expr, ex.Identity):
            return ex.AttributeList(expr.node, MISSING, path=expr.path)
        return ex.AttributeList(expr.node, expr.name, expr.keys, path=expr.path)

    for node in topology.nodes.values():
        own = partial(listed, group_of(node.name))
        node.rewrite(lambda value, own=own: ex.transform(value, own), declared=False)  # type: ignore[misc]
    for output in topology.published:
        output.rewrite(lambda value: ex.transform(value, partial(listed, None)))


def _add(topology: Topology, node: Node, inside: list[Node]) -> str:
    """A group with the numbers of ``node``. What is contained in a member is scaled with it. Returns its name, "" where
    it has no members."""
    names = {one.name for one in inside}
    members = [one.name for one in inside if one.host not in names]
    if not members:
        return ""
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
    return name
