"""Attributes that outputs of operations are the values of: which operation has set what another one reads."""

from __future__ import annotations

from typing import Any

import pytest

from bpconvert import Result, convert

TEXT = """\
tosca_definitions_version: tosca_simple_yaml_1_3
node_types:
  own.App:
    derived_from: tosca.nodes.SoftwareComponent
    attributes: {key: {type: string, default: old}, deep: {type: map}}
relationship_types:
  own.Link:
    derived_from: tosca.relationships.ConnectsTo
    attributes: {mood: {type: string, default: calm}}
topology_template:
  node_templates:
    vm: {type: tosca.nodes.Compute}
    bare: {type: tosca.nodes.Compute, attributes: {private_address: 192.0.2.1}}
    app:
      type: own.App
      requirements: [{host: vm}%s]
      interfaces: {Standard: {%s}}
"""


BOTH = "%s: {implementation: a.sh, inputs: {x: {get_attribute: [SELF, key]}}, outputs: {out: [SELF, key]}}"


def made(operations: str, more: str = "", links: str = "") -> Result:
    return convert(TEXT % (links, operations) + more, "tosca", "hot", carry=False)


def read(result: Result, deployment: str) -> Any:
    """What the input 'x' of a deployment is."""
    return result.document["resources"][f"{deployment}_deploy"]["properties"]["input_values"]["x"]


def values(result: Result) -> dict[str, Any]:
    """What the input 'x' of each deployment is that has one."""
    rows = {name: row["properties"].get("input_values", {}) for name, row in result.document["resources"].items()
            if name.endswith("_deploy")}  # fmt: skip
    return {name: row["x"] for name, row in rows.items() if "x" in row}


def sets(name: str, target: str = "SELF, key") -> str:
    return f"{name}: {{implementation: {name}.sh, outputs: {{out: [{target}]}}}}"


def reads(name: str, path: str = "SELF, key") -> str:
    return f"{name}: {{implementation: {name}.sh, inputs: {{x: {{get_attribute: [{path}]}}}}}}"


def of(deployment: str, *steps: Any) -> dict[str, Any]:
    return {"get_attr": [f"{deployment}_deploy", "out", *steps]}


@pytest.mark.parametrize(
    ("operations", "wanted"),
    [
        (f"{sets('create')}, {reads('configure')}", of("app_create")),
        (f"{sets('create')}, {sets('configure')}, {reads('start')}", of("app_configure")),
        (f"{sets('create')}, {reads('configure')}, {sets('start')}", of("app_create")),
        (f"{reads('create')}, {sets('configure')}", "old"),
        (BOTH % "create", "old"),
    ],
)
def test_an_operation_reads_what_the_one_before_has_set(operations: str, wanted: Any) -> None:
    result = made(operations)
    assert list(values(result).values()) == [wanted]
    assert not [one for one in result.diagnostics if one.code == "BPC983"]


@pytest.mark.parametrize(
    ("target", "path", "steps"),
    [
        ("SELF, key", "SELF, key", []),
        ("SELF, deep, a", "SELF, deep, a", []),
        ("SELF, deep, a", "SELF, deep, a, b, 0", ["b", 0]),
        ("SELF, deep", "SELF, deep, a", ["a"]),
        ("app, key", "app, key", []),
    ],
)
def test_steps_into_what_was_set(target: str, path: str, steps: list[Any]) -> None:
    result = made(f"{sets('create', target)}, {reads('configure', path)}")
    assert read(result, "app_configure") == of("app_create", *steps)


def test_what_is_set_is_an_output_of_the_program_once() -> None:
    result = made(f"{sets('create')}, {reads('configure')}, {reads('start')}")
    assert result.document["resources"]["app_create_config"]["properties"]["outputs"] == [{"name": "out"}]


def test_others_read_what_was_set_last() -> None:
    other = f"""\
    other:
      type: own.App
      requirements: [{{host: vm}}, {{dependency: app}}]
      interfaces: {{Standard: {{{reads("create", "app, key")}}}}}
  outputs: {{shown: {{value: {{get_attribute: [app, key]}}}}}}
"""
    result = made(f"{sets('create')}, {sets('start')}", other)
    assert read(result, "other_create") == of("app_start")
    assert result.document["outputs"]["shown"]["value"] == of("app_start")


def test_what_a_machine_that_exists_runs_sets_its_attributes_too() -> None:
    other = "    other: {type: own.App, requirements: [{host: bare}], interfaces: {Standard: {%s, %s}}}\n"
    result = made(sets("create"), other % (sets("create"), reads("configure")))
    assert read(result, "other_configure") == of("other_create")


def test_what_nothing_runs_sets_nothing() -> None:
    """The attribute keeps its default."""
    other = f"    other: {{type: own.App, interfaces: {{Standard: {{{sets('delete')}}}}}}}\n"
    result = made(reads("create", "other, key"), other)
    assert read(result, "app_create") == "old"


# -- relationships --------------------------------------------------------------------------------------------

PEER = "    peer: {type: own.App, requirements: [{host: bare}]}\n"


