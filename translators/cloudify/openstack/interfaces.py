"""Network interfaces of servers: networks, ports, addresses.

In the plugin an interface is a relationship to a port or a network, or an entry of a property, never both. So
interfaces with their own addresses become ports.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.light import NamedTuple, replace
from bpconvert.models.topology import Node, Topology
from bpconvert.translators.catalogue.model import PropertyRule
from bpconvert.translators.cloudify.openstack.property_paths import Entry, Reading
from bpconvert.translators.evaluate.scope import may_vanish
from bpconvert.translators.passes.work import Refused

if TYPE_CHECKING:
    from bpconvert.translators.cloudify.openstack.arrangement import Reshaping
    from bpconvert.translators.cloudify.openstack.drafts import NodeDraft
    from bpconvert.translators.cloudify.openstack.protocols import Writing

NETS: Final = ("net", "provider_net")


class Interface(NamedTuple):
    """One network interface of a server: its place in the list, the network (as written), the node of its port."""

    place: int
    network: Value | None
    port: str | None


def interfaces_of(topology: Topology, server: Node) -> list[Interface]:
    """The network interfaces that the template gives to a server."""
    networks = server.properties.get("networks")
    interfaces = []
    for index, item in enumerate(networks if isinstance(networks, list) else ()):
        if isinstance(item, dict):
            port = item.get("port")
            node = topology.node(port.node) if isinstance(port, ex.Identity) else None
            holder = node.properties if node else item
            network = holder.get("network") if isinstance(holder, dict) else None
            interfaces.append(Interface(index, network, node.name if node else None))
    return interfaces


# -- writing ------------------------------------------------------------------------------------------------


def networks(arrangement: Reshaping, node: Node, name: str) -> None:
    """A server's interfaces: all as relationships, or all as the property."""
    value = node.properties.get(name)
    if value is None:
        return
    if not isinstance(value, list) or not all(map(_is_certain, value)):
        node.properties[name] = _decided(_in_branches(arrangement, node, value, node.origin(name)))
        return
    items = [{("network" if key == "uuid" else key): part for key, part in item.items()} for item in value]
    if len(items) == 1 and _word(items) and not arrangement.generation2:
        if _word(items) == "auto" and node.external_id is MISSING:
            node.properties[name] = [{"network": _project_network(arrangement, node)}]
        return
    for index, item in enumerate(items):
        if item.pop("allocate_network", None) is not None:  # the plugin takes lists only
            path = node.origin(name, index, "allocate_network")
            arrangement.report("BPC330", path, name="allocate_network")
    if any(_is_lifted(arrangement, item) for item in items):
        path = node.origin(name)
        lifted = []
        for index, item in enumerate(items):
            shared = any(_may_share(arrangement, item, other) for other in items if other is not item)
            lifted.append(_interface(arrangement, node, item, shared, (*path, index)))
        last = max((index for index, item in enumerate(lifted) if "port" in item), default=0)
        for index, item in enumerate(lifted[:last]):  # the plugin takes ports before networks
            if "network" in item:
                lifted[index] = {"port": own_port(arrangement, node, item, (*path, index))}
        arrangement.interfaces[node.name] = lifted
        # networks stay as written, to be compared with
        items = [new if "port" in new else item for new, item in zip(lifted, items, strict=True)]
    node.properties[name] = items


#: the kind of a node for the network that Nova finds, or has made, for a server
PROJECT_NETWORK: Final = "project_network"


def _project_network(arrangement: Reshaping, server: Node) -> ex.Identity:
    """The node that finds the network; all servers of the document have the same one."""
    path = server.origin("networks", 0, _ALLOCATE)
    key, topology = (PROJECT_NETWORK, "", ""), arrangement.topology
    name = topology.existing.get(key)
    if name is None:
        name = topology.existing[key] = arrangement.fresh_node(PROJECT_NETWORK)
        arrangement.add(Node(name, "", PROJECT_NETWORK, path=path), before=server.name)
    arrangement.report("BPC254", path, name=server.name, node=name)
    return ex.Identity(name)


