"""The type catalogue: what each kind of resource is called in each dialect and how its properties correspond.

The data is in ``translators/catalogue/*.yaml``, one file per kind; ``index.yaml`` says which file has which type. A
kind's property names are the neutral ones (Heat's canonical names); a dialect's row says where they go.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar

from bpconvert.yamlio.document import load

_FOLDER = Path(__file__).parent / "catalogue"
#: for :func:`validated`
_STRICT = {"extra": "forbid"}


@dataclass(eq=False, repr=False)
class Lift:
    """References to ``targets`` (kinds) become a relationship. ``keep``: the value stays as well. ``mixed``: what to do
    when only some items of a list are references: ``materialise`` the others as external nodes, or keep the
    ``property``. ``fill``: what a relationship is on the way back: the ``value``, an ``item`` of the list, an
    ``entry`` (a map with this key in the list), or a ``key`` of the map."""

    __pydantic_config__: ClassVar[Any] = _STRICT

    relationship: str
    targets: list[str]
    keep: bool = False
    mixed: str = "property"
    fill: str = "value"


@dataclass(eq=False, repr=False)
class PropertyRule:
    """How one neutral property is said in Cloudify.

    ``to``: dotted path in the node's properties. ``each``: rules for the keys of a map, or of each map of a list
    (``aliases``: source keys that mean another). ``items: name_maps``: texts become ``{name: text}``. ``default``:
    Heat's default, written when the source is silent. ``carry``: no counterpart, the text says why (values in
    ``ignore`` need none). ``flatten``: the keys of the map are merged into the map at this path. ``hook``: a function
    of ``translators/cloudify/hooks.py``. ``lookup``: Heat accepts a name here and looks it up, the plugin does not.
    ``silent``: the existing resource that is meant when the source is silent, where the plugin would send an empty
    list. ``type``: ``string``, ``integer`` or ``boolean``, what Heat and the plugin's schema make of a literal.
    ``note``: a difference worth telling.

    On the way back: ``accept``: further paths that mean it. Values in ``ignore`` mean nothing. ``usual``: what both do
    by default. ``absent``: what the plugin does where the blueprint is silent and Heat would do something else
    (``beside``: where that property is said); ``silence``: such a thing that Heat cannot do. ``adds``: properties of
    the node that are one more item of the list, and the item's key."""

    __pydantic_config__: ClassVar[Any] = _STRICT

    to: str | None = None
    each: dict[str, PropertyRule] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)
    lift: Lift | None = None
    lifted_note: str | None = None
    items: str | None = None
    default: Any = None
    carry: str | None = None
    ignore: list[Any] = field(default_factory=list)
    flatten: str | None = None
    hook: str | None = None
    lookup: bool = False
    silent: str | None = None
    type: str | None = None
    note: str | None = None
    accept: list[str] = field(default_factory=list)
    usual: Any = None
    absent: Any = None
    silence: str | None = None
    beside: str | None = None
    adds: dict[str, str] = field(default_factory=dict)


@dataclass(eq=False, repr=False)
class Only:
    """A property that only Cloudify has, and why. ``ignore``: values that mean nothing. ``harmless``: it has no effect
    on the resource. ``said_by``: the kind of resource that says it, where a relationship becomes one."""

    __pydantic_config__: ClassVar[Any] = _STRICT

    why: str
    ignore: list[Any] = field(default_factory=list)
    harmless: bool = False
    said_by: str | None = None


@dataclass(eq=False, repr=False)
class Split:
    """A relationship of the plugin that is a resource of its own in Heat (``kind``). ``near`` and ``far``: its
    properties for the source and the target."""

    relationship: str
    source: str
    target: str
    kind: str
    near: str
    far: str
    name: str


@dataclass(eq=False, repr=False)
class AttributeRule:
    """What answers a Heat attribute: a runtime property (``to``), a property of the node (``property``), the id of
    the node that a neutral property refers to (``reference``), or a ``hook``. ``accept``: further runtime
    properties that mean the same."""

    __pydantic_config__: ClassVar[Any] = _STRICT

    to: str | None = None
    property: str | None = None
    reference: str | None = None
    hook: str | None = None
    note: str | None = None
    accept: list[str] = field(default_factory=list)


@dataclass(eq=False, repr=False)
class V2:
    """Names of the 2.x plugin: node type, the property that wraps the resource's settings, and renamed settings."""

    __pydantic_config__: ClassVar[Any] = _STRICT

    type: str
    wrapper: str
    rename: dict[str, str] = field(default_factory=dict)


