"""Relationships as what they mean: properties, resources of their own, the host, or mere order.

The plugin looks at the two nodes, not at the relationship's type (``type_map.md`` §2); the type only decides whether
the relationship does something of its own (:mod:`~bpconvert.translators.cloudify.openstack.connections_read`).
"""

from __future__ import annotations

from typing import Any

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Path, Value
from bpconvert.models.light import NamedTuple, replace
from bpconvert.models.topology import Node
from bpconvert.translators.catalogue.model import PropertyRule
from bpconvert.translators.cloudify.openstack import access, connections, network, volume
from bpconvert.translators.cloudify.openstack.generation2 import PREFIX, RELATIONSHIPS
from bpconvert.translators.cloudify.openstack.operations import is_own
from bpconvert.translators.cloudify.openstack.read_nodes import ReadNodes
from bpconvert.translators.cloudify.vocabulary import CONTAINED_IN, DEPENDS_ON
from bpconvert.translators.support.graphs import reachable
from bpconvert.translators.toscalike.node_templates import RawNode, RawRelationship

_PLUGIN = "cloudify.relationships.openstack."
_HOSTS = ("server", "compute")
#: settings that make a network an external one (openstacksdk: network/v2/network.py)
_EXTERNAL = ("router_external", "router:external", "is_router_external", "external")
#: operation -> the plugin's relationships that do something in it when a deployment is installed (both plugin.yaml)
_WORKING = {
    "establish": frozenset((
        "server_connected_to_port", "server_connected_to_floating_ip", "server_connected_to_security_group",
        "volume_attached_to_server", "port_connected_to_server", "port_connected_to_security_group",
        "port_connected_to_floating_ip",
    )),
    "postconfigure": frozenset((
        "port_connected_to_router", "port_connected_to_floating_ip", "port_connected_to_server",
        "subnet_connected_to_router",
    )),
}  # fmt: skip


class Link(NamedTuple):
    """A relationship, as far as it goes. ``order``: nothing else is meant."""

    relationship: RawRelationship
    target: str
    order: bool = False


def links(raw: RawNode, barriers: dict[str, list[str]]) -> list[Link]:
    """The relationships of a node; what it waits for behind a barrier in place of the barrier."""
    links_made: list[Link] = []
    for relationship in raw.relationships:
        if relationship.target in barriers:
            links_made += [Link(relationship, target, True) for target in barriers[relationship.target]]
        else:
            links_made.append(Link(relationship, relationship.target))
    return links_made


def short_names(relationship: RawRelationship) -> list[str]:
    """What the plugin calls a relationship's type and its parents."""
    types = relationship.ancestry or [relationship.type]
    return [t.rsplit(".", 1)[-1] for t in types if t.startswith((_PLUGIN, RELATIONSHIPS))]


def connect(state: ReadNodes, all_links: dict[str, list[Link]]) -> None:
    """Turn every relationship into what it means."""
    parents: dict[str, str] = {}
    for name, links_of_node in all_links.items():
        node = state.nodes[name]
        for link in links_of_node:
            types = link.relationship.ancestry or [link.relationship.type]
            if CONTAINED_IN in types and not link.order and link.target in state.nodes:
                parents.setdefault(name, link.target)
            _connect(state, node, link)
    for node in list(state.nodes.values()):
        node.host = _host(state, node.name, parents)
        if node.kind == "server":
            _one_interface_each(state, node)
            _order_interfaces(node)
            _management_network(state, node)
            volume.number(state, node)
    network.without_groups(state)
    connections.of_servers(state)
    connections.routes(state)
    _wait_for_addresses(state)
    _wait_beyond_existing(state, all_links)


def _wait_beyond_existing(state: ReadNodes, all_links: dict[str, list[Link]]) -> None:
    """Let what waits for a resource that exists already wait for what that one waits for: elsewhere it waits for
    nothing."""
    existing = {
        name: [link.target for link in links_of_node]
        for name, links_of_node in all_links.items()
        if state.nodes[name].exists
    }
    if not any(existing.values()):
        return
    for name, node in state.nodes.items():
        places = {link.target: link.relationship.path for link in all_links.get(name, ())}
        if name not in all_links:  # it is made for a relationship
            places = {str(expr.node): expr.path for expr in ex.walk(node.properties) if isinstance(expr, ex.Identity)}
        for end, path in places.items() if name not in existing else ():
            for target in reachable(existing, end) if end in existing else ():
                if target not in existing and target in state.nodes and target not in (name, *node.awaited):
                    state.wait(node, target, path)


