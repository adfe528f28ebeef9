"""Functions of TOSCA 2.0, in the terms of those of 1.3 (TOSCA 2.0 csd06, section 10).

A map with one key that begins with ``$`` is a call, and so is the text ``$name`` of a function without arguments;
``$$`` is a ``$`` that is data. ``$get_property`` and ``$get_attribute`` take a path through the topology (section
10.2.2.1):
what 1.3 can express of it keeps the words that say what a name is: 1.3 has none, and takes what is found first."""

from __future__ import annotations

from typing import Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.checks import Problem
from bpconvert.models.expressions import MISSING, Foreign, Path, Value
from bpconvert.translators.tosca import DIALECT
from bpconvert.translators.tosca.functions import FUNCTIONS, Malformed

PREFIX: Final = "$"
#: in place of an index: all instances
ALL: Final = "ALL"
#: functions that 1.3 does not have
LATER: Final = frozenset({
    "and", "or", "not", "xor", "equal", "greater_than", "greater_or_equal", "less_than", "less_or_equal",
    "valid_values", "matches", "in_range", "has_suffix", "has_prefix", "contains", "has_entry", "has_key",
    "has_all_entries", "has_all_keys", "has_any_entry", "has_any_key", "length", "union", "intersection", "sum",
    "difference", "product", "quotient", "remainder", "round", "floor", "ceil", "value", "node_index",
    "relationship_index", "available_allocation",
})  # fmt: skip
_PATHS: Final = ("get_property", "get_attribute")
#: words of a path: what the name behind it is, and what of the relationship is meant
CAPABILITY: Final = "CAPABILITY"
RELATIONSHIP: Final = "RELATIONSHIP"
TARGET: Final = "TARGET"
_ENDS: Final = ("SOURCE", TARGET)


def read_value(raw: Any, path: Path, problems: list[Problem]) -> Value:
    """``raw`` with its calls as expressions. What the engines refuse is added to ``problems`` and kept as written."""
    if isinstance(raw, str):
        return _text(raw, path)
    if isinstance(raw, list):
        return [read_value(item, (*path, index), problems) for index, item in enumerate(raw)]
    if not isinstance(raw, dict):
        return raw
    calls = [key for key in raw if isinstance(key, str) and key.startswith(PREFIX) and key[1:2] != PREFIX]
    if len(calls) == 1 == len(raw):
        return _call(calls[0][1:], raw[calls[0]], path, problems)
    if calls:
        problems.append(Problem(path, f"'{calls[0]}' is a call, and stands beside other keys"))
    return {_data(key): read_value(item, (*path, key), problems) for key, item in raw.items()}


def _text(raw: str, path: Path) -> Value:
    if raw.startswith(PREFIX * 2):
        return raw[1:]
    if raw.startswith(PREFIX) and raw[1:] in LATER:
        return Foreign(DIALECT, raw, [], path=path)
    return raw


def _data(key: Any) -> Any:
    return key[1:] if isinstance(key, str) and key.startswith(PREFIX * 2) else key


def _call(name: str, raw: Any, path: Path, problems: list[Problem]) -> Value:
    argument = read_value(raw, (*path, PREFIX + name), problems)
    if name not in FUNCTIONS:
        return Foreign(DIALECT, PREFIX + name, argument, path=path)
    of_all = name == "get_attribute" and isinstance(argument, list) and argument[1:2] == [ALL]
    if name in _PATHS:
        path_of_one = [*argument[:1], *argument[2:]] if of_all else argument
        steps = _steps(path_of_one) if isinstance(argument, list) else argument
        if steps is None:
            return Foreign(DIALECT, PREFIX + name, argument, path=path)
        argument = steps
    if (
        name == "concat"
        and isinstance(argument, list)
        and argument
        and all(isinstance(part, list) for part in argument)
    ):
        return [item for part in argument for item in part]
    try:
        call_read = FUNCTIONS[name].read(argument, path)
    except Malformed as wrong:
        problems.append(Problem(path, f"'{PREFIX}{name}' {wrong}"))
        return Foreign(DIALECT, PREFIX + name, argument, path=path)
    return _of_all(call_read, path) if of_all else call_read


def _of_all(expr: Value, path: Path) -> Value:
    """An attribute of all instances of a node, where it is ``expr`` of one."""
    if isinstance(expr, ex.Identity):
        return ex.AttributeList(expr.node, MISSING, path=path)
    return ex.AttributeList(expr.node, expr.name, expr.keys, path=path) if isinstance(expr, ex.Attribute) else expr


def _steps(path: list[Any]) -> list[Any] | None:
    """The arguments of 1.3 for a path of 2.0, with the words ``CAPABILITY`` and ``RELATIONSHIP`` (the name of the
    requirement, then ``TARGET`` or ``CAPABILITY``); None where there are none for one of its steps."""
    start, *further = path or [None]
    if isinstance(next(iter(further), None), int) or ALL in further:  # one of several, or all of them
        return None
    taken = [start]
    if further[:1] and further[0] in _ENDS:  # of the relationship that SELF is
        taken, further = [further[0]], further[1:]
    while further[:1] == [RELATIONSHIP] and len(further) > 2:
        requirement, *further = further[1:]
        if further[0] == 0:
            further = further[1:]
        if further[:1] not in ([TARGET], [CAPABILITY]):
            return None
        word, *further = further
        taken += [RELATIONSHIP, requirement, word]
        if word == CAPABILITY:
            break
    if further[:1] == [CAPABILITY] and len(further) > 2 and taken[-1] != CAPABILITY:
        taken, further = [*taken, *further[:2]], further[2:]
    return None if further[:1] == [RELATIONSHIP] else [*taken, *further]


# -- conditions that are constraints of 1.3 -----------------------------------------------------------------------

_SAME: Final = ("equal", "greater_than", "greater_or_equal", "less_than", "less_or_equal", "valid_values", "in_range")
_MIRRORED: Final = {
    "greater_than": "less_than", "greater_or_equal": "less_or_equal", "less_than": "greater_than",
    "less_or_equal": "greater_or_equal", "equal": "equal",
}  # fmt: skip
_LENGTHS: Final = {"greater_or_equal": "min_length", "less_or_equal": "max_length", "equal": "length"}
_VALUE: Final[tuple[Any, ...]] = ("$value", {"$value": []})


def constraints(validation: Any) -> list[dict[str, Any]] | None:
    """The constraints of 1.3 that mean the condition ``validation`` of 2.0; None where there are none."""
    if not isinstance(validation, dict) or len(validation) != 1:
        return None
    ((call, operands),) = validation.items()
    name = str(call).removeprefix(PREFIX)
    if not isinstance(operands, list):
        return None
    if name == "and":
        rows = [constraints(operand) for operand in operands]
        return None if None in rows else [item for row in rows for item in row or ()]
    if len(operands) != 2:
        return None
    left, right = operands
    if right in _VALUE and name in _MIRRORED:
        left, right, name = right, left, _MIRRORED[name]
    if _is_call(right):
        return None
    if left in _VALUE and name in _SAME:
        return [{name: right}]
    if left in _VALUE and name == "matches":
        return [{"pattern": right}]
    if left in [{"$length": [value]} for value in _VALUE] and name in _LENGTHS:
        return [{_LENGTHS[name]: right}]
    return None


def _is_call(value: Any) -> bool:
    return any(str(key).startswith(PREFIX) for key in value) if isinstance(value, dict) else value in _VALUE
