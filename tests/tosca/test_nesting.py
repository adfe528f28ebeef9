"""Nested documents: a node type stands for each, in every direction."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from bpconvert.api import Conversion, convert

OUTER = """
heat_template_version: 2018-08-31
parameters: {size: {type: string, default: small}}
resources:
  db: {type: inner.hot.yaml, properties: {flavor: {get_param: size}}}
outputs:
  url: {value: {get_attr: [db, url]}}
"""
INNER = """
heat_template_version: 2018-08-31
parameters: {flavor: {type: string}, name: {type: string, default: x}}
resources:
  vm: {type: OS::Nova::Server, properties: {flavor: {get_param: flavor}, name: {get_param: name}}}
outputs:
  url: {value: {get_attr: [vm, first_address]}}
"""


@pytest.fixture
def nested(tmp_path: Path) -> Path:
    """A service template that nests another one."""
    (tmp_path / "hot").mkdir()
    (tmp_path / "hot" / "outer.yaml").write_text(OUTER)
    (tmp_path / "hot" / "inner.hot.yaml").write_text(INNER)
    return written(convert(tmp_path / "hot" / "outer.yaml", "hot", "tosca", carry=False), tmp_path / "tosca")


def written(made: Conversion, folder: Path) -> Path:
    """The result with its files in ``folder``."""
    folder.mkdir()
    (folder / "out.yaml").write_text(made.text)
    for name, text in made.files.items():
        (folder / name).write_text(text)
    return folder / "out.yaml"


def test_a_template_as_a_type_is_a_type_that_it_stands_for(nested: Path) -> None:
    outer = yaml.safe_load(nested.read_text())
    type = outer["node_types"]["nested.inner"]
    assert type["metadata"] == {"heat_name": "inner.hot.yaml"}
    assert outer["topology_template"]["node_templates"]["db"]["type"] == "nested.inner"
    assert outer["topology_template"]["outputs"]["url"]["value"] == {"get_attribute": ["db", "url"]}
    inner = yaml.safe_load((nested.parent / "inner.hot.yaml").read_text())
    assert inner["topology_template"]["substitution_mappings"] == {"node_type": "nested.inner"}
    own = inner["node_types"]["nested.inner"]
    assert own["properties"] == {
        "flavor": {"type": "string"},
        "name": {"type": "string", "default": "x", "required": False},
    }
    assert own["attributes"] == {"url": {"type": "string"}}


def test_it_is_a_template_as_a_type_again(nested: Path, tmp_path: Path) -> None:
    back = written(convert(nested, "tosca", "hot", carry=False), tmp_path / "back")
    assert yaml.safe_load(back.read_text())["resources"] == yaml.safe_load(OUTER)["resources"]
    inner = yaml.safe_load((back.parent / "inner.hot.yaml").read_text())
    assert inner["outputs"] == yaml.safe_load(INNER)["outputs"]


def test_it_is_a_component(nested: Path, tmp_path: Path) -> None:
    blueprint = written(convert(nested, "tosca", "cloudify", carry=False), tmp_path / "cfy")
    data = yaml.safe_load(blueprint.read_text())
    node = data["node_templates"]["db"]
    assert node["type"] == "cloudify.nodes.ServiceComponent"
    assert node["properties"]["resource_config"]["deployment"]["inputs"] == {"flavor": {"get_input": "size"}}
    assert data["outputs"]["url"]["value"] == {"get_attribute": ["db", "capabilities", "url"]}
    again = written(convert(blueprint, "cloudify", "tosca", carry=False), tmp_path / "again")
    assert (
        yaml.safe_load(again.read_text())["topology_template"]["node_templates"]
        == (yaml.safe_load(nested.read_text())["topology_template"]["node_templates"])
    )


def test_a_document_that_is_not_there_is_reported(nested: Path) -> None:
    (nested.parent / "inner.hot.yaml").unlink()
    made = convert(nested, "tosca", "hot", carry=False)
    assert "BPC610" in [one.code for one in made.diagnostics]
    assert "db" in yaml.safe_load(made.text)["resources"]


def test_what_is_for_an_orchestrator_is_reported() -> None:
    text = """
tosca_definitions_version: tosca_simple_yaml_1_3
topology_template:
  node_templates: {a: {type: tosca.nodes.Root}}
  substitution_mappings: {node_type: some.Type}
  workflows: {deploy: {steps: {}}}
"""
    made = convert(text, "tosca", "hot")
    places = {one.code: one.path for one in made.diagnostics}
    assert places["BPC837"][-1] == "deploy"
    assert places["BPC838"][-1] == "substitution_mappings"
