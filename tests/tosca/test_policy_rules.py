"""Each type of policies that is known: what it does to its targets, and why it has no effect."""

from __future__ import annotations

from typing import Any

import pytest

from bpconvert import Diagnostic, Result, convert

HEAD = """\
tosca_definitions_version: tosca_simple_yaml_1_3
policy_types:
  tosca.policies.tacker.Placement: {derived_from: tosca.policies.Root}
  bpconvert.policies.Scaling: {derived_from: tosca.policies.Scaling}
  tosca.policies.nfv.AffinityRule: {derived_from: tosca.policies.Placement}
  tosca.policies.nfv.AntiAffinityRule: {derived_from: tosca.policies.Placement}
  tosca.policies.nfv.SecurityGroupRule: {derived_from: tosca.policies.Root}
  org.alien4cloud.policies.Affinity: {derived_from: tosca.policies.Placement}
  org.alien4cloud.policies.AntiAffinity: {derived_from: tosca.policies.Placement}
  yorc.openstack.policies.ServerGroupAffinity: {derived_from: tosca.policies.Placement}
  yorc.openstack.policies.ServerGroupAntiAffinity: {derived_from: tosca.policies.Placement}
  openstack.policies.ServerGroup: {derived_from: tosca.policies.Placement}
  openstack.policies.AutoScalingGroup: {derived_from: tosca.policies.Scaling}
  openstack.policies.ResourceGroup: {derived_from: tosca.policies.Scaling}
  mine.Apart: {derived_from: tosca.policies.nfv.AntiAffinityRule}
topology_template:
  inputs: {text: {type: string, default: a}, n: {type: integer, default: 2}}
  node_templates:
    one: {type: openstack.nova.Server, properties: {flavor: small}}
    two: {type: openstack.nova.Server, properties: {flavor: small}}
    there: {type: tosca.nodes.Compute, attributes: {private_address: 192.0.2.1}}
    net: {type: tosca.nodes.network.Network, properties: {network_name: a, cidr: 10.0.0.0/24}}
    port: {type: tosca.nodes.network.Port, requirements: [{link: net}]}
"""


def made(type: str, properties: str = "", targets: str = "one", more: str = "", nodes: str = "") -> Result:
    """What the nodes become with one policy, called 'p'."""
    policy = f"    - p: {{type: {type}, properties: {{{properties}}}, targets: [{targets}]{more}}}\n"
    return convert(f"{HEAD}{nodes}  policies:\n{policy}", "tosca", "hot", carry=False)


def reported(result: Result, code: str) -> list[Diagnostic]:
    return [one for one in result.diagnostics if one.code == code]


def why(result: Result) -> str:
    """Why the policy has no effect, "" where it has one."""
    found = [one for one in reported(result, "BPC835") if one.path == ("policies", 0, "p")]
    return found[0].message.rpartition(" has no effect")[2].partition(": ")[2] if found else ""


def hints(result: Result) -> dict[str, Any]:
    rows = {name: result.document["resources"][name].get("properties", {}) for name in ("one", "two")}
    return {name: row["scheduler_hints"] for name, row in rows.items() if "scheduler_hints" in row}


# -- placement ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("type", "properties", "strategy"),
    [
        ("tosca.policies.tacker.Placement", "", "affinity"),
        ("tosca.policies.tacker.Placement", "policy: affinity", "affinity"),
        ("tosca.policies.tacker.Placement", "policy: anti-affinity", "anti-affinity"),
        ("tosca.policies.tacker.Placement", "strict: true", "affinity"),
        ("tosca.policies.tacker.Placement", "strict: false", "soft-affinity"),
        ("tosca.policies.Placement", "policy: anti-affinity, strict: false", "soft-anti-affinity"),
        ("tosca.policies.nfv.AffinityRule", "", "affinity"),
        ("tosca.policies.nfv.AffinityRule", "scope: nfvi_node", "affinity"),
        ("tosca.policies.nfv.AffinityRule", "scope: host", "affinity"),
        ("tosca.policies.nfv.AntiAffinityRule", "scope: ''", "anti-affinity"),
        ("mine.Apart", "scope: host, strict: false", "soft-anti-affinity"),
        ("org.alien4cloud.policies.Affinity", "level: host", "affinity"),
        ("org.alien4cloud.policies.AntiAffinity", "level: host", "anti-affinity"),
        ("yorc.openstack.policies.ServerGroupAffinity", "level: host, strict: true", "affinity"),
        ("yorc.openstack.policies.ServerGroupAntiAffinity", "level: host, strict: false", "soft-anti-affinity"),
    ],
)
def test_servers_are_placed_by_a_group(type: str, properties: str, strategy: str) -> None:
    result = made(type, properties, "one, two")
    group = result.document["resources"]["p"]
    assert group == {"type": "OS::Nova::ServerGroup", "properties": {"name": "p", "policies": [strategy]}}
    assert hints(result) == {name: {"group": {"get_resource": "p"}} for name in ("one", "two")}
    assert why(result) == ""


