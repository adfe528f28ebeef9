"""Evaluation of the list and map functions (heat/engine/hot/functions.py; dsl_parser/functions.py)."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from math import prod
from typing import Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Expr, Value, walk
from bpconvert.translators.evaluate import plain
from bpconvert.translators.evaluate.calls import name_of
from bpconvert.translators.evaluate.conditions import check_choices
from bpconvert.translators.evaluate.scope import (
    Folder,
    Refused,
    Scope,
    fold_field,
    fold_item,
    is_affordable,
    is_known,
    keeps,
    lenient,
    may_vanish,
    quoted,
    rebuilt,
    refusing,
)
from bpconvert.translators.evaluate.text import pieces

#: Loops whose copies have more parts than this are not unrolled.
MOST_PARTS: Final = 20_000


def _settled(items: Value) -> bool:
    """True for a literal list or map none of whose entries may vanish."""
    if isinstance(items, dict):
        return not any(map(may_vanish, items.values()))
    return isinstance(items, list) and not any(map(may_vanish, items))


# -- maps ---------------------------------------------------------------------------------------------------


def fold_merge(expr: ex.Merge, scope: Scope) -> Value:
    """Neighbouring literal maps become one; a literal map when nothing else is left."""
    maps = fold_field(expr.maps, scope)
    if isinstance(maps, Expr):
        return rebuilt(expr, maps=maps)
    merged: list[Value] = []
    with refusing(expr.path):
        if not isinstance(maps, list) and maps != "":
            raise TypeError("Incorrect arguments: a list of maps is needed")
        for item in maps:
            if item is None and not expr.strict:
                continue
            if expr.strict and not isinstance(item, Expr):  # Python's dict.update takes pairs too
                item = dict(item)
            if not isinstance(item, (dict, Expr)):
                raise TypeError(f"Items to merge must be maps. {quoted(item)} is {type(item)} instead of a dict")
            both = _merge_two(merged[-1], item) if merged else None
            if both is None:
                merged.append(item)
            else:
                merged[-1] = both
    if not merged:
        return {}
    if len(merged) == 1 and isinstance(merged[0], dict):
        return merged[0]
    return expr if merged == expr.maps else rebuilt(expr, maps=merged)


def _merge_two(first: Value, second: Value) -> dict[Any, Value] | None:
    """Two literal maps as one; None when that is not exact."""
    if not (isinstance(first, dict) and isinstance(second, dict) and _settled(second)):
        return None
    both = first | second
    lost = [value for key, value in first.items() if key in second]
    return both if keeps(lost, both) else None


def fold_map_replace(expr: ex.MapReplace, scope: Scope) -> Value:
    """Computed when the keys are known and no unknown value would have to be looked up."""
    source, keys, values = fold_item(expr.map, scope), fold_field(expr.keys, scope), fold_field(expr.values, scope)
    if source is MISSING:
        raise Refused('Incorrect arguments to "map_replace": the map is left out', expr.path)
    folded = rebuilt(expr, map=source, keys=keys, values=values)
    with refusing(expr.path):
        source, keys, values = _as_map(source), _as_map(keys), _as_map(values)
        if not (isinstance(source, dict) and isinstance(keys, dict) and isinstance(values, dict)):
            return folded
        if not (is_known(keys) and all(map(_settled, (source, values)))):
            return folded
        if values and any(isinstance(value, Expr) for value in source.values()):
            return folded
        result = plain.map_replace(source, keys, values, (dict, list, Expr))
    return result if keeps([source, values], result) else folded


def _as_map(value: Value) -> Value:
    if value is None or value is MISSING:
        return {}
    if not isinstance(value, (dict, Expr)):
        raise TypeError('Incorrect arguments: to "map_replace", arguments must be a list of maps')
    return value


# -- lists --------------------------------------------------------------------------------------------------


def fold_list_concat(expr: ex.ListConcat, scope: Scope) -> Value:
    """Neighbouring literal lists become one; a literal list when nothing else is left."""
    lists = fold_field(expr.lists, scope)
    if isinstance(lists, Expr):
        return rebuilt(expr, lists=lists)
    merged: list[Value] = []
    with refusing(expr.path):
        if not isinstance(lists, list):
            raise TypeError("Incorrect arguments: a list of lists is needed")
        for items in lists:
            if items is None:
                continue
            if not isinstance(items, (list, Expr)):
                raise TypeError(f"Items to concat must be lists, not {quoted(items)}")
            if merged and isinstance(items, list) and isinstance(merged[-1], list):
                merged[-1] = merged[-1] + items
            else:
                merged.append(items)
    if not merged:
        return []
    if len(merged) == 1 and isinstance(merged[0], list):
        if not expr.unique:
            return merged[0]
        if is_known(merged[0]):
            return plain.unique(merged[0])
    return expr if merged == expr.lists else rebuilt(expr, lists=merged)


def fold_filter(expr: ex.Filter, scope: Scope) -> Value:
    """The list without the values; known items go even when others are unknown."""
    items = fold_field(expr.items, scope)
    if not isinstance(items, Expr) and not items:
        return _filter_nothing(expr, items, scope)
    values = lenient(expr.values, scope) if isinstance(items, Expr) else fold_field(expr.values, scope)
    values = None if values is MISSING else values
    folded = rebuilt(expr, values=values, items=items)
    with refusing(expr.path):
        if isinstance(items, Expr):
            return folded
        if not isinstance(items, list):
            raise TypeError('"filter" only works with lists')
        if isinstance(values, Expr):
            return folded
        if not values:
            return items
        if not isinstance(values, list):
            raise TypeError('"filter" filters a list of values')
    if not is_known(values):
        return folded
    left = [item for item in items if not is_known(item) or item not in values]
    if is_known(left):
        return left
    return folded if len(left) == len(items) else rebuilt(folded, items=left)


def _filter_nothing(expr: ex.Filter, items: Value, scope: Scope) -> Value:
    """``filter`` over what is empty: the engine gives it back without evaluating the values (but every ``if`` among
    them is decided while it parses)."""
    check_choices(expr.values, scope)
    try:
        values = fold_item(expr.values, scope)
    except Refused:
        values = [call for call in walk(expr.values) if isinstance(call, ex.Foreign)]
    return items if keeps([values], items) else rebuilt(expr, items=items)


def fold_select(expr: ex.Select, scope: Scope) -> Value:
    """One item of a list, map or JSON text."""
    index, source = fold_field(expr.index, scope), fold_field(expr.source, scope)
    folded = rebuilt(expr, index=index, source=source)
    if not is_known(index) or isinstance(source, Expr) or not (is_known(source) or _settled(source)):
        return folded
    with refusing(expr.path):
        result = plain.select(index, source, name_of(expr))
    return result if keeps([source], result) else folded


# -- repeat -------------------------------------------------------------------------------------------------


class _CannotSubstitute(Exception):
    """The template's text is the result of a function over unknown values."""


