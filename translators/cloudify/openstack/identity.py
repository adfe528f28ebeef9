"""Roles of users and groups: lists of the project that they are given on in the plugin, resources of their own in Heat.

The plugin gives the roles in ``users`` and ``groups`` of a Project node when that starts, and for an existing project
when it looks it up (openstack_plugin/resources/identity/project.py). So a role on a project that its user waits for, or
on one that this template does not create, is given by a node for the existing project.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.light import NamedTuple
from bpconvert.models.topology import Node
from bpconvert.translators.catalogue.model import PropertyRule
from bpconvert.translators.cloudify.openstack.connections import can_be_end
from bpconvert.translators.cloudify.vocabulary import DEPENDS_ON
from bpconvert.translators.passes.work import Refused
from bpconvert.translators.support.graphs import reached
from bpconvert.translators.support.text import is_uuid

if TYPE_CHECKING:
    from bpconvert.translators.cloudify.openstack.arrangement import Reshaping
    from bpconvert.translators.cloudify.openstack.drafts import NodeDraft
    from bpconvert.translators.cloudify.openstack.property_paths import Reading
    from bpconvert.translators.cloudify.openstack.protocols import Writing
    from bpconvert.translators.cloudify.openstack.read_nodes import ReadNodes

# -- writing ------------------------------------------------------------------------------------------------


_PROJECT = "project"


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
_ASSIGNMENTS = tuple(section.made for section in _SECTIONS)
#: kind -> the property of a project that has the roles of such a node
_GIVEN_IN = {section.kind: section.name for section in _SECTIONS}


class _Role(NamedTuple):
    """A role that can be given: who has it, the role, the project, and the place of all this."""

    subject: Value
    role: Value
    project: Value
    path: Path


def prepare(arrangement: Reshaping, node: Node, name: str) -> None:
    """Move the roles of a user or group to their projects."""
    value = node.properties.get(name)
    if not isinstance(value, list):
        return
    from bpconvert.translators.cloudify.openstack.assignments import give, is_on_domain  # few templates have users

    path = node.origin(name)
    for index, item in enumerate(value):
        subject = ex.Identity(node.name, path=node.path)
        if is_on_domain(arrangement, node, item):
            give(arrangement, node, str(node.kind), subject, item, (*path, index))
            continue
        why = _unfit(arrangement, node.kind, item)
        if why:
            arrangement.report("BPC710", (*path, index), name=node.name, why=why)
            arrangement.unsupported.setdefault(node.name, {}).setdefault(name, []).append(item)
            continue
        role = _Role(subject, item["role"], item["project"], (*path, index))
        owner = _give(arrangement, node, _GIVEN_IN[str(node.kind)], role)
        arrangement.report("BPC711", (*path, index), name=node.name, project=owner)
    del node.properties[name]


def not_written_out(writing: Writing, draft: NodeDraft, rule: PropertyRule, value: Value, source: Path) -> None:
    """Roles that only a call yields."""
    writing.report("BPC710", source, name=draft.node.name, why="the list of roles is not written out")


def absorb(arrangement: Reshaping, node: Node) -> None:
    """The roles of the user or group in the list of the project."""
    from bpconvert.translators.cloudify.openstack.assignments import give, is_on_domain  # as above

    key, kind = next((section.role_of, section.kind) for section in _SECTIONS if section.made == node.kind)
    subject, items = node.properties.get(key), node.properties.get("roles")
    if isinstance(subject, ex.Identity) and not arrangement.topology.is_reference(subject, (kind,)):
        raise Refused(f"'{key}' refers to nothing with a node of its own")
    if not can_be_end(subject):
        raise Refused(f"'{key}' is neither a resource nor a name or id")
    if not isinstance(items, list) or not items:
        raise Refused("its roles are not written out")
    unfit = (_unfit(arrangement, kind, item) for item in items if not is_on_domain(arrangement, node, item))
    why = next(filter(None, unfit), None)
    if why:
        raise Refused(why)
    owners = []
    for index, item in enumerate(items):
        place = (*node.origin("roles"), index)
        if is_on_domain(arrangement, node, item):
            owners.append(give(arrangement, node, kind, subject, item, place))
        else:
            role = _Role(subject, item["role"], item["project"], place)
            owners.append(_give(arrangement, node, _GIVEN_IN[kind], role))
    node.part_of = owners[0]
    arrangement.report("BPC303", node.path, type=node.source_type, name=node.name, target=owners[0])
    for name in node.properties.keys() - {key, "roles"}:
        arrangement.report("BPC301", node.origin(name), name=name, type=node.source_type)
    node.properties = {}


def _unfit(arrangement: Reshaping, kind: str | None, item: Value) -> str | None:
    """Why the plugin cannot give a role, None if it can."""
    if not isinstance(item, dict) or item.get("role") is None:
        return "it is not written out"
    if item.get("domain") is not None:
        return "the plugin gives roles on projects, not on domains"
    project = item.get("project")
    if isinstance(project, ex.Identity) and not arrangement.topology.is_reference(project, (_PROJECT,)):
        return "its project has no node of its own"
    if not can_be_end(project):
        return "its project is neither a resource nor a name or id"
    if arrangement.generation2 and kind != "user":
        return "the 2.x plugin gives roles to users only"
    return None


def _give(arrangement: Reshaping, node: Node, section: str, role: _Role) -> str:
    """Let a project give the role. Returns the name of the project's node."""
    owner = _owner(arrangement, node, role)
    entries: Any = arrangement.topology.nodes[owner].settings.setdefault(section, ([], role.path))[0]
    name = role.subject
    if arrangement.generation2 and isinstance(name, ex.Identity):
        name = ex.Attribute(name.node, "name", path=name.path)  # the 2.x plugin finds users by name
    project_entry = next((entry for entry in entries if entry["name"] == name), None)
    if project_entry is None:
        project_entry = {"name": name, "roles": []}
        entries.append(project_entry)
    roles, called = project_entry["roles"], [_called(arrangement, item) for item in project_entry["roles"]]
    if _called(arrangement, role.role) not in called:  # the plugin refuses a role that is there twice
        roles.append(role.role)
    elif isinstance(role.role, ex.Identity):
        roles[called.index(_called(arrangement, role.role))] = role.role
    waits = [(str(value.node), role.path) for value in (role.subject, role.role) if isinstance(value, ex.Identity)]
    waits += [(wait.target, wait.path) for wait in node.waits if node.kind in _ASSIGNMENTS]
    for target, path in waits:
        if target not in arrangement.targets(owner):
            arrangement.relate(owner, DEPENDS_ON, target, path)
    arrangement.completing.setdefault(node.name, []).append(owner)
    return owner


