"""What only Cloudify's manager knows comes back from other languages as it was, without the kept source."""

from __future__ import annotations

import pytest
import yaml

from bpconvert import convert

BLUEPRINT = """\
tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml, 'plugin:cloudify-openstack-plugin']
inputs: {other: {type: string, default: networks}}
node_templates:
  port:
    type: cloudify.nodes.openstack.Port
    properties: {resource_config: {network_id: CALL}}
"""
CALLS = [
    {"get_capability": ["networks", "net"]},
    {"get_capability": [{"get_input": "other"}, "net", "id"]},
]


@pytest.mark.parametrize("via", ["hot", "tosca"])
@pytest.mark.parametrize("call", CALLS, ids=str)
def test_a_value_of_the_manager_comes_back(call: dict[str, object], via: str) -> None:
    there = convert(BLUEPRINT.replace("CALL", str(call)), "cloudify", via, carry=False)
    back = yaml.safe_load(convert(there.text, via, "cloudify", carry=False).text)
    assert back["node_templates"]["port"]["properties"]["resource_config"]["network_id"] == call
    assert list(back["inputs"]) == ["other"]


def test_the_name_of_what_exists_comes_back_where_it_is_used() -> None:
    existing = """\
  net:
    type: cloudify.nodes.openstack.Network
    properties: {use_external_resource: true, resource_config: {name: CALL}}
"""
    port = """\
  port:
    type: cloudify.nodes.openstack.Port
    relationships: [{type: cloudify.relationships.connected_to, target: net}]
"""
    text = BLUEPRINT.partition("  port:")[0] + existing + port
    there = convert(text.replace("CALL", str(CALLS[0])), "cloudify", "hot", carry=False)
    back = yaml.safe_load(convert(there.text, "hot", "cloudify", carry=False).text)
    assert CALLS[0] in [back["node_templates"]["port"]["properties"]["resource_config"].get("network_id")]
