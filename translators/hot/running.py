"""What Heat records of a stack: the data of ``openstack stack export`` and ``abandon`` (heat/engine/stack.py,
``Stack.prepare_abandon``), and the list of its resources (``openstack stack resource list -n 5 -f json``)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from bpconvert.models.running import Existing, Recorded, Running
from bpconvert.translators.hot import flattening
from bpconvert.translators.hot.environment import Environment
from bpconvert.translators.hot.record_shapes import check, check_template
from bpconvert.translators.hot.resource_types import TEMPLATE_ENDINGS

#: actions after which a resource is there, if they are complete
_LASTING: Final = frozenset({"CREATE", "UPDATE", "ADOPT", "CHECK", "RESUME", "RESTORE", "SNAPSHOT"})
#: keys that every export has
_NEEDED: Final = ("template", "resources", "status", "action")
#: types whose text Heat draws once -> the key that keeps it
DRAWN: Final = {"OS::Heat::RandomString": "value"}
#: types that are part of another resource or only compute something: nothing of them is in a cloud
NOTHING: Final = frozenset({"OS::Heat::Value", "OS::Heat::None", "OS::Heat::TestResource", "OS::Heat::SoftwareConfig",
    "OS::Heat::CloudConfig", "OS::Heat::MultipartMime", "OS::Heat::RandomString"})  # fmt: skip


def exported(data: Any) -> Recorded:
    """The stack that an export is of. Raises ValueError, with the reason, for what is no export."""
    missing = [key for key in _NEEDED if key not in data] if isinstance(data, dict) else list(_NEEDED)
    if missing:
        raise ValueError(f"not an export of a stack: there is no '{missing[0]}'")
    template, resources = data["template"], data["resources"]
    if not isinstance(template, dict) or not isinstance(resources, dict):
        raise ValueError("not an export of a stack: 'template' and 'resources' are maps")
    check(data)
    rows = dict(resources)
    problems = [("", f"the stack is {_state(data)}")] if not _lasts(data) else []
    problems += [(name, f"it is {_state(row)}") for name, row in rows.items() if row and not _lasts(row)]
    existing = {name: _existing(row, f"{data.get('name', 'stack')}_{name}") for name, row in rows.items()}
    parameters = (data.get("environment") or {}).get("parameters") or {}
    files = {name: str(text) for name, text in (data.get("files") or {}).items()}
    return Recorded(
        template, existing, Environment({}, parameters), files, [*problems, *_unlike(template, existing)], data
    )


def flat(recorded: Recorded) -> Recorded:
    """The same stack with the resources of those that it nests, as if one template had all."""
    rows = recorded.data["resources"]
    if not any(map(flattening.is_nested, rows.values())):
        return recorded
    finished = flattening.finished(flattening.Flat(recorded.data))
    prefix = recorded.data.get("name", "stack")
    resources = {name: _existing(row, f"{prefix}_{name}") for name, row in finished.rows.items()}
    problems = [*_unfinished(recorded.data, ()), *finished.problems, *_unlike(finished.template, resources)]
    data = {**recorded.data, "template": finished.template, "resources": finished.rows}
    return recorded._replace(
        document=finished.template, resources=resources, problems=problems, data=data, lost=finished.lost
    )


def _unfinished(record: Mapping[str, Any], path: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """What is not there, or not complete, of a stack and those that it nests."""
    if not _lasts(record):
        yield "_".join(path), f"{'it' if path else 'the stack'} is {_state(record)}"
    for name, row in (record.get("resources") or {}).items():
        if isinstance(row, dict) and "resources" in row:
            yield from _unfinished(row, (*path, name))
        elif row and not _lasts(row):
            yield "_".join((*path, name)), f"it is {_state(row)}"


def listed(template: Mapping[str, Any], rows: Any, parameters: Mapping[str, Any]) -> Recorded:
    """The stack with that ``template``, as a list of its resources has it. Raises ValueError, with the
    reason, for what is no such list."""
    _check_rows(rows)
    check_template(template)
    own = template.get("resources") or {}
    stack = next((row.get("stack_name") for row in rows if row["resource_name"] in own), None)
    mine = {row["resource_name"]: row for row in rows if row.get("stack_name") == stack}
    problems = []
    existing: dict[str, Existing] = {}
    for name, row in mine.items():
        action, _, status = str(row.get("resource_status", "")).rpartition("_")
        if not _lasts({"action": action, "status": status}):
            problems.append((name, f"it is {row.get('resource_status')}"))
        if _is_stack(str(row.get("resource_type", "")), str(stack), name, rows):
            problems.append((name, "it is a stack of its own: give what 'openstack stack export' prints instead"))
        existing[name] = Existing(str(row.get("physical_resource_id") or ""), str(row.get("resource_type", "")))
    state = {"action": "CREATE", "status": "COMPLETE"}
    resources = {
        name: {
            "name": name,
            "type": resource.type,
            "resource_id": resource.id,
            **state,
            "metadata": {},
            "resource_data": {},
        }
        for name, resource in existing.items()
    }
    environment = {"parameters": dict(parameters)}
    data = {
        "name": stack,
        **state,
        "environment": environment,
        "files": {},
        "template": template,
        "resources": resources,
    }
    return Recorded(
        template, existing, Environment({}, parameters), {}, [*problems, *_unlike(template, existing)], data
    )


def unlike(recorded: Recorded, rows: Any) -> list[tuple[str, str]]:
    """(name of a resource, how it is otherwise) where a list of resources differs from what was exported before. Raises
    ValueError as :func:`listed`."""
    _check_rows(rows)
    before: dict[str, list[str]] = {}
    now: dict[str, list[str]] = {}
    problems = []
    for name, identity in _identities(recorded.data):
        before.setdefault(name, []).append(identity)
    for row in rows:
        name, state = row["resource_name"], str(row.get("resource_status", ""))
        now.setdefault(name, []).append(str(row.get("physical_resource_id") or ""))
        action, _, status = state.rpartition("_")
        if not _lasts({"action": action, "status": status}):
            problems.append((name, f"it is {state} now"))
    for name in dict.fromkeys((*before, *now)):
        gone = [row for row in before.get(name, ()) if row not in now.get(name, ())]
        new = [row for row in now.get(name, ()) if row not in before.get(name, ())]
        if gone and new:
            problems.append((name, f"it was replaced after the export: {', '.join(gone)} by {', '.join(new)}"))
        elif gone:
            problems.append((name, "it is in the export, and not in the list of what runs"))
        elif new:
            problems.append((name, "it is in the list of what runs, and not in the export"))
    return problems


def _identities(record: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The resources of an export with their ids, those of nested stacks too."""
    for name, row in (record.get("resources") or {}).items():
        if isinstance(row, dict):
            yield name, str(row.get("resource_id") or row.get("id") or "")
            if "resources" in row:
                yield from _identities(row)


