"""Queries that are a single function of a text, which languages without queries may have."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Expr, Value
from bpconvert.translators.passes.expressions.rewriter import ExpressionRewriter, Unsupported

#: the value where data is null, and the one otherwise
_GUARDED: Final = re.compile(r"switch\((\$\.data\.\w+ = null(?: or \$\.data\.\w+ = null)*) => null, true => (.*)\)")
_METHOD: Final = re.compile(r"\$\.data\.(\w+)\.(toUpper|toLower|indexOf|replace)\((.*)\)")
#: an argument: a text, a whole number or an entry of the data
_ARGUMENT: Final = re.compile(r"\s*(?:'((?:[^'\\]|\\['\\])*)'|\"([^\"\\']*)\"|(\d+)|\$\.data\.(\w+))\s*(?:,|$)")
#: method -> the least and the greatest number of its arguments
_NUMBERS: Final = {"toUpper": (0, 0), "toLower": (0, 0), "indexOf": (1, 1), "replace": (2, 3)}


def function(query: ex.Query) -> Expr | None:
    """What a query means the same as; None for one that is more than a function of a text."""
    if not isinstance(query.expression, str) or not isinstance(query.data, dict):
        return None
    expression = query.expression.strip()
    guarded = _GUARDED.fullmatch(expression)
    match = _METHOD.fullmatch(guarded[2] if guarded else expression)
    if match is None or match[1] not in query.data:
        return None
    text, method, arguments = query.data[match[1]], match[2], _arguments(match[3], query.data)
    least, most = _NUMBERS[method]
    if arguments is None or not least <= len(arguments) <= most:
        return None
    if method == "indexOf":
        return ex.Find(text, arguments[0], path=query.path)
    if method == "replace":
        count = arguments[2] if len(arguments) == most else MISSING
        return ex.StringReplace(text, arguments[0], arguments[1], count, path=query.path)
    return ex.Upper(text, path=query.path) if method == "toUpper" else ex.Lower(text, path=query.path)


def _arguments(words: str, data: Mapping[str, Value]) -> list[Value] | None:
    """The arguments of a method; None for one that is computed."""
    values: list[Value] = []
    place = 0
    while place < len(words):
        match = _ARGUMENT.match(words, place)
        if match is None or (match[4] is not None and match[4] not in data):
            return None
        single, double, number, name = match.groups()
        text = re.sub(r"\\(.)", r"\1", single) if single is not None else double
        values.append(data[name] if name is not None else int(number) if number is not None else text)
        place = match.end()
    return None if words.rstrip().endswith(",") else values


def rewrite(rewriter: ExpressionRewriter, expr: ex.Query) -> Value:
    """The function that a query is, or what something else computes for it; raises :class:`Unsupported` for others."""
    called = function(expr)
    if called is None:
        raise Unsupported(rewriter.no_counterpart(expr))
    try:
        if not rewriter.is_static(called):
            raise Unsupported("functions of texts take no value that is only known at run time")
        return rewriter.rewrite(called, expr.path)
    except Unsupported as unsupported:
        elsewhere = rewriter.computed_elsewhere(called, expr.path, unsupported.reason)
        if elsewhere is MISSING:
            raise
        return elsewhere
