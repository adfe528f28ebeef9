"""What a value is known to be before anything runs: text, a number, a list, ..."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, TypeGuard

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Value
from bpconvert.models.topology import Topology
from bpconvert.translators.catalogue.model import Kind
from bpconvert.translators.catalogue.types import Catalogue, builtin

#: attributes of a node's instances: their numbers, from 1 (dsl_parser/functions.py) and from 0 (Heat's ``%index%``)
INSTANCE_NUMBER: Final = "node_instance_index"
MEMBER_INDEX: Final = "$index"
#: kinds of values that languages write into texts in different ways
STRUCTURES: Final = ("list", "map", "json")
_LITERALS: Final[tuple[tuple[tuple[type, ...], str], ...]] = (
    ((bool,), "boolean"), ((int, float), "number"), ((str,), "text"), ((list, tuple), "list"), ((dict,), "map"),
)  # fmt: skip
#: attributes that are lists or maps when taken whole
_STRUCTURED: Final = frozenset({
    "networks", "addresses", "fixed_ips", "allowed_address_pairs", "allocation_pools", "host_routes", "dns_nameservers",
    "subnets", "metadata", "metadata_values", "security_groups", "tags", "show", "attributes", "refs", "outputs",
})  # fmt: skip
_INPUTS: Final = {
    "string": "text", "number": "number", "boolean": "boolean", "list": "list", "json": "json", None: "any",
}  # fmt: skip
#: what a value is -> the neutral type of an input that takes it
INPUT_TYPES: Final = {
    "text": "string", "number": "number", "boolean": "boolean", "list": "json", "map": "json", "json": "json",
}  # fmt: skip
#: the kind whose node holds a value, its property and attribute
VALUE: Final = "value"
#: the attribute of one that is computed when it is created
RESULT: Final = "result"
#: type of a value that only such a value fits (texts fit the others, too)
_HELD: Final = {"json": "map", "comma_delimited_list": "list"}


class Kinds:
    """The kinds of the values of one topology."""

    def __init__(self, topology: Topology, catalogue: Catalogue) -> None:
        self._topology = topology
        self._catalogue = catalogue
        #: what is being looked into: a value may refer to itself, which Heat refuses
        self._inside: set[str] = set()

    def kind_of(self, value: Value) -> str:
        """What ``value`` is: text, number, boolean, list, map, json (any structure), null, or any."""
        if not isinstance(value, ex.Expr):
            return literal_kind(value)
        if isinstance(value, ex.If):
            return (
                "any"
                if value.otherwise is MISSING
                else self.common({self.kind_of(value.then), self.kind_of(value.otherwise)})
            )
        if isinstance(value, ex.Input):
            return self.of_input(value.name, value.keys) if isinstance(value.name, str) else "any"
        if isinstance(value, ex.Query):
            from bpconvert.translators.evaluate.query_kinds import kind_of_query  # few documents have queries

            return kind_of_query(value, self.kind_of)
        return self.of_attribute(value) if isinstance(value, ex.Attribute) else value.YIELDS

    def common(self, kinds: set[str]) -> str:
        """What a value is that is one of several."""
        return kinds.pop() if len(kinds) == 1 else "any"

    def of_input(self, name: str, keys: tuple[Value, ...]) -> str:
        """What the part of an input at ``keys`` is, as far as its declaration tells."""
        declared = self._topology.inputs.get(name)
        if declared is None:
            return "any"
        kind = _INPUTS.get(declared.type, "any")
        if not keys:
            return kind
        if kind == "list":
            return "text"
        leaf = step_into(declared.default, keys)
        if leaf is MISSING or leaf is None:
            return "any"
        return "json" if isinstance(leaf, (dict, list)) else "text" if isinstance(leaf, str) else "any"

    def of_attribute(self, expr: ex.Attribute) -> str:
        """What an attribute, or a part of it, is, as far as its name tells."""
        held = self._held(expr)
        if held is not None:
            return held
        if expr.name is MISSING or (isinstance(expr.name, str) and expr.name in _STRUCTURED and not expr.keys):
            return "json"
        node = self._topology.node(expr.node)
        if node is not None and is_number_of_member(self._topology, expr):
            return "number"
        if node is not None and node.nested is not None:
            return "any"
        kind = self._catalogue.kind(node.kind) if node else None
        if kind is not None and not expr.keys and isinstance(expr.name, str) and _is_structured(kind, expr.name):
            return "json"
        return "text" if kind is not None and builtin().kind(kind.kind) is not None else "any"

    def _held(self, expr: ex.Attribute) -> str | None:
        """What a part of a value with a name is; None where the reference is to something else."""
        node = self._topology.node(expr.node)
        if node is None or node.kind != VALUE or expr.name not in (VALUE, RESULT):
            return None
        if not isinstance(node.properties, dict):  # a call yields them
            return None
        held, steps_left = entered(node.properties.get(VALUE), expr.keys)
        kind = "any" if steps_left else "null" if held is MISSING else self._inside_of(repr(expr), held)
        return _HELD.get(str(node.properties.get("type")), kind) if kind == "any" and not expr.keys else kind

    def _inside_of(self, place: str, value: Value) -> str:
        """What ``value`` is, which a reference leads to; any in a circle."""
        if place in self._inside:
            return "any"
        self._inside.add(place)
        try:
            return self.kind_of(value)
        finally:
            self._inside.discard(place)


def _is_structured(kind: Kind, attribute: str) -> bool:
    """True where the platform says that an attribute is a list or a map."""
    rows = (kind.schema() or {}).get("attributes", {})
    return rows.get(attribute, {}).get("type") in STRUCTURES


def literal_kind(value: Any) -> str:
    """What a value that is no expression is."""
    if value is None or value is MISSING:
        return "null"
    return next((kind for types, kind in _LITERALS if isinstance(value, types)), "any")


def is_number(value: Value) -> TypeGuard[ex.Attribute]:
    """True for the number of an instance."""
    return isinstance(value, ex.Attribute) and value.name in (INSTANCE_NUMBER, MEMBER_INDEX)


def has_number(value: Value) -> bool:
    """True for a value with the number of an instance in it."""
    return any(map(is_number, ex.walk(value)))


def is_number_of_member(topology: Topology, expr: ex.Attribute) -> bool:
    """True for the number of an instance, which is no attribute of a resource."""
    node = topology.node(expr.node)
    return is_number(expr) and node is not None and node.group is not None


def step_into(value: Value, keys: Iterable[Value]) -> Value:
    """``value[k1][k2]...``, MISSING where a step fails."""
    for key in keys:
        try:
            value = value[key] if isinstance(value, (dict, list)) and not isinstance(key, ex.Expr) else MISSING
        except (KeyError, IndexError, TypeError):
            return MISSING
    return value


def entered(value: Value, keys: tuple[Value, ...]) -> tuple[Value, tuple[Value, ...]]:
    """The part of ``value`` that ``keys`` lead to through literals, and the keys that are left; MISSING where there is
    none (``select_from_attribute`` of heat/engine/attributes.py)."""
    for position, key in enumerate(keys):
        if isinstance(value, ex.Expr) or isinstance(key, ex.Expr):
            return value, keys[position:]
        try:
            value = value[key] if isinstance(value, (dict, list, str)) else MISSING
        except (KeyError, IndexError, TypeError):
            value = MISSING
        if value is MISSING:
            break
    return value, ()
