"""Roles of Ansible, and what the operations of machines publish, in a blueprint."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bpconvert import Result, convert

SOURCE = """\
tosca_definitions_version: tosca_simple_yaml_1_3
node_types:
  mine.Machine:
    derived_from: tosca.nodes.Compute
    attributes: {token: {type: string, default: none-yet}}
  mine.Here:
    derived_from: tosca.nodes.Root
    interfaces: {Standard: {operations: {create: play.yaml}}}
topology_template:
  node_templates:
    vm:
      type: mine.Machine
      artifacts: {java: {file: geerlingguy.java, type: tosca.artifacts.AnsibleGalaxy.role}}
      interfaces:
        Standard:
          operations:
            create: {implementation: play.yaml, inputs: {a: 1}, outputs: {secret: [SELF, token]}}
            start: {implementation: start.sh, inputs: {token: {get_attribute: [SELF, token]}}}
    idle:
      type: mine.Machine
      artifacts: {java: {file: geerlingguy.java, type: tosca.artifacts.AnsibleGalaxy.role}}
    here:
      type: mine.Here
      artifacts:
        one: {file: a.one, type: tosca.artifacts.AnsibleGalaxy.role}
        two: {file: a.two, type: tosca.artifacts.AnsibleGalaxy.role}
    app:
      type: tosca.nodes.SoftwareComponent
      requirements: [host: vm]
      interfaces:
        Standard:
          operations:
            create: {implementation: play.yaml, inputs: {token: {get_attribute: [vm, token]}}}
  outputs:
    token: {value: {get_attribute: [vm, token]}}
"""


def _converted(folder: Path, target: str) -> Result:
    (folder / "play.yaml").write_text("- hosts: all\n  tasks: []\n")
    (folder / "start.sh").write_text("#!/bin/sh\n")
    (folder / "service.yaml").write_text(SOURCE)
    return convert(folder / "service.yaml", "tosca", target, carry=False)


def _operations(result: Result, node: str) -> dict[str, Any]:
    operations: dict[str, Any] = result.document["node_templates"][node]["interfaces"]["cloudify.interfaces.lifecycle"]
    return operations


def test_roles_are_installed_where_the_plugin_runs_the_playbooks(tmp_path: Path) -> None:
    result = _converted(tmp_path, "cloudify")
    machine = _operations(result, "vm_software")
    assert [*machine] == ["create", "start"]
    assert machine["create"]["inputs"]["roles"] == ["geerlingguy.java"]
    assert machine["create"]["inputs"]["run_data"] == {"a": 1}
    assert machine["start"]["implementation"] == "start.sh"
    assert _operations(result, "here")["create"]["inputs"]["roles"] == ["a.one", "a.two"]
    assert "roles" not in _operations(result, "app")["create"]["inputs"]
    findings = [finding.message for finding in result.diagnostics if finding.code == "BPC529"]
    assert findings == [
        "roles of 'vm_software' are installed by the plugin for ansible, on the manager: geerlingguy.java",
        "roles of 'here' are installed by the plugin for ansible, on the manager: a.one, a.two",
    ]


def test_roles_without_a_playbook_are_installed_on_their_machine(tmp_path: Path) -> None:
    result = _converted(tmp_path, "cloudify")
    [operation] = _operations(result, "idle_software").values()
    assert "ansible-galaxy install geerlingguy.java" in result.files[operation["implementation"]]


def test_roles_that_no_machine_runs_are_reported(tmp_path: Path) -> None:
    result = _converted(tmp_path, "hot")
    assert [finding.path[1] for finding in result.diagnostics if "install_roles" in finding.message] == [
        "vm", "idle", "here",
    ]  # fmt: skip


def test_what_operations_of_a_machine_publish_is_read_of_the_node_that_has_them(tmp_path: Path) -> None:
    result = _converted(tmp_path, "cloudify")
    read = {"get_attribute": ["vm_software", "secret"]}
    assert result.document["outputs"]["token"]["value"] == read
    assert _operations(result, "vm_software")["start"]["inputs"] == {"token": read}
    assert _operations(result, "app")["create"]["inputs"]["run_data"] == {"token": read}
    assert {"type": "cloudify.relationships.depends_on", "target": "vm_software"} in result.document["node_templates"][
        "app"
    ]["relationships"]
