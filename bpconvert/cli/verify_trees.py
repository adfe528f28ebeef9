"""``verify`` of two directories, and its baseline: the differences that were accepted."""

from __future__ import annotations

import argparse
import json
import os
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from bpconvert.cli import command as shared
from bpconvert.cli.differences import Comparison, Side
from bpconvert.models.light import NamedTuple

if TYPE_CHECKING:
    from bpconvert.cli.formatters import TextFormatter
    from bpconvert.diagnostics import Diagnostic
    from bpconvert.verification import Difference, Verification

Compare: TypeAlias = "Callable[[str, str], tuple[list[Side], Verification] | None]"

#: differences of one pair that are printed
_SHOWN: Final = 3


class Known:
    """The accepted differences: by the file of the first document and what differs, not by value or line. The file is
    JSON: ``{"schema_version": 1, "differences": [{"file": ..., "what": ...}]}``, with names relative to its folder.

    ``read``: the file to read; ``written``: the one to write; None for neither. Raises OSError, and UsageError for
    another file."""

    def __init__(self, read: str | None, written: str | None) -> None:
        self._read = read
        self._written = written
        self._keys: set[tuple[str, str]] = set()
        if read is not None:
            from bpconvert.diagnostics import UsageError

            try:
                rows = json.loads(Path(read).read_text("utf-8"))["differences"]
                self._keys = {(str(row["file"]), str(row["what"])) for row in rows}
            except (ValueError, KeyError, TypeError, RecursionError):
                raise UsageError(f"{read} is no baseline of verify; --write-baseline writes one") from None

    def has(self, name: str, difference: Difference) -> bool:
        """Whether a difference of the document ``name`` is known."""
        return self._read is not None and (_relative(name, self._read), difference.what) in self._keys

    def write(self, comparisons: Iterable[Comparison]) -> bool:
        """Write what is asked for; False, with the reason printed, where that is not possible."""
        if self._written is None:
            return True
        from bpconvert.batch import write_atomically
        from bpconvert.searching import describe

        place = self._written
        keys = {
            (_relative(comparison.sides[0].name, place), each.what)
            for comparison in comparisons
            for each in comparison.all
        }
        rows = ",\n    ".join(json.dumps({"file": file, "what": what}) for file, what in sorted(keys))
        text = '{\n  "schema_version": 1,\n  "differences": [' + (f"\n    {rows}\n  " if rows else "") + "]\n}\n"
        try:
            write_atomically(Path(place), text)
        except OSError as error:
            shared.print_message(f"bpconvert verify: error: cannot write {place}: {describe(error)}")
            return False
        return True


def _relative(name: str, place: str) -> str:
    return Path(os.path.relpath(name, os.path.dirname(os.path.abspath(place)))).as_posix()


class Pairs(NamedTuple):
    """The documents of two directories: those with the same name, and those that only one of them has. ``unread``:
    findings about folders that cannot be read."""

    both: list[tuple[Path, Path]]
    only_first: list[Path]
    only_second: list[Path]
    unread: tuple[Diagnostic, ...] = ()


def paired(first: Path, second: Path) -> Pairs:
    """Pair documents by name, as a conversion of ``first`` into ``second`` names its results. Raises UsageError for a
    directory without documents."""
    from bpconvert.batch import result_name
    from bpconvert.searching import find
    from bpconvert.translators.dialects import DIALECTS

    languages = list(DIALECTS.values())
    left_side, others = find([str(first)], languages), find([str(second)], languages)
    sources = {result_name(str(place.relative_to(first))): place for place in left_side.paths}
    results = {str(place.relative_to(second)): place for place in others.paths}
    return Pairs(
        [(sources[name], results[name]) for name in sources if name in results],
        [place for name, place in sources.items() if name not in results],
        [place for name, place in results.items() if name not in sources],
        (*left_side.unread, *others.unread),
    )


def compare_trees(arguments: argparse.Namespace, messages: TextFormatter, baseline: Known, compare: Compare) -> int:
    """Compare the documents of two directories and print what differs; returns the exit code."""
    from functools import partial

    pairs = shared.attempt(partial(paired, Path(arguments.first), Path(arguments.second)), messages, "bpconvert verify")
    if pairs is None:
        return shared.FAILED
    comparisons: list[Comparison] = []
    shared.print_message(shared.not_for_runners(messages.format(pairs.unread)), end="")
    failed = len(pairs.unread)
    is_text = arguments.format == "text"
    for first, second in pairs.both:
        compared = compare(str(first), str(second))
        if compared is None:
            failed += 1
            continue
        comparison = Comparison(*compared, baseline.has)
        comparisons.append(comparison)
        if is_text:
            _print(arguments, comparison)
    if is_text:
        _summarise(arguments, comparisons, pairs, failed)
    else:
        _print_json(arguments, comparisons, pairs, failed)
    if failed or not baseline.write(comparisons):
        return shared.FAILED
    alone = bool(pairs.only_first or pairs.only_second)
    return shared.FINDINGS if alone or any(comparison.counted(arguments) for comparison in comparisons) else shared.OK


def _print(arguments: argparse.Namespace, comparison: Comparison) -> None:
    """The silent differences of a pair, with ``--verbose`` all of them."""
    wanted = comparison.differences if arguments.verbose else comparison.silent
    shared.write_stdout(comparison.text(wanted, 0 if arguments.verbose else _SHOWN, arguments.verbose))
    for note in comparison.notes if comparison.has_failed or arguments.verbose else ():
        shared.print_message(f"{comparison.sides[0].name}: not compared: {note}")


def _kind(comparison: Comparison) -> str:
    if comparison.has_failed:
        return "not compared"
    if not comparison.differences:
        return "the same" if not comparison.known else "the same but for known differences"
    return (
        "differ where no finding of the conversion reports it"
        if comparison.silent
        else "differ where findings report it"
    )


def _counts(comparisons: Iterable[Comparison], pairs: Pairs, failed: int) -> dict[str, int]:
    counts = Counter(map(_kind, comparisons))
    alone = {"only in the first directory": len(pairs.only_first), "only in the second": len(pairs.only_second)}
    return {**counts, "cannot be read": failed, **alone}


def _summarise(arguments: argparse.Namespace, comparisons: list[Comparison], pairs: Pairs, failed: int) -> None:
    if arguments.quiet:
        return
    for places in (pairs.only_first, pairs.only_second):
        for place in places:
            shared.print_message(f"{place}: has no counterpart")
    rows = [f"  {number:5}  {what}" for what, number in _counts(comparisons, pairs, failed).items() if number]
    for row in ("documents", *rows):
        shared.print_message(row)
    values = sum(comparison.compared for comparison in comparisons)
    compared = shared.count(len(comparisons), "pair")
    shared.print_message(f"bpconvert: {shared.count(values, 'value')} compared in {compared} of documents")


def _print_json(arguments: argparse.Namespace, comparisons: list[Comparison], pairs: Pairs, failed: int) -> None:
    from bpconvert.reports.as_json import json_report

    parts: dict[str, Any] = {
        "engines": arguments.engines,
        "draws": arguments.draws,
        "seed": arguments.seed,
        "pairs": [comparison.as_dict() for comparison in comparisons],
        "only_in_first": list(map(str, pairs.only_first)),
        "only_in_second": list(map(str, pairs.only_second)),
        "summary": {
            "compared": sum(comparison.compared for comparison in comparisons),
            "same": sum(not comparison.differences and not comparison.has_failed for comparison in comparisons),
            "failed": failed,
            "silent": sum(bool(comparison.silent) for comparison in comparisons),
        },
    }
    shared.write_stdout(json_report("verify", **parts))
