"""The interfaces of servers and their security groups, as properties and relationships say them."""

from __future__ import annotations

from typing import Any

import pytest
from neutral_form import REL, UUID, V2, V3, both, server_with

from bpconvert.models.expressions import Identity, Input

OS = f"{REL}openstack."
EXISTING = "{use_external_resource: true, resource_config: {name: n}}"
PLACE = "node_templates.s.relationships.0"

# -- interfaces ---------------------------------------------------------------------------------------------

OWN = {"port": Identity("t")}


@pytest.mark.parametrize(
    ("written", "new", "old"),
    [
        ("[{port: {get_attribute: [t, id]}}]", [OWN], [OWN]),
        ("[{port: ''}]", [{"port": ""}, OWN], [{"port": ""}, OWN]),
        ("[{uuid: n}]", [{"network": "n"}, OWN], [{"network": "n"}, OWN]),
        ("[odd, {port: {get_attribute: [t, id]}}]", ["odd", OWN], ["odd", OWN]),
        # the 3.x plugin takes the ports of the property or those of relationships; the 2.x plugin takes all
        ("[{port: other}]", ([{"port": "other"}],), [{"port": "other"}, OWN]),
        ("[{port: {get_attribute: [t, id]}, tag: g}]", ([{**OWN, "tag": "g"}],), [{**OWN, "tag": "g"}]),
        ("{get_input: x}", (Input("x", strict=True),), (Input("x", strict=True),)),
    ],
)
def test_interfaces_of_a_property_beside_a_port(written: str, new: Any, old: Any) -> None:
    """``new``, ``old``: what the plugins take; in a tuple where the relationship contradicts it."""
    nics = written.replace("uuid:", "net-id:").replace("port:", "port-id:")
    for types, own, expected in (
        (V3, f"{{resource_config: {{networks: {written}}}}}", new),
        (V2, f"{{server: {{nics: {nics}}}}}", old),
    ):
        found = both(f"{types}Server", f"{types}Port", own=own)
        differs = isinstance(expected, tuple)
        assert found.properties("s")["networks"] == (expected[0] if differs else expected)
        assert found.node("s").awaited == ["t"] * differs
        assert found.told == [("BPC410", PLACE)] * differs


@pytest.mark.parametrize("known", ["name", "id"])
def test_an_interface_on_a_network_that_exists(known: str) -> None:
    other = f"{{use_external_resource: true, resource_config: {{{known}: n}}}}"
    found = both(f"{V3}Server", f"{V3}Network", own="{resource_config: {networks: [{uuid: n}]}}", other=other)
    assert found.properties("s") == {"networks": [{"network": "n"}]}
    assert found.told == []


NETWORK = (
    f"net: {{type: {V3}Network}}\nport: {{type: {V3}Port, relationships: [{{type: {REL}connected_to, target: net}}]}}"
)
JOINING = (
    f"late: {{type: {V3}Port, relationships: [{{type: {REL}connected_to, target: net}},"
    f" {{type: {OS}port_connected_to_server, target: s}}]}}"
)


def test_a_port_on_the_network_of_a_relationship_is_the_interface() -> None:
    connected = f"{REL}connected_to"
    of_property = "{resource_config: {networks: [{port: {get_attribute: [port, id]}}]}}"
    group = f"{NETWORK}\ngroup: {{type: {V3}ServerGroup}}"
    found = server_with(group, [(connected, "net"), (f"{OS}server_connected_to_server_group", "group")], of_property)
    hints = {"group": Identity("group")}
    assert found.properties("s") == {"networks": [{"port": Identity("port")}], "scheduler_hints": hints}
    assert found.node("s").origins["scheduler_hints", "group"] == ("node_templates", "s", "relationships", 1)
    assert found.node("s").origins["networks",][-2:] == ("resource_config", "networks")
    of_property = "{resource_config: {networks: [{uuid: {get_attribute: [net, id]}}]}}"
    found = server_with(NETWORK, [(connected, "port")], of_property)
    assert found.properties("s") == {"networks": [{"network": Identity("net")}, {"port": Identity("port")}]}
    more = f"{NETWORK}\nother: {{type: {V3}Network}}"
    found = server_with(more, [(connected, "net"), (connected, "other"), (connected, "port")])
    assert found.properties("s") == {"networks": [{"port": Identity("port")}, {"network": Identity("other")}]}
    places = [found.node("s").origin("networks", index)[-1] for index in range(2)]
    assert places == [2, 1]


