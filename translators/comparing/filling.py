"""A document that is filled with the values of its engine."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bpconvert.translators.comparing.refused import DATA


def as_data(value: Any, call: Callable[[Any], str | None]) -> Any:
    """A computed value that is read as data: what ``call`` (map -> name) would take for a call is marked."""
    if isinstance(value, dict):
        name = call(value)
        return {f"{DATA}{key}" if key == name else key: as_data(item, call) for key, item in value.items()}
    return [as_data(item, call) for item in value] if isinstance(value, list) else value


def insert(values: dict[Any, Any], steps: Any, value: Any) -> None:
    """Put ``value`` at ``steps`` of nested maps and lists, which are made; what is there stays, and gets the parts that
    it does not have."""
    *before, last = steps
    holder: Any = values
    for step, following in zip(before, steps[1:], strict=True):
        holder = _entry(holder, step, [] if isinstance(following, int) else {})
        if not isinstance(holder, list if isinstance(following, int) else dict):
            return
    _complete(_entry(holder, last, value), value)


def _complete(there: Any, value: Any) -> None:
    if isinstance(there, dict) and isinstance(value, dict):
        for key, item in value.items():
            _complete(there.setdefault(key, item), item)
    elif isinstance(there, list) and isinstance(value, list):
        for item, other in zip(there, value, strict=False):
            _complete(item, other)
        there += value[len(there) :]


def _entry(holder: Any, step: Any, value: Any) -> Any:
    """The entry at ``step``, ``value`` where there is none yet."""
    if isinstance(holder, dict):
        return holder.setdefault(step, value)
    while len(holder) <= step:
        holder.append(None)
    if holder[step] is None:
        holder[step] = value
    return holder[step]
