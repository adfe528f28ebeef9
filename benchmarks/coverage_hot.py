"""What ``coverage.py`` counts in a Heat template."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from measured import Converted, Place, Table, calls, existing, lost, refused, words
from type_map import Entry, TypeMap, left_to_stand_in, missing_file

WHAT: Final = ("resources", "properties", "get_attr")
_STAND_IN: Final = "bpconvert.nodes.HeatResource"
#: properties of groups that hold the definition of a member
_MEMBER: Final = {"OS::Heat::ResourceGroup": "resource_def", "OS::Heat::AutoScalingGroup": "resource"}
_SIZES: Final = ("min_size", "max_size", "desired_capacity")
#: what an attachment of a volume needs
_ENDS: Final = frozenset({"volume_id", "instance_uuid"})
#: an attribute of a stand-in: null at run time
_NULL: Final = ("BPC305",)


def count(converted: Converted, types: TypeMap, table: Table) -> None:
    """Count all uses of one template."""
    resources = converted.source.data.get("resources")
    resources = resources if isinstance(resources, dict) else {}
    for path, data in _resources(resources):
        entry = types.heat_entry(data["type"])
        if entry is None or not entry.counts:
            table.apart["; ".join(map(words, converted.at(path))) or f"{data['type']}: nothing is said of it"] += 1
            continue
        excuse = _excuse(converted, path, resources)
        cause = _resource(converted, path, _MEMBER.get(data["type"]))
        table.count(data["type"], "resources", cause, converted.where(path), excuse)
        _properties(converted, table, entry, path, data, cause, excuse)
    places = {"resources": 4, "outputs": 3}
    for section, least in places.items():
        for place, argument in calls(converted.source.data.get(section), ("get_attr", "Fn::GetAtt"), (section,)):
            _attribute(converted, types, table, resources, place, argument, least)


def _excuse(converted: Converted, path: Place, resources: dict[str, Any]) -> str:
    """Why a whole resource may be left out."""
    data = resources[path[1]]
    properties = data.get("properties")
    properties = properties if isinstance(properties, dict) else {}
    if len(path) == 2:
        found = left_to_stand_in(path[1], resources, converted.folder)
        if found:
            return found
    if data["type"] == "OS::Heat::AutoScalingGroup" and not all(map(_is_size, map(properties.get, _SIZES))):
        return "the engine refuses it, too: a size of the group is a word"
    if data["type"] == "OS::Heat::ResourceGroup" and "resource_def" not in properties:
        return "the engine refuses it, too: nothing says what its members are"
    if len(path) == 2 and data["type"] == "OS::Cinder::VolumeAttachment" and not properties.keys() >= _ENDS:
        return "the engine refuses it, too: nothing says what is attached to what"
    return ""


def _is_size(value: Any) -> bool:
    return not isinstance(value, str) or value.isdecimal()


def _resources(resources: dict[str, Any]) -> Iterator[tuple[Place, dict[str, Any]]]:
    """Every resource with its place, and the definitions of members of groups."""
    waiting = [(("resources", name), data) for name, data in resources.items()]
    while waiting:
        path, data = waiting.pop(0)
        if not isinstance(data, dict) or not isinstance(data.get("type"), str):
            continue
        yield path, data
        inner = _MEMBER.get(data["type"])
        properties = data.get("properties")
        if inner and isinstance(properties, dict):
            waiting.append(((*path, "properties", inner), properties.get(inner)))


def _resource(converted: Converted, path: Place, member: str | None) -> str:
    """Why a resource is not converted; "" if it is. ``member``: the property that holds the members of a group, which
    are counted by themselves."""
    cause = lost(converted.at(path)) or lost(converted.at(path[:2]))
    if cause:
        return cause
    products = converted.products(path[:2])
    if not products:
        return "not traced: nothing says what it became"
    if any(isinstance(product, dict) and product.get("type") == _STAND_IN for product in products[:1]):
        return "" if member and converted.at((*path, "properties", member)) else "a stand-in without a finding"
    return ""


def _properties(
    converted: Converted, table: Table, entry: Entry, path: Place, data: dict[str, Any], resource: str, excuse: str
) -> None:
    properties = data.get("properties")
    member = _MEMBER.get(data["type"])
    for name in properties if isinstance(properties, dict) else ():
        if not isinstance(name, str) or not entry.heat_property(name):
            table.apart[f"property {name} of {data['type']}"] += 1
            continue
        place = (*path, "properties", name)
        found = converted.at(place) if name == member else converted.within(place)
        cause = f"of a resource: {resource}" if resource else lost(found)
        if not cause and not _is_there(converted, path, place, properties[name]):
            cause = "not found in the result, and nothing is said of it"
        reason = excuse or refused(found) or existing(found) or missing_file(properties[name], converted.folder)
        reason = reason or ("" if resource else converted.unsayable_call(found))
        table.count(data["type"], "properties", cause, converted.where(place), reason)


def _is_there(converted: Converted, path: Place, place: Place, value: Any) -> bool:
    """True when a property is in the result, or a finding speaks of it."""
    if converted.is_traced(place) or converted.within(place):
        return True
    return converted.is_said(value, [*converted.products(path[:2]), *_policies(converted, path[:2])])


def _policies(converted: Converted, entry: Place) -> list[Any]:
    """The scaling policies of the groups that the nodes of a resource are in."""
    members = converted.names(entry)
    groups = converted.result.get("groups") or {}
    mine = {name for name, group in groups.items() if members & set(group["members"])}
    return [one for one in (converted.result.get("policies") or {}).values() if mine & set(one["targets"])]


def _attribute(
    converted: Converted,
    types: TypeMap,
    table: Table,
    resources: dict[str, Any],
    place: Place,
    argument: Any,
    least: int,
) -> None:
    steps = argument if isinstance(argument, list) else [argument]
    target = resources.get(steps[0]) if steps and isinstance(steps[0], str) else None
    kind = target.get("type") if isinstance(target, dict) else None
    entry = types.heat_entry(kind) if isinstance(kind, str) else None
    name = steps[1] if len(steps) > 1 else None
    if entry is None or not isinstance(target, dict) or not isinstance(name, str):
        table.apart[f"get_attr {name if isinstance(name, str) else 'without a name'} of {kind}"] += 1
        return
    if not entry.heat_attribute(name) or not _has_member(target, types):
        table.apart[f"get_attr {name} of {kind}"] += 1
        return
    outer = [one for one in converted.around(place, least) if len(one.path) < len(place)]
    excuse = _excuse(converted, ("resources", steps[0]), resources) or refused(converted.at(place))
    if any("has no output" in one.message for one in converted.at(place)):
        excuse = "the engine refuses it, too: there is no such output"
    excuse = excuse or converted.unsayable_call(outer)
    cause = lost(converted.around(place, least), _NULL) or lost(converted.at(("resources", steps[0])))
    if not cause and not _is_answered(converted, steps[0]):
        cause = "nothing in the result takes a value of its node"
    table.count(str(kind), "get_attr", cause, converted.where(place), excuse)


def _has_member(group: dict[str, Any], types: TypeMap) -> bool:
    """False for a group whose members are of a type without a counterpart."""
    inner = _MEMBER.get(str(group.get("type")))
    properties = group.get("properties")
    member = properties.get(inner) if inner and isinstance(properties, dict) else None
    kind = member.get("type") if isinstance(member, dict) else None
    return kind is None or types.heat_entry(str(kind)) is not None


def _is_answered(converted: Converted, name: str) -> bool:
    """True when something in the result takes a value of what a resource became."""
    functions = ("get_attribute", "get_property", "get_attributes_list", "get_attributes_dict", "get_capability")
    named = converted.names(("resources", name))
    arguments = [argument for _, argument in calls(converted.result, functions)]
    taken = {str(argument[0]) for argument in arguments if isinstance(argument, list) and argument}
    return bool(named & taken) or "SELF" in taken or _is_known(converted, name)


def _is_known(converted: Converted, name: str) -> bool:
    """True when a value of the resource is known without asking: what it is, the template says."""
    place = ("resources", name)
    return any(found.path[:2] != place and name in found.message for found in converted.findings)
