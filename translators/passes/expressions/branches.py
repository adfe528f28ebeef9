"""Conditions for a language that has none, but picks an item of a list by a computed index.

The place of ``|b|`` in ``|a|`` is 0 when they are equal and -1 when there is none, and -1 is the last item of a list; a
boolean is an index by itself. Only the chosen item is evaluated. A condition with a name that several places ask for is
written once, as a boolean that these places look up.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, Final
from weakref import ref

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.light import NamedTuple
from bpconvert.translators.evaluate.scope import may_vanish
from bpconvert.translators.passes.expressions import static_texts
from bpconvert.translators.passes.expressions.decisions import ALWAYS, NEVER, Diagram, Inside, Row
from bpconvert.translators.passes.expressions.piecewise import PiecewiseRewriter
from bpconvert.translators.passes.expressions.rewriter import Unsupported


def choose(rewriter: PiecewiseRewriter, condition: Value, then: Value, otherwise: Value, path: Path) -> Value:
    """``then`` if ``condition`` holds, else ``otherwise`` (both rewritten already).

    Raises :class:`Unsupported` where the condition is not decided by the inputs; then nothing has been written."""
    try:
        return _Decided(rewriter, condition).pick(then, otherwise, path)
    except RecursionError:
        raise Unsupported("the condition is nested too deeply") from None


def always(rewriter: PiecewiseRewriter, condition: Value, path: Path) -> bool | None:
    """What ``condition`` is whatever is given; None: it depends, or cannot be decided. Raises :class:`Unsupported`
    where it cannot be decided at ``path`` because that is too deep."""
    try:
        decided = _Decided(rewriter, condition)
    except (Unsupported, RecursionError):
        return None
    if isinstance(decided.start, bool):
        return decided.start
    decided.check(path)
    return None


def truth(rewriter: PiecewiseRewriter, condition: Value) -> bool | None:
    """What ``condition`` is whatever is given, as far as the types of its operands tell; None: it depends."""
    if isinstance(condition, bool):
        return condition
    if isinstance(condition, ex.Condition):
        truths, name = rewriter.truths, condition.name
        if not isinstance(name, str):
            return None
        if name not in truths:
            truths[name] = None  # in a circle, it depends
            truths[name] = truth(rewriter, rewriter.meaning(condition))
        return truths[name]
    if isinstance(condition, ex.Not):
        inner = truth(rewriter, condition.operand)
        return None if inner is None else not inner
    if isinstance(condition, (ex.And, ex.Or)):
        decisive = isinstance(condition, ex.Or)
        verdicts = [truth(rewriter, operand) for operand in condition.operands]
        return decisive if decisive in verdicts else None if None in verdicts else not decisive
    if isinstance(condition, ex.Equals):
        kinds = {_certain_kind(rewriter, condition.left), _certain_kind(rewriter, condition.right)}
        return False if len(kinds) == 2 and None not in kinds and kinds not in _MAY_BE_EQUAL else None
    return None


#: kinds of which values may be equal
_MAY_BE_EQUAL: tuple[set[str | None], ...] = ({"number", "boolean"}, {"json", "list"}, {"json", "map"})


def _certain_kind(rewriter: PiecewiseRewriter, value: Value) -> str | None:
    """What ``value`` is in any case (see ``kind`` of the rewriter); None where nothing makes that sure."""
    if isinstance(value, ex.Input) and isinstance(value.name, str):
        declared = rewriter.topology.inputs.get(value.name)
        if declared is None or declared.type is None or (value.keys and declared.type != "list"):
            return None
        return rewriter.kind(value)
    return None if isinstance(value, ex.Expr) else rewriter.kind(value)


class _Decided:
    """A condition, its parts, and the decisions about them."""

    def __init__(self, rewriter: PiecewiseRewriter, condition: Value, *, is_named: bool = False) -> None:
        #: held weakly: it keeps what is decided
        self._rewriting = ref(rewriter)
        self._is_inner = self._is_named = is_named
        #: what is decided by its number; from :data:`_LAST` on what is asked last, see :meth:`_last`
        self.parts: dict[int, Value] = {}
        self._numbers: dict[str, int] = {}
        self.diagram = Diagram(self._condition(condition))
        if any(row.part >= _LAST and max(row.then, row.otherwise) > ALWAYS for row in self._rows()):
            self._is_named, self.parts, self._numbers = False, {}, {}
            self.diagram = Diagram(self._condition(condition))

    @property
    def _rewriter(self) -> PiecewiseRewriter:
        rewriter = self._rewriting()
        assert rewriter is not None
        return rewriter

    def _rows(self) -> list[Row]:
        return [self.diagram.row(number) for number in self.diagram.numbers()]

    @property
    def start(self) -> Value:
        """True or false, or the only part that it depends on; None for what depends on several."""
        numbers = self.diagram.numbers()
        if not numbers:
            return self.diagram.start == ALWAYS
        return None if len(numbers) > 1 else self.parts[self.diagram.row(numbers[0]).part]

    @cached_property
    def depth(self) -> int:
        """How many conditions with names are looked up one inside of the other."""
        numbered = ((number, self.parts[number]) for number in self.diagram.parts)
        with_names = [(number, part) for number, part in numbered if isinstance(part, ex.Condition)]
        return max(
            (_decisions_of(self._rewriter, part).depth + (number < _LAST) for number, part in with_names), default=0
        )

    def check(self, path: Path) -> None:
        """Raise :class:`Unsupported` where it is too deep to be asked for at ``path``."""
        if self._rewriter.levels(path) + 2 * self.depth > self._rewriter.DEEPEST:
            raise Unsupported(f"it is nested deeper than {self._rewriter.request.target.title} evaluates")

    def pick(self, then: Value, otherwise: Value, path: Path) -> Value:
        """``then`` where it holds, else ``otherwise``. Raises :class:`Unsupported`."""
        self.check(path)
        indices = {part: self._index(self.parts[part]) for part in reversed(self.diagram.parts) if part < _LAST}
        numbers = self.diagram.numbers()
        if len(numbers) > 1 and (_is_large(then) or _is_large(otherwise)):
            holds = self._written(numbers, indices, True, False, path)
            return _pick(self._rewriter, [otherwise, then], holds, path)
        return self._written(numbers, indices, then, otherwise, path)

    def _written(
        self, numbers: list[int], indices: dict[int, _Index], then: Value, otherwise: Value, path: Path
    ) -> Value:
        values = {NEVER: otherwise, ALWAYS: then}
        for number in numbers:
            row = self.diagram.row(number)
            if row.part >= _LAST:
                values[number] = self._last(row, then)
                continue
            index, is_truth = indices[row.part]
            branches = [values[row.then], values[row.otherwise]]
            values[number] = _pick(self._rewriter, branches[::-1] if is_truth else branches, index, path)
        return values[self.diagram.start]

    def _last(self, row: Row, then: Value) -> Value:
        """The truth of a condition that nothing is decided by any more: it is no deeper than that condition is."""
        return _held(self._rewriter, self.parts[row.part], (then is True) is (row.then == ALWAYS))

    # -- its parts ---------------------------------------------------------------------------------------------

    def _condition(self, condition: Value) -> Value:
        """``condition`` as ``and``, ``or`` and ``not`` of the numbers of its parts."""
        rewriter = self._rewriter
        known_truth = truth(rewriter, condition)
        if known_truth is not None:
            return known_truth
        if isinstance(condition, ex.Condition):
            return self._by_name(condition)
        if isinstance(condition, ex.Not):
            return ex.Not(self._condition(condition.operand))
        if isinstance(condition, (ex.And, ex.Or)):
            return type(condition)(tuple(self._condition(operand) for operand in condition.operands))
        if isinstance(condition, ex.Contains) and isinstance(condition.sequence, (list, tuple)):
            options = (ex.Equals(condition.value, item, path=condition.path) for item in condition.sequence)
            return ex.Or(tuple(self._condition(option) for option in options))
        flag = _flag(rewriter, condition) if isinstance(condition, ex.Equals) else None
        return self._number(condition) if flag is None else self._condition(flag)

    def _by_name(self, condition: ex.Condition) -> Value:
        """A condition with a name. What several places ask for is decided once, and is a part like another one, unless
        it has only one itself."""
        rewriter = self._rewriter
        if rewriter.condition_uses[condition.name] < _SEVERAL:
            with rewriter.deciding(condition) as meaning:
                return self._condition(meaning)
        decisions = _decisions_of(rewriter, condition)
        start = decisions.start
        if isinstance(start, bool):
            return start
        if start is None and decisions.depth < _DEEPEST + (not self._is_inner):
            return self._number(condition)
        if start is None and self._is_named:
            return self._number(condition, _LAST)
        if len(decisions.diagram.numbers()) > _MOST:
            raise Unsupported(f"the condition is nested deeper than {rewriter.request.target.title} evaluates")
        return Inside(
            decisions.diagram, {part: self._number(decisions.parts[part]) for part in decisions.diagram.parts}
        )

    def _number(self, part: Value, first: int = 0) -> int:
        key = repr(part)
        if key not in self._numbers:
            self._numbers[key] = first + len(self.parts)
            self.parts[self._numbers[key]] = part
        return self._numbers[key]

    def _index(self, part: Value) -> _Index:
        """The index that ``part`` is. Raises :class:`Unsupported`."""
        rewriter = self._rewriter
        if isinstance(part, ex.Condition):
            return _Index(_held(rewriter, part, True), is_truth=True)
        if isinstance(part, ex.Contains) and (index := static_texts.lacks(rewriter, part)) is not MISSING:
            return _Index(index, is_truth=True)
        if isinstance(part, ex.Equals):
            return _Index(_equality(rewriter, part), is_truth=False)
        if isinstance(part, ex.Input) and rewriter.kind(part) == "boolean":
            return _Index(rewriter.rewrite(part, part.path), is_truth=True)
        if rewriter.is_refused(part):
            raise Unsupported(f"{rewriter.request.source.title} refuses the condition")
        if isinstance(part, ex.Expr):
            raise Unsupported(f"the condition '{rewriter.spelling(part)}' is not decided by comparing inputs")
        raise Unsupported(f"{part!r} is no condition")


class _Index(NamedTuple):
    """An index that is 0 or true, or -1 or false. ``is_truth``: the item of what holds is the last one."""

    value: Value
    is_truth: bool


#: a condition with a name that so many places ask for is written once
_SEVERAL: Final = 2
#: so many of them are looked up one inside of the other, and the parts of so many decisions are written in their place
#: where there are more
_DEEPEST: Final = 8
_MOST: Final = 16
#: the number of the first part that is asked last
_LAST: Final = 1 << 32
#: values of so many characters, and more, are not written several times
_LARGE: Final = 200


def _is_large(value: Value) -> bool:
    return len(repr(value)) > _LARGE


def _held(rewriter: PiecewiseRewriter, condition: ex.Condition, truth: bool) -> Value:
    """What is true where a condition with a name is ``truth``, else false; written once."""
    path = ("conditions", condition.name)
    return rewriter.holding(condition, truth, lambda: _decisions_of(rewriter, condition).pick(truth, not truth, path))


def _decisions_of(rewriter: PiecewiseRewriter, condition: ex.Condition) -> _Decided:
    """The decisions of a condition with a name, found once. Raises :class:`Unsupported`."""
    if condition.name not in rewriter.decided:
        try:
            with rewriter.deciding(condition) as meaning:
                rewriter.decided[condition.name] = _Decided(rewriter, meaning, is_named=True)
        except Unsupported as unsupported:
            rewriter.decided[condition.name] = Unsupported(unsupported.reason, unsupported.stand_in)
    decisions: _Decided | Unsupported = rewriter.decided[condition.name]
    if isinstance(decisions, Unsupported):
        raise Unsupported(decisions.reason, decisions.stand_in)
    return decisions


def _flag(rewriter: PiecewiseRewriter, condition: ex.Equals) -> Value | None:
    """A boolean parameter that is compared with true or false, or 1 or 0, as the condition that it is by itself."""
    for side, other in ((condition.left, condition.right), (condition.right, condition.left)):
        if not isinstance(side, ex.Input) or _certain_kind(rewriter, side) != "boolean" or isinstance(other, ex.Expr):
            continue
        if isinstance(other, (bool, int, float)) and other in (0, 1):
            return side if other else ex.Not(side, path=condition.path)
        return False
    return None


def _alike(rewriter: PiecewiseRewriter, side: Value, other: Value) -> Value:
    """``side`` as a number beside a number: to Python, true is 1."""
    is_number = isinstance(other, ex.Expr) and _certain_kind(rewriter, other) == "number"
    return int(side) if is_number and isinstance(side, bool) else side


def _equality(rewriter: PiecewiseRewriter, condition: ex.Equals) -> Value:
    """0 when both sides are equal, -1 when not. Nothing is converted, so the kinds have to agree."""
    left, right = condition.left, condition.right
    condition = ex.Equals(_alike(rewriter, left, right), _alike(rewriter, right, left), path=condition.path)
    report = rewriter.report
    sides = [rewriter.rewrite(side, condition.path) for side in (condition.left, condition.right)]
    kinds = {_kind(rewriter, side) for side in (condition.left, condition.right)}
    if not rewriter.is_static(sides):
        raise Unsupported("the condition compares a value that is only known at run time")
    if len(kinds - {"any", "json"}) > 1:
        raise Unsupported("the condition compares values of different types")
    if len(kinds) > 1 or kinds & {"any", "number"}:
        report("BPC207", condition.path)
    if kinds & {"map", "json"} and not any(side in ({}, []) for side in sides):
        raise Unsupported("the condition compares maps, whose text form depends on the order of keys")
    literal = next((side for side in sides if not isinstance(side, ex.Expr)), MISSING)
    if literal is MISSING:
        if kinds != {"boolean"}:
            report("BPC225", condition.path, fence=_FENCES[0])
        return ex.Find(*(rewriter.text([_FENCES[0], side, _FENCES[0]], condition.path) for side in sides))
    other = sides[0] if isinstance(sides[0], ex.Expr) else sides[1]
    if isinstance(literal, float) and literal.is_integer():
        literal = int(literal)
    fence = next((mark for mark in _FENCES if mark not in str(literal)), "\x1f")
    fenced = rewriter.text([fence, str(literal), fence], condition.path)
    return ex.Find(fenced, rewriter.text([fence, other, fence], condition.path))


def _kind(rewriter: PiecewiseRewriter, side: Value) -> str:
    """The kind of an operand; that of a part of a parameter is only known of its default."""
    kind = rewriter.kind(side)
    is_assumed = kind == "text" and isinstance(side, ex.Input) and _certain_kind(rewriter, side) is None
    return "any" if is_assumed else kind


#: separators, the most readable first. The literal in which the other side is looked for has none of the chosen one, so
#: that a text with separators is found in it as a whole or not at all.
_FENCES = ("|", "#", "~", "^", ";")


def _pick(rewriter: PiecewiseRewriter, branches: list[Value], index: Value, path: Path) -> Value:
    if branches[0] == branches[1] and type(branches[0]) is type(branches[1]):
        return branches[0]
    return rewriter.pick(branches, index, path)


_HOW: Final = "'merge' of the map with a map that a condition picks"


def optional_entry(
    rewriter: PiecewiseRewriter, key: Any, value: Value, source: Path, rewritten: Callable[[Value], Value]
) -> Value:
    """A map with the one entry, ``rewritten`` where it is there, or an empty one; raises
    :class:`~.rewriter.Unsupported` where the target cannot decide which."""
    if value is MISSING or value is None:
        return {}
    if not may_vanish(value):
        return {key: rewritten(value)}
    path = value.path or source
    rewriter.report(rewriter.CODES.rewritten, path, name="if", how=_HOW)
    maps = [optional_entry(rewriter, key, branch, source, rewritten) for branch in (value.then, value.otherwise)]
    return choose(rewriter, value.condition, maps[0], maps[1], path)


def otherwise(value: Value, default: Value) -> Value:
    """``value`` with ``default`` where there is none; as it is where that is nothing."""
    if default is None or not isinstance(value, ex.If):
        return value
    then, other = (
        default if branch is MISSING else otherwise(branch, default) for branch in (value.then, value.otherwise)
    )
    return ex.If(value.condition, then, other, path=value.path)


def may_be_absent(value: Value) -> bool:
    """True for a choice with a case in which there is nothing."""
    return isinstance(value, ex.If) and any(
        branch is MISSING or may_be_absent(branch) for branch in (value.then, value.otherwise)
    )


def null_for_nothing(value: Value) -> Value:
    """``value`` with null where there is none: what an ``if`` without an else is that is no part of a list or map."""
    if value is MISSING:
        return None
    if not isinstance(value, ex.If):
        return value
    branches = (null_for_nothing(branch) for branch in (value.then, value.otherwise))
    return ex.If(value.condition, *branches, path=value.path)


def merged(properties: dict[str, Any], additions: dict[Path, list[Value]]) -> dict[str, Any]:
    """``properties`` with the optional ones; inner maps first."""
    for path in sorted(additions, key=len, reverse=True):
        properties = _merged_at(properties, path, additions[path])
    return properties


def _merged_at(place: Any, path: Path, more: list[Value]) -> Any:
    if path:
        return {**place, path[0]: _merged_at(place.get(path[0], {}), path[1:], more)}
    maps = [place, *more] if place else more
    return maps[0] if len(maps) == 1 else ex.Merge(maps, strict=True)


def are_in(properties: dict[str, Value]) -> bool:
    """True where one of a resource's properties may vanish, so that ``get_property`` may not lead through the map."""
    return any(map(may_vanish, properties.values()))
