"""What depends on other nodes in neutral form: helpers of the conversion, instances, targets, order, names."""

from __future__ import annotations

from typing import Any

import pytest
from neutral_form import REL, UUID, V2, V3, Lifted, lifted, one, related
from pass_requests import restored

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Attribute, Identity, Input, Query

# -- what the conversion from HOT adds ----------------------------------------------------------------------


def test_barriers_vanish() -> None:
    found = lifted(
        f"t: {{type: {V3}Network}}\n"
        f"t_barrier: {{type: cloudify.nodes.Root, relationships: [{{type: {REL}depends_on, target: t}}]}}\n"
        f"s: {{type: {V3}Server, relationships: [{{type: {REL}depends_on, target: t_barrier}}]}}"
    )
    assert list(found.topology.nodes) == ["t", "s"]
    assert found.node("s").awaited == ["t"]
    assert found.properties("s") == {}


@pytest.mark.parametrize("change", ["properties: {x: 1}", "interfaces: {i: {o: {implementation: a.sh}}}"])
def test_nodes_that_say_more_are_no_barriers(change: str) -> None:
    found = lifted(
        "t: {type: cloudify.nodes.Root}\n"
        f"t_barrier: {{type: cloudify.nodes.Root, {change}, relationships: [{{type: {REL}depends_on, target: t}}]}}\n"
        f"s: {{type: {V3}Server, relationships: [{{type: {REL}depends_on, target: t_barrier}}]}}"
    )
    assert "t_barrier" in found.topology.nodes


DEFAULT_GROUP = (
    f"external_default: {{type: {V3}SecurityGroup, properties:"
    " {use_external_resource: true, resource_config: {id: default}}}\n"
)
IN_DEFAULT = f"{{type: {REL}openstack.port_connected_to_security_group, target: external_default}}"


def test_the_default_group_of_ports_goes_without_saying() -> None:
    found = lifted(f"{DEFAULT_GROUP}p: {{type: {V3}Port, relationships: [{IN_DEFAULT}]}}")
    assert found.properties("p") == {}
    assert list(found.topology.nodes) == ["p"]


def interface(name: str, rest: str = "") -> Lifted:
    return lifted(
        f"{DEFAULT_GROUP}net: {{type: {V3}Network}}\nsub: {{type: {V3}Subnet}}\n"
        f"{name}: {{type: {V3}Port, properties: {{resource_config: {{fixed_ips:"
        f" [{{subnet_id: {{get_attribute: [sub, id]}}, ip_address: 10.0.0.1}}]}}}},"
        f" relationships: [{{type: {REL}connected_to, target: net}}, {IN_DEFAULT}]}}\n"
        f"web: {{type: {V3}Server, relationships: [{{type: {REL}connected_to, target: {name}}}]}}",
        rest,
    )


def test_ports_of_interfaces_are_part_of_the_server() -> None:
    found = interface("web_port_0")
    item = {"network": Identity("net"), "subnet": Identity("sub"), "fixed_ip": "10.0.0.1"}
    assert found.properties("web") == {"networks": [item]}
    assert list(found.topology.nodes) == ["net", "sub", "web"]


def test_ports_that_are_used_elsewhere_stay() -> None:
    found = interface("web_port_0", "outputs: {o: {value: {get_attribute: [web_port_0, id]}}}")
    assert found.properties("web") == {"networks": [{"port": Identity("web_port_0")}]}
    assert interface("other_port").properties("web") == {"networks": [{"port": Identity("other_port")}]}


def test_stand_ins_are_themselves_again() -> None:
    found = lifted(
        "a:\n  type: bpconvert.nodes.HeatResource\n  properties:\n    heat_type: OS::Neutron::AddressScope\n"
        "    heat_properties: {handle: {get_attribute: [b, id]}}\n"
        "b:\n  type: bpconvert.nodes.HeatResource\n  properties:\n    heat_type: OS::Neutron::Port\n"
        "    heat_properties: {network_id: x}\n",
        "node_types:\n  bpconvert.nodes.HeatResource:\n    derived_from: cloudify.nodes.Root\n    properties:\n"
        "      heat_type: {type: string}\n      heat_properties: {default: {}}\n",
    )
    restored(found.topology)
    a, b = found.node("a"), found.node("b")
    assert (a.kind, a.native, a.source_type) == (None, "hot", "OS::Neutron::AddressScope")
    assert a.properties == {"handle": Identity("b")}
    assert (b.kind, b.native, b.properties, b.aliases) == ("port", "hot", {"network": "x"}, {"network": "network_id"})
    assert b.origin("network")[-2:] == ("heat_properties", "network_id")


