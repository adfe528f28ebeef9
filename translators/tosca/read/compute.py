"""Machines. TOSCA asks for so much of a machine, OpenStack wants the names of a flavor and of an image: nothing is
guessed, inputs ask for these, with the request in words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Value
from bpconvert.models.input_requests import InputRequest
from bpconvert.models.topology import Node
from bpconvert.translators.tosca.read import sizes, tacker
from bpconvert.translators.tosca.read.making import Given, NodeBuilder
from bpconvert.translators.tosca.read.raw import Artifact, RawNode
from bpconvert.translators.tosca.read.types import ARTIFACT
from bpconvert.translators.tosca.vocabulary import ADDRESSES

SERVER: Final = "OS::Nova::Server"
#: a machine that exists already
DEPLOYED: Final = "OS::Heat::DeployedServer"
_EXISTS: Final = "compute"
IMAGE_FILE: Final = "tosca.artifacts.Deployment.Image.VM"
#: capabilities that ask for a flavor, of the standard and of Tacker's older types
_HOSTS: Final = ("nfv_compute", "host")
#: properties of a server with which it needs no image
_BOOTS: Final = ("image", "block_device_mapping", "block_device_mapping_v2")
#: what images are kept as, by the end of the file's name (Glance: ``disk_format``)
_FORMATS: Final = ("qcow2", "raw", "vmdk", "vdi", "vhd", "vhdx", "iso", "aki", "ari", "ami")


def server(making: NodeBuilder, raw: RawNode) -> None:
    """A node of type Compute, or of one derived from that. Properties with the name of one of Nova's are that where a
    type of the standard or of Tacker has them, or where no one else calls anything so."""
    address = _address(making, raw)
    if address is not None:
        _existing(making, raw, address)
        return
    properties = making.properties(raw, making.types_of("server").unambiguous)
    node = making.resource(raw, SERVER, making.properties_of(properties, SERVER))
    if raw.existing is MISSING:
        request(making, raw, node)


#: what can be an address, or the name of a host
_HOST: Final = re.compile(r"[0-9A-Za-z][0-9A-Za-z.:_-]*")


def _address(making: NodeBuilder, raw: RawNode) -> Given | None:
    """The address that a template or its type gives a machine, which then exists already; None for one that is to be
    made: it has none, or asks for a size."""
    if any(name in raw.assigned.get(key, {}) for key in _HOSTS for name in _NEEDS):
        return None
    for row, place in ((raw.attributes, (*raw.path, "attributes")), (raw.initial, raw.path)):
        for name in ADDRESSES:
            value = row.get(name)
            if isinstance(value, ex.Expr) or (isinstance(value, str) and _HOST.fullmatch(value)):
                return Given(value, (*place, name) if row is raw.attributes else place)
    return None


def _existing(making: NodeBuilder, raw: RawNode, address: Given) -> None:
    """A machine that exists already: it is not made, programs run on it."""
    node = making.resource(raw, DEPLOYED, {})
    node.kind, node.source_type, node.shows, node.properties = _EXISTS, DEPLOYED, None, {}
    node.address = address.value
    node.origins["address",] = address.place
    for name in making.properties(raw):
        making.described.add((*raw.path, "properties", name))
    making.described.update((*raw.path, "capabilities", name) for name in raw.assigned)
    places = [(*raw.path, "attributes", name) for name in ADDRESSES if name in raw.attributes]
    making.taken.update(places)
    for place in places or [raw.path]:
        making.report("BPC865", place, node=raw.written)


def request(making: NodeBuilder, raw: RawNode, node: Node, *, always: bool = True) -> None:
    """What the capabilities of a machine ask for. ``always``: where they ask for nothing, inputs do."""
    host = {name: entry for key in _HOSTS for name, entry in making.capability(raw, key).items()}
    system = making.capability(raw, "os")
    if "flavor" not in node.properties and (always or raw.assigned.get("host")):
        _ask_flavor(making, raw, node, host)
    elif host:
        _unused(making, raw, host, "flavor")
    if "image" in system and not any(name in node.properties for name in _BOOTS):
        making.put(node, "image", making.read(system["image"]))  # INDIGO's types have the name of it there
    asks = always or any(raw.assigned.get(name) for name in (*_HOSTS, "os"))
    if asks and not any(name in node.properties for name in _BOOTS):
        _ask_image(making, raw, node, system)
    elif system:
        _unused(making, raw, system, "image")
    scale(making, raw, node)


def _unused(making: NodeBuilder, raw: RawNode, asked: Mapping[str, Given], what: str) -> None:
    for name in _NEEDS if what == "flavor" else _PARTS:
        if name in asked and asked[name].place != raw.path:
            making.taken.add(asked[name].place)
            making.report("BPC813", asked[name].place, name=name, node=raw.name, what=what)


# -- flavor ---------------------------------------------------------------------------------------------------

#: property of the capability ``host`` -> unit, and what there is of it in words
_NEEDS: Final = {
    "num_cpus": (0, "CPU"),
    "mem_size": (sizes.MIB, "MiB of memory"),
    "disk_size": (sizes.GIB, "GiB of disk"),
}
_AS_MUCH: Final = {"num_cpus": "as many CPUs", "mem_size": "as much memory", "disk_size": "as much disk"}


#: property of the capability ``host`` -> what it is in a request
_SIZES: Final = {"num_cpus": "cpus", "mem_size": "ram", "disk_size": "disk"}


def _ask_flavor(making: NodeBuilder, raw: RawNode, node: Node, host: Mapping[str, Given]) -> None:
    words = ", ".join(_need(making, name, host[name].value) for name in _NEEDS if name in host)
    path, text = _place(raw, "host"), _described("flavor", raw, words and f"at least {words}")
    wanted = {_SIZES[name]: _number(host[name].value, _NEEDS[name][0]) for name in _NEEDS if name in host}
    asked = InputRequest("flavor", wanted if None not in wanted.values() else None, raw.written, words or "a machine")
    part = (tacker.MACHINES, raw.name, "computeFlavourId")
    flavor_input = making.ask(f"{raw.written}_flavor", text, path, "nova.flavor", asked=asked, part=part)
    making.put(node, "flavor", Given(flavor_input, path))
    making.taken.update(host[name].place for name in _NEEDS if name in host)


def _number(value: Value, unit: int) -> Value:
    """A number of CPUs, or of GiB, in whole ones of a unit; None for what is none."""
    if isinstance(value, ex.Expr):
        return value
    if unit:
        number = sizes.rounded_up(value, unit)
        return None if number is None else number * unit / sizes.GIB
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def _need(making: NodeBuilder, name: str, value: Value) -> str:
    unit, noun = _NEEDS[name]
    if isinstance(value, ex.Expr):
        return f"{_AS_MUCH[name]} as {_source(making, value)}"
    if not unit:
        return f"{value} {noun}" if value == 1 and not isinstance(value, bool) else f"{value} {noun}s"
    number = sizes.rounded_up(value, unit)
    return f"{value} of {noun.rpartition(' ')[2]}" if number is None else f"{number} {noun}"


def _source(making: NodeBuilder, value: ex.Expr) -> str:
    """What gives a size, with its default."""
    if not isinstance(value, ex.Input):
        return "the template"
    declared = making.topology.inputs.get(str(value.name))
    usual = declared.default if declared is not None and not value.keys else MISSING
    unit = " GiB" if declared is not None and declared.unit else ""
    return f"input '{value.name}'" + (f" ({usual}{unit})" if isinstance(usual, (int, float)) else "")


def _described(what: str, raw: RawNode, words: str) -> str:
    return f"{what} of {raw.written}: {words}" if words else f"{what} of {raw.written}"


def _place(raw: RawNode, capability: str) -> ex.Path:
    return (*raw.path, "capabilities", capability) if capability in raw.assigned else raw.path


# -- image ----------------------------------------------------------------------------------------------------

_PARTS: Final = ("architecture", "type", "distribution", "version")


def _ask_image(making: NodeBuilder, raw: RawNode, node: Node, system: Mapping[str, Given]) -> None:
    file = next((artifact for artifact in raw.artifacts.values() if is_image(making, artifact)), None)
    if file is not None and _image_of_file(making, raw, node, file):
        return
    parts = {name: _word(making, system[name].value) for name in _PARTS if name in system}
    version = parts.pop("version", "")
    every = list(parts.values())
    if version and list(parts)[-1:] == ["distribution"]:
        every[-1] += f" {version}"
    elif version:
        every.append(f"version {version}")
    words, path = ", ".join(every), _place(raw, "os")
    wanted = {name: system[name].value for name in _PARTS if name in system}
    asked = InputRequest("image", wanted, raw.written, f"an image with {words}" if words else "a machine")
    text, part = _described("image", raw, words), (tacker.MACHINES, raw.name, "vcImageId")
    image_input = making.ask(f"{raw.written}_image", text, path, "glance.image", asked=asked, part=part)
    making.put(node, "image", Given(image_input, path))
    making.taken.update(system[name].place for name in _PARTS if name in system)


def is_image(making: NodeBuilder, artifact: Artifact) -> bool:
    """True for an artifact of the standard's types of images, or of one derived from them."""
    if not artifact.type:
        return False
    ancestry = making.types.ancestry(ARTIFACT, making.types.normal(ARTIFACT, artifact.type))
    return any(name.startswith(IMAGE_FILE) for name in (artifact.type, *ancestry))


