"""Which files below a folder are not looked at: those that .gitignore files or patterns of the same form leave out.

The form is that of git (gitignore(5)): the last pattern that matches decides, ``!`` takes a file in again. A pattern
with a slash that is not its last character is about paths from its own folder, all others about names at any depth."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple

#: folders of other tools, which hold no documents of the user's own
FOREIGN: Final = frozenset({"node_modules"})
_GITIGNORE: Final = ".gitignore"


class Pattern(NamedTuple):
    """One pattern. ``base``: the folder that its paths begin in; ``keeps``: it takes in again."""

    base: str
    regex: re.Pattern[str]
    keeps: bool = False
    folders_only: bool = False

    def matches(self, path: str, is_folder: bool) -> bool:
        """Whether the pattern is about a path, which is absolute."""
        if self.folders_only and not is_folder:
            return False
        prefix = self.base.rstrip(os.sep) + os.sep
        if not path.startswith(prefix):
            return False
        return self.regex.fullmatch(path[len(prefix) :].replace(os.sep, "/")) is not None


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
        last = next((one for one in reversed(patterns) if one.matches(path, is_folder)), None)
        return last is not None and not last.keeps

    def _in(self, folder: str) -> list[Pattern]:
        """The patterns that count in a folder, outermost first."""
        if folder not in self._patterns:
            above = self._patterns.get(os.path.dirname(folder), self._outer)
            self._patterns[folder] = [*above, *_read(folder)]
        return self._patterns[folder]


def _around(folder: str) -> list[str]:
    """The folders around one, from the root of its repository down; none where it is in no repository."""
    found: list[str] = []
    while not os.path.exists(os.path.join(folder, ".git")):
        parent = os.path.dirname(folder)
        if parent == folder:
            return []
        found.insert(0, parent)
        folder = parent
    return found


def _read(folder: str) -> list[Pattern]:
    try:
        text = Path(folder, _GITIGNORE).read_text("utf-8", "replace")
    except OSError:
        return []
    return parsed(folder, text.splitlines())


def parsed(base: str, lines: Iterable[str]) -> list[Pattern]:
    """The patterns in lines of the form of a .gitignore file in the folder ``base``."""
    found: list[Pattern] = []
    for line in lines:
        text = re.sub(r"(?<!\\)\s+$", "", line)
        if not text or text.startswith("#"):
            continue
        keeps = text.startswith("!")
        text = text[1:] if keeps else text
        folders_only = text.endswith("/")
        regex = _regex(text.rstrip("/") if folders_only else text)
        found.append(Pattern(os.path.abspath(base), regex, keeps, folders_only))
    return found


_TOKEN: Final = re.compile(
    r"\\(?P<literal>.)|\[(?P<negated>[!^]?)(?P<members>\]?[^\]]*)\]|(?P<any>\*+)|(?P<one>\?)|(?P<text>.)", re.DOTALL
)
_NOTHING: Final = re.compile("(?!)")


@lru_cache(maxsize=256)
def _regex(text: str) -> re.Pattern[str]:
    """A pattern, without what stands around it, as a regular expression for whole paths."""
    anchored = "/" in text
    parts = text.removeprefix("/").split("/")
    made = "" if anchored else "(?:.*/)?"
    for number, part in enumerate(parts):
        last = number == len(parts) - 1
        if part == "**":
            made += ".+" if last else "(?:.*/)?"
        else:
            made += "".join(map(_token, _TOKEN.finditer(part))) + ("" if last else "/")
    try:
        return re.compile(made)
    except re.error:  # a class that is none, such as [z-a], matches nothing
        return _NOTHING


def _token(found: re.Match[str]) -> str:
    if found["text"] == "[":  # a class without an end matches nothing
        return _NOTHING.pattern
    if found["literal"] is not None or found["text"] is not None:
        return re.escape(found["literal"] or found["text"])
    if found["any"] or found["one"]:
        return "[^/]*" if found["any"] else "[^/]"
    members = found["members"].replace("\\", "\\\\").replace("[", "\\[")
    escaped = members.replace("]", "\\]") if members.startswith("]") else members
    return f"[{'^' if found['negated'] else ''}{escaped}]"
