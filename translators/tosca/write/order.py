"""What a node waits for, as requirements: TOSCA orders by these alone."""

from __future__ import annotations

from collections.abc import Iterator

from bpconvert.models import expressions as ex
from bpconvert.models.topology import Node
from bpconvert.translators.support.graphs import circles
from bpconvert.translators.tosca.write.context import Context, NodeDraft

#: why a node waits for another one. What is weaker goes first where nodes would wait for each other
_OPERATION, _REFERENCE, _ORDER = 0, 1, 2


def require(context: Context, drafts: list[NodeDraft]) -> None:
    """Write what each node waits for, as far as the source orders it. A source whose engine does not order by calls may
    have nodes that refer to each other: the calls that close a circle order nothing."""
    names = {draft.node.name: draft.name for draft in drafts}
    wanted: dict[str, dict[str, int]] = {name: {} for name in names}
    for draft in drafts:
        node = draft.node
        own = wanted[node.name]
        for strength, target in _reasons(node, is_declared=draft.stand_in):
            if target in names and target != node.name:
                own[target] = max(strength, own.get(target, strength))
            elif target not in context.topology.nodes and target not in context.topology.unrolled:
                context.reporter.report("BPC208", node.path, name=target)
    for name, target in context.request.source.waits(context.topology):
        if name in wanted and target in names and name != target:
            wanted[name][target] = _ORDER
    _cut(wanted)
    for draft in drafts:
        draft.requirements = [{"dependency": names[target]} for target in wanted[draft.node.name]]


def _reasons(node: Node, *, is_declared: bool) -> Iterator[tuple[int, str]]:
    """(why, what a node waits for), its own values first."""
    values = [*node.values(declared=is_declared)]
    before = len(values) - len(node.operations)
    yield from ((_REFERENCE, target) for target in ex.named_nodes(values[:before]))
    yield from ((_OPERATION, target) for target in ex.named_nodes(values[before:]))
    yield from ((_REFERENCE, target) for target in ex.named_nodes(node.extra.get("metadata")))
    yield from ((_ORDER, target) for target in node.awaited)


def _cut(wanted: dict[str, dict[str, int]]) -> None:
    """Take out what closes a circle and is there for a call alone, that of an operation first."""
    while calls := [edge for circle in circles(wanted) for edge in [_weakest(wanted, circle)] if edge[0] < _ORDER]:
        _, source, target = calls[0]
        del wanted[source][target]


def _weakest(wanted: dict[str, dict[str, int]], circle: list[str]) -> tuple[int, str, str]:
    around = zip(circle, [*circle[1:], circle[0]], strict=True)
    return min((wanted[source][target], source, target) for source, target in around)
