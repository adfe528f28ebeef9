"""Node templates in the making."""

from __future__ import annotations

from typing import Any

from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.light import dataclass, field
from bpconvert.models.topology import Node
from bpconvert.translators.catalogue.model import Kind


@dataclass(eq=False, repr=False)
class Relation:
    """A relationship that carries meaning of its own (a lifted reference). ``target``: a name of the topology."""

    type: str
    target: str
    path: Path


@dataclass(eq=False, repr=False)
class NodeDraft:
    """A node template in the making. ``moves``: (place in the source, place in the blueprint), for comments."""

    node: Node
    name: str
    type: str
    kind: Kind | None
    properties: dict[str, Any] = field(default_factory=dict)
    relations: list[Relation] = field(default_factory=list)
    scaling: Value = MISSING
    #: ``<interface>.<operation>`` -> operation
    interfaces: dict[str, Any] = field(default_factory=dict)
    #: target of a relationship -> the interfaces of both sides
    between: dict[str, dict[str, Any]] = field(default_factory=dict)
    moves: list[tuple[Path, Path]] = field(default_factory=list)
    #: map among the properties -> the maps that conditions add to it
    optional: dict[Path, list[Value]] = field(default_factory=dict)
    #: the third generation of the plugin runs the node, which is written as one of the second (compat.yaml)
    second_generation: bool = False
    #: properties of the resource that have no counterpart
    unsupported: dict[str, Value] = field(default_factory=dict)
    #: properties that the blueprint says in another way, which goes before them
    assumed: dict[str, Value] = field(default_factory=dict)
    #: what the blueprint's own type of the node is derived from, "" for a type of someone else
    parent: str = ""

    def as_second_generation(self) -> None:
        """Let the node be one of the second generation, which the plugin of the third runs by its compat.yaml."""
        if self.kind is not None and self.kind.cloudify is not None and self.kind.cloudify.v2 is not None:
            self.type, self.second_generation = self.kind.cloudify.v2.type, True

    def put(self, path: Path, value: Value, source: Path) -> None:
        """Set the property at ``path``, which stands at ``source``."""
        place = self.properties
        for step in path[:-1]:
            place = place.setdefault(step, {})
        place[path[-1]] = value
        self.moved(source, "properties", *path)

    def relate(self, relationship: str, target: str, source: Path) -> None:
        """Give the node a relationship to ``target``, which stands at ``source``."""
        self.relations.append(Relation(relationship, target, source))

    def source(self, path: Path) -> Path:
        """The place in the source of what became the entry at ``path`` of the node template, or what that is in."""
        places = {target[2:]: source for source, target in self.moves if target[:2] == ("node_templates", self.name)}
        return next((places[path[:n]] for n in range(len(path), 0, -1) if path[:n] in places), self.node.path)

    def moved(self, source: Path, *place: Any) -> None:
        """Note that what stands at ``source`` is at ``place`` of the node template."""
        self.moves.append((source, ("node_templates", self.name, *place)))
