"""Which findings a command prints, reports and counts: ``--select``, ``--ignore``, comments, ``--baseline``; and which
files it looks for."""

from __future__ import annotations

import argparse
import os
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from bpconvert.cli.command import FINDINGS_GROUP, READING, attempt, count, group_of, print_message

if TYPE_CHECKING:
    from bpconvert.baseline import Baseline
    from bpconvert.cli.formatters import TextFormatter
    from bpconvert.diagnostics import Diagnostic
    from bpconvert.ignored import Search

NEVER: Final = "never"
#: beginnings of the codes that a command never reports: a comment in a document may be for another command
NOT_OF_CHECK: Final = tuple(f"BPC{area}" for area in range(2, 10))
NOT_OF_CONVERSIONS: Final = ("BPC17", "BPC18")


def take_filters(parser: argparse.ArgumentParser, fail_on: str) -> None:
    """Add the options that choose findings. ``fail_on``: the severity that ends the command with 1."""
    add = group_of(parser, FINDINGS_GROUP).add_argument
    text = "print only findings of these codes, or of those that begin so (BPC3); errors stay (may be repeated)"
    add("--select", metavar="CODES", type=_codes, action="extend", default=[], help=text)
    text = "leave out findings of these codes, or of those that begin so; errors by their whole code (may be repeated)"
    add("--ignore", metavar="CODES", type=_codes, action="extend", default=[], help=text)
    add("--baseline", metavar="FILE", help="leave out the findings in this file")
    add("--write-baseline", metavar="FILE", help="write all findings of this run to a file, and accept them")
    add("--statistics", action="store_true", help="print how many findings of each code there are, in place of them")
    text = f"exit with 1 if there is a finding of this severity or a higher one (default: {fail_on})"
    levels = ["info", "warning", "error", NEVER]
    add("--fail-on", metavar="SEVERITY", choices=levels, default=fail_on, help=f"{text}; {', '.join(levels)}")
    add("--strict", dest="fail_on", action="store_const", const="warning", help="the same as --fail-on warning")


def take_search(parser: argparse.ArgumentParser) -> None:
    """Add the options that leave out files of directories."""
    add = group_of(parser, READING).add_argument
    text = "leave out files and folders of directories, by a pattern as in .gitignore (may be repeated)"
    add("--exclude", metavar="GLOB", type=_pattern, action="append", default=[], help=text)
    text = "include files ignored by .gitignore"
    add("--no-gitignore", dest="gitignore", action="store_false", help=text)


def search_of(arguments: argparse.Namespace) -> Search:
    """How directories are searched."""
    from bpconvert.ignored import Search

    return Search(tuple(arguments.exclude), arguments.gitignore)


def _codes(text: str) -> list[str]:
    from bpconvert.diagnostics.selection import problem, whole_code

    codes = [whole_code(code) for code in text.split(",") if code.strip()]
    for code in codes:
        if wrong := problem(code):
            raise argparse.ArgumentTypeError(wrong)
    return codes


def _baseline(place: str) -> Baseline:
    from bpconvert.baseline import Baseline

    return Baseline.read(place)


def _check_place(place: str | None) -> None:
    """Raise UsageError where something else than a baseline would be overwritten, and OSError."""
    if place is not None and os.path.isfile(place):
        _baseline(place)


def _pattern(text: str) -> tuple[str, str]:
    return os.getcwd(), text


class Filter:
    """The findings that are wanted, of all documents of a run.

    texts: documents that are not files (name -> text); ``unjudged``: beginnings of the codes that the command never
    reports. Raises OSError and :class:`~bpconvert.baseline.BaselineError` where the baseline cannot be read."""

    def __init__(self, arguments: argparse.Namespace, texts: dict[str, str], unjudged: tuple[str, ...]) -> None:
        from bpconvert.diagnostics.selection import Selection
        from bpconvert.suppression import Suppressions

        self._selection = Selection(tuple(arguments.select), tuple(arguments.ignore))
        self._comments = Suppressions(texts, unjudged)
        self._unjudged = unjudged
        self._baseline = _baseline(arguments.baseline) if arguments.baseline else None
        self._writes: str | None = arguments.write_baseline
        _check_place(self._writes)
        self._all: list[Diagnostic] = []
        self._judged: set[str] = set()
        #: how many findings are left out, by what leaves them out
        self.silenced: Counter[str] = Counter()

    def wanted(self, findings: Sequence[Diagnostic], documents: Iterable[str]) -> list[Diagnostic]:
        """The findings to print, report and count, each once. ``documents``: those of which ``findings`` has all;
        comments in them that silence nothing are findings, too."""
        once: dict[Any, Diagnostic] = {}  # what is written once may be used several times
        for item in findings:
            once.setdefault((item.code, item.severity, item.span, item.message), item)
        kept = [item for item in once.values() if not self._is_left_out("by comments", self._comments.silences(item))]
        new = dict.fromkeys(documents).keys() - self._judged
        self._judged |= new
        kept += [item for name in sorted(new) for item in self._comments.unused(name)]
        kept = [item for item in kept if not self._is_left_out("by code", not self._selection.has(item))]
        self._all += kept
        baseline = self._baseline
        return kept if baseline is None else [i for i in kept if not self._is_left_out("known", baseline.has(i))]

    def _is_left_out(self, by: str, answer: bool) -> bool:
        self.silenced[by] += answer
        return answer

    def summary(self) -> list[str]:
        """Parts of the closing line: what was left out."""
        parts = [f"{number} {by}" for by, number in self.silenced.items() if number]
        left_out = [f"{count(self.silenced.total(), 'finding')} left out ({', '.join(parts)})"] if parts else []
        gone = self._baseline.gone(self._judged, self._unjudged) if self._baseline is not None else 0
        return [*left_out, *([f"{count(gone, 'finding')} of the baseline not found any more"] if gone else [])]

    def write(self) -> bool:
        """Write the baseline if that is wanted; False, with the reason printed, when that is not possible."""
        if self._writes is None:
            return True
        from pathlib import Path

        from bpconvert.baseline import text_of
        from bpconvert.batch import describe, write_atomically
        from bpconvert.diagnostics import UsageError

        try:
            _check_place(self._writes)
            write_atomically(Path(self._writes), text_of(self._all, self._writes))
        except (OSError, UsageError) as error:
            why = describe(error) if isinstance(error, OSError) else str(error)
            print_message(f"bpconvert: error: cannot write the baseline: {why}")
            return False
        print_message(f"bpconvert: wrote {count(len(self._all), 'finding')} to {self._writes}")
        return True


def chosen(arguments: argparse.Namespace, messages: TextFormatter, unjudged: tuple[str, ...]) -> Filter | None:
    """The filter of a command; None, with the reason printed, where the baseline cannot be used."""
    return attempt(partial(Filter, arguments, messages.texts, unjudged), messages, "bpconvert")


def has_failed(findings: Iterable[Diagnostic], arguments: argparse.Namespace) -> bool:
    """Whether one of the findings is as severe as ``--fail-on`` says. What has just become known is accepted."""
    from bpconvert.diagnostics import Severity

    if arguments.fail_on == NEVER or arguments.write_baseline:
        return False
    least = Severity(arguments.fail_on)
    return any(item.severity >= least for item in findings)
