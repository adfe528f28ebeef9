"""What has to be done before results can be deployed: ``--deploy-notes``."""

from __future__ import annotations

import argparse
import os
import posixpath
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from bpconvert.cli import command as shared

if TYPE_CHECKING:
    from pathlib import Path

    from bpconvert.batch import Outcome
    from bpconvert.translators.support.deploying import Bundle


def check_usage(arguments: argparse.Namespace, read: Sequence[str]) -> None:
    """Raise UsageError for a file that cannot be written. ``read``: the files that the command uses."""
    name = arguments.deploy_notes
    from bpconvert.batch import STDIN
    from bpconvert.deploy_notes import FORMATS
    from bpconvert.diagnostics import UsageError
    from bpconvert.translators.dialects import DIALECTS

    target = DIALECTS[arguments.target]
    if target.deployed() is None:
        raise UsageError(f"--deploy-notes: the steps for {target.title} {target.word}s are not known")
    if arguments.output in (None, STDIN):
        raise UsageError("--deploy-notes needs -o PLACE: standard output cannot be deployed")
    if os.path.splitext(name)[1] not in FORMATS:
        raise UsageError(f"--deploy-notes {name}: the ending chooses the format: {', '.join(FORMATS)}")
    if any(os.path.realpath(path) == os.path.realpath(name) for path in read):
        raise UsageError(f"--deploy-notes {name} is a source or a result; choose another file")


def write_deploy_notes(arguments: argparse.Namespace, outcomes: Sequence[Outcome]) -> bool:
    """Write the file if it is wanted; False, with the reason printed, when that is not possible."""
    if arguments.check or arguments.diff:
        return True
    from pathlib import Path

    from bpconvert.batch import describe, write_atomically
    from bpconvert.deploy_notes import FORMATS
    from bpconvert.translators.dialects import DIALECTS

    place = Path(arguments.deploy_notes)
    steps = DIALECTS[arguments.target].deployed()
    bundles = [bundle for outcome in outcomes if (bundle := _bundle(outcome, place)) is not None]
    text = FORMATS[place.suffix](steps(bundles)) if steps is not None else ""
    try:
        write_atomically(place, text, 0o777 if place.suffix == ".sh" else 0o666)
    except OSError as error:
        shared.print_message(f"bpconvert: error: cannot write the deploy notes: {describe(error)}")
        return False
    return True


def _bundle(outcome: Outcome, notes: Path) -> Bundle | None:
    """The result of an outcome, with paths from where the notes are."""
    from bpconvert.translators.support.deploying import Bundle
    from bpconvert.yamlio.document import load

    result, target = outcome.result, outcome.job.target
    if result is None or target is None or outcome.kind is not None or outcome.nested_in is not None:
        return None
    path = os.path.relpath(target, notes.parent).replace(os.sep, "/")
    folder = posixpath.dirname(path)

    def placed(name: str) -> str:
        return posixpath.normpath(posixpath.join(folder, name))

    inputs: dict[str, tuple[str, Any]] = {}
    for stage, name in result.inputs.items():
        if name in result.files:
            inputs[stage] = (placed(name), load(result.files[name]).data or {})
    nested = {placed(name): load(result.files[name]).data for name in result.nested if name in result.files}
    return Bundle(path, result.document, nested, inputs)
