"""Networks of floating IPs, gateways of routers and subnets, and addresses of ports, there and back."""

from __future__ import annotations

from typing import Any

import pytest
from connected_resources import codes, converted, messages, node, places, relationships, targets
from neutral_form import UUID, V2, V3, Lifted, lifted

from bpconvert import convert
from bpconvert.models.expressions import Identity, Input, ListConcat, Merge, Query

NET = "n: Neutron::Net {}"
X = Input("x", strict=True)
INPUT = "inputs: {x: {}}"


def config(name: str, *resources: str, plugin: str = "v3") -> Any:
    """The settings of a node."""
    settings = node(converted(*resources, plugin=plugin), name)["properties"]
    return settings["resource_config"] if plugin == "v3" else settings


# -- networks of floating IPs -------------------------------------------------------------------------------


@pytest.mark.parametrize("plugin", ["v3", "v2"])
def test_the_pool_that_heat_finds_by_itself_is_asked_for(plugin: str) -> None:
    result = converted("f: Nova::FloatingIP {}", plugin=plugin)
    pool = node(result, "external_f_pool")
    assert pool["type"] == {"v3": f"{V3}Network", "v2": f"{V2}Network"}[plugin]
    asked = {"get_input": "f_pool"}
    assert asked in (pool["properties"].get("resource_id"), pool["properties"].get("resource_config", {}).get("id"))
    assert relationships(result, "f") == [("connected_to", "external_f_pool")]
    assert result.document["inputs"]["f_pool"]["description"] == "Value of resources.f.properties.pool, in Heat: {}"
    assert places(result, "BPC201") == [("resources", "f", "properties", "pool")]
    assert messages(result, "BPC201") == [
        "not converted, asked for as input 'f_pool': the plugin looks for no external network"
    ]


@pytest.mark.parametrize(
    "resource", ["f: Nova::FloatingIP {pool: public}", "f: Nova::FloatingIP @f00 {}", "f: Neutron::FloatingIP {}"]
)
def test_no_other_floating_ip_asks_for_a_pool(resource: str) -> None:
    """One with a pool, one that exists, and one of Neutron, which Heat refuses without its network."""
    result = converted(resource)
    assert "f_pool" not in result.document["inputs"]
    assert targets(result, "f") == []


@pytest.mark.parametrize(
    ("network", "settings"), [("public", {"floating_network_name": "public"}), (UUID, {"floating_network_id": UUID})]
)
def test_a_name_and_an_id_of_a_floating_network_have_a_property_each(network: str, settings: Any) -> None:
    result = converted(f"f: Neutron::FloatingIP {{floating_network: {network}}}")
    assert node(result, "f")["properties"]["resource_config"] == settings
    assert targets(result, "f") == []


@pytest.mark.parametrize(
    ("network", "target", "identity"),
    [
        ("$n", "n", None),
        ("{get_param: given}", "external_given", {"get_input": "given"}),
        ("{get_attr: [n, name]}", "external_net", {"get_attribute": ["n", "name"]}),
    ],
)
def test_a_floating_network_that_is_not_written_out_is_a_node(network: str, target: str, identity: Any) -> None:
    """The network itself, or a node that finds it by what may be a name or an id."""
    result = converted(NET, f"f: Neutron::FloatingIP {{floating_network: {network}}}")
    assert node(result, "f")["properties"]["resource_config"] == {}
    assert relationships(result, "f") == [("connected_to", target)]
    assert node(result, target)["type"] == f"{V3}Network"
    assert node(result, target)["properties"]["resource_config"] == ({"id": identity} if identity else {})


# -- routers ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("router", "target", "identity"),
    [
        ("$r", "r", None),
        ("there", "external_there", "there"),
        ("{get_param: given}", "external_given", {"get_input": "given"}),
        ("$n", "external_router", {"get_attribute": ["n", "external_id"]}),
    ],
)
def test_the_old_plugin_finds_the_router_of_routes_by_a_relationship(router: str, target: str, identity: Any) -> None:
    routes = (
        f"a: Neutron::ExtraRouteSet {{router: {router}, routes: [{{destination: 10.9.0.0/16, nexthop: 10.0.0.9}}]}}"
    )
    result = converted(NET, "r: Neutron::Router {}", routes, plugin="v2")
    assert [one["type"] for one in node(result, "a")["relationships"]] == [
        "cloudify.openstack.route_connected_to_router"
    ]
    assert targets(result, "a") == [target]
    assert node(result, target)["type"] == f"{V2}Router"
    assert node(result, target)["properties"].get("resource_id") == identity


