"""Scripts that run on no server of the document, and outputs that only one of two documents uses."""

from __future__ import annotations

from pathlib import Path

import pytest

from bpconvert import Result, convert
from bpconvert.verification import verify

BESIDE = """\
tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml]
node_templates:
  beside:
    type: cloudify.nodes.WebServer
    interfaces:
      cloudify.interfaces.lifecycle:
        create: run.sh
"""
PUBLISHING = """\
heat_template_version: queens
resources:
  server: {type: OS::Nova::Server, properties: {flavor: m1.small, image: debian-12, user_data_format: SOFTWARE_CONFIG}}
  config:
    type: OS::Heat::SoftwareConfig
    properties: {group: script, config: "echo x > $heat_outputs_path.host", outputs: [{name: host}]}
  deploy:
    type: OS::Heat::SoftwareDeployment
    properties: {config: {get_resource: config}, server: {get_resource: server}}
outputs:
  host:
    value: {yaql: {expression: "$.data.a.toUpper().matches('X.*')", data: {a: {get_attr: [deploy, host]}}}}
"""
PLAYBOOK = """\
tosca_definitions_version: tosca_simple_yaml_1_3
topology_template:
  node_templates:
    machine: {type: tosca.nodes.Compute}
    app:
      type: tosca.nodes.SoftwareComponent
      requirements: [{host: machine}]
      interfaces: {Standard: {operations: {create: play.yaml}}}
"""


def there(folder: Path, text: str, source: str, target: str) -> tuple[Path, Path, Result]:
    """A document in a folder, what it becomes in one below, and the conversion."""
    document, result = folder / f"{source}.yaml", folder / "there" / f"{target}.yaml"
    document.write_text(text)
    made = convert(document, source, target)
    made.write(result)
    return document, result, made


@pytest.mark.parametrize("where", ["machine", "other"])
def test_a_playbook_needs_no_agent(where: str, tmp_path: Path) -> None:
    """Cloudify's plugin runs it on its machine over SSH."""
    (tmp_path / "play.yaml").write_text("- hosts: all\n  tasks: [{command: echo x}]\n")
    text = PLAYBOOK.replace("create: play.yaml", "create: play.yaml, start: play.yaml")
    source, result, _ = there(tmp_path, text.replace("machine", where), "tosca", "cloudify")
    assert "install_method: none" in result.read_text()
    found = verify(source, result, reported=[])
    assert [one.what for one in found.differences if one.what.endswith(".agent")] == []


def test_a_script_without_a_first_line_is_run_by_the_shell(tmp_path: Path) -> None:
    (tmp_path / "run.sh").write_text("echo\n")
    source, result, made = there(tmp_path, BESIDE, "cloudify", "tosca")
    assert [one for one in verify(source, result, reported=made.diagnostics).differences if not one.is_reported] == []
    (script,) = result.parent.rglob("*.sh")
    script.write_text("#!/bin/sh\nfalse\n")
    found = verify(source, result, reported=made.diagnostics).differences
    assert any(one.what.endswith("implementation") for one in found)


def test_an_output_is_published_where_it_is_used(tmp_path: Path) -> None:
    """The value that would use it is reported itself."""
    source, result, made = there(tmp_path, PUBLISHING, "hot", "tosca")
    found = verify(source, result, reported=made.diagnostics)
    assert [one for one in found.differences if not one.is_reported] == []
    assert {one.code for one in made.diagnostics if one.severity.name != "INFO"} == {"BPC202"}


NO_FILE = """\
tosca_definitions_version: tosca_simple_yaml_1_3
node_types:
  own.App:
    derived_from: tosca.nodes.SoftwareComponent
    interfaces: {Standard: {create: {implementation: {primary: Ansible, operation_host: HOST}}}}
topology_template:
  node_templates:
    vm: {type: tosca.nodes.Compute}
    app: {type: own.App, requirements: [{host: vm}]}
"""


@pytest.mark.parametrize(("target", "code"), [("hot", "BPC391"), ("cloudify", "BPC831")])
def test_an_operation_of_a_type_that_runs_no_file_is_reported(tmp_path: Path, target: str, code: str) -> None:
    """To Heat it was lost: what a stand-in does not run is reported with it, but software is none."""
    source, result = tmp_path / "service.yaml", tmp_path / "there" / f"{target}.yaml"
    source.write_text(NO_FILE)
    made = convert(source, "tosca", target)
    made.write(result)
    assert code in {one.code for one in made.diagnostics}
    assert [one for one in verify(source, result, reported=made.diagnostics).differences if not one.is_reported] == []
