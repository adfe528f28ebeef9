"""Properties of nodes that values name: in another language the nodes have other ones, so the value stands there."""

from __future__ import annotations

from bpconvert.limits import limit
from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Expr, Value
from bpconvert.models.light import replace
from bpconvert.models.topology import Topology
from bpconvert.translators.passes.expressions.kinds import step_into
from bpconvert.translators.passes.request import Request

#: expressions into whose value further steps may lead
_ENTERED = (ex.Input, ex.Attribute, ex.Property)


def write_out(topology: Topology, request: Request) -> Topology:
    """Exchange every reference to a property that is known for its value. The others stay, and those that are beyond
    the limit of copies."""
    topology.rewrite(_Known(topology).value, declared=False)
    return topology


class _Known:
    """Exchanges references to properties of one topology."""

    def __init__(self, topology: Topology) -> None:
        self._topology = topology
        self._copies = 0

    def value(self, value: Value, seen: tuple[Expr, ...] = ()) -> Value:
        """``value``, which is inside of what the references ``seen`` mean."""
        return ex.transform(value, lambda expr: self._resolve(expr, seen))

    def _resolve(self, expr: Expr, seen: tuple[Expr, ...]) -> Value:
        self._copies += bool(seen)
        if not isinstance(expr, ex.Property) or expr in seen or self._copies > limit("copies"):
            return expr
        value = _value(self._topology, expr)
        return expr if value is MISSING else self.value(value, (*seen, expr))


def _value(topology: Topology, expr: ex.Property) -> Value:
    """What a property, or the part of it that is meant, is; MISSING where that is not known."""
    node = topology.node(expr.node)
    if node is None or node.native is not None:
        return MISSING
    value: Value = node.declared
    steps = (expr.name, *expr.keys)
    for index, step in enumerate(steps):
        if isinstance(value, Expr):
            if not isinstance(value, _ENTERED) or value.name is MISSING:
                return MISSING
            return replace(value, keys=(*value.keys, *steps[index:]))
        if isinstance(step, Expr):
            return MISSING
        value = step_into(value, (step,))
        if value is MISSING:
            return MISSING
    return value
