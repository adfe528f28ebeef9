"""Operations, names of the 2.x plugin and runtime attributes in neutral form."""

from __future__ import annotations

from typing import Any

import pytest
from neutral_form import DEFAULT_RULES, REL, V2, V3, Lifted, lifted, one

from bpconvert.diagnostics import Reporter
from bpconvert.models.expressions import Attribute, Foreign, Identity, Input, ListConcat, Property, Query
from bpconvert.models.topology import Operation, Topology
from bpconvert.translators.catalogue.types import builtin
from bpconvert.translators.cloudify.read.nodes import neutralise
from bpconvert.translators.toscalike.node_templates import RawNode
from bpconvert.yamlio.document import load

# -- operations ---------------------------------------------------------------------------------------------


def with_operation(type_name: str, properties: dict[str, Any], name: str, inputs: dict[str, Any]) -> Lifted:
    """One node that gives inputs to an operation of the plugin."""
    path = ("node_templates", "n", "interfaces", "cloudify.interfaces.lifecycle", name)
    operation = Operation("cloudify.interfaces.lifecycle", name, "openstack.plugin.run", inputs, path=path)
    node = RawNode("n", type_name, [type_name], properties, properties, path=("node_templates", "n"))
    node.operations.append(operation)
    reporter = Reporter(load("{}", "blueprint.yaml"))
    topology = Topology("cloudify", "cloudify_dsl_1_3")
    neutralise(topology, {"n": node}, builtin(), reporter)
    return Lifted(topology, reporter.diagnostics)


def test_settings_in_the_inputs_of_the_plugins_operations() -> None:
    own = Property("n", "resource_config")
    properties = {"resource_config": {"name": "a", "admin_state_up": False}}
    found = with_operation(f"{V3}Network", properties, "create", {"resource_config": own})
    assert found.properties("n") == {"name": "a", "admin_state_up": False}
    assert found.told == []
    given = {"resource_config": {"name": "b", "kwargs": {"shared": True}}}
    found = with_operation(f"{V3}Network", properties, "create", given)
    assert found.properties("n") == {"name": "b", "admin_state_up": False, "shared": True}
    place = "node_templates.n.interfaces.cloudify.interfaces.lifecycle.create.inputs.resource_config"
    assert found.told == [("BPC366", place)]
    assert ".".join(map(str, found.node("n").origin("name"))) == f"{place}.name"


def test_arguments_of_the_2x_plugin() -> None:
    given = {"args": {"image": "i", "server": {"userdata": "u"}}}
    found = with_operation(f"{V2}Server", {"flavor": "f", "image": "j"}, "create", given)
    assert found.properties("n") == {"image": "i", "flavor": "f", "user_data": "u", "user_data_format": "RAW"}
    assert [code for code, _ in found.told] == ["BPC366"]


def test_other_inputs_of_the_plugins_operations() -> None:
    found = with_operation(f"{V3}Server", {}, "start", {"routes": [{"destination": "d"}], "empty": []})
    assert [code for code, _ in found.told] == ["BPC367"]
    create = "{cloudify.interfaces.lifecycle: {create: {inputs: {a: 1}, max_retries: 3}}}"
    found = lifted(f"n: {{type: {V3}Router, interfaces: {create}}}")
    place = "node_templates.n.interfaces.cloudify.interfaces.lifecycle.create"
    assert found.told == [("BPC367", f"{place}.inputs.a"), ("BPC351", f"{place}.max_retries")]
    found = lifted("n: {type: cloudify.nodes.aws.X, interfaces: {i: {start: {inputs: {routes: [1]}}}}}")
    assert "BPC153" in [diagnostic.code for diagnostic in found.diagnostics]


# -- the 2.x plugin -----------------------------------------------------------------------------------------


