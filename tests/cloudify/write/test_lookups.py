"""Names of existing resources where the plugin wants ids: nodes whose script looks them up, and the way back."""

from __future__ import annotations

from typing import Any

import pytest

from bpconvert.api import Result, convert
from bpconvert.options import Options
from bpconvert.translators.cloudify import service_calls

HOT = """heat_template_version: 2018-08-31
parameters:
  one: {type: string, default: gold}
  maybe: {type: string, default: ''}
  many: {type: comma_delimited_list, default: 'web,db'}
  data: {type: json, default: {name: gold}}
  flag: {type: boolean, default: true}
  size: {type: number, default: 2}
conditions: {wanted: {get_param: flag}}
resources:
"""
PLAIN = Options(carry=False)
ID = "5a1b7c9e-0f3d-4c57-9e55-0d7a2c1f4b6d"


def converted(*resources: str, **options: Any) -> Result:
    body = "".join(f"  {line}\n" for line in resources)
    return convert(HOT + body, "hot", "cloudify", options=PLAIN._replace(**options))


def lookups(result: Result) -> dict[str, Any]:
    """Name of each node that looks a name up -> what it looks for, and where."""
    nodes = result.document["node_templates"].items()
    rows = {name: row["properties"] for name, row in nodes if row["type"] == "bpconvert.openstack.NameLookup"}
    return {name: (row["resource_config"], row["service"]["path"]) for name, row in rows.items()}


def config(result: Result, name: str) -> Any:
    return result.document["node_templates"][name]["properties"]["resource_config"]


def back(result: Result) -> Any:
    return convert(result.text, "cloudify", "hot", options=PLAIN).document["resources"]


def codes(result: Result) -> list[str]:
    return [one.code for one in result.diagnostics if one.code in ("BPC261", "BPC312", "BPC336")]


OF = "n: {type: OS::%s, properties: {%s}}"
FOR_ALL = "target_tenant: '*', action: access_as_shared"
NET = "n: {type: OS::Neutron::Net, properties: {qos_policy: %s}}"


@pytest.mark.parametrize(
    ("resource", "service"),
    [
        (NET % "gold", "network /v2.0/qos/policies policies"),
        (OF % ("Neutron::Subnet", "network: x, subnetpool: gold"), "network /v2.0/subnetpools subnetpools"),
        (OF % ("Neutron::Subnet", "network: x, segment: gold"), "network /v2.0/segments segments"),
        (OF % ("Neutron::Subnet", "network: {get_param: maybe}"), "network /v2.0/networks networks"),
        (OF % ("Neutron::Port", "network: x, fixed_ips: [{subnet: {get_param: maybe}}]"),
         "network /v2.0/subnets subnets"),
        (OF % ("Neutron::Port", "network: x, security_groups: {get_param: many}"),
         "network /v2.0/security-groups security_groups"),
        (OF % ("Neutron::RBACPolicy", f"object_type: qos_policy, object_id: gold, {FOR_ALL}"),
         "network /v2.0/qos/policies policies"),
        (OF % ("Designate::RecordSet", "zone: {get_param: maybe}, name: a., type: A, records: [x]"),
         "dns /v2/zones zones"),
        (OF % ("Keystone::Role", "domain: gold"), "identity /v3/domains domains"),
        (OF % ("Keystone::Project", "parent: {get_param: maybe}"), "identity /v3/projects projects"),
        (OF % ("Nova::Flavor", "ram: 1, vcpus: 1, is_public: false, tenants: [gold]"),
         "identity /v3/projects projects"),
        (OF % ("Cinder::Volume", "size: 1, image: {get_param: maybe}"), "image /v2/images images"),
        (OF % ("Manila::Share", "size: 1, share_protocol: NFS, snapshot: gold"), "sharev2 /snapshots snapshots"),
        (OF % ("Manila::Share", "size: 1, share_protocol: NFS, share_network: gold"),
         "sharev2 /share-networks share_networks"),
    ],
)  # fmt: skip
def test_where_a_name_is_looked_up(resource: str, service: str) -> None:
    result = converted(resource)
    [name] = lookups(result)
    templates = result.document["node_templates"]
    where = templates[name]["properties"]["service"]
    types, path, key = service.split()
    assert where == {"types": [types], "path": path, "key": key, "named": True}
    assert {"get_attribute": [name, "id"]} in list(leaves(templates["n"]["properties"]))
    assert name in [row["target"] for row in templates["n"]["relationships"]]
    assert codes(result) == ["BPC261"]


def test_where_something_is_reported_about_a_name() -> None:
    result = converted(NET % "{list_join: ['', [{get_param: one}, -x]]}")
    place = ("resources", "n", "properties", "qos_policy")
    assert {one.code: one.path for one in result.diagnostics if one.path[:4] == place} == {
        "BPC223": place, "BPC261": place,
    }  # fmt: skip


def leaves(value: Any) -> Any:
    """Each call and scalar in a value."""
    if isinstance(value, dict) and set(value) != {"get_attribute"}:
        for part in value.values():
            yield from leaves(part)
    elif isinstance(value, list):
        for part in value:
            yield from leaves(part)
    else:
        yield value


