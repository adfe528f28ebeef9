"""The index of a group's member (``%index%``) in the member's properties.

Heat computes the properties first and then puts the member's name for the index in every text among them, not in keys
(heat/engine/resources/openstack/heat/resource_group.py, ``_handle_repl_val``). So where a function's result has the
index from its arguments unchanged, the arguments can have the number; elsewhere the call has no form.
"""

from __future__ import annotations

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Path, Value
from bpconvert.models.topology import Topology
from bpconvert.translators.evaluate import pieces
from bpconvert.translators.passes.expressions.kinds import MEMBER_INDEX
from bpconvert.translators.passes.expressions.rewriter import merge_texts

#: what is looked up by its arguments before the index is replaced: they keep it as a mere text
_LOOKED_UP = (ex.Attribute, ex.Identity, ex.Property, ex.File, ex.Condition, ex.Equals, ex.Not, ex.And, ex.Or)

#: stands for the number while a value is rewritten
_MARK = "\ue000"


class Index:
    """The text that stands for the index in the definition of one group."""

    def __init__(self, mark: str, topology: Topology) -> None:
        self.mark = mark
        self._topology = topology

    def occurs(self, value: Value) -> bool:
        """True when the index is in a text that ``value`` yields."""
        if isinstance(value, str):
            return self.mark in value
        if isinstance(value, dict):
            return any(map(self.occurs, value.values()))
        if isinstance(value, (list, tuple)):
            return any(map(self.occurs, value))
        if isinstance(value, ex.Input):
            declared = self._topology.inputs.get(value.name) if isinstance(value.name, str) else None
            return declared is not None and self.occurs(declared.default)
        if not isinstance(value, ex.Expr) or isinstance(value, _LOOKED_UP):
            return False
        names = ("then", "otherwise") if isinstance(value, ex.If) else ex.field_names(type(value))
        return any(self.occurs(getattr(value, name)) for name in names)

    def numbered(self, value: Value, member: str) -> Value:
        """``value`` with the name of a member for the index. A call whose result cannot be known becomes one that no
        language has."""
        if isinstance(value, str):
            return value.replace(self.mark, member)
        if isinstance(value, dict):
            return {key: self.numbered(item, member) for key, item in value.items()}
        if isinstance(value, (list, tuple)):
            return type(value)(self.numbered(item, member) for item in value)
        if not isinstance(value, ex.Expr) or not self.occurs(value):
            return value
        if isinstance(value, ex.If):
            then, otherwise = self.numbered(value.then, member), self.numbered(value.otherwise, member)
            return ex.If(value.condition, then, otherwise, path=value.path)
        if isinstance(value, (ex.Join, ex.ListConcat, ex.Merge)):
            return ex.map_fields(value, lambda part: self.numbered(part, member))
        if isinstance(value, ex.Replace):
            return self._replaced(value, member)
        return self.unsupported(value, member=member)

    def _replaced(self, value: ex.Replace, member: str) -> Value:
        """``str_replace``: the number goes into the text between the placeholders and into their values."""
        template, params = value.template, value.params
        if not isinstance(template, str) or not isinstance(params, dict):
            return self.unsupported(value, member=member)
        try:
            before = pieces(template, params, json_values=value.json_values).parts
            wanted = merge_texts(self.numbered(part, member) for part in before)
            numbered = {key: self.numbered(item, member) for key, item in params.items()}
            for text in (template, template.replace(self.mark, member)):
                if merge_texts(pieces(text, numbered, json_values=value.json_values).parts) == wanted:
                    return ex.Replace(text, numbered, value.strictness, value.json_values, path=value.path)
        except (TypeError, ValueError):
            return value
        return self.unsupported(value, member=member)

    def counted(self, value: Value, path: Path, node: str) -> Value:
        """``value`` (at ``path`` of the source) with the number of the instance of ``node`` for the index: how many
        members there are is not known."""
        if isinstance(value, dict):
            return {key: self.counted(item, (*path, key), node) for key, item in value.items()}
        if isinstance(value, list):
            return [self.counted(item, (*path, place), node) for place, item in enumerate(value)]
        if not self.occurs(value):
            return value
        place = value.path if isinstance(value, ex.Expr) and value.path else path
        marked = self.numbered(value, _MARK)
        if any(isinstance(expr, ex.Foreign) for expr in ex.walk(marked)):
            return self.unsupported(value, place)
        return _with_number(marked, ex.Attribute(node, MEMBER_INDEX, path=place))

    def unsupported(self, value: Value, path: Path = (), member: str = "") -> ex.Foreign:
        """What no language has a form for. ``member``: the one that it is different for."""
        return ex.Foreign("", self.mark, [value, member], path=path or getattr(value, "path", ()))


def _with_number(value: Value, number: ex.Attribute) -> Value:
    """``value`` with ``number`` for the mark in its texts."""
    if isinstance(value, str) and _MARK in value:
        pairs = [item for text in value.split(_MARK) for item in (number, text)]
        return ex.Concat(tuple(item for item in pairs[1:] if item != ""), path=number.path)
    if isinstance(value, ex.Replace) and isinstance(value.params, dict):
        params = {key: _with_number(item, number) for key, item in value.params.items()}
        if isinstance(value.template, str) and _MARK in value.template:
            params[_MARK] = number
        return ex.Replace(value.template, params, value.strictness, value.json_values, path=value.path)
    return ex.map_parts(value, lambda part: _with_number(part, number))
