"""Programs that publish values in the way of their engine, for an engine that takes values in another way.

What a program publishes becomes an output of its operation; what it asks its engine for becomes variables."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Value
from bpconvert.models.light import replace
from bpconvert.models.topology import Node, Operation, Script, Topology
from bpconvert.translators.passes.capabilities import EngineValue, Published
from bpconvert.translators.passes.request import Request
from bpconvert.translators.passes.software.kinds import INSTALL, RANKS
from bpconvert.translators.passes.software.machines import outermost

#: what Python 3 refuses: statements, exceptions and modules of Python 2
_SECOND: Final = re.compile(
    r"^[ \t]*(?:(?:print|exec)[ \t]+[\w\"'%]|except[ \t][^:\n]*,[ \t]*\w+[ \t]*:|raise[ \t]+[\w.]+[ \t]*,)"
    r"|^[ \t]*(?:import|from)[ \t]+(?:urllib2|ConfigParser|StringIO|Queue|httplib)\b|\b(?:xrange|raw_input)\(",
    re.MULTILINE,
)


#: the attribute of a machine that is its address
_ADDRESS: Final = "first_address"


def publish(operations: Mapping[str, list[Operation]], topology: Topology, request: Request) -> None:
    """Let scripts that can publish in the way of the target do so, and report it. ``operations``: those that may, by
    their nodes. What such a script reads has to be published before, by one of them, and each name by one of them
    alone: on the target's side of a relationship, all has been."""
    publishing = _Publishing(operations, topology, request)
    for name in operations:
        publishing.visit(name)


