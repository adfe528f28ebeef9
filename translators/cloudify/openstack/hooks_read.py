"""The hooks of the catalogue's property rules on the way back (the way there: :mod:`hooks`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.translators.catalogue.model import PropertyRule
from bpconvert.translators.cloudify import named_values
from bpconvert.translators.cloudify.openstack import cloud_config, compute, generation2_read, hooks_write, shares
from bpconvert.translators.cloudify.openstack.property_paths import KWARGS, Entry, same
from bpconvert.translators.cloudify.openstack.protocols import NodeReader

_GATEWAY = f"{KWARGS}.external_gateway_info"
_DISABLE = "disable_default_egress_rules"


def _server_networks(reading: NodeReader, name: str, rule: PropertyRule) -> None:
    """The compute API also takes a word for all interfaces."""
    entry = reading.entry(rule)
    for one in reading.written.take("management_network_name"):
        if one.value not in (None, ""):
            reading.notes.management[reading.node.name] = one
    if entry is None or entry.value == []:
        return
    if entry.value in ("auto", "none"):
        reading.put(name, [{"allocate_network": entry.value}], entry.place)
        return
    value = reading.shaped(name, rule, entry.value, entry.place)
    if value is not MISSING:
        reading.put(name, value, entry.place)


def _router_gateway(reading: NodeReader, name: str, rule: PropertyRule) -> None:
    """The network is ``external_network``, the rest the API's own ``external_gateway_info``; where both name a network,
    the property counts (as in the plugin)."""
    network = reading.entry(rule.each["network"])
    details = reading.written.take(_GATEWAY)
    if not details:
        if network is not None:
            reading.put(name, {"network": network.value}, network.place)
        return
    value = reading.shaped(name, rule, details[0].value, details[0].place)
    if not isinstance(value, dict):
        if value is not MISSING and value is not None:
            reading.put(name, value, details[0].place)
        elif network is not None:
            reading.put(name, {"network": network.value}, network.place)
        return
    if network is not None:
        if "network" in value and value["network"] != network.value:
            reading.report("BPC362", reading.node.origins.get((name, "network"), details[0].place), name="network_id")
        value = {**value, "network": network.value}
        reading.node.origins[name, "network"] = network.place
    reading.put(name, value, details[0].place)


def _security_group_rules(reading: NodeReader, name: str, rule: PropertyRule) -> None:
    """Heat removes the default egress rules as soon as the template has one of its own; the plugin when asked to."""
    disable = reading.written.take(_DISABLE)
    disabled = disable[0].value if disable else False
    entry = reading.entry(rule)
    value: Value = [] if entry is None else entry.value
    place = (*reading.node.path, "properties") if entry is None else entry.place
    if not isinstance(value, list):
        if isinstance(value, ex.Expr):
            _computed_rules(reading, name, value, place, disable)
        return
    rules = [_rule(reading, name, rule, item, (*place, i), i) for i, item in enumerate(value)]
    directions = [item.get("direction") if isinstance(item, dict) else item for item in rules]
    unknown = any(isinstance(direction, ex.Expr) for direction in directions)
    where = disable[0].place if disable and disable[0].own else place
    if isinstance(disabled, ex.Expr) or (unknown and disabled is True and "egress" not in directions):
        reading.report("BPC359", where, name=reading.node.name, why="it depends on a value")
    elif disabled is True and "egress" not in directions:
        reading.report("BPC359", where, name=reading.node.name, why="it has no egress rule of its own")
    elif disabled is not True and (unknown or "egress" in directions):
        rules += _default_rules()
        reading.report("BPC358", where, name=reading.node.name)
    if rules:
        reading.put(name, rules, place)


def _default_rules() -> list[Value]:
    """What every new group has."""
    return [{"direction": "egress"}, {"direction": "egress", "ethertype": "IPv6"}]


def _computed_rules(reading: NodeReader, name: str, value: ex.Expr, place: Path, disable: list[Entry]) -> None:
    """Rules that only a call yields. With the default ones written out, Heat does not have to know whether there is an
    egress rule among them."""
    rules: ex.Expr = generation2_read.rules_of(value) if reading.written.old else value
    if disable and (disable[0].value is True or isinstance(disable[0].value, ex.Expr)):
        reading.report("BPC359", place, name=reading.node.name, why="it depends on a value")
    else:
        rules = ex.ListConcat([rules, _default_rules()], path=value.path)
        reading.report("BPC358", place, name=reading.node.name)
    reading.put(name, rules, place)
    if reading.written.old:
        reading.report("BPC369", place, name=place[-1])


def _rule(reading: NodeReader, name: str, rule: PropertyRule, item: Value, place: Path, index: int) -> Value:
    """One rule. Heat hears a ``remote_group_id`` only with a ``remote_mode``; that alone means the group itself."""
    if isinstance(item, dict) and reading.written.old:
        normal, sources, filled = generation2_read.rule(item)
        if filled:
            reading.report("BPC357", place)
        if sources.get("remote_group_id") == "remote_group_name":
            given = normal["remote_group_id"]
            where = (*place, "remote_group_name")
            normal["remote_group_id"] = generation2_read.named_group(given, reading.groups, where)
        result = reading.shaped(name, rule, normal, place, (name, index))
        for key, source in sources.items():
            reading.node.origins[name, index, key] = (*place, source)
    else:
        result = reading.shaped(name, rule, item, place, (name, index))
    if not isinstance(result, dict) or result.get("remote_group_id") is None:
        return result
    if result["remote_group_id"] == ex.Identity(reading.node.name):
        reading.node.origins[name, index, "remote_mode"] = reading.node.origins.pop(
            (name, index, "remote_group_id"), (*place, "remote_group_id")
        )
        return {("remote_mode" if k == "remote_group_id" else k): ("remote_group_id" if k == "remote_group_id" else v)
                for k, v in result.items()}  # fmt: skip
    return {**result, "remote_mode": "remote_group_id"}


def _block_devices(reading: NodeReader, name: str, rule: PropertyRule) -> None:
    """The compute API's device maps as Heat's."""
    entry = reading.entry(rule)
    if entry is None:
        return
    if not isinstance(entry.value, list):
        reading.report("BPC353", entry.place, name=name)
        return
    found = [_device(reading, item, (*entry.place, i)) for i, item in enumerate(entry.value)]
    devices = [device for device in found if device]
    if devices:
        reading.put(name, devices, entry.place)


#: source_type -> the key that Heat has for ``uuid``
_SOURCES = {"volume": "volume_id", "snapshot": "snapshot_id", "image": "image"}
#: what the compute API takes where a device says nothing, and Heat's keys say something else
_KEPT = ("device_name", "device_type", "disk_bus", "boot_index", "volume_size", "delete_on_termination", "volume_type")


def _device(reading: NodeReader, item: Value, place: Path) -> dict[str, Value]:
    if not isinstance(item, dict):
        reading.report("BPC353", place, name="block_device_mapping_v2")
        return {}
    given = {key: value for key, value in item.items() if value is not None}
    source, swap = given.get("source_type"), given.get("guest_format") == "swap"
    key = _SOURCES.get(source) if isinstance(source, str) else None
    if key is not None and "uuid" in given:
        heat = {key: given.pop("uuid")}
        row = {"volume_id": "volume_id", "snapshot_id": "snapshot_id", "image": "image"}[key]
    elif source == "blank" and given.get("destination_type", "local") == "local" and "volume_size" in given:
        row = "swap_size" if swap else "ephemeral_size"
        heat = {row: given.pop("volume_size")}
        if "guest_format" in given and not swap:
            heat["ephemeral_format"] = given.pop("guest_format")
    else:
        reading.lost("block_device_mapping_v2", place, "Heat cannot say such a block device")
        return {}
    meant = hooks_write.meaning(row)
    if meant.get("boot_index") == 0 and "boot_index" not in given:
        heat["boot_index"] = -1  # what no index means to the compute API; Heat takes 0
    if row == "image" and "destination_type" not in given:
        reading.lost("destination_type", place, "Heat makes a volume of the image")
    for part, value in given.items():
        if part in meant and (same(value, meant[part]) or str(value) == str(meant[part])):
            continue
        if part in _KEPT:
            heat[part] = value
        else:
            reading.lost(str(part), (*place, part), "Heat decides it by the kind of the device")
    return heat


def _gateway_ip(reading: NodeReader, name: str, rule: PropertyRule) -> None:
    """Null in ``kwargs`` says that there is no gateway."""
    for entry in reading.written.take(rule.to or ""):
        if entry.value is None and "kwargs" in entry.place and entry.own:
            reading.put(name, None, entry.place)
        elif entry.value not in (None, "") and name not in reading.node.properties:
            reading.put(name, entry.value, entry.place)


def _metadata(reading: NodeReader, name: str, rule: PropertyRule) -> None:
    """Heat writes numbers as text by itself."""
    entry = reading.entry(rule)
    if entry is None or (entry.value == {} and not entry.own):
        return
    value = entry.value
    if isinstance(value, dict):
        value = {key: _plain_number(reading, part) for key, part in value.items()}
    reading.put(name, value, entry.place)


def _plain_number(reading: NodeReader, value: Value) -> Value:
    if isinstance(value, ex.Concat) and len(value.items) == 1:
        inner = value.items[0]
        if isinstance(inner, ex.Input) and not inner.keys and inner.name in reading.numbers:
            return inner
    return value


def _character_classes(reading: NodeReader, name: str, rule: PropertyRule) -> None:
    """PasswordSecret has a minimum for each of four sets of characters (-1: none of them)."""
    if name != "character_classes":
        return
    least: dict[str, Any] = {}
    place: Path = (*reading.node.path, "properties")
    for key in ("uppercase", "lowercase", "digits", "symbols"):
        entries = reading.written.take(key)
        least[key] = entries[0].value if entries and entries[0].value is not None else 0
        if type(least[key]) is not int:
            why = "how many characters there are of a class has to be written out"
            reading.lost(key, entries[0].place, why)
            least[key] = 0
        if entries and entries[0].own:
            place = entries[0].place
    symbols = least.pop("symbols")
    classes = [{"class": key, "min": number} for key, number in least.items() if number > 0]
    loose = [key for key, number in least.items() if number == 0]
    union = _UNIONS.get(frozenset(key for key, number in least.items() if number >= 0))
    if loose and union is not None and (classes or union != "lettersdigits"):
        classes.append({"class": union})
    elif loose and union is None:
        classes += [{"class": key} for key in loose]
        reading.report("BPC368", place, problem="there is at least one character of each class")
    if classes:
        reading.put(name, classes, place)
    if symbols >= 0:
        many = {"min": symbols} if symbols > 1 else {}
        reading.put("character_sequences", [{"sequence": _SYMBOLS, **many}], place)
        reading.report("BPC368", place, problem=f"the symbols are drawn from {_SYMBOLS}")


_SYMBOLS = "!@#$%^&*()-_=+"
#: kinds of characters that are allowed -> the class of all of them
_UNIONS = {
    frozenset({"uppercase", "lowercase", "digits"}): "lettersdigits",
    frozenset({"uppercase", "lowercase"}): "letters",
    frozenset({"uppercase"}): "uppercase",
    frozenset({"lowercase"}): "lowercase",
    frozenset({"digits"}): "digits",
}


def _nothing(reading: NodeReader, name: str, rule: PropertyRule) -> None:
    """What only Heat's side says."""


#: hook -> called for a node with the rule's name
HOOKS: dict[str, Callable[[NodeReader, str, PropertyRule], None]] = {
    "server_networks": _server_networks,
    "router_gateway": _router_gateway,
    "security_group_rules": _security_group_rules,
    "block_devices": _block_devices,
    "gateway_ip": _gateway_ip,
    "metadata": _metadata,
    "character_classes": _character_classes,
    "save_private_key": _nothing,
    "software": _nothing,
    "user_data_format": _nothing,
    "flavor_tenants": compute.tenants_back,
    "image_location": compute.location_back,
    "keystone_roles": _nothing,
    "share_access_rules": _nothing,
    "share_protocol": shares.read_protocol,
    "any_value": named_values.read,
    "cloud_config": cloud_config.read,
}
#: hooks that are an ordinary path on the way back
PLAIN = frozenset({
    "shared_object", "router_of_routes", "floating_network", "remote_mode", "given_by_id", "nested_blueprint",
    "nested_inputs", "stack_timeout",
})  # fmt: skip
