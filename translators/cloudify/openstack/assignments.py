"""Roles on domains, and groups of users: the plugin gives neither, so a node with a script for each of them does.

In Heat they belong to the user or group, or to a resource that gives roles (heat: keystone/role_assignments.py,
keystone/user.py)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Path, Value
from bpconvert.models.topology import Node
from bpconvert.translators.catalogue.model import PropertyRule
from bpconvert.translators.cloudify.openstack.arrangement import Reshaping
from bpconvert.translators.cloudify.openstack.read_nodes import ReadNodes
from bpconvert.translators.evaluate.scope import may_vanish

if TYPE_CHECKING:
    from bpconvert.translators.cloudify.openstack.drafts import NodeDraft
    from bpconvert.translators.cloudify.openstack.protocols import Writing

#: kind of who has roles -> the kind of the node for one on a domain, and of Heat's resource that gives roles; both
#: have the property of that name for who has them
_ON_DOMAIN: Final = {
    "user": ("domain_role_of_user", "user_role_assignment", "user"),
    "keystone_group": ("domain_role_of_group", "group_role_assignment", "group"),
}
_MEMBERSHIP: Final = "group_membership"

# -- writing ------------------------------------------------------------------------------------------------


def is_on_domain(arrangement: Reshaping, node: Node, item: Value) -> bool:
    """True for a role on a domain that a script can give. ``node``: what has it in a list."""
    if not isinstance(item, dict) or item.get("project") is not None or not _has_scripts(arrangement, node):
        return False
    return item.get("role") is not None and item.get("domain") is not None


def give(arrangement: Reshaping, node: Node, kind: str, subject: Value, item: Mapping[Any, Value], path: Path) -> str:
    """Give a role on a domain, the ``item`` of a list of ``node`` at ``path``, to ``subject``, of a ``kind``. Returns
    the name of the node that does."""
    made_kind, _, role_of = _ON_DOMAIN[kind]
    properties = {role_of: subject, "role": item["role"], "domain": item["domain"]}
    return _add(arrangement, node, Node(f"{node.name}_role", "", made_kind, properties, path=path))


def prepare_groups(arrangement: Reshaping, node: Node, name: str) -> None:
    """A node for each group that a user is put into."""
    groups = node.properties.get(name)
    if not isinstance(groups, list) or not groups or not _has_scripts(arrangement, node):
        return
    if None in groups or any(map(may_vanish, groups)):
        return
    path = node.origin(name)
    for index, group in enumerate(groups):
        properties = {"user": ex.Identity(node.name, path=node.path), "group": group}
        _add(arrangement, node, Node(f"{node.name}_membership", "", _MEMBERSHIP, properties, path=(*path, index)))
    del node.properties[name]


def groups_not_written_out(writing: Writing, draft: NodeDraft, rule: PropertyRule, value: Value, source: Path) -> None:
    """Groups that only a call yields, or that no script may put the user into."""
    if value == []:
        writing.report("BPC306", source, name=source[-1], value=value)
        return
    why = "the plugin puts no users into groups"
    writing.report("BPC302", source, name=source[-1], type=draft.node.source_type, why=why)
    draft.unsupported[source[-1]] = value


def _has_scripts(arrangement: Reshaping, node: Node) -> bool:
    is_one = not node.is_scaled and node.group is None
    return is_one and not arrangement.generation2 and arrangement.request.options.asked != "inputs"


def _add(arrangement: Reshaping, node: Node, added: Node) -> str:
    added.name = arrangement.fresh_node(added.name)
    added.condition = node.condition
    added.origins = {(key,): (*added.path, key) for key in ("role", "domain")}
    added.origins |= {(key,): added.path for key in ("user", "group")}
    arrangement.topology.nodes[added.name] = added
    arrangement.completing.setdefault(node.name, []).append(added.name)
    return added.name


# -- reading ------------------------------------------------------------------------------------------------


def read(state: ReadNodes) -> None:
    """Let Heat's resources give the roles on domains, and users have their groups."""
    roles = {kind: (resource, role_of) for kind, resource, role_of in _ON_DOMAIN.values()}
    for node in list(state.nodes.values()):
        if node.kind in roles and isinstance(node.properties, dict):
            _as_assignment(state, node, *roles[str(node.kind)])
        elif node.kind == _MEMBERSHIP:
            _as_groups(state, node)


def _as_assignment(state: ReadNodes, node: Node, kind: str, role_of: str) -> None:
    properties, origins = node.properties, node.origins
    node.kind = kind
    role: dict[Any, Value] = {key: properties[key] for key in ("role", "domain") if key in properties}
    node.properties = {role_of: properties.get(role_of), "roles": [role]}
    places = {("roles", 0, *key): place for key, place in origins.items() if key[:1] in (("role",), ("domain",))}
    node.origins = {**{key: place for key, place in origins.items() if key[:1] == (role_of,)}, **places}
    state.know(node)


def _as_groups(state: ReadNodes, node: Node) -> None:
    user, group = node.value_of("user"), node.value_of("group")
    owner = state.nodes.get(str(user.node)) if isinstance(user, ex.Identity) else None
    groups = owner.properties.setdefault("groups", []) if owner is not None and owner.kind == "user" else None
    if owner is None or owner.exists or not isinstance(groups, list):
        node.kind, node.properties = None, node.declared
        state.kinds.pop(node.name, None)
        return
    owner.origins["groups", len(groups)] = node.origin("group")
    groups.append(group)
    for other in state.nodes.values():
        other.relationships = [wait for wait in other.relationships if wait.target != node.name]
    state.remove(node.name)
