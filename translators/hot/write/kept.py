"""What the template keeps of the source in the metadata of a resource that does nothing: see
:mod:`~.hot.resource_metadata`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, Final

from bpconvert.models.expressions import MISSING, File, Identity
from bpconvert.translators.hot import resource_metadata
from bpconvert.translators.hot.resource_types import SOFTWARE_DEPLOYMENT, SOFTWARE_DEPLOYMENT_GROUP
from bpconvert.translators.hot.write.context import Context, ResourceDraft
from bpconvert.translators.passes.software.to_deployments import bring
from bpconvert.translators.provenance.keeping import Entry, Written, written
from bpconvert.translators.provenance.metadata_text import Portable
from bpconvert.urls import is_url

_DEPLOYMENTS: Final = (SOFTWARE_DEPLOYMENT, SOFTWARE_DEPLOYMENT_GROUP)
#: the actions of a deployment that installs
_INSTALLS: Final = ["CREATE"]


def portable(context: Context, deployments: Mapping[str, str] | None = None) -> Portable:
    """Gives values the names that they have in the template. ``deployments``: software -> the deployment that stands
    for it."""
    topology, names = context.topology, context.names
    software = deployments or {}

    def node(name: str) -> str | None:
        node_known = topology.nodes.get(name)
        if name in software:
            return software[name]
        return None if node_known is None or node_known.external_name is not MISSING else names.resource(name)

    def resource_name(name: str) -> str | None:
        if name in topology.inputs:
            return names.parameter(name)
        return name if name in context.added.parameters else None

    return Portable(topology, resource_name, node)


def resource(context: Context, drafts: Sequence[ResourceDraft], sections: Mapping[str, Any]) -> dict[str, Any]:
    """The resource that keeps what the template has no form for, by its name; {} where there is nothing."""
    language = context.request.source.language
    own = {draft.name: draft for draft in drafts if not draft.part and not draft.stand_in}
    deployments = _deployments(drafts)
    taken = {*deployments, *(draft.node.name for draft in drafts)}
    gone = [
        node for node in context.topology.nodes.values() if node.role and node.kind is None and node.name not in taken
    ]
    names = {node.name: context.names.resource(node.name) for node in gone}
    for operation in chain.from_iterable(node.unrun for node in (*(draft.node for draft in own.values()), *gone)):
        bring(operation, context.topology, context.request)
    entries = {name: Entry(draft.type, {}, {}, draft.node.unrun, language) for name, draft in own.items()}
    entries |= {draft.name: Entry(draft.type, {}, role=draft.node.role) for draft in _at_urls(context, drafts)}
    text = written(
        portable(context, deployments),
        Written(context.asked, sections["parameters"]),
        Written(context.shown, {name: output["value"] for name, output in sections["outputs"].items()}),
        entries,
        {
            names[node.name]: Entry(
                node.source_type,
                {},
                {},
                node.unrun,
                language,
                node.role,
                [names.get(name, name) for name in node.awaited],
            )
            for node in gone
        },
    )
    return {context.names.fresh_resource(resource_metadata.NAME): resource_metadata.resource(text)} if text else {}


def _at_urls(context: Context, drafts: Sequence[ResourceDraft]) -> Iterator[ResourceDraft]:
    """The deployments of software whose program is a file at a URL: its text, which another language would have in its
    place, is not known."""
    files, texts = context.request.files, {draft.name: draft.properties.get("config") for draft in drafts}
    for draft in drafts if not context.request.source.software else ():
        config = draft.properties.get("config") if draft.type == SOFTWARE_DEPLOYMENT and draft.node.role else None
        text = texts.get(config.node) if isinstance(config, Identity) and isinstance(config.node, str) else None
        if isinstance(text, File) and isinstance(text.name, str) and is_url(text.name):
            yield from () if files.has_url(text.name) else (draft,)


def _deployments(drafts: Sequence[ResourceDraft]) -> dict[str, str]:
    """Software that has no resource itself -> the last deployment of what installs it, else its last one."""
    own = {draft.node.name for draft in drafts if not draft.part}
    by_node: dict[str, ResourceDraft] = {}
    for draft in drafts:
        node, earlier = draft.node.name, by_node.get(draft.node.name)
        if node in own or draft.type not in _DEPLOYMENTS:
            continue
        installs = draft.properties.get("actions") == _INSTALLS
        if earlier is None or installs or earlier.properties.get("actions") != _INSTALLS:
            by_node[node] = draft
    return {node: draft.name for node, draft in by_node.items()}
