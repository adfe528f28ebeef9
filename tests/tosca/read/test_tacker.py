"""What Tacker gives a base template in its one parameter."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from corpus_cases import CORPUS

from bpconvert import UsageError, convert

HEAD = "tosca_definitions_version: tosca_simple_yaml_1_2\n"
VDU = """
    unit:
      type: tosca.nodes.nfv.Vdu.Compute
      properties:
        name: unit
        vdu_profile: {min_number_of_instances: 1, max_number_of_instances: 1}
        sw_image_data: {name: linux}
      capabilities:
        virtual_compute:
          properties:
            virtual_memory: {virtual_mem_size: 1 GiB}
            virtual_cpu: {num_virtual_cpu: 1}
"""


def converted(nodes: str, inputs: str = "", more: str = "", **options: Any) -> tuple[dict[str, Any], list[str]]:
    """The base template, and the codes of the findings."""
    text = f"{HEAD}{more}topology_template:\n{inputs}  node_templates:\n{nodes}"
    made = convert(text, "tosca", "hot", carry=False, **{"orchestrator": "tacker", **options})
    return yaml.safe_load(made.text), [one.code for one in made.diagnostics]


def test_a_flavor_that_nobody_names_is_reported() -> None:
    data, codes = converted(VDU)
    assert data["parameters"] == {"nfv": {"type": "json"}}
    assert list(data["resources"]) == ["unit"]
    server = data["resources"]["unit"]["properties"]
    assert server["flavor"] == {"get_param": ["nfv", "VDU", "unit", "computeFlavourId"]}
    assert server["image"] == {"get_param": ["nfv", "VDU", "unit", "vcImageId"]}
    assert "BPC986" in codes


def test_a_flavor_of_the_template_stays() -> None:
    data, codes = converted(VDU.replace("name: unit\n", "name: unit\n        flavor: m1.tiny\n"))
    assert data["resources"]["unit"]["properties"]["flavor"] == "m1.tiny"
    assert "BPC986" not in codes


def test_tables_choose_nothing_that_tacker_gives() -> None:
    tables = {"flavors": {"m1": {"cpus": 9, "ram": 9999, "disk": 9}}, "images": {"linux": {}}}
    assert converted(VDU, **tables)[0] == converted(VDU)[0]


def test_inputs_that_have_to_be_given() -> None:
    """One with a default keeps it: the orchestrator gives one parameter."""
    types = ("a: {type: string}", "b: {type: map}", "c: {type: string, default: x}", "d: {type: string}")
    inputs = "  inputs:\n" + "".join(f"    {one}\n" for one in types)
    nodes = VDU.replace("name: unit\n", "name: {concat: [{get_input: a}, {get_input: c}]}\n").replace(
        "name: linux", "name: linux}\n        meta_data: {key: {get_input: [b, k]}"
    )
    data, codes = converted(nodes, inputs)
    assert data["parameters"] == {"c": {"type": "string", "default": "x"}, "nfv": {"type": "json"}}
    assert {"get_param": ["nfv", "inputs", "a"]} in data["resources"]["unit"]["properties"]["name"]["str_replace"][
        "params"
    ].values()
    assert data["resources"]["unit"]["properties"]["metadata"] == {"key": {"get_param": ["nfv", "inputs", "b", "k"]}}
    assert codes.count("BPC988") == 2
    assert "BPC989" in codes


def test_the_parameter_is_there_where_nothing_is_asked_for() -> None:
    """Tacker gives it anyway, and Heat refuses a parameter that is not declared."""
    data, _ = converted("    a: {type: tosca.nodes.nfv.VnfVirtualLink}\n")
    assert data["parameters"] == {"nfv": {"type": "json"}}


def test_each_machine_that_scales_has_a_file(tmp_path: Path) -> None:
    source = CORPUS / "tosca" / "machines-that-aspects-scale" / "tosca.yaml"
    made = convert(source, "tosca", "hot", carry=False, orchestrator="tacker")
    assert sorted(made.files) == ["tosca.helper.hot.yaml", "tosca.store.hot.yaml", "tosca.worker.hot.yaml"]
    data = yaml.safe_load(made.text)
    assert data["parameters"] == {"nfv": {"type": "json"}}
    group = data["resources"]["helper_group"]["properties"]
    assert group["desired_capacity"] == {"get_param": ["nfv", "VDU", "helper", "desired_capacity"]}
    assert group["resource"]["properties"] == {
        "helper_flavor": {"get_param": ["nfv", "VDU", "helper", "computeFlavourId"]}
    }
    inner = yaml.safe_load(made.files["tosca.helper.hot.yaml"])
    assert inner["resources"]["helper"]["properties"]["flavor"] == {"get_param": "helper_flavor"}


def test_a_descriptor_of_flavours_is_none_for_tacker() -> None:
    source = CORPUS / "tosca" / "deployment-flavours-of-a-descriptor" / "tosca.yaml"
    made = convert(source, "tosca", "hot", carry=False, orchestrator="tacker")
    (told,) = [one for one in made.diagnostics if one.code == "BPC783"]
    assert "small.yaml" in told.message


def test_the_function_itself_is_no_node_of_its_topology() -> None:
    """It is one where something uses it, and where its operations would be lost."""
    types = "node_types:\n  own.VNF: {derived_from: tosca.nodes.nfv.VNF, properties: {p: {type: string, default: v}}}\n"
    head = f"{HEAD}{types}topology_template:\n  substitution_mappings: {{node_type: own.VNF}}\n"
    vnf = "    vnf: {type: own.VNF}\n"

    def nodes(text: str, more: str = "") -> tuple[list[str], list[str]]:
        made = convert(f"{head}{more}  node_templates:\n{text}", "tosca", "hot", carry=False)
        return list(made.document["resources"]), [one.code for one in made.diagnostics]

    assert nodes(vnf + VDU)[0] == ["unit", "unit_flavor"]
    assert "BPC789" in nodes(vnf + VDU)[1]
    used = "  outputs: {o: {value: {get_attribute: [vnf, p]}}}\n"
    assert "vnf" in nodes(vnf + VDU, used)[0]
    runs = vnf.replace("}", ", interfaces: {Vnflcm: {heal_start: {implementation: a.py}}}}")
    assert "vnf" in nodes(runs + VDU)[0]


def test_only_heat_templates_are_for_tacker() -> None:
    with pytest.raises(UsageError, match="tacker"):
        convert(HEAD + "topology_template: {}\n", "tosca", "cloudify", orchestrator="tacker")
    with pytest.raises(UsageError, match="orchestrator"):
        convert(HEAD + "topology_template: {}\n", "tosca", "hot", orchestrator="other")


def test_what_tacker_brings_along_is_no_unknown_type() -> None:
    text = """\
tosca_definitions_version: tosca_simple_profile_for_nfv_1_0_0
topology_template:
  node_templates: {VDU1: {type: tosca.nodes.nfv.VDU.Tacker, properties: {image: i, flavor: f}}}
  policies:
    - SP1:
        type: tosca.policies.tacker.%s
        targets: [VDU1]
        properties: {increment: 1, min_instances: 1, max_instances: 3, default_instances: 2}
"""
    made = convert(text % "Scaling", "tosca", "hot", carry=False)
    assert made.document["resources"]["VDU1"]["properties"]["max_size"] == 3
    assert "BPC856" not in {diagnostic.code for diagnostic in made.diagnostics}
    other = convert(text.replace("tacker.%s", "taker.Scaling"), "tosca", "hot", carry=False)
    assert "BPC856" in {diagnostic.code for diagnostic in other.diagnostics}
