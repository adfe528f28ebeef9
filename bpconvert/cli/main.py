"""The command line: which commands there are, and what their end means. A command is one row of :data:`COMMANDS`.

A command's module is imported when it is called, the converter only once there is something to convert.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module

from bpconvert import __version__
from bpconvert.cli.command import (
    CLOSED_PIPE,
    EXIT_CODES,
    FAILED,
    FINDINGS,
    INTERRUPTED,
    OK,
    Command,
    close_quietly,
    internal,
    say,
)

__all__ = ["CLOSED_PIPE", "COMMANDS", "FAILED", "FINDINGS", "INTERRUPTED", "OK", "finish", "main"]

#: name of a command -> the module that has it, as the same name in capitals
COMMANDS = {
    "hot2cfy": "convert",
    "cfy2hot": "convert",
    "roundtrip": "roundtrip",
    "verify": "verify",
    "check": "check",
    "types": "types",
    "explain": "explain",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code. ``arguments``: without the program's name; None: the process's own."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        if words and words[0] in COMMANDS:
            command = _command(words[0])
            parser = _parser(words[0], command)
            chosen, rest = parser.parse_known_args(words[1:])
            return command.run(parser.parse_intermixed_args(words[1:]) if rest else chosen)  # the slow one if need be
        overview = _overview()
        if not words:
            overview.print_help(sys.stderr)
            return FAILED
        overview.parse_args(words)
        return OK
    except SystemExit as stop:  # argparse has printed help, version or what is wrong
        return stop.code if isinstance(stop.code, int) else FAILED
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        return close_quietly()
    except OSError as error:
        say(f"bpconvert: error: cannot write: {error.strerror or error}")
        return FAILED
    except Exception as error:
        if os.environ.get("BPCONVERT_DEBUG"):
            raise
        from bpconvert.diagnostics import in_one_line

        say(f"bpconvert: error: {internal(in_one_line(error))}")
        return FAILED


def finish(code: int) -> int:
    """Flush what is left; a reader that has gone away is no reason for a message."""
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except BrokenPipeError:
        return close_quietly()
    except OSError as error:
        say(f"bpconvert: error: cannot write: {error.strerror}")
        return FAILED
    return code


def _command(name: str) -> Command:
    command: Command = getattr(import_module(f"bpconvert.cli.{COMMANDS[name]}"), name.upper())
    return command


def _overview() -> argparse.ArgumentParser:
    commands = {name: _command(name) for name in COMMANDS}
    rows = "\n".join(f"  {name:<11}{command.summary}" for name, command in commands.items())
    examples = "\n".join(command.examples for command in commands.values())
    more = "'bpconvert COMMAND --help' tells the options"
    parser = argparse.ArgumentParser(
        prog="bpconvert",
        description="Converts between orchestration languages. Nothing is lost silently: every rewrite that is not\n"
        "exact is reported with its place, and the source travels along, so that it comes back as it was.",
        epilog=f"commands:\n{rows}\n\nexamples:\n{examples}\n\n{more}; {EXIT_CODES}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("-V", "--version", action="version", version=f"bpconvert {__version__}")
    parser.add_argument("command", choices=list(COMMANDS), metavar="COMMAND", help="see below")
    return parser


def _parser(name: str, command: Command) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=f"bpconvert {name}",
        description=command.summary,
        epilog=f"examples:\n{command.examples}\n\n{command.exit_codes}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.arguments(parser)
    return parser
