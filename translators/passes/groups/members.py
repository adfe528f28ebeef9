"""References to a group of resources: to all of its members, or to single ones.

A group that became single nodes has lists of their values (exact); one that scales has the functions that yield the
values of all instances.
"""

from __future__ import annotations

from collections.abc import Callable

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Value
from bpconvert.models.topology import Node, Output, Topology
from bpconvert.translators.passes.capabilities import Capabilities
from bpconvert.translators.passes.request import Request
from bpconvert.translators.passes.work import Work
from bpconvert.translators.support.mentions import Holder, Mentions
from bpconvert.translators.support.places import items

Reference = ex.Identity | ex.Attribute
#: attributes that are maps by the members' names
_MAPS = ("attributes", "refs_map", "outputs")


def _values(holder: Holder) -> list[Value]:
    if isinstance(holder, Output):
        return [holder.value]
    return [holder.properties, holder.extra.get("metadata"), holder.external_id]


def is_deployed_to(topology: Topology, name: str) -> bool:
    """True when a deployment group has the members of group ``name`` as its servers."""
    return any(
        node.kind == "software_deployment_group"
        and isinstance(node.properties, dict)
        and node.properties.get("servers") == ex.Attribute(name, "refs_map")
        for node in topology.nodes.values()
    )


class Exchange:
    """References to groups, and what they become.

    What is put instead of them is noted with :meth:`note` and stands in the topology after :meth:`apply`, for all
    groups at once: what refers to many groups is written anew once, not for each of them."""

    def __init__(self, topology: Topology, mentions: Mentions, names: list[str]) -> None:
        self._mentions, self._unrolled = mentions, topology.unrolled
        self._instead: dict[str, Callable[[Reference], Value]] = {}
        self._own: dict[Node, str] = {}
        self._references: dict[str, list[Reference]] = {name: [] for name in names}
        for holder in mentions.holders(*names):
            self._add(_values(holder))

    def _add(self, values: list[Value]) -> None:
        for expr in ex.walk(values):
            if isinstance(expr, (ex.Identity, ex.Attribute)) and isinstance(expr.node, str):
                references = self._references.get(expr.node)
                if references is not None:
                    references.append(expr)

    def references_to(self, name: str) -> list[Reference]:
        """Every reference to the group ``name``."""
        return self._references[name]

    def note(self, name: str, instead: Callable[[Reference], Value]) -> None:
        """Put ``instead`` of every reference to group ``name``."""
        self._instead[name] = instead

    def adopt(self, node: Node, group: str) -> None:
        """A node was made of ``group``: its references to a node of this name are its own."""
        self._own[node] = group
        self._add(_values(node))

    def now(self, node: Node) -> None:
        """Exchange at once what the properties of ``node`` refer to."""
        groups = self._groups_of(node)
        node.properties = ex.transform(node.properties, self._change)
        self._wait_for_all(node, groups)

    def _change(self, expr: ex.Expr) -> Value:
        if isinstance(expr, (ex.Identity, ex.Attribute)) and isinstance(expr.node, str) and expr.node in self._instead:
            return self._instead[expr.node](expr)
        return expr

    def apply(self) -> None:
        """Exchange the references of the whole topology."""
        for holder in self._mentions.holders(*self._instead):
            own = self._own.get(holder) if isinstance(holder, Node) else None
            kept = self._instead.pop(own, None) if own is not None else None
            if isinstance(holder, Output):
                holder.value = ex.transform(holder.value, self._change)
            else:
                groups = self._groups_of(holder)
                holder.properties = ex.transform(holder.properties, self._change)
                if holder.external_id is not MISSING:
                    holder.external_id = ex.transform(holder.external_id, self._change)
                if "metadata" in holder.extra:
                    holder.extra["metadata"] = ex.transform(holder.extra["metadata"], self._change)
                self._wait_for_all(holder, groups)
            if own is not None and kept is not None:
                self._instead[own] = kept
            self._mentions.refresh(holder)

    def _groups_of(self, node: Node) -> list[str]:
        """The groups that a node has values of."""
        names = (expr.node for expr in ex.walk(_values(node)) if isinstance(expr, ex.Attribute))
        return [str(name) for name in dict.fromkeys(names) if name in self._instead]

    def _wait_for_all(self, node: Node, groups: list[str]) -> None:
        """What refers to some of the single nodes of a group waits for all of them, as it did for the group."""
        for group in groups:
            there = {*ex.named_nodes(_values(node)), *(wait.target for wait in node.relationships), group}
            node.wait_for(*(member for member in self._unrolled.get(group, ()) if member not in there))


def single_member(expr: Reference, in_all: bool) -> tuple[str, str, tuple[Value, ...]] | None:
    """(member, attribute, steps) of a reference to one member of a resource group; attribute "" is its identity. None
    for a reference to all of them. ``in_all``: a path selects from the list of all members' values."""
    name = expr.name if isinstance(expr, ex.Attribute) else None
    if not isinstance(expr, ex.Attribute) or not isinstance(name, str):
        return None
    if name.startswith("resource."):
        _, member, *attribute = name.split(".", 2)
        if attribute or not expr.keys:
            return member, attribute[0] if attribute else "", expr.keys
        first, *steps_left = expr.keys
        return (member, first, tuple(steps_left)) if isinstance(first, str) else None
    if name == "refs" and len(expr.keys) == 1 and isinstance(expr.keys[0], (int, str)):
        return str(expr.keys[0]), "", ()
    if expr.keys and name not in _MAPS and in_all and isinstance(expr.keys[0], int):
        return str(expr.keys[0]), name, expr.keys[1:]
    return None


