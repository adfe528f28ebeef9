"""Scripts of operations as software deployments on servers.

Both engines export the inputs as environment variables (cloudify's script_runner/tasks.py, the Heat agent's script
hook); the names follow heat-translator: ``<node>_<operation>_config`` and ``_deploy``."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.topology import Node, Operation
from bpconvert.translators.hot import resource_types
from bpconvert.translators.hot.write.context import Context
from bpconvert.translators.hot.write.draft import Draft
from bpconvert.translators.hot.write.recognised_software import Recognised
from bpconvert.translators.hot.write.rewriter import HotRewriter
from bpconvert.translators.passes.software.values import DERIVED

#: kinds of nodes that scripts run on
_HOSTS = frozenset({"server", "compute"})
#: Operations that the workflows install and uninstall run. The deployments wait for each other in this order: what is
#: last made is first deleted, so the operations of uninstall stand in reverse.
_INSTALL = ("precreate", "create", "preconfigure", "configure", "postconfigure", "start", "poststart", "establish")
_UNINSTALL = ("postdelete", "delete", "unlink", "stop", "prestop")
_RANKS = {name: rank for rank, name in enumerate((*_INSTALL, *_UNINSTALL))}
_INTERFACES = frozenset({"cloudify.interfaces.lifecycle", "cloudify.interfaces.relationship_lifecycle"})
_SCRIPT = re.compile(r"[^\s]+\.(sh|bash|py|ps1|rb|pl|bat)", re.IGNORECASE)
_CTX = re.compile(r"(?<![\w.$-])ctx(?![\w=-])")
#: end of a script's name -> its first line
_INTERPRETERS = {
    ".py": "#!/usr/bin/env python3", ".bash": "#!/bin/bash", ".rb": "#!/usr/bin/env ruby", ".pl": "#!/usr/bin/env perl",
}  # fmt: skip
#: works from the manager, but runs the script on the server
_FABRIC = "fabric.fabric_plugin.tasks.run_script"
#: functions of plugins that run a script which one of their inputs names, and their other inputs that are no variables
_RUNNERS: dict[str, tuple[str, ...]] = {
    "script.script_runner.tasks.run": ("ssl_cert_content",),
    "script_runner.tasks.run": ("ssl_cert_content",),
    _FABRIC: ("fabric_env", "use_sudo", "hide_output"),
}


@dataclass(eq=False, repr=False)
class Script:
    """What an operation runs: a file (``name``), or the text itself (no name), and the variables it is given: name ->
    value and its place below the operation. ``settings``: inputs that are none."""

    name: str | None
    text: str
    inputs: dict[str, tuple[Value, Path]] = field(default_factory=dict)
    settings: list[Path] = field(default_factory=list)


class Deployments:
    """Lowers the operations of nodes. ``files``: the scripts that deployments use. ``lasts``: node -> the last
    deployment of its operations. ``reached``: server (resource name) -> the node of the server."""

    def __init__(self, context: Context, rewriter: HotRewriter) -> None:
        self.context = context
        self.rewriter = rewriter
        self.files: dict[str, str] = {}
        self.lasts: dict[str, str] = {}
        self.reached: dict[str, Node] = {}

    def draft(self, node: Node) -> tuple[list[Draft], list[Operation]]:
        """The configurations and deployments of a node's operations, in the order in which they run, and the operations
        that cannot be run."""
        drafts: list[Draft] = []
        carried: list[Operation] = []
        running: list[tuple[Operation, Script, Node]] = []
        for operation in node.operations:
            script = _script(operation)
            server = self._server(node, operation)
            why = self._unfit(operation, script, server)
            if why is None and script is not None and server is not None:
                running.append((operation, script, server))
                continue
            carried.append(operation)
            own = operation.path[: len(node.path)] == node.path
            if own or script is not None or node.kind is not None:  # what a stand-in does not do, is said of it
                self.context.reporter.report(
                    "BPC391",
                    operation.path or node.path,
                    name=_named(operation),
                    implementation=_short(operation.implementation),
                    why=why,
                )
        for operation, script, server in sorted(running, key=lambda item: _RANKS[item[0].name]):
            config, deployment = self._deployment(node, operation, script, server)
            if drafts:
                deployment.depends_on.append(drafts[-1].name)
            drafts += [config, deployment]
        if drafts:
            self.lasts[node.name] = drafts[-1].name
        return drafts, carried

    def take(self, recognised: list[Recognised]) -> None:
        """The deployments that were recognised: their servers need the Heat agent, their scripts are in the bundle."""
        for found in recognised:
            machine = self.context.names.resource(found.server)
            self.reached.setdefault(machine, self.context.topology.nodes[found.server])
            what = {"deployment": self.context.names.resource(found.node), "server": machine}
            for operation in found.operations:
                self.context.reporter.report("BPC390", operation.path, name=_named(operation), **what)
                values = self.context.topology.nodes[found.node].properties.get("input_values", {})
                script = _script(operation)
                for name, (_, place) in script.inputs.items() if script is not None else ():
                    if name in values:  # those that Heat gives as well are none of them
                        self._check_variable(name, values[name], {}, (*operation.path, *place))
            if found.file is not None:
                self._text(Script(found.file, ""), found.path)

    # -- which and where ------------------------------------------------------------------------------------

    def _server(self, node: Node, operation: Operation) -> Node | None:
        """The server that an operation runs on."""
        nodes = self.context.topology.nodes
        side = nodes.get(operation.target or "") if operation.host == "target" else node
        seen: set[str] = set()
        while side is not None and side.kind not in _HOSTS:
            if side.name in seen:
                return None
            seen.add(side.name)
            side = nodes.get(side.host or "")
        return side

    def _unfit(self, operation: Operation, script: Script | None, server: Node | None) -> str | None:
        """Why an operation cannot be a deployment, None if it can."""
        if operation.interface not in _INTERFACES or operation.name not in _RANKS:
            return "it is no part of creating or deleting a stack"
        if script is None:
            return "it is a function of a plugin"
        if operation.extra.get("executor") == "central_deployment_agent" and operation.implementation != _FABRIC:
            return "it runs on the manager"
        if server is None:
            return "it runs on no server of the template"
        if server.external_name is not MISSING:
            return f"the server '{server.name}' is known by its name only"
        if self.context.is_group(server):
            return f"there may be several of the server '{server.name}'"
        return None

    # -- one operation --------------------------------------------------------------------------------------

    def _deployment(self, node: Node, operation: Operation, script: Script, server: Node) -> tuple[Draft, Draft]:
        context, path = self.context, operation.path or node.path
        base = "_".join((node.name, *((operation.target,) if operation.target else ()), operation.name))
        config = Draft(node, context.names.fresh_resource(f"{base}_config"), resource_types.SOFTWARE_CONFIG, part=True)
        name = context.names.fresh_resource(f"{base}_deploy")
        deployment = Draft(node, name, resource_types.SOFTWARE_DEPLOYMENT, part=True)
        machine = context.names.resource(server.name)
        context.reporter.report("BPC390", path, name=_named(operation), deployment=deployment.name, server=machine)
        self.reached.setdefault(machine, server)
        values = {name: self._variable(name, value, (*path, *place)) for name, (value, place) in script.inputs.items()}
        actions = ["CREATE" if operation.name in _INSTALL else "DELETE"]
        own = {"deploy_action": actions[0], "deploy_resource_name": deployment.name, "deploy_server_id": machine}
        for name, (_, place) in script.inputs.items():
            self._check_variable(name, values[name], own, (*path, *place))
        config.properties["group"] = "script"
        if values:
            config.properties["inputs"] = [{"name": name} for name in values]
        config.properties["config"] = self._text(script, (*path, "implementation"))
        deployment.properties["config"] = ex.Identity(config.name)
        deployment.properties["server"] = ex.Identity(machine)
        if values:
            deployment.properties["input_values"] = values
        deployment.properties["actions"] = actions
        config.condition = deployment.condition = self._condition(node, server)
        once = {"executor"} if operation.extra.get("max_retries") else {"executor", "max_retries"}
        for place in (*script.settings, *((key,) for key in operation.extra if key not in once)):
            context.reporter.report("BPC396", (*path, *place), name=place[-1])
        config.moves.append((path, ("resources", config.name)))
        deployment.moves.append(((*path, "inputs"), deployment.place("input_values")))
        return config, deployment

    def _text(self, script: Script, path: Path) -> Value:
        """What stands behind ``config``: the text, or the file, which is part of the bundle."""
        if script.name is None:
            self._check(script.text.strip().splitlines()[0], script.text, path)
            return script.text
        if "://" not in script.name:
            text, code = self.context.request.files.read(script.name)
            if text is None:
                self.context.reporter.report(code, path, name=script.name)
            else:
                self.files[script.name] = text
                self._check(script.name, text, path)
        return ex.File(script.name)

    def _check(self, name: str, text: str, path: Path) -> None:
        """Report what the Heat agent does in another way than the script plugin."""
        if _CTX.search(text):
            self.context.reporter.report("BPC392", path, script=name, why="uses ctx, which only Cloudify has")
        if name.lower().endswith(".ps1"):
            self.context.reporter.report("BPC392", path, script=name, why="is for PowerShell, which no agent runs")
        elif not text.startswith("#!"):
            line = next((line for end, line in _INTERPRETERS.items() if name.lower().endswith(end)), "#!/bin/sh")
            why = f"does not begin with the line that names its interpreter ({line})"
            self.context.reporter.report("BPC392", path, script=name, why=why)

    def _variable(self, name: str, value: Value, path: Path) -> Value:
        """The value of a variable: what is known as the script plugin writes it."""
        said = value if ex.is_constant(value) else self.rewriter.value(value, path)
        if ex.is_constant(said):
            if isinstance(said, (dict, list, bool)):
                return json.dumps(said)
            return said if isinstance(said, str) else str(said)
        if self._kind(value) not in ("string", "number", ""):
            self.context.reporter.report("BPC395", path, name=name)
        return said

    def _check_variable(self, name: str, value: Value, own: dict[str, str], path: Path) -> None:
        """Report a variable of which Heat sets another value; ``own``: those that are known, a server by its name."""
        same = value.node if isinstance(value, ex.Identity) else value
        if DERIVED.fullmatch(name) and (name not in own or same != own[name]):
            self.context.reporter.report("BPC399", path, name=name)

    def _kind(self, value: Value) -> str:
        """The neutral type of what a variable holds, as far as it is plain to see; "" for what is text mostly."""
        if isinstance(value, (dict, list)):
            return "json"
        if isinstance(value, ex.Input) and isinstance(value.name, str) and not value.keys:
            declared = self.context.topology.inputs.get(value.name)
            return (declared.type if declared else None) or ""
        return ""

    def _condition(self, node: Node, server: Node) -> Value:
        """A deployment needs its node and the server to be there."""
        found: list[Value] = []
        for owner in (node, server):
            if owner.condition is not MISSING and owner.condition not in found:
                found.append(owner.condition)
        if not found:
            return MISSING
        whole = found[0] if len(found) == 1 else ex.And(tuple(found))
        return self.rewriter.condition(whole, (*node.path, "condition"))


def reach(context: Context, drafts: dict[str, Draft], reached: dict[str, Node]) -> None:
    """Let the Heat agent on each server know of its deployments (heat/engine/resources/openstack/nova/server.py)."""
    names = list(reached)
    if names:
        more = {0: "", 1: " and another server"}.get(len(names) - 1, f" and {len(names) - 1} other servers")
        context.reporter.report("BPC378", reached[names[0]].path, servers=f"'{names[0]}'{more}")
    for name, node in reached.items():
        draft, report = drafts.get(name), context.reporter.report
        if draft is None:
            continue
        if draft.type != resource_types.SERVER:
            report("BPC394", node.path, name=name, why="Heat has not created it")
            continue
        if draft.external_id is not MISSING:
            report("BPC394", node.path, name=name, why="it exists already")
            continue
        wanted = draft.properties.get("user_data_format", "RAW")
        if wanted == "SOFTWARE_CONFIG":
            continue
        if wanted != "RAW":
            why = "its user_data_format is not SOFTWARE_CONFIG"
            report("BPC394", node.origin("user_data_format"), name=name, why=why)
            continue
        draft.properties["user_data_format"] = "SOFTWARE_CONFIG"
        report("BPC393", _agent(node), name=name)


def _agent(node: Node) -> Path:
    """Where a server says that it has no agent of Cloudify, else the server's place."""
    config = node.declared.get("agent_config")
    has_none = isinstance(config, dict) and config.get("install_method") == "none"
    return (*node.path, "properties", "agent_config") if has_none else node.path


