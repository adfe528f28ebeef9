"""Data with something else at one place."""

from __future__ import annotations

from typing import Any


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """All places in data."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, item in inner for place in places(item, (*path, key)))]


def replaced(value: Any, path: tuple[Any, ...], other: Any) -> Any:
    """The same data with something else at a place."""
    if not path:
        return other
    data = dict(value) if isinstance(value, dict) else list(value)
    data[path[0]] = replaced(value[path[0]], path[1:], other)
    return data
