"""The source text of one entry, cut out so that it can stand alone."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from typing import Any, Protocol

from ruamel.yaml.events import AliasEvent, ScalarEvent

from bpconvert.yamlio.comments import Note
from bpconvert.yamlio.events import Event
from bpconvert.yamlio.tree import Map, Path, Seq

COLON = re.compile("[ \t]*:")
KEEP = re.compile("[|>][-0-9]*[+]")
LINE_END = re.compile("\r\n|\r|\n|\\Z")
UNUSUAL_BREAK = re.compile("[\x85\u2028\u2029]")
DOCUMENT_MARKER = re.compile("(?:---|\\.\\.\\.)(?:[ \t]|$)", re.MULTILINE)


class Scanned(Protocol):
    """A document, as far as its entries can be cut out of its text: what ``Document`` has."""

    text: str
    data: Any
    events: list[Event]

    @property
    def notes(self) -> Sequence[Note]:
        """Every comment, in the order of the text."""
        ...

    @property
    def order(self) -> dict[int, int]:
        """The number of each event, by its identity."""
        ...

    def numbers(self, node: Map) -> dict[Any, int]:
        """The number of each key's last entry in ``node``."""
        ...


def excerpt(document: Scanned, path: Path) -> str | None:
    """What ``Document.source`` promises, for an entry of ``document``."""
    events = _events(document, path)
    if not events or not _stands_alone(document, events):
        return None
    key = events[0]
    end = _end(document, path, events)
    return _dedented(document.text[_begin(document, path, key) : end], key.start_mark.column) if end else None


def span(document: Scanned, path: Path) -> tuple[int, int, int] | None:
    """Where the lines of the block entry at ``path`` begin and end in the text, with its comments, and its column.

    None for what does not stand on lines of its own, or has an anchor in it."""
    events = _events(document, path)
    if not events:
        return None
    key = events[0]
    anchored = any(type(event) is not AliasEvent and getattr(event, "anchor", None) is not None for event in events)
    if anchored or document.text[key.start_mark.index - key.start_mark.column : key.start_mark.index].strip(" "):
        return None
    end = _end(document, path, events)
    return (_begin(document, path, key), end, key.start_mark.column) if end else None


def _events(document: Scanned, path: Path) -> list[Event]:
    """The events of the block entry at ``path``, that of its key first; [] where there is none."""
    entry = _entry(document, path)
    if entry is None:
        return []
    node, number = entry
    key = node.entries[number][1]
    behind = node.entries[number + 1][1] if number + 1 < len(node.entries) else node.last
    return document.events[document.order[id(key)] : document.order[id(behind)]]


def _entry(document: Scanned, path: Path) -> tuple[Map, int] | None:
    """The block mapping that holds the entry at ``path``, and which of its entries that is.

    None when the way leads through an alias or a merge, or ends in an item or in brackets."""
    node: object = document.data
    for step in path[:-1]:
        try:
            if type(node) is Map and step not in node.merged:
                _, _, event, node = node.entry(step)
            elif type(node) is Seq:
                event, node = node.items[step], node[step]
            else:
                return None
        except (LookupError, TypeError):
            return None
        if type(event) is AliasEvent:
            return None
    if not path or type(node) is not Map or node.flow:
        return None
    number = document.numbers(node).get(path[-1])
    return None if number is None else (node, number)


def _stands_alone(document: Scanned, events: list[Event]) -> bool:
    """Whether the entry of these events begins its line as ``key:`` and needs nothing from elsewhere."""
    text, key = document.text, events[0].start_mark
    if text[key.index - key.column : key.index].strip(" ") or not COLON.match(text, events[0].end_mark.index):
        return False
    if any(type(event) is AliasEvent or getattr(event, "anchor", None) is not None for event in events):
        return False
    shorthands = document.events[1].tags
    return not shorthands or all(getattr(event, "tag", None) is None for event in events)


def _begin(document: Scanned, path: Path, key: Event) -> int:
    """The start of the key's line, or of the first of the comments right above it."""
    text = document.text
    begin: int = key.start_mark.index - key.start_mark.column
    for note in reversed(document.notes[: bisect_left(document.notes, (begin,))]):
        if note.path != path or note.slot != "before" or text[note.end : begin].strip():
            break
        begin = len(text[: note.start].rstrip(" \t"))
    return begin


def _end(document: Scanned, path: Path, events: list[Event]) -> int:
    """The end of the value's last line, or of the comments that end it; no blank lines unless they have a meaning.

    0 where the value would change if the text were given the line break that the file ends without, and where the
    entry ends in a ``?`` without a key, whose place the scanners do not tell."""
    text = document.text
    tail = max((event for event in events if _stands(event)), key=lambda event: int(event.end_mark.index))
    if tail.end_mark.index == tail.start_mark.index and text[tail.start_mark.index - 1] not in "-:":
        return 0
    block = type(tail) is ScalarEvent and tail.style in ("|", ">")
    end: int = tail.end_mark.index if block else _line_end(text, tail.end_mark.index)
    if block and text[end - 1 : end] not in ("\r", "\n"):
        return 0
    commented = False
    for note in document.notes[bisect_left(document.notes, (end,)) :]:
        if note.path[: len(path)] != path or text[end : note.start].strip():
            break
        end, commented = _line_end(text, note.end), True
    begin = int(events[0].start_mark.index)
    content: int = min(_line_end(text, begin + len(text[begin:end].rstrip(" \t\r\n"))), end)
    if block and not commented:
        header = text[tail.start_mark.index : _line_end(text, tail.start_mark.index)]
        if KEEP.search(header) or text[content:end].strip("\r\n"):
            return end
    return content


def _stands(event: Event) -> bool:
    """Whether the event has a place of its own: the ends of block collections have not, their mark is what follows."""
    return type(event) is ScalarEvent or bool(event.end_mark.index > event.start_mark.index)


def _line_end(text: str, position: int) -> int:
    found = LINE_END.search(text, position)
    return found.end() if found else len(text)


def _dedented(lines: str, column: int) -> str | None:
    """The lines moved to the left; None if a line would become a document marker or the lines end in unusual ways."""
    if UNUSUAL_BREAK.search(lines):
        return None
    plain = lines.replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n") + "\n"
    moved = re.sub(f"^ {{1,{column}}}", "", plain, flags=re.MULTILINE) if column else plain
    return None if column and DOCUMENT_MARKER.search(moved) else moved
