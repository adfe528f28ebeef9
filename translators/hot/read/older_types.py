"""Older names in Heat: of properties, and types that are read as a kind with other properties (hidden and unsupported
ones, and those of AWS).

Sources: heat/engine/resources/aws/ec2/security_group.py and heat/engine/resources/openstack/nova/floatingip.py,
glance/image.py, neutron/extraroute.py, neutron/lbaas/, designate/domain.py, designate/record.py, and
heat/engine/resources/openstack/heat/test_resource.py.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.light import replace
from bpconvert.models.topology import Node, Topology
from bpconvert.translators.catalogue.model import Kind
from bpconvert.translators.support.findings import Reports

#: what is read in other words than it is written -> the capability of a language that keeps it as it is
FEATURES: Final = dict.fromkeys(
    ("BPC250", "BPC301", "BPC302", "BPC307", "BPC309", "BPC316", "BPC341", "BPC345", "BPC346", "BPC719", "BPC798"),
    "older_types",
)


def neutral(node: Node, kind: Kind | None, findings: Reports) -> None:
    """Give the properties of ``node`` the neutral names of its kind, if the source or its type has others.

    What stands elsewhere or has another name afterwards, has its place in ``node.origins`` or ``node.aliases``."""
    if not isinstance(node.properties, dict):
        return
    if kind is not None and kind.aliases:
        _rename_all(node, kind.aliases, findings)
    rewrite = OLDER.get(node.source_type)
    if rewrite is not None and node.external_id is MISSING:
        rewrite(node, findings)


def rename_attributes(topology: Topology) -> None:
    """Give the attributes that are read of such types the names that their kinds have for them."""
    nodes = topology.nodes.items()
    renamed = {name: ATTRIBUTES[node.source_type] for name, node in nodes if node.source_type in ATTRIBUTES}

    def current(expr: ex.Expr) -> Value:
        names = renamed.get(expr.node, {}) if isinstance(expr, ex.Attribute) and isinstance(expr.node, str) else {}
        return replace(expr, name=names[expr.name]) if isinstance(expr, ex.Attribute) and expr.name in names else expr

    if renamed:
        topology.rewrite(lambda value: ex.transform(value, current))


def attribute_of(type: str, name: str) -> str:
    """What a type calls an attribute, given as its kind calls it."""
    return next((old for old, new in ATTRIBUTES.get(type, {}).items() if new == name), name)


def _rename_all(node: Node, aliases: dict[str, str], findings: Reports) -> None:
    """Give the properties their canonical names; of two that mean the same, the canonical one holds."""
    renamed: dict[str, Value] = {}
    for key, value in node.properties.items():
        name = aliases.get(key, key)
        if name == key:
            renamed[key] = value
        elif name in node.properties:
            findings.report("BPC315", (*node.path, "properties", key), name=key, other=name)
        else:
            renamed[name] = value
            node.aliases[name] = key
    node.properties = renamed


def _floating_ip(node: Node, findings: Reports) -> None:
    """``pool`` is the name or id of the external network; without it, Heat takes the only one."""
    if node.properties.get("pool") is None:
        findings.report("BPC345", node.path, name=node.name)
    if "pool" in node.properties:
        _rename(node, "pool", "floating_network")


def _extra_route(node: Node, findings: Reports) -> None:
    """One route of a set."""
    route = {key: node.properties.pop(key) for key in ("destination", "nexthop") if key in node.properties}
    if "router_id" in node.properties:
        _rename(node, "router_id", "router")
    node.properties["routes"] = [route]
    node.origins["routes",] = (*node.path, "properties")
    for key in route:
        node.origins["routes", 0, key] = (*node.path, "properties", key)


def _image(node: Node, findings: Reports) -> None:
    """Heat 22 has only a placeholder in place of this type; ``is_public`` became ``visibility``."""
    findings.report("BPC346", node.path, name=node.name)
    public = node.properties.get("is_public")
    text = str(public).lower()
    if public is None or isinstance(public, ex.Expr) or text not in ("true", "false"):
        return
    findings.report("BPC316", (*node.path, "properties", "is_public"), name="is_public", value=public)
    _rename(node, "is_public", "visibility")
    node.properties["visibility"] = "public" if text == "true" else "private"


def _rename(node: Node, old: str, new: str) -> None:
    node.properties = {(new if key == old else key): value for key, value in node.properties.items()}
    node.aliases[new] = old


def _record(node: Node, findings: Reports) -> None:
    """One record; the second API has its priority in its text, and only mail and service records have one."""
    _removed(node, findings, "OS::Designate::RecordSet")
    if "domain" in node.properties:
        _rename(node, "domain", "zone")
    path = (*node.path, "properties")
    priority = node.properties.pop("priority", None)
    kind = node.properties.get("type")
    if priority is not None and isinstance(kind, str) and kind not in ("MX", "SRV"):
        findings.report("BPC341", (*path, "priority"), name="priority", why="only MX and SRV records have a priority")
        priority = None
    elif priority is not None and not isinstance(kind, (str, ex.Input)):
        why = "whether it is part of the record depends on the type"
        findings.report("BPC302", (*path, "priority"), name="priority", type=node.source_type, why=why)
        priority = None
    if "data" in node.properties:
        data = node.properties["data"]
        text = data if priority is None else _after(priority, data, (*path, "data"))
        if priority is not None and isinstance(kind, ex.Input):
            place = (*path, "data")
            has_one = ex.Or(
                tuple(ex.Equals(kind, record_type, path=place) for record_type in ("MX", "SRV")), path=place
            )
            text = ex.If(has_one, text, data, path=place)
        node.properties = {("records" if k == "data" else k): v for k, v in node.properties.items()}
        node.properties["records"] = [text]
        node.origins["records",] = (*path, "data")
        node.origins["records", 0] = (*path, "data")
        node.aliases["records"] = "data"


def _after(priority: Value, data: Value, path: Path) -> Value:
    """The text of a record with its priority."""
    if not isinstance(data, str):
        return ex.Concat((priority, " ", data), path=path)
    return ex.Concat((priority, f" {data}"), path=path) if isinstance(priority, ex.Expr) else f"{priority} {data}"


def _removed(node: Node, findings: Reports, meant: str, release: int = 10) -> None:
    findings.report("BPC719", node.path, name=node.name, type=node.source_type, meant=meant, release=release)


def _load_balancing(node: Node, findings: Reports) -> None:
    """The second API of Neutron's load balancing is Octavia's own: the same resources with the same properties."""
    _removed(node, findings, node.source_type.replace(_LBAAS, "OS::Octavia::"), 21)


#: the types of what Octavia took over from Neutron
_LBAAS: Final = "OS::Neutron::LBaaS::"
_BALANCING: Final = ("LoadBalancer", "Listener", "Pool", "PoolMember", "HealthMonitor", "L7Policy", "L7Rule")


# -- OS::Heat::TestResource ---------------------------------------------------------------------------------

#: type -> attribute -> what its kind calls it
ATTRIBUTES: Final = {"OS::Heat::TestResource": {"output": "value"}}
#: what it does beside holding a value
_ACTING: Final = {
    "fail": "nothing fails by itself", "wait_secs": "nothing waits", "action_wait_secs": "nothing waits",
    "attr_wait_secs": "nothing waits",
}  # fmt: skip


def _test_resource(node: Node, findings: Reports) -> None:
    """It holds a text, which its attribute ``output`` gives."""
    findings.report("BPC798", node.path, name=node.name, type=node.source_type)
    properties = node.properties
    node.properties = {"value": properties.get("value", "test_string"), "type": "string"}
    for key, value in properties.items():
        place, has_effect = (*node.path, "properties", key), key in _ACTING and value not in (0, False, None)
        if has_effect:
            findings.report("BPC302", place, name=key, type=node.source_type, why=_ACTING[key])
        elif key != "value":
            why = "it does nothing when the stack is created"
            findings.report("BPC250", place, name=key, type=node.source_type, why=why)


# -- AWS::EC2::SecurityGroup --------------------------------------------------------------------------------

_RULES = {"SecurityGroupIngress": "ingress", "SecurityGroupEgress": "egress"}
_PORTS = {"FromPort": "port_range_min", "ToPort": "port_range_max"}
#: in this order, which is Heat's: the id goes before the name
_GROUPS = ("SourceSecurityGroupId", "SourceSecurityGroupName")


def _security_group(node: Node, findings: Reports) -> None:
    properties: dict[str, Any] = node.properties
    path = (*node.path, "properties")
    node.properties = {}
    rules: list[Value] = []
    for key, value in properties.items():
        place = (*path, key)
        if key == "GroupDescription":
            node.properties["description"] = value
            node.aliases["description"] = key
        elif key in _RULES and isinstance(value, list):
            for index, item in enumerate(value):
                rule = _rule(node, item, _RULES[key], (*place, index), findings)
                if rule is not None:
                    node.origins["rules", len(rules)] = (*place, index)
                    rules.append(rule)
        elif key in _RULES and value is not None:
            why = "the keys of its items have other names, and it is computed"
            findings.report("BPC302", place, name=key, type=node.source_type, why=why)
        elif key == "VpcId" and value is not None:
            findings.report("BPC341", place, name=key, why="Heat has not implemented it")
        elif value is None:
            findings.report("BPC307", place, name=key)
        else:
            findings.report("BPC301", place, name=key, type=node.source_type)
    if rules:
        node.properties["rules"] = rules
        lists = [key for key in _RULES if properties.get(key)]
        node.origins["rules",] = (*path, lists[0]) if len(lists) == 1 else path


def _rule(node: Node, item: Value, direction: str, place: Path, findings: Reports) -> dict[str, Value] | None:
    """One rule as Heat asks Neutron for it (``_prop_rules_to_common``): IPv4, negative ports are none, and without any
    port in the template there is no address either."""
    if not isinstance(item, dict):
        why = "the keys of a rule have other names, and it is computed"
        findings.report("BPC302", place, name=direction, type=node.source_type, why=why)
        return None
    rule: dict[str, Value] = {"direction": direction, "ethertype": "IPv4"}
    has_port = any(item.get(key) is not None for key in _PORTS)
    group = next((key for key in _GROUPS if item.get(key)), None)
    for key, value in item.items():
        where, why = (*place, key), ""
        if value is None:
            findings.report("BPC307", where, name=key)
        elif key == "IpProtocol":
            rule["protocol"] = value
        elif key in _PORTS:
            number = _port(value)
            if type(number) is not int or number >= 0:
                rule[_PORTS[key]] = number
            else:
                why = "Heat takes a negative port for none"
            if isinstance(value, ex.Expr) and str(item.get("IpProtocol")).lower() not in ("tcp", "udp"):
                findings.report("BPC309", where, note="Heat takes a negative port for none; Neutron refuses it")
        elif key == "CidrIp" and has_port:
            rule["remote_ip_prefix"] = value
        elif key == "CidrIp":
            why = "Heat allows every address where the rule has neither FromPort nor ToPort"
        elif key == group:
            rule["remote_group_id"], rule["remote_mode"] = value, "remote_group_id"
        elif key in _GROUPS:
            why = "SourceSecurityGroupId goes before it" if value else "it is empty"
        elif key == "SourceSecurityGroupOwnerId":
            why = "Heat has not implemented it"
        else:
            findings.report("BPC301", where, name=key, type=node.source_type)
        if why:
            findings.report("BPC341", where, name=key, why=why)
    return rule


def _port(value: Value) -> Value:
    """A literal as the number that Heat makes of it."""
    try:
        return int(value) if isinstance(value, str) else value
    except ValueError:
        return value


OLDER: dict[str, Callable[[Node, Reports], None]] = {
    "AWS::EC2::SecurityGroup": _security_group,
    "OS::Nova::FloatingIP": _floating_ip,
    "OS::Neutron::ExtraRoute": _extra_route,
    "OS::Glance::Image": _image,
    "OS::Designate::Domain": lambda node, findings: _removed(node, findings, "OS::Designate::Zone"),
    "OS::Designate::Record": _record,
    "OS::Heat::TestResource": _test_resource,
    **{f"{_LBAAS}{name}": _load_balancing for name in _BALANCING},
}
