"""Values with a name, and configurations of cloud-init."""

from __future__ import annotations

import io
from typing import Any

import pytest
import yaml
from ruamel.yaml import YAML

from bpconvert.api import convert
from bpconvert.options import Options
from bpconvert.translators.cloudify.openstack.cloud_config import report_texts, takes_text

HOT = """
heat_template_version: 2018-08-31
parameters: {settings: {type: json, default: {a: {b: 1}}}, size: {type: number, default: 3}}
resources:
  literal: {type: OS::Heat::Value, properties: {value: {a: [1, {b: {get_param: size}}], t: text}}}
  given: {type: OS::Heat::Value, properties: {value: {get_param: settings}}}
  chain: {type: OS::Heat::Value, properties: {value: {get_attr: [literal, value, a]}}}
  runs: {type: OS::Heat::Value, properties: {value: {ip: {get_attr: [server, first_address]}}}}
  server: {type: OS::Nova::Server, properties: {flavor: f, image: i, networks: [{network: n}], user_data_format: RAW}}
outputs:
  o: {value: VALUE}
"""


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("{get_attr: [literal, value]}", {"get_property": ["literal", "value"]}),
        ("{get_attr: [literal, value, a, 1, b]}", {"get_property": ["literal", "value", "a", 1, "b"]}),
        ("{get_attr: [given, value]}", {"get_property": ["given", "value"]}),
        ("{get_attr: [given, value, a, b]}", {"get_attribute": ["given", "value", "a", "b"]}),
        ("{get_attr: [chain, value]}", {"get_property": ["chain", "value"]}),
        ("{get_attr: [chain, value, 0]}", {"get_attribute": ["chain", "value", 0]}),
        ("{get_attr: [literal, value, t, 1]}", "e"),
        ("{get_attr: [runs, value]}", {"get_attribute": ["runs", "value"]}),
        ("{get_attr: [runs, value, ip]}", {"get_attribute": ["runs", "value", "ip"]}),
        ("{str_split: [e, {get_attr: [literal, value, t]}, 0]}",
         {"string_split": [{"get_property": ["literal", "value", "t"]}, "e", 0]}),
    ],
)  # fmt: skip
def test_parts_of_values(value: str, said: Any) -> None:
    assert convert(HOT.replace("VALUE", value), "hot", "cloudify").document["outputs"]["o"]["value"] == said


@pytest.mark.parametrize("path", ["nope", "a, 5", "a, '0'", "t, x, y"])
def test_a_part_that_is_not_there_is_null(path: str) -> None:
    result = convert(HOT.replace("VALUE", f"[{{get_attr: [literal, value, {path}]}}]"), "hot", "cloudify")
    assert result.document["outputs"]["o"]["value"] == [None]
    assert "BPC716" in {d.code for d in result.diagnostics}


def test_the_type_of_a_value_tells_what_it_is() -> None:
    value = "{value: {get_attr: [literal, value, a]}}"
    typed = HOT.replace(value, "{type: json, value: {get_attr: [given, value, a]}}")
    result = convert(typed.replace("VALUE", "{map_merge: [{a: 1}, {get_attr: [chain, value]}]}"), "hot", "cloudify")
    said = {"merge": [{"a": 1}, {"get_attribute": ["chain", "value"]}]}
    assert result.document["outputs"]["o"]["value"] == said


def test_the_id_of_a_value_is_made_of_names() -> None:
    result = convert(HOT.replace("VALUE", "{get_resource: literal}"), "hot", "cloudify")
    assert [d.code for d in result.diagnostics if d.path[0] == "outputs"] == ["BPC309"]
    identity = {"concat": [{"get_sys": ["deployment", "name"]}, "-literal"]}
    assert result.document["outputs"]["o"]["value"] == identity


def test_values_come_back_without_the_carry() -> None:
    plain = Options(carry=False)
    there = convert(HOT.replace("VALUE", "{get_attr: [literal, value, t]}"), "hot", "cloudify", options=plain)
    back = convert(there.text, "cloudify", "hot", options=plain)
    assert back.document["resources"]["literal"] == {
        "type": "OS::Heat::Value",
        "properties": {"value": {"a": [1, {"b": {"get_param": "size"}}], "t": "text"}},
    }
    assert back.document["resources"]["chain"]["properties"] == {"value": {"get_attr": ["literal", "value", "a"]}}
    assert back.document["outputs"]["o"]["value"] == {"get_attr": ["literal", "value", "t"]}


TEXTS = [
    "yes", "No", "on", "OFF", "12:30", "190:20:30", "1:30.5", "010", "0x1f", "1e3", "true", "~", "0644",
    "2001-01-01", "y", "a:b", "-1:30", "text", "0:30", "1_000", ".5",
]  # fmt: skip


@pytest.mark.parametrize("text", TEXTS)
def test_texts_that_cloud_init_reads_otherwise(text: str) -> None:
    """ruamel.yaml writes by YAML 1.2, PyYAML reads by YAML 1.1."""
    stream = io.StringIO()
    YAML(typ="rt").dump({"k": text}, stream)
    told: list[Any] = []
    report_texts(lambda code, path, **texts: told.append((code, path)), {"k": [text]}, ())
    assert bool(told) is (yaml.safe_load(stream.getvalue())["k"] != text)


def test_where_heat_takes_the_id_for_the_text() -> None:
    assert takes_text(("resources", "s", "properties", "user_data"))
    assert takes_text(("resources", "m", "properties", "parts", 0, "config"))
    assert not takes_text(("outputs", "o", "value"))


@pytest.mark.parametrize(("kind", "asked"), [("json", "dict"), ("comma_delimited_list", "list"), ("string", None)])
def test_an_input_that_is_asked_for_a_value_has_its_type(kind: str, asked: str | None) -> None:
    """A call that Cloudify cannot say, in a value whose type is said: merging it needs the type."""
    text = f"""
heat_template_version: 2018-08-31
parameters: {{p: {{type: json, default: {{}}}}}}
resources:
  v:
    type: OS::Heat::Value
    properties: {{type: {kind}, value: {{yaql: {{expression: $, data: {{get_param: p}}}}}}}}
outputs: {{o: {{value: {{get_attr: [v, value]}}}}}}
"""
    blueprint = yaml.safe_load(convert(text, "hot", "cloudify").text)
    assert blueprint["node_templates"]["v"]["properties"]["value"] == {"get_input": "v"}
    assert blueprint["inputs"]["v"].get("type") == asked
