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


LISTS = """\
tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml]
node_types:
  own.App: {derived_from: cloudify.nodes.Root, properties: {names: {}, name: {}}}
node_templates:
  app:
    type: own.App
    properties:
      names: [red, green]
      name: {get_property: [SELF, names]}
  other:
    type: own.App
    properties:
      names: []
      name: {get_property: [SELF, names]}
outputs:
  all:
    value: {get_property: [app, names]}
"""


@pytest.mark.parametrize("items", ["blue, green", "green", "red, blue, green", "blue, grey", "red, green, blue"])
def test_a_list_that_others_refer_to(items: str) -> None:
    lines, back = edited(LISTS, "cloudify", "hot", "names: [red, green]", f"names: [{items}]")
    assert "names: [red, green]" in convert(LISTS, "cloudify", "hot").text
    assert [line for line in lines if "get_property" in line] == [
        "-      name: {get_property: [SELF, names]}", "-    value: {get_property: [app, names]}"
    ]  # fmt: skip
    shown = convert(back.text, "cloudify", "hot", carry="none").text
    assert [f"names: [{items}]" in shown, "name: [red, green]" in shown, "value: [red, green]" in shown] == [True] * 3
    assert "BPC669" in {one.code for one in back.diagnostics}


def test_two_values_that_others_refer_to() -> None:
    result = convert(SERVICE, "tosca", "hot").text
    old = result[result.index("greeting: hello") : result.index("port: 8084") + len("port: 8084")]
    new = old.replace("hello", "good day").replace("8084", "8085")
    lines, back = edited(SERVICE, "tosca", "hot", old, new)
    assert [line.strip("+ ") for line in lines if line[0] == "+"] == [
        "greeting: good day  # to whom",
        "port: 8085",
        "properties: {greeting: welcome, port: 8084}",
        "value: 8084",
        "value: {concat: [hello, ' and ', {get_property: [other, greeting]}]}",
    ]
    assert "BPC669" in {one.code for one in back.diagnostics}


def test_what_reads_a_default_of_the_type_has_no_value_to_get_back() -> None:
    text = BLUEPRINT.replace("name: {}}", "name: {}, level: {default: 1}}")
    text = text.replace("name: {get_property: [SELF, settings, mode]}", "name: {get_property: [SELF, level]}")
    back = edited(text, "cloudify", "hot", "        name: 1\n", "        name: 1\n        level: 2\n")[1]
    shown = convert(back.text, "cloudify", "hot", carry="none").text
    assert ("name: 1" in shown, "level: 2" in shown) == (True, True)


REQUIREMENT = """\
tosca_definitions_version: tosca_simple_yaml_1_3
node_types:
  own.Store: {derived_from: tosca.nodes.Root, properties: {title: {type: string}, data: {type: map}}}
  own.App:
    derived_from: tosca.nodes.Root
    properties: {name: {type: string}, data: {type: map}, mode: {type: string}}
topology_template:
  node_templates:
    store:
      type: own.Store
      properties: {title: first, data: {mode: fast}}
    app:
      type: own.App
      properties:
        name: {get_property: [SELF, keeper, title]}
        data: {mode: slow}
        mode: {get_property: [SELF, data, mode]}
      requirements: [{keeper: store}]
"""


@pytest.mark.parametrize("target", ["hot", "cloudify"])
def test_a_value_that_another_node_reads_through_a_requirement(target: str) -> None:
    lines, back = edited(REQUIREMENT, "tosca", target, "title: first", "title: second")
    assert lines == [
        "-      properties: {title: first, data: {mode: fast}}",
        "+      properties: {title: second, data: {mode: fast}}",
        "-        name: {get_property: [SELF, keeper, title]}",
        "+        name: first",
    ]  # fmt: skip
    assert "BPC669" in {one.code for one in back.diagnostics}


@pytest.mark.parametrize("target", ["hot", "cloudify"])
def test_a_node_reads_its_own_value_of_that_name(target: str) -> None:
    lines, _ = edited(REQUIREMENT, "tosca", target, "mode: fast", "mode: quick")
    assert [line for line in lines if line[0] == "+"] == ["+      properties: {title: first, data: {mode: quick}}"]
