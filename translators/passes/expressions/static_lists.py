"""Lists made of parameters that are lists of texts: the text of all items, split again.

The items stand in that text with ``', '`` between them, as Python writes a list (see :mod:`static_texts`), so none of
them may have an apostrophe. An empty list is decided apart, since a split text always gives an item.
"""

from __future__ import annotations

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Path, Value
from bpconvert.translators.passes.expressions import branches, static_texts
from bpconvert.translators.passes.expressions.piecewise import PiecewiseRewriter
from bpconvert.translators.passes.expressions.rewriter import Unsupported
from bpconvert.translators.passes.expressions.static_texts import BETWEEN


def takes(rewriter: PiecewiseRewriter, value: Value) -> bool:
    """True for a call that :func:`list_concat` or :func:`repeat` rewrites."""
    if isinstance(value, ex.ListConcat):
        return _lists(rewriter, value) is not None
    return isinstance(value, ex.Repeat) and _loop(rewriter, value) is not None


def list_concat(rewriter: PiecewiseRewriter, expr: ex.ListConcat) -> Value:
    """The rule of ``list_concat``."""
    lists = _lists(rewriter, expr)
    if lists is None:
        raise Unsupported(rewriter.no_counterpart(expr))
    return _concat(rewriter, lists, expr.path)


def _lists(rewriter: PiecewiseRewriter, expr: ex.ListConcat) -> list[Value] | None:
    """The lists, each a parameter or literal texts; None where one is something else."""
    if expr.unique or not isinstance(expr.lists, (list, tuple)):
        return None
    lists = [items for items in expr.lists if items is not None and items != []]
    for items in lists:
        literal = isinstance(items, list) and all(isinstance(item, str) and "'" not in item for item in items)
        if not literal and not static_texts.is_list_of_texts(rewriter, items):
            return None
    return lists


def _concat(rewriter: PiecewiseRewriter, lists: list[Value], path: Path) -> Value:
    anchor = next((place for place, items in enumerate(lists) if isinstance(items, list)), None)
    if not lists or (anchor is None and len(lists) == 1):
        return rewriter.rewrite(lists[0], path) if lists else []
    if anchor is None:
        other = _concat(rewriter, lists[1:], path)
        empty = ex.Equals(lists[0], [], path=path)
        return branches.choose(rewriter, empty, other, _split(rewriter, lists, 0, path), path)
    return _split(rewriter, lists, anchor, path)


def _split(rewriter: PiecewiseRewriter, lists: list[Value], anchor: int, path: Path) -> Value:
    """The items of ``lists``, of which that at ``anchor`` is not empty."""
    parts: list[Value] = []
    for place, items in enumerate(lists):
        if isinstance(items, list):
            parts += [BETWEEN if place > anchor else "", BETWEEN.join(items)]
            continue
        before, behind = BETWEEN if place > anchor else "", BETWEEN if place < anchor else ""
        has_items = place == anchor
        parts.append(
            static_texts.joined(rewriter, items, BETWEEN, path, before=before, behind=behind, has_items=has_items)
        )
    return ex.Split(BETWEEN, rewriter.text(parts, path), strict=True, path=path)


def repeat(rewriter: PiecewiseRewriter, expr: ex.Repeat) -> Value:
    """The rule of ``repeat``: a text with one loop variable in it."""
    loop = _loop(rewriter, expr)
    if loop is None:
        raise Unsupported(rewriter.no_counterpart(expr))
    items, (before, behind) = loop
    if not before and not behind:
        return rewriter.rewrite(items, expr.path)
    inner = static_texts.joined(rewriter, items, f"{behind}{BETWEEN}{before}", expr.path, has_items=True)
    split = ex.Split(BETWEEN, rewriter.text([before, inner, behind], expr.path), strict=True, path=expr.path)
    return branches.choose(rewriter, ex.Equals(items, [], path=expr.path), [], split, expr.path)


def _loop(rewriter: PiecewiseRewriter, expr: ex.Repeat) -> tuple[ex.Input, list[str]] | None:
    """The list, and the texts before and behind its items; None for another loop."""
    if not isinstance(expr.for_each, dict) or len(expr.for_each) != 1 or not isinstance(expr.template, str):
        return None
    ((variable, items),) = expr.for_each.items()
    if not isinstance(variable, str) or not variable or not static_texts.is_list_of_texts(rewriter, items):
        return None
    around = expr.template.split(variable)
    return (items, around) if len(around) == 2 and "'" not in expr.template else None
