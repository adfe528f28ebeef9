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


def choose(topology: Topology, request: Request) -> Topology:
    """Put names of the tables in place of the inputs that ask for them."""
    chosen: dict[str, str] = {}
    for name, declared in topology.inputs.items():
        asked = declared.asked
        table = None if asked is None else request.options.tables().get(asked.what)
        if asked is None or not table:
            continue
        path, wanted = declared.path, _known(asked.wanted, request)
        if not wanted or any(isinstance(value, ex.Expr) for value in wanted.values()):
            request.reporter.report("BPC826", path, input=name, what=asked.what, why="what it needs is not known yet")
            continue
        found = fitting(Asked(asked.what, wanted), table)
        if found is None:
            why = f"none of the {len(table)} in the table has all that is asked for"
            request.reporter.report("BPC826", path, input=name, what=asked.what, why=why)
        else:
            chosen[name] = found
            request.reporter.report("BPC825", path, input=name, what=asked.what, name=found)
    for name in chosen:
        del topology.inputs[name]

    def named(expr: ex.Expr) -> Value:
        is_chosen = isinstance(expr, ex.Input) and isinstance(expr.name, str) and expr.name in chosen
        return chosen[str(expr.name)] if isinstance(expr, ex.Input) and is_chosen else expr

    if chosen:
        topology.rewrite(lambda value: ex.transform(value, named))
    return topology


def _known(wanted: Mapping[str, Value], request: Request) -> dict[str, Value]:
    """What is wanted, with the values of inputs that are decided."""
    given = request.options.params or {}
    is_given = {key: isinstance(one, ex.Input) and not one.keys and one.name in given for key, one in wanted.items()}
    return {key: given[str(getattr(one, "name", ""))] if is_given[key] else one for key, one in wanted.items()}


def fitting(asked: Asked, table: Mapping[str, Mapping[str, Any]]) -> str | None:
    """The name of the row that fits best; None where none does."""
    if asked.what == "flavor":
        fits = [
            name for name, row in table.items() if all(_size(row, key) >= asked.wanted.get(key, 0) for key in _SIZES)
        ]
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
