"""The form in which scripts of both languages are compared (see :mod:`scripts`)."""

from __future__ import annotations

import re
from typing import Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Path, Value
from bpconvert.models.topology import Node, Operation
from bpconvert.translators.comparing.filling import REFUSED, REFUSED_TEXT, is_plain
from bpconvert.translators.comparing.model import DEPLOYMENT, Run, Side
from bpconvert.translators.passes.capabilities import Over
from bpconvert.translators.passes.software.kinds import (
    INSTALL,
    MACHINES,
    MEMBERS_ATTRIBUTES,
    POWERSHELL,
    UNINSTALL,
    is_for_powershell,
)

#: an operation that runs no script on a server
OPERATION: Final = "operation"
KINDS: Final = (DEPLOYMENT, OPERATION)
#: action of Heat -> operation
OPERATIONS: Final = {name.upper(): name for name in ("create", "update", "delete", "suspend", "resume")}
#: operation -> action
ACTIONS: Final = {
    **dict.fromkeys(INSTALL, "CREATE"),
    **dict.fromkeys(UNINSTALL, "DELETE"),
    **{name: action for action, name in OPERATIONS.items()},
}
#: a deployment that is named after an operation
NAMED: Final = re.compile(rf"(.+)_({'|'.join((*INSTALL, *UNINSTALL))})_deploy")
#: the variable for the file that a script writes its outputs to
OUTPUTS: Final = "heat_outputs_path"
#: what begins the name of the value that says whether a script publishes an output that is used
PUBLISHES: Final = "publishes."


def interpreter(run: Run, file: str | None, place: Path, evaluated: bool = False) -> None:
    """What runs a text, apart from it; ``file`` None: it is run as a program itself; ``evaluated``: as Python of the
    agent. ``place``: of what is run."""
    text = run.values.get("script")
    alone = "nothing" if file is None else "sh"
    if isinstance(text, str) and text.startswith("#!"):
        first, _, run.values["script"] = text.partition("\n")
        alone = "sh" if first == "#!/bin/sh" else first
    if evaluated:
        alone = "the agent's Python"
    elif file is not None and is_for_powershell(file):
        alone = POWERSHELL
    run.add("run by", alone, place)


def by_shell(text: Value) -> Value:
    """A script that runs outside of servers, without a first line that only names the shell: without any it is run by
    that one."""
    return text.removeprefix("#!/bin/sh\n") if isinstance(text, str) else text


def over(side: Side, run: Run, play: Over, step: str) -> Run:
    """A playbook that runs beside the engine, on the hosts of an inventory, at a step of its node's life."""
    run.kind, run.operation, run.values, run.places = OPERATION, step, {}, {}
    for name, value in play._asdict().items():
        for key, item in value.items() if isinstance(value, dict) and name != "inventory" else [("", value)]:
            place = next((expr.path for expr in ex.walk(item) if expr.path), run.path)
            run.add(f"{name}.{key}".rstrip("."), side.value(item), place)
    return run


def used(side: Side, node: Node) -> set[str]:
    """The attributes of a deployment, or of its group, that something refers to."""
    attributes: set[str] = set()
    names = {node.name, *(group for group, members in side.groups.items() if node.name in members)}
    written = side.original or side
    for expr in (expr for name in names for expr in written.references_to(name)):
        asked = getattr(expr, "names", (getattr(expr, "name", None),))
        attributes |= {MEMBERS_ATTRIBUTES.get(name, name) for name in asked if isinstance(name, str)}
    return attributes


def known_text(value: Value, text: Any) -> Value:
    """The text of a value that is known; a refused one stays so."""
    if not is_plain(value):
        return value
    return REFUSED if REFUSED_TEXT in str(value) else text(value)


def host(side: Side, node: Node, operation: Operation) -> Node | None:
    """The server that an operation runs on: of an instance, the instance of the same number."""
    name: str | None = operation.target if operation.host == "target" else node.name
    number = node.name.rpartition(".")[2] if node.name not in side.topology.nodes else ""
    machine, seen = None if name is None else side.nodes.get(name), set[str]()
    while machine is not None and machine.kind not in MACHINES and machine.name not in seen:
        seen.add(machine.name)
        machine = None if machine.host is None else side.nodes.get(machine.host)
    if machine is not None and f"{machine.name}.{number}" in side.groups.get(machine.name, ()):
        return side.nodes[f"{machine.name}.{number}"]
    return machine
