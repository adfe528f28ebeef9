"""What comes back is what it was: a document carries the source it was made from and a digest of each of its entries.

The way back returns the source word for word while the digests fit. An entry that was edited is translated anew and
takes the place of what it came from; all others stay as they were, comments and layout included. How the record is
stored is the dialect's business (``sidecar`` modules); it is a map of texts (:mod:`.parts`):

    source    the dialect of the text
    sum       digest of the text
    digests   section -> entry -> digest, or section -> digest, of all that the document has
    made      section -> entry -> the places that it became, where that is not the entry of the same name
    files     name -> text of the files beside the source that were read
    options   what the conversion was asked for, where that is not the default
    nested    nested document -> what it became ("": it stayed), both beside the source; each carries itself
    bundle    name -> digest of the files that were generated or copied beside the result
    stem      what files of the bundle are named after, where some are named after the source
    unkept    the options that the conversion was asked for and that are not kept
    text      the source itself; ``escaped``: in ASCII with Python's escapes, where the target takes nothing else

The record is text like any other, and may have been changed. So the source is translated again, and what stands in the
document counts where the two differ (:meth:`Origin.compare`). What only the record has, nothing can be compared with.
"""

from __future__ import annotations

import hashlib
import json
import posixpath
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from functools import cached_property
from typing import Any, Final

from bpconvert.models.expressions import SCALARS, Path
from bpconvert.models.light import NamedTuple
from bpconvert.translators.lowered import Lowered
from bpconvert.translators.provenance import parts
from bpconvert.translators.support.places import exists, texts, value_at
from bpconvert.yamlio.document import Document
from bpconvert.yamlio.emit import Alias, Anchor, Flow

#: what a conversion may have been asked for that is not kept
UNKEPT: Final = frozenset({"types", "environments", "limits", "params"})
#: the key of the record in a document's metadata
KEY = "bpconvert"
#: the key of the metadata for what a language has no form for (:mod:`~.provenance.metadata_text`)
KEPT: Final = f"{KEY}_kept"
_ENCODER: Final = json.JSONEncoder(sort_keys=True, default=str)


def digest(fragment: Any) -> str:
    """A short digest of a fragment's data; layout and the order of keys do not count."""
    return _digest(fragment, {})


def _digest(fragment: Any, anchors: dict[str, Any]) -> str:
    return hashlib.sha256(_ENCODER.encode(_keyed(fragment, anchors)).encode()).hexdigest()[:12]


def _keyed(value: Any, anchors: dict[str, Any]) -> Any:
    """``value`` with keys that sort together: a key that is no text says what it is. ``anchors``: those before it."""
    if type(value) in SCALARS:
        return value
    if isinstance(value, dict):
        for key, item in value.items():
            if type(key) is not str or type(item) not in SCALARS:
                break
        else:
            return value  # as most are
        return {
            (key if isinstance(key, str) else f"{type(key).__name__} {key}"): (
                item if type(item) in SCALARS else _keyed(item, anchors)
            )
            for key, item in value.items()
        }
    if isinstance(value, (list, tuple)):
        return [item if type(item) in SCALARS else _keyed(item, anchors) for item in value]
    if isinstance(value, Anchor):
        anchors[value.name] = _keyed(value.value, anchors)
        return anchors[value.name]
    return anchors[value.name] if isinstance(value, Alias) else value


def resolved(data: Mapping[str, Any]) -> dict[str, Any]:
    """``data`` as a reader sees it, without anchors and aliases."""
    plain: dict[str, Any] = _resolved(data, {})
    return plain


def _resolved(value: Any, anchors: dict[str, Any]) -> Any:
    if type(value) in SCALARS:
        return value
    if isinstance(value, dict):
        plain = {key: item if type(item) in SCALARS else _resolved(item, anchors) for key, item in value.items()}
        return Flow(plain) if type(value) is Flow else plain
    if isinstance(value, (list, tuple)):
        return [item if type(item) in SCALARS else _resolved(item, anchors) for item in value]
    if isinstance(value, Anchor):
        anchors[value.name] = _resolved(value.value, anchors)
        return anchors[value.name]
    return anchors[value.name] if isinstance(value, Alias) else value


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


def digests_of(data: Mapping[str, Any], own: Path = ()) -> dict[Path, str]:
    """The digest of each entry of ``data`` but the record's ``own`` and empty sections, one of which it may fill."""
    anchors: dict[str, Any] = {}
    values = ((path, value_at(data, path)) for path in entries(data) if path != own)
    return {path: _digest(value, anchors) for path, value in values if len(path) > 1 or value}


# -- keeping ------------------------------------------------------------------------------------------------


