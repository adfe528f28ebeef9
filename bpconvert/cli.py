"""The command line: options, messages, exit codes. It converts with :func:`bpconvert.convert` and nothing else.

A command is one row of :data:`COMMANDS`. The converter is imported only once there is something to convert.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from bpconvert import __version__
from bpconvert.options import CHOICES, wrong

if TYPE_CHECKING:
    from bpconvert.api import Result
    from bpconvert.batch import Job, Outcome, Plan
    from bpconvert.formatters import TextFormatter

OK, FINDINGS, FAILED = 0, 1, 2
#: as a shell reports a process that ended by SIGINT or SIGPIPE
INTERRUPTED, CLOSED_PIPE = 130, 141

_FAILURES = "2 wrong usage, unreadable input, or a file that failed"
_EXIT_CODES = f"exit codes: 0 done; 1 findings, with --strict; {_FAILURES}"


class Command(NamedTuple):
    """A subcommand: its line in the overview, its arguments, and what it does with them (returns the exit code)."""

    summary: str
    examples: str
    arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]
    exit_codes: str = _EXIT_CODES


class Conversion(NamedTuple):
    """What differs between the converting commands: the dialects and the options of the target."""

    source: str
    target: str
    options: Callable[[argparse.ArgumentParser], None]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code. ``arguments``: without the program's name; None: the process's own."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        if words and words[0] in COMMANDS:
            command = COMMANDS[words[0]]
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
        return _close_quietly()
    except OSError as error:
        _say(f"bpconvert: error: cannot write: {error.strerror or error}")
        return FAILED
    except Exception as error:
        if os.environ.get("BPCONVERT_DEBUG"):
            raise
        _say(f"bpconvert: error: {_internal(' '.join(f'{type(error).__name__}: {error}'.split()))}")
        return FAILED


def finish(code: int) -> int:
    """Flush what is left; a reader that has gone away is no reason for a message."""
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    except BrokenPipeError:
        return _close_quietly()
    except OSError as error:
        _say(f"bpconvert: error: cannot write: {error.strerror}")
        return FAILED
    return code


# -- arguments ----------------------------------------------------------------------------------------------


def _overview() -> argparse.ArgumentParser:
    rows = "\n".join(f"  {name:<10}{command.summary}" for name, command in COMMANDS.items())
    examples = "\n".join(command.examples for command in COMMANDS.values())
    more = "'bpconvert COMMAND --help' tells the options"
    parser = argparse.ArgumentParser(
        prog="bpconvert",
        description="Converts between orchestration languages. Nothing is lost silently: every rewrite that is not\n"
        "exact is reported with its place, and the source travels along, so that it comes back as it was.",
        epilog=f"commands:\n{rows}\n\nexamples:\n{examples}\n\n{more}; {_EXIT_CODES}",
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


def _conversion_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("inputs", nargs="*", metavar="INPUT", help="file, directory (searched for templates), or - for standard input")
    add("-o", "--output", metavar="PLACE", help="file, directory or - (default: standard output)")
    add("--report", metavar="FILE", help="write all findings as JSON (-: standard output, if -o is given)")
    add("--stdin-filename", metavar="NAME", help="what to call standard input; files are looked for beside it")
    add("--strict", action="store_true", help="exit with 1 if there is a warning or an error")
    add("--no-carry", dest="carry", action="store_false", help="keep no source in the result, nor go back to one")
    add("--allow-outside", action="store_true", help="read files outside the template's folder")
    add("--templates", metavar="DIR", type=_folder, help="jinja2 templates that replace built-in ones of the same name")
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


# -- converting ---------------------------------------------------------------------------------------------


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
        _say(f"bpconvert {arguments.name}: error: {error}")
        return FAILED
    messages = _formatter(arguments)
    outcomes: list[Outcome] = []
    try:
        for outcome in convert_all(planned.jobs, _converter(arguments, messages)):
            outcomes.append(outcome)
            if outcome.result and outcome.job.target is None:
                _write_stdout(outcome.result.text)
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
    options = Options(**chosen)

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


def _tell(outcome: Outcome, messages: TextFormatter) -> None:
    """Print what became of one file."""
    _say(messages.format(outcome.diagnostics), end="")
    name, result = outcome.job.name, outcome.result
    if outcome.kind == "file":
        _say(f"{name}: error: {outcome.error}")
    elif outcome.kind == "internal":
        _say(f"{name}: error: {_internal(outcome.error)}")
    elif result is not None:
        left = outcome.unwritten if outcome.job.target else list(result.files)
        if left and outcome.job.target:
            _say(f"{name}: warning: not written, their place is taken or outside the folder: {', '.join(left)}")
        elif left:
            _say(f"{name}: note: these files belong to the document and are written with -o only: {', '.join(left)}")


def _summarise(outcomes: Sequence[Outcome], planned: Plan, verbose: bool) -> None:
    """One closing line: the findings that were not printed and, for a batch, how many files came through."""
    parts: list[str] = []
    if len(planned.jobs) > 1 or planned.skipped:
        failed = sum(outcome.kind is not None for outcome in outcomes)
        parts.append(f"converted {len(outcomes) - failed} of {_count(len(outcomes), 'template')}")
        if failed:
            parts.append(f"{failed} failed")
        if verbose and planned.skipped:
            parts.append(f"{_count(planned.skipped, 'other file')} skipped")
    infos = sum(d.severity < _severity("WARNING") for outcome in outcomes for d in outcome.diagnostics)
    if infos and not verbose:
        parts.append(f"{_count(infos, 'info')} not shown (-v shows them)")
    if parts:
        _say(f"bpconvert: {'; '.join(parts)}")


def _report(arguments: argparse.Namespace, outcomes: Sequence[Outcome], skipped: int) -> bool:
    """Write the JSON report; False when that is not possible."""
    from pathlib import Path

    from bpconvert.batch import STDIN, describe, write_atomically
    from bpconvert.formatters import json_report

    text = json_report(arguments.name, __version__, [outcome.as_dict() for outcome in outcomes], skipped)
    if arguments.report == STDIN:
        _write_stdout(text)
        return True
    try:
        write_atomically(Path(arguments.report), text)
    except OSError as error:
        _say(f"bpconvert: error: cannot write the report: {describe(error)}")
        return False
    return True


# -- there and back -----------------------------------------------------------------------------------------


def _roundtrip_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("inputs", nargs="+", metavar="INPUT", help="file, or directory (searched for templates of every language)")
    add("--no-carry", dest="carry", action="store_false", help="compare plain translations, without carried sources")
    add("--allow-outside", action="store_true", help="read files outside the template's folder")
    add("-q", "--quiet", action="store_true", help="print differences and errors only")
    add("--color", choices=["auto", "always", "never"], default="auto", help="colour the messages (default: auto)")
    parser.set_defaults(verbose=False)


def _roundtrip(arguments: argparse.Namespace) -> int:
    from bpconvert.batch import UsageError, describe, find
    from bpconvert.diagnostics import BpconvertError
    from bpconvert.options import Options
    from bpconvert.roundtrips import lines, roundtrip
    from bpconvert.translators.dialects import DIALECTS

    try:
        paths = find(arguments.inputs, [dialect.marker for dialect in DIALECTS.values()])
    except UsageError as error:
        _say(f"bpconvert roundtrip: error: {error}")
        return FAILED
    options = Options(carry=arguments.carry, allow_outside=arguments.allow_outside)
    messages = _formatter(arguments)
    counts = {"identical": 0, "same content": 0, "different": 0, "failed": 0}
    for path in paths:
        verdict, told = "failed", []
        try:
            trip = roundtrip(path, options=options)
            told = lines(trip.differences)
            verdict = "different" if told else "identical" if trip.is_identical else "same content"
        except BpconvertError as error:
            _say(messages.format([error.diagnostic]), end="")
        except OSError as error:
            _say(f"{path}: error: {describe(error)}")
        except Exception as error:
            if os.environ.get("BPCONVERT_DEBUG"):
                raise
            _say(f"{path}: error: {_internal(' '.join(f'{type(error).__name__}: {error}'.split()))}")
        if told or (verdict != "failed" and not arguments.quiet):
            _write_stdout("".join([f"{path}: {verdict}\n", *(f"  {line}\n" for line in told)]))
        counts[verdict] += 1
    if len(paths) > 1 and not arguments.quiet:
        _say(f"bpconvert: {_count(len(paths), 'template')}: {', '.join(f'{n} {what}' for what, n in counts.items())}")
    return FAILED if counts["failed"] else FINDINGS if counts["different"] else OK


# -- explaining ---------------------------------------------------------------------------------------------


def _explain_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("codes", nargs="*", metavar="CODE", help="a diagnostic, like BPC102 (default: list all)")


def _explain(arguments: argparse.Namespace) -> int:
    from bpconvert.codes import CODES

    if not arguments.codes:
        _write_stdout("".join(f"{code}  {entry.severity:<8} {entry.title}\n" for code, entry in CODES.items()))
        return OK
    texts, unknown = [], []
    for code in (given.upper() for given in arguments.codes):
        if code not in CODES:
            unknown.append(code)
            continue
        entry = CODES[code]
        texts.append(
            f"{code}: {entry.title} ({entry.severity}, {entry.fidelity})\n\n  {entry.explanation}\n\n"
            f"  message: {entry.message}\n  what to do: {entry.hint}\n"
        )
    _write_stdout("\n".join(texts))
    if unknown:
        _say(f"bpconvert explain: error: no such code: {', '.join(unknown)}; 'bpconvert explain' lists all")
    return FAILED if unknown else OK


# -- helpers ------------------------------------------------------------------------------------------------


def _formatter(arguments: argparse.Namespace) -> TextFormatter:
    from bpconvert.diagnostics import Severity
    from bpconvert.formatters import TextFormatter, use_color

    least = Severity.ERROR if arguments.quiet else Severity.INFO if arguments.verbose else Severity.WARNING
    return TextFormatter(use_color(arguments.color, sys.stderr, os.environ), least, arguments.verbose)


def _severity(name: str) -> int:
    from bpconvert.diagnostics import Severity

    return Severity[name]


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _internal(error: str) -> str:
    return f"internal error: {error} (please report this with the template; BPCONVERT_DEBUG=1 shows where)"


def _say(text: str, end: str = "\n") -> None:
    if text:
        print(text, end=end, file=sys.stderr)


def _write_stdout(text: str) -> None:
    """Write UTF-8, whatever the locale says."""
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode())
    sys.stdout.flush()


def _close_quietly() -> int:
    """Nobody reads standard output any more: let later flushes go nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return CLOSED_PIPE


