"""What two documents may write otherwise and mean the same: texts beside each other in a call that joins them, of which
a conversion writes one, and what is called after an entry: placeholders, keys, descriptions, texts for values."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final

from bpconvert.models.expressions import Path
from bpconvert.translators.provenance.differences import is_equal
from bpconvert.translators.support.places import maps
from bpconvert.translators.support.text import NOT_CONVERTED

#: a placeholder of a text
_PLACEHOLDER: Final = re.compile(r"(__\w+__)")
#: the key of texts that are joined, by whichever call
_JOINED: Final = "(joined)"


def is_alike(first: Any, second: Any, joins: Mapping[str, int | None], renamed: Mapping[Path, Path]) -> bool:
    """Whether two values are the same but for that. ``joins``: as of :func:`adjoined`; ``renamed``: entries that have
    another name now, which descriptions may have as well."""
    names = {str(added[-1]): str(gone[-1]) for gone, added in renamed.items()}
    mine, theirs = (adjoined(value, joins) for value in (first, second))
    if is_equal(mine, theirs) or not names:
        return is_equal(mine, theirs)
    keys = {*_keys(mine), *_keys(theirs)}
    return is_equal(*(_as_before(value, names, keys) for value in (mine, theirs)))


def without_keys(value: Any, keys: Collection[str]) -> Any:
    """``value`` without the entries of maps, at any depth, that have one of these keys, and what is empty then."""
    if isinstance(value, list):
        return [without_keys(item, keys) for item in value]
    if not isinstance(value, dict) or not value:
        return value
    rows = {key: without_keys(item, keys) for key, item in value.items() if key not in keys}
    return {key: item for key, item in rows.items() if item != {} or value[key] == {}}


def _word(name: str) -> str:
    return re.sub(r"\W", "_", name)


def _as_before(value: Any, names: Mapping[str, str], keys: Collection[Any] = (), key: Any = None) -> Any:
    """``value`` with descriptions, placeholders, texts in place of values, and ``keys`` that are called after an entry,
    with the names of before. ``key``: the one that has it."""
    if isinstance(value, dict):
        return {
            _as_before(_called(name, names), names): _as_before(item, names, keys, name) for name, item in value.items()
        }
    if isinstance(value, list):
        return [_as_before(item, names, keys) for item in value]
    if not isinstance(value, str):
        return value
    if value in keys:
        return _called(value, names)
    for new, old in names.items():
        if key == "description" or value.startswith(NOT_CONVERTED):
            value = re.sub(rf"(?<![\w-]){re.escape(new)}(?![\w-])", lambda _, old=old: old, value)  # type: ignore[misc]
        parts = _PLACEHOLDER.split(value) if "__" in value else ()
        for part in parts[1::2]:
            value = value.replace(part, part.replace(_word(new), _word(old)))
    return value


def _called(key: Any, names: Mapping[str, str]) -> Any:
    """A key that is called as an entry, or after it (``web_id``), with the name of before."""
    for new, old in names.items() if isinstance(key, str) else ():
        key = _word(old).join(re.split(rf"(?<![^\W_]){re.escape(_word(new))}(?![^\W_])", key))
    return key


def _keys(value: Any) -> Iterator[Any]:
    for part, _ in maps(value, ()):
        yield from part


def adjoined(value: Any, joins: Mapping[str, int | None]) -> Any:
    """``value`` with one list of texts in place of calls that join them, in whatever way and in each other, and with
    one text in place of several that follow each other there. ``joins``: as of :class:`.Vocabulary`."""
    if isinstance(value, list):
        return [adjoined(item, joins) for item in value]
    if not isinstance(value, dict):
        return value
    result = {key: adjoined(item, joins) for key, item in value.items()}
    name = next(iter(result)) if len(result) == 1 else ""
    texts = _texts(result[name], joins[name]) if name in joins else None
    if texts is None:
        return result
    joined = _joined(texts)
    return joined[0] if len(joined) == 1 and isinstance(joined[0], str) else {_JOINED: joined}


def _texts(argument: Any, place: int | None) -> list[Any] | None:
    """What is joined, with what stands between; None where that is not known. ``place``: where it is."""
    if not isinstance(argument, list):
        return None
    if place is None:
        return argument
    if len(argument) != 2 or not isinstance(argument[place], str) or not isinstance(argument[1 + place], list):
        return None
    between, items = argument[place], argument[1 + place]
    return [part for item in items for part in (between, item)][1:] if between else items


def _joined(items: list[Any]) -> list[Any]:
    joined: list[Any] = []
    for item in items:
        for part in item[_JOINED] if isinstance(item, dict) and _JOINED in item else [item]:
            if isinstance(part, str) and joined and isinstance(joined[-1], str):
                joined[-1] += part
            else:
                joined.append(part)
    return joined
