"""What a template asks for that the source does not give: what Heat needs, what it refuses, what a nested one needs."""

from __future__ import annotations

from typing import Any

import pytest
from hot_lowering import Made, lowered, topology

from bpconvert.models import expressions as ex
from bpconvert.models.topology import Input, NestedInterface, Node


def node(kind: str, called: str = "n", /, **properties: Any) -> Node:
    return Node(called, "T", kind, properties=properties)


def native(type: str, /, **properties: Any) -> Node:
    return Node("n", type, native="hot", properties=properties)


def messages(made: Made, code: str) -> list[str]:
    return [one.message for one in made.diagnostics if one.code == code]


# -- what Heat needs ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "asked"),
    [
        ("dns_zone", {"name": "string"}),
        ("flavor", {"ram": "number", "vcpus": "number"}),
        ("volume_attachment", {"instance_uuid": "string", "volume_id": "string"}),
        ("net", {}),
    ],
)
def test_each_property_that_heat_needs_is_a_parameter(kind: str, asked: dict[str, str]) -> None:
    made = lowered(topology(node(kind)))
    assert made.data.get("parameters", {}) == {
        f"n_{name}": {"type": type, "description": f"{name} of n"} for name, type in asked.items()
    }
    properties = made.data["resources"]["n"].get("properties", {})
    assert properties == {name: {"get_param": f"n_{name}"} for name in asked}
    assert made.paths("BPC397") == [("node_templates", "n")] * len(asked)


def test_what_asks_for_a_property_names_it() -> None:
    assert messages(lowered(topology(node("dns_zone"))), "BPC397") == [
        "'n' has no 'name', which OS::Designate::Zone requires; parameter 'n_name' asks for it"
    ]


@pytest.mark.parametrize("value", ["", None])
def test_nothing_is_no_value_of_what_heat_needs(value: str | None) -> None:
    made = lowered(topology(node("dns_zone", name=value)))
    assert made.data["resources"]["n"]["properties"] == {"name": {"get_param": "n_name"}}


@pytest.mark.parametrize("value", ["example.org.", 0, False])
def test_what_is_given_is_not_asked_for(value: Any) -> None:
    assert "BPC397" not in lowered(topology(node("dns_zone", name=value))).codes()


def test_what_comes_after_a_property_that_is_given_is_asked_for() -> None:
    made = lowered(topology(node("flavor", ram=512)))
    assert made.data["resources"]["n"]["properties"] == {"ram": 512, "vcpus": {"get_param": "n_vcpus"}}


def test_what_the_source_came_without_is_not_asked_for_and_the_rest_is() -> None:
    flavor = Node("n", "T", "flavor", lacks=("ram",))
    assert list(lowered(topology(flavor)).data["parameters"]) == ["n_vcpus"]


@pytest.mark.parametrize("type", ["OS::Nova::Flavor", "OS::Designate::Zone"])
def test_a_resource_of_heats_own_is_written_as_it_is(type: str) -> None:
    made = lowered(topology(native(type)))
    assert made.data["resources"] == {"n": {"type": type}}
    assert made.codes() == []


def test_only_the_name_of_a_key_pair_is_made_up() -> None:
    made = lowered(topology(node("keypair", "key")))
    own = {"list_join": ["-", [{"get_param": "OS::stack_name"}, "key"]]}
    assert made.data["resources"]["key"]["properties"] == {"name": own}
    assert messages(made, "BPC683") == [
        "'key' has no name, which OS::Nova::KeyPair requires; it is made of the stack's name"
    ]


