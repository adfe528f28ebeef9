"""What becomes of one entry, step by step: ``--trace``."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING, Any

from bpconvert.cli import command as shared

if TYPE_CHECKING:
    from bpconvert.batch import Plan
    from bpconvert.cli.formatters import TextFormatter
    from bpconvert.options import Options
    from bpconvert.tracing import Step

#: options that are about a result
_OF_RESULTS = ("output", "report", "deploy_notes")


def check_usage(arguments: argparse.Namespace) -> None:
    """Raise UsageError for more than one document, and for options that need a result."""
    from bpconvert.diagnostics import UsageError

    option = next((name for name in _OF_RESULTS if getattr(arguments, name) is not None), None)
    if option is not None:
        raise UsageError(f"--trace and --{option.replace('_', '-')}: a trace has no result")
    if len(arguments.inputs) != 1 or os.path.isdir(arguments.inputs[0]):
        raise UsageError("--trace is about one document: name its file")


def run(arguments: argparse.Namespace, planned: Plan, options: Options, messages: TextFormatter) -> int:
    """Print the steps; the exit code."""
    (job,) = planned.jobs

    def steps() -> list[Step]:
        from bpconvert.api import trace

        document: Any = job.path or shared.read_stdin(messages.texts, job.name)
        name = job.name if job.path or arguments.stdin_filename else None
        return trace(document, arguments.trace, arguments.source, arguments.target, name=name, options=options)

    printed = shared.attempt(steps, messages, f"bpconvert {arguments.name}")
    if printed is None:
        return shared.FAILED
    shared.write_stdout("\n".join(map(str, printed)))
    return shared.OK
