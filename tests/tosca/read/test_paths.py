"""Steps from a node to a value: through its requirements, and to its capabilities."""

from __future__ import annotations

from typing import Any

import pytest

from bpconvert import Result, convert

TEXT = """\
tosca_definitions_version: tosca_2_0
capability_types:
  own.Door: {properties: {size: {type: integer}, free: {type: integer}}}
  own.Gate: {derived_from: own.Door}
  own.Other: {properties: {size: {type: integer}}}
node_types:
  own.House:
    derived_from: tosca.nodes.SoftwareComponent
    properties: {size: {type: integer}, deep: {type: map}}
    capabilities: {wide: {type: own.Gate}, narrow: {type: own.Door}, other: {type: own.Other}, bare: {type: own.Door}}
    requirements:
      - next: {capability: own.Door}
      - named: {capability: narrow}
      - any: {}
      - loop: {}
service_template:
  node_templates:
    near:
      type: own.House
      properties: {size: 1}
      requirements: [{next: far}, {named: far}, {any: far}, {loop: near}, {none: {capability: own.Door}}]
    far:
      type: own.House
      properties: {size: 2, deep: {size: 3, row: [7, 8], inner: {a: {b: 11}}}}
      capabilities:
        wide: {properties: {size: 4, free: 40}}
        narrow: {properties: {size: 5}}
        other: {properties: {size: 6}}
      requirements: [{next: end}]
    end:
      type: own.House
      properties: {size: 9}
      capabilities: {other: {properties: {size: 10}}}
    asking: {type: openstack.nova.KeyPair, properties: {name: {$concat: [n, {%s: [%s]}]}}}
"""


def made(path: str, function: str = "$get_property") -> Result:
    return convert(TEXT % (function, path), "tosca", "hot", carry=False)


def name(path: str, function: str = "$get_property") -> Any:
    return made(path, function).document["resources"]["asking"]["properties"]["name"]


@pytest.mark.parametrize("function", ["$get_property", "$get_attribute"])
@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("far, size", 2),
        ("far, deep, size", 3),
        ("far, deep, row, 1", 8),
        ("far, deep, inner, a, b", 11),
        ("far, CAPABILITY, wide, size", 4),
        ("far, CAPABILITY, other, size", 6),
        ("near, RELATIONSHIP, next, TARGET, size", 2),
        ("near, RELATIONSHIP, next, TARGET, deep, size", 3),
        ("near, RELATIONSHIP, next, TARGET, CAPABILITY, wide, size", 4),
        ("near, RELATIONSHIP, next, TARGET, RELATIONSHIP, next, TARGET, size", 9),
        ("near, RELATIONSHIP, loop, TARGET, size", 1),
        ("near, RELATIONSHIP, loop, TARGET, RELATIONSHIP, next, TARGET, size", 2),
        ("near, RELATIONSHIP, loop, TARGET, RELATIONSHIP, loop, TARGET, size", 1),
    ],
)
def test_words_say_what_a_step_is(function: str, path: str, value: int) -> None:
    assert name(path, function) == f"n{value}"


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("near, RELATIONSHIP, next, CAPABILITY, size", 5),  # of the very type, then those of derived types
        ("near, RELATIONSHIP, next, CAPABILITY, free", 40),
        ("near, RELATIONSHIP, named, CAPABILITY, size", 5),
    ],
)
def test_the_capability_is_the_one_that_fulfils_the_requirement(path: str, value: int) -> None:
    assert name(path) == f"n{value}"


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("far, none", "none"),
        ("far, deep, none", "deep.none"),
        ("far, deep, inner, a, none", "deep.inner.a.none"),
        ("far, CAPABILITY, none, size", "none.size"),
        ("far, CAPABILITY, bare, size", "bare.size"),
        ("far, CAPABILITY, other, free", "other.free"),
        ("near, RELATIONSHIP, none, TARGET, size", "none.size"),
        ("near, RELATIONSHIP, any, CAPABILITY, size", "any.size"),
        ("near, RELATIONSHIP, named, CAPABILITY, free", "named.free"),
        ("near, RELATIONSHIP, next, TARGET, CAPABILITY, none, size", "next.none.size"),
        ("near, RELATIONSHIP, next, TARGET, RELATIONSHIP, next, TARGET, none", "next.next.none"),
        ("near, RELATIONSHIP, next, TARGET, RELATIONSHIP, next, CAPABILITY, size", "next.next.size"),
    ],
)
def test_what_is_not_there_is_reported_without_the_words(path: str, words: str) -> None:
    found = [one for one in made(path).diagnostics if one.code == "BPC819"]
    assert [one.path[:4] for one in found] == [("node_templates", "asking", "properties", "name")]
    assert found[0].message == f"node '{path.split(',')[0]}' has no property '{words}'"


