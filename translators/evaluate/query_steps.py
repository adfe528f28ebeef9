"""Counting what queries of yaql do: ``limitIterators`` and ``memoryQuota`` bound each iterator and each value by
itself, not iterators in each other, and not a list that has another one in it many times over.

All calls of a query go through its contexts, and each value that a call gets is what another call yields (a variable
is read by a call as well). So a context below that of the package counts what is called, and what that yields.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from collections.abc import Set as AbstractSet
from typing import Any, Final

from bpconvert.limits import spend
from bpconvert.translators.support.patterns import tries

#: what is counted of the limit ``steps``: a call, which looks for what it calls in each context above its own, and a
#: context, which there is for each item that a function is called with
_CALL: Final = 300
_CONTEXT: Final = 25
_ABOVE: Final = 12
#: how many characters of a text, and how many ways to match a pattern, count as one step
_CHARACTERS: Final = 16
_WAYS: Final = 10
#: parts and characters of the largest value that is computed
_LARGEST: Final = 50_000
#: functions that match a pattern
_MATCHERS: Final = frozenset(
    {"matches", "search", "searchAll", "split", "replace", "replaceBy", "#operator_=~", "#operator_!~"}
)


class TooManyError(BaseException):
    """A query does more than is done for one document. No Exception: functions of the package catch those."""


class Meter:
    """Counts one query. ``patterns``: the regular expressions in it; ``longest``: the characters of the longest text
    that it starts from."""

    def __init__(self, patterns: Collection[str], longest: int) -> None:
        self._patterns = patterns
        self._longest = longest
        #: each container that a call has yielded, with its size; the container itself, so that no other one is at its
        #: address afterwards
        self._sizes: dict[int, tuple[Any, int]] = {}
        self._look(longest)

    def context(self, parent: Any) -> Any:
        """A context below ``parent`` in which everything is counted. Each of its calls may raise
        :class:`TooManyError`."""
        return counting(type(parent), self)(parent)

    def called(self, name: str, above: int) -> None:
        """Count a call of a function in a context with so many above it."""
        _spend(_CALL + _ABOVE * above + (self._tries // _WAYS if name in _MATCHERS else 0))

    def yielded(self, value: Any) -> None:
        """Count what a call has yielded."""
        if isinstance(value, str) and len(value) > self._longest:
            self._longest = len(value)
            self._look(self._longest)
        size = self._size(value)
        if size > _LARGEST:
            raise TooManyError
        _spend(size)

    def _look(self, longest: int) -> None:
        """Find out how long matching takes on texts of that length."""
        numbers = [tries(pattern, longest) for pattern in self._patterns]
        self._tries = max((number for number in numbers if number is not None), default=0)
        if None in numbers:
            raise TooManyError

    def _size(self, value: Any) -> int:
        """How many parts a value has, each as often as it is in there."""
        if isinstance(value, str):
            return 1 + len(value) // _CHARACTERS
        if not isinstance(value, (tuple, list, Mapping, AbstractSet)):
            return 1
        entry = self._sizes.get(id(value))
        if entry is None:
            parts = [part for pair in value.items() for part in pair] if isinstance(value, Mapping) else value
            entry = self._sizes[id(value)] = value, 1 + sum(map(self._size, parts))
        return entry[1]


def counting(kind: type[Any], meter: Meter) -> type[Any]:
    """A class of contexts like ``kind`` that count for ``meter``."""

    def begin(self: Any, parent: Any = None, *args: Any, **options: Any) -> None:
        kind.__init__(self, parent, *args, **options)
        self.above = getattr(parent, "above", 0) + 1
        _spend(_CONTEXT)

    def looked_up(self: Any, name: str, *args: Any, **options: Any) -> Any:
        call = kind.__call__(self, name, *args, **options)

        def called(*positional: Any, **keywords: Any) -> Any:
            meter.called(name, self.above)
            result = call(*positional, **keywords)
            meter.yielded(result)
            return result

        return called

    return type(kind.__name__, (kind,), {"__init__": begin, "__call__": looked_up})


def _spend(number: int) -> None:
    if not spend("steps", number):
        raise TooManyError
