"""The rules by which expressions are rewritten for HOT, one per class; docs/functions.md is made from them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from bpconvert.diagnostics import Fidelity
from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Value
from bpconvert.translators.hot import DIALECT
from bpconvert.translators.hot.write import conditions, references, texts
from bpconvert.translators.hot.write.calls import WRITERS, is_function
from bpconvert.translators.hot.write.rewriter import HotRewriter
from bpconvert.translators.passes.expressions.rewriter import Rule, Unsupported


def _merge(rewriter: HotRewriter, expr: ex.Merge) -> Value:
    if not isinstance(expr.maps, (list, tuple)):
        return _same(rewriter, expr)
    maps = [rewriter.argument(item, expr.path) for item in _flat(expr.maps)]
    if expr.strict and any(rewriter.kind(item) in ("text", "number", "boolean", "null", "list") for item in maps):
        raise Unsupported(f"{rewriter.context.engine} merges maps only")
    lost = [item for index, item in enumerate(maps) if isinstance(item, dict) and _is_covered(item, maps[index + 1 :])]
    if all(isinstance(item, dict) for item in maps) and not lost:
        merged = {key: value for item in maps for key, value in item.items()}
        if len(merged) < sum(map(len, maps)):  # of equal keys only the last value is in the result
            rewriter.report("BPC235", expr.path, name="merge")
        return merged
    return maps[0] if len(maps) == 1 and expr.strict else ex.Merge(maps, path=expr.path)


def _flat(maps: Iterable[Value]) -> Iterator[Value]:
    """``maps`` with those of merged maps in their place."""
    for item in maps:
        if isinstance(item, ex.Merge) and item.strict and isinstance(item.maps, (list, tuple)):
            yield from _flat(item.maps)
        else:
            yield item


def _is_covered(item: dict[Any, Value], later: list[Value]) -> bool:
    """True when a later map hides an expression of this one, which may be the only reference to a node."""
    return any(
        key in other and not ex.is_constant(value)
        for key, value in item.items()
        for other in later
        if isinstance(other, dict)
    )


def _if(rewriter: HotRewriter, expr: ex.If) -> Value:
    if rewriter.inert:  # nothing asks for a parameter
        condition = conditions.rewrite(rewriter, expr.condition, expr.path)
    else:
        condition = conditions.value(rewriter, expr.condition, expr.path)
    branches = [
        branch if branch is MISSING else rewriter.argument(branch, expr.path) for branch in (expr.then, expr.otherwise)
    ]
    if isinstance(condition, bool):
        chosen = branches[0] if condition else branches[1]
        if chosen is not MISSING:
            return chosen
    return ex.If(condition, *branches, path=expr.path)


def _boolean(rewriter: HotRewriter, expr: ex.Expr) -> Value:
    condition = conditions.rewrite(rewriter, expr, expr.path)
    return condition if isinstance(condition, bool) else ex.If(condition, True, False, path=expr.path)


def _foreign(rewriter: HotRewriter, expr: ex.Foreign) -> Value:
    if expr.dialect == DIALECT and is_function(expr.name):
        return _same(rewriter, expr)
    context = rewriter.context
    annotated = context.words.annotated(expr)
    if annotated is not None:
        call, kind = annotated
        context.reporter.report("BPC244", expr.path, type=kind)
        return rewriter.rewrite(call, expr.path)
    raise Unsupported(context.words.obstacle(expr) or f"{context.engine} refuses the call, or ignores a part of it")


def _same(rewriter: HotRewriter, expr: ex.Expr) -> Value:
    return ex.map_fields(expr, lambda v: v if v is MISSING else rewriter.argument(v, expr.path))


def _file(rewriter: HotRewriter, expr: ex.File) -> Value:
    """The text of a file, which is beside the result; one that is not there is reported: Heat's client refuses it."""
    if isinstance(expr.name, str) and "://" not in expr.name:
        text, code = rewriter.context.request.files.read(expr.name)
        if text is None:
            rewriter.report(code, expr.path, name=expr.name)
        else:
            rewriter.context.topology.files.setdefault(expr.name, text)
    return _same(rewriter, expr)


_ASKED: Final = "a required parameter where a resource needs it"
_OWN: Final = "itself"

RULES: Final[dict[type[ex.Expr], Rule]] = {
    **{kind: Rule(Fidelity.EXACT, _OWN, _same) for kind in WRITERS},
    ex.File: Rule(Fidelity.EXACT, _OWN, _file),
    ex.Input: Rule(
        Fidelity.EXACT,
        "`get_param`, where a missing key is an empty text and no error; with a computed default in an `if`",
        references.input_,
    ),
    ex.Property: Rule(Fidelity.REWRITTEN, "the property's value", references.property_),
    ex.Attribute: Rule(
        Fidelity.EXACT, "`get_attr` by the type's attribute table, or the property's value", references.attribute
    ),
    ex.AttributeList: Rule(
        Fidelity.REWRITTEN,
        "a list with one `get_attr`; of several instances, `get_attr` of the resource group",
        references.attribute_list,
    ),
    ex.AttributeDict: Rule(Fidelity.CARRIED, _ASKED, references.attribute_dict),
    ex.Identity: Rule(Fidelity.EXACT, "`get_resource`", references.identity),
    ex.Secret: Rule(Fidelity.APPROXIMATED, "a hidden parameter named like the secret", references.secret),
    ex.Label: Rule(Fidelity.CARRIED, _ASKED, references.unknown),
    ex.Capability: Rule(Fidelity.CARRIED, _ASKED, references.unknown),
    ex.Consumers: Rule(Fidelity.CARRIED, _ASKED, references.unknown),
    ex.System: Rule(
        Fidelity.EXACT,
        f"`OS::stack_name` and `OS::stack_id` for the deployment's name and id; for other facts {_ASKED}",
        references.system,
    ),
    ex.Concat: Rule(
        Fidelity.REWRITTEN, "`list_join` of texts, `str_replace` where an item may be a number or boolean", texts.concat
    ),
    ex.Merge: Rule(Fidelity.EXACT, "`map_merge`, or the merged map where all are written in the blueprint", _merge),
    ex.Find: Rule(Fidelity.REWRITTEN, "`yaql` with `indexOf`", texts.string_find),
    ex.StringReplace: Rule(
        Fidelity.REWRITTEN,
        "`str_replace`; `yaql` with `replace` for a count or a value of a resource",
        texts.string_replace,
    ),
    ex.Split: Rule(Fidelity.REWRITTEN, "`str_split`", texts.string_split),
    ex.Lower: Rule(Fidelity.REWRITTEN, "`yaql` with `toLower`", texts.string_case),
    ex.Upper: Rule(Fidelity.REWRITTEN, "`yaql` with `toUpper`", texts.string_case),
    ex.If: Rule(Fidelity.EXACT, "`if`", _if),
    ex.Condition: Rule(Fidelity.EXACT, "`if` with true and false", _boolean),
    ex.Equals: Rule(Fidelity.EXACT, "`equals`", _boolean),
    ex.Not: Rule(Fidelity.EXACT, "`not`", _boolean),
    ex.And: Rule(Fidelity.EXACT, "`and`", _boolean),
    ex.Or: Rule(Fidelity.EXACT, "`or`", _boolean),
    ex.Foreign: Rule(Fidelity.CARRIED, _ASKED, _foreign),
}
