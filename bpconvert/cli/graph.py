"""The command that draws the topology of a document: ``graph``."""

from __future__ import annotations

import argparse
from functools import partial
from typing import TYPE_CHECKING, Any

from bpconvert.cli import command as shared

if TYPE_CHECKING:
    from bpconvert.cli.formatters import TextFormatter

_DEFAULT = "mermaid"


def _arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("input", metavar="INPUT", help="template, blueprint, service template or archive, or - for standard input")
    formats = ".svg, .png (with cairosvg), .dot (.gv), .mmd (.mermaid)"
    text = f"file; its ending chooses the format: {formats} (default: standard output)"
    add("-o", "--output", metavar="FILE", help=text)
    text = f"the format, whatever the ending (default: {_DEFAULT}, which Markdown shows as a picture)"
    add("--format", choices=["svg", "png", "dot", "mermaid"], help=text)
    shared.take_looks(parser, "print errors only")
    shared.take_environments(parser, "what types stand for")
    shared.take_types(parser)
    shared.take_places(parser, "document")
    shared.take_maps(parser)
    parser.set_defaults(verbose=False)


def _run(arguments: argparse.Namespace) -> int:
    messages = shared.formatter(arguments)
    who = "bpconvert graph"
    format = shared.attempt(partial(_format, arguments), messages, who)
    if format is None or not shared.read_types(arguments, messages):
        return shared.FAILED
    text = shared.attempt(partial(_drawn, arguments, format, messages), messages, who)
    if text is None:
        return shared.FAILED
    if arguments.output in (None, "-"):
        shared.write_stdout(text)
        return shared.OK
    return shared.FAILED if shared.attempt(partial(_write, arguments, text), messages, who) is None else shared.OK


def _format(arguments: argparse.Namespace) -> str:
    """The format to write. Raises UsageError."""
    from bpconvert.diagnostics import UsageError
    from bpconvert.graphs import FORMATS, format_of

    if arguments.output in (None, "-") or arguments.format:
        return str(arguments.format or _DEFAULT)
    format = format_of(arguments.output)
    if format is None:
        endings = ", ".join(ending for row in FORMATS.values() for ending in row.endings)
        raise UsageError(f"-o {arguments.output}: the ending chooses the format: {endings}; or give --format")
    return format


def _drawn(arguments: argparse.Namespace, format: str, messages: TextFormatter) -> str | bytes:
    from pathlib import Path

    from bpconvert.batch import STDIN, UNNAMED
    from bpconvert.graphs import drawn, graph

    name, document = arguments.stdin_filename, Path(arguments.input)
    source: Any = document
    if arguments.input == STDIN:
        source = shared.read_stdin(messages.texts, name or UNNAMED)
    picture = graph(source, name=name if arguments.input == STDIN else None, **shared.reading(arguments))
    return drawn(picture, format)


def _write(arguments: argparse.Namespace, text: str | bytes) -> bool:
    """Write the picture; never over what the command reads."""
    import os
    from pathlib import Path

    from bpconvert.batch import write_atomically
    from bpconvert.diagnostics import UsageError

    read = [arguments.input, *arguments.environments, *arguments.types]
    if any(os.path.realpath(name) == os.path.realpath(arguments.output) for name in read):
        raise UsageError(f"-o {arguments.output} is a file that the command reads; choose another one")
    source = Path(arguments.input)
    write_atomically(Path(arguments.output), text, source.stat().st_mode & 0o666 if source.exists() else 0o666)
    return True


COMMAND = shared.Command(
    "draw the topology of a document of any language",
    "  bpconvert graph app.yaml -o app.svg\n  bpconvert graph blueprint.yaml > topology.mmd",
    _arguments,
    _run,
    f"exit codes: 0 done; {shared.FAILURES}",
)
