"""What a run changes, for ``--diff``: unified diffs without the values of hidden inputs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Any, Final

from bpconvert.diagnostics import BpconvertError
from bpconvert.diagnostics.secrets import Secrets, is_hidden

if TYPE_CHECKING:
    from bpconvert.batch import Change, Outcome
    from bpconvert.yamlio.document import Document

#: lines of context, as ``diff -u`` has them
_CONTEXT: Final = 3
#: what ends a line for Python, and does not for YAML
_ODD: Final = re.compile("[\x0b\x0c\x1c-\x1e]")


def diffs_of(outcome: Outcome) -> str:
    """The changes of an outcome as unified diffs; of files that are no text, that they differ.

    A line that is masked may be in a diff as removed and added with the same text: then its value changes."""
    texts = [_texts(change) for change in outcome.changes]
    documents = [
        [_document(text, f"{change.place}\0{number}") for number, text in enumerate(pair or ())]
        for change, pair in zip(outcome.changes, texts, strict=True)
    ]
    secrets = _secrets(outcome, [document for pair in documents for document in pair if document is not None])
    shown: list[str] = []
    for change, pair, read in zip(outcome.changes, texts, documents, strict=True):
        if pair is None:
            place = str(change.place)
            before = "/dev/null" if change.before is None else place
            shown.append(f"Binary files {before} and {place} differ\n")
            continue
        masked = [_masked(text, document, secrets) for text, document in zip(pair, read, strict=True)]
        shown += _unified(change, [text.splitlines(keepends=True) for text in pair], masked)
    return "".join(shown)


def _texts(change: Change) -> tuple[str, str] | None:
    """The text before and after, None for what is no text."""
    try:
        return (change.before or b"").decode(), change.after.decode()
    except UnicodeDecodeError:
        return None


def _document(text: str, name: str) -> Document | None:
    from bpconvert.translators.dialects import load

    try:
        return load(text, name)
    except BpconvertError:
        return None


def _secrets(outcome: Outcome, documents: Sequence[Document]) -> Secrets:
    """What is masked: what the conversion knows, and what the files themselves say of it."""
    from bpconvert.translators.dialects import recognised

    secrets = Secrets()
    hidden: set[str] = set()
    for trace in outcome.result.traces if outcome.result is not None else ():
        secrets.join(trace.secrets)
    for document in documents:
        secrets.join(document.secrets)
        dialect = recognised(document.data)
        declared = document.data.get(dialect.section("inputs")) if dialect is not None else None
        if isinstance(declared, dict):
            hidden |= {name for name, entry in declared.items() if is_hidden(entry)}
    for document in documents:  # a file of inputs has values of an earlier run, too
        if recognised(document.data) is None and isinstance(document.data, dict):
            secrets.add({name: value for name, value in document.data.items() if name in hidden and value})
    return secrets


def _masked(text: str, document: Document | None, secrets: Secrets) -> list[str]:
    """The lines of a text, masked."""
    from bpconvert.reports.views import kept_lines

    lines, kept = text.splitlines(keepends=True), kept_lines(document)
    if document is None or _ODD.search(text):
        return [secrets.masked(line) for line in lines]
    return [
        secrets.masked(line) if number in kept else secrets.masked_line(line, (document.name, number))
        for number, line in enumerate(lines, 1)
    ]


def _unified(change: Change, texts: list[list[str]], shown: list[list[str]]) -> Iterator[str]:
    """A unified diff of two texts, with other lines in their place."""
    (old, new), (old_shown, new_shown) = texts, shown
    groups = list(SequenceMatcher(None, old, new).get_grouped_opcodes(_CONTEXT))
    if not groups:
        return
    place = str(change.place)
    yield f"--- {'/dev/null' if change.before is None else place}\n+++ {place}\n"
    for group in groups:
        first, last = group[0], group[-1]
        yield f"@@ -{_range(first[1], last[2])} +{_range(first[3], last[4])} @@\n"
        for tag, a, b, c, d in group:
            if tag == "equal":
                yield from _marked(" ", new_shown[c:d])
                continue
            yield from _marked("-", old_shown[a:b])
            yield from _marked("+", new_shown[c:d])


def _range(start: int, stop: int) -> str:
    """The lines of a hunk, as ``diff`` writes them."""
    length = stop - start
    first = start + 1 if length else start
    return f"{first}" if length == 1 else f"{first},{length}"


def _marked(mark: str, lines: Iterable[Any]) -> Iterator[str]:
    for line in lines:
        yield f"{mark}{line}" if line.endswith("\n") else f"{mark}{line}\n\\ No newline at end of file\n"
