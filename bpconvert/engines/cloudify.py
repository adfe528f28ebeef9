"""Cloudify's own parser and function evaluation on one blueprint, offline: run by path with a Python that has
``cloudify-common``. It imports nothing of bpconvert and reads no network.

JSON lines on stdin, one answer line each on stdout; whatever the engine prints goes to stderr. A request::

    {"document": path, "imports": {import: YAML or JSON text}, "inputs": {..},
     "nodes": {node: {runtime properties} or [{of the first instance}, ..]},
     "secrets": {..}, "system": {"deployment": {"id", "name", ..}, "tenant": {"name"}}, "labels": {label: [values]},
     "capabilities": {deployment: {capability: value}}, "environment_capabilities": {capability: value},
     "group_capabilities": {group: {deployment: {capability: value}}}, "consumers": {"ids": [..], "names": [..]}}

All but ``document`` may be left out. The answer::

    {"inputs": {..}, "nodes": {node: {"type", "properties", "instances", "relationships": [{"type", "target",
     "properties", "source_operations", "target_operations"}], "operations": {"interface.operation":
     {"implementation", "inputs"}}}}, "outputs": {..}, "capabilities": {..}, "labels": {..},
     "groups": {group: {"members", "policies", "scaling"}}, "policies": {policy: {"type", "properties", "targets"}},
     "errors": [{"where": [path], "message"}], "assumed": [text]}

or ``{"error": message}`` where the engine refuses the blueprint or the inputs, with ``"missing": module`` where the
engine itself is not there. A single value that the engine refuses to compute is null and in ``errors``; a real
deployment would not be created, or the operation fail. What a manager does not evaluate (properties of relationships)
stays as it is, and so do the operations of a node without instances. Maps have gone through JSON, as on a manager:
their keys are texts. Evaluated are the properties of a node's first instance.

An import that is neither a file nor handed in is assumed to be empty. Then, and only then, types, plugins and policies
that nothing defines are assumed too: whatever is used of them is accepted.
"""

from __future__ import annotations

import datetime
import json
import os
import random
import re
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import lru_cache
from types import FrameType, SimpleNamespace
from typing import Any
from urllib.parse import unquote

# the folder of this file is first on the path: "cloudify" would be this file
sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry) != os.path.dirname(os.path.abspath(__file__))]

MISSING = ""
try:
    from dsl_parser import constants, constraints, exceptions, functions, models, multi_instance, scan, tasks, utils
    from dsl_parser import parser as dsl
    from dsl_parser.elements import blueprint as blueprint_element
    from dsl_parser.framework import parser as framework
    from dsl_parser.holder import Holder
except ImportError as error:
    MISSING = error.name or str(error)

SECONDS = 60
Where = tuple[Any, ...]
#: a value and its place in the engine's words -> the value without calls
Evaluate = Callable[[Any, str], Any]


class TooLate(BaseException):
    """The engine takes too long: it can loop for ever (``get_property`` in a circle). No Exception: it catches those."""


# -- imports and assumptions ------------------------------------------------------------------------------------------


class Imports:
    """What the parser asks for the content of imports (its ``AbstractImportResolver``)."""

    def __init__(self, given: dict[str, str]) -> None:
        self.given = {name.rpartition(constants.NAMESPACE_DELIMITER)[2]: text for name, text in given.items()}
        self.assumed: list[str] = []
        self._candidate = ""

    def retrieve_plugin(self, import_url: str, **_: Any) -> None:
        """No plugin is installed."""

    def fetch_import(self, import_url: str, **_: Any) -> Any:
        """The content at one of the places where an import may be; raises where it is not there.

        The parser asks for a name beside the importing file, then for ``resource:`` names, with the version added and
        plainly (``elements/imports.py``, ``_get_resource_location``)."""
        scheme, _, rest = import_url.partition(":")
        name = rest if scheme == "resource" else import_url
        if name in self.given:
            return Holder.of(_plain_text(self.given[name]))
        if scheme == "file":
            self._candidate = rest
            return _file(rest)
        if scheme == "resource" and not self._candidate.endswith(f"/{name}"):
            raise exceptions.DSLParsingLogicException(13, f"Import failed: there is no {name}")
        if scheme not in ("resource", "http", "https", "ftp", "plugin", "blueprint"):
            raise exceptions.DSLParsingLogicException(13, f"Import failed: {import_url}")
        if name not in self.assumed:
            self.assumed.append(name)
        return Holder.of({})


