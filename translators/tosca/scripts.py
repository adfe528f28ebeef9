"""Scripts for an orchestrator that runs playbooks only, as opera does: a playbook beside the script runs it, with its
variables as Cloudify's script plugin gives them (cloudify-common: ``script_runner/tasks.py``), and publishes what it
leaves for its outputs."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Collection, Iterable
from typing import Any, Final

from bpconvert.models.topology import Operation

PROGRAM: Final = "scripts/bpconvert_script.yaml"
#: inputs of the operation: the last name of the script, its variables, and the names of its outputs
_SCRIPT: Final = "script"
_VARIABLES: Final = "variables"
_OUTPUTS: Final = "outputs"

_PLAYBOOK: Final = """\
# Runs a script on a machine. Its variables are those of the operation; what it publishes, the operation's outputs are.
- hosts: all
  gather_facts: false
  tasks:
    - name: Make a folder for what the script publishes
      ansible.builtin.tempfile: {state: directory}
      register: folder
    - name: Take the variables as texts
      ansible.builtin.set_fact:
        texts: >-
          {{ texts | default({}) | combine({item.key: item.value if item.value is string else item.value | to_json}) }}
      loop: "{{ variables | default({}) | dict2items }}"
      no_log: true
    - block:
        - name: Run the script
          ansible.builtin.script:
            cmd: "{{ script | quote }}"
          environment: "{{ texts | default({}) | combine({'heat_outputs_path': folder.path ~ '/output'}) }}"
        - name: Read what it has published
          ansible.builtin.slurp:
            src: "{{ folder.path }}/output.{{ item }}"
          loop: "{{ outputs | default([]) }}"
          register: published
          failed_when: false
        - name: Publish it
          ansible.builtin.set_stats:
            data: >-
              {{ dict(found | map(attribute='item') | zip(found | map(attribute='content') | map('b64decode'))) }}
          vars:
            found: "{{ published.results | selectattr('content', 'defined') }}"
          when: outputs | default([])
      always:
        - name: Remove the folder
          ansible.builtin.file:
            path: "{{ folder.path }}"
            state: absent
"""


def files() -> dict[str, str]:
    """The file that such operations need."""
    return {PROGRAM: _PLAYBOOK}


def run_by_playbook(row: dict[str, Any], outputs: Collection[str]) -> dict[str, Any]:
    """An operation (``implementation`` of a script, ``inputs``, ``outputs``) that runs its script by the
    playbook. ``outputs``: the names of what the script publishes."""
    implementation = row["implementation"]
    others = (
        {key: value for key, value in implementation.items() if key != "primary"}
        if isinstance(implementation, dict)
        else {}
    )
    script = implementation["primary"] if isinstance(implementation, dict) else implementation
    inputs: dict[str, Any] = {_SCRIPT: posixpath.basename(script)}
    if row.get("inputs"):
        inputs[_VARIABLES] = row["inputs"]
    if outputs:
        inputs[_OUTPUTS] = list(outputs)
    return {**row, "implementation": {"primary": PROGRAM, "dependencies": [script], **others}, "inputs": inputs}


def open_scripts(operations: Iterable[Operation], text: Callable[[str], str | None]) -> None:
    """Let operations that run a script by our playbook run the script itself again. ``text``: the path of a file ->
    its text; another playbook of that name stays."""
    for operation in operations:
        needs = operation.extra.get("dependencies")
        variables = operation.inputs.get(_VARIABLES, {})
        if operation.implementation != PROGRAM or not isinstance(needs, list) or not isinstance(variables, dict):
            continue
        if needs and text(PROGRAM) in (None, _PLAYBOOK):
            operation.implementation = str(needs[0])
            operation.inputs = variables
            operation.origins = {
                name: (*operation.origins[_VARIABLES], name) for name in variables if _VARIABLES in operation.origins
            }
            del operation.extra["dependencies"]
