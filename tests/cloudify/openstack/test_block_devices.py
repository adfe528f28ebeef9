"""Block devices of servers: those of Heat are the compute API's in a blueprint, and Heat's again on the way back."""

from __future__ import annotations

from typing import Any

import pytest

from bpconvert.api import Result, convert

UUID = "9b2a8f9c-5d0d-4a1e-8c40-0a3c1f7b2222"
PLACE = ("resources", "web", "properties")
IMAGE = "image: i, "
NAME = "block_device_mapping_v2"


def server(devices: str, *more: str, **options: Any) -> Result:
    """A server with these properties, and other resources."""
    text = "heat_template_version: 2021-04-16\n"
    text += "parameters: {word: {type: string}, many: {type: json}}\nresources:\n"
    text += f"  web: {{type: OS::Nova::Server, properties: {{flavor: f, {devices}}}}}\n"
    return convert(text + "".join(f"  {line}\n" for line in more), **options)


def second(devices: str, *more: str, **options: Any) -> Result:
    """The same with devices of the second version."""
    return server(f"{NAME}: {devices}", *more, **options)


def config(result: Result) -> Any:
    return result.document["node_templates"]["web"]["properties"]["resource_config"]


def written(result: Result) -> Any:
    return config(result)["kwargs"][NAME]


def places(result: Result, code: str) -> list[tuple[Any, ...]]:
    """Where a finding is, below the properties of the server."""
    return [one.path[3:] for one in result.diagnostics if one.code == code and one.path[:3] == PLACE]


def message(result: Result, code: str) -> str:
    (text,) = (one.message for one in result.diagnostics if one.code == code)
    return text


def disk(source: str, uuid: Any, **more: Any) -> dict[str, Any]:
    """What Heat sends to the compute API of a disk on a volume."""
    made = {"source_type": source, "destination_type": "volume", "boot_index": 0, "delete_on_termination": False}
    return {**made, "uuid": uuid, **more}


def blank(**more: Any) -> dict[str, Any]:
    """The same of a disk beside the server."""
    made = {"source_type": "blank", "destination_type": "local", "boot_index": -1, "delete_on_termination": True}
    return {**made, **more}


# -- the second version -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("device", "expected"),
    [
        ("volume_id: v", disk("volume", "v")),
        ("snapshot_id: s", disk("snapshot", "s")),
        (f"image: {UUID}", disk("image", UUID)),
        (f"image_id: {UUID}", disk("image", UUID)),
        ("swap_size: 1", blank(guest_format="swap", volume_size=1)),
        ("ephemeral_size: 2", blank(volume_size=2)),
        ("ephemeral_format: ext4", blank(guest_format="ext4")),
        ("ephemeral_format: ext4, ephemeral_size: 2", blank(guest_format="ext4", volume_size=2)),
        ("boot_index: 1, delete_on_termination: true, volume_size: 9, volume_id: v",
         disk("volume", "v", boot_index=1, delete_on_termination=True, volume_size=9)),
        ("volume_size: 9, swap_size: 1", blank(guest_format="swap", volume_size=9)),
        ("swap_size: 1, volume_size: 9", blank(guest_format="swap", volume_size=9)),
        ("volume_id: v, device_name: vda, device_type: cdrom, disk_bus: ide, volume_type: fast",
         disk("volume", "v", device_name="vda", device_type="cdrom", disk_bus="ide", volume_type="fast")),
        ("volume_id: {get_param: word}, device_name: {get_param: word}",
         disk("volume", {"get_input": "word"}, device_name={"get_input": "word"})),
    ],
)  # fmt: skip
def test_a_device_is_the_compute_apis(device: str, expected: dict[str, Any]) -> None:
    result = second(f"[{{{device}}}]")
    assert written(result) == [expected]
    assert {"BPC307", "BPC335", "BPC120", "BPC756"} & {one.code for one in result.diagnostics} == set()


@pytest.mark.parametrize("nothing", ["null", "''"])
@pytest.mark.parametrize("key", ["snapshot_id", "swap_size", "image"])
def test_what_is_nothing_is_left_out(key: str, nothing: str) -> None:
    result = second(f"[{{{key}: {nothing}, volume_id: v}}]")
    assert written(result) == [disk("volume", "v")]
    assert places(result, "BPC307") == [(NAME, 0, key)]


def test_an_empty_text_is_no_nothing_in_what_heat_hands_on() -> None:
    result = second("[{volume_id: v, device_name: '', device_type: null}]")
    assert written(result) == [disk("volume", "v", device_name="")]
    assert places(result, "BPC307") == [(NAME, 0, "device_type")]


def test_what_is_of_another_kind_than_the_first_is_not_used() -> None:
    result = second("[{swap_size: 1, ephemeral_size: 2, snapshot_id: s, image: i, volume_id: v}]")
    assert written(result) == [disk("volume", "v")]
    keys = ("swap_size", "ephemeral_size", "snapshot_id", "image")
    assert set(places(result, "BPC335")) == {(NAME, 0, key) for key in keys}
    texts = {one.message for one in result.diagnostics if one.code == "BPC335"}
    assert texts == {f"'{key}' is not used beside 'volume_id'" for key in keys}


