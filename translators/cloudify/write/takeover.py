"""Nodes of resources that exist and that the blueprint takes over: references to them, as the OpenStack plugin's
decorators read them (``openstack_plugin/utils.py``, ``use_external_resource``)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING
from bpconvert.models.running import Existing
from bpconvert.translators.cloudify import computed
from bpconvert.translators.cloudify.openstack import client
from bpconvert.translators.cloudify.openstack.drafts import NodeDraft
from bpconvert.translators.cloudify.openstack.interfaces import NETS
from bpconvert.translators.cloudify.write.context import Context
from bpconvert.translators.evaluate.parameters import is_false
from bpconvert.translators.support.places import inside

_EXISTS: Final = "use_external_resource"
#: kind -> those that a node of it may not be related to where both exist (``server.py``,
#: ``_validate_external_server_networks``; ``router.py``, ``_validate_external_interface_connections``)
_CONNECTED: Final = {"server": frozenset({"port", *NETS}), "port": frozenset({"router"})}
#: types that draw or run something when they are installed, beside those of the OpenStack plugin
_ACTIVE: Final = frozenset(
    {"cloudify.nodes.PasswordSecret", "cloudify.nodes.Component", "cloudify.nodes.ServiceComponent"}
)
#: settings with which the plugin changes a resource that exists, or refuses it (``port.py``, ``_update_external_port``;
#: ``project.py``, ``_handle_external_project_resource``)
_CHANGING: Final = {"port": (("resource_config", "allowed_address_pairs"),), "project": (("users",), ("groups",))}
#: what it needs to take one that is in use (``floating_ip.py``, ``use_external_floating_ip``)
_NEEDED: Final = {"floating_ip": {"allow_reallocation": True}}

Relationships = Mapping[str, list[dict[str, Any]]]


def take_over(
    context: Context, drafts: list[NodeDraft], relationships: Relationships, barriers: Mapping[str, Any]
) -> None:
    """Let the nodes of what runs refer to it. Relationships and settings with which the plugin would change it are
    left out; what would create or run something is refused. ``barriers``: nodes that others wait for."""
    running = context.options.running or {}
    _leave_parts_out(context, drafts, relationships, barriers)
    kinds = {draft.name: draft.kind.kind for draft in drafts if draft.kind is not None}
    for draft, existing in _matched(context, drafts, running):
        why = _obstacle(context, draft, existing)
        if why:
            context.reporter.report("BPC671", draft.node.path, name=draft.node.name, why=why)
        elif client.is_openstack(draft) and (existing is not None or draft.node.exists):
            if existing is not None and not draft.node.exists:
                _refer(context, draft, existing)
            _leave_out(context, draft, kinds[draft.name])
            _part(context, draft, kinds, relationships[draft.node.name])
        elif existing is not None and draft.node.stand_in:
            context.reporter.report("BPC678", draft.node.path, name=draft.node.name, type=draft.node.source_type)


def _leave_parts_out(
    context: Context, drafts: list[NodeDraft], relationships: Relationships, barriers: Mapping[str, Any]
) -> None:
    """Leave out what was made for a resource that exists, where nothing records which it is and nothing reads it."""
    running, owner = context.options.running or {}, context.topology.owner
    read = {
        name
        for values in (*(draft.properties for draft in drafts), *(out.value for out in context.topology.published))
        for name in ex.named_nodes(values)
    }
    unknown = {}
    for draft, existing in _matched(context, drafts, running):
        node = draft.node
        if node.made_for is None or node.exists or existing is not None or not client.is_openstack(draft):
            continue
        if owner(node.made_for) in running and node.name not in read:
            unknown[draft.name] = draft
            context.reporter.report("BPC693", node.path, name=draft.name, owner=owner(node.made_for))
    drafts[:] = [draft for draft in drafts if draft.name not in unknown]
    for rows in (*relationships.values(), *(barrier.get("relationships", []) for barrier in barriers.values())):
        rows[:] = [row for row in rows if row["target"] not in unknown]


def _part(context: Context, draft: NodeDraft, kinds: Mapping[str, str], mine: list[dict[str, Any]]) -> None:
    """Leave relationships out with which the plugin would connect what is connected."""
    kinds_apart = _CONNECTED.get(kinds[draft.name], ())
    for row in [row for row in mine if kinds.get(row["target"]) in kinds_apart]:
        mine.remove(row)
        context.reporter.report("BPC674", draft.node.path, name=draft.name, target=row["target"])


def _matched(
    context: Context, drafts: list[NodeDraft], running: Mapping[str, Existing]
) -> Iterator[tuple[NodeDraft, Existing | None]]:
    """Each node with what runs of it; what was made for another node is one of that one's parts, in their order."""
    parts = {name: iter(existing.parts) for name, existing in running.items()}
    for draft in drafts:
        node = draft.node
        if _computes(draft):
            yield draft, None
        elif node.made_for is None:
            yield draft, running.get(str(node.entry[-1])) if node.entry else None
        else:
            part = next(parts.get(context.topology.owner(node.made_for), iter(())), "")
            yield draft, Existing(part) if part else None