def fold_repeat(expr: ex.Repeat, scope: Scope) -> Value:
    """The copies. A template with references to unknown values is unrolled around them, with a note."""
    for_each, template = fold_field(expr.for_each, scope), fold_field(expr.template, scope)
    folded = rebuilt(expr, for_each=for_each, template=template)
    if isinstance(for_each, Expr):
        return folded
    with refusing(expr.path):
        if not isinstance(for_each, dict):
            raise TypeError('The "for_each" argument to "repeat" must contain a map')
        if not for_each:
            raise ValueError('"for_each" of "repeat" is empty')
        loops = _loops(for_each, bool(expr.permutations))
        if loops is None:
            return folded
        copies_wanted = prod(map(len, loops)) if expr.permutations else min(map(len, loops))
        size, parts = _extent(template, scope)
        if copies_wanted * parts > MOST_PARTS or not is_affordable(copies_wanted * size, size):
            return folded
        rounds = product(*loops) if expr.permutations else zip(*loops, strict=False)
        try:
            copies = [_substitute(template, list(zip(for_each, items, strict=True))) for items in rounds]
        except _CannotSubstitute:
            return folded
    if is_known(template):
        return copies
    if not copies or _count(copies) != len(copies) * _count(template):  # lost where two keys became one
        return folded
    scope.note("repeat-runtime", expr.path, "unrolled around values that are known at run time only")
    return copies


