"""What an engine makes of the properties of a resource: types converted, defaults filled in (as Heat does, see
heat/engine/properties.py)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from bpconvert.models.expressions import Expr, Value
from bpconvert.translators.catalogue.model import Kind


def effective(kind: Kind, properties: Mapping[str, Value]) -> dict[str, Value]:
    """The properties of a resource of ``kind`` (neutral names) as its engine hands them on; null and empty ones left
    out."""
    schema = kind.schema()
    if schema is None:
        return {name: value for name, value in properties.items() if value is not None}
    return _map(schema["properties"], properties, kind.aliases)


def _map(schemas: Mapping[str, Any], values: Mapping[Any, Value], aliases: Mapping[str, str]) -> dict[str, Value]:
    by_name = {aliases.get(key, key): value for key, value in values.items() if value is not None}
    completed: dict[str, Value] = {}
    _, places, filled = _order(schemas)
    for name in sorted(filled | (places.keys() & by_name.keys()), key=places.__getitem__):
        if aliases.get(name, name) == name:
            value = _value(schemas[name], by_name.pop(name, None))
            if value is not None and value not in ([], {}):
                completed[name] = value
    return {**completed, **by_name}


_MOST: Final = 5000
#: id of the schemas of a map -> them, the place of each in their order, and those with a default
_ORDERS: Final[dict[int, tuple[Mapping[str, Any], dict[str, int], set[str]]]] = {}


def _order(schemas: Mapping[str, Any]) -> tuple[Mapping[str, Any], dict[str, int], set[str]]:
    """A row of :data:`_ORDERS`."""
    if id(schemas) not in _ORDERS:
        if len(_ORDERS) > _MOST:  # schemas are read once, but may be read again in the place of others
            _ORDERS.clear()
        filled = {name for name, schema in schemas.items() if schema.get("default") is not None}
        _ORDERS[id(schemas)] = (schemas, {name: place for place, name in enumerate(schemas)}, filled)
    return _ORDERS[id(schemas)]


def _value(schema: Mapping[str, Any], value: Value) -> Value:
    """One value; what is no literal stays."""
    if value is None:
        value = schema.get("default")
    kind = schema["type"]
    if value is None or isinstance(value, Expr):
        return value
    if kind == "list" and isinstance(value, (list, str)):
        items = value if isinstance(value, list) else value.split(",")
        return [_value(schema["items"], item) if "items" in schema else item for item in items]
    if kind == "map" and isinstance(value, dict):
        return _map(schema["keys"], value, {}) if "keys" in schema else value
    if kind == "string" and isinstance(value, (bool, int, float)):
        return str(value)
    if kind == "string" and isinstance(value, (dict, list)) and schema.get("allow_conversion"):
        return json.dumps(value, default=repr)
    if kind in ("integer", "number") and isinstance(value, str):
        return _number(value)
    if kind == "boolean" and isinstance(value, str):
        return {"true": True, "false": False}.get(value.lower(), value)
    return value


def _number(text: str) -> Value:
    for convert in (int, float):
        try:
            return convert(text)
        except ValueError:
            continue
    return text
