"""The scripts of Cloudify's operations, as its script plugin runs them (script_runner/tasks.py)."""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Value
from bpconvert.models.light import replace
from bpconvert.models.topology import Node, Operation, Script
from bpconvert.translators.cloudify import playbooks, runner
from bpconvert.translators.cloudify.programs import COMMANDS, FABRIC, RUNNERS, SCRIPT_FILE, SOFTWARE, is_evaluated
from bpconvert.translators.cloudify.programs import script as program
from bpconvert.translators.cloudify.publishing import unpublished
from bpconvert.translators.comparing import scripts
from bpconvert.translators.comparing.model import Part, Run, Scripts, Side
from bpconvert.translators.passes.expressions.kinds import has_number
from bpconvert.translators.passes.software import over
from bpconvert.translators.passes.software.kinds import RANKS, STARTS
from bpconvert.translators.passes.software.machines import addressed, is_local
from bpconvert.translators.passes.software.playbooks import published
from bpconvert.translators.passes.software.starting import started

_INTERFACES: Final = tuple(f"cloudify.interfaces.{name}" for name in ("lifecycle", "relationship_lifecycle", "freeze"))
#: the type of a node that is nothing but its scripts
_COMPONENT: Final = "cloudify.nodes.SoftwareComponent"
#: the types of software
_KINDS: Final = frozenset(SOFTWARE.roles.values())
#: the first line of a script that is run by its text
_SHELL: Final = "#!/bin/bash\n"
#: the operation of a relationship that is there
_THERE: Final = "establish"
#: work from the manager on servers
_REMOTE: Final = (FABRIC, COMMANDS)


class Operations(Scripts):
    """Operations of nodes and of their relationships."""

    def servers(self, side: Side, node: Node) -> Iterator[Node]:
        """The servers of a software component."""
        for operation in node.operations if node.source_type == _COMPONENT else ():
            server = scripts.host(side, node, operation)
            if server is not None:
                yield server

    def runs(self, side: Side, part: Part) -> Iterator[Run]:
        """The operations of a node that run something, in the order of its life."""
        operations = _in_the_node(part.node)
        for operation in sorted(operations, key=lambda operation: RANKS.get(operation.name, 0)):
            if operation.implementation:
                yield _operated(side, part, operation)

    def agent(self, side: Side, run: Run, server: Node) -> None:
        """Cloudify's agent, unless none is installed."""
        config = side.value(server.declared.get("agent_config"))
        method = config.get("install_method") if isinstance(config, dict) else None
        run.add("agent", method != "none", (*server.path, "properties", "agent_config"))

    def is_bare(self, node: Node, properties: Mapping[Any, Value]) -> bool:
        """True for software without properties, of whatever type."""
        return not properties and not _KINDS.isdisjoint((node.source_type, *node.ancestry))

    def plain(self, text: str) -> str:
        """Without the function that stands for the command ``ctx`` elsewhere."""
        first = "" if text.startswith("#!") else _SHELL
        script = unpublished("", first + text)
        return text if script is None else script.text.removeprefix(first)


def _in_the_node(node: Node) -> list[Operation]:
    """The operations of a node. What relationships run over an inventory when they are there, it runs last of all, as
    other orchestrators do (:mod:`~bpconvert.translators.passes.software.over`)."""
    between = [
        operation
        for operation in node.operations
        if operation.target and operation.name == _THERE and playbooks.over(operation) is not None
    ]
    last = dict(zip(map(id, between), over.steps(node, len(between)), strict=False))
    return [
        replace(operation, interface=_INTERFACES[0], name=last[id(operation)], target=None)
        if id(operation) in last
        else operation
        for operation in node.operations
    ]


