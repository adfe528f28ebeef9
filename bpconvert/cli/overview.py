"""What the terminal shows of many files: how faithful they are, the commonest findings, what needs a person first.

Every number counts findings, also those that are the same at other places and those that follow from others: as in
reports (:mod:`bpconvert.reports.estate`)."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from bpconvert.cli.command import columns_of, count
from bpconvert.cli.files import FAILED, NESTED, File
from bpconvert.diagnostics import MEANINGS as FIDELITIES
from bpconvert.diagnostics import Diagnostic, Fidelity, Severity
from bpconvert.diagnostics.codes import CODES
from bpconvert.diagnostics.folding import Group, fold
from bpconvert.diagnostics.shown import printable
from bpconvert.models.light import NamedTuple
from bpconvert.reports.work import MEANINGS as WORDS
from bpconvert.reports.work import steps, work

#: how many codes, and how many files, are shown
MOST: Final = 10
_NEEDING: Final = (Severity.ERROR, Severity.WARNING)
#: state of a file -> what it means
MEANINGS: Final = {
    **FIDELITIES,
    NESTED: "part of others",
    FAILED: "not converted",
}


class _Row(NamedTuple):
    """A file with its groups of findings that are severe enough; ``shown``: its name below the folder of all."""

    file: File
    groups: list[Group]
    shown: str = ""

    @property
    def is_empty(self) -> bool:
        """Whether nothing of the file is created."""
        return any(_causes(group.first) == "document" for group in self.groups)

    @property
    def findings(self) -> list[Diagnostic]:
        return [finding for group in self.groups for finding in group.all]

    def number(self, severity: Severity) -> int:
        return sum(finding.severity == severity for finding in self.findings)

    @property
    def urgency(self) -> tuple[int, int, int]:
        """Greater for a file that needs a person more: what follows from something else does not count."""
        own = [finding for group in self.groups for finding in (group.first, *group.also)]
        errors, warnings = (sum(finding.severity == severity for finding in own) for severity in _NEEDING)
        return errors, sum(finding.fidelity == Fidelity.CARRIED for finding in own), warnings


def overview(files: Sequence[File], least: Severity) -> str:
    """The tables; ``least``: less severe findings are not counted."""
    rows = [_Row(file, fold([item for item in file.findings if item.severity >= least])) for file in files]
    folder = _folder(files)
    rows = [row._replace(shown=printable(os.path.relpath(row.file.name, folder or "."))) for row in rows]
    parts = [list(_states(files)), list(_work(files, least)), list(_codes(rows, folder)), list(_first(rows, folder))]
    return "\n".join("".join(f"{line}\n" for line in part) for part in parts if part)


def _states(files: Sequence[File]) -> Iterator[str]:
    counts = Counter(file.state for file in files if file.state)
    if counts:
        yield "files"
    for state, meaning in MEANINGS.items():
        if counts[state]:
            yield f"{counts[state]:5}  {state:<13} {meaning}"


def _work(files: Sequence[File], least: Severity) -> Iterator[str]:
    """What is left for a person, and what to deal with first, unless less is asked for."""
    own = [file for file in files if file.state and file.state != NESTED]
    if not own:
        return
    words = Counter(
        work(((str(finding.severity), str(finding.fidelity)) for finding in file.findings), file.has_failed)
        for file in own
    )
    yield "what is left to do"
    for word, meaning in WORDS.items():
        if words[word]:
            yield f"{words[word]:5}  {word:<13} {meaning}"
    left = [_codes_left(file) for file in own if not file.has_failed and least <= Severity.WARNING]
    for step in steps(left):
        names = ", ".join(f"{code} {CODES[code].title}" for code in step.codes)
        yield _fitting(f"       {count(step.finishes, 'file')} more, once these are dealt with: {names}")


def _codes_left(file: File) -> set[str]:
    return {finding.code for finding in file.findings if finding.severity > Severity.INFO and not finding.cause}


def _folder(files: Sequence[File]) -> str:
    """The folder that all files are below."""
    return os.path.commonpath([os.path.dirname(os.path.abspath(file.name)) for file in files])


def _codes(rows: Sequence[_Row], folder: str) -> Iterator[str]:
    """The commonest codes, each with its first finding."""
    every = [(finding, row.file) for row in rows for finding in row.findings]
    counts = Counter(finding.code for finding, _ in every)
    if counts:
        more = len(counts) - MOST
        yield "findings, by the commonest codes" + (f" ({more} more: --statistics)" if more > 0 else "")
    for code, number in counts.most_common(MOST):
        places = [(finding, file.name) for finding, file in every if finding.code == code]
        among = len({name for _, name in places})
        own = (group.first for row in rows for group in row.groups if group.first.code == code)
        first = next(own, places[0][0])
        yield f"{number:5}  {code}  {first.severity}: {CODES[code].title}, in {count(among, 'file')}"
        yield f"       {printable(os.path.relpath(first.span.file, folder))}:{first.span.line}:{first.span.column}"
        yield _fitting(f"       {printable(first.message)}")


def _first(rows: Sequence[_Row], folder: str) -> Iterator[str]:
    """The files that need a person: what failed, what has errors, and what has most warnings."""
    failed = [row for row in rows if row.file.has_failed]
    empty = [row for row in rows if row.is_empty and not row.file.has_failed]
    other = [row for row in rows if row.groups and row not in failed and row not in empty]
    other.sort(key=lambda row: row.urgency, reverse=True)
    if failed or empty or other:
        yield f"look at these first, below {printable(folder)}"
    for row in failed[:MOST]:
        yield from _failure(row.file)
    yield from _omitted(failed, "failed")
    if empty:
        names = ", ".join(row.shown for row in empty[:3])
        create = "creates" if len(empty) == 1 else "create"
        yield f"  {count(len(empty), 'file')} {create} no resources: {names}{_more(len(empty) - 3)}"
    for row in other[:MOST]:
        numbers = [
            count(row.number(severity), str(severity))
            for severity in sorted(Severity, reverse=True)
            if row.number(severity)
        ]
        worst = max(row.groups, key=lambda group: group.first.severity).first
        yield f"  {row.shown}: {', '.join(numbers)}; {worst.code} {CODES[worst.code].title}"
    yield from _omitted(other, "have findings")


def _failure(file: File) -> Iterator[str]:
    errors = [item for item in file.findings if item.severity == Severity.ERROR]
    if errors:
        yield printable(f"  {errors[0].span}: error {errors[0].code} {errors[0].message}")
    else:
        yield printable(f"  {file.name}: error: {file.problem}")


def _omitted(rows: Sequence[_Row], what: str) -> Iterator[str]:
    if len(rows) > MOST:
        yield f"  {len(rows) - MOST} more {what} (-v shows all findings)"


def _more(number: int) -> str:
    return f" and {number} more" if number > 0 else ""


def _causes(item: Diagnostic) -> str:
    return CODES[item.code].causes if item.code in CODES else ""


def _fitting(line: str) -> str:
    """A line that a terminal does not break."""
    width = columns_of(2) or 160
    return line if len(line) <= width else f"{line[: width - 3]}..."
