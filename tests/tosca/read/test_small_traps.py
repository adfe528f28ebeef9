"""Findings of service templates: each at its place, and once."""

from __future__ import annotations

import pytest

from bpconvert import convert
from bpconvert.diagnostics import Diagnostic

HEAD = "tosca_definitions_version: tosca_simple_yaml_1_3\ntopology_template:\n"
FILTER = f"""{HEAD}
  node_templates:
    vm: {{type: tosca.nodes.Compute}}
    db:
      type: tosca.nodes.SoftwareComponent
      requirements:
        - host: {{node_filter: {{capabilities: [{{host: {{properties: [{{num_cpus: 1}}]}}}}]}}}}
"""
VERSIONS = f"""{HEAD}
  inputs:
    a: {{type: version, default: {{}}}}
  node_templates:
    vm: {{type: tosca.nodes.Compute, capabilities: {{os: {{properties: {{version: {{}}}}}}}}}}
    app: {{type: tosca.nodes.SoftwareComponent, properties: {{component_version: {{}}}}, requirements: [{{host: vm}}]}}
"""
FILES = f"""{HEAD}
  node_templates:
    vm: {{type: tosca.nodes.Compute}}
    app:
      type: tosca.nodes.SoftwareComponent
      requirements: [{{host: vm}}]
      interfaces:
        Standard: {{create: {{implementation: {{primary: a.sh, dependencies: [b.tar, c.sh], timeout: 3}}}}}}
"""
SERVER = """tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml, plugin:cloudify-openstack-plugin]
inputs: {size: {type: integer, default: 1, constraints: [{in_range: [1, 3]}]}}
node_templates:
  vm: {type: cloudify.nodes.openstack.Server, properties: {resource_config: {name: vm}}}
"""


def found(text: str, source: str, target: str, *codes: str) -> list[Diagnostic]:
    return [one for one in convert(text, source, target, carry=False).diagnostics if one.code in codes]


@pytest.mark.parametrize("target", ["hot", "cloudify"])
def test_a_requirement_that_only_filters_is_reported_once(target: str) -> None:
    place = ("node_templates", "db", "requirements", 0, "host")
    assert [one.path for one in found(FILTER, "tosca", target, "BPC810")] == [place]


def test_a_version_that_loses_a_zero_is_reported() -> None:
    for version, names in (("1.10", {"default", "version", "component_version"}), ("1.1", set()), ('"1.10"', set())):
        written = VERSIONS.replace("default: {}", f"default: {version}").replace("ersion: {}", f"ersion: {version}")
        assert {one.path[-1] for one in found(written, "tosca", "hot", "BPC878")} == names


@pytest.mark.parametrize("target", ["hot", "cloudify"])
def test_files_that_a_program_needs_are_a_warning(target: str) -> None:
    (one,) = found(FILES, "tosca", target, "BPC870")
    assert one.severity == "warning"
    assert "b.tar, c.sh" in one.message
    assert one.path[-2:] == ("implementation", "dependencies")


def test_a_server_without_a_flavor_is_reported() -> None:
    (one,) = found(SERVER, "cloudify", "tosca", "BPC879")
    assert one.path == ("node_templates", "vm")
    assert "flavor" in one.message


def test_a_constraint_that_we_ask_with_is_not_reported() -> None:
    text = f"{HEAD}  node_templates: {{vm: {{type: tosca.nodes.Compute}}}}\n"
    assert found(text, "tosca", "cloudify", "BPC502") == []


KEPT = """tosca_definitions_version: tosca_simple_yaml_1_3
metadata: {{bpconvert_kept: '{0}'}}
topology_template:
  inputs: {{i: {{type: string, default: a}}}}
  node_templates:
    net: {{type: openstack.neutron.Net, properties: {{name: {{get_input: i}}}}, metadata: {{bpconvert: '{1}'}}}}
  outputs: {{o: {{value: {{get_input: i}}}}}}
"""


@pytest.mark.parametrize("target", ["hot", "cloudify"])
@pytest.mark.parametrize("value", ["3", "[1]", "null", '"x"', '{"a": 1}', '[[["a"]]]', '[["x", 1, 2, 3]]'])
@pytest.mark.parametrize(
    "key",
    ["type", "default", "text", "label", "hidden", "extra", "idle", "constraints", "descriptions", "condition"],
)
def test_damaged_values_of_entries_do_no_harm(key: str, value: str, target: str) -> None:
    kept = f'{{"inputs": {{"i": {{"{key}": {value}}}}}, "outputs": {{"o": {{"{key}": {value}}}}}}}'
    assert convert(KEPT.format(kept, "{}"), "tosca", target, carry=False).text


@pytest.mark.parametrize("target", ["hot", "cloudify"])
@pytest.mark.parametrize(
    "value", ["3", "[1]", "null", '"x"', '{"name": 3}', '[[["a"]]]', '{"name": ["x", {"$Input": 3}]}']
)
@pytest.mark.parametrize(
    "key", ["properties", "condition", "external_id", "external_name", "instances", "lacks", "keys"]
)
def test_damaged_values_of_nodes_do_no_harm(key: str, value: str, target: str) -> None:
    assert convert(KEPT.format("{}", f'{{"{key}": {value}}}'), "tosca", target, carry=False).text


@pytest.mark.parametrize("kept", ["zq17", "[]", "null", '{"properties": 3}', '{"keys": [1]}'])
def test_what_cannot_be_read_is_reported_at_its_place(kept: str) -> None:
    (one,) = found(KEPT.format("{}", kept), "tosca", "hot", "BPC880")
    assert one.path == ("node_templates", "net", "metadata", "bpconvert")