@pytest.mark.parametrize(
    ("type", "properties", "targets", "reason"),
    [
        ("tosca.policies.tacker.Placement", "policy: near", "one", "'near' is no strategy of placement"),
        ("tosca.policies.tacker.Placement", "", "there", "none of its targets is a server that the template creates"),
        ("tosca.policies.tacker.Placement", "", "net, gone",
         "none of its targets is a server that the template creates"),
        ("tosca.policies.Placement", "zone: a", "one",
         "it does not define whether its targets are to be together or apart"),
        ("tosca.policies.nfv.AffinityRule", "scope: zone", "one",
         "its scope is 'zone', and a server group knows hosts only"),
        ("org.alien4cloud.policies.Affinity", "level: zone", "one",
         "its level is 'zone', and a server group knows hosts only"),
        ("org.alien4cloud.policies.AntiAffinity", "level: zone", "one",
         "its level is 'zone', and a server group knows hosts only"),
        ("yorc.openstack.policies.ServerGroupAntiAffinity", "level: zone", "one",
         "its level is 'zone', and a server group knows hosts only"),
        ("tosca.policies.Update", "", "one", "what it means is a matter of its orchestrator"),
    ],
)  # fmt: skip
def test_why_a_policy_has_no_effect(type: str, properties: str, targets: str, reason: str) -> None:
    result = made(type, properties, targets)
    (found,) = reported(result, "BPC835")
    assert (found.path, found.message.endswith(f": {reason}")) == (("policies", 0, "p"), True)
    assert f"'p' of type {type}" in found.message
    assert hints(result) == {}


def test_what_is_no_server_is_reported() -> None:
    result = made("tosca.policies.tacker.Placement", targets="net, one, there, gone")
    found = reported(result, "BPC840")
    assert [one.path for one in found] == [("policies", 0, "p", "targets")] * 3
    names = [one.message.rpartition(" on ")[2].strip("'") for one in found]
    assert names == ["net", "there", "gone"]


@pytest.mark.parametrize("written", ["{get_input: text}", "{group: old}"])
def test_a_server_with_a_group_or_with_computed_hints_stays(written: str) -> None:
    node = f"    three: {{type: openstack.nova.Server, properties: {{flavor: f, scheduler_hints: {written}}}}}\n"
    result = made("tosca.policies.tacker.Placement", "", "three, one", nodes=node)
    found = reported(result, "BPC840")
    assert [(one.path, "'three'" in one.message) for one in found] == [(("policies", 0, "p", "targets"), True)]
    assert hints(result) == {"one": {"group": {"get_resource": "p"}}}


def test_a_group_that_no_policy_names_is_reported() -> None:
    groups = (
        "  groups: {both: {type: tosca.groups.Root, members: [one]}, idle: {type: tosca.groups.Root, members: [two]}}\n"
    )
    result = made("tosca.policies.tacker.Placement", targets="both", nodes=groups)
    (found,) = reported(result, "BPC836")
    assert (found.path, "'idle'" in found.message) == (("groups", "idle"), True)


def test_a_placement_that_says_nothing_is_reported_as_that() -> None:
    result = made("tosca.policies.Placement")
    (found,) = reported(result, "BPC836")
    assert (found.path, "'p'" in found.message) == (("policies", 0, "p"), True)
    assert not reported(result, "BPC835")


