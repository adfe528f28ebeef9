"""Networks, ports and floating IPs of TOSCA."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from bpconvert.api import Conversion, convert

HEAD = "tosca_definitions_version: tosca_simple_yaml_1_3\ntopology_template:\n"
VM = "    vm: {type: Compute, requirements: []}\n"


def converted(nodes: str, rest: str = "", target: str = "hot") -> tuple[dict[str, Any], Conversion]:
    """The data that a service template with these nodes becomes, and the whole conversion."""
    made = convert(f"{HEAD}{rest}  node_templates:\n{nodes}", "tosca", target, carry=False)
    return yaml.safe_load(made.text), made


def network(properties: str) -> tuple[dict[str, Any], Conversion]:
    """What a network with these properties becomes, and a port on it."""
    nodes = f"    net: {{type: tosca.nodes.network.Network, properties: {properties}}}\n"
    data, made = converted(f"{nodes}    nic: {{type: tosca.nodes.network.Port, requirements: [{{link: net}}]}}\n")
    found: dict[str, Any] = data["resources"]
    return found, made


def test_a_network_is_a_network_and_its_subnet() -> None:
    found, _ = network(
        "{network_name: a, ip_version: 4, cidr: 10.2.0.0/24, gateway_ip: 10.2.0.1, start_ip: 10.2.0.10, "
        "end_ip: 10.2.0.99, dhcp_enabled: false}"
    )
    assert found["net"] == {"type": "OS::Neutron::Net", "properties": {"name": "a"}}
    assert found["net_subnet"]["properties"] == {
        "network": {"get_resource": "net"}, "ip_version": 4, "cidr": "10.2.0.0/24", "gateway_ip": "10.2.0.1",
        "allocation_pools": [{"start": "10.2.0.10", "end": "10.2.0.99"}], "enable_dhcp": False,
    }  # fmt: skip
    assert found["nic"]["properties"] == {"network": {"get_resource": "net"}}


def test_a_network_without_addresses_has_no_subnet() -> None:
    found, made = network("{network_name: a, ip_version: 6}")
    assert "net_subnet" not in found
    assert "BPC810" in [one.code for one in made.diagnostics if one.path[-1] == "ip_version"]


@pytest.mark.parametrize("properties", ["{network_name: there}", "{network_id: there, cidr: 10.0.0.0/24}"])
def test_a_network_that_exists_is_a_value(properties: str) -> None:
    found, made = network(properties)
    assert set(found) == {"nic"}
    assert found["nic"]["properties"]["network"] == "there"
    assert "BPC815" in [one.code for one in made.diagnostics]


@pytest.mark.parametrize(
    ("properties", "pool"),
    [
        ("{cidr: 10.0.0.0/24, start_ip: 10.0.0.9}", {"start": "10.0.0.9", "end": "10.0.0.254"}),
        ("{cidr: 10.0.0.0/24, end_ip: 10.0.0.9}", {"start": "10.0.0.2", "end": "10.0.0.9"}),
        (
            "{cidr: 10.0.0.0/24, gateway_ip: 10.0.0.254, start_ip: 10.0.0.9}",
            {"start": "10.0.0.9", "end": "10.0.0.253"},
        ),
    ],
)
def test_one_end_of_a_range_is_completed(properties: str, pool: dict[str, str]) -> None:
    found, made = network(properties)
    assert found["net_subnet"]["properties"]["allocation_pools"] == [pool]
    assert "BPC820" in [one.code for one in made.diagnostics]


def test_a_network_of_a_provider() -> None:
    found, _ = network("{network_name: a, network_type: vlan, physical_network: p, segmentation_id: '12'}")
    assert found["net"] == {
        "type": "OS::Neutron::ProviderNet",
        "properties": {
            "name": "a",
            "network_type": "vlan",
            "physical_network": "p",
            "segmentation_id": 12,
            "shared": False,
        },
    }


PORTS = """
    second: {type: tosca.nodes.network.Port, properties: {order: 1, ip_address: 10.0.0.5, is_default: true},
             requirements: [{link: net}, {binding: vm}]}
    first: {type: tosca.nodes.network.Port, requirements: [{link: net}, {binding: vm}]}
    net: {type: tosca.nodes.network.Network, properties: {network_name: a, cidr: 10.0.0.0/24}}
