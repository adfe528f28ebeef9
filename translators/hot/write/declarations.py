"""Parameters and outputs of the template."""

from __future__ import annotations

import re
from typing import Any

from bpconvert.models.expressions import MISSING, Expr, Path, Value
from bpconvert.models.plain import validate
from bpconvert.models.plain.hot import Parameter
from bpconvert.models.topology import Constraint, Input, Output
from bpconvert.translators.evaluate.parameters import CONSTRAINT_TYPES, check_constraint, coerce
from bpconvert.translators.hot import resource_types
from bpconvert.translators.hot.functions import parameters_in
from bpconvert.translators.hot.write import conditions
from bpconvert.translators.hot.write.calls import write_condition, write_value
from bpconvert.translators.hot.write.context import Context
from bpconvert.translators.hot.write.defaults import TYPES, Default
from bpconvert.translators.hot.write.rewriter import HotRewriter
from bpconvert.translators.passes.expressions.kinds import INPUT_TYPES, literal_kind

#: neutral type -> what its values are called
_VALUES: dict[str, str] = {"number": "numbers", "boolean": "true and false", "json": "lists and maps"}
#: HOT type -> the default of a parameter that nothing needs
_EMPTY: dict[str, Any] = {"string": "", "number": 0, "boolean": False, "comma_delimited_list": [], "json": {}}
_CONFIDENTIAL = re.compile("password|secret|key", re.IGNORECASE)
#: keys of a parameter that only HOT has, which another language has kept -> what they are
_OWN: dict[str, type[Any]] = {"immutable": bool, "tags": list, "default": type(None)}
#: further keys of an input that its type and default stand for
_DONE = frozenset({"required", "item_type"})


# -- types --------------------------------------------------------------------------------------------------


def settle_types(context: Context) -> None:
    """Give every input the type that its parameter will have, before anything asks what a reference yields.

    An untyped input has the type of its default; a text whose default is no text becomes what the default is, unless
    its constraints are for texts, or it is used in texts only: Heat would make text of it (heat/engine/parameters.py),
    the source does not."""
    report, inside = context.reporter.report, context.words.inside
    for declared in context.topology.inputs.values():
        kind = INPUT_TYPES.get(literal_kind(declared.default))
        if _as_used(context, declared, kind):
            continue
        if declared.type is None or declared.guessed:
            declared.type = declared.type or kind
            if kind not in (None, "string"):
                report("BPC535", declared.path, name=declared.name, type=TYPES[str(declared.type)])
        elif declared.type == "string" and kind not in (None, "string") and _takes(declared, str(kind)):
            if kind != "json" and declared.name in context.uses.in_texts:
                report("BPC532", inside(declared.path, "default"), name=declared.name)
                declared.default = str(declared.default)
                continue
            report("BPC534", inside(declared.path, "type"), name=declared.name, values=_VALUES[str(kind)])
            declared.type = kind


#: type of a property -> of an input whose value it is, where a text would not do
_WANTED: dict[str, str] = {"list": "json", "map": "json", "integer": "number", "number": "number", "boolean": "boolean"}


def _as_used(context: Context, declared: Input, kind: str | None) -> bool:
    """Give an input that takes anything the type of the properties that it is used for. False where those do not tell:
    what Heat makes of a number for a text (heat/engine/properties.py, ``_get_string``) is the text. An empty map or
    list as a text's default stands for a text that is given when deploying: the plugin refuses it as well."""
    wanted = context.uses.wanted.get(declared.name)
    untyped = declared.type is None or declared.guessed
    if wanted is None or not (untyped or declared.type == "string") or not _takes(declared, "string"):
        return False
    if wanted == "string" and untyped and declared.default in ({}, []) and not declared.constraints:
        declared.type, declared.default = "string", ""
        context.reporter.report("BPC547", declared.path, name=declared.name)
        return True
    if wanted == "string" and kind == "number" and not declared.constraints:
        declared.type, declared.default = "string", str(declared.default)
        context.reporter.report("BPC544", declared.path, name=declared.name, type="string")
        return True
    is_structure = wanted in ("list", "map")
    if (
        declared.default is not MISSING
        or wanted not in _WANTED
        or not (untyped or is_structure)
        or declared.constraints
    ):
        return False
    declared.type = _WANTED[wanted]
    context.reporter.report("BPC544", declared.path, name=declared.name, type=TYPES[declared.type])
    return True


def _takes(declared: Input, neutral: str) -> bool:
    """True when all constraints of an input can be on a parameter of this type."""
    return all(TYPES[neutral] in CONSTRAINT_TYPES.get(_heat_kind(item), ()) for item in declared.constraints)


# -- parameters ---------------------------------------------------------------------------------------------


