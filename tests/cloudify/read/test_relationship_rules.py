"""What the OpenStack plugin does with relationships: operations, order, properties beside them, gateways."""

from __future__ import annotations

from typing import Any

import pytest
from neutral_form import REL, V2, V3, Lifted, both, lifted, related, server_with

from bpconvert.models.expressions import Identity, Input, Merge

OS = f"{REL}openstack."
LIFECYCLE = "cloudify.interfaces.relationship_lifecycle"
EXISTING = "{use_external_resource: true, resource_config: {name: n}}"
INPUTS = "inputs: {x: {}}"
PLACE = "node_templates.s.relationships.0"


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


def test_operations_of_a_relationship_are_the_nodes_and_those_of_the_plugin_are_none() -> None:
    runs = "{implementation: a.py, inputs: {a: {get_input: x}}}"
    script = f"source_interfaces: {{{LIFECYCLE}: {{establish: {runs}}}}}"
    found = lifted(
        f"t: {{type: {V3}Port}}\ns: {{type: {V3}Server,"
        f" relationships: [{{type: {OS}server_connected_to_port, target: t}}]}}\n"
        f"r: {{type: cloudify.nodes.Root, relationships: [{{type: {REL}connected_to, target: t, {script}}}]}}",
        INPUTS,
    )
    assert found.node("s").operations == []
    [only] = found.node("r").operations
    assert (only.name, only.implementation, only.target, only.inputs) == (
        "establish", "a.py", "t", {"a": Input("x", strict=True)},
    )  # fmt: skip


def test_a_relationship_that_allows_access_is_nothing_else() -> None:
    found = related(f"{V3}SharedFileSystem", f"{V3}Server", f"{OS}share_connected_to_server")
    assert len(found.properties("s")["access_rules"]) == 1
    assert (found.node("s").operations, found.node("s").awaited) == ([], [])
    assert "BPC411" not in [code for code, _ in found.told]


@pytest.mark.parametrize(
    ("source", "target", "parent", "properties"),
    [
        ("RBACPolicy", "Network", f"{OS}rbac_policy_applied_to",
         {"object_id": Identity("t"), "object_type": "network"}),
        ("Volume", "Server", f"{OS}volume_attached_to_server", {}),
    ],
)  # fmt: skip
def test_a_type_of_ones_own_does_what_its_parent_does(source: str, target: str, parent: str, properties: Any) -> None:
    types = f"relationships: {{mine: {{derived_from: {parent}}}}}"
    nodes = f"t: {{type: {V3}{target}}}\ns: {{type: {V3}{source}, relationships: [{{type: mine, target: t}}]}}"
    found = lifted(nodes, types)
    assert found.properties("s") == properties
    assert ("s_attachment" in found.topology.nodes) is (source == "Volume")
    assert found.node("s").awaited == []


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
    found = both(f"{V3}Router", f"{V3}Network", other=EXISTING)
    assert found.properties("s") == {"external_gateway_info": {"network": Identity("t")}}
    place = ("node_templates", "s", "relationships", 0)
    assert found.node("s").origin("external_gateway_info", "network") == place
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


# -- order --------------------------------------------------------------------------------------------------


def test_a_server_waits_for_the_address_of_its_port() -> None:
    nodes = (
        f"ip: {{type: {V3}FloatingIP}}\n"
        f"p: {{type: {V3}Port, relationships: [{{type: {OS}port_connected_to_floating_ip, target: ip}}]}}"
    )
    found = server_with(nodes, [(f"{OS}server_connected_to_port", "p")])
    assert found.node("s").awaited == ["ip_association"]
    found = server_with(nodes, [(f"{OS}server_connected_to_port", "p")], EXISTING)
    assert found.node("s").awaited == []
    subnet = (
        f"ro: {{type: {V3}Router}}\n"
        f"sub: {{type: {V3}Subnet, relationships: [{{type: {OS}subnet_connected_to_router, target: ro}}]}}"
    )
    found = server_with(f"{subnet}\n{nodes}", [(f"{OS}server_connected_to_port", "p")])
    assert found.node("s").awaited == ["ip_association"]
    waiting = f"n: {{type: {V3}Network, relationships: [{{type: {REL}depends_on, target: ip}}]}}"
    found = server_with(f"{nodes}\n{waiting}", [])
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


def test_nodes_that_are_contained_in_each_other_have_no_host() -> None:
    found = lifted(
        f"a: {{type: cloudify.nodes.Root, relationships: [{{type: {REL}contained_in, target: b}}]}}\n"
        f"b: {{type: cloudify.nodes.Root, relationships: [{{type: {REL}contained_in, target: a}}]}}"
    )
    assert [node.host for node in found.topology.nodes.values()] == [None, None]


def test_a_type_derived_from_contained_in_says_the_host() -> None:
    found = lifted(
        f"vm: {{type: {V3}Server}}\na: {{type: cloudify.nodes.Root, relationships: [{{type: mine, target: vm}}]}}",
        f"relationships: {{mine: {{derived_from: {REL}contained_in}}}}",
    )
    assert found.node("a").host == "vm"
