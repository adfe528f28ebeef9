"""Properties that a condition removes: the map that they are in is merged with one that is empty where they are not.

Heat leaves a property out when its ``if`` has no else and the condition does not hold. A property of a node template
cannot be left out, but what stands in ``resource_config`` can.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.translators.cloudify.write import conditions
from bpconvert.translators.cloudify.write.unsupported import Cannot
from bpconvert.translators.evaluate.scope import may_vanish
from bpconvert.translators.passes.expressions.choices import negation, same

if TYPE_CHECKING:
    from bpconvert.translators.catalogue.types import PropertyRule
    from bpconvert.translators.cloudify.write.nodes import Draft, Nodes


def put(nodes: Nodes, draft: Draft, rule: PropertyRule, value: Value, source: Path) -> bool:
    """Say a property that may vanish. False where it is not in a map of its own, or Cloudify cannot decide."""
    path = tuple((rule.to or "").split("."))
    if len(path) < 2 or rule.flatten or rule.each or nodes.context.options.plugin == "v2":
        return False
    if rule.lift and any(isinstance(expr, (ex.Identity, ex.Attribute)) for expr in ex.walk(value)):
        return False
    try:
        choice = _choice(nodes, draft, rule, value, path[-1], source)
    except Cannot:
        return False
    draft.optional.setdefault(path[:-1], []).append(choice)
    draft.moves.append((source, ("node_templates", draft.name, "properties", *path[:-1])))
    return True


def _choice(nodes: Nodes, draft: Draft, rule: PropertyRule, value: Value, key: str, source: Path) -> Value:
    """A map with the property, or an empty one."""
    if value is MISSING or value is None:
        return {}
    if not may_vanish(value):
        return {key: nodes.shaped(draft, rule, value, source)}
    nodes.context.reporter.report("BPC223", value.path or source, name="if", how=_HOW)
    branches = [_choice(nodes, draft, rule, branch, key, source) for branch in (value.then, value.otherwise)]
    return conditions.choose(nodes.legaliser, value.condition, branches[0], branches[1], value.path or source)


_HOW = "'merge' of the map with a map that a condition picks"


def otherwise(value: Value, default: Value) -> Value:
    """``value`` with what Heat takes where there is none; as it is where that is nothing."""
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


# -- the way back -------------------------------------------------------------------------------------------

#: maps whose entries are properties of Heat's
_MAPS = ("resource_config", "kwargs", "heat_properties")


def opened(properties: dict[str, Value], fold: Callable[[Value], Value]) -> dict[str, Value]:
    """``properties`` with entries that may vanish where maps were merged or chosen as a whole. ``fold``: says choices
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
