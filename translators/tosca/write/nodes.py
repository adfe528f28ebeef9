"""The node templates: each neutral node with its type, its properties and what it waits for."""

from __future__ import annotations

from typing import Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Value
from bpconvert.models.notation import to_data
from bpconvert.models.topology import Node, Shown
from bpconvert.translators.catalogue import stand_ins
from bpconvert.translators.catalogue.schemas import required
from bpconvert.translators.passes.software.to_deployments import host_of
from bpconvert.translators.passes.stand_ins import view
from bpconvert.translators.provenance.metadata_text import operations
from bpconvert.translators.tosca import DIALECT
from bpconvert.translators.tosca.column import written_type
from bpconvert.translators.tosca.vocabulary import ADDRESSES, COMPUTE, INHERITED, ROOT, stand_in
from bpconvert.translators.tosca.write import (
    bindings,
    links,
    nesting,
    order,
    placement,
    scaling,
    software,
    types,
    volumes,
)
from bpconvert.translators.tosca.write.context import Context, NodeDraft
from bpconvert.translators.tosca.write.rewriter import ToscaRewriter

#: the type of a machine that exists, with attributes that the standard's has not
MACHINE: Final = "bpconvert.nodes.Machine"
#: keys of a node that TOSCA has no place for -> how they are called in what is kept
CONDITION: Final = "condition"
EXTERNAL_ID: Final = "external_id"
INSTANCES: Final = "instances"
OTHERWISE: Final = "otherwise"
LACKS: Final = "lacks"
#: keys with values that every node has anyway: what is removed is deleted
_USUAL: Final = (("deletion_policy", "delete"),)


def drafts(context: Context, rewriter: ToscaRewriter) -> list[NodeDraft]:
    """The node templates of all nodes but those that exist already and are named where they are used, or are
    policies."""
    is_taken_over = context.request.options.running is not None
    if is_taken_over:
        from bpconvert.translators.tosca.write import takeover  # few conversions need it

        takeover.select(context)
    nodes = context.topology.nodes.values()
    existing = [node for node in nodes if node.external_name is not MISSING]
    used = set(ex.named_nodes([*context.topology.values()])) if existing else set()
    for node in existing:
        if node.name not in used:
            context.reporter.report("BPC383", node.path, name=node.name)
    _report_lost_machines(context)
    drafts_made = [_draft(context, node) for node in nodes if node.external_name is MISSING and not node.is_group]
    has_policies = context.request.origin is None and not is_taken_over
    scaled = scaling.numbers(context.topology, context.portable) if has_policies else {}
    context.scaling = scaling.names(context, drafts_made, scaled)
    context.scaled = {name: row.name for name, row in scaled.items()}
    scaling.report_lists(context, scaled)
    for draft in drafts_made:
        with rewriter.state(user=draft.node.name):
            _properties(context, rewriter, draft)
            _existing(rewriter, draft)
            _otherwise(context, draft)
        _kept(context, draft, draft.node.name in scaled)
    order.require(context, drafts_made)
    if is_taken_over:
        takeover.check(context, drafts_made)
        return drafts_made
    links.link_nodes(context, drafts_made)
    drafts_made = volumes.attach_volumes(context, drafts_made)
    bindings.bind_ports(context, drafts_made)
    software.finish(context, rewriter, drafts_made)
    drafts_made = placement.place(context, drafts_made)
    scaling.write(context, drafts_made, scaled)
    types.part(drafts_made, context.schemas.shapes)
    return drafts_made


def _report_lost_machines(context: Context) -> None:
    """Report the operations that run on a machine that is left out."""
    topology = context.topology
    for node in topology.nodes.values():
        for operation in node.operations if node.role else ():  # what a stand-in does not run, is reported
            if operation.script is not None and operation.script.central:
                continue
            machine = host_of(topology, node, operation)
            if machine is not None and machine is not node and machine.external_name is not MISSING:
                words = {"name": operation.name, "node": node.name, "host": machine.name}
                context.reporter.report("BPC267", operation.path or node.path, **words)


