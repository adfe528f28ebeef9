"""The blueprint as a whole: its version, what it defines, its inputs, and where each entry of the source went."""

from __future__ import annotations

from typing import Any

import pytest
import service_heads

from bpconvert.api import Result, convert

HOT = "heat_template_version: 2021-04-16\n"
TACKER = (
    service_heads.HEAD
    + """\
policy_types:
  tosca.policies.tacker.Placement: {derived_from: tosca.policies.Root}
  tosca.policies.tacker.Scaling: {derived_from: tosca.policies.Scaling}
topology_template:
  node_templates:
    one: {type: openstack.nova.Server, properties: {flavor: small}}
    two: {type: openstack.nova.Server, properties: {flavor: small}}
    net: {type: tosca.nodes.network.Network}
    port: {type: tosca.nodes.network.Port, requirements: [{link: net}, {binding: one}]}
  policies:
    - apart: {type: tosca.policies.tacker.Placement, targets: [one, two]}
    - grow:
        type: tosca.policies.tacker.Scaling
        properties: {increment: 2, min_instances: 1, max_instances: 5}
        targets: [one, two]
"""
)


def converted(text: str, **options: Any) -> Result:
    return convert(text, target="cloudify", name="source.yaml", carry=False, **options)


def messages(result: Result, *codes: str) -> list[tuple[Any, ...]]:
    return [(one.code, ".".join(map(str, one.path)), one.message) for one in result.diagnostics if one.code in codes]


# -- the version --------------------------------------------------------------------------------------------

LIST = "parameters: {p: {type: comma_delimited_list, default: a, constraints: [{allowed_values: [a, b]}]}}\n"
SECRET = "resources: {word: {type: OS::Heat::RandomString}}\n"
NET = "resources: {net: {type: OS::Neutron::Net}}\n"


@pytest.mark.parametrize(
    ("text", "needed", "reason"),
    [
        (NET, "1_3", ""),
        (LIST + NET, "1_4", "item_type of an input"),
        (SECRET, "1_4", "node type cloudify.nodes.PasswordSecret"),
        (LIST + SECRET, "1_4", "node type cloudify.nodes.PasswordSecret"),
    ],
)
def test_the_version_is_the_lowest_that_there_has_to_be(text: str, needed: str, reason: str) -> None:
    """Or the one asked for, where that is no lower."""
    for wanted in (None, "1_3", "1_4", "1_5"):
        result = converted(HOT + text, dsl_version=wanted)
        written = max(needed, wanted or needed)
        assert result.document["tosca_definitions_version"] == f"cloudify_dsl_{written}"
        too_low = wanted is not None and wanted < needed
        told = f"cloudify_dsl_{wanted} cannot express {reason}; cloudify_dsl_{needed} is written"
        assert messages(result, "BPC130") == [("BPC130", "", told)] * too_low


# -- what is written once -----------------------------------------------------------------------------------


def test_the_description() -> None:
    assert converted(f"{HOT}description: what it is\n{NET}").document["description"] == "what it is"
    result = converted(f"{HOT}description: wé\n{NET}")
    assert result.document["description"].isascii()
    assert [one.path for one in result.diagnostics if one.code.startswith("BPC60")] == [("description",)]


def test_a_default_may_be_computed_of_other_inputs() -> None:
    inputs = "{b: {type: string, default: x}, a: {type: string, default: {concat: [a, {get_input: b}]}}}"
    head = f"tosca_definitions_version: tosca_simple_yaml_1_3\ntopology_template:\n  inputs: {inputs}\n"
    result = converted(head + "  node_templates: {n: {type: tosca.nodes.Root}}\n")
    assert result.document["inputs"]["a"]["default"] == {"concat": ["a", {"get_input": "b"}]}


def test_services_that_the_plugin_does_not_have() -> None:
    """Their types are defined here, and a script calls them."""
    result = converted(f"{HOT}resources: {{lb: {{type: OS::Octavia::LoadBalancer, properties: {{vip_subnet: x}}}}}}\n")
    assert list(result.document["node_types"]) == [
        "bpconvert.nodes.Value",
        "bpconvert.openstack.Resource",
        "bpconvert.openstack.LoadBalancer",
    ]
    assert list(result.files) == ["scripts/bpconvert_service.py"]
    compile(result.files["scripts/bpconvert_service.py"], "script", "exec")


def test_stand_ins_have_a_type_that_takes_anything() -> None:
    result = converted(f"{HOT}resources: {{odd: {{type: OS::Foo::Bar}}}}\n")
    assert result.document["node_types"] == {
        "bpconvert.nodes.HeatResource": {
            "derived_from": "cloudify.nodes.Root",
            "properties": {
                "heat_type": {
                    "description": "Type of the Heat resource that Cloudify has no counterpart of",
                    "type": "string",
                },
                "heat_properties": {"description": "Its properties, with references translated", "default": {}},
            },
        }
    }


@pytest.mark.parametrize(
    ("resources", "names"),
    [
        ("a: {type: OS::Foo::Bar}, t: {type: OS::Heat::None}", "(1): 'a'"),
        ("a: {type: OS::Foo::Bar}, b: {type: OS::Foo::Bar}", "(2): 'a', 'b'"),
        ("t: {type: OS::Heat::None}", None),
        ("a: {type: OS::Foo::Bar}, n: {type: OS::Neutron::Net}", None),
    ],
)
def test_a_document_of_which_nothing_is_created(resources: str, names: str | None) -> None:
    """What does nothing in Heat either does not count."""
    told = f"nothing of this document is created in Cloudify: all that it has are stand-ins {names}"
    found = messages(converted(f"{HOT}resources: {{{resources}}}\n"), "BPC787")
    assert found == ([("BPC787", "", told)] if names else [])


