"""What pictures show of a document as it is written: relationships or requirements, and groups."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from bpconvert.translators.support.drawn import Drawn


def drawn(data: Any, section: str) -> Drawn:
    """The links and groups of a document whose nodes are in ``section``; nothing where they are no maps and lists."""
    nodes = _map(_map(data).get(section))
    links = {str(name): list(_links(_map(node))) for name, node in nodes.items()}
    groups = {
        str(name): [str(member) for member in _list(_map(group).get("members"))]
        for name, group in _map(_map(data).get("groups")).items()
    }
    return Drawn(links, groups)


def _links(node: Mapping[Any, Any]) -> Iterator[tuple[str, str]]:
    for entry in _list(node.get("relationships")):
        relationship = _map(entry)
        if isinstance(relationship.get("target"), str):
            yield relationship["target"], str(relationship.get("type") or "")
    for entry in _list(node.get("requirements")):
        for name, wanted in _map(entry).items():
            target = wanted.get("node") if isinstance(wanted, Mapping) else wanted
            if isinstance(target, str):
                yield target, str(name)


def _map(value: Any) -> Mapping[Any, Any]:
    return value if isinstance(value, Mapping) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
