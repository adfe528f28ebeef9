"""What the blueprint keeps of the source in its metadata: see :mod:`~.cloudify.blueprint_metadata`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bpconvert.translators.cloudify.openstack.drafts import NodeDraft
from bpconvert.translators.cloudify.vocabulary import stand_in
from bpconvert.translators.cloudify.write.context import Context
from bpconvert.translators.provenance.keeping import Entry, Written, written
from bpconvert.translators.provenance.metadata_text import KEY, Portable


def metadata(
    context: Context, drafts: Sequence[NodeDraft], inputs: Mapping[str, Any], outputs: Mapping[str, Any]
) -> dict[str, Any]:
    """The metadata with what is kept, {} for nothing. ``inputs``, ``outputs``: the declarations as written."""
    portable = _portable(context, {draft.node.name: draft.name for draft in drafts})
    shown = {context.names.output(name): value for name, value in context.shown.items()}
    kept_data = written(
        portable,
        Written(context.inputs.stands_for, inputs),
        Written(shown, {name: output["value"] for name, output in outputs.items()}),
        {draft.name: _entry(context, draft) for draft in drafts},
        ascii_only=True,
    )
    return {"metadata": {KEY: kept_data}} if kept_data else {}


def _entry(context: Context, draft: NodeDraft) -> Entry:
    """What is kept of a node template; a stand-in shows the operations itself."""
    source = context.request.source
    unrun = [] if draft.type == stand_in(source.title)[0] else draft.node.unrun
    return Entry(draft.type, draft.unsupported, draft.assumed, unrun, source.language)


def _portable(context: Context, nodes: Mapping[str, str]) -> Portable:
    def node_name(name: str) -> str | None:
        if name in context.topology.inputs:
            return context.names.input(name)
        return name if name in context.inputs.added else None

    return Portable(context.topology, node_name, nodes.get)
