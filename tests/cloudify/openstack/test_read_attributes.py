"""Runtime properties of the OpenStack plugin's nodes as attributes of resources."""

from __future__ import annotations

from typing import Any

import pytest
from neutral_form import V2, V3, lifted

from bpconvert.models.expressions import Attribute, AttributeList, Identity, Input, Property, Query, Value

REL = "cloudify.relationships.openstack."


def node(name: str, kind: str, *related: tuple[str, str], properties: str = "{}") -> str:
    """A node of the plugin with relationships (type, target)."""
    found = ", ".join(f"{{type: {type}, target: {target}}}" for type, target in related)
    return f"{name}: {{type: {kind}, properties: {properties}, relationships: [{found}]}}\n"


def port(name: str, network: str | None = None, config: str = "{}") -> str:
    related = [(f"{REL}port_connected_to_network", network)] if network else []
    return node(name, f"{V3}Port", *related, properties=f"{{resource_config: {config}}}")


def subnet(name: str, network: str, config: str = "{}") -> str:
    related = (f"{REL}subnet_connected_to_network", network)
    return node(name, f"{V3}Subnet", related, properties=f"{{resource_config: {config}}}")


TO_PORT, TO_IP = f"{REL}server_connected_to_port", f"{REL}server_connected_to_floating_ip"
PUBLIC = "{use_public_ip: true}"
NODES = "".join(
    [
        node("net", f"{V3}Network", properties="{resource_config: {name: nn}}"),
        subnet("sub", "net", "{cidr: 10.0.0.0/24}"),
        node("net6", f"{V3}Network"),
        subnet("sub6", "net6", "{ip_version: 6}"),
        node("both", f"{V3}Network"),
        subnet("b1", "both"),
        subnet("b2", "both"),
        node("theirs", f"{V3}Network", properties="{use_external_resource: true, resource_config: {id: x}}"),
        subnet("t1", "theirs"),
        *(port(f"on_{name}", name) for name in ("net", "net6", "both", "theirs")),
        port("fixed", None, "{fixed_ips: [{ip_address: 10.0.0.3}]}"),
        port("fixed6", None, "{fixed_ips: [{ip_address: 'fe80::1'}]}"),
        port("fixed2", None, "{fixed_ips: [{ip_address: 10.0.0.3}, {ip_address: 10.0.0.4}]}"),
        port("any", None, "{fixed_ips: [{subnet_id: s}]}"),
        port("free", "net", "{fixed_ips: []}"),
        node("fip", f"{V3}FloatingIP"),
        node("ported", f"{V3}Port", (f"{REL}port_connected_to_floating_ip", "fip")),
        node("fip2", f"{V3}FloatingIP", (f"{REL}floating_ip_connected_to_port", "on_net")),
        node("web", f"{V3}Server", (TO_PORT, "ported"), properties="{resource_config: {name: w}}"),
        node("pub", f"{V3}Server", (TO_PORT, "on_net"), properties=PUBLIC),
        node("own", f"{V3}Server", (TO_IP, "fip"), properties=PUBLIC),
        node("alone", f"{V3}Server", properties=PUBLIC),
        node("multi", f"{V3}Server", (TO_PORT, "on_net"), ("cloudify.relationships.connected_to", "net6")),
        node("known", f"{V3}Server", properties="{use_external_resource: true, resource_config: {id: x}}"),
        node("old", f"{V2}Port"),
        node("key", "cloudify.keys.nodes.RSAKey", properties="{resource_config: {key_name: k}}"),
        node("cloud", "cloudify.nodes.CloudInit.CloudConfig", properties="{resource_config: {a: b}}"),
        node("plain", "cloudify.nodes.Root"),
        node("shown", "bpconvert.nodes.HeatResource"),
    ]
)


