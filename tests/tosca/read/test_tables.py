"""Flavors and images that are chosen from tables."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from bpconvert.api import convert
from bpconvert.cli.main import main
from bpconvert.cli.tables import table_of
from bpconvert.diagnostics import SourceError

TEMPLATE = """
tosca_definitions_version: tosca_simple_yaml_1_3
topology_template:
  inputs: {{cpus: {{type: integer, default: 1}}, wanted: {{type: integer}}}}
  node_templates:
    vm:
      type: tosca.nodes.Compute
      capabilities:
        host: {{properties: {{{0}}}}}
        os: {{properties: {{{1}}}}}
"""
FLAVORS = {
    "big": {"cpus": 8, "ram": 16384, "disk": 80},
    "small": {"cpus": 1, "ram": 2048, "disk": 20},
    "medium": {"cpus": 2, "ram": 4096, "disk": 40},
}
IMAGES = {
    "old": {"type": "Linux", "distribution": "Debian", "version": "11"},
    "bare": {"type": "Linux"},
    "new": {"type": "Linux", "distribution": "Debian", "version": 12.0},
}


def server(host: str, system: str = "", **options: Any) -> tuple[dict[str, Any], list[str]]:
    """The properties of the server, and the codes that are reported."""
    made = convert(TEMPLATE.format(host, system), "tosca", "hot", carry=False, **options)
    properties: dict[str, Any] = yaml.safe_load(made.text)["resources"]["vm"]["properties"]
    return properties, [one.code for one in made.diagnostics]


@pytest.mark.parametrize(
    ("host", "flavor"),
    [
        ("num_cpus: 1, mem_size: 512 MB", "small"),
        ("mem_size: 4 GiB", "medium"),
        ("num_cpus: 1, disk_size: 21 GiB", "medium"),
        ("num_cpus: 3", "big"),
    ],
)
def test_the_smallest_flavor_that_fits_is_chosen(host: str, flavor: str) -> None:
    properties, codes = server(host, flavors=FLAVORS)
    assert properties["flavor"] == flavor
    assert "BPC825" in codes


@pytest.mark.parametrize("host", ["num_cpus: 9", "num_cpus: {get_input: wanted}"])
def test_what_nothing_fits_is_asked_for(host: str) -> None:
    properties, codes = server(host, flavors=FLAVORS)
    assert properties["flavor"] == {"get_param": "vm_flavor"}
    assert "BPC826" in codes


@pytest.mark.parametrize(("usual", "flavor"), [("", "small"), ("medium", "medium")])
def test_a_machine_that_asks_for_nothing_takes_the_smallest_or_the_usual_flavor(usual: str, flavor: str) -> None:
    table = {name: {**row, "default": name == usual} for name, row in FLAVORS.items()}
    assert server("", flavors=table)[0]["flavor"] == flavor
    assert server("", "", images=IMAGES)[0]["image"] == "old"


def test_a_size_that_is_an_input_is_its_default_and_nothing_else() -> None:
    """What only asked for a machine is left out; what is read elsewhere takes its default alone."""
    made = convert(TEMPLATE.format("num_cpus: {get_input: cpus}", ""), "tosca", "hot", carry=False, flavors=FLAVORS)
    data = yaml.safe_load(made.text)
    assert data["resources"]["vm"]["properties"]["flavor"] == "small"
    assert "cpus" not in data["parameters"]
    assert {"BPC829", "BPC848"} <= {one.code for one in made.diagnostics}
    read = TEMPLATE.format("num_cpus: {get_input: cpus}", "") + "  outputs: {o: {value: {get_input: cpus}}}\n"
    data = yaml.safe_load(convert(read, "tosca", "hot", carry=False, flavors=FLAVORS).text)
    assert data["parameters"]["cpus"]["constraints"] == [{"allowed_values": [1]}]


def test_one_input_asks_for_machines_that_are_alike() -> None:
    text = TEMPLATE.format("num_cpus: {get_input: wanted}", "")
    request = "{host: {properties: {num_cpus: {get_input: wanted}}}}"
    text += f"    other: {{type: tosca.nodes.Compute, capabilities: {request}}}\n"
    made = convert(text, "tosca", "hot", carry=False)
    data = yaml.safe_load(made.text)
    assert data["parameters"].keys() == {"cpus", "flavor", "image"}
    for name in ("vm", "other"):
        properties = data["resources"][name]["properties"]
        assert properties == {"flavor": {"get_param": "flavor"}, "image": {"get_param": "image"}}
    assert [one.code for one in made.diagnostics].count("BPC812") == 4


def test_a_request_is_known_with_its_input() -> None:
    properties, _ = server("num_cpus: {get_input: cpus}", flavors=FLAVORS, params={"cpus": 2})
    assert properties["flavor"] == "medium"


@pytest.mark.parametrize(
    ("system", "image"),
    [
        ("type: linux, distribution: debian, version: '12'", "new"),
        ("distribution: debian", "old"),
        ("distribution: fedora", {"get_param": "vm_image"}),
        ("architecture: x86_64, type: linux", {"get_param": "vm_image"}),
    ],
)
def test_an_image_has_all_that_is_asked_for(system: str, image: Any) -> None:
    assert server("num_cpus: 1", system, images=IMAGES)[0]["image"] == image


def test_tables_on_the_command_line(tmp_path: Path) -> None:
    place = tmp_path / "app.yaml"
    place.write_text(TEMPLATE.format("num_cpus: 2", ""))
    (tmp_path / "flavors.json").write_text('[{"Name": "one", "VCPUs": 2, "RAM": 1, "Disk": 0}]')
    words = [
        "tosca2hot",
        str(place),
        "-o",
        str(tmp_path / "out.yaml"),
        "--flavors",
        str(tmp_path / "flavors.json"),
        "-q",
    ]
    assert main(words) == 0
    data = yaml.safe_load((tmp_path / "out.yaml").read_text())
    assert data["resources"]["vm"]["properties"]["flavor"] == "one"


@pytest.mark.parametrize("text", ["a", "x: 1", "x: {ram: much}", "x: {cpus: true}"])
def test_tables_that_are_none(tmp_path: Path, text: str) -> None:
    place = tmp_path / "table.yaml"
    place.write_text(text)
    with pytest.raises(SourceError):
        table_of(str(place))


DECIDED = """
tosca_definitions_version: tosca_simple_yaml_1_3
topology_template:
  inputs:
    mem: {type: scalar-unit.size, default: 4 GB}
    cpus: {type: string, default: two}
  node_templates:
    vm:
      type: tosca.nodes.Compute
      capabilities: {host: {properties: {mem_size: {get_input: mem}}}}
    odd:
      type: tosca.nodes.Compute
      capabilities: {host: {properties: {num_cpus: {get_input: cpus}}}}
