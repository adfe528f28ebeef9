"""Types of network functions virtualisation (ETSI GS NFV-SOL 001, and those that Tacker had before).

What comes with the request to create an instance (the image, external networks, numbers) is not in a descriptor: inputs
ask for it."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Value
from bpconvert.models.input_requests import InputRequest
from bpconvert.models.topology import Node
from bpconvert.translators.tosca.read import compute, networks, nfv_scaling, sizes, storage, tacker
from bpconvert.translators.tosca.read.making import Given, NodeBuilder
from bpconvert.translators.tosca.read.raw import RawNode

_FLAVOR: Final = "OS::Nova::Flavor"
_QOS: Final = "OS::Neutron::QoSPolicy"
_LIMIT: Final = "OS::Neutron::QoSBandwidthLimitRule"
_SHARE: Final = "OS::Manila::Share"
_CLOUD_CONFIG: Final = "OS::Heat::CloudConfig"
_COMPUTE: Final = "virtual_compute"
_STORAGE: Final = "virtual_storage"


# -- the function ---------------------------------------------------------------------------------------------


def function(making: NodeBuilder, raw: RawNode) -> None:
    """A network function: in the topology that stands for it, it is the whole of that, and no node. What it runs in
    the steps of its life is Tacker's matter; else it has a place only where something uses it."""
    mapped = making.reading.template.substitution_mappings
    own = isinstance(mapped, dict) and mapped.get("node_type") == raw.ancestry[0]
    own = own or (not mapped and raw.is_a(_SERVICE))
    names_used = {
        call.node for call in ex.walk([*making.topology.values()]) if isinstance(call, (ex.Attribute, ex.Property))
    }
    others = [other for other in making.raw.values() if other is not raw]
    names_used |= {
        call.node for other in others for call in ex.walk([other.declared, *_inputs(other)]) if hasattr(call, "node")
    }
    if not own or raw.name in names_used or making.users(raw.name) or (raw.operations and not making.tacker):
        making.visible(raw)
        return
    making.taken |= {(*raw.path, "properties", name) for name in raw.properties}
    names = ", ".join(f"{operation.interface}.{operation.name}" for operation in raw.operations)
    making.report("BPC789", raw.path, node=raw.name, what=f"; Tacker runs {names}" if names else "")


def _inputs(raw: RawNode) -> list[Value]:
    return [operation.inputs for operation in raw.operations]


# -- machines -------------------------------------------------------------------------------------------------


def vdu(making: NodeBuilder, raw: RawNode) -> None:
    """A virtualisation deployment unit: a server with a flavor of its own."""
    properties = making.properties(raw)
    node = making.resource(raw, compute.SERVER, making.properties_of(properties, compute.SERVER))
    asked = making.capability(raw, _COMPUTE)
    if making.tacker:
        _flavor_by_tacker(making, raw, node, asked)
    elif not _flavor(making, raw, node, asked) and "flavor" not in node.properties:
        compute.request(making, raw, node)
    _boot_data(making, node, properties)
    _given_data(making, raw, node, properties)
    _profile(making, node, properties.get("vdu_profile"))
    volumes = _volumes(making, raw, node)
    image(making, raw, node, properties, optional=volumes)


def _profile(making: NodeBuilder, node: Node, profile: Given | None) -> None:
    """The least and the greatest number of a machine, where no policy gives it one."""
    allowed = nfv_scaling.profile(node)
    if profile is None or allowed is None:
        return
    making.taken.update((*profile.place, f"{end}_number_of_instances") for end in ("min", "max"))
    if allowed != (1, 1):
        node.instances = max(allowed[0], 1)
        node.limits = allowed if allowed[0] < allowed[1] else (MISSING, MISSING)
        if making.tacker and allowed[0] < allowed[1]:
            node.instances = tacker.capacity(making.topology, node.name, profile.place, making.reading.findings)
        node.origins["instances",] = profile.place


