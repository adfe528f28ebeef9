"""Server groups as policies: what the standard has for the placement of nodes (Simple Profile 1.3, 5.11.2).

The policy has the properties of the resource, its targets are the servers in the group (:mod:`~.tosca.read.policies`).
It is written where it is read back as the same group: nothing else refers to that, waits for it or is kept of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Path, Value
from bpconvert.translators.support.places import items
from bpconvert.translators.tosca import edges
from bpconvert.translators.tosca.vocabulary import SERVER_GROUP_POLICY
from bpconvert.translators.tosca.write.context import Context, NodeDraft
from bpconvert.translators.tosca.write.schemas import Schemas
from bpconvert.translators.tosca.write.types import definition_of, rows_of, wanted

_GROUP: Final = "OS::Nova::ServerGroup"
_SERVER: Final = "OS::Nova::Server"
_PARENT: Final = "tosca.policies.Placement"
_HINTS: Final = "scheduler_hints"
_HINT: Final = "group"
SECTION: Final = "policies"


def place(context: Context, drafts: list[NodeDraft]) -> list[NodeDraft]:
    """Make policies of the server groups among ``drafts`` for which that is exact; returns all other drafts."""
    listed = _policies_of_origin(context)
    groups = [draft for draft in drafts if _is_bare(draft)] if listed is not None else []
    if not groups or listed is None:
        return drafts
    uses = Counter(name for value in _values(context, drafts) for name in ex.named_nodes(value))
    hinted: dict[str, list[NodeDraft]] = {}
    waiting: dict[str, set[str]] = {}
    for draft in drafts:
        hinted.setdefault(_hint(draft), []).append(draft)
        for target in edges.required(draft.requirements):
            waiting.setdefault(target, set()).add(draft.name)
    operated = {operation.target for draft in drafts for operation in draft.node.operations}
    members_by_group: dict[str, list[NodeDraft]] = {}
    for group in groups:
        members = hinted.get(group.node.name, [])
        if not members or uses[group.node.name] != len(members) or group.node.name in operated:
            continue
        if not waiting.get(group.name, set()) <= {member.name for member in members}:
            continue
        if not any(_has_target(context, row, group, member) for row in listed for member in members):
            members_by_group[group.node.name] = members
    for group in groups:
        if group.node.name in members_by_group:
            _write(context, listed, group, members_by_group[group.node.name])
    return [draft for draft in drafts if draft.node.name not in members_by_group]


def _policies_of_origin(context: Context) -> list[Any] | None:
    """The policies of the service template that the result becomes part of; None where it has them in another way than
    as a list."""
    origin = context.request.origin
    policies = origin.document.data.get(SECTION) if origin is not None else None
    return list(policies) if isinstance(policies, list) else None if policies else []


def _has_target(context: Context, row: Any, group: NodeDraft, member: NodeDraft) -> bool:
    """True for a policy of another group that has a server among its targets."""
    rows = row.items() if isinstance(row, dict) else ()
    others = [policy for name, policy in rows if name != group.name and name in context.topology.nodes]
    return any(isinstance(policy, dict) and member.name in items(policy.get("targets")) for policy in others)


def _is_bare(draft: NodeDraft) -> bool:
    """True for one server group that has nothing but properties, none of which speaks of another node (it would
    wait)."""
    node = draft.node
    more = (draft.requirements, draft.kept, draft.interfaces, node.operations, node.exists, node.is_scaled, node.group)
    return draft.heat == _GROUP and draft.description is None and not any(more)


def _values(context: Context, drafts: list[NodeDraft]) -> Iterator[Value]:
    """All values that may refer to nodes."""
    yield from context.topology.values(declared=False)
    yield from (draft.node.declared for draft in drafts if draft.stand_in)
    yield from (node.extra for node in context.topology.nodes.values())


def _hint(draft: NodeDraft) -> str:
    """The group that a server is in, where its hints are read back as they are written; "" for none."""
    hints = draft.node.value_of(_HINTS) if draft.heat == _SERVER and not draft.is_kept(_HINTS) else None
    hint = hints.get(_HINT) if isinstance(hints, dict) else None
    return hint.node if isinstance(hint, ex.Identity) and isinstance(hint.node, str) else ""


def _write(context: Context, listed: list[Any], group: NodeDraft, members: list[NodeDraft]) -> None:
    """Let a policy be ``group``. One of that name that the service template has already stays at its place, and stays
    what it is where it is of somebody else's type."""
    names = [next(iter(row), None) if isinstance(row, dict) else None for row in listed]
    index = names.index(group.name) if group.name in names else len(listed)
    policy: dict[str, Any] = {"type": SERVER_GROUP_POLICY}
    if group.properties:
        policy["properties"] = group.properties
    policy["targets"] = [member.name for member in members]
    if index == len(listed):
        listed.append({group.name: policy})
    elif _type(listed[index][group.name]) == SERVER_GROUP_POLICY:
        listed[index] = {group.name: policy}
    place: Path = (SECTION, index, group.name)
    group.place = (SECTION,)
    group.moves = [(source, (*place, *target[2:])) for source, target in group.moves]
    group.moves.append((group.node.path, (SECTION, index)))
    for member in members:
        _leave(member, group, (*place, "targets"))
        context.parts.append((member.node.path, (SECTION,)))
    context.policies = listed
    context.placed.append(group)


def _type(policy: Any) -> Any:
    return policy.get("type") if isinstance(policy, dict) else None


def _leave(member: NodeDraft, group: NodeDraft, place: Path) -> None:
    """Take what the policy says out of the draft of a server."""
    member.properties[_HINTS] = {name: hint for name, hint in member.properties[_HINTS].items() if name != _HINT}
    member.requirements = [row for row in member.requirements if row != {"dependency": group.name}]
    if not member.properties[_HINTS]:
        del member.properties[_HINTS]
        moved = ("properties", _HINTS)
        member.moves = [(path, place if target[2:] == moved else target) for path, target in member.moves]


def policy_types(context: Context, schemas: Schemas) -> dict[str, Any]:
    """The definitions of the types of policies, with the properties that are in use; ``schemas`` gets their data
    types."""
    values: dict[str, list[Any]] = {}
    for draft in context.placed:
        for name, value in draft.properties.items():
            values.setdefault(name, []).append(value)
    properties = {
        name: definition_of(type_expected, wanted(rows_of(_GROUP), name), schemas, f"{SERVER_GROUP_POLICY}.{name}")
        for name, type_expected in values.items()
    }
    definition = {"derived_from": _PARENT, **({"properties": properties} if properties else {})}
    return {SERVER_GROUP_POLICY: definition} if context.placed else {}
