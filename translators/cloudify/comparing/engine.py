"""The values of Cloudify's engine for a blueprint, and what the imports of a blueprint define, as far as it is known.

The parser needs the content of every import. That of Cloudify's own types and of the OpenStack and utilities plugins
is written from :mod:`~.catalogue.schemas`: the types that the blueprint needs with their properties, without
interfaces (so operations are only those that the blueprint has itself), the plugins and the types of policies.
"""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from copy import deepcopy
from typing import Any, Final

from bpconvert.diagnostics import SourceError
from bpconvert.files import Files
from bpconvert.models import expressions as ex
from bpconvert.models.cloudify_rules import OBJECT_TYPES, PREFIX
from bpconvert.models.expressions import Path, Value
from bpconvert.translators.catalogue import schemas
from bpconvert.translators.cloudify.calls import called
from bpconvert.translators.cloudify.read.imports import DELIMITER, LIBRARIES
from bpconvert.translators.comparing.filling import REFUSED_TEXT, as_data, insert, is_plain
from bpconvert.translators.comparing.model import Engine, Side
from bpconvert.translators.passes.expressions.kinds import step_into
from bpconvert.translators.support.places import inside, maps, texts
from bpconvert.urls import sibling
from bpconvert.yamlio.document import load


class CloudifyEngine(Engine):
    """Cloudify's parser and evaluation."""

    name = "cloudify"

    def request(self, side: Side) -> dict[str, Any]:
        """Inputs, what is known of the nodes, secrets, facts of the deployment, and what its imports define."""
        world, topology = side.world, side.topology
        asked = (argument for name, argument, _ in _calls(side.document.data) if name == "get_secret")
        names = [argument[0] if isinstance(argument, list) and argument else argument for argument in asked]
        expressions = (expr for value in side.expressions() for expr in ex.walk(value))
        names += [side.value(expr.name) for expr in expressions if isinstance(expr, ex.Secret)]
        return {
            "imports": engine_imports(side.document.data, side.files),
            "inputs": {n: value for n, value in world.inputs.items() if n in topology.inputs and is_plain(value)},
            "nodes": _runtime_properties(side),
            "secrets": {name: side.scope.secrets[name] for name in names if name and isinstance(name, str)},
            "system": {
                "deployment": {key: world.fact(f"deployment.{key}") for key in ("id", "name", "blueprint", "owner")},
                "tenant": {"name": world.fact("tenant.name")},
            },
        }

    def fill(self, data: dict[str, Any], answer: dict[str, Any], side: Side) -> dict[str, Any]:
        """The properties, operations, policies and outputs with their values."""
        for name, node in (data.get("node_templates") or {}).items():
            computed = answer["nodes"].get(name)
            if computed is None or not isinstance(node, dict):
                continue
            if "properties" in node:
                node["properties"] = _exchanged(node["properties"], computed["properties"])
            holder = inside(node, ("capabilities", "scalable", "properties"))
            if isinstance(inside(holder, ("default_instances",)), dict):  # a call stands for the number
                holder["default_instances"] = computed["instances"]
            node["interfaces"] = _operations(node.get("interfaces"), computed["operations"], "inputs")
            for relationship, values in zip(node.get("relationships") or (), computed["relationships"], strict=False):
                for end in ("source", "target"):
                    interfaces = relationship.get(f"{end}_interfaces")
                    relationship[f"{end}_interfaces"] = _operations(interfaces, values[f"{end}_operations"], "")
        for name, policy in (data.get("policies") or {}).items():
            computed = answer["policies"].get(name, {})
            policy["properties"] = _exchanged(policy.get("properties"), computed.get("properties"))
        for section in ("outputs", "capabilities"):
            for name, output in (data.get(section) or {}).items():
                output["value"] = _exchanged(output.get("value"), answer[section].get(name))
        for call, path in _names_of_references(side):
            holder = step_into(data, path[:-1])
            if isinstance(holder, (dict, list)) and step_into(data, path) != REFUSED_TEXT:
                holder[path[-1]] = call
        return data

    def waits(self, answer: dict[str, Any]) -> dict[str, set[str]]:
        """What each node waits for: only relationships order."""
        return {
            name: {relationship["target"] for relationship in computed["relationships"]}
            for name, computed in answer["nodes"].items()
        }