def _sizes(making: NodeBuilder, asked: Mapping[str, Given]) -> dict[str, Given]:
    """What a flavor has, as far as a machine is to have it."""
    own: dict[str, Given] = {}
    cpus = making.inner(asked.get("virtual_cpu"), "num_virtual_cpu")
    if cpus is not None:
        own["vcpus"] = cpus
    memory = making.inner(asked.get("virtual_memory"), "virtual_mem_size")
    disk = making.inner(asked.get("virtual_local_storage"), 0, "size_of_storage")
    for name, entry, unit in (("ram", memory, sizes.MIB), ("disk", disk, sizes.GIB)):
        number = sizes.rounded_up(entry.value, unit) if entry is not None else None
        if entry is not None and number is not None:
            own[name] = Given(number, entry.place)
    specs = making.inner(asked.get("compute_requirements"), "nova_extra_specs")
    if specs is not None:
        own["extra_specs"] = Given(_parsed(specs.value), specs.place)
    return own


def _flavor_by_tacker(making: NodeBuilder, raw: RawNode, node: Node, asked: Mapping[str, Given]) -> None:
    """The flavor that Tacker gives a machine: the grant names it, else the descriptor in the entry of its further
    capabilities that Tacker reads (``vnfd_utils.py``, ``get_compute_flavor``)."""
    if "flavor" in node.properties:
        compute.request(making, raw, node)
        return
    own = _sizes(making, asked)
    making.taken.update(entry.place for entry in own.values())
    flavor_name = making.inner(asked.get("requested_additional_capabilities"), "properties", tacker.FLAVOR)
    words = ", ".join(f"{name} {entry.value}" for name, entry in own.items()) or "of any size"
    place = (*raw.path, "capabilities", _COMPUTE) if _COMPUTE in raw.assigned else raw.path
    part = (tacker.MACHINES, raw.name, "computeFlavourId")
    flavor_input = making.ask(f"{raw.name}_flavor", f"flavor of {raw.name}: {words}", place, part=part)
    making.put(node, "flavor", Given(flavor_input, place))
    if flavor_name is not None:
        capability = making.inner(asked["requested_additional_capabilities"], "properties")
        making.taken.update((*flavor_name.place[:-1], key) for key in (capability.value if capability else ()))
        making.report("BPC987", flavor_name.place, node=raw.name, what="flavor", name=flavor_name.value, words=words)
    else:
        making.report("BPC986", place, node=raw.name, what="flavor", words=words)


def _flavor(making: NodeBuilder, raw: RawNode, node: Node, asked: Mapping[str, Given]) -> bool:
    """The flavor of a machine, made of what it is to have; False where that does not say it all."""
    own = _sizes(making, asked)
    if not {"vcpus", "ram"} <= own.keys():
        return False
    cpus = own["vcpus"]
    making.taken.update(entry.place for entry in own.values())
    flavor = making.resource(raw, _FLAVOR, own, f"{raw.name}_flavor")
    making.put(node, "flavor", Given(ex.Identity(flavor.name, path=cpus.place), cpus.place))
    return True


def _parsed(value: Value) -> Value:
    """Data that may be written as JSON text."""
    try:
        return json.loads(value) if isinstance(value, str) else value
    except ValueError:
        return value


def _boot_data(making: NodeBuilder, node: Node, properties: Mapping[str, Given]) -> None:
    """The first thing that a machine runs: as text, or a file of the package."""
    data = properties.get("boot_data")
    if data is None or "user_data" in node.properties:
        return
    content = making.inner(data, "content_or_file_data", "content") or making.inner(data, "content")
    if content is None and isinstance(data.value, (str, ex.Expr)):
        content = data
    file = making.inner(data, "content_or_file_data", "source_path")
    if content is None and file is not None and isinstance(file.value, str):
        content = Given(ex.File(file.value, path=file.place), file.place)
    if content is not None:
        making.taken.add(content.place)
        making.put(node, "user_data", content)
        making.put(node, "user_data_format", Given("RAW", content.place))


