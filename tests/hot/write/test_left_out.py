"""What a template asks for, and what is said of what is left out of it."""

from __future__ import annotations

from typing import Any

import pytest

from bpconvert.api import Result, convert

HEAD = """tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml, plugin:cloudify-openstack-plugin]
"""


def converted(text: str) -> Result:
    return convert(HEAD + text, "cloudify", "hot", carry=False)


def found(result: Result, code: str) -> list[tuple[Any, ...]]:
    return [diagnostic.path for diagnostic in result.diagnostics if diagnostic.code == code]


CREDENTIALS = """
inputs:
  os_user: {type: string}
  os_password: {type: string, constraints: [{min_length: 8}]}
  retries: {type: integer, constraints: [{in_range: [0, 9]}]}
  image: {type: string}
  never: {type: string}
  token: {default: {get_secret: token}}
  stored: {default: {get_secret: stored}}
node_templates:
  net:
    type: cloudify.nodes.openstack.Network
    properties:
      client_config: {username: {get_input: os_user}, password: {get_input: os_password}, n: {get_input: retries}}
      resource_config: {name: {get_input: image}}
  other:
    type: my.Type
    properties: {token: {get_input: token}}
node_types:
  my.Type: {derived_from: cloudify.nodes.Root, properties: {token: {}}}
outputs:
  o: {value: {get_input: stored}}
"""


def test_what_fed_credentials_need_not_be_given() -> None:
    result = converted(CREDENTIALS)
    assert result.document["parameters"] == {
        "os_user": {"type": "string", "default": ""},
        "os_password": {"type": "string", "default": "", "hidden": True},
        "retries": {"type": "number", "default": 0, "constraints": [{"range": {"min": 0, "max": 9}}]},
        "image": {"type": "string"},
        "never": {"type": "string"},
        "token": {"type": "string", "default": "", "hidden": True},
        "stored": {"type": "string", "hidden": True},
    }
    assert found(result, "BPC542") == [("inputs", name) for name in ("os_user", "os_password", "retries")]
    assert [(d.path[1], d.message.split("; ")[1]) for d in result.diagnostics if d.code == "BPC247"] == [
        ("token", "only stand-ins use it, so that it has an empty one"),
        ("stored", "the parameter has to be given"),
    ]


SECRETS = """
inputs: {stage: {type: string}}
node_templates:
  net:
    type: cloudify.nodes.openstack.Network
    properties:
      resource_config: {name: {get_secret: name}, description: {get_secret: {concat: [x_, {get_input: stage}]}}}
outputs:
  known: {value: {concat: [a-, {get_secret: name}]}}
  part: {value: {get_secret: [name, x]}}
"""


def test_what_asks_for_a_secret_is_hidden_and_outputs_share_it() -> None:
    result = converted(SECRETS)
    parameters, outputs = result.document["parameters"], result.document["outputs"]
    assert {name: data.get("hidden") for name, data in parameters.items()} == {
        "stage": None, "name": True, "net_description": True,
    }  # fmt: skip
    assert outputs["known"]["value"] == {"list_join": ["", ["a-", {"get_param": "name"}]]}
    assert outputs["part"]["value"] == '{"get_secret":["name","x"]}'
    assert found(result, "BPC232") == [("outputs", "part", "value")]


EXISTING = """
node_templates:
  net:
    type: cloudify.nodes.openstack.Network
    properties: {use_external_resource: true, resource_config: {name: public}}
  port:
    type: cloudify.nodes.openstack.Port
    properties: {resource_config: {description: {get_attribute: [net, id]}}}
    relationships: [{type: cloudify.relationships.connected_to, target: net}]
outputs:
  id: {value: {get_attribute: [net, id]}}
"""


def test_a_name_is_no_id() -> None:
    result = converted(EXISTING)
    assert result.document["resources"]["port"]["properties"]["network"] == "public"
    places = found(result, "BPC248")
    assert ("outputs", "id", "value") in places
    assert ("node_templates", "port", "relationships", 0) not in places
    assert len(places) == 2


STAND_INS = """
node_types:
  my.Tier: {derived_from: cloudify.nodes.Root}
  my.App:
    derived_from: cloudify.nodes.Root
    interfaces: {cloudify.interfaces.lifecycle: {create: {implementation: plugin.tasks.create}}}
node_templates:
  tier: {type: my.Tier}
  app: {type: my.App}
  nothing: {type: ""}
  unknown: {type: other.Thing}
"""


def test_stand_ins_say_what_they_stand_for() -> None:
    result = converted(STAND_INS)
    named = {d.path[-1]: d.code for d in result.diagnostics if d.code in ("BPC380", "BPC398")}
    assert named == {"tier": "BPC398", "app": "BPC380", "unknown": "BPC380"}


def test_a_call_that_is_wrong_is_told_once() -> None:
    result = converted("outputs: {o: {value: {get_attribute: x}}}\n")
    assert [d.code for d in result.diagnostics if d.path[:1] == ("outputs",)] == ["BPC156"]


@pytest.mark.parametrize(
    ("deployment", "words"),
    [("infra", "deployment infra"), ("{get_attribute: [infra, id]}", "the deployment that 'infra' names")],
)
def test_whose_capability_it_is(deployment: str, words: str) -> None:
    result = converted(
        "node_templates:\n"
        "  infra: {type: cloudify.nodes.Component}\n"
        "  net:\n"
        "    type: cloudify.nodes.openstack.Network\n"
        f"    properties: {{resource_config: {{name: {{get_capability: [{deployment}, segment]}}}}}}\n"
    )
    assert result.document["parameters"]["segment"]["description"] == f"Capability segment of {words}"


def test_nothing_is_taken_of_a_group_without_members() -> None:
    result = converted("""
node_templates:
  none:
    type: cloudify.nodes.openstack.Network
    capabilities: {scalable: {properties: {default_instances: 0}}}
outputs:
  id: {value: {get_attribute: [none, id]}}
  all: {value: {get_attributes_list: [none, name]}}
""")
    outputs = result.document["outputs"]
    assert outputs["id"]["value"] == '{"get_attribute":["none","id"]}'
    assert outputs["all"]["value"] == {"get_attr": ["none", "name"]}
    assert found(result, "BPC232") == [("outputs", "id", "value")]
