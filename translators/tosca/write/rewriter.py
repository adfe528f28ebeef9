"""Rewrites expressions until TOSCA has a form for them; see :mod:`~.passes.expressions.rewriter`."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from bpconvert.diagnostics import Fidelity
from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Expr, Path, Value
from bpconvert.models.light import replace
from bpconvert.models.topology import Input
from bpconvert.translators.passes.expressions import joins, queries, urls
from bpconvert.translators.passes.expressions.kinds import is_number
from bpconvert.translators.passes.expressions.rewriter import (
    TOO_DEEP,
    ExpressionRewriter,
    Rule,
    Unsupported,
    as_json,
    place_of,
)
from bpconvert.translators.support.text import fresh
from bpconvert.translators.tosca import DIALECT, template_metadata
from bpconvert.translators.tosca.functions import Inexpressible, called, write_value
from bpconvert.translators.tosca.vocabulary import EXISTING_ID, RELATIVE
from bpconvert.translators.tosca.write.context import Context, NodeDraft
from bpconvert.urls import is_url

if TYPE_CHECKING:
    from bpconvert.translators.tosca.write.computed import ServiceComputing


class ToscaRewriter(ExpressionRewriter):
    """Rewrites the values of one topology for a service template."""

    def __init__(self, context: Context) -> None:
        super().__init__(context.topology, context.request, RULES)
        self.context = context
        #: the properties that are being looked into
        self.entered: tuple[Expr, ...] = ()
        #: what the value that is rewritten has to be, as far as it is asked for as a whole; "" where nothing tells
        self.wanted = ""
        #: the node that is written, "" for an output; None where values have to be known before anything runs
        self.user: str | None = None
        self._shared: dict[str, ex.Input] = {}
        #: (input, keys) -> the input that takes that part of it
        self._parts: dict[tuple[str, str], Input] = {}
        #: inside a map that is written as a text
        self._in_text = False
        #: inside a ``concat`` of the source
        self._in_concat = False

    def written(self, value: Value, path: Path, *, inert: str = "", wanted: str = "") -> Any:
        """``value`` at ``path`` as plain data with calls; what has no form is reported. ``wanted``: the type of what
        it is the value of."""
        with self.state(wanted=wanted if isinstance(value, Expr) else ""):
            result = self.value(value, path, inert=inert)
            try:
                return write_value(result, self.context.prefix)
            except (Inexpressible, RecursionError):
                with self.state(inert=inert or self.inert):
                    return write_value(self.replacement(repr(value), path, TOO_DEEP), self.context.prefix)

    @cached_property
    def computing(self) -> ServiceComputing:
        """The nodes that compute values."""
        from bpconvert.translators.tosca.write.computed import ServiceComputing

        return ServiceComputing(self.context, self.rewrite, self.kinds.kind_of)

    def with_computed(self, drafts: list[NodeDraft]) -> list[NodeDraft]:
        """``drafts`` with the nodes that compute values."""
        return self.computing.drafts(drafts) if "computing" in vars(self) else drafts

    def computed_elsewhere(self, value: Value, path: Path, reason: str) -> Value:
        """The attribute of a node that computes ``value``."""
        if self.user is None or self.inert == "node" or self.request.options.asked == "inputs":
            return MISSING
        attribute = self.computing.value(value, path, self.user, needed=not self.inert)
        if attribute is not MISSING:
            if self.wanted == "integer":
                self.computing.whole.add(attribute.node)
            self.report("BPC215", path, node=attribute.node, reason=reason)
        return attribute

    def hindering(self, value: Value) -> str:
        """See :meth:`ExpressionRewriter.hindering`."""
        if self.user is None or self.inert == "node" or self.request.options.asked == "inputs":
            return ""
        with self.state(report=lambda *_, **__: None):
            return self.computing.hindered(value, self.user)

    def made_unique(self, path: Path) -> Value:
        """The attribute of the node that makes an id of the deployment; MISSING where none does."""
        if self.user is None or self.inert == "node" or self.request.options.asked == "inputs":
            return MISSING
        if self.inert and not self.computing.values:
            return MISSING
        attribute = self.computing.unique(path, self.user)
        self.report("BPC263", path, node=attribute.node)
        return attribute

    def artifact(self, software: str, expr: ex.File) -> Value:
        """The place of a file at a URL, which software gets as an artifact: what its text is, is not known."""
        artifacts = self.context.artifacts.setdefault(software, {})
        url = str(expr.name)
        wished = re.sub(r"\W+", "_", url.rpartition("/")[2], flags=re.ASCII).strip("_") or "file"
        artifact_name = next((name for name, artifact in artifacts.items() if artifact["file"] == url), None)
        name = artifact_name or fresh(wished, artifacts)
        artifacts[name] = {"type": _ARTIFACT, "file": url}
        self.report("BPC257", expr.path, name=name, file=url, node=software)
        return ex.Foreign(DIALECT, "get_artifact", ["SELF", name], path=expr.path)

    def no_text(self, value: Value, path: Path) -> Value:
        """See :meth:`ExpressionRewriter.no_text`. ``concat`` of a blueprint writes it as Python does, no JSON."""
        text = ex.Concat((value,), path=path) if self._in_concat else ex.Join("", ([value],), path=path)
        attribute = self.computed_elsewhere(text, path, self.no_structures())
        return super().no_text(text, path) if attribute is MISSING else attribute

    def kept(self, written: Any, value: Value) -> list[Any] | None:
        """What is kept of a ``value`` that was ``written`` so; None where the same is read back. Files are written in
        place, and stay so: nothing says that they are beside the result. Attributes have the names of today."""
        value = ex.transform(value, self._in_place)
        if template_metadata.is_same(written, value, self.context.prefix):
            return None
        return template_metadata.difference(written, value, self.context.prefix)

    def _in_place(self, expr: Expr) -> Value:
        if isinstance(expr, ex.Attribute):
            with suppress(Unsupported):
                return replace(expr, name=_of_today(self, expr))
        node = self.topology.node(expr.node) if isinstance(expr, ex.Identity) else None
        if node is not None and node.external_name is not MISSING:
            return node.external_name  # it is no node of the result
        if isinstance(expr, ex.Foreign) and isinstance(expr.argument, Expr) and expr.argument.path == expr.path:
            return expr.argument  # the call itself, which the source's engine refuses
        if not isinstance(expr, ex.File) or not isinstance(expr.name, str) or self.scope.files is None:
            return expr
        text = self.scope.files(expr.name)
        return expr if text is None else text

    def ask(self, value: Value, path: Path, reason: str) -> Value:
        """The required input that asks for a value, of the type that fits."""
        required = super().ask(value, path, reason)
        if (
            isinstance(required, ex.Input)
            and isinstance(required.name, str)
            and required.name not in self.context.asked
        ):
            type = _ASKED.get(self._kind_of_choice(value)) or self.wanted or "string"
            self.context.asked[required.name] = "integer" if (type, self.wanted) == ("float", "integer") else type
        return required

    def _kind_of_choice(self, value: Value) -> str:
        """What a value is known to be; of a choice between a structure and something else, that."""
        choices = (value.then, value.otherwise) if isinstance(value, ex.If) else (value,)
        kinds = {self.kind(choice) for choice in choices if isinstance(value, Expr)}
        kinds = kinds - {"json"} or kinds
        return kinds.pop() if len(kinds) == 1 else "any"

    def part_of(self, whole: Input, expr: ex.Input) -> Input:
        """The input that takes a part of another one, with the part that the default has: no engine reads
        ``get_input`` with a path as it is specified. Raises :class:`Unsupported` where the default has none."""
        value: Any = whole.default
        for key in expr.keys:
            is_there = (isinstance(value, dict) and type(key) in ex.SCALARS and key in value) or (
                isinstance(value, list) and type(key) is int and -len(value) <= key < len(value)
            )
            if not is_there:
                why = "a part of an input is taken, and no engine reads get_input with a path as it is specified"
                raise Unsupported(why)
            value = value[key]
        kind = next((name for type, name in _PARTS if isinstance(value, type)), None)
        if kind is None or not ex.is_constant(value):
            raise Unsupported("a part of an input is taken that is empty or computed")
        keys = ".".join(map(str, expr.keys))
        if (whole.name, keys) not in self._parts:
            name = fresh(re.sub(r"\W+", "_", f"{whole.name}_{keys}", flags=re.ASCII), self.topology.inputs)
            words = f"Part {keys} of '{whole.name}'"
            part_input = Input(name, kind, value, description=words, path=(*whole.path, "default"), added=True)
            self.topology.inputs[name] = self._parts[whole.name, keys] = part_input
        part = self._parts[whole.name, keys]
        self.report("BPC883", expr.path, input=part.name, part=keys, name=whole.name)
        return part

    def shared(
        self, wanted: str, description: str, path: Path, code: str = "BPC871", default: Value = MISSING, **texts: str
    ) -> Value:
        """The input for something that all places have in common, named ``wanted`` or nearly so; ``code``: what is
        reported of each place."""
        if self.inert and wanted not in self._shared:
            raise Unsupported(f"{self.request.target.title} does not know this, and no node needs it")
        if wanted not in self._shared:
            inputs = self.topology.inputs
            name = fresh(wanted, inputs)
            inputs[name] = Input(name, "string", default, description=description, path=path)
            self.context.asked[name] = "string"
            self._shared[wanted] = ex.Input(name, strict=True, path=path)
        name = self._shared[wanted].name
        self.report(code, path, input=name, parameter=name, **texts)
        return self._shared[wanted]

    def as_text(self, value: Value, path: Path) -> Value:
        """See :meth:`ExpressionRewriter.as_text`. Engines disagree about how a number or boolean is written."""
        if isinstance(value, Expr):
            declared, kind = self.declared(value), self.kind(value)
            is_in_text = declared is not None and declared.name in self.context.texts
            if kind in _SPELLINGS and not is_in_text:
                place, reason = place_of(value, path), _SPELLINGS[kind]
                text = ex.Concat((value,), path=place)
                attribute = self.computed_elsewhere(text, place, reason)
                if attribute is not MISSING:
                    return attribute
                if kind == "boolean":
                    return self.replacement(text, place, reason)
                self.report("BPC872", place)
        return super().as_text(value, path)

    def is_inside(self, expr: Expr) -> bool:
        """True for a property that is being looked into."""
        return expr in self.entered

    def mapping(self, value: dict[Any, Value], path: Path) -> Value:
        """A map, entry by entry, unless it would be a call: then it is a text with all that is in it."""
        name = None if self.context.prefix else called(value)
        is_outermost = name is not None and not self._in_text
        with self.state(_in_text=self._in_text or is_outermost):
            entries = {key: self.part(item, (*path, key)) for key, item in value.items()}
        if not is_outermost:
            return entries
        reason = f"a map with the only key '{name}' would be a call in TOSCA"
        handed = self.computed_elsewhere(value, path, reason)
        if handed is not MISSING:
            return handed
        if not ex.is_constant(entries):
            return self.replacement(value, path, reason)
        self.report("BPC805", path, name=name)
        return as_json(entries)

    def joined(self, parts: list[Value], path: Path) -> Value:
        """``concat``; an input that is a text is one by itself."""
        if len(parts) == 1 and isinstance(parts[0], ex.Input) and parts[0].name in self.context.texts:
            return parts[0]
        return ex.Concat(tuple(parts), path=path)


# -- references ---------------------------------------------------------------------------------------------


def _input(rewriter: ToscaRewriter, expr: ex.Input) -> Value:
    declared = rewriter.topology.inputs.get(expr.name) if isinstance(expr.name, str) else None
    if declared is None:
        raise Unsupported("the name of the input is computed, or there is none of that name")
    if expr.keys:
        declared = rewriter.part_of(declared, expr)
    return ex.Input(rewriter.context.names.input(declared.name), strict=True, path=expr.path)


def _node(rewriter: ToscaRewriter, name: Value) -> str:
    if name in RELATIVE and name not in rewriter.topology.nodes:
        if rewriter.inert == "output":
            raise Unsupported(f"an output belongs to no node: nothing is {name} there")
        return str(name)
    node = rewriter.topology.node(name)
    if node is None:
        raise Unsupported("the name of the node is computed, or there is none of that name")
    return rewriter.context.names.node(node.name)


def _identity(rewriter: ToscaRewriter, expr: ex.Identity) -> Value:
    node = rewriter.topology.node(expr.node)
    if node is not None and node.is_group and node.name in rewriter.context.scaling:
        return rewriter.context.scaling[node.name]  # a policy is no node: what scales the group has its name
    if node is not None and node.external_name is not MISSING:
        return rewriter.known_by_name(node, expr.path)
    if node is not None and node.external_id is not MISSING:
        return ex.Attribute(_node(rewriter, expr.node), EXISTING_ID, path=expr.path)
    return ex.Identity(_node(rewriter, expr.node), path=expr.path)


def _attribute(rewriter: ToscaRewriter, expr: ex.Attribute) -> Value:
    steps = (expr.name, *expr.keys)
    if any(isinstance(step, Expr) or step is MISSING for step in steps):
        raise Unsupported("the name of the attribute, or a step into its value, is computed")
    node = rewriter.topology.node(expr.node)
    if node is not None and node.external_name is not MISSING:  # it is no node of the result
        if steps == ("name",):
            return rewriter.rewrite(node.external_name, expr.path)
        raise Unsupported(f"'{node.name}' exists already and only its name is known")
    if is_number(expr):
        raise Unsupported("nothing yields the number of an instance")
    return ex.Attribute(_node(rewriter, expr.node), _of_today(rewriter, expr), expr.keys, path=expr.path)


def _instances(rewriter: ToscaRewriter, expr: ex.AttributeList) -> Value:
    """The attribute of a node of which there are several: outside of its group it is that of all of them."""
    scaled = rewriter.context.scaled
    group = scaled.get(expr.node) if isinstance(expr.node, str) else None
    if group is None or group == scaled.get(rewriter.user or "") or expr.name in (MISSING, "id"):
        raise Unsupported(rewriter.no_counterpart(expr))
    attribute = _attribute(rewriter, ex.Attribute(expr.node, expr.name, expr.keys, path=expr.path))
    rewriter.report("BPC841", expr.path, name=expr.node)
    return attribute


def _of_today(rewriter: ToscaRewriter, expr: ex.Attribute) -> Value:
    """The name of an attribute. Of an older type that became one of today, the name that it has there."""
    node = rewriter.topology.node(expr.node)
    kind = rewriter.context.catalogue.kind(node.kind) if node is not None else None
    rule = kind.attributes.get(expr.name) if kind is not None and isinstance(expr.name, str) else None
    if kind is None or rule is None or not rule.also:
        return expr.name
    means = (rule.to, rule.property, rule.reference)
    others = ((name, rule) for name, rule in kind.attributes.items() if not rule.also)
    name_today = next((name for name, rule in others if (rule.to, rule.property, rule.reference) == means), None)
    if name_today is None:
        raise Unsupported(f"{kind.heat[0]} has no attribute '{expr.name}'")
    return name_today


def _property(rewriter: ToscaRewriter, expr: ex.Property) -> Value:
    """The property's value: other languages have other properties."""
    node = rewriter.topology.node(expr.node)
    value: Value = node.declared if node is not None else MISSING
    for key in (expr.name, *expr.keys):
        if (isinstance(value, dict) and type(key) in ex.SCALARS and key in value) or (
            isinstance(value, list) and isinstance(key, int) and -len(value) <= key < len(value)
        ):
            value = value[key]
        else:
            raise Unsupported("there is no such property, or a part is taken of a value that is computed")
    if rewriter.is_inside(expr):
        raise Unsupported("the property refers to itself")
    if rewriter.entered:
        rewriter.copying()
    with rewriter.state(entered=(*rewriter.entered, expr)):
        return rewriter.rewrite(value, expr.path)


