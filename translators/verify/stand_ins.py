"""Nodes that only stand for nodes of another language: read as these."""

from __future__ import annotations

from bpconvert.models.topology import Topology
from bpconvert.translators.catalogue.types import Catalogue
from bpconvert.translators.comparing.language import Nodes


def read(topology: Topology, catalogue: Catalogue, nodes: Nodes) -> dict[str, str]:
    """Put the nodes that others stand for in the places of those; name -> type of the stand-ins."""
    found = {}
    for name, node in topology.nodes.items():
        meant = nodes.compared(node, catalogue)
        if meant is not node:
            topology.nodes[name] = meant
            found[name] = node.source_type
    return found
