"""A topology as a picture shows it: boxes and arrows, whatever language it is written in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bpconvert.models.light import NamedTuple, dataclass, field

#: what an arrow is: the source is inside of the target; it talks to it; a value of it is that node; it reads what the
#: target has at run time; it only waits for it
INSIDE: Final = "inside"
CONNECTS: Final = "connects"
REFERS: Final = "refers"
READS: Final = "reads"
WAITS: Final = "waits"
MEANINGS: Final = {
    INSIDE: "runs inside of",
    CONNECTS: "is connected to",
    REFERS: "refers to",
    READS: "reads attributes of",
    WAITS: "waits for",
}


class Arrow(NamedTuple):
    """``source`` needs ``target``; both are :attr:`Part.key`. ``meaning``: one of :data:`MEANINGS`; ``label``: the type
    of the relationship, or the property that refers to the target."""

    source: str
    target: str
    meaning: str = REFERS
    label: str = ""


@dataclass
class Part:
    """A node, or a box with others in it.

    key: identifies it in the graph: its name, below that of the node that nests it.
    name, type: as written; ``kind``: the kind of resource, the same in every language, "" where it is not known.
    detail: what is special about it, in a few words ("existing", "3 x web.yaml").
    line: where it stands in ``file``, 0 where that is not known; ``path``: its keys there.
    parts: what is in it: the members of a group, the nodes of a nested document."""

    key: str
    name: str
    type: str = ""
    kind: str = ""
    detail: str = ""
    file: str = ""
    line: int = 0
    path: tuple[object, ...] = ()
    parts: list[Part] = field(default_factory=list)

    def walk(self) -> Iterator[Part]:
        """It and all that is in it."""
        yield self
        for part in self.parts:
            yield from part.walk()


@dataclass
class Graph:
    """The picture of a document. ``name``: that of the document; ``parts``: the outermost ones, in the order of the
    document."""

    name: str
    parts: list[Part] = field(default_factory=list)
    arrows: list[Arrow] = field(default_factory=list)

    def walk(self) -> Iterator[Part]:
        """All nodes and boxes, outer ones first."""
        for part in self.parts:
            yield from part.walk()

    def text(self, format: str) -> str:
        """The picture as text: ``svg``, ``dot`` or ``mermaid`` (:data:`bpconvert.graphs.FORMATS`).

        Raises UsageError for another format."""
        from bpconvert.diagnostics import UsageError
        from bpconvert.graphs.formats import drawn

        picture = drawn(self, format)
        if isinstance(picture, bytes):
            raise UsageError(f"{format!r} is no format of text")
        return picture
