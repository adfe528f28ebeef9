"""Playbooks that run beside the engine, on the hosts of an inventory, for a language with operations."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Sequence
from typing import Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Value
from bpconvert.models.topology import Node, Operation, Script, Topology
from bpconvert.translators.passes.capabilities import Over
from bpconvert.translators.passes.request import Request
from bpconvert.translators.passes.software.kinds import COMPONENT, MACHINES
from bpconvert.translators.support.text import fresh

#: what a node is called that runs the playbooks of a machine, after that
_OF_MACHINE: Final = "_playbooks"
#: the step at which a relationship is there, and those of a node before it, in their order
_MADE: Final = "establish"
_STEPS: Final = ("create", "configure", "start")


def steps(node: Node, number: int) -> Sequence[str]:
    """The steps at which a node runs so many playbooks of its relationships: the last, where it runs nothing itself."""
    taken = (operation.step or operation.name for operation in node.operations if operation.target is None)
    last = max((_STEPS.index(step) for step in taken if step in _STEPS), default=-1)
    return _STEPS[max(last + 1, len(_STEPS) - number) :]


def _says_nothing_of_its_machine(script: Script | None) -> bool:
    return script is None or script.address is MISSING


class Overs:
    """The operations of a topology that run such playbooks."""

    def __init__(self, topology: Topology, request: Request) -> None:
        self.topology = topology
        self.request = request
        written = request.target.programs.operations.over
        self.runs = written() if written is not None else None
        self.found: dict[int, Over] = {}

    def find(self, is_elsewhere: Callable[[Node, Operation], bool]) -> None:
        """Look for them. ``is_elsewhere``: True for a program that no operation of its node can run. A node that does
        nothing else is software; those of a machine are a node beside it."""
        for node in list(self.topology.nodes.values()) if self.runs is not None else ():
            if node.shows is not None or node.native or node.nested is not None:
                continue
            own = [
                operation
                for operation in node.operations
                if operation.step
                and (_says_nothing_of_its_machine(operation.script) or is_elsewhere(node, operation))
                and self._is_one(operation)
            ]
            if not own:
                continue
            self._own(node, own)
            if node.kind in MACHINES:
                self._put_apart(node, own)
            elif node.kind is None and not node.role:
                node.role = COMPONENT

    def _own(self, node: Node, playbooks_run: list[Operation]) -> None:
        """What relationships run when they are made is the last that the node itself runs: orchestrators do not run
        operations of relationships that come later."""
        between = [operation for operation in playbooks_run if operation.target is not None and operation.step == _MADE]
        for operation, step in zip(between, steps(node, len(between)), strict=False):
            operation.target, operation.step, operation.host = None, step, "source"
            self.request.reporter.report("BPC526", node.path, node=node.name, step=step)
        for operation in between:
            if operation.target is not None:
                operation.script = None
                playbooks_run.remove(operation)

    def _is_one(self, operation: Operation) -> bool:
        over = self.request.source.programs.over(operation)
        if over is None or not self._is_ours() or self._file(over.playbook) is None:
            return False
        operation.script = Script(None, central=True)
        self.found[id(operation)] = over
        return True

    def _is_ours(self) -> bool:
        """True where the files that run such playbooks in the source, if it needs any, are those of a conversion."""
        runs = self.request.source.programs.operations.over
        files = runs().files if runs is not None else {}
        return all(self.request.files.look(name)[0] == text for name, text in files.items())

    def _file(self, value: Value) -> str | None:
        """The file that a value names, or its default does; None where that is not there."""
        declared = self.topology.inputs.get(str(value.name)) if isinstance(value, ex.Input) and not value.keys else None
        name = declared.default if declared is not None else value
        return name if isinstance(name, str) and self.request.files.look(name)[0] is not None else None

    def _put_apart(self, machine: Node, own: list[Operation]) -> None:
        name = fresh(f"{machine.name}{_OF_MACHINE}", self.topology.nodes)
        software = Node(name, "", None, role=COMPONENT, operations=own, path=machine.path)
        software.wait_for(machine.name, path=machine.path)
        machine.operations = [operation for operation in machine.operations if operation not in own]
        for node in self.topology.nodes.values():
            if machine.name in node.awaited:
                node.wait_for(name, path=machine.path)
        self.topology.nodes[name] = software

    def write(self, operation: Operation) -> None:
        """Give an operation what runs it in the target."""
        over, runs = self.found[id(operation)], self.runs
        assert runs is not None
        needs = [*runs.needs, *self._needed(operation, str(self._file(over.playbook)))]
        inventory = None if isinstance(over.inventory, dict) else self._file(over.inventory)
        if inventory is not None:
            needs += [name for name in self._needed(operation, inventory) if name not in needs]
        others = operation.extra.get("dependencies")
        for name in [operation.implementation, *(others if isinstance(others, list) else ())]:
            self.request.files.keep(str(name))  # it runs the playbook in the source
        operation.implementation, operation.inputs = runs.program, runs.inputs(over)
        operation.extra = {**runs.extra, **({"dependencies": needs} if runs.needs else {})}
        self.topology.files |= runs.files
        code = "BPC438" if runs.files else "BPC258"
        self.request.reporter.report(code, operation.path, name=self._file(over.playbook))

    def _needed(self, operation: Operation, name: str) -> list[str]:
        """The folder of a file, with all that is in it, as the plugin takes it; the file where it is in no folder."""
        files, folder = self.request.files, posixpath.dirname(name)
        lost = []
        for file in (files.below(folder) if folder else []) or [name]:
            text = files.keep(file)
            if text is None:
                lost.append(file)
            else:
                self.topology.files[file] = text
        if lost:
            self.request.reporter.report("BPC870", operation.path, name=operation.name, files=", ".join(lost))
        return [folder or name]
