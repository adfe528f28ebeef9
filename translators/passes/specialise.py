"""Specialising a topology: inputs whose values are decided are not asked for any more, and what follows is computed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Value
from bpconvert.models.topology import Output, Topology
from bpconvert.translators.evaluate import Refused, Scope, fold
from bpconvert.translators.passes.request import Request


def decide_inputs(topology: Topology, request: Request) -> Topology:
    """Decide the inputs that the options give values for. What is computed from them takes their place, conditions too;
    an input that nothing needs any more goes to ``topology.decided``.

    A value that the input's type or constraints refuse is reported, and the input stays."""
    given, reporter = request.options.params or {}, request.reporter
    for name in given:
        if name not in topology.inputs:
            reporter.report("BPC513", (), name=name)
    decided: dict[str, Value] = {}
    for name, declared in topology.inputs.items():
        if name in given:
            try:
                decided[name] = request.accept(declared, given[name])
            except ValueError as wrong:
                reporter.report("BPC512", declared.path, name=name, problem=str(wrong))
        elif request.options.assume_defaults and declared.default is not MISSING and declared.default is not None:
            decided[name] = declared.default
    if not decided:
        return topology
    _fold(topology, Scope(inputs=decided, conditions=topology.conditions))
    used = {found.name for value in _values(topology) for found in ex.walk(value) if isinstance(found, ex.Input)}
    for name in decided:
        declared = topology.inputs[name]
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
    for node in topology.nodes.values():
        node.properties = _folded(node.properties, scope)
        node.declared = _folded(node.declared, scope)
        node.condition = _undecided(_folded(node.condition, scope))
        node.instances = _folded(node.instances, scope)
        node.limits = (_folded(node.limits[0], scope), _folded(node.limits[1], scope))
        node.external_id = _folded(node.external_id, scope)
        node.external_name = _folded(node.external_name, scope)
        for operation in node.operations:
            operation.inputs = _folded(operation.inputs, scope)
    for output in _outputs(topology):
        output.value = _folded(output.value, scope)
        output.condition = _undecided(_folded(output.condition, scope))


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


def _outputs(topology: Topology) -> Iterator[Output]:
    yield from topology.outputs.values()
    yield from topology.capabilities.values()


def _values(topology: Topology) -> Iterator[Any]:
    """Everything that may refer to an input."""
    yield from topology.conditions.values()
    for declared in topology.inputs.values():
        yield declared.default
    for node in topology.nodes.values():
        yield from (node.properties, node.condition, node.instances, node.external_id, node.external_name, *node.limits)
        yield from (operation.inputs for operation in node.operations)
    for output in _outputs(topology):
        yield from (output.value, output.condition)
