"""The single nodes that a group, or a node with several instances, stands for.

From heat/engine/resources/openstack/heat/resource_group.py and autoscaling_group.py; cloudify-common gives a node's
instances in their order.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.hot import GROUP_MEMBERS
from bpconvert.models.topology import Node
from bpconvert.translators.comparing.model import Side
from bpconvert.translators.hot.group_types import GROUPS
from bpconvert.translators.passes.groups.members import of_single_nodes
from bpconvert.translators.verify import scaled

#: the type of a node that is nothing but its scripts
SCRIPTS: Final = "cloudify.nodes.SoftwareComponent"
#: of more members than this only the first ones are compared, and how many there are
_MOST: Final = 50


def of(side: Side, node: Node) -> Iterator[Node]:
    """The members of ``node``, each a node of its own; none where it is a single node, or how many is not known."""
    if node.source_type in GROUP_MEMBERS:
        yield from _of_group(side, node)
        return
    if node.group in side.spread:
        yield from scaled.members(side, node, _MOST)
        return
    count, same_number = side.count(node), beside(side, node)
    scales = node.instances is not MISSING or node.limits[1] is not MISSING or same_number
    if scales and isinstance(count, int):
        if count > _MOST:
            side.more[node.name] = (count,)
        for number in range(min(count, _MOST)):
            yield _numbered_node(node, str(number), {node.name, *same_number})


def beside(side: Side, node: Node) -> set[str]:
    """The nodes that are scaled together with ``node``, and itself: each instance has its own. Empty for all else."""
    nodes = side.topology.nodes
    group = nodes.get(str(node.group))
    found = [other for other in nodes.values() if node.group is not None and other.group == node.group]
    alone = all(one.instances is MISSING and one.limits[1] is MISSING and not one.is_group for one in found)
    return {other.name for other in found} if alone and group is not None and group.group is None else set()


def _numbered_node(node: Node, number: str, beside: set[str]) -> Node:
    """One instance of ``node``; the nodes ``beside`` it have one of the same number."""

    def own(expr: ex.Expr) -> Value:
        if isinstance(expr, (ex.Attribute, ex.Identity)) and expr.node in beside:
            return replace(expr, node=f"{expr.node}.{number}")
        return expr

    operations = [replace(one, inputs=ex.transform(one.inputs, own)) for one in node.operations]
    properties = ex.transform(node.properties, own)
    return replace(node, name=f"{node.name}.{number}", instances=MISSING, properties=properties, operations=operations)


def _of_group(side: Side, node: Node) -> Iterator[Node]:
    properties = side.value(node.properties)
    key = GROUP_MEMBERS[node.source_type]
    definition = properties.get(key) if isinstance(properties, dict) else None
    count = _count(node, properties) if isinstance(properties, dict) else None
    if not isinstance(definition, dict) or not isinstance(definition.get("type"), str) or count is None:
        return
    type, mark = side.files.type_of(definition["type"], node.name), properties.get("index_var", "%index%")
    kind = side.catalogue.kind_of(node.native or side.topology.dialect, type)
    inside = {(): (*node.origin(), key, "properties")}
    wanted = {expr.node for expr in ex.walk(node.properties) if isinstance(expr, (ex.Identity, ex.Attribute))}
    removed = set(removed_names(properties))
    numbers = (number for number in itertools.count() if str(number) not in removed)
    if count > _MOST:
        side.more[node.name] = (count,)
    for number in itertools.islice(numbers, max(0, min(count, _MOST))):
        own = _numbered(definition.get("properties") or {}, str(mark), str(number))
        made = Node(
            f"{node.name}.{number}", type, kind.kind if kind else None, own, path=node.path, origins=dict(inside)
        )
        made.wait_for(*node.awaited, *(name for name in wanted if isinstance(name, str)))
        yield made


def removed_names(properties: Mapping[Any, Value]) -> list[str]:
    """The members that a ResourceGroup leaves out by their names (heat: ``removal_policies``)."""
    policies = properties.get("removal_policies")
    rows = [row.get("resource_list") for row in policies if isinstance(row, dict)] if isinstance(policies, list) else []
    return [str(name) for row in rows if isinstance(row, list) for name in row]


def _count(node: Node, properties: dict[Any, Value]) -> int | None:
    """How many members a group has at first."""
    resources = node.source_type == "OS::Heat::ResourceGroup"
    names = ("count",) if resources else ("desired_capacity", "min_size")
    for name in names:
        if properties.get(name) is not None:
            try:
                return int(properties[name])
            except (TypeError, ValueError):
                return None
    return 1 if resources else None


def _numbered(value: Any, mark: str, number: str) -> Any:
    """``value`` with the number for the mark, in texts and not in keys."""
    if isinstance(value, str):
        return value.replace(mark, number)
    if isinstance(value, dict):
        return {key: _numbered(item, mark, number) for key, item in value.items()}
    return [_numbered(item, mark, number) for item in value] if isinstance(value, list) else value


def spread(value: Value, groups: dict[str, list[str]], version: str, scaling: Collection[str] = ()) -> Value:
    """``value`` with references to the single members in place of those to their group. ``groups``: name -> members;
    ``version``: that of a HOT template, else empty: then an attribute is that of the only instance; ``scaling``: the
    groups that are AutoScalingGroups."""
    if not groups:
        return value

    def single(expr: ex.Expr) -> Value:
        node = getattr(expr, "node", None)
        if not isinstance(node, str) or node not in groups:
            return expr
        members = groups[node]
        if isinstance(expr, ex.AttributeList):
            return [_one(member, expr.name, expr.keys, expr.path) for member in members]
        if version == "" and isinstance(expr, ex.Attribute):
            return _one(members[0], expr.name, expr.keys, expr.path) if len(members) == 1 else expr
        if isinstance(expr, (ex.Attribute, ex.Identity)):
            numbered = {name.rpartition(".")[2]: name for name in members}
            most = max((int(number) for number in numbered), default=0)
            skipped = [str(number) for number in range(most) if str(number) not in numbered]
            if node in scaling and isinstance(expr, ex.Attribute):
                found = _of_scaling(expr, numbered, version)
            else:
                found = of_single_nodes(expr, numbered, version < GROUPS.paths_since, skipped)
            return expr if isinstance(found, ex.Foreign) else spread(found, groups, version, scaling)
        return expr

    return ex.transform(value, single)


def _of_scaling(expr: ex.Attribute, members: dict[str, str], version: str) -> Value:
    """An attribute of an AutoScalingGroup (heat: autoscaling_group.py). ``members``: name -> node."""
    if expr.name == "current_size":
        return len(members)
    if expr.name in ("outputs", "outputs_list") and expr.keys:
        values = {name: _one(node, expr.keys[0], expr.keys[1:], expr.path) for name, node in members.items()}
        return values if expr.name == "outputs" else list(values.values())
    return of_single_nodes(expr, members, version < GROUPS.paths_since, [])


def _one(member: str, name: Value, keys: tuple[Value, ...], path: Path) -> Value:
    return ex.Identity(member, path=path) if name is MISSING else ex.Attribute(member, name, keys, path=path)
