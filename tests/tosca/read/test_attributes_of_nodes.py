"""Attributes of machines, of their ports and networks, and of what is behind others: where each value comes from."""

from __future__ import annotations

from typing import Any

import pytest

from bpconvert import Diagnostic, Result, convert

HEAD = """\
tosca_definitions_version: tosca_simple_yaml_1_3
node_types:
  openstack.nova.Server: {derived_from: tosca.nodes.Compute, metadata: {heat_name: "OS::Nova::Server"}}
  openstack.neutron.Port: {derived_from: tosca.nodes.Root, metadata: {heat_name: "OS::Neutron::Port"}}
  openstack.neutron.FloatingIP: {derived_from: tosca.nodes.Root, metadata: {heat_name: "OS::Neutron::FloatingIP"}}
  mine.Trunk: {derived_from: tosca.nodes.Root, metadata: {heat_name: "OS::Neutron::Trunk"}}
  own.App:
    derived_from: tosca.nodes.SoftwareComponent
    properties: {size: {type: integer, default: 7}}
    attributes: {colour: {type: string, default: red}, deep: {type: map}, none: {type: string}}
    capabilities: {door: {type: tosca.capabilities.Endpoint}}
topology_template:
  inputs: {text: {type: string, default: a}, m: {type: map, default: {a: b}}}
  node_templates:
"""
NET = """\
    net: {type: tosca.nodes.network.Network, properties: {network_name: called, cidr: 10.0.0.0/24}}
    nameless: {type: tosca.nodes.network.Network, properties: {cidr: 10.0.1.0/24}}
    typed:
      type: tosca.nodes.network.Network
      properties: {network_name: v, network_type: vlan, physical_network: p, segmentation_id: 7, cidr: 10.0.2.0/24}
    there: {type: tosca.nodes.network.Network, properties: {network_name: outside}}
    stored: {type: tosca.nodes.Storage.BlockStorage, properties: {volume_id: abc, size: 1 GB, snapshot_id: s}}
"""
VM = "    vm: {type: openstack.nova.Server, properties: {flavor: f, image: i%s}}\n"
NIC = "    nic: {type: tosca.nodes.network.Port, requirements: [{link: net}, {binding: vm}]}\n"


def made(nodes: str, path: str) -> Result:
    outputs = f"  outputs: {{shown: {{value: {{get_attribute: [{path}]}}}}}}\n"
    return convert(HEAD + nodes + outputs, "tosca", "hot", carry=False)


def value(nodes: str, path: str) -> Any:
    return made(nodes, path).document["outputs"]["shown"]["value"]


def reported(result: Result, code: str) -> list[Diagnostic]:
    return [one for one in result.diagnostics if one.code == code and one.path[:2] == ("outputs", "shown")]


def of(node: str, *steps: Any) -> dict[str, Any]:
    return {"get_attr": [node, *steps]}


# -- what exists, and what identifies -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "wanted"),
    [
        ("there, network_id", "outside"),
        ("there, network_name", "outside"),
        ("stored, volume_id", "abc"),
        ("stored, snapshot_id", "s"),
        ("stored, tosca_name", "stored"),
        ("net, network_id", {"get_resource": "net"}),
        ("typed, network_id", {"get_resource": "typed"}),
        ("typed, network_name", "v"),
        ("nameless, network_name", of("nameless", "show", "name")),
        ("net, tosca_name", "net"),
    ],
)
def test_what_identifies_a_node(path: str, wanted: Any) -> None:
    result = made(NET, path)
    assert result.document["outputs"]["shown"]["value"] == wanted
    assert not reported(result, "BPC818") + reported(result, "BPC819")


@pytest.mark.parametrize("name", ["net", "typed"])
def test_the_segment_of_a_network_is_its_first(name: str) -> None:
    result = made(NET, f"{name}, segmentation_id")
    assert result.document["outputs"]["shown"]["value"] == of(name, "segments", 0, "segmentation_id")
    (found,) = reported(result, "BPC818")
    assert found.message.endswith(": it is that of the first segment")


