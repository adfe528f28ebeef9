"""The values of the real engines: each document is filled with what its engine computes, and then read again.

So all functions, conditions, defaults and references are the engines' own work; which property of one language is which
of the other is still the catalogue's.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from pathlib import Path as FilePath
from typing import Any, Final, NamedTuple, Protocol

from bpconvert.diagnostics import Reporter
from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.hot import GROUP_MEMBERS
from bpconvert.models.hot_versions import nearest_version
from bpconvert.translators.cloudify.functions import called
from bpconvert.translators.comparing.refused import DATA, REFUSED_TEXT, is_plain
from bpconvert.translators.dialects import DIALECTS
from bpconvert.translators.hot.functions import Reader, functions_of
from bpconvert.translators.verify.engine_imports import engine_imports
from bpconvert.translators.verify.side import Side
from bpconvert.yamlio.document import Document


class Asks(Protocol):
    """A running engine (:class:`bpconvert.engines.client.Engine`)."""

    def ask(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """The engine's answer to a request."""


class Refusal(NamedTuple):
    """The engine refuses the whole document; why."""

    text: str


def filled(side: Side, engine: Asks) -> Side | Refusal:
    """``side`` with the values of its engine, under the same inputs and runtime values; it has to be entered anew."""
    request, fill, graph = _DIALECTS[side.topology.dialect]
    folder = {} if side.files.top is None else {"root": str(side.files.top.resolve())}
    answer = engine.ask({"document": str(FilePath(side.document.name).resolve()), **folder, **request(side)})
    if "error" in answer:
        return Refusal(str(answer["error"]))
    for row in answer.get("errors") or ():
        _mark(answer, row["where"])
    data = fill(_plain(side.document.data), answer, side)
    document = Document(side.document.name, side.document.text, data)
    read = DIALECTS[side.topology.dialect].read()
    topology = read(document, side.catalogue, Reporter(document), side.files)
    made = Side(side.document, topology, side.catalogue, side.files)
    made.names = side.names
    made.original = side
    made.spread, made.repeated = side.spread, side.repeated
    made.graph = graph(answer)
    return made


def _plain(value: Any) -> Any:
    """A copy in plain containers. Keys are texts, as in the JSON that the engines make of a document."""
    if isinstance(value, dict):
        return {key if isinstance(key, str) else json.dumps(key, default=str): _plain(v) for key, v in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list) else value


def _as_data(value: Any, call: Callable[[Any], str | None]) -> Any:
    """A computed value that is read as data: what ``call`` (map -> name) would take for a call is marked."""
    if isinstance(value, dict):
        name = call(value)
        return {f"{DATA}{key}" if key == name else key: _as_data(item, call) for key, item in value.items()}
    return [_as_data(item, call) for item in value] if isinstance(value, list) else value


def _mark(values: Any, path: Any) -> None:
    """Note at ``path`` that a value was refused, where there is none."""
    *steps, last = path
    for step in steps:
        try:
            values = values[step]
        except (KeyError, IndexError, TypeError):
            return
    in_map = isinstance(values, dict) and values.get(last) is None and last != "properties"
    in_list = isinstance(values, list) and isinstance(last, int) and last < len(values) and values[last] is None
    if in_map or in_list:
        values[last] = REFUSED_TEXT


def _insert(values: dict[Any, Any], steps: Any, value: Any) -> None:
    """Put ``value`` at ``steps`` of nested maps and lists, which are made; what is there stays, and gets the parts that
    it does not have."""
    *before, last = steps
    holder: Any = values
    for step, following in zip(before, steps[1:], strict=True):
        holder = _entry(holder, step, [] if isinstance(following, int) else {})
        if not isinstance(holder, list if isinstance(following, int) else dict):
            return
    _complete(_entry(holder, last, value), value)


def _complete(there: Any, value: Any) -> None:
    if isinstance(there, dict) and isinstance(value, dict):
        for key, item in value.items():
            _complete(there.setdefault(key, item), item)
    elif isinstance(there, list) and isinstance(value, list):
        for item, other in zip(there, value, strict=False):
            _complete(item, other)
        there += value[len(there) :]


def _entry(holder: Any, step: Any, value: Any) -> Any:
    """The entry at ``step``, ``value`` where there is none yet."""
    if isinstance(holder, dict):
        return holder.setdefault(step, value)
    while len(holder) <= step:
        holder.append(None)
    if holder[step] is None:
        holder[step] = value
    return holder[step]


# -- Heat ---------------------------------------------------------------------------------------------------


