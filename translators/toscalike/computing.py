"""Values that a language has no function for: a node whose script computes one when it is created, and to which
everything else refers. The script is the evaluator's own code, and the call stands among its inputs as plain data
(:mod:`bpconvert.translators.evaluate.plain`). Languages differ in how such a node is written."""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from functools import partial
from importlib.resources import files
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeAlias
from weakref import WeakMethod

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Expr, Path, Value
from bpconvert.models.light import NO_DEFAULT, dataclass, replace, rows
from bpconvert.models.notation import from_data
from bpconvert.models.topology import Node, Topology
from bpconvert.translators import evaluate
from bpconvert.translators.evaluate import plain
from bpconvert.translators.passes.expressions.kinds import RESULT, VALUE
from bpconvert.translators.passes.expressions.rewriter import Unsupported, place_name
from bpconvert.translators.passes.request import Request
from bpconvert.translators.support.text import fresh

if TYPE_CHECKING:
    from typing import TypeGuard

#: the kind of the nodes, and what a node has its value in: a property of that name would be given for null
KIND: Final = VALUE
PROPERTY: Final = RESULT
#: the script's inputs for the call, and for whether anything is deployed with the value
CALL: Final = "call"
NEEDED: Final = "needed"
#: (value, place of the source) -> the value in the target's terms; raises :class:`Unsupported`
Rewrite: TypeAlias = Callable[[Value, Path], Value]
#: the calls that the script computes
_CALLS: Final = frozenset({*plain.FUNCTIONS, *plain.CHOICES, "Query"})
#: what makes a query one of the calls
_QUERY: Final = '\n\nFUNCTIONS["Query"] = query\n'
#: a named condition of so many expressions is an input where the language can decide it, and of so many has to be one
_LONG: Final = 24
_LONGEST: Final = 500
#: a call of so many expressions, with what its own values are computed by, is put in place of its node
_MOST: Final = 2_000
#: what the inputs of a call are
_LEAVES: Final = (ex.Attribute, ex.Identity, ex.System)
#: references that there is one value of for each instance
_OF_ONE: Final = (ex.Attribute, ex.Identity)


def evaluator(*, has_queries: bool = False) -> str:
    """The text of the evaluator, which a script begins with. ``has_queries``: it also computes those."""
    folder = files(evaluate)
    names = ("plain.py", "queries.py") if has_queries else ("plain.py",)
    texts = [folder.joinpath(name).read_text(encoding="utf-8") for name in names]
    return "\n\n".join(texts) + (_QUERY if has_queries else "")


# -- writing ------------------------------------------------------------------------------------------------


@dataclass(eq=False, repr=False)
class Computed:
    """One node. ``call``: what it computes, as it is written; ``inputs``: name -> (value of the source, what is
    written); ``user``: the first node that is written with the value, "" for an output; ``needed``: something is
    deployed with it."""

    node: Node
    call: Any
    inputs: dict[str, tuple[Expr, Value]]
    user: str
    needed: bool = False


