"""The manual page, made from the arguments of all commands."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from typing import NamedTuple

from bpconvert import __version__
from bpconvert.cli.main import commands


class Option(NamedTuple):
    """An argument: how it is written, and what it means."""

    form: str
    help: str


class Section(NamedTuple):
    """A command with its arguments and examples."""

    name: str
    summary: str
    options: list[Option]
    examples: list[str]
    exit_codes: str


def sections() -> Iterator[Section]:
    """All commands, in the order of the overview."""
    for name, load in commands().items():
        command = load()
        parser = argparse.ArgumentParser(prog=f"bpconvert {name}", add_help=False)
        command.arguments(parser)
        options = [Option(_form(action), (action.help or "") % vars(action)) for action in parser._actions]
        examples = [line.strip() for line in command.examples.splitlines()]
        yield Section(name, command.summary, options, examples, command.exit_codes)


def _form(action: argparse.Action) -> str:
    """``-o PLACE, --output PLACE`` with markup: options in bold, values in italics."""
    value = action.metavar or ("|".join(map(str, action.choices)) if action.choices else action.dest.upper())
    words = "" if action.nargs == 0 else rf"\fI{roff(str(value))}\fR"
    if not action.option_strings:
        return words
    return ", ".join(rf"\fB{roff(option)}\fR {words}".strip() for option in action.option_strings)


def roff(text: str) -> str:
    """Text for a manual page: nothing of it is taken for a request or an escape."""
    return re.sub(r"(?m)^([.'])", r"\\&\1", text.replace("\\", "\\e").replace("-", "\\-"))


def values() -> dict[str, object]:
    """What the template of the page is given."""
    return {"version": __version__, "sections": list(sections())}
