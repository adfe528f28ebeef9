"""Types of OpenStack that other tools have: ONAP and Puccini with Heat's names, Yorc, xOpera, MiCADO with their own."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Value
from bpconvert.models.light import NamedTuple
from bpconvert.translators.tosca.read import compute, storage
from bpconvert.translators.tosca.read.making import Given, NodeBuilder
from bpconvert.translators.tosca.read.raw import RawNode, RawRequirement
from bpconvert.translators.tosca.vocabulary import heat_name

#: ONAP's importer: the name of a type ends as that of Heat's (onap/sdc: ``openecomp-heat-lib``)
_ONAP: Final = re.compile(r"org\.openecomp\.resource\.(?:.+\.)?nodes\.heat\.(?:network\.)?(\w+)\.(\w+)")
_OTHER_NAMES: Final = {"SecurityRules": "SecurityGroup"}


def resource_type(name: str) -> str | None:
    """The resource type that a node type with Heat's own names of properties stands for; None for others."""
    match = _ONAP.fullmatch(name)
    if match is not None:
        return heat_name(f"openstack.{match[1]}.{_OTHER_NAMES.get(match[2], match[2])}")
    return heat_name(name.replace(":", ".", 1)) if name.startswith("openstack:") else None


class Foreign(NamedTuple):
    """A type of another tool. ``type``: the resource that it is; ``names``: property -> property of the resource,
    beside those that have the same name; ``split``: those that are texts with commas; ``networks``: properties that
    name the network of a server; ``own``: operations with which the tool makes the resource, as OpenStack does
    here."""

    type: str
    names: Mapping[str, str] = {}
    split: frozenset[str] = frozenset()
    networks: tuple[str, ...] = ()
    own: tuple[str, ...] = ()


_SPLIT: Final = frozenset({"security_groups"})
TYPES: Final[Mapping[str, Foreign]] = {
    "yorc.nodes.openstack.Compute": Foreign(
        compute.SERVER,
        {"imageName": "image", "flavorName": "flavor", "key_pair": "key_name"},
        _SPLIT,
    ),
    "yorc.nodes.openstack.FloatingIP": Foreign(
        "OS::Neutron::FloatingIP", {"floating_network_name": "floating_network", "ip": "floating_ip_address"}
    ),
    "yorc.nodes.openstack.ServerGroup": Foreign(
        "OS::Nova::ServerGroup", {"policy": "policies"}, frozenset({"policies"})
    ),
    "openstack.VM": Foreign(compute.SERVER, {}, _SPLIT, ("network",), ("create", "delete")),
    "radon.nodes.OpenStack.VM": Foreign(compute.SERVER, {}, _SPLIT, ("network",), ("create", "delete")),
    "tosca.nodes.MiCADO.Nova.Compute": Foreign(
        compute.SERVER,
        {"image_id": "image", "flavor_name": "flavor", "flavor_id": "flavor", "server_name": "name"},
        _SPLIT,
        ("network_id", "network_name"),
    ),
}  # fmt: skip


def make_foreign(making: NodeBuilder, raw: RawNode) -> None:
    """A node of one of :data:`TYPES`."""
    row = next(TYPES[name] for name in raw.ancestry if name in TYPES)
    properties = making.properties(raw, compute.NOVAS if row.type == compute.SERVER else ())
    own = making.properties_of(properties, row.type, frozenset({*row.names, *row.networks}))
    for theirs, mine in row.names.items():
        if theirs in properties and mine not in own:
            own[mine] = making.read(properties[theirs])
    for name in row.split & own.keys():
        own[name] = Given(_parts(own[name].value), own[name].place)
    nets = [making.read(properties[name]) for name in row.networks if name in properties]
    if nets and "networks" not in own:
        own["networks"] = Given([{"network": nets[0].value}], nets[0].place)
    for operation in [operation for operation in raw.operations if operation.name in row.own]:
        raw.operations.remove(operation)
        why = "OpenStack makes the resource"
        making.carried(operation.path, f"{operation.interface}.{operation.name}", raw.name, why)
    node = making.resource(raw, row.type, own)
    if row.type == compute.SERVER:
        compute.request(making, raw, node)


def _parts(value: Value) -> Value:
    """The texts between commas."""
    if isinstance(value, str):
        return [part.strip() for part in value.split(",") if part.strip()]
    return ex.Split(",", value, path=value.path) if isinstance(value, ex.Input) else value


def connect(making: NodeBuilder, raw: RawNode, requirement: RawRequirement) -> bool:
    """The requirements of Yorc's server that are more than order: its networks, addresses and server group. False for
    others."""
    if not raw.is_a("yorc.nodes.openstack.Compute") or requirement.target is None:
        return False
    node, target = making.nodes[raw.name], requirement.target
    reference = making.reference(target, requirement.path)
    if requirement.name == "group" and making.kind(target) == "server_group":
        hints = node.properties.setdefault("scheduler_hints", {})
        if not isinstance(hints, dict):
            return False
        hints["group"] = reference
        node.origins["scheduler_hints", "group"] = requirement.path
    elif requirement.name == "network" and making.is_network(target):
        items = node.properties.setdefault("networks", [])
        if not isinstance(items, list):
            return False
        node.origins["networks", len(items)] = requirement.path
        items.append({"network": reference})
        node.wait_for(*making.parts.get(target, ()), path=requirement.path[:4])
    else:
        return False
    making.taken.add(requirement.path)
    return True


def volume(making: NodeBuilder, raw: RawNode) -> None:
    """Yorc's volume: as the standard's, one that is not to be deleted stays."""
    properties = making.properties(raw)
    storage.volume(making, raw)
    node, kept = making.nodes.get(raw.name), properties.get("deletable")
    if node is not None and kept is not None and isinstance(kept.value, bool):
        making.taken.add(kept.place)
        if not kept.value:
            node.extra["deletion_policy"] = "Retain"
