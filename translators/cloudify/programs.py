"""The programs that operations of the DSL run: the script plugin, the fabric plugin, and what only they have."""

from __future__ import annotations

import itertools
import re
import shlex
from typing import Final

from bpconvert.models.expressions import MISSING, Concat, Expr, Path, Value
from bpconvert.models.topology import Node, Operation, Script
from bpconvert.translators.cloudify import playbooks
from bpconvert.translators.cloudify.runner import RUNNER
from bpconvert.translators.passes.capabilities import Operations, Over, Software
from bpconvert.translators.passes.software.kinds import COMPONENT, POWERSHELL, STARTS, is_for_powershell
from bpconvert.translators.support import later

_LIFECYCLE: Final = "cloudify.interfaces.lifecycle"
_OF_RELATIONSHIPS: Final = "cloudify.interfaces.relationship_lifecycle"
_FREEZE: Final = "cloudify.interfaces.freeze"
#: operations that the workflows install and uninstall run
_OPERATIONS: Final = (
    "precreate", "create", "preconfigure", "configure", "postconfigure", "start", "poststart", "establish",
    "prestop", "stop", "unlink", "delete", "postdelete",
)  # fmt: skip
#: those of them that relationships have
_BETWEEN: Final = ("preconfigure", "postconfigure", "establish", "unlink")
#: software -> the type of its nodes
_ROLES: Final = {
    COMPONENT: "cloudify.nodes.SoftwareComponent",
    "web_server": "cloudify.nodes.WebServer",
    "database_server": "cloudify.nodes.DBMS",
    "database": "cloudify.nodes.Database",
    "application": "cloudify.nodes.ApplicationModule",
}
#: a file, and no function of a plugin (dsl_parser/elements/operation.py: what names no plugin is a file)
SCRIPT_FILE: Final = re.compile(r"\S+\.(sh|bash|py|ps1|rb|pl|bat)|\S*/\S+", re.IGNORECASE)
_CTX: Final = r"(?<![\w.$-])ctx(?![\w=-])"
_CTX_IN_PYTHON: Final = r"""(['"])ctx(?:[ \t]|\1[ \t]*,)"""
_MODULE: Final = "cloudify"
#: work from the manager, but run what they are given on the server
FABRIC: Final = "fabric.fabric_plugin.tasks.run_script"
COMMANDS: Final = "fabric.fabric_plugin.tasks.run_commands"
_FABRIC: Final = (FABRIC, COMMANDS)
#: functions of plugins that run a script which one of their inputs names, and their other inputs that are no variables
RUNNERS: Final[dict[str, tuple[str, ...]]] = {
    "script.script_runner.tasks.run": ("ssl_cert_content",),
    "script_runner.tasks.run": ("ssl_cert_content",),
    FABRIC: ("fabric_env", "use_sudo", "hide_output"),
}
#: prefixes that run a script as root, or on Windows
_OTHERS: Final = ("sudo", POWERSHELL)
#: inputs of the script plugin itself
_RESERVED: Final = frozenset({"ctx", "process", "script_path", "script_source", "ssl_cert_content"})


def _agent(node: Node) -> Path:
    """Where a server says that it has no agent of Cloudify, else the server's place."""
    config = node.declared.get("agent_config")
    has_none = isinstance(config, dict) and config.get("install_method") == "none"
    return (*node.path, "properties", "agent_config") if has_none else node.path


