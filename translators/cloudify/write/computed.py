"""Nodes that compute what the DSL cannot: see :mod:`~.cloudify.computed`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import MISSING as NO_DEFAULT
from dataclasses import dataclass, field, fields
from typing import Any, Final, TypeAlias

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Expr, Path, Value
from bpconvert.models.topology import Node, Topology
from bpconvert.translators.cloudify import computed
from bpconvert.translators.cloudify.calls import collides
from bpconvert.translators.cloudify.openstack.drafts import Draft
from bpconvert.translators.cloudify.vocabulary import DEEPEST, DEPENDS_ON
from bpconvert.translators.cloudify.write.context import Context
from bpconvert.translators.evaluate import plain
from bpconvert.translators.passes.expressions.kinds import VALUE
from bpconvert.translators.passes.expressions.rewriter import Unsupported, place_name
from bpconvert.translators.support.places import maps
from bpconvert.translators.support.text import fresh

#: the calls that the script computes
_CALLS: Final = frozenset({*plain.FUNCTIONS, *plain.CHOICES})
Rewrite: TypeAlias = Callable[[Value, Path], Value]
#: a named condition of so many expressions is an input where the DSL can decide it, and of so many it has to be one
_LONG: Final = 24
_LONGEST: Final = 500
#: references that there is one value of for each instance
_OF_ONE: Final = (ex.Attribute, ex.Identity)


@dataclass(eq=False, repr=False)
class _Value:
    """One node. ``inputs``: name -> (value of the source, what is written); ``user``: the first node with the value."""

    node: Node
    call: Any
    inputs: dict[str, tuple[Expr, Value]]
    user: str
    needed: bool = False


@dataclass(eq=False, repr=False)
class Computing:
    """The nodes that compute values of one blueprint. ``rewrite``: what a reference is in the DSL; raises
    :class:`Unsupported`."""

    context: Context
    rewrite: Rewrite
    _values: dict[str, _Value] = field(default_factory=dict)
    #: (node that is written, node that computes a value of it, place of that)
    uses: list[tuple[str, str, Path]] = field(default_factory=list)

    def value(self, value: Value, path: Path, user: str, *, needed: bool) -> Value:
        """What refers to the value when it is computed; MISSING where it cannot be. ``user``: the node that is written,
        "" for an output; ``needed``: something is deployed with it."""
        if not isinstance(value, Expr) or not (type(value).__name__ in _CALLS or _is_part(value)):
            return MISSING
        users = self.context.topology.nodes.get(user)
        condition = users.condition if users is not None else MISSING
        key = f"{value!r} {condition!r}"
        known = self._values.get(key)
        if known is None:
            call = _Call(self.context.topology, self.rewrite, condition)
            try:
                data = call.data(value)
            except (Unsupported, RecursionError):
                return MISSING
            if not call.inputs:  # it is known, and has no form for another reason
                return MISSING
            known = self._values[key] = self._added(value, data, call.inputs, path, user)
            for one in call.conditions:
                self.context.reporter.report("BPC223", one.path, name="condition", how="what it compares")
        if user:
            self.uses.append((user, known.node.name, path))
        known.needed = known.needed or needed
        return ex.Attribute(self.context.names.node(known.node.name), computed.PROPERTY, path=path)

    def computes(self, value: Expr, user: str) -> bool:
        """True where :meth:`value` yields a reference to what is deployed with ``user``."""
        node = self.context.topology.nodes.get(user)
        call = _Call(self.context.topology, self.rewrite, node.condition if node is not None else MISSING)
        try:
            call.data(value)
        except (Unsupported, RecursionError):
            return False
        return type(value).__name__ in _CALLS and bool(call.inputs)

    def _added(self, value: Expr, data: Any, inputs: dict[str, tuple[Expr, Value]], path: Path, user: str) -> _Value:
        topology, words = self.context.topology, self.context.request.source.words
        name = self.context.names.fresh_node(fresh(place_name(words, path, value), topology.nodes))
        owner = topology.nodes.get(user)
        node = Node(
            name, "", computed.KIND, {VALUE: value}, path=owner.path if owner else path[:2],
            made_for=user or None, condition=owner.condition if owner else MISSING,
        )  # fmt: skip
        topology.nodes[name] = node
        topology.files[computed.PATH] = computed.program()
        return _Value(node, data, inputs, user)

    def drafts(self, written: list[Draft]) -> list[Draft]:
        """``written`` with the nodes, each before the first one that uses it; those of outputs at the end."""
        by_name = {draft.node.name: draft for draft in written}
        owner = self.context.topology.owner
        for user, name, path in self.uses:
            by_name[owner(user)].relate(DEPENDS_ON, name, path)
        mine = [(one, self._draft(one)) for one in self._values.values()]
        scaling = {draft.node.name: draft.scaling for draft in written}
        result: list[Draft] = []
        for draft in [*written, None]:
            user = draft.node.name if draft is not None else ""
            for one, own in mine:
                if (owner(one.user) if one.user else "") == user:
                    own.scaling = scaling.get(user, MISSING)
                    result.append(own)
            if draft is not None:
                result.append(draft)
        return result

    def _draft(self, one: _Value) -> Draft:
        kind = self.context.catalogue.kind(computed.KIND)
        type = kind.cloudify.type if kind is not None and kind.cloudify is not None else ""
        draft = Draft(one.node, one.node.name, type, kind)
        inputs: dict[str, Value] = {computed.CALL: one.call}
        inputs |= {name: written for name, (_, written) in one.inputs.items()}
        if not one.needed:
            inputs[computed.NEEDED] = False
        operation = {"implementation": computed.PATH, "inputs": inputs, **computed.SETTINGS}
        draft.interfaces[f"{computed.INTERFACE}.{computed.OPERATION}"] = operation
        return draft


class _Call:
    """One call as the script's data. ``inputs``: name -> (value of the source, what is written)."""

    def __init__(self, topology: Topology, rewrite: Rewrite, condition: Value) -> None:
        self.topology = topology
        self.rewrite = rewrite
        self.condition = condition
        self.inputs: dict[str, tuple[Expr, Value]] = {}
        #: named conditions that are written out, and how many expressions they have then
        self.conditions: list[Expr] = []
        self._sizes: dict[str, int] = {}
        self._open: set[str] = set()

    def data(self, value: Expr) -> Any:
        """The data; as a JSON text where it would mean something else in the DSL. Raises :class:`Unsupported`."""
        found = self._part(value)
        texts = list(_texts(found))
        is_odd = not all(text.isascii() for text in texts) or any(collides(part) for part, _ in maps(found, ()))
        if is_odd or _depth(found) > DEEPEST - 8:
            return json.dumps(found)
        return found

    def _part(self, value: Value) -> Any:
        if isinstance(value, Expr):
            return self._expression(value)
        if isinstance(value, dict):
            marked = ((f"${key}" if isinstance(key, str) and key.startswith("$") else key, value[key]) for key in value)
            return {key: self._part(part) for key, part in marked}
        if isinstance(value, (list, tuple)):
            return [self._part(part) for part in value]
        if value is MISSING:
            raise Unsupported("an argument is left out")
        return value

    def _expression(self, expr: Expr) -> Any:
        kind = type(expr)
        if kind is ex.Condition:
            return self._meaning(expr)
        if kind.__name__ not in _CALLS:
            return self._leaf(expr)
        if kind.__name__ in plain.CHOICES and any(isinstance(part, str) for part in _conditions(expr)):
            raise Unsupported("the name of a condition is computed")
        usual = {one.name: one.default for one in fields(kind) if one.default is not NO_DEFAULT}
        given = {name: getattr(expr, name) for name in ex.field_names(kind)}
        written = {name: part for name, part in given.items() if name not in usual or usual[name] != part}
        return {f"${kind.__name__}": {name: self._part(part) for name, part in written.items()}}

    def _meaning(self, condition: Expr) -> Any:
        name = getattr(condition, "name", None)
        conditions = self.topology.conditions
        if not isinstance(name, str) or name not in conditions or name in self._open:
            raise Unsupported("there is no such condition")
        size = self._size(name)
        if size > _LONG:
            try:
                return self._given(condition, f"{name}_holds", ex.If(condition, True, False, path=condition.path))
            except Unsupported:
                if size > _LONGEST:
                    raise
        self._open.add(name)
        self.conditions.append(condition)
        try:
            return self._part(conditions[name])
        finally:
            self._open.discard(name)

    def _size(self, name: str) -> int:
        """How many expressions a named condition has when it is written out."""
        if name not in self._sizes:
            self._sizes[name] = 1  # in a circle
            inner = list(ex.walk(self.topology.conditions.get(name)))
            named = [part.name for part in inner if isinstance(part, ex.Condition) and isinstance(part.name, str)]
            self._sizes[name] = len(inner) + sum(map(self._size, named))
        return self._sizes[name]

    def _given(self, value: Expr, name: str, written: Expr) -> Any:
        """A reference to the input with a ``value`` that is ``written`` in the DSL."""
        known = next((name for name, (leaf, _) in self.inputs.items() if leaf == value), None)
        if known is None:
            known = fresh(name, {*self.inputs, *computed.RESERVED})
            self.inputs[known] = (value, self.rewrite(written, value.path))
        return {"$Input": {"name": known}}

    def _leaf(self, expr: Expr) -> Any:
        """A reference to the input with the value of ``expr``."""
        keys: list[Any] = []
        if isinstance(expr, ex.Input) and isinstance(expr.name, str) and not expr.strict:
            keys = [self._part(key) for key in expr.keys]
            expr = ex.Input(expr.name, path=expr.path)
        self._check(expr)
        found = self._given(expr, computed.input_name(expr), expr)
        return {"$Input": {**found["$Input"], "keys": keys}} if keys else found

    def _check(self, leaf: Expr) -> None:
        """Raise :class:`Unsupported` for what has no value, or several, where the value is computed."""
        topology = self.topology
        if isinstance(leaf, (ex.Query, ex.Foreign, ex.Facade)) or topology.is_of_stand_in(leaf):
            raise Unsupported("it is not computed")
        node = topology.node(getattr(leaf, "node", None))
        if node is None:
            return
        if isinstance(leaf, _OF_ONE) and (node.group is not None or node.instances is not MISSING):
            raise Unsupported("there is a value for each instance")
        if node.condition is not MISSING and node.condition != self.condition:
            raise Unsupported("the node may not be there")


def _is_part(value: Expr) -> bool:
    """True for the part of an input that a source's engine takes leniently."""
    return isinstance(value, ex.Input) and bool(value.keys) and not value.strict


def _conditions(expr: Expr) -> tuple[Value, ...]:
    """What is decided by a choice or a condition of conditions."""
    operands = getattr(expr, "operands", None)
    return operands if isinstance(operands, tuple) else (getattr(expr, "condition", getattr(expr, "operand", None)),)


def _texts(data: Any) -> Iterator[str]:
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict):
        for key, part in data.items():
            yield from _texts(key)
            yield from _texts(part)
    elif isinstance(data, list):
        for part in data:
            yield from _texts(part)


def _depth(data: Any) -> int:
    if not isinstance(data, (dict, list)):
        return 0
    return 1 + max(map(_depth, data.values() if isinstance(data, dict) else data), default=0)
