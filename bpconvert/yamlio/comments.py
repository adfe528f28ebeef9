"""Comments: found in the text between the events, and given to the entries they stand beside.

The scanners skip comments, but a ``#`` begins one exactly where it stands outside of a scalar's own text."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from ruamel.yaml.events import AliasEvent, ScalarEvent

from bpconvert.models.light import NamedTuple, dataclass
from bpconvert.yamlio.events import BREAK, Event
from bpconvert.yamlio.tree import Map, Path, Seq, written

COMMENT = re.compile("#[^\r\n\x85\u2028\u2029]*")
PROPERTIES = re.compile("(?:[&!][^\\s]*|\\s+|#[^\r\n\x85\u2028\u2029]*)*")
BLOCK_HEADER = re.compile("[|>][-+0-9]*[ \t]*")


class Comment(NamedTuple):
    """The comments of one entry, each text with its ``#``; '' is a blank line between two comment lines.

    ``before``: the lines above the entry; ``inline``: what follows its key or value on the same line; ``after``: the
    lines at the end of its block that belong to nothing below."""

    before: tuple[str, ...] = ()
    inline: str | None = None
    after: tuple[str, ...] = ()


class Note(NamedTuple):
    """One comment of the text, from ``start`` to ``end``, and the entry and slot (of :class:`Comment`) it goes to."""

    start: int
    end: int
    path: Path
    slot: str


@dataclass(eq=False, repr=False)
class Spot:
    """An entry in the text: where it starts (key or dash), where its value does, where a bracketed value ends; its
    ``step`` from its parent, in which it is the entry of this ``number``. ``node``: what has further entries."""

    step: Any
    parent: Spot | None
    number: int
    start: int
    column: int
    value: int
    flow_end: int | None
    node: Map | Seq | None

    @property
    def path(self) -> Path:
        """Its path in the document, worked out for the few entries that have comments."""
        return () if self.parent is None else (*self.parent.path, self.step)

    def chain(self) -> Iterator[Spot]:
        """This entry and those around it, inside out; the whole document, with path (), comes last."""
        spot: Spot | None = self
        while spot is not None:
            yield spot
            spot = spot.parent

    def outside(self, position: int) -> Spot:
        """The entry, or the outermost one around it whose brackets are closed at ``position``."""
        closed = [spot for spot in self.chain() if spot.flow_end is not None and spot.flow_end <= position]
        return closed[-1] if closed else self

    def brackets(self, position: int) -> Spot | None:
        """The innermost entry whose brackets are open at ``position``."""
        return next((s for s in self.chain() if s.flow_end is not None and s.value < position < s.flow_end), None)


def find(text: str, events: list[Event]) -> Iterator[tuple[int, int]]:
    """Start and end of each comment of ``text``."""
    position = text.find("#")
    while position >= 0:
        event = events[bisect_right(events, position, key=_start) - 1]
        end = event.end_mark.index
        if type(event) is not ScalarEvent or position >= end or _introduces(text, event, position):
            match = COMMENT.match(text, position)
            assert match is not None
            yield match.span()
            end = match.end()
        position = text.find("#", end)


def _start(event: Event) -> int:
    return int(event.start_mark.index)


def _introduces(text: str, event: Event, position: int) -> bool:
    """Whether ``position`` is before the scalar's text: behind its anchor or tag, or in the first line of a block."""
    start = event.start_mark.index
    if event.anchor is not None or event.tag is not None:
        properties = PROPERTIES.match(text, start, event.end_mark.index)
        start = properties.end() if properties else start
    header = BLOCK_HEADER.match(text, start) if event.style in ("|", ">") else None
    return position < start or (header is not None and position == header.end())


def collect(text: str, events: list[Event], data: Any) -> list[Note]:
    """Every comment of ``text`` with the entry it belongs to, in the order of the text.

    ``events`` and ``data`` are what was scanned and built from ``text``; ``data`` must be as it was built."""
    comments = list(find(text, events))
    if not comments:
        return []
    placer = Placer(text, events, data)
    gaps = groupby(comments, lambda comment: placer.above(comment[0]))
    return [note for above, gap in gaps for note in placer.place(above, list(gap))]


def fold(text: str, notes: Iterable[Note]) -> dict[Path, Comment]:
    """The comments by path, from notes in the order of the text."""
    slots: dict[Path, dict[str, list[str]]] = {}
    last: Note | None = None
    for note in notes:
        slot = slots.setdefault(note.path, {"before": [], "inline": [], "after": []})
        name = "after" if note.slot == "inline" and slot["inline"] else note.slot
        between = text[last.end : note.start] if last is not None and last[2:] == note[2:] else "-"
        if not between.strip():
            slot[name] += [""] * (len(BREAK.findall(between)) - 1)
        slot[name].append(text[note.start : note.end].rstrip())
        last = note
    return {
        path: Comment(tuple(slot["before"]), slot["inline"][0] if slot["inline"] else None, tuple(slot["after"]))
        for path, slot in slots.items()
    }


