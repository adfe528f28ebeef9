"""Choices moved out of what a language has no form for around them: ``f(if c then a else b)`` is ``if c then f(a) else
f(b)``.

So a list or map with an entry that a condition removes is a choice between two lists or maps, and a call without a form
is computed for each case. A boolean input, or one with few allowed values, is a choice, too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import Any, ClassVar

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Expr, Path, Value
from bpconvert.translators.evaluate import Refused, fold
from bpconvert.translators.evaluate.scope import may_vanish
from bpconvert.translators.passes.expressions.rewriter import ExpressionRewriter, Unsupported

#: A value becomes no more cases than this.
MOST_CASES = 16
#: A parameter with more allowed values is not taken for a choice.
MOST_VALUES = 6


class _TooMany(Exception):
    """More cases than are worth writing."""


class PiecewiseRewriter(ExpressionRewriter):
    """Rewrites for a language without conditions, which picks an item of a list by a computed index, and of a map by a
    computed key."""

    #: levels of lists and maps, and of calls in them, that the language evaluates
    DEEPEST: ClassVar[int] = 44
    #: words for a table with a result for each value of an input
    TABLE: ClassVar[str] = "a table with a result for each value of the input"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        #: steps of a path that do not count, see :meth:`levels`
        self.above = 0
        #: named conditions on the way to a decision
        self._deciding: set[str] = set()
        #: named conditions -> what they are whatever is given, as far as that is known
        self.truths: dict[str, bool | None] = {}
        #: named conditions that several places ask for -> how they are decided, or why they are not
        self.decided: dict[Value, Any] = {}

    @cached_property
    def condition_uses(self) -> Counter[Value]:
        """How many places of the topology name each condition."""
        expressions = ex.walk(list(self.topology.values(declared=False)))
        return Counter(
            expr.name for expr in expressions if isinstance(expr, ex.Condition) and isinstance(expr.name, str)
        )

    def levels(self, path: Path) -> int:
        """How deep what stands at ``path`` is where it is evaluated: what is chosen is no deeper than the choice."""
        return len(path) - self.above

    def holding(self, condition: ex.Condition, truth: bool, compute: Callable[[], Value]) -> Value:
        """What is true where a named condition is ``truth``, else false; ``compute`` gives it where that is asked for
        first."""
        raise NotImplementedError

    def pick(self, branches: list[Value], index: Value, path: Path) -> Value:
        """The item of ``branches`` at a computed index; -1 is the last one."""
        raise NotImplementedError

    def table(self, table: dict[str, Value], chooser: ex.Input, path: Path) -> Value:
        """The value of ``table`` (plain data) for the value of an input."""
        raise NotImplementedError

    def is_plain(self, value: Value) -> bool:
        """True for data that the language takes as it is."""
        return ex.is_constant(value)

    def rewrite(self, value: Value, path: Path) -> Value:
        """See :meth:`ExpressionRewriter.rewrite`; a call without a form is computed for each of its cases."""
        choice = by_case(self, value, path) if isinstance(value, Expr) else MISSING
        if choice is MISSING:
            return super().rewrite(value, path)
        if isinstance(choice, ex.Input):
            self.report(self.CODES.rewritten, value.path or path, name=self.spelling(value), how=self.TABLE)
        elif not isinstance(choice, Expr):
            self.report(self.CODES.computed, value.path or path, name=self.spelling(value))
        return self.rewrite(choice, path)

    def part(self, value: Value, path: Path) -> Value:
        """See :meth:`ExpressionRewriter.part`; entries that conditions remove are put apart."""
        if not isinstance(value, (dict, list)):
            return super().part(value, path)
        parted = parted_value(self, value, path)
        return super().part(value, path) if parted is MISSING else self.part(parted, path)

    def meaning(self, condition: ex.Condition) -> Value:
        """What a named condition is; None where there is none."""
        return self.topology.conditions.get(condition.name) if isinstance(condition.name, str) else None

    @contextmanager
    def deciding(self, condition: ex.Condition) -> Iterator[Value]:
        """In here the meaning of a named condition is being decided; raises :class:`Unsupported` in a circle, and where
        there is none."""
        name = condition.name
        if not isinstance(name, str) or name not in self.topology.conditions:
            raise Unsupported(f"there is no condition '{name}'")
        if name in self._deciding:
            raise Unsupported(f"condition '{name}' refers to itself")
        self._deciding.add(name)
        try:
            meaning = self.topology.conditions[name]
            if isinstance(meaning, (str, ex.Condition)) or self.is_refused(meaning):
                raise Unsupported(f"{self.request.source.title} refuses the condition '{name}'")
            yield meaning
        finally:
            self._deciding.discard(name)


def parted_value(rewriter: PiecewiseRewriter, value: dict[Any, Value] | list[Value], path: Path) -> Value:
    """A list or map with entries that conditions remove, in terms of choices; MISSING where there are none. A map is
    merged with one map for each such entry."""
    items = value.values() if isinstance(value, dict) else value
    if not any(map(may_vanish, items)):
        return MISSING
    if isinstance(value, list):
        return by_case(rewriter, value, path)
    fixed = {key: item for key, item in value.items() if not may_vanish(item)}
    maps = [entry(key, item) for key, item in value.items() if may_vanish(item)]
    return ex.Merge([fixed, *maps] if fixed else maps, path=path) if fixed or len(maps) > 1 else maps[0]


def entry(key: Any, value: Value) -> Value:
    """A map with the one entry, or without it where its value vanishes."""
    if value is MISSING:
        return {}
    if not may_vanish(value):
        return {key: value}
    return ex.If(value.condition, entry(key, value.then), entry(key, value.otherwise), path=value.path)


def by_case(rewriter: PiecewiseRewriter, value: Value, path: Path) -> Value:
    """``value`` as a choice between values whose own arguments have no choice that is in the way; MISSING where there
    is none, or where a case has no form either."""
    if not _is_candidate(rewriter, value):
        return MISSING
    try:
        if _is_computed(rewriter, value):  # members of groups are known by now
            value = fold(value, rewriter.scope)
            if not isinstance(value, Expr):
                return value
        cases = _cases(rewriter, value, path, [MOST_CASES])
    except (_TooMany, Refused, RecursionError):
        return MISSING
    return MISSING if cases is value else cases


def _is_candidate(rewriter: PiecewiseRewriter, value: Value) -> bool:
    if not isinstance(value, Expr):
        return isinstance(value, (dict, list, tuple))
    rule = rewriter.rules.get(type(value))
    return (rule is not None and rule.structure is not None) or _is_computed(rewriter, value)


def _is_computed(rewriter: PiecewiseRewriter, value: Value) -> bool:
    """True for a function of its arguments that may have to be computed, because not all calls of it have a form."""
    if not isinstance(value, Expr) or value.NEEDS:
        return False
    rule = rewriter.rules.get(type(value))
    return rule is None or rule.takes is not None


def _has_form(rewriter: PiecewiseRewriter, value: Value) -> bool:
    rule = rewriter.rules.get(type(value))
    return rule is not None and (rule.takes is None or rule.takes(rewriter, value))


def _cases(rewriter: PiecewiseRewriter, value: Value, path: Path, left: list[int]) -> Value:
    """``value`` for each case of its conditions. ``left``: how many cases there may still be."""
    condition = next(_conditions(rewriter, value), None)
    if condition is None:
        left[0] -= 1
        if left[0] < 0 or (_is_computed(rewriter, value) and not _has_form(rewriter, value)):
            raise _TooMany
        return value
    if isinstance(condition, ex.If):
        then, otherwise = (
            _cases(rewriter, _decided(rewriter, value, condition.condition, truth), path, left)
            for truth in (True, False)
        )
        return ex.If(condition.condition, then, otherwise, path=path)
    if isinstance(condition, ex.Input):
        return _cases_of_input(rewriter, value, condition, path, left)
    raise _TooMany


def _cases_of_input(
    rewriter: PiecewiseRewriter, value: Value, reference: ex.Input, path: Path, left: list[int]
) -> Value:
    """``value`` for each value that an input can have: a table of the results where they are known."""
    domain = _domain(rewriter, reference)
    results = [_cases(rewriter, _for_option(rewriter, value, reference, option), path, left) for option in domain]
    table = dict(zip(domain, results, strict=True))
    if all(isinstance(option, str) for option in domain) and rewriter.is_plain(table):
        return rewriter.table(table, reference, path)
    *others, value_chosen = results
    for option, result in zip(reversed(domain[:-1]), reversed(others), strict=True):
        condition = reference if isinstance(option, bool) else ex.Equals(reference, option, path=reference.path)
        value_chosen = ex.If(condition, result, value_chosen, path=path)
    return value_chosen


def _conditions(rewriter: PiecewiseRewriter, value: Value) -> Iterator[Expr]:
    """The choices, and inputs that are choices, that stand in the way of a form for ``value``."""
    if isinstance(value, (dict, list, tuple)):
        items = value.values() if isinstance(value, dict) else value
        yield from (item for item in items if may_vanish(item))
    elif isinstance(value, ex.If):
        yield from (branch for branch in (value.then, value.otherwise) if may_vanish(branch))
    elif _is_computed(rewriter, value):
        parts = list(ex.walk([getattr(value, name) for name in ex.field_names(type(value))]))
        yield from (item for item in parts if isinstance(item, ex.If))
        if not _has_form(rewriter, value):
            yield from (item for item in parts if isinstance(item, ex.Input) and _domain(rewriter, item))
    elif (rule := rewriter.rules.get(type(value))) is not None and rule.structure is not None:
        for part in rule.structure(value):
            if isinstance(part, ex.If):
                yield part
            elif isinstance(part, (dict, list, tuple)):
                yield from _conditions(rewriter, part)


def _domain(rewriter: PiecewiseRewriter, value: ex.Input) -> tuple[Value, ...]:
    """The values that an input can have; none where they are too many."""
    declared = rewriter.declared(value)
    if declared is None:
        return ()
    if declared.type == "boolean":
        return True, False
    allowed = declared.allowed_texts if declared.type == "string" else None
    return tuple(allowed) if allowed and len(allowed) <= MOST_VALUES else ()


def _decided(rewriter: PiecewiseRewriter, value: Value, condition: Value, truth: bool) -> Value:
    """``value`` where ``condition`` is ``truth``; raises Refused where the engine refuses to compute that."""
    wanted, is_negated = _base(rewriter, condition)

    def choice(expr: Expr) -> Value:
        if not isinstance(expr, ex.If):
            return expr
        base, negated = _base(rewriter, expr.condition)
        if base != wanted:
            return expr
        return ex.If(truth is (negated is is_negated), expr.then, expr.otherwise, path=expr.path)

    return fold(ex.transform(value, choice), rewriter.scope)


def _base(rewriter: PiecewiseRewriter, condition: Value) -> tuple[str, bool]:
    """What a condition is made of by negation and names, and whether it is the opposite of that."""
    negated, seen = False, 0
    while seen < MOST_CASES:
        seen += 1
        meaning = rewriter.meaning(condition) if isinstance(condition, ex.Condition) else None
        if isinstance(condition, ex.Not):
            condition, negated = condition.operand, not negated
        elif isinstance(meaning, (ex.Not, ex.Condition)):
            condition = meaning
        else:
            break
    return repr(condition), negated


def _for_option(rewriter: PiecewiseRewriter, value: Value, reference: ex.Input, option: Value) -> Value:
    return fold(ex.transform(value, lambda expr: option if expr == reference else expr), rewriter.scope)
