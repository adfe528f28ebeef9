"""The profile: the same definitions as in results without it, and read as what it stands for."""

from __future__ import annotations

import copy
from pathlib import Path

import pytest
import yaml
from corpus_cases import TOSCA, Case, cases_of_tosca

from bpconvert import UsageError
from bpconvert.api import convert
from bpconvert.checking import check
from bpconvert.translators.catalogue.schemas import heat_types
from bpconvert.translators.tosca.profile import NAME, attribute_definition, definitions, is_profile, misfit, text
from bpconvert.translators.tosca.vocabulary import heat_name

CASES = [case for case in cases_of_tosca() if case.result == TOSCA and not case.is_mistake]
HOT = "heat_template_version: 2018-08-31\nresources:\n  net: {type: OS::Neutron::Net, properties: {name: x}}\n"


def test_it_has_every_resource_type() -> None:
    assert {heat_name(type) for type in definitions()} == set(heat_types())
    assert yaml.safe_load(text())["node_types"] == definitions()


SHOW = {"type": "map", "entry_schema": {"type": "map"}}


def optional(**types: str) -> dict[str, dict[str, object]]:
    """Definitions of properties: none is required, as a template may leave any out."""
    return {name: {"type": type, "required": False} for name, type in types.items()}


def test_a_type_is_defined_as_heat_defines_the_resource() -> None:
    types = yaml.safe_load(text())["node_types"]
    assert types["openstack.nova.KeyPair"] == {
        "derived_from": "tosca.nodes.Root",
        "metadata": {"heat_name": "OS::Nova::KeyPair"},
        "properties": optional(
            name="string", public_key="string", save_private_key="boolean", type="string", user="string"
        ),
        "attributes": {"private_key": {"type": "string"}, "public_key": {"type": "string"}, "show": SHOW},
    }
    assert types["openstack.nova.ServerGroup"]["properties"] == optional(name="string", policies="list", rules="map")
    assert types["aws.autoscaling.ScalingPolicy"]["properties"] == optional(
        AdjustmentType="string", AutoScalingGroupName="string", Cooldown="integer",
        MinAdjustmentStep="integer", ScalingAdjustment="integer",
    )  # fmt: skip
    assert types["openstack.octavia.L7Policy"]["properties"]["position"]["type"] == "integer"  # a number of Heat's
    assert types["openstack.octavia.Quota"]["properties"]["pool"] == {"type": "integer", "required": False}
    assert types["openstack.trove.Cluster"]["attributes"] == {"instances": SHOW, "ip": SHOW, "show": SHOW}
    assert "properties" not in types["openstack.senlin.Cluster"]
    assert list(types) == sorted(types)


def test_a_type_does_not_define_again_what_it_inherits() -> None:
    """tosca-parser refuses an attribute that is another one in the type derived from."""
    server, net = definitions()["openstack.nova.Server"], definitions()["openstack.neutron.ProviderNet"]
    assert server["derived_from"] == "tosca.nodes.Compute"
    assert net["derived_from"] == "tosca.nodes.network.Network"
    assert "segmentation_id" in net["properties"]
    assert "segmentation_id" not in net["attributes"]
    assert "segmentation_id" in definitions()["openstack.neutron.Segment"]["properties"]


def test_the_file_begins_as_a_service_template() -> None:
    assert NAME == "openstack-types.yaml"
    head = {key: part for key, part in yaml.safe_load(text()).items() if key != "node_types"}
    assert head["tosca_definitions_version"] == "tosca_simple_yaml_1_3"
    assert head["description"].startswith("The resource types of OpenStack Heat as node types")
    for name in (NAME, f"../lib/{NAME}"):
        assert is_profile(name)
    for name in (f"my-{NAME}", f"{NAME}/x.yaml", None, 5):
        assert not is_profile(name)


@pytest.mark.parametrize(
    ("definition", "name"),
    [
        ({"properties": optional(name="string", type="string")}, None),
        ({"attributes": {"public_key": {"type": "string"}, "show": SHOW}}, None),
        ({"attributes": {"show": {"type": "string"}}}, None),  # a path may lead into it, and need not
        ({"properties": optional(name="string", user="map")}, "user"),
        ({"properties": optional(mine="string")}, "mine"),
        ({"attributes": {"public_key": SHOW}}, "public_key"),
        ({"properties": optional(name="string"), "attributes": {"mine": {"type": "string"}}}, "mine"),
    ],
)
def test_a_type_that_a_template_needs_otherwise_is_defined_there(
    definition: dict[str, object], name: str | None
) -> None:
    assert misfit("openstack.nova.KeyPair", definition) == name


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_result_imports_what_it_would_define(case: Case) -> None:
    options = case.options._replace(carry=False)
    inline, imported = (
        convert(case.source, case.dialect, "tosca", options=options._replace(profile=profile))
        for profile in (False, True)
    )
    if NAME not in imported.files:
        assert imported.text == inline.text
        return
    mine, own = inline.document["node_types"], imported.document.get("node_types", {})
    assert imported.files[NAME] == text(imported.document["tosca_definitions_version"])
    assert imported.files.keys() == {*inline.files, NAME}
    assert all(imported.files[name] == made for name, made in inline.files.items() if name not in inline.nested)
    for type, definition in mine.items():
        if type in own:
            assert definition == own[type]
            continue
        known = definitions()[type]
        assert definition["derived_from"] == known["derived_from"]
        assert definition["metadata"] == known["metadata"]
        for name, one in definition.get("properties", {}).items():  # the profile has no schemas of entries
            plain = "map" if one["type"] in inline.document.get("data_types", {}) else one["type"]
            assert known["properties"][name] == {"type": plain, "required": False}
        for name, one in definition.get("attributes", {}).items():
            assert known["attributes"][name] in (one, attribute_definition(True)), one
    types = ("imports", "node_types", "data_types")
    assert {key: part for key, part in imported.document.items() if key not in types} == {
        key: part for key, part in inline.document.items() if key not in types
    }
    left, every = imported.document.get("data_types", {}), inline.document.get("data_types", {})
    assert {name: every[name] for name in left} == left


