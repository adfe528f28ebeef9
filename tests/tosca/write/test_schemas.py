"""The types of written values: every list and map has a schema of its entries, where one type fits them."""

from __future__ import annotations

from typing import Any

import pytest

from bpconvert.api import convert
from bpconvert.models.tosca_versions import LATEST, VERSION_2_0, VERSIONS, WRITTEN
from bpconvert.options import CHOICES
from bpconvert.translators.tosca.write.schemas import Schemas, Shapes, used
from bpconvert.yamlio.document import load

CALL = {"get_input": "x"}


@pytest.mark.parametrize(
    ("values", "row"),
    [
        (["a", CALL], {"type": "string"}),
        ([["a", CALL]], {"type": "list", "entry_schema": {"type": "string"}}),
        ([[1], [2]], {"type": "list", "entry_schema": {"type": "integer"}}),
        ([{"a": True, "b": CALL}], {"type": "map", "entry_schema": {"type": "boolean"}}),
        ([{}], {"type": "map", "entry_schema": {"type": "string"}}),
        ([[1, "a"]], {"type": "list"}),
        ([[None]], {"type": "list"}),
        ([[["a"]]], {"type": "list"}),
        ([["a"], {"b": 1}], {"type": "string"}),
    ],
)
def test_types_of_plain_values(values: list[Any], row: dict[str, Any]) -> None:
    schemas = Schemas(Shapes(""))
    assert (schemas.row(values, "", "t.p"), schemas.types) == (row, {})


def test_maps_whose_entries_differ_are_of_data_types() -> None:
    schemas = Schemas(Shapes(""))
    rules = [[{"port": 80, "hosts": ["a"], "tags": {"x y": {"n": 1}}}], [{"port": CALL, "protocol": "tcp"}]]
    assert schemas.row(rules, "", "t.rules") == {"type": "list", "entry_schema": {"type": "t.rules"}}
    assert {name: sorted(one["properties"]) for name, one in schemas.types.items()} == {
        "t.rules": ["hosts", "port", "protocol", "tags"],
        "t.rules.tags": ["x y"],
    }
    assert schemas.types["t.rules"]["properties"]["hosts"] == {
        "type": "list", "entry_schema": {"type": "string"}, "required": False,
    }  # fmt: skip


def test_attributes_have_what_paths_lead_into() -> None:
    schemas = Schemas(Shapes(""))
    assert schemas.attribute([(), (0, "ip")], None, "t.ips") == {"type": "list", "entry_schema": {"type": "t.ips"}}
    assert schemas.attribute([("a",), ("b", 0)], None, "t.out") == {"type": "t.out"}
    assert schemas.attribute([("a",), (0,)], None, "t.odd") == {"type": "map", "entry_schema": {"type": "map"}}
    assert [*schemas.types["t.out"]["properties"]] == ["a", "b"]


def test_only_data_types_that_are_named_are_written() -> None:
    schemas = Schemas(Shapes(""))
    schemas.row([{"a": {"b": [1]}, "c": "x"}], "", "t.p")
    schemas.row([{"a": 1, "c": "x"}], "", "t.q")
    assert [*used(schemas.types, {"type": "t.p"})] == ["t.p", "t.p.a"]


def test_an_input_has_a_schema_of_the_entries_of_its_default() -> None:
    text = (
        "heat_template_version: 2018-08-31\nparameters:\n"
        "  rules: {type: json, default: [{port: 80, protocol: tcp}]}\n  odd: {type: json, default: {a: 1, b: x}}\n"
        "outputs: {o: {value: [{get_param: rules}, {get_param: odd}]}}\n"
    )
    made = convert(text.encode(), "hot", "tosca").document
    inputs = made["topology_template"]["inputs"]
    assert inputs["rules"]["entry_schema"] == {"type": "inputs.rules"}
    assert inputs["odd"]["entry_schema"] == {"type": "string"}
    assert [*made["data_types"]] == ["inputs.rules"]