"""


def test_a_server_has_its_ports_in_their_order() -> None:
    data, made = converted(VM + PORTS)
    found = data["resources"]
    assert found["vm"]["properties"]["networks"] == [
        {"port": {"get_resource": "first"}},
        {"port": {"get_resource": "second"}},
    ]
    assert found["second"]["properties"]["fixed_ips"] == [{"ip_address": "10.0.0.5"}]
    assert [one.code for one in made.diagnostics if one.path[-1] == "is_default"] == ["BPC810"]
    assert "order" not in found["second"]["properties"]


def test_ports_and_servers_are_connected_in_cloudify() -> None:
    data, _ = converted(VM + PORTS, target="cloudify")
    targets = [one["target"] for one in data["node_templates"]["vm"]["relationships"]]
    assert targets == ["first", "second"]
    waits = {one["target"] for one in data["node_templates"]["second"]["relationships"]}
    assert {"net", "net_subnet"} <= waits


def test_a_port_without_network_asks_for_one() -> None:
    data, made = converted(VM + "    nic: {type: tosca.nodes.network.Port, requirements: [{binding: vm}]}\n")
    assert data["resources"]["nic"]["properties"]["network"] == {"get_param": "nic_network"}
    assert data["parameters"]["nic_network"]["constraints"] == [{"custom_constraint": "neutron.network"}]
    assert "BPC816" in [one.code for one in made.diagnostics]


def test_a_floating_ip_is_that_of_its_port() -> None:
    kind = "type: tosca.nodes.network.FloatingIP, properties: {floating_network: x}"
    ip = f"    ip: {{{kind}, requirements: [{{link: first}}]}}\n"
    data, _ = converted(VM + PORTS + ip)
    assert data["resources"]["ip"]["properties"] == {"floating_network": "x", "port_id": {"get_resource": "first"}}


LINK = """
tosca_definitions_version: tosca_simple_yaml_1_3
node_types:
  openstack.neutron.Net: {derived_from: tosca.nodes.network.Network, metadata: {heat_name: "OS::Neutron::Net"}}
  openstack.neutron.Port: {derived_from: tosca.nodes.Root, metadata: {heat_name: "OS::Neutron::Port"}}
  openstack.nova.Server: {derived_from: tosca.nodes.Compute, metadata: {heat_name: "OS::Nova::Server"}}
topology_template:
  node_templates:
    net: {type: openstack.neutron.Net}
    b: {type: openstack.neutron.Port, properties: {order: 1}, requirements: [{link: net}, {binding: vm}]}
    a: {type: openstack.neutron.Port, properties: {order: 0}, requirements: [{link: net}, {binding: vm}]}
    vm: {type: openstack.nova.Server, properties: {flavor: f, image: i}}
"""


def test_link_and_binding_between_resources() -> None:
    found = yaml.safe_load(convert(LINK, "tosca", "hot", carry=False).text)["resources"]
    assert found["a"]["properties"] == {"network": {"get_resource": "net"}}
    assert found["vm"]["properties"]["networks"] == [{"port": {"get_resource": "a"}}, {"port": {"get_resource": "b"}}]
    assert "depends_on" not in found["a"]


BALANCER = """
    lb:
      type: LoadBalancer
      properties: {algorithm: least_connections}
      capabilities: {client: {properties: {port: 80, protocol: http}}}
      requirements: [{application: web}]
    web:
      type: tosca.nodes.WebServer
      capabilities: {data_endpoint: {properties: {port: 8080}}}
      requirements: [{host: vm}]
    empty: {type: LoadBalancer}
"""


def test_a_balancer_with_a_port() -> None:
    data, _ = converted(VM + BALANCER)
    found = {name: row.get("properties") for name, row in data["resources"].items()}
    assert found["lb"] == {"vip_subnet": {"get_param": "lb_subnet"}}
    assert found["lb_listener"] == {"loadbalancer": {"get_resource": "lb"}, "protocol": "HTTP", "protocol_port": 80}
    assert found["lb_pool"] == {
        "listener": {"get_resource": "lb_listener"}, "protocol": "HTTP", "lb_algorithm": "LEAST_CONNECTIONS",
    }  # fmt: skip
    assert found["lb_web_member"] == {
        "pool": {"get_resource": "lb_pool"}, "address": {"get_attr": ["vm", "first_address"]}, "protocol_port": 8080,
    }  # fmt: skip
    assert data["resources"]["empty"]["type"] == "OS::Heat::None"


def test_a_balancer_in_cloudify_is_made_by_the_api_of_its_service() -> None:
    data, _ = converted(VM + BALANCER, target="cloudify")
    listener = data["node_templates"]["lb_listener"]
    assert listener["type"] == "bpconvert.openstack.Listener"
    given = listener["properties"]["resource_config"]
    assert (given["loadbalancer_id"], given["protocol_port"]) == ({"get_attribute": ["lb", "id"]}, 80)


def test_a_port_does_not_wait_for_the_server_that_waits_for_it() -> None:
    nodes = "    nic: {type: tosca.nodes.network.Port, requirements: [{binding: vm}, {dependency: vm}]}\n"
    data, made = converted(VM + nodes)
    assert "depends_on" not in data["resources"]["nic"]
    assert [one.code for one in made.diagnostics if one.path[-1] == "dependency"] == ["BPC810"]


def test_a_port_on_two_networks_is_on_the_first_and_waits_for_the_other() -> None:
    nodes = """
    one: {type: tosca.nodes.network.Network, properties: {network_name: a, cidr: 10.0.0.0/24}}
    two: {type: tosca.nodes.network.Network, properties: {network_name: b, ip_version: 4}}
    nic: {type: tosca.nodes.network.Port, requirements: [{link: one}, {link: two}]}
