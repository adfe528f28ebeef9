"""A part of a long document: some of its entries, all that these refer to, and what refers to them.

What an edit means for the source is found out in such a part, which is translated in no time; its lines then go back to
where they stand in the whole document. That the whole document yields what was edited is found out by translating it:
a part that misleads costs time, and nothing else."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any, Final

from bpconvert.diagnostics import SourceError
from bpconvert.models.expressions import Path
from bpconvert.models.light import NamedTuple
from bpconvert.translators.provenance import carry
from bpconvert.translators.support.places import value_at
from bpconvert.yamlio.document import Document

#: entries of a document that is worth taking a part of, how many times as many as the part may have, and what that may
#: have in any case
_LEAST: Final = 48
_TIMES: Final = 8
_PART: Final = 12
#: entries of a section that is short: those that refer to nothing else stay
_SHORT: Final = 10
#: what refers to one entry, as far as that says how it is used
_REFERRING: Final = 8
#: a text with names in it, not a script
_LONGEST: Final = 100
_WORD: Final = re.compile(r"[\w-]+")


class Excerpt(NamedTuple):
    """A part of a document. ``cuts``: the places of the document's text that are not in that of the part, in order;
    ``is_closed``: all that refers to the entries that were asked for is in it."""

    document: Document
    cuts: list[tuple[int, int]]
    is_closed: bool


def excerpt(
    document: Document, own: Collection[Path], near: Collection[Path], load: Callable[[str, str], Document]
) -> Excerpt | None:
    """The part of a document with the entries ``own``, what refers to them, those ``near``, and all that these refer
    to; None where the document is short, or that is most of it. ``load``: reads a text."""
    every = [path for path in carry.entries(document.data) if len(path) == 2]
    if len(every) < _LEAST:
        return None
    graph = _Graph(document.data, every, max(_PART, len(every) // _TIMES))
    rows = graph.sections().values()
    # entries are added behind the last one of a section, as far from it as the first two are from each other
    if not graph.add({*own, *near, *(row[-1] for row in rows)} & graph.every.keys()):
        return None
    for row in rows:
        graph.add(row[:2])
    closed = [graph.add_referring(path) for path in graph.every if path in own]
    for path in graph.every:
        if path in near:
            graph.add_referring(path)
    graph.add_short()
    cuts = _cuts(document, graph.kept)
    text = document.text
    for begin, end in reversed(cuts):
        text = text[:begin] + text[end:]
    try:
        part = load(text, document.name).like(document)
    except SourceError:
        return None
    return Excerpt(part, cuts, all(closed)) if cuts else None


class Names:
    """The entries of a document by their names."""

    def __init__(self, paths: Iterable[Path]) -> None:
        self._paths: dict[str, list[Path]] = {}
        for path in paths:
            if len(path) == 2 and isinstance(path[1], str):
                self._paths.setdefault(path[1], []).append(path)

    def mentioned(self, value: Any) -> set[Path]:
        """The entries that are named in a value."""
        paths: set[Path] = set()
        for text in _texts(value):
            if text in self._paths:
                paths.update(self._paths[text])
            elif len(text) < _LONGEST and not text.isidentifier():
                paths.update(path for word in _WORD.findall(text) for path in self._paths.get(word, ()))
        return paths


def _texts(value: Any) -> Iterator[str]:
    """Every text in a value, the keys of maps, too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            if isinstance(key, str):
                yield key
            yield from _texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)


class _Graph:
    """What the entries of a document refer to. ``kept``: those that are chosen, ``most`` at most."""

    def __init__(self, data: Mapping[str, Any], every: list[Path], most: int) -> None:
        names = Names(every)
        self.every = {path: names.mentioned(value_at(data, path)) - {path} for path in every}
        self.kept: set[Path] = set()
        self._most = most
        self._referring: dict[Path, list[Path]] = {}
        for path, others in self.every.items():
            for other in others:
                self._referring.setdefault(other, []).append(path)

    def add(self, paths: Iterable[Path]) -> bool:
        """Choose entries with all that they refer to; none, and False, where these are too many."""
        kept, waiting = set(self.kept), list(paths)
        while waiting:
            path = waiting.pop()
            if path not in kept:
                kept.add(path)
                if len(kept) > self._most:
                    return False
                waiting += self.every[path]
        self.kept = kept
        return True

    def add_referring(self, path: Path) -> bool:
        """Choose what refers to an entry; False where that is not all, or too much."""
        referring = self._referring.get(path, [])
        every = [self.add([place]) for place in referring[:_REFERRING]]
        return all(every) and len(referring) <= _REFERRING

    def sections(self) -> dict[str, list[Path]]:
        """The entries of each section that is not short."""
        sections: dict[str, list[Path]] = {}
        for path in self.every:
            sections.setdefault(path[0], []).append(path)
        return {section: rows for section, rows in sections.items() if len(rows) > _SHORT}

    def add_short(self) -> None:
        """Choose the entries of short sections that refer to nothing that is not chosen."""
        long = self.sections()
        for path, others in self.every.items():
            if path[0] not in long and others <= self.kept:
                self.kept.add(path)


