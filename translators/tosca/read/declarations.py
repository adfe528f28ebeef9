"""Inputs of a service template in neutral form."""

from __future__ import annotations

import re
from math import inf
from typing import Any, Final

from bpconvert.models.expressions import Path, Value
from bpconvert.models.plain import tosca
from bpconvert.models.topology import Constraint, Input
from bpconvert.translators.tosca import functions_2_0
from bpconvert.translators.tosca.patterns import plain
from bpconvert.translators.tosca.read import sizes
from bpconvert.translators.tosca.read.reading import Reading
from bpconvert.translators.tosca.read.structures import Structures
from bpconvert.translators.tosca.read.types import DATA, Types
from bpconvert.yamlio.scalars import MOST_DIGITS

#: type of an input -> neutral type
TYPES: Final = {
    "string": "string", "integer": "number", "float": "number", "boolean": "boolean", "list": "json", "map": "json",
    "timestamp": "string", "version": "string", "range": "json", "scalar-unit.time": "string",
    "scalar-unit.frequency": "string", "scalar-unit.bitrate": "string",
}  # fmt: skip
#: types of an input whose values are lists; other structures are maps
_LISTS: Final = ("list", "range")
#: type of an input -> what the neutral type does not check
_LOOSER: Final = {
    "integer": "given values may be fractions", "timestamp": "any text is taken", "version": "any text is taken",
    "range": "any list or map is taken", "scalar-unit.time": "any text is taken",
    "scalar-unit.frequency": "any text is taken", "scalar-unit.bitrate": "any text is taken",
}  # fmt: skip


def read_input(declared: tosca.Input, reading: Reading, name: str, types: Types) -> Input:
    """The neutral form of an input. One of a data type is what that is derived from, or a map."""
    path: Path = ("inputs", name)
    more = reading.kept_entry("inputs", name)
    input_read = Input(name, more.get("type") or _neutral(declared.type or "string", types), path=path)
    input_read.description = declared.description
    if input_read.type == "json" and "type" not in more:
        input_read.structure = "list" if _is_list(declared.type or "", types) else "map"
    if declared.type in _LOOSER and "type" not in more:
        words = {"type": declared.type, "neutral": input_read.type, "difference": _LOOSER[declared.type]}
        reading.findings.report("BPC520", (*path, "type"), name=name, **words)
    if "default" in more and declared.default is None:
        input_read.default = reading.kept_value(more["default"], path)
    elif declared.default is not None:
        default = reading.value(declared.default, (*path, "default"))
        row = {"type": declared.type, "entry_schema": declared.entry_schema}
        input_read.default = Structures(types, reading).completed(default, row)
        if more.get("text"):
            input_read.default = _of_text(input_read.default)
        else:
            input_read.default = _typed(input_read.type, input_read.default, (*path, "default"), reading)
    input_read.label, input_read.hidden = more.get("label"), more.get("hidden")
    extra = reading.kept_value(more.get("extra", {}), path)
    input_read.extra = extra if isinstance(extra, dict) else {}
    if declared.required is False and not more.get("idle"):
        input_read.extra = {**input_read.extra, "required": False}
    written = declared.constraints
    if declared.validation is not None:
        written = functions_2_0.constraints(declared.validation)
        if written is None:
            reading.findings.report("BPC853", (*path, "validation"), name=name, why="they compute something")
    if isinstance(written, dict):
        written = [{operator: argument} for operator, argument in written.items()]
    if not more.get("text"):
        written = _typed_constraints(written, input_read.type, path, reading)
    input_read.constraints = _constraints(_in_full(written, declared.type), more, path)
    for operator in _unknown(written, declared.type):
        reading.findings.report("BPC853", (*path, "constraints"), name=name, why=f"'{operator}' has no counterpart")
    if declared.type == sizes.SIZE:
        sizes.count_gib(input_read)
    return input_read


def _neutral(kind: str, types: Types) -> str | None:
    """The neutral type of a type; None where that is not known."""
    if kind in TYPES or kind == sizes.SIZE:
        return TYPES.get(kind)
    ancestry = types.ancestry(DATA, kind)
    neutral = next((TYPES[ancestor] for ancestor in ancestry if ancestor in TYPES), None)
    return neutral or ("json" if types.properties(DATA, ancestry[0]) else None)


def _is_list(kind: str, types: Types) -> bool:
    return next((ancestor in _LISTS for ancestor in types.ancestry(DATA, kind) if ancestor in TYPES), False)


def _of_text(value: Value) -> Value:
    """The number or boolean that an input was which is used in texts only (:mod:`~.tosca.write.declarations`)."""
    if not isinstance(value, str) or value in _BOOLEANS:
        return _BOOLEANS[value] if isinstance(value, str) else value
    for number in (int, float):
        try:
            return number(value)
        except ValueError:
            continue
    return value


_BOOLEANS: Final = {"True": True, "False": False}
#: texts that engines take for truth values and numbers, where the type is one
_TRUTHS: Final = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
_LENGTHS: Final = ("length", "min_length", "max_length")
_NUMBER: Final = re.compile(r"\s*[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?\s*")


