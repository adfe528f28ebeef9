"""Relationships: what lifted references mean, and the order that references, ``depends_on`` and the source imply.

Cloudify orders nothing by itself, so every reference becomes a relationship: the lifted one where it has a meaning,
``depends_on`` elsewhere. Where any relationship would change what the OpenStack plugin creates, a barrier node
stands between.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path
from bpconvert.models.light import dataclass
from bpconvert.translators.cloudify.functions import write_value
from bpconvert.translators.cloudify.openstack import network
from bpconvert.translators.cloudify.openstack.drafts import NodeDraft
from bpconvert.translators.cloudify.openstack.generation2 import RELATIONSHIPS
from bpconvert.translators.cloudify.vocabulary import BARRIER_TYPE, DEPENDS_ON
from bpconvert.translators.cloudify.write.context import Context
from bpconvert.translators.passes.expressions.kinds import is_number
from bpconvert.translators.support.graphs import circles

#: references to nodes
_OF_NODES = (ex.Identity, ex.Attribute, ex.AttributeList, ex.AttributeDict)


#: the strength of an edge: the weakest goes first when a cycle has to be broken
LIFTED, REFERENCE, ORDER, IMPLICIT = 3, 2, 1, 0


@dataclass(eq=False, repr=False)
class Edge:
    """One relationship between two nodes (source names)."""

    source: str
    target: str
    type: str
    strength: int
    path: Path


def relate(context: Context, drafts: list[NodeDraft]) -> dict[str, list[Edge]]:
    """The relationships of every node by its source name, without cycles, at most one per target."""
    edges: dict[str, dict[str, Edge]] = {draft.node.name: {} for draft in drafts}
    for draft in drafts:
        mine = edges[draft.node.name]
        for relation in draft.relations:
            target = context.topology.owner(relation.target)
            if target not in edges or target == draft.node.name:
                continue  # what leads nowhere is reported where it is written
            edge = Edge(draft.node.name, target, relation.type, LIFTED, relation.path)
            if mine.setdefault(target, edge).type != relation.type and relation.type != DEPENDS_ON:
                context.reporter.report("BPC404", relation.path, target=target, type=relation.type)
    for draft in drafts:
        _order(context, draft.node.name, draft.node.name, edges)
    absorbed = {node.name: context.topology.owner(node.name) for node in context.topology.parts()}
    for name, owner in absorbed.items():
        _order(context, name, owner, edges)
    engine = context.request.source
    added = [*engine.waits(context.topology), *engine.may_wait(context.topology)]
    for source, awaited in [*added, *_through(context, added, absorbed)]:
        target = absorbed.get(awaited, awaited)
        if source != target and source in edges and target in edges and target not in edges[source]:
            path = context.topology.nodes[source].path
            edges[source][target] = Edge(source, target, DEPENDS_ON, IMPLICIT, path)
    result = {name: list(mine.values()) for name, mine in edges.items()}
    while circle := next(circles({name: [edge.target for edge in mine] for name, mine in result.items()}), []):
        following = dict(zip(circle, [*circle[1:], circle[0]], strict=True))
        around = [edge for name in circle for edge in result[name] if edge.target == following[name]]
        weakest = min(around, key=lambda edge: edge.strength)
        result[weakest.source].remove(weakest)
        code = "BPC407" if weakest.strength == REFERENCE else "BPC388"
        context.reporter.report(code, weakest.path, source=weakest.source, target=weakest.target)
    return result


def _through(context: Context, added: list[tuple[str, str]], absorbed: dict[str, str]) -> Iterator[tuple[str, str]]:
    """(node, what it waits for) where one waits for an absorbed resource: what that waits for by the engine's own order
    its owner may not wait for."""
    behind: dict[str, list[str]] = {}
    for source, target in added:
        if source in absorbed:
            behind.setdefault(source, []).append(target)
    explicit = ((node.name, wait.target) for node in context.topology.nodes.values() for wait in node.waits)
    for source, target in chain(added, explicit) if behind else ():
        if absorbed.get(source, source) != absorbed.get(target):
            yield from ((source, other) for other in behind.get(target, ()))


def _order(context: Context, name: str, owner: str, edges: dict[str, dict[str, Edge]]) -> None:
    """Edges of resource ``name`` (whose node is ``owner``) from its references and its ``depends_on``."""
    node = context.topology.nodes[name]
    mine = edges[owner]
    wanted: list[tuple[str, int, Path]] = []
    operations = [operation.inputs for operation in node.operations]
    values = [node.properties, operations, node.extra.get("metadata")]
    if node.external_id is not MISSING:
        values = [node.external_id, node.properties if node.otherwise else {}]
    for expr in ex.walk(values):
        if isinstance(expr, _OF_NODES) and isinstance(expr.node, str) and not is_number(expr):  # known before
            wanted.append((expr.node, REFERENCE, expr.path))
    if node.external_id is MISSING:
        groups = context.topology.unrolled.values() if name != owner else ()
        others = next((members for members in groups if owner in members), ())
        for waits in node.waits:
            target, path = waits.target, waits.path or node.path
            if not waits.path and target in others:
                continue  # the part of a member refers to it alone: the members of a group do not wait for each other
            wanted += [(member, ORDER, path) for member in context.topology.members(target)]
            if target not in context.topology.nodes and target not in context.topology.unrolled:
                context.reporter.report("BPC208", path, name=target)
    elif node.waits:
        path = node.waits[0].path[: len(node.entry) + 1]
        context.reporter.report("BPC331", path, name=path[-1])
    for written, strength, path in wanted:
        target = context.topology.owner(written)
        if target == owner or target not in edges or target in mine:
            continue
        mine[target] = Edge(owner, target, DEPENDS_ON, strength if name == owner else ORDER, path)


def written(
    context: Context, drafts: list[NodeDraft], edges: dict[str, list[Edge]]
) -> tuple[dict[str, list[dict[str, Any]]], dict[str, Any]]:
    """The ``relationships`` of each node, and the barrier nodes (name -> node template)."""
    by_name = {draft.node.name: draft for draft in drafts}
    relationships: dict[str, list[dict[str, Any]]] = {}
    barriers: dict[str, Any] = {}
    names: dict[str, str] = {}
    subnets = network.subnets(context.topology) if context.generation2 else None
    for draft in drafts:
        mine = relationships[draft.node.name] = []
        for edge in edges[draft.node.name]:
            target = by_name[edge.target]
            effect = None if edge.strength == LIFTED else _effect(context, draft, target, subnets)
            if effect is None:
                old = context.generation2
                kind = edge.type.replace("cloudify.relationships.openstack.", RELATIONSHIPS) if old else edge.type
                mine.append({"type": kind, "target": target.name, **write_value(draft.between.get(edge.target, {}))})
                continue
            barrier = names.get(target.name)
            if barrier is None:
                barrier = names[target.name] = context.names.fresh_node(f"{target.name}_barrier")
                waits = {"type": DEPENDS_ON, "target": target.name}
                barriers[barrier] = {"type": BARRIER_TYPE, "relationships": [waits]}
            mine.append({"type": DEPENDS_ON, "target": barrier})
            context.reporter.report(
                "BPC405", edge.path, source=draft.name, target=target.name, effect=effect, barrier=barrier
            )
    return relationships, barriers


def _effect(
    context: Context, draft: NodeDraft, target: NodeDraft, subnets: Mapping[str, list[str]] | None
) -> str | None:
    """What the plugin does because of a relationship that only orders; None for nothing. ``subnets``: see
    :func:`~.network.subnets`, None for the plugin's third generation."""
    if draft.kind is None or target.kind is None:
        return None
    if subnets is not None and network.gets_address(subnets, draft.node, target.node):
        return "the port gets an address in the subnet"
    return context.catalogue.plugin.side_effect(draft.kind.kind, target.kind.kind)
