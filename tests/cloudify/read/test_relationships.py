"""What relationships mean in neutral form."""

from __future__ import annotations

from typing import Any

import pytest
from neutral_form import REL, V2, V3, lifted, related

from bpconvert.models.expressions import Attribute, Identity, Input
from bpconvert.models.topology import ORDER

# -- relationships ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("relationship", ["depends_on", "connected_to", "contained_in"])
@pytest.mark.parametrize(
    ("source", "target", "said"),
    [
        ("Server", "Network", {"networks": [{"network": Identity("t")}]}),
        ("Server", "Port", {"networks": [{"port": Identity("t")}]}),
        ("Server", "SecurityGroup", {"security_groups": [Identity("t")]}),
        ("Server", "KeyPair", {"key_name": Identity("t")}),
        ("Port", "Network", {"network": Identity("t"), "security_groups": []}),
        ("Port", "SecurityGroup", {"security_groups": [Identity("t")]}),
        ("Subnet", "Network", {"network": Identity("t")}),
        ("FloatingIP", "Network", {"floating_network": Identity("t")}),
        ("FloatingIP", "Port", {"port_id": Identity("t")}),
        ("FloatingIP", "Subnet", {"floating_subnet": Identity("t")}),
    ],
)
def test_the_two_nodes_decide(source: str, target: str, said: Any, relationship: str) -> None:
    found = related(V3 + source, V3 + target, REL + relationship)
    assert found.properties("s") == said
    assert found.node("s").awaited == []
    name = next(iter(said))
    part = said[name] if isinstance(said[name], (list, dict)) else None
    steps = (name,) if part is None else (name, 0) if isinstance(part, list) else (name, "network")
    assert found.node("s").origin(*steps)[:4] == ("node_templates", "s", "relationships", 0)


@pytest.mark.parametrize(
    ("source", "target"),
    [("Server", "Subnet"), ("Port", "Subnet"), ("Subnet", "Router"), ("Port", "Router"), ("Volume", "Server"),
     ("Server", "FloatingIP"), ("SecurityGroupRule", "SecurityGroup"), ("Server", "Volume")],
)  # fmt: skip
def test_mere_order(source: str, target: str) -> None:
    config = "{resource_config: {protocol: tcp}}" if source == "SecurityGroupRule" else "{}"
    found = related(V3 + source, V3 + target, f"{REL}depends_on", config)
    assert found.node("s").awaited == ["t"]
    assert found.told == []


def test_property_and_relationship_say_the_same() -> None:
    config = "{resource_config: {network_id: {get_attribute: [t, id]}}}"
    found = related(f"{V3}Port", f"{V3}Network", f"{REL}connected_to", config)
    assert found.properties("s") == {"network": Identity("t"), "security_groups": []}
    assert found.told == []


def test_property_and_relationship_differ() -> None:
    found = related(f"{V3}Port", f"{V3}Network", f"{REL}connected_to", "{resource_config: {network_id: other}}")
    assert found.properties("s") == {"network": "other", "security_groups": []}
    assert found.node("s").awaited == ["t"]
    assert found.told == [("BPC410", "node_templates.s.relationships.0")]


def test_interfaces_are_ports_then_networks_in_the_order_of_the_relationships() -> None:
    found = lifted(
        f"a: {{type: {V3}Port}}\nb: {{type: {V3}Network}}\nc: {{type: {V3}Port}}\n"
        f"s:\n  type: {V3}Server\n  relationships:\n"
        + "".join(f"    - {{type: {REL}connected_to, target: {name}}}\n" for name in "cba")
    )
    networks = [{"port": Identity("c")}, {"port": Identity("a")}, {"network": Identity("b")}]
    assert found.properties("s") == {"networks": networks}
    places = [found.node("s").origin("networks", index)[-1] for index in range(3)]
    assert places == [0, 2, 1]


def test_a_network_and_a_port_on_it_are_one_interface() -> None:
    found = lifted(
        f"net: {{type: {V3}Network}}\n"
        f"port: {{type: {V3}Port, relationships: [{{type: {REL}connected_to, target: net}}]}}\n"
        f"s: {{type: {V3}Server, relationships: [{{type: {REL}connected_to, target: net}},"
        f" {{type: {REL}connected_to, target: port}}]}}"
    )
    assert found.properties("s") == {"networks": [{"port": Identity("port")}]}


