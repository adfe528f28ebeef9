"""Groups of resources as scaling groups, or as single nodes where the members differ.

From heat/engine/resources/openstack/heat/resource_group.py and autoscaling_group.py (openstack-heat 27); what scaling
groups accept is in dsl_parser/elements/policies.py and scalable.py (cloudify-common 7).
"""

from __future__ import annotations

import itertools
from operator import itemgetter

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.light import dataclass, replace
from bpconvert.models.topology import Group, Node, Refusal, Topology
from bpconvert.translators.passes.capabilities import GroupType
from bpconvert.translators.passes.expressions.kinds import has_number, is_number
from bpconvert.translators.passes.groups import changes, members
from bpconvert.translators.passes.groups.member_index import Index
from bpconvert.translators.passes.request import Request
from bpconvert.translators.passes.work import Refused, Work
from bpconvert.translators.support.mentions import Mentions

#: property of a group -> why nothing expresses it
_NO_COUNTERPART = {
    "removal_policies": "which members go when the group shrinks is asked when it is scaled",
    "removal_policies_mode": "which members go when the group shrinks is asked when it is scaled",
    "cooldown": "nothing waits between two scalings",
    "rolling_updates": "instances are not replaced in turns",
}
#: more members than this are not written one by one
_MOST = 100
#: and so many in all: Heat creates no more resources with one stack (heat.conf, ``max_resources_per_stack``)
_MOST_IN_ALL = 1_000


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
    #: it has a least and a greatest size
    scales: bool

    @property
    def type(self) -> str:
        return str(self.definition["type"])

    @property
    def properties(self) -> dict[str, Value]:
        properties = self.definition.get("properties")
        return properties if isinstance(properties, dict) else {}


def to_scaling_groups(topology: Topology, request: Request) -> Topology:
    """Let each node that stands for several become its member, which a group of :attr:`Topology.groups` has, or several
    nodes. One that cannot be converted keeps the reason."""
    work = Work(topology, request)
    mentions = Mentions(topology)
    done: set[str] = set()
    # the groups in the definitions of groups are nodes of the next round
    while waiting := [node for node in topology.nodes.values() if _type(work, node) and node.name not in done]:
        done.update(node.name for node in waiting)
        _round(work, waiting, members.Exchange(topology, mentions, [node.name for node in waiting]))
    return topology


def _round(work: Work, waiting: list[Node], exchange: members.Exchange) -> None:
    """Convert the groups ``waiting``."""
    converted: dict[str, str | None] = {}
    nodes_made: dict[str, list[Node]] = {}
    for group in waiting:
        exchange.now(group)
        try:
            nodes_made[group.name], converted[group.name] = _convert(work, _read(work, group), exchange)
        except Refused as refused:
            group.refusal = Refusal("BPC742", str(refused))
    nodes = [new for node in work.topology.nodes.values() for new in nodes_made.get(node.name, [node])]
    work.topology.nodes.clear()
    work.topology.nodes.update((node.name, node) for node in nodes)
    exchange.apply()
    _policies(work, converted)


def _type(work: Work, node: Node) -> GroupType | None:
    """The type of a node that stands for several, None for others."""
    return work.request.source.group_types.types.get(node.source_type)


def complete(topology: Topology) -> None:
    """Add to each group the nodes that were made for a member (the port of an interface); what exists already is
    there once."""
    helpers: dict[str, list[tuple[int, Node]]] = {}
    for place, node in enumerate(topology.nodes.values()):
        # each member has one that was made for it, or an existing resource that its number names
        if node.made_for is not None and (node.external_id is MISSING or has_number(node.external_id)):
            helpers.setdefault(node.made_for, []).append((place, node))
    for name, group in topology.groups.items():
        made_for_members = sorted(
            (row for member in group.members for row in helpers.get(member, ())), key=itemgetter(0)
        )
        for _, helper in made_for_members:
            group.members.append(helper.name)
            _number_itself(helper, str(helper.made_for))
        for member in group.members:
            topology.nodes[member].group = name


def _number_itself(helper: Node, user: str) -> None:
    """Let ``helper`` take its own number: in properties, the number of the instance of ``user`` cannot be resolved
    (dsl_parser/functions.py, ``_resolve_node_instance``: the hint is for the instance itself)."""

    def own(expr: ex.Expr) -> Value:
        return replace(expr, node=helper.name) if is_number(expr) and expr.node == user else expr

    helper.properties = ex.transform(helper.properties, own)
    if helper.external_id is not MISSING:
        helper.external_id = ex.transform(helper.external_id, own)


