"""What a language has no form for comes back without the kept source: from its metadata, or in the form that it got."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest
from checkout import ROOT

from bpconvert import convert, roundtrip, verify
from bpconvert.api import dialect_of
from bpconvert.yamlio.document import load

HOT = "heat_template_version: 2018-08-31\n"
SERVER = "type: OS::Nova::Server, properties: {image: cirros, flavor: m1.small"
TOSCA = "tosca_definitions_version: tosca_simple_yaml_1_3\n"
PORT = "port: {type: OS::Neutron::Port, properties: {network: n}}"


class Case(NamedTuple):
    """A document, the language that it goes through, and a text that its result has."""

    text: str
    via: str
    found: str


CASES = {
    "a network that nova allocates": Case(
        f"{HOT}resources:\n  web: {{{SERVER}, user_data_format: RAW, networks: [{{allocate_network: auto}}]}}}}\n",
        "cloudify",
        "allocate_network: auto",
    ),
    "user data with the tools of heat": Case(
        f"{HOT}resources:\n  web: {{{SERVER}, networks: [{{network: n}}], user_data: '#!/bin/sh'}}}}\n",
        "cloudify",
        "user_data_format: HEAT_CFNTOOLS",
    ),
    "a format of user data": Case(
        f"{HOT}resources:\n  web: {{{SERVER}, networks: [{{network: n}}], user_data: '#!/bin/sh', "
        "user_data_format: SOFTWARE_CONFIG}}\noutputs: {id: {value: {get_resource: web}}}\n",
        "cloudify",
        "user_data_format: SOFTWARE_CONFIG",
    ),
    "an output of what the plugin does not know": Case(
        f"{HOT}resources:\n  {PORT}\noutputs: {{state: {{value: {{get_attr: [port, status]}}}}}}\n",
        "cloudify",
        "get_attr: [port, status]",
    ),
    "a fact that cloudify asks for": Case(
        f"{HOT}resources:\n  net: {{type: OS::Neutron::Net, properties: {{name: {{get_param: 'OS::project_id'}}}}}}\n",
        "cloudify",
        "OS::project_id",
    ),
    "a list in a text": Case(
        f"{HOT}parameters: {{names: {{type: comma_delimited_list, default: [a, b]}}}}\nresources:\n"
        "  net: {type: OS::Neutron::Net, properties: {name: {list_join: [':', {get_param: names}]}}}\n",
        "cloudify",
        "list_join: [':', {get_param: names}]",
    ),
    "an association of a server": Case(
        f"{HOT}resources:\n  web: {{{SERVER}, user_data_format: RAW, networks: [{{network: n}}]}}}}\n"
        "  ip: {type: OS::Nova::FloatingIP, properties: {pool: public}}\n"
        "  it: {type: OS::Nova::FloatingIPAssociation, properties: {floating_ip: {get_resource: ip}, "
        "server_id: {get_resource: web}}}\n",
        "cloudify",
        "FloatingIPAssociation",
    ),
    "the default group of a port": Case(
        f"{HOT}resources:\n  {PORT[:-2]}, security_groups: [default]}}}}\n",
        "cloudify",
        "OS::Neutron::Port",
    ),
    "a playbook on a machine": Case(
        f"""{TOSCA}topology_template:
  inputs: {{greeting: {{type: string, default: hello}}}}
  node_templates:
    here: {{type: tosca.nodes.Compute, attributes: {{public_address: 10.0.0.7}}}}
    app:
      type: tosca.nodes.SoftwareComponent
      requirements: [{{host: here}}]
      interfaces:
        Standard:
          operations:
            create: {{implementation: play.yaml, inputs: {{greeting: {{get_input: greeting}}}}}}
""",
        "cloudify",
        "implementation: play.yaml",
    ),
    "operations that no standard has": Case(
        """tosca_definitions_version: cloudify_dsl_1_4
imports: [cloudify/types/types.yaml, 'plugin:cloudify-openstack-plugin']
node_templates:
  web:
    type: cloudify.nodes.openstack.Server
    properties: {resource_config: {name: web, image_id: i, flavor_id: f, networks: [{uuid: n}]}}
    interfaces:
      backups:
        make: {implementation: play.yaml, inputs: {of: {get_attribute: [other, ip]}}, max_retries: 3}
  other:
    type: cloudify.nodes.openstack.Server
    properties: {resource_config: {name: other, image_id: i, flavor_id: f, networks: [{uuid: n}]}}
