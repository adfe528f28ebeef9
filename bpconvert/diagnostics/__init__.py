"""Diagnostics: what was found, where, how faithful the conversion of that place is, and what to do.

The registry itself (every code with its texts) is data in :mod:`bpconvert.diagnostics.codes`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from typing import Any, Final, Protocol

from bpconvert.diagnostics.code import Code
from bpconvert.diagnostics.codes import CODES
from bpconvert.diagnostics.secrets import Secrets
from bpconvert.models.light import NamedTuple


class Scale(str, Enum):
    """Words in an order: each is equal to its text, and less than those after it.

    >>> Severity.ERROR == "error", Severity.ERROR > "warning", max(Severity.INFO, Severity.WARNING).value
    (True, True, 'warning')

    Comparing the order with a text that is no word of the scale raises ValueError."""

    rank: int

    def __new__(cls, word: str) -> Scale:
        member = str.__new__(cls, word)
        member._value_ = word
        member.rank = len(cls.__members__)
        return member

    def __str__(self) -> str:
        return str(self.value)

    def __lt__(self, other: str) -> bool:
        return self.rank < type(self)(other).rank

    def __le__(self, other: str) -> bool:
        return self.rank <= type(self)(other).rank

    def __gt__(self, other: str) -> bool:
        return self.rank > type(self)(other).rank

    def __ge__(self, other: str) -> bool:
        return self.rank >= type(self)(other).rank


class Severity(Scale):
    """How much a finding matters. ``--strict`` fails on WARNING and above."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


class Fidelity(Scale):
    """How faithful the conversion of a fragment is, best first. User data is never dropped."""

    EXACT = "exact"
    REWRITTEN = "rewritten"
    APPROXIMATED = "approximated"
    CARRIED = "carried"


#: words of the tables of codes -> what they mean
_SEVERITIES: Final = {str(severity): severity for severity in Severity}
_FIDELITIES: Final = {str(fidelity): fidelity for fidelity in Fidelity}
#: fidelity -> what it means for a document
MEANINGS: Final = {
    str(Fidelity.EXACT): "the same",
    str(Fidelity.REWRITTEN): "the same, in another form",
    str(Fidelity.APPROXIMATED): "may differ, as the findings describe",
    str(Fidelity.CARRIED): "something has no counterpart",
}


