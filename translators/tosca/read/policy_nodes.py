"""Resources that policies are: groups of servers, what changes a number of instances."""

from __future__ import annotations

from collections.abc import Mapping

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Path, Value
from bpconvert.models.scaling import Step
from bpconvert.models.topology import Node, Topology
from bpconvert.translators.catalogue.types import Catalogue
from bpconvert.translators.support.text import fresh
from bpconvert.translators.tosca.read.making import ENGINE
from bpconvert.translators.tosca.read.scaling import SCALING_RESOURCE, Scaled
from bpconvert.translators.tosca.vocabulary import COLUMN, stand_in


class Added:
    """Adds resources to a topology for its policies."""

    def __init__(self, topology: Topology, catalogue: Catalogue) -> None:
        self.topology = topology
        self.catalogue = catalogue

    def node(self, name: str, type: str, properties: Mapping[str, Value], path: Path, before: str = "") -> Node:
        """A resource of ``type`` for the policy at ``path``, which stands before node ``before``, else at the end."""
        name = fresh(name, self.topology.nodes)
        node = Node(name, type, path=path)
        kind = self.catalogue.kind_of(COLUMN, type)
        if kind is not None:
            node.kind, node.properties = kind.kind, dict(properties)
        else:
            node.shows = shows = stand_in(ENGINE)[1]
            node.properties = {shows.type: type, shows.properties: dict(properties)}
            node.origins[shows.properties,] = (*path, "properties")
        node.origins.update({(key,): (*path, "properties", key) for key in properties if kind is not None})
        nodes = dict(self.topology.nodes)
        self.topology.nodes.clear()
        for key, node_name in nodes.items():
            if key == before:
                self.topology.nodes[name] = node
            self.topology.nodes[key] = node_name
        self.topology.nodes.setdefault(name, node)
        return node

    def steps(
        self, name: str, scaled: Scaled, step: int, path: Path, more: Mapping[str, Value], called: str = ""
    ) -> None:
        """What changes the number of ``scaled`` by ``step``, one policy for each direction; ``more``: their other
        properties; ``called``: what the source calls it, if that is not ``name``."""
        for end, change in (("scale_out", step), ("scale_in", -step)):
            properties: dict[str, Value] = {
                "auto_scaling_group_id": ex.Identity(scaled.name, path=path),
                "adjustment_type": "change_in_capacity",
                "scaling_adjustment": change,
                **more,
            }
            node = self.node(f"{name}_{end}", SCALING_RESOURCE, properties, path)
            settings = {key: (*path, "properties", key) for key in more}
            node.step = Step(scaled.name, change, called or name, settings)
            scaled.policies.append(node)
