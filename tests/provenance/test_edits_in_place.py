"""An edit goes into the place that the source has for it, and into nothing beside it, whatever else stands there."""

from __future__ import annotations

import difflib

import pytest

from bpconvert import Result, convert
from bpconvert.translators.provenance.grafting import loosely

BLUEPRINT = """\
tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml, 'plugin:cloudify-openstack-plugin']
node_types:
  shop.Web:
    derived_from: cloudify.nodes.openstack.Server
    properties:
      image: {default: debian-12}
      flavor: {default: small}
node_templates:
  net: {type: cloudify.nodes.openstack.Network}
  disk:
    type: cloudify.nodes.openstack.Volume
    properties: {resource_config: {size: 1}}
    interfaces:
      cloudify.interfaces.lifecycle:
        create:
          inputs:
            resource_config: {size: 1, metadata: {tier: a}}
  web:
    type: shop.Web
    properties:
      resource_config: {user_data: {concat: ["a: ", {get_secret: word}, "\\n"]}}
    relationships: [{type: cloudify.relationships.connected_to, target: net}]
"""


def way_back(source: str, way: tuple[str, str], *edits: tuple[str, str]) -> tuple[list[str], Result]:
    """The lines that are others than those of the source where the result is edited, and what comes back."""
    text = convert(source, *way).text
    for old, new in edits:
        assert old in text
        text = text.replace(old, new, 1)
    back = convert(text, way[1], way[0])
    lines = difflib.unified_diff(source.splitlines(), back.text.splitlines(), lineterm="", n=0)
    return [line for line in lines if line[:2] not in ("--", "++", "@@")], back


def codes(back: Result) -> list[str]:
    return [row.code for row in back.diagnostics if row.severity > "info"]


def test_a_value_that_the_type_has_and_a_parameter_for_it() -> None:
    """The node keeps its type, and gets no node that computes what its own function says."""
    more = "parameters:\n  picture: {type: string, default: debian-12}\n"
    edits = (("      image: debian-12", "      image: {get_param: picture}"), ("parameters:\n", more))
    lines, back = way_back(BLUEPRINT, ("cloudify", "hot"), *edits)
    assert lines == [
        "+",
        "+inputs:",
        "+  picture:",
        "+    type: string",
        "+    default: debian-12",
        "+      image: {get_input: picture}",
    ]
    assert codes(back) == []


def test_a_new_node_uses_the_secrets_of_the_blueprint() -> None:
    """They are parameters in Heat; an input of the same name would make others of them."""
    server = "  more:\n    type: OS::Nova::Server\n    properties: {image: {get_param: word}, flavor: small}\n\n"
    edits = ("  bpconvert_sidecar:", f"{server}  bpconvert_sidecar:")
    lines, back = way_back(BLUEPRINT, ("cloudify", "hot"), edits)
    assert "+      image: {get_secret: word}" in lines
    assert "inputs" not in back.document
    assert {line[0] for line in lines} == {"+"}


def test_a_parameter_that_was_edited_is_no_secret() -> None:
    edits = (
        ("      image: debian-12", "      image: {get_param: word}"),
        ("  word:\n    type: string\n", "  word:\n    type: string\n    default: b\n"),
    )
    lines, back = way_back(BLUEPRINT, ("cloudify", "hot"), *edits)
    assert lines == []
    assert [row.path[:2] for row in back.diagnostics if row.code == "BPC622"] == [
        ("parameters", "word"),
        ("resources", "web"),
    ]


def test_a_key_of_a_map_that_the_source_has_elsewhere() -> None:
    edit = ("tier: a\n", "tier: a\n        more: b\n")
    lines, back = way_back(BLUEPRINT, ("cloudify", "hot"), edit)
    assert lines == [
        "-            resource_config: {size: 1, metadata: {tier: a}}",
        "+            resource_config: {size: 1, metadata: {tier: a, more: b}}",
    ]
    assert codes(back) == []


SERVICE = """\
tosca_definitions_version: tosca_simple_yaml_1_3
topology_template:
  node_templates:
    net:
      type: tosca.nodes.network.Network
      properties: {cidr: 10.0.0.0/24}
    port:
      type: tosca.nodes.network.Port
      requirements: [{link: net}]
"""


