"""What a HOT parameter yields for a given value, and which values its constraints allow.

The rules are those of heat/engine/parameters.py (coercion) and heat/engine/constraints.py (constraints), with the
engine's own reasons as messages."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from typing import Any

from bpconvert.models.expressions import Value
from bpconvert.models.topology import Input
from bpconvert.translators.support import constraints
from bpconvert.translators.support.constraints import to_number

#: Neutral type names stand for HOT's own.
_ALIASES = {"list": "comma_delimited_list"}
_TRUE = frozenset({"1", "t", "true", "on", "y", "yes"})
_FALSE = frozenset({"0", "f", "false", "off", "n", "no"})


def coerce(type: str, value: Any) -> Any:
    """What ``get_param`` yields when ``value`` is given for a parameter of ``type``.

    ``type`` is ``string``, ``number``, ``boolean``, ``comma_delimited_list`` (or the neutral ``list``) or ``json``.
    Raises ValueError with the engine's reason when the type refuses the value; a null means that none is given."""
    reader = _COERCERS.get(_ALIASES.get(type, type))
    if reader is None:
        raise ValueError(f"Invalid type ({type})")
    if value is None:
        raise ValueError("The parameter was not provided.")
    return reader(value)


def to_boolean(value: Any) -> bool:
    """The truth that ``value``, as text, names."""
    text = str(value).strip().lower()
    if text in _TRUE:
        return True
    if text in _FALSE:
        return False
    acceptable = ", ".join(f"'{word}'" for word in sorted(_TRUE | _FALSE))
    raise ValueError(f"Unrecognized value '{value}', acceptable values are: {acceptable}")


def is_false(value: Any) -> bool:
    """True for a value that is false as a boolean, also as a text."""
    return str(value).strip().lower() in _FALSE


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

#: The types that each constraint may be put on.
CONSTRAINT_TYPES: dict[str, frozenset[str]] = {
    {"custom": "custom_constraint"}.get(kind, kind): frozenset(_ALIASES.get(type, type) for type in types)
    for kind, types in constraints.TYPES.items()
}


def check_constraint(type: str, kind: str, argument: Any, value: Any, description: str | None = None) -> None:
    """Raise ValueError when a constraint refuses ``value`` for a parameter of ``type``, or is itself wrong.

    ``kind`` and ``argument`` are the constraint's key and what stands behind it (``custom`` is accepted for
    ``custom_constraint``); ``value`` is as given, before coercion. ``description`` replaces the reason. Custom
    constraints ask the cloud and are taken to hold."""
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
    constraints.check(kind, argument, value, _COERCERS[type], description)


def accept(declared: Input, value: Any) -> Value:
    """What a reference to the parameter yields when it is given ``value``; ValueError where Heat refuses it."""
    if declared.type is None:
        return value
    coerced = coerce(declared.type, value)
    for constraint in declared.constraints:
        check_constraint(declared.type, constraint.kind, constraint.argument, value, constraint.description)
    return coerced


#: what an explicit null is for a property of the type
_NULLS: dict[str, Value] = {"string": "", "number": 0, "boolean": False, "list": [], "json": {}}


def given_to_nested(kind: str, value: Value) -> Value:
    """What a nested stack's parameter of the neutral type ``kind`` yields (heat/engine/resources/template_resource.py);
    ValueError where Heat refuses the value. A list is joined with commas and split again."""
    if value is None:
        return copy(_NULLS.get(kind))
    if kind == "list" and isinstance(value, list):
        if not all(isinstance(item, str) for item in value):
            raise ValueError("the items of a list have to be texts")
        return ",".join(value).split(",") if value else []
    if kind in ("string", "number", "boolean") and isinstance(value, (dict, list)):
        raise ValueError(f"it is no {kind}")
    if kind == "string" and isinstance(value, float):
        raise ValueError("a number with a fraction is no text here")
    if kind == "boolean" and isinstance(value, str) and value.lower() not in ("true", "false"):
        raise ValueError(f"'{value}' is neither true nor false")
    return coerce(kind, value)
