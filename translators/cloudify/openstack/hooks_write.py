"""Properties whose correspondence data cannot say. Each function is named by a ``hook:`` of the catalogue."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Path, Value
from bpconvert.translators.cloudify import named_values
from bpconvert.translators.cloudify.openstack import (
    cloud_config,
    compute,
    rbac_policies,
    roles_write,
    security_rules,
    shares,
)
from bpconvert.translators.support.text import is_uuid

if TYPE_CHECKING:
    from bpconvert.translators.catalogue.model import PropertyRule
    from bpconvert.translators.cloudify.write.nodes import Draft, Nodes


def _server_networks(nodes: Nodes, draft: Draft, rule: PropertyRule, value: Value, source: Path) -> None:
    """All interfaces are relationships, or none (see :mod:`expand`)."""
    if not isinstance(value, list) or not value:
        draft.put(("resource_config", "networks"), nodes.shaped(draft, rule, value, source), source)
        return
    written = []
    for index, item in enumerate(nodes.interfaces.get(draft.node.name, value)):
        said = nodes.shaped_item(draft, rule, item, (*source, index))
        if said:
            written.append(said)
    if written:
        draft.put(("resource_config", "networks"), written, source)


def _router_gateway(nodes: Nodes, draft: Draft, rule: PropertyRule, value: Value, source: Path) -> None:
    """The network is ``external_network`` or a relationship, the rest the API's own ``external_gateway_info``: the
    plugin puts them together."""
    to = ("resource_config", "kwargs", "external_gateway_info")
    if not isinstance(value, dict):
        draft.put(to, _no_map(nodes, value, source), source)
        return
    network = rule.each["network"]
    rest = {}
    for key, part in value.items():
        place = (*source, key)
        if rule.aliases.get(key, key) != "network" or part is None:
            rest[key] = part
        elif not nodes.lift(draft, network, part, place):
            draft.put((network.to,), nodes.shaped(draft, network, part, place), place)
    said = nodes.shaped_item(draft, rule, rest, source)
    if said:
        draft.put(to, said, source)


def _no_map(nodes: Nodes, value: Value, source: Path) -> Value:
    """What stands where a map or a list of maps belongs: their keys have other names here."""
    if isinstance(value, ex.Expr):
        return nodes.rewriter.replacement(value, value.path or source, "its keys have other names in Cloudify")
    return nodes.rewriter.value(value, source)


def _floating_network(nodes: Nodes, draft: Draft, rule: PropertyRule, value: Value, source: Path) -> None:
    """A reference is a relationship; an id and a name have a property each."""
    if nodes.lift(draft, rule, value, source):
        return
    key = "floating_network_id" if is_uuid(value) or isinstance(value, ex.Expr) else "floating_network_name"
    draft.put(("resource_config", key), nodes.rewriter.value(value, source), source)


def _security_group_rules(nodes: Nodes, draft: Draft, rule: PropertyRule, value: Value, source: Path) -> None:
    """Heat removes the two default egress rules as soon as the template has one of its own."""
    items = value if isinstance(value, list) else [value]
    if isinstance(value, list):
        places = [draft.node.origins.get(("rules", i), (*source, i)) for i in range(len(value))]
        items = [security_rules.sent(nodes, draft, item, place) for item, place in zip(value, places, strict=True)]
        said: Value = [nodes.shaped_item(draft, rule, *one) for one in zip(items, places, strict=True)]
    else:
        said = nodes.shaped(draft, rule, value, source)
    draft.put(("security_group_rules",), said, source)
    directions = [item.get("direction") if isinstance(item, dict) else item for item in items]
    if "egress" in directions:
        draft.properties["disable_default_egress_rules"] = True
    elif any(isinstance(direction, ex.Expr) for direction in directions):
        nodes.context.reporter.report("BPC333", source, name=draft.node.name)


def _remote_mode(nodes: Nodes, item: dict[Any, Value], result: dict[Any, Value]) -> None:
    """``remote_group_id`` without a group means the group itself."""
    if item.get("remote_mode") == "remote_group_id" and item.get("remote_group_id") is None:
        result["remote_group_id"] = ex.Attribute("SELF", "id")


def _block_devices(nodes: Nodes, draft: Draft, rule: PropertyRule, value: Value, source: Path) -> None:
    """Heat's device maps as the compute API's own (heat: nova/server.py, ``_build_block_device_mapping_v2``)."""
    to = tuple((rule.to or "").split("."))
    if not isinstance(value, list):
        draft.put(to, _no_map(nodes, value, source), source)
        return
    devices = []
    for index, item in enumerate(value):
        place = (*source, index)
        device = _device(nodes, draft, item, place) if isinstance(item, dict) else _no_map(nodes, item, place)
        if device:
            devices.append(device)
    draft.put(to, devices, source)


def _device(nodes: Nodes, draft: Draft, item: dict[Any, Value], source: Path) -> dict[str, Value]:
    """One device: of the keys that say what it is, Heat takes the first one, in the order of :data:`_DEVICES`."""
    report = nodes.context.reporter.report
    first = next((key for key in _DEVICES if item.get(key)), None)
    if first is None:
        report("BPC120", source, problem="a block device has to have a volume, snapshot, image, swap or ephemeral disk")
        return {}
    device = dict(_DEVICES[first].parts)
    for key, part in item.items():
        place = (*source, key)
        kind = _DEVICES.get(key)
        if part is None or (part == "" and key not in _DEVICE_KEYS):
            report("BPC307", place, name=key)
        elif kind is not None and kind.parts == _DEVICES[first].parts:
            if key in ("image", "image_id"):
                nodes.looked_up(key, part, place)
            device[kind.key] = nodes.rewriter.value(part, place)
        elif kind is not None:
            report("BPC335", place, name=key, other=first)
        elif key in _DEVICE_KEYS:
            device[key] = nodes.rewriter.value(part, place)
        else:
            report("BPC301", place, name=key, type=draft.node.source_type)
    return device


class _Device(NamedTuple):
    """Where the value of a key goes, and what else the key means."""

    key: str
    parts: dict[str, Value]


def _volume(source: str) -> dict[str, Value]:
    return {"source_type": source, "destination_type": "volume", "boot_index": 0, "delete_on_termination": False}


_LOCAL: dict[str, Value] = {
    "source_type": "blank",
    "destination_type": "local",
    "boot_index": -1,
    "delete_on_termination": True,
}
_DEVICES = {
    "volume_id": _Device("uuid", _volume("volume")),
    "snapshot_id": _Device("uuid", _volume("snapshot")),
    "image": _Device("uuid", _volume("image")),
    "image_id": _Device("uuid", _volume("image")),
    "swap_size": _Device("volume_size", {**_LOCAL, "guest_format": "swap"}),
    "ephemeral_size": _Device("volume_size", _LOCAL),
    "ephemeral_format": _Device("guest_format", _LOCAL),
}


def meaning(key: str) -> dict[str, Value]:
    """What a key of Heat's block devices says besides its own value."""
    return dict(_DEVICES[key].parts)


