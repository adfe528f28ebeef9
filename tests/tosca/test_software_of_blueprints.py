"""Software of Cloudify as software of TOSCA."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from bpconvert.api import Conversion, convert
from bpconvert.verification import verify

BLUEPRINT = """
tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml, plugin:cloudify-openstack-plugin]
node_types:
  my.App: {derived_from: cloudify.nodes.ApplicationModule, properties: {port: {default: 80}}}
node_templates:
  vm: {type: cloudify.nodes.openstack.Server, properties: {resource_config: {}}}
  web:
    type: cloudify.nodes.WebServer
    properties: {port: 8080}
    interfaces:
      cloudify.interfaces.lifecycle:
        create: {implementation: w.sh, inputs: {p: {get_property: [SELF, port]}}}
        start: w.sh
        precreate: w.sh
    relationships: [{type: cloudify.relationships.contained_in, target: vm}]
  app:
    type: my.App
    interfaces:
      cloudify.interfaces.lifecycle:
        configure: {implementation: w.sh, max_retries: 3}
        start: fabric.fabric_plugin.tasks.run_task
    relationships:
      - {type: cloudify.relationships.contained_in, target: web}
      - type: cloudify.relationships.connected_to
        target: db
        source_interfaces:
          cloudify.interfaces.relationship_lifecycle: {postconfigure: {implementation: w.sh, inputs: {a: 1}}}
        target_interfaces:
          cloudify.interfaces.relationship_lifecycle: {establish: {implementation: w.sh}}
  db:
    type: cloudify.nodes.DBMS
    relationships: [{type: cloudify.relationships.contained_in, target: vm}]
  loose:
    type: cloudify.nodes.SoftwareComponent
    relationships: [{type: cloudify.relationships.depends_on, target: db}]
"""


@pytest.fixture
def made(tmp_path: Path) -> Conversion:
    """The blueprint as a service template."""
    (tmp_path / "w.sh").write_text("#!/bin/sh\n")
    (tmp_path / "b.yaml").write_text(BLUEPRINT)
    return convert(tmp_path / "b.yaml", "cloudify", "tosca", carry=False)


def data(made: Conversion) -> tuple[dict[str, Any], dict[str, Any]]:
    """The result, and its topology."""
    found = yaml.safe_load(made.text)
    return found, found["topology_template"]


def test_types_declare_what_is_given(made: Conversion) -> None:
    whole, topology = data(made)
    web = topology["node_templates"]["web"]
    type = whole["node_types"][web["type"]]
    assert type["derived_from"] == "tosca.nodes.WebServer"
    assert type["properties"] == {"port": {"type": "integer", "required": False}}
    declared = type["interfaces"]["Standard"]["operations"]
    assert declared == {"create": {"inputs": {"p": {"type": "integer", "required": False}}}}
    assert web["interfaces"]["Standard"]["operations"] == {
        "create": {"implementation": "w.sh", "inputs": {"p": 8080}},
        "start": {"implementation": "w.sh"},
    }
    assert made.files == {"w.sh": "#!/bin/sh\n"}


def test_hosts_are_those_of_the_standard(made: Conversion) -> None:
    whole, topology = data(made)
    nodes = topology["node_templates"]
    assert nodes["db"] == {"type": "tosca.nodes.DBMS", "requirements": [{"host": "vm"}]}
    assert whole["node_types"]["my.App"]["derived_from"] == "tosca.nodes.WebApplication"
    assert nodes["app"]["requirements"] == [{"host": "web"}, {"dependency": {"node": "db", "relationship": "app_db"}}]
    assert whole["node_types"][nodes["loose"]["type"]]["derived_from"] == "tosca.nodes.Root"
    assert nodes["loose"]["requirements"] == [{"dependency": "db"}]


@pytest.mark.parametrize(("kind", "requirement"), [("contained_in", "host"), ("depends_on", "dependency")])
def test_a_stand_in_that_hosts_software_is_on_its_machine(kind: str, requirement: str) -> None:
    """An orchestrator looks for the machine of a program through what hosts it."""
    source = f"""
tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml, plugin:cloudify-openstack-plugin]
node_templates:
  vm: {{type: cloudify.nodes.openstack.Server}}
  box: {{type: cloudify.nodes.Root, relationships: [{{type: cloudify.relationships.{kind}, target: vm}}]}}
  app:
    type: cloudify.nodes.SoftwareComponent
    interfaces: {{cloudify.interfaces.lifecycle: {{create: w.sh}}}}
    relationships: [{{type: cloudify.relationships.contained_in, target: box}}]
