"""Which subnet a network has, which networks and servers ports are on, and what is asked for."""

from __future__ import annotations

from typing import Any

import pytest

from bpconvert import Diagnostic, Result, convert

HEAD = """\
tosca_definitions_version: tosca_simple_yaml_1_3
node_types:
  openstack.mine.Network:
    derived_from: tosca.nodes.network.Network
    properties:
      shared: {type: boolean, required: false}
      tags: {type: list, required: false}
      tenant_id: {type: string, required: false}
      dns_nameservers: {type: list, required: false}
      description: {type: string, required: false}
      name: {type: string, required: false}
      value_specs: {type: map, required: false}
  openstack.mine.Port:
    derived_from: tosca.nodes.network.Port
    properties: {fixed_ips: {type: list, required: false}}
  openstack.neutron.Port: {derived_from: tosca.nodes.Root, metadata: {heat_name: "OS::Neutron::Port"}}
  openstack.neutron.FloatingIP: {derived_from: tosca.nodes.Root, metadata: {heat_name: "OS::Neutron::FloatingIP"}}
  openstack.nova.Server: {derived_from: tosca.nodes.Compute, metadata: {heat_name: "OS::Nova::Server"}}
topology_template:
"""
INPUTS = "  inputs: {n: {type: integer, default: 2}, text: {type: string, default: a}%s}\n"
NETWORK = "    net: {type: openstack.mine.Network, properties: {%s}}\n"
SERVER = "    vm: {type: openstack.nova.Server, properties: {flavor: f, image: i}}\n"
PORT = "    nic: {type: tosca.nodes.network.Port, requirements: [%s]}\n"
BOTH = "{link: net}, {binding: vm}"


def made(nodes: str, inputs: str = "") -> Result:
    return convert(f"{HEAD}{INPUTS % inputs}  node_templates:\n{nodes}", "tosca", "hot", carry=False)


def reported(result: Result, code: str) -> list[Diagnostic]:
    return [one for one in result.diagnostics if one.code == code]


def resources(nodes: str) -> dict[str, Any]:
    return dict(made(nodes).document["resources"])


def subnet(properties: str) -> dict[str, Any]:
    return dict(resources(NETWORK % properties)["net_subnet"]["properties"])


# -- networks -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("more", ["", ", description: what it is for"])
def test_a_network_with_a_name_alone_exists(more: str) -> None:
    result = made(NETWORK % f"network_name: there{more}" + PORT % "{link: net}")
    assert result.document["resources"] == {"nic": {"type": "OS::Neutron::Port", "properties": {"network": "there"}}}
    (found,) = reported(result, "BPC815")
    assert found.path == ("node_templates", "net", "properties", "network_name")


def test_an_id_goes_before_a_name() -> None:
    result = made(NETWORK % "network_name: a, network_id: b" + PORT % "{link: net}")
    assert result.document["resources"]["nic"]["properties"] == {"network": "b"}
    assert reported(result, "BPC815")[0].path[-1] == "network_id"
    assert not reported(result, "BPC810")


@pytest.mark.parametrize(
    ("properties", "wanted"),
    [
        ("network_type: vlan", {"network_type": "vlan"}),
        ("physical_network: p", {"physical_network": "p"}),
        ("segmentation_id: '12'", {"segmentation_id": 12}),
        ("segmentation_id: x2", {"segmentation_id": "x2"}),
        ("segmentation_id: {get_input: text}", {"segmentation_id": {"get_param": "text"}}),
    ],
)
def test_a_network_of_a_provider_is_not_shared(properties: str, wanted: dict[str, Any]) -> None:
    result = made(NETWORK % f"network_name: a, tags: [b], {properties}")
    found = result.document["resources"]["net"]
    assert found["type"] == "OS::Neutron::ProviderNet"
    network_type = {"get_param": "net_network_type"}  # which the resource needs
    assert found["properties"] == {"name": "a", "tags": ["b"], "network_type": network_type, **wanted, "shared": False}
    assert [one.path for one in reported(result, "BPC828")] == [("node_templates", "net")]
    assert "'net'" in reported(result, "BPC828")[0].message
    assert not reported(result, "BPC810")


def test_a_network_of_a_provider_may_be_shared() -> None:
    result = made(NETWORK % "network_name: a, network_type: vlan, shared: true")
    assert result.document["resources"]["net"]["properties"]["shared"] is True
    assert not reported(result, "BPC828")


# -- subnets --------------------------------------------------------------------------------------------------


