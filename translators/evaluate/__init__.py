"""Evaluation of expressions with the source engine's exact semantics.

:func:`fold` computes what is known and leaves the rest symbolic, folded as far as the meaning stays the same. It never
drops a part that depends on what is not known (a reference to a node is a dependency, and what the engine may refuse
must not be hidden), except with the branch of an ``if`` that is not taken.

    scope        what is known, and the walk
    references   inputs, attributes, properties, secrets, files
    text         join, replace, split, digest, url
    lists        merge, map_replace, list_concat, filter, select, repeat
    yaql         yaql
    conditions   if, conditions
    calls        what only one language has
    parameters   what an input yields for a given value
    facts        what is given about a deployment
"""

from __future__ import annotations

from collections.abc import Callable

from bpconvert.models.expressions import MISSING, Query, Value, is_constant
from bpconvert.models.topology import Topology
from bpconvert.translators.evaluate import calls, conditions, lists, references, text
from bpconvert.translators.evaluate.conditions import decide
from bpconvert.translators.evaluate.scope import FOLDERS, LONGEST, Note, Refused, Scope, fold_field, fold_item
from bpconvert.translators.evaluate.text import Pieces, pieces, replaced_size, replacement

__all__ = [
    "LONGEST",
    "Note",
    "Pieces",
    "Refused",
    "Scope",
    "by_default",
    "decide",
    "fold",
    "fold_item",
    "pieces",
    "replaced_size",
    "replacement",
]


def fold(value: Value, scope: Scope) -> Value:
    """``value`` with everything computed that ``scope`` knows; null where a value vanishes (see :func:`fold_item`).

    Raises :class:`Refused` where the engine would refuse. ``value`` is not changed; unchanged parts are shared."""
    return fold_field(value, scope)


def by_default(value: Value, topology: Topology, files: Callable[[str], str | None] | None = None) -> Value:
    """What the source's engine computes where every input has its default; MISSING where that is not known. ``files``:
    see :class:`Scope`."""
    inputs = {name: declared.default for name, declared in topology.inputs.items() if declared.default is not MISSING}
    try:
        computed = fold(value, Scope(inputs=inputs, conditions=topology.conditions, files=files))
    except (Refused, RecursionError):
        return MISSING
    return computed if is_constant(computed) else MISSING


def _fold_query(expr: Query, scope: Scope) -> Value:
    from bpconvert.translators.evaluate.yaql import fold_query  # few documents have queries

    return fold_query(expr, scope)


for _module in (references, text, lists, conditions, calls):
    FOLDERS.update(_module.FOLDS)
FOLDERS[Query] = _fold_query
