"""Places in plain data."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import takewhile
from typing import Any

from bpconvert.models.expressions import Path


def exists(data: Any, path: Path) -> bool:
    """True when ``path`` leads to an entry of ``data``."""
    for step in path:
        if isinstance(data, dict):
            if step not in data:
                return False
        elif not (isinstance(data, list) and isinstance(step, int) and step < len(data)):
            return False
        data = data[step]
    return True


def value_at(data: Any, path: Path) -> Any:
    """The value at ``path`` of ``data``. Raises LookupError or TypeError where there is none."""
    for step in path:
        data = data[step]
    return data


def inside(value: Any, steps: Path) -> Any:
    """What is at ``steps`` in nested maps; None where there is nothing."""
    for step in steps:
        value = value.get(step) if isinstance(value, dict) else None
    return value


def entries(data: Any, section: str) -> dict[Any, Any]:
    """The entries of a section; {} where it is not there, or is no map."""
    entries_found = data.get(section) if isinstance(data, dict) else None
    return entries_found if isinstance(entries_found, dict) else {}


def items(value: Any) -> list[Any]:
    """``value`` where it is a list, [] where it is anything else."""
    return value if isinstance(value, list) else []


def texts(value: Any) -> Iterator[str]:
    """Every text in a value, names of entries left out."""
    waiting = [value]
    while waiting:
        part = waiting.pop()
        if isinstance(part, str):
            yield part
        elif isinstance(part, dict):
            waiting += reversed(part.values())
        elif isinstance(part, (list, tuple)):
            waiting += reversed(part)


def maps(value: Any, path: Path) -> Iterator[tuple[dict[Any, Any], Path]]:
    """Every map in ``value``, which stands at ``path``, with its place."""
    if isinstance(value, dict):
        yield value, path
    for key, item in value.items() if isinstance(value, dict) else enumerate(items(value)):
        yield from maps(item, (*path, key))


def without(data: Any, path: Path) -> dict[str, Any]:
    """``data`` without the entry at ``path``, and without maps that have nothing but that."""
    kept = {}
    for key, item in data.items():
        if key != path[0]:
            kept[key] = item
        elif len(path) > 1 and isinstance(item, dict):
            inner = without(item, path[1:])
            if inner:
                kept[key] = inner
    return kept


def dotted(path: Path) -> str:
    """A path as users read it: ``resources.web.properties.user_data``."""
    return ".".join(map(str, path))


def common(paths: Sequence[Path]) -> Path:
    """The steps that all paths begin with."""
    first, *others = paths
    same = takewhile(lambda steps: len(set(steps)) == 1, zip(first, *others, strict=False))
    return tuple(steps[0] for steps in same)


def mapped(value: Any, change: Callable[[Any], Any], *, keys: bool = False) -> Any:
    """``value`` with what ``change`` makes of all in it that is no map and no list, and of the ``keys`` of maps."""
    if isinstance(value, dict):
        return {change(key) if keys else key: mapped(item, change, keys=keys) for key, item in value.items()}
    if isinstance(value, list):
        return [mapped(item, change, keys=keys) for item in value]
    return change(value)


def renamed(value: Any, names: set[str]) -> Any:
    """``value`` with other texts in place of ``names``."""
    return mapped(value, lambda text: f"{text} (before)" if isinstance(text, str) and text in names else text)


def with_empty(data: dict[str, Any], empty: set[str], order: list[str]) -> dict[str, Any]:
    """``data`` with the sections that the source has without anything in them, in their place in ``order``."""
    for name in order:
        if name in empty and name not in data:
            following = [section for section in data if section in order[order.index(name) + 1 :]]
            items = list(data.items())
            place = list(data).index(following[0]) if following else len(items)
            data = dict([*items[:place], (name, {}), *items[place:]])
    return data
