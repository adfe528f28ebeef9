"""Texts of documents, and names of files, for a program: a terminal, a browser, a spreadsheet, a runner."""

from __future__ import annotations

import re
from typing import Final, TypeVar, cast

Shown = TypeVar("Shown", bound=str)

#: stands for a character that is not shown
UNSHOWN: Final = "\ufffd"
#: what steers instead of being text: controls but tabs and line breaks, line breaks that few know, changes of the
#: direction of text (Unicode TR36), and what XML 1.0 has no place for
_CONTROLS: Final = dict.fromkeys(
    [*range(0x09), *range(0x0B, 0x20), *range(0x7F, 0xA0), 0x2028, 0x2029, *range(0x202A, 0x202F),
     *range(0x2066, 0x206A), 0xFFFE, 0xFFFF],
    UNSHOWN,
)  # fmt: skip
#: how the commands of a runner begin that reads what its steps print (actions/runner, ActionCommand;
#: Azure's agent, Command)
_COMMANDS: Final = re.compile(r"^[^\S\n]*:(?=:)|##(?=(?:vso)?\[)", re.MULTILINE)


def printable(text: str) -> str:
    """One line of ``text`` with control characters replaced, so that a document cannot steer the terminal."""
    return text if text.isprintable() else "".join(c if c.isprintable() or c == "\t" else UNSHOWN for c in text)


def without_controls(text: Shown) -> Shown:
    """``text`` with what steers replaced; tabs and line breaks stay. Of a subclass of ``str`` one of the same class."""
    return text if text.isprintable() else cast("Shown", text.translate(_CONTROLS))


def no_commands(text: str) -> str:
    """Lines that a runner of workflows takes for no commands of its own: it looks for them at the beginning of
    a line."""
    return _COMMANDS.sub(lambda match: f"{match[0]}\u200b", text) if ":" in text or "##" in text else text
