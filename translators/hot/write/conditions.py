"""Conditions as HOT takes them: ``equals``, ``not``, ``and``, ``or``, names, and parameters.

A condition function's arguments may only be parameters and data (since 2017-09-01 also ``yaql`` and ``contains``), so a
choice inside is moved out: ``if c then a else b`` equals ``x`` when ``c and a equals x`` or ``not c and b equals x``.
"""

from __future__ import annotations

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Expr, Path, Value
from bpconvert.translators.hot.write.calls import collides
from bpconvert.translators.hot.write.rewriter import HotRewriter
from bpconvert.translators.passes.expressions.rewriter import Unsupported, place_of
from bpconvert.translators.support.places import dotted


def value(rewriter: HotRewriter, condition: Value, path: Path) -> Value:
    """``condition`` in HOT's terms; where there is no way, a parameter that asks whether it holds."""
    place = place_of(condition, path)
    try:
        return rewrite(rewriter, condition, place)
    except Unsupported as unsupported:
        reason = unsupported.reason
    except RecursionError:
        condition, reason = dotted(place), "it is nested too deeply"
    return rewriter.ask_for(condition, place, "BPC245", reason, kind="boolean")


def rewrite(rewriter: HotRewriter, condition: Value, path: Path) -> Value:
    """``condition`` in HOT's terms; raises :class:`Unsupported`."""
    if condition is None or isinstance(condition, bool):
        return condition is not False
    if isinstance(condition, str):
        condition = ex.Condition(condition, path=path)
    if not isinstance(condition, Expr):
        raise Unsupported(f"{condition!r} is no condition")
    path = condition.path or path
    if isinstance(condition, ex.Condition):
        return _named_condition(rewriter, condition)
    if isinstance(condition, ex.Not):
        operand = rewrite(rewriter, condition.operand, path)
        return not operand if isinstance(operand, bool) else ex.Not(operand, path=path)
    if isinstance(condition, (ex.And, ex.Or)):
        return both(type(condition), [rewrite(rewriter, item, path) for item in condition.operands], path)
    if isinstance(condition, ex.Equals):
        sides = [rewriter.rewrite(side, path) for side in (condition.left, condition.right)]
        return _equals(rewriter, sides[0], sides[1], path)
    if isinstance(condition, ex.Contains):
        sides = [rewriter.rewrite(side, path) for side in (condition.value, condition.sequence)]
        return ex.Contains(*(_operand(rewriter, side) for side in sides), path=path)
    return _truth(rewriter, rewriter.rewrite(condition, path), path)


def _named_condition(rewriter: HotRewriter, condition: ex.Condition) -> Value:
    context = rewriter.context
    if condition.name not in context.topology.conditions and condition.name not in context.added.conditions:
        raise Unsupported(f"there is no condition '{condition.name}'")
    if condition.name in context.condition_names:
        return ex.Condition(context.condition_names[condition.name], path=condition.path)
    return condition


def both(kind: type[ex.And] | type[ex.Or], operands: list[Value], path: Path) -> Value:
    """Rewritten ``operands`` under ``and`` or ``or``, which take two or more; those that cannot decide are left out."""
    decisive = kind is ex.Or
    left: list[Value] = []
    for operand in operands:
        if operand is decisive:
            if not left:
                return decisive
            left.append(operand)
            break
        if operand is not (not decisive):
            left.append(operand)
    if not left:
        return not decisive
    return left[0] if len(left) == 1 else kind(tuple(left), path=path)


def _choice(condition: Value, then: Value, otherwise: Value, path: Path) -> Value:
    """``then`` if ``condition`` holds, else ``otherwise``, all three conditions."""
    inverse = not condition if isinstance(condition, bool) else ex.Not(condition, path=path)
    return both(ex.Or, [both(ex.And, [condition, then], path), both(ex.And, [inverse, otherwise], path)], path)


def _equals(rewriter: HotRewriter, left: Value, right: Value, path: Path) -> Value:
    for side, other in ((left, right), (right, left)):
        if isinstance(side, ex.If):
            otherwise = None if side.otherwise is MISSING else side.otherwise
            branches = [_equals(rewriter, branch, other, path) for branch in (side.then, otherwise)]
            return _choice(side.condition, branches[0], branches[1], path)
    if ex.is_constant(left) and ex.is_constant(right):
        return bool(left == right)
    return ex.Equals(_operand(rewriter, left), _operand(rewriter, right), path=path)


def _truth(rewriter: HotRewriter, value: Value, path: Path) -> Value:
    """A rewritten value as a condition: it has to be a boolean."""
    if isinstance(value, bool):
        return value
    if isinstance(value, ex.If):
        otherwise = None if value.otherwise is MISSING else value.otherwise
        branches = [_truth(rewriter, branch, path) for branch in (value.then, otherwise)]
        return _choice(value.condition, branches[0], branches[1], path)
    if rewriter.kind(value) != "boolean":
        raise Unsupported("it is no boolean")
    return _operand(rewriter, value)


def _operand(rewriter: HotRewriter, value: Value) -> Value:
    """``value`` if it can be an argument of a condition function."""
    for expr in ex.walk(value):
        if not isinstance(expr, (ex.Input, ex.System, ex.Query, ex.Contains)):
            raise Unsupported(f"'{rewriter.spelling(expr)}' cannot be used in a condition of HOT")
    if any(collides(part, "condition") for part in _maps(value)):
        raise Unsupported("a map in it would be a call in HOT")
    return value


def _maps(value: Value) -> list[Value]:
    if isinstance(value, Expr):
        return [part for name in ex.field_names(type(value)) for part in _maps(getattr(value, name))]
    if isinstance(value, dict):
        return [value, *(part for item in value.values() for part in _maps(item))]
    if isinstance(value, (list, tuple)):
        return [part for item in value for part in _maps(item)]
    return []
