"""Roles on domains, and groups of users, in both directions: a script gives them, as the plugin does not."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from bpconvert.api import Result, convert
from bpconvert.options import Options

HOT = """
heat_template_version: 2018-08-31
parameters:
  domain: {type: string, default: shop}
  groups: {type: comma_delimited_list, default: staff}
  flag: {type: boolean, default: true}
conditions: {wanted: {get_param: flag}}
resources:
  role: {type: OS::Keystone::Role}
  group: {type: OS::Keystone::Group}
"""
TYPE = "bpconvert.openstack."
ID = {"get_attribute": ["user", "id"]}


def converted(resource: str, **options: Any) -> Result:
    return convert(f"{HOT}  {resource}\n", "hot", "cloudify", options=Options(carry=False, **options))


def node(result: Result, name: str) -> tuple[str, Any, list[str]]:
    """Type, settings, and what is waited for."""
    data = result.document["node_templates"][name]
    targets = [row["target"] for row in data.get("relationships", ())]
    return data["type"].removeprefix(TYPE), data["properties"]["resource_config"], targets


def back(result: Result) -> Any:
    again = convert(result.text, "cloudify", "hot", options=Options(carry=False))
    assert [d.code for d in again.diagnostics if d.severity != "info"] == []
    return again.document["resources"]


def codes(result: Result) -> list[str]:
    return [d.code for d in result.diagnostics if d.severity != "info"]


USER = "user: {type: OS::Keystone::User, properties: {name: jo, %s}}"


def test_a_role_on_a_domain_is_given_by_a_script() -> None:
    result = converted(USER % "roles: [{role: {get_resource: role}, domain: {get_param: domain}}]")
    config = {"user_id": ID, "role_id": {"get_attribute": ["role", "id"]}, "domain_id": {"get_input": "domain"}}
    assert node(result, "user_role") == ("DomainRoleOfUser", config, ["user", "role"])
    assert codes(result) == []
    made = {
        "user": {"get_resource": "user"},
        "roles": [{"role": {"get_resource": "role"}, "domain": {"get_param": "domain"}}],
    }
    assert back(result)["user_role"] == {"type": "OS::Keystone::UserRoleAssignment", "properties": made}


def test_a_role_of_a_group_on_a_domain() -> None:
    result = converted("staff: {type: OS::Keystone::Group, properties: {roles: [{role: admin, domain: default}]}}")
    config = {"group_id": {"get_attribute": ["staff", "id"]}, "role_id": "admin", "domain_id": "default"}
    assert node(result, "staff_role") == ("DomainRoleOfGroup", config, ["staff"])
    made = {"group": {"get_resource": "staff"}, "roles": [{"role": "admin", "domain": "default"}]}
    assert back(result)["staff_role"] == {"type": "OS::Keystone::GroupRoleAssignment", "properties": made}


def test_a_resource_gives_roles_on_domains_and_projects() -> None:
    roles = "[{role: a, domain: d}, {role: b, project: p}, {role: c, domain: d}]"
    result = converted(f"gives: {{type: OS::Keystone::UserRoleAssignment, properties: {{user: root, roles: {roles}}}}}")
    assert node(result, "gives_role")[1] == {"user_id": "root", "role_id": "a", "domain_id": "d"}
    assert node(result, "gives_role_2")[1] == {"user_id": "root", "role_id": "c", "domain_id": "d"}
    assert node(result, "external_p_of_gives")[0] == "cloudify.nodes.openstack.Project"
    assert codes(result) == []


def test_a_user_is_put_into_groups_by_a_script() -> None:
    result = converted(USER % "groups: [{get_resource: group}, others]")
    config = {"user_id": ID, "group_id": {"get_attribute": ["group", "id"]}}
    assert node(result, "user_membership") == ("GroupMembership", config, ["user", "group"])
    assert node(result, "user_membership_2")[1] == {"user_id": ID, "group_id": "others"}
    assert codes(result) == []
    resources = back(result)
    assert resources["user"]["properties"]["groups"] == [{"get_resource": "group"}, "others"]
    assert set(resources) == {"role", "group", "user"}


def test_no_groups_are_no_groups() -> None:
    result = converted(USER % "groups: []")
    assert "user_membership" not in result.document["node_templates"]
    assert codes(result) == []
    (message,) = (one.message for one in result.diagnostics if one.code == "BPC306")
    assert message == "'groups: []' is what the plugin does anyway"


def test_what_gives_a_role_has_the_condition_of_who_gets_it() -> None:
    user = (USER % "roles: [{role: a, domain: d}], groups: [g]").replace("User,", "User, condition: wanted,")
    templates = converted(user).document["node_templates"]
    for name in ("user_role", "user_membership"):
        assert templates[name]["capabilities"] == templates["user"]["capabilities"]


@pytest.mark.parametrize("options", [{"asked": "inputs"}, {"plugin": "v2"}])
def test_without_scripts_both_are_reported(options: dict[str, str]) -> None:
    result = converted(USER % "roles: [{role: a, domain: d}], groups: [g]", **options)
    assert {"BPC302", "BPC710"} <= set(codes(result))
    assert not [name for name in result.document["node_templates"] if name.startswith("user_")]


@pytest.mark.parametrize("groups", ["{get_param: groups}", "[null]"])
def test_groups_that_are_not_written_out_are_reported(groups: str) -> None:
    """They come back from what is kept."""
    result = converted(USER % f"groups: {groups}")
    assert codes(result) == ["BPC302"]
    (message,) = (one.message for one in result.diagnostics if one.code == "BPC302")
    assert message.endswith("'groups' of OS::Keystone::User has no counterpart: the plugin puts no users into groups")
    kept = yaml.safe_load(result.document["metadata"]["bpconvert_kept"])
    assert [*kept["nodes"]["user"]["properties"]] == ["groups"]


def test_users_of_a_group_of_resources_are_not_known_one_by_one() -> None:
    user = "{type: OS::Keystone::User, properties: {name: jo, groups: [g]}}"
    result = converted(f"all: {{type: OS::Heat::ResourceGroup, properties: {{count: 2, resource_def: {user}}}}}")
    assert "BPC302" in codes(result)


def changed(result: Result, name: str, **settings: Any) -> Result:
    """The way back, where a node has other settings; None is none."""
    data = yaml.safe_load(result.text)
    config = data["node_templates"][name]["properties"]["resource_config"]
    config.update(settings)
    for key in [key for key, value in settings.items() if value is None]:
        del config[key]
    return convert(yaml.safe_dump(data, sort_keys=False), "cloudify", "hot", options=Options(carry=False))


@pytest.mark.parametrize("user", ["root", {"get_attribute": ["group", "id"]}])
def test_a_membership_of_an_existing_user_is_no_resource_of_heat(user: Any) -> None:
    """It is told that nobody becomes a member. Nor of what is no user."""
    again = changed(converted(USER % "groups: [{get_resource: group}]"), "user_membership", user_id=user)
    made = again.document["resources"]["user_membership"]
    assert made["type"] == "OS::Heat::None"
    assert made["properties"]["properties"]["resource_config"]["user_id"] in (user, {"get_resource": "group"})
    assert "groups" not in again.document["resources"]["user"]["properties"]
    losses = [one.path for one in again.diagnostics if one.code == "BPC380"]
    assert losses == [("node_templates", "user_membership")]


def test_a_membership_of_a_user_that_exists_already_is_not_one_of_its_resource() -> None:
    data = yaml.safe_load(converted(USER % "groups: [g]").text)
    data["node_templates"]["user"]["properties"].update(use_external_resource=True, resource_config={"id": "jo"})
    again = convert(yaml.safe_dump(data, sort_keys=False), "cloudify", "hot", options=Options(carry=False))
    assert "user" not in again.document["resources"]
    assert ("node_templates", "user_membership") in {one.path for one in again.diagnostics if one.code == "BPC380"}


@pytest.mark.parametrize(("missing", "role"), [("role_id", None), ("domain_id", [{"role": "a"}])])
def test_what_a_role_lacks_it_lacks_in_heat_too(missing: str, role: Any) -> None:
    """Without a role there is none: it is asked for."""
    again = changed(converted(USER % "roles: [{role: a, domain: d}]"), "user_role", **{missing: None})
    written = again.document["resources"]["user_role"]["properties"]["roles"]
    assert written == (role or {"get_param": "user_role_roles"})


def test_what_waits_for_a_user_waits_for_its_roles_and_groups() -> None:
    """But what gives them, and what they need."""
    more = "\n  after: {type: OS::Heat::None, depends_on: user}\n  group_of_user: {type: OS::Keystone::Group}"
    user = USER % "roles: [{role: a, domain: d}], groups: [{get_resource: group_of_user}]"
    result = converted(user + more)
    templates = result.document["node_templates"]
    waits = {name: [row["target"] for row in templates[name].get("relationships", ())] for name in templates}
    assert waits["after"] == ["user", "user_membership", "user_role"]
    assert waits["user_role"] == ["user"]
    assert waits["user_membership"] == ["user", "group_of_user"]
    assert waits["group_of_user"] == []
    assert back(result)["after"]["depends_on"] == ["user", "user_role"]


def test_where_something_is_reported_about_a_role() -> None:
    value = "{list_join: ['', [{get_param: domain}, x]]}"
    result = converted(USER % f"roles: [{{role: a, domain: {value}}}], groups: [{value}]")
    places = [one.path[3:] for one in result.diagnostics if one.code == "BPC223"]
    assert places == [("roles", 0, "domain"), ("groups", 0)]


@pytest.mark.parametrize(("value", "code"), [("é", "BPC215"), ("5", "BPC509")])
def test_where_something_is_reported_about_plain_data(value: str, code: str) -> None:
    result = converted(USER % f"roles: [{{role: {value}, domain: {value}}}], groups: [{value}]")
    places = [one.path[3:] for one in result.diagnostics if one.code == code and one.path[:1] == ("resources",)]
    assert sorted(places, key=str) == [("groups", 0), ("roles", 0, "domain"), ("roles", 0, "role")]


def test_what_is_told_of_who_gets_a_role_is_told_at_the_role() -> None:
    result = converted(
        "gives: {type: OS::Keystone::UserRoleAssignment, properties: {user: 5, roles: [{role: a, domain: d}]}}"
    )
    places = [one.path[1:] for one in result.diagnostics if one.code == "BPC509" and one.path[:1] == ("resources",)]
    assert places == [("gives", "properties", "roles", 0)]


@pytest.mark.parametrize(
    "role", ["{role: b, domain: d, project: p}", "{role: c}", "{domain: d}", "{project: p, role: a}"]
)
def test_only_a_role_on_a_domain_alone_is_given_by_a_script(role: str) -> None:
    templates = converted(USER % f"roles: [{role}]").document["node_templates"]
    assert "user_role" not in templates


@pytest.mark.parametrize(
    ("node_name", "setting"),
    [("user_role", "role_id"), ("user_role", "domain_id"), ("user_role", "user_id"), ("user_membership", "group_id")],
)
def test_what_heat_refuses_is_asked_for_where_it_stands(node_name: str, setting: str) -> None:
    """A map is no text."""
    result = converted(USER % "roles: [{role: a, domain: d}], groups: [g]")
    again = changed(result, node_name, **{setting: {"a": 1}})
    places = [one.path for one in again.diagnostics if one.code == "BPC786"]
    assert places == [("node_templates", node_name, "properties", "resource_config", setting)]


def test_where_something_is_reported_on_the_way_back() -> None:
    result = converted(USER % "roles: [{role: a, domain: d}], groups: [g]")
    data = yaml.safe_load(result.text)
    secret = {"get_secret": "s"}
    for name, keys in (("user_role", ("role_id", "domain_id")), ("user_membership", ("group_id",))):
        data["node_templates"][name]["properties"]["resource_config"].update(dict.fromkeys(keys, secret))
    again = convert(yaml.safe_dump(data, sort_keys=False), "cloudify", "hot", options=Options(carry=False))
    resources = again.document["resources"]
    assert list(resources["user_role"]["properties"]["roles"][0]) == ["role", "domain"]
    assert "get_param" in resources["user"]["properties"]["groups"][0]
    config = ("properties", "resource_config")
    asked = [one.path for one in again.diagnostics if one.path[2:4] == config]
    assert {path[1:] for path in asked} == {
        ("user_role", *config, "role_id"), ("user_role", *config, "domain_id"),
        ("user_membership", *config, "group_id"),
    }  # fmt: skip
