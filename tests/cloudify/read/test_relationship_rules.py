"""What the OpenStack plugin does with relationships: properties beside them, gateways, interfaces, groups."""

from __future__ import annotations

from typing import Any

import pytest
from neutral_form import REL, V2, V3, Lifted, lifted, related

from bpconvert.models.expressions import Identity, Input, Merge

OS = f"{REL}openstack."
LIFECYCLE = "cloudify.interfaces.relationship_lifecycle"
EXISTING = "{use_external_resource: true, resource_config: {name: n}}"
INPUTS = "inputs: {x: {}}"
PLACE = "node_templates.s.relationships.0"


def both(
    source: str, target: str, relationship: str = f"{REL}depends_on", own: str = "{}", other: str = "{}"
) -> Lifted:
    """Nodes ``s`` and ``t`` of these types and properties, and a relationship from one to the other."""
    return lifted(
        f"t: {{type: {target}, properties: {other}}}\n"
        f"s: {{type: {source}, properties: {own}, relationships: [{{type: {relationship}, target: t}}]}}",
        INPUTS,
    )


def server(nodes: str, relationships: list[tuple[str, str]], properties: str = "{}", types: str = V3) -> Lifted:
    """These nodes, and a server ``s`` with relationships (type, target)."""
    found = ", ".join(f"{{type: {kind}, target: {target}}}" for kind, target in relationships)
    return lifted(
        f"{nodes}\ns: {{type: {types}Server, properties: {properties}, relationships: [{found}]}}", INPUTS
    )


def passed_on(found: Lifted) -> list[tuple[str, str]]:
    """What is told, without the settings that are only passed on, and defaults of other nodes."""
    return [told for told in found.told if told[0] not in ("BPC355", "BPC364", "BPC365")]


# -- operations ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "target", "relationship", "working"),
    [
        ("Server", "Port", "server_connected_to_port", ["establish"]),
        ("Server", "FloatingIP", "server_connected_to_floating_ip", ["establish"]),
        ("Server", "SecurityGroup", "server_connected_to_security_group", ["establish"]),
        ("Volume", "Server", "volume_attached_to_server", ["establish"]),
        ("Port", "SecurityGroup", "port_connected_to_security_group", ["establish"]),
        ("Port", "Server", "port_connected_to_server", ["establish", "postconfigure"]),
        ("Port", "FloatingIP", "port_connected_to_floating_ip", ["establish", "postconfigure"]),
        ("Port", "Router", "port_connected_to_router", ["postconfigure"]),
        ("Subnet", "Router", "subnet_connected_to_router", ["postconfigure"]),
        ("Server", "KeyPair", "server_connected_to_keypair", []),
    ],
)
@pytest.mark.parametrize("operation", ["preconfigure", "establish", "postconfigure", "unlink"])
def test_operations_in_which_the_plugin_works(
    source: str, target: str, relationship: str, working: list[str], operation: str
) -> None:
    off = f"source_interfaces: {{{LIFECYCLE}: {{{operation}: {{}}}}}}"
    found = lifted(
        f"t: {{type: {V3}{target}}}\n"
        f"s: {{type: {V3}{source}, relationships: [{{type: {OS}{relationship}, target: t, {off}}}]}}"
    )
    told = [one for one in found.diagnostics if one.code == "BPC371"]
    assert [".".join(map(str, one.path)) for one in told] == (
        [f"{PLACE}.source_interfaces.{LIFECYCLE}.{operation}"] if operation in working else []
    )
    assert all(f"'{LIFECYCLE}.{operation}' of 's'" in one.message for one in told)


def test_an_operation_that_is_switched_off_between_other_nodes_tells_nothing() -> None:
    off = f"source_interfaces: {{{LIFECYCLE}: {{establish: {{}}}}}}"
    found = lifted(
        f"t: {{type: {V3}Server}}\ns: {{type: cloudify.nodes.Root,"
        f" relationships: [{{type: {OS}volume_attached_to_server, target: t, {off}}}]}}"
    )
    assert found.told == [("BPC411", PLACE)]