# -- addresses of machines ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("networks", "more", "wanted", "code"),
    [
        ("", NIC, of("nic", "fixed_ips", 0, "ip_address"), None),
        (", networks: [{network: outside}]", "", of("vm", "networks", "outside", 0), None),
        (", networks: [{network: {get_input: text}}]", "", of("vm", "networks", {"get_param": "text"}, 0), None),
        (", networks: [{network: {get_attribute: [net, tosca_id]}}]", "", of("vm", "networks", "called", 0), None),
        (", networks: [{network: outside}]", NIC, of("vm", "networks", "outside", 0), None),
        (", networks: [{network: {get_attribute: [nameless, tosca_id]}}]", "", of("vm", "first_address"), "BPC818"),
        (", networks: [{network: {concat: [a, {get_input: text}]}}]", "", of("vm", "first_address"), "BPC818"),
        (", networks: [{fixed_ip: 10.0.0.5}]", "", of("vm", "first_address"), "BPC818"),
        (", networks: {get_input: text}", "", of("vm", "first_address"), "BPC818"),
        ("", "", of("vm", "first_address"), "BPC866"),
    ],
)
def test_the_private_address_is_on_the_first_network(networks: str, more: str, wanted: Any, code: str | None) -> None:
    result = made(NET + VM % networks + more, "vm, private_address")
    assert result.document["outputs"]["shown"]["value"] == wanted
    for other in ("BPC818", "BPC866"):
        assert len(reported(result, other)) == (code == other)
    assert all(one.message.endswith(": its network is not known") for one in reported(result, "BPC818"))


ADDRESSES = """\
    ip: {type: tosca.nodes.network.FloatingIP, properties: {floating_network: x}, requirements: [{link: nic}]}
    later: {type: tosca.nodes.network.FloatingIP, properties: {floating_network: x, port_id: nic}}
"""


def test_the_public_address_is_the_first_floating_ip() -> None:
    assert value(NET + VM % "" + NIC + ADDRESSES, "vm, public_address") == of("ip", "floating_ip_address")


@pytest.mark.parametrize(
    ("type", "properties", "wanted"),
    [
        ("OS::Neutron::FloatingIPAssociation", "{port_id: {get_attribute: [nic, tosca_id]},"
         " floatingip_id: {get_attribute: [ip, tosca_id]}}", of("ip", "floating_ip_address")),
        ("OS::Nova::FloatingIPAssociation", "{server_id: {get_attribute: [vm, tosca_id]},"
         " floating_ip: {get_attribute: [ip, tosca_id]}}", of("ip", "floating_ip_address")),
    ],
)  # fmt: skip
def test_an_association_gives_its_floating_ip(type: str, properties: str, wanted: Any) -> None:
    head = (
        f"  mine.Association: {{derived_from: tosca.nodes.Root, metadata: {{heat_name: '{type}'}}}}\ntopology_template:"
    )
    nodes = NET + VM % "" + NIC + "    ip: {type: openstack.neutron.FloatingIP, properties: {floating_network: x}}\n"
    nodes += f"    both: {{type: mine.Association, properties: {properties}}}\n"
    outputs = "  outputs: {shown: {value: {get_attribute: [vm, public_address]}}}\n"
    text = HEAD.replace("topology_template:", head) + nodes + outputs
    found = convert(text, "tosca", "hot", carry=False).document["outputs"]["shown"]["value"]
    assert found == wanted


def test_a_machine_without_a_floating_ip_has_its_first_address() -> None:
    result = made(NET + VM % "" + NIC, "vm, public_address")
    assert result.document["outputs"]["shown"]["value"] == of("vm", "first_address")
    (found,) = reported(result, "BPC818")
    assert found.message.endswith(": it has no floating IP")


BARE = "    vm: {type: tosca.nodes.Compute, attributes: {%s_address: 192.0.2.1}}\n"


@pytest.mark.parametrize("name", ["private", "public"])
@pytest.mark.parametrize("asked", ["private", "public"])
def test_a_machine_that_exists_has_the_address_that_is_given(name: str, asked: str) -> None:
    result = made(BARE % name, f"vm, {asked}_address")
    assert result.document["outputs"]["shown"]["value"] == "192.0.2.1"
    found = reported(result, "BPC818")
    assert len(found) == (name != asked)
    assert all(one.message.endswith(": the template gives another address of it") for one in found)


# -- networks and ports of machines ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "wanted"),
    [
        ("networks, called, addresses", of("vm", "networks", "called")),
        ("networks, called, addresses, 1", of("vm", "networks", "called", 1)),
        ("networks, called, network_name", "called"),
        ("networks, called, network_id", of("vm", "addresses", "called", 0, "network")),
        ("networks, called, 0", of("vm", "networks", "called", 0)),
        ("networks, called", of("vm", "networks", "called")),
        ("networks", of("vm", "networks")),
        ("ports, nic", {"get_resource": "nic"}),
        ("ports, nic, port_id", {"get_resource": "nic"}),
        ("ports, nic, addresses", of("nic", "fixed_ips", 0, "ip_address")),
        ("ports, nic, addresses, 2", of("nic", "fixed_ips", 2, "ip_address")),
        ("ports, nic, mac_address", of("nic", "mac_address")),
    ],
)
def test_what_a_machine_has_on_its_networks(path: str, wanted: Any) -> None:
    result = made(NET + VM % "" + NIC, f"vm, {path}")
    assert result.document["outputs"]["shown"]["value"] == wanted
    assert not reported(result, "BPC818")


