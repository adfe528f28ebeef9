"""The neutral topology as a HOT template."""

from __future__ import annotations

from typing import Any

from bpconvert.models.expressions import Value
from bpconvert.models.topology import Topology
from bpconvert.translators.hot.write import conditions, literals
from bpconvert.translators.hot.write.calls import write_condition
from bpconvert.translators.hot.write.context import Context
from bpconvert.translators.hot.write.declarations import (
    idle_inputs,
    lower_input,
    lower_outputs,
    needed_parameters,
    settle_types,
)
from bpconvert.translators.hot.write.deployments import Deployments, reach
from bpconvert.translators.hot.write.draft import Draft
from bpconvert.translators.hot.write.nested_templates import write_templates
from bpconvert.translators.hot.write.order import break_circles, wait_for_deployments, wait_for_nodes
from bpconvert.translators.hot.write.resources import Resources, written
from bpconvert.translators.hot.write.rewriter import HotRewriter
from bpconvert.translators.hot.write.rules import RULES
from bpconvert.translators.hot.write.trace import trace
from bpconvert.translators.hot.write.versions import version
from bpconvert.translators.lowered import Lowered
from bpconvert.translators.passes.request import Request


def from_topology(topology: Topology, request: Request) -> Lowered:
    """The HOT template. What HOT cannot express is reported."""
    templates = write_templates(topology, request, from_topology)
    context = Context(topology, request)
    settle_types(context)
    rewriter = HotRewriter(context, RULES)
    conditions = _conditions(context, rewriter)
    context.condition_names = _known_conditions(context, conditions)
    if context.condition_names:
        conditions = _conditions(context, rewriter)
    drafts = _drafts(context, rewriter)
    literals.fit_result(context, drafts)
    resources = {draft.name: written(draft) for draft in drafts}
    outputs, output_places = lower_outputs(context, rewriter)
    conditions |= context.added.conditions
    sections: dict[str, Any] = {
        "parameters": {},
        "conditions": {name: _definition(value) for name, value in conditions.items()},
        "resources": resources,
        "outputs": outputs,
    }
    idle = idle_inputs(context, sections)
    for name, declared in topology.inputs.items():
        sections["parameters"][context.names.parameter(name)] = lower_input(context, declared, idle.get(name, ""))
    sections["parameters"] |= needed_parameters(context.added.parameters, sections)
    data: dict[str, Any] = {"heat_template_version": version(context, sections)}
    if topology.description is not None:
        data["description"] = str(topology.description)
    data |= {name: section for name, section in sections.items() if section}
    result = Lowered(data, files={**topology.files, **templates})
    trace(context, result, drafts, output_places, conditions)
    return result


def _conditions(context: Context, rewriter: HotRewriter) -> dict[str, Value]:
    """The rewritten conditions of the topology, under the names that they have in the template."""
    return {
        context.condition_names.get(name, name): conditions.value(rewriter, value, ("conditions", name))
        for name, value in context.topology.conditions.items()
    }


def _known_conditions(context: Context, conditions: dict[str, Value]) -> dict[str, str]:
    """Condition -> the name of the one with the same definition in the template that the source was made from."""
    known = context.request.origin.document.data.get("conditions") if context.request.origin is not None else None
    if not isinstance(known, dict):
        return {}
    originals: dict[str, str] = {}
    for name, definition in known.items():
        if isinstance(name, str) and name not in conditions:
            originals.setdefault(repr(definition), name)
    found: dict[str, str] = {}
    for name, value in conditions.items():
        original = originals.pop(repr(_definition(value)), None)
        if original is not None:
            found[name] = original
    return found


def _drafts(context: Context, rewriter: HotRewriter) -> list[Draft]:
    """All resources, each node's own before its deployments unless it stands for them."""
    resources, deployments = Resources(context, rewriter), Deployments(context, rewriter)
    deployments.take()
    drafts: list[Draft] = []
    groups: list[tuple[Draft | None, list[Draft]]] = []
    for node in context.topology.nodes.values():
        parts = deployments.draft(node)
        own = resources.draft(node, deployed=bool(parts))
        groups.append((own, parts))
        drafts += [*parts, own] if own and own.stand_in else [own, *parts] if own else parts
    nodes = context.topology.nodes
    real = {name: last for name, last in deployments.lasts.items() if nodes[name].kind is not None}
    for own, parts in groups:
        _order(context, real, own, parts)
    lasts = {own.name: deployments.lasts[own.node.name] for own, parts in groups if own and parts and not own.stand_in}
    wait_for_deployments(drafts, lasts)
    break_circles(context, drafts)
    reach(context, {draft.name: draft for draft in drafts if not draft.part}, deployments.reached)
    return drafts


def _order(context: Context, lasts: dict[str, str], own: Draft | None, parts: list[Draft]) -> None:
    """What a node waits for, its first deployment waits for; a stand-in then waits for the last one."""
    if own is not None and own.stand_in and parts:
        own.depends_on.append(parts[-1].name)
        wait_for_nodes(context, parts[1], lasts, skip=_hosts(context, parts[1]))
    elif own is not None:
        wait_for_nodes(context, own, lasts)


def _hosts(context: Context, deployment: Draft) -> set[str]:
    """The nodes that a deployment waits for already, because its values refer to them."""
    used = deployment.targets()
    return {name for name in deployment.node.awaited if context.names.resource(name) in used}


def _definition(value: Value) -> Any:
    """A condition's definition; the mere name of another is none, so it is negated twice."""
    data = write_condition(value)
    return {"not": {"not": data}} if isinstance(data, str) else data