def test_a_device_without_a_disk_is_left_out() -> None:
    result = second("[{device_name: vda}, {volume_id: v}, {swap_size: 0}]")
    assert written(result) == [disk("volume", "v")]
    assert places(result, "BPC120") == [(NAME, 0), (NAME, 2)]
    texts = {one.message for one in result.diagnostics if one.code == "BPC120"}
    assert texts == {"a block device has to have a volume, snapshot, image, swap or ephemeral disk"}


def test_a_key_that_is_not_known_is_left_out() -> None:
    result = second("[{volume_id: v, odd: 1, device_name: vda}]")
    assert written(result) == [disk("volume", "v", device_name="vda")]


@pytest.mark.parametrize("key", ["image", "image_id"])
def test_the_name_of_an_image_is_looked_up(key: str) -> None:
    result = second(f"[{{{key}: debian, device_name: vda}}, {{volume_id: v}}, {{{key}: {{get_param: word}}}}]")
    first, middle, last = written(result)
    assert first == disk("image", {"get_attribute": ["external_debian", "id"]}, device_name="vda")
    assert middle == disk("volume", "v")
    assert last == disk("image", {"get_attribute": ["external_word", "id"]})
    looked_up = result.document["node_templates"]["external_debian"]
    assert looked_up["type"] == "cloudify.nodes.openstack.Image"
    assert looked_up["properties"]["use_external_resource"] is True


def test_the_older_plugin_looks_no_image_up() -> None:
    """It would boot from an image that a server is connected to."""
    result = second("[{image: debian}]", plugin="v2")
    assert list(result.document["node_templates"]) == ["web"]
    assert places(result, "BPC336") == [(NAME, 0, "image")]


CHOICE = "{if: [{equals: [{get_param: word}, x]}, %s, %s]}"


@pytest.mark.parametrize(
    ("first", "other", "branches"),
    [
        ("[{volume_id: v}]", "[{snapshot_id: s}]", [[disk("snapshot", "s")], [disk("volume", "v")]]),
        ("[{volume_id: v}]", "null", [[], [disk("volume", "v")]]),
        ("[{volume_id: v}]", "[]", [[], [disk("volume", "v")]]),
        ("[{volume_id: v}]", "", [[], [disk("volume", "v")]]),  # it is left out then
    ],
)
def test_each_branch_of_a_choice_is_the_compute_apis(first: str, other: str, branches: list[Any]) -> None:
    result = second((CHOICE % (first, other)).replace(", ]", "]"))
    ((name, declared),) = (row for row in result.document["inputs"].items() if row[0].startswith("if_"))
    assert written(result)["get_input"][0] == name
    assert [branch for branch in declared["default"] if branch in branches] == declared["default"]


def test_what_is_wrong_in_a_branch_is_left_out_of_it() -> None:
    result = second(f"[{CHOICE % ('{volume_id: v, odd: 1}', '{device_name: vda}')}]")
    (declared,) = (data for name, data in result.document["inputs"].items() if name.startswith("if_"))
    assert declared["default"] == [disk("volume", "v"), {}]
    assert places(result, "BPC301") == [(NAME, 0, "odd")]
    assert message(result, "BPC301") == "OS::Nova::Server has no property 'odd' that can be converted"
    assert places(result, "BPC120") == [(NAME, 0)]


def test_each_branch_of_one_device_is_the_compute_apis() -> None:
    result = second(f"[{CHOICE % ('{volume_id: v}', '{snapshot_id: s}')}, {{volume_id: w}}]")
    ((name, declared),) = (row for row in result.document["inputs"].items() if row[0].startswith("if_"))
    assert written(result)[0]["get_input"][0] == name
    assert written(result)[1] == disk("volume", "w")
    assert sorted(declared["default"], key=str) == sorted([disk("volume", "v"), disk("snapshot", "s")], key=str)


@pytest.mark.parametrize(("devices", "steps"), [("{get_param: many}", ()), ("[{get_param: many}]", (0,))])
def test_devices_that_only_a_call_yields_are_asked_for(devices: str, steps: tuple[int, ...]) -> None:
    result = second(devices)
    asked = {"get_input": "web_block_device_mapping_v2"}
    assert written(result) == ([asked] if steps else asked)
    assert places(result, "BPC201") == [(NAME, *steps)]


# -- what a server boots from -------------------------------------------------------------------------------

GONE = "gone: {type: Acme::Volume}"


