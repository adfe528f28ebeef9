"""Rewrites expressions until Cloudify can say them.

One rule per expression class, declared in :data:`RULES`; a rule returns a value made of what the DSL has, or raises
:class:`Cannot`. What cannot be said is replaced, at the innermost place, by a stand-in: a required input where a
node would use the value (so that nothing is deployed with a wrong one), a visible text where nothing depends on it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from bpconvert.diagnostics import Fidelity
from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.translators.cloudify import conditions, references
from bpconvert.translators.cloudify.cannot import Cannot, no_counterpart, spelling
from bpconvert.translators.cloudify.functions import collides
from bpconvert.translators.cloudify.names import dotted, path_name
from bpconvert.translators.evaluate import Refused, Scope, fold, pieces
from bpconvert.translators.text import ascii_text

if TYPE_CHECKING:
    from bpconvert.translators.cloudify.context import Context

#: Expressions that have no value before the deployment runs (cfy_grammar: RUNTIME functions).
RUNTIME = (
    ex.Attribute,
    ex.AttributeList,
    ex.AttributeDict,
    ex.Identity,
    ex.System,
    ex.Secret,
    ex.Capability,
    ex.Label,
    ex.Consumers,
)


#: Cloudify's evaluation stops at 50 levels (cfy_grammar: plain nesting breaks at 49); the node's own keys count too.
DEEPEST = 44


class Rule(NamedTuple):
    """How one kind of expression is said: fidelity at best, words for the documentation, and the function."""

    fidelity: Fidelity
    how: str
    apply: Callable[[Legaliser, Any], Value]


class Legaliser:
    """Makes the values of one topology sayable."""

    def __init__(self, context: Context, scope: Scope) -> None:
        self.context = context
        self.scope = scope
        self._stand_ins: dict[Any, ex.Input] = {}
        #: inside a value that nothing depends on
        self.inert = False
        #: inside a call that is said in other words
        self._rewriting = False

    # -- entry points ---------------------------------------------------------------------------------------

    def fold(self, value: Value, path: Path) -> Value:
        """``value`` with everything computed that is known. What Heat would refuse to compute is reported and kept;
        what is nested too deeply is kept."""
        try:
            folded = fold(value, self.scope)
            self._report_folds(value, folded)
            return folded
        except RecursionError:
            return value
        except Refused as refused:
            if isinstance(value, dict):
                return {key: self.fold(item, (*path, key)) for key, item in value.items()}
            if isinstance(value, list):
                return [self.fold(item, (*path, i)) for i, item in enumerate(value)]
            self.context.reporter.report("BPC204", refused.path or path, problem=refused.message)
            if isinstance(value, ex.Expr) and not isinstance(value, ex.Condition):
                self.context.refused.add(value.path)
                return ex.Foreign("hot", spelling(self.context, value), value, path=value.path)
            return value

    def _report_folds(self, old: Value, new: Value) -> None:
        """Say which calls were computed: their arguments are not in the result any more."""
        if old is new:
            return
        if isinstance(old, ex.Expr):
            if type(old) is not type(new):
                code = "BPC614" if isinstance(old, ex.File) else "BPC222"
                self.context.reporter.report(code, old.path, name=spelling(self.context, old))
                return
            for name in ex.field_names(type(old)):
                self._report_folds(getattr(old, name), getattr(new, name))
        elif isinstance(old, dict) and isinstance(new, dict):
            for key, item in new.items():
                self._report_folds(old.get(key), item)
        elif isinstance(old, (list, tuple)) and isinstance(new, (list, tuple)):
            after = new if len(old) == len(new) else [MISSING] * len(old)
            for before, item in zip(old, after, strict=True):
                self._report_folds(before, item)

    def value(self, value: Value, path: Path, *, inert: bool = False) -> Value:
        """A sayable form of a folded ``value`` at ``path`` of the source. ``inert``: nothing depends on the value."""
        with self.without_effect(inert or self.inert):
            return self._value(value, path)

    @contextmanager
    def without_effect(self, inert: bool = True) -> Iterator[None]:
        """In here nothing depends on what is said, so nothing asks for an input."""
        before, self.inert = self.inert, inert
        try:
            yield
        finally:
            self.inert = before

    def _value(self, value: Value, path: Path) -> Value:
        if isinstance(value, ex.Expr):
            path = value.path or path
            try:
                return self.say(value, path)
            except Cannot as cannot:
                return self.stand_in(value, path, cannot.reason)
            except RecursionError:
                return self.stand_in(value, path, "it is nested too deeply")
        if isinstance(value, (dict, list)) and len(path) > DEEPEST:
            return self.too_deep(value, path)
        if isinstance(value, dict):
            said_map = {self.key(k, path): self._value(v, (*path, k)) for k, v in value.items()}
            return self.collision(value, path) if collides(said_map) else said_map
        if isinstance(value, (list, tuple)):
            return [self._value(item, (*path, i)) for i, item in enumerate(value)]
        if isinstance(value, str) and not value.isascii():
            return self.text_input(value, path)
        return value

    def say(self, value: Value, path: Path) -> Value:
        """A sayable form of ``value``, which stands at ``path`` of the source; raises :class:`Cannot`."""
        if not isinstance(value, ex.Expr):
            if self.inert and isinstance(value, str) and not value.isascii():
                raise Cannot("the DSL takes ASCII only")
            return self.value(value, path)
        rule = RULES.get(type(value))
        if rule is None:
            raise Cannot(no_counterpart(self.context, value))
        outer = self._rewriting
        rewritten = rule.fidelity is Fidelity.REWRITTEN and bool(value.path)
        self._rewriting = outer or rewritten
        try:
            said = rule.apply(self, value)
        finally:
            self._rewriting = outer
        if rewritten and not outer:
            self.context.reporter.report("BPC223", value.path, name=spelling(self.context, value), how=rule.how)
        return said

    def argument(self, value: Value, path: Path) -> Value:
        """``value`` as an argument of the function at ``path``: what cannot be said is replaced here."""
        try:
            return self.say(value, path)
        except Cannot as cannot:
            return self.stand_in(value, _place(value, path), cannot.reason)

    # -- what cannot be said --------------------------------------------------------------------------------

    def stand_in(self, value: Value, path: Path, reason: str) -> Value:
        """The visible replacement of an expression that cannot be said."""
        source = _json(self.context.document_value(path))
        if self.inert:
            self.context.reporter.report("BPC202", path, reason=reason)
            return f"not converted: {source}"
        return self._required_input(
            path, f"Value of {dotted(path)}, in Heat: {source}", "BPC201", reason=reason, key=(path, source)
        )

    def collision(self, value: dict[Any, Value], path: Path) -> Value:
        """A literal map that the DSL would take for a function call (there is no escape)."""
        name = next(iter(value))
        if self.inert:
            if not ex.is_constant(value):
                return self.stand_in(value, path, f"a map with the only key '{name}' would be a call in Cloudify")
            self.context.reporter.report("BPC205", path, name=name)
            return _json(value)
        source = _json(self.context.document_value(path))
        description = f"Value of {dotted(path)}: {source}"
        return self._required_input(path, description, "BPC206", name=name, key=(path, repr(value)))

    def too_deep(self, value: Value, path: Path) -> Value:
        """Data that is nested deeper than the engine's evaluation goes."""
        reason = "it is nested deeper than Cloudify evaluates"
        if self.inert:
            if not ex.is_constant(value):
                return self.stand_in(value, path, reason)
            self.context.reporter.report("BPC224", path)
            return _json(value)
        description = f"Value of {dotted(path[:6])}..., too deep for a blueprint"
        return self._required_input(path, description, "BPC201", reason=reason, key=(path, repr(value)))

    def text_input(self, text: str, path: Path, *, alone: bool = True) -> Value:
        """Text beyond ASCII, which the parser refuses in every string: it is given as an input when deploying. Where
        nothing depends on it, it is written as JSON, without quotes where it is not ``alone`` but part of a text."""
        if self.inert:
            self.context.reporter.report("BPC602", path)
            return json.dumps(text) if alone else json.dumps(text)[1:-1]
        said = self._required_input(
            path, f"Text of {dotted(path)}, given in the inputs file", "BPC601", key=("text", text)
        )
        self.context.given_inputs[said.name] = text
        return said

    def _required_input(self, path: Path, description: str, code: str, *, key: Any, **texts: Any) -> ex.Input:
        known = self._stand_ins.get(key)
        if known is None:
            name = self.context.add_input(path_name(path), {"description": ascii_text(description)})
            known = self._stand_ins[key] = ex.Input(name, strict=True, path=path)
        self.context.reporter.report(code, path, input=known.name, **texts)
        return known

    def key(self, key: Any, path: Path) -> Any:
        """A map key; text beyond ASCII has no form and is transliterated."""
        if isinstance(key, str) and not key.isascii():
            self.context.reporter.report("BPC603", (*path, key), key=key)
            return ascii_text(key)
        return key

    # -- text -----------------------------------------------------------------------------------------------

    def text(self, parts: Iterable[Value], path: Path) -> Value:
        """The concatenation of ``parts`` (texts and sayable expressions) in its shortest form."""
        merged: list[Value] = []
        for part in parts:
            if isinstance(part, str):
                if not part:
                    continue
                if merged and isinstance(merged[-1], str):
                    merged[-1] += part
                    continue
            if isinstance(part, ex.Concat):
                merged.extend(part.items)
                continue
            merged.append(part)
        alone = len(merged) == 1
        merged = [
            self.text_input(part, path, alone=alone) if isinstance(part, str) and not part.isascii() else part
            for part in merged
        ]
        if not merged:
            return ""
        if len(merged) == 1 and (isinstance(merged[0], str) or self.kind(merged[0]) == "text"):
            return merged[0]
        return ex.Concat(tuple(merged), path=path)

    def as_text(self, value: Value, path: Path) -> Value:
        """``value`` as Heat writes it into a text; where ``concat`` would write something else, a required input."""
        if value is None:
            return ""
        if isinstance(value, str):
            return value
        if isinstance(value, (bool, int, float)):
            return str(value)
        if isinstance(value, (list, tuple, dict)) and ex.is_constant(value):
            return json.dumps(value, sort_keys=True)
        kind = self.kind(value)
        if kind in ("list", "map", "json"):
            return self.stand_in(
                value, _place(value, path), "Heat writes lists and maps as JSON here, concat would write Python"
            )
        try:
            said = self.say(value, path)
        except Cannot as cannot:
            return self.stand_in(value, _place(value, path), cannot.reason)
        if kind == "any" and not self.yields_nothing(value):
            self.context.reporter.report("BPC203", _place(value, path))
        return said

    def yields_nothing(self, value: Value) -> bool:
        """True for a value of a stand-in, which is reported on its own."""
        if not isinstance(value, (ex.Attribute, ex.Identity)) or self.context.node_of(value.node) is None:
            return False
        return self.context.is_stand_in(self.context.absorber(value.node))

    def kind(self, value: Value) -> str:
        """What a value is known to be: text, number, boolean, list, map, json (any structure), null, or any."""
        if isinstance(value, ex.Expr):
            if isinstance(value, ex.Input) and isinstance(value.name, str):
                return self.context.input_kind(value.name, value.keys)
            if isinstance(value, (ex.Attribute, ex.Identity)):
                return references.kind_of(self.context, value)
            if isinstance(value, ex.If) and value.otherwise is not MISSING:
                kinds = {self.kind(value.then), self.kind(value.otherwise)}
                return kinds.pop() if len(kinds) == 1 else "any"
            return _KINDS.get(type(value), "any")
        for kind, types in (
            ("boolean", bool),
            ("number", (int, float)),
            ("text", str),
            ("list", (list, tuple)),
            ("map", dict),
        ):
            if isinstance(value, types):
                return kind
        return "null"

    def note_indices(self, keys: Iterable[Value]) -> None:
        """Remember the number inputs among ``keys`` (sayable ones): they have to be whole numbers."""
        self.context.indices.update(k.name for k in keys if isinstance(k, ex.Input) and self.kind(k) == "number")

    def is_static(self, value: Value) -> bool:
        """True when the value is known once the inputs are (``string_*`` and paths take nothing else)."""
        return not any(isinstance(e, RUNTIME) for e in ex.walk(value))


