"""Evaluation of the text functions (heat/engine/hot/functions.py; dsl_parser/functions.py)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any, Final, NamedTuple

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Expr, Value
from bpconvert.translators.evaluate.scope import (
    LONGEST,
    Folder,
    Refused,
    Scope,
    fold_field,
    fold_item,
    is_affordable,
    known,
    may_vanish,
    quoted,
    rebuilt,
    refusing,
)

# -- join, concat -------------------------------------------------------------------------------------------


def to_json(value: Value) -> str:
    """A map or list as the JSON text that HOT's text functions write: sorted keys, ASCII."""
    import json

    return json.dumps(value, sort_keys=True)


def _join_text(item: Value, json_items: bool) -> str:
    if item is None:
        return ""
    if isinstance(item, str):
        return item
    if json_items and isinstance(item, (dict, list)):
        return to_json(item)
    allowed = "string, map or list" if json_items else "strings"
    raise TypeError(f"Items to join must be {allowed} not {quoted(item)}")


def _is_list(value: Value, json_items: bool) -> bool:
    """False for what ``list_join`` skips; TypeError for what it refuses."""
    if value is None or (json_items and not value):
        return False
    if not isinstance(value, list):
        raise TypeError('"list_join" must operate on a list')
    return True


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
            elif _is_list(items, expr.json_items):
                texts = [_join_text(item, expr.json_items) if known(item) else item for item in items]
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
        found = list(group)
        merged += [delimiter.join(found)] if are_texts else found
    return merged


def fold_concat(expr: ex.Concat, scope: Scope) -> Value:
    """Python's ``str`` of each item; neighbouring known items become one text."""
    items = fold_item(expr.items, scope)
    merged = _merged([str(item) if known(item) else item for item in items], "")
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
        values[key] = replacement(value, key, json_values, empty) if known(value) else value
        split = list(_split_parts(parts, key))
        if len(split) == len(parts):
            unmatched.append(key)
        parts = split
    filled = (values[part.key] if isinstance(part, _Hole) else part for part in parts)
    return Pieces([part for part in _merged(filled, "") if part != ""], unmatched)


def replaced_size(template: str, params: dict[Any, Value]) -> int:
    """How many characters ``str_replace`` yields at most, about; a value that is not known counts as one."""
    found = len(template)
    for key, value in params.items():
        if isinstance(key, str) and key:
            found += template.count(key) * max((len(str(value)) if known(value) else 1) - len(key), 0)
    return found


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


def replacement(value: Value, key: str, json_values: bool = True, empty: bool = True) -> str:
    """The text that ``str_replace`` puts for a known value: Python's ``str``, ``''`` for null, JSON for maps and lists.

    ``empty``: whether empty values are allowed. Raises TypeError or ValueError."""
    if not empty and (value is None or value in ("", [], {})):
        raise ValueError(f"str_replace has an undefined or empty value for param {key}")
    if value is None:
        return ""
    if isinstance(value, (str, int, float)):
        return str(value)
    if json_values and isinstance(value, (dict, list)):
        return to_json(value)
    raise TypeError(f"str_replace params must be strings or numbers, param {key} is not valid")


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
            found = pieces(template, params, json_values=expr.json_values, empty=expr.strictness < 2)
            if expr.strictness and found.unmatched:
                raise ValueError(f"The following params were not found in the template: {','.join(found.unmatched)}")
            if known(params):
                return "".join(found.parts)
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
        if known(left):
            return _split_strictly(*left) if expr.strict else _split(*left)
    delimiter, text, index = (
        new if new is not MISSING or old is MISSING else old for new, old in zip(folded, arguments, strict=True)
    )
    return rebuilt(expr, delimiter=delimiter, text=text, index=index)


def _split(delimiter: Any, text: Any, index: Any = MISSING) -> Value:
    if text is None:
        return None
    parts = text.split(delimiter)
    return parts if index is MISSING else parts[int(index)]


def _split_strictly(delimiter: Any, text: Any, index: Any = None) -> Value:
    parts = _text(text).split(_text(delimiter))
    if index and not isinstance(index, int):
        raise TypeError(f"the index of a split must be an integer, not {index!r}")
    return parts if index is None else parts[index]


# -- the DSL's text functions -------------------------------------------------------------------------------


def _text(value: Value) -> str:
    if not isinstance(value, str):
        raise TypeError(f"must be a text, not {value!r}")
    return value


