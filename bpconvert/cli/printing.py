"""Printing what a run finds: document by document, or tables of many."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from bpconvert.cli.command import not_for_runners, print_message
from bpconvert.cli.formatters import TextFormatter
from bpconvert.diagnostics.shown import printable

if TYPE_CHECKING:
    import argparse

    from bpconvert.cli.files import File

#: seconds between two lines of progress
_OFTEN: Final = 0.1


class Progress:
    """A line on a terminal that shows how far a run is: the documents that are done, of how many, and the one that
    follows. Nothing of it stays; elsewhere, for a single document, and where only errors are wanted there is none."""

    def __init__(self, documents: int, is_quiet: bool) -> None:
        is_terminal = sys.stderr is not None and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
        self._is_shown = documents > 1 and is_terminal and not is_quiet and not os.environ.get("CI")
        self._documents = documents
        self._done = 0
        self._last = 0.0
        self._is_there = False

    def show(self, name: str) -> None:
        """Show that the document ``name`` follows; not more often than can be read."""
        now = time.monotonic()
        if self._is_shown and (self._last == 0 or now - self._last > _OFTEN):
            self._last = now
            self._is_there = True
            columns = os.get_terminal_size(sys.stderr.fileno()).columns or 80
            text = printable(f"{self._done} of {self._documents} done: {name}")
            print_message(f"\r{text[: max(columns - 1, 0)]}\x1b[K", end="")
            sys.stderr.flush()
        self._done += 1

    def clear(self) -> None:
        """Take the line away, before anything else is printed."""
        if self._is_there:
            self._is_there = False
            print_message("\r\x1b[K", end="")
            sys.stderr.flush()


class Printer:
    """Prints the findings of one document after the other. ``is_tree``: tables of many in place of single findings,
    unless all of them, or lines for a program, are asked for. ``write``: prints text."""

    def __init__(
        self, arguments: argparse.Namespace, messages: TextFormatter, is_tree: bool, write: Callable[[str], None]
    ) -> None:
        from bpconvert.cli.formats import COMMANDS, LINES, REPORTS, chosen

        name = chosen(arguments, os.environ)
        self._format = LINES.get(name, messages.format)
        self._least = messages.least
        self._write = write
        self._commands = name in COMMANDS
        self._is_report = name in REPORTS
        self._statistics: bool = arguments.statistics and not self._is_report
        self._tables = is_tree and name == "text" and not self._statistics
        self._singly = not self._statistics and not self._is_report and (arguments.verbose or not self._tables)
        self._files: list[File] = []
        self._problems: list[str] = []

    def print_file(self, file: File, problems: Sequence[str]) -> None:
        """Print the findings of a document; ``problems``: what else is to be known about it."""
        self._files.append(file)
        lines = [printable(f"{file.name}: {problem}") for problem in problems]
        if not self._singly:
            self._problems += lines
            return
        text = self._format([item for item in file.findings if item.severity >= self._least])
        if text:
            self._write(text if self._commands else not_for_runners(text))
        for line in lines:
            print_message(line)

    def all(self) -> None:
        """Print what is about all documents."""
        text = ""
        if self._statistics:
            from bpconvert.cli.formats import statistics

            text = statistics(item for file in self._files for item in file.findings if item.severity >= self._least)
        elif self._tables:
            from bpconvert.cli.overview import overview

            text = overview(self._files, self._least)
        if text:
            self._write(not_for_runners(text))
        for line in self._problems:
            print_message(line)
