"""A boolean in a text is the word that engines of TOSCA write, in every language."""

from __future__ import annotations

import pytest

from bpconvert import convert, evaluate, verify

TEXT = """\
tosca_definitions_version: tosca_simple_yaml_1_3
topology_template:
  inputs:
    flag: {type: boolean, default: true}
  node_templates:
    vm: {type: tosca.nodes.Compute}
  outputs:
    o: {value: {concat: ["a-", {get_input: flag}, "-b"]}}
"""


@pytest.mark.parametrize("target", ["hot", "cloudify"])
def test_the_word_of_an_input(target: str) -> None:
    made = convert(TEXT, "tosca", target)
    assert verify(TEXT, made.text, reported=made.diagnostics).is_same
    assert convert(made.text.encode(), target, "tosca").text == TEXT


def test_what_heat_computes_is_what_tosca_computes() -> None:
    made = convert(TEXT, "tosca", "hot").document
    value = made["outputs"]["o"]["value"]
    for flag, word in ((True, "true"), (False, "false")):
        version = made["heat_template_version"]
        assert evaluate(value, dialect="hot", version=version, inputs={"flag": flag}) == f"a-{word}-b"
        own = {"concat": ["a-", {"get_input": "flag"}, "-b"]}
        assert evaluate(own, dialect="tosca", version="tosca_simple_yaml_1_3", inputs={"flag": flag}) == f"a-{word}-b"


def test_numbers_in_texts() -> None:
    """A whole number has no point there, whatever Python writes."""
    head = "tosca_definitions_version: tosca_simple_yaml_1_3\ntopology_template:\n  outputs:\n"
    text = head + "    o: {value: {concat: [a, 2.0, 1.5, true, 3]}}\n"
    assert convert(text, "tosca", "hot", carry=False).document["outputs"]["o"]["value"] == "a21.5true3"


REFERRED = """\
tosca_definitions_version: tosca_simple_yaml_1_3
node_types:
  my.Software:
    derived_from: tosca.nodes.SoftwareComponent
    properties:
      numbers: {type: list, entry_schema: {type: integer}, default: [1, 2]}
      ratio: {type: float, default: 1.0}
      flag: {type: boolean, default: true}
      of_input: {type: boolean, default: {get_input: lit}}
    attributes: {shut: {type: boolean, default: false}}
topology_template:
  inputs: {lit: {type: boolean, default: true}}
  node_templates: {a: {type: my.Software}}
  outputs: {o: {value: CALL}}
"""


@pytest.mark.parametrize(
    ("call", "value"),
    [
        ("{join: [{get_property: [a, numbers]}, ',']}", "1,2"),
        ("{join: [[x, {get_property: [a, ratio]}, {get_attribute: [a, shut]}], ',']}", "x,1,false"),
        ("{concat: [x, {get_property: [a, ratio]}, {get_property: [a, flag]}]}", "x1true"),
        ("{concat: [x, {get_attribute: [a, shut]}]}", "xfalse"),
        ("{concat: [x, {get_property: [a, of_input]}]}", "xtrue"),
        ("{token: [{concat: [a, {get_property: [a, flag]}]}, u, 1]}", "e"),
    ],
)
@pytest.mark.parametrize("target", ["hot", "cloudify"])
def test_what_is_referred_to_has_the_words_too(call: str, value: str, target: str) -> None:
    made = convert(REFERRED.replace("CALL", call), "tosca", target, carry=False, params={"lit": True})
    result = made.document["outputs"]["o"]["value"]
    if target == "hot":
        result = evaluate(result, dialect="hot", version=made.document["heat_template_version"])
    assert result == value


GIVEN = """\
tosca_definitions_version: tosca_simple_yaml_1_3
topology_template:
  inputs:
    numbers: {type: list, entry_schema: {type: integer}, default: [1, 2]}
    mixed: {type: list, default: [a, true]}
    texts: {type: list, entry_schema: string, default: [a, b]}
    parts: {type: map, entry_schema: {type: float}, default: {k: 1.5}}
    number: {type: integer, default: 4}
  outputs: {o: {value: CALL}}
"""


@pytest.mark.parametrize(
    ("call", "value"),
    [
        ("{join: [{get_input: numbers}, ',']}", "1,2"),
        ("{join: [{get_input: mixed}, ',']}", "a,true"),
        ("{join: [{get_input: texts}, ',']}", "a,b"),
        ("{join: [[x, {get_input: number}], ',']}", "x,4"),
        ("{join: [[x, {get_input: [numbers, 1]}, {get_input: [parts, k]}], ',']}", "x,2,1.5"),
    ],
)
def test_numbers_that_are_given_are_joined_as_texts(call: str, value: str) -> None:
    """``list_join`` refuses them when deploying."""
    made = convert(GIVEN.replace("CALL", call), "tosca", "hot", carry=False)
    given = {name: row["default"] for name, row in made.document["parameters"].items()}
    result = evaluate(
        made.document["outputs"]["o"]["value"],
        dialect="hot", version=made.document["heat_template_version"], inputs=given,
    )  # fmt: skip
    assert result == value
    assert not [finding for finding in made.diagnostics if finding.severity != "info"]
