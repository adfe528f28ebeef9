"""The command that converts there and back: ``roundtrip``."""

from __future__ import annotations

import argparse
from functools import partial
from typing import TYPE_CHECKING

from bpconvert.cli import command as shared
from bpconvert.cli import filters
from bpconvert.translators.dialects import DIALECTS

if TYPE_CHECKING:
    from pathlib import Path

    from bpconvert.options import Options


def _arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("inputs", nargs="+", metavar="INPUT", help="file, or directory (searched for templates of every language)")
    text = "the language to go through (default: the first other one); a document of that language is left out"
    add("--via", choices=list(DIALECTS), help=text)
    add("--no-carry", dest="carry", action="store_false", help="compare plain translations, without carried sources")
    shared.take_looks(parser, "print differences and errors only")
    shared.take_types(parser)
    add = shared.group_of(parser, shared.READING).add_argument
    add("--allow-outside", action="store_true", help="read files outside the template's folder")
    shared.take_maps(parser)
    filters.take_search(parser)
    parser.set_defaults(verbose=False)


def _run(arguments: argparse.Namespace) -> int:
    from bpconvert.batch import find
    from bpconvert.diagnostics.shown import printable
    from bpconvert.options import Options

    messages = shared.formatter(arguments)
    languages = [dialect for dialect in DIALECTS.values() if dialect.name != arguments.via]
    search = partial(find, arguments.inputs, languages, search=filters.search_of(arguments))
    found_all = shared.attempt(search, messages, "bpconvert roundtrip")
    options = Options(
        carry=arguments.carry,
        allow_outside=arguments.allow_outside,
        types=tuple(arguments.types),
        maps=tuple(arguments.maps),
    )
    if found_all is None or not shared.read_types(arguments, messages):
        return shared.FAILED
    paths, unread = found_all.paths, found_all.unread
    shared.print_message(shared.not_for_runners(messages.format(unread)), end="")
    counts = {"identical": 0, "same content": 0, "different": 0, "failed": 0}
    for path in paths:
        run = partial(_compared, path, arguments.via, options)
        verdict, differences = shared.attempt(run, messages, str(path)) or ("failed", [])
        if differences or (verdict != "failed" and not arguments.quiet):
            shown = "".join(
                f"{printable(line)}\n" for line in [f"{path}: {verdict}", *(f"  {line}" for line in differences)]
            )
            shared.write_stdout(shared.not_for_runners(shown))
        counts[verdict] += 1
    if len(paths) > 1 and not arguments.quiet:
        verdicts = ", ".join(f"{number} {what}" for what, number in counts.items())
        shared.print_message(f"bpconvert: {shared.count(len(paths), 'template')}: {verdicts}")
    return shared.FAILED if counts["failed"] or unread else shared.FINDINGS if counts["different"] else shared.OK


def _compared(path: Path, via: str | None, options: Options) -> tuple[str, list[str]]:
    """The verdict on a document, and its differences."""
    from bpconvert.roundtrips import lines, roundtrip

    trip = roundtrip(path, via, options=options)
    differences = lines(trip.secrets.masked_in(trip.differences))
    return "different" if differences else "identical" if trip.is_identical else "same content", differences


COMMAND = shared.Command(
    "convert there and back, print the differences; exit code 1 if there are any",
    "  bpconvert roundtrip app.yaml\n  bpconvert roundtrip --via tosca templates/",
    _arguments,
    _run,
    f"exit codes: 0 the same content; 1 differences; {shared.FAILURES}",
)
