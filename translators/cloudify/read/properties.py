"""The properties of a mapped node under Heat's names: the catalogue's property rules, read backwards."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.topology import Node
from bpconvert.translators.catalogue.model import Kind, Only, PropertyRule
from bpconvert.translators.catalogue.types import Catalogue
from bpconvert.translators.cloudify import hooks
from bpconvert.translators.cloudify.openstack import client
from bpconvert.translators.cloudify.openstack.property_paths import CONFIG, KWARGS, Entry, Notes, Written, same, twins
from bpconvert.translators.support.findings import Reports
from bpconvert.translators.support.text import is_uuid

#: keys of ``client_config``: who asks
_CREDENTIALS = {*client.KEYS, *client.KEYS.values(), "user_domain_id", "project_domain_id", "project_id", "tenant_id"}
#: which cloud, and which part of it
_CLOUD = {
    "auth_url": "auth_url",
    **dict.fromkeys(("region_name", "region"), "region"),
    **dict.fromkeys(("project_name", "tenant_name"), "project"),
    **dict.fromkeys(("project_id", "tenant_id"), "project_id"),
}
#: the names in a list of ``{name: text}`` that is not written out
_NAMES = "$.data.items.select(switch(isDict($) => $.name, true => $))"
_EMPTY: tuple[Any, ...] = (None, "", [], {})


@dataclass(eq=False, repr=False)
class Reading:
    """One node in the making. ``exact``: its type is one of the plugin's own, so it has no properties of the
    blueprint's. ``numbers``: inputs that are numbers; ``lists``: those that are lists of texts."""

    node: Node
    kind: Kind
    written: Written
    catalogue: Catalogue
    reporter: Reports
    notes: Notes
    exact: bool = True
    numbers: frozenset[str] = frozenset()
    lists: frozenset[str] = frozenset()
    #: the names of the blueprint's security groups, each with its node
    groups: list[tuple[Value, str]] = field(default_factory=list)

    # -- used by the hooks ----------------------------------------------------------------------------------

    def put(self, name: str, value: Value, place: Path) -> None:
        """Set a neutral property that stands at ``place``."""
        self.node.properties[name] = value
        self.node.origins[name,] = place

    def report(self, code: str, place: Path, **texts: Any) -> None:
        """Report something about this node."""
        self.reporter.report(code, place, **texts)

    def lost(self, name: str, place: Path, why: str) -> None:
        """Report a property that Heat has nothing for."""
        self.report("BPC352", place, name=name, type=self.node.source_type, why=why)

    def entry(self, rule: PropertyRule) -> Entry | None:
        """What is written for a rule (and for it alone)."""
        found = self.written.take(*([rule.to] if rule.to else []), *rule.accept)
        meant = [entry for entry in found if not self._is_nothing(entry, rule)]
        for other in meant[1:]:
            if other.own and other.value != meant[0].value:
                self.report("BPC362", other.place, name=other.place[-1])
        return meant[0] if meant else None

    def shaped(self, name: str, rule: PropertyRule, value: Value, place: Path, steps: Path = ()) -> Value:
        """The neutral form of a value."""
        steps = steps or (name,)
        if rule.each:
            if isinstance(value, list):
                return [self._item(name, rule, item, (*place, i), (*steps, i)) for i, item in enumerate(value)]
            if isinstance(value, dict):
                return self._item(name, rule, value, place, steps)
            if isinstance(value, ex.Expr) and not passes(rule):
                self.report("BPC353", place, name=name)
                return MISSING
        if rule.items == "name_maps" and isinstance(value, list):
            return [self._name(item, (*place, i), (*steps, i)) for i, item in enumerate(value)]
        if rule.items == "name_maps" and isinstance(value, ex.Expr) and not self._is_list_of_texts(value):
            return ex.Query(_NAMES, {"items": value}, path=value.path)
        if rule.type == "string" and isinstance(value, ex.Concat) and len(value.items) == 1:
            inner = value.items[0]
            return inner if isinstance(inner, ex.Input) else value
        return value

    def _item(self, name: str, rule: PropertyRule, item: Value, place: Path, steps: Path) -> Value:
        if not isinstance(item, dict):
            if isinstance(item, ex.Expr) and not passes(rule):
                self.report("BPC353", place, name=name)
            return item
        names = {key: neutral for neutral, part in rule.each.items() for key in (part.to, *part.accept) if key}
        result: dict[Any, Value] = {}
        for key, value in item.items():
            neutral = names.get(key, rule.aliases.get(key, key)) if isinstance(key, str) else None
            part = rule.each.get(neutral) if neutral is not None else None
            if part is None and rule.open:
                result[key] = value
            elif part is None or neutral is None:
                self.report("BPC354", (*place, key), name=key, type=self.node.source_type)
            elif value is None or value in part.ignore:
                continue
            elif neutral in result:
                self.report("BPC362", (*place, key), name=key)
            elif part.default is None or not same(value, part.default):
                inner = (*steps, neutral)
                result[neutral] = self.shaped(str(neutral), part, value, (*place, key), inner)
                if key != neutral:
                    self.node.origins[inner] = (*place, key)
        return result

    def _is_list_of_texts(self, value: ex.Expr) -> bool:
        return isinstance(value, ex.Input) and value.name in self.lists and not value.keys

    def _name(self, item: Value, place: Path, steps: Path) -> Value:
        """One of a list of ``{name: text}``."""
        if isinstance(item, dict) and item.keys() == {"name"}:
            self.node.origins[steps] = (*place, "name")
            return item["name"]
        return item

    def _is_nothing(self, entry: Entry, rule: PropertyRule) -> bool:
        if entry.value is None or (not entry.own and entry.value in (*_EMPTY, rule.usual)):
            return True
        return not isinstance(entry.value, ex.Expr) and entry.value in rule.ignore


