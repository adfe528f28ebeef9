"""Specialising a topology: inputs whose values are decided are not asked for any more, and what follows is computed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from bpconvert.diagnostics import Reporter
from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.topology import Input, Output, Topology
from bpconvert.translators.evaluate import Refused, Scope, fold
from bpconvert.translators.evaluate.parameters import check_constraint, coerce
from bpconvert.translators.passes.request import Request


def decide_inputs(topology: Topology, request: Request) -> Topology:
    """Decide the inputs that the options give values for. What is computed from them takes their place, conditions too;
    an input that nothing needs any more goes to ``topology.decided``.

    A value that the input's type or constraints refuse is reported, and the input stays."""
    options = request.options
    topology.decided = specialise(topology, options.params or {}, request.reporter, defaults=options.assume_defaults)
    return topology


def specialise(
    topology: Topology, given: Mapping[str, Any], reporter: Reporter, *, defaults: bool = False
) -> list[Path]:
    """Decide the inputs in ``given`` (name -> value, or the text of one); with ``defaults`` also all others that have
    a default. Returns the places of those that have gone."""
    for name in given:
        if name not in topology.inputs:
            reporter.report("BPC513", (), name=name)
    decided: dict[str, Value] = {}
    for name, declared in topology.inputs.items():
        if name in given:
            try:
                decided[name] = given_value(topology.dialect, declared, given[name])
            except ValueError as wrong:
                reporter.report("BPC512", declared.path, name=name, problem=str(wrong))
        elif defaults and declared.default is not MISSING and declared.default is not None:
            decided[name] = declared.default
    if not decided:
        return []
    _fold(topology, Scope(inputs=decided, conditions=topology.conditions))
    used = {found.name for value in _values(topology) for found in ex.walk(value) if isinstance(found, ex.Input)}
    gone: list[Path] = []
    for name in decided:
        declared = topology.inputs[name]
        if name in used:
            declared.default = decided[name]
        else:
            gone.append(topology.inputs.pop(name).path)
        reporter.report("BPC514", declared.path, name=name)
    return gone


def given_value(dialect: str, declared: Input, value: Any) -> Value:
    """What a reference to the input yields when it is given ``value``; ValueError where the engine refuses it."""
    if dialect != "hot" and isinstance(value, str) and declared.type not in (None, "string"):
        value = _data(value)
    kind = declared.type
    if kind is None:
        return value
    found = coerce(kind, value) if dialect == "hot" else _typed(kind, value)
    for constraint in declared.constraints:
        check_constraint(kind, constraint.kind, constraint.argument, value, constraint.description)
    return found


def _data(text: str) -> Any:
    """The value that a text is in YAML."""
    from bpconvert.diagnostics import SourceError
    from bpconvert.yamlio.document import load

    try:
        return load(f"value: {text}\n", "<value>").data["value"]
    except SourceError as wrong:
        raise ValueError(wrong.diagnostic.message) from wrong


#: neutral type -> the types of plain data that a blueprint's input of it takes
_TAKES: dict[str, tuple[type, ...]] = {
    "string": (object,),
    "number": (int, float),
    "boolean": (bool,),
    "list": (list,),
    "json": (dict, list),
}


def _typed(kind: str, value: Any) -> Value:
    if not isinstance(value, _TAKES[kind]) or (kind == "number" and isinstance(value, bool)):
        raise ValueError(f"{value!r} is no {kind}")
    return value


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
