"""What nodes of the types of TOSCA become: words for docs/types.md."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from bpconvert.translators.tosca.meanings import READ_AS
from bpconvert.translators.tosca.programs import ROLES as SOFTWARE
from bpconvert.translators.tosca.read.nodes import ROLES
from bpconvert.translators.tosca.vocabulary import PARENTS, ROOT, node_type


class ToscaType(NamedTuple):
    """A node type of the standard, or of other people's, and what it becomes."""

    name: str
    text: str


def tosca_types() -> Iterator[ToscaType]:
    """All node types that are read as something, in the order of the reader."""
    for name in dict.fromkeys([*ROLES, *SOFTWARE.values()]):
        yield ToscaType(name, READ_AS.get(name, "as the type that it is called like"))


def written(heat: str) -> str:
    """The node type of a resource type, with the type of the standard that it is derived from."""
    name = node_type(heat)
    parent = PARENTS.get(heat, ROOT)
    return "" if name is None else f"`{name}`" + ("" if parent == ROOT else f", a `{parent}`")


def unnamed() -> set[str]:
    """The node types that have no words of their own here."""
    return {*ROLES, *SOFTWARE.values()} - READ_AS.keys()