class Span(NamedTuple):
    """A place in a source file; line and column count from 1."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


class Elsewhere(NamedTuple):
    """A step of a path that leads out of the document, behind the steps to the import. ``file``: the imported file, as
    findings call it; ``path``: the entry there; ``locate``: yields line and column of an entry of that file."""

    file: str
    path: tuple[Any, ...]
    locate: Callable[[tuple[Any, ...]], tuple[int, int]]

    def __str__(self) -> str:
        return ".".join(map(str, self.path))

    def __repr__(self) -> str:  # without an address, which is another one in each process
        return f"Elsewhere({self.file!r}, {self.path!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Elsewhere) and (self.file, self.path) == (other.file, other.path)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash((self.file, self.path))


class Cause(NamedTuple):
    """The finding that another one follows from."""

    code: str
    file: str
    line: int
    column: int


class Diagnostic(NamedTuple):
    """One finding. ``path`` is the place in the user's own keys; ``secrets``: what is masked where the line is quoted
    (in the texts it is already); ``follows``: the node whose finding this one follows from, "" for none; ``cause``:
    that finding (see :mod:`bpconvert.diagnostics.folding`); ``note``: a comment for the result, about the input that
    ``asks`` names, else about what the place became; ``step``: what a person has to do, the same for others that one
    step settles; ``importer``: the document that imports the file, "" for what is in the document itself."""

    code: str
    severity: Severity
    fidelity: Fidelity
    message: str
    span: Span
    path: tuple[Any, ...] = ()
    hint: str = ""
    secrets: Secrets | None = None
    follows: str = ""
    cause: Cause | None = None
    note: str = ""
    asks: str = ""
    step: str = ""
    importer: str = ""

    def __str__(self) -> str:
        return f"{self.span}: {self.severity} {self.code} {self.message}"

    @property
    def file(self) -> str:
        """The name of the file that it is about."""
        return self.span.file

    @property
    def document(self) -> str:
        """The name of the document that it is about, which may import the file."""
        return self.importer or self.span.file

    @property
    def line(self) -> int:
        """The line, from 1."""
        return self.span.line

    @property
    def column(self) -> int:
        """The column, from 1."""
        return self.span.column

    def masked(self) -> Diagnostic:
        """The same without what has become known to be secret since."""
        secrets = self.secrets
        if secrets is None or secrets.are_none:
            return self
        place = self.span.file, self.span.line
        message, hint, note = (secrets.masked(text, place) for text in (self.message, self.hint, self.note))
        if message is self.message and hint is self.hint and note is self.note:
            return self
        return self._replace(message=message, hint=hint, note=note)

    def as_dict(self) -> dict[str, Any]:
        """Plain data for the JSON report, under the names that the attributes have."""
        return {
            "code": self.code,
            "severity": str(self.severity),
            "fidelity": str(self.fidelity),
            "message": self.message,
            **self.span._asdict(),
            "path": list(self.path),
            "hint": self.hint,
            "cause": None if self.cause is None else self.cause._asdict(),
        }


def diagnostic(
    code: str,
    span: Span,
    path: tuple[Any, ...] = (),
    words: Mapping[str, Any] | None = None,
    engines: tuple[str, str] | None = None,
    secrets: Secrets | None = None,
) -> Diagnostic:
    """The finding ``code`` at a place; ``words`` and the names of the ``engines`` fill its message and hint, in which
    the ``secrets`` are masked."""
    entry: Code = CODES[code]
    values = words or {}
    message, hint, note = entry.texts(values, engines)
    severity, fidelity = _SEVERITIES[entry.severity], _FIDELITIES[entry.fidelity]
    follows = str(values.get(entry.follows, "")) if entry.follows else ""
    asks = str(values.get(entry.asks, "")) if note and entry.asks else ""
    step = f"{code} {entry.step.format(**values)}" if entry.step else ""
    finding = Diagnostic(code, severity, fidelity, message, span, path, hint, secrets, follows, None, note, asks, step)
    return finding.masked()


class BpconvertError(Exception):
    """Base of the errors that this package raises. ``diagnostics``: where and why, empty where no document is the
    cause."""

    diagnostics: Sequence[Diagnostic] = ()


class UsageError(BpconvertError, ValueError):
    """What is asked for cannot be done: an unknown option, a place that is taken. Nothing has been written."""


class DocumentError(BpconvertError):
    """A document is the cause. ``diagnostic``: the first of the ``diagnostics``."""

    def __init__(self, diagnostic: Diagnostic, *more: Diagnostic) -> None:
        super().__init__("\n".join(map(str, (diagnostic, *more))))
        self.diagnostic = diagnostic
        self.diagnostics = [diagnostic, *more]


class SourceError(DocumentError):
    """The source cannot be read: no YAML, not a template of the dialect."""


def in_one_line(error: BaseException) -> str:
    """An error that no input should cause: its class and text."""
    return " ".join(f"{type(error).__name__}: {error}".split())


class EvaluationError(DocumentError):
    """The engine would refuse to compute this value, or something that it needs is not given."""


#: what a text has that suggests a name (:func:`~bpconvert.diagnostics.suggest.guess`)
GUESS: Final = "did you mean"
#: what engines refuse whatever is given, found by the check of a language
CERTAIN: Final = frozenset({"BPC170", "BPC171", "BPC172", "BPC173", "BPC174", "BPC178", "BPC182", "BPC183"})


class Locator(Protocol):
    """A document, as far as diagnostics need it: its name, and where its entries stand."""

    name: str

    def locate(self, path: tuple[Any, ...]) -> tuple[int, int]:
        """Line and column, from 1, of the entry at ``path``, or of the longest part of the path that is there."""


class Reporter:
    """Collects the diagnostics of one document, which ``locator`` knows the places of. ``engines``: the names of those
    that source and target are for, where they are known. ``of_names``: only errors are wanted that suggest a name, and
    those of :data:`CERTAIN` codes; a check may leave out what finds no such error."""

    def __init__(
        self,
        locator: Locator,
        diagnostics: list[Diagnostic] | None = None,
        engines: tuple[str, str] | None = None,
        of_names: bool = False,
    ) -> None:
        self.locator = locator
        self.diagnostics: list[Diagnostic] = [] if diagnostics is None else diagnostics
        self.engines = engines
        self.of_names = of_names
        #: place -> others where the same value stands, which is written once for all of them
        self.shared: dict[tuple[Any, ...], list[tuple[Any, ...]]] = {}
        self._seen: set[Any] = set()

    def report(self, code: str, path: tuple[Any, ...] = (), **texts: Any) -> None:
        """Record ``code`` at ``path`` of the document, and at the places that share its value; ``texts`` fill the
        code's message and hint.

        The same code with the same message at the same place is recorded once."""
        if self.of_names and code not in CERTAIN and not any(GUESS in str(text) for text in texts.values()):
            return
        for place in (path, *self.shared.get(path, ())):
            self.record(self.build(code, place, **texts))

    def record(self, finding: Diagnostic) -> None:
        """Record a finished diagnostic, once."""
        key = (finding.code, finding.span, finding.path, finding.message)
        if key not in self._seen:
            self._seen.add(key)
            self.diagnostics.append(finding)

    def in_order(self) -> list[Diagnostic]:
        """The diagnostics in the order of their places."""
        return sorted(self.diagnostics, key=lambda finding: (finding.span.line, finding.span.column, finding.code))

    def build(self, code: str, path: tuple[Any, ...] = (), **texts: Any) -> Diagnostic:
        """The diagnostic that :meth:`report` would record."""
        secrets = getattr(self.locator, "secrets", None)
        step: Elsewhere | None = None
        while Elsewhere in map(type, path):
            outside = [index for index, part in enumerate(path) if type(part) is Elsewhere]
            step = path[outside[-1]]
            path = (*step.path, *path[outside[-1] + 1 :])
        file, locate = (self.locator.name, self.locator.locate) if step is None else (step.file, step.locate)
        finding = diagnostic(code, Span(file, *locate(path)), path, texts, self.engines, secrets)
        return finding if step is None else finding._replace(importer=self.locator.name)