def _connect(state: ReadNodes, node: Node, link: Link) -> None:
    relationship, target = link.relationship, link.target
    if target not in state.nodes:
        return
    if link.order:
        state.wait(node, target, relationship.path)
        return
    names = short_names(relationship)
    allowed = access.access(state, node, target, relationship, names)
    own = [
        operation
        for operation in relationship.operations
        if not is_own(operation) and (operation.implementation or not allowed)
    ]
    node.operations += [replace(operation, target=target, inputs=state.value(operation.inputs)) for operation in own]
    if target == node.name or allowed:
        return
    for operation in relationship.emptied if node.kind is not None else ():
        if not _WORKING.get(operation.name, frozenset()).isdisjoint(names):
            name = f"{operation.interface}.{operation.name}"
            state.report("BPC371", operation.path, operation=name, name=node.name)
    row = state.catalogue.plugin.split(node.kind, state.kind_of(target), names)
    if row is not None:
        connections.split(state, node, target, row, relationship.path)
    elif "port_connected_to_server" in names and connections.attach(state, node, target, relationship.path):
        return
    elif not network.on_subnet(state, node, target, relationship.path) and not fill(state, node, target, relationship):
        state.keep(node, relationship)
        idle = set(names) <= state.catalogue.plugin.without_effect
        if not idle or _is_foreign(state, node, relationship):
            state.report("BPC411", relationship.path, type=relationship.type, target=target)


def _is_foreign(state: ReadNodes, node: Node, relationship: RawRelationship) -> bool:
    """True for a relationship of another plugin, between resources: what it does is not known."""
    is_standard = relationship.ancestry[-1:] == [DEPENDS_ON] or relationship.type.startswith(
        ("cloudify.", RELATIONSHIPS)
    )
    return not is_standard and node.kind is not None and state.kind_of(relationship.target) is not None


def fill(state: ReadNodes, node: Node, target: str, relationship: RawRelationship) -> bool:
    """Turn a relationship into a property; False where the two nodes have none for it."""
    path = relationship.path
    kind, other = state.kinds.get(node.name), state.kind_of(target)
    if kind is None:
        return False
    if kind.kind == "server" and other == "volume":
        return volume.boot(state, node, target, path)
    filling = state.catalogue.plugin.fill(kind, other, relationship.ancestry or [relationship.type])
    if filling is None:
        return False
    name, key, rule = filling
    if node.exists:
        if state.nodes[target].exists:
            state.report("BPC356", path, what=f"the relationship to '{target}'")
        else:
            state.report("BPC418", path, target=target, name=node.name)
        return True
    reference = ex.Identity(target, path=path)
    how = rule.lift.fill if rule.lift is not None else "value"
    current = node.properties.get(name)
    if kind.kind == "server" and how == "entry":
        agrees = _interface(state, node, str(key), reference, path)
    elif how in ("item", "entry"):
        item: Any = reference if how == "item" else {key: reference}
        of_ports = kind.kind == "server" and name == "security_groups" and _has_port(state, node)
        agrees = connections.append(node, name, item, path) or of_ports  # groups_of_ports() sees to it
    elif how == "key":
        if kind.kind == "router" and _is_external(state.nodes[target]) is False:
            return False  # the plugin only waits for it
        agrees = _set_key(state, node, name, str(key), reference, path)
    elif how == "absent" and (current is not None or _boots_from_device(state, node, key or name)):
        return False  # the plugin only waits for it
    else:
        agrees = current is None or how == "instead" or _is_it(current, state.nodes[target])
        if current is not None and how == "instead" and not _is_it(current, state.nodes[target]):
            state.report("BPC362", node.origin(name), name=name)
            current = None
        if current is None:
            node.properties[name] = reference
            node.origins[name,] = path
            _imply(state, node, target, rule, path)
    if not agrees:
        state.report("BPC410", path, target=target, name=name)
        state.wait(node, target, path)
    return True


def _boots_from_device(state: ReadNodes, server: Node, name: str) -> bool:
    """True for the image of a server that has block devices: the 3.x plugin takes the property alone
    (compute/server.py, ``_get_flavor_or_image_from_server``)."""
    devices = server.properties.get("block_device_mapping_v2")
    return name == "image" and bool(devices) and not state.mapped[server.name].startswith(PREFIX)


def _imply(state: ReadNodes, node: Node, target: str, rule: PropertyRule, path: Path) -> None:
    """What a relationship says beside the property."""
    for name, values in rule.lift.implies.items() if rule.lift is not None else ():
        value = values.get(state.kind_of(target) or "")
        if value is not None and node.properties.get(name) is None:
            node.properties[name] = value
            node.origins[name,] = path


def _is_it(value: Any, node: Node) -> bool:
    """True when ``value`` is the node, or what an existing resource is known by."""
    return value == ex.Identity(node.name) or (node.exists and value in (node.external_id, node.external_name))


