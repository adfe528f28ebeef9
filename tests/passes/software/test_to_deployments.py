"""Operations that become deployments: what the pass leaves on the topology."""

from __future__ import annotations

from pathlib import Path

import pytest
from hot_lowering import operation, request_of, topology

from bpconvert import convert, verify
from bpconvert.models import expressions as ex
from bpconvert.models.topology import Node, Operation
from bpconvert.translators.passes.software.to_deployments import deployed, to_deployments
from bpconvert.yamlio.document import load


def _server() -> Node:
    return Node("vm", "cloudify.nodes.openstack.Server", "server")


def _app(*operations: Operation, type: str = "my.App") -> Node:
    return Node("app", type, host="vm", operations=list(operations))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.sh").write_text("#!/bin/sh\n", encoding="utf-8")
    return tmp_path


def test_an_operation_gets_its_machine_and_its_script_is_kept(folder: Path) -> None:
    start, create = operation("start", "a.sh"), operation("create", "a.sh", inputs={"x": 1})
    manager = operation("stop", "a.sh", extra={"executor": "central_deployment_agent"})
    source = topology(_server(), _app(start, create, manager))
    request = request_of(load("{}\n", "b.yaml"), folder=folder)
    found = to_deployments(source, request)
    assert deployed(found.nodes["app"]) == [create, start]
    assert (create.machine, create.step, manager.machine) == ("vm", "create", None)
    assert create.script is not None
    assert create.script.inputs == {"x": (1, ("inputs", "x"))}
    assert found.files == {"a.sh": "#!/bin/sh\n"}
    assert [(one.code, one.path) for one in request.reporter.diagnostics] == [("BPC391", manager.path)]


def test_a_component_that_only_runs_a_script_is_a_deployment(folder: Path) -> None:
    once = operation("create", "a.sh", inputs={"x": ex.Input("n")}, extra={"max_retries": 0})
    source = topology(_server(), _app(once, type="cloudify.nodes.SoftwareComponent"))
    found = to_deployments(source, request_of(load("{}\n", "b.yaml"), folder=folder))
    assert list(found.nodes) == ["vm", "app_config", "app"]
    app = found.nodes["app"]
    assert (app.kind, app.operations, app.made_of, once.machine) == ("software_deployment", [], [once], "vm")
    assert app.properties["config"].node == "app_config"


def test_functions_of_plugins_are_reported_by_interface_and_relationship() -> None:
    """Each finding stands where all that it names is below: a node with both has no finding at itself."""
    blueprint = """\
tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml, "plugin:tool"]
node_templates:
  base: {type: cloudify.nodes.Root}
  job:
    type: cloudify.nodes.Root
    interfaces:
      cloudify.interfaces.lifecycle: {create: tool.a, delete: tool.b}
    relationships:
      - type: cloudify.relationships.depends_on
        target: base
        source_interfaces:
          cloudify.interfaces.relationship_lifecycle: {preconfigure: tool.c, establish: tool.d}
"""
    result = convert(blueprint.encode(), "cloudify", "hot", carry=False)
    job = ("node_templates", "job")
    assert {one.path for one in result.diagnostics if one.code == "BPC391"} == {
        (*job, "interfaces", "cloudify.interfaces.lifecycle"),
        (*job, "relationships", 0, "source_interfaces", "cloudify.interfaces.relationship_lifecycle"),
    }
    found = verify(blueprint, result.text, reported=result.diagnostics, draws=0)
    assert found.differences
    assert all(one.is_reported for one in found.differences)


def test_a_map_in_the_environment_of_a_script_is_reported() -> None:
    """Heat's agent writes it as Python does, Cloudify as JSON."""
    source = """
tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml, plugin:cloudify-openstack-plugin]
node_templates:
  vm: {type: cloudify.nodes.openstack.Server, properties: {image: i, flavor: f}}
  port: {type: cloudify.nodes.openstack.Port, properties: {resource_config: {network_id: n}}}
  app:
    type: cloudify.nodes.SoftwareComponent
    relationships: [{type: cloudify.relationships.contained_in, target: vm}]
    interfaces:
      cloudify.interfaces.lifecycle:
        start:
          implementation: a.sh
          inputs: {nets: {get_attribute: [vm, addresses]}, id: {get_attribute: [vm, id]}}
"""
    result = convert(source, "cloudify", "hot", beside={"a.sh": "#!/bin/sh\n"}, carry=False)
    assert [row.path[-1] for row in result.diagnostics if row.code == "BPC395"] == ["nets"]
