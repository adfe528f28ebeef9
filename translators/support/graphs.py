"""Graphs of what waits for what: entry -> those that it waits for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

Graph = Mapping[str, Iterable[str]]


def reachable(graph: Graph, start: str) -> dict[str, None]:
    """``start`` and everything that it waits for, also by way of others, in the order in which they are found."""
    return reached(start, lambda name: graph.get(name, ()))


def reached(start: str, following: Callable[[str], Iterable[str]]) -> dict[str, None]:
    """As :func:`reachable`; ``following``: what an entry waits for."""
    in_order: dict[str, None] = {}
    queue = [start]
    while queue:
        name = queue.pop()
        if name not in in_order:
            in_order[name] = None
            queue += [*following(name)][::-1]
    return in_order


def numbered(graph: Graph) -> dict[str, int]:
    """Entry -> its place in an order in which every entry comes after those that it waits for, if there is one."""
    order: dict[str, int] = {}
    seen: set[str] = set()
    for start in graph:
        stack = [(start, iter(graph[start]))] if start not in seen else []
        seen.add(start)
        while stack:
            name, following = stack[-1]
            target = next((t for t in following if t not in seen), None)
            if target is None:
                order[name] = len(order)
                stack.pop()
            else:
                seen.add(target)
                stack.append((target, iter(graph.get(target, ()))))
    return order


def circles(graph: Graph) -> Iterator[list[str]]:
    """One circle (its names in order, the first one not repeated) of every group of entries that wait for each other;
    ``graph``: entry -> what it waits for. Names that are no entries are passed over."""
    done: set[str] = set()
    for start in graph:
        trail: list[str] = []
        waiting = [iter([start])]
        while waiting:
            name = next(waiting[-1], None)
            if name is None:
                waiting.pop()
                if trail:
                    done.add(trail.pop())
            elif name in trail:
                circle = trail[trail.index(name) :]
                yield circle
                done.update(circle)
            elif name in graph and name not in done:
                trail.append(name)
                waiting.append(iter(graph[name]))


def strong_components(graph: Graph) -> list[set[str]]:
    """The sets of entries that wait for each other, those first that others wait for (Kosaraju's algorithm)."""
    waiting: dict[str, list[str]] = {}
    for name, targets in graph.items():
        for target in targets:
            waiting.setdefault(target, []).append(name)
    components: list[set[str]] = []
    done: set[str] = set()
    for root in reversed(numbered(graph)):
        members: set[str] = set()
        queue = [root]
        while queue:
            name = queue.pop()
            if name not in done:
                done.add(name)
                members.add(name)
                queue += waiting.get(name, ())
        if len(members) > 1 or (members and root in graph[root]):
            components.append(members)
    return components[::-1]


def back_edges(graph: Graph) -> list[tuple[str, str]]:
    """Edges without which there is no circle."""
    done: set[str] = set()
    edges: list[tuple[str, str]] = []
    for root in graph:
        if root in done:
            continue
        active = {root: None}
        work = [(root, iter(graph[root]))]
        while work:
            name, targets = work[-1]
            for target in targets:
                if target in active:
                    edges.append((name, target))
                elif target not in done:
                    active[target] = None
                    work.append((target, iter(graph[target])))
                    break
            else:
                work.pop()
                done.add(name)
                del active[name]
    return edges
