"""The type catalogue: what each kind of resource is called in each dialect and how its properties correspond.

The data is in ``translators/catalogue/*.yaml``, one file per kind; ``index.yaml`` says which file has which type. A
kind's property names are the neutral ones (Heat's canonical names); a dialect's row says where they go.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar, Literal

from bpconvert.yamlio.document import load

_FOLDER = Path(__file__).parent
#: for :func:`validated`
_STRICT = {"extra": "forbid"}


@dataclass(eq=False, repr=False)
class Lift:
    """References to other resources become a relationship.

    relationship: type of the relationship. On the way back, any relationship between the two kinds sets the property
        where both are of the OpenStack plugin; else one of this type or of a type derived from it.
    targets: the kinds whose references become relationships.
    keep: the value stays as well.
    exact: way back: only a relationship of this type (or of a type derived from it) sets the property.
    implies: other properties of the resource -> kind of the target -> the value that the relationship says as well.
        Only where the template says that, the reference becomes a relationship.
    mixed: what to do when only some items of a list are references: ``materialise`` the others as external nodes, or
        keep the ``property``.
    fill: what a relationship is on the way back: the ``value``, an ``item`` of the list, an ``entry`` (a map with this
        key in the list), or a ``key`` of the map. ``absent``: the value, but only where nothing else says it, and
        also where the value was kept. ``instead``: the value, whatever else says it.
    note: a difference worth telling."""

    __pydantic_config__: ClassVar[Any] = _STRICT

    relationship: str
    targets: list[str]
    keep: bool = False
    exact: bool = False
    implies: dict[str, dict[str, str]] = field(default_factory=dict)
    mixed: Literal["property", "materialise"] = "property"
    fill: Literal["value", "item", "entry", "key", "absent", "instead"] = "value"
    note: str | None = None


@dataclass(eq=False, repr=False)
class PropertyRule:
    """How one neutral property is said in Cloudify.

    to: dotted path in the node's properties.
    each: rules for the keys of a map, or of each map of a list.
    aliases: keys of such a map that mean another one.
    open: the map has further keys, which both have as they are.
    lift: references become relationships.
    items: ``name_maps``: texts in a list become ``{name: text}``.
    default: Heat's default, written when the template is silent.
    carry: there is no counterpart, and why. The value is reported, and kept in the result's metadata.
    ignore: values that mean nothing, and are not reported.
    flatten: the keys of the map are merged into the map at this path.
    hook: a function of ``translators/cloudify/openstack/hooks_write.py``, where data cannot say it.
    lookup: Heat accepts a name here and looks it up, the plugin does not.
    silent: the existing resource that is meant when the template is silent, where the plugin would send an empty list.
    type: ``string``, ``integer`` or ``boolean``: what Heat and the plugin's schema make of a literal.
    note: a difference worth telling.
    accept: way back: further paths that mean the property.
    usual: way back: what both do by default.
    absent: way back: what the plugin does where the blueprint is silent and Heat would do something else.
    silence: way back: such a thing that Heat cannot do, in words.
    beside: way back: ``absent`` holds only where this property is said.
    adds: way back: properties of the node that are one more item of the list, and the item's key."""

    __pydantic_config__: ClassVar[Any] = _STRICT

    to: str | None = None
    each: dict[str, PropertyRule] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)
    open: bool = False
    lift: Lift | None = None
    items: Literal["name_maps"] | None = None
    default: Any = None
    carry: str | None = None
    ignore: list[Any] = field(default_factory=list)
    flatten: str | None = None
    hook: str | None = None
    lookup: bool = False
    silent: str | None = None
    type: Literal["string", "integer", "boolean"] | None = None
    note: str | None = None
    accept: list[str] = field(default_factory=list)
    usual: Any = None
    absent: Any = None
    silence: str | None = None
    beside: str | None = None
    adds: dict[str, str] = field(default_factory=dict)


@dataclass(eq=False, repr=False)
class Only:
    """A property that only Cloudify has.

    why: why Heat has nothing for it, in words.
    ignore: values that mean nothing.
    harmless: it has no effect on the resource: told, but no warning.
    said_by: the kind of resource that says it, where a relationship becomes one."""

    __pydantic_config__: ClassVar[Any] = _STRICT

    why: str
    ignore: list[Any] = field(default_factory=list)
    harmless: bool = False
    said_by: str | None = None


