"""Properties of a resource under their canonical names, for resources and for definitions inside of groups."""

from __future__ import annotations

from bpconvert.diagnostics import Reporter
from bpconvert.models.expressions import Path, Value
from bpconvert.translators.types import Kind


def canonical(
    kind: Kind | None, properties: dict[str, Value], path: Path, reporter: Reporter
) -> tuple[dict[str, Value], dict[str, str]]:
    """``properties`` (at ``path``) with Heat's canonical names, and canonical name -> the name that the source has."""
    if kind is None or not kind.aliases:
        return properties, {}
    renamed: dict[str, Value] = {}
    aliases: dict[str, str] = {}
    for key, value in properties.items():
        neutral = kind.aliases.get(key, key)
        if neutral != key and neutral in properties:
            reporter.report("BPC315", (*path, key), name=key, other=neutral)
            continue
        if neutral != key:
            aliases[neutral] = key
        renamed[neutral] = value
    return renamed, aliases