def test_routes_of_no_router_have_no_relationship() -> None:
    routes = "a: Neutron::ExtraRouteSet {routes: [{destination: 10.9.0.0/16, nexthop: 10.0.0.9}]}"
    result = converted("r: Neutron::Router {}", routes, plugin="v2")
    assert targets(result, "a") == []
    assert [*result.document["node_templates"]] == ["r", "a"]


@pytest.mark.parametrize(
    ("gateway", "outside", "info"),
    [
        ("{get_param: given}", None, {"get_input": "r_external_gateway_info"}),
        ("{network: public}", "public", None),
        ("{network: {get_param: given}}", {"get_input": "given"}, None),
        ("{network: , enable_snat: true}", None, {"enable_snat": True}),
        ("{network: public, enable_snat: false}", "public", {"enable_snat": False}),
        ("{network: $n, enable_snat: false}", None, {"enable_snat": False}),
    ],
)
def test_the_gateway_of_a_router_is_its_network_and_the_rest(gateway: str, outside: Any, info: Any) -> None:
    result = converted(NET, f"r: Neutron::Router {{external_gateway_info: {gateway}}}")
    properties = node(result, "r")["properties"]
    assert properties.get("external_network") == outside
    assert properties["resource_config"] == ({"kwargs": {"external_gateway_info": info}} if info else {})
    assert relationships(result, "r") == ([("connected_to", "n")] if "$n" in gateway else [])


GATEWAY_KEYS = (
    "dict($.data.gateway.items().select([switch($[0] = network_id => network, true => $[0]), "
    "switch($[0] = external_fixed_ips and $[1] != null => $[1].select(dict($.items().select("
    "[switch($[0] = subnet_id => subnet, true => $[0]), $[1]]))), true => $[1])]))"
)
DETAILS = ("node_templates", "r", "properties", "resource_config", "kwargs", "external_gateway_info")


def router(details: str, more: str = "") -> Lifted:
    kwargs = f"resource_config: {{kwargs: {{external_gateway_info: {details}}}}}"
    return lifted(f"r: {{type: {V3}Router, properties: {{{more}{kwargs}}}}}", INPUT)


def test_keys_of_a_gateway_that_is_known_when_deploying_are_translated_then() -> None:
    """The network of the property counts."""
    query = Query(GATEWAY_KEYS, {"gateway": X})
    assert router("{get_input: x}").properties("r") == {"external_gateway_info": query}
    found = router("{get_input: x}", "external_network: a, ")
    assert found.properties("r") == {"external_gateway_info": Merge([query, {"network": "a"}])}
    assert found.node("r").origin("external_gateway_info") == DETAILS
    ((code, place, message),) = [(d.code, d.path, d.message) for d in found.diagnostics]
    assert (code, place) == ("BPC426", DETAILS)
    assert "external_gateway_info" in message


@pytest.mark.parametrize(
    ("details", "is_other"), [("{network_id: b}", True), ("{network_id: a}", False), ("null", False)]
)
def test_the_network_of_a_router_that_stands_in_two_places(details: str, is_other: bool) -> None:
    """The property counts, and its place is that of the network; another network beside it is reported at its own."""
    found = router(details, "external_network: a, ")
    assert found.properties("r") == {"external_gateway_info": {"network": "a"}}
    inside = () if details == "null" else ("network",)
    assert found.node("r").origin("external_gateway_info", *inside) == (*DETAILS[:3], "external_network")
    assert [(d.code, d.path) for d in found.diagnostics] == [("BPC362", (*DETAILS, "network_id"))] * is_other
    assert all("'network_id'" in d.message for d in found.diagnostics)


# -- gateways of subnets ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("gateway", "settings"),
    [
        ("''", {"kwargs": {"gateway_ip": None}}),
        ("null", {"kwargs": {"gateway_ip": None}}),
        ("auto", {}),
        ("10.0.0.9", {"gateway_ip": "10.0.0.9"}),
        ("{get_param: given}", {"gateway_ip": {"get_input": "given"}}),
    ],
)
def test_the_gateway_of_a_subnet(gateway: str, settings: Any) -> None:
    """Null reaches the API in ``kwargs`` only; without the property, Neutron chooses."""
    subnet = f"s: Neutron::Subnet {{network: {UUID}, ip_version: 4, gateway_ip: {gateway}}}"
    assert config("s", subnet) == {"network_id": UUID, "ip_version": 4, **settings}


