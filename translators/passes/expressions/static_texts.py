"""Texts made of what is known when deploying, for a language without a join: lists as texts, parts of texts, templates
that are inputs.

``concat`` of a list is Python's text of it, ``['a', 'b']``, whatever its length is; replacing in that text makes what a
join writes, or JSON. Python writes items with an apostrophe, a backslash or an unprintable character in
another way, so such items are excluded (which is reported, unless the allowed values show that there are none).
Between items there is always ``', '``, and no item can hold an apostrophe, so nothing else can be taken for it once the
ends are off.
"""

from __future__ import annotations

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.translators.passes.expressions.rewriter import ExpressionRewriter

#: stands before and behind the text of a list; no list has it inside
_END = "''"
#: stands between its items
BETWEEN = "', '"


def is_list_of_texts(rewriter: ExpressionRewriter, value: Value) -> bool:
    """True for a parameter that is a list of texts of unknown length."""
    declared = rewriter.declared(value)
    return declared is not None and declared.type == "list"


def is_split(rewriter: ExpressionRewriter, value: ex.Split) -> bool:
    """True for all the pieces of a text that is known when deploying, parted at a known text."""
    if value.index is not MISSING or not isinstance(value.delimiter, str) or not value.delimiter:
        return False
    return rewriter.kind(value.text) == "text" and rewriter.is_static(value.text)


def joined(
    rewriter: ExpressionRewriter,
    value: ex.Input,
    delimiter: str,
    path: Path,
    *,
    before: str = "",
    behind: str = "",
    has_items: bool = False,
) -> Value:
    """The items of a list, which is not written in the template, as one text. Where there are items, ``before`` and
    ``behind`` stand beside them. ``has_items``: there are some in any case."""
    text: Value = ex.Concat((_END, _input(rewriter, value, path), _END))
    changes = {f"{_END}[]{_END}": "", f"{_END}['": before, f"']{_END}": behind, BETWEEN: delimiter}
    if has_items or _is_never_empty(rewriter, value):
        del changes[f"{_END}[]{_END}"]
    for old, new in changes.items():
        text = text if old == new else ex.StringReplace(text, old, new, path=path)
    return text


def as_json(rewriter: ExpressionRewriter, value: Value, path: Path) -> Value:
    """A list of texts as JSON; MISSING for another value."""
    if not is_list_of_texts(rewriter, value):
        return MISSING
    return ex.StringReplace(ex.Concat((_input(rewriter, value, path, quotes="'\""),)), "'", '"', path=path)


def recognised(expr: ex.StringReplace) -> Value:
    """The text that a language with a join has for what :func:`joined` or :func:`as_json` has made of an input that is
    a list; MISSING for what is none of theirs. A list in a template of HOT is JSON."""
    changes: list[tuple[Value, Value]] = []
    text: Value = expr
    while isinstance(text, ex.StringReplace):
        if text.count not in (MISSING, None):
            return MISSING
        changes.insert(0, (text.old, text.new))
        text = text.text
    items = text.items if isinstance(text, ex.Concat) else ()
    if len(items) == 1 and isinstance(items[0], ex.Input) and changes == [("'", '"')]:
        return ex.Replace("[]", {"[]": items[0]}, path=expr.path)
    ends = [(f"{_END}[]{_END}", ""), (f"{_END}['", ""), (f"']{_END}", "")]
    if len(items) != 3 or (items[0], items[2]) != (_END, _END) or not isinstance(items[1], ex.Input):
        return MISSING
    changes_left = changes[len(ends) :] if changes[: len(ends)] == ends else changes[len(ends) - 1 :]
    if changes[: -len(changes_left) or None] not in (ends, ends[1:]) or [old for old, _ in changes_left] not in (
        [],
        [BETWEEN],
    ):
        return MISSING
    return ex.Join(changes_left[0][1] if changes_left else BETWEEN, (items[1],), path=expr.path)


def _input(rewriter: ExpressionRewriter, value: ex.Input, path: Path, quotes: str = "'") -> Value:
    """The list itself. What its items must not hold is reported."""
    items = rewriter.topology.inputs[value.name].allowed_texts
    if items is None or any(not item.isprintable() or any(mark in item for mark in f"{quotes}\\") for item in items):
        rewriter.report("BPC227", value.path or path, name=str(value.name))
    return rewriter.rewrite(value, path)


def _is_never_empty(rewriter: ExpressionRewriter, value: ex.Input) -> bool:
    declared = rewriter.topology.inputs[value.name]
    return any(c.kind == "length" and (c.argument.get("min") or 0) > 0 for c in declared.constraints)


def lacks(rewriter: ExpressionRewriter, condition: ex.Contains) -> Value:
    """0 when the text or list does not contain the value, -1 when it does; MISSING where there is no way.

    The text up to the first occurrence is the whole text where there is none, and else too short to hold it."""
    part, whole = condition.value, condition.sequence
    path = condition.path
    if is_list_of_texts(rewriter, whole):
        if not isinstance(part, str) or not part.isprintable() or not part.isascii():
            return MISSING
        if part == ", " or "'" in part or "\\" in part:
            return MISSING
        return _is_found(ex.Concat((_input(rewriter, whole, path),)), f"'{part}'", path)
    if rewriter.kind(whole) == "text" and isinstance(part, str) and part:
        text = rewriter.rewrite(whole, path)
        return _is_found(text, part, path) if rewriter.is_static(text) else MISSING
    return MISSING


def _is_found(text: Value, part: str, path: Path) -> Value:
    return ex.Find(ex.Split(part, text, 0, strict=True, path=path), text, path=path)


def replaced(rewriter: ExpressionRewriter, expr: ex.Replace, template: Value) -> Value:
    """A template that is only known when deploying, with known keys; MISSING where there is no way.

    One key after the other gives the same text as all at once where no key can occur in, or reach into, what was put
    for another: where it shares no character with that."""
    if expr.strictness or not isinstance(expr.params, dict) or not rewriter.is_static(template):
        return MISSING
    if not all(isinstance(key, str) for key in expr.params):
        return MISSING
    text: Value = template
    put: list[str] = []
    for key in sorted(sorted(expr.params), key=len, reverse=True):
        if any(not before or set(before) & set(key) for before in put):
            return MISSING
        value = rewriter.as_text(expr.params[key], expr.path)
        if not rewriter.is_static(value):
            return MISSING
        if rewriter.kind(value) != "text":
            value = ex.Concat((value,), path=expr.path)
        put.append(value if isinstance(value, str) else "")
        text = ex.StringReplace(text, key, value, path=expr.path)
    return text
