"""Conditions as decisions about their parts, one after the other, so that few are asked on the way to a result.

A :class:`Diagram` is a reduced and ordered binary decision diagram (R. Bryant, "Graph-Based Algorithms for Boolean
Function Manipulation", 1986): the same part is asked once on each way, and what is the same is there once. Where that
would be much larger than the condition itself, parts may be asked again, and the diagram is as large as the condition.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Value
from bpconvert.models.light import NamedTuple

#: rows of what holds never, and always
NEVER, ALWAYS = 0, 1
#: so many times as many rows as the condition has parts are made, and so many more, before parts may be asked again
_FACTOR: Final = 8
_FEW: Final = 64


class Row(NamedTuple):
    """A decision: the row to go on with where ``part`` holds, and where it does not."""

    part: int
    then: int
    otherwise: int


class Inside(NamedTuple):
    """A diagram as a part of a larger condition: ``numbers`` are those that its own parts have there."""

    diagram: Diagram
    numbers: Mapping[int, int]


class _TooManyError(Exception):
    """More rows than are worth making."""


class Diagram:
    """The decisions of one condition. ``condition``: ``and``, ``or``, ``not``, true, false, the numbers of its parts,
    and other diagrams (:class:`Inside`)."""

    def __init__(self, condition: Value) -> None:
        self._rows: list[Row] = []
        self._numbers: dict[Row, int] = {}
        self._most = _FEW + _FACTOR * _size(condition)
        self._known: dict[tuple[int, int, int], int] = {}
        try:
            self.start = self._ordered(condition)
        except _TooManyError:
            self._most = 0
            self.start = self._unordered(condition, ALWAYS, NEVER)

    def row(self, number: int) -> Row:
        """A row that is neither :data:`NEVER` nor :data:`ALWAYS`."""
        return self._rows[number - 2]

    def numbers(self) -> list[int]:
        """The rows that there is a way to, each after those that it leads to."""
        rows: dict[int, None] = {}
        waiting = [self.start]
        while waiting:
            number = waiting.pop()
            if number in (NEVER, ALWAYS) or number in rows:
                continue
            row = self.row(number)
            following = [
                following_row
                for following_row in (row.then, row.otherwise)
                if following_row > ALWAYS and following_row not in rows
            ]
            if following:
                waiting += [number, *following]
            else:
                rows[number] = None
        return list(rows)

    @property
    def parts(self) -> list[int]:
        """The parts that are asked, in the order of their first places in the condition."""
        return sorted({self.row(number).part for number in self.numbers()})

    # -- each part is asked once -------------------------------------------------------------------------------

    def _ordered(self, condition: Value) -> int:
        if isinstance(condition, bool):
            return ALWAYS if condition else NEVER
        if isinstance(condition, int):
            return self._add(condition, ALWAYS, NEVER)
        if isinstance(condition, Inside):
            built = {NEVER: NEVER, ALWAYS: ALWAYS}
            for number in condition.diagram.numbers():
                row = condition.diagram.row(number)
                part = self._add(condition.numbers[row.part], ALWAYS, NEVER)
                built[number] = self._if(part, built[row.then], built[row.otherwise])
            return built[condition.diagram.start]
        if isinstance(condition, ex.Not):
            return self._if(self._ordered(condition.operand), NEVER, ALWAYS)
        is_and = isinstance(condition, ex.And)
        start = ALWAYS if is_and else NEVER
        for operand in reversed(condition.operands):
            first = self._ordered(operand)
            start = self._if(first, start, NEVER) if is_and else self._if(first, ALWAYS, start)
        return start

    def _if(self, condition: int, then: int, otherwise: int) -> int:
        """The row that goes on with ``then`` where ``condition`` holds, else with ``otherwise``."""
        if condition in (NEVER, ALWAYS) or then == otherwise:
            return then if condition == ALWAYS or then == otherwise else otherwise
        if (then, otherwise) == (ALWAYS, NEVER):
            return condition
        key = (condition, then, otherwise)
        if key not in self._known:
            if len(self._known) > self._most:
                raise _TooManyError
            rows = [self.row(row_number) for row_number in key if row_number > ALWAYS]
            part = min(row.part for row in rows)
            self._known[key] = self._add(
                part,
                self._if(*(self._taken(row_number, part, True) for row_number in key)),
                self._if(*(self._taken(row_number, part, False) for row_number in key)),
            )
        return self._known[key]

    def _taken(self, number: int, part: int, holds: bool) -> int:
        row = self.row(number) if number > ALWAYS else None
        if row is None or row.part != part:
            return number
        return row.then if holds else row.otherwise

    # -- as large as the condition -----------------------------------------------------------------------------

    def _unordered(self, condition: Value, then: int, otherwise: int) -> int:
        if isinstance(condition, bool):
            return then if condition else otherwise
        if isinstance(condition, int):
            return self._add(condition, then, otherwise)
        if isinstance(condition, Inside):
            built = {NEVER: otherwise, ALWAYS: then}
            for number in condition.diagram.numbers():
                row = condition.diagram.row(number)
                built[number] = self._add(condition.numbers[row.part], built[row.then], built[row.otherwise])
            return built[condition.diagram.start]
        if isinstance(condition, ex.Not):
            return self._unordered(condition.operand, otherwise, then)
        start = then if isinstance(condition, ex.And) else otherwise
        for operand in reversed(condition.operands):
            ways = (start, otherwise) if isinstance(condition, ex.And) else (then, start)
            start = self._unordered(operand, *ways)
        return start

    def _add(self, part: int, then: int, otherwise: int) -> int:
        if then == otherwise:
            return then
        row = Row(part, then, otherwise)
        if row not in self._numbers:
            self._rows.append(row)
            self._numbers[row] = len(self._rows) + 1
        return self._numbers[row]


def _size(condition: Value) -> int:
    """How many parts a condition has, each as often as it occurs."""
    waiting, size = [condition], 0
    while waiting:
        part = waiting.pop()
        if isinstance(part, ex.Not):
            waiting.append(part.operand)
        elif isinstance(part, (ex.And, ex.Or)):
            waiting += part.operands
        else:
            size += len(part.diagram.numbers()) if isinstance(part, Inside) else 1
    return size