def test_what_is_written_is_one_of_the_versions_that_are_read() -> None:
    assert {LATEST} <= {*WRITTEN.values()} <= {*VERSIONS, VERSION_2_0}
    assert CHOICES["tosca_version"] == (None, *WRITTEN)


ODD = """heat_template_version: 2018-08-31
resources:
  config:
    type: OS::Heat::CloudConfig
    properties:
      cloud_config:
        users: [default, {name: me, groups: null}]
        runcmd: [[ls, 1], {get_resource: up}, text]
        packages: [a, b]
  flow:
    type: OS::Mistral::Workflow
    properties: {type: direct, tasks: [{name: t}], input: {a: null, b: x}}
  up:
    type: OS::Heat::Value
    properties: {value: {80: 8080}}
  down:
    type: OS::Heat::Value
    properties: {value: [a]}
  list:
    type: OS::Heat::Value
    properties: {value: [[a], [b, c]]}
"""


def test_values_that_no_type_fits_are_coded_and_come_back() -> None:
    made = convert(ODD.encode(), "hot", "tosca", carry=False)
    nodes = made.document["topology_template"]["node_templates"]
    config = nodes["config"]["properties"]["cloud_config"]
    assert config["users"]["1"] == {"name": "me", "groups": {"none": True}}
    assert config["packages"] == ["a", "b"]
    assert config["runcmd"]["0"] == {"0": "ls", "1": 1}
    assert {one.code for one in made.diagnostics} >= {"BPC428"}
    back = convert(made.text.encode(), "tosca", "hot", carry=False).document["resources"]
    original = load(ODD).data["resources"]
    for name in ("config", "flow", "up", "down", "list"):
        assert back[name]["properties"] == original[name]["properties"]


def test_values_of_different_types_of_one_property_have_types_of_their_own() -> None:
    made = convert(ODD.encode(), "hot", "tosca").document
    nodes = made["topology_template"]["node_templates"]
    assert {nodes[name]["type"] for name in ("up", "down", "list")} == {
        "openstack.heat.Value", "openstack.heat.Value.2", "openstack.heat.Value.3",
    }  # fmt: skip
    up = made["node_types"][nodes["up"]["type"]]
    assert up["properties"]["value"]["key_schema"] == {"type": "integer"}
    assert {one["metadata"]["heat_name"] for name, one in made["node_types"].items() if "Value" in name} == {
        "OS::Heat::Value"
    }


def test_a_pattern_that_ends_in_anything_is_written_for_all_engines() -> None:
    text = "heat_template_version: 2018-08-31\nparameters:\n  p:\n    type: string\n"
    text += "    constraints: [{allowed_pattern: 'a(?s:.*)'}]\n"
    made = convert(text.encode(), "hot", "tosca", carry=False)
    written = made.document["topology_template"]["inputs"]["p"]["constraints"]
    assert written == [{"pattern": r"a[\s\S]*"}]
    back = convert(made.text.encode(), "tosca", "hot", carry=False).document["parameters"]["p"]
    assert back["constraints"] == [{"allowed_pattern": "a(?s:.*)"}]


def test_a_requirement_takes_nodes_of_all_types_of_a_resource() -> None:
    text = "heat_template_version: 2018-08-31\nresources:\n"
    for name, size in (("a", "1"), ("b", "'2'")):
        text += (
            f"  {name}: {{type: OS::Cinder::Volume, properties: {{size: {size}}}}}\n"
            f"  s{name}: {{type: OS::Nova::Server, properties: {{flavor: f, image: i}}}}\n"
            f"  at{name}:\n    type: OS::Cinder::VolumeAttachment\n"
            f"    properties: {{volume_id: {{get_resource: {name}}}, instance_uuid: {{get_resource: s{name}}}}}\n"
        )
    types = convert(text.encode(), "hot", "tosca").document["node_types"]
    assert {"openstack.cinder.Volume", "openstack.cinder.Volume.2"} <= {*types}
    assert all("attachment" in types[f"openstack.cinder.Volume{end}"]["capabilities"] for end in ("", ".2"))
    assert types["openstack.nova.Server"]["requirements"][0]["volume"]["node"] == "tosca.nodes.Root"
