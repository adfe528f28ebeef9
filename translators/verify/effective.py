"""What an engine makes of the properties of a resource: types converted, defaults filled in (as Heat does, see
heat/engine/properties.py)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from bpconvert.models.expressions import Expr, Value
from bpconvert.translators.catalogue.model import Kind


def effective(kind: Kind, properties: Mapping[str, Value]) -> dict[str, Value]:
    """The properties of a resource of ``kind`` (neutral names) as its engine hands them on; null and empty ones left
    out."""
    known = kind.schema()
    if known is None:
        return {name: value for name, value in properties.items() if value is not None}
    return _map(known["properties"], properties, kind.aliases)


def _map(schemas: Mapping[str, Any], values: Mapping[Any, Value], aliases: Mapping[str, str]) -> dict[str, Value]:
    named = {aliases.get(key, key): value for key, value in values.items() if value is not None}
    found: dict[str, Value] = {}
    for name, schema in schemas.items():
        if aliases.get(name, name) == name:
            value = _value(schema, named.pop(name, None))
            if value is not None and value not in ([], {}):
                found[name] = value
    return {**found, **named}


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
