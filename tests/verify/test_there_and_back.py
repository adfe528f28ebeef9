"""What comes back without the kept source means the same: forms that the language between does not have."""

from __future__ import annotations

from pathlib import Path

import pytest

from bpconvert import convert, roundtrip
from bpconvert.api import Result
from bpconvert.verification import verify

HOT = "heat_template_version: 2018-08-31\n"
PORTS = """\
parameters:
  prefix: {type: string}
resources:
  one:
    type: OS::Neutron::Port
    properties: {network_id: {list_join: [-, [{get_param: prefix}, a]]}}
  two:
    type: OS::Neutron::Port
    properties: {network_id: {list_join: [-, [{get_param: prefix}, b]]}}
  web:
    type: OS::Nova::Server
    properties: {image: cirros, flavor: m1.small, networks: [{port: {get_resource: one}}, {port: {get_resource: two}}]}
  address: {type: OS::Nova::FloatingIP, properties: {pool: public}}
"""
ASSOCIATION = """\
  connected:
    type: OS::Nova::FloatingIPAssociation
    properties: {floating_ip: {get_resource: address}, server_id: {get_resource: web}}
"""
COMPUTED = """\
outputs:
  first:
    value: {get_attr: [web, addresses, {list_join: [-, [{get_param: prefix}, a]]}, 0, addr]}
"""
NAMED = """\
parameters:
  net: {type: string}
resources:
  port: {type: OS::Neutron::Port, properties: {network: {get_param: net}}}
  web:
    type: OS::Nova::Server
    properties: {image: cirros, flavor: small, networks: [{network: {get_param: net}}]}
  db:
    type: OS::Nova::Server
    properties: {image: cirros, flavor: small, networks: [{port: {get_resource: port}}]}
outputs:
  first: {value: {get_attr: [web, networks, {get_param: net}, 0]}}
  same: {value: {get_attr: [web, addresses, {get_param: net}, 0, addr]}}
  other: {value: {get_attr: [db, networks, {get_param: net}, 0]}}
  another: {value: {get_attr: [db, addresses, {get_param: net}, 0, addr]}}
  computed: {value: {get_attr: [db, addresses, {get_attr: [port, name]}, 0, addr]}}
"""
NETWORKS = """\
resources:
  front: {type: OS::Neutron::Net}
  back: {type: OS::Neutron::Net}
  web:
    type: OS::Nova::Server
    properties:
      image: cirros
      flavor: m1.small
      networks: [{network: {get_resource: front}}, {network: {get_resource: back}}]
  address: {type: OS::Nova::FloatingIP, properties: {pool: public}}
"""
EXISTING = """\
parameters:
  server: {type: string}
resources:
  address: {type: OS::Nova::FloatingIP, properties: {pool: public}}
  connected:
    type: OS::Nova::FloatingIPAssociation
    properties: {floating_ip: {get_resource: address}, server_id: {get_param: server}}
"""
DEVICES = """\
resources:
  disk: {type: OS::Cinder::Volume, properties: {size: 1}}
  more: {type: OS::Cinder::Volume, properties: {size: 1}}
  boots:
    type: OS::Nova::Server
    properties:
      flavor: m1.small
      block_device_mapping: [{device_name: vda, volume_id: {get_resource: disk}, delete_on_termination: false}]
  has:
    type: OS::Nova::Server
    properties:
      flavor: m1.small
      image: cirros
      block_device_mapping: [{device_name: vdb, volume_id: {get_resource: more}}]
"""
NUMBERS = """\
parameters:
  count: {type: number, default: 2}
resources:
  nodes:
    type: OS::Heat::ResourceGroup
    properties:
      count: {get_param: count}
      resource_def: {type: OS::Nova::Server, properties: {name: node-%index%, image: cirros, flavor: m1.small}}
"""
TEMPLATES = {
    "an address that Nova associates": HOT + PORTS + ASSOCIATION,
    "an address on the first of two networks": HOT + NETWORKS + ASSOCIATION,
    "an address of a server that exists": HOT + EXISTING,
    "an address on a network whose name is computed": HOT + PORTS + COMPUTED,
    "an address on a network that a parameter names": HOT + NAMED,
    "block devices of the first version": HOT + DEVICES,
    "numbers of members": HOT + NUMBERS,
}
MACHINE = """\
tosca_definitions_version: tosca_simple_yaml_1_3
topology_template:
  node_templates:
    base:
      type: tosca.nodes.Compute
    web:
      type: tosca.nodes.Compute
      requirements:
        - dependency: {node: base, relationship: link}
      interfaces:
        Standard:
          operations:
            start: {implementation: start.sh}
  relationship_templates:
    link: {type: tosca.relationships.ConnectsTo}
"""
OPERATION = """\
      interfaces:
        Configure:
          operations:
            post_configure_source: {implementation: join.sh}
"""


@pytest.mark.parametrize("name", TEMPLATES)
def test_templates(name: str) -> None:
    trip = roundtrip(TEMPLATES[name].encode(), "cloudify", carry=False)
    found = verify(trip.source, trip.back.text.encode(), reported=trip.there.diagnostics)
    assert [(one.what, one.first, one.second) for one in found.differences] == []


def test_a_machine_with_programs_of_its_own() -> None:
    """It is a server and a component there: the server keeps its name."""
    trip = roundtrip(MACHINE.encode(), "cloudify", carry=False)
    found = verify(trip.source, trip.back.text.encode(), reported=trip.there.diagnostics)
    assert [(one.what, one.first, one.second) for one in found.differences] == []


