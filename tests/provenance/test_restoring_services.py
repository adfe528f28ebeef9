"""Edits of a result, back in the service template or template that it was made from: nothing else changes there."""

from __future__ import annotations

import difflib

import pytest
import yaml
from edited_template import TEMPLATE

from bpconvert import Result, convert

SERVICE = """\
# A service.
tosca_definitions_version: tosca_simple_yaml_1_3

description: Two servers   # of mine

node_types:
  openstack.nova.Server:
    derived_from: tosca.nodes.Compute
    properties:
      flavor: {type: string}

topology_template:

    # what is asked
    inputs:
      image: {type: string, default: "0123"}   # kept as text
      flavor:
        type: string
        default: m1.small

    node_templates:

      # the network
      net:
        type: openstack.neutron.Net
        properties: {name: "yes"}

      web:
        type: openstack.nova.Server
        properties:
          image: {get_input: image}
          flavor: {get_input: flavor}
          networks: [{network: {get_attribute: [net, tosca_id]}}]

      db:   # the second one
        type: openstack.nova.Server
        properties: {image: {get_input: image}, flavor: m1.tiny}
        requirements:
          - dependency: web

    policies:
      - spread:
          type: tosca.policies.Placement
          targets: [web, db]

    groups:
      both:
        type: tosca.groups.Root
        members: [web, db]
"""
SMALL = """\
tosca_definitions_version: tosca_simple_yaml_1_3
topology_template:
  node_templates:
    net:
      type: openstack.neutron.Net
"""
NEW_OUTPUT = ("\nresources:\n", "\noutputs:\n  o: {value: {get_resource: net}}\n\nresources:\n")


def edited(source: str, dialect: str, via: str, *changes: tuple[str, str]) -> Result:
    """The way back after each (old, new) was exchanged in what ``source`` became."""
    text = convert(source, dialect, via).text
    for old, new in changes:
        assert text.count(old) == 1, f"{old!r} occurs {text.count(old)} times"
        text = text.replace(old, new)
    return convert(text, via, dialect)


def changed(source: str, result: Result) -> tuple[list[str], list[str]]:
    """The lines that are gone, and those that are new."""
    lines = [line for line in difflib.ndiff(source.splitlines(), result.text.splitlines()) if line[2:].strip()]
    return [line[2:] for line in lines if line[0] == "-"], [line[2:] for line in lines if line[0] == "+"]


@pytest.mark.parametrize("via", ["hot", "cloudify"])
def test_a_service_template_comes_back(via: str) -> None:
    assert edited(SERVICE, "tosca", via).text == SERVICE


def test_an_edited_default() -> None:
    result = edited(
        SERVICE, "tosca", "hot", ("    default: m1.small\n\nresources", "    default: m1.large\n\nresources")
    )
    assert changed(SERVICE, result) == (["        default: m1.small"], ["        default: m1.large"])


def test_a_new_section_stands_inside_of_the_topology() -> None:
    result = edited(SMALL, "tosca", "hot", NEW_OUTPUT)
    assert result.text == SMALL + "\n  outputs:\n    o:\n      value: {get_attribute: [net, tosca_id]}\n"
    result = edited(SMALL, "tosca", "hot", ("\nresources:\n", "\nparameters:\n  p: {type: string}\n\nresources:\n"))
    head, body = SMALL.split("  node_templates:")
    assert result.text == f"{head}  inputs:\n    p:\n      type: string\n\n  node_templates:{body}"


def test_new_sections_inside_and_outside() -> None:
    version = "heat_template_version: 2013-05-23\n"
    result = edited(SMALL, "tosca", "hot", NEW_OUTPUT, (version, version + "\ndescription: d\n"))
    data = yaml.safe_load(result.text)
    assert data["description"] == "d"
    assert list(data["topology_template"]) == ["node_templates", "outputs"]


def test_a_new_section_with_other_line_breaks() -> None:
    result = edited(SMALL.replace("\n", "\r\n"), "tosca", "hot", NEW_OUTPUT)
    assert "\r\n  outputs:\r\n    o:\r\n" in result.text


def test_a_topology_in_brackets_is_laid_out_anew() -> None:
    source = (
        "tosca_definitions_version: tosca_simple_yaml_1_3\n"
        "topology_template: {node_templates: {net: {type: openstack.neutron.Net}}}\n"
    )
    data = yaml.safe_load(edited(source, "tosca", "hot", NEW_OUTPUT).text)
    assert data["topology_template"]["outputs"] == {"o": {"value": {"get_attribute": ["net", "tosca_id"]}}}
    assert list(data) == ["tosca_definitions_version", "topology_template"]


