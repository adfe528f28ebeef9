"""A service template is laid out as one that a person has written."""

from __future__ import annotations

from bpconvert.api import convert

TEMPLATE = """\
heat_template_version: 2018-08-31
# the image
parameters: {image: {type: string}}
resources:
  net: {type: OS::Neutron::Net, description: The network.}
  web:
    type: OS::Nova::Server
    deletion_policy: Retain
    properties: {image: {get_param: image}, flavor: m1.small, networks: [{network: {get_resource: net}}], tags: [a]}
outputs: {ip: {value: {get_attr: [web, networks, x, 0]}}}
"""
RESULT = """\
tosca_definitions_version: tosca_simple_yaml_1_3

data_types:
  openstack.nova.Server.networks:
    derived_from: tosca.datatypes.Root
    properties:
      network: {type: string, required: false}

  openstack.nova.Server.networks.entry:
    derived_from: tosca.datatypes.Root
    properties:
      0: {type: string, required: false}

node_types:

  openstack.neutron.Net:
    derived_from: tosca.nodes.network.Network
    metadata: {heat_name: 'OS::Neutron::Net'}

  openstack.nova.Server:
    derived_from: tosca.nodes.Compute
    metadata: {heat_name: 'OS::Nova::Server'}
    properties:
      image: {type: string, required: false}
      flavor: {type: string, required: false}
      networks: {type: list, entry_schema: {type: openstack.nova.Server.networks}, required: false}
      tags: {type: list, entry_schema: {type: string}, required: false}
    attributes:
      networks: {type: map, entry_schema: {type: openstack.nova.Server.networks.entry}}

topology_template:
  # the image
  inputs:
    image:
      type: string

  node_templates:

    net:
      type: openstack.neutron.Net
      description: The network.

    web:
      type: openstack.nova.Server
      properties:
        image: {get_input: image}
        flavor: m1.small
        networks:
          - network: {get_attribute: [net, tosca_id]}
        tags: [a]
      requirements:
        - dependency: net
      metadata:
        bpconvert: '{"keys":{"deletion_policy":"Retain"}}'

  outputs:
    ip:
      value: {get_attribute: [web, networks, x, 0]}
"""


def test_the_layout() -> None:
    assert convert(TEMPLATE, "hot", "tosca", carry=False).text == RESULT
