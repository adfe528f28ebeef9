"""Large topologies in boxes, one for each network, so that they can be read."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Final

from bpconvert.graphs.model import Arrow, Graph, Part

#: from so many nodes on
MANY: Final = 100
#: arrows from a box to the same target that are drawn as one
BUNDLED: Final = 3
_NETWORKS: Final = frozenset({"net", "provider_net"})


def grouped(graph: Graph) -> Graph:
    """The graph, its outermost nodes in a box for each network where there are :data:`MANY` of them.

    A node belongs to the network that it leads to, if that is one only; one that leads to none (a volume, a password)
    to that of the nodes that need it, if they all are of one. All others stay outside, and several arrows from a box to
    one of them are drawn as one."""
    if sum(not part.parts for part in graph.walk()) < MANY:
        return graph
    owner = _owners(graph)
    members: dict[str, list[Part]] = defaultdict(list)
    for part in graph.parts:
        if part.key in owner:
            members[owner[part.key]].append(part)
    boxes = {key: parts for key, parts in members.items() if len(parts) > 1}
    if len(boxes) < 2:
        return graph
    by_key = {part.key: part for part in graph.parts}
    parts = [
        Part(f"\0{key}", by_key[key].name, "network", parts=inside, file=by_key[key].file, line=by_key[key].line)
        for key, inside in boxes.items()
    ]
    outside = [part for part in graph.parts if owner.get(part.key) not in boxes]
    return Graph(graph.name, [*parts, *outside], _bundled(graph.arrows, parts))


def _bundled(arrows: Sequence[Arrow], boxes: Sequence[Part]) -> list[Arrow]:
    """One arrow from a box in place of several from nodes in it to the same target outside."""
    box = {inner.key: part.key for part in boxes for inner in part.parts}
    ways = {arrow: (box[arrow.source], arrow.target, arrow.meaning) for arrow in arrows if arrow.source in box}
    number = Counter(way for way in ways.values() if box.get(way[1]) != way[0])
    bundles: dict[Arrow, None] = {}
    for arrow in arrows:
        way = ways.get(arrow)
        is_one_of_many = way is not None and number[way] >= BUNDLED
        bundles[Arrow(*way, f"{number[way]} nodes") if way is not None and is_one_of_many else arrow] = None
    return list(bundles)


def _owners(graph: Graph) -> dict[str, str]:
    """Key of an outermost part -> key of its network."""
    top = {inner.key: part.key for part in graph.parts for inner in part.walk()}
    needs: dict[str, set[str]] = defaultdict(set)
    used: dict[str, set[str]] = defaultdict(set)
    for arrow in graph.arrows:
        source, other = top.get(arrow.source), top.get(arrow.target)
        if source is not None and other is not None and source != other:
            needs[source].add(other)
            used[other].add(source)
    networks = {part.key for part in graph.parts if part.kind in _NETWORKS}
    owner = {key: key for key in networks}
    for part in graph.parts:
        networks_reached = _reached(part.key, needs, networks)
        if len(networks_reached) == 1:
            owner[part.key] = networks_reached.pop()
    while True:
        taken = {
            key: owners.pop()
            for key in (part.key for part in graph.parts if part.key not in owner)
            if not _reached(key, needs, networks)
            and used[key]
            and len(owners := {owner.get(user, "") for user in used[key]}) == 1
            and "" not in owners
        }
        if not taken:
            return owner
        owner |= taken


def _reached(key: str, needs: dict[str, set[str]], networks: set[str]) -> set[str]:
    """The networks that a part leads to; what is behind one of them does not count."""
    reached, seen, left = set[str](), {key}, [key]
    while left:
        current = left.pop()
        if current in networks:
            reached.add(current)
            continue
        new = needs[current] - seen
        seen |= new
        left += new
    return reached
