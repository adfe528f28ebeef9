"""Volumes: what they are attached to, and what servers boot from."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.topology import Node
from bpconvert.translators.catalogue.model import PropertyRule
from bpconvert.translators.cloudify.openstack.property_paths import Reading
from bpconvert.translators.passes.expressions.choices import each_outcome

if TYPE_CHECKING:
    from bpconvert.translators.cloudify.openstack.arrangement import Reshaping
    from bpconvert.translators.cloudify.openstack.drafts import NodeDraft
    from bpconvert.translators.cloudify.openstack.protocols import Writing
    from bpconvert.translators.cloudify.openstack.read_nodes import ReadNodes

# -- writing ------------------------------------------------------------------------------------------------


def prepare_devices(arrangement: Reshaping, node: Node, name: str) -> None:
    """Heat looks up the names of images (heat: nova/server.py, ``translation_rules``), the plugin only those of nodes.
    The 2.x plugin would boot from an image that a server is connected to."""
    devices = node.properties.get(name)
    if not isinstance(devices, list) or arrangement.generation2:
        return
    for index, device in enumerate(devices):
        for key in _IMAGES & device.keys() if isinstance(device, dict) else ():
            if arrangement.may_be_name(device[key]):
                image = arrangement.external("image", device[key], node, node.origin(name, index, key))
                devices = [
                    {**device_entry, key: image} if device_entry is device else device_entry for device_entry in devices
                ]
    node.properties[name] = devices


def write_devices(writing: Writing, draft: NodeDraft, rule: PropertyRule, value: Value, source: Path) -> None:
    """Heat's device maps as the compute API's own (heat: nova/server.py, ``_build_block_device_mapping_v2``)."""
    from bpconvert.translators.passes.expressions import branches

    value = branches.otherwise(value, [])  # without devices there is nothing to map
    draft.put(tuple((rule.to or "").split(".")), _written_devices(writing, draft, rule, value, source), source)


def _written_devices(writing: Writing, draft: NodeDraft, rule: PropertyRule, value: Value, source: Path) -> Value:
    chosen = writing.by_branch(value, source, lambda part, at: _written_devices(writing, draft, rule, part, at))
    if chosen is not MISSING:
        return chosen
    if not isinstance(value, list):
        return writing.shaped_item(draft, rule, value, source)
    devices = [_written_device(writing, draft, rule, item, (*source, index)) for index, item in enumerate(value)]
    return [device for device in devices if device]


def write_old_devices(writing: Writing, draft: NodeDraft, rule: PropertyRule, value: Value, source: Path) -> None:
    """Devices of the first version: each is a volume, or a snapshot before that (heat: nova/server.py,
    ``_build_block_device_mapping``). Nova boots from the one whose name is that of the root device, else from the image
    (nova: block_device.py, ``from_legacy_mapping``)."""
    every = value if isinstance(value, list) else []
    items = [item for item in every if isinstance(item, dict) and _OLD & item.keys()]
    newer = draft.node.properties.get("block_device_mapping_v2")
    if not items or newer or len(items) < len(every):
        if value != []:
            _not_written(writing, draft, source, newer)
        return
    devices: list[Value] = []
    alone = draft.node.properties.get("image") is None
    root = _root(items)
    for index, item in enumerate(items):
        key = "snapshot_id" if item.get("snapshot_id") else "volume_id"
        boots = alone and index == root
        device = dict(_DEVICES[key][1]) | {"boot_index": 0 if boots else -1}
        for name, part in item.items():
            place = (*source, index, name)
            if part is None or part == "":
                writing.report("BPC307", place, name=name)
            else:  # Heat refuses both a volume and a snapshot
                device["uuid" if name == key else name] = writing.rewriter.value(part, place)
        devices.append(device)
    draft.put(tuple((rule.to or "").split(".")), devices, source)
    writing.report("BPC797", source, name=draft.node.name)


def _root(items: list[dict[Any, Value]]) -> int:
    """The place of the device whose name is that of the root device, as Nova takes it (nova: compute/api.py,
    ``_check_and_transform_bdm``); the first place where there is none, or several, or that is not known."""
    names = [item.get("device_name") for item in items]
    roots = [place for place, name in enumerate(names) if str(name).removeprefix("/dev/") == _ROOT]
    is_known = all(isinstance(name, str) and name for name in names)
    return roots[0] if is_known and len(roots) == 1 else 0


def _not_written(writing: Writing, draft: NodeDraft, source: Path, newer: Value) -> None:
    """Report devices of the first version that cannot be written; ``newer``: those of the second version."""
    why = "the plugin knows the second version only"
    if newer or draft.node.properties.get("image") is not None:
        writing.report("BPC302", source, name=source[-1], type=draft.node.source_type, why=why)
    else:
        writing.report("BPC756", source, node=draft.node.name, name=source[-1], why=why)


#: the name of the root device where nobody gives another one
_ROOT = "vda"
#: what a device of the first version is made of
_OLD = {"volume_id", "snapshot_id"}


def _written_device(writing: Writing, draft: NodeDraft, rule: PropertyRule, item: Value, source: Path) -> Value:
    """One device: of the keys that say what it is, Heat takes the first one, in the order of :data:`_DEVICES`."""
    chosen = writing.by_branch(item, source, lambda part, at: _written_device(writing, draft, rule, part, at))
    if chosen is not MISSING:
        return chosen
    if not isinstance(item, dict):
        return writing.shaped_item(draft, rule, item, source)
    report = writing.report
    first = next((key for key in _DEVICES if item.get(key)), None)
    if first is None:
        report("BPC120", source, problem="a block device has to have a volume, snapshot, image, swap or ephemeral disk")
        return {}
    _, meant = _DEVICES[first]
    device = dict(meant)
    for key, part in sorted(item.items(), key=lambda pair: pair[0] in _KEPT):  # which go over what others mean
        place = (*source, key)
        kind = _DEVICES.get(key)
        if part is None or (part == "" and key not in _KEPT):
            report("BPC307", place, name=key)
        elif kind is not None and kind[1] == meant:
            if key in _IMAGES:
                part = writing.looked_up(draft, key, part, place)
            device[kind[0]] = writing.rewriter.value(part, place)
        elif kind is not None:
            report("BPC335", place, name=key, other=first)
        elif key in _KEPT:
            device[key] = writing.rewriter.value(part, place)
        else:
            report("BPC301", place, name=key, type=draft.node.source_type)
    _check_boot(writing, draft, item[first], device, (*source, first))
    return device


def _check_boot(writing: Writing, draft: NodeDraft, disk: Value, device: dict[str, Value], source: Path) -> None:
    """Report a server without an image whose device to boot from is a stand-in."""
    name = disk.node if isinstance(disk, (ex.Identity, ex.Attribute)) else None
    boot_node = writing.topology.nodes.get(name) if isinstance(name, str) else None
    boots = device.get("boot_index") == 0 and draft.node.properties.get("image") is None
    if boot_node is not None and boot_node.stand_in and boots:
        why = f"'{boot_node.name}' is a stand-in"
        writing.report("BPC756", source, node=draft.node.name, name="block_device_mapping_v2", why=why)


#: keys of a device that name an image
_IMAGES = {"image", "image_id"}


def _volume(source: str) -> dict[str, Value]:
    return {"source_type": source, "destination_type": "volume", "boot_index": 0, "delete_on_termination": False}


_LOCAL: dict[str, Value] = {
    "source_type": "blank", "destination_type": "local", "boot_index": -1, "delete_on_termination": True,
}  # fmt: skip
#: key -> where its value goes, and what else the key means
_DEVICES: dict[str, tuple[str, dict[str, Value]]] = {
    "volume_id": ("uuid", _volume("volume")),
    "snapshot_id": ("uuid", _volume("snapshot")),
    "image": ("uuid", _volume("image")),
    "image_id": ("uuid", _volume("image")),
    "swap_size": ("volume_size", {**_LOCAL, "guest_format": "swap"}),
    "ephemeral_size": ("volume_size", _LOCAL),
    "ephemeral_format": ("guest_format", _LOCAL),
}
#: keys of both engines, over what another key of a device means
_KEPT = ("device_name", "device_type", "disk_bus", "boot_index", "volume_size", "delete_on_termination", "volume_type")


# -- reading ------------------------------------------------------------------------------------------------


def read_devices(reading: Reading, name: str, rule: PropertyRule) -> None:
    """The compute API's device maps as Heat's."""
    entry = reading.entry(rule)
    if entry is None:
        return
    if not isinstance(entry.value, (ex.Expr, list)):
        reading.report("BPC353", entry.place, name=name)
        return
    devices = _devices(reading, name, entry.value, entry.place)
    if devices:
        reading.put(name, devices, entry.place)


def _devices(reading: Reading, name: str, value: Value, place: Path) -> Value:
    """The devices of a list, in each case of a choice, or of what only a call yields."""
    if isinstance(value, ex.If):
        return each_outcome(value, lambda part: _devices(reading, name, part, place))
    if isinstance(value, ex.Expr):
        reading.report("BPC427", place, name=name)
        return _computed(value)
    if not isinstance(value, list):
        return value
    devices = [_read_device(reading, item, (*place, i)) for i, item in enumerate(value)]
    return [device for device in devices if device]


#: source_type -> the key that Heat has for ``uuid``
_SOURCES = {"volume": "volume_id", "snapshot": "snapshot_id", "image": "image"}


def _computed(devices: ex.Expr | list[Value]) -> ex.Query:
    """Devices that only a call yields; those of Heat have a default for ``boot_index`` that the API has not."""
    return ex.Query(_DEVICE_KEYS, {"devices": devices}, path=devices.path if isinstance(devices, ex.Expr) else ())


_DEVICE_KEYS = (
    "$.data.devices.select(let(device => $) -> dict(boot_index => -1) + dict($.items().where($[0] in [device_name, "
    "device_type, disk_bus, boot_index, volume_size, delete_on_termination, volume_type] and $[1] != null and "
    "($[0] != volume_size or $device.source_type != blank))) + switch("
    "$.source_type = volume => dict(volume_id => $.uuid), $.source_type = snapshot => dict(snapshot_id => $.uuid), "
    "$.source_type = image => dict(image => $.uuid), $.get(guest_format) = swap => dict(swap_size => $.volume_size), "
    "true => dict(ephemeral_size => $.volume_size, ephemeral_format => $.get(guest_format))))"
)


def _read_device(reading: Reading, item: Value, place: Path) -> Value:
    if isinstance(item, ex.Expr):
        reading.report("BPC427", place, name="block_device_mapping_v2")
        computed = _computed([item])
        return ex.Query(f"{computed.expression}.first()", computed.data, path=item.path)
    if not isinstance(item, dict):
        reading.report("BPC353", place, name="block_device_mapping_v2")
        return {}
    settings = {key: value for key, value in item.items() if value is not None}
    source, swap = settings.get("source_type"), settings.get("guest_format") == "swap"
    key = _SOURCES.get(source) if isinstance(source, str) else None
    if key is not None and "uuid" in settings:
        heat = {key: settings.pop("uuid")}
        row = key
    elif source == "blank" and settings.get("destination_type", "local") == "local" and "volume_size" in settings:
        row = "swap_size" if swap else "ephemeral_size"
        heat = {row: settings.pop("volume_size")}
        if "guest_format" in settings and not swap:
            heat["ephemeral_format"] = settings.pop("guest_format")
    else:
        reading.lost("block_device_mapping_v2", place, "no other language can say such a block device")
        return {}
    _, meant = _DEVICES[row]
    if meant.get("boot_index") == 0 and "boot_index" not in settings:
        heat["boot_index"] = -1  # what no index means to the compute API; Heat takes 0
    if row == "image" and "destination_type" not in settings:
        reading.lost("destination_type", place, "a volume is made of the image")
    for part, value in settings.items():
        if part in meant and str(value) == str(meant[part]):
            continue
        if part in _KEPT:
            heat[part] = value
        else:
            reading.lost(str(part), (*place, part), "the kind of the device decides it")
    return heat


def boot(state: ReadNodes, server: Node, volume: str, path: Path) -> bool:
    """A server boots from a volume that it has a relationship to, if that is bootable."""
    other = state.nodes[volume]
    is_bootable = {"image", "snapshot_id", "source_volid"} & other.properties.keys() or other.declared.get(
        "boot"
    ) is True
    is_bootable = is_bootable or any(
        state.kind_of(relationship.target) == "image" for relationship in state.raw[volume].relationships
    )
    if not is_bootable and not other.exists:
        return False
    if server.exists:
        state.report("BPC418", path, target=volume, name=server.name)
        return True
    name = "block_device_mapping_v2"
    items = server.properties.setdefault(name, [])
    if not isinstance(items, list):
        state.report("BPC410", path, target=volume, name=name)
        return False
    item: dict[str, Value] = {"volume_id": ex.Identity(volume, path=path), "delete_on_termination": True}
    if not any(isinstance(entry, dict) and entry.get("volume_id") == item["volume_id"] for entry in items):
        server.origins[name, len(items)] = path
        device = other.declared.get("device_name")
        if device not in (None, "", "auto"):
            item["device_name"] = device
            state.devices.add(volume)
        items.append(item)
    if other.exists:
        state.report("BPC415", path, target=volume, name=name, what="the volume is bootable")
    return True


def number(state: ReadNodes, server: Node) -> None:
    """Which of several things a server boots from. Heat takes one: an image beside a device that is booted from is left
    out, and the volumes of relationships come in their order."""
    name = "block_device_mapping_v2"
    items = server.properties.get(name)
    if not isinstance(items, list):
        return
    related = [(place, item) for i, item in enumerate(items) if (place := server.origins.get((name, i))) is not None]
    own = [item for i, item in enumerate(items) if (name, i) not in server.origins and isinstance(item, dict)]
    disks = {"volume_id", "snapshot_id", "image"}
    indexes = [item.get("boot_index", 0) for item in own if item.keys() & disks]
    taken = {index for index in indexes if type(index) is int}
    if 0 in taken and server.properties.get("image") is not None:  # nova/server.py, _validate_block_device_mapping
        state.report("BPC753", server.origin("image"), name=server.name)
        del server.properties["image"]
    free = (index for index in itertools.count() if index not in taken)
    for place, item in related:
        if server.properties.get("image") is not None:
            item["boot_index"] = -1
            target = getattr(item.get("volume_id"), "node", "")
            state.report("BPC373", place, target=target, name=server.name)
        elif taken or len(related) > 1:
            item["boot_index"] = next(free)