def test_a_port_that_joins_the_running_server_is_one_more_and_the_last() -> None:
    connected = f"{REL}connected_to"
    found = server_with(f"{JOINING}\nnet: {{type: {V3}Network}}\na: {{type: {V3}Port}}",
                   [(connected, "net"), (connected, "a")])  # fmt: skip
    late = {"port": Identity("late")}
    assert found.properties("s") == {"networks": [{"port": Identity("a")}, {"network": Identity("net")}, late]}
    own = "{resource_config: {networks: [{uuid: w}]}}"
    found = server_with(f"{JOINING}\nnet: {{type: {V3}Network}}\na: {{type: {V3}Port}}", [(connected, "a")], own)
    assert found.properties("s") == {"networks": [{"network": "w"}, {"port": Identity("a")}, late]}
    where = [found.node("s").origin("networks", index)[1:] for index in range(1, 3)]
    assert where == [("s", "relationships", 0), ("late", "relationships", 1)]
    assert found.node("s").origin("networks", 0, "network")[-2:] == (0, "uuid")


@pytest.mark.parametrize(
    ("network", "there"),
    [
        ("{network: {name: m}}", True),
        ("{network: {name: x}}", False),
        ("{use_external_resource: true, resource_id: m}", True),
        (f"{{use_external_resource: true, resource_id: {UUID}}}", True),
    ],
)
@pytest.mark.parametrize("interface", ["net", "port"])
def test_the_management_network_of_relationships(network: str, there: bool, interface: str) -> None:
    nodes = (
        f"net: {{type: {V2}Network, properties: {network}}}\n"
        f"port: {{type: {V2}Port, relationships: [{{type: {REL}connected_to, target: net}}]}}"
    )
    name = UUID if UUID in network else "m"
    found = server_with(nodes, [(f"{REL}connected_to", interface)], f"{{management_network_name: {name}}}", V2)
    key = "network" if interface == "net" else "port"
    assert found.properties("s") == {"networks": [{key: Identity(interface)}]}
    place = "node_templates.s.properties.management_network_name"
    told = [one for one in found.diagnostics if one.code in ("BPC352", "BPC409")]
    assert [(one.code, ".".join(map(str, one.path))) for one in told] == [("BPC409" if there else "BPC352", place)]
    if not there:
        assert told[0].message == (
            "'management_network_name' of cloudify.openstack.nodes.Server has no counterpart:"
            " the server gets no interface on this network; name it in networks"
        )


@pytest.mark.parametrize(
    ("name", "nics", "networks", "code"),
    [
        ("m", "{get_input: x}", Input("x", strict=True), "BPC352"),
        ("{get_input: x}", "[{net-id: {get_input: x}}]", [{"network": Input("x", strict=True)}], "BPC409"),
        ("m", "[{net-id: q}, {net-id: m}]", [{"network": "q"}, {"network": "m"}], "BPC409"),
        ("m", "[odd, {net-id: m}]", ["odd", {"network": "m"}], "BPC409"),
        ("m", "[{port-id: m}]", [{"port": "m"}], "BPC352"),
    ],
)
def test_the_management_network_beside_interfaces_of_a_property(name: str, nics: str, networks: Any, code: str) -> None:
    own = f"{{management_network_name: {name}, server: {{nics: {nics}}}}}"
    found = server_with("x: {type: cloudify.nodes.Root}", [], own, V2)
    assert found.properties("s") == {"networks": networks}
    assert found.told == [(code, "node_templates.s.properties.management_network_name")]


def test_the_interface_on_the_management_network_is_the_propertys() -> None:
    found = server_with("x: {type: cloudify.nodes.Root}", [], "{management_network_name: m}", V2)
    place = ("node_templates", "s", "properties", "management_network_name")
    assert found.node("s").origins["networks", 0, "network"] == place


# -- groups of a server with ports --------------------------------------------------------------------------

GROUP, MERE = f"{OS}server_connected_to_security_group", f"{REL}connected_to"
NODES = f"""g: {{type: {V3}SecurityGroup}}
h: {{type: {V3}SecurityGroup}}
n: {{type: {V3}Network}}
p: {{type: {V3}Port}}
old: {{type: {V3}Port, properties: {EXISTING}}}
chosen: {{type: {V3}Port, properties: {{resource_config: {{security_groups: {{get_input: x}}}}}}}}"""
OF_PROPERTY = "node_templates.s.properties.resource_config.security_groups"
GIVEN = ("BPC379", PLACE)


