"""The neutral topology as a HOT template, in the version that it needs, and where everything of the source went."""

from __future__ import annotations

from typing import Any, Final

from bpconvert.models.expressions import Expr, Path, Value
from bpconvert.models.hot_versions import VERSIONS, nearest_version, resolve_version
from bpconvert.models.plain import hot
from bpconvert.models.topology import Topology
from bpconvert.translators.catalogue import stand_ins
from bpconvert.translators.hot import resource_types
from bpconvert.translators.hot.write import conditions, kept
from bpconvert.translators.hot.write.calls import needs, write_condition
from bpconvert.translators.hot.write.context import Context, ResourceDraft
from bpconvert.translators.hot.write.declarations import (
    idle_inputs,
    lower_input,
    lower_outputs,
    needed_parameters,
    settle_types,
)
from bpconvert.translators.hot.write.deployments import Deployments, reach
from bpconvert.translators.hot.write.nested_templates import write_templates
from bpconvert.translators.hot.write.order import break_circles, wait_for_deployments, wait_for_nodes
from bpconvert.translators.hot.write.resources import Resources, fit_result, written
from bpconvert.translators.hot.write.rewriter import HotRewriter
from bpconvert.translators.hot.write.rules import RULES
from bpconvert.translators.lowered import Lowered
from bpconvert.translators.passes.request import Request

#: what holds texts for others, and creates nothing in the cloud
_TEXTS: Final = ("OS::Heat::CloudConfig", "OS::Heat::MultipartMime", resource_types.SOFTWARE_CONFIG)


def _judge(context: Context, drafts: list[ResourceDraft]) -> None:
    """Report a document of which nothing is created."""
    lost = [finding for finding in context.reporter.diagnostics if finding.code in ("BPC380", "BPC791")]
    created = [draft for draft in drafts if not draft.stand_in and draft.type not in _TEXTS]
    if not lost or created or context.request.files.inner:
        return
    nodes = [draft.node.ancestry or [draft.node.source_type] for draft in drafts if draft.stand_in]
    count = stand_ins.counted(nodes) if any(map(stand_ins.platform, nodes)) else str(len(lost))
    texts = [f"'{draft.name}'" for draft in drafts if not draft.stand_in]
    count += f", with the texts {', '.join(texts)}" if texts else ""
    names = stand_ins.listed(finding.path for finding in lost)
    context.reporter.report("BPC787", count=count, names=names)


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
    _judge(context, drafts)
    fit_result(context, drafts)
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
    sections["resources"] |= kept.resource(context, drafts, sections)
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
    conditions_before = (
        context.request.origin.document.data.get("conditions") if context.request.origin is not None else None
    )
    if not isinstance(conditions_before, dict):
        return {}
    originals: dict[str, str] = {}
    for name, definition in conditions_before.items():
        if isinstance(name, str) and name not in conditions:
            originals.setdefault(repr(definition), name)
    names_before: dict[str, str] = {}
    for name, value in conditions.items():
        original = originals.pop(repr(_definition(value)), None)
        if original is not None:
            names_before[name] = original
    return names_before


def _drafts(context: Context, rewriter: HotRewriter) -> list[ResourceDraft]:
    """All resources, each node's own before its deployments unless it stands for them."""
    resources, deployments = Resources(context, rewriter), Deployments(context, rewriter)
    deployments.take()
    drafts: list[ResourceDraft] = []
    groups: list[tuple[ResourceDraft | None, list[ResourceDraft]]] = []
    for node in context.topology.nodes.values():
        parts = deployments.draft(node)
        own = resources.draft(node, deployed=bool(parts))
        groups.append((own, parts))
        drafts += [*parts, own] if own and own.stand_in else [own, *parts] if own else parts
    nodes = context.topology.nodes
    real = {name: last for name, last in deployments.lasts.items() if nodes[name].kind is not None or nodes[name].role}
    for own, parts in groups:
        _order(context, real, own, parts)
    lasts = {own.name: deployments.lasts[own.node.name] for own, parts in groups if own and parts and not own.stand_in}
    wait_for_deployments(drafts, lasts)
    break_circles(context, drafts)
    reach(context, {draft.name: draft for draft in drafts if not draft.part}, deployments.reached)
    return drafts


def _order(context: Context, lasts: dict[str, str], own: ResourceDraft | None, parts: list[ResourceDraft]) -> None:
    """What a node waits for, its first deployment waits for; a stand-in then waits for the last one."""
    if own is not None and own.stand_in and parts:
        own.depends_on.append(parts[-1].name)
        wait_for_nodes(context, parts[1], lasts, skip=_hosts(context, parts[1]))
    elif own is not None:
        wait_for_nodes(context, own, lasts)
    elif parts:
        wait_for_nodes(context, parts[1], lasts, skip=_hosts(context, parts[1]))


def _hosts(context: Context, deployment: ResourceDraft) -> set[str]:
    """The nodes that a deployment waits for already, because its values refer to them."""
    used = deployment.targets()
    return {name for name in deployment.node.awaited if context.names.resource(name) in used}


def _definition(value: Value) -> Any:
    """A condition's definition; the mere name of another is none, so it is negated twice."""
    data = write_condition(value)
    return {"not": {"not": data}} if isinstance(data, str) else data