@pytest.mark.parametrize(
    ("server_image", "device", "is_lost"),
    [
        ("", "volume_id: {get_resource: gone}", True),
        ("", "volume_id: {get_attr: [gone, id]}", True),
        ("", "boot_index: 0, snapshot_id: {get_resource: gone}", True),
        ("", "boot_index: 1, volume_id: {get_resource: gone}", False),
        (IMAGE, "volume_id: {get_resource: gone}", False),
        ("", "volume_id: {get_resource: kept}", False),
        ("", "volume_id: v", False),
        ("", "volume_id: {get_param: word}", False),
    ],
)
def test_a_disk_to_boot_from_that_nothing_creates(server_image: str, device: str, is_lost: bool) -> None:
    kept = "kept: {type: OS::Cinder::Volume, properties: {size: 1}}"
    result = server(f"{server_image}block_device_mapping_v2: [{{{device}}}]", GONE, kept)
    key = "snapshot_id" if "snapshot_id" in device else "volume_id"
    assert places(result, "BPC756") == [(NAME, 0, key)] * is_lost
    if is_lost:
        assert message(result, "BPC756") == (
            "'web' has no image, and its 'block_device_mapping_v2' has no counterpart: it cannot boot,"
            " as 'gone' is a stand-in"
        )


# -- the first version --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("names", "alone", "with_image"),
    [
        (("vda", "vdb"), [0, -1], [-1, -1]),
        (("/dev/vdb", "/dev/vda"), [-1, 0], [-1, -1]),
        (("vdb", "vdc"), [0, -1], [-1, -1]),  # Nova takes any of them
        (("vda", "/dev/vda"), [0, -1], [-1, -1]),  # Nova refuses both
        (("{get_param: word}", "vda"), [0, -1], [-1, -1]),  # it may be that one
        (("''", "vda"), [0, -1], [-1, -1]),
        (("vdb", "vda", "/dev/vda"), [0, -1, -1], [-1, -1, -1]),
        (("vdb", "vdc", "vda"), [-1, -1, 0], [-1, -1, -1]),
    ],
)
@pytest.mark.parametrize("image", ["", IMAGE])
def test_the_root_device_of_the_first_version(
    names: tuple[str, ...], alone: list[int], with_image: list[int], image: str
) -> None:
    devices = ", ".join(f"{{device_name: {name}, volume_id: v}}" for name in names)
    result = server(f"{image}block_device_mapping: [{devices}]")
    assert [device["boot_index"] for device in written(result)] == (with_image if image else alone)
    assert places(result, "BPC797") == [("block_device_mapping",)]
    assert message(result, "BPC797").startswith("the block devices of 'web' are written in the second version")


def test_a_snapshot_alone_is_a_device_of_the_first_version() -> None:
    result = server("block_device_mapping: [{device_name: vda, snapshot_id: s}]")
    assert written(result) == [disk("snapshot", "s", device_name="vda")]


def test_keys_of_the_first_version() -> None:
    devices = "{device_name: vda, volume_id: v, volume_size: 5, delete_on_termination: true}"
    devices += ", {device_name: vdb, snapshot_id: {get_param: word}, volume_id: '', volume_size: null}"
    result = server(f"block_device_mapping: [{devices}]")
    assert written(result) == [
        disk("volume", "v", delete_on_termination=True, volume_size=5, device_name="vda"),
        disk("snapshot", {"get_input": "word"}, boot_index=-1, device_name="vdb"),
    ]
    assert places(result, "BPC307") == [("block_device_mapping", 1, key) for key in ("volume_id", "volume_size")]


@pytest.mark.parametrize(
    ("image", "devices", "code"),
    [
        ("", "[{device_name: vda, volume_id: v}, {device_name: vdb}]", "BPC756"),
        (IMAGE, "[{device_name: vda, volume_id: v}, {device_name: vdb}]", "BPC302"),
        ("", "{get_param: many}", "BPC756"),
        (IMAGE, "{get_param: many}", "BPC302"),
        ("", "[{get_param: many}]", "BPC756"),
        (IMAGE, "[]", ""),
    ],
)
def test_devices_of_the_first_version_that_are_lost(image: str, devices: str, code: str) -> None:
    result = server(f"{image}block_device_mapping: {devices}")
    assert "kwargs" not in config(result)
    assert places(result, "BPC756") == [("block_device_mapping",)] * (code == "BPC756")
    assert places(result, "BPC302") == [("block_device_mapping",)] * (code == "BPC302")
    assert places(result, "BPC797") == []
    if code == "BPC302":
        assert message(result, code) == (
            "property 'block_device_mapping' of OS::Nova::Server has no counterpart:"
            " the plugin knows the second version only"
        )
    elif code:
        assert message(result, code) == (
            "'web' has no image, and its 'block_device_mapping' has no counterpart: it cannot boot,"
            " as the plugin knows the second version only"
        )


def test_the_second_version_goes_before_the_first() -> None:
    old, new = "block_device_mapping: [{device_name: vda, volume_id: v}]", "block_device_mapping_v2: [{volume_id: w}]"
    result = server(f"{old}, {new}")
    assert written(result) == [disk("volume", "w")]
    assert places(result, "BPC302") == [("block_device_mapping",)]
