"""Roles that a project gives, as resources of their own (the way there: :mod:`roles`)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.topology import Node

if TYPE_CHECKING:
    from bpconvert.translators.cloudify.openstack.protocols import NodesReader


class _Section(NamedTuple):
    """A property of a project that gives roles: its name, the kind of who has them, the kind of the resource, and its
    property for who has them."""

    name: str
    kind: str
    made: str
    role_of: str


_SECTIONS = (
    _Section("users", "user", "user_role_assignment", "user"),
    _Section("groups", "keystone_group", "group_role_assignment", "group"),
)
_NAMES = tuple(section.name for section in _SECTIONS)


def assign(state: NodesReader) -> None:
    """A new node for everybody that a project gives roles to."""
    later = state.notes.later
    later[:] = [row for row in later if state.kind_of(row[0]) != "project" or row[1].place[-1] not in _NAMES]
    for node in list(state.nodes.values()):
        if node.kind == "project" and node.native is None:
            made = [one for section in _SECTIONS for one in _made(state, node, section)]
            project = _existing(state, node) if made else None
            for one in made:
                state.add(one, node.name)
                what = {"name": one.name, "project": node.name}
                state.report("BPC712", one.path, **what)
            if project is not None:
                _fold(state, node, project, made)


def _made(state: NodesReader, project: Node, section: _Section) -> list[Node]:
    value = project.declared.get(section.name)
    place = (*project.path, "properties", section.name)
    if value in (None, [], ""):
        return []
    if not isinstance(value, list):
        state.report("BPC713", place, name=section.name)
        return []
    found = []
    for index, entry in enumerate(value):
        roles = entry.get("roles") if isinstance(entry, dict) else None
        if not isinstance(roles, list) or entry.get("name") is None:
            if roles is None and isinstance(entry, dict):
                state.report("BPC351", (*place, index), name=section.name, why="it has no roles")
            else:
                state.report("BPC713", (*place, index), name=section.name)
            continue
        if roles:
            found.append(_assignment(state, project, section, (*place, index), entry["name"], roles))
    return found


def _assignment(
    state: NodesReader, project: Node, section: _Section, place: Path, name: Value, roles: list[Value]
) -> Node:
    subject = _named(state, name, section.kind)
    label = subject.node if isinstance(subject, ex.Identity) else f"{section.role_of}_{place[-1]}"
    made = Node(f"{project.name}_{label}_roles", "", section.made, path=place)
    given = [
        {"role": _named(state, role, "keystone_role"), "project": ex.Identity(project.name, path=project.path)}
        for role in roles
    ]
    made.properties = {section.role_of: subject, "roles": given}
    made.origins = {(section.role_of,): (*place, "name"), ("roles",): (*place, "roles")}
    for index in range(len(roles)):
        made.origins["roles", index, "role"] = (*place, "roles", index)
    return made


def _named(state: NodesReader, value: Value, kind: str) -> Value:
    """The node of a kind that a name means, else the name."""
    named = getattr(value, "node", None)
    if isinstance(value, ex.Identity) or not isinstance(named, str):
        found = [node for node in state.nodes.values() if node.kind == kind and value == node.properties.get("name")]
        return ex.Identity(found[0].name, path=getattr(value, "path", ())) if len(found) == 1 else value
    steps = (getattr(value, "name", None), *getattr(value, "keys", ()))
    if state.kind_of(named) == kind and steps in (("name",), ("resource_config", "name")):
        return ex.Identity(named, path=value.path)
    return value


# -- nodes that only give roles on another node's project ---------------------------------------------------


def _existing(state: NodesReader, node: Node) -> str | None:
    """The project of this blueprint that an existing project is; None where the node says or means more."""
    found = node.external_id
    if not isinstance(found, ex.Identity) or state.kind_of(str(found.node)) != "project":
        return None
    return None if node.name in state.references() else str(found.node)


def _fold(state: NodesReader, node: Node, project: str, made: list[Node]) -> None:
    """The assignments are of ``project`` itself, and wait for what the node waited for."""
    for one in made:
        for item in one.properties["roles"]:
            item["project"] = ex.Identity(project, path=node.path)
        for waits in node.waits:
            state.wait(one, waits.target, waits.path)
    state.report("BPC383", node.path, name=node.name)
    state.remove(node.name)
    node.instances = MISSING
