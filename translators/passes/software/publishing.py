"""Programs that publish values in the way of their engine, for an engine that takes values in another way.

What a program publishes becomes an output of its operation; what it asks its engine for becomes variables."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Path, Value
from bpconvert.models.light import replace
from bpconvert.models.topology import Node, Operation, Script
from bpconvert.translators.passes.capabilities import Published
from bpconvert.translators.passes.request import Request
from bpconvert.translators.passes.software.kinds import INSTALL, RANKS

#: what Python 3 refuses: statements, exceptions and modules of Python 2
_SECOND: Final = re.compile(
    r"^[ \t]*(?:(?:print|exec)[ \t]+[\w\"'%]|except[ \t][^:\n]*,[ \t]*\w+[ \t]*:|raise[ \t]+[\w.]+[ \t]*,)"
    r"|^[ \t]*(?:import|from)[ \t]+(?:urllib2|ConfigParser|StringIO|Queue|httplib)\b|\b(?:xrange|raw_input)\(",
    re.MULTILINE,
)


def publish(node: Node, operations: Iterable[Operation], request: Request) -> None:
    """Let the scripts of the ``operations`` of one node that can publish in the way of the target do so, and report it.
    What such a script reads has to be published before, by one of them, and each name by one of them alone."""
    if not request.target.programs.publish:
        for operation in operations:
            _as_before(node, operation, request)
        return
    programs = [
        (operation, program) for operation in operations if (program := _published(operation, request)) is not None
    ]
    programs.sort(key=lambda row: RANKS.get(row[0].step, 0))
    sets = [name for operation, program in programs if operation.step in INSTALL for name in program.sets]
    several = {name for name in sets if sets.count(name) > 1}
    set_before: set[str] = set()
    for operation, program in programs:
        again = [name for name in program.gets if name not in program.sets]
        declared = node.declared if node.declared else node.properties
        is_known = all(name in set_before and name not in several for name in again)
        if not is_known or not all(name in declared for name in program.properties):
            continue
        asked: dict[str, tuple[Value, Path]] = {
            f"{program.own}{name}": (ex.Attribute(node.name, name), operation.path) for name in again
        }
        asked |= {f"{program.properties_of}{name}": (declared[name], operation.path) for name in program.properties}
        if operation.step in INSTALL:
            set_before.update(program.sets)
            operation.outputs += [name for name in program.sets if name not in operation.outputs]
        script = operation.script or Script(None)
        text = request.files.keep(script.file) if script.file is not None else None
        if program.text != text:
            inputs = {**script.inputs, **asked}
            operation.script = replace(script, file=None, text=program.text, fitted=True, inputs=inputs)
            for resource in program.resources:
                request.files.keep(resource)
        used = (*program.sets, *again, *program.properties, *program.resources)
        names = ", ".join(f"'{name}'" for name in used) or "messages"
        words = {"names": names} if program.own else {}
        place = operation.path if program.own or not operation.path else (*operation.path, "implementation")
        request.reporter.report(program.code, place or node.path, script=script.file, **words)
    last = {name: operation for operation, _ in programs for name in operation.outputs}
    for operation, _ in programs:
        operation.outputs = [name for name in operation.outputs if last[name] is operation]


def _as_before(node: Node, operation: Operation, request: Request) -> None:
    """Let a script that an earlier conversion changed use again what only the target has. Its variables for that have
    to be what the target knows itself: what the node has published, and its properties."""
    script = operation.script
    text = request.files.look(script.file)[0] if script is not None and script.file is not None else None
    program = request.target.programs.unpublished(script.file or "", text) if script is not None and text else None
    if script is None or program is None:
        return
    variables = {name: value for name, (value, _) in script.inputs.items()}
    own: dict[str, Value] = {f"{program.own}{name}": ex.Attribute(node.name, name) for name in program.gets}
    asked = {name: f"{program.properties_of}{name}" for name in program.properties}
    properties = {name: node.properties.get(name, variables.get(variable)) for name, variable in asked.items()}
    own |= {variable: properties[name] for name, variable in asked.items()}
    is_static = all(expr.NEEDS != "deployment" for expr in ex.walk(properties))
    if not is_static or None in own.values() or any(variables.get(name) != value for name, value in own.items()):
        return
    for name in properties.keys() - node.properties.keys():  # a default of the type that the node had
        node.properties[name] = properties[name]
        node.origins[name,] = (*operation.path, *script.inputs[asked[name]][1])
    inputs = {name: row for name, row in script.inputs.items() if name not in own}
    is_whole = set(operation.outputs) <= {*program.sets}
    request.files.keep(str(script.file))
    operation.script = replace(script, file=None, text=program.text, inputs=inputs, fitted=is_whole)
    request.reporter.report(program.code, operation.path or node.path, script=script.file)


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
    return program if program is None or operation.target is None or not program.own else None


def _as_program(text: str) -> Published:
    """Python as a program of its own, which names what runs it."""
    version = 2 if _SECOND.search(text) else 3
    whole = text if text.startswith("#!") else f"#!/usr/bin/env python{version}\n{text}"
    return Published(whole, code="BPC957" if version == 3 else "BPC958")