"""


@pytest.mark.parametrize(
    ("mem", "flavor"),
    [("3", "medium"), ("12", "big"), ("3 GiB", "medium"), ("12000 MB", "big"), (None, "medium")],
)
def test_the_value_of_a_size_is_a_number_of_gib(mem: str | None, flavor: str) -> None:
    """As the input that takes it (BPC811), by --param or its default."""
    options: dict[str, Any] = {"params": {"mem": mem}} if mem is not None else {"assume_defaults": True}
    made = convert(DECIDED, "tosca", "hot", carry=False, flavors=FLAVORS, **options)
    assert yaml.safe_load(made.text)["resources"]["vm"]["properties"]["flavor"] == flavor


def test_what_is_no_number_is_not_compared() -> None:
    made = convert(DECIDED, "tosca", "hot", carry=False, flavors=FLAVORS, params={"cpus": "many"})
    found = yaml.safe_load(made.text)["resources"]["odd"]["properties"]["flavor"]
    assert found == {"get_param": "odd_flavor"}
    assert "BPC826" in [one.code for one in made.diagnostics]


def test_what_is_chosen_is_not_asked_for() -> None:
    _, codes = server("num_cpus: 1", "type: linux", flavors=FLAVORS, images={"bare": {"type": "linux"}})
    assert codes.count("BPC825") == 2
    assert "BPC812" not in codes