def _operated(side: Side, part: Part, operation: Operation) -> Run:
    """What an operation of a node runs."""
    node = part.node
    base = f"{part.name}_{side.name_of(operation.target)}" if operation.target else part.name
    path = operation.path or node.path
    match = scripts.NAMED.fullmatch(base)
    run = Run(base, operation.name, path)
    if match and len(node.operations) == 1 and scripts.ACTIONS.get(operation.name) == scripts.ACTIONS[match[2]]:
        run = Run(match[1], match[2], path)
    inputs = _inputs(side, node, operation)
    inputs = dict(inputs) if isinstance(inputs, dict) else {}
    script_run = program(operation)
    server = scripts.host(side, node, operation)
    if script_run is not None and script_run.address is not ex.MISSING:
        server = addressed(side.topology, script_run.address)
    script = _implementation(run, operation, inputs) if script_run is None or not script_run.tool else script_run.file
    if script_run is not None and operation.implementation == COMMANDS:
        for name, value in inputs.items():
            if name != "commands":
                run.add(name, value, (*path, "inputs", name))
        script, inputs = script_run.text, {name: side.value(value) for name, (value, _) in script_run.inputs.items()}
    if script_run is not None and script_run.tool:
        server = server or scripts.host(side, node, operation)
    is_step = operation.interface in _INTERFACES and operation.name in scripts.ACTIONS
    central = operation.extra.get("executor") == "central_deployment_agent" and operation.implementation not in _REMOTE
    by_tool = script_run is not None and bool(script_run.tool)
    central = (central or (by_tool and script_run is not None and script_run.central)) and not is_local(server)
    if not is_step or script is None or server is None or central:
        step = operation.name if is_step and script is not None else f"{operation.interface}.{operation.name}"
        run.kind, run.operation = scripts.OPERATION, step
        play = None if by_tool else playbooks.over(operation)
        if play is not None:
            return scripts.over(side, run, play, operation.name)
        run.values, run.places = {}, {}
        implementation = script_run.file if script_run is not None and script_run.tool else operation.implementation
        if script_run is not None and script_run.file is not None and not script_run.tool:
            text = side.files.look(script_run.file)[0]
            set_up = None if text is None else _started(side, node, operation, text)
            text = text if set_up is None else set_up[0]
            implementation = implementation if text is None else text
        # where the plugin runs what it is given follows from its inputs as well
        implementation = scripts.by_shell(implementation)
        run.add("implementation", implementation, path if implementation in _REMOTE else (*path, "implementation"))
        return run
    run.add("server", side.identity(server), path)
    run.add("action", scripts.ACTIONS[operation.name], path)
    run.add("is waited for", True, path)
    run.is_remote = operation.implementation in _REMOTE or (script_run is not None and bool(script_run.tool))
    if node.kind is None and "name" not in (node.declared or {}):  # that of a server is not that of what runs on it
        run.add("name", part.properties.get("name"), node.origin("name"))
    for key, value in operation.extra.items():
        if key != "executor" and value:
            run.add(key, value, (*path, key))
    if script_run is not None and script_run.tool:
        return _by_tool(side, run, node, script_run)
    _file(side, run, part, operation, script, inputs)
    _variables(side, run, part, inputs)
    return run


def _by_tool(side: Side, run: Run, node: Node, script_run: Script) -> Run:
    """A file that another program runs, with its variables, and what it publishes of itself."""
    place = (*run.path, "implementation")
    run.add("script", side.files.look(script_run.file or "")[0] or script_run.file, place)
    run.add("tool", script_run.tool, place)
    keeper = posixpath.join(posixpath.dirname(script_run.file or ""), playbooks.KEEPER)
    if (
        script_run.tool == playbooks.TOOL
        and run.values["action"] != "DELETE"
        and side.files.look(keeper)[0] is not None
    ):
        for name in scripts.used(side, node) & {*published(side.files.look(script_run.file or "")[0])}:
            run.add(f"{scripts.PUBLISHES}{name}", True, run.path)
    for name, (value, steps) in script_run.inputs.items():
        run.add(f"environment.{name}", scripts.known_text(side.value(value), _plugins_text), (*run.path, *steps))
    return run


def _written(side: Side, node: Node, operation: Operation) -> Operation:
    """An operation as it is written, where the engine has computed its values."""
    original = side.original.nodes.get(node.name) if side.original is not None else None
    wanted = operation.interface, operation.name, operation.target, operation.host
    for row in original.operations if original is not None else ():
        if (row.interface, row.name, row.target, row.host) == wanted:
            return row
    return operation


def _inputs(side: Side, node: Node, operation: Operation) -> Value:
    """The inputs of an operation. Those that are not the same for every instance, engines compute when they run."""
    written = _written(side, node, operation)
    if side.original is not None and has_number(written.inputs):
        return side.original.value(written.inputs)
    return side.value(operation.inputs)


