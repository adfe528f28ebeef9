"""The neutral topology as a Cloudify blueprint."""

from __future__ import annotations

import re
from typing import Any

from bpconvert.models.expressions import MISSING, Path, is_constant
from bpconvert.models.topology import Node, Shown, Topology
from bpconvert.translators.cloudify import playbooks
from bpconvert.translators.cloudify.functions import write_value
from bpconvert.translators.cloudify.openstack import attributes, client, generation2
from bpconvert.translators.cloudify.openstack.drafts import NodeDraft
from bpconvert.translators.cloudify.vocabulary import BARRIER_TYPE, ROOT, engine, stand_in
from bpconvert.translators.cloudify.write import coercion, kept, plan
from bpconvert.translators.cloudify.write import relationships as relations
from bpconvert.translators.cloudify.write.context import Context
from bpconvert.translators.cloudify.write.declarations import described, lower_input, lower_output
from bpconvert.translators.cloudify.write.nodes import drafts as write_nodes
from bpconvert.translators.cloudify.write.rewriter import DslRewriter
from bpconvert.translators.cloudify.write.rules import RULES
from bpconvert.translators.cloudify.write.scaling import SIZES
from bpconvert.translators.cloudify.write.software import definitions
from bpconvert.translators.lowered import Lowered
from bpconvert.translators.passes.expressions import branches
from bpconvert.translators.passes.expressions.kinds import VALUE
from bpconvert.translators.passes.request import Request
from bpconvert.translators.support import later
from bpconvert.yamlio.emit import Alias, Anchor

#: names of nodes of which names of anchors can be made
_ANCHOR = r"(?a)[\w-]+"
#: why an extra key of a resource needs no more than an information
_HARMLESS = {"description"}


def from_topology(topology: Topology, request: Request) -> Lowered:
    """The blueprint. What Cloudify cannot express is reported."""
    context = Context(topology, request)
    lowered = _lower(context)
    lowered.inputs = context.inputs.given
    return lowered


def _prepare(context: Context, rewriter: DslRewriter) -> None:
    """What comes before all nodes: attributes that only the plugin has, and defaults that are computed."""
    if not context.generation2:
        attributes.publish(context.topology, context.reporter)
    for name, declared in context.topology.inputs.items():
        if not is_constant(declared.default):
            context.inputs.defaults[name] = rewriter.value(declared.default, (*declared.path, "default"))


#: few blueprints take over what runs
_take_over = later("bpconvert.translators.cloudify.write.takeover:take_over")


def _judge(context: Context, drafts: list[NodeDraft]) -> None:
    """Report a document of which nothing is created."""
    nodes = [draft.node for draft in drafts if engine(draft.type)]
    others = [draft for draft in drafts if not engine(draft.type) and not (draft.type == ROOT and draft.node.stand_in)]
    if nodes and not others and not context.files.inner:
        from bpconvert.translators.catalogue import stand_ins  # most blueprints create something

        names = stand_ins.listed(node.path for node in nodes)
        context.reporter.report("BPC787", count=len(nodes), names=names)


