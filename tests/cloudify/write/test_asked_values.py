"""Values that a blueprint has no form for: what is asked for, computed, or shown instead."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from bpconvert.api import Result, convert

HEAD = """\
heat_template_version: 2021-04-16
parameters:
  env: {type: string}
  n: {type: number}
  data: {type: json, default: {k: 1, l: [x, y]}}
resources:
  net: {type: OS::Neutron::Net}
"""
DEEP = 60


def converted(rest: str, **options: Any) -> tuple[dict[str, Any], Result]:
    made = convert(f"{HEAD}{rest}\n", "hot", "cloudify", carry=False, **options)
    return yaml.safe_load(made.text), made


def output(value: str, **options: Any) -> tuple[Any, list[tuple[str, str]]]:
    """What an output becomes, and what is told of it."""
    data, made = converted(f"outputs: {{o: {{value: {value}}}}}", **options)
    told = [(one.code, one.message) for one in made.diagnostics if one.path[:1] == ("outputs",)]
    return data["outputs"]["o"]["value"], told


def key(name: str, **options: Any) -> tuple[Any, dict[str, Any], Result]:
    """What the name of a key pair becomes, the inputs that are not those of the template, and the conversion."""
    data, made = converted(f"  v: {{type: OS::Nova::KeyPair, properties: {{name: {name}}}}}", **options)
    inputs = {name: row for name, row in data["inputs"].items() if name not in ("env", "n", "data")}
    return data["node_templates"]["v"]["properties"]["resource_config"]["name"], inputs, made


def nested(innermost: str) -> str:
    return "{a: " * DEEP + innermost + "}" * DEEP


def innermost(value: Any) -> Any:
    while isinstance(value, dict) and "a" in value:
        value = value["a"]
    return value


# -- data that would mean something else --------------------------------------------------------------------


def test_data_that_is_too_deep_is_a_text_in_an_output() -> None:
    value, told = output(nested("1"))
    assert yaml.safe_load(innermost(value)).keys() == {"a"}
    assert [code for code, _ in told] == ["BPC224"]
    value, told = output(nested("{get_param: env}"))
    assert innermost(value).startswith("not converted: ")
    assert [code for code, _ in told] == ["BPC202"]
    assert (
        told[0][1]
        == "not converted: it is nested deeper than Cloudify evaluates; it is computed where --param gives env"
    )


def test_nothing_is_asked_for_what_nobody_reads() -> None:
    data, made = converted(f"  v: {{type: OS::Heat::Value, properties: {{value: {nested('1')}}}}}")
    assert yaml.safe_load(innermost(data["node_templates"]["v"]["properties"]["value"])).keys() == {"a"}
    assert [one.code for one in made.diagnostics if one.severity != "info"] == []


def test_a_map_of_a_stand_in_in_a_text_is_that_of_a_stand_in() -> None:
    """Not one of the wrong form: it has no value in any."""
    alarm = "  a: {type: OS::Aodh::EventAlarm, properties: {event_type: x}}\n"
    for more, code in (("", "BPC794"), ("\noutputs: {o: {value: {get_attr: [v, value]}}}", "BPC201")):
        value = "{list_join: [' ', [{get_attr: [a, show]}, {get_param: env}]]}"
        _, made = converted(f"{alarm}  v: {{type: OS::Heat::Value, properties: {{value: {value}}}}}{more}")
        assert [one.code for one in made.diagnostics if one.path[:2] == ("resources", "v")][-1] == code


def test_data_that_is_too_deep_is_asked_for() -> None:
    outputs = "outputs: {o: {value: {get_attr: [v, value]}}}"
    data, made = converted(f"  v: {{type: OS::Heat::Value, properties: {{value: {nested('1')}}}}}\n{outputs}")
    asked = innermost(data["node_templates"]["v"]["properties"]["value"])
    assert asked == {"get_input": "v_a_a"}
    words = "Value of resources.v.properties.value.a.a..., too deep for a blueprint"
    assert data["inputs"]["v_a_a"] == {"description": words}
    assert "BPC201" in {one.code for one in made.diagnostics}


def test_a_map_like_a_call_is_a_text_in_an_output() -> None:
    """It would be called."""
    value, told = output("{get_attribute: [x, y]}")
    assert (value, told[0][0]) == ('{"get_attribute": ["x", "y"]}', "BPC205")
    value, told = output("{get_attribute: [x, {get_param: env}]}")
    assert value.startswith("not converted: ")
    assert told[0][1].startswith("not converted: a map with the only key 'get_attribute' would be a call in Cloudify")


# -- texts beyond ASCII -------------------------------------------------------------------------------------


def test_other_letters_are_escaped_in_outputs() -> None:
    """As a whole in quotes, as a part of a text without them."""
    assert output("é")[0] == '"\\u00e9"'
    assert output("{list_join: ['', [é, {get_param: env}]]}")[0] == {"concat": ["\\u00e9", {"get_input": "env"}]}


def test_other_letters_are_computed_or_given() -> None:
    value, inputs, made = key("é", asked="values")
    assert (value, inputs) == ({"get_attribute": ["v_name", "result"]}, {})
    assert [*made.files] == ["scripts/bpconvert_value.py"]
    value, inputs, made = key("é", asked="inputs")
    assert value == {"get_input": "v_name"}
    assert inputs == {"v_name": {"description": "Text of resources.v.properties.name, given in the inputs file"}}
    assert yaml.safe_load(made.files["blueprint.inputs.yaml"]) == {"v_name": "é"}


# -- calls --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("argument", "names"),
    [
        ("{get_param: env}", "env"),
        ("{list_join: ['', [{get_param: env}, {get_param: n}]]}", "env, n"),
        ("{yaql: {expression: $, data: {get_param: env}}}", ""),
        ("{get_file: gone}", ""),
        ("{list_join: ['', [{get_param: env}, {get_file: gone}]]}", ""),
        ("{get_attr: [net, name]}", ""),
    ],
)
def test_it_is_told_which_parameters_make_a_call_known(argument: str, names: str) -> None:
    _, _, made = key(f"{{digest: [md5, {argument}]}}", asked="inputs")
    (message,) = (one.message for one in made.diagnostics if one.code == "BPC201")
    assert message.partition("; it is computed where --param gives ")[2] == names


def test_a_call_is_computed_by_a_node_only_where_that_is_wanted() -> None:
    call = "{digest: [md5, {get_param: env}]}"
    value, inputs, _ = key(call, asked="values")
    assert (value, inputs) == ({"get_attribute": ["v_name", "result"]}, {})
    value, inputs, _ = key(call, asked="inputs")
    words = 'Value of resources.v.properties.name, in Heat: {"digest": ["md5", {"get_param": "env"}]}'
    assert (value, inputs) == ({"get_input": "v_name"}, {"v_name": {"description": words}})


@pytest.mark.parametrize(
    ("asked", "written"),
    [("inputs", {"get_input": "v_name_str_replace"}), ("values", {"get_attribute": ["v_params_d", "result"]})],
)
def test_a_map_in_a_text_is_asked_for_or_computed(asked: str, written: Any) -> None:
    """Heat writes JSON there, the engine would write Python."""
    value, _, made = key("{str_replace: {template: x-$d, params: {$d: {get_param: data}}}}", asked=asked)
    assert value == {"concat": ["x-", written]}
    reason = ": Heat writes lists and maps as JSON here, concat would write Python"
    assert any(reason in one.message for one in made.diagnostics)


def test_a_number_that_selects_is_a_whole_one() -> None:
    """A text that selects is none."""
    _, made = converted("outputs: {o: {value: {get_param: [data, {get_param: n}]}}}")
    assert [one.path for one in made.diagnostics if one.code == "BPC508"] == [("parameters", "n", "type")]
    _, made = converted("outputs: {o: {value: {get_param: [data, {get_param: env}]}}}")
    assert [one.path for one in made.diagnostics if one.code == "BPC508"] == []


@pytest.mark.parametrize(("asked", "code"), [("inputs", "BPC749"), ("values", "BPC699")])
def test_numbers_of_members_are_those_of_the_engine_where_no_node_computes(asked: str, code: str) -> None:
    volume = "{type: OS::Cinder::Volume, properties: {name: '%index%', size: 1}}"
    group = f"  many: {{type: OS::Heat::ResourceGroup, properties: {{count: 1000, resource_def: {volume}}}}}"
    data, made = converted(group, asked=asked)
    assert {"BPC749", "BPC699"} & {one.code for one in made.diagnostics} == {code}
    assert ("member_numbers" in data["node_templates"]) is (asked == "values")


def test_what_the_platform_wants_otherwise_has_the_value_of_the_defaults() -> None:
    data, made = converted(
        "  v: {type: OS::Nova::Server, properties: {image: i, flavor: f, metadata: {get_param: data}}}"
    )
    (place,) = (one.path for one in made.diagnostics if one.code == "BPC702")
    assert place == ("resources", "v", "properties", "metadata")
    row = data["inputs"]["v_metadata"]
    assert row["type"] == "dict"
    assert row["default"] == {"k": "1", "l": '["x", "y"]'}
    assert row["description"] == "Value of resources.v.properties.metadata; metadata has to be texts"


# -- what stands in the blueprint beside it ------------------------------------------------------------------


def test_keys_beyond_ascii_are_written_in_ascii_and_stay_apart() -> None:
    data, made = converted("outputs: {o: {value: {é: 1, e: 2, ê: 3}}}")
    assert data["outputs"]["o"]["value"] == {"e_2": 1, "e": 2, "e_3": 3}
    rows = [(one.path[-1], one.message) for one in made.diagnostics if one.code == "BPC603"]
    assert rows == [("é", "key 'é' is written in ASCII"), ("ê", "key 'ê' is written in ASCII")]


def test_letters_in_an_output_are_told_of() -> None:
    assert ("BPC602", "non-ASCII text is written with escapes") in output("é")[1]


def test_the_reason_for_a_node_that_holds_a_text_is_told() -> None:
    _, _, made = key("é", asked="values")
    (message,) = (one.message for one in made.diagnostics if one.code == "BPC215")
    assert message.endswith("node 'v_name': a blueprint has no text beyond ASCII")


def test_the_same_letters_are_asked_for_once() -> None:
    """A map of the same text is something else."""
    rest = "  %s: {type: OS::Nova::KeyPair, properties: {name: é}}\n"
    data, made = converted(rest % "v" + rest % "w", asked="inputs")
    names = [data["node_templates"][name]["properties"]["resource_config"]["name"] for name in "vw"]
    assert names == [{"get_input": "v_name"}] * 2
    assert len([one for one in made.diagnostics if one.code == "BPC601"]) == 2


def test_a_map_like_a_call_is_asked_for_by_what_is_deployed_with_it() -> None:
    metadata = "{get_attribute: [a, b]}"
    data, made = converted(
        f"  v: {{type: OS::Nova::Server, properties: {{image: i, flavor: f, metadata: {metadata}}}}}"
    )
    assert data["node_templates"]["v"]["properties"]["resource_config"]["metadata"] == {"get_input": "v_metadata"}
    words = 'Value of resources.v.properties.metadata: {"get_attribute": ["a", "b"]}'
    assert data["inputs"]["v_metadata"] == {"description": words}
    (message,) = (one.message for one in made.diagnostics if one.code == "BPC206")
    assert message == (
        "a map with the only key 'get_attribute' would be a call in Cloudify; asked for as input 'v_metadata'"
    )


def test_a_default_like_a_call_is_asked_for_without_one() -> None:
    """Cloudify would call it."""
    more = HEAD.replace("resources:", "  odd: {type: json, default: {m: 1, concat: [x]}}\nresources:")
    for name, code in (("odd", "BPC702"), ("call", "BPC201")):
        text = (
            more.replace("odd: {type: json, default: {m: 1,", "call: {type: json, default: {")
            if name == "call"
            else more
        )
        properties = f"{{image: i, flavor: f, metadata: {{get_param: {name}}}}}"
        made = convert(
            f"{text}  v: {{type: OS::Nova::Server, properties: {properties}}}\n", "hot", "cloudify", carry=False
        )
        assert code in {one.code for one in made.diagnostics}, name


def test_what_is_asked_for_is_kept_for_the_way_back() -> None:
    """Not what is too deep to be looked through."""
    data, _ = converted(
        "  v: {type: OS::Nova::KeyPair, properties: {name: {digest: [md5, {get_param: env}]}}}", asked="inputs"
    )
    assert "v_name" in yaml.safe_load(data["metadata"]["bpconvert_kept"])["inputs"]


@pytest.mark.parametrize(
    ("call", "declared"),
    [
        ("{map_replace: [{get_param: data}, {keys: {k: {get_param: env}}}]}", "dict"),
        ("{list_concat: [[{get_param: env}], {str_split: [',', {get_param: env}]}]}", "list"),
        ("{yaql: {expression: $, data: {get_param: env}}}", None),
        ("{digest: [md5, {get_param: env}]}", None),
    ],
)
def test_what_is_asked_for_has_the_type_of_the_call(call: str, declared: str | None) -> None:
    """A text may be meant for a number."""
    resource = f"  h: {{type: OS::Heat::Value, properties: {{value: {{a: {call}}}}}}}"
    rest = f"{resource}\noutputs: {{o: {{value: {{get_attr: [h, value]}}}}}}"
    data, _ = converted(rest, asked="inputs")
    assert data["node_templates"]["h"]["properties"]["value"] == {"a": {"get_input": "h_a"}}
    assert data["inputs"]["h_a"].get("type") == declared


@pytest.mark.parametrize(
    ("condition", "names"),
    [
        ("{and: [other, {equals: [{get_param: n}, 1]}]}", "env, n"),
        ("{equals: [{yaql: {expression: $, data: {get_param: env}}}, 1]}", ""),
    ],
)
def test_conditions_are_looked_into_for_what_makes_a_call_known(condition: str, names: str) -> None:
    text = HEAD.replace(
        "resources:", f"conditions: {{other: {{equals: [{{get_param: env}}, x]}}, c: {condition}}}\nresources:"
    )
    call = "{digest: [md5, {if: [c, {if: [c, {get_param: n}, b]}, d]}]}"
    rest = f"  v: {{type: OS::Nova::KeyPair, properties: {{name: {call}}}}}\n"
    made = convert(text + rest, "hot", "cloudify", carry=False, asked="inputs")
    reasons = [one.message.partition("; it is computed where --param gives ")[2] for one in made.diagnostics]
    assert {*reasons} == {"", names}


def test_a_part_whose_name_is_not_ascii_has_no_form_in_an_output() -> None:
    value, told = output("{get_attr: [net, name, é]}")
    assert value == 'not converted: {"get_attr": ["net", "name", "\\u00e9"]}'
    assert told == [("BPC202", "not converted: the DSL takes ASCII only")]


def few_values(rest: str) -> Result:
    """The conversion where the parameter ``env`` has two values."""
    head = HEAD.replace("env: {type: string}", "env: {type: string, constraints: [{allowed_values: [a, b]}]}")
    return convert(f"{head}{rest}\n", "hot", "cloudify", carry=False, asked="inputs")


def test_a_call_of_few_values_is_a_table() -> None:
    made = few_values("  v: {type: OS::Nova::KeyPair, properties: {name: {digest: [md5, {get_param: env}]}}}")
    how = "'digest' is written as a hidden input with a result for each value of the parameter"
    assert how in {one.message for one in made.diagnostics}
    assert [*made.document["inputs"]["v_name_by_env"]["default"]] == ["a", "b"]


def test_results_like_calls_are_no_table() -> None:
    """Each of them is asked for."""
    metadata = "{map_replace: [{concat: x}, {keys: {y: {get_param: env}}}]}"
    made = few_values(f"  v: {{type: OS::Nova::Server, properties: {{image: i, flavor: f, metadata: {metadata}}}}}")
    assert [one.path[-2:] for one in made.diagnostics if one.code == "BPC206"] == [("if", 1), ("if", 2)]


def test_what_is_only_tried_asks_for_nothing() -> None:
    """The user data is tried as a blueprint would have it, and then computed by a node."""
    data, made = converted(
        "  v:\n    type: OS::Nova::Server\n    properties: {image: i, flavor: f, networks: [], user_data_format: RAW,"
        " user_data: {digest: [md5, {get_param: env}]}}"
    )
    assert list(data["inputs"]) == ["env", "n", "data"]
    assert [one.code for one in made.diagnostics if one.asks] == []
