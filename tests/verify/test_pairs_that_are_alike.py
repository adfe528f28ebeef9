"""``verify`` of a document and what it became: what means the same is no difference, and each other one has the code of
the finding that reports it, so that no pair hides what somebody edits in it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import pytest

from bpconvert import check, convert
from bpconvert.verification import Verification, verify

HOT = "heat_template_version: 2018-08-31\n"
DSL = "tosca_definitions_version: cloudify_dsl_1_3\nimports: [cloudify/types/types.yaml, {plugins}]\n"
FABRIC = DSL.format(plugins="plugin:cloudify-fabric-plugin")
OPENSTACK = DSL.format(plugins="plugin:cloudify-openstack-plugin")


class Pair(NamedTuple):
    """A document that becomes another one, beside these ``files``. ``codes``: difference -> a code that is said of it;
    there are no other ones."""

    name: str
    way: str
    source: str
    codes: Mapping[str, str] = MappingProxyType({})
    files: Mapping[str, str] = MappingProxyType({})


PAIRS = [
    Pair(
        "what a document has and leaves out is no other node of its type",
        "cloudify tosca",
        DSL.replace(", {plugins}", "")
        + """\
node_types:
  my.Thing:
    derived_from: cloudify.nodes.Root
    properties: {label: {default: ''}}
    interfaces: {cloudify.interfaces.lifecycle: {create: {implementation: make.sh}}}
node_templates:
  first: {type: my.Thing, properties: {label: c}}
  machine: {type: cloudify.nodes.Compute, properties: {agent_config: {install_method: none}}}
  inside:
    type: my.Thing
    properties: {label: a}
    relationships: [{type: cloudify.relationships.contained_in, target: machine}]
  outside: {type: my.Thing, properties: {label: b}}
groups: {all: {members: [outside]}}
policies:
  none: {type: cloudify.policies.scaling, targets: [all], properties: {default_instances: 0}}
""",
        {"outside": "BPC803", "outside.create": "BPC803"},
        {"make.sh": "echo a\n"},
    ),
    Pair(
        "an input of an operation that a type defines is where the type defines it",
        "tosca cloudify",
        """\
tosca_definitions_version: tosca_simple_yaml_1_3
node_types:
  my.Program:
    derived_from: tosca.nodes.SoftwareComponent
    interfaces:
      Standard:
        inputs:
          other: {type: string, value: {get_attribute: [SELF, nowhere, name]}}
        operations:
          create: {implementation: create.sh, inputs: {mode: {type: string, default: a}}}
topology_template:
  node_templates:
    machine: {type: tosca.nodes.Compute}
    program:
      type: my.Program
      requirements: [{host: machine}]
      interfaces: {Standard: {operations: {create: {inputs: {mode: b}}}}}
""",
        {"program.create.environment.other": "BPC201", "machine": ""},
        {"create.sh": "#!/bin/sh\necho $mode\n"},
    ),
    Pair(
        "a node that only has operations does nothing else, and what fabric runs elsewhere is not run",
        "cloudify tosca",
        FABRIC
        + """\
node_templates:
  app:
    type: cloudify.nodes.ApplicationServer
    interfaces:
      cloudify.interfaces.lifecycle:
        create:
          implementation: fabric.fabric_plugin.tasks.run_commands
          inputs: {commands: [echo a], fabric_env: {host_string: {get_secret: host}, user: me}}
""",
        {"app.create": "BPC831"},
    ),
    Pair(
        "the id of what exists is where it is written",
        "cloudify hot",
        OPENSTACK
        + """\
inputs: {name: {type: string}}
node_templates:
  net:
    type: cloudify.nodes.openstack.Network
    properties:
      use_external_resource: true
      resource_config: {id: {get_capability: [{get_input: name}, network]}}
""",
        {"net.id": "BPC230"},
    ),
    Pair(
        "a property of a stand-in that another one is taken from",
        "cloudify hot",
        DSL.format(plugins="plugin:cloudify-azure-plugin")
        + """\
inputs: {prefix: {default: {get_secret: prefix}}}
node_templates:
  machine:
    type: cloudify.azure.nodes.compute.VirtualMachine
    properties:
      name: {concat: [{get_input: prefix}, vm]}
      resource_config: {osProfile: {computerName: {get_property: [SELF, name]}}}
""",
        {"machine.name": "BPC247", "machine.resource_config.osProfile.computerName": "BPC247", "machine": ""},
    ),
    Pair(
        "a template that is a file in one and written out in the other",
        "hot tosca",
        HOT
        + """\
resources:
  inner:
    type: OS::Heat::Stack
    properties: {template: {get_file: inner.yaml}, parameters: {size: 1}}