def _lower(context: Context) -> Lowered:
    rewriter = DslRewriter(context, RULES)
    topology = context.topology
    _prepare(context, rewriter)
    drafts = write_nodes(context, rewriter)
    _judge(context, drafts)
    coercion.fit(context, rewriter, drafts)
    plan.check(context, drafts)
    names = {name: context.names.output(name) for name in topology.outputs}
    published = "capabilities" if context.files.inner else "outputs"  # what a component can read is a capability
    outputs = _outputs(context, rewriter, names)
    drafts = rewriter.with_computed(drafts)
    edges = relations.relate(context, drafts)
    relationships, barriers = relations.written(context, drafts, edges)
    if context.options.running is not None:
        _take_over(context, drafts, relationships, barriers)
    for node in (*(draft.node for draft in drafts if draft.node.source_type), *topology.parts()):
        _extra_keys(context, node)
    result = Lowered({}, files=topology.files)
    if topology.description is not None:
        result.data["description"] = described(context, topology.description, ("description",))
    client_config = client.definition(context.options, drafts, context.inputs.add)
    templates = {
        draft.name: _node_template(context, draft, relationships[draft.node.name], client_config is not None)
        for draft in drafts
    }
    sections: dict[str, Any] = {
        "inputs": {
            **{context.names.input(name): lower_input(context, declared) for name, declared in topology.inputs.items()},
            **{name: write_value(data) for name, data in context.inputs.added.items()},
        },
        "node_types": _node_types(context, drafts),
        "node_templates": _with_barriers(templates, barriers),
        **_groups(context, {draft.name for draft in drafts}),
        published: outputs,
    }
    version = _version(context, drafts, sections)
    result.data = {
        "tosca_definitions_version": f"cloudify_dsl_{version}",
        **result.data,
        "imports": ["cloudify/types/types.yaml", *_plugins(drafts)],
    }
    if client_config is not None:
        result.data["dsl_definitions"] = client_config
    result.data |= {name: section for name, section in sections.items() if section}
    result.data |= kept.metadata(context, drafts, sections["inputs"], outputs)
    for draft in drafts:
        for index, edge in enumerate(edges[draft.node.name]):
            is_part = len(edge.path) < 3 or any(isinstance(step, int) for step in edge.path)
            if edge.strength == relations.LIFTED and is_part and edge.path != draft.node.entry:
                result.moves.append((edge.path, ("node_templates", draft.name, "relationships", index)))
    _trace(context, result, drafts, {name: (published, new) for name, new in names.items()})
    written, words = result.data.get(published, {}), context.request.source.words
    result.names = {
        words.section("inputs"): {name: context.names.input(name) for name in topology.inputs},
        words.section("outputs"): {name: new for name, new in names.items() if new in written},
    }
    return result


def _outputs(context: Context, rewriter: DslRewriter, names: dict[str, str]) -> dict[str, Any]:
    """The outputs by their names in the blueprint (``names``)."""
    with rewriter.state(user=""):
        outputs_written = {
            names[key]: lower_output(context, rewriter, output) for key, output in context.topology.outputs.items()
        }
    return {name: write_value(data) for name, data in outputs_written.items() if data is not None}


def _stand_in(title: str, shown: Shown) -> dict[str, Any]:
    """A node type that accepts any properties and creates nothing, for the resources of an engine."""
    what = f"Type of the {title} resource that Cloudify has no counterpart of"
    return {
        "derived_from": BARRIER_TYPE,
        "properties": {
            shown.type: {"description": what, "type": "string"},
            shown.properties: {"description": "Its properties, with references translated", "default": {}},
        },
    }


def _extra_keys(context: Context, node: Node) -> None:
    external = node.external_id is not MISSING
    for key, value in node.extra.items():
        code = "BPC321" if key in _HARMLESS else "BPC320"
        if key == "deletion_policy" and isinstance(value, str):
            code = "BPC321" if external or value.lower() == "delete" else "BPC322"
        place = node.origins.get(("extra", key), (*node.entry, key))
        context.reporter.report(code, place, name=key, value=value)


def _node_template(
    context: Context, draft: NodeDraft, relationships: list[dict[str, Any]], with_client: bool
) -> dict[str, Any]:
    data: dict[str, Any] = {"type": draft.type}
    properties: dict[str, Any] = {}
    if with_client and client.is_openstack(draft):
        properties["client_config"] = client.REFERENCE
    properties.update(_ordered(draft.properties))
    if context.generation2 or draft.second_generation:
        properties = generation2.properties(context.reporter, draft, properties)
    properties = branches.merged(properties, draft.optional)
    if properties:
        data["properties"] = write_value(properties)
    for name, operation in draft.interfaces.items():
        interface, _, operation_name = name.rpartition(".")
        data.setdefault("interfaces", {}).setdefault(interface, {})[operation_name] = write_value(operation)
    for operations in data.get("interfaces", {}).values():
        _once(operations, draft.name)
    if relationships:
        data["relationships"] = relationships
    if draft.scaling is not MISSING:
        data["capabilities"] = {
            "scalable": {"properties": {"default_instances": write_value(draft.scaling), "min_instances": 0}}
        }
    return data


