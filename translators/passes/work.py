"""What the steps of a pass share: the topology, the request, and nodes that the pass adds."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Path, Value
from bpconvert.models.topology import Node, Topology
from bpconvert.translators.passes.expressions.fold import Folder
from bpconvert.translators.passes.request import Request
from bpconvert.translators.support.text import fresh


class Refused(Exception):
    """A node cannot be rewritten; the text says why."""


class Work:
    """A topology on its way through a pass."""

    def __init__(self, topology: Topology, request: Request) -> None:
        self.topology = topology
        self.request = request

    def report(self, code: str, path: Path, **texts: Any) -> None:
        """Report something about ``path`` of the source."""
        self.request.reporter.report(code, path, **texts)

    def fold(self, value: Value, path: Path) -> Value:
        """``value``, which stands at ``path``, with everything computed that is known."""
        return Folder(self.topology, self.request).fold(value, path)

    def name_of(self, node: Node) -> str:
        """The name that ``node`` has in the document that the source was made from, else one that the target takes."""
        origin = self.request.origin
        name_before = origin.original(node.path) if origin is not None and node.path else None
        return name_before or self.request.target.words.legal(node.name)

    def replace(self, change: Callable[[ex.Expr], Value]) -> None:
        """Apply ``change`` to every expression of the topology."""
        for node in self.topology.nodes.values():
            node.properties = ex.transform(node.properties, change)
        for output in self.topology.published:
            output.value = ex.transform(output.value, change)

    def fresh_node(self, wanted: str) -> str:
        """A name for a node, or for a group, that nothing else has and that the target takes."""
        groups, origin = self.topology.groups, self.request.origin
        taken = {*self.topology.nodes, *groups, *(group.policy for group in groups.values())}
        taken.update(*self.topology.unrolled.values())
        if origin is not None:
            paths = (node.path for node in self.topology.nodes.values())
            taken.update(name for path in paths if (name := origin.original(path)) is not None)
        return fresh(self.request.target.words.legal(wanted), taken)

    def add(self, node: Node, before: str) -> None:
        """Add a node that the source does not have, which stands before node ``before``."""
        self.topology.nodes[node.name] = node
        node.made_for = self.topology.nodes[before].made_for or before

    def existing(self, kind: str, value: Value, user: Node, path: Path) -> ex.Identity:
        """A reference to a node for the resource that exists already and whose name or id is ``value``; one is made for
        each value and condition of its users."""
        key = (kind, repr(value), repr(user.condition))
        name = self.topology.existing.get(key)
        if name is None:
            name = self.topology.existing[key] = self.fresh_node(f"external_{label(value, kind)}")
            node = Node(name, "", kind, external_id=value, condition=user.condition, path=path)
            self.add(node, before=user.name)
        return ex.Identity(name, path=path)


def label(value: Value, kind: str) -> str:
    """What a node is called that stands for the resource that ``value`` names."""
    if isinstance(value, ex.Input) and isinstance(value.name, str):
        return "_".join([value.name, *(str(k) for k in value.keys if isinstance(k, (str, int)))])
    if isinstance(value, str):
        return re.sub(r"\W+", "_", value, flags=re.ASCII).strip("_") or kind
    return kind