_KINDS: dict[type[ex.Expr], str] = {
    ex.Concat: "text",
    ex.Join: "text",
    ex.Replace: "text",
    ex.StringReplace: "text",
    ex.Lower: "text",
    ex.Upper: "text",
    ex.Digest: "text",
    ex.Url: "text",
    ex.File: "text",
    ex.System: "text",
    ex.Find: "number",
    ex.Merge: "map",
    ex.MapReplace: "map",
    ex.ListConcat: "list",
    ex.Filter: "list",
    ex.Repeat: "list",
    ex.Equals: "boolean",
    ex.Not: "boolean",
    ex.And: "boolean",
    ex.Or: "boolean",
    ex.Contains: "boolean",
}


# -- rules --------------------------------------------------------------------------------------------------


def _input(legaliser: Legaliser, expr: ex.Input) -> Value:
    context = legaliser.context
    if isinstance(expr.name, str):
        name = context.declared_input(expr.name, expr.path)
    else:
        name = legaliser.say(expr.name, expr.path)
        if expr.keys:
            raise Cannot("the parameter's name is computed and a part of its value is taken")
    keys = tuple(legaliser.say(k, expr.path) for k in expr.keys)
    if any(not isinstance(k, (str, int, ex.Expr)) for k in keys):
        return ""  # no part has such a key, and a missing part is an empty text
    if not all(legaliser.is_static(k) for k in keys):
        raise Cannot("a runtime value selects a part of a parameter; get_input takes none")
    if keys and isinstance(expr.name, str):
        if context.input_kind(expr.name, ()) in ("text", "number", "boolean"):
            raise Cannot("a part of a text parameter is taken; get_input only enters lists and maps")
        places = context.input_path(expr.name, keys, expr.path)
        if places is None:
            raise Cannot("the default has no such part, and Cloudify refuses to deploy with it")
        keys = places
        legaliser.note_indices(keys)
    return replace(expr, name=name, keys=keys, strict=True)