""",
        "tosca",
        "max_retries: 3",
    ),
    "an interface of a service template's own": Case(
        f"""{TOSCA}interface_types:
  scaling: {{derived_from: tosca.interfaces.Root, operations: {{grow: {{}}}}}}
node_types:
  machine:
    derived_from: tosca.nodes.Compute
    attributes: {{credential: {{type: map}}}}
    interfaces: {{scaling: {{type: scaling, operations: {{grow: {{inputs: {{by: {{type: integer}}}}}}}}}}}}
topology_template:
  inputs: {{by: {{type: integer, default: 2}}}}
  node_templates:
    vm:
      type: machine
      interfaces:
        scaling: {{operations: {{grow: {{implementation: play.yaml, inputs: {{by: {{get_input: by}}}}}}}}}}
  outputs: {{credential: {{value: {{get_attribute: [vm, credential, token]}}}}}}
""",
        "hot",
        "by: {get_input: by}",
    ),
    "what other software publishes": Case(
        f"""{TOSCA}node_types:
  role: {{derived_from: tosca.nodes.SoftwareComponent, attributes: {{arn: {{type: string}}}}}}
topology_template:
  node_templates:
    here: {{type: tosca.nodes.Compute, attributes: {{public_address: 10.0.0.7}}}}
    role:
      type: role
      requirements: [{{host: here}}]
      interfaces: {{Standard: {{operations: {{create: play.yaml}}}}}}
    app:
      type: tosca.nodes.SoftwareComponent
      requirements: [{{host: here}}, {{dependency: role}}]
      interfaces:
        Standard:
          operations:
            create: {{implementation: play.yaml, inputs: {{role: {{get_attribute: [role, arn]}}}}}}
""",
        "hot",
        "get_attribute: [role_create_deploy, arn]",
    ),
    "operations that heat runs nothing at": Case(
        """tosca_definitions_version: cloudify_dsl_1_4
imports: [cloudify/types/types.yaml, 'plugin:cloudify-openstack-plugin']
node_templates:
  web:
    type: cloudify.nodes.openstack.Server
    properties: {resource_config: {name: web, image_id: i, flavor_id: f, networks: [{uuid: n}]}}
    interfaces:
      backups:
        make: {implementation: play.yaml, inputs: {of: {get_attribute: [other, ip]}}, max_retries: 3}
  other:
    type: cloudify.nodes.openstack.Server
    properties: {resource_config: {name: other, image_id: i, flavor_id: f, networks: [{uuid: n}]}}
""",
        "hot",
        "max_retries: 3",
    ),
    "machines of which there are none yet": Case(
        f"""{TOSCA}topology_template:
  inputs: {{usual: {{type: integer, default: 2}}}}
  node_templates:
    none:
      type: tosca.nodes.Compute
      capabilities: {{scalable: {{properties: {{count: 0}}}}}}
    some:
      type: tosca.nodes.Compute
      capabilities:
        scalable: {{properties: {{min_instances: 0, max_instances: 4, default_instances: {{get_input: usual}}}}}}
    app: {{type: tosca.nodes.SoftwareComponent, requirements: [{{host: none}}]}}
""",
        "cloudify",
        "default_instances: 0",
    ),
    "nodes that are scaled together": Case(
        """tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml, 'plugin:cloudify-openstack-plugin']
node_templates:
  volume: {type: cloudify.nodes.openstack.Volume, properties: {resource_config: {name: v, size: 2}}}
  vm:
    type: cloudify.nodes.openstack.Server
    properties: {resource_config: {name: vm, image_id: i, flavor_id: f, networks: [{uuid: n}]}}
    relationships: [{type: cloudify.relationships.depends_on, target: volume}]
groups: {pair: {members: [volume, vm]}}
policies:
  scaling: {type: cloudify.policies.scaling, targets: [pair], properties: {default_instances: 3}}