def _extent(value: Value, scope: Scope) -> tuple[int, int]:
    """The :func:`~.evaluate.scope.weight` of ``value``, and how many scalars, keys, lists, maps and calls are in it.
    A call is counted once: calls in calls are not counted again for each of them."""
    if isinstance(value, str):
        return len(value), 1
    if isinstance(value, Expr):
        if id(value) not in scope.extents:
            fields = (getattr(value, name) for name in ex.field_names(type(value)))
            scope.extents[id(value)] = (value, _sum(fields, scope))
        return scope.extents[id(value)][1]
    if isinstance(value, dict):
        return _sum((*value, *value.values()), scope)
    return _sum(value, scope) if isinstance(value, (list, tuple)) else (1, 1)


def _sum(values: Iterable[Value], scope: Scope) -> tuple[int, int]:
    size = parts = 1
    for value in values:
        more = _extent(value, scope)
        size, parts = size + more[0], parts + more[1]
    return size, parts


def _count(value: Value) -> int:
    return sum(1 for _ in walk(value))


def _loops(for_each: dict[Any, Value], permutations: bool) -> list[list[Value]] | None:
    """The items of each loop variable; None when one is not known."""
    loops: list[list[Value]] = []
    lengths = set()
    for items in for_each.values():
        if items is None:
            loops.append([])
            continue
        if isinstance(items, Expr):
            return None
        if not isinstance(items, (list, dict) if permutations else list):
            raise TypeError('The values of the "for_each" argument to "repeat" must be lists')
        if not (is_known(items) if isinstance(items, list) else _settled(items)):
            return None
        loops.append(list(items))
        lengths.add(len(items))
    if not permutations and len(lengths) > 1:
        raise ValueError("For repeat, the length of for_each values should be equal if no nested loop.")
    return loops


def _substitute(template: Value, pairs: list[tuple[Any, Any]]) -> Value:
    if isinstance(template, str):
        for variable, item in pairs:
            template = template.replace(variable, item)
        return template
    if isinstance(template, list):
        return [_substitute(item, pairs) for item in template]
    if isinstance(template, dict):
        return {_substitute(key, pairs): _substitute(value, pairs) for key, value in template.items()}
    return _substitute_in(template, pairs) if isinstance(template, Expr) else template


def _substitute_in(expr: Expr, pairs: list[tuple[Any, Any]]) -> Value:
    """Substitution in the text that an expression will yield: where its literal parts come through unchanged."""
    if expr.NEEDS and not isinstance(expr, ex.Foreign):  # its text is taken to hold no loop variable
        return expr
    if isinstance(expr, ex.Join) and all(isinstance(items, list) and _flat(items) for items in expr.lists):
        lists = tuple(_substitute(items, pairs) for items in expr.lists)
        return rebuilt(expr, delimiter=_substitute(expr.delimiter, pairs), lists=lists)
    if isinstance(expr, ex.Concat) and _flat(expr.items):
        return rebuilt(expr, items=tuple(_substitute(item, pairs) for item in expr.items))
    if isinstance(expr, ex.If):
        otherwise = MISSING if expr.otherwise is MISSING else _substitute(expr.otherwise, pairs)
        return rebuilt(expr, then=_substitute(expr.then, pairs), otherwise=otherwise)
    if (
        isinstance(expr, ex.Replace)
        and isinstance(expr.template, str)
        and isinstance(expr.params, dict)
        and _flat(expr.params.values())
    ):
        params = {key: _substitute(value, pairs) for key, value in expr.params.items()}
        template = _substitute(expr.template, pairs)
        wanted = _substitute(pieces(expr.template, expr.params, json_values=expr.json_values).parts, pairs)
        if pieces(template, params, json_values=expr.json_values).parts == wanted:
            return rebuilt(expr, template=template, params=params)
    raise _CannotSubstitute


def _flat(items: Iterable[Value]) -> bool:
    """True when no item is a map or list: those become JSON, and what is substituted there would be escaped."""
    return not any(isinstance(item, (dict, list)) for item in items)


#: what computes each kind of expression
FOLDS: Final[dict[type[Expr], Folder]] = {
    ex.Merge: fold_merge,
    ex.MapReplace: fold_map_replace,
    ex.ListConcat: fold_list_concat,
    ex.Filter: fold_filter,
    ex.Repeat: fold_repeat,
    ex.Select: fold_select,
}
