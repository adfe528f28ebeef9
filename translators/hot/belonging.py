"""Which of the resources that run belong together: the members of a group, each of which has one of every kind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from bpconvert.models.running import Existing, Running
from bpconvert.translators.hot import flattening

#: what the engine that has created a resource keeps of its addresses
_ADDRESSES = ("ip", "ipv4_address", "ipv6_address", "ipv4_addresses", "ipv6_addresses", "mac_address", "fixed_ips")


def together(resources: Mapping[str, Any], parts: Running) -> list[Running]:
    """The members of a group: for each of them what runs of the resources of its template. ``parts``: what runs of
    these in all members. Raises ValueError where nothing records what belongs together."""
    known = {name: list(one.members or (one,)) for name, one in parts.items()}
    numbers = {len(ones) for ones in known.values()}
    if len(numbers) > 1:
        raise ValueError("its members are not of one shape")
    linked = {name: set(_linked(resources, name, known)) for name in known}
    members: list[dict[str, Existing]] = [{} for _ in range(next(iter(numbers), 0))]
    while waiting := [name for name in known if not members[0].get(name)] if members else []:
        name = next((one for one in waiting if linked[one] & members[0].keys()), waiting[0])
        _place(name, known[name], members, linked[name])
    return [*members]


def _place(name: str, ones: list[Existing], members: list[dict[str, Existing]], linked: set[str]) -> None:
    """Give each member the one resource that belongs to it."""
    placed = linked & members[0].keys()
    left = list(ones)
    for member in members:
        others = [member[other] for other in sorted(placed)]
        fitting = [one for one in left if all(_belongs(one, other) for other in others)]
        if len(ones) > 1 and placed and len(fitting) != 1:
            fitting = [one for one in left if any(_belongs(one, other) for other in others)]
        if len(ones) > 1 and placed and len(fitting) != 1:
            raise ValueError(f"its members are stacks, and nothing records which '{name}' belongs to which of them")
        member[name] = fitting[0] if placed and len(ones) > 1 else left[0]
        left.remove(member[name])


def _linked(resources: Mapping[str, Any], name: str, known: Mapping[str, Any]) -> Iterator[str]:
    """The resources of a member that are connected to one: by a reference, or by what refers to both."""
    own = _referred(resources[name]) & resources.keys()
    yield from own & known.keys()
    for other, body in resources.items():
        found = _referred(body) & resources.keys()
        if other != name and name in found:
            yield from [other] if other in known else found & known.keys() - {name}


def _referred(value: Any) -> set[str]:
    """The names that a resource refers to."""
    if isinstance(value, list):
        return {name for item in value for name in _referred(item)}
    if not isinstance(value, dict):
        return set()
    found = {name for key, item in value.items() if key != "depends_on" for name in _referred(item)}
    for key in ("get_resource", "get_attr"):
        argument = value.get(key)
        first = argument[0] if isinstance(argument, list) and argument else argument
        found |= {first} if isinstance(first, str) else set()
    return found


def _belongs(one: Existing, other: Existing) -> bool:
    """True where the record of one names the other."""
    return bool(
        _names(one) & _mentioned(other) or _names(other) & _mentioned(one) or _addresses(one) & _addresses(other)
    )


def _names(one: Existing) -> set[str]:
    return {text for text in (one.id, one.called) if text}


def _addresses(one: Existing) -> set[str]:
    return set(_texts([one.data.get(key) for key in _ADDRESSES]))


def _mentioned(one: Existing) -> set[str]:
    """All that the record of a resource names: texts, and the parts of keys that are composed of names."""
    keys = (part for key in flattening.keys(dict(one.data)) for part in str(key).split("-"))
    return {*one.near, *keys, *_texts(dict(one.data))} - _names(one)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, (list, dict)):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _texts(item)
    elif isinstance(value, str) and value:
        yield value
