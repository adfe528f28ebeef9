"""Relationships that connect two nodes of a blueprint, read: resources of their own, or parts of one of the nodes."""

from __future__ import annotations

from typing import Any

import pytest
from neutral_form import REL, V3, Lifted, both, lifted

from bpconvert.models.expressions import MISSING, Attribute, Identity, Input

PLACE = ("node_templates", "s", "relationships", 0)
EXISTING = "{use_external_resource: true, resource_config: {name: there}}"


def test_a_relationship_is_the_place_of_the_resource_that_it_becomes() -> None:
    found = both(f"{V3}Subnet", f"{V3}Router", f"{REL}openstack.subnet_connected_to_router")
    made = next(node for node in found.topology.nodes.values() if node.kind == "router_interface")
    assert made.path == PLACE
    assert made.properties == {"subnet": Identity("s"), "router": Identity("t")}
    assert made.origins == {("subnet",): PLACE, ("router",): (*PLACE, "target")}


def test_what_exists_on_both_sides_is_not_connected() -> None:
    found = both(f"{V3}Subnet", f"{V3}Router", f"{REL}openstack.subnet_connected_to_router", EXISTING, EXISTING)
    assert ("BPC356", "node_templates.s.relationships.0") in found.told
    assert [*found.topology.nodes] == ["t", "s"]


@pytest.mark.parametrize(
    ("properties", "more"),
    [
        ("{}", {}),
        ("{device_name: ''}", {}),
        ("{device_name: auto}", {}),
        ("{device_name: /dev/vdb}", {"mountpoint": "/dev/vdb"}),
    ],
)
def test_a_volume_says_the_device_of_its_attachment(properties: str, more: dict[str, Any]) -> None:
    found = both(f"{V3}Volume", f"{V3}Server", f"{REL}openstack.volume_attached_to_server", properties)
    assert found.properties("s_attachment") == {"volume_id": Identity("s"), "instance_uuid": Identity("t"), **more}


@pytest.mark.parametrize(("key", "is_associated"), [("id", True), ("name", False)])
def test_an_address_of_a_server_that_exists_needs_its_id(key: str, is_associated: bool) -> None:
    """Also of one that an input gives."""
    server = f"{{use_external_resource: true, resource_config: {{{key}: {{get_input: x}}}}}}"
    found = both(f"{V3}Server", f"{V3}FloatingIP", f"{REL}openstack.server_connected_to_floating_ip", server)
    assert ("t_association" in found.topology.nodes) is is_associated
    assert ("BPC414" in {code for code, _ in found.told}) is not is_associated


OPENSTACK = f"{REL}openstack."
BETWEEN = f"{OPENSTACK}server_connected_to_floating_ip"
#: an id that an input gives, on a node that the conversion from Heat names so
BY_ID = "{use_external_resource: true, resource_config: {id: {get_input: x}}}"


def messages(found: Lifted, code: str) -> list[str]:
    return [finding.message for finding in found.diagnostics if finding.code == code]


def server(*addresses: str, name: str = "s", properties: str = "{}", more: str = "") -> str:
    """A server with a relationship to each address."""
    every = ", ".join([f"{{type: {BETWEEN}, target: {target}}}" for target in addresses] + ([more] if more else []))
    return f"{name}: {{type: {V3}Server, properties: {properties}, relationships: [{every}]}}\n"


def address(name: str = "t") -> str:
    return f"{name}: {{type: {V3}FloatingIP}}\n"


def parts(found: Lifted) -> dict[str, str]:
    """The resources that relationships became, each with its kind."""
    return {name: node.kind for name, node in found.topology.nodes.items() if not node.source_type}


def test_what_is_not_connected_is_named() -> None:
    found = both(f"{V3}Subnet", f"{V3}Router", f"{OPENSTACK}subnet_connected_to_router", EXISTING, EXISTING)
    said = ["the relationship to 't' is not used for a resource that exists already"]
    assert messages(found, "BPC356") == said


@pytest.mark.parametrize("absent", ["s", "t"])
def test_nothing_is_connected_that_has_no_instances_at_first(absent: str) -> None:
    counts = {name: ", instances: {deploy: 0}" if name == absent else "" for name in ("s", "t")}
    found = lifted(
        f"t: {{type: {V3}Router{counts['t']}}}\n"
        f"s: {{type: {V3}Subnet{counts['s']}, relationships:"
        f" [{{type: {OPENSTACK}subnet_connected_to_router, target: t}}]}}"
    )
    assert parts(found) == {}
    said = f"the relationship to 't' is not converted: '{absent}' has no instances at first"
    assert messages(found, "BPC375") == [said]