class Computing(ABC):
    """The nodes that compute values of one topology. A language says how they are written."""

    #: names that no input for a value gets
    RESERVED: ClassVar[Collection[str]] = frozenset({CALL, NEEDED})
    #: the script computes ``$Attribute``: a part of the input that its ``node`` names
    ATTRIBUTES: ClassVar[bool] = False

    def __init__(self, topology: Topology, request: Request, rewrite: Rewrite) -> None:
        self.topology = topology
        self.request = request
        #: held weakly: whose method it is has the computing
        self._rewriting = WeakMethod(rewrite)
        self.values: dict[str, Computed] = {}
        #: the keys of values that cannot be computed, and of those that are being computed
        self._closed: set[str] = set()
        #: named conditions that cannot be written out, each with that of who asks
        self.hopeless: set[str] = set()
        self._sizes: dict[str, int] = {}
        #: (node that is written, node that computes a value of it, place of that)
        self.uses: list[tuple[str, str, Path]] = []
        #: the script has to compute queries
        self.has_queries = False

    def rewrite(self, value: Value, path: Path) -> Value:
        """``value``, which stands at ``path``, in the language's terms. Raises :class:`Unsupported`."""
        rewriting = self._rewriting()
        assert rewriting is not None
        return rewriting(value, path)

    @abstractmethod
    def written(self, call: Any) -> Any:
        """The data of a call as the language takes it."""

    def is_part(self, written: Value) -> bool:
        """True for a value that stands in the call, and not among the inputs, as it is ``written``."""
        return False

    def holding(self, condition: ex.Condition) -> Expr:
        """The value that is true where a named condition holds, as it is rewritten."""
        return ex.If(condition, True, False, path=condition.path)

    @abstractmethod
    def fresh(self, name: str) -> str:
        """A name for a node: this one or the nearest that is free."""

    @abstractmethod
    def name(self, node: str) -> str:
        """The name of a node in the result."""

    @abstractmethod
    def add_program(self) -> None:
        """Add the script to the files of the result."""

    def value(self, value: Value, path: Path, user: str, *, needed: bool) -> Value:
        """What refers to the value when it is computed; MISSING where it cannot be. A value that is no call is handed
        out as it is. ``user``: the node that is written,
        "" for an output; ``needed``: something is deployed with it."""
        is_call = isinstance(value, Expr)
        if isinstance(value, Expr) and not (type(value).__name__ in _CALLS or self._is_part(value)):
            return MISSING
        condition = self._condition(user)
        key = f"{value!r} {condition!r}"
        computed = self.values.get(key)
        if key in self._closed:
            return MISSING
        if computed is None:
            call = _Call(self, condition)
            self._closed.add(key)
            try:
                data = call.data(value)
            except (Unsupported, RecursionError):
                return MISSING
            if is_call and not call.inputs:  # it is known, and has no form for another reason
                return MISSING
            self._closed.discard(key)
            self.has_queries = self.has_queries or call.has_queries
            computed = self.values[key] = self._added(value, data, call.inputs, path, user)
            for tested in call.conditions:
                self.request.reporter.report("BPC223", tested.path, name="condition", how="what it compares")
        else:
            self._report_again(value)
        if user:
            self.uses.append((user, computed.node.name, path))
        computed.needed = computed.needed or needed
        return ex.Attribute(self.name(computed.node.name), PROPERTY, path=path)

    def _report_again(self, value: Value) -> None:
        """Report what differs in the values of a call that stands in another place, too."""
        for leaf in ex.walk(value):
            if isinstance(leaf, _LEAVES) and not any(isinstance(key, Expr) for key in getattr(leaf, "keys", ())):
                with suppress(Unsupported, RecursionError):
                    self.rewrite(leaf, leaf.path)

    def computes(self, value: Expr, user: str) -> bool:
        """True where :meth:`value` yields a reference to what is deployed with ``user``."""
        call = _Call(self, self._condition(user))
        try:
            call.data(value)
        except (Unsupported, RecursionError):
            return False
        return type(value).__name__ in _CALLS and bool(call.inputs)

    def hindered(self, value: Value, user: str) -> str:
        """The stand-in without which :meth:`value` would be computed; "" where that is not why."""
        topology = self.topology
        names = [getattr(leaf, "node", "") for leaf in ex.walk(value) if topology.is_of_stand_in(leaf)]
        if not names or type(value).__name__ not in _CALLS:
            return ""
        try:
            _Call(self, self._condition(user)).data(
                ex.transform(value, lambda leaf: None if topology.is_of_stand_in(leaf) else leaf)
            )
        except (Unsupported, RecursionError):
            return ""
        return topology.owner(str(names[0]))

    def size(self, name: str) -> int:
        """How many expressions a named condition has when it is written out."""
        if name not in self._sizes:
            self._sizes[name] = 1  # in a circle
            inner = list(ex.walk(self.topology.conditions.get(name)))
            names = [part.name for part in inner if isinstance(part, ex.Condition) and isinstance(part.name, str)]
            self._sizes[name] = len(inner) + sum(map(self.size, names))
        return self._sizes[name]

    def is_long(self, name: str) -> bool:
        """True for a named condition that is too long to be written out in each call."""
        return self.size(name) > _LONG

    def _is_part(self, value: Expr) -> bool:
        """True for the part of an input or attribute that a source's engine takes leniently."""
        if isinstance(value, ex.Input):
            return bool(value.keys) and not value.strict
        return self.ATTRIBUTES and is_deep(value)

    def _condition(self, user: str) -> Value:
        node = self.topology.nodes.get(user)
        return node.condition if node is not None else MISSING

    def _added(self, value: Value, data: Any, inputs: dict[str, tuple[Expr, Value]], path: Path, user: str) -> Computed:
        topology, words = self.topology, self.request.source.words
        name = self.fresh(fresh(place_name(words, path, value), topology.nodes))
        owner = topology.nodes.get(user)
        node = Node(
            name, "", KIND, {VALUE: value}, path=owner.path if owner else path[:2],
            made_for=user or None, condition=owner.condition if owner else MISSING,
        )  # fmt: skip
        topology.nodes[name] = node
        self.add_program()
        return Computed(node, self.written(data), inputs, user)


