"""The type catalogue: what each kind of resource is called in each dialect and how its properties correspond.

The data is in ``translators/catalogue/*.yaml``, one file per kind; ``index.yaml`` says which file has which type. A
kind's property names are the neutral ones (Heat's canonical names); a dialect's row says where they go.
"""

from __future__ import annotations

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
    ``property``."""

    __pydantic_config__: ClassVar[Any] = _STRICT

    relationship: str
    targets: list[str]
    keep: bool = False
    mixed: str = "property"


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
    ``note``: a difference worth telling."""

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


@dataclass(eq=False, repr=False)
class AttributeRule:
    """What answers a Heat attribute: a runtime property (``to``), a property of the node (``property``), the id of
    the node that a neutral property refers to (``reference``), or a ``hook``."""

    __pydantic_config__: ClassVar[Any] = _STRICT

    to: str | None = None
    property: str | None = None
    reference: str | None = None
    hook: str | None = None
    note: str | None = None


@dataclass(eq=False, repr=False)
class V2:
    """Names of the 2.x plugin: node type, the property that wraps the resource's settings, and renamed settings."""

    __pydantic_config__: ClassVar[Any] = _STRICT

    type: str
    wrapper: str
    rename: dict[str, str] = field(default_factory=dict)


@dataclass(eq=False, repr=False)
class CloudifyType:
    """The node type. ``plain``: not of the OpenStack plugin (no ``client_config``, no ``resource_config``)."""

    __pydantic_config__: ClassVar[Any] = _STRICT

    type: str
    v2: V2 | None = None
    plain: bool = False
    since: str = "1_3"


@dataclass(eq=False, repr=False)
class Kind:
    """One file of the catalogue. ``merge`` names the function that absorbs such a resource into another node."""

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


class Catalogue:
    """The built-in catalogue; files are read when a type of theirs is first asked for."""

    def __init__(self) -> None:
        index = _read("index")
        self._by_heat: dict[str, str] = index["heat"]
        self._side_effects: dict[tuple[str, str], str] = {(a, b): text for a, b, text in index["side_effects"]}
        self._kinds: dict[str, Kind] = {}

    def kind(self, name: str | None) -> Kind | None:
        """The kind with this id, or None."""
        if name is None:
            return None
        found = self._kinds.get(name)
        if found is None and name in self._by_heat.values():
            found = self._kinds[name] = _kind(_read(name))
        return found

    def heat_kind(self, heat_type: str) -> Kind | None:
        """The kind of a Heat resource type, or None where it is not mapped."""
        return self.kind(self._by_heat.get(heat_type))

    def heat_types(self) -> dict[str, str]:
        """Every mapped Heat type and its kind's id."""
        return dict(self._by_heat)

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
