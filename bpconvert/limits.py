"""How much is done for one document, so that every input ends soon."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

from bpconvert.models.light import NamedTuple


class Limit(NamedTuple):
    """``usual``: how much is done where the user does not ask for another number; ``what``: of what, and what
    happens to the rest."""

    usual: int
    what: str


#: name -> limit, for ``--limit``
LIMITS: Final[Mapping[str, Limit]] = {
    "copies": Limit(1_000, "properties that are copied into others; what needs more is asked for when deploying"),
    "growth": Limit(1_000_000, "characters and parts that calls add to their arguments; what needs more stays a call"),
    "imports": Limit(1_000, "imported files, each once for each namespace; more are not read"),
    "imported": Limit(1_500_000, "characters of imported files; a file beyond that is not read"),
    "fields": Limit(20_000, "fields that data types give to values; a value that has more is refused"),
    "steps": Limit(
        1_000_000,
        "steps of matching values with patterns, and of queries; a value that needs more is taken to match, a query "
        "that does stays one",
    ),
}
_ASKED: ContextVar[Mapping[str, int] | None] = ContextVar("limits", default=None)
#: what has been done in the innermost :func:`limits`; None outside of any
_DONE: ContextVar[dict[str, int] | None] = ContextVar("done", default=None)


def limit(name: str) -> int:
    """The number that counts now."""
    return (_ASKED.get() or {}).get(name, LIMITS[name].usual)


def wrong(asked: Mapping[str, int]) -> str | None:
    """What is wrong with limits that are asked for, None if nothing is."""
    for name, number in asked.items():
        if name not in LIMITS:
            return f"there is no limit {name!r} (choose from {', '.join(LIMITS)})"
        if not isinstance(number, int) or isinstance(number, bool) or number < 1:
            return f"{name}: {number!r} is no number of 1 or more"
    return None


@contextmanager
def limits(asked: Mapping[str, int] | None) -> Iterator[None]:
    """In here the limits that are ``asked`` for count, from the start."""
    tokens = _ASKED.set(asked), _DONE.set({})
    try:
        yield
    finally:
        _ASKED.reset(tokens[0])
        _DONE.reset(tokens[1])


@contextmanager
def bounded(asked: Mapping[str, int] | None) -> Iterator[None]:
    """In here limits count: those that do already, or else those that are ``asked`` for. Outside of both nothing is
    added up, and so what is done often has no end: whatever reads documents or computes values is in one."""
    if _DONE.get() is not None:
        yield
        return
    with limits(asked):
        yield


def left(name: str) -> int:
    """How much more may be done: all of the limit outside of :func:`limits`."""
    return limit(name) - (_DONE.get() or {}).get(name, 0)


def spend(name: str, number: int) -> bool:
    """Count that so much more is done; False where that is beyond the limit."""
    is_enough, done = left(name) >= number, _DONE.get()
    if done is not None:
        done[name] = done.get(name, 0) + number
    return is_enough