def _placed_expressions(side: Side) -> dict[Path, ex.Expr]:
    """Place -> the whole of what the value there becomes, not its parts."""
    expressions: dict[Path, ex.Expr] = {}
    for expr in (expr for value in side.expressions() for expr in ex.walk(value) if expr.path):
        expressions.setdefault(expr.path, expr)
    return expressions


def _is_name_of_reference(argument: Any, expression: ex.Expr | None) -> bool:
    """True for the argument of a call that yields the name of a node, and means the node."""
    by_name = isinstance(argument, list) and argument[-1:] in (["name"], ["external_name"])
    return by_name and isinstance(expression, ex.Identity)


def _names_of_references(side: Side) -> Iterator[tuple[dict[str, Any], Path]]:
    """The calls, with their places, that refer to nodes by their names. They stay calls: the same name may be asked for
    where it is only a text."""
    expressions = _placed_expressions(side)
    for name, argument, path in _calls(side.document.data):
        if name == "get_attribute" and _is_name_of_reference(argument, expressions.get(path)):
            yield {name: list(argument)}, path


def _runtime_properties(side: Side) -> dict[str, Any]:
    """Node -> what its calls for runtime properties have to yield; a list, one for each instance, where calls ask for
    all of them."""
    rows = list(_asked_attributes(side))
    counts = {name: 1 for name, *_ in rows}
    for name, _, value, of_all in rows:
        counts[name] = max(counts[name], len(value) if of_all else 1)
    nodes: dict[str, list[dict[str, Any]]] = {name: [{} for _ in range(count)] for name, count in counts.items()}
    for name, steps, value, of_all in sorted(rows, key=lambda row: -len(row[1])):  # the longest path knows best
        for number, instance in enumerate(nodes[name][: len(value)] if of_all else nodes[name]):
            insert(instance, steps, deepcopy(value[number] if of_all else value))
    return {name: instances[0] if len(instances) == 1 else instances for name, instances in nodes.items()}


def _asked_attributes(side: Side) -> Iterator[tuple[str, list[Any], Value, bool]]:
    """Of each call for a runtime property: node, steps, value, and whether that is one for each instance."""
    expressions = _placed_expressions(side)
    without = [output.path for output in side.topology.published if not side.exists(output)]
    calls = list(_calls(side.document.data))
    # where a name is only a text decides what it is; of the first row with the same steps the engine has the value
    calls.sort(key=lambda row: _is_name_of_reference(row[1], expressions.get(row[2])))
    for name, argument, path in calls:
        if name not in ("get_attribute", "get_attributes_list") or not isinstance(argument, list) or not argument:
            continue
        expression = _meant(side, name, argument, path, expressions.get(path))
        if expression is None or any(path[: len(prefix)] == prefix for prefix in without):
            continue  # the node has no such value under the present inputs
        node, of_all = _subject(argument, path), name == "get_attributes_list"
        value, steps = side.value(expression), [side.value(_as_input(step)) for step in argument[1:]]
        is_known = steps and is_plain([value, steps]) and value is not None
        if isinstance(node, str) and is_known and not any(isinstance(step, (dict, list)) for step in steps):
            yield node, steps, value, of_all and isinstance(value, list)


def _subject(argument: list[Any], path: Path) -> Any:
    """The node that a call at ``path`` is about."""
    return path[1] if argument[0] == "SELF" else argument[0]


def _meant(side: Side, name: str, argument: list[Any], path: Path, expression: ex.Expr | None) -> ex.Expr | None:
    """What a call yields; ``expression``: what it was read as, None where it is left out of the topology."""
    if _is_name_of_reference(argument, expression):
        return ex.Attribute(expression.node, "name")  # type: ignore[union-attr]
    if expression is not None or name != "get_attribute":
        return expression
    # a rule of a group for the group itself has another expression, a record's name none for that of its zone; a node
    # that exists has it where it is used
    subject = _subject(argument, path)
    meant = {"id": ex.Identity(subject), "name": ex.Attribute(subject, "name")}
    return meant.get(str(argument[1])) if subject in side.topology.nodes and len(argument) == 2 else None


def _as_input(step: Any) -> Value:
    """A step of a path: the value of an input where it is one."""
    return ex.Input(step["get_input"]) if isinstance(step, dict) and isinstance(step.get("get_input"), str) else step