def _word(making: NodeBuilder, value: Value) -> str:
    return f"as in {_source(making, value)}" if isinstance(value, ex.Expr) else str(value)


def _image_of_file(making: NodeBuilder, raw: RawNode, node: Node, artifact: Artifact) -> bool:
    """The image that a file is: of one at an address, Glance makes one; else an input has its name."""
    place = (*artifact.path, "file")
    if not isinstance(artifact.file, str) or not artifact.file:
        return False
    raw.artifacts.pop(artifact.name)
    name, _, end = artifact.file.rpartition("/")[2].rpartition(".")
    name = name or end
    if "://" in artifact.file and end.lower() in _FORMATS:
        properties = {
            "name": name,
            "location": artifact.file,
            "container_format": "bare",
            "disk_format": end.lower(),
        }
        image = making.resource(
            raw,
            "OS::Glance::WebImage",
            {key: Given(value, place) for key, value in properties.items()},
            f"{raw.name}_image",
        )
        making.put(node, "image", Given(ex.Identity(image.name, path=place), place))
        making.report("BPC814", place, node=raw.name, file=artifact.file, what=f"Glance makes the image '{name}' of it")
        return True
    words = f"made of the file {artifact.file}"
    image_input = making.ask(f"{raw.written}_image", _described("image", raw, words), place, "glance.image")
    making.topology.inputs[str(image_input.name)].default = name
    making.put(node, "image", Given(image_input, place))
    making.report(
        "BPC814", place, node=raw.name, file=artifact.file, what=f"input '{image_input.name}' has the name '{name}'"
    )
    return True


# -- how many -------------------------------------------------------------------------------------------------


_UNBOUNDED: Final = "UNBOUNDED"


def scale(making: NodeBuilder, raw: RawNode, node: Node) -> None:
    """How many there are of a node: capability ``scalable``. One of it, and never more, is nothing to note."""
    asked = making.capability(raw, "scalable")
    numbers: dict[str, Any] = {}
    for name in ("min_instances", "max_instances", "default_instances", "count"):
        entry = asked.get(name)
        if entry is None:
            continue
        is_open = name == "max_instances" and entry.value == _UNBOUNDED
        number = ex.MISSING if is_open else sizes.number(entry.value)
        if number is not None:  # anything else is reported as what has no counterpart
            making.taken.add(entry.place)
            numbers[name] = number
    least, most = numbers.get("min_instances", 1), numbers.get("max_instances", 1)
    usual = numbers.get("default_instances", numbers.get("count", least))
    place = (*_place(raw, "scalable"), "properties") if "scalable" in raw.assigned else raw.path
    if (least, most, usual) == (1, 1, 1):
        return
    node.instances = usual
    if not (least == most == usual) and set(numbers) & {"min_instances", "max_instances"} and "count" not in numbers:
        node.limits = (least, most)
    node.origins["instances",] = place
