"""Rewrites expressions until Cloudify can say them.

One rule per expression class, declared in :mod:`rules`; a rule returns a value made of what the DSL has, or raises
:class:`Unsupported`. What cannot be said is replaced, at the innermost place, by a stand-in: a required input where a
node would use the value (so that nothing is deployed with a wrong one), a visible text where nothing depends on it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from bpconvert.diagnostics import Fidelity
from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.translators.cloudify import named_values
from bpconvert.translators.cloudify.functions import collides
from bpconvert.translators.cloudify.vocabulary import DEEPEST
from bpconvert.translators.cloudify.write import json_texts, piecewise, references, static_texts
from bpconvert.translators.cloudify.write.names import dotted, path_name
from bpconvert.translators.cloudify.write.rules import RULES
from bpconvert.translators.cloudify.write.unsupported import no_counterpart, spelling
from bpconvert.translators.evaluate import Scope
from bpconvert.translators.passes.expressions.rewriter import Unsupported
from bpconvert.translators.support.text import ascii_text

if TYPE_CHECKING:
    from bpconvert.translators.cloudify.write.context import Context


class DslRewriter:
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
                return self.rewrite(value, path)
            except Unsupported as unsupported:
                return self.replacement(value, path, unsupported.reason)
            except RecursionError:
                return self.replacement(value, path, "it is nested too deeply")
        if isinstance(value, (dict, list)) and len(path) > DEEPEST:
            return self.too_deep(value, path)
        if isinstance(value, (dict, list)) and (apart := piecewise.apart(self, value, path)) is not MISSING:
            return self._value(apart, path)
        if isinstance(value, dict):
            said_map = {self.key(k, path): self._value(v, (*path, k)) for k, v in value.items()}
            return self.collision(value, path) if collides(said_map) else said_map
        if isinstance(value, (list, tuple)):
            return [self._value(item, (*path, i)) for i, item in enumerate(value)]
        if isinstance(value, str) and not value.isascii():
            return self.text_input(value, path)
        return value

    def rewrite(self, value: Value, path: Path) -> Value:
        """A sayable form of ``value``, which stands at ``path`` of the source; raises :class:`Unsupported`."""
        if not isinstance(value, ex.Expr):
            if self.inert and isinstance(value, str) and not value.isascii():
                raise Unsupported("the DSL takes ASCII only")
            return self.value(value, path)
        by_case = piecewise.by_case(self, value, path)
        if by_case is not MISSING:
            if isinstance(by_case, ex.Input):
                how = "a hidden input with a result for each value of the parameter"
                self.context.reporter.report("BPC223", value.path or path, name=spelling(self.context, value), how=how)
            elif not isinstance(by_case, ex.Expr) and isinstance(value, ex.Expr):
                self.context.reporter.report("BPC222", value.path or path, name=spelling(self.context, value))
            return self.rewrite(by_case, path)
        rule = RULES.get(type(value))
        if rule is None:
            raise Unsupported(no_counterpart(self.context, value))
        outer = self._rewriting
        rewritten = rule.fidelity is Fidelity.REWRITTEN and bool(value.path)
        self._rewriting = outer or rewritten
        try:
            said = rule.apply(self, value)
        finally:
            self._rewriting = outer
        if rewritten and not outer:
            is_decided = ex.is_constant(said) and isinstance(value, (ex.If, ex.Equals, ex.Not, ex.And, ex.Or))
            code = "BPC222" if is_decided else "BPC223"
            self.context.reporter.report(code, value.path, name=spelling(self.context, value), how=rule.how)
        return said

    def argument(self, value: Value, path: Path) -> Value:
        """``value`` as an argument of the function at ``path``: what cannot be said is replaced here."""
        try:
            return self.rewrite(value, path)
        except Unsupported as unsupported:
            return self.replacement(value, _place(value, path), unsupported.reason)

    # -- what cannot be said --------------------------------------------------------------------------------

    def replacement(self, value: Value, path: Path, reason: str) -> Value:
        """The visible replacement of an expression that cannot be said."""
        source = _json(self.context.document_value(path))
        reason += self._when_computed(value)
        if self.inert:
            self.context.reporter.report("BPC202", path, reason=reason)
            return f"not converted: {source}"
        words, key = f"Value of {dotted(path)}, in Heat: {source}", (path, source, repr(value))
        return self._required_input(path, words, "BPC201", reason=reason, key=key, kind=self.kind(value))

    def _when_computed(self, value: Value) -> str:
        """Which parameters have to be given for the value to be computed."""
        names: set[str] = set()
        if self.is_static(value) and self._needs_only(value, names) and names:
            return f"; it is computed where --param gives {', '.join(sorted(names))}"
        return ""

    def _needs_only(self, value: Value, names: set[str], seen: tuple[Value, ...] = ()) -> bool:
        """True when parameters, which are added to ``names``, are all that is not known of the value."""
        for expr in ex.walk(value):
            if isinstance(expr, (ex.Foreign, ex.File, ex.Facade, ex.Query)):
                return False
            if isinstance(expr, ex.Input) and isinstance(expr.name, str) and expr.name in self.context.topology.inputs:
                names.add(expr.name)
            elif isinstance(expr, ex.Condition) and expr.name not in seen:
                meaning = self.context.topology.conditions.get(expr.name)
                if not self._needs_only(meaning, names, (*seen, expr.name)):
                    return False
        return True

    def composed(self, value: Value, path: Path) -> Value:
        """What was put together under keys that the user chose (the names of a nested blueprint's inputs), where that
        would be a call."""
        if isinstance(value, dict):
            parts = {key: self.composed(part, path) for key, part in value.items()}
            return self.collision(parts, path) if collides(parts) else parts
        return [self.composed(part, path) for part in value] if isinstance(value, list) else value

    def collision(self, value: dict[Any, Value], path: Path) -> Value:
        """A literal map that the DSL would take for a function call (there is no escape)."""
        name = next(iter(value))
        if self.inert:
            if not ex.is_constant(value):
                return self.replacement(value, path, f"a map with the only key '{name}' would be a call in Cloudify")
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
                return self.replacement(value, path, reason)
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

    def _required_input(
        self, path: Path, description: str, code: str, *, key: Any, kind: str = "any", **texts: Any
    ) -> ex.Input:
        known = self._stand_ins.get(key)
        if known is None:
            declared = {"type": _TYPES[kind]} if kind in _TYPES else {}
            name = self.context.add_input(path_name(path), {**declared, "description": ascii_text(description)})
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
            for item in part.items if isinstance(part, ex.Concat) else (part,):
                if isinstance(item, str) and merged and isinstance(merged[-1], str):
                    merged[-1] += item
                elif item != "":
                    merged.append(item)
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
        if kind == "list" and (as_json := static_texts.as_json(self, value, path)) is not MISSING:
            return as_json
        if kind in ("list", "map") and (as_json := json_texts.said(self, value, path)) is not MISSING:
            return as_json
        if kind in ("list", "map", "json"):
            return self.replacement(
                value, _place(value, path), "Heat writes lists and maps as JSON here, concat would write Python"
            )
        try:
            said = self.rewrite(value, path)
        except Unsupported as unsupported:
            return self.replacement(value, _place(value, path), unsupported.reason)
        if kind == "any" and not self.yields_nothing(value):
            self.context.reporter.report("BPC203", _place(value, path))
        return said

    def yields_nothing(self, value: Value) -> bool:
        """True for a value of a stand-in, which is reported on its own."""
        if not isinstance(value, (ex.Attribute, ex.Identity)) or self.context.node_of(value.node) is None:
            return False
        return self.context.is_stand_in(self.context.topology.owner(value.node))

    def kind(self, value: Value) -> str:
        """What a value is known to be: text, number, boolean, list, map, json (any structure), null, or any."""
        if isinstance(value, ex.Expr):
            if isinstance(value, ex.Input) and isinstance(value.name, str):
                return self.context.input_kind(value.name, value.keys)
            if isinstance(value, (ex.Attribute, ex.Identity)):
                return named_values.kind(self, value) or references.kind_of(self.context, value)
            if isinstance(value, ex.If) and value.otherwise is not MISSING:
                kinds = {self.kind(value.then), self.kind(value.otherwise)}
                return kinds.pop() if len(kinds) == 1 else "any"
            return value.YIELDS
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
        return all(expr.NEEDS != "deployment" for expr in ex.walk(value))


#: kind of a value -> type of the input that stands for it (a text may be meant for a number)
_TYPES = {"map": "dict", "list": "list"}


def _place(value: Value, path: Path) -> Path:
    return value.path if isinstance(value, ex.Expr) and value.path else path


def _json(value: Any) -> str:
    return json.dumps(value, default=str)
