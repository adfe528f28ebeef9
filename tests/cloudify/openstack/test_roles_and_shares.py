"""Roles that projects give, record sets of the first API, and access to shares, in both directions."""

from __future__ import annotations

from typing import Any

import pytest
from neutral_form import REL, V3, lifted

from bpconvert.api import Result, convert
from bpconvert.models.expressions import Attribute, Identity, Property
from bpconvert.options import Options

HOT = """
heat_template_version: 2018-08-31
parameters: {given: {type: string, default: x}, flag: {type: boolean, default: true}}
conditions: {wanted: {get_param: flag}}
resources:
  project: {type: OS::Keystone::Project}
  role: {type: OS::Keystone::Role}
"""


def converted(resources: str, **options: Any) -> Result:
    body = "".join(f"  {line}\n" for line in resources.strip("\n").splitlines())
    return convert(HOT + body, "hot", "cloudify", options=Options(**options))


def properties(result: Result, node: str) -> dict[str, Any]:
    found: dict[str, Any] = result.document["node_templates"][node]["properties"]
    return found


def codes(result: Result, name: str) -> list[str]:
    return [d.code for d in result.diagnostics if d.path[:2] == ("resources", name)]


USER = "user: {type: OS::Keystone::User, properties: {name: jo, roles: [{role: %s, project: %s}]}}"


def test_a_project_gives_the_role() -> None:
    result = converted(USER % ("{get_resource: role}", "{get_resource: project}"))
    given = [{"name": {"get_attribute": ["user", "id"]}, "roles": [{"get_attribute": ["role", "id"]}]}]
    assert properties(result, "project")["users"] == given
    waits = [row["target"] for row in result.document["node_templates"]["project"]["relationships"]]
    assert waits == ["user", "role"]
    assert "relationships" not in result.document["node_templates"]["user"]


def test_roles_of_one_user_are_one_entry() -> None:
    more = "\nmore: {type: OS::Keystone::UserRoleAssignment, properties: {user: {get_resource: user}, roles: [%s, %s]}}"
    role = "{role: b, project: {get_resource: project}}"
    result = converted(USER % ("a", "{get_resource: project}") + more % (role, role))
    assert sorted(properties(result, "project")["users"][0]["roles"]) == ["a", "b"]


@pytest.mark.parametrize("project", ["{get_param: given}", "there"])
def test_a_role_on_an_existing_project_has_a_node_of_its_own(project: str) -> None:
    result = converted(USER % ("member", project))
    name = next(name for name in result.document["node_templates"] if name.startswith("external_"))
    assert properties(result, name)["use_external_resource"] is True
    assert [entry["roles"] for entry in properties(result, name)["users"]] == [["member"]]


def test_a_user_that_waits_for_the_project_makes_no_circle() -> None:
    user = USER.replace("name: jo", "name: jo, default_project: {get_resource: project}")
    result = converted(user % ("member", "{get_resource: project}"))
    assert "users" not in properties(result, "project")
    known = properties(result, "external_project_of_user")["resource_config"]
    assert known == {"id": {"get_attribute": ["project", "id"]}}
    assert not {"BPC388", "BPC407"} & {d.code for d in result.diagnostics}


def test_a_conditional_user_has_a_node_with_its_condition() -> None:
    user = (USER % ("member", "{get_resource: project}")).replace("User,", "User, condition: wanted,")
    result = converted(user)
    assert "users" not in properties(result, "project")
    node = result.document["node_templates"]["external_project_of_user"]
    assert node["capabilities"] == result.document["node_templates"]["user"]["capabilities"]


def test_the_old_plugin_finds_users_by_name() -> None:
    result = converted(USER % ("member", "{get_resource: project}"), plugin="v2")
    given = [{"name": {"get_attribute": ["user", "external_name"]}, "roles": ["member"]}]
    assert properties(result, "project")["users"] == given


# -- the way back -------------------------------------------------------------------------------------------

SHOP = f"""
clerk: {{type: {V3}User, properties: {{resource_config: {{name: clerk}}}}}}
shop:
  type: {V3}Project
  properties: {{resource_config: {{name: shop}}, users: [{{name: NAME, roles: [member]}}]}}
"""


@pytest.mark.parametrize(
    "name",
    [
        "clerk",
        "{get_attribute: [clerk, id]}",
        "{get_attribute: [clerk, name]}",
        "{get_property: [clerk, resource_config, name]}",
    ],
)
def test_roles_are_resources(name: str) -> None:
    found = lifted(SHOP.replace("NAME", name)).properties("shop_clerk_roles")
    assert found == {"user": Identity("clerk"), "roles": [{"role": "member", "project": Identity("shop")}]}


def test_a_node_that_only_gives_roles_is_part_of_the_project() -> None:
    more = f"""
more:
  type: {V3}Project
  properties:
    use_external_resource: true
    resource_config: {{id: {{get_attribute: [shop, id]}}}}
    users: [{{name: x, roles: [y]}}]
"""
    found = lifted(SHOP.replace("NAME", "clerk") + more)
    assert "more" not in found.topology.nodes
    assert found.properties("more_user_0_roles")["roles"] == [{"role": "y", "project": Identity("shop")}]


def test_roles_that_are_not_written_out_are_told() -> None:
    text = SHOP.replace("[{name: NAME, roles: [member]}]", "{get_input: users}")
    found = lifted(text, "inputs: {users: {default: []}}")
    told = [d.code for d in found.diagnostics if d.path[:2] == ("node_templates", "shop") and d.code[:5] == "BPC71"]
    assert told == ["BPC713"]


SHARE = f"""
server: {{type: {V3}Server, properties: {{resource_config: {{}}}}}}
subnet: {{type: {V3}Subnet, properties: {{resource_config: {{cidr: 192.0.2.0/24}}}}}}
network: {{type: {V3}NetworkShare, properties: {{resource_config: {{}}}}}}
share:
  type: {V3}SharedFileSystem
  properties: {{resource_config: {{size: 1, share_proto: PROTOCOL}}}}
  relationships: [{{type: TYPE, target: TARGET}}]
"""


def share(target: str, relationship: str, protocol: str = "NFS") -> Any:
    text = SHARE.replace("TARGET", target).replace("TYPE", REL + relationship).replace("PROTOCOL", protocol)
    return lifted(text).node("share")


@pytest.mark.parametrize(
    ("target", "allowed"),
    [("server", Attribute("server", "first_address")), ("subnet", Property("subnet", "resource_config", ("cidr",)))],
)
def test_a_relationship_allows_access(target: str, allowed: Any) -> None:
    found = share(target, f"openstack.share_connected_to_{target}")
    assert found.properties["access_rules"] == [{"access_to": allowed, "access_type": "ip", "access_level": "rw"}]
    assert "access_rules" not in share(target, "connected_to").properties


def test_only_the_plugin_s_own_relationship_sets_the_share_network() -> None:
    special = share("network", "openstack.share_connected_to_network_share")
    assert special.properties["share_network"] == Identity("network")
    plain = share("network", "depends_on")
    assert "share_network" not in plain.properties
    assert plain.awaited == ["network"]


@pytest.mark.parametrize(
    ("written", "heat"), [("nfs", "NFS"), ("Cephfs", "CEPHFS"), ("glusterfs", "GlusterFS"), ("odd", "odd")]
)
def test_protocols_are_in_the_case_that_heat_wants(written: str, heat: str) -> None:
    assert share("server", "depends_on", written).properties["share_protocol"] == heat