def passes(rule: PropertyRule) -> bool:
    """True when Heat takes all keys of the maps as the plugin names them."""
    return all(
        part.hook or any(rule.aliases.get(key, key) == name for key in (part.to, *part.accept) if key)
        for name, part in rule.each.items()
    )


def convert(reading: Reading) -> None:
    """Fill the node's properties from what is written; everything that is left over is reported."""
    kind, written = reading.kind, reading.written
    for entry in written.take("client_config"):
        connection(entry, reading.notes, reading.reporter)
    whole = any(rule.to == CONFIG for rule in kind.properties.values())
    for entry in () if whole else written.opaque:
        reading.report("BPC353", entry.place, name=entry.place[-1])
    if written.external and kind.cloudify is not None and not kind.cloudify.plain:
        _existing(reading)
        return
    order = {id(entry): number for number, entry in enumerate(written.entries.values())}
    numbers: dict[str, int] = {}
    for name, rule in kind.properties.items():
        before = written.entries
        hook = hooks.READ.get(rule.hook) if rule.hook else None
        places = [order[id(before[p])] for path in (rule.to, *rule.accept) if path for p in twins(path) if p in before]
        numbers[name] = min(places, default=len(order))
        if hook is not None:
            hook(reading, name, rule)
        elif rule.to and not rule.carry:
            _plain(reading, name, rule)
    _left_over(reading)
    properties = reading.node.properties
    for name, rule in kind.properties.items():
        if rule.beside is not None and properties.get(rule.beside) is not None:
            reading.put(name, rule.absent, reading.node.origin(rule.beside))
            numbers[name] = numbers[rule.beside]
    reading.node.properties = {name: properties[name] for name in sorted(properties, key=lambda n: numbers.get(n, -1))}


def _plain(reading: Reading, name: str, rule: PropertyRule) -> None:
    entry = reading.entry(rule)
    added = [(key, one) for path, key in rule.adds.items() for one in reading.written.take(path)]
    added = [(key, one) for key, one in added if one.value not in _EMPTY]
    if added:
        _with_items(reading, name, rule, entry, added)
        return
    if entry is None:
        if rule.absent is not None:
            reading.put(name, rule.absent, (*reading.node.path, "properties"))
        elif rule.silence is not None and not reading.written.old:
            place = (*reading.node.path, "properties")
            reading.report("BPC365", place, name=name, what=rule.silence, default=rule.default)
        return
    if rule.default is not None and not isinstance(rule.default, list) and same(entry.value, rule.default):
        return
    value = reading.shaped(name, rule, entry.value, entry.place)
    if value is not MISSING:
        reading.put(name, value, entry.place)


def _with_items(
    reading: Reading, name: str, rule: PropertyRule, entry: Entry | None, added: list[tuple[str, Entry]]
) -> None:
    """A list with items that are properties of the node, unless it has them."""
    value = [] if entry is None else reading.shaped(name, rule, entry.value, entry.place)
    place = added[0][1].place if entry is None else entry.place
    reading.put(name, value, place)
    for key, one in added:
        if not isinstance(value, list):
            reading.report("BPC362", one.place, name=one.place[-1])
        elif not any(isinstance(item, dict) and item.get(key) == one.value for item in value):
            reading.node.origins[name, len(value), key] = one.place
            value.append({key: one.value})


# -- what is not a property of the resource -----------------------------------------------------------------


def connection(entry: Entry, notes: Notes, reporter: Reports) -> None:
    """Who asks OpenStack is not part of a template."""
    given = entry.value if isinstance(entry.value, dict) else {}
    known = isinstance(entry.value, ex.Expr) or any(given[key] not in _EMPTY for key in _CREDENTIALS & given.keys())
    if known and repr(entry.value) not in notes.credentials:
        notes.credentials.add(repr(entry.value))
        reporter.report("BPC350", entry.place)
        _cloud(notes, reporter, given, entry.place)
    for key, value in given.items() if entry.own else ():
        if key not in _CREDENTIALS and value not in (*_EMPTY, False) and key not in notes.connection:
            notes.connection.add(key)
            reporter.report("BPC363", (*entry.place, key), name=key)


