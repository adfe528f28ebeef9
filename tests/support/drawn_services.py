"""Service templates made at random: machines, networks, storage and software of the standard's types, drawn."""

from __future__ import annotations

import random
from typing import Any, Final

#: files that operations run
FILES: Final = {"scripts/run.sh": '#!/bin/sh\necho "$ONE"\n'}
_STEPS: Final = ("create", "configure", "start", "stop", "delete")
_HOST: Final[dict[str, Any]] = {"num_cpus": 2, "mem_size": "512 MB", "disk_size": "10 GB"}
_OS: Final[dict[str, Any]] = {"architecture": "x86_64", "type": "linux", "distribution": "debian", "version": "12"}
_NETWORK: Final[dict[str, Any]] = {
    "network_name": "net",
    "cidr": "10.0.0.0/24",
    "start_ip": "10.0.0.10",
    "end_ip": "10.0.0.20",
}
#: types of software -> what hosts it: a machine, or software
SOFTWARE: Final = {
    "SoftwareComponent": "Compute",
    "WebServer": "Compute",
    "DBMS": "Compute",
    "WebApplication": "WebServer",
    "Database": "DBMS",
}


def service(seed: int) -> dict[str, Any]:
    """A service template that engines take."""
    return _Drawn(random.Random(seed)).whole()


class _Drawn:
    def __init__(self, draw: random.Random) -> None:
        self.draw = draw
        self.inputs: dict[str, Any] = {}
        self.nodes: dict[str, dict[str, Any]] = {}
        self.templates: dict[str, Any] = {}

    def whole(self) -> dict[str, Any]:
        for _ in range(self.draw.randint(1, 4)):
            getattr(self, self.draw.choice(["machine", "network", "port", "storage", "software", "software"]))()
        outputs: dict[str, Any] = {}
        for name in self.of("Compute")[:1]:
            outputs["address"] = {"value": {"get_attribute": [name, "private_address"]}}
        machines = self.of("Compute")
        hosted = {name for name in machines if any(name in self.targets(node) for node in self.nodes.values())}
        alone = [name for name in machines if name not in hosted and not self.nodes[name].get("requirements")]
        policies = []
        if alone and self.draw.random() < 0.3:
            sizes = {"min_instances": 1, "max_instances": 3, "default_instances": self.draw.randint(1, 3)}
            outputs = {}
            policies = [{"more": {"type": "tosca.policies.Scaling", "properties": sizes, "targets": alone[:1]}}]
        types = {"tosca.policies.Scaling.Drawn": {}} if policies else {}
        body = {
            "inputs": self.inputs,
            "node_templates": self.nodes,
            "relationship_templates": self.templates,
            "policies": [self.renamed(one) for one in policies],
            "outputs": outputs,
        }
        return {
            "tosca_definitions_version": "tosca_simple_yaml_1_3",
            **({"policy_types": {name: self.policy_type() for name in types}} if types else {}),
            "topology_template": {name: content for name, content in body.items() if content},
        }

    @staticmethod
    def policy_type() -> dict[str, Any]:
        numbers = ("min_instances", "max_instances", "default_instances")
        return {
            "derived_from": "tosca.policies.Scaling",
            "properties": {name: {"type": "integer", "required": False} for name in numbers},
        }

    @staticmethod
    def renamed(policy: dict[str, Any]) -> dict[str, Any]:
        return {name: {**row, "type": "tosca.policies.Scaling.Drawn"} for name, row in policy.items()}

    @staticmethod
    def targets(node: dict[str, Any]) -> list[str]:
        found = [value for row in node.get("requirements", ()) for value in row.values()]
        return [one["node"] if isinstance(one, dict) else one for one in found]

    def of(self, type: str) -> list[str]:
        return [name for name, node in self.nodes.items() if node["type"].endswith(f".{type}")]

    def add(self, type: str, **sections: Any) -> str:
        name = f"n{len(self.nodes)}"
        self.nodes[name] = {"type": f"tosca.nodes.{type}", **{key: part for key, part in sections.items() if part}}
        return name

    def value(self, name: str, value: Any) -> Any:
        """A value as it is, or as the default of an input."""
        if self.draw.random() < 0.2 and isinstance(value, (str, int)):
            self.inputs[name] = {"type": "integer" if isinstance(value, int) else "string", "default": value}
            return {"get_input": name}
        return value

    def some(self, name: str, values: dict[str, Any], share: float) -> dict[str, Any]:
        return {key: self.value(f"{name}_{key}", value) for key, value in values.items() if self.draw.random() < share}

    def machine(self) -> str:
        name = f"n{len(self.nodes)}"
        host = {key: value for key, value in _HOST.items() if self.draw.random() < 0.6}
        system = {key: value for key, value in _OS.items() if self.draw.random() < 0.6}
        capabilities = {key: {"properties": part} for key, part in (("host", host), ("os", system)) if part}
        operations = {"start": self.operation(name)} if self.draw.random() < 0.15 else {}
        return self.add("Compute", capabilities=capabilities, interfaces=_standard(operations))

    def network(self) -> str:
        return self.add("network.Network", properties=self.some(f"n{len(self.nodes)}", _NETWORK, 0.7) or dict(_NETWORK))

    def port(self) -> str:
        machine = self.draw.choice(self.of("Compute") or [self.machine()])
        network = self.draw.choice(self.of("Network") or [self.network()])
        order = sum(machine in self.targets(self.nodes[name]) for name in self.of("Port"))
        properties = {"order": order} if order or self.draw.random() < 0.5 else {}
        return self.add("network.Port", properties=properties, requirements=[{"binding": machine}, {"link": network}])

    def storage(self) -> str:
        size = self.value(f"n{len(self.nodes)}_size", "2 GB") if self.draw.random() < 0 else "2 GB"
        name = self.add("Storage.BlockStorage", properties={"size": size})
        if self.draw.random() < 0.7:
            machine = self.draw.choice(self.of("Compute") or [self.machine()])
            row = {"node": name, "relationship": {"type": "tosca.relationships.AttachesTo"}}
            row["relationship"] |= {"properties": {"location": "/data"}}
            self.nodes[machine].setdefault("requirements", []).append({"local_storage": row})
        return name

    def software(self, type: str = "") -> str:
        type = type or self.draw.choice([*SOFTWARE])
        wanted = SOFTWARE[type]
        there = self.of(wanted)
        host = self.draw.choice(there) if there else self.machine() if wanted == "Compute" else self.software(wanted)
        name = f"n{len(self.nodes)}"
        steps = self.draw.sample(_STEPS, self.draw.randint(0, 3))
        properties = {"Database": {"name": "shop"}, "WebApplication": {"context_root": "/shop"}}.get(type, {})
        others = [one for one in self.nodes if one != host and self.nodes[one]["type"].rpartition(".")[2] in SOFTWARE]
        requirements: list[dict[str, Any]] = [{"host": host}]
        if others and self.draw.random() < 0.4:
            requirements.append({"dependency": self.draw.choice(others)})
        operations = {step: self.operation(f"{name}_{step}") for step in steps}
        return self.add(type, properties=properties, requirements=requirements, interfaces=_standard(operations))

    def operation(self, name: str) -> dict[str, Any]:
        return {"implementation": "scripts/run.sh", "inputs": {"ONE": self.value(f"{name}_one", f"one of {name}")}}


def _standard(operations: dict[str, Any]) -> dict[str, Any]:
    return {"Standard": {"operations": operations}} if operations else {}
