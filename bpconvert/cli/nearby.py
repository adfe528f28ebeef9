"""Environments of a directory on the command line: ``--environments`` and ``--no-environments``."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING

from bpconvert.cli.command import VALUES, group_of
from bpconvert.models.nearby import Nearby

if TYPE_CHECKING:
    from bpconvert.batch import Job, Plan
    from bpconvert.options import Options


def take_nearby(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    add = group_of(parser, VALUES).add_argument
    text = "Heat environment file for the templates that a pattern names, as in .gitignore (may be repeated)"
    add("--environments", dest="by_path", metavar="GLOB=FILE", type=_by_path, action="append", default=[], help=text)
    text = "do not take what the environments in a directory say about types"
    add("--no-environments", dest="find_environments", action="store_false", help=text)


def _by_path(text: str) -> tuple[str, str, str]:
    """The folder that the pattern is for, the pattern and the file."""
    glob, separator, file = text.rpartition("=")
    if not separator or not glob or not file:
        raise argparse.ArgumentTypeError(f"{text!r} is not GLOB=FILE")
    return os.getcwd(), glob, file


def with_nearby(arguments: argparse.Namespace, planned: Plan, options: Options) -> Options:
    """The options with the environments of the directory that is converted, if there is one."""
    if not arguments.find_environments or planned.tree is None:
        return options
    from bpconvert.trees import nearby_of

    return options._replace(nearby=nearby_of(planned, options.allow_outside))


def for_job(arguments: argparse.Namespace, job: Job, options: Options) -> Options:
    """The options of one document: what is beside a single one is named in findings."""
    if job.path is None or options.nearby is not None or not arguments.find_environments:
        return options
    folder = str(job.path.parent)
    return options._replace(nearby=Nearby((), folder, folder, takes=False))
