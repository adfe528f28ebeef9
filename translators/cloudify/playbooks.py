"""Playbooks of Ansible as operations.

The function of Cloudify's Ansible plugin runs one on one host (cloudify_ansible/tasks.py, ``run``): beside the manager,
over SSH with the user and the key of the machine's agent, with variables of any type (``run_data``)."""

from __future__ import annotations

from typing import Any, Final

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.topology import Operation, Script
from bpconvert.translators.passes.capabilities import Over, Runs

#: the program, and the function that runs it
TOOL: Final = "ansible"
RUN: Final = "ansible.cloudify_ansible.tasks.run"
#: what a blueprint with such an operation imports
PLUGIN: Final = "plugin:cloudify-ansible-plugin"
_FILES: Final = ("playbook_path", "site_yaml_path")
_SOURCES: Final = "sources"
_VARIABLES: Final = "run_data"
_ADDRESS: Final = "ansible_host"
_HERE: Final = {"ansible_connection": "local"}
#: what a host is reached with, beside its address
_ACCESS: Final = ("ansible_user", "ansible_ssh_private_key_file")
_UNKNOWN_HOSTS: Final = {"ansible_ssh_common_args": "-o StrictHostKeyChecking=no"}
#: how the variables begin that say how a host is reached; the one that lets the playbook be run as root
_REACHED: Final = "ansible_"
_ROOT: Final = ("ansible_become", True)
#: the way to the hosts in an inventory
_PLACE: Final = ("all", "hosts")
#: other inputs of the function that a run over an inventory has a form for, and those that are no part of it
_OPTIONS: Final = "options_config"
_SETTINGS: Final = "ansible_env_vars"
_START: Final = "start_at_task"
_TAGS: Final = "tags"
#: the input for the roles that the function installs where it runs the playbook
ROLES: Final = "roles"
_KEPT_OUT: Final = ("number_of_attempts", "store_facts", "ansible_become", "remerge_sources", "auto_tags")
#: the plugin's own settings of Ansible, which every run has
_USUAL: Final = {
    "ANSIBLE_HOST_KEY_CHECKING": "False", "ANSIBLE_INVALID_TASK_ATTRIBUTE_FAILED": "False",
    "ANSIBLE_STDOUT_CALLBACK": "json",
}  # fmt: skip
#: what a node or a relationship of the plugin gives to the function
INPUTS: Final = frozenset({
    *_FILES, _SOURCES, _VARIABLES, _OPTIONS, _SETTINGS, _START, _TAGS, "additional_args", "additional_playbook_files",
    "ansible_playbook_executable_path", "extra_packages", "galaxy_collections", ROLES, "module_path",
    "playbook_source_path", "scp_extra_args", "sftp_extra_args", "ssh_common_args", "ssh_extra_args", "timeout",
    "ansible_external_venv",
})  # fmt: skip
#: inputs that change what is shown or kept of a run, not what it does
_QUIET: Final = ("debug_level", "save_playbook", "log_stdout", "sensitive_keys")
#: a file beside a playbook that Ansible loads, which keeps what the playbook publishes: the plugin runs it with the
#: command ``ctx`` of the operation (cloudify_common_sdk/processes.py, ``general_executor``)
KEEPER: Final = "callback_plugins/bpconvert_stats.py"
KEEPS: Final = """\
# Keeps what a playbook publishes with set_stats as runtime properties, where Cloudify's plugin for Ansible runs it.
import json
import os
import subprocess
import sys

from ansible.plugins.callback import CallbackBase


class CallbackModule(CallbackBase):
    CALLBACK_VERSION = 2.0
    CALLBACK_TYPE = "notification"
    CALLBACK_NAME = "bpconvert_stats"

    def v2_playbook_on_stats(self, stats):
        values = stats.custom.get("_run") or {}
        if not values or stats.failures or stats.dark or not os.environ.get("CTX_SOCKET_URL"):
            return
        try:
            kind = subprocess.check_output(["ctx", "type"]).decode()
            place = ["ctx", "source", "instance"] if "relationship" in kind else ["ctx", "instance"]
            for name, value in values.items():
                subprocess.check_call([*place, "runtime-properties", name, "@" + json.dumps(value, default=str)])
            subprocess.check_call([*place, "update"])
        except Exception as error:
            sys.stderr.write(f"what the playbook publishes cannot be kept: {error}\\n")
            sys.stderr.flush()
            os._exit(1)
"""


def inputs(file: str, variables: dict[str, Value]) -> tuple[str, dict[str, Value]]:
    """The function that runs a playbook, and its inputs but for :func:`sources`."""
    return RUN, {_FILES[0]: file, **({_VARIABLES: variables} if variables else {})}


