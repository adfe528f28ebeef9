"""Descriptions of resources, for engines that take them for nothing but words.

Heat gives the description of a resource to what it creates, where the type has a property of that name that may change
and has no default (heat/engine/properties.py, ``_get_property_value``)."""

from __future__ import annotations

from typing import Final

from bpconvert.models.topology import Node, Topology
from bpconvert.translators.catalogue.schemas import heat_type
from bpconvert.translators.passes.request import Request

_KEY: Final = "description"
#: kinds whose property does not change
_FIXED: Final = ("security_group_rule",)


def describe(topology: Topology, request: Request) -> Topology:
    """Let the descriptions of nodes that have such a property be its value."""
    return described(topology)


def described(topology: Topology) -> Topology:
    """The same of a document that was read, to be compared."""
    for node in topology.nodes.values():
        if isinstance(node.extra.get(_KEY), str) and node.extra[_KEY] and _takes(node):
            node.origins[_KEY,] = node.origins.pop(("extra", _KEY), (*node.entry, _KEY))
            node.properties = {**node.properties, _KEY: node.extra.pop(_KEY)}
    return topology


def _takes(node: Node) -> bool:
    schema = (heat_type(node.source_type) or {}).get("properties", {}).get(_KEY)
    free = isinstance(node.properties, dict) and _KEY not in node.properties and not node.exists
    return free and node.kind is not None and schema is not None and "default" not in schema and node.kind not in _FIXED
