"""Software of TOSCA: its operations as deployments of Heat and as operations of Cloudify."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml
from service_heads import HEAD

from bpconvert.api import Conversion, convert

ON_TWO_SERVERS = """\
    two: {type: openstack.nova.Server, properties: {flavor: small}}
    app:
      type: tosca.nodes.SoftwareComponent
      requirements: [{host: vm}, {host: two}]
      interfaces: {Standard: {operations: {create: a.sh}}}
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
    nodes = f"\n{ON_TWO_SERVERS}"
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


def test_the_file_of_an_artifact_is_its_text() -> None:
    """``get_artifact`` is the place of a file on the machine; here an input has what is in the file."""
    nodes = """
    app:
      type: tosca.nodes.SoftwareComponent
      requirements: [{host: vm}]
      artifacts: {conf: {file: c.txt, type: tosca.artifacts.File}}
      interfaces:
        Standard:
          operations:
            create:
              implementation: a.sh
              inputs:
                mine: {get_artifact: [SELF, conf]}
                named: {get_artifact: [app, conf]}
                lost: {get_artifact: [SELF, absent]}
                gone: {get_artifact: [nobody, conf]}
"""
    data, made = converted(template(nodes), "hot")
    assert data["resources"]["app_create_deploy"]["properties"]["input_values"] == {
        "mine": {"get_file": "c.txt"}, "named": {"get_file": "c.txt"},
        "lost": {"get_param": "app_create_lost"}, "gone": {"get_param": "app_create_gone"},
    }  # fmt: skip
    other = [(row.path[-1], row.fidelity) for row in made.diagnostics if row.code == "BPC847"]
    assert other == [("mine", "approximated"), ("named", "approximated")]


def test_what_is_not_run_is_reported_at_its_place() -> None:
    nodes = APP.replace("implementation: b.sh", "implementation: {primary: b.sh, timeout: 60, dependencies: [e.sh]}")
    nodes += "        Own: {operations: {check: e.sh}}\n"
    _, made = converted(template(nodes), "hot")
    places = {one.code: [] for one in made.diagnostics}
    for one in made.diagnostics:
        places[one.code].append(one.path)
    assert [place[-1] for place in places["BPC396"]] == ["timeout"]
    assert [place[-1] for place in places["BPC870"]] == ["dependencies"]
    assert len(places["BPC391"]) == 1


# -- as operations of Cloudify --------------------------------------------------------------------------------


def blueprint(text: str) -> tuple[dict[str, Any], Conversion]:
    """The node templates of the blueprint that a service template becomes, and the whole conversion."""
    data, made = converted(text, "cloudify")
    return data["node_templates"], made


LIFECYCLE = "cloudify.interfaces.lifecycle"


def test_operations_have_the_names_of_the_other_interfaces(tmp_path: Path) -> None:
    for name in "abcd":
        (tmp_path / f"{name}.sh").write_text("#!/bin/sh\n")
    source = tmp_path / "t.yaml"
    source.write_text(template(APP))
    made = convert(source, "tosca", "cloudify", carry=False)
    app = yaml.safe_load(made.text)["node_templates"]["app"]
    assert app["type"] == "cloudify.nodes.SoftwareComponent"
    assert app["interfaces"] == {
        LIFECYCLE: {
            "create": {"implementation": "a.sh", "inputs": {"x": 1}},
            "start": {"implementation": "b.sh"},
            "delete": {"implementation": "d.sh"},
            "stop": {"implementation": "c.sh"},
        }
    }
    assert app["relationships"] == [{"type": "cloudify.relationships.contained_in", "target": "vm"}]
    assert set(made.files) == {"a.sh", "b.sh", "c.sh", "d.sh"}


def test_a_program_that_is_not_there_has_a_stand_in_that_fails() -> None:
    found, made = blueprint(template(APP))
    create = found["app"]["interfaces"][LIFECYCLE]["create"]["implementation"]
    assert create == "missing/a.sh"
    assert "exit 1" in made.files[create]
    assert {one.code for one in made.diagnostics} >= {"BPC834"}


