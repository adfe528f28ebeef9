"""The command that converts there and back: ``roundtrip``."""

from __future__ import annotations

import argparse
import os

from bpconvert.cli.command import (
    FAILED,
    FAILURES,
    FINDINGS,
    OK,
    Command,
    count,
    formatter,
    internal,
    print_message,
    read_types,
    take_types,
    write_stdout,
)


def _arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("inputs", nargs="+", metavar="INPUT", help="file, or directory (searched for templates of every language)")
    add("--no-carry", dest="carry", action="store_false", help="compare plain translations, without carried sources")
    add("--allow-outside", action="store_true", help="read files outside the template's folder")
    add("-q", "--quiet", action="store_true", help="print differences and errors only")
    add("--color", choices=["auto", "always", "never"], default="auto", help="colour the messages (default: auto)")
    take_types(parser)
    parser.set_defaults(verbose=False)


def _run(arguments: argparse.Namespace) -> int:
    from bpconvert.batch import UsageError, describe, find
    from bpconvert.diagnostics import BpconvertError, in_one_line
    from bpconvert.options import Options
    from bpconvert.roundtrips import lines, roundtrip
    from bpconvert.translators.dialects import DIALECTS

    try:
        paths = find(arguments.inputs, [dialect.marker for dialect in DIALECTS.values()])
    except UsageError as error:
        print_message(f"bpconvert roundtrip: error: {error}")
        return FAILED
    options = Options(carry=arguments.carry, allow_outside=arguments.allow_outside, types=tuple(arguments.types))
    messages = formatter(arguments)
    if not read_types(arguments, messages):
        return FAILED
    counts = {"identical": 0, "same content": 0, "different": 0, "failed": 0}
    for path in paths:
        verdict, found = "failed", []
        try:
            trip = roundtrip(path, options=options)
            found = lines(trip.differences)
            verdict = "different" if found else "identical" if trip.is_identical else "same content"
        except BpconvertError as error:
            print_message(messages.format(error.diagnostics), end="")
        except OSError as error:
            print_message(f"{path}: error: {describe(error)}")
        except Exception as error:
            if os.environ.get("BPCONVERT_DEBUG"):
                raise
            print_message(f"{path}: error: {internal(in_one_line(error))}")
        if found or (verdict != "failed" and not arguments.quiet):
            write_stdout("".join([f"{path}: {verdict}\n", *(f"  {line}\n" for line in found)]))
        counts[verdict] += 1
    if len(paths) > 1 and not arguments.quiet:
        verdicts = ", ".join(f"{number} {what}" for what, number in counts.items())
        print_message(f"bpconvert: {count(len(paths), 'template')}: {verdicts}")
    return FAILED if counts["failed"] else FINDINGS if counts["different"] else OK


COMMAND = Command(
    "convert there and back, print the differences; exit code 1 if there are any",
    "  bpconvert roundtrip app.yaml",
    _arguments,
    _run,
    f"exit codes: 0 the same content; 1 differences; {FAILURES}",
)
