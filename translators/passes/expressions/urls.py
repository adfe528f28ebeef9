"""URLs for a language without a function that quotes: the text of the parts, the known ones quoted as Heat quotes them.

The others are written as they are, which is the same where they hold nothing that URLs quote, are not empty, and are no
IPv6 address as host (heat/engine/hot/functions.py, ``MakeURL``; urllib's ``urlunsplit``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from urllib.parse import quote, quote_plus

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.translators.passes.expressions.rewriter import ExpressionRewriter, Unsupported

#: how a user and a host are quoted
_user_text, _host_text = partial(quote, safe=""), partial(quote, safe=":")


def url(rewriter: ExpressionRewriter, expr: ex.Url) -> Value:
    """The URL as a text; raises :class:`Unsupported` where its form depends on what is not known."""
    if not isinstance(expr.parts, dict):
        raise Unsupported("the parts of the URL are only known when deploying")
    for name, part in expr.parts.items():
        _check(rewriter, name, part)
    pieces = {name: _pieces(rewriter, part, expr.path) for name, part in expr.parts.items() if name != "query"}
    if not pieces.get("host"):
        raise Unsupported("a URL without a host has another form")
    further = [
        *_after(pieces, "scheme", str, "", ":"),
        "//",
        *_user(pieces),
        *_host(pieces["host"]),
        *_after(pieces, "port", str, ":"),
        *_path(rewriter, pieces.get("path", [])),
        *_query(rewriter, expr.parts.get("query"), expr.path),
        *_after(pieces, "fragment", quote, "#"),
    ]
    inexact = [
        (name, place)
        for name, part in expr.parts.items()
        for place in _inexact(rewriter, name, part, pieces.get(name, []), expr.path)
    ]
    if inexact:
        names = " and ".join(dict.fromkeys(name for name, _ in inexact))
        elsewhere = rewriter.computed_elsewhere(expr, expr.path, f"the URL's {names} may have characters to quote")
        if elsewhere is not MISSING:
            return elsewhere
    for name, place in inexact:
        rewriter.report("BPC228", place, part=name)
    return rewriter.text(further, expr.path)


def _pieces(rewriter: ExpressionRewriter, part: Value, path: Path) -> list[Value]:
    """A part as texts and calls; none for an empty one."""
    if not ex.is_constant(part) and not all(map(str.isascii, _texts(part))):
        raise Unsupported("the URL has text beyond ASCII beside a value that is only known when deploying")
    text = rewriter.as_text(part, path)
    pieces = list(text.items) if isinstance(text, ex.Concat) else [text]
    return [piece for piece in pieces if piece != ""]


def _texts(value: Value) -> Iterator[str]:
    """The literal texts in ``value``."""
    if isinstance(value, ex.Expr):
        value = [getattr(value, name) for name in ex.field_names(type(value))]
    if isinstance(value, str):
        yield value
    elif isinstance(value, (dict, list, tuple)):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _texts(item)


def _quoted(pieces: list[Value], quoting: Callable[[str], str]) -> list[Value]:
    return [quoting(piece) if isinstance(piece, str) else piece for piece in pieces]


def _after(
    parts: dict[str, list[Value]], name: str, quoting: Callable[[str], str], before: str, behind: str = ""
) -> list[Value]:
    pieces = _quoted(parts.get(name, []), quoting)
    return [before, *pieces, behind] if pieces else []


def _user(parts: dict[str, list[Value]]) -> list[Value]:
    name, password = (_quoted(parts.get(part, []), _user_text) for part in ("username", "password"))
    return [*name, *([":", *password] if password else []), "@"] if name or password else []


def _host(pieces: list[Value]) -> list[Value]:
    first, last = pieces[0], pieces[-1]
    if isinstance(first, str) and isinstance(last, str) and first.startswith("[") and last.endswith("]"):
        inner = [first[1:], *pieces[1:-1], last[:-1]] if len(pieces) > 1 else [first[1:-1]]
        return _host(inner) if ex.is_constant(inner) else ["[", *_quoted(inner, _host_text), "]"]
    if any(isinstance(piece, str) and ":" in piece for piece in pieces):
        return ["[", *_quoted(pieces, _host_text), "]"]
    return _quoted(pieces, _host_text)


def _path(rewriter: ExpressionRewriter, pieces: list[Value]) -> list[Value]:
    quoted = _quoted(pieces, quote)
    return ["/", *quoted] if quoted and _has_slash(rewriter, quoted[0]) is False else quoted


def _has_slash(rewriter: ExpressionRewriter, start: Value) -> bool | None:
    """Whether a path that begins with ``start`` has a slash there, where Heat adds one; None where it is not known."""
    texts = _possible_texts(rewriter, start) if isinstance(start, ex.Expr) else [str(start)]
    verdicts = set() if texts is None else {text.startswith("/") for text in texts or [""]}
    return verdicts.pop() if len(verdicts) == 1 else None


def _is_same_input(first: Value, other: Value) -> bool:
    both = isinstance(first, ex.Input) and isinstance(other, ex.Input)
    return both and (first.name, first.keys) == (other.name, other.keys)


def _query(rewriter: ExpressionRewriter, query: Value, path: Path) -> list[Value]:
    if query is None:
        return []
    if not isinstance(query, dict):
        raise Unsupported("the query of the URL is only known when deploying")
    query_pieces: list[Value] = []
    for name, value in query.items():
        text = "None" if value is None else value
        if isinstance(text, (dict, list)):
            source = rewriter.request.source.title
            raise Unsupported(f"a value of the URL's query is a list or map, which {source} writes as Python does")
        pieces = _quoted(_pieces(rewriter, text, path), _query_text)
        query_pieces += ["&" if query_pieces else "?", _query_text(str(name)), "=", *pieces]
    return query_pieces


def _query_text(text: str) -> str:
    return quote_plus(text).replace("%2F", "/")


def _inexact(rewriter: ExpressionRewriter, name: str, part: Value, pieces: list[Value], path: Path) -> Iterator[Path]:
    """The places of values that are written as they are, though Heat would quote them."""
    for expr in ex.walk(part):
        if not isinstance(expr, (ex.Input, ex.Attribute, ex.Identity)):
            continue
        texts, is_start = _possible_texts(rewriter, expr), name == "path" and _is_same_input(pieces[0], expr)
        is_exact = texts is not None and all(_is_same(name, text) for text in texts)
        if not is_exact or (is_start and _has_slash(rewriter, expr) is None):
            yield expr.path or path


def _check(rewriter: ExpressionRewriter, name: str, part: Value) -> None:
    for expr in ex.walk(part):
        declared = rewriter.declared(expr)
        text = declared.default if declared is not None else None
        if declared is None or not isinstance(text, str):
            continue
        if not _is_same(name, text) or (name == "path" and part is expr and not text.startswith("/")):
            raise Unsupported(f"the default of '{declared.name}' has another form as a URL's {name}")


def _possible_texts(rewriter: ExpressionRewriter, value: ex.Expr) -> list[str] | None:
    """All texts that a parameter can be; None where they are not known."""
    declared = rewriter.declared(value)
    if declared is None:
        return None
    if declared.type == "number":
        return []
    return declared.allowed_texts


def _is_same(name: str, text: str) -> bool:
    """True for a text that stands in the URL as it is."""
    return bool(text) and quote(text, safe="/" if name in ("path", "query", "fragment") else "") == text
