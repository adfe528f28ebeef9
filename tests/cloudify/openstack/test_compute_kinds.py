"""Flavors, images, server groups, RBAC policies, extra routes, and Heat types of other times, both ways."""

from __future__ import annotations

from typing import Any

import pytest
from neutral_form import REL, UUID, V2, V3, lifted, one, related

from bpconvert.api import Result, convert
from bpconvert.models.expressions import Identity
from bpconvert.options import Options

OF_PLUGIN = "cloudify.relationships.openstack."


def converted(*resources: str, plugin: str = "v3") -> Result:
    """The conversion of a template with these resources."""
    head = "heat_template_version: wallaby\nparameters: {x: {type: string}, hints: {type: json}}\n"
    head += "conditions: {c: {equals: [{get_param: x}, y]}}\nresources:\n"
    return convert(head + "".join(f"  {line}\n" for line in resources), options=Options(plugin=plugin))


def node(result: Result, name: str) -> Any:
    return result.document["node_templates"][name]


def targets(result: Result, name: str) -> dict[str, str]:
    return {r["target"]: r["type"] for r in node(result, name).get("relationships", ())}


def codes(result: Result) -> list[str]:
    wanted = ("BPC170", "BPC268", "BPC30", "BPC31", "BPC33", "BPC34")
    return [d.code for d in result.diagnostics if d.code.startswith(wanted)]


# -- scheduler hints ----------------------------------------------------------------------------------------

GROUP = "g: {type: OS::Nova::ServerGroup}"


def server(hints: str) -> str:
    return f"s: {{type: OS::Nova::Server, properties: {{image: i, flavor: f, scheduler_hints: {hints}}}}}"


def test_a_group_in_the_hints_is_a_relationship_and_the_others_stay() -> None:
    result = converted(GROUP, server("{group: {get_resource: g}, same_host: [a]}"))
    assert targets(result, "s") == {"g": f"{OF_PLUGIN}server_connected_to_server_group"}
    assert node(result, "s")["properties"]["resource_config"] == {"kwargs": {"scheduler_hints": {"same_host": ["a"]}}}


def test_hints_with_nothing_left_are_not_written() -> None:
    result = converted(GROUP, server("{group: {get_resource: g}}"))
    assert node(result, "s")["properties"]["resource_config"] == {}


@pytest.mark.parametrize("hints", ["{group: {get_param: x}}", "{get_param: hints}", "{}"])
def test_hints_without_a_group_of_the_template_are_a_property(hints: str) -> None:
    result = converted(GROUP, server(hints))
    assert "scheduler_hints" in node(result, "s")["properties"]["resource_config"]["kwargs"]
    assert targets(result, "s") == {}


def test_any_relationship_to_a_group_is_a_hint() -> None:
    found = related(f"{V3}Server", f"{V3}ServerGroup", f"{REL}depends_on")
    assert found.properties("s") == {"scheduler_hints": {"group": Identity("t")}}
    assert found.told == [("BPC365", "node_templates.t.properties")]


def test_a_hint_and_a_relationship_to_another_group() -> None:
    config = "{resource_config: {kwargs: {scheduler_hints: {group: other}}}}"
    found = related(f"{V3}Server", f"{V3}ServerGroup", f"{REL}depends_on", config)
    assert found.properties("s") == {"scheduler_hints": {"group": "other"}}
    assert [code for code, _ in found.told] == ["BPC365", "BPC410"]


def test_the_policy_of_a_group_of_the_2x_plugin() -> None:
    found = one(f"{V2}ServerGroup", "{resource_id: g, policy: affinity}")
    assert found.properties("n") == {"name": "g", "policies": ["affinity"]}
    result = converted("g: {type: OS::Nova::ServerGroup, properties: {name: g, policies: [affinity]}}", plugin="v2")
    properties = node(result, "g")["properties"]
    assert (properties["resource_id"], properties["policy"], "server_group" in properties) == ("g", "affinity", False)


# -- images and flavors -------------------------------------------------------------------------------------


def test_a_relationship_sets_a_servers_image_only_where_nothing_else_does() -> None:
    assert related(f"{V3}Server", f"{V3}Image", f"{REL}depends_on").properties("s") == {"image": Identity("t")}
    found = related(f"{V3}Server", f"{V3}Image", f"{REL}depends_on", "{image: other}")
    assert found.properties("s") == {"image": "other"}
    assert found.node("s").awaited == ["t"]


def test_the_image_of_a_volume_is_that_of_its_relationship() -> None:
    found = related(f"{V3}Volume", f"{V3}Image", f"{REL}connected_to", "{resource_config: {imageRef: other, size: 1}}")
    assert found.properties("s") == {"size": 1, "image": Identity("t")}
    assert [code for code, _ in found.told] == ["BPC362"]


