"""What other translators of TOSCA do wrong comes out right here."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from bpconvert.api import convert


def converted(text: str) -> dict[str, Any]:
    """The template that a topology becomes."""
    head = "tosca_definitions_version: tosca_simple_yaml_1_3\ntopology_template:\n"
    data: dict[str, Any] = yaml.safe_load(convert(head + text, "tosca", "hot", carry=False).text)
    return data


@pytest.mark.parametrize(
    ("type", "default"), [("boolean", False), ("integer", 0), ("string", ""), ("string", "0123"), ("string", "it's me")]
)
def test_defaults_are_kept_as_they_are(type: str, default: Any) -> None:
    written = yaml.safe_dump(default).strip().removesuffix("...")
    data = converted(
        f"  inputs: {{i: {{type: {type}, default: {written}}}}}\n  outputs: {{o: {{value: {{get_input: i}}}}}}\n"
    )
    assert data["parameters"]["i"]["default"] == default


@pytest.mark.parametrize(("type", "default"), [("list", ["a", "b"]), ("map", {"a": "b"})])
def test_lists_and_maps_are_structures(type: str, default: Any) -> None:
    data = converted(
        f"  inputs: {{i: {{type: {type}, default: {default}}}}}\n  outputs: {{o: {{value: {{get_input: i}}}}}}\n"
    )
    assert data["parameters"]["i"]["type"] == "json"


def test_an_input_in_a_relationship_template() -> None:
    data = converted("""
  inputs: {d: {type: string}}
  relationship_templates:
    attached: {type: tosca.relationships.AttachesTo, properties: {device: {get_input: d}, location: /data}}
  node_templates:
    vm: {type: Compute, requirements: [{local_storage: {node: v, relationship: attached}}]}
    v: {type: BlockStorage, properties: {size: 1 GB}}
""")
    assert data["resources"]["attached"]["properties"]["mountpoint"] == {"get_param": "d"}


def test_the_address_of_what_runs_on_a_machine() -> None:
    data = converted("""
  node_templates:
    vm: {type: Compute}
    dbms: {type: tosca.nodes.DBMS, requirements: [{host: vm}]}
  outputs:
    o: {value: {get_attribute: [dbms, private_address]}}
""")
    assert data["outputs"]["o"]["value"] == {"get_attr": ["vm", "first_address"]}


def test_nothing_is_guessed() -> None:
    data = converted("  node_templates: {vm: {type: Compute, capabilities: {os: {properties: {version: 6.5}}}}}\n")
    assert data["parameters"]["vm_image"]["description"] == "image of vm: version 6.5"
    assert set(data["resources"]["vm"]["properties"]) == {"flavor", "image"}
