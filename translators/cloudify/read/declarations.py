"""Inputs, outputs and capabilities of a blueprint in neutral form."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, Final

from bpconvert.models.cloudify_checks import to_data
from bpconvert.models.cloudify_rules import OBJECT_TYPES
from bpconvert.models.expressions import MISSING, Expr, Path, Value
from bpconvert.models.plain import cloudify_declarations as dsl
from bpconvert.models.topology import Constraint, Input
from bpconvert.translators.cloudify.calls import called
from bpconvert.translators.cloudify.read.types import Types
from bpconvert.translators.cloudify.vocabulary import is_primitive, takes
from bpconvert.translators.passes.expressions.kinds import literal_kind
from bpconvert.translators.support.findings import Reports
from bpconvert.translators.support.patterns import TooLongError, match_end
from bpconvert.translators.toscalike.types import DATA, Read

#: DSL type -> neutral type, and how the check of given values differs
TYPES: Final[dict[str, tuple[str, str]]] = {
    "string": ("string", ""),
    "textarea": ("string", ""),
    "regex": ("string", "given values need not be regular expressions"),
    "integer": ("number", "given values may be fractions"),
    "float": ("number", ""),
    "boolean": ("boolean", ""),
    "list": ("json", ""),
    "dict": ("json", ""),
    **{name: ("string", f"nothing checks that the {name} exists") for name in OBJECT_TYPES},
}
#: neutral constraint -> neutral types that it can be put on
_APPLIES: Final[dict[str, tuple[str, ...]]] = {
    "range": ("number",),
    "length": ("string", "json"),
    "allowed_values": ("string", "number", "boolean"),
    "allowed_pattern": ("string",),
}
_ITEMS: Final = ("allowed_values",)
#: kind of a literal -> the type of the input that it is the default of
_OF_LITERALS: Final = {"boolean": "boolean", "number": "number", "text": "string", "list": "json", "map": "json"}
_OTHER_KEYS: Final = ("display", "item_type")


def read_input(name: str, declared: dsl.Input, path: Path, types: Types, read: Read, reporter: Reports) -> Input:
    """The neutral form of an input; ``path`` is its place in the main document."""
    report = reporter.report
    kind, item = declared.type, declared.item_type
    input_read = Input(name, None, path=path, label=declared.display_label, description=declared.description)
    if kind is not None:
        input_read.type, difference = TYPES.get(kind, ("json", f"given values need not fit the data type {kind}"))
        if kind == "list" and item is not None:
            input_read.type = "list" if item == "string" else "json"
            difference = "" if item == "string" else f"nothing checks that the items are of type {item}"
        if difference:
            report("BPC520", _at(path, "type"), name=name, type=kind, neutral=input_read.type, difference=difference)
        if not is_primitive(kind) and types.find(DATA, kind) is None:
            types.unknown(("inputs", name, "type"), "type", kind)
    for key, text in _refusals(declared):
        report("BPC121", _at(path, key), problem=text)
    input_read.hidden = declared.hidden
    if declared.required is not None:
        input_read.extra["required"] = declared.required
    for key in _OTHER_KEYS:
        value = getattr(declared, key)
        if value is not None and not (key == "item_type" and input_read.type == "list"):
            input_read.extra[key] = to_data(value) if key == "display" else value
    _default(input_read, declared, types, read, reporter)
    constraints = list(_constraints(declared, path, reporter)) if declared.constraints else []
    if kind is None:
        input_read.type = _guess(input_read.default, constraints)
    input_read.constraints = [c for c in constraints if _applies(c, input_read, report)]
    return input_read


def _refusals(declared: dsl.Input) -> Iterator[tuple[str, str]]:
    """Combinations of keys that the parser refuses: key, text."""
    if declared.hidden and declared.required is not False and "default" not in declared.model_fields_set:
        yield "hidden", "a hidden input needs a default or 'required: false'"
    if declared.display is not None and declared.type != "textarea":
        yield "display", "only an input of type textarea can have 'display'"
    if declared.item_type is not None and (declared.type != "list" or not is_primitive(declared.item_type)):
        yield "item_type", "only an input of type list can have 'item_type', and that has to be a primitive type"
    if declared.default is not None and declared.type in OBJECT_TYPES:
        yield "default", f"an input of type {declared.type} cannot have a default"
    if declared.constraints and called(declared.default):
        yield "default", "an input with constraints cannot have a function as its default"


def _at(path: Path, *steps: Any) -> Path:
    """A place inside what stands at ``path``; of something imported, ``path`` itself."""
    return path if path[0] == "imports" else (*path, *steps)


# -- default ------------------------------------------------------------------------------------------------


def _default(input_read: Input, declared: dsl.Input, types: Types, read: Read, reporter: Reports) -> None:
    """The default: completed with the defaults of its data type; without one those, where they are all it needs."""
    kind, path = declared.type, ("inputs", input_read.name, "default")
    problems: list[tuple[Path, str]] = []

    def refuse(steps: Path, text: str) -> None:
        problems.append((steps, text))

    if declared.default is None:
        if kind is not None and not is_primitive(kind):
            completed = types.fill({}, kind, MISSING, refuse, whole=True)
            input_read.default = completed if completed and not problems else MISSING
        return
    value = types.fill(read(declared.default, path), kind, MISSING, refuse, whole=True)
    if not problems and not isinstance(value, Expr):
        problems = [((), text) for text in _violations(declared, value)]
    for steps, text in problems:
        reporter.report("BPC522", _at(input_read.path, "default", *steps), name=input_read.name, problem=text)
    if not problems:
        input_read.default = value


def _violations(declared: dsl.Input, value: Value) -> list[str]:
    """What the parser finds wrong with a literal default: items of another type, constraints that it breaks."""
    per_item = declared.type == "list" and declared.item_type
    items = value if per_item and isinstance(value, list) else [value]
    violations = []
    if per_item and is_primitive(declared.item_type):
        violations = [f"every item must be of type {per_item}" for item in items if not takes(str(per_item), item)][:1]
    for constraint in declared.constraints or ():
        operator, argument = _operator(constraint)
        if isinstance(argument, dict) or operator not in _HOLDS or violations:
            continue
        try:
            holds = all(_HOLDS[operator](item, argument) for item in items if not isinstance(item, Expr))
        except TypeError:
            holds = False
        if not holds:
            violations.append(f"it breaks the constraint {operator}: {argument}")
    return violations


_HOLDS: Final[dict[str, Callable[[Any, Any], bool]]] = {
    "equal": lambda value, argument: bool(value == argument),
    "greater_than": lambda value, argument: bool(value > argument),
    "greater_or_equal": lambda value, argument: bool(value >= argument),
    "less_than": lambda value, argument: bool(value < argument),
    "less_or_equal": lambda value, argument: bool(value <= argument),
    "in_range": lambda value, argument: bool(argument[0] <= value <= argument[1]),
    "valid_values": lambda value, argument: value in argument,
    "length": lambda value, argument: bool(len(value) == argument),
    "min_length": lambda value, argument: bool(len(value) >= argument),
    "max_length": lambda value, argument: bool(len(value) <= argument),
    "pattern": lambda value, argument: _matches(argument, value),
}


def _matches(pattern: str, value: str) -> bool:
    try:
        return match_end(pattern, value) is not None
    except TooLongError:  # the engine may not end either
        return True


def _guess(default: Value, constraints: list[Constraint]) -> str | None:
    """The type of an input that says none: its literal default's, else the only one that its constraints allow."""
    if literal_kind(default) in _OF_LITERALS:
        return _OF_LITERALS[literal_kind(default)]
    kinds = {constraint.kind for constraint in constraints}
    if default is not MISSING or not kinds:
        return None
    return "string" if "allowed_pattern" in kinds else "number" if "range" in kinds else None


