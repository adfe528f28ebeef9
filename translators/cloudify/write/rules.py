"""The rules by which expressions are rewritten for the DSL, one per class; docs/functions.md is made from them."""

from __future__ import annotations

from typing import Final

from bpconvert.diagnostics import Fidelity
from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Value
from bpconvert.translators.cloudify.calls import DIALECT
from bpconvert.translators.cloudify.vocabulary import RELATIVE
from bpconvert.translators.cloudify.write import scaling
from bpconvert.translators.cloudify.write.references import References
from bpconvert.translators.cloudify.write.rewriter import DslRewriter
from bpconvert.translators.passes.expressions import branches, joins, static_lists
from bpconvert.translators.passes.expressions.kinds import RESULT, VALUE, entered
from bpconvert.translators.passes.expressions.places import steps
from bpconvert.translators.passes.expressions.rewriter import Rule, Unsupported
from bpconvert.translators.support import later

#: steps in the source from a choice to one of its branches
_TO_BRANCH: Final = 2


def _input(rewriter: DslRewriter, expr: ex.Input) -> Value:
    context = rewriter.context
    if isinstance(expr.name, str):
        name = context.inputs.declared(expr.name, expr.path)
    else:
        name = rewriter.rewrite(expr.name, expr.path)
        if expr.keys:
            raise Unsupported("the parameter's name is computed and a part of its value is taken")
    keys = tuple(rewriter.rewrite(k, expr.path) for k in expr.keys)
    if any(not isinstance(k, (str, int, ex.Expr)) for k in keys):
        return ""  # no part has such a key, and a missing part is an empty text
    if not all(rewriter.is_static(k) for k in keys):
        raise Unsupported("a runtime value selects a part of a parameter; get_input takes none")
    if keys and isinstance(expr.name, str):
        if context.kinds.of_input(expr.name, ()) in ("text", "number", "boolean"):
            raise Unsupported("a part of a text parameter is taken; get_input only enters lists and maps")
        declared = rewriter.topology.inputs.get(expr.name)
        places = [key for key, holder in steps(declared, keys) if isinstance(holder, list)] if declared else []
        if any(isinstance(key, ex.Expr) and rewriter.kind(key) == "text" for key in places):
            raise Unsupported("a text selects a place in a list; get_input takes whole numbers")
        steps_found = context.inputs.path(expr.name, keys, expr.path)
        if steps_found is None:
            raise Unsupported("the default has no such part, and Cloudify refuses to deploy with it")
        keys = steps_found
        rewriter.note_indices(keys)
    return ex.Input(name, keys, strict=True, path=expr.path)


def _system(rewriter: DslRewriter, expr: ex.System) -> Value:
    if expr.name in ("deployment.name", "deployment.id"):
        return expr
    if rewriter.inert and not rewriter.context.inputs.asks_for(expr.name):
        raise Unsupported("Cloudify does not know this, and no node needs it")
    return ex.Input(rewriter.context.inputs.fact(expr.name, expr.path), strict=True, path=expr.path)


def _file(rewriter: DslRewriter, expr: ex.File) -> Value:
    context = rewriter.context
    if context.options.files == "keep":
        raise Unsupported("files are kept apart")
    if isinstance(expr.name, str):
        text, code = context.files.read(expr.name)
        if text is not None:
            return rewriter.text([text], expr.path)
        context.reporter.report(code, expr.path, name=context.files.shown(expr.name))
    raise Unsupported("the file is not available")


def _property(rewriter: DslRewriter, expr: ex.Property) -> Value:
    """The call, where the node is one of this language: others have other properties, and known values of theirs have
    been written out."""
    node = rewriter.topology.node(expr.node)
    if isinstance(expr.node, str) and expr.node not in RELATIVE and (node is None or node.native != DIALECT):
        raise Unsupported("there is no such property, or its value is not known" if node else "there is no such node")
    return expr


def _split(rewriter: DslRewriter, expr: ex.Split) -> Value:
    text, delimiter = rewriter.rewrite(expr.text, expr.path), rewriter.rewrite(expr.delimiter, expr.path)
    if not rewriter.is_static([text, delimiter]):
        raise Unsupported("string_split takes no value that is only known at run time")
    if rewriter.kind(text) not in ("text", "any") or delimiter is None:
        raise Unsupported("string_split takes texts only")
    index = expr.index if expr.index is MISSING else _index(expr.index)
    return ex.Split(delimiter, text, index, strict=True, path=expr.path)


def _index(value: Value) -> int:
    try:
        return int(value)
    except (TypeError, ValueError):
        raise Unsupported("the index is not a number") from None


def _merge(rewriter: DslRewriter, expr: ex.Merge) -> Value:
    if not isinstance(expr.maps, (list, tuple)):
        raise Unsupported("the list of maps is only known when deploying")
    arguments = [m for m in expr.maps if m is not None]
    maps = [rewriter.rewrite(_filled(m), expr.path) for m in arguments]
    for source, item in zip(arguments, maps, strict=True):
        kind = rewriter.kind(item)
        if kind not in ("map", "json", "any"):
            raise Unsupported("only maps can be merged")
        if kind == "any" and isinstance(item, ex.Attribute):
            raise Unsupported("the attribute is not known to be a map, and Cloudify merges nothing else")
        if isinstance(item, ex.Attribute) and (item.name == RESULT or _is_held(rewriter, source)):
            raise Unsupported("one of the maps is computed, and the node that computes it can merge them")
    if not maps:
        return {}
    return maps[0] if len(maps) == 1 and isinstance(maps[0], dict) else ex.Merge(maps, strict=True, path=expr.path)