#: written as they are, over what the key above means
_DEVICE_KEYS = {
    "device_name",
    "device_type",
    "disk_bus",
    "boot_index",
    "volume_size",
    "delete_on_termination",
    "volume_type",
}


def _gateway_ip(nodes: Nodes, draft: Draft, rule: PropertyRule, value: Value, source: Path) -> None:
    """Null says that there is no gateway; only in ``kwargs`` it is sure to reach the API."""
    if value is None:
        draft.put(("resource_config", "kwargs", "gateway_ip"), None, source)
    else:
        draft.put(tuple((rule.to or "").split(".")), nodes.shaped(draft, rule, value, source), source)


def _metadata(nodes: Nodes, draft: Draft, rule: PropertyRule, value: Value, source: Path) -> None:
    """Heat sends values that are no text as JSON (``meta_serialize``)."""
    if isinstance(value, dict):
        value = {key: _metadata_text(nodes, part, (*source, key)) for key, part in value.items()}
    draft.put(tuple((rule.to or "").split(".")), nodes.rewriter.value(value, source), source)


def _metadata_text(nodes: Nodes, value: Value, path: Path) -> Value:
    if isinstance(value, str):
        return value
    if ex.is_constant(value):
        text = json.dumps(value)
        nodes.context.reporter.report("BPC509", path, value=text)
        return text
    if isinstance(value, ex.Input) and nodes.rewriter.kind(value) == "number":
        nodes.context.reporter.report("BPC332", path)
        return ex.Concat((value,), path=value.path)
    if nodes.rewriter.kind(value) not in ("text", "any"):
        nodes.context.reporter.report("BPC334", path)
    return value


def _save_private_key(nodes: Nodes, draft: Draft, rule: PropertyRule, value: Value, source: Path) -> None:
    """The plugin always keeps the private key that it gets, and it gets none for a given public key."""
    if value is True or draft.node.properties.get("public_key") is not None:
        nodes.context.reporter.report("BPC306", source, name=source[-1], value=value)
    else:
        nodes.context.reporter.report("BPC337", source, name=draft.node.name)


