"""Networks, ports, floating IPs: a network of TOSCA is a network and its subnet."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable, Mapping
from typing import Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.topology import Node
from bpconvert.translators.tosca.read import tacker
from bpconvert.translators.tosca.read.making import TELLING, Given, NodeBuilder
from bpconvert.translators.tosca.read.raw import RawNode, RawRequirement

NET: Final = "OS::Neutron::Net"
PROVIDER: Final = "OS::Neutron::ProviderNet"
SUBNET: Final = "OS::Neutron::Subnet"
PORT: Final = "OS::Neutron::Port"
PROVIDES: Final = ("network_type", "physical_network", "segmentation_id")
#: properties of a network that are addresses in its range, and how long the prefix of that usually is
_INSIDE: Final = ("start_ip", "end_ip", "gateway_ip")
_USUAL_LENGTHS: Final = {4: 24, 6: 64}
#: properties that networks and subnets have, and that are the network's
_BOTH: Final = frozenset({"name", "tenant_id", "tags", "value_specs"})
#: requirements by which a port is on a network, and by which it is a server's (of the standard and of NFV's types)
LINKS: Final = ("link", "virtualLink", "virtual_link")
BINDINGS: Final = ("binding", "virtualBinding", "virtual_binding")
LINKS_TO: Final = "tosca.relationships.network.LinksTo"
BINDS_TO: Final = "tosca.relationships.network.BindsTo"


def is_link(requirement: RawRequirement) -> bool:
    """True for a requirement by which a port is on a network, or an address is a port's."""
    return requirement.name in LINKS or LINKS_TO in requirement.ancestry


def is_binding(requirement: RawRequirement) -> bool:
    """True for a requirement by which a port is a server's."""
    return requirement.name in BINDINGS or BINDS_TO in requirement.ancestry


# -- networks -------------------------------------------------------------------------------------------------


def network(making: NodeBuilder, raw: RawNode) -> None:
    """A network. One with an id, or with a name and nothing else, exists already."""
    properties = making.properties(raw)
    network_name = making.take(properties, "network_name")
    identified = making.take(properties, "network_id")
    existing = identified or (network_name if properties.keys() - TELLING == {"network_name"} else None)
    if existing is not None:
        making.exists(raw, existing)
        return
    own: dict[str, Given] = {} if network_name is None else {"name": network_name}
    provided = {name: properties[name] for name in PROVIDES if name in properties}
    making.taken.update(entry.place for entry in provided.values())
    type = PROVIDER if provided else NET
    own |= provided | making.properties_of(properties, type, frozenset(PROVIDES))
    if provided.get("segmentation_id") and isinstance(provided["segmentation_id"].value, str):
        own["segmentation_id"] = _number(provided["segmentation_id"])
    if type == PROVIDER:
        keep_private(making, raw, own)
    making.resource(raw, type, own)
    if raw.existing is not MISSING:
        return  # it has what it has
    if subnet(making, raw, properties) is None and _has_ports(making, raw) and "physical_network" not in properties:
        version = properties["ip_version"].value if "ip_version" in properties else 4
        subnet(making, raw, {**properties, "cidr": choose_range(making, raw, raw.path, version)})


def _has_ports(making: NodeBuilder, raw: RawNode) -> bool:
    """True for a network that a machine has a port on."""
    return any(
        any(is_link(requirement) and requirement.target == raw.name for requirement in node.requirements)
        and any(is_binding(requirement) and requirement.target is not None for requirement in node.requirements)
        for node in making.users(raw.name)
    )


def choose_range(making: NodeBuilder, raw: RawNode, place: Path, version: Value) -> Given:
    """The range of addresses of a network for which any does: an input takes another one. No other network of the
    document has it. One of which addresses are given has the range around them; where these are not known, the input
    has no default."""
    asked = making.ask(f"{raw.name}_cidr", f"addresses of {raw.name}, with IPv{version}", place, "net_cidr")
    written = _written_addresses(making, raw)
    range_chosen = _around(written, 6 if version == 6 else 4) if written else _free_range(making, version)
    if range_chosen is None:
        making.report("BPC816", place, node=raw.name, what="range of addresses", input=asked.name)
        return Given(asked, place)
    making.topology.inputs[str(asked.name)].default = range_chosen
    making.report("BPC867", place, node=raw.name, input=asked.name, range=range_chosen)
    return Given(asked, place)


