"""The types of a template: what they are derived from, their properties with defaults, and their operations; and the
words by which languages with such types differ.

Merging along ``derived_from``, and of values with their types, is that of Cloudify's parser (``dsl_parser.utils``:
``merge_schemas``, ``merge_schema_and_instance_properties``, ``parse_value``), which is TOSCA's rule.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from bpconvert.limits import limit
from bpconvert.models.checks import describe
from bpconvert.models.expressions import MISSING, Expr, Path, Value
from bpconvert.models.light import NamedTuple, dataclass, field

#: kinds of types
NODE: Final = "node"
RELATIONSHIP: Final = "relationship"
DATA: Final = "data"


class Vocabulary(NamedTuple):
    """The words of one language.

    types: kind of type -> the section that defines such types.
    interfaces: kind of type -> the keys of its interfaces; of a relationship the source's first.
    exists: the property of nodes for which no resource is created; such need no other properties.
    is_primitive: whether the name is that of a type that is no data type (None: of none).
    takes: whether a primitive type takes a literal."""

    types: Mapping[str, str]
    interfaces: Mapping[str, tuple[str, ...]]
    exists: str
    is_primitive: Callable[[str | None], bool]
    takes: Callable[[str, Value], bool]


#: how deep data types may be nested (the engine evaluates fewer levels of values)
_DEEPEST: Final = 60
#: reports that the engine refuses something: its place in the template, or the steps to it from a value; text
Refuse = Callable[[Path, str], None]
#: (interface, operation) -> its declaration, and its place
TypeOperations = dict[tuple[str, str], tuple[Any, Path]]
#: reads raw data at a path
Read = Callable[[Any, Path], Value]


@dataclass(eq=False, repr=False)
class Property:
    """A property of a type. ``default`` is filled in from its data type; ``written``: the default as this type says
    it."""

    type: str | None = None
    default: Value = MISSING
    written: Value = None
    required: bool = True


@dataclass(eq=False, repr=False)
class Type:
    """A node, relationship or data type with everything that it inherits. ``ancestry``: its name, its parent's, ...

    ``closed``: all of its properties and operations are known. ``lifecycle``: the implementations of a built-in
    type's lifecycle operations, None where they are not known."""

    ancestry: list[str] = field(default_factory=list)
    properties: dict[str, Property] = field(default_factory=dict)
    operations: TypeOperations = field(default_factory=dict)
    target_operations: TypeOperations = field(default_factory=dict)
    closed: bool = True
    lifecycle: dict[str, str] | None = None


def ignore(steps: Path, text: str) -> None:
    """A :data:`Refuse` that reports nothing."""


def below(refuse: Refuse, *place: Any) -> Refuse:
    """``refuse`` for what is at ``place``, given the steps from there."""
    return lambda steps, text: refuse((*place, *steps), text)


