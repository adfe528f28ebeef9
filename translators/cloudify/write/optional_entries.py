"""Properties that a condition removes: the map that they are in is merged with one that is empty where they are not.

Heat leaves a property out when its ``if`` has no else and the condition does not hold. A property of a node template
cannot be left out, but what stands in ``resource_config`` can.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.translators.cloudify.write import conditions
from bpconvert.translators.evaluate.scope import may_vanish
from bpconvert.translators.passes.expressions.rewriter import Unsupported

if TYPE_CHECKING:
    from bpconvert.translators.catalogue.model import PropertyRule
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
    except Unsupported:
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
    return conditions.choose(nodes.rewriter, value.condition, branches[0], branches[1], value.path or source)


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
