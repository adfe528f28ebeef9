"""What a node of each type becomes, what its metadata keeps, and what connects nodes."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bpconvert import Diagnostic, Result, convert

HEAD = """\
tosca_definitions_version: tosca_simple_yaml_1_3
node_types:
  openstack.nova.Server: {derived_from: tosca.nodes.Compute, metadata: {heat_name: "OS::Nova::Server"}}
  openstack.cinder.Volume: {derived_from: tosca.nodes.Root, metadata: {heat_name: "OS::Cinder::Volume"}}
  mine.Trunk: {derived_from: tosca.nodes.Root, metadata: {heat_name: "OS::Neutron::Trunk"}}
  mine.Machine: {derived_from: tosca.nodes.Compute, metadata: {heat_name: [no, name]}}
  mine.Odd: {derived_from: tosca.nodes.network.Network, metadata: {heat_name: "OS::Neutron::Router"}}
  mine.Thing: {derived_from: tosca.nodes.Root, properties: {colour: {type: string, required: false}}}
topology_template:
  inputs: {text: {type: string, default: a}, sure: {type: boolean, default: true}}
  node_templates:
"""


def made(nodes: str, target: str = "hot") -> Result:
    return convert(HEAD + nodes, "tosca", target, carry=False)


def reported(result: Result, code: str) -> list[Diagnostic]:
    return [one for one in result.diagnostics if one.code == code]


def types(nodes: str) -> dict[str, str]:
    """The types of resources that nodes become."""
    found = made(nodes).document["resources"]
    return {name: row["type"] for name, row in found.items() if name != "bpconvert_kept"}


# -- types ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("type", "resource"),
    [
        ("tosca.nodes.Compute", "OS::Nova::Server"),
        ("tosca.nodes.Abstract.Compute", "OS::Nova::Server"),
        ("tosca.nodes.indigo.Compute", "OS::Nova::Server"),
        ("tosca.nodes.nfv.Vdu.Compute", "OS::Nova::Server"),
        ("tosca.nodes.nfv.VDU", "OS::Nova::Server"),
        ("tosca.nodes.nfv.VDU.Tacker", "OS::Nova::Server"),
        ("yorc.nodes.openstack.Compute", "OS::Nova::Server"),
        ("openstack.VM", "OS::Nova::Server"),
        ("radon.nodes.OpenStack.VM", "OS::Nova::Server"),
        ("tosca.nodes.MiCADO.Nova.Compute", "OS::Nova::Server"),
        ("tosca.nodes.network.Network", "OS::Neutron::Net"),
        ("yorc.nodes.openstack.Network", "OS::Neutron::Net"),
        ("tosca.nodes.nfv.VL", "OS::Neutron::Net"),
        ("tosca.nodes.nfv.VnfVirtualLink", "OS::Neutron::Net"),
        ("tosca.nodes.network.Port", "OS::Neutron::Port"),
        ("tosca.nodes.nfv.VduCp", "OS::Neutron::Port"),
        ("tosca.nodes.nfv.CP", "OS::Neutron::Port"),
        ("tosca.nodes.nfv.CP.Tacker", "OS::Neutron::Port"),
        ("tosca.nodes.network.FloatingIP", "OS::Neutron::FloatingIP"),
        ("yorc.nodes.openstack.FloatingIP", "OS::Neutron::FloatingIP"),
        ("tosca.nodes.Storage.BlockStorage", "OS::Cinder::Volume"),
        ("yorc.nodes.openstack.BlockStorage", "OS::Cinder::Volume"),
        ("tosca.nodes.nfv.Vdu.VirtualBlockStorage", "OS::Cinder::Volume"),
        ("tosca.nodes.Storage.ObjectStorage", "OS::Swift::Container"),
        ("tosca.nodes.nfv.Vdu.VirtualObjectStorage", "OS::Swift::Container"),
        ("tosca.nodes.nfv.Vdu.VirtualFileStorage", "OS::Manila::Share"),
        ("yorc.nodes.openstack.ServerGroup", "OS::Nova::ServerGroup"),
        ("mine.Trunk", "OS::Neutron::Trunk"),
        ("mine.Machine", "OS::Nova::Server"),
        ("mine.Odd", "OS::Neutron::Router"),
        ("mine.Thing", "OS::Heat::None"),
        ("tosca.nodes.MiCADO.Container.Volume", "OS::Heat::None"),
        ("org.openecomp.resource.vfc.nodes.heat.nova.Server", "OS::Nova::Server"),
        ("openstack:neutron.Router", "OS::Neutron::Router"),
    ],
)
def test_the_type_of_a_node_decides_what_it_is(type: str, resource: str) -> None:
    assert types(f"    it: {{type: '{type}'}}\n")["it"] == resource


def test_a_balancer_needs_what_it_listens_to() -> None:
    node = "    it: {type: tosca.nodes.LoadBalancer, capabilities: {client: {properties: {port: 80, protocol: tcp}}}}\n"
    assert types(node)["it"] == "OS::Octavia::LoadBalancer"


def test_the_nearest_parent_decides() -> None:
    """The volume of a container is derived from that of a machine, and none."""
    nodes = "    it: {type: mine.Part, properties: {size: 1 GB}}\n"
    text = HEAD.replace(
        "topology_template", "  mine.Part: {derived_from: tosca.nodes.Storage.BlockStorage}\ntopology_template"
    )
    assert convert(text + nodes, "tosca", "hot").document["resources"]["it"]["type"] == "OS::Cinder::Volume"
    part = "  tosca.nodes.MiCADO.Container.Volume: {derived_from: tosca.nodes.Storage.BlockStorage}\ntopology_template"
    text = HEAD.replace("topology_template", part)
    nodes = nodes.replace("mine.Part", "tosca.nodes.MiCADO.Container.Volume")
    assert convert(text + nodes, "tosca", "hot").document["resources"]["it"]["type"] == "OS::Heat::None"


@pytest.mark.parametrize(
    ("type", "resource"), [("mine.Trunk", "OS::Neutron::Trunk"), ("openstack.cinder.Volume", "OS::Cinder::Volume")]
)
def test_a_resource_has_the_properties_of_its_node(type: str, resource: str) -> None:
    found = made(f"    it: {{type: {type}, properties: {{name: n, description: d}}}}\n").document["resources"]["it"]
    assert found["type"] == resource
    assert {name: found["properties"][name] for name in ("name", "description")} == {"name": "n", "description": "d"}


# -- what metadata keep ---------------------------------------------------------------------------------------


def keeping(row: dict[str, Any], more: str = "", target: str = "hot") -> Result:
    """What a volume becomes whose metadata keep this."""
    metadata = json.dumps(row).replace("'", "''")
    node = f"{{type: openstack.cinder.Volume, properties: {{size: 1}}, metadata: {{bpconvert: '{metadata}'}}{more}}}"
    return made(f"    it: {node}\n", target)


def kept(row: dict[str, Any], more: str = "") -> Any:
    return keeping(row, more).document["resources"]["it"]


def test_a_condition() -> None:
    condition = {"$Input": {"name": "sure", "keys": [], "strict": False}}
    assert "condition" in kept({"condition": condition})
    assert "condition" not in kept({})


def test_the_id_of_what_exists() -> None:
    assert kept({"external_id": "abc"})["external_id"] == "abc"
    assert "external_id" not in kept({})


def test_the_name_of_what_exists() -> None:
    result = keeping({"external_name": "there"})
    assert "resources" not in result.document
    assert [one.path for one in reported(result, "BPC383")] == [("node_templates", "it")]


@pytest.mark.parametrize(
    ("row", "wanted"),
    [
        ({"external_id": "there", "otherwise": {"size": 2}}, {"id": "there", "size": 2}),
        ({"external_id": "there", "otherwise": ["size"]}, {"id": "there"}),
        ({"otherwise": {"size": 2}}, {"size": 1}),
    ],
)
def test_what_is_made_where_nothing_exists(row: dict[str, Any], wanted: dict[str, Any]) -> None:
    properties = keeping(row, target="cloudify").document["node_templates"]["it"]["properties"]
    assert properties["resource_config"] == wanted
    assert properties.get("create_if_missing", False) is ("id" in wanted and "size" in wanted)


@pytest.mark.parametrize(
    ("numbers", "wanted"),
    [
        ([3, 2, 5], {"min_size": 2, "max_size": 5, "desired_capacity": 3}),
        ([3, 2], {}),
        ([3, 2, 5, 6], {}),
        ("325", {}),
    ],
)
def test_how_many_there_are(numbers: Any, wanted: dict[str, int]) -> None:
    found = kept({"instances": numbers})
    assert found["type"] == ("OS::Heat::AutoScalingGroup" if wanted else "OS::Cinder::Volume")
    assert {key: found["properties"][key] for key in wanted} == wanted


def test_keys_of_the_resource() -> None:
    found = kept({"keys": {"deletion_policy": "Retain"}}, ", description: of it")
    assert (found["deletion_policy"], found["description"]) == ("Retain", "of it")
    assert "description" not in kept({"keys": ["deletion_policy"]})


def test_a_kept_description_goes_before_that_of_the_template() -> None:
    assert kept({"keys": {"description": "mine"}}, ", description: other")["description"] == "mine"


def test_a_property_that_is_null() -> None:
    assert [one.path[-1] for one in reported(keeping({"properties": {"name": [None, None]}}), "BPC386")] == ["name"]
    assert not reported(keeping({"properties": {"name": [None, 1]}}), "BPC386")
    assert kept({"properties": {"size": [None, None]}})["properties"] == {"size": 1}


# -- what connects nodes --------------------------------------------------------------------------------------

VM = "    vm: {type: openstack.nova.Server, properties: {flavor: f, image: i}%s}\n"
DISK = "    disk: {type: tosca.nodes.Storage.BlockStorage, properties: {size: 1 GiB}}\n"
ATTACHED = ", requirements: [{local_storage: disk}]"
NET = "    net: {type: tosca.nodes.network.Network, properties: {network_name: a, cidr: 10.0.0.0/24}}\n"
APP = """\
    app:
      type: tosca.nodes.SoftwareComponent
      requirements: [{%s: vm}]
      interfaces: {Standard: {create: a.sh}}