def _system(legaliser: Legaliser, expr: ex.System) -> Value:
    if expr.name in ("deployment.name", "deployment.id"):
        return expr
    if legaliser.inert and not legaliser.context.asks_for(expr.name):
        raise Cannot("Cloudify does not know this, and no node needs it")
    return ex.Input(legaliser.context.pseudo_input(expr.name, expr.path), strict=True, path=expr.path)


def _file(legaliser: Legaliser, expr: ex.File) -> Value:
    context = legaliser.context
    if context.options.files == "keep":
        raise Cannot("files are kept apart")
    if isinstance(expr.name, str):
        text, code = context.files.read(expr.name)
        if text is not None:
            return legaliser.text([text], expr.path)
        context.reporter.report(code, expr.path, name=expr.name)
    raise Cannot("the file is not available")


def _join(legaliser: Legaliser, expr: ex.Join) -> Value:
    delimiter = expr.delimiter if isinstance(expr.delimiter, str) else legaliser.argument(expr.delimiter, expr.path)
    items: list[Value] = []
    for part in expr.lists:
        if isinstance(part, (list, tuple)):
            items.extend(part)
        elif part not in (None, "", {}):
            raise Cannot("the list is only known when deploying, and Cloudify has no join")
    if not items:
        return ""
    parts: list[Value] = []
    for item in items:
        parts += [delimiter, legaliser.as_text(item, expr.path)]
    return legaliser.text(parts[1:], expr.path)


