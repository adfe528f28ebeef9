"""What rewritten values are known to be, where their class does not tell."""

from __future__ import annotations

from typing import Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Expr, Value
from bpconvert.translators.catalogue.attributes import attribute_kind, part_kind
from bpconvert.translators.hot.write.rewriter import HotRewriter
from bpconvert.translators.passes.expressions.rewriter import STRUCTURES, literal_kind

#: expressions that yield a value whenever the stack is validated; all others may be null then
_NEVER_NULL: Final = (ex.Join, ex.Replace, ex.File, ex.System, ex.Input, ex.Digest, ex.Merge, ex.ListConcat)


def may_be_null(value: Value) -> bool:
    """True for a value that is null while Heat validates the stack: what depends on a resource."""
    if isinstance(value, ex.If):
        return may_be_null(value.then) or value.otherwise is MISSING or may_be_null(value.otherwise)
    return value is None or (isinstance(value, Expr) and not isinstance(value, _NEVER_NULL))


_TYPE_KINDS: Final = {"string": "text", "number": "number", "boolean": "boolean", "comma_delimited_list": "list"}


def parameter(rewriter: HotRewriter, expr: ex.Input) -> str:
    """What a parameter, or a part of it, is."""
    context = rewriter.context
    if not isinstance(expr.name, str):
        return "any"
    declared = context.names.input_of(expr.name)
    if declared is None:
        found = _TYPE_KINDS.get(context.added.parameters.get(expr.name, {}).get("type", ""), "json")
        return "any" if expr.keys else found
    kind = _TYPE_KINDS.get(context.defaults.type_of(declared), "json")
    if kind == "json" and declared.type in ("number", "boolean"):
        kind = declared.type
    if not expr.keys:
        return kind
    if kind == "list":
        return "text"
    leaf = declared.default
    for key in expr.keys:
        try:
            leaf = leaf[key] if isinstance(leaf, (dict, list)) else MISSING
        except (KeyError, IndexError, TypeError):
            leaf = MISSING
    found = literal_kind(leaf)
    return found if found in STRUCTURES else "scalar" if found in ("text", "number", "boolean") else "any"


def attribute(rewriter: HotRewriter, expr: ex.Attribute) -> str:
    """What an attribute, or a part of it, is."""
    context = rewriter.context
    node = context.names.node_of(expr.node) if isinstance(expr.node, str) else None
    if expr.name is MISSING or node is None or node.kind is None or not isinstance(expr.name, str):
        return "any"
    if context.is_group(node) and not expr.name.startswith("resource."):
        return "list"
    name = expr.name.removeprefix("resource.0.")
    return part_kind(node.kind, name, expr.keys) if expr.keys else attribute_kind(node.kind, name) or "any"


def split(rewriter: HotRewriter, expr: ex.Split) -> str:
    """What the pieces of a text, or one of them, are."""
    return "list" if expr.index is MISSING else "text"


def query(rewriter: HotRewriter, expr: ex.Query) -> str:
    """What a query yields; that of the rewriter's own is known."""
    return rewriter.queries.get(expr.expression, "any") if isinstance(expr.expression, str) else "any"