def test_what_one_node_became_is_not_written_beside_it() -> None:
    """A network with its range is two resources: what one of them cannot give back makes no second range."""
    head = "  net_subnet:\n    type: OS::Neutron::Subnet\n"
    lines, back = way_back(SERVICE, ("tosca", "hot"), (head, f"{head}    deletion_policy: Retain\n"))
    assert lines == []
    assert [row.code for row in back.diagnostics if row.severity == "error"] == ["BPC622"]


TEMPLATE = """\
heat_template_version: 2018-08-31
parameters:
  tier: {type: string, default: x}
resources:
  net: {type: OS::Neutron::Net}
  web:
    type: OS::Nova::Server
    properties:
      image: cirros
      flavor: small
      networks: [{network: {get_resource: net}}]
      user_data: {str_replace: {template: {get_param: tier}, params: {n: {get_resource: net}}}}
"""


def test_keys_that_are_called_after_a_node_follow_it() -> None:
    """A node that computes a value has an input for what it reads, called after that: nobody renames it along."""
    text = convert(TEMPLATE, "hot", "cloudify").text
    renamed = (
        text.replace("  net:\n", "  lan:\n").replace("[net, id]", "[lan, id]").replace("target: net\n", "target: lan\n")
    )
    assert "net_id: {get_attribute: [lan, id]}" in renamed
    back = convert(renamed, "cloudify", "hot")
    expected = TEMPLATE.replace("  net:", "  lan:").replace("get_resource: net", "get_resource: lan")
    assert back.text == expected
    assert codes(back) == []


def test_a_text_in_place_of_a_value_follows_the_node_that_it_names() -> None:
    source = """\
tosca_definitions_version: tosca_simple_yaml_1_3
topology_template:
  node_templates:
    net: {type: tosca.nodes.network.Network, properties: {cidr: 10.0.0.0/24}}
  outputs:
    it: {value: {get_attribute: [net, nothing]}}
"""
    text = convert(source, "tosca", "cloudify").text
    assert "not converted" in text
    renamed = text.replace("  net:\n", "  lan:\n").replace("target: net\n", "target: lan\n")
    back = convert(renamed, "cloudify", "tosca")
    assert back.text == source.replace("    net:", "    lan:").replace("[net,", "[lan,")


@pytest.mark.parametrize(
    "edited",
    ["{join: [[pre, {get_input: mode}], '-']}", "{concat: [pre, {concat: ['-', {get_input: mode}]}]}"],
)
def test_texts_that_are_joined_in_another_way(edited: str) -> None:
    source = """\
tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml]
inputs:
  mode: {default: a}
node_templates:
  app:
    type: cloudify.nodes.Root
    interfaces:
      cloudify.interfaces.lifecycle:
        start: {implementation: scripts/start.sh, inputs: {args: {concat: ['--mode ', {get_input: mode}]}}}
"""
    lines, back = way_back(source, ("cloudify", "tosca"), ("['--mode ', {get_input: mode}]", f"['--mode ', {edited}]"))
    assert len(lines) == 2
    assert "pre" in lines[1]
    assert codes(back) == []
    assert "{args: {concat: ['--mode ', {concat: [pre" in convert(back.text, "cloudify", "tosca").text


@pytest.mark.parametrize(
    ("original", "before", "after", "expected"),
    [
        ({"a": 1}, {"a": 1, "b": 2}, {"a": 1, "b": 3}, {"a": 1, "b": 3}),
        ({"a": {"get": "x"}}, {"a": 5}, {"a": 6}, {"a": 6}),
        ({"a": 1}, {"b": {"c": 1}}, {"b": {"c": 2}}, {"a": 1, "b": {"c": 2}}),
        ({"a": [1, 2]}, {"a": [1, 2]}, {"a": [1, 2, 3]}, {"a": [1, 2, 3]}),
        ({"a": [1, 2, 3]}, {"a": [1, 2, 3]}, {"a": [2]}, {"a": [2]}),
        ({"a": [9, 2]}, {"a": [1, 2]}, {"a": [2]}, None),
        ({"a": []}, {"a": [1, 2]}, {"a": [1, 3]}, None),
        ({"a": {"k": 1, "l": 2}}, {"a": {"k": 1}}, {"a": {}}, {"a": {"l": 2}}),
        ({"b": 2}, {"a": 1}, {}, None),
        (1, 1, 2, None),
    ],
)
def test_a_change_of_what_is_written_otherwise(
    original: object, before: object, after: object, expected: object
) -> None:
    assert loosely(original, before, after) == expected
