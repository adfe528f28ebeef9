"""Specialising a topology: inputs whose values are fixed are not asked for any more, and dependent expressions are
evaluated."""

from __future__ import annotations

from typing import Any

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Value
from bpconvert.models.topology import Topology
from bpconvert.translators.evaluate import Refused, Scope, fold
from bpconvert.translators.passes.request import Request


def decide_inputs(topology: Topology, request: Request) -> Topology:
    """Decide the inputs that the options give values for. What is computed from them takes their place, conditions too;
    an input that nothing needs any more goes to ``topology.decided``.

    A value that the input's type or constraints refuse is reported, and the input stays."""
    chosen, reporter = request.options.params or {}, request.reporter
    for name in chosen:
        if name not in topology.inputs:
            reporter.report("BPC513", (), name=name)
    decided: dict[str, Value] = {}
    for name, declared in topology.inputs.items():
        if name in chosen:
            try:
                decided[name] = request.accept(declared, chosen[name])
            except ValueError as wrong:
                reporter.report("BPC512", declared.path, name=name, problem=str(wrong))
        elif request.options.assume_defaults and declared.default is not MISSING and declared.default is not None:
            decided[name] = declared.default
    if not decided:
        return topology
    _fold(topology, Scope(inputs=decided, conditions=topology.conditions))
    values = list(topology.values(declared=False))
    used = {expr.name for expr in ex.walk(values) if isinstance(expr, ex.Input)}
    for name in decided:
        declared = topology.inputs[name]
        if declared.hidden:
            topology.withheld.add(name)
        if name in used:
            declared.default = decided[name]
        else:
            topology.decided.append(topology.inputs.pop(name).path)
        reporter.report("BPC514", declared.path, name=name)
    return topology


def _fold(topology: Topology, scope: Scope) -> None:
    """Compute what the scope knows, everywhere."""
    for name, condition in topology.conditions.items():
        topology.conditions[name] = _folded(condition, scope)
    scope.conditions = topology.conditions
    for declared in topology.inputs.values():
        declared.default = _folded(declared.default, scope)
        if declared.asked is not None and declared.asked.wanted is not None:
            declared.asked = declared.asked._replace(wanted=_folded(dict(declared.asked.wanted), scope))
    for node in topology.nodes.values():
        node.rewrite(lambda value: _folded(value, scope))
        node.condition = _undecided(node.condition)
    for output in topology.published:
        output.rewrite(lambda value: _folded(value, scope))
        output.condition = _undecided(output.condition)


def _folded(value: Any, scope: Scope) -> Any:
    """``value`` computed as far as possible; what the engine refuses to compute stays, part by part."""
    if value is MISSING:
        return value
    try:
        return fold(value, scope)
    except RecursionError:
        return value
    except Refused:
        if isinstance(value, dict):
            return {key: _folded(item, scope) for key, item in value.items()}
        return [_folded(item, scope) for item in value] if isinstance(value, list) else value


def _undecided(condition: Value) -> Value:
    """A condition that always holds is none."""
    return MISSING if condition is True else condition