def test_a_volume_with_an_image_that_comes_later_is_bootable() -> None:
    found = lifted(
        f"s: {{type: {V3}Server, relationships: [{{type: {REL}depends_on, target: v}}]}}\n"
        f"v: {{type: {V3}Volume, relationships: [{{type: {REL}connected_to, target: i}}]}}\n"
        f"i: {{type: {V3}Image}}"
    )
    assert found.properties("s")["block_device_mapping_v2"][0]["volume_id"] == Identity("v")


def test_an_image_that_nobody_is_told_of_is_shared() -> None:
    assert one(f"{V3}Image", "{resource_config: {name: i}}").properties("n")["visibility"] == "shared"
    result = converted("i: {type: OS::Glance::WebImage, properties: {location: x, disk_format: raw}}")
    assert node(result, "i")["properties"]["resource_config"]["kwargs"] == {"visibility": "private"}


def test_properties_of_images_of_the_2x_plugin() -> None:
    found = one(f"{V2}Image", "{image: {disk_format: raw, hw_disk_bus: scsi}, image_url: u}")
    assert found.properties("n")["extra_properties"] == {"hw_disk_bus": "scsi"}


@pytest.mark.parametrize(
    ("properties", "said", "told"),
    [
        ("tenants: [a]", None, ["BPC341"]),
        ("tenants: [a], is_public: false", [{"get_attribute": ["a_id", "id"]}], []),
        ("tenants: [], is_public: false", None, ["BPC306", "BPC342"]),
        ("is_public: false", None, ["BPC342"]),
        ("is_public: true", None, []),
        ("is_public: {get_param: x}", None, ["BPC342"]),
        ("is_public: {if: [c, false]}", None, ["BPC342"]),
        ("is_public: {if: [c, true]}", None, []),
        ("is_public: {get_param: x}, tenants: [a]", [{"get_attribute": ["a_id", "id"]}], ["BPC268"]),
        ("is_public: {if: [c, false, true]}, tenants: [a]", [{"get_attribute": ["a_id", "id"]}], ["BPC268"]),
        ("is_public: {if: [c, no, '0']}, tenants: [a]", [{"get_attribute": ["a_id", "id"]}], []),
    ],
)
def test_access_to_flavors(properties: str, said: Any, told: list[str]) -> None:
    result = converted(f"f: {{type: OS::Nova::Flavor, properties: {{ram: 1, vcpus: 1, {properties}}}}}")
    assert node(result, "f")["properties"].get("tenants") == said
    assert codes(result) == told


# -- RBAC policies ------------------------------------------------------------------------------------------


def policy(kind: str, value: str) -> str:
    shared = f"object_type: {kind}, object_id: {value}, target_tenant: t, action: access_as_shared"
    return f"p: {{type: OS::Neutron::RBACPolicy, properties: {{{shared}}}}}"


@pytest.mark.parametrize("value", ["{get_resource: n}", "name", UUID, "{get_param: x}"])
def test_a_shared_network_is_a_relationship(value: str) -> None:
    result = converted("n: {type: OS::Neutron::Net}", policy("network", value))
    assert list(targets(result, "p").values()) == [f"{OF_PLUGIN}rbac_policy_applied_to"]
    config = node(result, "p")["properties"]["resource_config"]
    assert config == {"target_tenant": "t", "action": "access_as_shared"}


def test_a_relationship_must_not_say_another_kind_of_object() -> None:
    result = converted("n: {type: OS::Neutron::Net}", policy("qos_policy", "{get_resource: n}"))
    assert targets(result, "p") == {"n": f"{REL}depends_on"}
    assert node(result, "p")["properties"]["resource_config"]["object_type"] == "qos_policy"
    assert "BPC344" in codes(result)


def test_only_its_own_relationship_says_what_a_policy_shares() -> None:
    found = related(f"{V3}RBACPolicy", f"{V3}Network", f"{REL}depends_on")
    assert (found.properties("s"), found.node("s").awaited) == ({}, ["t"])
    for kind, family in ((V3, OF_PLUGIN), (V2, "cloudify.openstack.")):
        found = related(f"{kind}RBACPolicy", f"{kind}Network", f"{family}rbac_policy_applied_to")
        assert found.properties("s") == {"object_id": Identity("t"), "object_type": "network"}


# -- extra routes -------------------------------------------------------------------------------------------

ROUTER = "r: {type: OS::Neutron::Router}"


def routes(name: str, value: str) -> str:
    properties = f"{{router: {{get_resource: r}}, routes: {value}}}"
    return f"{name}: {{type: OS::Neutron::ExtraRouteSet, properties: {properties}}}"


def test_routes_of_one_router_are_put_together() -> None:
    first, second = (routes(name, f"[{{destination: {name}, nexthop: n}}]") for name in ("a", "b"))
    result = converted(ROUTER, first, second)
    (start,) = node(result, "r")["interfaces"].values()
    assert [item["destination"] for item in start["start"]["inputs"]["routes"]] == ["a", "b"]
    assert "a" not in result.document["node_templates"]