# -- relationships that are order only ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("relationship", "parent", "told"),
    [
        ("aws.x", "", True),
        ("mine", "aws.x", True),
        ("mine", f"{REL}depends_on", False),
        ("mine", f"{REL}connected_to", False),
        ("cloudify.x.y", "", False),
        (f"{OS}odd", "", True),
        ("cloudify.openstack.odd", "", True),
        (f"{OS}port_connected_to_subnet", "", False),
    ],
)
def test_what_a_relationship_does_that_is_order_only_is_not_known(relationship: str, parent: str, told: bool) -> None:
    types = f"relationships: {{mine: {{derived_from: {parent}}}}}" if parent else ""
    found = lifted(
        f"t: {{type: {V3}Router}}\n"
        f"s: {{type: {V3}Server, relationships: [{{type: {relationship}, target: t}}]}}",
        types,
    )
    assert found.node("s").awaited == ["t"]
    assert found.told == [("BPC411", PLACE)] * told


@pytest.mark.parametrize(
    ("source", "target"), [(f"{V3}Server", "cloudify.nodes.Root"), ("cloudify.nodes.Root", f"{V3}Server")]
)
def test_a_relationship_of_another_plugin_with_no_resource_is_for_that_plugin(source: str, target: str) -> None:
    found = related(source, target, "aws.x")
    assert (found.node("s").awaited, found.told) == (["t"], [])


@pytest.mark.parametrize(("target", "code"), [(EXISTING, "BPC356"), ("{}", "BPC418")])
def test_a_relationship_of_a_resource_that_exists(target: str, code: str) -> None:
    found = both(f"{V3}Server", f"{V3}KeyPair", f"{OS}server_connected_to_keypair", EXISTING, target)
    assert found.properties("s") == {}
    assert found.node("s").awaited == []
    assert passed_on(found) == [(code, PLACE)]
    [told] = [one for one in found.diagnostics if one.code == code]
    assert told.message.startswith("the relationship to 't' is not ")


# -- a property beside the relationship ---------------------------------------------------------------------

DEVICES = "block_device_mapping_v2: [{uuid: v, source_type: volume, destination_type: volume, boot_index: 1}]"


@pytest.mark.parametrize("name", ["Image", "Flavor"])
def test_the_image_of_a_server_is_the_propertys(name: str) -> None:
    key = name.lower()
    found = both(f"{V3}Server", f"{V3}{name}", own=f"{{{key}: other}}")
    assert (found.properties("s")[key], found.node("s").awaited, found.told) == ("other", ["t"], [])
    found = both(f"{V3}Server", f"{V3}{name}")
    assert (found.properties("s")[key], found.node("s").awaited, found.told) == (Identity("t"), [], [])


@pytest.mark.parametrize(
    ("types", "own", "name", "filled"),
    [
        (V3, f"{{resource_config: {{kwargs: {{{DEVICES}}}}}}}", "Image", False),
        (V3, f"{{resource_config: {{kwargs: {{{DEVICES}}}}}}}", "Flavor", True),
        (V2, f"{{server: {{{DEVICES}}}}}", "Image", True),
        (V2, f"{{server: {{{DEVICES}}}}}", "Flavor", True),
    ],
)
def test_a_server_with_devices_takes_no_image_from_a_relationship(
    types: str, own: str, name: str, filled: bool
) -> None:
    found = both(f"{types}Server", f"{types}{name}", own=own)
    assert found.properties("s").get(name.lower()) == (Identity("t") if filled else None)
    assert found.node("s").awaited == ([] if filled else ["t"])
    assert found.told == []


@pytest.mark.parametrize(("image", "told"), [("other", True), ("{get_attribute: [t, id]}", False)])
def test_a_volume_takes_the_image_of_the_relationship(image: str, told: bool) -> None:
    own = f"{{resource_config: {{imageRef: {image}}}}}"
    found = both(f"{V3}Volume", f"{V3}Image", f"{REL}connected_to", own)
    assert found.properties("s") == {"image": Identity("t")}
    place = ("BPC362", "node_templates.s.properties.resource_config.imageRef")
    assert found.told == [place] * told