def _calls(data: Any) -> Iterator[tuple[str, Any, Path]]:
    """Every call inside of ``data``: name, argument and place."""
    for entry, path in maps(data, ()):
        name = called(entry)
        if name is not None:
            yield name, entry[name], path


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
    """``raw`` with computed values in place of its calls; a call that the engine leaves as it is stays one, and so does
    one for the identity of a node: what refers to the node decides how the rest is read."""
    if isinstance(raw, dict):
        if called(raw) is not None or not isinstance(computed, dict):
            is_kept = computed == raw or _is_identity(raw, computed) or _is_of_an_instance(raw)
            return raw if is_kept else as_data(computed, called)
        return {key: _exchanged(item, computed.get(key, item)) for key, item in raw.items()}
    if isinstance(raw, list) and isinstance(computed, list) and len(raw) == len(computed):
        return [_exchanged(item, other) for item, other in zip(raw, computed, strict=True)]
    return as_data(computed, called)


def _is_of_an_instance(data: Any) -> bool:
    """True for what the number of an instance selects something in: each has another value."""
    for call, _ in maps(data, ()):
        match call:
            case {"get_attribute": [str(), *_, {"get_attribute": [str(), "node_instance_index"]}]}:
                return True
    return False


def _is_identity(call: Any, computed: Any) -> bool:
    """True for the call that yields what a node is called in OpenStack, and does so."""
    match call:
        case {"get_attribute": [str(node), "id" | "external_id"]}:
            return bool(computed == f"{node}-id")
    return False


# -- imports ------------------------------------------------------------------------------------------------

_UTILITIES: Final = re.compile(r"plugin:cloudify-utilities-plugin.*|[a-z]+://.*/(cloudify-)?utilities-plugin/.*")
_SECTIONS: Final = ("node_types", "relationships", "data_types")
#: library -> plugin -> where its operations run
_PLUGINS: Final = {
    "core": {"script": "host_agent", "agent": "", "default_workflows": "", "cfy_extensions": ""},
    "openstack": {"openstack": ""},
    "openstack_2": {"openstack": ""},
    "utilities": dict.fromkeys(
        (
            "cfy_util", "cfy_files", "cfy_ftp", "cloudify_custom_workflow", "cloudify_hooks_workflow", "cloudinit",
            "configuration", "keys", "suspend", "terminal", "rest", "scalelist", "secrets", "lifecycle_operations",
            "resources", "iso",
        ),
        "",
    ),
}  # fmt: skip
_EXECUTOR: Final = "central_deployment_agent"
#: what types that the parser is to assume are derived from
_ALWAYS: Final = (
    "cloudify.nodes.Root", "cloudify.nodes.Compute", "cloudify.relationships.depends_on",
    "cloudify.relationships.connected_to", "cloudify.relationships.contained_in",
)  # fmt: skip
_POLICY: Final[dict[str, Any]] = {
    "policy_operates_on_group": False,
    "is_node_started_before_workflow": True,
    "interval_between_workflows": 300,
}
_THRESHOLD: Final[dict[str, Any]] = {**_POLICY, "service": "service", "upper_bound": True, "stability_time": 0}
#: Cloudify's types of policies: defaults of their properties, and those that have none
_POLICIES: Final[dict[str, tuple[dict[str, Any], tuple[str, ...]]]] = {
    "cloudify.policies.types.host_failure": ({**_POLICY, "service": ["service"]}, ()),
    "cloudify.policies.types.threshold": (_THRESHOLD, ("threshold",)),
    "cloudify.policies.types.ewma_stabilized": ({**_THRESHOLD, "ewma_timeless_r": 0.5}, ("threshold",)),
}
_TRIGGER: Final[dict[str, Any]] = {
    "workflow": {},
    "workflow_parameters": {"default": {}},
    "force": {"default": False},
    "allow_custom_parameters": {"default": False},
    "socket_timeout": {"default": 1000},
    "conn_timeout": {"default": 1000},
}


def engine_imports(data: Any, files: Files) -> dict[str, str]:
    """The ``imports`` of a request to the Cloudify engine: import -> a blueprint in JSON.

    An import is as the blueprint ``data``, or one of the files that it imports, writes it, without its namespace. Those
    that are not known are not in it. Never raises."""
    version = _version(data)
    names: set[str] = set(_ALWAYS)
    libraries_by_name: dict[str, str] = {}
    for document in _documents(data, files):
        names.update(texts(document), *(map(str, key) for key, _ in maps(document, ())))
        for name in _imported(document):
            library = library_of(name)
            if library:
                libraries_by_name[name] = library
    libraries = list(dict.fromkeys(libraries_by_name.values()))
    sources = {library: [library] for library in libraries}
    if "openstack" in sources and "compat" not in sources and "openstack_2" not in sources:
        sources["openstack"].append("openstack_2")  # the manager may have either generation of the plugin
    names |= _needed([source for group in sources.values() for source in group], names)
    texts_by_library = {
        library: json.dumps(_definitions(library, sources[library], names, version)) for library in libraries
    }
    return {name: texts_by_library[library] for name, library in libraries_by_name.items()}