"""
    made = convert(source.encode(), "cloudify", "tosca", beside={"w.sh": "#!/bin/sh\n"}, carry=False)
    whole, topology = data(made)
    box = topology["node_templates"]["box"]
    assert topology["node_templates"]["app"]["requirements"] == [{"host": "box"}]
    assert box["requirements"] == [{requirement: "vm"}]
    type_of_box = whole["node_types"].get(box["type"], {})  # the standard's own is not defined
    hosts = [row["host"]["occurrences"] for row in type_of_box.get("requirements", [])]
    assert hosts == ([[0, 1]] if requirement == "host" else [])


def test_relationship_operations_are_in_a_template(made: Conversion) -> None:
    whole, topology = data(made)
    template = topology["relationship_templates"]["app_db"]
    assert template["interfaces"]["Configure"]["operations"] == {
        "post_configure_source": {"implementation": "w.sh", "inputs": {"a": 1}},
        "add_source": {"implementation": "w.sh"},
    }
    type = whole["relationship_types"][template["type"]]
    assert list(type["interfaces"]["Configure"]["operations"]) == ["post_configure_source"]


def test_what_is_left_is_reported(made: Conversion) -> None:
    places = [(one.code, one.path[1], one.path[-1]) for one in made.diagnostics if one.code in ("BPC831", "BPC833")]
    assert sorted(places) == [
        ("BPC831", "app", "start"),
        ("BPC831", "web", "precreate"),
        ("BPC833", "app", "max_retries"),
    ]


def test_it_is_the_same_again(made: Conversion, tmp_path: Path) -> None:
    (tmp_path / "t.yaml").write_text(made.text)
    back = yaml.safe_load(convert(tmp_path / "t.yaml", "tosca", "cloudify", carry=False).text)["node_templates"]
    assert back["web"]["type"] == "cloudify.nodes.WebServer"
    assert back["app"]["type"] == "cloudify.nodes.ApplicationModule"
    assert [one["type"].rsplit(".", 1)[-1] for one in back["app"]["relationships"]] == ["contained_in", "connected_to"]
    lifecycle = back["web"]["interfaces"]["cloudify.interfaces.lifecycle"]
    assert lifecycle["create"] == {"implementation": "w.sh", "inputs": {"p": 8080}}


@pytest.mark.parametrize("orchestrator", [None, "opera"])
@pytest.mark.parametrize(("address", "is_marked"), [("10.0.0.1", True), ("localhost", False)])
def test_what_the_manager_runs_the_orchestrator_runs(
    address: str, is_marked: bool, orchestrator: str | None, tmp_path: Path
) -> None:
    (tmp_path / "a.sh").write_text("#!/bin/sh\necho\n", "utf-8")
    (tmp_path / "blueprint.yaml").write_text(
        f"""\
tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml]
node_templates:
  vm:
    type: cloudify.nodes.Compute
    properties: {{ip: {address}}}
  app:
    type: cloudify.nodes.SoftwareComponent
    interfaces:
      cloudify.interfaces.lifecycle:
        create: {{implementation: a.sh, executor: central_deployment_agent}}
        start: {{implementation: a.sh}}
    relationships: [{{type: cloudify.relationships.contained_in, target: vm}}]
""",
        "utf-8",
    )
    made = convert(tmp_path / "blueprint.yaml", "cloudify", "tosca", carry=False, orchestrator=orchestrator)
    rows = made.document["topology_template"]["node_templates"]["app"]["interfaces"]["Standard"]["operations"]
    hosts = [dict(row).get("operation_host") for row in map(_implementation, rows.values())]
    assert hosts == ["ORCHESTRATOR" if is_marked else None, None]
    made.write(tmp_path / "out" / "service.yaml")
    assert not verify(tmp_path / "blueprint.yaml", tmp_path / "out" / "service.yaml").differences
    back = convert(tmp_path / "out" / "service.yaml", "tosca", "cloudify", carry=False)
    operations = back.document["node_templates"]["app"]["interfaces"]["cloudify.interfaces.lifecycle"]
    assert operations["create"]["executor"] == "central_deployment_agent"
    assert ("executor" in operations["start"]) is not is_marked


def _implementation(row: Any) -> dict[str, Any]:
    found = row["implementation"]
    return found if isinstance(found, dict) else {"primary": found}
