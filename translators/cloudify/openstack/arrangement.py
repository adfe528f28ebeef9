"""Which resources become nodes, and what absorbs the others, as far as the topics decide it.

In the OpenStack plugin a relationship is an argument: it must not be mixed with the property it stands for. So where
one item of a list is a reference, the others become external nodes (``use_external_resource``), and resources without
a node of their own are absorbed by another one.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.light import replace
from bpconvert.models.topology import Node, Topology
from bpconvert.translators.catalogue.model import PropertyRule
from bpconvert.translators.cloudify.openstack.drafts import Relation
from bpconvert.translators.evaluate.parameters import is_false
from bpconvert.translators.passes.expressions.choices import outcomes
from bpconvert.translators.passes.request import Request
from bpconvert.translators.passes.work import Refused, Work
from bpconvert.translators.support.text import is_name

#: whether a port, or those of a network, have security
_SECURITY: Final = "port_security_enabled"
#: expressions that yield ids
IDS: Final = (ex.Identity, ex.Attribute, ex.Property, ex.Capability)


def is_some_name(value: Value) -> bool:
    """True for what may name a resource by its name in one case at least: a text, or what an input or a function
    yields, not a reference to a node."""
    return any(
        is_name(possible) or (isinstance(possible, ex.Expr) and not isinstance(possible, IDS))
        for possible in outcomes(value)
    )


def _where(is_so: Value, value: Value) -> Value:
    """``value`` where something is so, else an empty list; what decides it may be a choice itself."""
    if isinstance(is_so, ex.If):
        return replace(is_so, then=_where(is_so.then, value), otherwise=_where(is_so.otherwise, value))
    if isinstance(is_so, ex.Expr):
        return ex.If(is_so, value, [], path=getattr(is_so, "path", ()))
    return [] if is_false(is_so) else value


class Reshaping(Work):
    """What becomes of the resources of one topology. ``fresh_node``: gives a name that no node of the blueprint has;
    ``replacement``: what stands for a value that the blueprint cannot have."""

    def __init__(
        self,
        topology: Topology,
        request: Request,
        fresh_node: Callable[[str], str],
        replacement: Callable[[Value, Path, str], Value],
    ) -> None:
        super().__init__(topology, request)
        self.catalogue = request.catalogue
        self.generation2 = request.options.plugin == "v2"
        self._fresh_node = fresh_node
        self._replacement = replacement
        #: server -> its interfaces, where all of them are relationships
        self.interfaces: dict[str, list[dict[str, Value]]] = {}
        #: relationships that absorbed resources give to their absorber
        self.connections: dict[str, list[Relation]] = {}
        #: node -> others that give it what Heat gives it by itself
        self.completing: dict[str, list[str]] = {}
        #: node -> its properties, or items of lists, that have no counterpart
        self.unsupported: dict[str, dict[str, list[Value]]] = {}

    @cached_property
    def devices(self) -> dict[str, Value]:
        """Volume (by the text of what names it) -> the device that the first of its attachments to do so names."""
        devices_by_volume: dict[str, Value] = {}
        for node in self.topology.nodes.values():
            if node.kind == "volume_attachment" and node.value_of("mountpoint"):
                devices_by_volume.setdefault(repr(node.value_of("volume_id")), node.value_of("mountpoint"))
        return devices_by_volume

    def silent(self, node: Node, name: str, rule: PropertyRule) -> None:
        """Name the resource that OpenStack takes by itself: the 3.x plugin sends an empty list instead of nothing. A
        port without security has no groups, and Neutron refuses those that it is given."""
        is_secured = self._is_secured(node)
        if self.generation2 or rule.lift is None or is_secured is False:
            return
        usual: Value = [self.external(rule.lift.targets[0], rule.silent, node, node.path)]
        node.properties[name] = _where(is_secured, usual)
        self.report("BPC338", node.path, name=node.name, value=rule.silent)

    def _is_secured(self, port: Node) -> Value:
        """Whether a port has security, which is its network's where it does not say (neutron: plugins/ml2/
        extensions/port_security.py); True where only OpenStack knows."""
        network = port.value_of("network")
        for node in (port, self.topology.node(network.node) if isinstance(network, ex.Identity) else None):
            value = node.value_of(_SECURITY) if node is not None else None
            if value is not None:
                return value if isinstance(value, ex.Expr) else not is_false(value)
        return True

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

    def may_be_name(self, value: Value) -> bool:
        """True for what names a resource, and may do so by its name: a text, or what an input or a function yields.
        What may be nothing names no resource."""
        values = list(outcomes(value))
        if any(possible in (None, "", MISSING) or self._is_empty_input(possible) for possible in values):
            return False
        return is_some_name(value)

    def _is_empty_input(self, value: Value) -> bool:
        """True for an input that is nothing where nobody gives one."""
        declared = self.topology.inputs.get(value.name) if isinstance(value, ex.Input) and not value.keys else None
        return declared is not None and declared.default in (None, "")

    def is_looked_up(self, rule: PropertyRule, value: Value) -> bool:
        """True for what an external node has to find: Heat looks names up, the plugin does so for such nodes alone
        (plugin: openstack_sdk/resources/networks.py, ``find_network`` and the like)."""
        return rule.lookup and rule.lift is not None and rule.lift.fill != "item" and self.may_be_name(value)

    def referred(self, rule: PropertyRule, value: Value, user: Node) -> Value:
        """``value``, or the reference to the external node that was made for this name."""
        if rule.lift is None or not self.is_looked_up(rule, value):
            return value
        name = self.topology.existing.get((rule.lift.targets[0], repr(value), repr(user.condition)))
        return value if name is None else ex.Identity(name)

    def asked(self, value: Value, path: Path, reason: str) -> Value:
        """The input that asks for what the blueprint cannot do without."""
        return self._replacement(value, path, reason)

    # -- nodes that are made, and resources that are none ---------------------------------------------------

    def fresh_node(self, wanted: str) -> str:
        """A node name that nobody has yet."""
        return self._fresh_node(wanted)

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
