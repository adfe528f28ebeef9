"""Resources without a node of their own: each is absorbed by another node, as a relationship or a property.

Each function gets such a resource and returns False where absorbing it would lose something; it is a stand-in then.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from bpconvert.models import expressions as ex
from bpconvert.models.topology import Node

if TYPE_CHECKING:
    from bpconvert.translators.cloudify.nodes import Nodes

_REL = "cloudify.relationships.openstack."


def _router_interface(nodes: Nodes, node: Node) -> bool:
    router = nodes.endpoint(node, "router", "router", ("router",))
    for role, relationship in (("subnet", "subnet_connected_to_router"), ("port", "port_connected_to_router")):
        if node.properties.get(role) is not None and router is not None:
            owner = nodes.endpoint(node, role, role, (role,))
            return owner is not None and nodes.absorb(node, owner, _REL + relationship, router, {"router", role})
    return False


def _router_gateway(nodes: Nodes, node: Node) -> bool:
    router = nodes.endpoint(node, "router_id", "router", ("router",))
    network = node.properties.get("network")
    if router is None or network is None or "external_gateway_info" in nodes.context.topology.nodes[router].properties:
        return False
    if not nodes.absorb(node, router, None, None, {"router_id", "network"}):
        return False
    owner = nodes.context.topology.nodes[router]
    owner.properties["external_gateway_info"] = {"network": network}
    nodes.origins[router, "external_gateway_info"] = (*node.path, "properties")
    return True


def _volume_attachment(nodes: Nodes, node: Node) -> bool:
    volume = nodes.endpoint(node, "volume_id", "volume", ("volume",))
    server = nodes.endpoint(node, "instance_uuid", "server", ("server",))
    if volume is None or server is None:
        return False
    mountpoint = node.properties.get("mountpoint")
    if mountpoint not in (None, "") and "device_name" in nodes.settings.get(volume, {}):
        return False
    relationship = _REL + "volume_attached_to_server"
    if not nodes.absorb(node, volume, relationship, server, {"volume_id", "instance_uuid", "mountpoint"}):
        return False
    if mountpoint not in (None, ""):
        source = (*node.path, "properties", "mountpoint")
        nodes.settings.setdefault(volume, {})["device_name"] = (mountpoint, source)
    return True


def _floating_ip_association(nodes: Nodes, node: Node) -> bool:
    if node.properties.get("fixed_ip_address") is not None:
        return False
    address = nodes.endpoint(node, "floatingip_id", "floating_ip", ("floating_ip",))
    port = node.properties.get("port_id")
    if address is None or port is None:
        return False
    done = {"floatingip_id", "port_id", "fixed_ip_address"}
    if isinstance(port, ex.Attribute):
        server = nodes.context.node_of(port.node)
        if server is None or server.kind != "server" or port.name != "addresses":
            return False
        return nodes.absorb(node, server.name, _REL + "server_connected_to_floating_ip", address, done)
    owner = nodes.endpoint(node, "port_id", "port", ("port",))
    return owner is not None and nodes.absorb(node, owner, _REL + "port_connected_to_floating_ip", address, done)


MERGES: dict[str, Callable[[Nodes, Node], bool]] = {
    "router_interface": _router_interface,
    "router_gateway": _router_gateway,
    "volume_attachment": _volume_attachment,
    "floating_ip_association": _floating_ip_association,
}
