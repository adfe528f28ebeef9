"""The DSL's text functions in HOT: ``concat`` and ``string_*``.

``list_join`` takes texts only, so ``concat`` of other scalars is ``str_replace`` with one placeholder per item, which
writes ``True`` and ``1.5`` as ``concat`` does. ``string_*`` are methods of yaql where HOT has no function of its own.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Iterable, Iterator
from typing import Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Expr, Path, Value
from bpconvert.translators.hot.write.rewriter import STRUCTURES_IN_TEXTS, HotRewriter, may_be_null
from bpconvert.translators.passes.expressions import static_texts
from bpconvert.translators.passes.expressions.kinds import STRUCTURES
from bpconvert.translators.passes.expressions.rewriter import Unsupported, merge_texts
from bpconvert.translators.support.text import fresh

_AS_PYTHON = "concat writes maps and lists as Python does, and nothing in Heat can"

# -- concat -------------------------------------------------------------------------------------------------


def concat(rewriter: HotRewriter, expr: ex.Concat) -> Value:
    """``list_join`` of texts, else ``str_replace``; what is known is computed."""
    parts: list[Value] = []
    for item in _flat(expr.items):
        rewritten = rewriter.argument(item, expr.path)
        part = _as_text(rewriter, rewritten, expr.path)
        joined = part.lists[0] if isinstance(part, ex.Join) and part.delimiter == "" and len(part.lists) == 1 else part
        parts += joined if isinstance(joined, list) else [part]
    return compose(rewriter, parts, expr.path)


def _flat(items: Iterable[Value]) -> Iterator[Value]:
    for item in items:
        if isinstance(item, ex.Concat):
            yield from _flat(item.items)
        else:
            yield item


def _as_text(rewriter: HotRewriter, rewritten: Value, path: Path) -> Value:
    """A rewritten item as ``concat`` writes it: known ones through Python's ``str``."""
    if ex.is_constant(rewritten):
        return str(rewritten)
    if isinstance(rewritten, ex.If) and rewritten.otherwise is not MISSING:
        branches = [_as_text(rewriter, branch, path) for branch in (rewritten.then, rewritten.otherwise)]
        return ex.If(rewritten.condition, *branches, path=rewritten.path)
    kind = rewriter.kind(rewritten)
    if kind in STRUCTURES:
        raise Unsupported(_AS_PYTHON)
    if kind == "any" and not _is_nothing(rewriter, rewritten):
        rewriter.context.reporter.report("BPC238", path)
    return rewritten


def _is_nothing(rewriter: HotRewriter, rewritten: Value) -> bool:
    """True for an attribute of a stand-in, which is reported on its own."""
    if not isinstance(rewritten, ex.Attribute) or not isinstance(rewritten.node, str):
        return False
    node = rewriter.context.names.nodes.get(rewritten.node)
    return node is not None and node.kind is None and node.native is None


def compose(rewriter: HotRewriter, parts: Iterable[Value], path: Path) -> Value:
    """Texts and rewritten expressions one after the other, in the shortest form."""
    merged = merge_texts(parts)
    if not merged:
        return ""
    texts = all(rewriter.kind(part) == "text" for part in merged)
    if len(merged) == 1 and texts:
        return merged[0]
    between = merged[1::2]
    alternate = len(merged) > 2 and len(merged) % 2 == 1 and isinstance(between[0], str)
    if texts and alternate and between.count(between[0]) == len(between):
        return ex.Join(between[0], (merged[::2],), path=path)
    lines = any("\n" in part for part in merged if isinstance(part, str))
    return ex.Join("", (merged,), path=path) if texts and not lines else _replacing(merged, path)


#: how a placeholder begins and ends, the most usual first; none that a shell would exchange
_FORMS: Final = (("__", "__"), ("<", ">"), ("{{", "}}"), ("[[", "]]"), ("%", "%"))


