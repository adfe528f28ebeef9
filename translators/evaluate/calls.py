"""Evaluation of calls that only one language has, as that language computes them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from bpconvert.models.expressions import Expr, Foreign, Path, Value
from bpconvert.models.light import NamedTuple
from bpconvert.translators.evaluate.scope import Folder, Refused, Scope, fold_field, is_known, rebuilt, refusing

#: for what has no entries
_NONE: Final[Mapping[Any, Any]] = MappingProxyType({})


class Calls(NamedTuple):
    """What a language registers about its own calls.

    facts: function -> the :class:`~bpconvert.models.expressions.System` fact that it gives, whatever its argument is.
    compute: function -> what computes it from its argument.
    read: (function, argument that has been computed, place) -> the value that the call is.
    names: class of a neutral expression -> what the engine's messages call the function, where that is not its usual
        name."""

    facts: Mapping[str, str] = _NONE
    compute: Mapping[str, Callable[[Any], Value]] = _NONE
    read: Callable[[str, Value, Path], Value] | None = None
    names: Mapping[type[Expr], str] = _NONE


#: language -> its calls; each language registers them
CALLS: dict[str, Calls] = {}


def name_of(expr: Expr) -> str:
    """What messages call the function that ``expr`` is."""
    kind = type(expr)
    return next((calls.names[kind] for calls in CALLS.values() if kind in calls.names), kind.__name__.lower())


def fold_foreign(expr: Foreign, scope: Scope) -> Value:
    """A call of one dialect: a fact that is given, or a function of its argument alone. One whose argument has now been
    computed is read as that dialect reads it."""
    if expr.path in scope.refused:
        raise Refused(scope.refused[expr.path], expr.path)
    calls = CALLS.get(expr.dialect, Calls())
    fact = calls.facts.get(expr.name)
    if fact is not None and fact in scope.system:
        return scope.system[fact]
    argument = fold_field(expr.argument, scope)
    folded = rebuilt(expr, argument=argument)
    if not is_known(argument):
        return folded
    compute = calls.compute.get(expr.name)
    with refusing(expr.path):
        if compute is not None:
            return compute(argument)
        if calls.read is None or is_known(expr.argument):
            return folded
        value = calls.read(expr.name, argument, expr.path)
    return folded if isinstance(value, Foreign) else fold_field(value, scope)


#: what computes each kind of expression
FOLDS: Final[dict[type[Expr], Folder]] = {Foreign: fold_foreign}
