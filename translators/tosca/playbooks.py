"""Playbooks that run on the hosts of an inventory: an operation on the orchestrator runs a playbook, as opera does, and
that a script which writes the inventory and calls Ansible."""

from __future__ import annotations

from typing import Final

from bpconvert.models.expressions import Value
from bpconvert.models.topology import Operation
from bpconvert.translators.passes.capabilities import Over, Runs

PROGRAM: Final = "scripts/bpconvert_playbook.yaml"
SCRIPT: Final = "scripts/bpconvert_playbook.py"

_PROGRAM: Final = """\
# Runs a playbook on the hosts of an inventory, with bpconvert_playbook.py beside it.
- hosts: all
  gather_facts: false
  tasks:
    - name: Run the playbook
      ansible.builtin.command:
        argv: ["{{ ansible_playbook_python }}", bpconvert_playbook.py]
        chdir: "{{ playbook_dir }}"
        stdin: >-
          {{ {'playbook': playbook, 'inventory': inventory, 'variables': variables | default({}),
          'options': options | default({}), 'settings': settings | default({})} | to_json }}
"""
_SCRIPT: Final = '''\
"""Runs ansible-playbook with an inventory, variables and options that are given as JSON."""

import json
import os
import subprocess
import sys
import tempfile

KEY = "ansible_ssh_private_key_file"


def kept(folder, name, text):
    """A file that nobody else reads."""
    path = os.path.join(folder, name)
    with open(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600), "w") as file:
        file.write(text)
    return path


def with_keys(data, folder):
    """The inventory with files in place of private keys."""
    if not isinstance(data, dict):
        return data
    found = {}
    for name, value in data.items():
        if name == KEY and value and not os.path.exists(value):
            value = kept(folder, f"key{len(os.listdir(folder))}", value)
        found[name] = with_keys(value, folder)
    return found


def beside(path):
    """A file of the bundle: the orchestrator copies files and folders by their last names."""
    parts = path.split("/")
    ways = ["/".join(parts[start:]) for start in range(len(parts))]
    return next((way for way in ways if way and os.path.exists(way)), path)


def options(given):
    """Options of the command."""
    for name, value in given.items():
        text = ",".join(value) if isinstance(value, list) else json.dumps(value) if isinstance(value, dict) else value
        yield f"--{name.replace('_', '-')}={text}"


def main():
    given = json.load(sys.stdin)
    with tempfile.TemporaryDirectory() as folder:
        hosts = given["inventory"]
        if isinstance(hosts, dict):
            hosts = kept(folder, "hosts.yaml", json.dumps(with_keys(hosts, folder)))
        else:
            hosts = beside(hosts) if os.path.exists(beside(hosts)) else kept(folder, "hosts", hosts)
        variables = kept(folder, "variables.json", json.dumps(given["variables"]))
        command = os.path.join(os.path.dirname(sys.executable), "ansible-playbook")
        command = command if os.path.exists(command) else "ansible-playbook"
        arguments = ["-i", hosts, "-e", "@" + variables, *options(given["options"]), beside(given["playbook"])]
        usual = {"ANSIBLE_HOST_KEY_CHECKING": "False", "ANSIBLE_INVALID_TASK_ATTRIBUTE_FAILED": "False"}
        own = {name: str(value) for name, value in given["settings"].items()}
        return subprocess.call([command, *arguments], env={**os.environ, **usual, **own})


if __name__ == "__main__":
    sys.exit(main())
'''


def _inputs(over: Over) -> dict[str, Value]:
    """The inputs of the operation: puccini takes no empty maps."""
    maps = {"variables": over.variables, "options": over.options, "settings": over.settings}
    settings = {name: dict(value) for name, value in maps.items() if value}
    return {"playbook": over.playbook, "inventory": over.inventory, **settings}


def over(operation: Operation) -> Over | None:
    """What such an operation runs; None for others."""
    inputs = dict(operation.inputs)
    playbook, inventory = inputs.pop("playbook", None), inputs.pop("inventory", None)
    maps = [inputs.pop(name, {}) for name in ("variables", "options", "settings")]
    is_one = operation.implementation == PROGRAM and playbook and inventory and not inputs
    if not is_one or not all(isinstance(part, dict) for part in maps):
        return None
    return Over(playbook, inventory, *maps)


def runs() -> Runs:
    """How such operations are written."""
    files = {PROGRAM: _PROGRAM, SCRIPT: _SCRIPT}
    return Runs(PROGRAM, (SCRIPT,), _inputs, files, {"operation_host": "ORCHESTRATOR"})