@pytest.mark.parametrize(
    ("settings", "default", "properties"),
    [
        ("{gateway_ip: null}", "{}", {"gateway_ip": ""}),
        ("{kwargs: {gateway_ip: null}}", "{}", {"gateway_ip": ""}),
        ("{kwargs: {gateway_ip: null}}", "{gateway_ip: 10.0.0.1}", {"gateway_ip": ""}),
        ("{gateway_ip: ''}", "{}", {}),
        ("{gateway_ip: 10.0.0.2}", "{}", {"gateway_ip": "10.0.0.2"}),
        ("{gateway_ip: 10.0.0.2}", "{gateway_ip: 10.0.0.1}", {"gateway_ip": "10.0.0.2"}),
        ("{gateway_ip: {get_input: x}}", "{}", {"gateway_ip": X}),
        ("", "{gateway_ip: 10.0.0.1}", {"gateway_ip": "10.0.0.1"}),
        ("", "{gateway_ip: null}", {}),
    ],
)
def test_no_gateway_is_null_that_the_node_template_has(settings: str, default: str, properties: Any) -> None:
    """Null as the default of a type says nothing, and so does the empty text."""
    kind = f"my: {{derived_from: {V3}Subnet, properties: {{resource_config: {{default: {default}}}}}}}"
    own = f"resource_config: {settings}" if settings else ""
    found = lifted(f"s: {{type: my, properties: {{{own}}}}}", f"{INPUT}\nnode_types: {{{kind}}}")
    assert found.properties("s") == properties


# -- addresses of ports -------------------------------------------------------------------------------------


def on_subnet(port: str, cidr: str = "10.0.0.0/24", kind: str = f"{V2}Port") -> Lifted:
    return lifted(
        f"s: {{type: {V2}Subnet, properties: {{subnet: {{{f'cidr: {cidr}' if cidr else ''}}}}}}}\n"
        f"p: {{type: {kind}, properties: {port},"
        " relationships: [{type: cloudify.openstack.port_connected_to_subnet, target: s}]}",
        INPUT,
    )


AT = ("node_templates", "p", "relationships", 0)


@pytest.mark.parametrize(
    ("port", "cidr", "places"),
    [
        ("10.0.0.7", "10.0.0.0/24", [{"subnet": Identity("s"), "ip_address": "10.0.0.7"}]),
        ("10.0.0.7", "10.0.0.9/24", [{"subnet": Identity("s"), "ip_address": "10.0.0.7"}]),
        ("10.0.0.7", "{get_input: x}", [{"subnet": Identity("s"), "ip_address": "10.0.0.7"}]),
        ("10.0.0.7", "", [{"subnet": Identity("s"), "ip_address": "10.0.0.7"}]),
        ("10.0.0.7", "odd", [{"ip_address": "10.0.0.7"}, {"subnet": Identity("s")}]),
        ("10.1.0.7", "10.0.0.0/24", [{"ip_address": "10.1.0.7"}, {"subnet": Identity("s")}]),
        ("odd", "10.0.0.0/24", [{"ip_address": "odd"}, {"subnet": Identity("s")}]),
    ],
)
def test_the_address_of_a_port_is_in_the_subnet_that_may_have_it(port: str, cidr: str, places: Any) -> None:
    found = on_subnet(f"{{fixed_ip: {port}}}", cidr)
    assert found.properties("p") == {"fixed_ips": places}
    last = (len(places) - 1, "subnet")
    is_own = len(places) == 1
    assert found.node("p").origin("fixed_ips", *last) == (AT if is_own else (*AT, "subnet"))
    assert found.node("p").relationships == []
    assert found.diagnostics == []


def test_an_address_that_is_known_when_deploying_is_taken_for_one_in_the_subnet() -> None:
    found = on_subnet("{fixed_ip: {get_input: x}}")
    assert found.properties("p") == {"fixed_ips": [{"subnet": Identity("s"), "ip_address": X}]}
    ((code, place, message),) = [(d.code, d.path[:4], d.message) for d in found.diagnostics]
    assert (code, place) == ("BPC758", ("node_templates", "p", "properties", "fixed_ip"))
    assert "'p'" in message
    assert "'s'" in message


@pytest.mark.parametrize(
    ("addresses", "items"),
    [
        ("{get_input: x}", ListConcat([X, [{"subnet": Identity("s")}]])),
        ("[{subnet_id: a}]", [{"subnet": "a"}, {"subnet": Identity("s")}]),
        ("[{subnet_id: {get_attribute: [s, external_id]}}]", [{"subnet": Identity("s")}]),
        ("[]", [{"subnet": Identity("s")}]),
    ],
)
def test_a_subnet_is_one_more_address_of_a_port(addresses: str, items: Any) -> None:
    """Where it is not there already; the relationship says nothing else."""
    found = on_subnet(f"{{port: {{fixed_ips: {addresses}}}}}")
    assert found.properties("p") == {"fixed_ips": items}
    assert found.node("p").relationships == []
    assert found.told == []


