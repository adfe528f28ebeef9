"""Inputs and outputs of the service template."""

from __future__ import annotations

from typing import Any, Final

from bpconvert.models.expressions import MISSING, Value, is_constant
from bpconvert.models.notation import to_data
from bpconvert.models.topology import Constraint, Input, Output
from bpconvert.translators.tosca import unwritten
from bpconvert.translators.tosca.functions import called, write_value
from bpconvert.translators.tosca.write.context import Context
from bpconvert.translators.tosca.write.rewriter import ToscaRewriter

#: neutral type -> type of an input
_TYPES: Final = {"string": "string", "number": "float", "boolean": "boolean", "list": "list", "json": "map"}


def lower_input(context: Context, rewriter: ToscaRewriter, declared: Input, kept: dict[str, Any]) -> dict[str, Any]:
    """The input, and in ``kept`` what TOSCA has no place for: label, hidden, other keys and constraints."""
    report, path = context.reporter.report, declared.path
    default = declared.default
    data: dict[str, Any] = {"type": _type(declared)}
    if declared.description is not None:
        data["description"] = str(declared.description)
    more: dict[str, Any] = {"type": declared.type}
    if default is not MISSING:
        written = default
        if not is_constant(default) or called(default) is not None:
            more["default"] = to_data(default)
            report("BPC807", (*path, "default"), name=declared.name)
            written = MISSING
        elif isinstance(default, int) and not isinstance(default, bool) and data["type"] == "float":
            written = float(default)
        if written is not MISSING:
            data["default"] = written
    constraints: list[dict[str, Any]] = []
    for constraint in declared.constraints:
        made = _constraint(constraint, data["type"])
        if made is None:
            more.setdefault("constraints", []).append(
                [constraint.kind, constraint.argument, constraint.description, len(constraints)]
            )
            report("BPC808", constraint.path or path, name=constraint.kind)
        else:
            constraints += made
    if constraints:
        data["constraints"] = constraints
    for key in ("label", "hidden"):
        value = getattr(declared, key)
        if value is not None:
            more[key] = value
            report("BPC806", (*path, context.request.source.words.key(key)), name=key)
    if declared.extra:
        more["extra"] = to_data(declared.extra)
        for key in declared.extra:
            report("BPC806", (*path, key), name=key)
    if more != {"type": _NEUTRAL.get(data["type"])}:
        kept.setdefault("inputs", {})[context.names.input(declared.name)] = more
    return data


_NEUTRAL: Final = {"string": "string", "integer": "number", "float": "number", "boolean": "boolean", "map": "json",
                   "list": "json"}  # fmt: skip


def _type(declared: Input) -> str:
    """The type of an input, whose default and constraints have to fit."""
    default = declared.default
    if declared.type == "number":
        numbers = [default, *(one.argument for one in declared.constraints)]
        return "float" if any(_has_fraction(number) for number in numbers) else "integer"
    if declared.type == "json" and isinstance(default, list):
        return "list"
    if declared.type is None:
        if isinstance(default, bool):
            return "boolean"
        for kind, name in ((int, "integer"), (float, "float"), (list, "list"), (dict, "map")):
            if isinstance(default, kind):
                return name
    return _TYPES.get(declared.type or "", "string")


def _has_fraction(value: Any) -> bool:
    if isinstance(value, dict):
        return any(map(_has_fraction, value.values()))
    if isinstance(value, (list, tuple)):
        return any(map(_has_fraction, value))
    return isinstance(value, float) and not value.is_integer()


def _constraint(constraint: Constraint, type: str) -> list[dict[str, Any]] | None:
    """The constraint as TOSCA writes it; None where it has none of the kind."""
    argument = constraint.argument
    if constraint.description is not None:
        return None
    if constraint.kind == "allowed_values":
        return [{"valid_values": list(argument)}]
    if constraint.kind == "allowed_pattern" and type == "string":
        return [{"pattern": argument}]
    if constraint.kind == "length" and type == "string":
        names = {"min": "min_length", "max": "max_length"}
        return [{names[key]: bound} for key, bound in argument.items() if bound is not None]
    if constraint.kind == "range":
        least, most = argument.get("min"), argument.get("max")
        if least is not None and most is not None:
            return [{"in_range": [least, most]}]
        return [{"greater_or_equal": least}] if least is not None else [{"less_or_equal": most}]
    return None


def lower_output(context: Context, rewriter: ToscaRewriter, output: Output, kept: dict[str, Any]) -> dict[str, Any]:
    """The output, and in ``kept`` what TOSCA has no place for."""
    data: dict[str, Any] = {}
    if output.description is not None:
        data["description"] = str(output.description)
    value: Value = rewriter.value(output.value, (*output.path, "value"), inert="output")
    data["value"] = written = write_value("" if value is None else value)
    more: dict[str, Any] = {}
    difference = unwritten.difference(written, output.value)
    if difference is not None:
        more["value"] = difference
    if output.condition is not MISSING:
        more["condition"] = to_data(output.condition)
        context.reporter.report("BPC803", (*output.path, "condition"), name=output.name)
    if output.extra:
        more["extra"] = to_data(output.extra)
        for key in output.extra:
            context.reporter.report("BPC806", (*output.path, key), name=key)
    if more:
        kept.setdefault("outputs", {})[context.names.output(output.name)] = more
    return data
