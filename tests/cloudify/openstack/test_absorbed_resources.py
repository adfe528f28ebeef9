"""Resources that become part of another node, and the dependencies that Heat adds by itself."""

from __future__ import annotations

import re
from typing import Any

import pytest

from bpconvert.api import Result, convert

HEAD = """
heat_template_version: 2016-10-14
parameters: {given: {type: string}, flag: {type: boolean}}
conditions: {c: {get_param: flag}}
resources:
"""
BASE = """
  net: Neutron::Net|{}
  sub: Neutron::Subnet|{network: $net, cidr: 10.0.0.0/24}
  router: Neutron::Router|{}
  port: Neutron::Port|{network: $net}
  server: Nova::Server|{image: i, flavor: f, networks: [{port: $port}]}
  volume: Cinder::Volume|{size: 1}
  address: Neutron::FloatingIP|{floating_network: public}
"""


def converted(more: str, base: str = BASE) -> Result:
    """``$name`` stands for a reference to resource ``name``, ``@n`` for the server's n-th port, ``NAME|{...}`` for a
    resource of type ``OS::NAME``."""
    text = re.sub(r"([\w:]+)\|(\{.*\})$", r'{type: "OS::\1", properties: \2}', base + more, flags=re.MULTILINE)
    text = re.sub(r"@(\d)", r"{get_attr: [server, addresses, n, \1, port]}", text)
    return convert(HEAD + re.sub(r"\$(\w+)", r"{get_resource: \1}", text))


def targets(result: Result, node: str) -> dict[str, str]:
    """target -> relationship type of a node, without their common prefix."""
    found = result.document["node_templates"][node].get("relationships", ())
    return {r["target"]: r["type"].removeprefix("cloudify.relationships.") for r in found}


def codes(result: Result, name: str) -> set[str]:
    return {d.code for d in result.diagnostics if d.path[:2] == ("resources", name)}


@pytest.mark.parametrize(
    ("resource", "owner", "target", "relationship"),
    [
        ("Neutron::RouterInterface|{router: $router, subnet: $sub}", "sub", "router", "subnet_connected_to_router"),
        ("Neutron::RouterInterface|{router: $router, port: $port}", "port", "router", "port_connected_to_router"),
        (
            "Neutron::RouterInterface|{router: {get_param: given}, subnet: $sub}",
            "sub",
            "external_given",
            "subnet_connected_to_router",
        ),
        (
            "Neutron::RouterInterface|{router: $router, subnet: here}",
            "external_here",
            "router",
            "subnet_connected_to_router",
        ),
        (
            "Cinder::VolumeAttachment|{volume_id: $volume, instance_uuid: $server}",
            "volume",
            "server",
            "volume_attached_to_server",
        ),
        (
            "Neutron::FloatingIPAssociation|{floatingip_id: $address, port_id: $port}",
            "port",
            "address",
            "port_connected_to_floating_ip",
        ),
        (
            "Neutron::FloatingIPAssociation|{floatingip_id: $address, port_id: @0}",
            "port",
            "address",
            "port_connected_to_floating_ip",
        ),
    ],
)
def test_becomes_a_relationship(resource: str, owner: str, target: str, relationship: str) -> None:
    result = converted(f"  extra: {resource}\n")
    assert targets(result, owner)[target] == f"openstack.{relationship}"
    assert "extra" not in result.document["node_templates"]
    assert codes(result, "extra") == {"BPC303"}


