"""What a language has no words for, kept in metadata as text for the way back.

A neutral notation is used (:mod:`bpconvert.models.notation`), so that no language is needed to read it. A value stands
with the digest of what is written in its place: while that is as it was, the value is read back."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Expr, Path, Value
from bpconvert.models.light import replace
from bpconvert.models.notation import from_data, to_data
from bpconvert.models.topology import Node, Operation, Topology
from bpconvert.translators.provenance import carry
from bpconvert.translators.provenance.carry import digest
from bpconvert.translators.support.findings import Reports
from bpconvert.urls import is_url

#: the key of the metadata
KEY: Final = carry.KEPT
#: what is kept of an operation as it is
_OPERATION: Final = ("interface", "name", "implementation", "host", "extra")
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


def operations(portable: Portable, unrun: Iterable[Operation], language: str) -> list[dict[str, Any]]:
    """What is kept of operations that only their ``language`` runs."""
    rows = []
    for operation in unrun:
        inputs = portable.value(operation.inputs)
        target = None if operation.target is None else portable.value(ex.Identity(operation.target))
        if inputs is not MISSING and target is not MISSING:
            row = {key: getattr(operation, key) for key in _OPERATION if getattr(operation, key)}
            row |= {"inputs": to_data(inputs)} if inputs else {}
            row |= {"target": target.node} if isinstance(target, ex.Identity) else {}
            rows.append({**row, "native": operation.native or language})
    return rows


def restore_operations(topology: Topology, node: Node, rows: Any, reporter: Reports) -> None:
    """Give a node the operations that are kept as ``rows``, and report each: its engine does not run them. Those that
    refer to what is gone, are damaged, or have been given since, are left out."""
    kept_operations = _operations(topology, node, rows)
    node.operations += kept_operations
    for operation in kept_operations:
        reporter.report(
            "BPC670", node.path, what=f"operation '{operation.name}' of '{node.name}' ({operation.implementation})"
        )


def _operations(topology: Topology, node: Node, rows: Any) -> list[Operation]:
    kept_operations = []
    present = {(operation.interface, operation.name, operation.target) for operation in node.operations}
    for row in rows if isinstance(rows, list) else ():
        words = {key: row.get(key, "") for key in (*_OPERATION[:-1], "native")} if isinstance(row, dict) else {}
        if not words or not all(isinstance(word, str) for word in words.values()) or not words["name"]:
            continue
        inputs, target, extra = opened(row.get("inputs", {}), node.path), row.get("target"), row.get("extra", {})
        is_whole = isinstance(inputs, dict) and isinstance(extra, dict) and is_known(topology, inputs)
        if not is_whole or not (target is None or (isinstance(target, str) and target in topology.nodes)):
            continue
        kept_operation = Operation(**words, inputs=inputs, target=target, extra=extra, path=node.path)
        kept_operation.host = kept_operation.host or "source"
        if (kept_operation.interface, kept_operation.name, kept_operation.target) not in present:
            kept_operations.append(kept_operation)
    return kept_operations


#: expressions of a value that is kept at most: named conditions stand in it as what they are, each time
_MOST: Final = 300


class _OnlyHereError(Exception):
    """A value means nothing in the document that is written."""


class Portable:
    """Gives values the names that entries have in the document that is written."""

    def __init__(self, topology: Topology, inputs: Named, nodes: Named) -> None:
        self._topology = topology
        self._inputs, self._nodes = inputs, nodes
        #: named conditions that are being looked into
        self._open: set[str] = set()
        #: expressions that a value may still have
        self._left = 0

    def value(self, value: Value) -> Value:
        """``value`` as it can be kept; MISSING where it refers to what is not there any more, or may have values of
        hidden inputs in it."""
        if self._topology.withheld:
            return MISSING
        self._left = _MOST
        try:
            portable = ex.transform(value, self._expression)
            json.dumps(to_data(portable))
        except (_OnlyHereError, TypeError, ValueError, RecursionError):
            return MISSING
        return portable

    def _expression(self, expr: Expr) -> Value:
        self._left -= 1
        if self._left < 0:
            raise _OnlyHereError
        if isinstance(expr, ex.Condition):
            return self._meaning(expr.name)
        is_nameless = isinstance(expr, ex.Foreign) and not expr.dialect
        if is_nameless or (isinstance(expr, ex.File) and not _is_anywhere(expr)):
            raise _OnlyHereError
        if isinstance(expr, ex.Input):
            return replace(expr, name=_name_in(self._inputs, expr.name))
        if not hasattr(expr, "node"):
            return expr
        node = self._topology.node(expr.node) if isinstance(expr, ex.Identity) else None
        if node is not None and isinstance(node.external_name, Expr) and self._nodes(node.name) is None:
            return ex.transform(node.external_name, self._expression)  # the name stands where its node is used
        node_name: dict[str, Any] = {"node": _name_in(self._nodes, expr.node)}
        return replace(expr, **node_name)

    def _meaning(self, name: Value) -> Value:
        """What a named condition is, as it may have no name any more."""
        if not isinstance(name, str) or name not in self._topology.conditions or name in self._open:
            raise _OnlyHereError
        self._open.add(name)
        try:
            return ex.transform(self._topology.conditions[name], self._expression)
        finally:
            self._open.discard(name)


def _is_anywhere(file: ex.File) -> bool:
    """True for a file that is the same from everywhere."""
    return isinstance(file.name, str) and is_url(file.name)


def _name_in(names: Named, name: Value) -> str:
    name_found = names(name) if isinstance(name, str) else None
    if name_found is None:
        raise _OnlyHereError
    return name_found
