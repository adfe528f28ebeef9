"""Block devices of the plugin's servers, and the volumes that they boot from, as Heat has them."""

from __future__ import annotations

from typing import Any

import pytest
from neutral_form import REL, V3, Lifted, lifted, one

from bpconvert.api import convert
from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Identity, Input

NAME = "block_device_mapping_v2"
PLACE = f"node_templates.n.properties.resource_config.kwargs.{NAME}"
INPUTS = "inputs: {x: {}}"


def config(devices: str) -> str:
    return f"resource_config: {{kwargs: {{{NAME}: {devices}}}}}"


def devices_of(text: str, more: str = "") -> tuple[Any, Lifted]:
    """What becomes of the devices of a server."""
    found = one(f"{V3}Server", f"{{{more}{config(text)}}}", INPUTS)
    return found.properties("n").get(NAME), found


def why(found: Lifted, code: str) -> list[str]:
    return [item.message.split(": ", 1)[-1] for item in found.diagnostics if item.code == code]


# -- devices that are written out ---------------------------------------------------------------------------

VOLUME = "uuid: v, source_type: volume, destination_type: volume"
LOCAL = "source_type: blank, destination_type: local"


@pytest.mark.parametrize(
    ("device", "heat"),
    [
        (f"{VOLUME}, boot_index: 0, delete_on_termination: false", {"volume_id": "v"}),
        (f"{VOLUME}, boot_index: '0', delete_on_termination: 'False'", {"volume_id": "v"}),
        (f"{VOLUME}, boot_index: 1, delete_on_termination: true",
         {"volume_id": "v", "boot_index": 1, "delete_on_termination": True}),
        (f"{VOLUME}, boot_index: 0, device_name: vda, device_type: disk, disk_bus: ide, volume_type: t, volume_size: 9",
         {"volume_id": "v", "device_name": "vda", "device_type": "disk", "disk_bus": "ide", "volume_type": "t",
          "volume_size": 9}),
        (f"{VOLUME}, boot_index: 0, device_name: null", {"volume_id": "v"}),
        (f"{VOLUME}, boot_index: {{get_input: x}}", {"volume_id": "v", "boot_index": Input("x", strict=True)}),
        (VOLUME, {"volume_id": "v", "boot_index": -1}),
        ("uuid: v, source_type: volume", {"volume_id": "v", "boot_index": -1}),
        ("uuid: s, source_type: snapshot", {"snapshot_id": "s", "boot_index": -1}),
        ("uuid: i, source_type: image, destination_type: volume", {"image": "i", "boot_index": -1}),
        (f"{LOCAL}, guest_format: swap, volume_size: 5", {"swap_size": 5}),
        (f"{LOCAL}, guest_format: ext4, volume_size: 5", {"ephemeral_size": 5, "ephemeral_format": "ext4"}),
        ("source_type: blank, volume_size: 5, boot_index: -1, delete_on_termination: true", {"ephemeral_size": 5}),
    ],
)  # fmt: skip
def test_a_device_is_heats(device: str, heat: dict[str, Any]) -> None:
    devices, found = devices_of(f"[{{{device}}}]")
    assert devices == [heat]
    assert found.told == []


@pytest.mark.parametrize(
    "device",
    [
        "source_type: volume, destination_type: volume",
        "source_type: other, uuid: v",
        "source_type: {get_input: x}, uuid: v",
        "source_type: [volume], uuid: v",
        "uuid: v",
        LOCAL,
        "source_type: blank, destination_type: volume, volume_size: 5",
        "source_type: other, destination_type: local, volume_size: 5",
    ],
)
def test_a_device_that_heat_cannot_say(device: str) -> None:
    devices, found = devices_of(f"[{{{device}}}, {{{VOLUME}}}]")
    assert devices == [{"volume_id": "v", "boot_index": -1}]
    assert found.told == [("BPC352", f"{PLACE}.0")]
    assert why(found, "BPC352") == ["no other language can say such a block device"]
    assert any(item.message.startswith(f"'{NAME}' of ") for item in found.diagnostics)


