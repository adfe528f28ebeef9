"""A YAML document: its values as the engines see them, where each was written, the comments beside them, and the lines
of single entries."""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from copy import copy
from functools import cached_property
from typing import Any

from ruamel.yaml.events import AliasEvent, ScalarEvent

from bpconvert.diagnostics.secrets import Secrets
from bpconvert.models.light import NamedTuple
from bpconvert.yamlio.comments import Comment, Note, collect, fold
from bpconvert.yamlio.events import Event, byte_order_mark, decode, scan
from bpconvert.yamlio.scalars import MERGE
from bpconvert.yamlio.tree import UNPLACED, Builder, Map, Path, Place, Seq, event_place, nested, written

__all__ = ["Comment", "Document", "Duplicate", "Map", "Path", "Place", "Seq", "load", "unfolded"]

KEEP = "[|>][-0-9]*[+]"
LINE_END = re.compile("\r\n|\r|\n|\\Z")


class Duplicate(NamedTuple):
    """A key that repeats an earlier one (at ``first``) of its mapping. ``path`` ends in it; places count from 1;
    ``same``: with the same value, in the same words."""

    path: Path
    key: Any
    line: int
    column: int
    first: Place
    same: bool = False

    @property
    def code(self) -> str:
        """The diagnostic for it."""
        return "BPC252" if self.same else "BPC102"


class Document:
    """What :func:`load` made of a text: ``data`` is plain Python, mappings are :class:`Map`, sequences :class:`Seq`.

    Comments and the lines of entries are worked out from ``data`` when asked for: do not change it before."""

    def __init__(
        self, name: str, text: str, data: Any, events: Sequence[Event] = (), duplicates: Sequence[Duplicate] = ()
    ) -> None:
        self.name = name
        self.text = text
        #: the byte order mark that stood before the text
        self.mark = ""
        self.data = data
        #: the data as written, and the sections of ``data`` that are inside of another one there -> that one
        self.tree = data
        self.inside: dict[str, str] = {}
        #: what the section that others are inside of may be called; what it is called, "" where there is none; and all
        #: that belong there
        self.bodies: Collection[str] = ()
        self.body = ""
        self.inner: Collection[str] = ()
        self.events = list(events)
        self.duplicates = list(duplicates)
        #: the tag and the place of each value that is no data of JSON: bytes and sets
        self.unstored: list[tuple[str, Place]] = []
        #: what findings do not quote
        self.secrets = Secrets()
        #: the document that this one is a part of, in whose text everything has its place
        self.whole: Document | None = None
        self._numbers: dict[int, dict[Any, int]] = {}

    @cached_property
    def is_json(self) -> bool:
        """True for a map that is written as JSON."""
        try:
            return self.text.lstrip()[:1] == "{" and isinstance(json.loads(self.text), dict)
        except ValueError:
            return False

    @cached_property
    def comments(self) -> dict[Path, Comment]:
        """The comments by the path of their entry, () for the file's header."""
        comments_by_path = fold(self.text, self.notes)
        return (
            {self.lifted(path): comment for path, comment in comments_by_path.items()}
            if self.inside
            else comments_by_path
        )

    @cached_property
    def notes(self) -> list[Note]:
        """Every comment with its place in the text, in the order of the text."""
        return collect(self.text, self.events, self.tree) if "#" in self.text and self.events else []

    @cached_property
    def order(self) -> dict[int, int]:
        """The number of each event, by its identity."""
        return {id(event): number for number, event in enumerate(self.events)}

    def numbers(self, node: Map) -> dict[Any, int]:
        """The number of each key's last entry in ``node``."""
        numbers = self._numbers.get(id(node))
        if numbers is None:
            numbers = {entry[0]: number for number, entry in enumerate(node.entries)}
            self._numbers[id(node)] = numbers
        return numbers

    def locate(self, path: Path) -> Place:
        """Line and column, from 1, of the entry at ``path``: of its key, or of an item behind its dash.

        The longest prefix of the path that is in the source counts; () is the first entry, (1, 1) when there is none.
        A merged key is where it was written, and so is what an alias stands for."""
        if self.whole is not None:
            return self.whole.locate(path)
        node: Any = self.tree
        place: Place | None = None
        for step in self.as_written(path):
            try:
                if type(node) is Map:
                    _, event, _, node = node.entry(step)
                elif type(node) is Seq:
                    event, node = node.items[step], node[step]
                else:
                    break
            except (AttributeError, LookupError, TypeError):
                break
            place = event_place(event)
        return self._first_entry() if place is None else place

    def _first_entry(self) -> Place:
        first = next(written(self.tree), None) if self.events else None
        return event_place(first[1]) if first else UNPLACED

    def span(self, path: Path) -> tuple[int, int, int] | None:
        """Where the lines of the block entry at ``path`` begin and end in the text, with its comments, and its column;
        None for one that does not stand on lines of its own, or has an anchor that others refer to."""
        path = self.as_written(path)
        return self._extent(path, _events(self, path) if self.events else [])

    def extent(self, path: Path) -> tuple[int, int, int] | None:
        """As :meth:`span`, with an anchor as well: the lines that others are put before or behind."""
        path = self.as_written(path)
        return self._extent(path, _events(self, path) if self.events else [], is_moved=False)

    def _extent(self, path: Path, events: list[Event], is_moved: bool = True) -> tuple[int, int, int] | None:
        if not events or (is_moved and self._is_referred_to(events)):
            return None
        key = events[0].start_mark
        if self.text[key.index - key.column : key.index].strip(" "):
            return None
        end = _end(self, path, events)
        return (_begin(self, path, events[0]), end, key.column) if end else None

    def has_anchor(self, path: Path) -> bool:
        """Whether there is an anchor in the block entry at ``path``."""
        return bool(self.events and _anchors(_events(self, self.as_written(path))))

    def _is_referred_to(self, events: list[Event]) -> bool:
        """Whether one of these has an anchor that an alias elsewhere has the name of."""
        anchors = _anchors(events)
        if not anchors:
            return False
        here = Counter(event.anchor for event in events if type(event) is AliasEvent)
        return any(self._aliases[name] > here[name] for name in anchors)

    @cached_property
    def _aliases(self) -> Counter[str]:
        """How many aliases each anchor has."""
        return Counter(event.anchor for event in self.events if type(event) is AliasEvent)

    def item_span(self, path: Path, is_moved: bool = True) -> tuple[int, int, int] | None:
        """As :meth:`span`, of the item of a block sequence at ``path``; the column is that of its dash. An item that is
        not ``is_moved`` may have an anchor: others are put before or behind it."""
        path = self.as_written(path)
        node, number = _sequence(self, path), path[-1]
        if node is None or not isinstance(number, int) or number >= len(node):
            return None
        behind = node.items[number + 1] if number + 1 < len(node) else node.last
        events = self.events[self.order[id(node.items[number])] : self.order[id(behind)]]
        first = events[0].start_mark
        head = self.text[first.index - first.column : first.index]
        if (is_moved and self._is_referred_to(events)) or not re.fullmatch(" *- +", head):
            return None
        end = _end(self, path, events)
        return (_begin(self, path, events[0]), end, head.index("-")) if end else None

    def as_written(self, path: Path) -> Path:
        """Where what ``data`` has at ``path`` is written in the text."""
        return (self.inside[path[0]], *path) if path and path[0] in self.inside else path

    def lifted(self, path: Path) -> Path:
        """Where ``data`` has what is written at ``path``."""
        return path[1:] if len(path) > 1 and self.inside.get(path[1]) == path[0] else path

    def like(self, other: Document) -> Document:
        """This document with the same sections lifted as in ``other``, also where that has none of them."""
        return unfolded(self, other.bodies, other.inner) if other.bodies else self