def _check_rows(rows: Any) -> None:
    if not isinstance(rows, list) or not all(
        isinstance(row, dict) and isinstance(row.get("resource_name"), str) for row in rows
    ):
        raise ValueError("not a list of resources: each has a 'resource_name'")


def _lasts(row: Mapping[str, Any]) -> bool:
    return row.get("action") in _LASTING and row.get("status") == "COMPLETE"


def _state(row: Mapping[str, Any]) -> str:
    return f"{row.get('action')}_{row.get('status')}"


def _is_stack(kind: str, stack: str, name: str, rows: list[Any]) -> bool:
    """True for a resource that is a stack of its own: by its type, or as the list has resources of that stack."""
    names = (str(row.get("stack_name")) for row in rows)
    return (
        kind in flattening.GROUPS
        or kind.endswith(TEMPLATE_ENDINGS)
        or any(other.startswith(f"{stack}-{name}-") for other in names)
    )


def _existing(row: Mapping[str, Any], secret: str) -> Existing:
    data = row.get("resource_data") or {}
    kind = str(row.get("type") or "")
    drawn = str(data.get(DRAWN.get(kind, ""), "") or "")
    identity = "" if kind in NOTHING else str(row.get("resource_id") or "")
    return Existing(identity, kind, data, drawn, secret, tuple(_ports(data)), flattening.is_nested(row))


def _ports(data: Mapping[str, Any]) -> Iterator[str]:
    """The ports that Heat has made for a server (``server_network_mixin``, ``internal_ports``)."""
    try:
        rows = json.loads(data.get("internal_ports") or "[]")
    except (TypeError, ValueError):
        return
    for row in rows if isinstance(rows, list) else ():
        if isinstance(row, dict) and row.get("id"):
            yield str(row["id"])


def _unlike(template: Mapping[str, Any], resources: Running) -> Iterator[tuple[str, str]]:
    """What the template and the record have each alone, and types that differ."""
    own = template.get("resources") or {}
    for name, declared in own.items():
        declared = declared if isinstance(declared, dict) else {}
        if name not in resources and "condition" not in declared:
            yield name, "nothing that runs is recorded of it, so that it would be created"
        elif name in resources and resources[name].type and resources[name].type != declared.get("type"):
            yield name, f"what runs is of type {resources[name].type}"
    for name in resources:
        if name not in own:
            yield name, "the template has no resource of that name"