def _given_data(making: NodeBuilder, raw: RawNode, node: Node, properties: Mapping[str, Given]) -> None:
    """What a machine is told (``meta_data``), and the files that are put into it: by cloud-init, as Nova has not done
    it since 2.57 (nova/server.py: ``personality``), where nothing else is its user data."""
    data = properties.get("meta_data")
    if data is not None and "metadata" not in node.properties:
        making.put(node, "metadata", making.read(data))
    listed = properties.get("inject_files")
    if listed is None or "user_data" in node.properties:
        return
    files: list[Value] = []
    for row in listed.value if isinstance(listed.value, list) else [listed.value]:
        source, target = ((row.get(key) for key in keys) for keys in _FILES) if isinstance(row, dict) else ((), ())
        file, place = next(filter(None, source), None), next(filter(None, target), None)
        if not isinstance(file, str) or not isinstance(place, str):
            return
        files.append({"path": place, "content": ex.File(file, path=listed.place)})
    config = {"cloud_config": Given({"write_files": files}, making.read(listed).place)}
    files_config = making.resource(raw, _CLOUD_CONFIG, config, f"{raw.name}_files")
    making.put(node, "user_data", Given(ex.Identity(files_config.name, path=listed.place), listed.place))
    making.put(node, "user_data_format", Given("RAW", listed.place))


#: what the path of a file, and that on the machine, are called, in the versions of the standard
_FILES: Final = (("source_path",), ("destination_path", "dest_path"))


def _volumes(making: NodeBuilder, raw: RawNode, node: Node) -> bool:
    """The volumes that a machine starts with; True where it boots from one of them."""
    items: list[Any] = []
    boots = False
    own_image = "sw_image_data" in raw.declared or "image" in node.properties
    for requirement in raw.requirements:
        target = making.raw.get(requirement.target) if isinstance(requirement.target, str) else None
        if requirement.name != _STORAGE or target is None or not _is_volume(target):
            continue
        making.taken.add(requirement.path)
        first = not boots and not own_image and "sw_image_data" in target.declared
        boots = boots or first
        # Heat takes no index for 0 (nova/server.py, _validate_block_device_mapping)
        entry = {"volume_id": ex.Identity(target.name, path=requirement.path), "boot_index": 0 if first else -1}
        node.origins["block_device_mapping_v2", len(items)] = requirement.path
        items.append(entry)
    if items:
        node.properties["block_device_mapping_v2"] = items
    return boots


def image(making: NodeBuilder, raw: RawNode, node: Node, properties: Mapping[str, Given], *, optional: bool) -> None:
    """The image comes with the request: an input takes its name. ``optional``: where none is described, none is
    needed."""
    if "image" in node.properties:
        return
    data = properties.get("sw_image_data")
    if data is None and optional:
        return
    words = []
    if data is not None:
        making.taken.add(data.place)
        details = [making.inner(data, key) for key in ("name", "version")]
        words = [str(entry.value) for entry in details if entry is not None and not isinstance(entry.value, ex.Expr)]
    file = next(
        (
            artifact
            for artifact in raw.artifacts.values()
            if artifact.type.startswith("tosca.artifacts.nfv.SwImage") or compute.is_image(making, artifact)
        ),
        None,
    )
    text = " ".join(words)
    if file is not None and isinstance(file.file, str):
        raw.artifacts.pop(file.name)
        text = f"{text}, file {file.file}" if text else f"file {file.file}"
    place = data.place if data is not None else raw.path
    described = f"image of {raw.name}: {text}" if text else f"image of {raw.name}"
    asked = InputRequest("image", None if text else {}, raw.name, text or "a machine")
    part = (tacker.MACHINES, raw.name, "vcImageId")
    image_input = making.ask(f"{raw.name}_image", described, place, "glance.image", asked=asked, part=part)
    making.put(node, "image", Given(image_input, place))
    if making.tacker and making.inner(data, "name") is None:
        making.report("BPC986", place, node=raw.name, what="image", words=text or "any")


# -- volumes --------------------------------------------------------------------------------------------------


def block_storage(making: NodeBuilder, raw: RawNode) -> None:
    """A virtual block storage is a volume, with an image where it has one."""
    properties = making.properties(raw)
    own = making.properties_of(properties, storage.VOLUME, frozenset({"size"}))
    size = making.inner(properties.get("virtual_block_storage_data"), "size_of_storage") or properties.get(
        "size_of_storage"
    )
    if size is not None:
        making.taken.add(size.place)
        own["size"] = storage.gib(making, raw, size)
    node = making.resource(raw, storage.VOLUME, own)
    image(making, raw, node, properties, optional=True)
    if size is None and "image" not in node.properties:
        storage.ask_size(making, raw, node)


def _is_volume(raw: RawNode) -> bool:
    """True for a storage that is a volume of its machine."""
    return any(map(raw.is_a, _VOLUMES)) and "object" not in str(raw.declared.get("type_of_storage", ""))


