"""The catalogue of types as tables: what ``bpconvert types`` and docs/types.md show."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from functools import cached_property
from typing import Any, Final

from bpconvert.models.light import NamedTuple, dataclass
from bpconvert.translators.catalogue.model import AttributeRule, Kind, Only, PropertyRule
from bpconvert.translators.catalogue.plugin import is_openstack
from bpconvert.translators.catalogue.stand_ins import loss, losses
from bpconvert.translators.catalogue.types import Catalogue
from bpconvert.translators.tosca.column import meaning, written_type
from bpconvert.translators.tosca.vocabulary import heat_name

#: hook of ``cloudify/openstack/attributes.py`` -> what it reads, where that is no attribute of the same name
_ANSWERS: Final = {
    "server_ip": "the first address",
    "floating_address": "the address of the connected floating IP",
    "server_address": "the first address of this version",
    "server_name": "the name",
    "address_of_interface": "the addresses of the interfaces",
    "port_address": "the first address of this version",
    "port_addresses": "the addresses of this version",
}
NODE, BACK, STAND_IN = "node", "only read back", "stand-in"


@dataclass
class Row:
    """One type of Heat and what becomes of it. ``how``: a node, part of another one, a stand-in, ...; ``properties``:
    how many the Heat type has (0: they are taken apart as a whole), ``carried``: how many of them have no counterpart;
    ``lost``: what a stand-in means."""

    heat: str
    cloudify: str = ""
    tosca: str = ""
    v2: str = ""
    how: str = NODE
    kind: str = ""
    properties: int = 0
    carried: int = 0
    lost: str = ""

    @property
    def fidelity(self) -> str:
        """In words, for a table."""
        if self.lost:
            return f"carried: {self.lost}"
        if self.carried:
            return f"{self.carried} of {self.properties} properties carried"
        return "exact" if self.properties else ""

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return {**asdict(self), "fidelity": self.fidelity}


@dataclass
class Property:
    """One property of a Heat type. ``path``: its place in the node; ``how``: what else becomes of it; ``carried``: why
    it has no counterpart."""

    name: str
    path: str = ""
    how: str = ""
    relationship: str = ""
    targets: tuple[str, ...] = ()
    default: Any = None
    note: str = ""
    carried: str = ""

    @property
    def words(self) -> str:
        """Everything but the path, for a table."""
        if self.carried:
            return f"no counterpart: {self.carried}"
        parts = [self.how] if self.how else []
        if self.relationship:
            parts.append(f"a reference to {' or '.join(self.targets)} is relationship {short(self.relationship)}")
        if self.default is not None:
            parts.append(f"Heat's default {json.dumps(self.default)} is written")
        return "; ".join([*parts, *([self.note] if self.note else [])])


class Fact(NamedTuple):
    """One thing by its name, and what is known about it."""

    name: str
    text: str


class Sheet:
    """Everything about one kind."""

    def __init__(self, kind: Kind, catalogue: Catalogue) -> None:
        self.kind = kind
        self.catalogue = catalogue

    @cached_property
    def node_types(self) -> list[str]:
        """The node types that are read as the kind."""
        return [name for name, owner in self.catalogue.types("cloudify").items() if owner == self.kind.kind]

    @property
    def how(self) -> str:
        """A node, or what it is part of."""
        if self.kind.merge is not None:
            return f"part of {self.kind.into or 'another node'}"
        return BACK if self.kind.heat[0] in self.catalogue.written_only("hot") else NODE

    @cached_property
    def properties(self) -> list[Property]:
        """The properties of the Heat type, those inside lists and maps below their own."""
        older = [Property(old, how=f"an older name of {name}") for old, name in self.kind.aliases.items()]
        return [*older, *_properties("", "", self.kind.properties)]

    @cached_property
    def attributes(self) -> list[Fact]:
        """The attributes of the Heat type."""
        return [Fact(name, _answer(rule)) for name, rule in self.kind.attributes.items()]

    @cached_property
    def relationships(self) -> list[Fact]:
        """The relationships of such a node that are more than order, on the way back."""
        facts = []
        for name, rule in _lifting(self.kind.properties):
            assert rule.lift is not None
            facts.append(Fact(short(rule.lift.relationship), f"to {either(rule.lift.targets)}: property {name}"))
        for split in self.catalogue.plugin.splits:
            resource = self.catalogue.kind(split.kind)
            if split.source == self.kind.kind and resource is not None:
                facts.append(Fact(split.relationship, f"to {split.target}: a resource, {resource.heat[0]}"))
        idle = sorted(name for name in self.catalogue.plugin.without_effect if name.startswith(f"{self.kind.kind}_"))
        return [*facts, *(Fact(name, "order only") for name in idle)]

    @cached_property
    def side_effects(self) -> list[Fact]:
        """What the plugin does on any relationship to such a node."""
        return [Fact(f"to {target}", effect) for target, effect in self.kind.side_effects.items()]

    @cached_property
    def constants(self) -> list[Fact]:
        """The properties that every such node gets."""
        return [Fact(path, json.dumps(value, ensure_ascii=False)) for path, value in self.kind.constants.items()]

    @cached_property
    def only(self) -> list[Fact]:
        """The properties that only Cloudify has."""
        common = self.catalogue.plugin.only if is_openstack(self.kind) else {}
        facts = []
        for path, row in {**self.kind.only, **common}.items():
            ignored = f" ({', '.join(map(json.dumps, row.ignore))}: nothing is reported)" if row.ignore else ""
            facts.append(Fact(path, f"{_severity(row)}: {row.why}{ignored}"))
        return facts

    @cached_property
    def runtime(self) -> list[Fact]:
        """The runtime properties that Heat answers, by their names in a blueprint."""
        rows = {self.kind.identity: "get_resource"} if self.kind.cloudify is not None else {}
        for name, rule in self.kind.attributes.items():
            for runtime in (rule.to, *rule.accept):
                rows.setdefault(runtime or "", f"attribute {name}")
        for runtime, hook in self.kind.answers.items():
            rows[runtime] = _ANSWERS.get(hook, hook.replace("_", " "))
        return [Fact(name, text) for name, text in rows.items() if name]

    def rows(self) -> Iterator[Row]:
        """The kind as lines of the table of all types."""
        kind, row = self.kind, self.kind.cloudify
        node_type = row.type if row is not None and kind.merge is None else ""
        v2 = row.v2.type if row is not None and row.v2 is not None else ""
        carried = sum(bool(rule.carry) for rule in kind.properties.values())
        for heat in (*kind.heat, *kind.also):
            tosca = written_type(kind, heat) or ""
            yield Row(heat, node_type, tosca, v2, self.how, kind.kind, len(kind.properties), carried)

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        kind, row = self.kind, self.kind.cloudify
        return {
            **next(self.rows()).as_dict(),
            "heat": [*kind.heat, *kind.also],
            "node_types": self.node_types,
            "plugin": row.plugin if row else None,
            "dsl_version": row.since if row else None,
            "identity": kind.identity,
            "note": kind.note,
            "properties": [asdict(rule) for rule in self.properties],
            "attributes": dict(self.attributes),
            "relationships": dict(self.relationships),
            "side_effects": dict(self.side_effects),
            "constants": kind.constants,
            "only_cloudify": dict(self.only),
            "runtime_properties": dict(self.runtime),
        }


def _severity(row: Only) -> str:
    """What is reported about a property that only Cloudify has."""
    if row.unread and not row.harmless:
        return f"an info, or a warning where '{row.unread}' is read"
    return "an info" if row.harmless else "a warning"


def _properties(name: str, path: str, rules: dict[str, PropertyRule]) -> Iterator[Property]:
    """``name`` and ``path``: what is before the names and paths of the rules."""
    for key, rule in rules.items():
        row = _property(name + key, path, rule)
        yield row
        for old, new in rule.aliases.items():
            yield Property(f"{name}{key}[].{old}", how=f"an older name of {new}")
        yield from _properties(f"{name}{key}[].", "" if rule.hook or not row.path else f"{row.path}[].", rule.each)


def _property(name: str, path: str, rule: PropertyRule) -> Property:
    if rule.carry:
        return Property(name, carried=rule.carry)
    lift = rule.lift
    return Property(
        name,
        path + (rule.to or rule.flatten or ""),
        "; ".join(_ways(rule)),
        lift.relationship if lift else "",
        tuple(lift.targets) if lift else (),
        rule.default,
        "; ".join(note for note in (rule.note, lift.note if lift else None) if note),
    )


def _ways(rule: PropertyRule) -> Iterator[str]:
    if rule.flatten:
        yield "its keys go there one by one"
    elif rule.hook and not rule.to:
        yield "taken apart"
    if rule.lookup:
        yield "an id, Heat also takes a name" if rule.lift is None else "found by name or id"
    if rule.silent:
        yield f"{rule.silent!r} where the template is silent"
    if rule.absent is not None:
        yield f"a blueprint that is silent means {json.dumps(rule.absent)}"
    if rule.silence:
        yield f"a blueprint that is silent means {rule.silence}, which Heat cannot do"


def _lifting(rules: dict[str, PropertyRule], name: str = "") -> Iterator[tuple[str, PropertyRule]]:
    for key, rule in rules.items():
        if rule.lift is not None:
            yield name + key, rule
        yield from _lifting(rule.each, f"{name}{key}[].")


def _answer(rule: AttributeRule) -> str:
    if rule.to:
        text = f"runtime property {rule.to}"
    elif rule.property:
        text = f"property {rule.property}"
    elif rule.reference:
        text = f"what property {rule.reference} refers to"
    else:
        text = "depends on its path"
    return f"{text}; {rule.note}" if rule.note else text


def short(relationship: str) -> str:
    """The last part of a relationship's type."""
    return relationship.rsplit(".", 1)[-1]