@dataclass(eq=False, repr=False)
class Split:
    """A relationship of the OpenStack plugin that is a resource of its own in Heat.

    relationship: short name of the relationship's type.
    source: kind of the node that has it.
    target: kind of the node that it leads to.
    kind: kind of the resource.
    near: the resource's property for the source.
    far: the resource's property for the target.
    name: name of the resource; ``{source}`` and ``{target}`` stand for the nodes' names."""

    relationship: str
    source: str
    target: str
    kind: str
    near: str
    far: str
    name: str


@dataclass(eq=False, repr=False)
class AttributeRule:
    """What answers an attribute of a Heat resource; exactly one of the first four.

    to: a runtime property.
    property: dotted path of a property of the node.
    reference: the id of the resource that this Heat property refers to.
    hook: a function of ``translators/cloudify/write/references.py``.
    note: a difference worth telling.
    accept: way back: further runtime properties that mean the attribute.
    also: a Heat type of ``also`` has the attribute, the one that is written has not."""

    __pydantic_config__: ClassVar[Any] = _STRICT

    to: str | None = None
    property: str | None = None
    reference: str | None = None
    hook: str | None = None
    note: str | None = None
    accept: list[str] = field(default_factory=list)
    also: bool = False


@dataclass(eq=False, repr=False)
class V2:
    """Names of the OpenStack plugin 2.x.

    type: the node type.
    wrapper: the property that wraps the resource's settings.
    rename: settings that have another name there."""

    __pydantic_config__: ClassVar[Any] = _STRICT

    type: str
    wrapper: str
    rename: dict[str, str] = field(default_factory=dict)


@dataclass(eq=False, repr=False)
class CloudifyType:
    """The node type that a resource becomes.

    type: the node type. It, and each type that is derived from it, is read as this kind.
    v2: names of the OpenStack plugin 2.x, where it has the type.
    plain: not of the OpenStack plugin: no ``client_config``, no ``resource_config``.
    since: the lowest version of the DSL that has the type.
    accept: further node types that are read as this kind.
    plugin: what a blueprint has to import for the type, where that is not the OpenStack plugin.
    defines: the type's definition, which a blueprint gets under ``node_types``.
    existing: the setting that names an existing resource; empty where the plugin uses no existing ones.
    required: settings that the type cannot do without -> what is written where the template says nothing."""

    __pydantic_config__: ClassVar[Any] = _STRICT

    type: str
    v2: V2 | None = None
    plain: bool = False
    since: Literal["1_3", "1_4", "1_5"] = "1_3"
    accept: list[str] = field(default_factory=list)
    plugin: str | None = None
    defines: dict[str, Any] = field(default_factory=dict)
    existing: str = "id"
    required: dict[str, Any] = field(default_factory=dict)


@dataclass(eq=False, repr=False)
class Kind:
    """A kind of resource: one file of the catalogue.

    kind: its id, by which other kinds refer to it.
    heat: its Heat types; the first one is written.
    also: Heat types with other properties that are read as this kind (``hot/read/older_types.py`` says how).
    cloudify: the node type that it becomes.
    merge: in place of ``cloudify``: a function of ``openstack/connections_write.py`` that makes it part of another
        node (with both, it is a node where the plugin 2.x is asked for).
    into: with ``merge``: what it becomes part of, in words.
    aliases: older names of Heat properties, each with the current one.
    constants: properties that every such node gets.
    identity: the runtime property that ``get_resource`` is.
    note: a difference worth telling for every such resource.
    properties: Heat property -> how it is said (see *Property*).
    attributes: Heat attribute -> what answers it (see *Attribute*).
    only: dotted path of a property that only Cloudify has -> why (see *Only in Cloudify*).
    answers: way back: runtime property -> a function of ``openstack/attributes.py`` that makes it an attribute.
    by_name: the id of such a resource is its name.
    side_effects: kind -> what the OpenStack plugin does on any relationship to such a node; mere order goes through a
        node in between."""

    __pydantic_config__: ClassVar[Any] = _STRICT

    kind: str
    heat: list[str]
    also: list[str] = field(default_factory=list)
    cloudify: CloudifyType | None = None
    merge: str | None = None
    into: str | None = None
    aliases: dict[str, str] = field(default_factory=dict)
    constants: dict[str, Any] = field(default_factory=dict)
    identity: str = "id"
    note: str | None = None
    properties: dict[str, PropertyRule] = field(default_factory=dict)
    attributes: dict[str, AttributeRule] = field(default_factory=dict)
    only: dict[str, Only] = field(default_factory=dict)
    answers: dict[str, str] = field(default_factory=dict)
    by_name: bool = False
    side_effects: dict[str, str] = field(default_factory=dict)


