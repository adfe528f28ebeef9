"""Comments: found in the text between the events, and given to the entries they stand beside.

No scanner hands comments over with their places, but every ``#`` outside of a scalar's own text begins one.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ruamel.yaml.events import ScalarEvent

from bpconvert.yamlio.events import BREAK, Event
from bpconvert.yamlio.tree import Map, Path, Seq, children

COMMENT = re.compile("#[^\r\n\x85\u2028\u2029]*")
PROPERTIES = re.compile("(?:[&!][^\\s]*|\\s+|#[^\r\n\x85\u2028\u2029]*)*")
BLOCK_HEADER = re.compile("[|>][-+0-9]*[ \t]*")
LINE_BREAKS = "\r\n\x85\u2028\u2029"


@dataclass(frozen=True, slots=True)
class Comment:
    """The comments of one entry, each text with its ``#``; '' among own lines is a blank line between two of them.

    ``before``: the lines above the entry; ``inline``: what follows its key or value on the same line; ``after``: the lines
    at the end of its block that belong to nothing below."""

    before: tuple[str, ...] = ()
    inline: str | None = None
    after: tuple[str, ...] = ()


class Note(NamedTuple):
    """One comment of the text, from ``start`` to ``end``, and the entry and slot it is given to."""

    start: int
    end: int
    path: Path
    slot: str


@dataclass(eq=False, slots=True)
class Spot:
    """Where an entry stands: its start (the key, or the dash), and how far a bracketed value reaches."""

    path: Path
    start: int
    column: int
    parent: Spot | None
    value: int  # where the value begins
    nested: bool  # the value has entries
    flow_end: int | None = None

    def chain(self) -> Iterator[Spot]:
        """This entry and those around it, inside out."""
        spot: Spot | None = self
        while spot is not None:
            yield spot
            spot = spot.parent

    def outside(self, position: int) -> Spot:
        """The entry itself, or the one around it whose brackets are closed before ``position``."""
        closed = [spot for spot in self.chain() if spot.flow_end is not None and spot.flow_end <= position]
        return closed[-1] if closed else self
