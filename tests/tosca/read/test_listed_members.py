"""A policy of a blueprint names all that belongs to its members; what it does not name is outside."""

from __future__ import annotations

import yaml

from bpconvert import convert

BLUEPRINT = """\
tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml, 'plugin:cloudify-openstack-plugin']
inputs: {net: {}}
node_templates:
  address:
    type: cloudify.nodes.openstack.FloatingIP
    properties: {resource_config: {floating_network_id: 8e4f7d8a-0000-4000-8000-000000000002}}
  port:
    type: cloudify.nodes.openstack.Port
    properties: {resource_config: {network_id: {get_input: net}}}
    relationships:
      - {type: cloudify.relationships.openstack.port_connected_to_floating_ip, target: address}
  server:
    type: cloudify.nodes.openstack.Server
    properties: {image: debian-12, flavor: m1.small}
    relationships:
      - {type: cloudify.relationships.openstack.server_connected_to_port, target: port}
groups: {all: {members: [server, port]}}
policies: {p: {type: cloudify.policies.scaling, targets: [all], properties: {default_instances: 2}}}
outputs:
  address: {value: {get_attribute: [address, floating_ip_address]}}
"""


def test_an_address_outside_of_the_group_stays_there() -> None:
    there = convert(BLUEPRINT, "cloudify", "tosca", carry=False)
    policies = yaml.safe_load(there.text)["topology_template"]["policies"]
    targets = [target for row in policies for policy in row.values() for target in policy["targets"]]
    assert targets == ["port", "address_association", "server"]
    back = yaml.safe_load(convert(there.text, "tosca", "cloudify", carry=False).text)
    assert [group["members"] for group in back["groups"].values()] == [["port", "server"]]
    assert back["outputs"]["address"]["value"] == {"get_attribute": ["address", "floating_ip_address"]}