class Kept(NamedTuple):
    """What is kept with a document of the language ``source``. ``sections``: section of the source -> its counterpart;
    the rest as in the record (see above)."""

    source: str
    sections: Mapping[str, str]
    files: Mapping[str, str]
    options: Mapping[str, Any]
    nested: Mapping[str, str]
    bundle: Mapping[str, str] = {}
    unkept: Sequence[str] = ()
    stem: str = ""

    def is_named_after(self, file: str) -> bool:
        """True for a file that has its name from the source."""
        return bool(self.stem) and posixpath.basename(file).startswith(f"{self.stem}.")


def record(kept: Kept, document: Document, lowered: Lowered) -> dict[str, str]:
    """The record of ``document`` for what was generated from it."""
    text, targets = document.mark + document.text, lowered.made
    expected = _counterparts(document.data, kept.sections)
    others = {entry: targets.get(entry, []) for entry in expected if targets.get(entry, []) != expected[entry]}
    bundle = {name: digest(text) for name, text in kept.bundle.items()}
    more = {"files": kept.files, "options": _plain(kept.options), "nested": kept.nested, "bundle": bundle}
    return {
        "source": kept.source,
        "sum": digest(text),
        "digests": parts.written_digests(digests_of(lowered.data)),
        **({"made": parts.written_places(others)} if others else {}),
        **{key: parts.written(value) for key, value in more.items() if value},
        **({"stem": kept.stem} if any(map(kept.is_named_after, lowered.files)) else {}),
        **({"unkept": parts.written_words(kept.unkept)} if kept.unkept else {}),
        "text": text,
    }


def _plain(value: Any) -> Any:
    """A value as JSON has it."""
    return json.loads(json.dumps(value, default=str))


def _counterparts(data: Any, sections: Mapping[str, str]) -> dict[Path, list[Path]]:
    """The entries of a document and, unless more is known, what they become: the entry of the same name."""
    return {path: [(sections[path[0]], *path[1:])] if path[0] in sections else [] for path in entries(data)}


# -- restoring ----------------------------------------------------------------------------------------------


class Changes(NamedTuple):
    """How a document differs from what was generated. ``along``: of the ``edited``, those that are as they were, and
    share an origin with one that is not."""

    edited: set[Path]
    added: set[Path]
    deleted: set[Path]
    along: set[Path]

    @property
    def present(self) -> set[Path]:
        """The entries that are to be translated anew."""
        return self.edited | self.added

    @property
    def own(self) -> set[Path]:
        """The entries that were edited or added themselves."""
        return (self.edited - self.along) | self.added


