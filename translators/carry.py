"""What comes back is what it was: a document carries the source it was made from and a digest of each of its entries.

The way back returns the source word for word while the digests fit. An entry that was edited is translated anew and
takes the place of what it came from; all others stay as they were, comments and layout included. How the record is
stored is the dialect's business (``sidecar`` modules); it is a map of texts:

    source    the dialect of the text
    text      the source itself; ``escaped``: in ASCII with Python's escapes, where the target takes nothing else
    digests   JSON: section -> digest, or section -> {entry -> digest}, of the document that carries
    made      JSON: [entry of the source, entries that it became], where that is not the entry of the same name
    files     JSON: name -> text of the files beside the source that were read
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, NamedTuple

from bpconvert.models.expressions import Path
from bpconvert.translators.places import exists, value_at
from bpconvert.yamlio.document import Document, load
from bpconvert.yamlio.emit import Alias, Anchor

#: the key of the record in a document's metadata
KEY = "bpconvert"


def digest(fragment: Any) -> str:
    """A short digest of a fragment's data; layout and the order of keys do not count."""
    return hashlib.sha256(json.dumps(_keyed(fragment), sort_keys=True, default=str).encode()).hexdigest()[:12]


def _keyed(value: Any) -> Any:
    """``value`` with keys that sort together: a key that is no text says what it is."""
    if isinstance(value, dict):
        named = ((key if isinstance(key, str) else f"{type(key).__name__} {key}", item) for key, item in value.items())
        return {key: _keyed(item) for key, item in named}
    if isinstance(value, (list, tuple)):
        return [_keyed(item) for item in value]
    return value


def resolved(data: Mapping[str, Any]) -> dict[str, Any]:
    """``data`` as a reader sees it, without anchors and aliases."""
    plain: dict[str, Any] = _resolved(data, {})
    return plain


def _resolved(value: Any, anchors: dict[str, Any]) -> Any:
    if isinstance(value, Anchor):
        anchors[value.name] = _resolved(value.value, anchors)
        return anchors[value.name]
    if isinstance(value, Alias):
        return anchors[value.name]
    if isinstance(value, dict):
        return {key: _resolved(item, anchors) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_resolved(item, anchors) for item in value]
    return value


def entries(data: Any) -> Iterator[Path]:
    """The entries of a document: of each section that is a map, else the sections themselves."""
    for section, content in data.items():
        if isinstance(content, dict) and content:
            yield from ((section, name) for name in content)
        else:
            yield (section,)


def digest_at(data: Any, path: Path) -> str | None:
    """The digest of the entry at ``path``, None where there is none."""
    return digest(value_at(data, path)) if exists(data, path) else None


def _digests(data: Mapping[str, Any], own: Path = ()) -> dict[Path, str]:
    """The digest of each entry of ``data`` but the record's ``own`` and empty sections, one of which it may fill."""
    values = ((path, value_at(data, path)) for path in entries(data) if path != own)
    return {path: digest(value) for path, value in values if len(path) > 1 or value}


# -- keeping ------------------------------------------------------------------------------------------------


def record(
    source: str,
    document: Document,
    data: Mapping[str, Any],
    made: Mapping[Path, list[Path]],
    sections: Mapping[str, str],
    files: Mapping[str, str],
) -> dict[str, str]:
    """The record of ``document`` for the generated ``data``. ``sections``: section of the source -> its counterpart."""
    nested: dict[str, Any] = {}
    for path, value in _digests(resolved(data)).items():
        if len(path) == 1:
            nested[path[0]] = value
        else:
            nested.setdefault(path[0], {})[path[1]] = value
    expected = _counterparts(document.data, sections)
    exceptions = [
        [list(entry), [list(place) for place in made.get(entry, [])]]
        for entry in expected
        if made.get(entry, []) != expected[entry]
    ]
    kept = {"source": source, "digests": _json(nested)}
    if exceptions:
        kept["made"] = _json(exceptions)
    if files:
        kept["files"] = _json(files)
    return {**kept, "text": document.text}


def _counterparts(data: Any, sections: Mapping[str, str]) -> dict[Path, list[Path]]:
    """The entries of a document and, unless more is known, what they become: the entry of the same name."""
    return {path: [(sections[path[0]], *path[1:])] if path[0] in sections else [] for path in entries(data)}


def _json(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), default=str)


def escaped(kept: dict[str, str]) -> dict[str, str]:
    """The record in ASCII."""
    if kept["text"].isascii():
        return kept
    text = kept["text"].replace("\\", "\\\\").encode("ascii", "backslashreplace").decode()
    return {**{key: value for key, value in kept.items() if key != "text"}, "escaped": text}


