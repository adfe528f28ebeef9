"""What the commands of the command line share: their shape, exit codes, and how they print."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from bpconvert.models.light import NamedTuple

if TYPE_CHECKING:
    from bpconvert.cli.formatters import TextFormatter

T = TypeVar("T")
OK, FINDINGS, FAILED = 0, 1, 2
#: as a shell reports a process that ended by SIGINT or SIGPIPE
INTERRUPTED, CLOSED_PIPE = 130, 141

#: titles of the groups of options that several commands have
READING, VALUES, RESULTS, FINDINGS_GROUP = "what is read", "values and mappings", "results", "findings"

FAILURES = "2 wrong usage, unreadable input, or a file that failed"
EXIT_CODES = f"exit codes: 0 done; 1 findings, with --strict; {FAILURES}"


class Command(NamedTuple):
    """A subcommand: its line in the overview, its arguments, and what it does with them (returns the exit code)."""

    summary: str
    examples: str
    arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]
    exit_codes: str = EXIT_CODES


def help_formatter(prog: str) -> argparse.HelpFormatter:
    """Help as wide as the terminal; without shutil, which argparse would import for that, and all that it imports."""
    return argparse.RawDescriptionHelpFormatter(prog, width=(columns_of(1) or 80) - 2)


def columns_of(stream: int) -> int:
    """How wide the terminal is that a stream is; 0 where it is none."""
    try:
        return int(os.environ.get("COLUMNS") or 0) or os.get_terminal_size(stream).columns
    except (OSError, ValueError):
        return 0


def formatter(arguments: argparse.Namespace) -> TextFormatter:
    """The formatter that ``--color``, ``--quiet`` and ``--verbose`` ask for."""
    from bpconvert.cli.formatters import TextFormatter, use_color
    from bpconvert.diagnostics import Severity

    least = Severity.ERROR if arguments.quiet else Severity.INFO if arguments.verbose else Severity.WARNING
    return TextFormatter(use_color(arguments.color, sys.stderr, os.environ), least, arguments.verbose)


def count(number: int, noun: str) -> str:
    """``1 template``, ``2 templates``."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def internal(error: str) -> str:
    """The message for an error that no input should cause."""
    return f"internal error: {error} (please report this with the template; BPCONVERT_DEBUG=1 shows where)"


def print_message(text: str, end: str = "\n") -> None:
    """Print a line on standard error, where there is one; nothing for an empty text. With another ``end`` the text is
    printed as it is."""
    if end == "\n" and not (text.isprintable() and text.isascii()):
        from bpconvert.diagnostics.shown import printable

        text = printable(text)
    if text and sys.stderr is not None:
        print(not_for_runners(text) if end == "\n" else text, end=end, file=sys.stderr)


def not_for_runners(text: str) -> str:
    """A text that names files or quotes documents, as it is printed: in workflows of GitHub and Azure a line of it is
    no command."""
    if os.environ.get("GITHUB_ACTIONS") != "true" and not os.environ.get("TF_BUILD"):
        return text
    from bpconvert.diagnostics.shown import no_commands

    return no_commands(text)


def group_of(parser: argparse.ArgumentParser, title: str) -> argparse._ArgumentGroup:
    """The group of options with that title; a new one where the parser has none yet."""
    groups = (group for group in parser._action_groups if group.title == title)
    return next(groups, None) or parser.add_argument_group(title)


def usage(parser: argparse.ArgumentParser) -> str:
    """The line of usage, with the options counted out: ``bpconvert check [options] INPUT [INPUT ...]``."""
    forms = {"": "{0}", "?": "[{0}]", "*": "[{0} ...]", "+": "{0} [{0} ...]"}
    operands = [action for action in parser._actions if not action.option_strings]
    needed = [action for action in parser._actions if action.option_strings and action.required]
    values = (action.metavar or "|".join(map(str, action.choices or ())) for action in needed)
    words = [f"{action.option_strings[0]} {value}" for action, value in zip(needed, values, strict=True)]
    words += [forms[str(operand.nargs or "")].format(operand.metavar) for operand in operands]
    return " ".join([parser.prog, "[options]", *words])


def take_places(parser: argparse.ArgumentParser, document: str) -> None:
    """Add ``--stdin-filename`` and ``--allow-outside``. ``document``: what the command calls its input."""
    add = group_of(parser, READING).add_argument
    add("--stdin-filename", metavar="NAME", help="the name of standard input; files are looked for beside it")
    add("--allow-outside", action="store_true", help=f"read files outside the {document}'s folder")


