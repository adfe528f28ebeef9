"""Which values an input's constraints allow, and what an input takes whose values are plain data.

The reasons are worded as those of heat/engine/constraints.py."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from bpconvert.diagnostics import SourceError
from bpconvert.models.expressions import Value
from bpconvert.models.topology import Input
from bpconvert.translators.support.patterns import TooLongError, match_end
from bpconvert.yamlio.document import load

_Reader: TypeAlias = Callable[[Any], Any]
#: neutral type -> the types of plain data that an input of it takes
_TAKES: Final[dict[str, tuple[type, ...]]] = {
    "string": (object,),
    "number": (int, float),
    "boolean": (bool,),
    "list": (list,),
    "json": (dict, list),
}
#: kind of a constraint -> the neutral types of inputs that may have it
TYPES: Final[dict[str, frozenset[str]]] = {
    "range": frozenset({"number"}),
    "length": frozenset({"string", "list", "json"}),
    "modulo": frozenset({"number"}),
    "allowed_values": frozenset({"string", "number", "boolean", "list"}),
    "allowed_pattern": frozenset({"string"}),
    "custom": frozenset({"string", "number", "boolean", "list"}),
}


def accept_data(declared: Input, value: Any) -> Value:
    """What a reference to the input yields when it is given ``value``, in a language whose values are plain data: the
    text of one that is not asked for as text is read as YAML. Raises ValueError where the type or a constraint refuses
    it."""
    kind = declared.type
    if isinstance(value, str) and kind not in (None, "string"):
        value = _data(value)
    if kind is None:
        return value
    if not isinstance(value, _TAKES[kind]) or (kind == "number" and isinstance(value, bool)):
        raise ValueError(f"{value!r} is no {kind}")
    compared = [str(item) for item in value] if isinstance(value, list) else value
    for constraint in declared.constraints:
        if kind not in TYPES[constraint.kind]:
            raise ValueError(f"{constraint.kind} constraint invalid for {kind}")
        check(
            constraint.kind,
            constraint.argument,
            compared,
            str if kind == "string" else lambda value: value,
            constraint.description,
        )
    return value


def _data(text: str) -> Any:
    try:
        return load(f"value: {text}\n", "<value>").data["value"]
    except SourceError as wrong:
        raise ValueError(wrong.diagnostic.message) from wrong


def check(kind: str, argument: Any, value: Any, read: _Reader, description: str | None = None) -> None:
    """Raise ValueError when a constraint (see :class:`~bpconvert.models.topology.Constraint`) refuses ``value``, or is
    itself wrong. ``read``: how the input's type reads a value, or one of the allowed ones; ``description`` replaces the
    reason. A custom constraint asks the cloud, and is taken to hold."""
    reason = _CHECKS[kind](argument, value, read) if kind in _CHECKS else None
    if reason is not None:
        raise ValueError(description or reason)


def to_number(value: Any) -> Any:
    """A number as it is, a text as an integer or else as a float (Python's ``int`` and ``float``)."""
    if isinstance(value, (int, float)):
        return value
    try:
        return int(value)
    except TypeError as wrong:
        raise ValueError(str(wrong)) from wrong
    except ValueError:
        return float(value)


def _bounds(argument: Any, names: tuple[str, str], kind: str) -> list[Any]:
    if not isinstance(argument, Mapping):
        raise ValueError(f"Invalid {kind} constraint, expected a mapping")
    for key in argument:
        if key not in names:
            raise ValueError(f"Invalid key '{key}' for {kind} constraint")
    return [None if argument.get(name) is None else to_number(argument[name]) for name in names]


def _is_whole(number: float) -> bool:
    return isinstance(number, int) or number.is_integer()


def _outside(number: Any, low: Any, high: Any) -> bool:
    return (low is not None and number < low) or (high is not None and number > high)


def _check_range(argument: Any, value: Any, read: _Reader) -> str | None:
    low, high = _bounds(argument, ("min", "max"), "range")
    if low is None and high is None:
        raise ValueError("A range constraint must have a min value and/or a max value specified.")
    if _outside(to_number(value), low, high):
        return f"{value} is out of range (min: {low}, max: {high})"
    return None


def _check_length(argument: Any, value: Any, read: _Reader) -> str | None:
    low, high = _bounds(argument, ("min", "max"), "length")
    if low is None and high is None:
        raise ValueError("A length constraint must have a min value and/or a max value specified.")
    if isinstance(low, float) or isinstance(high, float):
        raise ValueError("min/max length must be integral")
    if not isinstance(value, (str, list, dict)):
        raise ValueError(f"object of type '{value.__class__.__name__}' has no len()")
    if _outside(len(value), low, high):
        return f"length ({len(value)}) is out of range (min: {low}, max: {high})"
    return None


def _check_modulo(argument: Any, value: Any, read: _Reader) -> str | None:
    step, offset = _bounds(argument, ("step", "offset"), "modulo")
    if step is None or offset is None:
        raise ValueError("A modulo constraint must have a step value and an offset value specified.")
    if not _is_whole(step) or not _is_whole(offset):
        raise ValueError("step/offset must be integer")
    if step == 0:
        raise ValueError("step cannot be 0.")
    if abs(offset) >= abs(step):
        raise ValueError("offset must be smaller (by absolute value) than step.")
    if step * offset < 0:
        raise ValueError("step and offset must be both positive or both negative.")
    if to_number(value) % step != offset:
        return f"{value} is not a multiple of {step} with an offset of {offset}"
    return None


def _check_allowed_values(argument: Any, value: Any, read: _Reader) -> str | None:
    if not isinstance(argument, (list, tuple)):
        raise ValueError("AllowedValues must be a list")
    if isinstance(value, list):
        allowed = all(item in argument for item in value)
    else:
        allowed = read(value) in [read(item) for item in argument]
    if not allowed:
        return f"{json.dumps(value)} is not an allowed value [{', '.join(map(json.dumps, argument))}]"
    return None


def _check_allowed_pattern(argument: Any, value: Any, read: _Reader) -> str | None:
    """The first match from the start must reach the end: ``a|ab`` refuses ``ab``."""
    if not isinstance(argument, str):
        raise ValueError("AllowedPattern must be a string")
    if not isinstance(value, str):
        raise ValueError(f"expected string or bytes-like object, got '{value.__class__.__name__}'")
    try:
        end = match_end(argument, value)
    except TooLongError:  # the engine may not end either
        return None
    except re.error as wrong:
        raise ValueError(str(wrong)) from wrong
    if end != len(value):
        return f'"{value}" does not match pattern "{argument}"'
    return None


_CHECKS: Final[dict[str, Callable[[Any, Any, _Reader], str | None]]] = {
    "range": _check_range,
    "length": _check_length,
    "modulo": _check_modulo,
    "allowed_values": _check_allowed_values,
    "allowed_pattern": _check_allowed_pattern,
}
