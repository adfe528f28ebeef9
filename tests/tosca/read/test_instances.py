"""Templates whose instances differ: what each of them is called, requires and refers to."""

from __future__ import annotations

from typing import Any

import pytest

from bpconvert import Diagnostic, Result, convert

TEXT = """\
tosca_definitions_version: tosca_2_0
service_template:
  inputs: {n: {type: integer, default: 2}}
  node_templates:
"""
DISK = "    disk: {type: openstack.cinder.Volume, count: %s, properties: {size: 1}}\n"
ONE = "    one: {type: openstack.cinder.Volume, properties: {size: 1}}\n"
NAMED = "    %s: {type: openstack.cinder.Volume, count: %s, properties: {name: $node_index}}\n"
VM = "    vm: {type: tosca.nodes.Compute, count: %s}\n"
APP = "    app: {type: tosca.nodes.SoftwareComponent, count: %s, requirements: [%s]}\n"
NET = "    net: {type: openstack.neutron.Net}\n"
SERVER = "    vm: {type: openstack.nova.Server, count: 2, properties: {flavor: small}, requirements: [%s]}\n"
OUTPUT = "  outputs: {shown: {value: %s}}\n"


def made(text: str, target: str = "hot") -> Result:
    return convert(TEXT + text, "tosca", target, carry=False)


def resources(text: str) -> dict[str, Any]:
    return dict(made(text).document["resources"])


def output(text: str) -> Any:
    return made(text).document["outputs"]["shown"]["value"]


def reported(text: str, code: str, target: str = "hot") -> list[Diagnostic]:
    return [one for one in made(text, target).diagnostics if one.code == code]


def hosts(text: str) -> dict[str, list[str]]:
    """Software of the blueprint -> what it is related to."""
    nodes = made(text, "cloudify").document["node_templates"]
    related = {name: node.get("relationships", []) for name, node in nodes.items() if name.startswith("app")}
    return {name: [one["target"] for one in rows] for name, rows in related.items()}


# -- how many there are ---------------------------------------------------------------------------------------


def test_a_template_without_a_number_is_one_node() -> None:
    assert resources(ONE) == {"one": {"type": "OS::Cinder::Volume", "properties": {"size": 1}}}


def test_the_number_of_one_template_says_nothing_of_another() -> None:
    assert list(resources(NAMED % ("a", 2) + ONE)) == ["a_0", "a_1", "one"]


@pytest.mark.parametrize(("count", "names"), [(100, [f"a_{index}" for index in range(100)]), (101, ["a"])])
def test_as_many_as_a_hundred_are_written_one_by_one(count: int, names: list[str]) -> None:
    assert [name for name in resources(NAMED % ("a", count)) if name.startswith("a")] == names


def test_a_boolean_is_no_number() -> None:
    text = NAMED % ("a", "true")
    assert resources(text)["a"]["type"] == "OS::Cinder::Volume"
    assert [one.path for one in reported(text, "BPC854")] == [("node_templates", "a", "count")]


def test_names_are_those_of_no_other_instance() -> None:
    assert list(resources(NAMED % ("a", 2) + NAMED % ("a_0", 3))) == ["a_0_2", "a_1", "a_0_0", "a_0_1", "a_0_2_2"]


def test_the_instances_are_reported_at_the_template() -> None:
    (found,) = reported(NAMED % ("a", 3), "BPC863")
    assert found.path == ("node_templates", "a", "count")
    assert found.message.startswith("'a' is a_0, a_1, a_2: ")


def test_what_is_wrong_with_an_instance_is_reported_at_the_template() -> None:
    text = "    a: {type: tosca.nodes.Storage.BlockStorage, count: 2, properties: {size: 1 GB, name: $node_index}}\n"
    assert {one.path for one in reported(text, "BPC817")} == {("node_templates", "a", "properties", "size")}


def test_a_template_that_is_no_map_is_reported_beside_instances() -> None:
    assert [one.path for one in reported(NAMED % ("a", 2) + "    b: null\n", "BPC120")] == [("node_templates", "b")]


# -- requirements ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("requirement", ["dependency: net", "link: net", "dependency: {node: net}"])
def test_instances_that_need_the_same_are_alike(requirement: str) -> None:
    assert resources(NET + SERVER % f"{{{requirement}}}")["vm"]["type"] == "OS::Heat::ResourceGroup"


@pytest.mark.parametrize("requirement", ["host: net", "dependency: [net, 0]", "dependency: {node: [net, 0]}"])
def test_instances_that_may_need_others_are_not_alike(requirement: str) -> None:
    found = resources(NET + SERVER % f"{{{requirement}}}")
    assert {name: row.get("depends_on") for name, row in found.items()} == {"net": None, "vm_0": "net", "vm_1": "net"}


@pytest.mark.parametrize("target", ["vm", "{node: vm}", "[vm, $node_index]", "{node: [vm, $node_index]}"])
def test_pairs_of_the_same_number_belong_together(target: str) -> None:
    text = VM % 2 + APP % (2, f"{{host: {target}}}, {{dependency: one}}") + ONE
    assert hosts(text) == {"app_0": ["vm_0", "one"], "app_1": ["vm_1", "one"]}


@pytest.mark.parametrize(
    ("vms", "apps", "wanted"),
    [
        (2, 3, {"app_0": ["vm_0"], "app_1": ["vm_0"], "app_2": ["vm_0"]}),
        (2, 1, {"app": ["vm_0"]}),
        (2, "{$get_input: n}", {"app": ["vm_0"]}),
        (1, 2, {"app_0": ["vm"], "app_1": ["vm"]}),
    ],
)
def test_of_another_number_the_first_is_meant(vms: int, apps: Any, wanted: dict[str, list[str]]) -> None:
    assert hosts(VM % vms + APP % (apps, "{host: vm}")) == wanted