def lower_input(context: Context, declared: Input, idle: str = "") -> dict[str, Any]:
    """The HOT parameter of an input, in the order of a careful author's keys. ``idle``: why nobody needs to give it."""
    path, kind = declared.path, context.defaults.type_of(declared)
    report, inside = context.reporter.report, context.words.inside
    if declared.type is None and not isinstance(declared.default, Expr):
        report("BPC530", path, name=declared.name, type=kind)
    data: dict[str, Any] = {"type": kind}
    if declared.label is not None:
        data["label"] = str(declared.label)
    if declared.description is not None:
        data["description"] = str(declared.description)
    meant = context.defaults.default(declared)
    default = meant.value if meant.computed else _default(context, declared, meant.value, kind)
    if default is not MISSING or idle:
        data["default"] = _EMPTY[kind] if default is MISSING else default
    _report_default(context, declared, meant, idle, has_none=default is MISSING)
    secret = bool(idle) and default is MISSING and bool(_CONFIDENTIAL.search(declared.name))
    hidden = meant.hidden or secret or declared.hidden
    if hidden is not None:
        data["hidden"] = hidden
    if declared.hidden:
        report("BPC537", inside(path, "hidden"), name=declared.name)
    constraints = [
        item
        for constraint in declared.constraints
        if (item := _constraint(context, declared, constraint, kind, default, meant.computed))
    ]
    if idle and default is MISSING:
        broken = [item for item in constraints if not _holds(kind, item, data["default"])]
        constraints = [item for item in constraints if item not in broken]
        if broken:
            report("BPC502", inside(path, "constraints"), what="the constraint that an empty value breaks")
    if constraints:
        data["constraints"] = constraints
    for key, value in declared.extra.items():
        if _OWN.get(key) is type(value):
            data.setdefault(key, value)
        elif key not in _DONE:
            report("BPC502", inside(path, key), what=f"'{key}'")
    return data


def _report_default(context: Context, declared: Input, meant: Default, idle: str, *, has_none: bool) -> None:
    """Report what is not as it was of the default of an input, which is ``meant``; ``has_none``: there is none that the
    parameter takes."""
    report, place = context.reporter.report, context.words.inside(declared.path, "default")
    if idle and has_none and not meant.lost:
        report("BPC542", declared.path, name=declared.name, what=idle)
    if meant.lost:
        then = f"{idle}, so that it has an empty one" if idle else "the parameter has to be given"
        report("BPC247", place, name=declared.name, what=meant.lost, then=then)
    if meant.computed and declared.type in ("number", "boolean"):
        report("BPC536", declared.path, name=declared.name, type=declared.type)
    if meant.computed and declared.default not in (MISSING, None) and not context.defaults.is_used(declared):
        report("BPC246", place, name=declared.name)


def _holds(kind: str, constraint: dict[str, Any], value: Any) -> bool:
    """True when a written constraint takes ``value``; what only the cloud knows does not count as such."""
    name = next(iter(constraint))
    try:
        check_constraint(kind, name, constraint[name], value)
    except (ValueError, TypeError, OverflowError):
        return False
    return name != "custom_constraint"


def idle_inputs(context: Context, sections: dict[str, Any]) -> dict[str, str]:
    """The inputs that the source uses and the written ``sections`` do not need, and why: what they were for is left
    out, or stand-ins show a default that is not known."""
    resources = sections["resources"].values()
    needed = _parameters([resource for resource in resources if resource["type"] != resource_types.NONE], sections)
    unneeded = {
        name: declared
        for name, declared in context.topology.inputs.items()
        if context.names.parameter(name) not in needed and name in context.uses.asked
    }
    used = needed | parameters_in([resource for resource in resources if resource["type"] == resource_types.NONE])
    reasons: dict[str, str] = {}
    for name, declared in unneeded.items() if MISSING not in used else ():
        if context.names.parameter(name) not in used:
            reasons[name] = "nothing uses it any more"
        elif context.defaults.default(declared).lost:
            reasons[name] = "only stand-ins use it"
    return reasons


