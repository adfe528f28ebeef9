"""Rewriting expressions until a language has a form for them.

A language has a table of rules, one per class of expressions. A rule returns a value made of what the language has, or
raises :class:`Unsupported`. What is unsupported is replaced at the innermost place: by a required input where something
depends on the value, so that nothing is deployed with a wrong one, and by something visible where nothing does.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar, Final

from bpconvert.diagnostics import Fidelity
from bpconvert.limits import limit
from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, SCALARS, Expr, Path, Value
from bpconvert.models.light import NamedTuple
from bpconvert.models.topology import Input, Node, Topology
from bpconvert.translators.evaluate import Refused, Scope, fold
from bpconvert.translators.evaluate.scope import LONGEST, is_affordable, weight
from bpconvert.translators.passes.capabilities import Vocabulary
from bpconvert.translators.passes.expressions.choices import each_outcome
from bpconvert.translators.passes.expressions.fold import known_values, spelling, written
from bpconvert.translators.passes.expressions.kinds import STRUCTURES, Kinds
from bpconvert.translators.passes.request import Request
from bpconvert.translators.support.places import dotted
from bpconvert.translators.support.text import NOT_CONVERTED, fresh

#: why what cannot be looked through is replaced
#: characters and parts of a text in which calls are repeated
REPEATED: Final = 20_000
_UUID: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32}", re.IGNORECASE)
TOO_DEEP: Final = "it is nested too deeply"


class Unsupported(Exception):
    """The target has no form for an expression; ``reason`` completes "not converted: ...". ``stand_in``: the node that
    it is because of, which is one."""

    def __init__(self, reason: str, stand_in: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.stand_in = stand_in


class Rule(NamedTuple):
    """How one class of expressions is rewritten.

    fidelity: what it is at best; how: words for messages and the documentation.
    apply: (rewriter, expression) -> a value made of what the language has; raises :class:`Unsupported`.
    structure: the arguments whose structure has to be known. A choice among them is moved out of the call.
    takes: (rewriter, expression) -> whether the call has a form as it is. Any other is computed for each case of the
        conditions in it. None: every call has one."""

    fidelity: Fidelity
    how: str
    apply: Callable[[Any, Any], Value]
    structure: Callable[[Any], tuple[Value, ...]] | None = None
    takes: Callable[[Any, Any], bool] | None = None


class Codes:
    """The diagnostics of a rewriting: a call has another form, was computed, is asked for as an input, is shown as a
    text, cannot be computed; a value was taken for a text."""

    rewritten = "BPC223"
    computed = "BPC222"
    asked = "BPC201"
    visible = "BPC202"
    refused = "BPC204"
    assumed = "BPC203"


class State:
    """In here ``attributes`` have other values. A class of its own: a generator takes four times as long to enter."""

    __slots__ = ("attributes", "before", "changes")

    def __init__(self, attributes: dict[str, Any], changes: dict[str, Any]) -> None:
        self.attributes = attributes
        self.changes = changes

    def __enter__(self) -> None:
        self.before = {name: self.attributes[name] for name in self.changes}
        self.attributes.update(self.changes)

    def __exit__(self, *_: object) -> None:
        self.attributes.update(self.before)


class ExpressionRewriter:
    """Rewrites the values of one topology by a table of rules. A subclass has what is special to a language: how a
    value is asked for (:meth:`ask`), how texts are joined (:meth:`joined`)."""

    CODES: ClassVar[type[Codes]] = Codes

    def __init__(
        self, topology: Topology, request: Request, rules: Mapping[type[Expr], Rule], kinds: Kinds | None = None
    ) -> None:
        self.topology = topology
        self.request = request
        self.rules = rules
        self.kinds = kinds or Kinds(topology, request.catalogue)
        self.scope = known_values(topology, request)
        self.report = request.reporter.report
        #: what is being rewritten is in something that nothing depends on: ``node`` (a stand-in) or ``output``
        self.inert = ""
        #: the stand-in that a value is asked for because of
        self.stand_in = ""
        #: inside a call that has got another form, which is reported as a whole
        self._is_inner = False
        #: how many values are shown as texts so far
        self.shown = 0
        #: inside a property that takes the name of a resource as well as its id
        self.names = False
        self._asked: dict[Any, ex.Input] = {}
        self._copies = 0

    # -- entry points ---------------------------------------------------------------------------------------

    def value(self, value: Value, path: Path, *, inert: str = "") -> Value:
        """A folded ``value`` at ``path`` of the source in the target's terms; what it has no form for is reported.
        ``inert``: nothing depends on the value, which is in a stand-in (``node``) or an output (``output``)."""
        before = self.inert
        self.inert = inert or before
        try:
            return self.part(value, path)
        except RecursionError:
            return self.replacement(f"nested too deeply: {dotted(path)}", path, TOO_DEEP)
        finally:
            self.inert = before

    def rewrite(self, value: Value, path: Path) -> Value:
        """``value``, which stands at ``path`` of the source, in the target's terms; raises :class:`Unsupported`."""
        if not isinstance(value, Expr):
            return self.part(value, path)
        rule = self.rules.get(type(value))
        if rule is None:
            raise Unsupported(self.no_counterpart(value))
        if self._is_inner or rule.fidelity is not Fidelity.REWRITTEN or not value.path:
            return rule.apply(self, value)
        with self.state(_is_inner=True):
            written = rule.apply(self, value)
        code = self.CODES.computed if self.is_decided(value, written) else self.CODES.rewritten
        self.report(code, value.path, name=self.spelling(value), how=self.words_for(written, rule))
        return written

    def argument(self, value: Value, path: Path) -> Value:
        """``value`` as an argument of the call at ``path``: what is unsupported is replaced here."""
        try:
            return self.rewrite(value, path)
        except Unsupported as unsupported:
            return self._instead_of(value, place_of(value, path), unsupported)

    def known_by_name(self, node: Node, path: Path) -> Value:
        """The name of an existing resource in place of its id, which is not known."""
        kind = self.request.catalogue.kind(node.kind)
        name = node.external_name
        is_of_node = isinstance(name, ex.Identity) or (node.by_id and isinstance(name, ex.Attribute))
        is_id = is_of_node or (isinstance(name, str) and bool(_UUID.fullmatch(name)))
        is_id = is_id or (kind is not None and kind.by_name)
        if not self.names and not is_id:
            self.report("BPC248", path, name=node.name)
        return self.part(name, node.origins.get(("external_id",), path))

    def copying(self) -> None:
        """Count one more value that is copied into another one; raises :class:`Unsupported` beyond the limit."""
        self._copies += 1
        if self._copies > limit("copies"):
            raise Unsupported(f"more than {limit('copies')} properties are copied into others")

    def state(self, **changes: Any) -> State:
        """In here the given attributes of the rewriter have other values."""
        return State(vars(self), changes)

    # -- the walk -------------------------------------------------------------------------------------------

    def part(self, value: Value, path: Path) -> Value:
        """``value``, a part of the one that is rewritten."""
        if type(value) in SCALARS:
            return value
        if isinstance(value, Expr):
            path = value.path or path
            try:
                return self.rewrite(value, path)
            except Unsupported as unsupported:
                return self._instead_of(value, path, unsupported)
        if isinstance(value, dict):
            return self.mapping(value, path)
        if isinstance(value, (list, tuple)):
            return [self.part(item, (*path, index)) for index, item in enumerate(value)]
        return value

    def mapping(self, value: dict[Any, Value], path: Path) -> Value:
        """A map, entry by entry."""
        return {key: self.part(item, (*path, key)) for key, item in value.items()}

    # -- what has no form -----------------------------------------------------------------------------------

    def _instead_of(self, value: Value, path: Path, unsupported: Unsupported) -> Value:
        elsewhere = self.computed_elsewhere(value, path, unsupported.reason)
        if elsewhere is not MISSING:
            return elsewhere
        with self.state(stand_in=unsupported.stand_in or self.hindering(value)):
            return self.replacement(value, path, unsupported.reason)

    def computed_elsewhere(self, value: Value, path: Path, reason: str) -> Value:
        """What refers to ``value`` where something else than a call computes it; MISSING where nothing does."""
        return MISSING

    def hindering(self, value: Value) -> str:
        """The stand-in because of which nothing computes ``value``; "" for none."""
        return ""

    def replacement(self, value: Value, path: Path, reason: str) -> Value:
        """What stands for a value that is unsupported because of ``reason``, which is reported."""
        return self.visible(value, path, reason) if self.inert else self.ask(value, path, reason)

    def visible(self, value: Value, path: Path, reason: str) -> Value:
        """A visible text for what nothing depends on."""
        self.report(self.CODES.visible, path, reason=reason, stand_in=self.stand_in)
        self.shown += 1
        return f"{NOT_CONVERTED}{as_json(self.written_at(path))}"

    def ask(self, value: Value, path: Path, reason: str) -> Value:
        """The required input that asks for a value; equal values share one."""
        required = self._asked.get(repr(value))
        if required is None:
            title, inputs = self.request.source.title, self.topology.inputs
            name = fresh(place_name(self.request.source.words, path, value), inputs)
            words = f"Value of {dotted(path)}, in {title}: {as_json(self.written_at(path))}"
            inputs[name] = Input(name, None, description=words, path=path, added=True)
            required = self._asked[repr(value)] = ex.Input(name, strict=True, path=path)
        self.report(self.CODES.asked, path, input=required.name, reason=reason, stand_in=self.stand_in)
        return required

    def no_counterpart(self, expr: Expr) -> str:
        """Why an expression without a rule has no form."""
        if self.is_refused(expr):
            return f"{self.request.source.title} refuses the call"
        return f"{self.request.target.title} has no counterpart of '{self.spelling(expr)}'"

    def is_refused(self, expr: Value) -> bool:
        """True for a call that the source's engine refuses, which has been reported."""
        return isinstance(expr, ex.Foreign) and expr.path in self.topology.uncomputable

    # -- the source -----------------------------------------------------------------------------------------

    def written_at(self, path: Path) -> Any:
        """The source's own data at ``path`` (as far as the path leads)."""
        return written(self.request.document, path)

    def spelling(self, expr: Expr) -> str:
        """The name of the call as the user wrote it."""
        return spelling(self.request, expr)

    def declared(self, value: Value) -> Input | None:
        """The declaration of an input that is taken as a whole; None for another value."""
        is_whole = isinstance(value, ex.Input) and isinstance(value.name, str) and not value.keys
        return self.topology.inputs.get(value.name) if is_whole else None

    # -- computing ------------------------------------------------------------------------------------------

    def computed(self, expr: Expr) -> Value:
        """``expr``, whose arguments have been rewritten, computed where everything that it needs is known."""
        if not all(ex.is_constant(getattr(expr, name)) for name in ex.field_names(type(expr))):
            return expr
        try:
            return fold(expr, Scope())
        except Refused as refused:
            self.report(self.CODES.refused, expr.path, problem=refused.message)
            raise Unsupported(f"{self.request.source.title} refuses to compute it") from None

    def is_decided(self, old: Expr, new: Value) -> bool:
        """True where the rule of ``old`` has computed it."""
        return ex.is_constant(new)

    def words_for(self, new: Value, rule: Rule) -> str:
        """What a call was rewritten as, in words."""
        return rule.how

    # -- text -----------------------------------------------------------------------------------------------

    def text(self, parts: Iterable[Value], path: Path) -> Value:
        """Texts and rewritten expressions one after the other, in the shortest form. Raises :class:`Unsupported` where
        calls are in it so many times that it would be too long."""
        merged = merge_texts(parts)
        if not merged:
            return ""
        if sum(len(part) for part in merged if isinstance(part, str)) > LONGEST:
            raise Unsupported(f"the text has more than {LONGEST:,} characters")
        calls = {id(part): part for part in merged if isinstance(part, Expr)}
        is_repeated = len(calls) < sum(isinstance(part, Expr) for part in merged)
        size = weight(merged) if is_repeated else 0
        if size > REPEATED or not is_affordable(size, min(size, weight(list(calls.values())))):
            raise Unsupported("calls in calls have it too many times")
        if len(merged) == 1 and self.kind(merged[0]) == "text":
            return merged[0]
        return self.joined(merged, path)

    def joined(self, parts: list[Value], path: Path) -> Value:
        """Texts and rewritten expressions in one call."""
        return ex.Join("", (parts,), path=path)

    def as_text(self, value: Value, path: Path) -> Value:
        """``value`` as the source's engine writes it into a text; where the target would write something else, what
        stands for it."""
        if value is None:
            return ""
        if isinstance(value, ex.If):
            value = each_outcome(value, lambda item: "" if item is None else item)
        if isinstance(value, str):
            return value
        if isinstance(value, (bool, int, float)):
            return str(value)
        if isinstance(value, (list, tuple, dict)) and ex.is_constant(value):
            try:
                return json.dumps(value, sort_keys=True)
            except TypeError:  # keys of several kinds
                return self.replacement(value, place_of(value, path), self.no_structures())
        kind, place = self.kind(value), place_of(value, path)
        if kind in STRUCTURES and not self.yields_nothing(value):
            text = self.structure_as_text(value, kind, path)
            return self.no_text(value, place) if text is MISSING else text
        try:
            text = self.rewrite(value, path)
        except Unsupported as unsupported:
            return self._instead_of(value, place, unsupported)
        if kind == "any" and not self.yields_nothing(value):
            self.report(self.CODES.assumed, place)
        return text

    def structure_as_text(self, value: Value, kind: str, path: Path) -> Value:
        """The text that the source's engine writes for a list or map; MISSING where the target cannot write it."""
        return MISSING

    def no_text(self, value: Value, path: Path) -> Value:
        """What stands for the text of a list or map that the target cannot write."""
        return self.replacement(value, path, self.no_structures())

    def no_structures(self) -> str:
        """Why a list or map has no text."""
        source, target = self.request.source.title, self.request.target.title
        return f"{source} writes lists and maps as JSON here, {target} writes them in another way"

    def yields_nothing(self, value: Value) -> bool:
        """True for a value of a stand-in, which is reported on its own."""
        return self.topology.is_of_stand_in(value)

    # -- what is known of values ----------------------------------------------------------------------------

    def kind(self, value: Value) -> str:
        """What a value is known to be, see :class:`Kinds`."""
        return self.kinds.kind_of(value)

    def is_static(self, value: Value) -> bool:
        """True when the value is known once the inputs are."""
        return all(expr.NEEDS != "deployment" for expr in ex.walk(value))


