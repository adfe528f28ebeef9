"""Numbers of instances as policies: what the standard has for scaling (Simple Profile 1.3, 5.11.3).

The targets are the resources of which there are as many; software has the number of what it is hosted on. A policy is
written where it is read back as the same numbers (:mod:`~.tosca.read.policies`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.light import NamedTuple
from bpconvert.models.topology import Node, Topology
from bpconvert.translators.provenance.metadata_text import Portable, as_text, kept
from bpconvert.translators.support.text import fresh
from bpconvert.translators.tosca.template_metadata import NODE_KEY
from bpconvert.translators.tosca.vocabulary import SCALING_POLICY
from bpconvert.translators.tosca.write.context import Context, NodeDraft
from bpconvert.translators.tosca.write.placement import SECTION
from bpconvert.yamlio.emit import Flow

_PARENT: Final = "tosca.policies.Scaling"
_COUNT, _LEAST, _MOST = "default_instances", "min_instances", "max_instances"
#: the end of the name of a policy for a single node
_END: Final = "_scaling"


class Numbers(NamedTuple):
    """How many there are of some nodes. ``name``: of the group or node that has the numbers; ``path``: of these;
    ``count``: the number at first where it is computed, which the metadata of the policy keep."""

    name: str
    sizes: dict[str, Value]
    members: list[str]
    path: Path
    count: Value = MISSING


def numbers(topology: Topology, portable: Portable) -> dict[str, Numbers]:
    """The numbers of instances that policies have, by the nodes that they are about. A group in another one, and
    limits that are computed, have no such form; a computed number between limits is kept beside the least one."""
    numbers_by_node: dict[str, Numbers] = {}
    groups: dict[str, list[Node]] = {}
    for node in topology.nodes.values():
        if node.group is not None:
            groups.setdefault(node.group, []).append(node)
    for node in topology.nodes.values():
        members = groups.get(node.name, []) if node.is_group else [node]
        nested = node.group is not None or any(
            member.is_group or member.is_scaled for member in members if member is not node
        )
        sizes = None if nested or (not node.is_scaled and not _is_none(node)) else _sizes(node)
        targets = [member.name for member in members if member.kind is not None and not member.exists]
        if sizes is not None and targets:
            row = Numbers(node.name, sizes, targets, node.origins.get(("instances",), node.path))
            if not _is_number(sizes[_COUNT]):
                row = row._replace(sizes={**sizes, _COUNT: sizes[_LEAST]}, count=portable.value(sizes[_COUNT]))
            if not _is_number(sizes[_COUNT]) and row.count is MISSING:
                continue
            numbers_by_node |= {member.name: row for member in members if member.name in targets or member.role}
    return numbers_by_node


def report_lists(context: Context, numbers_by_node: Mapping[str, Numbers]) -> None:
    """Report values of nodes of which there are several, where they are not those of the own instance."""
    users = [node for node in context.topology.nodes.values() if node.name not in numbers_by_node]
    values = [value for node in users for value in node.values(declared=False)]
    values += [output.value for output in context.topology.published]
    for expr in ex.walk(values) if numbers_by_node else ():
        if (
            isinstance(expr, (ex.Attribute, ex.Identity))
            and isinstance(expr.node, str)
            and expr.node in numbers_by_node
        ):
            context.reporter.report("BPC841", expr.path, name=expr.node)
    _report_first(context, {name for name in context.topology.nodes if name not in numbers_by_node})


def _report_first(context: Context, names: set[str]) -> None:
    """Report values of nodes of which there is one, and several in the source, where another node has them. All
    instances of what exists are the same."""
    nodes = context.topology.nodes
    several = {name for name in names if _is_one_of_several(context.topology, nodes[name])}
    holders: list[tuple[str | None, list[Value]]] = [
        (node.group or node.name, [*node.values(declared=False)]) for node in nodes.values()
    ]
    holders += [(None, [output.value]) for output in context.topology.published]
    for group, values in holders if several else ():
        for expr in ex.walk(values):
            name = expr.node if isinstance(expr, (ex.Attribute, ex.Identity)) else None
            if isinstance(name, str) and name in several and group != (nodes[name].group or name):
                context.reporter.report("BPC243", expr.path, name=name)


def _is_one_of_several(topology: Topology, node: Node) -> bool:
    group = topology.nodes.get(node.group or "", node)
    numbers_kept = (group.instances, *group.limits)
    is_one = group.instances == 1 and not isinstance(group.instances, bool)
    is_single = not node.exists and not node.is_group and not is_one
    return is_single and any(number is not MISSING for number in numbers_kept)


def _is_none(node: Node) -> bool:
    """True for a group of which there is none, in any case."""
    return node.is_group and node.condition is False


def _sizes(node: Node) -> dict[str, Value] | None:
    """The properties of the policy; None where it cannot have them."""
    sizes = {_COUNT: 1 if node.instances is MISSING else node.instances}
    if _is_none(node):
        sizes[_COUNT] = 0
    elif node.condition is not MISSING and node.is_group:
        return None
    if node.limits[1] is not MISSING:
        sizes = {_LEAST: 1 if node.limits[0] is MISSING else node.limits[0], _MOST: node.limits[1], **sizes}
    limits = {key: size for key, size in sizes.items() if key != _COUNT or _LEAST not in sizes}
    return sizes if all(map(_is_number, limits.values())) else None


def _is_number(value: Value) -> bool:
    is_input = isinstance(value, ex.Input) and isinstance(value.name, str) and not value.keys
    return is_input or (isinstance(value, int) and not isinstance(value, bool) and value >= 0)


def names(context: Context, drafts: list[NodeDraft], numbers_by_node: Mapping[str, Numbers]) -> dict[str, str]:
    """The names of the policies, by what has the numbers."""
    own = {draft.node.name for draft in drafts}
    taken = {*own, *(name for row in context.policies if isinstance(row, dict) for name in row)}
    policy_names: dict[str, str] = {}
    for row in {number.name: number for number in numbers_by_node.values()}.values():
        policy_names[row.name] = fresh(row.name if row.name not in own else f"{row.name}{_END}", taken)
        taken.add(policy_names[row.name])
    return policy_names


def write(context: Context, drafts: list[NodeDraft], numbers_by_node: Mapping[str, Numbers]) -> None:
    """Write the policies of the nodes that are among ``drafts``."""
    own = {draft.node.name: draft for draft in drafts}
    for row in {number.name: number for number in numbers_by_node.values()}.values():
        members = [own[name] for name in row.members if name in own]
        if not members:
            continue
        name = context.scaling[row.name]
        place: Path = (SECTION, len(context.policies), name)
        properties = {key: _written(context, value) for key, value in row.sizes.items()}
        targets = [draft.name for draft in members]
        policy = {"type": SCALING_POLICY, "properties": properties, "targets": targets}
        if row.count is not MISSING:
            kept_count = {"properties": {_COUNT: kept(properties[_COUNT], row.count)}}
            policy = {"type": SCALING_POLICY, "metadata": {NODE_KEY: as_text(kept_count)}, **policy}
            context.reporter.report("BPC953", row.path, name=row.name, policy=name)
        context.policies.append({name: policy})
        context.parts.append((row.path, (SECTION,)))
        members[0].moves.append((row.path, (*place, "properties", _COUNT)))
        context.reporter.report("BPC525", row.path, name=row.name, policy=name)


def _written(context: Context, value: Value) -> Any:
    if isinstance(value, ex.Input):
        return Flow({f"{context.prefix}get_input": context.names.input(str(value.name))})
    return value


def policy_types(context: Context) -> dict[str, Any]:
    """The definition of the type of the policies, {} where there are none."""
    rows = [row for entry in context.policies if isinstance(entry, dict) for row in entry.values()]
    own = [row for row in rows if isinstance(row, dict) and row.get("type") == SCALING_POLICY]
    used = {key for row in own for key in row["properties"]}
    properties = {key: Flow(type="integer", required=False) for key in (_LEAST, _MOST, _COUNT) if key in used}
    return {SCALING_POLICY: {"derived_from": _PARENT, "properties": properties}} if own else {}
