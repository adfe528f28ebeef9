"""Texts beside each other in a call that joins them: a person writes two where a conversion writes one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def adjoined(value: Any, joins: Mapping[str, bool]) -> Any:
    """``value`` with one text in place of several that follow each other in a call. ``joins``: names of functions that
    join texts with nothing between; True: the argument is a list of what stands between, and the texts."""
    if isinstance(value, list):
        return [adjoined(item, joins) for item in value]
    if not isinstance(value, dict):
        return value
    result = {key: adjoined(item, joins) for key, item in value.items()}
    name = next(iter(result)) if len(result) == 1 else None
    if name not in joins:
        return result
    argument = result[name]
    if not joins[name]:
        return {name: _joined(argument)} if isinstance(argument, list) else result
    is_joined = (
        isinstance(argument, list) and len(argument) == 2 and argument[0] == "" and isinstance(argument[1], list)
    )
    return {name: ["", _joined(argument[1])]} if is_joined else result


def _joined(items: list[Any]) -> list[Any]:
    joined: list[Any] = []
    for item in items:
        if isinstance(item, str) and joined and isinstance(joined[-1], str):
            joined[-1] += item
        else:
            joined.append(item)
    return joined