def output(call: str, more: str = "") -> tuple[Value, list[tuple[str, str]]]:
    """The value of an output, and what is reported there."""
    done = lifted(NODES + more, f"inputs: {{n: {{type: integer}}}}\noutputs: {{o: {{value: {call}}}}}\n")
    found = [(one.code, one.message) for one in done.diagnostics if one.path[:2] == ("outputs", "o")]
    return done.topology.outputs["o"].value, [one for one in found if one[0] != "BPC121"]


def attribute(steps: str) -> tuple[Value, list[tuple[str, str]]]:
    return output(f"{{get_attribute: [{steps}]}}")


def query(name: str, end: str = "") -> Query:
    expression = f"switch($.data.v = null => null, true => $.data.v.select($.ip_address){end})"
    return Query(expression, {"v": Attribute(name, "fixed_ips")})


V4, V6, ONE = ".where(not (':' in $))", ".where(':' in $)", ".first(null)"
WHOLE = Input("n", strict=True)


@pytest.mark.parametrize(
    ("steps", "value"),
    [
        ("web, id", Identity("web")),
        ("web, name", Attribute("web", "name")),
        ("web, nothing", Attribute("web", "nothing")),
        ("web, id, 0", Attribute("web", "id", (0,))),
        ("net, external_name", Attribute("net", "name")),
        ("old, external_id", Identity("old")),
        ("on_net, external_id", Identity("on_net")),
        ("on_net, mac_address", Attribute("on_net", "mac_address")),
        ("sub, resource_config", Property("sub", "resource_config")),
        ("sub, resource_config, cidr", Property("sub", "resource_config", ("cidr",))),
        ("key, public_key_export", Attribute("key", "public_key")),
        ("cloud, cloud_config", Attribute("cloud", "config")),
        ("plain, id", Attribute("plain", "id")),
        ("shown, id", Identity("shown")),
        ("shown, id, 0", Attribute("shown", "id", (0,))),
        ("shown, x", Attribute("shown", "x")),
        ("gone, id", Attribute("gone", "id")),
        ("web, {get_input: n}", Attribute("web", WHOLE)),
        ("{get_input: n}, id", Attribute(WHOLE, "id")),
        # addresses of servers
        ("web, ip", Attribute("web", "first_address")),
        ("web, ip, 0", Attribute("web", "first_address", (0,))),
        ("web, ipv4_address", Attribute("web", "first_address")),
        ("pub, ip", Attribute("fip2", "floating_ip_address")),
        ("own, ip", Attribute("fip", "floating_ip_address")),
        ("alone, ip", Attribute("alone", "first_address")),
        ("web, public_ip_address", Attribute("fip", "floating_ip_address")),
        ("own, public_ip_address", Attribute("fip", "floating_ip_address")),
        ("alone, public_ip_address", Attribute("alone", "public_ip_address")),
        ("multi, ipv4_addresses", Attribute("multi", "ipv4_addresses")),
        ("multi, ipv4_addresses, 2", Attribute("multi", "ipv4_addresses", (2,))),
        ("multi, ipv4_addresses, -1", Attribute("multi", "ipv4_addresses", (-1,))),
        ("multi, ipv4_addresses, 0, 0", Attribute("multi", "ipv4_addresses", (0, 0))),
        ("multi, ipv6_addresses", Attribute("multi", "ipv6_addresses")),
        ("alone, ipv6_addresses", Attribute("alone", "ipv6_addresses")),
        ("alone, ipv6_address", Attribute("alone", "ipv6_address")),
        ("web, ipv6_address, 0", Attribute("web", "ipv6_address", (0,))),
        ("known, external_resource, addresses, x, 0, addr", Attribute("known", "networks", ("x", 0))),
        ("known, external_resource, addresses, x, 0", Attribute("known", "external_resource", ("addresses", "x", 0))),
        # addresses of ports
        ("on_net, fixed_ips", query("on_net")),
        ("on_net, fixed_ips, 0", Attribute("on_net", "fixed_ips", (0, "ip_address"))),
        ("on_net, fixed_ips, {get_input: n}", Attribute("on_net", "fixed_ips", (WHOLE, "ip_address"))),
        ("on_net, ipv4_addresses", query("on_net", V4)),
        ("on_net, ipv4_addresses, 1", query("on_net", f"{V4}.skip(1).first(null)")),
        ("on_net, ipv4_addresses, 0", query("on_net", f"{V4}.skip(0).first(null)")),
        ("on_net, ipv6_address", query("on_net", V6 + ONE)),
        ("on_net, ipv4_address, 0", Attribute("on_net", "ipv4_address", (0,))),
        ("on_net, fixed_ip_address", Attribute("on_net", "fixed_ip_address")),
        ("on_net6, ipv4_address", query("on_net6", V4 + ONE)),
        ("on_both, ipv4_address", query("on_both", V4 + ONE)),
        ("on_theirs, ipv4_address", query("on_theirs", V4 + ONE)),
        ("fixed6, ipv4_address", query("fixed6", V4 + ONE)),
        ("fixed2, ipv4_address", query("fixed2", V4 + ONE)),
        ("ported, ipv4_address", query("ported", V4 + ONE)),
    ],
)
def test_an_attribute(steps: str, value: Any) -> None:
    assert attribute(steps) == (value, [])


