"""Values that nodes hold and compute for others: where a reference leads, and what is told where nothing computes."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from bpconvert.api import Result, convert

HEAD = """\
heat_template_version: 2021-04-16
parameters:
  env: {type: string}
  data: {type: json, default: {k: 1}}
resources:
  net: {type: OS::Neutron::Net}
"""
STAND_IN = "  a: {type: OS::Aodh::EventAlarm, properties: {event_type: x}}\n"
DIGEST = "{digest: [md5, {get_param: env}]}"
CALL = {"$Digest": {"algorithm": "md5", "text": {"$Input": {"name": "env"}}}}


def converted(rest: str, **options: Any) -> tuple[dict[str, Any], Result]:
    made = convert(f"{HEAD}{rest}\n", "hot", "cloudify", carry=False, **options)
    return yaml.safe_load(made.text), made


def held(value: str, *outputs: str, **options: Any) -> tuple[Any, list[Any]]:
    """What a node holds, and what outputs that refer to parts of it become."""
    rows = "".join(f"  o{number}: {{value: {{get_attr: [h, value{step}]}}}}\n" for number, step in enumerate(outputs))
    resource = f"  h: {{type: OS::Heat::Value, properties: {{value: {value}}}}}\n"
    data, _ = converted(f"{resource}outputs:\n{rows}", **options)
    values = [data["outputs"][f"o{number}"]["value"] for number in range(len(outputs))]
    return data["node_templates"]["h"]["properties"]["value"], values


def key(name: str, rest: str = "", **options: Any) -> tuple[Any, Result]:
    """What the name of a key pair becomes."""
    data, made = converted(f"{rest}  v: {{type: OS::Nova::KeyPair, properties: {{name: {name}}}}}", **options)
    return data["node_templates"]["v"]["properties"]["resource_config"]["name"], made


def calls(made: Result) -> dict[str, dict[str, Any]]:
    """The inputs of the nodes that compute something."""
    return {
        name: node["interfaces"]["cloudify.interfaces.lifecycle"]["create"]["inputs"]
        for name, node in made.document["node_templates"].items()
        if node["type"] == "bpconvert.nodes.Value" and "interfaces" in node
    }


# -- where a reference leads --------------------------------------------------------------------------------


def test_what_another_node_computes_is_known_when_that_has_run() -> None:
    """The rest is known before, and is a property."""
    value, outputs = held(f"{{a: {DIGEST}, b: {{c: {{get_param: env}}}}}}", ", a", ", b, c", "")
    assert value == {"a": {"get_attribute": ["h_a", "result"]}, "b": {"c": {"get_input": "env"}}}
    assert outputs == [
        {"get_attribute": ["h", "value", "a"]},
        {"get_property": ["h", "value", "b", "c"]},
        {"get_attribute": ["h", "value"]},
    ]


def test_a_list_with_one_computed_item_is_known_when_that_is() -> None:
    assert held(f"[{DIGEST}, x]", "", ", 1")[1] == [
        {"get_attribute": ["h", "value"]},
        {"get_property": ["h", "value", 1]},
    ]


def test_what_is_asked_for_is_known_before_anything_runs() -> None:
    value, outputs = held(f"{{a: {DIGEST}}}", ", a", asked="inputs")
    assert (value, outputs) == ({"a": {"get_input": "h_a"}}, [{"get_property": ["h", "value", "a"]}])


def test_what_a_node_holds_is_written_once() -> None:
    """Whoever refers to it first."""
    rest = f"  z: {{type: OS::Heat::Value, properties: {{value: {{a: {DIGEST}}}}}}}\n"
    _, made = key("{get_attr: [z, value, a]}", rest)
    assert [*calls(made)] == ["z_a"]
    assert [one.code for one in made.diagnostics if one.code == "BPC215"] == ["BPC215"]


@pytest.mark.parametrize(
    "value", ["{get_attr: [h, value]}", f"{{map_merge: [{{get_attr: [h, value]}}, {{a: {DIGEST}}}]}}"]
)
def test_a_value_of_itself_ends(value: str) -> None:
    """Heat refuses it; Cloudify finds null."""
    rest = f"  h: {{type: OS::Heat::Value, properties: {{value: {value}}}}}\n"
    assert key("{get_attr: [h, value]}", rest)[0] == {"get_attribute": ["h", "value"]}
    written, _ = key("{list_join: ['', [{get_attr: [h, value]}, x]]}", rest)
    assert written["concat"][-1] == "x"


def test_a_value_without_one_is_told_apart_from_a_computed_one() -> None:
    data, made = converted(
        "  h: {type: OS::Heat::Value, properties: {type: string}}\noutputs: {o: {value: {get_attr: [h, value]}}}"
    )
    assert data["outputs"]["o"]["value"] == {"get_attribute": ["h", "value"]}
    assert "BPC173" in {one.code for one in made.diagnostics}


# -- what is needed -----------------------------------------------------------------------------------------


def test_only_what_is_deployed_with_has_to_be_computed() -> None:
    """A deployment goes on without what outputs show."""
    _, made = converted(f"outputs: {{o: {{value: {DIGEST}}}}}")
    assert calls(made) == {"o": {"call": CALL, "env": {"get_input": "env"}, "needed": False}}
    _, made = key(DIGEST)
    assert calls(made) == {"v_name": {"call": CALL, "env": {"get_input": "env"}}}


def test_nothing_is_computed_for_a_stand_in() -> None:
    """It is not deployed with it; a text shows what it is."""
    data, made = converted(f"  w: {{type: OS::Aodh::EventAlarm, properties: {{event_type: {DIGEST}}}}}")
    shown = data["node_templates"]["w"]["properties"]["heat_properties"]["event_type"]
    assert shown == 'not converted: {"digest": ["md5", {"get_param": "env"}]}'
    assert calls(made) == {}


# -- what hinders -------------------------------------------------------------------------------------------

LACKING = "{digest: [md5, {list_join: ['', [{get_attr: [a, show]}, {get_param: env}]]}]}"


def following(name: str, **options: Any) -> list[tuple[str, str]]:
    """What is told of a key pair and an output that a stand-in lacks a value for, and which one it follows from."""
    rest = (
        f"{STAND_IN}  v: {{type: OS::Nova::KeyPair, properties: {{name: {name}}}}}\noutputs: {{o: {{value: {name}}}}}"
    )
    _, made = converted(rest, **options)
    return [(one.code, one.follows) for one in made.diagnostics if one.code in ("BPC201", "BPC202")]


@pytest.mark.parametrize("asked", ["values", "data"])
def test_what_would_be_computed_but_for_a_stand_in_follows_from_that(asked: str) -> None:
    assert following(LACKING, asked=asked) == [("BPC201", "a"), ("BPC202", "a")]


def test_what_no_node_computes_follows_from_no_stand_in() -> None:
    assert following(LACKING, asked="inputs") == [("BPC201", ""), ("BPC202", "")]
    query = "{yaql: {expression: $, data: {get_attr: [a, show]}}}"
    assert following(query) == [("BPC201", ""), ("BPC202", "")]


# -- what is only tried -------------------------------------------------------------------------------------


def server(user_data: str, **options: Any) -> tuple[dict[str, Any], dict[str, Any], Result]:
    """The properties of a server with this user data, the inputs that are not those of the template, the conversion."""
    properties = f"{{image: i, flavor: f, user_data: {user_data}, user_data_format: RAW}}"
    data, made = converted(f"  v: {{type: OS::Nova::Server, properties: {properties}}}", **options)
    inputs = {name: row for name, row in data["inputs"].items() if name not in ("env", "data")}
    return data["node_templates"]["v"]["properties"], inputs, made


REASON = "it has to be in base64, for which Cloudify has no function"


def test_user_data_that_the_plugin_takes_in_base64_only_is_computed() -> None:
    properties, _, made = server(DIGEST)
    assert properties["encode_user_data"] is False
    assert properties["resource_config"]["user_data"] == {"get_attribute": ["v_user_data", "result"]}
    assert calls(made)["v_user_data"]["call"] == {"$Base64": {"text": CALL}}
    (message,) = (one.message for one in made.diagnostics if one.code == "BPC215")
    assert message.endswith(f"'v_user_data': {REASON}")


def test_user_data_with_other_letters_is_asked_for_in_base64() -> None:
    """Inside of a message."""
    properties, inputs, made = server("{list_join: ['', [é, {get_param: env}]]}", asked="inputs")
    assert {"get_input": "v_user_data"} in properties["resource_config"]["user_data"]["concat"]
    assert [*inputs] == ["v_user_data"]
    (message,) = (one.message for one in made.diagnostics if one.code == "BPC201")
    assert (
        message == f"not converted, asked for as input 'v_user_data': {REASON}; it is computed where --param gives env"
    )


def test_user_data_is_judged_by_what_a_node_holds() -> None:
    for asked in ("values", "inputs"):
        rest = f"  h: {{type: OS::Heat::Value, properties: {{value: {DIGEST}}}}}"
        user_data = "{list_join: ['', ['#ps1 ', {get_attr: [h, value]}]]}"
        properties = f"{{image: i, flavor: f, user_data_format: RAW, user_data: {user_data}}}"
        data, made = converted(f"{rest}\n  v: {{type: OS::Nova::Server, properties: {properties}}}", asked=asked)
        if asked == "values":
            assert calls(made)["v_user_data"]["h_value"] == {"get_attribute": ["h", "value"]}
        else:
            written = data["node_templates"]["v"]["properties"]["resource_config"]["user_data"]["concat"]
            assert written[0].endswith("8bit\n\n#ps1 ")
            assert written[1] == {"get_property": ["h", "value"]}


@pytest.mark.parametrize(
    ("asked", "written"),
    [("values", {"get_attribute": ["v_metadata_a", "result"]}), ("data", {"get_input": "v_metadata_a"})],
)
def test_a_map_in_metadata_is_computed_where_a_node_may(asked: str, written: Any) -> None:
    data, made = converted(
        "  v: {type: OS::Nova::Server, properties: {image: i, flavor: f, metadata: {a: {get_param: data}}}}",
        asked=asked,
    )
    assert data["node_templates"]["v"]["properties"]["resource_config"]["metadata"] == {"a": written}
    joined = {"$Join": {"delimiter": "", "lists": [[{"$Input": {"name": "data"}}]]}}
    assert [row["call"] for row in calls(made).values()] == ([joined] if asked == "values" else [])
