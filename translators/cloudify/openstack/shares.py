"""Access to shares: the plugin allows it by relationships, Heat by a property (``access_rules``).

The relationship to a server allows its ``ip``, that to a subnet its ``cidr``, both for reading and writing unless its
inputs say otherwise (relationships ``share_connected_to_...`` of plugin.yaml).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Path, Value
from bpconvert.models.topology import Node
from bpconvert.translators.cloudify.openstack.operations import is_own

if TYPE_CHECKING:
    from bpconvert.translators.catalogue.model import PropertyRule
    from bpconvert.translators.cloudify.openstack.protocols import NodeReader, NodesReader
    from bpconvert.translators.cloudify.write.nodes import Draft, Nodes
    from bpconvert.translators.toscalike.node_templates import RawRelationship

_RELATIONSHIP = "cloudify.relationships.openstack."
#: (kind, attribute) that is allowed -> the relationship that does so
_ALLOWS = {("server", "first_address"): "share_connected_to_server", ("subnet", "cidr"): "share_connected_to_subnet"}
_RULES = "access_rules"
#: the keys of a rule
_KEYS = {"access_to", "access_type", "access_level"}


def access_rules(nodes: Nodes, draft: Draft, rule: PropertyRule, value: Value, source: Path) -> None:
    """Rules for a server or subnet of the template are relationships."""
    from bpconvert.translators.cloudify.write.nodes import Relation

    taken: set[str] = set()
    for index, item in enumerate(value if isinstance(value, list) else [value]):
        place = (*source, index) if isinstance(value, list) else source
        found = _allowed(nodes, item) if isinstance(item, dict) else None
        if found is None or found[1] in taken:
            nodes.context.reporter.report("BPC714", place, name=draft.node.name)
            continue
        taken.add(found[1])
        draft.relations.append(Relation(_RELATIONSHIP + found[0], found[1], place))
        draft.moves.append((place, ("node_templates", draft.name, "relationships")))


def _allowed(nodes: Nodes, item: dict[Any, Value]) -> tuple[str, str] | None:
    """The relationship that allows what a rule allows, and its target; None where there is none."""
    target = item.get("access_to")
    if item.get("access_type") != "ip" or item.get("access_level") not in (None, "rw"):
        return None
    if not isinstance(target, ex.Attribute) or target.keys or not item.keys() <= _KEYS:
        return None
    node = nodes.context.node_of(target.node)
    if node is None or node.kind is None or not nodes.is_reference(ex.Identity(node.name), (node.kind,)):
        return None
    relationship = _ALLOWS.get((node.kind, str(target.name)))
    if relationship == "share_connected_to_subnet" and node.properties.get("cidr") is None:
        return None
    return None if relationship is None else (relationship, node.name)


def given_by_id(nodes: Nodes, draft: Draft, rule: PropertyRule, value: Value, source: Path) -> None:
    """A reference is a relationship; of an existing resource the plugin finds the id only."""
    if nodes.lift(draft, rule, value, source):
        return
    nodes.looked_up(str(source[-1]), value, source)
    draft.put(tuple((rule.to or "").split(".")), nodes.shaped(draft, rule, value, source), source)


# -- the way back -------------------------------------------------------------------------------------------

_PROTOCOLS = {name.lower(): name for name in ("NFS", "CIFS", "GlusterFS", "HDFS", "CEPHFS")}


def read_protocol(reading: NodeReader, name: str, rule: PropertyRule) -> None:
    """Manila takes its protocols in any case, Heat in one."""
    entry = reading.entry(rule)
    if entry is None:
        return
    value = entry.value
    if isinstance(value, str) and value.lower() in _PROTOCOLS:
        value = _PROTOCOLS[value.lower()]
    if value != entry.value:
        reading.report("BPC715", entry.place, value=value)
    reading.put(name, value, entry.place)


_INPUTS = {"access", "access_type", "access_level"}


def access(state: NodesReader, node: Node, target: str, relationship: RawRelationship, names: list[str]) -> bool:
    """Add the rule that a relationship is. False where it is none."""
    other = state.kind_of(target)
    found = next((key for key, name in _ALLOWS.items() if name in names and key[0] == other), None)
    if node.kind != "share" or found is None or node.native is not None:
        return False
    if node.exists:
        state.report("BPC418", relationship.path, target=target, name=node.name)
        return True
    established = [operation for operation in relationship.operations if operation.name == "establish"]
    emptied = any(operation.name == "establish" for operation in relationship.emptied)
    if emptied or any(operation.implementation and not is_own(operation) for operation in established):
        state.wait(node, target, relationship.path)  # without the plugin's operation nothing is allowed
        return True
    inputs: dict[str, Value] = {}
    for operation in established:
        for name in operation.inputs.keys() - _INPUTS:
            place, what = (*operation.path, "inputs", name), f"{operation.interface}.{operation.name}"
            state.report("BPC367", place, name=name, operation=what)
        inputs.update(state.value(operation.inputs))
    if other == "subnet":
        default: Value = ex.Property(target, "resource_config", ("cidr",), path=relationship.path)
    else:
        default = ex.Attribute(target, "first_address", path=relationship.path)
    rules = node.properties.setdefault(_RULES, [])
    if isinstance(rules, list):
        node.origins[_RULES, len(rules)] = relationship.path
        rules.append({
            "access_to": inputs.get("access", default),
            "access_type": inputs.get("access_type", "ip"),
            "access_level": inputs.get("access_level", "rw"),
        })
    return True
