"""Node templates. One that stands for a resource of OpenStack means what that resource means in the language whose
types and properties it has; its order is that of requirements alone (Simple Profile 1.3, 5.7.3), as for all others."""

from __future__ import annotations

from typing import Any

from bpconvert.models.expressions import Path
from bpconvert.models.topology import Node
from bpconvert.translators.catalogue.types import Catalogue
from bpconvert.translators.comparing.model import Deployment, Nodes, Side, referred, take_as_meant
from bpconvert.translators.support.places import entries, items
from bpconvert.translators.tosca import edges
from bpconvert.translators.tosca.vocabulary import COLUMN, ROOT, TYPE_SECTIONS


class NodeTemplates(Nodes):
    """The nodes of a service template."""

    definitions = ("imports", *TYPE_SECTIONS)
    existence: tuple[Path, ...] = (("type",), ("capabilities",), ("metadata",))
    order: tuple[Path, ...] = (("requirements",),)

    def recognise(self, node: Node, catalogue: Catalogue) -> None:
        """A node with the properties of a resource is that resource."""
        kind = catalogue.kind(node.kind)
        if kind is not None and kind.is_neutral(node.source_type):
            node.native = COLUMN

    def waits(self, side: Side) -> dict[str, set[str]]:
        """What requirements order. A policy, an attachment, and what binds a port to a server are nothing that an
        engine orders: a server waits for its ports, and for what it is a target of."""
        references = {name: referred(node, operations=False) for name, node in side.topology.nodes.items()}
        if side.graph is None:
            return references
        templates = entries(side.document.data, "node_templates")
        bound = {name: _bound(entries(templates, name).get("requirements")) for name in templates}
        order = dict(references)
        for name in side.graph.keys() & templates.keys():
            ports = {port for port, servers in bound.items() if name in servers}
            more = {target for target in references.get(name, ()) if target in ports or target not in templates}
            order[name] = (side.graph[name] - bound[name]) | more
        return order

    def only_runs(self, node: Node) -> bool:
        """True for software, and for what has nothing but operations."""
        return bool(node.role) or (bool(node.operations) and not node.properties and _is_own(node))

    def only_orders(self, node: Node) -> bool:
        """True for what has nothing but operations, and properties that these may read."""
        return node.shows is None and _is_own(node)

    def adjust(self, side: Side, deployment: Deployment) -> None:
        """Nothing is created for software: what it does is what its operations run. Resources of OpenStack have the
        neutral properties."""
        take_as_meant(deployment)
        for part in deployment.parts.values():
            is_bare = _is_own(part.node) and not part.node.properties
            if part.kind == part.node.source_type and (part.node.role or is_bare):
                part.idle, part.properties = True, {}


def _bound(requirements: Any) -> set[str]:
    """The servers that a port is bound to."""
    rows = [row for row in items(requirements) if isinstance(row, dict) and edges.BINDING in row]
    return {*edges.required(rows)}


def _is_own(node: Node) -> bool:
    """True for a node of a type of its document's own: the root of all types does nothing."""
    return [name for name in node.ancestry if name.startswith(f"{ROOT.rpartition('.')[0]}.")] == [ROOT]
