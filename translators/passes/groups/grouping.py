"""Groups of resources as scaling groups, or as single nodes where the members differ.

From heat/engine/resources/openstack/heat/resource_group.py and autoscaling_group.py (openstack-heat 27); what scaling
groups accept is in dsl_parser/elements/policies.py and scalable.py (cloudify-common 7).
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.topology import Group, Node, Refusal
from bpconvert.translators.hot.read import older_types
from bpconvert.translators.passes.expressions.fold import Folder
from bpconvert.translators.passes.groups import members as members
from bpconvert.translators.passes.groups.member_index import NUMBER, Index

if TYPE_CHECKING:
    from bpconvert.translators.cloudify.write.context import Context
    from bpconvert.translators.cloudify.write.nodes import Nodes

#: property of a group -> why nothing says it
_NO_COUNTERPART = {
    "removal_policies": "which members go when the group shrinks is asked when it is scaled",
    "removal_policies_mode": "which members go when the group shrinks is asked when it is scaled",
    "cooldown": "nothing waits between two scalings",
    "rolling_updates": "instances are not replaced in turns",
}
#: type that scales a group -> the property that names the group, what to add, and how that is meant
_POLICIES = {
    "OS::Heat::ScalingPolicy": ("auto_scaling_group_id", "scaling_adjustment", "adjustment_type"),
    "AWS::AutoScaling::ScalingPolicy": ("AutoScalingGroupName", "ScalingAdjustment", "AdjustmentType"),
}
_BY_NUMBER = ("change_in_capacity", "ChangeInCapacity")
#: kind -> what all instances of a node share (cloudify_types: password_secret names the secret after the node)
_SHARED = {"random_string": "all instances of one node have the same secret"}
#: more members than this are not written one by one
_MOST = 100


class Refused(Exception):
    """The group cannot be converted; the text says why."""


@dataclass(eq=False, repr=False)
class _Spec:
    """One group: the definition of its members at ``place``, and its sizes."""

    node: Node
    definition: dict[str, Value]
    place: Path
    sizes: dict[str, Value]
    index: Index
    #: members that are left out
    skipped: list[str]

    @property
    def type(self) -> str:
        return str(self.definition["type"])

    @property
    def properties(self) -> dict[str, Value]:
        found = self.definition.get("properties")
        return found if isinstance(found, dict) else {}


def prepare(nodes: Nodes) -> None:
    """Rewrite the topology before anything is decided about its nodes: each group of Heat becomes its member, which a
    scaling group of :attr:`Nodes.groups` has, or several nodes."""
    topology = nodes.context.topology
    done: set[str] = set()
    while group := next((n for n in topology.nodes.values() if _is_group(n) and n.name not in done), None):
        done.add(group.name)
        try:
            _convert(nodes, _read(nodes, group))
        except Refused as refused:
            group.refusal = Refusal("BPC742", str(refused))


def _is_group(node: Node) -> bool:
    return node.source_type in members.TYPES


def complete(nodes: Nodes) -> None:
    """Add to each group the nodes that were made for a member (the port of an interface); what exists already is
    there once."""
    context = nodes.context
    for name, group in context.topology.groups.items():
        for made in context.topology.nodes.values():
            user = made.made_for
            if user is not None and user in group.members and _is_one_each(made):
                group.members.append(made.name)
                _number_itself(made, user)
        for member in group.members:
            context.topology.nodes[member].group = name


def _is_one_each(helper: Node) -> bool:
    """True for a node that each member has one of: made for it, or an existing resource that its number names."""
    if helper.external_id is MISSING:
        return True
    return members.has_number(helper.external_id)


def _number_itself(helper: Node, user: str) -> None:
    """Let ``helper`` take its own number: in properties, the number of the instance of ``user`` cannot be resolved
    (dsl_parser/functions.py, ``_resolve_node_instance``: the hint is for the instance itself)."""

    def own(expr: ex.Expr) -> Value:
        is_number = isinstance(expr, ex.Attribute) and expr.name == NUMBER and expr.node == user
        return ex.Attribute(helper.name, NUMBER, path=expr.path) if is_number else expr

    helper.properties = ex.transform(helper.properties, own)
    if helper.external_id is not MISSING:
        helper.external_id = ex.transform(helper.external_id, own)


def _convert(nodes: Nodes, spec: _Spec) -> None:
    context = nodes.context
    count = spec.sizes["default_instances"]
    singles = [
        one
        for expr in members.references_to(context.topology, spec.node.name)
        if (one := members.single_member(expr, context.topology.version)) is not None
    ]
    kind = context.catalogue.kind_of(context.topology.dialect, spec.type)
    absorbed = kind is not None and kind.merge is not None
    resource_group = spec.node.source_type != members.AUTO_SCALING
    indexed = resource_group and spec.index.occurs(spec.properties)
    reasons = {
        "a member is part of another node": absorbed,
        "the index is in its properties": indexed,
        "single members are referred to": bool(singles),
        "the deployments of a group name its members": members.is_deployed_to(context.topology, spec.node.name),
        "a member is a group": spec.type in members.TYPES,
    }
    shared = _SHARED.get(kind.kind) if kind is not None else None
    why = next((text for text, applies in reasons.items() if applies), shared)
    if not why or not resource_group or not isinstance(count, int) or count > _MOST:
        if absorbed:
            raise Refused("its members are parts of other nodes, and how many there are is not known")
        if shared is not None:
            raise Refused(f"{shared}, and how many members there are is not known")
        if spec.type in members.TYPES:
            raise Refused("it is a group of groups, and how many there are is not known")
        _scale(nodes, spec, indexed)
    else:
        _unroll(nodes, spec, count, why)


# -- reading ------------------------------------------------------------------------------------------------


def _read(nodes: Nodes, node: Node) -> _Spec:
    """The group as it is written; raises :class:`Refused` where its members are not known."""
    key = members.TYPES[node.source_type]
    properties = node.properties
    if node.external_id is not MISSING:
        raise Refused("it exists already")
    if not isinstance(properties, dict):
        raise Refused("its properties are computed")
    definition = properties.get(key)
    if not isinstance(definition, dict):
        raise Refused(f"its '{key}' is " + ("missing" if definition is None else "computed"))
    if not isinstance(definition.get("type"), str):
        raise Refused("the type of its members is " + ("missing" if definition.get("type") is None else "computed"))
    if not isinstance(definition.get("properties", {}), (dict, type(None))):
        raise Refused("the properties of its members are computed")
    mark = properties.get("index_var")
    if isinstance(mark, ex.Expr):
        raise Refused("its 'index_var' is computed")
    place = (*node.path, "properties", key)
    index = Index("%index%" if mark is None else str(mark), nodes.context.topology)
    return _Spec(node, definition, place, _sizes(properties, node), index, _skipped(properties))


def _sizes(properties: dict[str, Value], node: Node) -> dict[str, Value]:
    """The properties of the scaling policy, as Heat reads them: the desired capacity is the least one unless given."""
    if node.source_type != members.AUTO_SCALING:
        return {"default_instances": _whole(properties, "count", 1)}
    least, most = _whole(properties, "min_size", None), _whole(properties, "max_size", None)
    wanted = _whole(properties, "desired_capacity", 0) or least
    known = [size for size in (least, wanted, most) if isinstance(size, int)]
    if known != sorted(known):
        raise Refused("its sizes contradict each other, which Heat refuses")
    return {"default_instances": wanted, "min_instances": least, "max_instances": most}


def _whole(properties: dict[str, Value], name: str, default: Value) -> Value:
    """A size: a whole number, or a call."""
    value = properties.get(name)
    value = default if value is None else value
    if isinstance(value, ex.Expr):
        return value
    try:
        number = int(value)
    except (TypeError, ValueError):
        raise Refused(f"'{name}' is no whole number" if value is not None else f"'{name}' is missing") from None
    if number < 0:
        raise Refused(f"'{name}' is negative")
    return number


def _skipped(properties: dict[str, Value]) -> list[str]:
    """The names of members that are left out from the start."""
    found: list[str] = []
    policies = properties.get("removal_policies")
    for policy in policies if isinstance(policies, list) else ():
        listed = policy.get("resource_list") if isinstance(policy, dict) else None
        found += [str(name) for name in listed if isinstance(name, (str, int))] if isinstance(listed, list) else []
    return found


# -- single nodes -------------------------------------------------------------------------------------------


def _unroll(nodes: Nodes, spec: _Spec, count: int, why: str) -> None:
    """One node for each member."""
    context, group = nodes.context, spec.node
    numbers = [n for n in itertools.islice(itertools.count(), count + len(spec.skipped)) if str(n) not in spec.skipped]
    made = {str(number): context.fresh_node(f"{group.name}_{number}") for number in numbers[:count]}
    listed = ", ".join(made.values()) or "none"
    context.reporter.report(
        "BPC741", (*group.path, "type"), type=group.source_type, name=group.name, nodes=listed, why=why
    )
    _settings(nodes, spec, unrolled=True)
    context.topology.unrolled[group.name] = list(made.values())
    version = context.topology.version
    members.exchange(context, group.name, lambda expr: members.of_single_nodes(expr, made, version, spec.skipped))
    _policies(nodes, group.name, None)
    ordered: dict[str, Node] = {}
    for name, node in context.topology.nodes.items():
        if node is not group:
            ordered[name] = node
            continue
        folder = Folder(context.topology, context.request)
        for member, new in made.items():
            properties = spec.index.numbered(spec.properties, member)
            ordered[new] = _member(nodes, spec, new, folder.fold(properties, (*spec.place, "properties")))
    context.topology.nodes.clear()
    context.topology.nodes.update(ordered)


def _member(nodes: Nodes, spec: _Spec, name: str, properties: dict[str, Value]) -> Node:
    """A member as a node of its own."""
    group, context = spec.node, nodes.context
    kind = context.catalogue.kind_of(context.topology.dialect, spec.type)
    path, outer = spec.place, group.path
    member = Node(name, spec.type, kind.kind if kind else None, dict(properties), path=path, outer=outer)
    older_types.neutral(member, kind, context.reporter)
    member.depends_on, member.depends_on_text = list(group.depends_on), group.depends_on_text
    member.condition, member.extra = group.condition, dict(group.extra)
    metadata = spec.definition.get("metadata")
    if metadata is not None:
        both = "metadata" in member.extra
        member.extra["metadata"] = [member.extra["metadata"], metadata] if both else metadata
        if both:
            context.reporter.report("BPC320", (*spec.place, "metadata"), name="metadata", value=metadata)
        else:
            member.origins["extra", "metadata"] = (*spec.place, "metadata")
    return member


# -- scaling groups -----------------------------------------------------------------------------------------


def _scale(nodes: Nodes, spec: _Spec, indexed: bool) -> None:
    """The member as a node, in a scaling group of its own."""
    context, group = nodes.context, spec.node
    properties = spec.properties
    numbered: list[Path] = []
    if indexed:
        properties = spec.index.counted(properties, (*spec.place, "properties"), group.name, numbered)
    name, policy = context.fresh_node(_group_name(group.name)), context.fresh_node(f"{group.name}_scaling")
    size = spec.sizes["default_instances"]
    members.exchange(context, group.name, lambda expr: members.of_instances(context, expr, group.source_type, size))
    member = context.topology.nodes[group.name] = _member(nodes, spec, group.name, properties)
    member.group = name
    _settings(nodes, spec, unrolled=False)
    said = {key: _size(nodes, spec, key, value) for key, value in spec.sizes.items() if _is_limit(nodes, spec, key)}
    context.topology.groups[name] = Group([group.name], said, policy=policy)
    context.reporter.report("BPC740", (*group.path, "type"), type=group.source_type, name=group.name, group=name)
    for place in numbered:
        context.reporter.report("BPC749", place, name=group.name)
    _policies(nodes, group.name, name)


def _group_name(name: str) -> str:
    return f"{name}_members" if name.endswith("group") else f"{name}_group"


def _is_limit(nodes: Nodes, spec: _Spec, key: str) -> bool:
    """False for a limit that the policy cannot have: the parser refuses a maximum of 0."""
    if key != "max_instances" or spec.sizes[key] != 0 or isinstance(spec.sizes[key], ex.Expr):
        return True
    why = "a scaling policy has no maximum of 0"
    nodes.context.reporter.report("BPC743", (*spec.node.path, "properties", "max_size"), name="max_size", why=why)
    return False


#: property of the scaling policy -> the properties of groups that say it
_SIZES = {
    "default_instances": ("count", "desired_capacity", "min_size"),
    "min_instances": ("min_size",),
    "max_instances": ("max_size",),
}


def _size(nodes: Nodes, spec: _Spec, key: str, value: Value) -> Value:
    """A size as the scaling policy takes it: a number that is known once the inputs are."""
    properties = spec.node.properties
    source = next((name for name in _SIZES[key] if properties.get(name) is value), _SIZES[key][0])
    path = (*spec.node.path, "properties", source)
    rewriter = nodes.rewriter
    if not isinstance(value, ex.Expr):
        return value
    kind = rewriter.kind(value)
    why = "" if kind in ("number", "any") else f"the number of instances is a {kind}, not a number"
    if not rewriter.is_static(value):
        why = "the number of instances has to be known when deploying"
    if why:
        asked = rewriter.replacement(value, value.path or path, why)
        described = nodes.context.extra_inputs[asked.name]
        nodes.context.extra_inputs[asked.name] = {"type": "integer", **described}
        return asked
    said = rewriter.value(value, path)
    if isinstance(said, ex.Input) and kind == "number":
        nodes.context.counts.add(said.name)
    return said


def _settings(nodes: Nodes, spec: _Spec, *, unrolled: bool) -> None:
    """Report what the group says about its later life."""
    report, path = nodes.context.reporter.report, (*spec.node.path, "properties")
    known = {members.TYPES[spec.node.source_type], "index_var", *(name for names in _SIZES.values() for name in names)}
    for name, value in spec.node.properties.items():
        if name in known:
            continue
        if value in (None, [], {}):
            report("BPC307", (*path, name), name=name)
        elif unrolled and name == "removal_policies":
            report("BPC316", (*path, name), name=name, value=value)
        elif name in _NO_COUNTERPART:
            report("BPC743", (*path, name), name=name, why=_NO_COUNTERPART[name])
        else:
            report("BPC301", (*path, name), name=name, type=spec.node.source_type)
    for name in spec.definition.keys() - {"type", "properties", "metadata"}:
        report("BPC743", (*spec.place, name), name=name, why="a member has a type, properties and metadata")


def _policies(nodes: Nodes, name: str, group: str | None) -> None:
    """Say in the stand-ins of policies which group they scaled, and how the user does it."""
    context = nodes.context
    for node in context.topology.nodes.values():
        if node.source_type not in _POLICIES or not isinstance(node.properties, dict):
            continue
        key, step, meaning = _POLICIES[node.source_type]
        target = node.properties.get(key)
        if not isinstance(target, ex.Foreign) or name not in _targets(context, target):
            continue
        delta: Any = node.properties.get(step)
        by_number = node.properties.get(meaning) in _BY_NUMBER and not isinstance(delta, ex.Expr)
        node.properties = {**node.properties, key: group or name}
        node.depends_on = [*node.depends_on, name]
        if group is not None:
            words = delta if by_number else "N"
            context.reporter.report("BPC745", node.path, name=node.name, group=group, delta=words)


def _targets(context: Context, value: ex.Foreign) -> set[str]:
    """The groups whose members an unsayable reference waits for."""
    found = {expr.node for expr in ex.walk(value) if isinstance(expr, ex.Identity)}
    return {str(one) for one in found} | {name for name, made in context.topology.unrolled.items() if found & set(made)}
