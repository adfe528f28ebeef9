"""What an editor knows of Cloudify's DSL."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from bpconvert.translators.catalogue.schemas import library
from bpconvert.translators.cloudify.functions import FUNCTIONS, read_value, write_value
from bpconvert.translators.support.editing import ANY, ITEM, Editing, Usage
from bpconvert.translators.toscalike import editing as shared

_INPUTS, _NODES, _TYPES = "inputs", "node_templates", "node_types"
_LIBRARIES: Final = ("core", "openstack", "utilities", "compat", "openstack_2")
#: function -> the section of what its argument names
_SECTIONS: Final = {
    "get_input": _INPUTS,
    "get_property": _NODES,
    "get_attribute": _NODES,
    "get_attributes_list": _NODES,
}


def _types(data: Any) -> Iterable[str]:
    return shared.types(data, [library(name) for name in _LIBRARIES], _TYPES)


def _properties(name: str, data: Any) -> Mapping[str, str]:
    return shared.properties(name, data, [library(library_name) for library_name in _LIBRARIES], _TYPES)


EDITING: Final = Editing(
    {
        name: Usage(" or ".join(row.shapes), row.meaning, _SECTIONS.get(name, ""))
        for name, row in FUNCTIONS.items()
    },
    {
        (_NODES, ANY, "relationships", ITEM, "target"): _NODES,
        ("groups", ANY, "members"): _NODES,
    },
    _types,
    _properties,
    lambda raw: read_value(raw, (), []),
    write_value,
)
