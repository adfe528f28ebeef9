"""Rewrites expressions until HOT has a form for them; see :mod:`~.passes.expressions.rewriter`.

What is unsupported is replaced by a required parameter where a resource would use the value, by the call itself as data
in a stand-in, by a visible text in an output. Neither of the last two asks for a parameter.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Expr, Path, Value
from bpconvert.models.light import replace
from bpconvert.translators.catalogue.attributes import attribute_kind, part_kind
from bpconvert.translators.hot.write.calls import WRITERS, collides
from bpconvert.translators.hot.write.context import Context
from bpconvert.translators.passes.expressions.kinds import STRUCTURES, Kinds, literal_kind, step_into
from bpconvert.translators.passes.expressions.rewriter import Codes, ExpressionRewriter, Rule, Unsupported, place_name
from bpconvert.translators.support.places import dotted, value_at


def as_written(context: Context, value: Value) -> Any:
    """The expression as plain data: the user's own words where they are known, else the source's call."""
    if not isinstance(value, ex.Expr):
        parts = ex.map_parts(value, lambda part: as_written(context, part))
        return list(parts) if isinstance(parts, tuple) else parts
    try:
        raw = value_at(context.request.document.data, value.path) if value.path else MISSING
    except (LookupError, TypeError):
        raw = MISSING
    if context.words.called(raw):
        return copy.deepcopy(raw)
    try:
        return context.words.written(value)
    except ValueError:
        return repr(value) if raw is MISSING else copy.deepcopy(raw)


def as_text(data: Any) -> str:
    """Plain data in one line: a text as it is, other data as JSON."""
    return data if isinstance(data, str) else json.dumps(data, separators=(",", ":"), default=str)


def _owner(deployment: Value) -> str:
    """The deployment that a capability belongs to, in words."""
    if isinstance(deployment, str):
        return f"deployment {deployment}"
    node = getattr(deployment, "node", None) or (deployment.name if isinstance(deployment, ex.Input) else None)
    return f"the deployment that '{node}' names" if isinstance(node, str) else "another deployment"


def described(context: Context, expr: Value, path: Path) -> tuple[str, str, str]:
    """For a parameter that asks for a value: the name it should have, its description and its type."""
    source = context.request.source
    if isinstance(expr, ex.Capability) and isinstance(expr.name, str):
        if expr.scope == "environment":
            return expr.name, f"Capability {expr.name} of the environment", "string"
        if expr.scope == "group":
            group = expr.deployment if isinstance(expr.deployment, str) else "another group"
            return expr.name, f"Capability {expr.name} of the deployments of group {group}", "json"
        owner = _owner(expr.deployment)
        what = ".".join(map(str, (expr.name, *expr.keys))) if ex.is_constant(expr.keys) else expr.name
        return expr.name, f"Capability {what} of {owner}", "string"
    if isinstance(expr, ex.Label) and isinstance(expr.name, str):
        many = expr.index is MISSING
        text = f"Values of label {expr.name}" if many else f"Value {expr.index} of label {expr.name}"
        return f"label_{expr.name}", f"{text} of the deployment", "json" if many else "string"
    if isinstance(expr, ex.System):
        section, fact = expr.name.split(".", 1)
        return expr.name.replace(".", "_"), f"The {fact} of the {section} in {source.title}", "string"
    if isinstance(expr, ex.Consumers):
        kind = "number" if expr.what == "count" else "json"
        return f"consumers_{expr.what}", f"The {expr.what} of the deployments that use this one", kind
    json_like = isinstance(expr, (dict, list, ex.Merge, ex.AttributeDict, ex.AttributeList))
    split = isinstance(expr, ex.Split) and expr.index is MISSING
    kind = "json" if json_like or split else "string"
    written = as_text(as_written(context, expr))
    return place_name(source.words, path, expr), f"Value of {dotted(path)}, in {source.title}: {written}", kind


#: expressions that yield a value whenever the stack is validated; all others may be null then
_NEVER_NULL: Final = (ex.Join, ex.Replace, ex.File, ex.System, ex.Input, ex.Digest, ex.Merge, ex.ListConcat)
_TYPES: Final = {"string": "text", "number": "number", "boolean": "boolean", "comma_delimited_list": "list"}
_SCALARS: Final = ("text", "number", "boolean", "scalar")


def may_be_null(value: Value) -> bool:
    """True for a value that is null while Heat validates the stack: what depends on a resource."""
    if isinstance(value, ex.If):
        return may_be_null(value.then) or value.otherwise is MISSING or may_be_null(value.otherwise)
    return value is None or (isinstance(value, Expr) and not isinstance(value, _NEVER_NULL))


#: the first version whose list_join and str_replace take lists and maps
STRUCTURES_IN_TEXTS: Final = "2015-10-15"


class HotKinds(Kinds):
    """The kinds of the values of a template; ``scalar``: a text, number or boolean."""

    def __init__(self, context: Context) -> None:
        super().__init__(context.topology, context.catalogue)
        self._context = context
        #: yaql expression -> what it yields
        self.queries: dict[str, str] = {}

    def kind_of(self, value: Value) -> str:
        """See :meth:`Kinds.of`."""
        if isinstance(value, ex.Split):
            return "list" if value.index is MISSING else "text"
        if isinstance(value, ex.Query):
            return self.queries.get(value.expression, "any") if isinstance(value.expression, str) else "any"
        return super().kind_of(value)

    def common(self, kinds: set[str]) -> str:
        """See :meth:`Kinds.common`."""
        if len(kinds) == 1:
            return kinds.pop()
        return "scalar" if kinds <= set(_SCALARS) else "json" if kinds <= set(STRUCTURES) else "any"

    def of_input(self, name: str, keys: tuple[Value, ...]) -> str:
        """What a parameter, or a part of it, is."""
        context = self._context
        declared = context.names.inputs.get(name)
        if declared is None:
            type_name = _TYPES.get(context.added.parameters.get(name, {}).get("type", ""), "json")
            return "any" if keys else type_name
        kind = _TYPES.get(context.defaults.type_of(declared), "json")
        if kind == "json" and declared.type in ("number", "boolean"):
            kind = declared.type
        if not keys or kind == "list":
            return "text" if keys else kind
        type_name = literal_kind(step_into(declared.default, keys))
        return type_name if type_name in STRUCTURES else "scalar" if type_name in _SCALARS else "any"

    def of_attribute(self, expr: ex.Attribute) -> str:
        """What an attribute, or a part of it, is."""
        context = self._context
        node = context.names.nodes.get(expr.node) if isinstance(expr.node, str) else None
        if expr.name is MISSING or node is None or node.kind is None or not isinstance(expr.name, str):
            return "any"
        if context.is_group(node) and not expr.name.startswith("resource."):
            return "list"
        name = expr.name.removeprefix("resource.0.")
        return part_kind(node.kind, name, expr.keys) if expr.keys else attribute_kind(node.kind, name) or "any"


class _HotCodes(Codes):
    rewritten = "BPC233"
    computed = "BPC235"
    asked = "BPC230"
    visible = "BPC232"
    refused = "BPC236"
    assumed = "BPC238"


class HotRewriter(ExpressionRewriter):
    """Rewrites the values of one topology for a HOT template."""

    CODES = _HotCodes

    def __init__(self, context: Context, rules: Mapping[type[Expr], Rule]) -> None:
        super().__init__(context.topology, context.request, rules)
        self.kinds: HotKinds = HotKinds(context)
        self.context = context
        #: the node whose value is rewritten: SELF
        self.owner: str | None = None
        #: what is being rewritten, to find circles
        self.busy: set[Any] = set()

    # -- the walk -------------------------------------------------------------------------------------------

    def value(self, value: Value, path: Path, *, inert: str = "", names: bool = False) -> Value:
        """See :meth:`ExpressionRewriter.value`. ``names``: a name does for an id."""
        owner = path[1] if len(path) > 1 and path[0] == self.context.words.section("nodes") else self.owner
        with self.state(owner=owner, names=names):
            written = super().value(value, path, inert=inert)
        self._need_structures(written)
        return written

    def _need_structures(self, value: Value) -> None:
        """Ask for a version whose text functions take lists and maps, where they are what a call yields."""
        for expr in ex.walk(value):
            items: list[Value] = []
            if isinstance(expr, ex.Replace) and isinstance(expr.params, dict):
                items = [*expr.params.values()]
            elif isinstance(expr, ex.Join):
                items = [item for part in expr.lists if isinstance(part, (list, tuple)) for item in part]
            if any(isinstance(item, Expr) and self.kinds.kind_of(item) in STRUCTURES for item in items):
                self.context.least_version = max(self.context.least_version, STRUCTURES_IN_TEXTS)

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
        self.shown += 1
        return as_text(written)

    def ask(self, value: Value, path: Path, reason: str) -> ex.Input:
        """The parameter that asks for a value."""
        return self.ask_for(value, path, self.CODES.asked, reason)

    def ask_for(self, value: Value, path: Path, code: str, reason: str, kind: str = "") -> ex.Input:
        """The parameter (of type ``kind``) that asks for a value, which is reported as ``code``; equal calls share
        one."""
        key = f"{kind} {value!r}"
        asked = self._asked.get(key)
        if asked is None:
            wanted, description, type_described = described(self.context, value, path)
            data: dict[str, Any] = {"type": kind or type_described, "description": description}
            if self.context.is_secret(value):
                data["hidden"] = True
            asked = self._asked[key] = ex.Input(self.context.added.parameter(wanted, data))
            self.context.asked[str(asked.name)] = value
        self._unless_refused(code, path, parameter=asked.name, reason=reason, stand_in=self.stand_in)
        return ex.Input(asked.name, path=path)

    def _unless_refused(self, code: str, path: Path, **texts: Any) -> None:
        """Report what becomes of a call, unless an error says already that it is wrong."""
        if path not in self.topology.uncomputable:
            self.report(code, path, **texts)