def _private_key(nodes: Nodes, draft: Draft, source: Path) -> None:
    if draft.node.properties.get("public_key") is None:
        nodes.context.reporter.report("BPC337", source, name=draft.node.name)


def _user_data_format(nodes: Nodes, draft: Draft, source: Path) -> None:
    """Heat wraps user data in a multipart text with its own tools unless it is told not to."""
    if draft.node.properties.get("user_data") is not None:
        nodes.context.reporter.report("BPC339", source, name=draft.node.name)


#: what a class of RandomString allows: (uppercase, lowercase, digits); None: no counterpart
_CLASSES: dict[str, tuple[bool, bool, bool] | None] = {
    "lettersdigits": (True, True, True),
    "letters": (True, True, False),
    "uppercase": (True, False, False),
    "lowercase": (False, True, False),
    "digits": (False, False, True),
    "hexdigits": (False, False, True),
    "octdigits": None,
}


def _character_classes(nodes: Nodes, draft: Draft, rule: PropertyRule, value: Value, source: Path) -> None:
    """RandomString draws from the union of its classes with a minimum for each; PasswordSecret knows four sets."""
    classes = [{"class": value}] if isinstance(value, str) else value
    read = [_character_class(entry) for entry in classes] if isinstance(classes, list) else [None]
    listed = classes if isinstance(classes, list) else []
    if any(isinstance(item, dict) and item.get("class") == "hexdigits" for item in listed):
        note = "the text has no letters a to f: it is drawn from the digits, a hexadecimal number all the same"
        nodes.context.reporter.report("BPC309", source, note=note)
    allowed, least = [False] * 3, [0] * 3
    for entry in read:
        if entry is None:
            why = "the characters cannot be said"
            nodes.context.reporter.report("BPC302", source, name=source[-1], type=draft.node.source_type, why=why)
            return
        members, number = entry
        allowed = [a or m for a, m in zip(allowed, members, strict=True)]
        if sum(members) == 1:
            place = members.index(True)
            least[place] = max(least[place], number)
        elif number > 1:
            nodes.context.reporter.report("BPC314", source, name="min")
    for name, is_allowed, number in zip(("uppercase", "lowercase", "digits"), allowed, least, strict=True):
        if not is_allowed or number:
            draft.put((name,), number if is_allowed else -1, source)


def _character_class(entry: Value) -> tuple[tuple[bool, bool, bool], int] | None:
    """The kinds of characters and the least number of them; None where there is no counterpart."""
    if not isinstance(entry, dict):
        return None
    given = {key: part for key, part in entry.items() if part is not None}
    name, number = given.get("class", "lettersdigits"), given.get("min", 1)
    members = _CLASSES.get(name) if isinstance(name, str) else None
    if isinstance(number, str) and number.isdecimal():
        number = int(number)
    return (members, number) if members and isinstance(number, int) and not isinstance(number, bool) else None


def _software(nodes: Nodes, draft: Draft, rule: PropertyRule, value: Value, source: Path) -> None:
    """What is left of a deployment is the server that it runs on (see :mod:`software`)."""
    nodes.lift(draft, rule, value, source)


#: called with a property's value
PRESENT: dict[str, Callable[[Nodes, Draft, PropertyRule, Value, Path], None]] = {
    "flavor_tenants": compute.tenants,
    "image_location": compute.location,
    "shared_object": rbac_policies.shared_object,
    "server_networks": _server_networks,
    "router_gateway": _router_gateway,
    "floating_network": _floating_network,
    "security_group_rules": _security_group_rules,
    "block_devices": _block_devices,
    "character_classes": _character_classes,
    "gateway_ip": _gateway_ip,
    "metadata": _metadata,
    "save_private_key": _save_private_key,
    "software": _software,
    "keystone_roles": roles_write.not_written_out,
    "share_access_rules": shares.access_rules,
    "given_by_id": shares.given_by_id,
    "any_value": named_values.put,
    "cloud_config": cloud_config.put,
}
#: called where the property is absent
ABSENT: dict[str | None, Callable[[Nodes, Draft, Path], None]] = {
    "flavor_tenants": compute.own_access,
    "save_private_key": _private_key,
    "user_data_format": _user_data_format,
}
#: hooks for which null means something
WITH_NULL = {"any_value", "gateway_ip"}
#: called for one key of a map
ITEM: dict[str, Callable[[Nodes, dict[Any, Value], dict[Any, Value]], None]] = {"remote_mode": _remote_mode}
