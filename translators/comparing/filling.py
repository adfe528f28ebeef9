"""A document that is filled with the values of its engine, and what it has in place of some: of refused ones, and of
data like calls."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from bpconvert.models.expressions import MISSING, Expr, Value


class _Refusal:
    def __repr__(self) -> str:
        return "REFUSED"


REFUSED: Final = _Refusal()
#: stands for it in a document that is filled with values
REFUSED_TEXT: Final = "\ue000refused\ue000"
#: begins a key of such a document that would make a call of data
DATA: Final = "\ue000data\ue000"


def unmarked(value: Value) -> Value:
    """``value`` without the marks of data (see :data:`DATA`)."""
    if isinstance(value, dict):
        return {key.removeprefix(DATA) if isinstance(key, str) else key: unmarked(item) for key, item in value.items()}
    return [unmarked(item) for item in value] if isinstance(value, list) else value


def is_plain(value: Value) -> bool:
    """True for data without calls and refused values."""
    if isinstance(value, dict):
        return all(map(is_plain, value.values()))
    if isinstance(value, (list, tuple)):
        return all(map(is_plain, value))
    return not isinstance(value, (Expr, _Refusal)) and value is not MISSING


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
