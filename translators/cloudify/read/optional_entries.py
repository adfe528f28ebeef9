"""Properties that a condition removes: the map that they are in was merged with one that a condition picks, or chosen
as a whole (:mod:`~bpconvert.translators.cloudify.write.optional_entries` writes such maps)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.translators.evaluate.scope import may_vanish
from bpconvert.translators.passes.expressions.choices import negation, same

#: maps whose entries are properties of Heat's
_MAPS = ("resource_config", "kwargs", "heat_properties")


def opened(properties: dict[str, Value], fold: Callable[[Value], Value]) -> dict[str, Value]:
    """``properties`` with entries that may vanish where maps were merged or chosen as a whole. ``fold``: writes choices
    as ``if``."""
    result = properties
    for name in _MAPS:
        value = properties.get(name)
        if isinstance(value, (ex.Merge, ex.If)) or (isinstance(value, ex.Input) and value.keys):
            value = _entries(fold(value))
        if isinstance(value, dict):
            inner = opened(value, fold) if name != "kwargs" else value
            result = result if inner is properties[name] else {**result, name: inner}
    return result


def _entries(value: Value) -> dict[Any, Value] | None:
    """What a map has under its keys; None for what is no map, or not known to be one."""
    if isinstance(value, dict):
        return value
    if isinstance(value, ex.If):
        then, other = _entries(value.then), _entries(value.otherwise)
        if then is None or other is None:
            return None
        keys = list(dict.fromkeys((*then, *other)))
        return {
            key: _chosen(value.condition, then.get(key, MISSING), other.get(key, MISSING), value.path) for key in keys
        }
    if isinstance(value, ex.Merge) and isinstance(value.maps, (list, tuple)):
        result: dict[Any, Value] = {}
        for entries in map(_entries, value.maps):
            if entries is None:
                return None
            result |= {key: _over(result.get(key, MISSING), item) for key, item in entries.items()}
        return result
    return None


def _chosen(condition: Value, then: Value, other: Value, path: Path) -> Value:
    if then is MISSING and other is not MISSING:
        return _chosen(negation(condition), other, then, path)
    return then if same(then, other) else ex.If(condition, then, other, path=path)


def _over(old: Value, new: Value) -> Value:
    """``new``, or ``old`` where that vanishes."""
    if new is MISSING:
        return old
    if not may_vanish(new) or old is MISSING:
        return new
    return _chosen(new.condition, _over(old, new.then), _over(old, new.otherwise), new.path)
