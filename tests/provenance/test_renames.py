"""Entries of a result that were renamed or added: in place with what refers to them, or in the style of the source."""

from __future__ import annotations

import difflib
import re

import pytest
from checkout import ROOT

from bpconvert import Result, convert

TEMPLATE = """\
heat_template_version: 2018-08-31

parameters:
  # of the machine
  key:
    type: string
    description: a key  # of whom

resources:
  # first
  server:
    type: OS::Nova::Server
    properties:
      key_name: {get_param: key}
      description: the key of a server
      flavor: m1
      image: cirros
      networks: [{port: {get_resource: port}}]

  port:
    type: OS::Neutron::Port
    properties:
      network: net

  volume:
    type: OS::Cinder::Volume
    properties: &data
      size: 1
      name: data

  other:
    type: OS::Cinder::Volume
    properties: *data

outputs:
  ip:
    value: {get_attr: [server, first_address]}
"""


def edited(target: str, *edits: tuple[str, str]) -> tuple[list[str], Result]:
    """The lines of the template that differ after the edits of the result, and what came back."""
    text, mark, kept = convert(TEMPLATE, "hot", target).text.partition("bpconvert:")
    for old, new in edits:
        assert old in text
        text = text.replace(old, new)
    back = convert(text + mark + kept, target, "hot")
    lines = difflib.unified_diff(TEMPLATE.splitlines(), back.text.splitlines(), lineterm="", n=0)
    return [line for line in lines if not line.startswith(("---", "+++", "@@"))], back


@pytest.mark.parametrize("target", ["cloudify", "tosca"])
def test_a_parameter(target: str) -> None:
    lines, back = edited(target, ("  key:\n", "  ssh_key:\n"), ("get_input: key}", "get_input: ssh_key}"))
    assert lines == [
        "-  key:", "+  ssh_key:",
        "-      key_name: {get_param: key}", "+      key_name: {get_param: ssh_key}",
    ]  # fmt: skip
    assert [one.message for one in back.diagnostics if one.code == "BPC668"] == [
        "'inputs.key' was renamed to 'ssh_key'; so is what it came from"
    ]
    assert {one.code for one in back.diagnostics} == {"BPC620", "BPC668"}


@pytest.mark.parametrize("target", ["cloudify", "tosca"])
def test_a_resource_and_what_refers_to_it(target: str) -> None:
    edits = [("  server:\n", "  web:\n"), ("[server,", "[web,")]
    lines, back = edited(target, *edits, *([("binding: server", "binding: web")] if target == "tosca" else []))
    assert lines == [
        "-  server:", "+  web:",
        "-    value: {get_attr: [server, first_address]}", "+    value: {get_attr: [web, first_address]}",
    ]  # fmt: skip
    assert not [one for one in back.diagnostics if one.severity > "info"]


@pytest.mark.parametrize("target", ["cloudify", "tosca"])
def test_an_output(target: str) -> None:
    lines, _ = edited(target, ("  ip:\n", "  address:\n"))
    assert lines == ["-  ip:", "+  address:"]


@pytest.mark.parametrize("target", ["cloudify", "tosca"])
def test_one_of_two_that_share_an_anchor(target: str) -> None:
    """The alias is merged, with the one key that is another."""
    whole = convert(TEMPLATE, "hot", target).text
    start = whole.index(" other:\n")
    entry = whole[start : whole.index("outputs:", start)]
    lines, _ = edited(target, (entry, entry.replace("size: 1", "size: 2")))
    assert lines == ["-    properties: *data", "+    properties:", "+      <<: *data", "+      size: 2"]


def test_a_scaled_node_that_is_added_has_its_group_and_the_credentials_of_the_document() -> None:
    """The group and its policy are of the new node alone; the other nodes name no credentials, so it names none."""
    case = ROOT / "corpus" / "cfy" / "scaling-of-a-node" / "blueprint.yaml"
    made = convert(case, "cloudify", "hot").text
    start = made.index("  new:\n")
    entry = made[start : made.index("\n\n", start) + 2]
    back = convert(made.replace(entry, entry + entry.replace("new:", "one_more:", 1)), "hot", "cloudify")
    lines = [
        line for line in difflib.ndiff(case.read_text("utf-8").splitlines(), back.text.splitlines()) if line[0] != " "
    ]
    assert {line[0] for line in lines} == {"+"}
    assert [line[2:] for line in lines if re.match(r"\+ ( {0,2})\w", line)] == [
        "  one_more:", "groups:", "  one_more_group:", "policies:", "  one_more_scaling:",
    ]  # fmt: skip
    assert not any(line.startswith("+       client_config:") for line in lines)


def test_what_is_called_after_a_renamed_node_needs_no_other_name() -> None:
    """The routes of a router are a node of their own in a service template, which the source has within the router."""
    case = ROOT / "corpus" / "cfy" / "routes-of-routers" / "blueprint.yaml"
    text, mark, kept = convert(case, "cloudify", "tosca").text.partition("\n  bpconvert:")
    assert "    router_routes:\n" in text
    back = convert(
        re.sub(r"(?<=[ \[])router(?=[,\]:]|$)(?!: )", "gate", text, flags=re.M) + mark + kept, "tosca", "cloudify"
    )
    lines = difflib.ndiff(case.read_text("utf-8").splitlines(), back.text.splitlines())
    assert [line[2:] for line in lines if line[0] == "+"] == [
        "  gate:",
        "      - {type: cloudify.relationships.openstack.subnet_connected_to_router, target: gate}",
    ]
    assert "BPC668" in {one.code for one in back.diagnostics}


