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


def test_an_edit_without_a_place_is_one_finding() -> None:
    """What comes back is as it was: that it becomes something else says no more."""
    source = SERVICE.replace("tosca.nodes.network.Port\n      requirements: [{link: net}]", "tosca.nodes.Compute")
    edit = (
        "  port_flavor:\n    type: string\n",
        "  port_flavor:\n    type: string\n    constraints: [{max_length: 20}]\n",
    )
    lines, back = way_back(source, ("tosca", "cloudify"), edit)
    assert lines == []
    reported = [(row.code, row.path) for row in back.diagnostics if "BPC620" <= row.code <= "BPC669"]
    assert reported == [("BPC622", ("inputs", "port_flavor"))]


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


def test_a_node_that_was_renamed_and_edited() -> None:
    """It is still the one that it was: its comments stay, and what the result does not say of it."""
    source = """\
heat_template_version: 2018-08-31
resources:
  # of the office
  net: {type: OS::Neutron::Net, properties: {name: office, shared: true}}  # for now
  port: {type: OS::Neutron::Port, properties: {network: {get_resource: net}}}
"""
    text = convert(source, "hot", "cloudify").text
    edited = text.replace("\n  net:", "\n  lan:", 1).replace("target: net\n", "target: lan\n")
    edited = edited.replace("name: office\n", "name: home\n", 1)
    back = convert(edited, "cloudify", "hot")
    assert back.text == source.replace("  net:", "  lan:").replace("get_resource: net", "get_resource: lan").replace(
        "name: office", "name: home"
    )
    assert codes(back) == []


def test_another_node_in_place_of_one_is_no_other_name_of_it() -> None:
    source = "heat_template_version: 2018-08-31\nresources:\n  # old\n  net: {type: OS::Neutron::Net}\n"
    text = convert(source, "hot", "cloudify").text
    other = "  disk:\n    type: cloudify.nodes.openstack.Volume\n    properties: {resource_config: {size: 1}}\n"
    begin = text.index("  net:\n")
    back = convert(text[:begin] + other + "\n" + text[text.index("metadata:") :], "cloudify", "hot")
    assert list(back.document["resources"]) == ["disk"]
    assert "BPC668" not in [row.code for row in back.diagnostics]


def test_an_input_that_a_helper_node_has_under_its_own_name_is_renamed() -> None:
    source = """\
heat_template_version: 2016-10-14
parameters:
  settings: {type: json, default: {z: 1}}
resources:
  it: {type: OS::Heat::Value, properties: {value: {list_join: ["", ["config=", {get_param: settings}]]}}}
outputs:
  it: {value: {get_attr: [it, value]}}
"""
    text = convert(source, "hot", "cloudify").text
    edited = text.replace("  settings:\n", "  wishes:\n").replace("{get_input: settings}", "{get_input: wishes}")
    assert "settings: {get_input: wishes}" in edited
    back = convert(edited, "cloudify", "hot")
    assert back.text == source.replace("  settings:", "  wishes:").replace("get_param: settings", "get_param: wishes")
    assert codes(back) == []


def test_what_refers_to_what_is_no_entry_any_more_has_its_value() -> None:
    """A network that exists already is none in Heat: the port names it."""
    source = """\
heat_template_version: 2018-08-31
resources:
  net: {type: OS::Neutron::Net, properties: {name: lan}}
  port: {type: OS::Neutron::Port, properties: {network: {get_resource: net}}}
"""
    text = convert(source, "hot", "cloudify").text
    place = text.index("    properties:\n", text.index("  net:\n")) + len("    properties:\n")
    back = convert(text[:place] + "      use_external_resource: true\n" + text[place:], "cloudify", "hot")
    assert back.document["resources"] == {"port": {"type": "OS::Neutron::Port", "properties": {"network": "lan"}}}
    assert codes(back) == ["BPC665"]


def test_what_refers_to_a_deleted_node_has_the_value_that_the_result_has() -> None:
    source = BLUEPRINT + "outputs:\n  tier: {value: {get_property: [disk, resource_config, size]}}\n"
    text = convert(source, "cloudify", "hot").text
    begin, end = text.index("  disk:\n"), text.index("  web:\n")
    assert "value: 1" in text
    back = convert(text[:begin] + text[end:], "hot", "cloudify")
    assert back.document["outputs"] == {"tier": {"value": 1}}
    assert [row.code for row in back.diagnostics if row.code >= "BPC620" and row.code < "BPC700"] == [
        "BPC621",
        "BPC689",
    ]


def test_an_entry_that_others_are_aliases_of() -> None:
    """They have in full what it was; nothing else is another line."""
    source = """\
heat_template_version: 2018-08-31
resources:
  # the first
  one: &one
    type: OS::Neutron::Net
    properties: {name: lan}  # its name
  two: *one
  three: {type: OS::Neutron::Net}
"""
    node = "    one:\n      type: openstack.neutron.Net\n"
    lines, back = way_back(source, ("hot", "tosca"), (node, f"{node}      description: the first of them\n"))
    assert lines == [
        "-  two: *one",
        "+    description: the first of them",
        "+  two:",
        "+    type: OS::Neutron::Net",
        "+    properties:",
        "+      name: lan",
    ]
    assert codes(back) == []


@pytest.mark.parametrize("is_all", [True, False])
def test_a_source_in_braces_stays_that(is_all: bool) -> None:
    rows = [
        "heat_template_version: 2018-08-31",
        "parameters: {name: {type: string, default: a}}  # of all",
        "resources: {net: {type: OS::Neutron::Net, properties: {name: {get_param: name}}}}",
    ]
    source = (
        "{\n" + ",\n".join([rows[0], rows[1].split("  #")[0], rows[2]]) + "\n}\n" if is_all else "\n".join(rows) + "\n"
    )
    output = "  outputs:\n    it:\n      value: {get_attribute: [net, tosca_id]}\n\n  node_templates:\n"
    edits = (("  node_templates:\n", output), ("default: a", "default: b"))
    lines, back = way_back(source, ("hot", "tosca"), *edits)
    assert back.document["outputs"] == {"it": {"value": {"get_resource": "net"}}}
    assert [line for line in lines if line[0] == "-"] == [
        f"-{row}" for row in source.splitlines() if "default: a" in row or (is_all and "net:" in row)
    ]
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
        ({"a": {"get_file": "x"}}, {"a": "1\n2\n"}, {"a": "1\n3\n"}, None),
        ({"b": 2}, {"a": 1}, {}, None),
        (1, 1, 2, None),
    ],
)
def test_a_change_of_what_is_written_otherwise(
    original: object, before: object, after: object, expected: object
) -> None:
    assert loosely(original, before, after) == expected