def _file(name: str) -> str:
    for path in (name, unquote(name)):
        if os.path.isfile(path):
            with open(path, encoding="utf-8") as file:
                return file.read()
    raise exceptions.DSLParsingLogicException(13, f"Import failed: there is no file {name}")


@lru_cache(maxsize=32)
def _plain_text(text: str) -> Any:
    if text.lstrip().startswith("{"):
        try:
            return json.loads(text)
        except ValueError:
            pass
    return utils.load_yaml(text, "Failed to parse import").restore()


class Assumptions:
    """Adds definitions of what a merged blueprint uses and does not define."""

    def __init__(self, merged: Any) -> None:
        self.merged = merged
        self.added: list[str] = []
        self.defined = {name: set(self._entries(name)) for name in ("node_types", "relationships")}

    def complete(self) -> list[str]:
        """Add them all; what was added, as texts."""
        self._types("node_types", self._uses())
        self._types("relationships", self._relationships())
        self._policies()
        self._plugins()
        return self.added

    def _entries(self, section: str) -> dict[str, Any]:
        holder = self.merged.get_item(section)[1]
        if holder is None or not isinstance(holder.value, dict):
            return {}
        return {key.value: value for key, value in holder.value.items()}

    def _add(self, section: str, name: str, definition: dict[str, Any]) -> None:
        holder = self.merged.get_item(section)[1]
        if holder is None or not isinstance(holder.value, dict):
            self.merged.set_item(section, {})
            holder = self.merged.get_item(section)[1]
        holder.set_item(name, definition)
        self.added.append(f"{section}.{name}")

    def _uses(self) -> Iterator[tuple[str, list[str]]]:
        """Each node's type, and the properties that it has."""
        for node in self._entries("node_templates").values():
            yield _named(_item(node, "type")), _keys(_item(node, "properties"))

    def _relationships(self) -> Iterator[tuple[str, list[str]]]:
        for node in self._entries("node_templates").values():
            listed = _item(node, "relationships")
            for entry in listed.value if listed is not None and isinstance(listed.value, list) else ():
                yield _named(_item(entry, "type"), listed.namespace), _keys(_item(entry, "properties"))

    def _types(self, section: str, uses: Iterator[tuple[str, list[str]]]) -> None:
        """Types of nodes or relationships, also those that only others are derived from."""
        parents = {name: _named(_item(value, "derived_from")) for name, value in self._entries(section).items()}
        wanted: dict[str, set[str]] = {name: set() for name in parents.values() if name and name not in parents}
        for name, properties in uses:
            passed: set[str] = set()
            while name in parents and name not in passed:
                passed.add(name)
                name = parents[name]
            if name and name not in parents:
                wanted.setdefault(name, set()).update(properties)
        base = _BASES[section]
        for name, used in wanted.items():
            parent = next(parent for pattern, parent in base if re.search(pattern, name))
            definition: dict[str, Any] = {"properties": {key: {"required": False} for key in sorted(used)}}
            if parent in parents and parent != name:
                definition["derived_from"] = parent
            self._add(section, name, definition)

    def _policies(self) -> None:
        for section, settings, uses in (
            ("policy_types", "properties", list(self._group_policies())),
            ("policy_triggers", "parameters", [use for _, policy in self._group_policies() for use in _sub(policy, "triggers")]),
        ):
            known = set(self._entries(section))
            wanted: dict[str, set[str]] = {}
            for _, use in uses:
                wanted.setdefault(_named(_item(use, "type")), set()).update(_keys(_item(use, settings)))
            for name in wanted.keys() - known - {""}:
                accepted = {key: {"required": False} for key in sorted(wanted[name])}
                self._add(section, name, {settings: accepted, "source": "assumed"})

    def _group_policies(self) -> Iterator[tuple[str, Any]]:
        for group in self._entries("groups").values():
            yield from _sub(group, "policies")

    def _plugins(self) -> None:
        """Plugins that operations and workflows name: ``plugin.module.function``."""
        known = set(self._entries("plugins"))
        for text in self._implementations():
            found = _OPERATION.fullmatch(text)
            if found and not any(text.startswith(f"{name}.") for name in known):
                known.add(found[1])
                self._add("plugins", found[1], {"executor": "central_deployment_agent", "install": False})


    def _implementations(self) -> Iterator[str]:
        """Every text that names the code of an operation or a workflow."""
        for section in ("node_types", "relationships", "node_templates"):
            for entry in self._entries(section).values():
                listed = _item(entry, "relationships")
                related = listed.value if listed is not None and isinstance(listed.value, list) else []
                for owner, namespace in [(entry, None), *((item, listed.namespace) for item in related)]:
                    for key in ("interfaces", "source_interfaces", "target_interfaces"):
                        space = getattr(_item(owner, key), "namespace", None) or namespace
                        for _, interface in _sub(owner, key):
                            yield from (_implementation(value, space) for _, value in _all(interface))
        yield from (_implementation(value, None) for value in self._entries("workflows").values())