def _free_range(making: NodeBuilder, version: Value) -> str:
    defaults = [declared.default for declared in making.topology.inputs.values()]
    written = repr([defaults, *(node.declared for node in making.raw.values())])
    begins = [f"fd00:0:0:{number:x}::" if version == 6 else f"192.168.{number}." for number in range(101, 255)]
    free = next((begin for begin in begins if begin not in written), begins[-1])
    return f"{free}/64" if version == 6 else f"{free}0/24"


def _written_addresses(making: NodeBuilder, raw: RawNode) -> list[Value]:
    """The addresses that a template gives a network, and ports on it, or the defaults of the inputs that do."""
    rows = [(raw.declared, name) for name in _INSIDE]
    for user in making.users(raw.name):
        if any(is_link(requirement) and requirement.target == raw.name for requirement in user.requirements):
            rows.append((user.declared, "ip_address"))
    values = []
    for value in (declared.get(name) for declared, name in rows):
        name = str(value.name) if isinstance(value, ex.Input) and not value.keys else ""
        declared_input = making.topology.inputs.get(name)
        if value is not None:
            values.append(value if declared_input is None else declared_input.default)
    return values


def _around(addresses: Iterable[Value], version: int) -> str | None:
    """The usual range with all these addresses, a larger one where they are apart; None where one is no address of this
    version."""
    try:
        parsed = [ipaddress.ip_address(address if isinstance(address, str) else "") for address in addresses]
    except ValueError:
        return None
    if any(address.version != version for address in parsed):
        return None
    whole = ipaddress.ip_network(f"{parsed[0]}/{_USUAL_LENGTHS[version]}", strict=False)
    while not all(address in whole for address in parsed):
        whole = whole.supernet()
    return str(whole)


def _number(entry: Given) -> Given:
    text = entry.value
    return Given(int(text), entry.place) if isinstance(text, str) and text.isdecimal() else entry


def keep_private(making: NodeBuilder, raw: RawNode, own: dict[str, Given]) -> None:
    """A network of a provider is for its project, where nothing else is said: Heat would share it with all others."""
    if "shared" not in own:
        own["shared"] = Given(False, raw.path)
        making.report("BPC828", raw.path, node=raw.name)


def subnet(making: NodeBuilder, raw: RawNode, properties: Mapping[str, Given]) -> Node | None:
    """The subnet of a network; None for one without addresses."""
    if "cidr" not in properties:
        return None
    subnet_properties = making.properties_of(properties, SUBNET, _BOTH)
    path = (*raw.path, "properties")
    whole = {"network": Given(making.reference(raw.name, path), path)}
    for theirs, mine in making.types_of("subnet").names.items():
        entry = making.take(properties, theirs)
        if entry is not None:
            whole[mine] = entry
    pools = _pools(making, raw, properties)
    if pools is not None:
        whole["allocation_pools"] = pools
    return making.resource(
        raw, SUBNET, {**whole, **{k: v for k, v in subnet_properties.items() if k not in whole}}, f"{raw.name}_subnet"
    )


def _pools(making: NodeBuilder, raw: RawNode, properties: Mapping[str, Given]) -> Given | None:
    """The addresses that are given away. One end alone is completed: up to the last one, from the first one."""
    start, end = properties.get("start_ip"), properties.get("end_ip")
    end_given = start or end
    if end_given is None:
        return None
    ends = {name: entry.value for name, entry in (("start", start), ("end", end)) if entry is not None}
    if len(ends) == 1:
        usable = _usable(properties)
        if usable is None:
            return None
        ends = {"start": usable[0], "end": usable[1], **ends}
        making.report("BPC820", end_given.place, name=end_given.place[-1], node=raw.name, **ends)
    making.taken.update(entry.place for entry in (start, end) if entry is not None)
    return Given([ends], end_given.place)


