"""What engines refuse: an edit does not come back in a form that they do not take. A value that they do not take is the
one that somebody wrote, and comes back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection
from functools import cached_property
from typing import Final

from bpconvert.diagnostics import CERTAIN, GUESS, Diagnostic, Reporter, Severity
from bpconvert.files import Files
from bpconvert.mistakes import checked
from bpconvert.models.expressions import Path
from bpconvert.translation import Way
from bpconvert.yamlio.document import Document

#: what is wrong with a value
_OF_VALUES: Final = frozenset({"BPC171", "BPC172"})


class Refusals:
    """The errors of a ``document`` with entries that were ``edited``, which goes a ``way``, and of what comes back.
    ``files``: those beside it, ``files_back``: those of what comes back."""

    def __init__(
        self, way: Way, document: Document, edited: Collection[Path], files: Files, files_back: Callable[[], Files]
    ) -> None:
        self._way, self._document, self._edited = way, document, edited
        self._files, self._files_back = files, files_back
        #: documents with how many errors of each code are in them
        self._known: dict[int, tuple[Document, Counter[str]]] = {}

    def has_more(self, before: Document, after: Document) -> bool:
        """True where the check of its language finds more errors of a code in ``after`` than in ``before``, and the
        edited document has none where it was edited."""
        return bool(self._errors(after) - self._errors(before)) and self._is_sound

    def _errors(self, document: Document) -> Counter[str]:
        if id(document) not in self._known:
            check = self._way.target.check()
            findings = [] if check is None else checked(check, document, self._files_back(), self._way.options) or []
            errors = [finding.code for finding in findings if finding.severity == Severity.ERROR]
            self._known[id(document)] = (document, Counter(code for code in errors if code not in _OF_VALUES))
        return self._known[id(document)][1]

    def report(self, reporter: Reporter) -> None:
        """Report what the engine of the edited document refuses where it was edited, as its conversion without an
        origin does."""
        reported = {(finding.code, finding.path) for finding in reporter.diagnostics}
        for finding in self._own:
            is_certain = finding.code in CERTAIN or GUESS in finding.message
            if is_certain and (finding.code, finding.path) not in reported:
                reporter.record(finding)

    @property
    def _is_sound(self) -> bool:
        return not self._own

    @cached_property
    def _own(self) -> list[Diagnostic]:
        """The errors of the edited document where it was edited."""
        check = self._way.source.check()
        findings = [] if check is None else checked(check, self._document, self._files, self._way.options) or []
        return [
            finding
            for finding in findings
            if finding.severity == Severity.ERROR and finding.path[:2] in self._edited
        ]
