"""Decides which resources become nodes, so that every reference that has to become a relationship can.

What is special about a kind is done by the catalogue's hooks.
"""

from __future__ import annotations

from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.topology import Node
from bpconvert.translators.catalogue.model import Kind, PropertyRule
from bpconvert.translators.cloudify import hooks
from bpconvert.translators.cloudify.openstack import generation2, identity, interfaces
from bpconvert.translators.cloudify.openstack.arrangement import Reshaping
from bpconvert.translators.cloudify.openstack.connections import absorb, ports_of_servers
from bpconvert.translators.evaluate.scope import may_vanish
from bpconvert.translators.passes.expressions.branches import may_be_absent


def arrange(arrangement: Reshaping) -> None:
    """Decide which resources are absorbed or stand-ins, then prepare the lists of references."""
    nodes = arrangement.topology.nodes
    originals = [(node, arrangement.catalogue.kind(node.kind)) for node in nodes.values()]
    for node, kind in originals:
        if kind is not None and kind.cloudify is not None and node.external_id is not MISSING:
            _existing(arrangement, node, kind)
        if kind is None or not _has_form(arrangement, kind) or not isinstance(node.properties, dict):
            node.stand_in = True
    for node, kind in originals:
        if kind is None or kind.merge is None or node.stand_in:
            continue
        has_type = arrangement.generation2 and kind.cloudify is not None and kind.cloudify.v2 is not None
        if not has_type and not absorb(arrangement, node, hooks.MERGES[kind.merge]):
            node.stand_in = True
    left = [(node, kind) for node, kind in originals if kind is not None and not node.stand_in and node.part_of is None]
    for node, _ in left:
        ports_of_servers(arrangement, node)
    for node, kind in left:
        _prepare(arrangement, node, kind)
    interfaces.give_groups(arrangement)
    identity.complete(arrangement)
    for node in list(nodes.values()):
        kind = arrangement.catalogue.kind(node.kind)
        if kind is not None and not node.stand_in and node.part_of is None:
            for name, rule in kind.properties.items():
                if name in node.properties and rule.hook not in hooks.PREPARE:
                    _name_existing(arrangement, node, rule, node.properties[name], node.origin(name))


def _has_form(arrangement: Reshaping, kind: Kind) -> bool:
    """True for what is a node, or part of one, in the chosen family of node types."""
    if arrangement.generation2 and not generation2.has_type(kind):
        return False
    return kind.cloudify is not None or kind.merge is not None


def _existing(arrangement: Reshaping, node: Node, kind: Kind) -> None:
    """Heat only looks up a resource that exists already: its properties change nothing. It may be kept with which ones
    it is created where it is missing."""
    if isinstance(node.properties, dict):
        for name in node.properties:
            arrangement.report("BPC331", node.origin(node.aliases.get(name, name)), name=name)
    node.properties = dict(node.otherwise)
    if kind.cloudify is not None and (kind.cloudify.plain or not kind.cloudify.existing):
        node.stand_in = True


def _prepare(arrangement: Reshaping, node: Node, kind: Kind) -> None:
    for name, rule in kind.properties.items():
        if rule.silent is not None and node.properties.get(name) is None:
            arrangement.silent(node, name, rule)
        elif (rule.silent is not None or rule.hook in hooks.NULL_IS_NONE) and may_be_absent(node.properties.get(name)):
            why = "in one case there is nothing, which is OpenStack's own choice in Heat and none for the plugin"
            node.properties[name] = arrangement.asked(node.properties[name], node.origin(name), why)
        if rule.hook and rule.hook in hooks.PREPARE:
            hooks.PREPARE[rule.hook](arrangement, node, name)
        elif rule.lift and rule.lift.mixed == "materialise":
            _mixed_list(arrangement, node, name, rule)


def _mixed_list(arrangement: Reshaping, node: Node, name: str, rule: PropertyRule) -> None:
    value = node.properties.get(name)
    targets = rule.lift.targets if rule.lift else []

    def needs_node(item: Value) -> bool:
        return arrangement.topology.is_reference(item, targets) or (rule.lookup and arrangement.may_be_name(item))

    if not isinstance(value, list) or not any(map(needs_node, value)):
        return
    if any(map(may_vanish, value)):  # a relationship is there in every case: the list is written, by case
        return
    path = node.origin(name)
    items = node.properties[name] = []
    for index, item in enumerate(value):
        if item is None:
            arrangement.report("BPC307", (*path, index), name=name)
        elif arrangement.topology.is_reference(item, targets):
            items.append(item)
        else:
            items.append(arrangement.external(targets[0], item, node, (*path, index)))


def _name_existing(arrangement: Reshaping, node: Node, rule: PropertyRule, value: Value, path: Path) -> None:
    """External nodes for the names that the plugin does not look up. The properties stay: what is compared with
    them has the name too."""
    if rule.lift is not None and arrangement.is_looked_up(rule, value):
        arrangement.external(rule.lift.targets[0], value, node, path)
    for item in value if isinstance(value, list) else [value]:
        for key, part in item.items() if rule.each and isinstance(item, dict) else ():
            inner = rule.each.get(rule.aliases.get(key, key)) if isinstance(key, str) else None
            if inner is not None:
                _name_existing(arrangement, node, inner, part, (*path, key))
