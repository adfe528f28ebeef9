"""Resources without a node of their own: each is absorbed by another node, as a relationship or a property.

Each function gets such a resource and absorbs it, or raises :class:`Refused` where that would lose something; the
resource is a stand-in then. Nothing is made before it is certain that the resource is absorbed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Value
from bpconvert.models.topology import Node, Operation, Refusal

if TYPE_CHECKING:
    from bpconvert.translators.cloudify.write.nodes import Nodes

_REL = "cloudify.relationships.openstack."
#: the operation of a router that takes extra routes (3.x)
_START = ("cloudify.interfaces.lifecycle", "start")


class Refused(Exception):
    """The resource cannot be absorbed; the text says why."""


def absorb(nodes: Nodes, node: Node, kind: str) -> bool:
    """Absorb ``node``; False, with the reason kept for the diagnostic, where it becomes a stand-in."""
    try:
        MERGES[kind](nodes, node)
    except Refused as refused:
        code = "BPC317" if node.refusal is None else node.refusal.code
        node.refusal = Refusal(code, str(refused))
        return False
    return True


def _ends(nodes: Nodes, node: Node, owner: tuple[str, str], target: tuple[str, str]) -> tuple[str, str]:
    """The nodes at both ends, from (property, kind) each. At least one of them is created by this template: the plugin
    connects nothing to nothing when both exist already."""
    for role, _ in (owner, target):
        if not nodes.can_be_end(node.properties.get(role)):
            raise Refused(f"'{role}' is neither a resource nor a name or id")
    for role, kind in (owner, target):
        if isinstance(node.properties[role], ex.Identity) and not nodes.is_reference(node.properties[role], (kind,)):
            raise Refused(f"'{role}' refers to no {kind.replace('_', ' ')} with a node of its own")
    if not any(_is_created(nodes, node.properties[role]) for role, _ in (owner, target)):
        raise Refused("both of its sides exist already, and the plugin does not connect those")
    _check_condition(nodes, node, *(node.properties[role] for role, _ in (owner, target)))
    return nodes.endpoint(node, *owner), nodes.endpoint(node, *target)


def _is_created(nodes: Nodes, value: Value) -> bool:
    found = nodes.context.node_of(value.node) if isinstance(value, ex.Identity) else None
    return found is not None and found.external_id is MISSING


def _check_condition(nodes: Nodes, node: Node, *ends: Value) -> None:
    """A conditional resource can be absorbed when one of its sides has the same condition: where that is not created,
    there is no relationship either."""
    if node.condition is MISSING:
        return
    found = [nodes.context.node_of(end.node) for end in ends if isinstance(end, ex.Identity)]
    if not any(end is not None and end.condition == node.condition for end in found):
        raise Refused("it has a condition that neither of its sides has")


def _router_interface(nodes: Nodes, node: Node) -> None:
    """A relationship of the subnet or port to the router."""
    for role, relationship in (("subnet", "subnet_connected_to_router"), ("port", "port_connected_to_router")):
        if node.properties.get(role) is not None:
            owner, router = _ends(nodes, node, (role, role), ("router", "router"))
            nodes.absorb(node, owner, _REL + relationship, router, {"router", role})
            return
    raise Refused("it has neither a subnet nor a port")


def _router_gateway(nodes: Nodes, node: Node) -> None:
    """The `external_gateway_info` of the router."""
    network, router = node.properties.get("network"), node.properties.get("router_id")
    owner = nodes.context.node_of(router.node) if isinstance(router, ex.Identity) else None
    if owner is None or not nodes.is_reference(router, ("router",)) or not _is_created(nodes, router):
        raise Refused("its router is not created by this template")
    _check_condition(nodes, node, router)
    if network is None or "external_gateway_info" in owner.properties:
        raise Refused("its router has a gateway already" if network is not None else "it has no network")
    nodes.absorb(node, owner.name, None, None, {"router_id", "network"})
    owner.properties["external_gateway_info"] = {"network": network}
    owner.origins["external_gateway_info",] = (*node.path, "properties")


def _volume_attachment(nodes: Nodes, node: Node) -> None:
    """A relationship. The name of the device is a property of the volume (plugin: ``attach_volume``): of several
    attachments of a volume, all have that of the first that says one."""
    given, mountpoint = node.properties.get("volume_id"), node.properties.get("mountpoint") or None
    device = next(filter(None, _mountpoints(nodes, given)), None)
    volume, server = _ends(nodes, node, ("volume_id", "volume"), ("instance_uuid", "server"))
    nodes.absorb(node, volume, _REL + "volume_attached_to_server", server, {"volume_id", "instance_uuid", "mountpoint"})
    path = (*node.path, "properties", "mountpoint")
    if mountpoint != device:
        place = node.path if mountpoint is None else path
        nodes.context.reporter.report("BPC349", place, name=node.name, volume=volume, device=device)
    elif mountpoint is not None:
        nodes.context.topology.nodes[volume].settings.setdefault("device_name", (mountpoint, path))


def _mountpoints(nodes: Nodes, volume: Value) -> list[Value]:
    """What the attachments of a volume say about the device, in their order."""
    found = (one for one in nodes.context.topology.nodes.values() if one.kind == "volume_attachment")
    said = [one.properties for one in found if isinstance(one.properties, dict)]
    return [properties.get("mountpoint") for properties in said if properties.get("volume_id") == volume]


def _floating_ip_association(nodes: Nodes, node: Node) -> None:
    """A relationship of the port, or of the port of a server's interface, to the address."""
    port, fixed = node.properties.get("port_id"), node.properties.get("fixed_ip_address")
    if fixed is not None and _addresses(nodes, port) != [fixed]:
        raise Refused("a fixed address of the port is chosen, which a relationship cannot say")
    if isinstance(port, ex.Attribute):
        node.properties = {**node.properties, "port_id": _port_of_server(nodes, node, port)}
    owner, address = _ends(nodes, node, ("port_id", "port"), ("floatingip_id", "floating_ip"))
    used = {"floatingip_id", "port_id", "fixed_ip_address"}
    nodes.absorb(node, owner, _REL + "port_connected_to_floating_ip", address, used)


