"""Templates made at random: resources, their properties and what refers to what, drawn from the schemas of Heat."""

from __future__ import annotations

import random
from typing import Any, Final

from bpconvert.translators.catalogue import schemas

#: type -> properties that refer to another resource, and the type of that
REFERENCES: Final[dict[str, dict[str, str]]] = {
    "OS::Neutron::Net": {},
    "OS::Neutron::Subnet": {"network": "OS::Neutron::Net"},
    "OS::Neutron::Router": {},
    "OS::Neutron::SecurityGroup": {},
    "OS::Neutron::Port": {"network": "OS::Neutron::Net"},
    "OS::Neutron::RouterInterface": {"router": "OS::Neutron::Router", "subnet": "OS::Neutron::Subnet"},
    "OS::Nova::KeyPair": {},
    "OS::Nova::ServerGroup": {},
    "OS::Nova::Server": {"key_name": "OS::Nova::KeyPair"},
    "OS::Cinder::Volume": {},
    "OS::Cinder::VolumeAttachment": {"instance_uuid": "OS::Nova::Server", "volume_id": "OS::Cinder::Volume"},
}
#: values that no schema names
GIVEN: Final[dict[str, Any]] = {
    "cidr": "10.0.0.0/24", "gateway_ip": "10.0.0.1", "image": "cirros", "flavor": "small", "size": 2, "ip_version": 4,
    "allocation_pools": [{"start": "10.0.0.10", "end": "10.0.0.20"}], "dns_nameservers": ["192.0.2.1"],
    "rules": [{"protocol": "tcp", "port_range_min": 22, "port_range_max": 22, "remote_ip_prefix": "10.0.0.0/8"}],
    "metadata": {"a": "one", "b": "two"}, "policies": ["affinity"],
}  # fmt: skip
#: what the properties drawn are: names and switches that both engines have
DRAWN: Final = frozenset(
    {"name", "description", "admin_state_up", "shared", "enable_dhcp", "port_security_enabled", "tags", *GIVEN}
)
#: properties that are always given
NEEDED: Final = frozenset({"size", "cidr", "image", "flavor", "policies"})
#: what becomes one node with what it is attached to, and has no order of its own then
ABSORBING: Final = frozenset({"OS::Neutron::Subnet", "OS::Cinder::Volume"})


def template(seed: int) -> dict[str, Any]:
    """A template that Heat takes."""
    draw = random.Random(seed)
    parameters: dict[str, Any] = {}
    resources: dict[str, Any] = {}
    for number in range(draw.randint(1, 5)):
        _resource(draw, draw.choice([*REFERENCES]), f"r{number}", resources, parameters)
    outputs = {
        f"of_{name}": {"value": {"get_resource": name}} for name in draw.sample([*resources], min(2, len(resources)))
    }
    found = {"parameters": parameters, "resources": resources, "outputs": outputs}
    return {
        "heat_template_version": "2018-08-31",
        **{name: content for name, content in found.items() if content},
    }


def _resource(draw: random.Random, type: str, name: str, resources: dict[str, Any], parameters: dict[str, Any]) -> None:
    """Add a resource, and those that it refers to where there are none yet."""
    schema = schemas.heat_type(type) or {}
    properties: dict[str, Any] = {}
    for key, other in REFERENCES[type].items():
        needed = schema["properties"][key].get("required") or other != "OS::Nova::KeyPair"
        if not needed and draw.random() < 0.5:
            continue
        there = [one for one, resource in resources.items() if resource["type"] == other]
        if not there or type == "OS::Cinder::VolumeAttachment":
            there = [f"{name}_{key}"]
            _resource(draw, other, there[0], resources, parameters)
        properties[key] = {"get_resource": draw.choice(there)}
    for key, one in schema["properties"].items():
        is_needed = one.get("required") or key in NEEDED
        is_drawn = key in DRAWN and key not in properties and (one["type"] == "map") is (key == "metadata")
        if is_drawn and (is_needed or draw.random() < 0.3):
            value = _value(draw, key, one, name)
            if draw.random() < 0.2 and one["type"] in ("string", "integer", "boolean"):
                kind = {"integer": "number"}.get(one["type"], one["type"])
                parameters[f"{name}_{key}"] = {"type": kind, "default": value}
                value = {"get_param": f"{name}_{key}"}
            properties[key] = value
    resources[name] = {"type": type, **({"properties": properties} if properties else {})}
    before = [one for one in resources if one != name]
    if before and type not in ABSORBING and draw.random() < 0.15:
        resources[name]["depends_on"] = draw.choice(before)


def _value(draw: random.Random, key: str, schema: dict[str, Any], name: str) -> Any:
    if key in GIVEN:
        return GIVEN[key]
    if schema["type"] == "boolean":
        return draw.choice([True, False])
    if schema["type"] == "list":
        return ["a", "b"]
    return f"{key} of {name}" if key == "description" else f"{name}-{key}"
