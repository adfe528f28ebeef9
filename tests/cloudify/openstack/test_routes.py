"""Extra routes of routers: inputs of operations of the router, or of a node that stands for it, and the way back."""

from __future__ import annotations

from typing import Any

import pytest
from connected_resources import codes, converted, messages, node, relationships, targets, why_not
from neutral_form import REL, V3, Lifted, lifted

from bpconvert.api import convert
from bpconvert.models.expressions import Identity

DESTINATION = {"destination": "10.9.0.0/16", "nexthop": "10.0.0.9"}
ROUTE = "[{destination: 10.9.0.0/16, nexthop: 10.0.0.9}]"
OTHER = ROUTE.replace("10.9", "10.8")
ROUTER, SUBNET = "r: Neutron::Router {}", "s: Neutron::Subnet {network: m, cidr: 10.0.0.0/24}"
LIFECYCLE = "cloudify.interfaces.lifecycle"
STEPS = "openstack.openstack_plugin.resources.network.router."


def routes(name: str, value: str = ROUTE, mark: str = "") -> str:
    return f"{name}: Neutron::ExtraRouteSet {mark}{{router: $r, routes: {value}}}"


# -- writing ------------------------------------------------------------------------------------------------


def test_computed_routes_are_not_put_together_with_others() -> None:
    result = converted(ROUTER, routes("one"), routes("two", "{get_param: given}"))
    assert why_not(result, "one") == ""
    assert "computed lists cannot be put together" in why_not(result, "two")


@pytest.mark.parametrize(("router", "is_later"), [("r", True), ("other", False)])
def test_routes_come_after_the_interfaces_of_their_router(router: str, is_later: bool) -> None:
    """Not after those of another one."""
    result = converted(
        "r: Neutron::Router {}", "other: Neutron::Router {}", "s: Neutron::Subnet {network: m, cidr: 10.0.0.0/24}",
        f"i: Neutron::RouterInterface {{router: ${router}, subnet: $s}}",
        f"routes: Neutron::ExtraRouteSet {{router: $r, routes: {ROUTE}}}",
    )  # fmt: skip
    assert ("interfaces" in node(result, "r")) is not is_later
    assert ("external_r_routes" in result.document["node_templates"]) is is_later
    if is_later:
        assert targets(result, "external_r_routes") == ["r", "s"]


def test_routes_are_an_input_of_the_start_of_their_router() -> None:
    """The one operation of the router's type that takes them."""
    result = converted(ROUTER, routes("a"))
    assert node(result, "r")["interfaces"] == {LIFECYCLE: {"start": {"inputs": {"routes": [DESTINATION]}}}}
    assert "a" not in result.document["node_templates"]
    assert codes(result, "a") == {"BPC303"}


def test_later_routes_are_given_and_taken_by_a_node_that_stands_for_the_router() -> None:
    """By operations that the plugin runs for what exists, too."""
    result = converted(ROUTER, SUBNET, "i: Neutron::RouterInterface {router: $r, subnet: $s}", routes("a"))
    holder = node(result, "external_r_routes")
    assert holder["properties"]["resource_config"] == {"id": {"get_attribute": ["r", "id"]}}
    assert holder["interfaces"] == {
        LIFECYCLE: {
            "poststart": {"implementation": f"{STEPS}start", "inputs": {"routes": [DESTINATION]}},
            "prestop": {"implementation": f"{STEPS}stop"},
        }
    }
    assert relationships(result, "external_r_routes") == [("depends_on", "r"), ("depends_on", "s")]
    assert codes(result, "a") == {"BPC303", "BPC686"}
    assert messages(result, "BPC686") == [
        "'external_r_routes' stands for the router and gives it its extra routes after what they need"
    ]


@pytest.mark.parametrize("more", [[], ["i: Neutron::RouterInterface {router: $r, subnet: s}"]])
def test_sets_of_one_router_are_one_list(more: list[str]) -> None:
    """In the order of the template; what stands for the router does so once."""
    result = converted(ROUTER, routes("a"), routes("b", OTHER), *more)
    holder, step = ("external_r_routes", "poststart") if more else ("r", "start")
    every = node(result, holder)["interfaces"][LIFECYCLE][step]["inputs"]["routes"]
    assert [route["destination"] for route in every] == ["10.9.0.0/16", "10.8.0.0/16"]
    assert ("external_r_routes_2" in result.document["node_templates"]) is False


def test_no_routes_need_no_operation() -> None:
    assert "interfaces" not in node(converted(ROUTER, routes("a", "[]")), "r")


@pytest.mark.parametrize(
    ("resources", "is_later"),
    [
        ([routes("a", mark="<n ")], True),
        ([routes("a", mark="<r ")], False),
        ([routes("a"), routes("b", OTHER, "<a ")], False),
        ([routes("a"), routes("b", OTHER, "<n ")], True),
        ([routes("a", "[{destination: {get_attr: [n, name]}, nexthop: 10.0.0.9}]")], True),
        ([routes("a", "[{destination: {get_attr: [r, name]}, nexthop: 10.0.0.9}]")], False),
        ([routes("a", "[{destination: {get_param: given}, nexthop: 10.0.0.9}]")], False),
        (["z: Neutron::VPNService {router: $r, subnet: s}", routes("a", mark="<z ")], True),
        (["o: Neutron::Router {}", routes("b", OTHER, "<n ").replace("$r", "$o"), routes("a")], False),
        (['q: {type: "OS::Neutron::Net", properties: {get_param: given}}', routes("a")], False),
        (['i: {type: "OS::Neutron::RouterInterface", properties: {get_param: given}}', routes("a")], False),
    ],
)
def test_routes_come_after_what_they_need(resources: list[str], is_later: bool) -> None:
    """Another resource: the router itself and its other routes are there with it."""
    result = converted(ROUTER, "n: Neutron::Net {}", *resources)
    assert why_not(result, "a") == ""
    assert ("external_r_routes" in result.document["node_templates"]) is is_later
    assert ("interfaces" in node(result, "r")) is not is_later