# -- several instances --------------------------------------------------------------------------------------

SCALED = "capabilities: {scalable: {properties: {default_instances: %s}}}"


@pytest.mark.parametrize(
    ("count", "name", "value"),
    [
        ("1", "ip", [Attribute("n", "first_address")]),
        ("1", "id", [Identity("n")]),
        ("3", "ip", ex.AttributeList("n", "first_address")),
        ("3", "id", ex.AttributeList("n", "id")),
        ("3", "unheard_of", ex.AttributeList("n", "unheard_of")),
    ],
)
def test_attributes_of_all_instances(count: str, name: str, value: Any) -> None:
    outputs = f"outputs: {{o: {{value: {{get_attributes_list: [n, {name}]}}}}}}"
    found = lifted(f"n: {{type: {V3}Server, {SCALED % count}}}", outputs)
    assert found.topology.outputs["o"].value == value


@pytest.mark.parametrize(("source", "target"), [("3", "1"), ("1", "3")])
def test_one_attachment_for_the_first_of_several(source: str, target: str) -> None:
    attached = f"relationships: [{{type: {REL}openstack.volume_attached_to_server, target: t}}]"
    found = lifted(
        f"t: {{type: {V3}Server, {SCALED % target}}}\ns: {{type: {V3}Volume, {SCALED % source}, {attached}}}"
    )
    assert found.node("s_attachment").instances is MISSING
    assert [code for code, _ in found.told] == ["BPC413", "BPC419"]


def test_no_attachment_without_instances() -> None:
    attached = f"relationships: [{{type: {REL}openstack.volume_attached_to_server, target: t}}]"
    found = lifted(f"t: {{type: {V3}Server, {SCALED % 0}}}\ns: {{type: {V3}Volume, {attached}}}")
    assert "s_attachment" not in found.topology.nodes
    assert found.told == [("BPC375", "node_templates.s.relationships.0")]


def test_no_instances_of_what_others_name() -> None:
    outputs = "outputs: {o: {value: {get_attribute: [n, ip]}}}"
    found = lifted(f"n: {{type: {V3}Server, {SCALED % 0}}}", outputs)
    assert (found.node("n").instances, found.node("n").condition) == (0, MISSING)


# -- what the target is -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("network", "gateway", "codes"),
    [
        ("{}", False, []),
        ("{resource_config: {kwargs: {'router:external': false}}}", False, ["BPC355"]),
        ("{resource_config: {kwargs: {'router:external': true}}}", True, ["BPC355"]),
        ("{resource_config: {kwargs: {external: true}}}", True, ["BPC355"]),
        ("{resource_config: {kwargs: {'router:external': {get_input: x}}}}", True, ["BPC355", "BPC417"]),
        ("{use_external_resource: true, resource_config: {name: n}}", True, []),
    ],
)
def test_gateways_are_external_networks(network: str, gateway: bool, codes: list[str]) -> None:
    found = lifted(
        f"t: {{type: {V3}Network, properties: {network}}}\n"
        f"s: {{type: {V3}Router, relationships: [{{type: {REL}connected_to, target: t}}]}}",
        "inputs: {x: {}}",
    )
    said = {"external_gateway_info": {"network": Identity("t")}} if gateway else {}
    assert found.properties("s") == said
    assert found.node("s").awaited == ([] if gateway else ["t"])
    assert [code for code, _ in found.told] == codes


BOOT = f"{{type: {V3}Volume, properties: {{device_name: %s, resource_config: {{imageRef: i}}}}}}"
BOOTED = f"relationships: [{{type: {REL}depends_on, target: a}}, {{type: {REL}depends_on, target: b}}]"


