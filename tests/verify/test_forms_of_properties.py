"""Which properties of a resource mean the same, what a group of resources is in the order, and what exists already."""

from __future__ import annotations

import pytest

from bpconvert.verification import Verification, verify

HOT = "heat_template_version: 2018-08-31\n"


def compared(type: str, first: str, second: str) -> Verification:
    """Two resources of a type, ``it`` in both documents."""
    parameters = "{p: {type: json, default: {size: 1}}, q: {type: json, default: {none: null}}}"
    shape = f"{HOT}parameters: {parameters}\nresources: {{it: {{type: %s, %s}}}}\n"
    return verify(shape % (type, first), shape % (type, second), draws=0)


def whats(found: Verification) -> list[str]:
    return [one.what for one in found.differences]


@pytest.mark.parametrize(
    ("type", "first", "second", "other"),
    [
        ("OS::Nova::Server", "metadata: {a: 1}", "metadata: {a: '1'}", "metadata: {a: '2'}"),
        ("OS::Nova::Server", "metadata: {a: [1, x]}", "metadata: {a: '[1, \"x\"]'}", "metadata: {a: '[1]'}"),
        (
            "OS::Nova::Server",
            "networks: [{uuid: n}]",
            "networks: [{network: n, port: null}]",
            "networks: [{network: m}]",
        ),
        ("OS::Neutron::Port", "fixed_ips: [{subnet_id: s}]", "fixed_ips: [{subnet: s}]", "fixed_ips: [{subnet: t}]"),
        ("OS::Neutron::Subnet", "gateway_ip: null", "gateway_ip: ''", "gateway_ip: auto"),
        ("OS::Neutron::Subnet", "gateway_ip: {get_param: [q, none]}", "gateway_ip: ''", "cidr: c"),
        ("OS::Neutron::Subnet", "cidr: c", "cidr: c, gateway_ip: auto", "cidr: c, gateway_ip: ''"),
        ("OS::Cinder::Volume", "size: 1, name: ''", "size: '1'", "size: 1, name: n"),
        ("OS::Cinder::Volume", "size: 1, name: null", "size: 1", "size: 2"),
        ("Unknown::Type", "size: 1, name: null", "size: 1", "size: '1'"),
    ],
)
def test_properties_that_mean_the_same(type: str, first: str, second: str, other: str) -> None:
    texts = [f"properties: {{{text}}}" for text in (first, second, other)]
    assert compared(type, texts[0], texts[1]).is_same
    assert compared(type, texts[1], texts[0]).is_same
    assert not compared(type, texts[0], texts[2]).is_same
    assert not compared(type, texts[1], texts[2]).is_same


@pytest.mark.parametrize("source", ["image", "image_id", "snapshot_id", "volume_id"])
def test_what_can_be_booted_is_the_first_one_and_is_kept(source: str) -> None:
    shape = f"properties: {{flavor: f, block_device_mapping_v2: [{{{source}: i%s}}]}}"
    usual = shape % ", boot_index: 0, delete_on_termination: false"
    assert compared("OS::Nova::Server", shape % "", usual).is_same
    for key, value in (("boot_index", "-1"), ("delete_on_termination", "true")):
        found = compared("OS::Nova::Server", shape % "", shape % f", {key}: {value}")
        assert whats(found) == [f"it.block_device_mapping_v2.0.{key}"]


@pytest.mark.parametrize(
    ("image", "indices", "same"),
    [("", (0, -1), True), ("image: i, ", (-1, -1), True), ("", (0, 0), False), ("image: i, ", (0, -1), False)],
)
def test_block_devices_of_the_first_version(image: str, indices: tuple[int, int], same: bool) -> None:
    """Without an image the first one boots."""
    devices = ("device_name: vda, volume_id: v", "device_name: vdb, snapshot_id: s")
    old = ", ".join(f"{{{one}}}" for one in devices)
    new = ", ".join(f"{{{one}, boot_index: {index}}}" for one, index in zip(devices, indices, strict=True))
    first = f"properties: {{{image}block_device_mapping: [{old}]}}"
    found = compared("OS::Nova::Server", first, f"properties: {{{image}block_device_mapping_v2: [{new}]}}")
    assert found.is_same is same
    for one in found.differences:
        assert one.what.startswith("it.block_device_mapping_v2.")
        assert one.first_place.column > first.index("block_device_mapping")


