"""The whole of a report at a glance: files by fidelity, findings by code, and what to do first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from bpconvert.diagnostics import Fidelity, Severity
from bpconvert.diagnostics.codes import CODES
from bpconvert.models.light import NamedTuple
from bpconvert.reports import Report, name_of, problem_of
from bpconvert.reports.work import Step, steps_of, work_of

#: how many things to do first there are at most
MOST: Final = 10
_NEEDING: Final = (str(Severity.ERROR), str(Severity.WARNING))
#: what tells which finding is the cause of another one
_PLACE: Final = ("code", "file", "line", "column")
FAILED: Final = "failed"
#: what part of others is no result of its own
NESTED: Final = "nested"


class CodeRow(NamedTuple):
    """The findings of one code and ``severity``. ``example``: the first of them."""

    code: str
    title: str
    explanation: str
    severity: str
    findings: int
    files: int
    example: dict[str, Any]


class FileRow(NamedTuple):
    """An entry of ``files``. ``number``: its place there; ``status``: its fidelity, :data:`FAILED`, :data:`NESTED`, or
    "" where nothing is converted; ``counts``: severity -> findings; ``urgency``: greater for a file that needs a person
    more, by its errors, what only keeps what it was, and its warnings, without those that follow from others;
    ``carried``: the second of these; ``is_empty``: nothing of it is created."""

    number: int
    name: str
    target: str | None
    status: str
    problem: str
    nested_in: str | None
    counts: dict[str, int]
    carried: int
    is_empty: bool
    urgency: tuple[int, int, int]


class Estate(NamedTuple):
    """What is seen at a glance.

    ``statuses``: status -> number of files, best first; ``severities``: severity -> findings, highest first; ``codes``:
    those that need work most first; ``files``: in their order. ``failed``; ``empty``: those of which nothing is
    created; ``first``: of the others those that need a person, most first. ``work``: what is left to do -> number of
    files; ``steps``: what to deal with first."""

    statuses: dict[str, int]
    severities: dict[str, int]
    codes: list[CodeRow]
    files: list[FileRow]
    failed: list[FileRow]
    empty: list[FileRow]
    first: list[FileRow]
    work: dict[str, int]
    steps: list[Step]

    @property
    def todo(self) -> list[CodeRow]:
        """The codes to look at first: errors, else warnings."""
        for severity in (str(Severity.ERROR), str(Severity.WARNING)):
            rows = [row for row in self.codes if row.severity == severity]
            if rows:
                return rows[:MOST]
        return []


def estate(report: Report) -> Estate:
    """Count what a report has."""
    entries = report.data["files"]
    files = [_file_row(number, entry) for number, entry in enumerate(entries)]
    counted = Counter(row.status for row in files)
    statuses = {name: counted[name] for name in (*map(str, Fidelity), NESTED, FAILED) if counted[name]}
    each = Counter(finding["severity"] for entry in entries for finding in entry["diagnostics"])
    severities = {str(severity): each[str(severity)] for severity in sorted(Severity, reverse=True)}
    failed = [row for row in files if row.status == FAILED]
    empty = [row for row in files if row.is_empty and row.status != FAILED]
    needing = [row for row in files if row not in failed and row not in empty and (row.counts["error"] or row.carried)]
    first = sorted(needing, key=lambda row: row.urgency, reverse=True)[:MOST]
    left = work_of(entries), steps_of(entries)
    return Estate(statuses, severities, _code_rows(entries), files, failed, empty, first, *left)


def _file_row(number: int, entry: dict[str, Any]) -> FileRow:
    findings = entry["diagnostics"]
    counted = Counter(finding["severity"] for finding in findings)
    counts = {str(severity): counted[str(severity)] for severity in sorted(Severity, reverse=True)}
    heads = {tuple(finding[key] for key in _PLACE) for finding in findings if not finding["cause"]}
    own = [
        finding
        for finding in findings
        if not finding["cause"] or tuple(finding["cause"][key] for key in _PLACE) not in heads
    ]
    status = FAILED if entry["error"] else NESTED if entry.get("nested_in") else entry.get("fidelity") or ""
    errors, warnings = (sum(finding["severity"] == severity for finding in own) for severity in _NEEDING)
    carried = sum(finding["fidelity"] == str(Fidelity.CARRIED) for finding in own)
    urgency = errors, carried, warnings
    is_empty = any(finding["code"] in CODES and CODES[finding["code"]].causes == "document" for finding in findings)
    target, nested_in = entry.get("target"), entry.get("nested_in")
    names = number, name_of(entry), target, status, problem_of(entry), nested_in
    return FileRow(*names, counts, carried, is_empty, urgency)


def _code_rows(files: Sequence[dict[str, Any]]) -> list[CodeRow]:
    by_code: dict[tuple[str, str], list[tuple[int, dict[str, Any]]]] = {}
    for number, entry in enumerate(files):
        for finding in entry["diagnostics"]:
            by_code.setdefault((finding["code"], finding["severity"]), []).append((number, finding))
    rows = []
    for (code, severity), several in by_code.items():
        definition = CODES.get(code)
        title, explanation = (definition.title, definition.explanation) if definition else (code, "")
        places = len({number for number, _ in several})
        rows.append(CodeRow(code, title, explanation, severity, len(several), places, several[0][1]))
    return sorted(rows, key=lambda row: (-Severity(row.severity).rank, -row.files, -row.findings, row.code))
