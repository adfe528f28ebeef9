"""Rewrites of the topology itself, so that every reference that has to become a relationship can.

In the OpenStack plugin a relationship is an argument: it must not be mixed with the property it stands for. So where
one item of a list is a reference, the others become external nodes (``use_external_resource``), interfaces with their
own addresses become ports, and resources without a node of their own are absorbed by another one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.topology import Node
from bpconvert.translators.cloudify.openstack import generation2_write, rbac_policies
from bpconvert.translators.cloudify.openstack.connections_write import Refused, absorb
from bpconvert.translators.passes.work import label
from bpconvert.translators.support.text import is_uuid

if TYPE_CHECKING:
    from bpconvert.translators.catalogue.model import Kind, PropertyRule
    from bpconvert.translators.cloudify.write.context import Context
    from bpconvert.translators.cloudify.write.nodes import Nodes


def expand(nodes: Nodes) -> None:
    """Decide which resources are absorbed or stand-ins, then prepare the lists of references."""
    context = nodes.context
    originals = list(context.topology.nodes.values())
    for node in originals:
        kind = context.catalogue.kind(node.kind)
        if kind is not None and kind.cloudify is not None and node.external_id is not MISSING:
            _existing(nodes, node, kind)
        if kind is None or not _has_form(context, kind) or not isinstance(node.properties, dict):
            node.stand_in = True
    for node in originals:
        kind = context.catalogue.kind(node.kind)
        if kind is None or kind.merge is None or node.stand_in or _has_type(context, kind):
            continue
        if not absorb(nodes, node, kind.merge):
            node.stand_in = True
    for node in originals:
        kind = context.catalogue.kind(node.kind)
        if kind is None or node.stand_in or node.part_of is not None:
            continue
        for name, rule in kind.properties.items():
            if rule.silent is not None and node.properties.get(name) is None:
                _silent(nodes, node, name, rule)
            if rule.hook in PREPARE:
                PREPARE[rule.hook](nodes, node, name)
            elif rule.lift and rule.lift.mixed == "materialise":
                _mixed_list(nodes, node, name, rule)
    made = {node.name: node.made_for for node in context.topology.nodes.values() if node.made_for is not None}
    for name, user in made.items():
        _groups_of_interface(nodes, context.topology.nodes[name], context.topology.nodes[user])
    for user in dict.fromkeys(made.values()):
        _groups_to_interfaces(nodes, context.topology.nodes[user])
    for node in list(context.topology.nodes.values()):
        kind = context.catalogue.kind(node.kind)
        if kind is not None and not node.stand_in and node.part_of is None:
            for name, rule in kind.properties.items():
                if rule.hook not in PREPARE:
                    _names(nodes, node, rule, node.properties.get(name), (*node.path, "properties", name))


def _has_form(context: Context, kind: Kind) -> bool:
    """True for what is a node, or part of one, in the chosen family of node types."""
    if context.options.plugin == "v2" and not generation2_write.has_type(kind):
        return False
    return kind.cloudify is not None or kind.merge is not None


def _has_type(context: Context, kind: Kind) -> bool:
    """True for what is part of another node, but has a node type in the chosen family."""
    return context.options.plugin == "v2" and kind.cloudify is not None and kind.cloudify.v2 is not None


def _existing(nodes: Nodes, node: Node, kind: Kind) -> None:
    """Heat only looks up a resource that exists already: its properties change nothing."""
    if isinstance(node.properties, dict):
        for name in node.properties:
            source = (*node.path, "properties", node.aliases.get(name, name))
            nodes.context.reporter.report("BPC331", source, name=name)
    node.properties = {}
    if kind.cloudify is not None and (kind.cloudify.plain or not kind.cloudify.existing):
        node.stand_in = True


# -- external resources -------------------------------------------------------------------------------------


def external(nodes: Nodes, kind: str, value: Value, user: Node, path: Path) -> ex.Identity:
    """A reference to the external node for the resource whose name or id is ``value``; made once per value and
    condition of its users. An empty text names nothing, so an input asks for what is meant."""
    if value == "":
        value = nodes.rewriter.replacement(value, path, "an empty text names no existing resource")
    key = _external_key(kind, value, user)
    name = nodes.context.topology.existing.get(key)
    if name is None:
        name = nodes.context.topology.existing[key] = nodes.context.fresh_node(f"external_{label(value, kind)}")
        made = Node(name, "", kind, external_id=value, condition=user.condition, path=path)
        nodes.add(made, before=user.name)
    return ex.Identity(name, path=path)


def _external_key(kind: str, value: Value, user: Node) -> tuple[str, str, str]:
    return kind, repr(value), repr(user.condition)


def named(nodes: Nodes, rule: PropertyRule, value: Value, user: Node) -> Value:
    """``value``, or the reference to the external node that :func:`_names` made for this name."""
    if not (rule.lookup and rule.lift and is_name(value)):
        return value
    name = nodes.context.topology.existing.get(_external_key(rule.lift.targets[0], value, user))
    return value if name is None else ex.Identity(name)


def _names(nodes: Nodes, node: Node, rule: PropertyRule, value: Value, path: Path) -> None:
    """External nodes for the names that the plugin does not look up. The properties stay: what is compared with them
    has the name too."""
    if rule.lookup and rule.lift and is_name(value):
        external(nodes, rule.lift.targets[0], value, node, path)
    for item in value if isinstance(value, list) else [value]:
        for key, part in item.items() if rule.each and isinstance(item, dict) else ():
            inner = rule.each.get(rule.aliases.get(key, key)) if isinstance(key, str) else None
            if inner is not None:
                _names(nodes, node, inner, part, (*path, key))


# -- lists of references ------------------------------------------------------------------------------------


def _groups_of_interface(nodes: Nodes, port: Node, server: Node) -> None:
    """The security groups of a port that was made for a server's interface: the server's own, which Nova gives to the
    ports it makes. Groups of the template reach a port by the server's relationship, or see below."""
    if port.kind != "port" or port.external_id is not MISSING or "security_groups" in port.properties:
        return
    kind = nodes.context.catalogue.kind("port")
    rule = kind.properties.get("security_groups") if kind is not None else None
    groups = server.properties.get("security_groups")
    if rule is None or rule.lift is None:
        return
    if isinstance(groups, list) and groups:
        if any(nodes.is_reference(item, rule.lift.targets) for item in groups):
            return
        target = rule.lift.targets[0]
        place = server.origin("security_groups")
        named = [
            external(nodes, target, item, server, (*place, i)) for i, item in enumerate(groups) if item is not None
        ]
        port.properties["security_groups"] = named
    elif not groups:
        _silent(nodes, port, "security_groups", rule)