class _Publishing:
    """The scripts of a topology. ``sets``: node -> what its scripts have published when it is installed."""

    def __init__(self, operations: Mapping[str, list[Operation]], topology: Topology, request: Request) -> None:
        self.topology, self.request = topology, request
        self.left = dict(operations)
        self.sets: dict[str, set[str]] = {}

    def visit(self, name: str) -> None:
        """Take the scripts of a node, after those of what it is related to."""
        operations = self.left.pop(name, None)
        for operation in operations or ():
            if operation.target is not None:
                self.visit(operation.target)
        if operations is None:
            return
        node = self.topology.nodes[name]
        if self.request.target.programs.publish:
            self._publish(node, operations)
        else:
            for operation in operations:
                self._as_before(node, operation)

    def _publish(self, node: Node, operations: list[Operation]) -> None:
        programs = [
            (operation, program)
            for operation in operations
            if (program := _published(operation, self.request)) is not None
        ]
        programs.sort(key=lambda row: RANKS[row[0].step])
        sets = [name for operation, program in programs if operation.step in INSTALL for name in program.sets]
        several = {name for name in sets if sets.count(name) > 1}
        set_before = self.sets.setdefault(node.name, set())
        for operation, program in programs:
            there = {"target": self.sets.get(operation.target or "", set())}
            asked = [row for row in program.asks if not _is_own(row, program)]
            values = [
                self._value(node, operation, row)
                if row.what != "value" or row.name in there.get(row.side, set_before - several)
                else MISSING
                for row in asked
            ]
            if any(value is MISSING for value in values):
                continue
            if operation.step in INSTALL:
                set_before.update(program.sets)
                operation.outputs += program.sets
            self._take(node, operation, program, dict(zip(asked, values, strict=True)))
        last = {name: operation for operation, _ in programs for name in operation.outputs}
        for operation, _ in programs:
            operation.outputs = [name for name in operation.outputs if last[name] is operation]
        set_before -= several

    def _take(self, node: Node, operation: Operation, program: Published, asked: Mapping[EngineValue, Value]) -> None:
        """Let an operation run the program, with what that asks for in variables; report it."""
        files = self.request.files
        script = operation.script or Script(None)
        text = files.keep(script.file) if script.file is not None else None
        if program.text != text:
            inputs = script.inputs | {row.variable: (value, ()) for row, value in asked.items()}
            operation.script = replace(script, file=None, text=program.text, fitted=True, inputs=inputs)
            for resource in program.resources:
                files.keep(resource)
        used = dict.fromkeys((*program.sets, *(_title(row) for row in asked), *program.resources))
        names = ", ".join(f"'{name}'" for name in used) or "messages"
        is_function = program.code == "BPC431"
        words = {"names": names} if is_function else {}
        place = operation.path if is_function or not operation.path else (*operation.path, "implementation")
        self.request.reporter.report(program.code, place or node.path, script=script.file, **words)

    def _value(self, node: Node, operation: Operation, asked: EngineValue) -> Value:
        """What refers to what a script asks for; MISSING where nothing does."""
        if asked.what == "deployment":
            return ex.System("deployment.id", path=operation.path)
        side = self._side(node, operation, asked)
        if side is None:
            return MISSING
        if asked.what == "value":
            return ex.Attribute(side.name, asked.name)
        if asked.what == "property":
            properties = side.declared or side.properties
            return properties.get(asked.name, MISSING) if isinstance(properties, dict) else MISSING
        if asked.what == "name":
            return side.name
        machine = outermost(self.topology, side)
        is_server = machine.address is MISSING and machine.kind == "server"
        return ex.Attribute(machine.name, _ADDRESS) if is_server else machine.address

    def _side(self, node: Node, operation: Operation, asked: EngineValue) -> Node | None:
        """The node that a script asks for something of."""
        return node if asked.side != "target" else self.topology.nodes.get(operation.target or "")

    def _as_before(self, node: Node, operation: Operation) -> None:
        """Let a script that an earlier conversion changed use again what only the target has. Its variables for that
        have to be what the target knows itself."""
        request, script = self.request, operation.script
        if script is None or script.file is None:
            return
        text = request.files.look(script.file)[0]
        program = request.target.programs.unpublished(script.file, text) if text is not None else None
        if program is None or not _fits(operation, program):
            return
        asked = [row for row in program.asks if not _is_own(row, program) or row.variable in script.inputs]
        usual: list[tuple[Node, EngineValue, Value]] = []  # defaults of the type that the node had
        for row in asked:
            side, (value, _) = self._side(node, operation, row), script.inputs.get(row.variable, (MISSING, ()))
            is_static = all(expr.NEEDS != "deployment" for expr in ex.walk(value))
            if row.what != "property":
                own = self._value(node, operation, row)
            elif side is None or not isinstance(side.properties, dict) or not is_static:
                return
            else:
                own = side.properties.get(row.name, value)
                usual += [] if row.name in side.properties else [(side, row, value)]
            if own is MISSING or own != value:
                return
        for side, row, value in usual:
            side.properties[row.name] = value
            side.origins[row.name,] = (*operation.path, *script.inputs[row.variable][1])
        variables = {row.variable for row in asked}
        inputs = {name: row for name, row in script.inputs.items() if name not in variables}
        is_whole = set(operation.outputs) <= {*program.sets}
        request.files.keep(script.file)
        operation.script = replace(script, file=None, text=program.text, inputs=inputs, fitted=is_whole)
        request.reporter.report(program.code, operation.path or node.path, script=script.file)


def _is_own(asked: EngineValue, program: Published) -> bool:
    """True for what the script has published itself."""
    return asked.what == "value" and asked.side != "target" and asked.name in program.sets


def _title(asked: EngineValue) -> str:
    return asked.name or {"address": "host_ip", "name": "name", "deployment": "deployment id"}[asked.what]


def _fits(operation: Operation, program: Published) -> bool:
    """True for the program of a relationship's operation that asks both sides, or of a node's that asks the node."""
    return program.sides <= ({""} if operation.target is None else {"source", "target"})


def _published(operation: Operation, request: Request) -> Published | None:
    """The script of an operation, as far as it is a file of the bundle that publishes in the way of the source, or that
    the target's engine would not run as the source's does."""
    script, source = operation.script, request.source.programs
    if script is None or script.file is None or script.tool or "://" in script.file:
        return None
    text = None if operation.implementation == source.runner.path else request.files.look(script.file)[0]
    if text is None:
        return None
    if script.evaluated:
        return None if source.tool(script.file, text) else _as_program(text)
    program = source.published(
        script.file, text, request.target.programs.publish, lambda name: request.files.look(name)[0]
    )
    return program if program is not None and _fits(operation, program) else None


def _as_program(text: str) -> Published:
    """Python as a program of its own, which names what runs it."""
    version = 2 if _SECOND.search(text) else 3
    whole = text if text.startswith("#!") else f"#!/usr/bin/env python{version}\n{text}"
    return Published(whole, code="BPC957" if version == 3 else "BPC958")
