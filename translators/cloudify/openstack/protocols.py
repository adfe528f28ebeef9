"""What the topics of the OpenStack plugin need of the writer of blueprints.

A function that a ``hook:`` of the catalogue names takes one of these, so a topic does not depend on the writer, and a
test can hand it something simple.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any, Protocol

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.topology import Node, Topology
from bpconvert.translators.catalogue.model import AttributeRule, Kind, PropertyRule
from bpconvert.translators.catalogue.types import Catalogue
from bpconvert.translators.cloudify.openstack.drafts import NodeDraft


class Rewriter(Protocol):
    """Rewrites values until a blueprint can have them."""

    def value(self, value: Value, path: Path, *, inert: str = "") -> Value:
        """The form that the blueprint gets of ``value``, which stands at ``path`` of the source. ``inert``: nothing
        depends on it."""

    @property
    def referred(self) -> frozenset[str]:
        """The nodes that something of the template refers to."""

    def held(self, node: Node) -> Value:
        """What a node holds for others, as it is written."""

    def tried(self, value: Value, path: Path) -> Value:
        """The form that the blueprint would get of ``value``; nothing is reported."""

    def kind(self, value: Value) -> str:
        """What a value is known to be: text, number, boolean, list, map, json (any structure), null, or any."""

    def asked(self, value: Value, path: Path, reason: str, default: Value = MISSING) -> Value:
        """The input that takes the place of a value which the plugin wants in another form. ``default``: what the
        value is in that form where every parameter has its default."""

    def computed_elsewhere(self, value: Value, path: Path, reason: str) -> Value:
        """What refers to ``value`` where a node of its own computes it; MISSING where none does."""

    def is_computed_elsewhere(self, value: ex.Expr) -> bool:
        """True for what no call computes, but a node of its own."""

    @property
    def has_data_elsewhere(self) -> bool:
        """True where nodes hold what a blueprint cannot write, too, not only what calls yield."""

    def by_default(self, value: Value) -> Value:
        """What a value is where every parameter has its default; MISSING where that is not known."""


class Template(Protocol):
    """The template as a whole."""

    @property
    def topology(self) -> Topology:
        """All of it."""

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

    def shaped(self, draft: NodeDraft, rule: PropertyRule, value: Value, source: Path) -> Value:
        """The value in the shape that the rule asks for."""

    def shaped_item(self, draft: NodeDraft, rule: PropertyRule, item: Value, source: Path) -> Value:
        """One map of a list, key by key."""

    def whole_choice(self, values: list[Value], source: Path) -> Value:
        """A choice between lists in place of a list with an item that may not be there; other lists as they are."""

    def by_branch(self, value: Value, source: Path, shaped: Callable[[Value, Path], Value]) -> Value:
        """A choice between values, each ``shaped``; MISSING where ``value`` is none."""

    def lift(self, draft: NodeDraft, rule: PropertyRule, value: Value, source: Path) -> bool:
        """Turn references into relationships. True when the property itself is not written any more."""

    def node_name(self, name: str) -> str:
        """The name that node ``name`` has in the blueprint."""

    def suggest_type(self, name: str, wanted: str) -> None:
        """Give input ``name`` a type where the writer has added it without one."""

    def looked_up(
        self, draft: NodeDraft, name: str, value: Value, source: Path, kinds: Collection[str] = ()
    ) -> Value:
        """``value`` with what refers to its id in place of each name where Heat looks that up and the plugin does not.
        ``kinds``: what may be called so, where ``name``, that of the property, does not say it."""

    def report_names(self, name: str, value: Value, source: Path) -> None:
        """Report a name, or what may be one, where Heat looks it up, and no node can."""


class References(Template, Protocol):
    """Rewrites references to nodes (``ATTRIBUTES``)."""

    @property
    def catalogue(self) -> Catalogue:
        """The kinds of resources."""

    def node_name(self, name: str) -> str:
        """The name that node ``name`` has in the blueprint."""

    def rewrite(self, value: Value, path: Path) -> Value:
        """The form that the blueprint gets of ``value``; raises Unsupported."""

    def is_held_elsewhere(self, node: Node, keys: tuple[Value, ...]) -> bool:
        """True where the part of what a node holds to which ``keys`` lead has what another node computes."""

    def runtime(self, node: str, kind: Kind, name: str, keys: tuple[Value, ...], expr: ex.Expr) -> ex.Attribute:
        """A runtime property, by the name that the chosen family of node types has for it."""

    def property(self, node: Node, rule: AttributeRule, expr: ex.Attribute, keys: tuple[Value, ...]) -> Value:
        """An attribute that the template itself gives; raises Unsupported."""

    def identity(self, expr: ex.Identity) -> Value:
        """What identifies a node's resource; raises Unsupported."""

    def attribute(self, expr: ex.Attribute) -> Value:
        """An attribute of a node's resource; raises Unsupported."""