def _foreign(rewriter: ToscaRewriter, expr: ex.Foreign) -> Value:
    """A call of TOSCA's own for a property that a node does not have, which an earlier conversion has kept."""
    argument = expr.argument
    is_own = expr.dialect == DIALECT and expr.name in _OF_NODES and isinstance(argument, list)
    if not is_own or not argument or not all(isinstance(step, (str, int)) for step in argument):
        raise Unsupported(rewriter.no_counterpart(expr))
    return replace(expr, argument=[_node(rewriter, argument[0]), *argument[1:]])


# -- texts --------------------------------------------------------------------------------------------------


def _file(rewriter: ToscaRewriter, expr: ex.File) -> Value:
    context = rewriter.context
    if isinstance(expr.name, str):
        text, code = context.request.files.read(expr.name)
        if text is not None:
            return text
        user = rewriter.topology.nodes.get(rewriter.user or "")
        if is_url(expr.name) and user is not None and user.role and user.kind is None:
            return rewriter.artifact(user.name, expr)
        rewriter.report(code, expr.path, name=context.request.files.shown(expr.name))
    raise Unsupported("the file is not available")


def _join(rewriter: ToscaRewriter, expr: ex.Join) -> Value:
    """``concat`` where the items are written in the document; tosca-parser takes ``join`` for data."""
    if all(isinstance(part, (list, tuple)) for part in expr.lists):
        return joins.join(rewriter, expr)
    raise Unsupported("the list is only known when deploying, and not every engine reads join")