def test_the_instance_that_is_meant_is_reported() -> None:
    found = reported(VM % 2 + APP % (2, "{dependency: one}, {host: vm}") + ONE, "BPC864", "cloudify")
    assert {one.path for one in found} == {("node_templates", "app", "requirements", 1)}
    assert [one.message.split(":")[0] for one in found] == [
        "instance 0 of 'vm' is meant",
        "instance 1 of 'vm' is meant",
    ]


def test_each_instance_has_its_volume() -> None:
    text = (
        "    vm: {type: tosca.nodes.Compute, count: 2, requirements: [{local_storage: {node: [disk, $node_index],"
        " relationship: {type: tosca.relationships.AttachesTo, properties: {device: /dev/vdb}}}}]}\n"
        "    disk: {type: tosca.nodes.Storage.BlockStorage, count: 2, properties: {size: 1 GiB}}\n"
    )
    found = [row["properties"] for row in resources(text).values() if row["type"] == "OS::Cinder::VolumeAttachment"]
    assert found == [
        {
            "volume_id": {"get_resource": f"disk_{index}"},
            "instance_uuid": {"get_resource": f"vm_{index}"},
            "mountpoint": "/dev/vdb",
        }
        for index in range(2)
    ]


@pytest.mark.parametrize(("target", "wanted"), [("[vm, 0]", "vm_0"), ("[vm, 1]", "vm_1"), ("[one, 0]", "one")])
def test_a_requirement_names_an_instance(target: str, wanted: str) -> None:
    assert hosts(VM % 2 + APP % (1, f"{{dependency: {target}}}") + ONE) == {"app": [wanted]}


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("[vm, 2]", "['vm', 2]"),
        ("[vm, -1]", "['vm', -1]"),
        ("[vm, {$get_input: n}]", "['vm', {'$get_input': 'n'}]"),
        ("[vm, 0, 1]", "['vm', 0, 1]"),
        ("[one, 1]", "['one', 1]"),
        ("[many, 0]", "['many', 0]"),
        ("[nothing, 0]", "['nothing', 0]"),
        ("tosca.nodes.Compute", "tosca.nodes.Compute"),
    ],
)
def test_an_instance_that_is_not_there_is_reported(target: str, message: str) -> None:
    many = "    many: {type: openstack.cinder.Volume, count: {$get_input: n}, properties: {size: 1}}\n"
    text = VM % 2 + APP % (1, f"{{dependency: {target}}}") + ONE + many
    (found,) = reported(text, "BPC810", "cloudify")
    assert found.path == ("node_templates", "app", "requirements", 0, "dependency")
    assert found.message.endswith(f"it names no node, but what would do: {message}")


def test_requirements_that_are_no_list_are_reported() -> None:
    text = (
        "    a: {type: openstack.cinder.Volume, count: 2, properties: {name: $node_index}, requirements: {link: b}}\n"
    )
    assert {one.path for one in reported(text, "BPC120")} == {("node_templates", "a", "requirements")}


@pytest.mark.parametrize(("vms", "groups"), [("{$get_input: n}", [["vm"]]), ("2", [])])
def test_software_has_no_number_of_its_own(vms: str, groups: list[list[str]]) -> None:
    document = made(VM % vms + APP % ("{$get_input: n}", "{host: vm}"), "cloudify").document
    assert [row["members"] for row in document.get("groups", {}).values()] == groups


# -- references -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("argument", "wanted"),
    [
        ("disk, tosca_id", {"get_resource": "disk_0"}),
        ("disk, 2, tosca_id", {"get_resource": "disk_2"}),
        ("disk, ALL, tosca_id", [{"get_resource": f"disk_{index}"} for index in range(3)]),
        ("one, tosca_id", {"get_resource": "one"}),
        ("one, 0, tosca_id", {"get_resource": "one"}),
        ("one, ALL, tosca_id", [{"get_resource": "one"}]),
    ],
)
def test_a_reference_means_the_instance_that_it_names(argument: str, wanted: Any) -> None:
    text = DISK % 3 + ONE + APP % (1, "{dependency: [disk, 1]}")
    assert output(text + OUTPUT % f"{{$get_attribute: [{argument}]}}") == wanted


@pytest.mark.parametrize("argument", ["disk, 3, tosca_id", "one, 1, tosca_id", "nothing, 0, tosca_id"])
def test_a_reference_to_no_instance_is_reported(argument: str) -> None:
    text = NAMED % ("disk", 3) + ONE + OUTPUT % f"{{$get_attribute: [{argument}]}}"
    assert [one.path for one in reported(text, "BPC232")] == [("outputs", "shown", "value")]


@pytest.mark.parametrize("argument", ["disk", "{$get_input: n}, ALL, tosca_id"])
@pytest.mark.parametrize("disk", [DISK % 2, NAMED % ("disk", 2)])
def test_a_reference_that_names_no_node_or_attribute_is_reported(disk: str, argument: str) -> None:
    text = disk + OUTPUT % f"{{$get_attribute: [{argument}]}}"
    assert [one.path for one in reported(text, "BPC220")] == [("outputs", "shown", "value")]


def test_outside_of_templates_nothing_has_a_number() -> None:
    (found,) = reported(NAMED % ("a", 2) + OUTPUT % "$node_index", "BPC232")
    assert found.message.endswith("only a TOSCA orchestrator computes '$node_index'")
