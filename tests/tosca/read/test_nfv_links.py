"""Virtual links, connection points and storages of network functions."""

from __future__ import annotations

from typing import Any

import pytest

from bpconvert import Diagnostic, Result, convert

HEAD = """\
tosca_definitions_version: tosca_simple_yaml_1_2
node_types:
  openstack.mine.Point:
    derived_from: tosca.nodes.nfv.VduCp
    properties: {fixed_ips: {type: list, required: false}}
topology_template:
  node_templates:
"""


def made(nodes: str, **options: Any) -> Result:
    return convert(HEAD + nodes, "tosca", "hot", carry=False, **options)


def reported(result: Result, code: str) -> list[Diagnostic]:
    return [one for one in result.diagnostics if one.code == code]


def lost(result: Result) -> set[Any]:
    return {one.path[-1] for one in reported(result, "BPC810")}


# -- links ----------------------------------------------------------------------------------------------------


def link(profile: str = "", protocols: str = "[ethernet]") -> Result:
    """What a virtual link with this profile becomes."""
    connectivity = f"connectivity_type: {{layer_protocols: {protocols}}}"
    properties = f"{connectivity}, vl_profile: {{{profile}}}" if profile else connectivity
    return made(f"    vl: {{type: tosca.nodes.nfv.VnfVirtualLink, properties: {{{properties}}}}}\n")


def layers(lower: str = "", upper: str = "") -> str:
    rows = f"l2_protocol_data: {{{lower}}}" if lower else ""
    rows += ", " * bool(lower and upper) + (f"l3_protocol_data: {{{upper}}}" if upper else "")
    return f"virtual_link_protocol_data: [{{{rows}}}]"


@pytest.mark.parametrize(
    ("lower", "type", "properties"),
    [
        ("name: n", "OS::Neutron::Net", {"name": "n"}),
        (
            "name: n, network_type: vlan, physical_network: p, segmentation_id: 7",
            "OS::Neutron::ProviderNet",
            {"name": "n", "network_type": "vlan", "physical_network": "p", "segmentation_id": 7, "shared": False},
        ),
    ],
)
def test_a_link_is_a_network(lower: str, type: str, properties: dict[str, Any]) -> None:
    result = link(layers(lower))
    assert result.document["resources"] == {"vl": {"type": type, "properties": properties}}
    assert not lost(result)


def test_a_network_without_a_type_is_none_of_a_provider() -> None:
    result = link(layers("name: n, physical_network: p"))
    assert result.document["resources"]["vl"] == {"type": "OS::Neutron::Net", "properties": {"name": "n"}}
    assert lost(result) == {"physical_network"}


@pytest.mark.parametrize(
    ("upper", "wanted"),
    [
        ("ip_version: ipv4", {"ip_version": 4}),
        ("ip_version: IPv6", {"ip_version": 6}),
        ("ip_version: 6", {"ip_version": 6}),
        ("gateway_ip: 10.0.0.1, dhcp_enabled: false", {"gateway_ip": "10.0.0.1", "enable_dhcp": False}),
        ("name: s", {"name": "s"}),
        (
            "ip_allocation_pools: [{start_ip_address: 10.0.0.5, end_ip_address: 10.0.0.9},"
            " {start: 10.0.0.20, end: 10.0.0.30}]",
            {
                "allocation_pools": [
                    {"start": "10.0.0.5", "end": "10.0.0.9"},
                    {"start": "10.0.0.20", "end": "10.0.0.30"},
                ]
            },
        ),
    ],
)
def test_a_link_with_addresses_has_a_subnet(upper: str, wanted: dict[str, Any]) -> None:
    result = link(layers("name: n", f"cidr: 10.0.0.0/24, {upper}"))
    found = result.document["resources"]
    assert found["vl"]["properties"] == {"name": "n"}
    assert found["vl_subnet"]["properties"] == {"network": {"get_resource": "vl"}, "cidr": "10.0.0.0/24", **wanted}
    assert not lost(result)


@pytest.mark.parametrize("upper", ["ip_version: ipv4", "name: s, gateway_ip: 10.0.0.1"])
def test_a_link_without_a_range_has_none(upper: str) -> None:
    assert "vl_subnet" not in link(layers("name: n", upper)).document["resources"]


@pytest.mark.parametrize(
    ("protocols", "version", "addresses"),
    [
        ("[ipv4]", 4, "192.168.101.0/24"),
        ("[ethernet, ipv6]", 6, "fd00:0:0:65::/64"),
        ("[ipv6, ipv4]", 6, "fd00:0:0:65::/64"),
    ],
)
def test_a_range_is_asked_for_where_a_protocol_needs_one(protocols: str, version: int, addresses: str) -> None:
    result = link(protocols=protocols)
    assert result.document["resources"]["vl_subnet"]["properties"] == {
        "network": {"get_resource": "vl"}, "cidr": {"get_param": "vl_cidr"}, "ip_version": version,
    }  # fmt: skip
    assert result.document["parameters"]["vl_cidr"]["default"] == addresses
    (found,) = reported(result, "BPC867")
    assert found.path == ("node_templates", "vl", "properties", "connectivity_type", "layer_protocols")


