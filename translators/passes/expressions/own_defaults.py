"""Defaults of inputs that are written wherever the input is used, as the input's own.

A language whose inputs have only plain defaults writes a computed one at each use: the input is empty by default, a
condition called after it holds when it has been given, and each use chooses by that. This is the way back of such a
document, for a language that computes defaults.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.light import NamedTuple
from bpconvert.models.topology import Input, Topology
from bpconvert.translators.passes.request import Request

#: what the condition is called that holds when an input has been given
GIVEN: Final = "{name}_given"
#: what shows that an input has not been given
_EMPTY: Final[tuple[Value, ...]] = ("", [])
#: what a default may be computed of
_OF: Final = (ex.Input, ex.Secret, ex.Concat, ex.Join)


class _Use(NamedTuple):
    """A choice between an input, or the part of it at ``keys``, and what is meant where it is not given."""

    keys: tuple[Value, ...]
    otherwise: Value


def own_defaults(topology: Topology, request: Request) -> Topology:
    """Give the inputs the defaults that are written where they are used. One may need another one's."""
    waiting = [name for name in topology.inputs if GIVEN.format(name=name) in topology.conditions]
    while waiting:
        taken_now = [name for name in waiting if _take(topology, request, topology.inputs[name])]
        if not taken_now:
            break
        waiting = [name for name in waiting if name not in taken_now]
    return topology


def _take(topology: Topology, request: Request, declared: Input) -> bool:
    """Give an input its default, where one is written at every use of it."""
    condition = GIVEN.format(name=declared.name)
    empty = next((value for value in _EMPTY if value == declared.default), None)
    if empty is None or declared.constraints:
        return False
    if topology.conditions[condition] != ex.Not(ex.Equals(ex.Input(declared.name), empty)):
        return False
    default = _default(topology, declared.name, condition)
    if default is MISSING:
        return False
    del topology.conditions[condition]
    places: dict[Path, None] = {(*declared.path, "default"): None}
    topology.rewrite(partial(_is_given, condition, places))
    declared.default = default
    for place in places:
        request.reporter.report("BPC759", place, name=declared.name)
    return True


def _default(topology: Topology, name: str, condition: str) -> Value:
    """The default that all uses of an input agree on; MISSING where they do not, or nothing can be computed of it."""
    places = [value for value in topology.values() if value is not topology.conditions[condition]]
    default: Value = MISSING
    for value in [*places, *(node.extra for node in topology.nodes.values())]:
        for use in _uses(value, name, condition):
            default = MISSING if use is None else _with(default, use.keys, use.otherwise)
            if default is MISSING:
                return MISSING
    is_known = all(isinstance(expr, _OF) and getattr(expr, "name", "") != name for expr in ex.walk(default))
    return default if default is not None and is_known else MISSING


def _uses(value: Value, name: str, condition: str) -> Iterator[_Use | None]:
    """The uses of an input; None for one that is no choice by whether it is given."""
    if isinstance(value, ex.If) and value.condition == ex.Condition(condition):
        then = value.then
        is_use = isinstance(then, ex.Input) and then.name == name and all(isinstance(key, str) for key in then.keys)
        yield _Use(then.keys, value.otherwise) if is_use and isinstance(then, ex.Input) else None
        yield from _uses(value.otherwise, name, condition)
        return
    if isinstance(value, (ex.Input, ex.Condition)) and (
        value.name in (name, condition) or not isinstance(value.name, str)
    ):
        yield None
    for part in _parts(value):
        yield from _uses(part, name, condition)


def _parts(value: Value) -> Iterable[Value]:
    if isinstance(value, ex.Expr):
        return [getattr(value, field) for field in ex.field_names(type(value))]
    return value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else ()


def _with(default: Value, keys: tuple[Value, ...], part: Value) -> Value:
    """``default`` with ``part`` at ``keys``; MISSING where it has another one there, or there is none."""
    if part is MISSING or part is None:
        return MISSING
    if not keys:
        return part if default is MISSING or default == part else MISSING
    holder: Value = {} if default is MISSING else default
    if not isinstance(holder, dict):
        return MISSING
    inner = _with(holder.get(keys[0], MISSING), keys[1:], part)
    return MISSING if inner is MISSING else {**holder, keys[0]: inner}


def _is_given(condition: str, places: dict[Path, None], value: Value) -> Value:
    """``value`` with the inputs themselves in place of the choices by ``condition``, whose places are noted."""
    if isinstance(value, ex.If) and value.condition == ex.Condition(condition):
        places.setdefault(value.path)
        return value.then
    return ex.map_parts(value, partial(_is_given, condition, places))