def script(operation: Operation) -> Script | None:
    """What an operation runs, None for a function of a plugin.

    The inputs are variables, but for ``process``, whose ``env`` has more of them (script_runner/tasks.py)."""
    inputs: dict[str, tuple[Value, Path]] = {
        str(name): (value, ("inputs", name)) for name, value in operation.inputs.items()
    }
    settings: list[Path] = []
    setup: dict[str, tuple[Value, Path]] = {}
    place = operation.implementation
    if place == COMMANDS:
        return _commands(operation)
    if place == playbooks.RUN:
        return playbooks.script(operation)
    if place in RUNNERS and isinstance(operation.inputs.get("script_path"), str):
        settings = [inputs.pop(name)[1] for name in RUNNERS[place] if name in inputs]
        place = inputs.pop("script_path")[0]
    process, where = inputs.pop("process", (None, ()))
    for key, value in process.items() if isinstance(process, dict) else ():
        if key == "env" and isinstance(value, dict):
            inputs.update({str(name): (part, (*where, key, name)) for name, part in value.items()})
        elif key in STARTS and value not in (None, "", [], *_OTHERS):
            setup[key] = value, (*where, key)
        elif (value or key not in STARTS) and (key, value) not in (
            ("eval_python", False),
            _default_prefix(place),
        ):  # Heat's agent runs the file itself
            settings.append((*where, key))
    if process and not isinstance(process, dict):
        settings.append(where)
    # that it is not tried again, is what others do
    idle = ("executor",) if operation.extra.get("max_retries") else ("executor", "max_retries")
    settings += [(key,) for key in operation.extra if key not in idle]
    central = operation.extra.get("executor") == "central_deployment_agent" and operation.implementation != FABRIC
    address = _address(operation)
    if "\n" in place.strip():
        return Script(None, place, inputs, settings, central, address, setup=setup)
    if not SCRIPT_FILE.fullmatch(place):
        return None
    chosen = process.get("eval_python") if isinstance(process, dict) else None
    evaluated = operation.implementation != FABRIC and is_evaluated(place, chosen)
    return Script(place, "", inputs, settings, central, address, evaluated=evaluated, setup=setup)


def _default_prefix(file: Value) -> tuple[str, str] | None:
    """What a script is run by where ``process`` does not say so (script_runner/tasks.py, ``get_run_script_func``)."""
    return ("command_prefix", POWERSHELL) if isinstance(file, str) and is_for_powershell(file) else None


def is_evaluated(file: str, chosen: Value) -> bool:
    """True for a Python file that the script plugin evaluates in the agent's own process (script_runner/tasks.py,
    ``get_run_script_func``). ``chosen``: the setting ``eval_python``."""
    return chosen is True or (file.lower().endswith(".py") and chosen is not False)


def _address(operation: Operation) -> Value:
    """The machine that fabric works on: what its connection says, else that of the node (fabric_plugin/tasks.py,
    ``put_host``)."""
    env = operation.inputs.get("fabric_env") if operation.implementation in _FABRIC else None
    hosts = [env[key] for key in ("host", "host_string") if key in env] if isinstance(env, dict) else []
    return hosts[0] if hosts and hosts[0] not in (None, "") else MISSING


def _commands(operation: Operation) -> Script | None:
    """The commands as a script: each has a shell of its own, and the first that fails is the last (fabric_plugin/
    tasks.py, ``run_commands``). A command that is computed is a variable."""
    commands, env = operation.inputs.get("commands"), operation.inputs.get("fabric_env")
    exported = env.get("shell_env") or {} if isinstance(env, dict) else {}
    if not isinstance(commands, list) or not commands or not isinstance(exported, dict):
        return None
    before = [part for name, value in exported.items() for part in (f"export {name}=", value, ";")]
    lines, inputs = ["#!/bin/bash", "set -e"], {}
    for index, command in enumerate(commands):
        parts = [*before, command]
        if all(isinstance(part, (str, int)) for part in parts):
            lines.append(f"bash -c {shlex.quote(''.join(map(str, parts)))}")
        elif all(isinstance(part, (str, int, Expr)) for part in parts):
            name = f"command_{index + 1}"
            inputs[name] = (Concat(tuple(parts)) if before else command, ("inputs", "commands", index))
            lines.append(f'bash -c "${name}"')
        else:
            return None
    settings: list[Path] = [("inputs", name) for name in operation.inputs if name != "commands"]
    settings += [(key,) for key in operation.extra if key != "executor"]
    return Script(None, "\n".join([*lines, ""]), inputs, settings, False, _address(operation))


