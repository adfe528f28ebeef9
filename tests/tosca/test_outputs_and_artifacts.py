"""What operations of software publish, the files that they are given, and what software is hosted on."""

from __future__ import annotations

from typing import Any

import pytest

from bpconvert.api import Result, convert

TEXT = """\
tosca_definitions_version: tosca_simple_yaml_1_3
node_types:
  bpconvert.nodes.Mine: {derived_from: tosca.nodes.Root}
  bpconvert.nodes.Given: {derived_from: tosca.nodes.Root, properties: {a: {type: string}}}
  bpconvert.nodes.Box: {derived_from: tosca.nodes.ObjectStorage}
  other.Mine: {derived_from: tosca.nodes.Root}
topology_template:
  node_templates:
    beside: {type: openstack.nova.Server, properties: {flavor: f}}
    vm: {type: openstack.nova.Server, properties: {flavor: f}}
    db:
      type: tosca.nodes.SoftwareComponent
      artifacts: {data: {file: d.txt}}
      requirements: [host: beside]
      interfaces: {Standard: {operations: {create: a.sh}}}
    app:
      type: tosca.nodes.SoftwareComponent
      artifacts: {conf: {file: c.txt}}
      requirements:
        - dependency: beside
        - host: vm
        - link:
            node: db
            relationship:
              type: tosca.relationships.ConnectsTo
              interfaces:
                Configure: {operations: {post_configure_source: {implementation: a.sh, inputs: {v: BETWEEN}}}}
      interfaces:
        Standard:
          operations:
            create: {implementation: a.sh}
            start: {implementation: a.sh, inputs: {v: INSIDE}}
    v: {type: openstack.cinder.Volume, properties: {size: 1, name: BESIDE}}
"""
FILES = dict.fromkeys(("a.sh", "c.txt", "d.txt", "p.yml"), "#!/bin/sh\n")


def made_of(nodes: str = "", target: str = "hot", **values: str) -> Result:
    text = TEXT + nodes
    for word in ("INSIDE", "BETWEEN", "BESIDE"):
        text = text.replace(word, values.get(word.lower(), "x"))
    return convert(text, "tosca", target, carry=False, beside=FILES)


def given_to(made: Result, deployment: str) -> Any:
    return made.document["resources"][deployment]["properties"]["input_values"]["v"]


def messages(made: Result, code: str) -> list[str]:
    return [one.message for one in made.diagnostics if one.code == code]


CREATED = {"get_attr": ["app_create_deploy", "x"]}


@pytest.mark.parametrize(
    "call",
    ["[SELF, Standard, create, x]", "[app, Standard, create, x]",
     "[SELF, tosca.interfaces.node.lifecycle.Standard, create, x]"],
)  # fmt: skip
def test_what_an_operation_publishes_is_an_attribute(call: str) -> None:
    """By any name of its interface; the program has to set it."""
    made = made_of(inside=f"{{get_operation_output: {call}}}")
    assert given_to(made, "app_start_deploy") == CREATED
    config = made.document["resources"]["app_create_config"]["properties"]
    assert config["outputs"] == [{"name": "x"}]
    words = "'x' is an output of 'app_create_deploy', which the program has to write to a file"
    assert messages(made, "BPC842") == [words]


@pytest.mark.parametrize(
    "call",
    ["[SELF, custom, create, x]", "[SELF, Standard, stop, x]", "[gone, Standard, create, x]",
     "[SELF, Standard, create]", "[SELF, Configure, post_configure_source, x]", "[SELF, Standard, create, 5]"],
)  # fmt: skip
def test_what_no_operation_publishes_is_asked_for(call: str) -> None:
    made = made_of(inside=f"{{get_operation_output: {call}}}")
    assert given_to(made, "app_start_deploy") == {"get_param": "app_start_v"}
    assert "outputs" not in made.document["resources"]["app_create_config"]["properties"]


@pytest.mark.parametrize(("word", "deployment"), [("SOURCE", "app"), ("TARGET", "db"), ("SELF", "app"), ("db", "db")])
def test_words_for_the_ends_of_a_relationship(word: str, deployment: str) -> None:
    made = made_of(between=f"{{get_operation_output: [{word}, Standard, create, x]}}")
    assert given_to(made, "app_db_connect_deploy") == {"get_attr": [f"{deployment}_create_deploy", "x"]}


@pytest.mark.parametrize(
    ("word", "artifact", "file"),
    [("SOURCE", "conf", "c.txt"), ("TARGET", "data", "d.txt"), ("SELF", "conf", "c.txt"), ("db", "data", "d.txt")],
)
def test_files_of_the_ends_of_a_relationship(word: str, artifact: str, file: str) -> None:
    made = made_of(between=f"{{get_artifact: [{word}, {artifact}]}}")
    assert given_to(made, "app_db_connect_deploy") == {"get_file": file}
    assert messages(made, "BPC847") == [f"'get_artifact' yields the text of '{file}' here, not the place of the file"]


def test_properties_of_resources_read_what_operations_publish() -> None:
    made = made_of(beside="{get_operation_output: [app, Standard, create, x]}")
    volume = made.document["resources"]["v"]
    assert volume["properties"]["name"] == CREATED
    assert volume["depends_on"] == "app_start_deploy"


