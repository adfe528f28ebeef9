"""The functions of TOSCA, what reads them and what writes them.

A map with the name of a function as its only key is a call (Simple Profile 1.3, section 4); there is no way to write
such a map as data. TOSCA 2.0 writes the names with ``$`` before them and ``$$`` for a name that is data.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.checks import Problem
from bpconvert.models.expressions import MISSING, SCALARS, Expr, Foreign, Path, Value
from bpconvert.models.light import NamedTuple
from bpconvert.translators.tosca import DIALECT
from bpconvert.translators.tosca.vocabulary import IDENTITY


class Malformed(Exception):
    """A call with arguments that the function does not take; the text completes "'concat' ..."."""


class Function(NamedTuple):
    """One function. ``read``: (its argument, whose calls have been read; path) -> expression, raises
    :class:`Malformed`."""

    name: str
    since: str
    form: str
    read: Callable[[Value, Path], Value]
    meaning: str


class Inexpressible(ValueError):
    """TOSCA has no function for a value."""

    def __init__(self, value: Value) -> None:
        super().__init__(f"TOSCA cannot express {value!r}")


# -- reading ------------------------------------------------------------------------------------------------


def _get_input(argument: Value, path: Path) -> Value:
    name, *keys = argument if isinstance(argument, list) and argument else [argument]
    if not isinstance(name, (str, Expr)) or not all(isinstance(key, (str, int, Expr)) for key in keys):
        raise Malformed("takes the name of an input")
    return ex.Input(name, tuple(keys), strict=True, path=path)


def _node_and_path(argument: Value, what: str) -> list[Value]:
    if not isinstance(argument, list) or len(argument) < 2 or not isinstance(argument[0], str):
        raise Malformed(f"takes a list with the name of a node, the name of {what} and steps into its value")
    if not all(isinstance(step, (str, int, Expr)) for step in argument):
        raise Malformed(f"takes the name of {what} and steps into its value, which are texts and numbers")
    return argument


def _get_property(argument: Value, path: Path) -> Value:
    node, name, *keys = _node_and_path(argument, "a property")
    return ex.Property(node, name, tuple(keys), path=path)


def _get_attribute(argument: Value, path: Path) -> Value:
    node, name, *keys = _node_and_path(argument, "an attribute")
    if name == IDENTITY and not keys:
        return ex.Identity(node, path=path)
    return ex.Attribute(node, name, tuple(keys), path=path)


def _concat(argument: Value, path: Path) -> Value:
    if not isinstance(argument, list):
        raise Malformed("takes a list")
    return ex.Concat(tuple(map(as_text, argument)), path=path)


def in_text(value: bool | float) -> str:
    """A boolean or a number as texts have it (puccini, whose numbers are those of JavaScript)."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e21:
        return str(int(value))
    return re.sub(r"e([+-])0(\d)$", r"e\1\2", repr(value))


def as_text(item: Value) -> Value:
    """A literal as a text writes it. Whole numbers stay numbers."""
    return in_text(item) if isinstance(item, (bool, float)) else item


def as_item(item: Value) -> Value:
    """A literal as a text that is joined."""
    return str(as_text(item)) if isinstance(item, (bool, int, float)) else item


def _join(argument: Value, path: Path) -> Value:
    if not isinstance(argument, list) or not 1 <= len(argument) <= 2:
        raise Malformed("takes a list of texts and a delimiter")
    items, delimiter = [*argument, ""][:2]
    if isinstance(items, list):
        items = [as_item(item) for item in items]
    elif not isinstance(items, Expr):
        raise Malformed("takes a list of texts and a delimiter")
    return ex.Join(delimiter, (items,), json_items=False, path=path)


def _token(argument: Value, path: Path) -> Value:
    if not isinstance(argument, list) or len(argument) != 3:
        raise Malformed("takes a text, the separators and an index")
    text, separators, index = argument
    if not isinstance(separators, str) or not separators:
        return Foreign(DIALECT, "token", argument, path=path)
    first, *others = dict.fromkeys(separators)
    for other in others:  # each of the characters separates
        text = ex.StringReplace(text, other, first, path=path)
    return ex.Split(first, text, index, strict=True, path=path)


def _foreign(name: str) -> Callable[[Value, Path], Value]:
    return lambda argument, path: Foreign(DIALECT, name, argument, path=path)


_ROWS: Final = (
    Function("get_input", "1.0", "name | [name, step, ...]", _get_input, "an input; a part of it since 1.3"),
    Function("get_property", "1.0", "[node, property, step, ...]", _get_property, "a property, or a part of it"),
    Function("get_attribute", "1.0", "[node, attribute, step, ...]", _get_attribute, "a runtime attribute, or a part"),
    Function("get_operation_output", "1.0", "[node, interface, operation, output]", _foreign("get_operation_output"),
             "what an operation has published"),
    Function("get_nodes_of_type", "1.0", "type", _foreign("get_nodes_of_type"), "the nodes of a type"),
    Function("get_artifact", "1.0", "[node, artifact, location, remove]", _foreign("get_artifact"),
             "the place of a file"),
    Function("concat", "1.0", "[text, ...]", _concat, "texts, one after the other"),
    Function("join", "1.3", "[[text, ...], delimiter]", _join, "the texts of a list, joined"),
    Function("token", "1.0", "[text, separators, index]", _token, "one of the pieces of a text"),
)  # fmt: skip
FUNCTIONS: Final = {function.name: function for function in _ROWS}
#: the version that a version without functions of its own is like
LATEST: Final = "1.3"


