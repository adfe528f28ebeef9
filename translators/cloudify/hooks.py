"""Properties whose correspondence data cannot say. Each function is named by a ``hook:`` of the catalogue."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Path, Value
from bpconvert.translators.cloudify import expand

if TYPE_CHECKING:
    from bpconvert.translators.cloudify.nodes import Draft, Nodes
    from bpconvert.translators.types import PropertyRule


def _server_networks(nodes: Nodes, draft: Draft, rule: PropertyRule, value: Value, source: Path) -> None:
    """All interfaces are relationships, or none (see :mod:`expand`)."""
    if not isinstance(value, list) or not value:
        draft.put(("resource_config", "networks"), nodes.shaped(draft, rule, value, source), source)
        return
    written = []
    for index, item in enumerate(value):
        said = nodes.shaped_item(draft, rule, item, (*source, index))
        if said:
            written.append(said)
    if written:
        draft.put(("resource_config", "networks"), written, source)


def _router_gateway(nodes: Nodes, draft: Draft, rule: PropertyRule, value: Value, source: Path) -> None:
    """Only a network: ``external_network`` or a relationship; with more: the API's own ``external_gateway_info``."""
    network = rule.each["network"]
    if isinstance(value, dict):
        info = {rule.aliases.get(key, key): part for key, part in value.items() if part is not None}
        if info.keys() == {"network"}:
            if not nodes.lift(draft, network, info["network"], (*source, "network")):
                draft.put(("external_network",), nodes.legaliser.value(info["network"], (*source, "network")), source)
            return
        said = {
            ("network_id" if key == "network" else key): nodes.legaliser.value(part, (*source, key))
            for key, part in info.items()
        }
        draft.put(("resource_config", "kwargs", "external_gateway_info"), said, source)
        return
    said = (
        nodes.legaliser.stand_in(value, source, "its keys have other names in Cloudify")
        if isinstance(value, ex.Expr)
        else value
    )
    draft.put(("resource_config", "kwargs", "external_gateway_info"), said, source)


def _floating_network(nodes: Nodes, draft: Draft, rule: PropertyRule, value: Value, source: Path) -> None:
    """A reference is a relationship; an id and a name have a property each."""
    if nodes.lift(draft, rule, value, source):
        return
    key = "floating_network_id" if expand.is_uuid(value) or isinstance(value, ex.Expr) else "floating_network_name"
    draft.put(("resource_config", key), nodes.legaliser.value(value, source), source)


def _security_group_rules(nodes: Nodes, draft: Draft, rule: PropertyRule, value: Value, source: Path) -> None:
    """Heat removes the two default egress rules as soon as the template has one of its own."""
    draft.put(("security_group_rules",), nodes.shaped(draft, rule, value, source), source)
    if isinstance(value, list) and any(isinstance(item, dict) and item.get("direction") == "egress" for item in value):
        draft.properties["disable_default_egress_rules"] = True


def _remote_mode(nodes: Nodes, item: dict[Any, Value], result: dict[Any, Value]) -> None:
    """``remote_group_id`` without a group means the group itself."""
    if item.get("remote_mode") == "remote_group_id" and item.get("remote_group_id") is None:
        result["remote_group_id"] = ex.Attribute("SELF", "id")


def _block_devices(nodes: Nodes, draft: Draft, rule: PropertyRule, value: Value, source: Path) -> None:
    """Heat's device maps as the compute API's own (heat: nova/server.py, ``_build_block_device_mapping_v2``)."""
    to = tuple((rule.to or "").split("."))
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        said = (
            nodes.legaliser.stand_in(value, source, "its items have another form in Cloudify")
            if isinstance(value, ex.Expr)
            else value
        )
        draft.put(to, said, source)
        return
    devices = []
    for index, item in enumerate(value):
        device: dict[str, Value] = {}
        for key, part in item.items():
            place = (*source, index, key)
            if part is None:
                continue
            said = nodes.legaliser.value(part, place)
            if key in _DEVICE_SOURCES:
                device["uuid"] = said
                device["source_type"] = _DEVICE_SOURCES[key]
                device.setdefault("destination_type", "volume")
            elif key == "swap_size":
                device |= {
                    "guest_format": "swap",
                    "source_type": "blank",
                    "destination_type": "local",
                    "volume_size": said,
                }
            elif key in ("ephemeral_size", "ephemeral_format"):
                device |= {"source_type": "blank", "destination_type": "local"}
                device["volume_size" if key == "ephemeral_size" else "guest_format"] = said
            elif key == "delete_on_termination" or key in _DEVICE_KEYS:
                device[key] = said
            else:
                nodes.context.reporter.report("BPC301", place, name=key, type=draft.node.source_type)
        devices.append(device)
    draft.put(to, devices, source)


_DEVICE_SOURCES = {"volume_id": "volume", "snapshot_id": "snapshot", "image": "image", "image_id": "image"}
_DEVICE_KEYS = {"device_name", "device_type", "disk_bus", "boot_index", "volume_size"}

#: what a class of RandomString allows: (uppercase, lowercase, digits); None: no counterpart
_CLASSES: dict[str, tuple[bool, bool, bool] | None] = {
    "lettersdigits": (True, True, True),
    "letters": (True, True, False),
    "uppercase": (True, False, False),
    "lowercase": (False, True, False),
    "digits": (False, False, True),
    "hexdigits": None,
    "octdigits": None,
}


def _character_classes(nodes: Nodes, draft: Draft, rule: PropertyRule, value: Value, source: Path) -> None:
    """RandomString draws from the union of its classes with a minimum for each; PasswordSecret knows four sets."""
    classes = [{"class": value}] if isinstance(value, str) else value
    if not isinstance(classes, list) or not all(
        isinstance(c, dict) and ex.is_constant(c) and _CLASSES.get(c.get("class", "lettersdigits")) for c in classes
    ):
        nodes.context.reporter.report(
            "BPC302", source, name=source[-1], type=draft.node.source_type, why="the characters cannot be said"
        )
        return
    allowed, least = [False] * 3, [0] * 3
    for entry in classes:
        members = _CLASSES[entry.get("class", "lettersdigits")] or (False,) * 3
        allowed = [a or m for a, m in zip(allowed, members, strict=True)]
        if sum(members) == 1:
            place = members.index(True)
            least[place] = max(least[place], int(entry.get("min", 1)))
        elif int(entry.get("min", 1)) > 1:
            nodes.context.reporter.report("BPC314", source, name="min")
    for name, is_allowed, number in zip(("uppercase", "lowercase", "digits"), allowed, least, strict=True):
        if not is_allowed or number:
            draft.put((name,), number if is_allowed else -1, source)


#: called with a property's value
PRESENT: dict[str, Callable[[Nodes, Draft, PropertyRule, Value, Path], None]] = {
    "server_networks": _server_networks,
    "router_gateway": _router_gateway,
    "floating_network": _floating_network,
    "security_group_rules": _security_group_rules,
    "block_devices": _block_devices,
    "character_classes": _character_classes,
}
#: called for one key of a map
ITEM: dict[str, Callable[[Nodes, dict[Any, Value], dict[Any, Value]], None]] = {"remote_mode": _remote_mode}
