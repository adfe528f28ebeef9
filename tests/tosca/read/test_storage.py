"""Volumes and stores of TOSCA, and sizes with units."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from bpconvert.api import Conversion, convert
from bpconvert.translators.tosca.read import sizes

HEAD = "tosca_definitions_version: tosca_simple_yaml_1_3\ntopology_template:\n"


def converted(nodes: str, rest: str = "", head: str = HEAD, target: str = "hot") -> tuple[dict[str, Any], Conversion]:
    """The data that a service template with these nodes becomes, and the whole conversion."""
    made = convert(f"{head}{rest}  node_templates:\n{nodes}", "tosca", target, carry=False)
    return yaml.safe_load(made.text), made


@pytest.mark.parametrize(
    ("text", "gib"),
    [
        ("10 GB", 10),
        ("1 TB", 932),
        ("1500 MB", 2),
        ("1 MB", 1),
        ("0.5 GiB", 1),
        ("3GiB", 3),
        ("2 tib", 2048),
        ("7", None),
    ],
)
def test_sizes_are_rounded_up(text: str, gib: int | None) -> None:
    assert sizes.rounded_up(text, sizes.GIB) == gib


@pytest.mark.parametrize("type", ["tosca.nodes.Storage.BlockStorage", "tosca.nodes.BlockStorage", "BlockStorage"])
def test_a_volume_has_its_size_in_gib(type: str) -> None:
    data, _ = converted(f"    v: {{type: {type}, properties: {{size: 10 GB, snapshot_id: s}}}}\n")
    assert data["resources"]["v"] == {"type": "OS::Cinder::Volume", "properties": {"size": 10, "snapshot_id": "s"}}


def test_an_input_that_is_a_size_is_a_number_of_gib() -> None:
    rest = "  inputs: {s: {type: scalar-unit.size, default: 1 TB, constraints: [{in_range: [1 GB, 2 TiB]}]}}\n"
    data, made = converted("    v: {type: BlockStorage, properties: {size: {get_input: s}}}\n", rest)
    assert data["parameters"]["s"] == {
        "type": "number", "default": 932, "constraints": [{"range": {"min": 1, "max": 2048}}],
    }  # fmt: skip
    assert data["resources"]["v"]["properties"] == {"size": {"get_param": "s"}}
    assert [one.code for one in made.diagnostics if one.path == ("inputs", "s")] == ["BPC896"]


ATTACHED = """
    vm:
      type: Compute
      requirements: [{{local_storage: {{node: v, relationship: {{type: AttachesTo, properties: {{{0}}}}}}}}}]
    v: {{type: BlockStorage, properties: {{{1}}}}}
"""


@pytest.mark.parametrize(
    ("given", "mountpoint"),
    [("location: /mnt/data", None), ("location: /dev/vdc", "/dev/vdc"), ("location: /mnt, device: vdd", "vdd")],
)
def test_a_device_is_the_mountpoint_and_a_folder_is_not(given: str, mountpoint: str | None) -> None:
    data, made = converted(ATTACHED.format(given, "size: 1 GiB"))
    attachment = data["resources"]["vm_v_attachment"]
    assert attachment["type"] == "OS::Cinder::VolumeAttachment"
    assert attachment["properties"].get("mountpoint") == mountpoint
    assert attachment["properties"]["instance_uuid"] == {"get_resource": "vm"}
    assert attachment["properties"]["volume_id"] == {"get_resource": "v"}
    carried = [one.code for one in made.diagnostics if one.path[-1] == "location"]
    assert carried == ([] if mountpoint == "/dev/vdc" else ["BPC810"])


def test_a_location_that_is_an_input_is_a_device_where_its_default_is() -> None:
    rest = "  inputs: {d: {type: string, default: /dev/vdb}, p: {type: string, default: /mnt}}\n"
    data, _ = converted(ATTACHED.format("location: {get_input: d}", "size: 1 GiB"), rest)
    assert data["resources"]["vm_v_attachment"]["properties"]["mountpoint"] == {"get_param": "d"}
    data, _ = converted(ATTACHED.format("location: {get_input: p}", "size: 1 GiB"), rest)
    assert "mountpoint" not in data["resources"]["vm_v_attachment"]["properties"]


def test_a_volume_that_exists_is_attached_by_its_id() -> None:
    data, _ = converted(ATTACHED.format("", "volume_id: abc, size: 1 GiB"))
    assert set(data["resources"]) == {"vm", "vm_v_attachment"}
    assert data["resources"]["vm_v_attachment"]["properties"]["volume_id"] == "abc"


def test_a_relationship_template_gives_its_name() -> None:
    head = """
tosca_definitions_version: tosca_simple_yaml_1_3
relationship_types:
  openstack.relationships.VolumeAttachment: {derived_from: tosca.relationships.AttachesTo}
node_types:
  openstack.cinder.Volume: {derived_from: tosca.nodes.Root, metadata: {heat_name: "OS::Cinder::Volume"}}
topology_template:
  relationship_templates:
    on_vm: {type: openstack.relationships.VolumeAttachment, properties: {mountpoint: /dev/vdb}}
"""
    nodes = """
    vm: {type: Compute, requirements: [{volume: {node: v, relationship: on_vm}}]}
    v: {type: openstack.cinder.Volume, properties: {size: 1}}
"""
    data, _ = converted(nodes, head=head)
    assert data["resources"]["on_vm"]["properties"]["mountpoint"] == "/dev/vdb"
    data, _ = converted(nodes, head=head, target="cloudify")
    assert data["node_templates"]["v"]["properties"]["device_name"] == "/dev/vdb"


def test_a_store_has_a_quota_and_stays_private() -> None:
    data, made = converted(
        "    s: {type: tosca.nodes.ObjectStorage, properties: {name: b, size: 1 GB, maxsize: 2 GB}}\n"
    )
    assert data["resources"]["s"] == {
        "type": "OS::Swift::Container",
        "properties": {"name": "b", "X-Container-Meta": {"Quota-Bytes": "2000000000"}},
    }
    assert [one.code for one in made.diagnostics if one.path[-1] == "size"] == ["BPC810"]


def test_an_input_that_gives_a_size_as_a_text_is_a_number() -> None:
    rest = "  inputs: {s: {type: string, default: 10 GB}}\n"
    data, _ = converted("    v: {type: BlockStorage, properties: {size: {get_input: s}}}\n", rest)
    assert data["parameters"]["s"] == {"type": "number", "default": 10}


def test_the_size_of_a_volume_is_asked_for_where_nothing_gives_it() -> None:
    data, made = converted("    v: {type: BlockStorage}\n    w: {type: BlockStorage, properties: {snapshot_id: s}}\n")
    assert data["resources"]["v"]["properties"] == {"size": {"get_param": "v_size"}}
    assert data["resources"]["w"]["properties"] == {"snapshot_id": "s"}
    asked = data["parameters"]["v_size"]
    assert (asked["type"], asked["description"]) == ("number", "size of v in GiB")
    (told,) = [one for one in made.diagnostics if one.code == "BPC816"]
    assert told.path[-1] == "v"
    assert "size" in told.message
