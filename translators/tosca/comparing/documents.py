"""Nodes for which another document stands."""

from __future__ import annotations

from typing import Any, Final

from bpconvert.models.topology import Node
from bpconvert.translators.comparing.model import Nesting, Side, as_written

_ENDINGS: Final = (".yaml", ".yml", ".template")


class Documents(Nesting):
    """Nodes of a type that stands for a document, and nodes that one is substituted for."""

    def is_component(self, node: Node) -> bool:
        """True for a node whose type is a document."""
        return node.kind is None and node.shows is None and node.source_type.endswith(_ENDINGS)

    def file(self, side: Side, node: Node) -> str:
        """The document."""
        return node.source_type

    def written(self, side: Side, node: Node) -> Any:
        """The properties of a node are the inputs of the document that stands for it."""
        return as_written(side, node).properties
