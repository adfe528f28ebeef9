"""The properties of node templates, by the catalogue's rules."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from typing import Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.light import replace
from bpconvert.models.topology import Node
from bpconvert.translators.catalogue import schemas
from bpconvert.translators.catalogue.model import Kind, Lift, PropertyRule
from bpconvert.translators.cloudify import hooks
from bpconvert.translators.cloudify.openstack.arrangement import Reshaping, is_some_name
from bpconvert.translators.cloudify.openstack.drafts import NodeDraft
from bpconvert.translators.cloudify.write import coercion, components
from bpconvert.translators.cloudify.write.context import Context
from bpconvert.translators.cloudify.write.rewriter import DslRewriter
from bpconvert.translators.evaluate.scope import may_vanish
from bpconvert.translators.passes.expressions import branches, piecewise
from bpconvert.translators.passes.expressions.choices import outcomes
from bpconvert.translators.passes.expressions.rewriter import Unsupported

#: hook -> what writes the property
_PRESENT: dict[str, Callable[..., None]] = {**hooks.PRESENT, **components.PRESENT}

#: the format of user data that installs Heat's older tools
_TOOLS: Final = "HEAT_CFNTOOLS"
#: what stands for an item where a map is made of each
_ITEM: Final = "%item%"


class Properties:
    """Writes the properties of nodes."""

    def __init__(self, context: Context, rewriter: DslRewriter, arrangement: Reshaping) -> None:
        self.context = context
        self.topology = context.topology
        self.generation2 = context.generation2
        self.report = context.reporter.report
        self.rewriter = rewriter
        self.node_name = context.names.node
        self.interfaces = arrangement.interfaces
        self.suggest_type = context.inputs.suggest_type
        self.arrangement = arrangement
        #: nodes that look names up for what is written, and are not written yet
        self.lookups: list[Node] = []
        #: what is written is in one branch of a choice
        self._in_branch = False

    def put(self, draft: NodeDraft, name: str, rule: PropertyRule, value: Value, source: Path) -> None:
        """Write one neutral property by its rule; ``source`` is its place in the source."""
        if name in draft.node.settled:
            return
        if value is None and rule.hook not in hooks.WITH_NULL:
            self.report("BPC307", source, name=name)
            if draft.node.aliases.get(name, name) in schemas.required(draft.node.source_type):
                draft.unsupported[name] = None
            return
        if draft.kind is not None and self._is_implied(draft.node, draft.kind, name):
            draft.moved(source, "relationships")
            return
        if rule.carry:
            self._carry(draft, name, rule, value, source)
            return
        if rule.note:
            self.report("BPC309", source, note=rule.note)
        if rule.hook in hooks.FITTING:
            fitting = hooks.FITTING[rule.hook](self, draft, value, source)
            if fitting is MISSING:
                self.report("BPC306", source, name=name, value=value)
                return
            value = fitting
        hook = _PRESENT.get(rule.hook or "")
        if hook is not None:
            hook(self, draft, rule, value, source)
            return
        if may_vanish(value):
            if rule.default is None and self._vanishing(draft, name, rule, value, source):
                return
            value = branches.otherwise(value, rule.default)
        value = self.arrangement.referred(rule, value, draft.node)
        if rule.lift and self.lift(draft, rule, value, source):
            return
        self._place(draft, name, rule, self._id_of(draft, name, rule, value, source), source)

    def _place(self, draft: NodeDraft, name: str, rule: PropertyRule, value: Value, source: Path) -> None:
        """Write a value where its rule has it."""
        if rule.flatten:
            self._flatten(draft, rule.flatten, name, value, source)
        elif rule.to and not _is_sent(self.report, draft.type, tuple(rule.to.split(".")), source):
            draft.unsupported[name] = value
        elif rule.to:
            written = self.shaped(draft, rule, value, source)
            if written or not (rule.open and value):  # all of it may be relationships
                draft.put(tuple(rule.to.split(".")), written, source)

    def _carry(self, draft: NodeDraft, name: str, rule: PropertyRule, value: Value, source: Path) -> None:
        """Report a property that has no counterpart."""
        if value in rule.ignore:
            self.report("BPC306", source, name=name, value=value)
            return
        if value == _TOOLS:
            self.report("BPC339", source, name=draft.node.name)
        else:
            code = "BPC250" if rule.unneeded else "BPC302"
            self.report(code, source, name=name, type=draft.node.source_type or draft.type, why=rule.carry)
        draft.unsupported[name] = value

    def _vanishing(self, draft: NodeDraft, name: str, rule: PropertyRule, value: Value, source: Path) -> bool:
        """Write a property that may vanish. False where it is not in a map of its own, or Cloudify cannot decide."""
        path = tuple((rule.to or "").split("."))
        if len(path) < 2 or rule.flatten or self.generation2:
            return False
        names = _names_sent(draft.type, path)
        if names is not None and path[2] not in names:
            return False
        if rule.lift and any(isinstance(expr, (ex.Identity, ex.Attribute)) for expr in ex.walk(value)):
            return False

        def shaped(part: Value) -> Value:
            with self._branch():
                return self.shaped(draft, rule, self._id_of(draft, name, rule, part, source), source)

        try:
            entry = branches.optional_entry(self.rewriter, path[-1], value, source, shaped)
        except Unsupported:
            return False
        if path[:-1] == ("resource_config",) and coercion.has_default_name(draft.type):
            draft.properties["resource_config"].setdefault("name", "")  # the parser adds it to what is written out only
        draft.optional.setdefault(path[:-1], []).append(entry)
        draft.moved(source, "properties", *path[:-1])
        return True

    def lift(self, draft: NodeDraft, rule: PropertyRule, value: Value, source: Path) -> bool:
        """Turn references into relationships. True when the property itself is not written any more."""
        lift = rule.lift
        if lift is None or self._in_branch:
            return False
        items = value if isinstance(value, list) else [value]
        if not items or not all(self.topology.is_reference(item, lift.targets) for item in items):
            return False
        if lift.implies and not self._agrees(draft.node, lift, items[0]):
            return False
        for item in items:
            draft.relate(lift.relationship, item.node, item.path or source)
        draft.moved(source, "relationships")
        if lift.note:
            self.report("BPC309", source, note=lift.note)
        return not lift.keep

    def shaped(self, draft: NodeDraft, rule: PropertyRule, value: Value, source: Path) -> Value:
        """The value in the shape that the rule asks for."""
        if (rule.each or rule.items) and (chosen := self._chosen(draft, rule, value, source)) is not MISSING:
            return chosen
        if rule.each and isinstance(value, list):
            return [self.shaped_item(draft, rule, item, (*source, i)) for i, item in enumerate(value)]
        if rule.each and isinstance(value, dict):
            return self.shaped_item(draft, rule, value, source)
        if isinstance(value, ex.Expr) and ((rule.each and not rule.open) or rule.items):
            yielded = self._yielded(rule, value, source)
            return self._asked(draft, rule, value, source) if yielded is MISSING else yielded
        if rule.items == "name_maps" and isinstance(value, list):
            return [{"name": self.rewriter.value(item, (*source, i))} for i, item in enumerate(value)]
        written = self.rewriter.value(value, source)
        if rule.type == "string" and isinstance(written, ex.Expr):
            if self.rewriter.kind(value) not in ("number", "boolean"):
                return written
            self.report("BPC332", source)
            return ex.Concat((written,), path=written.path)
        plain = coercion.typed(rule.type, written)
        if type(plain) is not type(written):
            self.report("BPC509", source, value=plain)
        return plain

    def _yielded(self, rule: PropertyRule, value: ex.Expr, source: Path) -> Value:
        """What refers to a list of maps that a node computes; MISSING where none does."""
        if not rule.each or not isinstance(value, (ex.Repeat, ex.ListConcat)):
            return MISSING
        from bpconvert.translators.cloudify.write import yielded_lists  # few templates have such lists

        return yielded_lists.written(self, rule, value, source)

    def _asked(self, draft: NodeDraft, rule: PropertyRule, value: ex.Expr, source: Path) -> Value:
        """The input for a list or map that only a call yields: the plugin has other names for its keys. Where it has
        maps in place of texts, a node makes them."""
        reason = f"Cloudify wants {'maps with names' if rule.items else 'other names for the keys of its items'}"
        if rule.items and self.rewriter.has_data_elsewhere:
            maps = ex.Repeat({"name": _ITEM}, {_ITEM: value}, path=value.path)
            reference = self.rewriter.computed_elsewhere(maps, value.path or source, reason)
            if reference is not MISSING:
                return reference
        usual = self._usual(value)
        if any(isinstance(expr, (ex.Identity, ex.Attribute)) for expr in ex.walk(usual)):
            usual = MISSING  # a relationship may express a part of it
        if isinstance(usual, (list, dict)):
            usual = self.shaped(draft, rule, usual, value.path or source)
        return self.rewriter.asked(value, value.path or source, reason, [] if usual is None else usual)

    def _usual(self, value: Value) -> Value:
        """What is chosen where every parameter has its default; references to parameters in it stay."""
        if isinstance(value, ex.If):
            chosen = self.rewriter.by_default(value.condition)
            if isinstance(chosen, bool):
                return self._usual(value.then if chosen else value.otherwise)
        return value if isinstance(value, (list, dict)) else self.rewriter.by_default(value)

    def _chosen(self, draft: NodeDraft, rule: PropertyRule, value: Value, source: Path) -> Value:
        """A choice between values in the shape of ``rule``, see :meth:`by_branch`."""
        return self.by_branch(value, source, lambda branch, place: self.shaped(draft, rule, branch, place))

    def by_branch(self, value: Value, source: Path, shaped: Callable[[Value, Path], Value]) -> Value:
        """A choice between values, or a list or map with parts that conditions remove, each ``shaped``; MISSING where
        there is none. A relationship would be there in both branches: what they refer to is only waited for."""
        parts = value if isinstance(value, list) else value.values() if isinstance(value, dict) else ()
        if any(map(may_vanish, parts)):
            value = piecewise.by_case(self.rewriter, value, source)
        if not isinstance(value, ex.If) or value.otherwise is MISSING:
            return MISSING
        place = value.path or source
        try:
            branches.choose(self.rewriter, value.condition, None, None, place)
        except Unsupported:
            return MISSING
        with self._branch():
            written = [shaped(branch, place) for branch in (value.then, value.otherwise)]
        self.report("BPC223", place, name="if", how=self.rewriter.rules[ex.If].how)
        return branches.choose(self.rewriter, value.condition, written[0], written[1], place)

    def whole_choice(self, values: list[Value], source: Path) -> Value:
        """A choice between lists in place of a list with an item that may not be there; other lists as they are."""
        chosen = piecewise.by_case(self.rewriter, values, source) if any(map(may_vanish, values)) else MISSING
        return values if chosen is MISSING else chosen

    @contextmanager
    def _branch(self) -> Iterator[None]:
        """In here one branch of a choice is written."""
        before, self._in_branch = self._in_branch, True
        try:
            yield
        finally:
            self._in_branch = before

    def shaped_item(self, draft: NodeDraft, rule: PropertyRule, item: Value, source: Path) -> Value:
        """One map of a list, key by key."""
        chosen = self.by_branch(item, source, lambda branch, place: self.shaped_item(draft, rule, branch, place))
        if chosen is not MISSING:
            return chosen
        if not isinstance(item, dict):
            if isinstance(item, ex.Expr):
                return self.rewriter.replacement(item, item.path or source, "its keys have other names in Cloudify")
            return self.rewriter.value(item, source)
        result: dict[Any, Value] = {}
        for key, value in item.items():
            neutral = rule.aliases.get(key, key)
            part = rule.each.get(neutral) if isinstance(neutral, str) else None
            place = (*source, key)
            if part is None and rule.open:
                result[key] = self.rewriter.value(value, place)
            elif part is None:
                self.report("BPC301", place, name=key, type=draft.node.source_type)
            elif part.hook:
                hooks.ITEM[part.hook](item, result)
                self.report("BPC316", place, name=key, value=value)
            elif value is None:
                self.report("BPC307", place, name=key)
            else:
                value = self.arrangement.referred(part, value, draft.node)
                if self.lift(draft, part, value, place):
                    continue
                if part.lookup:
                    value = self.looked_up(draft, str(neutral), value, place, part.lift.targets if part.lift else ())
                result[part.to] = self.shaped(draft, part, value, place)
        for part in rule.each.values():
            if part.default is not None and part.to and part.to not in result:
                result[part.to] = part.default
        return result

    def _id_of(self, draft: NodeDraft, name: str, rule: PropertyRule, value: Value, source: Path) -> Value:
        """``value``, or by the rule of its property what looks it up."""
        if not rule.lookup or value == rule.default:
            return value
        return self.looked_up(draft, name, value, source, rule.lift.targets if rule.lift else ())

    def looked_up(self, draft: NodeDraft, name: str, value: Value, source: Path, kinds: Collection[str] = ()) -> Value:
        """``value`` with a reference to a node that looks it up in place of each name, or what may be one, where Heat
        looks that up and the plugin does not. ``kinds``: what may be called so, where ``name``, that of the property,
        does not say it."""
        if isinstance(value, list):
            value = self.whole_choice(value, source)
        if isinstance(value, list):
            return [self.looked_up(draft, name, item, source, kinds) for item in value]
        if isinstance(value, ex.If) and any(isinstance(possible, list) for possible in outcomes(value)):
            with self._branch():
                ids = [self.looked_up(draft, name, part, source, kinds) for part in (value.then, value.otherwise)]
            return replace(value, then=ids[0], otherwise=ids[1])
        if not is_some_name(value):
            return value
        from bpconvert.translators.cloudify.write import lookups  # few templates have such names

        looked_up = lookups.lookup(self.arrangement, draft, kinds or (name,), value, source, optional=self._in_branch)
        if looked_up is None:
            self.report_names(name, value, source)
            return value
        identity, node = looked_up
        self.lookups += [node] if node is not None else []
        return identity

    def report_names(self, name: str, value: Value, source: Path) -> None:
        """Report a name, or what may be one, where Heat looks it up, and no node can."""
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, ex.Expr) and is_some_name(item):
                self.report("BPC312", source, name=name, what=self._given_by(item))
            elif is_some_name(item):
                self.report("BPC336", source, name=name, value=item)

    def _given_by(self, value: Value) -> str:
        """What ``value`` is, in words."""
        names = dict.fromkeys(str(expr.name) for expr in ex.walk(value) if isinstance(expr, ex.Input))
        inputs = " and ".join(f"'{name}'" for name in names)
        if not isinstance(value, ex.Input):
            return f"the value made of {inputs}" if names else "the value"
        declared = self.topology.inputs.get(str(value.name))
        is_list = declared is not None and declared.type == "list" and not value.keys
        return f"{'each item of ' if is_list else ''}input {inputs}"

    def _flatten(self, draft: NodeDraft, to: str, name: str, value: Value, source: Path) -> None:
        """Write the keys of a map, but those that openstacksdk would drop without a word."""
        written = value if isinstance(value, dict) else self.rewriter.value(value, source)
        if not isinstance(written, dict):
            self._merge_settings(draft, to, name, value, written, source)
            return
        for key, part in written.items():
            path, place = (*to.split("."), key), (*source, key)
            if _is_sent(self.report, draft.type, path, place, always=True):
                draft.put(path, self.rewriter.value(part, place) if written is value else part, place)
            elif written is value:
                draft.unsupported.setdefault(name, {})[key] = part
        if written and schemas.sdk_names(draft.type) is None:
            self.report("BPC313", source, name=name)

    def _merge_settings(self, draft: NodeDraft, to: str, name: str, value: Value, written: Value, source: Path) -> None:
        """Merge a map that is known when deploying only into the settings. The keys that it has by default are looked
        up in the names of openstacksdk, which drops others."""
        is_left_out = self.generation2 or not isinstance(value, ex.Expr) or may_vanish(value)
        if is_left_out or self.rewriter.kind(value) not in ("map", "json", "any"):
            self.report("BPC301", source, name=name, type=draft.node.source_type)
            draft.unsupported[name] = value
            return
        path = tuple(to.split("."))
        draft.optional.setdefault(path, []).append(written)
        draft.moved(source, "properties", *path)
        usual = self.rewriter.by_default(value)
        for key in usual if isinstance(usual, dict) else ():
            _is_sent(self.report, draft.type, (*path, str(key)), source, always=True)
        if not isinstance(usual, dict):
            self.report("BPC977", source, name=name, what=self._given_by(value))
        elif schemas.sdk_names(draft.type) is None:
            self.report("BPC313", source, name=name)

    # -- what a relationship means beside the property that it stands for (``implies`` of a catalogue's lift) ---------

    def _agrees(self, node: Node, lift: Lift, value: Value) -> bool:
        """True when the relationship for ``value``, a reference, means what the properties beside it are."""
        kind = self.topology.nodes[value.node].kind
        return all(values.get(kind or "") == node.properties.get(name) for name, values in lift.implies.items())

    def _is_implied(self, node: Node, kind: Kind, name: str) -> bool:
        """True when a relationship implies property ``name`` of ``node``."""
        for other, rule in kind.properties.items():
            lift = rule.lift
            if lift is not None and name in lift.implies:
                value = node.properties.get(other)
                if self.topology.is_reference(value, lift.targets):
                    return self._agrees(node, lift, value)
        return False


def _is_sent(
    report: Callable[..., Any], node_type: str, path: tuple[str, ...], source: Path, always: bool = False
) -> bool:
    """False, and reported, for a setting under ``kwargs`` that openstacksdk drops without a word. ``always``: report
    one that is sent, too, where nothing but the names of openstacksdk shows that it is known."""
    names = _names_sent(node_type, path)
    if names is None:
        return True
    sent = path[2] in names
    if always or not sent:
        from bpconvert.diagnostics.suggest import guess

        words = {"version": schemas.sdk_version(), "guess": guess(path[2], names) if always else ""}
        report("BPC784" if sent else "BPC785", source, name=path[2], **words)
    return sent


def _names_sent(node_type: str, path: tuple[str, ...]) -> Collection[str] | None:
    """The settings under ``kwargs`` that openstacksdk sends; None for what is none, or where they are not known."""
    is_setting = path[:2] == ("resource_config", "kwargs") and bool(path[2:])
    return schemas.sdk_names(node_type) if is_setting else None