def left_out(properties: dict[str, Value]) -> list[str]:
    """The names of members that a resource group leaves out from the start (heat: ``removal_policies``)."""
    policies = items(properties.get("removal_policies"))
    rows = [items(policy.get("resource_list")) for policy in policies if isinstance(policy, dict)]
    return [str(name) for row in rows for name in row if isinstance(name, (str, int))]


def unsupported(what: str, expr: Reference, targets: list[str]) -> ex.Foreign:
    """A reference that no language has a form for; the dependency on ``targets`` stays."""
    return ex.Foreign("", what, [ex.Identity(target, path=expr.path) for target in targets], path=expr.path)


def of_single_nodes(expr: Reference, nodes: dict[str, str], in_all: bool, skipped: list[str]) -> Value:
    """What a reference to a group means of the nodes that it became (``nodes``: member -> node)."""
    names = list(nodes.values())
    if isinstance(expr, ex.Identity):
        return unsupported("get_resource of a group", expr, names)
    if not isinstance(expr.name, str):
        return unsupported("all attributes of a group", expr, names)
    reference = single_member(expr, in_all)
    if reference is not None:
        member, attribute, keys = reference
        if _counts(expr) and -len(nodes) <= int(member) < len(nodes):
            member = list(nodes)[int(member)]
        if member not in nodes:
            return unsupported(f"member {member}, which the group does not have", expr, names)
        return _value(nodes[member], attribute, keys, expr)
    if expr.name == "refs":
        return [_value(node, "", (), expr) for node in names]
    if expr.name == "refs_map":
        return {member: _value(node, "", (), expr) for member, node in nodes.items()}
    if expr.name == "removed_rsrc_list":
        return list(skipped)
    if expr.name == "attributes":
        if not expr.keys or not isinstance(expr.keys[0], str):
            return unsupported("all attributes of a group", expr, names)
        first, *steps_left = expr.keys
        return {member: _value(node, first, tuple(steps_left), expr) for member, node in nodes.items()}
    return [_value(node, expr.name, expr.keys, expr) for node in names]


def _counts(expr: ex.Attribute) -> bool:
    """True when the member is chosen by its place, not by its name."""
    return not str(expr.name).startswith("resource.") and str(expr.keys[0]).lstrip("-").isdigit()


def _value(node: str, attribute: str, keys: tuple[Value, ...], expr: Reference) -> Value:
    return ex.Attribute(node, attribute, keys, path=expr.path) if attribute else ex.Identity(node, path=expr.path)


def of_instances(work: Work, expr: Reference, scales: bool, size: Value) -> Value:
    """What a reference to a group means of the node whose instances are its members."""
    node, groups = str(expr.node), work.request.source.group_types
    if isinstance(expr, ex.Identity):
        return unsupported("get_resource of a group", expr, [node])
    if not isinstance(expr.name, str):
        return unsupported("all attributes of a group", expr, [node])
    name, keys = expr.name, expr.keys
    if name == "current_size" and scales:
        work.report("BPC747", expr.path, name=node)
        return size
    if name == "removed_rsrc_list" and not scales:
        return []
    if name in ("outputs", "outputs_list") and scales and keys and isinstance(keys[0], str):
        name, keys = ("attributes" if name == "outputs" else keys[0]), (keys if name == "outputs" else keys[1:])
    elif single_member(expr, work.topology.version < groups.paths_since) is not None or (name == "refs" and keys):
        return unsupported("a single member of a group", expr, [node])
    elif scales and name not in ("refs", "refs_map"):
        return unsupported(f"attribute {name} of a group", expr, [node])
    if name == "refs":
        return ex.AttributeList(node, MISSING, path=expr.path)
    if name == "refs_map":
        return ex.AttributeDict(node, (MISSING,), path=expr.path)
    if name == "attributes":
        return ex.AttributeDict(node, (keys[0] if len(keys) == 1 else list(keys),), path=expr.path)
    return ex.AttributeList(node, name, keys, path=expr.path)


# -- what scales groups -------------------------------------------------------------------------------------


def refer_to_groups(topology: Topology, request: Request) -> Topology:
    """Let a policy of the target's that names its group refer to the node that the group is."""
    refer(topology, request.target)
    return topology


def refer(topology: Topology, language: Capabilities) -> None:
    """Let the policies of ``language`` in a topology of another one refer to the nodes that their groups are."""
    for node in topology.nodes.values():
        policy = language.group_types.policies.get(node.source_type)
        if policy is None or node.native != language.language or not isinstance(node.properties, dict):
            continue
        wanted = node.properties.get(policy.group)
        group = topology.group_nodes.get(wanted) if isinstance(wanted, str) else None
        scaled = topology.node(wanted) or topology.node(group)
        if scaled is not None and scaled.limits[1] is not MISSING:
            path = node.origins.get((policy.group,), node.path)
            node.properties = {**node.properties, policy.group: ex.Identity(scaled.name, path=path)}