def test_a_service_template_without_a_topology_gets_one() -> None:
    source = "tosca_definitions_version: tosca_simple_yaml_1_3\ndescription: none\n"
    result = edited(
        source, "tosca", "hot", ("\ndescription: none\n", "\ndescription: none\nparameters: {p: {type: string}}\n")
    )
    assert yaml.safe_load(result.text)["topology_template"] == {"inputs": {"p": {"type": "string"}}}


def test_functions_of_the_second_version() -> None:
    source = SMALL.replace("tosca_simple_yaml_1_3", "tosca_2_0").replace("topology_template", "service_template")
    result = edited(source, "tosca", "hot", NEW_OUTPUT)
    assert result.text == source + "\n  outputs:\n    o:\n      value: {$get_attribute: [net, tosca_id]}\n"


def test_a_new_node_brings_its_type() -> None:
    node = "  vol:\n    type: OS::Cinder::Volume\n    properties:\n      size: 3\n\n  db:  # the second one\n"
    gone, new = changed(SERVICE, edited(SERVICE, "tosca", "hot", ("  db:  # the second one\n", node)))
    assert gone == []
    assert new[0] == "  openstack.cinder.Volume:"
    assert new[-4:] == [
        "      vol:",
        "        type: openstack.cinder.Volume",
        "        properties:",
        "          size: 3",
    ]


def test_a_dropped_node_leaves_groups_and_policies() -> None:
    text = convert(SERVICE, "tosca", "hot").text
    start = text.index("  db:  # the second one")
    end = text.index("  bpconvert_sidecar:")
    result = edited(SERVICE, "tosca", "hot", (text[start:end], ""))
    data = yaml.safe_load(result.text)["topology_template"]
    assert list(data["node_templates"]) == ["net", "web"]
    assert data["groups"]["both"]["members"] == ["web"]
    assert data["policies"][0]["spread"]["targets"] == ["web"]


def test_edits_of_a_blueprint() -> None:
    gone, new = changed(
        SERVICE,
        edited(SERVICE, "tosca", "cloudify", ("flavor: m1.tiny\n      resource", "flavor: m1.huge\n      resource")),
    )
    assert new == ["        properties: {image: {get_input: image}, flavor: m1.huge}"]
    assert gone == ["        properties: {image: {get_input: image}, flavor: m1.tiny}"]


# -- templates by way of service templates ------------------------------------------------------------------


def test_a_template_comes_back() -> None:
    assert edited(TEMPLATE, "hot", "tosca").text == TEMPLATE


def test_an_edited_property() -> None:
    change = (
        "user_data: {concat: [host=, {get_input: deployment_name}]}",
        "user_data: {concat: [a=, {get_input: flavor}]}",
    )
    gone, new = changed(TEMPLATE, edited(TEMPLATE, "hot", "tosca", change))
    assert len(gone) == 4
    assert new == ["      user_data: {list_join: ['', [a=, {get_param: flavor}]]}"]


def test_a_dropped_requirement() -> None:
    wait = "      requirements:\n        - dependency: net\n        - dependency: plug\n        - dependency: subnet\n"
    assert changed(TEMPLATE, edited(TEMPLATE, "hot", "tosca", (wait, ""))) == (["    depends_on: plug"], [])


def test_new_nodes_and_outputs() -> None:
    node = "vol:\n      type: openstack.cinder.Volume\n      properties:\n        size: 3\n\n    "
    output = "    more:\n      value: {get_attribute: [vol, tosca_id]}\n"
    result = edited(
        TEMPLATE,
        "hot",
        "tosca",
        ("    db:\n      type", f"    {node}db:\n      type"),
        ("\n  outputs:\n", f"\n  outputs:\n{output}"),
    )
    gone, new = changed(TEMPLATE, result)
    assert gone == []
    assert new == [
        "  vol:", "    type: OS::Cinder::Volume", "    properties:", "      size: 3", "  more:",
        "    value: {get_resource: vol}",
    ]  # fmt: skip


def test_a_dropped_node_with_its_output() -> None:
    result = edited(
        TEMPLATE,
        "hot",
        "tosca",
        ("  outputs:\n    id:  # of the web server\n      value: {get_attribute: [web, tosca_id]}\n", ""),
    )
    assert changed(TEMPLATE, result) == (["outputs:", "  id: {value: {get_resource: web}}   # of the web server"], [])