class Origin:
    """The document that another one was made from, as far as that is known.

    ``text``, ``files`` and ``options`` are the origin's (``carried``: also files that are not below its folder);
    ``changes``: the entries of the made document that are not as
    they were generated, those included that share an origin with such a one; ``digests``: of each as it was;
    ``is_changed``: the text is not the one that was kept, which counts only if it yields the document as it is now."""

    def __init__(
        self,
        kept: Mapping[str, Any],
        own: Path,
        result: Document,
        sections: Mapping[str, str],
        load: Callable[[str, str], Document],
    ) -> None:
        """``own``: the place of the record in ``result``; ``sections``: section of the origin -> its counterpart;
        ``load``: reads a text.

        Raises ValueError, TypeError, LookupError, RecursionError or SourceError where the record is damaged."""
        self.text = parts.source_text(kept)
        self.is_changed = digest(self.text) != kept["sum"]
        self.document = load(self.text, "<carried>")
        self.carried: dict[str, str] = _texts(kept, "files")
        self.files = {name: text for name, text in self.carried.items() if is_inside(name)}
        self.options = parts.map_of(kept, "options")
        self.nested: dict[str, str] = _texts(kept, "nested")
        self.bundle: dict[str, str] = _texts(kept, "bundle")
        stem = kept.get("stem", "")
        self.stem = posixpath.basename(stem) if isinstance(stem, str) else ""
        self.unkept = parts.words_of(kept, "unkept")
        if not self.unkept <= UNKEPT:
            raise ValueError(f"'unkept' names no option: {', '.join(sorted(self.unkept - UNKEPT))}")
        self._data = result.data
        self.place = own
        self.sections = dict(sections)
        self.made = _counterparts(self.document.data, sections)
        self.made |= {entry: places for entry, places in parts.places_of(kept).items() if entry in self.made}
        self.digests = parts.digests(kept)
        self._became = _reversed(self.made)
        self._now = digests_of(result.data, own)
        #: entries of the made document that are what the origin yields now
        self.same: set[Path] = set()
        #: digests of entries that mean what an earlier version wrote otherwise
        self._alike: dict[Path, str] = {}
        self.unlike: set[Path] = set()
        self.changes = self._changes(self.digests, self._now, set())

    def compare(
        self,
        lowered: Lowered,
        files: Mapping[str, str],
        is_same: bool,
        alike: Callable[[Path, Any, Any, Any], bool] = lambda *_: False,
    ) -> set[Path]:
        """Take ``lowered`` and ``files``, what the origin yields when it is translated again, for what was generated.
        Where the made document stands as the record has it, but the origin yields something else, it is
        :attr:`unlike`. Where it may do so because it was not translated under the same circumstances (``is_same``), the
        record counts. ``alike``: (place, value in the made document, value that the origin yields, all that it yields)
        -> whether they mean the same where an earlier version wrote one of them.

        Returns: the places of which this cannot be known.

        Raises ValueError for a changed text that does not yield what stands in the document."""
        today = self._as_made(lowered.data, alike)
        places = today.keys() | self._now.keys()
        other = {place for place in places if self._now.get(place) != today.get(place)}
        if other and self.is_changed:
            raise ValueError("the text is not the one that was kept")
        unlike = {place for place in other if self._now.get(place) == self.digests.get(place)}
        plain = {} if is_same or not unlike else resolved(lowered.data)
        has_types = is_same or self.unkept <= {"params", "limits"}
        others = {place for place in unlike if has_types and self._is_other_value(place, plain)}
        unknown = set() if is_same else unlike - others
        self.unlike = unlike - unknown
        self.digests = {**self.digests, **{place: today[place] for place in self.unlike}} if unknown else today
        if unknown:
            self.changes = self._changes(self.digests, self._now, set())
            return unknown
        self.bundle |= {name: digest(text) for name, text in files.items()}
        self.made = {entry: list(lowered.made.get(entry, ())) for entry in self.made}
        self._became = _reversed(self.made)
        self.changes = self._changes(self.digests, self._now, set())
        return set()

    def _as_made(self, data: Mapping[str, Any], alike: Callable[[Path, Any, Any, Any], bool]) -> dict[Path, str]:
        """The digests of ``data``, with those of the made document for what means the same there."""
        today = digests_of(data)
        self.same = {place for place, generated in today.items() if generated == self._now.get(place)}
        for place in today.keys() - self.same:
            old = value_at(self._data, place) if place in self._now else None
            new = value_at(data, place)
            if self._now.get(place) == self.digests.get(place) and alike(place, old, new, data):
                self._alike[place] = today[place]
                today = {**today, place: self._now.get(place, "")}
        return {place: digest for place, digest in today.items() if digest}

    def same_in(self, written: Mapping[str, Any], wanted: Mapping[str, Any]) -> set[Path]:
        """The entries of what is ``wanted`` that stand in the made document, as ``written``, and that the origin yields
        today."""
        places = [place for place in self.same if len(place) == 2 and isinstance(wanted.get(place[0]), dict)]
        return {
            place for place in places if exists(wanted, place) and value_at(written, place) is value_at(wanted, place)
        }

    def with_edits(self, document: Document, lowered: Lowered) -> Origin:
        """The same with another text, which yields ``lowered``."""
        other = copy(self)
        other.__dict__.pop("_originals", None)
        other.text, other.document = document.mark + document.text, document
        other.made = {entry: list(lowered.made.get(entry, ())) for entry in _counterparts(document.data, self.sections)}
        other._became = _reversed(other.made)
        today, other.unlike = digests_of(lowered.data), set(self.unlike)
        other.same = {place for place, generated in today.items() if generated == other._now.get(place)}
        alike = {place: self._now.get(place, "") for place, sum in self._alike.items() if today.get(place) == sum}
        other.digests = {place: sum for place, sum in {**today, **alike}.items() if sum}
        other.changes = other._changes(other.digests, other._now, set())
        other.unlike &= other.changes.present | other.changes.deleted
        return other

    def part(self, document: Document, lowered: Lowered, result: Mapping[str, Any]) -> Origin:
        """The same for a part: ``document``, which yields ``lowered``, and what was ``result`` of that."""
        other = copy(self)
        other._data, other._now = result, digests_of(result, self.place)
        return other.with_edits(document, lowered)

    def _is_other_value(self, place: Path, data: Any) -> bool:
        """True where the made document has only other scalars at ``place`` than ``data``, which no decided
        parameter leads to: these take the places of calls."""
        if not exists(data, place) or not exists(self._data, place):
            return False
        return _differ_in_scalars(value_at(data, place), value_at(self._data, place))

    def touch(self, places: set[Path]) -> None:
        """Take the entries at ``places`` of the made document for edited."""
        self.changes = self._changes(self.digests, self._now, places)

    def _changes(self, before: Mapping[Path, str], now: Mapping[Path, str], also: set[Path]) -> Changes:
        """What was changed by hand, and what else was made of the same entries of the origin."""
        edited = {path for path in now.keys() & before.keys() if now[path] != before[path] or path in also}
        deleted, own = set(before.keys() - now.keys()), set(edited)
        waiting = [*edited, *deleted]
        while waiting:
            for entry in self._became.get(waiting.pop(), ()):
                more = {place for place in self.made[entry] if place in now} - edited
                if entry[0] in self.sections:
                    edited |= more
                    waiting += more
        return Changes(edited, set(now.keys() - before.keys()), deleted, edited - own)

    @property
    def is_untouched(self) -> bool:
        """True when the made document is as it was generated."""
        return not any(self.changes)

    @cached_property
    def _originals(self) -> dict[Path, Path]:
        originals: dict[Path, Path] = {}
        for entry, places in self.made.items():
            if places and self.sections.get(entry[0]) == places[0][0]:
                own = entry[1:] == places[0][1:]  # of several that became one, it is named after its own
                originals[places[0]] = entry if own else originals.get(places[0], entry)
        return originals

    def original(self, place: Path) -> str | None:
        """The name in the origin of what the made document has at ``place``."""
        entry = self._originals.get(place)
        return str(entry[-1]) if entry is not None and len(entry) == 2 else None

    def parts(self, place: Path) -> list[Path]:
        """The other entries of the origin that became part of ``place``."""
        own = self._originals.get(place)
        return [entry for entry in self._became.get(place, ()) if entry != own]

    def sources(self, place: Path) -> list[Path]:
        """The entries of the origin that became ``place`` or part of it."""
        return self._became.get(place, [])

    def owner(self, entry: Path) -> Path | None:
        """The entry of the origin that the made place of ``entry``, a part of it, is named after."""
        places = self.made.get(entry)
        own = self._originals.get(places[0]) if places else None
        return None if own == entry else own

    def is_touched(self, entry: Path) -> bool:
        """True when something that the origin's ``entry`` became was edited or deleted; sections that have no
        counterpart are not."""
        changed = self.changes.edited | self.changes.deleted
        return entry[0] in self.sections and any(place in changed for place in self.made.get(entry, ()))