def _addresses(nodes: Nodes, port: Value) -> list[Value]:
    """The fixed addresses that the template gives to a port."""
    found = nodes.context.node_of(port.node) if isinstance(port, ex.Identity) else None
    items = found.properties.get("fixed_ips") if found is not None and isinstance(found.properties, dict) else None
    return [item.get("ip_address") for item in items if isinstance(item, dict)] if isinstance(items, list) else []


def _nova_floating_ip_association(nodes: Nodes, node: Node) -> None:
    """A relationship of the server to the address."""
    server, address = _ends(nodes, node, ("server_id", "server"), ("floating_ip", "floating_ip"))
    nodes.absorb(node, server, _REL + "server_connected_to_floating_ip", address, {"server_id", "floating_ip"})
    note = "the plugin asks Nova to associate the address, which Nova's API does not do since version 2.44"
    nodes.context.reporter.report("BPC309", node.path, note=note)


def _extra_route(nodes: Nodes, node: Node) -> None:
    """An input of the router's ``start``. What it refers to would have to be there before the router."""
    router, routes = node.properties.get("router"), node.properties.get("routes")
    owner = nodes.context.node_of(router.node) if isinstance(router, ex.Identity) else None
    if owner is None or not nodes.is_reference(router, ("router",)) or not _is_created(nodes, router):
        raise Refused("its router is not created by this template")
    for expr in ex.walk(routes):
        if isinstance(expr, (ex.Identity, ex.Attribute)) and expr.node != owner.name:
            raise Refused(f"its routes need '{expr.node}', and the router would have them before that is there")
    _check_condition(nodes, node, router)
    start = next((one for one in owner.operations if (one.interface, one.name) == _START), None)
    known = None if start is None else start.inputs.get("routes")
    if known is not None and not (isinstance(known, list) and isinstance(routes, list)):
        raise Refused("its router has other routes already, and computed lists cannot be put together")
    nodes.absorb(node, owner.name, None, None, {"router", "routes"})
    if not routes:
        return
    if start is None:
        start = Operation(*_START, implementation="", path=node.origin("routes"))
        owner.operations.append(start)
    start.inputs["routes"] = [*known, *routes] if isinstance(known, list) and isinstance(routes, list) else routes
    interfaces = [one for one in nodes.context.topology.nodes.values() if one.kind == "router_interface"]
    if any(isinstance(one.properties, dict) and one.properties.get("router") == router for one in interfaces):
        nodes.context.reporter.report("BPC340", node.path, router=owner.name)


