"""Defaults that types give: of attributes, of capabilities, and of what operations take; calls in them are computed."""

from __future__ import annotations

from typing import Any

import pytest

from bpconvert import convert

SOURCE = """\
tosca_definitions_version: tosca_simple_yaml_1_3
capability_types:
  my.Door:
    derived_from: tosca.capabilities.Root
    properties: {port: {type: integer, default: 1}, word: {type: string, required: false}}
    attributes: {count: {type: integer, default: 3}, url: {type: string, default: {concat: [c, {get_input: word}]}}}
relationship_types:
  my.Link:
    derived_from: tosca.relationships.DependsOn
    attributes: {text: {type: string, default: {concat: [r, {get_property: [TARGET, port]}]}}}
    interfaces:
      Configure:
        operations:
          pre_configure_source:
            implementation: play.yaml
            inputs: {text: {type: string, default: {get_attribute: [SELF, text]}}}
node_types:
  my.Base:
    derived_from: tosca.nodes.SoftwareComponent
    properties: {port: {type: integer, default: 77}}
    attributes:
      url: {type: string, default: {concat: ["http:", {get_property: [SELF, port]}]}}
      map: {type: map, entry_schema: {type: string}, default: {a: {get_input: word}}}
    capabilities:
      door:
        type: my.Door
        properties: {port: {default: {get_property: [SELF, port]}}, word: {default: {get_input: word}}}
        attributes: {count: {default: 4}}
      plain: my.Door
    requirements: [{link: {capability: tosca.capabilities.Node, relationship: my.Link, occurrences: [0, 1]}}]
    interfaces:
      Standard:
        operations:
          create:
            implementation: play.yaml
            inputs:
              untyped: {default: 5}
              refined: {type: integer, default: 6}
              kept: {type: integer, default: 7}
              data: {type: a word, size: 3}
              port: {type: integer, default: {get_property: [SELF, door, port]}}
  my.Derived:
    derived_from: my.Base
    interfaces:
      Standard: {operations: {create: {inputs: {refined: {default: 66}, kept: {type: integer, required: true}}}}}
  my.Station:
    derived_from: tosca.nodes.Compute
    attributes: {private_address: {type: string, default: 192.0.2.7}}
topology_template:
  inputs: {word: {type: string, default: w}}
  node_templates:
    a: {type: my.Derived, requirements: [{host: vm}]}
    b: {type: my.Base, requirements: [{host: vm}, {link: a}]}
    vm: {type: my.Station}
  outputs: {o: {value: {get_attribute: [a, url]}}}
"""
WORD = {"hot": {"get_param": "word"}, "cloudify": {"get_input": "word"}}


def of_output(target: str, call: str) -> Any:
    text = SOURCE.replace("{get_attribute: [a, url]}", call)
    return convert(text, "tosca", target, carry=False, beside={"play.yaml": ""}).document["outputs"]["o"]["value"]


@pytest.mark.parametrize("target", ["hot", "cloudify"])
@pytest.mark.parametrize(
    ("call", "value"),
    [
        ("{get_attribute: [a, url]}", "http:77"),
        ("{get_attribute: [a, map]}", {"a": WORD}),
        ("{get_attribute: [a, map, a]}", WORD),
        ("{get_attribute: [a, door, count]}", 4),
        ("{get_attribute: [a, plain, count]}", 3),
        ("{get_property: [a, door, port]}", 77),
        ("{get_property: [a, plain, port]}", 1),
        ("{get_property: [a, door, word]}", WORD),
        ("{get_attribute: [vm, private_address]}", "192.0.2.7"),
    ],
)
def test_a_default_with_a_call_is_its_value(target: str, call: str, value: Any) -> None:
    expected = WORD[target] if value is WORD else {"a": WORD[target]} if value == {"a": WORD} else value
    assert of_output(target, call) == expected


def test_what_an_operation_takes_is_refined_without_its_type() -> None:
    made = convert(SOURCE, "tosca", "hot", carry=False, beside={"play.yaml": ""})
    resources = made.document["resources"]
    values = resources["a_create_deploy"]["properties"]["input_values"]
    data = {"type": "a word", "size": 3}
    assert values == {"untyped": 5, "refined": 66, "kept": 7, "data": data, "port": 77}
    assert resources["b_a_connect_deploy"]["properties"]["input_values"] == {"text": "r77"}


def test_a_machine_whose_type_has_the_address_exists() -> None:
    made = convert(SOURCE, "tosca", "hot", carry=False, beside={"play.yaml": ""})
    assert made.document["resources"]["vm"]["type"] == "OS::Heat::DeployedServer"
    blueprint = convert(SOURCE, "tosca", "cloudify", carry=False, beside={"play.yaml": ""}).document
    assert blueprint["node_templates"]["vm"]["properties"]["ip"] == "192.0.2.7"


def test_what_a_relationship_template_gives_an_attribute_is_no_default() -> None:
    text = SOURCE.replace("{link: a}", "{link: {node: a, relationship: mine}}").replace(
        "  outputs:", "  relationship_templates: {mine: {type: my.Link, attributes: {text: given}}}\n  outputs:"
    )
    text = text.replace("{get_attribute: [a, url]}", "{get_attribute: [mine, text]}")
    made = convert(text, "tosca", "hot", carry=False, beside={"play.yaml": ""}).document
    assert made["outputs"]["o"]["value"] == "given"
    assert made["resources"]["b_a_connect_deploy"]["properties"]["input_values"] == {"text": "given"}


SECOND = """\
tosca_definitions_version: tosca_2_0
data_types: {my.Data: {properties: {fixed: {type: boolean, value: true}}}}
node_types:
  my.Base:
    derived_from: SoftwareComponent
    properties:
      fixed: {type: integer, value: 5}
      port: {type: integer, default: 80}
      data: {type: my.Data, default: {}}
  my.Derived: {derived_from: my.Base, properties: {port: 443}}
service_template:
  node_templates: {a: {type: my.Derived}}
  outputs:
    o: {value: {$get_property: [a, fixed]}}
    p: {value: {$get_property: [a, port]}}
    d: {value: {$get_property: [a, data]}}
"""


def test_a_type_can_fix_a_value() -> None:
    """TOSCA 2.0 has a key for it, and a refinement in short notation; before 2.0 there is none."""
    made = convert(SECOND, "tosca", "hot", carry=False)
    outputs = {name: row["value"] for name, row in made.document["outputs"].items()}
    assert outputs == {"o": 5, "p": 443, "d": {"fixed": True}}
    assert "BPC120" not in {diagnostic.code for diagnostic in made.diagnostics}
    earlier = SECOND.replace("tosca_2_0", "tosca_simple_yaml_1_3").replace("$", "")
    earlier = earlier.replace("service_template", "topology_template").replace("{port: 443}", "{}")
    codes = {diagnostic.code for diagnostic in convert(earlier, "tosca", "hot", carry=False).diagnostics}
    assert {"BPC120", "BPC819"} <= codes


def test_a_relationship_template_that_nothing_uses_says_what_it_has() -> None:
    template = "{type: my.Link, attributes: {text: given}, properties: {more: p}}"
    text = SOURCE.replace("  outputs:", f"  relationship_templates: {{mine: {template}}}\n  outputs:")
    for call, value in (("text", "given"), ("more", "p")):
        made = convert(
            text.replace("{get_attribute: [a, url]}", f"{{get_attribute: [mine, {call}]}}"), "tosca", "hot",
            carry=False, beside={"play.yaml": ""},
        )  # fmt: skip
        assert made.document["outputs"]["o"]["value"] == value
