"""Resources that are part of other nodes in Cloudify: they have no stand-in, and are resources of their own again."""

from __future__ import annotations

from typing import Any, Final

import pytest
import yaml
from type_rows import ROW, builtin, minimal, to_cloudify, to_heat

#: kind -> the kinds of the others, and the properties of the resource; texts that name one of the others refer to it
ROWS: Final[dict[str, tuple[dict[str, str], dict[str, Any]]]] = {
    "router_interface": ({"router": "router", "subnet": "subnet"}, {"router": "router", "subnet": "subnet"}),
    "router_gateway": ({"router": "router", "net": "net"}, {"router_id": "router", "network": "net"}),
    "volume_attachment": (
        {"volume": "volume", "server": "server"},
        {"volume_id": "volume", "instance_uuid": "server", "mountpoint": "/dev/vdb"},
    ),
    "floating_ip_association": (
        {"address": "floating_ip", "port": "port"}, {"floatingip_id": "address", "port_id": "port"},
    ),
    "nova_floating_ip_association": (
        {"address": "floating_ip", "server": "server"}, {"floating_ip": "address", "server_id": "server"},
    ),
    "extra_route": (
        {"router": "router"}, {"router": "router", "routes": [{"destination": "10.9.0.0/16", "nexthop": "10.1.0.8"}]},
    ),
    "user_role_assignment": (
        {"user": "user", "project": "project"}, {"user": "user", "roles": [{"role": "member", "project": "project"}]},
    ),
    "group_role_assignment": (
        {"group": "keystone_group", "project": "project"},
        {"group": "group", "roles": [{"role": "member", "project": "project"}]},
    ),
}  # fmt: skip
#: kinds whose resources become scripts and user data; tests/passes/software show them
ELSEWHERE: Final = {"software_config", "software_deployment_group", "multipart_mime"}
#: kind -> where the same is said on the way back: the resource and its properties
BACK: Final[dict[str, tuple[str, dict[str, Any]]]] = {
    "nova_floating_ip_association": (
        "OS::Neutron::FloatingIPAssociation",
        {"port_id": "nic", "floatingip_id": "address"},
    ),
    "router_gateway": ("OS::Neutron::Router", {"external_gateway_info": {"network": "net"}}),
}
#: kind -> what the others have besides
HAVE: Final[dict[str, dict[str, dict[str, Any]]]] = {
    "nova_floating_ip_association": {"server": {"networks": [{"port": {"get_resource": "nic"}}]}},
    "router_gateway": {"net": {"value_specs": {"router:external": True}}},
}
#: kind -> further resources
FURTHER: Final[dict[str, dict[str, str]]] = {"nova_floating_ip_association": {"nic": "port"}}


def merged() -> set[str]:
    found = (builtin().kind(name) for name in builtin().types("hot").values())
    return {kind.kind for kind in found if kind is not None and kind.merge is not None}


def test_every_kind_without_a_node_is_shown() -> None:
    assert merged() - ELSEWHERE == ROWS.keys()


def referring(value: Any, others: dict[str, Any]) -> Any:
    if isinstance(value, dict):
        return {key: referring(item, others) for key, item in value.items()}
    if isinstance(value, list):
        return [referring(item, others) for item in value]
    return {"get_resource": value} if value in others else value


@pytest.mark.parametrize("name", sorted(ROWS))
def test_it_is_part_of_another_node_and_itself_again(name: str) -> None:
    others, given = ROWS[name]
    kind = builtin().kind(name)
    assert kind is not None
    properties = referring(given, others)
    resources: dict[str, Any] = {}
    for label, other in {**FURTHER.get(name, {}), **others}.items():
        end = builtin().kind(other)
        assert end is not None
        own = {**minimal(end), **HAVE.get(name, {}).get(label, {})}
        resources[label] = {"type": end.heat[0], "properties": own}
    resources[ROW] = {"type": kind.heat[0], "properties": properties}
    there = to_cloudify(yaml.safe_dump({"heat_template_version": "2018-08-31", "resources": resources}))
    assert ROW not in there.document["node_templates"]
    assert "bpconvert.nodes" not in there.text
    assert [found.path for found in there.diagnostics if found.code == "BPC303"] == [("resources", ROW)]
    back = to_heat(there.text).document["resources"]
    heat, wanted = BACK.get(name, (kind.heat[0], given))
    found = [one.get("properties", {}) for one in back.values() if one["type"] == heat]
    expected = referring(wanted, {**others, **FURTHER.get(name, {})})
    assert [sorted(map(str, one.values())) for one in found] == [sorted(map(str, expected.values()))]
