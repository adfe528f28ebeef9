"""Nodes of the OpenStack plugin 2.x, as templates become them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bpconvert.api import Result, convert
from bpconvert.diagnostics import Reporter
from bpconvert.models import expressions as ex
from bpconvert.models.topology import Node
from bpconvert.translators.catalogue.types import builtin
from bpconvert.translators.cloudify.openstack import generation2
from bpconvert.translators.cloudify.openstack.drafts import NodeDraft
from bpconvert.verification import verify
from bpconvert.yamlio.document import load

HEAD = "heat_template_version: 2018-08-31\n"
UUID = "7d0f4ac2-9f35-4e36-a3c6-3b2a8e5f1c11"


def old_properties(kind: str, properties: str) -> tuple[Any, Result]:
    """The properties of a node for the 2.x plugin."""
    result = convert(f"{HEAD}resources:\n  n: {{type: {kind}, properties: {{{properties}}}}}\n", plugin="v2")
    return result.document["node_templates"]["n"]["properties"], result


def test_interfaces_of_the_old_plugin() -> None:
    one, two = UUID, UUID.replace("11", "22")
    networks = f"[{{network: {one}, fixed_ip: 10.0.0.1}}, {{network: {two}, fixed_ip: 'fe80::1'}}, {{port: {one}}}]"
    groups = f"[{one}, {two}]"
    properties = f"image: i, flavor: f, security_groups: {groups}, networks: {networks}"
    server = old_properties("OS::Nova::Server", properties)[0]["server"]
    assert server["security_groups"] == [one, two]
    assert server["nics"] == [
        {"net-id": one, "v4-fixed-ip": "10.0.0.1"},
        {"net-id": two, "v6-fixed-ip": "fe80::1"},
        {"port-id": one},
    ]


@pytest.mark.parametrize(("gateway", "written"), [("", True), ("external_gateway_info: {network: n}", False)])
def test_a_router_of_the_old_plugin_without_a_gateway(gateway: str, written: bool) -> None:
    router = old_properties("OS::Neutron::Router", gateway)[0]
    assert (router.get("default_to_managers_external_network") is False) is written


def test_rules_of_the_old_plugin_say_what_it_would_fill_in() -> None:
    rules = "{protocol: icmp}, {ethertype: IPv6, port_range_min: 1, port_range_max: 2}"
    group = old_properties("OS::Neutron::SecurityGroup", f"rules: [{rules}]")[0]
    nothing = {"port_range_min": None, "port_range_max": None}
    assert group["rules"][0] == {"protocol": "icmp", "direction": "ingress", "ethertype": "IPv4", **nothing}
    assert group["rules"][1]["protocol"] is None
    assert group["rules"][1]["remote_ip_prefix"] is None


def test_a_rule_for_its_own_group_is_not_opened_to_all() -> None:
    group, result = old_properties("OS::Neutron::SecurityGroup", "rules: [{remote_mode: remote_group_id}]")
    assert "rules" not in group
    assert "BPC302" in {found.code for found in result.diagnostics}


def test_which_types_the_old_plugin_has() -> None:
    kinds = {name: builtin().kind_of("hot", name) for name in builtin().types("hot")}
    lacking = {name for name, kind in kinds.items() if not generation2.has_type(kind)}
    lacking -= {name for name, kind in kinds.items() if kind and kind.cloudify and kind.cloudify.service is not None}
    identity = {"OS::Keystone::Group", "OS::Keystone::Role"}
    names = {f"OS::Designate::{name}" for name in ("Zone", "Domain", "RecordSet", "Record")}
    shares = {"OS::Manila::Share", "OS::Manila::ShareNetwork"}
    assert lacking == {"OS::Neutron::SecurityGroupRule", "OS::Cinder::VolumeType"} | identity | names | shares


PORT = """heat_template_version: 2018-08-31
resources:
  net: {type: OS::Neutron::Net}
  a: {type: OS::Neutron::Subnet, properties: {network: {get_resource: net}, cidr: 10.0.0.0/24}}
  port: {type: OS::Neutron::Port, properties: {network: {get_resource: net}, fixed_ips: ITEMS}}
"""
SECOND = "  b: {type: OS::Neutron::Subnet, properties: {network: {get_resource: net}, cidr: 10.0.1.0/24}}\n"


@pytest.mark.parametrize(("items", "more", "targets"), [
    ("[]", "", ["net", "a"]),
    ("[]", SECOND, ["net", "a_barrier", "b_barrier"]),
    ("[{subnet: {get_resource: a}}]", SECOND, ["net", "a", "b_barrier"]),
    ("[{ip_address: 10.0.0.9}]", "", ["net", "a_barrier"]),
])  # fmt: skip
def test_a_port_gets_no_address_in_a_subnet_that_it_only_waits_for(
    tmp_path: Path, items: str, more: str, targets: list[str]
) -> None:
    """The 2.x plugin gives it one in each subnet that it has a relationship to."""
    source = tmp_path / "hot.yaml"
    source.write_text(PORT.replace("ITEMS", items) + more)
    result = convert(source, "hot", "cloudify", plugin="v2", carry=False)
    relationships = result.document["node_templates"]["port"]["relationships"]
    assert [one["target"] for one in relationships] == targets
    assert verify(source, result.text).is_same


@pytest.mark.parametrize(
    ("own", "written"),
    [({}, ex.Input("more")), ({"name": "n"}, ex.Merge([{"name": "n"}, ex.Input("more")]))],
)
def test_settings_that_an_input_gives_are_merged_into_the_wrapper(own: dict[str, Any], written: Any) -> None:
    kind = builtin().kind("net")
    draft = NodeDraft(Node("n", "OS::Neutron::Net", "net"), "n", "cloudify.openstack.nodes.Network", kind)
    config = {**own, "kwargs": ex.Input("more")}
    made = generation2.properties(Reporter(load("a: 1\n")), draft, {"resource_config": config})
    assert repr(made["network"]) == repr(written)
