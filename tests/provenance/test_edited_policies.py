"""Policies that server groups have become: edits of them are edits of the group and of its servers, nothing else
changes in the document that they were made from."""

from __future__ import annotations

import difflib

import pytest

from bpconvert import Result, convert

HEAT = """\
# kept
heat_template_version: 2018-08-31
resources:
  # the first server
  web:   # it serves
    type: OS::Nova::Server
    properties:
      flavor: small
      # how it is placed
      scheduler_hints: {group: {get_resource: apart}}
  # the group
  apart:  # of servers
    type: OS::Nova::ServerGroup
    properties:
      # where they are
      policies: [anti-affinity]
  db:
    type: OS::Nova::Server
    properties:
      flavor: small
      scheduler_hints: {group: {get_resource: apart}}
  near:
    type: OS::Nova::ServerGroup
    properties:
      name: near
      policies: [affinity]
  third:
    type: OS::Nova::Server
    properties:
      flavor: small
      scheduler_hints: {group: {get_resource: near}}
  # in no group
  free:
    type: OS::Nova::Server
    properties:
      flavor: small
"""
MADE = convert(HEAT, "hot", "tosca").text
POLICIES = MADE[MADE.index("  policies:\n    #") : MADE.index("\nmetadata:")]
NEAR = POLICIES[POLICIES.index("    - near:") :]
NEW = """\
    - more:
        type: openstack.policies.ServerGroup
        properties: {policies: [soft-affinity]}
        targets: [free]
"""


def edited(*changes: tuple[str, str]) -> Result:
    """The way back after each (old, new) was exchanged in the service template."""
    text = MADE
    for old, new in changes:
        assert text.count(old) == 1, f"{old!r} occurs {text.count(old)} times"
        text = text.replace(old, new)
    return convert(text, "tosca", "hot")


def changed(before: str, after: str) -> tuple[list[str], list[str]]:
    """The lines that are gone, and those that are new."""
    lines = [line for line in difflib.ndiff(before.splitlines(), after.splitlines()) if line[2:].strip()]
    return [line[2:] for line in lines if line[0] == "-"], [line[2:] for line in lines if line[0] == "+"]


HINT = ["      scheduler_hints:", "        group: {get_resource: near}"]
WRITTEN = "      scheduler_hints: {group: {get_resource: %s}}"


@pytest.mark.parametrize(
    ("changes", "gone", "new"),
    [
        ([], [], []),
        ([("targets: [third]", "targets: [third, free]")], [], HINT),
        ([("targets: [web, db]", "targets: [web]")], [WRITTEN % "apart"], []),
        (
            [("targets: [web, db]", "targets: [web]"), ("targets: [third]", "targets: [third, db]")],
            [WRITTEN % "apart"],
            [WRITTEN % "near"],
        ),
        (
            [(" [affinity]\n        targets: [third]", " [soft-affinity]\n        targets: [third]")],
            ["      policies: [affinity]"],
            ["      policies: [soft-affinity]"],
        ),
        (
            [(NEAR, "")],
            [
                "  near:",
                "    type: OS::Nova::ServerGroup",
                "    properties:",
                    "      name: near",
                    "      policies: [affinity]",
                WRITTEN % "near",
            ],
            [],
        ),
        (
            [(NEAR, NEAR + NEW)],
            [],
            [
                "      scheduler_hints:",
                "        group: {get_resource: more}",
                "  more:",
                "    type: OS::Nova::ServerGroup",
                "    properties:",
                "      policies: [soft-affinity]",
            ],
        ),
    ],
    ids=["nothing", "a target more", "a target less", "a target moves", "a property", "a policy less", "a policy more"],
)  # fmt: skip
def test_an_edit_changes_what_it_is_about(changes: list[tuple[str, str]], gone: list[str], new: list[str]) -> None:
    result = edited(*changes)
    assert changed(HEAT, result.text) == (gone, new)
    found = [(one.code, one.path) for one in result.diagnostics]
    assert found == [("BPC620", ("policies",))] * bool(changes)


def test_the_whole_section_is_deleted() -> None:
    result = edited((POLICIES, ""))
    assert "ServerGroup" not in result.text
    assert "scheduler_hints" not in result.text
    assert [(one.code, one.path) for one in result.diagnostics] == [("BPC621", ("policies",))]


