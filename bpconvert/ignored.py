"""Which files below a folder are not looked at: those that .gitignore files or patterns of the same form leave out.

The form is that of git (gitignore(5)): the last pattern that matches decides, ``!`` takes a file in again. A pattern
with a slash that is not its last character is about paths from its own folder, all others about names at any depth."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from bpconvert.models.light import NamedTuple

#: folders of other tools, which hold no documents of the user's own
FOREIGN: Final = frozenset({"node_modules"})
_GITIGNORE: Final = ".gitignore"


class Pattern(NamedTuple):
    """One pattern. ``base``: the folder that its paths begin in; ``steps``: what the names on the way match, each the
    parts of a name or :data:`_ANY`; ``keeps``: it takes in again."""

    base: str
    steps: tuple[Any, ...]
    keeps: bool = False
    folders_only: bool = False

    def matches(self, path: str, is_folder: bool) -> bool:
        """Whether the pattern is about a path, which is absolute."""
        if self.folders_only and not is_folder:
            return False
        prefix = self.base.rstrip(os.sep) + os.sep
        return path.startswith(prefix) and _fits(self.steps, path[len(prefix) :].split(os.sep), _is_named)


class Search(NamedTuple):
    """How folders are searched. ``exclude``: folders, each with a pattern for paths from there; ``gitignore``: read the
    .gitignore files of a folder, of those in it, and of those around it up to the root of the repository."""

    exclude: tuple[tuple[str, str], ...] = ()
    gitignore: bool = True


#: all that a user's .gitignore files do not leave out
EVERYTHING: Final = Search()


class Ignored:
    """What is left out below ``folder``."""

    def __init__(self, folder: Path, search: Search) -> None:
        self._exclude = [pattern for base, text in search.exclude for pattern in parsed(base, [text])]
        gitignore = self._gitignore = search.gitignore
        self._patterns: dict[str, list[Pattern]] = {}
        self.left_out = 0
        around = _around(os.path.abspath(folder)) if gitignore else []
        self._outer = [pattern for place in around for pattern in _read(place)]

    def keep(self, parent: str, names: Iterable[str], folders: bool) -> Iterator[str]:
        """Those of the ``names`` in the folder ``parent`` that are looked at; its own parents were asked for before."""
        parent = os.path.abspath(parent)
        for name in names:
            foreign = folders and (name.startswith(".") or name in FOREIGN)
            if not foreign and not self._has(parent, name, folders):
                yield name
            elif not foreign:
                self.left_out += 1

    def _has(self, parent: str, name: str, is_folder: bool) -> bool:
        path = os.path.join(parent, name)
        patterns = [*(self._in(parent) if self._gitignore else []), *self._exclude]
        last = next((pattern for pattern in reversed(patterns) if pattern.matches(path, is_folder)), None)
        return last is not None and not last.keeps

    def _in(self, folder: str) -> list[Pattern]:
        """The patterns that count in a folder, outermost first."""
        if folder not in self._patterns:
            above = self._patterns.get(os.path.dirname(folder), self._outer)
            self._patterns[folder] = [*above, *_read(folder)]
        return self._patterns[folder]


def _around(folder: str) -> list[str]:
    """The folders around one, from the root of its repository down; none where it is in no repository."""
    folders: list[str] = []
    while not os.path.exists(os.path.join(folder, ".git")):
        parent = os.path.dirname(folder)
        if parent == folder:
            return []
        folders.insert(0, parent)
        folder = parent
    return folders


def _read(folder: str) -> list[Pattern]:
    place = Path(folder, _GITIGNORE)
    try:
        text = place.read_text("utf-8", "replace") if place.is_file() else ""  # what is no file may have no end
    except OSError:
        return []
    return parsed(folder, text.splitlines())


def parsed(base: str, lines: Iterable[str]) -> list[Pattern]:
    """The patterns in lines of the form of a .gitignore file in the folder ``base``."""
    patterns: list[Pattern] = []
    for line in lines:
        text = line.rstrip()
        text = line[: len(text) + 1] if text.endswith("\\") else text  # a blank behind a backslash is part of the name
        if not text or text.startswith("#"):
            continue
        keeps = text.startswith("!")
        text = text[1:] if keeps else text
        folders_only = text.endswith("/")
        steps = _steps(text.rstrip("/") if folders_only else text)
        patterns.append(Pattern(os.path.abspath(base), steps, keeps, folders_only))
    return patterns


#: stands for any number of names, or of characters of a name
_ANY: Final = None
_CLASS: Final = r"\[(?P<negated>[!^]?)(?P<members>\]?[^\]]*)\]"
_OTHERS: Final = r"\\(?P<literal>.)|{}|(?P<any>\*+)|(?P<one>\?)|(?P<text>.)"
_TOKEN: Final = re.compile(_OTHERS.format(_CLASS), re.DOTALL)
_TOKEN_OF_NO_CLASS: Final = re.compile(_OTHERS.format(r"(?P<negated>(?!))(?P<members>(?!))"), re.DOTALL)
_NOTHING: Final = re.compile("(?!)")


def _steps(text: str) -> tuple[Any, ...]:
    """What the names on the way of a pattern match."""
    names = text.removeprefix("/").split("/")
    steps: list[Any] = [] if "/" in text else [_ANY]
    for name in names:
        steps.append(_ANY if name == "**" else tuple(map(_token, _tokens(name))))
    if names[-1] == "**":  # all that is in a folder, which is at least one name
        steps.append((_ANY,))
    return tuple(steps)


def _tokens(name: str) -> Iterator[re.Match[str]]:
    """The parts of a pattern for a name. No class begins behind the last bracket that can end one, so that none is
    looked for there."""
    end = name.rfind("]") + 1
    yield from _TOKEN.finditer(name, 0, end)
    yield from _TOKEN_OF_NO_CLASS.finditer(name, end)


def _token(match: re.Match[str]) -> re.Pattern[str] | None:
    """What one part of a name matches: a character, or :data:`_ANY`."""
    if match["any"]:
        return _ANY
    if match["members"] is None:
        literal = match["literal"] or match["text"]
        # a class without an end matches nothing
        return (
            re.compile("." if literal is None else re.escape(literal), re.DOTALL) if match["text"] != "[" else _NOTHING
        )
    members = match["members"].replace("\\", "\\\\").replace("[", "\\[")
    escaped = members.replace("]", "\\]") if members.startswith("]") else members
    try:
        return re.compile(f"[{'^' if match['negated'] else ''}{escaped}]", re.DOTALL)
    except re.error:  # a class that is none, such as [z-a], matches nothing
        return _NOTHING


def _is_named(step: tuple[Any, ...], name: str) -> bool:
    return _fits(step, name, lambda part, character: part.match(character) is not None)


def _fits(pattern: Sequence[Any], items: Sequence[Any], fits: Callable[[Any, Any], bool]) -> bool:
    """Whether the items match the pattern. The time is at most that of comparing each with each: of several
    :data:`_ANY` only the last one is tried again with more items."""
    at = step = mark = 0
    last = -1
    while at < len(items):
        if step < len(pattern) and pattern[step] is _ANY:
            last, mark, step = step, at, step + 1
        elif step < len(pattern) and fits(pattern[step], items[at]):
            at, step = at + 1, step + 1
        elif last >= 0:
            mark, step = mark + 1, last + 1
            at = mark
        else:
            return False
    return all(item is _ANY for item in pattern[step:])