def _cloud(notes: Notes, reporter: Reports, given: dict[str, Value], place: Path) -> None:
    """A stack has its resources in one project of one cloud."""
    for key, what in _CLOUD.items():
        if given.get(key) in _EMPTY:
            continue
        known = notes.clouds.setdefault(what, repr(given[key]))
        if known != repr(given[key]):
            reporter.report("BPC372", (*place, key), name=key)


def _existing(reading: Reading) -> None:
    """A resource that exists already: only its id or its name counts."""
    node, written, kind = reading.node, reading.written, reading.kind
    ids, names = written.take(f"{CONFIG}.id"), written.take(f"{CONFIG}.name")
    for entry in (*ids, *names):
        if entry.value in (None, ""):
            continue
        if node.exists:
            reading.report("BPC356", entry.place, what=f"'{entry.place[-1]}'")
        elif kind.kind in _ONLY_NAMED:
            node.external_name = entry.value
        elif kind.by_name or (entry in ids and _is_id(node.name, entry.value)):
            node.external_id = entry.value
        else:
            node.external_name = entry.value
        node.origins.setdefault(("external_id",), entry.place)
    for path, entry in written.entries.items():
        row = _only(reading, path)
        ignored = _EMPTY if row is None else (*_EMPTY, *row.ignore)
        if entry.own and path not in kind.constants and entry.value not in ignored:
            if row is not None and row.said_by is not None:
                reading.notes.later.append((node.name, entry, row))
            elif path in _SET_ANYWAY.get(kind.kind, ()):
                reading.lost(str(entry.place[-1]), entry.place, "Heat does not change a resource that exists already")
            elif row is None or row.harmless:
                reading.report("BPC356", entry.place, what=f"'{entry.place[-1]}'")
            else:
                reading.lost(str(entry.place[-1]), entry.place, row.why)
    written.entries.clear()


#: kinds of which Heat takes no ``external_id``: it asks for the properties all the same (heat: RBACPolicy.validate)
_ONLY_NAMED = ("rbac_policy",)
#: what the plugin changes about a resource that exists
_SET_ANYWAY = {"port": (f"{CONFIG}.allowed_address_pairs",)}


def _is_id(name: str, value: Value) -> bool:
    """True for what is an id. The conversion from HOT names a node ``external_...`` where Heat takes a name, too."""
    return is_uuid(value) or (isinstance(value, ex.Expr) and not name.startswith("external_"))


def _left_over(reading: Reading) -> None:
    """Settings that no rule has: for ``value_specs`` where the resource has those, else reported."""
    kind = reading.kind
    flat = [(name, rule.flatten) for name, rule in kind.properties.items() if rule.flatten]
    specs, inside = flat[0] if flat else (None, CONFIG)
    passed: dict[str, Value] = {}
    for path, entry in reading.written.entries.items():
        row = _only(reading, path)
        name = entry.place[-1]
        if entry.value is None or (not entry.own and entry.value in _EMPTY):
            continue
        if row is not None:
            _cloudify_only(reading, entry, row)
        elif same(entry.value, kind.constants.get(path, MISSING)):
            continue
        elif not path.startswith((f"{CONFIG}.", f"{inside}.")):
            if entry.own and not reading.exact:
                why = "it is a property of the blueprint's own type, which the plugin does not read"
                reading.report("BPC351", entry.place, name=name, why=why)
            elif entry.own:
                reading.report("BPC354", entry.place, name=name, type=reading.node.source_type)
        elif specs is None or path == f"{CONFIG}.id":
            reading.report("BPC354", entry.place, name=name, type=reading.node.source_type)
        else:
            key = path.removeprefix(f"{inside}.").removeprefix(f"{KWARGS}.").removeprefix(f"{CONFIG}.")
            passed[key] = entry.value
            reading.node.origins[specs, key] = entry.place
            reading.report("BPC355", entry.place, name=key)
    if passed and specs is not None:
        reading.node.properties[specs] = passed


def _only(reading: Reading, path: str) -> Only | None:
    kind = reading.kind
    common = {} if kind.cloudify is None or kind.cloudify.plain else reading.catalogue.plugin.only
    for twin in twins(path):
        row = kind.only.get(twin) or common.get(twin)
        if row is not None:
            return row
    return None


def _cloudify_only(reading: Reading, entry: Entry, row: Only) -> None:
    name = entry.place[-1]
    if (not isinstance(entry.value, ex.Expr) and entry.value in row.ignore) or (row.harmless and not entry.own):
        return
    if name in reading.kind.constants and same(entry.value, reading.kind.constants[str(name)]):
        return
    if row.said_by is not None:
        reading.notes.later.append((reading.node.name, entry, row))
    elif row.harmless:
        reading.report("BPC351", entry.place, name=name, why=row.why)
    else:
        reading.lost(str(name), entry.place, row.why)
