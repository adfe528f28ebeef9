"""What rewritten values are known to be."""

from __future__ import annotations

from typing import Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Expr, Value
from bpconvert.translators.catalogue.attributes import attribute_kind, part_kind
from bpconvert.translators.hot.write.context import Context
from bpconvert.translators.passes.expressions.kinds import STRUCTURES, Kinds, literal_kind, step_into

#: expressions that yield a value whenever the stack is validated; all others may be null then
_NEVER_NULL: Final = (ex.Join, ex.Replace, ex.File, ex.System, ex.Input, ex.Digest, ex.Merge, ex.ListConcat)
_TYPES: Final = {"string": "text", "number": "number", "boolean": "boolean", "comma_delimited_list": "list"}
_SCALARS: Final = ("text", "number", "boolean", "scalar")


def may_be_null(value: Value) -> bool:
    """True for a value that is null while Heat validates the stack: what depends on a resource."""
    if isinstance(value, ex.If):
        return may_be_null(value.then) or value.otherwise is MISSING or may_be_null(value.otherwise)
    return value is None or (isinstance(value, Expr) and not isinstance(value, _NEVER_NULL))


class HotKinds(Kinds):
    """The kinds of the values of a template; ``scalar``: a text, number or boolean."""

    def __init__(self, context: Context) -> None:
        super().__init__(context.topology, context.catalogue)
        self._context = context
        #: yaql expression -> what it yields
        self.queries: dict[str, str] = {}

    def of(self, value: Value) -> str:
        """See :meth:`Kinds.of`."""
        if isinstance(value, ex.Split):
            return "list" if value.index is MISSING else "text"
        if isinstance(value, ex.Query):
            return self.queries.get(value.expression, "any") if isinstance(value.expression, str) else "any"
        return super().of(value)

    def common(self, kinds: set[str]) -> str:
        """See :meth:`Kinds.common`."""
        if len(kinds) == 1:
            return kinds.pop()
        return "scalar" if kinds <= set(_SCALARS) else "json" if kinds <= set(STRUCTURES) else "any"

    def of_input(self, name: str, keys: tuple[Value, ...]) -> str:
        """What a parameter, or a part of it, is."""
        context = self._context
        declared = context.names.input_of(name)
        if declared is None:
            found = _TYPES.get(context.added.parameters.get(name, {}).get("type", ""), "json")
            return "any" if keys else found
        kind = _TYPES.get(context.defaults.type_of(declared), "json")
        if kind == "json" and declared.type in ("number", "boolean"):
            kind = declared.type
        if not keys or kind == "list":
            return "text" if keys else kind
        found = literal_kind(step_into(declared.default, keys))
        return found if found in STRUCTURES else "scalar" if found in _SCALARS else "any"

    def of_attribute(self, expr: ex.Attribute) -> str:
        """What an attribute, or a part of it, is."""
        context = self._context
        node = context.names.node_of(expr.node) if isinstance(expr.node, str) else None
        if expr.name is MISSING or node is None or node.kind is None or not isinstance(expr.name, str):
            return "any"
        if context.is_group(node) and not expr.name.startswith("resource."):
            return "list"
        name = expr.name.removeprefix("resource.0.")
        return part_kind(node.kind, name, expr.keys) if expr.keys else attribute_kind(node.kind, name) or "any"