def _differ_in_scalars(mine: Any, other: Any) -> bool:
    """True where two values have the same keys and items, the types of nodes included, and other scalars, none of which
    names a type."""
    if isinstance(mine, dict) and isinstance(other, dict):
        same = mine.keys() == other.keys() and mine.get("type") == other.get("type") and "default" not in mine
        return same and all(_differ_in_scalars(value, other[key]) for key, value in mine.items())
    if isinstance(mine, list) and isinstance(other, list):
        return len(mine) == len(other) and all(map(_differ_in_scalars, mine, other))
    is_type = all(isinstance(value, str) and "::" in value for value in (mine, other))
    return not is_type and not isinstance(mine, (dict, list)) and not isinstance(other, (dict, list))


def _reversed(targets_of: Mapping[Path, list[Path]]) -> dict[Path, list[Path]]:
    sources: dict[Path, list[Path]] = {}
    for source, targets in targets_of.items():
        for target in targets:
            sources.setdefault(target, []).append(source)
    return sources


def _texts(kept: Mapping[str, Any], key: str) -> dict[str, str]:
    entries = parts.map_of(kept, key)
    if not all(isinstance(text, str) for text in entries.values()):
        raise ValueError(f"'{key}' is no map of texts")
    return entries


def is_inside(name: str) -> bool:
    """True for a file's name that stays below its folder, and is not hidden there."""
    parts = name.split("/")
    safe = all(part and not part.startswith(".") and len(part) < 200 for part in parts)
    return safe and not set(name) & set("\\:\0") and name.isprintable()


def fresh_entries(origin: Origin, data: Mapping[str, Any], places_of: Mapping[Path, Iterable[Path]]) -> set[Path]:
    """The entries of a new translation ``data`` that come from what was changed. ``places_of``: as in
    :class:`~bpconvert.translators.lowered.Lowered`. What only sections without a counterpart became (the content of
    imported files) has no place of its own in the origin."""
    present = {
        place
        for place in origin.changes.present
        if place not in origin.digests or any(entry[0] in origin.sections for entry in origin.sources(place))
    }
    return {
        place for source, places in places_of.items() if source in present for place in places if exists(data, place)
    }


def needed(origin: Origin, data: Mapping[str, Any], values: Iterable[Any]) -> dict[Path, Any]:
    """The entries of a new translation ``data`` that ``values`` name and the origin does not have."""
    extras = dict.fromkeys(path for path in entries(data) if len(path) == 2 and not exists(origin.document.data, path))
    contents: dict[Path, Any] = {}
    waiting = list(values)
    while waiting and extras:
        words = set(texts(waiting.pop()))
        for path in [path for path in extras if path[1] in words]:
            del extras[path]
            contents[path] = value_at(data, path)
            waiting.append(contents[path])
    return contents
