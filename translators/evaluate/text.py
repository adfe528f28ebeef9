"""Evaluation of the text functions (heat/engine/hot/functions.py; dsl_parser/functions.py)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Expr, Value
from bpconvert.models.light import NamedTuple
from bpconvert.translators.evaluate import plain
from bpconvert.translators.evaluate.scope import (
    LONGEST,
    Folder,
    Refused,
    Scope,
    fold_field,
    fold_item,
    is_affordable,
    is_known,
    may_vanish,
    rebuilt,
    refusing,
)

# -- join, concat -------------------------------------------------------------------------------------------


def fold_join(expr: ex.Join, scope: Scope) -> Value:
    """Literal lists become one list, and adjacent known items one text."""
    delimiter = fold_field(expr.delimiter, scope)
    lists: list[Value] = []
    with refusing(expr.path):
        if not isinstance(delimiter, (str, Expr)):
            raise TypeError('"list_join" delimiter must be a string')
        for items in fold_item(expr.lists, scope):
            if isinstance(items, Expr):
                lists.append(items)
            elif plain.is_joined(items, expr.json_items):
                texts = [plain.join_text(item, expr.json_items) if is_known(item) else item for item in items]
                if lists and isinstance(lists[-1], list):
                    lists[-1].extend(texts)
                else:
                    lists.append(texts)
    if not isinstance(delimiter, str):
        folded = rebuilt(expr, delimiter=delimiter, lists=tuple(lists) or ([],))
        return expr if folded == expr else folded
    whole = [items for items in lists if isinstance(items, list)]
    before = sum(len(item) for items in whole for item in items if isinstance(item, str))
    if not is_affordable(before + sum(map(len, whole)) * len(delimiter), before):
        return rebuilt(expr, delimiter=delimiter, lists=tuple(lists))
    lists = [_merged(items, delimiter) if isinstance(items, list) else items for items in lists]
    if not lists or lists == [[]]:
        return ""
    if len(lists) == 1 and isinstance(lists[0], list) and len(lists[0]) == 1 and isinstance(lists[0][0], str):
        return lists[0][0]
    folded = rebuilt(expr, delimiter=delimiter, lists=tuple(lists))
    return expr if folded == expr else folded


def _merged(items: Iterable[Value], delimiter: str) -> list[Value]:
    """``items`` with neighbouring texts joined."""
    merged: list[Value] = []
    for are_texts, group in groupby(items, lambda item: isinstance(item, str)):
        neighbours = list(group)
        merged += [delimiter.join(neighbours)] if are_texts else neighbours
    return merged


def fold_concat(expr: ex.Concat, scope: Scope) -> Value:
    """Python's ``str`` of each item; neighbouring known items become one text."""
    items = fold_item(expr.items, scope)
    merged = _merged([str(item) if is_known(item) else item for item in items], "")
    if not merged:
        return ""
    if len(merged) == 1 and isinstance(merged[0], str):
        if len(merged[0]) > LONGEST and scope.busy:
            raise Refused("a text that others have in theirs is too long", expr.path)
        return merged[0]
    return expr if list(expr.items) == merged else rebuilt(expr, items=tuple(merged))


# -- str_replace --------------------------------------------------------------------------------------------


class Pieces(NamedTuple):
    """A template taken apart. ``parts``: literal texts (never two in a row) and values that are not known yet, in
    order; ``unmatched``: the keys that occurred nowhere, in the order the engine names them."""

    parts: list[Value]
    unmatched: list[str]


class _Hole(NamedTuple):
    key: str


def pieces(template: str, params: dict[str, Value], *, json_values: bool = True, empty: bool = True) -> Pieces:
    """Take ``template`` apart at the keys of ``params`` as ``str_replace`` does.

    The keys are taken longest first (ties in alphabetical order), each splits what the earlier ones left: so the
    longest key wins anywhere in the text, and no value is scanned again. Known values become text (see
    :func:`replacement`); values with expressions are parts of their own. Raises TypeError or ValueError with the
    engine's reason for keys and values that it refuses."""
    for key in params:
        if not isinstance(key, str):
            raise TypeError(f"str_replace param placeholders must be strings, not {key!r}")
    if replaced_size(template, params) > LONGEST:
        raise ValueError(f"the text has more than {LONGEST:,} characters")
    parts: list[str | _Hole] = [template]
    unmatched: list[str] = []
    values: dict[str, Value] = {}
    for key in sorted(sorted(params), key=len, reverse=True):
        value = params[key]
        values[key] = replacement(value, key, json_values, empty) if is_known(value) else value
        split = list(_split_parts(parts, key))
        if len(split) == len(parts):
            unmatched.append(key)
        parts = split
    filled = (values[part.key] if isinstance(part, _Hole) else part for part in parts)
    return Pieces([part for part in _merged(filled, "") if part != ""], unmatched)


def replaced_size(template: str, params: dict[Any, Value]) -> int:
    """How many characters ``str_replace`` yields at most, about; a value that is not known counts as one."""
    size = len(template)
    for key, value in params.items():
        if isinstance(key, str) and key:
            size += template.count(key) * max((len(str(value)) if is_known(value) else 1) - len(key), 0)
    return size


def _split_parts(parts: Iterable[str | _Hole], key: str) -> Iterator[str | _Hole]:
    hole = _Hole(key)
    for part in parts:
        if isinstance(part, _Hole):
            yield part
            continue
        for index, text in enumerate(part.split(key)):
            if index:
                yield hole
            yield text


