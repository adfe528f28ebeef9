"""What two documents may write otherwise and mean the same: texts beside each other in a call that joins them, of which
a conversion writes one, and placeholders, which it calls after what stands in their place."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from bpconvert.models.expressions import Path
from bpconvert.translators.provenance.differences import is_equal

#: a placeholder of a text
_PLACEHOLDER: Final = re.compile(r"__\w+__")


def is_alike(first: Any, second: Any, joins: Mapping[str, bool], renamed: Mapping[Path, Path]) -> bool:
    """Whether two values are the same but for that. ``joins``: as of :func:`adjoined`; ``renamed``: entries that have
    another name now."""
    names = {_word(str(added[-1])): _word(str(gone[-1])) for gone, added in renamed.items()}
    mine, theirs = (adjoined(value, joins) for value in (first, second))
    return is_equal(mine, theirs) or (bool(names) and is_equal(_as_before(mine, names), _as_before(theirs, names)))


def _word(name: str) -> str:
    return re.sub(r"\W", "_", name)


def _as_before(value: Any, names: Mapping[str, str]) -> Any:
    """``value`` with placeholders that are called as before."""
    if isinstance(value, dict):
        return {_as_before(key, names): _as_before(item, names) for key, item in value.items()}
    if isinstance(value, list):
        return [_as_before(item, names) for item in value]
    if not isinstance(value, str) or "__" not in value:
        return value
    for new, old in names.items():
        value = _PLACEHOLDER.sub(lambda match, new=new, old=old: match[0].replace(new, old), value)  # type: ignore[misc]
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
