"""What a language has no form for is kept in metadata, and comes back where nothing has been changed."""

from __future__ import annotations

import json
from typing import Any

import pytest
from checkout import ROOT

from bpconvert import Result, convert

KEPT = "bpconvert_kept"
BLUEPRINT = (ROOT / "corpus/cfy/what-a-blueprint-kept/blueprint.yaml").read_text()
TEMPLATE = """
heat_template_version: 2018-08-31
parameters:
  word: {type: string, hidden: true}
resources:
  net:
    type: OS::Neutron::Net
    properties: {name: {digest: [sha256, {get_param: word}]}, tags: [{get_param: word}]}
"""


def back(text: str, **options: Any) -> Result:
    return convert(text, "cloudify", "hot", carry=False, **options)


def codes(result: Result) -> list[str]:
    return [one.code for one in result.diagnostics]


def test_what_is_kept_names_inputs_and_has_no_values_of_hidden_ones() -> None:
    made = convert(TEMPLATE, "hot", "cloudify", carry=False)
    kept = json.loads(made.document["metadata"][KEPT])
    assert kept["nodes"]["net"]["properties"]["tags"] == [{"$Input": {"name": "word", "keys": [], "strict": False}}]
    given = convert(TEMPLATE, "hot", "cloudify", carry=False, params={"word": "pst"})
    assert "metadata" not in given.document


def test_an_input_that_asks_for_a_value_is_gone_again() -> None:
    result = back(BLUEPRINT)
    assert set(result.document["parameters"]) == {"settings", "domain"}
    assert "BPC670" in codes(result)


def test_an_input_that_was_edited_stays() -> None:
    result = back(BLUEPRINT.replace("  net_name:\n", "  net_name:\n    default: front\n"))
    assert result.document["parameters"]["net_name"]["default"] == "front"
    assert result.document["resources"]["net"]["properties"]["name"] == {"get_param": "net_name"}


def test_a_value_that_names_what_is_gone_does_not_come_back() -> None:
    text = BLUEPRINT.replace("  settings:\n    type: dict\n    default:\n      size: small\n\n", "")
    assert text != BLUEPRINT
    assert set(back(text).document["parameters"]) == {"domain", "net_name", "net_name_if"}


def test_properties_of_a_node_with_another_type_do_not_come_back() -> None:
    text = BLUEPRINT.replace("type: cloudify.nodes.openstack.Group\n    prop", "type: cloudify.nodes.Root\n    prop")
    assert text != BLUEPRINT
    assert "roles" not in back(text).document["resources"]["staff"]["properties"]


def test_a_property_that_was_filled_in_counts() -> None:
    made = convert(ROOT / "corpus/hot/required-properties-that-are-null/hot.yaml", "hot", "cloudify", carry=False)
    port = back(made.text).document["resources"]["port"]["properties"]
    assert port["network"] is None
    result = back(made.text.replace("        name: front", "        name: front\n        network_id: private"))
    assert result.document["resources"]["port"]["properties"]["network"] == "private"


@pytest.mark.parametrize("text", ["no JSON", "[]", '{"inputs": {"net_name": 1}}', '{"nodes": {"net": {}}}'])
def test_what_is_damaged_is_reported(text: str) -> None:
    start = BLUEPRINT.index(f"  {KEPT}:")
    result = back(f"{BLUEPRINT[:start]}  {KEPT}: {json.dumps(text)}\n")
    assert "BPC880" in codes(result)
    assert "net_name" in result.document["parameters"]


@pytest.mark.parametrize("value", [{"$Input": {"name": ["domain"]}}, {"$Identity": {"node": {}}}, {"$Nothing": {}}])
def test_names_that_are_no_texts_do_not_come_back(value: Any) -> None:
    kept = {"nodes": {"role": {"type": "cloudify.nodes.openstack.Role", "properties": {"domain": value}}}}
    text = BLUEPRINT[: BLUEPRINT.index(f"  {KEPT}:")] + f"  {KEPT}: {json.dumps(json.dumps(kept))}\n"
    assert "domain" not in back(text).document["resources"]["role"]["properties"]


def test_a_value_that_would_wait_for_itself_does_not_come_back() -> None:
    properties = {"domain": {"$Identity": {"node": "staff"}}}
    kept = {"nodes": {"role": {"type": "cloudify.nodes.openstack.Role", "properties": properties}}}
    text = BLUEPRINT[: BLUEPRINT.index(f"  {KEPT}:")] + f"  {KEPT}: {json.dumps(json.dumps(kept))}\n"
    assert "domain" in back(text).document["resources"]["role"]["properties"]
    group = "type: cloudify.nodes.openstack.Group\n"
    waits = "    relationships: [{type: cloudify.relationships.depends_on, target: role}]\n"
    text = text.replace(group, group + waits, 1)
    assert "domain" not in back(text).document["resources"]["role"]["properties"]


def test_a_template_keeps_how_a_missing_resource_is_created() -> None:
    source = ROOT / "corpus/cfy/existing-resources-created-where-missing/blueprint.yaml"
    made = convert(source, "cloudify", "hot", carry=False)
    assert set(made.document["resources"]["net"]) == {"type", "external_id", "metadata"}
    again = convert(made.text, "hot", "cloudify", carry=False)
    subnet = again.document["node_templates"]["subnet"]
    assert subnet["properties"]["create_if_missing"] is True
    assert subnet["properties"]["resource_config"]["cidr"] == "10.0.0.0/24"
    assert subnet["relationships"] == [{"type": "cloudify.relationships.contained_in", "target": "net"}]
    assert codes(again).count("BPC670") == 4