#: the text that ``str_replace`` puts for a known value
replacement = plain.replacement


def fold_replace(expr: ex.Replace, scope: Scope) -> Value:
    """Computed when template and values are known; the writers take the rest apart with :func:`pieces`."""
    template = fold_field(expr.template, scope)
    params = fold_field(expr.params, scope)
    with refusing(expr.path):
        if not isinstance(template, (str, Expr)):
            raise TypeError("str_replace template must be a string")
        if not isinstance(params, (dict, Expr)):
            raise TypeError("str_replace params must be a map")
        if isinstance(template, str) and isinstance(params, dict) and not any(map(may_vanish, params.values())):
            if not is_affordable(replaced_size(template, params), len(template)):
                return rebuilt(expr, template=template, params=params)
            split = pieces(template, params, json_values=expr.json_values, empty=expr.strictness < 2)
            if expr.strictness and split.unmatched:
                raise ValueError(f"The following params were not found in the template: {','.join(split.unmatched)}")
            if is_known(params):
                return "".join(split.parts)
    return rebuilt(expr, template=template, params=params)


# -- split --------------------------------------------------------------------------------------------------


def fold_split(expr: ex.Split, scope: Scope) -> Value:
    """``str_split`` or ``string_split``."""
    arguments = (expr.delimiter, expr.text, expr.index)
    folded = [fold_item(value, scope) for value in arguments]
    left = [value for value in folded if value is not MISSING]
    with refusing(expr.path):
        if len(left) < 2:
            raise ValueError("too few arguments to split a text")
        if is_known(left):
            return plain.split(left[0], left[1], left[2] if len(left) > 2 else plain.ABSENT, expr.strict)
    delimiter, text, index = (
        new if new is not MISSING or old is MISSING else old for new, old in zip(folded, arguments, strict=True)
    )
    return rebuilt(expr, delimiter=delimiter, text=text, index=index)


# -- the DSL's text functions -------------------------------------------------------------------------------


def fold_string_replace(expr: ex.StringReplace, scope: Scope) -> Value:
    """Python's ``str.replace``."""
    text, old, new, count = (fold_field(value, scope) for value in (expr.text, expr.old, expr.new, expr.count))
    with refusing(expr.path):
        if is_known(text, old, new, count):
            size = len(plain.a_text(text)) + plain.a_text(text).count(plain.a_text(old)) * len(plain.a_text(new))
            if not is_affordable(size, len(text)):
                return rebuilt(expr, text=text, old=old, new=new, count=count)
            if count is MISSING or count is None:
                return plain.a_text(text).replace(plain.a_text(old), plain.a_text(new))
            return plain.a_text(text).replace(plain.a_text(old), plain.a_text(new), count)
    return rebuilt(expr, text=text, old=old, new=new, count=count)


def fold_find(expr: ex.Find, scope: Scope) -> Value:
    """Python's ``str.find``."""
    text, part = fold_field(expr.text, scope), fold_field(expr.part, scope)
    with refusing(expr.path):
        if is_known(text, part):
            return plain.a_text(text).find(plain.a_text(part))
    return rebuilt(expr, text=text, part=part)


def fold_case(expr: ex.Lower | ex.Upper, scope: Scope) -> Value:
    """Python's ``str.lower`` and ``str.upper``."""
    text = fold_field(expr.text, scope)
    with refusing(expr.path):
        if is_known(text):
            return plain.a_text(text).lower() if isinstance(expr, ex.Lower) else plain.a_text(text).upper()
    return rebuilt(expr, text=text)


# -- digest, url --------------------------------------------------------------------------------------------


def fold_digest(expr: ex.Digest, scope: Scope) -> Value:
    """The hex digest of the latin-1 bytes."""
    algorithm, text = fold_field(expr.algorithm, scope), fold_field(expr.text, scope)
    if not is_known(algorithm, text):
        return rebuilt(expr, algorithm=algorithm, text=text)
    with refusing(expr.path):
        return plain.digest(algorithm, text)


def fold_base64(expr: ex.Base64, scope: Scope) -> Value:
    """The text as base64."""
    text = fold_field(expr.text, scope)
    if not is_known(text):
        return rebuilt(expr, text=text)
    with refusing(expr.path):
        return plain.base64(text)


def fold_url(expr: ex.Url, scope: Scope) -> Value:
    """The URL when all parts are known; known parts are checked in any case."""
    parts = fold_field(expr.parts, scope)
    with refusing(expr.path):
        if isinstance(parts, dict):
            plain.check_url(parts, Expr)
            if is_known(parts):
                return make_url(parts)
        elif not isinstance(parts, Expr):
            raise TypeError('The arguments to "make_url" must be a map')
    return rebuilt(expr, parts=parts)


make_url = plain.make_url


#: what computes each kind of expression
FOLDS: Final[dict[type[Expr], Folder]] = {
    ex.Join: fold_join,
    ex.Concat: fold_concat,
    ex.Replace: fold_replace,
    ex.StringReplace: fold_string_replace,
    ex.Split: fold_split,
    ex.Find: fold_find,
    ex.Lower: fold_case,
    ex.Upper: fold_case,
    ex.Digest: fold_digest,
    ex.Base64: fold_base64,
    ex.Url: fold_url,
}
