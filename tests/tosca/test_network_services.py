"""Network services (NSD), and the types and short names of the first versions of NFV's profile."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bpconvert import Result, convert

TYPES = """\
tosca_definitions_version: tosca_simple_yaml_1_3
node_types:
  mine.VNF:
    derived_from: tosca.nodes.nfv.VNF
    requirements:
      - outside: {capability: tosca.capabilities.nfv.VirtualLinkable, occurrences: [0, 1]}
"""
FUNCTION = """\
tosca_definitions_version: tosca_simple_yaml_1_3
imports: [etsi_nfv_sol001_vnfd_types.yaml, types.yaml]
topology_template:
  substitution_mappings:
    node_type: mine.VNF
    requirements: %s
  node_templates:
    vdu:
      type: tosca.nodes.nfv.Vdu.Compute
      properties: {name: v, description: d, image: i}
      capabilities:
        virtual_compute: {properties: {virtual_cpu: {num_virtual_cpu: 1}, virtual_memory: {virtual_mem_size: 1 GiB}}}
    point: {type: tosca.nodes.nfv.VduCp, properties: {layer_protocols: [ipv4]}, requirements: [virtual_binding: vdu]}
"""
SERVICE = """\
tosca_definitions_version: tosca_simple_yaml_1_3
imports: [etsi_nfv_sol001_nsd_types.yaml, function.yaml]
topology_template:
  node_templates:
    service: {type: tosca.nodes.nfv.NS, properties: {descriptor_id: a, designer: b, name: c}}
    function:
      type: mine.VNF
      properties: {flavour_id: simple, vnf_profile: {min_number_of_instances: 1, max_number_of_instances: %s}}
      requirements: [outside: link]
    link:
      type: tosca.nodes.nfv.NsVirtualLink
      properties:
        connectivity_type: {layer_protocols: [ipv4]}
        vl_profile:
          virtual_link_protocol_data:
            - l3_protocol_data: {ip_version: ipv4, cidr: 10.9.0.0/24}
"""
MAPPINGS = ["[{outside: [point, virtual_link]}]", "{outside: [point, virtual_link]}"]


def _service(folder: Path, target: str, mapping: str = MAPPINGS[0], most: int = 1) -> Result:
    (folder / "types.yaml").write_text(TYPES)
    (folder / "function.yaml").write_text(FUNCTION % mapping)
    (folder / "service.yaml").write_text(SERVICE % most)
    return convert(folder / "service.yaml", "tosca", target, carry=False)


def _messages(result: Result, code: str) -> list[str]:
    return [finding.message for finding in result.diagnostics if finding.code == code]


@pytest.mark.parametrize("mapping", MAPPINGS)
def test_a_function_is_on_the_links_of_its_service(tmp_path: Path, mapping: str) -> None:
    result = _service(tmp_path, "hot", mapping)
    resources = result.document["resources"]
    assert [*resources] == ["function", "link", "link_subnet"]
    assert resources["function"]["properties"] == {"point_network": {"get_resource": "link"}}
    assert resources["function"]["depends_on"] == "link_subnet"
    assert resources["link_subnet"]["properties"]["cidr"] == "10.9.0.0/24"
    assert "parameters" not in result.document
    codes = {finding.code for finding in result.diagnostics if finding.severity != "info"}
    assert codes == {"BPC816"}  # what the descriptor of the function by itself asks for


def test_a_function_is_a_component_on_the_links_of_its_service(tmp_path: Path) -> None:
    templates = _service(tmp_path, "cloudify").document["node_templates"]
    deployment = templates["function"]["properties"]["resource_config"]["deployment"]
    assert deployment["inputs"]["point_network"] == {"get_attribute": ["link", "id"]}


def test_what_describes_a_function_is_no_parameter_of_its_template(tmp_path: Path) -> None:
    result = _service(tmp_path, "hot")
    why = "is not converted: 'function.yaml' has no input for it"
    assert _messages(result, "BPC147") == [f"'flavour_id' of 'function' {why}", f"'vnf_profile' of 'function' {why}"]
    assert not _messages(result, "BPC763")
    [lost] = _messages(_service(tmp_path, "hot", most=2), "BPC810")
    assert lost.startswith("'vnf_profile' of 'function' has no counterpart")


@pytest.mark.parametrize("mapping", ["[{outside: [vdu, dependency]}]", "[{outside: vdu}]", "{outside: [no, link]}"])
def test_a_link_to_what_is_no_port_is_reported(tmp_path: Path, mapping: str) -> None:
    result = _service(tmp_path, "hot", mapping)
    assert result.document["resources"]["function"]["properties"] == {
        "point_network": {"get_param": "function_point_network"}
    }
    assert [message for message in _messages(result, "BPC810") if "'outside' of 'function'" in message]


FIRST = """\
tosca_definitions_version: tosca_simple_profile_for_nfv_1_0_0
topology_template:
  node_templates:
    unit:
      type: %s
      properties: {name: unit, configurable_properties: {}}
      capabilities:
        virtual_compute: {properties: {virtual_cpu: {num_virtual_cpu: 2}, virtual_memory: {virtual_mem_size: 2 GiB}}}
      requirements: [virtual_storage: store]
    store:
      type: tosca:VDU.VirtualStorage
      properties: {type_of_storage: %s, size_of_storage: 10 GiB}
    point:
      type: tosca:VduCpd
      properties: {layer_protocol: ipv4}
      requirements: [virtual_binding: unit, virtual_link: l]
    l: {type: tosca.nodes.nfv.VnfVirtualLinkDesc, properties: {connectivity_type: {layer_protocol: ipv4}}}
"""


@pytest.mark.parametrize("type", ["tosca:VDU.Compute", "VDU.Compute", "tosca.nodes.nfv.VDU.Compute"])
def test_the_first_types_of_network_functions_are_resources(type: str) -> None:
    result = convert(FIRST % (type, "volume"), "tosca", "hot", carry=False)
    resources: dict[str, Any] = result.document["resources"]
    assert {name: row["type"] for name, row in resources.items()} == {
        "unit": "OS::Nova::Server", "unit_flavor": "OS::Nova::Flavor", "store": "OS::Cinder::Volume",
        "point": "OS::Neutron::Port", "l": "OS::Neutron::Net", "l_subnet": "OS::Neutron::Subnet",
    }  # fmt: skip
    server = resources["unit"]["properties"]
    assert server["block_device_mapping_v2"] == [{"volume_id": {"get_resource": "store"}, "boot_index": -1}]
    assert resources["unit_flavor"]["properties"] == {"vcpus": 2, "ram": 2048}
    assert not [finding for finding in result.diagnostics if finding.code in ("BPC856", "BPC380")]


def test_a_storage_of_objects_is_a_container() -> None:
    resources = convert(FIRST % ("VDU.Compute", "object"), "tosca", "hot", carry=False).document["resources"]
    assert resources["store"] == {
        "type": "OS::Swift::Container",
        "properties": {"X-Container-Meta": {"Quota-Bytes": "10737418240"}},
    }
    assert "block_device_mapping_v2" not in resources["unit"]["properties"]