def _script(operation: Operation) -> Script | None:
    """What an operation runs, None for a function of a plugin.

    The inputs are variables, but for ``process``, whose ``env`` has more of them (script_runner/tasks.py)."""
    inputs: dict[str, tuple[Value, Path]] = {
        str(name): (value, ("inputs", name)) for name, value in operation.inputs.items()
    }
    settings: list[Path] = []
    place = operation.implementation
    if place in _RUNNERS and isinstance(operation.inputs.get("script_path"), str):
        settings = [inputs.pop(name)[1] for name in _RUNNERS[place] if name in inputs]
        place = inputs.pop("script_path")[0]
    process, where = inputs.pop("process", (None, ()))
    for key, value in process.items() if isinstance(process, dict) else ():
        if key == "env" and isinstance(value, dict):
            inputs.update({str(name): (part, (*where, key, name)) for name, part in value.items()})
        elif (key, value) != ("eval_python", False):  # the Heat agent always runs the file itself
            settings.append((*where, key))
    if process and not isinstance(process, dict):
        settings.append(where)
    if "\n" in place.strip():
        return Script(None, place, inputs, settings)
    return Script(place, "", inputs, settings) if _SCRIPT.fullmatch(place) else None


def _named(operation: Operation) -> str:
    name = f"{operation.interface}.{operation.name}"
    return f"{name} to {operation.target}" if operation.target else name


def _short(text: str) -> str:
    lines = text.strip().splitlines() or [""]
    return lines[0] if len(lines) == 1 else f"{lines[0]} ..."