def test_relationship_operations_are_those_of_the_side() -> None:
    nodes = (
        APP
        + """
    user:
      type: tosca.nodes.WebServer
      requirements: [{host: vm}, {dependency: {node: app, relationship: uses}}]
"""
    )
    rest = """
  relationship_templates:
    uses:
      type: tosca.relationships.ConnectsTo
      interfaces: {Configure: {operations: {pre_configure_target: t.sh, add_target: s.sh}}}
"""
    found, _ = blueprint(template(nodes, rest))
    user = found["user"]
    assert user["type"] == "cloudify.nodes.WebServer"
    relationship = user["relationships"][1]
    interface = "cloudify.interfaces.relationship_lifecycle"
    assert relationship["type"] == "cloudify.relationships.connected_to"
    assert relationship["target_interfaces"][interface] == {"preconfigure": {"implementation": "missing/t.sh"}}
    assert relationship["source_interfaces"][interface] == {"establish": {"implementation": "missing/s.sh"}}


def test_operations_of_a_machine_are_software_on_it() -> None:
    text = template(APP).replace(
        VM,
        VM.replace("flavor: small}}", "flavor: small}, interfaces: {Standard: {operations: {create: v.sh}}}}"),
    )
    found, _ = blueprint(text)
    assert found["vm_software"]["interfaces"][LIFECYCLE]["create"] == {"implementation": "missing/v.sh"}
    assert "vm_software" in [one["target"] for one in found["app"]["relationships"]]
    assert "interfaces" not in found["vm"] or "v.sh" not in str(found["vm"])


def test_software_on_several_machines_is_a_node_on_each() -> None:
    after = "    after: {type: tosca.nodes.SoftwareComponent, requirements: [{host: vm}, {dependency: app}]}\n"
    nodes = f"\n{ON_TWO_SERVERS}{after}"
    found, _ = blueprint(template(nodes))
    assert found["app_two"]["relationships"] == [{"type": "cloudify.relationships.contained_in", "target": "two"}]
    assert [one["target"] for one in found["after"]["relationships"]] == ["vm", "app", "app_two"]


def test_properties_of_software_are_where_they_are_used() -> None:
    nodes = APP.replace("{x: 1}", "{x: {get_property: [SELF, component_version]}}")
    nodes = nodes.replace("      interfaces:", "      properties: {component_version: '1.2'}\n      interfaces:", 1)
    found, made = blueprint(template(nodes))
    assert found["app"]["interfaces"][LIFECYCLE]["create"]["inputs"] == {"x": "1.2"}
    assert found["app"]["properties"] == {"component_version": "1.2"}
    assert "BPC830" not in [one.code for one in made.diagnostics]


def test_what_nothing_hosts_runs_beside_the_manager() -> None:
    nodes = """
    app:
      type: tosca.nodes.Root
      interfaces: {Standard: {operations: {create: a.sh}}}
"""
    found, made = blueprint(template(nodes))
    create = found["app"]["interfaces"][LIFECYCLE]["create"]
    assert create == {"implementation": "missing/a.sh", "executor": "central_deployment_agent"}
    assert "BPC846" in [one.code for one in made.diagnostics]


def test_roles_of_ansible_are_installed_before_the_operations() -> None:
    artifacts = "{r: {file: indigo-dc.docker, type: R}, s: {file: 'x y', type: R}, lonely: {file: l.txt, type: F}}"
    head = HEAD + ("artifact_types:\n  tosca.artifacts.AnsibleGalaxy.role: {derived_from: tosca.artifacts.Root}\n")
    artifacts = artifacts.replace("R}", "tosca.artifacts.AnsibleGalaxy.role}").replace("F}", "tosca.artifacts.File}")
    text = template(APP.replace("      interfaces:", f"      artifacts: {artifacts}\n      interfaces:"), head=head)
    data, made = converted(text, "hot")
    first, second, *_ = [name for name in data["resources"] if name.endswith("_config")]
    assert data["resources"][first]["properties"]["config"] == (
        "#!/bin/bash\nansible-galaxy install indigo-dc.docker 'x y'\n"
    )
    assert second == "app_create_config"
    roles = data["resources"][first.replace("_config", "_deploy")]
    assert roles["properties"]["actions"] == ["CREATE"]
    assert data["resources"]["app_create_deploy"]["depends_on"] == first.replace("_config", "_deploy")
    assert ["lonely" in one.message for one in made.diagnostics if one.code == "BPC832"] == [True]


