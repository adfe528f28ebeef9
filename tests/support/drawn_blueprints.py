"""Blueprints made at random: nodes of the OpenStack plugin, their properties, relationships and software, drawn."""

from __future__ import annotations

import random
from typing import Any, Final

_PLUGIN: Final = "cloudify.nodes.openstack."
_RELATION: Final = "cloudify.relationships.openstack."
_CONNECTED: Final = "cloudify.relationships.connected_to"
_CONTAINED: Final = "cloudify.relationships.contained_in"
#: type -> (relationship, type of its target, how often there is one)
RELATIONSHIPS: Final[dict[str, tuple[tuple[str, str, float], ...]]] = {
    "Network": (),
    "Router": (),
    "SecurityGroup": (),
    "KeyPair": (),
    "ServerGroup": (),
    "FloatingIP": (),
    "Subnet": ((_CONTAINED, "Network", 1), (_RELATION + "subnet_connected_to_router", "Router", 0.4)),
    "Port": (
        (_CONTAINED, "Network", 1),
        (_RELATION + "port_connected_to_security_group", "SecurityGroup", 0.5),
        (_RELATION + "port_connected_to_floating_ip", "FloatingIP", 0.3),
    ),
    "Server": (
        (_RELATION + "server_connected_to_port", "Port", 0.7),
        (_RELATION + "server_connected_to_keypair", "KeyPair", 0.4),
        (_RELATION + "server_connected_to_server_group", "ServerGroup", 0.3),
    ),
    "Volume": ((_RELATION + "volume_attached_to_server", "Server", 0.5),),
}
#: targets that only one node has
_ALONE: Final = ("Port", "FloatingIP")
#: what resources are made with: values, each with how often it is given
SETTINGS: Final[dict[str, dict[str, tuple[Any, float]]]] = {
    "Network": {"name": ("net", 0.5), "admin_state_up": (True, 0.3)},
    "Router": {"name": ("router", 0.5)},
    "SecurityGroup": {"name": ("group", 0.5), "description": ("of a drawn blueprint", 0.5)},
    "KeyPair": {"name": ("key", 1)},
    "ServerGroup": {"name": ("servers", 0.5), "policies": (["anti-affinity"], 1)},
    "FloatingIP": {"floating_network_name": ("public", 1)},
    "Subnet": {
        "cidr": ("10.0.0.0/24", 1),
        "ip_version": (4, 1),
        "enable_dhcp": (True, 0.4),
        "gateway_ip": ("10.0.0.1", 0.3),
    },
    "Port": {"name": ("port", 0.4)},
    "Server": {"name": ("server", 0.5), "availability_zone": ("nova", 0.3), "user_data": ("#!/bin/sh\n", 0.3)},
    "Volume": {"size": (2, 1), "name": ("disk", 0.5)},
}
_RULES: Final = [{"protocol": "tcp", "port_range_min": 22, "port_range_max": 22, "remote_ip_prefix": "10.0.0.0/8"}]
#: files that operations run
FILES: Final = {"scripts/run.sh": '#!/bin/sh\necho "$ONE"\n'}


def blueprint(seed: int) -> dict[str, Any]:
    """A blueprint that Cloudify takes."""
    return _Drawn(random.Random(seed)).whole()


class _Drawn:
    def __init__(self, draw: random.Random) -> None:
        self.draw = draw
        self.inputs: dict[str, Any] = {}
        self.nodes: dict[str, dict[str, Any]] = {}
        self.taken: set[str] = set()

    def whole(self) -> dict[str, Any]:
        for _ in range(self.draw.randint(1, 4)):
            self.node(self.draw.choice([*RELATIONSHIPS]))
        servers = self.of("Server")
        if servers and self.draw.random() < 0.5:
            self.software(self.draw.choice(servers))
        outputs = {
            f"of_{name}": {"value": {"get_attribute": [name, "id"]}}
            for name in self.draw.sample([*self.nodes], 1)
            if self.nodes[name]["type"].startswith(_PLUGIN)
        }
        sections = {"inputs": self.inputs, "node_templates": self.nodes, "outputs": outputs, **self.scaled()}
        return {
            "tosca_definitions_version": "cloudify_dsl_1_3",
            "imports": ["cloudify/types/types.yaml", "plugin:cloudify-openstack-plugin"],
            **{name: content for name, content in sections.items() if content},
        }

    def of(self, type: str) -> list[str]:
        """The nodes of a type that may have another relationship to them."""
        known = [name for name, node in self.nodes.items() if node["type"] == _PLUGIN + type]
        return [name for name in known if name not in self.taken]

    def node(self, type: str) -> str:
        """Add a node, and those that it is related to where there are none yet; its name."""
        found = []
        for relationship, other, share in RELATIONSHIPS[type]:
            if self.draw.random() < share:
                there = self.of(other)
                target = self.draw.choice(there) if there else self.node(other)
                self.taken |= {target} if other in _ALONE else set()
                found.append({"type": relationship, "target": target})
        name = f"n{len(self.nodes)}"
        settings = {
            key: self.value(f"{name}_{key}", value)
            for key, (value, share) in SETTINGS[type].items()
            if self.draw.random() < share
        }
        properties: dict[str, Any] = {"resource_config": settings}
        if type == "Server":
            wanted = {"image": "cirros", "flavor": "small"}
            properties |= {key: self.value(f"{name}_{key}", value) for key, value in wanted.items()}
        if type == "SecurityGroup" and self.draw.random() < 0.5:
            properties["security_group_rules"] = _RULES
        before = [*self.nodes]
        if before and not found and self.draw.random() < 0.15:
            found.append({"type": "cloudify.relationships.depends_on", "target": self.draw.choice(before)})
        self.nodes[name] = {"type": _PLUGIN + type, "properties": properties}
        self.nodes[name] |= {"relationships": found} if found else {}
        return name

    def value(self, name: str, value: Any) -> Any:
        """A value as it is, or as the default of an input."""
        if self.draw.random() < 0.2 and isinstance(value, str) and "\n" not in value:
            self.inputs[name] = {"type": "string", "default": value}
            return {"get_input": name}
        return value

    def software(self, server: str) -> None:
        """Add a component on a server."""
        steps = self.draw.sample(["create", "configure", "start", "stop", "delete"], self.draw.randint(1, 3))
        operations = {
            step: {"implementation": "scripts/run.sh", "inputs": {"ONE": self.value(f"app_{step}", f"one-{step}")}}
            for step in steps
        }
        self.nodes["app"] = {
            "type": "cloudify.nodes.SoftwareComponent",
            "interfaces": {"cloudify.interfaces.lifecycle": operations},
            "relationships": [{"type": _CONTAINED, "target": server}],
        }

    def scaled(self) -> dict[str, Any]:
        """A scaling group of a node that nothing else refers to."""
        targets = {one["target"] for node in self.nodes.values() for one in node.get("relationships", ())}
        alone = [name for name, node in self.nodes.items() if name not in targets and not node.get("relationships")]
        if not alone or self.draw.random() < 0.7:
            return {}
        sizes: dict[str, Any] = {"default_instances": self.draw.randint(1, 3)}
        sizes |= {"max_instances": 5} if self.draw.random() < 0.5 else {}
        return {
            "groups": {"all": {"members": [self.draw.choice(alone)]}},
            "policies": {"more": {"type": "cloudify.policies.scaling", "targets": ["all"], "properties": sizes}},
        }
