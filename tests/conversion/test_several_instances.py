"""Several instances of what exists already, and of what a policy of another language would be."""

from __future__ import annotations

import pytest

from bpconvert.api import convert
from bpconvert.verification import verify

HEAD = """
tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml, 'plugin:cloudify-openstack-plugin']
node_templates:
"""
EXISTING = """
  net:
    type: cloudify.nodes.openstack.Network
    properties: {use_external_resource: true, resource_config: {id: 6a0c0a3e-1a5b-4a5c-9d2e-0b1f5d0a7c11}}
    SEVERAL
  subnet:
    type: cloudify.nodes.openstack.Subnet
    properties: {resource_config: {cidr: 10.0.0.0/24, network_id: {get_attribute: [net, id]}}}
"""
PLACED = """
  group:
    type: cloudify.nodes.openstack.ServerGroup
    properties: {resource_config: {policies: [affinity]}}
    instances: {deploy: 2}
  server:
    type: cloudify.nodes.openstack.Server
    properties: {image: i, flavor: f}
    relationships: [{type: cloudify.relationships.openstack.server_connected_to_server_group, target: group}]
"""


@pytest.mark.parametrize(
    "several",
    ["instances: {deploy: 2}", "capabilities: {scalable: {properties: {default_instances: 2, max_instances: 5}}}"],
)
def test_what_exists_already_is_one_resource(several: str) -> None:
    """A group with the id of a network would be another resource."""
    source = HEAD + EXISTING.replace("SEVERAL", several)
    result = convert(source, "cloudify", "hot", carry=False)
    resources = result.document["resources"]
    assert resources["net"] == {"type": "OS::Neutron::Net", "external_id": "6a0c0a3e-1a5b-4a5c-9d2e-0b1f5d0a7c11"}
    assert resources["subnet"]["properties"]["network"] == {"get_resource": "net"}
    assert "BPC351" in {finding.code for finding in result.diagnostics}
    differences = verify(source, result.text, reported=result.diagnostics).differences
    assert all(difference.is_reported for difference in differences)


def test_several_server_groups_are_no_policy() -> None:
    """A policy is one group."""
    source = HEAD + PLACED
    result = convert(source, "cloudify", "tosca", carry=False)
    assert "group" in result.document["topology_template"]["node_templates"]
    differences = verify(source, result.text, reported=result.diagnostics).differences
    assert all(difference.is_reported for difference in differences)


CHOSEN = """
tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml, 'plugin:cloudify-openstack-plugin']
inputs: {exists: {type: boolean, default: false}}
node_templates:
  net:
    type: cloudify.nodes.openstack.Network
    properties:
      use_external_resource: {get_input: exists}
      resource_config: {id: 6a0c0a3e-1a5b-4a5c-9d2e-0b1f5d0a7c11}
  server:
    type: cloudify.nodes.openstack.Server
    properties: {image: i, flavor: f}
    relationships: [{type: cloudify.relationships.connected_to, target: net}]
  volume:
    type: cloudify.nodes.openstack.Volume
    properties: {resource_config: {size: 1}}
    relationships: [{type: cloudify.relationships.openstack.volume_attached_to_server, target: server}]
groups: {both: {members: [server, volume]}}
policies: {several: {type: cloudify.policies.scaling, targets: [both], properties: {default_instances: 2}}}
"""


def test_a_group_is_given_what_is_there() -> None:
    """Heat refuses a reference to a resource whose condition leaves it out."""
    resources = convert(CHOSEN, "cloudify", "hot", carry=False).document["resources"]
    handed = resources["both"]["properties"]["resource_def"]["properties"]
    assert handed["net"] == {"if": [{"not": {"get_param": "exists"}}, {"get_resource": "net"}, ""]}
    assert handed["net_existing"] == {"if": [{"get_param": "exists"}, {"get_resource": "net_existing"}, ""]}


@pytest.mark.parametrize("language", ["hot", "tosca"])
def test_attributes_of_what_exists_are_those_of_one_resource(language: str) -> None:
    """All instances are the same resource, so an attribute has one value."""
    source = HEAD + EXISTING.replace("SEVERAL", "instances: {deploy: 2}")
    source += "outputs: {name: {value: {get_attribute: [net, name]}}}\n"
    result = convert(source, "cloudify", language, carry=False)
    compared = verify(source, result.text, reported=result.diagnostics)
    assert "outputs.name" not in {difference.what for difference in compared.differences}


SCALED = """
  a: {type: my.T}
  b:
    type: cloudify.nodes.openstack.KeyPair
    properties: {resource_config: {name: {get_attribute: [a, x]}}}
node_types: {my.T: {derived_from: cloudify.nodes.Root}}
inputs: {n: {default: 2}}
groups: {g: {members: [a]}}
policies: {p: {type: cloudify.policies.scaling, targets: [g], properties: {default_instances: NUMBER}}}
"""


@pytest.mark.parametrize(("number", "places"), [("{get_input: n}", ["b"]), ("1", [])])
def test_values_of_one_of_several_are_reported(number: str, places: list[str]) -> None:
    """TOSCA has one node where no policy has the number."""
    result = convert(HEAD + SCALED.replace("NUMBER", number), "cloudify", "tosca", carry=False)
    assert [row.path[1] for row in result.diagnostics if row.code == "BPC243"] == places
