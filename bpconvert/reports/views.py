"""The documents of a conversion as a page shows them: lines of source and result, findings at their lines, topology.

Values of hidden inputs are masked in every line, and the record of the source that a result keeps is left out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from bpconvert.api import Result, Trace, dialect_of
from bpconvert.batch import Outcome
from bpconvert.diagnostics import BpconvertError, Diagnostic
from bpconvert.diagnostics.secrets import Secrets
from bpconvert.graphs.model import Graph
from bpconvert.graphs.reading import of_document
from bpconvert.models.light import dataclass, field
from bpconvert.translators.dialects import DIALECTS, load
from bpconvert.yamlio.document import Document

#: what a YAML scanner counts as the end of a line
_LINE_BREAK: Final = re.compile("\r\n|[\n\r\x85\u2028\u2029]")
#: lines around a finding, where a text is too long to be shown
_AROUND: Final = 4
#: longer lines are cut: data in one line, keys
_WIDEST: Final = 1000


@dataclass
class Line:
    """A line of a text; ``number`` 0: a gap of ``skipped`` lines that are not shown, ``text`` says why."""

    number: int
    text: str
    findings: list[int] = field(default_factory=list)
    skipped: int = 0


@dataclass
class View:
    """A document and its result. ``source``, ``target``: their names; ``lines``, ``result``: their texts, none where
    they are not known; ``places``: number of a finding -> line of the source; ``results``: -> line of the result;
    ``graph``: the topology of the source."""

    source: str
    target: str = ""
    lines: list[Line] = field(default_factory=list)
    result: list[Line] = field(default_factory=list)
    places: dict[int, int] = field(default_factory=dict)
    results: dict[int, int] = field(default_factory=dict)
    graph: Graph | None = None

    @property
    def size(self) -> int:
        """How many characters it shows."""
        return sum(len(line.text) for line in [*self.lines, *self.result])


Numbered = Sequence[tuple[int, Diagnostic]]


def views(outcome: Outcome, findings: Numbered, texts: Mapping[str, str]) -> list[View]:
    """The documents of an outcome: the one that was asked for, those that it nests, and files that findings are about.

    Args:
        outcome: what became of a document.
        found: its findings, each with its number on the page.
        texts: documents that are not files (name -> text)."""
    result = outcome.result
    if outcome.kind is not None:
        shown = _of_failure(outcome, findings)
    elif result is None:
        shown = _of_check(outcome, findings, texts)
    else:
        shown = [_view(outcome, result, trace, findings) for trace in result.traces]
    names = {outcome.job.name, *(name for view in shown for name in (view.source, view.target))}
    masked = ((finding.file, finding.secrets) for _, finding in findings)
    others = {file: secrets for file, secrets in masked if secrets is not None and file not in names}
    return [*shown, *filter(None, (_of_file(name, secrets, findings) for name, secrets in others.items()))]


def _of_check(outcome: Outcome, findings: Numbered, texts: Mapping[str, str]) -> list[View]:
    """A document that was checked; none for what an earlier run left, and for parts of another one's result."""
    name = outcome.job.name
    text = texts.get(name) if outcome.job.path is None else _text_of(name)
    document = None if text is None or outcome.nested_in is not None else _loaded(text, name)
    if document is None:
        return []
    for _, finding in findings:
        document.secrets.join(finding.secrets or Secrets())
    view = View(name, places={number: finding.line for number, finding in findings if finding.file == name})
    view.lines = _lines(document.text, document.secrets, view.places, name)
    view.graph = _graph(document, outcome)
    return [view]


def _of_file(name: str, secrets: Secrets, findings: Numbered) -> View | None:
    """A file that is no document of the run, and that findings are about: an environment."""
    text = _text_of(name)
    if text is None:
        return None
    view = View(name, places={number: finding.line for number, finding in findings if finding.file == name})
    view.lines = _lines(text, secrets, view.places, name)
    return view


def _text_of(name: str) -> str | None:
    """The text of a file; None where it cannot be read."""
    try:
        return Path(name).read_bytes().decode("utf-8-sig", "replace")
    except (OSError, ValueError):
        return None


def _view(outcome: Outcome, result: Result, trace: Trace, findings: Numbered) -> View:
    own = [(number, finding) for number, finding in findings if finding.file == trace.source]
    target = outcome.job.target
    name = str(target) if target is not None and not trace.target else trace.target
    if trace.target and target is not None:
        name = str(target.parent / trace.target)
    view = View(trace.source, name or "standard output")
    view.places = {number: finding.line for number, finding in own}
    view.lines = _lines(trace.text, trace.secrets, view.places, trace.source)
    text = result.files.get(trace.target, "") if trace.target else result.text
    document = _loaded(text, name)
    if document is not None:
        ways = _Ways(trace)
        for number, numbered in own:
            path = ways.result(numbered.path)
            if path is not None:
                view.results[number] = document.locate(path)[0]
        document.secrets.join(trace.secrets)
    secrets = trace.secrets if document is None else document.secrets
    view.result = _lines(text, secrets, view.results, name, kept_lines(document))
    source = _loaded(trace.text, trace.source)
    if source is not None:
        view.graph = _graph(source, outcome)
    return view


