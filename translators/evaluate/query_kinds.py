"""What a short query of ``yaql`` yields, before its data is known."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from bpconvert.models.expressions import Query, Value
from bpconvert.translators.evaluate.queries import UnreadError, read_query

_TRUTHS: Final = frozenset({"not", "=", "!=", ">", "<", ">=", "<=", ".startsWith", ".endsWith"})
_TEXTS: Final = frozenset({"str", "concat", ".toUpper", ".toLower", ".trim", ".replace"})
_NUMBERS: Final = frozenset({"int", "float", "abs", "-", "/", "mod", "sign+", "sign-", ".indexOf"})
_LISTS: Final = frozenset({".split", ".rightSplit"})
_KINDS: Final = {
    **dict.fromkeys(_TRUTHS, "boolean"),
    **dict.fromkeys(_TEXTS, "text"),
    **dict.fromkeys(_NUMBERS, "number"),
    **dict.fromkeys(_LISTS, "list"),
}


def kind_of_query(query: Query, kind_of: Callable[[Value], str]) -> str:
    """What a query yields, as ``kind_of`` says of other values; any where that is not known."""
    try:
        return _kind(read_query(query.expression, query.data), query.data, kind_of)
    except UnreadError:
        return "any"


def _kind(read: Any, data: Value, kind_of: Callable[[Value], str]) -> str:
    sign = read[0]
    if sign in _KINDS:
        return _KINDS[sign]
    if sign == "value":
        return kind_of(read[1])
    if sign == "data":
        return kind_of(data if read[1] is None else data[read[1]])
    if sign == "[]":
        return "text" if _kind(read[1], data, kind_of) == "list" and read[1][0] in _LISTS else "any"
    parts = read[1] if sign in ("max", "min") else read[1:]
    kinds = {_kind(part, data, kind_of) for part in parts}
    if sign == "+":  # both are texts, or both are numbers
        return next((kind for kind in ("text", "number") if kind in kinds), "any")
    return kinds.pop() if len(kinds) == 1 else "any"
