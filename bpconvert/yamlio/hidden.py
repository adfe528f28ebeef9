"""Where a document has the values of hidden inputs: the lines that they are written on, and those that use them.

A text that is no secret by itself (``prod``, ``1``) is masked there, and nowhere else in the document."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Any, Final

from ruamel.yaml.events import AliasEvent

from bpconvert.models.light import NamedTuple
from bpconvert.yamlio.document import Document
from bpconvert.yamlio.events import Event
from bpconvert.yamlio.tree import Map, Path, Seq, written

_TOKEN: Final = re.compile(r"[\w.-]+")
#: how many parts of what an alias stands for are looked at
_MOST: Final = 1000


class Lines(NamedTuple):
    """``written``: the lines with the declarations of hidden inputs; ``using``: the lines of what refers to them, or to
    an entry that does, and of the keys that this is below."""

    written: frozenset[int]
    using: frozenset[int]


class _Text(NamedTuple):
    """A text of the document: the names that it may refer to, its lines, those of the keys around it, and the entry
    that it is in."""

    names: frozenset[str]
    lines: range
    around: tuple[int, ...]
    entry: str


def lines_of(document: Document, section: str, names: Collection[str]) -> Lines:
    """The lines of the inputs ``names``, which the ``section`` declares."""
    declared = set(names)
    place = document.as_written((section,))
    own: set[int] = set()
    texts: list[_Text] = []
    for path, lines, around, text in _scalars(document.tree):
        if path[: len(place)] == place and len(path) > len(place) and path[len(place)] in declared:
            own.update(lines, around[len(place) :])
        elif text is not None:
            entry = path[len(document.as_written(path[:1])) : len(document.as_written(path[:1])) + 1]
            texts.append(_Text(_names(text), lines, around, str(entry[0]) if entry else ""))
    return Lines(frozenset(own), frozenset(_using(texts, declared)))


def _using(texts: list[_Text], hidden: set[str]) -> Iterator[int]:
    """The lines of texts with one of the names, or with that of an entry that has such a text."""
    by_name: dict[str, list[_Text]] = {}
    for text in texts:
        for name in text.names:
            by_name.setdefault(name, []).append(text)
    names, left = set(hidden), list(hidden)
    while left:
        for text in by_name.get(left.pop(), ()):
            yield from text.lines
            yield from text.around
            if text.entry and text.entry not in names:
                names.add(text.entry)
                left.append(text.entry)


def _names(text: str) -> frozenset[str]:
    """What a text may be the name of, or may have calls of in it."""
    if "{" in text or "$" in text:
        return frozenset(_TOKEN.findall(text))
    return frozenset({text, text.partition(".")[0]})


def _scalars(tree: Any) -> Iterator[tuple[Path, range, tuple[int, ...], str | None]]:
    """The scalars and keys of a tree: their paths, their lines, those of the keys around them, and texts; keys have
    none."""
    left: list[tuple[Path, tuple[int, ...], Any]] = [((), (), tree)]
    while left:
        path, around, node = left.pop()
        for step, key, event, value in written(node):
            line = key.start_mark.line + 1
            below, keys = (*path, step), (*around, line)
            if type(event) is AliasEvent:
                yield below, range(line, line + 1), around, _flat(value)
            elif type(value) in (Map, Seq):
                # a block ends where the next one begins; what is in it has the lines
                yield below, _lines(key, value.last if value.flow else key), around, None
                left.append((below, keys, value))
            else:
                yield below, _lines(key, event), around, value if isinstance(value, str) else None


def _flat(value: Any) -> str:
    """The texts in what an alias stands for, as far as a person would read on."""
    texts, left, seen = ["{"], [value], 0
    while left and seen < _MOST:
        node, seen = left.pop(), seen + 1
        if isinstance(node, str):
            texts.append(node)
        elif isinstance(node, (dict, list)):
            left += node.values() if isinstance(node, dict) else node
    return " ".join(texts)


def _lines(first: Event, last: Event) -> range:
    """The lines from the beginning of an event to the end of another one."""
    end = last.end_mark
    return range(first.start_mark.line + 1, end.line + (end.column > 0) + 1)
