"""The neutral function tree: what a call means, not how a dialect spells it.

A *value* is a scalar, a list, a map, or an :class:`Expr`. An expression's fields are values again, so any
function can take the result of any other. Every class says which engine's semantics it has; the rules that
turn one into another live in ``translators/``.

``path`` is the place in the source document where the expression was read (the keys a user would type to get
there); it plays no part in equality."""

from __future__ import annotations

from collections.abc import Iterator

from bpconvert.models.expression_trees import (
    MISSING,
    SCALARS,
    Expr,
    Path,
    Value,
    field_names,
    is_constant,
    map_fields,
    map_parts,
    transform,
    walk,
)
from bpconvert.models.light import dataclass

__all__ = [
    "MISSING", "SCALARS", "And", "Attribute", "AttributeDict", "AttributeList", "Base64", "Capability", "Concat",
    "Condition", "Consumers", "Contains", "Digest", "Equals", "Expr", "Facade", "File", "Filter", "Find", "Foreign",
    "Identity", "If", "Input", "Join", "Label", "ListConcat", "Lower", "MapReplace", "Merge", "Not", "Or", "Path",
    "Property", "Query", "Repeat", "Replace", "Secret", "Select", "Split", "StringReplace", "System", "Upper", "Url",
    "Value", "field_names", "is_constant", "map_fields", "map_parts", "named_nodes", "transform", "walk",
]  # fmt: skip


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


def named_nodes(value: Value) -> Iterator[str]:
    """The nodes whose identities and attributes ``value`` has in it, as often as it has them."""
    for expr in walk(value):
        if isinstance(expr, (Identity, Attribute)) and isinstance(expr.node, str):
            yield expr.node
