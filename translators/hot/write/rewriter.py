"""Rewrites expressions until HOT can express them.

One rule per expression class, declared in :mod:`rules`; a rule returns a value made of what HOT has, or raises
:class:`Unsupported`. What cannot be expressed is replaced: by a required parameter where a resource would use the value
(at the innermost place, so that nothing is deployed with a wrong one), by the call itself as data in a stand-in, by a
visible text in an output. Neither of the last two asks for a parameter.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from bpconvert.diagnostics import Fidelity
from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Expr, Path, Value
from bpconvert.translators.evaluate import Refused, Scope, fold
from bpconvert.translators.hot.write import conditions, value_kinds
from bpconvert.translators.hot.write.calls import WRITERS, collides
from bpconvert.translators.hot.write.context import Context
from bpconvert.translators.hot.write.rules import RULES
from bpconvert.translators.hot.write.unsupported import as_text, as_written, described, dotted, spelling
from bpconvert.translators.passes.expressions.rewriter import Unsupported


class HotRewriter:
    """Makes the values of one topology sayable in HOT."""

    def __init__(self, context: Context) -> None:
        self.context = context
        #: inside a value that nothing depends on: ``node`` or ``output``
        self.inert = ""
        #: inside a property that takes the name of a resource as well as its id
        self.names = False
        #: the node whose value is said: SELF
        self.owner: str | None = None
        #: what is being said, to find circles
        self.busy: set[Any] = set()
        #: yaql expression -> what it yields
        self.queries: dict[str, str] = {}
        self._required: dict[str, str] = {}
        self._rewriting = False

    # -- entry points ---------------------------------------------------------------------------------------

    def value(self, value: Value, path: Path, *, inert: str = "", names: bool = False) -> Value:
        """A sayable form of ``value`` at ``path`` of the source; reports, never raises. ``inert``: nothing depends on
        the value, which is in a stand-in (``node``) or an output (``output``). ``names``: a name does for an id."""
        owner = path[1] if len(path) > 1 and path[0] == self.context.words.section("nodes") else self.owner
        with self._state(inert=inert or self.inert, owner=owner, names=names):
            try:
                return self._value(value, path)
            except RecursionError:
                return self.replacement(f"nested too deeply: {dotted(path)}", path, "it is nested too deeply")

    def condition(self, value: Value, path: Path) -> Value:
        """A sayable form of a condition; where there is none, a parameter that asks whether it holds."""
        place = value.path if isinstance(value, Expr) and value.path else path
        try:
            return conditions.said(self, value, place)
        except Unsupported as unsupported:
            reason = unsupported.reason
        except RecursionError:
            value, reason = dotted(place), "it is nested too deeply"
        name = self._ask(value, place, "BPC245", reason, kind="boolean")
        return ex.Input(name, path=place)

    @contextmanager
    def _state(self, **changes: Any) -> Iterator[None]:
        before = {name: getattr(self, name) for name in changes}
        self.__dict__.update(changes)
        try:
            yield
        finally:
            self.__dict__.update(before)

    @contextmanager
    def entering(self, key: Any, problem: str, owner: str | None = None) -> Iterator[None]:
        """In here ``key`` is being rewritten, for node ``owner`` (None: the same as before); raises
        :class:`Unsupported` in a circle."""
        if key in self.busy:
            raise Unsupported(problem)
        self.busy.add(key)
        try:
            with self._state(owner=owner or self.owner):
                yield
        finally:
            self.busy.discard(key)

    # -- the walk -------------------------------------------------------------------------------------------

    def _value(self, value: Value, path: Path) -> Value:
        if isinstance(value, Expr):
            path = value.path or path
            try:
                return self.rewrite(value, path)
            except Unsupported as unsupported:
                return self.replacement(value, path, unsupported.reason)
        if isinstance(value, dict):
            if collides(value):
                self.context.reporter.report("BPC237", path, name=next(iter(value)))
            return {key: self._value(item, (*path, key)) for key, item in value.items()}
        if isinstance(value, (list, tuple)):
            return [self._value(item, (*path, index)) for index, item in enumerate(value)]
        return value

    def rewrite(self, value: Value, path: Path) -> Value:
        """A sayable form of ``value``, which stands at ``path`` of the source; raises :class:`Unsupported`."""
        if not isinstance(value, Expr):
            return self._value(value, path)
        if not value.path and path:
            value = replace(value, path=path)
        rule = RULES.get(type(value))
        if rule is None:
            raise Unsupported(f"HOT has no counterpart of '{spelling(self.context, value)}'")
        rewritten = rule.fidelity is Fidelity.REWRITTEN
        with self._state(_rewriting=self._rewriting or rewritten):
            said = rule.apply(self, value)
        if rewritten and not self._rewriting:
            self._report_rewriting(value, said, rule.how)
        return said

    def argument(self, value: Value, path: Path) -> Value:
        """``value`` as an argument of the call at ``path``: what cannot be said is replaced here, by a parameter."""
        try:
            return self.rewrite(value, path)
        except Unsupported as unsupported:
            if self.inert:
                raise
            return self.replacement(value, _place(value, path), unsupported.reason)

    def computed(self, expr: Expr) -> Value:
        """``expr`` (of said arguments), computed where everything that it needs is known."""
        if not all(ex.is_constant(getattr(expr, name)) for name in ex.field_names(type(expr))):
            return expr
        try:
            return fold(expr, Scope())
        except Refused as refused:
            self.context.reporter.report("BPC236", expr.path, problem=refused.message)
            raise Unsupported(f"{self.context.engine} refuses to compute it") from None

    def _report_rewriting(self, old: Expr, new: Value, how: str) -> None:
        report, name = self.context.reporter.report, spelling(self.context, old)
        if ex.is_constant(new) and not isinstance(old, ex.Property):
            report("BPC235", old.path, name=name)
            return
        report("BPC233", old.path, name=name, how=_function(new) or how)

    # -- what cannot be said --------------------------------------------------------------------------------

    def replacement(self, value: Value, path: Path, reason: str) -> Value:
        """The visible replacement of what cannot be said."""
        if not self.inert:
            return ex.Input(self._ask(value, path, "BPC230", reason), path=path)
        written = as_written(self.context, value)
        if self.inert == "node":
            self.context.reporter.report("BPC231", path, reason=reason)
            return written
        self._unless_refused("BPC232", path, reason=reason)
        return as_text(written)

    def _unless_refused(self, code: str, path: Path, **texts: Any) -> None:
        """Report what becomes of a call, unless an error says already that it is wrong."""
        if path not in self.context.refused:
            self.context.reporter.report(code, path, **texts)

    def _ask(self, value: Value, path: Path, code: str, reason: str, kind: str = "") -> str:
        """The parameter that asks for a value; equal calls share one."""
        key = f"{kind} {value!r}"
        known = self._required.get(key)
        if known is None:
            wanted, description, found = described(self.context, value, path)
            data: dict[str, Any] = {"type": kind or found, "description": description}
            if self.context.is_secret(value):
                data["hidden"] = True
            known = self._required[key] = self.context.added.parameter(wanted, data)
        self._unless_refused(code, path, parameter=known, reason=reason)
        return known

    # -- what is known of said values -----------------------------------------------------------------------

    def kind(self, value: Value) -> str:
        """What a said value is known to be, see :func:`kinds.kind_of`."""
        return value_kinds.kind_of(self.context, value, self.queries)


def _function(said: Value) -> str:
    """The name of the HOT function that a said value calls, for messages."""
    if isinstance(said, ex.If):
        return "'if'"
    name = WRITERS[type(said)][0] if type(said) in WRITERS else ""
    return f"'{name if isinstance(name, str) else name(said)}'" if name else ""


def _place(value: Value, path: Path) -> Path:
    return value.path if isinstance(value, Expr) and value.path else path
