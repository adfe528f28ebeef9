"""``check`` of service templates: what engines refuse, at its place; what some engine takes is no error."""

from __future__ import annotations

import json
from typing import Any

import pytest
from checkout import REALWORLD

from bpconvert import convert
from bpconvert.checking import check
from bpconvert.diagnostics import Diagnostic, Severity, SourceError

HEAD = "tosca_definitions_version: tosca_simple_yaml_1_3\n"


def found(text: str) -> list[Diagnostic]:
    return check((HEAD + text).encode())


def nodes(*rows: str, more: str = "") -> str:
    return f"{more}topology_template:\n  node_templates:\n" + "".join(f"    {row}\n" for row in rows)


TYPES = """\
data_types:
  my.Port: {derived_from: integer, constraints: [{in_range: [1, 10]}]}
  my.Data: {derived_from: tosca.datatypes.Root, properties: {a: {type: string}, n: {type: my.Port, required: false}}}
node_types:
  my.Node:
    derived_from: tosca.nodes.Root
    properties:
      count: {type: integer, default: 1, constraints: [{less_or_equal: 5}]}
      size: {type: scalar-unit.size, required: false}
      data: {type: my.Data, required: false}
      all: {type: list, required: false, entry_schema: {type: my.Data}}
      word: {type: string, required: false, constraints: [{pattern: 'a+'}, {max_length: 3}]}
      needed: {type: boolean}
    requirements: [{base: {capability: tosca.capabilities.Node, occurrences: [1, 1]}}]
    interfaces: {Extra: {type: my.Interface}}
interface_types:
  my.Interface: {derived_from: tosca.interfaces.Root, operations: {run: {}}}
policy_types:
  my.Policy: {derived_from: tosca.policies.Root, properties: {level: {type: integer}}}
"""


def of_node(keys: str) -> list[tuple[str, tuple[Any, ...]]]:
    text = nodes(
        f"n: {{type: my.Node, requirements: [{{base: o}}], {keys}}}", "o: {type: tosca.nodes.Compute}", more=TYPES
    )
    return [(one.code, one.path[2:]) for one in found(text)]


@pytest.mark.parametrize(
    ("properties", "code", "place"),
    [
        ("needed: true, countt: 1", "BPC170", ("countt",)),
        ("count: 2", "BPC173", ()),
        ("needed: true, count: many", "BPC171", ("count",)),
        ("needed: true, count: 6", "BPC172", ("count",)),
        ("needed: maybe", "BPC171", ("needed",)),
        ("needed: true, size: 4096", "BPC171", ("size",)),
        ("needed: true, data: {a: x, n: 11}", "BPC172", ("data", "n")),
        ("needed: true, data: {n: 1}", "BPC173", ("data",)),
        ("needed: true, data: {a: x, b: y}", "BPC170", ("data", "b")),
        ("needed: true, data: text", "BPC171", ("data",)),
        ("needed: true, all: [{a: x}, {}]", "BPC173", ("all", 1)),
        ("needed: true, all: {a: x}", "BPC171", ("all",)),
        ("needed: true, word: aab", "BPC172", ("word",)),
        ("needed: true, word: aaaa", "BPC172", ("word",)),
        ("needed: true, word: {get_input: missing}", "BPC178", ("word",)),
        ("needed: true, word: {get_property: [nobody, x]}", "BPC178", ("word",)),
        ("needed: true, word: {get_property: [o, x]}", "BPC178", ("word",)),
        ("needed: true, word: {get_attribute: [nobody, x]}", "BPC178", ("word",)),
        ("needed: true, word: {concat: x}", "BPC220", ("word",)),
    ],
)
def test_wrong_properties(properties: str, code: str, place: tuple[Any, ...]) -> None:
    assert of_node(f"properties: {{{properties}}}") == [(code, ("properties", *place))]


@pytest.mark.parametrize(
    "properties",
    [
        "needed: true",
        "needed: 'true', count: '5', size: 4 GB, data: {a: 1}, all: [], word: aa",
        "needed: {get_property: [SELF, count]}, size: 1.5GiB, count: null",
        "needed: {get_attribute: [o, private_address]}, word: {get_property: [SELF, base, x]}",
    ],
)
def test_right_properties(properties: str) -> None:
    assert of_node(f"properties: {{{properties}}}") == []


@pytest.mark.parametrize(
    ("keys", "code", "place"),
    [
        ("capabilities: {nothing: {properties: {a: 1}}}", "BPC178", ("capabilities", "nothing")),
        ("interfaces: {Standard: {operations: {restart: a.sh}}}", "BPC178",
         ("interfaces", "Standard", "operations", "restart")),
        ("interfaces: {Extra: {walk: a.sh}}", "BPC178", ("interfaces", "Extra", "walk")),
        ("more: 1", "BPC120", ("more",)),
    ],
)  # fmt: skip
def test_wrong_keys_of_nodes(keys: str, code: str, place: tuple[Any, ...]) -> None:
    assert (code, place) in of_node(f"properties: {{needed: true}}, {keys}")


@pytest.mark.parametrize(
    "keys", ["interfaces: {Standard: {operations: {create: a.sh}}}", "interfaces: {Extra: {run: a.sh}, Own: {x: y}}"]
)
def test_right_operations(keys: str) -> None:
    assert of_node(f"properties: {{needed: true}}, {keys}") == []


