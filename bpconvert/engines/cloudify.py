"""Cloudify's own parser and function evaluation on one blueprint, offline.

Runs by its path with any Python that has ``cloudify-common``; imports nothing of bpconvert, reads nothing from the
network. One JSON request per line of standard input, one JSON answer per line of standard output, in order; everything
that is printed goes to standard error. A request (only ``document`` is needed)::

    {"document": path, "imports": {import: YAML or JSON text}, "inputs": {..},
     "nodes": {node: {runtime properties} or [{of the first instance}, ..]},
     "secrets": {..}, "system": {"deployment": {"id", "name", ..}, "tenant": {"name"}}, "labels": {label: [values]},
     "capabilities": {deployment: {capability: value}}, "environment_capabilities": {capability: value},
     "group_capabilities": {group: {deployment: {capability: value}}}, "consumers": {"ids": [..], "names": [..]}}

The answer::

    {"inputs": {..}, "nodes": {node: {"type", "properties", "instances", "relationships": [{"type", "target",
     "properties", "source_operations": {operation: inputs}, "target_operations"}],
     "operations": {"interface.operation": {"implementation", "inputs"}}}}, "outputs", "capabilities", "labels",
     "groups": {group: {"members", "policies", "scaling"}}, "policies": {policy: {"type", "properties", "targets"}},
     "errors": [{"where": [path], "message"}], "assumed": [text]}

or ``{"error": message}`` where the engine refuses the blueprint or the inputs. ``errors``: the single values that it
refuses to compute, null in the answer; a real deployment is not created then, or the operation fails. Properties and
operations are those of a node's first instance; without one, operations stay as they are, and so do the properties of
relationships, which nothing evaluates. Keys of maps are texts, as the plan of a manager has been through JSON.

What is not real, because there is no manager (``assumed`` lists it):

- an import that is neither a file nor handed in is empty. Then, and only then, types of nodes and relationships,
  policies and plugins that nothing defines are there, and accept what is used of them;
- scripts that are not there are;
- 1_0 and 1_1 are not held to what their version has: with Cloudify's own types they cannot be written."""

from __future__ import annotations

import datetime
import gc
import json
import os
import random
import signal
import sys
import tempfile
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from types import FrameType, SimpleNamespace
from typing import Any, Final

# this folder is where the script runs from; there, the name "cloudify" is this file: it comes last
sys.path[:] = [entry for entry in sys.path if Path(entry).resolve() != Path(__file__).resolve().parent]
sys.path.append(str(Path(__file__).resolve().parent))

try:
    from cloudify_imports import Assumptions, Imports, text_of
    from dsl_parser import constraints, exceptions, functions, models, multi_instance, scan, tasks, utils
    from dsl_parser import parser as dsl
    from dsl_parser.elements import blueprint as blueprint_element
    from dsl_parser.framework import parser as framework
except ImportError as missing:
    print(json.dumps({"error": str(missing), "missing": missing.name or str(missing)}), flush=True)
    sys.exit(1)

SECONDS: Final = 60
Where = tuple[Any, ...]
#: a value and its place in the engine's words -> the value without calls
Evaluate = Callable[[Any, str], Any]


class TooLate(BaseException):
    """The engine can loop for ever (``get_property`` in a circle). No Exception, as it catches those."""


# -- the blueprint ----------------------------------------------------------------------------------------------------


def parse(document: str, imports: dict[str, str]) -> tuple[Any, list[str]]:
    """The parser's plan of a blueprint, and what was assumed (``dsl_parser.parser._parse``, with assumptions). Requests
    in a row about the same files, with other inputs, get the same plan."""
    for key, read, plan, assumed in _LAST:
        if key == (document, imports) and all(text_of(name) == text for name, text in read.items()):
            return plan, assumed
    resolver = Imports(imports)
    resolver.read[document] = Path(document).read_text(encoding="utf-8")
    base, merged = dsl._resolve_blueprint_imports(
        dsl_location=document,
        dsl_string=resolver.read[document],
        resolver=resolver,
        resources_base_path=os.path.dirname(document),
        validate_version=True,
    )
    assumed = [f"imports.{name}" for name in resolver.assumed]
    assumptions = Assumptions(merged)
    if assumed:
        assumed += assumptions.complete()
    version = merged.get_item("tosca_definitions_version")[1].value
    with tempfile.TemporaryDirectory() as folder:
        assumed += assumptions.scripts(base, folder)
        if version in _OLD:
            assumed.append(f"tosca_definitions_version.{version}")
        plan = framework.parse(
            value=merged,
            inputs={"resource_base": [base, f"file:{folder}"], "validate_version": version not in _OLD},
            element_cls=blueprint_element.Blueprint,
        )
    constraints.validate_input_defaults(plan)
    functions.validate_functions(plan)
    plan["requirements"] = functions.find_requirements(plan)
    _LAST[:] = [((document, imports), resolver.read, plan, assumed)]
    return plan, assumed


