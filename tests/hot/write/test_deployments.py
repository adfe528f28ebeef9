"""Scripts of operations as software deployments."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hot_lowering import Made, lowered, operation, topology

from bpconvert.diagnostics import Reporter
from bpconvert.files import Files
from bpconvert.models import expressions as ex
from bpconvert.models.topology import Input, Node, Operation
from bpconvert.translators.catalogue.types import builtin
from bpconvert.translators.cloudify.read.blueprint import to_topology
from bpconvert.yamlio.document import load

SH = "#!/bin/sh\necho $name\n"
RELATIONSHIP = "cloudify.interfaces.relationship_lifecycle"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "scripts").mkdir()
    for name in ("a", "b", "c"):
        (tmp_path / "scripts" / f"{name}.sh").write_text(SH, encoding="utf-8")
    (tmp_path / "ctx.py").write_text("from cloudify import ctx\n", encoding="utf-8")
    return tmp_path


def server(name: str = "vm", **fields: Any) -> Node:
    properties = {"flavor": "m1.small", "image": "cirros", **fields.pop("properties", {})}
    return Node(name, "cloudify.nodes.openstack.Server", "server", properties=properties, **fields)


def app(*operations: Operation, name: str = "app", **fields: Any) -> Node:
    waits = fields.pop("waits", ["vm"])
    node = Node(name, "my.App", host="vm", operations=list(operations), **fields)
    node.wait_for(*waits)
    return node


def resources(made: Made) -> Any:
    return made.data["resources"]


def test_the_operations_run_one_after_the_other(folder: Path) -> None:
    start = operation("start", "scripts/b.sh")
    create = operation(
        "create", "scripts/a.sh", inputs={"name": ex.Input("n"), "flag": True, "items": [1], "none": None}
    )
    made = lowered(topology(Input("n", "string", "x"), server(), app(start, create)), folder=folder)
    found = resources(made)
    assert list(found) == [
        "vm",
        "app_create_config",
        "app_create_deploy",
        "app_start_config",
        "app_start_deploy",
        "app",
    ]
    assert found["app_create_config"] == {
        "type": "OS::Heat::SoftwareConfig",
        "properties": {
            "group": "script",
            "inputs": [{"name": "name"}, {"name": "flag"}, {"name": "items"}, {"name": "none"}],
            "config": {"get_file": "scripts/a.sh"},
        },
    }
    assert found["app_create_deploy"] == {
        "type": "OS::Heat::SoftwareDeployment",
        "properties": {
            "config": {"get_resource": "app_create_config"},
            "server": {"get_resource": "vm"},
            "input_values": {"name": {"get_param": "n"}, "flag": "true", "items": "[1]", "none": "None"},
            "actions": ["CREATE"],
        },
    }
    assert found["app_start_deploy"]["depends_on"] == "app_create_deploy"
    assert found["app"] == {
        "type": "OS::Heat::None",
        "depends_on": "app_start_deploy",
        "properties": {"cloudify_type": "my.App"},
    }
    assert made.lowered.files == {"scripts/a.sh": SH, "scripts/b.sh": SH}
    assert made.codes().count("BPC390") == 2
    assert "BPC392" not in made.codes()
    assert made.paths("BPC398") == [("node_templates", "app")]


def test_the_agent_of_the_server(folder: Path) -> None:
    made = lowered(
        topology(
            server(properties={"name": "vm", "user_data_format": "RAW"}), app(operation("create", "scripts/a.sh"))
        ),
        folder=folder,
    )
    assert resources(made)["vm"]["properties"]["user_data_format"] == "SOFTWARE_CONFIG"
    assert made.paths("BPC393") == [("node_templates", "vm")]


def test_servers_that_cannot_be_prepared(folder: Path) -> None:
    create = operation("create", "scripts/a.sh")
    made = lowered(topology(server(external_id="42"), app(create)), folder=folder)
    assert "user_data_format" not in resources(made)["vm"]["properties"]
    assert made.paths("BPC394") == [("node_templates", "vm")]


def test_what_is_deleted_first_is_made_last(folder: Path) -> None:
    operations = [operation(name, "scripts/a.sh") for name in ("stop", "delete", "configure")]
    found = resources(lowered(topology(server(), app(*operations)), folder=folder))
    assert found["app_delete_deploy"]["depends_on"] == "app_configure_deploy"
    assert found["app_stop_deploy"]["depends_on"] == "app_delete_deploy"
    assert [found[f"app_{name}_deploy"]["properties"]["actions"] for name in ("configure", "delete", "stop")] == [
        ["CREATE"], ["DELETE"], ["DELETE"],
    ]  # fmt: skip
    assert found["app"]["depends_on"] == "app_stop_deploy"


def test_the_first_deployment_waits_for_what_the_node_waits_for(folder: Path) -> None:
    database = app(operation("create", "scripts/a.sh"), name="db")
    made = lowered(
        topology(server(), database, app(operation("create", "scripts/a.sh"), waits=["vm", "db"])), folder=folder
    )
    assert resources(made)["app_create_deploy"]["depends_on"] == "db"


def test_who_uses_a_server_waits_for_the_servers_own_operations(folder: Path) -> None:
    net = Node("net", "N", "net")
    net.wait_for("vm")
    made = lowered(
        topology(
            server(operations=[operation("start", "scripts/a.sh")]), app(operation("create", "scripts/b.sh")), net
        ),
        folder=folder,
    )
    found = resources(made)
    assert "depends_on" not in found["vm_start_deploy"]
    assert found["app_create_deploy"]["depends_on"] == "vm_start_deploy"
    assert found["net"]["depends_on"] == "vm_start_deploy"


def test_what_a_servers_own_operations_need_does_not_wait_for_them(folder: Path) -> None:
    start = operation("start", "scripts/a.sh", inputs={"disk": ex.Identity("attachment")})
    properties = {"instance_uuid": ex.Identity("vm"), "volume_id": "42"}
    attachment = Node("attachment", "A", "volume_attachment", properties=properties)
    made = lowered(topology(server(operations=[start]), attachment), folder=folder)
    assert "depends_on" not in resources(made)["attachment"]
    assert "BPC387" not in made.codes()


def test_operations_of_relationships_run_on_their_side(folder: Path) -> None:
    there = operation("establish", "scripts/a.sh", interface=RELATIONSHIP, target="db", host="target")
    here = operation("preconfigure", "scripts/b.sh", interface=RELATIONSHIP, target="db", host="source")
    database = Node("db", "my.Db", host="vm2")
    made = lowered(
        topology(server(), server("vm2"), database, app(there, here, operation("create", "scripts/c.sh"))),
        folder=folder,
    )
    found = resources(made)
    assert found["app_db_preconfigure_deploy"]["properties"]["server"] == {"get_resource": "vm"}
    assert found["app_db_establish_deploy"]["properties"]["server"] == {"get_resource": "vm2"}
    assert found["app_db_establish_deploy"]["depends_on"] == "app_db_preconfigure_deploy"
    assert found["app"]["depends_on"] == "app_db_establish_deploy"


@pytest.mark.parametrize(
    ("made_operation", "why"),
    [
        (operation("create", "plugin.tasks.create"), "function of a plugin"),
        (operation("create", "a.sh", interface="my.interface"), "no part of creating"),
        (operation("heal", "a.sh"), "no part of creating"),
        (operation("create", "a.sh", extra={"executor": "central_deployment_agent"}), "on the manager"),
    ],
)
def test_other_operations_stay_visible(made_operation: Operation, why: str) -> None:
    made_operation.inputs = {"a": 1}
    made = lowered(topology(server(), app(made_operation)))
    name = f"{made_operation.interface}.{made_operation.name}"
    view = {"implementation": made_operation.implementation, "inputs": {"a": 1}}
    assert resources(made)["app"]["properties"]["interfaces"] == {name: view}
    assert resources(made)["app"]["depends_on"] == "vm"
    (found,) = (d for d in made.diagnostics if d.code == "BPC391")
    assert why in found.message
    assert found.path == made_operation.path


def test_without_a_server() -> None:
    node = Node("app", "my.App", operations=[operation("create", "a.sh")])
    made = lowered(topology(node))
    assert made.paths("BPC391") == [node.operations[0].path]
    assert list(resources(made)) == ["app"]


def test_a_group_of_servers_takes_no_deployments() -> None:
    made = lowered(topology(server(instances=2), app(operation("create", "a.sh"))))
    assert "BPC391" in made.codes()


def test_functions_of_types_say_nothing_of_their_own() -> None:
    found = operation("create", "plugin.tasks.create", path=("node_types", "my.App", "interfaces"))
    made = lowered(topology(server(), app(found)))
    assert "BPC391" not in made.codes()
    shown = resources(made)["app"]["properties"]["interfaces"]
    assert shown == {"cloudify.interfaces.lifecycle.create": {"implementation": "plugin.tasks.create"}}


def test_ctx_and_the_interpreter(folder: Path) -> None:
    made = lowered(topology(server(), app(operation("create", "ctx.py"))), folder=folder)
    assert [d.message for d in made.diagnostics if d.code == "BPC392"] == [
        "script 'ctx.py' uses the module cloudify, which only Cloudify has",
        "script 'ctx.py' does not begin with the line that names its interpreter (#!/usr/bin/env python3)",
    ]


def test_a_script_that_is_not_there() -> None:
    made = lowered(topology(server(), app(operation("create", "gone.sh"))))
    assert resources(made)["app_create_config"]["properties"]["config"] == {"get_file": "gone.sh"}
    assert made.lowered.files == {}
    assert "BPC610" in made.codes()


def test_a_script_in_the_blueprint() -> None:
    made = lowered(topology(server(), app(operation("create", SH))))
    assert resources(made)["app_create_config"]["properties"]["config"] == SH


def test_the_script_plugins_own_function(folder: Path) -> None:
    inputs = {"script_path": "scripts/a.sh", "name": "x", "process": {"env": {"more": "y"}}}
    made = lowered(
        topology(server(), app(operation("create", "script.script_runner.tasks.run", inputs=inputs))), folder=folder
    )
    found = resources(made)
    assert found["app_create_config"]["properties"]["config"] == {"get_file": "scripts/a.sh"}
    assert found["app_create_deploy"]["properties"]["input_values"] == {"name": "x", "more": "y"}


def test_a_script_through_the_fabric_plugin(folder: Path) -> None:
    inputs = {"script_path": "scripts/a.sh", "fabric_env": {"user": "x"}, "process": {"cwd": "/"}, "name": "x"}
    run = operation("create", "fabric.fabric_plugin.tasks.run_script", inputs=inputs)
    made = lowered(topology(server(), app(run)), folder=folder)
    assert resources(made)["app_create_deploy"]["properties"]["input_values"] == {"name": "x"}
    assert [path[-1] for path in made.paths("BPC396")] == ["fabric_env"]
    assert resources(made)["app_create_config"]["properties"]["config"].splitlines()[1] == "cd / || exit 1"


def test_a_machine_that_is_there_already() -> None:
    made = lowered(topology(Node("vm", "cloudify.nodes.Compute", "compute"), app(operation("create", SH))))
    assert resources(made)["vm"] == {"type": "OS::Heat::DeployedServer"}
    assert made.paths("BPC394") == [("node_templates", "vm")]


def test_what_turns_out_to_be_known_is_written_like_what_is() -> None:
    """The script plugin writes maps as JSON, whatever they were computed from."""
    node = app(operation("create", SH, inputs={"a": {"port": ex.Property("app", "port")}, "b": {"port": 80}}))
    node.declared = {"port": 80}
    made = lowered(topology(server(), node))
    assert resources(made)["app_create_deploy"]["properties"]["input_values"] == dict.fromkeys("ab", '{"port": 80}')
    assert made.paths("BPC395") == []


def test_a_value_of_the_node_itself() -> None:
    first = operation("create", SH)
    second = operation("start", SH, inputs={"own": ex.Attribute("app", "made_by_create"), "name": "x"})
    made = lowered(topology(server(), app(first, second)))
    assert resources(made)["app_start_deploy"]["properties"]["input_values"] == {
        "own": {"get_param": "app_start_own"}, "name": "x",
    }
    assert resources(made)["app_start_deploy"]["depends_on"] == "app_create_deploy"
    assert made.paths("BPC230") == [(*second.path, "inputs", "own")]


def test_deployments_share_the_conditions() -> None:
    source = topology(
        Input("on", "boolean", True), server(condition=ex.Condition("a")),
        app(operation("create", SH), condition=ex.Condition("b")),
    )  # fmt: skip
    source.conditions |= {"a": ex.Input("on"), "b": ex.Not(ex.Input("on"))}
    found = resources(lowered(source))
    assert found["app_create_deploy"]["condition"] == {"and": ["b", "a"]}
    assert found["app_create_config"]["condition"] == {"and": ["b", "a"]}


def test_settings_of_operations() -> None:
    made = lowered(topology(server(), app(operation("create", SH, extra={"max_retries": 3, "executor": "host_agent"}))))
    assert [path[-1] for path in made.paths("BPC396")] == ["max_retries"]


def test_names_that_are_taken() -> None:
    made = lowered(topology(Input("app_create_config", "string"), server(), app(operation("create", SH))))
    assert "app_create_config_2" in resources(made)


BLUEPRINT = """\
tosca_definitions_version: cloudify_dsl_1_3

