"""What engines record of stacks and deployments that run."""

from __future__ import annotations

from typing import Any

import yaml

NETWORK = """\
heat_template_version: 2018-08-31
parameters:
  image: {type: string}
  token: {type: string, hidden: true}
resources:
  net: {type: OS::Neutron::Net}
  subnet: {type: OS::Neutron::Subnet, properties: {network: {get_resource: net}, cidr: 10.0.0.0/24}}
  router: {type: OS::Neutron::Router, properties: {external_gateway_info: {network: public}}}
  iface:
    type: OS::Neutron::RouterInterface
    properties: {router: {get_resource: router}, subnet: {get_resource: subnet}}
  port:
    type: OS::Neutron::Port
    properties: {network: {get_resource: net}, allowed_address_pairs: [{ip_address: 10.0.0.9}]}
  fip: {type: OS::Neutron::FloatingIP, properties: {floating_network: public, port_id: {get_resource: port}}}
  key: {type: OS::Nova::KeyPair, properties: {name: k1}}
  pw: {type: OS::Heat::RandomString}
  vol: {type: OS::Cinder::Volume, properties: {size: 1}}
  server:
    type: OS::Nova::Server
    properties:
      image: {get_param: image}
      flavor: m1.small
      key_name: {get_resource: key}
      networks: [{port: {get_resource: port}}]
      metadata: {pw: {get_attr: [pw, value]}}
  att:
    type: OS::Cinder::VolumeAttachment
    properties: {volume_id: {get_resource: vol}, instance_uuid: {get_resource: server}}
outputs:
  pw: {value: {get_attr: [pw, value]}}
"""
IDS = {"iface": "router-id:subnet_id=subnet-id", "key": "k1", "pw": "app-pw-x", "att": "vol-id"}


def exported(template: str = NETWORK, **rows: Any) -> dict[str, Any]:
    """What Heat exports of a stack of a template; ``rows``: what is otherwise in the row of a resource."""
    data = yaml.load(template, yaml.BaseLoader)
    resources = {
        name: {
            "name": name,
            "type": declared["type"],
            "resource_id": IDS.get(name, f"{name}-id"),
            "action": "CREATE",
            "status": "COMPLETE",
            "metadata": {},
            "resource_data": {"value": "drawn-once"} if name == "pw" else {},
        }
        for name, declared in data["resources"].items()
    }
    for name, row in rows.items():
        resources[name] = row if row is None else {**resources.get(name, {}), **row}
    parameters = {name: f"given-{name}" for name in data.get("parameters", ())}
    return {
        "name": "app",
        "id": "0",
        "action": "CREATE",
        "status": "COMPLETE",
        "environment": {"parameters": parameters},
        "files": {},
        "template": data,
        "resources": resources,
    }


BLUEPRINT = """\
tosca_definitions_version: cloudify_dsl_1_4
imports: [cloudify/types/types.yaml, plugin:cloudify-openstack-plugin]
inputs:
  image: {type: string}
  token: {type: string, hidden: true}
node_templates:
  net: {type: cloudify.nodes.openstack.Network}
  subnet:
    type: cloudify.nodes.openstack.Subnet
    properties: {resource_config: {cidr: 10.0.0.0/24, ip_version: 4}}
    relationships:
      - {type: cloudify.relationships.contained_in, target: net}
      - {type: cloudify.relationships.openstack.subnet_connected_to_router, target: router}
  router: {type: cloudify.nodes.openstack.Router}
  volume:
    type: cloudify.nodes.openstack.Volume
    properties: {resource_config: {size: 1}}
    relationships: [{type: cloudify.relationships.openstack.volume_attached_to_server, target: server}]
  server:
    type: cloudify.nodes.openstack.Server
    properties: {image: {get_input: image}, flavor: m1.small}
    relationships: [{type: cloudify.relationships.connected_to, target: net}]
"""


def instances(**other: Any) -> list[dict[str, Any]]:
    """What Cloudify lists of it; ``other``: what is otherwise of a node."""
    names = ("net", "subnet", "router", "volume", "server")
    row = {"state": "started"}
    return [
        {"node_id": name, **row, "runtime_properties": {"id": f"{name}-id"}, **other.get(name, {})} for name in names
    ]