@pytest.mark.parametrize(
    ("resource", "reason"),
    [
        ("Neutron::RouterInterface|{router: {get_param: given}, subnet: here}", "neither of its sides is made"),
        ("Neutron::RouterInterface|{router: $router}", "neither a subnet nor a port"),
        ("Neutron::RouterGateway|{router_id: {get_param: given}, network: public}", "not created by this template"),
        (
            "Neutron::FloatingIPAssociation|{floatingip_id: $address, port_id: $port, fixed_ip_address: 10.0.0.3}",
            "fixed address",
        ),
        (
            "Neutron::FloatingIPAssociation|{floatingip_id: $address, port_id: @1}",
            "not the first one",
        ),
        ("Cinder::VolumeAttachment|{volume_id: $volume, instance_uuid: $port}", "refers to no server"),
    ],
)
def test_is_a_stand_in_that_says_why(resource: str, reason: str) -> None:
    result = converted(f"  extra: {resource}\n")
    assert result.document["node_templates"]["extra"]["type"] == "bpconvert.nodes.HeatResource"
    assert [reason in d.message for d in result.diagnostics if d.code == "BPC317"] == [True]
    made = {name for name in result.document["node_templates"] if name.startswith("external_")}
    assert made == {"external_default"}  # the security group of the port


def test_a_condition_is_kept_by_a_side_that_has_it() -> None:
    gate = (
        '  extra: {type: "OS::Neutron::RouterInterface", condition: c, properties: {router: $router, subnet: $sub}}\n'
    )
    assert "BPC317" in codes(converted(gate), "extra")
    conditional = BASE.replace("router: Neutron::Router|{}", 'router: {type: "OS::Neutron::Router", condition: c}')
    result = converted(gate, conditional)
    assert codes(result, "extra") == {"BPC303"}
    assert "capabilities" in result.document["node_templates"]["router"]


def test_an_interface_without_a_port_gets_one() -> None:
    base = BASE.replace("networks: [{port: $port}]", "networks: [{network: $net}]")
    association = "Neutron::FloatingIPAssociation|{floatingip_id: $address, port_id: @0}"
    result = converted(f"  extra: {association}\n", base)
    assert targets(result, "server")["server_port_0"] == "openstack.server_connected_to_port"
    assert targets(result, "server_port_0")["address"] == "openstack.port_connected_to_floating_ip"


def test_nothing_is_connected_to_one_node_twice() -> None:
    interface = "Neutron::RouterInterface|{router: $router, subnet: $sub}"
    result = converted(f"  one: {interface}\n  two: {interface}\n")
    assert "BPC317" in codes(result, "two")


def test_ports_and_servers_wait_for_the_subnets_of_their_networks() -> None:
    result = converted("  direct: Nova::Server|{image: i, flavor: f, networks: [{network: $net}]}\n")
    assert targets(result, "port") == {
        "net": "connected_to",
        "sub": "depends_on",
        "external_default": "openstack.port_connected_to_security_group",
    }
    assert targets(result, "direct")["sub"] == "depends_on"


def test_a_floating_ip_waits_for_what_connects_it() -> None:
    more = """
  gate: Neutron::RouterGateway|{router_id: $router, network: public}
  interface: Neutron::RouterInterface|{router: $router, subnet: $sub}
  own: Neutron::FloatingIP|{floating_network: public, port_id: $port}
"""
    result = converted(more)
    found: dict[str, Any] = targets(result, "own")
    assert found["router"] == "depends_on"
    assert found["sub_barrier"] == "depends_on"
    assert targets(result, "sub_barrier") == {"sub": "depends_on"}


def test_a_value_that_would_close_a_circle_is_named() -> None:
    base = BASE.replace("router: Neutron::Router|{}", "router: Neutron::Router|{name: $sub}")
    result = converted("  extra: Neutron::RouterInterface|{router: $router, subnet: $sub}\n", base)
    assert "BPC407" in codes(result, "router")
    assert targets(result, "sub")["router"] == "openstack.subnet_connected_to_router"


def test_a_volume_that_its_server_uses_is_attached_later() -> None:
    base = BASE.replace("flavor: f,", "flavor: f, metadata: {disk: $volume},")
    attachment = "Cinder::VolumeAttachment|{volume_id: $volume, instance_uuid: $server}"
    result = converted(f"  extra: {attachment}\n", base)
    assert "BPC685" in codes(result, "extra")
    assert targets(result, "volume") == {}
    attached = {"server": "openstack.volume_attached_to_server", "volume": "depends_on"}
    assert targets(result, "external_volume_of_server") == attached

