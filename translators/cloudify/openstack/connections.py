"""Resources that connect two others: relationships of the plugin, or part of one of the two.

Writing, each is absorbed by another node, as a relationship or a property; a function gets such a resource and absorbs
it, or raises :class:`Refused` where that would lose something; the resource is a stand-in then. Nothing is made before
it is certain that the resource is absorbed. Reading, a relationship that creates something becomes a resource of its
own, or part of the other node.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.topology import Node, Operation, Refusal, Topology
from bpconvert.translators.catalogue.model import Kind, Split
from bpconvert.translators.cloudify.openstack.interfaces import PORT_KEYS, interfaces_of, network_of, own_port
from bpconvert.translators.passes.expressions.choices import conjunction
from bpconvert.translators.passes.work import Refused
from bpconvert.translators.support.findings import Reports
from bpconvert.translators.support.graphs import reached
from bpconvert.translators.support.places import items
from bpconvert.translators.support.text import fresh

if TYPE_CHECKING:
    from bpconvert.translators.cloudify.openstack.arrangement import Reshaping
    from bpconvert.translators.cloudify.openstack.read_nodes import ReadNodes

_REL = "cloudify.relationships.openstack."
#: how the names of nodes begin that stand for existing resources
_EXTERNAL = "external_"
#: the operation of a router that takes extra routes (3.x)
_START = ("cloudify.interfaces.lifecycle", "start")
#: the plugin runs these for an existing resource, too (openstack_plugin/utils.py,
#: ``allow_to_run_operation_for_external_node``)
_POSTSTART = ("cloudify.interfaces.lifecycle", "poststart")
_PRESTOP = ("cloudify.interfaces.lifecycle", "prestop")
_ADDS = "openstack.openstack_plugin.resources.network.router.start"
_REMOVES = "openstack.openstack_plugin.resources.network.router.stop"
_OF_NODES = (ex.Identity, ex.Attribute)


def absorb(arrangement: Reshaping, node: Node, take_in: Callable[[Reshaping, Node], None]) -> bool:
    """Let ``take_in`` absorb ``node``; False, with the reason kept for the diagnostic, where it becomes a stand-in."""
    try:
        take_in(arrangement, node)
    except Refused as refused:
        code = "BPC317" if node.refusal is None else node.refusal.code
        node.refusal = Refusal(code, str(refused))
        return False
    return True


def _ends(arrangement: Reshaping, node: Node, owner: tuple[str, str], target: tuple[str, str]) -> tuple[str, str]:
    """The nodes at both ends, from (property, kind) each. At least one of them is created by this template: the plugin
    connects nothing to nothing when both exist already."""
    for role, _ in (owner, target):
        if not can_be_end(node.properties.get(role)):
            raise Refused(f"'{role}' is neither a resource nor a name or id")
    for role, kind in (owner, target):
        value = node.properties[role]
        if isinstance(value, ex.Identity) and not arrangement.topology.is_reference(value, (kind,)):
            raise Refused(f"'{role}' refers to no {kind.replace('_', ' ')} with a node of its own")
    if not any(_is_created(arrangement, node.properties[role]) for role, _ in (owner, target)):
        raise Refused("neither of its sides is made by this template, and the plugin connects only those that it makes")
    _check_condition(arrangement, node, *(node.properties[role] for role, _ in (owner, target)))
    return _endpoint(arrangement, node, *owner), _endpoint(arrangement, node, *target)


def can_be_end(value: Value) -> bool:
    """True for what can be one side of a connection: a reference, or the name or id of an existing resource."""
    return value is not None and not isinstance(value, (ex.Attribute, list, dict))


def _endpoint(arrangement: Reshaping, node: Node, role: str, kind: str) -> str:
    """The node that property ``role`` refers to: a real one, or an external one for a name or id."""
    value = node.properties[role]
    if not isinstance(value, ex.Identity):
        value = arrangement.external(kind, value, node, node.origin(role))
    return str(value.node)


def _is_created(arrangement: Reshaping, value: Value) -> bool:
    node = arrangement.topology.node(value.node) if isinstance(value, ex.Identity) else None
    return node is not None and node.external_id is MISSING


def _check_condition(arrangement: Reshaping, node: Node, *ends: Value) -> None:
    """A conditional resource can be absorbed when one of its sides has the same condition: where that is not created,
    there is no relationship either."""
    if node.condition is MISSING:
        return
    end_nodes = [arrangement.topology.node(end.node) for end in ends if isinstance(end, ex.Identity)]
    if not any(end is not None and end.condition == node.condition for end in end_nodes):
        raise Refused("it has a condition that neither of its sides has")


def router_interface(arrangement: Reshaping, node: Node) -> None:
    """A relationship of the subnet or port to the router."""
    for role, relationship in (("subnet", "subnet_connected_to_router"), ("port", "port_connected_to_router")):
        if node.properties.get(role) is not None:
            if role == "port" and arrangement.generation2:
                raise Refused("the 2.x plugin connects routers to subnets only")
            owner, router = _ends(arrangement, node, (role, role), ("router", "router"))
            arrangement.absorb(node, owner, _REL + relationship, router, {"router", role})
            return
    raise Refused("it has neither a subnet nor a port")


def _own_router(arrangement: Reshaping, value: Value) -> Node:
    """The router that ``value`` refers to; raises Refused where this template does not create it."""
    if not arrangement.topology.is_reference(value, ("router",)) or not _is_created(arrangement, value):
        raise Refused("its router is not created by this template")
    return arrangement.topology.nodes[value.node]


def router_gateway(arrangement: Reshaping, node: Node) -> None:
    """The `external_gateway_info` of the router. Where that is this gateway already, Neutron changes nothing."""
    network, router = node.properties.get("network"), node.properties.get("router_id")
    owner = _own_router(arrangement, router)
    _check_condition(arrangement, node, router)
    if network is not None and owner.properties.get("external_gateway_info") == {"network": network}:
        arrangement.absorb(node, owner.name, None, None, {"router_id", "network"})
        return
    if network is None or "external_gateway_info" in owner.properties:
        raise Refused("its router has a gateway already" if network is not None else "it has no network")
    arrangement.absorb(node, owner.name, None, None, {"router_id", "network"})
    owner.properties["external_gateway_info"] = {"network": network}
    owner.origins["external_gateway_info",] = node.origin()


def volume_attachment(arrangement: Reshaping, node: Node) -> None:
    """A relationship. The name of the device is a property of the volume (plugin: ``attach_volume``): of several
    attachments of a volume, all have that of the first that says one. What the volume cannot do itself does a node that
    stands for it."""
    volume_id, mountpoint = node.properties.get("volume_id"), node.properties.get("mountpoint") or None
    device = arrangement.devices.get(repr(volume_id))
    volume, server = _ends(arrangement, node, ("volume_id", "volume"), ("instance_uuid", "server"))
    path = node.origin("mountpoint")
    why = _why_apart(arrangement, volume, server, mountpoint == device)
    if why:
        identity = arrangement.topology.nodes[volume].external_id
        value = ex.Identity(volume) if identity is MISSING else identity
        called = f"{volume.removeprefix(_EXTERNAL)}_of_{server}"
        volume = arrangement.own_external("volume", value, node, node.path, node.name, called)
        arrangement.report("BPC685", node.path, name=volume, server=server, why=why)
    arrangement.absorb(
        node, volume, _REL + "volume_attached_to_server", server, {"volume_id", "instance_uuid", "mountpoint"}
    )
    if mountpoint != device and not why:
        place = node.path if mountpoint is None else path
        arrangement.report("BPC349", place, name=node.name, volume=volume, device=device)
    elif mountpoint is not None:
        arrangement.topology.nodes[volume].settings.setdefault("device_name", (mountpoint, path))


def _why_apart(arrangement: Reshaping, volume: str, server: str, is_same_device: bool) -> str:
    """Why a volume is not attached by its own node; "" where it can be. One of which there are several has no other
    way, nor has one of a server that exists: the plugin connects nothing to nothing when both exist already."""
    nodes = arrangement.topology.nodes
    if nodes[volume].is_scaled or nodes[server].is_scaled or nodes[server].exists:
        return ""
    if volume in reached(server, lambda name: _needed(nodes.get(name))):
        return f"'{server}' waits for '{volume}'"
    return "" if is_same_device else "it says another device"


def _needed(node: Node | None) -> list[str]:
    """The nodes that have to be there before a node."""
    if node is None:
        return []
    values = (node.properties, [operation.inputs for operation in node.operations])
    return [*node.awaited, *(str(expr.node) for expr in ex.walk(values) if isinstance(expr, _OF_NODES))]


def floating_ip_association(arrangement: Reshaping, node: Node) -> None:
    """A relationship of the port, or of the port of a server's interface, to the address."""
    port, fixed = node.properties.get("port_id"), node.properties.get("fixed_ip_address")
    if fixed is not None and _addresses(arrangement, port) != [fixed]:
        raise Refused("a fixed address of the port is chosen, which a relationship cannot express")
    if isinstance(port, ex.Attribute):
        node.properties = {**node.properties, "port_id": _port_of_server(arrangement, node, port)}
    owner, address = _ends(arrangement, node, ("port_id", "port"), ("floatingip_id", "floating_ip"))
    used = {"floatingip_id", "port_id", "fixed_ip_address"}
    arrangement.absorb(node, owner, _REL + "port_connected_to_floating_ip", address, used)


