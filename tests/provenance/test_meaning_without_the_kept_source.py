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
DSL = """tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml, plugin:cloudify-openstack-plugin]
"""
TOSCA = "tosca_definitions_version: tosca_simple_yaml_1_3\n"
PORT = "port: {type: OS::Neutron::Port, properties: {network: n}}"
FILES = {
    "play.yaml": "- hosts: all\n",
    "a.sh": "#!/bin/sh\necho $b\n",
    "asks.sh": "#!/bin/sh\nctx logger info asked\nctx instance runtime-properties token $(ctx node properties port)\n",
}


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
    "a property that nobody has given, asked for in an output": Case(
        f"""{TOSCA}topology_template:
  node_templates:
    disk: {{type: tosca.nodes.BlockStorage, properties: {{size: 1 GB}}}}
  outputs:
    volume: {{value: {{get_property: [disk, volume_id]}}}}
""",
        "hot",
        "get_property: [disk, volume_id]",
    ),
    "the same by way of a blueprint, in an input of an operation": Case(
        f"""{TOSCA}topology_template:
  node_templates:
    vm: {{type: tosca.nodes.Compute}}
    app:
      type: tosca.nodes.SoftwareComponent
      requirements: [host: vm]
      interfaces:
        Standard:
          operations:
            create: {{implementation: a.sh, inputs: {{version: {{get_property: [app, component_version]}}}}}}
""",
        "cloudify",
        "get_property: [app, component_version]",
    ),
    "properties of software, and a script that asks for them": Case(
        f"""{DSL}node_types:
  shop.nodes.App:
    derived_from: cloudify.nodes.ApplicationModule
    properties: {{port: {{type: integer, default: 80}}, more: {{default: {{}}}}, unset: {{required: false}}}}
node_templates:
  vm: {{type: cloudify.nodes.openstack.Server, properties: {{image: cirros, flavor: m1.small}}}}
  app:
    type: shop.nodes.App
    properties: {{more: {{a: [1, two]}}}}
    relationships: [{{type: cloudify.relationships.contained_in, target: vm}}]
    interfaces:
      cloudify.interfaces.lifecycle: {{create: asks.sh, start: {{implementation: a.sh, inputs: {{b: c}}}}}}
outputs:
  port: {{value: {{get_attribute: [app, token]}}}}
""",
        "tosca",
        "type: shop.nodes.App",
    ),
    "programs and data at URLs": Case(
        f"""{TOSCA}topology_template:
  node_templates:
    vm: {{type: tosca.nodes.Compute}}
    app:
      type: tosca.nodes.SoftwareComponent
      requirements: [host: vm]
      artifacts:
        data: {{type: tosca.artifacts.File, file: 'https://example.org/data.sql'}}
      interfaces:
        Standard:
          operations:
            configure:
              implementation: https://example.org/install.yml
              inputs: {{data: {{get_artifact: [SELF, data]}}, mode: [fast, safe]}}
            start: {{implementation: https://example.org/start.sh, inputs: {{a: b}}}}
""",
        "hot",
        "get_artifact: [SELF, data_sql]",
    ),
    "the same by way of a blueprint, where they are files and an input": Case(
        f"""{TOSCA}topology_template:
  node_templates:
    vm: {{type: tosca.nodes.Compute}}
    app:
      type: tosca.nodes.SoftwareComponent
      requirements: [host: vm]
      artifacts:
        data: {{type: tosca.artifacts.File, file: 'https://example.org/data.sql'}}
      interfaces:
        Standard:
          operations:
            configure:
              implementation: https://example.org/install.yml
              inputs: {{data: {{get_artifact: [SELF, data]}}, mode: [fast, safe]}}
            start: {{implementation: https://example.org/start.sh, inputs: {{a: b}}}}
""",
        "cloudify",
        "get_artifact: [SELF, data_sql]",
    ),
    "a text that no blueprint can have": Case(
        f"""{HOT}resources:
  vm: {{{SERVER}, user_data: "#!/bin/sh\\necho grüße\\n"}}}}
""",
        "cloudify",
        "grüße",
    ),
    "settings of Neutron that a parameter gives, and some that the plugin does not send": Case(
        f"""{HOT}parameters:
  specs: {{type: json, default: {{'provider:network_type': flat}}}}
resources:
  net: {{type: OS::Neutron::Net, properties: {{value_specs: {{get_param: specs}}}}}}
  port: {{type: OS::Neutron::Port, properties: {{network: n, value_specs: {{own_setting: a, description: b}}}}}}
""",
        "cloudify",
        "own_setting: a",
    ),
    "values of all instances": Case(
        f"""{TOSCA}topology_template:
  node_templates:
    vm:
      type: tosca.nodes.Compute
      capabilities: {{scalable: {{properties: {{min_instances: 1, max_instances: 5, default_instances: 2}}}}}}
  outputs:
    addresses: {{value: {{get_attribute: [vm, private_address]}}}}
""",
        "cloudify",
        "get_attribute: [vm, first_address]",
    ),
    "a playbook over an inventory": Case(
        f"""{DSL.replace("openstack", "ansible")}node_templates:
  site:
    type: cloudify.nodes.Root
    interfaces:
      cloudify.interfaces.lifecycle:
        start:
          implementation: ansible.cloudify_ansible.tasks.run
          inputs:
            playbook_path: play.yaml
            sources:
              a: {{hosts: {{one: {{ansible_host: 11.0.0.7}}}}}}
              b: {{hosts: {{two: {{ansible_host: 11.0.0.8}}}}}}
            run_data: {{port: 80}}
            tags: quick
""",
        "tosca",
        "implementation: ansible.cloudify_ansible.tasks.run",
    ),
    "existing networks under other names": Case(
        f"""{DSL}inputs:
  inner: {{default: ''}}
  outer: {{default: external}}
node_templates:
  network:
    type: cloudify.nodes.openstack.Network
    properties: {{use_external_resource: true, resource_config: {{id: {{get_input: inner}}}}}}
  address:
    type: cloudify.nodes.openstack.FloatingIP
    properties: {{resource_config: {{floating_network_id: {{get_input: outer}}}}}}
  port:
    type: cloudify.nodes.openstack.Port
    relationships: [{{type: cloudify.relationships.connected_to, target: network}}]
""",
        "tosca",
        "id: {get_input: ",
    ),
}


def there_and_back(case: Case, folder: Path) -> Path:
    """Where the result of a case stands."""
    for name, text in FILES.items():
        (folder / name).write_text(text)
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


def test_the_place_of_a_file_at_a_url_is_an_artifact(tmp_path: Path) -> None:
    case = CASES["programs and data at URLs"]
    there_and_back(case, tmp_path)
    trip = roundtrip(tmp_path / "source.yaml", case.via, carry=False)
    assert [one.code for one in trip.back.diagnostics if one.code in ("BPC201", "BPC257")] == ["BPC257"]