def _inputs(variables: dict[str, Value], is_python: bool) -> dict[str, Value]:
    """``variables`` as inputs of an operation. Cloudify would run a Python file inside the agent, without variables."""
    result = {name: value for name, value in variables.items() if name not in _RESERVED}
    reserved = {name: value for name, value in variables.items() if name in _RESERVED}
    process: dict[str, Value] = {}
    if is_python:
        process["eval_python"] = False
    if reserved:
        process["env"] = reserved
    return {**result, "process": process} if process else result


#: functions of plugins that run something which is no program of a machine -> why
_ELSEWHERE: Final = {
    playbooks.RUN: "the playbook runs on the manager, on the hosts of an inventory; a server "
    "has no inventory, files beside the playbook or lookups on the manager",
    "fabric.fabric_plugin.tasks.run_task": "the task is a function in Python that works from the manager",
    "fabric.fabric_plugin.tasks.run_module_task": "the task is a function in Python that works from the manager",
    COMMANDS: "its commands are not written out",
}


_WRITTEN: Final = Operations(
    names={
        "CREATE": (_LIFECYCLE, "create"),
        "UPDATE": (_LIFECYCLE, "update"),
        "DELETE": (_LIFECYCLE, "delete"),
        "SUSPEND": (_FREEZE, "suspend"),
        "RESUME": (_FREEZE, "resume"),
    },
    # paths that the DSL takes for files, the shell for one word, and nobody for the function of a plugin
    files=r"(?a)(?!(script|agent|cfy_extensions|fabric|openstack|openstack_plugin)\.)"
    r"[\w+@-][\w.+@-]*(/[\w+@-][\w.+@-]*)*",
    inputs=_inputs,
    once={"max_retries": 0},
    central={"executor": "central_deployment_agent"},
    own={step: (_LIFECYCLE, step) for step in _OPERATIONS if step not in _BETWEEN},
    tools={playbooks.TOOL: playbooks.inputs},
    installing={playbooks.TOOL: playbooks.ROLES},
    beside={playbooks.TOOL: {playbooks.KEEPER: playbooks.KEEPS}},
    over=playbooks.runs,
    between={(step, side): (_OF_RELATIONSHIPS, step) for step in _BETWEEN for side in ("source", "target")},
)


def _variables(operation: Operation) -> dict[str, Value] | None:
    """The variables of an operation that is not tried again, and sets nothing else of how its script is run."""
    inputs = dict(operation.inputs)
    process = inputs.pop("process", {})
    if operation.extra != _WRITTEN.once or operation.target is not None or not isinstance(process, dict):
        return None
    if operation.implementation in (*RUNNERS, COMMANDS):
        return None
    env = process.get("env") or {}
    if not process.keys() <= {"eval_python", "env"} or process.get("eval_python") or not isinstance(env, dict):
        return None
    return inputs | env


def _tool(file: str, text: str) -> str:
    """The command, or the module of Python, that only Cloudify has. In Python, ``ctx`` may be any variable: the command
    is a text there, the first of others."""
    from bpconvert.translators.passes.software.python_files import imports, is_python  # few conversions need it

    if re.search(_CTX_IN_PYTHON if is_python(file, text) else _CTX, text):
        return "ctx"
    return f"the module {_MODULE}" if imports(text, _MODULE) else ""


def _over(operation: Operation) -> Over | None:
    """The playbook of an operation that runs it beside the manager; None for one that runs there on nothing else."""
    program = script(operation)
    return None if program is not None and program.address is MISSING else playbooks.over(operation)


SOFTWARE: Final = Software(
    component=_ROLES[COMPONENT],
    steps={place: place[1] for place in itertools.product((_LIFECYCLE, _OF_RELATIONSHIPS), _OPERATIONS)},
    script=script,
    why_not=lambda operation: _ELSEWHERE.get(operation.implementation, ""),
    variables=_variables,
    tool=_tool,
    module=_MODULE,
    published=later("bpconvert.translators.cloudify.publishing:published"),
    unpublished=later("bpconvert.translators.cloudify.publishing:unpublished"),
    over=_over,
    agent=_agent,
    runner=RUNNER,
    operations=_WRITTEN,
    roles=_ROLES,
)