def read_project_networks(nodes: dict[str, Node], remove: Callable[[str], None]) -> None:
    """Servers on the network that a node finds name none; the node is no resource. ``remove``: takes a node out."""
    project_networks = {name for name, node in nodes.items() if node.kind == PROJECT_NETWORK}
    for node in nodes.values() if project_networks else ():
        networks = node.properties.get("networks")
        item = networks[0] if isinstance(networks, list) and len(networks) == 1 else None
        # an engine that only plans knows no id, but the relationship
        alone = isinstance(item, dict) and item in ({}, *({"network": ex.Identity(name)} for name in project_networks))
        if (
            node.kind == "server"
            and alone
            and any(relationship.target in project_networks for relationship in node.relationships)
        ):
            node.properties["networks"] = [{_ALLOCATE: "auto"}]
            node.relationships = [
                relationship for relationship in node.relationships if relationship.target not in project_networks
            ]
    used = {name for node in nodes.values() for name in (*ex.named_nodes(node.properties), *node.awaited)}
    for name in project_networks - used:
        remove(name)


def _is_certain(item: Value) -> bool:
    """True for an interface that no condition decides whether it has a part."""
    return isinstance(item, dict) and not any(map(may_vanish, item.values()))


def _in_branches(arrangement: Reshaping, node: Node, value: Value, path: Path) -> Value:
    """The interfaces of a server, some of which a condition decides, without what only a port can have. ``node``: the
    server, on the conditions that lead to ``value``. A relationship would be there whatever the condition is, so none
    is one: the property has them all."""
    if isinstance(value, ex.If):
        return _cases(arrangement, node, value, (value.then, value.otherwise), value.path or path)
    if isinstance(value, list):
        return [_in_branches(arrangement, node, item, (*path, index)) for index, item in enumerate(value)]
    if not isinstance(value, dict):
        return value
    key = next((key for key, part in value.items() if may_vanish(part)), None)
    if key is not None:
        others, choice = {other: part for other, part in value.items() if other != key}, value[key]
        both = (choice.then, choice.otherwise)
        maps = [others if branch is MISSING else {**others, key: branch} for branch in both]
        return _cases(arrangement, node, choice, maps, path)
    item = {("network" if key == "uuid" else key): part for key, part in value.items()}
    lost = ["allocate_network"]
    if arrangement.topology.is_reference(item.get("port"), ["port"]):
        lost.append("floating_ip")  # the port is there in the other case, too
    for key in lost:
        if item.pop(key, None) is not None:
            arrangement.report("BPC330", (*path, key), name=key)
    needs_port = any(item.get(key) is not None for key in ("subnet", "port_extra_properties"))
    is_external = item.get("port") is not None and item.get("floating_ip") is not None
    if needs_port or is_external or arrangement.may_be_name(item.get("network")):
        return _interface(arrangement, node, item, False, path)
    return item


def _cases(arrangement: Reshaping, node: Node, choice: ex.If, branches: Sequence[Value], path: Path) -> Value:
    """The ``branches`` of a choice, each as :func:`_in_branches` has it. ``path``: what is decided."""
    conditions = (choice.condition, ex.Not(choice.condition))
    cases = (
        branch if branch is MISSING else _in_branches(arrangement, _on(node, condition), branch, path)
        for branch, condition in zip(branches, conditions, strict=True)
    )
    return ex.If(choice.condition, *cases, path=choice.path)


def _on(node: Node, condition: Value) -> Node:
    """``node`` where a condition holds as well."""
    both = condition if node.condition is MISSING else ex.And((node.condition, condition))
    return replace(node, condition=both)


#: a list with more conditions in it is not taken apart
_MOST_CONDITIONS: Final = 4