def needed_parameters(extra: dict[str, dict[str, Any]], sections: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Those of the added parameters that the written ``sections`` refer to."""
    if not extra:
        return {}
    used = _parameters(list(sections["resources"].values()), sections)
    return {name: data for name, data in extra.items() if name in used or MISSING in used}


def _parameters(resources: list[Any], sections: dict[str, Any]) -> set[Any]:
    """The names of the parameters that ``resources``, the conditions and the outputs refer to; MISSING among them: a
    name is computed."""
    return parameters_in([resources, sections["conditions"], sections["outputs"]])


def _default(context: Context, declared: Input, default: Value, kind: str) -> Any:
    """The default as the parameter's type takes it, MISSING where it takes none."""
    path = context.words.inside(declared.path, "default")
    if default is MISSING:
        return MISSING
    try:
        read = coerce(kind, default)
    except (ValueError, TypeError, OverflowError) as wrong:
        context.reporter.report("BPC504", path, problem=str(wrong))
        return MISSING
    if not same(read, default):
        context.reporter.report("BPC541", path, value=read)
        # Heat would read a text that was made of JSON once more
        return default if isinstance(read, str) and kind == "json" else read
    return default


def same(left: Any, other: Any) -> bool:
    """Equal, and of the same types all through (1 is not true)."""
    if isinstance(left, dict) and isinstance(other, dict):
        return left.keys() == other.keys() and all(same(value, other[key]) for key, value in left.items())
    if isinstance(left, list) and isinstance(other, list):
        return len(left) == len(other) and all(map(same, left, other))
    return type(left) is type(other) and bool(left == other)


def _heat_kind(constraint: Constraint) -> str:
    return "custom_constraint" if constraint.kind == "custom" else constraint.kind


def _constraint(
    context: Context, declared: Input, constraint: Constraint, kind: str, default: Any, neutral: bool
) -> dict[str, Any] | None:
    """The HOT constraint, None where the parameter's type takes none of its kind or the default breaks it. ``neutral``:
    the default only shows that nothing was given."""
    name, path = _heat_kind(constraint), constraint.path or context.words.inside(declared.path, "constraints")
    if kind not in CONSTRAINT_TYPES.get(name, ()):
        if neutral and kind == "json" and declared.type in ("number", "boolean"):
            context.reporter.report("BPC543", path, name=name, type=declared.type)
        else:
            context.reporter.report("BPC502", path, what=f"the constraint '{name}' of a {kind}")
        return None
    argument = constraint.argument
    if isinstance(argument, dict):
        argument = {key: bound for key, bound in argument.items() if bound is not None}
    problem = _unsound(kind, name, argument)
    if problem is not None:
        context.reporter.report("BPC502", path, what=f"the constraint '{name}' ({problem})")
        return None
    try:
        if default is not MISSING:
            check_constraint(kind, name, argument, default)
    except (ValueError, TypeError, OverflowError) as wrong:
        if not neutral or name != "allowed_values":
            reason = "the empty default would break it" if neutral else str(wrong)
            context.reporter.report("BPC502", path, what=f"the constraint '{name}' ({reason})")
            return None
        argument = [*argument, default]
    data: dict[str, Any] = {name: argument}
    if constraint.description is not None:
        data["description"] = str(constraint.description)
    return data


def _unsound(kind: str, name: str, argument: Any) -> str | None:
    """Why Heat refuses a constraint, whatever the value; None if it does not."""
    problems = validate(Parameter, {"type": kind, "constraints": [{name: argument}]})[1]
    if problems:
        return problems[0].text
    if name == "allowed_values" and kind == "comma_delimited_list" and any(isinstance(v, list) for v in argument):
        return "Heat compares the items of a list, not the whole list"
    if name == "allowed_values":
        try:
            for item in argument:
                coerce(kind, item)
        except (ValueError, TypeError, OverflowError) as wrong:
            return str(wrong)
    return None


# -- outputs ------------------------------------------------------------------------------------------------


def lower_outputs(context: Context, rewriter: HotRewriter) -> tuple[dict[str, Any], list[tuple[Path, Path]]]:
    """The outputs section: outputs, then capabilities. And the entry that each of the source became."""
    topology = context.topology
    outputs: dict[str, Any] = {}
    places: list[tuple[Path, Path]] = []
    for section, entries in (("outputs", topology.outputs), ("capabilities", topology.capabilities)):
        for name, output in entries.items():
            target = context.names.output(name, section)
            if section == "capabilities":
                context.reporter.report("BPC538", output.path, name=name, output=target)
            outputs[target] = lower_output(context, rewriter, output, target)
            places.append((output.path, ("outputs", target)))
    return outputs, places


def lower_output(context: Context, rewriter: HotRewriter, output: Output, name: str) -> dict[str, Any]:
    """The HOT output ``name`` of an output or a capability."""
    inside = context.words.inside
    data: dict[str, Any] = {}
    if output.description is not None:
        data["description"] = str(output.description)
    if output.condition is not MISSING:
        place = inside(output.path, "condition")
        data["condition"] = write_condition(conditions.value(rewriter, output.condition, place))
    inert = "" if context.request.files.inner else "output"  # another document uses what a nested one has
    shown = rewriter.shown
    data["value"] = write_value(rewriter.value(output.value, inside(output.path, "value"), inert=inert))
    if rewriter.shown > shown:
        context.shown[name] = output.value
    for key in output.extra:
        context.reporter.report("BPC502", inside(output.path, key), what=f"'{key}'")
    return data
