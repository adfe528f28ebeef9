"""Flavors and images that are asked for by what they have, chosen from tables of those that a cloud has.

Chosen is the smallest flavor that has as much of everything, and the first image that has all that is asked for. What
nothing fits is asked for by an input, as without a table: nothing is guessed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Value
from bpconvert.models.topology import Asked, Topology
from bpconvert.translators.passes.request import Request

#: what a flavor is measured by, that which counts most first
_SIZES: Final = ("ram", "cpus", "disk")
#: tables count RAM in MiB
_MIB: Final = 1024


def choose(topology: Topology, request: Request) -> Topology:
    """Put names of the tables in place of the inputs that ask for them; the others are reported."""
    chosen: dict[str, str] = {}
    tables, report = request.options.tables(), request.reporter.report
    for name, declared in topology.inputs.items():
        asked, path = declared.asked, declared.path
        if asked is None:
            continue
        table = tables.get(asked.what)
        found = fitting(asked, table) if table and _is_known(asked) else None
        if found is not None:
            chosen[name] = found
            report("BPC825", path, input=name, what=asked.what, name=found)
            continue
        report("BPC812", path, node=asked.node, words=asked.words, what=asked.what, input=name)
        if table:
            why = f"none of the {len(table)} in the table has all that is asked for"
            why = why if _is_known(asked) else "what it needs is not known yet"
            report("BPC826", path, input=name, what=asked.what, why=why)
    for name in chosen:
        del topology.inputs[name]

    def named(expr: ex.Expr) -> Value:
        is_chosen = isinstance(expr, ex.Input) and isinstance(expr.name, str) and expr.name in chosen
        return chosen[str(expr.name)] if isinstance(expr, ex.Input) and is_chosen else expr

    if chosen:
        topology.rewrite(lambda value: ex.transform(value, named))
    return topology


def _is_known(asked: Asked) -> bool:
    """True where all that is asked for is known, and is numbers where they are compared."""
    types = (int, float) if asked.what == "flavor" else (str, int, float)
    return bool(asked.wanted) and all(isinstance(value, types) for value in asked.wanted.values())


def fitting(asked: Asked, table: Mapping[str, Mapping[str, Any]]) -> str | None:
    """The name of the row that fits best; None where none does."""
    if asked.what == "flavor":
        wanted = {**asked.wanted, "ram": asked.wanted.get("ram", 0) * _MIB}
        fits = [name for name, row in table.items() if all(_size(row, key) >= wanted.get(key, 0) for key in _SIZES)]
        return min(fits, key=lambda name: (*(_size(table[name], key) for key in _SIZES), name), default=None)
    return next((name for name, row in table.items() if _has(row, asked.wanted)), None)


def _size(row: Mapping[str, Any], key: str) -> float:
    """How much a flavor has of something; what its row leaves out, it has none of."""
    return float(row.get(key, 0))


def _has(row: Mapping[str, Any], wanted: Mapping[str, Value]) -> bool:
    """True for an image of which all that is wanted is known to be so. Case does not count, nor do zeros at the end of
    a version."""
    return all(key in row and _plain(row[key]) == _plain(value) for key, value in wanted.items())


def _plain(value: Any) -> str:
    return re.sub(r"(\.0+)+$", "", str(value).strip().lower())
