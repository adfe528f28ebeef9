"""What may reach machines: ports of endpoints and rules of network functions, as security groups.

An endpoint only describes where a machine can be reached (Simple Profile 1.3, 5.5.7); INDIGO's orchestrator opens the
ports of those of its own type of machines. OpenStack lets in what one of the groups of a port lets in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Path, Value
from bpconvert.models.topology import Node
from bpconvert.translators.support.places import items
from bpconvert.translators.tosca.read.making import Given, NodeBuilder
from bpconvert.translators.tosca.read.raw import RawNode

GROUP: Final = "OS::Neutron::SecurityGroup"
#: machines whose orchestrator opens the ports of their endpoints
_OPENING: Final = "tosca.nodes.indigo.Compute"
#: the group that ports have by default (neutron: ``DEFAULT_SECURITY_GROUP``)
_DEFAULT: Final = "default"
_GROUPS: Final = "security_groups"
_ALL: Final = (0, 65535)
#: protocols whose rules can have ports (neutron: ``_validate_port_range``); those of ICMP are types and codes
_WITH_PORTS: Final = ("tcp", "udp", "sctp", "dccp", "udplite")
_ICMP: Final = ("icmp", "icmpv6", "ipv6-icmp")


# -- endpoints ------------------------------------------------------------------------------------------------


def open_ports(making: NodeBuilder) -> None:
    """Let in what the endpoints of machines name, where their orchestrator does."""
    for raw in making.raw.values():
        node = making.nodes.get(raw.name)
        listed = making.capability(raw, "endpoint").get("ports")
        if node is None or node.kind != "server" or not raw.is_a(_OPENING) or listed is None:
            continue
        rows = listed.value if isinstance(listed.value, dict) else {}
        rules_by_name = [(_rule(making, raw, Given(row, (*listed.place, name))), name) for name, row in rows.items()]
        rules = [rule for rule, _ in rules_by_name if rule is not None]
        if not rules:
            continue
        making.taken.update((*listed.place, name) for rule, name in rules_by_name if rule is not None)
        group = making.resource(raw, GROUP, {"rules": Given(rules, listed.place)}, f"{raw.name}_ports")
        for guarded in _guarded(making, node):
            _guard(making, guarded, group, listed.place)
        making.report("BPC892", listed.place, node=raw.name)


def _rule(making: NodeBuilder, raw: RawNode, entry: Given) -> dict[str, Value] | None:
    """The rule for a port of an endpoint (5.3.8, ``PortSpec``); None for one that cannot be, which is reported."""
    row: Mapping[str, Any] = entry.value if isinstance(entry.value, dict) else {}
    protocol = row.get("protocol", "tcp")
    ends = [_ends(row, name) for name in ("source", "target")]
    least, most = ends[0] or ends[1] or (None, None)
    if least is None or isinstance(protocol, ex.Expr):
        computed = any(isinstance(value, ex.Expr) for value in row.values())
        making.carried(
            entry.place, entry.place[-1], raw.name, "its ports are computed" if computed else "it names no port"
        )
        return None
    if None not in ends and ends[0] != ends[1]:
        making.carried((*entry.place, "target"), "target", raw.name, "OpenStack does not exchange ports")
    rule = {"protocol": protocol, **ports(protocol, least, most)}
    if "remote_cidr" in row:
        rule["remote_ip_prefix"] = row["remote_cidr"]
    return rule


def _ends(row: Mapping[str, Any], name: str) -> tuple[Value, Value] | None:
    """The least and the greatest port by this name; None where there are none."""
    if row.get(name) is not None:
        return row[name], row[name]
    numbers = items(row.get(f"{name}_range"))
    return (numbers[0], numbers[1]) if len(numbers) == 2 else None


def _guarded(making: NodeBuilder, server: Node) -> list[Node]:
    """The ports that a server is given; the server, where it has others, or none."""
    networks = items(server.properties.get("networks"))
    port_values = [item.get("port") if isinstance(item, dict) else None for item in networks]
    port_nodes = [making.nodes.get(str(value.node)) for value in port_values if isinstance(value, ex.Identity)]
    ports = [node for node in port_nodes if node is not None and node.kind == "port"]
    return ports if ports and len(ports) == len(networks) else [server, *ports]


def _guard(making: NodeBuilder, node: Node, group: Node, place: Path) -> None:
    """Let ``node`` have the group beside those that it has."""
    groups = node.properties.get(_GROUPS, [_DEFAULT])
    if not isinstance(groups, list):
        making.carried(place, "ports", node.name, "its security groups are computed")
        return
    node.origins.setdefault((_GROUPS,), place)
    node.origins[_GROUPS, len(groups)] = place
    node.properties[_GROUPS] = [*groups, ex.Identity(group.name, path=place)]


# -- rules ----------------------------------------------------------------------------------------------------


def ports(protocol: Value, least: Value, most: Value) -> dict[str, Value]:
    """The ports of a rule, {} for all: 0 is no port (neutron: ``SecurityGroupInvalidPortValue``)."""
    if (least, most) == _ALL or (isinstance(protocol, str) and protocol not in (*_WITH_PORTS, *_ICMP)):
        return {}
    if least == _ALL[0] and protocol in _WITH_PORTS and most != _ALL[0]:
        least = 1
    return {"port_range_min": least, "port_range_max": most}


def policy_rule(properties: Mapping[str, Value]) -> dict[str, Value] | None:
    """The rule that a policy of network functions is (ETSI GS NFV-SOL 001, 6.10.13); None for one whose version of
    addresses is computed."""
    version = properties.get("ether_type", "ipv4")
    if not isinstance(version, str):
        return None
    protocol = properties.get("protocol", "tcp")
    least, most = (properties.get(f"port_range_{end}", usual) for end, usual in zip(("min", "max"), _ALL, strict=True))
    rule: dict[str, Value] = {
        "direction": properties.get("direction", "ingress"),
        "ethertype": "IPv6" if version.lower() == "ipv6" else "IPv4",
        "protocol": protocol,
        **ports(protocol, least, most),
    }
    return {**rule, "description": properties["description"]} if "description" in properties else rule


def add_group(node: Node, group: Node, place: Path) -> None:
    """Let a port have a group of rules; they decide what reaches it."""
    groups = items(node.properties.get(_GROUPS))
    node.properties[_GROUPS] = [*groups, ex.Identity(group.name, path=place)]
    node.origins[_GROUPS, len(groups)] = place
