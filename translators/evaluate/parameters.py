"""What a HOT parameter yields for a given value, and which values its constraints allow.

The rules are those of heat/engine/parameters.py (coercion) and heat/engine/constraints.py (constraints), with the
engine's own reasons as messages.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from bpconvert.models.hot import is_whole

#: Neutral type names stand for HOT's own.
_ALIASES = {"list": "comma_delimited_list"}
_TRUE = frozenset({"1", "t", "true", "on", "y", "yes"})
_FALSE = frozenset({"0", "f", "false", "off", "n", "no"})


def coerce(type: str, value: Any) -> Any:
    """What ``get_param`` yields when ``value`` is given for a parameter of ``type``.

    ``type`` is ``string``, ``number``, ``boolean``, ``comma_delimited_list`` (or the neutral ``list``) or ``json``.
    Raises ValueError with the engine's reason when the type refuses the value; a null means that none is given.
    """
    reader = _COERCERS.get(_ALIASES.get(type, type))
    if reader is None:
        raise ValueError(f"Invalid type ({type})")
    if value is None:
        raise ValueError("The parameter was not provided.")
    return reader(value)


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


def to_boolean(value: Any) -> bool:
    """The truth that ``value``, as text, names."""
    text = str(value).strip().lower()
    if text in _TRUE:
        return True
    if text in _FALSE:
        return False
    acceptable = ", ".join(f"'{word}'" for word in sorted(_TRUE | _FALSE))
    raise ValueError(f"Unrecognized value '{value}', acceptable values are: {acceptable}")


def to_list(value: Any) -> list[str]:
    """A list with its items as text, or a text split at every comma."""
    if isinstance(value, list):
        return [str(item) for item in value]
    if not isinstance(value, str):
        kind = value.__class__.__name__
        raise ValueError(f"Value must be a comma-delimited list string: '{kind}' object has no attribute 'split'")
    return value.split(",") if value else []


def to_json(value: Any) -> Any:
    """A JSON text parsed (an empty one stays), other data as it comes back from JSON."""
    import json

    try:
        text = value if isinstance(value, str) else json.dumps(value)
        return json.loads(text) if text else value
    except (ValueError, TypeError) as wrong:
        raise ValueError(f"Value must be valid JSON: {wrong}") from wrong


_COERCERS: dict[str, Callable[[Any], Any]] = {
    "string": str,
    "number": to_number,
    "boolean": to_boolean,
    "comma_delimited_list": to_list,
    "json": to_json,
}

# -- constraints --------------------------------------------------------------------------------------------

#: The types that each constraint may be put on.
CONSTRAINT_TYPES: dict[str, frozenset[str]] = {
    "range": frozenset({"number"}),
    "length": frozenset({"string", "comma_delimited_list", "json"}),
    "modulo": frozenset({"number"}),
    "allowed_values": frozenset({"string", "number", "boolean", "comma_delimited_list"}),
    "allowed_pattern": frozenset({"string"}),
    "custom_constraint": frozenset({"string", "number", "boolean", "comma_delimited_list"}),
}


def check_constraint(type: str, kind: str, argument: Any, value: Any, description: str | None = None) -> None:
    """Raise ValueError when a constraint refuses ``value`` for a parameter of ``type``, or is itself wrong.

    ``kind`` and ``argument`` are the constraint's key and what stands behind it (``custom`` is accepted for
    ``custom_constraint``); ``value`` is as given, before coercion. ``description`` replaces the reason. Custom
    constraints ask the cloud and are taken to hold.
    """
    type = _ALIASES.get(type, type)
    kind = "custom_constraint" if kind == "custom" else kind
    if kind not in CONSTRAINT_TYPES:
        raise ValueError("No constraint expressed")
    if type not in CONSTRAINT_TYPES[kind]:
        raise ValueError(f"{kind} constraint invalid for {type}")
    if kind == "custom_constraint":
        return
    if type in ("comma_delimited_list", "json"):
        value = coerce(type, value)
    reason = _CHECKS[kind](argument, value, type)
    if reason is not None:
        raise ValueError(description or reason)


def _bounds(argument: Any, names: tuple[str, str], kind: str) -> list[Any]:
    if not isinstance(argument, Mapping):
        raise ValueError(f"Invalid {kind} constraint, expected a mapping")
    for key in argument:
        if key not in names:
            raise ValueError(f"Invalid key '{key}' for {kind} constraint")
    return [None if argument.get(name) is None else to_number(argument[name]) for name in names]


def _outside(number: Any, low: Any, high: Any) -> bool:
    return (low is not None and number < low) or (high is not None and number > high)


def _check_range(argument: Any, value: Any, type: str) -> str | None:
    low, high = _bounds(argument, ("min", "max"), "range")
    if low is None and high is None:
        raise ValueError("A range constraint must have a min value and/or a max value specified.")
    if _outside(to_number(value), low, high):
        return f"{value} is out of range (min: {low}, max: {high})"
    return None


def _check_length(argument: Any, value: Any, type: str) -> str | None:
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


def _check_modulo(argument: Any, value: Any, type: str) -> str | None:
    step, offset = _bounds(argument, ("step", "offset"), "modulo")
    if step is None or offset is None:
        raise ValueError("A modulo constraint must have a step value and an offset value specified.")
    if not is_whole(step) or not is_whole(offset):
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


def _check_allowed_values(argument: Any, value: Any, type: str) -> str | None:
    import json

    if not isinstance(argument, (list, tuple)):
        raise ValueError("AllowedValues must be a list")
    if isinstance(value, list):
        allowed = all(item in argument for item in value)
    else:
        convert = _COERCERS[type]
        allowed = convert(value) in [convert(item) for item in argument]
    if not allowed:
        return f"{json.dumps(value)} is not an allowed value [{', '.join(map(json.dumps, argument))}]"
    return None


def _check_allowed_pattern(argument: Any, value: Any, type: str) -> str | None:
    """The first match from the start must reach the end: ``a|ab`` refuses ``ab``."""
    if not isinstance(argument, str):
        raise ValueError("AllowedPattern must be a string")
    if not isinstance(value, str):
        raise ValueError(f"expected string or bytes-like object, got '{value.__class__.__name__}'")
    try:
        match = re.match(argument, value)
    except re.error as wrong:
        raise ValueError(str(wrong)) from wrong
    if match is None or match.end() != len(value):
        return f'"{value}" does not match pattern "{argument}"'
    return None


_CHECKS: dict[str, Callable[[Any, Any, str], str | None]] = {
    "range": _check_range,
    "length": _check_length,
    "modulo": _check_modulo,
    "allowed_values": _check_allowed_values,
    "allowed_pattern": _check_allowed_pattern,
}
