"""Joins, and templates with placeholders, for a language that only has texts one after the other."""

from __future__ import annotations

from typing import NamedTuple

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.translators.evaluate import pieces
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
            return [delimiter if place > 0 else "", static_texts.rejoined(rewriter, self.value, delimiter, path)]
        before, behind = delimiter if place > 0 else "", delimiter if place < 0 else ""
        return [static_texts.joined(rewriter, self.value, delimiter, path, before=before, behind=behind)]


def replace(rewriter: ExpressionRewriter, expr: ex.Replace) -> Value:
    """The pieces of a template as one text; raises :class:`Unsupported` where they are not known."""
    if not isinstance(expr.template, str):
        found = static_texts.replaced(rewriter, expr, rewriter.rewrite(expr.template, expr.path))
        if found is MISSING or rewriter.kind(expr.template) != "text":
            raise Unsupported("the template text is only known when deploying")
        return found
    if not isinstance(expr.params, dict):
        raise Unsupported("the replacements are only known when deploying")
    if any(not isinstance(key, str) or not key for key in expr.params):
        raise Unsupported("a key of params is not a text")
    try:
        taken = pieces(expr.template, expr.params, json_values=expr.json_values)
    except (TypeError, ValueError) as wrong:
        raise Unsupported(f"{rewriter.request.source.title} refuses it: {wrong}") from None
    parts = [rewriter.as_text(piece, expr.path) for piece in taken.parts]
    return rewriter.text(parts, expr.path)
