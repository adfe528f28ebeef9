"""Values of data types have the defaults of the fields that they leave out, wherever something asks for them."""

from __future__ import annotations

from typing import Any

import pytest

from bpconvert import convert

SOURCE = """\
tosca_definitions_version: tosca_simple_yaml_1_3
data_types:
  my.Inner:
    derived_from: tosca.datatypes.Root
    properties: {size: {type: integer, default: 5}, word: {type: string, required: false}}
  my.Outer:
    derived_from: tosca.datatypes.Root
    properties:
      active: {type: boolean, default: false}
      ports: {type: list, entry_schema: {type: integer}, default: [1, 2]}
      inner: {type: my.Inner, required: false}
  my.Derived: {derived_from: my.Outer, properties: {active: {type: boolean, default: true}}}
  my.Endless: {derived_from: tosca.datatypes.Root, properties: {next: {type: my.Endless, default: {}}}}
capability_types:
  my.Door: {derived_from: tosca.capabilities.Root, properties: {outer: {type: my.Outer, default: {}}}}
relationship_types:
  my.Link:
    derived_from: tosca.relationships.DependsOn
    properties: {inner: {type: my.Inner, default: {word: link}}}
    interfaces:
      Configure:
        operations:
          pre_configure_source:
            implementation: play.yaml
            inputs: {size: {type: integer, default: {get_property: [SELF, inner, size]}}}
node_types:
  my.Software:
    derived_from: tosca.nodes.SoftwareComponent
    properties:
      outer: {type: my.Outer, default: {active: true}}
      inners: {type: list, entry_schema: {type: my.Inner}, default: [{word: a}, {size: 3}]}
      named: {type: map, entry_schema: {type: my.Derived}, default: {k: {}}}
      endless: {type: my.Endless, default: {}}
      plain: {type: map, entry_schema: {type: string}, default: {size: 1}}
    capabilities: {door: my.Door}
    requirements: [{link: {capability: tosca.capabilities.Node, relationship: my.Link, occurrences: [0, 1]}}]
    interfaces:
      Standard:
        operations:
          create:
            implementation: play.yaml
            inputs: {own: {type: my.Inner, default: {}}, other: {type: my.Inner, default: {size: 1}}}
topology_template:
  inputs: {given: {type: my.Outer, default: {inner: {word: z}}}}
  node_templates:
    a:
      type: my.Software
      properties: {outer: {inner: {word: q}}}
      interfaces: {Standard: {operations: {create: {inputs: {other: {word: mine}}}}}}
      requirements: [{host: vm}]
    b: {type: my.Software, requirements: [{host: vm}, {link: a}]}
    vm: {type: tosca.nodes.Compute}
  outputs: {o: {value: CALL}}
"""
FULL = {"active": False, "ports": [1, 2]}


def converted(call: str, target: str) -> Any:
    return convert(SOURCE.replace("CALL", call), "tosca", target, carry=False, beside={"play.yaml": ""}).document


@pytest.mark.parametrize("target", ["hot", "cloudify"])
@pytest.mark.parametrize(
    ("call", "value"),
    [
        ("{get_property: [a, outer]}", {**FULL, "inner": {"word": "q", "size": 5}}),
        ("{get_attribute: [a, outer]}", {**FULL, "inner": {"word": "q", "size": 5}}),
        ("{get_property: [a, outer, active]}", False),
        ("{get_property: [a, outer, ports, 1]}", 2),
        ("{get_property: [a, outer, inner, size]}", 5),
        ("{get_property: [a, inners]}", [{"word": "a", "size": 5}, {"size": 3}]),
        ("{get_property: [a, named, k, active]}", True),
        ("{get_property: [a, endless]}", {"next": {}}),
        ("{get_property: [a, plain]}", {"size": 1}),
        ("{get_property: [a, door, outer]}", FULL),
        ("{get_property: [b, outer, active]}", True),
    ],
)
def test_fields_that_are_left_out(target: str, call: str, value: Any) -> None:
    assert converted(call, target)["outputs"]["o"]["value"] == value


def test_what_operations_and_inputs_have() -> None:
    made = converted("x", "hot")
    values = made["resources"]["a_create_deploy"]["properties"]["input_values"]
    assert values == {"own": {"size": 5}, "other": {"word": "mine", "size": 5}}
    assert made["resources"]["b_a_connect_deploy"]["properties"]["input_values"] == {"size": 5}
    assert made["parameters"]["given"]["default"] == {**FULL, "inner": {"word": "z", "size": 5}}


def test_a_node_that_has_no_counterpart_shows_what_is_written() -> None:
    properties = converted("x", "cloudify")["node_templates"]["a"].get("properties", {})
    assert properties in ({}, {"outer": {"inner": {"word": "q"}}})