_OPERATION = re.compile(r"([\w-]+)(?:\.\w+){2,}")
_BASES = {
    "node_types": (
        (r"(Server|Compute|Host|VM)$", "cloudify.nodes.Compute"),
        ("", "cloudify.nodes.Root"),
    ),
    "relationships": (
        ("contained_in", "cloudify.relationships.contained_in"),
        ("connected", "cloudify.relationships.connected_to"),
        ("", "cloudify.relationships.depends_on"),
    ),
}


def _item(holder: Any, key: str) -> Any:
    """The holder at ``key`` of a map's holder; None where there is none."""
    if holder is None or not isinstance(holder.value, dict):
        return None
    return holder.get_item(key)[1]


def _keys(holder: Any) -> list[str]:
    return [key.value for key in holder.value] if holder is not None and isinstance(holder.value, dict) else []


def _all(holder: Any) -> list[tuple[str, Any]]:
    return [(name, _item(holder, name)) for name in _keys(holder)]


def _sub(holder: Any, key: str) -> list[tuple[str, Any]]:
    return _all(_item(holder, key))


def _implementation(operation: Any, namespace: str | None) -> str:
    found = _item(operation, "implementation") or _item(operation, "mapping")
    return _named(found or operation, namespace)


def _named(holder: Any, namespace: str | None = None) -> str:
    """The name in a holder as the parser will read it: in the namespace of its import."""
    if holder is None or not isinstance(holder.value, str):
        return ""
    name = holder.value
    space = holder.namespace or namespace
    if not space or utils.check_if_overridable_cloudify_type(name) or holder.is_cloudify_type:
        return name
    return str(utils.generate_namespaced_value(space, name))


# -- the blueprint ----------------------------------------------------------------------------------------------------


def parse(document: str, given: dict[str, str]) -> tuple[Any, list[str]]:
    """The parser's plan of a blueprint, and what was assumed (``dsl_parser.parser._parse``, with assumptions)."""
    with open(document, encoding="utf-8") as file:
        text = file.read()
    resolver = Imports(given)
    base, merged = dsl._resolve_blueprint_imports(
        dsl_location=document,
        dsl_string=text,
        resolver=resolver,
        resources_base_path=os.path.dirname(document),
        validate_version=False,
    )
    assumed = [f"imports.{name}" for name in resolver.assumed]
    if assumed:
        assumed += Assumptions(merged).complete()
    version = merged.get_item("tosca_definitions_version")[1].value
    recent = version not in _WITHOUT_REQUIRED
    if not recent:
        assumed.append(f"tosca_definitions_version.{version}: that all is in it")
    plan = framework.parse(
        value=merged,
        inputs={"resource_base": [base], "validate_version": recent},
        element_cls=blueprint_element.Blueprint,
    )
    constraints.validate_input_defaults(plan)
    functions.validate_functions(plan)
    plan["requirements"] = functions.find_requirements(plan)
    return plan, assumed


