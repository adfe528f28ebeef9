"""Rewrites expressions until the DSL has a form for them; see :mod:`~.passes.expressions.rewriter`."""

from __future__ import annotations

import json
from collections import ChainMap
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Expr, Path, Value
from bpconvert.models.topology import Node
from bpconvert.translators.cloudify import functions
from bpconvert.translators.cloudify.calls import collides
from bpconvert.translators.cloudify.vocabulary import DEEPEST
from bpconvert.translators.cloudify.write.context import Context
from bpconvert.translators.cloudify.write.names import path_name
from bpconvert.translators.evaluate import by_default
from bpconvert.translators.passes.expressions import joins, static_texts
from bpconvert.translators.passes.expressions.kinds import VALUE, entered
from bpconvert.translators.passes.expressions.piecewise import PiecewiseRewriter
from bpconvert.translators.passes.expressions.rewriter import TOO_DEEP, Rule, Unsupported, as_json, merge_texts
from bpconvert.translators.support.places import dotted, maps
from bpconvert.translators.support.text import ascii_text, fresh

if TYPE_CHECKING:
    from bpconvert.translators.cloudify.openstack.drafts import NodeDraft
    from bpconvert.translators.cloudify.write.computed import BlueprintComputing


class DslRewriter(PiecewiseRewriter):
    """Rewrites the values of one topology for a blueprint."""

    DEEPEST = DEEPEST
    TABLE = "a hidden input with a result for each value of the parameter"

    def __init__(self, context: Context, rules: Mapping[type[Expr], Rule]) -> None:
        super().__init__(context.topology, context.request, rules, context.kinds)
        self.context = context
        #: the node that is written, "" for an output; None where values have to be known before anything runs
        self.user: str | None = None
        #: only the form of a value is looked for
        self.is_trial = False
        #: node that holds a value for others -> the value as it is written
        self._held: dict[str, Value] = {}
        self._report = self.report

    @cached_property
    def computing(self) -> BlueprintComputing:
        """The nodes that compute values."""
        from bpconvert.translators.cloudify.write.computed import BlueprintComputing

        return BlueprintComputing(self.context, self.rewrite)

    def with_computed(self, drafts: list[NodeDraft]) -> list[NodeDraft]:
        """``drafts`` with the nodes that compute values."""
        return self.computing.drafts(drafts) if "computing" in vars(self) else drafts

    # -- the walk -------------------------------------------------------------------------------------------

    def rewrite(self, value: Value, path: Path) -> Value:
        """See :meth:`ExpressionRewriter.rewrite`."""
        if self.inert and isinstance(value, str) and not value.isascii():
            raise Unsupported("the DSL takes ASCII only")
        return super().rewrite(value, path)

    def part(self, value: Value, path: Path) -> Value:
        """See :meth:`ExpressionRewriter.part`."""
        if isinstance(value, (dict, list)) and self.levels(path) > DEEPEST:
            return self.too_deep(value, path)
        if isinstance(value, str) and not value.isascii():
            return self.text_input(value, path)
        try:
            return super().part(value, path)
        except RecursionError:
            if not isinstance(value, Expr):
                raise
            return self.replacement(value, value.path or path, TOO_DEEP)

    def mapping(self, value: dict[Any, Value], path: Path) -> Value:
        """A map, entry by entry, unless it would be a call."""
        entries: dict[Any, Value] = {}
        for key, item in value.items():
            name = key
            if isinstance(key, str) and not key.isascii():  # text beyond ASCII has no form
                self.report("BPC603", (*path, key), key=key)
                name = fresh(ascii_text(key), ChainMap(entries, value))
            entries[name] = self.part(item, (*path, key))
        return self.collision(value, path) if collides(entries) else entries

    @contextmanager
    def without_effect(self) -> Iterator[None]:
        """In here nothing depends on what is rewritten, so nothing asks for an input."""
        with self.state(inert="output"):
            yield

    def is_decided(self, old: Expr, new: Value) -> bool:
        """True for a choice or condition that is the same whatever the inputs are."""
        return ex.is_constant(new) and isinstance(old, (ex.If, ex.Equals, ex.Not, ex.And, ex.Or))

    # -- choices --------------------------------------------------------------------------------------------

    def pick(self, branches: list[Value], index: Value, path: Path) -> Value:
        """The item of a hidden input's default."""
        return ex.Input(self.context.inputs.branches(branches, path), (index,), strict=True, path=path)

    def holding(self, condition: ex.Condition, truth: bool, compute: Callable[[], Value]) -> Value:
        """A hidden input whose default is computed."""
        name = self.context.inputs.condition(str(condition.name), truth, compute)
        return ex.Input(name, strict=True, path=condition.path)

    def table(self, table: dict[str, Value], chooser: ex.Input, path: Path) -> Value:
        """The value in a hidden input's default."""
        return ex.Input(self.context.inputs.table(table, str(chooser.name), path), (chooser,), path=path)

    def is_plain(self, value: Value) -> bool:
        """True for data that a blueprint takes as it is."""
        return functions.is_plain(value)

    # -- what has no form -----------------------------------------------------------------------------------

    def ask(self, value: Value, path: Path, reason: str) -> Value:
        """The required input that asks for a value."""
        source = as_json(self.written_at(path))
        words = f"Value of {dotted(path)}, in {self.request.source.title}: {source}"
        key = (path, source, repr(value))
        asked = self._required_input(
            path, words, self.CODES.asked, key=key, kind=self.kind(value), reason=reason + self._when_computed(value)
        )
        if value is not None and reason != TOO_DEEP and not self.is_trial:
            self.context.inputs.stands_for[str(asked.name)] = value
        return asked

    def asked(self, value: Value, path: Path, reason: str, default: Value = MISSING) -> Value:
        """The input that takes the place of a value which the platform wants in another form. ``default``: what the
        value is in that form where every parameter has its default."""
        if self.inert or default is MISSING or any(collides(part) for part, _ in maps(default, ())):
            return self.replacement(value, path, reason)
        words = ascii_text(f"Value of {dotted(path)}; {reason}")
        declared = {"type": _TYPES[self.kind(default)]} if self.kind(default) in _TYPES else {}
        name = self.context.inputs.add_once(("asked", f"{dotted(path)} {default!r}"), path_name(path), {})
        self.context.inputs.added[name] = {**declared, "description": words, "default": default}
        self.report("BPC702", path, input=name, reason=reason)
        return ex.Input(name, strict=True, path=path)

    def computed_elsewhere(self, value: Value, path: Path, reason: str) -> Value:
        """The runtime property of a node that computes ``value``; MISSING where none does."""
        if self.user is None or not self._has_computing():
            return MISSING
        reference = self.computing.value(value, path, self.user, needed=not self.inert)
        if reference is not MISSING:
            self.report("BPC215", path, node=reference.node, reason=reason)
        return reference

    def hindering(self, value: Value) -> str:
        """See :meth:`ExpressionRewriter.hindering`."""
        if self.user is None or not self._has_computing():
            return ""
        with self.state(report=lambda *_, **__: None):
            return self.computing.hindered(value, self.user)

    @property
    def has_data_elsewhere(self) -> bool:
        """True where nodes hold what a blueprint cannot write, too, not only what calls yield."""
        return self.request.options.asked == "values"

    def member_index(self, node: str, path: Path) -> ex.Attribute | None:
        """The number of an instance of ``node`` from 0; None where only the engine's own, from 1, can be had."""
        if self.user is None or self.request.options.asked == "inputs":
            self.report("BPC749", path, name=node)
            return None
        from bpconvert.translators.cloudify import numbering  # few blueprints need it

        numbers = self.computing.numbers(self.user, path)
        self.report("BPC699", path, name=node, node=numbers)
        return numbering.written(numbers, self.context.names.node(node), path)

    def _has_computing(self) -> bool:
        return self.inert != "node" and self.request.options.asked != "inputs"

    @cached_property
    def referred(self) -> frozenset[str]:
        """The nodes that something of the template refers to."""
        return frozenset(ex.named_nodes(list(self.context.topology.values(declared=False))))

    def held(self, node: Node) -> Value:
        """What ``node`` holds for others, as it is written; once for the node and for all who refer to it."""
        if node.name not in self._held:
            self._held[node.name] = MISSING  # in a circle
            with self.state(user=node.name, inert="", report=self._report):
                self._held[node.name] = self.value(node.properties[VALUE], node.origin(VALUE))
        return self._held[node.name]

    def is_held_elsewhere(self, node: Node, keys: tuple[Value, ...]) -> bool:
        """True where the part of what ``node`` holds to which ``keys`` lead has what another node computes."""
        is_known = self.is_trial or not isinstance(node.properties, dict) or VALUE not in node.properties
        if is_known or self.request.options.asked == "inputs":
            return False
        return any(isinstance(part, ex.Attribute) for part in ex.walk(entered(self.held(node), keys)[0]))

    def is_computed_elsewhere(self, value: Expr) -> bool:
        """True for what :meth:`computed_elsewhere` yields a reference for; nothing is reported."""
        if self.user is None or not self._has_computing():
            return False
        with self.state(report=lambda *_, **__: None):
            return self.computing.computes(value, self.user)

    def no_counterpart(self, expr: Expr) -> str:
        """See :meth:`ExpressionRewriter.no_counterpart`."""
        if isinstance(expr, ex.Base64):
            return f"it has to be in base64, for which {self.request.target.title} has no function"
        return super().no_counterpart(expr)

    def no_text(self, value: Value, path: Path) -> Value:
        """See :meth:`ExpressionRewriter.no_text`."""
        reference = self.computed_elsewhere(ex.Join("", ([value],), path=path), path, self.no_structures())
        return super().no_text(value, path) if reference is MISSING else reference

    def tried(self, value: Value, path: Path) -> Value:
        """The form that the blueprint would get of ``value``, with texts as they are; nothing is reported."""
        with self.state(report=lambda *_, **__: None, user=None, is_trial=True):
            return self.value(value, path)

    def by_default(self, value: Value) -> Value:
        """What the source's engine computes where every parameter has its default; MISSING where that is not known."""
        return by_default(value, self.topology, self.scope.files)

    def visible(self, value: Value, path: Path, reason: str) -> Value:
        """A visible text for what nothing depends on."""
        return super().visible(value, path, reason + self._when_computed(value))

    def _when_computed(self, value: Value) -> str:
        """Which parameters have to be given for the value to be computed."""
        names: set[str] = set()
        if self.is_static(value) and self._needs_only(value, names, set()) and names:
            return f"; it is computed where --param gives {', '.join(sorted(names))}"
        return ""

    def _needs_only(self, value: Value, names: set[str], seen: set[Value]) -> bool:
        """True when parameters, which are added to ``names``, are all that is not known of the value. ``seen``: the
        conditions that have been looked into."""
        for expr in ex.walk(value):
            if isinstance(expr, (ex.Foreign, ex.File, ex.Facade, ex.Query)):
                return False
            if isinstance(expr, ex.Input) and isinstance(expr.name, str) and expr.name in self.topology.inputs:
                names.add(expr.name)
            elif isinstance(expr, ex.Condition) and expr.name not in seen:
                seen.add(expr.name)
                if not self._needs_only(self.meaning(expr), names, seen):
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
        """A literal map that the DSL would take for a function call: there is no escape, and the engine also evaluates
        what calls yield."""
        name = next(iter(value))
        if self.inert:
            if not ex.is_constant(value):
                return self.replacement(value, path, f"a map with the only key '{name}' would be a call in Cloudify")
            self.report("BPC205", path, name=name)
            return as_json(value)
        description = f"Value of {dotted(path)}: {as_json(self.written_at(path))}"
        return self._required_input(path, description, "BPC206", name=name, key=(path, repr(value)))

    def too_deep(self, value: Value, path: Path) -> Value:
        """Data that is nested deeper than the engine's evaluation goes."""
        reason = "it is nested deeper than Cloudify evaluates"
        if self.inert:
            if not ex.is_constant(value):
                return self.replacement(value, path, reason)
            self.report("BPC224", path)
            return as_json(value)
        description = f"Value of {dotted(path[:6])}..., too deep for a blueprint"
        return self._required_input(path, description, self.CODES.asked, reason=reason, key=(path, repr(value)))

    def text_input(self, text: str, path: Path, *, alone: bool = True) -> Value:
        """Text beyond ASCII, which the parser refuses in every string: a node computes it from its JSON, or it is given
        as an input when deploying. Where nothing depends on it, it is written as JSON, without quotes where it is not
        ``alone`` but part of a text."""
        if self.inert:
            self.report("BPC602", path)
            return json.dumps(text) if alone else json.dumps(text)[1:-1]
        if self.is_trial:
            return text
        if self.has_data_elsewhere:
            reference = self.computed_elsewhere(text, path, "a blueprint has no text beyond ASCII")
            if reference is not MISSING:
                return reference
        description = f"Text of {dotted(path)}, given in the inputs file"
        asked = self._required_input(path, description, "BPC601", key=("text", text))
        self.context.inputs.given[asked.name] = self.context.inputs.stands_for[str(asked.name)] = text
        return asked

    def _required_input(
        self, path: Path, description: str, code: str, *, key: Any, kind: str = "any", **texts: Any
    ) -> ex.Input:
        required = self._asked.get(key)
        if required is None and self.is_trial:
            return ex.Input(path_name(path), strict=True, path=path)
        if required is None:
            declared = {"type": _TYPES[kind]} if kind in _TYPES else {}
            name = self.context.inputs.add(path_name(path), {**declared, "description": ascii_text(description)})
            required = self._asked[key] = ex.Input(name, strict=True, path=path)
        self.report(code, path, input=required.name, stand_in=self.stand_in, **texts)
        return required

    # -- text -----------------------------------------------------------------------------------------------

    def text(self, parts: Iterable[Value], path: Path) -> Value:
        """See :meth:`ExpressionRewriter.text`. Text beyond ASCII is given as inputs."""
        merged = merge_texts(
            part_of_text for part in parts for part_of_text in (part.items if isinstance(part, ex.Concat) else (part,))
        )
        alone = len(merged) == 1
        return super().text((self._ascii(part, path, alone) for part in merged), path)

    def _ascii(self, part: Value, path: Path, alone: bool) -> Value:
        is_text = isinstance(part, str) and not part.isascii()
        return self.text_input(part, path, alone=alone) if is_text else part

    def joined(self, parts: list[Value], path: Path) -> Value:
        """``concat``."""
        return ex.Concat(tuple(parts), path=path)

    def structure_as_text(self, value: Value, kind: str, path: Path) -> Value:
        """The JSON of a list of texts, or of what is written in the template."""
        text = static_texts.as_json(self, value, path) if kind == "list" else MISSING
        return joins.json_text(self, value, path) if text is MISSING and kind != "json" else text

    def no_structures(self) -> str:
        """Why a list or map has no text."""
        return f"{self.request.source.title} writes lists and maps as JSON here, concat would write Python"

    def note_indices(self, keys: Iterable[Value]) -> None:
        """Remember the number inputs among ``keys`` (rewritten ones): they have to be whole numbers."""
        self.context.inputs.indices.update(k.name for k in keys if isinstance(k, ex.Input) and self.kind(k) == "number")


#: kind of a value -> type of the input that stands for it (a text may be meant for a number)
_TYPES: Final = {"map": "dict", "list": "list"}
