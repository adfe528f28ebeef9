"""The dependencies that Heat adds by itself (``add_dependencies`` of its plugins); Cloudify adds none.

A port and a server wait for the subnets of their networks, a router for those of its gateway's network, a floating IP
for whatever connects its network to its port. A gateway and routes of a router wait for its interfaces. Heat compares
ids that do not exist yet when a stack is created, and so waits for more than it means to; here values as written are
compared.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Value
from bpconvert.models.topology import Node, Topology
from bpconvert.translators.passes.expressions.choices import outcomes
from bpconvert.translators.support.text import is_uuid


def edges(topology: Topology) -> Iterator[tuple[str, str]]:
    """(node, what it waits for)."""
    nodes = [node for node in topology.nodes.values() if isinstance(node.properties, dict)]
    subnets: dict[str, list[str]] = {}
    for node in nodes:
        if node.kind == "subnet" and node.properties.get("network") is not None:
            subnets.setdefault(repr(_meant(topology, node.properties["network"])), []).append(node.name)
    gateways_known = [(_gateway(node), node.name) for node in nodes]
    gateways = [(repr(_meant(topology, network)), router) for network, router in gateways_known if network is not None]
    interfaces = [node for node in nodes if node.kind == "router_interface"]
    for node in nodes:
        networks = _networks(node)
        for network in networks:
            for outcome in outcomes(network):
                yield from ((node.name, subnet) for subnet in subnets.get(repr(_meant(topology, outcome)), ()))
        if node.kind == "floating_ip":
            wanted = repr(_meant(topology, node.properties.get("floating_network")))
            yield from ((node.name, router) for network, router in gateways if network == wanted)
        if node.kind in _TO_PORTS:
            yield from _behind(topology, node, interfaces)
        if node.kind in _ON_ROUTERS:
            yield from (
                (node.name, interface.name)
                for interface in interfaces
                if _router(interface) == _router(node) is not None
            )
        if node.source_type == _ROUTE:
            others = (gateway for gateway in nodes if gateway.kind == "router_gateway")
            yield from (
                (node.name, gateway.name) for gateway in others if _router(gateway) == _router(node) is not None
            )


#: kinds that connect something with a port, and kinds that belong to a router as its interfaces do
_TO_PORTS: Final = ("floating_ip", "floating_ip_association")
_ON_ROUTERS: Final = ("router_gateway", "extra_route")
#: the type of routes that waits for the router's gateway as well (heat: neutron/extraroute.py)
_ROUTE: Final = "OS::Neutron::ExtraRoute"


def _router(node: Node) -> Value:
    """The router that a node belongs to, None without one."""
    return node.properties.get("router", node.properties.get("router_id"))


#: kinds that wait for a signal -> their property for what takes it
_AWAITING: Final = {"wait_condition": "handle", "cfn_wait_condition": "Handle"}


def perhaps(topology: Topology) -> Iterator[tuple[str, str]]:
    """(node, what it may have to wait for): a floating IP waits for a router whose gateway has the same network, when
    the values are known (heat: neutron/floatingip.py, ``add_dependencies``); and what waits for a signal."""
    nodes = [node for node in topology.nodes.values() if isinstance(node.properties, dict)]
    gateways = [(_meant(topology, network), node.name) for node in nodes if (network := _gateway(node)) is not None]
    for node in nodes:
        network = _meant(topology, node.properties.get("floating_network")) if node.kind == "floating_ip" else None
        if network is not None:
            yield from ((node.name, router) for other, router in gateways if _may_be_one(network, other))
    yield from _signals(topology)


def _meant(topology: Topology, network: Value) -> Value:
    """The name or id of a network that exists already, which may be a node of its own by now."""
    node = topology.node(network.node) if isinstance(network, ex.Identity) else None
    return network if node is None or node.external_id is ex.MISSING else node.external_id


def _may_be_one(first: Value, other: Value) -> bool:
    """True where a value decides whether two networks are the same, or one is a name and one an id."""
    if isinstance(first, ex.Identity) or isinstance(other, ex.Identity):
        return False
    return isinstance(first, ex.Expr) or isinstance(other, ex.Expr) or is_uuid(first) != is_uuid(other)


def _signals(topology: Topology) -> Iterator[tuple[str, str]]:
    """(node that waits for a signal, node that can send it). Heat starts to wait before what signals is there, and ends
    when it is: with no signal, the order is what is left of that. What a configuration gets, the nodes that use it
    get."""
    users: dict[str, list[str]] = {}
    for node in topology.nodes.values():
        for name in ex.named_nodes([node.properties, [operation.inputs for operation in node.operations]]):
            users.setdefault(name, []).append(node.name)
    for node in topology.nodes.values():
        key = _AWAITING.get(node.kind or "")
        handle = node.properties.get(key) if key and isinstance(node.properties, dict) else None
        waiting = [handle.node] if isinstance(handle, ex.Identity) and isinstance(handle.node, str) else []
        senders: dict[str, None] = {}
        while waiting:
            for user in users.get(waiting.pop(), ()):
                if user not in senders and user != node.name and topology.nodes[user].kind not in _AWAITING:
                    senders[user] = None
                    waiting += [user] if topology.nodes[user].kind in _TOLD else []
        yield from ((node.name, user) for user in senders)


#: kinds that are text for others
_TOLD: Final = ("software_config", "cloud_config", "multipart_mime")


def _networks(node: Node) -> list[Value]:
    """The networks that a node is connected to without naming a subnet."""
    if node.kind == "port":
        return [node.properties["network"]] if node.properties.get("network") is not None else []
    if node.kind in ("router", "router_gateway"):
        network = _gateway(node)
        return [] if network is None else [network]
    items = list(_parts(node.properties.get("networks"))) if node.kind == "server" else []
    return [item["network"] for item in items if isinstance(item, dict) and item.get("network") is not None]


def _parts(value: Value) -> Iterator[Value]:
    """The items of a list, whatever its conditions are."""
    if isinstance(value, ex.If):
        for branch in (value.then, value.otherwise):
            yield from _parts(branch)
    elif isinstance(value, list):
        for item in value:
            yield from _parts(item)
    else:
        yield value


def _gateway(node: Node) -> Value:
    """The network of a router's gateway, or of one by itself; None without one."""
    if node.kind == "router_gateway":
        return node.properties.get("network", node.properties.get("network_id"))
    info: Any = node.properties.get("external_gateway_info") if node.kind == "router" else None
    return info.get("network", info.get("network_id")) if isinstance(info, dict) else None


def _behind(topology: Topology, node: Node, interfaces: list[Node]) -> Iterator[tuple[str, str]]:
    """The interfaces by which a router is connected to the subnets of the floating IP's port."""
    reference = node.properties.get("port_id")
    port = topology.node(reference.node) if isinstance(reference, ex.Identity) else None
    if port is None or port.kind != "port" or not isinstance(port.properties, dict):
        return
    addresses: Any = port.properties.get("fixed_ips")
    maps = [item for item in addresses if isinstance(item, dict)] if isinstance(addresses, list) else []
    wanted = [item.get("subnet", item.get("subnet_id")) for item in maps]
    for interface in interfaces:
        subnet = interface.properties.get("subnet")
        owner = topology.node(subnet.node) if isinstance(subnet, ex.Identity) else None
        if owner is None or owner.kind != "subnet" or not isinstance(owner.properties, dict):
            continue
        is_beside = owner.properties.get("network") == port.properties.get("network")
        if subnet in wanted or (not wanted and node.kind == "floating_ip" and is_beside):
            yield node.name, interface.name
