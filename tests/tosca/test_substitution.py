"""Nodes for which the topology of an imported document stands."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from checkout import CORPUS

from bpconvert.api import Conversion, convert
from bpconvert.roundtrips import roundtrip
from bpconvert.verification import verify

MAIN = """
tosca_definitions_version: tosca_simple_yaml_1_3
imports: [database.yaml, types.yaml]
topology_template:
  inputs: {room: {type: integer, default: 5}}
  node_templates:
    db:
      type: example.Database
      directives: [substitute]
      properties: {size: {get_input: room}, kind: small}
    user:
      type: openstack.cinder.Volume
      properties: {size: 1, description: {get_attribute: [db, address]}}
      requirements: [{dependency: db}]
  outputs:
    id: {value: {get_attribute: [db, volume]}}
"""
TYPES = """
tosca_definitions_version: tosca_simple_yaml_1_3
node_types:
  example.Database:
    derived_from: tosca.nodes.Root
    properties: {size: {type: integer}, kind: {type: string}, label: {type: string, default: mine}}
    attributes: {address: {type: string}, volume: {type: string}}
"""
DATABASE = """
tosca_definitions_version: tosca_simple_yaml_1_3
imports: [types.yaml]
topology_template:
  inputs: {gigabytes: {type: integer}, label: {type: string, default: x}}
  substitution_mappings:
    node_type: example.Database
    properties: {size: [gigabytes], kind: small}
    attributes: {volume: [data, tosca_id]}
  node_templates:
    data: {type: openstack.cinder.Volume, properties: {size: {get_input: gigabytes}, name: {get_input: label}}}
  outputs:
    address: {value: {get_property: [data, name]}}
