"""Software components that are nothing but the deployment of one script, as :mod:`cloudify.software` writes them: they
become deployments under their own names again."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.topology import Node, Operation, Topology
from bpconvert.translators.hot import DIALECT, resource_types
from bpconvert.translators.passes.software import runner
from bpconvert.translators.support.text import fresh

_COMPONENT = "cloudify.nodes.SoftwareComponent"
_ACTIONS = {
    ("cloudify.interfaces.lifecycle", "create"): "CREATE",
    ("cloudify.interfaces.lifecycle", "update"): "UPDATE",
    ("cloudify.interfaces.lifecycle", "delete"): "DELETE",
    ("cloudify.interfaces.freeze", "suspend"): "SUSPEND",
    ("cloudify.interfaces.freeze", "resume"): "RESUME",
}
#: what Heat does without ``actions``
_DEFAULT = {"CREATE", "UPDATE"}
#: as Cloudify's operation says that it is not tried again
_ONCE = {"max_retries": 0}
#: a script that was written in the template: the configuration's name, and a digest
_GENERATED = re.compile(r"scripts/(.+)-[0-9a-f]{6}\.\w+")
_STRUCTURES = {"json": "Json", "list": "CommaDelimitedList"}


class Script(NamedTuple):
    """What a deployment runs: a file of the bundle, or the text; and where that is said."""

    file: str | None
    text: Value
    path: Path


class Recognised(NamedTuple):
    """A deployment (``node``, ``server``: names) that was recognised, the operations that it was, and the file of the
    bundle that it runs, which ``path`` names (None: its text is said)."""

    node: str
    server: str
    operations: list[Operation]
    file: str | None
    path: Path


class _Run(NamedTuple):
    """One operation: its action, script, outputs (name -> whether it means failure) and variables."""

    action: str
    script: Script
    outputs: dict[str, bool]
    variables: dict[str, Value]


def recognise(topology: Topology) -> list[Recognised]:
    """Replace such nodes in ``topology`` by deployments and configurations."""
    found: list[Recognised] = []
    configs: dict[str, str] = {}
    made: dict[str, Node] = {}
    taken = {*topology.nodes, *topology.inputs}
    for node in topology.nodes.values():
        server = topology.nodes.get(node.host or "")
        runs = _runs(topology, node, server) if server is not None and server.kind == "server" else None
        if runs and server is not None:
            config = _config(topology, node, runs[0])
            key = repr(config.properties)
            if key not in configs:
                configs[key] = config.name = fresh(config.name, taken)
                taken.add(config.name)
                made[config.name] = config
            script = runs[0].script
            found.append(Recognised(node.name, server.name, node.operations, script.file, script.path))
            _deployment(node, runs, configs[key], server)
        made[node.name] = node
    if found:
        topology.nodes = made
    return found


def _runs(topology: Topology, node: Node, server: Node) -> list[_Run] | None:
    """The operations, which all run the same script with the same variables; None where they do not."""
    several = node.instances is not MISSING and node.instances != 1
    if node.source_type != _COMPONENT or node.properties or several or not node.operations or node.native is not None:
        return None
    if (
        server.external_name is not MISSING
        or server.limits[1] is not MISSING
        or (server.instances is not MISSING and server.instances != 1)
    ):
        return None
    runs = [run for operation in node.operations if (run := _run(node, server, operation)) is not None]
    same = all(run[1].text == runs[0].script.text and run.script.file == runs[0].script.file for run in runs)
    if len(runs) != len(node.operations) or not same or any(run[2:] != runs[0][2:] for run in runs):
        return None
    return runs if _fits(topology, runs[0]) else None


def _fits(topology: Topology, run: _Run) -> bool:
    """False where a variable would get another text from Heat's agent."""
    kinds = [_kind(topology, value) for value in run.variables.values()]
    return "boolean" not in kinds


