"""Conditions for a language that has none, but picks an item of a list by a computed index.

The place of ``|b|`` in ``|a|`` is 0 when they are equal and -1 when there is none, and -1 is the last item of a list; a
boolean is an index by itself. Only the chosen item is evaluated.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.translators.evaluate.scope import may_vanish
from bpconvert.translators.passes.expressions import static_texts
from bpconvert.translators.passes.expressions.piecewise import PiecewiseRewriter
from bpconvert.translators.passes.expressions.rewriter import Unsupported


def choose(rewriter: PiecewiseRewriter, condition: Value, then: Value, otherwise: Value, path: Path) -> Value:
    """``then`` if ``condition`` holds, else ``otherwise`` (both rewritten already).

    Raises :class:`Unsupported` where the condition is not decided by the inputs."""
    try:
        _choose(rewriter, condition, None, None, path)  # so that nothing is written of what has no form as a whole
        return _choose(rewriter, condition, then, otherwise, path)
    except RecursionError:
        raise Unsupported("the condition is nested too deeply") from None


def truth(rewriter: PiecewiseRewriter, condition: Value, seen: tuple[Value, ...] = ()) -> bool | None:
    """What ``condition`` is whatever is given, as far as the types of its operands tell; None: it depends."""
    if isinstance(condition, bool):
        return condition
    if isinstance(condition, ex.Condition):
        meaning = rewriter.meaning(condition)
        return None if condition.name in seen else truth(rewriter, meaning, (*seen, condition.name))
    if isinstance(condition, ex.Not):
        inner = truth(rewriter, condition.operand, seen)
        return None if inner is None else not inner
    if isinstance(condition, (ex.And, ex.Or)):
        decisive = isinstance(condition, ex.Or)
        known = [truth(rewriter, operand, seen) for operand in condition.operands]
        return decisive if decisive in known else None if None in known else not decisive
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


def _choose(rewriter: PiecewiseRewriter, condition: Value, then: Value, otherwise: Value, path: Path) -> Value:
    known = truth(rewriter, condition)
    if known is not None:
        return then if known else otherwise
    if isinstance(condition, ex.Condition):
        with rewriter.deciding(condition) as meaning:
            return _choose(rewriter, meaning, then, otherwise, path)
    if isinstance(condition, ex.Not):
        return _choose(rewriter, condition.operand, otherwise, then, path)
    if isinstance(condition, (ex.And, ex.Or)):
        first, *rest = condition.operands
        if rest:
            inner = _choose(rewriter, type(condition)(tuple(rest)), then, otherwise, path)
            then, otherwise = (inner, otherwise) if isinstance(condition, ex.And) else (then, inner)
        return _choose(rewriter, first, then, otherwise, path)
    if isinstance(condition, ex.Contains) and isinstance(condition.sequence, (list, tuple)):
        options = tuple(ex.Equals(condition.value, item, path=condition.path) for item in condition.sequence)
        return _choose(rewriter, ex.Or(options) if options else False, then, otherwise, path)
    if isinstance(condition, ex.Contains) and (index := static_texts.lacks(rewriter, condition)) is not MISSING:
        return _pick(rewriter, [otherwise, then], index, path)
    if isinstance(condition, ex.Equals):
        flag = _flag(rewriter, condition)
        if flag is not None:
            return _choose(rewriter, flag, then, otherwise, path)
        index = _equality(rewriter, condition)
        return _pick(rewriter, [then, otherwise], index, path)
    if isinstance(condition, ex.Input) and rewriter.kind(condition) == "boolean":
        return _pick(rewriter, [otherwise, then], rewriter.rewrite(condition, path), path)
    if rewriter.is_refused(condition):
        raise Unsupported(f"{rewriter.request.source.title} refuses the condition")
    if isinstance(condition, ex.Expr):
        raise Unsupported(f"the condition '{rewriter.spelling(condition)}' is not decided by comparing inputs")
    raise Unsupported(f"{condition!r} is no condition")


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
