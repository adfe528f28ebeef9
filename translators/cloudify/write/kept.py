"""What the blueprint keeps of the source in its metadata: see :mod:`~.cloudify.unwritten`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bpconvert.models.expressions import MISSING
from bpconvert.models.notation import to_data
from bpconvert.translators.cloudify.openstack.drafts import Draft
from bpconvert.translators.cloudify.write.context import Context
from bpconvert.translators.provenance.unwritten import KEY, Portable, as_text, kept


def metadata(
    context: Context, drafts: Sequence[Draft], inputs: Mapping[str, Any], outputs: Mapping[str, Any]
) -> dict[str, Any]:
    """The metadata with what is kept, {} for nothing. ``inputs``, ``outputs``: the declarations as written."""
    portable = _portable(context, {draft.node.name: draft.name for draft in drafts})
    asked = {name: portable.value(value) for name, value in context.inputs.stands_for.items() if name in inputs}
    shown = {context.names.output(name): portable.value(value) for name, value in context.shown.items()}
    found: dict[str, Any] = {
        "inputs": {name: kept(inputs[name], value) for name, value in asked.items() if value is not MISSING},
        "outputs": {
            name: kept(outputs[name]["value"], value) for name, value in shown.items() if value is not MISSING
        },
        "nodes": {draft.name: row for draft in drafts if len(row := _node(draft, portable)) > 1},
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
    found: dict[str, Any] = {"type": draft.type}
    for section, rows in (("properties", draft.unwritten), ("assumed", draft.assumed)):
        values = {name: portable.value(value) for name, value in rows.items()}
        data = {name: to_data(value) for name, value in values.items() if value is not MISSING}
        found |= {section: data} if data else {}
    return found
