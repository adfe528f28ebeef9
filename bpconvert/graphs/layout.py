"""Where the parts of a picture stand: a layered layout (Sugiyama, Tagawa and Toda, 1981), from left to right.

It is our own because a report has to be one file that shows the same without a network, a browser's scripts or another
program, and because the libraries that lay out layers are ten times as large as this or need Graphviz. It is
deterministic: the same document gives the same picture. What it does for each box: parts that are not connected are
laid out by themselves and packed; arrows that close a circle are turned; each part stands one layer left of the first
that it needs; long arrows get a bend in each layer between; the layers are put into the order with the fewest crossings
that sweeps of barycentres find; and every part comes as near to its neighbours' middle as the order allows."""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Final

from bpconvert.graphs.model import Arrow, Graph, Part
from bpconvert.models.light import dataclass, field
from bpconvert.translators.support.graphs import back_edges

#: sizes in pixels
LINE: Final = 16
PADDING: Final = 10
BETWEEN_LAYERS: Final = 64
BETWEEN_PARTS: Final = 18
BEND: Final = 10
NARROWEST, WIDEST = 120, 280
#: how much wider names are than other texts: larger, and bold
BOLD: Final = 1.22
#: unconnected parts are put side by side up to this width
ROW: Final = 900
_SWEEPS: Final = 6
#: the key of the whole picture: no name has it, which may be empty
_WHOLE: Final = "\0\0"
#: where there would be more, arrows have no bends
MOST_BENDS: Final = 10_000


@dataclass
class Box:
    """A part in its place: the left upper corner from that of the picture."""

    part: Part
    x: float
    y: float
    width: float
    height: float


@dataclass
class Line:
    """An arrow: the points that its curve goes through, from the source to the target."""

    arrow: Arrow
    points: list[tuple[float, float]]


@dataclass
class Picture:
    """All that is drawn; boxes with others in them first."""

    width: float = 0
    height: float = 0
    boxes: list[Box] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)


def lay_out(graph: Graph) -> Picture:
    """The picture of a graph."""
    plane = _Plane(graph)
    root = Part(_WHOLE, "", parts=graph.parts)
    width, height = plane.measure(root)
    plane.place(root, 0, 0)
    boxes = [Box(part, *plane.places[part.key], *plane.sizes[part.key]) for part in graph.walk()]
    return Picture(width, height, boxes, [plane.line(arrow) for arrow in graph.arrows if plane.is_drawn(arrow)])


def text_width(text: str) -> float:
    """About how wide a text is in the type of the pictures."""
    return sum(4.2 if c in "iljtf.:,;'|!()[] " else 9.6 if c in "mwMW@%" else 6.9 for c in text)


def label_size(part: Part) -> tuple[float, float]:
    """The size of a part with nothing in it."""
    lines = [part.name, part.type, part.detail]
    width = max(text_width(part.name) * BOLD, *map(text_width, lines[1:])) + 2 * PADDING + 8
    return min(max(width, NARROWEST), WIDEST), PADDING * 1.6 + LINE * sum(map(bool, lines))


