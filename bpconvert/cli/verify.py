"""The command that compares what two documents mean: ``verify``."""

from __future__ import annotations

import argparse
import os
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from bpconvert.cli import command as shared
from bpconvert.cli.parameters import read_params, take_params

if TYPE_CHECKING:
    from bpconvert.cli.differences import Comparison, Side
    from bpconvert.cli.formatters import TextFormatter
    from bpconvert.diagnostics import Diagnostic
    from bpconvert.options import Options
    from bpconvert.verification import Verification

_DRAWS: Final = 5
_LIMIT: Final = 20


def _arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("first", metavar="FIRST", help="document or directory, or - for standard input")
    text = "what it is compared with: of the same language or another one; of directories what has the same name"
    add("second", metavar="SECOND", help=text)
    take_params(parser, decided=False)
    text = f"how many times to draw values for the other inputs; 0: defaults only (default: {_DRAWS})"
    add("--draws", metavar="N", type=_number, default=_DRAWS, help=text)
    add("--seed", metavar="N", type=int, default=0, help="the same one draws the same values (default: 0)")
    add("--engines", action="store_true", help="let Heat and Cloudify compute the values (needs the extra 'engines')")
    text = "differences that the conversion of FIRST reports at their place do not count"
    add("--allow-reported", action="store_true", help=text)
    add("--allow-told", action="store_true", dest="allow_reported", help=argparse.SUPPRESS)  # its former name
    add("--baseline", metavar="FILE", help="differences in this file do not count")
    add("--write-baseline", metavar="FILE", help="write all differences of this run to a file")
    shared.take_environments(parser, "what types stand for")
    add("--format", choices=["text", "json"], default="text", help="how to print the differences (default: text)")
    text = f"print the first N differences only; 0: all (default: {_LIMIT})"
    add("--limit", metavar="N", type=_number, default=_LIMIT, help=text)
    text = "print whole values, all inputs, and what --allow-reported allows"
    shared.take_looks(parser, "print differences and errors only", text)
    shared.take_types(parser)
    add = shared.group_of(parser, shared.READING).add_argument
    add("--allow-outside", action="store_true", help="read files outside the documents' folders")
    shared.take_maps(parser)


def _number(text: str) -> int:
    if not text.isascii() or not text.isdigit():
        raise argparse.ArgumentTypeError(f"{text!r} is no number of 0 or more")
    return int(text)


def _run(arguments: argparse.Namespace) -> int:
    from bpconvert.batch import STDIN
    from bpconvert.cli.differences import Comparison
    from bpconvert.cli.verify_trees import Known
    from bpconvert.options import Options

    names = (arguments.first, arguments.second)
    if STDIN in names and (arguments.engines or names[0] == names[1]):
        problem = "is not for --engines: the engines read files" if arguments.engines else "can be one of them only"
        shared.print_message(f"bpconvert verify: error: '-' (standard input) {problem}")
        return shared.FAILED
    messages = shared.formatter(arguments)
    if not shared.read_types(arguments, messages) or not read_params(arguments, messages):
        return shared.FAILED
    options = Options(
        allow_outside=arguments.allow_outside,
        types=tuple(arguments.types),
        environments=tuple(arguments.environments),
        maps=tuple(arguments.maps),
    )
    folders = [name for name in names if os.path.isdir(name)]
    if len(folders) == 1:
        other = names[names[0] in folders]
        problem = f"'{folders[0]}' is a directory and '{other}' is not: compare two directories or two files"
        shared.print_message(f"bpconvert verify: error: {problem}")
        return shared.FAILED
    read_baseline = partial(Known, arguments.baseline, arguments.write_baseline)
    baseline = shared.attempt(read_baseline, messages, "bpconvert verify")
    if baseline is None:
        return shared.FAILED
    if all(map(os.path.isdir, names)):
        from bpconvert.cli.verify_trees import compare_trees

        return compare_trees(arguments, messages, baseline, partial(_compared, arguments, messages, options))
    compared = _compared(arguments, messages, options, *names)
    if compared is None:
        return shared.FAILED
    comparison = Comparison(*compared, baseline.has)
    code = _printed(arguments, comparison)
    return code if baseline.write([comparison]) else shared.FAILED