# -- restoring ----------------------------------------------------------------------------------------------


class Changes(NamedTuple):
    """How a document differs from what was generated."""

    edited: set[Path]
    added: set[Path]
    deleted: set[Path]

    @property
    def present(self) -> set[Path]:
        """The entries that are to be translated anew."""
        return self.edited | self.added


class Origin:
    """The document that another one was made from, as far as that tells.

    ``dialect``, ``text`` and ``files`` are the origin's; ``changes``: the entries of the made document that are not as
    they were generated, those included that share an origin with such a one; ``digests``: of each as it was."""

    def __init__(self, kept: Mapping[str, str], own: Path, made: Document, sections: Mapping[str, str]) -> None:
        """``own``: the place of the record in ``made``; ``sections``: section of the origin -> its counterpart.

        Raises ValueError where the record is damaged."""
        self.dialect = kept["source"]
        self.text = kept["text"] if "text" in kept else kept["escaped"].encode("ascii").decode("unicode_escape")
        self.document = load(self.text, "<carried>")
        self.files: dict[str, str] = json.loads(kept.get("files", "{}"))
        self.sections = dict(sections)
        self.made = _counterparts(self.document.data, sections)
        for entry, places in json.loads(kept.get("made", "[]")):
            if tuple(entry) in self.made:
                self.made[tuple(entry)] = [tuple(place) for place in places]
        self.digests = _flat(json.loads(kept["digests"]))
        self.changes = self._changes(self.digests, _digests(made.data, own))

    def _changes(self, before: Mapping[Path, str], now: Mapping[Path, str]) -> Changes:
        edited = {path for path in now.keys() & before.keys() if now[path] != before[path]}
        deleted = set(before.keys() - now.keys())
        size = -1
        while size != len(edited):
            size = len(edited)
            for places in self.made.values():
                if any(place in edited or place in deleted for place in places):
                    edited.update(place for place in places if place in now)
        return Changes(edited, set(now.keys() - before.keys()), deleted)

    @property
    def is_untouched(self) -> bool:
        """True when the made document is as it was generated."""
        return not any(self.changes)

    @cached_property
    def _originals(self) -> dict[Path, Path]:
        found: dict[Path, Path] = {}
        for entry, places in self.made.items():
            if places and self.sections.get(entry[0]) == places[0][0]:
                found.setdefault(places[0], entry)
        return found

    def original(self, place: Path) -> str | None:
        """The name in the origin of what the made document has at ``place``."""
        entry = self._originals.get(place)
        return str(entry[-1]) if entry is not None and len(entry) == 2 else None

    def parts(self, place: Path) -> list[Path]:
        """The other entries of the origin that became part of ``place``."""
        own = self._originals.get(place)
        return [entry for entry, places in self.made.items() if place in places and entry != own]

    def is_touched(self, entry: Path) -> bool:
        """True when something that the origin's ``entry`` became was edited or deleted."""
        return any(place in self.changes.edited or place in self.changes.deleted for place in self.made[entry])


def _flat(nested: Mapping[str, Any]) -> dict[Path, str]:
    flat: dict[Path, str] = {}
    for section, content in nested.items():
        if isinstance(content, dict):
            flat.update({(section, name): value for name, value in content.items()})
        else:
            flat[(section,)] = content
    return flat


def fresh_entries(origin: Origin, data: Mapping[str, Any], made: Mapping[Path, Iterable[Path]]) -> set[Path]:
    """The entries of a new translation ``data`` that come from what was changed, and what they need that the origin
    does not have. ``made``: as in :class:`~bpconvert.translators.lowered.Lowered`."""
    makers: dict[Path, set[Path]] = {}
    for source, places in made.items():
        for place in places:
            makers.setdefault(place, set()).add(source)
    every = set(entries(data))
    fresh = {path for path in every if makers.get(path, set()) & origin.changes.present}
    extras = {path for path in every - makers.keys() if len(path) == 2 and not exists(origin.document.data, path)}
    waiting = list(fresh)
    while waiting and extras:
        words = set(_texts(value_at(data, waiting.pop())))
        wanted = {path for path in extras if path[1] in words}
        extras -= wanted
        fresh |= wanted
        waiting += wanted
    return fresh


def _texts(value: Any) -> Iterator[str]:
    """Every text in a value."""
    if isinstance(value, str):
        yield value
    for item in value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else ():
        yield from _texts(item)