def _groups_to_interfaces(nodes: Nodes, server: Node) -> None:
    """The security groups of a server whose interfaces all have ports by now are those of the ports that were made for
    them: Heat gives them to no other port."""
    groups, interfaces = server.properties.get("security_groups"), server.properties.get("networks")
    if server.kind != "server" or not isinstance(groups, list) or not isinstance(interfaces, list) or not groups:
        return
    references = [item.get("port") for item in interfaces if isinstance(item, dict)]
    if len(references) < len(interfaces) or not all(nodes.is_reference(port, ["port"]) for port in references):
        return
    ports = [nodes.context.topology.nodes[port.node] for port in references if isinstance(port, ex.Identity)]
    made = [port for port in ports if port.made_for is not None and port.external_id is MISSING]
    if not made or not all(nodes.is_reference(item, ["security_group"]) for item in groups):
        return
    for port in made:
        port.properties["security_groups"] = list(groups)
        port.origins["security_groups",] = server.origin("security_groups")
    del server.properties["security_groups"]


def _silent(nodes: Nodes, node: Node, name: str, rule: PropertyRule) -> None:
    """Name the resource that OpenStack takes by itself: the 3.x plugin sends an empty list instead of nothing."""
    unsecured = node.properties.get("port_security_enabled") is False
    if nodes.context.options.plugin == "v2" or rule.lift is None or unsecured:
        return
    node.properties[name] = [external(nodes, rule.lift.targets[0], rule.silent, node, node.path)]
    nodes.context.reporter.report("BPC338", node.path, name=node.name, value=rule.silent)


def _mixed_list(nodes: Nodes, node: Node, name: str, rule: PropertyRule) -> None:
    value = node.properties.get(name)
    targets = rule.lift.targets if rule.lift else []
    if not isinstance(value, list) or not any(
        nodes.is_reference(item, targets) or (rule.lookup and is_name(item)) for item in value
    ):
        return
    path = (*node.path, "properties", name)
    items = node.properties[name] = []
    for index, item in enumerate(value):
        if item is None:
            nodes.context.reporter.report("BPC307", (*path, index), name=name)
        elif nodes.is_reference(item, targets):
            items.append(item)
        else:
            items.append(external(nodes, targets[0], item, node, (*path, index)))


