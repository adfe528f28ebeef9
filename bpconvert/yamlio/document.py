"""A YAML document: its values as the engines see them, where each was written, and the comments beside them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from bpconvert.yamlio.comments import Comment, Note, collect, fold
from bpconvert.yamlio.events import Event, byte_order_mark, decode, scan
from bpconvert.yamlio.excerpt import excerpt, span
from bpconvert.yamlio.scalars import MERGE
from bpconvert.yamlio.tree import UNPLACED, Builder, Map, Path, Place, Seq, event_place, nested, written

__all__ = ["Comment", "Document", "Duplicate", "Map", "Path", "Place", "Seq", "load"]


class Duplicate(NamedTuple):
    """A key that repeats an earlier one (at ``first``) of its mapping. ``path`` ends in it; places count from 1."""

    path: Path
    key: Any
    line: int
    column: int
    first: Place


class Document:
    """What :func:`load` made of a text: ``data`` is plain Python, mappings are :class:`Map`, sequences :class:`Seq`.

    Comments and source texts are worked out from ``data`` when asked for: do not change it before."""

    def __init__(
        self, name: str, text: str, data: Any, events: Sequence[Event] = (), duplicates: Sequence[Duplicate] = ()
    ) -> None:
        self.name = name
        self.text = text
        #: the byte order mark that stood before the text
        self.mark = ""
        self.data = data
        self.events = list(events)
        self.duplicates = list(duplicates)
        self._numbers: dict[int, dict[Any, int]] = {}

    @cached_property
    def comments(self) -> dict[Path, Comment]:
        """The comments by the path of their entry, () for the file's header."""
        return fold(self.text, self.notes)

    @cached_property
    def notes(self) -> list[Note]:
        """Every comment with its place in the text, in the order of the text."""
        return collect(self.text, self.events, self.data) if "#" in self.text and self.events else []

    @cached_property
    def order(self) -> dict[int, int]:
        """The number of each event, by its identity."""
        return {id(event): number for number, event in enumerate(self.events)}

    def numbers(self, node: Map) -> dict[Any, int]:
        """The number of each key's last entry in ``node``."""
        known = self._numbers.get(id(node))
        if known is None:
            known = {entry[0]: number for number, entry in enumerate(node.entries)}
            self._numbers[id(node)] = known
        return known

    def locate(self, path: Path) -> Place:
        """Line and column, from 1, of the entry at ``path``: of its key, or of an item behind its dash.

        The longest prefix of the path that is in the source counts; () is the first entry, (1, 1) when there is none.
        A merged key is where it was written, and so is what an alias stands for."""
        node, found = self.data, self._first_entry()
        for step in path:
            try:
                if type(node) is Map:
                    _, event, _, node = node.entry(step)
                elif type(node) is Seq:
                    event, node = node.items[step], node[step]
                else:
                    break
            except (AttributeError, LookupError, TypeError):
                break
            found = event_place(event)
        return found

    def _first_entry(self) -> Place:
        first = next(written(self.data), None) if self.events else None
        return event_place(first[1]) if first else UNPLACED

    def source(self, path: Path) -> str | None:
        """The lines of the block entry ``key: value`` at ``path`` with its comments, dedented to column 0, with LF.

        Read alone they give ``{key: value}`` again; the text ends with a line break.
        None where this cannot be: an item; an entry in brackets, behind a dash on the same line or with an explicit
        ``?``; one that has an anchor or alias in it, or came through one."""
        return excerpt(self, path) if self.events else None


    def span(self, path: Path) -> tuple[int, int, int] | None:
        """Where the lines of the block entry at ``path`` begin and end in the text, with its comments, and its column;
        None for one that does not stand on lines of its own, or has an anchor in it."""
        return span(self, path) if self.events else None


def load(source: str | bytes, name: str = "<input>", *, timestamps: bool = False) -> Document:
    """Read the one YAML document in ``source`` as PyYAML's SafeLoader reads it; an empty one has the data None.

    ``source`` is text or UTF-8 or UTF-16 bytes; ``name`` is the file's name for messages. With ``timestamps`` a plain
    ``2013-05-23`` is a date, as in Cloudify; without it is text, as in Heat.

    Raises SourceError: BPC101 not YAML, BPC103 several documents, BPC104 unknown tag, BPC105 anchor or alias that leads
    nowhere, BPC106 what the engines make no value of, BPC107 not text."""
    text = decode(source, name)
    events = scan(text, name)
    builder = Builder(events, name, timestamps)
    data = builder.build()
    duplicates = list(_duplicates((), data)) if builder.repeats else []
    document = Document(name, text, data, events, duplicates)
    document.mark = byte_order_mark(source)
    return document


def _duplicates(path: Path, node: Any) -> Iterator[Duplicate]:
    """The repeated keys in ``node`` and below."""
    if type(node) is Map:
        seen: dict[Any, Place] = {}
        for key, event, _, _ in node.entries:
            if key in seen and key is not MERGE:
                yield Duplicate((*path, key), key, *event_place(event), seen[key])
            seen.setdefault(key, event_place(event))
    for step, _, value in nested(node):
        yield from _duplicates((*path, step), value)