def test_an_edited_server_stays_in_its_group() -> None:
    server = "    web:  # it serves\n      type: openstack.nova.Server\n      properties:\n        flavor: "
    result = edited((f"{server}small", f"{server}large"))
    assert changed(HEAT, result.text) == (["      flavor: small"], ["      flavor: large"])
    assert [(one.code, one.path) for one in result.diagnostics] == [("BPC620", ("node_templates", "web"))]


def test_a_policy_with_another_name_is_another_group() -> None:
    result = edited(("    - near:", "    - close:"))
    assert "  near:\n" not in result.text
    assert "  close:\n    type: OS::Nova::ServerGroup\n" in result.text
    assert "group: {get_resource: close}" in result.text


def test_comments_are_where_the_policy_is() -> None:
    assert POLICIES.startswith(
        "  policies:\n    # the group\n    # of servers\n    - apart:\n        type: openstack.policies.ServerGroup\n"
        "        properties:\n          # where they are\n          policies: [anti-affinity]\n"
        "        # how it is placed\n        targets: [web, db]\n"
    )
    plain = convert(convert(HEAT, "hot", "tosca", carry=False).text, "tosca", "hot", carry=False).text
    assert "  # the group\n  # of servers\n  apart:\n" in plain


SERVICE = """\
tosca_definitions_version: tosca_simple_yaml_1_3
topology_template:
  node_templates:
    one: {type: openstack.nova.Server, properties: {flavor: small}}
    two: {type: openstack.nova.Server, properties: {flavor: small}}
  policies:
    # of the orchestrator
    - calm: {type: tosca.policies.Placement, targets: [one]}
    - near:
        type: openstack.policies.ServerGroup
        properties: {policies: [affinity]}
        targets: [two]
policy_types:
  openstack.policies.ServerGroup: {derived_from: tosca.policies.Placement, properties: {policies: {type: list}}}
"""
END = "  bpconvert_sidecar:"
GROUP = "  more: {type: OS::Nova::ServerGroup, properties: {policies: [anti-affinity]}}\n"
MEMBER = "{type: OS::Nova::Server, properties: {flavor: f, scheduler_hints: {group: {get_resource: %s}}}}\n"


def restored(*changes: tuple[str, str]) -> tuple[dict[str, object], Result]:
    """The policies by name, and the whole way back of an edited template to the service template above."""
    text = convert(SERVICE, "tosca", "hot").text
    for old, new in changes:
        assert text.count(old) == 1, f"{old!r} occurs {text.count(old)} times"
        text = text.replace(old, new)
    result = convert(text, "hot", "tosca")
    rows = result.document["topology_template"]["policies"]
    return {name: policy for row in rows for name, policy in row.items()}, result


def test_a_new_group_is_a_policy_beside_those_that_are_there() -> None:
    found, result = restored((END, f"{GROUP}  three: {MEMBER % 'more'}{END}"))
    assert list(found) == ["calm", "near", "more"]
    assert found["more"]["targets"] == ["three"]
    assert "    # of the orchestrator\n" in result.text


def test_a_new_server_is_a_target_of_the_policy_that_its_group_was() -> None:
    found, _ = restored((END, f"  three: {MEMBER % 'near'}{END}"))
    assert list(found) == ["calm", "near"]
    assert found["near"]["targets"] == ["two", "three"]


def test_a_server_is_not_in_two_groups() -> None:
    """What the policy was for stays one of its targets: the new group is a node, which its readers see."""
    found, result = restored(("{get_resource: near}", "{get_resource: more}"), (END, GROUP + END))
    assert list(found) == ["calm", "near"]
    nodes = result.document["topology_template"]["node_templates"]
    assert nodes["two"]["properties"]["scheduler_hints"] == {"group": {"get_attribute": ["more", "tosca_id"]}}
    assert nodes["more"]["type"] == "openstack.nova.ServerGroup"
    assert "BPC840" in [one.code for one in convert(result.text, "tosca", "cloudify").diagnostics]


def test_an_untouched_server_keeps_its_policy() -> None:
    found, result = restored((END, f"  net: {{type: OS::Neutron::Net}}\n{END}"))
    assert list(found) == ["calm", "near"]
    assert SERVICE.partition("  policies:")[2].partition("policy_types")[0] in result.text
