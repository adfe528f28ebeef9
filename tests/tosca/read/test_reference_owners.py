"""Which node a reference means: along hosts, by a type, through a relationship, and by what has what is asked for."""

from __future__ import annotations

from typing import Any

import pytest

from bpconvert.api import Result, convert

TEXT = """\
tosca_definitions_version: tosca_simple_yaml_1_3
node_types:
  own.Machine: {derived_from: tosca.nodes.Compute, properties: {rack: {type: string, default: r1}}}
  own.Place: {derived_from: tosca.nodes.SoftwareComponent, properties: {size: {type: integer, default: 7}}}
  own.App:
    derived_from: tosca.nodes.SoftwareComponent
    properties: {p: {type: string}, deep: {type: map}, size: {type: integer}}
    capabilities: {door: {type: tosca.capabilities.Endpoint}}
topology_template:
  inputs: {m: {type: map, default: {a: b}}}
  node_templates:
    other: {type: own.Machine, properties: {rack: r0}}
    vm: {type: own.Machine}
    place: {type: own.Place, requirements: [{beside: other}, {host: vm}]}
    first: {type: own.App, requirements: [{host: vm}]}
    app:
      type: own.App
      properties: {p: {get_property: [HOST, size]}, deep: {x: {get_property: [SELF, p]}, m: {get_input: m}}}
      attributes: {shade: blue}
      capabilities:
        door: {properties: {port: 80}, attributes: {seen: {get_property: [SELF, p]}}}
      requirements:
        - {beside: {node: other, relationship: tosca.relationships.DependsOn}}
        - {base: {node: place, relationship: tosca.relationships.HostedOn}}
      interfaces:
        Standard: {operations: {create: {implementation: a.sh, inputs: {v: INSIDE}}}}
  outputs:
    o: {value: OUTSIDE}
"""


def made_of(inside: str = "1", outside: str = "1", text: str = TEXT) -> Result:
    whole = text.replace("INSIDE", inside).replace("OUTSIDE", outside)
    return convert(whole, "tosca", "hot", carry=False, beside={"a.sh": "#!/bin/sh\n"})


def input_of(made: Result) -> Any:
    return made.document["resources"]["app_create_deploy"]["properties"]["input_values"]["v"]


def output(made: Result) -> Any:
    return made.document["outputs"]["o"]["value"]


def messages(made: Result) -> list[str]:
    return [one.message for one in made.diagnostics if one.code == "BPC819"]


@pytest.mark.parametrize(
    ("call", "value"),
    [
        ("{get_property: [HOST, size]}", "7"),
        ("{get_property: [HOST, rack]}", "r1"),
        ("{get_attribute: [HOST, rack]}", "r1"),
        ("{get_attribute: [HOST, private_address]}", {"get_attr": ["vm", "first_address"]}),
        ("{get_property: [SELF, p]}", "7"),
        ("{get_property: [SELF, deep, x]}", "7"),
        ("{get_property: [SELF, beside, rack]}", "r0"),
        ("{get_property: [SELF, base, size]}", "7"),
        ("{get_attribute: [SELF, base, tosca_name]}", "place"),
        ("{get_attribute: [SELF, door, seen]}", "7"),
        ("{get_property: [SELF, deep, m, a]}", {"get_param": ["m", "a"]}),
    ],
)
def test_host_is_the_nearest_along_the_hosts_that_has_it(call: str, value: Any) -> None:
    """What hosts a node is by the relationship, or by the requirement's name; what is beside it is no host."""
    made = made_of(inside=call)
    assert input_of(made) == value
    assert not messages(made)


@pytest.mark.parametrize(
    ("call", "told"),
    [
        ("{get_property: [HOST, p]}", "node 'HOST' has no property 'p'"),
        ("{get_property: [SELF, deep, gone]}", "node 'app' has no property 'deep.gone'"),
        ("{get_property: [SELF, deep, x, y]}", "node 'app' has no property 'deep.x.y'"),
        ("{get_property: [SELF, door, gone]}", "node 'app' has no property 'door.gone'"),
        ("{get_property: [own.None, p]}", "node 'own.None' has no property 'p'"),
    ],
)
def test_a_property_that_nothing_has_is_told(call: str, told: str) -> None:
    made = made_of(inside=call)
    assert input_of(made) == {"get_param": "app_create_v"}
    assert messages(made) == [told]


@pytest.mark.parametrize(
    ("call", "value"),
    [
        ("{get_property: [own.App, p]}", 7),
        ("{get_property: [own.Machine, rack]}", "r0"),
        ("{get_property: [tosca.nodes.Compute, rack]}", "r0"),
        ("{get_property: [tosca.nodes.SoftwareComponent, size]}", 7),
        ("{get_attribute: [own.App, shade]}", "blue"),
        ("{get_attribute: [own.Place, tosca_name]}", "place"),
        ("{get_attribute: [app, door, seen]}", 7),
        ("{get_attribute: [app, door, port]}", 80),
    ],
)
def test_a_type_is_the_first_node_of_it_that_has_it(call: str, value: Any) -> None:
    made = made_of(outside=call)
    assert output(made) == value
    assert not messages(made)


@pytest.mark.parametrize("word", ["HOST", "SELF"])
def test_an_output_has_no_host(word: str) -> None:
    made = made_of(outside=f"{{get_attribute: [{word}, x]}}")
    assert messages(made) == [f"there is no {word} here"]
    assert messages(made_of(outside=f"{{get_property: [{word}, x]}}")) == [f"node '{word}' has no property 'x'"]


def test_hosts_in_a_circle_have_an_end() -> None:
    """Wherever one comes into it."""
    loop = "{host: loop}]}\n    loop: {type: own.App, requirements: [{host: place}]}\n    first"
    circle = TEXT.replace("{host: vm}]}\n    first", loop).replace("{get_property: [HOST, size]}", "x")
    made = made_of(inside="{get_property: [HOST, gone]}", text=circle)
    assert messages(made) == ["node 'HOST' has no property 'gone'"]


# -- relationships ------------------------------------------------------------------------------------------

ATTACHED = """\
tosca_definitions_version: tosca_simple_yaml_1_3
topology_template:
  inputs: {d: {type: string}}
  node_templates:
    vm:
      type: tosca.nodes.Compute
      requirements:
        - local_storage: {node: v, relationship: %s}
    v: {type: openstack.cinder.Volume, properties: {size: 1, name: /dev/vdb}}
  relationship_templates:
    plug: {type: tosca.relationships.AttachesTo, properties: {location: '', device: {get_property: [v, name]}}}
"""
IN_PLACE = "{type: tosca.relationships.AttachesTo, properties: {%s}}"


@pytest.mark.parametrize(
    ("relationship", "name", "device"),
    [
        ("plug", "plug", "/dev/vdb"),
        (IN_PLACE % "device: {get_property: [v, name]}", "vm_v_attachment", "/dev/vdb"),
        (IN_PLACE % "device: {get_property: [SELF, other]}, other: /dev/vdc", "vm_v_attachment", "/dev/vdc"),
        (IN_PLACE % "device: {get_property: [TARGET, name]}", "vm_v_attachment", "/dev/vdb"),
        (IN_PLACE % "device: {get_input: d}", "vm_v_attachment", {"get_param": "d"}),
    ],
)
def test_properties_of_a_relationship_are_values(relationship: str, name: str, device: Any) -> None:
    """SELF is the relationship."""
    made = convert(ATTACHED % relationship, "tosca", "hot", carry=False)
    written = made.document["resources"][name]["properties"]["mountpoint"]
    assert written == device
