"""Nodes that compute what TOSCA cannot: how they are written and read, and that the script computes the value."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from bpconvert.api import Result, convert
from bpconvert.models import expressions as ex
from bpconvert.models.notation import from_data
from bpconvert.translators.tosca import computed

TEMPLATE = """\
heat_template_version: 2018-08-31
parameters:
  env: {type: string}
  zones: {type: json}
  n: {type: number}
  flag: {type: boolean}
conditions:
  is_prod: {equals: [{get_param: env}, prod]}
resources:
  volume: {type: OS::Cinder::Volume, properties: {size: {if: [is_prod, 20, 10]}}}
  web:
    type: OS::Nova::Server
    properties:
      name: {digest: [md5, {get_param: env}]}
      image: cirros
      flavor: small
      availability_zone: {get_param: [zones, {get_param: env}, 0]}
      metadata: {map_merge: [{get_param: zones}, {mark: {get_param: OS::stack_id}, n: {get_param: n}}]}
      security_groups: {list_concat: [[a], {get_param: [zones, groups]}]}
      user_data: {str_replace: {template: n-f, params: {n: {get_param: n}, f: {get_param: flag}}}}
outputs:
  first: {value: {get_attr: [web, networks, {get_param: env}, 0]}}
  literal: {value: {get_input: x}}
"""


def made(template: str = TEMPLATE, **choices: Any) -> Result:
    return convert(template, "hot", "tosca", carry=False, **choices)


def nodes(result: Result) -> dict[str, Any]:
    body = yaml.safe_load(result.text)["topology_template"]
    found: dict[str, Any] = body["node_templates"]
    return found


def operation(node: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = node["interfaces"]["Standard"]["operations"]["create"]
    return found


def test_everything_is_computed() -> None:
    result = made()
    assert all(one.severity.name == "INFO" for one in result.diagnostics)
    found = nodes(result)
    web = found["web"]["properties"]
    assert web["name"] == {"get_attribute": ["web_name", "result"]}
    assert operation(found["web_name"]) == {
        "implementation": {"primary": computed.PLAYBOOK, "dependencies": [computed.SCRIPT]},
        "inputs": {
            "call": '{"$Digest": {"algorithm": "md5", "text": {"$Input": {"name": "env"}}}}',
            "values": {"env": {"get_input": "env"}},
            "needed": True,
        },
        "outputs": {"result": ["SELF", "result"]},
    }
    assert {"dependency": "web_name"} in found["web"]["requirements"]
    assert result.files == computed.programs()


def test_types_say_what_the_values_are() -> None:
    result = made()
    found, types = nodes(result), yaml.safe_load(result.text)["node_types"]
    computing = {name: types[node["type"]] for name, node in found.items() if "interfaces" in node}
    kinds = {name: type["attributes"]["result"]["type"] for name, type in computing.items()}
    assert kinds["volume_size"] == "integer"
    assert kinds["web_metadata"] == "map"
    assert kinds["web_security_groups"] == "list"
    assert kinds["web_name"] == "string"


def test_an_output_is_not_needed() -> None:
    found = nodes(made())
    assert operation(found["first"])["inputs"]["needed"] is False
    assert found["first"]["requirements"] == [{"dependency": "web"}]


@pytest.mark.parametrize("is_kept", [True, False])
def test_the_calls_come_back(is_kept: bool) -> None:
    text = made().text
    if not is_kept:
        body = yaml.safe_load(text)
        for node in body["topology_template"]["node_templates"].values():
            node.pop("metadata", None)
        text = yaml.safe_dump(body)
    back = yaml.safe_load(convert(text, "tosca", "hot", carry=False, hot_version="2018-08-31").text)
    source = yaml.safe_load(TEMPLATE)
    assert list(back["resources"]) == list(source["resources"]) or not is_kept
    web, own = back["resources"]["web"]["properties"], source["resources"]["web"]["properties"]
    for name in ("name", "availability_zone", "metadata", "security_groups"):
        assert web[name] == own[name]
    assert back["outputs"]["first"]["value"] == source["outputs"]["first"]["value"]


def test_inputs_ask_for_values_where_that_is_wanted() -> None:
    result = made(asked="inputs")
    assert not result.files
    assert "BPC201" in {one.code for one in result.diagnostics}


def test_an_id_marks_a_deployment() -> None:
    result = made()
    found = nodes(result)
    assert found["deployment_id"]["type"] == computed.TYPE
    call = operation(found["deployment_id"])["inputs"]["call"]
    assert json.loads(call) == computed.UNIQUE
    assert {one.code for one in result.diagnostics} >= {"BPC263"}


def test_no_template_is_in_a_call() -> None:
    data = {"$Join": {"delimiter": "{{ a }}", "lists": [["{% b %}", "{# c #}", {"d": {"e": {}}}]]}}
    text = computed.call(data)
    assert json.loads(text) == data
    assert not any(mark in text for mark in ("{{", "{%", "{#"))


def run(call: Any, values: dict[str, Any], folder: Path, needed: bool = True) -> subprocess.CompletedProcess[str]:
    script = folder / "value.py"
    script.write_text(computed.programs()[computed.SCRIPT], "utf-8")
    given = json.dumps({"call": json.dumps(call), "needed": needed, "values": values})
    return subprocess.run([sys.executable, str(script)], input=given, capture_output=True, text=True)


def test_the_script_computes(tmp_path: Path) -> None:
    part = {"$Attribute": {"node": "web", "name": "networks", "keys": [{"$Input": {"name": "net"}}, 0]}}
    values = {"web": {"a": ["10.0.0.1"]}, "net": "a"}
    assert json.loads(run(part, values, tmp_path).stdout) == {"result": "10.0.0.1"}
    assert json.loads(run(part, {**values, "net": "b"}, tmp_path).stdout) == {"result": None}
    ids = {run(computed.UNIQUE, {}, tmp_path).stdout for _ in range(2)}
    assert len(ids) == 2
    assert from_data(computed.UNIQUE, ()) == ex.System("deployment.id")


def test_what_is_refused_stops_the_deployment_where_it_is_needed(tmp_path: Path) -> None:
    call = {"$Join": {"delimiter": ",", "lists": [{"$Input": {"name": "a"}}]}}
    assert run(call, {"a": 1}, tmp_path).returncode
    assert json.loads(run(call, {"a": 1}, tmp_path, needed=False).stdout) == {"result": None}


def test_a_condition_whose_name_is_given_is_not_computed() -> None:
    template = """heat_template_version: 2018-08-31
parameters: {p: {type: string, default: known}, q: {type: string, default: a}}
conditions: {known: {equals: [{get_param: q}, a]}}
outputs: {out: {value: {if: [{get_param: p}, {get_param: q}, b]}}}
"""
    result = convert(template, "hot", "tosca", carry=False)
    assert result.files == {}
    assert [one.severity.name for one in result.diagnostics if one.path[:2] == ("outputs", "out")] == ["WARNING"]


def test_the_playbook_of_earlier_versions_is_known() -> None:
    """It published the value by itself, and a text that looked like a list became one."""
    text = computed.programs()[computed.PLAYBOOK]
    last = 'data: "{{ computed.stdout | from_json }}"'
    assert last in text
    earlier = text.replace(last, 'data:\n          result: "{{ (computed.stdout | from_json).result }}"')
    assert computed.is_program(computed.PLAYBOOK, earlier)
    assert not computed.is_program(computed.PLAYBOOK, earlier.replace("result:", "other:"))
    assert not computed.is_program(computed.SCRIPT, earlier)