def _decided(value: Value, left: int = _MOST_CONDITIONS) -> Value:
    """A list with choices in it as a choice between lists."""
    if isinstance(value, ex.If):
        return ex.map_fields(value, lambda part: part if part is value.condition else _decided(part, left))
    choice = next((item for item in value if isinstance(item, ex.If)), None) if isinstance(value, list) else None
    if choice is None or not left:
        return value
    cases = []
    for truth in (True, False):
        taken = [
            (item.then if truth else item.otherwise)
            if isinstance(item, ex.If) and repr(item.condition) == repr(choice.condition)
            else item
            for item in value
        ]
        cases.append(_decided([item for item in taken if item is not MISSING], left - 1))
    return ex.If(choice.condition, *cases, path=choice.path)


#: what an interface's own port can have
PORT_KEYS = {"network", "subnet", "fixed_ip", "port_extra_properties"}


def _is_lifted(arrangement: Reshaping, item: dict[str, Value]) -> bool:
    """True for an interface that has to be a relationship."""
    if item.get("port") is not None:
        is_node = arrangement.topology.is_reference(item["port"], ["port"]) or arrangement.may_be_name(item["port"])
        return is_node or item.get("floating_ip") is not None
    network = item.get("network")
    needs_port = item.get("subnet") is not None or item.get("port_extra_properties") is not None
    return needs_port or arrangement.topology.is_reference(network, NETS) or arrangement.may_be_name(network)


def network_of(arrangement: Reshaping, item: Value) -> Value:
    """The network that an interface, a port or an address of a port is on, as written; None where it is not known."""
    if not isinstance(item, dict):
        return None
    if arrangement.topology.is_reference(item.get("port"), ["port"]):
        port_value: Any = item["port"]
        port = arrangement.topology.nodes[port_value.node].properties
        addresses = port.get("fixed_ips")
        first = addresses[0] if isinstance(addresses, list) and addresses else None
        network: Value = port.get("network")
        return network if network is not None else network_of(arrangement, first)
    reference: Any = item.get("subnet", item.get("subnet_id"))
    if item.get("network") is None and arrangement.topology.is_reference(reference, ["subnet"]):
        return arrangement.topology.nodes[reference.node].properties.get("network")
    return None if item.get("port") is not None else item.get("network")


def _may_share(arrangement: Reshaping, item: dict[str, Value], other: dict[str, Value]) -> bool:
    """True where an interface with only a network may be on the network of another one that has a port: an input can
    name any existing network, and the port that it names can be on any (a network of the template is another one)."""
    mine, its = network_of(arrangement, item), network_of(arrangement, other)
    if mine is None or mine == its:
        return mine is not None
    has_port = any(other.get(key) is not None for key in ("port", "subnet", "fixed_ip", "port_extra_properties"))
    if not has_port or any(arrangement.topology.is_reference(network, NETS) for network in (mine, its)):
        return False
    return its is None or isinstance(mine, ex.Expr) or isinstance(its, ex.Expr)


def _interface(
    arrangement: Reshaping, node: Node, item: dict[str, Value], shared: bool, path: Path
) -> dict[str, Value]:
    """One interface as a reference to a port or a network. The plugin takes a network and a port on it for one
    interface, so interfaces on a ``shared`` network are all ports (plugin: compute/server.py,
    ``_remove_duplicated_nics_from_relationships``)."""
    settings = _expressible(arrangement, item, path)
    address = settings.pop("floating_ip", None)
    if "port" in settings:
        port = settings["port"]
        is_own = arrangement.topology.is_reference(port, ["port"])
        port_reference = port if is_own else arrangement.external("port", port, node, path)
        if address is not None:
            _floating_ip(arrangement, node, str(port_reference.node), address, (*path, "floating_ip"))
        return {"port": port_reference}
    if not settings:
        return {}
    if settings.keys() == {"network"}:
        raw = settings["network"]
        is_own = arrangement.topology.is_reference(raw, NETS)
        network = raw if is_own else arrangement.external("net", raw, node, (*path, "network"))
        if not shared:
            return {"network": network}
        settings = {"network": raw if arrangement.may_be_name(raw) else network}
    port_reference = own_port(arrangement, node, settings, path)
    if address is not None:
        _floating_ip(arrangement, node, str(port_reference.node), address, (*path, "floating_ip"))
    return {"port": port_reference}


