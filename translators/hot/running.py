"""What Heat records of a stack: the data of ``openstack stack export`` and ``abandon`` (heat/engine/stack.py,
``Stack.prepare_abandon``), and the list of its resources (``openstack stack resource list -n 5 -f json``)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from bpconvert.models.running import Existing, Recorded, Running
from bpconvert.translators.hot.environment import Environment

#: actions after which a resource is there, if they are complete
_LASTING: Final = frozenset({"CREATE", "UPDATE", "ADOPT", "CHECK", "RESUME", "RESTORE", "SNAPSHOT"})
#: keys that every export has
_NEEDED: Final = ("template", "resources", "status", "action")
#: types whose text Heat draws once -> the key that keeps it
_DRAWN: Final = {"OS::Heat::RandomString": "value"}
#: types whose id is made of the ids of what they connect -> the properties that have these
_COMPOSED: Final = {
    "OS::Neutron::RouterInterface": ("router", "router_id", "subnet", "subnet_id", "port", "port_id"),
    "OS::Cinder::VolumeAttachment": ("volume_id",),
}
#: types that connect and are called as Heat likes
_ASSOCIATIONS: Final = frozenset({"OS::Neutron::FloatingIPAssociation", "OS::Nova::FloatingIPAssociation"})
#: types that run programs on servers
_RUNS: Final = frozenset({"OS::Heat::SoftwareDeployment", "OS::Heat::StructuredDeployment"})
#: types that are part of another resource or only compute something: nothing of them is in a cloud
_NOTHING: Final = frozenset({"OS::Heat::Value", "OS::Heat::None", "OS::Heat::TestResource", "OS::Heat::SoftwareConfig",
    "OS::Heat::CloudConfig", "OS::Heat::MultipartMime", "OS::Heat::RandomString"})  # fmt: skip


def exported(data: Any) -> Recorded:
    """The stack that an export is of. Raises ValueError, with the reason, for what is no export."""
    missing = [key for key in _NEEDED if key not in data] if isinstance(data, dict) else list(_NEEDED)
    if missing:
        raise ValueError(f"not an export of a stack: there is no '{missing[0]}'")
    template, resources = data["template"], data["resources"]
    if not isinstance(template, dict) or not isinstance(resources, dict):
        raise ValueError("not an export of a stack: 'template' and 'resources' are maps")
    rows = {name: row for name, row in resources.items() if isinstance(row, dict)}
    problems = [("", f"the stack is {_state(data)}")] if not _lasts(data) else []
    problems += [(name, f"it is {_state(row)}") for name, row in rows.items() if not _lasts(row)]
    found = {name: _existing(row, f"{data.get('name', 'stack')}_{name}") for name, row in rows.items()}
    given = (data.get("environment") or {}).get("parameters") or {}
    files = {name: str(text) for name, text in (data.get("files") or {}).items()}
    return Recorded(template, found, Environment({}, given), files, [*problems, *_unlike(template, found)], data)


def listed(template: Mapping[str, Any], rows: Any, given: Mapping[str, Any]) -> Recorded:
    """The stack with that ``template``, as a list of its resources has it. Raises ValueError, with the
    reason, for what is no such list."""
    if not isinstance(rows, list) or not all(isinstance(row, dict) and "resource_name" in row for row in rows):
        raise ValueError("not a list of resources: each has a 'resource_name'")
    own = template.get("resources") or {}
    stack = next((row.get("stack_name") for row in rows if row["resource_name"] in own), None)
    mine = {row["resource_name"]: row for row in rows if row.get("stack_name") == stack}
    problems = []
    found: dict[str, Existing] = {}
    for name, row in mine.items():
        action, _, status = str(row.get("resource_status", "")).rpartition("_")
        if not _lasts({"action": action, "status": status}):
            problems.append((name, f"it is {row.get('resource_status')}"))
        found[name] = Existing(str(row.get("physical_resource_id") or ""), str(row.get("resource_type", "")))
    state = {"action": "CREATE", "status": "COMPLETE"}
    resources = {
        name: {"name": name, "type": one.type, "resource_id": one.id, **state, "metadata": {}, "resource_data": {}}
        for name, one in found.items()
    }
    environment = {"parameters": dict(given)}
    data = {
        "name": stack,
        **state,
        "environment": environment,
        "files": {},
        "template": template,
        "resources": resources,
    }
    return Recorded(template, found, Environment({}, given), {}, [*problems, *_unlike(template, found)], data)


def composed(template: Any, running: Running, name: str) -> Recorded:
    """The stack of a template of whose resources others have created ``running``; the ids that Heat composes are added
    (``resource_id_set`` of neutron/router.py and cinder/volume.py). ``name``: that of the stack."""
    state = {"action": "CREATE", "status": "COMPLETE"}
    rows: dict[str, Any] = {}
    found: dict[str, Existing] = {}
    data = {"name": name, **state, "environment": {}, "files": {}, "template": template, "resources": rows}
    recorded = Recorded(template, found, data=data)
    own = template.get("resources") or {}
    for resource in sorted(own, key=lambda one: one not in running):
        kind, known = str(own[resource].get("type")), running.get(resource, Existing(""))
        drawn = {_DRAWN[kind]: known.value} if kind in _DRAWN and known.value else {}
        identity = known.id or _composed(kind, resource, own[resource], recorded)
        found[resource] = known._replace(id=identity, type=kind)
        row = {"name": resource, "type": kind, "resource_id": identity or None, **state}
        rows[resource] = {**row, "metadata": {}, "resource_data": drawn}
    return recorded


def _composed(kind: str, name: str, resource: Any, recorded: Recorded) -> str:
    """The id that Heat gives to a resource which is no entity of a service, "" where it gives none."""
    properties = resource.get("properties") or {}
    steps = _COMPOSED.get(kind)
    if steps is None:
        return name if kind in _NOTHING or kind in _ASSOCIATIONS else ""
    values = {key: properties.get(key) for key in steps if properties.get(key) is not None}
    try:
        first, *others = [(key, str(_literal(value, recorded))) for key, value in values.items()]
    except ValueError:
        return ""
    return ":".join([first[1], *(f"{key.removesuffix('_id')}_id={value}" for key, value in others)])


def owns(recorded: Recorded, name: str) -> bool:
    """True for a resource that is one of a service."""
    existing = recorded.resources.get(name)
    return existing is not None and existing.type not in _NOTHING


def adoptable(recorded: Recorded) -> Recorded:
    """The same with the data that ``openstack stack adopt`` takes: a template in which every reference is what it
    stands for, as Heat stores references of adopted resources unresolved and would replace them all at the next update
    (heat/engine/resource.py, ``Resource.adopt``). ``problems``: resources that cannot be adopted."""
    problems, resources = [], dict(recorded.data["template"].get("resources") or {})
    for name, existing in recorded.resources.items():
        raw = recorded.data["resources"].get(name) or {}
        try:
            if existing.nested:
                raise ValueError("it is a stack of its own")
            if existing.type in _RUNS:
                raise ValueError("its programs would run again")
            if not raw.get("resource_id"):
                raise ValueError("nothing that runs is recorded of it, so that it would be created")
            if existing.type in _DRAWN and not existing.value:
                raise ValueError("it would be made anew")
            if name in resources and "properties" in resources[name]:
                literal = _literal(resources[name]["properties"], recorded)
                resources[name] = {**resources[name], "properties": literal}
        except ValueError as problem:
            problems.append((name, str(problem)))
    data = {**recorded.data, "template": {**recorded.data["template"], "resources": resources}}
    return recorded._replace(data=data, problems=problems)


def _literal(value: Any, recorded: Recorded) -> Any:
    """A value with what its references yield. Raises ValueError for one that the record does not have."""
    if isinstance(value, list):
        return [_literal(item, recorded) for item in value]
    if not isinstance(value, dict):
        return value
    ((name, argument), *others) = value.items() or [("", None)]
    if others or name not in ("get_resource", "get_attr"):
        return {key: _literal(item, recorded) for key, item in value.items()}
    steps = argument if isinstance(argument, list) else [argument]
    named = steps[0] if steps and isinstance(steps[0], str) else ""
    existing, raw = recorded.resources.get(named), recorded.data["resources"].get(named) or {}
    if existing is not None and existing.value and (name == "get_resource" or steps[1:] == ["value"]):
        return existing.value
    if name == "get_resource" and raw.get("resource_id"):
        return raw["resource_id"]
    raise ValueError(f"what '{name}' yields of '{named}' is not recorded")


def _lasts(row: Mapping[str, Any]) -> bool:
    return row.get("action") in _LASTING and row.get("status") == "COMPLETE"


def _state(row: Mapping[str, Any]) -> str:
    return f"{row.get('action')}_{row.get('status')}"


def _existing(row: Mapping[str, Any], secret: str) -> Existing:
    data = row.get("resource_data") or {}
    kind = str(row.get("type") or "")
    drawn = str(data.get(_DRAWN.get(kind, ""), "") or "")
    identity = "" if kind in _NOTHING else str(row.get("resource_id") or "")
    return Existing(identity, kind, data, drawn, secret, tuple(_ports(data)), "resources" in row)


def _ports(data: Mapping[str, Any]) -> Iterator[str]:
    """The ports that Heat has made for a server (``server_network_mixin``, ``internal_ports``)."""
    try:
        rows = json.loads(data.get("internal_ports") or "[]")
    except (TypeError, ValueError):
        return
    for row in rows if isinstance(rows, list) else ():
        if isinstance(row, dict) and row.get("id"):
            yield str(row["id"])


def _unlike(template: Mapping[str, Any], found: Running) -> Iterator[tuple[str, str]]:
    """What the template and the record have each alone, and types that differ."""
    own = template.get("resources") or {}
    for name, declared in own.items():
        declared = declared if isinstance(declared, dict) else {}
        if name not in found and "condition" not in declared:
            yield name, "nothing that runs is recorded of it, so that it would be created"
        elif name in found and found[name].type and found[name].type != declared.get("type"):
            yield name, f"what runs is of type {found[name].type}"
    for name in found:
        if name not in own:
            yield name, "the template has no resource of that name"
