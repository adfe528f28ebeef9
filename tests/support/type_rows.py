"""Documents for every row of the type catalogue: a resource with one property, a node with one setting.

Values are invented from the schemas: Heat's (``catalogue/schemas``) and the plugin's (``catalogue/node_types.yaml``).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

import yaml

from bpconvert.api import Result, convert
from bpconvert.translators.catalogue import schemas
from bpconvert.translators.catalogue.model import Kind, PropertyRule
from bpconvert.translators.catalogue.types import builtin

#: the resource or node of a row, and those that it refers to
ROW: Final = "row"
UUID: Final = "11111111-2222-4333-8444-{:012d}"
#: constraints of Heat's on texts -> a text that fulfils them; all others are of ids
CUSTOM: Final[dict[str, Any]] = {
    "net_cidr": "10.1.0.0/24", "ip_addr": "10.1.0.5", "ip_or_cidr": "10.1.0.5", "mac_addr": "fa:16:3e:00:00:01",
    "dns_name": "web", "rel_dns_name": "web", "dns_domain": "example.org.", "expiration": "2030-01-01T00:00:00",
    "json_string": "{}", "timezone": "UTC", "trigger_condition": "x",
}  # fmt: skip
#: (kind, property) -> a value, where the schema does not tell enough
VALUES: Final[dict[tuple[str, str], Any]] = {
    ("heat_mistral_cron_trigger", "pattern"): "0 3 * * *",
    ("subnet", "ip_version"): 6,
    ("subnet", "gateway_ip"): "10.1.0.9",
    ("subnet", "allocation_pools"): [{"start": "10.1.0.20", "end": "10.1.0.40"}],
    ("subnet", "host_routes"): [{"destination": "10.9.0.0/16", "nexthop": "10.1.0.8"}],
    ("subnet", "dns_nameservers"): ["10.1.0.3"],
    ("port", "fixed_ips"): [{"subnet": UUID.format(77), "ip_address": "10.1.0.7"}],
    ("port", "allowed_address_pairs"): [{"ip_address": "10.1.0.6", "mac_address": "fa:16:3e:00:00:02"}],
    ("server", "networks"): [{"network": UUID.format(78), "fixed_ip": "10.1.0.5", "tag": "nic"}],
    ("server", "block_device_mapping_v2"): [
        {"volume_id": UUID.format(79), "boot_index": 1, "delete_on_termination": True},
    ],
    ("server", "metadata"): {"role": "database"},
    ("server", "personality"): {"/etc/motd": "welcome"},
    ("server", "scheduler_hints"): {"same_host": "other"},
    ("security_group", "rules"): [
        {"direction": "ingress", "ethertype": "IPv6", "protocol": "tcp", "port_range_min": 22, "port_range_max": 23,
         "remote_ip_prefix": "2001:db8::/64"},
    ],
    ("router", "external_gateway_info"): {"network": UUID.format(80), "enable_snat": False},
    ("user", "roles"): [{"project": UUID.format(81), "role": UUID.format(82)}],
    ("keystone_group", "roles"): [{"project": UUID.format(83), "role": UUID.format(84)}],
    ("share", "access_rules"): [{"access_to": "10.1.0.0/24", "access_type": "ip", "access_level": "rw"}],
    ("random_string", "sequence"): "uppercase",
    ("rbac_policy", "object_type"): "qos_policy",
    ("random_string", "length"): 12,
    ("random_string", "character_classes"): [{"class": "uppercase", "min": 2}, {"class": "digits", "min": 3}],
}  # fmt: skip
#: kind -> what its resources have besides what Heat requires, so that the plugin has a resource to create
BESIDES: Final[dict[str, dict[str, Any]]] = {
    "server": {"image": UUID.format(1), "flavor": UUID.format(2)},
    "subnet": {"network": UUID.format(3), "cidr": "10.1.0.0/16"},
    "port": {"network": UUID.format(4)},
    "volume": {"size": 5},
    "keypair": {"name": "key"},
    "security_group_rule": {"security_group": UUID.format(5)},
}
#: (kind, property) -> what has to be there for the property to mean something
BESIDE: Final[dict[tuple[str, str], dict[str, Any]]] = {
    ("flavor", "tenants"): {"is_public": False},
}
#: kinds whose resources mean something only together with files and other resources, which have tests of their own
ELSEWHERE: Final = {"stack", "cfn_stack", "software_deployment"}


def kinds() -> list[Kind]:
    """All kinds that are nodes of their own in both directions."""
    found = [builtin().kind(name) for name in sorted(set(builtin().types("hot").values()))]
    return [kind for kind in found if kind is not None and kind.cloudify is not None and kind.merge is None]


def rows() -> Iterator[tuple[Kind, str, PropertyRule]]:
    """Every property of every kind that is a node of its own."""
    for kind in kinds():
        for name, rule in kind.properties.items() if kind.kind not in ELSEWHERE else ():
            yield kind, name, rule


def schema(kind: Kind) -> dict[str, Any]:
    """Heat's schema of a kind's first type."""
    found = schemas.heat_type(kind.heat[0])
    assert found is not None, kind.heat[0]
    return found


def sample(name: str, declared: dict[str, Any], number: int = 9) -> Any:
    """A value that Heat's schema accepts, which is not the default."""
    constraints = declared.get("constraints", ())
    for constraint in constraints:
        if "allowed_values" in constraint:
            allowed = constraint["allowed_values"]
            default = declared.get("default")
            usual = default if isinstance(default, list) else [default]
            chosen = next((value for value in allowed if value not in usual), allowed[0])
            return [chosen] if declared.get("type") == "list" else chosen
    custom = next((one["custom_constraint"] for one in constraints if "custom_constraint" in one), None)
    kind = declared.get("type", "string")
    if any("0-9a-fA-F" in str(one.get("allowed_pattern")) for one in constraints):
        return UUID.format(number)
    if kind == "string":
        return f"{name} text" if custom is None else CUSTOM.get(custom, UUID.format(number))
    if kind in ("integer", "number"):
        least = next((one["range"].get("min", 1) for one in constraints if "range" in one), 1)
        return least + 1 if least + 1 != declared.get("default") else least + 2
    if kind == "boolean":
        return declared.get("default") is not True
    if kind == "list":
        return [sample(name, declared.get("items", {"type": "string"}), number)]
    if kind == "map":
        keys = declared.get("keys", {})
        found = {key: sample(key, row, number) for key, row in keys.items() if row.get("status") != "hidden"}
        return found or {"first": f"{name} text"}
    return f"{name} text"


