"""The order of the scripts on a server: Heat's agent runs one at a time, Cloudify's several at once."""

from __future__ import annotations

from collections.abc import Iterator

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Path
from bpconvert.models.topology import Node, Topology
from bpconvert.translators.passes.work import Work
from bpconvert.translators.support.graphs import numbered, reachable


def one_at_a_time(topology: Topology, hosts: dict[str, str]) -> Iterator[tuple[str, str]]:
    """(deployment, the one before it on its server) where nothing else orders them. ``hosts``: deployment -> server.

    All chains follow one order of all nodes, so they close no circle."""
    waits = {name: _targets(topology, node) for name, node in topology.nodes.items()}
    order = numbered(waits)
    lasts: dict[str, str] = {}
    for name in sorted(hosts, key=order.__getitem__):
        before = lasts.get(hosts[name])
        if before is not None and before not in reachable(waits, name):
            waits[name].append(before)
            yield name, before
        lasts[hosts[name]] = name


def _targets(topology: Topology, node: Node) -> list[str]:
    """The nodes that a node waits for."""
    names_used = ex.named_nodes([node.properties, [operation.inputs for operation in node.operations]])
    names = [topology.owner(name) for name in (*names_used, *node.awaited) if name in topology.nodes]
    return [name for name in dict.fromkeys(names) if name != node.name]


def wait_instead(work: Work, waits: dict[str, list[str]], code: str) -> None:
    """Let what waits for nodes that are none any more wait for what these wait for (``waits``). ``code``: the
    diagnostic, "" for none."""
    for node in work.topology.nodes.values():
        if node.name in waits or not any(name in waits for name in node.awaited):
            continue
        targets: dict[str, Path] = {}
        for wait in node.waits:
            if wait.target in waits and code:
                work.report(code, wait.path, name=wait.target)
            for name in reachable(waits, wait.target):
                if name not in waits:
                    targets.setdefault(name, wait.path)
        node.relationships = []
        for name, path in targets.items():
            if name != node.name:
                node.wait_for(name, path=path)
