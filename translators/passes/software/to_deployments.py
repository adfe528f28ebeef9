"""Operations that run programs on machines, for a language where deployments do that.

A node that is nothing but such an operation becomes a deployment. Of other nodes' operations, those that can be
deployments get to know their ``machine``. The programs are files of the bundle."""

from __future__ import annotations

from typing import Final

from bpconvert.models.expressions import MISSING, File, Path
from bpconvert.models.topology import Node, Operation, Script, Topology
from bpconvert.translators.passes.request import Request
from bpconvert.translators.passes.software.recognised import recognise
from bpconvert.translators.passes.software.steps import RANKS

#: kinds of nodes that programs run on
_MACHINES: Final = frozenset({"server", "compute"})
#: end of a script's name -> its first line
_INTERPRETERS: Final = {
    ".py": "#!/usr/bin/env python3", ".bash": "#!/bin/bash", ".rb": "#!/usr/bin/env ruby", ".pl": "#!/usr/bin/env perl",
}  # fmt: skip


def to_deployments(topology: Topology, request: Request) -> Topology:
    """Decide which operations are deployments; those that cannot be are reported."""
    programs = request.source.programs
    for node in topology.nodes.values():
        for operation in node.operations:
            operation.step, operation.script = programs.step(operation), programs.script(operation)
    for config in recognise(topology, request):
        text = config.properties["config"]
        if isinstance(text, File) and isinstance(text.name, str):
            _keep(topology, Script(text.name), config.origin("config"), request)
    for node in topology.nodes.values():
        for operation in node.operations:
            _place(topology, node, operation, request)
        for operation in deployed(node):
            if operation.script is not None:
                _keep(topology, operation.script, (*(operation.path or node.path), "implementation"), request)
        if node.template is not None:
            to_deployments(node.template, request)
    return topology


def deployed(node: Node) -> list[Operation]:
    """The operations of a node that are deployments, in the order in which these wait for each other."""
    found = [operation for operation in node.operations if operation.machine is not None]
    return sorted(found, key=lambda operation: RANKS[operation.step])


def _place(topology: Topology, node: Node, operation: Operation, request: Request) -> None:
    """Give an operation its machine, or report why it has none."""
    machine = _machine(topology, node, operation)
    why = _obstacle(operation, machine)
    if why is None and machine is not None:
        operation.machine = machine.name
        return
    path = operation.path
    own = path[: len(node.path)] == node.path
    if own or operation.script is not None or node.kind is not None:  # what a stand-in does not do, is reported with it
        texts = {"name": title(operation), "implementation": _short(operation.implementation), "why": why}
        request.reporter.report("BPC391", path or node.path, **texts)


def _machine(topology: Topology, node: Node, operation: Operation) -> Node | None:
    """The machine that an operation runs on."""
    side = topology.nodes.get(operation.target or "") if operation.host == "target" else node
    seen: set[str] = set()
    while side is not None and side.kind not in _MACHINES:
        if side.name in seen:
            return None
        seen.add(side.name)
        side = topology.nodes.get(side.host or "")
    return side


def _obstacle(operation: Operation, machine: Node | None) -> str | None:
    """Why an operation cannot be a deployment, None if it can."""
    if operation.step not in RANKS:
        return "it is no part of creating or deleting a stack"
    if operation.script is None:
        return "it is a function of a plugin"
    if operation.script.central:
        return "it runs on the manager"
    if machine is None:
        return "it runs on no server of the template"
    if machine.external_name is not MISSING:
        return f"the server '{machine.name}' is known by its name only"
    several = machine.instances is not MISSING and (machine.instances != 1 or isinstance(machine.instances, bool))
    if several or machine.limits[1] is not MISSING:
        return f"there may be several of the server '{machine.name}'"
    return None


def title(operation: Operation) -> str:
    """What messages call an operation."""
    name = f"{operation.interface}.{operation.name}"
    return f"{name} to {operation.target}" if operation.target else name


def _short(text: str) -> str:
    lines = text.strip().splitlines() or [""]
    return lines[0] if len(lines) == 1 else f"{lines[0]} ..."


def _keep(topology: Topology, script: Script, path: Path, request: Request) -> None:
    """Make a file part of the bundle; report what an agent does in another way than the source's runner."""
    if script.file is None:
        _check(script.text.strip().splitlines()[0], script.text, path, request)
    elif "://" not in script.file:
        text, code = request.files.read(script.file)
        if text is None:
            request.reporter.report(code, path, name=script.file)
        else:
            topology.files[script.file] = text
            _check(script.file, text, path, request)


def _check(name: str, text: str, path: Path, request: Request) -> None:
    report, source = request.reporter.report, request.source
    tool = source.programs.tool(text)
    if tool:
        report("BPC392", path, script=name, why=f"uses {tool}, which only {source.title} has")
    if name.lower().endswith(".ps1"):
        report("BPC392", path, script=name, why="is for PowerShell, which no agent runs")
    elif not text.startswith("#!"):
        line = next((line for end, line in _INTERPRETERS.items() if name.lower().endswith(end)), "#!/bin/sh")
        why = f"does not begin with the line that names its interpreter ({line})"
        report("BPC392", path, script=name, why=why)
