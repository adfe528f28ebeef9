"""Maps and lists as JSON texts, where values in them are known later.

The text of the JSON around each value is exact where JSON writes the value as a text does: numbers, and texts in which
nothing has to be escaped, between quotes. For a boolean a word is chosen. The keys are sorted.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.translators.passes.expressions import static_texts
from bpconvert.translators.passes.expressions.rewriter import ExpressionRewriter

#: kinds of resources whose id OpenStack makes: a UUID
_UUIDS: Final = frozenset({
    "server", "net", "subnet", "port", "router", "floating_ip", "security_group", "volume", "server_group",
})  # fmt: skip


class _NotPlainError(Exception):
    """A value that JSON may write in another way than a text."""


def as_text(rewriter: ExpressionRewriter, value: Value, path: Path) -> Value:
    """The JSON text of a map or list in which some values are expressions; MISSING where there is no way."""
    if not isinstance(value, (dict, list, tuple)):
        return MISSING
    try:
        parts = list(_parts(rewriter, value))
    except _NotPlainError:
        return MISSING
    return rewriter.text([rewriter.as_text(part, path) for part in parts], path)


def _parts(rewriter: ExpressionRewriter, value: Value) -> Iterator[Value]:
    """The JSON in pieces: texts, and the expressions between them."""
    if isinstance(value, ex.Expr):
        yield from _leaf(rewriter, value)
    elif isinstance(value, dict):
        if not all(isinstance(key, str) for key in value):
            raise _NotPlainError
        entries: list[tuple[Any, Value]] = [(json.dumps(key) + ": ", value[key]) for key in sorted(value)]
        yield from _between(rewriter, "{", entries, "}")
    elif isinstance(value, (list, tuple)):
        yield from _between(rewriter, "[", [("", item) for item in value], "]")
    else:
        yield json.dumps(value)


def _between(rewriter: ExpressionRewriter, start: str, entries: list[tuple[Any, Value]], end: str) -> Iterator[Value]:
    yield start
    for place, (before, item) in enumerate(entries):
        yield ", " * (place > 0) + before
        yield from _parts(rewriter, item)
    yield end


def _leaf(rewriter: ExpressionRewriter, expr: ex.Expr) -> Iterator[Value]:
    """An expression, between quotes where it is a text; raises _NotPlainError where JSON might write it differently."""
    kind = rewriter.kind(expr) if isinstance(expr, ex.Input) else None
    if kind == "number":
        yield expr
    elif kind == "boolean":
        yield ex.If(expr, "true", "false", path=expr.path)
    elif _is_plain_text(rewriter, expr):
        yield from ('"', expr, '"')
    elif static_texts.is_list_of_texts(rewriter, expr):
        yield static_texts.as_json(rewriter, expr, expr.path)
    else:
        raise _NotPlainError


def _is_plain_text(rewriter: ExpressionRewriter, expr: ex.Expr) -> bool:
    """True for a text in which JSON escapes nothing."""
    topology = rewriter.topology
    if isinstance(expr, ex.System):
        return expr.name == "deployment.id"
    if isinstance(expr, ex.Identity):
        node = topology.node(expr.node)
        return node is not None and node.kind in _UUIDS and not rewriter.yields_nothing(expr)
    declared = rewriter.declared(expr)
    if declared is None or declared.type != "string":
        return False
    allowed = next((c.argument for c in declared.constraints if c.kind == "allowed_values"), None)
    return isinstance(allowed, list) and all(isinstance(one, str) and json.dumps(one) == f'"{one}"' for one in allowed)
