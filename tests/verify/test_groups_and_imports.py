"""``verify``: members of groups are those of their own group, a policy is about all of its group, and what is reported
of an imported file counts where a value stands there."""

from __future__ import annotations

from pathlib import Path

from bpconvert import convert
from bpconvert.verification import verify

GROUPS = """\
heat_template_version: 2018-08-31
resources:
  first:
    type: OS::Heat::ResourceGroup
    properties:
      count: {first}
      resource_def: {{type: OS::Cinder::Volume, properties: {{size: 1, availability_zone: a}}}}
  second:
    type: OS::Heat::ResourceGroup
    properties:
      count: {second}
      resource_def: {{type: OS::Cinder::Volume, properties: {{size: 1, availability_zone: b}}}}
"""
SCALED = """\
heat_template_version: 2018-08-31
parameters:
  least: {type: string, default: 2}
resources:
  group:
    type: OS::Heat::AutoScalingGroup
    properties:
      min_size: {get_param: least}
      max_size: 5
      resource: {type: OS::Cinder::Volume, properties: {size: 1}}
  policy:
    type: OS::Heat::ScalingPolicy
    properties:
      adjustment_type: change_in_capacity
      auto_scaling_group_id: {get_resource: group}
      scaling_adjustment: 1
"""
TYPES = """\
tosca_definitions_version: tosca_simple_yaml_1_3
node_types:
  site:
    derived_from: tosca.nodes.SoftwareComponent
    interfaces:
      Standard:
        inputs:
          folder: {type: string, value: {get_attribute: [base, folder]}}
        operations:
          create: {implementation: create.sh}
"""
SITE = """\
tosca_definitions_version: tosca_simple_yaml_1_3
imports: [types.yaml]
topology_template:
  node_templates:
    machine: {type: tosca.nodes.Compute}
    base:
      type: tosca.nodes.SoftwareComponent
      requirements: [{host: machine}]
    site:
      type: site
      requirements: [{host: machine}, {dependency: base}]
"""

#: blueprints: software in a group that is not scaled elsewhere, and a node of an imported file
COMPONENTS = """\
tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml, 'plugin:cloudify-openstack-plugin', more.yaml]
inputs: {many: {type: integer, default: 2}}
node_templates:
  machine:
    type: cloudify.nodes.openstack.Server
    properties: {image: debian-12, flavor: m1.small}
    capabilities: {scalable: {properties: {default_instances: {get_input: many}}}}
  other: {type: cloudify.nodes.openstack.Server, properties: {image: debian-12, flavor: m1.small}}
  hub:
    type: cloudify.nodes.SoftwareComponent
    relationships: [{type: cloudify.relationships.contained_in, target: other}]
outputs:
  color: {value: {get_attribute: [web, color]}}
"""
MORE = """\
node_types:
  web:
    derived_from: cloudify.nodes.SoftwareComponent
    properties: {color: {required: false}}
node_templates:
  web:
    type: web
    properties: {color: {get_input: many}}
    relationships:
      - {type: cloudify.relationships.contained_in, target: machine}
      - type: cloudify.relationships.connected_to
        target: hub
        target_interfaces: {cloudify.interfaces.relationship_lifecycle: {establish: run.sh}}
    interfaces:
      cloudify.interfaces.lifecycle:
        configure: {implementation: run.sh, inputs: {where: {get_attribute: [machine, ip]}}}
  alien: {type: some.other.Kind}
"""
PROVIDED = """\
heat_template_version: 2018-08-31
parameters:
  specs: {type: json, default: {'provider:network_type': flat}}
resources:
  net: {type: OS::Neutron::Net, properties: {value_specs: {get_param: specs}}}
"""


def test_members_are_those_of_their_own_group() -> None:
    first, second = (GROUPS.format(first=one, second=other).encode() for one, other in ((1, 3), (3, 1)))
    found = verify(first, second)
    assert {one.what for one in found.differences} == {"first.1", "first.2", "second.1", "second.2"}


def test_a_policy_is_about_all_of_its_group() -> None:
    """However many members it has, which a text says where the other document has a whole number."""
    made = convert(SCALED.encode(), "hot", "cloudify", carry=False)
    assert [one.what for one in verify(SCALED.encode(), made.text.encode()).differences] == []


def test_what_is_reported_of_an_imported_file(tmp_path: Path) -> None:
    (tmp_path / "types.yaml").write_text(TYPES)
    (tmp_path / "create.sh").write_text("#!/bin/sh\n")
    source = tmp_path / "site.yaml"
    source.write_text(SITE)
    made = convert(source, "tosca", "hot", carry=False)
    asked = [one for one in made.diagnostics if one.code == "BPC230"]
    assert [Path(one.span.file).name for one in asked] == ["types.yaml"]
    (tmp_path / "made").mkdir()
    for name, text in {**made.files, "hot.yaml": made.text}.items():
        (tmp_path / "made" / name).write_text(text)
    found = verify(source, tmp_path / "made" / "hot.yaml", reported=made.diagnostics)
    assert {one.what: "BPC230" in one.codes for one in found.differences} == {"site.create.environment.folder": True}


def test_what_is_reported_of_a_node_in_an_imported_file(tmp_path: Path) -> None:
    """That it became another one, that its group has no members, and what the members have, are all of that file."""
    (tmp_path / "more.yaml").write_text(MORE)
    (tmp_path / "run.sh").write_text("#!/bin/sh\n")
    source = tmp_path / "blueprint.yaml"
    source.write_text(COMPONENTS)
    made = convert(source, "cloudify", "hot", carry=False)
    made.write(tmp_path / "made" / "hot.yaml")
    found = verify(source, tmp_path / "made" / "hot.yaml", reported=made.diagnostics)
    assert {one.what for one in found.differences} >= {"alien", "machine.1"}, [one.what for one in found.differences]
    assert [one.what for one in found.differences if not one.is_reported] == []


def test_what_is_taken_of_a_member_of_a_group_that_is_not_scaled(tmp_path: Path) -> None:
    """Which of the members it would be of, is what is reported of the group."""
    (tmp_path / "more.yaml").write_text(MORE)
    (tmp_path / "run.sh").write_text("#!/bin/sh\n")
    source = tmp_path / "blueprint.yaml"
    scaled = "    capabilities: {scalable: {properties: {default_instances: {get_input: many}}}}\n"
    sizes = "targets: [all], properties: {default_instances: {get_input: many}}"
    group = f"groups: {{all: {{members: [machine]}}}}\npolicies:\n  p: {{type: cloudify.policies.scaling, {sizes}}}\n"
    source.write_text(COMPONENTS.replace(scaled, "") + "  where: {value: {get_attribute: [machine, ip]}}\n" + group)
    made = convert(source, "cloudify", "hot", carry=False)
    made.write(tmp_path / "made" / "hot.yaml")
    found = verify(source, tmp_path / "made" / "hot.yaml", reported=made.diagnostics)
    assert ["BPC151" in one.codes for one in found.differences if one.what == "outputs.where"] == [True]


def test_what_decides_as_what_a_network_is_there() -> None:
    """Settings of a parameter go to the plugin as they are, and decide there."""
    made = convert(PROVIDED.encode(), "hot", "cloudify", carry=False)
    network = made.document["node_templates"]["net"]["properties"]["resource_config"]
    assert network == {"kwargs": {"get_input": "specs"}}
    assert verify(PROVIDED.encode(), made.text.encode(), reported=made.diagnostics).is_same
