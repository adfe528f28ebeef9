"""What is asked of machines, in the words of inputs and for tables to choose from; machines that exist already."""

from __future__ import annotations

from typing import Any

import pytest

from bpconvert import Diagnostic, Result, convert

HEAD = "tosca_definitions_version: tosca_simple_yaml_1_3\n"
TYPES = """\
artifact_types:
  own.Image: {derived_from: tosca.artifacts.Deployment.Image.VM}
node_types:
  own.Machine: {derived_from: tosca.nodes.Compute, properties: {flavor: {type: string, required: false}}}
  org.openstack.Server: {derived_from: tosca.nodes.Compute}
"""
INPUTS = (
    "  inputs: {size: {type: scalar-unit.size, default: 3 GiB}, text: {type: string, default: a}, n: {type: integer}}\n"
)


def made(vm: str, type: str = "tosca.nodes.Compute", target: str = "hot", **options: Any) -> Result:
    """What a template of a machine with these keys becomes."""
    nodes = f"topology_template:\n{INPUTS}  node_templates:\n    vm: {{type: {type}, {vm}}}\n"
    return convert(HEAD + TYPES + nodes, "tosca", target, carry=False, **options)


def asked(vm: str) -> dict[str, str]:
    """What the new parameters ask for."""
    parameters = made(vm).document["parameters"]
    return {name: row["description"] for name, row in parameters.items() if name.startswith("vm_")}


def server(result: Result) -> dict[str, Any]:
    return dict(result.document["resources"]["vm"]["properties"])


def reported(result: Result, code: str) -> list[Diagnostic]:
    return [one for one in result.diagnostics if one.code == code]


def host(properties: str, capability: str = "host") -> str:
    return f"capabilities: {{{capability}: {{properties: {{{properties}}}}}}}"


# -- flavors --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("properties", "words"),
    [
        ("num_cpus: 1", "at least 1 CPU"),
        ("num_cpus: 2", "at least 2 CPUs"),
        ("mem_size: 1 MB", "at least 1 MiB of memory"),
        ("disk_size: 1500 MiB", "at least 2 GiB of disk"),
        ("mem_size: much", "at least much of memory"),
        ("disk_size: much", "at least much of disk"),
        ("num_cpus: {get_input: n}", "at least as many CPUs as input 'n'"),
        ("mem_size: {get_input: size}", "at least as much memory as input 'size' (3 GiB)"),
        ("disk_size: {get_input: text}", "at least as much disk as input 'text'"),
        ("disk_size: {get_property: [SELF, host, mem_size]}, mem_size: 1 GiB",
         "at least 1024 MiB of memory, 1 GiB of disk"),
        ("num_cpus: {concat: [a, {get_input: n}]}", "at least as many CPUs as the template"),
        ("mem_size: {get_input: [size, 1]}", "at least as much memory as input 'size'"),
    ],
)  # fmt: skip
def test_a_flavor_is_asked_for_in_words(properties: str, words: str) -> None:
    assert asked(host(properties))["vm_flavor"] == f"flavor of vm: {words}"


@pytest.mark.parametrize("target", ["hot", "cloudify"])
def test_a_machine_that_asks_for_nothing_has_inputs_for_it(target: str) -> None:
    result = made("description: x", target=target)
    inputs = result.document["parameters" if target == "hot" else "inputs"]
    assert inputs["vm_flavor"]["description"] == "flavor of vm"
    assert inputs["vm_image"]["description"] == "image of vm"
    assert {one.path for one in reported(result, "BPC812")} == {("node_templates", "vm")}


FLAVORS: dict[str, dict[str, int]] = {
    "small": {"cpus": 1, "ram": 1024, "disk": 10},
    "wide": {"cpus": 8, "ram": 2048, "disk": 10},
    "big": {"cpus": 8, "ram": 4096, "disk": 10},
    "deep": {"cpus": 8, "ram": 4096, "disk": 100},
}


@pytest.mark.parametrize(
    ("properties", "name"),
    [
        ("num_cpus: 1", "small"),
        ("num_cpus: 2", "wide"),
        ("mem_size: 1 GiB", "small"),
        ("mem_size: 1025 MiB", "wide"),
        ("mem_size: 2049 MiB", "big"),
        ("mem_size: {get_input: size}", "big"),
        ("disk_size: 10 GiB", "small"),
        ("disk_size: 11 GiB", "deep"),
        ("num_cpus: 1.5", "wide"),
    ],
)
def test_a_table_has_the_smallest_flavor_that_will_do(properties: str, name: str) -> None:
    assert server(made(host(properties), flavors=FLAVORS))["flavor"] == name