def _floating_ip(arrangement: Reshaping, server: Node, port: str, address: Value, path: Path) -> None:
    """Connect the port of an interface to its floating IP, as Heat does before it creates the server."""
    kind = "floating_ip"
    if isinstance(address, ex.Identity) and not arrangement.topology.is_reference(address, [kind]):
        arrangement.report("BPC330", path, name=kind)
        return
    address_reference = (
        address if isinstance(address, ex.Identity) else arrangement.external(kind, address, server, path)
    )
    relationship = "cloudify.relationships.openstack.port_connected_to_floating_ip"
    try:
        arrangement.connect(port, relationship, str(address_reference.node), path)
    except Refused:
        arrangement.report("BPC330", path, name=kind)


def _expressible(arrangement: Reshaping, item: dict[str, Value], path: Path) -> dict[str, Value]:
    """What a relationship or a port can express of an interface; the rest is reported."""
    keys = {key for key, part in item.items() if part is not None}
    kept = {"port"} if "port" in keys else PORT_KEYS if keys & {"network", "subnet"} else set()
    if keys & {"port", "subnet", "port_extra_properties"}:  # else Heat does not know the port
        kept = kept | {"floating_ip"}
    for key in item:
        if key not in kept or key not in keys:
            arrangement.report("BPC330" if key in keys else "BPC307", (*path, key), name=key)
    return {key: part for key, part in item.items() if key in kept and key in keys}


def own_port(arrangement: Reshaping, node: Node, item: dict[str, Value], path: Path) -> ex.Identity:
    """A new port for an interface that a relationship to a network cannot express. One that Heat makes itself has a
    name of the server's (heat: nova/server_network_mixin.py, ``_create_internal_port``)."""
    properties: dict[str, Value] = {}
    network = item.get("network") if "network" in item else network_of(arrangement, item)
    if network is None or network == "":  # Heat takes the subnet's (nova/server_network_mixin.py); Neutron does not
        place = (*path, "network")
        network = arrangement.asked(None, place, "the template does not name the network of the subnet")
        network = arrangement.external("net", network, node, place)
    properties["network"] = network
    address = {key: item[old] for key, old in (("subnet", "subnet"), ("ip_address", "fixed_ip")) if old in item}
    if address:
        properties["fixed_ips"] = [address]
    extra = item.get("port_extra_properties", {})
    origins: dict[Path, Path] = {}
    if isinstance(extra, dict):
        properties.update(extra)
        origins = {(key,): (*path, "port_extra_properties", key) for key in extra}
    else:
        arrangement.report("BPC330", (*path, "port_extra_properties"), name="port_extra_properties")
    if (item.get("subnet") or extra) and node.path[-1:] == (node.name,):
        properties["name"] = f"{node.name}-port-{path[-1]}"
    name = arrangement.fresh_node(f"{node.name}_port_{path[-1]}")
    port = Node(name, "", "port", properties, condition=node.condition, path=path, origins=origins)
    arrangement.add(port, before=node.name)
    arrangement.report("BPC311", path, name=node.name, port=name)
    return ex.Identity(name, path=path)


def give_groups(arrangement: Reshaping) -> None:
    """Give the security groups of servers to the ports that were made for their interfaces."""
    nodes = arrangement.topology.nodes
    users_by_port = {node.name: node.made_for for node in nodes.values() if node.made_for is not None}
    for name, user in users_by_port.items():
        _groups_of_interface(arrangement, nodes[name], nodes[user])
    for user in dict.fromkeys(users_by_port.values()):
        _groups_to_interfaces(arrangement, nodes[user])


