"""The properties of a node template as written, each by the dotted path that the catalogue names it by."""

from __future__ import annotations

from dataclasses import dataclass, field

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Path, Value

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


def read(
    path: Path, properties: dict[str, Value], declared: dict[str, Value], wrapper: str | None, rename: dict[str, str]
) -> Written:
    """The properties of the node template at ``path``. ``declared``: with the defaults of its types; ``wrapper``: the
    key that the 2.x plugin has for the resource's settings, ``rename``: names of settings in it -> of 3.x."""
    written = Written(external=declared.get("use_external_resource") is True, wrapper=wrapper, rename=rename)
    for key, value in {**properties, **{k: v for k, v in declared.items() if k not in properties}}.items():
        place = (*path, "properties", key)
        if key == CONFIG:
            _container(written, CONFIG, declared.get(key, value), properties.get(key), place, {})
        elif key == wrapper and (isinstance(value, dict) or key in properties):
            _container(written, CONFIG, declared.get(key, value), properties.get(key), place, rename)
        elif key != "use_external_resource":
            written.add(str(key), value, place, key in properties)
    return written


def settings(written: Written, given: dict[str, Value], place: Path, rename: dict[str, str]) -> None:
    """Settings that go before those of the properties."""
    _container(written, CONFIG, given, given, place, rename)


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
