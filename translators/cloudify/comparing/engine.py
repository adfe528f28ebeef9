"""The values of Cloudify's engine for a blueprint."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import deepcopy
from typing import Any

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Path, Value
from bpconvert.translators.cloudify.comparing.engine_imports import engine_imports
from bpconvert.translators.cloudify.functions import called
from bpconvert.translators.comparing.filling import as_data, insert
from bpconvert.translators.comparing.language import Engine
from bpconvert.translators.comparing.model import Side
from bpconvert.translators.comparing.refused import is_plain


class CloudifyEngine(Engine):
    """Cloudify's parser and evaluation."""

    name = "cloudify"

    def request(self, side: Side) -> dict[str, Any]:
        """Inputs, what is known of the nodes, secrets, facts of the deployment, and what its imports define."""
        return _request(side)

    def fill(self, data: dict[str, Any], answer: dict[str, Any], side: Side) -> dict[str, Any]:
        """The properties, operations, policies and outputs with their values."""
        return _filled(data, answer)

    def waits(self, answer: dict[str, Any]) -> dict[str, set[str]]:
        """What each node waits for: only relationships order."""
        return {
            name: {relationship["target"] for relationship in computed["relationships"]}
            for name, computed in answer["nodes"].items()
        }


def _request(side: Side) -> dict[str, Any]:
    world, topology = side.world, side.topology
    names = [argument if isinstance(argument, str) else argument[0] for argument in _secrets(side.document.data)]
    return {
        "imports": engine_imports(side.document.data, side.files),
        "inputs": {n: value for n, value in world.inputs.items() if n in topology.inputs and is_plain(value)},
        "nodes": _runtime_properties(side),
        "secrets": {name: side.scope.secrets[name] for name in names if isinstance(name, str)},
        "system": {
            "deployment": {key: world.fact(f"deployment.{key}") for key in ("id", "name", "blueprint", "owner")},
            "tenant": {"name": world.fact("tenant.name")},
        },
    }


def _secrets(data: Any) -> Iterator[Any]:
    """The arguments of all calls of ``get_secret``."""
    for name, argument, _ in _calls(data, ()):
        if name == "get_secret" and argument and isinstance(argument, (str, list)):
            yield argument


def _runtime_properties(side: Side) -> dict[str, Any]:
    """Node -> what its calls for runtime properties have to yield; a list, one for each instance, where calls ask for
    all of them."""
    expressions: dict[Path, ex.Expr] = {}
    for expr in (expr for value in side.expressions() for expr in ex.walk(value) if expr.path):
        expressions.setdefault(expr.path, expr)  # the whole of what an attribute becomes, before its parts
    known: list[tuple[str, list[Any], Value, bool]] = []
    for name, argument, path in _calls(side.document.data, ()):
        found = expressions.get(path)
        if found is None and name == "get_attribute" and isinstance(argument, list) and argument[1:] == ["id"]:
            named = path[1] if argument[0] == "SELF" else argument[0]
            # a rule of a group for the group itself has another expression; a node that exists has it where it is used
            found = ex.Identity(named) if named in side.topology.nodes else None
        if name in ("get_attribute", "get_attributes_list") and found is not None and isinstance(argument, list):
            node = path[1] if argument[0] == "SELF" else argument[0]
            value, steps = side.value(found), [side.value(_as_input(step)) for step in argument[1:]]
            of_all = name == "get_attributes_list"
            if isinstance(node, str) and steps and is_plain([value, steps]) and value is not None:
                known.append((node, steps, value, of_all and isinstance(value, list)))
    counts = {name: 1 for name, *_ in known}
    for name, _, value, of_all in known:
        counts[name] = max(counts[name], len(value) if of_all else 1)
    nodes: dict[str, list[dict[str, Any]]] = {name: [{} for _ in range(count)] for name, count in counts.items()}
    for name, steps, value, of_all in sorted(known, key=lambda row: -len(row[1])):  # the longest path knows best
        for number, instance in enumerate(nodes[name][: len(value)] if of_all else nodes[name]):
            insert(instance, steps, deepcopy(value[number] if of_all else value))
    return {name: instances[0] if len(instances) == 1 else instances for name, instances in nodes.items()}


def _as_input(step: Any) -> Value:
    """A step of a path: the value of an input where it is one."""
    return ex.Input(step["get_input"]) if isinstance(step, dict) and isinstance(step.get("get_input"), str) else step


def _calls(value: Any, path: Path) -> Iterator[tuple[str, Any, Path]]:
    """Every call inside of ``value``: name, argument and place."""
    if isinstance(value, dict):
        name = called(value)
        if name is not None:
            yield name, value[name], path
        for key, item in value.items():
            yield from _calls(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _calls(item, (*path, index))


def _filled(data: dict[str, Any], answer: dict[str, Any]) -> dict[str, Any]:
    for name, node in (data.get("node_templates") or {}).items():
        computed = answer["nodes"].get(name)
        if computed is None or not isinstance(node, dict):
            continue
        if "properties" in node:
            node["properties"] = _exchanged(node["properties"], computed["properties"])
        scalable = ("capabilities", "scalable", "properties", "default_instances")
        _count(node, scalable, computed["instances"])
        node["interfaces"] = _operations(node.get("interfaces"), computed["operations"], "inputs")
        for relationship, values in zip(node.get("relationships") or (), computed["relationships"], strict=False):
            for end in ("source", "target"):
                interfaces = relationship.get(f"{end}_interfaces")
                relationship[f"{end}_interfaces"] = _operations(interfaces, values[f"{end}_operations"], "")
    for name, policy in (data.get("policies") or {}).items():
        policy["properties"] = _exchanged(policy.get("properties"), answer["policies"].get(name, {}).get("properties"))
    for section in ("outputs", "capabilities"):
        for name, output in (data.get(section) or {}).items():
            output["value"] = _exchanged(output.get("value"), answer[section].get(name))
    return data


def _count(node: dict[str, Any], steps: tuple[str, ...], count: int) -> None:
    """Put the number of instances where a call stands for it."""
    holder: Any = node
    for step in steps[:-1]:
        holder = holder.get(step) if isinstance(holder, dict) else None
    if isinstance(holder, dict) and isinstance(holder.get(steps[-1]), dict):
        holder[steps[-1]] = count


def _operations(interfaces: Any, computed: Mapping[str, Any], key: str) -> Any:
    """Interfaces with the computed inputs of their operations."""
    for interface, operations in (interfaces or {}).items():
        for name, operation in (operations or {}).items():
            values = computed.get(f"{interface}.{name}")
            values = values.get(key) if key and isinstance(values, dict) else values
            if isinstance(operation, dict) and "inputs" in operation and values is not None:
                operation["inputs"] = _exchanged(operation["inputs"], values)
    return interfaces or {}


def _exchanged(raw: Any, computed: Any) -> Any:
    """``raw`` with computed values in place of its calls; a call that the engine leaves as it is stays one."""
    if isinstance(raw, dict):
        if called(raw) is not None or not isinstance(computed, dict):
            return computed if computed == raw else as_data(computed, called)
        return {key: _exchanged(item, computed.get(key, item)) for key, item in raw.items()}
    if isinstance(raw, list) and isinstance(computed, list) and len(raw) == len(computed):
        return [_exchanged(item, other) for item, other in zip(raw, computed, strict=True)]
    return as_data(computed, called)
