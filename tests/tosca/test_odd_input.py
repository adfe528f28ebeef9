"""Service templates with anything in any place: each converts, or is refused in words."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any, Final

import pytest
import yaml

from bpconvert import convert
from bpconvert.checking import check
from bpconvert.diagnostics import SourceError
from bpconvert.translators.tosca.coded import decoded

DOCUMENT: Final = """\
tosca_definitions_version: tosca_simple_yaml_1_3
imports: [{file: nowhere.yaml, namespace_prefix: p}]
repositories: {r: {url: 'https://example.com'}}
dsl_definitions: {d: {a: 1}}
metadata: {m: text}
data_types:
  my.D: {derived_from: tosca.datatypes.Root, properties: {a: {type: string}}}
node_types:
  my.App:
    derived_from: tosca.nodes.SoftwareComponent
    properties: {p: {type: my.D, required: false}}
    capabilities: {c: {type: tosca.capabilities.Endpoint}}
    requirements: [{db: {capability: tosca.capabilities.Node, node: tosca.nodes.Root, occurrences: [0, 1]}}]
    interfaces: {Standard: {operations: {create: {implementation: a.sh, inputs: {i: {type: string, default: x}}}}}}
    artifacts: {f: {type: tosca.artifacts.File, file: f.txt}}
topology_template:
  inputs:
    n: {type: integer, default: 1, constraints: [{in_range: [1, 4]}]}
  relationship_templates:
    rel: {type: tosca.relationships.ConnectsTo, properties: {credential: {token: t, user: u}}}
  node_templates:
    server:
      type: tosca.nodes.Compute
      capabilities:
        host: {properties: {num_cpus: {get_input: n}, mem_size: 4 GB}}
        scalable: {properties: {min_instances: 1, max_instances: 2, default_instances: 1}}
    net: {type: tosca.nodes.network.Network, properties: {cidr: 10.0.0.0/24, start_ip: 10.0.0.5}}
    port: {type: tosca.nodes.network.Port, properties: {order: 0}, requirements: [{link: net}, {binding: server}]}
    app:
      type: my.App
      directives: [select]
      properties: {p: {a: {concat: [x, {get_attribute: [server, private_address]}]}}}
      requirements:
        - host: server
        - db: {node: net, relationship: rel, node_filter: {properties: [{a: {equal: 1}}]}}
      interfaces:
        Standard: {operations: {start: {implementation: {primary: s.sh, dependencies: [x]}, inputs: {j: 1}}}}
  groups: {g: {type: tosca.groups.Root, members: [server, app]}}
  policies: [{s: {type: tosca.policies.Scaling, targets: [g], triggers: {t: {event: e, action: [{call: x}]}}}}]
  outputs: {o: {value: {get_property: [app, p, a]}}}
  substitution_mappings: {node_type: my.App, requirements: {db: [app, db]}}
  workflows: {w: {steps: {one: {target: app, activities: [{delegate: x}]}}}}
"""
VALUES: Final[list[Any]] = [
    None, [], {}, 0, 1.5, True, "text", [None], [[]], [{}], {"a": None}, {1: 2}, {"get_input": []},
    {"get_property": ["SELF", []]}, {"get_attribute": ["HOST", "private_address"]}, {"concat": None},
    {"get_artifact": ["SELF", "f"]},
]  # fmt: skip


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in plain data."""
    for key, item in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield (*path, key)
        yield from places(item, (*path, key))


def changed(data: Any, path: tuple[Any, ...], value: Any) -> str:
    made = copy.deepcopy(data)
    owner = made
    for step in path[:-1]:
        owner = owner[step]
    owner[path[-1]] = copy.deepcopy(value)
    return yaml.safe_dump(made, sort_keys=False)


@pytest.mark.parametrize("index", range(len(VALUES)), ids=[str(value) for value in VALUES])
def test_anything_in_any_place(index: int) -> None:
    data = yaml.safe_load(DOCUMENT)
    for number, path in enumerate(places(data)):
        if path == ("tosca_definitions_version",) or (number + index) % 5:  # each value at some places, all in turn
            continue
        text = changed(data, path, VALUES[index]).encode()
        try:
            check(text)
            convert(text, "tosca", ("hot", "cloudify")[number % 2])
        except SourceError:
            pass
        except Exception as error:
            error.add_note(f"{VALUES[index]!r} at {path}") if hasattr(error, "add_note") else None
            raise


@pytest.mark.parametrize("row", ["map", "list", {"type": "map"}, None, 1])
def test_a_value_of_a_type_without_more_is_read_as_it_is(row: Any) -> None:
    """``entry_schema: map`` names a type only."""
    value = {"a": {"b": [None, {"none": True}]}}
    assert decoded(value, row, {}) == value


def test_the_document_itself_is_right() -> None:
    found = [one for one in check(DOCUMENT.encode()) if str(one.severity) == "error"]
    assert found == []
