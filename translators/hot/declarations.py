"""Parameters and outputs of the template."""

from __future__ import annotations

from typing import Any

from bpconvert.models.expressions import MISSING, Expr, Path, Value
from bpconvert.models.hot import Parameter
from bpconvert.models.topology import Constraint, Input, Output
from bpconvert.models.validation import validate
from bpconvert.translators.hot.context import Context
from bpconvert.translators.hot.legalise import Legaliser
from bpconvert.translators.hot.parameters import CONSTRAINT_TYPES, check_constraint, coerce
from bpconvert.translators.hot.writing import write_condition, write_value

#: neutral type -> HOT type
TYPES: dict[str, str] = {
    "string": "string",
    "number": "number",
    "boolean": "boolean",
    "list": "comma_delimited_list",
    "json": "json",
}
#: class of a literal -> the neutral type that keeps it as it is
_LITERALS: dict[type, str] = {
    bool: "boolean",
    int: "number",
    float: "number",
    str: "string",
    list: "json",
    dict: "json",
}

#: further keys of an input that are said with its type and default
_SAID = frozenset({"required", "item_type"})


def _at(path: Path, *steps: Any) -> Path:
    """A place inside what stands at ``path``; of something imported, ``path`` itself."""
    return path if path[:1] == ("imports",) else (*path, *steps)


# -- types --------------------------------------------------------------------------------------------------


def settle_types(context: Context) -> None:
    """Give every input the type that its parameter will have, before anything asks what a reference yields.

    An untyped input has the type of its default; a text whose default is no text becomes what the default is, unless
    its constraints are for texts: Heat would make text of it (heat/engine/parameters.py), Cloudify does not."""
    for declared in context.topology.inputs.values():
        found = _LITERALS.get(type(declared.default))
        if declared.type is None:
            declared.type = found
        elif declared.type == "string" and found not in (None, "string") and _takes(declared, str(found)):
            path = _at(declared.path, "type")
            context.reporter.report("BPC534", path, name=declared.name, type=TYPES[str(found)])
            declared.type = found


def _takes(declared: Input, neutral: str) -> bool:
    """True when all constraints of an input can be on a parameter of this type."""
    return all(TYPES[neutral] in CONSTRAINT_TYPES.get(_heat_kind(item), ()) for item in declared.constraints)


# -- parameters ---------------------------------------------------------------------------------------------


def lower_input(context: Context, declared: Input) -> dict[str, Any]:
    """The HOT parameter of an input, in the order of a careful author's keys."""
    path, report, kind = declared.path, context.reporter.report, context.parameter_type(declared)
    if declared.type is None and not isinstance(declared.default, Expr):
        report("BPC530", path, name=declared.name, type=kind)
    data: dict[str, Any] = {"type": kind}
    if declared.label is not None:
        data["label"] = str(declared.label)
    if declared.description is not None:
        data["description"] = str(declared.description)
    meant = context.default_of(declared)
    default = meant.value if meant.computed else _default(context, declared, meant.value, kind)
    if default is not MISSING:
        data["default"] = default
    hidden = meant.hidden or declared.hidden
    if hidden is not None:
        data["hidden"] = hidden
    if declared.hidden:
        report("BPC537", _at(path, "hidden"), name=declared.name)
    constraints = [
        item
        for constraint in declared.constraints
        if (item := _constraint(context, declared, constraint, kind, default))
    ]
    if constraints:
        data["constraints"] = constraints
    for key in declared.extra:
        if key not in _SAID:
            report("BPC531", _at(path, key), what=f"'{key}'")
    return data


def _default(context: Context, declared: Input, default: Value, kind: str) -> Any:
    """The default as the parameter's type takes it, MISSING where it takes none."""
    path = _at(declared.path, "default")
    if default is MISSING:
        return MISSING
    try:
        read = coerce(kind, default)
    except (ValueError, TypeError, OverflowError) as wrong:
        context.reporter.report("BPC533", path, problem=str(wrong))
        return MISSING
    if not same(read, default):
        context.reporter.report("BPC541", path, value=read)
        # Heat would read a text that was made of JSON once more
        return default if isinstance(read, str) and kind == "json" else read
    return default


def same(one: Any, other: Any) -> bool:
    """Equal, and of the same types all through (1 is not true)."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(value, other[key]) for key, value in one.items())
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return type(one) is type(other) and bool(one == other)


def _heat_kind(constraint: Constraint) -> str:
    return "custom_constraint" if constraint.kind == "custom" else constraint.kind


def _constraint(
    context: Context, declared: Input, constraint: Constraint, kind: str, default: Any
) -> dict[str, Any] | None:
    """The HOT constraint, None where the parameter's type takes none of its kind or the default breaks it."""
    name, path = _heat_kind(constraint), constraint.path or _at(declared.path, "constraints")
    if kind not in CONSTRAINT_TYPES.get(name, ()):
        context.reporter.report("BPC531", path, what=f"the constraint '{name}' of a {kind}")
        return None
    argument = constraint.argument
    if isinstance(argument, dict):
        argument = {key: bound for key, bound in argument.items() if bound is not None}
    problem = _unsound(kind, name, argument)
    if problem is not None:
        context.reporter.report("BPC531", path, what=f"the constraint '{name}' ({problem})")
        return None
    try:
        if default is not MISSING:
            check_constraint(kind, name, argument, default)
    except (ValueError, TypeError, OverflowError) as wrong:
        context.reporter.report("BPC532", path, problem=str(wrong))
        return None
    data: dict[str, Any] = {name: argument}
    if constraint.description is not None:
        data["description"] = str(constraint.description)
    return data


def _unsound(kind: str, name: str, argument: Any) -> str | None:
    """Why Heat refuses a constraint, whatever the value; None if it does not."""
    problems = validate(Parameter, {"type": kind, "constraints": [{name: argument}]})[1]
    if problems:
        return problems[0].text
    if name == "allowed_values" and kind != "comma_delimited_list":
        try:
            for item in argument:
                coerce(kind, item)
        except (ValueError, TypeError, OverflowError) as wrong:
            return str(wrong)
    return None


# -- outputs ------------------------------------------------------------------------------------------------


def lower_outputs(context: Context, legaliser: Legaliser) -> tuple[dict[str, Any], list[tuple[Path, Path]]]:
    """The outputs section: outputs, then capabilities. And the entry that each of the blueprint became."""
    topology = context.topology
    outputs: dict[str, Any] = {}
    places: list[tuple[Path, Path]] = []
    for name, output in topology.outputs.items():
        target = context.output_name(name)
        outputs[target] = lower_output(context, legaliser, output)
        places.append((output.path, ("outputs", target)))
    for name, output in topology.capabilities.items():
        target = context.output_name(name, "capabilities")
        context.reporter.report("BPC538", output.path, name=name, output=target)
        outputs[target] = lower_output(context, legaliser, output)
        places.append((output.path, ("outputs", target)))
    return outputs, places


def lower_output(context: Context, legaliser: Legaliser, output: Output) -> dict[str, Any]:
    """The HOT output of an output or a capability."""
    data: dict[str, Any] = {}
    if output.description is not None:
        data["description"] = str(output.description)
    if output.condition is not MISSING:
        data["condition"] = write_condition(legaliser.condition(output.condition, _at(output.path, "condition")))
    data["value"] = write_value(legaliser.value(output.value, _at(output.path, "value"), inert="output"))
    for key in output.extra:
        context.reporter.report("BPC531", _at(output.path, key), what=f"'{key}'")
    return data
