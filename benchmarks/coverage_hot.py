"""What ``coverage.py`` counts in a Heat template."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from measured import EXISTING, Converted, Place, Table, calls, lost, words
from type_map import Entry, TypeMap, left_to_stand_in

from bpconvert import Severity

WHAT: Final = ("resources", "properties", "get_attr")
_STAND_IN: Final = "bpconvert.nodes.HeatResource"
#: properties of groups that hold the definition of a member
_MEMBER: Final = {"OS::Heat::ResourceGroup": "resource_def", "OS::Heat::AutoScalingGroup": "resource"}
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
        apart = left_to_stand_in(path[1], resources, converted.folder) if len(path) == 2 else ""
        if apart or any(found.severity is Severity.ERROR for found in converted.within(path)):
            table.apart[apart or f"{data['type']}: Heat refuses it, too"] += 1
            continue
        cause = _resource(converted, path, _MEMBER.get(data["type"]))
        table.count(data["type"], "resources", cause, converted.where(path))
        _properties(converted, table, entry, path, data, cause)
    places = {"resources": 4, "outputs": 3}
    for section, least in places.items():
        for place, argument in calls(converted.source.data.get(section), ("get_attr", "Fn::GetAtt"), (section,)):
            _attribute(converted, types, table, resources, place, argument, least)


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
    converted: Converted, table: Table, entry: Entry, path: Place, data: dict[str, Any], resource: str
) -> None:
    properties = data.get("properties")
    member = _MEMBER.get(data["type"])
    for name in properties if isinstance(properties, dict) else ():
        if not isinstance(name, str) or not entry.heat_property(name):
            table.apart[f"property {name} of {data['type']}"] += 1
            continue
        place = (*path, "properties", name)
        found = converted.at(place) if name == member else converted.within(place)
        if any(one.code in EXISTING for one in found):
            table.apart["properties of existing resources"] += 1
            continue
        call = "" if resource else converted.unsayable_call(found)
        if call:
            table.apart[f"property with a call: {call}"] += 1
            continue
        cause = f"of a resource: {resource}" if resource else lost(found)
        if not cause and not _is_there(converted, path, place, properties[name]):
            cause = "not found in the result, and nothing is said of it"
        table.count(data["type"], "properties", cause, converted.where(place))


def _is_there(converted: Converted, path: Place, place: Place, value: Any) -> bool:
    """True when a property is in the result, or a finding speaks of it."""
    if converted.is_traced(place) or converted.within(place):
        return True
    return converted.is_said(value, converted.products(path[:2]))


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
    apart = left_to_stand_in(steps[0], resources, converted.folder) if entry is not None else ""
    if entry is not None and not apart and any("has no output" in one.message for one in converted.at(place)):
        apart = "Heat knows no such output either"
    if entry is not None and isinstance(target, dict) and not _has_member(target, types):
        apart = "members of a type without a counterpart"
    if apart:
        table.apart[f"get_attr of what the map leaves to the stand-in: {apart}"] += 1
        return
    if entry is None or not isinstance(name, str) or not entry.heat_attribute(name, len(steps) - 2):
        table.apart[f"get_attr {name if isinstance(name, str) else 'without a name'} of {kind}"] += 1
        return
    call = converted.unsayable_call(one for one in converted.around(place, least) if len(one.path) < len(place))
    if call:
        table.apart[f"get_attr in a call: {call}"] += 1
        return
    cause = lost(converted.around(place, least), _NULL) or lost(converted.at(("resources", steps[0])))
    if not cause and not _is_answered(converted, steps[0]):
        cause = "nothing in the result takes a value of its node"
    table.count(str(kind), "get_attr", cause, converted.where(place))


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
