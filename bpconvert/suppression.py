"""Comments in documents that silence findings: ``# bpconvert: ignore[BPC300, BPC305]``.

Such a comment is about the line that it ends. One that has its line to itself is about the next line that is no
comment. What looks like one in a text block is part of the text. The conversion does not know them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from bpconvert.diagnostics import Diagnostic, SourceError, Span, diagnostic
from bpconvert.diagnostics.selection import covers, problem
from bpconvert.models.light import NamedTuple

_WORD: Final = "bpconvert:"
_COMMENT: Final = re.compile(r"#\s*bpconvert:\s*(?:ignore\[([^\]]*)\])?")
#: what a result has besides the comments that it has from its source
_RECORD: Final = r"(?m)^[^#\n]*\bbpconvert\b"


class _Ignored(NamedTuple):
    """One code of one comment: where it stands, and the line that it is about."""

    code: str
    span: Span
    line: int


class _Comments(NamedTuple):
    """Those of one document. ``wrong``: findings about comments that cannot be understood; ``made``: the document is
    the result of a conversion."""

    ignored: tuple[_Ignored, ...] = ()
    wrong: tuple[Diagnostic, ...] = ()
    made: bool = False


class Suppressions:
    """The comments of all documents that findings are about.

    texts: documents that are not files (name -> text); ``unjudged``: beginnings of codes that the command never
    reports, so that a comment about them may be needed all the same."""

    def __init__(self, texts: dict[str, str] | None = None, unjudged: tuple[str, ...] = ()) -> None:
        self._texts = texts if texts is not None else {}
        self._unjudged = unjudged
        self._documents: dict[str, _Comments] = {}
        self._used: set[_Ignored] = set()

    def silences(self, item: Diagnostic) -> bool:
        """Whether a comment silences the finding."""
        comments = [
            comment
            for comment in self._comments_of(item.span.file).ignored
            if comment.line == item.span.line and covers(comment.code, item)
        ]
        self._used.update(comments)
        return bool(comments)

    def unused(self, name: str) -> list[Diagnostic]:
        """What is wrong with the comments of a document, all of whose findings have been asked for."""
        comments = self._comments_of(name)
        idle = [row for row in comments.ignored if row not in self._used and not row.code.startswith(self._unjudged)]
        unused = [diagnostic("BPC630", row.span, (), {"code": row.code}) for row in idle if not comments.made]
        return [*comments.wrong, *unused]

    def _comments_of(self, name: str) -> _Comments:
        if name not in self._documents:
            text = self._texts.get(name)
            self._documents[name] = _read(name, _text_of(name) if text is None else text)
        return self._documents[name]


def _text_of(name: str) -> str:
    """The text of a file; "" where it cannot be read (again)."""
    try:
        data = Path(name).read_bytes()
        return data.decode("utf-8-sig") if _WORD.encode() in data else ""
    except (OSError, ValueError):
        return ""


def _read(name: str, text: str) -> _Comments:
    if _WORD not in text:
        return _Comments()
    from bpconvert.yamlio.comments import find
    from bpconvert.yamlio.events import BREAK, place, scan

    try:
        places = list(find(text, scan(text, name)))
    except SourceError:  # its conversion reports that
        return _Comments()
    lines = BREAK.split(text)
    ignored: list[_Ignored] = []
    wrong: list[Diagnostic] = []
    for start, end in places:
        match = _COMMENT.match(text, start, end)
        if match is None:
            continue
        line, column = place(text, start)
        span = Span(name, line, column)
        codes = [code.strip() for code in (match[1] or "").split(",") if code.strip()]
        problems = [problem(code) for code in codes] or ["codes are expected: # bpconvert: ignore[BPC300]"]
        wrong += [diagnostic("BPC631", span, (), {"problem": problem}) for problem in problems if problem]
        about = _about(lines, line) if not lines[line - 1][: column - 1].strip() else line
        ignored += [_Ignored(code, span, about) for code in codes if not problem(code)]
    return _Comments(tuple(ignored), tuple(wrong), re.search(_RECORD, text) is not None)


def _about(lines: list[str], line: int) -> int:
    """The number of the line that a comment alone in ``line`` is about."""
    below: Iterable[tuple[int, str]] = enumerate(lines[line:], line + 1)
    return next((number for number, text in below if text.strip() and not text.lstrip().startswith("#")), line)
