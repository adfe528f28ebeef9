"""Deployment units of network functions: flavor, image, user data, volumes, numbers; the function itself."""

from __future__ import annotations

from typing import Any

import pytest

from bpconvert import Diagnostic, Result, convert

HEAD = """\
tosca_definitions_version: tosca_simple_yaml_1_2
node_types:
  mine.VNF: {derived_from: tosca.nodes.nfv.VNF}
  openstack.mine.Unit:
    derived_from: tosca.nodes.nfv.Vdu.Compute
    properties:
      flavor: {type: string, required: false}
      image: {type: string, required: false}
      user_data: {type: string, required: false}
      metadata: {type: map, required: false}
topology_template:
  inputs: {text: {type: string, default: a}}
"""
SIZES = "virtual_memory: {virtual_mem_size: 1 GiB}, virtual_cpu: {num_virtual_cpu: 2}"
DISK = """\
    %s:
      type: tosca.nodes.nfv.Vdu.VirtualBlockStorage
      properties: {virtual_block_storage_data: {size_of_storage: 3 GiB}%s}
"""
PLACE = ("node_templates", "vm")


def made(sizes: str = SIZES, properties: str = "name: n", more: str = "", nodes: str = "", **options: Any) -> Result:
    """What a unit with these sizes and properties becomes. ``more``: further keys of it."""
    capabilities = f"{{virtual_compute: {{properties: {{{sizes}}}}}}}" if sizes else "{}"
    vm = f"    vm:\n      type: openstack.mine.Unit\n      properties: {{{properties}}}\n"
    vm += f"      capabilities: {capabilities}\n"
    return convert(f"{HEAD}  node_templates:\n{vm}{more}{nodes}", "tosca", "hot", carry=False, **options)


def server(result: Result) -> dict[str, Any]:
    return dict(result.document["resources"]["vm"]["properties"])


def reported(result: Result, code: str) -> list[Diagnostic]:
    return [one for one in result.diagnostics if one.code == code]


def lost(result: Result) -> list[Any]:
    return [one.path[-1] for one in reported(result, "BPC810")]


# -- flavor ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sizes", "flavor"),
    [
        ("", {"ram": 1024, "vcpus": 2}),
        ("virtual_local_storage: [{size_of_storage: 1500 MiB}]", {"ram": 1024, "vcpus": 2, "disk": 2}),
        ("virtual_local_storage: [{size_of_storage: large}]", {"ram": 1024, "vcpus": 2}),
        ("compute_requirements: {nova_extra_specs: {a: b}}", {"ram": 1024, "vcpus": 2, "extra_specs": {"a": "b"}}),
        ("""compute_requirements: {nova_extra_specs: '{"a": "b"}'}""",
         {"ram": 1024, "vcpus": 2, "extra_specs": {"a": "b"}}),
        ("compute_requirements: {nova_extra_specs: '{a'}",
         {"ram": 1024, "vcpus": 2, "extra_specs": {"get_param": "vm_flavor_extra_specs"}}),
    ],
)  # fmt: skip
def test_a_flavor_is_made_of_the_sizes(sizes: str, flavor: dict[str, Any]) -> None:
    result = made(f"{SIZES}, {sizes}" if sizes else SIZES)
    made_flavor = result.document["resources"]["vm_flavor"]
    assert (made_flavor["type"], made_flavor["properties"]) == ("OS::Nova::Flavor", flavor)
    assert server(result)["flavor"] == {"get_resource": "vm_flavor"}
    assert lost(result) == (["virtual_local_storage"] if "large" in sizes else [])


@pytest.mark.parametrize(
    "sizes", ["", "virtual_memory: {virtual_mem_size: 1 GiB}", "virtual_cpu: {num_virtual_cpu: 2}"]
)
def test_a_flavor_is_asked_for_where_the_sizes_do_not_say_it_all(sizes: str) -> None:
    result = made(sizes)
    assert server(result)["flavor"] == {"get_param": "vm_flavor"}
    assert "vm_flavor" not in result.document["resources"]


def test_a_flavor_that_is_named_is_that() -> None:
    result = made("virtual_cpu: {num_virtual_cpu: 2}", "name: n, flavor: f")
    assert server(result)["flavor"] == "f"
    assert "vm_flavor" not in result.document["parameters"]


# -- flavor, for Tacker ---------------------------------------------------------------------------------------