def _of_failure(outcome: Outcome, findings: Numbered) -> list[View]:
    """The lines with findings of a document that could not be converted: what is secret in it is not known."""
    path = outcome.job.path
    own = {number: finding.line for number, finding in findings if finding.file == outcome.job.name}
    if path is None or not own or outcome.kind != "source":
        return []
    text = _text_of(str(path))
    if text is None:
        return []
    view = View(outcome.job.name, places=own)
    secrets = next((finding.secrets for _, finding in findings if finding.secrets is not None), None)
    lines = _marked(_LINE_BREAK.split(text), own)
    for line in lines:
        line.text = _cut(line.text if secrets is None else secrets.masked_line(line.text, (view.source, line.number)))
    view.lines = excerpt(lines, 0, "the document was not read")
    return [view]


def _lines(
    text: str, secrets: Secrets, places: Mapping[int, int], name: str, left_out: range = range(0)
) -> list[Line]:
    lines = _marked(_LINE_BREAK.split(text.removesuffix("\n")), places)
    for line in lines:
        line.text = _cut(secrets.masked_line(line.text, (name, line.number)))
    if not left_out:
        return lines
    gap = Line(0, "the source that the result keeps", skipped=len(left_out))
    return [*lines[: left_out.start - 1], gap, *lines[left_out.stop - 1 :]]


def _marked(texts: Iterable[str], places: Mapping[int, int]) -> list[Line]:
    lines = [Line(number, text) for number, text in enumerate(texts, 1)]
    for number, line in places.items():
        if 0 < line <= len(lines):
            lines[line - 1].findings.append(number)
    return lines


def _cut(text: str) -> str:
    return text if len(text) <= _WIDEST else f"{text[:_WIDEST]}… ({len(text) - _WIDEST} more characters)"


def excerpt(lines: Sequence[Line], around: int = _AROUND, why: str = "no findings here") -> list[Line]:
    """The lines near findings, and gaps between."""
    near = {
        index
        for place, line in enumerate(lines)
        if line.findings
        for index in range(max(0, place - around), min(len(lines), place + around + 1))
    }
    excerpt_lines: list[Line] = []
    for index, line in enumerate(lines):
        if index in near or not line.number:
            excerpt_lines.append(line)
        elif excerpt_lines and not excerpt_lines[-1].number and excerpt_lines[-1].text == why:
            excerpt_lines[-1].skipped += 1
        else:
            excerpt_lines.append(Line(0, why, skipped=1))
    return excerpt_lines


def _loaded(text: str, name: str) -> Document | None:
    try:
        return load(text, name)
    except BpconvertError:
        return None


def _graph(document: Document, outcome: Outcome) -> Graph | None:
    """The topology of a document that was converted."""
    from bpconvert.files import Files

    try:
        files = Files(Path(document.name).parent if outcome.job.path is not None else None)
        return of_document(document, DIALECTS[dialect_of(document)], files)
    except BpconvertError:
        return None


def kept_lines(document: Document | None) -> range:
    """The lines with the record of the source that a result keeps."""
    if document is None or not isinstance(document.data, dict):
        return range(0)
    for dialect in DIALECTS.values():
        if dialect.recognises(document.data):
            place = dialect.keeper().find(document.data, "")
            span = document.span(place) if place else None
            if span is not None:
                first = len(_LINE_BREAK.findall(document.text, 0, span[0])) + 1
                last = len(_LINE_BREAK.findall(document.text, 0, max(span[0], span[1] - 1))) + 1
                return range(first, last + 1)
    return range(0)


class _Ways:
    """Where the entries of a source are in its result."""

    def __init__(self, trace: Trace) -> None:
        self._known: dict[tuple[Any, ...], tuple[Any, ...]] = {}
        for source, targets in trace.made.items():
            if targets:
                self._known[tuple(source)] = tuple(targets[0])
        for source, target in trace.moves:
            self._known[tuple(source)] = tuple(target)

    def result(self, path: Sequence[Any]) -> tuple[Any, ...] | None:
        """The place of ``path``, or of the entry that it is in; None where there is none."""
        for length in range(len(path), 1, -1):
            place = self._known.get(tuple(path[:length]))
            if place:
                return (*place, *path[length:])
        return None
