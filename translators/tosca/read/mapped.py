"""Nodes of types that the catalogue maps to a kind, property by property."""

from __future__ import annotations

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Value
from bpconvert.translators.catalogue.model import Kind
from bpconvert.translators.tosca.column import OwnRequirement, Requirement, types_of, types_of_resource
from bpconvert.translators.tosca.read import compute
from bpconvert.translators.tosca.read.making import NETWORKS, Given, NodeBuilder, Role
from bpconvert.translators.tosca.read.raw import RawNode, RawRequirement


def resource(making: NodeBuilder, raw: RawNode) -> None:
    """The resource that a node is by what the catalogue says of its type."""
    role = making.role(raw)
    assert isinstance(role, Role)
    kind, row = role
    type = kind.heat[0]
    types = types_of(kind)
    properties = making.properties(raw, kind.properties if types.type in raw.ancestry else types.unambiguous)
    own = making.properties_of(properties, type, frozenset({*row.names, *row.networks}))
    own |= making.renamed(raw, properties, own)
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
    """A requirement that the catalogue says is a property of the resource, where it leads to what that takes. False for
    others."""
    target, row = requirement.target, _row(making, raw, requirement.name)
    if row is None or target is None or not _is_of(making, target, row.targets):
        return False
    node, reference = making.nodes[raw.name], making.reference(target, requirement.path)
    name, _, key = row.to.partition(".")
    if _is_list(making.catalogue.kind(node.kind), name):
        items = node.properties.setdefault(name, [])
        if not isinstance(items, list):
            return False
        node.origins[name, len(items)] = requirement.path
        items.append({key: reference} if key else reference)
        node.wait_for(*making.parts.get(target, ()), path=requirement.path[:4])
    elif key:
        entries = node.properties.setdefault(name, {})
        if not isinstance(entries, dict):
            return False
        entries[key] = reference
        node.origins[name, key] = requirement.path
    else:
        making.put(node, name, Given(reference, requirement.path))
    making.taken.add(requirement.path)
    return True


def _row(making: NodeBuilder, raw: RawNode, name: str) -> Requirement | OwnRequirement | None:
    """What the catalogue says of a requirement, of the node type of a resource as well."""
    role = making.role(raw)
    if isinstance(role, str):
        own = types_of_resource(making.catalogue, role).requirements.get(name)
    elif role is None:
        return None
    elif name in role.type.requirements:
        return role.type.requirements[name]
    else:
        types = types_of(role.kind)
        own = types.requirements.get(name) if types.type in raw.ancestry else None
    return own if own is not None and own.to else None


def _is_list(kind: Kind | None, name: str) -> bool:
    """True for a property that is a list by Heat's schema, or of a kind without one by its rule."""
    if kind is None:
        return False
    schema, rule = kind.schema(), kind.properties.get(name)
    if schema is not None:
        return bool(schema["properties"].get(name, {}).get("type") == "list")
    return rule is not None and rule.lift is not None and rule.lift.fill in ("item", "entry")


def _is_of(making: NodeBuilder, target: str, kinds: list[str]) -> bool:
    """True for a node of one of these kinds, also for a network that exists."""
    return making.kind(target) in kinds or (making.is_network(target) and bool({*kinds} & {*NETWORKS}))
