"""Choices in blueprints, for the tests of the conditions that are read back."""

from __future__ import annotations

import copy
import itertools
from collections.abc import Iterator
from typing import Any

import yaml

from bpconvert.models import expressions as ex
from bpconvert.models.topology import Constraint, Input, Node, Output, Topology
from bpconvert.translators.cloudify.functions import read_value
from bpconvert.translators.cloudify.read.branches import fold_branches
from bpconvert.translators.evaluate import Refused, Scope, fold

TYPES = {
    "string": "string", "integer": "number", "float": "number", "boolean": "boolean", "list": "json", "dict": "json",
}  # fmt: skip

# -- a blueprint's neutral form, as far as choices matter --------------------------------------------------------


def topology_of(blueprint: dict[str, Any]) -> Topology:
    """The inputs, nodes (properties and number of instances) and outputs of a blueprint."""
    topology = Topology("cloudify", "cloudify_dsl_1_3")
    for name, data in (blueprint.get("inputs") or {}).items():
        declared = Input(name, TYPES.get(data.get("type", "")), hidden=data.get("hidden"), path=("inputs", name))
        if data.get("item_type") == "string":
            declared.type = "list"
        if "default" in data:
            declared.default = read_value(data["default"], ("inputs", name, "default"), [])
        if "required" in data:
            declared.extra["required"] = data["required"]
        for constraint in data.get("constraints", ()):
            if "valid_values" in constraint:
                declared.constraints.append(Constraint("allowed_values", constraint["valid_values"]))
        topology.inputs[name] = declared
    for name, data in (blueprint.get("node_templates") or {}).items():
        path = ("node_templates", name)
        node = Node(name, data["type"], path=path)
        node.properties = read_value(data.get("properties", {}), (*path, "properties"), [])
        node.declared = copy.deepcopy(node.properties)
        scalable = data.get("capabilities", {}).get("scalable", {}).get("properties", {})
        if "default_instances" in scalable:
            node.instances = read_value(scalable["default_instances"], path, [])
        topology.nodes[name] = node
    for name, data in (blueprint.get("outputs") or {}).items():
        path = ("outputs", name)
        topology.outputs[name] = Output(name, read_value(data["value"], (*path, "value"), []), path=path)
    return topology


def blueprint_of(inputs: str, **outputs: str) -> dict[str, Any]:
    return {
        "inputs": yaml.safe_load(inputs),
        "outputs": {name: {"value": yaml.safe_load(text)} for name, text in outputs.items()},
    }


def folded(inputs: str, **outputs: str) -> Topology:
    topology = topology_of(blueprint_of(inputs, **outputs))
    fold_branches(topology)
    return topology


#: stands for a value that the engine refuses to compute
REFUSED = "refused"
#: facts about the deployment, the same in both languages
FACTS = {"deployment.id": "a1b2", "deployment.name": "shop"}


def computed(value: Any, topology: Topology, given_values: dict[str, Any]) -> Any:
    """What the engine computes; references to nodes stay."""
    values = {name: d.default for name, d in topology.inputs.items() if d.default is not ex.MISSING}
    try:
        return fold(value, Scope(inputs=values | given_values, conditions=topology.conditions, system=FACTS))
    except Refused:
        return REFUSED


def holds(condition: Any, topology: Topology, given_values: dict[str, Any]) -> bool:
    return condition is ex.MISSING or computed(condition, topology, given_values) is True


def published(output: Output, topology: Topology, given_values: dict[str, Any]) -> Any:
    """An output's value, null where its condition does not hold."""
    shown = holds(output.condition, topology, given_values)
    return computed(output.value, topology, given_values) if shown else None


TEXTS = ["", "prod", "pro", "prod|x", "x|prod", "|", "||", "|prod|", "True", "dev", "5", "a|b"]
VALUES: dict[str, list[Any]] = {
    "env": TEXTS,
    "other": TEXTS,
    "flag": [True, False],
    "ha": [True, False],
    "size": [0, 1, 2, 5, -1],
    "ratio": [0, 2, 2.5, -1.5, 1e20, 0.1],
    "stage": ["dev", "prod", "test"],
}
INPUTS = """
env: {type: string}
other: {type: string}
flag: {type: boolean}
ha: {type: boolean}
size: {type: integer}
ratio: {type: float}
stage: {type: string, constraints: [{valid_values: [dev, prod, test]}]}
names: {type: list, item_type: string, default: [a, b]}
"""


def assignments(names: list[str]) -> Iterator[dict[str, Any]]:
    for values in itertools.product(*(VALUES[name] for name in names)):
        yield dict(zip(names, values, strict=True))
