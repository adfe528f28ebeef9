"""A network interface that one document writes with a server, and the other as a port of its own.

Nova, or Heat for it, makes a port for each interface of a server that names none, with the network, the subnet and the
address of the interface (heat: nova/server_network_mixin.py); a floating IP of the interface is connected to that port.
Where the other document has the port itself, both get the form of ports.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import zip_longest
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
    """The attribute ``addresses`` of a server: the addresses are those of ``networks``, and the port of the first one
    is that of the interface, where it is clear which is meant: ``[server, addresses, <network>, 0, port]``."""
    on_networks = side.attribute(server, "networks")
    table = {**_known_at_run_time(side, server), **(drawn if isinstance(drawn, dict) else {})}
    for network, rows in [*table.items()]:
        if not isinstance(rows, list) or not rows or not all(isinstance(row, dict) for row in rows):
            continue
        plain = on_networks.get(network) if isinstance(on_networks, dict) else None
        first, *others = (
            {**row, "addr": address} if "addr" in row and address is not None else row
            for row, address in zip_longest(rows, plain[: len(rows)] if isinstance(plain, list) else ())
        )
        interface = _interface(side, server, network)
        if interface is not None and "port" in first:
            port = interface[1].get("port")
            of_interface = identity(side.name_of(server.name), interface[0])
            first = {**first, "port": of_interface if port is None else side.value(port)}
        table[network] = [{key: value for key, value in first.items() if value is not None}, *others]
    return table or drawn


def at_ports(side: Side, server: Node, drawn: Value) -> Value:
    """The attribute ``networks`` of a server, with the first address of the port of an interface, where the document
    has that."""
    at_run_time = {network: [None] for network, rows in _known_at_run_time(side, server).items() if "addr" in rows[0]}
    table = {**at_run_time, **(drawn if isinstance(drawn, dict) else {})}
    for network, rows in [*table.items()]:
        interface = _interface(side, server, network)
        port = interface[1].get("port") if interface is not None else None
        if isinstance(port, ex.Identity) and port.node in side.nodes and isinstance(rows, list) and rows:
            table[network] = [side.value(ex.Attribute(port.node, "fixed_ips", (0, "ip_address"))), *rows[1:]]
    return {network: rows for network, rows in table.items() if rows != [None]} or drawn


def _known_at_run_time(side: Side, server: Node) -> dict[str, list[dict[str, Value]]]:
    """The networks of the addresses that the document asks for by a name that is known at run time only, each with the
    parts of the first one."""
    table: dict[str, list[dict[str, Value]]] = {}
    for expr in side.references_to(server.name):
        if not isinstance(expr, ex.Attribute) or expr.name != "addresses":
            continue
        if len(expr.keys) == 3 and expr.keys[1] == 0 and expr.keys[2] in ("port", "addr"):
            network = side.value(expr.keys[0]) if isinstance(expr.keys[0], ex.Expr) else None
            if isinstance(network, str):
                table.setdefault(network, [{}])[0][str(expr.keys[2])] = None
    return table


def _interface(side: Side, server: Node, network: Value) -> tuple[int, dict[Any, Value]] | None:
    """The interface of a server on a network, with its number; None where it is not clear which it is."""
    items = server.value_of("networks")
    maps = [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []
    if not maps or len(maps) != len(items or ()):
        return None
    if len(maps) == 1:
        return 0, maps[0]
    on = [side.value(_network(side, item)) for item in maps]
    return (on.index(network), maps[on.index(network)]) if on.count(network) == 1 else None


def first_address(side: Side, server: Node) -> Value:
    """The first address of a server that has at most one interface: on the only network that addresses of servers are
    asked for by (``[server, networks, <network>, 0]``); MISSING where it is not known that they are the same."""
    items, shape = server.value_of("networks"), side.world.shapes.get("networks", {})
    names = [name for name in shape if isinstance(name, str) and not name.isdecimal()]
    exists_already = (server.external_id, server.external_name) != (MISSING, MISSING)
    if len(names) != 1 or exists_already or not (items is None or (isinstance(items, list) and len(items) == 1)):
        return MISSING
    on_networks = side.attribute(server, "networks")
    rows = on_networks.get(names[0]) if isinstance(on_networks, dict) else None
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
    """The port's id in place of ``old``, wherever a value has it. What only refers to the server for that id waits for
    the port."""
    for name, output in deployment.outputs.items():
        deployment.outputs[name] = output._replace(value=_with(output.value, old, f"{port}-id"))
    for part in deployment.parts.values():
        changed = {key: _with(value, old, f"{port}-id") for key, value in part.properties.items()}
        keys = [key for key, value in part.properties.items() if changed[key] is not value]
        if not keys:
            continue
        part.properties = changed
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


def _with(value: Value, old: str, new: str) -> Value:
    """``value`` with another text in the place of one; itself where it is not in it."""
    if isinstance(value, str):
        return value.replace(old, new) if old in value else value
    if not isinstance(value, (dict, list)) or all(old not in text for text in texts(value)):
        return value
    if isinstance(value, dict):
        return {key: _with(part, old, new) for key, part in value.items()}
    return [_with(part, old, new) for part in value]


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


def fixed_ips(side: Side, port: Node, drawn: Value) -> Value:
    """The attribute ``fixed_ips`` of a port: an address is of the subnet that it was asked for on."""
    requested = port.value_of("fixed_ips")
    if not isinstance(requested, list) or not isinstance(drawn, list):
        return drawn
    rows = []
    for row, asked in zip_longest(drawn, requested[: len(drawn)]):
        subnet = asked.get("subnet", asked.get("subnet_id")) if isinstance(asked, dict) else None
        is_asked = isinstance(row, dict) and "subnet_id" in row and subnet is not None
        rows.append({**row, "subnet_id": side.value(subnet)} if is_asked else row)
    return rows


#: (kind, attribute) -> what the services make of it, given the node and what was drawn
ATTRIBUTES: Final[dict[tuple[str | None, str], Callable[[Side, Node, Value], Value]]] = {
    ("server", "addresses"): addresses,
    ("server", "networks"): at_ports,
    ("port", "fixed_ips"): fixed_ips,
}
