"""Options of single languages on the command line: how a document of the language is written.

A row of :data:`~bpconvert.translators.dialects.DIALECTS` names those of its language.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import Any, Final

from bpconvert.options import CHOICES, wrong


def _known(option: str, value: str) -> str:
    problem = wrong(option, value)
    if problem is not None:
        raise argparse.ArgumentTypeError(problem)
    return value


def _words(option: str) -> list[str]:
    """The words that the option takes."""
    return [word for word in CHOICES[option] if word is not None]


#: field of ``Options`` -> the help of its option
HELP: Final = {
    "dsl_version": f"{', '.join(_words('dsl_version'))} (default: the lowest that will do)",
    "plugin": "generation of the OpenStack plugin (default: v3)",
    "files": "get_file: put the text in, also copy the file beside the result, or keep the reference (default: inline)",
    "client_config": "where the OpenStack credentials come from (default: secrets)",
    "hot_version": "heat_template_version, by date or name of the release (default: the lowest that will do)",
}
#: those that take no word of ``CHOICES`` as it is -> what reads their value
READERS: Final[dict[str, Callable[[str], str]]] = {
    "dsl_version": lambda text: _known("dsl_version", text.removeprefix("cloudify_dsl_").replace(".", "_")),
    "hot_version": lambda text: _known("hot_version", text),
}


def add_options(group: Any, names: Sequence[str]) -> None:
    """Add the options that set the fields ``names`` of ``Options`` to a group of a parser."""
    for name in names:
        flag, read = f"--{name.replace('_', '-')}", READERS.get(name)
        if read is not None:
            group.add_argument(flag, metavar="VERSION", type=read, help=HELP[name])
        else:
            group.add_argument(flag, choices=_words(name), default=CHOICES[name][0], help=HELP[name])
