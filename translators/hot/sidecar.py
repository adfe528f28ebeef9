"""Where a HOT template keeps the record of what it was made from: in the metadata of a resource that does nothing.

Unknown sections are refused (heat/engine/template.py), and metadata is searched for calls, which texts are not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from bpconvert.models.expressions import Path
from bpconvert.models.hot_versions import resolve_version
from bpconvert.translators.carry import KEY
from bpconvert.translators.text import fresh

_NAME = "bpconvert_sidecar"
_TYPE = "OS::Heat::None"
_SECTION = "resources"


def put(data: dict[str, Any], kept: Mapping[str, str]) -> None:
    """Add the record to a template's data."""
    resources = data.setdefault(_SECTION, {})
    taken = {*resources, *data.get("parameters", {})}
    resources[fresh(_NAME, taken)] = {"type": _TYPE, "metadata": {KEY: dict(kept)}}


def find(data: Any) -> Path | None:
    """The place of the entry that holds a record, None if there is none."""
    resources = data.get(_SECTION) if isinstance(data, dict) else None
    for name, resource in resources.items() if isinstance(resources, dict) else ():
        if isinstance(name, str) and name.startswith(_NAME) and holds(resource):
            return _SECTION, name
    return None


def holds(resource: Any) -> bool:
    """True for a resource that keeps a record."""
    if not isinstance(resource, dict) or resource.get("type") != _TYPE:
        return False
    metadata = resource.get("metadata")
    return isinstance(metadata, dict) and isinstance(metadata.get(KEY), dict) and "digests" in metadata[KEY]


def read(data: Any, place: Path) -> Mapping[str, str]:
    """The record in the entry at ``place``."""
    found: Mapping[str, str] = data[_SECTION][place[-1]]["metadata"][KEY]
    return found


def version(current: str, fragments: Iterable[Any]) -> str:
    """``current``, or the first version that has all functions of the fragments where that is later."""
    from bpconvert.translators.hot.writing import needs  # only where something was edited

    known = resolve_version(current)
    wanted = max(map(needs, fragments), default="")
    return current if known is None or wanted <= known.date else wanted


def version_option(current: Any) -> dict[str, Any]:
    """The options that ask for the version ``current`` of HOT, {} where that is none."""
    return {"hot_version": current} if isinstance(current, str) and resolve_version(current) else {}
