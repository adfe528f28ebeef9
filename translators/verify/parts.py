"""What a document deploys under given inputs: the nodes that exist, with their values, in one form for all dialects."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.topology import Node, Output
from bpconvert.translators.catalogue.model import Kind, PropertyRule
from bpconvert.translators.comparing.filling import REFUSED, REFUSED_TEXT
from bpconvert.translators.comparing.model import COMPONENT, Deployment, Part, Published
from bpconvert.translators.passes.software.kinds import CONFIGS
from bpconvert.translators.verify import canonical, members, scripts
from bpconvert.translators.verify.effective import effective
from bpconvert.translators.verify.side import Side


def deployment(side: Side) -> Deployment:
    """What ``side`` deploys under its present inputs."""
    deployed = Deployment(side)
    for node in side.topology.nodes.values():
        if not side.exists(node):
            deployed.left_out.add(side.name_of(node.name))
        elif not node.is_group and node.kind not in CONFIGS:
            deployed.parts.update((part.name, part) for part in _parts(side, node))
    deployed.waits = _waits(side)
    scripts.split(side, deployed)
    side.language.nodes.adjust(side, deployed)
    canonical.unify(deployed)
    for part in deployed.parts.values():
        part.properties = _unmarked(part.properties)
    for name, output in _published(side):
        if side.exists(output):
            deployed.outputs[name] = Published(_unmarked(side.value(output.value)), (*output.path, "value"))
    return deployed


def _waits(side: Side) -> dict[str, set[str]]:
    """Node -> those that it waits for. A group is its members, and each waits for what the group waits for."""
    own_order = side.order
    order = {side.name_of(name): {side.name_of(target) for target in targets} for name, targets in own_order.items()}
    for group, own_members in side.groups.items():
        name = side.name_of(group)
        targets = order.get(name, set())
        for member in own_members:
            own = members.same_instance(side, group, member, targets)
            order[side.name_of(member)] = own | order.get(side.name_of(member), set())
        order[name] = targets | {side.name_of(member) for member in own_members}
    return order


def _published(side: Side) -> Iterator[tuple[str, Output]]:
    """Capabilities and outputs. Where a language has outputs only, both are these, of different names."""
    outputs = side.topology.outputs
    for name, capability in side.topology.capabilities.items():
        yield f"capability_{name}" if name in outputs else name, capability
    yield from outputs.items()


def _unmarked(value: Value) -> Value:
    """``value`` with what stands for refused values put right."""
    if isinstance(value, dict):
        return {key: _unmarked(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_unmarked(item) for item in value]
    return REFUSED if value == REFUSED_TEXT else value


def _parts(side: Side, node: Node) -> Iterator[Part]:
    """The parts that a node is: one, or its members."""
    if node.name not in side.groups:
        yield _part(side, side.nodes[node.name])
    for name in side.groups.get(node.name, ()):
        for part in _parts(side, side.nodes[name]):
            if name == side.groups[node.name][0]:
                part.among = (*side.more.get(node.name, ()), *part.among)
            yield part


def _origin(side: Side, node: Node) -> Callable[..., Path]:
    """The place of a property of ``node``; in a document that is filled with values, what has none is where the value
    would come from."""
    written = side.original.nodes.get(node.name) if side.original is not None else None
    keys = {steps[:1] for steps in written.origins if steps} if written is not None else set()
    gone = keys - {steps[:1] for steps in node.origins}

    def origin(*steps: Any) -> Path:
        if written is None or steps[:1] not in gone:
            return node.origin(*steps)
        parts = [place for part, place in written.origins.items() if part[: len(steps)] == steps]
        return parts[0] if parts else written.origin(*steps)

    return origin


def _part(side: Side, node: Node) -> Part:
    properties, kind = _properties(side, node)
    part = Part(side.name_of(node.name), kind, properties, node.path, _origin(side, node), node)
    part.origin = _of_first_version(side, node, part)
    language = side.language_of(node).nodes
    part.stand_in, part.only_runs = side.stand_ins.get(node.name, ""), language.only_runs(node)
    part.only_orders = language.only_orders(node)
    if part.only_runs and node.kind is None:
        part.defaults = {name: side.value(value) for name, value in (node.declared or {}).items()}
    for existing, key in ((node.external_id, "id"), (node.external_name, "id")):
        if existing is not MISSING:
            part.properties, part.existing = {key: side.value(existing)}, True
            written = side.original.nodes.get(node.name, node) if side.original is not None else node
            identity = written.external_id if written.external_id is not MISSING else written.external_name
            place = written.origins.get(("external_id",)) or getattr(identity, "path", ())
            if place:
                part.origin = _with_id(part.origin, place)
    return part


def _of_first_version(side: Side, node: Node, part: Part) -> Callable[..., Path]:
    """``part.origin``, where block devices of the first version are compared as those of the second one."""
    kind, origin = side.catalogue.kind(node.kind), part.origin
    old, new = _devices(kind) if kind is not None else ("", "")
    if not isinstance(node.properties, dict) or not old or old not in node.properties or new in node.properties:
        return origin
    return lambda *steps: origin(old, *steps[1:]) if steps[:1] == (new,) else origin(*steps)


def _with_id(origin: Callable[..., Path], place: Path) -> Callable[..., Path]:
    """``origin``, where the id of what exists already stands at ``place``."""
    return lambda *steps: (*place, *steps[1:]) if steps[:1] == ("id",) else origin(*steps)


def _properties(side: Side, node: Node) -> tuple[dict[Any, Value], str]:
    """The properties of a node as its engine computes them, with what its schema makes of them, and its kind."""
    properties = side.value(node.properties)
    if not isinstance(properties, dict):
        return {"": properties}, node.kind or node.source_type
    nesting = side.language_of(node).nesting
    if nesting.is_component(node):
        return {**nesting.inputs(properties)}, COMPONENT
    return settled(side, node.kind, properties), node.kind or node.source_type


@lru_cache(maxsize=256)
def _special(kind: Kind) -> list[tuple[str, PropertyRule]]:
    """The properties of a kind that :func:`settled` does something about."""
    return [(key, rule) for key, rule in kind.properties.items() if rule.hook or rule.ignore]


def settled(side: Side, name: str | None, properties: dict[Any, Value]) -> dict[Any, Value]:
    """``properties`` of kind ``name`` with defaults, and without what means nothing."""
    kind = side.catalogue.kind(name)
    if kind is None:
        return {key: value for key, value in properties.items() if value is not None}
    by_name = {key: _items(kind.properties.get(key), value) for key, value in properties.items()}
    for key, rule in _special(kind):
        if rule.hook == "gateway_ip" and key in by_name:
            _gateway(by_name, key)
    completed = effective(kind, by_name)
    _second_version(completed, *_devices(kind))
    for key, rule in _special(kind):
        if rule.hook == "metadata" and isinstance(completed.get(key), dict):  # Heat's meta_serialize
            texts = completed[key].items()
            completed[key] = {
                name: part if isinstance(part, str) else json.dumps(part, default=repr) for name, part in texts
            }
        if rule.hook == "block_devices" and isinstance(completed.get(key), list):
            completed[key] = [_block_device(item) for item in completed[key]]
        if rule.ignore and completed.get(key) in rule.ignore:
            del completed[key]
    return completed


def _devices(kind: Kind) -> tuple[str, str]:
    """The properties with block devices of both versions; "" for none."""
    names = {str(rule.hook): key for key, rule in _special(kind)}
    return names.get("old_block_devices", ""), names.get("block_devices", "")


def _second_version(server: dict[Any, Value], old: str, new: str) -> None:
    """Block devices of the first version as those of the second one: without an image Nova boots from the first (nova:
    block_device.py, ``from_legacy_mapping``)."""
    items = server.get(old)
    if not new or new in server or not isinstance(items, list):
        return
    if all(isinstance(item, dict) and item.keys() & {"volume_id", "snapshot_id"} for item in items):
        boots = 0 if server.get("image") is None else None
        server[new] = [{**item, "boot_index": 0 if index == boots else -1} for index, item in enumerate(items)]
        del server[old]


def _block_device(item: Value) -> Value:
    """A block device without what Heat fills in (nova/server.py, ``_build_block_device_mapping_v2``): volumes,
    snapshots and images can be booted and are kept, swap and ephemeral disks neither."""
    if not isinstance(item, dict):
        return item
    bootable = bool(item.keys() & {"volume_id", "snapshot_id", "image", "image_id"})
    usual = {"boot_index": 0 if bootable else -1, "delete_on_termination": not bootable}
    return {key: value for key, value in item.items() if key not in usual or value != usual[key]}


def _gateway(properties: dict[Any, Value], key: str) -> None:
    """Null and an empty text are no gateway, nothing and ``auto`` the one that Neutron chooses (heat:
    neutron/subnet.py, ``_normalize_gateway_ip``)."""
    if properties[key] is None:
        properties[key] = ""
    elif properties[key] == "auto":
        del properties[key]


def _items(rule: PropertyRule | None, value: Value) -> Value:
    if rule is None or not rule.each:
        return value
    if isinstance(value, list):
        return [_items(rule, item) for item in value]
    if isinstance(value, dict):
        by_name: dict[Any, Value] = {
            rule.aliases.get(key, key): item for key, item in value.items() if item is not None
        }
        return {key: _items(rule.each.get(key), item) for key, item in by_name.items()}
    return value