ALL = f"{SIZES}, virtual_local_storage: [{{size_of_storage: 3 GiB}}]"


@pytest.mark.parametrize(
    ("sizes", "words", "place"),
    [
        ("", "of any size", PLACE),
        ("virtual_cpu: {num_virtual_cpu: 2}", "vcpus 2", (*PLACE, "capabilities", "virtual_compute")),
        (ALL, "vcpus 2, ram 1024, disk 3", (*PLACE, "capabilities", "virtual_compute")),
    ],
)
def test_tacker_gives_the_flavor(sizes: str, words: str, place: tuple[str, ...]) -> None:
    result = made(sizes, orchestrator="tacker")
    assert server(result)["flavor"] == {"get_param": ["nfv", "VDU", "vm", "computeFlavourId"]}
    (found,) = [one for one in reported(result, "BPC986") if "flavor" in one.message]
    assert (found.path, words in found.message, "'vm'" in found.message) == (place, True, True)
    (asked,) = [one for one in reported(result, "BPC985") if "flavor" in one.message]
    assert f"flavor of vm: {words}" in asked.message
    assert "vm_flavor" not in result.document["resources"]
    assert not lost(result)


def test_the_descriptor_may_name_the_flavor() -> None:
    named = "requested_additional_capabilities: {properties: {requested_additional_capability_name: m1, support: true}}"
    result = made(f"{SIZES}, {named}", orchestrator="tacker")
    (found,) = reported(result, "BPC987")
    assert found.path[-2:] == ("properties", "requested_additional_capability_name")
    assert all(text in found.message for text in ("'vm'", "flavor", "'m1'"))
    assert not [one for one in reported(result, "BPC986") if "flavor" in one.message]
    assert not lost(result)


# -- user data ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "wanted"),
    [
        ("'#!/bin/sh'", "#!/bin/sh"),
        ("{get_input: text}", {"get_param": "text"}),
        ("{content: one}", "one"),
        ("{content_or_file_data: {content: one}}", "one"),
        ("{content_or_file_data: {content: one, source_path: a}}", "one"),
        ("{content_or_file_data: {source_path: init.sh}}", {"get_file": "init.sh"}),
    ],
)
def test_the_first_data_of_a_machine(data: str, wanted: Any) -> None:
    found = server(made(properties=f"name: n, boot_data: {data}"))
    assert (found["user_data"], found["user_data_format"]) == (wanted, "RAW")


@pytest.mark.parametrize("data", ["[a]", "{content_or_file_data: {source_path: [a]}}", "{other: a}"])
def test_data_of_another_form_is_reported(data: str) -> None:
    result = made(properties=f"name: n, boot_data: {data}")
    assert "user_data" not in server(result)
    assert "boot_data" in {step for one in result.diagnostics for step in one.path}


def test_data_that_nova_is_given_stays() -> None:
    files = "[{source_path: a, destination_path: b}]"
    result = made(properties=f"name: n, user_data: mine, boot_data: other, inject_files: {files}")
    assert server(result)["user_data"] == "mine"
    assert "vm_files" not in result.document["resources"]
    assert {"boot_data", "inject_files"} <= {step for one in result.diagnostics for step in one.path}


@pytest.mark.parametrize(
    ("properties", "wanted"),
    [("meta_data: {a: b}", {"a": "b"}), ("meta_data: {a: b}, metadata: {c: d}", {"c": "d"})],
)
def test_what_a_machine_is_told(properties: str, wanted: dict[str, str]) -> None:
    assert server(made(properties=f"name: n, {properties}"))["metadata"] == wanted


@pytest.mark.parametrize(
    ("rows", "paths"),
    [
        ("[{source_path: a, destination_path: /x}, {source_path: b, dest_path: /y}]", [("/x", "a"), ("/y", "b")]),
        ("{source_path: a, destination_path: /x}", [("/x", "a")]),
    ],
)
def test_files_are_put_into_a_machine_by_cloud_init(rows: str, paths: list[tuple[str, str]]) -> None:
    result = made(properties=f"name: n, inject_files: {rows}")
    config = result.document["resources"]["vm_files"]
    assert config["type"] == "OS::Heat::CloudConfig"
    written = [{"path": path, "content": {"get_file": file}} for path, file in paths]
    assert config["properties"] == {"cloud_config": {"write_files": written}}
    assert server(result)["user_data"] == {"get_resource": "vm_files"}
    assert server(result)["user_data_format"] == "RAW"