def take_looks(parser: argparse.ArgumentParser, quiet: str, verbose: str = "") -> None:
    """Add ``--quiet``, ``--verbose`` (where it is said what it prints) and ``--color``."""
    loudness = parser.add_mutually_exclusive_group() if verbose else parser
    loudness.add_argument("-q", "--quiet", action="store_true", help=quiet)
    if verbose:
        loudness.add_argument("-v", "--verbose", action="store_true", help=verbose)
    text = "colour the messages (default: auto)"
    parser.add_argument("--color", choices=["auto", "always", "never"], default="auto", help=text)


def take_types(parser: argparse.ArgumentParser) -> None:
    """Add ``--types``, for every command that uses the catalogue of types."""
    text = "your own mappings of types, merged over the built-in ones (may be repeated; see docs/catalogue.md)"
    group_of(parser, VALUES).add_argument("--types", metavar="FILE", action="append", default=[], help=text)


def take_maps(parser: argparse.ArgumentParser) -> None:
    """Add ``--map``, for every command that reads the files that documents name."""
    text = "read URLs that begin with URL from this directory, a checkout of them (may be repeated)"
    add = group_of(parser, READING).add_argument
    add("--map", dest="maps", metavar="URL=DIR", type=_map, action="append", default=[], help=text)


def _map(text: str) -> tuple[str, str]:
    from bpconvert.urls import wrong_maps

    url, separator, folder = text.rpartition("=")
    if not separator:
        raise argparse.ArgumentTypeError(f"{text!r} is not URL=DIR")
    problem = wrong_maps([(url, folder)])
    if problem is not None:
        raise argparse.ArgumentTypeError(problem)
    return url, folder


def take_environments(parser: argparse.ArgumentParser, meaning: str) -> None:
    """Add ``-e``, for every command that reads documents of a language that has environment files."""
    text = f"Heat environment file: {meaning} (may be repeated)"
    group_of(parser, VALUES).add_argument(
        "-e", "--environment", dest="environments", metavar="FILE", action="append", default=[], help=text
    )


def reading(arguments: argparse.Namespace) -> dict[str, Any]:
    """What the options say of what is read beside a document, as functions of the library take it."""
    return {name: getattr(arguments, name) for name in ("environments", "types", "allow_outside", "maps")}


def read_types(arguments: argparse.Namespace, messages: TextFormatter) -> bool:
    """Read the files of ``--types``; False, with all their errors reported, where they cannot be used."""
    if not arguments.types:
        return True
    from bpconvert.translators.dialects import catalogue

    return attempt(partial(catalogue, arguments.types), messages, "bpconvert") is not None


def attempt(run: Callable[[], T], messages: TextFormatter, who: str) -> T | None:
    """What ``run`` returns; None, with all errors reported, where it fails. ``who``: begins a message that has no
    place in a document."""
    from bpconvert.batch import describe
    from bpconvert.diagnostics import BpconvertError, DocumentError

    try:
        return run()
    except DocumentError as error:
        print_message(not_for_runners(messages.format(error.diagnostics)), end="")
    except BpconvertError as error:
        print_message(f"{who}: error: {error}")
    except OSError as error:
        print_message(f"{who}: error: {describe(error)}")
    except Exception as error:
        print_message(f"{who}: error: {unexpected(error)}")
    return None


def unexpected(error: Exception) -> str:
    """The message for an error that no input should cause; with BPCONVERT_DEBUG it is raised."""
    if os.environ.get("BPCONVERT_DEBUG"):
        raise error
    if isinstance(error, ModuleNotFoundError) and error.name and error.name.partition(".")[0] != "bpconvert":
        return f"the package {error.name!r} is not installed (in a checkout: pip install .)"
    from bpconvert.diagnostics import in_one_line

    return internal(in_one_line(error))


def read_stdin(texts: dict[str, str], name: str) -> bytes:
    """All of standard input, which is put into ``texts`` as the document ``name``. Raises OSError."""
    if sys.stdin is None:
        raise OSError("standard input is closed")
    document = sys.stdin.buffer.read()
    texts[name] = document.decode("utf-8-sig", "replace")
    return document


def write_stdout(text: str | bytes) -> None:
    """Write bytes, or a text as UTF-8, whatever the locale says. Raises OSError where standard output is closed."""
    if sys.stdout is None:
        raise OSError("standard output is closed")
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode() if isinstance(text, str) else text)
    sys.stdout.flush()


def close_quietly() -> int:
    """Nobody reads standard output any more: let later flushes go nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return CLOSED_PIPE