def _networks(nodes: Nodes, node: Node, name: str) -> None:
    """A server's interfaces: all as relationships, or all as the property."""
    value = node.properties.get(name)
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        return
    items = [{("network" if key == "uuid" else key): part for key, part in item.items()} for item in value]
    for index, item in enumerate(items):
        if item.pop("allocate_network", None) is not None:  # the plugin takes lists only
            path = (*node.path, "properties", name, index, "allocate_network")
            nodes.context.reporter.report("BPC330", path, name="allocate_network")
    if any(_is_lifted(nodes, item) for item in items):
        networks = [network for item in items if (network := _network_of(nodes, item)) is not None]
        path = (*node.path, "properties", name)
        lifted = [_interface(nodes, node, item, networks, (*path, index)) for index, item in enumerate(items)]
        last = max((index for index, item in enumerate(lifted) if "port" in item), default=0)
        for index, item in enumerate(lifted[:last]):  # the plugin takes ports before networks
            if "network" in item:
                lifted[index] = {"port": _own_port(nodes, node, item, (*path, index))}
        nodes.interfaces[node.name] = lifted
        # networks stay as written, to be compared with
        items = [new if "port" in new else item for new, item in zip(lifted, items, strict=True)]
    node.properties[name] = items


_NETS = ["net", "provider_net"]
#: what an interface's own port can say
_PORT_KEYS = {"network", "subnet", "fixed_ip", "port_extra_properties"}


def _is_lifted(nodes: Nodes, item: dict[str, Value]) -> bool:
    """True for an interface that has to be a relationship."""
    if item.get("port") is not None:
        return nodes.is_reference(item["port"], ["port"]) or item.get("floating_ip") is not None
    network = item.get("network")
    needs_port = item.get("subnet") is not None or item.get("port_extra_properties") is not None
    return needs_port or nodes.is_reference(network, _NETS) or is_name(network)


def _network_of(nodes: Nodes, item: Value) -> Value:
    """The network that an interface, a port or an address of a port is on, as written; None where it is not known."""
    if not isinstance(item, dict):
        return None
    if nodes.is_reference(item.get("port"), ["port"]):
        found: Any = item["port"]
        port = nodes.context.topology.nodes[found.node].properties
        addresses = port.get("fixed_ips")
        first = addresses[0] if isinstance(addresses, list) and addresses else None
        network: Value = port.get("network")
        return network if network is not None else _network_of(nodes, first)
    reference: Any = item.get("subnet", item.get("subnet_id"))
    if item.get("network") is None and nodes.is_reference(reference, ["subnet"]):
        return nodes.context.topology.nodes[reference.node].properties.get("network")
    return None if item.get("port") is not None else item.get("network")


def _interface(nodes: Nodes, node: Node, item: dict[str, Value], networks: list[Value], path: Path) -> dict[str, Value]:
    """One interface as a reference to a port or a network. The plugin takes a network and a port on it for one
    interface, so several interfaces on one network are all ports."""
    given = _sayable(nodes, item, path)
    address = given.pop("floating_ip", None)
    if "port" in given:
        port = given["port"]
        made = port if nodes.is_reference(port, ["port"]) else external(nodes, "port", port, node, path)
        if address is not None:
            _floating_ip(nodes, node, str(made.node), address, (*path, "floating_ip"))
        return {"port": made}
    if not given:
        return {}
    if given.keys() == {"network"}:
        raw = given["network"]
        network = raw if nodes.is_reference(raw, _NETS) else external(nodes, "net", raw, node, (*path, "network"))
        if networks.count(raw) < 2:
            return {"network": network}
        given = {"network": raw if is_name(raw) else network}
    made = _own_port(nodes, node, given, path)
    if address is not None:
        _floating_ip(nodes, node, str(made.node), address, (*path, "floating_ip"))
    return {"port": made}


def _floating_ip(nodes: Nodes, server: Node, port: str, address: Value, path: Path) -> None:
    """Connect the port of an interface to its floating IP, as Heat does before it creates the server."""
    kind = "floating_ip"
    if isinstance(address, ex.Identity) and not nodes.is_reference(address, [kind]):
        nodes.context.reporter.report("BPC330", path, name=kind)
        return
    made = address if isinstance(address, ex.Identity) else external(nodes, kind, address, server, path)
    try:
        nodes.connect(port, "cloudify.relationships.openstack.port_connected_to_floating_ip", str(made.node), path)
    except Refused:
        nodes.context.reporter.report("BPC330", path, name=kind)