@pytest.mark.parametrize(
    "rows",
    ["[{source_path: a}]", "[{destination_path: /x}]", "[a]", "[{source_path: [a], destination_path: /x}]",
     "[{source_path: a, destination_path: [x]}]"],
)  # fmt: skip
def test_files_of_another_form_are_reported(rows: str) -> None:
    result = made(properties=f"name: n, inject_files: {rows}")
    assert "user_data" not in server(result)
    assert "inject_files" in {step for one in result.diagnostics for step in one.path}


# -- volumes and images ---------------------------------------------------------------------------------------

USES = "      requirements: [%s]\n"


@pytest.mark.parametrize(
    ("properties", "images", "boots", "image"),
    [
        ("name: n", ("", ""), [-1, -1], {"get_param": "vm_image"}),
        ("name: n", (", sw_image_data: {name: i}", ""), [0, -1], None),
        ("name: n", ("", ", sw_image_data: {name: i}"), [-1, 0], None),
        ("name: n", (", sw_image_data: {name: i}", ", sw_image_data: {name: i}"), [0, -1], None),
        ("name: n, image: mine", (", sw_image_data: {name: i}", ""), [-1, -1], "mine"),
        ("name: n, sw_image_data: {name: i}", (", sw_image_data: {name: i}", ""), [-1, -1], {"get_param": "image"}),
    ],
)
def test_a_machine_boots_from_the_first_volume_with_an_image(
    properties: str, images: tuple[str, str], boots: list[int], image: Any
) -> None:
    nodes = DISK % ("one", images[0]) + DISK % ("two", images[1])
    result = made(properties=properties, more=USES % "{virtual_storage: one}, {virtual_storage: two}", nodes=nodes)
    assert server(result)["block_device_mapping_v2"] == [
        {"volume_id": {"get_resource": name}, "boot_index": index}
        for name, index in zip(("one", "two"), boots, strict=True)
    ]
    assert server(result).get("image") == image
    assert "depends_on" not in result.document["resources"]["vm"]


def test_other_requirements_are_no_volumes_to_start_with() -> None:
    file = "    file: {type: tosca.nodes.nfv.Vdu.VirtualFileStorage, properties: {virtual_file_storage_data: {}}}\n"
    more = USES % "{virtual_storage: file}, {dependency: disk}, {virtual_storage: {node: a.Type}}"
    assert "block_device_mapping_v2" not in server(made(more=more, nodes=DISK % ("disk", "") + file))


@pytest.mark.parametrize(
    ("data", "artifact", "words"),
    [
        ("", "", ""),
        ("sw_image_data: {name: debian}", "", ": debian"),
        ("sw_image_data: {name: debian, version: '12'}", "", ": debian 12"),
        ("sw_image_data: {name: {get_input: text}, version: '12'}", "", ": 12"),
        ("sw_image_data: {name: debian}", "SwImage", ": debian, file a.img"),
        ("", "SwImage", ": file a.img"),
    ],
)
def test_the_image_comes_with_the_request(data: str, artifact: str, words: str) -> None:
    more = f"      artifacts: {{a: {{type: tosca.artifacts.nfv.{artifact}, file: a.img}}}}\n" if artifact else ""
    result = made(properties=f"name: n, {data}" if data else "name: n", more=more)
    asked = result.document["parameters"]["vm_image"]
    assert asked["description"] == f"image of vm{words}"
    assert asked["constraints"] == [{"custom_constraint": "glance.image"}]
    (found,) = reported(result, "BPC812")
    assert found.path == (*PLACE, "properties", "sw_image_data") if data else PLACE
    assert f"asks for {words[2:] or 'a machine'}" in found.message
    assert not reported(result, "BPC832")


def test_an_image_that_nothing_describes_is_the_usual_one_of_a_table() -> None:
    images: dict[str, dict[str, Any]] = {"one": {}, "two": {"default": True}}
    assert server(made(images=images))["image"] == "two"
    assert server(made(properties="name: n, sw_image_data: {name: x}", images=images))["image"] == {
        "get_param": "vm_image"
    }