def either(names: list[str]) -> str:
    """``net or provider_net``."""
    return " or ".join(names)


def sheets(catalogue: Catalogue) -> list[Sheet]:
    """All kinds, by the name of their Heat type; those that are only read back last."""
    names = dict.fromkeys([*catalogue.types("hot").values(), *catalogue.written_only("hot").values()])
    sheets = [Sheet(kind, catalogue) for kind in map(catalogue.kind, names) if kind is not None]
    return sorted(sheets, key=lambda sheet: (sheet.how == BACK, sheet.kind.heat[0]))


def rows(catalogue: Catalogue) -> list[Row]:
    """Every type of Heat that something is known about: the mapped ones, then those that become something else than a
    node, then the stand-ins."""
    mapped = [row for sheet in sheets(catalogue) for row in sheet.rows()]
    mapped_types = {row.heat for row in mapped}
    others = [Row(heat, how=how) for heat, how in catalogue.otherwise.items() if heat not in mapped_types]
    mapped_types |= catalogue.otherwise.keys()
    lost = {name: entry.lost for name, entry in losses()["hot"].items() if name not in mapped_types}
    left = [Row(_pattern(name), how=STAND_IN, lost=what) for name, what in lost.items()]
    order = sorted(mapped, key=lambda row: (row.how == BACK, row.heat))
    return [*order, *sorted(others, key=lambda row: row.heat), *sorted(left, key=lambda row: row.heat)]


