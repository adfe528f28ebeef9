"""What references of a blueprint become in a template: inputs, attributes, properties and what identifies a node."""

from __future__ import annotations

from typing import Any

import pytest

from bpconvert.api import Result, convert

V3 = "cloudify.nodes.openstack."
MAP = "{x: {y: {get_input: s}}, l: [{get_input: n}, 5], g: {get_attribute: [net, id]}, c: {concat: [{get_input: s}]}}"
NODES = f"""
node_templates:
  net: {{type: {V3}Network, properties: {{resource_config: {{name: nn}}}}}}
  named: {{type: {V3}Network, properties: {{use_external_resource: true, resource_config: {{name: there}}}}}}
  t: {{type: t, properties: {{m: {MAP}}}}}
  round: {{type: t, properties: {{a: {{get_property: [round, m]}}, m: {{get_property: [round, a]}}}}}}
  many: {{type: {V3}Network, capabilities: {{scalable: {{properties: {{default_instances: 2}}}}}}}}
  zero: {{type: {V3}Network, capabilities: {{scalable: {{properties: {{default_instances: 0}}}}}}}}
"""
TYPE = """
node_types:
  t:
    derived_from: cloudify.nodes.Root
    properties: {a: {default: 1}, m: {default: {}}, me: {default: {get_property: [SELF, a]}}}
"""
PLAIN = """
inputs:
  s: {type: string, default: k}
  n: {type: integer, default: 1}
  b: {type: boolean, default: true}
  d: {default: {k: v, 1: w, l: [a, b]}}
  l: {type: list, default: [a, b]}
"""
COMPUTED = """  computed: {default: {concat: [x, {get_input: s}]}}
  loop: {default: {concat: [{get_input: loop2}]}}
  loop2: {default: {get_property: [t, x]}}
  deep: {default: {a: {get_input: d}, b: [{get_input: s}, y], c: {concat: [{get_input: s}]}, e: {get_secret: z}}}
  choice: {default: {get_input: [d, {get_input: s}]}}
  rows: {default: {m: [[{get_input: s}, y], [x, z]], one: [{get_input: s}], w: word}}
"""
HEAD = """tosca_definitions_version: cloudify_dsl_1_4
imports: [cloudify/types/types.yaml, plugin:cloudify-openstack-plugin]
"""
Reported = list[tuple[str, str]]


def converted(value: str, inputs: str = PLAIN + COMPUTED) -> Result:
    """The value as an output, and as the name of a server."""
    server = f"  use: {{type: {V3}Server, properties: {{resource_config: {{name: {value}, flavor: f}}}}}}\n"
    return convert(
        f"{HEAD}{TYPE}{inputs}{NODES}{server}outputs: {{o: {{value: {value}}}}}\n", "cloudify", "hot", carry=False
    )


def messages(result: Result, *place: str) -> Reported:
    return [(one.code, one.message) for one in result.diagnostics if one.path[: len(place)] == place]


def output(value: str, inputs: str = PLAIN + COMPUTED) -> tuple[Any, Reported]:
    """What an output becomes, and what is reported there."""
    result = converted(value, inputs)
    return result.document["outputs"]["o"]["value"], messages(result, "outputs", "o")


def given(name: str, *keys: Any, otherwise: Any) -> dict[str, Any]:
    """What is given for an input, or what it is by default."""
    return {"if": [f"{name}_given", {"get_param": [name, *keys] if keys else name}, otherwise]}


PICKED = {"yaql": {"expression": "$.data.value[$.data.key1]",
                   "data": {"value": [{"get_param": "s"}, "y"], "key1": {"get_param": "n"}}}}  # fmt: skip
CHOSEN = {"if": [{"equals": [{"get_param": "b"}, True]}, "y", {"get_param": "s"}]}
BY_VALUE = [("BPC233", "'get_property' is written as the property's value")]
BY_PARAM = [("BPC233", "'get_property' is written as 'get_param'")]
LISTED = [("BPC233", "'get_attributes_list' is written as 'get_attr'")]
FIRST = [("BPC243", "'many' has several instances; this is the value of the first")]