def _replacing(parts: list[Value], path: Path) -> Value:
    """``parts`` as a template in which each one but texts has a placeholder that nothing else can be taken for."""
    names: dict[str, str] = {}
    values: dict[str, Value] = {}
    order: list[str] = []
    for part in parts:
        if not isinstance(part, str):
            key = repr(part)
            if key not in names:
                names[key] = fresh(_readable(part), values)
                values[names[key]] = part
            order.append(names[key])
    for attempt in itertools.count():
        opening, closing = _FORMS[attempt % len(_FORMS)]
        ending = closing if attempt < len(_FORMS) else f"_{attempt}{closing}"
        marks = {name: f"{opening}{name}{ending}" for name in values}
        template = _filled(parts, [marks[name] for name in order], marks.values())
        if template is not None:
            break
    return ex.Replace(template, {marks[name]: value for name, value in values.items()}, path=path)


def _filled(parts: list[Value], order: list[str], marks: Collection[str]) -> str | None:
    """``parts`` with placeholders (in this ``order``) for all but texts; None where Heat would find others, or in
    other places. (It exchanges the longest that fits, from the left: heat/engine/hot/functions.py.)"""
    template, places, left = "", [], iter(order)
    for part in parts:
        mark = part if isinstance(part, str) else next(left)
        if not isinstance(part, str):
            places.append((len(template), len(template) + len(mark)))
        template += mark
    either = "|".join(map(re.escape, sorted(marks, key=len, reverse=True)))
    return template if [match.span() for match in re.finditer(either, template)] == places else None


def _readable(part: Value) -> str:
    """A name for the value of an expression, or of a map with some."""
    words: list[Value] = ["value"]
    if isinstance(part, ex.Input):
        words = [part.keys[-1] if part.keys and isinstance(part.keys[-1], str) else part.name]
    elif isinstance(part, ex.Attribute):
        words = [part.node, part.name]
    elif isinstance(part, ex.Identity):
        words = [part.node]
    elif isinstance(part, ex.System):
        words = [part.name]
    elif isinstance(part, (ex.Query, ex.Split)):
        source = part.data.get("v") if isinstance(part, ex.Query) and isinstance(part.data, dict) else None
        source = part.text if isinstance(part, ex.Split) else source
        return _readable(source) if isinstance(source, Expr) else "value"
    elif isinstance(part, ex.If):
        return next((_readable(branch) for branch in (part.then, part.otherwise) if isinstance(branch, Expr)), "choice")
    text = "_".join(word for word in words if isinstance(word, str))
    return re.sub(r"[\W_]+", "_", text, flags=re.ASCII).strip("_") or "value"


# -- string_* -----------------------------------------------------------------------------------------------


def string_replace(rewriter: HotRewriter, expr: ex.StringReplace) -> Value:
    """``str_replace`` with one key, which is the same; with a count, or over a value that may be null, yaql."""
    listed = static_texts.recognised(expr)
    declared = rewriter.declared(next((expr for expr in ex.walk(listed) if isinstance(expr, ex.Input)), None))
    if declared is not None and declared.type in STRUCTURES and not isinstance(declared.default, dict):
        rewriter.report("BPC524", expr.path, name=declared.name)
        if isinstance(listed, ex.Replace):
            rewriter.context.least_version = max(rewriter.context.least_version, STRUCTURES_IN_TEXTS)
        return ex.map_fields(listed, lambda part: rewriter.argument(part, expr.path))
    text, old, new = _texts(rewriter, expr, expr.text, expr.old, expr.new)
    count = expr.count if expr.count in (MISSING, None) else rewriter.rewrite(expr.count, expr.path)
    computed = rewriter.computed(ex.StringReplace(text, old, new, count, path=expr.path))
    if not isinstance(computed, ex.StringReplace):
        return computed
    if count in (MISSING, None) and isinstance(old, str) and old and not may_be_null(text):
        return ex.Replace(text, {old: new}, path=expr.path)
    more = {} if count in (MISSING, None) else {"count": count}
    return _query(rewriter, "replace", "text", expr.path, text, old=old, new=new, **more)


def string_split(rewriter: HotRewriter, expr: ex.Split) -> Value:
    """``str_split``, which is the same where both have a value; yaql where it has none while Heat validates."""
    if not expr.strict:
        return ex.map_fields(expr, lambda v: v if v is MISSING else rewriter.argument(v, expr.path))
    text, delimiter = _texts(rewriter, expr, expr.text, expr.delimiter)
    index = MISSING if expr.index in (MISSING, None) else rewriter.rewrite(expr.index, expr.path)
    computed = rewriter.computed(ex.Split(delimiter, text, index, strict=True, path=expr.path))
    if not isinstance(computed, ex.Split):
        return computed
    index = int(index) if isinstance(index, bool) else index
    if isinstance(index, int) and index not in (0, -1) and _is_partial(text):
        return _piece(rewriter, expr.path, text, delimiter, index)
    return ex.Split(delimiter, text, index, path=expr.path)


