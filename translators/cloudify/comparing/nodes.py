"""Node templates: their attributes and what they wait for, as Cloudify has them.

Cloudify orders by relationships alone: what a relationship does (attach a volume, connect a subnet to a router) is done
in the installation of its source, whose dependents wait until all of it is done (cloudify/plugins/lifecycle.py)."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any

from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.topology import INSTANCE_NUMBER, Node
from bpconvert.translators.catalogue.stand_ins import is_idle
from bpconvert.translators.cloudify.comparing import links
from bpconvert.translators.cloudify.comparing.nesting import is_component
from bpconvert.translators.comparing.language import Nodes
from bpconvert.translators.comparing.model import Deployment, Side
from bpconvert.translators.comparing.references import referred


class NodeTemplates(Nodes):
    """The nodes of a blueprint."""

    definitions = ("imports", "node_types", "relationships")
    existence: tuple[Path, ...] = (("type",), ("instances",), ("capabilities",))
    order: tuple[Path, ...] = (("relationships",),)

    def attribute(self, side: Side, node: Node, name: str) -> Value:
        """Attributes that follow from the blueprint."""
        if name == INSTANCE_NUMBER and node.name not in side.topology.nodes:
            return int(node.name.rpartition(".")[2]) + 1
        if name == "deployment" and is_component(node):
            return {"id": side.identity(node)}
        kind = side.catalogue.kind(node.kind)
        if kind is None:
            return MISSING
        if name == kind.identity:
            return side.identity(node)
        if name not in kind.attributes and name in (node.declared or {}):
            return side.value(node.declared[name])  # of all instances: of one, it is read as a property
        return MISSING

    def only_runs(self, node: Node) -> bool:
        """True for a node of Cloudify's own types that do nothing."""
        return node.kind is None and bool(node.ancestry) and is_idle(node.ancestry)

    def waits(self, side: Side) -> dict[str, set[str]]:
        """The targets of relationships, and the nodes that relationships to these are."""
        nodes, templates = side.topology.nodes, side.document.data.get("node_templates")
        found = {name: referred(node) for name, node in nodes.items()}
        found |= {name: set(targets) for name, targets in (side.graph or _related(templates)).items()}
        made: dict[str, list[str]] = {}
        for node in nodes.values():
            owner = _owner(node, templates)
            if owner is not None:
                made.setdefault(owner, []).append(node.name)
        for name, targets in found.items():
            for target in list(targets):
                parts = made.get(target, [])
                if name not in parts:
                    targets.update(parts)
        for names in made.values():
            _one_after_another([nodes[name] for name in names], found)
        return found

    def adjust(self, side: Side, deployment: Deployment) -> None:
        """Let the nodes that relationships are wait for both ends."""
        links.unify(side, deployment)


def _owner(node: Node, templates: Any) -> str | None:
    """The node template that does what ``node`` is a resource for; None for a node template itself."""
    is_part = node.path[:1] == ("node_templates",) and len(node.path) > 2 and node.name not in (templates or {})
    return str(node.path[1]) if is_part else None


def _one_after_another(parts: list[Node], found: dict[str, set[str]]) -> None:
    """What relationships of one node to different nodes do is done in their order."""
    rows = sorted((node for node in parts if node.path[2] == "relationships"), key=lambda node: node.path[3])
    for before, after in itertools.pairwise(rows):
        if before.kind == after.kind:
            found[after.name].add(before.name)


def _related(templates: Any) -> Mapping[str, set[str]]:
    """Node template -> the targets of its relationships."""
    found: dict[str, set[str]] = {}
    for name, node in templates.items() if isinstance(templates, dict) else ():
        rows = node.get("relationships") if isinstance(node, dict) else None
        maps = [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
        if isinstance(name, str):
            found[name] = {row["target"] for row in maps if isinstance(row.get("target"), str)}
    return found
