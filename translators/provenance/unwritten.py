"""What a language has no words for, kept in metadata as text for the way back.

A neutral notation is used (:mod:`bpconvert.models.notation`), so that no language is needed to read it. A value stands
with the digest of what is written in its place: while that is as it was, the value is read back."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Expr, Path, Value
from bpconvert.models.notation import from_data, to_data
from bpconvert.models.topology import Topology
from bpconvert.translators.provenance import carry
from bpconvert.translators.provenance.carry import digest

#: the key of the metadata
KEY: Final = f"{carry.KEY}_kept"
#: the name of an entry of the source in the document that is written; None where it has none
Named = Callable[[str], "str | None"]


def kept(written: Any, value: Value) -> list[Any]:
    """What is kept of a ``value`` in whose place stands what is ``written``."""
    return [digest(written), to_data(value)]


def restored(written: Any, kept: Any, path: Path) -> Value:
    """The value in whose place ``written`` stands; MISSING where that has been changed, or ``kept`` is damaged."""
    if not isinstance(kept, list) or len(kept) != 2 or kept[0] != digest(written):
        return MISSING
    return opened(kept[1], path)


def opened(data: Any, path: Path) -> Value:
    """The value that ``data`` is of; MISSING where it is damaged."""
    try:
        return from_data(data, path)
    except (ValueError, TypeError, RecursionError):
        return MISSING


def as_text(kept: Mapping[str, Any], *, ascii_only: bool = False) -> str:
    """What is kept as a text for metadata."""
    return json.dumps(kept, separators=(",", ":"), ensure_ascii=ascii_only)


def is_known(topology: Topology, value: Value) -> bool:
    """True where all inputs and nodes are there that ``value`` names."""
    inputs = [expr.name for expr in ex.walk(value) if isinstance(expr, ex.Input)]
    nodes = [expr.node for expr in ex.walk(value) if hasattr(expr, "node")]
    if not all(isinstance(name, str) for name in (*inputs, *nodes)):
        return False
    return topology.inputs.keys() >= set(inputs) and topology.nodes.keys() >= set(nodes)


class _OnlyHereError(Exception):
    """A value means nothing in the document that is written."""


class Portable:
    """Gives values the names that entries have in the document that is written."""

    def __init__(self, topology: Topology, inputs: Named, nodes: Named) -> None:
        self._topology = topology
        self._inputs, self._nodes = inputs, nodes
        #: named conditions that are being looked into
        self._open: set[str] = set()

    def value(self, value: Value) -> Value:
        """``value`` as it can be kept; MISSING where it refers to what is not there any more, or may have values of
        hidden inputs in it."""
        if self._topology.withheld:
            return MISSING
        try:
            found = ex.transform(value, self._expression)
            json.dumps(to_data(found))
        except (_OnlyHereError, TypeError, ValueError, RecursionError):
            return MISSING
        return found

    def _expression(self, expr: Expr) -> Value:
        if isinstance(expr, ex.Condition):
            return self._meaning(expr.name)
        if isinstance(expr, ex.File) or (isinstance(expr, ex.Foreign) and not expr.dialect):
            raise _OnlyHereError
        if isinstance(expr, ex.Input):
            return replace(expr, name=_named(self._inputs, expr.name))
        if not hasattr(expr, "node"):
            return expr
        named: dict[str, Any] = {"node": _named(self._nodes, expr.node)}
        return replace(expr, **named)

    def _meaning(self, name: Value) -> Value:
        """What a named condition is, as it may have no name any more."""
        if not isinstance(name, str) or name not in self._topology.conditions or name in self._open:
            raise _OnlyHereError
        self._open.add(name)
        try:
            return ex.transform(self._topology.conditions[name], self._expression)
        finally:
            self._open.discard(name)


def _named(names: Named, name: Value) -> str:
    found = names(name) if isinstance(name, str) else None
    if found is None:
        raise _OnlyHereError
    return found