# -- the table of commands ----------------------------------------------------------------------------------


def _conversion(name: str, conversion: Conversion, summary: str, examples: str) -> Command:
    """The command that converts between two dialects."""

    def arguments(parser: argparse.ArgumentParser) -> None:
        _conversion_arguments(parser)
        conversion.options(parser)
        parser.set_defaults(conversion=conversion, name=name, parser=parser)

    return Command(summary, examples, arguments, _convert)


COMMANDS: dict[str, Command] = {
    "hot2cfy": _conversion(
        "hot2cfy",
        Conversion("hot", "cloudify", _cloudify_options),
        "Heat template (HOT) to Cloudify blueprint",
        "  bpconvert hot2cfy app.yaml -o blueprint.yaml\n"
        "  cat app.yaml | bpconvert hot2cfy - --report report.json > blueprint.yaml\n"
        "  bpconvert hot2cfy templates/ -o blueprints/ --strict",
    ),
    "cfy2hot": _conversion(
        "cfy2hot",
        Conversion("cloudify", "hot", _hot_options),
        "Cloudify blueprint to Heat template (HOT)",
        "  bpconvert cfy2hot blueprint.yaml -o app.yaml\n"
        "  bpconvert cfy2hot blueprints/ -o templates/ --hot-version 2018-08-31",
    ),
    "roundtrip": Command(
        "convert there and back, print the differences; exit code 1 if there are any",
        "  bpconvert roundtrip app.yaml",
        _roundtrip_arguments,
        _roundtrip,
        f"exit codes: 0 the same content; 1 differences; {_FAILURES}",
    ),
    "explain": Command(
        "what a diagnostic means and what to do about it",
        "  bpconvert explain BPC102",
        _explain_arguments,
        _explain,
    ),
}
