"""``verify`` with service templates: what is lost is reported at its place, and nodes of equal names are pairs."""

from __future__ import annotations

from pathlib import Path

import pytest

from bpconvert import convert
from bpconvert.verification import Difference, verify

CLOUDIFY = "tosca_definitions_version: cloudify_dsl_1_3\nimports: [cloudify/types/types.yaml]\n"
RECORD = """\
heat_template_version: 2015-04-30
parameters: {kind: {type: string, default: MX}}
resources:
  any: {type: OS::Designate::Record, properties: {name: a, type: {get_param: kind}, data: mx, priority: 10}}
"""
GROUP = """\
heat_template_version: 2015-04-30
resources:
  group: {type: OS::Heat::AutoScalingGroup, properties: {min_size: 1, max_size: 1, resource: {type: member.yaml}}}
"""
MEMBER = "heat_template_version: 2015-04-30\nresources: {net: {type: OS::Neutron::Net}}\n"
SCALED = f"""\
{CLOUDIFY}\
node_types: {{example.Machine: {{derived_from: example.Foreign, properties: {{size: {{default: 0}}}}}}}}
node_templates:
  one:
    type: example.Machine
    properties: {{size: 1}}
    capabilities: {{scalable: {{properties: {{default_instances: 2}}}}}}
  two:
    type: example.Machine
    properties: {{size: 2}}
    capabilities: {{scalable: {{properties: {{default_instances: 2}}}}}}
"""
PREFIX = f"""\
{CLOUDIFY}\
node_templates:
  vm: {{type: cloudify.nodes.openstack.Server, properties: {{resource_config: {{name: vm}}}}}}
  web:
    type: cloudify.nodes.WebServer
    interfaces:
      cloudify.interfaces.lifecycle:
        create: {{implementation: web.ps1, inputs: {{process: {{command_prefix: pwsh}}}}}}
    relationships: [{{type: cloudify.relationships.contained_in, target: vm}}]
"""
IDLE = f"""\
{CLOUDIFY}\
node_templates:
  module: {{type: cloudify.nodes.ApplicationModule}}
"""
OPERATIONS = f"""\
{CLOUDIFY}\
node_types: {{example.Service: {{derived_from: cloudify.nodes.SoftwareComponent}}}}
node_templates:
  a:
    type: example.Service
    interfaces:
      custom: {{x: {{implementation: a.sh}}}}
      cloudify.interfaces.lifecycle: {{stop: {{implementation: b.sh}}}}
  b:
    type: example.Service
    interfaces: {{cloudify.interfaces.lifecycle: {{create: {{implementation: a.sh}}, stop: {{implementation: a.sh}}}}}}
"""


def differences(
    folder: Path, text: str, dialect: str, old: str = "", new: str = "", **options: str
) -> dict[str, Difference]:
    """The differences of a document and of what it becomes, where ``old`` may be changed to ``new``, by their names."""
    source = folder / "source.yaml"
    source.write_text(text)
    made = convert(source, dialect, "tosca", carry=False, **options)
    assert old in made.text
    result = folder / "result" / "tosca.yaml"
    result.parent.mkdir()
    for name, content in {**made.files, "tosca.yaml": made.text.replace(old, new, 1)}.items():
        (result.parent / name).write_text(content)
    return {one.what: one for one in verify(source, result, draws=2, reported=made.diagnostics).differences}


def test_a_text_that_depends_on_the_type_is_reported_where_the_text_is(tmp_path: Path) -> None:
    found = differences(tmp_path, RECORD, "hot", asked="inputs")
    assert "BPC201" in found["any.records.0"].codes


def test_the_document_of_a_group_is_compared(tmp_path: Path) -> None:
    (tmp_path / "member.yaml").write_text(MEMBER)
    assert differences(tmp_path, GROUP, "hot") == {}
    assert "tosca_definitions_version" in (tmp_path / "result" / "member.yaml").read_text()