class Catalogue:
    """The types that are mapped. A built-in file is read when a type of its kind is first asked for."""

    def __init__(self) -> None:
        index = raw("index")
        self._by_heat: dict[str, str] = index["heat"]
        self._back: dict[str, str] = index["back"]
        self._by_cloudify: dict[str, str | None] = index["cloudify"]
        #: relationships of the OpenStack plugin that are resources of their own in Heat
        self.splits = [Split(**row) for row in index["splits"]]
        self._fills: dict[str, dict[str, list[tuple[str, str | None, PropertyRule]]]] = {}
        #: relationships of the OpenStack plugin that only order
        self.without_effect: frozenset[str] = frozenset(index["without_effect"])
        #: paths of properties that all node types of the OpenStack plugin have and Heat has not
        self.only: dict[str, Only] = {path: Only(**row) for path, row in index["only"].items()}
        #: Heat types that become something else than a node -> what, in words
        self.otherwise: dict[str, str] = index["otherwise"]
        self._kinds: dict[str, Kind] = {}

    def with_kinds(self, kinds: Iterable[Kind]) -> Catalogue:
        """A catalogue with ``kinds`` added, each in place of the one that has its id, if any.

        A node type that another kind has stays with that one, unless it is in ``accept``."""
        made = copy(self)
        made._fills, made._kinds = {}, dict(self._kinds)
        made._by_heat, made._back = dict(self._by_heat), dict(self._back)
        made._by_cloudify = dict(self._by_cloudify)
        for kind in kinds:
            made._kinds[kind.kind] = kind
            table = made._back if kind.kind in made._back.values() else made._by_heat
            for heat in [heat for heat, owner in table.items() if owner == kind.kind]:
                del table[heat]
            table.update(dict.fromkeys([*kind.heat, *kind.also], kind.kind))
            row = kind.cloudify
            for name in () if row is None else (row.type, *([row.v2.type] if row.v2 else ()), *row.accept):
                if made._by_cloudify.get(name) is None or (row is not None and name in row.accept):
                    made._by_cloudify[name] = kind.kind
        return made

    def kind(self, name: str | None) -> Kind | None:
        """The kind with this id, or None."""
        if name is None:
            return None
        found = self._kinds.get(name)
        if found is None and (name in self._by_heat.values() or name in self._back.values()):
            found = self._kinds[name] = _kind(raw(name))
        return found

    def heat_kind(self, heat_type: str, *, back: bool = False) -> Kind | None:
        """The kind of a Heat resource type, or None where it is not mapped. ``back``: also one that is only converted
        from Cloudify to Heat."""
        return self.kind(self._by_heat.get(heat_type, self._back.get(heat_type) if back else None))

    def cloudify_kind(self, ancestry: Iterable[str]) -> tuple[Kind, str] | None:
        """The kind of a node type, given with its parents, and the mapped type that decides it; None where it is not
        mapped.

        A type of another plugin that is derived from ``cloudify.nodes.Compute`` is no existing machine."""
        own = True
        for name in ancestry:
            if name in self._by_cloudify:
                found = self.kind(self._by_cloudify[name])
                return None if found is None or (_is_core(found, name) and not own) else (found, name)
            own = own and not name.startswith("cloudify.")
        return None

    def cloudify_types(self) -> dict[str, str | None]:
        """Every known Cloudify node type and its kind's id."""
        return dict(self._by_cloudify)

    def fill(
        self, source: Kind, target: str | None, relationships: Collection[str]
    ) -> tuple[str, str | None, PropertyRule] | None:
        """What a relationship between nodes of these kinds sets: the property, the key in it (or None), and the rule;
        ``relationships``: its type and the type's parents, which other plugins than that of OpenStack go by."""
        known = self._fills.get(source.kind)
        if known is None:
            known = self._fills[source.kind] = {}
            for name, rule in source.properties.items():
                for key, part in ((None, rule), *rule.each.items()):
                    says = part.lift is not None and (not part.lift.keep or part.lift.fill == "absent")
                    for kind in part.lift.targets if part.lift is not None and says else ():
                        known.setdefault(kind, []).append((name, key, part))
        rows = known.get(target or "", [])
        if is_openstack(source) and is_openstack(self.kind(target)):
            short = {name.rsplit(".", 1)[-1] for name in relationships}  # 2.x has other prefixes
            return next((row for row in rows if not _is_exact(row[2]) or _short(row[2]) in short), None)
        return next((row for row in rows if row[2].lift and row[2].lift.relationship in relationships), None)

    def split(self, source: str | None, target: str | None, relationships: Collection[str]) -> Split | None:
        """The resource that a relationship between nodes of these kinds is; ``relationships``: the short names of its
        type and the type's parents."""
        for row in self.splits:
            if row.source == source and row.target == target and row.relationship in relationships:
                return row
        return None

    def heat_types(self) -> dict[str, str]:
        """Every mapped Heat type and its kind's id."""
        return dict(self._by_heat)

    def back_types(self) -> dict[str, str]:
        """Heat types that are only converted from Cloudify, and their kind's id."""
        return dict(self._back)

    def side_effect(self, source: str | None, target: str | None) -> str | None:
        """What the OpenStack plugin does on any relationship between nodes of these kinds (None: nothing)."""
        kind = self.kind(source)
        return None if kind is None else kind.side_effects.get(target or "")


