"""The text of a single entry of a document, for tests that compare it or read it alone."""

from __future__ import annotations

import re

from ruamel.yaml.events import AliasEvent

from bpconvert.yamlio.document import Document, Path, _begin, _end, _events
from bpconvert.yamlio.events import Event

COLON = re.compile("[ \t]*:")
UNUSUAL_BREAK = re.compile("[\x85\u2028\u2029]")
DOCUMENT_MARKER = re.compile("(?:---|\\.\\.\\.)(?:[ \t]|$)", re.MULTILINE)


def source(document: Document, path: Path) -> str | None:
    """The lines of the block entry ``key: value`` at ``path`` with its comments, dedented to column 0, with LF.

    Read alone they give ``{key: value}`` again; the text ends with a line break.
    None where this cannot be: an item; an entry in brackets, behind a dash on the same line or with an explicit
    ``?``; one that has an anchor or alias in it, or came through one."""
    events = _events(document, path) if document.events else []
    end = _end(document, path, events) if events and _stands_alone(document, events) else 0
    if not end:
        return None
    return _dedented(document.text[_begin(document, path, events[0]) : end], events[0].start_mark.column)


def _stands_alone(document: Document, events: list[Event]) -> bool:
    """Whether the entry of these events begins its line as ``key:`` and needs nothing from elsewhere."""
    text, key = document.text, events[0].start_mark
    if text[key.index - key.column : key.index].strip(" ") or not COLON.match(text, events[0].end_mark.index):
        return False
    if any(type(event) is AliasEvent or getattr(event, "anchor", None) is not None for event in events):
        return False
    shorthands = document.events[1].tags
    return not shorthands or all(getattr(event, "tag", None) is None for event in events)


def _dedented(lines: str, column: int) -> str | None:
    """The lines moved to the left; None if a line would become a document marker or the lines end in unusual ways."""
    if UNUSUAL_BREAK.search(lines):
        return None
    plain = lines.replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n") + "\n"
    moved = re.sub(f"^ {{1,{column}}}", "", plain, flags=re.MULTILINE) if column else plain
    return None if column and DOCUMENT_MARKER.search(moved) else moved
