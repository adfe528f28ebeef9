"""What is compared: a document under given inputs and runtime values, and the nodes that it deploys. And what a
language adds to that: a :class:`Comparison`, which its row names.

Every default of that suits a language whose nodes name each other in their values, without groups, scripts and nested
documents of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, Protocol

from bpconvert.files import Files
from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.light import NamedTuple, dataclass, field, replace
from bpconvert.models.topology import Input, Node, Output, Topology
from bpconvert.translators.catalogue.model import Kind
from bpconvert.translators.catalogue.types import Catalogue
from bpconvert.translators.comparing.filling import REFUSED
from bpconvert.translators.evaluate import Scope
from bpconvert.yamlio.document import Document

#: the kind of a part that is a script on a server
DEPLOYMENT: Final = "deployment"
#: the kind of a part that is a nested document
COMPONENT: Final = "component"


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
    #: group -> what the other document calls the one with the same members
    called: dict[str, str]
    #: what everything is computed under at present
    world: World
    #: the document before its engine filled it with values; None for one that is not filled
    original: Side | None
    #: what the language of the document adds
    language: Comparison
    #: node -> what both documents call it
    names: dict[str, str]
    #: node -> what refers to it, once that was looked for
    _references: dict[str, list[ex.Expr]] | None

    def language_of(self, node: Node) -> Comparison:
        """What the language of a node adds: that of the document, or of what the node stands for."""

    def value(self, value: Value) -> Value:
        """What the engine computes; :data:`~.filling.REFUSED` where it refuses. What cannot be known stays a call."""

    def computed(self, expr: ex.Attribute) -> ex.Attribute | None:
        """An attribute whose name and steps are known; None where they are not."""
        steps = [self.value(step) for step in (expr.node, expr.name, *expr.keys)]
        if REFUSED in steps or not ex.is_constant(steps):
            return None
        return replace(expr, node=steps[0], name=steps[1], keys=tuple(steps[2:]))

    def exists(self, entry: Node | Output) -> bool:
        """True when a node is created, or an output is there, under the present inputs."""
        if entry.condition is not MISSING and self.value(entry.condition) is False:
            return False
        group = self.topology.node(entry.group) if isinstance(entry, Node) else None
        if group is not None and not self.exists(group):
            return False
        return not isinstance(entry, Node) or self.count(entry) != 0

    def count(self, node: Node) -> Any:
        """How many of a node there are."""

    def identity(self, node: Node) -> Value:
        """What a reference to a node yields."""

    def attribute(self, node: Node, name: str) -> Value:
        """What a reference to an attribute of a node yields."""

    def name_of(self, node: str) -> str:
        """What both documents call a node."""
        if node in self.names:
            return self.names[node]
        group, dot, number = str(node).rpartition(".")
        return f"{self.name_of(group)}.{number}" if dot and group in self.groups else node

    def expressions(self) -> Iterator[Value]:
        """All values of the document."""
        topology = self.topology
        yield from topology.conditions.values()
        yield from (declared.default for declared in topology.inputs.values())
        for node in topology.nodes.values():
            yield from (node.properties, node.condition, node.instances, node.external_id, node.external_name)
            yield node.extra.get("metadata")
            yield from (operation.inputs for operation in node.operations)
        for output in topology.published:
            yield from (output.value, output.condition)

    def references_to(self, node: str) -> list[ex.Expr]:
        """Every reference to a node in the document."""
        if self._references is None:
            self._references = {}
            for expr in ex.walk(list(self.expressions())):
                target = getattr(expr, "node", None)
                if isinstance(target, str):
                    self._references.setdefault(target, []).append(expr)
        return self._references.get(node, [])


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
    #: it does nothing, and nothing is left out where the other one only runs something
    only_orders: bool = False
    #: nothing is created for it, so that it may be missing in the other document
    idle: bool = False
    #: how many members each group has whose first member it is, where those are more than are looked at
    among: tuple[int, ...] = ()
    #: of what runs: what its name begins with, a node or a relationship
    owner: str = ""
    #: of software: the defaults that its type has of properties, which its programs see
    defaults: dict[Any, Value] = field(default_factory=dict)

    def without(self, *names: str) -> dict[Any, Value]:
        """The properties but those that are named."""
        return {key: value for key, value in self.properties.items() if key not in names}


class Published(NamedTuple):
    """A value that the deployment publishes."""

    value: Value
    path: Path


@dataclass(eq=False, repr=False)
class Deployment:
    """The nodes and what is published, by their names. ``waits``: any node, also one that is no part by itself -> those
    that it waits for; ``besides``: what it waits for as well, which another document need not have."""

    side: Side
    parts: dict[str, Part] = field(default_factory=dict)
    waits: dict[str, set[str]] = field(default_factory=dict)
    besides: dict[str, set[str]] = field(default_factory=dict)
    outputs: dict[str, Published] = field(default_factory=dict)
    #: the servers that scripts run on
    reached: set[str] = field(default_factory=set)
    #: software that runs nothing itself: what it orders, what waits for it waits for
    bare: set[str] = field(default_factory=set)
    #: what is of no known kind and has no properties
    empty: set[str] = field(default_factory=set)
    #: nodes of the document that are not created
    left_out: set[str] = field(default_factory=set)

    def identified(self, kind: str, identity: Value) -> Part | None:
        """The part of a kind that ``identity`` is the id of."""
        part = self.parts.get(identity.removesuffix("-id")) if isinstance(identity, str) else None
        return part if part is not None and part.kind == kind and identity == f"{part.name}-id" else None


def referred(node: Node, *, operations: bool = True) -> set[str]:
    """The nodes that a node refers to or depends on; ``operations``: the inputs of its operations too."""
    inputs = [operation.inputs for operation in node.operations] if operations else []
    names = ex.named_nodes([node.properties, node.extra.get("metadata"), inputs])
    return {*names, *node.awaited} - {node.name}


def as_written(side: Side, node: Node) -> Node:
    """The node, or the group that it is a member of, as the document has it: in a document that is filled with values,
    what it refers to is a value already."""
    nodes, name = (side.original or side).topology.nodes, node.name
    while name and name not in nodes:
        name = name.rpartition(".")[0]
    return nodes.get(name, node)


@dataclass(eq=False, repr=False)
class Run:
    """A script at one moment. ``values``: what is compared, by name; ``places``: where each stands; ``name`` and
    ``operation`` make the name of the part; ``step``: which step of a node's life it is, where that has another name
    than the operation; ``is_remote``: it comes to its server over SSH, which needs no agent."""

    name: str
    operation: str
    path: Path
    kind: str = DEPLOYMENT
    step: str = ""
    is_remote: bool = False
    values: dict[str, Value] = field(default_factory=dict)
    places: dict[str, Path] = field(default_factory=dict)

    def add(self, name: str, value: Value, place: Path) -> None:
        """Add a value that is compared; null is none."""
        if value is not None and value is not MISSING:
            self.values[name], self.places[name] = value, place


# -- what a language adds -----------------------------------------------------------------------------------


class Nodes:
    """What the nodes of a document are, and what waits for what."""

    #: sections that a node may have values of that are not written in it: definitions of types
    definitions: tuple[str, ...] = ()
    #: what decides whether a node is there, as what, and how many of it are: keys below the node
    existence: tuple[Path, ...] = (("type",), ("condition",), ("instances",))
    #: what decides what it waits for
    order: tuple[Path, ...] = (("depends_on",),)

    #: a stand-in counts as a node that creates what it stands for
    creates_stand_ins: bool = True

    def recognise(self, node: Node, catalogue: Catalogue) -> None:
        """Add what comparing has to know of a node beside what reading says: its kind, what it only stands for."""

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

    def only_orders(self, node: Node) -> bool:
        """True for a node of a type of the document's own that does nothing, whatever properties it has."""
        return False

    def waits(self, side: Side) -> dict[str, set[str]]:
        """Node -> those that it waits for."""
        return side.graph or {name: referred(node) for name, node in side.topology.nodes.items()}

    def adjust(self, side: Side, deployment: Deployment) -> None:
        """Bring what the engine makes of the parts of a deployment, and of their order, into the form of others."""


