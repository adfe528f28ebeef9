"""What calls of TOSCA yield of resources that exist, drawn at random: attributes of machines, ports, networks, volumes
and addresses, what operations publish, and texts that are made of them."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any, Final

from tosca_references import TEXTS, VERSION, Asked

Draw = random.Random
IDS: Final = ("machine", "twin", "nic", "second", "net", "vol", "ip")
#: place -> what the machine, its port and the machine of the other end are called there
_WORDS: Final = {
    "output": {"machine": ["machine"], "app": ["app"], "other": ["other"]},
    "property": {"machine": ["HOST", "machine"], "app": ["SELF", "app"], "other": ["other"]},
    "relationship": {"machine": ["machine"], "app": ["SOURCE", "app"], "other": ["TARGET", "other"]},
}


class Facts:
    """What is known of the resources when the values are computed."""

    def __init__(self, draw: Draw) -> None:
        self.private, self.others = [draw.choice([f"10.0.{draw.randrange(9)}.0", f"fe80::{n}"]) for n in range(2)]
        self.public = draw.choice(["203.0.113.7", "2001:db8::"])
        self.published = {name: draw.choice(TEXTS) for name in ("port", "key")}
        self.ids = {name: f"{draw.randrange(10**6):06d}-{name}" for name in IDS}

    def of_heat(self) -> dict[str, Any]:
        """Resource -> id and attributes."""
        rows: dict[str, dict[str, Any]] = {name: {"id": found, "attributes": {}} for name, found in self.ids.items()}
        for machine, port, address in self._machines():
            rows[port]["attributes"] = {"fixed_ips": [{"ip_address": address, "subnet_id": "s"}]}
            lan = [{"addr": address, "network": self.ids["net"], "port": self.ids[port]}]
            found = {"first_address": address, "networks": {"lan": [address]}, "addresses": {"lan": lan}}
            rows[machine]["attributes"] = found
        rows["ip"]["attributes"] = {"floating_ip_address": self.public}
        return {**rows, "app_create_deploy": {"id": "d", "attributes": self.published}}

    def of_cloudify(self) -> dict[str, Any]:
        """Node -> runtime properties."""
        rows: dict[str, dict[str, Any]] = {name: {"id": found} for name, found in self.ids.items()}
        for machine, port, address in self._machines():
            rows[port]["fixed_ips"] = [address]
            rows[machine] |= {"ip": address}
        rows["ip"]["floating_ip_address"] = self.public
        return {**rows, "app": dict(self.published)}

    def _machines(self) -> list[tuple[str, str, str]]:
        return [("machine", "nic", self.private), ("twin", "second", self.others)]


def get_attribute(draw: Draw, facts: Facts, place: str) -> tuple[Any, Any]:
    """A call and its value."""
    words = {name: draw.choice(found) for name, found in _WORDS[place].items()}
    machine, app, other = words["machine"], words["app"], words["other"]
    named = draw.choice(IDS)
    lan = [machine, "networks", "lan"]
    steps, value = draw.choice([
        ([machine, "private_address"], facts.private), ([machine, "public_address"], facts.public),
        ([*lan, "network_name"], "lan"), ([*lan, "addresses", 0], facts.private),
        ([*lan, "network_id"], facts.ids["net"]), ([machine, "endpoint", "ip_address"], facts.private),
        ([machine, "ports", "nic", "ip_address"], facts.private),
        ([machine, "ports", "nic", "port_id"], facts.ids["nic"]),
        ([machine, "tosca_id"], facts.ids["machine"]), (["nic", "ip_address"], facts.private),
        (["nic", "link", "network_id"], facts.ids["net"]), (["nic", "binding", "private_address"], facts.private),
        (["second", "binding", "tosca_id"], facts.ids["twin"]), (["ip", "link", "ip_address"], facts.private),
        (["ip", "floating_ip_address"], facts.public), (["net", "network_name"], "lan"),
        (["vol", "volume_id"], facts.ids["vol"]), (["net", "network_id"], facts.ids["net"]),
        ([named, "tosca_id"], facts.ids[named]), ([named, "tosca_name"], named),
        ([app, "private_address"], facts.private), ([app, "host", "private_address"], facts.private),
        ([app, "host", "tosca_id"], facts.ids["machine"]), ([app, "peer", "private_address"], facts.others),
        ([other, "private_address"], facts.others), ([other, "host", "private_address"], facts.others),
        ([app, "published"], facts.published["port"]),
    ])  # fmt: skip
    return {"get_attribute": steps}, value


def get_operation_output(draw: Draw, facts: Facts, place: str) -> tuple[Any, Any]:
    """A call and its value."""
    name = draw.choice(list(facts.published))
    node = draw.choice(_WORDS[place]["app"])
    return {"get_operation_output": [node, "Standard", "create", name]}, facts.published[name]


def _reference(draw: Draw, facts: Facts, place: str) -> tuple[Any, Any]:
    return draw.choice([get_attribute, get_attribute, get_operation_output])(draw, facts, place)


def concat(draw: Draw, facts: Facts, place: str) -> tuple[Any, Any]:
    """A call and its value."""
    items = [_item(draw, facts, place) for _ in range(draw.randint(1, 4))]
    return {"concat": [call for call, _ in items]}, "".join(value for _, value in items)


def join(draw: Draw, facts: Facts, place: str) -> tuple[Any, Any]:
    """A call and its value."""
    items = [_item(draw, facts, place) for _ in range(draw.randint(1, 4))]
    between = draw.choice(TEXTS)
    return {"join": [[call for call, _ in items], between]}, between.join(value for _, value in items)


def token(draw: Draw, facts: Facts, place: str) -> tuple[Any, Any]:
    """A call and its value."""
    call, value = _reference(draw, facts, place)
    separator = draw.choice([one for one in ".:-" if one in value] or ["."])
    pieces = value.split(separator)
    index = draw.randrange(len(pieces))
    return {"token": [call, separator, index]}, pieces[index]


def _item(draw: Draw, facts: Facts, place: str) -> tuple[Any, Any]:
    if draw.random() < 0.5:
        return _reference(draw, facts, place)
    text = draw.choice(TEXTS)
    return text, text


CALLS: Final[dict[str, Callable[[Draw, Facts, str], tuple[Any, Any]]]] = {
    "get_attribute": get_attribute, "get_operation_output": get_operation_output, "concat": concat, "join": join,
    "token": token,
}  # fmt: skip
_PEER: Final = {
    "capability": "tosca.capabilities.Node", "relationship": "tosca.relationships.ConnectsTo", "occurrences": [0, 1],
}  # fmt: skip


def document(asked: list[Asked]) -> str:
    """A service template that asks: outputs, and inputs of operations of ``app`` and of its relationship."""
    calls: dict[str, dict[str, Any]] = {place: {} for place in _WORDS}
    for number, one in enumerate(asked):
        calls[one.place][f"v{number}"] = one.call
    create = {"implementation": "create.sh", "outputs": {"port": ["SELF", "published"]}}
    configure = {"implementation": "configure.sh", "inputs": calls["property"]}
    connect = {"implementation": "connect.sh", "inputs": calls["relationship"]}
    port = "tosca.nodes.network.Port"
    nodes = {
        "net": {"type": "tosca.nodes.network.Network", "properties": {"network_name": "lan", "cidr": "10.0.0.0/8"}},
        "nic": {"type": port, "requirements": [{"binding": "machine"}, {"link": "net"}]},
        "second": {"type": port, "requirements": [{"binding": "twin"}, {"link": "net"}]},
        "machine": {"type": "tosca.nodes.Compute"},
        "twin": {"type": "tosca.nodes.Compute"},
        "ip": {"type": "tosca.nodes.network.FloatingIP", "properties": {"floating_network": "public"},
               "requirements": [{"link": "nic"}]},
        "vol": {"type": "tosca.nodes.Storage.BlockStorage", "properties": {"name": "v", "size": "1 GB"}},
        "other": {"type": "own.App", "requirements": [{"host": "twin"}],
                  "interfaces": {"Standard": {"operations": {"create": "create.sh"}}}},
        "app": {
            "type": "own.App",
            "requirements": [{"host": "machine"}, {"peer": {"node": "other", "relationship": "peering"}}],
            "interfaces": {"Standard": {"operations": {"create": create, "configure": configure}}},
        },
    }  # fmt: skip
    peering = {"type": "tosca.relationships.ConnectsTo",
               "interfaces": {"Configure": {"operations": {"post_configure_source": connect}}}}  # fmt: skip
    made = {
        "tosca_definitions_version": VERSION,
        "node_types": {
            "own.App": {"derived_from": "tosca.nodes.SoftwareComponent", "requirements": [{"peer": _PEER}],
                        "attributes": {"published": {"type": "string"}}},
        },
        "topology_template": {
            "node_templates": nodes,
            "relationship_templates": {"peering": peering},
            "outputs": {name: {"value": call} for name, call in calls["output"].items()},
        },
    }  # fmt: skip
    return json.dumps(made, ensure_ascii=False, indent=1)