def test_what_networks_and_subnets_have_is_the_network_s() -> None:
    both = "name: a, tags: [b], tenant_id: c, value_specs: {d: e}"
    found = resources(NETWORK % f"cidr: 10.0.0.0/24, dns_nameservers: [192.0.2.1], {both}")
    assert found["net"]["properties"] == {"name": "a", "tags": ["b"], "tenant_id": "c", "value_specs": {"d": "e"}}
    assert found["net_subnet"]["properties"] == {
        "network": {"get_resource": "net"}, "cidr": "10.0.0.0/24", "dns_nameservers": ["192.0.2.1"],
    }  # fmt: skip


def test_properties_have_the_usual_order() -> None:
    ends = "end_ip: 10.0.0.9, start_ip: 10.0.0.2"
    found = subnet(f"{ends}, dhcp_enabled: true, gateway_ip: 10.0.0.1, cidr: 10.0.0.0/24, ip_version: 4")
    assert list(found) == ["network", "ip_version", "cidr", "gateway_ip", "enable_dhcp", "allocation_pools"]
    ports = (
        "    nic: {type: tosca.nodes.network.Port, properties: {ip_address: 10.0.0.5}, requirements: [{link: net}]}\n"
    )
    port = resources(NETWORK % "cidr: 10.0.0.0/24" + ports)["nic"]
    assert list(port["properties"]) == ["network", "fixed_ips"]


@pytest.mark.parametrize(
    ("properties", "start", "end"),
    [
        ("cidr: 10.0.0.0/24, start_ip: 10.0.0.5", "10.0.0.5", "10.0.0.254"),
        ("cidr: 10.0.0.0/24, end_ip: 10.0.0.5", "10.0.0.2", "10.0.0.5"),
        ("cidr: 10.0.0.77/24, end_ip: 10.0.0.5", "10.0.0.2", "10.0.0.5"),
        ("cidr: 10.0.0.0/29, end_ip: 10.0.0.5", "10.0.0.2", "10.0.0.5"),
        ("cidr: 10.0.0.0/24, gateway_ip: 10.0.0.254, end_ip: 10.0.0.5", "10.0.0.1", "10.0.0.5"),
        ("cidr: 10.0.0.0/24, gateway_ip: 10.0.0.254, start_ip: 10.0.0.5", "10.0.0.5", "10.0.0.253"),
        ("cidr: 10.0.0.0/24, gateway_ip: 10.0.0.7, start_ip: 10.0.0.5", "10.0.0.5", "10.0.0.254"),
    ],
)
def test_the_other_end_of_a_range_is_the_last_usable_address(properties: str, start: str, end: str) -> None:
    result = made(NETWORK % properties)
    pools = result.document["resources"]["net_subnet"]["properties"]["allocation_pools"]
    assert pools == [{"start": start, "end": end}]
    (found,) = reported(result, "BPC820")
    assert found.path == ("node_templates", "net", "properties", "start_ip" if "start_ip" in properties else "end_ip")
    name = found.path[-1]
    assert found.message == f"'{name}' of 'net' is one end of a range: addresses from {start} to {end} are given away"
    assert not reported(result, "BPC810")


@pytest.mark.parametrize(
    "properties",
    ["cidr: {get_input: text}", "cidr: 10.0.0.0/30", "cidr: 10.0.0.0/24, gateway_ip: {get_input: text}"],
)
def test_a_range_whose_other_end_is_not_known_is_reported(properties: str) -> None:
    result = made(NETWORK % f"{properties}, start_ip: 10.0.0.2")
    assert "allocation_pools" not in result.document["resources"]["net_subnet"]["properties"]
    assert [one.path[-1] for one in reported(result, "BPC810")] == ["start_ip"]
    assert not reported(result, "BPC820")


def test_a_range_with_both_ends_is_that() -> None:
    result = made(NETWORK % "cidr: {get_input: text}, start_ip: 10.0.0.2, end_ip: 10.0.0.9")
    pools = result.document["resources"]["net_subnet"]["properties"]["allocation_pools"]
    assert pools == [{"start": "10.0.0.2", "end": "10.0.0.9"}]
    assert not reported(result, "BPC820") + reported(result, "BPC810")