def _pattern(name: str) -> str:
    """A row of the stand-ins as it is shown: all types that begin so, or one."""
    return f"{name}*" if name.endswith(("::", ".")) else name


@dataclass
class NodeType:
    """A node type and what it is in Heat (``kind``: of the mapped ones)."""

    name: str
    heat: str
    kind: str = ""
    text: str = ""


def node_types(catalogue: Catalogue) -> Iterator[NodeType]:
    """Every node type that something is known about: the mapped ones, then the stand-ins."""
    mapped = {name: owner for name, owner in catalogue.types("cloudify").items() if owner is not None}
    for name, owner in mapped.items():
        kind = catalogue.kind(owner)
        if kind is not None and kind.heat:
            yield NodeType(name, kind.heat[0], kind.kind)
        elif kind is not None:
            yield NodeType(name, "", text="part of another resource, which has it by itself")
    for name, entry in losses()["cloudify"].items():
        if name not in mapped:
            yield NodeType(_pattern(name), "", text=f"a stand-in: {entry.lost}")


def names(catalogue: Catalogue) -> dict[str, Kind]:
    """Heat type or node type, of any language -> its kind."""
    kinds: dict[str, Kind] = {}
    for sheet in sheets(catalogue):
        row = sheet.kind.cloudify
        written = (row.type, *([row.v2.type] if row.v2 else [])) if row is not None else ()
        for name in (*sheet.kind.heat, *sheet.kind.also, *sheet.node_types):
            kinds[name] = sheet.kind
        for name in (*written, *filter(None, (written_type(sheet.kind, heat) for heat in sheet.kind.heat))):
            kinds.setdefault(name, sheet.kind)
    return kinds


def unmapped(name: str, catalogue: Catalogue) -> str | None:
    """What becomes of a type that has no kind, in words; None where nothing is known about it."""
    if name in catalogue.otherwise:
        return catalogue.otherwise[name]
    words = meaning(catalogue, name)
    if words is not None:
        return f"read as {words}"
    heat = heat_name(name)
    if heat is not None:
        return unmapped(heat, catalogue) or f"the node type of {heat}"
    entry = loss("hot", [name]) or loss("cloudify", [name])
    return None if entry is None else f"a stand-in: {entry.lost}. {entry.todo}"