def _convert(work: Work, spec: _Spec, exchange: members.Exchange) -> tuple[list[Node], str | None]:
    """The nodes that are the members of a group, and the name of the scaling group that has them, None without one."""
    groups = work.request.source.group_types
    count = spec.sizes["count"]
    singles = [
        member
        for expr in exchange.references_to(spec.node.name)
        if (member := members.single_member(expr, _paths_in_all(work))) is not None
    ]
    kind = work.request.catalogue.kind_of(work.topology.dialect, spec.type)
    absorbed = kind is not None and kind.merge is not None
    resource_group = not spec.scales
    indexed = resource_group and spec.index.occurs(spec.properties)
    if spec.type in groups.types and isinstance(count, int) and count * _nodes_of(work, spec.definition) > _MOST_IN_ALL:
        raise Refused(f"with its members more than {_MOST_IN_ALL} would be written one by one")
    reasons = {
        "a member is part of another node": absorbed,
        "the index is in its properties": indexed,
        "single members are referred to": bool(singles),
        "the deployments of a group name its members": members.is_deployed_to(work.topology, spec.node.name),
        "a member is a group": spec.type in groups.types,
    }
    shared = work.request.target.shared_by_instances.get(kind.kind) if kind is not None else None
    why = next((text for text, applies in reasons.items() if applies), shared)
    if not why or not resource_group or not isinstance(count, int) or count > _MOST:
        if absorbed:
            raise Refused("its members are parts of other nodes, and how many there are is not known")
        if shared is not None:
            raise Refused(f"{shared}, and how many members there are is not known")
        if spec.type in groups.types:
            raise Refused("it is a group of groups, and how many there are is not known")
        return _scale(work, spec, exchange, indexed)
    return _unroll(work, spec, exchange, count, why), None


def _nodes_of(work: Work, definition: Value) -> int:
    """How many nodes a member is; raises :class:`Refused` where it is a group of groups of an unknown size, of which
    nothing would be created."""
    group_types = work.request.source.group_types.types
    properties = definition.get("properties") if isinstance(definition, dict) else None
    type = definition.get("type") if isinstance(definition, dict) else None
    if not isinstance(properties, dict) or type not in group_types:
        return 1
    group_type = group_types[str(type)]
    inner = properties.get(group_type.definition)
    count = _sizes(properties, group_type.scales, work.request.source.title)["count"]
    size = count if isinstance(count, int) and not group_type.scales else None
    if isinstance(inner, dict) and inner.get("type") in group_types:
        if size is None:
            raise Refused("it is a group of groups, and how many there are is not known")
        return size * _nodes_of(work, inner)
    index = Index(str(properties.get("index_var") or "%index%"), work.topology)
    return size if size is not None and index.occurs(inner) else 1


def _paths_in_all(work: Work) -> bool:
    """True where a path selects from the list of all members' values, not from the value of each."""
    return work.topology.version < work.request.source.group_types.paths_since


# -- reading ------------------------------------------------------------------------------------------------


def _read(work: Work, node: Node) -> _Spec:
    """The group as it is written; raises :class:`Refused` where its members are not known."""
    group_type = work.request.source.group_types.types[node.source_type]
    key = group_type.definition
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
    place = node.origin(key)
    index = Index("%index%" if mark is None else str(mark), work.topology)
    sizes = _sizes(properties, group_type.scales, work.request.source.title)
    return _Spec(node, definition, place, sizes, index, members.left_out(properties), group_type.scales)


def _sizes(properties: dict[str, Value], scales: bool, engine: str) -> dict[str, Value]:
    """The sizes of the group, as Heat reads them: the desired capacity is the least one unless given."""
    if not scales:
        return {"count": _size(properties, "count", 1)}
    least, most = _size(properties, "min_size", None), _size(properties, "max_size", None)
    wanted = _size(properties, "desired_capacity", 0) or least
    constants = [size for size in (least, wanted, most) if isinstance(size, int)]
    if constants != sorted(constants):
        raise Refused(f"its sizes contradict each other, which {engine} refuses")
    return {"count": wanted, "least": least, "most": most}


def _size(properties: dict[str, Value], name: str, default: Value) -> Value:
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


# -- single nodes -------------------------------------------------------------------------------------------


def _unroll(work: Work, spec: _Spec, exchange: members.Exchange, count: int, why: str) -> list[Node]:
    """One node for each member."""
    group = spec.node
    if count + sum(map(len, work.topology.unrolled.values())) > _MOST_IN_ALL:
        raise Refused(f"with its members more than {_MOST_IN_ALL} would be written one by one")
    numbers = [n for n in itertools.islice(itertools.count(), count + len(spec.skipped)) if str(n) not in spec.skipped]
    nodes_made = {str(number): work.fresh_node(f"{group.name}_{number}") for number in numbers[:count]}
    listed = ", ".join(nodes_made.values()) or "none"
    work.report("BPC741", (*group.path, "type"), type=group.source_type, name=group.name, nodes=listed, why=why)
    _settings(work, spec, unrolled=True)
    work.topology.unrolled[group.name] = list(nodes_made.values())
    in_all = _paths_in_all(work)
    exchange.note(group.name, lambda expr: members.of_single_nodes(expr, nodes_made, in_all, spec.skipped))
    members_made = []
    for member, new in nodes_made.items():
        properties = spec.index.numbered(spec.properties, member)
        members_made.append(_member(work, spec, new, work.fold(properties, (*spec.place, "properties"))))
        exchange.adopt(members_made[-1], group.name)
    return members_made