#: versions in which Cloudify's own types cannot be written (``required``): a manager refuses to import them
_WITHOUT_REQUIRED = ("cloudify_dsl_1_0", "cloudify_dsl_1_1")


class Errors:
    """The values that the engine refuses to compute; the first message of each place."""

    def __init__(self) -> None:
        self.found: dict[Where, str] = {}

    def evaluated(self, value: Any, where: Where, path: str, evaluate: Evaluate) -> Any:
        """``value`` with its calls computed, each by itself; a call that is refused stays as it is."""
        if utils.get_function(value) is None and isinstance(value, (dict, list)):
            items = value.items() if isinstance(value, dict) else enumerate(value)
            for key, item in list(items):
                below = f"{path}.{key}" if isinstance(value, dict) else f"{path}[{key}]"
                value[key] = self.evaluated(item, (*where, key), below, evaluate)
            return value
        try:
            return evaluate(deepcopy(value), path)
        except Exception as error:
            self.found.setdefault(where, _message(error))
            return value

    def blanked(self, value: Any, where: Where) -> Any:
        """``value`` with null at the places that were refused."""
        if where in self.found:
            return None
        if isinstance(value, dict):
            return {key: self.blanked(item, (*where, key)) for key, item in value.items()}
        if isinstance(value, list):
            return [self.blanked(item, (*where, index)) for index, item in enumerate(value)]
        return value

    def rows(self) -> list[dict[str, Any]]:
        """As they are answered."""
        return [{"where": list(where), "message": message} for where, message in self.found.items()]


def prepare(plan: Any, inputs: dict[str, Any], errors: Errors) -> Any:
    """The plan of a deployment: what does not need a running one is evaluated.

    The engine's own ``prepare_deployment_plan`` refuses all for one value: then the values are tried one by one, and
    those that it refuses stay calls. Raises where that is not what it refuses."""
    try:
        return tasks.prepare_deployment_plan(plan, lambda name: None, inputs=deepcopy(inputs), values_getter=_Values())
    except Exception as error:
        refusal = error
    plan = models.Plan(deepcopy(plan))
    tasks._set_plan_inputs(plan, deepcopy(inputs), False, _Values())
    handler = functions.plan_evaluation_handler(plan, False)

    def each(value: Any, scope: str, context: Any, path: str) -> Any:
        return errors.evaluated(value, _where(scope, context, path), path, lambda v, p: handler(v, scope, context, p))

    scan.scan_service_template(plan, each, replace=True)
    if not errors.found:
        raise refusal
    return multi_instance.create_deployment_plan(plan)


class _Values:
    """What inputs that name deployments, secrets and the like may be: anything."""

    def has_deployment_id(self) -> bool:
        return True

    def has_blueprint_id(self) -> bool:
        return True

    def get(self, type_name: str, value: Any, **_: Any) -> list[Any]:
        return [value]


def _where(scope: str, context: Any, path: str) -> Where:
    """Where in the answer the value is that the engine's scan has at ``path`` (``scan.py``)."""
    node = context.get("node_template", context)
    if scope == scan.NODE_TEMPLATE_SCOPE or scope == scan.NODE_TEMPLATE_RELATIONSHIP_SCOPE:
        place: Where = ("nodes", node["name"])
        rest = path[len(f"nodes.{node['name']}.") :]
        if "operation" not in context:
            section, _, key = rest.partition(".")
            return (*place, section, *(key.split(".") if section == "capabilities" else [key]))
        related = context.get("relationship")
        rest = rest[len(related["type"] if related else "operations") + 1 :]
        owners = [(related, kind) for kind in _SIDES] if related else [(node, "operations")]
        for owner, kind in owners:
            for name, operation in owner[kind].items():
                start = f"{name}.inputs."
                if operation is context["operation"] and rest.startswith(start):
                    index = ("relationships", node["relationships"].index(related)) if related else ()
                    return (*place, *index, kind, _full(owner, kind, name), *_inputs(related), rest[len(start) :])
    section, _, rest = path.partition(".")
    for end in (".value", ".values"):
        if rest.endswith(end) and section in ("outputs", "capabilities", "labels"):
            return (section, rest[: -len(end)])
    if section in ("policies", "scaling_groups"):
        name, _, key = rest.partition(".properties.")
        return ("policies", name, "properties", key) if section == "policies" else ("groups", name, "scaling", key)
    return (section, rest)