def _computes(draft: NodeDraft) -> bool:
    """True for a node whose script computes a value beside the manager, and does nothing else."""
    operations = (interface for interface in draft.interfaces.values() if isinstance(interface, dict))
    return any(interface.get("implementation") == computed.PATH for interface in operations)


def _obstacle(context: Context, draft: NodeDraft, existing: Existing | None) -> str:
    """Why a node cannot be taken over, "" where it can."""
    node = draft.node
    if existing is not None and existing.nested:
        return "it is a stack of its own"
    if _computes(draft):
        return ""
    if node.operations or any(
        isinstance(interface, dict) and interface.get("implementation") for interface in draft.interfaces.values()
    ):
        return "its programs would run again"
    if node.exists or node.stand_in or (existing is None and draft.scaling is not MISSING):
        return ""
    if draft.type in _ACTIVE:
        return "it would be made anew"
    if client.is_openstack(draft) and (existing is None or not existing.id):
        return "nothing that runs is recorded of it, so that it would be created"
    if draft.kind is not None and draft.kind.cloudify is not None and not draft.kind.cloudify.existing:
        return "the plugin refers to none that exists"
    return "the plugin refers to no network that is down" if _is_down(context, draft) else ""


def _is_down(context: Context, draft: NodeDraft) -> bool:
    """True for a network that is switched off, as far as is known (``network.py``, ``handle_external_network``)."""
    value = inside(draft.properties, ("resource_config", "admin_state_up"))
    if isinstance(value, ex.Input) and not value.keys:
        environment, declared = context.files.environment, context.topology.inputs.get(str(value.name))
        value = (
            environment.parameters.get(str(value.name), declared and declared.default)
            if environment is not None
            else None
        )
    is_network = draft.kind is not None and draft.kind.kind in NETS
    return is_network and is_false(value)


def _leave_out(context: Context, draft: NodeDraft, kind: str) -> None:
    """Leave settings out that the plugin gives to what exists."""
    for *above, last in _CHANGING.get(kind, ()):
        place = draft.properties.get(above[0]) if above else draft.properties
        if isinstance(place, dict) and place.pop(last, None) is not None:
            context.reporter.report("BPC675", draft.node.path, setting=last, name=draft.name, done="left out")


def _refer(context: Context, draft: NodeDraft, existing: Existing) -> None:
    """Let a node refer to a resource."""
    kind = draft.kind.kind if draft.kind is not None else ""
    setting = draft.kind.cloudify.existing if draft.kind is not None and draft.kind.cloudify is not None else "id"
    config = draft.properties.get("resource_config", {})
    config = {key: value for key, value in config.items() if key != setting} if isinstance(config, dict) else {}
    draft.properties = {_EXISTS: True, **draft.properties, "resource_config": {setting: existing.id, **config}}
    for key, value in _NEEDED.get(kind, {}).items():
        draft.properties[key] = value
        context.reporter.report("BPC675", draft.node.path, setting=key, name=draft.name, done=str(value).lower())
