"""Mistakes in a document that is converted, which its engine refuses: one error, as ``check`` has it, in place of the
warnings that follow from it."""

from __future__ import annotations

from collections.abc import Callable, Collection
from copy import copy
from typing import Any, Final

from bpconvert.diagnostics import CERTAIN, GUESS, Diagnostic, Reporter, Severity, SourceError
from bpconvert.diagnostics.codes import CODES
from bpconvert.files import Files
from bpconvert.limits import limits
from bpconvert.models.expressions import Path
from bpconvert.options import Options
from bpconvert.translation import Way
from bpconvert.translators.dialects import catalogue
from bpconvert.yamlio.document import Document

#: what is reported of a property, an attribute, a reference that is not known, and of a value that is refused
_FOLLOW: Final = frozenset({
    "BPC201", "BPC202", "BPC208", "BPC210", "BPC230", "BPC232", "BPC301", "BPC780", "BPC786", "BPC810",
})  # fmt: skip


class Mistakes:
    """What the source's engine refuses in ``document`` whatever is given. ``reporter`` takes what its conversion
    finds."""

    def __init__(self, document: Document, way: Way, files: Files, reporter: Reporter) -> None:
        self.document = document
        self.way = way
        self.files = files
        self.reporter = reporter
        self._before = len(reporter.diagnostics)
        #: what was found in what the conversion has read; None where that was not looked at
        self._found: list[Diagnostic] | None = None

    def seen(self, read: Any) -> None:
        """Look for them in what the reader has just read, once for both. Never raises."""
        names = self.way.source.names()
        reading = self.reporter.diagnostics[self._before :]
        if names is not None:
            self._found = self._checked(lambda *arguments: names(read, reading, *arguments))

    def report(self, explained: Collection[Path] = ()) -> None:
        """Report them, in place of what the conversion has found of them; those at the places ``explained`` have been
        reported better. Never raises: what cannot be checked, an environment for instance, has been reported."""
        if self._found is None:
            check = self.way.source.check()
            self._found = [] if check is None else self._checked(check) or []
        errors = [
            finding
            for finding in self._found
            if finding.severity == Severity.ERROR
            and (finding.code in CERTAIN or GUESS in finding.message)
            and finding.path not in explained
        ]
        if not errors:
            return
        places = {finding.path for finding in errors}
        owners = {path[:-1] for path in places if path[-1:] == ("type",)}
        better = {(finding.path, finding.code): finding.message for finding in errors}
        found_here = self.reporter.diagnostics
        found_here[:] = [
            finding
            for finding in found_here
            if not _follows(finding, places, owners)
            and better.get((finding.path, finding.code), finding.message) == finding.message
        ]
        reported = {finding.path for finding in found_here if finding.severity == Severity.ERROR}
        for finding in errors:
            if finding.path not in reported:
                self.reporter.record(finding)

    def _checked(self, check: Callable[..., bool | None]) -> list[Diagnostic] | None:
        """What ``check`` finds; None where it returns False."""
        return checked(check, self.document, self.files, self.way.options, of_names=True)


def checked(
    check: Callable[..., bool | None], document: Document, files: Files, options: Options, *, of_names: bool = False
) -> list[Diagnostic] | None:
    """What ``check`` finds in a document with ``files`` beside it; None where it returns False. ``of_names``: only
    errors are wanted that suggest a name. What cannot be checked has no findings."""
    scratch, files = Reporter(document, of_names=of_names), copy(files)
    files.used, files.merged, files.mapped, files.opener = {**files.used}, {**files.merged}, {}, None
    types = catalogue(options.types) if options.types else None
    try:
        with limits(options.limits):
            done = check(document, scratch, files, options.environments, types)
    except (SourceError, OSError, RecursionError):
        return []
    return None if done is False else scratch.in_order()


def _follows(finding: Diagnostic, places: set[Path], owners: set[Path]) -> bool:
    """True for a warning that a mistake at its place leads to, for the same in other words, and for the stand-in for a
    type that is misspelt."""
    if finding.severity == Severity.INFO:
        return False
    is_stand_in = finding.path in owners and CODES[finding.code].causes == "node"
    return is_stand_in or (finding.path in places and finding.code in _FOLLOW)
