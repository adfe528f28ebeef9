"""What others have created, as a stack that Heat has exported: the ids that it composes are added."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from bpconvert.models.running import Created, Existing, Recorded, Running
from bpconvert.translators.evaluate import Refused
from bpconvert.translators.evaluate.facts import Facts, NotComputed
from bpconvert.translators.hot import flattening
from bpconvert.translators.hot.belonging import together
from bpconvert.translators.hot.evaluation import EVALUATOR
from bpconvert.translators.hot.literals import Level
from bpconvert.translators.hot.resource_types import TEMPLATE_ENDINGS
from bpconvert.translators.hot.running import DRAWN, NOTHING
from bpconvert.translators.support.places import entries, maps
from bpconvert.yamlio.document import load

#: types whose id is made of the ids of what they connect -> the properties that have these (``resource_id_set`` of
#: neutron/router.py and cinder/volume.py)
COMPOSED: Final = {
    "OS::Neutron::RouterInterface": ("router", "router_id", "subnet", "subnet_id", "port", "port_id"),
    "OS::Cinder::VolumeAttachment": ("volume_id",),
    "OS::Neutron::ExtraRouteSet": ("router",),
}
#: types that connect, or are of Heat alone, and are called as Heat likes
CALLED: Final = frozenset({"OS::Neutron::FloatingIPAssociation", "OS::Nova::FloatingIPAssociation",
    "OS::Keystone::UserRoleAssignment", "OS::Keystone::GroupRoleAssignment", "OS::Heat::DeployedServer"})  # fmt: skip
#: type -> settings that only its creation reads (glance/image.py)
_ONCE: Final = {"OS::Glance::WebImage": ("location",), "OS::Glance::Image": ("location",)}
#: the type of groups whose members have numbers
_GROUP: Final = "OS::Heat::ResourceGroup"
_STATE: Final = {"action": "CREATE", "status": "COMPLETE"}
_ID: Final = re.compile(r"[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}")


Json = dict[str, Any]


def composed(template: Any, created: Created) -> Recorded:
    """The stack of a template of whose resources others have created what there is; the ids that Heat composes are
    added. Values of parameters that were not given, and are known, are in its environment."""
    return _Composing(template, created).done()


class _Composing:
    """A stack in the making. ``rows``: what would be exported of its resources."""

    def __init__(self, template: Any, created: Created) -> None:
        self.template, self.created = template, created
        self.own: Mapping[str, Any] = entries(template, "resources")
        self.problems: list[tuple[str, str]] = []
        self.unread: list[tuple[str, str, str]] = []
        self.rows: Json = {}
        self.found: dict[str, Existing] = {}
        self.attributes = attributes = {name: _shown(existing.data) for name, existing in created.running.items()}
        self.asked = self._asked(attributes)
        data = {"name": created.name, **_STATE, "environment": {"parameters": self.asked}, "files": dict(created.files)}
        data |= {"template": template, "resources": self.rows}
        self.recorded = Recorded(template, self.found, data=data, attributes=attributes, problems=self.problems)
        defaults = {key: declaration.get("default") for key, declaration in entries(template, "parameters").items()}
        values = {**defaults, **self.asked, **created.given}
        self.identify = _Identities(self.recorded, values, [created.running, *created.parts.values()])

    def done(self) -> Recorded:
        """The stack."""
        running = self.created.running
        for name in sorted(self.own, key=lambda resource_name: resource_name not in running):
            if name in running or name in self.created.parts or "condition" not in self.own[name]:
                self._resource(name, str(self.own[name].get("type")))
        return self.recorded._replace(unread=self.unread)

    def _resource(self, name: str, kind: str) -> None:
        running, body = self.created.running, self.own[name]
        resource = running.get(name, Existing(""))
        if kind == _GROUP:
            resource = resource._replace(members=resource.members or ((resource,) if name in running else ()))
            self.rows[name] = self._group(name, body.get("properties") or {}, resource.members)
        elif kind in flattening.GROUPS:
            self.problems.append((name, f"Heat adopts no {kind}"))
        elif kind.endswith(TEMPLATE_ENDINGS):
            self.problems.append((name, "it is a stack of its own, and nothing records what belongs together"))
        elif resource.members:
            self.problems.append((name, f"there are {len(resource.members)} of it"))
        else:
            identity = (kind not in COMPOSED and resource.id) or self.identify.composed(kind, name, body)
            drawn = {DRAWN[kind]: resource.value} if kind in DRAWN and resource.value else {}
            resource, self.rows[name] = resource._replace(id=identity), _row(name, kind, identity, drawn)
        self.found[name] = resource._replace(type=kind, nested=kind == _GROUP)

    def _group(self, name: str, properties: Json, members: Sequence[Existing]) -> Json:
        """The export of a group with the members that exist; none for one without members."""
        definition = properties.get("resource_def") or {}
        kind, rows = definition.get("type"), {}
        if str(kind).endswith(TEMPLATE_ENDINGS):
            rows = self._stacks(name, definition, properties.get("index_var", "%index%"))
        else:
            rows = {str(index): _row(str(index), kind, member.id, {}) for index, member in enumerate(members)}
            self.attributes |= {f"{name}_{index}": _shown(member.data) for index, member in enumerate(members)}
        count = self.identify.value(properties.get("count", 1))
        if count != len(rows) and name not in dict(self.problems):
            self.problems.append((name, f"there are {len(rows)} of it, and in the result {count}"))
        return {"name": name, **_STATE, "resources": rows} if rows else {}

    def _stacks(self, name: str, definition: Json, word: str) -> Json:
        """The exports of the members of a group that are stacks."""
        text = self.created.files.get(str(definition["type"]))
        template = load(text).data if text is not None else {}
        parts = self.created.parts.get(name, {})
        inner = entries(template, "resources")
        if any(str(body.get("type")) in flattening.GROUPS for body in inner.values()):
            self.problems.append((name, "its members have groups of their own"))
            return {}
        try:
            members = together(inner, {part: parts[part] for part in inner if part in parts})
        except ValueError as why:
            self.problems.append((name, str(why)))
            return {}
        rows = {}
        for index, running in enumerate(members):
            settings = flattening.with_index(definition.get("properties") or {}, word, str(index))
            values = {key: self.identify.resolved(value) for key, value in settings.items()}
            called = f"{self.created.name}-{name}-{index}"
            recorded = composed(template, Created(called, running, files=self.created.files, given=values))
            self.problems += [(name, f"of member {index}, '{part}': {why}") for part, why in recorded.problems if part]
            self.attributes |= {f"{name}_{index}_{part}": dict(shown) for part, shown in recorded.attributes.items()}
            rows[str(index)] = {**recorded.data, "name": str(index), "files": {}}
        return rows

    def _asked(self, attributes: Mapping[str, Json]) -> Json:
        """The values of parameters that were not given: those of the setting that reads them, as it is recorded, or an
        empty text where nothing reads it again."""
        values: Json = {}
        for key, declaration in entries(self.template, "parameters").items():
            if "default" in declaration or key in self.created.given:
                continue
            reading = [place for place in self._reading(key) if place[0] in self.created.running]
            read_values = [attributes[name][setting] for name, setting in reading if setting in attributes[name]]
            if (
                declaration.get("type") == "string"
                and read_values
                and all(value == read_values[0] for value in read_values)
            ):
                values[key] = str(read_values[0])
            elif (
                declaration.get("type") == "string" and reading and all(self._is_read_once(*place) for place in reading)
            ):
                values[key] = ""
                self.unread += [(name, setting, key) for name, setting in reading]
            else:
                self.problems.append(
                    ("", f"nothing is known of the value of parameter '{key}': give it with the inputs")
                )
        return values

    def _reading(self, key: str) -> list[tuple[str, str]]:
        """The settings of resources that read a parameter and nothing else: those of all resources, or none where
        something else reads it, too."""
        call, sections = {"get_param": key}, {"resources", "outputs", "conditions"}
        settings = [
            (name, setting)
            for name, body in self.own.items()
            for setting, value in (body.get("properties") or {}).items()
            if value == call
        ]
        searched = maps({section: self.template.get(section) for section in sections}, ())
        reads = sum(_reads_parameter(part.get("get_param"), key) for part, _ in searched)
        return settings if len(settings) == reads else []

    def _is_read_once(self, name: str, setting: str) -> bool:
        return setting in _ONCE.get(str(self.own[name].get("type")), ())


def _reads_parameter(argument: Any, key: str) -> bool:
    """True for the argument of a call that reads a parameter."""
    return key == argument or (isinstance(argument, list) and argument[:1] == [key])


def _row(name: str, kind: Any, identity: str, data: Json) -> Json:
    own = {"name": name, "type": kind, "resource_id": identity or None}
    return {**own, **_STATE, "metadata": {}, "resource_data": data}


def _shown(data: Mapping[str, Any]) -> Json:
    """The attributes of a resource of which another engine keeps what its service shows."""
    shown = [data.get(key) for key in ("external_resource", "server", "Properties")]
    attributes = {
        key: value for part in shown if isinstance(part, dict) for key, value in part.items() if value is not None
    }
    attributes |= {key: value for key, value in data.items() if value is not None}
    first = _first_address(data)
    return {"first_address": first, **attributes} if first else attributes


def _first_address(data: Mapping[str, Any]) -> str:
    """The address of a server that Heat takes for its first: on the last of its networks by their names
    (clients/os/nova.py, ``server_to_ipaddress``); "" where that is not known."""
    lists = [data.get(key) for key in ("networks", "ipv4_addresses")]
    networks, addresses = (rows if isinstance(rows, list) else [] for rows in lists)
    if data.get("ip") and len(networks) < 2 and data["ip"] != data.get("public_ip_address"):
        return str(data["ip"])
    if len(networks) != len(addresses) or not all(isinstance(text, str) for text in (*networks, *addresses)):
        return ""
    return max(zip(networks, addresses, strict=True), default=("", ""))[1]


class _Identities:
    """The ids that Heat gives to resources that are no entity of a service. ``values``: those of the parameters."""

    def __init__(self, recorded: Recorded, values: Mapping[str, Any], running: Sequence[Running]) -> None:
        self.level, self.values = Level(recorded), values
        self.version = str(recorded.document.get("heat_template_version"))
        resources = [
            resource
            for part in running
            for group in part.values()
            for resource in (group, *group.members)
            if resource.id
        ]
        self.names = {str(resource.data["name"]): resource.id for resource in resources if resource.data.get("name")}
        self.names |= {resource.id: resource.id for resource in resources}

    def composed(self, kind: str, name: str, resource: Any) -> str:
        """The id of a resource, "" where there is none."""
        properties, steps = resource.get("properties") or {}, COMPOSED.get(kind)
        if steps is None:
            return name if kind in NOTHING or kind in CALLED else ""
        identifying = {key: properties[key] for key in steps if properties.get(key) is not None}
        try:
            first, *others = [(key, self._identity(value)) for key, value in identifying.items()]
        except ValueError:
            return ""
        return ":".join([first[1], *(f"{key.removesuffix('_id')}_id={value}" for key, value in others)])

    def value(self, value: Any) -> Any:
        """What Heat computes for a value; the value where that is not known."""
        try:
            values = {name: part for name, part in self.values.items() if part is not None}
            return EVALUATOR.compute(value, Facts(self.version, values))
        except (NotComputed, Refused):
            return value

    def resolved(self, value: Any) -> Any:
        """A value with what its references yield, as far as that is known."""
        try:
            return self.value(self.level.literal(value))
        except ValueError:
            return value

    def _identity(self, value: Any) -> str:
        """The id that a property has, or names. Raises ValueError for what is none."""
        literal = self.value(self.level.literal(value))
        identity = self.names.get(str(literal), str(literal))
        if str(literal) not in self.names and not _ID.fullmatch(identity):
            raise ValueError(f"{identity} is no id")
        return identity