class _Call:
    """One call as the script's data. ``inputs``: name -> (value of the source, what is written)."""

    def __init__(self, computing: Computing, condition: Value) -> None:
        self.computing = computing
        self.topology = computing.topology
        self.condition = condition
        self.inputs: dict[str, tuple[Expr, Value]] = {}
        #: named conditions that are written out
        self.conditions: list[Expr] = []
        self.has_queries = False
        self._open: set[str] = set()

    def data(self, value: Value) -> Any:
        """The data. Raises :class:`Unsupported`."""
        if isinstance(value, Expr):
            return self._expression(value)
        if isinstance(value, dict):
            marked = ((f"${key}" if isinstance(key, str) and key.startswith("$") else key, value[key]) for key in value)
            return {key: self.data(part) for key, part in marked}
        if isinstance(value, (list, tuple)):
            return [self.data(part) for part in value]
        if value is MISSING:
            raise Unsupported("an argument is left out")
        return value

    def _is_name(self, condition: Value) -> bool:
        """True for the name of a condition, as a text that is an input is in HOT."""
        declared = self.topology.inputs.get(condition.name) if isinstance(condition, ex.Input) else None
        return isinstance(condition, str) or (declared is not None and declared.type == "string")

    def _expression(self, expr: Expr) -> Any:
        kind = type(expr)
        if isinstance(expr, ex.Condition):
            return self._meaning(expr)
        if kind.__name__ not in _CALLS:
            return self._leaf(expr)
        if isinstance(expr, ex.Query):
            self._read(expr)
        if kind.__name__ in plain.CHOICES and any(map(self._is_name, _conditions(expr))):
            raise Unsupported("the name of a condition is computed")
        usual = {field.name: field.default for field in rows(kind) if field.default is not NO_DEFAULT}
        fields = {name: getattr(expr, name) for name in ex.field_names(kind)}
        written = {name: part for name, part in fields.items() if name not in usual or usual[name] != part}
        return {f"${kind.__name__}": {name: self.data(part) for name, part in written.items()}}

    def _read(self, query: ex.Query) -> None:
        """Raise :class:`Unsupported` for a query that the script cannot compute."""
        from bpconvert.translators.evaluate.queries import UnreadError, read_query  # few documents have queries

        values = query.data.values() if isinstance(query.data, dict) else [query.data]
        try:
            read_query(query.expression, query.data)
        except UnreadError:
            raise Unsupported("it is not computed") from None
        if any(isinstance(value, (dict, list)) for value in values):  # yaql has other words for them
            raise Unsupported("it is not computed")
        self.has_queries = True

    def _meaning(self, condition: ex.Condition) -> Any:
        name = condition.name
        conditions = self.topology.conditions
        key = f"{name!r} {self.condition!r}"
        if not isinstance(name, str) or name not in conditions or name in self._open or key in self.computing.hopeless:
            raise Unsupported("there is no such condition")
        if self.computing.is_long(name):
            try:
                return self._as_input(condition, f"{name}_holds", self.computing.holding(condition))
            except Unsupported:
                if self.computing.size(name) > _LONGEST:
                    raise
        self._open.add(name)
        self.conditions.append(condition)
        try:
            return self.data(conditions[name])
        except Unsupported:
            self.computing.hopeless.add(key)
            raise
        finally:
            self._open.discard(name)

    def _as_input(self, value: Expr, name: str, written: Expr) -> Any:
        """A reference to the input with a ``value`` that is ``written`` in the DSL."""
        input_name_known = next((name for name, (leaf, _) in self.inputs.items() if leaf == value), None)
        if input_name_known is None:
            dsl = self.computing.rewrite(written, value.path)
            if self.computing.is_part(dsl):
                return self.data(dsl)
            input_name_known = fresh(name, {*self.inputs, *self.computing.RESERVED})
            self.inputs[input_name_known] = (value, dsl)
        return {"$Input": {"name": input_name_known}}

    def _leaf(self, expr: Expr) -> Any:
        """A reference to the input with the value of ``expr``."""
        keys: list[Any] = []
        if self.computing.ATTRIBUTES and is_deep(expr):
            return self._part_of_attribute(expr)
        if isinstance(expr, ex.Input) and isinstance(expr.name, str) and not expr.strict:
            keys = [self.data(key) for key in expr.keys]
            expr = ex.Input(expr.name, path=expr.path)
        self._check(expr)
        reference = self._as_input(expr, input_name(expr), expr)
        return {"$Input": {**reference["$Input"], "keys": keys}} if keys and isinstance(expr, ex.Input) else reference

    def _part_of_attribute(self, expr: ex.Attribute) -> Any:
        """A part of an attribute that computed steps lead to: the input has the attribute up to the first of these."""
        first = next(number for number, key in enumerate(expr.keys) if isinstance(key, Expr))
        whole = replace(expr, keys=expr.keys[:first])
        self._check(whole)
        reference = self._as_input(whole, input_name(whole), whole)
        if "$Input" not in reference:
            raise Unsupported("a part is taken of what is no attribute")
        keys = [self.data(key) for key in expr.keys[first:]]
        return {"$Attribute": {"node": reference["$Input"]["name"], "name": expr.name, "keys": keys}}

    def _check(self, leaf: Expr) -> None:
        """Raise :class:`Unsupported` for what has no value, or several, where the value is computed."""
        topology = self.topology
        if isinstance(leaf, (ex.Foreign, ex.Facade)) or topology.is_of_stand_in(leaf):
            raise Unsupported("it is not computed")
        node = topology.node(getattr(leaf, "node", None))
        if node is None:
            return
        if isinstance(leaf, _OF_ONE) and (node.group is not None or node.instances is not MISSING):
            raise Unsupported("there is a value for each instance")
        if node.condition is not MISSING and node.condition != self.condition:
            raise Unsupported("the node may not be there")


