"""Nodes that only stand for nodes of another language: read as these."""

from __future__ import annotations

from bpconvert.models.topology import Node, Topology
from bpconvert.translators.catalogue.types import Catalogue
from bpconvert.translators.comparing.language import Nodes
from bpconvert.translators.dialects import DIALECTS


def read(topology: Topology, catalogue: Catalogue, nodes: Nodes) -> dict[str, str]:
    """Put the nodes that others stand for in the places of those; name -> type of the stand-ins."""
    found = {}
    for name, node in topology.nodes.items():
        meant = represented(node, catalogue, nodes)
        if meant is not node:
            topology.nodes[name] = meant
            found[name] = node.source_type
    return found


def represented(node: Node, catalogue: Catalogue, nodes: Nodes) -> Node:
    """What ``node`` is compared as: itself where it stands for nothing of a language that is known."""
    meant = nodes.compared(node, catalogue)
    return meant if meant.native is None or meant.native in DIALECTS else node