def _groups_of_interface(arrangement: Reshaping, port: Node, server: Node) -> None:
    """The security groups of a port that was made for a server's interface: the server's own, which Nova gives to the
    ports it makes. Groups of the template reach a port by the server's relationship, or see below."""
    if port.kind != "port" or port.external_id is not MISSING or "security_groups" in port.properties:
        return
    kind = arrangement.catalogue.kind("port")
    rule = kind.properties.get("security_groups") if kind is not None else None
    groups = server.properties.get("security_groups")
    if rule is None or rule.lift is None:
        return
    if isinstance(groups, list) and groups:
        if any(arrangement.topology.is_reference(item, rule.lift.targets) for item in groups):
            return
        target, place = rule.lift.targets[0], server.origin("security_groups")
        entries = [(item, (*place, index)) for index, item in enumerate(groups) if item is not None]
        port.properties["security_groups"] = [arrangement.external(target, item, server, at) for item, at in entries]
    elif not groups:
        arrangement.silent(port, "security_groups", rule)


def _groups_to_interfaces(arrangement: Reshaping, server: Node) -> None:
    """The security groups of a server whose interfaces all have ports by now are those of the ports that were made for
    them: Heat gives them to no other port."""
    groups, interfaces = server.properties.get("security_groups"), server.properties.get("networks")
    if server.kind != "server" or not isinstance(groups, list) or not isinstance(interfaces, list) or not groups:
        return
    references: list[Any] = [item.get("port") for item in interfaces if isinstance(item, dict)]
    nodes, is_reference = arrangement.topology.nodes, arrangement.topology.is_reference
    ports = [nodes[port.node] for port in references if is_reference(port, ["port"])]
    own_ports = [port for port in ports if port.made_for is not None and port.external_id is MISSING]
    if (
        not own_ports
        or len(ports) < len(interfaces)
        or not all(is_reference(item, ["security_group"]) for item in groups)
    ):
        return
    for port in own_ports:
        port.properties["security_groups"] = list(groups)
        port.origins["security_groups",] = server.origin("security_groups")
    del server.properties["security_groups"]


def write_networks(writing: Writing, draft: NodeDraft, rule: PropertyRule, value: Value, source: Path) -> None:
    """All interfaces are relationships, or none."""
    from bpconvert.translators.passes.expressions import branches

    word = _word(value)
    if not writing.generation2 and (word or value == []):
        if word != "auto":  # of a server that exists, nobody asks
            _ask_nova(writing, draft, word, (*source, 0, _ALLOCATE) if word else source)
        return
    value = branches.otherwise(value, [])
    chosen = writing.by_branch(value, source, lambda part, at: _written_interfaces(writing, draft, rule, part, at))
    if chosen is not MISSING or not isinstance(value, list) or not value:
        if chosen is MISSING and not writing.generation2 and writing.rewriter.by_default(value) == []:
            _ask_nova(writing, draft, "", source)
        written = writing.shaped(draft, rule, value, source) if chosen is MISSING else chosen
        draft.put(("resource_config", "networks"), written, source)
        return
    items = writing.interfaces.get(draft.node.name, value)
    written = _written_interfaces(writing, draft, rule, items, source)
    if written:
        draft.put(("resource_config", "networks"), written, source)


def _written_interfaces(writing: Writing, draft: NodeDraft, rule: PropertyRule, value: Value, source: Path) -> Value:
    """The interfaces of one case that are no relationships."""
    chosen = writing.by_branch(value, source, lambda part, at: _written_interfaces(writing, draft, rule, part, at))
    if chosen is not MISSING or not isinstance(value, list):
        return writing.shaped(draft, rule, value, source) if chosen is MISSING else chosen
    written = [writing.shaped_item(draft, rule, item, (*source, index)) for index, item in enumerate(value)]
    return [interface for interface in written if interface]


