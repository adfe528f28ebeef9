"""Stand-ins are the nodes again that they show, in a language that has their types in every document."""

from __future__ import annotations

import pytest

from bpconvert.api import convert
from bpconvert.verification import verify
from bpconvert.yamlio.document import load

SERVICE = """
tosca_definitions_version: tosca_simple_yaml_1_3
topology_template:
  node_templates:
    balancer: {type: tosca.nodes.LoadBalancer, properties: {algorithm: round_robin}}
"""
BLUEPRINT = """
tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml]
node_types: {own.Thing: {derived_from: cloudify.nodes.Root}}
node_templates:
  balancer: {type: cloudify.nodes.LoadBalancer}
  thing: {type: own.Thing}
"""


@pytest.mark.parametrize("version", ["1.3", "2.0"])
def test_a_type_of_the_standard_comes_back(version: str) -> None:
    there = convert(SERVICE, "tosca", "cloudify", carry=False)
    back = convert(there.text, "cloudify", "tosca", carry=False, tosca_version=version)
    template = back.document["topology_template" if version == "1.3" else "service_template"]
    node = {"type": "tosca.nodes.LoadBalancer", "properties": {"algorithm": "round_robin"}}
    assert template["node_templates"] == {"balancer": node}
    assert verify(there.text, back.text).is_same


def test_a_type_of_the_document_does_not() -> None:
    """Nothing defines it there: it stays a stand-in, of the same."""
    there = convert(SERVICE.replace("tosca.nodes.LoadBalancer", "own.Thing"), "tosca", "cloudify", carry=False)
    back = convert(there.text, "cloudify", "tosca", carry=False)
    node = back.document["topology_template"]["node_templates"]["balancer"]
    shown = {"tosca_type": "own.Thing", "tosca_properties": {"algorithm": "round_robin"}}
    assert node == {"type": "bpconvert.nodes.TOSCANode", "properties": shown}
    assert [found.code for found in back.diagnostics if found.severity == "warning"] == ["BPC801"]
    assert verify(there.text, back.text).is_same


@pytest.mark.parametrize("way", [("cloudify", "hot"), ("cloudify", "tosca", "hot"), ("cloudify", "tosca", "cloudify")])
def test_a_stand_in_of_a_stand_in_shows_the_same(way: tuple[str, ...]) -> None:
    text, source = SERVICE.replace("tosca.nodes.LoadBalancer", "own.Thing"), "tosca"
    for target in way:
        text, source = convert(text, source, target, carry=False).text, target
    assert "own.Thing" in text
    assert "CloudifyNode" not in text
    assert text.count("TOSCANode") == text.count("ToscaResource") == 0


def test_a_type_of_cloudifys_own_comes_back() -> None:
    back = convert(convert(BLUEPRINT, "cloudify", "tosca", carry=False).text, "tosca", "cloudify", carry=False)
    nodes = back.document["node_templates"]
    assert nodes["balancer"]["type"] == "cloudify.nodes.LoadBalancer"
    assert nodes["thing"]["type"] != "own.Thing"


@pytest.mark.parametrize("properties", ["", ", properties: {a: {get_input: n}}"])
@pytest.mark.parametrize("way", [("cloudify", "tosca", "cloudify"), ("cloudify", "tosca", "hot", "cloudify")])
def test_a_stand_in_of_a_stand_in_has_the_same_wherever_it_goes(way: tuple[str, ...], properties: str) -> None:
    """Also one without properties."""
    text, source = f"""
tosca_definitions_version: tosca_simple_yaml_1_3
topology_template:
  inputs: {{n: {{type: string, default: x}}}}
  node_templates: {{a: {{type: own.Thing{properties}}}}}
""", "tosca"
    first = ""
    for target in way:
        made = convert(text, source, target, carry=False)
        assert all(row.is_reported for row in verify(text, made.text, reported=made.diagnostics).differences)
        text, source, first = made.text, target, first or made.text
    wanted = load(first).data["node_templates"]["a"]["properties"]
    assert load(text).data["node_templates"]["a"]["properties"] == wanted


def test_a_type_that_is_computed_is_shown_as_it_is() -> None:
    text = convert(SERVICE.replace("tosca.nodes.LoadBalancer", "own.Thing"), "tosca", "cloudify", carry=False).text
    text = text.replace("tosca_type: own.Thing", "tosca_type: {get_input: n}") + "inputs: {n: {type: string}}\n"
    for target in ("tosca", "hot"):
        made = convert(text, "cloudify", target, carry=False)
        assert "cloudify_type" not in made.text
        assert all(row.is_reported for row in verify(text, made.text, reported=made.diagnostics).differences)


def test_a_stand_in_with_more_than_it_shows_stays_one_of_its_own_type() -> None:
    there = convert(SERVICE.replace("tosca.nodes.LoadBalancer", "own.Thing"), "tosca", "cloudify", carry=False).text
    extended = "    properties:\n      note: {default: ''}\n      tosca_type:\n"
    there = there.replace("    properties:\n      tosca_type:\n", extended)
    there = there.replace("      tosca_type: own.Thing\n", "      tosca_type: own.Thing\n      note: mine\n")
    for target in ("tosca", "hot"):
        assert "note: mine" in convert(there, "cloudify", target, carry=False).text