def test_a_key_that_the_kind_of_a_device_decides() -> None:
    devices, found = devices_of(f"[{{{LOCAL}, guest_format: swap, volume_size: 5, uuid: q}}, {{{VOLUME}, tag: t}}]")
    assert devices == [{"swap_size": 5}, {"volume_id": "v", "boot_index": -1}]
    assert found.told == [("BPC352", f"{PLACE}.0.uuid"), ("BPC352", f"{PLACE}.1.tag")]
    assert why(found, "BPC352") == ["the kind of the device decides it"] * 2


@pytest.mark.parametrize("destination", ["", "destination_type: local, "])
def test_an_image_on_a_local_disk(destination: str) -> None:
    devices, found = devices_of(f"[{{{destination}uuid: i, source_type: image, boot_index: 0}}]")
    assert devices == [{"image": "i"}]
    place = f"{PLACE}.0.destination_type" if destination else f"{PLACE}.0"
    assert found.told == [("BPC352", place)]
    (text,) = (item.message for item in found.diagnostics if item.code == "BPC352")
    assert text.startswith(f"'destination_type' of {V3}Server")
    assert why(found, "BPC352") == [
        "the kind of the device decides it" if destination else "a volume is made of the image"
    ]


@pytest.mark.parametrize(("text", "steps"), [("word", ""), ("{a: 1}", ""), ("[5]", ".0")])
def test_what_is_no_device(text: str, steps: str) -> None:
    devices, found = devices_of(text)
    assert devices is None
    assert found.told == [("BPC353", f"{PLACE}{steps}")]
    (told,) = (item.message for item in found.diagnostics if item.code == "BPC353")
    assert told.startswith(f"'{NAME}' is not converted")


@pytest.mark.parametrize("text", ["null", "[]"])
def test_no_devices(text: str) -> None:
    devices, found = devices_of(text)
    assert (devices, found.told) == (None, [])


# -- devices of an input ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("text", "steps"), [("{get_input: x}", ""), ("[{get_input: x}]", ".0")])
def test_what_yields_devices_is_translated_when_deploying(text: str, steps: str) -> None:
    value, found = devices_of(text)
    query = value[0] if steps else value
    assert isinstance(query, ex.Query)
    assert query.data == {"devices": [Input("x", strict=True)] if steps else Input("x", strict=True)}
    assert ".".join(map(str, query.path)) == f"{PLACE}{steps}"
    assert query.expression.endswith(".first()") is bool(steps)
    assert found.told == [("BPC427", f"{PLACE}{steps}")]
    message = f"the block devices of '{NAME}' are only known when deploying"
    assert any(message in item.message for item in found.diagnostics)


GIVEN: list[dict[str, Any]] = [
    {"uuid": "v", "source_type": "volume", "boot_index": 0, "device_name": None, "disk_bus": "ide"},
    {"uuid": "s", "source_type": "snapshot", "tag": "t", "delete_on_termination": True},
    {"uuid": "i", "source_type": "image", "volume_size": 9, "volume_type": "fast", "device_type": "disk"},
    {"source_type": "blank", "guest_format": "swap", "volume_size": 1},
    {"source_type": "blank", "guest_format": "ext4", "volume_size": 2, "device_name": "vdb"},
]
MADE = [
    {"volume_id": "v", "boot_index": 0, "disk_bus": "ide"},
    {"snapshot_id": "s", "boot_index": -1, "delete_on_termination": True},
    {"image": "i", "boot_index": -1, "volume_size": 9, "volume_type": "fast", "device_type": "disk"},
    {"swap_size": 1, "boot_index": -1},
    {"ephemeral_size": 2, "ephemeral_format": "ext4", "boot_index": -1, "device_name": "vdb"},
]


@pytest.mark.parametrize(
    ("devices", "given", "made"), [("{get_input: x}", GIVEN, MADE), ("[{get_input: x}]", GIVEN[1], MADE[1:2])]
)
def test_what_becomes_of_devices_that_are_known_when_deploying(devices: str, given: Any, made: Any) -> None:
    text = "tosca_definitions_version: cloudify_dsl_1_3\n"
    text += f"imports: [cloudify/types/types.yaml, 'plugin:cloudify-openstack-plugin']\n{INPUTS}\n"
    text += f"node_templates:\n  n: {{type: {V3}Server, properties: {{flavor: f, {config(devices)}}}}}\n"
    result = convert(text, "cloudify", "hot", params={"x": given})
    assert result.document["resources"]["n"]["properties"][NAME] == made


