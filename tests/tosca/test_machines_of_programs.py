"""Programs of a blueprint that say themselves which machine they run on, in a service template."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from service_heads import SOFTWARE

from bpconvert import Result, convert
from bpconvert.verification import verify

SOURCE = """\
tosca_definitions_version: cloudify_dsl_1_4
imports: [cloudify/types/types.yaml, plugin:cloudify-openstack-plugin, plugin:cloudify-ansible-plugin]
node_templates:
  vm:
    type: cloudify.nodes.openstack.Server
    properties: {flavor: f, image: i, agent_config: {install_method: none}, resource_config: {}}
  other:
    type: cloudify.nodes.openstack.Server
    properties: {flavor: f, image: i, agent_config: {install_method: none}, resource_config: {}}
  app:
    type: %s
    interfaces:
      cloudify.interfaces.lifecycle:
        start:
          implementation: %s
    relationships: [%s]
"""
PLAYBOOK = """\
ansible.cloudify_ansible.tasks.run
          inputs: {playbook_path: site.yaml, sources: {all: {hosts: {a: {ansible_host: %s}}}}, roles: %s}"""
FABRIC = """\
fabric.fabric_plugin.tasks.run_script
          inputs: {script_path: start.sh, fabric_env: {host_string: %s, user: u}}"""
VM = "{get_attribute: [vm, ip]}"
WAITS = "{type: cloudify.relationships.depends_on, target: vm}"
INSIDE = "{type: cloudify.relationships.contained_in, target: other}"
COMPONENT = "cloudify.nodes.SoftwareComponent"


def _converted(
    folder: Path,
    implementation: str,
    ties: str,
    type: str = COMPONENT,
    target: str = "tosca",
    first: str = "#!/bin/sh\n",
) -> Result:
    (folder / "site.yaml").write_text("- hosts: all\n  tasks: []\n")
    (folder / "start.sh").write_text(f"{first}echo\n")
    (folder / "blueprint.yaml").write_text(SOURCE % (type, implementation, ties))
    return convert(folder / "blueprint.yaml", "cloudify", target, carry=False)


def _template(result: Result) -> dict[str, Any]:
    template: dict[str, Any] = result.document["topology_template"]["node_templates"]["app"]
    return template


@pytest.mark.parametrize("type", [COMPONENT, "cloudify.nodes.Root"])
@pytest.mark.parametrize("implementation", [PLAYBOOK % (VM, "[]"), FABRIC % VM])
def test_the_machine_of_its_programs_hosts_a_node(tmp_path: Path, implementation: str, type: str) -> None:
    """An orchestrator runs what nothing hosts on its own machine."""
    template = _template(_converted(tmp_path, implementation, WAITS, type))
    assert template["requirements"] == [{"host": "vm"}]
    program = "site.yaml" if "ansible" in implementation else "start.sh"
    assert template["interfaces"]["Standard"]["operations"]["start"]["implementation"] == program


@pytest.mark.parametrize(("address", "ties"), [(VM, f"{INSIDE}, {WAITS}"), ("10.0.0.1", ""), ("10.0.0.1", WAITS)])
def test_a_playbook_on_another_machine_has_its_inventory(tmp_path: Path, address: str, ties: str) -> None:
    template = _template(_converted(tmp_path, PLAYBOOK % (address, "[]"), ties))
    operation = template["interfaces"]["Standard"]["operations"]["start"]
    assert operation["implementation"]["operation_host"] == "ORCHESTRATOR"
    expected = {"get_attribute": ["vm", "first_address"]} if address == VM else address
    assert operation["inputs"]["inventory"] == {"all": {"hosts": {"a": {"ansible_host": expected}}}}


@pytest.mark.parametrize(("address", "ties"), [(VM, f"{INSIDE}, {WAITS}"), ("10.0.0.1", WAITS)])
def test_a_script_on_another_machine_is_reported(tmp_path: Path, address: str, ties: str) -> None:
    result = _converted(tmp_path, FABRIC % address, ties, first="")
    assert "interfaces" not in _template(result)
    [finding] = [finding for finding in result.diagnostics if finding.code == "BPC831"]
    assert finding.message.endswith("is not run: it runs on a machine that does not host the node")
    assert "BPC433" not in [finding.code for finding in result.diagnostics]  # nothing becomes of its text


def test_roles_of_a_playbook_are_installed_before_it_by_a_stack_only(tmp_path: Path) -> None:
    implementation = PLAYBOOK % (VM, "[a.role, b]")
    resources = _converted(tmp_path, implementation, WAITS, target="hot").document["resources"]
    program = resources["app_install_roles_config"]["properties"]["config"]
    assert program == "#!/bin/bash\nansible-galaxy install a.role b\n"
    assert resources["app_start_deploy"]["depends_on"] == "app_install_roles_deploy"
    result = _converted(tmp_path, implementation, WAITS)
    assert _template(result)["interfaces"]["Standard"]["operations"]["start"]["implementation"] == "site.yaml"
    lost = [finding.path[-1] for finding in result.diagnostics if finding.code == "BPC833"]
    assert lost == ["sources", "roles"]


@pytest.mark.parametrize("roles", ["{a: b}", "[{name: a}]", "['']"])
def test_roles_that_are_no_names_are_the_plugins(tmp_path: Path, roles: str) -> None:
    result = _converted(tmp_path, PLAYBOOK % (VM, roles), WAITS)
    assert [finding.code for finding in result.diagnostics if finding.code == "BPC831"] == ["BPC831"]


@pytest.mark.parametrize(("host", "expected"), [("SELF", "vm"), ("ORCHESTRATOR", "localhost")])
def test_a_playbook_of_the_orchestrator_is_one_of_the_manager(tmp_path: Path, host: str, expected: str) -> None:
    (tmp_path / "play.yaml").write_text("- hosts: all\n  tasks: []\n")
    (tmp_path / "service.yaml").write_text(
        SOFTWARE % f"create: {{implementation: {{primary: play.yaml, operation_host: {host}}}}}"
    )
    result = convert(tmp_path / "service.yaml", "tosca", "cloudify", carry=False)
    operation = result.document["node_templates"]["app"]["interfaces"]["cloudify.interfaces.lifecycle"]["create"]
    assert list(operation["inputs"]["sources"]["all"]["hosts"]) == [expected]
    result.write(tmp_path / "there" / "blueprint.yaml")
    compared = verify(tmp_path / "service.yaml", tmp_path / "there" / "blueprint.yaml", reported=result.diagnostics)
    assert [difference.what for difference in compared.differences if not difference.is_reported] == []