def _interface(state: ReadNodes, server: Node, key: str, reference: ex.Identity, path: Path) -> bool:
    """Add an interface. The 3.x plugin takes those of one kind from the property or from relationships, not from both;
    the 2.x plugin takes all, each once."""
    items = server.properties.get("networks")
    if items and not isinstance(items, list):
        return False
    if not items:
        items = server.properties["networks"] = []
    written = [item for i, item in enumerate(items) if isinstance(item, dict) and ("networks", i) not in server.origins]
    target = state.nodes[str(reference.node)]
    old = state.mapped[server.name].startswith(PREFIX)
    if any(_is_it(item.get(key), target) and (old or len(item) == 1) for item in written if item.get(key)):
        return True
    if not old and any(item.get(key) not in (None, "") for item in written):
        return False
    return connections.append(server, "networks", {key: reference}, path)


def _has_port(state: ReadNodes, server: Node) -> bool:
    """True when a server has an interface that exists before the server."""
    items = server.properties.get("networks")
    has_port = isinstance(items, list) and any(
        isinstance(item, dict) and item.get("port") is not None for item in items
    )
    return has_port or any(
        state.kind_of(relationship.target) == "port" for relationship in state.raw[server.name].relationships
    )


def _set_key(state: ReadNodes, node: Node, name: str, key: str, reference: ex.Identity, path: Path) -> bool:
    settings = node.properties.get(name)
    if settings is None:
        settings = node.properties[name] = {}
    if isinstance(settings, dict) and key in settings:
        return _is_it(settings[key], state.nodes[str(reference.node)])
    if isinstance(settings, dict):
        node.properties[name] = {key: reference, **settings}
    elif isinstance(settings, ex.Expr):
        node.properties[name] = ex.Merge([{key: reference}, settings], path=settings.path)
    else:
        return False
    node.origins[name, key] = path
    if _is_external(state.nodes[str(reference.node)]) is None:
        state.report("BPC417", path, target=reference.node, name=node.name)
    return True


def _is_external(network: Node) -> bool | None:
    """True for a network that routers can have as their gateway; None where a value decides. One that exists is taken
    for such."""
    if network.exists:
        return True
    specs = network.properties.get("value_specs")
    settings = {**specs, **network.properties} if isinstance(specs, dict) else network.properties
    verdicts = [settings[key] for key in _EXTERNAL if settings.get(key) is not None]
    if any(isinstance(value, ex.Expr) for value in verdicts):
        return None
    return any(str(value).lower() in ("true", "1", "yes", "on", "t", "y") for value in verdicts)


def _host(state: ReadNodes, name: str, parents: dict[str, str]) -> str | None:
    """The nearest machine that a node is in."""
    seen = {name}
    while (name := parents.get(name, "")) and name not in seen:
        if state.kind_of(name) in _HOSTS:
            return name
        seen.add(name)
    return None


def _one_interface_each(state: ReadNodes, server: Node) -> None:
    """The plugin takes a network and a port on it for one interface; a port that joins the running server is another
    one (openstack_plugin/resources/network/port.py, ``create_server_interface``)."""
    items = server.properties.get("networks")
    if not isinstance(items, list):
        return
    own = [item for index, item in enumerate(items) if not _joins(server, index)]
    ports = [state.nodes.get(str(item["port"].node)) for item in own if _is_reference(item, "port")]
    taken = [port.properties.get("network") for port in ports if port is not None and port.kind == "port"]
    nets = [{"network": network} for network in taken]
    kept = [i for i, item in enumerate(items) if item not in nets or ("networks", i) not in server.origins]
    _keep(server, kept)


def _joins(server: Node, index: int) -> bool:
    """True for an interface that a relationship of another node gives to the server when it runs."""
    place = server.origins.get(("networks", index))
    return place is not None and place[: len(server.path)] != server.path


def _order_interfaces(server: Node) -> None:
    """Those of the property, then the plugin's order: ports, networks; ports that join the server come when it runs."""
    items = server.properties.get("networks")
    if not isinstance(items, list):
        return

    def rank(index: int) -> int:
        place = server.origins.get(("networks", index))
        if place is None:
            return 0
        if _joins(server, index):
            return 3
        return 1 if "port" in items[index] else 2

    _keep(server, sorted(range(len(items)), key=rank))


def _keep(server: Node, kept: list[int]) -> None:
    """Keep these of the server's interfaces, in this order."""
    items: Any = server.properties["networks"]
    if kept == list(range(len(items))):
        return
    places = {steps: server.origins.pop(steps) for steps in list(server.origins) if steps[:1] == ("networks",)}
    for steps, place in places.items():
        if len(steps) == 1:
            server.origins[steps] = place
        elif steps[1] in kept:
            moved: Path = ("networks", kept.index(steps[1]), *steps[2:])
            server.origins[moved] = place
    server.properties["networks"] = [items[index] for index in kept]


def _is_reference(item: Any, key: str) -> bool:
    return isinstance(item, dict) and isinstance(item.get(key), ex.Identity)