@pytest.mark.parametrize("port", ["{resource_config: {port_id: {get_attribute: [s, id]}}}", "{}"])
def test_an_address_that_names_the_port_is_associated_by_that(port: str) -> None:
    """And by a resource of its own where it names none."""
    found = both(f"{V3}Port", f"{V3}FloatingIP", f"{OPENSTACK}port_connected_to_floating_ip", other=port)
    assert parts(found) == ({} if "port_id" in port else {"t_association": "floating_ip_association"})
    assert found.properties("t") == ({"port_id": Identity("s")} if "port_id" in port else {})


def test_the_resource_that_a_relationship_becomes_is_named() -> None:
    found = both(f"{V3}Port", f"{V3}FloatingIP", f"{OPENSTACK}port_connected_to_floating_ip")
    said = "the relationship to 't' became OS::Neutron::FloatingIPAssociation 't_association'"
    assert messages(found, "BPC413") == [said]


def test_a_volume_may_say_that_it_has_no_device() -> None:
    found = both(f"{V3}Volume", f"{V3}Server", f"{OPENSTACK}volume_attached_to_server", "{device_name: null}")
    assert found.properties("s_attachment") == {"volume_id": Identity("s"), "instance_uuid": Identity("t")}


# -- addresses of servers -----------------------------------------------------------------------------------


def test_novas_association_has_the_places_of_the_relationship() -> None:
    found = lifted(address() + server("t"))
    association = found.node("t_association")
    assert association.kind == "nova_floating_ip_association"
    assert association.properties == {"server_id": Identity("s"), "floating_ip": Identity("t")}
    assert association.origins == {("server_id",): PLACE, ("floating_ip",): (*PLACE, "target")}
    said = "the relationship to 't' became OS::Nova::FloatingIPAssociation 't_association'"
    assert messages(found, "BPC413") == [said]


def test_novas_association_of_a_server_that_exists_has_its_id() -> None:
    """Only one that an input gives: others may be names."""
    found = lifted(address() + server("t", name="external_x", properties=BY_ID), "inputs: {x: {}}")
    assert parts(found) == {"t_association": "nova_floating_ip_association"}
    assert found.properties("t_association") == {"server_id": Input("x", strict=True), "floating_ip": Identity("t")}
    assert messages(found, "BPC414") == []
    found = lifted(
        address() + server("t", name="external_x", properties=BY_ID.replace("id:", "name:")), "inputs: {x: {}}"
    )
    assert parts(found) == {}
    said = ["'t' is not associated with 'external_x': the server exists already, and its id is needed"]
    assert messages(found, "BPC414") == said


def test_each_address_is_read_for_itself() -> None:
    """Whatever else of the blueprint becomes a resource, and also after one that is not associated."""
    subnet = f"sub: {{type: {V3}Subnet, relationships: [{{type: {OPENSTACK}subnet_connected_to_router, target: r}}]}}\n"
    found = lifted(
        f"r: {{type: {V3}Router}}\n{subnet}"
        + "".join(map(address, ("i", "j", "k")))
        + server("i", "j", name="there", properties=EXISTING)
        + server("k")
    )
    assert parts(found) == {"sub_interface": "router_interface", "k_association": "nova_floating_ip_association"}
    assert len(messages(found, "BPC414")) == 2


def test_the_server_waits_for_an_address_that_is_not_associated() -> None:
    """As a server that exists waits for nothing, what waits for it does."""
    app = f"app: {{type: cloudify.nodes.Root, relationships: [{{type: {REL}depends_on, target: s}}]}}"
    found = lifted(address() + server("t", properties=EXISTING) + app)
    assert found.node("app").awaited == ["s", "t"]


@pytest.mark.parametrize(
    ("networks", "port"),
    [
        ("[{uuid: a}]", Attribute("s", "addresses", ("a", 0, "port"))),
        ("[{uuid: a}, {uuid: b}]", Attribute("s", "addresses", ("a", 0, "port"))),
        ("[{uuid: a}, {uuid: a}]", None),
        ("[{uuid: b}, {uuid: a}, {uuid: a}]", Attribute("s", "addresses", ("b", 0, "port"))),
        ("[{uuid: a}, {port: p}]", "p"),
        ("[{uuid: a}, {get_input: x}]", None),
        ("[{get_input: x}, {uuid: a}]", None),
        ("[{get_input: x}, {port: p}]", "p"),
        ("{get_input: x}", None),
        ("[]", None),
    ],
)
def test_the_first_port_of_a_server_has_the_address(networks: str, port: Any) -> None:
    """Nova finds it where the blueprint does not show which one it is."""
    settings = f"{{resource_config: {{networks: {networks}}}}}"
    found = lifted(address() + server("t", properties=settings), "inputs: {x: {}}")
    if port is None:
        assert found.node("t_association").kind == "nova_floating_ip_association"
    else:
        assert found.properties("t_association") == {"port_id": port, "floatingip_id": Identity("t")}


# -- ports that join servers --------------------------------------------------------------------------------

JOINS = f"{OPENSTACK}port_connected_to_server"


