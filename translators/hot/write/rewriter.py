"""Rewrites expressions until HOT has a form for them; see :mod:`~.passes.expressions.rewriter`.

What is unsupported is replaced by a required parameter where a resource would use the value, by the call itself as data
in a stand-in, by a visible text in an output. Neither of the last two asks for a parameter.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Expr, Path, Value
from bpconvert.translators.hot.write.calls import WRITERS, collides
from bpconvert.translators.hot.write.context import Context
from bpconvert.translators.hot.write.replacements import as_text, as_written, described
from bpconvert.translators.hot.write.value_kinds import HotKinds
from bpconvert.translators.passes.expressions.rewriter import Codes, ExpressionRewriter, Rule, Unsupported


class HotRewriter(ExpressionRewriter):
    """Rewrites the values of one topology for a HOT template."""

    CODES = Codes("BPC233", "BPC235", "BPC230", "BPC232", "BPC236", "BPC238")

    def __init__(self, context: Context, rules: Mapping[type[Expr], Rule]) -> None:
        super().__init__(context.topology, context.request, rules)
        self.kinds: HotKinds = HotKinds(context)
        self.context = context
        #: inside a property that takes the name of a resource as well as its id
        self.names = False
        #: the node whose value is rewritten: SELF
        self.owner: str | None = None
        #: what is being rewritten, to find circles
        self.busy: set[Any] = set()

    # -- the walk -------------------------------------------------------------------------------------------

    def value(self, value: Value, path: Path, *, inert: str = "", names: bool = False) -> Value:
        """See :meth:`ExpressionRewriter.value`. ``names``: a name does for an id."""
        owner = path[1] if len(path) > 1 and path[0] == self.context.words.section("nodes") else self.owner
        with self.state(owner=owner, names=names):
            return super().value(value, path, inert=inert)

    def rewrite(self, value: Value, path: Path) -> Value:
        """See :meth:`ExpressionRewriter.rewrite`."""
        if isinstance(value, Expr) and not value.path and path:
            value = replace(value, path=path)
        return super().rewrite(value, path)

    def argument(self, value: Value, path: Path) -> Value:
        """See :meth:`ExpressionRewriter.argument`; where nothing asks for a parameter, the whole call is replaced."""
        return self.rewrite(value, path) if self.inert else super().argument(value, path)

    def mapping(self, value: dict[Any, Value], path: Path) -> Value:
        """A map, entry by entry."""
        if collides(value):
            self.report("BPC237", path, name=next(iter(value)))
        return super().mapping(value, path)

    @contextmanager
    def entering(self, key: Any, problem: str, owner: str | None = None) -> Iterator[None]:
        """In here ``key`` is being rewritten, for node ``owner`` (None: the same as before); raises
        :class:`Unsupported` in a circle."""
        if key in self.busy:
            raise Unsupported(problem)
        self.busy.add(key)
        try:
            with self.state(owner=owner or self.owner):
                yield
        finally:
            self.busy.discard(key)

    def is_decided(self, old: Expr, new: Value) -> bool:
        """True where the rule of ``old`` has computed it; a property is only looked up."""
        return ex.is_constant(new) and not isinstance(old, ex.Property)

    def words_for(self, new: Value, rule: Rule) -> str:
        """The function that is called instead, or the words of the rule."""
        if isinstance(new, ex.If):
            return "'if'"
        name = WRITERS[type(new)][0] if type(new) in WRITERS else ""
        return (f"'{name if isinstance(name, str) else name(new)}'" if name else "") or rule.how

    # -- what has no form -----------------------------------------------------------------------------------

    def visible(self, value: Value, path: Path, reason: str) -> Value:
        """The call as data in a stand-in, as text in an output."""
        written = as_written(self.context, value)
        if self.inert == "node":
            self.report("BPC231", path, reason=reason)
            return written
        self._unless_refused(self.CODES.visible, path, reason=reason)
        return as_text(written)

    def ask(self, value: Value, path: Path, reason: str) -> ex.Input:
        """The parameter that asks for a value."""
        return self.ask_for(value, path, self.CODES.asked, reason)

    def ask_for(self, value: Value, path: Path, code: str, reason: str, kind: str = "") -> ex.Input:
        """The parameter (of type ``kind``) that asks for a value, which is reported as ``code``; equal calls share
        one."""
        key = f"{kind} {value!r}"
        known = self._asked.get(key)
        if known is None:
            wanted, description, found = described(self.context, value, path)
            data: dict[str, Any] = {"type": kind or found, "description": description}
            if self.context.is_secret(value):
                data["hidden"] = True
            known = self._asked[key] = ex.Input(self.context.added.parameter(wanted, data))
        self._unless_refused(code, path, parameter=known.name, reason=reason)
        return ex.Input(known.name, path=path)

    def _unless_refused(self, code: str, path: Path, **texts: Any) -> None:
        """Report what becomes of a call, unless an error says already that it is wrong."""
        if path not in self.topology.uncomputable:
            self.report(code, path, **texts)