@pytest.mark.parametrize(
    ("steps", "value", "what"),
    [
        ("multi, ipv4_addresses, 0", Attribute("on_net", "fixed_ips", (0, "ip_address")),
         "the first address of 'on_net'"),
        ("multi, ipv4_addresses, 1", Attribute("multi", "networks", (Identity("net6"), 0)),
         "the first address on 'net6'"),
        ("web, ipv6_address", query("ported", V6 + ONE), "the first one of 'ported'"),
        ("web, ipv6_addresses", query("ported", V6), "those of 'ported'"),
        ("web, ipv6_addresses, 0", query("ported", f"{V6}.skip(0).first(null)"), "those of 'ported'"),
        *((f"{name}, ipv4_address", Attribute(name, "fixed_ips", (0, "ip_address")), "the port's first address")
          for name in ("on_net", "fixed", "any", "free")),
        ("old, fixed_ip_address", Attribute("old", "fixed_ips", (0, "ip_address")), "the port's first address"),
    ],
)  # fmt: skip
def test_an_address_that_is_another_one_of_heat(steps: str, value: Any, what: str) -> None:
    name, attribute_name = steps.split(", ")[:2]
    assert attribute(steps) == (value, [("BPC361", f"'{attribute_name}' of '{name}' is read as {what}")])


@pytest.mark.parametrize("steps", ["fixed_ips, 0, x", "ipv6_addresses, 0, x", "ipv4_addresses, -1"])
def test_lists_of_texts_have_no_parts(steps: str) -> None:
    value, found = attribute(f"on_net, {steps}")
    assert isinstance(value, Attribute)
    name = steps.partition(",")[0]
    assert found == [("BPC360", f"'{name}' of 'on_net' has another shape in Heat: it is a list of texts in Cloudify")]


SCALED = f"many: {{type: {V3}Network, capabilities: {{scalable: {{properties: {{default_instances: 2}}}}}}}}\n"


@pytest.mark.parametrize(
    ("steps", "value"),
    [
        ("many, id", AttributeList("many", "id")),
        ("many, external_name", AttributeList("many", "name")),
        ("many, other", AttributeList("many", "other")),
        ("web, id", [Identity("web")]),
        ("web, ip", [Attribute("web", "first_address")]),
        ("web, nothing", AttributeList("web", "nothing")),
        ("plain, id", AttributeList("plain", "id")),
        ("shown, x", [Attribute("shown", "x")]),
        ("gone, id", AttributeList("gone", "id")),
    ],
)
def test_an_attribute_of_all_instances(steps: str, value: Any) -> None:
    assert output(f"{{get_attributes_list: [{steps}]}}", SCALED)[0] == value