def any_storage(making: NodeBuilder, raw: RawNode) -> None:
    """A virtual storage of the first versions of the standard says itself what it is."""
    properties = making.properties(raw)
    making.take(properties, "type_of_storage")
    if _is_volume(raw):
        block_storage(making, raw)
        return
    most = making.take(properties, "size_of_storage")
    storage.store(making, raw, properties, most)


def object_storage(making: NodeBuilder, raw: RawNode) -> None:
    """A virtual object storage is a container, its greatest size a quota."""
    properties = making.properties(raw)
    most = making.inner(properties.get("virtual_object_storage_data"), "max_size_of_storage")
    storage.store(making, raw, properties, most or properties.get("max_size_of_storage"))


def file_storage(making: NodeBuilder, raw: RawNode) -> None:
    """A virtual file storage is a share."""
    properties = making.properties(raw)
    data = properties.get("virtual_file_storage_data")
    size, protocol = making.inner(data, "size_of_storage"), making.inner(data, "file_system_protocol")
    own = making.properties_of(properties, _SHARE)
    if size is not None:
        own["size"] = storage.gib(making, raw, making.read(size))
    if protocol is not None and isinstance(protocol.value, str):
        own["share_protocol"] = Given(protocol.value.upper(), making.read(protocol).place)
    making.resource(raw, _SHARE, own)


# -- networks -------------------------------------------------------------------------------------------------


def connection_point(making: NodeBuilder, raw: RawNode) -> None:
    """An internal connection point is a port."""
    properties = making.properties(raw)
    own = making.properties_of(properties, networks.PORT)
    own |= making.renamed(raw, properties, own)
    if "fixed_ips" not in own:
        _addresses(making, raw, properties, own)
    making.resource(raw, networks.PORT, own)


def _addresses(making: NodeBuilder, raw: RawNode, properties: Mapping[str, Given], own: dict[str, Given]) -> None:
    """The addresses of a connection point: those that the descriptor gives; of an external one for Tacker, that
    management assigns (``ip_address_assignment``), those of the request, in their order."""
    items: list[Any] = []
    outside = making.tacker and not any(map(networks.is_link, raw.requirements))
    protocols = properties.get("protocol")
    for protocol in _rows(making, protocols):
        for row in _rows(making, making.inner(protocol, "address_data")):
            data = making.inner(row, "l3_address_data")
            fixed, assigned = (making.inner(data, key) for key in ("fixed_ip_address", "ip_address_assignment"))
            count = making.inner(data, "number_of_ip_address")
            if fixed is not None:
                making.taken.add(fixed.place)
                items += [
                    {"ip_address": ip} for ip in (fixed.value if isinstance(fixed.value, list) else [fixed.value])
                ]
            elif outside and assigned is not None and assigned.value is True:
                making.taken.update(part.place for part in (assigned, count) if part is not None)
                for _ in range(count.value if count is not None and isinstance(count.value, int) else 1):
                    part = (tacker.POINTS, raw.name, "fixed_ips", len(items), "ip_address")
                    name = f"{raw.name}_address_{len(items)}"
                    items.append({"ip_address": making.ask(name, f"address of {raw.name}", assigned.place, part=part)})
            else:
                continue
            told = [(assigned, True), (making.inner(row, "address_type"), "ip_address")]
            told.append((making.inner(data, "floating_ip_activated"), False))
            making.described.update(part.place for part, value in told if part is not None and part.value == value)
    if items and protocols is not None:
        own["fixed_ips"] = Given(items, protocols.place)


def _rows(making: NodeBuilder, listed: Given | None) -> list[Given]:
    """The items of a list, each with its place."""
    number = len(listed.value) if listed is not None and isinstance(listed.value, list) else 0
    return [entry for index in range(number) if (entry := making.inner(listed, index)) is not None]