def take_as_meant(deployment: Deployment) -> None:
    """Bring neutral properties that mean the same into one form: projects have access to private flavors only, and at
    least one character of a ``sequence`` is drawn, which is a class."""
    for part in deployment.parts.values():
        if part.kind == "flavor" and part.properties.get("is_public") is True:
            part.properties = part.without("tenants")
        sequence = part.properties.get("sequence") if part.kind == "random_string" else None
        if sequence is not None:
            part.properties = {**part.without("sequence"), "character_classes": [{"class": sequence, "min": 1}]}


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

    def plain(self, text: str) -> str:
        """A script without what stands for commands that the engine has anyway."""
        return text


class NotNested(Exception):
    """Why a component nests no document that can be looked at. ``text``: the document, where it is written out."""

    def __init__(self, why: str, text: str | None = None) -> None:
        super().__init__(why)
        self.text = text


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
        """What a component with these properties has to be compared: what it hands on, or all of them; without nulls,
        where the engine hands none on."""
        return {name: value for name, value in properties.items() if value is not None}

    def handed_over(self, side: Side, part: Part) -> Given:
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
    """All that a language adds; ``engine`` None: the values are computed here. ``seen``: what the engine sees of a
    document."""

    nodes: Nodes = field(default_factory=Nodes)
    inputs: Inputs = field(default_factory=Inputs)
    scripts: Scripts = field(default_factory=Scripts)
    nesting: Nesting = field(default_factory=Nesting)
    engine: Engine | None = None
    seen: Callable[[Document], Document] = lambda document: document


#: that of a language that adds nothing
PLAIN: Final = Comparison()
