"""Attributes of the standard's types: which attribute of a resource each becomes, and what is only nearly the same."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from bpconvert.api import Conversion, convert

TEMPLATE = """
tosca_definitions_version: tosca_simple_yaml_1_3
node_types:
  own.App:
    derived_from: tosca.nodes.SoftwareComponent
    properties: {{port: {{type: integer, default: 80}}, settings: {{type: map}}}}
    attributes: {{colour: {{type: string, default: red}}, plain: {{type: string}}, settings: {{type: map}}}}
    capabilities: {{door: {{type: tosca.capabilities.Endpoint}}}}
    requirements: [{{link: {{capability: tosca.capabilities.Endpoint, occurrences: [0, 1]}}}}]
  own.Router: {{derived_from: tosca.nodes.Root, attributes: {{routes: {{type: list, default: [a, b]}}}}}}
relationship_types:
  own.Link:
    derived_from: tosca.relationships.ConnectsTo
    properties: {{speed: {{type: integer}}, deep: {{type: map}}}}
    attributes: {{mood: {{type: map, default: {{now: good}}}}, none: {{type: string}}}}
topology_template:
  inputs: {{m: {{type: map, default: {{a: b}}}}, net_name: {{type: string, default: blue}}}}
  node_templates:
    vm: {{type: Compute}}
    public:
      type: Compute
    wired: {{type: Compute}}
    lan: {{type: Compute, capabilities: {{endpoint: {{properties: {{network_name: office}}}}}}}}
    bare: {{type: Compute, attributes: {{private_address: 10.0.0.1}}}}
    open: {{type: Compute, attributes: {{private_address: 10.0.0.2, public_address: 192.0.2.1}}}}
    net: {{type: tosca.nodes.network.Network, properties: {{network_name: there}}}}
    own: {{type: tosca.nodes.network.Network, properties: {{cidr: 10.0.0.0/24}}}}
    called:
      type: tosca.nodes.network.Network
      properties: {{cidr: 10.0.0.0/24, network_name: {{get_input: net_name}}}}
    nic: {{type: tosca.nodes.network.Port, requirements: [{{binding: wired}}, {{link: own}}]}}
    second:
      type: tosca.nodes.network.Port
      properties: {{order: 1}}
      requirements: [{{binding: wired}}, {{link: called}}]
    ip: {{type: tosca.nodes.network.FloatingIP, properties: {{floating_network: x}}, requirements: [{{link: second}}]}}
    v: {{type: BlockStorage, properties: {{size: 1 GB}}}}
    old: {{type: BlockStorage, properties: {{volume_id: abc, size: 1 GB}}}}
    router: {{type: own.Router, attributes: {{routes: [c]}}}}
    app:
      type: own.App
      properties: {{settings: {{deep: {{get_input: m}}}}}}
      attributes: {{plain: {{get_attribute: [other, colour]}}}}
      requirements: [{{host: vm}}, {{link: {{node: other, relationship: plug}}}}, {{wire: nic}}]
    other:
      type: own.App
      capabilities: {{door: {{properties: {{port: 3306}}, attributes: {{extra: {{now: 5}}}}}}}}
      requirements: [{{host: bare}}]
    lost: {{type: own.App}}
  relationship_templates:
    plug: {{type: own.Link, properties: {{speed: 10, deep: {{get_input: m}}}}}}
  outputs:
    o: {{value: {0}}}