@dataclass(eq=False, repr=False)
class CloudifyType:
    """The node type. ``plain``: not of the OpenStack plugin (no ``client_config``, no ``resource_config``). ``accept``:
    further node types that are read as this kind. ``plugin``: what a blueprint has to import for the type (None: the
    OpenStack plugin, or nothing where the type is plain). ``defines``: the type's definition, which the blueprint gets
    under ``node_types``."""

    __pydantic_config__: ClassVar[Any] = _STRICT

    type: str
    v2: V2 | None = None
    plain: bool = False
    since: str = "1_3"
    accept: list[str] = field(default_factory=list)
    plugin: str | None = None
    defines: dict[str, Any] = field(default_factory=dict)


@dataclass(eq=False, repr=False)
class Kind:
    """One file of the catalogue. ``merge`` names the function that absorbs such a resource into another node.

    ``only``: paths of properties that only Cloudify has.
    ``answers``: runtime properties that a hook of ``translators/cloudify/runtime.py`` turns into an attribute.
    ``by_name``: the id of such a resource is its name."""

    __pydantic_config__: ClassVar[Any] = _STRICT

    kind: str
    heat: list[str]
    cloudify: CloudifyType | None = None
    merge: str | None = None
    aliases: dict[str, str] = field(default_factory=dict)
    constants: dict[str, Any] = field(default_factory=dict)
    identity: str = "id"
    note: str | None = None
    properties: dict[str, PropertyRule] = field(default_factory=dict)
    attributes: dict[str, AttributeRule] = field(default_factory=dict)
    only: dict[str, Only] = field(default_factory=dict)
    answers: dict[str, str] = field(default_factory=dict)
    by_name: bool = False


class Catalogue:
    """The built-in catalogue; files are read when a type of theirs is first asked for."""

    def __init__(self) -> None:
        index = _read("index")
        self._by_heat: dict[str, str] = index["heat"]
        self._side_effects: dict[tuple[str, str], str] = {(a, b): text for a, b, text in index["side_effects"]}
        self._back: dict[str, str] = index["back"]
        self._by_cloudify: dict[str, str | None] = index["cloudify"]
        #: node types that are not converted -> what Heat calls such a resource
        self.heat_names: dict[str, str] = index["heat_names"]
        #: relationships of the OpenStack plugin that are resources of their own in Heat
        self.splits = [Split(**row) for row in index["splits"]]
        self._fills: dict[str, dict[str, tuple[str, str | None, PropertyRule]]] = {}
        #: relationships of the OpenStack plugin that only order
        self.without_effect: frozenset[str] = frozenset(index["without_effect"])
        #: paths of properties that all node types of the OpenStack plugin have and Heat has not
        self.only: dict[str, Only] = {path: Only(**row) for path, row in index["only"].items()}
        self._kinds: dict[str, Kind] = {}

    def kind(self, name: str | None) -> Kind | None:
        """The kind with this id, or None."""
        if name is None:
            return None
        found = self._kinds.get(name)
        if found is None and (name in self._by_heat.values() or name in self._back.values()):
            found = self._kinds[name] = _kind(_read(name))
        return found

    def heat_kind(self, heat_type: str) -> Kind | None:
        """The kind of a Heat resource type, or None where it is not mapped."""
        return self.kind(self._by_heat.get(heat_type))

    def cloudify_kind(self, ancestry: Iterable[str]) -> tuple[Kind, str] | None:
        """The kind of a node type, given with its parents, and the mapped type that decides it; None where it is not
        mapped.

        A type of another plugin that is derived from ``cloudify.nodes.Compute`` is no existing machine."""
        own = True
        for name in ancestry:
            if name in self._by_cloudify:
                found = self.kind(self._by_cloudify[name])
                plain = found is None or found.cloudify is None or found.cloudify.plain
                return None if found is None or (plain and not own) else (found, name)
            own = own and not name.startswith("cloudify.")
        return None

    def cloudify_types(self) -> dict[str, str | None]:
        """Every known Cloudify node type and its kind's id."""
        return dict(self._by_cloudify)

    def fill(self, source: Kind, target: str | None) -> tuple[str, str | None, PropertyRule] | None:
        """What any relationship between nodes of these kinds sets: the property, the key in it (or None), and the
        rule."""
        known = self._fills.get(source.kind)
        if known is None:
            known = self._fills[source.kind] = {}
            for name, rule in source.properties.items():
                for key, part in ((None, rule), *rule.each.items()):
                    for kind in part.lift.targets if part.lift is not None and not part.lift.keep else ():
                        known.setdefault(kind, (name, key, part))
        return known.get(target or "")

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
        return self._side_effects.get((source or "", target or ""))


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


def _read(name: str) -> Any:
    path = _FOLDER / f"{name}.yaml"
    return load(path.read_text(encoding="utf-8"), f"catalogue/{name}.yaml").data


@lru_cache(maxsize=1)
def builtin() -> Catalogue:
    """The catalogue that comes with the package."""
    return Catalogue()
