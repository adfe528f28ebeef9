"""Which nodes and outputs refer to a node: what is asked for each of many nodes looks through those alone."""

from __future__ import annotations

from collections.abc import Callable

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Value
from bpconvert.models.topology import Node, Output, Topology

Holder = Node | Output


def values_of(holder: Holder) -> list[Value]:
    """Everything of a node or an output that may hold expressions, metadata included."""
    if isinstance(holder, Output):
        return [holder.value, holder.condition]
    return [*holder.values(), holder.extra.get("metadata")]


class Mentions:
    """An index of one topology. It may name a holder that refers to a node no more, and never leaves one out as long as
    what was changed is passed to :meth:`refresh`; nodes and outputs that were added are found without that."""

    def __init__(self, topology: Topology) -> None:
        self._topology = topology
        self._known: set[Holder] = set()
        self._holders: dict[str, set[Holder]] = {}

    def holders(self, *names: str) -> list[Holder]:
        """The nodes, outputs and capabilities that refer to one of the nodes ``names``, in the document's order."""
        everything: list[Holder] = [*self._topology.nodes.values(), *self._topology.published]
        for holder in everything:
            if holder not in self._known:
                self.refresh(holder)
        holders_found = set().union(*(self._holders.get(name, ()) for name in names))
        return [holder for holder in everything if holder in holders_found] if holders_found else []

    def refresh(self, holder: Holder) -> None:
        """Add what a holder refers to now."""
        self._known.add(holder)
        for expr in ex.walk(values_of(holder)):
            node = getattr(expr, "node", None)
            if isinstance(node, str):
                self._holders.setdefault(node, set()).add(holder)

    def replace(self, name: str, change: Callable[[ex.Expr], Value]) -> None:
        """Apply ``change`` to the expressions of all properties and outputs that refer to the node ``name``."""
        for holder in self.holders(name):
            if isinstance(holder, Node):
                holder.properties = ex.transform(holder.properties, change)
            else:
                holder.value = ex.transform(holder.value, change)
            self.refresh(holder)