#: what was parsed last: what was asked for, the files that it was made of, the plan, what was assumed
_LAST: Final[list[tuple[tuple[str, dict[str, str]], dict[str, str | None], Any, list[str]]]] = []
#: versions without ``required`` and ``data_types``, which Cloudify's own types need
_OLD: Final = ("cloudify_dsl_1_0", "cloudify_dsl_1_1")


class Errors:
    """The values that the engine refuses to compute."""

    def __init__(self) -> None:
        #: while the plan is prepared: the engine's words for the place -> message
        self.early: dict[Any, str] = {}
        self.found: dict[Where, str] = {}

    def prepared(self, value: Any, path: str, evaluate: Evaluate, owner: Any = None) -> Any:
        """``value`` with its calls computed, each by itself; a call that is refused stays as it is."""
        for key, below in _below(value, path):
            value[key] = self.prepared(value[key], below, evaluate, owner)
        if utils.get_function(value) is None and isinstance(value, (dict, list)):
            return value
        try:
            return evaluate(deepcopy(value), path)
        except Exception as error:
            self.early.setdefault((owner, path), _message(error))
            return value

    def computed(self, value: Any, path: str, evaluate: Evaluate, where: Where, early: Any) -> Any:
        """A copy of ``value`` with its calls computed, null for those that are refused or were early."""
        if isinstance(value, (dict, list)) and utils.get_function(value) is None:
            result = {**value} if isinstance(value, dict) else [*value]
            owner, start = early
            for key, below in _below(value, ""):
                result[key] = self.computed(value[key], path + below, evaluate, (*where, key), (owner, start + below))
            return result
        message = self.early.get(early)
        if message is None:
            try:
                return evaluate(deepcopy(value), path)
            except Exception as error:
                message = _message(error)
        self.found[where] = message
        return None


def _below(value: Any, path: str) -> list[tuple[Any, str]]:
    """The keys of a value that is no call, with their places in the engine's words (``scan.scan_properties``)."""
    if utils.get_function(value) is not None:
        return []
    if isinstance(value, dict):
        return [(key, f"{path}.{key}") for key in value]
    return [(index, f"{path}[{index}]") for index in range(len(value))] if isinstance(value, list) else []