def test_a_server_of_the_2x_plugin() -> None:
    server = (
        "{server: {name: s, image: i, flavor: f, userdata: u, security_groups: [a],"
        " nics: [{net-id: n, v4-fixed-ip: 10.0.0.1}, {port-id: p}]}, management_network_name: m}"
    )
    found = one(f"{V2}Server", server)
    assert found.properties("n") == {
        "name": "s", "image": "i", "flavor": "f", "user_data": "u", "user_data_format": "RAW",
        "networks": [{"network": "n", "fixed_ip": "10.0.0.1"}, {"port": "p"}],
    }  # fmt: skip
    assert found.node("n").origin("networks", 0, "network")[3:] == ("server", "nics", 0, "net-id")
    place = "node_templates.n.properties"
    assert found.told == [
        ("BPC352", f"{place}.management_network_name"), ("BPC416", f"{place}.server.security_groups"),
        ("BPC416", f"{place}.server.security_groups"),
    ]  # fmt: skip


def test_resource_id_is_the_name_of_what_is_created() -> None:
    assert one(f"{V2}Network", "{resource_id: mine}").properties("n") == {"name": "mine"}
    assert one(f"{V2}Network", "{resource_id: '', network: {name: b}}").properties("n") == {"name": "b"}
    found = one(f"{V2}Network", "{resource_id: a, network: {name: b}}")
    assert found.properties("n") == {"name": "b"}
    assert found.told == [("BPC362", "node_templates.n.properties.resource_id")]
    found = one(f"{V2}KeyPair", "{resource_id: key, keypair: {public_key: k}}")
    assert found.properties("n") == {"name": "key", "public_key": "k"}
    assert one(f"{V2}FloatingIP", "{resource_id: ip}").told == [("BPC351", "node_templates.n.properties.resource_id")]


def test_names_of_the_2x_plugin_that_outputs_read() -> None:
    outputs = (
        "outputs: {s: {value: {get_attribute: [s, external_name]}}, g: {value: {get_attribute: [g, external_name]}}}"
    )
    found = lifted(
        f"s: {{type: {V2}Server}}\ng: {{type: {V2}SecurityGroup, properties: {{resource_id: mine}}}}", outputs
    )
    assert found.topology.outputs["s"].value == Attribute("s", "name")
    # Heat's groups have no such attribute
    assert found.topology.outputs["g"].value == Property("g", "resource_id")


def test_properties_with_names_that_are_no_texts() -> None:
    found = one(f"{V3}Network", "{1: a, true: b, null: c, resource_config: {2.5: d}}")
    assert {code for code, _ in found.told} <= {"BPC301", "BPC355"}


@pytest.mark.parametrize(
    ("rule", "heat", "filled"),
    [
        ("{port: 22}", {"protocol": "tcp", "port_range_min": 22, "port_range_max": 22}, True),
        ("{protocol: udp, port_range_min: 1, port_range_max: 9, remote_ip_prefix: 10.0.0.0/8}",
         {"protocol": "udp", "port_range_min": 1, "port_range_max": 9, "remote_ip_prefix": "10.0.0.0/8"}, False),
        ("{protocol: null, port_range_min: null, port_range_max: null}", {}, False),
        ("{ethertype: IPv6, port: 1}",
         {"ethertype": "IPv6", "protocol": "tcp", "port_range_min": 1, "port_range_max": 1,
          "remote_ip_prefix": "0.0.0.0/0"},
         True),
        ("{remote_group_node: other, port: 1}",
         {"remote_group_id": Identity("other"), "remote_mode": "remote_group_id", "protocol": "tcp",
          "port_range_min": 1, "port_range_max": 1}, True),
    ],
)  # fmt: skip
def test_rules_of_the_2x_plugin(rule: str, heat: Any, filled: bool) -> None:
    found = one(f"{V2}SecurityGroup", f"{{rules: [{rule}], description: d}}")
    assert found.properties("n") == {"rules": [heat], "description": "d"}
    assert [code for code, _ in found.told] == (["BPC357"] if filled else [])


def test_a_group_by_its_name() -> None:
    found = one(f"{V2}SecurityGroup", "{rules: [{remote_group_name: g, protocol: null, port: null}]}")
    asked = Foreign("cloudify", "remote_group_name", "g")
    assert found.properties("n")["rules"] == [{"remote_group_id": asked, "remote_mode": "remote_group_id"}]