imports:
  - cloudify/types/types.yaml
  - plugin:cloudify-openstack-plugin

inputs:
  port: {type: integer, default: 8080}

node_templates:
  vm:
    type: cloudify.nodes.openstack.Server
    properties:
      flavor: m1.small
      image: cirros

  web:
    type: cloudify.nodes.WebServer
    properties:
      port: {get_input: port}
    interfaces:
      cloudify.interfaces.lifecycle:
        start:
          implementation: scripts/a.sh
          inputs:
            port: {get_property: [SELF, port]}
    relationships:
      - type: cloudify.relationships.contained_in
        target: vm
"""


def test_from_a_blueprint(folder: Path) -> None:
    document = load(BLUEPRINT, "blueprint.yaml")
    source = to_topology(document, builtin(), Reporter(document), Files(folder))
    made = lowered(source, BLUEPRINT, folder)
    found = resources(made)
    assert list(found) == ["vm", "web_start_config", "web_start_deploy", "web"]
    assert found["vm"]["properties"]["user_data_format"] == "SOFTWARE_CONFIG"
    assert found["web_start_deploy"]["properties"]["input_values"] == {"port": {"get_param": "port"}}
    assert made.lowered.files == {"scripts/a.sh": SH}
    assert made.lowered.made["node_templates", "web"][0] == ("resources", "web")


def test_everything_belongs_to_its_node() -> None:
    made = lowered(topology(server(), app(operation("create", SH))))
    assert made.lowered.made["node_templates", "app"] == [
        ("resources", "app"), ("resources", "app_create_config"), ("resources", "app_create_deploy"),
    ]  # fmt: skip