@pytest.mark.parametrize(
    ("source", "target", "relationship", "made", "kind", "properties"),
    [
        ("Subnet", "Router", "subnet_connected_to_router", "s_interface", "router_interface",
         {"subnet": Identity("s"), "router": Identity("t")}),
        ("Port", "Router", "port_connected_to_router", "s_interface", "router_interface",
         {"port": Identity("s"), "router": Identity("t")}),
        ("Volume", "Server", "volume_attached_to_server", "s_attachment", "volume_attachment",
         {"volume_id": Identity("s"), "instance_uuid": Identity("t")}),
        ("Port", "FloatingIP", "port_connected_to_floating_ip", "t_association", "floating_ip_association",
         {"port_id": Identity("s"), "floatingip_id": Identity("t")}),
    ],
)  # fmt: skip
@pytest.mark.parametrize(("types", "prefix"), [(V3, f"{REL}openstack."), (V2, "cloudify.openstack.")])
def test_splits(
    source: str, target: str, relationship: str, made: str, kind: str, properties: Any, types: str, prefix: str
) -> None:
    found = related(types + source, types + target, prefix + relationship)
    node = found.node(made)
    assert (node.kind, node.properties, node.path) == (kind, properties, ("node_templates", "s", "relationships", 0))
    assert found.node("s").awaited == []
    assert found.told == [("BPC413", "node_templates.s.relationships.0")]
    assert list(found.topology.nodes) == ["t", "s", made]


def test_the_mountpoint_is_the_volumes() -> None:
    relationship = f"{REL}openstack.volume_attached_to_server"
    found = related(f"{V3}Volume", f"{V3}Server", relationship, "{device_name: /dev/vdb}")
    assert found.node("s_attachment").properties["mountpoint"] == "/dev/vdb"
    assert found.node("s_attachment").origin("mountpoint") == ("node_templates", "s", "properties", "device_name")
    assert found.told == [("BPC413", "node_templates.s.relationships.0")]


def test_a_name_that_is_taken() -> None:
    found = lifted(
        f"s_interface: {{type: {V3}Router}}\n"
        f"s: {{type: {V3}Subnet, relationships:"
        f" [{{type: {REL}openstack.subnet_connected_to_router, target: s_interface}}]}}"
    )
    assert found.node("s_interface_2").properties["router"] == Identity("s_interface")


def test_what_waits_for_a_volume_waits_for_its_attachment() -> None:
    found = lifted(
        f"server: {{type: {V3}Server}}\n"
        f"disk: {{type: {V3}Volume, relationships:"
        f" [{{type: {REL}openstack.volume_attached_to_server, target: server}}]}}\n"
        f"app: {{type: cloudify.nodes.Root, relationships: [{{type: {REL}depends_on, target: disk}}]}}"
    )
    assert found.node("app").awaited == ["disk_attachment"]


@pytest.mark.parametrize(
    ("interface", "port", "codes"),
    [
        (f"p: {{type: {V3}Port}}", Identity("p"), ["BPC413"]),
        (f"p: {{type: {V3}Network}}", Attribute("s", "addresses", (Identity("p"), 0, "port")), ["BPC413"]),
        ("p: {type: cloudify.nodes.Root}", None, ["BPC413"]),
    ],
)
def test_floating_ip_of_a_server(interface: str, port: Any, codes: list[str]) -> None:
    found = lifted(
        f"{interface}\nip: {{type: {V3}FloatingIP}}\n"
        f"s: {{type: {V3}Server, relationships: [{{type: {REL}openstack.server_connected_to_floating_ip, target: ip}},"
        f" {{type: {REL}connected_to, target: p}}]}}"
    )
    assert [code for code, _ in found.told] == codes
    if port is None:
        assert found.node("s").awaited == ["p"]
        assert found.node("ip_association").kind == "nova_floating_ip_association"
        assert found.node("ip_association").properties == {"server_id": Identity("s"), "floating_ip": Identity("ip")}
    else:
        assert found.node("ip_association").properties == {"port_id": port, "floatingip_id": Identity("ip")}


def test_a_port_that_joins_a_server() -> None:
    found = related(f"{V3}Port", f"{V3}Server", f"{REL}openstack.port_connected_to_server")
    assert found.properties("t") == {"networks": [{"port": Identity("s")}]}
    assert found.node("s").awaited == []


