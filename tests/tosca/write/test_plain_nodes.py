"""Nodes of Cloudify that create nothing by themselves, as nodes of TOSCA: what runs scripts is software, what runs
nothing only orders."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from bpconvert.api import Conversion, convert

HEAD = """tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml, plugin:cloudify-openstack-plugin]
node_types:
  my.Tier: {derived_from: cloudify.nodes.Tier, properties: {port: {default: 80}}}
  my.Own: {derived_from: my.Unknown}
inputs: {where: {default: here}}
"""
SERVER = "  vm: {type: cloudify.nodes.openstack.Server, properties: {resource_config: {flavor_id: f, image_id: i}}}\n"


def converted(nodes: str, *, carry: bool = False, more: str = "") -> Conversion:
    source = f"{HEAD}{more}node_templates:\n{SERVER}{nodes}"
    return convert(source.encode(), "cloudify", "tosca", beside={"w.sh": "#!/bin/sh\n"}, carry=carry)


def node(made: Conversion, name: str = "a") -> dict[str, Any]:
    result: dict[str, Any] = yaml.safe_load(made.text)["topology_template"]["node_templates"][name]
    return result


def codes(made: Conversion) -> list[str]:
    return [item.code for item in made.diagnostics if item.severity != "info" or item.code == "BPC398"]


def lifecycle(**steps: str) -> str:
    return "interfaces: {cloudify.interfaces.lifecycle: {" + ", ".join(f"{k}: {v}" for k, v in steps.items()) + "}}"


def test_the_type_of_all_nodes_is_that_of_the_standard() -> None:
    made = converted("  a: {type: cloudify.nodes.Root}\n")
    assert node(made) == {"type": "tosca.nodes.Root"}
    assert codes(made) == []


@pytest.mark.parametrize("type", ["my.Tier", "cloudify.nodes.Tier", "cloudify.nodes.Network"])
def test_a_type_that_does_nothing_is_a_stand_in_without_a_warning(type: str) -> None:
    made = converted(f"  a: {{type: {type}}}\n")
    assert node(made)["properties"]["cloudify_type"] == type
    assert codes(made) == ["BPC398"]


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ("type: my.Own", ["BPC801"]),  # a parent is not known
        ("type: cloudify.nodes.ObjectStorage", ["BPC802"]),  # known to be lost
        ("type: my.Tier, " + lifecycle(create="my.plugin.make"), ["BPC801"]),
        ("type: cloudify.nodes.Root, interfaces: {custom: {first: w.sh}}", ["BPC801"]),  # at no step
    ],
)
def test_what_may_do_something_is_warned_of(more: str, expected: list[str]) -> None:
    made = converted(f"  a: {{{more}}}\n")
    assert [code for code in codes(made) if code.startswith("BPC80")] == expected
    assert "cloudify_type" in node(made)["properties"]


def test_an_attribute_that_is_read_needs_a_type_that_has_it() -> None:
    outputs = "outputs: {o: {value: {get_attribute: [a, x]}}}\n"
    made = converted("  a: {type: cloudify.nodes.Root}\n", more=outputs)
    assert node(made)["type"] == "bpconvert.nodes.CloudifyNode"
    assert codes(made) == ["BPC398"]


def test_what_is_inside_of_a_machine_is_hosted_on_it() -> None:
    inside = "relationships: [{type: cloudify.relationships.contained_in, target: vm}]"
    made = converted(f"  a: {{type: cloudify.nodes.Root, {lifecycle(create='w.sh')}, {inside}}}\n")
    assert node(made) == {
        "type": "tosca.nodes.SoftwareComponent",
        "requirements": [{"host": "vm"}],
        "interfaces": {"Standard": {"operations": {"create": {"implementation": "w.sh"}}}},
    }
    assert codes(made) == []


def test_what_runs_scripts_beside_the_manager_is_software_of_no_host() -> None:
    made = converted(f"  a: {{type: my.Tier, {lifecycle(start='w.sh')}}}\n")
    assert node(made)["type"] == "my.Tier"
    assert list(node(made)["interfaces"]["Standard"]["operations"]) == ["start"]
    assert yaml.safe_load(made.text)["node_types"]["my.Tier"]["derived_from"] == "tosca.nodes.Root"
    assert codes(made) == []


def test_its_own_type_is_not_called_as_a_stand_in() -> None:
    made = converted(f"  a: {{type: cloudify.nodes.Root, {lifecycle(start='w.sh')}}}\n")
    assert node(made)["type"] == "bpconvert.software.Root"


def test_functions_beside_scripts_are_reported_one_by_one() -> None:
    made = converted(f"  a: {{type: cloudify.nodes.Root, {lifecycle(start='w.sh', stop='my.plugin.leave')}}}\n")
    assert codes(made) == ["BPC831"]


def test_scripts_of_a_relationship_count() -> None:
    run = "source_interfaces: {cloudify.interfaces.relationship_lifecycle: {establish: w.sh}}"
    made = converted(
        "  b: {type: cloudify.nodes.Root}\n"
        f"  a: {{type: my.Tier, relationships: [{{type: cloudify.relationships.depends_on, target: b, {run}}}]}}\n"
    )
    assert "relationship" in node(made)["requirements"][0]["dependency"]
    assert codes(made) == []


def test_it_means_the_same_there_and_comes_back() -> None:
    nodes = (
        f"  b: {{type: my.Tier, {lifecycle(create='w.sh')}}}\n"
        "  a: {type: cloudify.nodes.Root, relationships: [{type: cloudify.relationships.depends_on, target: b}]}\n"
    )
    made = converted(nodes)
    files = {"w.sh": "#!/bin/sh\n"}
    back = convert(made.text.encode(), "tosca", "cloudify", beside=files, carry=False)
    assert yaml.safe_load(back.text)["node_templates"]["a"] == {
        "type": "cloudify.nodes.Root",
        "relationships": [{"type": "cloudify.relationships.depends_on", "target": "b"}],
    }
    whole = converted(nodes, carry=True)
    again = convert(whole.text.encode(), "tosca", "cloudify", beside=files)
    assert again.text == f"{HEAD}node_templates:\n{SERVER}{nodes}"


# -- what does nothing in other languages ----------------------------------------------------------------------------

HOT = """heat_template_version: 2018-08-31
resources:
  n: {type: OS::Heat::None}
  m: {type: OS::Heat::None, depends_on: n}
  p: {type: OS::Heat::None, properties: {a: 1}}
  v: {type: OS::Cinder::Volume, properties: {size: 1}, depends_on: m}
