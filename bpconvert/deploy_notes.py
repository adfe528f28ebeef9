"""The steps before a deployment as a script for a shell, or as a page."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from typing import Final

from bpconvert.translators.support.deploying import Question, Step

Group = tuple[str, list[Step]]


def as_script(groups: Sequence[Group]) -> str:
    """A POSIX shell script. What the user has to give is taken from variables of the environment; what is to be decided
    is a comment."""
    words_of_all = [word for _, steps in groups for step in steps for word in step.words]
    asked = list(dict.fromkeys(word.name for word in words_of_all if isinstance(word, Question)))
    variables = _variables(asked)
    lines = ["#!/bin/sh", "# Written by bpconvert.", "set -eu", 'cd -- "$(dirname -- "$0")"', ""]
    if asked:
        lines.append("# Give these values, for example with: export NAME=value")
        lines += [f': "${{{variables[name]}:?the value of {_plain(name)}}}"' for name in asked]
        lines.append("")
    for title, steps in groups:
        lines.append(f"# {title}")
        for step in steps:
            lines += [f"# {_printable(step.remark)}"] if step.remark else []
            words = [
                f'"${variables[word.name]}"' if isinstance(word, Question) else _quoted(word) for word in step.words
            ]
            lines += [f"{'# ' if step.later else ''}{' '.join(words)}"] if words else []
        lines.append("")
    return "\n".join(lines).rstrip("\n") + "\n"


def as_page(groups: Sequence[Group]) -> str:
    """A page in Markdown."""
    lines = ["# Deploy", ""]
    for number, (title, steps) in enumerate(groups, 1):
        lines += [f"## {number}. {title}", ""]
        for step in steps:
            lines += [f"{_printable(step.remark)}:", ""] if step.remark else []
            words = [f"'VALUE OF {_plain(w.name)}'" if isinstance(w, Question) else _quoted(w) for w in step.words]
            lines += [f"    {' '.join(words)}", ""] if words else []
    return "\n".join(lines).rstrip("\n") + "\n"


#: ending of the file's name -> what writes it
FORMATS: Final = {".sh": as_script, ".md": as_page}


def _quoted(word: str) -> str:
    """A word on one line of a shell."""
    return shlex.quote(_printable(word))


def _printable(text: str) -> str:
    """``text`` on one line, without what cannot be printed."""
    return "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in text)


def _plain(text: str) -> str:
    """``text`` without what has a meaning inside of quotes."""
    return re.sub(r"[^\w .:/-]", "_", text)


def _variables(names: Sequence[str]) -> dict[str, str]:
    """The variable of each name, each another one."""
    variables: dict[str, str] = {}
    for name in names:
        stem = "SECRET_" + re.sub(r"[^A-Za-z0-9_]", "_", name)
        number = 1
        while (variable := stem if number == 1 else f"{stem}_{number}") in variables.values():
            number += 1
        variables[name] = variable
    return variables
