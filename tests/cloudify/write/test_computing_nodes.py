"""The nodes that compute values, as they stand in a blueprint."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bpconvert.api import Result, convert
from bpconvert.translators.cloudify import computed

HEAD = """\
heat_template_version: 2021-04-16
parameters:
  env: {type: string}
  flag: {type: boolean, default: true}
  names: {type: json, default: {}}
conditions: {c: {get_param: flag}}
resources:
"""
DIGEST = "{digest: [md5, {get_param: env}]}"
HELD = "outputs: {o: {value: {get_attr: [h, value]}}}\n"


def converted(resources: str) -> Result:
    return convert(f"{HEAD}{resources}", "hot", "cloudify", carry=False)


def operation(result: Result, name: str) -> dict[str, Any]:
    found: dict[str, Any] = result.document["node_templates"][name]["interfaces"]["cloudify.interfaces.lifecycle"]
    return dict(found["create"])


def replaced(literal: str) -> Any:
    """The call of a node that puts other keys into a map which is written in the template."""
    call = f"{{map_replace: [{literal}, {{keys: {{k: {{get_param: env}}}}}}]}}"
    result = converted(f"  h: {{type: OS::Heat::Value, properties: {{value: {call}}}}}\n{HELD}")
    return operation(result, "h_2")["inputs"]["call"]


def test_a_node_runs_the_script_with_the_call_and_its_values() -> None:
    result = converted(f"  v: {{type: OS::Nova::KeyPair, properties: {{name: {DIGEST}}}}}\n")
    call = {"$Digest": {"algorithm": "md5", "text": {"$Input": {"name": "env"}}}}
    assert operation(result, "v_name") == {
        "implementation": "scripts/bpconvert_value.py",
        "inputs": {"call": call, "env": {"get_input": "env"}},
        "executor": "central_deployment_agent",
        "max_retries": 0,
    }
    assert result.document["node_templates"]["v_name"]["type"] == "bpconvert.nodes.Value"
    assert result.files == {"scripts/bpconvert_value.py": computed.program()}


@pytest.mark.parametrize(
    ("literal", "data"),
    [
        ("{a: é, b: x}", {"a": "é", "b": "x"}),
        ("{a: [x, é]}", {"a": ["x", "é"]}),
        ("{a: {é: 1}}", {"a": {"é": 1}}),
        ("{a: x, b: {concat: [y, z]}}", {"a": "x", "b": {"concat": ["y", "z"]}}),
    ],
)
def test_a_call_with_data_that_a_blueprint_cannot_have_is_json(literal: str, data: Any) -> None:
    """Texts beyond ASCII, and maps that would be calls of the DSL."""
    call = replaced(literal)
    assert isinstance(call, str)
    assert call.isascii()
    assert json.loads(call)["$MapReplace"]["map"] == data


@pytest.mark.parametrize("literal", ["{a: x, b: [1, true, null]}", "{a: {concat: [y], b: z}}"])
def test_a_call_with_other_data_is_data(literal: str) -> None:
    assert isinstance(replaced(literal), dict)


@pytest.mark.parametrize(("begin", "end"), [("{a: ", "}"), ("[", "]")])
def test_a_call_that_is_deep_is_json(begin: str, end: str) -> None:
    """The engine evaluates so many levels, of which the place of the call takes some."""
    for levels, is_text in ((34, False), (35, True)):
        literal = "{b: 1, a: " + begin * (levels - 1) + "x" + end * (levels - 1) + "}"
        call = replaced(literal)
        assert isinstance(call, str) is is_text


def test_a_node_that_computes_is_there_where_its_user_is() -> None:
    result = converted(f"  v: {{type: OS::Nova::KeyPair, condition: c, properties: {{name: {DIGEST}}}}}\n")
    templates = result.document["node_templates"]
    assert "scalable" in templates["v"]["capabilities"]
    assert templates["v_name"]["capabilities"] == templates["v"]["capabilities"]


def test_a_node_comes_before_the_first_one_that_uses_it() -> None:
    """Those of outputs come last."""
    other = "{digest: [sha1, {get_param: env}]}"
    result = converted(
        f"  w: {{type: OS::Neutron::Net}}\n"
        f"  v: {{type: OS::Nova::KeyPair, properties: {{name: {DIGEST}}}}}\n"
        f"  x: {{type: OS::Nova::KeyPair, properties: {{name: {DIGEST}}}}}\n"
        f"outputs: {{o: {{value: {other}}}}}\n"
    )
    templates = result.document["node_templates"]
    assert list(templates) == ["w", "v_name", "v", "x", "o"]
    waits = [{"type": "cloudify.relationships.depends_on", "target": "v_name"}]
    assert [templates[name].get("relationships") for name in ("v", "x", "o")] == [waits, waits, None]


VOLUME = "{type: OS::Cinder::Volume, properties: {name: '%index%', size: 1}}"


def test_the_node_with_the_numbers_is_there_once() -> None:
    """Also where the group that needs it may not be there."""
    properties = f"{{count: 1000, resource_def: {VOLUME}}}"
    many = f"  many: {{type: OS::Heat::ResourceGroup, condition: c, properties: {properties}}}\n"
    result = converted(f"{many}  v: {{type: OS::Nova::KeyPair, properties: {{name: {DIGEST}}}}}\n")
    templates = result.document["node_templates"]
    assert list(templates) == ["member_numbers", "many", "v_name", "v"]
    assert "capabilities" not in templates["member_numbers"]
    (trace,) = result.traces
    assert trace.made["resources", "many"] == [("node_templates", "member_numbers"), ("node_templates", "many")]