def test_several_volumes_to_boot_from() -> None:
    found = lifted(f"b: {BOOT % 'auto'}\na: {BOOT % 'vda'}\ns: {{type: {V3}Server, {BOOTED}}}")
    assert found.properties("s")["block_device_mapping_v2"] == [
        {"volume_id": Identity("a"), "delete_on_termination": True, "device_name": "vda", "boot_index": 0},
        {"volume_id": Identity("b"), "delete_on_termination": True, "boot_index": 1},
    ]
    assert found.told == []


def test_volumes_to_boot_from_beside_a_property() -> None:
    device = "{source_type: volume, uuid: u, boot_index: 0}"
    kwargs = f"properties: {{resource_config: {{kwargs: {{block_device_mapping_v2: [{device}]}}}}}}"
    found = lifted(f"b: {BOOT % 'auto'}\na: {BOOT % 'auto'}\ns: {{type: {V3}Server, {kwargs}, {BOOTED}}}")
    items = found.properties("s")["block_device_mapping_v2"]
    assert [item.get("boot_index") for item in items] == [None, 1, 2]


def test_an_image_and_volumes_to_boot_from() -> None:
    found = lifted(
        f"b: {BOOT % 'auto'}\na: {BOOT % 'auto'}\ns: {{type: {V3}Server, properties: {{image: i}}, {BOOTED}}}"
    )
    indices = [item["boot_index"] for item in found.properties("s")["block_device_mapping_v2"]]
    assert indices == [-1, -1]
    assert [code for code, _ in found.told] == ["BPC373", "BPC373"]


PORT_T, NET_T = {"port": Identity("t")}, {"network": Identity("t")}


@pytest.mark.parametrize(
    ("types", "nics", "target", "networks", "codes"),
    [
        (V3, "[{uuid: x}]", "Network", [{"network": "x"}], ["BPC410"]),
        (V3, "[{port: x}]", "Port", [{"port": "x"}], ["BPC410"]),
        (V3, "[{uuid: x}]", "Port", [{"network": "x"}, PORT_T], []),
        (V3, "[{port: x}]", "Network", [{"port": "x"}, NET_T], []),
        (V3, "[{port: x}, {uuid: y}]", "Port", [{"port": "x"}, {"network": "y"}], ["BPC410"]),
        (V3, "[{uuid: {get_attribute: [t, id]}}]", "Network", [NET_T], []),
        (V2, "[{net-id: x}]", "Network", [{"network": "x"}, NET_T], []),
        (V2, "[{port-id: x}]", "Port", [{"port": "x"}, PORT_T], []),
        (V2, "[{net-id: x}, {port-id: y}]", "Port", [{"network": "x"}, {"port": "y"}, PORT_T], []),
        (V2, "[{port-id: {get_attribute: [t, id]}}]", "Port", [PORT_T], []),
    ],
)
def test_interfaces_as_a_property_and_a_relationship(
    types: str, nics: str, target: str, networks: Any, codes: list[str]
) -> None:
    settings = f"{{resource_config: {{networks: {nics}}}}}" if types == V3 else f"{{server: {{nics: {nics}}}}}"
    found = related(f"{types}Server", f"{types}{target}", f"{REL}connected_to", settings)
    assert found.properties("s")["networks"] == networks
    assert [code for code, _ in found.told] == codes


def test_interfaces_that_a_call_yields_and_a_relationship() -> None:
    found = lifted(
        f"t: {{type: {V3}Network}}\n"
        f"s: {{type: {V3}Server, properties: {{resource_config: {{networks: {{get_input: x}}}}}},"
        f" relationships: [{{type: {REL}connected_to, target: t}}]}}",
        "inputs: {x: {}}",
    )
    assert found.properties("s") == {"networks": Input("x", strict=True)}
    assert [code for code, _ in found.told] == ["BPC410"]