"""


def output(call: str) -> tuple[Any, list[tuple[str, str]], Conversion]:
    """What an output becomes in Heat, what is found there, and the whole conversion."""
    made = convert(TEMPLATE.format(call), "tosca", "hot", carry=False)
    found = [(one.code, one.message) for one in made.diagnostics if one.path[:2] == ("outputs", "o")]
    return yaml.safe_load(made.text)["outputs"]["o"]["value"], found, made


def of(node: str, *steps: Any) -> dict[str, Any]:
    return {"get_attr": [node, *steps]}


@pytest.mark.parametrize(
    ("path", "value"),
    [
        # what identifies a resource, and what exists already
        ("v, volume_id", {"get_resource": "v"}),
        ("v, tosca_name", "v"),
        ("own, network_id", {"get_resource": "own"}),
        ("own, network_name", of("own", "show", "name")),
        ("called, network_name", {"get_param": "net_name"}),
        ("old, volume_id", "abc"),
        ("old, tosca_name", "old"),
        ("old, size", "1 GB"),
        ("net, network_id", "there"),
        ("net, network_name", "there"),
        # servers
        ("vm, accessIPv4", of("vm", "accessIPv4")),
        ("wired, private_address", of("nic", "fixed_ips", 0, "ip_address")),
        ("wired, public_address", of("ip", "floating_ip_address")),
        ("wired, ports, nic, port_id", {"get_resource": "nic"}),
        ("wired, ports, nic", {"get_resource": "nic"}),
        ("wired, ports, nic, addresses, 1", of("nic", "fixed_ips", 1, "ip_address")),
        ("wired, ports, nic, addresses", of("nic", "fixed_ips", 0, "ip_address")),
        ("wired, ports, nic, network_id", of("nic", "network_id")),
        ("wired, networks, own, network_id", of("wired", "addresses", "own", 0, "network")),
        ("wired, networks, own, network_name", "own"),
        ("wired, networks, own, addresses, 0", of("wired", "networks", "own", 0)),
        ("wired, networks, own, addresses", of("wired", "networks", "own")),
        ("lan, private_address", of("lan", "networks", "office", 0)),
        ("nic, ip_address", of("nic", "fixed_ips", 0, "ip_address")),
        ("nic, network_id", of("nic", "network_id")),
        # machines that exist already
        ("bare, private_address", "10.0.0.1"),
        ("open, private_address", "10.0.0.2"),
        ("open, public_address", "192.0.2.1"),
        # software: what it has, its type has, its machine has
        ("app, plain", "red"),
        ("app, port", 80),
        ("app, settings, deep, a", {"get_param": ["m", "a"]}),
        ("app, tosca_name", "app"),
        ("app, private_address", of("vm", "first_address")),
        ("other, private_address", "10.0.0.1"),
        ("app, host, tosca_id", {"get_resource": "vm"}),
        ("app, host, private_address", of("vm", "first_address")),
        ("app, host, ip_address", of("vm", "first_address")),
        ("app, wire, ip_address", of("nic", "fixed_ips", 0, "ip_address")),
        ("app, link, colour", "red"),
        ("app, link, extra, now", 5),
        ("app, link, ip_address", "10.0.0.1"),
        ("app, link, port", 3306),
        ("other, door, port", 3306),
        ("other, door, extra, now", 5),
        ("other, door, ip_address", "10.0.0.1"),
        ("router, routes, 0", "c"),
        # relationships
        ("plug, speed", 10),
        ("plug, deep, a", {"get_param": ["m", "a"]}),
        ("plug, mood, now", "good"),
    ],
)
def test_an_attribute_is_that_of_the_resource(path: str, value: Any) -> None:
    found, told, _ = output(f"{{get_attribute: [{path}]}}")
    assert found == value
    assert not {code for code, _ in told} & {"BPC232", "BPC819", "BPC822"}


@pytest.mark.parametrize(
    ("path", "value", "told"),
    [
        ("old, colour", None, ("BPC819", "'old' exists already, its 'colour' is not known")),
        ("old, size, 0", None, ("BPC819", "'old' exists already, its 'size' is not known")),
        (
            "own, segmentation_id",
            of("own", "segments", 0, "segmentation_id"),
            ("BPC818", "'segmentation_id' of 'own' is only nearly what Heat has: it is that of the first segment"),
        ),
        (
            "bare, public_address",
            "10.0.0.1",
            (
                "BPC818",
                "'public_address' of 'bare' is only nearly what Heat has: the template gives another address of it",
            ),
        ),
        (
            "wired, networks, own",
            of("wired", "networks", "own"),
            (
                "BPC818",
                "'networks' of 'wired' is only nearly what Heat has: a network has its addresses, and nothing else",
            ),
        ),
        ("vm, private_address", of("vm", "first_address"), ("BPC866", None)),
        ("app, state", None, ("BPC822", "'state' of 'app' is null: Heat has no such attribute")),
        ("vm, state", None, ("BPC822", "'state' of 'vm' is null: Heat has no such attribute")),
    ],
)
def test_what_is_only_nearly_the_same(path: str, value: Any, told: tuple[str, str | None]) -> None:
    found, every, _ = output(f"{{get_attribute: [{path}]}}")
    assert found == value
    assert told in every if told[1] is not None else told[0] in [code for code, _ in every]


@pytest.mark.parametrize("call", ["[old, volume_id]", "[net, network_name]", "[open, private_address]"])
def test_what_is_the_same_is_no_finding(call: str) -> None:
    assert output(f"{{get_attribute: {call}}}")[1] == []


@pytest.mark.parametrize(
    "path",
    [
        "plug, none",
        "plug, mood, absent",
        "lost, plain",
        "absent, plain",
        "lost, private_address",
        "other, door, nothing",
    ],
)
def test_what_nobody_knows_is_shown(path: str) -> None:
    found, told, _ = output(f"{{get_attribute: [{path}]}}")
    steps = path.split(", ")
    assert isinstance(found, str)
    assert steps[0] in found
    assert steps[-1] in found
    assert [code for code, _ in told] == ["BPC178" if steps[0] == "absent" else "BPC232"]


def test_an_address_that_is_asked_for_has_a_floating_ip() -> None:
    found, told, made = output("{get_attribute: [public, public_address]}")
    assert found == of("public_floating_ip", "floating_ip_address")
    assert "BPC812" in [one.code for one in made.diagnostics]
    assert "BPC818" not in [code for code, _ in told]


ALL = """
tosca_definitions_version: tosca_2_0
service_template:
  node_templates:
    disk: {{type: tosca.nodes.Storage.BlockStorage, count: 2, properties: {{size: 1 GB}}}}
  outputs: {{o: {{value: {{$get_attribute: [disk, ALL, {0}]}}}}}}
"""


@pytest.mark.parametrize(
    ("name", "value"), [("volume_id", of("disk", "refs")), ("display_name", of("disk", "display_name"))]
)
def test_an_attribute_of_all_instances(name: str, value: Any) -> None:
    made = convert(ALL.format(name), "tosca", "hot", carry=False)
    assert made.document["outputs"]["o"]["value"] == value


def test_a_machine_with_an_address_on_any_port_gets_no_other() -> None:
    resources = output("{get_attribute: [wired, public_address]}")[2].document["resources"]
    assert [name for name, one in resources.items() if one["type"] == "OS::Neutron::FloatingIP"] == ["ip"]