@pytest.mark.parametrize("properties", ["mem_size: much", "num_cpus: true", "num_cpus: few"])
def test_no_flavor_is_chosen_for_what_is_no_size(properties: str) -> None:
    assert server(made(host(properties), flavors=FLAVORS))["flavor"] == {"get_param": "vm_flavor"}


@pytest.mark.parametrize("capability", ["host", "os"])
def test_what_is_asked_for_is_reported_at_the_capability(capability: str) -> None:
    result = made(host("num_cpus: 1" if capability == "host" else "type: linux", capability))
    words = "1 CPU" if capability == "host" else "an image with linux"
    found = {one.path: one.message.split(":")[0] for one in reported(result, "BPC812")}
    assert found == {
        ("node_templates", "vm"): "'vm' asks for a machine",
        ("node_templates", "vm", "capabilities", capability): f"'vm' asks for {words}",
    }
    assert not reported(result, "BPC810")


def test_what_a_machine_with_a_flavor_asks_for_is_not_needed() -> None:
    keys = host("num_cpus: 1, mem_size: 1 GiB, disk_size: 1 GiB")
    result = made(f"properties: {{flavor: mine}}, {keys}", "own.Machine")
    place = ("node_templates", "vm", "capabilities", "host", "properties")
    found = reported(result, "BPC813")
    assert [one.path for one in found] == [(*place, name) for name in ("num_cpus", "mem_size", "disk_size")]
    assert "the flavor is given" in found[0].message
    assert not reported(result, "BPC810")


def test_tacker_gives_the_flavor_and_the_image() -> None:
    found = server(made(host("num_cpus: 1"), orchestrator="tacker"))
    assert found["flavor"] == {"get_param": ["nfv", "VDU", "vm", "computeFlavourId"]}
    assert found["image"] == {"get_param": ["nfv", "VDU", "vm", "vcImageId"]}


# -- images ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("properties", "words"),
    [
        ("type: linux", "linux"),
        ("architecture: x86_64, type: linux", "x86_64, linux"),
        ("distribution: ubuntu, version: '22.04'", "ubuntu 22.04"),
        ("type: linux, version: '22.04'", "linux, version 22.04"),
        ("version: '22.04'", "version 22.04"),
        ("type: {get_input: text}", "as in input 'text'"),
        ("type: {concat: [a, {get_input: text}]}", "as in the template"),
    ],
)
def test_an_image_is_asked_for_in_words(properties: str, words: str) -> None:
    assert asked(host(properties, "os"))["vm_image"] == f"image of vm: {words}"


IMAGES: dict[str, dict[str, Any]] = {
    "arm": {"architecture": "arm64", "type": "linux", "distribution": "debian", "version": 11},
    "old": {"architecture": "x86_64", "type": "linux", "distribution": "debian", "version": 11},
    "new": {"architecture": "x86_64", "type": "linux", "distribution": "debian", "version": 12},
    "other": {"architecture": "x86_64", "type": "linux", "distribution": "ubuntu", "version": 12},
    "win": {"architecture": "x86_64", "type": "windows", "distribution": "server", "version": 12},
}


@pytest.mark.parametrize(
    ("properties", "name"),
    [
        ("architecture: x86_64", "old"),
        ("type: windows", "win"),
        ("distribution: ubuntu", "other"),
        ("distribution: debian, version: '12'", "new"),
    ],
)
def test_a_table_has_the_first_image_that_will_do(properties: str, name: str) -> None:
    assert server(made(host(properties, "os"), images=IMAGES))["image"] == name


@pytest.mark.parametrize(
    ("type", "file", "default"),
    [
        ("tosca.artifacts.Deployment.Image.VM", "a/debian.img", "debian"),
        ("tosca.artifacts.Deployment.Image.VM.ISO", "debian.12.iso", "debian.12"),
        ("own.Image", "debian", "debian"),
        ("tosca.artifacts.Deployment.Image.VM.QCOW2", "https://example.org/x.tar", "x"),
    ],
)
def test_a_file_names_the_image(type: str, file: str, default: str) -> None:
    result = made(f"artifacts: {{disk: {{type: {type}, file: '{file}'}}}}")
    row = result.document["parameters"]["vm_image"]
    assert (row["default"], row["description"]) == (default, f"image of vm: made of the file {file}")
    assert row["constraints"] == [{"custom_constraint": "glance.image"}]
    assert server(result)["image"] == {"get_param": "vm_image"}
    assert result.document["parameters"].keys() == {"size", "text", "n", "vm_flavor", "vm_image"}
    (found,) = reported(result, "BPC814")
    assert found.path == ("node_templates", "vm", "artifacts", "disk", "file")
    assert found.message.endswith(f": input 'vm_image' has the name '{default}'")
    assert not reported(result, "BPC832")


