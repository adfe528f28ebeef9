"""What nodes refer to, and how they are written."""

from __future__ import annotations

from bpconvert.models import expressions as ex
from bpconvert.models.topology import Node
from bpconvert.translators.comparing.model import Side


def referred(node: Node) -> set[str]:
    """The nodes that a node refers to or depends on."""
    found = {
        expr.node
        for expr in ex.walk([node.properties, node.extra.get("metadata"), [o.inputs for o in node.operations]])
        if isinstance(expr, (ex.Identity, ex.Attribute)) and isinstance(expr.node, str)
    }
    return (found | set(node.awaited)) - {node.name}


def as_written(side: Side, node: Node) -> Node:
    """The node, or the group that it is a member of, as the document has it: in a document that is filled with values,
    what it refers to is a value already."""
    nodes, name = (side.original or side).topology.nodes, node.name
    while name and name not in nodes:
        name = name.rpartition(".")[0]
    return nodes.get(name, node)
