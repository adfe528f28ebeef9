"""What Heat adopts (``openstack stack adopt``): a stack that others have created, or another one of its own.

Heat stores references of adopted resources unresolved, and would replace them all at the next update
(heat/engine/resource.py, ``Resource.adopt``): in what it adopts every reference is what it stands for. A nested stack
is adopted with the template of its file, so that each has a file of its own there; the update that follows changes its
type, which Heat does in place. The members of a group share a file: it has the values of each by its index."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from bpconvert.models.hot_versions import VERSIONS
from bpconvert.models.running import Existing, Recorded, Running
from bpconvert.translators.hot import flattening
from bpconvert.translators.hot.resource_types import TEMPLATE_ENDINGS
from bpconvert.translators.hot.running import DRAWN, NOTHING, exported, flat, listed
from bpconvert.translators.support.places import entries

__all__ = ["adoptable", "composed", "exported", "flat", "listed", "owns"]

#: types whose id is made of the ids of what they connect -> the properties that have these (``resource_id_set`` of
#: neutron/router.py, cinder/volume.py and keystone/role_assignments.py)
_COMPOSED: Final = {
    "OS::Neutron::RouterInterface": ("router", "router_id", "subnet", "subnet_id", "port", "port_id"),
    "OS::Cinder::VolumeAttachment": ("volume_id",),
    "OS::Neutron::ExtraRouteSet": ("router",),
    "OS::Keystone::UserRoleAssignment": ("user",),
    "OS::Keystone::GroupRoleAssignment": ("group",),
}
#: types that connect and are called as Heat likes
_ASSOCIATIONS: Final = frozenset({"OS::Neutron::FloatingIPAssociation", "OS::Nova::FloatingIPAssociation"})
#: type -> attribute -> the property that it yields, where that is given
_SAME: Final = {
    "OS::Heat::Value": {"value": "value"},
    "OS::Neutron::Net": {"name": "name", "mtu": "mtu"},
    "OS::Neutron::Subnet": {"name": "name", "cidr": "cidr", "gateway_ip": "gateway_ip"},
    "OS::Neutron::Port": {"name": "name", "mac_address": "mac_address", "fixed_ips": "fixed_ips"},
    "OS::Neutron::FloatingIP": {"floating_ip_address": "floating_ip_address"},
    "OS::Neutron::SecurityGroup": {"name": "name"},
    "OS::Nova::Server": {"name": "name"},
    "OS::Nova::KeyPair": {"public_key": "public_key"},
}
#: how the names of types begin that are of Heat alone, and those of them that are the same in every stack
_OWN: Final = ("OS::Heat::", "AWS::CloudFormation::", "AWS::AutoScaling::")
_PLAIN: Final = frozenset({"OS::Heat::Value", "OS::Heat::RandomString"})
#: types that run programs on servers
_RUNS: Final = frozenset({"OS::Heat::SoftwareDeployment", "OS::Heat::StructuredDeployment"})
#: the type of groups whose members have numbers
_GROUP: Final = "OS::Heat::ResourceGroup"
#: attributes that no file has
_SECRET: Final = frozenset({"private_key", "password", "admin_password", "adminPass"})
#: parameters of a template that is adopted for the members of a group: all values, and the index of the member
_VALUES: Final = "bpconvert_values"
_INDEX: Final = "bpconvert_index"
_OF_STACKS: Final = frozenset({"template", "environment", "files", "resources"})
_STATE: Final = {"action": "CREATE", "status": "COMPLETE"}

#: type -> attributes that Heat makes of the names of the stack and the resource
_OF_NAMES: Final = {"OS::Nova::Server": frozenset({"name", "os_collect_config"})}
#: functions of the first version of HOT -> those that are called so since
_FIRST: Final = {"Ref": "get_resource", "Fn::GetAtt": "get_attr"}
#: the first version that has ``external_id``
_EXTERNAL_IDS: Final = "2016-10-14"
#: groups whose members Heat adopts by their names
_GROUPS: Final = frozenset({_GROUP, "OS::Heat::SoftwareDeploymentGroup", "OS::Heat::StructuredDeploymentGroup"})
_ID: Final = re.compile(r"[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}")

Json = dict[str, Any]


# -- what others have created ------------------------------------------------------------------------------------
def composed(template: Any, running: Running, name: str, given: Mapping[str, Any]) -> Recorded:
    """The stack of a template of whose resources others have created ``running``; the ids that Heat composes are added.
    ``name``: that of the stack; ``given``: the values of its parameters."""
    declared, own = entries(template, "parameters"), entries(template, "resources")
    problems = [
        ("", f"nothing is known of the value of parameter '{key}': give it with the inputs")
        for key, one in declared.items()
        if "default" not in one and key not in given
    ]
    rows: Json = {}
    found: dict[str, Existing] = {}
    data = {"name": name, **_STATE, "environment": {}, "files": {}, "template": template, "resources": rows}
    attributes = {resource: _shown(existing.data) for resource, existing in running.items()}
    recorded = Recorded(template, found, data=data, attributes=attributes, problems=problems)
    identify = _Identities(recorded, {key: one.get("default") for key, one in declared.items()} | dict(given), running)
    for resource in sorted(own, key=lambda one: one not in running):
        kind, known = str(own[resource].get("type")), running.get(resource, Existing(""))
        if resource not in running and "condition" in own[resource]:
            continue
        if kind == _GROUP:
            members = known.members or ((known,) if resource in running else ())
            known = known._replace(members=members)
            rows[resource] = _members(resource, own[resource], members)
            definition = (own[resource].get("properties") or {}).get("resource_def") or {}
            if str(definition.get("type")).endswith(TEMPLATE_ENDINGS) and members:
                problems.append((resource, "its members are stacks, and nothing records what belongs together"))
            count = identify.value((own[resource].get("properties") or {}).get("count", 1))
            if count != len(members):
                problems.append((resource, f"there are {len(members)} of it, and in the result {count}"))
        elif kind.endswith(TEMPLATE_ENDINGS):
            problems.append((resource, "it is a stack of its own, and nothing records what belongs together"))
        elif known.members:
            problems.append((resource, f"there are {len(known.members)} of it"))
        else:
            identity = (kind not in _COMPOSED and known.id) or identify.composed(kind, resource, own[resource])
            drawn = {DRAWN[kind]: known.value} if kind in DRAWN and known.value else {}
            known, rows[resource] = known._replace(id=identity), _row(resource, kind, identity, drawn)
        found[resource] = known._replace(type=kind, nested=kind == _GROUP)
    return recorded


def _row(name: str, kind: Any, identity: str, data: Json) -> Json:
    own = {"name": name, "type": kind, "resource_id": identity or None}
    return {**own, **_STATE, "metadata": {}, "resource_data": data}


def _members(name: str, resource: Any, members: Sequence[Existing]) -> Json:
    """The export of a group with members that exist; none for one without members."""
    kind = (resource.get("properties") or {}).get("resource_def", {}).get("type")
    rows = {str(index): _row(str(index), kind, one.id, {}) for index, one in enumerate(members)}
    if not rows:
        return {}
    return {"name": name, **_STATE, "resources": rows}


def _shown(known: Mapping[str, Any]) -> Json:
    """The attributes of a resource of which another engine keeps what its service shows."""
    shown = [known.get(key) for key in ("external_resource", "server", "Properties")]
    found = {key: value for one in shown if isinstance(one, dict) for key, value in one.items() if value is not None}
    found |= {key: value for key, value in known.items() if value is not None}
    return {"first_address": known["ip"], **found} if known.get("ip") else found


class _Identities:
    """The ids that Heat gives to resources that are no entity of a service. ``values``: those of the parameters."""

    def __init__(self, recorded: Recorded, values: Mapping[str, Any], running: Running) -> None:
        self.level, self.values = _Level(recorded), values
        named = [(one.data.get("name"), one.id) for one in running.values() if one.id and one.data.get("name")]
        self.names = {str(name): identity for name, identity in named}
        self.names |= {one.id: one.id for one in running.values() if one.id}

    def composed(self, kind: str, name: str, resource: Any) -> str:
        """The id of a resource, "" where there is none."""
        properties, steps = resource.get("properties") or {}, _COMPOSED.get(kind)
        if steps is None:
            return name if kind in NOTHING or kind in _ASSOCIATIONS else ""
        given = {key: properties[key] for key in steps if properties.get(key) is not None}
        try:
            first, *others = [(key, self._of(value)) for key, value in given.items()]
        except ValueError:
            return ""
        return ":".join([first[1], *(f"{key.removesuffix('_id')}_id={value}" for key, value in others)])

    def value(self, value: Any) -> Any:
        """A value, or that of the parameter which it reads."""
        is_parameter = isinstance(value, dict) and isinstance(value.get("get_param"), str)
        return self.values.get(value["get_param"]) if is_parameter else value

    def _of(self, value: Any) -> str:
        """The id that a property has, or names. Raises ValueError for what is none."""
        literal = self.value(self.level.literal(value))
        found = self.names.get(str(literal), str(literal))
        if str(literal) not in self.names and not _ID.fullmatch(found):
            raise ValueError(f"{found} is no id")
        return found


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
    for name in sorted({name for body in resources.values() for name in _named(body)} & (own.keys() - kept.keys())):
        row = rows.get(name) or {}
        if flattening.is_nested(row) or not row.get("resource_id") or row.get("type") in {*NOTHING, *_COMPOSED}:
            problems.append((name, "it has no id by which the part that is taken could refer to it"))
        resources[name] = {"type": own[name].get("type"), "external_id": row.get("resource_id")}
    outputs = entries(template, "outputs")
    lost = [(name,) for name, body in outputs.items() if not set(_named(body)) <= resources.keys()]
    cut = {**template, "resources": resources}
    if outputs:
        cut["outputs"] = {name: body for name, body in outputs.items() if (name,) not in lost}
    if len(resources) > len(kept):
        cut["heat_template_version"] = _with_external_ids(str(template.get("heat_template_version")))
    found = {name: one for name, one in recorded.resources.items() if name in resources}
    rows = {name: row for name, row in rows.items() if name in resources}
    data = {**recorded.data, "template": cut, "resources": rows}
    problems = [(name, why) for name, why in problems if not name or name in resources]
    return recorded._replace(document=cut, resources=found, problems=problems, data=data, lost=[*recorded.lost, *lost])


def _waits(body: Json, kept: Mapping[str, Any]) -> Json:
    """The resources that one of a part waits for."""
    waits = body.get("depends_on")
    names = [name for name in (waits if isinstance(waits, list) else [waits]) if name in kept]
    return {"depends_on": names} if waits else {}


def _named(value: Any) -> Iterator[str]:
    """The names of the resources that a value refers to."""
    if isinstance(value, list):
        for item in value:
            yield from _named(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            first = item[0] if isinstance(item, list) and item else item
            if key in ("get_resource", "get_attr", *_FIRST) and len(value) == 1 and isinstance(first, str):
                yield first
            yield from _named(item)


def _with_external_ids(version: str) -> str:
    """A version, or the first one that has ``external_id``."""
    date = next((date for date, one in VERSIONS.items() if version in (date, one.release)), version)
    return version if date >= _EXTERNAL_IDS else _EXTERNAL_IDS


# -- what is adopted -------------------------------------------------------------------------------------------
def adoptable(recorded: Recorded) -> Recorded:
    """The same with the data that ``openstack stack adopt`` takes. ``problems``: also the resources that cannot be
    adopted; ``asking``: those whose machines ask the first engine."""
    adopted = _Adopted(recorded)
    rows = recorded.data["resources"]
    level = _Level(recorded, adopted.flat)
    resources, made = adopted.stack(level, ())
    template = {**recorded.data["template"], "resources": resources}
    data = {**recorded.data, "template": template, "resources": {**rows, **made}}
    data["files"] = {**(recorded.data.get("files") or {}), **adopted.files}
    problems = [*recorded.problems, *adopted.problems]
    return recorded._replace(data=data, problems=problems, asking=adopted.asking)


class _Level:
    """A stack whose references are replaced. ``template`` and ``rows``: its template, and what is exported of its
    resources; ``names``: those that are stacks of their own; ``flat``: all resources as those of one stack."""

    def __init__(self, recorded: Recorded, flat: flattening.Flat | None = None) -> None:
        self.template, self.rows, self.flat = recorded.data["template"], recorded.data["resources"], flat
        self.attributes, self.is_outermost = recorded.attributes, True
        self.names: Mapping[str, Any] = flat.stack.names if flat is not None else {}
        self.recorded = recorded

    @property
    def own(self) -> Mapping[str, Any]:
        """The resources of the template."""
        return entries(self.template, "resources")

    @property
    def has_first_functions(self) -> bool:
        """True for a template of the version that has the functions of CloudFormation."""
        return str(self.template.get("heat_template_version")) == "2013-05-23"

    def inner(self, row: Mapping[str, Any], stack: Any) -> _Level:
        """A stack that a resource of this one is."""
        level = _Level(self.recorded, self.flat)
        level.template, level.rows, level.names = row["template"], row.get("resources") or {}, stack.names
        level.attributes, level.is_outermost = {}, False
        return level

    def outer(self) -> _Level:
        """All resources as those of one stack."""
        level = _Level(self.recorded)
        if self.flat is not None:
            level.template, level.rows = self.flat.template, self.flat.rows
        return level

    def literal(self, value: Any) -> Any:
        """A value with what its references yield. Raises ValueError for one that the record does not have."""
        if isinstance(value, list):
            return [self.literal(item) for item in value]
        if not isinstance(value, dict):
            return value
        ((name, argument), *others) = value.items() or [("", None)]
        steps = argument if isinstance(argument, list) else [argument]
        named = steps[0] if steps and isinstance(steps[0], str) else ""
        if self.has_first_functions and (name == "Fn::GetAtt" or named in self.own):
            name = _FIRST.get(name, name)
        if others or name not in ("get_resource", "get_attr"):
            return {key: self.literal(item) for key, item in value.items()}
        if named not in self.rows and "condition" in (self.own.get(named) or {}):
            return None  # it is not there, and neither is what refers to it
        target, row = self.names.get(named), self.rows.get(named) or {}
        if target is not None and not isinstance(target, str):
            return self._of_stack(name, named, target, steps[1:])
        drawn = (row.get("resource_data") or {}).get(DRAWN.get(str(row.get("type")), ""))
        if drawn and (name == "get_resource" or steps[1:] == ["value"]):
            return drawn
        if name == "get_resource" and row.get("resource_id"):
            return row["resource_id"]
        if name == "get_attr" and row:
            return self._attribute(named, str(row.get("type")), steps[1:])
        raise ValueError(f"what '{name}' yields of '{named}' is not recorded")

    def _of_stack(self, call: str, name: str, target: Any, steps: Sequence[Any]) -> Any:
        """What a reference to a stack of its own yields."""
        try:
            if call == "get_resource" and not flattening.has_own_id(target):
                raise ValueError(f"it reads what '{name}' is in its own stack alone")
            value = flattening.reference(target) if call == "get_resource" else flattening.attribute(target, [*steps])
        except flattening.Unknown as why:
            raise ValueError(f"what '{call}' yields of '{name}' is not known: {why}") from None
        literal = self.outer().literal(value)
        if not self.is_outermost and "get_param" in flattening.keys(literal):
            raise ValueError(f"what '{call}' yields of '{name}' depends on a parameter of the outermost stack")
        return literal

    def _attribute(self, name: str, kind: str, steps: Sequence[Any]) -> Any:
        """What an attribute of a resource yields: as it is recorded, or as the template gives it."""
        if kind.startswith(_OWN) and kind not in _PLAIN:
            raise ValueError(f"it reads what '{name}' is in its own stack alone")
        try:
            computed = str(steps[0]) in _OF_NAMES.get(kind, ()) if steps else False
            if not computed and name in self.attributes and all(isinstance(step, (str, int)) for step in steps):
                if not _SECRET.isdisjoint(map(str, steps)):
                    raise ValueError(f"what it reads of '{name}' is secret")
                shown = self.attributes[name]
                shown = {key: value for key, value in {**_addresses(shown), **shown}.items() if key not in _SECRET}
                return flattening.within(shown, [*steps])
            properties = (self.own.get(name) or {}).get("properties") or {}
            setting = _SAME.get(kind, {}).get(str(steps[0])) if steps else None
            if setting in properties and (setting != "fixed_ips" or steps[2:] == ["ip_address"]):
                return flattening.within(self.literal(properties[setting]), [*steps[1:]])
        except flattening.Unknown:
            pass
        raise ValueError(f"what 'get_attr' yields of '{name}' is not recorded")


class _Adopted:
    """What is adopted of a stack. ``files``: the templates of those that it nests."""

    def __init__(self, recorded: Recorded) -> None:
        self.files: dict[str, str] = {}
        self.problems: list[tuple[str, str]] = []
        self.asking: list[str] = []
        nests = any(map(flattening.is_nested, recorded.data["resources"].values()))
        self.flat = flattening.finished(flattening.Flat(recorded.data)) if nests else None

    def stack(self, level: _Level, path: tuple[str, ...]) -> tuple[Json, Json]:
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

    def _resource(self, level: _Level, body: Any, row: Any, path: tuple[str, ...]) -> tuple[Json, Json]:
        kind = str(body.get("type"))
        if kind in _RUNS:
            self.asking.append("_".join(path))
        if flattening.is_nested(row):
            return self._nested(level, body, row, path)
        if not row or not row.get("resource_id"):
            raise ValueError("nothing that runs is recorded of it, so that it would be created")
        if kind in DRAWN and not (row.get("resource_data") or {}).get(DRAWN[kind]):
            raise ValueError("it would be made anew")
        return _with_properties(body, level.literal(body.get("properties"))), row

    def _nested(self, level: _Level, body: Any, row: Any, path: tuple[str, ...]) -> tuple[Json, Json]:
        """A resource that is a stack of its own."""
        kind, target = str(body.get("type")), level.names.get(path[-1])
        made = {key: value for key, value in row.items() if key not in _OF_STACKS}
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
        return {**_with_properties(body, properties), "type": file}, {**made, "resources": rows}

    def _group(self, level: _Level, body: Any, row: Any, path: tuple[str, ...]) -> tuple[Json, Json]:
        """A group, whose members are resources of a stack."""
        members, properties = row.get("resources") or {}, level.literal(body.get("properties")) or {}
        if body["type"] != _GROUP:
            self.asking.append("_".join(path))
        elif sorted(members) != sorted(map(str, range(len(members)))):
            raise ValueError("members of it were removed: Heat adopts those with the numbers from 0")
        if not any(map(flattening.is_nested, members.values())):
            return _with_properties(body, properties), row
        target = level.names[path[-1]]
        made: dict[str, Json] = {}
        rows: Json = {}
        for name, member in members.items():
            inner = target.members.get(name)
            nests = any(map(flattening.is_nested, (member.get("resources") or {}).values()))
            if not isinstance(inner, flattening.Stack) or nests:
                raise ValueError("its members nest stacks")
            made[name], found = self.stack(level.inner(member, inner), (*path, name))
            kept = {key: value for key, value in member.items() if key not in _OF_STACKS}
            rows[name] = {**kept, "resources": found}
        file = f"adopt/{'/'.join(path)}.yaml"
        self.files[file] = json.dumps(_of_all(next(iter(members.values()))["template"], made), indent=1, default=str)
        definition = properties["resource_def"]
        given = {**(definition.get("properties") or {}), _INDEX: properties.get("index_var", "%index%")}
        properties = {**properties, "resource_def": {**definition, "type": file, "properties": given}}
        return _with_properties(body, properties), {**row, "resources": rows}


def _with_properties(body: Json, properties: Any) -> Json:
    return {**body, "properties": properties} if "properties" in body else dict(body)


def _of_all(template: Json, members: Mapping[str, Json]) -> Json:
    """One template for the members of a group: what differs is a value of a parameter, by the index of the member."""
    values: dict[str, Json] = {name: {} for name in members}

    def one(found: Mapping[str, Any]) -> Any:
        first = next(iter(found.values()))
        if all(other == first for other in found.values()):
            return first
        if all(isinstance(other, dict) and other.keys() == first.keys() for other in found.values()):
            return {key: one({name: other[key] for name, other in found.items()}) for key in first}
        if all(isinstance(other, list) and len(other) == len(first) for other in found.values()):
            return [one({name: other[place] for name, other in found.items()}) for place in range(len(first))]
        key = str(len(values[next(iter(found))]))
        for name, other in found.items():
            values[name][key] = other
        return {"get_param": [_VALUES, {"get_param": _INDEX}, key]}

    resources = one(members)
    more = {_VALUES: {"type": "json", "default": values}, _INDEX: {"type": "string"}}
    return {**template, "parameters": {**entries(template, "parameters"), **more}, "resources": resources}


def _addresses(shown: Mapping[str, Any]) -> Json:
    """What Heat makes of the addresses that Nova shows of a server (nova/server.py, ``_resolve_any_attribute``)."""
    found = shown.get("addresses")
    if not isinstance(found, dict) or not all(isinstance(rows, list) for rows in found.values()):
        return {}
    networks = {net: [row.get("addr") for row in rows] for net, rows in found.items()}
    first = next((rows[0] for _, rows in sorted(networks.items(), reverse=True) if rows), "")
    return {"networks": networks, "first_address": first}