def _addresses(arrangement: Reshaping, port: Value) -> list[Value]:
    """The fixed addresses that the template gives to a port."""
    port_node = arrangement.topology.node(port.node) if isinstance(port, ex.Identity) else None
    addresses = items(port_node.value_of("fixed_ips")) if port_node is not None else []
    return [item.get("ip_address") for item in addresses if isinstance(item, dict)]


def nova_floating_ip_association(arrangement: Reshaping, node: Node) -> None:
    """A relationship of the server to the address."""
    server, address = _ends(arrangement, node, ("server_id", "server"), ("floating_ip", "floating_ip"))
    arrangement.absorb(node, server, _REL + "server_connected_to_floating_ip", address, {"server_id", "floating_ip"})
    note = "the plugin asks Nova to associate the address, which Nova's API does not do since version 2.44"
    arrangement.report("BPC309", node.path, note=note)


def extra_route(arrangement: Reshaping, node: Node) -> None:
    """An input of the router's ``start``. Routes that need what comes after the router are an input of a node that
    stands for it, whose ``poststart`` does the same: Neutron takes a next hop that an interface reaches."""
    router, routes = node.properties.get("router"), node.properties.get("routes")
    owner = _own_router(arrangement, router)
    _check_condition(arrangement, node, router)
    later = _come_later(arrangement.topology, owner)
    holder = _routing(arrangement, owner, node) if later else owner
    step = _POSTSTART if later else _START
    start = next((operation for operation in holder.operations if (operation.interface, operation.name) == step), None)
    earlier = None if start is None else start.inputs.get("routes")
    if earlier is not None and not (isinstance(earlier, list) and isinstance(routes, list)):
        raise Refused("its router has other routes already, and computed lists cannot be put together")
    arrangement.absorb(node, holder.name, None, None, {"router", "routes"})
    if later:
        # Heat lets them wait for the interfaces of their router (neutron/extrarouteset.py, ``add_dependencies``)
        node.wait_for(
            *(
                interface.name
                for interface in _of_router(arrangement.topology, owner, "router_interface")
                if interface.name not in node.awaited
            )
        )
        arrangement.report("BPC686", node.path, name=holder.name)
    if not routes:
        return
    if start is None:
        start = Operation(*step, implementation=_ADDS if later else "", path=node.origin("routes"))
        holder.operations.append(start)
        if later:
            holder.operations.append(Operation(*_PRESTOP, implementation=_REMOVES, path=node.origin("routes")))
    start.inputs["routes"] = [*earlier, *routes] if isinstance(earlier, list) and isinstance(routes, list) else routes


