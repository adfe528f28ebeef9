"""Values that stand in several places of a result, where all but one were references: an edit changes that one."""

from __future__ import annotations

import difflib

import pytest

from bpconvert import Result, convert

SERVICE = """\
tosca_definitions_version: tosca_simple_yaml_1_3
node_types:
  own.App: {derived_from: tosca.nodes.Root, properties: {greeting: {type: string}, port: {type: integer}}}
topology_template:
  node_templates:
    app:
      type: own.App
      properties:
        greeting: hello  # to whom
        port: 8084
    other:
      type: own.App
      properties: {greeting: welcome, port: {get_property: [app, port]}}
  outputs:
    port:
      value: {get_property: [app, port]}
    text:
      value: {concat: [{get_property: [app, greeting]}, ' and ', {get_property: [other, greeting]}]}
"""
BLUEPRINT = """\
tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml]
node_types:
  own.App: {derived_from: cloudify.nodes.Root, properties: {settings: {}, name: {}}}
node_templates:
  app:
    type: own.App
    properties:
      settings: {size: 3, mode: fast}
      name: {get_property: [SELF, settings, mode]}
outputs:
  mode:
    value: {get_property: [app, settings, mode]}
  all:
    value: {get_property: [app, settings]}
"""


def edited(text: str, source: str, target: str, old: str, new: str) -> tuple[list[str], Result]:
    """The lines of the source that differ after the first such text of the result was edited, and what came back."""
    result, mark, kept = convert(text, source, target).text.partition("bpconvert:")
    assert old in result
    back = convert(result.replace(old, new, 1) + mark + kept, target, source)
    lines = difflib.unified_diff(text.splitlines(), back.text.splitlines(), lineterm="", n=0)
    return [line for line in lines if not line.startswith(("---", "+++", "@@"))], back


@pytest.mark.parametrize("target", ["hot", "cloudify"])
def test_a_value_that_others_refer_to(target: str) -> None:
    lines, back = edited(SERVICE, "tosca", target, "port: 8084", "port: 8085")
    assert lines == [
        "-        port: 8084", "+        port: 8085",
        "-      properties: {greeting: welcome, port: {get_property: [app, port]}}",
        "+      properties: {greeting: welcome, port: 8084}",
        "-      value: {get_property: [app, port]}", "+      value: 8084",
    ]  # fmt: skip
    assert [one.message for one in back.diagnostics if one.code == "BPC669"] == [
        f"'{there}' still has the value that was edited elsewhere: {place} has that value in place of a reference"
        for there, place in (
            (f"{'resources' if target == 'hot' else 'node_templates'}.other", "node_templates.other.properties.port"),
            ("outputs.port", "outputs.port.value"),
        )
    ]
    assert not [one for one in back.diagnostics if one.severity.name != "INFO"]


def test_a_part_of_a_text() -> None:
    lines, back = edited(SERVICE, "tosca", "cloudify", "greeting: hello", "greeting: good day")
    assert lines == [
        "-        greeting: hello  # to whom", "+        greeting: good day  # to whom",
        "-      value: {concat: [{get_property: [app, greeting]}, ' and ', {get_property: [other, greeting]}]}",
        "+      value: {concat: [hello, ' and ', {get_property: [other, greeting]}]}",
    ]  # fmt: skip
    assert "BPC669" in {one.code for one in back.diagnostics}


def test_a_whole_that_the_value_is_in() -> None:
    lines, _ = edited(BLUEPRINT, "cloudify", "hot", "mode: fast", "mode: slow")
    assert "-      settings: {size: 3, mode: fast}" in lines
    assert "+      settings: {size: 3, mode: slow}" in lines
    assert [line for line in lines if "get_property" in line and line[0] == "-"] == [
        "-      name: {get_property: [SELF, settings, mode]}",
        "-    value: {get_property: [app, settings, mode]}",
        "-    value: {get_property: [app, settings]}",
    ]
    assert lines[-1].strip("+ ") == "value: {size: 3, mode: fast}"
