"""What Heat adopts (``openstack stack adopt``): a stack that others have created, or another one of its own.

Heat stores references of adopted resources unresolved, and would replace them all at the next update
(heat/engine/resource.py, ``Resource.adopt``): in what it adopts every reference is what it stands for. A nested stack
is adopted with the template of its file, so that each has a file of its own there; the update that follows changes its
type, which Heat does in place. The members of a group share a file: it has the values of each by its index."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from bpconvert.models.hot_versions import VERSIONS
from bpconvert.models.running import Recorded
from bpconvert.translators.hot import flattening
from bpconvert.translators.hot.composing import CALLED, COMPOSED, composed
from bpconvert.translators.hot.literals import FIRST, Level
from bpconvert.translators.hot.running import DRAWN, NOTHING, exported, flat, listed
from bpconvert.translators.support.places import entries, maps

__all__ = ["adoptable", "composed", "exported", "flat", "listed", "owns"]

#: types that run programs on servers
_RUNS: Final = frozenset({"OS::Heat::SoftwareDeployment", "OS::Heat::StructuredDeployment"})
#: a type that is nothing, and whose properties nothing reads (heat/none_resource.py)
_PLACEHOLDER: Final = "OS::Heat::None"
#: the type of groups whose members have numbers
_GROUP: Final = "OS::Heat::ResourceGroup"
#: parameters of a template that is adopted for the members of a group: all values, and the index of the member
_VALUES: Final = "bpconvert_values"
_INDEX: Final = "bpconvert_index"
_OF_STACKS: Final = frozenset({"template", "environment", "files", "resources"})
#: the first version that has ``external_id``
_EXTERNAL_IDS: Final = "2016-10-14"
#: groups whose members Heat adopts by their names
_GROUPS: Final = frozenset({_GROUP, "OS::Heat::SoftwareDeploymentGroup", "OS::Heat::StructuredDeploymentGroup"})
Json = dict[str, Any]


def owns(recorded: Recorded, name: str) -> bool:
    """True for a resource that is one of a service."""
    existing = recorded.resources.get(name)
    return existing is not None and existing.type not in NOTHING


# -- a part of a stack -------------------------------------------------------------------------------------------
def part(recorded: Recorded, wanted: Callable[[str], bool]) -> Recorded:
    """The stack of the resources that are ``wanted``. Those that they refer to are ones that exist, by their ids, which
    the stack does not own (``external_id``); all others are left out, and so are outputs that read them."""
    template, own = recorded.data["template"], entries(recorded.data["template"], "resources")
    kept = {name: body for name, body in own.items() if wanted(name)}
    rows, problems = recorded.data["resources"], list(recorded.problems)
    resources = {name: {**body, **_waits(body, kept)} for name, body in kept.items()}
    for name in sorted({name for body in resources.values() for name in _referred(body)} & (own.keys() - kept.keys())):
        row = rows.get(name) or {}
        if flattening.is_nested(row) or not row.get("resource_id") or row.get("type") in {*NOTHING, *COMPOSED, *CALLED}:
            problems.append((name, "it has no id by which the part that is taken could refer to it"))
        resources[name] = {"type": own[name].get("type"), "external_id": row.get("resource_id")}
    outputs = entries(template, "outputs")
    lost = [(name,) for name, body in outputs.items() if not set(_referred(body)) <= resources.keys()]
    cut = {**template, "resources": resources}
    if outputs:
        cut["outputs"] = {name: body for name, body in outputs.items() if (name,) not in lost}
    if len(resources) > len(kept):
        cut["heat_template_version"] = _with_external_ids(str(template.get("heat_template_version")))
    kept_resources = {name: resource for name, resource in recorded.resources.items() if name in resources}
    rows = {name: row for name, row in rows.items() if name in resources}
    data = {**recorded.data, "template": cut, "resources": rows}
    problems = [(name, why) for name, why in problems if not name or name in resources]
    return recorded._replace(
        document=cut, resources=kept_resources, problems=problems, data=data, lost=[*recorded.lost, *lost]
    )


def _waits(body: Json, kept: Mapping[str, Any]) -> Json:
    """The resources that one of a part waits for."""
    waits = body.get("depends_on")
    names = [name for name in (waits if isinstance(waits, list) else [waits]) if name in kept]
    return {"depends_on": names} if waits else {}


def _referred(value: Any) -> Iterator[str]:
    """The names of the resources that a value refers to."""
    for key, item in (row for part, _ in maps(value, ()) for row in part.items() if len(part) == 1):
        first = item[0] if isinstance(item, list) and item else item
        if key in ("get_resource", "get_attr", *FIRST) and isinstance(first, str):
            yield first


def _with_external_ids(version: str) -> str:
    """A version, or the first one that has ``external_id``."""
    date = next((date for date, version_row in VERSIONS.items() if version in (date, version_row.release)), version)
    return version if date >= _EXTERNAL_IDS else _EXTERNAL_IDS


# -- what is adopted -------------------------------------------------------------------------------------------
def adoptable(recorded: Recorded) -> Recorded:
    """The same with the data that ``openstack stack adopt`` takes. ``problems``: also the resources that cannot be
    adopted; ``asking``: those whose machines ask the first engine."""
    adopted = _Adopted(recorded)
    rows = recorded.data["resources"]
    level = Level(recorded, adopted.flat)
    resources, stack_rows = adopted.stack(level, ())
    template = {**recorded.data["template"], "resources": resources}
    data = {**recorded.data, "template": template, "resources": {**rows, **stack_rows}}
    data["files"] = {**(recorded.data.get("files") or {}), **adopted.files}
    problems = [*recorded.problems, *adopted.problems]
    return recorded._replace(data=data, problems=problems, asking=adopted.asking)


class _Adopted:
    """What is adopted of a stack. ``files``: the templates of those that it nests."""

    def __init__(self, recorded: Recorded) -> None:
        self.files: dict[str, str] = {}
        self.problems: list[tuple[str, str]] = []
        self.asking: list[str] = []
        nests = any(map(flattening.is_nested, recorded.data["resources"].values()))
        self.flat = flattening.finished(flattening.Flat(recorded.data)) if nests else None

    def stack(self, level: Level, path: tuple[str, ...]) -> tuple[Json, Json]:
        """The resources of a stack, and the data by which they are adopted."""
        resources, rows = dict(entries(level.template, "resources")), {}
        for name, body in list(resources.items()):
            row, here = level.rows.get(name), (*path, name)
            if row is None and isinstance(body, dict) and "condition" in body:
                continue
            try:
                resources[name], rows[name] = self._resource(level, body, row, here)
            except ValueError as why:
                self.problems.append(("_".join(here), str(why)))
        return resources, rows

    def _resource(self, level: Level, body: Any, row: Any, path: tuple[str, ...]) -> tuple[Json, Json]:
        kind = str(body.get("type"))
        if kind in _RUNS:
            self.asking.append("_".join(path))
        if flattening.is_nested(row):
            return self._nested(level, body, row, path)
        if not row or not row.get("resource_id"):
            raise ValueError("nothing that runs is recorded of it, so that it would be created")
        if kind == _PLACEHOLDER:
            return _with_properties(body, {}), row
        if kind in DRAWN and not (row.get("resource_data") or {}).get(DRAWN[kind]):
            raise ValueError("it would be made anew")
        return _with_properties(body, level.literal(body.get("properties"))), row

    def _nested(self, level: Level, body: Any, row: Any, path: tuple[str, ...]) -> tuple[Json, Json]:
        """A resource that is a stack of its own."""
        kind, target = str(body.get("type")), level.names.get(path[-1])
        kept = {key: value for key, value in row.items() if key not in _OF_STACKS}
        if kind in _GROUPS:
            return self._group(level, body, row, path)
        if not row:
            return _with_properties(body, level.literal(body.get("properties"))), row
        if kind in flattening.GROUPS or not isinstance(target, flattening.Stack) or "template" not in row:
            raise ValueError(f"Heat adopts no {kind}")
        resources, rows = self.stack(level.inner(row, target), path)
        file = f"adopt/{'/'.join(path)}.yaml"
        self.files[file] = json.dumps({**row["template"], "resources": resources}, indent=1, default=str)
        properties = level.literal(body.get("properties"))
        return {**_with_properties(body, properties), "type": file}, {**kept, "resources": rows}

    def _group(self, level: Level, body: Any, row: Any, path: tuple[str, ...]) -> tuple[Json, Json]:
        """A group, whose members are resources of a stack."""
        members, properties = row.get("resources") or {}, level.literal(body.get("properties")) or {}
        if body["type"] != _GROUP:
            self.asking.append("_".join(path))
        elif sorted(members) != sorted(map(str, range(len(members)))):
            raise ValueError("members of it were removed: Heat adopts those with the numbers from 0")
        if not any(map(flattening.is_nested, members.values())):
            return _with_properties(body, properties), row
        target = level.names[path[-1]]
        templates: dict[str, Json] = {}
        rows: Json = {}
        for name, member in members.items():
            inner = target.members.get(name)
            nests = any(map(flattening.is_nested, (member.get("resources") or {}).values()))
            if not isinstance(inner, flattening.Stack) or nests:
                raise ValueError("its members nest stacks")
            templates[name], inner_rows = self.stack(level.inner(member, inner), (*path, name))
            kept = {key: value for key, value in member.items() if key not in _OF_STACKS}
            rows[name] = {**kept, "resources": inner_rows}
        file = f"adopt/{'/'.join(path)}.yaml"
        self.files[file] = json.dumps(
            _of_all(next(iter(members.values()))["template"], templates), indent=1, default=str
        )
        definition = properties["resource_def"]
        values = {**(definition.get("properties") or {}), _INDEX: properties.get("index_var", "%index%")}
        properties = {**properties, "resource_def": {**definition, "type": file, "properties": values}}
        return _with_properties(body, properties), {**row, "resources": rows}


def _with_properties(body: Json, properties: Any) -> Json:
    return {**body, "properties": properties} if "properties" in body else dict(body)


def _of_all(template: Json, members: Mapping[str, Json]) -> Json:
    """One template for the members of a group: what differs is a value of a parameter, by the index of the member."""
    values: dict[str, Json] = {name: {} for name in members}

    def common(by_member: Mapping[str, Any]) -> Any:
        first = next(iter(by_member.values()))
        if all(other == first for other in by_member.values()):
            return first
        if all(isinstance(other, dict) and other.keys() == first.keys() for other in by_member.values()):
            return {key: common({name: other[key] for name, other in by_member.items()}) for key in first}
        if all(isinstance(other, list) and len(other) == len(first) for other in by_member.values()):
            return [common({name: other[place] for name, other in by_member.items()}) for place in range(len(first))]
        key = str(len(values[next(iter(by_member))]))
        for name, other in by_member.items():
            values[name][key] = other
        return {"get_param": [_VALUES, {"get_param": _INDEX}, key]}

    resources = common(members)
    more = {_VALUES: {"type": "json", "default": values}, _INDEX: {"type": "string"}}
    return {**template, "parameters": {**entries(template, "parameters"), **more}, "resources": resources}