""",
        {},
        {
            "inner.yaml": HOT + "parameters: {size: {type: number}}\n"
            "resources: {disk: {type: OS::Cinder::Volume, properties: {size: {get_param: size}}}}\n"
        },
    ),
    Pair(
        "what of a rule follows from another part of it",
        "hot tosca",
        HOT
        + """\
parameters: {alone: {type: boolean}}
conditions: {of_group: {not: {yaql: {expression: $.data.get(a), data: {a: {get_param: alone}}}}}}
resources:
  group:
    type: OS::Neutron::SecurityGroup
    properties: {rules: [{protocol: tcp, remote_mode: {if: [of_group, remote_group_id, remote_ip_prefix]}}]}
""",
        {"group.rules.0.remote_group_id": "BPC201"},
    ),
    Pair(
        "settings by the names of Neutron's API",
        "hot cloudify",
        HOT
        + """\
resources:
  net: {type: OS::Neutron::Net, properties: {value_specs: {availability_zone_hints: [a]}}}
  router: {type: OS::Neutron::Router, properties: {value_specs: {availability_zone_hints: [a]}}}
  physical:
    type: OS::Neutron::Net
    properties: {shared: false, value_specs: {'provider:network_type': vlan, 'provider:physical_network': p}}
""",
    ),
    Pair(
        "user data whose only part is a plain text",
        "hot cloudify",
        HOT
        + """\
resources:
  config: {type: OS::Heat::CloudConfig, properties: {cloud_config: {packages: [nginx]}}}
  all: {type: OS::Heat::MultipartMime, properties: {parts: [{config: {get_resource: config}}]}}
  server:
    type: OS::Nova::Server
    properties:
      {image: i, flavor: f, networks: [{network: n}], user_data_format: RAW, user_data: {get_resource: all}}
""",
    ),
    Pair(
        "a script whose file is not there",
        "tosca hot",
        """\
tosca_definitions_version: tosca_simple_yaml_1_3
topology_template:
  node_templates:
    machine: {type: tosca.nodes.Compute}
    program:
      type: tosca.nodes.SoftwareComponent
      requirements: [{host: machine}]
      interfaces: {Standard: {operations: {create: 'https://example.org/create.sh'}}}
""",
        {"machine": ""},
    ),
    Pair(
        "what the engine of the source refuses",
        "hot tosca",
        HOT
        + """\
resources: {server_0: {type: OS::Cinder::Volume, properties: {size: 1}}}
outputs: {size: {value: {get_attr: [server, size]}}}
""",
        {"outputs.size": "BPC178"},
    ),
]


def compared(pair: Pair, folder: Path) -> Verification:
    """The document and what it became."""
    source, target = pair.way.split()
    there = folder / "made" / "made.yaml"
    (folder / "source.yaml").write_text(pair.source)
    for name, text in pair.files.items():
        (folder / name).write_text(text)
    made = convert(folder / "source.yaml", source, target, carry=False)
    for file, text in {"made.yaml": made.text, **made.files}.items():
        (there.parent / file).parent.mkdir(parents=True, exist_ok=True)
        (there.parent / file).write_text(text)
    return verify(folder / "source.yaml", there, reported=made.diagnostics)


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)
def test_a_pair(pair: Pair, tmp_path: Path) -> None:
    found = compared(pair, tmp_path)
    assert [one.what for one in found.differences if not one.is_reported] == []
    codes = {one.what: one.codes for one in found.differences}
    wanted = {what: code for what, code in pair.codes.items() if code}
    assert {what: code in codes.get(what, ()) for what, code in wanted.items()} == dict.fromkeys(wanted, True)
    assert {what for what in codes if what.split(".")[0] not in pair.codes} <= wanted.keys()


def test_a_changed_setting_by_the_name_of_the_api_is_found(tmp_path: Path) -> None:
    source = tmp_path / "a.yaml"
    source.write_text(
        HOT + "resources: {n: {type: OS::Neutron::Net, properties: {value_specs: {availability_zone_hints: [a]}}}}\n"
    )
    made = convert(source, "hot", "cloudify", carry=False).text
    assert "[a]" in made
    found = verify(source, made.replace("[a]", "[b]")).differences
    assert [one.what for one in found] == ["n.availability_zone_hints.0"]


def test_a_type_may_be_of_an_import_that_is_not_read() -> None:
    source = b"""\
tosca_definitions_version: cloudify_dsl_1_5
imports: [a--blueprint:other, plugin:cloudify-utilities-plugin]
node_templates: {part: {type: cloudify.nodes.Component}}
"""
    assert "BPC121" not in {one.code for one in check(source)}
    assert "BPC380" in {one.code for one in convert(source, "cloudify", "hot").diagnostics}