@pytest.mark.parametrize("end", ["qcow2", "raw", "vmdk", "vdi", "vhd", "vhdx", "iso", "aki", "ari", "ami", "QCOW2"])
def test_glance_makes_the_image_of_a_file_at_an_address(end: str) -> None:
    file = f"https://example.org/a/debian.{end}"
    result = made(f"artifacts: {{disk: {{type: tosca.artifacts.Deployment.Image.VM, file: '{file}'}}}}")
    assert result.document["resources"]["vm_image"] == {
        "type": "OS::Glance::WebImage",
        "properties": {
            "name": "debian", "location": file, "container_format": "bare", "disk_format": end.lower(),
        },
    }  # fmt: skip
    assert server(result)["image"] == {"get_resource": "vm_image"}
    (found,) = reported(result, "BPC814")
    assert found.path == ("node_templates", "vm", "artifacts", "disk", "file")
    assert found.message.endswith(": Glance makes the image 'debian' of it")


@pytest.mark.parametrize("type", ["tosca.artifacts.File", "tosca.artifacts.Deployment.Image.Container.Docker"])
def test_another_file_is_no_image(type: str) -> None:
    result = made(f"artifacts: {{disk: {{type: {type}, file: debian.qcow2}}}}")
    assert "default" not in result.document["parameters"]["vm_image"]
    assert not reported(result, "BPC814")


def test_a_file_without_a_type_is_no_image() -> None:
    assert not reported(made("artifacts: {disk: debian.qcow2}"), "BPC814")


def test_the_image_of_a_machine_goes_before_that_of_its_capability() -> None:
    keys = f"properties: {{image: mine}}, {host('image: other', 'os')}"
    assert server(made(keys, "tosca.nodes.nfv.VDU.Tacker"))["image"] == "mine"


def test_what_a_machine_with_an_image_asks_for_is_not_needed() -> None:
    keys = host("image: debian, architecture: x86_64, type: linux, distribution: debian, version: '12'", "os")
    result = made(keys)
    place = ("node_templates", "vm", "capabilities", "os", "properties")
    found = reported(result, "BPC813")
    assert [one.path for one in found] == [
        (*place, name) for name in ("architecture", "type", "distribution", "version")
    ]
    assert "the image is given" in found[0].message


# -- resources of OpenStack -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("keys", "wanted"),
    [
        ("description: x", set()),
        (host("num_cpus: 1"), {"1 CPU", "a machine"}),
        (host("num_cpus: 1", "nfv_compute"), {"a machine"}),
        (host("type: linux", "os"), {"an image with linux"}),
        ("properties: {flavor: a}, " + host("num_cpus: 1"), {"a machine"}),
        ("properties: {image: debian}, " + host("num_cpus: 1"), {"1 CPU"}),
        ("properties: {block_device_mapping: [{volume_id: a}]}, " + host("num_cpus: 1"), {"1 CPU"}),
        ("properties: {block_device_mapping_v2: [{volume_id: a}]}, " + host("num_cpus: 1"), {"1 CPU"}),
    ],
)
def test_a_server_asks_for_what_its_capabilities_ask_for(keys: str, wanted: set[str]) -> None:
    found = reported(made(keys, "openstack.nova.Server"), "BPC812")
    assert {one.message.partition(" asks for ")[2].partition(":")[0] for one in found} == wanted


@pytest.mark.parametrize(
    "name",
    [
        "flavor", "image", "key_name", "availability_zone", "security_groups", "user_data", "config_drive",
        "admin_pass", "block_device_mapping", "block_device_mapping_v2", "scheduler_hints", "user_data_format",
        "flavor_update_policy", "image_update_policy", "software_config_transport", "reservation_id", "diskConfig",
    ],
)  # fmt: skip
def test_a_property_that_only_nova_has_is_that(name: str) -> None:
    head = (
        HEAD + f"node_types:\n  mine: {{derived_from: tosca.nodes.Compute, properties: {{{name}: {{type: string}}}}}}\n"
    )
    nodes = f"    vm: {{type: mine, properties: {{{name}: x}}}}\n"
    result = convert(f"{head}topology_template:\n  node_templates:\n{nodes}", "tosca", "hot", carry=False)
    assert name in server(result)
    assert not reported(result, "BPC823")


def test_what_is_asked_of_the_older_types_for_nfv() -> None:
    result = made(host("num_cpus: 2, mem_size: 512 MB, disk_size: 1 GB", "nfv_compute"), "tosca.nodes.nfv.VDU.Tacker")
    words = "flavor of vm: at least 2 CPUs, 489 MiB of memory, 1 GiB of disk"
    assert result.document["parameters"]["vm_flavor"]["description"] == words