def _draft(context: Context, node: Node) -> NodeDraft:
    """The draft of a node with its type: its own, that of a resource of OpenStack, or a stand-in."""
    name, kind = context.names.node(node.name), context.catalogue.kind(node.kind)
    if node.native == DIALECT:
        return NodeDraft(node, name, node.source_type)
    if node.nested is not None and isinstance(node.properties, dict):
        return NodeDraft(node, name, nesting.type_of(node.source_type), node.source_type)
    software_draft = software.draft_of(context, node, name)
    if software_draft is not None:
        return software_draft
    if _only_orders(context, node):
        return NodeDraft(node, name, ROOT)
    heat = node.source_type
    if kind is not None and kind.heat and not kind.is_neutral(heat):
        heat = kind.heat[0]
    type = written_type(kind, heat)
    if node.address is not MISSING and node.kind is not None and not node.properties:
        return _machine(context, node, name)
    if type is not None and isinstance(node.properties, dict):  # not computed as a whole
        return NodeDraft(node, name, type, heat, kind)
    type, shows = stand_in(view(node, context.request).title)
    return NodeDraft(node, name, type, shows=shows)


def _only_orders(context: Context, node: Node) -> bool:
    """True for a node of a type that does nothing, without anything that others read, and inside of nothing."""
    if node.properties or _runs(node) or node.shows is not None:
        return False
    is_nothing = stand_ins.is_nothing(node.ancestry or [node.source_type])
    if not is_nothing and not stand_ins.is_bare(context.request.source.language, node.source_type):
        return False
    return node.name not in context.read and not any(row.inside for row in node.relationships)


def _runs(node: Node) -> bool:
    """True for a node with operations of the source that do something."""
    return any(operation.implementation for operation in (*node.operations, *node.unrun))


def _machine(context: Context, node: Node, name: str) -> NodeDraft:
    """A machine that exists: of the standard's type, or of one derived from it with the attributes that something reads
    and that the standard's does not have. Nothing sets these, as in Cloudify without an operation that does."""
    read = {attribute for user, attribute in context.attributes if user == node.name and isinstance(attribute, str)}
    set_here = {output for operation in node.operations for output in operation.outputs}
    unset = sorted(read - INHERITED[COMPUTE] - set_here)
    if unset:
        context.reporter.report("BPC549", node.path, names="', '".join(unset), node=node.name)
    if read <= INHERITED[COMPUTE]:
        return NodeDraft(node, name, COMPUTE)
    draft = NodeDraft(node, name, MACHINE)
    draft.parent = COMPUTE
    return draft


def _properties(context: Context, rewriter: ToscaRewriter, draft: NodeDraft) -> None:
    node = draft.node
    if draft.shows is not None:
        _stand_in(context, rewriter, draft, draft.shows)
        return
    rows, kind = types.rows_of(draft.heat), context.catalogue.kind(node.kind)
    for name in node.properties:
        value = nesting.value_handed_on(context, rewriter, node, name)
        if value is None:
            draft.kept.setdefault("properties", {})[name] = [None, None]
            continue
        wanted = types.wanted(rows, name)
        with rewriter.state(names=kind is not None and kind.takes_names(name)):
            plain = rewriter.written(value, node.origin(name), wanted=wanted)
            written = types.fitting(rows.get(name), plain, context.schemas.shapes)
        draft.properties[name] = written
        kept = rewriter.kept(written, value)
        if kept is not None:
            draft.kept.setdefault("properties", {})[name] = kept
        draft.moves.append((node.origin(name), ("node_templates", draft.name, "properties", name)))


def _with_what_types_give(values: dict[Any, Value], values_of_type: Value) -> dict[Any, Value]:
    """The properties of a node without empty maps that only its type gives it: puccini writes these as null."""
    kept: dict[Any, Value] = {}
    for name, value in values.items():
        own = values_of_type.get(name, MISSING) if isinstance(values_of_type, dict) else values_of_type
        if isinstance(value, dict):
            value = _with_what_types_give(value, own)
        if value != {} or own is not MISSING:
            kept[name] = value
    return kept