# -- constraints --------------------------------------------------------------------------------------------

#: DSL operator -> neutral constraint and its argument
_NEUTRAL: Final[dict[str, tuple[str, Callable[[Any], Any]]]] = {
    "in_range": ("range", lambda argument: {"min": argument[0], "max": argument[1]}),
    "greater_or_equal": ("range", lambda argument: {"min": argument}),
    "less_or_equal": ("range", lambda argument: {"max": argument}),
    "length": ("length", lambda argument: {"min": argument, "max": argument}),
    "min_length": ("length", lambda argument: {"min": argument}),
    "max_length": ("length", lambda argument: {"max": argument}),
    "valid_values": ("allowed_values", lambda argument: argument),
    "equal": ("allowed_values", lambda argument: [argument]),
    "pattern": ("allowed_pattern", lambda argument: whole_pattern(argument)),
}


def _operator(constraint: dict[str, Any]) -> tuple[str, Any]:
    """The operator that counts (of several the last one) and its argument."""
    return [(key, value) for key, value in constraint.items() if key != "error_message"][-1]


def _constraints(declared: dsl.Input, path: Path, reporter: Reports) -> list[Constraint]:
    constraints = []
    for index, constraint in enumerate(declared.constraints or ()):
        operator, argument = _operator(constraint)
        for other in constraint:
            if other not in (operator, "error_message"):
                problem = f"'{other}' without effect: of several operators in one item only the last one counts"
                reporter.report("BPC121", _at(path, "constraints", index, other), problem=problem)
        place = _at(path, "constraints", index, operator)
        if operator not in _NEUTRAL:
            reporter.report("BPC521", place, name=operator, why="it has no counterpart")
        elif isinstance(argument, dict):
            reporter.report("BPC521", place, name=operator, why="its argument is only known when deploying")
        else:
            kind, convert = _NEUTRAL[operator]
            constraints.append(Constraint(kind, convert(argument), constraint.get("error_message"), place, operator))
            continue
        if "error_message" in constraint:
            _lost_message(place, reporter.report)
    return constraints


