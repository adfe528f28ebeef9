"""Lists of maps that only calls yield, whose maps have other keys for the plugin: the map that a ``repeat`` copies is
brought into the plugin's form, and a node computes the list of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.light import replace
from bpconvert.translators.catalogue.model import PropertyRule
from bpconvert.translators.cloudify import hooks
from bpconvert.translators.cloudify.write.coercion import typed

if TYPE_CHECKING:
    from bpconvert.translators.cloudify.openstack.protocols import Writing


def written(writing: Writing, rule: PropertyRule, value: ex.Expr, source: Path) -> Value:
    """What refers to the list that ``value`` yields in the plugin's form; MISSING where no node computes it."""
    shaped = _shaped(writing, rule, value, source)
    if shaped is MISSING or not writing.rewriter.has_data_elsewhere:
        return MISSING
    reason = "the list of maps is only known when deploying"
    return writing.rewriter.computed_elsewhere(shaped, value.path or source, reason)


def _shaped(writing: Writing, rule: PropertyRule, value: Value, source: Path) -> Value:
    """The value with maps in the plugin's form, but not yet rewritten; MISSING for one whose maps are not known."""
    source = value.path or source if isinstance(value, ex.Expr) else source
    if isinstance(value, ex.Repeat):
        template = _shaped(writing, rule, value.template, source)
        return MISSING if template is MISSING else replace(value, template=template)
    if isinstance(value, ex.ListConcat) and isinstance(value.lists, (list, tuple)) and not value.unique:
        value, lists = replace(value, lists=MISSING), value.lists
        parts = [_shaped(writing, rule, part, source) for part in lists]
        return MISSING if MISSING in parts else replace(value, lists=parts)
    if isinstance(value, list):
        items = [_shaped(writing, rule, item, source) for item in value]
        return MISSING if MISSING in items else items
    return _map(writing, rule, value, source) if isinstance(value, dict) else MISSING


def _map(writing: Writing, rule: PropertyRule, item: dict[Any, Value], source: Path) -> Value:
    """One map; MISSING for one with a key that has no plain counterpart."""
    result: dict[Any, Value] = {}
    for key, value in item.items():
        part = rule.each.get(rule.aliases.get(key, key)) if isinstance(key, str) else None
        if value is None:
            continue
        if part is not None and part.hook in hooks.ITEM and not isinstance(value, ex.Expr):
            own: dict[Any, Value] = {}
            hooks.ITEM[part.hook](item, own)
            if own:
                return MISSING  # of the node itself, which the node that computes does not know
            writing.report("BPC316", source, name=key, value=value)
            continue
        if part is None or part.hook or part.each or not part.to:
            return MISSING
        if part.lookup:
            writing.report_names(key, value, source)
        result[part.to] = typed(part.type, value)
    usual = {part.to: part.default for part in rule.each.values() if part.default is not None and part.to}
    return {**result, **{key: default for key, default in usual.items() if key not in result}}
