"""The properties of a node template as written, each by the dotted path that the catalogue names it by, and what reads
them by the rules of the catalogue."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.light import dataclass, field
from bpconvert.models.topology import Node
from bpconvert.translators.catalogue.model import Kind, Only, PropertyRule
from bpconvert.translators.catalogue.types import Catalogue
from bpconvert.translators.passes.expressions.choices import each_outcome
from bpconvert.translators.support.findings import Reports

CONFIG, KWARGS = "resource_config", "resource_config.kwargs"
#: values that say nothing
EMPTY: tuple[Any, ...] = (None, "", [], {})
#: the names in a list of ``{name: text}`` that is not written out
_NAMES = "$.data.items.select(switch(isDict($) => $.name, true => $))"
#: where a property of a container may stand as well
_TWINS = (f"{KWARGS}.", f"{CONFIG}.")


@dataclass(eq=False, repr=False)
class Entry:
    """One property: its value, its place in the blueprint, and whether the node template has it (or the default of its
    type)."""

    value: Value
    place: Path
    own: bool = True


class Notes:
    """What is reported once in a blueprint, ``credentials`` once for each that differ. ``later``: properties (of nodes)
    that a relationship may say."""

    def __init__(self) -> None:
        self.credentials: set[str] = set()
        #: the clouds that the credentials are for: setting -> its first value
        self.clouds: dict[str, str] = {}
        #: server -> its management network (2.x)
        self.management: dict[str, Entry] = {}
        self.connection: set[str] = set()
        #: router -> its extra routes
        self.routes: dict[str, Entry] = {}
        self.later: list[tuple[str, Entry, Only]] = []


@dataclass(eq=False, repr=False)
class Written:
    """All of them. ``opaque``: containers that are not written out. ``external``: the resource exists already."""

    entries: dict[str, Entry] = field(default_factory=dict)
    opaque: list[Entry] = field(default_factory=list)
    external: bool = False
    #: the key that the 2.x plugin has for the settings (None: of 3.x), and names of settings in it -> of 3.x
    wrapper: str | None = None
    rename: dict[str, str] = field(default_factory=dict)
    #: calls that yield settings
    settings: list[Entry] = field(default_factory=list)

    @property
    def old(self) -> bool:
        """True when the rules of the 2.x plugin hold."""
        return self.wrapper is not None

    def add(self, path: str, value: Value, place: Path, own: bool) -> None:
        """Add a property; one that the node template has goes before a default."""
        for twin in twins(path) if own else (path,):
            earlier = self.entries.get(twin)
            if earlier is not None and (own and twin != path):
                del self.entries[twin]
            elif earlier is not None and earlier.own and not own:
                return
        self.entries[path] = Entry(value, place, own)

    def take(self, *paths: str) -> list[Entry]:
        """Remove and return what stands at any of ``paths``, in or out of ``kwargs``; the first is the one that
        counts."""
        entries = []
        for path in paths:
            for twin in twins(path):
                entry = self.entries.pop(twin, None)
                if entry is not None:
                    entries.append(entry)
        return sorted(entries, key=lambda entry: not entry.own)


def twins(path: str) -> tuple[str, ...]:
    """``path``, and the place in or out of ``kwargs`` that means the same."""
    inner, outer = _TWINS
    if path.startswith(inner):
        return path, outer + path[len(inner) :]
    return (path, inner + path[len(outer) :]) if path.startswith(outer) else (path,)


@lru_cache(maxsize=256)
def containers(kind: Kind) -> frozenset[str]:
    """The properties of other plugins' types that are maps, of which the catalogue names single keys."""
    rules = kind.properties.values()
    paths = {path for rule in rules for path in (rule.to, *rule.accept, *rule.adds) if path} | set(kind.only)
    parents = {path.rsplit(".", count)[0] for path in paths for count in range(1, path.count(".") + 1)}
    flattened = {rule.flatten for rule in rules if rule.flatten}
    return frozenset(path for path in parents | flattened if path.split(".")[0] != CONFIG)


def read(
    path: Path,
    properties: dict[str, Value],
    declared: dict[str, Value],
    wrapper: str | None,
    rename: dict[str, str],
    inside: frozenset[str] = frozenset(),
) -> Written:
    """The properties of the node template at ``path``. ``declared``: with the defaults of its types; ``wrapper``: the
    key that the 2.x plugin has for the resource's settings, ``rename``: names of settings in it -> of 3.x; ``inside``:
    maps whose keys count one by one (see :func:`containers`)."""
    written = Written(external=declared.get("use_external_resource") is True, wrapper=wrapper, rename=rename)
    for key, value in {**properties, **{k: v for k, v in declared.items() if k not in properties}}.items():
        place = (*path, "properties", key)
        if key == CONFIG:
            container(written, CONFIG, declared.get(key, value), properties.get(key), place, {})
        elif key == wrapper and (isinstance(value, dict) or key in properties):
            container(written, CONFIG, declared.get(key, value), properties.get(key), place, rename)
        elif key in inside:
            _parts(written, str(key), declared.get(key, value), properties.get(key), place, inside)
        elif key != "use_external_resource":
            written.add(str(key), value, place, key in properties)
    return written