"""


@pytest.mark.parametrize(("requirement", "wanted"), [("dependency", "net"), ("anything", "net")])
def test_a_node_waits_for_what_it_requires(requirement: str, wanted: str) -> None:
    trunk = f"    it: {{type: mine.Trunk, properties: {{port: x}}, requirements: [{{{requirement}: {wanted}}}]}}\n"
    assert made(NET + trunk).document["resources"]["it"]["depends_on"] == ["net", "net_subnet"]


@pytest.mark.parametrize(
    ("requirement", "why"),
    [
        ("host: {node: tosca.nodes.Root}", "it names no node, but what would do: tosca.nodes.Root"),
        ("mine: {}", "it names no node"),
    ],
)
def test_a_requirement_without_a_node_is_reported(requirement: str, why: str) -> None:
    result = made(f"    it: {{type: mine.Trunk, properties: {{port: x}}, requirements: [{{{requirement}}}]}}\n")
    (found,) = reported(result, "BPC810")
    assert found.path == ("node_templates", "it", "requirements", 0, requirement.partition(":")[0])
    assert found.message.endswith(f": {why}")


def test_what_attaches_a_volume_stands_behind_both() -> None:
    assert list(types(VM % ATTACHED + DISK)) == ["vm", "disk", "vm_disk_attachment"]
    assert list(types(DISK + VM % ATTACHED)) == ["disk", "vm", "vm_disk_attachment"]
    between = "    x: {type: mine.Trunk, properties: {port: y}}\n"
    assert list(types(VM % ATTACHED + between + DISK)) == ["vm", "x", "disk", "vm_disk_attachment"]


def test_parts_of_a_node_stand_behind_it() -> None:
    assert list(types(NET + VM % "")) == ["net", "net_subnet", "vm"]


@pytest.mark.parametrize("nodes", [VM % ATTACHED + DISK + APP % "host", APP % "host" + VM % ATTACHED + DISK])
def test_software_of_a_machine_finds_its_volumes_attached(nodes: str) -> None:
    assert made(nodes).document["resources"]["app_create_deploy"]["depends_on"] == "vm_disk_attachment"


THING = "    it: {type: mine.Thing, requirements: [{dependency: vm}]}\n"
OTHER = "    it: {type: openstack.cinder.Volume, properties: {size: 1}, requirements: [{dependency: vm}]}\n"


@pytest.mark.parametrize(
    ("nodes", "wanted"),
    [
        (THING + VM % ATTACHED + DISK, ["vm", "vm_disk_attachment"]),
        (VM % ATTACHED + DISK + THING, ["vm", "vm_disk_attachment"]),
        (OTHER + VM % ATTACHED + DISK, "vm"),
    ],
)
def test_what_no_resource_is_like_waits_for_volumes_too(nodes: str, wanted: Any) -> None:
    assert made(nodes).document["resources"]["it"]["depends_on"] == wanted


def test_a_port_does_not_wait_for_its_own_server() -> None:
    port = "    nic: {type: tosca.nodes.network.Port, requirements: [{link: net}, {binding: vm}, {dependency: %s}]}\n"
    other = "    other: {type: openstack.nova.Server, properties: {flavor: f, image: i}}\n"
    result = made(NET + VM % "" + other + port % "vm")
    assert "depends_on" not in result.document["resources"]["nic"]
    (found,) = reported(result, "BPC810")
    assert found.path == ("node_templates", "nic", "requirements", 2, "dependency")
    assert found.message.endswith(": the server waits for its port")
    result = made(NET + VM % "" + other + port % "other")
    assert result.document["resources"]["nic"]["depends_on"] == "other"
    assert not reported(result, "BPC810")