def _is_held(rewriter: DslRewriter, value: Value) -> bool:
    """True for what a node holds for others as another one computes it."""
    node = rewriter.topology.node(value.node) if isinstance(value, ex.Attribute) else None
    if node is None or node.kind != VALUE or not rewriter.is_held_elsewhere(node, value.keys):
        return False
    held = entered(rewriter.held(node), value.keys)[0]
    return isinstance(held, ex.Attribute) and held.name == RESULT


def _filled(value: Value) -> Value:
    """A map to merge, where an item that a condition removes is an empty one."""
    if value is MISSING or value is None:
        return {}
    if not isinstance(value, ex.If):
        return value
    return ex.map_fields(value, lambda part: part if part is value.condition else _filled(part))


def _if(rewriter: DslRewriter, expr: ex.If) -> Value:
    if expr.otherwise is MISSING:
        raise Unsupported("an 'if' without an else removes its entry, which Cloudify cannot")
    verdict = branches.always(rewriter, expr.condition, expr.path)
    if verdict is not None:
        return rewriter.value(expr.then if verdict else expr.otherwise, (*expr.path, "if", 1 if verdict else 2))
    with rewriter.state(above=rewriter.above + _TO_BRANCH):
        then, otherwise = (
            rewriter.value(branch, (*expr.path, "if", place))
            for place, branch in enumerate((expr.then, expr.otherwise), 1)
        )
    return branches.choose(rewriter, expr.condition, then, otherwise, expr.path)


def _boolean(rewriter: DslRewriter, expr: ex.Expr) -> Value:
    return branches.choose(rewriter, expr, True, False, expr.path)


def _same(rewriter: DslRewriter, expr: ex.Expr) -> Value:
    return ex.map_fields(expr, lambda v: v if v is MISSING else rewriter.rewrite(v, expr.path))


RULES: Final[dict[type[ex.Expr], Rule]] = {
    ex.Input: Rule(Fidelity.EXACT, "`get_input`; a missing key is an error where Heat gives an empty text", _input),
    ex.System: Rule(Fidelity.EXACT, "`get_sys` for the stack's name and id, an input for project and region", _system),
    ex.Identity: Rule(
        Fidelity.EXACT,
        "`get_attribute` of the type's id attribute, or a relationship",
        lambda rewriter, expr: References(rewriter).identity(expr),
    ),
    ex.Attribute: Rule(
        Fidelity.EXACT,
        "`get_attribute` or `get_property` by the type's attribute table",
        lambda rewriter, expr: References(rewriter).attribute(expr),
    ),
    ex.AttributeList: Rule(Fidelity.EXACT, "`get_attributes_list`", scaling.attribute_list),
    ex.AttributeDict: Rule(
        Fidelity.EXACT, "`get_attributes_dict`, whose keys are ids of instances", scaling.attribute_dict
    ),
    ex.File: Rule(Fidelity.EXACT, "the text of the file", _file),
    ex.Join: Rule(
        Fidelity.REWRITTEN,
        "`concat` with the delimiter between the items",
        joins.join,
        structure=lambda expr: expr.lists,
    ),
    ex.Replace: Rule(
        Fidelity.REWRITTEN,
        "`concat` of the template's pieces",
        joins.replace,
        structure=lambda expr: (expr.template, expr.params),
    ),
    ex.Url: Rule(
        Fidelity.REWRITTEN,
        "`concat` of the parts, of which those that are known are quoted",
        later("bpconvert.translators.passes.expressions.urls:url"),
        takes=lambda rewriter, expr: True,
    ),
    ex.ListConcat: Rule(
        Fidelity.REWRITTEN,
        "`string_split` of all items as one text, where parameters are lists",
        static_lists.list_concat,
        takes=static_lists.takes,
    ),
    ex.Repeat: Rule(
        Fidelity.REWRITTEN,
        "`string_split` of all texts as one, where a parameter is the list",
        static_lists.repeat,
        takes=static_lists.takes,
    ),
    ex.Split: Rule(Fidelity.REWRITTEN, "`string_split` of a value known when deploying", _split),
    ex.Merge: Rule(Fidelity.EXACT, "`merge`", _merge),
    ex.If: Rule(Fidelity.REWRITTEN, "a hidden input with both branches, indexed by the condition", _if),
    **dict.fromkeys((ex.Equals, ex.Not, ex.And, ex.Or), Rule(Fidelity.REWRITTEN, "`if` with true and false", _boolean)),
    ex.Contains: Rule(
        Fidelity.REWRITTEN,
        "`or` of `equals` for a list that is written in the template, a search in the text of a parameter",
        _boolean,
        structure=lambda expr: (expr.sequence,),
    ),
    ex.Concat: Rule(Fidelity.EXACT, "`concat`", _same),
    ex.Find: Rule(Fidelity.EXACT, "`string_find`", _same),
    ex.StringReplace: Rule(Fidelity.EXACT, "`string_replace`", _same),
    ex.Lower: Rule(Fidelity.EXACT, "`string_lower`", _same),
    ex.Upper: Rule(Fidelity.EXACT, "`string_upper`", _same),
    ex.Query: Rule(
        Fidelity.REWRITTEN,
        "the function of a text that it is (`string_upper`, ...)",
        later("bpconvert.translators.passes.expressions.queries:rewrite"),
    ),
    ex.Property: Rule(Fidelity.EXACT, "`get_property`", _property),
    ex.Secret: Rule(Fidelity.EXACT, "`get_secret`", _same),
    # only the manager has them: from another language they come where they are kept for the way back
    ex.Capability: Rule(Fidelity.EXACT, "`get_capability`", _same),
}
