"""What the conversion from HOT adds to a blueprint is folded back, also without a record of it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Any

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Value
from bpconvert.models.light import replace
from bpconvert.models.topology import ORDER, Node
from bpconvert.translators.cloudify.openstack.interfaces import read_project_networks
from bpconvert.translators.cloudify.openstack.read_nodes import ReadNodes
from bpconvert.translators.cloudify.vocabulary import BARRIER_TYPE, DEPENDS_ON
from bpconvert.translators.support import graphs
from bpconvert.translators.toscalike.node_templates import RawNode

_BARRIER = re.compile(r".+_barrier(_\d+)?")
_EXTERNAL = re.compile(r"external_.+")
_PORT = re.compile(r"(.+)_port_\d+(_\d+)?")
#: kinds that give a server or a port its floating IP
_ASSOCIATIONS = ("floating_ip_association", "nova_floating_ip_association")
#: what is there as soon as the node that it was made for
_ESTABLISHED = {"router_interface", "volume_attachment", "user_role_assignment", "group_role_assignment"}


# -- before: nodes that stand for nothing -------------------------------------------------------------------


def barriers(state: ReadNodes) -> dict[str, list[str]]:
    """Barrier nodes -> what waits behind them."""
    barriers_found = {
        name: [relationship.target for relationship in node.relationships]
        for name, node in state.raw.items()
        if _BARRIER.fullmatch(name) and _is_barrier(node)
    }
    if barriers_found:
        used = _used(state)
        for node in state.raw.values():
            used |= {r.target for r in node.relationships if r.type != DEPENDS_ON or r.operations or r.properties}
        used |= {target for targets in barriers_found.values() for target in targets}
        barriers_found = {name: targets for name, targets in barriers_found.items() if name not in used}
    return barriers_found


def _is_barrier(node: RawNode) -> bool:
    empty = not node.properties and not node.operations and not node.is_scaled
    plain = all(r.type == DEPENDS_ON and not r.operations and not r.properties for r in node.relationships)
    return node.type == BARRIER_TYPE and empty and plain and bool(node.relationships)


def _used(state: ReadNodes) -> set[str]:
    """Nodes that some call names."""
    values: list[Value] = []
    for node in state.raw.values():
        values += [node.properties, node.instances, *(operation.inputs for operation in node.operations)]
        values += [operation.inputs for r in node.relationships for operation in r.operations]
    return set(state.mentioned(values))


# -- after: nodes that are part of another one --------------------------------------------------------------


def fold(state: ReadNodes) -> None:
    """Take back what Heat does by itself."""
    _default_groups(state)
    read_project_networks(state.nodes, state.remove)
    for node in state.nodes.values():
        _wait_for_made(state, node)
    _addresses(state)
    _interfaces(state)
    _ports(state)
    _unused(state)
    for node in state.nodes.values():
        for wait in node.waits if node.external_name is not MISSING else ():
            state.report("BPC356", wait.path, what=f"the relationship to '{wait.target}'")
            node.imply({wait.target})


def _wait_for_made(state: ReadNodes, node: Node) -> None:
    """What waits for a node waits for what its relationships create instead, where that comes later."""
    waiting = node.relationships
    node.relationships = []
    for index, wait in enumerate(waiting):
        waited_for = [*node.awaited, *(later.target for later in waiting[index + 1 :] if not later.implied)]
        targets = [wait.target] if wait.implied else _with_what_it_makes(state, wait.target, node.name)
        if wait.target in targets:
            node.relationships.append(wait)
        elif wait.type != ORDER:
            node.relationships.append(replace(wait, implied=True))
        for target in targets:
            if target != wait.target and target not in waited_for and target != node.name:
                node.wait_for(target, path=wait.path)


def _with_what_it_makes(state: ReadNodes, target: str, name: str) -> list[str]:
    """What waits for a node waits for what its relationships create, too: Cloudify establishes them first."""
    names_made = [
        made_name for made_name in state.made.get(target, ()) if made_name in state.nodes and made_name != name
    ]
    kinds = {state.nodes[name_made].kind for name_made in names_made}
    return names_made if names_made and kinds <= _ESTABLISHED else [target]


def _addresses(state: ReadNodes) -> None:
    """What waits for a server or a port waits for its floating IP, too, as long as that does not wait for it."""
    addresses = {
        owner: [address for address in names if address in state.nodes and state.nodes[address].kind in _ASSOCIATIONS]
        for owner, names in state.made.items()
    }
    addresses = {owner: names for owner, names in addresses.items() if names}
    behind = {address: reached(state, address) for names in addresses.values() for address in names}
    for node in state.nodes.values() if addresses else ():
        if node.exists:
            continue
        for waits in node.waits:
            for address in addresses.get(waits.target, ()):
                if address != node.name and node.name not in behind[address]:
                    state.wait(node, address, waits.path)
        node.imply([address for address in node.awaited if node.name in behind.get(address, ())])


def _interfaces(state: ReadNodes) -> None:
    """What refers to a subnet waits until that is connected to its router, too: Cloudify establishes it before."""
    for subnet, names_made in state.made.items():
        interfaces = [
            name_made
            for name_made in names_made
            if name_made in state.nodes and state.nodes[name_made].kind == "router_interface"
        ]
        for name, path in state.users(subnet).items() if interfaces else ():
            node = state.nodes.get(name)
            if node is None or node.kind is None or node.exists or subnet not in _needed(state, node.properties):
                continue
            for interface in interfaces:
                if name not in reached(state, interface):
                    state.wait(node, interface, path)


def reached(state: ReadNodes, start: str) -> Collection[str]:
    """Everything that a node waits for."""

    def following(name: str) -> list[str]:
        node = state.nodes.get(name)
        return [] if node is None else [*node.awaited, *_needed(state, node.properties)]

    return graphs.reached(start, following).keys()


def _needed(state: ReadNodes, value: Value) -> Iterator[str]:
    """The nodes that a value needs: one that is only asked for a property is not, but what that property names."""
    looked: set[tuple[str, Any]] = set()
    waiting = [value]
    while waiting:
        for expr in ex.walk(waiting.pop()):
            name = getattr(expr, "node", None)
            if not isinstance(name, str):
                continue
            if not isinstance(expr, ex.Property):
                yield name
            elif name in state.nodes and (name, str(expr.name)) not in looked:
                looked.add((name, str(expr.name)))
                declared = state.nodes[name].declared
                waiting.append(declared.get(expr.name) if isinstance(expr.name, str) else declared)


def _is_external(node: Node | None) -> bool:
    return node is not None and bool(_EXTERNAL.fullmatch(node.name)) and node.external_name is not MISSING


def _default_groups(state: ReadNodes) -> None:
    """Heat's ports get the default group by themselves."""
    for node in state.nodes.values():
        groups = node.properties.get("security_groups") if node.kind == "port" else None
        if isinstance(groups, list) and len(groups) == 1 and isinstance(groups[0], ex.Identity):
            group = state.nodes.get(str(groups[0].node))
            if group is not None and _is_external(group) and group.external_name == "default":
                del node.properties["security_groups"]


