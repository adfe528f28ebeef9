"""Comments that were edited or added in a result, put into the source that it was made from."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any, Final

from bpconvert.models.expressions import Path
from bpconvert.models.light import NamedTuple
from bpconvert.translators.provenance.comments import place
from bpconvert.translators.provenance.rewriting import TextEdit, with_edits
from bpconvert.yamlio.comments import Comment, Note
from bpconvert.yamlio.document import Document

#: how notes of a conversion begin, those with an empty word too
_NOTE: Final = re.compile(r"# BPC\d{3}: ")


#: how much of two comments is the same where one was made of the other
_LIKENESS: Final = 0.7


class Left(NamedTuple):
    """A comment that has no place in the source, and its place in the document."""

    text: str
    path: Path


def written(edited: Document) -> Counter[str]:
    """The comments of a document without notes, each with its number."""
    texts = (edited.text[note.start : note.end].rstrip() for note in edited.notes)
    return Counter(text for text in texts if not _NOTE.match(text))


def put_back(
    source: Document, edited: Document, moves: Sequence[tuple[Path, Path]], data: Any
) -> tuple[Document, list[Left]]:
    """The ``source`` with the comments that ``edited`` has and it has not: in the place of the one that stood there, or
    that it is much like, or above what the entry of the comment was made from; and those that have no such place.
    ``data``: what the source yields, ``moves``: (place in the source, place in that). A comment that is gone from the
    document stays in the source."""
    comments_before = written(source)
    fresh = [
        note
        for note in edited.notes
        if not comments_before[_text(edited, note)] and not _NOTE.match(_text(edited, note))
    ]
    if not fresh:
        return source, []
    placed = place(source.comments, moves, data)
    gone = _gone(placed, written(edited))
    origins: dict[Path, Path] = {}
    for theirs, mine in moves:
        origins.setdefault(mine, theirs)
    edits: list[TextEdit] = []
    left: list[Left] = []
    for note in fresh:
        text, path = _text(edited, note), edited.lifted(note.path)
        old = next(iter(gone.get(path, ())), None) or _alike(text, gone)
        if old is not None:
            next(lines for lines in (gone.get(path, []), *gone.values()) if old in lines).remove(old)
            first = next(note for note in source.notes if _text(source, note) == old)
            edits.append(TextEdit(first.start, first.start + len(old), text))
            continue
        span = _span(source, path, origins)
        if span is None:
            left.append(Left(text, path))
        else:
            edits.append(TextEdit(span[0], span[0], f"{' ' * span[1]}{text}\n"))
    rewritten = with_edits(source, edits)
    return (
        (source, [Left(_text(edited, note), edited.lifted(note.path)) for note in fresh])
        if rewritten is None
        else (rewritten, left)
    )


def _gone(placed: Mapping[Path, Comment], now: Counter[str]) -> dict[Path, list[str]]:
    """The comments of the source that the document does not have, by where they were."""
    comments_gone: dict[Path, list[str]] = {}
    for path, comment in placed.items():
        lines: Sequence[str] = (*comment.before, *((comment.inline,) if comment.inline else ()), *comment.after)
        for line in lines:
            if line and not now[line.rstrip()]:
                comments_gone.setdefault(path, []).append(line.rstrip())
    return comments_gone


def _alike(text: str, gone: Mapping[Path, list[str]]) -> str | None:
    """The comment of those that are ``gone`` that is most like another ``text``; None where none is."""
    lines = [line for each in gone.values() for line in each]
    return next(iter(get_close_matches(text, lines, n=1, cutoff=_LIKENESS)), None)


def _span(source: Document, path: Path, origins: Mapping[Path, Path]) -> tuple[int, int] | None:
    """Where the lines of the entry of the source begin that became ``path``, and their column."""
    for length in range(len(path), 0, -1):
        origin = origins.get(path[:length])
        if origin is None:
            continue
        for end in range(len(path), length - 1, -1):
            place = (*origin, *path[length:end])
            span = source.item_span(place) if isinstance(place[-1], int) else source.span(place)
            if span is not None:
                return span[0], span[2]
        return None
    return None


def _text(document: Document, note: Note) -> str:
    return document.text[note.start : note.end].rstrip()