def test_block_devices_of_the_first_version_without_a_volume_stay_these() -> None:
    old = "properties: {block_device_mapping: [{device_name: vda, volume_id: v}, {device_name: vdb}]}"
    assert compared("OS::Nova::Server", old, old).is_same
    found = compared("OS::Nova::Server", old, old.replace("vdb", "vdc"))
    assert whats(found) == ["it.block_device_mapping.1.device_name"]


def test_properties_as_a_whole_may_be_computed() -> None:
    literal = "properties: {size: 1}"
    assert compared("OS::Cinder::Volume", "properties: {get_param: p}", literal).is_same
    unknown = "properties: {yaql: {expression: $.data.unknown(), data: {}}}"
    found = compared("OS::Cinder::Volume", unknown, literal)
    assert whats(found) == ["it.multiattach", "it.size"]
    assert found.notes == ["<input> has no value for it."]


def test_what_exists_already_is_compared_by_its_id() -> None:
    found = compared("OS::Neutron::Net", "external_id: one", "external_id: other")
    assert whats(found) == ["it.id"]
    (one,) = found.differences
    assert (one.first, one.second) == ("one", "other")
    (one,) = compared("OS::Neutron::Net", "external_id: {list_join: ['', [one]]}", "external_id: other").differences
    assert (one.what, one.first, one.second) == ("it.id", "one", "other")
    assert one.first_place.column > len("resources: {it: {type: OS::Neutron::Net, ")
    same = compared("OS::Neutron::Net", "external_id: one, properties: {name: a}", "external_id: one")
    assert same.is_same


GROUP = f"""\
{HOT}resources:
  base: {{type: OS::Cinder::Volume, properties: {{size: 1}}}}
  group:
    type: OS::Heat::ResourceGroup
    depends_on: base
    properties: {{count: 2, resource_def: {{type: OS::Cinder::Volume, properties: {{size: 2}}}}}}
  after: {{type: OS::Cinder::Volume, depends_on: group, properties: {{size: 3}}}}
"""
SINGLES = f"""\
{HOT}resources:
  base: {{type: OS::Cinder::Volume, properties: {{size: 1}}}}
  group_0: {{type: OS::Cinder::Volume, depends_on: base, properties: {{size: 2}}}}
  group_1: {{type: OS::Cinder::Volume, depends_on: base, properties: {{size: 2}}}}
  after: {{type: OS::Cinder::Volume, depends_on: [group_0, group_1], properties: {{size: 3}}}}
"""


def test_a_group_is_its_members_in_the_order() -> None:
    assert verify(GROUP, SINGLES, draws=0).is_same
    assert verify(SINGLES, GROUP, draws=0).is_same
    nobody = GROUP.replace("depends_on: group, ", "")
    assert whats(verify(SINGLES, nobody, draws=0)) == ["after.waits for.group_0", "after.waits for.group_1"]
    nothing = GROUP.replace("    depends_on: base\n", "")
    assert whats(verify(SINGLES, nothing, draws=0)) == ["group_0.waits for.base", "group_1.waits for.base"]


SERVICE = """tosca_definitions_version: tosca_simple_yaml_1_3
node_types:
  my.Runs: {derived_from: tosca.nodes.Root}
  my.Orders: {derived_from: tosca.nodes.Root, properties: {size: {type: integer, required: false}}}
topology_template:
  node_templates:
    a: {type: my.%s}
"""
RUNS = "Runs, interfaces: {Standard: {operations: {create: a.sh}}}"


def test_a_node_that_only_runs_programs_is_like_one_that_only_orders() -> None:
    """Nothing is created for either of them: what differs is what they run, and their properties."""
    orders = "Orders, properties: {size: %s}"
    for first, second in ((RUNS, orders % 1), (orders % 1, RUNS)):
        assert whats(verify(SERVICE % first, SERVICE % second, draws=0)) == ["a.create"]
    assert whats(verify(SERVICE % (orders % 1), SERVICE % (orders % 2), draws=0)) == ["a.size"]
    assert verify(SERVICE % RUNS, SERVICE % RUNS, draws=0).is_same
