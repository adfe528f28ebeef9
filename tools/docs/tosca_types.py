"""What nodes of the types of TOSCA become: words for docs/types.md."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from bpconvert.translators.catalogue.types import builtin
from bpconvert.translators.tosca import DIALECT
from bpconvert.translators.tosca.column import meaning, types_of_resource
from bpconvert.translators.tosca.programs import ROLES as SOFTWARE
from bpconvert.translators.tosca.vocabulary import ROOT, node_type


class ToscaType(NamedTuple):
    """A node type of the standard, or of other people's, and what it becomes."""

    name: str
    text: str


def tosca_types() -> Iterator[ToscaType]:
    """All node types that are read as something, in the order of the index."""
    for name in _names():
        yield ToscaType(name, meaning(builtin(), name) or "as the type that it is called like")


def written(heat: str) -> str:
    """The node type of a resource type, with the type of the standard that it is derived from."""
    name = node_type(heat)
    parent = types_of_resource(builtin(), heat).parent
    return "" if name is None else f"`{name}`" + ("" if parent == ROOT else f", a `{parent}`")


def unnamed() -> set[str]:
    """The node types that have no words of their own here."""
    return {name for name in _names() if meaning(builtin(), name) is None}


def _names() -> list[str]:
    mapped = [name for name, kind in builtin().types(DIALECT).items() if kind is not None]
    return list(dict.fromkeys([*mapped, *SOFTWARE.values()]))