# -- what is said of resources ------------------------------------------------------------------------------

NONE = "has no counterpart"
NO_EFFECT = f"of a resource {NONE} and no effect on the deployment"


@pytest.mark.parametrize(
    ("resource", "key", "code", "message"),
    [
        ("type: OS::Neutron::Net, description: d", "description", "BPC321", f"'description' {NO_EFFECT}"),
        ("type: OS::Foo::Bar, description: d", "description", "BPC321", f"'description' {NO_EFFECT}"),
        ("type: OS::Neutron::Net, metadata: {m: 1}", "metadata", "BPC320", f"'metadata' of a resource {NONE}"),
        ("type: OS::Neutron::Net, update_policy: {}", "update_policy", "BPC320",
         f"'update_policy' of a resource {NONE}"),
        ("type: OS::Neutron::Net, deletion_policy: delete", "deletion_policy", "BPC321",
         f"'deletion_policy' {NO_EFFECT}"),
        ("type: OS::Neutron::Net, deletion_policy: Delete", "deletion_policy", "BPC321",
         f"'deletion_policy' {NO_EFFECT}"),
        ("type: OS::Neutron::Net, deletion_policy: Retain", "deletion_policy", "BPC322",
         f"'deletion_policy: Retain' {NONE}: uninstalling deletes the resource"),
        ("type: OS::Neutron::Net, external_id: x, deletion_policy: Retain", "deletion_policy", "BPC321",
         f"'deletion_policy' {NO_EFFECT}"),
        ("type: OS::Neutron::Net, external_id: x, deletion_policy: Delete", "deletion_policy", "BPC321",
         f"'deletion_policy' {NO_EFFECT}"),
        ("type: OS::Neutron::Net, deletion_policy: {get_param: OS::stack_name}", "deletion_policy", "BPC320",
         f"'deletion_policy' of a resource {NONE}"),
    ],
)  # fmt: skip
def test_what_has_no_counterpart(resource: str, key: str, code: str, message: str) -> None:
    result = converted(f"{HOT}resources: {{r: {{{resource}}}}}\n")
    assert messages(result, "BPC320", "BPC321", "BPC322") == [(code, f"resources.r.{key}", message)]


def test_parts_of_nodes_are_told_of_too() -> None:
    interface = "{type: OS::Neutron::RouterInterface, description: d, properties: {router: r, subnet: s}}"
    result = converted(f"{HOT}resources: {{i: {interface}}}\n")
    assert [place for _, place, _ in messages(result, "BPC321")] == ["resources.i.description"]


# -- where everything went ----------------------------------------------------------------------------------


def test_where_each_entry_went() -> None:
    text = f"""{HOT}
description: x
parameters: {{p: {{type: string, label: L}}}}
resources:
  n: {{type: OS::Neutron::Net}}
  s: {{type: OS::Neutron::Subnet, properties: {{network: {{get_resource: n}}, cidr: 10.0.0.0/24}}}}
  r: {{type: OS::Neutron::Router}}
  i: {{type: OS::Neutron::RouterInterface, properties: {{router: {{get_resource: r}}, subnet: {{get_resource: s}}}}}}
outputs: {{o: {{value: x}}}}
"""
    (trace,) = converted(text).traces
    assert {".".join(entry): [".".join(place) for place in places] for entry, places in trace.made.items()} == {
        "description": ["description"],
        "parameters.p": ["inputs.p"],
        "resources.n": ["node_templates.n"],
        "resources.s": ["node_templates.s"],
        "resources.r": ["node_templates.r"],
        "resources.i": ["node_templates.s"],
        "outputs.o": ["outputs.o"],
    }
    moves = dict(trace.moves)
    assert moves["parameters", "p", "label"] == ("inputs", "p", "display_label")
    assert moves["resources", "i"] == ("node_templates", "s")
    assert moves["outputs", "o"] == ("outputs", "o")
    assert (("resources", "i"), ("node_templates", "s", "relationships", 1)) in trace.moves


def test_a_policy_that_changes_the_number_is_a_workflow() -> None:
    result = converted(TACKER)
    workflows = ["grow_scale_out", "grow_scale_in"]
    assert list(result.document["workflows"]) == workflows
    assert result.document["workflows"]["grow_scale_in"]["mapping"].endswith("scale_entity")
    (trace,) = result.traces
    places = [("workflows", name) for name in workflows]
    assert trace.made["policies",][-2:] == places
    assert [to for place, to in trace.moves if place == ("policies", 1, "grow")] == places


def test_what_an_entry_says_of_other_nodes_went_there() -> None:
    """A list of policies is a whole; a port is part of what its server is."""
    (trace,) = converted(TACKER).traces
    nodes = [("node_templates", name) for name in ("apart", "one", "two")]
    assert trace.made["policies",][:3] == nodes
    assert trace.made["node_templates", "port"] == [
        ("node_templates", name) for name in ("port", "external_default", "one")
    ]
