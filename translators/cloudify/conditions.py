"""Conditions in Cloudify's own terms: a hidden input holds the branches, the condition picks one by its index.

``string_find`` of ``|a|`` in ``|b|`` is 0 when they are equal and -1 when not, and -1 is the last item of a list; a
boolean is an index by itself. Tried in the real parser: only the chosen item is evaluated.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Path, Value

if TYPE_CHECKING:
    from bpconvert.translators.cloudify.legalise import Legaliser


def choose(legaliser: Legaliser, condition: Value, then: Value, otherwise: Value, path: Path) -> Value:
    """``then`` if ``condition`` holds, else ``otherwise`` (both sayable already).

    Raises :class:`~bpconvert.translators.cloudify.legalise.Cannot` where the condition is not decided by the inputs."""
    from bpconvert.translators.cloudify.legalise import Cannot, spelling

    context = legaliser.context
    if isinstance(condition, bool):
        return then if condition else otherwise
    if isinstance(condition, ex.Condition):
        if not isinstance(condition.name, str) or condition.name not in context.topology.conditions:
            raise Cannot(f"there is no condition '{condition.name}'", condition)
        if condition.name in context.deciding:
            raise Cannot(f"condition '{condition.name}' refers to itself", condition)
        context.deciding.add(condition.name)
        try:
            return choose(legaliser, context.conditions[condition.name], then, otherwise, path)
        finally:
            context.deciding.discard(condition.name)
    if isinstance(condition, ex.Not):
        return choose(legaliser, condition.operand, otherwise, then, path)
    if isinstance(condition, ex.And):
        first, *rest = condition.operands
        return choose(
            legaliser,
            first,
            choose(legaliser, ex.And(tuple(rest)), then, otherwise, path) if rest else then,
            otherwise,
            path,
        )
    if isinstance(condition, ex.Or):
        first, *rest = condition.operands
        return choose(
            legaliser,
            first,
            then,
            choose(legaliser, ex.Or(tuple(rest)), then, otherwise, path) if rest else otherwise,
            path,
        )
    if isinstance(condition, ex.Contains) and isinstance(condition.sequence, (list, tuple)):
        options = tuple(ex.Equals(condition.value, item, path=condition.path) for item in condition.sequence)
        return choose(legaliser, ex.Or(options) if options else False, then, otherwise, path)
    if isinstance(condition, ex.Equals):
        index = _equality(legaliser, condition)
        return _pick(legaliser, [then, otherwise], index, path)
    if isinstance(condition, ex.Input) and legaliser.kind(condition) == "boolean":
        return _pick(legaliser, [otherwise, then], legaliser.say(condition), path)
    if isinstance(condition, ex.Expr):
        raise Cannot(f"the condition '{spelling(context, condition)}' is not decided by comparing inputs", condition)
    raise Cannot(f"{condition!r} is no condition")


def _equality(legaliser: Legaliser, condition: ex.Equals) -> Value:
    """0 when both sides are equal, -1 when not. Heat compares without coercion, so the kinds have to agree."""
    from bpconvert.translators.cloudify.legalise import Cannot

    sides = [legaliser.say(condition.left), legaliser.say(condition.right)]
    kinds = {legaliser.kind(side) for side in (condition.left, condition.right)}
    if not legaliser.is_static(sides):
        raise Cannot("the condition compares a value that is only known at run time", condition)
    known = kinds - {"any", "json"}
    if len(known) > 1 and known != {"boolean", "number"}:
        raise Cannot("the condition compares values of different types", condition)
    if len(kinds) > 1 or kinds == {"any"}:
        legaliser.context.reporter.report("BPC207", condition.path)
    if any(kind in ("map", "json") for kind in kinds) and not any(side in ({}, []) for side in sides):
        raise Cannot("the condition compares maps, whose text form depends on the order of keys", condition)
    if not isinstance(sides[0], ex.Expr):
        sides.reverse()
    fence, certain = _fence(legaliser, sides)
    if not certain and kinds != {"boolean"} and "number" not in kinds:
        legaliser.context.reporter.report("BPC225", condition.path, fence=fence)
    return ex.Find(*(legaliser.text([fence, as_python(side), fence], condition.path) for side in sides))


def as_python(value: Value) -> Value:
    """A literal as ``concat`` writes it; expressions as they are."""
    return value if isinstance(value, ex.Expr) else str(value)


def _fence(legaliser: Legaliser, sides: list[Value]) -> tuple[str, bool]:
    """A separator that occurs in no value known to be compared, and whether all values are known."""
    known: list[str] = []
    certain = True
    for side in sides:
        if not isinstance(side, ex.Expr):
            known.append(str(side))
            continue
        for expr in ex.walk(side):
            declared = legaliser.context.topology.inputs.get(expr.name) if isinstance(expr, ex.Input) else None
            if declared is not None:
                known.append(str(declared.default))
                allowed = [c.argument for c in declared.constraints if c.kind == "allowed_values"]
                known += map(str, allowed)
                certain &= bool(allowed) or declared.type in ("number", "boolean")
            else:
                certain = False
    text = "".join(known)
    return next((mark for mark in _FENCES if mark not in text), "\x1f"), certain


#: candidates for separators, the most readable first
_FENCES = ("|", "#", "~", "^", ";")


def _pick(legaliser: Legaliser, branches: list[Value], index: Value, path: Path) -> Value:
    if branches[0] == branches[1] and type(branches[0]) is type(branches[1]):
        return branches[0]
    name = legaliser.context.branches_input(branches, path)
    return ex.Input(name, (index,), strict=True, path=path)