"""


def written(folder: Path, **texts: str) -> Path:
    """The main document, with what it imports beside it."""
    files = {"main": MAIN, "types": TYPES, "database": DATABASE, **texts}
    for name, text in files.items():
        (folder / f"{name}.yaml").write_text(text)
    return folder / "main.yaml"


def converted(source: Path, target: str = "hot") -> tuple[dict[str, Any], Conversion]:
    """The data of what a service template becomes, and the whole conversion."""
    made = convert(source, "tosca", target, carry=False)
    return yaml.safe_load(made.text), made


def found(made: Conversion, code: str) -> list[str]:
    return [one.message for one in made.diagnostics if one.code == code]


def test_the_topology_is_a_nested_template(tmp_path: Path) -> None:
    data, made = converted(written(tmp_path))
    assert data["resources"]["db"] == {
        "type": "database.yaml", "properties": {"label": "mine", "gigabytes": {"get_param": "room"}},
    }  # fmt: skip
    assert data["resources"]["user"]["properties"]["description"] == {"get_attr": ["db", "address"]}
    assert data["outputs"]["id"]["value"] == {"get_attr": ["db", "volume"]}
    nested = yaml.safe_load(made.files["database.yaml"])
    assert nested["outputs"]["volume"]["value"] == {"get_resource": "data"}
    assert not found(made, "BPC893") + found(made, "BPC851") + found(made, "BPC810")


def test_the_topology_is_a_component(tmp_path: Path) -> None:
    data, _ = converted(written(tmp_path), "cloudify")
    node = data["node_templates"]["db"]
    assert node["type"] == "cloudify.nodes.ServiceComponent"
    inputs = node["properties"]["resource_config"]["deployment"]["inputs"]
    assert inputs == {"label": "mine", "gigabytes": {"get_input": "room"}}
    assert data["outputs"]["id"]["value"] == {"get_attribute": ["db", "capabilities", "volume"]}


@pytest.mark.parametrize("target", ["hot", "cloudify"])
def test_the_result_means_the_same_and_comes_back(tmp_path: Path, target: str) -> None:
    source = written(tmp_path)
    made = convert(source, "tosca", target)
    made.write(tmp_path / "made" / "main.yaml")
    assert verify(source, tmp_path / "made" / "main.yaml", reported=made.diagnostics).differences == []
    assert roundtrip(source, via=target).is_identical


def test_what_no_type_knows_is_substituted_unasked(tmp_path: Path) -> None:
    data, _ = converted(written(tmp_path, main=MAIN.replace("      directives: [substitute]\n", "")))
    assert data["resources"]["db"]["type"] == "database.yaml"


@pytest.mark.parametrize("word", ["substitute", "substitutable"])
def test_a_node_that_nothing_stands_for_is_a_stand_in(tmp_path: Path, word: str) -> None:
    main = MAIN.replace("database.yaml, ", "").replace("[substitute]", f"[{word}]")
    data, made = converted(written(tmp_path, main=main))
    assert data["resources"]["db"]["type"] == "OS::Heat::None"
    (message,) = found(made, "BPC893")
    assert message.endswith("no imported document stands for it")


def test_a_topology_for_other_values_does_not_fit(tmp_path: Path) -> None:
    data, made = converted(written(tmp_path, main=MAIN.replace("kind: small", "kind: large")))
    assert data["resources"]["db"]["type"] == "OS::Heat::None"
    assert "its properties are not those of database.yaml" in found(made, "BPC893")[0]
    assert len(found(made, "BPC851")) == 1


def test_one_of_several_topologies_is_taken_by_its_values(tmp_path: Path) -> None:
    large = DATABASE.replace("kind: small", "kind: large")
    main = MAIN.replace("[database.yaml, ", "[database.yaml, other.yaml, ")
    data, _ = converted(written(tmp_path, main=main, other=large))
    assert data["resources"]["db"]["type"] == "database.yaml"
    data, made = converted(written(tmp_path, main=main, other=DATABASE))
    assert data["resources"]["db"]["type"] == "OS::Heat::None"
    assert "database.yaml, other.yaml can stand for it" in found(made, "BPC893")[0]


def test_what_the_topology_asks_for_is_asked_for_outside(tmp_path: Path) -> None:
    machine = "    vm: {type: tosca.nodes.Compute}\n  outputs:"
    data, made = converted(written(tmp_path, database=DATABASE.replace("  outputs:", machine)))
    assert "db_vm_flavor" in data["parameters"]
    assert data["resources"]["db"]["properties"]["vm_flavor"] == {"get_param": "db_vm_flavor"}
    assert not found(made, "BPC764")


def test_a_requirement_of_a_node_inside_is_reported(tmp_path: Path) -> None:
    main = MAIN.replace("      directives", "      requirements: [{disk: user}]\n      directives")
    main = main.replace("      requirements: [{dependency: db}]\n", "").replace(
        ", description: {get_attribute: [db, address]}", ""
    )
    inner = DATABASE.replace("    attributes:", "    requirements: {disk: [data, dependency]}\n    attributes:")
    data, made = converted(written(tmp_path, main=main, database=inner))
    assert data["resources"]["db"]["depends_on"] == "user"
    assert len(found(made, "BPC810")) == 1


@pytest.mark.parametrize("mapping", ["[gigabytes]", "{mapping: [gigabytes]}", "gigabytes"])
def test_the_forms_of_a_mapping_of_a_property(tmp_path: Path, mapping: str) -> None:
    data, _ = converted(written(tmp_path, database=DATABASE.replace("size: [gigabytes]", f"size: {mapping}")))
    assert data["resources"]["db"]["properties"] == {"label": "mine", "gigabytes": {"get_param": "room"}}


def test_a_topology_with_a_filter_stands_for_nothing(tmp_path: Path) -> None:
    """Which nodes fulfil a filter is for an orchestrator."""
    text = "    properties: {size"
    filtered = DATABASE.replace(text, f"    substitution_filter: {{properties: [{{kind: [equal: small]}}]}}\n{text}")
    assert filtered != DATABASE
    data, made = converted(written(tmp_path, database=filtered.replace("[equal: small]", "[{equal: small}]")))
    assert data["resources"]["db"]["type"] != "database.yaml"
    assert len(found(made, "BPC893")) == 1


def _flavours(flavour: str | None) -> tuple[list[str], str]:
    """The codes, and the type of the node, of a descriptor with two deployment flavours."""
    case = CORPUS / "tosca" / "deployment-flavours-of-a-descriptor"
    made = convert(case / "tosca.yaml", "tosca", "hot", carry=False, flavour=flavour)
    return [one.code for one in made.diagnostics], str(made.document["resources"]["VNF"]["type"])


@pytest.mark.parametrize(("flavour", "file"), [(None, "small.yaml"), ("small", "small.yaml"), ("large", "large.yaml")])
def test_the_flavour_that_is_named_or_the_default_is_converted(flavour: str | None, file: str) -> None:
    codes, type = _flavours(flavour)
    assert type == file
    assert "BPC950" in codes
    assert "BPC851" not in codes  # the other one is no part of this result, as BPC950 says


def test_a_flavour_that_is_not_there_is_reported() -> None:
    codes, type = _flavours("huge")
    assert type == "OS::Heat::None"
    assert "BPC893" in codes


@pytest.mark.parametrize("via", ["hot", "cloudify"])
def test_what_the_inner_document_asks_for_is_handed_on_there_and_back(via: str, tmp_path: Path) -> None:
    """Its machine needs a flavor and an image; what came back has inputs for them, whose values it is given."""
    machine = DATABASE.replace("    data: {", "    vm: {type: tosca.nodes.Compute}\n    data: {")
    trip = roundtrip(written(tmp_path, database=machine), via, carry=False)
    (tmp_path / "back").mkdir()
    for name, text in {**trip.back.files, "main.yaml": trip.back.text}.items():
        (tmp_path / "back" / name).write_text(text)
    assert "db_vm_flavor" in trip.back.text
    found = verify(tmp_path / "main.yaml", tmp_path / "back" / "main.yaml", draws=3)
    assert [one.what for one in found.differences] == []


# -- which topology it is -----------------------------------------------------------------------------------

BY_INPUT = MAIN.replace("kind: small", "kind: {get_input: k}").replace("inputs: {", "inputs: {k: {type: string%s}, ")
LARGE = DATABASE.replace("kind: small", "kind: large")


@pytest.mark.parametrize(("kind", "file"), [("small", "database.yaml"), ("large", "other.yaml")])
def test_the_default_of_an_input_decides_and_is_told(tmp_path: Path, kind: str, file: str) -> None:
    """With what else could be chosen."""
    main = (BY_INPUT % f", default: {kind}").replace("[database.yaml, ", "[database.yaml, other.yaml, ")
    data, made = converted(written(tmp_path, main=main, other=LARGE))
    assert data["resources"]["db"]["type"] == file
    assert [(one.path, one.message) for one in made.diagnostics if one.code == "BPC950"] == [
        (("node_templates", "db", "properties", "kind"), f"'db' is converted with kind {kind}, of: small, large")
    ]
    lost = [(one.path, one.message) for one in made.diagnostics if one.code == "BPC147"]
    why = f"'kind' of 'db' is not converted: '{file}' stands for nodes that have it"
    assert lost == [(("node_templates", "db", "properties", "kind"), why)]


@pytest.mark.parametrize("name", ["k", "gone"])
def test_an_input_without_a_default_decides_nothing(tmp_path: Path, name: str) -> None:
    main = (BY_INPUT % "").replace("{get_input: k}", f"{{get_input: {name}}}")
    data, made = converted(written(tmp_path, main=main))
    assert data["resources"]["db"]["type"] == "OS::Heat::None"
    assert not found(made, "BPC950")


@pytest.mark.parametrize(
    ("rest", "fits"), [("kind: small", True), ("kind: large", False), ("kind: small, label: 5", False)]
)
def test_all_values_of_the_mappings_have_to_be_there(tmp_path: Path, rest: str, fits: bool) -> None:
    main = MAIN.replace("kind: small", f"{rest.partition(',')[0]}, label: yours")
    database = DATABASE.replace("kind: small", f"kind: small, label: {'yours' if ',' not in rest else 'hers'}")
    data, _ = converted(written(tmp_path, main=main, database=database))
    assert (data["resources"]["db"]["type"] == "database.yaml") is fits


@pytest.mark.parametrize(("directive", "place"), [("      directives: [substitute]\n", "directives"), ("", "type")])
def test_that_nothing_fits_is_told_where_it_is_asked_for(tmp_path: Path, directive: str, place: str) -> None:
    main = MAIN.replace("      directives: [substitute]\n", directive).replace("kind: small", "kind: large")
    _, made = converted(written(tmp_path, main=main))
    why = "'db' of type example.Database is to be substituted, and its properties are not those of database.yaml"
    assert [(one.path, one.message) for one in made.diagnostics if one.code == "BPC893"] == [
        (("node_templates", "db", place), why)
    ]


def test_a_topology_for_another_type_stands_for_nothing(tmp_path: Path) -> None:
    other = DATABASE.replace("node_type: example.Database", "node_type: example.Cache")
    types = TYPES + "  example.Cache: {derived_from: tosca.nodes.Root}\n"
    _, made = converted(written(tmp_path, database=other, types=types))
    assert [message.endswith("and no imported document stands for it") for message in found(made, "BPC893")] == [True]
    assert len(found(made, "BPC851")) == 1


def test_a_topology_for_a_derived_type_stands_for_a_node(tmp_path: Path) -> None:
    other = DATABASE.replace("node_type: example.Database", "node_type: example.Larger")
    types = TYPES + "  example.Larger: {derived_from: example.Database}\n"
    data, _ = converted(written(tmp_path, database=other, types=types))
    assert data["resources"]["db"]["type"] == "database.yaml"


# -- what becomes of the node -------------------------------------------------------------------------------


def test_a_comment_at_a_property_is_at_the_input(tmp_path: Path) -> None:
    comment = MAIN.replace(
        "{size: {get_input: room}, kind: small}", "\n        # large\n        size: {get_input: room}"
    )
    text = convert(written(tmp_path, main=comment), "tosca", "hot", carry=False).text
    lines = [line.strip() for line in text.splitlines()]
    assert lines[lines.index("# large") + 1] == "gigabytes: {get_param: room}"


def test_operations_of_the_node_are_told(tmp_path: Path) -> None:
    main = MAIN.replace(
        "      properties: {size:", "      interfaces: {Standard: {create: a.sh}}\n      properties: {size:"
    )
    (tmp_path / "a.sh").write_text("#!/bin/sh\n")
    data, made = converted(written(tmp_path, main=main))
    assert data["resources"]["db"]["type"] == "database.yaml"
    assert not any(row["type"].startswith("OS::Heat::Software") for row in data["resources"].values())
    told = "'Standard.create' of 'db' has no counterpart in Heat: what it leads to is inside of 'database.yaml'"
    assert found(made, "BPC810") == [told]


@pytest.mark.parametrize(("orchestrator", "is_told"), [("tacker", True), (None, False)])
def test_tacker_finds_no_machines_inside(tmp_path: Path, orchestrator: str | None, is_told: bool) -> None:
    made = convert(written(tmp_path), "tosca", "hot", carry=False, orchestrator=orchestrator)
    places = [one.path for one in made.diagnostics if one.code == "BPC783"]
    assert places == [("node_templates", "db")] * is_told


@pytest.mark.parametrize(
    ("mapping", "value"),
    [("[data, tosca_id]", {"get_resource": "data"}), ("[data]", None), ("data", None)],
)
def test_a_mapped_attribute_is_an_output(tmp_path: Path, mapping: str, value: Any) -> None:
    database = DATABASE.replace("volume: [data, tosca_id]", f"volume: {mapping}")
    _, made = converted(written(tmp_path, database=database))
    outputs = yaml.safe_load(made.files["database.yaml"])["outputs"]
    assert outputs.get("volume") == (None if value is None else {"value": value})
    assert "address" in outputs


def test_an_output_counts_before_a_mapped_attribute_of_its_name(tmp_path: Path) -> None:
    database = DATABASE.replace("volume: [data, tosca_id]", "address: [data, tosca_id]")
    _, made = converted(written(tmp_path, database=database))
    outputs = yaml.safe_load(made.files["database.yaml"])["outputs"]
    assert outputs["address"]["value"] != {"get_resource": "data"}


def test_a_value_of_a_data_type_comes_whole(tmp_path: Path) -> None:
    """Inside, a part that is left out would be nothing to Heat, and refused by Cloudify."""
    fields = "{x: {type: integer, default: 5}, y: {type: string, required: false}}"
    types = TYPES.replace("label:", "more: {type: own.Data, default: {y: a}}, label:")
    types = types.replace("node_types:", f"data_types: {{own.Data: {{properties: {fields}}}}}\nnode_types:")
    database = DATABASE.replace("inputs: {", "inputs: {more: {type: own.Data}, ")
    main = MAIN.replace("kind: small}", "kind: small, more: {y: z}}")
    made = convert(written(tmp_path, main=main, types=types, database=database), "tosca", "hot", carry=False)
    assert made.document["resources"]["db"]["properties"]["more"] == {"y": "z", "x": 5}