def test_a_port_that_joins_a_server_comes_after_its_other_interfaces() -> None:
    """At the place of the relationship, and once."""
    own = f"{{type: {REL}connected_to, target: p}}"
    port = f"s: {{type: {V3}Port, relationships: [{{type: {JOINS}, target: t}}, {{type: {JOINS}, target: t}}]}}"
    found = lifted(f"p: {{type: {V3}Port}}\n{server(name='t', more=own)}{port}")
    assert found.properties("t") == {"networks": [{"port": Identity("p")}, {"port": Identity("s")}]}
    assert found.node("t").origin("networks", 1) == PLACE
    assert found.node("s").awaited == []
    assert messages(found, "BPC411") == []


@pytest.mark.parametrize(
    ("target", "settings", "port"),
    [
        ("Server", EXISTING, "{}"),
        ("Server", "{resource_config: {networks: {get_input: x}}}", "{}"),
        ("Server", "{}", "{resource_config: {name: {get_attribute: [t, id]}, description: {get_input: x}}}"),
    ],
)
def test_a_port_that_cannot_join_a_server_waits_for_it(target: str, settings: str, port: str) -> None:
    """One that exists, whose interfaces an input gives, or that the port needs, and what is no server."""
    found = both(f"{V3}Port", f"{V3}{target}", JOINS, port, settings)
    assert found.node("s").awaited == ["t"]
    assert ("BPC411", "node_templates.s.relationships.0") in found.told
    networks = {"networks": Input("x", strict=True)} if "networks" in settings else {}
    assert found.properties("t") == networks


def test_a_port_that_needs_an_input_joins_a_server() -> None:
    found = both(f"{V3}Port", f"{V3}Server", JOINS, "{resource_config: {name: {get_input: x}}}")
    assert found.properties("t") == {"networks": [{"port": Identity("s")}]}


# -- several instances --------------------------------------------------------------------------------------

SPLITS = {
    "router_interface": ("Subnet", "Router", f"{OPENSTACK}subnet_connected_to_router", "s_interface"),
    "volume_attachment": ("Volume", "Server", f"{OPENSTACK}volume_attached_to_server", "s_attachment"),
    "floating_ip_association": ("Port", "FloatingIP", f"{OPENSTACK}port_connected_to_floating_ip", "t_association"),
    "nova_floating_ip_association": ("Server", "FloatingIP", BETWEEN, "t_association"),
}


@pytest.mark.parametrize("kind", SPLITS)
@pytest.mark.parametrize("several", [("s",), ("t",), ("s", "t"), ()])
def test_what_connects_several_instances_is_there_once(kind: str, several: tuple[str, ...]) -> None:
    """Which is told of each end that there may be several of."""
    source, target, relationship, name = SPLITS[kind]
    counts = {end: ", instances: {deploy: 2}" if end in several else "" for end in ("s", "t")}
    found = lifted(
        f"t: {{type: {V3}{target}{counts['t']}}}\n"
        f"s: {{type: {V3}{source}{counts['s']}, relationships: [{{type: {relationship}, target: t}}]}}"
    )
    assert found.node(name).kind == kind
    assert (found.node(name).instances, found.node(name).condition) == (MISSING, MISSING)
    assert sorted(messages(found, "BPC419")) == [
        message for end in several for message in messages(found, "BPC419") if f"'{end}'" in message
    ]
    assert len(messages(found, "BPC419")) == len(several)


def test_routes_of_several_routers_are_those_of_the_first() -> None:
    step = "{cloudify.interfaces.lifecycle: {start: {inputs: {routes: [{destination: d, nexthop: n}]}}}}"
    found = lifted(f"r: {{type: {V3}Router, instances: {{deploy: 2}}, interfaces: {step}}}")
    assert found.node("r_routes").instances is MISSING
    assert [finding.path for finding in found.diagnostics if finding.code == "BPC419"] == [found.node("r_routes").path]


@pytest.mark.parametrize("conditional", [("s",), ("t",), ("s", "t"), ()])
def test_what_connects_two_nodes_is_there_where_both_are(conditional: tuple[str, ...]) -> None:
    """A condition that both have is said once."""
    choice = "{get_input: [if_created, {get_input: x}]}"
    scaled = f", capabilities: {{scalable: {{properties: {{default_instances: {choice}, min_instances: 0}}}}}}"
    counts = {end: scaled if end in conditional else "" for end in ("s", "t")}
    found = lifted(
        f"t: {{type: {V3}Router{counts['t']}}}\n"
        f"s: {{type: {V3}Subnet{counts['s']}, relationships:"
        f" [{{type: {OPENSTACK}subnet_connected_to_router, target: t}}]}}",
        "inputs: {x: {type: boolean}, if_created: {hidden: true, default: [0, 1]}}",
    )
    ends = [found.node(end).condition for end in conditional]
    assert MISSING not in ends
    assert found.node("s_interface").condition == (ends[0] if ends else MISSING)