# -- volumes that a server is connected to ------------------------------------------------------------------


def connected(server: str, *volumes: str) -> tuple[dict[str, Any], Lifted]:
    """A server ``n`` with relationships to volumes ``v0``, ``v1``, ..."""
    nodes = [f"v{number}: {{type: {V3}Volume, properties: {{{own}}}}}" for number, own in enumerate(volumes)]
    ends = ", ".join(f"{{type: {REL}depends_on, target: v{number}}}" for number in range(len(volumes)))
    nodes.insert(0, f"n: {{type: {V3}Server, properties: {{{server}}}, relationships: [{ends}]}}")
    found = lifted("\n".join(nodes), INPUTS)
    return found.properties("n"), found


def told(found: Lifted) -> list[tuple[str, str]]:
    """What is reported, but for the mark that makes a volume bootable."""
    return [(code, place) for code, place in found.told if code != "BPC351" or not place.endswith(".boot")]


def volume(number: int = 0, **more: Any) -> dict[str, Any]:
    return {"volume_id": Identity(f"v{number}"), "delete_on_termination": True, **more}


RELATIONSHIP = "node_templates.n.relationships"
BOOT = "boot: true"


@pytest.mark.parametrize(
    "own",
    [
        "resource_config: {imageRef: i}",
        "resource_config: {snapshot_id: i}",
        "resource_config: {source_volid: i}",
        "resource_config: {source_volid: {get_input: x}}",
        BOOT,
    ],
)
def test_a_server_boots_from_a_volume_that_is_bootable(own: str) -> None:
    properties, found = connected("", own)
    assert properties == {NAME: [volume()]}
    assert found.node("n").awaited == []
    assert properties[NAME][0]["volume_id"].path == ("node_templates", "n", "relationships", 0)
    assert found.node("n").origin(NAME, 0) == ("node_templates", "n", "relationships", 0)
    assert told(found) == []


@pytest.mark.parametrize("own", ["", "boot: false", "resource_config: {size: 1}", "boot: {get_input: x}"])
def test_a_server_only_waits_for_another_volume(own: str) -> None:
    properties, found = connected("", own)
    assert properties == {}
    assert found.node("n").awaited == ["v0"]


def test_a_volume_that_gets_an_image_is_bootable_and_one_that_gets_something_else_is_not() -> None:
    nodes = f"n: {{type: {V3}Server, relationships: [{{type: {REL}depends_on, target: v}}]}}\n"
    nodes += f"v: {{type: {V3}Volume, relationships: [{{type: {REL}depends_on, target: i}}]}}\n"
    found = lifted(f"{nodes}i: {{type: {V3}Image}}")
    assert [device["volume_id"] for device in found.properties("n")[NAME]] == [Identity("v")]
    assert lifted(f"{nodes}i: {{type: {V3}Network}}").properties("n") == {}


@pytest.mark.parametrize(
    ("device", "more"),
    [
        ("vdb", {"device_name": "vdb"}),
        ("{get_input: x}", {"device_name": Input("x", strict=True)}),
        ("''", {}),
        ("auto", {}),
        ("null", {}),
    ],
)
def test_the_device_is_the_volumes(device: str, more: dict[str, Any]) -> None:
    properties, found = connected("", f"{BOOT}, device_name: {device}")
    assert properties == {NAME: [volume(**more)]}
    assert told(found) == []  # the volume does not lose it


def test_a_volume_that_exists_already_may_be_bootable() -> None:
    properties, found = connected("", "use_external_resource: true, resource_config: {id: v}")
    assert properties == {NAME: [volume()]}
    assert ("BPC415", f"{RELATIONSHIP}.0") in told(found)
    (text,) = (item.message for item in found.diagnostics if item.code == "BPC415")
    assert text == f"the relationship to 'v0' is read as '{NAME}', which holds if the volume is bootable"


def test_a_server_that_exists_already_boots_from_what_it_has() -> None:
    properties, found = connected("use_external_resource: true, resource_config: {id: n}", BOOT)
    assert NAME not in properties
    assert found.node("n").awaited == []
    assert told(found) == [("BPC418", f"{RELATIONSHIP}.0")]
    assert why(found, "BPC418") == ["'n' exists already"]