_SIDES = ("source_operations", "target_operations")


def _inputs(related: Any) -> Where:
    """The step from an operation of the answer to its inputs: those of relationships are nothing else."""
    return () if related else ("inputs",)


def _full(owner: Any, kind: str, name: str) -> str:
    """The name of an operation with its interface; the engine has the short one too."""
    operation = owner[kind][name]
    return next((other for other in owner[kind] if other.endswith(f".{name}") and owner[kind][other] is operation), name)


# -- the deployment ---------------------------------------------------------------------------------------------------


class Deployment:
    """A deployment that exists: what ``dsl_parser.functions`` asks of a manager (its ``storage``)."""

    def __init__(self, plan: dict[str, Any], request: dict[str, Any]) -> None:
        self.plan = plan
        self.request = request
        self.nodes = {node["name"]: node for node in plan["nodes"]}
        self.instances: dict[str, list[dict[str, Any]]] = {name: [] for name in self.nodes}
        for row in plan["node_instances"]:
            listed = self.instances[row["node_id"]]
            given = (request.get("nodes") or {}).get(row["node_id"]) or {}
            if isinstance(given, list):
                given = given[len(listed)] if len(listed) < len(given) else {}
            defaults = {"index": len(listed) + 1, "scaling_groups": []}
            listed.append({**defaults, **row, "runtime_properties": plain(given)})
        self._by_id = {row["id"]: row for rows in self.instances.values() for row in rows}

    def get_input(self, name: str) -> Any:
        return deepcopy(_found(self.plan["inputs"], name, "input"))

    def get_node(self, name: str) -> dict[str, Any]:
        node = _found(self.nodes, name, "node")
        return {**node, "properties": deepcopy(node["properties"])}

    def get_node_instances(self, name: str) -> list[dict[str, Any]]:
        return deepcopy(_found(self.instances, name, "node"))

    def get_node_instance(self, identity: str) -> dict[str, Any]:
        return deepcopy(_found(self._by_id, identity, "node instance"))

    def get_secret(self, name: str) -> Any:
        value = self._given("secrets", name)
        return SimpleNamespace(value=value if isinstance(value, str) else json.dumps(value))

    def get_capability(self, path: list[Any]) -> Any:
        found = _found(self._given("capabilities", path[0]), path[1], "capability")
        return functions.get_nested_attribute_value_of_capability(found, path)["value"]

    def get_environment_capability(self, path: list[Any]) -> Any:
        return functions.get_nested_attribute_value_of_capability(
            self._given("environment_capabilities", path[0]), ["parent", *path]
        )["value"]

    def get_group_capability(self, path: list[Any]) -> Any:
        """Of each deployment that has it: a list, of several names lists, of ``deployment_id:name`` a map."""
        name = path[1]
        by_deployment = isinstance(name, str) and name.startswith("deployment_id:")
        names = name if isinstance(name, list) else [name.partition(":")[2] if by_deployment else name]
        found: dict[str, Any] = {}
        for deployment, known in sorted(self._given("group_capabilities", path[0]).items()):
            if all(one in known for one in names):
                nested = functions.get_nested_attribute_value_of_capability
                values = [nested(known[one], [deployment, one, *path[2:]])["value"] for one in names]
                found[deployment] = values if isinstance(name, list) else values[0]
        return found if by_deployment else list(found.values())

    def get_label(self, key: str, index: int | None) -> Any:
        own = {name: row["values"] for name, row in (self.plan.get("labels") or {}).items()}
        values = _found({**own, **(self.request.get("labels") or {})}, key, "label")
        values = values if isinstance(values, list) else [values]
        return values if index is None else values[index]

    def get_sys(self, entity: str, name: str) -> Any:
        return _found(self._given("system", entity), name, entity)

    def get_consumers(self, name: str) -> Any:
        return len(self._given("consumers", "ids")) if name == "count" else self._given("consumers", name)

    def _given(self, section: str, name: Any) -> Any:
        return _found(self.request.get(section) or {}, name, section)