def _replace(legaliser: Legaliser, expr: ex.Replace) -> Value:
    if not isinstance(expr.template, str):
        raise Cannot("the template text is only known when deploying")
    if not isinstance(expr.params, dict):
        raise Cannot("the replacements are only known when deploying")
    if any(not isinstance(key, str) or not key for key in expr.params):
        raise Cannot("a key of params is not a text")
    try:
        taken = pieces(expr.template, expr.params, json_values=expr.json_values)
    except (TypeError, ValueError) as wrong:
        raise Cannot(f"Heat refuses it: {wrong}") from None
    parts = [legaliser.as_text(piece, expr.path) for piece in taken.parts]
    return legaliser.text(parts, expr.path)


def _split(legaliser: Legaliser, expr: ex.Split) -> Value:
    text, delimiter = legaliser.say(expr.text, expr.path), legaliser.say(expr.delimiter, expr.path)
    if not legaliser.is_static([text, delimiter]):
        raise Cannot("string_split takes no value that is only known at run time")
    if legaliser.kind(text) not in ("text", "any") or delimiter is None:
        raise Cannot("string_split takes texts only")
    index = expr.index if expr.index is MISSING else _index(expr.index)
    return ex.Split(delimiter, text, index, strict=True, path=expr.path)


def _index(value: Value) -> int:
    try:
        return int(value)
    except (TypeError, ValueError):
        raise Cannot("the index is not a number") from None


