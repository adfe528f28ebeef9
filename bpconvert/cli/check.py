"""The command that checks documents without converting them: ``check``."""

from __future__ import annotations

import argparse
import os
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from bpconvert.cli import command as shared
from bpconvert.cli import filters
from bpconvert.cli.formats import LINES, REPORTS

if TYPE_CHECKING:
    from pathlib import Path

    from bpconvert.cli.files import File
    from bpconvert.diagnostics import Diagnostic

FORMATS: Final = ("text", *LINES, *REPORTS)


def _arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    text = "file, directory (searched for templates of every language), or - for standard input"
    add("inputs", nargs="+", metavar="INPUT", help=text)
    shared.take_environments(parser, "what types stand for, values of parameters")
    text = f"how to print the findings: {', '.join(FORMATS)} (default: text, in GitHub's workflows github)"
    add("--format", choices=FORMATS, metavar="FORMAT", help=text)
    add("--skip-others", action="store_true", help="skip files that are no document of a known language")
    add("--stdin-filename", metavar="NAME", help="what to call standard input; files are looked for beside it")
    add("--allow-outside", action="store_true", help="read files outside the document's folder")
    shared.take_looks(parser, "print errors only", "print every finding, with its explanation")
    shared.take_maps(parser)
    shared.take_types(parser)
    filters.take_search(parser)
    filters.take_filters(parser, "error")


def _run(arguments: argparse.Namespace) -> int:
    from bpconvert.batch import UNNAMED
    from bpconvert.cli.files import FAILED, File
    from bpconvert.cli.printing import Printer

    messages = shared.formatter(arguments)
    paths = shared.attempt(partial(_paths, arguments), messages, "bpconvert check")
    if paths is None or not shared.read_types(arguments, messages):
        return shared.FAILED
    chosen = filters.chosen(arguments, messages, filters.NOT_OF_CHECK)
    if chosen is None:
        return shared.FAILED
    is_tree = len(paths) > 1 and any(map(os.path.isdir, arguments.inputs))
    printer = Printer(arguments, messages, is_tree, shared.write_stdout)
    files: list[File] = []
    for path in paths:
        name = str(path) if path else arguments.stdin_filename or UNNAMED
        found, problem = _checked(arguments, path, messages.texts)
        if problem is None:
            found = chosen.wanted(found, [name])
        one = File(name, "" if problem is None else FAILED, found, problem or "")
        files.append(one)
        printer.one(one, problems=[f"error: {problem}"] if problem is not None and not found else [])
    printer.all()
    return _end(arguments, files, chosen)


def _end(arguments: argparse.Namespace, files: list[File], chosen: filters.Filter) -> int:
    """Print what is about all documents; the exit code."""
    from bpconvert.diagnostics import Severity

    found = [item for one in files for item in one.found]
    counts = {severity: sum(item.severity == severity for item in found) for severity in Severity}
    failed = sum(one.has_failed for one in files)
    if arguments.format in REPORTS:
        from bpconvert.reports import Report, rendered, with_head

        entries = [
            {"file": one.name, "diagnostics": [item.as_dict() for item in one.found], "error": one.problem or None}
            for one in files
        ]
        report = Report(with_head("check", files=entries, summary=_summary(len(files), failed, counts)))
        shared.write_stdout(rendered(report, REPORTS[arguments.format]))
    elif not arguments.quiet:
        _summarise(len(files), failed, counts, chosen.summary(), arguments.verbose)
    if not chosen.write() or failed:
        return shared.FAILED
    return shared.FINDINGS if filters.has_failed(found, arguments) else shared.OK


def _paths(arguments: argparse.Namespace) -> list[Path | None]:
    """The files to check, None for standard input. Raises UsageError."""
    from bpconvert.batch import STDIN, find
    from bpconvert.diagnostics import UsageError
    from bpconvert.translators.dialects import DIALECTS

    if STDIN in arguments.inputs and len(arguments.inputs) > 1:
        raise UsageError("'-' (standard input) cannot be combined with other inputs")
    if arguments.inputs == [STDIN]:
        return [None]
    search = filters.search_of(arguments)
    return [*find(arguments.inputs, list(DIALECTS.values()), arguments.skip_others, search)]


def _checked(
    arguments: argparse.Namespace, path: Path | None, texts: dict[str, str]
) -> tuple[list[Diagnostic], str | None]:
    """The findings of one document, and why it could not be checked (None: it was)."""
    from bpconvert.batch import UNNAMED, describe
    from bpconvert.checking import check
    from bpconvert.diagnostics import DocumentError

    document: Path | bytes | None = path
    try:
        if document is None:
            document = shared.read_stdin(texts, arguments.stdin_filename or UNNAMED)
        found = check(
            document,
            name=None if path else arguments.stdin_filename,
            environments=arguments.environments,
            types=arguments.types,
            allow_outside=arguments.allow_outside,
            maps=arguments.maps,
        )
        return found, None
    except DocumentError as error:
        return list(error.diagnostics), error.diagnostic.message
    except OSError as error:
        return [], describe(error)
    except Exception as error:
        return [], shared.unexpected(error)


def _summary(files: int, failed: int, counts: dict[Any, int]) -> dict[str, Any]:
    found = {str(severity): number for severity, number in counts.items()}
    return {"files": files, "failed": failed, "diagnostics": found}


def _summarise(files: int, failed: int, counts: dict[Any, int], left_out: list[str], verbose: bool) -> None:
    parts = [shared.count(number, str(severity)) for severity, number in sorted(counts.items(), reverse=True) if number]
    more = "" if verbose or not min(counts.items())[1] else " (-v shows the infos)"
    checked = f"{files - failed} of {shared.count(files, 'document')}" if failed else shared.count(files, "document")
    summary = "; ".join([f"{', '.join(parts) or 'nothing found'}{more}", *left_out])
    shared.print_message(f"bpconvert: {checked} checked: {summary}")


COMMAND = shared.Command(
    "check documents of any language without converting them: types, properties, values, references",
    "  bpconvert check app.yaml\n  bpconvert check templates/ -e site.yaml --format json",
    _arguments,
    _run,
    f"exit codes: 0 nothing wrong; 1 errors, or with --strict warnings; {shared.FAILURES}",
)