def _found(known: dict[str, Any], name: Any, kind: str) -> Any:
    if name not in known:
        raise exceptions.FunctionEvaluationError(kind, f"{name} is not there")
    return known[name]


class Answer:
    """Evaluates what a deployment evaluates while it runs, and says it."""

    def __init__(self, plan: Any, request: dict[str, Any], errors: Errors) -> None:
        self.plan: dict[str, Any] = plain(plan)
        self.errors = errors
        self.deployment = Deployment(self.plan, request)

    def answer(self) -> dict[str, Any]:
        """All of it but ``errors`` and ``assumed``."""
        plan = self.plan
        groups = {name: self._group(name, row) for name, row in (plan["groups"] or {}).items()}
        policies = {
            name: {key: row.get(key) for key in ("type", "properties", "targets")}
            for name, row in (plan.get("policies") or {}).items()
        }
        found = {
            "inputs": plan["inputs"],
            "nodes": {name: self._node(name, node) for name, node in self.deployment.nodes.items()},
            "outputs": self._values("outputs", "value", {"evaluate_outputs": True}),
            "capabilities": self._values("capabilities", "value", {}),
            "labels": self._values("labels", "values", {}),
            "groups": groups,
            "policies": policies,
        }
        return {key: self.errors.blanked(value, (key,)) for key, value in found.items()}

    def _runtime(self, value: Any, where: Where, path: str, scope: str | None, context: dict[str, Any]) -> Any:
        def evaluate(one: Any, place: str) -> Any:
            handler = functions.runtime_evaluation_handler(self.deployment)
            return handler(one, scope, dict(context), place)

        return self.errors.evaluated(deepcopy(value), where, path, evaluate)

    def _values(self, section: str, key: str, context: dict[str, Any]) -> dict[str, Any]:
        rows = self.plan.get(section) or {}
        return {
            name: self._runtime(row[key], (section, name), f"{section}.{name}", None, context)
            for name, row in rows.items()
        }

    def _group(self, name: str, row: dict[str, Any]) -> dict[str, Any]:
        scaling = (self.plan.get("scaling_groups") or {}).get(name) or {}
        found = {"members": sorted(row["members"]), "policies": row.get("policies") or {}}
        return {**found, "scaling": scaling["properties"]} if "properties" in scaling else found

    def _node(self, name: str, node: dict[str, Any]) -> dict[str, Any]:
        instances = self.deployment.instances[name]
        first = instances[0] if instances else None
        where: Where = ("nodes", name)
        hint = {"instance_id_hint": first["id"]} if first else {}
        scope = scan.NODE_TEMPLATE_SCOPE
        place = f"nodes.{name}.properties"
        return {
            "type": node["type"],
            "properties": self._runtime(node["properties"], (*where, "properties"), place, scope, {**node, **hint}),
            "instances": len(instances),
            "relationships": [self._relationship(node, first, i) for i in range(len(node["relationships"]))],
            "operations": self._operations(node, first, (*where, "operations")),
        }

    def _operations(self, node: dict[str, Any], first: Any, where: Where) -> dict[str, Any]:
        found = {}
        for interface, declared in node["interfaces"].items():
            for short, operation in declared.items():
                name = f"{interface}.{short}"
                implementation = operation.get("implementation")
                if not implementation:
                    continue
                inputs = _own_inputs(node["operations"][name], implementation)
                if first:
                    place = (*where, name, "inputs")
                    inputs = self._runtime(inputs, place, "payload", scan.NODE_TEMPLATE_SCOPE, {"self": first["id"]})
                found[name] = {"implementation": implementation, "inputs": inputs}
        return found

    def _relationship(self, node: dict[str, Any], first: Any, index: int) -> dict[str, Any]:
        row = node["relationships"][index]
        target = row["target_id"]
        same = [other for other in node["relationships"][:index] if other["target_id"] == target and other["type"] == row["type"]]
        linked = [
            other["target_id"]
            for other in (first or {}).get("relationships", [])
            if other["target_name"] == target and other["type"] == row["type"]
        ]
        context = {"source_node": node["name"], "target_node": target}
        if linked:
            context |= {"source": first["id"], "target": linked[min(len(same), len(linked) - 1)]}
        found = {"type": row["type"], "target": target, "properties": row.get("properties") or {}}
        for side, interfaces in zip(_SIDES, ("source_interfaces", "target_interfaces"), strict=True):
            where = ("nodes", node["name"], "relationships", index, side)
            found[side] = self._side(row, side, interfaces, where, context if linked else None)
        return found

    def _side(self, row: Any, side: str, interfaces: str, where: Where, context: dict[str, Any] | None) -> dict[str, Any]:
        found = {}
        for interface, declared in (row.get(interfaces) or {}).items():
            for short, operation in declared.items():
                name, implementation = f"{interface}.{short}", operation.get("implementation")
                if not implementation:
                    continue
                inputs = _own_inputs(row[side][name], implementation)
                if context:
                    scope = scan.NODE_TEMPLATE_RELATIONSHIP_SCOPE
                    inputs = self._runtime(inputs, (*where, name), "payload", scope, context)
                found[name] = inputs
        return found