def sources(machine: str | None) -> dict[str, Any]:
    """The inventory with one machine (a node template by name), or with the manager itself (None)."""
    host: dict[str, Any] = dict(_HERE)
    if machine is not None:
        agent = [ex.Property(machine, "agent_config", (key,)) for key in ("user", "key")]
        host = {_ADDRESS: ex.Attribute(machine, "ip"), **dict(zip(_ACCESS, agent, strict=True)), **_UNKNOWN_HOSTS}
    return {_SOURCES: {"all": {"hosts": {machine or "localhost": host}}}}


def has_sources(operation: Operation) -> bool:
    """True for an operation that has its inventory."""
    return _SOURCES in operation.inputs


def script(operation: Operation) -> Script | None:
    """The playbook that an operation runs on one machine, or beside the manager; None where it does so in a way that
    only the plugin has."""
    inputs = dict(operation.inputs)
    files = [inputs.pop(name) for name in _FILES if name in inputs]
    (name, host), variables = _host(inputs.pop(_SOURCES, None)), inputs.pop(_VARIABLES, {})
    roles = inputs.pop(ROLES, None) or []
    quiet = [("inputs", key) for key in _QUIET if inputs.pop(key, None) is not None]
    if inputs or len(files) != 1 or not isinstance(files[0], str) or host is None or not isinstance(variables, dict):
        return None
    if not isinstance(roles, list) or not all(isinstance(role, str) and role for role in roles):
        return None
    variables_found: dict[str, tuple[Value, Path]] = {
        str(name): (value, ("inputs", _VARIABLES, name)) for name, value in variables.items()
    }
    settings: list[Path] = [*((key,) for key in operation.extra if key != "executor"), *quiet]
    settings.append(("inputs", _SOURCES))  # how the machine is reached
    settings += [("inputs", _SOURCES, *_PLACE, name, key) for key, value in host.items() if _has_effect(key, value)]
    is_here = host == _HERE
    address = MISSING if is_here else host[_ADDRESS]
    return Script(files[0], "", variables_found, settings, is_here, address, TOOL, installs=tuple(roles))


def over(operation: Operation) -> Over | None:
    """The playbook that an operation runs beside the manager, on the hosts of an inventory; None where it does so in a
    way that only the plugin has."""
    inputs = {key: value for key, value in operation.inputs.items() if value not in (None, "", [], {}, False)}
    files = [inputs.pop(name) for name in _FILES if name in inputs]
    sources, variables, options = inputs.pop(_SOURCES, None), inputs.pop(_VARIABLES, {}), inputs.pop(_OPTIONS, {})
    settings, start, tags = inputs.pop(_SETTINGS, {}), inputs.pop(_START, None), inputs.pop(_TAGS, None)
    for key in (*_QUIET, *_KEPT_OUT):
        inputs.pop(key, None)
    if operation.implementation != RUN or inputs or not files or not isinstance(sources, (dict, str, ex.Input)):
        return None
    if not all(isinstance(part, dict) for part in (variables, options, settings)):
        return None
    extra = options.get("extra_vars") or {}
    options_given = {str(key): value for key, value in options.items() if key != "extra_vars"}
    options_given |= {"start_at_task": start} if start else {}
    options_given |= {"tags": tags} if tags else {}
    if not isinstance(extra, dict) or "{{" in repr((files, sources, variables, options)):
        return None
    own = {str(key): value for key, value in settings.items() if _USUAL.get(key) != value}
    return Over(files[0], sources, {**extra, **variables}, options_given, own)


def runs() -> Runs:
    """How operations are written that run a playbook over an inventory: the plugin takes the folder of the playbook."""
    return Runs(RUN, (), _of_over, {}, {})


def _of_over(over: Over) -> dict[str, Value]:
    """The inputs of the function."""
    options = {key: value for key, value in over.options.items() if key not in (_START, _TAGS)}
    inputs: dict[str, Value] = {_FILES[0]: over.playbook, _SOURCES: over.inventory}
    maps = {_VARIABLES: over.variables, _OPTIONS: options, _SETTINGS: over.settings}
    inputs |= {name: dict(value) for name, value in maps.items() if value}
    return inputs | {key: over.options[key] for key in (_START, _TAGS) if key in over.options}


def _host(hosts: Value) -> tuple[str, dict[str, Value] | None]:
    """The only host of an inventory and its name, where nothing but how it is reached is given; None for another."""
    for key in _PLACE:
        hosts = hosts.get(key) if isinstance(hosts, dict) and len(hosts) == 1 else None
    if not isinstance(hosts, dict) or len(hosts) != 1:
        return "", None
    [(name, host)] = hosts.items()
    if not isinstance(host, dict):
        return "", None
    is_reached = _ADDRESS in host and "ansible_connection" not in host
    is_plain = is_reached and all(str(key).startswith(_REACHED) for key in host)
    return str(name), host if is_plain or host == _HERE else None


def _has_effect(key: str, value: Value) -> bool:
    """True for what a machine that runs the playbook itself, as root, does in another way."""
    is_access = key in (_ADDRESS, *_ACCESS, *_HERE) or _UNKNOWN_HOSTS.get(key) == value
    return not is_access and (key, value) != _ROOT
