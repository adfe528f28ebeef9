"""What models refer to and is no part of pydantic: checks of single values, what a value is called, what is wrong."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from bpconvert.models.expressions import Path
from bpconvert.models.light import NamedTuple


class _Absent:
    """Stands where a required key was not written (see ``Model.FILLS``)."""

    def __repr__(self) -> str:
        return "ABSENT"


ABSENT: Final = _Absent()


def wrong(text: str, **values: Any) -> ValueError:
    """The error to raise in a validator; ``text`` completes the sentence "<key> ...", ``values`` fill its places.

    It is pydantic's, which is imported with the first error."""
    from pydantic_core import PydanticCustomError

    error_type: Any = PydanticCustomError
    error: ValueError = error_type("wrong", text, values or None)
    return error


def must(holds: Callable[[Any], bool], text: str) -> Callable[[Any], None]:
    """A check for :class:`~.fields.Kind`: raises :func:`wrong` with ``text`` (``{found}``: what was) unless
    ``holds``."""

    def check(value: Any) -> None:
        if not holds(value):
            raise wrong(text, found=describe(value))

    return check


def each_must(holds: Callable[[Any], bool], text: str) -> Callable[[Any], None]:
    """The check :func:`must` for every item of a list."""
    check_item = must(holds, text)

    def check(value: Any) -> None:
        for item in value:
            check_item(item)

    return check


def null_as_map(value: Any) -> Any:
    """``value``, {} for null."""
    return {} if value is None else value


def empty_as_null(value: Any) -> Any:
    """``value``, None for what is empty (``''``, ``[]``)."""
    return value or None


def describe(value: Any) -> str:
    """A value's type as users call it."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return f"the boolean {str(value).lower()}"
    if isinstance(value, (int, float)):
        return f"the number {value}"
    if isinstance(value, str):
        return f"the text {value!r}" if len(value) <= 40 else "a text"
    if isinstance(value, dict):
        return "a map"
    if isinstance(value, (list, tuple)):
        return "a list"
    return f"a {type(value).__name__}"


class Problem(NamedTuple):
    """One error. ``path`` is its place in the user's keys, ``text`` describes what is wrong in plain words.

    ``removed``: the fragment at ``path`` is not in the model; ``value`` is what stood there."""

    path: Path
    text: str
    removed: bool = False
    value: Any = None

    def __str__(self) -> str:
        return f"{'.'.join(map(str, self.path)) or 'document'}: {self.text}"
