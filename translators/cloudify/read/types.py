"""The types of a blueprint: what they are derived from, their properties with defaults, and their operations.

Merging along ``derived_from``, and of values with their types, is that of the parser (``dsl_parser.utils``:
``merge_schemas``, ``merge_schema_and_instance_properties``, ``parse_value``). Types that the blueprint does not define
are looked up among the facts about Cloudify's own types and those of its OpenStack plugin
(``catalogue/node_types.yaml``), of which only defaults and ancestors are known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path as FilePath
from typing import Any, Final

from bpconvert.models.cloudify import Blueprint, NodeType
from bpconvert.models.cloudify_declarations import PropertyDefinition, TypeOperation
from bpconvert.models.expressions import MISSING, Expr, Path, Value
from bpconvert.models.fields import describe
from bpconvert.translators.cloudify.primitive_types import is_primitive, takes
from bpconvert.yamlio.document import load

#: how deep data types may be nested (the engine evaluates fewer levels of values)
_DEEPEST: Final = 60
#: says that the parser refuses something: steps below the value's place, text
Refuse = Callable[[Path, str], None]
#: the same for a place of the blueprint
RefuseAt = Callable[[Path, str], None]
#: (interface, operation) -> its declaration and place
TypeOperations = dict[tuple[str, str], tuple[TypeOperation, Path]]
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
    """A :data:`Refuse` that says nothing."""


def _below(refuse: Refuse, name: str) -> Refuse:
    """``refuse`` for the value of key ``name``."""
    return lambda steps, text: refuse((name, *steps), text)


@lru_cache(maxsize=8)
def facts(library: str) -> dict[str, dict[str, Any]]:
    """What is known of a library's ``node_types``, ``relationships`` and ``data_types``."""
    known = _all_facts()[library]
    return {section: known.get(section, {}) for section in ("node_types", "relationships", "data_types")}


@lru_cache(maxsize=1)
def _all_facts() -> dict[str, Any]:
    path = FilePath(__file__).parents[2] / "catalogue" / "node_types.yaml"
    data: dict[str, Any] = load(path.read_text(encoding="utf-8"), "catalogue/node_types.yaml").data
    return data


def _lifecycle(row: dict[str, Any]) -> dict[str, str] | None:
    """The lifecycle operations of a type in the facts and their implementations."""
    if "module" not in row:
        return None
    return {name: f"{row['module']}.{name}" for name in ("create", "delete", *row.get("more", ()))}


# -- the table ----------------------------------------------------------------------------------------------


