"""Reports of a run: the ending of the file's name chooses what is written.

A format is one row of :data:`FORMATS` and the module that it names, which is imported when a report is written. What
all of them are made of is a :class:`Report`."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from bpconvert import __version__
from bpconvert.diagnostics import Diagnostic, Severity, UsageError
from bpconvert.models.light import NamedTuple
from bpconvert.translators.support import imported

if TYPE_CHECKING:
    from bpconvert.batch import Outcome
    from bpconvert.trees import ConvertedTree

#: the layout of JSON reports; a higher number for one that readers of this one cannot read
SCHEMA_VERSION: Final = 1
#: ending of a report's name -> what it is, and the function (:class:`Report`) -> text
FORMATS: Final = {
    ".json": ("JSON", "bpconvert.reports.as_json:text"),
    ".html": ("a page", "bpconvert.reports.page:text"),
    ".sarif": ("SARIF 2.1.0", "bpconvert.reports.as_sarif:text"),
    ".md": ("Markdown", "bpconvert.reports.as_markdown:text"),
    ".csv": ("CSV, a row for each finding", "bpconvert.reports.as_csv:text"),
}
ENDINGS: Final = ", ".join(FORMATS)
DEFAULT: Final = ".json"


class Finding(NamedTuple):
    """A finding of the report as a map (:meth:`bpconvert.diagnostics.Diagnostic.as_dict`) and the file of the report
    that it belongs to: ``source`` is its name, ``target`` that of its result."""

    source: str
    target: str | None
    data: dict[str, Any]


class Report:
    """What one run of a command found.

    ``data``: the JSON report as plain data (see :mod:`bpconvert.reports.model`). ``outcomes``: what became of the
    documents that it is about, in the order of ``data["files"]``. ``texts``: documents that are not files (name ->
    text)."""

    def __init__(
        self, data: dict[str, Any], outcomes: Sequence[Outcome] = (), texts: Mapping[str, str] | None = None
    ) -> None:
        self.data = data
        self.outcomes = list(outcomes)
        self.texts = texts or {}

    @cached_property
    def findings(self) -> list[Finding]:
        """All findings in the order of the files."""
        return [
            Finding(name_of(entry), entry.get("target"), finding)
            for entry in self.data["files"]
            for finding in entry["diagnostics"]
        ]

    @cached_property
    def failures(self) -> list[tuple[str, str]]:
        """The files that failed without a finding that gives the reason: name and reason."""
        failed = [entry for entry in self.data["files"] if entry["error"] and not entry["diagnostics"]]
        return [(name_of(entry), problem_of(entry)) for entry in failed]


def name_of(entry: dict[str, Any]) -> str:
    """What an entry of ``files`` is about."""
    return str(entry.get("source", entry.get("file")))


def problem_of(entry: dict[str, Any]) -> str:
    """Why a file failed; "" for one that did not."""
    error = entry["error"]
    return str(error["message"] if isinstance(error, dict) else error or "")


def of_conversions(command: str, outcomes: Sequence[Outcome], skipped: int = 0, missing: Sequence[str] = ()) -> Report:
    """The report of a conversion.

    Args:
        command: its name.
        outcomes: what became of the files.
        skipped: how many files found in directories are no templates.
        missing: the files that were not reached; the run was interrupted if there are any."""
    files = [{**outcome.as_dict(), "diagnostics": _distinct(outcome)} for outcome in outcomes]
    parts = files_and_summary(files, skipped)
    extra = {"interrupted": True, "missing": list(missing)} if missing else {}
    return Report(with_head(command, **parts, **extra), outcomes)


def of_checks(outcomes: Sequence[Outcome], texts: Mapping[str, str] | None = None) -> Report:
    """The report of a check: outcomes without results. ``texts``: documents that are not files (name -> text)."""
    files = [
        {
            "file": outcome.job.name,
            "diagnostics": _distinct(outcome),
            "error": outcome.error if outcome.kind else None,
        }
        for outcome in outcomes
    ]
    failed = sum(outcome.kind is not None for outcome in outcomes)
    summary = {"files": len(files), "failed": failed, "diagnostics": _counts(files)}
    return Report(with_head("check", files=files, summary=summary), outcomes, texts)


def of_tree(tree: ConvertedTree, command: str = "convert") -> Report:
    """The report of what :func:`bpconvert.convert_tree` returned."""
    from bpconvert.batch import Job, Outcome

    outcomes = []
    for file in tree.files:
        outcome = Outcome(Job(file.source, Path(file.source), Path(file.target) if file.target else None))
        outcome.result, outcome.diagnostics, outcome.written = file.result, file.diagnostics, file.files
        outcome.nested_in = file.nested_in
        if file.error is not None:
            outcome.kind, outcome.error = file.error
        outcomes.append(outcome)
    return of_conversions(command, outcomes, tree.skipped)


def write(report: Report, place: str | os.PathLike[str], read: Iterable[str | os.PathLike[str]] = ()) -> None:
    """Write a report; the ending of its name chooses the format. It is readable by those only who may read all sources,
    and the files in ``read``: it quotes sources, and results with the values of the others.

    Raises:
        UsageError: the ending is none of :data:`FORMATS`.
        OSError: it cannot be written."""
    from bpconvert.batch import write_atomically

    format = format_of(os.fspath(place))
    if format is None:
        raise UsageError(f"{os.fspath(place)}: the ending chooses the format: {ENDINGS}")
    mode = 0o666
    for file in [*(outcome.job.path for outcome in report.outcomes if outcome.job.path is not None), *read]:
        with suppress(OSError):
            mode &= os.stat(file).st_mode
    write_atomically(Path(place), rendered(report, format), mode)


def with_head(command: str, **parts: Any) -> dict[str, Any]:
    """A JSON report as plain data; ``parts``: what it has besides the tool and the command."""
    tool = {"name": "bpconvert", "version": __version__}
    return {"schema_version": SCHEMA_VERSION, "tool": tool, "command": command, **parts}


def files_and_summary(files: list[dict[str, Any]], skipped: int) -> dict[str, Any]:
    """What the report of a conversion has.

    ``files``: one map per input, see :meth:`bpconvert.batch.Outcome.as_dict`. ``skipped``: how many files found in
    directories are no templates."""
    from bpconvert.reports.work import steps_of, work_of

    failed = sum(entry["error"] is not None for entry in files)
    converted = sum(entry["fidelity"] is not None or entry["nested_in"] is not None for entry in files)
    totals = {"files": len(files), "converted": converted, "failed": failed, "skipped": skipped}
    work = {word.replace(" ", "_"): number for word, number in work_of(files).items()}
    left = {"work": work, "steps": [step._asdict() for step in steps_of(files)]}
    return {"files": files, "summary": {**totals, "diagnostics": _counts(files), **left}}


def _distinct(outcome: Outcome) -> list[dict[str, Any]]:
    """The findings of an outcome, each once: what is written once may be used several times."""
    findings: dict[Any, Diagnostic] = {}
    for finding in outcome.diagnostics:
        findings.setdefault((finding.code, finding.severity, finding.span, finding.message), finding)
    return [finding.as_dict() for finding in findings.values()]


def _counts(files: list[dict[str, Any]]) -> dict[str, int]:
    """Severity -> number of findings."""
    numbers = Counter(finding["severity"] for entry in files for finding in entry["diagnostics"])
    return {str(severity): numbers[str(severity)] for severity in Severity}


def format_of(name: str) -> str | None:
    """Which of :data:`FORMATS` a report with this name is written in; None where its ending is that of none. What is no
    file (``-``, a pipe) has no ending: it is :data:`DEFAULT`."""
    place = Path(name)
    if name == "-" or (place.exists() and not place.is_file() and not place.is_dir()):
        return DEFAULT
    return place.suffix.lower() if place.suffix.lower() in FORMATS else None


def rendered(report: Report, format: str) -> str:
    """The text of the report in one of :data:`FORMATS`."""
    write: Callable[[Report], str] = imported(FORMATS[format][1])
    return write(report)