def complete(arrangement: Reshaping) -> None:
    """What waits for a user or group waits for what gives the roles and groups, too, as long as that does not wait for
    it: in Heat they are there together."""
    if not arrangement.completing:
        return
    topology = arrangement.topology
    users: dict[str, list[tuple[Node, Path]]] = {}
    for node in topology.nodes.values():
        places = dict.fromkeys(ex.named_nodes(node.properties), node.path)
        places |= {wait.target: wait.path for wait in reversed(node.relationships)}
        for name in places.keys() & arrangement.completing.keys():
            users.setdefault(name, []).append((node, places[name]))
    for name, helpers in arrangement.completing.items():
        for node, path in users.get(name, ()):
            owner = topology.owner(node.name)
            own = arrangement.completing.get(node.name, []) if node.kind in _ASSIGNMENTS else []
            for helper in dict.fromkeys(helpers):
                if owner not in (*helpers, name) and not _reaches(arrangement, helper, owner):
                    node.wait_for(helper, path=path)
                    for other in dict.fromkeys(own):
                        if other != owner:
                            arrangement.relate(other, DEPENDS_ON, helper, path)


def _called(arrangement: Reshaping, role: Value) -> Value:
    """The name of a role that the template makes, by which it may be called as well."""
    node = arrangement.topology.node(role.node) if isinstance(role, ex.Identity) else None
    name = node.value_of("name") if node is not None else None
    return name if isinstance(name, str) else role


def _owner(arrangement: Reshaping, node: Node, role: _Role) -> str:
    """The project's own node where that can wait for who has the role, else one for the existing project."""
    if isinstance(role.project, ex.Identity):
        project = str(role.project.node)
        project_node = arrangement.topology.nodes[project]
        waits = [str(value.node) for value in (role.subject, role.role) if isinstance(value, ex.Identity)]
        waits += node.awaited if node.kind in _ASSIGNMENTS else []
        if project_node.condition == node.condition and not any(_reaches(arrangement, name, project) for name in waits):
            return project
    label = role.project.node if isinstance(role.project, ex.Identity) else _label(role.project)
    called = f"{label}_of_{node.name}"
    return arrangement.own_external(_PROJECT, role.project, node, role.path, f"roles of {node.name}", called)


def _label(project: Value) -> str:
    if isinstance(project, ex.Input) and isinstance(project.name, str):
        return project.name
    text = re.sub(r"\W+", "_", project, flags=re.ASCII).strip("_") if isinstance(project, str) else ""
    return text or _PROJECT


def _reaches(arrangement: Reshaping, start: str, target: str) -> bool:
    """True when ``start`` waits for ``target``."""
    owner = arrangement.topology.owner
    return target in reached(owner(start), lambda name: map(owner, _waits(arrangement, name)))


def _waits(arrangement: Reshaping, name: str) -> Iterator[str]:
    node = arrangement.topology.nodes.get(name)
    if node is None:
        return
    yield from node.awaited
    yield from arrangement.targets(name)
    properties = node.properties if isinstance(node.properties, dict) else {}
    values = [value for key, value in properties.items() if key != "roles" or node.kind not in _GIVEN_IN]
    values.append(node.external_id)
    yield from ex.named_nodes(values)


# -- reading ------------------------------------------------------------------------------------------------


