"""What a relationship says beside the property that it stands for (``implies`` of a catalogue's lift).

The OpenStack plugin takes an RBAC policy's object and the kind of that object from the relationship, and refuses either
as a property then (rbac_policy.py, ``_validate_config_for_applied_rbac_resource``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Value
from bpconvert.models.topology import Node

if TYPE_CHECKING:
    from bpconvert.translators.catalogue.model import Kind, Lift
    from bpconvert.translators.cloudify.write.nodes import Nodes


def agrees(nodes: Nodes, node: Node, lift: Lift, value: Value) -> bool:
    """True when the relationship for reference ``value`` says what the properties beside it say."""
    target = nodes.context.node_of(value.node) if isinstance(value, ex.Identity) else None
    kind = target.kind if target is not None else None
    return all(values.get(kind or "") == node.properties.get(name) for name, values in lift.implies.items())


def says(nodes: Nodes, node: Node, kind: Kind, name: str) -> bool:
    """True when a relationship says property ``name`` of ``node``."""
    for other, rule in kind.properties.items():
        value = node.properties.get(other)
        if rule.lift is not None and name in rule.lift.implies and nodes.is_reference(value, rule.lift.targets):
            return agrees(nodes, node, rule.lift, value)
    return False
