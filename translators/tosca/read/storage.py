"""Volumes, what attaches them to servers, and stores of objects."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from bpconvert.models import expressions as ex
from bpconvert.models.topology import Node
from bpconvert.translators.tosca.read import sizes
from bpconvert.translators.tosca.read.making import Given, NodeBuilder, is_volume
from bpconvert.translators.tosca.read.raw import RawNode, RawRequirement

VOLUME: Final = "OS::Cinder::Volume"
ATTACHMENT: Final = "OS::Cinder::VolumeAttachment"
CONTAINER: Final = "OS::Swift::Container"
ATTACHES_TO: Final = "tosca.relationships.AttachesTo"
#: what has to be there in place of a size
_SOURCES: Final = ("snapshot_id", "image", "imageRef", "source_volid", "backup_id")
#: Cinder refuses a volume of less, in GiB
_LEAST: Final = 1
#: how the types of containers and of what runs them begin
_CONTAINERS: Final = "tosca.nodes.Container."
#: names of devices that Nova takes (nova/block_device.py, ``validate_device_name`` with the schema of its API)
_DEVICE: Final = re.compile(r"(^/dev/x{0,1}[a-z]{0,1}d{0,1})([a-z]+)[0-9]*$")


def volume(making: NodeBuilder, raw: RawNode) -> None:
    """A volume; one with an id exists already. What containers alone have is none."""
    if _is_of_containers(making, raw):
        making.visible(raw)
    else:
        _volume(making, raw)


def volume_that_may_stay(making: NodeBuilder, raw: RawNode) -> None:
    """Yorc's volume: as the standard's, one that is not to be deleted stays."""
    properties = making.properties(raw)
    _volume(making, raw)
    node, kept = making.nodes.get(raw.name), properties.get("deletable")
    if node is not None and kept is not None and isinstance(kept.value, bool):
        making.taken.add(kept.place)
        if not kept.value:
            node.extra["deletion_policy"] = "Retain"


def _volume(making: NodeBuilder, raw: RawNode) -> None:
    properties = making.properties(raw)
    existing = making.take(properties, "volume_id")
    if existing is not None:
        making.exists(raw, existing)
        return
    own = making.properties_of(properties, VOLUME, frozenset({"size"}))
    size = making.take(properties, "size")
    if size is not None:
        own["size"] = gib(making, raw, size)
    node = making.resource(raw, VOLUME, own)
    if not any(name in own for name in ("size", *_SOURCES)):
        ask_size(making, raw, node)


def _is_of_containers(making: NodeBuilder, raw: RawNode) -> bool:
    """True for a volume that containers alone have: their engine makes it, out of a folder of its machine for one."""
    users = making.users(raw.name)
    return bool(users) and all(any(type.startswith(_CONTAINERS) for type in user.ancestry) for user in users)


def ask_size(making: NodeBuilder, raw: RawNode, node: Node) -> None:
    """Let an input ask for the size of a volume."""
    asked = making.ask(f"{raw.name}_size", f"size of {raw.name} in GiB", raw.path, type="number")
    making.put(node, "size", Given(asked, raw.path))
    making.report("BPC816", raw.path, node=raw.name, what="size", input=asked.name)


def gib(making: NodeBuilder, raw: RawNode, size: Given) -> Given:
    """A size as a number of GiB; so is the input that gives one as a text."""
    value = size.value
    declared = making.topology.inputs.get(str(value.name)) if isinstance(value, ex.Input) and not value.keys else None
    if declared is not None and declared.type == "string":
        sizes.count_gib(declared)
    if declared is not None and declared.unit and declared.default == 0:
        declared.default = _LEAST
        making.report("BPC817", declared.path, name="default", node=declared.name, given="0", made=f"{_LEAST} GiB")
    number = sizes.rounded_up(size.value, sizes.GIB)
    if number is None:
        return size
    least = max(number, _LEAST)
    if least != number or not sizes.is_exact(size.value, sizes.GIB):
        making.report("BPC817", size.place, name=size.place[-1], node=raw.name, given=size.value, made=f"{least} GiB")
    return Given(least, size.place)


def container(making: NodeBuilder, raw: RawNode) -> None:
    """A store of objects. Its greatest size is a quota; the first one means nothing to Swift."""
    properties = making.properties(raw)
    store(making, raw, properties, properties.get("maxsize"))


def store(making: NodeBuilder, raw: RawNode, properties: Mapping[str, Given], most: Given | None) -> None:
    """A container with a quota: ``most`` is its greatest size."""
    own = making.properties_of(properties, CONTAINER)
    number = sizes.rounded_up(most.value, 1) if most is not None else None
    if most is not None and number is not None:
        making.taken.add(most.place)
        own["X-Container-Meta"] = Given({"Quota-Bytes": str(number)}, most.place)
    making.resource(raw, CONTAINER, own)


# -- attachments ----------------------------------------------------------------------------------------------


def is_attachment(making: NodeBuilder, raw: RawNode, requirement: RawRequirement) -> bool:
    """True for what attaches a volume to a server."""
    if requirement.target is None or making.kind(raw.name) != "server":
        return False
    target = making.raw[requirement.target]
    there = making.kind(target.name) == "volume" or (target.name in making.existing and is_volume(target))
    return there and (ATTACHES_TO in requirement.ancestry or requirement.name in ("local_storage", "volume"))


def attach(making: NodeBuilder, raw: RawNode, requirement: RawRequirement) -> None:
    """The attachment, named after its relationship template if it has one."""
    target = str(requirement.target)
    wanted = requirement.template or f"{raw.name}_{target}_attachment"
    base = (
        ("relationship_templates", requirement.template)
        if requirement.template
        else (*requirement.path, "relationship")
    )
    own = {
        "volume_id": Given(making.reference(target, requirement.path), requirement.path),
        "instance_uuid": Given(ex.Identity(raw.name, path=requirement.path), requirement.path),
    }
    for name, value in requirement.properties.items():
        place = (*base, "properties", name)
        if value is None or (name == "location" and value == ""):
            making.taken.add(place)
            continue
        if name in ("mountpoint", "device") or (name == "location" and _is_device(making, value, requirement)):
            own["mountpoint"] = Given(value, place)
            making.taken.add(place)
        else:
            why = (
                "it is a path in the file system of the machine, Nova wants the name of a device"
                if name == "location"
                else ""
            )
            making.carried(place, name, wanted, why)
    making.taken.update({requirement.path, base})
    path = base if requirement.template else requirement.path[:4]
    making.resource(raw, ATTACHMENT, own, wanted, path)


def _is_device(making: NodeBuilder, value: ex.Value, requirement: RawRequirement) -> bool:
    """True for a location that is the name of a device, and where no other property gives one."""
    if any(requirement.properties.get(name) is not None for name in ("mountpoint", "device")):
        return False
    if isinstance(value, ex.Input) and isinstance(value.name, str) and not value.keys:
        declared = making.topology.inputs.get(value.name)
        value = declared.default if declared is not None else value
    return isinstance(value, str) and _DEVICE.match(value) is not None
