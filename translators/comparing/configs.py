"""The texts of software configurations: where Heat has an id of one, it is the text that counts."""

from __future__ import annotations

import email
import posixpath
from collections.abc import Iterator
from email.message import Message
from typing import Any

from bpconvert.models.expressions import Value
from bpconvert.models.topology import Node
from bpconvert.translators.comparing.filling import REFUSED, is_plain
from bpconvert.translators.comparing.model import Side, as_written
from bpconvert.translators.passes.software import texts
from bpconvert.translators.passes.software.kinds import MEMBERS_ATTRIBUTES


def text(side: Side, node: Node) -> Value:
    """The text of a configuration, of a multipart message the whole one."""
    properties = side.value(node.properties)
    if not isinstance(properties, dict):
        return properties
    if node.kind == "multipart_mime":
        parts = properties.get("parts") or []
        if not is_plain(parts) or not isinstance(parts, list):
            return REFUSED
        maps = [part for part in parts if isinstance(part, dict)]
        if any(isinstance(value, (dict, list)) for part in maps for value in part.values()):
            return REFUSED
        whole = texts.message([inner for part in maps for inner in _parts(part)])
        return whole if isinstance(whole, str) else REFUSED  # Heat takes texts only
    config = properties.get("config")
    if not is_plain(config):
        return REFUSED
    return "" if config is None else config if isinstance(config, dict) else str(config)


def _parts(part: dict[Any, Any]) -> Iterator[texts.Part]:
    """A part, or those of another message (heat: multi_part.py, ``_append_multiparts``)."""
    config = part.get("config")
    text = "" if config is None else str(config)
    if part.get("type") != "multipart":
        filename, subtype = (str(part.get(key) or "") for key in ("filename", "subtype"))
        yield texts.Part(text, subtype or posixpath.splitext(filename)[0], filename)
        return
    inner = email.message_from_string(text)
    for inner_part in inner.get_payload() if inner.is_multipart() else ():
        if isinstance(inner_part, Message):
            yield texts.Part(
                inner_part.get_payload(), inner_part.get_content_subtype(), inner_part.get_filename() or ""
            )


def members(side: Side, group: Node, name: str) -> dict[tuple[str, str], Value] | None:
    """(Name, key) -> server of each deployment of deployment group ``name``; None where they are not known."""
    properties = side.value(group.properties)
    servers = properties.get("servers") if isinstance(properties, dict) else None
    if not isinstance(servers, dict) or not all(isinstance(key, str) for key in servers):
        return None
    if not isinstance(as_written(side, group).properties.get("servers"), dict):  # those of a group of servers
        return {(f"{name}.{key}", key): server for key, server in servers.items()}
    alone = len(servers) == 1 and name in servers
    return {(key if alone else f"{name}_{key}", key): server for key, server in servers.items()}


def of_members(side: Side, group: Node, name: str) -> Value | None:
    """An attribute of a deployment group: that of each deployment by its key; None where they are not known."""
    members_found = members(side, group, side.name_of(group.name))
    asked = MEMBERS_ATTRIBUTES.get(name, name)
    return (
        None if members_found is None else {key: side.world.attribute(member, asked) for member, key in members_found}
    )
