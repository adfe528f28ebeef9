"""Known findings: a file of those that were accepted, so that only new ones count.

A finding is known by its file, its code and its path in the document, not by its line: text may be added above it. The
file is JSON: ``{"schema_version": 1, "findings": [{"file": ..., "code": ..., "path": [...], "count": 2}]}``, with the
names of files relative to its own folder."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from bpconvert.diagnostics import Diagnostic, UsageError

_Key = tuple[str, str, str]


class Baseline:
    """The known findings of a file, each as often as it was found."""

    def __init__(self, place: str, counts: Counter[_Key]) -> None:
        self._place = place
        self._left = counts

    @classmethod
    def read(cls, place: str) -> Baseline:
        """The baseline in a file. Raises OSError, and UsageError for another file."""
        try:
            data = json.loads(Path(place).read_text("utf-8"))
            rows = [(row["file"], row["code"], _text(row["path"]), row["count"]) for row in data["findings"]]
        except (ValueError, KeyError, TypeError, RecursionError):
            raise UsageError(f"{place} is no baseline; --write-baseline writes one") from None
        counts: Counter[_Key] = Counter()
        for file, code, path, number in rows:
            if not (isinstance(file, str) and isinstance(code, str) and type(number) is int):
                raise UsageError(f"{place} is no baseline; --write-baseline writes one")
            counts[file, code, path] += number
        return cls(place, counts)

    def has(self, item: Diagnostic) -> bool:
        """Whether the finding is known; each one of the baseline is used up by one."""
        key = _key(item, self._place)
        if self._left[key] <= 0:
            return False
        self._left[key] -= 1
        return True

    def gone(self, documents: Iterable[str], unjudged: tuple[str, ...]) -> int:
        """How many of the known findings about these documents have not been found; ``unjudged``: beginnings of codes
        that the command never reports."""
        files = {_file(name, self._place) for name in documents}
        return sum(
            number
            for (file, code, _), number in self._left.items()
            if file in files and not code.startswith(unjudged)
        )


def text_of(findings: Iterable[Diagnostic], place: str) -> str:
    """The text of a baseline at ``place`` with all findings."""
    counts = Counter(_key(item, place) for item in findings)
    rows = [
        {"file": file, "code": code, "path": json.loads(path), "count": number}
        for (file, code, path), number in sorted(counts.items())
    ]
    lines = ",\n    ".join(json.dumps(row, ensure_ascii=False) for row in rows)
    text = '{\n  "schema_version": 1,\n  "findings": [' + (f"\n    {lines}\n  " if rows else "") + "]\n}\n"
    return text.encode("utf-8", "backslashreplace").decode()  # names of files may be bytes that are no text


def _key(item: Diagnostic, place: str) -> _Key:
    return (_file(item.span.file, place), item.code, _text(item.path))


def _file(name: str, place: str) -> str:
    """The name of a document in a baseline at ``place``."""
    folder = os.path.dirname(os.path.abspath(place))
    return Path(os.path.relpath(name, folder)).as_posix() if os.path.exists(name) else name


def _text(path: Any) -> str:
    return json.dumps(list(path), ensure_ascii=True, default=str)