def _stand_in(context: Context, rewriter: ToscaRewriter, draft: NodeDraft, shows: Shown) -> None:
    """A visible node that creates nothing."""
    node, source, report = draft.node, context.request.source, context.reporter.report
    seen = view(node, context.request)
    ancestry, values, path = seen.ancestry, seen.properties, seen.path
    if not seen.is_shown:
        values = _with_what_types_give(node.declared, values) if node.declared else values
        path = (*node.path, "properties")
    lost = stand_ins.loss(source.language, ancestry)
    words = {"name": node.name, "type": seen.name}
    if lost is None and stand_ins.is_idle(ancestry) and not _runs(node):
        does = f"it does nothing but order in {source.title} too"
        report("BPC398", node.path, **words, written="a stand-in", what=does)
    elif lost is None:
        report("BPC801", node.path, **words)
    else:
        report("BPC802", node.path, **words, lost=lost.lost, todo=lost.elsewhere or lost.todo)
    written = rewriter.written(values, path, inert="node")
    draft.properties = {shows.type: rewriter.written(seen.type, seen.type_path, inert="node")}
    if written not in ({}, None):
        draft.properties[shows.properties] = written
    kept = rewriter.kept(written, values)
    if kept is not None:
        draft.kept["properties"] = {shows.properties: kept}
    shown = dict(seen.operations)
    for operation in node.operations:
        if operation.implementation:
            name = f"{operation.interface}.{operation.name}"
            path = operation.path or node.path
            report("BPC831", path, name=name, node=node.name, why="its node creates nothing")
            inputs = {"inputs": operation.inputs} if operation.inputs else {}
            row = {"implementation": operation.implementation, **inputs}
            shown[f"{name} to {operation.target}" if operation.target else name] = row
    if shown:
        draft.properties[shows.operations] = rewriter.written(shown, (*node.path, "interfaces"), inert="node")


def _existing(rewriter: ToscaRewriter, draft: NodeDraft) -> None:
    """The id of what exists already: the node is to be selected, not made."""
    node = draft.node
    if draft.type in (COMPUTE, MACHINE):
        draft.address = rewriter.written(node.address, node.origin("address"))
        draft.moves.append((node.origin("address"), ("node_templates", draft.name, "attributes", ADDRESSES[0])))
    if node.external_id is MISSING:
        return
    draft.existing = rewriter.written(node.external_id, (*node.path, EXTERNAL_ID))
    kept = rewriter.kept(draft.existing, node.external_id)
    if kept is not None:
        draft.kept[EXTERNAL_ID] = to_data(node.external_id)


def _otherwise(context: Context, draft: NodeDraft) -> None:
    """With what the node is made where it is missing."""
    properties = context.portable.value(draft.node.otherwise) if draft.node.otherwise else MISSING
    if properties is not MISSING:
        draft.kept[OTHERWISE] = to_data(properties)


def _kept(context: Context, draft: NodeDraft, is_scaled: bool) -> None:
    """The keys of a node that TOSCA has no place for. ``is_scaled``: a policy has its number of instances."""
    node, report = draft.node, context.reporter.report
    group = context.topology.nodes.get(node.group or "", node)
    condition = node.condition if is_scaled or node.condition is not MISSING else group.condition
    if condition is not MISSING:
        draft.kept[CONDITION] = to_data(condition)
        report("BPC803", (*node.path, "condition"), name=node.name)
    numbers = (group.instances, *group.limits)
    if any(number is not MISSING for number in numbers) and not is_scaled:
        draft.kept[INSTANCES] = [to_data(number) for number in numbers]
        report("BPC886", node.path, name=node.name)
    for operation in node.operations if not draft.stand_in and not node.role else ():
        if operation.implementation and not software.is_own(node, operation):
            words = {"name": f"{operation.interface}.{operation.name}", "node": node.name}
            report("BPC831", operation.path or node.path, **words, why="only software has operations here")
            node.unrun.append(operation)
    kept = operations(context.portable, node.unrun, context.request.source.language)
    if kept:
        draft.kept["operations"] = kept
    needed = () if node.exists else required(draft.heat)
    lacks = [name for name in needed if node.properties.get(name) in ("", None)]
    if node.source_type == draft.heat:
        draft.kept |= {LACKS: lacks} if lacks else {}
    else:
        for name in lacks:
            report("BPC879", node.path, type=draft.type, name=node.name, property=name)
    for key, value in node.extra.items():
        if key == "description" and isinstance(value, str):
            draft.description = value
            continue
        draft.kept.setdefault("keys", {})[key] = to_data(value)
        code = "BPC321" if (key, str(value).lower()) in _USUAL else "BPC806"
        report(code, node.origins.get(("extra", key), (*node.entry, key)), name=key, value=value)