@pytest.mark.parametrize(
    ("relationships", "groups", "told", "left"),
    [
        ([(GROUP, "g"), (MERE, "p")], ["g"], [GIVEN], []),
        ([(GROUP, "g"), (GROUP, "g"), (GROUP, "h"), (MERE, "p")], ["g", "h"], [GIVEN], []),
        ([(GROUP, "g"), (MERE, "old"), (MERE, "p")], ["g"], [("BPC416", PLACE), GIVEN], ["port 'old'"]),
        ([(GROUP, "g"), (MERE, "chosen")], [], [("BPC416", PLACE)], ["port 'chosen'"]),
        ([(GROUP, "g"), (MERE, "p"), (MERE, "n")], ["g"], [("BPC416", PLACE), GIVEN], ["interface 2"]),
        ([(GROUP, "g"), (MERE, "h"), (MERE, "p")], ["g", "h"], [GIVEN], []),
        ([(MERE, "p"), (MERE, "g"), (MERE, "n")], ["g"],
         [("BPC416", f"{PLACE[:-1]}1"), ("BPC379", f"{PLACE[:-1]}1")], ["interface 2"]),
    ],
)  # fmt: skip
def test_groups_go_to_the_ports_that_the_blueprint_makes(
    relationships: list[tuple[str, str]], groups: list[str], told: Any, left: list[str]
) -> None:
    found = server_with(NODES, relationships)
    assert "security_groups" not in found.properties("s")
    assert found.properties("p")["security_groups"] == [Identity(name) for name in groups]
    assert found.properties("old") == {}
    assert found.properties("chosen") == {"security_groups": Input("x", strict=True)}
    assert found.told == told
    assert [one.message.partition(" of 's'")[0] for one in found.diagnostics if one.code == "BPC416"] == left


@pytest.mark.parametrize(
    ("own", "relationships", "told"),
    [
        ("security_groups: [{name: a}, {name: b}]", [(MERE, "p")], [("BPC379", OF_PROPERTY)]),
        ("security_groups: {get_input: x}", [(MERE, "p")], [("BPC408", OF_PROPERTY)]),
        ("security_groups: {get_input: x}", [(MERE, "g"), (MERE, "p")], [GIVEN, ("BPC408", OF_PROPERTY)]),
        ("security_groups: {get_input: x}", [(GROUP, "g"), (MERE, "p")], [GIVEN, ("BPC408", OF_PROPERTY)]),
        ("security_groups: {get_input: x}, networks: [odd, {port: q}]", [(GROUP, "g")],
         [("BPC416", PLACE), ("BPC416", PLACE), ("BPC408", OF_PROPERTY)]),
        ("security_groups: {get_input: x}, networks: [{uuid: o}, {port: q}]", [(GROUP, "g")],
         [("BPC416", PLACE), ("BPC416", PLACE), ("BPC408", OF_PROPERTY)]),
    ],
)  # fmt: skip
def test_groups_of_the_property_go_to_the_ports_where_they_are_written_out(
    own: str, relationships: list[tuple[str, str]], told: Any
) -> None:
    found = server_with(NODES, relationships, f"{{resource_config: {{{own}}}}}")
    assert "security_groups" not in found.properties("s")
    assert found.node("s").awaited == []
    assert found.told == told


@pytest.mark.parametrize(
    ("own", "relationships", "networks"),
    [
        ("{}", [(GROUP, "g"), (MERE, "n")], [{"network": Identity("n")}]),
        ("{resource_config: {networks: {get_input: x}}}", [(GROUP, "g")], Input("x", strict=True)),
        ("{resource_config: {networks: [odd]}}", [(GROUP, "g")], ["odd"]),
    ],
)
def test_groups_of_a_server_without_ports_are_the_servers(
    own: str, relationships: list[tuple[str, str]], networks: Any
) -> None:
    found = server_with(NODES, relationships, own)
    assert found.properties("s") == {"security_groups": [Identity("g")], "networks": networks}
    assert found.told == []


def test_a_port_without_groups_has_the_default_one_too() -> None:
    nodes = f"g: {{type: {V2}SecurityGroup}}\np: {{type: {V2}Port}}"
    group = ("cloudify.openstack.server_connected_to_security_group", "g")
    found = server_with(nodes, [group, (MERE, "p")], types=V2)
    assert found.properties("p") == {"security_groups": ["default", Identity("g")]}
    assert found.node("p").origin("security_groups", 1) == ("node_templates", "s", "relationships", 0)


def test_each_server_with_ports_gives_its_groups_to_them() -> None:
    first = f"first: {{type: {V3}Server, relationships: [{{type: {GROUP}, target: h}}, {{type: {MERE}, target: n}}]}}"
    plain = f"plain: {{type: {V3}Server, relationships: [{{type: {MERE}, target: n}}]}}"
    found = server_with(f"{NODES}\n{first}\n{plain}", [(GROUP, "g"), (MERE, "p")])
    assert found.properties("first")["security_groups"] == [Identity("h")]
    assert found.properties("s") == {"networks": [{"port": Identity("p")}]}
    assert found.properties("p")["security_groups"] == [Identity("g")]
