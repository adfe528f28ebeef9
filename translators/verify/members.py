"""The single nodes that a group, or a node with several instances, stands for.

cloudify-common gives a node's instances in their order. Nodes that are scaled together are members of a group in
Cloudify, and a template that a group repeats in Heat: each instance is a set of nodes with its number. Their values are
computed here and not by an engine: neither engine knows the single instances before it deploys.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.light import replace
from bpconvert.models.topology import Node
from bpconvert.translators.comparing.model import Side

#: of more members than this only the first ones are compared, and how many there are
_MOST: Final = 50
#: so many in all, as Heat creates with one stack (heat.conf, ``max_resources_per_stack``): of groups in groups beyond
#: that, the first member of each is compared, and of so many none
_MOST_IN_ALL: Final = 1_000
_END: Final = 2_000


def members_of(side: Side, node: Node, count_before: int = 0) -> Iterator[Node]:
    """The members of ``node``, each a node of its own; none where it is a single node, or how many is not known.
    ``count_before``: how many members other nodes have."""
    nodes, most = side.language_of(node).nodes, _MOST if count_before < _MOST_IN_ALL else int(count_before < _END)
    if nodes.is_group(node):
        yield from nodes.members(side, node, most)
        return
    if node.group in side.spread:
        yield from _together(side, node, most)
        return
    count, same_number = side.count(node), scaled_with(side, node)
    scales = node.instances is not MISSING or node.limits[1] is not MISSING or same_number
    if scales and isinstance(count, int):
        if count > most:
            side.more[node.name] = (count,)
        for number in range(min(count, most)):
            yield _instance(node, f"{node.name}.{number}", str(number), {node.name, *same_number})


def scaled_with(side: Side, node: Node) -> set[str]:
    """The nodes that are scaled together with ``node``, and itself: each instance has its own. Empty for all else."""
    if node.group is None:
        return set()
    nodes = side.topology.nodes
    group = nodes.get(str(node.group))
    together = [other for other in nodes.values() if other.group == node.group]
    alone = all(other.instances is MISSING and other.limits[1] is MISSING and not other.is_group for other in together)
    return {other.name for other in together} if alone and group is not None and group.group is None else set()


def spread(side: Side, value: Value) -> Value:
    """``value`` with references to the single members in place of those to their group."""
    groups = side.groups
    if not groups:
        return value

    def single(expr: ex.Expr) -> Value:
        node = getattr(expr, "node", None)
        if not isinstance(node, str) or node not in groups:
            return expr
        if isinstance(expr, ex.AttributeList):
            return [_member(member, expr.name, expr.keys, expr.path) for member in groups[node]]
        if isinstance(expr, (ex.Attribute, ex.Identity)):
            spread_value = side.language_of(side.nodes[node]).nodes.of_members(side, expr, groups[node])
            return expr if spread_value is expr or isinstance(spread_value, ex.Foreign) else spread(side, spread_value)
        return expr

    return ex.transform(value, single)


def _member(member: str, name: Value, keys: tuple[Value, ...], path: Path) -> Value:
    return ex.Identity(member, path=path) if name is MISSING else ex.Attribute(member, name, keys, path=path)


# -- nodes that are scaled together -------------------------------------------------------------------------


def prepare(first: Side, second: Side) -> None:
    """Let each have instances in the same form where one has groups and the other repeats templates, and groups of the
    same members the same name: nobody sees that of a group."""
    own, others = _by_members(first), _by_members(second)
    second.called = {name: own[members] for members, name in others.items() if members in own}
    for side, other in ((first, second), (second, first)):
        groups = {node.name for node in side.topology.nodes.values() if node.is_group}
        if any(node.is_group and node.group is not None for node in side.topology.nodes.values()):
            continue  # groups in groups
        repeated = _repeating(other) - _repeating(side)
        counted = {node.name for node in side.topology.nodes.values() if side.language_of(node).nodes.is_group(node)}
        nesting = [node for node in side.topology.nodes.values() if side.language_of(node).nesting.is_component(node)]
        for node in nesting:  # which nest the templates one by one
            group, _, number = node.name.rpartition("_")
            repeated -= {node.name, group if number.isdecimal() else ""}
        if repeated and (groups or counted - _repeating(side) - other.topology.nodes.keys()):
            side.spread, other.repeated = groups, repeated


def _repeating(side: Side) -> set[str]:
    """The groups of nested templates."""
    return {node.name for node in side.topology.nodes.values() if side.language_of(node).nodes.repeats(node)}


def _by_members(side: Side) -> dict[frozenset[str], str]:
    """The members of groups -> the group that has them."""
    members: dict[str, set[str]] = {node.name: set() for node in side.topology.nodes.values() if node.is_group}
    for node in side.topology.nodes.values():
        if node.group in members:
            members[node.group].add(node.name)
    return {frozenset(names): group for group, names in members.items() if names}


def _together(side: Side, node: Node, most: int) -> Iterator[Node]:
    """The instances of a member of a group: ``disk.0``, with several in each instance of the group ``disk.0.1``."""
    written = (side.original or side).topology.nodes
    groups, own = side.count(side.topology.nodes[str(node.group)]), _own(side, node)
    if not isinstance(groups, int) or not isinstance(own, int):
        return
    side.more[node.name] = tuple(count for count in (groups, own) if count > most)
    groups, several, own = min(groups, most), own != 1, min(own, most)
    siblings = {name for name, other in written.items() if other.group == node.group and _own(side, other) == 1}
    for number in range(groups):
        names = [f"{node.name}.{number}"] if not several else [f"{node.name}.{number}.{index}" for index in range(own)]
        yield from (_instance(written.get(node.name, node), name, str(number), siblings) for name in names)


def _own(side: Side, node: Node) -> Any:
    """How many of a node are in each instance of its group."""
    return 1 if node.instances is MISSING else side.value(node.instances)


def same_instance(side: Side, name: str, member: str, targets: set[str]) -> set[str]:
    """``targets`` of a member of node ``name``: those of its group are the ones of its own instance
    (dsl_parser/multi_instance.py)."""
    node = side.topology.nodes.get(name)
    if node is None or node.group is None or name == member:
        return targets
    number = member[len(name) + 1 :].split(".")[0]
    instances: set[str] = set()
    for target in targets:
        siblings = [sibling for sibling in side.topology.nodes.values() if sibling.group == node.group]
        inside = [sibling for sibling in siblings if side.name_of(sibling.name) == target]
        members = [member for other in inside for member in side.groups.get(other.name, ())]
        mine = {side.name_of(member) for member in members if member[len(inside[0].name) + 1 :].split(".")[0] == number}
        instances |= mine if members else {target}
    return instances


def _instance(node: Node, name: str, number: str, siblings: set[str]) -> Node:
    """One instance of ``node``, called ``name``; the nodes ``siblings`` it have one of the same number."""

    def own(expr: ex.Expr) -> Value:
        if isinstance(expr, (ex.Attribute, ex.Identity)) and expr.node in siblings:
            return replace(expr, node=f"{expr.node}.{number}")
        return expr

    operations = [replace(operation, inputs=ex.transform(operation.inputs, own)) for operation in node.operations]
    properties = ex.transform(node.properties, own)
    return replace(node, name=name, instances=MISSING, properties=properties, operations=operations)
