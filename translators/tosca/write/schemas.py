"""The types of values, with the schemas of their entries that TOSCA wants for every list and map (Simple Profile 1.3,
3.6.10): lists and maps of one type of entries, and data types for maps whose entries differ.

An entry that is a list or a map has no schema of its own in opera, so that a map in a list is of a data type. A list
whose entries no type fits is a map by position, and null is a map, each of a data type that says so
(:mod:`~.tosca.coded`). What no type fits even so (a text in one place, a map in another; names of other types) has no
schema: puccini refuses it, the others do not look."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Mapping
from copy import deepcopy
from typing import Any, Final

from bpconvert.models.expressions import Value
from bpconvert.models.light import NamedTuple
from bpconvert.translators.support.places import texts
from bpconvert.translators.tosca.coded import LIST, NONE, NULL, TYPES
from bpconvert.translators.tosca.functions import called
from bpconvert.translators.tosca.profile import attribute_definition
from bpconvert.translators.tosca.vocabulary import DATA_ROOT
from bpconvert.yamlio.emit import Flow

_LITERALS: Final[dict[type, str]] = {
    bool: "boolean", int: "integer", float: "float", str: "string", list: "list", dict: "map",
}  # fmt: skip
_COLLECTIONS: Final = ("list", "map")
#: what entries are of that are not known
_TEXT: Final = "string"
#: the kind of null
_NULL: Final = "null"
#: type of the names of a map -> of its names as TOSCA calls it, where they are no texts
_KEYS: Final[dict[type, str]] = {int: "integer", float: "float", bool: "boolean"}


class MisfitError(Exception):
    """No type fits the values."""


class Shape(NamedTuple):
    """``kind``: the type of values, "" where only calls tell; ``entry``: of a list or a map of one type; ``fields``: of
    a map with entries of different types, or one that cannot be without names, and of a list that is written as a map
    by position; ``key``: the type of the names of a map, "" for texts."""

    kind: str
    entry: Shape | None = None
    fields: Mapping[str, Shape] | None = None
    key: str = ""

    @property
    def is_coded(self) -> bool:
        """True where values are written as something else (:mod:`~.tosca.coded`)."""
        parts = (*([self.entry] if self.entry else ()), *(self.fields or {}).values())
        return self.kind == _NULL or (self.kind == "list" and self.fields is not None) or any(p.is_coded for p in parts)


#: (whether a map has names, whether values are coded, ids of values) -> what they are of, None where nothing fits
_Known = dict[tuple[int, ...], Shape | None]


class Shapes:
    """What values are of, as they are written. ``prefix``: what the names of functions begin with in the version."""

    def __init__(self, prefix: str) -> None:
        self.prefix = prefix

    def literal(self, value: Value) -> str:
        """The type of a literal; "" for a call and for null."""
        if isinstance(value, dict) and called(value, self.prefix) is not None:
            return ""
        kind = _LITERALS.get(type(value))
        return kind or next((name for base, name in _LITERALS.items() if isinstance(value, base)), "")

    def shape_of(
        self, values: Iterable[Value], is_named: bool = False, coded: bool = False, shapes: _Known | None = None
    ) -> Shape:
        """What all ``values`` are of; ``is_named``: a map has names for its entries; ``coded``: lists of different
        entries and null are written in another way; ``shapes``: what has been found out of inner values. Raises
        MisfitError."""
        literals, kinds, is_null = [], set(), False
        listed = list(values)
        for value in listed:
            if value is None:
                is_null = True
            elif kind := self.literal(value):
                kinds.add(kind)
                literals.append(value)
        if is_null and coded and all(value is None for value in listed):
            return Shape(_NULL)
        if is_null or len(kinds) > 1:
            raise MisfitError
        kind = kinds.pop() if kinds else ""
        if kind not in _COLLECTIONS:
            return Shape(kind)
        shapes = {} if shapes is None else shapes
        key = (is_named, coded, *map(id, listed))
        if key not in shapes:
            try:
                shapes[key] = (self._list if kind == "list" else self._map)(literals, is_named, coded, shapes)
            except MisfitError:
                shapes[key] = None
        shape = shapes[key]
        if shape is None:
            raise MisfitError
        return shape

    def _list(self, values: list[list[Value]], is_named: bool, coded: bool, known_shapes: _Known) -> Shape:
        items = [item for value in values for item in value]
        if not coded:
            return Shape("list", self.shape_of(items, True, False, known_shapes))
        if not any(isinstance(item, list) for item in items):  # of lists in lists, each has a type of its own
            try:
                return Shape("list", self.shape_of(items, True, True, known_shapes))
            except MisfitError:
                pass
        length = max(map(len, values))
        columns = {str(number): [value[number] for value in values if number < len(value)] for number in range(length)}
        fields = {name: self.shape_of(items, False, True, known_shapes) for name, items in columns.items()}
        return Shape("list", None, fields)

    def _map(self, values: list[dict[Any, Value]], is_named: bool, coded: bool, known_shapes: _Known) -> Shape:
        keys = {type(name) for value in values for name in value} - {str}
        if keys:
            return self._numbered(values, keys, coded, known_shapes)
        fields: dict[str, list[Value]] = {}
        for value in values:
            for name, item in value.items():
                fields.setdefault(name, []).append(item)
        shapes = {name: self.shape_of(items, False, coded, known_shapes) for name, items in fields.items()}
        kinds = {shape.kind for shape in shapes.values()} - {""}
        if len(kinds) < 2 and not kinds & {*_COLLECTIONS, _NULL} and not (is_named and shapes):
            return Shape("map", Shape(kinds.pop() if kinds else ""))
        return Shape("map", None, shapes)

    def _numbered(self, values: list[dict[Any, Value]], keys: set[type], coded: bool, known_shapes: _Known) -> Shape:
        """A map whose names are no texts: its entries are of one type."""
        kind = _KEYS.get(keys.pop())
        if kind is None or keys or any(isinstance(name, str) for value in values for name in value):
            raise MisfitError
        entry = self.shape_of([item for value in values for item in value.values()], True, coded, known_shapes)
        if entry.kind == "list":
            raise MisfitError
        return Shape("map", entry, key=kind)

    def encoded(self, value: Value, shape: Shape) -> Any:
        """A value as it is written where its shape wants another form; see :mod:`~.tosca.coded`."""
        if not shape.is_coded or (value is not None and not self.literal(value)):
            return value
        fields = shape.fields
        if isinstance(value, list) and fields is not None:
            return {str(number): self.encoded(item, fields[str(number)]) for number, item in enumerate(value)}
        if isinstance(value, list):
            return [self.encoded(item, shape.entry or Shape("")) for item in value]
        if isinstance(value, dict):
            other = shape.entry or Shape("")
            return {name: self.encoded(item, fields[name] if fields else other) for name, item in value.items()}
        return dict(NONE) if value is None else value


def _reached(paths: list[tuple[Any, ...]]) -> Shape:
    """What these paths lead into. Raises MisfitError where a step is an index and a name, or computed."""
    heads = {path[0] if isinstance(path[0], (str, int)) else None for path in paths if path}
    if not heads:
        return Shape("")
    if all(type(head) is int for head in heads):
        return Shape("list", _reached([path[1:] for path in paths if path]))
    if not all(isinstance(head, str) for head in heads):
        raise MisfitError
    inner = {head: [path[1:] for path in paths if path and path[0] == head] for head in heads}
    return Shape("map", None, {str(head): _reached(inner[head]) for head in sorted(inner, key=str)})


def used(types: Mapping[str, dict[str, Any]], sections: Any) -> dict[str, Any]:
    """The data types that ``sections`` name, and those that these need."""
    needed: dict[str, Any] = {}
    waiting = [text for text in texts(sections) if text in types] if types else []
    while waiting:
        name = waiting.pop()
        if name not in needed:
            needed[name] = types[name]
            waiting += [text for text in texts(types[name]) if text in types]
    return {name: needed[name] for name in types if name in needed}


class Schemas:
    """Writes the types of values. ``types``: the data types that they need, by their names; ``shapes``: what values are
    of in the version that is written."""

    def __init__(self, shapes: Shapes) -> None:
        self.shapes = shapes
        self.types: dict[str, dict[str, Any]] = {}
        #: place -> the values there, their definition, and what a data type for it is called
        self._growing: dict[Hashable, tuple[list[Value], dict[str, Any], str]] = {}

    def row(self, values: Iterable[Value], kind: str, name: str) -> dict[str, Any]:
        """``type`` and ``entry_schema`` of the definition of what has these values; ``kind``: the type that it should
        have, "" for any; ``name``: what a data type for it is called."""
        return self.fitted(values, kind, name, coded=False)[0]

    def fitted(self, values: Iterable[Value], kind: str, name: str, coded: bool = True) -> tuple[dict[str, Any], Shape]:
        """As :meth:`row`, and how the values are written (:meth:`Shapes.encoded`) where ``coded``."""
        listed = [value for value in values if value is not None]
        kinds = {self.shapes.literal(value) for value in listed} - {""}
        wanted = kinds.pop() if len(kinds) == 1 else _TEXT if kinds else kind or _TEXT
        plain = Shape(wanted)
        if wanted not in _COLLECTIONS:
            return {"type": wanted}, plain
        for attempt in (False, True) if coded else (False,):
            before = dict(self.types)
            try:
                shape = self.shapes.shape_of(listed, coded=attempt)
                return self._row(shape if shape.kind else Shape(wanted, Shape("")), name), shape
            except MisfitError:
                self.types = before
        return {"type": wanted}, plain

    def grow(self, place: Hashable, value: Value, name: str) -> dict[str, Any]:
        """The definition, as :meth:`row` has it, of what gets its values one by one at a ``place``: complete after
        :meth:`finish`, when it is of all of them."""
        values, definition, name = self._growing.pop(place, ([], Flow(), name))
        values.append(value)
        self._growing[place] = values, definition, name
        return definition

    def finish(self) -> None:
        """Complete what :meth:`grow` gave."""
        for values, definition, name in self._growing.values():
            definition |= {**self.row(values, "", name), "required": False}
        self._growing.clear()

    def attribute(
        self, paths: Iterable[tuple[Any, ...]], property: Mapping[str, Any] | None, name: str, own: bool = True
    ) -> dict[str, Any]:
        """The definition of an attribute into which these ``paths`` lead; ``property``: that of the property of that
        name, whose value it has until it is set; ``own``: False where it refines one that is a map of maps."""
        steps = [path for path in paths if path]
        if not steps:
            return attribute_definition(False, property)
        before = dict(self.types)
        try:
            if own:
                return Flow(self._row(_reached(steps), name))
            inner = [path[1:] for path in steps]
            heads = {path[0] if type(path[0]) in (str, int) else None for path in inner if path}
            if None in heads or not heads:
                raise MisfitError
            fields = {
                head: _reached([path[1:] for path in inner if path and path[0] == head])
                for head in sorted(heads, key=str)
            }
            return Flow(type="map", entry_schema=Flow(type=self._record(fields, f"{name}.entry")))
        except MisfitError:
            self.types = before
            return attribute_definition(True)

    def _row(self, shape: Shape, name: str) -> dict[str, Any]:
        if shape.kind == _NULL or shape.fields is not None:
            return {"type": self._entry(shape, name)}
        if shape.entry is not None:
            keys = {"key_schema": Flow(type=shape.key)} if shape.key else {}
            return {"type": shape.kind, **keys, "entry_schema": Flow(type=self._entry(shape.entry, name))}
        return {"type": shape.kind or _TEXT}

    def _entry(self, shape: Shape, name: str) -> str:
        if shape.kind == _NULL:
            return self._type_name(NULL)
        if shape.fields is not None:
            return self._record(shape.fields, name, self._type_name(LIST) if shape.kind == "list" else DATA_ROOT)
        if shape.kind == "map" and not shape.key and not (shape.entry and shape.entry.kind):
            return self._record({}, name)
        if shape.kind in _COLLECTIONS:
            raise MisfitError
        return shape.kind or _TEXT

    def _type_name(self, name: str) -> str:
        self.types[name] = deepcopy(TYPES[name])
        return name

    def _record(self, fields: Mapping[Any, Shape], name: str, parent: str = DATA_ROOT) -> str:
        name, number = re.sub(r"[^\w.-]", "_", name), 1
        while (type_name := name if number == 1 else f"{name}.{number}") in self.types:
            number += 1
        definition: dict[str, Any] = {"derived_from": parent}
        self.types[type_name] = definition
        rows = {
            key: Flow({**self._row(shape, f"{type_name}.{key}"), "required": False}) for key, shape in fields.items()
        }
        if rows:
            definition["properties"] = rows
        return type_name
