"""The command that checks documents without converting them: ``check``."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Final

from bpconvert.cli import command as shared
from bpconvert.cli import filters
from bpconvert.cli.formats import LINES, REPORTS

if TYPE_CHECKING:
    from pathlib import Path

    from bpconvert.batch import Outcome
    from bpconvert.diagnostics import Diagnostic
    from bpconvert.reports import Report

FORMATS: Final = ("text", *LINES, *REPORTS)


def _arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    text = "file, directory (searched for templates of every language), or - for standard input"
    add("inputs", nargs="+", metavar="INPUT", help=text)
    shared.take_looks(parser, "print errors only", "print every finding, with its explanation")
    add = shared.group_of(parser, shared.FINDINGS_GROUP).add_argument
    text = f"how to print the findings: {', '.join(FORMATS)} (default: text, in GitHub's workflows github)"
    add("--format", choices=FORMATS, metavar="FORMAT", help=text)
    text = "also write all findings as the ending asks: .html, .json, .sarif, .md, .csv"
    add("--report", metavar="FILE", help=text)
    filters.take_filters(parser, "error")
    shared.take_environments(parser, "what types stand for, values of parameters")
    shared.take_types(parser)
    add = shared.group_of(parser, shared.READING).add_argument
    add("--skip-others", action="store_true", help="skip files that are not in a known language")
    shared.take_places(parser, "document")
    shared.take_maps(parser)
    filters.take_search(parser)


def _run(arguments: argparse.Namespace) -> int:
    from bpconvert.batch import unread_folder
    from bpconvert.cli.files import FAILED, File
    from bpconvert.cli.printing import Printer
    from bpconvert.reports import of_checks

    messages = shared.formatter(arguments)
    searched = shared.attempt(partial(_paths, arguments), messages, "bpconvert check")
    if searched is None or not shared.read_types(arguments, messages):
        return shared.FAILED
    chosen = filters.chosen(arguments, messages, filters.NOT_OF_CHECK)
    if chosen is None:
        return shared.FAILED
    paths, unread = searched
    is_tree = len(paths) > 1 and any(map(os.path.isdir, arguments.inputs))
    printer = Printer(arguments, messages, is_tree, shared.write_stdout)
    outcomes: list[Outcome] = []
    used: set[Path] = set()
    checked = (_checked(arguments, path, messages.texts, used) for path in paths)
    for outcome in chain(map(unread_folder, unread), checked):
        if outcome.kind is None:
            outcome.diagnostics = chosen.wanted(outcome.diagnostics, [outcome.job.name])
        outcomes.append(outcome)
        problems = [f"error: {outcome.error}"] if outcome.kind is not None and not outcome.diagnostics else []
        state = "" if outcome.kind is None else FAILED
        printer.print_file(File(outcome.job.name, state, outcome.diagnostics, outcome.error), problems=problems)
    printer.all()
    return _end(arguments, of_checks(outcomes, messages.texts), chosen, used)


def _end(arguments: argparse.Namespace, report: Report, chosen: filters.Filter, used: set[Path]) -> int:
    """Print what is about all documents, and write the report; the exit code. ``used``: files that documents use."""
    if arguments.format in REPORTS:
        from bpconvert.reports import rendered

        shared.write_stdout(rendered(report, REPORTS[arguments.format]))
    elif not arguments.quiet:
        _summarise(report, chosen.summary(), arguments.verbose)
    written = arguments.report is None or _write(arguments, report, used)
    if not chosen.write() or not written or report.data["summary"]["failed"]:
        return shared.FAILED
    findings = (item for outcome in report.outcomes for item in outcome.diagnostics)
    return shared.FINDINGS if filters.has_failed(findings, arguments) else shared.OK


def _write(arguments: argparse.Namespace, report: Report, used: set[Path]) -> bool:
    """Write the report; False, with the reason printed, when that is not possible."""
    from bpconvert.batch import describe
    from bpconvert.reports import write

    if os.path.realpath(arguments.report) in map(str, used):
        shared.print_message(f"bpconvert: error: the report {arguments.report} is a file that a document uses")
        return False
    try:
        write(report, arguments.report, arguments.environments)
    except OSError as error:
        shared.print_message(f"bpconvert: error: cannot write the report: {describe(error)}")
        return False
    return True


def _check_report(arguments: argparse.Namespace, paths: Sequence[Path | None]) -> None:
    """Raise UsageError for a report that cannot be written."""
    from bpconvert.diagnostics import UsageError
    from bpconvert.reports import ENDINGS, format_of

    if arguments.report is None:
        return
    if arguments.report == "-":
        raise UsageError("--report -: standard output has the findings; --format json prints them as a report")
    read = [*map(str, filter(None, paths)), *arguments.environments, *arguments.types]
    if os.path.realpath(arguments.report) in map(os.path.realpath, read):
        raise UsageError(f"--report {arguments.report} is a file that the command reads; choose another file")
    if format_of(arguments.report) is None:
        raise UsageError(f"--report {arguments.report}: the ending chooses the format: {ENDINGS}")


def _paths(arguments: argparse.Namespace) -> tuple[list[Path | None], Sequence[Diagnostic]]:
    """The files to check, None for standard input, and findings about folders that cannot be read. Raises
    UsageError."""
    from bpconvert.batch import STDIN, find
    from bpconvert.diagnostics import UsageError
    from bpconvert.translators.dialects import DIALECTS

    if STDIN in arguments.inputs and len(arguments.inputs) > 1:
        raise UsageError("'-' (standard input) cannot be combined with other inputs")
    paths: list[Path | None] = [None]
    unread: Sequence[Diagnostic] = ()
    if arguments.inputs != [STDIN]:
        search = filters.search_of(arguments)
        templates = find(arguments.inputs, list(DIALECTS.values()), arguments.skip_others, search)
        paths, unread = [*templates.paths], templates.unread
    _check_report(arguments, paths)
    return paths, unread


def _checked(arguments: argparse.Namespace, path: Path | None, texts: dict[str, str], used: set[Path]) -> Outcome:
    """The findings of one document, or why it could not be checked. ``used`` takes the files that it uses."""
    from bpconvert.batch import UNNAMED, Job, Outcome, describe
    from bpconvert.checking import check
    from bpconvert.diagnostics import DocumentError

    document: Path | bytes | None = path
    outcome = Outcome(Job(str(path) if path else arguments.stdin_filename or UNNAMED, path, None))
    try:
        if document is None:
            document = shared.read_stdin(texts, outcome.job.name)
        name = None if path else arguments.stdin_filename
        outcome.diagnostics = check(document, name=name, used=used, **shared.reading(arguments))
    except DocumentError as error:
        outcome.kind, outcome.error, outcome.diagnostics = "source", error.diagnostic.message, list(error.diagnostics)
    except OSError as error:
        outcome.kind, outcome.error = "file", describe(error, outcome.job.name)
    except ModuleNotFoundError:  # the same for every document
        raise
    except Exception as error:
        outcome.kind, outcome.error = "internal", shared.unexpected(error)
    return outcome


def _summarise(report: Report, left_out: list[str], verbose: bool) -> None:
    summary = report.data["summary"]
    files, failed, counts = summary["files"], summary["failed"], summary["diagnostics"]
    parts = [shared.count(number, severity) for severity, number in reversed(counts.items()) if number]
    more = "" if verbose or not counts["info"] else " (-v shows the infos)"
    checked = f"{files - failed} of {shared.count(files, 'document')}" if failed else shared.count(files, "document")
    shown = "; ".join([f"{', '.join(parts) or 'nothing found'}{more}", *left_out])
    shared.print_message(f"bpconvert: {checked} checked: {shown}")


COMMAND = shared.Command(
    "check documents of any language without converting them: types, properties, values, references",
    "  bpconvert check app.yaml\n  bpconvert check templates/ -e site.yaml --format json",
    _arguments,
    _run,
    f"exit codes: 0 nothing wrong; 1 errors, or with --strict warnings; {shared.FAILURES}",
)
