"""Nested documents: a node type stands for each, in every direction."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from bpconvert.api import Conversion, convert
from bpconvert.verification import verify

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
        (folder / name).parent.mkdir(exist_ok=True)
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


def test_an_output_is_not_the_input_of_its_name(tmp_path: Path) -> None:
    (tmp_path / "hot").mkdir()
    (tmp_path / "hot" / "outer.yaml").write_text(OUTER.replace("db, url", "db, flavor"))
    (tmp_path / "hot" / "inner.hot.yaml").write_text(INNER.replace("  url:", "  flavor:"))
    made = convert(tmp_path / "hot" / "outer.yaml", "hot", "tosca", carry=False)
    outer = written(made, tmp_path / "tosca")
    assert yaml.safe_load(made.text)["node_types"]["nested.inner"]["attributes"] == {"flavor": {"type": "string"}}
    found = yaml.safe_load(convert(outer, "tosca", "hot", carry=False).text)
    assert found["outputs"]["url"]["value"] == {"get_attr": ["db", "flavor"]}
    found = yaml.safe_load(convert(outer, "tosca", "cloudify", carry=False).text)
    assert found["outputs"]["url"]["value"] == {"get_attribute": ["db", "capabilities", "flavor"]}


TYPED = """
heat_template_version: 2018-08-31
parameters: {p: {type: %s}}
resources: {n: {type: OS::Neutron::Net, properties: {name: x, value_specs: {v: {get_param: p}}}}}
"""


@pytest.mark.parametrize(
    ("type", "given", "wanted", "codes"),
    [
        ("number", "'07'", 7, ["BPC509"]),
        ("number", "7", 7, []),
        ("number", "1.5", 1.5, []),
        ("number", "null", 0, ["BPC509"]),
        ("boolean", "'True'", True, ["BPC509"]),
        ("boolean", "false", False, []),
        ("boolean", "maybe", "maybe", []),  # Heat refuses it
        ("string", "7", "7", ["BPC509"]),
        ("string", "null", "", ["BPC509"]),
        ("comma_delimited_list", "'a,b'", ["a", "b"], ["BPC509"]),
        ("json", "{a: 1}", {"a": 1}, []),
        ("number", "{get_param: t}", {"get_input": "t"}, ["BPC768"]),
        ("string", "{get_param: t}", {"get_input": "t"}, []),
        ("boolean", "{get_param: t}", {"get_input": "t"}, ["BPC768"]),
    ],
)
def test_a_value_is_what_the_nested_parameter_makes_of_it(
    tmp_path: Path, type: str, given: str, wanted: Any, codes: list[str]
) -> None:
    (tmp_path / "inner.yaml").write_text(TYPED % type)
    outer = tmp_path / "outer.yaml"
    outer.write_text(
        "heat_template_version: 2018-08-31\nparameters: {t: {type: string, default: x}}\n"
        f"resources: {{n: {{type: inner.yaml, properties: {{p: {given}}}}}}}\n"
    )
    made = convert(outer, "hot", "tosca", carry=False)
    found = yaml.safe_load(made.text)["topology_template"]["node_templates"]["n"]["properties"]["p"]
    assert (found, isinstance(found, bool)) == (wanted, isinstance(wanted, bool))
    assert [one.code for one in made.diagnostics if one.code in ("BPC509", "BPC768")] == codes


def test_a_number_that_is_only_part_of_texts_is_handed_on_as_text(tmp_path: Path) -> None:
    text = "{str_replace: {template: net-i, params: {i: {get_param: p}}}}"
    inner = TYPED.replace("name: x", f"name: {text}").replace("v: {get_param: p}", "")
    (tmp_path / "inner.yaml").write_text(inner % "number")
    outer = tmp_path / "outer.yaml"
    outer.write_text("heat_template_version: 2018-08-31\nresources: {n: {type: inner.yaml, properties: {p: '07'}}}\n")
    made = convert(outer, "hot", "tosca", carry=False)
    document = yaml.safe_load(made.text)
    assert document["topology_template"]["node_templates"]["n"]["properties"] == {"p": "7"}
    assert document["node_types"]["nested.inner"]["properties"] == {"p": {"type": "string", "required": False}}


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


GROUPS = """
heat_template_version: 2018-08-31
parameters: {size: {type: string, default: small}}
resources:
  few:
    type: OS::Heat::ResourceGroup
    properties:
      count: 2
      resource_def: {type: inner.hot.yaml, properties: {flavor: {get_param: size}, name: "n-%index%"}}
  rows:
    type: OS::Heat::ResourceGroup
    properties:
      count: 2
      resource_def:
        type: OS::Heat::AutoScalingGroup
        properties: {min_size: 1, max_size: 2, resource: {type: inner.hot.yaml, properties: {flavor: a}}}