def _usable(properties: Mapping[str, Given]) -> tuple[str, str] | None:
    """The first and the last address of a subnet that a machine can have, the gateway is none."""
    try:
        whole = ipaddress.ip_network(str(properties["cidr"].value), strict=False)
    except ValueError:
        return None
    if whole.num_addresses < 8 or ("gateway_ip" in properties and not isinstance(properties["gateway_ip"].value, str)):
        return None
    gateway = str(properties["gateway_ip"].value) if "gateway_ip" in properties else str(whole[1])
    first = next(str(whole[number]) for number in (1, 2) if str(whole[number]) != gateway)
    last = next(str(whole[number]) for number in (-2, -3) if str(whole[number]) != gateway)
    return first, last


def report_without_addresses(making: NodeBuilder) -> None:
    """Report the networks of servers that have no subnet: Nova refuses a port without an address."""
    nodes = making.nodes

    def networks(value: Value) -> set[str]:
        reached: set[str] = set()
        waiting = [value]
        while waiting:
            names = {name for name in ex.named_nodes(waiting.pop()) if name in nodes} - reached
            reached |= names
            waiting += [nodes[name].value_of("network") for name in names if nodes[name].kind == "port"]
        return reached

    with_addresses = {
        name for other in nodes.values() if other.kind == "subnet" for name in networks(other.value_of("network"))
    }
    for server in [other for other in nodes.values() if other.kind == "server"]:
        for name in sorted(networks(server.properties.get("networks")) - with_addresses):
            if nodes[name].kind in ("net", "provider_net") and not nodes[name].exists:
                making.report("BPC849", nodes[name].path, name=name, server=server.name)


# -- ports ----------------------------------------------------------------------------------------------------


def port(making: NodeBuilder, raw: RawNode) -> None:
    """A port: its network and its server are requirements."""
    properties = making.properties(raw)
    own = making.properties_of(properties, PORT)
    address = making.take(properties, "ip_address")
    if address is not None and "fixed_ips" not in own:
        own["fixed_ips"] = Given([{"ip_address": address.value}], address.place)
    making.resource(raw, PORT, {**own, **making.renamed(raw, properties, own)})


def on_networks(making: NodeBuilder) -> None:
    """Put the ports on their networks. Of those of the standard without one, an input asks for it."""
    for raw in making.raw.values():
        node = making.nodes.get(raw.name)
        if node is None or node.kind != "port":
            continue
        for requirement in raw.requirements:
            if is_link(requirement) and making.is_network(requirement.target):
                _on(making, node, requirement)
        if raw.name not in making.plain and "network" not in node.properties:
            place = next((requirement.path for requirement in raw.requirements if is_link(requirement)), raw.path)
            part = (tacker.POINTS, raw.name, "network")
            name = asked_network(raw.name)
            asked = making.ask(name, f"network of {raw.name}", place, "neutron.network", part=part)
            making.put(node, "network", Given(asked, place))
            if not making.tacker:
                making.report("BPC816", place, node=raw.name, what="network", input=asked.name)


def asked_network(port: str) -> str:
    """What the input is called that asks for the network of a port."""
    return f"{port}_network"


def _on(making: NodeBuilder, node: Node, requirement: RawRequirement) -> None:
    target = str(requirement.target)
    if "network" not in node.properties:
        making.put(node, "network", Given(making.reference(target, requirement.path), requirement.path))
        node.properties = {"network": node.properties.pop("network"), **node.properties}
    subnets = making.parts.get(target, ())
    node.wait_for(*subnets, path=requirement.path[:4])
    if node.properties["network"] != making.reference(target, requirement.path):
        making.wait(node, target, requirement.path[:4])
    making.taken.add(requirement.path)


def bind(making: NodeBuilder) -> None:
    """Give the servers their ports, in their order; ties have that of the document (Simple Profile 1.3, 5.9.2)."""
    bound: dict[str, list[tuple[float, RawNode, RawRequirement]]] = {}
    for raw in making.raw.values():
        node = making.nodes.get(raw.name)
        if node is None or node.kind != "port":
            continue
        place = _place(making, raw, node)
        for requirement in raw.requirements:
            if is_binding(requirement) and making.kind(requirement.target) == "server":
                bound.setdefault(str(requirement.target), []).append((place, raw, requirement))
    for name, ports in bound.items():
        _report_ties(making, name, ports)
        server = making.nodes[name]
        server_networks = server.properties.get("networks")
        if server_networks is not None and not isinstance(server_networks, list):
            for _, raw, requirement in ports:
                making.carried(requirement.path, requirement.name, raw.name, "the networks of the server are computed")
            continue
        items: list[Any] = list(server_networks or ())
        server.properties["networks"] = items
        for _, raw, requirement in sorted(ports, key=lambda row: row[0]):
            making.taken.add(requirement.path)
            reference = ex.Identity(raw.name, path=requirement.path)
            if not any(isinstance(item, dict) and item.get("port") == reference for item in items):
                server.origins["networks", len(items)] = requirement.path
                items.append({"port": reference})