def test_outputs_read_what_operations_publish() -> None:
    made = made_of("  outputs: {o: {value: {get_operation_output: [app, Standard, create, x]}}}\n")
    assert made.document["outputs"]["o"]["value"] == CREATED


@pytest.mark.parametrize(
    ("value", "idle"),
    [("{get_artifact: [SELF, conf]}", ["data"]), ("{get_artifact: [app, conf]}", ["data"]),
     ("{get_artifact: [db, data]}", ["conf"]), ("{get_artifact: [SELF]}", ["data", "conf"]), ("x", ["data", "conf"])],
)  # fmt: skip
def test_an_artifact_that_no_value_names_is_told(value: str, idle: list[str]) -> None:
    made = made_of(inside=value)
    assert [one.path[-1] for one in made.diagnostics if one.code == "BPC832"] == idle


# -- hosts --------------------------------------------------------------------------------------------------


def test_what_is_required_beside_the_host_is_no_host() -> None:
    resources = made_of().document["resources"]
    hosts = {name: row["properties"]["server"] for name, row in resources.items() if name.endswith("_deploy")}
    vm, beside = {"get_resource": "vm"}, {"get_resource": "beside"}
    assert hosts == {
        "db_create_deploy": beside, "app_create_deploy": vm, "app_db_connect_deploy": vm, "app_start_deploy": vm,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("node", "is_software"),
    [
        ("{type: bpconvert.nodes.Mine}", True),
        ("{type: bpconvert.nodes.Given, properties: {a: b}}", False),
        ("{type: other.Mine}", False),
        ("{type: tosca.nodes.Root}", False),
        ("{type: bpconvert.nodes.Box, properties: {name: n}}", False),
    ],
)
def test_software_of_an_earlier_result_that_runs_nothing_is_software(node: str, is_software: bool) -> None:
    """By the name of its type, which has nothing of its own."""
    made = made_of(f"    m: {node}\n", "cloudify")
    found = made.document["node_templates"]["m"]["type"]
    assert (found == "cloudify.nodes.SoftwareComponent") is is_software


# -- playbooks ----------------------------------------------------------------------------------------------

ROLE = "artifacts: {r: {type: tosca.artifacts.AnsibleGalaxy.role, file: geerling.nginx}}"


@pytest.mark.parametrize(
    ("node", "is_installed"),
    [
        (f"{{type: openstack.nova.Server, properties: {{flavor: f}}, {ROLE}}}", True),
        (f"{{type: tosca.nodes.SoftwareComponent, requirements: [host: vm], {ROLE}}}", True),
        (f"{{type: openstack.cinder.Volume, properties: {{size: 1}}, {ROLE}}}", False),
        (f"{{type: tosca.nodes.SoftwareComponent, {ROLE}}}", False),
    ],
)
def test_roles_are_installed_on_a_machine(node: str, is_installed: bool) -> None:
    made = made_of(f"    m: {node}\n")
    config = made.document["resources"].get("m_install_roles_config")
    text = "#!/bin/bash\nansible-galaxy install geerling.nginx\n"
    assert config == ({"type": CONFIG, "properties": {"group": "script", "config": text}} if is_installed else None)
    lost = [one.path[1:] for one in made.diagnostics if one.code == "BPC832" and one.path[1] == "m"]
    assert lost == ([] if is_installed else [("m", "artifacts", "r")])


CONFIG = "OS::Heat::SoftwareConfig"


def test_files_beside_a_playbook_belong_to_it() -> None:
    made = made_of(
        "    play:\n      type: tosca.nodes.SoftwareComponent\n      requirements: [host: vm]\n"
        "      artifacts: {part: {file: d.txt}}\n"
        "      interfaces: {Standard: {operations: {create: p.yml}}}\n"
    )
    told = [(one.path[1:], one.message) for one in made.diagnostics if one.code == "BPC437"]
    assert told == [
        (("play", "artifacts", "part"), "artifact 'part' of 'play' belongs to the playbooks of its operations")
    ]


@pytest.mark.parametrize("target", ["hot", "cloudify"])
@pytest.mark.parametrize("kind", ["tosca.artifacts.Deployment.Image.VM.QCOW2", "my.Image"])
def test_an_image_is_no_program(target: str, kind: str) -> None:
    text = TEXT.replace("data: {file: d.txt}", f"data: {{file: d.img, type: {kind}}}")
    text = text.replace("create: a.sh}}}", "create: data}}}").replace(
        "node_types:\n",
        "artifact_types: {my.Image: {derived_from: tosca.artifacts.Deployment.Image.Container.Docker}}\nnode_types:\n",
    )
    made = convert(text, "tosca", target, carry=False, beside={**FILES, "d.img": "x"})
    assert "d.img" not in made.text
    why = "its implementation 'data' is no file that a machine can run"
    assert any(why in message for message in messages(made, "BPC391" if target == "hot" else "BPC831"))
    assert any("'data'" in message for message in messages(made, "BPC832"))
