"""The inputs of a service template that take what TOSCA has no call for: parts of others, secrets, facts, the rest."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from bpconvert.api import Result, convert

HOT = "heat_template_version: 2018-08-31\n"
BLUEPRINT = "tosca_definitions_version: cloudify_dsl_1_3\nimports: [plugin:cloudify-openstack-plugin]\n"


def topology(result: Result) -> Any:
    return yaml.safe_load(result.text)["topology_template"]


def inputs(result: Result) -> dict[str, Any]:
    """The inputs without the words that describe them."""
    declared = topology(result).get("inputs", {})
    return {name: {key: row[key] for key in row if key != "description"} for name, row in declared.items()}


def messages(result: Result, code: str) -> list[str]:
    return [one.message for one in result.diagnostics if one.code == code]


# -- parts of inputs ----------------------------------------------------------------------------------------

PARTS = "{a: x, b: 1, c: true, d: 1.5, e: [x], f: {k: v}, g: null, i: [y, z], m-n: {'é': q}}"


def part(steps: str) -> tuple[Any, dict[str, Any], Result]:
    """What a part of a parameter becomes as metadata of a server, and the inputs beside the whole."""
    server = f"{{image: i, flavor: f, metadata: {{k: {{get_param: [j, {steps}]}}}}}}"
    source = f"{HOT}parameters: {{j: {{type: json, default: {PARTS}}}}}\n"
    made = convert(
        f"{source}resources: {{x: {{type: OS::Nova::Server, properties: {server}}}}}\n",
        "hot", "tosca", carry=False, asked="inputs",
    )  # fmt: skip
    written = topology(made)["node_templates"]["x"]["properties"]["metadata"]["k"]
    return written, {name: row for name, row in inputs(made).items() if name != "j"}, made


@pytest.mark.parametrize(
    ("steps", "name", "kind", "default"),
    [
        ("a", "j_a", "string", "x"),
        ("b", "j_b", "integer", 1),
        ("c", "j_c", "boolean", True),
        ("d", "j_d", "float", 1.5),
        ("e", "j_e", "list", ["x"]),
        ("f", "j_f", "map", {"k": "v"}),
        ("f, k", "j_f_k", "string", "v"),
        ("i, 0", "j_i_0", "string", "y"),
        ("i, 1", "j_i_1", "string", "z"),
        ("i, -2", "j_i_2", "string", "y"),
        ("m-n, é", "j_m_n_", "string", "q"),
    ],
)
def test_a_part_of_an_input_is_an_input(steps: str, name: str, kind: str, default: Any) -> None:
    written, rest, made = part(steps)
    assert written == {"get_input": name}
    assert rest.keys() == {name}
    assert rest[name].items() >= {"type": kind, "default": default}.items()
    keys = ".".join(steps.split(", "))
    assert topology(made)["inputs"][name]["description"] == f"Part {keys} of 'j'"
    assert messages(made, "BPC883") == [f"input '{name}' takes the part {keys} of 'j'"]


@pytest.mark.parametrize(
    ("steps", "why"),
    [
        ("z", "with a path as it is specified"),
        ("i, 2", "with a path as it is specified"),
        ("i, -3", "with a path as it is specified"),
        ("i, k", "with a path as it is specified"),
        ("a, 0", "with a path as it is specified"),
        ("g", "that is empty or computed"),
    ],
)
def test_a_part_that_no_default_has_is_asked_for(steps: str, why: str) -> None:
    written, rest, made = part(steps)
    assert written == {"get_input": "x_metadata_k"}
    assert rest == {"x_metadata_k": {"type": "string"}}
    assert [why in message for message in messages(made, "BPC201")] == [True]


def test_a_part_that_is_taken_twice_is_one_input() -> None:
    """Where another input has the name already, it gets a number."""
    source = (
        f"{HOT}parameters: {{j: {{type: json, default: {{a: x}}}}, j_a: {{type: string}}}}\n"
        "resources: {x: {type: OS::Nova::Server, properties: "
        "{image: {get_param: [j, a]}, flavor: {get_param: [j, a]}, name: {get_param: j_a}}}}\n"
    )
    made = convert(source, "hot", "tosca", carry=False)
    assert topology(made)["node_templates"]["x"]["properties"] == {
        "image": {"get_input": "j_a_2"}, "flavor": {"get_input": "j_a_2"}, "name": {"get_input": "j_a"},
    }  # fmt: skip
    assert list(inputs(made)) == ["j", "j_a", "j_a_2"]
    assert [one.path for one in made.diagnostics if one.code == "BPC883"] == [
        ("resources", "x", "properties", "image"), ("resources", "x", "properties", "flavor"),
    ]  # fmt: skip


def test_a_part_that_is_a_number_is_told_to_be_whole() -> None:
    """As any number of a template; the place is that of the whole."""
    _, _, made = part("b")
    assert messages(made, "BPC873") == ["'j_b' is an integer in TOSCA: numbers with a point are refused"]
    assert [one.path for one in made.diagnostics if one.code == "BPC873"] == [("parameters", "j", "default")]


# -- values that nothing computes ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("type", "property", "choices", "kind"),
    [
        ("OS::Heat::Value", "value", "1, 2.5", "float"),
        ("OS::Heat::Value", "value", "true, false", "boolean"),
        ("OS::Heat::Value", "value", "a, b", "string"),
        ("OS::Heat::Value", "value", "[a], [b]", "list"),
        ("OS::Heat::Value", "value", "{a: b}, {c: d}", "map"),
        ("OS::Heat::Value", "value", "{get_param: j}, {get_param: j}", "map"),
        ("OS::Cinder::Volume", "size", "10, 20", "integer"),
        ("OS::Cinder::Volume", "size", "a, b", "string"),
        ("OS::Cinder::Volume", "size", "{get_param: [j, a]}, 1", "integer"),
        ("OS::Cinder::Volume", "name", "1, 2", "float"),
    ],
)
def test_what_is_asked_for_is_of_the_type_that_its_choices_have(
    type: str, property: str, choices: str, kind: str
) -> None:
    """Where these tell nothing, of that of its place."""
    made = convert(
        f"{HOT}parameters: {{n: {{type: number}}, j: {{type: json}}}}\n"
        "conditions: {c: {equals: [{get_param: n}, 1]}}\n"
        f"resources: {{x: {{type: '{type}', properties: {{{property}: {{if: [c, {choices}]}}}}}}}}\n",
        "hot", "tosca", carry=False, asked="inputs",
    )  # fmt: skip
    (name,) = (row["get_input"] for row in topology(made)["node_templates"]["x"]["properties"].values())
    assert inputs(made)[name]["type"] == kind


# -- what only the source's engine knows --------------------------------------------------------------------


def keypair(name: str, rest: str = "") -> Result:
    source = (
        f"{BLUEPRINT}node_templates: {{x: {{type: cloudify.nodes.openstack.KeyPair, "
        f"properties: {{resource_config: {{name: {name}}}}}}}}}\n{rest}"
    )
    return convert(source, "cloudify", "tosca", carry=False)


def name_of(made: Result) -> Any:
    return topology(made)["node_templates"]["x"]["properties"]["name"]


def test_a_secret_is_an_input_that_has_to_be_given() -> None:
    made = keypair("{get_secret: k}")
    assert name_of(made) == {"get_input": "k"}
    assert topology(made)["inputs"] == {
        "k": {"type": "string", "description": "Secret 'k' of the Cloudify manager; confidential"}
    }
    assert messages(made, "BPC234") == ["the secret 'k' is the input 'k'"]


@pytest.mark.parametrize("secret", ["[k, a]", "{get_input: i}"])
def test_a_secret_that_is_not_named_is_asked_for_as_a_value(secret: str) -> None:
    made = keypair(f"{{get_secret: {secret}}}", "inputs: {i: {type: string}}\n")
    assert name_of(made) == {"get_input": "x_name"}
    assert [message.endswith("a part of the secret is taken") for message in messages(made, "BPC201")] == [True]
    assert not messages(made, "BPC871")


def test_a_secret_that_only_an_output_shows_is_not_asked_for() -> None:
    outputs = "outputs: {a: {value: {get_secret: other}}, b: {value: {get_secret: k}}}\n"
    made = keypair("{get_secret: k}", outputs)
    assert list(inputs(made)) == ["k"]
    assert topology(made)["outputs"]["b"]["value"] == {"get_input": "k"}
    assert topology(made)["outputs"]["a"]["value"] == 'not converted: {"get_secret": "other"}'
    assert messages(made, "BPC202") == ["not converted: TOSCA does not know this, and no node needs it"]


@pytest.mark.parametrize(
    ("fact", "name", "default", "code", "message"),
    [
        ("[tenant, name]", "tenant_name", {}, "BPC871",
         "TOSCA has no function for the tenant name: asked for as input 'tenant_name'"),
        ("[deployment, id]", "deployment_id", {}, "BPC871",
         "TOSCA has no function for the deployment id: asked for as input 'deployment_id'"),
        ("[deployment, name]", "deployment_name", {"default": "service"}, "BPC262",
         "the name of the deployment is the input 'deployment_name', by default 'service'"),
    ],
)  # fmt: skip
def test_a_fact_is_an_input(fact: str, name: str, default: dict[str, str], code: str, message: str) -> None:
    made = keypair(f"{{get_sys: {fact}}}")
    assert name_of(made) == {"get_input": name}
    words = f"The {name.replace('_', ' ')}, which Cloudify knows itself"
    assert topology(made)["inputs"] == {name: {"type": "string", "description": words, **default}}
    assert messages(made, code) == [message]


def test_a_fact_gets_another_name_where_an_input_has_its_name() -> None:
    made = keypair("{get_sys: [tenant, name]}", "inputs: {tenant_name: {type: string}}\n")
    assert name_of(made) == {"get_input": "tenant_name_2"}


# -- an id of the deployment --------------------------------------------------------------------------------

SERVER = "image: i, flavor: f, networks: []"
MADE = {"get_attribute": ["deployment_id", "result"]}


def marked(body: str, **choices: Any) -> Result:
    return convert(HOT + body, "hot", "tosca", carry=False, **choices)


@pytest.mark.parametrize(
    ("type", "properties", "written"),
    [
        ("OS::Nova::Server", f"{{{SERVER}, metadata: {{k: {{get_param: OS::stack_id}}}}}}", {"metadata": {"k": MADE}}),
        ("OS::Aodh::CompositeAlarm", "{composite_rule: {get_param: OS::stack_id}}", {"composite_rule": MADE}),
        ("OS::Monasca::AlarmDefinition", "{expression: {get_param: OS::stack_id}}", {"expression": MADE}),
        ("OS::Ceilometer::Alarm", "{query: {get_param: OS::stack_id}}", {"query": MADE}),
    ],
)
def test_an_id_that_marks_what_belongs_together_is_made(type: str, properties: str, written: dict[str, Any]) -> None:
    made = marked(f"resources: {{x: {{type: '{type}', properties: {properties}}}}}\n")
    assert topology(made)["node_templates"]["x"]["properties"].items() >= written.items()
    assert messages(made, "BPC263") == [
        "the id of the deployment is one that node 'deployment_id' makes when deploying"
    ]
    assert "inputs" not in topology(made)


def test_an_id_that_is_asked_for_is_no_node() -> None:
    body = f"resources: {{x: {{type: OS::Nova::Server, properties: {{{SERVER}, metadata: {{k: {{get_param: "
    made = marked(f"{body}OS::stack_id}}}}}}}}}}\n", asked="inputs")
    assert list(topology(made)["node_templates"]) == ["x"]
    assert inputs(made) == {"deployment_id": {"type": "string"}}


def test_an_output_shows_an_id_that_something_has() -> None:
    """For an output alone no node is made."""
    output = "outputs: {o: {value: {get_param: OS::stack_id}}}\n"
    body = f"resources: {{x: {{type: OS::Nova::Server, properties: {{{SERVER}, metadata: {{k: {{get_param: "
    both = marked(f"{body}OS::stack_id}}}}}}}}}}\n{output}")
    assert topology(both)["outputs"]["o"]["value"] == MADE
    alone = topology(marked(output))
    assert "node_templates" not in alone
    assert alone["outputs"]["o"]["value"] == 'not converted: {"get_param": "OS::stack_id"}'


def test_a_stand_in_shows_no_id() -> None:
    """Also where something else has it."""
    mark = "metadata: {k: {get_param: OS::stack_id}}"
    made = marked(
        f"resources:\n  a: {{type: OS::Nova::Server, properties: {{{SERVER}, {mark}}}}}\n"
        f"  s: {{type: Some::Type, properties: {{{mark}}}}}\n"
    )
    assert topology(made)["node_templates"]["a"]["properties"]["metadata"] == {"k": MADE}
    shown = topology(made)["node_templates"]["s"]["properties"]["heat_properties"]
    assert shown == {"metadata": {"k": 'not converted: {"get_param": "OS::stack_id"}'}}


# -- the way back -------------------------------------------------------------------------------------------


def test_inputs_that_take_a_part_are_gone_on_the_way_back() -> None:
    there = part("a")[2]
    back = yaml.safe_load(convert(there.text, "tosca", "hot", carry=False).text)
    assert list(back["parameters"]) == ["j"]
    assert back["resources"]["x"]["properties"]["metadata"] == {"k": {"get_param": ["j", "a"]}}


def test_inputs_that_ask_for_a_secret_are_gone_on_the_way_back() -> None:
    there = keypair("{get_secret: k}")
    back = yaml.safe_load(convert(there.text, "tosca", "cloudify", carry=False).text)
    assert "inputs" not in back
    assert back["node_templates"]["x"]["properties"]["resource_config"]["name"] == {"get_secret": "k"}
