"""Results of TOSCA 2.0: its notation, its functions, the types that are imported, and the way back."""

from __future__ import annotations

from pathlib import Path

import pytest

from bpconvert.api import convert
from bpconvert.checking import check
from bpconvert.translators.tosca import profile, standard
from bpconvert.yamlio.document import load

TEMPLATE = """heat_template_version: 2018-08-31
parameters:
  size: {type: string, default: $5, constraints: [{allowed_values: [$5, b]}]}
resources:
  net: {type: OS::Neutron::Net}
  port: {type: OS::Neutron::Port, properties: {network: {get_resource: net}, name: {get_param: size}}}
  web:
    type: OS::Nova::Server
    properties:
      flavor: $small
      networks: [{port: {get_resource: port}}]
      metadata: {list: [1, a], none: null}
outputs: {ip: {value: {get_attr: [web, networks, x, 0]}}}
"""


def test_the_notation_is_that_of_2_0(tmp_path: Path) -> None:
    made = convert(TEMPLATE.encode(), "hot", "tosca", tosca_version="2.0")
    data = load(made.text).data
    assert data["tosca_definitions_version"] == "tosca_2_0"
    assert data["imports"] == [{"url": standard.NAME}]
    assert made.files[standard.NAME] == standard.text()
    body = data["service_template"]
    assert "topology_template" not in data
    assert body["inputs"]["size"] == {"type": "string", "default": "$$5"}
    web = body["node_templates"]["web"]["properties"]
    assert web["flavor"] == "$$small"
    assert body["outputs"]["ip"]["value"] == {"$get_attribute": ["web", "networks", "x", 0]}
    requirements = data["node_types"]["openstack.neutron.Port"]["requirements"]
    assert all("count_range" in row and "occurrences" not in row for one in requirements for row in one.values())
    assert "BPC429" in {one.code for one in made.diagnostics}


@pytest.mark.parametrize("carry", [True, False])
def test_it_is_accepted_and_comes_back(tmp_path: Path, carry: bool) -> None:
    made = convert(TEMPLATE.encode(), "hot", "tosca", tosca_version="2.0", carry=carry)
    result = tmp_path / "out.yaml"
    result.write_text(made.text)
    for name, text in made.files.items():
        (tmp_path / name).write_text(text if isinstance(text, str) else text.decode())
    assert not [one for one in check(result) if one.severity.name == "ERROR"]
    assert not [one for one in check(tmp_path / standard.NAME) if one.severity.name != "INFO"]
    back = convert(result, "tosca", "hot", carry=carry)
    if carry:
        assert back.text == TEMPLATE
    else:
        plain = convert(TEMPLATE.encode(), "hot", "tosca", carry=False)
        assert back.document == convert(plain.text.encode(), "tosca", "hot", carry=False).document


def test_types_that_are_not_there_are_known_all_the_same() -> None:
    made = convert(TEMPLATE.encode(), "hot", "tosca", tosca_version="2.0")
    back = convert(made.text.encode(), "tosca", "hot")
    assert back.text == TEMPLATE
    assert not {"BPC142", "BPC852", "BPC882"} & {one.code for one in back.diagnostics}


def test_an_edit_in_it_goes_back() -> None:
    made = convert(TEMPLATE.encode(), "hot", "tosca", tosca_version="2.0").text
    back = convert(made.replace("flavor: $$small", "flavor: $$large").encode(), "tosca", "hot").text
    assert back == TEMPLATE.replace("$small", "$large")


def test_the_profile_is_of_the_same_version(tmp_path: Path) -> None:
    text = "heat_template_version: 2018-08-31\nresources: {net: {type: OS::Neutron::Net, properties: {name: $a}}}\n"
    made = convert(text.encode(), "hot", "tosca", tosca_version="2.0", profile=True)
    assert load(made.text).data["imports"] == [{"url": standard.NAME}, {"url": profile.NAME}]
    assert load(made.files[profile.NAME]).data["tosca_definitions_version"] == "tosca_2_0"
    (tmp_path / "out.yaml").write_text(made.text)
    (tmp_path / profile.NAME).write_text(made.files[profile.NAME])
    assert convert(tmp_path / "out.yaml", "tosca", "hot").text == text


HOSTED = """\
tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml]
node_templates: {app: {type: cloudify.nodes.WebServer}, box: {type: acme.Box}}
"""


@pytest.mark.parametrize(("text", "source"), [(TEMPLATE, "hot"), (HOSTED, "cloudify")])
def test_one_version_changes_nothing_of_the_other(text: str, source: str) -> None:
    """In one process: types that are the same in every result had the keys of 2.0 afterwards."""
    first = convert(text, source, "tosca", carry=False).text
    second = convert(text, source, "tosca", carry=False, tosca_version="2.0").text
    assert "count_range" not in first
    assert convert(text, source, "tosca", carry=False).text == first
    assert convert(text, source, "tosca", carry=False, tosca_version="2.0").text == second