# -- rules of ports -------------------------------------------------------------------------------------------

RULE = "tosca.policies.nfv.SecurityGroupRule"


def test_a_rule_is_a_group_of_its_ports() -> None:
    result = made(RULE, "protocol: tcp, port_range_min: 80, port_range_max: 80", "port, one, gone")
    found = result.document["resources"]
    assert found["p"]["type"] == "OS::Neutron::SecurityGroup"
    assert found["port"]["properties"]["security_groups"] == [{"get_resource": "p"}]
    assert list(found).index("p") + 1 == list(found).index("port")
    rows = reported(result, "BPC840")
    assert [one.path for one in rows] == [("policies", 0, "p", "targets")] * 2
    assert ["'one'" in rows[0].message, "'gone'" in rows[1].message] == [True, True]


@pytest.mark.parametrize(
    ("properties", "targets", "reason"),
    [
        ("", "one, gone", "none of its targets is a port that the template creates"),
        ("ether_type: {get_input: text}", "port", "what it needs to know is computed"),
        ("", "port, computed", "what it needs to know is computed"),
    ],
)
def test_why_a_rule_has_no_effect(properties: str, targets: str, reason: str) -> None:
    nodes = (
        "    computed: {type: openstack.neutron.Port, properties: {network: a, security_groups: {get_input: text}}}\n"
    )
    result = made(RULE, properties, targets, nodes=nodes)
    (found,) = reported(result, "BPC835")
    assert found.message.endswith(f": {reason}")
    assert "p" not in result.document["resources"]


# -- scaling --------------------------------------------------------------------------------------------------

ALL = "min_instances: 1, max_instances: 5, default_instances: 2"


def sizes(result: Result, name: str = "one") -> dict[str, Any]:
    row = result.document["resources"][name]["properties"]
    return {key: row[key] for key in ("count", "min_size", "max_size", "desired_capacity") if key in row}


@pytest.mark.parametrize(
    "type",
    ["tosca.policies.Scaling", "tosca.policies.tacker.Scaling", "tosca.policies.Scaling.Cluster"],
)
@pytest.mark.parametrize(
    ("properties", "wanted"),
    [
        (ALL, {"min_size": 1, "max_size": 5, "desired_capacity": 2}),
        ("min_instances: 2, max_instances: 5", {"min_size": 2, "max_size": 5, "desired_capacity": 2}),
        ("max_instances: 5, default_instances: 2", {"min_size": 1, "max_size": 5, "desired_capacity": 2}),
        ("default_instances: 3", {"count": 3}),
        ("default_instances: '3'", {"count": 3}),
        ("min_instances: 3", {"count": 3}),
        ("default_instances: {get_input: n}", {"count": {"get_param": "n"}}),
    ],
)
def test_the_targets_of_scaling_are_several(type: str, properties: str, wanted: dict[str, Any]) -> None:
    result = made(type, properties)
    assert sizes(result) == wanted
    assert why(result) == ""


@pytest.mark.parametrize("type", ["openstack.policies.AutoScalingGroup", "openstack.policies.ResourceGroup"])
def test_our_own_types_name_the_group(type: str) -> None:
    assert sizes(made(type, ALL), "p") == {"min_size": 1, "max_size": 5, "desired_capacity": 2}


def test_a_group_is_not_called_as_another_node_is() -> None:
    text = HEAD + "    p: {type: openstack.nova.KeyPair, properties: {name: k}}\n"
    policy = (
        f"  policies:\n    - p: {{type: openstack.policies.AutoScalingGroup, properties: {{{ALL}}}, targets: [one]}}\n"
    )
    found = convert(text + policy, "tosca", "hot", carry=False).document["resources"]
    assert found["p"]["type"] == "OS::Nova::KeyPair"
    assert found["one"]["type"] == "OS::Heat::AutoScalingGroup"


