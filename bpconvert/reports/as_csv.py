"""Reports as CSV (RFC 4180): a row for each finding, and one for each file that failed without a finding."""

from __future__ import annotations

import csv
from io import StringIO
from typing import Any, Final

from bpconvert.diagnostics.shown import without_controls
from bpconvert.reports import Report

COLUMNS: Final = (
    "source", "target", "file", "line", "column", "severity", "fidelity", "code", "message", "hint", "path",
)  # fmt: skip
#: how a cell begins that a spreadsheet takes for a formula (OWASP, CSV injection), also in wide characters
_FORMULAS: Final = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")


def text(report: Report) -> str:
    """The report as CSV text. A cell that a spreadsheet would compute begins with an apostrophe."""
    stream = StringIO()
    writer = csv.DictWriter(stream, COLUMNS, lineterminator="\n")
    writer.writeheader()
    for source, target, finding in report.findings:
        path = ".".join(map(str, finding["path"]))
        row: dict[str, Any] = {name: finding[name] for name in COLUMNS if name in finding}
        writer.writerow(_inert({**row, "source": source, "target": target, "path": path}))
    for source, problem in report.failures:
        writer.writerow(_inert({"source": source, "file": source, "severity": "error", "message": problem}))
    return stream.getvalue().encode("utf-8", "backslashreplace").decode()


def _inert(row: dict[str, Any]) -> dict[str, Any]:
    """Cells without control characters (a carriage return would begin a row), and none that is a formula."""
    texts = {name: without_controls(cell) for name, cell in row.items() if isinstance(cell, str)}
    return {**row, **{name: f"'{cell}" if cell.startswith(_FORMULAS) else cell for name, cell in texts.items()}}