def test_interfaces_of_the_property_come_first_and_ports_that_join_last() -> None:
    found = lifted(
        f"late: {{type: {V3}Port, relationships:"
        f" [{{type: {REL}openstack.port_connected_to_server, target: s}}]}}\n"
        f"net: {{type: {V3}Network}}\n"
        f"port: {{type: {V3}Port, relationships: [{{type: {REL}connected_to, target: net}}]}}\n"
        f"s: {{type: {V2}Server, properties: {{server: {{nics: [{{net-id: {{get_attribute: [net, id]}}}}]}}}},"
        f" relationships: [{{type: {REL}connected_to, target: port}}]}}"
    )
    names = [next(iter(item.values())).node for item in found.properties("s")["networks"]]
    assert names == ["net", "port", "late"]


def test_floating_ip_of_a_server_that_exists() -> None:
    relationship = f"{REL}openstack.server_connected_to_floating_ip"
    existing = f"{{use_external_resource: true, resource_config: {{id: {UUID}}}}}"
    found = related(f"{V3}Server", f"{V3}FloatingIP", relationship, existing)
    assert found.node("t_association").properties == {"server_id": Identity("s"), "floating_ip": Identity("t")}
    named = "{use_external_resource: true, resource_config: {name: web}}"
    found = related(f"{V3}Server", f"{V3}FloatingIP", relationship, named)
    said = [diagnostic.message for diagnostic in found.diagnostics if diagnostic.code == "BPC414"]
    assert said == ["'t' is not associated with 's': the server exists already, and its id is needed"]


def test_existing_volumes_are_attached_by_id() -> None:
    attached = f"relationships: [{{type: {REL}openstack.volume_attached_to_server, target: t}}]"
    existing = "{use_external_resource: true, device_name: /dev/vdb, resource_config: {name: v}}"
    found = lifted(f"t: {{type: {V3}Server}}\ns: {{type: {V3}Volume, properties: {existing}, {attached}}}")
    assert [code for code, _ in found.told] == ["BPC413", "BPC374"]
    assert found.node("s_attachment").properties["mountpoint"] == "/dev/vdb"


def test_what_the_plugin_changes_about_a_port_that_exists() -> None:
    pairs = "{use_external_resource: true, resource_config: {name: p, allowed_address_pairs: [{ip_address: 10.0.0.1}]}}"
    assert [code for code, _ in one(f"{V3}Port", pairs).told] == ["BPC352"]


# -- order --------------------------------------------------------------------------------------------------


def test_what_waits_for_a_server_waits_for_its_floating_ip() -> None:
    found = lifted(
        f"p: {{type: {V3}Port, relationships: [{{type: {REL}openstack.port_connected_to_floating_ip, target: f}}]}}\n"
        f"f: {{type: {V3}FloatingIP}}\ng: {{type: {V3}FloatingIP}}\nnet: {{type: {V3}Network}}\n"
        f"s: {{type: {V3}Server, relationships: [{{type: {REL}connected_to, target: p}},"
        f" {{type: {REL}openstack.server_connected_to_floating_ip, target: g}}]}}\n"
        f"app: {{type: cloudify.nodes.WebServer, relationships: [{{type: {REL}contained_in, target: s}}]}}\n"
        f"other: {{type: cloudify.nodes.Root, relationships: [{{type: {REL}depends_on, target: p}}]}}"
    )
    assert found.node("s").awaited == ["f_association"]
    assert found.node("app").awaited == ["s", "g_association"]
    assert found.node("app").waits[1].path == ("node_templates", "app", "relationships", 0)
    assert found.node("other").awaited == ["p", "f_association"]


def test_floating_ips_that_wait_for_the_server_themselves() -> None:
    found = lifted(
        f"p: {{type: {V3}Port, relationships: [{{type: {REL}openstack.port_connected_to_floating_ip, target: f}}]}}\n"
        f"f: {{type: {V3}FloatingIP, relationships: [{{type: {REL}depends_on, target: s}}]}}\n"
        f"s: {{type: {V3}Server, relationships: [{{type: {REL}connected_to, target: p}}]}}"
    )
    assert found.node("s").awaited == []
    assert found.node("f").awaited == ["s"]


