"""Resources that one language has as nodes of their own and the other as a part of another node, in one form."""

from __future__ import annotations

from typing import Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Value
from bpconvert.translators.comparing.model import COMPONENT, DEPLOYMENT, Deployment, Part
from bpconvert.translators.support.places import items, texts
from bpconvert.translators.support.text import is_uuid
from bpconvert.translators.verify import interfaces, roles_and_routes, specs

#: what a rule of a security group is for: an address, or (True) a group
_REMOTE: Final = {False: "remote_ip_prefix", True: "remote_group_id"}
#: the default rules of a group let everything out
_EGRESS: Final = "egress"
_VERSIONS: Final = ("IPv4", "IPv6")
#: all addresses of IPv4
_ALL: Final = "0.0.0.0/0"
#: the association of a floating IP with a server
_OF_NOVA: Final = "nova_floating_ip_association"
#: the security group that a port has which names none, also one that Nova makes (neutron:
#: ``_ensure_default_security_group_on_port``)
_USUAL_GROUP: Final = "default"
#: how user data is handed over to a server that looks for deployments
_WITH_AGENT: Final = "SOFTWARE_CONFIG"


def unify(deployment: Deployment) -> None:
    """Bring the parts of a deployment into one form."""
    _gateways(deployment)
    for part in deployment.parts.values():
        specs.unfold(part)
        if part.kind in ("server", "port"):
            _groups_once(part)
            if part.properties.get("security_groups") == [_USUAL_GROUP]:
                part.properties = part.without("security_groups")
        if part.kind == "security_group":
            _rules(part)
        elif part.kind == "volume":
            _type_of(deployment, part)
        elif part.kind == "dns_recordset":
            _whole_name(deployment, part)
        elif part.kind == "floating_ip_association":
            _only_address(deployment, part)
        elif part.kind == "server":
            interfaces.complete(deployment, part)
            _no_user_data(deployment, part)


def unify_both(first: Deployment, second: Deployment) -> None:
    """Bring what two deployments have in different forms into one form."""
    for deployment, other in ((first, second), (second, first)):
        servers = [part for part in deployment.parts.values() if part.kind == _OF_NOVA]
        addresses = {str(part.properties.get("floating_ip")) for part in servers}
        for part in other.parts.values() if servers else ():
            if part.kind == "floating_ip_association" and str(part.properties.get("floatingip_id")) in addresses:
                _of_server(other, part)
    interfaces.unify(first, second)
    roles_and_routes.unify(first, second)
    for deployment in (first, second):
        _anywhere(deployment)


def _anywhere(deployment: Deployment) -> None:
    """A port has one address in the only subnet of its network, also where it does not name that."""
    parts = deployment.parts
    subnets: dict[str, list[str]] = {}
    for part in parts.values():
        if part.kind == "subnet":
            subnets.setdefault(str(part.properties.get("network")), []).append(f"{part.name}-id")
    for port in parts.values() if subnets else ():
        network = str(port.properties.get("network"))
        owner = parts.get(network.removesuffix("-id"))
        is_own = owner is not None and not owner.existing and network == f"{owner.name}-id"
        only = [{"subnet": name} for name in subnets.get(network, ())]
        if port.kind == "port" and is_own and len(only) == 1 and port.properties.get("fixed_ips") == only:
            port.properties = port.without("fixed_ips")


def _groups_once(part: Part) -> None:
    """A security group that is named twice is given once."""
    groups = part.properties.get("security_groups")
    if isinstance(groups, list) and all(isinstance(group, str) for group in groups):
        part.properties = {**part.properties, "security_groups": list(dict.fromkeys(groups))}


def _gateways(deployment: Deployment) -> None:
    """A gateway of a router is a property of the router."""
    parts = deployment.parts
    for name, part in list(parts.items()):
        if part.kind == "router_gateway":
            wanted = part.properties.get("router_id", part.properties.get("router"))
            owner = deployment.identified("router", wanted)
            if owner is not None:
                network = part.properties.get("network", part.properties.get("network_id"))
                owner.properties = {**owner.properties, "external_gateway_info": {"network": network}}
                del parts[name]


def _without_default(rules: list[Any]) -> list[Any]:
    """The rules without the default ones, where these are the only egress rules: a group that names no egress rule
    keeps them, and one that names them has the same (heat: neutron/security_group.py, ``handle_create``)."""
    own = [rule for rule in rules if isinstance(rule, dict) and rule.get("direction") == _EGRESS]
    if len(own) != len(_VERSIONS) or not all(
        {"direction": _EGRESS, "ethertype": version} in own for version in _VERSIONS
    ):
        return rules
    return [rule for rule in rules if rule not in own]


def _rules(group: Part) -> None:
    """Of an address and a group Heat takes the one in ``remote_mode``, and for no group the one that has the rule
    (heat: neutron/security_group.py, ``_format_rule``). All addresses are those of a rule without one."""
    rules = group.properties.get("rules")
    if isinstance(rules, list):
        converted = [_rule(rule, f"{group.name}-id") if isinstance(rule, dict) else rule for rule in rules]
        own = _without_default(converted)
        group.properties = {**group.properties, "rules": own} if own else group.without("rules")


