"""Attributes of servers, ports and volumes in Heat, as runtime properties of nodes."""

from __future__ import annotations

from typing import Any

import pytest

from bpconvert.api import convert

UUID = "3e8d2c54-8a0e-4a3e-9d0c-0f6d6f2f1a11"
HEAD = """
heat_template_version: 2021-04-16
parameters: {n: {type: number}, net_name: {type: string}}
resources:
  net: {type: OS::Neutron::Net}
  other: {type: OS::Neutron::Net}
  sub: {type: OS::Neutron::Subnet, properties: {network: {get_resource: net}, cidr: 10.0.0.0/24}}
  port:
    type: OS::Neutron::Port
    properties:
      network: {get_resource: net}
      fixed_ips: [{subnet: {get_resource: sub}}, {ip_address: 10.0.0.3}, {subnet: s}, {subnet_id: {get_resource: sub}}]
  loose: {type: OS::Neutron::Port, properties: {network: there}}
  web: {type: OS::Nova::Server, properties: {image: i, flavor: f, networks: [{port: {get_resource: port}}]}}
  two:
    type: OS::Nova::Server
    properties: {image: i, flavor: f, networks: [{network: {get_resource: net}}, {network: {get_resource: other}}]}
  one: {type: OS::Nova::Server, properties: {image: i, flavor: f, networks: [{network: {get_resource: net}}]}}
  auto: {type: OS::Nova::Server, properties: {image: i, flavor: f}}
  empty: {type: OS::Nova::Server, properties: {image: i, flavor: f, networks: []}}
  known: {type: OS::Nova::Server, external_id: abc}
  type: {type: OS::Cinder::VolumeType, properties: {name: fast}}
  made: {type: OS::Cinder::Volume, properties: {size: 1, volume_type: {get_resource: type}}}
  named: {type: OS::Cinder::Volume, properties: {size: 1, volume_type: slow}}
  bare: {type: OS::Cinder::Volume, properties: {size: 1}}
outputs: {o: {value: """
MAPS = "the plugin's fixed_ips is a list of addresses, elsewhere it is a list of maps"
NO_SUBNET = "the port's subnet is not a resource of this template"
FIRST = "only the first address on one network has a counterpart"
NOT_KNOWN = "it is not known which interface is on that network"
NO_PORT = "the interface on that network has no port node"
PART = "a part of a computed property is taken"


def output(value: str, **options: Any) -> tuple[Any, list[tuple[str, str]]]:
    """What ``value`` becomes as an output, and what is reported there."""
    result = convert(f"{HEAD}{value}}}}}\n", asked="inputs", carry=False, **options)
    found = [(one.code, one.message) for one in result.diagnostics if one.path[:2] == ("outputs", "o")]
    return result.document["outputs"]["o"]["value"], found


def attribute(*steps: Any) -> dict[str, Any]:
    return {"get_attribute": [*steps]}


@pytest.mark.parametrize(
    ("steps", "written"),
    [
        ("port, fixed_ips, 0, ip_address", attribute("port", "fixed_ips", 0)),
        ("port, fixed_ips, {get_param: n}, ip_address", attribute("port", "fixed_ips", {"get_input": "n"})),
        ("port, fixed_ips, 0, subnet_id", attribute("sub", "id")),
        ("port, fixed_ips, 2, subnet_id", "s"),
        ("port, fixed_ips, 3, subnet_id", attribute("sub", "id")),
        ("port, subnets, 0, cidr", {"get_property": ["sub", "resource_config", "cidr"]}),
        ("port, network, id", attribute("net", "id")),
        ("port, network, name", attribute("net", "name")),
        ("made, volume_type", attribute("type", "name")),
        ("named, volume_type", {"get_property": ["named", "resource_config", "volume_type"]}),
    ],
)
def test_what_the_nodes_have(steps: str, written: Any) -> None:
    assert output(f"{{get_attr: [{steps}]}}") == (written, [])


@pytest.mark.parametrize(
    ("steps", "reason"),
    [
        ("port, fixed_ips, 0", MAPS),
        ("port, fixed_ips, 0, ip_address, 0", MAPS),
        ("port, fixed_ips, 0, subnet_id, 0", MAPS),
        ("port, fixed_ips, 1, subnet_id", MAPS),
        ("port, fixed_ips, 4, subnet_id", MAPS),
        ("port, fixed_ips, -1, subnet_id", MAPS),
        ("port, fixed_ips, {get_param: n}, subnet_id", MAPS),
        ("loose, fixed_ips, 0, subnet_id", MAPS),
        ("port, subnets", NO_SUBNET),
        ("port, subnets, 0", NO_SUBNET),
        ("port, subnets, 1, cidr", NO_SUBNET),
        ("port, subnets, 2, cidr", NO_SUBNET),
        ("port, subnets, 0, cidr, 0", PART),
        ("port, network", "the plugin has no map of the network"),
        ("port, network, name_, 0",
         "the Cloudify node has no counterpart of attribute 'name_' of OS::Neutron::Net"),
        ("loose, network, id", "the port's network is not a resource of this template"),
        ("web, networks", FIRST),
        ("web, networks, {get_resource: net}", FIRST),
        ("web, networks, {get_resource: net}, 1", FIRST),
        ("web, networks, {get_resource: net}, {get_param: n}", FIRST),
        ("web, addresses, net, 0, other", FIRST),
        ("two, networks, net, 0", NOT_KNOWN),
        ("two, addresses, {get_resource: net}, 0, port", NO_PORT),
        ("one, addresses, x, 0, port", NO_PORT),
        ("auto, addresses, x, 0, port", NO_PORT),
        ("known, addresses, x, 0, port", NO_PORT),
        ("known, addresses, x, 0", NOT_KNOWN),
        ("known, networks, x", FIRST),
        (f"known, networks, {UUID}, 0", NOT_KNOWN),
        ("known, networks, {get_param: net_name}, 0", NOT_KNOWN),
        ("made, volume_type, 0", PART),
        ("bare, volume_type",
         "attribute 'volume_type' is only known to OpenStack: the template does not set it"),
    ],
)  # fmt: skip
def test_what_the_nodes_do_not_have(steps: str, reason: str) -> None:
    value, found = output(f"{{get_attr: [{steps}]}}")
    assert str(value).startswith('not converted: {"get_attr": [')
    assert ("BPC202", f"not converted: {reason}") in found


