"""The neutral function tree: what a call means, not how a dialect spells it.

A *value* is a scalar, a list, a map, or an :class:`Expr`. An expression's fields are values again, so any
function can take the result of any other. Every class says which engine's semantics it has; the rules that
turn one into another live in ``translators/``.

``path`` is the place in the source document where the expression was read (the keys a user would type to get
there); it plays no part in equality."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from operator import is_
from typing import Any, ClassVar, Final, TypeAlias

from bpconvert.models.light import dataclass, field, replace, rows

Path: TypeAlias = tuple[Any, ...]
#: A scalar, list, map or :class:`Expr`, nested at will.
Value: TypeAlias = Any


class _Missing:
    """The value of an argument that was not written (``None`` is a value in every dialect)."""

    def __repr__(self) -> str:
        return "MISSING"


MISSING: Final = _Missing()
#: classes of values that nothing is in
SCALARS: Final = frozenset({str, int, float, bool, type(None), _Missing})


#: texts of expressions that are remembered, as they are the keys of many tables: longer ones would take much memory
_SHORT: Final = 200


@dataclass(eq=False, repr=False)
class Expr:
    """Base of all expressions. They are values: never changed, and equal when their class and fields are. (That is
    written once here: generating it for forty classes would cost a tenth of the start-up time.)

    YIELDS: what a value of the class is: ``text``, ``number``, ``boolean``, ``list`` or ``map``; ``any`` where that
    depends on its arguments.
    NEEDS: what has to be known besides the arguments: ``inputs``, the ``template`` and what is beside it, the running
    ``deployment``, or the ``language`` that it is of; "" for a function of its arguments alone."""

    YIELDS: ClassVar[str] = "any"
    NEEDS: ClassVar[str] = ""

    path: Path = field(default=(), kw_only=True)

    def __init_subclass__(cls, yields: str = "any", needs: str = "") -> None:
        cls.YIELDS, cls.NEEDS = yields, needs

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in field_names(type(self)))

    def __hash__(self) -> int:
        return hash((type(self), repr(self)))

    def __repr__(self) -> str:
        text: str | None = self.__dict__.get("_text")
        if text is None:
            inner = ", ".join(f"{name}={getattr(self, name)!r}" for name in field_names(type(self)))
            text = f"{type(self).__name__}({inner})"
            if len(text) <= _SHORT:
                self.__dict__["_text"] = text
        return text


# -- references ---------------------------------------------------------------------------------------------


@dataclass(eq=False, repr=False)
class Input(Expr, needs="inputs"):
    """A template parameter, or a part of it: ``get_param`` (a failed step gives ``''``), ``get_input`` (``strict``)."""

    name: Value
    keys: tuple[Value, ...] = ()
    strict: bool = False


@dataclass(eq=False, repr=False)
class System(Expr, yields="text", needs="deployment"):
    """A fact about the deployment: ``deployment.`` with ``name``, ``id``, ``blueprint`` or ``owner``, ``tenant.name``,
    ``project.id``, ``region`` (HOT pseudo parameters, DSL ``get_sys``)."""

    name: str


@dataclass(eq=False, repr=False)
class Identity(Expr, yields="text", needs="deployment"):
    """What identifies the created resource: HOT ``get_resource``."""

    node: Value


@dataclass(eq=False, repr=False)
class Attribute(Expr, needs="deployment"):
    """A runtime attribute of a node: ``get_attr``, ``get_attribute``. ``name`` MISSING: all attributes as a map."""

    node: Value
    name: Value = MISSING
    keys: tuple[Value, ...] = ()


@dataclass(eq=False, repr=False)
class AttributeList(Expr, yields="list", needs="deployment"):
    """The attribute of every instance of a node, as a list: DSL ``get_attributes_list``."""

    node: Value
    name: Value
    keys: tuple[Value, ...] = ()


@dataclass(eq=False, repr=False)
class AttributeDict(Expr, yields="map", needs="deployment"):
    """Attributes of every instance by instance id: DSL ``get_attributes_dict``."""

    node: Value
    names: tuple[Value, ...] = ()


@dataclass(eq=False, repr=False)
class Property(Expr, needs="template"):
    """A property written in the template: DSL ``get_property``."""

    node: Value
    name: Value
    keys: tuple[Value, ...] = ()


@dataclass(eq=False, repr=False)
class Secret(Expr, needs="deployment"):
    """A value of the engine's secret store: DSL ``get_secret``."""

    name: Value
    keys: tuple[Value, ...] = ()


@dataclass(eq=False, repr=False)
class Capability(Expr, needs="deployment"):
    """A capability of a deployment, of a group (``scope='group'``) or of the parent (``'environment'``, none named)."""

    name: Value
    deployment: Value = MISSING
    keys: tuple[Value, ...] = ()
    scope: str = "deployment"


@dataclass(eq=False, repr=False)
class Label(Expr, needs="deployment"):
    """A deployment label's values, or one of them: DSL ``get_label``."""

    name: Value
    index: Value = MISSING