def library_of(name: str) -> str:
    """The library of :func:`~.catalogue.schemas.library` that an import brings, "" where it is none."""
    if _UTILITIES.fullmatch(name.strip()):
        return "utilities"
    return next((library for library, pattern in LIBRARIES if pattern.fullmatch(name.strip())), "")


def _documents(data: Any, files: Files) -> Iterator[dict[str, Any]]:
    """The blueprint and the files that it imports, also indirectly."""
    if not isinstance(data, dict):
        return
    version = _version(data)
    queue: list[tuple[str, dict[str, Any]]] = [("", data)]
    seen: set[str] = set()
    while queue:
        parent, document = queue.pop(0)
        yield document
        for name in _imported(document):
            stem, extension = posixpath.splitext(name)
            sibling_name = sibling(parent, name)
            for candidate in (sibling_name, f"{stem}_{version}{extension}", name):
                text = None if candidate in seen or library_of(name) else files.look(candidate)[0]
                if text is not None:
                    seen.add(candidate)
                    with suppress(SourceError):
                        imported = load(text, candidate).data
                        queue += [(candidate, imported)] if isinstance(imported, dict) else []
                    break


def _version(data: Any) -> str:
    return str(data.get("tosca_definitions_version")).removeprefix(PREFIX) if isinstance(data, dict) else ""


def _imported(document: dict[str, Any]) -> Iterator[str]:
    entries = document.get("imports")
    for entry in entries if isinstance(entries, list) else ():
        text = next(iter(entry), None) if isinstance(entry, dict) else entry
        if isinstance(text, str):
            yield text.rpartition(DELIMITER)[2]


def _definitions(library: str, sources: list[str], names: set[str], version: str) -> dict[str, Any]:
    """What an import of the library brings of the types that are needed."""
    result: dict[str, Any] = {section: {} for section in _SECTIONS}
    for source in sources:
        for section in _SECTIONS:
            rows = schemas.library(source).get(section, {})
            result[section] |= {name: _types_of(row, version) for name, row in rows.items() if name in names}
    plugins = _PLUGINS.get(library, {})
    result["plugins"] = {name: {"executor": where or _EXECUTOR, "install": False} for name, where in plugins.items()}
    if library == "core":
        result |= _policies(names)
    return {section: rows for section, rows in result.items() if rows}


def _types_of(row: dict[str, Any], version: str) -> dict[str, Any]:
    """A type as the version knows it: types of values that it does not have are ``string``."""
    properties = {
        key: {**schema, "type": "string"} if OBJECT_TYPES.get(schema.get("type"), "") > version else schema
        for key, schema in row.get("properties", {}).items()
    }
    return {**row, "properties": properties}


def _needed(libraries: list[str], names: set[str]) -> set[str]:
    """The types of ``names``, what they are derived from, and the types of their properties."""
    definitions: dict[str, list[dict[str, Any]]] = {}
    for library in libraries:
        for section in _SECTIONS:
            for name, row in schemas.library(library).get(section, {}).items():
                definitions.setdefault(name, []).append(row)
    queue = [name for name in names if name in definitions]
    needed: set[str] = set()
    while queue:
        name = queue.pop()
        if name not in needed:
            needed.add(name)
            for row in definitions[name]:
                types = [row.get("derived_from"), *(prop.get("type") for prop in row.get("properties", {}).values())]
                queue += [other for other in types if other in definitions]
    return needed


def _policies(names: set[str]) -> dict[str, Any]:
    """Cloudify's types of policies and of their triggers, where they are used."""
    types = {
        name: {
            "properties": {key: {"default": value} for key, value in defaults.items()} | {key: {} for key in others},
            "source": name,
        }
        for name, (defaults, others) in _POLICIES.items()
        if name in names
    }
    trigger = "cloudify.policies.triggers.execute_workflow"
    triggers = {trigger: {"parameters": _TRIGGER, "source": trigger}} if trigger in names else {}
    return {"policy_types": types, "policy_triggers": triggers}