def read_default_project(reading: Reading, name: str, rule: PropertyRule) -> None:
    """Heat looks a name up, the plugin sends it to Keystone as it is (identity/user.py, ``create``), and Keystone keeps
    what is no id."""
    entry = reading.entry(rule)
    if entry is not None:
        reading.put(name, entry.value, entry.place)
        if isinstance(entry.value, ex.Input) or (isinstance(entry.value, str) and not is_uuid(entry.value)):
            reading.report("BPC425", entry.place, name=entry.place[-1])


def assign(state: ReadNodes) -> None:
    """A new node for everybody that a project gives roles to."""
    later = state.notes.later
    later[:] = [row for row in later if state.kind_of(row[0]) != "project" or row[1].place[-1] not in _NAMES]
    for node in list(state.nodes.values()):
        if node.kind == "project":
            assignments = [assignment for section in _SECTIONS for assignment in _assignments_of(state, node, section)]
            project = _existing(state, node) if assignments else None
            for assignment in assignments:
                state.add(assignment, node.name)
                state.report("BPC712", assignment.path, name=assignment.name, project=node.name)
            if project is not None:
                _fold(state, node, project, assignments)


def _assignments_of(state: ReadNodes, project: Node, section: _Section) -> list[Node]:
    value = project.declared.get(section.name)
    place = (*project.path, "properties", section.name)
    if value in (None, [], ""):
        return []
    if not isinstance(value, list):
        state.report("BPC713", place, name=section.name)
        return []
    assignments = []
    for index, entry in enumerate(value):
        roles = entry.get("roles") if isinstance(entry, dict) else None
        if not isinstance(roles, (list, ex.Expr)) or entry.get("name") is None:
            if roles is None and isinstance(entry, dict):
                state.report("BPC351", (*place, index), name=section.name, why="it has no roles")
            else:
                state.report("BPC713", (*place, index), name=section.name)
            continue
        if roles:
            assignments.append(_assignment(state, project, section, (*place, index), entry["name"], roles))
    return assignments


def _assignment(
    state: ReadNodes, project: Node, section: _Section, place: Path, name: Value, roles: list[Value] | ex.Expr
) -> Node:
    subject = _node_called(state, name, section.kind, project, (*place, "name"))
    label = subject.node if isinstance(subject, ex.Identity) else f"{section.role_of}_{place[-1]}"
    assignment = Node(f"{project.name}_{label}_roles", "", section.made, path=place)
    where = ex.Identity(project.name, path=project.path)
    roles_given: Value
    if isinstance(roles, list):
        places = [(*place, "roles", index) for index in range(len(roles))]
        roles_given = [
            {"role": _node_called(state, role, "keystone_role", project, at), "project": where}
            for role, at in zip(roles, places, strict=True)
        ]
        assignment.origins = {("roles", index, "role"): at for index, at in enumerate(places)}
    else:
        roles_given = ex.Repeat({"role": "%role%", "project": where}, {"%role%": roles}, path=roles.path)
    assignment.properties = {section.role_of: subject, "roles": roles_given}
    assignment.origins |= {(section.role_of,): (*place, "name"), ("roles",): (*place, "roles")}
    return assignment


def _node_called(state: ReadNodes, value: Value, kind: str, project: Node, place: Path) -> Value:
    """The node of a kind that a name means, else the name. Where inputs decide, the project waits for it."""
    node_name = getattr(value, "node", None)
    if isinstance(value, ex.Identity) or not isinstance(node_name, str):
        candidates = [
            node for node in state.nodes.values() if node.kind == kind and value == node.properties.get("name")
        ]
        if len(candidates) == 1:
            return ex.Identity(candidates[0].name, path=getattr(value, "path", ()))
        called = state.called(
            value, (kind,), [relationship.target for relationship in state.raw[project.name].relationships]
        )
        if called is None:
            return value
        state.report("BPC424", place, name=state.by_default(value), target=called)
        return ex.Identity(called, path=getattr(value, "path", ()))
    steps = (getattr(value, "name", None), *getattr(value, "keys", ()))
    if state.kind_of(node_name) == kind and steps in (("name",), ("resource_config", "name")):
        return ex.Identity(node_name, path=value.path)
    return value


def _existing(state: ReadNodes, node: Node) -> str | None:
    """The project of this blueprint that an existing project is; None where the node has or means more."""
    identity = node.external_name
    if not isinstance(identity, ex.Identity) or state.kind_of(str(identity.node)) != "project":
        return None
    return None if node.name in state.references() else str(identity.node)


def _fold(state: ReadNodes, node: Node, project: str, assignments: list[Node]) -> None:
    """The assignments are of ``project`` itself, and wait for what the node waited for."""
    for assignment in assignments:
        roles = assignment.properties["roles"]
        for item in roles if isinstance(roles, list) else [roles.template]:
            item["project"] = ex.Identity(project, path=node.path)
        for waits in node.waits:
            state.wait(assignment, waits.target, waits.path)
    state.report("BPC383", node.path, name=node.name)
    state.remove(node.name)
    node.instances = MISSING
