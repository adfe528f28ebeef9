"""Types and their properties for an editor, by the definitions of a document and of libraries."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bpconvert.translators.support.editing import described


def types(data: Any, libraries: Sequence[Mapping[str, Any]], section: str) -> Iterator[str]:
    """The names of the types of nodes of a document and of libraries, each once; ``section``: where both have them."""
    yield from dict.fromkeys(name for library in (data, *libraries) for name in _names_of(library, section))


def properties(name: str, data: Any, libraries: Sequence[Mapping[str, Any]], section: str) -> dict[str, str]:
    """The properties of a type, own ones first, then those that it inherits -> what is known of them."""
    table: dict[str, str] = {}
    seen: set[str] = set()
    current: Any = name
    while isinstance(current, str) and current not in seen:
        seen.add(current)
        definitions = (_names_of(library, section).get(current) for library in (data, *libraries))
        definition = next(filter(None, definitions), None)
        if not isinstance(definition, dict):
            break
        declared = definition.get("properties")
        for key, schema in declared.items() if isinstance(declared, dict) else ():
            table.setdefault(str(key), described(schema))
        current = definition.get("derived_from")
    return table


def _names_of(library: Any, section: str) -> Mapping[str, Any]:
    defined = library.get(section) if isinstance(library, Mapping) else None
    return defined if isinstance(defined, Mapping) else {}