@pytest.mark.parametrize("protocols", ["[ethernet]", "[odu2, [ipv4]]", "ipv4"])
def test_other_protocols_need_no_addresses(protocols: str) -> None:
    assert "vl_subnet" not in link(protocols=protocols).document["resources"]


def test_a_link_with_a_range_asks_for_none() -> None:
    result = link(layers("", "cidr: 10.0.0.0/24"), "[ipv6]")
    assert result.document["resources"]["vl_subnet"]["properties"]["cidr"] == "10.0.0.0/24"
    assert not reported(result, "BPC867")


@pytest.mark.parametrize(
    ("rate", "number", "given"), [(1000, 1, []), (1001, 2, ["1001 bit/s"]), (999, 1, ["999 bit/s"]), (2000, 2, [])]
)
def test_the_rate_of_a_link_is_a_limit(rate: int, number: int, given: list[str]) -> None:
    result = link(f"max_bitrate_requirements: {{leaf: {rate}}}")
    found = result.document["resources"]
    assert found["vl"]["properties"] == {"qos_policy": {"get_resource": "vl_qospolicy"}}
    assert found["vl_qospolicy"]["type"] == "OS::Neutron::QoSPolicy"
    assert found["vl_bandwidth"] == {
        "type": "OS::Neutron::QoSBandwidthLimitRule",
        "properties": {"policy": {"get_resource": "vl_qospolicy"}, "max_kbps": number},
    }
    rounded = reported(result, "BPC817")
    place = ("node_templates", "vl", "properties", "vl_profile", "max_bitrate_requirements", "leaf")
    assert [one.path for one in rounded] == [place] * len(given)
    assert all(f"'leaf' of 'vl': {rate} bit/s is {number} kbit/s" in one.message for one in rounded)
    assert not lost(result)


@pytest.mark.parametrize("rate", ["fast", "1.5"])
def test_a_rate_that_is_no_number_of_bits_is_reported(rate: str) -> None:
    result = link(f"max_bitrate_requirements: {{leaf: {rate}}}")
    assert result.document["resources"].keys() == {"vl"}
    assert lost(result) & {"leaf", "max_bitrate_requirements", "vl_profile"}


# -- connection points ----------------------------------------------------------------------------------------


def point(protocol: str, more: str = "", requirements: str = "", **options: Any) -> Result:
    """What a connection point with this protocol becomes."""
    listed = f", requirements: [{requirements}]" if requirements else ""
    nodes = f"    cp: {{type: openstack.mine.Point, properties: {{protocol: {protocol}{more}}}{listed}}}\n"
    net = "    net: {type: tosca.nodes.network.Network, properties: {network_name: a, cidr: 10.0.0.0/24}}\n"
    return made(nodes + net, **options)


def data(text: str) -> str:
    return f"[{{address_data: [{{address_type: ip_address, l3_address_data: {{{text}}}}}]}}]"


def addresses(result: Result) -> Any:
    return result.document["resources"]["cp"]["properties"].get("fixed_ips")


def test_a_point_has_the_kind_of_interface() -> None:
    result = made("    cp: {type: tosca.nodes.nfv.VduCp, properties: {vnic_type: macvtap}}\n")
    assert result.document["resources"]["cp"]["properties"]["binding:vnic_type"] == "macvtap"


def test_addresses_of_several_protocols_are_those_of_one_port() -> None:
    rows = [
        "{address_data: [{l3_address_data: {fixed_ip_address: 10.0.0.3}},"
        " {l3_address_data: {fixed_ip_address: 10.0.0.4}}]}",
        "{associated_layer_protocol: ipv4}",
        "{address_data: [{l3_address_data: {fixed_ip_address: [10.0.0.5]}}]}",
    ]
    result = point(f"[{', '.join(rows)}]")
    assert addresses(result) == [{"ip_address": f"10.0.0.{number}"} for number in (3, 4, 5)]
    assert not lost(result)


def test_addresses_of_neutron_s_property_stay() -> None:
    found = point(data("fixed_ip_address: 10.0.0.3"), ", fixed_ips: [{ip_address: 10.0.0.9}]")
    assert addresses(found) == [{"ip_address": "10.0.0.9"}]


@pytest.mark.parametrize(
    ("told", "described"),
    [
        ("ip_address_assignment: true, floating_ip_activated: false",
         {"ip_address_assignment", "floating_ip_activated", "address_type"}),
        ("ip_address_assignment: false, floating_ip_activated: true", {"address_type"}),
    ],
)  # fmt: skip
def test_what_else_is_said_of_an_address(told: str, described: set[str]) -> None:
    result = point(data(f"fixed_ip_address: 10.0.0.3, {told}"))
    every = {"ip_address_assignment", "floating_ip_activated", "address_type"}
    assert {one.path[-1] for one in reported(result, "BPC823")} == described
    assert lost(result) == every - described