FIRST = TEXT.replace("tosca_2_0", "tosca_simple_yaml_1_3").replace("service_template:", "topology_template:")
FIRST = FIRST.replace("$concat", "concat")


@pytest.mark.parametrize("function", ["get_property", "get_attribute"])
@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("far, deep, size", 3),
        ("far, wide, size", 4),
        ("near, next, size", 5),
        ("near, next, free", 40),
        ("near, named, size", 5),
        ("near, named, deep, size", 3),
        ("near, any, size", 2),
        ("near, any, wide, size", 4),
        ("near, next, next, size", 9),
        ("near, loop, size", 1),
        ("near, loop, next, size", 5),
    ],
)
def test_without_words_the_first_that_has_it_counts(function: str, path: str, value: int) -> None:
    text = FIRST % (function, path)
    found = convert(text, "tosca", "hot", carry=False).document["resources"]["asking"]["properties"]["name"]
    assert found == f"n{value}"


@pytest.mark.parametrize("path", ["near, loop, none", "near, loop, loop, loop, none", "near, next, bare"])
def test_a_circle_of_requirements_ends(path: str) -> None:
    found = [one for one in convert(FIRST % ("get_property", path), "tosca", "hot").diagnostics if one.code == "BPC819"]
    assert [one.path[:3] for one in found] == [("node_templates", "asking", "properties")]


@pytest.mark.parametrize("path", ["RELATIONSHIP", "RELATIONSHIP, next, TARGET", "CAPABILITY", "CAPABILITY, wide"])
def test_words_without_a_name_behind_them_are_names(path: str) -> None:
    made_of_it = convert(FIRST % ("get_property", f"near, {path}"), "tosca", "hot")
    (found,) = [one for one in made_of_it.diagnostics if one.code == "BPC819"]
    assert found.message == f"node 'near' has no property '{path.replace(', ', '.')}'"


def test_a_capability_may_have_the_short_name_of_its_type() -> None:
    """It stands before those that are only derived from it."""
    text = """\
tosca_definitions_version: tosca_simple_yaml_1_3
node_types:
  own.Served:
    derived_from: tosca.nodes.Root
    capabilities: {first: {type: tosca.capabilities.Endpoint.Public}, second: {type: tosca.capabilities.Endpoint}}
topology_template:
  node_templates:
    one:
      type: own.Served
      capabilities: {first: {properties: {port: 1}}, second: {properties: {port: 2}}}
      requirements: [{next: {node: one, capability: Endpoint}}]
  outputs: {shown: {value: {get_property: [one, next, port]}}}
"""
    assert convert(text, "tosca", "hot", carry=False).document["outputs"]["shown"]["value"] == 2


def test_many_ways_to_a_node_are_gone_once() -> None:
    nodes = "".join(
        f"    n{number}: {{type: tosca.nodes.Root, requirements: [{{to: n{number + 1}}}, {{to: n{number + 1}}}]}}\n"
        for number in range(25)
    )
    steps = ", ".join(["n0", *["to"] * 25, "absent"])
    text = "tosca_definitions_version: tosca_simple_yaml_1_3\ntopology_template:\n  node_templates:\n"
    text += nodes + "    n25: {type: tosca.nodes.Root}\n"
    result = convert(f"{text}  outputs: {{shown: {{value: {{get_property: [{steps}]}}}}}}\n", "tosca", "hot")
    assert "BPC819" in [one.code for one in result.diagnostics]