# -- networks for which any addresses will do -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("properties", "version", "addresses"),
    [
        ("network_name: a, network_type: vlan", "IPv4", "192.168.101.0/24"),
        ("network_name: a, ip_version: 4", "IPv4", "192.168.101.0/24"),
        ("network_name: a, ip_version: 6", "IPv6", "fd00:0:0:65::/64"),
    ],
)
def test_an_input_takes_the_addresses_of_a_network_with_a_port(properties: str, version: str, addresses: str) -> None:
    result = made(NETWORK % properties + SERVER + PORT % BOTH)
    asked = result.document["parameters"]["net_cidr"]
    assert (asked["default"], asked["description"]) == (addresses, f"addresses of net, with {version}")
    assert asked["constraints"] == [{"custom_constraint": "net_cidr"}]
    found = result.document["resources"]["net_subnet"]["properties"]
    assert (found["cidr"], found.get("ip_version", 4)) == ({"get_param": "net_cidr"}, int(version[-1]))
    (found,) = reported(result, "BPC867")
    assert found.path == ("node_templates", "net")
    assert all(text in found.message for text in ("'net'", "'net_cidr'", addresses))


def test_each_network_has_other_addresses() -> None:
    nodes = SERVER
    for name in "abc":
        nodes += f"    {name}: {{type: openstack.mine.Network, properties: {{network_name: x, ip_version: 4}}}}\n"
        nodes += (
            f"    {name}_nic: {{type: tosca.nodes.network.Port, requirements: [{{link: {name}}}, {{binding: vm}}]}}\n"
        )
    other = "    d: {type: openstack.mine.Network, properties: {cidr: 192.168.102.0/24}}\n"
    result = made(nodes + other, ", used: {type: string, default: 192.168.103.0/24}")
    found = [result.document["parameters"][f"{name}_cidr"]["default"] for name in "abc"]
    assert found == ["192.168.101.0/24", "192.168.104.0/24", "192.168.105.0/24"]


@pytest.mark.parametrize(
    ("number", "addresses"), [(100, "192.168.101.0/24"), (253, "192.168.254.0/24"), (254, "192.168.254.0/24")]
)
def test_the_last_addresses_are_those_of_all_others(number: int, addresses: str) -> None:
    """There are as many as no document has networks."""
    used = ", ".join(f"u{index}: {{type: string, default: 192.168.{index}.0/24}}" for index in range(101, number + 1))
    result = made(NETWORK % "network_name: x, ip_version: 4" + SERVER + PORT % BOTH, f", {used}")
    assert result.document["parameters"]["net_cidr"]["default"] == addresses


@pytest.mark.parametrize(
    ("properties", "requirements"),
    [
        ("network_name: a, ip_version: 4", "{link: net}"),
        ("network_name: a, ip_version: 4", "{binding: vm}, {dependency: net}"),
        ("network_name: a, ip_version: 4", "{link: other}, {dependency: net}, {binding: vm}"),
        ("network_name: a, ip_version: 4", "{link: net}, {binding: {node: tosca.nodes.Compute}}"),
        ("network_name: a, physical_network: p", BOTH),
        ("network_name: there", BOTH),
    ],
)
def test_other_networks_get_no_addresses(properties: str, requirements: str) -> None:
    other = "    other: {type: openstack.mine.Network, properties: {network_name: b, cidr: 10.0.0.0/24}}\n"
    result = made(NETWORK % properties + SERVER + other + PORT % requirements)
    assert "net_subnet" not in result.document["resources"]
    assert not reported(result, "BPC867")


# -- servers on networks without addresses --------------------------------------------------------------------


def test_a_server_on_a_network_without_addresses_is_reported() -> None:
    nodes = """\
    z: {type: openstack.mine.Network, properties: {network_name: z, physical_network: p}}
    b: {type: openstack.mine.Network, properties: {network_name: b, ip_version: 4}}
    good: {type: openstack.mine.Network, properties: {network_name: c, cidr: 10.0.0.0/24}}
    there: {type: openstack.mine.Network, properties: {network_name: d}}
    on_z: {type: openstack.neutron.Port, requirements: [{link: z}]}
    on_good: {type: openstack.neutron.Port, requirements: [{link: good}]}
    on_there: {type: openstack.neutron.Port, requirements: [{link: there}]}
    vm:
      type: openstack.nova.Server
      properties:
        flavor: f
        image: i
        networks: [{port: {get_attribute: [on_z, tosca_id]}}, {network: {get_attribute: [b, tosca_id]}},
                   {port: {get_attribute: [on_good, tosca_id]}}, {port: {get_attribute: [on_there, tosca_id]}}]
"""
    found = reported(made(nodes), "BPC849")
    assert {one.path for one in found} == {("node_templates", "b"), ("node_templates", "z")}
    assert all("'vm'" in one.message and f"'{one.path[1]}'" in one.message for one in found)