class _Plane:
    """The parts of a graph. ``sizes`` and ``places`` by their keys; ``inner``: where those in a box stand from its
    corner; ``bends``: (key of the box, two of its parts) -> where arrows between them bend."""

    def __init__(self, graph: Graph) -> None:
        self.arrows = graph.arrows
        self.sizes: dict[str, tuple[float, float]] = {}
        self.places: dict[str, tuple[float, float]] = {}
        self.inner: dict[str, dict[str, tuple[float, float]]] = {}
        self.bends: dict[tuple[str, str, str], list[tuple[float, float]]] = {}
        self.above: dict[str, list[str]] = {}
        for part in graph.parts:
            self._trail(part, [_WHOLE])

    def _trail(self, part: Part, trail: list[str]) -> None:
        self.above[part.key] = trail
        for inner in part.parts:
            self._trail(inner, [*trail, part.key])

    def is_drawn(self, arrow: Arrow) -> bool:
        """False for an arrow from or to a box that the other end is in, or nothing."""
        ends = arrow.source, arrow.target
        return all(end in self.above for end in ends) and not any(
            end == other or end in self.above[other] for end, other in (ends, ends[::-1])
        )

    def measure(self, part: Part) -> tuple[float, float]:
        """The size of a part; lays out all that is in it."""
        if not part.parts:
            self.sizes[part.key] = label_size(part)
            return self.sizes[part.key]
        sizes = {inner.key: self.measure(inner) for inner in part.parts}
        edges = dict.fromkeys(ends for arrow in self.arrows if (ends := self._lifted(arrow, part.key)) is not None)
        width, height, places = _packed(sizes, list(edges), lambda ends, bends: self._keep(part.key, ends, bends))
        head = 0.0
        if part.key != _WHOLE:
            room, head = label_size(part)
            width, height = max(width + 2 * PADDING, room), height + head + PADDING
        pad = PADDING if part.key != _WHOLE else 0
        self.inner[part.key] = {key: (x + pad, y + head) for key, (x, y) in places.items()}
        for arrow, bends in list(self.bends.items()):
            if arrow[0] == part.key:
                self.bends[arrow] = [(x + pad, y + head) for x, y in bends]
        self.sizes[part.key] = width, height
        return width, height

    def _keep(self, box: str, ends: tuple[str, str], bends: list[tuple[float, float]]) -> None:
        self.bends[box, ends[0], ends[1]] = bends

    def _lifted(self, arrow: Arrow, box: str) -> tuple[str, str] | None:
        """The two parts directly in ``box`` that an arrow connects; None for one of another box."""
        if not self.is_drawn(arrow):
            return None
        ways = [[*self.above[end], end] for end in (arrow.source, arrow.target)]
        depth = len(self.above[box]) + 1 if box != _WHOLE else 1
        if any(len(way) <= depth or way[depth - 1] != box for way in ways) or ways[0][depth] == ways[1][depth]:
            return None
        return ways[0][depth], ways[1][depth]

    def place(self, part: Part, x: float, y: float) -> None:
        """Put a part and all that is in it where it belongs."""
        self.places[part.key] = x, y
        for child in part.parts:
            inner = self.inner[part.key][child.key]
            self.place(child, x + inner[0], y + inner[1])

    def line(self, arrow: Arrow) -> Line:
        """The curve of an arrow."""
        ways = [[*self.above[end], end] for end in (arrow.source, arrow.target)]
        depth = next(i for i, pair in enumerate(zip(*ways, strict=False)) if pair[0] != pair[1])
        box, ends = ways[0][depth - 1], (ways[0][depth], ways[1][depth])
        corner = self.places[box]
        bends = [(corner[0] + x, corner[1] + y) for x, y in self.bends.get((box, *ends), [])]
        (x1, y1), (w1, h1) = self.places[arrow.source], self.sizes[arrow.source]
        (x2, y2), (w2, h2) = self.places[arrow.target], self.sizes[arrow.target]
        forth = self.places[ends[0]][0] <= self.places[ends[1]][0]
        start = (x1 + w1 if forth else x1, y1 + h1 / 2)
        end = (x2 if forth else x2 + w2, y2 + h2 / 2)
        return Line(arrow, [start, *bends, end])


Edges = list[tuple[str, str]]
Sizes = Mapping[str, tuple[float, float]]
Places = dict[str, tuple[float, float]]
Keep = Callable[[tuple[str, str], list[tuple[float, float]]], None]