@pytest.mark.parametrize(
    ("call", "written", "expected"),
    [
        # inputs
        ("{get_input: s}", {"get_param": "s"}, []),
        ("{get_input: [d, 1]}", {"get_param": ["d", "1"]}, []),
        ("{get_input: [d, l, 1]}", {"get_param": ["d", "l", 1]}, []),
        ("{get_input: computed}", given("computed", otherwise={"list_join": ["", ["x", {"get_param": "s"}]]}), []),
        ("{get_input: choice}", given("choice", otherwise={"get_param": ["d", {"get_param": "s"}]}), []),
        ("{get_input: [deep, a]}", given("deep", "a", otherwise={"get_param": "d"}), []),
        ("{get_input: [deep, a, k]}", given("deep", "a", "k", otherwise={"get_param": ["d", "k"]}), []),
        ("{get_input: [deep, b, 0]}", given("deep", "b", 0, otherwise={"get_param": "s"}), []),
        ("{get_input: [deep, b, {get_input: n}]}", given("deep", "b", {"get_param": "n"}, otherwise=PICKED), []),
        ("{get_input: [deep, b, {get_input: b}]}", given("deep", "b", {"get_param": "b"}, otherwise=CHOSEN), []),
        ("{get_input: [rows, m, {get_input: b}, 0]}", given("rows", "m", {"get_param": "b"}, 0, otherwise={
            "if": [{"equals": [{"get_param": "b"}, True]}, "x", {"get_param": "s"}]}), []),
        ("{get_input: [rows, m, {get_input: n}, {get_input: n}]}",
         given("rows", "m", {"get_param": "n"}, {"get_param": "n"}, otherwise={"yaql": {
             "expression": "$.data.value[$.data.key1][$.data.key2]",
             "data": {"value": [[{"get_param": "s"}, "y"], ["x", "z"]],
                      "key1": {"get_param": "n"}, "key2": {"get_param": "n"}}}}), []),
        ("{get_input: [rows, one, {get_input: b}]}", given("rows", "one", {"get_param": "b"}, otherwise={"yaql": {
            "expression": "$.data.value[$.data.key1]",
            "data": {"value": [{"get_param": "s"}], "key1": {"get_param": "b"}}}}), []),
        # attributes
        ("{get_attribute: [net, id]}", {"get_resource": "net"}, []),
        ("{get_attribute: [net, name]}", {"get_attr": ["net", "name"]}, []),
        ("{get_attribute: [named, id]}", "there",
         [("BPC248", "this is the name of 'named', which exists already; its id is not known")]),
        ("{get_attribute: [named, name]}", "there", []),
        ("{get_attribute: [t, a]}", 1,
         [("BPC241", "attribute 'a' of 't' is written as the value of the property of that name")]),
        ("{get_attribute: [t, m, x]}", {"y": {"get_param": "s"}},
         [("BPC241", "attribute 'm' of 't' is written as the value of the property of that name")]),
        ("{get_attribute: [t, id]}", {"get_attr": ["t", "id"]},
         [("BPC240", "'t' is a stand-in without attributes: 'id' is null")]),
        ("{get_attribute: [t, nothing, 0]}", {"get_attr": ["t", "nothing", 0]},
         [("BPC240", "'t' is a stand-in without attributes: 'nothing' is null")]),
        ("{get_attribute: [many, id]}", {"get_attr": ["many", "resource.0"]}, FIRST),
        ("{get_attribute: [many, name]}", {"get_attr": ["many", "resource.0.name"]}, FIRST),
        ("{get_attributes_list: [many, id]}", {"get_attr": ["many", "refs"]}, LISTED),
        ("{get_attributes_list: [many, name]}", {"get_attr": ["many", "name"]}, LISTED),
        ("{get_attributes_list: [many, name, 0]}", {"get_attr": ["many", "name", 0]}, LISTED),
        ("{get_attributes_list: [net, id]}", [{"get_resource": "net"}], []),
        ("{get_attributes_list: [net, name]}", [{"get_attr": ["net", "name"]}], []),
        # properties
        ("{get_property: [t, a]}", 1, BY_VALUE),
        ("{get_property: [t, me]}", 1, BY_VALUE),
        ("{get_property: [t, m, x]}", {"y": {"get_param": "s"}}, BY_VALUE),
        ("{get_property: [t, m, x, y]}", {"get_param": "s"}, BY_PARAM),
        ("{get_property: [t, m, l, 0]}", {"get_param": "n"}, BY_PARAM),
        ("{get_property: [t, m, l, 1]}", 5, BY_VALUE),
        ("{get_property: [t, m, g]}", {"get_resource": "net"},
         [("BPC233", "'get_property' is written as 'get_resource'")]),
        ("{get_property: [net, resource_config, name]}", "nn", BY_VALUE),
        # facts
        ("{get_sys: [deployment, name]}", {"get_param": "OS::stack_name"}, []),
        ("{get_sys: [deployment, id]}", {"get_param": "OS::stack_id"},
         [("BPC249", "the id of a stack is a UUID, that of a deployment the text that its user chose")]),
    ],
)  # fmt: skip
def test_what_heat_says(call: str, written: Any, expected: Reported) -> None:
    assert output(call) == (written, expected)


LATE = "a part is taken of a value that is only known when deploying"
NAME_IS_TEXT = "'get_input' takes the name of an input, which is a text"