def _merge(legaliser: Legaliser, expr: ex.Merge) -> Value:
    if not isinstance(expr.maps, (list, tuple)):
        raise Cannot("the list of maps is only known when deploying")
    maps = [legaliser.say(m, expr.path) for m in expr.maps if m is not None]
    for item in maps:
        kind = legaliser.kind(item)
        if kind not in ("map", "json", "any"):
            raise Cannot("only maps can be merged")
        if kind == "any" and isinstance(item, ex.Attribute):
            raise Cannot("nothing says that the attribute is a map, and Cloudify merges nothing else")
    if not maps:
        return {}
    return maps[0] if len(maps) == 1 and isinstance(maps[0], dict) else ex.Merge(maps, strict=True, path=expr.path)


def _if(legaliser: Legaliser, expr: ex.If) -> Value:
    if expr.otherwise is MISSING:
        raise Cannot("an 'if' without an else removes its entry, which Cloudify cannot")
    return conditions.choose(
        legaliser,
        expr.condition,
        legaliser.value(expr.then, (*expr.path, "if", 1)),
        legaliser.value(expr.otherwise, (*expr.path, "if", 2)),
        expr.path,
    )


def _boolean(legaliser: Legaliser, expr: ex.Expr) -> Value:
    return conditions.choose(legaliser, expr, True, False, expr.path)


def _same(legaliser: Legaliser, expr: ex.Expr) -> Value:
    return ex.map_fields(expr, lambda v: v if v is MISSING else legaliser.say(v, expr.path))


RULES: dict[type[ex.Expr], Rule] = {
    ex.Input: Rule(Fidelity.EXACT, "`get_input`; a missing key is an error where Heat gives an empty text", _input),
    ex.System: Rule(Fidelity.EXACT, "`get_sys` for the stack's name and id, an input for project and region", _system),
    ex.Identity: Rule(
        Fidelity.EXACT, "`get_attribute` of the type's id attribute, or a relationship", references.identity
    ),
    ex.Attribute: Rule(
        Fidelity.EXACT, "`get_attribute` or `get_property` by the type's attribute table", references.attribute
    ),
    ex.File: Rule(Fidelity.EXACT, "the text of the file", _file),
    ex.Join: Rule(Fidelity.REWRITTEN, "`concat` with the delimiter between the items", _join),
    ex.Replace: Rule(Fidelity.REWRITTEN, "`concat` of the template's pieces", _replace),
    ex.Split: Rule(Fidelity.REWRITTEN, "`string_split` of a value known when deploying", _split),
    ex.Merge: Rule(Fidelity.EXACT, "`merge`", _merge),
    ex.If: Rule(Fidelity.REWRITTEN, "a hidden input with both branches, indexed by the condition", _if),
    ex.Equals: Rule(Fidelity.REWRITTEN, "as `if` with true and false", _boolean),
    ex.Not: Rule(Fidelity.REWRITTEN, "as `if` with true and false", _boolean),
    ex.And: Rule(Fidelity.REWRITTEN, "as `if` with true and false", _boolean),
    ex.Or: Rule(Fidelity.REWRITTEN, "as `if` with true and false", _boolean),
    ex.Contains: Rule(Fidelity.REWRITTEN, "as `or` of `equals`, for a list that is written in the template", _boolean),
    ex.Concat: Rule(Fidelity.EXACT, "`concat`", _same),
    ex.Find: Rule(Fidelity.EXACT, "`string_find`", _same),
    ex.Property: Rule(Fidelity.EXACT, "`get_property`", _same),
    ex.Secret: Rule(Fidelity.EXACT, "`get_secret`", _same),
}


def _place(value: Value, path: Path) -> Path:
    return value.path if isinstance(value, ex.Expr) and value.path else path


def _json(value: Any) -> str:
    return json.dumps(value, default=str)