def _expressible(apply: Callable[[Any, Any], Value]) -> Callable[[Any, Any], Value]:
    """The rule, for what it yields that TOSCA has functions for."""

    def applied(rewriter: ToscaRewriter, expr: Expr) -> Value:
        result = apply(rewriter, expr)
        try:
            write_value(result)
        except Inexpressible:
            raise Unsupported("a text is changed when deploying, and TOSCA has no function for that") from None
        return result

    return applied


# -- what only the source's engine knows --------------------------------------------------------------------


def _secret(rewriter: ToscaRewriter, expr: ex.Secret) -> Value:
    """One input for each secret."""
    if not isinstance(expr.name, str) or expr.keys:
        raise Unsupported("the name of the secret is computed, or a part of the secret is taken")
    words = f"Secret '{expr.name}' of the {rewriter.request.source.title} manager; confidential"
    return rewriter.shared(expr.name, words, expr.path, "BPC234", name=expr.name, what="input")


def _system(rewriter: ToscaRewriter, expr: ex.System) -> Value:
    """One input for each fact about the deployment, with a default for its name. An id of
    it that something has and something else looks for is made by a node."""
    fact, wanted, request = expr.name.replace(".", " "), expr.name.replace(".", "_"), rewriter.request
    words = f"The {fact}, which {request.source.title} knows itself"
    if expr.name == "deployment.id" and _is_mark(rewriter, expr.path):
        unique_id = rewriter.made_unique(expr.path)
        if unique_id is not MISSING:
            return unique_id
    if expr.name == "deployment.name" and not request.files.inner:
        return rewriter.shared(wanted, words, expr.path, "BPC262", _NAME, name=_NAME)
    return rewriter.shared(wanted, words, expr.path, what=f"TOSCA has no function for the {fact}")