def _typed(kind: str | None, value: Value, path: Path, reading: Reading) -> Value:
    """A literal as a type has it: engines take the text of a number for the number. Others refuse it."""
    read: Value = value
    if isinstance(value, str) and kind == "number" and _NUMBER.fullmatch(value) and len(value) <= MOST_DIGITS:
        number = float(value) if {".", "e"} & {*value.lower()} else int(value)
        read = value if abs(number) == inf else number
    elif isinstance(value, str) and kind == "boolean":
        read = _TRUTHS.get(value.strip().lower(), value)
    if read is not value:
        reading.findings.report("BPC509", path, value=read)
    return read


def _typed_constraints(rows: Any, kind: str | None, path: Path, reading: Reading) -> Any:
    """The constraints as written, with what they compare a value of this type with as values of it."""
    if not isinstance(rows, list):
        return rows
    read = []
    for index, row in enumerate(rows):
        for operator, argument in row.items() if isinstance(row, dict) else ():
            wanted, place = "number" if operator in _LENGTHS else kind, (*path, "constraints", index, operator)
            if isinstance(argument, list):
                items = [_typed(wanted, item, (*place, number), reading) for number, item in enumerate(argument)]
                row = {**row, operator: items}
            else:
                row = {**row, operator: _typed(wanted, argument, place, reading)}
        read.append(row)
    return read


def _constraints(rows: Any, more: dict[str, Any], path: Path) -> list[Constraint]:
    """The constraints as written, but for the first one where that stands for the type of a text, with what is kept of
    them. The values of such a text are numbers or booleans."""
    constraints: list[Constraint] = []
    descriptions = dict(more.get("descriptions", ()))
    is_text = bool(more.get("text"))
    for index, item in enumerate(rows if isinstance(rows, list) else ()):
        for operator, argument in item.items() if isinstance(item, dict) and (index or not is_text) else ():
            if is_text and isinstance(argument, list):
                argument = [_of_text(value) for value in argument]
            constraint = _constraint(operator, argument, (*path, "constraints", index, operator))
            if constraint is None:
                continue
            constraint.word = operator
            constraint.description = descriptions.get(index)
            last = constraints[-1] if constraints else None
            if operator == "max_length" and last is not None and last.kind == "length" and last.argument["max"] is None:
                last.argument["max"] = argument
            else:
                constraints.append(constraint)
    for kind, argument, description, place in more.get("constraints", ()):
        constraints.insert(place, Constraint(kind, argument, description, path, kind))
    return constraints


#: what operators take that do not take a single value
_ARGUMENTS: Final[dict[str, type]] = {"valid_values": list, "in_range": list, "pattern": str, "equal": object}
#: limits that are not allowed themselves -> those that are, and the step of whole numbers between them
_STEPS: Final = {"greater_than": ("greater_or_equal", 1), "less_than": ("less_or_equal", -1)}


def _in_full(rows: Any, type: str | None) -> Any:
    """Constraints of whole numbers with limits that are allowed in place of those that are not."""
    if type != "integer" or not isinstance(rows, list):
        return rows
    return [dict(_stepped(*item) for item in row.items()) if isinstance(row, dict) else row for row in rows]


def _stepped(operator: Any, limit: Any) -> tuple[Any, Any]:
    if operator not in _STEPS or not isinstance(limit, int):
        return operator, limit
    other, step = _STEPS[operator]
    return other, limit + step


def _unknown(rows: Any, type: str | None) -> list[str]:
    """The operators of constraints that have no neutral form."""
    rows_in_full = _in_full(rows, type)
    return [
        str(operator)
        for row in (rows_in_full if isinstance(rows_in_full, list) else ())
        for operator, argument in (row.items() if isinstance(row, dict) else ())
        if _constraint(operator, argument, ()) is None
    ]


def _takes(operator: str, argument: Any) -> bool:
    """Whether the argument of an operator is of the kind that it takes; others are refused by engines."""
    kind = _ARGUMENTS.get(operator)
    return not isinstance(argument, (dict, list, type(None))) if kind is None else isinstance(argument, kind)


def _constraint(operator: str, argument: Any, path: Path) -> Constraint | None:
    """The neutral form of a constraint; None for one that there is none of."""
    if not _takes(operator, argument):
        return None
    if operator == "valid_values":
        return Constraint("allowed_values", argument, path=path)
    if operator == "equal":
        return Constraint("allowed_values", [argument], path=path)
    if operator == "pattern":
        return Constraint("allowed_pattern", plain(str(argument)), path=path)
    if operator == "in_range" and isinstance(argument, list) and len(argument) == 2:
        least, most = (None if bound == "UNBOUNDED" else bound for bound in argument)
        return Constraint("range", {"min": least, "max": most}, path=path)
    if operator == "greater_or_equal":
        return Constraint("range", {"min": argument, "max": None}, path=path)
    if operator == "less_or_equal":
        return Constraint("range", {"min": None, "max": argument}, path=path)
    if operator in ("length", "min_length", "max_length"):
        least = None if operator == "max_length" else argument
        most = None if operator == "min_length" else argument
        return Constraint("length", {"min": least, "max": most}, path=path)
    return None
