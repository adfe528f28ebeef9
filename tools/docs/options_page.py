"""The reference of all commands and options, made from their arguments."""

from __future__ import annotations

import argparse
from typing import NamedTuple

from bpconvert.cli.command import usage
from bpconvert.cli.main import commands, parser_of
from bpconvert.limits import LIMITS
from bpconvert.translators.dialects import DIALECTS

#: the command that has the options of all conversions
ALL = "convert"


class Row(NamedTuple):
    """An option or operand: how it is written, and what it means."""

    form: str
    help: str


class Group(NamedTuple):
    """Options that stand together in the help."""

    title: str
    rows: list[Row]


class Sheet(NamedTuple):
    """A command."""

    name: str
    summary: str
    usage: str
    examples: str
    exit_codes: str
    groups: list[Group]


def sheets() -> list[Sheet]:
    """All commands; of the conversions the one that has the options of all."""
    pairs = {name for name in commands() if "2" in name}
    return [_sheet(name) for name in commands() if name not in pairs]


def conversions() -> list[tuple[str, str]]:
    """The commands for two languages, and what they convert."""
    return [(name, load().summary) for name, load in commands().items() if "2" in name]


def values() -> dict[str, object]:
    """What the template of the page is given."""
    limits = [(name, f"{limit.usual:,}", limit.what) for name, limit in sorted(LIMITS.items())]
    return {"sheets": sheets(), "conversions": conversions(), "limits": limits, "languages": list(DIALECTS)}


def _sheet(name: str) -> Sheet:
    command = commands()[name]()
    parser = parser_of(name, command)
    groups = [Group(_title(group.title), [_row(action) for action in _shown(group)]) for group in parser._action_groups]
    return Sheet(
        name,
        command.summary,
        usage(parser),
        command.examples,
        command.exit_codes.removeprefix("exit codes: "),
        [group for group in groups if group.rows],
    )


def _title(title: str | None) -> str:
    return {"positional arguments": "", "options": "", None: ""}.get(title, title or "")


def _shown(group: argparse._ArgumentGroup) -> list[argparse.Action]:
    hidden = (argparse.SUPPRESS, "show this help message and exit")
    return [action for action in group._group_actions if action.help not in hidden]


def _row(action: argparse.Action) -> Row:
    text = (action.help or "") % vars(action)
    if not action.option_strings:
        return Row(f"`{action.metavar}`", text)
    value = action.metavar or ("|".join(map(str, action.choices)) if action.choices else action.dest.upper())
    words = "" if action.nargs == 0 else f" {value}"
    return Row(", ".join(f"`{option}{words}`" for option in action.option_strings), text)
