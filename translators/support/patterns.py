"""Matching users' regular expressions in bounded time, as Python's ``re`` matches them.

``re`` tries one way after the other, of which there can be twice as many with each character. Here a pattern with few
ways is given to ``re``; any other one is run step by step, and no step is taken twice at the same place of the text, so
that there are never more steps than the pattern has parts times the text has characters (the bit-state search of RE2).
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from typing import Any, Final

from bpconvert.limits import left, spend
from bpconvert.models.light import NamedTuple

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)
    try:
        from re import _compiler as compiler  # type: ignore[attr-defined]
        from re import _parser as parser  # type: ignore[attr-defined]
    except ImportError:  # before Python 3.11
        import sre_compile as compiler
        import sre_parse as parser

#: more ways times characters are not given to ``re``
_MOST_WAYS: Final = 100_000
#: what a step of a pattern counts of the limit ``steps``: about as much as each other one takes
_STEP: Final = 5
#: steps of the longest pattern, whose repeats are written out
_LONGEST: Final = 20_000
_MANY: Final = int(parser.MAXREPEAT)


class TooLongError(Exception):
    """Matching takes more steps than are done for one document: the engines may not end either."""


def match_end(pattern: str, text: str) -> int | None:
    """Where the match ends that ``re.match`` finds; None for none. Raises re.error for what is no pattern, and
    :class:`TooLongError`."""
    if _is_quick(pattern, len(text)):
        match = re.match(pattern, text)
        return None if match is None else match.end()
    return _Run(_program(pattern), text).end()


def matches_whole(pattern: str, text: str) -> bool:
    """True where ``re.fullmatch`` finds a match. Raises as :func:`match_end`."""
    if _is_quick(pattern, len(text)):
        return re.fullmatch(pattern, text) is not None
    return _Run(_program(pattern), text, whole=True).end() is not None


@cache
def _parsed(pattern: str) -> Any:
    try:
        return parser.parse(pattern)
    except OverflowError as wrong:  # a repeat of more turns than there can be
        raise re.error(str(wrong)) from wrong
    except RecursionError:
        raise TooLongError from None


# -- how many ways there are --------------------------------------------------------------------------------


def tries(pattern: str, length: int) -> int | None:
    """In how many ways ``re`` tries to match a text of that length at most, wherever in it the match starts; None for
    more than are few, and for what is no pattern."""
    try:
        number = _tries(pattern, length)
    except (TooLongError, re.error):
        return None
    return number if number <= _MOST_WAYS else None


def _is_quick(pattern: str, length: int) -> bool:
    return _tries(pattern, length) <= _MOST_WAYS


def _tries(pattern: str, length: int) -> int:
    try:
        return _ways(_parsed(pattern), length + 1) * (length + 1)
    except RecursionError:
        raise TooLongError from None


def _ways(tree: Iterable[Any], length: int) -> int:
    """In how many ways a parsed pattern can be tried at most, as far as they are few."""
    ways = 1
    for kind, argument in tree:
        name = str(kind)
        if name.endswith("_REPEAT"):
            least, most, body = argument
            turns = min(int(most), length)
            inner = _ways(body, length)
            ways *= max(1, turns - int(least) + 1)
            ways = _MOST_WAYS + 1 if inner > 1 and turns > _MOST_WAYS.bit_length() else ways * inner**turns
        elif name == "BRANCH":
            ways *= sum(_ways(branch, length) for branch in argument[1])
        else:
            for part in _bodies(argument):
                ways *= _ways(part, length)
        if ways > _MOST_WAYS:
            break
    return ways


def _bodies(argument: Any) -> Iterable[Any]:
    """The patterns in the argument of a part of a pattern."""
    if isinstance(argument, parser.SubPattern):
        yield argument
    elif isinstance(argument, (list, tuple)):
        for item in argument:
            yield from _bodies(item)


# -- a pattern as steps -------------------------------------------------------------------------------------


class _Step(NamedTuple):
    """``kind``: ``one`` character or a place that ``test`` knows (it gives where the match ends); ``any`` of the steps
    in ``to``, the first one first; a ``turn`` of a repeat, or not (``to``: two steps in order, and what is saved of the
    turn before); ``save`` where group ``to[0]`` starts (1: ends; -1: nothing any more); ``same`` text as group
    ``to[0]`` had; ``group``: the way is ``to[0]`` where group ``to[1]`` was there, else ``to[2]``; ``look``: a match
    that goes on at ``to[0]``, see :class:`_Look`; ``end``."""

    kind: str
    to: tuple[int, ...] = ()
    test: Callable[[str, int], int] | None = None
    look: _Look | None = None


class _Look(NamedTuple):
    """A match in a match: ``wanted`` or not wanted, so many characters ``back``, and whether it is ``taken``: the rest
    goes on at its end."""

    wanted: bool = True
    back: int = 0
    taken: bool = False


class _Program:
    """The steps of one pattern."""

    def __init__(self, tree: Any) -> None:
        self.steps: list[_Step] = []
        self.groups = {number: place for place, number in enumerate(sorted(set(_referred(tree))))}
        self.saved = len(self.groups)
        self._tests: dict[tuple[str, int], Callable[[str, int], int]] = {}
        self._add_all(tree, tree.state.flags)
        self._add(_Step("end"))

    def _add(self, step: _Step) -> int:
        if len(self.steps) >= _LONGEST:
            raise TooLongError
        self.steps.append(step)
        return len(self.steps) - 1

    def _go_on(self, place: int, *to: int) -> None:
        self.steps[place] = self.steps[place]._replace(to=to)

    def _add_all(self, tree: Iterable[Any], flags: int) -> None:
        for kind, argument in tree:
            name = str(kind)
            handler = _ADDERS.get(name)
            if handler is None:
                key = (f"{name} {argument}", flags)
                if key not in self._tests:
                    self._tests[key] = _test(kind, argument, flags)
                self._add(_Step("one", test=self._tests[key]))
            else:
                handler(self, name, argument, flags)

    def _branch(self, name: str, argument: Any, flags: int) -> None:
        fork, ends, starts = self._add(_Step("any")), [], []
        for branch in argument[1]:
            starts.append(len(self.steps))
            self._add_all(branch, flags)
            ends.append(self._add(_Step("any")))
        self._go_on(fork, *starts)
        for end in ends:
            self._go_on(end, len(self.steps))

    def _group(self, name: str, argument: Any, flags: int) -> None:
        number, more, fewer, body = argument
        place = self.groups.get(number)
        if place is not None:
            self._add(_Step("save", (place, 0)))
        self._add_all(body, (flags | more) & ~fewer)
        if place is not None:
            self._add(_Step("save", (place, 1)))

    def _repeat(self, name: str, argument: Any, flags: int) -> None:
        least, most, body = int(argument[0]), int(argument[1]), argument[2]
        for _ in range(least):
            self._add_all(body, flags)
        slot, kind = -1, "any"
        if int(body.getwidth()[0]) == 0:  # no turn starts where the one before it did
            slot, kind = self.saved, "turn"
            self.saved += 1
            self._add(_Step("save", (slot, -1)))
        forks = []
        for _ in range(1 if most >= _MANY else most - least):
            forks.append(self._add(_Step(kind)))
            self._add_all(body, flags)
        if most >= _MANY:
            self._add(_Step("any", (forks[0],)))
        for fork in forks:
            ways = fork + 1, len(self.steps)
            more = () if slot < 0 else (slot,)
            self._go_on(fork, *(ways if name == "MAX_REPEAT" else ways[::-1]), *more)

    def _possessive(self, name: str, argument: Any, flags: int) -> None:
        self._inside(_Look(taken=True), lambda: self._repeat("MAX_REPEAT", argument, flags))

    def _atomic(self, name: str, argument: Any, flags: int) -> None:
        self._inside(_Look(taken=True), lambda: self._add_all(argument, flags))

    def _look(self, name: str, argument: Any, flags: int) -> None:
        direction, body = argument
        back = int(body.getwidth()[0]) if direction < 0 else 0
        self._inside(_Look(name == "ASSERT", back), lambda: self._add_all(body, flags))

    def _inside(self, look: _Look, add: Callable[[], None]) -> None:
        start = self._add(_Step("look", look=look))
        add()
        self._add(_Step("end"))
        self._go_on(start, len(self.steps))

    def _same(self, name: str, argument: Any, flags: int) -> None:
        self._add(_Step("same", (self.groups[argument], int(bool(flags & re.IGNORECASE)))))

    def _choice(self, name: str, argument: Any, flags: int) -> None:
        number, then, otherwise = argument
        start = self._add(_Step("group"))
        self._add_all(then, flags)
        end = self._add(_Step("any"))
        self._go_on(start, start + 1, self.groups[number], len(self.steps))
        self._add_all(otherwise or (), flags)
        self._go_on(end, len(self.steps))

    def _nothing(self, name: str, argument: Any, flags: int) -> None:
        self._add(_Step("any"))


_ADDERS: Final[dict[str, Callable[[_Program, str, Any, int], None]]] = {
    "BRANCH": _Program._branch,
    "SUBPATTERN": _Program._group,
    "MAX_REPEAT": _Program._repeat,
    "MIN_REPEAT": _Program._repeat,
    "POSSESSIVE_REPEAT": _Program._possessive,
    "ATOMIC_GROUP": _Program._atomic,
    "ASSERT": _Program._look,
    "ASSERT_NOT": _Program._look,
    "GROUPREF": _Program._same,
    "GROUPREF_EXISTS": _Program._choice,
    "FAILURE": _Program._nothing,
}


def _referred(tree: Iterable[Any]) -> Iterable[int]:
    """The groups that a pattern refers to."""
    for kind, argument in tree:
        if str(kind) == "GROUPREF":
            yield argument
        elif str(kind) == "GROUPREF_EXISTS":
            yield argument[0]
        for part in _bodies(argument):
            yield from _referred(part)


def _test(kind: Any, argument: Any, flags: int) -> Callable[[str, int], int]:
    """What a part of a pattern without parts of its own matches at a place: where that ends, -1 for nothing. It is
    compiled by itself, so that ``re`` decides what a letter, a word or a line is."""
    state = parser.State()
    state.flags = flags
    state.str = ""
    match = compiler.compile(parser.SubPattern(state, [(kind, argument)])).match

    def end(text: str, place: int) -> int:
        hit = match(text, place)
        return -1 if hit is None else hit.end()

    return end


@lru_cache(maxsize=64)
def _program(pattern: str) -> _Program:
    try:
        return _Program(_parsed(pattern))
    except RecursionError:
        raise TooLongError from None


# -- running it ---------------------------------------------------------------------------------------------

#: where a group that is referred to starts and ends; -1: it was not there
_Saved = tuple[tuple[int, int], ...]


class _Run:
    """A pattern at the start of a text. ``whole``: the match has to end where the text ends."""

    def __init__(self, program: _Program, text: str, *, whole: bool = False) -> None:
        self._program = program
        self._steps = program.steps
        self._text = text
        self._last = program.steps[-1] if whole else None
        self._left = left("steps") // _STEP

    def end(self) -> int | None:
        """Where the match ends; None for none."""
        before = self._left
        try:
            result = self._run(0, 0, ((-1, -1),) * self._program.saved)
        except RecursionError:
            raise TooLongError from None
        finally:
            spend("steps", (before - self._left) * _STEP)
        return None if result is None else result[0]

    def _run(self, step: int, place: int, saved: _Saved) -> tuple[int, _Saved] | None:
        """The end of the match from ``step`` at ``place``, and the groups then."""
        waiting = [(step, place, saved)]
        seen: set[tuple[int, int, _Saved]] = set()
        while waiting:
            step, place, saved = waiting.pop()
            while step >= 0:
                self._left -= 1
                if self._left < 0:
                    raise TooLongError
                current = self._steps[step]
                if current.kind == "end":
                    if current is not self._last or place == len(self._text):
                        return place, saved
                    break
                if current.kind in ("any", "turn"):
                    key = (step, place, saved)
                    if key in seen or not current.to:
                        break
                    seen.add(key)
                    ways = [(other, place, saved) for other in current.to]
                    if current.kind == "turn":
                        ways = self._turns(step, current, place, saved)
                    waiting += ways[:0:-1]
                    step, place, saved = ways[0]
                else:
                    step, place, saved = self._advance(step, current, place, saved)
        return None

    @staticmethod
    def _turns(number: int, step: _Step, place: int, saved: _Saved) -> list[tuple[int, int, _Saved]]:
        """One more turn of a repeat and what is behind it, in their order."""
        *ways, slot = step.to
        if saved[slot][0] == place:
            return [(max(ways), place, saved)]  # what is behind it
        inside = (*saved[:slot], (place, place), *saved[slot + 1 :])
        return [(other, place, inside if other == number + 1 else saved) for other in ways]

    def _advance(self, number: int, step: _Step, place: int, saved: _Saved) -> tuple[int, int, _Saved]:
        """The next step, -1 for none, and where it is taken."""
        following = number + 1
        if step.test is not None:
            end = step.test(self._text, place)
            return (following if end >= 0 else -1), end, saved
        if step.look is not None:
            return self._look(number, step.look, place, saved)
        if step.kind == "save":
            group, which = step.to
            row = ((place, saved[group][1]), (saved[group][0], place), (-1, -1))[which]
            return following, place, (*saved[:group], row, *saved[group + 1 :])
        if step.kind == "group":
            return (step.to[0] if saved[step.to[1]][1] >= 0 else step.to[2]), place, saved
        start, end = saved[step.to[0]]
        wanted, actual = self._text[start:end], self._text[place : place + end - start]
        same = wanted == actual or (step.to[1] and wanted.lower() == actual.lower())
        return (following if start >= 0 and end >= start and same else -1), place + end - start, saved

    def _look(self, number: int, look: _Look, place: int, saved: _Saved) -> tuple[int, int, _Saved]:
        start = place - look.back
        ended = self._run(number + 1, start, saved) if start >= 0 else None
        following = self._steps[number].to[0]
        if ended is None or not look.wanted:
            return (following if (ended is None) is not look.wanted else -1), place, saved
        return following, ended[0] if look.taken else place, ended[1]
