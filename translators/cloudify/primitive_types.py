"""The primitive types of properties, and which literals they take (``dsl_parser.utils.parse_simple_type_value``)."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

from bpconvert.models.cloudify_rules import OBJECT_TYPES
from bpconvert.models.expressions import Expr, Value


def _is_pattern(value: Any) -> bool:
    try:
        return isinstance(value, str) and bool(re.compile(value))
    except re.error:
        return False


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


#: primitive type -> whether it takes a literal; a text takes anything (``utils.parse_simple_type_value``)
_TAKES: Final[dict[str, Callable[[Any], bool]]] = {
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "float": _is_number,
    "boolean": lambda value: isinstance(value, bool),
    "regex": _is_pattern,
    "list": lambda value: isinstance(value, (list, tuple)),
    "dict": lambda value: isinstance(value, dict),
    **{name: lambda value: True for name in ("string", "textarea", *OBJECT_TYPES)},
}


def takes(kind: str, value: Value) -> bool:
    """True when the primitive type ``kind`` accepts a literal (calls are never checked)."""
    return isinstance(value, Expr) or _TAKES[kind](value)


def is_primitive(kind: str | None) -> bool:
    """True for the name of a type that is no data type."""
    return kind in _TAKES