class Types:
    """All types that the nodes of a blueprint can have.

    ``read`` reads a value of the blueprint; ``refuse`` reports, at a path, what the parser refuses; ``complete`` is
    False when an import's types are not known: then a type may be undefined."""

    def __init__(
        self,
        blueprint: Blueprint,
        libraries: Iterable[str],
        read: Read,
        refuse: RefuseAt,
        complete: bool,
    ) -> None:
        self._defined: dict[str, Mapping[str, Any]] = {
            "node_types": blueprint.node_types,
            "relationships": blueprint.relationships,
            "data_types": blueprint.data_types,
        }
        second = "compat" if "compat" in libraries else "openstack_2"
        self._libraries: tuple[str, ...] = ("core", "openstack", second)
        self._read = read
        self._refuse = refuse
        self._complete = complete
        self._types: dict[tuple[str, str], Type | None] = {}
        self._open: set[tuple[str, str]] = set()

    def node(self, name: str) -> Type | None:
        """The node type of this name; None when nothing is known about it."""
        return self._find("node_types", name)

    def relationship(self, name: str) -> Type | None:
        """The relationship type of this name; None when nothing is known about it."""
        return self._find("relationships", name)

    def data(self, name: str) -> Type | None:
        """The data type of this name; None when nothing is known about it."""
        return self._find("data_types", name)

    def unknown(self, path: Path, what: str, name: str) -> None:
        """Report that a type is not defined, unless an import may define it."""
        if self._complete:
            self._refuse(path, f"the {what} '{name}' is not defined")

    def _find(self, section: str, name: str) -> Type | None:
        """The type, after its ancestors; None also while it is being worked out itself."""
        waiting: dict[str, None] = {}
        ancestor: str | None = name
        while ancestor is not None and ancestor not in waiting:
            waiting[ancestor] = None
            ancestor = self._parent(section, ancestor)
        for current in reversed(waiting):
            key = (section, current)
            if key in self._types or key in self._open or len(self._open) > _DEEPEST:
                continue
            self._open.add(key)
            own = current in self._defined[section]
            self._types[key] = self._own(section, current) if own else self._known(section, current)
            self._open.discard(key)
        return self._types.get((section, name))

    def _parent(self, section: str, name: str) -> str | None:
        """What a type that the blueprint defines is derived from, as long as it is not worked out."""
        definition = self._defined[section].get(name)
        if definition is None or (section, name) in self._types:
            return None
        parent: str | None = definition.derived_from
        return parent

    # -- types from the facts ---------------------------------------------------------------------------------

    def _known(self, section: str, name: str) -> Type | None:
        for library in self._libraries:
            known = facts(library)[section]
            if name in known:
                row = known[name]
                parent = row if section == "relationships" else row.get("derived_from")
                inherited = self._find(section, parent) if parent else None
                result = Type([name, *(inherited.ancestry if inherited else ())], closed=False)
                if section != "relationships":
                    result.properties = self._known_properties(row, inherited)
                    result.lifecycle = _lifecycle(row) or (inherited.lifecycle if inherited else None)
                return result
        return None

    def _known_properties(self, row: dict[str, Any], inherited: Type | None) -> dict[str, Property]:
        properties = dict(inherited.properties) if inherited else {}
        data, defaults = row.get("data", {}), row.get("defaults", {})
        for name in {**defaults, **data}:
            old = properties.get(name)
            kind = data.get(name, old.type if old else None)
            default = self._read(defaults[name], ()) if name in defaults else self.fill({}, kind, MISSING, ignore)
            properties[name] = Property(kind, default, required=False)
        return properties

    # -- types of the blueprint -------------------------------------------------------------------------------

    def _own(self, section: str, name: str) -> Type:
        definition, path = self._defined[section][name], (section, name)
        parent = definition.derived_from
        inherited = self._find(section, parent) if parent else None
        if parent and inherited is None:
            if (section, parent) in self._open:
                self._refuse((*path, "derived_from"), f"'{name}' is derived from itself")
            else:
                self.unknown((*path, "derived_from"), "type", parent)
        above = inherited or Type(ancestry=[parent] if parent else [], closed=not parent)
        result = Type([name, *above.ancestry], closed=above.closed, lifecycle=above.lifecycle)
        result.properties = self._merged(above.properties, definition.properties or {}, (*path, "properties"))
        if section == "node_types":
            result.operations = self._operations(above.operations, definition, "interfaces", path)
        elif section == "relationships":
            result.operations = self._operations(above.operations, definition, "source_interfaces", path)
            result.target_operations = self._operations(above.target_operations, definition, "target_interfaces", path)
        return result

    def _operations(self, inherited: TypeOperations, definition: NodeType, key: str, path: Path) -> TypeOperations:
        """The operations of a type: one that it declares replaces its parent's whole."""
        result = dict(inherited)
        for interface, operations in (getattr(definition, key) or {}).items():
            for name, operation in operations.items():
                result[interface, name] = (operation, (*path, key, interface, name))
        return result

    def _merged(
        self, inherited: dict[str, Property], own: Mapping[str, PropertyDefinition], path: Path
    ) -> dict[str, Property]:
        """A type's properties: its definition of one replaces the parent's whole, but where both are of the same data
        type the parent's default is completed with its own."""
        result = {name: self._property(definition, (*path, name)) for name, definition in own.items()}
        for name, above in inherited.items():
            mine = result.get(name)
            if mine is None:
                result[name] = above
            elif mine.type == above.type and not is_primitive(mine.type) and above.default not in (MISSING, None):
                default = self.fill({} if mine.written is None else mine.written, mine.type, above.default, ignore)
                mine.default = default or mine.default
        return result

    def _property(self, definition: PropertyDefinition, path: Path) -> Property:
        kind = definition.type
        if kind is not None and not is_primitive(kind) and self.data(kind) is None:
            if ("data_types", kind) in self._open:
                self._refuse((*path, "type"), f"the data type '{kind}' contains itself")
                kind = None
            elif len(self._open) > _DEEPEST:
                self._refuse((*path, "type"), "data types are nested too deeply")
                kind = None
            else:
                self.unknown((*path, "type"), "type", kind)
        result = Property(kind, required=definition.required is not False)
        if definition.default is not None:
            place = (*path, "default")
            result.written = self._read(definition.default, place)
            result.default = self.fill(
                result.written, kind, MISSING, lambda steps, text: self._refuse((*place, *steps), text)
            )
        elif kind is not None and not is_primitive(kind):
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
        if is_primitive(kind):
            if not takes(kind, value):
                refuse((), f"must be of type {kind}, not {describe(value)}")
            return value
        found = self.data(kind)
        if found is None:
            return value
        if not isinstance(value, dict):
            refuse((), f"must be of type {kind}, not {describe(value)}")
            return value
        defaults = {name: p.default for name, p in found.properties.items() if p.default is not MISSING}
        if isinstance(derived, dict):
            defaults.update(derived)
        return self._completed(value, found, defaults, refuse, whole)

    def complete(self, values: dict[str, Value], found: Type, refuse: Refuse) -> dict[str, Value]:
        """The properties of a node or relationship of type ``found``: ``values`` with all defaults."""
        defaults = {name: p.default for name, p in found.properties.items() if p.default is not MISSING}
        return self._completed(values, found, defaults, refuse, whole=True)

    def _completed(
        self, values: dict[str, Value], found: Type, defaults: dict[str, Value], refuse: Refuse, whole: bool
    ) -> dict[str, Value]:
        merged = {**defaults, **values}
        external = merged.get("use_external_resource")
        result: dict[str, Value] = {}
        for name, declared in found.properties.items():
            if name in merged:
                checked = name in values or merged[name] is None or not is_primitive(declared.type)
                below = _below(refuse, name) if checked else ignore
                result[name] = self.fill(merged[name], declared.type, defaults.get(name, MISSING), below, whole)
            elif whole and declared.required and not external:
                refuse((), f"the required property '{name}' is missing")
        for name, value in merged.items():
            if name not in result:
                if found.closed:
                    refuse((name,), f"there is no property '{name}' in type {found.ancestry[0]}")
                result[name] = value
        return result
