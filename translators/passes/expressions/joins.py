"""Joins, templates with placeholders, and JSON, for a language that only has texts one after the other."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.light import NamedTuple
from bpconvert.translators.evaluate import LONGEST, pieces, replaced_size
from bpconvert.translators.evaluate.scope import may_vanish
from bpconvert.translators.passes.expressions import static_texts
from bpconvert.translators.passes.expressions.rewriter import ExpressionRewriter, Unsupported


def join(rewriter: ExpressionRewriter, expr: ex.Join) -> Value:
    """The items of a join as one text, with the delimiter between them; raises :class:`Unsupported` where items are in
    a list of which nothing is known."""
    target = rewriter.request.target.title
    delimiter = expr.delimiter if isinstance(expr.delimiter, str) else rewriter.argument(expr.delimiter, expr.path)
    items: list[Value] = []
    for part in expr.lists:
        if isinstance(part, (list, tuple)):
            items.extend(part)
        elif part not in (None, "", {}):
            items.append(_Joined(part))
    if not items:
        return ""
    if any(map(may_vanish, items)):
        raise Unsupported("an item may not be there")
    unknown = [item for item in items if isinstance(item, _Joined)]
    if unknown and not (isinstance(delimiter, str) and all(item.has_form(rewriter) for item in unknown)):
        raise Unsupported(f"the list is only known when deploying, and {target} has no join")
    # a list may be empty, so the delimiter belongs to it, beside the first item that is certain
    certain = (place for place, item in enumerate(items) if not isinstance(item, _Joined) or item.is_certain)
    anchor = next(certain, 0)
    if delimiter and anchor == 0 and len(items) > 1 and isinstance(items[0], _Joined) and not items[0].is_certain:
        raise Unsupported(f"several lists are only known when deploying, and {target} has no join")
    parts: list[Value] = []
    for place, item in enumerate(items):
        if isinstance(item, _Joined):
            parts += item.joined(rewriter, delimiter, expr.path, place - anchor)
        else:
            parts += [delimiter if place > anchor else "", rewriter.as_text(item, expr.path)]
    return rewriter.text(parts, expr.path)


class _Joined(NamedTuple):
    """A list to join that is not written in the template."""

    value: Value

    @property
    def is_certain(self) -> bool:
        """True when it has an item in any case."""
        return isinstance(self.value, ex.Split)

    def has_form(self, rewriter: ExpressionRewriter) -> bool:
        """True for the pieces of a text, and for a parameter that is a list of texts."""
        if isinstance(self.value, ex.Split):
            return static_texts.is_split(rewriter, self.value)
        return static_texts.is_list_of_texts(rewriter, self.value)

    def joined(self, rewriter: ExpressionRewriter, delimiter: str, path: Path, place: int) -> list[Value]:
        """Its text, with the delimiter on the side of what is certain (``place``: where it is, seen from that)."""
        if isinstance(self.value, ex.Split):
            text = rewriter.rewrite(self.value.text, path)
            return [delimiter if place > 0 else "", ex.StringReplace(text, self.value.delimiter, delimiter, path=path)]
        before, behind = delimiter if place > 0 else "", delimiter if place < 0 else ""
        return [static_texts.joined(rewriter, self.value, delimiter, path, before=before, behind=behind)]


def replace(rewriter: ExpressionRewriter, expr: ex.Replace) -> Value:
    """The pieces of a template as one text; raises :class:`Unsupported` where they are not known."""
    if not isinstance(expr.template, str):
        text = static_texts.replaced(rewriter, expr, rewriter.rewrite(expr.template, expr.path))
        if text is MISSING or rewriter.kind(expr.template) != "text":
            raise Unsupported("the template text is only known when deploying")
        return text
    if not isinstance(expr.params, dict):
        raise Unsupported("the replacements are only known when deploying")
    if any(not isinstance(key, str) or not key for key in expr.params):
        raise Unsupported("a key of params is not a text")
    if any(map(may_vanish, expr.params.values())):
        raise Unsupported("a replacement may not be there")
    if replaced_size(expr.template, expr.params) > LONGEST:
        raise Unsupported(f"the text has more than {LONGEST:,} characters")
    try:
        taken = pieces(expr.template, expr.params, json_values=expr.json_values)
    except (TypeError, ValueError) as wrong:
        raise Unsupported(f"{rewriter.request.source.title} refuses it: {wrong}") from None
    texts: dict[int, Value] = {}  # what is there several times is rewritten once
    for piece in taken.parts:
        if id(piece) not in texts:
            texts[id(piece)] = rewriter.as_text(piece, expr.path)
    return rewriter.text([texts[id(piece)] for piece in taken.parts], expr.path)


#: kinds of resources whose id OpenStack makes: a UUID
_UUIDS: Final = frozenset({
    "server", "net", "subnet", "port", "router", "floating_ip", "security_group", "volume", "server_group",
})  # fmt: skip


class _NotPlainError(Exception):
    """A value that JSON may write in another way than a text."""


def json_text(rewriter: ExpressionRewriter, value: Value, path: Path) -> Value:
    """The JSON text of a map or list in which some values are expressions; MISSING where there is no way.

    The JSON around each value is exact where JSON writes the value as a text does: numbers, and texts in which nothing
    has to be escaped, between quotes. For a boolean a word is chosen. The keys are sorted."""
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
    allowed = declared.allowed_texts
    return allowed is not None and all(json.dumps(value_allowed) == f'"{value_allowed}"' for value_allowed in allowed)
