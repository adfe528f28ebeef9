"""Software of TOSCA: its operations as deployments of Heat and as operations of Cloudify."""

from __future__ import annotations

from typing import Any

import yaml

from bpconvert.api import Conversion, convert

HEAD = """
tosca_definitions_version: tosca_simple_yaml_1_3
node_types:
  openstack.nova.Server:
    derived_from: tosca.nodes.Compute
    metadata: {heat_name: "OS::Nova::Server"}
    properties: {flavor: {type: string}}
"""
VM = "    vm: {type: openstack.nova.Server, properties: {flavor: small}}\n"


def template(nodes: str, rest: str = "", head: str = HEAD) -> str:
    """A service template with a server 'vm' and ``nodes``."""
    return f"{head}topology_template:\n  node_templates:\n{VM}{nodes}{rest}"


def converted(text: str, target: str) -> tuple[dict[str, Any], Conversion]:
    """The data of the result, and the whole conversion."""
    made = convert(text, "tosca", target, carry=False)
    return yaml.safe_load(made.text), made


def resources(text: str) -> dict[str, Any]:
    """The resources that a service template becomes."""
    found: dict[str, Any] = converted(text, "hot")[0]["resources"]
    return found


APP = """
    app:
      type: tosca.nodes.SoftwareComponent
      requirements: [{host: vm}]
      interfaces:
        Standard:
          operations:
            create: {implementation: a.sh, inputs: {x: 1}}
            start: {implementation: b.sh}
            delete: {implementation: d.sh}
            stop: {implementation: c.sh}
"""


def test_operations_become_a_chain_of_deployments() -> None:
    found = resources(template(APP))
    assert list(found) == [
        "vm",
        *(f"app_{name}_{part}" for name in ("create", "start", "delete", "stop") for part in ("config", "deploy")),
    ]
    create, start = found["app_create_deploy"], found["app_start_deploy"]
    assert create["properties"]["actions"] == ["CREATE"]
    assert create["properties"]["input_values"] == {"x": "1"}
    assert found["app_create_config"]["properties"]["inputs"] == [{"name": "x"}]
    assert start["depends_on"] == "app_create_deploy"
    assert found["app_stop_deploy"]["properties"]["actions"] == ["DELETE"]
    assert found["app_stop_deploy"]["depends_on"] == "app_delete_deploy"
    assert found["vm"]["properties"]["user_data_format"] == "SOFTWARE_CONFIG"


def test_operations_of_older_notation_are_the_same() -> None:
    older = APP.replace("          operations:\n", "").replace("            ", "          ")
    assert resources(template(older)) == resources(template(APP))


def test_software_without_operations_is_order() -> None:
    nodes = """
    runtime:
      type: tosca.nodes.SoftwareComponent
      requirements: [{host: vm}]
      interfaces: {Standard: {operations: {create: r.sh}}}
    server: {type: tosca.nodes.WebServer, requirements: [{host: vm}, {dependency: runtime}]}
    page:
      type: tosca.nodes.WebApplication
      requirements: [{host: server}]
      interfaces: {Standard: {operations: {create: p.sh}}}
"""
    found = resources(template(nodes))
    assert "server" not in found
    assert "page" not in found
    assert found["page_create_deploy"]["depends_on"] == "runtime_create_deploy"
    assert found["page_create_deploy"]["properties"]["server"] == {"get_resource": "vm"}


def test_files_of_other_tools_have_their_group() -> None:
    found = resources(template(APP.replace("a.sh", "a.yaml").replace("b.sh", "b.pp")))
    assert found["app_create_config"]["properties"]["group"] == "ansible"
    assert found["app_start_config"]["properties"]["group"] == "puppet"


def test_relationship_operations_run_between_the_others() -> None:
    nodes = (
        APP
        + """
    user:
      type: tosca.nodes.SoftwareComponent
      requirements:
        - host: other
        - dependency: {node: app, relationship: uses}
      interfaces: {Standard: {operations: {create: u.sh, start: v.sh}}}
    other: {type: openstack.nova.Server, properties: {flavor: small}}
"""
    )
    rest = """
  relationship_templates:
    uses:
      type: tosca.relationships.ConnectsTo
      interfaces:
        Configure:
          operations:
            post_configure_source: {implementation: s.sh, inputs: {a: {get_attribute: [SOURCE, name]}}}
            pre_configure_target: t.sh
"""
    found = resources(template(nodes, rest))
    first, second = found["user_app_connect_deploy"], found["user_app_post_configure_source_deploy"]
    assert first["properties"]["server"] == {"get_resource": "vm"}
    assert first["depends_on"] == "user_create_deploy"
    assert second["properties"]["server"] == {"get_resource": "other"}
    assert second["depends_on"] == "user_app_connect_deploy"
    assert found["user_start_deploy"]["depends_on"] == "user_app_post_configure_source_deploy"


def test_outputs_of_operations_are_those_of_deployments() -> None:
    nodes = (
        APP
        + """
    user:
      type: tosca.nodes.SoftwareComponent
      requirements: [{host: vm}, {dependency: app}]
      interfaces:
        Standard:
          operations:
            create: {implementation: u.sh, inputs: {key: {get_operation_output: [app, Standard, create, key]}}}
"""
    )
    found = resources(template(nodes))
    assert found["app_create_config"]["properties"]["outputs"] == [{"name": "key"}]
    assert found["user_create_deploy"]["properties"]["input_values"]["key"] == {
        "get_attr": ["app_create_deploy", "key"]
    }


def test_a_component_on_several_servers_is_a_group_of_deployments() -> None:
    nodes = """
    two: {type: openstack.nova.Server, properties: {flavor: small}}
    app:
      type: tosca.nodes.SoftwareComponent
      requirements: [{host: vm}, {host: two}]
      interfaces: {Standard: {operations: {create: a.sh}}}
"""
    found = resources(template(nodes))
    deployment = found["app_create_deploy"]
    assert deployment["type"] == "OS::Heat::SoftwareDeploymentGroup"
    assert deployment["properties"]["servers"] == {"vm": {"get_resource": "vm"}, "two": {"get_resource": "two"}}
    assert found["two"]["properties"]["user_data_format"] == "SOFTWARE_CONFIG"


def test_artifacts_are_files() -> None:
    nodes = """
    app:
      type: tosca.nodes.SoftwareComponent
      requirements: [{host: vm}]
      artifacts: {installer: {file: i.sh, type: tosca.artifacts.File}, lonely: {file: l.txt}}
      interfaces: {Standard: {operations: {create: installer}}}
"""
    data, made = converted(template(nodes), "hot")
    assert data["resources"]["app_create_config"]["properties"]["config"] == {"get_file": "i.sh"}
    lost = [one for one in made.diagnostics if one.code == "BPC832"]
    assert ["lonely" in one.message for one in lost] == [True]


def test_what_is_not_run_is_reported_at_its_place() -> None:
    nodes = APP.replace("implementation: b.sh", "implementation: {primary: b.sh, timeout: 60, dependencies: [e.sh]}")
    nodes += "        Own: {operations: {check: e.sh}}\n"
    _, made = converted(template(nodes), "hot")
    places = {one.code: [] for one in made.diagnostics}
    for one in made.diagnostics:
        places[one.code].append(one.path)
    assert len(places["BPC396"]) == 2
    assert len(places["BPC391"]) == 1
