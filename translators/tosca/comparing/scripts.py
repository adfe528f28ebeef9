"""The scripts of operations, as an orchestrator runs them: on the machine that their node is hosted on, with their
inputs as variables (Simple Profile 1.3, 3.6.17 and 5.8.4)."""

from __future__ import annotations

import json
from collections.abc import Iterator

from bpconvert.models.expressions import Value
from bpconvert.models.topology import Node, Operation
from bpconvert.translators.comparing import scripts
from bpconvert.translators.comparing.model import Part, Run, Scripts, Side
from bpconvert.translators.passes.software.kinds import POWERSHELL, RANKS, is_for_powershell
from bpconvert.translators.passes.software.machines import is_local
from bpconvert.translators.passes.software.python_files import interpreter
from bpconvert.translators.tosca import playbooks
from bpconvert.translators.tosca.programs import SOFTWARE


class Operations(Scripts):
    """Operations of nodes and of their relationships."""

    def servers(self, side: Side, node: Node) -> Iterator[Node]:
        """The servers that the operations of a node run on."""
        for operation in node.operations:
            server = scripts.host(side, node, operation)
            if server is not None:
                yield server

    def runs(self, side: Side, part: Part) -> Iterator[Run]:
        """The operations of a node that run something, in the order of its life."""
        for operation in sorted(part.node.operations, key=_rank):
            if operation.implementation:
                yield _operated(side, part, operation)

    def agent(self, side: Side, run: Run, server: Node) -> None:
        """An orchestrator runs operations on every machine."""
        run.add("agent", True, server.path)


def _step(operation: Operation) -> str | None:
    """The step of a node's life that an operation is; None for none."""
    return SOFTWARE.steps.get((operation.interface, operation.name))


def _rank(operation: Operation) -> int:
    return RANKS.get(_step(operation) or "", 0)


def _operated(side: Side, part: Part, operation: Operation) -> Run:
    """What an operation of a node runs."""
    node, step = part.node, _step(operation)
    base = f"{part.name}_{side.name_of(operation.target)}" if operation.target else part.name
    path = operation.path or node.path
    script, server = SOFTWARE.script(operation), scripts.host(side, node, operation)
    if step is None or script is None or server is None or (script.central and not is_local(server)):
        step_name = step if step is not None and script is not None else f"{operation.interface}.{operation.name}"
        run = Run(base, step_name, path, scripts.OPERATION, step or "")
        play = playbooks.over(operation)
        if play is not None:
            return scripts.over(side, run, play, step or step_name)
        text = None if script is None or script.file is None or script.tool else side.files.look(script.file)[0]
        line = None if text is None or script is None else interpreter(script.file or "", text)
        text = text if line is None else f"{line}\n{text}"
        text_known = operation.implementation if text is None else scripts.by_shell(text)
        run.add("implementation", text_known, (*path, "implementation"))
        return run
    run, place = Run(base, step, path), (*path, "implementation")
    run.add("server", side.identity(server), path)
    run.add("action", scripts.ACTIONS[step], path)
    run.add("is waited for", True, path)
    text = script.text if script.file is None else side.files.look(script.file)[0]
    run.add("script", script.file if text is None else text, place)
    run.add("tool", script.tool or "script", place)
    if not script.tool:
        line = None if text is None else interpreter(script.file or "", text)
        scripts.interpreter(run, None if text is None or line is not None else script.file, place)
        if line is not None:
            run.add("run by", line, place)
        if script.file is not None and is_for_powershell(script.file):
            run.add("run by", POWERSHELL, place)
    for name in operation.outputs:
        if name in scripts.used(side, node):
            run.add(f"{scripts.PUBLISHES}{name}", True, path)
    for name, (value, steps) in script.inputs.items():
        text_known = scripts.known_text(side.value(value), _text)
        own = operation.origins.get(name) or getattr(value, "path", ())  # of an input of the whole interface
        run.add(f"environment.{name}", text_known, own or (*path, *steps))
    return run


def _text(value: Value) -> str:
    return json.dumps(value) if isinstance(value, (dict, list, bool)) else str(value)
