"""Whether a document needs the imports that are not read: they may have nothing that it names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from bpconvert.translators.support.places import entries, texts
from bpconvert.translators.tosca.read import sizes
from bpconvert.translators.tosca.read.declarations import TYPES as NEUTRAL
from bpconvert.translators.tosca.read.types import Types
from bpconvert.translators.tosca.vocabulary import TYPE_SECTIONS

#: sections of a document, and what else of a topology has a name
_NAMED: Final = ("node_templates", "relationship_templates", "groups")
#: keys whose value is the name of a type, or of what is in the document
_NAMING: Final = ("type", "derived_from", "entry_schema", "capability", "node", "relationship", "node_type")
#: keys that hold data
_DATA: Final = frozenset({
    "properties", "attributes", "inputs", "default", "metadata", "description", "constraints", "value", "outputs",
    "triggers", "workflows", "implementation", "node_filter", "validation",
})  # fmt: skip
#: types without a definition
_PLAIN: Final = frozenset({*NEUTRAL, sizes.SIZE, "any", "json", "xml", "null", "bytes", "scalar"})


def are_known(data: Mapping[str, Any], types: Types) -> bool:
    """True where everything that a document names is known: in it, or among the types that the package has."""
    names = {str(name) for section in _NAMED for name in entries(data, section)}

    def is_known(name: str) -> bool:
        if name in _PLAIN or name in names:
            return True
        full = ((kind, types.ancestry(kind, name)[-1]) for kind in TYPE_SECTIONS)
        return any(types.definition(kind, last) is not None for kind, last in full)

    sections = ("node_templates", "relationship_templates", "groups", "policies", *TYPE_SECTIONS)
    rows = [data.get(section) for section in sections]
    declared = [{"x": row} for row in entries(data, "inputs").values()]
    stands = entries(data, "substitution_mappings").get("node_type")
    names_used = {*_names(rows), *_names(declared), *((stands,) if isinstance(stands, str) else ())}
    return all(is_known(name) for name in names_used)


def used_types(data: Mapping[str, Any], types: Types) -> set[str]:
    """The types that the templates of a document name, and those that these name: any text may be such a name."""
    waiting = list(texts([value for key, value in data.items() if key not in TYPE_SECTIONS]))
    type_names: set[str] = set()
    while waiting:
        text = waiting.pop()
        for kind in TYPE_SECTIONS:
            name = types.normal(kind, text)
            if name not in type_names and name in entries(data, kind):
                type_names.add(name)
                waiting += texts(data[kind][name])
    return type_names


def _names(value: Any) -> Iterator[str]:
    """The names of types in a part of a document."""
    if isinstance(value, list):
        for item in value:
            yield from _names(item)
    for key, item in value.items() if isinstance(value, dict) else ():
        if isinstance(item, str) and key in _NAMING:
            yield item
        elif key not in _DATA:
            yield from _names(item)
