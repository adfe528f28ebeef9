"""Reports as one HTML page that needs nothing else, by ``templates/report.html.j2``.

Nothing of a document is markup, style or script in it: values are escaped when they are put in, the script reads no
data, and the page's own policy (CSP) allows just its style and its script."""

from __future__ import annotations

import base64
import hashlib
import os
from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from bpconvert.batch import Outcome
from bpconvert.diagnostics import MEANINGS as FIDELITIES
from bpconvert.diagnostics import Diagnostic, Severity
from bpconvert.diagnostics.codes import CODES
from bpconvert.diagnostics.folding import fold
from bpconvert.graphs.model import MEANINGS, Part
from bpconvert.graphs.svg import drawing, environment
from bpconvert.reports import Report
from bpconvert.reports.estate import FAILED, NESTED, Estate, estate
from bpconvert.reports.views import Line, View, excerpt, views
from bpconvert.reports.work import MEANINGS as WORDS

#: how many characters of documents are shown; of what comes after that, and of longer documents, parts with findings
MOST: Final = 5_000_000
LONGEST: Final = 250_000
#: topologies with more nodes are not drawn
LARGEST: Final = 400
_MEANINGS: Final = {**FIDELITIES, NESTED: "part of others"}


def text(report: Report) -> str:
    """The report as HTML."""
    numbers = estate(report)
    files = [_File(row.number, report.outcomes[row.number], row) for row in numbers.files]
    _number(files, report.texts)
    _fit([view for file in files for view in file.views])
    pages = environment()
    style = pages.get_template("report.css.j2").render()
    script = pages.get_template("report.js.j2").render()
    done = "checked" if report.data["command"] == "check" else "converted"
    folder = _folder([row.name for row in numbers.files])
    page = pages.get_template("report.html.j2").render(
        report=report.data,
        estate=numbers,
        files=[file.shown() for file in files],
        done=done,
        total=sum(len(file.numbers) for file in files),
        shown=[os.path.relpath(row.name, folder) if folder else row.name for row in numbers.files],
        folder=folder,
        bar=_bar(numbers),
        most=max((row.findings for row in numbers.codes), default=1),
        where=_where(files, folder),
        meanings=_MEANINGS | MEANINGS | {FAILED: f"not {done}"},
        work=WORDS,
        titles={row.code: row.title for row in numbers.codes},
        style=style,
        style_digest=_digest(style),
        script=script,
        script_digest=_digest(script),
    )
    return page.encode("utf-8", "replace").decode()


def _digest(content: str) -> str:
    """What the policy calls a style or a script (CSP 3, 2.3.1)."""
    return base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()


def _folder(names: list[str]) -> str:
    """The folder that all files are below; "" for one file, and where there is none."""
    if len(names) < 2:
        return ""
    folder = os.path.commonpath([os.path.dirname(os.path.abspath(name)) for name in names])
    return os.path.relpath(folder) if not os.path.isabs(names[0]) else folder


def _bar(numbers: Estate) -> list[tuple[str, float, float]]:
    """The parts of the bar: status, place and width, of 1000."""
    total, x, parts = len(numbers.files) or 1, 0.0, []
    for status, number in numbers.statuses.items():
        parts.append((status, round(x, 2), round(1000 * number / total, 2)))
        x += 1000 * number / total
    return parts