@pytest.mark.parametrize(
    ("data", "found"), [("", ["any"]), ("sw_image_data: {version: '12'}", ["12"]), ("sw_image_data: {name: x}", [])]
)
def test_tacker_takes_the_image_by_its_name(data: str, found: list[str]) -> None:
    result = made(properties=f"name: n, {data}" if data else "name: n", orchestrator="tacker")
    assert server(result)["image"] == {"get_param": ["nfv", "VDU", "vm", "vcImageId"]}
    rows = [one for one in reported(result, "BPC986") if "image" in one.message]
    assert len(rows) == len(found)
    assert all(word in row.message for word, row in zip(found, rows, strict=True))


# -- how many -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("least", "most", "wanted"),
    [
        (1, 1, None),
        (3, 3, {"count": 3}),
        (0, 2, {"min_size": 0, "max_size": 2, "desired_capacity": 1}),
        (2, 3, {"min_size": 2, "max_size": 3, "desired_capacity": 2}),
    ],
)
def test_a_profile_has_the_least_and_the_greatest_number(least: int, most: int, wanted: dict[str, int] | None) -> None:
    profile = f"vdu_profile: {{min_number_of_instances: {least}, max_number_of_instances: {most}}}"
    sizes = ("count", "min_size", "max_size", "desired_capacity")
    result = made(properties=f"name: n, flavor: f, image: i, {profile}", sizes="")
    found = {name: server(result)[name] for name in sizes if name in server(result)}
    assert found == (wanted or {})
    assert not lost(result)
    codes = [one.path for one in result.diagnostics if one.code in ("BPC381", "BPC750")]
    assert codes == ([(*PLACE, "properties", "vdu_profile")] if wanted else [])


@pytest.mark.parametrize(
    ("least", "most", "wanted"), [(2, 2, 2), (1, 2, {"get_param": ["nfv", "VDU", "vm", "desired_capacity"]})]
)
def test_tacker_gives_the_number_of_what_is_scaled(least: int, most: int, wanted: Any) -> None:
    profile = f"vdu_profile: {{min_number_of_instances: {least}, max_number_of_instances: {most}}}"
    result = made(properties=f"name: n, flavor: f, image: i, {profile}", sizes="", orchestrator="tacker")
    found = result.document["resources"]["vm_group"]["properties"]
    assert (found["count"] if least == most else found["desired_capacity"]) == wanted


# -- the function ---------------------------------------------------------------------------------------------

FUNCTION = "    vnf: {type: mine.VNF, properties: {provider: me}%s}\n"
MAPPED = "  substitution_mappings: {node_type: mine.VNF}\n"
RUNS = ", interfaces: {Vnflcm: {instantiate: {implementation: a.sh}}}"
SOFTWARE = "    other: {type: tosca.nodes.SoftwareComponent, %s}\n"


def function(nodes: str, mapped: str = MAPPED, **options: Any) -> Result:
    return convert(f"{HEAD}  node_templates:\n{nodes}{mapped}", "tosca", "hot", carry=False, **options)


def test_a_function_is_the_whole_topology() -> None:
    result = function(FUNCTION % "")
    assert not result.document.get("resources")
    (found,) = reported(result, "BPC789")
    assert (found.path, "'vnf'" in found.message, "Tacker" in found.message) == (("node_templates", "vnf"), True, False)
    assert not lost(result)


def test_tacker_runs_the_operations_of_a_function() -> None:
    result = function(FUNCTION % RUNS, orchestrator="tacker")
    (found,) = reported(result, "BPC789")
    assert "; Tacker runs Vnflcm.instantiate" in found.message


@pytest.mark.parametrize(
    ("nodes", "mapped"),
    [
        (FUNCTION % "", ""),
        (FUNCTION % "", "  substitution_mappings: {node_type: tosca.nodes.nfv.VNF}\n"),
        (FUNCTION % RUNS, MAPPED),
        (FUNCTION % "" + SOFTWARE % "requirements: [{dependency: vnf}]", MAPPED),
        (FUNCTION % "" + SOFTWARE % (
            "interfaces: {Standard: {create: {implementation: a.sh, inputs: {x: {get_attribute: [vnf, state]}}}}}"
        ), MAPPED),
        (FUNCTION % "", MAPPED + "  outputs: {o: {value: {get_attribute: [vnf, state]}}}\n"),
    ],
)  # fmt: skip
def test_a_function_that_something_uses_is_a_node(nodes: str, mapped: str) -> None:
    result = function(nodes, mapped)
    assert "vnf" in result.document["resources"]
    assert not reported(result, "BPC789")
