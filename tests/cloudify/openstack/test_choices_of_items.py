"""Lists of which a condition leaves items out, and what a port has or not with its security."""

from __future__ import annotations

from typing import Any

import pytest

from bpconvert.api import Result, convert

HEAD = """heat_template_version: wallaby
parameters: {flag: {type: boolean, default: false}, text: {type: string}}
conditions: {c: {get_param: flag}}
resources:
  n: {type: OS::Neutron::Net%s}
  s: {type: OS::Neutron::Subnet, properties: {network: {get_resource: n}, cidr: 192.0.2.0/24}}
"""
PORT = "p: {type: OS::Neutron::Port, properties: {network: {get_resource: n}, %s}}"
FIXED = "{subnet: {get_resource: s}, ip_address: 192.0.2.7}"
OPEN = ", properties: {port_security_enabled: %s}"


def converted(resource: str, net: str = "") -> Result:
    return convert(HEAD % net + f"  {resource}\n", "hot", "cloudify", carry=False)


def config(result: Result, name: str = "p") -> Any:
    return result.document["node_templates"][name]["properties"]["resource_config"]


def cases(result: Result, name: str) -> Any:
    """The branches of a hidden input, the one for false first."""
    return result.document["inputs"][name]["default"]


def warnings(result: Result) -> list[str]:
    return [row.code for row in result.diagnostics if row.severity != "info"]


# -- addresses ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", [f"[{{if: [c, {FIXED}]}}]", f"{{if: [c, [{FIXED}], []]}}", f"{{if: [c, [{FIXED}]]}}"])
def test_no_addresses_are_those_that_neutron_chooses(value: str) -> None:
    """For the plugin, an empty list is a port without any."""
    result = converted(PORT % f"fixed_ips: {value}")
    row = {"subnet_id": {"get_attribute": ["s", "id"]}, "ip_address": "192.0.2.7"}
    assert cases(result, "if_p_fixed_ips") == [{}, {"fixed_ips": [row]}]
    assert config(result)["merge"][1] == {"get_input": ["if_p_fixed_ips", {"get_input": "flag"}]}
    assert not warnings(result)


@pytest.mark.parametrize(
    ("value", "lengths"),
    [
        (f"{{if: [c, [], [{FIXED}]]}}", [1, 0]),
        ("{if: [c, [], []]}", None),
        ("[]", None),
    ],
)
def test_nothing_may_come_first(value: str, lengths: list[int] | None) -> None:
    result = converted(PORT % f"fixed_ips: {value}")
    if lengths is None:
        assert "fixed_ips" not in str(config(result))
    else:
        assert [len(case.get("fixed_ips", ())) for case in cases(result, "if_p_fixed_ips")] == lengths
    assert not warnings(result)


def test_nothing_in_a_choice_of_a_choice() -> None:
    result = converted(PORT % f"fixed_ips: {{if: [c, [], {{if: [{{not: c}}, [{FIXED}], []]}}]}}")
    inner = {"get_input": ["if_p_fixed_ips_if", {"get_input": "flag"}]}
    assert cases(result, "if_p_fixed_ips") == [inner, {}]
    assert [list(case) for case in cases(result, "if_p_fixed_ips_if")] == [["fixed_ips"], []]


def test_one_of_several_addresses() -> None:
    result = converted(PORT % f"fixed_ips: [{FIXED}, {{if: [c, {{ip_address: 192.0.2.8}}]}}]")
    lengths = [len(case) for case in cases(result, "if_p_fixed_ips")]
    assert lengths == [1, 2]
    assert not warnings(result)


# -- names and groups ---------------------------------------------------------------------------------------


def test_a_name_that_is_left_out_of_a_list_is_looked_up_in_its_case() -> None:
    result = converted(PORT % "security_groups: [{if: [c, web]}, {if: [c, db]}]")
    ids = [{"get_attribute": [f"{name}_id", "id"]} for name in ("web", "db")]
    assert cases(result, "if_p_security_groups") == [[], ids]
    assert not warnings(result)


@pytest.mark.parametrize("item", ["{if: [c, web]}", "{if: [c, {get_resource: h}]}"])
def test_a_group_that_is_left_out_is_no_relationship(item: str) -> None:
    """One would be there in every case."""
    groups = "g: {type: OS::Neutron::SecurityGroup}\n  h: {type: OS::Neutron::SecurityGroup}"
    result = converted(PORT % f"security_groups: [{item}, {{get_resource: g}}]" + f"\n  {groups}")
    assert [len(case) for case in cases(result, "if_p_security_groups")] == [1, 2]
    kinds = [row["type"] for row in result.document["node_templates"]["p"]["relationships"]]
    assert "cloudify.relationships.openstack.port_connected_to_security_group" not in kinds
    assert not warnings(result)


def test_each_list_of_a_choice_is_looked_up() -> None:
    result = converted(PORT % "security_groups: {if: [c, [web], [db]]}")
    assert cases(result, "if_p_security_groups") == [
        [{"get_attribute": [f"{name}_id", "id"]}] for name in ("db", "web")
    ]


@pytest.mark.parametrize("groups", ["[{if: [c, {get_resource: g}]}]", "[{get_resource: g}, {if: [c, other]}]"])
def test_groups_of_a_user_that_a_condition_leaves_out_are_reported(groups: str) -> None:
    """A node puts the user into a group, with none there it ended the deployment."""
    user = f"u: {{type: OS::Keystone::User, properties: {{groups: {groups}}}}}"
    result = converted(f"{user}\n  g: {{type: OS::Keystone::Group}}")
    assert warnings(result) == ["BPC302"]
    assert "u_membership" not in result.document["node_templates"]


# -- security of ports --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("net", "port"),
    [
        ("", "port_security_enabled: false"),
        ("", "port_security_enabled: 'no'"),
        (OPEN % "false", "name: x"),
        (OPEN % "'0'", "name: x"),
    ],
)
def test_a_port_without_security_has_no_default_group(net: str, port: str) -> None:
    """Neutron refuses a group for it."""
    result = converted(PORT % port, net)
    assert "security_groups" not in config(result)
    assert "external_default" not in result.document["node_templates"]


@pytest.mark.parametrize(
    ("net", "port"), [(OPEN % "false", "port_security_enabled: true"), (OPEN % "true", "name: x"), ("", "name: x")]
)
def test_a_port_with_security_has_the_default_group(net: str, port: str) -> None:
    result = converted(PORT % port, net)
    targets = [row["target"] for row in result.document["node_templates"]["p"]["relationships"]]
    assert "external_default" in targets


@pytest.mark.parametrize(
    ("net", "port"),
    [
        ("", "port_security_enabled: {get_param: flag}"),
        ("", "port_security_enabled: {if: [c, true, false]}"),
        (OPEN % "{get_param: flag}", "name: x"),
    ],
)
def test_what_decides_the_security_decides_the_group(net: str, port: str) -> None:
    result = converted(PORT % port, net)
    name, index = config(result)["security_groups"]["get_input"]
    assert cases(result, name) == [[], [{"get_attribute": ["external_default", "id"]}]]
    assert index == {"get_input": "flag"}
    assert not warnings(result)


def test_a_network_whose_properties_are_not_known_says_nothing() -> None:
    result = converted(PORT % "name: x", ", properties: {get_file: net.yaml}")
    assert "external_default" in result.document["node_templates"]