def test_an_operation_of_a_relationship_of_machines() -> None:
    """It is one of the software on the machine there."""
    source = MACHINE.replace(
        "    link: {type: tosca.relationships.ConnectsTo}\n",
        "    link:\n      type: tosca.relationships.ConnectsTo\n" + OPERATION,
    )
    trip = roundtrip(source.encode(), "cloudify", carry=False)
    found = verify(trip.source, trip.back.text.encode(), reported=trip.there.diagnostics)
    assert [(one.what, one.first, one.second) for one in found.differences] == []
    assert "              implementation: join.sh\n" in trip.back.text


BLUEPRINTS = {
    "with what an existing resource is made": """\
tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml, 'plugin:cloudify-openstack-plugin']
inputs: {prefix: {type: string, default: shop}}
node_templates:
  net:
    type: cloudify.nodes.openstack.Network
    properties:
      use_external_resource: true
      create_if_missing: true
      resource_config: {id: f9df1b79-3922-4027-a70a-e34da9b44780, name: {concat: [{get_input: prefix}, -net]}}
  subnet:
    type: cloudify.nodes.openstack.Subnet
    properties: {resource_config: {cidr: 10.0.0.0/24, ip_version: 4}}
    relationships: [{type: cloudify.relationships.contained_in, target: net}]
""",
    "software that nothing hosts": """\
tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml]
node_templates:
  module:
    type: cloudify.nodes.ApplicationModule
    interfaces: {custom: {log: {implementation: log.py}}}
""",
}


@pytest.mark.parametrize("name", BLUEPRINTS)
def test_blueprints_by_way_of_tosca(name: str) -> None:
    trip = roundtrip(BLUEPRINTS[name].encode(), "tosca", carry=False)
    found = verify(trip.source, trip.back.text.encode(), reported=trip.there.diagnostics)
    assert [(one.what, one.first, one.second) for one in found.differences] == []


ALONE = """\
tosca_definitions_version: tosca_simple_yaml_1_3
node_types:
  Shop:
    derived_from: tosca.nodes.WebApplication
    requirements:
      - host: {capability: tosca.capabilities.Container, occurrences: [0, UNBOUNDED]}
topology_template:
  node_templates:
    machine: {type: tosca.nodes.Compute}
    shop:
      type: Shop
      requirements: [{dependency: machine}]
      interfaces:
        Standard:
          operations:
            start: {implementation: start.sh, inputs: {port: 80}}
"""


def test_software_that_no_machine_hosts() -> None:
    """A template has no deployment for it: the node is kept with its order."""
    trip = roundtrip(ALONE.encode(), "hot", carry=False)
    found = verify(trip.source, trip.back.text.encode(), reported=trip.there.diagnostics)
    assert [(one.what, one.first, one.second) for one in found.differences] == []
    assert "    shop:\n" in trip.back.text


def test_damaged_software_in_what_is_kept() -> None:
    made = roundtrip(ALONE.encode(), "hot", carry=False).there.text
    for text in (
        made.replace('"role":"application"', '"role":"x"'),
        made.replace('"after":["machine"]', '"after":["x"]'),
    ):
        assert text != made
        roundtrip(text.encode(), "tosca", carry=False)


SUBNETS = """\
heat_template_version: 2016-10-14
resources:
  net: {type: OS::Neutron::Net}
  one: {type: OS::Neutron::Subnet, properties: {network: {get_resource: net}, cidr: 10.0.0.0/24}}
  two: {type: OS::Neutron::Subnet, properties: {network: {get_resource: net}, cidr: 10.0.1.0/24}}
  port:
    type: OS::Neutron::Port
    properties:
      network: {get_resource: net}
      fixed_ips: [{subnet: {get_resource: one}}, {subnet: {get_resource: two}}]
outputs:
  first: {value: {get_attr: [port, fixed_ips, 0, subnet_id]}}
  second: {value: {get_attr: [port, fixed_ips, 1, subnet_id]}}
  address: {value: {get_attr: [port, fixed_ips, 0, ip_address]}}
"""


def test_the_subnet_of_an_address_is_that_which_the_port_asks_for() -> None:
    made = convert(SUBNETS, "hot", "cloudify", carry=False).text
    back = convert(made, "cloudify", "hot", carry=False).text
    for other in (made, back):
        assert not verify(SUBNETS, other).differences
    exchanged = back.replace("value: {get_resource: one}", "value: {get_resource: two}", 1)
    assert exchanged != back
    assert {row.what for row in verify(SUBNETS, exchanged).differences} == {"outputs.first"}


PUBLISHING = """\
tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml, plugin:cloudify-openstack-plugin]
node_templates:
  vm:
    type: cloudify.nodes.openstack.Server
    properties: {image: i, flavor: f}
  app:
    type: cloudify.nodes.SoftwareComponent
    relationships: [{type: cloudify.relationships.contained_in, target: vm}]
    interfaces: {cloudify.interfaces.lifecycle: {start: s.sh}}
outputs: {url: {value: {get_attribute: [app, url]}}}
"""


def _written(result: Result, folder: Path) -> Path:
    for name, text in {**result.files, "doc.yaml": result.text}.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    return folder / "doc.yaml"


def test_the_function_in_place_of_a_command_is_that_command_in_its_own_language(tmp_path: Path) -> None:
    script = "#!/bin/bash\nctx instance runtime-properties url http://a\n"
    made = convert(PUBLISHING, "cloudify", "tosca", carry=False, beside={"s.sh": script})
    there = _written(made, tmp_path / "there")
    back = _written(convert(there, "tosca", "cloudify", carry=False), tmp_path / "back")
    assert {row.what for row in verify(there, back).differences if "app.start" in row.what} == set()
    file = next((tmp_path / "back" / "scripts").iterdir())
    file.write_text(file.read_text("utf-8").replace("http://a", "http://b"), "utf-8")
    assert {row.what for row in verify(there, back).differences if "app.start" in row.what} == {"app.start.script"}
