"""A choice between two values, in its simplest form; all rewriting here is exact, whatever the conditions are."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from bpconvert.models.expressions import MISSING, And, Expr, If, Not, Or, Path, Value, field_names
from bpconvert.models.light import replace


def same(left: Value, right: Value) -> bool:
    """True for values that are written alike (1, 1.0 and true are not)."""
    if left is right:
        return True
    if type(left) is not type(right):
        return False
    if isinstance(left, Expr):
        return all(same(getattr(left, name), getattr(right, name)) for name in field_names(type(left)))
    return repr(left) == repr(right)


def outcomes(value: Value) -> Iterator[Value]:
    """What a choice may yield (MISSING: nothing); of anything else, itself."""
    if isinstance(value, If):
        yield from outcomes(value.then)
        yield from outcomes(value.otherwise)
    else:
        yield value


def each_outcome(value: Value, change: Callable[[Value], Value]) -> Value:
    """``value`` with everything changed that a choice may yield; where that is nothing, it stays so. ``value`` itself
    where nothing is changed."""
    if isinstance(value, If):
        then, otherwise = each_outcome(value.then, change), each_outcome(value.otherwise, change)
        is_same = then is value.then and otherwise is value.otherwise
        return value if is_same else replace(value, then=then, otherwise=otherwise)
    return value if value is MISSING else change(value)


def negation(condition: Value) -> Value:
    """The opposite of ``condition``."""
    if isinstance(condition, bool):
        return not condition
    if isinstance(condition, Not):
        return condition.operand
    return Not(condition, path=_path(condition))


def conjunction(*operands: Value) -> Value:
    """All ``operands`` hold."""
    return _joined(And, operands)


def disjunction(*operands: Value) -> Value:
    """One of ``operands`` holds."""
    return _joined(Or, operands)


def _joined(kind: type[And] | type[Or], operands: tuple[Value, ...]) -> Value:
    decisive = kind is Or
    left: dict[str, Value] = {}
    for operand in operands:
        for item in operand.operands if isinstance(operand, kind) else (operand,):
            if item is decisive:
                return decisive
            if item is not (not decisive):
                left.setdefault(repr(item), item)
    if not left:
        return not decisive
    items = tuple(left.values())
    return items[0] if len(items) == 1 else kind(items, path=_path(items[0]))


def as_condition(value: Value) -> Value:
    """A choice between true and false as the condition that it is; None for any other value."""
    if isinstance(value, bool):
        return value
    if not isinstance(value, If):
        return None
    then, otherwise = as_condition(value.then), as_condition(value.otherwise)
    if then is None or otherwise is None:
        return None
    return disjunction(conjunction(value.condition, then), conjunction(negation(value.condition), otherwise))


def choose(condition: Value, then: Value, otherwise: Value, path: Path = ()) -> Value:
    """``then`` if ``condition`` holds, else ``otherwise``, with as few choices as the branches allow.

    What a branch asks that is decided on the way to it is not asked again; choices that lead to the same two values
    become one choice by ``and``, ``or`` and ``not``."""
    if isinstance(condition, bool):
        return then if condition else otherwise
    if isinstance(condition, Not):
        return choose(condition.operand, otherwise, then, path)
    then, otherwise = _knowing(then, _facts(condition, True)), _knowing(otherwise, _facts(condition, False))
    if same(then, otherwise):
        return then
    return _merged(condition, then, otherwise, path) or If(condition, then, otherwise, path=path)


def _merged(condition: Value, then: Value, otherwise: Value, path: Path) -> Value | None:
    """One choice instead of two that lead to the same values; None if they do not."""
    if isinstance(then, If) and isinstance(otherwise, If):
        first, opposite = then.condition, otherwise.condition
        is_crossed = same(then.then, otherwise.otherwise) and same(then.otherwise, otherwise.then)
        if is_crossed or (same(then.then, otherwise.then) and same(then.otherwise, otherwise.otherwise)):
            opposite = negation(opposite) if is_crossed else opposite
            either = disjunction(conjunction(condition, first), conjunction(negation(condition), opposite))
            return choose(either, then.then, then.otherwise, path)
    if isinstance(then, If):
        if same(otherwise, then.otherwise):
            return choose(conjunction(condition, then.condition), then.then, otherwise, path)
        if same(otherwise, then.then):
            return choose(conjunction(condition, negation(then.condition)), then.otherwise, otherwise, path)
    if isinstance(otherwise, If):
        if same(then, otherwise.then):
            return choose(disjunction(condition, otherwise.condition), then, otherwise.otherwise, path)
        if same(then, otherwise.otherwise):
            return choose(disjunction(condition, negation(otherwise.condition)), then, otherwise.then, path)
    return None


def _facts(condition: Value, truth: bool) -> dict[str, bool]:
    """What is known about conditions (by their text) where ``condition`` is ``truth``."""
    facts = {repr(condition): truth}
    if isinstance(condition, Not):
        facts |= _facts(condition.operand, not truth)
    elif isinstance(condition, And if truth else Or):
        for operand in condition.operands:
            facts |= _facts(operand, truth)
    return facts


def _knowing(value: Value, facts: dict[str, bool]) -> Value:
    """``value`` without the choices that ``facts`` decide."""
    if not isinstance(value, If):
        return value
    condition = _decided(value.condition, facts)
    then, otherwise = _knowing(value.then, facts), _knowing(value.otherwise, facts)
    if condition is value.condition and then is value.then and otherwise is value.otherwise:
        return value
    return choose(condition, then, otherwise, value.path)


def _decided(condition: Value, facts: dict[str, bool]) -> Value:
    """``condition`` as far as ``facts`` leave it open."""
    decided_truth = facts.get(repr(condition))
    if decided_truth is not None:
        return decided_truth
    if isinstance(condition, Not):
        operand = _decided(condition.operand, facts)
        return condition if operand is condition.operand else negation(operand)
    if isinstance(condition, (And, Or)):
        operands = tuple(_decided(operand, facts) for operand in condition.operands)
        if all(new is old for new, old in zip(operands, condition.operands, strict=True)):
            return condition
        return _joined(type(condition), operands)
    return condition


def _path(value: Value) -> Path:
    return value.path if isinstance(value, Expr) else ()
