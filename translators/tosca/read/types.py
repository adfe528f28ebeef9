"""The types of a service template: those of the document and its imports, and those of the standard.

A type has everything of its parents; what it defines itself refines theirs by name (Simple Profile 1.3, 3.7)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import Any, Final

from bpconvert.models.expressions import MISSING, Path
from bpconvert.translators.catalogue.schemas import normative, profiles
from bpconvert.translators.support.places import items
from bpconvert.translators.tosca.functions import called
from bpconvert.translators.tosca.functions_2_0 import PREFIX
from bpconvert.translators.tosca.versions import version
from bpconvert.translators.tosca.vocabulary import ROOT

#: kinds of types -> the sections that define them
NODE: Final = "node_types"
RELATIONSHIP: Final = "relationship_types"
CAPABILITY: Final = "capability_types"
INTERFACE: Final = "interface_types"
DATA: Final = "data_types"
ARTIFACT: Final = "artifact_types"
GROUP: Final = "group_types"
POLICY: Final = "policy_types"
#: names of the first version -> those of today (1.1 renamed them)
RENAMED: Final = {
    "tosca.nodes.BlockStorage": "tosca.nodes.Storage.BlockStorage",
    "tosca.nodes.ObjectStorage": "tosca.nodes.Storage.ObjectStorage",
}
#: kind of types -> what the names of the standard's begin with; a short name leaves that out (3.1.2.1 "shorthand")
_PREFIXES: Final = {
    NODE: "tosca.nodes.", RELATIONSHIP: "tosca.relationships.", CAPABILITY: "tosca.capabilities.",
    INTERFACE: "tosca.interfaces.", DATA: "tosca.datatypes.", ARTIFACT: "tosca.artifacts.", GROUP: "tosca.groups.",
    POLICY: "tosca.policies.",
}  # fmt: skip
#: part of the names of types that a profile defines, which engines of the standard have an early version of
_PROFILE: Final = ".nfv."
_SHORTER: Final = {
    "Network": "tosca.nodes.network.Network", "Port": "tosca.nodes.network.Port",
    "BlockStorage": "tosca.nodes.Storage.BlockStorage", "ObjectStorage": "tosca.nodes.Storage.ObjectStorage",
    **{name: f"tosca.datatypes.network.{name}" for name in ("PortDef", "PortSpec", "PortInfo", "NetworkInfo")},
}  # fmt: skip


@lru_cache(maxsize=10_000)
def _standard(kind: str, name: str, prefixes: tuple[str, ...]) -> str:
    """The full name of a type of the standard, which is written with one of the ``prefixes`` or without."""
    names = normative().get(kind, {})
    if name in names and name not in RENAMED:
        return name
    prefix = next((candidate for candidate in prefixes if name.startswith(candidate)), "")
    plain = name[len(prefix) :].removeprefix(":")
    for candidate in (RENAMED.get(name, ""), _SHORTER.get(plain, ""), plain, _PREFIXES[kind] + plain):
        if candidate in names:
            return RENAMED.get(candidate, candidate)
    return name


class Types:
    """All types that a service template can use. ``data``: the document's sections, with those of its imports;
    ``standard``: the prefixes under which it imports the types of the standard; ``complete``: False where an import is
    not known."""

    def __init__(self, data: Mapping[str, Any], standard: Collection[str] = (), complete: bool = True) -> None:
        self.data = data
        self.complete = complete
        #: definitions of properties can fix a value
        self._has_values = bool(version(data.get("tosca_definitions_version")).prefix)
        self._names: dict[tuple[str, str], str] = {}
        self._ancestries: dict[tuple[str, str], list[str]] = {}
        self._entries: dict[tuple[str, str, str], dict[str, tuple[Any, Path]]] = {}
        self._rows: dict[tuple[str, str, str], dict[str, tuple[dict[str, Any], Path]]] = {}
        self._interfaces: dict[tuple[str, str], dict[str, list[tuple[dict[str, Any], Path]]]] = {}
        self._definitions: dict[tuple[str, str], Any] = {}
        self._prefixes = tuple(f"{prefix}:" for prefix in (*standard, "tosca", "tosca:") if prefix)

    def defined(self, kind: str, name: str) -> dict[str, Any] | None:
        """The definition of a type in the document; None where that does not define it."""
        section = self.data.get(kind)
        if not isinstance(section, dict) or name not in section:
            return None
        definition = section[name]
        return definition if isinstance(definition, dict) else {} if definition is None else None

    def normal(self, kind: str, name: str) -> str:
        """The full name of a type: ``Compute`` and ``tosca:Compute`` are ``tosca.nodes.Compute``; ``p.Type`` is
        ``p:Type`` (tosca-parser) where that is what an import defines."""
        full = self._names.get((kind, name))
        if full is None:
            full = self._names[kind, name] = self._normal(kind, name)
        return full

    def _normal(self, kind: str, name: str) -> str:
        if self.defined(kind, name) is not None:
            return name
        if "." in name and self.defined(kind, name.replace(".", ":", 1)) is not None:
            return name.replace(".", ":", 1)
        full = _standard(kind, name, self._prefixes)
        return full if full in normative().get(kind, {}) else self._of_functions(kind, name) or full

    def _of_functions(self, kind: str, name: str) -> str | None:
        """The full name of a type of network functions that is written with a short one (TOSCA Simple Profile for NFV
        1.0, "shorthand"); None for others."""
        prefix = next((prefix for prefix in self._prefixes if name.startswith(prefix)), "")
        full = f"{_PREFIXES[kind].removesuffix('.')}{_PROFILE}{name[len(prefix) :]}"
        is_read = self.defined(kind, full) is not None or full in normative().get(kind, {})
        return full if is_read or (not self.complete and full in profiles().get(kind, {})) else None

    def definition(self, kind: str, name: str) -> dict[str, Any] | None:
        """The definition of a type by its full name, of the document or the standard; None where nothing is known."""
        definition = self._definitions.get((kind, name), MISSING)
        if definition is MISSING:
            definition = self.defined(kind, name)
            definition = definition if definition is not None else normative().get(kind, {}).get(name)
            definition = self._definitions[kind, name] = (
                definition if definition is not None else self.profiled(kind, name)
            )
        result: dict[str, Any] | None = definition
        return result

    def profiled(self, kind: str, name: str) -> dict[str, Any] | None:
        """What is known of a type of a profile that is not read; None where nothing is."""
        return None if self.complete or self.defined(kind, name) is not None else profiles().get(kind, {}).get(name)

    def is_partial(self, name: str) -> bool:
        """True for a type of which the package has facts alone, or that is derived from one; and for one that a later
        version of its profile, which is not read, may define in another way."""
        kinds = () if self.complete else profiles()
        return any(
            self.profiled(kind, ancestor) is not None or self._is_of_profile(kind, ancestor)
            for kind in kinds
            for ancestor in self.ancestry(kind, name)
        )

    def _is_of_profile(self, kind: str, name: str) -> bool:
        return _PROFILE in name and self.defined(kind, name) is None and name in normative().get(kind, {})

    def ancestry(self, kind: str, name: str) -> list[str]:
        """The full name of a type, its parent's, ..., as far as they are known."""
        ancestors = self._ancestries.get((kind, name))
        if ancestors is not None:
            return ancestors
        ancestors = self._ancestries[kind, name] = []
        current: Any = name
        while isinstance(current, str) and (full := self.normal(kind, current)) not in ancestors:
            ancestors.append(full)
            current = (self.definition(kind, full) or {}).get("derived_from")
        return ancestors

    def is_known(self, kind: str, name: str) -> bool:
        """True for a type of which all parents are known."""
        last = self.ancestry(kind, name)[-1]
        return self.definition(kind, last) is not None

    def _inherited(self, kind: str, name: str, key: str) -> dict[str, tuple[Any, Path]]:
        """The entries of the map ``key`` of a type and its parents. One that is defined again refines its parent's: a
        key that it leaves out is the parent's (as puccini has it). The place is that of the default that counts."""
        entries_before = self._entries.get((kind, name, key))
        if entries_before is not None:
            return entries_before
        merged: dict[str, tuple[Any, Path]] = {}
        self._entries[kind, name, key] = merged
        fixes = key == "properties" and self._has_values
        for ancestor in reversed(self.ancestry(kind, name)):
            entries = (self.definition(kind, ancestor) or {}).get(key)
            for entry, value in entries.items() if isinstance(entries, dict) else ():
                above, place = merged.get(entry, (None, ()))
                if fixes and isinstance(above, dict) and (not isinstance(value, dict) or called(value, PREFIX)):
                    value = {"value": value}  # a refinement in short notation (TOSCA 2.0, 9.10)
                if isinstance(above, dict) and isinstance(value, dict):
                    own = "default" in value or "default" not in above
                    value = {**above, **value, **_refined(above, value)}
                else:
                    own = True
                merged[entry] = (value, (kind, ancestor, key, entry) if own else place)
        return merged

    def _whole(self, kind: str, name: str, key: str) -> dict[str, tuple[dict[str, Any], Path]]:
        """The entries of the map ``key`` as definitions: a text is the type that one has."""
        whole = self._rows.get((kind, name, key))
        if whole is None:
            rows = self._inherited(kind, name, key).items()
            whole = {entry: (row if isinstance(row, dict) else {"type": row}, path) for entry, (row, path) in rows}
            self._rows[kind, name, key] = whole
        return whole

    def properties(self, kind: str, name: str) -> dict[str, tuple[dict[str, Any], Path]]:
        """Property -> its definition and the place of that."""
        return self._whole(kind, name, "properties")

    def attributes(self, kind: str, name: str) -> dict[str, tuple[Any, Path]]:
        """Attribute -> its definition and the place of that."""
        return self._inherited(kind, name, "attributes")

    def capabilities(self, name: str) -> dict[str, tuple[dict[str, Any], Path]]:
        """Capability of a node type -> its definition (with ``type``) and the place of that."""
        return self._whole(NODE, name, "capabilities")

    def requirements(self, name: str) -> dict[str, dict[str, Any]]:
        """Requirement of a node type -> its definition: ``capability``, ``node``, ``relationship``."""
        merged: dict[str, dict[str, Any]] = {}
        for ancestor in reversed(self.ancestry(NODE, name)):
            for entry in items((self.definition(NODE, ancestor) or {}).get("requirements")):
                if not isinstance(entry, dict):
                    continue
                if isinstance(entry.get("name"), str) and "capability" in entry:  # of the standard
                    merged[entry["name"]] = entry
                    continue
                for requirement, row in entry.items():
                    merged[requirement] = row if isinstance(row, dict) else {"capability": row}
        return merged

    def interfaces(self, kind: str, name: str) -> dict[str, list[tuple[dict[str, Any], Path]]]:
        """Interface of a node or relationship type -> its definitions, of the outermost parent first; that of the
        interface's own type goes before each that names it."""
        by_interface = self._interfaces.get((kind, name))
        if by_interface is not None:
            return by_interface
        by_interface = self._interfaces[kind, name] = {}
        for ancestor in reversed(self.ancestry(kind, name)):
            entries = (self.definition(kind, ancestor) or {}).get("interfaces")
            for interface, row in entries.items() if isinstance(entries, dict) else ():
                if isinstance(row, dict):
                    rows = by_interface.setdefault(interface, [])
                    rows += self._interface_types(row.get("type"))
                    rows.append((row, (kind, ancestor, "interfaces", interface)))
        return by_interface

    def _interface_types(self, name: Any) -> list[tuple[dict[str, Any], Path]]:
        """The definitions of an interface type of the document, of the outermost parent first."""
        names = self.ancestry(INTERFACE, name) if isinstance(name, str) else []
        rows = ((self.defined(INTERFACE, ancestor), ancestor) for ancestor in reversed(names))
        return [(row, (INTERFACE, ancestor)) for row, ancestor in rows if row]


def _refined(above: dict[str, Any], own: dict[str, Any]) -> dict[str, Any]:
    """The properties of a capability's definition that is defined again."""
    old, new = above.get("properties"), own.get("properties")
    if not isinstance(old, dict) or not isinstance(new, dict):
        return {}
    for key, row in new.items():
        inherited = old.get(key)
        both = isinstance(row, dict) and isinstance(inherited, dict)
        old = {**old, key: {**(inherited or {}), **row} if both else row}
    return {"properties": old}


def is_root(name: str) -> bool:
    """True for the type that all node types are derived from."""
    return name == ROOT