def test_an_attribute_of_the_same_name_keeps_it() -> None:
    source = (
        "tosca_definitions_version: cloudify_dsl_1_4\n"
        "imports: [cloudify/types/types.yaml, plugin:cloudify-utilities-plugin]\n"
        "node_templates:\n  password: {type: cloudify.nodes.PasswordSecret, properties: {length: 16}}\n"
        "outputs:\n  password: {value: {get_attribute: [password, password]}}\n"
    )
    made = convert(source, "cloudify", "tosca").text
    head, mark, kept = made.partition("\n  bpconvert_sidecar:")
    edited = head.replace("    password:\n      type: openstack", "    secret:\n      type: openstack")
    edited = edited.replace("[password, tosca_id]", "[secret, tosca_id]")
    back = convert(edited + mark + kept, "tosca", "cloudify").text
    assert back == source.replace("  password: {type", "  secret: {type").replace(
        "[password, password]", "[secret, password]"
    )


ADDRESS = """\
tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml, plugin:cloudify-openstack-plugin]
dsl_definitions:
  config: &config {auth_url: {get_secret: url}}
node_templates:
  shop-web:
    type: cloudify.nodes.openstack.Server
    properties: {client_config: *config, image: i, flavor: f, resource_config: {name: shop-web}}
outputs:
  url: {value: {concat: ["http://", {get_attribute: [shop-web, ip]}, ":", {get_input: port}]}}
inputs: {port: {type: integer, default: 80}}
"""


@pytest.mark.parametrize("is_name", [True, False])
def test_a_rename_whatever_follows_it(is_name: bool) -> None:
    """Neither the name that the server has in the cloud nor the placeholder of a text has to."""
    text = convert(ADDRESS, "cloudify", "hot").text
    for old in ("  shop-web:\n", "get_attr: [shop-web", *(["name: shop-web"] if is_name else [])):
        assert old in text
        text = text.replace(old, old.replace("shop-web", "front"), 1)
    assert "__shop_web_" in text
    back = convert(text, "hot", "cloudify")
    expected = ADDRESS.replace("  shop-web:", "  front:").replace("[shop-web", "[front")
    assert back.text == (expected.replace("name: shop-web", "name: front") if is_name else expected)
    assert [row.code for row in back.diagnostics if row.severity > "info"] == []


CHOICE = """\
heat_template_version: 2018-08-31
parameters:
  plain: {type: string, default: ''}
conditions:
  plain_given: {not: {equals: [{get_param: plain}, '']}}
resources:
  first:
    type: OS::Cinder::Volume
    properties: {size: 1, name: {if: [plain_given, {get_param: plain}, first]}}
  second:
    type: OS::Cinder::Volume
    depends_on: first
    properties: {size: 1, description: {if: [plain_given, {get_resource: first}, none]}}
"""


def test_a_value_of_a_call_that_is_called_as_the_node_stays() -> None:
    """It is the name in the cloud, which nobody edited."""
    text = convert(CHOICE, "hot", "cloudify").text
    head, mark, kept = text.partition("\nmetadata:\n")
    for old in ("\n  first:\n", "target: first\n", "get_attribute: [first,"):
        assert old in head
        head = head.replace(old, old.replace("first", "front"))
    back = convert(head + mark + kept, "cloudify", "hot")
    expected = CHOICE.replace("  first:\n", "  front:\n").replace("depends_on: first", "depends_on: front")
    assert back.text == expected.replace("get_resource: first", "get_resource: front")


SUBNET = """\
tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml, plugin:cloudify-openstack-plugin]
node_templates:
  subnet:
    type: cloudify.nodes.openstack.Subnet
    properties:
      resource_config: {network_id: public, cidr: 10.0.0.0/24}
"""


def test_a_copy_is_in_the_network_of_what_it_is_a_copy_of() -> None:
    """Not in that itself, which has what stands for the network beside it when it is translated anew."""
    text = convert(SUBNET, "cloudify", "hot").text
    begin, end = text.index("  subnet:\n"), text.index("  bpconvert_sidecar:")
    entry = text[begin:end]
    copy = entry.replace("  subnet:", "  copy:").replace("10.0.0.0", "10.1.0.0")
    back = convert(text[:end] + copy + text[end:], "hot", "cloudify")
    assert back.text.startswith(SUBNET)
    nodes = back.document["node_templates"]
    (target,) = {row["target"] for row in nodes["copy"]["relationships"]}
    assert nodes[target]["type"] == "cloudify.nodes.openstack.Network"
    assert nodes[target]["properties"]["resource_config"]["id"] == "public"


MACHINES = """\
tosca_definitions_version: tosca_simple_yaml_1_3
topology_template:
  node_templates:
    web:
      type: tosca.nodes.Compute
    db:
      type: tosca.nodes.Compute
      requirements:
        - dependency: web
"""


@pytest.mark.parametrize("target", ["cloudify", "hot"])
def test_what_is_asked_for_may_say_for_what_as_before(target: str) -> None:
    """The description of an input names the machines that it is of."""
    text = convert(MACHINES, "tosca", target).text
    assert re.search(r"description: .*\bweb\b", text)
    for old in ("\n  web:\n", "target: web\n" if target == "cloudify" else "depends_on: web\n"):
        assert old in text
        text = text.replace(old, old.replace("web", "front"), 1)
    back = convert(text, target, "tosca")
    assert back.text == MACHINES.replace("    web:", "    front:").replace("dependency: web", "dependency: front")
    assert [row.code for row in back.diagnostics if row.severity > "info"] == []
