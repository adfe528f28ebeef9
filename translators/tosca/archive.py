"""Archives of service templates (CSAR): which file is the document, and what is in one that is written.

Simple Profile 1.3, section 6: ``TOSCA-Metadata/TOSCA.meta`` names the document; without it there is exactly one YAML
file beside the folders."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Collection, Mapping
from typing import Final

_META: Final = "TOSCA-Metadata/TOSCA.meta"
_ENTRY: Final = "Entry-Definitions"
_YAML: Final = (".yaml", ".yml")
#: what is written; opera takes these versions only
_BLOCK: Final = "TOSCA-Meta-File-Version: 1.1\nCSAR-Version: 1.1\nCreated-By: bpconvert\nEntry-Definitions: {entry}\n"


def entry(names: Collection[str], read: Callable[[str], bytes | None]) -> str:
    """The path of the document in an archive with these files. Raises ValueError, with the reason, where there is
    none. A folder that is nearly called like that of the standard counts as that (tosca-parser refuses it)."""
    meta = read(_META)
    if meta is None:
        candidates = [name for name in names if "/" not in name and name.lower().endswith(_YAML)]
        if len(candidates) != 1:
            raise ValueError(f"it has no {_META}, and {len(candidates) or 'no'} YAML files at its root instead of one")
        return candidates[0]
    entry_name = _first_block(meta.decode("utf-8", "replace")).get(_ENTRY, "").strip()
    if not entry_name:
        raise ValueError(f"{_META} has no {_ENTRY}")
    place = posixpath.normpath(entry_name)
    if place not in names:
        raise ValueError(f"{_META} names '{entry_name}', which is not in it")
    return place


def _first_block(text: str) -> dict[str, str]:
    """The entries of a TOSCA.meta before its first blank line."""
    block: dict[str, str] = {}
    for line in text.lstrip("\ufeff \r\n").splitlines():
        if not line.strip():
            break
        name, colon, value = line.partition(":")
        if colon:
            block.setdefault(name.strip(), value.strip())
    return block


def contents(name: str, text: str, files: Mapping[str, str]) -> dict[str, bytes]:
    """What an archive of a document has, path -> content, its description first. ``name``: the document's;
    ``files``: those that belong to it, by their path relative to it. Raises ValueError for one that is elsewhere."""
    up = max((place.count("../") for place in map(posixpath.normpath, files) if place.startswith("../")), default=0)
    from_root = {file for file in files if f"../{file}" in text}  # so the document calls what is beside its folder
    depth = max(up, bool(from_root))
    folder = "/".join(["Definitions", *(f"inner{number}" for number in range(1, depth))]) if depth else ""
    place = posixpath.join(folder, name)
    contents_by_path = {_META: _BLOCK.format(entry=place).encode(), place: text.encode()}
    for file in sorted(files):
        inside = posixpath.normpath(posixpath.join("" if file in from_root else folder, file))
        if inside.startswith(("../", "/")) or ":" in inside or inside in contents_by_path:
            raise ValueError(f"'{file}' cannot be in it")
        contents_by_path[inside] = files[file].encode()
    return contents_by_path