def _is_mark(rewriter: ToscaRewriter, path: Path) -> bool:
    """True for a value that marks what belongs together: of metadata, or of an alarm that looks for it there."""
    node = rewriter.topology.node(rewriter.user)
    is_alarm = node is not None and node.source_type.startswith(_ALARMS)
    return "metadata" in path or is_alarm or rewriter.inert == "output"


def _concat(rewriter: ToscaRewriter, expr: ex.Concat) -> Value:
    with rewriter.state(_in_concat=True):
        return rewriter.text([rewriter.as_text(item, expr.path) for item in expr.items], expr.path)


def _split(rewriter: ToscaRewriter, expr: ex.Split) -> Value:
    whole = isinstance(expr.index, int) and not isinstance(expr.index, bool) and expr.index >= 0
    if not whole or not isinstance(expr.delimiter, str) or len(expr.delimiter) != 1:
        raise Unsupported("token takes one character and the number of a piece")
    text = rewriter.as_text(expr.text, expr.path)
    return ex.Split(expr.delimiter, text, expr.index, strict=True, path=expr.path)


#: the default of the name of a deployment
_NAME: Final = "service"
#: what a value is -> the type of the input that asks for it
_ASKED: Final = {
    "text": "string", "number": "float", "boolean": "boolean", "list": "list", "map": "map", "json": "map",
}  # fmt: skip
#: what a value is -> why a text of it is computed by none of TOSCA's functions
_SPELLINGS: Final = {
    "boolean": "engines write true and false in different ways",
    "number": "some engines take no numbers in texts, and others write those with a point in their own ways",
}
#: classes of literals -> type of an input
_PARTS: Final[tuple[tuple[type, str], ...]] = (
    (bool, "boolean"), (int, "number"), (float, "number"), (str, "string"), (list, "list"), (dict, "json"),
)  # fmt: skip
#: types of resources that look for others by their metadata
_ALARMS: Final = ("OS::Aodh::", "OS::Ceilometer::", "OS::Monasca::")
#: the type of artifacts of which nothing more is known
_ARTIFACT: Final = "tosca.artifacts.File"
_ATTRIBUTE_FORM: Final = "`get_attribute`"
#: calls about a property of a node, which may not be there
_OF_NODES: Final = ("get_property",)