"""
    nic = converted(nodes)[0]["resources"]["nic"]
    assert nic["properties"] == {"network": {"get_resource": "one"}}
    assert nic["depends_on"] == "two"


ADDRESS = "    ip: {{type: tosca.nodes.network.FloatingIP, properties: {0}, requirements: [{1}]}}\n"


def test_the_network_of_a_floating_ip_is_asked_for() -> None:
    data, made = converted(VM + PORTS + ADDRESS.format("{}", "{dependency: net}, {link: first}"))
    assert data["resources"]["ip"]["properties"] == {
        "floating_network": {"get_param": "ip_network"}, "port_id": {"get_resource": "first"},
    }  # fmt: skip
    asked = data["parameters"]["ip_network"]
    assert asked["description"].startswith("external network of ip")
    assert asked["constraints"] == [{"custom_constraint": "neutron.network"}]
    (told,) = [one for one in made.diagnostics if one.code == "BPC816"]
    assert told.path[-1] == "ip"
    assert "external network" in told.message


def test_a_floating_ip_is_linked_to_the_network_that_it_comes_from() -> None:
    data, made = converted(VM + PORTS + ADDRESS.format("{}", "{link: net}, {link: first}"))
    address = {"floating_network": {"get_resource": "net"}, "port_id": {"get_resource": "first"}}
    assert data["resources"]["ip"]["properties"] == address
    assert not [one for one in made.diagnostics if one.path[1:3] == ("ip", "requirements")]
    assert "BPC816" not in [one.code for one in made.diagnostics]
    data, _ = converted(VM + PORTS + ADDRESS.format("{floating_network: x}", "{link: net}, {link: first}"))
    assert data["resources"]["ip"]["properties"]["floating_network"] == "x"


def test_a_floating_ip_whose_port_is_a_name_has_the_port_of_that_node() -> None:
    data, made = converted(VM + PORTS + ADDRESS.format("{floating_network: x, port_id: first}", "{link: first}"))
    assert data["resources"]["ip"]["properties"] == {"floating_network": "x", "port_id": {"get_resource": "first"}}
    (told,) = [one for one in made.diagnostics if one.code == "BPC887"]
    assert told.path[-1] == "port_id"
    assert not [one for one in made.diagnostics if one.path[-1] == "link"]


def test_the_order_of_a_port_may_be_an_input() -> None:
    ports = PORTS.replace("order: 1", "order: {get_input: place}")
    rest = "  inputs: {place: {type: integer, default: -1}}\n"
    data, made = converted(VM + ports, rest)
    names = [one["port"]["get_resource"] for one in data["resources"]["vm"]["properties"]["networks"]]
    assert names == ["second", "first"]
    assert [one.path[-1] for one in made.diagnostics if one.code == "BPC821"] == ["order"]


def test_ports_of_a_server_whose_networks_are_computed_are_told() -> None:
    nodes = """
    lost: {type: openstack.neutron.Port, requirements: [{link: net}, {binding: open}]}
    more: {type: openstack.neutron.Port, requirements: [{link: net}, {binding: open}]}
    open: {type: openstack.nova.Server, properties: {flavor: f, image: i, networks: {get_input: nets}}}
"""
    made = convert(
        LINK.replace("  node_templates:\n", f"  inputs: {{nets: {{type: list}}}}\n  node_templates:{nodes}"),
        "tosca",
        "hot",
        carry=False,
    )
    found = yaml.safe_load(made.text)["resources"]
    assert found["open"]["properties"]["networks"] == {"get_param": "nets"}
    assert found["vm"]["properties"]["networks"] == [{"port": {"get_resource": "a"}}, {"port": {"get_resource": "b"}}]
    told = [one.message for one in made.diagnostics if "the networks of the server are computed" in one.message]
    assert [text.partition(" has no counterpart")[0] for text in told] == ["'binding' of 'lost'", "'binding' of 'more'"]
