"""The properties of a node template as written, each by the dotted path that the catalogue names it by."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Path, Value
from bpconvert.translators.catalogue.model import Kind, Only

CONFIG, KWARGS = "resource_config", "resource_config.kwargs"
#: where a property of a container may stand as well
_TWINS = (f"{KWARGS}.", f"{CONFIG}.")


@dataclass(eq=False, repr=False)
class Entry:
    """One property: its value, its place in the blueprint, and whether the node template has it (or the default of its
    type)."""

    value: Value
    place: Path
    own: bool = True


@dataclass(eq=False, repr=False)
class Notes:
    """What is reported once in a blueprint, ``credentials`` once for each that differ. ``later``: properties (of nodes)
    that a relationship may say."""

    credentials: set[str] = field(default_factory=set)
    #: the clouds that the credentials are for: setting -> its first value
    clouds: dict[str, str] = field(default_factory=dict)
    #: server -> its management network (2.x)
    management: dict[str, Entry] = field(default_factory=dict)
    connection: set[str] = field(default_factory=set)
    #: router -> its extra routes
    routes: dict[str, Entry] = field(default_factory=dict)
    later: list[tuple[str, Entry, Only]] = field(default_factory=list)


@dataclass(eq=False, repr=False)
class Written:
    """All of them. ``opaque``: containers that are not written out. ``external``: the resource exists already."""

    entries: dict[str, Entry] = field(default_factory=dict)
    opaque: list[Entry] = field(default_factory=list)
    external: bool = False
    #: the key that the 2.x plugin has for the settings (None: of 3.x), and names of settings in it -> of 3.x
    wrapper: str | None = None
    rename: dict[str, str] = field(default_factory=dict)

    @property
    def old(self) -> bool:
        """True when the rules of the 2.x plugin hold."""
        return self.wrapper is not None

    def add(self, path: str, value: Value, place: Path, own: bool) -> None:
        """Add a property; one that the node template has goes before a default."""
        for twin in twins(path) if own else (path,):
            known = self.entries.get(twin)
            if known is not None and (own and twin != path):
                del self.entries[twin]
            elif known is not None and known.own and not own:
                return
        self.entries[path] = Entry(value, place, own)

    def take(self, *paths: str) -> list[Entry]:
        """Remove and return what stands at any of ``paths``, in or out of ``kwargs``; the first is the one that
        counts."""
        found = []
        for path in paths:
            for twin in twins(path):
                entry = self.entries.pop(twin, None)
                if entry is not None:
                    found.append(entry)
        return sorted(found, key=lambda entry: not entry.own)


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
            _container(written, CONFIG, declared.get(key, value), properties.get(key), place, {})
        elif key == wrapper and (isinstance(value, dict) or key in properties):
            _container(written, CONFIG, declared.get(key, value), properties.get(key), place, rename)
        elif key in inside:
            _parts(written, str(key), declared.get(key, value), properties.get(key), place, inside)
        elif key != "use_external_resource":
            written.add(str(key), value, place, key in properties)
    return written


def settings(written: Written, given: dict[str, Value], place: Path, rename: dict[str, str]) -> None:
    """Settings that go before those of the properties."""
    _container(written, CONFIG, given, given, place, rename)


def _parts(written: Written, to: str, value: Value, given: Value, place: Path, inside: frozenset[str]) -> None:
    """The keys of a map that is a property of another plugin's type."""
    if isinstance(value, ex.Expr):
        written.opaque.append(Entry(value, place, given is not None))
    elif not isinstance(value, dict):
        written.add(to, value, place, given is not None)
    else:
        for key, part in value.items():
            own = given.get(key) if isinstance(given, dict) else None
            name = f"{to}.{key}"
            if name in inside:
                _parts(written, name, part, own, (*place, key), inside)
            else:
                written.add(name, part, (*place, key), isinstance(given, dict) and key in given)


def _container(written: Written, to: str, value: Value, given: Value, place: Path, rename: dict[str, str]) -> None:
    """The settings in a map, and in its ``kwargs``. ``given``: what the node template itself has here."""
    if not isinstance(value, dict):
        if isinstance(value, ex.Expr):
            written.opaque.append(Entry(value, place, given is not None))
        return
    first = [key for key in given if key in value] if isinstance(given, dict) else []
    for key in dict.fromkeys([*first, *value]):
        part, own = value[key], key in given if isinstance(given, dict) else isinstance(given, ex.Expr)
        if key == "kwargs" and to == CONFIG:
            inner = given.get(key) if isinstance(given, dict) else given
            _container(written, KWARGS, part, inner, (*place, key), rename)
        else:
            written.add(f"{to}.{rename.get(str(key), str(key))}", part, (*place, key), own)


def same(value: Value, other: Any) -> bool:
    """True for the same value of the same type."""
    return value == other and isinstance(value, bool) is isinstance(other, bool)
