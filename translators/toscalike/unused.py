"""Definitions of a document that only aliases use: what is in them that no alias puts anywhere else."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ruamel.yaml.events import AliasEvent

from bpconvert.models.light import NamedTuple
from bpconvert.yamlio.tree import written


def unused(tree: Any, section: str) -> Iterator[Any]:
    """The names of the entries of ``section`` in a document, as written, that no alias puts anywhere else."""
    if section not in tree:
        return
    entries: dict[Any, _Names] = {}
    aliases: set[str] = set()
    for name, _, event, value in written(tree):
        if name == section:
            entries = {entry: _names(inner, node) for entry, _, inner, node in written(value)}
        else:
            aliases |= _names(event, value).aliases
    owners = {anchor: name for name, names in entries.items() for anchor in names.anchors}
    used: set[Any] = set()
    waiting = list(aliases)
    while waiting:
        owner = owners.get(waiting.pop())
        if owner is not None and owner not in used:
            used.add(owner)
            waiting += entries[owner].aliases
    yield from (name for name in entries if name not in used)


class _Names(NamedTuple):
    """The names that a part of a document gives to its parts, and those that its aliases name."""

    anchors: set[str]
    aliases: set[str]


def _names(event: Any, node: Any) -> _Names:
    names = _Names(set(), set())
    waiting = [(event, node)]
    while waiting:
        event, node = waiting.pop()
        if isinstance(event, AliasEvent):
            names.aliases.add(event.anchor)
            continue
        if event.anchor is not None:
            names.anchors.add(event.anchor)
        waiting += [(inner, value) for _, _, inner, value in written(node)]
    return names