def _member(work: Work, spec: _Spec, name: str, properties: dict[str, Value]) -> Node:
    """A member as a node of its own."""
    group, groups = spec.node, work.request.source.group_types
    kind = work.request.catalogue.kind_of(work.topology.dialect, spec.type)
    path, outer = spec.place, group.path
    member = Node(name, spec.type, kind.kind if kind else None, dict(properties), path=path, outer=outer)
    groups.neutral(member, kind, work.request.reporter)
    member.wait_as(group)
    member.condition, member.extra = group.condition, dict(group.extra)
    metadata = spec.definition.get("metadata")
    if metadata is not None:
        both = "metadata" in member.extra
        member.extra["metadata"] = [member.extra["metadata"], metadata] if both else metadata
        if both:
            work.report("BPC320", (*spec.place, "metadata"), name="metadata", value=metadata)
        else:
            member.origins["extra", "metadata"] = (*spec.place, "metadata")
    return member


# -- scaling groups -----------------------------------------------------------------------------------------


def _scale(work: Work, spec: _Spec, exchange: members.Exchange, indexed: bool) -> tuple[list[Node], str]:
    """The member as a node, in a scaling group of its own."""
    group = spec.node
    properties = spec.properties
    if indexed:
        properties = spec.index.counted(properties, (*spec.place, "properties"), group.name)
    end = "members" if group.name.endswith("group") else "group"
    name, policy = work.fresh_node(f"{group.name}_{end}"), work.fresh_node(f"{group.name}_scaling")
    size = spec.sizes["count"]
    exchange.note(group.name, lambda expr: members.of_instances(work, expr, spec.scales, size))
    member = _member(work, spec, group.name, properties)
    exchange.adopt(member, group.name)
    member.group = name
    _settings(work, spec, unrolled=False)
    origins = {key: _origin(group, key, value) for key, value in spec.sizes.items()}
    work.topology.groups[name] = Group([group.name], spec.sizes, origins, policy)
    work.report("BPC740", (*group.path, "type"), type=group.source_type, name=group.name, group=name)
    return [member], name


#: size of a group -> the properties that are it
_SIZES = {
    "count": ("count", "desired_capacity", "min_size"),
    "least": ("min_size",),
    "most": ("max_size",),
}


def _origin(node: Node, key: str, value: Value) -> Path:
    """The place of a size in the source."""
    source = next((name for name in _SIZES[key] if node.properties.get(name) is value), _SIZES[key][0])
    return node.origin(source)


def _settings(work: Work, spec: _Spec, *, unrolled: bool) -> None:
    """Report the properties that are about the group's later life."""
    path = spec.node.origin()
    handled = {spec.place[-1], "index_var", *(name for names in _SIZES.values() for name in names)}
    for name, value in spec.node.properties.items():
        if name in handled:
            continue
        if value in (None, [], {}):
            work.report("BPC307", (*path, name), name=name)
        elif unrolled and name == "removal_policies":
            work.report("BPC316", (*path, name), name=name, value=value)
        elif name in _NO_COUNTERPART:
            work.report("BPC743", (*path, name), name=name, why=_NO_COUNTERPART[name])
        else:
            work.report("BPC301", (*path, name), name=name, type=spec.node.source_type)
    for name in spec.definition.keys() - {"type", "properties", "metadata"}:
        work.report("BPC743", (*spec.place, name), name=name, why="a member has a type, properties and metadata")


def _policies(work: Work, converted: dict[str, str | None]) -> None:
    """Let policies that nothing refers to be changes of their groups; show in the stand-ins of others which group they
    scaled, and report how the user does it. ``converted``: name -> the group of :attr:`Topology.groups`, None for nodes
    of their own."""
    policies = work.request.source.group_types.policies
    owners = {member: name for name in converted for member in work.topology.unrolled.get(name, ())}
    order = {name: place for place, name in enumerate(converted)}
    names_referred: set[str] | None = None
    for node in list(work.topology.nodes.values()):
        policy = policies.get(node.source_type)
        if policy is None or not isinstance(node.properties, dict):
            continue
        target = node.properties.get(policy.group)
        if not isinstance(target, ex.Foreign):  # what nothing expresses waits for the members
            continue
        waited = {str(expr.node) for expr in ex.walk(target) if isinstance(expr, ex.Identity)}
        names = {owners.get(name, name) for name in waited} & converted.keys()
        if not names:
            continue
        name = min(names, key=order.__getitem__)
        group, delta = converted[name], node.properties.get(policy.step)
        by_number = node.properties.get(policy.meaning) == policy.by_number and not isinstance(delta, ex.Expr)
        if group is not None and by_number and node.source_type == next(iter(policies)):
            settings = {key: value for key, value in node.properties.items() if key not in policy}
            names_referred = changes.referred(work.topology) if names_referred is None else names_referred
            alone = node.name not in names_referred and {*node.awaited} <= {name}
            if alone and changes.take(work.topology, node, group, delta, settings, work.request):
                for key in settings:
                    work.report("BPC743", node.origin(key), name=key, why=_NO_COUNTERPART[key])
                continue
        node.properties = {**node.properties, policy.group: group or name}
        node.wait_for(name)
        if group is not None:
            words = delta if by_number else "N"
            work.report("BPC745", node.path, name=node.name, group=group, delta=words)
