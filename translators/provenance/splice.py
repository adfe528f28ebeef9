"""Changed entries put into the text of a document, everything else stays as it is."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping
from itertools import takewhile
from typing import Any

from bpconvert.diagnostics import SourceError
from bpconvert.models.expressions import Path
from bpconvert.models.light import NamedTuple
from bpconvert.translators.provenance.carry import digest
from bpconvert.translators.provenance.differences import differences, differing
from bpconvert.translators.provenance.restore import Patch
from bpconvert.translators.provenance.rewriting import Rewriter, TextEdit, put_in_place
from bpconvert.translators.support.places import exists, value_at
from bpconvert.yamlio.comments import Comment
from bpconvert.yamlio.document import Document, load
from bpconvert.yamlio.emit import Emitter


def splice(document: Document, change: Patch, comments: Mapping[Path, Comment], calls: Collection[str]) -> str | None:
    """The text of ``document`` with the changes of ``change``; ``comments``: those of the new entries; ``calls``: the
    names of functions.

    None where that cannot be: a changed entry shares its lines with others, or has an anchor in it."""
    there = [path for path in change.new if _is_in_place(document, path)]
    values = {path: exchanged for path in there if (exchanged := _values(document, change, path, calls))}
    for own in (values, {}) if values else ({},):
        edits = _edits(document, change, Emitter(comments, calls=calls), own)
        text = None if edits is None else _with_edits(document, edits)
        if text is not None and not _reads_as(text, change.data, document):
            text = _spelled(document, change, text, Emitter(comments, calls=calls)) if own else None
        if text is not None:
            return document.mark + text
    if document.is_json and not document.inside:
        indent = _JSON_INDENT.match(document.text)
        text = json.dumps(change.data, indent=len(indent[1]) if indent else None, ensure_ascii=False, default=str)
        return document.mark + text + "\n" if _reads_as(text, change.data, document) else None
    return _put(document, change, calls)


def _put(document: Document, change: Patch, calls: Collection[str]) -> str | None:
    """As :func:`splice`, value by value, between braces as well; None where one has no place, or a section is to be
    added inside of another one."""
    changes = [*differences(document.data, change.data)]
    if any(len(item.path) == 1 and item.path[0] in document.inner for item in changes):
        return None
    parts = put_in_place(Rewriter(document, calls), changes)
    text = None if parts is None else _with_edits(document, [_Edit(*part, is_part=True) for part in parts])
    return document.mark + text if text is not None and _reads_as(text, change.data, document) else None


def _spelled(document: Document, change: Patch, text: str, emitter: Emitter) -> str | None:
    """``text`` with entries that nobody changed in full, where they are aliases of what was changed in it; None where
    that does not give what the change gives."""
    try:
        read = load(text).like(document)
    except SourceError:
        return None
    edits: list[_Edit] = []
    for path in differing(read.data, change.data):
        span = read.span(path) if path not in change.new and exists(change.data, path) else None
        if span is None:
            return None
        edits.append(_Edit(span[0], span[1], _lines(emitter, path, value_at(change.data, path), span[2])))
    text = _with_edits(read, edits)
    return text if edits and _reads_as(text, change.data, document) else None


#: the indent of the first key, where keys stand on lines of their own
_JSON_INDENT = re.compile(r"\s*\{[ \t]*\r?\n([ \t]*)")


def _is_in_place(document: Document, path: Path) -> bool:
    """Whether only values may be exchanged: in an entry, and where a section is a text (the version)."""
    return exists(document.data, path) and (len(path) > 1 or isinstance(document.data[path[0]], str))


def _with_edits(document: Document, edits: Iterable[_Edit]) -> str:
    text = document.text
    breaks = "\r\n" if "\r\n" in text else "\n"
    for edit in sorted(edits, key=lambda edit: (edit.begin, edit.end, edit.order), reverse=True):
        lines = edit.lines
        if not edit.is_part and edit.begin and text[edit.begin - 1] not in "\r\n":
            lines = "\n" + lines
        text = text[: edit.begin] + (lines if edit.is_part else lines.replace("\n", breaks)) + text[edit.end :]
    return text


def _values(document: Document, change: Patch, path: Path, calls: Collection[str]) -> list[TextEdit] | None:
    """What is exchanged inside of an entry, value by value; None where one of them has no place of its own."""
    changes = differences(value_at(document.data, path), change.new[path], path)
    return put_in_place(Rewriter(document, calls), changes)


class _Edit(NamedTuple):
    """``lines`` in place of the text from ``begin`` to ``end``; what has the highest ``order`` of one place is last.
    ``is_part``: it is a part of lines."""

    begin: int
    end: int
    lines: str
    order: tuple[int, ...] = ()
    is_part: bool = False


class _Place(NamedTuple):
    """Where entries are added: the lines from ``begin`` to ``end`` give way to ``head``, the entries at ``column`` with
    ``gap`` between them, and ``tail``."""

    begin: int
    end: int
    column: int
    head: str
    gap: str = ""
    tail: str = ""


def _edits(
    document: Document, change: Patch, emitter: Emitter, values: Mapping[Path, Iterable[TextEdit]]
) -> list[_Edit] | None:
    """What to exchange; None where an entry has no lines of its own. ``values``: the entries in which only values are,
    and these."""
    gone = {path if path[0] in change.data else path[:1] for path in change.dropped}
    inside = {(section,) for section in document.inside}
    if inside and inside <= gone and not any(path[0] in document.inner for path in change.new):
        gone = gone - inside | {(document.body,)}  # nothing is left in it
    new: dict[Path, Any] = {}
    for path, value in change.new.items():
        if path in values:
            continue
        inner = _inner(document, path, value) if path in change.grafted else None
        if inner is None:
            new[path] = value
        else:
            new |= inner[0]
            gone |= inner[1]
    for section in _in_braces(document, change, (*new, *gone)):
        gone = {path for path in gone if path[0] != section}
        new = {path: value for path, value in new.items() if path[0] != section} | {(section,): change.data[section]}
    replaced = {path: value for path, value in new.items() if exists(document.data, path)}
    added: dict[Path, list[Path]] = {}
    for path in new:
        if path not in replaced:
            added.setdefault(path if len(path) == 1 else path[:-1], []).append(path)
    places = {path: document.span(path) for path in (*gone, *replaced)}
    where = {parent: _place(document, change, parent) for parent in added}
    edits = [_Edit(*part, is_part=True) for each in values.values() for part in each]
    for path, span in places.items():
        if span is None:
            return None
        if path in replaced:
            edits.append(_Edit(span[0], span[1], _lines(emitter, path, replaced[path], span[2])))
        else:
            edits.append(_Edit(span[0], _with_gap(document.text, *span[:2]), ""))
    for parent, place in where.items():
        if place is None:
            return None
        lines = place.gap.join(_lines(emitter, path, new[path], place.column) for path in added[parent])
        edits.append(_Edit(place.begin, place.end, place.head + lines + place.tail, _order(document, change, parent)))
    return edits


def _order(document: Document, change: Patch, parent: Path) -> tuple[int, ...]:
    """Of what is added at one place, new entries come first, those of inner maps before those around them; then new
    sections inside of another, then other new sections, in the order of the result."""
    section = parent[0]
    if section in document.data:
        return (-len(parent),)
    return (int(section not in document.inner), list(change.data).index(section))


def _in_braces(document: Document, change: Patch, paths: Iterable[Path]) -> set[str]:
    """The sections that are exchanged as a whole: entries of theirs at ``paths`` share lines with others, and there are
    no comments between them."""
    sections = {path[0] for path in paths} & document.data.keys() & change.data.keys()
    return {section for section in sections if _shares_lines(document, section)}


def _shares_lines(document: Document, section: str) -> bool:
    span, entries = document.span((section,)), document.data[section]
    if span is None or not isinstance(entries, dict) or "#" in document.text[span[0] : span[1]]:
        return False
    if document.has_anchor((section,)):
        return False
    return any(document.extent((section, name)) is None for name in entries)


def _inner(document: Document, path: Path, value: Any) -> tuple[dict[Path, Any], set[Path]] | None:
    """The innermost entries below ``path`` that are to be exchanged or added, and those to be dropped; None where one
    does not stand on lines of its own."""
    new: dict[Path, Any] = {}
    gone: set[Path] = set()
    _compare(value_at(document.data, path), value, path, new, gone)
    for place in (*new, *gone):
        is_there = exists(document.data, place)
        siblings = value_at(document.data, place[:-1]) if not is_there else {}
        if is_there and document.span(place) is None:
            return None
        if not is_there and (not siblings or any(document.extent((*place[:-1], name)) is None for name in siblings)):
            return None
    return new, gone


def _compare(old: Any, new: Any, path: Path, changed: dict[Path, Any], gone: set[Path]) -> None:
    if digest(old) == digest(new):
        return
    if not (isinstance(old, dict) and isinstance(new, dict) and old and new):
        changed[path] = new
        return
    gone.update((*path, key) for key in old.keys() - new.keys())
    for key, value in new.items():
        place = (*path, key)
        if key in old:
            _compare(old[key], value, place, changed, gone)
        else:
            changed[place] = value


def _lines(emitter: Emitter, path: Path, value: Any, column: int) -> str:
    plain = f"{path[0]}: {value}"
    if len(path) == 1 and isinstance(value, str) and _is_read_as(plain, {path[0]: value}):
        return plain + "\n"
    emitter.entry(path[-1], value, " " * column, path)
    return emitter.take() + "\n"


def _is_read_as(text: str, data: Any) -> bool:
    try:
        return bool(load(text).data == data)
    except SourceError:
        return False


def _reads_as(text: str, data: Any, like: Document) -> bool:
    try:
        return digest(load(text).like(like).data) == digest(data)
    except SourceError:
        return False


def _with_gap(text: str, begin: int, end: int) -> int:
    """The end of the blank lines behind an entry, where some stand before it too."""
    blank = _BLANK.match(text, end)
    return blank.end() if blank and (text[:begin].endswith(("\n\n", "\n\r\n")) or not begin) else end


_BLANK = re.compile(r"(?:[ \t]*\r?\n)*")


def _place(document: Document, change: Patch, parent: Path) -> _Place | None:
    """Where to add entries to the map at ``parent``, or the section of that name."""
    if not exists(document.data, parent):
        return _section_place(document, change, parent[0])
    content = value_at(document.data, parent)
    if not isinstance(content, dict) or not content:
        own = document.span(parent)
        return None if own is None else _Place(own[0], own[1], own[2] + 2, f"{' ' * own[2]}{parent[-1]}:\n")
    spans = [span for name in content if (span := document.extent((*parent, name))) is not None]
    if len(spans) != len(content):
        return None
    gap = "\n" if len(spans) > 1 and spans[0][1] < spans[1][0] else ""
    return _Place(spans[-1][1], spans[-1][1], spans[0][2], gap, gap)


def _section_place(document: Document, change: Patch, section: str) -> _Place | None:
    """Where to add a section: behind the last one that stands before it, in the one that it belongs into."""
    before = [name for name in takewhile(lambda name: name != section, change.data) if name in document.data]
    is_inner = section in document.inner
    if is_inner:
        before = [name for name in before if name in document.inside]
    elif before and before[-1] in document.inside:
        before = [document.body]
    begin, column = 0, 0
    if before or is_inner:
        neighbour = document.extent((before[-1],) if before else (*document.inside,)[:1])
        if neighbour is None:
            return None
        begin, column = neighbour[1] if before else neighbour[0], neighbour[2]
    is_map = isinstance(change.data[section], dict) and (section,) not in change.new
    name = f"{' ' * column}{section}:\n" if is_map else ""
    column = column + 2 if is_map else column
    return _Place(begin, begin, column, f"\n{name}") if before else _Place(begin, begin, column, name, tail="\n")