def _sayable(nodes: Nodes, item: dict[str, Value], path: Path) -> dict[str, Value]:
    """What a relationship or a port can say of an interface; the rest is reported."""
    given = {key for key, part in item.items() if part is not None}
    said = {"port"} if "port" in given else _PORT_KEYS if given & {"network", "subnet"} else set()
    if given & {"port", "subnet", "port_extra_properties"}:  # else Heat does not know the port
        said = said | {"floating_ip"}
    for key in item:
        if key not in said or key not in given:
            nodes.context.reporter.report("BPC330" if key in given else "BPC307", (*path, key), name=key)
    return {key: part for key, part in item.items() if key in said and key in given}


def _own_port(nodes: Nodes, node: Node, item: dict[str, Value], path: Path) -> ex.Identity:
    """A new port for an interface that a relationship to a network cannot say."""
    properties: dict[str, Value] = {}
    network = item.get("network") if "network" in item else _network_of(nodes, item)
    network = None if network == "" else network  # Heat takes the subnet's (nova/server_network_mixin.py)
    if network is not None:
        properties["network"] = network
    address = {key: item[old] for key, old in (("subnet", "subnet"), ("ip_address", "fixed_ip")) if old in item}
    if address:
        properties["fixed_ips"] = [address]
    extra = item.get("port_extra_properties", {})
    if isinstance(extra, dict):
        properties.update(extra)
    else:
        nodes.context.reporter.report("BPC330", (*path, "port_extra_properties"), name="port_extra_properties")
    name = nodes.context.fresh_node(f"{node.name}_port_{path[-1]}")
    if network is None:
        nodes.context.reporter.report("BPC347", path, port=name)
    nodes.add(Node(name, "", "port", properties, condition=node.condition, path=path), before=node.name)
    nodes.context.reporter.report("BPC311", path, name=node.name, port=name)
    return ex.Identity(name, path=path)




def _floating_network(nodes: Nodes, node: Node, name: str) -> None:
    """Heat takes a name or an id; the plugin has a property for each. What is not written out becomes an external
    node."""
    value = node.properties.get(name)
    if isinstance(value, ex.Expr) and not nodes.is_reference(value, _NETS):
        node.properties[name] = external(nodes, "net", value, node, (*node.path, "properties", name))


def _gateway_ip(nodes: Nodes, node: Node, name: str) -> None:
    """Heat reads an empty text as null, which is a subnet without a gateway, and leaves ``auto`` to Neutron."""
    value = node.properties.get(name)
    if value == "":
        node.properties[name] = None
    elif value == "auto":
        del node.properties[name]
        nodes.context.reporter.report("BPC306", (*node.path, "properties", name), name=name, value=value)


def _shared_object(nodes: Nodes, node: Node, name: str) -> None:
    """What an RBAC policy shares becomes an external node, too: the plugin needs a relationship to it."""
    value, kind = node.properties.get(name), rbac_policies.object_kind(node)
    if value is not None and kind is not None and not isinstance(value, (list, dict, ex.Identity)):
        node.properties[name] = external(nodes, kind, value, node, (*node.path, "properties", name))


def _router_of_routes(nodes: Nodes, node: Node, name: str) -> None:
    """The 2.x plugin finds the router of routes only by a relationship."""
    value = node.properties.get(name)
    if value is not None and not nodes.is_reference(value, ["router"]):
        node.properties[name] = external(nodes, "router", value, node, (*node.path, "properties", name))


def _roles(nodes: Nodes, node: Node, name: str) -> None:
    from bpconvert.translators.cloudify.openstack import roles_write

    roles_write.prepare(nodes, node, name)


def is_name(value: Value) -> bool:
    """True for a literal that can only be a name."""
    return isinstance(value, str) and value != "" and not is_uuid(value)


#: hook of a property -> what is done to it before anything is said
PREPARE: dict[str | None, Callable[[Nodes, Node, str], None]] = {
    "server_networks": _networks,
    "floating_network": _floating_network,
    "gateway_ip": _gateway_ip,
    "keystone_roles": _roles,
    "shared_object": _shared_object,
    "router_of_routes": _router_of_routes,
}