def _rule(rule: dict[Any, Value], own: str) -> dict[Any, Value]:
    of_group = rule.get("remote_mode") == "remote_group_id"
    kept = {key: value for key, value in rule.items() if key not in ("remote_mode", _REMOTE[not of_group])}
    if kept.get("ethertype", "IPv4") == "IPv4" and kept.get("remote_ip_prefix") == _ALL:
        del kept["remote_ip_prefix"]
    return {**kept, "remote_group_id": kept.get("remote_group_id") or own} if of_group else kept


def _only_address(deployment: Deployment, association: Part) -> None:
    """The only address of a port is the one that its floating IP is for (neutron: ``fixed_ip_address``)."""
    port = deployment.identified("port", association.properties.get("port_id"))
    chosen = association.properties.get("fixed_ip_address")
    addresses = items(port.properties.get("fixed_ips")) if port is not None else []
    fixed = [address.get("ip_address") for address in addresses if isinstance(address, dict)]
    if chosen is not None and fixed == [chosen]:
        association.properties = association.without("fixed_ip_address")


def _of_server(deployment: Deployment, association: Part) -> None:
    """Of a server's first interface is what Nova associates with the server itself (heat: clients/os/nova.py,
    ``associate_floatingip``). Neutron does so before the server is there as well: in the end it is the same."""
    server = _by_port(deployment, association)
    if server is not None:
        address = association.properties.get("floatingip_id")
        association.kind = _OF_NOVA
        association.properties = {"server_id": f"{server.name}-id", "floating_ip": address}
        deployment.waits[association.name] = deployment.waits.get(association.name, set()) | {server.name}


def _by_port(deployment: Deployment, association: Part) -> Part | None:
    """The server whose first interface has the port of an association."""
    port, port_id = association.node.properties.get("port_id"), association.properties.get("port_id")
    if isinstance(port, ex.Attribute) and isinstance(port.node, str):
        if port.name != "addresses" or port.keys[1:] != (0, "port"):
            return None
        side = deployment.side
        identity = side.identity(side.nodes[port.node]) if port.node in side.nodes else None
        server = deployment.identified("server", identity)
        networks = [item.get("network") for item in _networks(server)] if server is not None else []
        return server if len(networks) == 1 or networks[:1] == [side.value(port.keys[0])] else None
    servers = (part for part in deployment.parts.values() if part.kind == "server")
    return next(
        (server for server in servers if [item.get("port") for item in _networks(server)][:1] == [port_id]), None
    )


def _networks(server: Part) -> list[dict[Any, Value]]:
    return [item for item in items(server.properties.get("networks")) if isinstance(item, dict)]


def _type_of(deployment: Deployment, volume: Part) -> None:
    """A type is given by its id or by its name, which only one type has (cinder: ``volume_type``)."""
    type_given = volume.properties.get("volume_type")
    types_known = [part for part in deployment.parts.values() if part.kind == "volume_type" and not part.existing]
    types = [part for part in types_known if isinstance(type_given, str) and part.properties.get("name") == type_given]
    if len(types) == 1:
        volume.properties = {**volume.properties, "volume_type": f"{types[0].name}-id"}


def _whole_name(deployment: Deployment, record: Part) -> None:
    """The name of a zone is added to a record's name without a dot at its end (designateclient: v2/recordsets.py)."""
    name, zone = record.properties.get("name"), record.properties.get("zone")
    owner = deployment.identified("dns_zone", zone)
    whole = zone if owner is None else owner.properties.get("name")
    if not isinstance(name, str) or not isinstance(whole, str) or is_uuid(whole):
        return
    if name and not name.endswith((".", f".{whole}")):  # a drawn name of a zone may have no dot at its end
        record.properties = {**record.properties, "name": f"{name}.{whole}"}


def _no_user_data(deployment: Deployment, server: Part) -> None:
    """How user data is handed over is not compared where there is none: with HEAT_CFNTOOLS the server then only gets
    what Heat adds by itself, its boot configuration (heat: clients/os/nova.py, ``build_userdata``), with
    SOFTWARE_CONFIG what looks for deployments, which a server has none of that nothing else can deploy to."""
    format = server.properties.get("user_data_format")
    usual = format in ("RAW", "HEAT_CFNTOOLS") or (format == _WITH_AGENT and not _is_deployed_to(deployment, server))
    if usual and not server.properties.get("user_data"):
        server.properties = server.without("user_data_format")


def _is_deployed_to(deployment: Deployment, server: Part) -> bool:
    """True where a script or a nested document gets the server, or whoever sees the outputs."""
    identity = f"{server.name}-id"
    users = (part for part in deployment.parts.values() if part.kind in (DEPLOYMENT, COMPONENT))
    if any(_names(output.value, server.node.name) for output in deployment.side.topology.published):
        return True
    return any(identity in texts(part.properties) for part in users)


def _names(value: Value, node: str) -> bool:
    return any(isinstance(expr, ex.Identity) and expr.node == node for expr in ex.walk(value))