def _management_network(state: ReadNodes, server: Node) -> None:
    """The 2.x plugin connects a server to its management network, too."""
    entry = state.notes.management.get(server.name)
    if entry is None:
        return
    items = server.properties.setdefault("networks", [])
    interfaces: list[Any] = [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []
    networks = [item.get("network") for item in interfaces]
    for item in interfaces:
        port = state.nodes.get(str(item["port"].node)) if _is_reference(item, "port") else None
        networks.append(port.properties.get("network") if port is not None else None)
    there = any(_is_network(state, network, entry.value) for network in networks)
    if items != [] and not there:
        why = "the server gets no interface on this network; name it in networks"
        state.report("BPC352", entry.place, name=entry.place[-1], type=server.source_type, why=why)
        return
    if not there:
        items.append({"network": entry.value})
        server.origins["networks", 0, "network"] = entry.place
    state.report("BPC409", entry.place, name=server.name)


def _is_network(state: ReadNodes, network: Any, name: Any) -> bool:
    """True when a server's interface is on the network of this name."""
    node = state.nodes.get(str(network.node)) if isinstance(network, ex.Identity) else None
    if node is None or network == name:
        return network is not None and bool(network == name)
    return name in (node.properties.get("name"), node.external_name, node.external_id)


def _wait_for_addresses(state: ReadNodes) -> None:
    """A server with a port waits until the port has its floating IP: Cloudify establishes that before."""
    for port, names in list(state.made.items()):
        node = state.nodes.get(port)
        associations = [
            name for name in names if name in state.nodes and state.kind_of(name) == "floating_ip_association"
        ]
        if not associations or node is None or node.kind != "port":
            continue
        for server in state.users(port):
            if state.kind_of(server) == "server" and server in state.nodes and not state.nodes[server].exists:
                for name in associations:
                    state.wait(state.nodes[server], name, state.users(port)[server])


def groups_of_ports(state: ReadNodes) -> None:
    """The plugin gives the groups of a server to all of its ports: those that it is connected to, or those of the
    property, but not both (plugin: compute/server.py, ``_get_security_groups_config``,
    ``_attach_security_groups_to_server``). Heat refuses groups beside ports."""
    for server in state.nodes.values():
        groups, items = server.properties.get("security_groups"), server.properties.get("networks")
        if server.kind != "server" or not groups or not isinstance(items, list):
            continue
        if not any(isinstance(item, dict) and item.get("port") is not None for item in items):
            continue
        listed = list(enumerate(groups)) if isinstance(groups, list) else []
        written = server.origins.get(_GROUPS, server.origin(*_GROUPS))
        connected = _connected_groups(state, server)
        place = connected[0].path if connected else written
        from_property = [(group, (*written, index)) for index, group in listed if group not in connected]
        shared: list[tuple[Value, Path]] = [(group, group.path) for group in connected] or from_property
        has_changed = False
        for index, item in enumerate(items):
            reference = item.get("port") if isinstance(item, dict) else None
            port = state.nodes.get(str(reference.node)) if isinstance(reference, ex.Identity) else None
            if shared and port is not None and not port.exists and _give(port, shared):
                has_changed = True
            elif (shared and [group for group, _ in shared] != _USUAL) or (reference is None and not shared):
                what = f"interface {index + 1}" if port is None else f"port '{port.name}'"
                state.report("BPC416", place, what=what, name=server.name)
        if has_changed:
            state.report("BPC379", place, name=server.name)
        if not listed:
            state.report("BPC408", written, name=server.name)
        for _, at in from_property if connected else ():
            state.report("BPC408", at, name=server.name)
        del server.properties["security_groups"]


#: where a server has its groups, and those that OpenStack gives by itself
_GROUPS = ("security_groups",)
_USUAL = ["default"]


def _connected_groups(state: ReadNodes, server: Node) -> list[ex.Identity]:
    """The groups that a server has a relationship to, of whatever type (plugin: utils.py,
    ``get_security_groups_from_relationships``)."""
    groups: list[ex.Identity] = []
    for relationship in state.raw[server.name].relationships:
        group = ex.Identity(relationship.target, path=relationship.path)
        if state.kind_of(relationship.target) == "security_group" and group not in groups:
            groups.append(group)
    return groups


def _give(port: Node, groups: list[tuple[Value, Path]]) -> bool:
    """Add groups to those of a port; without any, it has the default group. False where that cannot be.

    ``groups``: each with its place."""
    name = "security_groups"
    current = port.properties.get(name)
    if port.kind != "port" or not isinstance(current, (list, type(None))):
        return False
    whole = list(_USUAL) if current is None else list(current)
    for group, place in groups:
        if group not in whole:
            port.origins[name, len(whole)] = place
            whole.append(group)
    if current is not None or whole != _USUAL:
        port.properties[name] = whole
    return True
