"""What values become in a service template: what every engine reads alike, else asked for and kept."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml
from expression_source import PARAMETERS, Source
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bpconvert.api import Result, convert

TOP = "heat_template_version: 2018-08-31\n"


def written(body: str, **choices: Any) -> tuple[dict[str, Any], Result]:
    """The topology template that a HOT template becomes, without the record."""
    result = convert(TOP + body, "hot", "tosca", carry=False, **choices)
    return yaml.safe_load(result.text)["topology_template"], result


def codes(result: Result) -> list[str]:
    return [one.code for one in result.diagnostics]


def name_of(value: str, parameters: str = "{}") -> Any:
    """What the name of a server becomes."""
    body = f"parameters: {parameters}\nresources: {{x: {{type: OS::Nova::Server, properties: {{name: {value}}}}}}}\n"
    return written(body)[0]["node_templates"]["x"]["properties"]["name"]


def test_texts_are_concatenated() -> None:
    parameters = "{a: {type: string}}"
    assert name_of("{list_join: ['-', [x, {get_param: a}, y]]}", parameters) == {
        "concat": ["x-", {"get_input": "a"}, "-y"]
    }
    assert name_of("{str_replace: {template: $a.é, params: {$a: {get_param: a}}}}", parameters) == {
        "concat": [{"get_input": "a"}, ".é"]
    }


def test_known_values_are_computed() -> None:
    assert name_of("{str_replace: {template: a-b, params: {a: 1, b: true}}}") == "1-True"
    assert name_of("{digest: [md5, x]}") == "9dd4e461268c8034f5c8564e155c67a6"


def test_numbers_in_texts_only_are_texts() -> None:
    body, result = written(
        "parameters: {n: {type: number, default: 8080}, b: {type: boolean, default: true}}\n"
        "resources: {x: {type: OS::Nova::Server, properties: {name: {str_replace: {template: $a-$b, params: "
        "{$a: {get_param: n}, $b: {get_param: b}}}}}}}\n"
    )
    assert body["inputs"]["n"]["type"] == body["inputs"]["b"]["type"] == "string"
    assert body["inputs"]["n"]["default"] == "8080"
    assert body["inputs"]["b"]["default"] == "True"
    assert body["inputs"]["b"]["constraints"] == [{"valid_values": ["True", "False"]}]
    assert "BPC875" in codes(result)
    back = yaml.safe_load(convert(result.text, "tosca", "hot", carry=False).text)
    assert back["parameters"]["n"] == {"type": "number", "default": 8080}
    assert back["parameters"]["b"] == {"type": "boolean", "default": True}


@pytest.mark.parametrize(("kind", "becomes"), [("boolean", "get_input"), ("number", "concat")])
def test_other_numbers_in_texts_are_reported(kind: str, becomes: str) -> None:
    body, result = written(
        f"parameters: {{n: {{type: {kind}}}}}\n"
        "resources: {x: {type: OS::Nova::Server, properties: {name: {list_join: ['', [a, {get_param: n}]]}, "
        "metadata: {k: {get_param: n}}}}}\n",
        asked="inputs",
    )
    name = body["node_templates"]["x"]["properties"]["name"]
    assert {"BPC201", "BPC872"} & set(codes(result))
    assert becomes in json.dumps(name)


def test_what_is_asked_for_has_the_type_of_its_place() -> None:
    body, _ = written(
        "parameters: {j: {type: json}, l: {type: comma_delimited_list}}\n"
        "resources: {x: {type: OS::Nova::Server, properties: {name: {get_param: [j, a]}, networks: {get_param: [j, b]},"
        " metadata: {map_merge: [{get_param: j}]}, security_groups: {list_concat: [{get_param: l}, [a]]}}}}\n",
        asked="inputs",
    )
    types = {name: declared["type"] for name, declared in body["inputs"].items()}
    assert types == {
        "j": "map", "l": "list", "x_name": "string", "x_networks": "list", "x_metadata": "map",
        "x_security_groups": "list",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("one", "other", "kind"),
    [("[{a: b}]", "{get_param: j}", "list"), ("{get_param: j}", "{a: b}", "map"), ("[a]", "{a: b}", "string")],
)
def test_what_a_choice_asks_for_has_the_type_that_it_shows(one: str, other: str, kind: str) -> None:
    body, _ = written(
        "parameters: {j: {type: json}}\nconditions: {c: {equals: [{get_param: j}, []]}}\n"
        f"resources: {{x: {{type: 'OS::TripleO::Some', properties: {{p: {{if: [c, {one}, {other}]}}}}}}}}\n",
        asked="inputs",
    )
    assert body["inputs"]["x_p"]["type"] == kind


def test_facts_and_secrets_are_asked_for_once() -> None:
    body, result = written(
        "resources: {x: {type: OS::Nova::Server, properties: {name: {get_param: OS::stack_name}, "
        "metadata: {k: {get_param: OS::stack_name}}}}}\n"
    )
    assert body["inputs"] == {
        "deployment_name": {
            "type": "string", "description": "The deployment name, which Heat knows itself", "default": "service",
        }
    }  # fmt: skip
    assert codes(result).count("BPC262") == 2
    blueprint = (
        "tosca_definitions_version: cloudify_dsl_1_3\n"
        "imports: [plugin:cloudify-openstack-plugin]\n"
        "node_templates: {x: {type: cloudify.nodes.openstack.KeyPair, properties: {resource_config: "
        "{name: {get_secret: k}, public_key: {get_secret: k}}}}}\n"
    )
    made = yaml.safe_load(convert(blueprint, "cloudify", "tosca").text)["topology_template"]
    assert made["inputs"]["k"]["type"] == "string"
    assert made["node_templates"]["x"]["properties"]["name"] == {"get_input": "k"}


@pytest.mark.parametrize("data", ["{token: x}", "{a: [{get_input: x}]}", "{concat: [a]}"])
def test_data_that_looks_like_a_call(data: str) -> None:
    source = f"resources: {{x: {{type: OS::Nova::Server, properties: {{metadata: {data}}}}}}}\n"
    body, result = written(source, asked="inputs")
    assert "BPC805" in codes(result)
    assert not any(f'{{"{name}"' in json.dumps(body) for name in ("token", "get_input", "concat"))
    back = yaml.safe_load(convert(result.text, "tosca", "hot", carry=False).text)
    assert back["resources"]["x"]["properties"]["metadata"] == yaml.safe_load(data)


def test_maps_like_calls_in_each_other_are_one_text() -> None:
    value: Any = "x"
    for _ in range(30):
        value = {"concat": [value, "x"]}
    body, result = written(f"outputs: {{o: {{value: {json.dumps(value)}}}}}\n", asked="inputs")
    assert json.loads(body["outputs"]["o"]["value"]) == value
    assert codes(result).count("BPC805") == 1


def test_a_default_that_looks_like_a_call_has_to_be_given() -> None:
    body, result = written("parameters: {j: {type: json, default: {a: {token: x}}}}\n")
    assert body["inputs"]["j"] == {"type": "map", "entry_schema": {"type": "string"}}
    assert "BPC807" in codes(result)
    back = yaml.safe_load(convert(result.text, "tosca", "hot", carry=False).text)
    assert back["parameters"]["j"]["default"] == {"a": {"token": "x"}}


def test_what_the_rules_make_of_a_text_is_expressible_or_asked_for() -> None:
    name = name_of(
        "{str_replace: {template: {list_join: ['', ['//', {get_param: a}]]}, params: {'//': ''}}}",
        "{a: {type: string}}",
    )
    assert name == {"get_attribute": ["x_name", "result"]}


# -- any value ----------------------------------------------------------------------------------------------

_PARAMETERS = {name: {"type": kind, "default": value} for name, (kind, value) in PARAMETERS.items()}


def template(seed: int) -> str:
    source = Source(seed, runtime=True)
    server = {"name": source.value(), "metadata": {"k": source.value()}, "networks": [source.value()]}
    resources = {
        "r1": {"type": "OS::Heat::Value", "properties": {"value": source.value()}},
        "r2": {"type": "OS::Heat::None"},
        "x": {"type": "OS::Nova::Server", "properties": server},
    }
    document = {"heat_template_version": "2018-08-31", "parameters": _PARAMETERS, "resources": resources}
    return json.dumps({**document, "outputs": {"o": {"value": source.value()}}}) + "\n"


@given(st.integers(0, 10**6))
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
def test_any_value_is_written(seed: int) -> None:
    result = convert(template(seed), "hot", "tosca")
    assert convert(result.text, "tosca", "hot").text == template(seed)
    assert convert(result.text, "tosca", "cloudify").text


def test_attributes_of_older_types_have_the_names_of_today() -> None:
    body, _ = written(
        "resources: {f: {type: OS::Nova::FloatingIP, properties: {pool: p}}}\n"
        "outputs: {a: {value: {get_attr: [f, ip]}}, b: {value: {get_attr: [f, pool]}}}\n"
    )
    assert body["node_templates"]["f"]["type"] == "openstack.neutron.FloatingIP"
    assert body["outputs"]["a"]["value"] == {"get_attribute": ["f", "floating_ip_address"]}
    assert body["outputs"]["b"]["value"] == {"get_attribute": ["f", "floating_network_id"]}


BLUEPRINT = """\
tosca_definitions_version: cloudify_dsl_1_3
imports: [plugin:cloudify-openstack-plugin]
inputs:
  user: {}
  other: {type: string, required: false}
  port: {type: string, default: 22}
  rules: {type: dict, default: {get_secret: x}}
  unused: {type: string}
