"""Roles of users and groups: lists of the project that they are given on.

The plugin gives the roles in ``users`` and ``groups`` of a Project node when that starts, and for an existing project
when it looks it up (openstack_plugin/resources/identity/project.py). So a role on a project that its user waits for, or
on one that this template does not create, is given by a node for the existing project.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Path, Value
from bpconvert.models.topology import Node
from bpconvert.translators.cloudify.vocabulary import DEPENDS_ON

if TYPE_CHECKING:
    from bpconvert.translators.catalogue.model import PropertyRule
    from bpconvert.translators.cloudify.write.nodes import Draft, Nodes

_PROJECT = "project"
#: kind -> the property of a project that has the roles of such a node
_SECTIONS = {"user": "users", "keystone_group": "groups"}
#: kind of an assignment -> its property for who has the roles, and the kind of that
_ASSIGNMENTS = {"user_role_assignment": ("user", "user"), "group_role_assignment": ("group", "keystone_group")}


class _Role(NamedTuple):
    """A role that can be given: who has it, the role, the project, and the place of all this."""

    subject: Value
    role: Value
    project: Value
    path: Path


def prepare(nodes: Nodes, node: Node, name: str) -> None:
    """Move the roles of a user or group to their projects."""
    value = node.properties.get(name)
    if not isinstance(value, list):
        return
    path = (*node.path, "properties", name)
    for index, item in enumerate(value):
        why = _unfit(nodes, node.kind, item)
        if why:
            nodes.context.reporter.report("BPC710", (*path, index), name=node.name, why=why)
            continue
        role = _Role(ex.Identity(node.name, path=node.path), item["role"], item["project"], (*path, index))
        owner = _give(nodes, node, _SECTIONS[str(node.kind)], role)
        nodes.context.reporter.report("BPC711", (*path, index), name=node.name, project=owner)
    del node.properties[name]


def not_written_out(nodes: Nodes, draft: Draft, rule: PropertyRule, value: Value, source: Path) -> None:
    """Roles that only a call yields."""
    nodes.context.reporter.report("BPC710", source, name=draft.node.name, why="the list of roles is not written out")


def absorb(nodes: Nodes, node: Node) -> str | None:
    """Let projects take in an assignment of roles. Returns why it cannot be, None where it is done."""
    key, kind = _ASSIGNMENTS[str(node.kind)]
    subject, items = node.properties.get(key), node.properties.get("roles")
    if isinstance(subject, ex.Identity) and not nodes.is_reference(subject, (kind,)):
        return f"'{key}' refers to nothing with a node of its own"
    if not nodes.can_be_end(subject):
        return f"'{key}' is neither a resource nor a name or id"
    if not isinstance(items, list) or not items:
        return "its roles are not written out"
    why = next((why for item in items if (why := _unfit(nodes, kind, item))), None)
    if why:
        return why
    path = (*node.path, "properties", "roles")
    roles = [_Role(subject, item["role"], item["project"], (*path, index)) for index, item in enumerate(items)]
    owners = [_give(nodes, node, _SECTIONS[kind], role) for role in roles]
    node.part_of = owners[0]
    nodes.context.reporter.report("BPC303", node.path, type=node.source_type, name=node.name, target=owners[0])
    for name in node.properties.keys() - {key, "roles"}:
        nodes.context.reporter.report("BPC301", (*node.path, "properties", name), name=name, type=node.source_type)
    node.properties = {}
    return None


def _unfit(nodes: Nodes, kind: str | None, item: Value) -> str | None:
    """Why the plugin cannot give a role, None if it can."""
    if not isinstance(item, dict) or item.get("role") is None:
        return "it is not written out"
    if item.get("domain") is not None:
        return "the plugin gives roles on projects, not on domains"
    project = item.get("project")
    if isinstance(project, ex.Identity) and not nodes.is_reference(project, (_PROJECT,)):
        return "its project has no node of its own"
    if not nodes.can_be_end(project):
        return "its project is neither a resource nor a name or id"
    if nodes.context.options.plugin == "v2" and kind != "user":
        return "the 2.x plugin gives roles to users only"
    return None


def _give(nodes: Nodes, node: Node, section: str, role: _Role) -> str:
    """Let a project give the role. Returns the name of the project's node."""
    owner = _owner(nodes, node, role)
    entries: Any = nodes.context.topology.nodes[owner].settings.setdefault(section, ([], role.path))[0]
    name = role.subject
    if nodes.context.options.plugin == "v2" and isinstance(name, ex.Identity):
        name = ex.Attribute(name.node, "name", path=name.path)  # the 2.x plugin finds users by name
    known = next((entry for entry in entries if entry["name"] == name), None)
    if known is None:
        known = {"name": name, "roles": []}
        entries.append(known)
    roles, called = known["roles"], [_called(nodes, one) for one in known["roles"]]
    if _called(nodes, role.role) not in called:  # the plugin refuses a role that is there twice
        roles.append(role.role)
    elif isinstance(role.role, ex.Identity):
        roles[called.index(_called(nodes, role.role))] = role.role
    from bpconvert.translators.cloudify.write.nodes import Relation

    given = nodes.given.setdefault(owner, [])
    targets = [value.node for value in (role.subject, role.role) if isinstance(value, ex.Identity)]
    given += [Relation(DEPENDS_ON, str(target), role.path) for target in targets]
    return owner


