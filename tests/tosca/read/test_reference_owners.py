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
        ("{get_property: [SELF, size]}", "property 'size' of node 'app' has no value, and its type no default for it"),
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


@pytest.mark.parametrize("word", ["SELF", "plug"])
def test_a_relationship_template_refers_to_itself_by_its_name(word: str) -> None:
    text = ATTACHED.replace("device: {get_property: [v, name]}", f"device: {{get_property: [{word}, x]}}, x: /dev/vdd")
    made = convert(text % "plug", "tosca", "hot", carry=False)
    assert made.document["resources"]["plug"]["properties"]["mountpoint"] == "/dev/vdd"


# -- attributes and artifacts -------------------------------------------------------------------------------


def test_values_of_attributes_and_names_of_files_are_resolved() -> None:
    text = TEXT.replace("shade: blue", "shade: {get_property: [SELF, p]}")
    assert output(made_of(outside="{get_attribute: [app, shade]}", text=text)) == 7
    named = TEXT.replace("{p: {get_property: [HOST, size]}, ", "{p: a.sh, ")
    named = named.replace("implementation: a.sh", "implementation: run")
    named = named.replace(
        "      attributes: {shade",
        "      artifacts: {run: {file: {get_property: [SELF, p]}}}\n      attributes: {shade",
    )
    made = made_of(text=named)
    assert made.document["resources"]["app_create_config"]["properties"]["config"] == {"get_file": "a.sh"}


# -- properties behind properties ---------------------------------------------------------------------------

CHAIN = """\
tosca_definitions_version: tosca_simple_yaml_1_3
node_types: {own.N: {derived_from: tosca.nodes.Root, properties: {p: {type: string}}}}
topology_template:
  node_templates:
    v: {type: openstack.cinder.Volume, properties: {size: 1}}
"""


def chain(first: str, row: str, last: str, length: int) -> str:
    """``first``, so many properties that each refer to the next one, and the last one's value."""
    rows = "".join(row.replace("NEXT", str(place + 1)).replace("THIS", str(place)) for place in range(length))
    return CHAIN + first + rows + last.replace("THIS", str(length))


@pytest.mark.parametrize(("length", "is_reached"), [(1, True), (16, True), (17, False), (40, False)])
def test_properties_of_nodes_refer_to_each_other_so_far(length: int, is_reached: bool) -> None:
    node = "    nTHIS: {type: own.N, properties: {p: %s}}\n"
    outputs = "  outputs: {o: {value: {get_property: [n0, p]}}}\n"
    text = chain("", node % "{get_property: [nNEXT, p]}", node % "x" + outputs, length)
    made = convert(text, "tosca", "hot", carry=False)
    assert (output(made) == "x") is is_reached
    assert ("BPC232" in {one.code for one in made.diagnostics}) is not is_reached


@pytest.mark.parametrize(("length", "is_reached"), [(1, True), (15, True), (16, False), (40, False)])
def test_properties_of_relationship_templates_refer_to_each_other_so_far(length: int, is_reached: bool) -> None:
    template = "    tTHIS: {type: tosca.relationships.Root, properties: {p: %s}}\n"
    outputs = "  outputs: {o: {value: {get_property: [t0, p]}}}\n"
    head, row = "  relationship_templates:\n", template % "{get_property: [tNEXT, p]}"
    made = convert(chain(head, row, template % "x" + outputs, length), "tosca", "hot", carry=False)
    assert (output(made) == "x") is is_reached
    assert ("BPC232" in {one.code for one in made.diagnostics}) is not is_reached


@pytest.mark.parametrize(("length", "is_reached"), [(1, True), (15, True), (16, False)])
def test_properties_of_a_relationship_refer_to_each_other_so_far(length: int, is_reached: bool) -> None:
    start = (
        "    vm: {type: Compute, requirements: [local_storage: {node: v, relationship: "
        "{type: tosca.relationships.AttachesTo, properties: {device: {get_property: [SELF, p0]}"
    )
    text = chain(start, ", pTHIS: {get_property: [SELF, pNEXT]}", ", pTHIS: /dev/vdb}}}]}\n", length)
    made = convert(text, "tosca", "hot", carry=False)
    device = made.document["resources"]["vm_v_attachment"]["properties"]["mountpoint"]
    assert (device == "/dev/vdb") is is_reached
    assert bool(messages(made)) is not is_reached
