"""RBAC policies: what they share is behind a relationship (plugin: rbac_policy.py, ``_prepare_rbac_policy_object``)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpconvert.models.expressions import Path, Value
from bpconvert.models.topology import Node

if TYPE_CHECKING:
    from bpconvert.translators.catalogue.model import PropertyRule
    from bpconvert.translators.cloudify.write.nodes import Draft, Nodes

#: type of a policy's object -> the kind of its node
_OBJECTS = {"network": "net", "security_group": "security_group"}


def object_kind(node: Node) -> str | None:
    """The kind of a policy's object, None where the plugin has no node type for it."""
    wanted = node.properties.get("object_type")
    return _OBJECTS.get(wanted) if isinstance(wanted, str) else None


def shared_object(nodes: Nodes, draft: Draft, rule: PropertyRule, value: Value, source: Path) -> None:
    """The plugin looks for the object of an RBAC policy behind a relationship, and fails on a mere property."""
    if nodes.lift(draft, rule, value, source):
        return
    nodes.looked_up(str(source[-1]), value, source)
    draft.put(tuple((rule.to or "").split(".")), nodes.shaped(draft, rule, value, source), source)
    nodes.context.reporter.report("BPC344", source, name=draft.node.name)
