"""The command that checks documents without converting them: ``check``."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bpconvert.cli import command as shared

if TYPE_CHECKING:
    from bpconvert.diagnostics import Diagnostic


def _arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    text = "file, directory (searched for templates of every language), or - for standard input"
    add("inputs", nargs="+", metavar="INPUT", help=text)
    shared.take_environments(parser, "what types stand for, values of parameters")
    add("--format", choices=["text", "json"], default="text", help="how to print the findings (default: text)")
    add("--skip-others", action="store_true", help="skip files that are no document of a known language")
    add("--stdin-filename", metavar="NAME", help="what to call standard input; files are looked for beside it")
    add("--strict", action="store_true", help="exit with 1 if there is a warning, too")
    add("--allow-outside", action="store_true", help="read files outside the document's folder")
    shared.take_looks(parser, "print errors only", "print every finding, with its explanation")
    shared.take_types(parser)


def _run(arguments: argparse.Namespace) -> int:
    from bpconvert.batch import STDIN, UNNAMED, find
    from bpconvert.diagnostics import Severity, UsageError
    from bpconvert.translators.dialects import DIALECTS

    try:
        if STDIN in arguments.inputs and len(arguments.inputs) > 1:
            raise UsageError("'-' (standard input) cannot be combined with other inputs")
        languages = list(DIALECTS.values())
        is_stdin = arguments.inputs == [STDIN]
        paths = [None] if is_stdin else find(arguments.inputs, languages, arguments.skip_others)
    except UsageError as error:
        shared.print_message(f"bpconvert check: error: {error}")
        return shared.FAILED
    messages = shared.formatter(arguments)
    if not shared.read_types(arguments, messages):
        return shared.FAILED
    files: list[dict[str, Any]] = []
    counts = dict.fromkeys(Severity, 0)
    for path in paths:
        name = str(path) if path else arguments.stdin_filename or UNNAMED
        found, problem = _checked(arguments, path, messages.texts)
        files.append({"file": name, "diagnostics": [item.as_dict() for item in found], "error": problem})
        for item in found:
            counts[item.severity] += 1
        if arguments.format == "text":
            shared.write_stdout(messages.format(found))
        if problem is not None:
            shared.print_message(f"{name}: error: {problem}" if not found else "")
    failed = sum(entry["error"] is not None for entry in files)
    if arguments.format == "json":
        from bpconvert.reports.as_json import json_report

        shared.write_stdout(json_report("check", files=files, summary=_summary(len(files), failed, counts)))
    elif not arguments.quiet:
        _summarise(len(paths), failed, counts, arguments.verbose)
    if failed:
        return shared.FAILED
    return shared.FINDINGS if counts[Severity.ERROR] or (arguments.strict and counts[Severity.WARNING]) else shared.OK


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


def _summarise(files: int, failed: int, counts: dict[Any, int], verbose: bool) -> None:
    parts = [shared.count(number, str(severity)) for severity, number in sorted(counts.items(), reverse=True) if number]
    more = "" if verbose or not min(counts.items())[1] else " (-v shows the infos)"
    checked = f"{files - failed} of {shared.count(files, 'document')}" if failed else shared.count(files, "document")
    shared.print_message(f"bpconvert: {checked} checked: {', '.join(parts) or 'nothing found'}{more}")


COMMAND = shared.Command(
    "check documents of any language without converting them: types, properties, values, references",
    "  bpconvert check app.yaml\n  bpconvert check templates/ -e site.yaml --format json",
    _arguments,
    _run,
    f"exit codes: 0 nothing wrong; 1 errors, or with --strict warnings; {shared.FAILURES}",
)
