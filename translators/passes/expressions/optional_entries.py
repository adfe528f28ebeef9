"""Entries of a map that a condition removes: the map is merged with one that is empty where they are not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.translators.evaluate.scope import may_vanish
from bpconvert.translators.passes.expressions import branches
from bpconvert.translators.passes.expressions.piecewise import PiecewiseRewriter

_HOW: Final = "'merge' of the map with a map that a condition picks"


def entry(
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
    maps = [entry(rewriter, key, branch, source, rewritten) for branch in (value.then, value.otherwise)]
    return branches.choose(rewriter, value.condition, maps[0], maps[1], path)


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
        properties = _merged(properties, path, additions[path])
    return properties


def _merged(place: Any, path: Path, more: list[Value]) -> Any:
    if path:
        return {**place, path[0]: _merged(place.get(path[0], {}), path[1:], more)}
    maps = [place, *more] if place else more
    return maps[0] if len(maps) == 1 else ex.Merge(maps, strict=True)


def are_in(properties: dict[str, Value]) -> bool:
    """True where one of a resource's properties may vanish, so that ``get_property`` may not lead through the map."""
    return any(map(may_vanish, properties.values()))
