"""The command that answers programs: ``serve``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator

from bpconvert.cli import command as shared


def _arguments(parser: argparse.ArgumentParser) -> None:
    text = "print the JSON Schema of requests and answers, and end"
    parser.add_argument("--schema", action="store_true", help=text)


def _run(arguments: argparse.Namespace) -> int:
    from bpconvert.serving import answers, schema

    if arguments.schema:
        import json

        shared.write_stdout(json.dumps(schema(), indent=2) + "\n")
        return shared.OK
    if sys.stdin is None:
        shared.print_message("bpconvert serve: error: standard input is closed")
        return shared.FAILED
    for line in answers(_lines()):
        shared.write_stdout(line + "\n")
    return shared.OK


def _lines() -> Iterator[bytes]:
    """The lines of standard input; of one that is too long no more than shows that."""
    from bpconvert.serving import LONGEST

    while line := sys.stdin.buffer.readline(LONGEST + 1):
        yield line
        while len(line) > LONGEST and not line.endswith(b"\n"):
            line = sys.stdin.buffer.readline(LONGEST + 1)


COMMAND = shared.Command(
    "answers requests of programs: a line of JSON for each line of JSON, until the input ends",
    '  echo \'{"id": 1, "do": "convert", "path": "template.yaml", "target": "tosca"}\' | bpconvert serve\n'
    "  bpconvert serve --schema",
    _arguments,
    _run,
    "exit codes: 0 the input has ended; 2 wrong usage, or no input",
)