def _port_of_server(nodes: Nodes, node: Node, attribute: ex.Attribute) -> ex.Identity:
    """``[server, addresses, <network>, 0, port]``: the port of the server's interface on that network; an interface
    that has only a network gets a port node."""
    server = nodes.context.node_of(attribute.node)
    known_server = server is not None and server.kind == "server" and isinstance(server.properties, dict)
    interfaces: Any = server.properties.get("networks") if server is not None and known_server else None
    keys = attribute.keys
    if server is None or not isinstance(interfaces, list) or attribute.name != "addresses":
        raise Refused("its port is not a resource of this template")
    if len(keys) != 3 or keys[1] != 0 or keys[2] != "port" or not all(isinstance(i, dict) for i in interfaces):
        raise Refused("its port is not the first one of a network of the server")
    known = nodes.context.interfaces(server)
    matching = [i.place for i in known if i.network is not None and i.network == keys[0]]
    if len(matching) != 1 and len(interfaces) != 1:
        raise Refused("the template does not say which interface of the server is on that network")
    place = matching[0] if len(matching) == 1 else 0
    item = {("network" if key == "uuid" else key): value for key, value in interfaces[place].items()}
    if nodes.is_reference(item.get("port"), ("port",)):
        reference: ex.Identity = item["port"]
        return reference
    if item.keys() != {"network"}:
        raise Refused("the interface of the server has no port of its own")
    _check_condition(nodes, node, ex.Identity(server.name), node.properties.get("floatingip_id"))
    name = nodes.context.fresh_node(f"{server.name}_port_{place}")
    path = (*server.path, "properties", "networks", place)
    port = Node(name, "", "port", {"network": item["network"]}, condition=server.condition, path=path)
    nodes.add(port, before=server.name)
    made = ex.Identity(name, path=path)
    server.properties["networks"] = [{"port": made} if i == place else old for i, old in enumerate(interfaces)]
    nodes.context.reporter.report("BPC311", path, name=server.name, port=name)
    return made


def _role_assignment(nodes: Nodes, node: Node) -> None:
    """The roles of the user or group in the list of the project."""
    from bpconvert.translators.cloudify.openstack import roles_write

    why = roles_write.absorb(nodes, node)
    if why is not None:
        raise Refused(why)


def _software(nodes: Nodes, node: Node) -> None:
    """Configurations and deployment groups are taken apart before (:mod:`software`)."""
    if node.part_of is None:
        raise Refused("nothing uses it" if node.refusal is None else node.refusal.why)


MERGES: dict[str, Callable[[Nodes, Node], None]] = {
    "router_interface": _router_interface,
    "software": _software,
    "router_gateway": _router_gateway,
    "volume_attachment": _volume_attachment,
    "floating_ip_association": _floating_ip_association,
    "nova_floating_ip_association": _nova_floating_ip_association,
    "extra_route": _extra_route,
    "user_role_assignment": _role_assignment,
    "group_role_assignment": _role_assignment,
}