@pytest.mark.parametrize(
    ("other", "agrees"),
    [
        ("{use_external_resource: true, resource_config: {name: n}}", True),
        ("{use_external_resource: true, resource_config: {id: n}}", True),
        ("{use_external_resource: true, resource_config: {name: m}}", False),
        ("{resource_config: {name: m}}", False),
    ],
)
def test_a_key_that_exists_is_called_by_its_name_or_id(other: str, agrees: bool) -> None:
    found = both(f"{V3}Server", f"{V3}KeyPair", own="{resource_config: {key_name: n}}", other=other)
    assert found.properties("s") == {"key_name": "n"}
    assert found.node("s").awaited == ([] if agrees else ["t"])
    assert passed_on(found) == ([] if agrees else [("BPC410", PLACE)])


@pytest.mark.parametrize(("target", "kind"), [("Network", "network"), ("SecurityGroup", "security_group")])
def test_what_a_policy_shares_says_the_kind(target: str, kind: str) -> None:
    found = both(f"{V3}RBACPolicy", f"{V3}{target}", f"{OS}rbac_policy_applied_to")
    assert found.properties("s") == {"object_id": Identity("t"), "object_type": kind}
    assert found.node("s").origin("object_type") == ("node_templates", "s", "relationships", 0)
    own = "{resource_config: {object_type: qos_policy}}"
    found = both(f"{V3}RBACPolicy", f"{V3}{target}", f"{OS}rbac_policy_applied_to", own)
    assert found.properties("s") == {"object_id": Identity("t"), "object_type": "qos_policy"}


@pytest.mark.parametrize("source", ["Server", "Port"])
def test_a_group_beside_groups_that_an_input_has(source: str) -> None:
    own = "{resource_config: {security_groups: {get_input: x}}}"
    found = both(f"{V3}{source}", f"{V3}SecurityGroup", own=own)
    assert "t" not in repr(found.properties("s")["security_groups"]).split("'")
    assert found.node("s").awaited == ["t"]
    assert ("BPC410", PLACE) in found.told


def test_a_group_beside_groups_of_a_property() -> None:
    own = "{resource_config: {security_groups: [{name: a}]}}"
    found = both(f"{V3}Server", f"{V3}SecurityGroup", own=own)
    assert found.properties("s") == {"security_groups": ["a", Identity("t")]}
    assert (found.node("s").awaited, found.told) == ([], [])


# -- gateways and hints -------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", ["external", "is_router_external", "router_external", "'router:external'"])
@pytest.mark.parametrize(
    ("value", "external"),
    [
        *((text, True) for text in ("true", "1", "'true'", "'TRUE'", "'1'", "'yes'", "'on'", "'t'", "'y'")),
        *((text, False) for text in ("false", "0", "null", "'no'", "''")),
        ("{get_input: x}", None),
    ],
)
def test_a_network_is_the_gateway_when_it_is_external(key: str, value: str, external: bool | None) -> None:
    found = both(f"{V3}Router", f"{V3}Network", other=f"{{resource_config: {{{key}: {value}}}}}")
    gateway = {"external_gateway_info": {"network": Identity("t")}}
    assert found.properties("s") == ({} if external is False else gateway)
    assert found.node("s").awaited == (["t"] if external is False else [])
    assert [told for told in passed_on(found) if told[1] == PLACE] == [("BPC417", PLACE)] * (external is None)


def test_a_network_that_exists_is_a_gateway_and_one_that_says_nothing_is_none() -> None:
    assert both(f"{V3}Router", f"{V3}Network", other=EXISTING).properties("s") == {
        "external_gateway_info": {"network": Identity("t")}
    }
    found = both(f"{V3}Router", f"{V3}Network")
    assert (found.properties("s"), found.node("s").awaited) == ({}, ["t"])


