"""What a language adds to how its documents are compared: a :class:`Comparison`, which its row names.

Every default suits a language whose nodes name each other in their values, without groups, scripts and nested documents
of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple, Protocol

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.topology import Input, Node
from bpconvert.translators.catalogue.model import Kind
from bpconvert.translators.catalogue.types import Catalogue
from bpconvert.translators.comparing.model import Deployment, Part, Side, referred
from bpconvert.translators.comparing.scripts import Run


class Nodes:
    """What the nodes of a document are, and what waits for what."""

    #: sections that a node may have values of that are not written in it: definitions of types
    definitions: tuple[str, ...] = ()
    #: what decides whether a node is there, as what, and how many of it are: keys below the node
    existence: tuple[Path, ...] = (("type",), ("condition",), ("instances",))
    #: what decides what it waits for
    order: tuple[Path, ...] = (("depends_on",),)

    def compared(self, node: Node, catalogue: Catalogue) -> Node:
        """``node`` as it is compared; of another language (``native``) where it only stands for a node of that one."""
        return node

    def is_group(self, node: Node) -> bool:
        """True for a node that makes members after a definition in its properties."""
        return False

    def repeats(self, node: Node) -> bool:
        """True for a group whose member is a nested document."""
        return False

    def members(self, side: Side, node: Node, most: int) -> Iterator[Node]:
        """The first ``most`` members of a group, called after it with their numbers; how many there are goes to
        ``side.more`` where they are more."""
        return iter(())

    def of_members(self, side: Side, expr: ex.Attribute | ex.Identity, members: list[str]) -> Value:
        """What a reference to a node means that has ``members``; the reference itself where it means nothing."""
        if isinstance(expr, ex.Attribute) and len(members) == 1:
            return ex.Attribute(members[0], expr.name, expr.keys, path=expr.path)
        return expr

    def attribute(self, side: Side, node: Node, name: str) -> Value:
        """An attribute that follows from the document; MISSING where it is a value of the deployed node."""
        return MISSING

    def default(self, kind: Kind, name: str) -> Value:
        """The value that the engine gives to a property that is not written; MISSING for none."""
        return MISSING

    def only_runs(self, node: Node) -> bool:
        """True for a node that is nothing but its operations, which are compared by themselves."""
        return False

    def waits(self, side: Side) -> dict[str, set[str]]:
        """Node -> those that it waits for."""
        return side.graph or {name: referred(node) for name, node in side.topology.nodes.items()}

    def adjust(self, side: Side, deployment: Deployment) -> None:
        """Bring what the engine makes of the parts of a deployment, and of their order, into the form of others."""


class Inputs:
    """What the inputs of a document take."""

    def is_asked(self, declared: Input) -> bool:
        """True for an input that a user gives a value for."""
        return True

    def taken(self, declared: Input, value: Value) -> Value:
        """What the input of a nested document is when the nesting one hands ``value`` on to it."""
        return value


class Scripts:
    """What runs on servers."""

    def servers(self, side: Side, node: Node) -> Iterator[Node]:
        """The servers that the scripts of a node run on, also those of groups that are empty at present."""
        return iter(())

    def runs(self, side: Side, part: Part) -> Iterator[Run]:
        """The scripts of a node, one for each moment at which it runs."""
        return iter(())

    def agent(self, side: Side, run: Run, server: Node) -> None:
        """Add to ``run`` whether something on the server runs scripts (``agent``)."""

    def is_bare(self, node: Node, properties: Mapping[Any, Value]) -> bool:
        """True for a node with these properties that is nothing but the scripts that it runs."""
        return False


class NotNested(Exception):
    """Why a component nests no document that can be looked at."""


class Given(NamedTuple):
    """What a component hands on, and what else is set for it: values and their places."""

    inputs: dict[Any, Value]
    settings: dict[str, Value]
    places: dict[str, Path]


class Nesting:
    """Nodes that are documents themselves: components."""

    #: the attributes of a component that are maps of what it publishes
    published: tuple[str, ...] = ()
    #: how an attribute begins that is named after something that a component publishes
    prefix: str = ""

    def is_component(self, node: Node) -> bool:
        """True for a nested document."""
        return False

    def file(self, side: Side, node: Node) -> str:
        """The file that a component nests, relative to the document. Raises :class:`NotNested`."""
        raise NotNested("the language has no nested documents")

    def inputs(self, properties: Mapping[Any, Value]) -> Mapping[Any, Value]:
        """What a component with these properties has to be compared: what it hands on, or all of them."""
        return properties

    def given(self, side: Side, part: Part) -> Given:
        """What a component hands on."""
        return Given(part.properties, {}, {})

    def written(self, side: Side, node: Node) -> Any:
        """The map of what a component hands on, with calls in it."""
        return None


class Engine:
    """How the real engine is asked, and a document filled with its answer."""

    #: as :class:`bpconvert.engines.client.Engine` knows it
    name: str = ""

    def request(self, side: Side) -> dict[str, Any]:
        """What the engine has to know besides the document."""
        raise NotImplementedError

    def fill(self, data: dict[str, Any], answer: dict[str, Any], side: Side) -> dict[str, Any]:
        """``data`` of the document with the values of the answer."""
        raise NotImplementedError

    def waits(self, answer: dict[str, Any]) -> dict[str, set[str]]:
        """Node -> those that it waits for."""
        raise NotImplementedError


@dataclass(frozen=True, eq=False, repr=False)
class Comparison:
    """All that a language adds; ``engine`` None: the values are computed here."""

    nodes: Nodes = field(default_factory=Nodes)
    inputs: Inputs = field(default_factory=Inputs)
    scripts: Scripts = field(default_factory=Scripts)
    nesting: Nesting = field(default_factory=Nesting)
    engine: Engine | None = None


#: that of a language that adds nothing
PLAIN: Final = Comparison()


class AdaptedSide(Side, Protocol):
    """A document with what languages add."""

    #: what the language of the document adds
    language: Comparison

    def language_of(self, node: Node) -> Comparison:
        """What the language of a node adds: that of the document, or of what the node stands for."""
