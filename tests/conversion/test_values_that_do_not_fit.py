"""Conversions tell values that cannot fit, and never write one that the target refuses."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bpconvert import Result, convert

HEAD = "heat_template_version: 2018-08-31\n"
BLUEPRINT = """\
tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml, 'plugin:cloudify-openstack-plugin']
"""


def codes(result: Result) -> set[str]:
    return {found.code for found in result.diagnostics}


def node(result: Result, name: str) -> Any:
    return result.document["node_templates"][name]["properties"]["resource_config"]


@pytest.mark.parametrize("size", ["'10'", "10", "1e1", "10.0"])
def test_a_number_is_written_as_the_node_type_wants_it(size: str) -> None:
    result = convert(HEAD + f"resources: {{disk: {{type: OS::Cinder::Volume, properties: {{size: {size}}}}}}}\n")
    if size == "1e1":  # a text to YAML 1.1, which Heat takes for no whole number
        assert codes(result) == {"BPC171"}
    else:
        assert node(result, "disk")["size"] == 10
        assert not codes(result) & {"BPC201", "BPC780", "BPC171"}


def test_a_value_that_does_not_fit_is_asked_for() -> None:
    result = convert(HEAD + "resources: {disk: {type: OS::Cinder::Volume, properties: {size: many}}}\n")
    assert node(result, "disk")["size"] == {"get_input": "disk_size"}
    assert "disk_size" in result.document["inputs"]
    assert codes(result) == {"BPC171"}


def test_a_default_that_heat_refuses() -> None:
    text = "parameters: {p: {type: string, default: sideways}}\nresources:\n  rule:\n"
    text += "    type: OS::Neutron::SecurityGroupRule\n    properties: {security_group: a, direction: {get_param: p}}\n"
    found = [item for item in convert(HEAD + text).diagnostics if item.code == "BPC781"]
    assert [(item.span.line, item.path[-1]) for item in found] == [(6, "direction")]


def test_a_mapping_of_a_user_that_the_node_type_refuses(tmp_path: Path) -> None:
    mapping = tmp_path / "types.yaml"
    mapping.write_text(
        "kind: acme_net\nheat: [Acme::Net]\ncloudify: {type: cloudify.nodes.openstack.Network}\n"
        "properties: {speed: {to: resource_config.speed}}\n"
    )
    result = convert(HEAD + "resources: {a: {type: Acme::Net, properties: {speed: 1}}}\n", types=(str(mapping),))
    told = [item.message for item in result.diagnostics if item.code == "BPC782"]
    assert told == ["Cloudify refuses node 'a': there is no property 'speed'"]


def test_settings_that_are_sent_and_settings_that_are_not() -> None:
    text = "resources: {a: {type: OS::Neutron::Net, properties: {value_specs: {mtu: 1400, mtuu: 1}}}}\n"
    found = {item.path[-1]: item.code for item in convert(HEAD + text).diagnostics if item.code.startswith("BPC78")}
    assert found == {"mtu": "BPC784", "mtuu": "BPC785"}


def test_a_value_that_heat_refuses_becomes_a_parameter_with_heats_restrictions() -> None:
    text = "node_templates:\n  rule:\n    type: cloudify.nodes.openstack.SecurityGroupRule\n    properties:\n"
    text += "      resource_config: {security_group_id: a, direction: sideways, port_range_max: 99999}\n"
    result = convert(BLUEPRINT + text, "cloudify", "hot")
    properties = result.document["resources"]["rule"]["properties"]
    assert properties["direction"] == {"get_param": "rule_direction"}
    assert result.document["parameters"]["rule_direction"]["constraints"] == [{"allowed_values": ["ingress", "egress"]}]
    assert result.document["parameters"]["rule_port_range_max"]["type"] == "number"
    assert "BPC786" in codes(result)


def test_restrictions_of_the_items_of_a_list_are_none_of_the_parameter() -> None:
    """Heat refuses a parameter of type json with ``allowed_values``."""
    text = "node_templates:\n  group:\n    type: cloudify.nodes.openstack.ServerGroup\n    properties:\n"
    result = convert(f"{BLUEPRINT}{text}      resource_config: {{policies: [near]}}\n", "cloudify", "hot")
    assert result.document["resources"]["group"]["properties"]["policies"] == {"get_param": "group_policies"}
    assert result.document["parameters"]["group_policies"] == {"type": "json", "description": "policies of group"}
    assert "must be one of" in next(one.message for one in result.diagnostics if one.code == "BPC786")


def test_what_an_expression_yields_is_not_judged() -> None:
    text = "parameters: {p: {type: string}}\nresources:\n"
    text += "  disk: {type: OS::Cinder::Volume, properties: {size: {get_param: p}}}\n"
    assert not {code for code in codes(convert(HEAD + text)) if code.startswith("BPC78")}


@pytest.mark.parametrize("definition", ["", "properties: {size: {type: integer}, colour: {type: string}}"])
def test_a_property_that_a_type_of_heat_does_not_have_is_an_error(definition: str) -> None:
    name = "openstack.cinder.Volume"
    types = f"node_types: {{{name}: {{derived_from: tosca.nodes.Root, {definition}}}}}\n" if definition else ""
    text = f"tosca_definitions_version: tosca_simple_yaml_1_3\n{types}topology_template:\n  node_templates:\n"
    result = convert(f"{text}    v: {{type: {name}, properties: {{size: 3, colour: red}}}}\n", target="hot")
    assert result.document["resources"]["v"]["properties"] == {"size": 3, "colour": "red"}
    found = [(item.span.line, item.message) for item in result.diagnostics if item.code == "BPC170"]
    assert found == [(5 if types else 4, "OS::Cinder::Volume has no property 'colour'")]