def _applies(constraint: Constraint, input_read: Input, report: Callable[..., None]) -> bool:
    """Whether a constraint means the same for the neutral type; reported if not. Those of a list with an item type are
    for each item."""
    if input_read.type == "list" or "item_type" in input_read.extra:
        fits, why = constraint.kind in _ITEMS and input_read.type == "list", "it is for each item of the list"
    elif constraint.kind == "allowed_values" and isinstance(input_read.default, (list, dict)):
        fits, why = False, "it is for whole lists or maps"
    else:
        fits = input_read.type is None or input_read.type in _APPLIES[constraint.kind]
        why = f"it cannot be put on a {input_read.type}"
    if not fits:
        name = constraint.kind if constraint.path[0] == "imports" else str(constraint.path[-1])
        report("BPC521", constraint.path, name=name, why=why)
        if constraint.description is not None:
            _lost_message(constraint.path, report)
    return fits


def _lost_message(place: Path, report: Callable[..., None]) -> None:
    """Report the message of the constraint at ``place``, which is not converted."""
    message_place = place if place[0] == "imports" else (*place[:-1], "error_message")
    report("BPC521", message_place, name="error_message", why="it is the message of a constraint that is not converted")


# -- patterns -----------------------------------------------------------------------------------------------

_FLAGS: Final = re.compile(r"\(\?([aiLmsux]+)\)")
#: what hot2cfy makes of a Heat pattern with an alternation (inputs.py)
_LOOKAHEAD: Final = re.compile(r"\(\?=\(\?P<(whole\w*)>(.*)\)\)\(\?P=\1\)\\Z", re.DOTALL)


def whole_pattern(pattern: str) -> str:
    """A pattern that, matching the whole text, accepts what ``pattern`` accepts at its start (``re.match``).

    The forms that hot2cfy writes become what they were. ``$`` also matches before a last line break; such values are
    refused here."""
    flags = _FLAGS.match(pattern)
    start, letters = (flags[0], flags[1]) if flags else ("", "")
    body = pattern[len(start) :]
    end = "\n" if "x" in letters else ""
    wrapped = _LOOKAHEAD.fullmatch(body)
    if wrapped:
        return start + wrapped[2].removesuffix(end)
    if _ends_in(body, "\\Z") and not _alternates(body):
        plain = "|" not in body and "?" not in body.replace("(?", "")
        return start + body[:-2].removesuffix(end) if plain else pattern
    if _ends_in(body, "$") and not _alternates(body) and "m" not in letters and "(?m" not in body:
        return f"{pattern}{end}"
    return f"{start}(?:{body}{end})(?s:.*)" if _alternates(body) else f"{start}{body}{end}(?s:.*)"


def _ends_in(body: str, anchor: str) -> bool:
    """True when ``body`` ends in an anchor that no backslash or bracket makes something else."""
    before = body.removesuffix(anchor)
    return before != body and (len(before) - len(before.rstrip("\\"))) % 2 == 0


def _alternates(body: str) -> bool:
    """True when ``body`` has a ``|`` outside of all groups."""
    depth = 0
    for token in re.finditer(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|[()|]", body, re.DOTALL):
        if token[0] == "|" and depth == 0:
            return True
        depth += {"(": 1, ")": -1}.get(token[0], 0)
    return False
