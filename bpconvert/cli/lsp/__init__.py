"""The command that serves editors: ``lsp``, the Language Server Protocol over standard input and output."""

from __future__ import annotations

import argparse

from bpconvert.cli.command import FAILED, OK, Command, print_message


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--stdio", action="store_true", help="standard input and output, the only way there is")


def _run(arguments: argparse.Namespace) -> int:
    try:
        from bpconvert.cli.lsp.server import serve
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] not in ("pygls", "lsprotocol"):
            raise
        print_message("bpconvert lsp: error: the package pygls is not installed: pip install 'bpconvert[lsp]'")
        return FAILED
    serve()
    return OK


COMMAND = Command(
    "serve editors: findings while typing, hover, completion, rename (needs the extra 'lsp')",
    "  bpconvert lsp --help",
    _arguments,
    _run,
    "exit codes: 0 done; 2 wrong usage, or pygls is not installed",
)