def test_a_network_of_a_machine_of_the_standard_is_nearly_the_same() -> None:
    vm = VM.replace("openstack.nova.Server, properties: {flavor: f, image: i%s}", "tosca.nodes.Compute")
    assert len(reported(made(NET + vm + NIC, "vm, networks, called"), "BPC818")) == 1
    assert not reported(made(NET + vm + NIC, "vm, networks, called, addresses"), "BPC818")


def test_a_port_has_its_first_address() -> None:
    assert value(NET + VM % "" + NIC, "nic, ip_address") == of("nic", "fixed_ips", 0, "ip_address")


# -- software, and what is hosted -----------------------------------------------------------------------------

APP = "    app: {type: own.App, requirements: [%s]%s}\n"


@pytest.mark.parametrize(
    ("more", "path", "wanted"),
    [
        ("", "colour", "red"),
        (", attributes: {colour: blue}", "colour", "blue"),
        ("", "size", 7),
        (", properties: {size: 8}", "size", 8),
        (", attributes: {deep: {a: [1, 2]}}", "deep, a, 1", 2),
        (", attributes: {deep: {get_input: m}}", "deep, a", {"get_param": ["m", "a"]}),
        (", attributes: {deep: {a: {get_attribute: [vm, private_address]}}}", "deep, a",
         of("nic", "fixed_ips", 0, "ip_address")),
        ("", "private_address", of("nic", "fixed_ips", 0, "ip_address")),
        ("", "host, tosca_id", {"get_resource": "vm"}),
        ("", "host, name", of("vm", "name")),
        ("", "host, ip_address", of("nic", "fixed_ips", 0, "ip_address")),
        ("", "door, ip_address", of("nic", "fixed_ips", 0, "ip_address")),
        ("", "wire, ip_address", of("nic", "fixed_ips", 0, "ip_address")),
        (", capabilities: {door: {properties: {port: 80}}}", "door, port", 80),
    ],
)  # fmt: skip
def test_software_has_what_it_gives_and_what_its_machine_has(more: str, path: str, wanted: Any) -> None:
    result = made(NET + VM % "" + NIC + APP % ("{host: vm}, {wire: nic}", more), f"app, {path}")
    assert result.document["outputs"]["shown"]["value"] == wanted
    assert not reported(result, "BPC819") + reported(result, "BPC232")


@pytest.mark.parametrize(
    ("attributes", "path", "why"),
    [
        ("colour: {get_attribute: [SELF, colour]}", "app, colour", "'colour' of 'app' refers to itself"),
        ("colour: {get_attribute: [SELF, deep]}, deep: {get_attribute: [SELF, colour]}", "app, colour",
         "'colour' of 'app' refers to itself"),
    ],
)  # fmt: skip
def test_attributes_in_a_circle_are_null(attributes: str, path: str, why: str) -> None:
    result = made(VM % "" + APP % ("{host: vm}", f", attributes: {{{attributes}}}"), path)
    assert result.document["outputs"]["shown"]["value"] is None
    assert why in {one.message for one in result.diagnostics if one.code == "BPC819"}


@pytest.mark.parametrize("number", [50, 51])
def test_attributes_stand_for_one_another_up_to_a_depth(number: int) -> None:
    nodes = "    a0: {type: own.App, attributes: {colour: green}}\n" + "".join(
        f"    a{index}: {{type: own.App, attributes: {{colour: {{get_attribute: [a{index - 1}, colour]}}}}}}\n"
        for index in range(1, number)
    )
    result = made(nodes, f"a{number - 1}, colour")
    assert result.document["outputs"]["shown"]["value"] == ("green" if number == 50 else None)
    found = [one.message for one in result.diagnostics if one.code == "BPC819" and "50" in one.message]
    assert bool(found) is (number == 51)


def test_the_state_of_a_node_is_not_known() -> None:
    result = made(VM % "" + APP % ("{host: vm}", ""), "app, state")
    assert result.document["outputs"]["shown"]["value"] is None
    assert len(reported(result, "BPC822")) == 1


@pytest.mark.parametrize("path", ["it, trunk_details", "it, sub_ports"])
def test_a_resource_has_the_attributes_that_heat_has(path: str) -> None:
    trunk = "    it: {type: mine.Trunk, properties: {port: x, sub_ports: []}}\n"
    assert value(trunk, path) == of(*path.split(", ")) or value(trunk, path) == []
