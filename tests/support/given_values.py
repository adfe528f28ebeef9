"""Values that are easily taken for others, and which of them have a call in them."""

from __future__ import annotations

from typing import Any

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
