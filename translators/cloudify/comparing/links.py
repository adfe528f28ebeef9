"""Relationships of Cloudify that Heat has as resources of their own: it is these that wait for both ends.

A node with such a relationship is created after the target in Cloudify, but what needs both is the relationship. It is
established when both are there (cloudify/plugins/lifecycle.py), before any other node goes on that waits for it.
The scripts of the source run before: they go on waiting for the target."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from bpconvert.models.topology import Node
from bpconvert.translators.comparing.model import Deployment, Side
from bpconvert.translators.comparing.references import as_written, referred

_NODES = "node_templates"
_ROWS = "relationships"


def unify(side: Side, found: Deployment) -> None:
    """Take what a node only waits for on behalf of a resource that stands for its relationship from the node."""
    templates = side.document.data.get(_NODES) or {}
    made: dict[tuple[str, str], set[int]] = {}
    for node in side.topology.nodes.values():
        ends = _ends(node, templates)
        if ends is not None:
            source, target, index = ends
            made.setdefault((source, target), set()).add(index)
            needed = referred(as_written(side, node)) | {target}
            for name in side.groups.get(node.name) or (node.name,):
                targets = {side.named(_beside(side, name, one)) for one in needed}
                found.waits.setdefault(side.named(name), set()).update(targets)
    turned = set(_turned(side, templates))
    for source, target in turned:
        for targets in found.waits.values():
            if side.named(source) in targets:
                targets.add(side.named(target))
        made.setdefault((source, target), set()).update(_rows(templates[source], target))
    for (source, target), rows in made.items():
        if rows == _rows(templates[source], target):
            for name in (source, *side.groups.get(source, ())):
                gone = {side.named(one) for one in (target, *side.groups.get(target, ()))}
                found.waits[side.named(name)] = found.waits.get(side.named(name), set()) - gone
    for source, target in turned:
        found.waits[side.named(target)] = found.waits.get(side.named(target), set()) - {side.named(target)}
        found.waits[side.named(target)].add(side.named(source))


def _beside(side: Side, name: str, target: str) -> str:
    """The instance of ``target`` that has the number of instance ``name``; ``target`` where there is none."""
    number = name.rpartition(".")[2]
    return f"{target}.{number}" if f"{target}.{number}" in side.groups.get(target, ()) else target


def _turned(side: Side, templates: Any) -> Iterator[tuple[str, str]]:
    """The ports that are connected to a server: it is the server that names the port in Heat. With their servers."""
    nodes = (side.original or side).topology.nodes
    for name, node in nodes.items():
        if node.kind == "port" and name in templates:
            targets = {row.get("target") for row in templates[name].get(_ROWS) or () if isinstance(row, dict)}
            servers = [nodes[one] for one in targets if isinstance(one, str) and one in nodes]
            yield from ((name, one.name) for one in servers if one.kind == "server" and name in referred(one))


def _ends(node: Node, templates: Any) -> tuple[str, str, int] | None:
    """Source, target and number of the relationship that a node is made of; None for any other node."""
    path = node.path
    if node.name in templates or path[:1] != (_NODES,) or path[2:3] != (_ROWS,) or len(path) < 4:
        return None
    row = templates[path[1]][_ROWS][path[3]]
    target = row.get("target") if isinstance(row, dict) else None
    return (path[1], target, path[3]) if isinstance(target, str) and target in templates else None


def _rows(template: Any, target: str) -> set[int]:
    """The numbers of the relationships to ``target``."""
    rows = template[_ROWS]
    return {index for index, row in enumerate(rows) if isinstance(row, dict) and row.get("target") == target}
