"""Load balancers: in OpenStack a balancer, what it listens to, and the pool of those that it passes requests on to."""

from __future__ import annotations

from typing import Final

from bpconvert.models import expressions as ex
from bpconvert.translators.tosca.read.making import Given, NodeBuilder
from bpconvert.translators.tosca.read.paths import capabilities
from bpconvert.translators.tosca.read.raw import RawNode, RawRequirement
from bpconvert.translators.tosca.read.references import machine

_BALANCER: Final = "OS::Octavia::LoadBalancer"
_LISTENER: Final = "OS::Octavia::Listener"
_POOL: Final = "OS::Octavia::Pool"
_MEMBER: Final = "OS::Octavia::PoolMember"
ROUTES_TO: Final = "tosca.relationships.RoutesTo"
_CLIENT: Final = "client"


def balancer(making: NodeBuilder, raw: RawNode) -> None:
    """A load balancer with a port at which it listens; without, it stays visible only."""
    client = making.capability(raw, _CLIENT)
    properties = making.properties(raw)
    port = client.get("port") or making.take(properties, "port")
    if port is None:
        making.visible(raw)
        return
    own = making.properties_of(properties, _BALANCER)
    node = making.resource(raw, _BALANCER, own)
    if "vip_subnet" not in own:
        asked = making.ask(f"{raw.name}_subnet", f"subnet of {raw.name}", raw.path, "neutron.subnet")
        making.put(node, "vip_subnet", Given(asked, raw.path))
        making.report("BPC816", raw.path, node=raw.name, what="subnet", input=asked.name)
    protocol = client.get("protocol")
    protocols = making.types_of("octavia_listener").values["protocol"]  # the others are TCP
    kind = protocols.get(str(protocol.value).lower(), "TCP") if protocol is not None else "TCP"
    spoken = Given(kind, protocol.place if protocol is not None else port.place)
    making.taken.update({port.place, spoken.place})
    listened = {
        "loadbalancer": Given(ex.Identity(raw.name, path=raw.path), raw.path), "protocol": spoken,
        "protocol_port": port,
    }  # fmt: skip
    listener = making.resource(raw, _LISTENER, listened, f"{raw.name}_listener")
    algorithm = properties.get("algorithm")
    algorithms = making.types_of("octavia_pool").values["algorithm"]
    chosen = algorithms.get(str(algorithm.value).lower()) if algorithm is not None else "ROUND_ROBIN"
    if algorithm is not None and chosen is not None:
        making.taken.add(algorithm.place)
    pooled = {
        "listener": Given(ex.Identity(listener.name, path=raw.path), raw.path), "protocol": spoken,
        "lb_algorithm": Given(chosen or "ROUND_ROBIN", algorithm.place if algorithm is not None else raw.path),
    }  # fmt: skip
    making.resource(raw, _POOL, pooled, f"{raw.name}_pool")


def is_route(making: NodeBuilder, raw: RawNode, requirement: RawRequirement) -> bool:
    """True for what a balancer passes requests on to."""
    routes = requirement.name == "application" or ROUTES_TO in requirement.ancestry
    return routes and requirement.target is not None and f"{raw.name}_pool" in making.parts.get(raw.name, ())


def route(making: NodeBuilder, raw: RawNode, requirement: RawRequirement) -> None:
    """A member of the pool: the machine of an application, and the port of its endpoint."""
    target = making.raw[str(requirement.target)]
    path, runs_on = requirement.path, machine(making, target)
    if runs_on is None:
        making.carried(path, requirement.name, raw.name, f"'{target.name}' runs on no machine of the template")
        return
    making.taken.add(path)
    name = f"{raw.name}_{target.name}_member"
    own = {
        "pool": Given(ex.Identity(f"{raw.name}_pool", path=path), path),
        "address": Given(ex.Attribute(runs_on.name, "private_address", path=path), path),
        "protocol_port": _port(making, target, requirement, name),
    }
    member = making.resource(raw, _MEMBER, own, name, path[:4])
    making.wait(member, target.name, path[:4])


def _port(making: NodeBuilder, target: RawNode, requirement: RawRequirement, name: str) -> Given:
    """The port at which an application can be reached; an input asks for one that is not known."""
    wanted = capabilities(making.types, target, requirement.capability)
    for capability in (*wanted, *target.capabilities):
        port_value = making.capability(target, capability).get("port")
        if port_value is not None:
            return making.read(port_value)
    asked = making.ask(f"{name}_port", f"port of {target.name}", requirement.path, type="number")
    making.report("BPC816", requirement.path, node=target.name, what="port", input=asked.name)
    return Given(asked, requirement.path)
