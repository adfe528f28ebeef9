"""The resources: each neutral node as one of a Heat type, whose properties fit, or as a visible stand-in."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.light import replace
from bpconvert.models.topology import Node, Operation
from bpconvert.translators.catalogue import stand_ins
from bpconvert.translators.catalogue.schemas import heat_type, required
from bpconvert.translators.catalogue.schemas.constraints import is_local
from bpconvert.translators.catalogue.schemas.values import check_value, text_of
from bpconvert.translators.hot import resource_metadata, resource_types
from bpconvert.translators.hot.write import conditions
from bpconvert.translators.hot.write.calls import write_condition, write_value
from bpconvert.translators.hot.write.context import Context, ResourceDraft
from bpconvert.translators.hot.write.kept import portable
from bpconvert.translators.hot.write.rewriter import HotRewriter
from bpconvert.translators.passes.expressions.kinds import INSTANCE_NUMBER, is_number
from bpconvert.translators.passes.expressions.rewriter import merge_texts
from bpconvert.translators.passes.stand_ins import View, view
from bpconvert.translators.support.constraints import TYPES

#: what takes the place of the member's number in the texts of a group
_INDEX = "%index%"
#: stands for the number of a member until it is known which text does
_MARK = "\ue000"
#: type of a property -> of the parameter that asks for it
_PARAMETERS = {"integer": "number", "number": "number", "boolean": "boolean", "map": "json", "list": "json"}
#: the property that names a resource, what is known of a stack that no other one has, and the kinds of which a name is
#: made of that: what uses them refers to them
_NAME, _STACK, _MADE_UP = "name", "deployment.name", ("keypair",)
#: how a resource is called that does nothing
_NOTHING = "an OS::Heat::None"
#: keys of a resource that come after its properties
_LAST = ("metadata", "update_policy", "deletion_policy")


class Resources:
    """Lowers the nodes of a topology."""

    def __init__(self, context: Context, rewriter: HotRewriter) -> None:
        self.context = context
        self.rewriter = rewriter
        self._portable = portable(context)

    def draft(self, node: Node, *, deployed: bool) -> ResourceDraft | None:
        """The resource of a node; None for what exists already and is named where it is used, and for software.
        ``deployed``: some of its operations are deployments."""
        with self.rewriter.state(owner=node.name):
            return self._draft(node, deployed)

    def _draft(self, node: Node, deployed: bool) -> ResourceDraft | None:
        report = self.context.reporter.report
        if node.role and node.kind is None:
            return None  # its operations are all that there is of it
        if node.external_name is not MISSING:
            report("BPC383", node.path, name=node.name)
            self._is_one(node)
            return None
        kind = self.context.catalogue.kind(node.kind)
        name = self.context.names.resource(node.name)
        native = self.context.is_native(node)
        heat_type = node.source_type if native else kind.heat[0] if kind and kind.heat else resource_types.NONE
        draft = ResourceDraft(node, name, heat_type)
        self._count(draft)
        if draft.stand_in and not native:
            self._stand_in(draft, deployed)
        else:
            self._real(draft)
        if node.condition is not MISSING:
            draft.condition = conditions.value(self.rewriter, node.condition, (*node.path, "condition"))
        for key in ("description", *_LAST):
            if node.extra.get(key) is not None:
                draft.extra[key] = self.rewriter.value(node.extra[key], (*node.path, key), inert="node")
        if node.external_id is not MISSING and (kept := resource_metadata.metadata(node, self._portable)):
            draft.extra["metadata"] = {**(draft.extra.get("metadata") or {}), **kept}
        return draft

    def _count(self, draft: ResourceDraft) -> None:
        node = draft.node
        limited = self.context.is_auto_scaling(node)
        if not limited and not node.is_several:
            return
        path = node.origins.get(("instances",), node.path)
        if node.exists:
            self._is_one(node)
            return
        if draft.stand_in:
            self.context.reporter.report("BPC382", path, name=node.name)
            return
        self.context.reporter.report("BPC750" if limited else "BPC381", path, name=node.name, type=draft.type)
        draft.count = 1 if node.instances is MISSING else self.rewriter.value(node.instances, path)
        if limited:
            least, most = (self.rewriter.value(limit, path) for limit in node.limits)
            draft.limits = least, most
        else:
            node.rewrite(lambda value: ex.transform(value, partial(self._numbered, node)), declared=False)

    def _is_one(self, node: Node) -> None:
        """Report that the instances of a resource that exists already are one."""
        if ("instances",) in node.origins:
            place = node.origins["instances",]
            name, why = str(place[-1]), "there is one resource, which exists already"
            self.context.reporter.report("BPC351", place, name=name, why=why)

    def _numbered(self, node: Node, expr: Value) -> Value:
        """The number of a member, which a ResourceGroup puts in its texts."""
        if isinstance(expr, ex.Concat) and _MARK in expr.items:
            items = merge_texts(expr.items)
            return items[0] if len(items) == 1 else replace(expr, items=tuple(items))
        if not is_number(expr) or (expr.node, expr.keys) != (node.name, ()):
            return expr
        if expr.name == INSTANCE_NUMBER:
            self.context.reporter.report("BPC749", expr.path or node.path, name=node.name)
        return _MARK

    def _stand_in(self, draft: ResourceDraft, deployed: bool) -> None:
        """What a person can read instead of a resource: the type, the properties, the operations that nothing runs."""
        node = draft.node
        carried = [operation for operation in node.operations if operation.machine is None]
        seen = view(node, self.context.request)
        self._report_stand_in(node, seen, carried, deployed)
        lost = carried or node.unrun
        if not lost and not node.properties and stand_ins.is_nothing(node.ancestry or [node.source_type]):
            place = ("resources", draft.name)
            draft.moves += [(node.path, place), ((*node.path, "type"), (*place, "type"))]
            return
        shown, path = resource_types.shown_by(seen.title.lower()), seen.path
        draft.properties[shown.type] = self.rewriter.value(seen.type, seen.type_path, inert="node")
        if seen.properties:
            draft.properties[shown.properties] = self.rewriter.value(seen.properties, path, inert="node")
        operations = (*node.path, self.context.words.key("operations"))
        interfaces = dict(seen.operations)
        for operation in carried:
            row: dict[str, Any] = {"implementation": operation.implementation}
            if operation.inputs:
                row["inputs"] = operation.inputs
            name = f"{operation.interface}.{operation.name}"
            interfaces[f"{name} to {operation.target}" if operation.target else name] = row
        if interfaces:
            draft.properties[shown.operations] = self.rewriter.value(interfaces, operations, inert="node")
        draft.moves += [
            (node.path, ("resources", draft.name)),
            ((*node.path, "type"), draft.place(shown.type)),
            (path, draft.place(shown.properties)),
            (operations, draft.place(shown.operations)),
            ((*node.path, self.context.words.key("depends_on")), ("resources", draft.name, "depends_on")),
        ]

    def _report_stand_in(self, node: Node, seen: View, carried: list[Operation], deployed: bool) -> None:
        """What a stand-in stands for."""
        report, what = self.context.reporter.report, {"type": seen.name, "name": node.name}
        ancestry, source = seen.ancestry, self.context.topology.dialect
        if not carried and deployed and node.is_open:
            report("BPC260", node.path, **what)
        elif not carried and deployed:
            report("BPC398", node.path, **what, written=_NOTHING, what="its deployments do what there is to do")
        elif deployed:
            report("BPC377", node.path, **what)
        elif not (carried or node.unrun) and (
            stand_ins.is_idle(ancestry) or stand_ins.is_bare(source, seen.name)
        ):
            does = f"it does nothing but order in {self.context.engine} too"
            report("BPC398", node.path, **what, written=_NOTHING, what=does)
        elif seen.name:  # that there is none, has been reported
            loss = stand_ins.loss(source, ancestry)
            if loss is None or loss.bare:  # its operations are lost
                report("BPC380", node.path, **what)
            else:
                report("BPC791", node.path, **what, lost=loss.lost, todo=loss.todo)

    def _real(self, draft: ResourceDraft) -> None:
        node, kind = draft.node, self.context.catalogue.kind(draft.node.kind)
        other, native = kind.aliases if kind else {}, self.context.is_native(node)
        parts = {place[:length] for place in node.origins for length in range(1, len(place))}
        draft.moves.append((node.path, ("resources", draft.name)))
        for name, value in node.properties.items():
            source = node.origin(name)
            alias = node.aliases.get(name, name)
            spelled = alias if other.get(alias) == name else name
            rewritten = self._rewritten(node, (name,), value, parts)
            if rewritten is None and not native and name not in node.lacks:
                self.context.reporter.report("BPC386", source, name=name)
                continue
            needed = native or spelled in required(draft.type)
            draft.properties[spelled] = rewritten if needed else _optional(rewritten)
            draft.moves.append((source, draft.place(spelled)))
        draft.moves += [
            (place, draft.place(*steps))
            for steps, place in node.origins.items()
            if steps and steps[0] in draft.properties
        ]
        draft.moves += [
            (node.origin(), draft.place()),
            ((*node.path, self.context.words.key("depends_on")), ("resources", draft.name, "depends_on")),
        ]
        if node.external_id is not MISSING:
            source = node.origins.get(("external_id",), node.origin())
            draft.external_id = self._id(draft, self.rewriter.value(node.external_id, source), source)
            draft.moves.append((source, ("resources", draft.name, "external_id")))
        elif not native:
            self._required(draft, other)
        hand_on(self.context, draft)

    def _id(self, draft: ResourceDraft, value: Value, source: Path) -> Value:
        """The id of an existing resource: a text or a call, or else asked for."""
        if isinstance(value, (str, ex.Expr)):
            return value
        if isinstance(value, (int, float)):
            return str(value)
        parameter = self.context.added.parameter(
            f"{draft.name}_id", {"type": "string", "description": f"id of {draft.name}"}
        )
        what = {"type": draft.type, "name": draft.name, "property": "external_id", "parameter": parameter}
        self.context.reporter.report("BPC397", source, **what)
        return ex.Input(parameter)

    def _required(self, draft: ResourceDraft, aliases: dict[str, str]) -> None:
        """Ask for what Heat cannot do without and the source does not give, nor what that was once made of."""
        rows = (heat_type(draft.type) or {}).get("properties", {})
        filled = {
            aliases.get(name, name)
            for name, value in draft.properties.items()
            if value != "" or rows.get(name, {}).get("type") == "any"
        }
        for name in required(draft.type):
            if name in filled or name in draft.node.lacks:
                continue
            if name == _NAME and draft.node.kind in _MADE_UP:
                parts = [ex.System(_STACK), draft.name]
                draft.properties[name] = self.rewriter.value(ex.Join("-", (parts,)), draft.node.path)
                self.context.reporter.report("BPC683", draft.node.path, type=draft.type, name=draft.name)
            else:
                kind = _PARAMETERS.get(rows[name]["type"], "string")
                data = {"type": kind, "description": f"{name} of {draft.name}"}
                parameter = self.context.added.parameter(f"{draft.name}_{name}", data)
                draft.properties[name] = ex.Input(parameter)
                self.context.reporter.report(
                    "BPC397", draft.node.path, type=draft.type, name=draft.name, property=name, parameter=parameter
                )

    def _rewritten(self, node: Node, steps: Path, value: Value, parts: set[Path]) -> Value:
        """A sayable form of the property at ``steps``; parts that come from elsewhere in the source apart."""
        if steps in parts and isinstance(value, dict):
            return {key: self._rewritten(node, (*steps, key), item, parts) for key, item in value.items()}
        if steps in parts and isinstance(value, list):
            return [self._rewritten(node, (*steps, index), item, parts) for index, item in enumerate(value)]
        return self.rewriter.value(value, node.origin(*steps), names=self._takes_names(node, steps))

    def _takes_names(self, node: Node, steps: Path) -> bool:
        """True for a property that a resource is given to."""
        kind = self.context.catalogue.kind(node.kind)
        return kind is not None and bool(steps) and kind.takes_names(str(steps[0]))


def _optional(value: Value) -> Value:
    """A property whose value may be null, which counts as not given: then it is left out (``if`` of two arguments), as
    Heat would take null for an empty text, 0 or false (heat/engine/properties.py)."""
    if not isinstance(value, ex.If) or value.otherwise is MISSING:
        return value
    then, otherwise = _optional(value.then), _optional(value.otherwise)
    if otherwise is None:
        return value if then is None else ex.If(value.condition, then, path=value.path)
    if then is None:
        return ex.If(ex.Not(value.condition, path=value.path), otherwise, path=value.path)
    return ex.If(value.condition, then, otherwise, path=value.path)


def written(draft: ResourceDraft) -> dict[str, Any]:
    """The resource as plain data, in conventional order."""
    group = resource_types.RESOURCE_GROUP if draft.limits[1] is MISSING else resource_types.AUTO_SCALING_GROUP
    data: dict[str, Any] = {"type": draft.type if draft.count is MISSING else group}
    if "description" in draft.extra:
        data["description"] = str(draft.extra["description"])
    if draft.external_id is not MISSING:
        data["external_id"] = write_value(draft.external_id)
    if draft.condition is not MISSING:
        data["condition"] = write_condition(draft.condition)
    if draft.depends_on:
        data["depends_on"] = draft.depends_on[0] if len(draft.depends_on) == 1 else draft.depends_on
    properties = write_value(draft.properties)
    if draft.count is not MISSING:
        member: dict[str, Any] = {"type": draft.type}
        if properties:
            member["properties"] = properties
        if group == resource_types.AUTO_SCALING_GROUP:
            sizes = zip(("min_size", "max_size", "desired_capacity"), (*draft.limits, draft.count), strict=True)
            properties = {name: write_value(size) for name, size in sizes}
            properties["resource"] = member
        else:
            properties = {"count": write_value(draft.count)}
            index = _INDEX
            if _INDEX in str(member):
                index = properties["index_var"] = _unused(str(member))
            properties["resource_def"] = _with_index(member, index)
    if properties:
        data["properties"] = properties
    for key in _LAST:
        if key in draft.extra:
            data[key] = write_value(draft.extra[key])
    return data


def _with_index(value: Any, index: str) -> Any:
    """``value`` with the text that Heat puts the number of the member for."""
    if isinstance(value, str):
        return type(value)(value.replace(_MARK, index)) if _MARK in value else value
    if isinstance(value, dict):
        return type(value)({key: _with_index(item, index) for key, item in value.items()})
    return type(value)(_with_index(item, index) for item in value) if isinstance(value, list) else value


def _unused(text: str) -> str:
    """A text that does not occur in ``text``."""
    mark = "%member%"
    while mark in text:
        mark = f"%{mark}"
    return mark


def hand_on(context: Context, draft: ResourceDraft) -> None:
    """Ask for the values that the nested template needs and nothing gives it. The same secret is asked for once."""
    nested = draft.node.nested
    if nested is None:
        return
    for name, data in nested.needed.items():
        key = (str(name) if data.get("hidden") else f"{draft.name} {name}", repr(data))
        input_name = context.added.handed_on.get(key)
        if input_name is None:
            secret = data.get("hidden") and context.added.parameters.get(name) == data
            wanted = name if data.get("hidden") else f"{draft.name}_{name}"
            input_name = context.added.handed_on[key] = name if secret else context.added.parameter(wanted, dict(data))
        draft.properties[name] = ex.Input(input_name)
        context.reporter.report("BPC766", draft.node.path, file=nested.file, name=name, input=input_name)


def fit_result(context: Context, drafts: Iterable[ResourceDraft]) -> None:
    """Report the properties that Heat does not know in the resources of a template that is written, and ask for the
    literals that it refuses."""
    for draft in drafts:
        schema = None if draft.stand_in or draft.external_id is not MISSING else heat_type(draft.type)
        if schema is None:
            continue
        places = {target: source for source, target in draft.moves}
        rows = schema["properties"]
        for name, value in draft.properties.items():
            row = rows.get(name)
            if row is None and not schema.get("any_property"):
                from bpconvert.diagnostics.suggest import guess

                source = places.get(draft.place(name), draft.node.path)
                words = {"owner": draft.type, "name": name, "guess": guess(str(name), rows)}
                context.reporter.report("BPC170", source, **words)
            refused = [] if row is None else [f for f in check_value(value, row, draft.place(name), name) if f.sure]
            if not refused:
                continue
            path = refused[0].path
            source = next((places[path[:n]] for n in range(len(path), 0, -1) if path[:n] in places), draft.node.path)
            data = {"type": _PARAMETERS.get(row["type"], "string"), "description": f"{name} of {draft.name}"}
            rules = [
                _ordered(rule) for rule in row.get("constraints", ()) if is_local(rule) and _suits(rule, data["type"])
            ]
            declaration = {**data, "constraints": rules} if rules else data
            parameter = context.added.parameter(f"{draft.name}_{name}", declaration)
            context.reporter.report("BPC786", source, parameter=parameter, problem=text_of(refused[0]))
            context.asked[parameter] = value
            draft.properties[name] = ex.Input(parameter, path=source)


def _suits(rule: dict[str, Any], kind: str) -> bool:
    """True for a constraint that a parameter of this type can have: others hold for the items of a list."""
    return all(kind in TYPES.get(name, (kind,)) for name in rule)


def _ordered(rule: dict[str, Any]) -> dict[str, Any]:
    """A constraint with its lower bound first."""
    return {
        kind: dict(sorted(bounds.items(), reverse=True)) if isinstance(bounds, dict) else bounds
        for kind, bounds in rule.items()
    }