def test_routes_that_need_another_resource_come_after_it() -> None:
    port = "p: {type: OS::Neutron::Port, properties: {network: x}}"
    result = converted(ROUTER, port, routes("a", "[{destination: d, nexthop: {get_attr: [p, mac_address]}}]"))
    assert "BPC686" in {found.code for found in result.diagnostics}
    assert "interfaces" not in node(result, "r")
    later = node(result, "external_r_routes")
    assert later["properties"]["use_external_resource"] is True
    poststart = later["interfaces"]["cloudify.interfaces.lifecycle"]["poststart"]
    nexthop = {"get_attribute": ["p", "mac_address"]}
    assert poststart["inputs"] == {"routes": [{"destination": "d", "nexthop": nexthop}]}
    assert [one["target"] for one in later["relationships"]] == ["r", "p"]


def test_routes_of_a_router_that_exists_are_a_set() -> None:
    start = "{interfaces: {cloudify.interfaces.lifecycle: {start: {inputs: {routes: [{destination: d, nexthop: n}]}}}}"
    found = lifted(f"r: {{type: {V3}Router, {start[1:]}}}")
    assert found.node("r_routes").properties["router"] == Identity("r")
    assert found.node("r_routes").kind == "extra_route"


# -- Heat types of other times ------------------------------------------------------------------------------


def aws(rules: str) -> Result:
    properties = f"{{GroupDescription: d, {rules}}}"
    return converted(f"g: {{type: AWS::EC2::SecurityGroup, properties: {properties}}}")


@pytest.mark.parametrize(
    ("rule", "said", "told"),
    [
        ("IpProtocol: tcp, FromPort: '22', ToPort: 22, CidrIp: a", {"port_range_min": 22, "remote_ip_prefix": "a"}, []),
        ("IpProtocol: icmp, FromPort: '-1', CidrIp: a", {"remote_ip_prefix": "a"}, ["BPC341"]),
        ("IpProtocol: icmp, CidrIp: a", {}, ["BPC341"]),
        ("FromPort: 1, SourceSecurityGroupId: i, SourceSecurityGroupName: n", {"remote_group_id": "i"}, ["BPC341"]),
        ("FromPort: 1, SourceSecurityGroupName: n", {"remote_group_id": "n"}, []),
        ("Other: 1", {}, ["BPC170"]),
    ],
)
def test_rules_of_aws(rule: str, said: dict[str, Any], told: list[str]) -> None:
    result = aws(f"SecurityGroupIngress: [{{{rule}}}]")
    (found,) = node(result, "g")["properties"]["security_group_rules"]
    assert (found["direction"], found["ethertype"]) == ("ingress", "IPv4")
    assert said.items() <= found.items()
    assert ("remote_ip_prefix" in found) == ("remote_ip_prefix" in said)
    assert codes(result) == told


def test_egress_rules_of_aws_replace_the_default_ones() -> None:
    properties = node(aws("SecurityGroupEgress: [{IpProtocol: tcp}]"), "g")["properties"]
    assert properties["disable_default_egress_rules"] is True
    assert "disable_default_egress_rules" not in node(aws("SecurityGroupEgress: []"), "g")["properties"]


def test_computed_rules_of_aws_are_reported() -> None:
    result = aws("SecurityGroupIngress: {get_param: x}")
    assert codes(result) == ["BPC302"]


def test_an_address_of_nova_and_its_attributes() -> None:
    text = (
        "heat_template_version: 2013-05-23\nresources:\n"
        "  a: {type: OS::Nova::FloatingIP, properties: {pool: public}}\n"
        "outputs: {ip: {value: {get_attr: [a, ip]}}, pool: {value: {get_attr: [a, pool]}}}\n"
    )
    result = convert(text)
    assert node(result, "a")["properties"]["resource_config"] == {"floating_network_name": "public"}
    outputs = {name: output["value"] for name, output in result.document["outputs"].items()}
    assert outputs == {"ip": {"get_attribute": ["a", "floating_ip_address"]}, "pool": "public"}


def test_an_attribute_that_only_novas_addresses_have_does_not_come_back() -> None:
    text = (
        "tosca_definitions_version: cloudify_dsl_1_3\nimports: [cloudify/types/types.yaml, "
        f"'plugin:cloudify-openstack-plugin']\nnode_templates:\n  a: {{type: {V3}FloatingIP}}\n"
        "outputs: {o: {value: {get_attribute: [a, floating_ip_address]}}}\n"
    )
    result = convert(text, "cloudify", "hot")
    assert result.document["outputs"]["o"]["value"] == {"get_attr": ["a", "floating_ip_address"]}