def test_properties_keep_the_order_of_the_blueprint() -> None:
    found = one(f"{V3}Server", "{resource_config: {user_data: u, name: n}, flavor: f, image: i}")
    assert list(found.properties("n")) == ["user_data", "user_data_format", "name", "flavor", "image"]


def test_rules_of_the_2x_plugin_that_are_not_written_out() -> None:
    found = one(f"{V2}SecurityGroup", "{rules: {get_input: r}}", "inputs: {r: {}}")
    rules = found.properties("n")["rules"]
    assert isinstance(rules, ListConcat)
    assert isinstance(rules.lists[0], Query)
    assert rules.lists[0].data == {"rules": Input("r", strict=True)}
    assert rules.lists[1] == DEFAULT_RULES
    assert [code for code, _ in found.told] == ["BPC358", "BPC369"]


# -- attributes ---------------------------------------------------------------------------------------------

CONNECTED = (
    f"net: {{type: {V3}Network}}\n"
    f"port: {{type: {V3}Port, relationships: [{{type: {REL}connected_to, target: net}},"
    f" {{type: {REL}openstack.port_connected_to_floating_ip, target: fip}}]}}\n"
    f"fip: {{type: {V3}FloatingIP}}\nvolume: {{type: {V3}Volume}}\n"
    f"group: {{type: {V3}SecurityGroup, properties: {{resource_config: {{name: g}}}}}}\n"
    f"server: {{type: {V3}Server, relationships: [{{type: {REL}connected_to, target: port}}]}}\n"
    "vm: {type: cloudify.nodes.Compute, properties: {ip: 10.0.0.1}}\n"
    "secret: {type: cloudify.nodes.PasswordSecret}\n"
    f"old: {{type: {V2}Network, properties: {{resource_id: x}}}}\n"
)
SWITCH = "switch($.data.v = null => null, true => $.data.v.select($.ip_address){})"


def query(part: str) -> Query:
    return Query(SWITCH.format(part), {"v": Attribute("port", "fixed_ips")})


@pytest.mark.parametrize(
    ("call", "value", "codes"),
    [
        ("[server, id]", Identity("server"), []),
        ("[old, external_id]", Identity("old"), []),
        ("[secret, password]", Identity("secret"), []),
        ("[server, ip]", Attribute("server", "first_address"), []),
        ("[server, ipv4_address]", Attribute("server", "first_address"), []),
        ("[server, access_ipv4]", Attribute("server", "accessIPv4"), []),
        ("[server, public_ip]", Attribute("fip", "floating_ip_address"), []),
        ("[server, public_ip_address]", Attribute("fip", "floating_ip_address"), []),
        ("[server, ipv4_addresses, 0]", Attribute("port", "fixed_ips", (0, "ip_address")), ["BPC361"]),
        ("[server, ipv6_address]", query(".where(':' in $).first(null)"), ["BPC361"]),
        ("[port, fixed_ips, 1]", Attribute("port", "fixed_ips", (1, "ip_address")), []),
        ("[port, fixed_ips]", query(""), []),
        ("[port, fixed_ips, 0, 1]", Attribute("port", "fixed_ips", (0, 1)), ["BPC360"]),
        ("[port, ipv4_address]", query(".where(not (':' in $)).first(null)"), []),
        ("[port, ipv6_address]", query(".where(':' in $).first(null)"), []),
        ("[port, ipv4_addresses]", query(".where(not (':' in $))"), []),
        ("[port, ipv6_addresses, 1]", query(".where(':' in $).skip(1).first(null)"), []),
        ("[port, mac_address]", Attribute("port", "mac_address"), []),
        ("[volume, name]", Attribute("volume", "display_name"), []),
        ("[old, external_name]", Attribute("old", "name"), []),
        ("[group, name]", Property("group", "resource_config", ("name",)), []),
        ("[vm, ip]", Property("vm", "ip"), []),
        ("[server, unheard_of]", Attribute("server", "unheard_of"), []),
    ],
)
def test_attributes(call: str, value: Any, codes: list[str]) -> None:
    """In outputs, in inputs with branches, and in other nodes."""
    rest = (
        f"outputs: {{o: {{value: {{get_attribute: {call}}}}}}}\ninputs: {{i: {{default: [{{get_attribute: {call}}}]}}}}"
    )
    found = lifted(
        CONNECTED + f"last: {{type: cloudify.nodes.Root, properties: {{x: {{get_attribute: {call}}}}}}}", rest
    )
    assert found.topology.outputs["o"].value == value
    assert found.topology.inputs["i"].default == [value]
    assert found.properties("last") == {"x": value}
    assert found.node("last").declared["x"] == value
    told = [code for code, place in found.told if place.startswith("outputs")]
    assert told == codes