"""


def test_a_resource_that_does_nothing_is_the_root_of_all_nodes() -> None:
    made = convert(HOT.encode(), "hot", "tosca", carry=False)
    assert node(made, "n") == {"type": "tosca.nodes.Root"}
    assert node(made, "m") == {"type": "tosca.nodes.Root", "requirements": [{"dependency": "n"}]}
    assert node(made, "p")["type"] == "openstack.heat.None", "its properties are there"


@pytest.mark.parametrize(
    ("language", "section", "plain"),
    [("hot", "resources", "OS::Heat::None"), ("cloudify", "node_templates", "cloudify.nodes.Root")],
)
def test_the_root_of_all_nodes_does_nothing_elsewhere(language: str, section: str, plain: str) -> None:
    made = convert(HOT.encode(), "hot", "tosca", carry=False)
    back = convert(made.text.encode(), "tosca", language, carry=False)
    nodes = yaml.safe_load(back.text)[section]
    assert (nodes["n"], nodes["m"]["type"]) == ({"type": plain}, plain)
    assert [item.code for item in back.diagnostics if item.severity != "info"] == []


def test_operations_of_the_root_of_all_nodes_are_lost_in_heat_with_a_warning() -> None:
    source = b"""tosca_definitions_version: tosca_simple_yaml_1_3
topology_template:
  node_templates:
    a: {type: tosca.nodes.Root, interfaces: {Standard: {operations: {create: w.sh}}}}
    v: {type: openstack.cinder.Volume, properties: {size: 1}, requirements: [{dependency: a}]}
"""
    made = convert(source, "tosca", "hot", beside={"w.sh": "#!/bin/sh\n"}, carry=False)
    assert [item.code for item in made.diagnostics if item.severity != "info"] == ["BPC380"]
    assert yaml.safe_load(made.text)["resources"]["a"]["properties"]["tosca_type"] == "tosca.nodes.Root"
