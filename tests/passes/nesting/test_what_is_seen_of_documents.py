"""What a template sees of the one that it nests: its inputs, the values that are known for them, and what it is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bpconvert import Result, convert
from bpconvert.yamlio.document import load

HOT = "heat_template_version: 2018-08-31\n"
NET = f"{HOT}resources: {{n: {{type: OS::Neutron::Net}}}}\n"
USE = "outputs: {x: {value: {get_resource: a}}}\n"
BLUEPRINT = """\
tosca_definitions_version: cloudify_dsl_1_3
imports: [types.yaml]
inputs: {size: {type: integer, default: 1}}
node_templates: {vm: {type: acme.nodes.Machine}}
"""


def made(folder: Path, inner: str, properties: str = "{}", more: str = "", **asked: Any) -> Result:
    """The blueprint of a template with the node ``a`` that nests ``inner``."""
    outer = f"{HOT}resources: {{a: {{type: inner.yaml, properties: {properties}}}}}\n{more}"
    types = "node_types: {acme.nodes.Machine: {derived_from: cloudify.nodes.Root}}\n"
    for name, text in {"app.yaml": outer, "inner.yaml": inner, "types.yaml": types}.items():
        (folder / name).write_text(text)
    return convert(folder / "app.yaml", "hot", "cloudify", **asked)


def values(result: Result) -> Any:
    """The inputs of the deployment."""
    return result.document["node_templates"]["a"]["properties"]["resource_config"]["deployment"].get("inputs")


def found(result: Result, code: str) -> list[str]:
    return [one.message for one in result.diagnostics if one.code == code]


def test_a_blueprint_that_is_used_as_it_is_has_its_own_inputs(tmp_path: Path) -> None:
    result = made(tmp_path, BLUEPRINT, "{size: 4, more: 1}")
    assert values(result) == {"size": 4}
    assert found(result, "BPC763") == ["'inner.yaml' has no parameter 'more'"]
    assert not found(result, "BPC764")


@pytest.mark.parametrize(
    ("output", "value", "codes"),
    [
        ("OS::stack_id", {"get_attribute": ["a", "capabilities", "OS::stack_id"]}, 0),
        ("other", {"get_attribute": ["a", "deployment", "id"]}, 1),
    ],
)
def test_a_template_says_what_identifies_the_resource_that_it_stands_for(
    tmp_path: Path, output: str, value: Any, codes: int
) -> None:
    result = made(tmp_path, f"{NET}outputs: {{{output}: {{value: {{get_resource: n}}}}}}\n", more=USE)
    assert result.document["outputs"]["x"]["value"] == value
    assert len(found(result, "BPC695")) == codes


@pytest.mark.parametrize(
    ("type", "reported"),
    [("OS::Heat::SoftwareConfig", ["x"]), ("OS::Neutron::Net", [])],
)
def test_the_id_of_a_configuration_is_its_text_for_who_nests_it(tmp_path: Path, type: str, reported: list[str]) -> None:
    inner = f"{HOT}resources: {{n: {{type: {type}}}}}\noutputs: {{OS::stack_id: {{value: {{get_resource: n}}}}}}\n"
    result = made(tmp_path, inner, more=USE)
    assert [one.path[1] for one in result.diagnostics if one.code == "BPC718"] == reported


def test_a_value_that_is_known_is_handed_on(tmp_path: Path) -> None:
    """Cloudify takes no text beyond ASCII: it is given."""
    inner = f"{HOT}resources: {{n: {{type: OS::Neutron::Net, properties: {{name: ü}}}}}}\n"
    result = made(tmp_path, inner, asked="inputs")
    assert values(result) == {"n_name": {"get_input": "a_n_name"}}
    assert load(result.files["app.inputs.yaml"]).data == {"a_n_name": "ü"}


@pytest.mark.parametrize(("asked", "inputs"), [("inputs", {"a_n_name"}), (None, set())])
def test_only_what_has_to_be_given_is_asked_for(tmp_path: Path, asked: str | None, inputs: set[str]) -> None:
    inner = (
        f"{HOT}parameters: {{text: {{type: string}}}}\n"
        "resources: {n: {type: OS::Neutron::Net, properties: {name: {digest: [md5, {get_param: text}]}}}}\n"
    )
    result = made(tmp_path, inner, "{text: b}", **({"asked": asked} if asked else {}))
    assert set(result.document.get("inputs", {})) == inputs


def uploaded(result: Result) -> Any:
    """The files that the component uploads beside the blueprint; None where it uploads nothing."""
    node = result.document["node_templates"]["a"]
    (operation,) = node.get("interfaces", {}).get("cloudify.interfaces.lifecycle", {}).values() or [None]
    return operation and operation["inputs"]["files"]


def test_all_that_belongs_to_a_nested_template_is_uploaded(tmp_path: Path) -> None:
    """Also what those have that it nests, each once, and not what nobody reads."""
    nest = f"{HOT}resources: {{one: {{type: %s}}, other: {{type: %s}}}}\n"
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "b.yaml").write_text(nest % ("c.yaml", "c.yaml"))
    (tmp_path / "lib" / "c.yaml").write_text(NET)
    (tmp_path / "lib" / "unread.yaml").write_text(NET)
    result = made(tmp_path, nest % ("lib/b.yaml", "lib/c.yaml"))
    assert uploaded(result) == [
        "lib/b.yaml",
        "lib/c.yaml",
        "lib/scripts/bpconvert_blueprint.py",
        "scripts/bpconvert_blueprint.py",
    ]


def test_a_file_whose_text_stands_in_the_nested_blueprint_is_not_uploaded(tmp_path: Path) -> None:
    (tmp_path / "run.sh").write_text("#!/bin/sh\n")
    server = "{type: OS::Nova::Server, properties: {image: i, flavor: f, user_data: {get_file: run.sh}}}"
    result = made(tmp_path, f"{HOT}resources: {{n: {server}}}\n", files="copy")
    assert uploaded(result) == []


def test_a_blueprint_that_is_used_as_it_is_is_not_uploaded(tmp_path: Path) -> None:
    """Nobody knows what belongs to it."""
    result = made(tmp_path, BLUEPRINT)
    assert "interfaces" not in result.document["node_templates"]["a"]
    assert len(found(result, "BPC765")) == 1


@pytest.mark.parametrize("properties", ["{}", "{text: null}", "{text: plain}"])
def test_a_default_that_a_blueprint_cannot_have_is_given(tmp_path: Path, properties: str) -> None:
    """A text beyond ASCII: the component would lack the value of a required input."""
    inner = f"{HOT}parameters: {{text: {{type: string, default: ü}}, n: {{type: number, default: 1}}}}\n"
    result = made(tmp_path, inner, properties)
    computed = {"get_attribute": ["a_2", "result"]}
    assert values(result) == {"text": "plain" if "plain" in properties else computed}