def is_deep(value: Expr) -> TypeGuard[ex.Attribute]:
    """True for a part of an attribute that computed steps lead to."""
    is_named = isinstance(value, ex.Attribute) and isinstance(value.name, str)
    return is_named and any(isinstance(key, Expr) for key in getattr(value, "keys", ()))


def _conditions(expr: Expr) -> tuple[Value, ...]:
    """What is decided by a choice or a condition of conditions."""
    operands = getattr(expr, "operands", None)
    return operands if isinstance(operands, tuple) else (getattr(expr, "condition", getattr(expr, "operand", None)),)


# -- the way back -------------------------------------------------------------------------------------------


def expression(inputs: Mapping[str, Value], path: Path, reserved: Collection[str], *, data: bool = False) -> Value:
    """The call that the ``inputs`` of an operation have, with their values in it; MISSING where that is none.
    ``reserved``: names of inputs that are no values; ``data``: it may be a map or a text without a call."""
    call = inputs.get(CALL)
    try:
        call_data = from_data(json.loads(call) if isinstance(call, str) else call, path)
    except (ValueError, TypeError, RecursionError):
        return MISSING
    taken = [_taken(expr) for expr in ex.walk(call_data) if isinstance(expr, (ex.Input, ex.Attribute))]
    names = [name for name in taken if isinstance(name, str) and name in inputs and name not in reserved]
    if not isinstance(call_data, (Expr, dict, str) if data else Expr) or len(names) < len(taken):
        return MISSING
    try:
        return ex.transform(call_data, lambda expr: _filled(expr, inputs))
    except (ValueError, evaluate.Refused):
        return MISSING


def _taken(expr: ex.Input | ex.Attribute) -> Value:
    """The name of the input that an expression of a call takes."""
    return expr.node if isinstance(expr, ex.Attribute) else expr.name


