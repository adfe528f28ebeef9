"""Which of the resources that run belong together: the members of a group, each of which has one of every kind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from bpconvert.models.running import Existing, Running
from bpconvert.translators.hot import flattening
from bpconvert.translators.support.places import texts

#: what the engine that has created a resource keeps of its addresses
_ADDRESSES = ("ip", "ipv4_address", "ipv6_address", "ipv4_addresses", "ipv6_addresses", "mac_address", "fixed_ips")


def together(resources: Mapping[str, Any], parts: Running) -> list[Running]:
    """The members of a group: for each of them what runs of the resources of its template. ``parts``: what runs of
    these in all members. Raises ValueError where nothing records what belongs together."""
    lists = {name: list(resource.members or (resource,)) for name, resource in parts.items()}
    numbers = {len(ones) for ones in lists.values()}
    if len(numbers) > 1:
        raise ValueError("its members are not of one shape")
    linked = {name: set(_linked(resources, name, lists)) for name in lists}
    members: list[dict[str, Existing]] = [{} for _ in range(next(iter(numbers), 0))]
    while waiting := [name for name in lists if not members[0].get(name)] if members else []:
        name = next((candidate for candidate in waiting if linked[candidate] & members[0].keys()), waiting[0])
        _place(name, lists[name], members, linked[name])
    return [*members]


def _place(name: str, ones: list[Existing], members: list[dict[str, Existing]], linked: set[str]) -> None:
    """Give each member the one resource that belongs to it."""
    placed = linked & members[0].keys()
    left = list(ones)
    for member in members:
        others = [member[other] for other in sorted(placed)]
        fitting = [member for member in left if all(_belongs(member, other) for other in others)]
        if len(ones) > 1 and placed and len(fitting) != 1:
            fitting = [member for member in left if any(_belongs(member, other) for other in others)]
        if len(ones) > 1 and placed and len(fitting) != 1:
            raise ValueError(f"its members are stacks, and nothing records which '{name}' belongs to which of them")
        member[name] = fitting[0] if placed and len(ones) > 1 else left[0]
        left.remove(member[name])


def _linked(resources: Mapping[str, Any], name: str, names: Mapping[str, Any]) -> Iterator[str]:
    """The resources of a member that are connected to one: by a reference, or by what refers to both."""
    own = _referred(resources[name]) & resources.keys()
    yield from own & names.keys()
    for other, body in resources.items():
        mentioned = _referred(body) & resources.keys()
        if other != name and name in mentioned:
            yield from [other] if other in names else mentioned & names.keys() - {name}


def _referred(value: Any) -> set[str]:
    """The names that a resource refers to."""
    if isinstance(value, list):
        return {name for item in value for name in _referred(item)}
    if not isinstance(value, dict):
        return set()
    names = {name for key, item in value.items() if key != "depends_on" for name in _referred(item)}
    for key in ("get_resource", "get_attr"):
        argument = value.get(key)
        first = argument[0] if isinstance(argument, list) and argument else argument
        names |= {first} if isinstance(first, str) else set()
    return names


def _belongs(resource: Existing, other: Existing) -> bool:
    """True where the record of one names the other."""
    return bool(
        _names(resource) & _mentioned(other)
        or _names(other) & _mentioned(resource)
        or _addresses(resource) & _addresses(other)
    )


def _names(resource: Existing) -> set[str]:
    return {text for text in (resource.id, resource.called) if text}


def _addresses(resource: Existing) -> set[str]:
    return set(texts([resource.data.get(key) for key in _ADDRESSES])) - {""}


def _mentioned(resource: Existing) -> set[str]:
    """All that the record of a resource names: texts, and the parts of keys that are composed of names."""
    keys = (part for key in flattening.keys(dict(resource.data)) for part in str(key).split("-"))
    return {*resource.near, *keys, *filter(None, texts(dict(resource.data)))} - _names(resource)
