"""What changes the number of a group's members: users start it, or it stays as a node that only shows it.

A change by a number that nothing refers to is one of :attr:`Group.changes`. Where something needs the URL that it has
in Heat (an alarm, an output), the node stays, and so does everything else that says more than a number."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Value
from bpconvert.models.scaling import Change
from bpconvert.models.topology import Node, Topology
from bpconvert.translators.passes.request import Request

#: what may be said of a change beside its number: a constant
_SETTINGS: Final = ("cooldown",)


def referred(topology: Topology) -> set[str]:
    """The nodes that an output or another node refers to, or waits for."""
    names: set[str] = set()
    for node in topology.nodes.values():
        names.update({*ex.named_nodes([*node.values()]), *node.awaited} - {node.name})
    for output in topology.published:
        names.update(ex.named_nodes([output.value, output.condition]))
    return names


def take(
    topology: Topology, node: Node, group: str, by: Value, settings: Mapping[str, Value], request: Request
) -> bool:
    """Let ``node``, which nothing refers to and which changes the number of ``group`` ``by`` so many, be one of the
    group's changes; False where it is more than that. ``settings``: what else is said of it."""
    scaled = topology.groups[group]
    constants = {key: value for key, value in settings.items() if _is_whole(value) and key in _SETTINGS}
    if not _is_whole(by) or by == 0 or len(constants) < len(settings) or "most" not in scaled.sizes:
        return False
    if node.condition is not MISSING or node.extra or node.name in request.target.started:
        return False
    del topology.nodes[node.name]
    scaled.changes.append(Change(node.name, by, node.path, constants))
    request.reporter.report("BPC951", node.path, name=node.name, group=group, delta=by)
    return True


def _is_whole(value: Value) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
