"""Inputs and outputs of the service template."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, is_constant
from bpconvert.models.notation import to_data
from bpconvert.models.topology import Constraint, Input, Output
from bpconvert.translators.support.places import maps
from bpconvert.translators.support.text import is_name
from bpconvert.translators.tosca.functions import called, inputs_of, write_value
from bpconvert.translators.tosca.patterns import portable
from bpconvert.translators.tosca.write.context import Context
from bpconvert.translators.tosca.write.rewriter import ToscaRewriter

#: neutral type -> type of an input
_TYPES: Final = {"string": "string", "number": "float", "boolean": "boolean", "list": "list", "json": "map"}
#: type of an input -> neutral type that it is read as
_NEUTRAL: Final = {
    "string": "string", "integer": "number", "float": "number", "boolean": "boolean", "map": "json", "list": "json",
}  # fmt: skip
#: classes of literals -> type of an input
_LITERALS: Final[tuple[tuple[type, str], ...]] = (
    (bool, "boolean"), (int, "integer"), (float, "float"), (str, "string"), (list, "list"), (dict, "map"),
)  # fmt: skip
#: a number as Python writes it, and what it writes for true and false
_NUMBER: Final = r"-?(0|[1-9][0-9]*)(\.([0-9]*[1-9]|0))?"
_BOOLEANS: Final = ["True", "False"]


def idle_inputs(context: Context, calls: Iterable[tuple[str, Any]]) -> set[str]:
    """The inputs that the source uses and the ``calls`` that are written do not need: what they were for is left
    out."""
    inputs = context.topology.inputs.values()
    bare = [declared.name for declared in inputs if declared.default is MISSING or not is_constant(declared.default)]
    needed = set(filter(is_name, inputs_of(calls))) if bare else set()
    unneeded = {name for name in bare if context.names.input(name) not in needed}
    if not unneeded:
        return set()
    return unneeded & set(filter(is_name, context.request.source.words.inputs_in(context.request.document.data)))


def lower_input(context: Context, declared: Input, kept: dict[str, Any], *, idle: bool = False) -> dict[str, Any]:
    """The input, and in ``kept`` what TOSCA has no place for: label, hidden, other keys and constraints. ``idle``:
    nothing needs it."""
    report, path = context.reporter.report, declared.path
    name = context.names.input(declared.name)
    type = _type(context, declared)
    data: dict[str, Any] = {"type": type}
    if declared.description is not None:
        data["description"] = str(declared.description)
    if idle or declared.extra.get("required") is False:
        data["required"] = False
    more: dict[str, Any] = {"type": declared.type}
    of_text = _text_constraints(context, declared) or []
    if of_text:
        more["text"] = True
    _default(context, declared, data, more, idle)
    if type in ("list", "map"):
        _entries(context, declared, data)
    constraints = _constraints(context, declared, type, more, [] if context.is_2_0 else of_text)
    if constraints:
        data["constraints"] = constraints
    for key in ("label", "hidden"):
        value = getattr(declared, key)
        if value is not None:
            more[key] = value
            report("BPC809", (*path, context.request.source.words.key(key)), name=key)
    extra = {key: value for key, value in declared.extra.items() if (key, value) != ("required", False)}
    if extra:
        more["extra"] = to_data(extra)
        for key in extra:
            report("BPC809", (*path, key), name=key)
    if idle:
        more["idle"] = True
        report("BPC876", path, name=declared.name)
    if more != {"type": _NEUTRAL.get(type)}:
        kept.setdefault("inputs", {})[name] = more
    return data


def _constraints(
    context: Context, declared: Input, type: str, more: dict[str, Any], first: list[dict[str, Any]]
) -> list[dict[str, Any]]:
    """The constraints of an input behind the ``first`` ones; those that have no form, and what people read of the
    others, in ``more``."""
    constraints, report = list(first), context.reporter.report
    for number, constraint in enumerate(declared.constraints):
        standard = None if context.is_2_0 else _constraint(constraint, type)
        if standard is None:
            row = [constraint.kind, constraint.argument, constraint.description, number]
            more.setdefault("constraints", []).append(row)
            code = "BPC429" if context.is_2_0 else "BPC808"
            report(code, constraint.path or declared.path, name=constraint.kind)
            continue
        if constraint.description is not None:
            more.setdefault("descriptions", []).append([len(constraints), constraint.description])
            report("BPC809", (*constraint.path[:-1], "description"), name="description")
        constraints += standard
    return constraints


def _entries(context: Context, declared: Input, data: dict[str, Any]) -> None:
    """Say what the entries of an input that is a list or a map are of. Where they differ, 2.0 has a data type; in 1.x
    tosca-parser takes none for an input, and puccini no default without it."""
    default, type = data.get("default"), data["type"]
    name = context.names.input(declared.name)
    row = context.schemas.row([] if default is None else [default], type, f"inputs.{name}")
    if row["type"] != type and context.is_2_0:
        data["type"] = row["type"]
        return
    fits = row["type"] == type and "entry_schema" in row
    data["entry_schema"] = dict(row["entry_schema"]) if fits else {"type": "string"}
    if not fits and default:
        context.reporter.report("BPC528", declared.path, name=declared.name)


def _default(context: Context, declared: Input, data: dict[str, Any], more: dict[str, Any], idle: bool) -> None:
    """The default in the form that the type in ``data`` wants. One that is computed, or that would be a call, is
    kept: then the input has to be given."""
    default, type = declared.default, data["type"]
    if default is MISSING:
        return
    if not is_constant(default) or any(called(call) is not None for call, _ in maps(default, ())):
        more["default"] = to_data(default)
        if not idle and isinstance(default, ex.Secret):
            words = {"name": declared.name, "what": "a secret", "then": "the input has to be given"}
            context.reporter.report("BPC247", (*declared.path, "default"), **words)
        elif not idle:
            context.reporter.report("BPC807", (*declared.path, "default"), name=declared.name)
        return
    if default is None:
        more["default"] = None
    if type == "float" and isinstance(default, int) and not isinstance(default, bool):
        data["default"] = float(default)
    elif type == "string" and isinstance(default, (bool, int, float)):
        data["default"] = str(default)
    else:
        data["default"] = write_value(default, context.prefix) if context.prefix else default


def _type(context: Context, declared: Input) -> str:
    """The type of an input, which its default and constraints have to fit, and its uses where nothing else tells."""
    default = declared.default
    if declared.name in context.texts:
        return "string"
    if declared.name in context.asked:
        return context.asked[declared.name]
    literal = next((name for kind, name in _LITERALS if isinstance(default, kind)), "")
    if declared.type == "number" and literal in ("", "integer", "float"):
        numbers = [default, *(constraint.argument for constraint in declared.constraints)]
        fraction = any(_has_fraction(number) for number in numbers)
        if not fraction:
            context.reporter.report("BPC873", declared.path, name=declared.name)
        return "float" if fraction else "integer"
    wanted = _TYPES.get(declared.type or "", "")
    if literal and literal != wanted:
        if declared.type not in (None, "json"):
            context.reporter.report("BPC874", declared.path, name=declared.name, type=literal)
        return literal
    return wanted or "string"


def _has_fraction(value: Any) -> bool:
    if isinstance(value, dict):
        return any(map(_has_fraction, value.values()))
    if isinstance(value, (list, tuple)):
        return any(map(_has_fraction, value))
    return isinstance(value, float) and not value.is_integer()


def _text_constraints(context: Context, declared: Input) -> list[dict[str, Any]] | None:
    """What keeps an input that is a text instead of a number or boolean to the texts of those; None for others."""
    if declared.name not in context.texts:
        return None
    context.reporter.report("BPC875", declared.path, name=declared.name, type=declared.type)
    return [{"pattern": _NUMBER}] if declared.type == "number" else [{"valid_values": list(_BOOLEANS)}]


def _constraint(constraint: Constraint, type: str) -> list[dict[str, Any]] | None:
    """The constraint as TOSCA writes it; None where it has none of the kind for the type."""
    argument = constraint.argument
    if constraint.kind == "allowed_values" and isinstance(argument, list):
        values = [_fitting(value, type) for value in argument]
        return None if type == "map" or MISSING in values else [{"valid_values": values}]
    if constraint.kind == "allowed_pattern" and type == "string":
        return [{"pattern": portable(argument) if isinstance(argument, str) else argument}]
    if constraint.kind == "length" and type == "string":
        least, most = argument.get("min"), argument.get("max")
        if least is not None and least == most:
            return [{"length": least}]
        names = {"min": "min_length", "max": "max_length"}
        return [{names[key]: bound} for key, bound in argument.items() if bound is not None]
    if constraint.kind == "range" and type in ("integer", "float"):
        least, most = (_fitting(argument.get(key), type) for key in ("min", "max"))
        if MISSING in (least, most):
            return None
        if least is not None and most is not None:
            return [{"in_range": [least, most]}]
        return [{"greater_or_equal": least}] if least is not None else [{"less_or_equal": most}]
    return None


def _fitting(value: Any, type: str) -> Any:
    """``value`` as a value of ``type`` is written, each item's where that is a list; MISSING where it is none."""
    if value is None or type == "list":
        return value
    if type == "string":
        return value if isinstance(value, str) else MISSING if isinstance(value, (list, dict)) else str(value)
    if type == "boolean":
        return value if isinstance(value, bool) else MISSING
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return MISSING
    return float(value) if type == "float" else int(value) if float(value).is_integer() else MISSING


def lower_output(
    context: Context, rewriter: ToscaRewriter, name_and_output: tuple[str, Output], kept: dict[str, Any]
) -> dict[str, Any]:
    """The output of a name, and in ``kept`` what TOSCA has no place for."""
    name, output = name_and_output
    data: dict[str, Any] = {}
    if output.description is not None:
        data["description"] = str(output.description)
    with rewriter.state(user=""):
        written = rewriter.written(output.value, (*output.path, "value"), inert="output")
    if output.value is None:
        context.reporter.report("BPC507", (*output.path, "value"), name=output.name)
    data["value"] = written = "" if written is None else written
    more: dict[str, Any] = {}
    difference = rewriter.kept(written, output.value)
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
        kept.setdefault("outputs", {})[name] = more
    return data