outputs:
  urls: {value: {get_attr: [few, url]}}
"""


def test_the_document_of_the_members_of_a_group_is_converted_both_ways(tmp_path: Path) -> None:
    (tmp_path / "outer.yaml").write_text(GROUPS)
    (tmp_path / "inner.hot.yaml").write_text(INNER)
    there = written(convert(tmp_path / "outer.yaml", "hot", "tosca", carry=False), tmp_path / "tosca")
    inner = yaml.safe_load((there.parent / "inner.hot.yaml").read_text())
    assert inner["topology_template"]["substitution_mappings"] == {"node_type": "nested.inner"}
    back = written(convert(there, "tosca", "hot", carry=False), tmp_path / "back")
    assert yaml.safe_load(back.read_text())["resources"] == yaml.safe_load(GROUPS)["resources"]
    assert "heat_template_version" in (back.parent / "inner.hot.yaml").read_text()


def test_the_inputs_of_the_document_of_a_group_are_checked(tmp_path: Path) -> None:
    (tmp_path / "outer.yaml").write_text(GROUPS.replace("flavor: a", "flavour: a"))
    (tmp_path / "inner.hot.yaml").write_text(INNER)
    made = convert(tmp_path / "outer.yaml", "hot", "tosca", carry=False)
    place = ("resources", "rows", "properties", "resource_def", "properties", "resource", "properties")
    assert {one.code: one.path for one in made.diagnostics if one.code in ("BPC763", "BPC764")} == {
        "BPC763": (*place, "flavour"),
        "BPC764": place,
    }


def test_the_document_of_a_group_that_is_not_there_is_reported(tmp_path: Path) -> None:
    (tmp_path / "outer.yaml").write_text(GROUPS)
    made = convert(tmp_path / "outer.yaml", "hot", "tosca", carry=False)
    places = [one.path for one in made.diagnostics if one.code == "BPC610"]
    assert ("resources", "few", "properties", "resource_def", "type") in places
    assert "type: inner.hot.yaml" in made.text


GROUP = """
heat_template_version: 2018-08-31
parameters: {tls: {type: boolean, default: false}, word: {type: string, default: 'yes'}}
resources:
  members:
    type: OS::Heat::ResourceGroup
    properties: {count: 1, resource_def: {type: inner.yaml, properties: {tls: GIVEN}}}
"""
IN_TEXTS = """
heat_template_version: 2018-08-31
parameters: {tls: {type: boolean}}
resources:
  key: {type: OS::Nova::KeyPair, properties: {name: {str_replace: {template: tls-T, params: {T: {get_param: tls}}}}}}
"""
SWITCH = "  net: {type: OS::Neutron::Net, properties: {admin_state_up: {get_param: tls}}}\n"


COMPUTED = {"get_attribute": ["members_resource_def_tls", "result"]}


@pytest.mark.parametrize(
    ("given", "more", "wanted", "codes"),
    [
        ("true", "", "True", ["BPC509"]),
        ("{get_param: tls}", "", {"get_input": "tls"}, []),
        ("{get_param: tls}", SWITCH, COMPUTED, []),
        ("{if: [{equals: [{get_param: word}, a]}, true, {get_param: tls}]}", "", COMPUTED, []),
        ("{get_param: word}", "", {"get_input": "word"}, ["BPC768"]),
    ],
)
def test_members_get_texts_where_their_inputs_are_texts(
    given: str, more: str, wanted: Any, codes: list[str], tmp_path: Path
) -> None:
    """A boolean that is only part of texts is a text; an input of the outer document is one, too, where nothing else
    uses it, else a node computes the text. Heat takes words for a boolean, nothing else does."""
    (tmp_path / "hot").mkdir()
    (tmp_path / "hot" / "outer.yaml").write_text(GROUP.replace("GIVEN", given) + more)
    (tmp_path / "hot" / "inner.yaml").write_text(IN_TEXTS)
    made = convert(tmp_path / "hot" / "outer.yaml", "hot", "tosca", carry=False)
    node = made.document["topology_template"]["node_templates"]["members"]
    assert node["properties"]["resource_def"]["properties"] == {"tls": wanted}
    assert [one.code for one in made.diagnostics if one.code in ("BPC509", "BPC768")] == codes
    found = verify(tmp_path / "hot" / "outer.yaml", written(made, tmp_path / "tosca"))
    assert (found.differences, found.notes) == ([], [])
