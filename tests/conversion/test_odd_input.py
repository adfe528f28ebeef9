"""Whatever a template looks like, a conversion ends with a result or a SourceError."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from checkout import CORPUS

from bpconvert.api import convert
from bpconvert.diagnostics import SourceError
from bpconvert.translators.cloudify import sidecar as cloudify_sidecar
from bpconvert.translators.dialects import load
from bpconvert.translators.hot import sidecar as hot_sidecar
from bpconvert.verification import verify
from bpconvert.yamlio.emit import emit

DOCUMENTS = {"hot": ("hot", "hot.yaml"), "cloudify": ("cfy", "blueprint.yaml")}
OTHER = {"hot": "cloudify", "cloudify": "hot"}
ROUNDS = 300
ODD = [
    None, [], {}, "", "x", 0, 1.5, True, "é", ["a", {"get_param": "p"}], {"get_param": "none"}, {"get_file": "x"},
    {"get_attr": []}, {"get_input": ["x", {"get_input": "y"}]}, {"get_attribute": ["SELF", "x"]}, {"get_property": []},
    {"get_attr": ["none", "x"]}, {"get_resource": "none"}, {"if": ["c", 1, 2]}, {"concat": ["a"]}, {1: "a"},
]  # fmt: skip


def templates(dialect: str) -> list[tuple[Path, Any]]:
    folder, document = DOCUMENTS[dialect]
    found = []
    for place in sorted((CORPUS / folder).glob(f"*/{document}")):
        with suppress(SourceError):
            data = copy.deepcopy(load(place.read_bytes()).data)
            if isinstance(data, dict):
                found.append((place, data))
    return found


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    steps = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for step in steps:
        yield value, step
        yield from places(value[step])


def mutated(template: Any, draw: random.Random) -> Any:
    """``template`` with up to three values exchanged, removed or renamed."""
    result = copy.deepcopy(template)
    for _ in range(draw.randint(1, 3)):
        holder, step = draw.choice(list(places(result)) or [({"": 0}, "")])
        action = draw.random()
        if action < 0.7:
            holder[step] = copy.deepcopy(draw.choice(ODD))
        elif action < 0.85 or isinstance(holder, list):
            del holder[step]
        else:
            holder[f"é{step}"] = holder[step]
    return result


@pytest.mark.parametrize("dialect", DOCUMENTS)
@pytest.mark.parametrize("seed", range(4))
def test_no_other_error(seed: int, dialect: str) -> None:
    """Of an odd document with the files beside it, and of the way back of an odd result."""
    draw = random.Random(seed)
    sources = templates(dialect)
    for _ in range(ROUNDS // 4):
        place, data = draw.choice(sources)
        text = emit(mutated(data, draw))
        choices: dict[str, Any] = {
            "plugin": draw.choice(["v3", "v2"]),
            "carry": draw.random() < 0.8,
            "client_config": draw.choice(["secrets", "inputs", "none"]),
            "files": draw.choice(["inline", "copy", "keep"]),
        }
        with suppress(SourceError):
            result = convert(f"{text}\n", dialect, OTHER[dialect], name=str(place), **choices)
            assert isinstance(result.document, dict), text
            if draw.random() < 0.3:
                text = emit(mutated(result.document, draw))
                back = convert(f"{text}\n", OTHER[dialect], dialect, beside=result.files)
                assert isinstance(back.document, dict), text


@pytest.mark.parametrize("value", ["!!binary aGVsbG8=", "!!set {a, b}"])
def test_what_no_engine_stores_is_refused_with_its_place(value: str) -> None:
    blueprint = "tosca_definitions_version: cloudify_dsl_1_3\nnode_templates:\n"
    for dialect, text in (
        ("hot", HOT + f"  n: {{type: OS::Heat::Value, properties: {{value: {value}}}}}\n"),
        ("cloudify", blueprint + f"  n: {{type: cloudify.nodes.Root, properties: {{x: {value}}}}}\n"),
    ):
        with pytest.raises(SourceError) as refused:
            convert(text, dialect, OTHER[dialect])
        assert (refused.value.diagnostic.code, refused.value.diagnostic.span.line) == ("BPC106", 3)


# -- what has once been a traceback -------------------------------------------------------------------------

HOT = "heat_template_version: 2018-08-31\nresources:\n"
CONFIG = "  config: {type: OS::Heat::SoftwareConfig, properties: {config: CONFIG}}\n"
DEPLOYMENT = (
    "  run:\n    type: OS::Heat::SoftwareDeployment\n"
    "    properties: {config: {get_resource: config}, server: {get_resource: vm}}\n"
    "  vm: {type: OS::Nova::Server, properties: {image: i, flavor: f, user_data_format: SOFTWARE_CONFIG}}\n"
)


def test_a_role_that_is_not_there() -> None:
    project = "  shop: {type: OS::Keystone::Project}\n"
    role = "{role: {get_resource: none}, project: {get_resource: shop}}"
    result = convert(f"{HOT}{project}  clerk: {{type: OS::Keystone::User, properties: {{roles: [{role}]}}}}\n")
    assert {"BPC178", "BPC711"} <= {found.code for found in result.diagnostics}


def test_a_script_whose_name_is_computed() -> None:
    config = CONFIG.replace("CONFIG", "{get_file: {get_param: a}}")
    result = convert(f"{HOT}{config}{DEPLOYMENT}")
    assert "run" in result.document["node_templates"]


def test_an_attribute_of_a_deployment_without_a_name() -> None:
    config = CONFIG.replace("CONFIG", '"#!/bin/sh"')
    result = convert(f"{HOT}{config}{DEPLOYMENT}outputs: {{a: {{value: {{get_attr: [run, []]}}}}}}\n")
    assert result.diagnostics


def test_a_parameter_of_a_nested_template_that_is_called_like_a_function(tmp_path: Path) -> None:
    (tmp_path / "in.yaml").write_text(
        f"{HOT}  a: {{type: OS::Heat::None}}\nparameters: {{get_input: {{type: string}}}}\n"
    )
    source = tmp_path / "hot.yaml"
    source.write_text(f"{HOT}  inner: {{type: in.yaml, properties: {{get_input: x}}}}\n")
    result = convert(source)
    (given,) = (found for found in result.diagnostics if found.code == "BPC206")
    assert given.path[:2] == ("resources", "inner")
    deployment = result.document["node_templates"]["inner"]["properties"]["resource_config"]["deployment"]
    assert deployment["inputs"] == {"get_input": "inner"}, "the call of an input, which the whole map is"


def test_a_type_in_a_namespace_that_is_no_name(tmp_path: Path) -> None:
    head = "tosca_definitions_version: cloudify_dsl_1_3\n"
    (tmp_path / "other.yaml").write_text(f"{head}inputs: {{a: {{type: {{x: 1}}}}}}\n")
    result = convert(f"{head}imports: ['n--other.yaml']\n".encode(), "cloudify", "hot", name=str(tmp_path / "b.yaml"))
    assert isinstance(result.document, dict)


@pytest.mark.parametrize("odd", [3, "text", ["a"], {"a": 3}, {"a": {"relationships": 1, "depends_on": 2}}, [["a"], {}]])
def test_sections_of_an_origin_that_have_another_shape(odd: Any) -> None:
    """What a result that is edited goes back to may have mistakes."""
    for keeper in (hot_sidecar.SIDECAR, cloudify_sidecar):
        names = (
            "parameters",
            "resources",
            "parameter_groups",
            "inputs",
            "imports",
            "node_templates",
            "groups",
            "outputs",
        )
        for name in names:
            assert keeper.unresolved({name: odd}) == set()
            assert keeper.consequences({name: odd}, {("parameters", "b"), ("node_templates", "b")}) == {}


@pytest.mark.parametrize(
    "text",
    [
        HOT + "  m: {type: OS::Heat::MultipartMime, properties: {parts: [{}]}}\n",
        HOT + "  m: {type: OS::Heat::MultipartMime, properties: {parts: on}}\n",
        HOT + "  n: {type: OS::Heat::Value, properties: {value: {get_param: [p, {}]}}}\n"
        "parameters: {p: {type: json}}\n",
    ],
)
def test_a_document_of_odd_values_is_itself(text: str) -> None:
    assert verify(text, text).is_same


def test_all_attributes_of_a_group_without_a_name() -> None:
    group = "  g: {type: OS::Heat::ResourceGroup, properties: {count: 2, resource_def: {type: OS::Neutron::Net}}}\n"
    made = convert(HOT + group + "outputs: {o: {value: {get_attr: [g, attributes]}}}\n")
    assert [found.code for found in made.diagnostics if found.path[:1] == ("outputs",)] == ["BPC202"]


def test_a_circle_of_links_is_a_file_that_is_not_there(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "t.yaml").write_text(HOT + "  v: {type: OS::Heat::Value, properties: {value: {get_file: loop}}}\n")
    assert "BPC610" in [found.code for found in convert(tmp_path / "t.yaml").diagnostics]


@pytest.mark.parametrize("target", ["cloudify", "tosca"])
def test_a_value_whose_properties_are_a_call(target: str) -> None:
    text = """\
heat_template_version: 2018-08-31
resources:
  v: {type: OS::Heat::Value, properties: {str_replace: {template: a, params: {a: {get_attr: [w, value]}}}}}
  w: {type: OS::Heat::Value, properties: {value: x}}
outputs:
  o: {value: {list_join: [',', [{get_attr: [v, value]}]]}}
"""
    assert isinstance(convert(text, "hot", target).document, dict)
