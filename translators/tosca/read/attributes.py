"""Attributes of the standard's types as those of the resources that the nodes have become."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Value
from bpconvert.models.light import replace
from bpconvert.models.topology import Node, Operation
from bpconvert.translators.catalogue.attributes import has_attribute
from bpconvert.translators.catalogue.schemas import heat_type
from bpconvert.translators.tosca.column import Attribute, types_of
from bpconvert.translators.tosca.read import substitution
from bpconvert.translators.tosca.read.making import NodeBuilder
from bpconvert.translators.tosca.read.nesting import document_of
from bpconvert.translators.tosca.read.outputs import order, relationship, setters, steps_of
from bpconvert.translators.tosca.read.paths import places, plain
from bpconvert.translators.tosca.read.raw import RawNode, RawRequirement
from bpconvert.translators.tosca.read.references import has, hosts
from bpconvert.translators.tosca.read.types import NODE
from bpconvert.translators.tosca.vocabulary import EXISTING_ID, IDENTITY

#: attributes of any node
_NAME: Final = "tosca_name"
_STATE: Final = "state"
_ENDPOINT_ADDRESS: Final = "ip_address"
#: kinds of what runs programs; what is no resource is software
_RUNNING: Final = ("server", "compute", None)
#: how many attributes may stand for one another; a chain of them is followed by a call for each
_DEEPEST: Final = 50


class Attributes:
    """Gives attributes the neutral names, everywhere in the topology."""

    def __init__(self, making: NodeBuilder) -> None:
        self.making = making
        self.nodes = making.nodes
        self._addresses = _addresses(making.nodes)
        self._entered: list[ex.Attribute] = []
        self._setters = setters(making.raw, making.reading.files.keep, self._host_with)
        #: whose values are read: a node, the order of its operation, and what SELF is where that is a relationship
        self._reader: tuple[str, float, RawRequirement | None] = ("", inf, None)

    def _host_with(self, node: RawNode, attribute: str) -> str:
        """The nearest node that hosts ``node`` and has the attribute; "" for none."""
        return next((other.name for other in hosts(self.making.raw, node) if has(self.making, other, attribute)), "")

    def resolve(self) -> None:
        """Rewrite all of them."""
        self.making.topology.rewrite(self.value)
        for raw in self.making.raw.values():
            for operation in raw.operations:
                self._inputs(raw, operation, None)
            for requirement in raw.requirements:
                for operation in requirement.operations:
                    self._inputs(raw, operation, requirement)

    def _inputs(self, raw: RawNode, operation: Operation, requirement: RawRequirement | None) -> None:
        """Rewrite the inputs of an operation, which sees what has been set until then."""
        self._reader = (raw.name, order(operation), requirement)
        operation.inputs = self.value(operation.inputs)
        self._reader = ("", inf, None)

    def value(self, value: Value) -> Any:
        """``value`` with neutral references."""
        return ex.transform(value, self._expression)

    def _expression(self, expr: ex.Expr) -> Value:
        if isinstance(expr, ex.Identity) and isinstance(expr.node, str) and expr.node in self.making.existing:
            return self.making.existing[expr.node]
        if isinstance(expr, ex.Attribute) and isinstance(expr.node, str) and isinstance(expr.name, str):
            attribute = self._attribute(expr, expr.node, expr.name)
            if attribute is expr:  # nothing is known of it
                name, *keys = plain(expr.name, expr.keys)
                return expr if name == expr.name else replace(expr, name=name, keys=tuple(keys))
            return attribute
        if isinstance(expr, ex.AttributeList):
            return self._list(expr)
        return self.making.reading.in_texts(expr)

    def _list(self, expr: ex.AttributeList) -> Value:
        """An attribute of all instances, under its neutral name."""
        single = self._expression(ex.Attribute(expr.node, expr.name, expr.keys, path=expr.path))
        if isinstance(single, ex.Identity):
            return ex.AttributeList(single.node, MISSING, path=expr.path)
        if isinstance(single, ex.Attribute):
            return ex.AttributeList(single.node, single.name, single.keys, path=expr.path)
        return expr

    def _attribute(self, expr: ex.Attribute, name: str, attribute: str) -> Value:
        raw, node = self.making.raw.get(name), self.nodes.get(name)
        output = self._output(expr, name)
        if output is not None:
            return output
        if raw is None:
            return self._of_relationship(expr, name)
        if attribute == _NAME and not expr.keys:
            return name
        if name in self.making.existing:
            return self._of_existing(expr, raw, attribute)
        if node is None:
            return expr
        if attribute == EXISTING_ID and raw.existing is not MISSING and not expr.keys:
            return ex.Identity(name, path=expr.path)
        kind = self.making.catalogue.kind(node.kind)
        row = types_of(kind).attributes.get(attribute) if kind is not None else None
        if row is not None and not (expr.keys and (row.identity or row.property)):
            return self._of_resource(expr, node, row)
        rule = _RULES.get(node.kind or "")
        result = rule(self, expr, node) if rule is not None else MISSING
        if result is not MISSING:
            return result
        return self._other(expr, raw, node, attribute)

    def _of_resource(self, expr: ex.Attribute, node: Node, row: Attribute) -> Value:
        """An attribute as what the catalogue says that the resource has for it."""
        if row.identity:
            return ex.Identity(node.name, path=expr.path)
        if row.property in node.properties:
            return node.properties[row.property]
        if row.note:
            self.making.report("BPC818", expr.path, name=expr.name, node=node.name, why=row.note)
        name, *steps = row.to.split(".")
        return replace(expr, name=name, keys=tuple(int(step) if step.isdecimal() else step for step in steps))

    def _output(self, expr: ex.Attribute, name: str) -> Value | None:
        """The output of the operation that has set an attribute; None where none has."""
        reader, until, requirement = self._reader
        name = relationship(requirement) if name == "SELF" and requirement is not None else name
        for steps in steps_of(expr.name, expr.keys):
            rows = self._setters.get((name, *steps), ())
            if sum(setter.owner == reader and setter.order == until for setter in rows) > 1:
                self.making.report("BPC983", expr.path, name=expr.name, node=reader)
            for setter in reversed(rows):
                node = self.nodes.get(setter.owner)
                is_later = setter.owner == reader and setter.order >= until
                if is_later or node is None or not (node.kind in _RUNNING and node.nested is None) or node.shows:
                    continue
                if setter.output not in setter.operation.outputs:
                    setter.operation.outputs.append(setter.output)
                steps_left = (expr.name, *expr.keys)[len(steps) :]
                return ex.Attribute(setter.owner, setter.output, steps_left, path=expr.path)
        return None

    def _of_relationship(self, expr: ex.Attribute, name: str) -> Value:
        """The default of an attribute, or a property, of a relationship."""
        rows = (
            requirement
            for raw in self.making.raw.values()
            for requirement in raw.requirements
            if requirement.template == name
        )
        reader = self._reader[2] if name == "SELF" else next(rows, None)
        if not isinstance(expr.name, str):
            return expr
        if reader is None:
            return self._of_unused(expr, name)
        if expr.name in reader.properties:
            return self._inside(reader.properties[expr.name], expr)
        return self._inside(reader.initial[expr.name], expr) if expr.name in reader.initial else expr

    def _of_unused(self, expr: ex.Attribute, name: str) -> Value:
        """What a relationship template says that no requirement uses."""
        reading = self.making.reading
        template = reading.template.relationship_templates.get(name)
        for key in ("attributes", "properties"):
            rows = getattr(template, key, None) or {}
            if expr.name in rows:
                place = ("relationship_templates", name, key, expr.name)
                return self._inside(reading.value(rows[expr.name], place), expr)
        return expr

    def _of_existing(self, expr: ex.Attribute, raw: RawNode, attribute: str) -> Value:
        if attribute in ("volume_id", "network_id", "network_name"):
            return self.making.existing[raw.name]
        if attribute in raw.declared and not expr.keys:
            return raw.declared[attribute]
        self.making.report("BPC819", expr.path, why=f"'{raw.name}' exists already, its '{attribute}' is not known")
        return None

    # -- nodes of any kind ------------------------------------------------------------------------------------

    def _other(self, expr: ex.Attribute, raw: RawNode, node: Node, attribute: str) -> Value:
        if self._is_known(node, attribute) and not self._is_data(raw, attribute):
            return expr
        if attribute in raw.attributes:
            return self._with_parts(self._inside(raw.attributes[attribute], expr), expr, raw.name)
        if self._is_published(raw, attribute):
            return expr
        if self._is_of_resource(raw, attribute):
            return expr
        if attribute in raw.declared:  # what is given of a property is an attribute as well (2.10)
            value = self.making.structures.of_property(NODE, raw.ancestry[0], attribute, raw.declared[attribute])
            return self._inside(value, expr)
        if attribute in ("private_address", "public_address"):
            machine = self._machine(raw)
            if machine is not None:
                return self._expression(replace(expr, node=machine.name))
        through = self._through(expr, raw, attribute)
        if through is not MISSING:
            return through
        if attribute == _STATE:
            self.making.report("BPC822", expr.path, name=attribute, node=raw.name)
            return None
        if attribute not in raw.initial:
            return expr
        return self._with_parts(self._inside(raw.initial[attribute], expr), expr, raw.name)

    def _with_parts(self, value: Value, expr: ex.Attribute, name: str) -> Value:
        """The value of an attribute with the parts that operations set."""
        steps = (name, expr.name, *expr.keys)
        for place in self._setters if isinstance(value, dict) else ():
            more = place[len(steps) :]
            part = self._output(replace(expr, keys=place[2:]), name) if more and place[: len(steps)] == steps else None
            if part is not None:
                value = _put(value, more, part)
        return value

    def _inside(self, value: Value, expr: ex.Attribute) -> Value:
        for place, key in enumerate(expr.keys):
            if isinstance(value, (ex.Input, ex.Attribute)):
                value = replace(value, keys=(*value.keys, *expr.keys[place:]))
                break
            try:
                value = value[key]
            except (LookupError, TypeError):
                return expr
        if expr in self._entered or len(self._entered) == _DEEPEST:
            how = "refers to itself" if expr in self._entered else f"is behind {_DEEPEST} other attributes"
            self.making.report("BPC819", expr.path, why=f"'{expr.name}' of '{expr.node}' {how}")
            return None
        self._entered.append(expr)
        resolved = self.value(value)
        self._entered.pop()
        return resolved

    def _is_published(self, raw: RawNode, attribute: str) -> bool:
        """True for what the document publishes that the node stands for; a property of that name is another value."""
        types = self.making.types
        if document_of(raw, types) is None and not substitution.asks(raw):
            return False
        return attribute in types.attributes(NODE, raw.ancestry[0])

    def _is_data(self, raw: RawNode, attribute: str) -> bool:
        """True for what the template says, though a resource has an attribute of that name: what a type of someone's
        own adds, and what is given of a property, which may have a unit."""
        if any(self.making.is_own(raw, attribute, section) for section in ("properties", "attributes")):
            return True
        return raw.name not in self.making.plain and raw.declared.get(attribute) is not None

    def _is_of_resource(self, raw: RawNode, attribute: str) -> bool:
        """True for an attribute that the type of a resource defines itself, beside a property of the same name."""
        defined = self.making.types.attributes(NODE, raw.ancestry[0])
        return attribute in raw.declared and attribute in defined and isinstance(self.making.role(raw), str)

    def _is_known(self, node: Node, attribute: str) -> bool:
        kind = self.making.catalogue.kind(node.kind)
        if kind is not None:
            return has_attribute(kind, attribute)
        shown = node.properties.get(node.shows.type) if node.shows is not None else None
        return isinstance(shown, str) and attribute in (heat_type(shown) or {}).get("attributes", {})

    def _machine(self, raw: RawNode) -> Node | None:
        """The server that a node is hosted on."""
        for host_node in hosts(self.making.raw, raw):
            if self.making.kind(host_node.name) in ("server", "compute"):
                return self.nodes[host_node.name]
        return None

    def _through(self, expr: ex.Attribute, raw: RawNode, attribute: str) -> Value:
        """An attribute through a requirement or a capability of the node: MISSING for no such."""
        candidates = places(self.making.raw, self.making.types, raw, (attribute, *expr.keys))
        first: ex.Attribute | None = None
        for owner, capability, (name, *keys) in candidates if expr.keys else ():
            inner = replace(expr, node=owner.name, name=name, keys=tuple(keys))
            if capability is None and (owner is not raw or name != attribute):
                if has(self.making, owner, name):
                    return self._of_target(inner)
                first = first or inner
            elif capability in owner.capability_types or capability in owner.capabilities:
                rows = (owner.capability_initial, owner.capabilities, owner.capability_attributes)
                held = {name: value for row in rows for name, value in row.get(capability, {}).items()}
                if name in held:
                    return self._inside(held[name], inner)
                if name == _ENDPOINT_ADDRESS:
                    return self._endpoint(replace(inner, keys=()))
        return MISSING if first is None else self._of_target(first)

    def _of_target(self, expr: ex.Attribute) -> Value:
        """An attribute of the node that a requirement leads to."""
        if expr.name == IDENTITY and not expr.keys:
            return self._expression(ex.Identity(expr.node, path=expr.path))
        return self._endpoint(expr) if expr.name == _ENDPOINT_ADDRESS else self._expression(expr)

    def _endpoint(self, expr: ex.Attribute) -> Value:
        """The address at which a node can be reached: that of its machine, or what it has of its own."""
        raw = self.making.raw[str(expr.node)]
        if self.making.kind(raw.name) in ("server", "compute"):
            return self._expression(replace(expr, name="private_address", keys=()))
        machine = self._machine(raw)
        if machine is None or self.making.kind(raw.name) == "port":
            return self._expression(expr)
        return self._expression(replace(expr, node=machine.name, name="private_address", keys=()))

    # -- servers ----------------------------------------------------------------------------------------------

    def _of_compute(self, expr: ex.Attribute, node: Node) -> Value:
        """The address of a machine that exists already is what the template gives."""
        if expr.name not in ("private_address", "public_address") or expr.keys:
            return MISSING
        raw = self.making.raw[str(expr.node)]
        attribute_value = raw.attributes.get(expr.name, raw.initial.get(expr.name))
        if attribute_value is None:
            why = "the template gives another address of it"
            self.making.report("BPC818", expr.path, name=expr.name, node=node.name, why=why)
        return self._inside(node.address if attribute_value is None else attribute_value, expr)

    def _of_server(self, expr: ex.Attribute, node: Node) -> Value:
        if expr.name == "private_address":
            return self._private(expr, node)
        if expr.name == "public_address":
            for name in (node.name, *(port.name for port in self._ports(node) if port is not None)):
                if name in self._addresses:
                    return replace(expr, node=self._addresses[name], name="floating_ip_address", keys=())
            self.making.report("BPC818", expr.path, name=expr.name, node=node.name, why="it has no floating IP")
            return replace(expr, name="first_address", keys=())
        if expr.name == "networks" and len(expr.keys) > 1:
            return self._of_networks(expr)
        if expr.name == "networks" and node.name not in self.making.plain:
            why = "a network has its addresses, and nothing else"
            self.making.report("BPC818", expr.path, name=expr.name, node=node.name, why=why)
        if expr.name == "ports" and expr.keys and self.making.kind(str(expr.keys[0])) == "port":
            port, *steps_left = expr.keys
            if steps_left in (["port_id"], []):
                return ex.Identity(port, path=expr.path)
            inner = replace(
                expr, node=port, name=steps_left[0] if steps_left[0] != "addresses" else "ip_address", keys=()
            )
            if steps_left[0] == "addresses" and len(steps_left) == 2:
                return replace(inner, name="fixed_ips", keys=(steps_left[1], "ip_address"))
            return self._expression(inner)
        return MISSING

    def _private(self, expr: ex.Attribute, node: Node) -> Value:
        for port in self._ports(node):
            if port is not None:
                return replace(expr, node=port.name, name="fixed_ips", keys=(0, "ip_address"))
            break
        items = node.properties.get("networks")
        first = items[0] if isinstance(items, list) and items else None
        network = first.get("network") if isinstance(first, dict) else None
        network_name = self._network_name(network)
        if network_name is not None:
            return replace(expr, name="networks", keys=(network_name, 0))
        if items:
            self.making.report("BPC818", expr.path, name=expr.name, node=node.name, why="its network is not known")
        else:
            self.making.report("BPC866", expr.path, name=expr.name, node=node.name)
        return replace(expr, name="first_address", keys=())

    def _network_name(self, network: Value) -> Value:
        """What Nova calls a network: None where that is not known."""
        if isinstance(network, ex.Identity):
            network_node = self.nodes.get(str(network.node))
            network = network_node.properties.get("name") if network_node is not None else None
        return network if isinstance(network, (str, ex.Input)) else None

    def _ports(self, node: Node) -> list[Node | None]:
        """The ports of a server, None for interfaces without."""
        items = node.properties.get("networks")
        ports = []
        for item in items if isinstance(items, list) else ():
            reference = item.get("port") if isinstance(item, dict) else None
            ports.append(self.nodes.get(str(reference.node)) if isinstance(reference, ex.Identity) else None)
        return ports

    def _of_networks(self, expr: ex.Attribute) -> Value:
        """``[network, addresses, 0]``: in OpenStack a network has nothing but addresses."""
        network, what, *steps_left = expr.keys
        if what == "addresses":
            return replace(expr, keys=(network, *steps_left))
        if what == "network_name":
            return network
        if what == "network_id":
            return replace(expr, name="addresses", keys=(network, 0, "network"))
        return MISSING


def _put(value: Value, steps: tuple[str, ...], part: Value) -> Value:
    """A map with ``part`` where ``steps`` lead to."""
    if not steps:
        return part
    rows = value if isinstance(value, dict) else {}
    return {**rows, steps[0]: _put(rows.get(steps[0]), steps[1:], part)}


_ADDRESSES: Final = ("floating_ip", "floating_ip_association", "nova_floating_ip_association")


def _address_of(node: Node) -> Value:
    """The floating IP that an association gives, or the node itself."""
    for key in ("floatingip_id", "floating_ip"):
        reference = node.properties.get(key)
        if isinstance(reference, ex.Identity):
            return reference.node
    return node.name


def _addresses(nodes: dict[str, Node]) -> dict[str, Value]:
    """Server or port -> the first floating IP that it has."""
    addresses_by_node: dict[str, Value] = {}
    for node in nodes.values():
        for key in ("port_id", "server_id") if node.kind in _ADDRESSES else ():
            reference = node.properties.get(key)
            if isinstance(reference, ex.Identity) and isinstance(reference.node, str):
                addresses_by_node.setdefault(reference.node, _address_of(node))
    return addresses_by_node


#: kind of node -> the method for its attributes
_RULES: Final[dict[str, Callable[[Attributes, ex.Attribute, Node], Value]]] = {
    "server": Attributes._of_server,
    "compute": Attributes._of_compute,
}