node_templates:
  k:
    type: cloudify.nodes.openstack.KeyPair
    properties: {client_config: {username: {get_input: user}}, resource_config: {name: {get_input: other}}}
  ext:
    type: cloudify.nodes.openstack.Network
    properties: {use_external_resource: true, resource_config: {name: {get_input: port}}}
  plug:
    type: cloudify.nodes.openstack.Port
    relationships: [{type: cloudify.relationships.connected_to, target: ext}]
outputs:
  rules: {value: {get_input: rules}}
"""


def test_inputs_of_blueprints() -> None:
    result = convert(BLUEPRINT, "cloudify", "tosca", carry=False)
    body = yaml.safe_load(result.text)["topology_template"]
    assert body["inputs"]["user"]["required"] is False  # nothing needs the credentials
    assert body["inputs"]["other"] == {"type": "string", "required": False}
    assert body["inputs"]["port"] == {"type": "integer", "default": 22}
    assert body["inputs"]["rules"] == {"type": "map", "entry_schema": {"type": "string"}}
    assert body["inputs"]["unused"] == {"type": "string"}
    assert {"BPC876", "BPC874", "BPC247"} <= set(codes(result))


def test_what_names_a_node_that_is_not_there_is_not_read_back() -> None:
    made = convert(BLUEPRINT, "cloudify", "tosca", carry=False)
    body = yaml.safe_load(made.text)["topology_template"]
    assert "ext" not in body["node_templates"]
    assert body["node_templates"]["plug"]["properties"]["network"] == {"get_input": "port"}
    back = yaml.safe_load(convert(made.text, "tosca", "hot", carry=False).text)
    assert back["resources"]["plug"]["properties"]["network"] == {"get_param": "port"}


def test_names_that_have_a_meaning_are_others() -> None:
    source = (
        TOP + "resources:\n  HOST: {type: OS::Heat::RandomString}\n"
        "  x: {type: OS::Heat::Value, properties: {value: {get_attr: [HOST, value]}}}\n"
    )
    result = convert(source, "hot", "tosca")
    nodes = yaml.safe_load(result.text)["topology_template"]["node_templates"]
    assert list(nodes) == ["HOST_node", "x"]
    assert nodes["x"]["properties"] == {"value": {"get_attribute": ["HOST_node", "value"]}}
    assert nodes["x"]["requirements"] == [{"dependency": "HOST_node"}]
    assert convert(result.text, "tosca", "hot").text == source
    edited = result.text.replace("    x:\n", "    y:\n      type: openstack.heat.RandomString\n\n    x:\n")
    assert "HOST_node" not in convert(edited, "tosca", "hot").text


def test_operations_that_the_standard_does_not_have_are_of_our_interface() -> None:
    source = (
        "tosca_definitions_version: cloudify_dsl_1_3\n"
        "imports: [cloudify/types/types.yaml, plugin:cloudify-openstack-plugin]\n"
        "node_templates:\n  s: {type: cloudify.nodes.openstack.Server}\n"
        "  a:\n    type: cloudify.nodes.SoftwareComponent\n"
        "    relationships: [{type: cloudify.relationships.contained_in, target: s}]\n"
        "  b:\n    type: cloudify.nodes.SoftwareComponent\n    relationships:\n"
        "      - {type: cloudify.relationships.contained_in, target: s}\n"
        "      - type: cloudify.relationships.connected_to\n        target: a\n        target_interfaces:\n"
        "          cloudify.interfaces.relationship_lifecycle: {unlink: x.sh}\n"
    )
    made = convert(source, "cloudify", "tosca", beside={"x.sh": "#!/bin/sh\n"}, carry=False)
    data = yaml.safe_load(made.text)
    assert data["interface_types"]["bpconvert.interfaces.Removal"] == {
        "derived_from": "tosca.interfaces.Root",
        "operations": {"remove_source": {}},
    }
    (between,) = data["topology_template"]["relationship_templates"].values()
    assert between["interfaces"] == {"Removal": {"operations": {"remove_source": {"implementation": "x.sh"}}}}
    back = convert(made.text, "tosca", "cloudify", beside={"x.sh": "#!/bin/sh\n"}, carry=False).text
    assert "unlink" in back


def back(body: str, top: str = TOP) -> tuple[dict[str, Any], Result]:
    """What comes back of a HOT template without the record."""
    result = convert(convert(top + body, "hot", "tosca", carry=False).text, "tosca", "hot", carry=False)
    return yaml.safe_load(result.text), result


def test_a_call_that_the_engine_refuses_comes_back_as_it_was() -> None:
    call = {"str_replace": {"template": "a", "params": {"a": {"get_input": "b"}}}}
    found, _ = back(f"outputs: {{x: {{value: {json.dumps(call)}}}}}\n", "heat_template_version: 2013-05-23\n")
    assert found["outputs"]["x"]["value"] == call


@pytest.mark.parametrize("properties", ["{network: , name: a}", "{name: a}"])
def test_what_the_source_does_not_give_either_is_not_asked_for(properties: str) -> None:
    found, result = back(f"resources: {{x: {{type: OS::Neutron::Port, properties: {properties}}}}}\n")
    assert found["resources"]["x"]["properties"] == yaml.safe_load(properties)
    assert "parameters" not in found
    assert "BPC397" not in codes(result)


def test_an_output_belongs_to_no_node() -> None:
    text = (
        "tosca_definitions_version: cloudify_dsl_1_3\nnode_templates: {n: {type: cloudify.nodes.Root}}\n"
        "outputs: {o: {value: {get_attribute: [SELF, ip]}}}\n"
    )
    made = convert(text, "cloudify", "tosca", carry=False)
    assert "get_attribute: [SELF" not in made.text
    assert "BPC202" in [found.code for found in made.diagnostics]
