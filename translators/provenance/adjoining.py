"""What two documents may write otherwise and mean the same: texts beside each other in a call that joins them, of which
a conversion writes one, and placeholders and descriptions, which name what they are of."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from bpconvert.models.expressions import Path
from bpconvert.translators.provenance.differences import is_equal

#: a placeholder of a text
_PLACEHOLDER: Final = re.compile(r"(__\w+__)")


def is_alike(first: Any, second: Any, joins: Mapping[str, bool], renamed: Mapping[Path, Path]) -> bool:
    """Whether two values are the same but for that. ``joins``: as of :func:`adjoined`; ``renamed``: entries that have
    another name now, which descriptions may have as well."""
    names = {str(added[-1]): str(gone[-1]) for gone, added in renamed.items()}
    mine, theirs = (adjoined(value, joins) for value in (first, second))
    return is_equal(mine, theirs) or (bool(names) and is_equal(_as_before(mine, names), _as_before(theirs, names)))


def _word(name: str) -> str:
    return re.sub(r"\W", "_", name)


def _as_before(value: Any, names: Mapping[str, str], key: Any = None) -> Any:
    """``value`` with descriptions, and placeholders, that have the names of before. ``key``: the one that has it."""
    if isinstance(value, dict):
        return {_as_before(name, names): _as_before(item, names, name) for name, item in value.items()}
    if isinstance(value, list):
        return [_as_before(item, names) for item in value]
    if not isinstance(value, str):
        return value
    for new, old in names.items():
        if key == "description":
            value = re.sub(rf"(?<![\w-]){re.escape(new)}(?![\w-])", lambda _, old=old: old, value)  # type: ignore[misc]
        parts = _PLACEHOLDER.split(value) if "__" in value else ()
        for part in parts[1::2]:
            value = value.replace(part, part.replace(_word(new), _word(old)))
    return value


def adjoined(value: Any, joins: Mapping[str, bool]) -> Any:
    """``value`` with one text in place of several that follow each other in a call. ``joins``: names of functions that
    join texts with nothing between; True: the argument is a list of what stands between, and the texts."""
    if isinstance(value, list):
        return [adjoined(item, joins) for item in value]
    if not isinstance(value, dict):
        return value
    result = {key: adjoined(item, joins) for key, item in value.items()}
    name = next(iter(result)) if len(result) == 1 else ""
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