RULES: Final[dict[type[Expr], Rule]] = {
    ex.Input: Rule(Fidelity.EXACT, "`get_input`", _input),
    ex.Identity: Rule(Fidelity.EXACT, "`get_attribute` of `tosca_id`", _identity),
    ex.Attribute: Rule(Fidelity.EXACT, _ATTRIBUTE_FORM, _attribute),
    ex.AttributeList: Rule(Fidelity.APPROXIMATED, "`get_attribute` of a node with several instances", _instances),
    ex.Property: Rule(Fidelity.REWRITTEN, "the property's value", _property),
    ex.Foreign: Rule(Fidelity.EXACT, "the call itself, where it is one of TOSCA", _foreign),
    ex.File: Rule(Fidelity.EXACT, "the text of the file", _file),
    ex.Join: Rule(Fidelity.REWRITTEN, "`concat` with the delimiter between the items", _expressible(_join),
                  structure=lambda expr: expr.lists),
    ex.Replace: Rule(Fidelity.REWRITTEN, "`concat` of the template's pieces", _expressible(joins.replace),
                     structure=lambda expr: (expr.template, expr.params)),
    ex.Url: Rule(Fidelity.REWRITTEN, "`concat` of the parts", _expressible(urls.url),
                 takes=lambda rewriter, expr: True),
    ex.Concat: Rule(Fidelity.EXACT, "`concat`", _concat),
    ex.Split: Rule(Fidelity.REWRITTEN, "`token`", _split),
    ex.Query: Rule(Fidelity.EXACT, "a node computes the function of a text that it is", queries.rewrite),
    ex.Secret: Rule(Fidelity.APPROXIMATED, "an input named like the secret", _secret),
    ex.System: Rule(Fidelity.APPROXIMATED, "an input for each fact about the deployment", _system),
}  # fmt: skip
