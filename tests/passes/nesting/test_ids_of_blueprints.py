"""The id of a nested blueprint: another one for all that makes another blueprint, the same for all else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bpconvert import convert

HOT = "heat_template_version: 2018-08-31\n"
OUTER = f"{HOT}resources: {{a: {{type: inner.yaml}}}}\n"
INNER = f"""{HOT}parameters: {{size: {{type: number, default: 1}}}}
resources:
  disk: {{type: OS::Cinder::Volume, properties: {{size: {{get_param: size}}}}}}
  own: {{type: Acme::Thing}}
"""
#: it is used as it is
BLUEPRINT = """\
tosca_definitions_version: cloudify_dsl_1_3
inputs: {size: {type: integer, default: 1}}
node_templates: {vm: {type: cloudify.nodes.Compute}}
"""
#: reads files, and has more than one of each
FULL = f"""{HOT}parameters:
  size: {{type: number, default: 1}}
  more: {{type: number, default: 1}}
resources:
  zone: {{type: Acme::Thing}}
  area: {{type: Acme::Thing}}
  one: {{type: OS::Nova::Server, properties: {{image: i, flavor: f, user_data: {{get_file: run.sh}}}}}}
  two: {{type: OS::Nova::Server, properties: {{image: i, flavor: f, user_data: {{get_file: boot.sh}}}}}}
"""
ALL = "parameter_defaults: {size: 4, more: 5, other: 6}\nresource_registry: {Acme::Thing: OS::Neutron::Net}\n"


def id_of(folder: Path, inner: str = INNER, environment: str = "", outer: str = OUTER, **asked: Any) -> str:
    """The id of the blueprint that node ``a`` is a deployment of."""
    folder.mkdir(exist_ok=True)
    for name, text in {"app.yaml": outer, "inner.yaml": inner, "env.yaml": environment}.items():
        (folder / name).write_text(text)
    for name in ("run.sh", "boot.sh"):
        (folder / name).write_text(f"#!/bin/sh\necho {name}\n")
    environments = (str(folder / "env.yaml"),) if environment else ()
    made = convert(folder / "app.yaml", "hot", "cloudify", environments=environments, **asked)
    id: str = made.document["node_templates"]["a"]["properties"]["resource_config"]["blueprint"]["id"]
    return id


@pytest.mark.parametrize(
    ("inner", "environment", "id"),
    [
        (INNER, "", "inner-02bb5dff"),
        (INNER, "parameter_defaults: {size: 4}\n", "inner-739cf2b3"),
        (INNER, "resource_registry: {Acme::Thing: OS::Neutron::Net}\n", "inner-02b723b6"),
        (BLUEPRINT, "", "inner-a0639556"),
        (FULL, ALL, "inner-dc5f42cb"),
    ],
)
def test_an_id_is_the_same_wherever_and_whenever_it_is_made(
    tmp_path: Path, inner: str, environment: str, id: str
) -> None:
    """Another one would replace what is deployed."""
    assert id_of(tmp_path / "here", inner, environment) == id
    assert id_of(tmp_path / "there", inner, environment) == id


@pytest.mark.parametrize(
    "environment",
    [
        "parameter_defaults: {other: 4}\n",
        "parameters: {other: 4}\n",
        "resource_registry: {Acme::Other: OS::Neutron::Net}\n",
    ],
)
def test_what_an_environment_says_of_others_does_not_count(tmp_path: Path, environment: str) -> None:
    assert id_of(tmp_path, environment=environment) == id_of(tmp_path)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("parameter_defaults: {size: 4}\n", ""),
        ("parameter_defaults: {size: 4}\n", "parameter_defaults: {size: 5}\n"),
        ("resource_registry: {Acme::Thing: OS::Neutron::Net}\n", ""),
        (
            "resource_registry: {Acme::Thing: OS::Neutron::Net}\n",
            "resource_registry: {Acme::Thing: OS::Neutron::Router}\n",
        ),
    ],
)
def test_what_an_environment_says_of_the_template_counts(tmp_path: Path, one: str, other: str) -> None:
    assert id_of(tmp_path, environment=one) != id_of(tmp_path, environment=other)


@pytest.mark.parametrize("inner", [INNER, BLUEPRINT])
def test_what_the_conversion_is_asked_for_counts(tmp_path: Path, inner: str) -> None:
    assert id_of(tmp_path, inner, asked="inputs") != id_of(tmp_path, inner)


def test_the_text_of_a_blueprint_that_is_used_as_it_is_counts(tmp_path: Path) -> None:
    other = BLUEPRINT.replace("default: 1", "default: 2")
    assert id_of(tmp_path, BLUEPRINT) != id_of(tmp_path, other)


def test_a_template_that_was_made_from_a_blueprint_counts_by_its_text(tmp_path: Path) -> None:
    """It comes back as the blueprint, whatever an environment says."""
    inner = convert(BLUEPRINT.encode(), "cloudify", "hot").text
    environment = "parameter_defaults: {size: 4}\nresource_registry: {OS::Heat::DeployedServer: OS::Neutron::Net}\n"
    assert id_of(tmp_path, inner) == id_of(tmp_path, inner, environment)
    assert id_of(tmp_path, inner) != id_of(tmp_path, f"{inner}# more\n")
