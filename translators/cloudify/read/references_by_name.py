"""The name of another node in a property that takes an id as well: a reference to that node.

Heat looks such names up before anything is created, and would not wait for the other resource.
"""

from __future__ import annotations

from collections.abc import Collection

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.topology import Node
from bpconvert.translators.catalogue.model import PropertyRule
from bpconvert.translators.cloudify.openstack import generation2
from bpconvert.translators.cloudify.openstack.read_nodes import ReadNodes

#: kind of resource -> properties that Heat takes an id for, and looks no name up
_IDS = {
    "volume_attachment": ("volume_id", "instance_uuid"),
    "server": ("block_device_mapping_v2", "scheduler_hints"),
    "extra_route": ("router",),
    "nova_floating_ip_association": ("server_id", "floating_ip"),
    "security_group": ("rules",),
}
#: kinds of which Heat finds the names there, too (heat: nova/server.py, ``translation_rules``)
_LOOKED_UP = ("image",)


def resolve(state: ReadNodes) -> None:
    """Exchange the names of nodes in the properties that may be relationships."""
    for node in state.nodes.values():
        kind = state.kinds.get(node.name)
        if kind is None:
            continue
        related = [relationship.target for relationship in state.raw[node.name].relationships]
        for name, rule in kind.properties.items():
            if name in node.properties:
                node.properties[name] = _value(state, node, rule, node.properties[name], related, (name,))
                if rule.lift is not None and rule.lift.fill == "item":
                    _once(node, name)
        entry = state.notes.management.get(node.name)
        if entry is not None:
            entry.value = _reference(state, node, entry.value, ("net", "provider_net"), related, entry.place)


def _value(
    state: ReadNodes, node: Node, rule: PropertyRule, value: Value, related: Collection[str], steps: Path
) -> Value:
    if isinstance(value, list):
        return [_value(state, node, rule, item, related, (*steps, index)) for index, item in enumerate(value)]
    if isinstance(value, dict):
        return {
            key: _value(state, node, rule.each[key], item, related, (*steps, key)) if key in rule.each else item
            for key, item in value.items()
        }
    if rule.lift is None:
        return value
    return _reference(state, node, value, rule.lift.targets, related, node.origin(*steps))


def _reference(
    state: ReadNodes, node: Node, value: Value, kinds: Collection[str], related: Collection[str], place: Path
) -> Value:
    """``value``, or the node whose name it is. A literal may be the name of anything: it is that of a node only where
    there is a relationship to that."""
    if isinstance(value, (ex.Attribute, ex.Property)) and isinstance(value.node, str):
        if value.node != node.name and state.kind_of(value.node) in kinds and _is_name(state, value):
            return ex.Identity(value.node, path=value.path)
    elif isinstance(value, (str, ex.Input)) and (target := state.called(value, kinds, related)) is not None:
        if state.nodes[target].properties["name"] == value:
            state.report("BPC412", place, name=state.by_default(value), target=target)
        else:
            state.report("BPC424", place, name=state.by_default(value), target=target)
        return ex.Identity(target, path=state.users(target)[node.name])
    return value


def _is_name(state: ReadNodes, value: ex.Attribute | ex.Property) -> bool:
    raw, node = state.raw.get(str(value.node)), state.nodes.get(str(value.node))
    if raw is None or node is None or raw.is_scaled:
        return False
    if isinstance(value, ex.Attribute):
        own = generation2.OLD_RUNTIME_PROPERTIES.get(str(value.name), value.name)
        return (own, *value.keys) in (("name",), ("show", "name"))
    held: Value = raw.declared
    for key in (value.name, *value.keys):
        held = held.get(key) if isinstance(held, dict) and isinstance(key, str) else None
    names = (node.properties.get("name"), node.external_name, node.external_id)
    return held not in (None, "") and state.value(held) in names


def _once(node: Node, name: str) -> None:
    """Drop the items of a list that have come before."""
    items = node.properties[name]
    if not isinstance(items, list):
        return
    kept: list[Value] = []
    for index, item in enumerate(items):
        place = node.origins.pop((name, index), None)
        if item not in kept:
            if place is not None:
                node.origins[name, len(kept)] = place
            kept.append(item)
    node.properties[name] = kept


def report_names(state: ReadNodes) -> None:
    """Report existing resources that are known by their names where Heat takes only ids."""
    for node in state.nodes.values():
        for name in _IDS.get(node.kind or "", ()):
            for expr in ex.walk(node.properties.get(name)):
                other = state.nodes.get(str(expr.node)) if isinstance(expr, ex.Identity) else None
                name_known = other.external_name if other is not None else MISSING
                if other is None or name_known is MISSING or other.by_id or isinstance(name_known, ex.Identity):
                    continue  # the identity of another node is an id
                if other.kind not in _LOOKED_UP:
                    state.report("BPC374", expr.path or node.path, name=other.name)