# -- machines that exist --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["private_address", "public_address"])
@pytest.mark.parametrize("address", ["192.0.2.1", "2001:db8::1", "host-1.example.org", "a_b"])
def test_a_machine_with_an_address_exists(name: str, address: str) -> None:
    keys = f"attributes: {{{name}: '{address}'}}, properties: {{flavor: x}}, " + host("type: linux", "os")
    result = made(keys, "own.Machine", "cloudify")
    node = result.document["node_templates"]["vm"]
    assert (node["type"], node["properties"]["ip"]) == ("cloudify.nodes.Compute", address)
    place = ("node_templates", "vm", "attributes", name)
    (found,) = reported(result, "BPC865")
    assert (found.path, "'vm'" in found.message) == (place, True)
    unread = {one.path[2:] for one in reported(result, "BPC823")}
    assert unread == {("properties", "flavor"), ("capabilities", "os")}
    assert not reported(result, "BPC810")
    assert "vm_flavor" not in result.document.get("inputs", {})


def test_properties_of_a_machine_that_exists_describe_it() -> None:
    result = made("attributes: {private_address: a}, properties: {key_name: k}", "tosca.nodes.nfv.VDU.Tacker")
    assert [one.path[-1] for one in reported(result, "BPC823")] == ["key_name"]
    assert not reported(result, "BPC810")


def test_an_address_that_only_an_orchestrator_knows_is_reported_there() -> None:
    result = made(
        "attributes: {private_address: {get_operation_output: [SELF, Standard, create, a]}}", target="cloudify"
    )
    assert {one.path for one in reported(result, "BPC201")} == {
        ("node_templates", "vm", "attributes", "private_address")
    }


def test_an_address_may_be_an_input() -> None:
    result = made("attributes: {private_address: {get_input: text}}", target="cloudify")
    assert result.document["node_templates"]["vm"]["properties"]["ip"] == {"get_input": "text"}


@pytest.mark.parametrize(
    ("address", "size"),
    [
        ("-x", "cpu_frequency: 1 GHz"),
        ("'a b'", "cpu_frequency: 1 GHz"),
        ("1", "cpu_frequency: 1 GHz"),
        ("192.0.2.1", "num_cpus: 1"),
        ("192.0.2.1", "mem_size: 1 GiB"),
        ("192.0.2.1", "disk_size: 1 GiB"),
    ],
)
def test_a_machine_with_another_attribute_or_a_size_is_made(address: str, size: str) -> None:
    result = made(f"attributes: {{private_address: {address}}}, " + host(size))
    assert result.document["resources"]["vm"]["type"] == "OS::Nova::Server"
    assert not reported(result, "BPC865")


# -- how many -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("properties", "kind", "numbers"),
    [
        ("min_instances: 1, max_instances: 1, default_instances: 1", "OS::Nova::Server", {}),
        ("default_instances: 3", "OS::Heat::ResourceGroup", {"count": 3}),
        ("count: 3", "OS::Heat::ResourceGroup", {"count": 3}),
        ("min_instances: 2, max_instances: 2", "OS::Heat::ResourceGroup", {"count": 2}),
        ("min_instances: 2, max_instances: 4", "OS::Heat::AutoScalingGroup",
         {"min_size": 2, "max_size": 4, "desired_capacity": 2}),
        ("min_instances: 1, max_instances: UNBOUNDED, default_instances: 3", "OS::Heat::ResourceGroup", {"count": 3}),
        ("min_instances: 1, max_instances: 1, count: 3", "OS::Heat::ResourceGroup", {"count": 3}),
        ("min_instances: 0", "OS::Heat::AutoScalingGroup", {"min_size": 0, "max_size": 1, "desired_capacity": 0}),
        ("max_instances: 4", "OS::Heat::AutoScalingGroup", {"min_size": 1, "max_size": 4, "desired_capacity": 1}),
    ],
)  # fmt: skip
def test_how_many_there_are(properties: str, kind: str, numbers: dict[str, int]) -> None:
    keys = f"properties: {{flavor: a, image: b}}, {host(properties, 'scalable')}"
    found = made(keys, "openstack.nova.Server").document["resources"]["vm"]
    assert found["type"] == kind
    sizes = ("count", "min_size", "max_size", "desired_capacity")
    assert {name: found["properties"][name] for name in sizes if name in found["properties"]} == numbers


def test_the_number_is_reported_at_the_properties() -> None:
    keys = f"properties: {{flavor: a, image: b}}, {host('default_instances: 3', 'scalable')}"
    (found,) = reported(made(keys, "openstack.nova.Server"), "BPC381")
    assert found.path == ("node_templates", "vm", "capabilities", "scalable", "properties")