@pytest.mark.parametrize(
    ("value", "name", "written"),
    [
        ("gold", "gold_id", "gold"),
        ("{get_param: one}", "one_id", {"get_input": "one"}),
        ("{get_param: [data, name]}", "n_qos_policy_id", {"get_input": ["data", "name"]}),
        ("{list_join: ['', [{get_param: one}, -x]]}", "n_qos_policy_id", {"concat": [{"get_input": "one"}, "-x"]}),
        ("'very good'", "n_qos_policy_id", "very good"),
        ("1st", "n_qos_policy_id", "1st"),
        ("ö", "n_qos_policy_id", None),
    ],
)
def test_what_such_a_node_is_called_and_what_comes_back(value: str, name: str, written: Any) -> None:
    result = converted(NET % value)
    assert list(lookups(result)) == [name]
    if written is not None:
        assert lookups(result)[name][0] == {"value": written}
        assert back(result) == back(converted(NET % value))
        assert "qos_policy" in back(result)["n"]["properties"]
        assert set(back(result)) == {"n"}


@pytest.mark.parametrize("value", [ID, "{get_resource: q}"])
def test_what_is_an_id_is_not_looked_up(value: str) -> None:
    result = converted(NET % value, "q: {type: OS::Neutron::QoSPolicy}")
    assert lookups(result) == {}
    assert codes(result) == []


def test_a_list_that_a_parameter_gives_is_looked_up_as_a_whole() -> None:
    result = converted("p: {type: OS::Neutron::Port, properties: {network: x, security_groups: {get_param: many}}}")
    assert lookups(result) == {"many_id": ({"value": {"get_input": "many"}}, "/v2.0/security-groups")}
    assert config(result, "p")["security_groups"] == {"get_attribute": ["many_id", "id"]}
    assert back(result)["p"]["properties"]["security_groups"] == {"get_param": "many"}


def test_a_name_is_looked_up_once_for_all_who_use_it_under_one_condition() -> None:
    rows = [(NET % "gold").replace("n: ", f"{name}: ") for name in ("a", "b", "c")]
    rows[2] = rows[2].replace("Net,", "Net, condition: wanted,")
    result = converted(*rows)
    assert list(lookups(result)) == ["gold_id", "gold_id_2"]
    templates = result.document["node_templates"]
    assert list(templates) == ["gold_id", "a", "b", "gold_id_2", "c"]
    assert templates["gold_id_2"]["capabilities"] == templates["c"]["capabilities"]
    assert "capabilities" not in templates["gold_id"]


def test_in_a_branch_it_may_be_missing() -> None:
    ips = "{if: [wanted, [{subnet: {get_param: one}}], []]}"
    result = converted(f"p: {{type: OS::Neutron::Port, properties: {{network: x, fixed_ips: {ips}}}}}")
    assert lookups(result) == {"one_id": ({"value": {"get_input": "one"}, "optional": True}, "/v2.0/subnets")}


def test_heats_default_is_looked_up_by_nobody() -> None:
    assert lookups(converted("r: {type: OS::Keystone::Group, properties: {name: g, domain: default}}")) == {}


def test_names_with_the_number_of_a_member_are_not_looked_up() -> None:
    """Each member has its own."""
    member = "{type: OS::Neutron::Net, properties: {qos_policy: 'q-%index%'}}"
    group = f"g: {{type: OS::Heat::ResourceGroup, properties: {{count: {{get_param: size}}, resource_def: {member}}}}}"
    result = converted(group)
    assert lookups(result) == {}
    assert codes(result) == ["BPC312"]


@pytest.mark.parametrize("options", [{"asked": "inputs"}, {"plugin": "v2"}])
def test_without_scripts_ids_have_to_be_given(options: dict[str, str]) -> None:
    result = converted(NET % "gold", (NET % "{get_param: one}").replace("n: ", "m: "), **options)
    assert lookups(result) == {}
    assert codes(result) == ["BPC336", "BPC312"]


def test_a_node_with_another_script_is_not_ours() -> None:
    """What it yields is not known, so it stays."""
    result = converted(NET % "gold")
    files = {"scripts/bpconvert_service.py": "print()\n"}
    again = convert(result.text, "cloudify", "hot", beside=files, options=PLAIN)
    assert "gold_id" in again.document["resources"]


ADDRESS = "f: {type: OS::Neutron::FloatingIP, properties: {floating_network: public, floating_subnet: %s}}"
SUBNET = "s: {type: OS::Neutron::Subnet, properties: {network: {get_resource: n}, cidr: 192.0.2.0/24}}"


@pytest.mark.parametrize(
    ("subnet", "is_looked_up"),
    [
        ("{if: [wanted, {get_resource: s}]}", False),
        ("{if: [wanted, {get_resource: s}, {get_attr: [n, subnets, 0]}]}", False),
        ("{if: [wanted, {get_resource: s}, gold]}", True),
        ("{if: [wanted, gold]}", True),
        ("{if: [wanted, {get_resource: s}, {get_param: one}]}", True),
    ],
)
def test_a_choice_of_ids_is_looked_up_by_nobody(subnet: str, is_looked_up: bool) -> None:
    """Nothing has to be there in the case where nothing is chosen, either."""
    head = HOT.replace("2018-08-31", "wallaby")  # which takes a choice of one thing and nothing
    result = convert(f"{head}  {ADDRESS % subnet}\n  {SUBNET}\n  n: {{type: OS::Neutron::Net}}\n", options=PLAIN)
    by_plugin = [
        row
        for row in result.document["node_templates"].values()
        if "use_external_resource" in row.get("properties", {})
    ]
    assert bool(lookups(result) or by_plugin) is is_looked_up


class _Empty:
    """A cloud without anything in it."""

    project = "p"

    def asked(self, method: str, types: Any, path: str, **more: Any) -> Any:
        return {"projects": []}


def test_the_script_looks_nothing_up_where_a_condition_leaves_the_name_out() -> None:
    service = {"types": ["identity"], "path": "/v3/projects", "key": "projects", "named": True}
    assert service_calls.created(_Empty(), service, {}, lambda identity, place: None) == {"id": None}  # type: ignore[arg-type]