@dataclass(eq=False, repr=False)
class Consumers(Expr, needs="deployment"):
    """Deployments that use this one: DSL ``get_consumers`` (``ids``, ``names``, ``count``)."""

    what: str


@dataclass(eq=False, repr=False)
class File(Expr, yields="text", needs="template"):
    """The text of a file beside the template: HOT ``get_file``."""

    name: Value


@dataclass(eq=False, repr=False)
class Facade(Expr, needs="template"):
    """A section of the parent resource: HOT ``resource_facade``."""

    section: Value


# -- text ---------------------------------------------------------------------------------------------------


@dataclass(eq=False, repr=False)
class Join(Expr, yields="text"):
    """HOT ``list_join``: items are text, null is empty, maps and lists are JSON (``json_items``), numbers refused."""

    delimiter: Value
    lists: tuple[Value, ...]
    json_items: bool = True


@dataclass(eq=False, repr=False)
class Concat(Expr, yields="text"):
    """DSL ``concat``: every item through Python's ``str()``, no delimiter."""

    items: tuple[Value, ...]


@dataclass(eq=False, repr=False)
class Replace(Expr, yields="text"):
    """HOT ``str_replace``: all keys of ``params`` in one pass, longest first, results never rescanned.
    ``strictness`` 0; 1: every key must occur; 2: and no value may be empty."""

    template: Value
    params: Value
    strictness: int = 0
    json_values: bool = True


@dataclass(eq=False, repr=False)
class StringReplace(Expr, yields="text"):
    """DSL ``string_replace``: Python's ``str.replace``."""

    text: Value
    old: Value
    new: Value
    count: Value = MISSING


@dataclass(eq=False, repr=False)
class Split(Expr):
    """Split a text, or take one piece: HOT ``str_split`` (null gives null), DSL ``string_split`` (``strict``: text)."""

    delimiter: Value
    text: Value
    index: Value = MISSING
    strict: bool = False


@dataclass(eq=False, repr=False)
class Find(Expr, yields="number"):
    """DSL ``string_find``: index of the first occurrence, or -1."""

    text: Value
    part: Value


@dataclass(eq=False, repr=False)
class Lower(Expr, yields="text"):
    """DSL ``string_lower``."""

    text: Value


@dataclass(eq=False, repr=False)
class Upper(Expr, yields="text"):
    """DSL ``string_upper``."""

    text: Value


@dataclass(eq=False, repr=False)
class Digest(Expr, yields="text"):
    """HOT ``digest``: hex digest of the latin-1 bytes of a text."""

    algorithm: Value
    text: Value


@dataclass(eq=False, repr=False)
class Base64(Expr, yields="text"):
    """A text in UTF-8 as base64. No language has a call for it: nodes that compute a value do."""

    text: Value


@dataclass(eq=False, repr=False)
class Url(Expr, yields="text"):
    """HOT ``make_url``: a URL from its parts (scheme, username, password, host, port, path, query, fragment)."""

    parts: Value


# -- lists and maps -----------------------------------------------------------------------------------------


@dataclass(eq=False, repr=False)
class Merge(Expr, yields="map"):
    """Shallow merge, later wins: HOT ``map_merge`` (null items are empty), DSL ``merge`` (``strict``: no nulls)."""

    maps: Value
    strict: bool = False


@dataclass(eq=False, repr=False)
class MapReplace(Expr, yields="map"):
    """HOT ``map_replace``: rename keys, exchange values."""

    map: Value
    keys: Value = MISSING
    values: Value = MISSING


@dataclass(eq=False, repr=False)
class ListConcat(Expr, yields="list"):
    """HOT ``list_concat`` and, with ``unique``, ``list_concat_unique``."""

    lists: Value
    unique: bool = False


@dataclass(eq=False, repr=False)
class Filter(Expr, yields="list"):
    """HOT ``filter``: the list without the given values."""

    values: Value
    items: Value


@dataclass(eq=False, repr=False)
class Repeat(Expr, yields="list"):
    """HOT ``repeat``: one copy of the template per combination of the loop variables."""

    template: Value
    for_each: Value
    permutations: Value = True


@dataclass(eq=False, repr=False)
class Select(Expr):
    """HOT 2013-05-23 ``Fn::Select``: one item of a list, map or JSON text; ``''`` when absent."""

    index: Value
    source: Value


@dataclass(eq=False, repr=False)
class Query(Expr):
    """HOT ``yaql``."""

    expression: Value
    data: Value


# -- conditions ---------------------------------------------------------------------------------------------


@dataclass(eq=False, repr=False)
class If(Expr):
    """HOT ``if``. ``otherwise`` MISSING (HOT >= wallaby): a false condition removes the enclosing item."""

    condition: Value
    then: Value
    otherwise: Value = MISSING


@dataclass(eq=False, repr=False)
class Condition(Expr, yields="boolean", needs="template"):
    """A named condition."""

    name: Value


