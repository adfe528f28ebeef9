"""Nodes that compute what TOSCA cannot: see :mod:`~.tosca.computed`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Expr, Path, Value
from bpconvert.models.topology import Node
from bpconvert.translators.passes.expressions.rewriter import Unsupported
from bpconvert.translators.support.text import fresh
from bpconvert.translators.tosca import computed
from bpconvert.translators.tosca.functions import Inexpressible, calls_in, write_value
from bpconvert.translators.tosca.vocabulary import ROOT
from bpconvert.translators.tosca.write.context import Context, NodeDraft
from bpconvert.translators.toscalike.computing import CALL, KIND, PROPERTY, Computed, Computing, Rewrite
from bpconvert.yamlio.emit import Flow

#: what a value is -> the end of the name of a type of its nodes, and the type of the attribute; others: a text
_TYPES: Final = {
    "number": (".Number", "float"),
    "boolean": (".Boolean", "boolean"),
    "list": (".List", "list"),
    "map": (".Map", "map"),
    "json": (".Map", "map"),
}


#: the same of whole numbers
_WHOLE: Final = (".Integer", "integer")
#: the key of the node that makes an id
_UNIQUE: Final = "an id of the deployment"


class ServiceComputing(Computing):
    """The nodes that compute values of one service template."""

    RESERVED = frozenset({CALL})
    ATTRIBUTES = True

    def __init__(self, context: Context, rewrite: Rewrite, kind: Callable[[Value], str]) -> None:
        super().__init__(context.topology, context.request, rewrite)
        self.context = context
        self._kind = kind
        #: names of nodes whose values are whole numbers
        self.whole: set[str] = set()
        #: long conditions that have nodes, or cannot have one
        self._decided: set[str] = set()

    def rewrite(self, value: Value, path: Path) -> Value:
        """``value`` as plain data. Raises :class:`Unsupported`."""
        if isinstance(value, ex.If):  # see :meth:`holding`
            written = self.value(value, path, "", needed=True)
            if written is MISSING:
                raise Unsupported("it is not computed")
            return write_value(written, self.context.prefix)
        try:
            return write_value(super().rewrite(value, path), self.context.prefix)
        except Inexpressible:
            raise Unsupported("TOSCA has no function for it") from None

    def written(self, call: Any) -> str:
        """See :meth:`Computing.written`."""
        return computed.call(call)

    def holding(self, condition: ex.Condition) -> Expr:
        """See :meth:`Computing.holding`. A node of its own decides it, after those of the conditions in it: each then
        refers to the ones before, however many there are."""
        for inner in _inner_first(self.topology.conditions, condition, self._decided):
            name = str(inner.name)
            if self.is_long(name):
                self._decided.add(name)
                value = ex.If(self.topology.conditions[name], True, False, path=inner.path)
                self.value(value, inner.path, "", needed=True)
        return ex.If(self.topology.conditions[str(condition.name)], True, False, path=condition.path)

    def is_part(self, written: Value) -> bool:
        """See :meth:`Computing.is_part`. A playbook would look for templates in a text that is an input."""
        return not any(True for _ in calls_in([written], self.context.prefix))

    def fresh(self, name: str) -> str:
        """See :meth:`Computing.fresh`."""
        return fresh(name, {self.context.names.node(node_name) for node_name in self.topology.nodes})

    def name(self, node: str) -> str:
        """See :meth:`Computing.name`."""
        return self.context.names.node(node)

    def add_program(self) -> None:
        """See :meth:`Computing.add_program`."""
        self.topology.files |= computed.programs(has_queries=self.has_queries)

    def unique(self, path: Path, user: str) -> ex.Attribute:
        """What refers to an id that is another one for each deployment."""
        computed_value = self.values.get(_UNIQUE)
        if computed_value is None:
            name = self.fresh("deployment_id")
            value = ex.System("deployment.id", path=path)
            node = Node(name, "", KIND, {KIND: value}, path=path[:2], made_for=user or None)
            self.topology.nodes[name] = node
            self.add_program()
            computed_value = self.values[_UNIQUE] = Computed(node, self.written(computed.UNIQUE), {}, user, needed=True)
        return ex.Attribute(self.name(computed_value.node.name), PROPERTY, path=path)

    def drafts(self, written: list[NodeDraft]) -> list[NodeDraft]:
        """``written`` with the nodes, each before the first one that uses it, and those of outputs at the end. Who uses
        one waits for it."""
        mine = {computed_node.node.name: self._draft(computed_node) for computed_node in self.values.values()}
        for draft in [*written, *mine.values()]:
            waited = {target for row in draft.requirements for target in _targets(row)}
            for name in dict.fromkeys(
                _nodes_in([draft.properties, draft.interfaces, draft.existing], self.context.prefix)
            ):
                if name not in waited and name != draft.name and (name in mine or draft.name in mine):
                    draft.requirements.append({"dependency": name})
        result: list[NodeDraft] = []
        for draft in written:
            result += self._before(draft, mine)
            result.append(draft)
        return [*result, *mine.values()]

    def _before(self, draft: NodeDraft, left: dict[str, NodeDraft]) -> Iterator[NodeDraft]:
        """The nodes of those ``left`` that a draft waits for, which are taken away."""
        for row in draft.requirements:
            for name in _targets(row):
                if name in left:
                    draft_before = left.pop(name)
                    yield from self._before(draft_before, left)
                    yield draft_before

    def _draft(self, computed_value: Computed) -> NodeDraft:
        value = computed_value.node.properties[KIND]
        end, type = _TYPES.get(self._kind(value), ("", "string"))
        if type == "float" and self.name(computed_value.node.name) in self.whole:
            end, type = _WHOLE
        draft = NodeDraft(computed_value.node, computed_value.node.name, computed.TYPE + end)
        draft.parent = ROOT
        entries = {"entry_schema": Flow(type="string")} if type in ("list", "map") else {}
        draft.published = {PROPERTY: Flow(type=type, **entries)}
        values = {name: written for name, (_, written) in computed_value.inputs.items()} or computed.NO_VALUES
        operation = {
            "implementation": computed.implementation(),
            "inputs": computed.inputs(computed_value.call, values, computed_value.needed),
            "outputs": computed.outputs(),
        }
        draft.interfaces = {computed.INTERFACE: {"operations": {computed.OPERATION: operation}}}
        return draft


def _inner_first(conditions: Mapping[str, Value], condition: ex.Condition, without: set[str]) -> list[ex.Condition]:
    """The named conditions in one, ``without`` some and what is in these, each after those in it; the condition itself
    is not among them."""
    order: list[ex.Condition] = []
    seen: set[Value] = {condition.name}
    waiting = [(condition, _named_in(conditions.get(str(condition.name))))]
    while waiting:
        outer, parts = waiting[-1]
        fresh_parts = (part for part in parts if part.name not in without and part.name not in seen)
        inner = next((part for part in fresh_parts if part.name in conditions), None)
        if inner is not None:
            seen.add(inner.name)
            waiting.append((inner, _named_in(conditions[str(inner.name)])))
        else:
            order.append(outer)
            waiting.pop()
    return order[:-1]


def _named_in(condition: Value) -> Iterator[ex.Condition]:
    """The named conditions that a condition asks for."""
    return (part for part in ex.walk(condition) if isinstance(part, ex.Condition) and isinstance(part.name, str))


def _targets(row: dict[str, Any]) -> Iterator[str]:
    for wanted in row.values():
        yield str(wanted.get("node") if isinstance(wanted, dict) else wanted)


def _nodes_in(data: Any, prefix: str) -> Iterator[str]:
    """The nodes whose attributes calls in plain ``data`` read."""
    for function, argument in calls_in(data, prefix):
        if function == "get_attribute" and isinstance(argument, list) and argument and isinstance(argument[0], str):
            yield argument[0]