@pytest.mark.parametrize(
    ("properties", "targets", "reason"),
    [
        ("", "one", "it has no numbers"),
        ("", "", "it has no numbers"),
        ("default_instances: few", "one", "its numbers are no whole numbers"),
        ("max_instances: 2", "one", "it does not have their number"),
        ("default_instances: 2", "gone", "none of its targets is a resource that the template creates"),
        ("default_instances: 2", "app, gone", "none of its targets is a resource that the template creates"),
    ],
)
def test_why_scaling_has_no_effect(properties: str, targets: str, reason: str) -> None:
    app = "    app: {type: tosca.nodes.SoftwareComponent, requirements: [{host: one}]}\n"
    (found,) = reported(made("tosca.policies.Scaling", properties, targets, nodes=app), "BPC835")
    assert found.message.endswith(f": {reason}")


def test_scaling_without_numbers_is_that_of_its_target() -> None:
    node = "    many: {type: tosca.nodes.Compute, capabilities: {scalable: {properties: {default_instances: 3}}}}\n"
    assert not reported(made("tosca.policies.Scaling", "", "many", nodes=node), "BPC835")
    assert reported(made("tosca.policies.Scaling", "", "many, one", nodes=node), "BPC835")


@pytest.mark.parametrize(
    ("properties", "names"),
    [
        (f"{ALL}, increment: 2, cooldown: 60", []),
        (f"{ALL}, cooldown: 60", ["cooldown"]),
        (f"{ALL}, increment: null", ["increment"]),
        ("default_instances: 2, increment: 2, cooldown: 60", ["increment", "cooldown"]),
    ],
)
def test_steps_need_limits(properties: str, names: list[str]) -> None:
    result = made("tosca.policies.Scaling", properties)
    rows = result.document["resources"]
    steps = {name: row["properties"] for name, row in rows.items() if row["type"] == "OS::Heat::ScalingPolicy"}
    assert {name: (row["scaling_adjustment"], row["cooldown"]) for name, row in steps.items()} == (
        {} if names else {"p_scale_out": (2, 60), "p_scale_in": (-2, 60)}
    )
    found = [one for one in reported(result, "BPC147") if one.path[0] == "policies"]
    assert [one.path for one in found] == [("policies", 0, "p", "properties", name) for name in names]
    reason = "the number of its targets does not change by steps"
    assert [one.message for one in found] == [f"'{name}' of 'p' is not converted: {reason}" for name in names]


@pytest.mark.parametrize("step", ["{get_input: n}", "true", "few"])
def test_a_step_that_is_no_number_is_reported(step: str) -> None:
    result = made("tosca.policies.tacker.Scaling", f"{ALL}, increment: {step}")
    (found,) = reported(result, "BPC835")
    assert found.path == ("policies", 0, "p", "properties", "increment")
    assert found.message.endswith(": its increment is computed")
    assert "p_scale_out" not in result.document["resources"]
    result = made("tosca.policies.tacker.Scaling", f"{ALL}, increment: {step}, cooldown: 60")
    assert [one.path[-1] for one in reported(result, "BPC147") if one.path[0] == "policies"] == ["cooldown"]


@pytest.mark.parametrize(
    ("type", "members"), [("tosca.policies.Scaling", ["one", "nic"]), ("bpconvert.policies.Scaling", ["one"])]
)
def test_what_belongs_to_a_machine_is_scaled_with_it(type: str, members: list[str]) -> None:
    """Where a blueprint has said which nodes are scaled, these are all."""
    nic = "    nic: {type: tosca.nodes.network.Port, requirements: [{binding: one}, {link: net}]}\n"
    policy = f"    - p: {{type: {type}, properties: {{{ALL}}}, targets: [one]}}\n"
    document = convert(f"{HEAD}{nic}  policies:\n{policy}", "tosca", "cloudify", carry=False).document
    assert [row["members"] for row in document["groups"].values()] == [members]


# -- triggers -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("properties", "reason"),
    [
        ("", ""),
        ("name: a, description: b, vendor: c", ""),
        ("other: a", "what it means is a matter of its orchestrator"),
    ],
)
def test_a_policy_of_triggers_has_them_only(properties: str, reason: str) -> None:
    more = ", triggers: {t: {event: e, action: []}}"
    result = made("tosca.policies.Root", properties, more=more)
    rows = [one.message.rpartition(": ")[2] for one in reported(result, "BPC835")]
    assert rows == ([reason] if reason else [])
    assert [one.path[-1] for one in reported(result, "BPC839")] == ["t"]
