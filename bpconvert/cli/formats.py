"""``--format`` and ``--statistics``: findings as lines of their own, for people, editors and CI."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import argparse

    from bpconvert.diagnostics import Diagnostic

#: severity -> the command of GitHub's workflows
_ANNOTATIONS: Final = {"info": "notice", "warning": "warning", "error": "error"}


def concise(findings: Iterable[Diagnostic]) -> str:
    """One line for each finding: ``path:line:column: CODE message``."""
    from bpconvert.diagnostics.shown import printable

    return "".join(f"{printable(f'{item.span}: {item.code} {_line(item.message)}')}\n" for item in findings)


def github(findings: Iterable[Diagnostic]) -> str:
    """Annotations of GitHub: commands of its workflows, one line each."""
    return "".join(map(_annotation, findings))


def _annotation(item: Diagnostic) -> str:
    from bpconvert.diagnostics.codes import CODES

    words = {
        "file": item.span.file,
        "line": item.span.line,
        "col": item.span.column,
        "title": f"{item.code} {CODES[item.code].title}" if item.code in CODES else item.code,
    }
    head = ",".join(f"{name}={_escaped(str(word), ',:')}" for name, word in words.items())
    text = item.message + (f"\n{item.hint}" if item.hint else "")
    return f"::{_ANNOTATIONS[str(item.severity)]} {head}::{_escaped(text)}\n"


def _escaped(text: str, more: str = "") -> str:
    """A text in a command: its own percent signs and line breaks, and in a property also ``more``, are codes."""
    shown = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    for character in more:
        shown = shown.replace(character, f"%{ord(character):02X}")
    return "".join(c if c.isprintable() else "\ufffd" for c in shown)


def statistics(findings: Iterable[Diagnostic]) -> str:
    """One line for each code: how many findings, severity and title; the commonest first."""
    from bpconvert.diagnostics.codes import CODES

    counts = Counter((item.code, item.severity) for item in findings)
    rows = sorted(counts.items(), key=lambda row: (-row[1], row[0]))
    width = len(str(max(counts.values(), default=0)))
    return "".join(
        f"{number:{width}}  {code}  {severity!s:<7}  {CODES[code].title}\n" for (code, severity), number in rows
    )


def _line(text: str) -> str:
    return " ".join(text.split())


#: name -> findings as text, one independent of the others
LINES: Final[dict[str, Callable[[Iterable[Diagnostic]], str]]] = {"concise": concise, "github": github}
#: those of commands of a runner
COMMANDS: Final = frozenset({"github"})
#: name -> the ending of a report of that format, of which nothing is printed before the end
REPORTS: Final = {"json": ".json", "sarif": ".sarif"}


def chosen(arguments: argparse.Namespace, environment: Mapping[str, str]) -> str:
    """The format that ``--format`` names; without it, that of GitHub where its workflows run, else ``text``."""
    if arguments.format is not None:
        return str(arguments.format)
    return "github" if environment.get("GITHUB_ACTIONS") == "true" else "text"