def _once(operations: dict[str, Any], node: str) -> None:
    """Write an operation that is the same as an earlier one, and long, as an alias of that."""
    for name, operation in operations.items():
        same = next((first for first in operations if operations[first] == operation), name)
        if same != name and operation.get("inputs") and re.fullmatch(_ANCHOR, node):
            anchor = f"{node}_{same}"
            operations[same] = Anchor(anchor, operation)
            operations[name] = Alias(anchor)
            return


def _ordered(properties: dict[str, Any]) -> dict[str, Any]:
    """What identifies a resource first, then its ``resource_config`` with ``kwargs`` at its end, then lists of
    parts."""
    if not isinstance(properties.get("resource_config"), dict):
        return properties
    config = dict(properties["resource_config"])
    if "kwargs" in config:
        config["kwargs"] = config.pop("kwargs")
    lists = {key: value for key, value in properties.items() if isinstance(value, list)}
    first = {key: value for key, value in properties.items() if key != "resource_config" and key not in lists}
    return {**first, "resource_config": config, **lists}


def _with_barriers(nodes: dict[str, Any], barriers: dict[str, Any]) -> dict[str, Any]:
    """Each barrier before the node that waits for it."""
    if not barriers:
        return nodes
    result: dict[str, Any] = {}
    for name, data in nodes.items():
        for relationship in data.get("relationships", ()):
            if relationship["target"] in barriers:
                result[relationship["target"]] = barriers[relationship["target"]]
        result[name] = data
    return result


def _plugins(drafts: list[NodeDraft]) -> list[str]:
    """What the blueprint imports for its node types."""
    plugins = ["plugin:cloudify-openstack-plugin"] if any(map(client.is_openstack, drafts)) else []
    plugins += [generation2.COMPAT] if any(draft.second_generation for draft in drafts) else []
    others = {draft.kind.cloudify.plugin for draft in drafts if draft.kind and draft.kind.cloudify}
    plugins += [playbooks.PLUGIN] if any(map(_runs_playbooks, drafts)) else []
    return [*plugins, *sorted(name for name in others if name and name not in plugins)]


def _runs_playbooks(draft: NodeDraft) -> bool:
    """True for software with an operation that runs a playbook."""
    operations = draft.node.operations if draft.node.role else ()
    return any(operation.implementation == playbooks.RUN for operation in operations)


def _node_types(context: Context, drafts: list[NodeDraft]) -> dict[str, Any]:
    """The node types that the blueprint defines itself."""
    titles = {draft.type: title for draft in drafts if (title := engine(draft.type)) is not None}
    types = {type: _stand_in(title, stand_in(title)[1]) for type, title in titles.items()} | definitions(drafts)
    for draft in drafts:
        if draft.kind is None or draft.kind.cloudify is None:
            continue
        if draft.kind.cloudify.defines:
            types[draft.type] = draft.kind.cloudify.defines
        if draft.kind.cloudify.service is not None:
            from bpconvert.translators.cloudify import services  # few blueprints need it

            types |= services.definitions(draft.kind, context.catalogue.kind(VALUE))
            context.topology.files[services.PATH] = services.program()
    return types


