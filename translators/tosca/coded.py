"""Values that no type of TOSCA fits, as they are written and read: lists whose entries are of different types are maps
by position, null is a map that says so. Data types tell them apart, so that all is read back from what is visible."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from bpconvert.translators.support.places import entries
from bpconvert.translators.tosca.vocabulary import DATA_ROOT
from bpconvert.yamlio.emit import Flow

#: what data types of lists by position are derived from, and the data type of null
LIST: Final = "bpconvert.datatypes.List"
NULL: Final = "bpconvert.datatypes.Null"
#: null, as it is written
NONE: Final = {"none": True}
#: the definitions of both
TYPES: Final[dict[str, dict[str, Any]]] = {
    LIST: {"derived_from": DATA_ROOT, "description": "A list whose entries are of different types, by position."},
    NULL: {
        "derived_from": DATA_ROOT,
        "description": "No value: null.",
        "properties": {"none": Flow(type="boolean", required=False)},
    },
}


def is_in(types: Mapping[str, Any]) -> bool:
    """True where these data types, by name, have any of both."""
    return LIST in types or NULL in types


def decoded(value: Any, row: Any, types: Mapping[str, Any]) -> Any:
    """The value that is written as ``value`` of what the definition ``row`` defines; ``types``: the data types."""
    name, entry = (row.get("type"), row.get("entry_schema")) if isinstance(row, dict) else (row, None)
    if isinstance(value, list):
        return [decoded(item, entry, types) for item in value]
    if not isinstance(value, dict):
        return value
    if name == NULL and value == NONE:
        return None
    if name == "map":
        return {key: decoded(item, entry, types) for key, item in value.items()}
    if not isinstance(name, str) or name not in types:
        return value
    definition = entries(types, name)
    fields = entries(definition, "properties")
    items = {key: decoded(item, fields.get(key), types) for key, item in value.items()}
    if definition.get("derived_from") == LIST and list(items) == [str(number) for number in range(len(items))]:
        return list(items.values())
    return items