# -- ports ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("properties", "wanted"),
    [
        ("ip_address: 10.0.0.5", [{"ip_address": "10.0.0.5"}]),
        ("ip_address: 10.0.0.5, fixed_ips: [{ip_address: 10.0.0.6}]", [{"ip_address": "10.0.0.6"}]),
    ],
)
def test_the_address_of_a_port(properties: str, wanted: list[Any]) -> None:
    nodes = f"    nic: {{type: openstack.mine.Port, properties: {{{properties}}}, requirements: [{{link: net}}]}}\n"
    found = resources(NETWORK % "cidr: 10.0.0.0/24" + nodes)["nic"]
    assert found["properties"] == {"network": {"get_resource": "net"}, "fixed_ips": wanted}


@pytest.mark.parametrize(
    "requirement",
    [
        "link: net",
        "virtualLink: net",
        "virtual_link: net",
        "mine: {node: net, relationship: tosca.relationships.network.LinksTo}",
    ],
)
def test_a_port_is_on_what_it_is_linked_to(requirement: str) -> None:
    result = made(NETWORK % "cidr: 10.0.0.0/24" + PORT % f"{{{requirement}}}")
    assert result.document["resources"]["nic"]["properties"] == {"network": {"get_resource": "net"}}
    assert not reported(result, "BPC816")


@pytest.mark.parametrize(
    "requirement",
    [
        "binding: vm",
        "virtualBinding: vm",
        "virtual_binding: vm",
        "mine: {node: vm, relationship: tosca.relationships.network.BindsTo}",
    ],
)
def test_a_port_is_the_server_s_that_it_is_bound_to(requirement: str) -> None:
    found = resources(NETWORK % "cidr: 10.0.0.0/24" + SERVER + PORT % f"{{link: net}}, {{{requirement}}}")
    assert found["vm"]["properties"]["networks"] == [{"port": {"get_resource": "nic"}}]
    assert "depends_on" not in found["nic"] or found["nic"]["depends_on"] == "net_subnet"


@pytest.mark.parametrize(
    ("requirements", "place"),
    [
        ("{dependency: vm}", ()),
        ("{dependency: vm}, {link: vm}", ("requirements", 1, "link")),
        ("{link: {node: tosca.nodes.network.Network}}", ("requirements", 0, "link")),
    ],
)
def test_a_port_on_no_network_asks_for_one(requirements: str, place: tuple[Any, ...]) -> None:
    result = made(SERVER + PORT % requirements)
    assert result.document["resources"]["nic"]["properties"] == {"network": {"get_param": "nic_network"}}
    asked = result.document["parameters"]["nic_network"]
    assert asked["description"] == "network of nic"
    assert asked["constraints"] == [{"custom_constraint": "neutron.network"}]
    (found,) = reported(result, "BPC816")
    assert found.path == ("node_templates", "nic", *place)
    assert found.message == "'nic' has no network: input 'nic_network' asks for it"


def test_tacker_gives_the_network_of_a_port() -> None:
    text = f"{HEAD}  node_templates:\n{PORT % ''}"
    found = convert(text, "tosca", "hot", carry=False, orchestrator="tacker").document["resources"]["nic"]
    assert found["properties"] == {"network": {"get_param": ["nfv", "CP", "nic", "network"]}}


def test_a_port_of_a_server_whose_networks_are_computed_is_reported() -> None:
    vm = "    vm: {type: openstack.nova.Server, properties: {flavor: f, networks: {get_input: text}}}\n"
    (found,) = reported(made(NETWORK % "cidr: 10.0.0.0/24" + vm + PORT % BOTH), "BPC810")
    assert found.path == ("node_templates", "nic", "requirements", 1, "binding")
    assert found.message.endswith(": the networks of the server are computed")


def test_a_resource_of_openstack_asks_for_nothing() -> None:
    nodes = "    nic: {type: openstack.neutron.Port}\n    ip: {type: openstack.neutron.FloatingIP}\n"
    assert not reported(made(nodes), "BPC816")


def test_a_port_that_its_server_names_is_not_added_again() -> None:
    nodes = """\
    nic: {type: openstack.neutron.Port, requirements: [{link: net}, {binding: vm}]}
    more: {type: openstack.neutron.Port, requirements: [{link: net}, {binding: vm}]}
    vm: {type: openstack.nova.Server, properties: {flavor: f, networks: [{port: {get_attribute: [nic, tosca_id]}}]}}
"""
    found = resources(NETWORK % "cidr: 10.0.0.0/24" + nodes)["vm"]["properties"]["networks"]
    assert found == [{"port": {"get_resource": "nic"}}, {"port": {"get_resource": "more"}}]