def trace(
    context: Context,
    result: Lowered,
    drafts: list[ResourceDraft],
    outputs: list[tuple[Path, Path]],
    conditions: dict[str, Value],
) -> None:
    """Note what every entry of the source became, the places that comments go to, and the names in the template.

    ``outputs``: (place in the source, entry of the template); ``conditions``: those of the template."""
    topology, data, words = context.topology, context.request.document.data, context.words
    moves, places = result.moves, result.made

    def became(path: Path, target: Path) -> None:
        places.setdefault(words.entry(path), []).append(target)

    asked: list[tuple[Path, Path]] = []  # inputs for what an entry leaves open: its comments are about its resource
    moves.append(((words.section("capabilities"),), ("outputs",)))
    became((words.section("version"),), ("heat_template_version",))
    if topology.description is not None:
        became((words.section("description"),), ("description",))
    for name, declared in topology.inputs.items():
        target = ("parameters", context.names.parameter(name))
        rows = [(declared.path, target), ((*declared.path, words.key("label")), (*target, "label"))]
        (asked if declared.added else moves).extend(rows)
        became(declared.path, target)
    for name, value in conditions.items():
        if isinstance(value, Expr) and value.path:
            moves.append((words.entry(value.path), ("conditions", name)))
            became(value.path, ("conditions", name))
    # a node's own resource first, then what else its node template became
    for draft in sorted(drafts, key=lambda draft: draft.part or len(draft.node.path) > 2):
        moves += draft.moves
        became(draft.node.path, ("resources", draft.name))
    moves += asked
    for draft in drafts:
        for section in words.wholes(draft.node):
            became(section, ("resources", draft.name))
        for entry in words.others(draft.node) if not draft.part else ():
            became(entry, ("resources", draft.name))
    for path, target in outputs:
        moves.append((path, target))
        became(path, target)
    for node in topology.nodes.values():
        places.setdefault(words.entry(node.path), [])
    for section, entries in data.items() if isinstance(data, dict) else ():
        for path in [(section, entry) for entry in entries] if isinstance(entries, dict) else [(section,)]:
            places.setdefault(path, [])
    if words.imports:
        result.moves = [(source, target) for source, target in moves if not words.is_imported(source)]
    _trace_moved(context, result)
    parameters = result.data.get("parameters", {})
    names = {name: context.names.parameter(name) for name in topology.inputs}
    capabilities = {name: context.names.output(name, "capabilities") for name in topology.capabilities}
    result.names = {
        words.section("inputs"): {name: new for name, new in names.items() if new in parameters},
        words.section("outputs"): {name: context.names.output(name) for name in topology.outputs},
        words.section("capabilities"): capabilities,
    }


def _trace_moved(context: Context, result: Lowered) -> None:
    """What nested templates have of the source, is part of the resources that nest them."""
    for path, names in context.topology.moved.items():
        targets = [("resources", context.names.resource(name)) for name in names]
        result.moves += [(path, target) for target in targets]
        places = result.made.setdefault(path, [])
        places += [target for target in targets if target not in places]


def version(context: Context, sections: dict[str, Any]) -> str:
    """The version to write: the lowest that has all that the result uses, or the one asked for."""
    needed, reason = next(iter(VERSIONS)), ""
    for since, what in [*wants(sections), (context.least_version, "what its values mean")]:
        if since > needed:
            needed, reason = since, what
    wanted = context.request.options.hot_version
    if wanted is None:
        return needed
    if not nearest_version(wanted).has(needed):
        context.reporter.report("BPC540", (), wanted=wanted, needed=needed, reason=reason)
        return needed
    return wanted if resolve_version(wanted) else nearest_version(wanted).date


def wants(sections: dict[str, Any]) -> list[tuple[str, str]]:
    """(version, what it is needed for) of everything that not every version has."""
    wanted = [(since, name) for name, since in hot.Template.SINCE.items() if sections.get(name)]
    for section, model in (
        (sections["parameters"], hot.Parameter),
        (sections["resources"], hot.Resource),
        (sections["outputs"], hot.Output),
    ):
        for entry, data in section.items():
            wanted += [(since, f"'{key}' of '{entry}'") for key, since in model.SINCE.items() if key in data]
            if model is not hot.Parameter:
                values = [value for key, value in data.items() if key not in ("type", "description", "depends_on")]
                wanted.append((needs(values), f"a function that '{entry}' uses"))
    for entry, data in sections["parameters"].items():
        for item in (
            item_of_constraints
            for item_of_constraints in data.get("constraints", ())
            if isinstance(item_of_constraints, dict)
        ):
            wanted += [(since, f"'{key}' of '{entry}'") for key, since in hot.Constraint.SINCE.items() if key in item]
    for entry, data in sections["resources"].items():
        policy = data.get("deletion_policy")
        if isinstance(policy, str) and policy.islower():
            wanted.append(("2016-10-14", f"the deletion policy of '{entry}'"))
    for entry, data in sections["conditions"].items():
        wanted.append((needs(data, "condition"), f"a function in condition '{entry}'"))
    return wanted
