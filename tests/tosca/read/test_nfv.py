"""Types of network functions virtualisation, and types of OpenStack of other tools."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from bpconvert.api import Conversion, convert

HEAD = "tosca_definitions_version: tosca_simple_yaml_1_2\ntopology_template:\n  node_templates:\n"


def converted(nodes: str, target: str = "hot") -> tuple[dict[str, Any], Conversion]:
    """The data that a service template with these nodes becomes, and the whole conversion."""
    made = convert(HEAD + nodes, "tosca", target, carry=False)
    return yaml.safe_load(made.text), made


VNF = """
    vdu:
      type: tosca.nodes.nfv.Vdu.Compute
      properties:
        name: one
        vdu_profile: {min_number_of_instances: 1, max_number_of_instances: 1}
        sw_image_data: {name: image of it, version: "1.2", disk_format: qcow2}
        boot_data: "#!/bin/sh"
      artifacts: {sw_image: {type: tosca.artifacts.nfv.SwImage, file: files/a.img}}
      capabilities:
        virtual_compute:
          properties:
            virtual_memory: {virtual_mem_size: 1 GB}
            virtual_cpu: {num_virtual_cpu: 2}
            virtual_local_storage: [{size_of_storage: 10 GiB}]
            compute_requirements: {nova_extra_specs: '{"hw:cpu_policy": "shared"}'}
      requirements: [{virtual_storage: disk}]
    disk:
      type: tosca.nodes.nfv.Vdu.VirtualBlockStorage
      properties: {virtual_block_storage_data: {size_of_storage: 30 GB, rdma_enabled: true}}
    outside:
      type: tosca.nodes.nfv.VduCp
      properties: {order: 1, vnic_type: direct}
      requirements: [{virtual_binding: vdu}]
    inside:
      type: tosca.nodes.nfv.VduCp
      properties: {order: 0}
      requirements: [{virtual_binding: vdu}, {virtual_link: vl}]
    vl:
      type: tosca.nodes.nfv.VnfVirtualLink
      properties:
        connectivity_type: {layer_protocols: [ipv4]}
        vl_profile:
          max_bitrate_requirements: {root: 1, leaf: 1000500}
          virtual_link_protocol_data:
            - l3_protocol_data:
                ip_version: ipv4
                cidr: 10.0.0.0/24
                dhcp_enabled: true
                ip_allocation_pools: [{start_ip_address: 10.0.0.5, end_ip_address: 10.0.0.9}]
"""


def test_a_network_function() -> None:
    data, made = converted(VNF)
    found = {name: row.get("properties", {}) for name, row in data["resources"].items()}
    assert found["vdu_flavor"] == {"vcpus": 2, "ram": 954, "disk": 10, "extra_specs": {"hw:cpu_policy": "shared"}}
    assert data["parameters"]["vdu_image"]["description"] == "image of vdu: image of it 1.2, file files/a.img"
    assert found["vdu"] == {
        "name": "one",
        "flavor": {"get_resource": "vdu_flavor"},
        "image": {"get_param": "vdu_image"},
        "user_data": "#!/bin/sh",
        "user_data_format": "RAW",
        "networks": [{"port": {"get_resource": "inside"}}, {"port": {"get_resource": "outside"}}],
        "block_device_mapping_v2": [{"volume_id": {"get_resource": "disk"}, "boot_index": -1}],
    }
    assert found["disk"] == {"size": 28}
    assert found["outside"] == {"network": {"get_param": "outside_network"}, "binding:vnic_type": "direct"}
    assert found["inside"] == {"network": {"get_resource": "vl"}}
    assert found["vl"] == {"qos_policy": {"get_resource": "vl_qospolicy"}}
    assert found["vl_bandwidth"] == {"policy": {"get_resource": "vl_qospolicy"}, "max_kbps": 1001}
    assert found["vl_subnet"] == {
        "network": {"get_resource": "vl"}, "cidr": "10.0.0.0/24", "ip_version": 4, "enable_dhcp": True,
        "allocation_pools": [{"start": "10.0.0.5", "end": "10.0.0.9"}],
    }  # fmt: skip
    carried = {one.path[-1] for one in made.diagnostics if one.code == "BPC810"}
    assert carried == {"rdma_enabled", "root"}


def test_addresses_that_come_with_the_request_are_asked_for() -> None:
    data, _ = converted(
        "    vl: {type: tosca.nodes.nfv.VnfVirtualLink, properties: {connectivity_type: {layer_protocols: [ipv6]}}}\n"
    )
    assert data["resources"]["vl_subnet"]["properties"]["cidr"] == {"get_param": "vl_cidr"}
    assert data["resources"]["vl_subnet"]["properties"]["ip_version"] == 6


def test_a_machine_that_boots_from_its_volume_needs_no_image() -> None:
    nodes = """
    vdu:
      type: tosca.nodes.nfv.Vdu.Compute
      capabilities:
        virtual_compute:
          properties: {virtual_memory: {virtual_mem_size: 1 GiB}, virtual_cpu: {num_virtual_cpu: 1}}
      requirements: [{virtual_storage: disk}]
    disk:
      type: tosca.nodes.nfv.Vdu.VirtualBlockStorage
      properties: {virtual_block_storage_data: {size_of_storage: 3 GiB}, sw_image_data: {name: a}}
