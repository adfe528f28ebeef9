"""A name that a blueprint asks for as a reference to a node, and elsewhere as a text, is both where engines compute."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from bpconvert import convert
from bpconvert.engines.client import Engine
from bpconvert.verification import verify

pytestmark = pytest.mark.engines

GROUPS = """\
tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml, plugin:cloudify-openstack-plugin]
node_templates:
  web: {type: cloudify.nodes.openstack.SecurityGroup, properties: {resource_config: {name: web}}}
  free: {type: cloudify.nodes.openstack.SecurityGroup}
  server:
    type: cloudify.nodes.openstack.Server
    properties:
      image: debian
      flavor: small
      resource_config:
        security_groups: [{name: {get_attribute: [web, name]}}, {name: {get_attribute: [free, name]}}]
    relationships: [{type: cloudify.relationships.openstack.server_connected_to_security_group, target: web}]
groups: {servers: {members: [server]}}
policies: {scaled: {type: cloudify.policies.scaling, targets: [servers], properties: {default_instances: 2}}}
outputs:
  free: {value: {get_attribute: [free, name]}}
  web: {value: {get_attribute: [web, name]}}
"""
KEY = """\
tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml, "http://www.getcloudify.org/spec/openstack-plugin/2.14.8/plugin.yaml"]
node_templates:
  key: {type: cloudify.openstack.nodes.KeyPair, properties: {keypair: {name: k, public_key: ssh-rsa A}}}
  server:
    type: cloudify.openstack.nodes.Server
    properties: {server: {image: debian, flavor: small, key_name: {get_attribute: [key, external_name]}}}
    relationships: [{type: cloudify.openstack.server_connected_to_keypair, target: key}]
outputs: {key: {value: [{get_attribute: [key, external_name]}]}}
"""


@pytest.mark.parametrize("source", [GROUPS, KEY])
@pytest.mark.parametrize("target", ["hot", "tosca"])
def test_a_name_is_a_reference_and_a_text(
    source: str, target: str, tmp_path: Path, engines: Mapping[str, Engine]
) -> None:
    blueprint, place = tmp_path / "blueprint.yaml", tmp_path / "result" / "result.yaml"
    blueprint.write_text(source, "utf-8")
    place.parent.mkdir()
    result = convert(blueprint, "cloudify", target, carry=False)
    result.write(place)
    compared = verify(blueprint, place, reported=result.diagnostics, engines=engines, draws=2)
    assert [(row.what, row.first, row.second) for row in compared.differences if not row.codes] == []
    assert compared.compared > 10
