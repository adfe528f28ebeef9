"""Choices moved out of what Cloudify cannot say around them: ``f(if c then a else b)`` is ``if c then f(a) else f(b)``.

So a list or map with an entry that a condition removes is a choice between two lists or maps, and a call that Cloudify
has no counterpart of is computed for each case. A boolean parameter, or one with few allowed values, is a choice, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Expr, Path, Value
from bpconvert.translators.cloudify.functions import is_plain
from bpconvert.translators.cloudify.write import static_lists
from bpconvert.translators.evaluate import Refused, fold
from bpconvert.translators.evaluate.scope import may_vanish

if TYPE_CHECKING:
    from bpconvert.translators.cloudify.write.rewriter import DslRewriter

#: A value becomes no more cases than this.
MOST_CASES = 16
#: A parameter with more allowed values is not taken for a choice.
MOST_VALUES = 6

#: calls that Cloudify has no counterpart of: they have to be computed
_COMPUTED = (
    ex.Digest, ex.MapReplace, ex.ListConcat, ex.Filter, ex.Repeat, ex.Select, ex.Query, ex.Url,
)  # fmt: skip


class _TooMany(Exception):
    """More cases than are worth writing."""


def apart(rewriter: DslRewriter, value: dict[Any, Value] | list[Value], path: Path) -> Value:
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


def by_case(rewriter: DslRewriter, value: Value, path: Path) -> Value:
    """``value`` as a choice between values whose own arguments have no choice that is in the way; MISSING where there
    is none, or where Cloudify could not say a case either."""
    if not _is_candidate(value):
        return MISSING
    try:
        if isinstance(value, _COMPUTED):  # members of groups are known by now
            value = fold(value, rewriter.scope)
            if not isinstance(value, Expr):
                return value
        found = _cases(rewriter, value, path, [MOST_CASES])
    except (_TooMany, Refused, RecursionError):
        return MISSING
    return MISSING if found is value else found


def _is_candidate(value: Value) -> bool:
    return isinstance(value, (dict, list, tuple, ex.Join, ex.Replace, ex.Contains, *_COMPUTED))


def _cases(rewriter: DslRewriter, value: Value, path: Path, left: list[int]) -> Value:
    """``value`` for each case of its conditions. ``left``: how many cases there may still be."""
    condition = next(_conditions(rewriter, value), None)
    if condition is None:
        left[0] -= 1
        if left[0] < 0 or (isinstance(value, _COMPUTED) and not _is_sayable(rewriter, value)):
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


def _is_sayable(rewriter: DslRewriter, value: Value) -> bool:
    return isinstance(value, ex.Url) or static_lists.is_sayable(rewriter, value)


def _cases_of_input(rewriter: DslRewriter, value: Value, known: ex.Input, path: Path, left: list[int]) -> Value:
    """``value`` for each value that an input can have: a table of the results where they are known."""
    domain = _domain(rewriter, known)
    results = [_cases(rewriter, _given(rewriter, value, known, option), path, left) for option in domain]
    table = dict(zip(domain, results, strict=True))
    if all(isinstance(option, str) for option in domain) and is_plain(table):
        return ex.Input(rewriter.context.table_input(table, str(known.name), path), (known,), path=path)
    *others, found = results
    for option, result in zip(reversed(domain[:-1]), reversed(others), strict=True):
        condition = known if isinstance(option, bool) else ex.Equals(known, option, path=known.path)
        found = ex.If(condition, result, found, path=path)
    return found


def _conditions(rewriter: DslRewriter, value: Value) -> Iterator[Expr]:
    """The choices, and inputs that are choices, that stand in the way of saying ``value``."""
    if isinstance(value, (dict, list, tuple)):
        items = value.values() if isinstance(value, dict) else value
        yield from (item for item in items if may_vanish(item))
    elif isinstance(value, ex.If):
        yield from (branch for branch in (value.then, value.otherwise) if may_vanish(branch))
    elif isinstance(value, _COMPUTED):
        found = list(ex.walk([getattr(value, name) for name in ex.field_names(type(value))]))
        yield from (item for item in found if isinstance(item, ex.If))
        if not isinstance(value, ex.Url):
            yield from (item for item in found if isinstance(item, ex.Input) and _domain(rewriter, item))
    elif type(value) in _STRUCTURE:
        for part in _STRUCTURE[type(value)](value):
            if isinstance(part, ex.If):
                yield part
            elif isinstance(part, (dict, list, tuple)):
                yield from _conditions(rewriter, part)


#: calls that Cloudify can say -> the arguments whose structure has to be known for it
_STRUCTURE: dict[type[Expr], Callable[[Value], tuple[Value, ...]]] = {
    ex.Join: lambda expr: expr.lists,
    ex.Replace: lambda expr: (expr.template, expr.params),
    ex.Contains: lambda expr: (expr.sequence,),
}


def _domain(rewriter: DslRewriter, value: ex.Input) -> tuple[Value, ...]:
    """The values that an input can have; none where they are too many."""
    declared = rewriter.context.topology.inputs.get(value.name) if isinstance(value.name, str) else None
    if declared is None or value.keys:
        return ()
    if declared.type == "boolean":
        return True, False
    allowed = next((c.argument for c in declared.constraints if c.kind == "allowed_values"), None)
    if declared.type != "string" or not isinstance(allowed, list) or not 0 < len(allowed) <= MOST_VALUES:
        return ()
    return tuple(allowed) if all(isinstance(item, str) for item in allowed) else ()


def _decided(rewriter: DslRewriter, value: Value, condition: Value, truth: bool) -> Value:
    """``value`` where ``condition`` is ``truth``; raises Refused where Heat refuses to compute that."""
    wanted = repr(condition)

    def choice(expr: Expr) -> Value:
        is_it = isinstance(expr, ex.If) and repr(expr.condition) == wanted
        return ex.If(truth, expr.then, expr.otherwise, path=expr.path) if is_it else expr  # type: ignore[attr-defined]

    return fold(ex.transform(value, choice), rewriter.scope)


def _given(rewriter: DslRewriter, value: Value, known: ex.Input, given: Value) -> Value:
    return fold(ex.transform(value, lambda expr: given if expr == known else expr), rewriter.scope)