def _report_ties(making: NodeBuilder, server: str, ports: Iterable[tuple[float, RawNode, RawRequirement]]) -> None:
    """Report the ports that are given the number of another port of their server. One can be bound in two words."""
    by_order: dict[float, list[RawNode]] = {}
    for place, raw, _ in ports:
        tied = by_order.setdefault(place, [])
        if "order" in raw.properties and raw not in tied:
            tied.append(raw)
    for place, tied in by_order.items():
        for raw in tied if len(tied) > 1 else ():
            words = {"ports": ", ".join(tied_port.name for tied_port in tied), "server": server, "order": f"{place:g}"}
            making.report("BPC956", (*raw.path, "properties", "order"), **words)


def has_port(server: Node | None, port: str) -> bool:
    """True for a server with this port."""
    items = server.properties.get("networks") if server is not None else None
    ports = [item.get("port") for item in items if isinstance(item, dict)] if isinstance(items, list) else []
    return ex.Identity(port) in ports


def _place(making: NodeBuilder, raw: RawNode, node: Node) -> float:
    """Where a port stands among those of its server."""
    node.properties.pop("order", None)
    order = raw.declared.get("order")
    if isinstance(order, ex.Input) and not order.keys:
        declared = making.topology.inputs.get(order.name) if isinstance(order.name, str) else None
        order = declared.default if declared is not None else order
    if "order" in raw.properties:
        place = (*raw.path, "properties", "order")
        making.taken.add(place)
        if isinstance(order, ex.Expr) or order != raw.properties["order"]:
            making.report("BPC821", place, node=raw.name)
    return float(order) if isinstance(order, (int, float)) else 0.0


# -- floating IPs ---------------------------------------------------------------------------------------------


def on_ports(making: NodeBuilder) -> None:
    """Give the floating IPs to their ports; an input asks for a network that is not given."""
    for raw in making.raw.values():
        node = making.nodes.get(raw.name)
        if node is None or node.kind != "floating_ip":
            continue
        _port_by_name(making, node)
        for requirement in raw.requirements:
            if not is_link(requirement):
                continue
            port_id = node.properties.get("port_id")
            if isinstance(port_id, ex.Identity) and port_id.node == requirement.target:
                making.taken.add(requirement.path)
            elif making.kind(requirement.target) == "port" and port_id is None:
                reference: Value = ex.Identity(str(requirement.target), path=requirement.path)
                making.put(node, "port_id", Given(reference, requirement.path))
                making.taken.add(requirement.path)
            elif making.is_network(requirement.target) and not _has_network(node):
                making.put(
                    node,
                    "floating_network",
                    Given(making.reference(str(requirement.target), requirement.path), requirement.path),
                )
                making.taken.add(requirement.path)
        if raw.name not in making.plain and not _has_network(node):
            asked = making.ask(f"{raw.name}_network", f"external network of {raw.name}", raw.path, "neutron.network")
            making.put(node, "floating_network", Given(asked, raw.path))
            making.report("BPC816", raw.path, node=raw.name, what="external network", input=asked.name)


def _port_by_name(making: NodeBuilder, node: Node) -> None:
    """Let a floating IP whose port is the name of a node have the port of that node: no id is such a name."""
    name, place = node.properties.get("port_id"), node.origin("port_id")
    if isinstance(name, str) and making.kind(name) == "port":
        making.put(node, "port_id", Given(ex.Identity(name, path=place), place))
        making.report("BPC887", place, name=name)


def _has_network(node: Node) -> bool:
    names = ("floating_network", "floating_network_id")
    return any(name in node.properties for name in names)
