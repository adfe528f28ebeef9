"""The types of a TOSCA 2.0 file and of what it imports: ancestry, and definitions with what they inherit (6.4.2)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final

from bpconvert.translators.support.places import entries, items
from bpconvert.translators.tosca.check.tosca_2_0.forms import is_call
from bpconvert.translators.tosca.check.tosca_2_0.grammar import BUILT_IN, FORMS

#: parts of a node type -> what messages call one of them
NOUNS: Final = {"capabilities": "capability", "requirements": "requirement"}


def definition(row: Any) -> dict[Any, Any]:
    """A property definition in its long form: anything else than a map with its keys is the value that it has."""
    if isinstance(row, dict) and not is_call(row) and (not row or set(row) & _PROPERTY_KEYS):
        return row
    return {"value": row}


_PROPERTY_KEYS: Final = {*FORMS["incoming"].keys, "description", "metadata"}


def refined(old: Mapping[Any, Any], new: Mapping[Any, Any]) -> dict[Any, Any]:
    """The definition ``old`` with its refinement: conditions are added to those before, schemas are refined."""
    merged = {**old, **{key: value for key, value in new.items() if value is not None or key in ("default", "value")}}
    merged["clauses"] = [*clauses(old), *clauses(new)]
    for key in ("key_schema", "entry_schema"):
        if isinstance(old.get(key), (dict, str)) and isinstance(new.get(key), (dict, str)):
            merged[key] = refined(schema(old[key]), schema(new[key]))
    return merged


def is_needed(row: Mapping[Any, Any]) -> bool:
    """True for a definition of what has to be given a value."""
    return bool(row.get("required", True)) and not {"default", "value"} & row.keys()


def clauses(row: Mapping[Any, Any]) -> list[Any]:
    """The conditions of a definition, those that it inherits first."""
    if "clauses" in row:
        return list(row["clauses"])
    return [row["validation"]] if "validation" in row else []


def schema(row: Any) -> dict[Any, Any]:
    """A schema in its long form."""
    return row if isinstance(row, dict) else {"type": row} if isinstance(row, str) else {}


class Types:
    """``data``: the sections with types of the file and its imports. ``unread``: the namespaces, "" for that of the
    file itself, of which imports are missing: what is in them is not known."""

    def __init__(self, data: Mapping[str, Any], unread: Collection[str]) -> None:
        self.data = data
        self.unread = unread

    @property
    def complete(self) -> bool:
        """True where no import is missing."""
        return not self.unread

    def get(self, section: str, name: Any) -> dict[Any, Any] | None:
        """The definition of a type; None where there is none, or it is no map."""
        definition = entries(self.data, section).get(name) if isinstance(name, str) else None
        return definition if isinstance(definition, dict) else None

    def exists(self, section: str, name: Any) -> bool:
        """False for a name of which it is sure that there is no such type."""
        if not isinstance(name, str) or name in entries(self.data, section):
            return True
        if section == "data_types" and name in BUILT_IN:
            return True
        first, *inner = name.split(":")
        namespaces = [":".join([first, *inner[:count]]) for count in range(len(inner))]
        return any(namespace in self.unread for namespace in namespaces) if inner else "" in self.unread

    def ancestry(self, section: str, name: Any) -> list[str]:
        """The type and all that it is derived from, nearest first, unknown ones too; a circle ends."""
        names: list[str] = []
        while isinstance(name, str) and name not in names:
            names.append(name)
            name = (self.get(section, name) or {}).get("derived_from")
        return names

    def is_known(self, section: str, name: Any) -> bool:
        """True for a type of which every ancestor is known."""
        last = self.ancestry(section, name)[-1:]
        return bool(last) and (
            self.get(section, last[0]) is not None or (section == "data_types" and last[0] in BUILT_IN)
        )

    def is_of(self, section: str, name: Any, other: Any) -> bool:
        """False for a type of which it is sure that it is neither ``other`` nor derived from it."""
        if not isinstance(name, str) or not isinstance(other, str):
            return True
        return other in self.ancestry(section, name) or not self.is_known(section, name)

    def base(self, name: Any) -> str:
        """The built-in type that a data type is or is derived from; "" for one with properties, or an unknown one."""
        return next((ancestor for ancestor in self.ancestry("data_types", name) if ancestor in BUILT_IN), "")

    def rows(self, section: str, name: Any, key: str) -> dict[str, dict[Any, Any]]:
        """The definitions of ``key`` (``properties``, ``attributes`` ...) of a type with those that it inherits."""
        definitions: dict[str, dict[Any, Any]] = {}
        for ancestor in reversed(self.ancestry(section, name)):
            for row_name, row in self.own(section, ancestor, key):
                definitions[row_name] = refined(definitions.get(row_name, {}), row)
        return definitions

    def own(self, section: str, name: str, key: str) -> Iterator[tuple[str, dict[Any, Any]]]:
        """The definitions that a type has itself, in their long form."""
        definitions = (self.get(section, name) or {}).get(key)
        long = {"capabilities": schema, "requirements": requirement, "interfaces": schema, "artifacts": schema}.get(
            key, definition
        )
        for row_name, row in pairs(definitions):
            if isinstance(row_name, str):
                yield row_name, long(row)

    def value(self, section: str, name: Any, key: str) -> Any:
        """What a type has for ``key``, or the nearest of its ancestors; None for nothing."""
        definitions = (self.get(section, ancestor) or {} for ancestor in self.ancestry(section, name))
        return next((row[key] for row in definitions if key in row), None)

    def parent(self, section: str, name: str) -> Any:
        """What a type is derived from; None for nothing."""
        return (self.get(section, name) or {}).get("derived_from")

    def collection(self, row: Mapping[Any, Any]) -> dict[str, dict[Any, Any]]:
        """The schemas of the keys and the entries of what a definition is of, where that is a list or a map."""
        schemas: dict[str, dict[Any, Any]] = {}
        for key in ("key_schema", "entry_schema"):
            written = row.get(key)
            if written is None:
                written = self.value("data_types", row.get("type"), key)
            if isinstance(written, (dict, str)):
                schemas[key] = schema(written)
        return schemas


def pairs(written: Any) -> Iterator[tuple[Any, Any]]:
    """The named entries of a map, or of a list of maps with one name."""
    for part in [written] if isinstance(written, dict) else items(written):
        if isinstance(part, dict) and not is_call(part):
            yield from part.items()


def requirement(row: Any) -> dict[Any, Any]:
    """A requirement definition in its long form: a text is the type of its capability."""
    return row if isinstance(row, dict) else {"capability": row} if isinstance(row, str) else {}