def called(data: Any, prefix: str = "") -> str | None:
    """The function that plain ``data`` is a call of; None where it is none. ``prefix``: ``$`` in TOSCA 2.0."""
    if isinstance(data, dict) and len(data) == 1:
        name = next(iter(data))
        if isinstance(name, str) and name.startswith(prefix) and name[len(prefix) :] in FUNCTIONS:
            return name[len(prefix) :]
    return None


def read_value(raw: Any, path: Path, problems: list[Problem], prefix: str = "") -> Value:
    """``raw`` with its calls as expressions. What the engines refuse is added to ``problems`` and kept as written."""
    if type(raw) in SCALARS:
        return raw
    name = called(raw, prefix)
    if name is not None:
        place = (*path, prefix + name)
        argument = read_value(raw[prefix + name], place, problems, prefix)
        try:
            return FUNCTIONS[name].read(argument, path)
        except Malformed as wrong:
            problems.append(Problem(path, f"'{prefix}{name}' {wrong}"))
            return Foreign(DIALECT, name, argument, path=path)
    if isinstance(raw, dict):
        return {key: read_value(item, (*path, key), problems, prefix) for key, item in raw.items()}
    if isinstance(raw, list):
        return [read_value(item, (*path, index), problems, prefix) for index, item in enumerate(raw)]
    return raw


# -- writing ------------------------------------------------------------------------------------------------


def _input(e: ex.Input) -> Any:
    return [e.name, *e.keys] if e.keys else e.name


def _split(e: ex.Split) -> Any:
    if e.index is MISSING:
        raise Inexpressible(e)
    return [e.text, e.delimiter, e.index]


def _joined(e: ex.Join) -> Any:
    if len(e.lists) != 1:
        raise Inexpressible(e)
    return [e.lists[0], e.delimiter]


def _attribute(e: ex.Attribute) -> Any:
    if e.name is MISSING:
        raise Inexpressible(e)
    return [e.node, e.name, *e.keys]


#: expression -> function and how its argument is made (of values that are written afterwards)
WRITERS: Final[dict[type[Expr], tuple[str, Callable[[Any], Any]]]] = {
    ex.Input: ("get_input", _input),
    ex.Identity: ("get_attribute", lambda e: [e.node, IDENTITY]),
    ex.Attribute: ("get_attribute", _attribute),
    ex.Property: ("get_property", lambda e: [e.node, e.name, *e.keys]),
    ex.Concat: ("concat", lambda e: list(e.items)),
    ex.Join: ("join", _joined),
    ex.Split: ("token", _split),
}
#: what :func:`read_value` makes expressions of
READ: Final = frozenset({*WRITERS, ex.StringReplace, Foreign})


def write_value(value: Value, prefix: str = "") -> Any:
    """``value`` as plain data with calls as maps; ``prefix``: as in :func:`called`. Raises :class:`Inexpressible` for
    an expression without a function and for a literal map that would be a call."""
    if type(value) in SCALARS:
        return _data(value, prefix) if prefix else value
    if isinstance(value, Expr):
        if isinstance(value, Foreign) and value.dialect == DIALECT:
            return {prefix + value.name: write_value(value.argument, prefix)}
        if type(value) not in WRITERS:
            raise Inexpressible(value)
        name, argument = WRITERS[type(value)]
        return {prefix + name: write_value(argument(value), prefix)}
    if isinstance(value, dict):
        if not prefix and called(value) is not None:
            raise Inexpressible(value)
        return {_data(key, prefix): write_value(item, prefix) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [write_value(item, prefix) for item in value]
    return _data(value, prefix)


def _data(value: Any, prefix: str) -> Any:
    """A text that is data, where what begins with ``prefix`` is a call: that is written twice (2.0, "Function
    definitions")."""
    return prefix + value if prefix and isinstance(value, str) and value.startswith(prefix) else value


def calls_in(data: Any, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """The calls in plain ``data``, outer ones first: the function and the argument as written; ``prefix``: as in
    :func:`called`."""
    waiting = [data]
    while waiting:
        part = waiting.pop()
        if isinstance(part, dict):
            name = called(part, prefix) if len(part) == 1 else None
            if name is not None:
                yield name, part[prefix + name]
            part = part.values()
        waiting += [item for item in part if type(item) not in SCALARS and isinstance(item, (dict, list))][::-1]


def inputs_of(calls: Iterable[tuple[str, Any]]) -> Iterator[Any]:
    """The names of the inputs that ``calls`` ask for, which :func:`calls_in` yields."""
    for name, argument in calls:
        if name == "get_input":
            yield argument[0] if isinstance(argument, list) and argument else argument


def attributes_of(calls: Iterable[tuple[str, Any]]) -> Iterator[tuple[str, Any, list[Any]]]:
    """The attributes that ``calls`` read, which :func:`calls_in` yields: node, name and the steps into the value. What
    engines make of every node is none of them."""
    for function, argument in calls:
        if function == "get_attribute" and isinstance(argument, list) and len(argument) > 1:
            node, name, *steps = argument
            if isinstance(node, str) and (steps or name != IDENTITY):
                yield node, name, steps
