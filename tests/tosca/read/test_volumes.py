"""Volumes and stores of service templates as resources: sizes, what attaches them, and what is told of both."""

from __future__ import annotations

from typing import Any

import pytest

from bpconvert.api import Result, convert

HEAD = """\
tosca_definitions_version: tosca_simple_yaml_1_3
topology_template:
  inputs: {dev: {type: string, default: /dev/vdb}, dir: {type: string, default: /data}, open: {type: string}}
"""


def made_of(nodes: str, rest: str = "") -> Result:
    return convert(f"{HEAD}  node_templates:\n{nodes}{rest}", "tosca", "hot", carry=False)


def resources(made: Result) -> Any:
    return made.document["resources"]


def findings(made: Result, *codes: str) -> list[tuple[Any, str]]:
    return [(one.path, one.message) for one in made.diagnostics if one.code in codes]


# -- sizes --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("size", "gib", "is_told"),
    [("2 GiB", 2, False), ("1 TiB", 1024, False), ("1500 MB", 2, True), ("10 KB", 1, True), ("0 GB", 1, True)],
)
def test_a_size_that_is_rounded_is_told(size: str, gib: int, is_told: bool) -> None:
    made = made_of(f"    v: {{type: BlockStorage, properties: {{size: {size}}}}}\n")
    assert resources(made)["v"] == {"type": "OS::Cinder::Volume", "properties": {"size": gib}}
    place = ("node_templates", "v", "properties", "size")
    assert findings(made, "BPC817") == [(place, f"'size' of 'v': {size} is {gib} GiB")] * is_told


def test_a_default_of_nothing_is_the_smallest_volume() -> None:
    source = HEAD.replace("{dev:", "{room: {type: scalar-unit.size, default: 0 GB}, dev:")
    result = convert(
        f"{source}  node_templates:\n    v: {{type: BlockStorage, properties: {{size: {{get_input: room}}}}}}\n",
        "tosca", "hot", carry=False,
    )  # fmt: skip
    assert result.document["parameters"]["room"] == {"type": "number", "default": 1}
    assert findings(result, "BPC817") == [(("inputs", "room"), "'default' of 'room': 0 is 1 GiB")]


@pytest.mark.parametrize("source", ["snapshot_id", "image", "imageRef", "source_volid", "backup_id"])
def test_a_volume_that_is_made_of_something_needs_no_size(source: str) -> None:
    made = made_of(f"    v: {{type: openstack.cinder.Volume, properties: {{{source}: x}}}}\n")
    assert list(made.document) == ["heat_template_version", "parameters", "resources"]
    assert not findings(made, "BPC816")
    made = made_of(f"    v: {{type: BlockStorage, properties: {{{source}: x}}}}\n")
    assert not findings(made, "BPC816")


def test_another_volume_is_asked_for_its_size() -> None:
    made = made_of("    v: {type: BlockStorage, properties: {name: n}}\n")
    assert resources(made)["v"]["properties"] == {"name": "n", "size": {"get_param": "v_size"}}
    assert made.document["parameters"]["v_size"] == {"type": "number", "description": "size of v in GiB"}
    told = "'v' has no size: input 'v_size' asks for it"
    assert findings(made, "BPC816") == [(("node_templates", "v"), told)]


# -- stores -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("properties", "written"),
    [
        ("{name: n}", {"name": "n"}),
        ("{name: n, maxsize: 2 MB}", {"name": "n", "X-Container-Meta": {"Quota-Bytes": "2000000"}}),
        ("{name: n, maxsize: {get_input: open}}", {"name": "n"}),
    ],
)
def test_the_greatest_size_of_a_store_is_a_quota(properties: str, written: Any) -> None:
    made = made_of(f"    s: {{type: tosca.nodes.ObjectStorage, properties: {properties}}}\n")
    assert resources(made)["s"] == {"type": "OS::Swift::Container", "properties": written}
    is_lost = "open" in properties
    assert [path[-1] for path, _ in findings(made, "BPC810")] == ["maxsize"] * is_lost


# -- volumes of containers ----------------------------------------------------------------------------------

APPLICATION = "    app: {type: tosca.nodes.Container.Application, requirements: [storage: v]}\n"
RUNTIME = "    run: {type: tosca.nodes.Container.Runtime, requirements: [local_storage: v]}\n"
SERVER = "    web: {type: tosca.nodes.WebServer, requirements: [local_storage: v]}\n"


@pytest.mark.parametrize(
    ("users", "is_made"),
    [("", True), (APPLICATION, False), (RUNTIME, False), (APPLICATION + RUNTIME, False), (SERVER, True),
     (APPLICATION + SERVER, True)],
)  # fmt: skip
def test_a_volume_that_containers_alone_have_is_not_made(users: str, is_made: bool) -> None:
    made = made_of(f"{users}    v: {{type: BlockStorage, properties: {{size: 1 GiB}}}}\n")
    assert resources(made)["v"]["type"] == ("OS::Cinder::Volume" if is_made else "OS::Heat::None")


# -- attachments --------------------------------------------------------------------------------------------


