"""What the topics of the OpenStack plugin need of the reader and the writer of blueprints.

A function that a ``hook:`` of the catalogue names takes one of these, so a topic depends on neither of the two, and a
test can hand it something simple.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Protocol

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Path, Value
from bpconvert.models.topology import Node, Topology
from bpconvert.translators.catalogue.model import AttributeRule, Kind, PropertyRule
from bpconvert.translators.catalogue.types import Catalogue
from bpconvert.translators.cloudify.openstack.drafts import Draft
from bpconvert.translators.cloudify.openstack.property_paths import Entry, Notes, Written

if TYPE_CHECKING:
    from bpconvert.translators.toscalike.node_templates import RawNode

# -- writing ------------------------------------------------------------------------------------------------


class Rewriter(Protocol):
    """Rewrites values until a blueprint can have them."""

    def value(self, value: Value, path: Path, *, inert: str = "") -> Value:
        """The form that the blueprint gets of ``value``, which stands at ``path`` of the source. ``inert``: nothing
        depends on it."""

    def kind(self, value: Value) -> str:
        """What a value is known to be: text, number, boolean, list, map, json (any structure), null, or any."""


class Template(Protocol):
    """The template as a whole."""

    @property
    def topology(self) -> Topology:
        """All of it."""

    @property
    def catalogue(self) -> Catalogue:
        """The kinds of resources."""

    @property
    def generation2(self) -> bool:
        """True where the blueprint is for the plugin's second generation."""

    def report(self, code: str, path: Path, **texts: Any) -> None:
        """Report something about ``path`` of the source."""


class Writing(Template, Protocol):
    """Writes the properties of nodes (``PRESENT``, ``ABSENT``)."""

    #: server -> its interfaces, where all of them are relationships
    interfaces: dict[str, list[dict[str, Value]]]

    @property
    def rewriter(self) -> Rewriter:
        """The rewriter of values."""

    def shaped(self, draft: Draft, rule: PropertyRule, value: Value, source: Path) -> Value:
        """The value in the shape that the rule asks for."""

    def shaped_item(self, draft: Draft, rule: PropertyRule, item: Value, source: Path) -> Value:
        """One map of a list, key by key."""

    def lift(self, draft: Draft, rule: PropertyRule, value: Value, source: Path) -> bool:
        """Turn references into relationships. True when the property itself is not written any more."""

    def suggest_type(self, name: str, wanted: str) -> None:
        """Give input ``name`` a type where the writer has added it without one."""

    def looked_up(self, name: str, value: Value, source: Path) -> None:
        """Report a name, or what may be one, where Heat looks it up and the plugin does not."""


class Arrangement(Template, Protocol):
    """Decides which resources become nodes (``PREPARE``, ``MERGES``)."""

    #: server -> its interfaces, where all of them are relationships
    interfaces: dict[str, list[dict[str, Value]]]

    def fresh_node(self, wanted: str) -> str:
        """A node name nobody has yet."""

    def add(self, node: Node, before: str) -> None:
        """Add a node that the source does not have; it stands before node ``before``."""

    def external(self, kind: str, value: Value, user: Node, path: Path) -> ex.Identity:
        """A reference to the external node for the resource of this kind whose name or id is ``value``."""

    def own_external(self, kind: str, value: Value, user: Node, path: Path, purpose: str, called: str) -> str:
        """The external node for such a resource that is made once per ``purpose``, with ``called`` in its name."""

    def silent(self, node: Node, name: str, rule: PropertyRule) -> None:
        """Name the resource that OpenStack takes by itself where property ``name`` is absent."""

    def relate(self, owner: str, relationship: str, target: str, path: Path) -> None:
        """Give ``owner`` a relationship to ``target``."""

    def targets(self, owner: str) -> list[str]:
        """The nodes that ``owner`` was given relationships to."""

    def connect(self, owner: str, relationship: str, target: str, path: Path) -> None:
        """Give ``owner`` a relationship to ``target``; raises Refused where the two are connected already."""

    def absorb(self, node: Node, owner: str, relationship: str | None, target: str | None, used: set[str]) -> None:
        """Let ``owner`` take in ``node``, as a relationship to ``target`` if there is one. ``used``: the properties of
        the node that this expresses."""


