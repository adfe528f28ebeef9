"""How findings look on a terminal."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TextIO

from bpconvert.diagnostics import Diagnostic, Severity
from bpconvert.diagnostics.codes import CODES
from bpconvert.diagnostics.folding import Group, fold, names
from bpconvert.diagnostics.shown import printable

#: what a YAML scanner counts as the end of a line
_LINE_BREAK = "\r\n|[\n\r\x85\u2028\u2029]"
_COLORS = {"error": "1;31", "warning": "1;33", "info": "36", "place": "1", "caret": "32", "hint": "2"}
#: source lines longer than this are shown around the place only
_WIDTH = 120
#: how many of the places of one finding are shown
_PLACES = 4


def use_color(choice: str, stream: TextIO, environment: Mapping[str, str]) -> bool:
    """Whether to colour ``stream``. ``choice`` is ``always``, ``never`` or ``auto``.

    ``auto`` follows NO_COLOR, FORCE_COLOR, CLICOLOR_FORCE and TERM (see no-color.org), then whether the stream is a
    terminal."""
    if choice != "auto":
        return choice == "always"
    if environment.get("NO_COLOR"):
        return False
    if any(environment.get(name, "0") not in ("", "0") for name in ("FORCE_COLOR", "CLICOLOR_FORCE")):
        return True
    return environment.get("TERM") != "dumb" and stream.isatty()


class TextFormatter:
    """Diagnostics as text: ``file:line:column: severity CODE message``, the source line with a caret, and the hint.
    What is the same at other places, and what follows from it, is only counted with it, unless all is ``explain``ed.

    ``least``: less severe findings are left out. ``explain``: add the explanation of each code, at its first finding.
    ``texts``: documents that are not files (name -> text); all others are read from where they are."""

    def __init__(
        self,
        color: bool = False,
        least: Severity = Severity.WARNING,
        explain: bool = False,
        texts: dict[str, str] | None = None,
    ) -> None:
        self.color = color
        self.least = least
        self.explain = explain
        self.texts = texts or {}
        self._lines: dict[str, list[str]] = {}
        self._explained: set[str] = set()

    def format(self, findings: Iterable[Diagnostic]) -> str:
        """The text of all findings that are severe enough; "" when there are none."""
        groups = fold(list(findings))
        return "".join(self._group(group) for group in groups if group.first.severity >= self.least)

    def _group(self, group: Group) -> str:
        item = group.first
        severity = str(item.severity)
        place, kind = self._paint("place", printable(f"{item.span}:")), self._paint(severity, f"{severity} {item.code}")
        lines = [f"{place} {kind} {printable(item.message)}", *self._excerpt(item)]
        if item.hint:
            lines.append(f"    {self._paint('hint', 'hint:')} {printable(item.hint)}")
        if self.explain and item.code in CODES and item.code not in self._explained:
            self._explained.add(item.code)
            lines.append(f"    {self._paint('hint', 'why:')} {CODES[item.code].explanation}")
        more = self._members(group) if self.explain else _counted(group)
        return "".join(f"{line}\n" for line in [*lines, *more])

    def _members(self, group: Group) -> list[str]:
        """A line for each further finding of a group."""
        kinds = (("also:", group.also), ("follows:", group.follows))
        return [
            f"    {self._paint('hint', kind)} {printable(f'{item.span}: {item.severity} {item.code} {item.message}')}"
            for kind, items in kinds
            for item in items
        ]

    def _excerpt(self, item: Diagnostic) -> list[str]:
        lines = self._source(item.span.file)
        if not 1 <= item.span.line <= len(lines):
            return []
        line = lines[item.span.line - 1].rstrip()
        if not line:
            return []
        column = min(max(item.span.column - 1, 0), len(line))
        if item.secrets is not None:
            line, column = item.secrets.masked_at(line, column, (item.span.file, item.span.line))
        start = max(0, column - _WIDTH // 2) if len(line) > _WIDTH else 0
        before, after = printable(line[start:column]), printable(line[column : start + _WIDTH])
        indent = "".join(character if character == "\t" else " " * _cells(character) for character in before)
        return [f"    {before}{after}", f"    {indent}{self._paint('caret', '^')}"]

    def _source(self, name: str) -> list[str]:
        """The lines of a document; none when it cannot be read (again)."""
        if name not in self._lines:
            text = self.texts.get(name)
            if text is None:
                try:
                    text = Path(name).read_bytes().decode("utf-8-sig", "replace")
                except (OSError, ValueError):
                    text = None
            is_text = text is not None and "\0" not in text  # an archive, for example
            self._lines[name] = re.split(_LINE_BREAK, text) if text is not None and is_text else []
        return self._lines[name]

    def _paint(self, role: str, text: str) -> str:
        return f"\x1b[{_COLORS[role]}m{text}\x1b[0m" if self.color else text


def _counted(group: Group) -> list[str]:
    """What a group has besides its first finding, in few words."""
    lines = []
    if group.also:
        own = names(group.first)
        others = [(item.span.line, names(item)) for item in group.also]
        shown = [f"line {line}" + (f" ({words})" if words != own else "") for line, words in others]
        more = len(shown) - _PLACES
        lines.append(f"    also: {printable(', '.join(shown[:_PLACES]))}" + (f" and {more} more" if more > 0 else ""))
    if group.follows:
        number = len(group.follows)
        lines.append(f"    and {number} finding{'s that follow' if number > 1 else ' that follows'} (-v shows all)")
    return lines


def _cells(character: str) -> int:
    """How many columns of a terminal the character takes."""
    if character.isascii():
        return 1
    import unicodedata

    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
