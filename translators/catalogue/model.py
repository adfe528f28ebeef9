"""A file of the catalogue as data: one kind of resource, with a column for each language that has types of it.

The keys of a file are the fields here. A kind's property names are the neutral ones (Heat's canonical names). What a
language says about a kind beside the names of its types is in its own column: Heat's in ``heat``, ``also`` and
``aliases``; Cloudify's in ``cloudify`` and all keys that have no column of their own; that of every other language
under a key of its own, with the class that the language's row in ``translators/dialects.py`` names (:class:`Column`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar, Final, Literal

from bpconvert.models.light import NamedTuple, dataclass, field, rows
from bpconvert.translators.catalogue.schemas import heat_type


class Strict:
    """For :func:`validated`: unknown keys are errors."""

    __pydantic_config__: ClassVar[Any] = {"extra": "forbid"}


@dataclass(eq=False, repr=False)
class Lift(Strict):
    """References to other resources become a relationship.

    relationship: type of the relationship. On the way back, any relationship between the two kinds sets the property
        where both are of the OpenStack plugin; else one of this type or of a type derived from it.
    targets: the kinds whose references become relationships.
    keep: the value stays as well.
    exact: way back: only a relationship of this type (or of a type derived from it) sets the property.
    implies: other properties of the resource -> kind of the target -> the value that the relationship means as well.
        Only where the template has that, the reference becomes a relationship.
    mixed: what to do when only some items of a list are references: ``materialise`` the others as external nodes, or
        keep the ``property``.
    fill: what a relationship is on the way back: the ``value``, an ``item`` of the list, an ``entry`` (a map with this
        key in the list), or a ``key`` of the map. ``absent``: the value, but only where nothing else says it, and
        also where the value was kept. ``instead``: the value, whatever else says it.
    note: a difference worth reporting."""

    relationship: str
    targets: list[str]
    keep: bool = False
    exact: bool = False
    implies: dict[str, dict[str, str]] = field(default_factory=dict)
    mixed: Literal["property", "materialise"] = "property"
    fill: Literal["value", "item", "entry", "key", "absent", "instead"] = "value"
    note: str | None = None


@dataclass(eq=False, repr=False)
class PropertyRule(Strict):
    """How one neutral property is written in Cloudify.

    to: dotted path in the node's properties.
    each: rules for the keys of a map, or of each map of a list.
    aliases: keys of such a map that mean another one.
    open: the map has further keys, which both have as they are.
    lift: references become relationships.
    items: ``name_maps``: texts in a list become ``{name: text}``.
    default: Heat's default, written when the template is silent.
    carry: there is no counterpart, and why. The value is reported, and kept in the result's metadata.
    unneeded: with ``carry``: the same is deployed without it, and nobody has to act. Reported, but no warning (BPC250).
    ignore: values that mean nothing, and are not reported.
    flatten: the keys of the map are merged into the map at this path.
    hook: a function of ``translators/cloudify/hooks.py``, where data cannot express it.
    lookup: Heat accepts a name here and looks it up, the plugin does not: with ``lift``, what may be a name becomes an
        external node, which the plugin finds by name or id; else a node's script looks it up (BPC261), or it must be
        an id (BPC312, BPC336).
    silent: the existing resource that is meant when the template is silent, where the plugin would send an empty list.
    type: ``string``, ``integer`` or ``boolean``: what Heat and the plugin's schema make of a literal.
    note: a difference worth reporting.
    accept: way back: further paths that mean the property.
    usual: way back: what both do by default.
    absent: way back: what the plugin does where the blueprint is silent and Heat would do something else.
    silence: way back: such a thing that Heat cannot do, in words.
    beside: way back: ``absent`` holds only where this property is given.
    adds: way back: properties of the node that are one more item of the list, and the item's key."""

    to: str | None = None
    each: dict[str, PropertyRule] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)
    open: bool = False
    lift: Lift | None = None
    items: Literal["name_maps"] | None = None
    default: Any = None
    carry: str | None = None
    unneeded: bool = False
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
class Only(Strict):
    """A property that only Cloudify has.

    why: why Heat has no equivalent, in words.
    ignore: values that mean nothing.
    harmless: it has no effect on the resource: reported, but no warning.
    unread: a property or attribute of the node: it has no effect on the stack where nothing reads that, but what says
        how an agent reaches a machine.
    said_by: the kind of resource that has it, where a relationship becomes one."""

    why: str
    ignore: list[Any] = field(default_factory=list)
    harmless: bool = False
    unread: str | None = None
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
class AttributeRule(Strict):
    """What answers an attribute of a Heat resource; exactly one of the first four.

    to: a runtime property.
    property: dotted path of a property of the node.
    reference: the id of the resource that this Heat property refers to.
    hook: a function of ``translators/cloudify/hooks.py`` (``ATTRIBUTES``).
    note: a difference worth reporting.
    accept: way back: further runtime properties that mean the attribute.
    also: a Heat type of ``also`` has the attribute, the one that is written has not."""

    to: str | None = None
    property: str | None = None
    reference: str | None = None
    hook: str | None = None
    note: str | None = None
    accept: list[str] = field(default_factory=list)
    also: bool = False