def _called(nodes: Nodes, role: Value) -> Value:
    """The name of a role that the template makes, by which it may be called as well."""
    node = nodes.context.node_of(role.node) if isinstance(role, ex.Identity) else None
    name = node.properties.get("name") if node is not None and isinstance(node.properties, dict) else None
    return name if isinstance(name, str) else role


def _owner(nodes: Nodes, node: Node, role: _Role) -> str:
    """The project's own node where that can wait for who has the role, else one for the existing project."""
    if isinstance(role.project, ex.Identity):
        project = str(role.project.node)
        known = nodes.context.topology.nodes[project]
        waits = [str(value.node) for value in (role.subject, role.role) if isinstance(value, ex.Identity)]
        if known.condition == node.condition and not any(_reaches(nodes, name, project) for name in waits):
            return project
    key = (_PROJECT, repr(role.project), f"roles of {node.name}")
    name = nodes.context.topology.existing.get(key)
    if name is None:
        label = role.project.node if isinstance(role.project, ex.Identity) else _label(role.project)
        name = nodes.context.topology.existing[key] = nodes.context.fresh_node(f"external_{label}_of_{node.name}")
        made = Node(name, "", _PROJECT, external_id=role.project, condition=node.condition, path=role.path)
        nodes.add(made, before=node.name)
    return name


def _label(project: Value) -> str:
    if isinstance(project, ex.Input) and isinstance(project.name, str):
        return project.name
    text = re.sub(r"\W+", "_", project, flags=re.ASCII).strip("_") if isinstance(project, str) else ""
    return text or _PROJECT


def _reaches(nodes: Nodes, start: str, target: str) -> bool:
    """True when ``start`` waits for ``target``."""
    seen: set[str] = set()
    waiting = [start]
    while waiting:
        name = nodes.context.topology.owner(waiting.pop())
        if name == target:
            return True
        if name not in seen:
            seen.add(name)
            waiting += _waits(nodes, name)
    return False


def _waits(nodes: Nodes, name: str) -> Iterator[str]:
    node = nodes.context.topology.nodes.get(name)
    if node is None:
        return
    yield from node.awaited
    yield from (relation.target for relation in nodes.given.get(name, ()))
    properties = node.properties if isinstance(node.properties, dict) else {}
    values = [value for key, value in properties.items() if key != "roles" or node.kind not in _SECTIONS]
    for expr in ex.walk(values):
        if isinstance(expr, (ex.Identity, ex.Attribute)) and isinstance(expr.node, str):
            yield expr.node