def _routing(arrangement: Reshaping, router: Node, user: Node) -> Node:
    """The node that stands for a router to give it its routes; all of them, as they are set together."""
    own, called = ex.Identity(router.name), f"{router.name}_routes"
    name = arrangement.own_external("router", own, user, user.path, "routes", called)
    return arrangement.topology.nodes[name]


def _of_router(topology: Topology, router: Node, kind: str) -> list[Node]:
    """The resources of a kind that are for a router."""
    own = ex.Identity(router.name)
    return [node for node in topology.nodes.values() if node.kind == kind and node.value_of("router") == own]


def _come_later(topology: Topology, router: Node) -> bool:
    """True where routes of a router need what comes after it: one of its interfaces, a value of another node, or what
    they wait for."""
    sets = _of_router(topology, router, "extra_route")
    values = [route_set.value_of("routes") for route_set in sets]
    referred = (str(expr.node) for expr in ex.walk(values) if isinstance(expr, _OF_NODES))
    awaited = (name for route_set in sets for name in route_set.awaited)
    others = {*referred, *awaited} - {router.name, *(route_set.name for route_set in sets)}
    return bool(others) or bool(_of_router(topology, router, "router_interface"))


def ports_of_servers(arrangement: Reshaping, node: Node) -> None:
    """Put the port in place of a property that refers to that of a server's interface, where it can have a node."""
    for name, value in node.properties.items():
        if isinstance(value, ex.Attribute) and value.keys[2:] == ("port",):
            try:
                port = _port_of_server(arrangement, node, value)
            except Refused:
                continue
            node.properties = {**node.properties, name: port}
            arrangement.report("BPC223", value.path, name=name, how=f"the port '{port.node}'")


