"""The texts of software configurations: where Heat has an id of one, it is the text that counts."""

from __future__ import annotations

from typing import Any

from bpconvert.models.expressions import Value
from bpconvert.models.topology import Node
from bpconvert.translators.cloudify import software_mime
from bpconvert.translators.verify import side as sides


def text(side: sides.Side, node: Node) -> Value:
    """The text of a configuration, of a multipart message the whole one."""
    properties = side.value(node.properties)
    if not isinstance(properties, dict):
        return properties
    if node.kind == "multipart_mime":
        parts = properties.get("parts") or []
        if not sides.is_plain(parts):
            return sides.REFUSED
        return software_mime.message([_part(part) for part in parts if isinstance(part, dict)])
    config = properties.get("config")
    if not sides.is_plain(config):
        return sides.REFUSED
    return "" if config is None else config if isinstance(config, dict) else str(config)


def _part(part: dict[Any, Any]) -> software_mime.Part:
    return software_mime.Part(part.get("config"), part.get("subtype") or "", part.get("filename") or "")
