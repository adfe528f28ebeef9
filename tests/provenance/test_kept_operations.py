"""Operations that metadata keep come back with a finding each: no engine reads metadata, so nobody may expect them."""

from __future__ import annotations

import pytest

from bpconvert import convert
from bpconvert.translators.hot import resource_metadata

ROW = '[{"interface": "I", "name": "create", "implementation": "scripts/more.sh", "native": "cloudify"}]'
KEPT = f'\'{{"nodes": {{"vm": {{"type": "TYPE", "operations": {ROW}}}}}}}\''
HOT = f"""\
heat_template_version: 2018-08-31
resources:
  vm: {{type: OS::Nova::Server, properties: {{image: i, flavor: f, networks: [{{network: n}}]}}}}
  bpconvert_kept:
    type: OS::Heat::None
    metadata:
      bpconvert_kept: {KEPT.replace("TYPE", "OS::Nova::Server")}
"""
GROUP = f"""\
heat_template_version: 2018-08-31
resources:
  vm: {{type: OS::Heat::ResourceGroup, properties: {{count: 2, resource_def: {{type: OS::Nova::KeyPair}}}}}}
  any_name:
    type: OS::Heat::None
    metadata:
      bpconvert_kept: {KEPT.replace("TYPE", "OS::Heat::ResourceGroup")}
"""
BLUEPRINT = f"""\
tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml]
node_templates:
  vm: {{type: cloudify.nodes.Root}}
metadata:
  bpconvert_kept: {KEPT.replace("TYPE", "cloudify.nodes.Root")}
"""
SERVICE = f"""\
tosca_definitions_version: tosca_simple_yaml_1_3
topology_template:
  node_templates:
    vm:
      type: tosca.nodes.Compute
      metadata: {{bpconvert: '{{"operations": {ROW}}}'}}
"""


@pytest.mark.parametrize(
    ("text", "source", "target"),
    [
        (HOT, "hot", "cloudify"),
        (HOT, "hot", "tosca"),
        (GROUP, "hot", "cloudify"),
        (BLUEPRINT, "cloudify", "tosca"),
        (SERVICE, "tosca", "cloudify"),
        (SERVICE, "tosca", "hot"),
    ],
)
def test_each_is_reported_at_its_node(text: str, source: str, target: str) -> None:
    found = [one for one in convert(text, source, target).diagnostics if one.code == "BPC670" and "vm" in one.path]
    assert [str(one.severity) for one in found] == ["warning"]
    assert "operation 'create' of 'vm' (scripts/more.sh) comes from the metadata" in found[0].message


@pytest.mark.parametrize(
    ("more", "is_kept"),
    [({}, True), ({"properties": {}}, True), ({"properties": {"a": 1}}, False), ({"depends_on": ["vm"]}, False)],
)
def test_the_resource_that_keeps_is_one_as_engines_fill_it_too(more: dict[str, object], is_kept: bool) -> None:
    assert resource_metadata.is_kept({**resource_metadata.resource("{}"), **more}) is is_kept
