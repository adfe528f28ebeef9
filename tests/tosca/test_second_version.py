"""TOSCA 2.0: its functions, conditions as constraints, and what is around them."""

from __future__ import annotations

from typing import Any

import pytest

from bpconvert import convert
from bpconvert.models import expressions as ex
from bpconvert.models.checks import Problem
from bpconvert.models.expressions import Foreign
from bpconvert.translators.tosca.functions_2_0 import constraints, read_value


def read(raw: Any) -> tuple[Any, list[str]]:
    problems: list[Problem] = []
    return read_value(raw, (), problems), [problem.text for problem in problems]


@pytest.mark.parametrize(
    ("raw", "wanted"),
    [
        ({"$get_input": "x"}, ex.Input("x", strict=True)),
        ({"$get_input": ["x", "k", 0]}, ex.Input("x", ("k", 0), strict=True)),
        ({"get_input": "x"}, {"get_input": "x"}),
        ({"$get_property": ["n", "p", "k"]}, ex.Property("n", "p", ("k",))),
        ({"$get_property": ["SELF", "CAPABILITY", "c", "p"]}, ex.Property("SELF", "CAPABILITY", ("c", "p"))),
        *(
            ({"$get_property": ["SELF", "RELATIONSHIP", "r", *index, word, "p"]},
             ex.Property("SELF", "RELATIONSHIP", ("r", word, "p")))
            for index in ([], [0]) for word in ("TARGET", "CAPABILITY")
        ),
        ({"$get_attribute": ["n", "RELATIONSHIP", "r", "TARGET", "CAPABILITY", "c", "a", 1]},
         ex.Attribute("n", "RELATIONSHIP", ("r", "TARGET", "CAPABILITY", "c", "a", 1))),
        ({"$get_property": ["n", "RELATIONSHIP", "r", "TARGET", "RELATIONSHIP", "s", "TARGET", "p"]},
         ex.Property("n", "RELATIONSHIP", ("r", "TARGET", "RELATIONSHIP", "s", "TARGET", "p"))),
        ({"$get_attribute": ["SELF", "TARGET", "a"]}, ex.Attribute("TARGET", "a")),
        ({"$get_attribute": ["n", "tosca_id"]}, ex.Identity("n")),
        ({"$concat": ["a", {"$get_input": "x"}]}, ex.Concat(("a", ex.Input("x", strict=True)))),
        ({"$concat": [["a"], ["b", "c"]]}, ["a", "b", "c"]),
        ({"$join": [["a", "b"], "-"]}, ex.Join("-", (["a", "b"],), json_items=False)),
        ({"$$get_input": "x"}, {"$get_input": "x"}),
        ("$$HOME", "$HOME"),
        ("$HOME/bin", "$HOME/bin"),
        ({"a": [{"$get_input": "x"}]}, {"a": [ex.Input("x", strict=True)]}),
    ],
)  # fmt: skip
def test_functions_are_those_of_the_first_version(raw: Any, wanted: Any) -> None:
    assert read(raw) == (wanted, [])


@pytest.mark.parametrize(
    "raw",
    [
        {"$sum": [1, 2]},
        {"$own_function": []},
        {"$get_property": ["SELF", "RELATIONSHIP", "r", "p"]},
        {"$get_property": ["SELF", "RELATIONSHIP", "r", 2, "TARGET", "p"]},
        {"$get_property": ["SELF", "CAPABILITY", "c", "RELATIONSHIP", 0, "SOURCE", "p"]},
        {"$get_property": ["SELF", "RELATIONSHIP", "r", "TARGET", "RELATIONSHIP", "s", "p"]},
    ],
)
def test_what_only_the_second_version_has_is_kept_as_a_call(raw: dict[str, Any]) -> None:
    value, problems = read(raw)
    assert isinstance(value, Foreign)
    assert {value.name: value.argument} == raw
    assert not problems


def test_a_function_without_arguments_is_a_text() -> None:
    value, _ = read("$node_index")
    assert isinstance(value, Foreign)
    assert value.name == "$node_index"


@pytest.mark.parametrize("raw", [{"$get_input": "x", "more": 1}, {"$concat": "x"}, {"$get_property": ["only"]}])
def test_what_engines_refuse_is_reported(raw: dict[str, Any]) -> None:
    assert read(raw)[1]