@pytest.mark.parametrize(
    ("call", "reason"),
    [
        ("{get_input: nope}", "there is no input 'nope'"),
        ("{get_input: {get_input: n}}", NAME_IS_TEXT),
        ("{get_input: {get_input: l}}", NAME_IS_TEXT),
        ("{get_input: {get_input: b}}", NAME_IS_TEXT),
        ("{get_input: {get_attribute: [net, name]}}", "the name of the input depends on a resource"),
        ("{get_input: {get_input: s}}",
         "the name of the input is computed, and 'computed' is not a plain parameter of that name"),
        ("{get_input: [deep, b, 7]}", "there is no '7' in the value"),
        ("{get_input: [deep, z]}", "there is no 'z' in the value"),
        ("{get_input: [rows, w, {get_input: n}]}", "the value has no parts"),
        ("{get_input: [deep, c, 0]}", LATE),
        ("{get_attribute: [named, mtu]}", "'named' exists already and only its name is known"),
        ("{get_attribute: [gone, id]}", "there is no node 'gone'"),
        ("{get_attribute: [{get_input: s}, id]}", "the node's name is computed"),
        ("{get_attribute: [TARGET, id]}", "it depends on which node is TARGET"),
        ("{get_attribute: [SOURCE, id]}", "it depends on which node is SOURCE"),
        ("{get_attribute: [net, {get_input: s}]}", "the attribute's name is computed"),
        ("{get_attribute: [net, odd]}", "OS::Neutron::Net has no attribute 'odd'"),
        ("{get_attribute: [zero, id]}", "there is no instance of 'zero'"),
        ("{get_attribute: [zero, name]}", "there is no instance of 'zero'"),
        ("{get_attributes_list: [many, odd]}", "OS::Neutron::Net has no attribute 'odd'"),
        ("{get_attributes_list: [many, {get_input: s}]}", "the attribute's name is computed"),
        ("{get_attributes_dict: [many, name]}",
         "Heat has no function that gives attributes by the ids of the instances"),
        ("{get_property: [t, m, g, 0]}", LATE),
        ("{get_property: [t, m, c, 0]}", LATE),
        ("{get_property: [t, {get_input: s}]}", "the name of the property is computed"),
        ("{get_property: [t, nope]}", "'t' has no property 'nope'"),
        ("{get_property: [t, m, l, 9]}", "'t' has no property 'm.l.9'"),
        ("{get_property: [round, a]}", "property 'a' of 'round' refers to itself"),
    ],
)  # fmt: skip
def test_what_heat_does_not_say(call: str, reason: str) -> None:
    """An output shows the call, a resource asks for the value."""
    result = converted(call)
    assert str(result.document["outputs"]["o"]["value"]).startswith('{"get_')
    assert ("BPC232", f"not converted, written as text: {reason}") in messages(result, "outputs", "o")
    assert result.document["resources"]["use"]["properties"]["name"] == {"get_param": "use_name"}
    asked = f"not converted, asked for as parameter 'use_name': {reason}"
    assert ("BPC230", asked) in messages(result, "node_templates", "use")
    refused = {"BPC236": NAME_IS_TEXT, "BPC242": reason}
    assert all(refused.get(code, text) == text for code, text in messages(result, "outputs", "o"))


def test_what_a_lookup_does_not_say() -> None:
    """No resource of Heat's is one."""
    made = convert(
        "heat_template_version: 2018-08-31\nparameters: {project: {type: string}}\nresources:\n  own:\n"
        "    type: OS::Nova::Flavor\n"
        "    properties: {ram: 1, vcpus: 1, is_public: false, tenants: [{get_param: project}]}\n"
    ).text
    assert "[project_id, id]" in made
    back = convert(made.replace("[project_id, id]", "[project_id, odd]", 1), "cloudify", "hot", carry=False)
    asked = "not converted, asked for as parameter 'own_tenants': bpconvert.openstack.NameLookup has no attribute 'odd'"
    assert ("BPC230", asked) in messages(back, "node_templates", "own")


def test_the_name_of_an_input_may_be_computed() -> None:
    """Where all inputs are parameters of the same names."""
    assert output("{get_input: {get_input: s}}", PLAIN)[0] == {"get_param": {"get_param": "s"}}


@pytest.mark.parametrize(("value", "written"), [("pw", "pw"), ("[pw, a]", ["pw", "a"])])
def test_a_secret_is_a_hidden_parameter(value: str, written: Any) -> None:
    """An output has it where a resource needs it."""
    result = converted(f"{{get_secret: {value}}}")
    parameter = {"get_param": written}
    assert result.document["resources"]["use"]["properties"]["name"] == parameter
    assert result.document["outputs"]["o"]["value"] == parameter
    assert result.document["parameters"]["pw"]["hidden"] is True
    alone = convert(f"{HEAD}\noutputs: {{o: {{value: {{get_secret: {value}}}}}}}\n", "cloudify", "hot", carry=False)
    reason = "not converted, written as text: Heat has no secrets, and no resource needs this one"
    assert messages(alone, "outputs", "o") == [("BPC232", reason)]


@pytest.mark.parametrize("call", ["{get_attribute: [t, id]}", "{get_attribute: [t, nothing]}"])
def test_a_resource_is_not_created_with_a_value_of_a_stand_in(call: str) -> None:
    result = converted(call)
    assert result.document["resources"]["use"]["properties"]["name"] == {"get_param": "use_name"}
    asked = "not converted, asked for as parameter 'use_name': 't' is a stand-in without attributes"
    assert ("BPC230", asked) in messages(result, "node_templates", "use")
