"""What Cloudify cannot compute, said case by case; lists of parameters as text; entries that a condition removes."""

from __future__ import annotations

from typing import Any

import pytest

from bpconvert import convert
from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING
from bpconvert.translators.cloudify.read.branches import opened
from bpconvert.translators.evaluate import Scope, fold
from bpconvert.translators.passes.expressions import branches

HEAD = """
heat_template_version: 2021-04-16
parameters:
  env: {type: string, default: dev, constraints: [{allowed_values: [dev, prod]}]}
  flag: {type: boolean, default: true}
  free: {type: string, default: x}
  names: {type: comma_delimited_list, default: "a,b"}
  more: {type: comma_delimited_list, default: ""}
  known: {type: comma_delimited_list, default: a, constraints: [{allowed_values: [a, "it's"]}]}
outputs:
  o: {value: """


def said(expression: str) -> tuple[Any, dict[str, Any], set[str]]:
    """The output, the inputs and the codes that ``expression`` gives."""
    result = convert(HEAD + expression + "}\n", asked="inputs")
    return result.document["outputs"]["o"]["value"], result.document["inputs"], {d.code for d in result.diagnostics}


def evaluated(inputs: dict[str, Any], value: Any) -> Any:
    """What Cloudify computes for a value of a blueprint."""
    from bpconvert.translators.cloudify.functions import read_value

    given = {name: read_value(data["default"], (), []) for name, data in inputs.items()}
    return fold(read_value(value, (), []), Scope(inputs=given))


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("{digest: [md5, {get_param: env}]}", "e77989ed21758e78331b20e477fc5582"),
        ("{filter: [[{get_param: env}], [dev, prod]]}", ["prod"]),
        ("{list_concat: [[a], {if: [{get_param: flag}, [b], []]}, [{get_param: free}]]}", ["a", "b", "x"]),
        ("{map_replace: [{k: {get_param: env}}, {values: {dev: 1}}]}", {"k": 1}),
        ("[a, {if: [{get_param: flag}, b]}, {if: [{equals: [{get_param: env}, prod]}, c]}]", ["a", "b"]),
        ("{a: {if: [{get_param: flag}, {if: [{equals: [{get_param: env}, prod]}, 1]}]}, b: 2}", {"b": 2}),
        ("{list_join: ['-', {get_param: names}, {get_param: more}, [z]]}", "a-b-z"),
        ("{list_join: ['-', [z], {get_param: more}, {get_param: names}]}", "z-a-b"),
        ("{list_concat: [{get_param: more}, {get_param: names}]}", ["a", "b"]),
        ("{repeat: {template: 'n%i', for_each: {'%i': {get_param: more}}}}", []),
        ("{contains: [b, {get_param: names}]}", True),
        ("{contains: [b, {get_param: more}]}", False),
        ("{str_replace: {template: L, params: {L: {get_param: names}}}}", '["a", "b"]'),
        ("{str_replace: {template: {get_param: free}, params: {x: null}}}", ""),
        ("{make_url: {scheme: http, host: {get_param: free}, path: {list_join: ['', ['v 1/', {get_param: env}]]}}}",
         "http://x/v%201/dev"),
    ],
)  # fmt: skip
def test_the_value_is_the_same(expression: str, expected: Any) -> None:
    value, inputs, codes = said(expression)
    assert evaluated(inputs, value) == expected
    assert not codes & {"BPC201", "BPC202"}


def test_items_that_python_writes_otherwise_are_told() -> None:
    assert "BPC227" in said("{list_join: ['-', {get_param: names}]}")[2]
    assert "BPC227" in said("{list_join: ['-', {get_param: known}]}")[2]
    assert "BPC227" not in said("{list_join: ['-', [{get_param: env}]]}")[2]


@pytest.mark.parametrize(
    "expression",
    [
        "{digest: [md5, {get_param: free}]}",
        "{contains: [\"it's\", {get_param: names}]}",
        "{contains: [', ', {get_param: names}]}",
        "{list_join: ['-', {get_param: names}, {get_param: more}]}",
        "{str_replace: {template: {get_param: free}, params: {a: b, b: c}}}",
        "{make_url: {scheme: http, path: {get_param: free}}}",
        "{list_concat_unique: [{get_param: names}, [a]]}",
    ],
)
def test_what_would_differ_is_not_said(expression: str) -> None:
    result = convert(HEAD + expression + "}\n", asked="inputs")
    (found,) = [d for d in result.diagnostics if d.code == "BPC202"]
    assert "--param gives" in found.message


def test_two_conditions_of_different_kinds_never_hold() -> None:
    value, inputs, codes = said("{if: [{equals: [{get_param: flag}, 'true']}, a, b]}")
    assert value == "b"
    assert not [name for name in inputs if name.startswith("if_")]
    assert "BPC207" not in codes


def test_too_many_cases_are_not_written() -> None:
    conditions = ", ".join(f"{{if: [{{equals: [{{get_param: free}}, v{n}]}}, x{n}]}}" for n in range(6))
    assert "BPC202" in said(f"[{conditions}]")[2]


@pytest.mark.parametrize("flag", [True, False])
def test_maps_are_opened_as_they_are_merged(flag: bool) -> None:
    choice = ex.If(ex.Input("flag"), {"b": 2, "c": 3}, {"c": 4})
    whole = ex.Merge([{"a": 1, "c": 0}, choice, ex.If(ex.Not(ex.Input("flag")), {"a": 5}, {})], strict=True)
    found = opened({"resource_config": whole}, lambda value: value)["resource_config"]
    assert isinstance(found, dict)
    scope = Scope(inputs={"flag": flag})
    assert fold(found, scope) == fold(whole, scope)


def test_what_is_no_map_stays() -> None:
    merged = {"resource_config": ex.Merge([{"a": 1}, ex.Input("settings")], strict=True)}
    assert opened(merged, lambda value: value) is merged
    assert branches.null_for_nothing(ex.If(ex.Input("flag"), 1, MISSING)) == ex.If(ex.Input("flag"), 1, None)


def test_a_number_of_instances_that_is_asked_for_is_an_integer() -> None:
    """The manager adds to any other value, and ends with an error of its own."""
    text = """\
heat_template_version: 2018-08-31
parameters: {n: {type: number, default: 2}}
resources:
  group:
    type: OS::Heat::ResourceGroup
    properties:
      count: {yaql: {expression: $.data.n - 1, data: {n: {get_param: n}}}}
      resource_def: {type: OS::Neutron::Net}
"""
    made = convert(text, "hot", "cloudify", carry=False).document
    assert made["inputs"]["group_count"]["type"] == "integer"
    assert made["policies"]["group_scaling"]["properties"] == {"default_instances": {"get_input": "group_count"}}