def test_the_address_that_the_agent_uses() -> None:
    found = lifted(
        f"fip: {{type: {V3}FloatingIP}}\n"
        f"server: {{type: {V3}Server, properties: {{use_public_ip: true}},"
        f" relationships: [{{type: {REL}openstack.server_connected_to_floating_ip, target: fip}}]}}",
        "outputs: {o: {value: {get_attribute: [server, ip]}}}",
    )
    assert found.topology.outputs["o"].value == Attribute("fip", "floating_ip_address")


# -- what the plugin does not do ----------------------------------------------------------------------------


def emptied(operation: str, rest: str = "") -> Lifted:
    interfaces = f"interfaces: {{cloudify.interfaces.lifecycle: {{{operation}}}}}"
    return lifted(f"n: {{type: {V3}Network, {interfaces}{rest}}}")


@pytest.mark.parametrize("operation", ["delete: {}", "delete: {implementation: ''}"])
def test_what_is_not_deleted_is_retained(operation: str) -> None:
    found = emptied(operation)
    assert found.node("n").extra == {"deletion_policy": "Retain"}
    assert found.told == [("BPC370", "node_templates.n.interfaces.cloudify.interfaces.lifecycle.delete")]
    assert emptied(operation, ", properties: {use_external_resource: true, resource_config: {name: n}}").told == []


def test_a_type_whose_resources_are_not_deleted() -> None:
    types = (
        f"node_types:\n  my.Net: {{derived_from: {V3}Network,"
        " interfaces: {cloudify.interfaces.lifecycle: {delete: {}}}}\n"
    )
    found = one("my.Net", "{}", types)
    assert found.node("n").extra == {"deletion_policy": "Retain"}
    assert [code for code, _ in found.told] == ["BPC370"]


def test_other_operations_that_are_switched_off() -> None:
    found = emptied("create: {}, start: {}")
    assert found.node("n").extra == {}
    assert found.told == [("BPC371", "node_templates.n.interfaces.cloudify.interfaces.lifecycle.create")]
    establish = "source_interfaces: {cloudify.interfaces.relationship_lifecycle: {establish: {}}}"
    found = lifted(
        f"t: {{type: {V3}Server}}\ns: {{type: {V3}Volume, relationships:"
        f" [{{type: {REL}openstack.volume_attached_to_server, target: t, {establish}}}]}}"
    )
    assert [code for code, _ in found.told] == ["BPC371", "BPC413"]


@pytest.mark.parametrize(("operation", "told"), [("postconfigure", ["BPC371", "BPC413"]), ("establish", ["BPC413"])])
def test_a_relationship_that_is_switched_off_where_it_does_its_work(operation: str, told: list[str]) -> None:
    """The plugin makes the interface of a router in postconfigure; there is nothing else to switch off."""
    off = f"target_interfaces: {{cloudify.interfaces.relationship_lifecycle: {{{operation}: {{}}}}}}"
    found = lifted(
        f"r: {{type: {V3}Router}}\nn: {{type: {V3}Network}}\np: {{type: {V3}Port, relationships:"
        f" [{{type: {REL}connected_to, target: n}},"
        f" {{type: {REL}openstack.port_connected_to_router, target: r, {off}}}]}}"
    )
    assert [code for code, _ in found.told] == told