def _packed(sizes: Sizes, edges: Edges, keep: Keep) -> tuple[float, float, Places]:
    """The size of a box around parts, and where those stand in it. ``keep`` takes the bends of each edge."""
    blocks = []
    for names in _components(sizes, edges):
        own = [edge for edge in edges if edge[0] in names]
        blocks.append(_Layers(names, sizes, own))
    blocks.sort(key=lambda block: not block.edges)  # what is connected with nothing comes last
    widest = max([ROW, *(block.width for block in blocks)])
    x = y = tallest = width = 0.0
    places: Places = {}
    for block in blocks:
        if x and x + block.width > widest:
            x, y, tallest = 0.0, y + tallest + BETWEEN_PARTS, 0.0
        places |= {name: (x + left, y + top) for name, (left, top) in block.places.items()}
        for edge, bends in block.bends.items():
            keep(edge, [(x + left, y + top) for left, top in bends])
        x, tallest = x + block.width + BETWEEN_PARTS, max(tallest, block.height)
        width = max(width, x - BETWEEN_PARTS)
    return width, y + tallest, places


def _components(names: Iterable[str], edges: Edges) -> list[list[str]]:
    """The parts that are connected with each other, in their order."""
    group = {name: name for name in names}

    def root(name: str) -> str:
        while group[name] != name:
            group[name] = group[group[name]]
            name = group[name]
        return name

    for end, other in edges:
        group[root(other)] = root(end)
    components: dict[str, list[str]] = {}
    for name in group:
        components.setdefault(root(name), []).append(name)
    return list(components.values())


