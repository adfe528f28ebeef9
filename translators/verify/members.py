"""The single nodes that a group, or a node with several instances, stands for.

cloudify-common gives a node's instances in their order.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.topology import Node
from bpconvert.translators.comparing.language import AdaptedSide
from bpconvert.translators.comparing.model import Side
from bpconvert.translators.verify import scaled

#: of more members than this only the first ones are compared, and how many there are
_MOST: Final = 50


def of(side: AdaptedSide, node: Node) -> Iterator[Node]:
    """The members of ``node``, each a node of its own; none where it is a single node, or how many is not known."""
    nodes = side.language_of(node).nodes
    if nodes.is_group(node):
        yield from nodes.members(side, node, _MOST)
        return
    if node.group in side.spread:
        yield from scaled.members(side, node, _MOST)
        return
    count, same_number = side.count(node), beside(side, node)
    scales = node.instances is not MISSING or node.limits[1] is not MISSING or same_number
    if scales and isinstance(count, int):
        if count > _MOST:
            side.more[node.name] = (count,)
        for number in range(min(count, _MOST)):
            yield scaled.instance(node, f"{node.name}.{number}", str(number), {node.name, *same_number})


def beside(side: Side, node: Node) -> set[str]:
    """The nodes that are scaled together with ``node``, and itself: each instance has its own. Empty for all else."""
    nodes = side.topology.nodes
    group = nodes.get(str(node.group))
    found = [other for other in nodes.values() if node.group is not None and other.group == node.group]
    alone = all(one.instances is MISSING and one.limits[1] is MISSING and not one.is_group for one in found)
    return {other.name for other in found} if alone and group is not None and group.group is None else set()


def spread(side: AdaptedSide, value: Value) -> Value:
    """``value`` with references to the single members in place of those to their group."""
    groups = side.groups
    if not groups:
        return value

    def single(expr: ex.Expr) -> Value:
        node = getattr(expr, "node", None)
        if not isinstance(node, str) or node not in groups:
            return expr
        if isinstance(expr, ex.AttributeList):
            return [_one(member, expr.name, expr.keys, expr.path) for member in groups[node]]
        if isinstance(expr, (ex.Attribute, ex.Identity)):
            found = side.language.nodes.of_members(side, expr, groups[node])
            return expr if found is expr or isinstance(found, ex.Foreign) else spread(side, found)
        return expr

    return ex.transform(value, single)


def _one(member: str, name: Value, keys: tuple[Value, ...], path: Path) -> Value:
    return ex.Identity(member, path=path) if name is MISSING else ex.Attribute(member, name, keys, path=path)
