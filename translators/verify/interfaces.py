"""A network interface that one document writes with a server, and the other as a port of its own.

Nova, or Heat for it, makes a port for each interface of a server that names none, with the network, the subnet and the
address of the interface (heat: nova/server_network_mixin.py); a floating IP of the interface is connected to that port.
Where the other document has the port itself, both get the form of ports.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.topology import Node
from bpconvert.translators.comparing.model import Deployment, Part, Side
from bpconvert.translators.support.places import texts
from bpconvert.translators.verify.compare import paired
from bpconvert.translators.verify.effective import effective

#: what an interface has of its port: key -> place in the properties of a port
_OF_PORT: Final[dict[str, Path]] = {
    "network": ("network",),
    "subnet": ("fixed_ips", 0, "subnet"),
    "fixed_ip": ("fixed_ips", 0, "ip_address"),
    "port_extra_properties": (),
}
_EXTRA: Final = "port_extra_properties"
_ASSOCIATION: Final = "floating_ip_association"


def identity(server: str, index: int) -> str:
    """The id of the port that is made for an interface of a server."""
    return f"{server}.networks.{index}-id"


def unify(first: Deployment, second: Deployment) -> None:
    """Bring the interfaces of servers that both deployments have into one form."""
    servers = [
        {name: part for name, part in deployment.parts.items() if part.kind == "server"}
        for deployment in (first, second)
    ]
    for server, partner in paired(*servers):
        if server is None or partner is None:
            continue
        for index, items in _interfaces(server, partner):
            sides = (first, server, items[0]), (second, partner, items[1])
            for (deployment, mine, item), (other, _, theirs) in (sides, sides[::-1]):
                port = other.identified("port", theirs.get("port"))
                if port is not None and not port.existing and "port" not in item and port.name not in deployment.parts:
                    _own_port(deployment, mine, index, port.name)
                    _groups(mine, deployment.parts[port.name], port)
                _floating_ip(deployment, other, mine, index)
            if "port" not in items[0] and "port" not in items[1] and any(_EXTRA in item for item in items):
                ports = [
                    _own_port(deployment, mine, index, f"{server.name}.networks.{index}")
                    for deployment, mine, _ in sides
                ]
                _groups(server, ports[0], ports[1])
                _groups(partner, ports[1], ports[0])
        _without_use(server, partner)
        _without_use(partner, server)


def complete(deployment: Deployment, server: Part) -> None:
    """An interface that has only a subnet is on its network (heat: server_network_mixin.py, ``_get_network_id``)."""
    networks = server.properties.get("networks")
    interfaces = []
    for item in networks if isinstance(networks, list) else ():
        is_open = isinstance(item, dict) and item.keys().isdisjoint(("network", "port"))
        subnet = deployment.identified("subnet", item.get("subnet")) if is_open else None
        network = subnet.properties.get("network") if subnet is not None else None
        interfaces.append(item if network is None else {**item, "network": network})
    if interfaces:
        server.properties = {**server.properties, "networks": interfaces}


def _groups(server: Part, port: Part, like: Part) -> None:
    """Nova gives the security groups of the server to a port that it makes; ``like`` has its own."""
    groups = server.properties.get("security_groups")
    if groups is not None and "security_groups" in like.properties and "security_groups" not in port.properties:
        port.properties = {**port.properties, "security_groups": groups}


def _without_use(server: Part, partner: Part) -> None:
    """The security groups of a server that has only ports mean nothing to Nova."""
    networks = server.properties.get("networks")
    only_ports = isinstance(networks, list) and all(isinstance(item, dict) and "port" in item for item in networks)
    if only_ports and networks and "security_groups" not in partner.properties:
        server.properties = server.without("security_groups")


def addresses(side: Side, server: Node, drawn: Value) -> Value:
    """The attribute ``addresses`` of a server, with the ids and the addresses of the ports that the document asks it
    for, where it is clear which interface is meant: ``[server, addresses, <network>, 0, port]``."""
    items = server.given("networks")
    maps = [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []
    if not maps or len(maps) != len(items or ()):
        return drawn
    networks = [side.value(_network(side, item)) for item in maps]
    table = dict(drawn) if isinstance(drawn, dict) else {}
    for expr in ex.walk(list(side.expressions())):
        if not isinstance(expr, ex.Attribute) or (expr.node, expr.name) != (server.name, "addresses"):
            continue
        if len(expr.keys) == 3 and expr.keys[1] == 0 and expr.keys[2] in ("port", "addr"):
            network = side.value(expr.keys[0])
            index = 0 if len(maps) == 1 else networks.index(network) if networks.count(network) == 1 else None
            address = None if index is None else _of_port(side, server, maps[index], index, str(expr.keys[2]))
            if address is not None and isinstance(network, str):
                rows = table.get(network)
                first = rows[0] if isinstance(rows, list) and rows and isinstance(rows[0], dict) else {}
                table[network] = [{**first, expr.keys[2]: address}, *(rows[1:] if isinstance(rows, list) else ())]
    return table or drawn


def _of_port(side: Side, server: Node, item: dict[Any, Value], index: int, key: str) -> Value:
    """The id, or the first address, of the port of an interface; None where it is not known."""
    port = item.get("port")
    if key == "port":
        return identity(side.name_of(server.name), index) if port is None else side.value(port)
    if not isinstance(port, ex.Identity) or not isinstance(port.node, str) or port.node not in side.nodes:
        return None
    return side.value(ex.Attribute(port.node, "fixed_ips", (0, "ip_address")))


def first_address(side: Side, server: Node) -> Value:
    """The first address of a server that has at most one interface: on the only network that addresses of servers are
    asked for by (``[server, networks, <network>, 0]``); MISSING where it is not known that they are the same."""
    items, shape = server.given("networks"), side.world.shapes.get("networks", {})
    names = [name for name in shape if isinstance(name, str) and not name.isdecimal()]
    exists_already = (server.external_id, server.external_name) != (MISSING, MISSING)
    if len(names) != 1 or exists_already or not (items is None or (isinstance(items, list) and len(items) == 1)):
        return MISSING
    drawn = side.world.attribute(side.name_of(server.name), "networks")
    rows = drawn.get(names[0]) if isinstance(drawn, dict) else None
    return rows[0] if isinstance(rows, list) and rows else MISSING


def _network(side: Side, item: dict[Any, Value]) -> Value:
    """The network of an interface, or of its port."""
    port = item.get("port")
    node = side.nodes.get(port.node) if isinstance(port, ex.Identity) and isinstance(port.node, str) else None
    holder = item if node is None else node.properties
    return holder.get("network") if isinstance(holder, dict) else None


def _interfaces(server: Part, partner: Part) -> Iterator[tuple[int, tuple[dict[Any, Value], dict[Any, Value]]]]:
    both = [part.properties.get("networks") for part in (server, partner)]
    if isinstance(both[0], list) and isinstance(both[1], list) and len(both[0]) == len(both[1]):
        for index, (item, theirs) in enumerate(zip(*both, strict=True)):
            if isinstance(item, dict) and isinstance(theirs, dict):
                yield index, (item, theirs)


def _own_port(deployment: Deployment, server: Part, index: int, name: str) -> Part:
    """The interface of a server as a port called ``name``."""
    networks: Any = server.properties["networks"]
    item = {key: value for key, value in networks[index].items() if value is not None}
    place = server.origin("networks", index)
    properties: dict[str, Value] = {}
    address = {_OF_PORT[key][-1]: item[key] for key in ("subnet", "fixed_ip") if key in item}
    if "network" in item:
        properties["network"] = item["network"]
    if address:
        properties["fixed_ips"] = [address]
    more = item.get(_EXTRA)
    extra = more if isinstance(more, dict) else {}
    properties |= {key: value for key, value in extra.items() if value is not None}
    if (item.get("subnet") is not None or more) and server.node.path[-1:] == (server.node.name,):
        properties["name"] = f"{server.node.name}-port-{index}"  # nova/server_network_mixin.py, _create_internal_port
    kind = deployment.side.catalogue.kind("port")
    properties = properties if kind is None else effective(kind, properties)
    node = Node(name, "", "port", properties, path=place)
    node.origins = {("security_groups",): server.origin("security_groups")}
    node.origins |= {path: (*place, key) for key, path in _OF_PORT.items() if path and key in item}
    node.origins |= {(key,): (*place, _EXTRA, key) for key in extra}
    node.origins[()] = place
    deployment.parts[name] = Part(name, "port", properties, place, node.origin, node)
    others = {key: value for key, value in item.items() if key not in _OF_PORT}
    others |= {_EXTRA: more} if more is not None and more is not extra else {}  # refused, or no map
    changed = [{**others, "port": f"{name}-id"} if number == index else old for number, old in enumerate(networks)]
    server.properties = {**server.properties, "networks": changed}
    _order(deployment, server.name, name, node.properties)
    _rename(deployment, identity(server.name, index), server.name, name)
    return deployment.parts[name]


def _order(deployment: Deployment, server: str, port: str, properties: dict[Any, Value]) -> None:
    """The server waits for the port, the port for what it is made with."""
    mentioned = set(texts(properties))
    deployment.waits[port] = {part for part in deployment.parts if f"{part}-id" in mentioned}
    deployment.waits.setdefault(server, set()).add(port)


def _rename(deployment: Deployment, old: str, server: str, port: str) -> None:
    """The port's id in place of ``old``. What only refers to the server for that id waits for the port."""
    for part in deployment.parts.values():
        keys = [key for key, value in part.properties.items() if value == old]
        if not keys:
            continue
        part.properties = {**part.properties, **dict.fromkeys(keys, f"{port}-id")}
        waits = deployment.waits.setdefault(part.name, set())
        waits.add(port)
        written = (deployment.side.original or deployment.side).topology.nodes.get(part.node.name)
        if written is None or server in written.awaited:
            continue
        others = [value for key, value in written.properties.items() if key not in keys]
        if not any(getattr(expr, "node", None) == server for expr in ex.walk(others)):
            for behind in deployment.waits.values():  # they go on waiting for the server
                if part.name in behind:
                    behind.add(server)
            waits.discard(server)


def _floating_ip(deployment: Deployment, other: Deployment, server: Part, index: int) -> None:
    """The floating IP of an interface as an association, where the other deployment has one."""
    networks: Any = server.properties["networks"]
    address, port = networks[index].get("floating_ip"), networks[index].get("port")
    if address is None or port is None:
        return
    for part in other.parts.values():
        if part.kind == _ASSOCIATION and part.properties.get("port_id") == port and part.name not in deployment.parts:
            place = server.origin("networks", index)
            node = Node(part.name, "", _ASSOCIATION, {"floatingip_id": address, "port_id": port}, path=place)
            node.origins = {("floatingip_id",): (*place, "floating_ip"), ("port_id",): (*place, "port"), (): place}
            deployment.parts[part.name] = Part(part.name, _ASSOCIATION, dict(node.properties), place, node.origin, node)
            others = {key: value for key, value in networks[index].items() if key != "floating_ip"}
            changed = [others if number == index else old for number, old in enumerate(networks)]
            server.properties = {**server.properties, "networks": changed}
            _order(deployment, server.name, part.name, node.properties)
            return