def _compared(
    arguments: argparse.Namespace, messages: TextFormatter, options: Options, first: str, second: str
) -> tuple[list[Side], Verification] | None:
    """Two documents and their differences; None, with the reason printed, where they cannot be compared."""
    from pathlib import Path

    from bpconvert.batch import STDIN, UNNAMED
    from bpconvert.cli.differences import Side

    def compare() -> tuple[list[Side], Verification]:
        names = (first, second)
        sides = [Side(shared.read_stdin(messages.texts, UNNAMED) if name == STDIN else Path(name)) for name in names]
        if not arguments.quiet:
            _warn_of_unknown(arguments.params or {}, sides)
        return sides, _verified(arguments, sides[0], sides[1], options)

    return shared.attempt(compare, messages, "bpconvert verify")


def _warn_of_unknown(params: dict[str, Any], sides: list[Side]) -> None:
    """Name the given inputs that neither document declares."""
    if params and not any(side.has_imports for side in sides):
        for name in sorted(params.keys() - sides[0].inputs.keys() - sides[1].inputs.keys()):
            shared.print_message(
                f"bpconvert: warning: neither {sides[0].name} nor {sides[1].name} has an input '{name}'"
            )


def _verified(arguments: argparse.Namespace, first: Side, second: Side, options: Options) -> Verification:
    from bpconvert.verification import verify

    return verify(
        first.document,
        second.document,
        inputs=arguments.params,
        draws=arguments.draws,
        seed=arguments.seed,
        engines=arguments.engines,
        reported=partial(_findings, first, second, arguments.params or {}, options),
        options=options,
    )


def _findings(first: Side, second: Side, params: dict[str, Any], options: Options) -> list[Diagnostic]:
    """The findings of the conversion of ``first`` to the language of ``second``. A given input that ``second`` does not
    have was decided when it was made, and is here."""
    from bpconvert.api import convert

    if first.dialect == second.dialect:
        return []
    decided = {name: value for name, value in params.items() if name in first.inputs and name not in second.inputs}
    chosen = options._replace(carry=False, params=decided or None)
    return convert(first.document, first.dialect, second.dialect, options=chosen).diagnostics


def _printed(arguments: argparse.Namespace, comparison: Comparison) -> int:
    """Print the differences of two documents; returns the exit code."""
    if arguments.format == "json":
        from bpconvert.reports.as_json import json_report

        run = {"engines": arguments.engines, "draws": arguments.draws, "seed": arguments.seed}
        shared.write_stdout(json_report("verify", **run, **comparison.as_dict()))
    else:
        wanted = comparison.silent if arguments.allow_reported and not arguments.verbose else comparison.differences
        shared.write_stdout(comparison.text(wanted, arguments.limit, arguments.verbose))
        for note in comparison.notes if comparison.has_failed or not arguments.quiet else ():
            shared.print_message(f"bpconvert: not compared: {note}")
        if not arguments.quiet:
            shared.print_message(f"bpconvert: {comparison.summary()}")
    if comparison.has_failed:
        return shared.FAILED
    return shared.FINDINGS if comparison.counted(arguments) else shared.OK


COMMAND = shared.Command(
    "compare what two documents mean, under the same inputs; exit code 1 if they differ",
    "  bpconvert verify app.yaml blueprint.yaml --param env=prod\n"
    "  bpconvert verify templates/ blueprints/ --baseline known.json\n"
    "  bpconvert hot2cfy app.yaml | bpconvert verify --allow-reported app.yaml -",
    _arguments,
    _run,
    f"exit codes: 0 the same; 1 differences, with --allow-reported silent ones; {shared.FAILURES}",
)
