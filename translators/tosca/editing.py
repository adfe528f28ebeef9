"""What an editor knows of TOSCA."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from bpconvert.models.expressions import Value
from bpconvert.translators.catalogue.schemas import heat_type, heat_types, normative, profiles
from bpconvert.translators.catalogue.types import builtin
from bpconvert.translators.support.editing import ANY, ITEM, Editing, Usage
from bpconvert.translators.tosca import DIALECT, vocabulary
from bpconvert.translators.tosca.column import node_type, types_of
from bpconvert.translators.tosca.functions import FUNCTIONS, read_value, write_value
from bpconvert.translators.tosca.vocabulary import heat_name
from bpconvert.translators.toscalike import editing as shared

_INPUTS, _NODES, _TYPES = "inputs", "node_templates", "node_types"
#: function -> the section of what its argument names
_SECTIONS: Final = {"get_input": _INPUTS, "get_property": _NODES, "get_attribute": _NODES}


class _Mapped(Mapping[str, Any]):
    """The node types that the catalogue knows, with the properties of what they are read as."""

    def __getitem__(self, name: str) -> dict[str, Any]:
        row = node_type(builtin(), name)
        heat = heat_name(name) or (row[0].heat[0] if row is not None and row[0].heat else "")
        schema = heat_type(heat)
        if schema is None:
            raise KeyError(name)
        properties = schema["properties"]
        renamed = {**types_of(row[0]).names, **row[1].names} if row is not None else {}
        return {"properties": {**{theirs: properties.get(mine) for theirs, mine in renamed.items()}, **properties}}

    def __iter__(self) -> Iterator[str]:
        yield from filter(None, map(vocabulary.node_type, heat_types()))
        yield from (name for name, kind in builtin().types(DIALECT).items() if kind is not None)

    def __len__(self) -> int:
        return len([*self])


_LIBRARIES: Final = ({_TYPES: _Mapped()},)


def _types(data: Any) -> Iterable[str]:
    return shared.types(data, [normative(), *_LIBRARIES], _TYPES)


def _properties(name: str, data: Any) -> Mapping[str, str]:
    return shared.properties(name, data, [normative(), profiles(), *_LIBRARIES], _TYPES)


def _read(raw: Any) -> Value:
    return read_value(raw, (), [])


EDITING: Final = Editing(
    {name: Usage(row.form, row.meaning, _SECTIONS.get(name, "")) for name, row in FUNCTIONS.items()},
    {
        (_NODES, ANY, "requirements", ITEM, ANY): _NODES,
        (_NODES, ANY, "requirements", ITEM, ANY, "node"): _NODES,
        ("groups", ANY, "members"): _NODES,
        ("policies", ITEM, ANY, "targets"): _NODES,
    },
    _types,
    _properties,
    _read,
    write_value,
    prefix="$",
)
