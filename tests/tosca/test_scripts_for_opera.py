"""Scripts of blueprints in service templates for opera, which runs playbooks only."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest
import yaml
from corpus_cases import CORPUS

from bpconvert import UsageError, convert
from bpconvert.translators.tosca import scripts

CASE = CORPUS / "to-tosca" / "scripts-for-opera" / "blueprint.yaml"
SHARED = """\
tosca_definitions_version: cloudify_dsl_1_4
imports: [cloudify/types/types.yaml]
inputs:
  port: {type: integer}
node_templates:
  db:
    type: cloudify.nodes.ApplicationModule
    interfaces:
      cloudify.interfaces.lifecycle:
        create: {implementation: scripts/db.sh, executor: central_deployment_agent}
  app:
    type: cloudify.nodes.ApplicationModule
    interfaces:
      cloudify.interfaces.lifecycle:
        create:
          implementation: scripts/app.sh
          executor: central_deployment_agent
          inputs:
            ip: {get_attribute: [db, ip]}
            again: {concat: [{get_attribute: [db, ip]}, ":", {get_input: port}]}
    relationships: [{type: cloudify.relationships.connected_to, target: db}]
outputs:
  ip: {value: {get_attribute: [db, ip]}}
"""


def made(folder: Path) -> dict[str, Any]:
    """The service template for opera of a blueprint with two scripts, the second of which gets what the first sets."""
    (folder / "scripts").mkdir(exist_ok=True)
    (folder / "scripts" / "db.sh").write_text("#!/bin/sh\nctx instance runtime-properties ip 10.0.0.1\n", "utf-8")
    (folder / "scripts" / "app.sh").write_text("#!/bin/sh\necho $ip $again\n", "utf-8")
    (folder / "blueprint.yaml").write_text(SHARED, "utf-8")
    result = convert(folder / "blueprint.yaml", "cloudify", "tosca", orchestrator="opera")
    result.write(folder / "out" / "service.yaml")
    found: dict[str, Any] = yaml.safe_load(result.text)["topology_template"]["node_templates"]
    return found


def test_a_playbook_runs_each_script() -> None:
    result = convert(CASE, "cloudify", "tosca", carry=False, orchestrator="opera")
    assert scripts.PROGRAM in result.files
    for row in result.document["topology_template"]["node_templates"]["app"]["interfaces"]["Standard"][
        "operations"
    ].values():
        assert row["implementation"]["primary"] == scripts.PROGRAM
        (script,) = row["implementation"]["dependencies"]
        assert script in result.files
        assert row["inputs"]["script"] == Path(script).name
    assert "BPC548" not in {one.code for one in result.diagnostics}
    assert yaml.safe_load(result.files[scripts.PROGRAM])[0]["hosts"] == "all"


def test_without_it_one_finding_says_so() -> None:
    result = convert(CASE, "cloudify", "tosca", carry=False)
    assert [one.code for one in result.diagnostics].count("BPC548") == 1
    assert scripts.PROGRAM not in result.files


def test_attributes_of_other_nodes_are_read_by_a_requirement(tmp_path: Path) -> None:
    nodes = made(tmp_path)
    variables = nodes["app"]["interfaces"]["Standard"]["operations"]["create"]["inputs"]["variables"]
    assert variables["ip"] == {"get_attribute": ["SELF", "uses_db", "ip"]}
    assert {"get_attribute": ["SELF", "uses_db", "ip"]} in variables["again"]["concat"]
    rows = [name for row in nodes["app"]["requirements"] for name in row]
    assert rows.count("uses_db") == 1


def test_they_come_back(tmp_path: Path) -> None:
    made(tmp_path)
    assert convert(tmp_path / "out" / "service.yaml", "tosca", "cloudify").text == SHARED


def test_an_edit_comes_back(tmp_path: Path) -> None:
    made(tmp_path)
    place = tmp_path / "out" / "service.yaml"
    text = place.read_text("utf-8")
    edited = text.replace("uses_db, ip]}, ':'", "uses_db, ip]}, '.'", 1)
    assert edited != text
    place.write_text(edited, "utf-8")
    back = convert(place, "tosca", "cloudify").text
    assert back.replace("'", '"') == SHARED.replace('":"', '"."')


def test_without_the_record_the_scripts_run_again(tmp_path: Path) -> None:
    made(tmp_path)
    convert(tmp_path / "blueprint.yaml", "cloudify", "tosca", carry=False, orchestrator="opera").write(
        tmp_path / "plain" / "service.yaml"
    )
    back = convert(tmp_path / "plain" / "service.yaml", "tosca", "cloudify", carry=False)
    operations = back.document["node_templates"]["app"]["interfaces"]["cloudify.interfaces.lifecycle"]
    create = copy.deepcopy(operations["create"])
    assert create["implementation"] == "scripts/app.sh"
    assert create["inputs"]["ip"] == {"get_attribute": ["db", "ip"]}
    assert not {"script", "variables", "outputs"} & create["inputs"].keys()


def test_another_playbook_of_that_name_stays_one(tmp_path: Path) -> None:
    made(tmp_path)
    convert(tmp_path / "blueprint.yaml", "cloudify", "tosca", carry=False, orchestrator="opera").write(
        tmp_path / "plain" / "service.yaml"
    )
    (tmp_path / "plain" / scripts.PROGRAM).write_text("- hosts: all\n  tasks: []\n", "utf-8")
    back = convert(tmp_path / "plain" / "service.yaml", "tosca", "cloudify", carry=False)
    assert "ansible" in str(back.document["node_templates"]["app"]["interfaces"])


@pytest.mark.parametrize("target", ["hot", "cloudify"])
def test_it_deploys_service_templates_only(target: str) -> None:
    with pytest.raises(UsageError, match="deploys no"):
        convert(CORPUS / "tosca" / "server" / "tosca.yaml", "tosca", target, orchestrator="opera")
