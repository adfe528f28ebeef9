"""Circles of dependencies."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping


def circles(graph: Mapping[str, Iterable[str]]) -> Iterator[list[str]]:
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
                found = trail[trail.index(name) :]
                yield found
                done.update(found)
            elif name in graph and name not in done:
                trail.append(name)
                waiting.append(iter(graph[name]))