def link(*operations: str) -> str:
    """A requirement whose relationship has these operations."""
    relationship = f"{{type: own.Link, interfaces: {{Configure: {{{', '.join(operations)}}}}}}}"
    return f", {{link: {{node: peer, relationship: {relationship}}}}}"


def test_a_relationship_has_attributes_of_its_own() -> None:
    operations = (sets("pre_configure_source", "SELF, mood"), reads("post_configure_source", "SELF, mood"))
    found = values(made(sets("create"), PEER, link(*operations)))
    assert found == {"app_peer_post_configure_source_deploy": of("app_peer_connect")}


INSTANCES = """\
tosca_definitions_version: tosca_2_0
node_types:
  own.App: {derived_from: tosca.nodes.SoftwareComponent}
relationship_types:
  own.Link: {derived_from: tosca.relationships.ConnectsTo}
service_template:
  node_templates:
    vm: {type: tosca.nodes.Compute, count: 2}
    peer: {type: own.App, requirements: [{host: [vm, 0]}]}
    app:
      type: own.App
      count: 2
      requirements:
        - host: [vm, $node_index]
        - link:
            node: peer
            relationship:
              type: own.Link
              interfaces:
                Configure:
                  operations:
                    pre_configure_source: {implementation: a.sh, outputs: {out: [SELF, mood]}}
                    post_configure_source: {implementation: b.sh, inputs: {x: {$get_attribute: [SELF, mood]}}}
"""


def test_each_instance_of_a_node_has_a_relationship_of_its_own() -> None:
    assert values(convert(INSTANCES, "tosca", "hot", carry=False)) == {
        f"app_{index}_peer_post_configure_source_deploy": of(f"app_{index}_peer_connect") for index in range(2)
    }


def test_an_attribute_of_a_relationship_that_nothing_sets_has_its_default() -> None:
    (value,) = values(made(sets("create"), PEER, link(reads("pre_configure_source", "SELF, mood")))).values()
    assert value == "calm"
    (value,) = values(made(sets("create"), PEER, link(reads("pre_configure_source", "SELF, tosca_name")))).values()
    assert value == "app"


def test_an_operation_of_a_relationship_reads_what_its_source_has_set() -> None:
    result = made(f"{sets('create')}, {sets('start')}", PEER, link(reads("pre_configure_source", "SOURCE, key")))
    assert list(values(result).values()) == [of("app_create")]


@pytest.mark.parametrize(("number", "reported"), [(1, 0), (2, 1)])
def test_operations_that_set_the_same_at_one_step_are_reported(number: int, reported: int) -> None:
    operation = (BOTH % "pre_configure_source").replace("SELF", "SOURCE")
    result = made(sets("create"), PEER, link(operation) * number)
    found = {one.message for one in result.diagnostics if one.code == "BPC983"}
    assert len(found) == reported
    assert all(text.startswith("several operations of 'app' read 'key' and set it") for text in found)
    assert set(map(str, values(result).values())) == {str(of("app_create"))}


# -- all instances --------------------------------------------------------------------------------------------


def test_an_attribute_of_all_instances_that_nobody_knows_is_shown() -> None:
    text = """\
tosca_definitions_version: tosca_2_0
service_template:
  node_templates:
    disk: {type: tosca.nodes.Storage.BlockStorage, count: 2, properties: {size: 1 GB, snapshot_id: s}}
  outputs: {shown: {value: {$get_attribute: [disk, ALL, %s]}}}
"""
    known = convert(text % "tosca_id", "tosca", "hot", carry=False)
    assert known.document["outputs"]["shown"]["value"] == {"get_attr": ["disk", "refs"]}
    lost = convert(text % "none", "tosca", "hot", carry=False)
    (found,) = [one for one in lost.diagnostics if one.path == ("outputs", "shown", "value")]
    assert found.code == "BPC232"


OWN = """\
tosca_definitions_version: tosca_simple_yaml_1_3
node_types:
  own.App:
    derived_from: tosca.nodes.SoftwareComponent
    attributes: {deep: {type: map, entry_schema: {type: string}, default: {k: old, other: o}}}
  own.Machine:
    derived_from: tosca.nodes.Compute
    attributes: {seen: {type: string, default: none}}
topology_template:
  node_templates:
    vm: {type: own.Machine}
    app:
      type: own.App
      requirements: [{host: vm}]
      interfaces:
        Standard: {operations: {create: {implementation: a.sh, outputs: {one: [SELF, deep, k], two: [HOST, seen]}}}}
  outputs: {o: {value: {get_attribute: [%s]}}}
"""


@pytest.mark.parametrize(
    ("call", "value"),
    [
        ("app, deep", {"k": {"get_attr": ["app_create_deploy", "one"]}, "other": "o"}),
        ("app, deep, k", {"get_attr": ["app_create_deploy", "one"]}),
        ("app, deep, other", "o"),
        ("vm, seen", {"get_attr": ["app_create_deploy", "two"]}),
    ],
)
def test_parts_and_attributes_of_the_host_that_are_set(call: str, value: Any) -> None:
    result = convert(OWN % call, "tosca", "hot", carry=False, beside={"a.sh": "#!/bin/sh\n"})
    assert result.document["outputs"]["o"]["value"] == value
