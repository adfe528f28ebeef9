"""The resources of a HOT template against the schemas of their types and what those cannot say (``validate``
in ``heat/engine/resource.py`` and in ``heat/engine/resources/openstack``, of the types that templates use most)."""

from __future__ import annotations

import pathlib
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

from bpconvert.diagnostics import Reporter
from bpconvert.files import Meant
from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Condition, Expr, Path, Value, is_constant, walk
from bpconvert.models.topology import Node, Topology
from bpconvert.translators.catalogue import schemas
from bpconvert.translators.catalogue.schemas import heat_type, heat_types
from bpconvert.translators.catalogue.schemas.values import Misfit, check_properties, text_of
from bpconvert.translators.evaluate import fold
from bpconvert.translators.evaluate.scope import Refused, Scope
from bpconvert.translators.hot import environment
from bpconvert.translators.hot.capabilities import GROUPS
from bpconvert.translators.hot.resource_types import TEMPLATE_ENDINGS
from bpconvert.yamlio.document import load


class Environment:
    """``values`` of parameters, and what types stand for. ``known``: types of which only the name is known."""

    def __init__(self, files: Iterable[str] = (), types: Iterable[str] = ()) -> None:
        """``files``: environment files, of which later ones win.

        Raises OSError and :class:`~bpconvert.diagnostics.SourceError` when one cannot be read."""
        names = list(files)
        self.values: dict[str, Any] = {}
        self.known = set(types)
        self.registry = environment.read(names)[0] if names else environment.Environment({})
        for section in ("parameter_defaults", "parameters"):
            for name in names:
                data = load(pathlib.Path(name).read_bytes(), name).data
                values = data.get(section) if isinstance(data, dict) else None
                self.values.update(values if isinstance(values, dict) else {})

    def meant(self, name: str, resource: str = "") -> Meant:
        """What a type stands for at a resource: a type, or the file of a template."""
        return self.registry.resolve(name, resource)

    def schema(self, name: str, resource: str = "") -> dict[str, Any] | None:
        """The schema of what a type stands for at a resource; None where it is not known."""
        return heat_type(self.meant(name, resource).name)

    def knows(self, name: str) -> bool:
        """True for a type without a schema that exists all the same."""
        return name in self.known or schemas.alias(name) is not None

    def names(self) -> list[str]:
        """All names of types that a template can use."""
        own = [path[-1] for path in self.registry.entries if not path[-1].endswith("*")]
        return [*heat_types(), *sorted(self.known), *own]


def is_file(name: str) -> bool:
    """True for what is the name of a template, not of a type (``heat/engine/environment.py``)."""
    return name.endswith(TEMPLATE_ENDINGS)


#: type -> properties of which one is needed
_ONE_OF: Final[dict[str, list[tuple[str, ...]]]] = {
    "OS::Neutron::Subnet": [("cidr", "subnetpool")],
    "OS::Neutron::RouterInterface": [("subnet", "subnet_id", "port", "port_id")],
    "OS::Cinder::Volume": [("size", "backup_id", "snapshot_id", "source_volid")],
    "OS::Octavia::Pool": [("listener", "loadbalancer")],
    "OS::Mistral::CronTrigger": [("pattern", "first_time")],
}
#: type -> pairs that exclude each other
_NOT_BOTH: Final[dict[str, list[tuple[str, str]]]] = {
    "OS::Neutron::Subnet": [("subnetpool", "cidr"), ("prefixlen", "cidr")],
    "OS::Neutron::RouterInterface": [("subnet", "port"), ("subnet_id", "port_id"), ("subnet", "port_id"),
                                     ("subnet_id", "port")],
    "OS::Neutron::Port": [("fixed_ips", "no_fixed_ips")],
    "OS::Neutron::SecurityGroupRule": [("remote_group", "remote_ip_prefix")],
    "OS::Neutron::Router": [("l3_agent_id", "l3_agent_ids"), ("distributed", "ha"), ("distributed", "l3_agent_id"),
                            ("distributed", "l3_agent_ids")],
    "OS::Nova::Server": [("block_device_mapping", "block_device_mapping_v2")],
    "OS::Cinder::Volume": [("image", "imageRef")],
}  # fmt: skip
#: of which a server's network needs one
_INTERFACE: Final = ("network", "uuid", "port", "subnet", "allocate_network")
#: type -> a property, and the one that it needs
_NEEDS: Final[dict[str, list[tuple[str, str]]]] = {"OS::Neutron::FloatingIP": [("fixed_ip_address", "port_id")]}