def _is_partial(text: Value) -> bool:
    """True for a text of which Heat has other pieces while it validates: the name of a resource stands for its id, and
    nothing for an attribute in a text. (An attribute alone is null, and so is what is made of that.)"""
    runtime = any(isinstance(e, (ex.Identity, ex.Attribute, ex.AttributeList, ex.AttributeDict)) for e in ex.walk(text))
    return runtime and not isinstance(text, (ex.Attribute, ex.Query))


def _piece(rewriter: HotRewriter, path: Path, text: Value, delimiter: Value, index: int) -> ex.Query:
    """A piece of a text in yaql; null where there are not so many. ``str_split`` refuses the template then."""
    literal = _literal(delimiter)
    data = {"v": text} if literal else {"v": text, "delimiter": delimiter}
    pieces = f"$.data.v.split({literal or '$.data.delimiter'})"
    enough = f"> {index}" if index > 0 else f">= {-index}"
    return _guarded(rewriter, f"switch({pieces}.len() {enough} => {pieces}[{index}], true => null)", "text", path, data)


def string_find(rewriter: HotRewriter, expr: ex.Find) -> Value:
    """yaql's ``indexOf``."""
    text, part = _texts(rewriter, expr, expr.text, expr.part)
    computed = rewriter.computed(ex.Find(text, part, path=expr.path))
    return (
        _query(rewriter, "indexOf", "number", expr.path, text, part=part) if isinstance(computed, ex.Find) else computed
    )


def string_case(rewriter: HotRewriter, expr: ex.Lower | ex.Upper) -> Value:
    """yaql's ``toLower`` and ``toUpper``."""
    (text,) = _texts(rewriter, expr, expr.text)
    computed = rewriter.computed(type(expr)(text, path=expr.path))
    method = "toLower" if isinstance(expr, ex.Lower) else "toUpper"
    return _query(rewriter, method, "text", expr.path, text) if isinstance(computed, (ex.Lower, ex.Upper)) else computed


def _texts(rewriter: HotRewriter, expr: Expr, *values: Value) -> list[Value]:
    """Said arguments, which the source takes only if they are texts."""
    rewritten = [rewriter.argument(value, expr.path) for value in values]
    for item in rewritten:
        if rewriter.kind(item) in (*STRUCTURES, "number", "boolean", "null"):
            raise Unsupported(f"{rewriter.context.engine} takes texts only, and this is none")
    return rewritten


#: longer literals are data of the query
_LONGEST_LITERAL: Final = 60


def _query(rewriter: HotRewriter, method: str, kind: str, path: Path, subject: Value, **arguments: Value) -> Value:
    """A method of a text in yaql; null where an argument is null, as is all that depends on a resource when Heat
    validates."""
    data = {"v": subject}
    words = []
    for name, argument in arguments.items():
        literal = _literal(argument)
        if literal is None:
            data[name] = argument
            literal = f"$.data.{name}"
        words.append(literal)
    return _guarded(rewriter, f"$.data.v.{method}({', '.join(words)})", kind, path, data)


def _guarded(rewriter: HotRewriter, expression: str, kind: str, path: Path, data: dict[str, Value]) -> ex.Query:
    """The query over ``data``, which is null where a part of that is."""
    missing = [f"$.data.{name} = null" for name, value in data.items() if may_be_null(value)]
    if missing:
        expression = f"switch({' or '.join(missing)} => null, true => {expression})"
    rewriter.kinds.queries[expression] = kind
    return ex.Query(expression, data, path=path)


def _literal(value: Value) -> str | None:
    """``value`` as yaql writes it; None for what is better given as data."""
    if isinstance(value, int):
        return str(int(value))
    if isinstance(value, str) and value.isascii() and value.isprintable() and len(value) <= _LONGEST_LITERAL:
        return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"
    return None
