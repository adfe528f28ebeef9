"""Notes: comments that are written into a result where a stand-in or an required input stands, ``# CODE: sentence``.

They belong to the conversion. So they are known by their sentences (those of the registry of findings), no conversion
carries them on, and a new run writes its own in their places. What is no such sentence is the user's comment."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from bpconvert.diagnostics import Diagnostic
from bpconvert.diagnostics.codes import CODES
from bpconvert.models.expressions import Path
from bpconvert.translators.lowered import Lowered
from bpconvert.translators.provenance.carry import digest_at
from bpconvert.translators.support.places import exists
from bpconvert.yamlio.comments import Comment
from bpconvert.yamlio.document import LINE_END, Document, load
from bpconvert.yamlio.events import BREAK

_PLACEHOLDER = r"\{\w+\}"
_FORM = re.compile(r"# (BPC\d{3}): (.+)")


def is_note(comment: str) -> bool:
    """True for a comment with the sentence of a code."""
    match = _FORM.fullmatch(comment.rstrip())
    return match is not None and match[1] in CODES and _sentence(match[1]).fullmatch(match[2]) is not None


@cache
def _sentence(code: str) -> re.Pattern[str]:
    """What the note of a code looks like, whatever its words are; nothing for a code without one."""
    note = CODES[code].note
    return re.compile(".+".join(re.escape(part) for part in re.split(_PLACEHOLDER, note)) if note else "(?!)")


# -- writing ------------------------------------------------------------------------------------------------


def notes_for(findings: Iterable[Diagnostic], lowered: Lowered, section: str, inputs: str) -> dict[Path, str]:
    """The notes for what a translation yielded, by their places, one for each.

    Args:
        found: the findings of the translation.
        section, inputs: the section of inputs, of the source and of the result."""
    noted = [item for item in findings if item.note and (item.asks or not item.importer)]
    moved = dict(reversed(lowered.moves)) if noted else {}
    placed: dict[Path, str] = {}
    for item in noted:
        place = _place(item, lowered, moved, section, inputs)
        if len(place) > 1 and exists(lowered.data, place):
            placed.setdefault(place, f"# {item.code}: {_in_one_line(item.masked().note)}")
    return placed


def _place(item: Diagnostic, lowered: Lowered, moved: Mapping[Path, Path], section: str, inputs: str) -> Path:
    """Where in the result the thing stands that a finding is about. ``moved``: place in the source -> the first one in
    the result."""
    if item.asks:
        own = (inputs, item.asks)
        return own if exists(lowered.data, own) else (inputs, lowered.names.get(section, {}).get(item.asks))
    places = lowered.made.get(item.path[:2])
    return places[0] if places else moved.get(item.path, ())


def _in_one_line(text: str) -> str:
    line = " ".join(text.split())
    return line if line.isprintable() else "".join(character if character.isprintable() else "?" for character in line)


def added(comments: Mapping[Path, Comment], notes: Mapping[Path, str]) -> dict[Path, Comment]:
    """``comments`` with the notes right above their entries."""
    placed = dict(comments)
    for place, note in notes.items():
        own = placed.get(place, Comment())
        placed[place] = own._replace(before=(*own.before, note))
    return placed


# -- reading ------------------------------------------------------------------------------------------------


def dropped(comments: Mapping[Path, Comment]) -> dict[Path, Comment]:
    """``comments`` without notes."""
    kept = {}
    for place, own in comments.items():
        lines = [tuple(line for line in part if not is_note(line)) for part in (own.before, own.after)]
        if any(line for part in lines for line in part) or own.inline:
            kept[place] = own._replace(before=lines[0], after=lines[1])
    return kept


def places_in(document: Document) -> dict[Path, str]:
    """The notes right above the entries of a document."""
    if "# BPC" not in document.text:
        return {}
    return {path: line for path, own in document.comments.items() for line in own.before if is_note(line)}


def without(document: Document) -> Document:
    """``document`` without the lines of its notes."""
    text = document.text
    if "# BPC" not in text:
        return document
    for note in reversed(document.notes):
        if note.slot == "before" and is_note(text[note.start : note.end]):
            end = LINE_END.search(text, note.end)
            text = text[: note.start].rstrip(" \t") + (text[end.end() :] if end else "")
    return document if text is document.text else _loaded(text, document)


def put(text: str, notes: Mapping[Path, str], like: Document) -> str:
    """``text`` with notes on lines of their own, above the entries that are there. ``like``: has the same form."""
    if not notes:
        return text
    document, breaks = _loaded(text, like), "\r\n" if "\r\n" in text else "\n"
    begins = [0, *(line_break.end() for line_break in BREAK.finditer(text))]
    lines: list[tuple[int, str]] = []
    for path, note in notes.items():
        line, column = document.locate(path)
        begin, pad = begins[line - 1], " " * (column - 1)
        if exists(document.data, path) and text.startswith(pad, begin):
            lines.append((begin, pad + note + breaks))
    for begin, written in sorted(lines, reverse=True):
        text = text[:begin] + written + text[begin:]
    return text


def left(notes: Mapping[Path, str], new: Document, edited: Document, data: Any) -> dict[Path, str]:
    """Those of the ``notes`` of a ``new`` result that hold for ``data``, which has the edits of the ``edited`` result:
    about entries that are as the conversion wrote them, and about edited ones where the note was left there."""
    theirs = places_in(edited)
    return {
        path: note
        for path, note in notes.items()
        if exists(data, path) and (path in theirs or digest_at(data, path) == digest_at(new.data, path))
    }


def _loaded(text: str, like: Document) -> Document:
    document = load(text, like.name).like(like)
    document.mark, document.secrets = like.mark, like.secrets
    return document