"""
    data, _ = converted(nodes)
    properties = data["resources"]["vdu"]["properties"]
    assert "image" not in properties
    assert properties["block_device_mapping_v2"] == [{"volume_id": {"get_resource": "disk"}, "boot_index": 0}]
    assert data["resources"]["disk"]["properties"] == {"size": 3, "image": {"get_param": "disk_image"}}


def test_older_types_of_tacker() -> None:
    nodes = """
    vdu: {type: tosca.nodes.nfv.VDU.Tacker, properties: {image: i, flavor: f, key_name: k, mgmt_driver: noop}}
    cp:
      type: tosca.nodes.nfv.CP.Tacker
      properties: {type: sriov, anti_spoofing_protection: false, ip_address: 10.0.0.3, management: true}
      requirements: [{virtualLink: vl}, {virtualBinding: vdu}]
    vl: {type: tosca.nodes.nfv.VL, properties: {network_name: there, vendor: a}}
    existing: {type: tosca.nodes.nfv.VL, properties: {network_name: there}}
"""
    data, made = converted(nodes)
    found = {name: row["properties"] for name, row in data["resources"].items()}
    assert found["vdu"] == {
        "image": "i", "flavor": "f", "key_name": "k", "networks": [{"port": {"get_resource": "cp"}}],
    }  # fmt: skip
    assert found["cp"] == {
        "fixed_ips": [{"ip_address": "10.0.0.3"}], "binding:vnic_type": "direct", "port_security_enabled": False,
        "network": "there",
    }  # fmt: skip
    assert {one.path[-1] for one in made.diagnostics if one.code == "BPC823"} >= {"mgmt_driver", "management"}


@pytest.mark.parametrize(
    ("type", "properties", "expected"),
    [
        ("openstack:nova.Server", "{flavor: f, image: i}", {"flavor": "f", "image": "i"}),
        ("org.openecomp.resource.vfc.nodes.heat.nova.Server", "{flavor: f, image: i}", {"flavor": "f", "image": "i"}),
        (
            "yorc.nodes.openstack.Compute",
            '{flavorName: f, imageName: i, key_pair: k, security_groups: "a, b", region: r}',
            {"flavor": "f", "image": "i", "key_name": "k", "security_groups": ["a", "b"]},
        ),
        (
            "openstack.VM",
            "{name: n, flavor: f, image: i, network: w, ssh_user: u}",
            {"name": "n", "flavor": "f", "image": "i", "networks": [{"network": "w"}]},
        ),
    ],
)
def test_servers_of_other_tools(type: str, properties: str, expected: dict[str, Any]) -> None:
    data, made = converted(f"    vm: {{type: '{type}', properties: {properties}}}\n")
    assert data["resources"]["vm"]["type"] == "OS::Nova::Server"
    assert data["resources"]["vm"]["properties"] == expected
    left = {one.path[-1] for one in made.diagnostics if one.code == "BPC810"}
    assert left == {"region", "ssh_user"} & set(yaml.safe_load(properties))


def test_a_server_of_yorc_with_its_network_and_group() -> None:
    nodes = """
    vm:
      type: yorc.nodes.openstack.Compute
      properties: {flavor: f, image: i}
      requirements: [{network: net}, {group: apart}]
    net: {type: yorc.nodes.openstack.Network, properties: {network_name: a, cidr: 10.0.0.0/24}}
    apart: {type: yorc.nodes.openstack.ServerGroup, properties: {name: g, policy: anti-affinity}}
