"""Templates with a count: groups of instances that are alike, nodes for those that differ."""

from __future__ import annotations

from typing import Any

import pytest

from bpconvert import Result, convert
from bpconvert.translators.dialects import load

TEXT = """\
tosca_definitions_version: tosca_2_0
service_template:
  inputs: {n: {type: integer, default: 2}}
  node_templates:
"""


def made(text: str, target: str = "hot") -> Result:
    return convert(TEXT + text, "tosca", target, carry=False)


def nodes(text: str) -> dict[str, Any]:
    return dict(made(text).document["resources"])


def codes(text: str) -> set[str]:
    return {one.code for one in made(text).diagnostics}


DISK = "    disk: {type: openstack.cinder.Volume, count: %s, properties: {size: 1}}\n"


@pytest.mark.parametrize(("count", "wanted"), [("2", 2), ("0", 0), ("{$get_input: n}", {"get_param": "n"})])
def test_instances_that_are_alike_are_a_group(count: str, wanted: Any) -> None:
    assert nodes(DISK % count)["disk"] == {
        "type": "OS::Heat::ResourceGroup",
        "properties": {
            "count": wanted,
            "resource_def": {"type": "OS::Cinder::Volume", "properties": {"size": 1}},
        },
    }


@pytest.mark.parametrize("count", ["-1", "true", "many", "[1]"])
def test_what_is_no_number_is_reported(count: str) -> None:
    found = [one.path for one in made(DISK % count).diagnostics if one.code == "BPC854"]
    assert found == [("node_templates", "disk", "count")]


def test_a_group_of_a_blueprint_has_the_number() -> None:
    document = made(DISK % 3, "cloudify").document
    assert document["groups"]["disk_group"]["members"] == ["disk"]
    assert document["policies"]["disk_scaling"]["properties"] == {"default_instances": 3}


def test_the_number_of_an_instance_is_a_value() -> None:
    text = "    disk: {type: openstack.cinder.Volume, count: 2, properties: {name: {$concat: [d, $node_index]}}}\n"
    found = nodes(text)
    assert {name: row["properties"]["name"] for name, row in found.items()} == {"disk_0": "d0", "disk_1": "d1"}


def test_the_number_of_the_only_instance_is_zero() -> None:
    text = "    disk: {type: openstack.cinder.Volume, properties: {size: 1, name: {$concat: [d, {$node_index: []}]}}}\n"
    assert nodes(text)["disk"]["properties"]["name"] == "d0"


def test_a_number_that_is_not_known_is_asked_for() -> None:
    text = "    disk: {type: openstack.cinder.Volume, count: {$get_input: n}, properties: {size: $node_index}}\n"
    (found,) = [one for one in made(text).diagnostics if one.code == "BPC230"]
    assert "$node_index" in found.message


KEY = "    key: {type: openstack.nova.KeyPair, properties: {name: {$get_attribute: [disk, %s]}}}\n"


@pytest.mark.parametrize(
    ("steps", "wanted"),
    [
        ("tosca_id", {"get_resource": "disk_0"}),
        ("0, tosca_id", {"get_resource": "disk_0"}),
        ("1, tosca_id", {"get_resource": "disk_1"}),
        ("ALL, tosca_id", {"get_attr": ["disk", "refs"]}),
    ],
)
def test_a_reference_means_one_instance_or_all(steps: str, wanted: Any) -> None:
    assert nodes(DISK % 2 + KEY % steps)["key"]["properties"]["name"] == wanted


def test_all_of_nodes_is_a_list_of_them() -> None:
    text = DISK % 2 + KEY % "1, tosca_id" + "  outputs: {ids: {value: {$get_attribute: [disk, ALL, tosca_id]}}}\n"
    wanted = [{"get_resource": "disk_0"}, {"get_resource": "disk_1"}]
    assert made(text).document["outputs"]["ids"]["value"] == wanted


def test_a_property_of_one_instance() -> None:
    text = (
        "    disk: {type: openstack.cinder.Volume, count: 2, properties: {size: $node_index}}\n"
        "    other: {type: openstack.cinder.Volume, properties: {size: {$get_property: [disk, 1, size]}}}\n"
    )
    assert nodes(text)["other"]["properties"]["size"] == 1