def _own_inputs(operation: dict[str, Any], implementation: str) -> dict[str, Any]:
    """The inputs of an operation without the script, which the engine adds."""
    return {
        key: value
        for key, value in operation["inputs"].items()
        if not (key in ("script_path", "script_source") and value == implementation)
    }


# -- requests ---------------------------------------------------------------------------------------------------------


def plain(value: Any) -> Any:
    """A copy of ``value`` as it comes back from JSON."""
    if isinstance(value, dict):
        return {_key(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, (set, frozenset)):
        return sorted((plain(item) for item in value), key=repr)
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    return value if value is None or isinstance(value, (str, int, float)) else str(value)


def _key(key: Any) -> str:
    if isinstance(key, str):
        return key
    return json.dumps(key) if key is None or isinstance(key, (bool, int, float)) else str(plain(key))


def _message(error: BaseException) -> str:
    text = str(error).strip()
    return text if text and isinstance(error, exceptions.DSLParsingException) else f"{type(error).__name__}: {text}"


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """The answer to one request; raises where the engine refuses all of it."""
    random.seed(0)  # names of instances
    errors = Errors()
    plan, assumed = parse(os.path.join(_STARTED, request["document"]), request.get("imports") or {})
    prepared = prepare(plan, request.get("inputs") or {}, errors)
    found = Answer(prepared, request, errors).answer()
    return {**found, "errors": errors.rows(), "assumed": assumed}


def guarded(line: str) -> dict[str, Any]:
    """The answer to one line; every failure is an answer too."""
    if MISSING:
        return {"error": f"there is no module {MISSING}", "missing": MISSING}
    signal.signal(signal.SIGALRM, _late)
    signal.alarm(SECONDS)
    try:
        request = json.loads(line)
        if not isinstance(request, dict) or not isinstance(request.get("document"), str):
            return {"error": "a request is a map with a document"}
        return answer(request)
    except TooLate:
        return {"error": f"the engine has not finished after {SECONDS} seconds"}
    except Exception as error:
        return {"error": _message(error)}
    finally:
        signal.alarm(0)


def _late(number: int, frame: FrameType | None) -> None:
    raise TooLate


_STARTED = os.getcwd()


def main() -> None:
    """Answer the requests on stdin until it ends."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    sys.setrecursionlimit(10_000)
    with tempfile.TemporaryDirectory() as empty:
        os.chdir(empty)  # the parser looks for imports in the current folder first
        for line in sys.stdin:
            if line.strip():
                answers.write(json.dumps(guarded(line)) + "\n")
                answers.flush()
        os.chdir(_STARTED)


if __name__ == "__main__":
    main()
