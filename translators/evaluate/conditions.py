"""Evaluation of conditions (heat/engine/conditions.py; heat/engine/hot/functions.py)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Expr, Path, Value, is_constant, walk
from bpconvert.translators.evaluate.scope import (
    Folder,
    Refused,
    Scope,
    fold_field,
    fold_item,
    is_known,
    keeps,
    lenient,
    rebuilt,
    refusing,
)

#: Expressions whose value is a bool whatever their arguments are.
BOOLEAN = (ex.And, ex.Condition, ex.Contains, ex.Equals, ex.Not, ex.Or)


def decide(condition: Value, scope: Scope, path: Path = ()) -> Value:
    """True or False when ``condition`` can be decided, else what is left of it.

    A condition is a bool, null (which holds), an expression, or the name of a condition (a text that an expression
    gave). Raises Refused for an unknown name, a circle, or any other value."""
    value = fold_field(condition, scope)
    if value is None:
        return True
    if isinstance(value, (bool, Expr)):
        return value
    if isinstance(value, str):
        return _named_truth(value, scope, path)
    raise Refused(f'Invalid condition "{value}"', path)


def _named_truth(name: str, scope: Scope, path: Path) -> Value:
    if name in scope.decided:
        return scope.decided[name]
    if scope.conditions is None:
        return ex.Condition(name, path=path)
    if name in scope.open:  # each is looked into once: conditions that name others twice have ever more ways through
        refused = scope.open[name]
        if refused is not None:
            raise Refused(refused.message, refused.path)
        return ex.Condition(name, path=path)
    if name not in scope.conditions:
        raise Refused(f'Invalid condition "{name}"', path)
    for inner in _before(name, scope):
        with suppress(Refused):
            _named_truth(inner, scope, path)
    try:
        scope.enter(("condition", name), f'Circular definition for condition "{name}"', path)
        try:
            value = fold_field(scope.conditions[name], scope)
        finally:
            scope.busy.discard(("condition", name))
    except Refused as refused:
        scope.open[name] = refused
        raise
    if isinstance(value, Expr):
        scope.open[name] = None
        return ex.Condition(name, path=path)
    if not isinstance(value, bool):
        raise Refused(f'The definition of condition "{name}" is invalid: {value}', path)
    scope.decided[name] = value
    return value


def _before(name: str, scope: Scope) -> list[str]:
    """The conditions that this one leads to and that are not looked into yet, what others name first: then a chain of
    many is no deep recursion. None where there is a circle, which is found as the engine finds it."""
    conditions = scope.conditions or {}
    order: dict[str, None] = {}
    busy: set[str] = set()
    waiting = [(name, _names_in(conditions[name], scope))]
    while waiting:
        current, inner = waiting[-1]
        busy.add(current)
        following = next(inner, None)
        if following is None:
            waiting.pop()
            busy.discard(current)
            order[current] = None
        elif following in busy:
            return []
        elif following not in order:
            waiting.append((following, _names_in(conditions[following], scope)))
    del order[name]
    return [*order]


def _names_in(condition: Value, scope: Scope) -> Iterator[str]:
    """The conditions that a condition names and that are not looked into yet."""
    for expr in walk(condition):
        name = expr.name if isinstance(expr, ex.Condition) else None
        is_declared = isinstance(name, str) and name in (scope.conditions or {})
        if is_declared and name not in scope.decided and name not in scope.open:
            yield str(name)


def fold_condition(expr: ex.Condition, scope: Scope) -> Value:
    """The truth of a named condition, or the name."""
    truth = decide(expr.name, scope, expr.path)
    return expr if truth == expr else truth


def fold_if(expr: ex.If, scope: Scope) -> Value:
    """The branch that a decided condition takes; MISSING when it takes one that is not there."""
    condition = decide(expr.condition, scope, expr.path)
    if condition is True:
        return fold_item(expr.then, scope)
    if condition is False:
        return fold_item(expr.otherwise, scope)
    then, otherwise = lenient(expr.then, scope), lenient(expr.otherwise, scope)
    return rebuilt(expr, condition=condition, then=expr.then if then is MISSING else then, otherwise=otherwise)


def taken(value: Value, scope: Scope) -> Iterator[Expr]:
    """Every expression in ``value`` but those in branches that no ``if`` takes, which the engine does not even read.
    Raises Refused when an ``if`` cannot be decided because its condition is refused."""
    if isinstance(value, ex.If):
        condition = decide(value.condition, scope, value.path)
        branches = (value.then, value.otherwise)
        yield from taken(branches[not condition] if isinstance(condition, bool) else list(branches), scope)
    elif isinstance(value, Expr):
        yield value
        yield from taken([getattr(value, name) for name in ex.field_names(type(value))], scope)
    elif isinstance(value, (dict, list, tuple)):
        for item in value.values() if isinstance(value, dict) else value:
            yield from taken(item, scope)


def check_choices(value: Value, scope: Scope) -> None:
    """Raise Refused when an ``if`` in ``value`` cannot be decided because its condition is refused."""
    for _ in taken(value, scope):
        pass


def fold_equals(expr: ex.Equals, scope: Scope) -> Value:
    """Python's ``==``."""
    left, right = fold_field(expr.left, scope), fold_field(expr.right, scope)
    return bool(left == right) if is_known(left, right) else rebuilt(expr, left=left, right=right)