@pytest.mark.parametrize(
    ("written", "expected", "agrees"),
    [
        ("{network_id: {get_attribute: [t, id]}}", {"network": Identity("t")}, True),
        ("{network_id: other}", {"network": "other"}, False),
        ("{enable_snat: false}", {"network": Identity("t"), "enable_snat": False}, True),
        ("5", 5, False),
    ],
)
def test_a_gateway_beside_the_relationship(written: str, expected: Any, agrees: bool) -> None:
    own = f"{{resource_config: {{external_gateway_info: {written}}}}}"
    found = both(f"{V3}Router", f"{V3}Network", own=own, other="{resource_config: {external: true}}")
    assert found.properties("s") == {"external_gateway_info": expected}
    assert found.node("s").awaited == ([] if agrees else ["t"])
    assert passed_on(found) == [("BPC410", PLACE)] * (not agrees)


@pytest.mark.parametrize(
    ("written", "expected", "agrees"),
    [
        ("{group: {get_attribute: [t, id]}}", {"group": Identity("t")}, True),
        ("{group: other}", {"group": "other"}, False),
        ("{same_host: a}", {"group": Identity("t"), "same_host": "a"}, True),
        ("{get_input: x}", Merge([{"group": Identity("t")}, Input("x", strict=True)]), True),
        ("5", 5, False),
    ],
)
def test_hints_beside_the_relationship(written: str, expected: Any, agrees: bool) -> None:
    own = f"{{resource_config: {{kwargs: {{scheduler_hints: {written}}}}}}}"
    found = both(f"{V3}Server", f"{V3}ServerGroup", f"{OS}server_connected_to_server_group", own)
    assert found.properties("s") == {"scheduler_hints": expected}
    assert found.node("s").awaited == ([] if agrees else ["t"])
    assert passed_on(found) == [("BPC410", PLACE)] * (not agrees)


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
    found = server(NETWORK, [(connected, "net")], of_property)
    assert found.properties("s") == {"networks": [{"port": Identity("port")}]}
    of_property = "{resource_config: {networks: [{uuid: {get_attribute: [net, id]}}]}}"
    found = server(NETWORK, [(connected, "port")], of_property)
    assert found.properties("s") == {"networks": [{"network": Identity("net")}, {"port": Identity("port")}]}
    more = f"{NETWORK}\nother: {{type: {V3}Network}}"
    found = server(more, [(connected, "net"), (connected, "other"), (connected, "port")])
    assert found.properties("s") == {"networks": [{"port": Identity("port")}, {"network": Identity("other")}]}
    places = [found.node("s").origin("networks", index)[-1] for index in range(2)]
    assert places == [2, 1]


def test_a_port_that_joins_the_running_server_is_one_more_and_the_last() -> None:
    connected = f"{REL}connected_to"
    found = server(f"{JOINING}\nnet: {{type: {V3}Network}}\na: {{type: {V3}Port}}",
                   [(connected, "net"), (connected, "a")])  # fmt: skip
    late = {"port": Identity("late")}
    assert found.properties("s") == {"networks": [{"port": Identity("a")}, {"network": Identity("net")}, late]}
    own = "{resource_config: {networks: [{uuid: w}]}}"
    found = server(f"{JOINING}\nnet: {{type: {V3}Network}}\na: {{type: {V3}Port}}", [(connected, "a")], own)
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
    ],
)
@pytest.mark.parametrize("interface", ["net", "port"])
def test_the_management_network_of_relationships(network: str, there: bool, interface: str) -> None:
    nodes = (
        f"net: {{type: {V2}Network, properties: {network}}}\n"
        f"port: {{type: {V2}Port, relationships: [{{type: {REL}connected_to, target: net}}]}}"
    )
    found = server(nodes, [(f"{REL}connected_to", interface)], "{management_network_name: m}", V2)
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
        ("m", "[{port-id: m}]", [{"port": "m"}], "BPC352"),
    ],
)
def test_the_management_network_beside_interfaces_of_a_property(name: str, nics: str, networks: Any, code: str) -> None:
    own = f"{{management_network_name: {name}, server: {{nics: {nics}}}}}"
    found = server("x: {type: cloudify.nodes.Root}", [], own, V2)
    assert found.properties("s") == {"networks": networks}
    assert found.told == [(code, "node_templates.s.properties.management_network_name")]