def test_names_are_those_of_no_other_template() -> None:
    text = DISK % 2 + KEY % "1, tosca_id" + "    disk_0: {type: openstack.nova.KeyPair, properties: {name: a}}\n"
    found = nodes(text)
    assert found["disk_0"]["type"] == "OS::Nova::KeyPair"
    assert [name for name, row in found.items() if row["type"] == "OS::Cinder::Volume"] == ["disk_0_2", "disk_1"]


def test_pairs_of_the_same_number_are_one_group() -> None:
    text = (
        "    vm: {type: tosca.nodes.Compute, count: {$get_input: n}}\n"
        "    port: {type: tosca.nodes.network.Port, count: {$get_input: n},"
        " requirements: [{binding: [vm, $node_index]}]}\n"
    )
    result = made(text)
    assert result.document["resources"]["vm_group"]["properties"]["count"] == {"get_param": "n"}
    assert {"vm", "port"} <= set(load_nested(result))
    assert "BPC862" not in {one.code for one in result.diagnostics}


def load_nested(result: Result) -> dict[str, Any]:
    (text,) = result.files.values()
    return dict(load(text if isinstance(text, bytes) else text.encode(), "nested").data["resources"])


def test_what_is_scaled_with_an_instance_is_reported() -> None:
    text = (
        "    vm: {type: tosca.nodes.Compute, count: {$get_input: n}}\n"
        "    port: {type: tosca.nodes.network.Port, requirements: [{binding: vm}]}\n"
    )
    assert "BPC862" in codes(text)


def test_software_is_on_the_instance_that_is_named() -> None:
    text = (
        "    vm: {type: tosca.nodes.Compute, count: 2}\n"
        "    app: {type: tosca.nodes.SoftwareComponent, requirements: [{host: [vm, 1]}]}\n"
    )
    document = made(text, "cloudify").document
    assert document["node_templates"]["app"]["relationships"][0]["target"] == "vm_1"
    assert "BPC864" not in codes(text)
    assert "BPC864" in codes(text.replace("[vm, 1]", "vm"))


def test_the_way_back() -> None:
    text = TEXT + DISK % 2 + KEY % "1, tosca_id"
    for target in ("hot", "cloudify"):
        assert convert(convert(text, "tosca", target).text, target, "tosca").text == text


@pytest.mark.parametrize(("steps", "code"), [("{a: b}", "BPC220"), ("2", "BPC232"), ("[x]", "BPC220")])
def test_an_attribute_of_all_that_has_no_name_is_reported(steps: str, code: str) -> None:
    found = codes(DISK % 2 + f"  outputs: {{ids: {{value: {{$get_attribute: [disk, ALL, {steps}]}}}}}}\n")
    assert code in found


VM = "    vm: {type: openstack.nova.Server, count: 2, properties: {flavor: small, name: $node_index}}\n"
OTHER = "    other: {type: openstack.nova.Server, properties: {flavor: small}}\n"
POLICY = "  policies: [{apart: {type: openstack.policies.ServerGroup, targets: [%s]}}]\n"
GROUP = "  groups: {both: {type: tosca.groups.Root, members: [vm, other]}}\n"
POLICY_TYPES = "policy_types: {openstack.policies.ServerGroup: {derived_from: tosca.policies.Placement}}\n"


@pytest.mark.parametrize("sections", [POLICY % "vm, other", POLICY % "both" + GROUP])
def test_groups_and_policies_have_all_instances_as_members(sections: str) -> None:
    found = nodes(VM + OTHER + sections + POLICY_TYPES)
    placed = [name for name, row in found.items() if "scheduler_hints" in row.get("properties", {})]
    assert placed == ["vm_0", "vm_1", "other"]


@pytest.mark.parametrize(("vms", "apps", "places"), [("n", "n", []), ("2", "n", ["app"])])
def test_software_is_as_often_there_as_its_server(vms: str, apps: str, places: list[str]) -> None:
    count = {"n": "{$get_input: n}", "2": "2"}
    vm = f"    vm: {{type: tosca.nodes.Compute, count: {count[vms]}}}\n"
    app = f"    app: {{type: tosca.nodes.SoftwareComponent, count: {count[apps]}, requirements: [{{host: vm}}]}}\n"
    found = [one for one in made(vm + app).diagnostics if one.code == "BPC854"]
    assert [one.path for one in found] == [("node_templates", name, "count") for name in places]
    assert all("'count' of 'app'" in one.message and "as what it is hosted on" in one.message for one in found)
