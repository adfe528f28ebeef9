"""Node templates of resources that exist and that the service template takes over: they are selected by their ids.

What connects two of them is a node of its own, with its own id: as a requirement, it would be made again."""

from __future__ import annotations

from bpconvert.models.running import Existing
from bpconvert.models.topology import Node
from bpconvert.translators.tosca.write.context import Context, NodeDraft


def select(context: Context) -> None:
    """Let the nodes of what runs be selected."""
    for node in context.topology.nodes.values():
        existing = _running(context, node)
        if existing is not None and existing.id:
            node.external_id = existing.id


def check(context: Context, drafts: list[NodeDraft]) -> None:
    """Refuse what would be created or run."""
    for draft in drafts:
        node, existing = draft.node, _running(context, draft.node)
        why = _obstacle(draft, existing)
        if why:
            context.reporter.report("BPC671", node.path, name=node.name, why=why)
        elif draft.stand_in and existing is not None:
            context.reporter.report("BPC678", node.path, name=node.name, type=node.source_type)


def _running(context: Context, node: Node) -> Existing | None:
    running = context.request.options.running or {}
    return running.get(str(node.entry[-1])) if node.entry and node.made_for is None else None


def _obstacle(draft: NodeDraft, existing: Existing | None) -> str:
    """Why a node cannot be selected, "" where it can."""
    if existing is not None and existing.nested:
        return "it is a deployment of its own"
    if existing is not None and existing.members:
        return "there are several of it, and a node template selects one"
    if draft.node.operations:
        return "its programs would run again"
    if draft.node.exists or draft.stand_in or not draft.heat:
        return ""
    return "nothing that runs is recorded of it, so that it would be created"