def _heat_request(side: Side) -> dict[str, Any]:
    attributes: dict[str, dict[str, Any]] = {name: {} for name in side.topology.nodes}
    reader = Reader(nearest_version(side.topology.version), declared=side.topology.inputs, names=side.topology.nodes)
    asked = [reader.value(side.document.data.get(section)) for section in ("resources", "outputs")]
    found = [side.computed(expr) for expr in ex.walk(asked) if isinstance(expr, ex.Attribute)]
    wanted = [expr for expr in found if expr is not None and expr.node in attributes and expr.name is not MISSING]
    for expr in sorted(wanted, key=lambda expr: len(expr.keys)):
        value = side.value(expr)
        if is_plain(value) and value is not None:
            grouped = side.topology.nodes[expr.node].source_type in GROUP_MEMBERS  # a path goes into each member
            steps = (".".join(map(str, (expr.name, *expr.keys))),) if grouped else (expr.name, *expr.keys)
            _insert(attributes[expr.node], steps, value)
    identities = {name: side.identity(node) for name, node in side.topology.nodes.items()}
    world, topology = side.world, side.topology
    return {
        "parameters": {n: value for n, value in world.inputs.items() if n in topology.inputs and is_plain(value)},
        "resources": {
            name: {"id": identities[name] if isinstance(identities[name], str) else f"{name}-id", "attributes": values}
            for name, values in attributes.items()
        },
        "system": {
            "stack_name": world.fact("deployment.name"),
            "stack_id": world.fact("deployment.id"),
            "project_id": world.fact("project.id"),
        },
    }


def _fill_heat(data: dict[str, Any], answer: dict[str, Any], side: Side) -> dict[str, Any]:
    names = functions_of(nearest_version(side.topology.version))

    def call(value: dict[str, Any]) -> str | None:
        return next((name for name in value if len(value) == 1 and name in names), None)

    data.pop("conditions", None)
    resources = data.get("resources") or {}
    data["resources"] = {}
    for name, computed in answer["resources"].items():
        resource = data["resources"][name] = {**resources[name], "properties": _as_data(computed["properties"], call)}
        resource.pop("condition", None)
        resource.pop("depends_on", None)
        if "metadata" in resource:
            resource["metadata"] = _as_data(computed["metadata"], call)
    refused = {row["where"][1] for row in answer.get("errors") or () if row["where"][:1] == ["outputs"]}
    for name, output in (data.get("outputs") or {}).items():
        output.pop("condition", None)
        found = answer["outputs"].get(name)
        output["value"] = REFUSED_TEXT if found is None and name in refused else _as_data(found, call)
    return data


def _needs(answer: dict[str, Any]) -> dict[str, set[str]]:
    """What each resource waits for, once ids are known: before, Heat takes two unknown ids for the same."""
    return {name: set(computed["needs"]) for name, computed in answer["resources"].items()}


# -- Cloudify -----------------------------------------------------------------------------------------------


def _cloudify_request(side: Side) -> dict[str, Any]:
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
            # a rule of a group for the group itself says it in other words; a node that exists says it where it is used
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
    for name, steps, value, of_all in sorted(known, key=lambda row: -len(row[1])):  # a part says best what the whole is
        for number, instance in enumerate(nodes[name][: len(value)] if of_all else nodes[name]):
            _insert(instance, steps, deepcopy(value[number] if of_all else value))
    return {name: instances[0] if len(instances) == 1 else instances for name, instances in nodes.items()}


def _as_input(step: Any) -> Value:
    """A step of a path: what an input says where it is one."""
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


def _fill_cloudify(data: dict[str, Any], answer: dict[str, Any], side: Side) -> dict[str, Any]:
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


def _targets(answer: dict[str, Any]) -> dict[str, set[str]]:
    """What each node waits for: only relationships order."""
    return {
        name: {relationship["target"] for relationship in computed["relationships"]}
        for name, computed in answer["nodes"].items()
    }


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
            return computed if computed == raw else _as_data(computed, called)
        return {key: _exchanged(item, computed.get(key, item)) for key, item in raw.items()}
    if isinstance(raw, list) and isinstance(computed, list) and len(raw) == len(computed):
        return [_exchanged(item, other) for item, other in zip(raw, computed, strict=True)]
    return _as_data(computed, called)


_DIALECTS: Final = {
    "hot": (_heat_request, _fill_heat, _needs),
    "cloudify": (_cloudify_request, _fill_cloudify, _targets),
}