def test_devices_that_only_a_call_yields_go_before_a_relationship() -> None:
    properties, found = connected(config("{get_input: x}"), BOOT)
    assert isinstance(properties[NAME], ex.Query)
    assert found.node("n").awaited == ["v0"]
    assert told(found) == [("BPC427", PLACE), ("BPC410", f"{RELATIONSHIP}.0")]
    (text,) = (item.message for item in found.diagnostics if item.code == "BPC410")
    assert text.startswith(f"the relationship to 'v0' and '{NAME}' contradict each other")


def test_a_volume_that_is_a_device_already_is_one_device() -> None:
    own = "[{uuid: {get_attribute: [v0, id]}, source_type: volume, boot_index: 0}]"
    properties, found = connected(config(own), BOOT)
    assert properties == {NAME: [{"volume_id": Identity("v0")}]}
    assert found.node("n").awaited == []


# -- which of several a server boots from -------------------------------------------------------------------

ROOT = "[{uuid: u, source_type: volume, boot_index: 0}]"


@pytest.mark.parametrize(
    ("own", "indices"),
    [
        ("[]", [0, 1]),
        (ROOT, [None, 1, 2]),
        ("[{uuid: u, source_type: snapshot, boot_index: 1}]", [1, 0, 2]),
        ("[{uuid: u, source_type: image, destination_type: volume, boot_index: 1}]", [1, 0, 2]),
        ("[{source_type: blank, volume_size: 1}]", [None, 0, 1]),
        ("[{source_type: blank, volume_size: 1, boot_index: 0}]", [0, 0, 1]),
        ("[{uuid: u, source_type: volume, boot_index: {get_input: x}}]", [Input("x", strict=True), 0, 1]),
    ],
)
def test_volumes_of_relationships_have_the_numbers_that_are_free(own: str, indices: list[Any]) -> None:
    properties, _ = connected(config(own), BOOT, BOOT)
    assert [device.get("boot_index") for device in properties[NAME]] == indices


@pytest.mark.parametrize(
    ("own", "index"),
    [
        ("[]", None),
        ("[{source_type: blank, volume_size: 1}]", None),
        ("[{uuid: u, source_type: volume, boot_index: {get_input: x}}]", None),
        ("[{get_input: x}]", None),
        (ROOT, 1),
    ],
)
def test_one_volume_alone_has_no_number(own: str, index: int | None) -> None:
    properties, _ = connected(config(own), BOOT)
    assert properties[NAME][-1] == (volume() if index is None else volume(boot_index=index))


def test_with_an_image_nothing_is_booted_from_a_relationship() -> None:
    properties, found = connected("image: i", BOOT, BOOT)
    assert properties == {"image": "i", NAME: [volume(0, boot_index=-1), volume(1, boot_index=-1)]}
    assert told(found) == [("BPC373", f"{RELATIONSHIP}.0"), ("BPC373", f"{RELATIONSHIP}.1")]
    texts = [item.message for item in found.diagnostics if item.code == "BPC373"]
    assert texts[1] == "'n' has an image to boot from; 'v1' is attached, but not booted from"


def test_a_device_to_boot_from_goes_before_the_image() -> None:
    properties, found = connected(f"image: i, {config(ROOT)}")
    assert properties == {NAME: [{"volume_id": "u"}]}
    place = ("node_templates", "n", "properties", "image")
    assert [item.path for item in found.diagnostics if item.code == "BPC753"] == [place]
    assert any(item.message.startswith("'n' boots from a block device") for item in found.diagnostics)


@pytest.mark.parametrize(
    "own",
    [
        "[{uuid: u, source_type: volume, boot_index: 1}]",
        "[{uuid: u, source_type: volume, boot_index: {get_input: x}}]",
        "[{source_type: blank, volume_size: 1, boot_index: 0}]",
    ],
)
def test_beside_another_device_the_image_stays(own: str) -> None:
    properties, found = connected(f"image: i, {config(own)}")
    assert properties["image"] == "i"
    assert [item for item in found.diagnostics if item.code == "BPC753"] == []
