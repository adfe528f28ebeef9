"""The generated schemas: they are complete, and load one namespace at a time."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from checkout import SHARED

from bpconvert.translators.catalogue import schemas
from bpconvert.translators.catalogue.types import builtin

REFERENCE = SHARED / "reference" / "heat_types.json"


def test_every_type_has_a_schema() -> None:
    names = schemas.heat_types()
    assert len(names) > 190
    for name in names:
        known = schemas.heat_type(name)
        assert known is not None
        assert {"properties", "attributes"} <= known.keys()


def test_every_mapped_type_has_a_schema_or_is_another_ones_name() -> None:
    for name in builtin().types("hot"):
        assert schemas.heat_type(name) is not None or schemas.alias(name) is not None, name


def rows(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield schema
    for inner in (*schema.get("keys", {}).values(), *([schema["items"]] if "items" in schema else ())):
        yield from rows(inner)


def test_schemas_have_known_types_and_constraints() -> None:
    kinds = {"string", "integer", "number", "boolean", "map", "list", "any"}
    rules = {"range", "length", "allowed_values", "allowed_pattern", "modulo", "custom_constraint"}
    for name in schemas.heat_types():
        for schema in (schemas.heat_type(name) or {})["properties"].values():
            for row in rows(schema):
                assert row["type"] in kinds
                assert all(rule.keys() <= rules for rule in row.get("constraints", ()))


def test_required_properties() -> None:
    assert schemas.required("OS::Nova::Server") == ("flavor",)
    assert schemas.required("OS::Cinder::VolumeAttachment") == ("instance_uuid", "volume_id")
    assert schemas.required("Acme::Unknown") == ()


@pytest.mark.parametrize(
    "name", ["", "::", "a", "../../etc/passwd::a", "index::types", "OS::No\0va::Server", "os::nova::server"]
)
def test_any_text_may_be_the_name_of_a_type(name: str) -> None:
    assert schemas.heat_type(name) is None


def test_aliases() -> None:
    assert schemas.alias("OS::Quantum::Port") == "OS::Neutron::Port"
    assert schemas.heat_type("OS::Quantum::Port") == schemas.heat_type("OS::Neutron::Port")


def test_node_types_have_known_parents_and_data_types() -> None:
    libraries = {name: schemas.library(name) for name in ("core", "openstack", "compat", "openstack_2", "utilities")}
    known = {name for library in libraries.values() for name in library["node_types"]}
    for library in libraries.values():
        for row in library["node_types"].values():
            assert row.get("derived_from", "cloudify.nodes.Root") in known


def test_openstacksdk_sends_what_it_knows() -> None:
    names = schemas.sdk_names("cloudify.nodes.openstack.Network")
    assert names is not None
    assert {"mtu", "router:external", "is_router_external"} <= set(names)
    assert schemas.sdk_names("cloudify.nodes.openstack.Image") is None


@pytest.mark.skipif(not REFERENCE.exists(), reason="../shared/reference is not beside this checkout")
def test_the_reference_says_the_same() -> None:
    reference = json.loads(REFERENCE.read_text(encoding="utf-8"))["types"]
    for name in schemas.heat_types():
        known = schemas.heat_type(name) or {}
        assert reference[name]["properties"].keys() == known["properties"].keys()
        for key, row in known["properties"].items():
            other = reference[name]["properties"][key]
            assert (row["type"], row.get("required", False)) == (other["type"], other.get("required", False))