class _Layers:
    """Parts that are connected, laid out. A bend is a part of its own, (target, number of its layer), which all arrows
    to this target share."""

    def __init__(self, names: Sequence[str], sizes: Sizes, edges: Edges) -> None:
        self.edges = edges
        self.sizes: dict[object, tuple[float, float]] = {name: sizes[name] for name in names}
        forth = _without_circles(names, edges)
        depth = _depths(names, forth)
        deepest = max(depth.values())
        self.layers: list[list[object]] = [[] for _ in range(deepest + 1)]
        for name in names:
            self.layers[deepest - depth[name]].append(name)
        self.after: dict[object, list[object]] = {name: [] for name in names}
        self.before: dict[object, list[object]] = {name: [] for name in names}
        self.place = {name: deepest - depth[name] for name in names}
        first: dict[str, int] = {}
        for source, other in forth:
            first[other] = min(first.get(other, deepest), self.place[source])
        self.is_bent = sum(self.place[other] - layer - 1 for other, layer in first.items()) <= MOST_BENDS
        for source, other in dict.fromkeys(forth):
            self._connect(source, other)
        self._order()
        self._arrange(edges)

    def _between(self, source: str, other: str) -> range:
        """The layers that an arrow passes."""
        return range(self.place[source] + 1, self.place[other]) if self.is_bent else range(0)

    def _connect(self, source: str, other: str) -> None:
        left: object = source
        for layer in self._between(source, other):
            bend = (other, layer)
            is_known = bend in self.sizes
            if not is_known:
                self.sizes[bend] = (0, BEND)
                self.after[bend], self.before[bend] = [], []
                self.layers[layer].append(bend)
            self.after[left].append(bend)
            self.before[bend].append(left)
            if is_known:  # and connected with the target already
                return
            left = bend
        self.after[left].append(other)
        self.before[other].append(left)

    def _order(self) -> None:
        if not self.is_bent:
            return
        best, fewest = [list(layer) for layer in self.layers], self._crossings()
        for sweep in range(_SWEEPS):
            if not fewest:
                break
            forth = sweep % 2 == 0
            near = self.before if forth else self.after
            for index in range(len(self.layers)) if forth else range(len(self.layers) - 1, -1, -1):
                neighbour = index - 1 if forth else index + 1
                if 0 <= neighbour < len(self.layers):
                    rank = {name: number for number, name in enumerate(self.layers[neighbour])}
                    own = {name: number for number, name in enumerate(self.layers[index])}
                    self.layers[index].sort(key=lambda name: _mean([rank[n] for n in near[name]], own[name]))
            crossings = self._crossings()
            if crossings < fewest:
                best, fewest = [list(layer) for layer in self.layers], crossings
        self.layers = best

    def _crossings(self) -> int:
        """How often arrows cross between neighbouring layers."""
        total = 0
        for left, right in pairwise(self.layers):
            rank = {name: number for number, name in enumerate(right)}
            seen: list[int] = []
            for name in left:
                ends = [rank[other] for other in self.after[name]]
                total += sum(len(seen) - bisect_right(seen, end) for end in ends)
                for end in ends:
                    insort(seen, end)
        return total

    def _arrange(self, edges: Edges) -> None:
        """Set the places, the bends of the given edges, and the size."""
        top: dict[object, float] = {}
        for layer in self.layers:
            y = 0.0
            for name in layer:
                top[name] = y
                y += self.sizes[name][1] + BETWEEN_PARTS
        for sweep in range(2 * _SWEEPS):
            forth = sweep % 2 == 0
            near = self.before if forth else self.after
            for layer in self.layers if forth else self.layers[::-1]:
                self._balance(layer, near, top)
        least = min(top.values())
        self.places: Places = {}
        through: dict[object, list[tuple[float, float]]] = {}
        x = 0.0
        for layer in self.layers:
            wide = max((self.sizes[name][0] for name in layer), default=0)
            for name in layer:
                y = top[name] - least
                middle = y + self.sizes[name][1] / 2
                through[name] = [(x, middle), (x + wide, middle)]
                if isinstance(name, str):
                    self.places[name] = (x, y)
            x += wide + BETWEEN_LAYERS
        self.width = x - BETWEEN_LAYERS
        self.height = max(top[name] - least + self.sizes[name][1] for name in top)
        self.bends: dict[tuple[str, str], list[tuple[float, float]]] = {}
        for source, other in edges:
            forth = self.place[source] < self.place[other]
            left, right = (source, other) if forth else (other, source)
            points = [point for layer in self._between(left, right) for point in through[right, layer]]
            self.bends[source, other] = points if forth else points[::-1]

    def _balance(self, layer: list[object], near: Mapping[object, list[object]], top: dict[object, float]) -> None:
        """Move the parts of a layer to the middle of their neighbours, as near as order and distances allow: the least
        squares under an order are means of runs (pool adjacent violators)."""
        shift, shifts, runs = 0.0, [], list[tuple[float, int]]()
        for name in layer:
            half = self.sizes[name][1] / 2
            middle = _mean([top[other] + self.sizes[other][1] / 2 for other in near[name]], top[name] + half)
            shifts.append(shift)
            mean, count = middle - half - shift, 1
            while runs and runs[-1][0] > mean:
                other, number = runs.pop()
                mean, count = (mean * count + other * number) / (count + number), count + number
            runs.append((mean, count))
            shift += self.sizes[name][1] + BETWEEN_PARTS
        wanted = [mean for mean, count in runs for _ in range(count)]
        top.update({name: y + by for name, y, by in zip(layer, wanted, shifts, strict=True)})


def _mean(values: Sequence[float], default: float) -> float:
    return sum(values) / len(values) if values else default


def _without_circles(names: Iterable[str], edges: Edges) -> Edges:
    """The edges, those turned that close a circle."""
    turned = set(back_edges(_after(names, edges)))
    return [(other, source) if (source, other) in turned else (source, other) for source, other in edges]


def _after(names: Iterable[str], edges: Edges) -> dict[str, list[str]]:
    """Each part with those that its edges lead to."""
    after: dict[str, list[str]] = {name: [] for name in names}
    for source, other in edges:
        after[source].append(other)
    return after


def _depths(names: Iterable[str], edges: Edges) -> dict[str, int]:
    """The length of the longest way from each part; there is no circle."""
    after = _after(names, edges)
    depths: dict[str, int] = {}
    for start in after:
        stack = [start]
        while stack:
            name = stack[-1]
            open_ones = [other for other in after[name] if other not in depths]
            if open_ones:
                stack += open_ones
            else:
                stack.pop()
                depths[name] = 1 + max((depths[other] for other in after[name]), default=-1)
    return depths
