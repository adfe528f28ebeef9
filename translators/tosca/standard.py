"""The types of the standard as a file of TOSCA 2.0, which has none: results of that version import it."""

from __future__ import annotations

import posixpath
from functools import cache
from typing import Any, Final

from bpconvert.models.tosca_versions import VERSION_2_0
from bpconvert.render import render
from bpconvert.translators.catalogue.schemas import normative
from bpconvert.translators.tosca.vocabulary import DATA_ROOT
from bpconvert.yamlio.emit import Flow

#: what the file is called
NAME: Final = "tosca-types.yaml"
_LAYOUT: Final = "tosca.yaml.j2"
_DESCRIPTION: Final = "The types of TOSCA Simple Profile in YAML 1.3 that results of TOSCA 2.0 are derived from."
#: parts of names of types that are of another profile, and types that are of engines
_OTHERS: Final = (".nfv.", "Docker", "FloatingIP", ".VM.", "template.", "Monitoring", "Reservation")
#: the names of the first version, which 1.1 renamed
_FIRST: Final = ("tosca.nodes.BlockStorage", "tosca.nodes.ObjectStorage")
#: types that 2.0 has no more, values with units among them, which every profile defines as it likes -> what takes these
_TYPES: Final[dict[str, dict[str, Any]]] = {
    "version": {"type": "string"}, "range": {"type": "list", "entry_schema": {"type": "integer"}},
    **{f"scalar-unit.{unit}": {"type": "string"} for unit in ("size", "time", "frequency", "bitrate")},
}  # fmt: skip
#: keys of a requirement; what it is connected by where nothing says that
_REQUIRES: Final = ("capability", "node", "relationship")
_RELATIONSHIP: Final = {"relationship": "tosca.relationships.DependsOn"}
_ANY: Final = (0, "UNBOUNDED")
_OCCURRENCES: Final = "occurrences"


def count_ranges(definition: dict[str, Any]) -> None:
    """Give the requirements of a type ``count_range`` in place of the ``occurrences`` of 1.3."""
    for row in definition.get("requirements", ()):
        for wanted in row.values():
            if isinstance(wanted, dict) and _OCCURRENCES in wanted:
                wanted["count_range"] = wanted.pop(_OCCURRENCES)


def is_standard(name: Any) -> bool:
    """True for the name of the file in an import."""
    return isinstance(name, str) and posixpath.basename(name) == NAME


@cache
def text() -> str:
    """The file."""
    head = {"tosca_definitions_version": VERSION_2_0, "description": _DESCRIPTION}
    sections = {
        section: {name: _definition(section, row) for name, row in types.items() if _is_ours(name)}
        for section, types in normative().items()
    }
    return render(_LAYOUT, {**head, **sections})


def _is_ours(name: str) -> bool:
    return name not in (*_FIRST, DATA_ROOT) and not any(part in name for part in _OTHERS)


def _definition(section: str, row: dict[str, Any]) -> dict[str, Any]:
    parent = row.get("derived_from")
    definition: dict[str, Any] = {"derived_from": parent} if parent not in (None, DATA_ROOT) else {}
    for key in ("properties", "attributes"):
        if row.get(key):
            definition[key] = {name: _value(part) for name, part in row[key].items()}
    if row.get("capabilities"):
        definition["capabilities"] = {name: Flow(type=part["type"]) for name, part in row["capabilities"].items()}
    if row.get("requirements"):
        definition["requirements"] = [
            {
                row_of_requirement["name"]: Flow(
                    _RELATIONSHIP | {key: row_of_requirement[key] for key in _REQUIRES if key in row_of_requirement},
                    count_range=[*_ANY],
                )
            }
            for row_of_requirement in row["requirements"]
        ]
    if row.get("interfaces"):
        definition["interfaces"] = {name: Flow(type=type) for name, type in row["interfaces"].items()}
    if section == "interface_types" and row.get("operations"):
        definition["operations"] = {name: Flow() for name in row["operations"]}
    return definition or {"description": "The root of its kind."}


def _value(row: dict[str, Any]) -> dict[str, Any]:
    keys = ("type", "default", "entry_schema") if "default" in row else ("type", "required", "entry_schema")
    kept = {key: row[key] for key in keys if key in row}
    return Flow({**kept, **_TYPES.get(str(row.get("type")), {})})