# -- names --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        "{get_attribute: [g, external_name]}",
        "{get_attribute: [g, name]}",
        "{get_property: [g, security_group, name]}",
        "web",
    ],
)
def test_the_name_of_a_group_of_the_blueprint(name: str) -> None:
    found = lifted(
        f"g: {{type: {V2}SecurityGroup, properties: {{security_group: {{name: web}}}}}}\n"
        f"s: {{type: {V2}Server, properties: {{server: {{security_groups: [{name}, {{name: other}}]}}}}, relationships:"
        " [{type: cloudify.openstack.server_connected_to_security_group, target: g}]}"
    )
    assert found.properties("s") == {"security_groups": [Identity("g"), "other"]}
    assert found.node("s").awaited == []


def test_the_name_of_something_else_stays() -> None:
    found = lifted(
        f"g: {{type: {V3}SecurityGroup, properties: {{resource_config: {{name: web}}}}}}\n"
        f"s: {{type: {V3}Port, properties: {{resource_config: {{security_groups: [web]}}}}}}"
    )
    assert found.properties("s") == {"security_groups": ["web"]}


@pytest.mark.parametrize("name", ["{get_attribute: [k, name]}", "{get_property: [k, resource_config, name]}", "key"])
def test_the_name_of_a_key_of_the_blueprint(name: str) -> None:
    found = lifted(
        f"k: {{type: {V3}KeyPair, properties: {{resource_config: {{name: key, public_key: x}}}}}}\n"
        f"s: {{type: {V3}Server, properties: {{resource_config: {{key_name: {name}}}}},"
        f" relationships: [{{type: {REL}connected_to, target: k}}]}}"
    )
    assert found.properties("s") == {"key_name": Identity("k")}
    assert [code for code, _ in found.told] == (["BPC412"] if name == "key" else [])


@pytest.mark.parametrize(("default", "query"), [("[{name: a}]", True), ("[a]", False), ("[]", True)])
def test_groups_that_an_input_has(default: str, query: bool) -> None:
    groups = "{resource_config: {security_groups: {get_input: groups}}}"
    value = one(f"{V3}Server", groups, f"inputs: {{groups: {{default: {default}}}}}").properties("n")["security_groups"]
    assert isinstance(value, Query) is query


@pytest.mark.parametrize(
    ("nics", "networks", "codes"),
    [
        ("[]", [{"network": "m"}], ["BPC409"]),
        ("[{net-id: m}]", [{"network": "m"}], ["BPC409"]),
        ("[{net-id: x}]", [{"network": "x"}], ["BPC352"]),
    ],
)
def test_the_management_network(nics: str, networks: Any, codes: list[str]) -> None:
    found = one(f"{V2}Server", f"{{management_network_name: m, server: {{nics: {nics}}}}}")
    assert found.properties("n") == {"networks": networks}
    assert [code for code, _ in found.told] == codes


def test_a_management_network_of_the_blueprint() -> None:
    found = lifted(
        f"net: {{type: {V2}Network, properties: {{network: {{name: m}}}}}}\nip: {{type: {V2}FloatingIP}}\n"
        f"s: {{type: {V2}Server, properties: {{management_network_name: {{get_attribute: [net, external_name]}}}},"
        " relationships: [{type: cloudify.openstack.server_connected_to_floating_ip, target: ip}]}"
    )
    assert found.properties("s") == {"networks": [{"network": Identity("net")}]}
    assert found.node("ip_association").properties["port_id"] == Attribute(
        "s", "addresses", (Identity("net"), 0, "port")
    )


def test_nodes_in_different_clouds() -> None:
    found = lifted(
        f"a: {{type: {V3}Network, properties: {{client_config: {{auth_url: u, region_name: one}}}}}}\n"
        f"b: {{type: {V3}Network, properties: {{client_config: {{auth_url: u, region_name: two}}}}}}\n"
        f"c: {{type: {V3}Network, properties: {{client_config: {{auth_url: u, username: two}}}}}}"
    )
    assert found.told == [("BPC372", "node_templates.b.properties.client_config.region_name")]