def value_of(kind: Kind, name: str) -> Any:
    """A value for a property."""
    if name == "value_specs":
        return {"description": "a setting that openstacksdk sends"}
    if (kind.kind, name) in VALUES:
        return VALUES[kind.kind, name]
    return sample(name, declared(kind, name))


def declared(kind: Kind, name: str) -> dict[str, Any]:
    """What Heat declares of a property. A type that Heat has removed takes any value of any property."""
    known = schema(kind)
    if known.get("any_property"):
        return {"type": kind.properties[name].type or "map"}
    return dict(known["properties"][name])


def minimal(kind: Kind, name: str = "") -> dict[str, Any]:
    """The properties that a resource of the kind cannot do without, and what property ``name`` needs beside it."""
    declared = schema(kind)["properties"]
    required = {name: sample(name, row, 8) for name, row in declared.items() if row.get("required")}
    return {**required, **BESIDES.get(kind.kind, {}), **BESIDE.get((kind.kind, name), {})}


def template(kind: Kind, properties: dict[str, Any], others: dict[str, Any] | None = None, **sections: Any) -> str:
    """A Heat template with one resource of the kind."""
    resources = {**(others or {}), ROW: {"type": kind.heat[0], "properties": properties}}
    return yaml.safe_dump({"heat_template_version": "2018-08-31", "resources": resources, **sections}, sort_keys=False)


def to_cloudify(text: str) -> Result:
    """The blueprint of a template, in the version of the DSL that has every type, without the source in it."""
    return convert(text.encode(), "hot", "cloudify", carry=False, dsl_version="1_4")


def to_heat(text: str) -> Result:
    """The template of a blueprint, without the source in it."""
    return convert(text.encode(), "cloudify", "hot", carry=False)


def plain(value: Any) -> Any:
    """A copy as PyYAML writes it."""
    return json.loads(json.dumps(value))


def at(data: Any, path: str | tuple[Any, ...]) -> Any:
    """The value at a dotted path; None where there is nothing."""
    for step in path.split(".") if isinstance(path, str) else path:
        try:
            data = data[step]
        except (KeyError, IndexError, TypeError):
            return None
    return data


def leaves(value: Any) -> list[str]:
    """Every scalar as a text."""
    if isinstance(value, dict):
        return [leaf for item in value.values() for leaf in leaves(item)]
    if isinstance(value, list):
        return [leaf for item in value for leaf in leaves(item)]
    return [str(value).lower()]


def same(declared: dict[str, Any], left: Any, right: Any) -> bool:
    """True when Heat takes two values of a property for the same: it fills in defaults and reads 3 like ``"3"``."""
    if isinstance(left, dict) and isinstance(right, dict):
        keys = declared.get("keys", {})
        return all(
            same(keys.get(key, {}), *(one.get(key, keys.get(key, {}).get("default")) for one in (left, right)))
            for key in left.keys() | right.keys()
        )
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(
            same(declared.get("items", {}), *pair) for pair in zip(left, right, strict=True)
        )
    if declared.get("type") in ("string", "integer", "number") and not isinstance(left, (dict, list, type(None))):
        return str(left) == str(right)
    return bool(left == right)


def node(kind: Kind, settings: dict[str, Any], whole: dict[str, Any] | None = None) -> dict[str, Any]:
    """A node template of the kind; ``settings``: dotted path -> value, put into the template ``whole`` if given."""
    assert kind.cloudify is not None
    properties: dict[str, Any] = {} if kind.cloudify.plain else {"resource_config": {}}
    properties = whole.setdefault("properties", {}) if whole else properties
    for path, value in settings.items():
        place = properties
        *steps, last = path.split(".")
        for step in steps:
            place = place.setdefault(step, {})
        place[last] = value
    return {**(whole or {}), "type": kind.cloudify.type, "properties": properties}


def blueprint(nodes: dict[str, Any], **sections: Any) -> str:
    """A blueprint with the types of Cloudify, its plugins, and those that a kind defines itself."""
    used = {data["type"] for data in nodes.values()}
    rows = [kind.cloudify for kind in kinds() if kind.cloudify and kind.cloudify.type in used]
    imports = ["cloudify/types/types.yaml"]
    imports += sorted({row.plugin or "plugin:cloudify-openstack-plugin" for row in rows if row.plugin or not row.plain})
    data: dict[str, Any] = {"tosca_definitions_version": "cloudify_dsl_1_4", "imports": imports}
    defined = {row.type: plain(row.defines) for row in rows if row.defines}
    if defined:
        data["node_types"] = defined
    return yaml.safe_dump({**data, "node_templates": nodes, **sections}, sort_keys=False)