def unfolded(document: Document, bodies: Collection[str], sections: Collection[str]) -> Document:
    """``document`` with the ``sections`` that are inside of one of its sections ``bodies`` lifted beside that one: in
    ``data``, its comments and all paths. What else a body has stays there."""
    tree = document.tree
    lifted = copy(document)
    lifted.__dict__.pop("comments", None)
    lifted.bodies, lifted.inner = bodies, sections
    lifted.body = next((name for name in bodies if isinstance(tree, dict) and isinstance(tree.get(name), dict)), "")
    if not lifted.body:
        return lifted
    body = lifted.body
    data: dict[Any, Any] = {}
    lifted.inside, lifted.data = {}, data
    for name, content in tree.items():
        if name != body:
            data[name] = content
            continue
        others = {}
        for section, value in content.items():
            if section in sections and section not in tree:
                data[section] = value
                lifted.inside[section] = body
            else:
                others[section] = value
        if others:
            data[body] = others
    return lifted


def load(source: str | bytes, name: str = "<input>", core: Callable[[str], bool] | None = None) -> Document:
    """Read the one YAML document in ``source`` as PyYAML's SafeLoader reads it; an empty one has the data None.

    ``source`` is text or UTF-8 or UTF-16 bytes; ``name`` is the file's name for messages; ``core`` is asked whether a
    text is one that is read by the core schema of YAML 1.2.

    Raises SourceError: BPC101 not YAML, BPC103 several documents, BPC104 unknown tag, BPC105 anchor or alias that leads
    nowhere, BPC106 what the engines make no value of, BPC107 not text."""
    text = decode(source, name)
    events = scan(text, name)
    builder = Builder(events, name, core=core is not None and core(text))
    data = builder.build()
    duplicates = list(_duplicates((), data)) if builder.repeats else []
    document = Document(name, text, data, events, duplicates)
    document.mark = byte_order_mark(source)
    document.unstored = [(str(event.tag).rpartition(":")[2], event_place(event)) for event in builder.unstored]
    return document