""",
        "tosca",
        "default_instances: 3",
    ),
    "a node that is hosted twice on another": Case(
        f"""{TOSCA}topology_template:
  node_templates:
    web: {{type: tosca.nodes.WebServer, requirements: [{{host: vm}}]}}
    vm: {{type: tosca.nodes.Compute, attributes: {{public_address: 10.0.0.7}}}}
    app:
      type: tosca.nodes.WebApplication
      requirements: [{{host: web}}, {{again: {{node: web, relationship: tosca.relationships.HostedOn}}}}]
""",
        "cloudify",
        "host: web",
    ),
}


def there_and_back(case: Case, folder: Path) -> Path:
    """Where the result of a case stands."""
    (folder / "play.yaml").write_text("- hosts: all\n")
    (folder / "source.yaml").write_text(case.text)
    trip = roundtrip(folder / "source.yaml", case.via, carry=False)
    for name, text in {**trip.there.files, **trip.back.files, "back.yaml": trip.back.text}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder / "back.yaml"


@pytest.mark.parametrize("name", CASES)
def test_the_same_is_meant(name: str, tmp_path: Path) -> None:
    back = there_and_back(CASES[name], tmp_path)
    assert CASES[name].found in back.read_text()
    found = verify(tmp_path / "source.yaml", back, draws=3)
    assert not found.differences
    assert found.compared


def test_what_is_edited_counts_more_than_what_is_kept(tmp_path: Path) -> None:
    """An interface that was given since goes before the network that Nova would have allocated."""
    case = CASES["a network that nova allocates"]
    made = convert(case.text, "hot", "cloudify", carry=False).text
    edited = made.replace("uuid: {get_attribute: [project_network, id]}", "uuid: mine")
    assert edited != made
    back = convert(edited, "cloudify", "hot", carry=False).text
    assert "allocate_network" not in back
    assert "mine" in back


def test_operations_of_a_machine_are_compared(tmp_path: Path) -> None:
    """A program that a machine runs itself is seen, whatever the machine is made as."""
    text = f"""{TOSCA}topology_template:
  node_templates:
    vm:
      type: tosca.nodes.Compute
      interfaces: {{Standard: {{operations: {{create: a.sh}}}}}}
"""
    assert dialect_of(load(text)) == "tosca"
    for name in ("a.sh", "b.sh"):
        (tmp_path / name).write_text(f"#!/bin/sh\necho {name}\n")
    (tmp_path / "one.yaml").write_text(text)
    (tmp_path / "other.yaml").write_text(text.replace("a.sh", "b.sh"))
    found = verify(tmp_path / "one.yaml", tmp_path / "other.yaml").differences
    assert [one.what for one in found] == ["vm.create.script"]


@pytest.mark.parametrize(
    ("case", "old", "new"),
    [
        ("blueprint-with-nodes-scaled-together", "default_instances: 3", "default_instances: 4"),
        ("blueprint-with-scaling", "max_instances: 5", "max_instances: 7"),
        ("blueprint-with-scaling", "default_instances: {get_input: count}", "default_instances: 3"),
    ],
)
def test_an_edit_of_a_number_of_instances_comes_back(case: str, old: str, new: str) -> None:
    """Nothing but the number changes in the policy of the blueprint."""
    source = ROOT / "corpus" / "to-tosca" / case / "blueprint.yaml"
    made = convert(source, "cloudify", "tosca").text
    assert made.count(old) > 1, "in the policy, and in the kept source"
    back = convert(made.replace(old, new, 1), "tosca", "cloudify").text
    assert back == source.read_text().replace(old, new, 1)


def test_a_number_of_instances_that_an_earlier_version_kept_in_metadata_is_no_edit() -> None:
    """An edit of what stands beside it goes back alone."""
    source = (ROOT / "corpus" / "to-tosca" / "blueprint-with-nodes-scaled-together" / "blueprint.yaml").read_text()
    made = (Path(__file__).parent / "older" / "scaled" / "tosca.yaml").read_text()
    assert convert(made, "tosca", "cloudify").text == source
    edited = made.replace("image: cirros", "image: debian", 1)
    assert convert(edited, "tosca", "cloudify").text == source.replace("cirros", "debian")