def fold_not(expr: ex.Not, scope: Scope) -> Value:
    """The opposite of a decided condition."""
    operand = decide(expr.operand, scope, expr.path)
    if isinstance(operand, bool):
        return not operand
    if isinstance(operand, ex.Not) and isinstance(operand.operand, BOOLEAN):
        return operand.operand
    return rebuilt(expr, operand=operand)


def fold_and_or(expr: ex.And | ex.Or, scope: Scope) -> Value:
    """Decided from the left, as the engine does: all functions are evaluated first, then names are looked up until
    one decides. Operands that cannot decide are left out of what remains."""
    decisive = isinstance(expr, ex.Or)
    operands = [item if isinstance(item, ex.Condition) else fold_field(item, scope) for item in expr.operands]
    left: list[Value] = []
    for operand in operands:
        try:
            truth = decide(operand, scope, expr.path)
        except Refused:
            if not left:
                raise
            truth = ex.Condition(operand, path=expr.path) if isinstance(operand, str) else operand
        if truth is decisive and not left:
            return decisive
        if truth is not (not decisive):
            left.append(truth)
    if not left:
        return not decisive
    if len(left) == 1:
        if isinstance(left[0], BOOLEAN):
            return left[0]
        left = [not decisive, *left]
    return expr if tuple(left) == expr.operands else rebuilt(expr, operands=tuple(left))


def fold_contains(expr: ex.Contains, scope: Scope) -> Value:
    """Membership in a list, or substring of a text."""
    value, sequence = fold_field(expr.value, scope), fold_field(expr.sequence, scope)
    folded = rebuilt(expr, value=value, sequence=sequence)
    if isinstance(sequence, Expr):
        return folded
    with refusing(expr.path):
        if not isinstance(sequence, (str, list)):
            raise TypeError('Second argument to "contains" should be a sequence.')
        if is_known(value, sequence):
            return value in sequence
    if isinstance(sequence, list) and is_known(value) and value in filter(is_constant, sequence):
        return True if keeps([sequence], True) else folded
    return folded


#: what computes each kind of expression
FOLDS: Final[dict[type[Expr], Folder]] = {
    ex.If: fold_if,
    ex.Condition: fold_condition,
    ex.Equals: fold_equals,
    ex.Not: fold_not,
    ex.And: fold_and_or,
    ex.Or: fold_and_or,
    ex.Contains: fold_contains,
}
