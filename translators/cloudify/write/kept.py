"""What the blueprint keeps of the source in its metadata: see :mod:`~.cloudify.unwritten`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bpconvert.models.expressions import MISSING
from bpconvert.models.notation import to_data
from bpconvert.translators.cloudify.openstack.drafts import Draft
from bpconvert.translators.cloudify.write.context import Context
from bpconvert.translators.provenance.unwritten import KEY, Portable, as_text, kept


def metadata(context: Context, drafts: Sequence[Draft], inputs: Mapping[str, Any]) -> dict[str, Any]:
    """The metadata with what is kept, {} for nothing. ``inputs``: the declarations as written."""
    portable = _portable(context, {draft.node.name: draft.name for draft in drafts})
    asked = {name: portable.value(value) for name, value in context.inputs.stands_for.items() if name in inputs}
    found: dict[str, Any] = {
        "inputs": {name: kept(inputs[name], value) for name, value in asked.items() if value is not MISSING},
        "nodes": {draft.name: row for draft in drafts if (row := _node(draft, portable))["properties"]},
    }
    found = {section: rows for section, rows in found.items() if rows}
    return {"metadata": {KEY: as_text(found, ascii_only=True)}} if found else {}


def _portable(context: Context, nodes: Mapping[str, str]) -> Portable:
    def named(name: str) -> str | None:
        if name in context.topology.inputs:
            return context.names.input(name)
        return name if name in context.inputs.added else None

    return Portable(context.topology, named, nodes.get)


def _node(draft: Draft, portable: Portable) -> dict[str, Any]:
    values = {name: portable.value(value) for name, value in draft.unwritten.items()}
    return {
        "type": draft.type,
        "properties": {name: to_data(value) for name, value in values.items() if value is not MISSING},
    }