def _port_of_server(arrangement: Reshaping, node: Node, attribute: ex.Attribute) -> ex.Identity:
    """``[server, addresses, <network>, 0, port]``: the port of the server's interface on that network; an interface
    that has only a network gets a port node."""
    server = arrangement.topology.node(attribute.node)
    known_server = server is not None and server.kind == "server" and isinstance(server.properties, dict)
    interfaces: Any = server.properties.get("networks") if server is not None and known_server else None
    keys = attribute.keys
    if server is None or not isinstance(interfaces, list) or attribute.name != "addresses":
        raise Refused("its port is not a resource of this template")
    if len(keys) != 3 or keys[1] != 0 or keys[2] != "port" or not all(isinstance(i, dict) for i in interfaces):
        raise Refused("its port is not the first one of a network of the server")
    interfaces_known = interfaces_of(arrangement.topology, server)
    matching = [
        i.place for i in interfaces_known if keys[0] in (i.network, network_of(arrangement, interfaces[i.place]))
    ]
    if len(matching) != 1 and len(interfaces) != 1:
        raise Refused("it is not known which interface of the server is on that network")
    place = matching[0] if len(matching) == 1 else 0
    item = {("network" if key == "uuid" else key): value for key, value in interfaces[place].items()}
    if arrangement.topology.is_reference(item.get("port"), ("port",)):
        reference: ex.Identity = item["port"]
        return reference
    settings = {key: value for key, value in item.items() if value is not None}
    if not settings or not settings.keys() <= PORT_KEYS:
        raise Refused("the interface of the server has no port of its own")
    _check_condition(arrangement, node, ex.Identity(server.name), node.properties.get("floatingip_id"))
    port = own_port(arrangement, server, settings, (*server.origin("networks"), place))
    server.properties["networks"] = [{"port": port} if i == place else old for i, old in enumerate(interfaces)]
    return port


def software(arrangement: Reshaping, node: Node) -> None:
    """Configurations and deployment groups are taken apart before (:mod:`software`)."""
    if node.part_of is None:
        raise Refused("nothing uses it" if node.refusal is None else node.refusal.why)


def shares_id(node: Node, kind: Kind | None) -> bool:
    """True for what has, in Heat too, the id of the resource that it is part of: a set of extra routes, and no other
    type of the kind (heat: neutron/extraroute.py)."""
    return kind is not None and kind.kind == "extra_route" and node.source_type not in kind.also


def composed_id(node: Node, path: Path) -> Value:
    """The id of a router's interface, which Heat composes (heat: neutron/router.py, ``RouterInterface.handle_create``);
    MISSING for what has an id of its own, or has it from names that are looked up."""
    router, end = node.value_of("router"), "port" if node.value_of("subnet") is None else "subnet"
    other = node.value_of(end)
    if node.kind != "router_interface" or not isinstance(router, ex.Identity) or not isinstance(other, ex.Identity):
        return MISSING
    return ex.Concat((router, f":{end}_id=", other), path=path)


# -- reading ------------------------------------------------------------------------------------------------


def split(state: ReadNodes, node: Node, target: str, row: Split, path: Path) -> None:
    """A new node for the relationship from ``node`` to ``target``."""
    other = state.nodes[target]
    if node.exists and other.exists:
        state.report("BPC356", path, what=f"the relationship to '{target}'")
        return
    for end in (node, other):
        if type(end.instances) is int and end.instances == 0:
            state.report("BPC375", path, target=target, name=end.name)
            return
    near: Value = ex.Identity(node.name, path=path)
    if row.kind == "floating_ip_association" and node.kind == "port" and other.properties.get("port_id") == near:
        return
    resource = Node(row.name.format(source=node.name, target=target), "", row.kind, path=path)
    resource.properties = {row.near: near, row.far: ex.Identity(target, path=path)}
    resource.origins = {(row.near,): path, (row.far,): (*path, "target")}
    if row.kind == "volume_attachment":
        _mountpoint(resource, node)
    if node.kind == "server":
        # its port is known when all relationships are
        resource.properties[row.near] = None
    state.add(resource, node.name)
    if node.kind != "server":
        _report_made(state, resource, target, path)


def _report_made(state: ReadNodes, resource: Node, target: str, path: Path) -> None:
    kind = state.catalogue.kind(resource.kind)
    heat = kind.heat[0] if kind is not None else ""
    state.report("BPC413", path, target=target, type=heat, name=resource.name)


def _mountpoint(resource: Node, volume: Node) -> None:
    """The plugin reads it from the volume's node."""
    device = volume.declared.get("device_name")
    if device not in (None, "", "auto"):
        resource.properties["mountpoint"] = device
        resource.origins["mountpoint",] = (*volume.path, "properties", "device_name")