@dataclass(eq=False, repr=False)
class Equals(Expr, yields="boolean"):
    """HOT ``equals``: Python ``==`` without coercion."""

    left: Value
    right: Value


@dataclass(eq=False, repr=False)
class Not(Expr, yields="boolean"):
    """Negation of a condition."""

    operand: Value


@dataclass(eq=False, repr=False)
class And(Expr, yields="boolean"):
    """All conditions hold (decided from the left, stops at the first false)."""

    operands: tuple[Value, ...]


@dataclass(eq=False, repr=False)
class Or(Expr, yields="boolean"):
    """One condition holds (decided from the left, stops at the first true)."""

    operands: tuple[Value, ...]


@dataclass(eq=False, repr=False)
class Contains(Expr, yields="boolean"):
    """HOT ``contains``: membership in a list, or substring of a text."""

    value: Value
    sequence: Value


@dataclass(eq=False, repr=False)
class Foreign(Expr, needs="language"):
    """A call that only one dialect has: its name and its argument as written (inner calls read)."""

    dialect: str
    name: str
    argument: Value


# -- walking ------------------------------------------------------------------------------------------------

_FIELDS: dict[type[Expr], tuple[str, ...]] = {}


def field_names(kind: type[Expr]) -> tuple[str, ...]:
    """The names of an expression class's own fields (without ``path``)."""
    if kind not in _FIELDS:
        _FIELDS[kind] = tuple(row.name for row in rows(kind) if row.name != "path")
    return _FIELDS[kind]


def is_constant(value: Value) -> bool:
    """True when no expression occurs anywhere in ``value``."""
    if type(value) in SCALARS:
        return True
    if isinstance(value, Expr):
        return False
    if isinstance(value, dict):
        return all(map(is_constant, value.values()))
    if isinstance(value, (list, tuple)):
        return all(map(is_constant, value))
    return True


def walk(value: Value) -> Iterator[Expr]:
    """Every expression in ``value``, outer ones first."""
    waiting = [value] if value and type(value) not in SCALARS else []
    while waiting:
        part = waiting.pop()
        inner: Iterable[Value] = ()
        if isinstance(part, Expr):
            yield part
            inner = [getattr(part, name) for name in field_names(type(part))]
        elif isinstance(part, dict):
            inner = part.values()
        elif isinstance(part, (list, tuple)):
            inner = part
        if inner:
            waiting += [item for item in inner if item and type(item) not in SCALARS][::-1]


def named_nodes(value: Value) -> Iterator[str]:
    """The nodes whose identities and attributes ``value`` has in it, as often as it has them."""
    for expr in walk(value):
        if isinstance(expr, (Identity, Attribute)) and isinstance(expr.node, str):
            yield expr.node


def map_fields(expr: Expr, function: Callable[[Value], Value]) -> Expr:
    """The same expression with ``function`` applied to each field; ``expr`` itself when nothing changed."""
    changes: dict[str, Any] = {}
    for name in field_names(type(expr)):
        old = getattr(expr, name)
        new = _map_items(old, function) if isinstance(old, tuple) else function(old)
        if new is not old:
            changes[name] = new
    return replace(expr, **changes) if changes else expr


def map_parts(value: Value, function: Callable[[Value], Value]) -> Value:
    """``value`` with ``function`` applied to each part of an expression, map or list; itself when nothing changed."""
    if type(value) in SCALARS:
        return value
    if isinstance(value, Expr):
        return map_fields(value, function)
    if isinstance(value, dict):
        pairs = {key: function(item) for key, item in value.items()}
        return value if all(map(is_, pairs.values(), value.values())) else pairs
    return _map_items(value, function) if isinstance(value, (list, tuple)) else value


def _map_items(
    value: list[Value] | tuple[Value, ...], function: Callable[[Value], Value]
) -> list[Value] | tuple[Value, ...]:
    items = [function(item) for item in value]
    return value if all(map(is_, items, value)) else tuple(items) if isinstance(value, tuple) else items


def transform(value: Value, function: Callable[[Expr], Value]) -> Value:
    """``value`` with ``function`` applied to every expression in it, inner ones first; unchanged parts are shared."""
    if type(value) in SCALARS:
        return value
    if isinstance(value, Expr):
        made = _changes([(name, getattr(value, name)) for name in field_names(type(value))], function)
        return function(replace(value, **made) if made else value)
    if isinstance(value, dict):
        made = _changes(value.items(), function)
        return {**value, **made} if made else value
    made = _changes(enumerate(value), function) if isinstance(value, (list, tuple)) else {}
    items = [made.get(index, item) for index, item in enumerate(value)] if made else value
    return tuple(items) if made and isinstance(value, tuple) else items


def _changes(parts: Iterable[tuple[Any, Value]], function: Callable[[Expr], Value]) -> dict[Any, Value]:
    return {at: new for at, old in parts if type(old) not in SCALARS and (new := transform(old, function)) is not old}