NICS = (
    "    {0}: {{type: tosca.nodes.network.Port, properties: {{order: {1}}},"
    " requirements: [{{link: net}}, {{binding: vm}}]}}\n"
)


@pytest.mark.parametrize(
    ("orders", "names", "computed"),
    [
        (("2", "1", "3"), ["b", "a", "c"], []),
        (("{get_input: n}", "1", "3"), ["b", "a", "c"], ["a"]),
        (("1", "{get_input: n}", "{get_input: text}"), ["c", "a", "b"], ["b", "c"]),
        (("1", "{get_input: [n, 1]}", "3"), ["b", "a", "c"], ["b"]),
    ],
)
def test_ports_are_in_their_order(orders: tuple[str, ...], names: list[str], computed: list[str]) -> None:
    ports = "".join(NICS.format(name, order) for name, order in zip("abc", orders, strict=True))
    result = made(NETWORK % "cidr: 10.0.0.0/24" + SERVER + ports)
    found = result.document["resources"]["vm"]["properties"]["networks"]
    assert found == [{"port": {"get_resource": name}} for name in names]
    places = [one.path for one in reported(result, "BPC821")]
    assert places == [("node_templates", name, "properties", "order") for name in computed]
    assert not reported(result, "BPC956")


def test_ports_with_the_same_number_are_reported() -> None:
    ports = (
        NICS.format("a", 1) + NICS.format("b", 2) + NICS.format("c", 1) + PORT % BOTH + PORT.replace("nic", "d") % BOTH
    )
    found = reported(made(NETWORK % "cidr: 10.0.0.0/24" + SERVER + ports), "BPC956")
    assert [one.path for one in found] == [("node_templates", name, "properties", "order") for name in "ac"]
    assert all("a, c" in one.message and "'vm'" in one.message and " 1" in one.message for one in found)


def test_a_port_that_is_bound_in_two_words_has_its_number_alone() -> None:
    twice = NICS.format("a", 1).replace("{binding: vm}", "{binding: vm}, {virtualBinding: vm}")
    assert "virtualBinding" in twice
    result = made(NETWORK % "cidr: 10.0.0.0/24" + SERVER + twice)
    assert not reported(result, "BPC956")
    assert result.document["resources"]["vm"]["properties"]["networks"] == [{"port": {"get_resource": "a"}}]


# -- floating IPs ---------------------------------------------------------------------------------------------

IP = "    ip: {type: tosca.nodes.network.FloatingIP, properties: {%s}, requirements: [%s]}\n"


def test_the_network_of_an_address_is_asked_for() -> None:
    result = made(IP % ("", ""))
    asked = result.document["parameters"]["ip_network"]
    assert asked["description"] == "external network of ip"
    assert asked["constraints"] == [{"custom_constraint": "neutron.network"}]
    (found,) = reported(result, "BPC816")
    assert found.path == ("node_templates", "ip")
    assert found.message == "'ip' has no external network: input 'ip_network' asks for it"


@pytest.mark.parametrize("name", ["floating_network", "floating_network_id"])
def test_an_address_with_a_network_has_that(name: str) -> None:
    result = made(NETWORK % "cidr: 10.0.0.0/24" + IP % (f"{name}: there", "{link: net}"))
    assert result.document["resources"]["ip"]["properties"] == {name: "there"}
    assert result.document["resources"]["ip"]["depends_on"] == ["net", "net_subnet"]


@pytest.mark.parametrize(("name", "wanted"), [("nic", "nic"), ("vm", None), ("text", None)])
def test_a_port_of_an_address_that_is_a_name(name: str, wanted: str | None) -> None:
    nodes = NETWORK % "cidr: 10.0.0.0/24" + SERVER + PORT % BOTH
    result = made(nodes + IP % (f"floating_network: x, port_id: {name}", "{link: nic}"))
    found = result.document["resources"]["ip"]
    assert found["properties"]["port_id"] == ({"get_resource": wanted} if wanted else name)
    assert [one.path for one in reported(result, "BPC887")] == (
        [("node_templates", "ip", "properties", "port_id")] if wanted else []
    )
    assert found.get("depends_on") == (None if wanted else "nic")
