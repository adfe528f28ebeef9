"""What an engine sets when it starts a script, for engines that start it without: lines of the script itself.

The script plugin and fabric join prefix, file and arguments to one command of a shell, which they run in a folder
(script_runner/tasks.py, ``execute``; fabric_plugin/tasks.py, ``run_script``)."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable
from typing import Final

from bpconvert.models.expressions import Concat, Expr, Path, Value
from bpconvert.models.light import NamedTuple, replace
from bpconvert.models.topology import Operation, Script
from bpconvert.translators.passes.request import Request
from bpconvert.translators.passes.software.kinds import ARGUMENTS, FOLDER, PROGRAM, is_for_powershell
from bpconvert.translators.support.places import common
from bpconvert.translators.support.text import fresh

#: a first line that names a shell
_SHELL: Final = re.compile(r"#![ \t]*(\S*/)?(env[ \t]+)?(ba|da|k|a|z)?sh\b")
#: a program that a first line can name
_ONE_WORD: Final = re.compile(r"(?a)/?[\w.+-]+(/[\w.+-]+)*")
#: what ends a command, begins another one, or is not the same in all shells
_SIGNS: Final = re.compile(r"[;&|<>()`\n#]|(?<!\$)\{")
_VARIABLES: Final = {ARGUMENTS: "script_arguments", FOLDER: "script_folder"}


class Started(NamedTuple):
    """A script that sets itself what its engine sets. ``inputs``: the variables for that, with their places;
    ``settings``: what it sets."""

    text: str
    inputs: dict[str, tuple[Value, Path]]
    settings: list[str]


def start(operations: Iterable[Operation], request: Request) -> None:
    """Let the scripts of ``operations`` set themselves what the source's engine sets; what they cannot set stays in
    ``setup``."""
    for operation in operations:
        script = operation.script
        if script is None or not script.setup:
            continue
        text = script.text if script.file is None else request.files.look(script.file)[0]
        if text is None or (not script.fitted and request.source.programs.tool(script.file or "", text)):
            continue  # a script that only the source's engine runs is reported as it is
        result = started(text, script, operation.path)
        if result is None:
            continue
        inputs = script.inputs | result.inputs
        left = {name: row for name, row in script.setup.items() if name not in result.settings}
        operation.script = replace(script, file=None, text=result.text, inputs=inputs, setup=left)
        if script.file is not None:
            request.files.keep(script.file)
        place = (*operation.path, *common([script.setup[name][1] for name in result.settings]))
        names = ", ".join(f"'{name}'" for name in result.settings)
        request.reporter.report("BPC984", place, names=names, name=operation.name)


def started(text: str, script: Script, path: Path = ()) -> Started | None:
    """``text`` with a first line and lines for what ``script.setup`` has; None where none of it has such a form. Words
    of arguments are read by a shell, as they are in the command. ``path``: of the operation."""
    if script.tool or script.evaluated or is_for_powershell(script.file or ""):
        return None
    first, _, body = text.partition("\n") if text.startswith("#!") else ("", "", text)
    settings: list[str] = []
    if PROGRAM in script.setup:
        program = script.setup[PROGRAM][0]
        if not isinstance(program, str) or not _ONE_WORD.fullmatch(program):
            return None
        first = f"#!{program}" if program.startswith("/") else f"#!/usr/bin/env {program}"
        settings.append(PROGRAM)
    first = first or "#!/bin/sh"
    lines: list[str] = []
    inputs: dict[str, tuple[Value, Path]] = {}
    for name in (FOLDER, ARGUMENTS) if _SHELL.match(first) else ():
        line = _line(name, script, inputs, path) if name in script.setup else None
        if line is not None:
            lines.append(line)
            settings.append(name)
    return Started("\n".join([first, *lines, body]), inputs, settings) if settings else None


def _line(name: str, script: Script, inputs: dict[str, tuple[Value, Path]], path: Path) -> str | None:
    """The line for a setting, with a variable for what is computed; None where it is no words of one command."""
    value, place = script.setup[name]
    words = value if isinstance(value, list) else [value]
    if isinstance(value, list) is not (name == ARGUMENTS) or not all(isinstance(word, (str, Expr)) for word in words):
        return None
    if name == ARGUMENTS and any(isinstance(word, str) and _SIGNS.search(word) for word in words):
        return None
    if all(isinstance(word, str) for word in words):
        return f"cd {shlex.quote(words[0])} || exit 1" if name == FOLDER else f"set -- {' '.join(words)}"
    variable = fresh(_VARIABLES[name], script.inputs)
    parts = [part for word in words for part in (" ", word)][1:]
    inputs[variable] = parts[0] if len(parts) == 1 else Concat(tuple(parts), path=(*path, *place)), place
    return f'cd "${variable}" || exit 1' if name == FOLDER else f'eval "set -- ${variable}"'
