"""What said values are known to be."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Expr, Value
from bpconvert.translators.catalogue.attributes import attribute_kind, part_kind

if TYPE_CHECKING:
    from bpconvert.translators.hot.write.context import Context

#: kinds that have no text form which both engines share
STRUCTURES: Final = ("list", "map", "json")
#: expressions that yield a value whenever the stack is validated; all others may be null then
_NEVER_NULL: Final = (ex.Join, ex.Replace, ex.File, ex.System, ex.Input, ex.Digest, ex.Merge, ex.ListConcat)


def kind_of(context: Context, value: Value, queries: Mapping[str, str]) -> str:
    """``text``, ``number``, ``boolean``, ``list``, ``map``, ``json`` (a structure), ``null``, ``scalar`` (text, number
    or boolean), or ``any``. ``queries``: what yaql expressions yield."""
    if not isinstance(value, Expr):
        return _literal(value)
    if isinstance(value, ex.If):
        if value.otherwise is MISSING:
            return "any"
        return _common({kind_of(context, value.then, queries), kind_of(context, value.otherwise, queries)})
    if isinstance(value, ex.Input):
        return _parameter(context, value)
    if isinstance(value, ex.Attribute):
        return _attribute(context, value)
    if isinstance(value, ex.Split):
        return "list" if value.index is MISSING else "text"
    if isinstance(value, ex.Query) and isinstance(value.expression, str):
        return queries.get(value.expression, "any")
    return value.YIELDS


def may_be_null(value: Value) -> bool:
    """True for a value that is null while Heat validates the stack: what depends on a resource."""
    if isinstance(value, ex.If):
        return may_be_null(value.then) or value.otherwise is MISSING or may_be_null(value.otherwise)
    return value is None or (isinstance(value, Expr) and not isinstance(value, _NEVER_NULL))


def _literal(value: Value) -> str:
    return next((kind for types, kind in _LITERALS if isinstance(value, types)), "null" if value is None else "any")


_LITERALS: Final[tuple[tuple[tuple[type, ...], str], ...]] = (
    ((bool,), "boolean"), ((int, float), "number"), ((str,), "text"), ((list, tuple), "list"), ((dict,), "map"),
)  # fmt: skip


def _common(kinds: set[str]) -> str:
    if len(kinds) == 1:
        return kinds.pop()
    if kinds <= {"text", "number", "boolean", "scalar"}:
        return "scalar"
    return "json" if kinds <= set(STRUCTURES) else "any"


_TYPE_KINDS: Final = {"string": "text", "number": "number", "boolean": "boolean", "comma_delimited_list": "list"}


def _parameter(context: Context, expr: ex.Input) -> str:
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
    found = _literal(leaf)
    return found if found in STRUCTURES else "scalar" if found in ("text", "number", "boolean") else "any"


def _attribute(context: Context, expr: ex.Attribute) -> str:
    node = context.names.node_of(expr.node) if isinstance(expr.node, str) else None
    if expr.name is MISSING or node is None or node.kind is None or not isinstance(expr.name, str):
        return "any"
    if context.is_group(node) and not expr.name.startswith("resource."):
        return "list"
    name = expr.name.removeprefix("resource.0.")
    return part_kind(node.kind, name, expr.keys) if expr.keys else attribute_kind(node.kind, name) or "any"
