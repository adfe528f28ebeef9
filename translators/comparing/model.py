"""What is compared: a document under given inputs and runtime values, and the nodes that it deploys."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from bpconvert.files import Files
from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Path, Value
from bpconvert.models.topology import Node, Output, Topology
from bpconvert.translators.catalogue.types import Catalogue
from bpconvert.translators.evaluate import Scope
from bpconvert.yamlio.document import Document


class World(Protocol):
    """What both documents are computed under: inputs, runtime values, and what nested documents publish."""

    #: input -> value
    inputs: dict[str, Value]
    #: attribute -> the parts of it that are asked for
    shapes: dict[str, dict[Any, Any]]

    def attribute(self, node: str, name: str) -> Value:
        """The value that an attribute has at run time."""

    def fact(self, name: str) -> str:
        """A text that is known of the deployment."""


class Side(Protocol):
    """One of two documents that are compared, as its engine computes it under the present ``world``."""

    document: Document
    topology: Topology
    catalogue: Catalogue
    files: Files
    scope: Scope
    #: the nodes of the topology, and the members of its groups
    nodes: dict[str, Node]
    #: node -> the names of its members
    groups: dict[str, list[str]]
    #: group -> how many members it has, where that is more than are looked at
    more: dict[str, tuple[int, ...]]
    #: node -> those that it waits for, where its engine has computed it
    graph: dict[str, set[str]] | None
    #: groups of nodes that are scaled together, and groups that repeat a nested document
    spread: set[str]
    repeated: set[str]
    #: what everything is computed under at present
    world: World
    #: the document before its engine filled it with values; None for one that is not filled
    original: Side | None

    def value(self, value: Value) -> Value:
        """What the engine computes; :data:`~.filling.REFUSED` where it refuses. What cannot be known stays a call."""

    def computed(self, expr: ex.Attribute) -> ex.Attribute | None:
        """An attribute whose name and steps are known; None where they are not."""

    def exists(self, entry: Node | Output) -> bool:
        """True when a node is created, or an output is there."""

    def count(self, node: Node) -> Any:
        """How many of a node there are."""

    def identity(self, node: Node) -> Value:
        """What a reference to a node yields."""

    def named(self, node: str) -> str:
        """What both documents call a node."""

    def expressions(self) -> Iterator[Value]:
        """All values of the document."""


@dataclass(eq=False, repr=False)
class Part:
    """A node that exists. ``kind`` is its id in the catalogue, else its type; ``properties`` are plain, under neutral
    names; ``origin``: the place of a property; ``existing``: it is not created; ``stand_in``: the type of
    what only stands for it here, "" for none; ``only_runs``: it is nothing but its operations."""

    name: str
    kind: str
    properties: dict[Any, Value]
    path: Path
    origin: Callable[..., Path]
    node: Node
    existing: bool = False
    stand_in: str = ""
    only_runs: bool = False
    #: how many members each group has whose first member it is, where those are more than are looked at
    among: tuple[int, ...] = ()


class Published(NamedTuple):
    """A value that the deployment publishes."""

    value: Value
    path: Path


@dataclass(eq=False, repr=False)
class Deployment:
    """The nodes and what is published, by their names. ``waits``: any node, also one that is no part by itself -> those
    that it waits for."""

    side: Side
    parts: dict[str, Part] = field(default_factory=dict)
    waits: dict[str, set[str]] = field(default_factory=dict)
    outputs: dict[str, Published] = field(default_factory=dict)


def referred(node: Node) -> set[str]:
    """The nodes that a node refers to or depends on."""
    found = {
        expr.node
        for expr in ex.walk([node.properties, node.extra.get("metadata"), [o.inputs for o in node.operations]])
        if isinstance(expr, (ex.Identity, ex.Attribute)) and isinstance(expr.node, str)
    }
    return (found | set(node.awaited)) - {node.name}


def as_written(side: Side, node: Node) -> Node:
    """The node, or the group that it is a member of, as the document has it: in a document that is filled with values,
    what it refers to is a value already."""
    nodes, name = (side.original or side).topology.nodes, node.name
    while name and name not in nodes:
        name = name.rpartition(".")[0]
    return nodes.get(name, node)