def test_it_is_read_from_the_names_where_it_is_not_there(tmp_path: Path) -> None:
    made = convert(HOT, "hot", "tosca", carry=False, profile=True).text
    before = copy.deepcopy(definitions())
    there = convert(made, "tosca", "hot", carry=False, beside={NAME: text()})
    missing = convert(made, "tosca", "hot", carry=False)
    assert there.text == missing.text
    assert [one.code for one in there.diagnostics] == []
    assert [one.code for one in missing.diagnostics] == ["BPC882"]
    assert definitions() == before
    (tmp_path / NAME).write_text(text(), "utf-8")
    (tmp_path / "app.yaml").write_text(made, "utf-8")
    assert check(tmp_path / "app.yaml") == []


def test_a_result_does_not_keep_it() -> None:
    made = convert(HOT, "hot", "tosca", carry=False, profile=True).text
    kept = convert(made, "tosca", "hot", beside={NAME: text()}).text
    assert len(kept) < 2000
    back = convert(kept, "hot", "tosca")
    assert back.text == made


def test_an_edited_one_is_read_as_any_import() -> None:
    made = convert(HOT, "hot", "tosca", carry=False, profile=True).text
    edited = text().replace("{heat_name: 'OS::Neutron::Net'}", "{heat_name: 'OS::Neutron::Net', a: b}")
    assert edited != text()
    found = convert(made, "tosca", "hot", beside={NAME: edited})
    assert [one.code for one in found.diagnostics] == ["BPC140"]
    assert "a: b" in found.text
    assert convert(found.text, "hot", "tosca").text == made


def test_a_result_is_not_written_in_its_place(tmp_path: Path) -> None:
    result = convert(HOT, "hot", "tosca", profile=True)
    with pytest.raises(UsageError, match="has the name of the result"):
        result.write(tmp_path / NAME)
    assert list(tmp_path.iterdir()) == []


def test_the_second_version_has_the_same_types_in_its_words() -> None:
    first, second = (yaml.safe_load(text(*version)) for version in ((), ("tosca_2_0",)))
    heads = [{key: part for key, part in data.items() if key != "node_types"} for data in (first, second)]
    what = "The resource types of OpenStack Heat as node types, with their properties and attributes."
    assert heads == [
        {"tosca_definitions_version": "tosca_simple_yaml_1_3", "description": what},
        {"tosca_definitions_version": "tosca_2_0", "description": what, "imports": [{"url": "tosca-types.yaml"}]},
    ]
    ranges = [
        [row for type in data["node_types"].values() for one in type.get("requirements", ()) for row in one.values()]
        for data in (first, second)
    ]
    assert ranges[0]
    assert [{**row, "count_range": row["occurrences"]} for row in ranges[0] if "occurrences" in row] == [
        {**row, "occurrences": row["count_range"]} for row in ranges[1] if "count_range" in row
    ]
    assert not any("occurrences" in row for row in ranges[1])
    assert first["node_types"] == definitions()  # what both are made of stays as it is


@pytest.mark.parametrize(
    ("name", "type", "fits"),
    [
        ("name", "string", True),
        ("name", "integer", False),
        ("save_private_key", "boolean", True),
        ("save_private_key", "float", False),
    ],
)
def test_a_property_is_of_the_type_of_the_profile(name: str, type: str, fits: bool) -> None:
    assert (misfit("openstack.nova.KeyPair", {"properties": {name: {"type": type}}}) is None) is fits


@pytest.mark.parametrize("type", ["map", "list", "openstack.nova.Server.metadata"])
def test_a_data_type_fits_a_map_and_nothing_else(type: str) -> None:
    """A document writes a data type where all values have the same keys; the profile has a map there."""
    for name, kind in (("metadata", "map"), ("tags", "list")):
        fits = (type if type in ("map", "list") else "map") == kind
        assert (misfit("openstack.nova.Server", {"properties": {name: {"type": type}}}) is None) is fits
