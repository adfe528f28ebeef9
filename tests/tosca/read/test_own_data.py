"""Attributes with the names of a resource's, which the service template gives the value of."""

from __future__ import annotations

from typing import Any

import pytest

from bpconvert import convert

SOURCE = """\
tosca_definitions_version: tosca_simple_yaml_1_3
node_types:
  mine.Volume:
    derived_from: tosca.nodes.Storage.BlockStorage
    properties: {volume_type: {type: integer, default: 4}}
    attributes: {display_name: {type: string, default: first}, bootable: {type: string}}
  mine.Machine:
    derived_from: tosca.nodes.Compute
    properties: {metadata: {type: map, entry_schema: {type: string}, default: {tier: web}}}
    attributes: {addresses: {type: string}}
  openstack.cinder.Volume: {derived_from: tosca.nodes.Root, metadata: {heat_name: "OS::Cinder::Volume"}}
topology_template:
  inputs: {room: {type: scalar-unit.size, default: 5 GB}}
  node_templates:
    volume: {type: mine.Volume, properties: {size: 3 GB}}
    other: {type: tosca.nodes.Storage.BlockStorage, properties: {size: {get_input: room}}}
    plain: {type: openstack.cinder.Volume, properties: {size: 2}}
    machine: {type: mine.Machine, properties: {flavor: f, image: i}, attributes: {addresses: here}}
  outputs: {value: {value: {get_attribute: %s}}}
"""


@pytest.mark.parametrize(
    ("call", "value", "of_cloudify"),
    [
        ("[volume, volume_type]", 4, 4),
        ("[volume, display_name]", "first", "first"),
        ("[machine, metadata]", {"tier": "web"}, {"tier": "web"}),
        ("[machine, metadata, tier]", "web", "web"),
        ("[machine, addresses]", "here", "here"),
        ("[volume, size]", "3 GB", "3 GB"),
        ("[other, size]", {"get_param": "room"}, {"get_input": "room"}),
        ("[volume, bootable]", {"get_attr": ["volume", "bootable"]}, {"get_attribute": ["volume", "bootable"]}),
        ("[plain, size]", {"get_attr": ["plain", "size"]}, {"get_property": ["plain", "resource_config", "size"]}),
    ],
)
def test_what_the_template_gives_is_no_attribute_of_the_resource(call: str, value: Any, of_cloudify: Any) -> None:
    """That of a type of a resource is the resource's, and so is one without a value."""
    for target, expected in (("hot", value), ("cloudify", of_cloudify)):
        result = convert(SOURCE % call, "tosca", target, carry=False)
        assert result.document["outputs"]["value"]["value"] == expected, target


VIRTUAL_MACHINE = """\
tosca_definitions_version: tosca_simple_yaml_1_3
imports: [etsi_nfv_sol001_vnfd_types.yaml]
topology_template:
  node_templates:
    vdu:
      type: tosca.nodes.nfv.Vdu.Compute
      properties: {name: v, description: d, vdu_profile: {min_number_of_instances: 1, max_number_of_instances: 1}}
      capabilities:
        virtual_compute:
          properties:
            virtual_cpu: {num_virtual_cpu: 1}
            virtual_memory: {virtual_mem_size: 512 MiB}
            virtual_local_storage: [{size_of_storage: 3 GiB}]
"""


def test_a_type_of_a_profile_that_is_not_read_may_have_more() -> None:
    """Of network functions, engines have an early version of some types."""
    result = convert(VIRTUAL_MACHINE, "tosca", "hot", carry=False)
    assert result.document["resources"]["vdu_flavor"]["properties"] == {"vcpus": 1, "ram": 512, "disk": 3}
    assert "BPC170" not in [finding.code for finding in result.diagnostics]


INPUTS = """\
tosca_definitions_version: tosca_simple_yaml_1_3
data_types:
  mine.Names: {derived_from: list, entry_schema: {type: string}}
  mine.Account: {derived_from: tosca.datatypes.Root, properties: {user: {type: string}}}
topology_template:
  inputs: {value: {type: %s}}
  outputs: {value: {value: {get_input: value}}}
"""


@pytest.mark.parametrize(
    ("type", "written"),
    [
        ("list, entry_schema: {type: string}", "list"),
        ("map, entry_schema: {type: string}, default: {}", "dict"),
        ("range", "list"),
        ("mine.Names", "list"),
        ("mine.Account", "dict"),
    ],
)
def test_an_input_takes_the_structure_that_it_took(type: str, written: str) -> None:
    result = convert(INPUTS % type, "tosca", "cloudify", carry=False)
    assert result.document["inputs"]["value"]["type"] == written
    assert "BPC501" not in [finding.code for finding in result.diagnostics]