"""
    data, _ = converted(nodes)
    found = {name: row["properties"] for name, row in data["resources"].items()}
    assert found["vm"]["networks"] == [{"network": {"get_resource": "net"}}]
    assert found["vm"]["scheduler_hints"] == {"group": {"get_resource": "apart"}}
    assert found["apart"] == {"name": "g", "policies": ["anti-affinity"]}


def test_what_a_tool_runs_to_make_a_server_does_not_run_on_it() -> None:
    nodes = """
    vm:
      type: openstack.VM
      properties: {flavor: f, image: i}
      interfaces: {Standard: {operations: {create: {implementation: create.yaml}}}}
"""
    data, made = converted(nodes)
    assert set(data["resources"]) == {"vm"}
    assert "BPC810" in [one.code for one in made.diagnostics if "interfaces" in one.path]


# -- storages and addresses ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("type", "properties", "expected"),
    [
        ("Block", "{}", {"size": {"get_param": "it_size"}}),
        ("Block", "{size_of_storage: 2 GiB}", {"size": 2}),
        (
            "Object",
            "{virtual_object_storage_data: {max_size_of_storage: 1 GB}}",
            {"X-Container-Meta": {"Quota-Bytes": "1000000000"}},
        ),
        ("Object", "{max_size_of_storage: 2 GB}", {"X-Container-Meta": {"Quota-Bytes": "2000000000"}}),
        (
            "File",
            "{virtual_file_storage_data: {size_of_storage: 3 GiB, file_system_protocol: nfs}}",
            {"size": 3, "share_protocol": "NFS"},
        ),
    ],
)
def test_storages_have_their_sizes(type: str, properties: str, expected: dict[str, Any]) -> None:
    data, _ = converted(f"    it: {{type: tosca.nodes.nfv.Vdu.Virtual{type}Storage, properties: {properties}}}\n")
    assert data["resources"]["it"].get("properties") == expected


def point(assigned: str, more: str = "", **options: Any) -> tuple[Any, set[Any], Conversion]:
    """The addresses of a connection point, and what is reported as having no counterpart."""
    address = f"{{ip_address_assignment: {assigned}, floating_ip_activated: false{more}}}"
    protocol = f"[{{address_data: [{{address_type: ip_address, l3_address_data: {address}}}]}}]"
    nodes = f"    cp: {{type: tosca.nodes.nfv.VduCp, properties: {{protocol: {protocol}}}}}\n"
    made = convert(HEAD + nodes, "tosca", "hot", carry=False, **options)
    lost = {one.path[-1] for one in made.diagnostics if one.code == "BPC810"}
    return made.document["resources"]["cp"]["properties"].get("fixed_ips"), lost, made


@pytest.mark.parametrize("given", ["10.0.0.3", "[10.0.0.3]", "[10.0.0.3, 10.0.0.4]"])
def test_fixed_addresses_are_those_of_the_port(given: str) -> None:
    """What else is said of them is only a description then."""
    found, lost, made = point("true", f", fixed_ip_address: {given}")
    assert [item["ip_address"] for item in found] == given.strip("[]").split(", ")
    assert lost == set()
    described = {one.path[-1] for one in made.diagnostics if one.code == "BPC823"}
    assert described == {"ip_address_assignment", "address_type", "floating_ip_activated"}


@pytest.mark.parametrize(("more", "number"), [("", 1), (", number_of_ip_address: 2", 2)])
def test_addresses_that_management_assigns_are_those_of_the_request(more: str, number: int) -> None:
    """For Tacker only, in their order."""
    found, _, _ = point("true", more, orchestrator="tacker")
    paths = [item["ip_address"]["get_param"] for item in found]
    assert paths == [["nfv", "CP", "cp", "fixed_ips", index, "ip_address"] for index in range(number)]
    assert point("false", more, orchestrator="tacker")[0] is None
    assert point("true", more)[0] is None
