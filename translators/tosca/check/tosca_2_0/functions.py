"""Calls of functions (TOSCA 2.0, chapter 10): their form, their arguments, and what they yield of known values."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from typing import Any, Final

from bpconvert.models.checks import describe
from bpconvert.models.expressions import Path
from bpconvert.models.light import NamedTuple
from bpconvert.translators.support.patterns import TooLongError, matches_whole
from bpconvert.translators.tosca.check.tosca_2_0.forms import Report, is_call
from bpconvert.translators.tosca.functions_2_0 import PREFIX


class Function(NamedTuple):
    """``takes``: the kind of each argument, ``more``: that of all others, "" for none; ``least``: how many it has at
    least; ``yields``: the kind of its result."""

    takes: tuple[str, ...]
    more: str = ""
    least: int = -1
    yields: str = "any"


def _two(kind: str, other: str = "") -> Function:
    return Function((kind, other or kind), yields="boolean")


_ORDERED: Final = _two("ordered")
#: functions of the language (10.2)
FUNCTIONS: Final[dict[str, Function]] = {
    "get_input": Function(("string",), "step", 1),
    "get_property": Function(("string", "step"), "step"),
    "get_attribute": Function(("string", "step"), "step"),
    "get_artifact": Function(("string", "step"), "step"),
    "value": Function((), "step"),
    "node_index": Function((), yields="integer"),
    "relationship_index": Function((), yields="integer"),
    "available_allocation": Function(("string", "step"), "step"),
    "and": Function(("boolean", "boolean"), "boolean", yields="boolean"),
    "or": Function(("boolean", "boolean"), "boolean", yields="boolean"),
    "not": Function(("boolean",), yields="boolean"),
    "xor": _two("boolean"),
    "equal": _two("any"),
    "greater_than": _ORDERED, "greater_or_equal": _ORDERED, "less_than": _ORDERED, "less_or_equal": _ORDERED,
    "valid_values": _two("any", "list"),
    "matches": _two("string"),
    "has_suffix": _two("sequence"), "has_prefix": _two("sequence"), "contains": _two("sequence"),
    "has_entry": _two("collection", "any"), "has_key": _two("map", "any"),
    "has_all_entries": _two("collection", "list"), "has_all_keys": _two("map", "list"),
    "has_any_entry": _two("collection", "list"), "has_any_key": _two("map", "list"),
    "length": Function(("measured",), yields="integer"),
    "concat": Function(("sequence",), "sequence", yields="sequence"),
    "join": Function(("strings", "string"), "", 1, "string"),
    "token": Function(("string", "string", "integer"), yields="string"),
    "union": Function(("list",), "list", yields="list"),
    "intersection": Function(("list",), "list", yields="list"),
    "sum": Function(("number",), "number", yields="number"),
    "difference": Function(("number", "number"), yields="number"),
    "product": Function(("number",), "number", yields="number"),
    "quotient": Function(("number", "number"), yields="number"),
    "remainder": Function(("number", "number"), yields="number"),
    "round": Function(("number",), yields="integer"),
    "floor": Function(("number",), yields="integer"),
    "ceil": Function(("number",), yields="integer"),
}  # fmt: skip
#: functions and constraints that earlier versions had, and 2.0 has not
FORMER: Final = frozenset({
    "in_range", "pattern", "min_length", "max_length", "schema", "get_operation_output", "get_nodes_of_type",
})  # fmt: skip


class Kind(NamedTuple):
    """The kind of an argument. ``noun``: what messages call it; ``fits``: whether a value that is written there is of
    it; ``results``: the kinds of results that are of it."""

    noun: str
    fits: Callable[[Any], bool]
    results: tuple[str, ...]


def _any_of(*types: type) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, types) and not isinstance(value, bool)


_NUMBERS: Final = ("number", "integer", "string", "sequence")
_LISTS: Final = ("list", "sequence")
#: kind of an argument -> what it is, but "any"
_KINDS: Final = {
    "step": Kind("a name or an index", _any_of(str, int), ("string", "integer", "sequence")),
    "string": Kind("a text", _any_of(str), ("string", "sequence")),
    "boolean": Kind("true or false", lambda value: isinstance(value, bool), ("boolean",)),
    "integer": Kind("a whole number", _any_of(int), ("integer", "number")),
    "number": Kind("a number", _any_of(int, float, str), _NUMBERS),  # a text is a scalar
    "ordered": Kind("a number or a text", _any_of(int, float, str), _NUMBERS),
    "list": Kind("a list", _any_of(list), _LISTS),
    "strings": Kind(
        "a list of texts",
        lambda value: isinstance(value, list) and all(isinstance(item, str) or is_call(item) for item in value),
        _LISTS,
    ),
    "map": Kind("a map", _any_of(dict), ()),
    "sequence": Kind("a text or a list", _any_of(str, list), ("string", *_LISTS)),
    "collection": Kind("a list or a map", _any_of(list, dict), _LISTS),
    "measured": Kind("a text, a list or a map", _any_of(str, list, dict), ("string", *_LISTS)),
}


def name_of(call: Any) -> tuple[str, Any]:
    """The name and the argument of a call: ``None`` for none; a second ``$`` only tells keys apart (10.1)."""
    key, argument = next(iter(call.items())) if isinstance(call, dict) else (call, None)
    return str(key)[1:].split(PREFIX)[0], argument


def calls(value: Any, path: Path) -> Iterator[tuple[Any, Path]]:
    """Every call in ``value``, the outer one first."""
    if is_call(value):
        yield value, path
    if isinstance(value, dict):
        for key, item in value.items():
            yield from calls(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from calls(item, (*path, index))


class Calls:
    """Checks the calls of a file. ``own``: the names of the functions that the file and its imports define;
    ``complete``: no import is missing."""

    def __init__(self, report: Report, own: set[str], complete: bool) -> None:
        self.report = report
        self.own = own
        self.complete = complete

    def check(self, value: Any, path: Path) -> None:
        """Report calls in ``value`` that are malformed."""
        if isinstance(value, dict):
            calls = [key for key in value if is_call(key)]
            if calls and len(value) > 1 and any(PREFIX not in str(key)[1:] for key in calls):
                self.report("BPC930", (*path, calls[0]), name=calls[0])
            elif len(value) == 1 and calls:
                self._call(value, (*path, calls[0]))
            for key, item in value.items():
                self.check(item, (*path, key))
        elif isinstance(value, list):
            for index, item in enumerate(value):
                self.check(item, (*path, index))
        elif is_call(value):
            self._call(value, path)

    def condition(self, clause: Any, path: Path) -> None:
        """Report a condition that is no call that yields true or false."""
        if is_call(clause):
            name, _ = name_of(clause)
            function = FUNCTIONS.get(name)
            if function is not None and name not in self.own and function.yields not in ("any", "boolean"):
                self.report("BPC931", path, name=name, problem="yields neither true nor false")

    def _call(self, call: Any, path: Path) -> None:
        name, argument = name_of(call)
        if name in self.own:
            return
        function = FUNCTIONS.get(name)
        if function is None:
            if name in FORMER:
                self.report("BPC932", path, name=name)
            return
        arguments = [] if isinstance(call, str) else argument if isinstance(argument, list) else [argument]
        least = len(function.takes) if function.least < 0 else function.least
        most = None if function.more else len(function.takes)
        if len(arguments) < least or (most is not None and len(arguments) > most):
            wanted = str(least) if least == most else f"{least} or more" if most is None else f"{least} to {most}"
            self.report("BPC931", path, name=name, problem=f"takes {wanted} arguments, not {len(arguments)}")
            return
        for index, item in enumerate(arguments):
            kind = function.takes[index] if index < len(function.takes) else function.more
            if not _suits(kind, item, self.own):
                place = (*path, index) if isinstance(argument, list) else path
                problem = f"takes {_KINDS[kind].noun} as argument {index + 1}, not {describe(item)}"
                self.report("BPC931", place, name=name, problem=problem)


def _suits(kind: str, item: Any, own: set[str]) -> bool:
    if kind == "any" or not is_call(item):
        return kind == "any" or _KINDS[kind].fits(item)
    name, _ = name_of(item)
    function = FUNCTIONS.get(name) if name not in own else None
    return function is None or function.yields == "any" or function.yields in _KINDS[kind].results


# -- values -----------------------------------------------------------------------------------------------------


class UnknownError(Exception):
    """What a call yields is not known before the deployment."""


def holds(clause: Any, value: Any, convert: Callable[[Any], Any]) -> bool | None:
    """Whether a condition holds for ``value``; None where that is not known. ``convert`` makes what can be compared of
    a value of the type that the condition is about."""
    try:
        result = _yielded(clause, value, convert)
    except (UnknownError, TypeError, ValueError, LookupError, ArithmeticError, re.error, TooLongError, RecursionError):
        return None
    return result if isinstance(result, bool) else None


def _yielded(item: Any, value: Any, convert: Callable[[Any], Any]) -> Any:
    if isinstance(item, list):
        return [_yielded(item_in, value, convert) for item_in in item]
    if not is_call(item):
        if isinstance(item, dict):
            return {key: _yielded(part, value, convert) for key, part in item.items()}
        return item[1:] if isinstance(item, str) and item.startswith(PREFIX * 2) else item
    name, argument = name_of(item)
    operands = argument if isinstance(argument, list) else [] if argument is None else [argument]
    if name == "value":
        for step in operands:
            value = value[step]
        if is_call(value):
            raise UnknownError
        return value
    if name in ("and", "or"):
        return _joined(name, [holds(operand, value, convert) for operand in operands])
    compute = _COMPUTED.get(name)
    if compute is None:
        raise UnknownError
    results = [_yielded(operand, value, convert) for operand in operands]
    return compute(*[convert(result) for result in results] if name in COMPARED else results)


def _joined(name: str, results: list[bool | None]) -> bool:
    decisive = name == "or"
    if decisive in results:
        return decisive
    if None in results:
        raise UnknownError
    return not decisive


def _has_part(whole: Any, part: Any) -> bool:
    if isinstance(whole, str):
        return part in whole
    return any(whole[start : start + len(part)] == part for start in range(len(whole) - len(part) + 1))


def _entries(value: Any) -> list[Any]:
    return list(value.values()) if isinstance(value, dict) else value


def _matches(text: str, pattern: str) -> bool:
    if not isinstance(text, str):
        raise UnknownError
    return matches_whole(f"(?s:.*)(?:{pattern})(?s:.*)", text)


def _ordered(compare: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool]:
    def compared(left: Any, right: Any) -> bool:
        if isinstance(left, str) or isinstance(right, str):
            raise UnknownError  # what comes first of two texts is left to implementations
        return compare(left, right)

    return compared


#: comparisons of a value with another one of its type
COMPARED: Final = ("equal", "greater_than", "greater_or_equal", "less_than", "less_or_equal")
_COMPUTED: Final[dict[str, Callable[..., Any]]] = {
    "not": lambda value: not value,
    "xor": lambda value, other: value is not other,
    "equal": lambda left, right: left == right,
    "greater_than": _ordered(lambda left, right: left > right),
    "greater_or_equal": _ordered(lambda left, right: left >= right),
    "less_than": _ordered(lambda left, right: left < right),
    "less_or_equal": _ordered(lambda left, right: left <= right),
    "valid_values": lambda value, values: value in values,
    "matches": _matches,
    "has_suffix": lambda whole, part: whole[len(whole) - len(part) :] == part,
    "has_prefix": lambda whole, part: whole[: len(part)] == part,
    "contains": _has_part,
    "has_entry": lambda value, entry: entry in _entries(value),
    "has_key": lambda value, key: key in value,
    "has_all_entries": lambda value, wanted: all(entry in _entries(value) for entry in wanted),
    "has_all_keys": lambda value, wanted: all(key in value for key in wanted),
    "has_any_entry": lambda value, wanted: any(entry in _entries(value) for entry in wanted),
    "has_any_key": lambda value, wanted: any(key in value for key in wanted),
    "length": len,
    "concat": lambda *parts: sum(parts[1:], parts[0]) if not isinstance(parts[0], str) else "".join(parts),
    "sum": lambda *numbers: sum(numbers),
    "difference": lambda left, right: left - right,
    "product": lambda *numbers: math.prod(numbers),
    "remainder": lambda left, right: left % right,
    "floor": math.floor,
    "ceil": math.ceil,
}
