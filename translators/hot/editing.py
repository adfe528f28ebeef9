"""What an editor knows of HOT."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from bpconvert.models.expressions import Value
from bpconvert.models.hot_versions import LATEST
from bpconvert.translators.catalogue.schemas import heat_type, heat_types
from bpconvert.translators.hot.functions import FUNCTIONS, Reader
from bpconvert.translators.hot.write.calls import write_value
from bpconvert.translators.support.editing import ANY, Editing, Usage, described

_PARAMETERS, _RESOURCES, _CONDITIONS = "parameters", "resources", "conditions"
#: function -> the section of what its argument names
_SECTIONS: Final = {
    "get_param": _PARAMETERS,
    "get_resource": _RESOURCES,
    "get_attr": _RESOURCES,
    "if": _CONDITIONS,
    "Fn::GetAtt": _RESOURCES,
}


def _types(data: Any) -> Iterable[str]:
    return heat_types()


def _properties(name: str, data: Any) -> Mapping[str, str]:
    schema = heat_type(name)
    return {key: described(row) for key, row in schema["properties"].items()} if schema else {}


def _read(raw: Any) -> Value:
    return Reader(LATEST).value(raw)


EDITING: Final = Editing(
    {
        row.name: Usage(row.form, row.meaning, _SECTIONS.get(row.name, ""))
        for row in FUNCTIONS
        if row.context == "value"
    },
    {
        (_RESOURCES, ANY, "depends_on"): _RESOURCES,
        (_RESOURCES, ANY, "condition"): _CONDITIONS,
        ("outputs", ANY, "condition"): _CONDITIONS,
        ("parameter_groups", ANY, "parameters"): _PARAMETERS,
    },
    _types,
    _properties,
    _read,
    write_value,
)
