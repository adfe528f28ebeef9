"""Values of parameters on the command line: ``--param``, ``--params-file``, ``--assume-defaults``."""

from __future__ import annotations

import argparse
import os
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from bpconvert.cli.command import READING, VALUES, attempt, group_of

if TYPE_CHECKING:
    from bpconvert.cli.formatters import TextFormatter

#: keys of a Heat environment; a file that has one of the first two is one
_ENVIRONMENT: Final = ("parameters", "parameter_defaults")


def take_params(parser: argparse.ArgumentParser, decided: bool = True) -> None:
    """Add the options. ``decided``: those of a conversion, which also takes defaults for decided."""
    effect = ", which it fixes: dependent expressions are evaluated" if decided else ""
    what = f"value of a parameter or input{effect}"
    add = group_of(parser, VALUES).add_argument
    add("--param", metavar="NAME=VALUE", type=_pair, action="append", default=[], help=f"{what} (may be repeated)")
    files = "values of parameters: a map in YAML, a file of inputs, or the parameters of a Heat environment"
    add("--params-file", metavar="FILE", action="append", default=[], help=f"{files} (may be repeated)")
    if decided:
        add("--assume-defaults", action="store_true", help="fix the parameters that have a default, too")


def take_nearby(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    add = group_of(parser, READING).add_argument
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


def _pair(text: str) -> tuple[str, str]:
    name, separator, value = text.partition("=")
    if not separator or not name:
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=VALUE")
    return name, value


def read_params(arguments: argparse.Namespace, messages: TextFormatter) -> bool:
    """Set ``arguments.params`` to all values: files in their order, then ``--param``; None where there are none. False,
    with the error reported, where a file cannot be used."""
    collected: dict[str, Any] = {}
    for name in arguments.params_file:
        values = attempt(partial(params_of, name), messages, "bpconvert")
        if values is None:
            return False
        collected.update(values)
    arguments.params = {**collected, **dict(arguments.param)} or None
    return True


def params_of(name: str) -> dict[str, Any]:
    """The values in a file. Raises SourceError where it holds no map, OSError where it cannot be read."""
    from pathlib import Path

    from bpconvert.diagnostics import Reporter, SourceError
    from bpconvert.yamlio.document import load

    document = load(Path(name).read_bytes(), name)
    data = document.data
    problem: tuple[tuple[Any, ...], str] | None = None if isinstance(data, dict) else ((), "a map is expected")
    values: dict[str, Any] = {}
    sections = [key for key in reversed(_ENVIRONMENT) if isinstance(data, dict) and key in data]
    for key in sections:
        part = data[key]
        if part is not None and not isinstance(part, dict):
            problem = ((key,), f"'{key}' is no map")
            break
        values.update(part or {})
    if problem is None and not sections:
        values = dict(data)
    odd = next((key for key in values if not isinstance(key, str)), None)
    if problem is None and odd is not None:
        problem = ((*sections[-1:], odd), f"{odd!r} is no name")
    if problem is not None:
        document.secrets.add(values)  # which of them are hidden is not known yet
        raise SourceError(Reporter(document).build("BPC515", problem[0], problem=problem[1]))
    return values
