"""The types of a blueprint. Types that it does not define are looked up among the facts about Cloudify's own types and
those of its OpenStack plugin (``catalogue/node_types.yaml``), of which only defaults and ancestors are known."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path as FilePath
from typing import Any, Final

from bpconvert.models.expressions import MISSING
from bpconvert.models.plain.cloudify import Blueprint
from bpconvert.translators.cloudify.vocabulary import is_primitive, takes
from bpconvert.translators.toscalike.types import (
    DATA,
    NODE,
    RELATIONSHIP,
    Property,
    Read,
    Refuse,
    Type,
    TypeTable,
    Vocabulary,
    ignore,
)
from bpconvert.yamlio.document import load

#: what differs from other languages of this kind
WORDS: Final = Vocabulary(
    types={NODE: "node_types", RELATIONSHIP: "relationships", DATA: "data_types"},
    interfaces={NODE: ("interfaces",), RELATIONSHIP: ("source_interfaces", "target_interfaces")},
    exists="use_external_resource",
    is_primitive=is_primitive,
    takes=takes,
)


@lru_cache(maxsize=8)
def facts(library: str) -> dict[str, dict[str, Any]]:
    """What is known of a library's ``node_types``, ``relationships`` and ``data_types``."""
    facts_known = _all_facts()[library]
    return {section: facts_known.get(section, {}) for section in WORDS.types.values()}


@lru_cache(maxsize=1)
def _all_facts() -> dict[str, Any]:
    path = FilePath(__file__).parents[2] / "catalogue" / "node_types.yaml"
    data: dict[str, Any] = load(path.read_text(encoding="utf-8"), "catalogue/node_types.yaml").data
    return data


def _lifecycle(row: dict[str, Any]) -> dict[str, str] | None:
    """The lifecycle operations of a type in the facts and their implementations."""
    if "module" not in row:
        return None
    return {name: f"{row['module']}.{name}" for name in ("create", "delete", *row.get("more", ()))}


class Types(TypeTable):
    """All types that the nodes of a blueprint can have (see :class:`~.TypeTable`). ``libraries``: those that it
    imports."""

    def __init__(
        self, blueprint: Blueprint, libraries: Iterable[str], read: Read, refuse: Refuse, complete: bool
    ) -> None:
        defined = {kind: getattr(blueprint, section) for kind, section in WORDS.types.items()}
        super().__init__(defined, WORDS, read, refuse, complete)
        self._libraries = self.searched(list(libraries))

    def searched(self, imported: list[str]) -> list[str]:
        """The libraries in which types are looked up."""
        return ["core", "openstack", "compat" if "compat" in imported else "openstack_2", "utilities"]

    def built_in(self, kind: str, name: str) -> Type | None:
        for library in self._libraries:
            rows = facts(library)[WORDS.types[kind]]
            if name in rows:
                row = rows[name]
                parent = row if kind == RELATIONSHIP else row.get("derived_from")
                inherited = self.find(kind, parent) if parent else None
                result = Type([name, *(inherited.ancestry if inherited else ())], closed=False)
                if kind != RELATIONSHIP:
                    result.properties = self._known_properties(row, inherited)
                    result.lifecycle = _lifecycle(row) or (inherited.lifecycle if inherited else None)
                return result
        return None

    def _known_properties(self, row: dict[str, Any], inherited: Type | None) -> dict[str, Property]:
        properties = dict(inherited.properties) if inherited else {}
        data, defaults = row.get("data", {}), row.get("defaults", {})
        for name in {**defaults, **data}:
            old = properties.get(name)
            type_ = data.get(name, old.type if old else None)
            default = self._read(defaults[name], ()) if name in defaults else self.fill({}, type_, MISSING, ignore)
            properties[name] = Property(type_, default, required=False)
        return properties