@pytest.mark.parametrize(
    ("steps", "written"),
    [
        ("web, networks, net, 0", attribute("port", "fixed_ips", 0)),
        ("web, networks, {get_resource: net}, 0", attribute("port", "fixed_ips", 0)),
        ("web, addresses, net, 0", attribute("port", "fixed_ips", 0)),
        ("web, addresses, net, 0, addr", attribute("port", "fixed_ips", 0)),
        ("two, networks, {get_resource: net}, 0", attribute("two", "ipv4_addresses", 0)),
        ("two, networks, {get_resource: other}, 0", attribute("two", "ipv4_addresses", 1)),
        ("one, networks, x, 0", attribute("one", "ip")),
        ("auto, networks, x, 0", attribute("auto", "ip")),
        ("auto, addresses, x, 0, addr", attribute("auto", "ip")),
        ("empty, networks, x, 0", attribute("empty", "ip")),
    ],
)
def test_the_address_of_a_server_on_a_network(steps: str, written: Any) -> None:
    """Of its only interface, whatever the network is called."""
    server = steps.partition(",")[0]
    message = f"the first fixed address of the matching interface of '{server}' is used"
    assert output(f"{{get_attr: [{steps}]}}") == (written, [("BPC310", message)])


def test_the_port_of_a_server_on_a_network() -> None:
    message = "'get_attr' is written as the port 'port'"
    assert output("{get_attr: [web, addresses, net, 0, port]}") == (attribute("port", "id"), [("BPC223", message)])


@pytest.mark.parametrize(
    ("steps", "number"), [("networks, x, 0", 0), ("networks, x, 1", 1), ("addresses, x, 0, addr", 0)]
)
def test_addresses_of_an_existing_server(steps: str, number: int) -> None:
    """The plugin keeps what OpenStack says of it; the older one does not."""
    message = "the address is read from what the plugin keeps of the existing server 'known'"
    written = attribute("known", "external_resource", "addresses", "x", number, "addr")
    assert output(f"{{get_attr: [known, {steps}]}}") == (written, [("BPC681", message)])
    why = FIRST if number else NOT_KNOWN
    assert output(f"{{get_attr: [known, {steps}]}}", plugin="v2")[1] == [("BPC202", f"not converted: {why}")]


def test_all_addresses_of_a_port_are_a_list_in_an_output() -> None:
    told = (
        "the output is a list of the addresses of 'port'; in Heat it is a list of maps, which name the subnets as well"
    )
    assert output("{get_attr: [port, fixed_ips]}") == (attribute("port", "fixed_ips"), [("BPC348", told)])
    value, found = output("[{get_attr: [port, fixed_ips]}]")
    assert (str(value)[:16], found) == ("['not converted:", [("BPC202", f"not converted: {MAPS}")])


# -- queries ------------------------------------------------------------------------------------------------

V4, V6, ONE = ".where(not (':' in $))", ".where(':' in $)", ".first(null)"
MANY_NOTE, ONE_NOTE = "is never null", "is an empty text where the port has none, or several"


def query(end: str, source: str = "port, fixed_ips", key: str = "v") -> str:
    expression = f"switch($.data.v = null => null, true => $.data.v.select($.ip_address){end})"
    return f'{{yaql: {{expression: "{expression}", data: {{{key}: {{get_attr: [{source}]}}}}}}}}'


@pytest.mark.parametrize(
    ("end", "name", "note"),
    [
        (V4, "ipv4_addresses", MANY_NOTE),
        (V6, "ipv6_addresses", MANY_NOTE),
        (V4 + ONE, "ipv4_address", ONE_NOTE),
        (V6 + ONE, "ipv6_address", ONE_NOTE),
    ],
)
def test_a_query_of_the_way_back_is_what_the_plugin_gives(end: str, name: str, note: str) -> None:
    assert output(query(end)) == (attribute("port", name), [("BPC309", f"'{name}' {note}")])
    assert output(query(end), plugin="v2")[1][0][0] == "BPC202"


@pytest.mark.parametrize(
    "value",
    [
        query(""),
        query(".where(true)"),
        query(V4, key="w"),
        query(V4, source="web, fixed_ips"),
        query(V4, source="port, fixed_ips, 0"),
        query(V4, source="port, allowed_address_pairs"),
        query(V4).replace("data: {", "data: {w: 1, "),
    ],
)
def test_other_queries_are_not(value: str) -> None:
    assert "BPC202" in [code for code, _ in output(value)[1]]
