"""The commands that convert: ``hot2cfy`` and ``cfy2hot``."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from bpconvert import __version__
from bpconvert.cli.command import (
    FAILED,
    FINDINGS,
    OK,
    Command,
    count,
    formatter,
    internal,
    read_types,
    say,
    take_types,
    write_stdout,
)
from bpconvert.cli.parameters import read_params, take_params
from bpconvert.options import CHOICES, wrong

if TYPE_CHECKING:
    from bpconvert.api import Result
    from bpconvert.batch import Job, Outcome, Plan
    from bpconvert.cli.formatters import TextFormatter


class Conversion(NamedTuple):
    """What differs between the converting commands: the dialects and the options of the target."""

    source: str
    target: str
    options: Callable[[argparse.ArgumentParser], None]


def _conversion_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    text = "file (with the files that it nests), directory (searched for templates), or - for standard input"
    add("inputs", nargs="*", metavar="INPUT", help=text)
    add("-o", "--output", metavar="PLACE", help="file, directory or - (default: standard output)")
    add("--report", metavar="FILE", help="write all findings as JSON (-: standard output, if -o is given)")
    add("--stdin-filename", metavar="NAME", help="what to call standard input; files are looked for beside it")
    add("--strict", action="store_true", help="exit with 1 if there is a warning or an error")
    add("--no-carry", dest="carry", action="store_false", help="keep no source in the result, nor go back to one")
    add("--allow-outside", action="store_true", help="read files outside the template's folder")
    add("--templates", metavar="DIR", type=_folder, help="jinja2 templates that replace built-in ones of the same name")
    take_types(parser)
    take_params(parser)
    loudness = parser.add_mutually_exclusive_group()
    loudness.add_argument("-q", "--quiet", action="store_true", help="print errors only")
    loudness.add_argument("-v", "--verbose", action="store_true", help="print every finding, with its explanation")
    add("--color", choices=["auto", "always", "never"], default="auto", help="colour the messages (default: auto)")


def _cloudify_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("blueprint")
    add = group.add_argument
    versions = f"{', '.join(_words('dsl_version'))} (default: the lowest that will do)"
    add("--dsl-version", metavar="VERSION", type=_dsl_version, help=versions)
    add("--plugin", choices=_words("plugin"), default="v3", help="generation of the OpenStack plugin (default: v3)")
    files = "get_file: put the text in, also copy the file beside the result, or keep the reference (default: inline)"
    add("--files", choices=_words("files"), default="inline", help=files)
    environments = "Heat environment file: its resource_registry says what types stand for (may be repeated)"
    add("-e", "--environment", dest="environments", metavar="FILE", action="append", default=[], help=environments)
    credentials = "where the OpenStack credentials come from (default: secrets)"
    add("--client-config", choices=_words("client_config"), default="secrets", help=credentials)


def _hot_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("template")
    versions = "heat_template_version, by date or name of the release (default: the lowest that will do)"
    group.add_argument("--hot-version", metavar="VERSION", type=_hot_version, help=versions)


def _hot_version(text: str) -> str:
    problem = wrong("hot_version", text)
    if problem is not None:
        raise argparse.ArgumentTypeError(problem)
    return text


def _dsl_version(text: str) -> str:
    version = text.removeprefix("cloudify_dsl_").replace(".", "_")
    problem = wrong("dsl_version", version)
    if problem is not None:
        raise argparse.ArgumentTypeError(problem)
    return version


def _words(option: str) -> list[str]:
    """The words that the option takes."""
    return [word for word in CHOICES[option] if word is not None]


def _folder(name: str) -> str:
    if not os.path.isdir(name):
        raise argparse.ArgumentTypeError(f"no directory {name!r}")
    return name


def _convert(arguments: argparse.Namespace) -> int:
    if not arguments.inputs:
        if sys.stdin is None or sys.stdin.isatty():
            arguments.parser.print_help(sys.stderr)
            return FAILED
        arguments.inputs = ["-"]
    from bpconvert.batch import UsageError, convert_all

    try:
        planned = _plan(arguments)
    except UsageError as error:
        say(f"bpconvert {arguments.name}: error: {error}")
        return FAILED
    messages = formatter(arguments)
    readers = (read_types, read_params, _read_environments)
    if not all(read(arguments, messages) for read in readers):
        return FAILED
    outcomes: list[Outcome] = []
    try:
        for outcome in convert_all(planned.jobs, _converter(arguments, messages), _environments(arguments)):
            outcomes.append(outcome)
            if outcome.result and outcome.job.target is None:
                write_stdout(outcome.result.text)
            _tell(outcome, messages)
        if not arguments.quiet:
            _summarise(outcomes, planned, arguments.verbose)
    finally:
        reported = arguments.report is None or _report(arguments, outcomes, planned.skipped)
    if not reported or any(outcome.kind for outcome in outcomes):
        return FAILED
    worst = max((d.severity for outcome in outcomes for d in outcome.diagnostics), default=0)
    return FINDINGS if arguments.strict and worst >= _severity("WARNING") else OK


def _plan(arguments: argparse.Namespace) -> Plan:
    """The jobs; raises UsageError when the places of the results do not fit together."""
    from bpconvert.batch import STDIN, UsageError, plan
    from bpconvert.translators.dialects import DIALECTS

    marker = DIALECTS[arguments.conversion.source].marker
    planned = plan(arguments.inputs, arguments.output, marker, arguments.stdin_filename)
    if arguments.report == STDIN:
        if planned.jobs[0].target is None:
            raise UsageError("--report - needs -o FILE: standard output holds the document")
    elif arguments.report is not None:
        place = os.path.realpath(arguments.report)
        if any(path and os.path.realpath(path) == place for job in planned.jobs for path in (job.path, job.target)):
            raise UsageError(f"--report {arguments.report} is a source or a result; choose another file")
    return planned


def _converter(arguments: argparse.Namespace, messages: TextFormatter) -> Callable[[Job], Result]:
    """The function that converts one job with the options of the command line."""
    from bpconvert.api import convert
    from bpconvert.options import Options

    chosen = {name: value for name, value in vars(arguments).items() if name in Options._fields}
    repeated = {name: tuple(value) for name, value in chosen.items() if isinstance(value, list)}
    options = Options(**{**chosen, **repeated})

    def run(job: Job) -> Result:
        document: Any = job.path
        if job.path is None:
            if sys.stdin is None:
                raise OSError("standard input is closed")
            document = sys.stdin.buffer.read()
            messages.texts[job.name] = document.decode("utf-8-sig", "replace")
        name = job.name if job.path or arguments.stdin_filename else None
        return convert(document, arguments.conversion.source, arguments.conversion.target, name=name, options=options)

    return run


def _environments(arguments: argparse.Namespace) -> list[str]:
    """The environment files that were given; only Heat has such."""
    given: list[str] = getattr(arguments, "environments", [])
    return given


def _read_environments(arguments: argparse.Namespace, messages: TextFormatter) -> bool:
    """False, after saying why, when an environment file cannot be used."""
    if not _environments(arguments):
        return True
    from bpconvert.batch import describe
    from bpconvert.diagnostics import BpconvertError
    from bpconvert.translators.hot import environment

    try:
        environment.read(_environments(arguments))
    except BpconvertError as error:
        say(messages.format(error.diagnostics), end="")
        return False
    except OSError as error:
        say(f"bpconvert {arguments.name}: error: {describe(error)}")
        return False
    return True


def _tell(outcome: Outcome, messages: TextFormatter) -> None:
    """Print what became of one file."""
    say(messages.format(outcome.diagnostics), end="")
    name, result = outcome.job.name, outcome.result
    if outcome.kind == "file":
        say(f"{name}: error: {outcome.error}")
    elif outcome.kind == "internal":
        say(f"{name}: error: {internal(outcome.error)}")
    elif result is not None:
        left = outcome.unwritten if outcome.job.target else list(result.files)
        if left and outcome.job.target:
            say(f"{name}: warning: not written, their place is taken or outside the folder: {', '.join(left)}")
        elif left:
            say(f"{name}: note: these files belong to the document and are written with -o only: {', '.join(left)}")


def _summarise(outcomes: Sequence[Outcome], planned: Plan, verbose: bool) -> None:
    """One closing line: the findings that were not printed and, for a batch, how many files came through."""
    parts: list[str] = []
    if len(planned.jobs) > 1 or planned.skipped:
        failed = sum(outcome.kind is not None for outcome in outcomes)
        nested = sum(outcome.nested_in is not None for outcome in outcomes)
        parts.append(f"converted {len(outcomes) - failed - nested} of {count(len(outcomes), 'template')}")
        if nested:
            parts.append(f"{nested} as part of others")
        if failed:
            parts.append(f"{failed} failed")
        if verbose and planned.skipped:
            parts.append(f"{count(planned.skipped, 'other file')} skipped")
    infos = sum(d.severity < _severity("WARNING") for outcome in outcomes for d in outcome.diagnostics)
    if infos and not verbose:
        parts.append(f"{count(infos, 'info')} not shown (-v shows them)")
    if parts:
        say(f"bpconvert: {'; '.join(parts)}")


def _report(arguments: argparse.Namespace, outcomes: Sequence[Outcome], skipped: int) -> bool:
    """Write the JSON report; False when that is not possible."""
    from pathlib import Path

    from bpconvert.batch import STDIN, describe, write_atomically
    from bpconvert.cli.formatters import json_report

    text = json_report(arguments.name, __version__, [outcome.as_dict() for outcome in outcomes], skipped)
    if arguments.report == STDIN:
        write_stdout(text)
        return True
    try:
        write_atomically(Path(arguments.report), text)
    except OSError as error:
        say(f"bpconvert: error: cannot write the report: {describe(error)}")
        return False
    return True


def _severity(name: str) -> int:
    from bpconvert.diagnostics import Severity

    return Severity[name]


def _conversion(name: str, conversion: Conversion, summary: str, examples: str) -> Command:
    """The command that converts between two dialects."""

    def arguments(parser: argparse.ArgumentParser) -> None:
        _conversion_arguments(parser)
        conversion.options(parser)
        parser.set_defaults(conversion=conversion, name=name, parser=parser)

    return Command(summary, examples, arguments, _convert)


HOT2CFY = _conversion(
    "hot2cfy",
    Conversion("hot", "cloudify", _cloudify_options),
    "Heat template (HOT) to Cloudify blueprint",
    "  bpconvert hot2cfy app.yaml -o blueprint.yaml\n"
    "  cat app.yaml | bpconvert hot2cfy - --report report.json > blueprint.yaml\n"
    "  bpconvert hot2cfy templates/ -o blueprints/ -e site.yaml --strict\n"
    "  bpconvert hot2cfy app.yaml --types site-types.yaml -o blueprint.yaml",
)
CFY2HOT = _conversion(
    "cfy2hot",
    Conversion("cloudify", "hot", _hot_options),
    "Cloudify blueprint to Heat template (HOT)",
    "  bpconvert cfy2hot blueprint.yaml -o app.yaml\n"
    "  bpconvert cfy2hot blueprints/ -o templates/ --hot-version 2018-08-31",
)