def _filled(expr: Expr, inputs: Mapping[str, Value]) -> Value:
    if not isinstance(expr, (ex.Input, ex.Attribute)):
        return expr
    value = inputs[str(_taken(expr))]
    if not expr.keys:
        return value
    if isinstance(value, ex.Input) and isinstance(expr, ex.Input):
        return ex.Input(value.name, (*value.keys, *expr.keys), path=value.path)  # as leniently as the script
    if isinstance(value, ex.Attribute) and isinstance(expr, ex.Attribute):
        return replace(value, keys=(*value.keys, *expr.keys))
    keys = [evaluate.fold(key, evaluate.Scope()) for key in expr.keys]
    if not ex.is_constant([value, *keys]):
        raise ValueError("a part is taken of what is no input")
    is_input = isinstance(expr, ex.Input)
    return plain.walk_leniently(value, keys, "" if is_input else None, is_input)  # as the script does


def input_name(leaf: Expr) -> str:
    """A name for the input that a value is given by."""
    if isinstance(leaf, ex.Input):
        words = [leaf.name]
    elif isinstance(leaf, ex.Identity):
        words = [leaf.node, "id"]
    else:
        steps = (getattr(leaf, name, None) for name in ("node", "name"))
        words = [*steps, *getattr(leaf, "keys", ())]
    words_joined = re.sub(r"(?a)\W+", "_", "_".join(str(word) for word in words if isinstance(word, (str, int))))
    return words_joined.strip("_") or "given"


def opened(
    computed_calls: Mapping[str, Value], conditions: dict[str, Value]
) -> tuple[Callable[[Value], Value], Collection[str]]:
    """What puts calls in place of the references to nodes that compute them, and the names of these nodes; a node with
    a call that is larger than :data:`_MOST` is not among them.

    Args:
        found: node -> what it computes, of which one may be among the values of another.
        conditions: gets what a node decides for others; written at each place, it would double with every node."""
    calls = dict(computed_calls)
    names_used = {
        str(expr.node)
        for call in computed_calls.values()
        for expr in ex.walk(call)
        if _is_reference(expr, computed_calls)
    }
    for name in computed_calls:  # in their order
        call = computed_calls[name]
        if name in names_used and isinstance(call, ex.If) and call.then is True and call.otherwise is False:
            condition = fresh(name, conditions)
            conditions[condition] = call.condition
            calls[name] = replace(call, condition=ex.Condition(condition, path=call.path))
    sizes: dict[str, int] = {}
    calls = {name: call for name, call in calls.items() if _size_of(name, calls, sizes) <= _MOST}
    whole: dict[str, Value] = {}
    return lambda value: ex.transform(value, partial(_opened, calls, whole)), calls


def _is_reference(expr: Expr, names: Collection[str]) -> TypeGuard[ex.Attribute]:
    return (
        isinstance(expr, ex.Attribute)
        and isinstance(expr.node, str)
        and expr.node in names
        and expr.name == PROPERTY
        and not expr.keys
    )


def _size_of(name: str, calls: Mapping[str, Value], sizes: dict[str, int]) -> int:
    """How many expressions a call has with those in place of its references; more than :data:`_MOST` in a circle."""
    if name not in sizes:
        sizes[name] = _MOST + 1
        inner = list(ex.walk(calls[name]))
        references = [str(expr.node) for expr in inner if _is_reference(expr, calls)]
        sizes[name] = len(inner) + sum(_size_of(reference, calls, sizes) for reference in references)
    return sizes[name]


def _opened(calls: Mapping[str, Value], whole: dict[str, Value], expr: Expr) -> Value:
    if not _is_reference(expr, calls):
        return _decided(expr)
    name = str(expr.node)
    if name not in whole:
        whole[name] = ex.transform(calls[name], partial(_opened, calls, whole))
    call = whole[name]
    return replace(call, path=expr.path) if isinstance(call, Expr) else call


def _decided(expr: Expr) -> Expr:
    """A choice or condition whose conditions are no choices between true and false."""
    if isinstance(expr, (ex.And, ex.Or)):
        return replace(expr, operands=tuple(map(_held, expr.operands)))
    if isinstance(expr, ex.If):
        return replace(expr, condition=_held(expr.condition))
    return replace(expr, operand=_held(expr.operand)) if isinstance(expr, ex.Not) else expr


def _held(condition: Value) -> Value:
    is_choice = isinstance(condition, ex.If) and condition.then is True and condition.otherwise is False
    return condition.condition if is_choice and isinstance(condition, ex.If) else condition