def test_a_nested_document_is_compared_entry_by_entry(tmp_path: Path) -> None:
    (tmp_path / "member.yaml").write_text(MEMBER.replace("Net}", "Net, properties: {name: front}}"))
    nested = "heat_template_version: 2015-04-30\nresources: {inner: {type: member.yaml}}\n"
    assert differences(tmp_path, nested, "hot") == {}
    place = tmp_path / "result" / "member.yaml"
    text = place.read_text()
    assert "name: front" in text
    place.write_text(text.replace("name: front", "name: back"))
    (found,) = verify(tmp_path / "source.yaml", tmp_path / "result" / "tosca.yaml").differences
    assert (found.what, found.first, found.second) == ("inner/net.name", "front", "back")


def test_instances_are_compared_with_their_own_node(tmp_path: Path) -> None:
    found = differences(tmp_path, SCALED, "cloudify")
    assert all(one.codes for one in found.values())
    assert not [name for name in found if "size" in name]


def test_what_runs_a_script_is_reported_where_an_input_says_it(tmp_path: Path) -> None:
    (tmp_path / "web.ps1").write_text("Get-Date\n")
    found = differences(tmp_path, PREFIX, "cloudify")["web.create.run by"]
    assert (found.first, found.codes) == ("pwsh", ("BPC833",))


def test_an_idle_node_stays_one(tmp_path: Path) -> None:
    assert differences(tmp_path, IDLE, "cloudify") == {}


def test_an_idle_node_that_becomes_another_one_is_different(tmp_path: Path) -> None:
    types = "type: bpconvert.nodes.ApplicationModule", "type: tosca.nodes.Compute"
    assert differences(tmp_path, IDLE, "cloudify", *types)["module"].codes == ()


def test_operations_are_compared_with_those_of_their_own_node(tmp_path: Path) -> None:
    for name in ("a.sh", "b.sh"):
        (tmp_path / name).write_text("#!/bin/sh\n")
    assert all(one.codes for one in differences(tmp_path, OPERATIONS, "cloudify").values())


def test_a_sequence_of_characters_is_a_class_in_both(tmp_path: Path) -> None:
    properties = "properties: {length: 16, sequence: lettersdigits}"
    source = f"heat_template_version: 2018-08-31\nresources: {{r: {{type: OS::Heat::RandomString, {properties}}}}}\n"
    (tmp_path / "a.yaml").write_text(source)
    (tmp_path / "b.yaml").write_text(convert(tmp_path / "a.yaml", "hot", "tosca", carry=False).text)
    assert verify(tmp_path / "a.yaml", tmp_path / "b.yaml").differences == []


ON_TWO = """\
tosca_definitions_version: tosca_simple_yaml_1_3
node_types:
  own.App:
    derived_from: tosca.nodes.SoftwareComponent
    properties: {name: {type: string, default: shop}}
    interfaces:
      Standard: {type: tosca.interfaces.node.lifecycle.Standard, operations: {create: run.sh}}
    requirements:
      - other:
          capability: tosca.capabilities.Compute
          node: tosca.nodes.Compute
          relationship: tosca.relationships.HostedOn
topology_template:
  node_templates:
    a: {type: tosca.nodes.Compute}
    b: {type: tosca.nodes.Compute}
    app: {type: own.App, requirements: [{host: a}, {other: b}]}
    next: {type: tosca.nodes.SoftwareComponent, requirements: [{host: a}, {dependency: app}]}
"""


@pytest.mark.parametrize("target", ["hot", "cloudify"])
def test_software_on_two_machines_runs_on_both(tmp_path: Path, target: str) -> None:
    """A property that is called ``name`` is no name of a deployment."""
    (tmp_path / "run.sh").write_text("#!/bin/sh\necho\n")
    source, result = tmp_path / "service.yaml", tmp_path / "there" / f"{target}.yaml"
    source.write_text(ON_TWO)
    made = convert(source, "tosca", target)
    made.write(result)
    assert verify(source, result, reported=made.diagnostics).differences == []
    result.write_text(result.read_text().replace("target: b\n", "target: a\n").replace("resource: b}", "resource: a}"))
    found = verify(source, result, reported=made.diagnostics).differences
    assert {"app_b.create", "app_b.create.server"} & {one.what for one in found}


def test_how_the_plugin_runs_a_script_anyway_is_no_difference(tmp_path: Path) -> None:
    (tmp_path / "web.ps1").write_text("Get-Date\n")
    assert "web.create.run by" not in differences(tmp_path, PREFIX.replace("pwsh", "powershell"), "cloudify")
