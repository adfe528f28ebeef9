"""Which diagnostics of a conversion name the place of a difference."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from bpconvert.diagnostics import Diagnostic, Fidelity
from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Path
from bpconvert.translators.cloudify.software import CONFIGS
from bpconvert.translators.verify.compare import Found
from bpconvert.translators.verify.side import Side

#: steps to an entry of a section, and to a property of a node
_ENTRY: Final = 2
_PROPERTY: Final = 4


class Told:
    """The diagnostics of a conversion that say that something of its source (``side``) is not as it was."""

    def __init__(self, diagnostics: Sequence[Diagnostic], side: Side) -> None:
        self.side = side
        own = [d for d in diagnostics if d.span.file == side.document.name]
        self.found = [d for d in own if d.fidelity >= Fidelity.REWRITTEN]
        self.expressions = [expr for value in side.expressions() for expr in ex.walk(value) if expr.path]

    def codes(self, found: Found) -> tuple[str, ...]:
        """The codes that name the very place: the value, a part of it, or what it is a part of, up to the property.

        What is said of a whole node only counts for the node itself, and for what is not written there at all. Of a
        value that is taken from elsewhere (an input, a condition, a property of another node), what is said there
        counts."""
        if found.first_path == ():
            return self._made(str(found.steps[0]))
        places = [found.first_path, *self._sources(found.first_path, set())]
        return tuple(sorted({d.code for place in places for d in self.found if self._names(d.path, place)}))

    def _made(self, name: str) -> tuple[str, ...]:
        """The codes about the node for which the conversion has made a node of its own, by the name that it got."""
        nodes = [node for node in self.side.topology.nodes.values() if _is_part(node.name, name)]
        entry = max(nodes, key=lambda node: len(node.name)).path if nodes else None
        return tuple(sorted({d.code for d in self.found if entry and d.path[: len(entry)] == entry}))

    def _names(self, said: Path, place: Path) -> bool:
        if said[: len(place)] == place:
            return True
        in_node = place[:1] in (("resources",), ("node_templates",))
        least = _PROPERTY if in_node and self._is_written(place) else _ENTRY
        return len(said) >= least and place[: len(said)] == said

    def _is_written(self, place: Path) -> bool:
        value = self.side.document.data
        try:
            for step in place:
                value = value[step]
        except (KeyError, IndexError, TypeError):
            return False
        return True

    def _sources(self, place: Path, seen: set[Path]) -> Iterator[Path]:
        """Where the values at ``place`` come from."""
        around = [expr.path for expr in self.expressions if place[: len(expr.path)] == expr.path]
        start = min(around, key=len, default=place)  # all arguments of a call make its value
        for expr in self.expressions:
            if expr.path[: len(start)] != start:
                continue
            source = self._source(expr)
            if source and source not in seen:
                seen.add(source)
                yield source
                yield from self._sources(source, seen)

    def _source(self, expr: ex.Expr) -> Path:
        """The place of what an expression takes its value from; () where nothing in the document says it."""
        topology, name = self.side.topology, getattr(expr, "name", None)
        if isinstance(expr, ex.Input) and isinstance(name, str) and name in topology.inputs:
            return topology.inputs[name].path
        if isinstance(expr, ex.Condition) and isinstance(name, str):
            return ("conditions", name)
        of_node = isinstance(expr, (ex.Attribute, ex.Property, ex.Identity)) and isinstance(expr.node, str)
        node = topology.nodes.get(expr.node) if of_node else None
        if node is not None and node.kind in CONFIGS:
            return node.origin("config" if node.kind == "software_config" else "parts")
        kind = self.side.catalogue.kind(node.kind) if node is not None else None
        if node is not None and kind is not None and kind.by_name and isinstance(expr, ex.Identity):
            return node.origin("name")
        if node is None or kind is None or not isinstance(name, str):
            return ()
        if kind.kind == "value" or isinstance(expr, ex.Property):
            return node.origin(name)
        rule = kind.attributes.get(name)
        wanted = rule.reference if rule is not None else None
        if rule is not None and rule.property is not None:
            wanted = next((key for key, one in kind.properties.items() if one.to == rule.property), None)
        return node.origin(wanted) if wanted is not None else ()


def _is_part(node: str, made: str) -> bool:
    """True where ``made`` is named after ``node``: ``server_port_0``, ``external_default_of_server``, ``group.1``."""
    return re.search(rf"(^|_of_){re.escape(node)}([._]|$)", made) is not None