def _is_exact(rule: PropertyRule) -> bool:
    return rule.lift is not None and rule.lift.exact


def _short(rule: PropertyRule) -> str:
    return rule.lift.relationship.rsplit(".", 1)[-1] if rule.lift is not None else ""


def is_openstack(kind: Kind | None) -> bool:
    """True for a kind that is a node of the OpenStack plugin."""
    return kind is not None and kind.cloudify is not None and not kind.cloudify.plain


def _is_core(kind: Kind, node_type: str) -> bool:
    """True for a node type that comes with Cloudify itself."""
    row = kind.cloudify
    return row is None or (row.plain and row.plugin is None and node_type.startswith("cloudify.nodes."))


def validated(data: Any) -> Kind:
    """``data`` (a file of the catalogue) as a :class:`Kind`, every key and type checked by pydantic.

    Raises ``pydantic.ValidationError``. The built-in files are checked by the tests, not at every start."""
    from pydantic import TypeAdapter

    return TypeAdapter(Kind).validate_python(data)


def _kind(data: dict[str, Any]) -> Kind:
    """A built-in file as a :class:`Kind`."""
    if "cloudify" in data:
        row = data["cloudify"]
        data["cloudify"] = CloudifyType(**{**row, "v2": V2(**row["v2"])} if "v2" in row else row)
    data["properties"] = {name: _property(rule) for name, rule in data.get("properties", {}).items()}
    data["attributes"] = {name: AttributeRule(**rule) for name, rule in data.get("attributes", {}).items()}
    data["only"] = {path: Only(**row) for path, row in data.get("only", {}).items()}
    return Kind(**data)


def _property(data: dict[str, Any]) -> PropertyRule:
    if "lift" in data:
        data["lift"] = Lift(**data["lift"])
    if "each" in data:
        data["each"] = {name: _property(rule) for name, rule in data["each"].items()}
    return PropertyRule(**data)


def raw(name: str) -> Any:
    """A built-in file as it is read: plain data, anew each time."""
    return load(file_of(name), f"catalogue/{name}.yaml").data


def file_of(name: str) -> str:
    """The text of a built-in file."""
    return (_FOLDER / f"{name}.yaml").read_text(encoding="utf-8")


@lru_cache(maxsize=1)
def builtin() -> Catalogue:
    """The catalogue that comes with the package."""
    return Catalogue()


def catalogue(files: Sequence[str] = ()) -> Catalogue:
    """The built-in catalogue with the mappings of ``files`` merged over it, in this order.

    Raises SourceError with all mistakes of the files, and OSError for one that cannot be read."""
    if not files:
        return builtin()
    from bpconvert.translators.catalogue.user_types import merged  # few conversions need it

    return merged(tuple(map(str, files)))
