"""The command line: which commands there are, and what their end means.

A command is a module with a ``COMMAND``, in :data:`MODULES`, or a conversion between two languages
(:mod:`bpconvert.cli.convert`). A module is imported when its command is called, the converter only once there is
something to convert."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib import import_module
from typing import Any, Final, NoReturn

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
    help_formatter,
    print_message,
    unexpected,
    usage,
)
from bpconvert.cli.configuration import configured, take_configuration

__all__ = ["CLOSED_PIPE", "FAILED", "FINDINGS", "INTERRUPTED", "OK", "commands", "finish", "main"]

#: the modules of this folder that are a command of the same name
MODULES = ("adopt", "roundtrip", "verify", "check", "graph", "types", "serve", "explain", "completion", "lsp")

#: title in the overview -> the modules below it; the conversions are below the first one
_GROUPS: Final[dict[str, tuple[str, ...]]] = {
    "convert": ("adopt",),
    "check and compare": ("check", "verify", "roundtrip"),
    "look up": ("explain", "types", "graph"),
    "other commands": (),
}
#: commands of which the overview has an example
_SHOWN: Final = ("hot2cfy", "cfy2hot", "tosca2hot", "check", "verify", "graph", "types", "explain")


def commands() -> dict[str, Callable[[], Command]]:
    """Name of a command -> what loads it: first the conversions between any two languages."""
    from bpconvert.cli import convert

    return {**convert.commands(), **{name: partial(_load, name) for name in MODULES}}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code. ``arguments``: without the program's name; None: the process's own."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        command = _command(words[0]) if words else None
        if command is not None:
            parser = parser_of(words[0], command)
            chosen = _parsed(parser, words[1:])
            settings = configured(parser, chosen, _parsers)
            if settings is None:
                return FAILED
            return command.run(_parsed(parser, words[1:]) if settings else chosen)
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
        print_message(f"bpconvert: error: cannot write: {error.strerror or error}")
        return FAILED
    except Exception as error:
        print_message(f"bpconvert: error: {unexpected(error)}")
        return FAILED


def finish(code: int) -> int:
    """Flush what is left; a reader that has gone away is no reason for a message."""
    try:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
    except BrokenPipeError:
        return close_quietly()
    except OSError as error:
        print_message(f"bpconvert: error: cannot write: {error.strerror}")
        return FAILED
    return code


def _command(name: str) -> Command | None:
    """The command of that name; None where there is none."""
    if name in MODULES:
        return _load(name)
    load = commands().get(name)
    return load() if load is not None else None


def _parsed(parser: argparse.ArgumentParser, words: Sequence[str]) -> argparse.Namespace:
    chosen, extra = parser.parse_known_args(words)
    return parser.parse_intermixed_args(words) if extra else chosen  # the slow one if need be


def _parsers() -> Iterator[argparse.ArgumentParser]:
    """The parsers of all commands."""
    return (parser_of(name, load()) for name, load in commands().items())


def _load(name: str) -> Command:
    command: Command = import_module(f"bpconvert.cli.{name}").COMMAND
    return command


class _Parser(argparse.ArgumentParser):
    """Reports what is wrong first, then two lines of usage; and which option or word was probably meant by one that it
    does not know (as argparse of Python 3.14 does)."""

    words: Sequence[str] = ()

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:
        self.words = args or ()
        return super().parse_known_args(args, namespace)

    def error(self, message: str) -> NoReturn:
        unknown = self._unknown()
        if unknown is not None and "are required" in message:  # because of it, perhaps
            message = f"unrecognized arguments: {unknown}"
        match = re.search(r"unrecognized arguments: (-[^\s=]*)|invalid choice: '([^']*)' \(choose from (.*)\)", message)
        if match is not None:
            from bpconvert.diagnostics.suggest import guess

            choices = self._option_string_actions if match[1] else [word.strip(" '") for word in match[3].split(",")]
            message += guess(match[1] or match[2], choices)
        print_message(f"{self.prog}: error: {message}")
        print_message(f"usage: {self.usage or usage(self)}")
        print_message(f"       '{self.prog} --help' lists the options")
        raise SystemExit(FAILED)

    def _unknown(self) -> str | None:
        """The first word that looks like an option and is none."""
        options = self._option_string_actions
        words = (word.partition("=")[0] for word in self.words if word.startswith("--") and len(word) > 2)
        return next((word for word in words if not any(option.startswith(word) for option in options)), None)


def _overview() -> argparse.ArgumentParser:
    table = {name: load() for name, load in commands().items()}
    groups = dict.fromkeys(_GROUPS, "")
    for name, command in table.items():
        others = "other commands" if name in MODULES else "convert"
        title = next((title for title, names in _GROUPS.items() if name in names), others)
        groups[title] += f"\n  {name:<11}{command.summary}"
    rows = "\n\n".join(f"{title}:{lines}" for title, lines in groups.items())
    examples = "\n".join(table[name].examples.splitlines()[0] for name in _SHOWN)
    more = "'bpconvert COMMAND --help' lists the options"
    parser = _Parser(
        prog="bpconvert",
        description="Converts between orchestration languages. Nothing is lost silently: every rewrite that is not\n"
        "exact is reported with its place, and the result keeps its source, so that round trips are lossless.",
        epilog=f"{rows}\n\nexamples:\n{examples}\n\n{more} and more examples; {EXIT_CODES}",
        formatter_class=help_formatter,
    )
    parser.add_argument("-V", "--version", action="version", version=f"bpconvert {__version__}")
    parser.add_argument("command", choices=list(table), metavar="COMMAND", help="see below")
    parser.usage = "bpconvert COMMAND [options]"
    return parser


def whole_parser() -> argparse.ArgumentParser:
    """One parser with all commands, for what is made of their arguments."""
    parser = argparse.ArgumentParser(prog="bpconvert", add_help=True)
    parser.add_argument("-V", "--version", action="version", version=__version__, help="print the version")
    subparsers = parser.add_subparsers()
    for name, load in commands().items():
        command = load()
        subparser = subparsers.add_parser(name, help=command.summary, description=command.summary)
        command.arguments(subparser)
        take_configuration(subparser)
    return parser


def parser_of(name: str, command: Command) -> argparse.ArgumentParser:
    """The parser of one command, with its help and the options about the configuration."""
    parser = _Parser(
        prog=f"bpconvert {name}",
        description=command.summary,
        epilog=f"examples:\n{command.examples}\n\n{command.exit_codes}",
        formatter_class=help_formatter,
    )
    command.arguments(parser)
    take_configuration(parser)
    parser.usage = usage(parser)
    return parser
