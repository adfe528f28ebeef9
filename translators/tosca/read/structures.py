"""Values of data types, with the defaults of the fields that they leave out (Simple Profile 1.3, 3.7.6; puccini)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from bpconvert.models.expressions import Path, Value
from bpconvert.translators.support.places import entries
from bpconvert.translators.tosca.read.reading import Reading
from bpconvert.translators.tosca.read.types import DATA, Types

_COLLECTIONS: Final = ("list", "map")


class Structures:
    """Completes values. Only what refers to a value asks for that: what is written of a node stays as it is."""

    def __init__(self, types: Types, reading: Reading) -> None:
        self.types = types
        self.reading = reading

    def of_property(self, kind: str, type: str, name: str, value: Value) -> Value:
        """The ``value`` of a property of a node, a capability or a relationship of that type."""
        if not isinstance(value, (dict, list)):
            return value
        return self.completed(value, self.types.properties(kind, type).get(name, (None, ()))[0])

    def of_operation(
        self, rows: Iterable[tuple[dict[str, Any], Path]], name: str, inputs: dict[str, Value]
    ) -> dict[str, Value]:
        """What an operation takes; ``rows``: the definitions of its interface, of the outermost parent first."""
        if not any(isinstance(value, (dict, list)) for value in inputs.values()):
            return inputs
        declared: dict[str, Any] = {}
        for row, _ in rows:
            operation = entries(entries(row, "operations") or row, name)
            for key, more in (*entries(row, "inputs").items(), *entries(operation, "inputs").items()):
                above = declared.get(key)
                declared[key] = {**above, **more} if isinstance(above, dict) and isinstance(more, dict) else more
        return {key: self.completed(value, declared.get(key)) for key, value in inputs.items()}

    def completed(self, value: Value, row: Any, defaults: tuple[str, ...] = ()) -> Value:
        """``value`` of what the definition ``row`` defines. ``defaults``: the types of the defaults that it is in; a
        type with a default that has the same type would have no end."""
        if not isinstance(value, (dict, list)):
            return value
        kind = row.get("type") if isinstance(row, dict) else row
        if not isinstance(kind, str):
            return value
        if kind in _COLLECTIONS:
            entry = row.get("entry_schema") if isinstance(row, dict) else None
            if isinstance(value, list):
                return [self.completed(item, entry, defaults) for item in value]
            return {key: self.completed(item, entry, defaults) for key, item in value.items()}
        fields = self.types.properties(DATA, self.types.normal(DATA, kind))
        if not isinstance(value, dict) or not fields:
            return value
        items = {key: self.completed(item, fields.get(key, (None, ()))[0], defaults) for key, item in value.items()}
        for key, (field, path) in fields.items():
            word = "value" if self.reading.prefix and "value" in field else "default"  # 2.0 can fix a value
            if key not in items and field.get(word) is not None and kind not in defaults:
                items[key] = self.completed(self.reading.value(field[word], (*path, word)), field, (*defaults, kind))
        return items