@dataclass(eq=False, repr=False)
class V2(Strict):
    """Names of the OpenStack plugin 2.x.

    type: the node type.
    wrapper: the property that wraps the resource's settings.
    rename: settings that have another name there."""

    type: str
    wrapper: str
    rename: dict[str, str] = field(default_factory=dict)


@dataclass(eq=False, repr=False)
class Service(Strict):
    """What a script calls for a type that the plugin does not have (``translators/cloudify/service_calls.py``).

    types: types of the service in the catalogue of the cloud; the first that it has counts.
    path: of the list that a resource becomes part of; a word in braces is a setting.
    key: what its data stands under in bodies; empty where it is the body.
    state: the setting that says whether it is ready; empty where it is at once.
    find: setting -> type of the service, path and key of the list in which its name is looked up.
    named: nothing is made: the node has the ids of what is called so in the list.
    put: it is made by a request for its own path, and has no data.
    disable: it has to be disabled before it can be removed.
    only: nothing is made: the node is the only resource that these queries of ``path`` find. ``{project}`` is the id of
        the project.
    otherwise: where the service makes one, where they find none.
    heat: the type of the resource in a stack that the service, which is Heat, makes for it alone.
    attributes: those of the resource that the node gets.
    within: the setting that says which other node's stack the resource becomes part of, by what that node has.
    ref: what the node has what a reference to the resource yields as, besides its id."""

    types: list[str]
    path: str
    key: str = ""
    state: str = ""
    find: dict[str, list[str]] = field(default_factory=dict)
    named: bool = False
    put: bool = False
    disable: bool = False
    only: list[str] = field(default_factory=list)
    otherwise: str = ""
    heat: str = ""
    attributes: list[str] = field(default_factory=list)
    within: str = ""
    ref: str = ""


@dataclass(eq=False, repr=False)
class CloudifyType(Strict):
    """The node type that a resource becomes.

    type: the node type. It, and each type that is derived from it, is read as this kind.
    v2: names of the OpenStack plugin 2.x, where it has the type.
    plain: not of the OpenStack plugin: no ``client_config``, no ``resource_config``.
    since: the lowest version of the DSL that has the type.
    accept: further node types that are read as this kind.
    plugin: what a blueprint has to import for the type, where that is not the OpenStack plugin.
    defines: the type's definition, which a blueprint gets under ``node_types``.
    service: what a script calls to create the resource, where the OpenStack plugin has no type for it.
    existing: the setting that names an existing resource; empty where the plugin uses no existing ones.
    required: settings that the type cannot do without -> what is written where the template says nothing."""

    type: str
    v2: V2 | None = None
    plain: bool = False
    since: Literal["1_3", "1_4", "1_5"] = "1_3"
    accept: list[str] = field(default_factory=list)
    plugin: str | None = None
    defines: dict[str, Any] = field(default_factory=dict)
    service: Service | None = None
    existing: str = "id"
    required: dict[str, Any] = field(default_factory=dict)

    def types(self) -> list[str]:
        """All node types that are read as the kind, the first one is written."""
        return [self.type, *([self.v2.type] if self.v2 is not None else ()), *self.accept]


#: properties that are resources, but no relationships
_BY_ID: Final = ("block_device_mapping_v2",)


