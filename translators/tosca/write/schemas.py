"""The types of values, with the schemas of their entries that TOSCA wants for every list and map (Simple Profile 1.3,
3.6.10): lists and maps of one type of entries, and data types for maps whose entries differ.

An entry that is a list or a map has no schema of its own in opera, so that a map in a list is of a data type. What no
type fits (a list of different types, null) has no schema: puccini refuses it, the others do not look."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from bpconvert.models.expressions import Value
from bpconvert.translators.support.places import texts
from bpconvert.translators.tosca.functions import called
from bpconvert.translators.tosca.profile import attribute_definition
from bpconvert.translators.tosca.vocabulary import DATA_ROOT
from bpconvert.yamlio.emit import Flow

_LITERALS: Final[tuple[tuple[type, str], ...]] = (
    (bool, "boolean"), (int, "integer"), (float, "float"), (str, "string"), (list, "list"), (dict, "map"),
)  # fmt: skip
_COLLECTIONS: Final = ("list", "map")
#: what entries are of that are not known
_TEXT: Final = "string"


class MisfitError(Exception):
    """No type fits the values."""


class Shape(NamedTuple):
    """``kind``: the type of values, "" where only calls tell; ``entry``: of a list or a map of one type; ``fields``: of
    a map with entries of different types, or one that cannot be without names."""

    kind: str
    entry: Shape | None = None
    fields: Mapping[str, Shape] | None = None


def literal(value: Value) -> str:
    """The type of a literal; "" for a call, and for null."""
    if isinstance(value, dict) and len(value) == 1 and called(value) is not None:
        return ""
    return next((name for kind, name in _LITERALS if isinstance(value, kind)), "")


def shape_of(values: Iterable[Value], named: bool = False) -> Shape:
    """What all ``values`` are of; ``named``: a map has names for its entries. Raises MisfitError."""
    given = list(values)
    if None in given:
        raise MisfitError
    found = {literal(value) for value in given} - {""}
    if len(found) > 1:
        raise MisfitError
    kind = found.pop() if found else ""
    if kind not in _COLLECTIONS:
        return Shape(kind)
    literals = [value for value in given if literal(value)]
    if kind == "list":
        return Shape(kind, shape_of([item for value in literals for item in value], named=True))
    fields: dict[str, list[Value]] = {}
    for value in literals:
        for name, item in value.items():
            if not isinstance(name, str):
                raise MisfitError
            fields.setdefault(name, []).append(item)
    shapes = {name: shape_of(items) for name, items in fields.items()}
    kinds = {shape.kind for shape in shapes.values()} - {""}
    if len(kinds) < 2 and not kinds & {*_COLLECTIONS} and not (named and shapes):
        return Shape(kind, Shape(kinds.pop() if kinds else ""))
    return Shape(kind, None, shapes)


def _reached(paths: list[tuple[Any, ...]]) -> Shape:
    """What these paths lead into. Raises MisfitError where a step is an index and a name, or computed."""
    heads = {path[0] if isinstance(path[0], (str, int)) else None for path in paths if path}
    if not heads:
        return Shape("")
    if all(type(head) is int for head in heads):
        return Shape("list", _reached([path[1:] for path in paths if path]))
    if not all(isinstance(head, str) for head in heads):
        raise MisfitError
    rest = {head: [path[1:] for path in paths if path and path[0] == head] for head in heads}
    return Shape("map", None, {str(head): _reached(rest[head]) for head in sorted(rest, key=str)})


def used(types: Mapping[str, dict[str, Any]], sections: Any) -> dict[str, Any]:
    """The data types that ``sections`` name, and those that these need."""
    found: dict[str, Any] = {}
    waiting = [text for part in (sections,) for text in texts(part) if text in types]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = types[name]
            waiting += [text for text in texts(types[name]) if text in types]
    return {name: found[name] for name in types if name in found}


class Schemas:
    """Writes the types of values. ``types``: the data types that they need, by their names."""

    def __init__(self) -> None:
        self.types: dict[str, dict[str, Any]] = {}

    def row(self, values: Iterable[Value], kind: str, name: str) -> dict[str, Any]:
        """``type`` and ``entry_schema`` of the definition of what has these values; ``kind``: the type that it should
        have, "" for any; ``name``: what a data type for it is called."""
        given = list(values)
        found = {literal(value) for value in given} - {""}
        wanted = found.pop() if len(found) == 1 else _TEXT if found else kind or _TEXT
        if wanted not in _COLLECTIONS:
            return {"type": wanted}
        before = dict(self.types)
        try:
            shape = shape_of(given)
            return self._row(shape if shape.kind else Shape(wanted, Shape("")), name)
        except MisfitError:
            self.types = before
            return {"type": wanted}

    def attribute(
        self, paths: Iterable[tuple[Any, ...]], property: Mapping[str, Any] | None, name: str
    ) -> dict[str, Any]:
        """The definition of an attribute into which these ``paths`` lead; ``property``: that of the property of that
        name, whose value it has until it is set."""
        steps = [path for path in paths if path]
        if not steps:
            return attribute_definition(False, property)
        before = dict(self.types)
        try:
            return Flow(self._row(_reached(steps), name))
        except MisfitError:
            self.types = before
            return attribute_definition(True)

    def _row(self, shape: Shape, name: str) -> dict[str, Any]:
        if shape.fields is not None:
            return {"type": self._record(shape.fields, name)}
        if shape.entry is not None:
            return {"type": shape.kind, "entry_schema": Flow(type=self._entry(shape.entry, name))}
        return {"type": shape.kind or _TEXT}

    def _entry(self, shape: Shape, name: str) -> str:
        if shape.fields is not None:
            return self._record(shape.fields, name)
        if shape.kind == "map" and not (shape.entry and shape.entry.kind):
            return self._record({}, name)
        if shape.kind in _COLLECTIONS:
            raise MisfitError
        return shape.kind or _TEXT

    def _record(self, fields: Mapping[str, Shape], name: str) -> str:
        name, number = re.sub(r"[^\w.-]", "_", name), 1
        while (made := name if number == 1 else f"{name}.{number}") in self.types:
            number += 1
        definition: dict[str, Any] = {"derived_from": DATA_ROOT}
        self.types[made] = definition
        rows = {key: Flow({**self._row(shape, f"{made}.{key}"), "required": False}) for key, shape in fields.items()}
        if rows:
            definition["properties"] = rows
        return made