class References(Template, Protocol):
    """Rewrites references to nodes (``ATTRIBUTES``)."""

    def node_name(self, name: str) -> str:
        """The name that node ``name`` has in the blueprint."""

    def rewrite(self, value: Value, path: Path) -> Value:
        """The form that the blueprint gets of ``value``; raises Unsupported."""

    def runtime(self, node: str, kind: Kind, name: str, keys: tuple[Value, ...], expr: ex.Expr) -> ex.Attribute:
        """A runtime property, by the name that the chosen family of node types has for it."""

    def property(self, node: Node, rule: AttributeRule, expr: ex.Attribute, keys: tuple[Value, ...]) -> Value:
        """An attribute that the template itself gives; raises Unsupported."""

    def identity(self, expr: ex.Identity) -> Value:
        """What identifies a node's resource; raises Unsupported."""

    def attribute(self, expr: ex.Attribute) -> Value:
        """An attribute of a node's resource; raises Unsupported."""


# -- reading ------------------------------------------------------------------------------------------------


class NodeReader(Protocol):
    """Reads the properties of one node (``READ``)."""

    node: Node
    kind: Kind
    written: Written
    #: inputs that are numbers
    numbers: frozenset[str]
    #: the names of the blueprint's security groups, each with its node
    groups: list[tuple[Value, str]]
    notes: Notes

    def put(self, name: str, value: Value, place: Path) -> None:
        """Set a neutral property that stands at ``place``."""

    def report(self, code: str, place: Path, **texts: Any) -> None:
        """Report something about this node."""

    def lost(self, name: str, place: Path, why: str) -> None:
        """Report a property that has no neutral form."""

    def entry(self, rule: PropertyRule) -> Entry | None:
        """What is written for a rule (and for it alone)."""

    def shaped(self, name: str, rule: PropertyRule, value: Value, place: Path, steps: Path = ()) -> Value:
        """The neutral form of a value."""


class NodesReader(Protocol):
    """Reads the relationships of all nodes."""

    topology: Topology
    catalogue: Catalogue
    #: as written
    raw: dict[str, RawNode]
    nodes: dict[str, Node]
    kinds: dict[str, Kind]
    #: nodes that a relationship became: node that had it -> their names
    made: dict[str, list[str]]
    #: volumes whose device_name a server has
    devices: set[str]
    notes: Notes

    def kind_of(self, name: str) -> str | None:
        """The id of a node's kind, None for an unmapped one."""

    def value(self, value: Value) -> Any:
        """``value`` with neutral names of attributes."""

    def wait(self, node: Node, target: str, path: Path) -> None:
        """Let a node wait for another one, which the relationship at ``path`` says."""

    def add(self, node: Node, owner: str) -> None:
        """Add a node that the blueprint does not have; it stands after ``owner``."""

    def remove(self, name: str) -> None:
        """Take a node out that is part of another one."""

    def references(self) -> Iterator[str]:
        """The name of a node, for every time that something names it."""

    def report(self, code: str, path: Path, **texts: Any) -> None:
        """Report something about ``path`` of the blueprint."""


# -- hooks --------------------------------------------------------------------------------------------------

#: called before anything is written: (arrangement, node, property)
PrepareHook = Callable[[Arrangement, Node, str], None]
#: lets other nodes absorb a resource, or raises Refused
MergeHook = Callable[[Arrangement, Node], None]
#: writes a property: (writing, draft, rule, value, source)
WriteHook = Callable[[Writing, Draft, PropertyRule, Value, Path], None]
#: called where a property is absent: (writing, draft, source)
AbsentHook = Callable[[Writing, Draft, Path], None]
#: writes one key of a map: (the map, what becomes of it)
ItemHook = Callable[[dict[Any, Value], dict[Any, Value]], None]
#: rewrites a reference to an attribute: (references, node, reference, its keys rewritten)
AttributeHook = Callable[[References, Node, ex.Attribute, tuple[Value, ...]], Value]
#: reads a property: (reading, its name, rule)
ReadHook = Callable[[NodeReader, str, PropertyRule], None]