def attached(requirement: str, properties: str = "", template: str = "", volume: str = "size: 1 GiB") -> Result:
    """A machine with a volume: by a relationship in place, or by a ``template``."""
    own = f"{{type: tosca.relationships.AttachesTo, properties: {{{properties}}}}}"
    relationship = template or own
    rest = f"  relationship_templates: {{{template}: {own}}}\n" if template else ""
    return made_of(
        f"    vm: {{type: Compute, requirements: [{requirement}: {{node: v, relationship: {relationship}}}]}}\n"
        f"    v: {{type: BlockStorage, properties: {{{volume}}}}}\n",
        rest,
    )


@pytest.mark.parametrize("requirement", ["local_storage", "volume", "anything"])
def test_what_attaches_a_volume_is_a_resource(requirement: str) -> None:
    made = attached(requirement)
    assert resources(made)["vm_v_attachment"] == {
        "type": "OS::Cinder::VolumeAttachment",
        "properties": {"volume_id": {"get_resource": "v"}, "instance_uuid": {"get_resource": "vm"}},
    }
    assert "depends_on" not in resources(made)["vm"]


@pytest.mark.parametrize("type", ["Compute", "openstack.nova.Server"])
@pytest.mark.parametrize(
    ("requirement", "is_attached"), [("local_storage", True), ("volume", True), ("dependency", False), ("data", False)]
)
def test_a_requirement_without_a_relationship_attaches_by_its_name(
    requirement: str, is_attached: bool, type: str
) -> None:
    made = made_of(
        f"    vm: {{type: {type}, requirements: [{requirement}: v]}}\n"
        "    v: {type: BlockStorage, properties: {size: 1 GiB}}\n"
    )
    assert ("vm_v_attachment" in resources(made)) is is_attached
    assert (resources(made)["vm"].get("depends_on") == "v") is not is_attached


@pytest.mark.parametrize("target", ["{type: Compute}", "{type: openstack.nova.KeyPair, properties: {name: n}}"])
def test_nothing_but_a_volume_is_attached(target: str) -> None:
    made = made_of(f"    vm: {{type: Compute, requirements: [local_storage: v]}}\n    v: {target}\n")
    assert list(resources(made)) == ["vm", "v"]


def test_nothing_is_attached_to_what_is_no_machine() -> None:
    made = made_of(
        "    k: {type: openstack.nova.KeyPair, properties: {name: n}, requirements: [local_storage: v]}\n"
        "    v: {type: BlockStorage, properties: {size: 1 GiB}}\n"
    )
    assert sorted(resources(made)) == ["k", "v"]


@pytest.mark.parametrize("template", ["", "plug"])
@pytest.mark.parametrize(
    ("properties", "device", "lost"),
    [
        ("", None, []),
        ("location: ''", None, []),
        ("location: ", None, []),
        ("mountpoint: /dev/vdc", "/dev/vdc", []),
        ("device: /dev/vdc", "/dev/vdc", []),
        ("location: /dev/vdc", "/dev/vdc", []),
        ("location: /dev/xvda1", "/dev/xvda1", []),
        ("location: /data", None, ["location"]),
        ("location: /dev/vdb, mountpoint: /dev/vdc", "/dev/vdc", ["location"]),
        ("location: /dev/vdb, device: /dev/vdc", "/dev/vdc", ["location"]),
        ("location: {get_input: dev}", {"get_param": "dev"}, []),
        ("location: {get_input: dir}", None, ["location"]),
        ("location: {get_input: open}", None, ["location"]),
        ("speed: 5", None, ["speed"]),
    ],
)
def test_the_device_is_what_nova_takes(properties: str, device: Any, lost: list[str], template: str) -> None:
    """A path of the machine's is none, and is told, as anything else that Heat has no property for."""
    made = attached("local_storage", properties, template)
    attachment = resources(made)[template or "vm_v_attachment"]
    assert attachment["properties"].get("mountpoint") == device
    place = ("relationship_templates", template) if template else (
        "node_templates", "vm", "requirements", 0, "local_storage", "relationship"
    )  # fmt: skip
    told = findings(made, "BPC810")
    assert [path for path, _ in told] == [(*place, "properties", name) for name in lost]
    words = "it is a path in the file system of the machine, Nova wants the name of a device"
    assert [words in message for _, message in told] == [name == "location" for name in lost]
    assert all(f"'{template or 'vm_v_attachment'}'" in message for _, message in told)


def test_a_volume_that_exists_is_attached_by_its_id() -> None:
    made = attached("local_storage", volume="volume_id: abc")
    assert resources(made)["vm_v_attachment"]["properties"]["volume_id"] == "abc"
    assert "v" not in resources(made)


def test_comments_at_a_relationship_are_at_the_attachment() -> None:
    source = f"""{HEAD}  relationship_templates:
    # held
    plug: {{type: tosca.relationships.AttachesTo}}
  node_templates:
    vm:
      type: Compute
      requirements:
        - local_storage: {{node: v, relationship: plug}}
    v: {{type: BlockStorage, properties: {{size: 1 GiB}}}}
"""
    lines = [line.strip() for line in convert(source, "tosca", "hot", carry=False).text.splitlines()]
    assert lines[lines.index("# held") + 1] == "plug:"
