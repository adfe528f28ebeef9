"""Values that are easily taken for others, and which of them have a call in them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from bpconvert.models.expressions import MISSING
from bpconvert.verification import Difference

#: values that are easily taken for others
VALUES = [False, True, 0, 3, 1.5, "false", "3", "", [], {}, ["1", 1, True], {"a": {"b": [None]}}]
#: how the keys of calls begin
CALLS = ("get_", "concat", "token", "join", "$", "list_join", "str_", "if", "yaql", "map_", "digest", "repeat", "Fn::")


def is_call(value: Any) -> bool:
    """True for a value that has a call in it."""
    if isinstance(value, dict):
        keys = [key for key in value if isinstance(key, str)]
        return any(key.startswith(CALLS) for key in keys) or any(map(is_call, value.values()))
    return isinstance(value, list) and any(map(is_call, value))


def as_json(value: Any) -> str:
    """A value as JSON; keys are in an order whatever they are."""
    if isinstance(value, dict):
        pairs = sorted((json.dumps(str(key)), as_json(item)) for key, item in value.items())
        return "{" + ", ".join(f"{key}: {item}" for key, item in pairs) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(as_json, value)) + "]"
    return json.dumps(value, default=repr)


def texts(value: Any) -> set[str]:
    """The texts that engines write in the environment for a value."""
    plain = {str(value), as_json(value)}
    if isinstance(value, bool):
        plain.add(str(value).lower())
    return {json.dumps(text) for text in plain} | ({json.dumps("")} if value is None else set())


def of_other_types(differences: Iterable[Difference]) -> list[tuple[str, Any, Any]]:
    """What is computed to the same value of another type, of differences that no finding reports."""
    there = [one for one in differences if MISSING not in (one.first, one.second) and not one.codes]
    changed = [one for one in there if as_json(one.first) != as_json(one.second)]
    return [(one.what, one.first, one.second) for one in changed if texts(one.first) & texts(one.second)]