def wrong_combinations(heat_type: str, values: dict[str, Value], replaced_by: dict[str, list[str]]) -> Iterator[str]:
    """What Heat refuses in the combination of a resource's properties, in words."""
    for names in _ONE_OF.get(heat_type, ()):
        if not any(_is_given(values.get(name)) for name in names):
            yield f"one of {', '.join(repr(name) for name in names)} is needed"
    for name, other in _NOT_BOTH.get(heat_type, ()):
        if _is_certain(values.get(name)) and _is_certain(values.get(other)):
            yield f"'{name}' and '{other}' exclude each other"
    for new, olds in replaced_by.items():
        for old in olds:
            if _is_certain(values.get(new)) and _is_certain(values.get(old)):
                yield f"'{old}' is an older name of '{new}'; only one of them can be given"
    for name, other in _NEEDS.get(heat_type, ()):
        if _is_certain(values.get(name)) and not _is_given(values.get(other)):
            yield f"'{name}' needs '{other}'"
    more = _MORE.get(heat_type)
    if more is not None:
        yield from more(values)


def _is_given(value: Value) -> bool:
    """True for what may be a value when the stack is created."""
    return isinstance(value, Expr) or (value is not None and value not in ("", [], {}))


def _is_certain(value: Value) -> bool:
    """True for what is a value already when Heat validates the template."""
    if isinstance(value, Expr):
        return isinstance(value, (ex.Identity, ex.File))
    return _is_given(value) and value is not False


def _server(values: dict[str, Value]) -> Iterator[str]:
    networks = values.get("networks")
    ports = [item for item in networks if isinstance(item, dict)] if isinstance(networks, list) else []
    if any(_is_certain(item.get("port")) for item in ports) and _is_certain(values.get("security_groups")):
        yield "'security_groups' and a 'port' in 'networks' exclude each other"
    for index, item in enumerate(ports):
        if all(item.get(name) is None for name in _INTERFACE):
            yield f"item {index + 1} of 'networks' needs one of 'network', 'port', 'allocate_network' and 'subnet'"
        if item.get("port") is not None and _is_certain(item.get("fixed_ip")):
            yield f"'fixed_ip' and 'port' exclude each other in item {index + 1} of 'networks'"
    devices = [values.get(name) for name in ("block_device_mapping", "block_device_mapping_v2")]
    if "image" not in values and not any(_is_given(value) for value in devices):  # null is an image to Heat
        yield "one of 'image' and 'block_device_mapping_v2' is needed to boot from"
    booted = [values.get("image"), *_booted(devices[1])]
    if sum(map(_is_certain, booted)) > 1:
        yield "only one of 'image' and the devices with boot_index 0 can be booted from"


def _booted(devices: Value) -> Iterator[Value]:
    """What the devices that are booted from are made of (heat: nova/server.py, ``_validate_block_device_mapping``)."""
    for device in devices if isinstance(devices, list) else ():
        if isinstance(device, dict) and device.get("boot_index") in (None, 0):
            yield from (device.get(key) for key in ("volume_id", "snapshot_id", "image", "image_id"))


def _rule(values: dict[str, Value]) -> Iterator[str]:
    least, most = values.get("port_range_min"), values.get("port_range_max")
    if values.get("protocol") in ("icmp", "icmpv6", "ipv6-icmp") or isinstance(values.get("protocol"), Expr):
        return
    if isinstance(least, int) and isinstance(most, int) and most < least:
        yield "'port_range_min' is greater than 'port_range_max'"


