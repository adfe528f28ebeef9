"""Nodes of which there are several as members of groups that a policy scales."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.scaling import Step
from bpconvert.models.topology import Group, Node, Topology
from bpconvert.translators.passes.groups import changes
from bpconvert.translators.passes.request import Request
from bpconvert.translators.support.text import fresh

_GROUP: Final = "_group"
_POLICY: Final = "_scaling"


def to_members(topology: Topology, request: Request) -> Topology:
    """Let each node of which there are several, and the nodes in each group, be members of one of
    :attr:`Topology.groups`."""
    groups_made: dict[str, str] = {}
    for node in list(topology.nodes.values()):
        if node.is_group:
            del topology.nodes[node.name]
            inside = [other for other in topology.nodes.values() if other.group == node.name]
            groups_made[node.name] = _add(topology, node, inside)
        elif node.is_scaled and (node.kind is not None or node.role):
            _add(topology, node, [node])
        elif node.is_scaled:
            place = node.origins.get(("instances",), node.path)
            request.reporter.report("BPC382", place, name=node.name)
        node.instances, node.limits = MISSING, (MISSING, MISSING)
    _absorb_steps(topology, groups_made, request)
    _name_groups(topology, groups_made)
    _refer(topology, request)
    return topology


def _absorb_steps(topology: Topology, groups_made: Mapping[str, str], request: Request) -> None:
    """Let what changes numbers be changes of their groups, which users start. One that an alarm or an output refers to
    stays, and names its group; nothing signals it. ``groups_made``: as in :func:`_name_groups`."""
    steps = [node for node in topology.nodes.values() if node.step is not None]
    names_referred = changes.referred(topology) if steps else set()
    for node in steps:
        step = node.step
        target = topology.nodes.get(step.group) if step is not None else None
        group = (
            groups_made.get(step.group) or (target.group if target is not None else None) if step is not None else None
        )
        if step is None or not group:
            continue
        for name, place in step.settings.items():
            request.reporter.report("BPC743", place, name=name, why="nothing waits between two scalings")
        settings = _settings(node, step)
        if node.name not in names_referred and changes.take(topology, node, group, step.by, settings, request):
            continue
        request.reporter.report("BPC745", node.path, name=step.name, group=group, delta=step.by)
        node.properties = ex.transform(node.properties, partial(_called, step.group, group))
        node.wait_for(*topology.groups[group].members, path=node.path)


def _settings(node: Node, step: Step) -> dict[str, Value]:
    """What a step says beside the number and its group."""
    shown = node.properties.get(node.shows.properties) if node.shows is not None else node.properties
    return {key: shown.get(key, MISSING) for key in step.settings} if isinstance(shown, dict) else {}


def _called(node: str, group: str, expr: Value) -> Value:
    """The name of a group in place of the identity of what the group is."""
    return group if isinstance(expr, ex.Identity) and expr.node == node else expr


def _name_groups(topology: Topology, groups_made: dict[str, str]) -> None:
    """What refers to a group gets its name, and waits for its members. ``groups_made``: such a node -> its name."""
    for node in topology.nodes.values():
        for name in [used for used in ex.named_nodes(node.properties) if groups_made.get(used)]:
            node.wait_for(*topology.groups[groups_made[name]].members, path=node.path)

    def renamed(expr: Value) -> Value:
        return (groups_made.get(str(expr.node)) or expr) if isinstance(expr, ex.Identity) else expr

    topology.rewrite(lambda value: ex.transform(value, renamed))


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
    names = {member.name for member in inside}
    members = [member.name for member in inside if member.host not in names]
    if not members:
        return ""
    base = node.name.removesuffix(_GROUP) if node.is_group else node.name
    taken = {*topology.nodes, *topology.groups, *(group.policy for group in topology.groups.values())}
    name = fresh(f"{base}{_GROUP}", taken)
    place = node.origins.get(("instances",), node.path)
    sizes = {"count": node.instances, "least": node.limits[0], "most": node.limits[1]}
    known_sizes: dict[str, Value] = {key: value for key, value in sizes.items() if value is not MISSING}
    origins: dict[str, Path] = dict.fromkeys(known_sizes, place)
    topology.groups[name] = Group(members, known_sizes, origins, fresh(f"{base}{_POLICY}", {*taken, name}))
    for member in inside:
        member.group = name
    return name
