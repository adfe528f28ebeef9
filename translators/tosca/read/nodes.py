"""The nodes of a service template in neutral form.

A node of a type that stands for a resource of OpenStack is that resource; others are looked up by what their type is
derived from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from bpconvert.models.expressions import MISSING
from bpconvert.models.topology import Node, Topology
from bpconvert.translators.catalogue.types import Catalogue
from bpconvert.translators.tosca.read.raw import RawNode
from bpconvert.translators.tosca.read.reading import Reading
from bpconvert.translators.tosca.read.types import NODE, Types
from bpconvert.translators.tosca.vocabulary import HEAT_NAME, heat_name, shown, stand_in

#: the engine of the resources that types of OpenStack stand for, and the column of the catalogue that has them
_ENGINE: Final = "Heat"
_COLUMN: Final = "hot"


def neutralise(
    topology: Topology, raw: Mapping[str, RawNode], types: Types, catalogue: Catalogue, reading: Reading
) -> None:
    """Fill ``topology.nodes`` from ``raw``."""
    for name, node in raw.items():
        topology.nodes[name] = _node(node, types, catalogue, reading)


def _node(raw: RawNode, types: Types, catalogue: Catalogue, reading: Reading) -> Node:
    node = Node(raw.name, raw.type, ancestry=raw.ancestry, path=raw.path)
    node.properties, node.declared = dict(raw.properties), raw.declared
    kept: dict[str, Any] = raw.kept.get("properties", {})
    node.properties |= {key: None for key, row in kept.items() if row == [None, None] and key not in node.properties}
    heat = resource_type(raw, types)
    kind = catalogue.kind_of(_COLUMN, heat) if heat is not None else None
    if kind is not None and heat is not None and kind.is_neutral(heat):
        node.kind, node.source_type = kind.kind, heat
    elif heat is not None:
        node.shows = shows = stand_in(_ENGINE)[1]
        node.properties = {shows.type: heat, shows.properties: node.properties}
        node.origins[shows.properties,] = (*raw.path, "properties")
    else:
        node.shows = shown(raw.ancestry)
    for requirement in raw.requirements:
        if requirement.target is not None:
            node.wait_for(requirement.target, path=requirement.path[:4])
    _restore(node, raw, reading)
    return node


def _restore(node: Node, raw: RawNode, reading: Reading) -> None:
    """What the metadata of the node keeps."""
    if "condition" in raw.kept:
        node.condition = reading.kept_value(raw.kept["condition"], raw.path)
    if "external_id" in raw.kept:
        node.external_id = reading.kept_value(raw.kept["external_id"], raw.path)
    extra = reading.kept_value(raw.kept.get("keys", {}), raw.path)
    node.extra = extra if extra is not MISSING and isinstance(extra, dict) else {}


def resource_type(raw: RawNode, types: Types) -> str | None:
    """The resource type of OpenStack that a node stands for: what its type's metadata names, else what the name of the
    type means; the nearest parent decides. None where it stands for none."""
    for name in raw.ancestry:
        metadata = (types.definition(NODE, name) or {}).get("metadata")
        named = metadata.get(HEAT_NAME) if isinstance(metadata, dict) else None
        found = named if isinstance(named, str) else heat_name(name)
        if found is not None:
            return found
    return None
