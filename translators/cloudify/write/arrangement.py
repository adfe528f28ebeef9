"""Which resources become nodes, so that every reference that has to become a relationship can.

In the OpenStack plugin a relationship is an argument: it must not be mixed with the property it stands for. So where
one item of a list is a reference, the others become external nodes (``use_external_resource``), and resources without
a node of their own are absorbed by another one. What is special about a kind is done by the catalogue's hooks.
"""

from __future__ import annotations

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.topology import Node
from bpconvert.translators.catalogue.model import Kind, PropertyRule
from bpconvert.translators.catalogue.types import Catalogue
from bpconvert.translators.cloudify import hooks
from bpconvert.translators.cloudify.openstack import generation2, interfaces
from bpconvert.translators.cloudify.openstack.connections import absorb
from bpconvert.translators.cloudify.openstack.drafts import Relation
from bpconvert.translators.cloudify.write.context import Context
from bpconvert.translators.cloudify.write.rewriter import DslRewriter
from bpconvert.translators.passes.work import Refused, Work
from bpconvert.translators.support.text import is_name


class Arrangement(Work):
    """What becomes of the resources of one topology."""

    def __init__(self, context: Context, rewriter: DslRewriter) -> None:
        super().__init__(context.topology, context.request)
        self.catalogue: Catalogue = context.catalogue
        self.generation2 = context.generation2
        self._names = context.names
        self._replacement = rewriter.replacement
        #: server -> its interfaces, where all of them are relationships
        self.interfaces: dict[str, list[dict[str, Value]]] = {}
        #: relationships that absorbed resources give to their absorber
        self.connections: dict[str, list[Relation]] = {}

    def arrange(self) -> None:
        """Decide which resources are absorbed or stand-ins, then prepare the lists of references."""
        nodes = self.topology.nodes
        originals = [(node, self.catalogue.kind(node.kind)) for node in nodes.values()]
        for node, kind in originals:
            if kind is not None and kind.cloudify is not None and node.external_id is not MISSING:
                self._existing(node, kind)
            if kind is None or not self._has_form(kind) or not isinstance(node.properties, dict):
                node.stand_in = True
        for node, kind in originals:
            if kind is None or kind.merge is None or node.stand_in:
                continue
            has_type = self.generation2 and kind.cloudify is not None and kind.cloudify.v2 is not None
            if not has_type and not absorb(self, node, hooks.MERGES[kind.merge]):
                node.stand_in = True
        for node, kind in originals:
            if kind is not None and not node.stand_in and node.part_of is None:
                self._prepare(node, kind)
        interfaces.give_groups(self)
        for node in list(nodes.values()):
            kind = self.catalogue.kind(node.kind)
            if kind is not None and not node.stand_in and node.part_of is None:
                for name, rule in kind.properties.items():
                    if rule.hook not in hooks.PREPARE:
                        self._name_existing(node, rule, node.properties.get(name), node.origin(name))

    def _has_form(self, kind: Kind) -> bool:
        """True for what is a node, or part of one, in the chosen family of node types."""
        if self.generation2 and not generation2.has_type(kind):
            return False
        return kind.cloudify is not None or kind.merge is not None

    def _existing(self, node: Node, kind: Kind) -> None:
        """Heat only looks up a resource that exists already: its properties change nothing."""
        if isinstance(node.properties, dict):
            for name in node.properties:
                self.report("BPC331", node.origin(node.aliases.get(name, name)), name=name)
        node.properties = {}
        if kind.cloudify is not None and (kind.cloudify.plain or not kind.cloudify.existing):
            node.stand_in = True

    def _prepare(self, node: Node, kind: Kind) -> None:
        for name, rule in kind.properties.items():
            if rule.silent is not None and node.properties.get(name) is None:
                self.silent(node, name, rule)
            if rule.hook and rule.hook in hooks.PREPARE:
                hooks.PREPARE[rule.hook](self, node, name)
            elif rule.lift and rule.lift.mixed == "materialise":
                self._mixed_list(node, name, rule)

    # -- lists of references --------------------------------------------------------------------------------

    def silent(self, node: Node, name: str, rule: PropertyRule) -> None:
        """Name the resource that OpenStack takes by itself: the 3.x plugin sends an empty list instead of nothing."""
        unsecured = node.properties.get("port_security_enabled") is False
        if self.generation2 or rule.lift is None or unsecured:
            return
        node.properties[name] = [self.external(rule.lift.targets[0], rule.silent, node, node.path)]
        self.report("BPC338", node.path, name=node.name, value=rule.silent)

    def _mixed_list(self, node: Node, name: str, rule: PropertyRule) -> None:
        value = node.properties.get(name)
        targets = rule.lift.targets if rule.lift else []
        if not isinstance(value, list) or not any(
            self.topology.is_reference(item, targets) or (rule.lookup and is_name(item)) for item in value
        ):
            return
        path = node.origin(name)
        items = node.properties[name] = []
        for index, item in enumerate(value):
            if item is None:
                self.report("BPC307", (*path, index), name=name)
            elif self.topology.is_reference(item, targets):
                items.append(item)
            else:
                items.append(self.external(targets[0], item, node, (*path, index)))

    # -- external nodes -------------------------------------------------------------------------------------

    def external(self, kind: str, value: Value, user: Node, path: Path) -> ex.Identity:
        """A reference to the external node for the resource whose name or id is ``value``; made once per value and
        condition of its users. An empty text names nothing, so an input asks for what is meant."""
        if value == "":
            value = self._replacement(value, path, "an empty text names no existing resource")
        return self.existing(kind, value, user, path)

    def own_external(self, kind: str, value: Value, user: Node, path: Path, purpose: str, called: str) -> str:
        """The external node for the resource whose name or id is ``value``, made once per ``purpose``, with ``called``
        in its name."""
        name = self.topology.existing.get((kind, repr(value), purpose))
        if name is None:
            name = self.topology.existing[kind, repr(value), purpose] = self.fresh_node(f"external_{called}")
            self.add(Node(name, "", kind, external_id=value, condition=user.condition, path=path), before=user.name)
        return name

    def named(self, rule: PropertyRule, value: Value, user: Node) -> Value:
        """``value``, or the reference to the external node that was made for this name."""
        if not (rule.lookup and rule.lift and is_name(value)):
            return value
        name = self.topology.existing.get((rule.lift.targets[0], repr(value), repr(user.condition)))
        return value if name is None else ex.Identity(name)

    def _name_existing(self, node: Node, rule: PropertyRule, value: Value, path: Path) -> None:
        """External nodes for the names that the plugin does not look up. The properties stay: what is compared with
        them has the name too."""
        if rule.lookup and rule.lift and is_name(value):
            self.external(rule.lift.targets[0], value, node, path)
        for item in value if isinstance(value, list) else [value]:
            for key, part in item.items() if rule.each and isinstance(item, dict) else ():
                inner = rule.each.get(rule.aliases.get(key, key)) if isinstance(key, str) else None
                if inner is not None:
                    self._name_existing(node, inner, part, (*path, key))

    # -- nodes that are made, and resources that are none ---------------------------------------------------

    def fresh_node(self, wanted: str) -> str:
        """A node name that nobody has yet."""
        return self._names.fresh_node(wanted)

    def relate(self, owner: str, relationship: str, target: str, path: Path) -> None:
        """Give ``owner`` a relationship to ``target``."""
        self.connections.setdefault(owner, []).append(Relation(relationship, target, path))

    def connect(self, owner: str, relationship: str, target: str, path: Path) -> None:
        """Give ``owner`` a relationship to ``target``; raises Refused where the two are connected already."""
        if owner == target or target in self.targets(owner):
            raise Refused(f"'{owner}' and '{target}' are connected already")
        self.relate(owner, relationship, target, path)

    def targets(self, owner: str) -> list[str]:
        """The nodes that absorbed resources give ``owner`` relationships to."""
        return [relation.target for relation in self.connections.get(owner, ())]

    def absorb(self, node: Node, owner: str, relationship: str | None, target: str | None, used: set[str]) -> None:
        """Let ``owner`` take in ``node``, as a relationship to ``target`` if there is one. ``used``: the properties of
        the node that this expresses."""
        if relationship and target:
            self.connect(owner, relationship, target, node.path)
        node.part_of = owner
        self.report("BPC303", node.path, type=node.source_type, name=node.name, target=owner)
        for name in sorted(str(key) for key in node.properties.keys() - used if node.properties[key] is not None):
            self.report("BPC301", node.origin(name), name=name, type=node.source_type)