def _duplicates(path: Path, node: Any) -> Iterator[Duplicate]:
    if type(node) is Map:
        seen: dict[Any, tuple[Place, Any]] = {}
        for key, event, _, value in node.entries:
            if key in seen and key is not MERGE:
                place, other = seen[key]
                same = repr(value) == repr(other)
                yield Duplicate((*path, key), key, *event_place(event), place, same)
            seen.setdefault(key, (event_place(event), value))
    for step, _, value in nested(node):
        yield from _duplicates((*path, step), value)


def _events(document: Document, path: Path) -> list[Event]:
    """The events of the block entry at ``path``, that of its key first; [] where there is none."""
    entry = _entry(document, path)
    if entry is None:
        return []
    node, number = entry
    key = node.entries[number][1]
    behind = node.entries[number + 1][1] if number + 1 < len(node.entries) else node.last
    return document.events[document.order[id(key)] : document.order[id(behind)]]


def _anchors(events: list[Event]) -> set[str]:
    return {event.anchor for event in events if getattr(event, "anchor", None) and type(event) is not AliasEvent}


def _entry(document: Document, path: Path) -> tuple[Map, int] | None:
    """The block mapping that holds the entry at ``path``, and which of its entries that is; None when the way leads
    through an alias or a merge, or ends in an item or in brackets."""
    node = holder(document, path) if path else None
    if type(node) is not Map or node.flow:
        return None
    number = document.numbers(node).get(path[-1])
    return None if number is None else (node, number)


def _sequence(document: Document, path: Path) -> Seq | None:
    """The block sequence that has the item at ``path``; None where the way leads through an alias or a merge."""
    node = holder(document, path)
    return node if type(node) is Seq and not node.flow else None


def holder(document: Document, path: Path) -> object:
    """What is written around the last step of ``path``, a place in the text; None where the way leads nowhere, or
    through an alias or a merge."""
    node: object = document.tree
    for step in path[:-1]:
        try:
            if type(node) is Map and step not in node.merged:
                _, _, event, node = node.entry(step)
            elif type(node) is Seq:
                event, node = node.items[step], node[step]
            else:
                return None
        except (LookupError, TypeError):
            return None
        if type(event) is AliasEvent:
            return None
    return node


def _begin(document: Document, path: Path, key: Event) -> int:
    """The start of the key's line, or of the first of the comments right above it."""
    text = document.text
    begin: int = key.start_mark.index - key.start_mark.column
    for note in reversed(document.notes[: bisect_left(document.notes, (begin,))]):
        if note.path != path or note.slot != "before" or text[note.end : begin].strip():
            break
        begin = len(text[: note.start].rstrip(" \t"))
    return begin


def _end(document: Document, path: Path, events: list[Event]) -> int:
    """The end of the value's last line, or of the comments that end it; no blank lines unless they have a meaning.
    0 where the value would change if the text were given the line break that the file ends without, and where the
    entry ends in a ``?`` without a key, whose place the scanners do not tell."""
    text = document.text
    tail = max((event for event in events if _stands(event)), key=lambda event: int(event.end_mark.index))
    if tail.end_mark.index == tail.start_mark.index and text[tail.start_mark.index - 1] not in "-:":
        return 0
    block = type(tail) is ScalarEvent and tail.style in ("|", ">")
    end: int = tail.end_mark.index if block else _line_end(text, tail.end_mark.index)
    if block and text[end - 1 : end] not in ("\r", "\n"):
        return 0
    commented = False
    for note in document.notes[bisect_left(document.notes, (end,)) :]:
        if note.path[: len(path)] != path or text[end : note.start].strip():
            break
        end, commented = _line_end(text, note.end), True
    begin = int(events[0].start_mark.index)
    content: int = min(_line_end(text, begin + len(text[begin:end].rstrip(" \t\r\n"))), end)
    if block and not commented:
        header = text[tail.start_mark.index : _line_end(text, tail.start_mark.index)]
        if re.search(KEEP, header) or text[content:end].strip("\r\n"):
            return end
    return content


def _stands(event: Event) -> bool:
    """Whether the event has a place of its own: the ends of block collections have not, their mark is what follows."""
    return type(event) is ScalarEvent or bool(event.end_mark.index > event.start_mark.index)


def _line_end(text: str, position: int) -> int:
    match = LINE_END.search(text, position)
    return match.end() if match else len(text)
