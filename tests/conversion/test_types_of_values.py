"""No value changes its type: what a service template gives to a playbook, or to any operation of a blueprint, and what
outputs are computed to, has in the result the type that it has in the source."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from checkout import CORPUS, REALWORLD
from given_values import VALUES, is_call

from bpconvert.api import Result, convert
from bpconvert.evaluation import evaluate
from bpconvert.translators.dialects import load


def sources() -> list[Path]:
    """The sources of the corpus, and the real ones that are there."""
    found = sorted(CORPUS.glob("tosca/*/tosca.yaml"))
    root = REALWORLD / "tosca"
    if root.is_dir():
        rows = json.loads((root / "manifest.json").read_text())["files"]
        found += [root / row["path"] for row in rows if row["role"] == "primary"]
    return found


SOURCES = sources()


def given(operations: Any) -> Iterator[tuple[str, str, Any]]:
    """The program of each operation of an interface, and its inputs without calls."""
    rows = operations.get("operations", operations) if isinstance(operations, dict) else {}
    for row in rows.values() if isinstance(rows, dict) else ():
        inputs = row.get("inputs") if isinstance(row, dict) else None
        program = row.get("implementation") if isinstance(row, dict) else None
        program = program.get("primary") if isinstance(program, dict) else program
        for name, value in inputs.items() if isinstance(inputs, dict) and isinstance(program, str) else ():
            if not is_call(value):
                yield program, str(name), value


def of_source(path: Path) -> set[tuple[str, str, str]]:
    """Program, name and value of what the templates of a document give to operations."""
    data = load(path.read_bytes(), str(path)).data
    body = data.get("topology_template") or data.get("service_template") or {}
    nodes = body.get("node_templates")
    found = set()
    for node in nodes.values() if isinstance(nodes, dict) else ():
        interfaces = node.get("interfaces") if isinstance(node, dict) else None
        for operations in interfaces.values() if isinstance(interfaces, dict) else ():
            found |= {(program, name, json.dumps(value, sort_keys=True)) for program, name, value in given(operations)}
    return found


def of_hot(made: Result) -> set[tuple[str, str]]:
    """Name and value of what the result gives to playbooks."""
    resources = made.document.get("resources", {})
    playbooks = {
        name for name, row in resources.items()
        if row["type"] == "OS::Heat::SoftwareConfig" and row["properties"].get("group") == "ansible"
    }  # fmt: skip
    found = set()
    for row in resources.values():
        properties = row.get("properties", {})
        config = properties.get("config") if row["type"] == "OS::Heat::SoftwareDeployment" else None
        if isinstance(config, dict) and config.get("get_resource") in playbooks:
            values = properties.get("input_values", {}).items()
            found |= {(str(name), json.dumps(value, sort_keys=True)) for name, value in values}
    return found


def of_blueprint(made: Result) -> set[tuple[str, str]]:
    """Name and value of what the result gives to operations."""
    found = set()
    for node in made.document.get("node_templates", {}).values():
        rows = [node.get("interfaces", {})]
        for one in node.get("relationships", ()):
            rows += [one.get("source_interfaces", {}), one.get("target_interfaces", {})]
        for interfaces in rows:
            for operations in interfaces.values():
                for row in operations.values():
                    inputs = row.get("inputs", {}) if isinstance(row, dict) else {}
                    found |= {(str(name), json.dumps(value, sort_keys=True)) for name, value in inputs.items()}
    return found


@pytest.mark.parametrize("source", SOURCES, ids=[f"{one.parent.name}/{one.name}" for one in SOURCES])
@pytest.mark.parametrize("target", ["hot", "cloudify"])
def test_inputs_of_operations_keep_their_type(source: Path, target: str) -> None:
    made = convert(source, "tosca", target, carry=False, allow_outside=True)
    there = of_hot(made) if target == "hot" else of_blueprint(made)
    names = {name for name, _ in there}
    ends = (".yaml", ".yml") if target == "hot" else ("",)
    wanted = {(name, value) for program, name, value in of_source(source) if program.endswith(ends) and name in names}
    assert wanted - there == set()


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("target", ["hot", "cloudify"])
def test_outputs_and_properties_keep_their_type(value: Any, target: str) -> None:
    text = f"""tosca_definitions_version: tosca_simple_yaml_1_3
node_types:
  own.App: {{derived_from: tosca.nodes.SoftwareComponent, properties: {{p: {{type: string}}}}}}
topology_template:
  node_templates:
    app: {{type: own.App, properties: {{p: {json.dumps(value)}}}}}
  outputs:
    plain: {{value: {json.dumps(value)}}}
    property: {{value: {{get_property: [app, p]}}}}
"""
    made = convert(text, "tosca", target, carry=False)
    outputs = {name: row["value"] for name, row in made.document["outputs"].items()}
    version = str(made.document.get("heat_template_version", made.document.get("tosca_definitions_version")))
    found = evaluate(outputs, dialect=target, version=version)
    assert json.dumps(found) == json.dumps({"plain": value, "property": value})