@pytest.mark.parametrize("kind", [f"{V3}Port", f"{V2}Server"])
def test_no_other_node_has_an_address_by_that_relationship(kind: str) -> None:
    found = on_subnet("{}", kind=kind)
    assert "fixed_ips" not in found.properties("p")
    assert [one.target for one in found.node("p").relationships] == ["s"]


@pytest.mark.parametrize(
    ("port", "waits"),
    [
        ("Neutron::Port {network: $n}", ["n", "a"]),
        ("Neutron::Port {network: $n, fixed_ips: []}", ["n", "a"]),
        ("Neutron::Port {network: $n, fixed_ips: [{ip_address: {get_attr: [a, gateway_ip]}}]}", ["n", "a_barrier"]),
        (f"Neutron::Port <a {{network: {UUID}}}", ["a_barrier"]),
        ("Neutron::Port <k {network: $n}", ["n", "k", "a"]),
        ("Neutron::Port {network: $n, fixed_ips: {if: [c, [{subnet: $a}], [{subnet: $a, ip_address: 10.0.0.3}]]}}",
         ["n", "a"]),
        ("Nova::KeyPair <a {name: x}", ["a"]),
    ],
)  # fmt: skip
def test_a_port_of_the_old_plugin_has_an_address_in_the_subnets_that_it_is_related_to(
    port: str, waits: list[str]
) -> None:
    """So it waits through a node between for one in which it shall have none."""
    subnet = "a: Neutron::Subnet {network: $n, cidr: 10.0.0.0/24}"
    result = converted(NET, subnet, "k: Nova::KeyPair {name: k}", f"p: {port}", plugin="v2")
    assert targets(result, "p") == waits
    assert ("BPC405" in codes(result, "p")) is ("a_barrier" in waits)


@pytest.mark.parametrize(("plugin", "written"), [("v2", [[]]), ("v3", [])])
def test_a_port_without_addresses(plugin: str, written: list[Any]) -> None:
    """The 3.x plugin sent the list, and the port got none."""
    settings = config("p", f"p: Neutron::Port {{network: {UUID}, fixed_ips: []}}", plugin=plugin)
    settings = settings["port"] if plugin == "v2" else settings
    assert [value for key, value in settings.items() if key == "fixed_ips"] == written


def test_a_choice_of_addresses_is_one_for_both_plugins() -> None:
    choice = "{if: [c, {ip_address: 10.0.0.3}, {ip_address: 10.0.0.4}]}"
    port = f"p: Neutron::Port {{network: {UUID}, fixed_ips: [{choice}]}}"
    items = [{"get_input": ["if_p_fixed_ips", {"get_input": "flag"}]}]
    assert config("p", port)["fixed_ips"] == config("p", port, plugin="v2")["port"]["fixed_ips"] == items


# -- names --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "plugin", "is_made_up"),
    [("''", "v3", True), ("''", "v2", False), ("web", "v3", False), ("{get_param: given}", "v3", False)],
)
def test_an_empty_name_is_one_that_the_plugin_makes_up(name: str, plugin: str, is_made_up: bool) -> None:
    result = converted(f"n: Neutron::Net {{name: {name}}}", plugin=plugin)
    assert places(result, "BPC754") == [("resources", "n", "properties", "name")] * is_made_up
    assert messages(result, "BPC754") == ["the name of 'n' is empty: the plugin makes one up"] * is_made_up


@pytest.mark.parametrize(
    ("default", "name", "is_made_up"),
    [
        ("''", "{get_input: n}", True), ("web", "{get_input: n}", False), ("{k: ''}", "{get_input: [n, k]}", True),
        ("{k: ''}", "{get_input: n}", False), ("''", "{concat: ['', {get_input: n}]}", True),
        ("''", "{concat: [a, {get_input: n}]}", False),
    ],
)  # fmt: skip
def test_a_name_that_is_empty_unless_it_is_given(default: str, name: str, is_made_up: bool) -> None:
    """Heat gives Neutron the empty name, where the plugin makes one up."""
    blueprint = f"""
tosca_definitions_version: cloudify_dsl_1_4
imports: [cloudify/types/types.yaml, 'plugin:cloudify-openstack-plugin']
inputs: {{n: {{default: {default}}}}}
node_templates:
  net:
    type: cloudify.nodes.openstack.Network
    properties: {{resource_config: {{name: {name}}}}}
"""
    result = convert(blueprint, "cloudify", "hot")
    place = ("node_templates", "net", "properties", "resource_config", "name")
    assert places(result, "BPC754") == [place] * is_made_up