def prepare(plan: Any, inputs: dict[str, Any], errors: Errors) -> Any:
    """The plan of a deployment: what does not need a running one is evaluated.

    The engine's own ``prepare_deployment_plan`` refuses all for one value: then the values are tried one by one, and
    those that it refuses stay calls. Raises where it is not for a value."""
    anything = SimpleNamespace(
        has_deployment_id=lambda: True, has_blueprint_id=lambda: True, get=lambda kind, value, **_: [value]
    )
    try:
        return tasks.prepare_deployment_plan(plan, lambda name: None, inputs=deepcopy(inputs), values_getter=anything)
    except Exception as error:
        refusal = error
    plan = models.Plan(deepcopy(plan))
    tasks._set_plan_inputs(plan, deepcopy(inputs), False, anything)
    handler = functions.plan_evaluation_handler(plan, False)

    def each(value: Any, scope: str, context: Any, path: str) -> Any:
        related = context.get("relationship")
        owner = context["node_template"]["relationships"].index(related) if related else None
        return errors.prepared(value, path, lambda v, p: handler(v, scope, context, p), owner)

    scan.scan_service_template(plan, each, replace=True)
    if not errors.early:
        raise refusal
    return multi_instance.create_deployment_plan(plan)


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
            values = (request.get("nodes") or {}).get(row["node_id"]) or {}
            if isinstance(values, list):
                values = values[len(listed)] if len(listed) < len(values) else {}
            defaults = {"index": len(listed) + 1, "scaling_groups": []}
            listed.append({**defaults, **row, "runtime_properties": plain(values)})
        self._by_id = {row["id"]: row for rows in self.instances.values() for row in rows}

    def get_input(self, name: str) -> Any:
        return deepcopy(_entry(self.plan["inputs"], name, "input"))

    def get_node(self, name: str) -> dict[str, Any]:
        node = _entry(self.nodes, name, "node")
        return {**node, "properties": deepcopy(node["properties"])}

    def get_node_instances(self, name: str) -> list[dict[str, Any]]:
        return deepcopy(_entry(self.instances, name, "node"))

    def get_node_instance(self, identity: str) -> dict[str, Any]:
        return deepcopy(_entry(self._by_id, identity, "node instance"))

    def get_secret(self, name: str) -> Any:
        value = self._sent("secrets", name)
        return SimpleNamespace(value=value if isinstance(value, str) else json.dumps(value))

    def get_capability(self, path: list[Any]) -> Any:
        capability = _entry(self._sent("capabilities", path[0]), path[1], "capability")
        return functions.get_nested_attribute_value_of_capability(capability, path)["value"]

    def get_environment_capability(self, path: list[Any]) -> Any:
        return functions.get_nested_attribute_value_of_capability(
            self._sent("environment_capabilities", path[0]), ["parent", *path]
        )["value"]

    def get_group_capability(self, path: list[Any]) -> Any:
        """Of each deployment that has it: a list, of several names lists, of ``deployment_id:name`` a map."""
        name = path[1]
        by_deployment = isinstance(name, str) and name.startswith("deployment_id:")
        names = name if isinstance(name, list) else [name.partition(":")[2] if by_deployment else name]
        collected: dict[str, Any] = {}
        for deployment, capabilities in sorted(self._sent("group_capabilities", path[0]).items()):
            if all(step in capabilities for step in names):
                nested = functions.get_nested_attribute_value_of_capability
                values = [nested(capabilities[step], [deployment, step, *path[2:]])["value"] for step in names]
                collected[deployment] = values if isinstance(name, list) else values[0]
        return collected if by_deployment else list(collected.values())

    def get_label(self, key: str, index: int | None) -> Any:
        own = {name: row["values"] for name, row in (self.plan.get("labels") or {}).items()}
        values = _entry({**own, **(self.request.get("labels") or {})}, key, "label")
        values = values if isinstance(values, list) else [values]
        return values if index is None else values[index]

    def get_sys(self, entity: str, name: str) -> Any:
        return _entry(self._sent("system", entity), name, entity)

    def get_consumers(self, name: str) -> Any:
        return len(self._sent("consumers", "ids")) if name == "count" else self._sent("consumers", name)

    def _sent(self, section: str, name: Any) -> Any:
        return _entry(self.request.get(section) or {}, name, section)


def _entry(entries: dict[str, Any], name: Any, kind: str) -> Any:
    if name not in entries:
        raise exceptions.FunctionEvaluationError(kind, f"{name} is not there")
    return entries[name]