def _run(node: Node, server: Node, operation: Operation) -> _Run | None:
    action = _ACTIONS.get((operation.interface, operation.name))
    if action is None or operation.extra != _ONCE or operation.target is not None:
        return None
    inputs = dict(operation.inputs)
    process = inputs.pop("process", {})
    if not isinstance(process, dict) or not process.keys() <= {"eval_python", "env"} or process.get("eval_python"):
        return None
    outputs: dict[str, bool] = {}
    place = operation.path
    script = Script(operation.implementation, None, (*place, "implementation"))
    if operation.implementation == runner.PATH:
        names = [inputs.pop(key, "") for key in (runner.OUTPUTS, runner.ERRORS)]
        if not all(isinstance(name, str) for name in names):
            return None
        outputs = {name: False for name in names[0].split() if name not in runner.ALWAYS}
        outputs |= dict.fromkeys(names[1].split(), True)
        file, text = inputs.pop(runner.FILE, None), inputs.pop(runner.TEXT, None)
        script = Script(file, text, (*place, "inputs", runner.FILE if file else runner.TEXT))
        if (file is None) is (text is None) or not isinstance(file, (str, type(None))):
            return None
    inputs |= process.get("env") or {}
    variables = {name: value for name, value in inputs.items() if not _is_derived(node, server, action, name, value)}
    return _Run(action, script, outputs, variables)


def _is_derived(node: Node, server: Node, action: str, name: str, value: Value) -> bool:
    """True for a variable that Heat itself gives every script."""
    if name == "deploy_server_id":
        return isinstance(value, (ex.Identity, ex.Attribute)) and value.node == server.name
    own = {"deploy_action": action, "deploy_resource_name": node.name}
    return name in own and isinstance(value, str) and value == own[name]


def _config(topology: Topology, node: Node, run: _Run) -> Node:
    """The configuration, named after its file."""
    inputs: list[Value] = []
    for name, value in run.variables.items():
        kind = _STRUCTURES.get(_kind(topology, value))
        inputs.append({"name": name, "type": kind} if kind else {"name": name})
    properties: dict[str, Value] = {"group": "script"}
    if inputs:
        properties["inputs"] = inputs
    if run.outputs:
        properties["outputs"] = [
            {"name": name, "error_output": True} if fails else {"name": name} for name, fails in run.outputs.items()
        ]
    text = run.script.text
    name = f"{node.name}_config"
    if run.script.file is not None:
        text = ex.File(run.script.file)
        generated = _GENERATED.fullmatch(run.script.file)
        name = generated[1] if generated and generated[1] not in topology.nodes else name
    properties["config"] = text
    return _part(node, name, properties, run.script.path)


def _part(node: Node, name: str, properties: dict[str, Value], path: Path) -> Node:
    made = Node(name, resource_types.SOFTWARE_CONFIG, "software_config", properties, condition=node.condition)
    made.native = DIALECT
    made.path = (*node.path, "interfaces")
    made.origins = {("config",): path}
    return made


def _deployment(node: Node, runs: list[_Run], config: str, server: Node) -> None:
    """Make the node a deployment."""
    properties: dict[str, Value] = {"config": ex.Identity(config), "server": ex.Identity(server.name)}
    values = {name: _value(value) for name, value in runs[0].variables.items()}
    if values:
        properties["input_values"] = values
    actions = [run.action for run in runs]
    if set(actions) != _DEFAULT:
        properties["actions"] = actions
    operation = node.operations[0]
    for name in ("config", "server", "input_values", "actions"):
        node.origins[name,] = operation.path
    for name in values:
        node.origins["input_values", name] = (*operation.path, "inputs", name)
    node.kind, node.native, node.source_type = "software_deployment", DIALECT, resource_types.SOFTWARE_DEPLOYMENT
    node.properties, node.operations, node.host = properties, [], None
    used = set(_nodes(properties))
    node.relationships = [one for one in node.relationships if one.target not in used]


def _nodes(value: Value) -> Iterator[str]:
    for found in ex.walk(value):
        if isinstance(found, (ex.Identity, ex.Attribute)) and isinstance(found.node, str):
            yield found.node


def _value(value: Value) -> Value:
    """The value whose text Heat's agent makes the same; ``concat`` of one thing is the text that Python makes of it."""
    if isinstance(value, ex.Concat) and len(value.items) == 1:
        return value.items[0]
    if not ex.is_constant(value) or isinstance(value, str):
        return value
    return json.dumps(value) if isinstance(value, (dict, list, bool)) else str(value)


def _kind(topology: Topology, value: Value) -> str:
    """The neutral type of what a variable holds, where that is a whole input."""
    if isinstance(value, ex.Input) and isinstance(value.name, str) and not value.keys:
        declared = topology.inputs.get(value.name)
        return (declared.type if declared else None) or ""
    return "json" if isinstance(value, dict) and not ex.is_constant(value) else ""