def _started(side: Side, node: Node, operation: Operation, text: str) -> tuple[str, dict[str, Value], list[str]] | None:
    """A script with what its engine sets when it starts it, as others run it: the text, its variables, and what is set;
    None where nothing is."""
    shape, computed = program(_written(side, node, operation)), program(operation)
    form = started(text, shape) if shape is not None else None
    if form is None or computed is None:
        return None
    values = {place: side.value(value) for value, place in computed.setup.values()}
    variables = {
        name: " ".join(map(str, value)) if isinstance(value := values[place], list) else value
        for name, (_, place) in form.inputs.items()
    }
    return form.text, variables, form.settings


def _implementation(run: Run, operation: Operation, inputs: dict[str, Value]) -> str | None:
    """The file or text that an operation runs; None for a function of a plugin."""
    place = operation.implementation
    if place in RUNNERS and isinstance(inputs.get("script_path"), str):
        for name in RUNNERS[place]:
            run.add(name, inputs.pop(name, None), (*run.path, "inputs", name))
        place = inputs.pop("script_path")
    return place if "\n" in place.strip() or SCRIPT_FILE.fullmatch(place) else None


def _file(side: Side, run: Run, part: Part, operation: Operation, script: str, inputs: dict[str, Value]) -> None:
    """The text of a script, who runs it (script_runner/tasks.py), and what becomes of its outputs."""
    by_agent = operation.implementation != FABRIC  # the script plugin does, not fabric over SSH
    place = (*run.path, "implementation")
    text = script if "\n" in script.strip() else side.files.look(script)[0]
    run.add("tool", "script", place)
    set_up = _started(side, part.node, operation, text) if text is not None else None
    if set_up is not None:
        text, variables, settings = set_up
        inputs["process"] = {key: value for key, value in inputs["process"].items() if key not in settings}
        inputs.update(variables)
    if text != runner.SCRIPT:
        run.add("script", script if text is None else text, place)
        process = inputs.get("process")
        process = process if by_agent and isinstance(process, dict) else {}
        evaluated = by_agent and is_evaluated(script, process.get("eval_python"))
        scripts.interpreter(run, script, place, evaluated)
        prefix = process.get("command_prefix")
        if prefix and not evaluated and prefix != run.values["run by"]:
            run.add("run by", prefix, (*run.path, "inputs", "process", "command_prefix"))
        return
    file, own = inputs.pop(runner.FILE, None), inputs.pop(runner.TEXT, None)
    place = (*run.path, "inputs", runner.FILE if file else runner.TEXT)
    run.add("script", (side.files.look(file)[0] or file) if isinstance(file, str) and file else own, place)
    scripts.interpreter(run, None, place)
    if scripts.OUTPUTS in str(run.values.get("script")):
        run.add(f"environment.{scripts.OUTPUTS}", True, place)
    declared = str(inputs.pop(runner.OUTPUTS, "")).split()
    for name in sorted(scripts.used(side, part.node)):
        run.add(f"{scripts.PUBLISHES}{name}", name in declared, (*run.path, "inputs", runner.OUTPUTS))
    for name in str(inputs.pop(runner.ERRORS, "")).split():
        run.add(f"outputs.{name}.means failure", True, (*run.path, "inputs", runner.ERRORS))


def _variables(side: Side, run: Run, part: Part, inputs: dict[str, Value]) -> None:
    """The variables that the script plugin makes of inputs, and its own settings."""
    place = (*run.path, "inputs")
    process = inputs.pop("process", None) or {}
    process = process if isinstance(process, dict) else {"": process}
    inputs.pop("ctx", None)
    variables = {name: (value, (*place, name)) for name, value in inputs.items()}
    more = process.get("env")
    for name, value in more.items() if isinstance(more, dict) else ():
        variables[name] = value, (*place, "process", "env", name)
    text, action = run.values.get("script"), run.values["action"]
    names = [part.name[index:] for index, sign in enumerate(f"_{part.name}") if sign in "_."]
    own = {"deploy_action": [action], "deploy_resource_name": names, "deploy_server_id": [run.values["server"]]}
    for name, (value, where) in variables.items():
        used_in_text = isinstance(text, str) and name in own and re.search(rf"\b{name}\b", text)
        if used_in_text or value not in own.get(name, ()):  # deployments give every script these values
            run.add(f"environment.{name}", scripts.known_text(value, _plugins_text), where)
    for key, value in process.items():
        if key not in ("env", "eval_python", "command_prefix") and (value or key not in STARTS):
            run.add(f"process.{key}", value, (*place, "process", key))


def _plugins_text(value: Value) -> str:
    return json.dumps(value) if isinstance(value, (dict, list, bool)) else str(value)
