"""The command that explains diagnostics: ``explain``."""

from __future__ import annotations

import argparse

from bpconvert.cli.command import FAILED, OK, Command, print_message, write_stdout


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("codes", nargs="*", metavar="CODE", help="a diagnostic, like BPC102 (default: list all)")


def _run(arguments: argparse.Namespace) -> int:
    from bpconvert.diagnostics.codes import CODES
    from bpconvert.diagnostics.selection import whole_code
    from bpconvert.diagnostics.suggest import guess

    if not arguments.codes:
        write_stdout("".join(f"{code}  {entry.severity:<8} {entry.title}\n" for code, entry in CODES.items()))
        return OK
    texts, unknown = [], []
    for code in map(whole_code, arguments.codes):
        if code not in CODES:
            unknown.append(code)
            continue
        entry = CODES[code].pattern()
        texts.append(
            f"{code}: {entry.title} ({entry.severity}, {entry.fidelity})\n\n  {entry.explanation}\n\n"
            f"  message: {entry.message}\n  what to do: {entry.hint}\n"
            + (f"  in the result: # {code}: {entry.note}\n" if entry.note else "")
            + f"  page: docs/diagnostics.md#{code.lower()}\n"
        )
    write_stdout("\n".join(texts))
    for code in unknown:
        guessed = guess(code, CODES) or "; 'bpconvert explain' lists all"
        print_message(f"bpconvert explain: error: there is no code '{code}'{guessed}")
    return FAILED if unknown else OK


COMMAND = Command(
    "what a diagnostic means and what to do about it",
    "  bpconvert explain BPC102",
    _arguments,
    _run,
    "exit codes: 0 done; 2 wrong usage, or an unknown code",
)