def test_unknown_types_are_errors_only_where_all_imports_are_known() -> None:
    text = nodes("n: {type: my.Unknown}")
    assert [(one.code, one.path) for one in found(text)] == [("BPC856", ("node_templates", "n", "type"))]
    codes = {one.code for one in found("imports: ['https://example.com/types.yaml']\n" + text)}
    assert codes == {"BPC852"}


def test_requirements() -> None:
    text = nodes(
        "app: {type: tosca.nodes.SoftwareComponent}", "s: {type: tosca.nodes.Compute, requirements: [{other: nobody}]}"
    )
    assert {(one.code, str(one.severity)) for one in found(text)} == {
        ("BPC857", "warning"), ("BPC858", "warning"), ("BPC178", "error"),
    }  # fmt: skip


def test_members_targets_and_policies() -> None:
    text = TYPES + (
        "topology_template:\n"
        "  groups: {g: {type: tosca.groups.Root, members: [nobody]}}\n"
        "  policies:\n"
        "    - p: {type: my.Policy, targets: [g, nobody]}\n"
        "    - q: {type: my.Missing, targets: []}\n"
    )
    assert [(one.code, one.path) for one in found(text)] == [
        ("BPC178", ("groups", "g", "members", 0)),
        ("BPC173", ("policies", 0, "p", "properties")),
        ("BPC178", ("policies", 0, "p", "targets", 1)),
        ("BPC856", ("policies", 1, "q", "type")),
    ]


def test_inputs_and_outputs() -> None:
    text = (
        "topology_template:\n  inputs:\n    a: {type: integer, default: many}\n    b: {type: string}\n"
        "  outputs: {o: {value: {get_input: c}}, p: {value: {get_input: b}}}\n"
    )
    assert [(one.code, one.path) for one in found(text)] == [
        ("BPC181", ("inputs", "a")),
        ("BPC171", ("inputs", "a", "default")),
        ("BPC178", ("outputs", "o", "value")),
    ]


@pytest.mark.parametrize(
    ("relationship", "place"),
    [
        ("joint", None),
        ("tosca.relationships.AttachesTo", None),
        ("{type: AttachesTo}", None),
        ("joinnt", ()),
        ("{type: my.Joint}", ("type",)),
    ],
)
def test_a_relationship_is_a_template_or_a_type(relationship: str, place: tuple[str, ...] | None) -> None:
    """The conversion reports it as well: what the template gives would be lost."""
    text = nodes(
        "disk: {type: tosca.nodes.Storage.BlockStorage, properties: {size: 1 GB}}",
        "vm: {type: tosca.nodes.Compute, requirements: "
        f"[{{local_storage: {{node: disk, relationship: {relationship}}}}}]}}",
    )
    text += "  relationship_templates: {joint: {type: tosca.relationships.AttachesTo, properties: {location: /data}}}\n"
    way = ("node_templates", "vm", "requirements", 0, "local_storage", "relationship")
    expected = [] if place is None else [("BPC856", (*way, *place))]
    assert [(one.code, one.path) for one in found(text)] == expected
    made = convert((HEAD + text).encode(), "tosca", "hot").diagnostics
    assert [(one.code, one.path) for one in made if one.severity == Severity.ERROR] == expected


@pytest.mark.skipif(not (REALWORLD / "tosca").is_dir(), reason="real documents are not here")
def test_no_false_alarm_on_real_documents() -> None:
    root = REALWORLD / "tosca"
    rows = json.loads((root / "manifest.json").read_text())["files"]
    accepted = [
        row for row in rows if any(row.get("accepted", {}).get(one) for one in ("tosca-parser", "opera", "puccini"))
    ]
    wrong = {}
    for row in accepted:
        try:
            errors = [one for one in check(root / row["path"], allow_outside=True) if one.severity == Severity.ERROR]
        except SourceError as error:
            errors = [error.diagnostic]
        if errors:
            wrong[row["path"]] = [str(one) for one in errors]
    assert accepted
    assert not wrong


@pytest.mark.parametrize("policies", ["[a, 1]", "{a: b}", "[[a]]", "a"])
def test_policies_that_are_no_maps_are_refused_where_a_property_may_be_of_one(policies: str) -> None:
    text = nodes("app: {type: tosca.nodes.SoftwareComponent}", more="") + f"  policies: {policies}\n"
    text += "  outputs: {o: {value: {get_property: [bounds, lower]}}}\n"
    codes = {item.code for item in found(text)}
    assert codes & {"BPC120", "BPC101", "BPC150", "BPC173", "BPC856", "BPC178"}


LISTS = """\
data_types:
  bpconvert.datatypes.List: {derived_from: tosca.datatypes.Root}
  my.List: {derived_from: bpconvert.datatypes.List, properties: {'0': {type: string}, '1': {type: my.Inner}}}
  my.Inner: {derived_from: bpconvert.datatypes.List, properties: {'0': {type: integer}}}
node_types:
  my.Node: {derived_from: tosca.nodes.Root, properties: {steps: {type: my.List, required: false}}}
"""


@pytest.mark.parametrize(
    ("value", "place"), [("{'0': a, '1': {'0': 3}}", None), ("{'0': a, '1': {'0': word}}", ("1", "0"))]
)
def test_a_list_by_position_is_checked_entry_by_entry(value: str, place: tuple[str, ...] | None) -> None:
    errors = found(nodes(f"n: {{type: my.Node, properties: {{steps: {value}}}}}", more=LISTS))
    start = ("node_templates", "n", "properties", "steps")
    assert [(one.code, one.path) for one in errors if one.severity == Severity.ERROR] == (
        [("BPC171", (*start, *place))] if place else []
    )
