"""What the parts of the writer share."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from bpconvert.models.expressions import Path
from bpconvert.models.topology import Node, Topology
from bpconvert.translators.catalogue.model import Kind
from bpconvert.translators.passes.request import Request


class Names:
    """The names that entries have in the service template: those of the document that the source was made from, else
    their own."""

    def __init__(self, topology: Topology, request: Request) -> None:
        self._origin, self._words = request.origin, request.source.words

    def _original(self, section: str, name: str) -> str:
        found = self._origin.original((self._words.section(section), name)) if self._origin is not None else None
        return found or name

    def node(self, name: str) -> str:
        """The name of a node template."""
        return self._original("nodes", name)

    def input(self, name: str) -> str:
        """The name of an input."""
        return self._original("inputs", name)

    def output(self, name: str) -> str:
        """The name of an output."""
        return self._original("outputs", name)


class Context:
    """The topology that is written, what is asked for, and the names in the service template."""

    def __init__(self, topology: Topology, request: Request) -> None:
        self.topology = topology
        self.request = request
        self.catalogue = request.catalogue
        self.reporter = request.reporter
        self.names = Names(topology, request)


@dataclass(eq=False, repr=False)
class Draft:
    """A node template before it is laid out. ``heat``: the resource type that it stands for, "" for none; ``kept``:
    what TOSCA has no words for (:mod:`~.tosca.unwritten`)."""

    node: Node
    name: str
    type: str
    heat: str = ""
    kind: Kind | None = None
    stand_in: bool = False
    properties: dict[str, Any] = field(default_factory=dict)
    requirements: list[dict[str, Any]] = field(default_factory=list)
    kept: dict[str, Any] = field(default_factory=dict)
    moves: list[tuple[Path, Path]] = field(default_factory=list)
