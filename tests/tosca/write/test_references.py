"""What references of other languages become in a service template."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from bpconvert.api import Result, convert

BLUEPRINT = """\
tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml, plugin:cloudify-openstack-plugin]
node_types: {my.T: {derived_from: cloudify.nodes.Root, properties: {list: {default: [a, {k: b}]}, text: {default: t}}}}
node_templates:
  n: {type: my.T}
  ext: {type: cloudify.nodes.openstack.Network, properties: {use_external_resource: true, resource_config: {name: e}}}
outputs:
"""


def output(value: str) -> tuple[Any, list[str]]:
    """What an output becomes, and what is told of it."""
    made = convert(f"{BLUEPRINT}  o: {{value: {value}}}\n", "cloudify", "tosca", carry=False)
    told = [one.message for one in made.diagnostics if one.path[:1] == ("outputs",)]
    return yaml.safe_load(made.text)["topology_template"]["outputs"]["o"]["value"], told


@pytest.mark.parametrize(
    ("path", "value"),
    [("text", "t"), ("list, 0", "a"), ("list, 1", {"k": "b"}), ("list, -2", "a"), ("list, 1, k", "b")],
)
def test_a_property_is_its_value(path: str, value: Any) -> None:
    assert output(f"{{get_property: [n, {path}]}}") == (value, [])


@pytest.mark.parametrize("path", ["n, gone", "n, list, 2", "n, list, -3", "n, list, x", "n, text, 0", "gone, list"])
def test_a_property_that_is_not_there_has_no_value(path: str) -> None:
    value, told = output(f"{{get_property: [{path}]}}")
    assert value.startswith("not converted: ")
    assert any("there is no such property" in message for message in told)


def test_of_what_exists_already_the_name_is_known() -> None:
    assert output("{get_attribute: [ext, name]}") == ("e", [])
    value, told = output("{get_attribute: [ext, name, k]}")
    assert value.startswith("not converted: ")
    assert "only its name is known" in told[0]


@pytest.mark.parametrize(
    ("asked", "written"),
    [("inputs", {"get_input": "x_metadata"}), ("values", {"get_attribute": ["x_metadata", "result"]})],
)
def test_a_map_like_a_call_with_a_value_in_it_is_asked_for_or_computed(asked: str, written: Any) -> None:
    server = "{image: i, flavor: f, metadata: {get_attribute: [x, {get_param: a}]}}"
    source = (
        "heat_template_version: 2018-08-31\nparameters: {a: {type: string}}\n"
        f"resources: {{x: {{type: OS::Nova::Server, properties: {server}}}}}\n"
    )
    made = convert(source, "hot", "tosca", carry=False, asked=asked)
    nodes = yaml.safe_load(made.text)["topology_template"]["node_templates"]
    assert nodes["x"]["properties"]["metadata"] == written


# -- what a node keeps --------------------------------------------------------------------------------------

HOT = "heat_template_version: 2018-08-31\nresources:\n"


def kept(node: Any) -> Any:
    """What a node keeps in its metadata."""
    return yaml.safe_load(node.get("metadata", {}).get("bpconvert", "{}"))


def node(result: Result, name: str) -> Any:
    return yaml.safe_load(result.text)["topology_template"]["node_templates"][name]


def found(result: Result, code: str) -> list[Any]:
    return [one.path for one in result.diagnostics if one.code == code]


def test_what_waits_for_nothing_that_is_there_is_told() -> None:
    """A resource that nothing has is no requirement."""
    source = HOT + "  a: {type: OS::Heat::RandomString, depends_on: [b, gone]}\n  b: {type: OS::Heat::RandomString}\n"
    made = convert(source, "hot", "tosca", carry=False)
    assert node(made, "a")["requirements"] == [{"dependency": "b"}]
    assert found(made, "BPC208") == [("resources", "a")]


@pytest.mark.parametrize(
    ("id", "written", "is_kept"),
    [
        ("known", "known", False),
        ("{get_param: p}", {"get_input": "p"}, False),
        ("{str_replace: {template: x-$p, params: {$p: {get_param: p}}}}", {"concat": ["x-", {"get_input": "p"}]}, True),
    ],
)
def test_an_id_that_is_written_otherwise_is_kept(id: str, written: Any, is_kept: bool) -> None:
    head = HOT.replace("resources:", "parameters: {p: {type: string}}\nresources:")
    made = convert(f"{head}  a: {{type: OS::Neutron::Net, external_id: {id}}}\n", "hot", "tosca", carry=False)
    assert node(made, "a")["directives"] == ["select"]
    assert node(made, "a")["attributes"] == {"openstack_id": written}
    assert ("external_id" in kept(node(made, "a"))) is is_kept


def test_a_number_of_instances_that_no_policy_has_is_kept() -> None:
    more = "capabilities: {scalable: {properties: {default_instances: 3}}}"
    source = f"{BLUEPRINT.partition('outputs')[0]}  many: {{type: cloudify.nodes.Root, {more}}}\n"
    made = convert(source, "cloudify", "tosca", carry=False)
    rows = [None if isinstance(one, dict) else one for one in kept(node(made, "many"))["instances"]]
    assert rows == [3, None, None]
    assert found(made, "BPC886") == [("node_templates", "many")]