def merge_texts(parts: Iterable[Value]) -> list[Value]:
    """``parts`` of a text without empty ones; neighbouring texts become one."""
    merged: list[Value] = []
    for part in parts:
        if isinstance(part, str) and merged and isinstance(merged[-1], str):
            merged[-1] += part
        elif part != "":
            merged.append(part)
    return merged


def place_of(value: Value, path: Path) -> Path:
    """Where ``value`` stands; ``path`` where it does not know that."""
    return value.path if isinstance(value, Expr) and value.path else path


def place_name(words: Vocabulary, path: Path, expr: Value = MISSING) -> str:
    """A name for what stands at ``path`` of a document with these ``words``: the entry's name and the innermost keys
    that are names. Of what was imported, the place is not known: there it is what ``expr`` refers to."""
    if words.is_imported(path) and isinstance(expr, (ex.Attribute, ex.Identity, ex.Property)):
        path = (None, expr.node, *(() if isinstance(expr, ex.Identity) else (expr.name,)))
    steps = (re.sub(r"\W+", "_", step, flags=re.ASCII).strip("_") for step in path[1:] if isinstance(step, str))
    names = [step for step in steps if step and step not in words.empty]
    return "_".join(names[:1] + names[1:][-2:]) or "value"


def as_json(value: Any) -> str:
    """Data in words."""
    return json.dumps(value, default=str)