def test_routes_that_wait_for_an_interface_say_so_once() -> None:
    interface = "i: Neutron::RouterInterface {router: $r, subnet: $s}"
    result = converted(ROUTER, SUBNET, interface, routes("a", mark="<i "))
    assert targets(result, "external_r_routes") == ["r", "s"]


@pytest.mark.parametrize("router", ["{get_param: given}", "there", "$n"])
def test_routes_of_a_router_of_others(router: str) -> None:
    result = converted("n: Neutron::Net {}", routes("a").replace("$r", router))
    assert "its router is not created by this template" in why_not(result, "a")


# -- reading ------------------------------------------------------------------------------------------------


def router(step: str, more: str = "", name: str = "r") -> str:
    operation = f"{{implementation: {STEPS}start, inputs: {{routes: {ROUTE}}}}}"
    return f"{name}: {{type: {V3}Router{more}, interfaces: {{{LIFECYCLE}: {{{step}: {operation}}}}}}}"


def place(name: str, step: str) -> tuple[Any, ...]:
    return ("node_templates", name, "interfaces", LIFECYCLE, step, "inputs", "routes")


def of(found: Lifted, name: str) -> Any:
    route_set = found.node(name)
    return route_set.kind, route_set.properties, route_set.origins, route_set.path, route_set.source_type


def test_routes_that_a_router_takes_are_a_set() -> None:
    found = lifted(router("start"))
    at = place("r", "start")
    properties = {"router": Identity("r"), "routes": [DESTINATION]}
    assert of(found, "r_routes") == ("extra_route", properties, {("router",): at, ("routes",): at}, at, "")
    assert found.node("r").relationships == found.node("r_routes").relationships == []


def test_the_set_has_a_name_that_no_node_has() -> None:
    found = lifted(f"r_routes: {{type: {V3}Network}}\n{router('start')}")
    assert found.node("r_routes").kind == "net"
    assert found.properties("r_routes_2")["router"] == Identity("r")


def test_what_stands_for_a_router_gives_it_its_routes_and_waits() -> None:
    existing = "{use_external_resource: true, resource_config: {id: {get_attribute: [r, id]}}}"
    waits = ", ".join(f"{{type: {REL}depends_on, target: {target}}}" for target in ("r", "k"))
    found = lifted(
        f"r: {{type: {V3}Router}}\nk: {{type: {V3}KeyPair}}\n"
        + router("poststart", f", properties: {existing}, relationships: [{waits}]", "external_r_routes")
    )
    at = place("external_r_routes", "poststart")
    properties = {"router": Identity("r"), "routes": [DESTINATION]}
    assert of(found, "r_routes") == ("extra_route", properties, {("router",): at, ("routes",): at}, at, "")
    assert found.node("r_routes").awaited == ["r", "k"]
    assert [*found.topology.nodes] == ["r", "k", "r_routes"]


def test_a_router_that_others_made_takes_routes_itself() -> None:
    """Its own node is the router that has them."""
    existing = "{use_external_resource: true, resource_config: {id: 3e8d2c54-8a0e-4a3e-9d0c-0f6d6f2f1a11}}"
    found = lifted(router("poststart", f", properties: {existing}"))
    assert found.properties("r_routes")["router"] == Identity("r")
    assert found.node("r_routes").awaited == []


@pytest.mark.parametrize("identity", ["3e8d2c54-8a0e-4a3e-9d0c-0f6d6f2f1a11", "{get_attribute: [other, id]}"])
def test_the_plugin_does_not_start_a_router_that_exists(identity: str) -> None:
    """openstack_plugin/utils.py, ``allow_to_run_operation_for_external_node``."""
    existing = f"{{use_external_resource: true, resource_config: {{id: {identity}}}}}"
    found = lifted(f"other: {{type: {V3}Router}}\n{router('start', f', properties: {existing}')}")
    assert [*found.topology.nodes] == ["other", "r"]
    told = [(d.code, d.path) for d in found.diagnostics if d.code == "BPC356"]
    assert told == [("BPC356", place("r", "start"))]


def test_an_id_that_another_resource_has_is_no_external_id() -> None:
    """Heat lets an ``external_id`` wait for nothing: it is null when it is read."""
    existing = "{use_external_resource: true, resource_config: {id: {get_attribute: [r, id]}}}"
    connected = f"{{type: {REL}openstack.subnet_connected_to_router, target: again}}"
    text = f"""tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml, plugin:cloudify-openstack-plugin]
node_templates:
  r: {{type: {V3}Router}}
  again: {{type: {V3}Router, properties: {existing}}}
  s: {{type: {V3}Subnet, relationships: [{connected}]}}
"""
    resources = convert(text, "cloudify", "hot", carry=False).document["resources"]
    assert "again" not in resources
    assert resources["s_interface"]["properties"]["router"] == {"get_resource": "r"}