# -- what Heat refuses --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "name", "value", "declared"),
    [
        ("subnet", "ip_version", 5, {"type": "number", "constraints": [{"allowed_values": [4, 6]}]}),
        ("subnet", "enable_dhcp", "maybe", {"type": "boolean"}),
        ("subnet", "allocation_pools", "x", {"type": "json"}),
        ("subnet", "value_specs", "x", {"type": "json"}),
        ("subnet", "prefixlen", -1, {"type": "number", "constraints": [{"range": {"min": 0}}]}),
        ("subnet", "cidr", ["x"], {"type": "string", "constraints": [{"custom_constraint": "net_cidr"}]}),
        ("subnet", "network", ["x"], {"type": "string"}),  # whether there is such a network, only the cloud knows
        ("security_group_rule", "port_range_max", 99999,
         {"type": "number", "constraints": [{"range": {"min": 0, "max": 65535}}]}),
        ("security_group_rule", "direction", "up", {"type": "string",
         "constraints": [{"allowed_values": ["ingress", "egress"]}]}),
        ("flavor", "rxtx_factor", "x", {"type": "number"}),
    ],
)  # fmt: skip
def test_a_value_that_heat_refuses_is_a_parameter(kind: str, name: str, value: Any, declared: dict[str, Any]) -> None:
    made = lowered(topology(node(kind, **{name: value})))
    data = {**declared, "description": f"{name} of n"}
    assert made.data["parameters"][f"n_{name}"] == data
    assert made.data["resources"]["n"]["properties"][name] == {"get_param": f"n_{name}"}
    assert made.paths("BPC786") == [("node_templates", "n", "properties", name)]


def test_the_lower_bound_comes_first() -> None:
    made = lowered(topology(node("security_group_rule", port_range_max=99999)))
    (rule,) = made.data["parameters"]["n_port_range_max"]["constraints"]
    assert list(rule["range"]) == ["min", "max"]
    assert messages(made, "BPC786") == [
        "Heat refuses the value, asked for as parameter 'n_port_range_max':"
        " 'port_range_max' must be 0 to 65535, not 99999"
    ]


@pytest.mark.parametrize(
    ("type", "name", "value", "rules"),
    [
        ("OS::Heat::SoftwareDeployment", "name", [], []),
        ("OS::Heat::DeployedServer", "deployment_swift_data", {"container": ""}, []),
        ("OS::Blazar::Lease", "start_date", "soon", [{"allowed_pattern": "\\d{4}-\\d{2}-\\d{2}\\s\\d{2}:\\d{2}"}]),
    ],
)
def test_restrictions_that_a_parameter_can_have(type: str, name: str, value: Any, rules: list[Any]) -> None:
    made = lowered(topology(native(type, **{name: value})))
    assert made.data["parameters"][f"n_{name}"].get("constraints", []) == rules


def test_what_was_refused_is_kept_for_the_way_back() -> None:
    made = lowered(topology(node("subnet", ip_version=5)))
    kept = made.data["resources"]["bpconvert_kept"]["metadata"]["bpconvert_kept"]
    assert kept.startswith('{"inputs":{"n_ip_version":[')
    assert kept.endswith(",5]}}")


@pytest.mark.parametrize(
    ("origins", "place"),
    [
        ({}, ("properties", "allocation_pools")),
        ({("allocation_pools",): ("node_templates", "n", "pools")}, ("pools",)),
        (
            {
                ("allocation_pools",): ("node_templates", "n", "pools"),
                ("allocation_pools", 0): ("node_templates", "n", "first"),
                ("allocation_pools", 0, "end"): ("node_templates", "n", "end"),
            },
            ("first",),
        ),
        ({("allocation_pools", 0, "start"): ("node_templates", "n", "start")}, ("start",)),
    ],
)
@pytest.mark.parametrize("instances", [1, 2])
def test_the_nearest_place_of_the_part_that_is_refused(origins: Any, place: Any, instances: int) -> None:
    pools = [{"start": "a", "end": "10.0.0.9"}]
    subnet = Node("n", "T", "subnet", properties={"allocation_pools": pools}, origins=origins, instances=instances)
    made = lowered(topology(subnet))
    assert made.paths("BPC786") == [("node_templates", "n", *place)]


def test_what_heat_never_creates_is_not_judged() -> None:
    existing = Node("old", "T", "subnet", properties={"ip_version": 5}, external_id="42")
    stand_in = Node("other", "my.Type", properties={"ip_version": 5})
    made = lowered(
        topology(existing, stand_in, native("OS::Glance::Image", ip_version=5), node("net", "last", shared="?"))
    )
    assert made.data["resources"]["old"]["properties"] == {"ip_version": 5}
    assert made.paths("BPC786") == [("node_templates", "last", "properties", "shared")]  # what follows them is