def _cuts(document: Document, kept: Collection[Path]) -> list[tuple[int, int]]:
    """The lines of all other entries, with those up to the next one; an entry without lines of its own stays."""
    cuts: list[tuple[int, int]] = []
    for section, content in document.data.items():
        paths = [(section, name) for name in content] if isinstance(content, dict) else []
        if all(path in kept for path in paths):
            continue
        if not any(path in kept for path in paths):
            span = document.span((section,))
            if span is not None:
                cuts.append(span[:2])
                continue
        spans = [document.span(path) for path in paths]
        for path, span, behind in zip(paths, spans, [*spans[1:], None], strict=True):
            if path not in kept and span is not None:
                end = behind[0] if behind is not None else span[1]
                cuts.append((span[0], end))
    return _joined(sorted(cuts))


def _joined(cuts: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The same with those that follow each other in one."""
    joined: list[tuple[int, int]] = []
    for begin, end in cuts:
        if joined and begin <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((begin, end))
    return joined


def put_into(document: Document, part: Excerpt, text: str) -> str | None:
    """The whole document's text with the lines that ``text`` has otherwise than the ``part`` of it; None where lines
    on both sides of a cut became others, so that nobody knows where these belong."""
    before, after = part.document.text.splitlines(keepends=True), text.splitlines(keepends=True)
    places = _places(part.cuts, before)
    edits: list[tuple[int, int, str]] = []
    rows = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    for number, (tag, low, high, start, end) in enumerate(rows):
        if tag == "equal":
            continue
        new = after[start:end]
        if tag == "delete" and _is_split(before, places, low, high):
            low, high = _moved(before, places, low, high, rows[number - 1 : number + 2 : 2])
        if tag == "insert" or not _is_split(before, places, low, high):
            begin = places[low] if low < high else places[low - 1] + len(before[low - 1]) if low else 0
            edits.append((begin, begin + sum(map(len, before[low:high])), "".join(new)))
        elif tag == "delete" or len(new) == high - low:
            pairs = zip(before[low:high], places[low:high], new or [""] * (high - low), strict=True)
            edits += [(place, place + len(line), other) for line, place, other in pairs]
        else:
            return None
    whole = document.text
    for begin, end, lines in reversed(edits):
        whole = whole[:begin] + lines + whole[end:]
    return whole


def _is_split(lines: list[str], places: list[int], low: int, high: int) -> bool:
    """Whether lines of a part do not follow each other in the whole."""
    return any(places[index] + len(lines[index]) != places[index + 1] for index in range(low, high - 1))


def _moved(
    lines: list[str], places: list[int], low: int, high: int, neighbours: Sequence[tuple[str, int, int, int, int]]
) -> tuple[int, int]:
    """Which other lines, that follow each other in the whole, are gone just as well as those from ``low`` to ``high``:
    of two blank lines either one is; these themselves where there are none. ``neighbours``: what stays around them."""
    first = min((row[1] for row in neighbours), default=low)
    last = max((row[2] for row in neighbours), default=high)
    for step, limit in ((-1, low - first), (1, last - high)):
        begin, end = low, high
        for _ in range(limit):
            gone, there = (begin - 1, end - 1) if step < 0 else (begin, end)
            if lines[gone] != lines[there]:
                break
            begin, end = begin + step, end + step
            if not _is_split(lines, places, begin, end):
                return begin, end
    return low, high


def _places(cuts: list[tuple[int, int]], lines: list[str]) -> list[int]:
    """Where the lines of a part begin in the text of the whole."""
    starts, gone, shift = [], [], 0
    for begin, end in cuts:
        starts.append(begin - shift)
        shift += end - begin
        gone.append(shift)
    places, begin = [], 0
    for line in lines:
        number = bisect_right(starts, begin)
        places.append(begin + (gone[number - 1] if number else 0))
        begin += len(line)
    return places


def wanted_of(
    part: Mapping[str, Any], generated: Mapping[str, Any], wanted: Mapping[str, Any], edited: Collection[Path]
) -> dict[str, Any] | None:
    """What is ``wanted`` of what a part yields (``part``) where the whole yields ``generated`` and the entries
    ``edited`` were edited: these as they were edited, all others as they are. None where the part yields something
    else for these."""
    contents: dict[str, Any] = {}
    for section in dict.fromkeys([*wanted, *part]):
        here = part.get(section)
        names = {path[1] for path in edited if len(path) == 2 and path[0] == section}
        if (section,) in edited or not names:
            if (section,) in edited and not _is_same(part, generated, (section,)):
                return None
            source = wanted if (section,) in edited else part
            if section in source:
                contents[section] = source[section]
            continue
        if not all(_is_same(part, generated, (section, name)) for name in names):
            return None
        whole = wanted.get(section)
        here, whole = here if isinstance(here, dict) else {}, whole if isinstance(whole, dict) else {}
        rows = {name: whole if name in names else here for name in dict.fromkeys([*whole, *here])}
        content = {name: source[name] for name, source in rows.items() if name in source}
        if content:
            contents[section] = content
    return contents


def _is_same(part: Mapping[str, Any], generated: Mapping[str, Any], path: Path) -> bool:
    return carry.digest_at(part, path) == carry.digest_at(generated, path)