def test_an_attribute_that_an_operation_yields_is_an_output_of_its_deployment() -> None:
    """Simple Profile 1.3, 3.6.15: outputs of operations are mapped to attributes."""
    outputs = "{key: [SELF, secret], other: [app, name], lost: [vm, secret], odd: secret}"
    nodes = APP.replace("inputs: {x: 1}}", f"inputs: {{x: 1}}, outputs: {outputs}}}")
    nodes += """
    user:
      type: tosca.nodes.SoftwareComponent
      requirements: [{host: vm}, {dependency: app}]
      interfaces:
        Standard:
          operations:
            create:
              implementation: u.sh
              inputs:
                key: {get_attribute: [app, secret]}
                again: {get_attribute: [app, secret]}
                other: {get_attribute: [app, name]}
"""
    found = resources(template(nodes))
    assert found["app_create_config"]["properties"]["outputs"] == [{"name": "key"}, {"name": "other"}]
    assert found["user_create_deploy"]["properties"]["input_values"] == {
        "key": {"get_attr": ["app_create_deploy", "key"]},
        "again": {"get_attr": ["app_create_deploy", "key"]},
        "other": {"get_attr": ["app_create_deploy", "other"]},
    }


def test_an_output_of_an_operation_that_is_not_there_is_asked_for() -> None:
    nodes = APP.replace("{x: 1}", "{x: {get_operation_output: [app, Standard, configure, key]}}")
    data, made = converted(template(nodes), "hot")
    assert data["resources"]["app_create_deploy"]["properties"]["input_values"] == {"x": {"get_param": "app_create_x"}}
    assert [one.path[-1] for one in made.diagnostics if one.code == "BPC230"] == ["x"]


def test_a_program_that_is_not_there_is_so_on_the_way_back(tmp_path: Path) -> None:
    """What stands for it in a blueprint is no program of the document."""
    source = tmp_path / "service.yaml"
    source.write_text(
        "tosca_definitions_version: tosca_simple_yaml_1_3\ntopology_template:\n  node_templates:\n"
        "    vm: {type: tosca.nodes.Compute}\n"
        "    app:\n      type: tosca.nodes.SoftwareComponent\n      requirements: [host: vm]\n"
        "      interfaces: {Standard: {create: install.sh}}\n"
    )
    made = convert(source, "tosca", "cloudify", carry=False)
    for name, text in {"blueprint.yaml": made.text, **made.files}.items():
        (tmp_path / "made" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "made" / name).write_text(text)
    back = convert(tmp_path / "made" / "blueprint.yaml", "cloudify", "tosca", carry=False)
    (run,) = yaml.safe_load(back.text)["topology_template"]["node_templates"]["app"]["interfaces"]["Standard"][
        "operations"
    ].values()
    assert run["implementation"] == "install.sh"
    assert "BPC610" in {one.code for one in back.diagnostics}
    assert not back.files


def test_an_artifact_that_a_value_names_is_used() -> None:
    text = """
tosca_definitions_version: tosca_simple_yaml_1_3
topology_template:
  node_templates:
    vm: {type: tosca.nodes.Compute}
    app:
      type: tosca.nodes.SoftwareComponent
      requirements: [host: vm]
      artifacts: {named: {file: a.txt}, idle: {file: b.txt}}
      interfaces: {Standard: {create: {implementation: a.sh, inputs: {c: {get_artifact: [SELF, named]}}}}}
"""
    made = convert(text, "tosca", "hot", carry=False)
    assert [one.path[-1] for one in made.diagnostics if one.code == "BPC832"] == ["idle"]


def test_a_shell_script_gets_the_line_that_names_its_interpreter() -> None:
    """The engines of TOSCA let a shell run it, Heat's agent runs the file itself."""
    source = yaml.safe_dump(
        {
            "tosca_definitions_version": "tosca_simple_yaml_1_3",
            "topology_template": {
                "node_templates": {
                    "vm": {"type": "tosca.nodes.Compute"},
                    "app": {
                        "type": "tosca.nodes.SoftwareComponent",
                        "requirements": [{"host": "vm"}],
                        "interfaces": {"Standard": {"operations": {"create": "a.sh", "start": "b.sh"}}},
                    },
                }
            },
        }
    )
    files = {"a.sh": "echo a\n", "b.sh": "#!/bin/bash\necho b\n"}
    result = convert(source, "tosca", "hot", beside=files, carry=False)
    resources = yaml.safe_load(result.text)["resources"]
    assert resources["app_create_config"]["properties"]["config"] == "#!/bin/sh\necho a\n"
    assert resources["app_start_config"]["properties"]["config"] == {"get_file": "b.sh"}
    codes = [row.code for row in result.diagnostics]
    assert codes.count("BPC433") == 1
    assert "BPC392" not in codes