def test_each_value_that_is_refused_and_no_other() -> None:
    made = lowered(topology(node("subnet", network="n", ip_version=5, cidr="10.0.0.0/24", enable_dhcp="maybe")))
    assert made.data["resources"]["n"]["properties"] == {
        "network": "n",
        "ip_version": {"get_param": "n_ip_version"},
        "cidr": "10.0.0.0/24",
        "enable_dhcp": {"get_param": "n_enable_dhcp"},
    }


@pytest.mark.parametrize(
    "properties",
    [
        {"no_such": "x"},
        {"size": "10"},
        {"size": ex.Input("i")},
        {"size": ex.If(ex.Equals(ex.Input("i"), "x"), 10, "many")},  # only in one case
    ],
)
def test_what_heat_may_take_stays(properties: dict[str, Any]) -> None:
    made = lowered(topology(Input("i", "string"), native("OS::Cinder::Volume", **properties)))
    assert "BPC786" not in made.codes()


# -- what a nested template needs ---------------------------------------------------------------------------

SECRET = {"type": "string", "hidden": True}
SIZE = {"type": "number"}


def nesting(name: str, **needed: Any) -> Node:
    made = Node(name, "child.yaml")
    made.nested = NestedInterface("child.yaml", "digest", needed=needed)
    return made


def test_what_a_nested_template_needs_is_asked_for_by_each_resource() -> None:
    made = lowered(topology(nesting("a", size=SIZE), nesting("b", size=dict(SIZE))))
    assert made.data["parameters"] == {"a_size": SIZE, "b_size": SIZE}
    assert made.data["resources"] == {
        name: {"type": "child.yaml", "properties": {"size": {"get_param": f"{name}_size"}}} for name in "ab"
    }
    assert messages(made, "BPC766") == [
        f"'child.yaml' asks for 'size', which the input '{name}_size' of this document gives it" for name in "ab"
    ]
    assert made.paths("BPC766") == [("node_templates", "a"), ("node_templates", "b")]


def test_a_secret_is_asked_for_once() -> None:
    made = lowered(topology(nesting("a", password=SECRET), nesting("b", password=dict(SECRET))))
    assert made.data["parameters"] == {"password": SECRET}
    given = {name: data["properties"] for name, data in made.data["resources"].items()}
    assert given == {name: {"password": {"get_param": "password"}} for name in "ab"}
    assert made.codes() == ["BPC766", "BPC766"]


def test_secrets_that_differ_are_asked_for_each() -> None:
    other = {**SECRET, "description": "of b"}
    nodes = [nesting("a", password=SECRET), nesting("b", password=other), nesting("c", password=dict(other))]
    made = lowered(topology(*nodes))
    assert made.data["parameters"] == {"password": SECRET, "password_2": other}
    given = {name: data["properties"]["password"]["get_param"] for name, data in made.data["resources"].items()}
    assert given == {"a": "password", "b": "password_2", "c": "password_2"}


def test_a_secret_that_the_template_has_already() -> None:
    own = {"type": "string", "description": "Secret 'password' of the Cloudify manager", "hidden": True}
    net = node("net", name=ex.Secret("password"))
    made = lowered(topology(net, nesting("a", password=own)))
    assert made.data["parameters"] == {"password": own}
    assert made.data["resources"]["a"]["properties"] == {"password": {"get_param": "password"}}


def test_what_is_no_secret_is_not_shared_with_one_of_its_name() -> None:
    data = {"type": "string", "description": "Secret 'size' of the Cloudify manager", "hidden": True}
    made = lowered(topology(node("net", name=ex.Secret("size")), nesting("a", size={**data, "hidden": False})))
    assert list(made.data["parameters"]) == ["size", "a_size"]
    assert made.data["resources"]["a"]["properties"] == {"size": {"get_param": "a_size"}}
