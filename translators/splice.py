"""Changed entries put into the text of a document, everything else stays as it is."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from bpconvert.diagnostics import SourceError
from bpconvert.models.expressions import Path
from bpconvert.translators.carry import digest
from bpconvert.translators.places import exists
from bpconvert.translators.restore import Patch
from bpconvert.yamlio.comments import Comment
from bpconvert.yamlio.document import Document, load
from bpconvert.yamlio.emit import Emitter


def splice(document: Document, change: Patch, comments: Mapping[Path, Comment]) -> str | None:
    """The text of ``document`` with the changes of ``change``; ``comments``: those of the new entries.

    None where that cannot be: a changed entry shares its lines with others, or has an anchor in it."""
    edits = _edits(document, change, Emitter(comments))
    if edits is None:
        return None
    text = document.text
    breaks = "\r\n" if "\r\n" in text else "\n"
    for begin, end, lines in sorted(edits, reverse=True):
        if begin and text[begin - 1] not in "\r\n":
            lines = "\n" + lines
        text = text[:begin] + lines.replace("\n", breaks) + text[end:]
    try:
        read = load(text).data
    except SourceError:
        return None
    return document.mark + text if digest(read) == digest(change.data) else None


class _Place(NamedTuple):
    """Where entries are added: the lines from ``begin`` to ``end`` give way to ``head`` and the entries at ``column``,
    ``gap`` between them."""

    begin: int
    end: int
    column: int
    head: str = ""
    gap: str = ""


def _edits(document: Document, change: Patch, emitter: Emitter) -> list[tuple[int, int, str]] | None:
    """What to exchange: (begin, end, lines)."""
    data = document.data
    gone = {path if path[0] in change.data else path[:1] for path in change.dropped}
    replaced = {path: value for path, value in change.new.items() if exists(data, path)}
    added: dict[str, list[Path]] = {}
    for path in change.new.keys() - replaced.keys():
        added.setdefault(path[0], []).append(path)
    places = {path: document.span(path) for path in (*gone, *replaced)}
    where = {section: _place(document, change, section) for section in added}
    if None in places.values() or None in where.values():
        return None
    edits: list[tuple[int, int, str]] = []
    for path, span in places.items():
        if span is not None and path in replaced:
            edits.append((span[0], span[1], _lines(emitter, path, replaced[path], span[2])))
        elif span is not None:
            edits.append((span[0], _with_gap(document.text, *span[:2]), ""))
    for section, place in where.items():
        if place is not None:
            order = [path for path in change.new if path in added[section]]
            lines = [_lines(emitter, path, change.new[path], place.column) for path in order]
            edits.append((place.begin, place.end, place.head + place.gap.join(lines)))
    return edits


def _lines(emitter: Emitter, path: Path, value: Any, column: int) -> str:
    plain = f"{path[0]}: {value}"
    if len(path) == 1 and isinstance(value, str) and "\n" not in plain and load(plain).data == {path[0]: value}:
        return plain + "\n"
    emitter.entry(path[-1], value, " " * column, path)
    return emitter.take() + "\n"


def _with_gap(text: str, begin: int, end: int) -> int:
    """The end of the blank lines behind an entry, where some stand before it too."""
    blank = _BLANK.match(text, end)
    return blank.end() if blank and (text[:begin].endswith(("\n\n", "\n\r\n")) or not begin) else end


_BLANK = re.compile(r"(?:[ \t]*\r?\n)*")


def _place(document: Document, change: Patch, section: str) -> _Place | None:
    """Where to add entries of a section."""
    content = document.data.get(section)
    is_map = isinstance(change.data[section], dict) and (section,) not in change.new
    if isinstance(content, dict) and content:
        spans = [span for name in content if (span := document.span((section, name))) is not None]
        if len(spans) != len(content):
            return None
        apart = len(spans) > 1 and "\n" in document.text[spans[0][1] : spans[1][0]]
        gap = "\n" if apart else ""
        return _Place(spans[-1][1], spans[-1][1], spans[0][2], gap, gap)
    if section in document.data:
        own = document.span((section,))
        return None if own is None else _Place(own[0], own[1], 2, f"{section}:\n")
    names = list(change.data)
    before = [name for name in names[: names.index(section)] if name in document.data]
    behind = document.span((before[-1],)) if before else (0, 0, 0)
    if behind is None:
        return None
    return _Place(behind[1], behind[1], 2 if is_map else 0, f"\n{section}:\n" if is_map else "\n")
