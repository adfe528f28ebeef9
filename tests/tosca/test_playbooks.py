"""Playbooks over an inventory: what the script beside a service template calls Ansible with."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from bpconvert.api import convert
from bpconvert.options import Options
from bpconvert.translators.tosca import playbooks

#: shows what it is called with, as a text
ANSIBLE = """\
#!{python}
import json, os, sys
found = dict(arguments=[one for one in sys.argv[1:] if not one.startswith(("/", "@/"))])
hosts, variables = sys.argv[2], sys.argv[4]
found["hosts"] = open(hosts).read()
found["variables"] = open(variables[1:]).read()
found["mode"] = oct(os.stat(hosts).st_mode & 0o777) if hosts.startswith("/") else ""
found["checking"] = os.environ["ANSIBLE_HOST_KEY_CHECKING"]
print(json.dumps(found))
"""


def _called(folder: Path, **given: Any) -> dict[str, Any]:
    (folder / "run.py").write_text(playbooks._SCRIPT)
    (folder / "bin").mkdir()
    command = folder / "bin" / "ansible-playbook"
    command.write_text(ANSIBLE.format(python=sys.executable))
    command.chmod(0o755)
    (folder / "bin" / "python").symlink_to(sys.executable)
    whole = {"variables": {}, "options": {}, "settings": {}, **given}
    run = [str(folder / "bin" / "python"), "run.py"]
    made = subprocess.run(run, input=json.dumps(whole), cwd=folder, capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(made.stdout)
    return found


def test_an_inventory_is_a_file_of_its_own_and_keys_are_files_in_it(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "site.yml").write_text("[]")
    hosts = {"web": {"hosts": {"a": {"ansible_host": "10.0.0.1", "ansible_ssh_private_key_file": "KEY"}, "b": None}}}
    options = {"tags": ["x", "y"], "start_at_task": "Print uname"}
    found = _called(tmp_path, playbook="all/site/site.yml", inventory=hosts, variables={"p": [1]}, options=options)
    assert found["arguments"] == ["-i", "-e", "--tags=x,y", "--start-at-task=Print uname", "site/site.yml"]
    assert json.loads(found["variables"]) == {"p": [1]}
    known = json.loads(found["hosts"])["web"]["hosts"]
    assert known["b"] is None
    assert known["a"]["ansible_host"] == "10.0.0.1"
    assert known["a"]["ansible_ssh_private_key_file"].startswith("/")
    assert (found["mode"], found["checking"]) == ("0o600", "False")


def test_an_inventory_is_a_file_beside_or_the_text_of_one(tmp_path: Path) -> None:
    (tmp_path / "hosts").write_text("[web]\n")
    known = {"settings": {"ANSIBLE_HOST_KEY_CHECKING": True}}
    assert _called(tmp_path, playbook="p.yml", inventory="ini/hosts", **known)["checking"] == "True"
    (tmp_path / "other").mkdir()
    assert _called(tmp_path / "other", playbook="p.yml", inventory="a,b,")["hosts"] == "a,b,"


HEAD = "tosca_definitions_version: cloudify_dsl_1_3\nimports: [plugin:cloudify-ansible-plugin]\nnode_templates:\n"
NODE = "  run: {type: cloudify.nodes.ansible.Executor, properties: {playbook_path: p.yml, sources: hosts%s}}\n"


def _codes(tmp_path: Path, more: str) -> set[str]:
    (tmp_path / "p.yml").write_text("- hosts: all\n")
    (tmp_path / "hosts").write_text("localhost\n")
    (tmp_path / "blueprint.yaml").write_text(HEAD + NODE % more)
    made = convert(tmp_path / "blueprint.yaml", "cloudify", "tosca")
    return {one.code for one in made.diagnostics}


def test_what_only_the_plugin_has_stays_a_stand_in(tmp_path: Path) -> None:
    assert "BPC438" in _codes(tmp_path, "")
    assert "BPC438" in _codes(tmp_path, ", log_stdout: false, ansible_env_vars: {ANSIBLE_FORKS: 3}")
    for more in (
        ", galaxy_collections: [a.b]",
        ", run_data: {a: '{{ b }}'}",
        ", playbook_source_path: 'https://x/y.zip'",
    ):
        assert "BPC802" in _codes(tmp_path, more), more


@pytest.mark.parametrize("odd", [3, "x", None])
def test_other_dependencies_than_a_list_are_none(tmp_path: Path, odd: object) -> None:
    (tmp_path / "p.yml").write_text("- hosts: all\n")
    (tmp_path / "hosts").write_text("localhost\n")
    (tmp_path / "blueprint.yaml").write_text(HEAD + NODE % "")
    made = convert(tmp_path / "blueprint.yaml", "cloudify", "tosca", options=Options(carry="none"))
    made.write(tmp_path / "there" / "tosca.yaml")
    data = YAML(typ="safe").load(tmp_path / "there" / "tosca.yaml")
    (interface,) = data["topology_template"]["node_templates"]["run"]["interfaces"].values()
    (operation,) = interface.get("operations", interface).values()
    operation["implementation"]["dependencies"] = odd
    YAML(typ="safe").dump(data, tmp_path / "there" / "tosca.yaml")
    back = convert(tmp_path / "there" / "tosca.yaml", "tosca", "cloudify")
    assert "BPC258" in {one.code for one in back.diagnostics}


INSIDE = """\
  vm:
    type: cloudify.nodes.openstack.Server
    properties: {agent_config: {install_method: none}, resource_config: {image_id: i, flavor_id: f}}
  run:
    type: cloudify.nodes.ansible.Executor
    properties:
      playbook_path: p.yml
      run_data: {flag: false, rows: [], map: {a: 1}}
      sources: {all: {hosts: {vm: {ansible_host: {get_attribute: [vm, ip]}}}}}
    relationships: [{type: cloudify.relationships.contained_in, target: vm}]
"""


def test_a_node_of_the_plugin_on_its_machine_is_software(tmp_path: Path) -> None:
    (tmp_path / "p.yml").write_text("- hosts: all\n")
    (tmp_path / "blueprint.yaml").write_text(HEAD + INSIDE)
    made = convert(tmp_path / "blueprint.yaml", "cloudify", "tosca", options=Options(carry="none"))
    node = made.document["topology_template"]["node_templates"]["run"]
    operation = {"implementation": "p.yml", "inputs": {"flag": False, "rows": [], "map": {"a": 1}}}
    assert node["interfaces"]["Standard"]["operations"]["start"] == operation
    assert "BPC802" not in {diagnostic.code for diagnostic in made.diagnostics}