class Placer:
    """Says which entry a comment belongs to. Only entries around comments are looked at."""

    def __init__(self, text: str, events: list[Event], data: Any) -> None:
        self.text = text
        self.lines = [0, *(match.end() for match in BREAK.finditer(text))]
        content = events[2].start_mark.index if len(events) > 3 else len(text)
        self.root = Spot(None, None, 0, -1, -1, content, _flow_end(data), _inner_node(data))
        self._entries: dict[Spot, list[Spot]] = {}

    def entries(self, spot: Spot) -> list[Spot]:
        """The spots of the entries written in an entry, in the order of the text."""
        if spot not in self._entries:
            self._entries[spot] = [] if spot.node is None else list(self._spread(spot.node, spot))
        return self._entries[spot]

    def _spread(self, node: Map | Seq, parent: Spot) -> Iterator[Spot]:
        dashes = self.dash_column(node) if type(node) is Seq and not node.flow else None
        for number, (step, key_event, event, value) in enumerate(written(node)):
            mark = key_event.start_mark
            start, column = mark.index, mark.column
            if dashes is not None:
                start, column = self.dash(mark.line, dashes), dashes
            inner = _inner_node(value) if type(event) is not AliasEvent else None
            yield Spot(step, parent, number, start, column, event.start_mark.index, _flow_end(inner), inner)

    def above(self, position: int) -> Spot:
        """The last entry that starts before ``position``; the whole document where none does."""
        spot = self.root
        while number := bisect_right(self.entries(spot), position, key=_start_of):
            spot = self.entries(spot)[number - 1]
        return spot

    def below(self, above: Spot) -> Spot | None:
        """The entry that starts next after another one has started."""
        if self.entries(above):
            return self.entries(above)[0]
        for spot in above.chain():
            if spot.parent is not None and spot.number + 1 < len(self.entries(spot.parent)):
                return self.entries(spot.parent)[spot.number + 1]
        return None

    def dash_column(self, node: Seq) -> int:
        """The column of the dashes of a block sequence; an anchor or tag may stand before the first."""
        properties = PROPERTIES.match(self.text, node.first.start_mark.index)
        first = properties.end() if properties else 0
        return first - self.line_start(first)

    def dash(self, line: int, column: int) -> int:
        """The index of the dash of an item that begins in ``line``; comments may stand between the two."""
        while line > 0:
            at = self.lines[line] + column
            if self.text[at : at + 1] == "-" and "#" not in self.text[self.lines[line] : at]:
                break
            line -= 1
        return self.lines[line] + column

    def line_start(self, position: int) -> int:
        return self.lines[bisect_right(self.lines, position) - 1]

    def blank_before(self, position: int) -> bool:
        """Whether nothing but blanks stands before ``position`` in its line."""
        return not self.text[self.line_start(position) : position].strip()

    def place(self, above: Spot, comments: list[tuple[int, int]]) -> Iterator[Note]:
        """Place the comments between the start of the entry ``above`` and that of the next one.

        Once one of them belongs to the entry below, so do the rest; after one that ends a block come none of deeper
        blocks."""
        below = self.below(above)
        header = self.header(comments, below) if above is self.root else 0
        deepest = len(self.text)
        for count, (start, end) in enumerate(comments):
            if count < header:
                yield Note(start, end, (), "before")
            elif not self.blank_before(start):
                yield Note(start, end, above.outside(start).path, "inline")
            else:
                owner, slot = self.owner(start, above, below, min(start - self.line_start(start), deepest))
                deepest = -1 if owner is below else min(owner.column, deepest)
                yield Note(start, end, owner.path, slot)

    def header(self, comments: list[tuple[int, int]], below: Spot | None) -> int:
        """How many of the comments above the first entry are the file's: all but those right above the entry."""
        edge = self.line_start(below.start) if below else -1
        for count in range(len(comments), 0, -1):
            start, end = comments[count - 1]
            if start > self.root.value:
                continue
            between = self.text[end:edge] if edge >= 0 else "-"
            if between.strip() or len(BREAK.findall(between)) != 1 or not self.blank_before(start):
                return count
            edge = self.line_start(start)
        return 0

    def owner(self, start: int, above: Spot, below: Spot | None, column: int) -> tuple[Spot, str]:
        """The entry, and its slot, for a comment on a line of its own at ``start``."""
        brackets = above.brackets(start)
        if brackets is not None:
            if below is not None and below.start < (brackets.flow_end or 0):
                return below, "before"
            return next((spot for spot in above.chain() if spot.parent is brackets), brackets), "after"
        if below is not None and below.parent is above:
            return below, "before"
        if above.value > start:
            return above, "before"
        if below is not None and column <= below.column:
            return below, "before"
        still_open = list(below.chain()) if below is not None else [self.root]
        ended = [spot for spot in above.outside(start).chain() if spot not in still_open] or [self.root]
        column = next((spot.column for spot in ended if spot.column <= column), ended[-1].column)
        return [spot for spot in ended if spot.column == column][-1], "after"


def _start_of(spot: Spot) -> int:
    return spot.start


def _inner_node(value: Any) -> Map | Seq | None:
    """A value that has entries of its own."""
    return value if type(value) in (Map, Seq) else None


def _flow_end(node: Any) -> int | None:
    return int(node.last.end_mark.index) if type(node) in (Map, Seq) and node.flow else None
