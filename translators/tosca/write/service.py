"""The neutral topology as a TOSCA service template."""

from __future__ import annotations

from typing import Any

from bpconvert.models.expressions import MISSING, Attribute, Path
from bpconvert.models.notation import to_data
from bpconvert.models.topology import Topology
from bpconvert.models.tosca_versions import LATEST
from bpconvert.translators.catalogue import stand_ins
from bpconvert.translators.lowered import Lowered
from bpconvert.translators.passes.request import Request
from bpconvert.translators.provenance.metadata_text import as_text
from bpconvert.translators.tosca import profile, template_metadata
from bpconvert.translators.tosca.functions import attributes_of, calls_in
from bpconvert.translators.tosca.vocabulary import ADDRESSES, EXISTING_ID, SELECT
from bpconvert.translators.tosca.write import nesting, notation_2_0, placement, reached, scaling, software
from bpconvert.translators.tosca.write.context import Context, NodeDraft
from bpconvert.translators.tosca.write.declarations import idle_inputs, lower_input, lower_output
from bpconvert.translators.tosca.write.nodes import drafts as write_nodes
from bpconvert.translators.tosca.write.rewriter import ToscaRewriter
from bpconvert.translators.tosca.write.schemas import used
from bpconvert.translators.tosca.write.types import imported, node_types


def from_topology(topology: Topology, request: Request) -> Lowered:
    """The service template. What TOSCA cannot express is reported, and kept in its metadata."""
    context = Context(topology, request)
    rewriter = ToscaRewriter(context)
    inputs_of_source = list(topology.inputs)
    drafts = write_nodes(context, rewriter)
    _judge(context, drafts)
    kept: dict[str, Any] = {}
    outputs = _outputs(context, rewriter, kept)
    drafts = rewriter.with_computed(drafts)
    by_operations = reached.reach(context, drafts)
    templates = {draft.name: _node_template(draft, context.artifacts.get(draft.node.name)) for draft in drafts}
    written = [templates, context.relationship_templates, context.policies, outputs]
    calls = list(calls_in(written, context.prefix))
    idle = idle_inputs(context, calls)
    inputs = {
        context.names.input(name): lower_input(context, declared, kept, idle=name in idle)
        for name, declared in topology.inputs.items()
    }
    asked = [context.names.input(name) for name in topology.inputs if name not in inputs_of_source]
    if asked:
        kept["asked"] = asked
    if topology.conditions:
        kept["conditions"] = to_data(topology.conditions)
    nodes = {context.names.node(name): name for name in topology.nodes}
    attributes_read = [*attributes_of(calls), *by_operations]
    read = [Attribute(nodes.get(node, node), name, tuple(steps)) for node, name, steps in attributes_read]
    result = Lowered({"tosca_definitions_version": LATEST}, files=topology.files)
    if topology.description is not None:
        result.data["description"] = str(topology.description)
    if kept:
        result.data["metadata"] = {template_metadata.DOCUMENT_KEY: as_text(kept)}
    defined = node_types(context, drafts, read, context.schemas)
    if imported(context, drafts, defined):
        result.data["imports"] = [profile.NAME]
        result.files = {**result.files, profile.NAME: profile.text()}
    sections = {
        "interface_types": software.interface_types([*context.relationship_types.values(), *defined.values()]),
        "relationship_types": context.relationship_types,
        "node_types": defined,
        "policy_types": placement.policy_types(context, context.schemas) | scaling.policy_types(context),
        "inputs": inputs,
        "substitution_mappings": {},
        "node_templates": templates,
        "relationship_templates": context.relationship_templates,
        "policies": context.policies,
        "outputs": outputs,
    }
    nesting.substitution(context, sections)
    naming = [section for name, section in sections.items() if name.endswith("_types") or name == "inputs"]
    sections = {"data_types": used(context.schemas.types, naming), **sections}
    result.data |= {name: section for name, section in sections.items() if section}
    result.forms = context.forms
    if context.is_2_0:
        notation_2_0.finish(result)
    _trace(context, result, drafts)
    return result


def _outputs(context: Context, rewriter: ToscaRewriter, kept: dict[str, Any]) -> dict[str, Any]:
    topology, names = context.topology, context.names
    pairs = [
        *((names.output(name), output) for name, output in topology.outputs.items()),
        *((names.capability(name), capability) for name, capability in topology.capabilities.items()),
    ]
    return {new: lower_output(context, rewriter, (new, output), kept) for new, output in pairs}


def _judge(context: Context, drafts: list[NodeDraft]) -> None:
    """Report a document of another platform, of which nothing is created."""
    types = [draft.node.ancestry or [draft.node.source_type] for draft in drafts]
    if all(draft.stand_in for draft in drafts) and any(map(stand_ins.platform, types)):
        names = stand_ins.listed(draft.node.path for draft in drafts)
        context.reporter.report("BPC787", count=stand_ins.counted(types), names=names)


def _node_template(draft: NodeDraft, artifacts: dict[str, Any] | None) -> dict[str, Any]:
    data: dict[str, Any] = {"type": draft.type}
    if draft.description is not None:
        data["description"] = draft.description
    if draft.existing is not MISSING:
        data["directives"] = [SELECT]
    if draft.properties:
        data["properties"] = draft.properties
    if draft.existing is not MISSING:
        data["attributes"] = {EXISTING_ID: draft.existing}
    if draft.address is not MISSING:
        data["attributes"] = dict.fromkeys(ADDRESSES, draft.address)
    if draft.requirements:
        data["requirements"] = draft.requirements
    if artifacts:
        data["artifacts"] = artifacts
    if draft.interfaces:
        data["interfaces"] = draft.interfaces
    if draft.kept:
        data["metadata"] = {template_metadata.NODE_KEY: as_text(draft.kept)}
    return data


def _trace(context: Context, result: Lowered, drafts: list[NodeDraft]) -> None:
    """Note where every entry of the source went."""
    topology, moves, places = context.topology, result.moves, result.made
    words = context.request.source.words

    def became(path: Path, target: Path) -> None:
        moves.append((path, target))
        places.setdefault(words.entry(path), []).append(target)

    if topology.description is not None:
        places[(words.section("description"),)] = [("description",)]
    places[(words.section("version"),)] = [("tosca_definitions_version",)]
    for name, declared in topology.inputs.items():
        became(declared.path, ("inputs", context.names.input(name)))
    for draft in [*drafts, *context.placed]:
        moves += draft.moves
        became(draft.node.path, draft.entry)
    for path, target in context.parts:
        became(path, target)
    for node in topology.nodes.values():
        places.setdefault(words.entry(node.path), [])
    for name, output in topology.outputs.items():
        became(output.path, ("outputs", context.names.output(name)))
    for name, output in topology.capabilities.items():
        became(output.path, ("outputs", context.names.capability(name)))
    result.names = {
        words.section("inputs"): {name: context.names.input(name) for name in topology.inputs},
        words.section("capabilities"): {name: context.names.capability(name) for name in topology.capabilities},
        words.section("outputs"): {name: context.names.output(name) for name in topology.outputs},
    }
