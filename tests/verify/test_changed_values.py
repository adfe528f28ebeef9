"""``verify`` is not blind: one value of a converted document is changed, and it finds exactly that."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from bpconvert import convert
from bpconvert.verification import verify

HOT = """\
heat_template_version: 2018-08-31
parameters:
  env: {type: string, default: test}
  zone: {type: string, default: a}
  size: {type: number, default: 3}
conditions:
  is_prod: {equals: [{get_param: env}, prod]}
resources:
  net: {type: OS::Neutron::Net, properties: {name: {list_join: ['-', [{get_param: env}, net]]}}}
  other: {type: OS::Neutron::Net, properties: {name: other}}
  subnet:
    type: OS::Neutron::Subnet
    properties: {network: {get_resource: net}, cidr: 10.0.0.0/24, dns_nameservers: [1.1.1.1, 8.8.8.8]}
  disk: {type: OS::Cinder::Volume, condition: is_prod, properties: {size: {get_param: size}}}
  web:
    type: OS::Nova::Server
    depends_on: subnet
    properties:
      image: debian
      flavor: {if: [is_prod, big, small]}
      metadata: {zone: {get_param: zone}, text: {str_replace: {template: 'a $x b', params: {$x: {get_param: env}}}}}
outputs:
  address: {value: {get_attr: [web, first_address]}}
  up: {value: {get_attr: [net, name]}}
"""
CFY = """\
tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml, plugin:cloudify-openstack-plugin]
inputs:
  env: {default: test}
  zone: {default: a}
node_templates:
  net:
    type: cloudify.nodes.openstack.Network
    properties: {resource_config: {name: {concat: [{get_input: env}, -net]}}}
  other: {type: cloudify.nodes.openstack.Network, properties: {resource_config: {name: other}}}
  disk:
    type: cloudify.nodes.openstack.Volume
    properties: {resource_config: {size: 3}}
    capabilities: {scalable: {properties: {default_instances: 2}}}
  web:
    type: cloudify.nodes.openstack.Server
    properties:
      image: debian
      flavor: small
      resource_config: {metadata: {zone: {get_input: zone}, upper: {string_upper: {get_input: env}}}}
    relationships:
      - {type: cloudify.relationships.connected_to, target: net}
      - {type: cloudify.relationships.depends_on, target: other}
outputs:
  address: {value: {get_attribute: [web, ip]}}
  env: {value: {concat: [a, '-', {get_input: env}]}}
"""

DELETE = object()
Change = tuple[tuple[Any, ...], Any, set[str]]

OF_HOT: list[Change] = [
    (("node_templates", "web", "properties", "image"), "other", {"web.image"}),
    (("node_templates", "other", "properties", "resource_config", "name"), "x", {"other.name"}),
    (("node_templates", "net", "properties", "resource_config", "name", "concat", 1), "_net", {"net.name"}),
    (
        ("node_templates", "net", "properties", "resource_config", "name", "concat", 0, "get_input"),
        "zone",
        {"net.name"},
    ),
    (
        ("node_templates", "subnet", "properties", "resource_config", "dns_nameservers", 1),
        DELETE,
        {"subnet.dns_nameservers"},
    ),
    (("node_templates", "subnet", "relationships", 0, "target"), "other", {"subnet.network", "subnet.waits for.net"}),
    (("node_templates", "web", "relationships"), DELETE, {"web.waits for.subnet"}),
    (("node_templates", "disk"), DELETE, {"disk"}),
    (("node_templates", "disk", "capabilities"), DELETE, {"disk"}),
    (("inputs", "size", "default"), 4, {"disk.size"}),
    (("inputs", "zone", "default"), "b", {"web.metadata.zone"}),
    (("outputs", "address", "value", "get_attribute", 0), "net", {"outputs.address"}),
    (("outputs", "address"), DELETE, {"outputs.address"}),
]
NETWORKS = {"web.networks", "web.waits for.net", "web.waits for.other"}
OF_CFY: list[Change] = [
    (("resources", "web", "properties", "image"), "other", {"web.image"}),
    (("resources", "web", "properties", "networks"), DELETE, NETWORKS),
    (
        ("resources", "web", "properties", "networks", 0, "network", "get_resource"),
        "other",
        {"web.networks.0.network", "web.waits for.net"},
    ),
    (("resources", "web", "properties", "networks", 1), DELETE, {"web.networks", "web.waits for.other"}),
    (("resources", "disk", "properties", "count"), 3, {"disk.2"}),
    (("resources", "disk", "properties", "resource_def", "properties", "size"), 4, {"disk.0.size", "disk.1.size"}),
    (("resources", "net", "properties", "name"), "net", {"net.name"}),
    (("resources", "web", "properties", "metadata", "zone", "get_param"), "env", {"web.metadata.zone"}),
    (("resources", "web", "properties", "metadata", "upper"), {"get_param": "env"}, {"web.metadata.upper"}),
    (("parameters", "env", "default"), "other", {"net.name", "web.metadata.upper", "outputs.env"}),
    (("outputs", "env", "value"), DELETE, {"outputs.env"}),
    (("outputs", "address", "value", "get_attr", 0), "other", {"outputs.address"}),
]  # fmt: skip


def changed(text: str, path: tuple[Any, ...], value: Any) -> str:
    data = holder = yaml.safe_load(text)
    for step in path[:-1]:
        holder = holder[step]
    if value is DELETE:
        del holder[path[-1]]
    else:
        assert holder[path[-1]] != value
        holder[path[-1]] = value
    return str(yaml.safe_dump(data, sort_keys=False))


@pytest.mark.parametrize(("source", "dialects"), [(HOT, ("hot", "cloudify")), (CFY, ("cloudify", "hot"))])
def test_what_is_converted_is_the_same(source: str, dialects: tuple[str, str]) -> None:
    made = convert(source, *dialects, carry=False).text
    assert verify(source, made).is_same
    assert verify(made, source).is_same


@pytest.mark.parametrize(("path", "value", "places"), OF_HOT)
def test_a_change_in_a_blueprint(path: tuple[Any, ...], value: Any, places: set[str]) -> None:
    check(HOT, ("hot", "cloudify"), path, value, places)


@pytest.mark.parametrize(("path", "value", "places"), OF_CFY)
def test_a_change_in_a_template(path: tuple[Any, ...], value: Any, places: set[str]) -> None:
    check(CFY, ("cloudify", "hot"), path, value, places)


def check(source: str, dialects: tuple[str, str], path: tuple[Any, ...], value: Any, places: set[str]) -> None:
    made = convert(source, *dialects, carry=False)
    found = verify(source, changed(made.text, path, value), reported=made.diagnostics)
    assert {one.what for one in found.differences} == places
