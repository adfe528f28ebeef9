"""Matching users' regular expressions in bounded time."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from typing import Any, Final

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)
    try:
        from re import _parser as parser  # type: ignore[attr-defined]
    except ImportError:  # before Python 3.11
        import sre_parse as parser

#: the longest text for which a pattern with repeats inside of repeats is tried: its time can double with each character
_LONGEST: Final = 20
#: repeats with more than so many turns
_MANY: Final = 10


def may_take_forever(pattern: str, text: str) -> bool:
    """True where matching ``pattern`` with ``text`` may take longer than anybody waits: the engines that do it all the
    same do not end either. Raises re.error for what is no pattern."""
    return len(text) > _LONGEST and _is_nested(parser.parse(pattern))


def _is_nested(tree: Iterable[Any], inside: bool = False) -> bool:
    """True for a parsed pattern with a repeat of many turns inside of another one."""
    for kind, argument in tree:
        repeats = str(kind) in ("MAX_REPEAT", "MIN_REPEAT") and argument[1] > _MANY
        if repeats and inside:
            return True
        if any(_is_nested(part, inside or repeats) for part in _parts(argument)):
            return True
    return False


def _parts(argument: Any) -> Iterable[Any]:
    """The patterns in the argument of a part of a pattern."""
    if isinstance(argument, parser.SubPattern):
        yield argument
    elif isinstance(argument, (list, tuple)):
        for item in argument:
            yield from _parts(item)