def fold_string_replace(expr: ex.StringReplace, scope: Scope) -> Value:
    """Python's ``str.replace``."""
    text, old, new, count = (fold_field(value, scope) for value in (expr.text, expr.old, expr.new, expr.count))
    with refusing(expr.path):
        if known(text, old, new, count):
            size = len(_text(text)) + _text(text).count(_text(old)) * len(_text(new))
            if not is_affordable(size, len(text)):
                return rebuilt(expr, text=text, old=old, new=new, count=count)
            if count is MISSING or count is None:
                return _text(text).replace(_text(old), _text(new))
            return _text(text).replace(_text(old), _text(new), count)
    return rebuilt(expr, text=text, old=old, new=new, count=count)


def fold_find(expr: ex.Find, scope: Scope) -> Value:
    """Python's ``str.find``."""
    text, part = fold_field(expr.text, scope), fold_field(expr.part, scope)
    with refusing(expr.path):
        if known(text, part):
            return _text(text).find(_text(part))
    return rebuilt(expr, text=text, part=part)


def fold_case(expr: ex.Lower | ex.Upper, scope: Scope) -> Value:
    """Python's ``str.lower`` and ``str.upper``."""
    text = fold_field(expr.text, scope)
    with refusing(expr.path):
        if known(text):
            return _text(text).lower() if isinstance(expr, ex.Lower) else _text(text).upper()
    return rebuilt(expr, text=text)


# -- digest, url --------------------------------------------------------------------------------------------


def fold_digest(expr: ex.Digest, scope: Scope) -> Value:
    """The hex digest of the latin-1 bytes."""
    algorithm, text = fold_field(expr.algorithm, scope), fold_field(expr.text, scope)
    if not known(algorithm, text):
        return rebuilt(expr, algorithm=algorithm, text=text)
    import hashlib

    with refusing(expr.path):
        if not (isinstance(algorithm, str) and isinstance(text, str)):
            raise TypeError('Argument to function "digest" must be a list of strings')
        if algorithm.lower() not in hashlib.algorithms_available:
            raise ValueError(f"Algorithm must be one of {sorted(hashlib.algorithms_available)}")
        return hashlib.new(algorithm, text.encode("latin-1")).hexdigest()


def fold_url(expr: ex.Url, scope: Scope) -> Value:
    """The URL when all parts are known; known parts are checked in any case."""
    parts = fold_field(expr.parts, scope)
    with refusing(expr.path):
        if isinstance(parts, dict):
            _check_url(parts)
            if known(parts):
                return make_url(parts)
        elif not isinstance(parts, Expr):
            raise TypeError('The arguments to "make_url" must be a map')
    return rebuilt(expr, parts=parts)


def _check_url(parts: dict[str, Value]) -> None:
    """The engine's check; it ends at ``query``, so that a fragment beside it is not looked at."""
    for name in ("scheme", "username", "password", "host", "port", "path", "query", "fragment"):
        value = parts.get(name, MISSING)
        if value is MISSING or isinstance(value, Expr):
            if name == "query" and value is not MISSING:
                return
        elif name == "query":
            if not isinstance(value, dict):
                raise TypeError('The "query" argument to "make_url" must be a map')
            return
        elif name == "port":
            if not 0 < int(value) <= 65535:
                raise ValueError(f"Invalid URL port {value}, must be in range 1-65535")
        elif not isinstance(value, str):
            raise TypeError(f'The "{name}" argument to "make_url" must be a string')


def make_url(parts: dict[str, Any]) -> str:
    """The URL that ``make_url`` builds from known, checked parts. Raises TypeError or ValueError."""
    from urllib.parse import quote, urlencode, urlunsplit

    scheme = parts.get("scheme", "")
    if ":" in scheme:
        raise ValueError("URL \"scheme\" should not contain ':'")
    username, password = quote(parts.get("username", ""), safe=""), quote(parts.get("password", ""), safe="")
    user = ""
    if username or password:
        user = username + (f":{password}" if password else "") + "@"
    host = parts.get("host", "")
    if host.startswith("[") and host.endswith("]"):
        host = host[1:-1]
    host = quote(host, safe=":")
    if ":" in host:
        host = f"[{host}]"
    port = parts.get("port", "")
    query = urlencode(parts.get("query", {})).replace("%2F", "/")
    netloc = f"{user}{host}" + (f":{port}" if port else "")
    path, fragment = quote(parts.get("path", "")), quote(parts.get("fragment", ""))
    return str(urlunsplit((scheme, netloc, path, query, fragment)))


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
    ex.Url: fold_url,
}
