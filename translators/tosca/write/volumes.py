"""A volume on a server: the requirement ``volume`` with a relationship template, in place of a node that attaches it.

What waits for a server waits for its volumes too, once they are requirements of it, and nothing can name such an
attachment: so nothing else may need either. What the result becomes part of keeps its form."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.light import NamedTuple
from bpconvert.translators.tosca import edges
from bpconvert.translators.tosca.write.context import Context, NodeDraft
from bpconvert.yamlio.emit import Flow

_ATTACHMENT: Final = "OS::Cinder::VolumeAttachment"
_DEVICE: Final = "mountpoint"
_ENDS: Final = ("volume_id", "instance_uuid")
#: what relationship templates have: the standard's type demands a place in the file system, which servers have none of
_PROPERTIES: Final[dict[str, dict[str, Any]]] = {
    "location": {"type": "string", "default": ""}, _DEVICE: {"type": "string", "required": False},
}  # fmt: skip
#: the definition of their type
_DEFINITION: Final = {
    "derived_from": "tosca.relationships.AttachesTo",
    "properties": {name: Flow(row) for name, row in _PROPERTIES.items()},
}


class Attachment(NamedTuple):
    """A node that attaches a volume to a server."""

    own: NodeDraft
    volume: NodeDraft
    server: NodeDraft


def attach_volumes(context: Context, drafts: list[NodeDraft]) -> list[NodeDraft]:
    """Let servers require their volumes; returns the drafts without the nodes for which that stands."""
    attachments, before = _plain(context, drafts), -1
    while len(attachments) != before:
        before = len(attachments)
        attachments = _in_place(context, _alone(attachments, drafts), drafts)
    for attachment in attachments.values():
        name, server = attachment.own.name, attachment.server
        data: dict[str, Any] = {"type": edges.ATTACHES}
        if attachment.own.properties.get(_DEVICE) is not None:
            data["properties"] = {_DEVICE: attachment.own.properties[_DEVICE]}
        context.relationship_templates[name] = data
        context.relationship_types[edges.ATTACHES] = _DEFINITION
        place = len(server.requirements)
        server.requirements.append({edges.ATTACHED: {"node": attachment.volume.name, "relationship": name}})
        template, node = ("relationship_templates", name), attachment.own.node
        for end in _ENDS:
            server.moved(node.origin(end), ("requirements", place, edges.ATTACHED))
        server.moves += [(node.path, template), (node.origin(_DEVICE), (*template, "properties", _DEVICE))]
        context.parts += [(node.path, template), (node.path, ("node_templates", server.name))]
        context.forms |= {template: edges.ATTACHED, ("node_templates", server.name): edges.ATTACHED}
    left = [draft for draft in drafts if draft.name not in attachments]
    context.forms |= {("node_templates", draft.name): "" for draft in left if draft.heat == _ATTACHMENT}
    return left


def _plain(context: Context, drafts: list[NodeDraft]) -> dict[str, Attachment]:
    """The nodes that do nothing but attach a volume to a server, which both are in the service template, and that
    nothing refers to."""
    candidates = [draft for draft in drafts if draft.heat == _ATTACHMENT]
    if not candidates:
        return {}
    by_name = {draft.name: draft for draft in drafts}
    used = set(ex.named_nodes([*context.topology.values()]))
    used.update(member for group in context.topology.groups.values() for member in group.members)
    attachments = {}
    for draft in candidates:
        node, name = draft.node, draft.name
        if draft.kept or draft.description is not None or node.name in used:
            continue
        volume, server = (by_name.get(context.node_of(draft.properties.get(end))) for end in _ENDS)
        if volume is None or server is None or not draft.properties.keys() <= {*_ENDS, _DEVICE}:
            continue
        # tosca-parser finds names in small letters only
        if name != name.lower() or context.earlier(name) or not _is_device(context, draft.properties.get(_DEVICE)):
            continue
        attachment = Attachment(draft, volume, server)
        if _fit(context, attachment):
            attachments[name] = attachment
    return attachments


def _is_device(context: Context, value: Any) -> bool:
    """True for a text, an input, or nothing."""
    is_input = isinstance(value, dict) and value.keys() == {f"{context.prefix}get_input"}
    return value is None or isinstance(value, str) or is_input


def _fit(context: Context, attachment: Attachment) -> bool:
    """True for one server, of which there is one, and one volume; the types may have been defined elsewhere."""
    volume, server = attachment.volume, attachment.server
    kinds = [end.kind.kind if end.kind is not None else "" for end in (volume, server)]
    types = (volume.heat, server.heat) == (edges.VOLUME, edges.SERVER) and kinds == ["volume", "server"]
    orders = [{"dependency": volume.name}, {"dependency": server.name}]
    declared = context.declares(server.type, edges.ATTACHED) and context.declares(volume.type, edges.ATTACHMENT)
    is_one = not (volume.node.is_scaled or server.node.is_scaled or volume.node.group or server.node.group)
    own = attachment.own.requirements
    return types and declared and is_one and len(own) == len(orders) and all(row in own for row in orders)


def _alone(attachments: Mapping[str, Attachment], drafts: list[NodeDraft]) -> dict[str, Attachment]:
    """Those that nothing waits for, and for whose servers nothing else waits: no volume does, then."""
    waiting: dict[str, set[str]] = {}
    for draft in drafts:
        for target in edges.required(draft.requirements):
            waiting.setdefault(target, set()).add(draft.name)
    left = {name: attachment for name, attachment in attachments.items() if name not in waiting}
    return {name: attachment for name, attachment in left.items() if waiting[attachment.server.name] <= left.keys()}


def _in_place(
    context: Context, attachments: Mapping[str, Attachment], drafts: list[NodeDraft]
) -> dict[str, Attachment]:
    """Those that stand where they are read back: behind the later one of their server and their volume; and those that
    are relationship templates of what the result becomes part of."""
    places = {draft.name: place for place, draft in enumerate(drafts)}
    placed: dict[str, Attachment] = {}
    behind: tuple[str, int] | None = None
    for draft in drafts:
        attachment = attachments.get(draft.name)
        ends = (attachment.server.name, attachment.volume.name) if attachment is not None else (draft.name,)
        last = max(ends, key=places.__getitem__)
        number = places[ends[0]]
        if attachment is not None and behind is not None and behind[0] == last and behind[1] <= number:
            placed[draft.name] = attachment
            behind = (last, number)
        elif attachment is not None and context.earlier(draft.name, "relationship_templates"):
            placed[draft.name] = attachment
        else:
            behind = (draft.name, -1)
    return placed
