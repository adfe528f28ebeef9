"""Expressions as HOT calls, and the version that has them.

:data:`WRITERS` is the way back of the readers in :mod:`bpconvert.translators.hot.functions`. What one version reads is
written so that it reads the same, except where only the spelling differs: ``get_param: [x]`` is written ``get_param:
x``, ``permutations: true`` and an empty ``data`` of ``yaql`` are left out, and ``Fn::Join``, ``Fn::Replace``,
``Fn::Split``, ``Fn::ResourceFacade`` and ``Ref`` have the names that every version knows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Expr, Value
from bpconvert.translators.hot import DIALECT
from bpconvert.translators.hot.arguments import PSEUDO_PARAMETERS
from bpconvert.translators.hot.functions import FUNCTIONS

BASE: Final = "2013-05-23"
_LIBERTY, _NEWTON, _PIKE, _WALLABY = "2015-10-15", "2016-10-14", "2017-09-01", "2021-04-16"


class Inexpressible(Exception):
    """HOT has no way to write ``value``: rewriting comes before writing."""

    def __init__(self, value: Value) -> None:
        super().__init__(f"HOT cannot express {value!r}")
        self.value = value


# -- names of functions -------------------------------------------------------------------------------------


def _since(context: str) -> dict[str, str]:
    """Function -> its first version, of those that the latest version has."""
    first_versions: dict[str, str] = {}
    latest = {function.name for function in FUNCTIONS if function.context == context and function.until is None}
    for function in FUNCTIONS:
        if function.context == context and function.name in latest:
            first_versions[function.name] = min(first_versions.get(function.name, function.since), function.since)
    return first_versions


_SINCE: Final = {context: _since(context) for context in ("value", "condition")}
#: names that some version takes for a call
_CALLS: Final = {
    context: frozenset(function.name for function in FUNCTIONS if function.context in ("value", context))
    for context in ("value", "condition")
}


def is_function(name: str) -> bool:
    """True when the latest version has the function for values."""
    return name in _SINCE["value"]


def collides(data: Any, context: str = "value") -> bool:
    """True for a literal map that some version of HOT would take for a call."""
    return isinstance(data, dict) and len(data) == 1 and next(iter(data)) in _CALLS[context]


# -- writers ------------------------------------------------------------------------------------------------

_FACTS: Final = {fact: name for name, fact in PSEUDO_PARAMETERS.items()}
_REPLACERS: Final = ("str_replace", "str_replace_strict", "str_replace_vstrict")


def _input(e: ex.Input) -> Any:
    return [e.name, *e.keys] if e.keys else e.name


def _system(e: ex.System) -> Any:
    if e.name not in _FACTS:
        raise Inexpressible(e)
    return _FACTS[e.name]


def _attribute(e: ex.Attribute) -> Any:
    return [e.node] if e.name is MISSING else [e.node, e.name, *e.keys]


def _split(e: ex.Split) -> Any:
    return [e.delimiter, e.text] if e.index is MISSING else [e.delimiter, e.text, e.index]


def _map_replace(e: ex.MapReplace) -> Any:
    changes = {"keys": e.keys, "values": e.values}
    return [e.map, {name: change for name, change in changes.items() if change is not MISSING}]


def _repeat(e: ex.Repeat) -> Any:
    parts = {"template": e.template, "for_each": e.for_each}
    return parts if e.permutations is True else {**parts, "permutations": e.permutations}


def _query(e: ex.Query) -> Any:
    return {"expression": e.expression, **({} if e.data == {} else {"data": e.data})}


def _pair(*names: str) -> Callable[[Any], Any]:
    return lambda e: [getattr(e, name) for name in names]


#: expression -> function (or how to find it) and how its argument is made, of values that are written afterwards
WRITERS: Final[dict[type[Expr], tuple[str | Callable[[Any], str], Callable[[Any], Any]]]] = {
    ex.Input: ("get_param", _input),
    ex.System: ("get_param", _system),
    ex.Identity: ("get_resource", lambda e: e.node),
    ex.Attribute: ("get_attr", _attribute),
    ex.File: ("get_file", lambda e: e.name),
    ex.Facade: ("resource_facade", lambda e: e.section),
    ex.Join: ("list_join", lambda e: [e.delimiter, *e.lists]),
    ex.Replace: (lambda e: _REPLACERS[e.strictness], lambda e: {"template": e.template, "params": e.params}),
    ex.Split: ("str_split", _split),
    ex.Digest: ("digest", _pair("algorithm", "text")),
    ex.Url: ("make_url", lambda e: e.parts),
    ex.Merge: ("map_merge", lambda e: e.maps),
    ex.MapReplace: ("map_replace", _map_replace),
    ex.ListConcat: (lambda e: "list_concat_unique" if e.unique else "list_concat", lambda e: e.lists),
    ex.Filter: ("filter", _pair("values", "items")),
    ex.Repeat: ("repeat", _repeat),
    ex.Query: ("yaql", _query),
    ex.Contains: ("contains", _pair("value", "sequence")),
}
#: the same where a condition stands
CONDITION_WRITERS: Final[dict[type[Expr], tuple[str, Callable[[Any], Any]]]] = {
    ex.Input: ("get_param", _input),
    ex.System: ("get_param", _system),
    ex.Equals: ("equals", _pair("left", "right")),
    ex.Query: ("yaql", _query),
    ex.Contains: ("contains", _pair("value", "sequence")),
}
_LOGIC: Final[dict[type[Expr], str]] = {ex.Not: "not", ex.And: "and", ex.Or: "or"}


def write_value(value: Value) -> Any:
    """``value`` as plain data with calls as maps.

    A literal map that some version would take for a call is written as ``map_replace`` of one with another key.
    Raises :class:`Inexpressible` for an expression that HOT has no function for."""
    if isinstance(value, Expr):
        return _write_call(value)
    if isinstance(value, dict):
        written = {key: write_value(item) for key, item in value.items()}
        return _renamed(written) if collides(written) else written
    if isinstance(value, (list, tuple)):
        return [write_value(item) for item in value]
    return value


def _renamed(data: dict[Any, Any]) -> dict[str, Any]:
    """``{name: x}`` as data: its key gets its name when it is too late to be read as a call."""
    ((name, item),) = data.items()
    return {"map_replace": [{f"{name}_": item}, {"keys": {f"{name}_": name}}]}


def _write_call(expr: Expr) -> dict[str, Any]:
    if isinstance(expr, ex.If):
        branches = [expr.then] if expr.otherwise is MISSING else [expr.then, expr.otherwise]
        return {"if": [write_condition(expr.condition), *map(write_value, branches)]}
    if isinstance(expr, ex.Foreign):
        if expr.dialect != DIALECT or expr.name not in _SINCE["value"]:
            raise Inexpressible(expr)
        return {expr.name: write_value(expr.argument)}
    writer = WRITERS.get(type(expr))
    if writer is None:
        raise Inexpressible(expr)
    name, argument = writer
    return {name if isinstance(name, str) else name(expr): write_value(argument(expr))}


def write_condition(value: Value) -> Any:
    """A condition as plain data: a bool, the name of a condition, or a call.

    Raises :class:`Inexpressible` for what no condition can be, and for a literal map inside that would be a call."""
    if isinstance(value, ex.Condition):
        return write_condition(value.name) if isinstance(value.name, Expr) else value.name
    kind = type(value)
    if kind in _LOGIC:
        operand = write_condition(value.operand) if kind is ex.Not else [*map(write_condition, value.operands)]
        return {_LOGIC[kind]: operand}
    if isinstance(value, ex.Foreign):
        if value.dialect != DIALECT or value.name not in _SINCE["condition"]:
            raise Inexpressible(value)
        return {value.name: write_condition(value.argument)}
    if isinstance(value, Expr):
        if kind not in CONDITION_WRITERS:
            raise Inexpressible(value)
        name, argument = CONDITION_WRITERS[kind]
        return {name: write_condition(argument(value))}
    if isinstance(value, dict):
        if collides(value, "condition"):
            raise Inexpressible(value)
        return {key: write_condition(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [write_condition(item) for item in value]
    return value


# -- versions -----------------------------------------------------------------------------------------------


def _is_data(item: Any) -> bool:
    """True for a map or list that is no call."""
    return isinstance(item, list) or (isinstance(item, dict) and not collides(item))


def _joins_much(argument: Any) -> bool:
    """Several lists, or items that become JSON."""
    if not isinstance(argument, list):
        return False
    return len(argument) > 2 or any(isinstance(part, list) and any(map(_is_data, part)) for part in argument[1:])


def _replaces_data(argument: Any) -> bool:
    params = argument.get("params") if isinstance(argument, dict) else None
    return isinstance(params, dict) and not collides(params) and any(map(_is_data, params.values()))


def _loops_over_map(argument: Any) -> bool:
    loops = argument.get("for_each") if isinstance(argument, dict) else None
    return isinstance(loops, dict) and not collides(loops) and any(
        isinstance(items, dict) and not collides(items) for items in loops.values()
    )


def _has_no_name(argument: Any) -> bool:
    """All attributes of a resource are asked for."""
    return isinstance(argument, str) or (isinstance(argument, list) and len(argument) == 1)


#: later forms of a function: (function, version, what its argument is like)
FORMS: Final[tuple[tuple[str, str, Callable[[Any], bool]], ...]] = (
    ("get_attr", _LIBERTY, _has_no_name),
    ("list_join", _LIBERTY, _joins_much),
    ("str_replace", _LIBERTY, _replaces_data),
    ("repeat", _NEWTON, _loops_over_map),
    ("repeat", _PIKE, lambda argument: isinstance(argument, dict) and "permutations" in argument),
    ("if", _WALLABY, lambda argument: isinstance(argument, list) and len(argument) < 3),
)


def needs(data: Any, context: str = "value") -> str:
    """The lowest ``heat_template_version`` (date) that has all functions of ``data``, which was written.

    ``context``: ``condition`` for data that :func:`write_condition` made."""
    if isinstance(data, dict):
        if len(data) == 1:
            ((name, argument),) = data.items()
            if name in _SINCE[context]:
                return _call_needs(name, argument, context)
        return _highest(needs(item, context) for item in data.values())
    if isinstance(data, (list, tuple)):
        return _highest(needs(item, context) for item in data)
    return BASE


def _call_needs(name: str, argument: Any, context: str) -> str:
    version = _SINCE[context][name]
    if context == "value":
        version = _highest([version, *(date for form, date, used in FORMS if form == name and used(argument))])
    if name == "if" and isinstance(argument, list) and argument:
        inner = [needs(argument[0], "condition"), *map(needs, argument[1:])]
    else:
        inner = [needs(argument, context)]
    return _highest([version, *inner])


def _highest(dates: Iterable[str]) -> str:
    return max(dates, default=BASE)
