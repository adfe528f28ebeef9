"""The fixed rules of HOT: types of parameters, constraints, policies, and checks of single values.

The checks raise :func:`~bpconvert.models.checks.wrong`; the rules are those of the engine's classes of parameters,
constraints and resources."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

from bpconvert.models.checks import describe, each_must, must, wrong

PARAMETER_TYPES: Final = ("string", "number", "comma_delimited_list", "json", "boolean")
DELETION_POLICIES: Final = ("Delete", "Retain", "Snapshot", "delete", "retain", "snapshot")
#: in the order in which the engine looks for them: the first one found in an item counts, others are ignored
CONSTRAINT_KINDS: Final = ("modulo", "range", "length", "allowed_values", "allowed_pattern", "custom_constraint")
CONSTRAINT_TYPES: Final = {
    "modulo": ("number",),
    "range": ("number",),
    "length": ("string", "comma_delimited_list", "json"),
    "allowed_values": ("string", "number", "boolean", "comma_delimited_list"),
    "allowed_pattern": ("string",),
    "custom_constraint": ("string", "number", "boolean", "comma_delimited_list"),
}


def _number(value: Any, name: str) -> float | None:
    """A bound as a number: the engine takes numeric text too."""
    if value is None or isinstance(value, (int, float)):
        return value
    try:
        return float(value)
    except (TypeError, ValueError):
        raise wrong("has a {name} that is no number", name=name) from None


def is_whole(number: float) -> bool:
    """True for a number without a fraction; infinity is none."""
    return isinstance(number, int) or number.is_integer()


def _check_kind(argument: Any, kind: str, types: type | tuple[type, ...], words: str) -> None:
    if not isinstance(argument, types):
        raise wrong("has a '{kind}' that is not {words} but {found}", kind=kind, words=words, found=describe(argument))


def _bounds(argument: Any, kind: str, keys: tuple[str, str]) -> list[float | None]:
    _check_kind(argument, kind, dict, "a map")
    for key in argument:
        if key not in keys:
            raise wrong("has the unknown key {key} in '{kind}'", kind=kind, key=repr(key))
    return [_number(argument.get(key), f"{key} of '{kind}'") for key in keys]


def _check_range(argument: Any, kind: str) -> None:
    bounds = _bounds(argument, kind, ("min", "max"))
    if bounds == [None, None]:
        raise wrong("needs a min or a max for '{kind}'", kind=kind)
    if kind == "length" and not all(b is None or is_whole(b) for b in bounds):
        raise wrong("has bounds of 'length' that are no whole numbers")


def _check_modulo(argument: Any, kind: str) -> None:
    step, offset = _bounds(argument, kind, ("step", "offset"))
    if step is None or offset is None:
        raise wrong("needs both step and offset for 'modulo'")
    if not is_whole(step) or not is_whole(offset):
        raise wrong("has a step or offset of 'modulo' that is no whole number")
    if step == 0 or abs(offset) >= abs(step) or step * offset < 0:
        raise wrong("needs an offset of 'modulo' between 0 and its step")


def _check_pattern(argument: Any, kind: str) -> None:
    _check_kind(argument, kind, str, "text")
    try:
        re.compile(argument)
    except re.error as error:
        raise wrong("has an '{kind}' that is no regular expression: {why}", kind=kind, why=str(error)) from None


_CONSTRAINT_CHECKS: Final[dict[str, Callable[[Any, str], None]]] = {
    "modulo": _check_modulo,
    "range": _check_range,
    "length": _check_range,
    "allowed_values": lambda argument, kind: _check_kind(argument, kind, (list, tuple), "a list"),
    "allowed_pattern": _check_pattern,
    "custom_constraint": lambda argument, kind: _check_kind(argument, kind, str, "text"),
}


def check_constraint(item: Any) -> Any:
    if isinstance(item, dict):
        kind = next((k for k in CONSTRAINT_KINDS if k in item), None)
        if kind is None:
            raise wrong("does not say what is allowed")
        _CONSTRAINT_CHECKS[kind](item[kind], kind)
    return item


def check_type(value: str) -> None:
    if value not in PARAMETER_TYPES:
        raise wrong("is unknown: {value} (known: {known})", value=repr(value), known=", ".join(PARAMETER_TYPES))


check_deletion_policy: Final = must(
    lambda value: not isinstance(value, str) or value in DELETION_POLICIES,
    "must be Delete, Retain or Snapshot, not {found}",
)
check_not_empty: Final = must(bool, "is empty")
#: of a text (whose characters are texts) or a list
check_names: Final = each_must(lambda item: isinstance(item, str), "must name resources, not {found}")