class _File:
    """One entry of the report on its way into the page."""

    def __init__(self, index: int, outcome: Outcome, row: Any) -> None:
        self.index, self.outcome, self.row = index, outcome, row
        self.groups = fold(outcome.diagnostics)
        self.numbers: dict[int, int] = {}
        self.views: list[View] = []

    @property
    def findings(self) -> list[Diagnostic]:
        """All of them, in the order of the page."""
        return [finding for group in self.groups for finding in group.all]

    def shown(self) -> dict[str, Any]:
        """What the template sees."""
        anchors = [self._anchors(index, view) for index, view in enumerate(self.views)]
        findings = [
            {
                **self._finding(group.first, anchors),
                "also": [self._finding(finding, anchors) for finding in group.also],
                "follows": [self._finding(finding, anchors) for finding in group.follows],
            }
            for group in self.groups
        ]
        counts = Counter(str(finding.severity) for finding in self.findings)
        return {
            "row": self.row,
            "findings": findings,
            "views": [self._view(index, view) for index, view in enumerate(self.views)],
            "counts": {str(severity): counts[str(severity)] for severity in sorted(Severity, reverse=True)},
        }

    def _prefix(self, index: int) -> str:
        return f"f{self.index}v{index}"

    def _anchors(self, index: int, view: View) -> dict[int, tuple[str, str, int]]:
        """Finding -> the anchors of its lines in source and result, "" for none, and the line in the result."""
        prefix, result = self._prefix(index), {line.number for line in view.result}
        anchors = {}
        for number, line in view.places.items():
            there = view.results.get(number, 0)
            source = f"{prefix}s{line}" if any(number in shown.findings for shown in view.lines) else ""
            anchors[number] = (source, f"{prefix}t{there}" if there in result and there else "", there)
        return anchors

    def _finding(self, finding: Diagnostic, anchors: list[dict[int, tuple[str, str, int]]]) -> dict[str, Any]:
        number = self.numbers[id(finding)]
        source, result, line = next((places[number] for places in anchors if number in places), ("", "", 0))
        return {
            **finding.as_dict(),
            "number": number,
            "title": CODES[finding.code].title if finding.code in CODES else "",
            "elsewhere": "" if finding.file == self.row.name else finding.file,
            "source": source,
            "result": result,
            "result_line": line,
            "also": [],
            "follows": [],
        }

    def _view(self, index: int, view: View) -> dict[str, Any]:
        by_number = {self.numbers[id(finding)]: finding for finding in self.findings}
        size = sum(1 for _ in view.graph.walk()) if view.graph is not None else 0
        linked = {part.line for part in view.graph.walk() if part.file == view.source} if view.graph is not None else ()
        worst = _worst([by_number[number] for number in view.places])
        prefix = self._prefix(index)

        def look(part: Part) -> dict[str, str]:
            own = part.file == view.source and part.line in shown
            return {"class": worst.get(part.path[:2], ""), "href": f"#{prefix}s{part.line}" if own else ""}

        shown = {line.number for line in view.lines}
        return {
            "source": view.source,
            "target": view.target,
            "prefix": prefix,
            "lines": [_line(line, by_number, line.number in linked) for line in view.lines],
            "result": [_line(line, by_number, False) for line in view.result],
            "picture": drawing(view.graph, look) if view.graph is not None and 0 < size <= LARGEST else "",
            "too_large": size if size > LARGEST else 0,
            "troubled": any(look(part)["class"] for part in view.graph.walk()) if view.graph is not None else False,
        }


def _worst(findings: list[Diagnostic]) -> dict[tuple[Any, ...], str]:
    """Entry of the document -> the highest severity of its findings, from warnings."""
    worst: dict[tuple[Any, ...], Severity] = {}
    for finding in findings:
        entry = tuple(finding.path[:2])
        if finding.severity > Severity.INFO:
            worst[entry] = max(finding.severity, worst.get(entry, Severity.INFO))
    return {entry: str(severity) for entry, severity in worst.items()}


def _line(line: Line, by_number: dict[int, Diagnostic], is_linked: bool) -> dict[str, Any]:
    own = [by_number[number] for number in line.findings]
    marks = {
        finding.code: (number, finding.code, finding.message)
        for number, finding in zip(line.findings, own, strict=True)
    }
    return {
        "number": line.number,
        "text": line.text,
        "skipped": line.skipped,
        "severity": str(max((finding.severity for finding in own), default="")),
        "marks": list(marks.values()),
        "named": is_linked,
    }


def _number(files: list[_File], texts: Mapping[str, str]) -> None:
    """Give every finding of the page its number, and read the documents."""
    number = 0
    for file in files:
        for finding in file.findings:
            number += 1
            file.numbers[id(finding)] = number
        file.views = views(file.outcome, [(file.numbers[id(finding)], finding) for finding in file.findings], texts)


def _fit(shown: list[View]) -> None:
    """Leave out lines without findings where the page would become too large, of the largest documents first."""
    left = MOST
    for view in sorted(shown, key=lambda view: view.size):
        if view.size > min(left, LONGEST):
            view.lines, view.result = excerpt(view.lines), excerpt(view.result)
        left -= view.size


def _where(files: list[_File], folder: str) -> dict[str, list[tuple[str, str, int]]]:
    """Code -> the files that have it: the place of the first finding, name, number of findings."""
    places: dict[str, list[tuple[str, str, int]]] = {}
    for file in files:
        numbers: dict[str, list[int]] = {}
        for finding in file.findings:
            numbers.setdefault(finding.code, []).append(file.numbers[id(finding)])
        name = os.path.relpath(file.row.name, folder) if folder else file.row.name
        for code, own in numbers.items():
            places.setdefault(code, []).append((f"n{own[0]}", name, len(own)))
    return places