def virtual_link(making: NodeBuilder, raw: RawNode) -> None:
    """A virtual link of a network function: a network, its subnet, and the greatest rate of its ports."""
    properties = making.properties(raw)
    data = making.inner(properties.get("vl_profile"), "virtual_link_protocol_data", 0)
    lower, upper = making.inner(data, "l2_protocol_data"), making.inner(data, "l3_protocol_data")
    own = making.properties_of(properties, networks.NET)
    provided = {key: entry for key in networks.PROVIDES if (entry := making.inner(lower, key)) is not None}
    type = networks.PROVIDER if "network_type" in provided else networks.NET
    if type == networks.PROVIDER:
        own |= provided
        making.taken.update(entry.place for entry in provided.values())
        networks.keep_private(making, raw, own)
    name = making.inner(lower, "name")
    if name is not None:
        own["name"] = making.read(name)
    node = making.resource(raw, type, own)
    _subnet(making, raw, upper)
    if raw.name not in making.parts:
        _ask_subnet(making, raw, properties)
    _limit(making, raw, node, properties)


def _subnet(making: NodeBuilder, raw: RawNode, data: Given | None) -> None:
    keys = ("ip_version", "cidr", "gateway_ip", "dhcp_enabled", "name", "ip_allocation_pools")
    subnet_properties = {key: entry for key in keys if (entry := making.inner(data, key)) is not None}
    if "cidr" not in subnet_properties:
        return
    version = subnet_properties.get("ip_version")
    if version is not None and isinstance(version.value, str):
        subnet_properties["ip_version"] = Given(6 if version.value.lower().endswith("6") else 4, version.place)
    pools = subnet_properties.pop("ip_allocation_pools", None)
    subnet_node = networks.subnet(making, raw, subnet_properties)
    if subnet_node is None:
        return
    if "name" in subnet_properties:
        making.put(subnet_node, "name", making.read(subnet_properties["name"]))
    if pools is not None and isinstance(pools.value, list):
        making.taken.add(pools.place)
        names = {"start_ip_address": "start", "end_ip_address": "end"}
        items = [{names.get(k, k): v for k, v in pool.items()} for pool in pools.value if isinstance(pool, dict)]
        making.put(subnet_node, "allocation_pools", Given(items, pools.place))


#: protocols that need addresses -> version of the addresses
_ADDRESSES: Final = {"ipv4": 4, "ipv6": 6}


def _ask_subnet(making: NodeBuilder, raw: RawNode, properties: Mapping[str, Given]) -> None:
    """A link that has addresses, but does not define which."""
    kind = properties.get("connectivity_type")
    protocols, only = making.inner(kind, "layer_protocols"), making.inner(kind, "layer_protocol")
    listed = protocols.value if protocols is not None and isinstance(protocols.value, list) else []
    if protocols is None and only is not None:  # before the standard had several
        protocols, listed = only, [only.value]
    versions = [_ADDRESSES[protocol] for protocol in listed if isinstance(protocol, str) and protocol in _ADDRESSES]
    if protocols is None or not versions:
        return
    making.taken.add(protocols.place)
    range = networks.choose_range(making, raw, protocols.place, versions[0])
    networks.subnet(making, raw, {"cidr": range, "ip_version": Given(versions[0], protocols.place)})


def _limit(making: NodeBuilder, raw: RawNode, node: Node, properties: Mapping[str, Given]) -> None:
    """The rate is given in bits a second, Neutron counts thousands of them (neutron-lib: ``max_kbps``)."""
    rate = making.inner(properties.get("vl_profile"), "max_bitrate_requirements", "leaf")
    if rate is None or not isinstance(rate.value, int):
        return
    making.taken.add(rate.place)
    number = math.ceil(rate.value / 1000)
    policy = making.resource(raw, _QOS, {}, f"{raw.name}_qospolicy")
    identity = Given(ex.Identity(policy.name, path=rate.place), rate.place)
    own = {"policy": identity, "max_kbps": Given(number, rate.place)}
    making.resource(raw, _LIMIT, own, f"{raw.name}_bandwidth")
    making.put(node, "qos_policy", identity)
    if rate.value % 1000:
        limit = f"{number} kbit/s"
        making.report("BPC817", rate.place, name="leaf", node=raw.name, given=f"{rate.value} bit/s", made=limit)


_SERVICE: Final = "tosca.nodes.nfv.NS"
#: types of volumes of machines, in the versions of the standard
_VOLUMES: Final = (
    "tosca.nodes.nfv.Vdu.VirtualBlockStorage",
    "tosca.nodes.nfv.Vdu.VirtualStorage",
    "tosca.nodes.nfv.VDU.VirtualStorage",
)