class TypeTable:
    """All types that the nodes of a template can have. ``definitions``: kind of type -> name -> definition, of what the
    template and its imports define.

    ``read`` reads a value of the template; ``refuse`` reports, at a path, what the engine refuses; ``complete`` is
    False when an import's types are not known: then a type may be undefined."""

    def __init__(
        self,
        definitions: Mapping[str, Mapping[str, Any]],
        words: Vocabulary,
        read: Read,
        refuse: Refuse,
        complete: bool,
    ) -> None:
        self._defined = dict(definitions)
        self._words = words
        self._read = read
        self.refuse = refuse
        self._complete = complete
        self._types: dict[tuple[str, str], Type | None] = {}
        self._open: set[tuple[str, str]] = set()
        #: how many fields data types have given to values
        self._fields = 0

    def built_in(self, kind: str, name: str) -> Type | None:
        """The type of this name that no document defines; None when nothing is known about it."""
        return None

    def unknown(self, path: Path, what: str, name: str) -> None:
        """Report that a type is not defined, unless an import may define it."""
        if self._complete:
            self.refuse(path, f"the {what} '{name}' is not defined")

    def is_known(self, kind: str, name: str) -> bool:
        """True for a type of which all parents are known."""
        type_found = self.find(kind, name)
        last = type_found.ancestry[-1] if type_found is not None else name
        return last in self._defined[kind] or self.built_in(kind, last) is not None

    def find(self, kind: str, name: str) -> Type | None:
        """The type of this kind and name; None when nothing is known about it, also while it is being worked out."""
        if (kind, name) in self._types:
            return self._types[kind, name]
        waiting: dict[str, None] = {}
        ancestor: str | None = name
        while ancestor is not None and ancestor not in waiting:
            waiting[ancestor] = None
            ancestor = self._parent(kind, ancestor)
        for current in reversed(waiting):
            key = (kind, current)
            if key in self._types or key in self._open or len(self._open) > _DEEPEST:
                continue
            self._open.add(key)
            own = current in self._defined[kind]
            self._types[key] = self._own(kind, current) if own else self.built_in(kind, current)
            self._open.discard(key)
        return self._types.get((kind, name))

    def _parent(self, kind: str, name: str) -> str | None:
        """What a type that the document defines is derived from, as long as it is not worked out."""
        definition = self._defined[kind].get(name)
        if definition is None or (kind, name) in self._types:
            return None
        parent: str | None = definition.derived_from
        return parent

    # -- types of the document --------------------------------------------------------------------------------

    def _own(self, kind: str, name: str) -> Type:
        definition, path = self._defined[kind][name], (self._words.types[kind], name)
        parent = definition.derived_from
        inherited = self.find(kind, parent) if parent else None
        if parent and inherited is None:
            if (kind, parent) in self._open:
                self.refuse((*path, "derived_from"), f"'{name}' is derived from itself")
            else:
                self.unknown((*path, "derived_from"), "type", parent)
        above = inherited or Type(ancestry=[parent] if parent else [], closed=not parent)
        result = Type([name, *above.ancestry], closed=above.closed, lifecycle=above.lifecycle)
        result.properties = self._merged(above.properties, definition.properties or {}, (*path, "properties"))
        keys = self._words.interfaces.get(kind, ())
        above_tables = (above.operations, above.target_operations)
        tables = [self._operations(old, definition, key, path) for old, key in zip(above_tables, keys, strict=False)]
        result.operations, result.target_operations = [*tables, {}, {}][:2]
        return result

    def _operations(self, inherited: TypeOperations, definition: Any, key: str, path: Path) -> TypeOperations:
        """The operations of a type: one that it declares replaces its parent's whole."""
        result = dict(inherited)
        for interface, operations in (getattr(definition, key) or {}).items():
            for name, operation in operations.items():
                result[interface, name] = (operation, (*path, key, interface, name))
        return result

    def _merged(self, inherited: dict[str, Property], own: Mapping[str, Any], path: Path) -> dict[str, Property]:
        """A type's properties: its definition of one replaces the parent's whole, but where both are of the same data
        type the parent's default is completed with its own."""
        result = {name: self._property(definition, (*path, name)) for name, definition in own.items()}
        for name, above in inherited.items():
            mine = result.get(name)
            if mine is None:
                result[name] = above
            elif mine.type == above.type and self._is_data(mine.type) and above.default not in (MISSING, None):
                default = self.fill({} if mine.written is None else mine.written, mine.type, above.default, ignore)
                mine.default = default or mine.default
        return result

    def _is_data(self, name: str | None) -> bool:
        """True for what is no primitive type."""
        return not self._words.is_primitive(name)

    def _property(self, definition: Any, path: Path) -> Property:
        kind = definition.type
        if kind is not None and self._is_data(kind) and self.find(DATA, kind) is None:
            if (DATA, kind) in self._open:
                self.refuse((*path, "type"), f"the data type '{kind}' contains itself")
                kind = None
            elif len(self._open) > _DEEPEST:
                self.refuse((*path, "type"), "data types are nested too deeply")
                kind = None
            else:
                self.unknown((*path, "type"), "type", kind)
        result = Property(kind, required=definition.required is not False)
        if definition.default is not None:
            place = (*path, "default")
            result.written = self._read(definition.default, place)
            result.default = self.fill(result.written, kind, MISSING, below(self.refuse, *place))
        elif kind is not None and self._is_data(kind):
            result.default = self.fill({}, kind, MISSING, ignore)
        elif "default" in definition.model_fields_set:
            result.default = None
        return result

    # -- values -----------------------------------------------------------------------------------------------

    def fill(self, value: Value, kind: str | None, derived: Value, refuse: Refuse, whole: bool = False) -> Value:
        """``value`` of a property of type ``kind`` with the defaults of its data type; ``derived`` (a map) has defaults
        that go before those. ``whole``: report required parts that are missing."""
        if kind is None or isinstance(value, Expr):
            return value
        if self._words.is_primitive(kind):
            if not self._words.takes(kind, value):
                refuse((), f"must be of type {kind}, not {describe(value)}")
            return value
        data_type = self.find(DATA, kind)
        if data_type is None:
            return value
        if not isinstance(value, dict):
            refuse((), f"must be of type {kind}, not {describe(value)}")
            return value
        if self._is_too_much(len(data_type.properties)):
            return value
        defaults = {name: p.default for name, p in data_type.properties.items() if p.default is not MISSING}
        if isinstance(derived, dict):
            defaults.update(derived)
        return self._completed(value, data_type, defaults, refuse, whole)

    def _is_too_much(self, fields: int) -> bool:
        """Count further fields; True, which is reported once, where there are more than one document may have."""
        before, most = self._fields, limit("fields")
        self._fields += fields
        if before <= most < self._fields:
            problem = f"data types give more than {most} fields to values; the rest have none"
            self.refuse((self._words.types[DATA],), problem)
        return self._fields > most

    def complete(self, values: dict[str, Value], definition: Type, refuse: Refuse) -> dict[str, Value]:
        """The properties of a node or relationship of type ``definition``: ``values`` with all defaults."""
        defaults = {name: p.default for name, p in definition.properties.items() if p.default is not MISSING}
        return self._completed(values, definition, defaults, refuse, whole=True)

    def _completed(
        self, values: dict[str, Value], definition: Type, defaults: dict[str, Value], refuse: Refuse, whole: bool
    ) -> dict[str, Value]:
        merged = {**defaults, **values}
        external = merged.get(self._words.exists)
        result: dict[str, Value] = {}
        for name, declared in definition.properties.items():
            if name in merged:
                checked = name in values or merged[name] is None or self._is_data(declared.type)
                inner = below(refuse, name) if checked else ignore
                result[name] = self.fill(merged[name], declared.type, defaults.get(name, MISSING), inner, whole)
            elif whole and declared.required and not external:
                refuse((), f"the required property '{name}' is missing")
        for name, value in merged.items():
            if name not in result:
                if definition.closed:
                    refuse((name,), f"there is no property '{name}' in type {definition.ancestry[0]}")
                result[name] = value
        return result
