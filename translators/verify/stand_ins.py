"""Nodes of Cloudify in a template of Heat, where they are other resources: read as the nodes that they stand for."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Final

from bpconvert.models.topology import Node, Topology
from bpconvert.translators.catalogue.stand_ins import is_idle
from bpconvert.translators.catalogue.types import Catalogue
from bpconvert.translators.hot.resource_types import NONE as STAND_IN_TYPE

_TYPE: Final = "cloudify_type"
_PROPERTIES: Final = "properties"


def read(topology: Topology, catalogue: Catalogue) -> set[str]:
    """Put what stand-ins show, type and properties, in their places; the names of the stand-ins.

    Resources of a type that only blueprints become get their kind."""
    found = set()
    for name, node in topology.nodes.items() if topology.dialect == "hot" else ():
        shown = _shown(node)
        if shown is not None:
            topology.nodes[name] = shown
            found.add(name)
        elif node.kind is None:
            kind = catalogue.kind_of(topology.dialect, node.source_type, back=True)
            node.kind = kind.kind if kind is not None else None
    return found


def _shown(node: Node) -> Node | None:
    """The node that ``node`` stands for; None where it is no stand-in."""
    properties: Any = node.properties
    if node.source_type != STAND_IN_TYPE or not isinstance(properties, dict):
        return None
    type, own = properties.get(_TYPE), properties.get(_PROPERTIES, {})
    if not isinstance(type, str):
        return None
    place = (*node.path, _PROPERTIES, _PROPERTIES)
    return replace(node, source_type=type, properties=own, native="cloudify", origins={(): place})


def only_runs(node: Node) -> bool:
    """True for a node of Cloudify that is nothing but its operations: these are compared by themselves."""
    return node.kind is None and bool(node.ancestry) and is_idle(node.ancestry)
