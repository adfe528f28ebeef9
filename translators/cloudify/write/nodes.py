"""The node templates: each neutral node with its type, properties and lifted references."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.topology import Node
from bpconvert.translators.catalogue import schemas, stand_ins
from bpconvert.translators.catalogue.model import Kind, PropertyRule
from bpconvert.translators.catalogue.schemas.values import guess
from bpconvert.translators.cloudify import escaping
from bpconvert.translators.cloudify.functions import collides
from bpconvert.translators.cloudify.openstack import connections_write, hooks_write, implied_properties
from bpconvert.translators.cloudify.vocabulary import STAND_IN_TYPE
from bpconvert.translators.cloudify.write import agents, components, expand, scaling
from bpconvert.translators.cloudify.write.context import Context
from bpconvert.translators.cloudify.write.rewriter import DslRewriter
from bpconvert.translators.evaluate.scope import may_vanish
from bpconvert.translators.passes.expressions import branches, optional_entries, piecewise
from bpconvert.translators.passes.expressions.rewriter import Unsupported
from bpconvert.translators.passes.groups.grouping import complete
from bpconvert.translators.support.text import is_uuid

#: the property by which a stand-in of another language shows the type of a node
SHOWN_TYPE = "cloudify_type"


@dataclass(eq=False, repr=False)
class Relation:
    """A relationship that carries meaning of its own (a lifted reference)."""

    type: str
    target: str
    path: Path


@dataclass(eq=False, repr=False)
class Draft:
    """A node template in the making. ``moves``: (place in the source, place in the blueprint), for comments."""

    node: Node
    name: str
    type: str
    kind: Kind | None
    properties: dict[str, Any] = field(default_factory=dict)
    relations: list[Relation] = field(default_factory=list)
    scaling: Value = MISSING
    #: ``<interface>.<operation>`` -> operation
    interfaces: dict[str, Any] = field(default_factory=dict)
    moves: list[tuple[Path, Path]] = field(default_factory=list)
    #: map among the properties -> the maps that conditions add to it
    optional: dict[Path, list[Value]] = field(default_factory=dict)

    def put(self, path: Path, value: Value, source: Path) -> None:
        """Set the property at ``path``."""
        place = self.properties
        for step in path[:-1]:
            place = place.setdefault(step, {})
        place[path[-1]] = value
        self.moves.append((source, ("node_templates", self.name, "properties", *path)))


class Nodes:
    """Lowers all nodes of a topology."""

    def __init__(self, context: Context, rewriter: DslRewriter) -> None:
        self.context = context
        self.rewriter = rewriter
        #: server -> its interfaces, where all of them are relationships
        self.interfaces: dict[str, list[dict[str, Value]]] = {}
        #: relationships that absorbed resources give to their absorber
        self.given: dict[str, list[Relation]] = {}

    def lower(self) -> list[Draft]:
        """The drafts of all nodes, in the order of the blueprint."""
        topology = self.context.topology
        scaling.lower_sizes(self.rewriter)
        agents.install(self.context)
        expand.expand(self)
        if topology.groups:
            complete(topology)
        helpers: dict[str, list[Node]] = {}
        nodes = self.context.topology.nodes
        for node in nodes.values():
            if node.made_for is not None:
                helpers.setdefault(node.made_for, []).append(node)
        ordered: list[Node] = []
        for node in nodes.values():
            if node.made_for is None:
                ordered += [*helpers.get(node.name, ()), node]
        return [self._draft(node) for node in ordered if node.part_of is None]

    # -- used by expand -------------------------------------------------------------------------------------

    def add(self, node: Node, before: str) -> None:
        """Add a node that the source does not have."""
        self.context.topology.nodes[node.name] = node
        node.made_for = self.context.topology.nodes[before].made_for or before

    def is_reference(self, value: Value, kinds: Iterable[str]) -> bool:
        """True when ``value`` is the identity of a node of one of ``kinds`` that has a real node of its own."""
        if not isinstance(value, ex.Identity):
            return False
        node = self.context.node_of(value.node)
        return (
            node is not None
            and node.kind is not None
            and node.kind in kinds
            and node.part_of is None
            and not node.stand_in
        )

    def can_be_end(self, value: Value) -> bool:
        """True for what can be one side of a connection: a reference, or the name or id of an existing resource."""
        return value is not None and not isinstance(value, (ex.Attribute, list, dict))

    def endpoint(self, node: Node, role: str, kind: str) -> str:
        """The node that property ``role`` refers to: a real one, or an external one for a name or id."""
        value = node.properties[role]
        if not isinstance(value, ex.Identity):
            value = expand.external(self, kind, value, node, (*node.path, "properties", role))
        return str(value.node)

    def connect(self, owner: str, relationship: str, target: str, path: Path) -> None:
        """Give ``owner`` a relationship to ``target``; raise Refused where the two are connected already."""
        if owner == target or any(r.target == target for r in self.given.get(owner, ())):
            raise connections_write.Refused(f"'{owner}' and '{target}' are connected already")
        self.given.setdefault(owner, []).append(Relation(relationship, target, path))

    def absorb(self, node: Node, owner: str, relationship: str | None, target: str | None, used: set[str]) -> None:
        """Let ``owner`` take in resource ``node`` as a relationship to ``target``."""
        if relationship and target:
            self.connect(owner, relationship, target, node.path)
        node.part_of = owner
        self.context.reporter.report("BPC303", node.path, type=node.source_type, name=node.name, target=owner)
        for name in sorted(str(key) for key in node.properties.keys() - used if node.properties[key] is not None):
            self.context.reporter.report("BPC301", (*node.path, "properties", name), name=name, type=node.source_type)

    # -- one node -------------------------------------------------------------------------------------------

    def _draft(self, node: Node) -> Draft:
        context = self.context
        kind = context.catalogue.kind(node.kind)
        name = context.node_name(node.name)
        said = node.properties if isinstance(node.properties, dict) else {}
        if kind is None and context.origin is not None and isinstance(said.get(SHOWN_TYPE), str):
            draft = self._shown(node, name)
        elif node.stand_in or kind is None or kind.cloudify is None:
            draft = self._stand_in(node, name)
        else:
            v2 = kind.cloudify.v2 if context.options.plugin == "v2" else None
            draft = Draft(node, name, v2.type if v2 else kind.cloudify.type, kind)
            self._real(draft, kind)
        if node.path and node.made_for is None:
            draft.moves += [(node.entry, ("node_templates", name)), (node.path, ("node_templates", name))]
        self._condition(draft)
        draft.properties = {key: self.rewriter.composed(value, node.path) for key, value in draft.properties.items()}
        if collides(draft.properties):
            why = f"a map with the only key '{next(iter(draft.properties))}' would be a call in Cloudify"
            context.reporter.report("BPC202", (*node.path, "properties"), reason=why)
            draft.properties = {}
        return draft

    def _shown(self, node: Node, name: str) -> Draft:
        """The node of this blueprint's origin that a stand-in shows: its type is known there."""
        draft = Draft(node, name, node.properties[SHOWN_TYPE], None)
        path = (*node.path, "properties")
        for section, place in (("properties", draft.properties), ("interfaces", draft.interfaces)):
            shown = node.properties.get(section)
            for key, value in shown.items() if isinstance(shown, dict) else ():
                place[key] = self.rewriter.value(value, (*path, section, key), inert="node")
        for key in node.properties.keys() - {SHOWN_TYPE, "properties", "interfaces"}:
            self.context.reporter.report("BPC301", (*path, key), name=key, type=node.source_type)
        return draft

    def _stand_in(self, node: Node, name: str) -> Draft:
        draft = Draft(node, name, STAND_IN_TYPE, None)
        if node.refusal is not None:
            code, why = node.refusal
            self.context.reporter.report(code, node.path, type=node.source_type, name=node.name, why=why)
        else:
            self._without_counterpart(node)
        if node.source_type.endswith((".yaml", ".yml", ".template")) and not node.not_nested:
            self.context.reporter.report("BPC613", (*node.path, "type"), name=node.source_type)
        draft.properties["heat_type"] = self.rewriter.value(node.source_type, (*node.path, "type"), inert="node")
        path = (*node.path, "properties")
        if node.properties:
            safe = escaping.guarded(node.properties, path, self.context.reporter)
            draft.put(("heat_properties",), self.rewriter.value(safe, path, inert="node"), path)
        return draft

    def _without_counterpart(self, node: Node) -> None:
        """Say what is lost with a resource of a type that is not converted."""
        what = {"type": node.source_type, "name": node.name}
        known = None if node.kind is not None else stand_ins.loss(self.context.topology.dialect, [node.source_type])
        if known is None:
            self.context.reporter.report("BPC300", node.path, **what)
        else:
            code = "BPC792" if known.harmless else "BPC790"
            self.context.reporter.report(code, node.path, **what, lost=known.lost, todo=known.todo)

    def _real(self, draft: Draft, kind: Kind) -> None:
        node, context = draft.node, self.context
        if kind.note:
            context.reporter.report("BPC308", node.path, type=node.source_type, note=kind.note)
        if kind.cloudify and not kind.cloudify.plain:
            draft.properties["resource_config"] = {}
        for key, constant in kind.constants.items():
            draft.properties[key] = constant
        if node.external_id is not MISSING:
            draft.properties = {"use_external_resource": True, **draft.properties}
            setting = kind.cloudify.existing if kind.cloudify else "id"
            said = self.rewriter.value(node.external_id, node.path)
            draft.put(("resource_config", setting), said, (*node.path, "external_id"))
        path = (*node.path, "properties")
        for name, value in node.properties.items():
            source = node.origin(name)
            rule = kind.properties.get(name)
            if rule is None:
                context.reporter.report("BPC301", source, name=name, type=node.source_type)
            else:
                self.property(draft, name, rule, value, source)
        if node.external_id is MISSING:
            self._defaults(draft, kind, path)
        for key, needed in kind.cloudify.required.items() if kind.cloudify else ():
            draft.properties["resource_config"].setdefault(key, needed)
        for key, (value, source) in node.settings.items():
            draft.put((key,), self.rewriter.value(value, source), source)
        for operation in node.operations:
            written: dict[str, Any] = {"implementation": operation.implementation} if operation.implementation else {}
            if operation.inputs:
                called = (f"{operation.interface}.{operation.name}",)
                source = node.origins.get(called, (*operation.path, "inputs"))
                written["inputs"] = self.rewriter.value(operation.inputs, source)
            draft.interfaces[f"{operation.interface}.{operation.name}"] = {**written, **operation.extra}
        draft.relations += self.given.get(node.name, ())

    def _defaults(self, draft: Draft, kind: Kind, path: Path) -> None:
        """What Heat does where the source is silent."""
        for name, rule in kind.properties.items():
            if name in draft.node.properties:
                continue
            if rule.default is not None and rule.to:
                draft.put(tuple(rule.to.split(".")), rule.default, path)
            elif rule.hook in hooks_write.ABSENT:
                hooks_write.ABSENT[rule.hook](self, draft, path)

    def property(self, draft: Draft, name: str, rule: PropertyRule, value: Value, source: Path) -> None:
        """Say one neutral property by its rule."""
        report = self.context.reporter.report
        if name in draft.node.settled:
            return
        if value is None and rule.hook not in hooks_write.WITH_NULL:
            report("BPC307", source, name=name)
            return
        if draft.kind is not None and implied_properties.says(self, draft.node, draft.kind, name):
            draft.moves.append((source, ("node_templates", draft.name, "relationships")))
            return
        if rule.carry:
            if value in rule.ignore:
                report("BPC306", source, name=name, value=value)
            else:
                report("BPC302", source, name=name, type=draft.node.source_type, why=rule.carry)
            return
        if rule.note:
            report("BPC309", source, note=rule.note)
        hook = hooks_write.PRESENT.get(rule.hook or "") or components.PRESENT.get(rule.hook or "")
        if hook is not None:
            hook(self, draft, rule, value, source)
            return
        if may_vanish(value):
            if rule.default is None and self._vanishing(draft, rule, value, source):
                return
            value = optional_entries.otherwise(value, rule.default)
        value = expand.named(self, rule, value, draft.node)
        if rule.lift and self.lift(draft, rule, value, source):
            return
        if rule.lookup and value != rule.default:
            self.looked_up(name, value, source)
        if rule.flatten:
            self._flatten(draft, rule.flatten, name, value, source)
        elif rule.to and self._is_sent(draft, tuple(rule.to.split(".")), source):
            said = self.shaped(draft, rule, value, source)
            if said or not (rule.open and value):  # all of it may be relationships
                draft.put(tuple(rule.to.split(".")), said, source)

    def _vanishing(self, draft: Draft, rule: PropertyRule, value: Value, source: Path) -> bool:
        """Write a property that may vanish. False where it is not in a map of its own, or Cloudify cannot decide."""
        path = tuple((rule.to or "").split("."))
        if len(path) < 2 or rule.flatten or rule.each or self.context.options.plugin == "v2":
            return False
        if rule.lift and any(isinstance(expr, (ex.Identity, ex.Attribute)) for expr in ex.walk(value)):
            return False
        try:
            entry = optional_entries.entry(
                self.rewriter, path[-1], value, source, lambda part: self.shaped(draft, rule, part, source)
            )
        except Unsupported:
            return False
        draft.optional.setdefault(path[:-1], []).append(entry)
        draft.moves.append((source, ("node_templates", draft.name, "properties", *path[:-1])))
        return True

    def lift(self, draft: Draft, rule: PropertyRule, value: Value, source: Path) -> bool:
        """Turn references into relationships. True when the property itself is not written any more."""
        lift = rule.lift
        if lift is None:
            return False
        items = value if isinstance(value, list) else [value]
        if not items or not all(self.is_reference(item, lift.targets) for item in items):
            return False
        if lift.implies and not implied_properties.agrees(self, draft.node, lift, items[0]):
            return False
        for item in items:
            draft.relations.append(Relation(lift.relationship, item.node, item.path or source))
        draft.moves.append((source, ("node_templates", draft.name, "relationships")))
        if lift.note:
            self.context.reporter.report("BPC309", source, note=lift.note)
        return not lift.keep

    def shaped(self, draft: Draft, rule: PropertyRule, value: Value, source: Path) -> Value:
        """The value in the shape that the rule asks for, sayable."""
        if rule.each and (chosen := self._chosen(draft, rule, value, source)) is not MISSING:
            return chosen
        if rule.each and isinstance(value, list):
            return [self.shaped_item(draft, rule, item, (*source, i)) for i, item in enumerate(value)]
        if rule.each and isinstance(value, dict):
            return self.shaped_item(draft, rule, value, source)
        if rule.each and not rule.open and isinstance(value, ex.Expr):
            return self.rewriter.replacement(
                value, value.path or source, "the keys of its items have other names in Cloudify"
            )
        if rule.items == "name_maps" and isinstance(value, list):
            return [{"name": self.rewriter.value(item, (*source, i))} for i, item in enumerate(value)]
        said = self.rewriter.value(value, source)
        if rule.type == "string" and isinstance(said, ex.Expr):
            if self.rewriter.kind(value) not in ("number", "boolean"):
                return said
            self.context.reporter.report("BPC332", source)
            return ex.Concat((said,), path=said.path)
        typed = _typed(rule.type, said)
        if type(typed) is not type(said):
            self.context.reporter.report("BPC509", source, value=typed)
        return typed

    def _chosen(self, draft: Draft, rule: PropertyRule, value: Value, source: Path) -> Value:
        """A choice between values, or a list with items that conditions remove, each in its shape; MISSING where there
        is none, or where a relationship may say a part of it."""
        if isinstance(value, list) and any(map(may_vanish, value)):
            value = piecewise.by_case(self.rewriter, value, source)
        if not isinstance(value, ex.If) or value.otherwise is MISSING:
            return MISSING
        may_be_lifted = any(part.lift for part in rule.each.values())
        if may_be_lifted and any(isinstance(expr, (ex.Identity, ex.Attribute)) for expr in ex.walk(value)):
            return MISSING
        place = value.path or source
        try:
            branches.choose(self.rewriter, value.condition, None, None, place)
        except Unsupported:
            return MISSING
        shaped = [self.shaped(draft, rule, branch, place) for branch in (value.then, value.otherwise)]
        self.context.reporter.report("BPC223", place, name="if", how=self.rewriter.rules[ex.If].how)
        return branches.choose(self.rewriter, value.condition, shaped[0], shaped[1], place)

    def shaped_item(self, draft: Draft, rule: PropertyRule, item: Value, source: Path) -> Value:
        """One map of a list, key by key."""
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
                self.context.reporter.report("BPC301", place, name=key, type=draft.node.source_type)
            elif part.hook:
                hooks_write.ITEM[part.hook](self, item, result)
                self.context.reporter.report("BPC316", place, name=key, value=value)
            elif value is None:
                self.context.reporter.report("BPC307", place, name=key)
            else:
                value = expand.named(self, part, value, draft.node)
                if self.lift(draft, part, value, place):
                    continue
                if part.lookup:
                    self.looked_up(key, value, place)
                result[part.to] = self.shaped(draft, part, value, place)
        for part in rule.each.values():
            if part.default is not None and part.to and part.to not in result:
                result[part.to] = part.default
        return result

    def looked_up(self, name: str, value: Value, source: Path) -> None:
        """Report a name, or what may be one, where Heat looks it up and the plugin does not."""
        for item in value if isinstance(value, list) else [value]:
            if expand.is_name(item):
                self.context.reporter.report("BPC336", source, name=name, value=item)
            elif item != "" and not isinstance(item, (ex.Identity, ex.Attribute)) and not is_uuid(item):
                self.context.reporter.report("BPC312", source, name=name)

    def _flatten(self, draft: Draft, to: str, name: str, value: Value, source: Path) -> None:
        """Say the keys of a map, but those that openstacksdk would drop without a word."""
        said = value if isinstance(value, dict) else self.rewriter.value(value, source)
        if not isinstance(said, dict):
            self.context.reporter.report("BPC301", source, name=name, type=draft.node.source_type)
            return
        for key, part in said.items():
            path, place = (*to.split("."), key), (*source, key)
            if self._is_sent(draft, path, place, told=True):
                draft.put(path, self.rewriter.value(part, place) if said is value else part, place)
        if said and schemas.sdk_names(draft.type) is None:
            self.context.reporter.report("BPC313", source, name=name)

    def _is_sent(self, draft: Draft, path: tuple[str, ...], source: Path, told: bool = False) -> bool:
        """False, and reported, for a setting under ``kwargs`` that openstacksdk drops without a word. ``told``: report
        one that is sent, too, where nothing but the names of openstacksdk says that it is known."""
        known = schemas.sdk_names(draft.type)
        if known is None or path[:2] != ("resource_config", "kwargs") or len(path) < 3:
            return True
        is_sent = path[2] in known
        if told or not is_sent:
            words = {"version": schemas.sdk_version(), "guess": guess(path[2], known) if told else ""}
            self.context.reporter.report("BPC784" if is_sent else "BPC785", source, name=path[2], **words)
        return is_sent

    def _condition(self, draft: Draft) -> None:
        node = draft.node
        if node.condition is MISSING:
            return
        user = self.context.topology.nodes[node.made_for or node.name]
        path = (*user.entry, "condition")
        try:
            draft.scaling = branches.choose(self.rewriter, node.condition, 1, 0, path)
        except Unsupported as unsupported:
            self.context.reporter.report("BPC401", path, name=node.name, reason=unsupported.reason)
        else:
            self.context.reporter.report("BPC402", path, name=node.name)


def _typed(kind: str | None, value: Value) -> Value:
    """A literal as the plugin's schema wants it; Heat coerces the same texts (heat/engine/properties.py)."""
    if kind == "string":
        return str(value) if isinstance(value, (bool, int)) else value
    convert = _CONVERT.get(kind or "")
    if convert is None or isinstance(value, (ex.Expr, dict, list, bool)):
        return value
    try:
        return convert(value)
    except (TypeError, ValueError, OverflowError):
        return value


def _boolean(value: Any) -> Any:
    return {"true": True, "false": False}.get(str(value).lower(), value)


_CONVERT: dict[str, Callable[[Any], Any]] = {"integer": int, "boolean": _boolean}
