"""Environments of stages on the command line: ``--stage``."""

from __future__ import annotations

import argparse
import re

from bpconvert.cli.command import VALUES, group_of

#: what the name of a stage, which is part of the names of files, may be
_NAME = r"[A-Za-z0-9][A-Za-z0-9_-]*"


def take_stages(parser: argparse.ArgumentParser) -> None:
    """Add the option."""
    text = (
        "Heat environment of a stage: its values go to RESULT.NAME.inputs.yaml (may be repeated; default name: FILE's)"
    )
    add = group_of(parser, VALUES).add_argument
    add("--stage", dest="stages", metavar="[NAME=]FILE", type=_stage, action="append", default=[], help=text)


def _stage(text: str) -> tuple[str, str]:
    """The name and the file: ``envs/prod.env.yaml`` is the stage ``prod``."""
    from pathlib import Path

    name, separator, file = text.partition("=")
    if not separator or "/" in name:
        name, file = Path(text).name.split(".")[0], text
    if not file or not re.fullmatch(_NAME, name):
        raise argparse.ArgumentTypeError(f"{text!r} is not [NAME=]FILE (letters, digits, '_' and '-' in the name)")
    return name, file


def check_stages(arguments: argparse.Namespace) -> None:
    """Raise UsageError for two files of one stage."""
    names = [name for name, _ in arguments.stages]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        from bpconvert.diagnostics import UsageError

        raise UsageError(f"there are two files of the stage '{twice}'")