class Answer:
    """Evaluates what a deployment evaluates while it runs, and says so."""

    def __init__(self, plan: Any, request: dict[str, Any], errors: Errors) -> None:
        self.plan: dict[str, Any] = plain(plan)
        self.errors = errors
        self.deployment = Deployment(self.plan, request)

    def answer(self) -> dict[str, Any]:
        """All of it but ``errors`` and ``assumed``."""
        plan = self.plan
        return {
            "inputs": plan["inputs"],
            "nodes": {name: self._node(name, node) for name, node in self.deployment.nodes.items()},
            "outputs": self._values("outputs", "value", {"evaluate_outputs": True}),
            "capabilities": self._values("capabilities", "value", {}),
            "labels": self._values("labels", "values", {}),
            "groups": {name: self._group(name, row) for name, row in (plan["groups"] or {}).items()},
            "policies": {
                name: {
                    "type": row["type"],
                    "properties": self._static(row["properties"], ("policies", name, "properties")),
                    "targets": row["targets"],
                }
                for name, row in (plan.get("policies") or {}).items()
            },
        }

    def _runtime(self, value: Any, where: Where, scope: str | None, context: dict[str, Any], early: Any) -> Any:
        def evaluate(part: Any, path: str) -> Any:
            handler = functions.runtime_evaluation_handler(self.deployment)
            return handler(part, scope, dict(context), path)

        path = early[1] if scope is None or "self" not in context else "payload"
        return self.errors.computed(value, path, evaluate, where, early)

    def _static(self, value: Any, where: Where) -> Any:
        """A value that only the preparation of the plan evaluates."""
        return self.errors.computed(value, "", lambda part, path: part, where, (None, ".".join(where)))

    def _values(self, section: str, key: str, context: dict[str, Any]) -> dict[str, Any]:
        rows = (self.plan.get(section) or {}).items()
        return {
            name: self._runtime(row[key], (section, name), None, context, (None, f"{section}.{name}.{key}"))
            for name, row in rows
        }

    def _group(self, name: str, row: dict[str, Any]) -> dict[str, Any]:
        scaling = (self.plan.get("scaling_groups") or {}).get(name) or {}
        group = {"members": sorted(row["members"]), "policies": row.get("policies") or {}}
        return {**group, "scaling": scaling["properties"]} if "properties" in scaling else group

    def _node(self, name: str, node: dict[str, Any]) -> dict[str, Any]:
        instances = self.deployment.instances[name]
        hint = {"instance_id_hint": instances[0]["id"]} if instances else {}
        where: Where = ("nodes", name)
        early = (None, f"nodes.{name}.properties")
        scope, place = scan.NODE_TEMPLATE_SCOPE, (*where, "properties")
        context = {"self": instances[0]["id"]} if instances else None
        operations = self._operations(node["interfaces"], node["operations"])
        return {
            "type": node["type"],
            "properties": self._runtime(node["properties"], place, scope, {**node, **hint}, early),
            "instances": len(instances),
            "relationships": [self._relationship(node, index) for index in range(len(node["relationships"]))],
            "operations": {
                short: {
                    "implementation": code,
                    "inputs": self._inputs(
                        inputs,
                        (*where, "operations", short, "inputs"),
                        context,
                        None,
                        f"nodes.{name}.operations.{short}",
                    ),
                }
                for short, code, inputs in operations
            },
        }

    def _relationship(self, node: dict[str, Any], index: int) -> dict[str, Any]:
        row, name = node["relationships"][index], node["name"]
        key = (row["target_id"], row["type"])
        before = sum((other["target_id"], other["type"]) == key for other in node["relationships"][:index])
        first: dict[str, Any] = next(iter(self.deployment.instances[name]), {"relationships": []})
        linked = [
            other["target_id"] for other in first["relationships"] if (other["target_name"], other["type"]) == key
        ]
        context = None
        if linked:
            ends = {"source": first["id"], "target": linked[min(before, len(linked) - 1)]}
            context = {**ends, "source_node": name, "target_node": row["target_id"]}
        relationship = {"type": row["type"], "target": row["target_id"], "properties": row.get("properties") or {}}
        for side in ("source", "target"):
            operations = self._operations(row.get(f"{side}_interfaces") or {}, row[f"{side}_operations"])
            relationship[f"{side}_operations"] = {
                operation: self._inputs(
                    inputs,
                    ("nodes", name, "relationships", index, f"{side}_operations", operation),
                    context,
                    index,
                    f"nodes.{name}.{row['type']}.{operation}",
                )
                for operation, _, inputs in operations
            }
        return relationship

    def _operations(self, interfaces: dict[str, Any], prepared: dict[str, Any]) -> Iterator[tuple[str, str, Any]]:
        """Operations that do something: name with interface, code, inputs without the script that the engine adds."""
        for interface, operations in interfaces.items():
            for short, row in operations.items():
                name, code = f"{interface}.{short}", row.get("implementation")
                if code:
                    inputs = prepared[name]["inputs"]
                    added = [key for key in ("script_path", "script_source") if inputs.get(key) == code]
                    yield name, code, {key: value for key, value in inputs.items() if key not in added}

    def _inputs(self, inputs: Any, where: Where, context: dict[str, Any] | None, owner: Any, path: str) -> Any:
        """The inputs of an operation of an instance or of a pair of them; as they are where there is none."""
        if context is None:
            return self.errors.computed(inputs, "", lambda part, _: part, where, (owner, f"{path}.inputs"))
        scope = scan.NODE_TEMPLATE_SCOPE if "self" in context else scan.NODE_TEMPLATE_RELATIONSHIP_SCOPE
        return self._runtime(inputs, where, scope, context, (owner, f"{path}.inputs"))


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
    errors = Errors()
    plan, assumed = parse(os.path.join(_STARTED, request["document"]), request.get("imports") or {})
    random.seed(0)  # names of instances
    prepared = prepare(plan, request.get("inputs") or {}, errors)
    answer = Answer(prepared, request, errors).answer()
    rows = [{"where": list(where), "message": message} for where, message in errors.found.items()]
    return {**answer, "errors": rows, "assumed": assumed}


def guarded(line: str) -> dict[str, Any]:
    """The answer to one line; every failure is an answer too."""
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
    gc.set_threshold(100_000, 20, 100)  # engines make many objects that stay: looking at them costs a fifth of the time
    main()