def test_a_server_boots_from_a_bootable_volume() -> None:
    found = lifted(
        f"v: {{type: {V3}Volume, properties: {{resource_config: {{imageRef: i}}}}}}\n"
        f"s: {{type: {V3}Server, relationships: [{{type: {REL}depends_on, target: v}}]}}"
    )
    device = {"volume_id": Identity("v"), "delete_on_termination": True}
    assert found.properties("s") == {"block_device_mapping_v2": [device]}


def test_a_volume_that_may_be_bootable() -> None:
    found = lifted(
        f"v: {{type: {V3}Volume, properties: {{use_external_resource: true, resource_config: {{name: v}}}}}}\n"
        f"s: {{type: {V3}Server, relationships: [{{type: {REL}depends_on, target: v}}]}}"
    )
    assert [code for code, _ in found.told] == ["BPC415", "BPC374"]


GROUP = f"relationships: [{{type: {REL}openstack.server_connected_to_security_group, target: g}}]"


@pytest.mark.parametrize(
    ("port", "groups"),
    [
        ("{}", [Identity("g")]),
        ("{resource_config: {security_groups: [a, b]}}", ["a", "b", Identity("g")]),
    ],
)
@pytest.mark.parametrize("own", ["[{name: x}]", "{get_input: x}"])
def test_groups_of_a_server_with_ports(port: str, groups: Any, own: str) -> None:
    found = lifted(
        f"g: {{type: {V3}SecurityGroup}}\np: {{type: {V3}Port, properties: {port}}}\n"
        f"s: {{type: {V3}Server, properties: {{resource_config: {{security_groups: {own}}}}}, relationships:"
        f" [{{type: {REL}openstack.server_connected_to_security_group, target: g}},"
        f" {{type: {REL}connected_to, target: p}}]}}",
        "inputs: {x: {}}",
    )
    assert found.properties("s") == {"networks": [{"port": Identity("p")}]}
    assert found.node("s").awaited == []
    assert found.properties("p") == {"security_groups": groups}
    place = ("node_templates", "s", "relationships", 0)
    assert found.node("p").origin("security_groups", len(groups) - 1) == place
    written = "node_templates.s.properties.resource_config.security_groups" + (".0" if own[0] == "[" else "")
    assert [told for told in found.told if told[0] != "BPC355"] == [
        ("BPC379", "node_templates.s.relationships.0"),
        ("BPC408", written),
    ]


def test_groups_of_any_relationship_of_a_server_with_ports() -> None:
    found = lifted(
        f"g: {{type: {V3}SecurityGroup}}\np: {{type: {V3}Port}}\n"
        f"s: {{type: {V3}Server, relationships: [{{type: {REL}connected_to, target: p}},"
        f" {{type: {REL}connected_to, target: g}}]}}"
    )
    assert found.properties("s") == {"networks": [{"port": Identity("p")}]}
    assert found.properties("p") == {"security_groups": [Identity("g")]}
    assert found.told == [("BPC379", "node_templates.s.relationships.1")]


def test_groups_of_a_server_with_ports_of_others() -> None:
    nets = "[{port: x}, {uuid: y}]"
    found = lifted(
        f"g: {{type: {V3}SecurityGroup}}\n"
        f"s: {{type: {V3}Server, properties: {{resource_config: {{networks: {nets}}}}}, {GROUP}}}"
    )
    assert "security_groups" not in found.properties("s")
    assert [code for code, _ in found.told] == ["BPC416", "BPC416"]


def test_groups_of_a_property_beside_ports_and_networks() -> None:
    settings = "{networks: [{uuid: y}], security_groups: [{name: a}]}"
    found = lifted(
        f"p: {{type: {V3}Port}}\ns: {{type: {V3}Server, properties: {{resource_config: {settings}}},"
        f" relationships: [{{type: {REL}connected_to, target: p}}]}}"
    )
    assert found.properties("s") == {"networks": [{"network": "y"}, {"port": Identity("p")}]}
    assert found.properties("p") == {"security_groups": ["a"]}
    place = "node_templates.s.properties.resource_config.security_groups"
    assert found.told == [("BPC416", place), ("BPC379", place)]


def test_relationships_that_are_not_in_the_catalogue() -> None:
    found = related(f"{V3}Server", f"{V3}Router", f"{REL}openstack.port_connected_to_router")
    assert found.told == [("BPC411", "node_templates.s.relationships.0")]
    assert found.node("s").awaited == ["t"]