def _group(values: dict[str, Value]) -> Iterator[str]:
    if values.get("name") == "default":
        yield "a security group cannot be called 'default'"


def _subnet(values: dict[str, Value]) -> Iterator[str]:
    modes = [values.get("ipv6_ra_mode"), values.get("ipv6_address_mode")]
    if str(values.get("ip_version", 4)) == "4" and any(isinstance(mode, str) for mode in modes):
        yield "'ipv6_ra_mode' and 'ipv6_address_mode' are for version 6 only"


_MORE: Final[dict[str, Callable[[dict[str, Any]], Iterator[str]]]] = {
    "OS::Nova::Server": _server,
    "OS::Neutron::SecurityGroupRule": _rule,
    "OS::Neutron::SecurityGroup": _group,
    "OS::Neutron::Subnet": _subnet,
}


class ResourceChecks:
    """Checks resources, whose types and properties are as the template has them.

    ``missing``: is given the file of a nested template, and where it is named."""

    def __init__(
        self, topology: Topology, reporter: Reporter, environment: Environment, missing: Callable[[str, Path], None]
    ) -> None:
        self.topology = topology
        self.report = reporter.report
        self.of_names = reporter.of_names
        self.environment = environment
        self.missing = missing
        defaults = {name: self.default(name) for name in topology.inputs}
        usual = {name: value for name, value in defaults.items() if value is not MISSING}
        #: what holds whatever is given, and when only defaults are
        self.always = Scope(conditions=topology.conditions)
        self.usually = Scope(inputs=usual, conditions=topology.conditions)

    def default(self, name: str) -> Value:
        """What a parameter is when nothing is given for it but the environments."""
        declared = self.topology.inputs[name]
        value: Value = self.environment.values.get(name, declared.default)
        return value

    def check(self, node: Node) -> None:
        """Report what Heat refuses in a resource."""
        sure = self.exists(node)
        if self.of_names and not sure:
            return
        schema = self._schema(node.source_type, (*node.path, "type"), sure)
        if schema is None:
            return
        self.status(schema, (*node.path, "type"), node.source_type)
        if node.external_id is MISSING and self.exists(node, self.always):
            path = (*node.path, "properties")
            scopes = (self.always,) if self.of_names else (self.always, self.usually)
            self._properties(node.source_type, node.properties, schema, path, sure, scopes)
        self._policies(node, schema)
        if not self.of_names:
            self._member(node, GROUPS.definition(node.source_type))

    def exists(self, node: Node, scope: Scope | None = None) -> bool:
        """False when a condition leaves the resource out. ``scope``: what is known, if it is not just the defaults."""
        if node.condition is MISSING:
            return True
        try:
            return fold(node.condition, scope or self.usually) is not False
        except (Refused, RecursionError):  # what is nested so deeply is not looked into
            return True

    # -- types --------------------------------------------------------------------------------------------------

    def _schema(self, name: str, path: Path, sure: bool = True) -> dict[str, Any] | None:
        """The schema of a type; an unknown type is reported."""
        meaning = self.environment.meant(name, path[1])
        schema = schemas.heat_type(meaning.name)
        if schema is not None or not name:
            return schema
        if meaning.file is None and is_file(meaning.name):
            if not self.of_names:
                self.missing(meaning.name, path)
        elif meaning.file is None and "://" not in meaning.name and not self.environment.knows(meaning.name):
            from bpconvert.diagnostics.suggest import guess

            words = {"name": name, "guess": guess(name, self.environment.names())}
            self.refuse([Misfit("BPC175", path, words, sure)])
        return None

    def status(self, schema: dict[str, Any], path: Path, what: str) -> None:
        """Report what is out of date."""
        status = schema.get("status")
        if status:
            since = f" since Heat {schema['since']}" if "since" in schema else ""
            self.report("BPC177", path, what=what, status=status, since=since)

    # -- properties -----------------------------------------------------------------------------------------------

    def _properties(
        self, type: str, own: dict[str, Value], schema: dict[str, Any], path: Path, sure: bool, scopes: Iterable[Scope]
    ) -> None:
        if schema.get("any_property"):
            return
        older = schema.get("replaced_by", {})
        replaced = [new for new, olds in older.items() if any(old in own for old in olds)]
        reported: set[tuple[str, Path]] = set()
        for scope in scopes:
            certain = sure and scope is self.always
            values = self._folded(own, scope, path, certain)
            misfits = list(check_properties(values, schema["properties"], path, type, replaced))
            self.refuse(
                item if certain else item._replace(sure=False)
                for item in misfits
                if (item.code, item.path) not in reported
            )
            reported |= {(item.code, item.path) for item in misfits}
            if scope is self.always:
                for problem in wrong_combinations(type, values, older):
                    self.refuse([Misfit("BPC182", path, {"problem": problem}, certain)])
            if self.of_names:
                return
        self._outdated(own, schema["properties"], path)

    def _folded(self, properties: dict[str, Value], scope: Scope, path: Path, sure: bool) -> dict[str, Value]:
        """The properties as far as they can be computed; a call that Heat refuses to compute is reported."""
        result = {}
        for name, value in properties.items():
            if not is_constant(value):
                try:
                    value = fold(value, scope)
                except Refused as error:
                    place = error.path or (*path, name)
                    if place[:1] == ("resources",) and self._knows_conditions(value):
                        self.refuse([Misfit("BPC220", place, {"problem": str(error)}, sure)])
                if value is MISSING:
                    continue
            result[name] = value
        return result

    def _knows_conditions(self, value: Value) -> bool:
        """False where a condition is not there, which is reported anyway."""
        names = {expr.name for expr in walk(value) if isinstance(expr, Condition)}
        return all(not isinstance(name, str) or name in self.topology.conditions for name in names)

    def _member(self, node: Node, key: str | None) -> None:
        """What a group makes: Heat checks a member when it makes it."""
        member = node.properties.get(key) if key else None
        if not isinstance(member, dict) or not isinstance(member.get("type"), str):
            return
        path = (*node.path, "properties", key)
        schema = self._schema(member["type"], (*path, "type"), sure=False)
        if schema is None:
            return
        self.status(schema, (*path, "type"), member["type"])
        properties = member.get("properties")
        if isinstance(properties, dict):
            self._properties(member["type"], properties, schema, (*path, "properties"), False, (self.usually,))

    def refuse(self, misfits: Iterable[Misfit]) -> None:
        """Report what is refused, or may be."""
        for item in misfits:
            if item.sure:
                self.report(item.code, item.path, **item.words)
            else:
                self.report("BPC176", item.path, problem=text_of(item))

    def _outdated(self, values: dict[str, Value], schemas: dict[str, dict[str, Any]], path: Path) -> None:
        """Report what is given and out of date."""
        for name, value in values.items():
            schema = schemas.get(name)
            if schema is None:
                continue
            self.status(schema, (*path, name), f"property '{name}'")
            items = value if isinstance(value, list) else [value]
            inner = schema.get("keys") or schema.get("items", {}).get("keys")
            for index, item in enumerate(items) if inner else ():
                if isinstance(item, dict):
                    self._outdated(item, inner, (*path, name, index) if isinstance(value, list) else (*path, name))

    def _policies(self, node: Node, schema: dict[str, Any]) -> None:
        if str(node.extra.get("deletion_policy")).lower() == "snapshot" and schema.get("no_snapshot"):
            self.report("BPC184", (*node.path, "deletion_policy"), type=node.source_type)
        policy = node.extra.get("update_policy")
        if isinstance(policy, dict) and policy:
            schemas = schema.get("update_policy", {})
            self.refuse(check_properties(policy, schemas, (*node.path, "update_policy"), node.source_type))