def test_the_interface_on_the_management_network_is_the_propertys() -> None:
    found = server("x: {type: cloudify.nodes.Root}", [], "{management_network_name: m}", V2)
    place = ("node_templates", "s", "properties", "management_network_name")
    assert found.node("s").origins["networks", 0, "network"] == place


# -- order --------------------------------------------------------------------------------------------------


def test_a_server_waits_for_the_address_of_its_port() -> None:
    nodes = (
        f"ip: {{type: {V3}FloatingIP}}\n"
        f"p: {{type: {V3}Port, relationships: [{{type: {OS}port_connected_to_floating_ip, target: ip}}]}}"
    )
    found = server(nodes, [(f"{OS}server_connected_to_port", "p")])
    assert found.node("s").awaited == ["ip_association"]
    found = server(nodes, [(f"{OS}server_connected_to_port", "p")], EXISTING)
    assert found.node("s").awaited == []
    found = server(f"{nodes}\nn: {{type: {V3}Network, relationships: [{{type: {REL}depends_on, target: ip}}]}}", [])
    assert [found.node(name).awaited for name in ("s", "n", "p")] == [[], ["ip"], []]


def test_the_host_is_the_first_that_a_node_is_contained_in() -> None:
    found = lifted(
        f"vm: {{type: {V3}Server}}\nother: {{type: {V3}Server}}\nc: {{type: cloudify.nodes.Compute}}\n"
        f"a: {{type: cloudify.nodes.Root, relationships: [{{type: {REL}contained_in, target: vm}},"
        f" {{type: {REL}contained_in, target: other}}]}}\n"
        f"b: {{type: cloudify.nodes.Root, relationships: [{{type: {REL}depends_on, target: vm}}]}}\n"
        f"d: {{type: cloudify.nodes.Root, relationships: [{{type: {REL}contained_in, target: c}}]}}"
    )
    assert [found.node(name).host for name in "abd"] == ["vm", None, "c"]


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
        ([(GROUP, "g"), (MERE, "h"), (MERE, "p")], ["g"], [GIVEN, ("BPC408", f"{PLACE[:-1]}1")], []),
    ],
)
def test_groups_go_to_the_ports_that_the_blueprint_makes(
    relationships: list[tuple[str, str]], groups: list[str], told: Any, left: list[str]
) -> None:
    found = server(NODES, relationships)
    assert "security_groups" not in found.properties("s")
    assert found.properties("p")["security_groups"] == [Identity(name) for name in groups]
    assert found.properties("old") == {}
    assert found.properties("chosen") == {"security_groups": Input("x", strict=True)}
    assert found.told == told
    assert [one.message.partition(" of 's'")[0] for one in found.diagnostics if one.code == "BPC416"] == left


@pytest.mark.parametrize(
    ("own", "relationships", "told"),
    [
        ("security_groups: [{name: a}, {name: b}]", [(MERE, "p")], [("BPC408", OF_PROPERTY)]),
        ("security_groups: {get_input: x}", [(MERE, "p")], [("BPC408", OF_PROPERTY)]),
        ("security_groups: {get_input: x}", [(MERE, "g"), (MERE, "p")], [("BPC408", OF_PROPERTY)]),
        ("security_groups: {get_input: x}", [(GROUP, "g"), (MERE, "p")], [GIVEN, ("BPC408", OF_PROPERTY)]),
        ("security_groups: {get_input: x}, networks: [odd, {port: q}]", [(GROUP, "g")],
         [("BPC416", PLACE), ("BPC416", PLACE), ("BPC408", OF_PROPERTY)]),
        ("security_groups: {get_input: x}, networks: [{uuid: o}, {port: q}]", [(GROUP, "g")],
         [("BPC416", PLACE), ("BPC416", PLACE), ("BPC408", OF_PROPERTY)]),
    ],
)  # fmt: skip
def test_groups_of_the_property_have_no_effect_beside_ports(
    own: str, relationships: list[tuple[str, str]], told: Any
) -> None:
    found = server(NODES, relationships, f"{{resource_config: {{{own}}}}}")
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
    found = server(NODES, relationships, own)
    assert found.properties("s") == {"security_groups": [Identity("g")], "networks": networks}
    assert found.told == []
