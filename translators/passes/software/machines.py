"""Which machine of a topology an address is one of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Value
from bpconvert.models.light import replace
from bpconvert.models.topology import Node, Topology
from bpconvert.translators.passes.software.kinds import MACHINES
from bpconvert.translators.support.text import fresh

#: what attributes and properties of machines that are addresses are called
_ADDRESS: Final = re.compile(r"(.*_)?ip(v[46])?(_.*)?|.*address(es)?|networks|accessIPv[46]")
#: kinds of resources that give a port or a server an address
_ASSOCIATIONS: Final = ("floating_ip_association", "nova_floating_ip_association")
#: addresses of the machine that the engine itself is on
_LOCAL: Final = ("localhost", "127.0.0.1", "::1")


def is_local(node: Node | None) -> bool:
    """True for the machine that the engine itself is on."""
    return node is not None and isinstance(node.address, str) and node.address in _LOCAL


def addressed(topology: Topology, address: Value) -> Node | None:
    """The machine of which ``address`` is one; None where that is none of the topology, or not sure."""
    machines: dict[str, Node] = {}
    for expr in ex.walk(address):
        if isinstance(expr, (ex.Attribute, ex.Property)):
            machine = _machine_of(topology, expr)
            if machine is None:
                return None
            machines[machine.name] = machine
        elif isinstance(expr, (ex.Input, ex.Secret, ex.Capability)):
            return None
    return next(iter(machines.values())) if len(machines) == 1 else None


def on_each(topology: Topology) -> None:
    """Software on several machines is a node on each."""
    for node in list(topology.nodes.values()):
        for host in node.hosts if node.role else ():
            _copy(topology, node, host)
        node.hosts = []


def _copy(topology: Topology, node: Node, host: str) -> None:
    name = fresh(f"{node.name}_{host}", topology.nodes)
    copied = replace(node, name=name, host=host, hosts=[])
    copied.relationships = [
        replace(relationship, source=name) for relationship in node.relationships if relationship.target != node.host
    ]
    node.relationships = [
        relationship for relationship in node.relationships if relationship.target != host or not relationship.inside
    ]
    copied.operations = [replace(operation) for operation in node.operations]
    for other in topology.nodes.values():
        if node.name in other.awaited:
            other.wait_for(name, path=node.path)
    topology.nodes[name] = copied


def _machine_of(topology: Topology, expr: ex.Attribute | ex.Property) -> Node | None:
    """The machine that has what an expression asks for."""
    node = topology.node(expr.node)
    if node is None:
        return None
    if node.kind in MACHINES:
        return node if isinstance(expr.name, str) and _ADDRESS.fullmatch(expr.name) else None
    if node.kind == "port" and expr.name == "fixed_ips":
        return _of_port(topology, node)
    if node.kind == "floating_ip" and expr.name == "floating_ip_address":
        names = {name for name in _connected(topology, node) if name != node.name}
        machines = [_machine(topology, name) for name in sorted(names)]
        return machines[0] if len(machines) == 1 else None
    return None


def _connected(topology: Topology, address: Node) -> Iterator[str]:
    """The nodes that have a floating address."""
    yield from ex.named_nodes(address.properties.get("port_id"))
    for node in topology.nodes.values():
        if node.kind in _ASSOCIATIONS and address.name in ex.named_nodes(node.properties):
            for key in ("port_id", "server_id"):
                yield from ex.named_nodes(node.properties.get(key))


def _machine(topology: Topology, name: str) -> Node | None:
    node = topology.node(name)
    if node is not None and node.kind == "port":
        return _of_port(topology, node)
    return node if node is not None and node.kind in MACHINES else None


def _of_port(topology: Topology, port: Node) -> Node | None:
    """The server that a port is an interface of."""
    servers = [
        node
        for node in topology.nodes.values()
        if node.kind in MACHINES and port.name in ex.named_nodes(node.properties.get("networks"))
    ]
    return servers[0] if len(servers) == 1 else None


def outermost(topology: Topology, node: Node) -> Node:
    """The machine that a node is or is hosted by, or the outermost node that it is hosted by."""
    seen: set[str] = set()
    while node.kind not in MACHINES and node.name not in seen:
        seen.add(node.name)
        node = topology.nodes.get(node.host or "", node)
    return node