@pytest.mark.parametrize(
    ("text", "requirements", "number"),
    [
        ("ip_address_assignment: true", "", 1),
        ("ip_address_assignment: true, number_of_ip_address: 2", "", 2),
        ("ip_address_assignment: true, number_of_ip_address: few", "", 1),
        ("ip_address_assignment: true", "{dependency: net}", 1),
        ("ip_address_assignment: true", "{virtual_link: net}", 0),
        ("ip_address_assignment: false", "", 0),
        ("number_of_ip_address: 2", "", 0),
    ],
)
def test_tacker_gives_the_addresses_that_management_assigns(text: str, requirements: str, number: int) -> None:
    result = point(data(text), requirements=requirements, orchestrator="tacker")
    keys = [["nfv", "CP", "cp", "fixed_ips", index, "ip_address"] for index in range(number)]
    assert addresses(result) == ([{"ip_address": {"get_param": key}} for key in keys] or None)
    asked = [one for one in reported(result, "BPC985") if "address of cp" in one.message]
    assert len(asked) == number
    assert not number or not {"ip_address_assignment", "number_of_ip_address"} & lost(result)


@pytest.mark.parametrize(
    ("properties", "wanted"),
    [
        ("type: sriov", {"binding:vnic_type": "direct"}),
        ("type: vnic", {"binding:vnic_type": "normal"}),
        ("anti_spoofing_protection: false", {"port_security_enabled": False}),
        ("ip_address: 10.0.0.3", {"fixed_ips": [{"ip_address": "10.0.0.3"}]}),
    ],
)
def test_a_point_of_tacker_s_older_types_is_a_port(properties: str, wanted: dict[str, Any]) -> None:
    result = made(f"    cp: {{type: tosca.nodes.nfv.CP.Tacker, properties: {{{properties}}}}}\n")
    assert result.document["resources"]["cp"]["properties"] == {"network": {"get_param": "cp_network"}, **wanted}
    assert not lost(result)


def test_another_kind_of_interface_is_reported() -> None:
    result = made("    cp: {type: tosca.nodes.nfv.CP.Tacker, properties: {type: other}}\n")
    assert "binding:vnic_type" not in result.document["resources"]["cp"]["properties"]
    assert lost(result) == {"type"}


# -- storages -------------------------------------------------------------------------------------------------


def storage(type: str, properties: str) -> Result:
    return made(f"    it: {{type: tosca.nodes.nfv.Vdu.Virtual{type}Storage, properties: {{{properties}}}}}\n")


@pytest.mark.parametrize(
    ("properties", "wanted"),
    [
        ("virtual_block_storage_data: {size_of_storage: 3 GiB}", {"size": 3}),
        ("virtual_block_storage_data: {size_of_storage: 3 GiB}, size_of_storage: 4 GiB", {"size": 3}),
        ("size_of_storage: 1 GB", {"size": 1}),
        ("virtual_block_storage_data: {size_of_storage: 3 GiB}, sw_image_data: {name: i}",
         {"size": 3, "image": {"get_param": "it_image"}}),
        ("sw_image_data: {name: i}", {"image": {"get_param": "it_image"}}),
        ("", {"size": {"get_param": "it_size"}}),
    ],
)  # fmt: skip
def test_a_block_storage_is_a_volume(properties: str, wanted: dict[str, Any]) -> None:
    found = storage("Block", properties).document["resources"]["it"]
    assert (found["type"], found["properties"]) == ("OS::Cinder::Volume", wanted)


@pytest.mark.parametrize(
    ("file", "wanted"),
    [
        ("size_of_storage: 3 GiB, file_system_protocol: nfs", {"size": 3, "share_protocol": "NFS"}),
        ("size_of_storage: 3 GiB", {"size": 3, "share_protocol": {"get_param": "it_share_protocol"}}),
        ("file_system_protocol: cifs", {"size": {"get_param": "it_size"}, "share_protocol": "CIFS"}),
    ],
)
def test_a_file_storage_is_a_share(file: str, wanted: dict[str, Any]) -> None:
    result = storage("File", f"virtual_file_storage_data: {{{file}}}")
    found = result.document["resources"]["it"]
    assert (found["type"], found["properties"]) == ("OS::Manila::Share", wanted)
    assert not lost(result)


def test_a_protocol_that_is_no_name_is_reported() -> None:
    result = storage("File", "virtual_file_storage_data: {size_of_storage: 3 GiB, file_system_protocol: [nfs]}")
    assert lost(result) == {"file_system_protocol"}