def of_servers(state: ReadNodes) -> None:
    """Floating IPs of servers: with the server's first port."""
    for name, names in list(state.made.items()):
        server = state.nodes.get(name)
        if server is None or server.kind != "server":
            continue
        for association_name in list(names):
            association = state.nodes[association_name]
            if association.kind != "floating_ip_association":
                continue
            target = association.properties["floatingip_id"].node
            port = _first_port(server)
            if port is None and server.external_name is not MISSING and not server.by_id:
                state.remove(association_name)
                names.remove(association_name)
                state.wait(server, target, association.path)
                why = "the server exists already, and its id is needed"
                state.report("BPC414", association.path, target=target, name=name, why=why)
                continue
            if port is None:
                _of_nova(state, association, name)
            else:
                association.properties["port_id"] = port
            _report_made(state, association, target, association.path)


def _of_nova(state: ReadNodes, association: Node, server: str) -> None:
    """Without a port that is known, the association is Nova's, which takes the server's first one."""
    association.kind = "nova_floating_ip_association"
    state.know(association)
    old, association.origins = (
        association.properties,
        {("server_id",): association.path, ("floating_ip",): (*association.path, "target")},
    )
    existing = state.nodes[server].external_name
    own = ex.Identity(server, path=association.path) if existing is MISSING else existing
    association.properties = {"server_id": own, "floating_ip": old["floatingip_id"]}


def routes(state: ReadNodes) -> None:
    """The extra routes that routers take when they start: a set of its own. What stands for a router gives them to that
    one, and it is they that wait."""
    for name, entry in state.notes.routes.items():
        holder = state.nodes[name]
        if holder.exists and not holder.otherwise and _START[1] in entry.place[-3:]:
            state.report("BPC356", entry.place, what="the operation 'start', with routes,")
            continue
        stands = isinstance(holder.external_name, ex.Identity)
        called = name.removeprefix(_EXTERNAL) if stands else f"{name}_routes"
        route_set = Node(fresh(called, state.nodes), "", "extra_route", path=entry.place)
        router = holder.external_name if stands else ex.Identity(name, path=entry.place)
        route_set.properties = {"router": router, "routes": entry.value}
        route_set.origins = {("router",): entry.place, ("routes",): entry.place}
        if stands:
            route_set.wait_as(holder)
            holder.relationships = []
        state.add(route_set, name)


def _first_port(server: Node) -> Value:
    """The first port that the blueprint gives to a server, else that of its first interface; None where nothing shows
    which one that is."""
    networks = server.properties.get("networks")
    interfaces = [item for item in items(networks) if isinstance(item, dict)]
    for item in interfaces:
        if item.get("port") is not None:
            return item["port"]
    network = interfaces[0].get("network") if interfaces and interfaces == networks else None
    if network is None or [item.get("network") for item in interfaces].count(network) > 1:
        return None
    return ex.Attribute(server.name, "addresses", (network, 0, "port"))


def attach(state: ReadNodes, port: Node, server: str, path: Path) -> bool:
    """``port_connected_to_server``: an interface of the server. False where the port needs the server itself."""
    other = state.nodes[server]
    if port.kind != "port" or other.kind != "server" or other.exists:
        return False
    uses = (expr.node for expr in ex.walk(port.properties) if isinstance(expr, (ex.Identity, ex.Attribute)))
    return server not in uses and append(other, "networks", {"port": ex.Identity(port.name, path=path)}, path)


def append(node: Node, name: str, item: Value, path: Path) -> bool:
    """Add to a list, once. False where the property is no list, or one that the plugin would not take beside it."""
    listed = node.properties.setdefault(name, [])
    if not isinstance(listed, list):
        return False
    if item not in listed:
        node.origins[name, len(listed)] = path
        listed.append(item)
    return True


#: the kinds that relationships become
PARTS = (
    "router_interface", "volume_attachment", "floating_ip_association", "nova_floating_ip_association", "extra_route",
)  # fmt: skip


def of_the_first(topology: Topology, reporter: Reports) -> None:
    """What connects two nodes is there once, for the first instances, where both are there."""
    for part in topology.nodes.values():
        if part.kind not in PARTS or part.source_type:
            continue
        ends = [topology.nodes.get(str(getattr(value, "node", ""))) for value in part.properties.values()]
        ends_known = {end.name: end for end in ends if end is not None}
        part.instances = MISSING
        conditions = [end.condition for end in ends_known.values() if end.condition is not MISSING]
        part.condition = conjunction(*conditions) if conditions else MISSING
        for end in ends_known.values():
            if end.instances is not MISSING:
                reporter.report("BPC419", part.path, name=end.name)