def _ports(state: ReadNodes) -> None:
    """Ports that were made for an interface of a server are part of the server again."""
    counts: dict[str, int] = {}
    candidates = [name for name, node in state.nodes.items() if node.kind == "port" and _PORT.fullmatch(name)]
    for name in state.references() if candidates else ():
        counts[name] = counts.get(name, 0) + 1
    for server in list(state.nodes.values()):
        items = server.properties.get("networks") if server.kind == "server" else None
        for index, item in enumerate(items if isinstance(items, list) else ()):
            port = item.get("port") if isinstance(item, dict) and len(item) == 1 else None
            node = state.nodes.get(str(port.node)) if isinstance(port, ex.Identity) else None
            if node is None or counts.get(node.name) != 1 or not node.name.startswith(f"{server.name}_port_"):
                continue
            interface = _interface(state, node, server, index)
            if interface is not None and isinstance(items, list):
                items[index] = interface
                state.remove(node.name)
                for wait in node.waits:
                    state.wait(server, wait.target, wait.path)


def _interface(state: ReadNodes, port: Node, server: Node, index: int) -> dict[str, Value] | None:
    """A port as the interface of a server; None where there is more to it. Its name is Heat's own (heat:
    nova/server_network_mixin.py, ``_create_internal_port``)."""
    properties = dict(port.properties)
    together = (port.group, port.limits, port.instances) == (server.group, server.limits, server.instances)
    if port.kind != "port" or port.exists or port.operations or not together:
        return None
    if not all(_is_added(state, port, w) for w in port.awaited):
        return None
    groups = properties.get("security_groups")
    if groups is not None and _by_name(state, groups) == server.properties.get("security_groups"):
        del properties["security_groups"]
    addresses = properties.pop("fixed_ips", [{}])
    if not isinstance(addresses, list) or len(addresses) != 1 or not isinstance(addresses[0], dict):
        return None
    address = addresses[0]
    if not address.keys() <= {"subnet", "ip_address"}:
        return None
    settings: dict[str, Value] = {"network": properties.pop("network")} if "network" in properties else {}
    for key, name in (("subnet", "subnet"), ("ip_address", "fixed_ip")):
        if key in address:
            settings[name] = address[key]
    if properties.get("name") == f"{server.name}-port-{index}" and ("subnet" in settings or len(properties) > 1):
        del properties["name"]
    if properties:
        settings["port_extra_properties"] = properties
    return settings or None


def _is_added(state: ReadNodes, port: Node, target: str) -> bool:
    """True when a port waits for a node only as the port of its network does: for the subnets of that."""
    subnet, network = state.nodes[target], port.properties.get("network")
    if network is None or subnet.kind != "subnet" or subnet.properties.get("network") != network:
        return False
    one_each = not port.is_scaled and not subnet.is_scaled and port.group == subnet.group
    return one_each or ex.Identity(target) in ex.walk(port.properties)


def _by_name(state: ReadNodes, groups: Value) -> Value:
    """Groups with the names of existing ones."""
    if not isinstance(groups, list):
        return groups
    names = []
    for group in groups:
        node = state.nodes.get(str(group.node)) if isinstance(group, ex.Identity) else None
        names.append(node.external_name if node is not None and _is_external(node) else group)
    return names


def _unused(state: ReadNodes) -> None:
    """Existing resources that were only there for a relationship."""
    names = [name for name, node in state.nodes.items() if _is_external(node)]
    used = set(state.references()) if names else set()
    for name in names:
        if name not in used:
            state.remove(name)