# -- servers without interfaces of their own ----------------------------------------------------------------

#: the word for all interfaces, in place of their list
_ALLOCATE: Final = "allocate_network"
#: the operation that gives the plugin the version of the compute API
_CREATE: Final = "cloudify.interfaces.lifecycle.create"
_API: Final = "compute_api_version"
MICROVERSION: Final = "compute_default_microversion"
#: the last version that takes a server without networks: Nova uses the project's only one
_AUTOMATIC: Final = "2.36"
#: the first version that takes the word none, and the first one that takes tags
_NONE, _TAGS = "2.37", "2.52"


def _word(networks: Value) -> str:
    """``auto`` or ``none``, where that is all that is said of the interfaces."""
    item = networks[0] if isinstance(networks, list) and len(networks) == 1 else None
    word = item.get(_ALLOCATE) if isinstance(item, dict) and item.keys() == {_ALLOCATE} else None
    return word if word in ("auto", "none") else ""


def without_networks(writing: Writing, draft: NodeDraft, source: Path) -> None:
    """A server that names no networks."""
    if not writing.generation2 and draft.node.external_id is MISSING:
        _ask_nova(writing, draft, "", (*source, "networks"))


def _ask_nova(writing: Writing, draft: NodeDraft, word: str, source: Path) -> None:
    """Give the plugin the version of the compute API to use. Without one it compares nothing with a number, and
    fails; from 2.37 on it asks for no network, before that for the project's own (compute/server.py,
    _update_nics_config)."""
    tags = draft.node.properties.get("tags")
    version = _AUTOMATIC if word != "none" else _TAGS if tags else _NONE
    config = {_API: "2", MICROVERSION: version}
    draft.interfaces.setdefault(_CREATE, {}).setdefault("inputs", {})["client_config"] = config
    writing.report("BPC703", source, name=draft.node.name, version=version)
    if tags and version == _AUTOMATIC:
        why = f"Nova has tags since version {_TAGS} of the compute API, servers without networks up to {_AUTOMATIC}"
        writing.report("BPC705", draft.node.origin("tags"), name="tags", node=draft.node.name, why=why)


def asks_nova(draft: NodeDraft) -> bool:
    """True where the server says which version of the compute API is meant."""
    inputs = draft.interfaces.get(_CREATE, {}).get("inputs", {})
    return MICROVERSION in inputs.get("client_config", {})


def read_version(reading: Reading, value: Value, place: Path) -> bool:
    """Take the version of the compute API, which is how the plugin says what a server without networks gets. False for
    other settings."""
    if not isinstance(value, dict) or not value.keys() <= {_API, MICROVERSION} or reading.kind.kind != "server":
        return False
    try:
        none = float(value.get(MICROVERSION, 0)) >= float(_NONE) or float(value.get(_API, 0)) >= float(_NONE)
    except (TypeError, ValueError):
        return False
    networks = reading.written.entries.get("resource_config.networks")
    if networks is None or networks.value in (None, []):
        if none:
            reading.written.entries["resource_config.networks"] = Entry("none", place)
        reading.report("BPC709" if none else "BPC707", place, name=reading.node.name)
    return True


def read_networks(reading: Reading, name: str, rule: PropertyRule) -> None:
    """The compute API also takes a word for all interfaces."""
    entry = reading.entry(rule)
    for network_name in reading.written.take("management_network_name"):
        if network_name.value not in (None, ""):
            reading.notes.management[reading.node.name] = network_name
    if entry is None or entry.value == []:
        return
    if entry.value in ("auto", "none"):
        reading.put(name, [{"allocate_network": entry.value}], entry.place)
        return
    value = reading.shaped(name, rule, entry.value, entry.place)
    if value is not MISSING:
        reading.put(name, value, entry.place)