def test_host_is_the_nearest_machine() -> None:
    found = lifted(
        f"vm: {{type: {V3}Server}}\n"
        f"web: {{type: cloudify.nodes.WebServer, relationships: [{{type: {REL}contained_in, target: vm}}]}}\n"
        f"app: {{type: cloudify.nodes.ApplicationModule, relationships: [{{type: {REL}contained_in, target: web}}]}}"
    )
    assert [node.host for node in found.topology.nodes.values()] == [None, "vm", "vm"]


def test_existing_resources_wait_for_nothing() -> None:
    existing = "{use_external_resource: true, resource_config: {name: n}}"
    found = lifted(
        f"t: {{type: odd}}\n"
        f"s: {{type: {V3}Network, properties: {existing}, relationships: [{{type: {REL}depends_on, target: t}}]}}"
    )
    assert found.node("s").awaited == []
    assert found.told == [("BPC356", "node_templates.s.relationships.0")]


def test_types_and_properties_of_relationships_survive() -> None:
    found = lifted(
        "t: {type: cloudify.nodes.Root}\n"
        "s: {type: cloudify.nodes.Root, relationships: ["
        "{type: mine, target: t, properties: {kind: [{get_input: a}]}}, "
        f"{{type: {REL}depends_on, target: u}}]}}\n"
        "u: {type: cloudify.nodes.Root}",
        "inputs: {a: {}}\nrelationships:\n"
        f"  mine: {{derived_from: {REL}connected_to, properties: {{kind: {{}}}}}}",
    )
    first, second = found.topology.relationships
    assert (first.source, first.target, first.type) == ("s", "t", "mine")
    assert first.ancestry == ["mine", f"{REL}connected_to", f"{REL}depends_on"]
    assert first.properties == {"kind": [Input("a", strict=True)]}
    assert (second.type, second.path) == (ORDER, ("node_templates", "s", "relationships", 1))
    assert [one for one in found.topology.relationships if one.target == "u"] == [second]


V2 = "cloudify.openstack.nodes."


@pytest.mark.parametrize(
    ("port", "places"),
    [
        ("{}", [{"subnet": Identity("s")}]),
        ("{fixed_ip: 10.0.0.7}", [{"subnet": Identity("s"), "ip_address": "10.0.0.7"}]),
        ("{fixed_ip: 10.1.0.7}", [{"ip_address": "10.1.0.7"}, {"subnet": Identity("s")}]),
        ("{port: {fixed_ips: [{subnet_id: {get_attribute: [s, external_id]}}]}}", [{"subnet": Identity("s")}]),
    ],
)
def test_a_port_of_the_2x_plugin_on_a_subnet(port: str, places: Any) -> None:
    found = lifted(
        f"s: {{type: {V2}Subnet, properties: {{subnet: {{cidr: 10.0.0.0/24}}}}}}\np: {{type: {V2}Port, properties:"
        f" {port}, relationships: [{{type: cloudify.openstack.port_connected_to_subnet, target: s}}]}}"
    )
    assert found.properties("p") == {"fixed_ips": places}


def test_a_port_of_the_2x_plugin_that_exists_on_a_subnet() -> None:
    found = lifted(
        f"s: {{type: {V2}Subnet}}\np: {{type: {V2}Port, properties: {{use_external_resource: true, resource_id: x}},"
        " relationships: [{type: cloudify.openstack.port_connected_to_subnet, target: s}]}"
    )
    assert found.properties("p") == {}


@pytest.mark.parametrize(
    ("name", "default", "codes"),
    [
        ("{get_input: x}", "p", ["BPC425", "BPC424"]),
        ("p", "p", ["BPC425", "BPC424"]),
        ("p", "other", ["BPC425"]),
        ("{get_attribute: [p, id]}", "p", []),
    ],
)
def test_a_default_project_that_is_called_as_a_node_is(name: str, default: str, codes: list[str]) -> None:
    called = "p" if name.startswith("{get_input") else "{get_input: x}"
    found = lifted(
        f"p: {{type: {V3}Project, properties: {{resource_config: {{name: {called}, domain_id: d}}}}}}\n"
        f"u: {{type: {V3}User, properties: {{resource_config: {{default_project_id: {name}, domain_id: d}}}},"
        " relationships: [{type: cloudify.relationships.depends_on, target: p}]}",
        f"inputs: {{x: {{default: {default}}}}}",
    )
    known = found.properties("u")["default_project"]
    assert known == (name if default == "other" else Identity("p"))
    assert [code for code, _ in found.told] == codes
