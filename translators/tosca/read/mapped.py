"""Nodes of types that the catalogue maps to a kind, property by property."""

from __future__ import annotations

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Value
from bpconvert.translators.tosca.read import compute
from bpconvert.translators.tosca.read.making import Given, NodeBuilder, Role
from bpconvert.translators.tosca.read.raw import RawNode, RawRequirement


def resource(making: NodeBuilder, raw: RawNode) -> None:
    """The resource that a node is by what the catalogue says of its type."""
    role = making.role(raw)
    assert isinstance(role, Role)
    kind, row = role
    type = kind.heat[0]
    properties = making.properties(raw, compute.NOVAS if type == compute.SERVER else ())
    own = making.properties_of(properties, type, frozenset({*row.names, *row.networks}))
    for theirs, mine in row.names.items():
        if theirs in properties and mine not in own:
            own[mine] = making.read(properties[theirs])
    for name in row.split:
        if name in own:
            own[name] = Given(_parts(own[name].value), own[name].place)
    nets = [making.read(properties[name]) for name in row.networks if name in properties]
    if nets and "networks" not in own:
        own["networks"] = Given([{"network": nets[0].value}], nets[0].place)
    for operation in [operation for operation in raw.operations if operation.name in row.engine]:
        raw.operations.remove(operation)
        why = "OpenStack makes the resource"
        making.carried(operation.path, f"{operation.interface}.{operation.name}", raw.name, why)
    node = making.resource(raw, type, own)
    if type == compute.SERVER:
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
