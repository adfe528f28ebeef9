"""Public addresses of machines: floating IPs on a network of the cloud, which one input of the document names.

A machine has one where its endpoint is on the network ``PUBLIC``, and where something asks for its public address
(Simple Profile 1.3, 5.5.7.3 and 5.9.1). A network that the document makes is routed to that network: Neutron refuses
floating IPs of others."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Path, Value
from bpconvert.models.input_requests import InputRequest
from bpconvert.models.topology import Node
from bpconvert.translators.tosca.read.making import NETWORKS, Given, NodeBuilder
from bpconvert.translators.tosca.read.raw import RawNode
from bpconvert.translators.tosca.read.references import machine

FLOATING_IP: Final = "OS::Neutron::FloatingIP"
_ASSOCIATION: Final = "OS::Nova::FloatingIPAssociation"
_ROUTER: Final = "OS::Neutron::Router"
_INTERFACE: Final = "OS::Neutron::RouterInterface"
#: the attribute that is a public address
ADDRESS: Final = "public_address"
#: values of ``network_name`` that mean something else than a name
_PRIVATE: Final = "PRIVATE"
_PUBLIC: Final = "PUBLIC"
#: what is asked for
WHAT: Final = "public network"
#: kinds of what gives machines or ports public addresses
_ADDRESSES: Final = ("floating_ip", "floating_ip_association", "nova_floating_ip_association")


def add_addresses(making: NodeBuilder) -> None:
    """Give the machines what their endpoints, and the references to their public addresses, ask for."""
    public = _Public(making)
    for raw in making.raw.values():
        node = making.nodes.get(raw.name)
        name = making.capability(raw, "endpoint").get("network_name") if "endpoint" in raw.assigned else None
        if node is None or node.kind != "server" or name is None:
            continue
        if name.value == _PRIVATE:
            making.taken.add(name.place)
        elif name.value == _PUBLIC:
            making.taken.add(name.place)
            public.give(raw, node, name.place)
        elif isinstance(name.value, str) and "networks" not in node.properties:
            making.put(node, "networks", Given([{"network": making.read(name).value}], name.place))
    for raw, place in _referred(making):
        public.give(raw, making.nodes[raw.name], place)


def _referred(making: NodeBuilder) -> Iterator[tuple[RawNode, Path]]:
    """The machines whose public addresses something asks for, each with a place where it does."""
    values: list[Value] = [output.value for output in making.topology.published]
    for raw in making.raw.values():
        operations = (*raw.operations, *(operation for row in raw.requirements for operation in row.operations))
        values += [raw.properties, raw.attributes, *(operation.inputs for operation in operations)]
    for expr in (expr for value in values for expr in ex.walk(value)):
        node_read = making.raw.get(expr.node) if isinstance(expr, ex.Attribute) and isinstance(expr.node, str) else None
        if node_read is None or not isinstance(expr, ex.Attribute) or expr.name != ADDRESS:
            continue
        if ADDRESS in node_read.attributes or ADDRESS in node_read.declared:
            continue
        server = machine(making, node_read, ("server",))
        if server is not None and server.name not in making.plain:
            yield server, expr.path


class _Public:
    """Adds floating IPs, and the router that leads to their network."""

    def __init__(self, making: NodeBuilder) -> None:
        self.making = making
        self.router: Node | None = None

    def give(self, raw: RawNode, server: Node, place: Path) -> None:
        """Give a machine a floating IP, unless it has one."""
        items = server.properties.get("networks")
        first = items[0] if isinstance(items, list) and items else None
        port = first.get("port") if isinstance(first, dict) else None
        identity: Value = ex.Identity(server.name, path=place)
        if self._has(server.name, items):
            return
        outside = Given(self._network(raw, place), place)
        properties = {"floating_network": outside}
        inside = port if isinstance(port, ex.Identity) else None
        if inside is not None:
            properties["port_id"] = Given(inside, place)
        address = self.making.resource(raw, FLOATING_IP, properties, f"{raw.name}_floating_ip")
        last = address
        if inside is None:
            inner = Given(ex.Identity(address.name, path=place), place)
            own = {"floating_ip": inner, "server_id": Given(identity, place)}
            last = self.making.resource(raw, _ASSOCIATION, own, f"{raw.name}_floating_ip_association")
        network = self._own_network(first)
        if network is not None:
            last.wait_for(*self._route(raw, network, outside), path=place)

    def _has(self, server: str, items: Value) -> bool:
        """True for a machine, or one of its ports, with an address."""
        ports = [item.get("port") for item in items if isinstance(item, dict)] if isinstance(items, list) else []
        names = {server, *ex.named_nodes(ports)}
        with_addresses = (node for node in self.making.nodes.values() if node.kind in _ADDRESSES)
        keys = ("port_id", "server_id")
        return any(names & set(ex.named_nodes([node.properties.get(key) for key in keys])) for node in with_addresses)

    def _network(self, raw: RawNode, place: Path) -> Value:
        """The input that names the network of the floating IP of a machine; one for all is made of them later."""
        words = f"external network of {raw.name}"
        asked = InputRequest(WHAT, {}, raw.written, "a public address")
        return self.making.ask(f"{raw.name}_public_network", words, place, "neutron.network", asked=asked)

    def _own_network(self, item: Value) -> str | None:
        """The network of the document that an interface of a server is on; None for another one."""
        nodes = self.making.nodes
        for name in ex.named_nodes(item):
            node = nodes.get(name)
            if node is not None and node.kind == "port":
                return self._own_network(node.properties.get("network"))
            if node is not None and node.kind in NETWORKS:
                return name
        return None

    def _route(self, raw: RawNode, network: str, outside: Given) -> list[str]:
        """Lead the subnets of a network to the one ``outside``; returns what does."""
        nodes, routers = self.making.nodes, []
        for subnet in [name for name in self.making.parts.get(network, ()) if nodes[name].kind == "subnet"]:
            interfaces = [node for node in nodes.values() if node.kind == "router_interface"]
            interface = next(
                (interface.name for interface in interfaces if subnet in ex.named_nodes(interface.properties)), None
            )
            routers.append(interface or self._interface(raw, subnet, outside))
        return routers

    def _interface(self, raw: RawNode, subnet: str, outside: Given) -> str:
        place = outside.place
        if self.router is None:
            own = {"external_gateway_info": Given({"network": outside.value}, place)}
            self.router = self.making.resource(raw, _ROUTER, own, "public_router")
        own = {
            "router": Given(ex.Identity(self.router.name, path=place), place),
            "subnet": Given(ex.Identity(subnet, path=place), place),
        }
        return self.making.resource(raw, _INTERFACE, own, f"{subnet}_router_interface").name