@dataclass(eq=False, repr=False)
class Kind(Strict):
    """A kind of resource: one file of the catalogue.

    kind: its id, by which other kinds refer to it.
    heat: its Heat types; the first one is written.
    also: Heat types with other properties that are read as this kind (``hot/read/older_types.py`` says how).
    cloudify: the node type that it becomes.
    merge: in place of ``cloudify``: a function of ``translators/cloudify/hooks.py`` (``MERGES``) that makes it part of
        another node (with both, it is a node where the plugin 2.x is asked for).
    into: with ``merge``: what it becomes part of, in words.
    aliases: older names of Heat properties, each with the current one.
    constants: properties that every such node gets.
    identity: the runtime property that ``get_resource`` is.
    note: a difference worth reporting for every such resource.
    properties: Heat property -> how it is written (see *Property*).
    attributes: Heat attribute -> what answers it (see *Attribute*).
    only: dotted path of a property that only Cloudify has -> why (see *Only in Cloudify*).
    answers: way back: runtime property -> a function of ``openstack/attributes.py`` that makes it an attribute.
    by_name: the id of such a resource is its name.
    side_effects: kind -> what the OpenStack plugin does on any relationship to such a node; mere order goes through a
        node in between."""

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
    #: key of another language's column -> what a file has there, as plain data
    columns: dict[str, dict[str, Any]] = field(default_factory=dict, init=False)

    def types(self, language: str) -> list[str]:
        """The types of ``language`` that are read as this kind, the first one is written; [] without a column."""
        return COLUMNS[language].types(self) if language in COLUMNS else []

    def is_neutral(self, type: str) -> bool:
        """True for a type whose properties and attributes have the neutral names."""
        return type in self.heat

    def takes_names(self, name: str) -> bool:
        """True for a property that a resource is given to: Heat takes its name or its id (where it does not, reading
        has reported). Other properties have it as a mere text."""
        rule = self.properties.get(name)
        parts = () if rule is None else (rule, *rule.each.values())
        return bool(self.merge) or name in _BY_ID or any(part.lift or part.lookup for part in parts)

    def schema(self) -> dict[str, Any] | None:
        """What is known of the properties and attributes under their neutral names (see :mod:`.schemas`), or None."""
        return heat_type(self.heat[0]) if self.heat else None


class Column(NamedTuple):
    """How a language's types stand in a kind. ``key``: of its part in a kind's file, and of its types in the index;
    ``types``: all types that are read as the kind, the first one is written; ``taken``: those of them that it takes
    away from other kinds; ``exclusive``: a kind with other types has its former ones no longer; ``written_only``: key
    in the index of types that are written and not read; ``model``: the class of its part of a file, where that is
    :attr:`Kind.columns`; ``hooks``: such a part -> the functions that it names: each with its place and what it is
    for."""

    key: str
    types: Callable[[Kind], list[str]]
    taken: Callable[[Kind], list[str]]
    exclusive: bool = False
    written_only: str = ""
    model: Any = None
    hooks: Callable[[Mapping[str, Any]], Iterable[tuple[tuple[str, ...], str, str]]] = lambda part: ()


#: language -> its column; those of other languages are entered before users' files are read, which may have them
COLUMNS: Final[dict[str, Column]] = {
    "hot": Column(
        "heat",
        lambda kind: [*kind.heat, *kind.also],
        lambda kind: [*kind.heat, *kind.also],
        exclusive=True,
        written_only="back",
    ),
    "cloudify": Column(
        "cloudify",
        lambda kind: kind.cloudify.types() if kind.cloudify is not None else [],
        lambda kind: kind.cloudify.accept if kind.cloudify is not None else [],
    ),
}


def models() -> dict[str, Any]:
    """Key of a column in :attr:`Kind.columns` -> the class of its part."""
    return {column.key: column.model for column in COLUMNS.values() if column.model is not None}


def validated(data: Any) -> Kind:
    """``data`` (a file of the catalogue) as a :class:`Kind`, every key and type checked by pydantic.

    Raises ``pydantic.ValidationError``. The built-in files are checked by the tests, not at every start."""
    from pydantic import TypeAdapter

    columns = {key: data[key] for key in models() if key in data}
    kind = TypeAdapter(Kind).validate_python({key: part for key, part in data.items() if key not in columns})
    for key, part in columns.items():
        model: Any = dict[str, models()[key]]  # type: ignore[misc]
        TypeAdapter(model).validate_python({key: part})
    kind.columns = columns
    return kind


#: the keys of a file that are no column of another language
_KEYS: Final = frozenset(row.name for row in rows(Kind))


def made_of(data: dict[str, Any]) -> Kind:
    """``data``, which is known to be right, as a :class:`Kind`; it becomes part of it."""
    columns = {key: data.pop(key) for key in data.keys() - _KEYS}
    row = data.get("cloudify")
    if row is not None:
        if "service" in row:
            row = {**row, "service": Service(**row["service"])}
        data["cloudify"] = CloudifyType(**{**row, "v2": V2(**row["v2"])} if "v2" in row else row)
    data["properties"] = {name: _property(rule) for name, rule in data.get("properties", {}).items()}
    data["attributes"] = {name: AttributeRule(**rule) for name, rule in data.get("attributes", {}).items()}
    data["only"] = {path: Only(**row) for path, row in data.get("only", {}).items()}
    kind = Kind(**data)
    kind.columns = columns
    return kind


def _property(data: dict[str, Any]) -> PropertyRule:
    if "lift" in data:
        data["lift"] = Lift(**data["lift"])
    if "each" in data:
        data["each"] = {name: _property(rule) for name, rule in data["each"].items()}
    return PropertyRule(**data)