def _parts(written: Written, to: str, value: Value, assigned: Value, place: Path, inside: frozenset[str]) -> None:
    """The keys of a map that is a property of another plugin's type."""
    if isinstance(value, ex.Expr):
        written.opaque.append(Entry(value, place, assigned is not None))
    elif not isinstance(value, dict):
        written.add(to, value, place, assigned is not None)
    else:
        for key, part in value.items():
            own = assigned.get(key) if isinstance(assigned, dict) else None
            name = f"{to}.{key}"
            if name in inside:
                _parts(written, name, part, own, (*place, key), inside)
            else:
                written.add(name, part, (*place, key), isinstance(assigned, dict) and key in assigned)


def container(written: Written, to: str, value: Value, assigned: Value, place: Path, rename: dict[str, str]) -> None:
    """Add the settings in a map, and in its ``kwargs``. ``assigned``: what the node template itself has here."""
    if isinstance(value, ex.Merge) and to == KWARGS:
        for index, part in enumerate(value.maps if isinstance(value.maps, list) else [value.maps]):
            container(written, to, part, part if assigned is not None else None, (*place, index), rename)
        return
    if not isinstance(value, dict):
        if isinstance(value, ex.Expr):
            (written.settings if to == KWARGS else written.opaque).append(Entry(value, place, assigned is not None))
        return
    first = [key for key in assigned if key in value] if isinstance(assigned, dict) else []
    for key in dict.fromkeys([*first, *value]):
        part, own = value[key], key in assigned if isinstance(assigned, dict) else isinstance(assigned, ex.Expr)
        if key == "kwargs" and to == CONFIG:
            inner = assigned.get(key) if isinstance(assigned, dict) else assigned
            container(written, KWARGS, part, inner, (*place, key), rename)
        else:
            written.add(f"{to}.{rename.get(str(key), str(key))}", part, (*place, key), own)


def same(value: Value, other: Any) -> bool:
    """True for the same value of the same type."""
    return value == other and isinstance(value, bool) is isinstance(other, bool)


# -- reading them by the rules of the catalogue --------------------------------------------------------------


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
        """Report a property without a Heat equivalent."""
        self.report("BPC352", place, name=name, type=self.node.source_type, why=why)

    def entry(self, rule: PropertyRule) -> Entry | None:
        """What is written for a rule (and for it alone)."""
        entries = self.written.take(*([rule.to] if rule.to else []), *rule.accept)
        meant = [entry for entry in entries if not self._is_nothing(entry, rule)]
        for other in meant[1:]:
            if other.own and other.value != meant[0].value:
                self.report("BPC362", other.place, name=other.place[-1])
        return meant[0] if meant else None

    def shaped(self, name: str, rule: PropertyRule, value: Value, place: Path, steps: Path = ()) -> Value:
        """The neutral form of a value."""
        steps = steps or (name,)
        if isinstance(value, ex.If) and (rule.each or rule.items):
            origins = dict(self.node.origins)
            cases = each_outcome(value, lambda part: part and self.shaped(name, rule, part, place, steps))
            self.node.origins = origins  # the cases would have the same places
            return cases
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
        if rule.items == "name_maps" and isinstance(value, ex.Repeat) and isinstance(value.for_each, dict):
            marks = list(value.for_each.items())
            if len(marks) == 1 and value.template == {"name": marks[0][0]}:
                return marks[0][1]
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
                self.report("BPC301", (*place, key), name=key, type=self.node.source_type)
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
        if entry.value is None or (not entry.own and entry.value in (*EMPTY, rule.usual)):
            return True
        if is_made_up(rule, entry.value):
            return True
        return not isinstance(entry.value, ex.Expr) and entry.value in rule.ignore


def is_made_up(rule: PropertyRule, value: Value) -> bool:
    """True for an empty name, in place of which the plugin makes one up (openstack_plugin/utils.py,
    ``get_resource_name``)."""
    return rule.to == f"{CONFIG}.name" and isinstance(value, str) and value == ""


def passes(rule: PropertyRule) -> bool:
    """True when Heat takes all keys of the maps as the plugin names them."""
    return all(
        part.hook or any(rule.aliases.get(key, key) == name for key in (part.to, *part.accept) if key)
        for name, part in rule.each.items()
    )