@pytest.mark.parametrize(
    ("condition", "wanted"),
    [
        ({"$greater_or_equal": ["$value", 1]}, [{"greater_or_equal": 1}]),
        ({"$less_than": [8, "$value"]}, [{"greater_than": 8}]),
        ({"$valid_values": ["$value", ["a", "b"]]}, [{"valid_values": ["a", "b"]}]),
        ({"$matches": ["$value", "[a-z]+"]}, [{"pattern": "[a-z]+"}]),
        ({"$and": [{"$in_range": ["$value", [1, 4]]}, {"$equal": ["$value", 2]}]},
         [{"in_range": [1, 4]}, {"equal": 2}]),
        ({"$less_or_equal": [{"$length": ["$value"]}, 5]}, [{"max_length": 5}]),
        ({"$or": [{"$equal": ["$value", 1]}, {"$equal": ["$value", 2]}]}, None),
        ({"$and": [{"$not": [True]}]}, None),
        ({"$equal": ["$value", {"$get_input": "x"}]}, None),
        ("$value", None),
    ],
)  # fmt: skip
def test_conditions_are_constraints(condition: Any, wanted: Any) -> None:
    assert constraints(condition) == wanted


def test_a_whole_document() -> None:
    text = """\
tosca_definitions_version: tosca_2_0
imports: [{profile: 'org.oasis-open.simple:2.0', namespace: std}]
service_template:
  inputs:
    name: {type: string, validation: {$matches: [$value, 'k.*']}}
    count: {type: integer, validation: {$less_than: [$value, 8]}}
    odd: {type: integer, validation: {$or: [{$equal: [$value, 1]}]}}
  node_templates:
    key: {type: openstack.nova.KeyPair, properties: {name: {$get_input: name}}}
  outputs:
    id: {value: {$get_attribute: [key, tosca_id]}}
"""
    made = convert(text, "tosca", "hot", carry=False)
    assert made.document["resources"]["key"]["properties"] == {"name": {"get_param": "name"}}
    assert made.document["outputs"]["id"]["value"] == {"get_resource": "key"}
    parameters = made.document["parameters"]
    assert parameters["name"]["constraints"] == [{"allowed_pattern": "k.*"}]
    assert parameters["count"]["constraints"] == [{"range": {"max": 7}}]
    assert [one.path for one in made.diagnostics if one.code == "BPC853"] == [("inputs", "odd", "validation")]
    back = convert(convert(text, "tosca", "hot").text, "hot", "tosca")
    assert back.text == text


@pytest.mark.parametrize(
    ("version", "like"),
    [
        ("tosca_simple_yaml_1_0_0", "tosca_simple_yaml_1_0"),
        ("tosca_simple_yaml_1_0_0_wd03", "tosca_simple_yaml_1_0"),
        ("alien_dsl_3_0_0", "tosca_simple_yaml_1_0"),
        ("tosca_variability_1_0", "tosca_simple_yaml_1_3"),
    ],
)
def test_versions_of_others_are_read_as_far_as_they_go(version: str, like: str) -> None:
    text = f"tosca_definitions_version: {version}\ntopology_template:\n  inputs: {{a: {{type: string}}}}\n"
    made = convert(text, "tosca", "hot", carry=False)
    assert "a" in made.document["parameters"]
    (found,) = [one for one in made.diagnostics if one.code == "BPC850"]
    assert version in found.message
    assert like in found.message
    assert found.span.line == 1


@pytest.mark.parametrize(
    "version",
    ["tosca_simple_yaml_1_0", "tosca_simple_yaml_1_1", "tosca_simple_yaml_1_2", "tosca_simple_yaml_1_3", "tosca_2_0",
     "tosca_simple_profile_for_nfv_1_0_0"],
)  # fmt: skip
def test_versions_of_the_standard_need_no_word(version: str) -> None:
    made = convert(f"tosca_definitions_version: {version}\ninputs:\n", "tosca", "hot", carry=False)
    assert "BPC850" not in {one.code for one in made.diagnostics}


def test_a_template_has_everything_of_the_one_that_it_copies() -> None:
    text = (
        "tosca_definitions_version: tosca_simple_yaml_1_3\ntopology_template:\n  node_templates:\n"
        "    one: {type: openstack.nova.KeyPair, properties: {name: a}}\n"
        "    two: {copy: one}\n    three: {copy: two, properties: {name: c}}\n    round: {copy: round}\n"
    )
    made = convert(text, "tosca", "hot", carry=False).document["resources"]
    assert made["two"]["properties"] == {"name": "a"}
    assert made["three"] == {"type": "OS::Nova::KeyPair", "properties": {"name": "c"}}


def test_a_call_that_has_no_other_form_is_shown_as_it_was() -> None:
    text = (
        "tosca_definitions_version: tosca_2_0\nnode_types: {T: {}}\nservice_template:\n"
        "  node_templates: {a: {type: T, count: 2}}\n"
        "  outputs: {o: {value: {$get_attribute: [nix, ALL, tosca_id]}}}\n"
    )
    made = convert(text, "tosca", "hot", carry=False)
    assert made.document["outputs"]["o"]["value"] == '{"$get_attribute":["nix","ALL","tosca_id"]}'
    assert "BPC232" in {one.code for one in made.diagnostics}
