"""The command that prints a completion script for a shell: ``completion``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

from bpconvert.cli.command import FAILED, OK, Command, print_message, write_stdout

SHELLS = ("bash", "zsh", "tcsh")


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=SHELLS, help="the shell to write it for")


def _run(arguments: argparse.Namespace) -> int:
    from bpconvert.cli.main import whole_parser

    try:
        import shtab
    except ImportError:
        run = f"run {sys.executable} -m pip install 'shtab>=1.6'"
        print_message(f"bpconvert completion: error: shtab is not installed: {run}")
        return FAILED
    parser = whole_parser()
    for action in _values(parser):
        vars(action)["complete"] = shtab.FILE  # what shtab looks for
    write_stdout(shtab.complete(parser, shell=arguments.shell) + "\n")
    return OK


def _values(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """The arguments of a parser and of its commands that take any text: those are mostly files."""
    for action in parser._actions:
        if isinstance(action.choices, dict):
            for command in action.choices.values():
                yield from _values(command)
        elif not action.choices and action.nargs != 0:
            yield action


COMMAND = Command(
    "a script that completes commands and options in a shell (needs the package shtab)",
    '  eval "$(bpconvert completion bash)"\n'
    "  bpconvert completion zsh > ~/.zfunc/_bpconvert",
    _arguments,
    _run,
    "exit codes: 0 done; 2 wrong usage, or shtab is not installed",
)