def test_the_address_of_a_port_with_one() -> None:
    port = f"{{type: {V3}Port, properties: {{resource_config: {{fixed_ips: [{{ip_address: 10.0.0.1}}]}}}}}}"
    outputs = "outputs: {o: {value: {get_attribute: [port, ipv4_address]}}}"
    found = lifted(f"port: {port}", outputs)
    assert found.topology.outputs["o"].value == Attribute("port", "fixed_ips", (0, "ip_address"))
    related_port = (
        f"net: {{type: {V3}Network}}\n"
        f"sub: {{type: {V3}Subnet, relationships: [{{type: {REL}contained_in, target: net}}]}}\n"
        f"port: {{type: {V3}Port, relationships: [{{type: {REL}connected_to, target: net}}]}}"
    )
    found = lifted(related_port, outputs)
    assert found.topology.outputs["o"].value == Attribute("port", "fixed_ips", (0, "ip_address"))


@pytest.mark.parametrize(
    "name", ["own", "g", "{get_attribute: [g, name]}", "{get_property: [g, resource_id]}", "{get_input: x}"]
)
def test_a_group_of_the_blueprint_by_its_name(name: str) -> None:
    rule = f"{{remote_group_name: {name}, protocol: null, port: null}}"
    found = lifted(
        f"g: {{type: {V2}SecurityGroup, properties: {{resource_id: {{get_input: x}}, security_group: {{name: own}}}}}}"
        f"\nn: {{type: {V2}SecurityGroup, properties: {{rules: [{rule}]}}}}",
        "inputs: {x: {}}",
    )
    assert found.properties("n")["rules"] == [{"remote_group_id": Identity("g"), "remote_mode": "remote_group_id"}]


def test_a_group_by_its_own_name() -> None:
    found = one(f"{V2}SecurityGroup", "{rules: [{remote_group_name: n, protocol: null, port: null}]}")
    assert found.properties("n")["rules"] == [{"remote_mode": "remote_group_id"}]


def test_a_node_without_instances_is_told() -> None:
    count = "capabilities: {scalable: {properties: {default_instances: 0}}}"
    found = lifted(f"n: {{type: {V3}Network, {count}}}")
    assert found.node("n").condition is False
    places = [d.path for d in found.diagnostics if d.code == "BPC423"]
    assert places == [("node_templates", "n", "capabilities", "scalable", "properties", "default_instances")]


@pytest.mark.parametrize(
    ("node_type", "key"), [(f"{V2}Unknown", "openstack_config"), (f"{V3}NetworkBase", "client_config")]
)
def test_credentials_of_nodes_that_are_no_resources(node_type: str, key: str) -> None:
    found = one(node_type, f"{{{key}: {{username: u, password: secret}}, resource_id: r}}")
    assert found.node("n").kind is None
    assert key not in found.properties("n")
    assert found.properties("n")["resource_id"] == "r"
    assert [d.path for d in found.diagnostics if d.code == "BPC350"] == [("node_templates", "n", "properties", key)]


def test_other_nodes_keep_what_they_call_credentials() -> None:
    found = one("cloudify.nodes.Root", "{client_config: {username: u}}")
    assert found.properties("n") == {"client_config": {"username": "u"}}


def test_credentials_of_operations_of_nodes_that_are_no_resources() -> None:
    inputs = "{client_config: {username: u}, args: {}}"
    create = f"{{implementation: a.sh, inputs: {inputs}}}"
    found = lifted(
        f"n: {{type: {V3}NetworkBase, interfaces: {{cloudify.interfaces.lifecycle: {{create: {create}}}}}}}"
    )
    (operation,) = (one for one in found.node("n").operations if "args" in one.inputs)
    assert "client_config" not in operation.inputs
    assert [d.code for d in found.diagnostics if d.code == "BPC350"] == ["BPC350"]


def test_an_existing_group_that_is_known_by_its_name() -> None:
    rule = "{remote_group_name: own, protocol: null, port: null}"
    found = lifted(
        f"g: {{type: {V2}SecurityGroup, properties: {{use_external_resource: true, resource_id: own}}}}\n"
        f"n: {{type: {V2}SecurityGroup, properties: {{rules: [{rule}]}}}}"
    )
    assert found.told == [("BPC374", "node_templates.n.properties.rules.0.remote_group_name")]
