"""Results of earlier runs on the command line: ``--force``, ``--prune``, ``--check``, ``--diff``."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from bpconvert.cli import command as shared
from bpconvert.cli.filters import NEVER

if TYPE_CHECKING:
    from bpconvert.batch import Outcome, Plan, Writing
    from bpconvert.options import Options


def take_reruns(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    group = parser.add_argument_group("results of an earlier run (edits in them are kept)")
    add = group.add_argument
    add("--force", action="store_true", help="overwrite what is there, edits included")
    add("--prune", action="store_true", help="remove results whose source is gone, and generated files without use")
    add("--check", action="store_true", help="write nothing; exit with 1 if a result is not up to date")
    add("--diff", action="store_true", help="write nothing; print what would change as a unified diff")


def check_usage(arguments: argparse.Namespace) -> None:
    """Raise UsageError for options that do not fit together."""
    from bpconvert.batch import STDIN
    from bpconvert.diagnostics import UsageError

    chosen = [name for name in ("check", "diff", "prune", "force") if getattr(arguments, name)]
    if chosen and arguments.output in (None, STDIN):
        raise UsageError(f"--{chosen[0]} needs -o PLACE: standard output is no earlier result")
    if arguments.diff and arguments.report == STDIN:
        raise UsageError("--diff and --report - both need standard output")


def writing(arguments: argparse.Namespace, options: Options) -> Writing:
    """How the results are written."""
    from bpconvert.batch import Writing

    return Writing(options, arguments.force, arguments.check or arguments.diff)


def is_silent(arguments: argparse.Namespace) -> bool:
    """True for a run that looks for changes alone: the findings of the conversion are those of the last one."""
    return (arguments.check or arguments.diff) and not arguments.verbose and arguments.fail_on == NEVER


def print_changes(arguments: argparse.Namespace, outcome: Outcome) -> None:
    """Print what an outcome changes, for ``--diff``."""
    if arguments.diff and outcome.changes:
        from bpconvert.cli.diffs import diffs_of

        shared.write_stdout(diffs_of(outcome))


def finish_tree(
    arguments: argparse.Namespace, outcomes: Sequence[Outcome], planned: Plan, options: Options
) -> Iterator[Outcome]:
    """What earlier runs left, with ``--prune`` without what could be removed; as outcomes without a result."""
    if arguments.output is None or not (planned.tree or any(outcome.unused for outcome in outcomes)):
        return
    from bpconvert.batch import Job, Outcome, describe
    from bpconvert.leftovers import leftovers, remove
    from bpconvert.translators.dialects import DIALECTS

    sources = [arguments.source] if arguments.source else [name for name in DIALECTS if name != arguments.target]
    is_dry = arguments.check or arguments.diff
    for leftover in leftovers(outcomes, planned.tree, arguments.target, sources, options):
        outcome = Outcome(Job(str(leftover.place), None, None))
        outcome.diagnostics = [leftover.finding]
        if arguments.prune and not is_dry and not leftover.place.is_dir() and (leftover.removable or arguments.force):
            try:
                remove(leftover.place, planned.tree.output if planned.tree else None)
                shared.print_message("" if arguments.quiet else f"{leftover.place}: removed")
                continue
            except OSError as error:
                outcome.kind, outcome.error = "file", describe(error)
        yield outcome


def is_stale(arguments: argparse.Namespace, outcomes: Sequence[Outcome], left: Sequence[Outcome]) -> bool:
    """True when ``--check`` has to fail, with the reason printed."""
    if not arguments.check:
        return False
    stale = [outcome for outcome in outcomes if outcome.changes]
    for outcome in stale if not arguments.quiet else ():
        names = ", ".join(str(change.place) for change in outcome.changes)
        shared.print_message(f"{outcome.job.name}: not up to date: {names}")
    return bool(stale or left)


def summary(outcomes: Sequence[Outcome]) -> list[str]:
    """Parts of the closing line: how many results keep edits of the earlier ones."""
    edited = sum(any(finding.code == "BPC640" for finding in outcome.diagnostics) for outcome in outcomes)
    return [f"edits kept in {shared.count(edited, 'result')}"] if edited else []