def _groups(context: Context, written: set[str]) -> dict[str, Any]:
    """The sections of the scaling groups. ``written``: the nodes that there are; a member that became part of another
    node is none of them."""
    groups: dict[str, Any] = {}
    policies: dict[str, Any] = {}
    workflows: dict[str, Any] = {}
    for name, group in context.topology.groups.items():
        members = [context.names.node(member) for member in group.members]
        groups[name] = {"members": [member for member in members if member in written]}
        properties = {SIZES[key]: write_value(size) for key, size in group.sizes.items()}
        policies[group.policy] = {"type": "cloudify.policies.scaling", "targets": [name], "properties": properties}
        if group.changes:
            from bpconvert.translators.cloudify.changes import workflow  # few documents have any

            workflows |= {change.name: workflow(change, name) for change in group.changes}
    return {"groups": groups, "policies": policies, "workflows": workflows}


def _version(context: Context, drafts: list[NodeDraft], sections: dict[str, Any]) -> str:
    """The DSL version to write: the lowest that can express the result, or the one asked for."""
    needed = "1_3"
    reason = ""
    for draft in drafts:
        if draft.kind is not None and draft.kind.cloudify is not None and draft.kind.cloudify.since > needed:
            needed, reason = draft.kind.cloudify.since, f"node type {draft.type}"
    if needed < "1_4" and any(map(_runs_playbooks, drafts)):  # its plugin.yaml has rules of workflows
        needed, reason = "1_4", "the plugin for Ansible"
    if needed < "1_4" and any("item_type" in data for data in sections["inputs"].values()):
        needed, reason = "1_4", "item_type of an input"
    wanted = context.options.dsl_version
    if wanted is None:
        return needed
    if wanted < needed:
        context.reporter.report("BPC130", (), wanted=wanted, needed=needed, reason=reason)
        return needed
    return wanted


def _trace(context: Context, result: Lowered, drafts: list[NodeDraft], outputs: dict[str, Path]) -> None:
    """Note where every entry of the source went."""
    topology, moves, places_made = context.topology, result.moves, result.made
    words = context.request.source.words
    places_made[("description",)] = [("description",)]
    asked: list[tuple[Path, Path]] = []  # inputs for what an entry leaves open: its comments are about its node
    for name, declared in topology.inputs.items():
        target = ("inputs", context.names.input(name))
        rows = [(declared.path, target), ((*declared.path, "label"), (*target, "display_label"))]
        (asked if declared.added else moves).extend(rows)
        places_made[declared.path] = [target]
    places = {draft.node.name: ("node_templates", draft.name) for draft in drafts}
    published = {output.path for output in topology.outputs.values()}
    for draft in drafts:  # before its properties, and other nodes, which may stand at the same place
        if draft.node.entry[-1:] == (draft.node.name,) and draft.node.entry not in published:
            moves.append((draft.node.entry, places[draft.node.name]))
    for draft in drafts:
        moves += draft.moves
        if draft.node.made_for is None:
            places_made.setdefault(words.entry(draft.node.entry), []).append(places[draft.node.name])
        for section in words.wholes(draft.node):
            places_made.setdefault(section, []).append(places[draft.node.name])
    moves += asked
    for node in topology.nodes.values():
        if node.made_for is not None and node.name in places:
            places_made.setdefault(topology.nodes[topology.owner(node.made_for)].entry, []).append(places[node.name])
    for node in topology.parts():
        target = ("node_templates", context.names.node(topology.owner(node.name)))
        moves.append((node.entry, target))
        places_made.setdefault(node.entry, []).insert(0, target)
    for node in topology.nodes.values():
        owner = topology.owner(node.name)
        for entry in context.request.source.words.others(node) if owner in places else ():
            if places[owner] not in places_made.setdefault(entry, []):
                places_made[entry].append(places[owner])
    for change in (each for group in topology.groups.values() for each in group.changes):
        moves.append((change.path, ("workflows", change.name)))
        places_made.setdefault(words.entry(change.path), []).append(("workflows", change.name))
    for name, output in topology.outputs.items():
        target = outputs[name]
        moves.append((output.path, target))
        places_made[output.path] = [target] if target[1] in result.data.get(target[0], {}) else []
