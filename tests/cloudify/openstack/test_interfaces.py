"""Interfaces of servers: the ports that are made for them, and servers that say nothing of networks."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from neutral_form import V2, V3, one
from server_interfaces import (
    NETWORK,
    PLACE,
    PORT,
    UUID,
    WAIT,
    converted,
    decided,
    node,
    places,
    server,
    settings,
    targets,
)

from bpconvert.api import convert

# -- ports of their own -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("interface", "network", "port"),
    [
        (
            "{subnet: {get_resource: s}, fixed_ip: 10.0.0.3}",
            "n",
            {
                "name": "web-port-0",
                "fixed_ips": [{"subnet_id": {"get_attribute": ["s", "id"]}, "ip_address": "10.0.0.3"}],
            },
        ),
        (
            "{subnet: there}",
            "external_web_networks_network",
            {"name": "web-port-0", "fixed_ips": [{"subnet_id": {"get_attribute": ["external_there", "id"]}}]},
        ),
        (
            "{network: m, port_extra_properties: {mac_address: '00:00:00:00:00:01'}}",
            "external_m",
            {"name": "web-port-0", "kwargs": {"mac_address": "00:00:00:00:00:01"}},
        ),
    ],
)  # fmt: skip
def test_an_interface_with_more_than_a_network_gets_a_port(interface: str, network: str, port: Any) -> None:
    """On the network of its subnet, which is asked for where nothing says it; with the name that Heat gives it."""
    result = converted(server(f"[{interface}]"))
    assert targets(result, "web") == [(PORT, "web_port_0")]
    assert targets(result, "web_port_0")[0] == (NETWORK, network)
    assert settings(result, "web_port_0") == port
    assert places(result, "BPC311") == [(*PLACE, 0)]
    assert places(result, "BPC330") == places(result, "BPC307") == []


@pytest.mark.parametrize(
    ("networks", "expected"),
    [
        ("[{network: m}, {port: {get_resource: q}}, {network: k}]",
         [(PORT, "web_port_0"), (PORT, "q"), (NETWORK, "external_k")]),
        ("[{network: {get_resource: n}}, {network: k}]", [(NETWORK, "n"), (NETWORK, "external_k"), (WAIT, "s")]),
        ("[{port: {get_resource: q}}, {network: {get_resource: n}}]", [(PORT, "q"), (PORT, "web_port_1")]),
        ("[{port: {get_resource: q}}, {network: k}]", [(PORT, "q"), (NETWORK, "external_k")]),
        ("[{subnet: {get_resource: s}}, {network: {get_resource: n}}]", [(PORT, "web_port_0"), (PORT, "web_port_1")]),
        ("[{port: {get_param: x}, network: k}, {network: m}]", [(PORT, "external_x"), (PORT, "web_port_1")]),
        ("[{subnet: {get_resource: s}}, {network: k}]", [(PORT, "web_port_0"), (NETWORK, "external_k")]),
    ],
)  # fmt: skip
def test_ports_come_first_and_share_no_network(networks: str, expected: Any) -> None:
    """The plugin takes ports before networks, and a network and a port on it for one interface. A port is on the
    network of its subnet."""
    result = converted(server(networks))
    assert targets(result, "web") == expected
    assert "name" not in settings(result, "web_port_1" if (PORT, "web_port_1") in expected else "q")


@pytest.mark.parametrize(
    "interface", ["{subnet: {get_resource: s}", "{network: m, port_extra_properties: {}", "{port: u"]
)
def test_the_port_of_an_interface_has_its_address(interface: str) -> None:
    result = converted(server(f"[{interface}, floating_ip: f}}]"))
    (port,) = (target for kind, target in targets(result, "web") if kind == PORT)
    assert ("port_connected_to_floating_ip", "external_f") in targets(result, port)
    assert places(result, "BPC330") == []


def test_ports_that_are_made_have_the_groups_of_the_server() -> None:
    result = converted(server("[{network: m}, {network: m}]", more=", security_groups: [g]"))
    group = ("port_connected_to_security_group", "external_g")
    assert [targets(result, f"web_port_{index}")[1] for index in (0, 1)] == [group, group]


# -- interfaces that a condition decides --------------------------------------------------------------------


def test_a_part_that_may_not_be_there_is_a_choice_between_interfaces() -> None:
    result = converted(server(f"[{{uuid: {UUID}, tag: {{if: [c, t]}}}}]"))
    assert decided(result) == [[{"uuid": UUID}], [{"uuid": UUID, "tag": "t"}]]


def test_an_interface_that_may_not_be_there_is_a_choice_between_lists() -> None:
    other = UUID.replace("3", "4")
    result = converted(server(f"[{{uuid: {UUID}}}, {{if: [c, {{uuid: {other}, allocate_network: auto}}]}}]"))
    assert decided(result) == [[{"uuid": UUID}], [{"uuid": UUID}, {"uuid": other}]]
    assert [path[-1] for path in places(result, "BPC330")] == ["allocate_network"]


def test_an_interface_in_a_branch_that_needs_a_port_has_one() -> None:
    """An address is connected to a port that exists, not to one that is there in the other case, too."""
    result = converted(server(f"[{{if: [c, {{port: u, floating_ip: f}}, {{network: '{UUID}'}}]}}]"))
    assert targets(result, "external_u") == [("port_connected_to_floating_ip", "external_f")]
    result = converted(server("[{if: [c, {port: {get_resource: p}, floating_ip: f}]}]"))
    assert [path[-1] for path in places(result, "BPC330")] == ["floating_ip"]
    result = converted(server(f"[{{if: [c, {{uuid: k, subnet: there}}, {{network: {UUID}}}]}}]"))
    assert targets(result, "web_port_0")[0] == (NETWORK, "external_k")


# -- servers without networks -------------------------------------------------------------------------------


def test_servers_that_get_a_network_share_the_node_that_finds_it() -> None:
    """It is no resource on the way back."""
    auto = "[{allocate_network: auto}]"
    result = converted(server(auto), server(auto, "other"))
    assert node(result, "project_network")["type"] == "bpconvert.openstack.ProjectNetwork"
    for name in ("web", "other"):
        assert targets(result, name) == [(WAIT, "project_network")]
        assert settings(result, name) == {"networks": [{"uuid": {"get_attribute": ["project_network", "id"]}}]}
    other = ("resources", "other", "properties", "networks")
    assert places(result, "BPC254") == [(*PLACE, 0, "allocate_network"), (*other, 0, "allocate_network")]
    back = yaml.safe_load(convert(result.text, "cloudify", "hot", carry=False).text)["resources"]
    assert [*back] == ["n", "s", "p", "q", "web", "other"]
    assert back["web"]["properties"]["networks"] == back["other"]["properties"]["networks"] == [
        {"allocate_network": "auto"}
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("networks", "more", "version", "told"),
    [
        ("[{allocate_network: none}]", "", "2.37", []),
        ("[{allocate_network: none}]", ", tags: [a]", "2.52", []),
        ("[]", "", "2.36", []),
        ("null", "", "2.36", []),
        ("[]", ", tags: [a]", "2.36", ["tags"]),
    ],
)
def test_the_version_of_the_compute_api_says_what_a_server_without_networks_gets(
    networks: str, more: str, version: str, told: list[str]
) -> None:
    result = converted(server(networks, more=more))
    create = node(result, "web")["interfaces"]["cloudify.interfaces.lifecycle"]["create"]
    config = {"compute_api_version": "2", "compute_default_microversion": version}
    assert create == {"inputs": {"client_config": config}}
    place = (*PLACE, 0, "allocate_network") if "none" in networks else PLACE
    assert places(result, "BPC703") == [place]
    assert "networks" not in settings(result, "web")
    assert [path[-1] for path in places(result, "BPC705")] == told
    assert "BPC254" not in {found.code for found in result.diagnostics}


def test_nobody_asks_for_networks_of_a_server_that_exists() -> None:
    existing = server("[{allocate_network: auto}]").replace("{type", f"{{external_id: {UUID}, type")
    result = converted(existing)
    assert "interfaces" not in node(result, "web")
    assert "project_network" not in result.document["node_templates"]


def test_the_word_beside_another_interface_or_key_is_left_out() -> None:
    for networks in ("[{allocate_network: auto}, {network: k}]", "[{allocate_network: auto, network: k}]"):
        result = converted(server(networks))
        assert targets(result, "web") == [(NETWORK, "external_k")]
        assert places(result, "BPC330") == [(*PLACE, 0, "allocate_network")]
        assert "interfaces" not in node(result, "web")


# -- reading ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("config", "networks", "code"),
    [
        ("{compute_api_version: '2', compute_default_microversion: '2.37'}", [{"allocate_network": "none"}], "BPC709"),
        ("{compute_api_version: '2', compute_default_microversion: '2.52'}", [{"allocate_network": "none"}], "BPC709"),
        ("{compute_api_version: '2.37'}", [{"allocate_network": "none"}], "BPC709"),
        ("{compute_api_version: '2', compute_default_microversion: '2.36'}", None, "BPC707"),
        ("{compute_api_version: odd}", None, None),
        ("{compute_api_version: '2', auth_url: u}", None, None),
    ],
)
def test_the_version_of_the_compute_api_is_read(config: str, networks: Any, code: str | None) -> None:
    create = f"{{cloudify.interfaces.lifecycle: {{create: {{inputs: {{client_config: {config}}}}}}}}}"
    blueprint = (
        "tosca_definitions_version: cloudify_dsl_1_3\n"
        "imports: [cloudify/types/types.yaml, 'plugin:cloudify-openstack-plugin']\n"
        f"node_templates:\n  web: {{type: {V3}Server, interfaces: {create}}}\n"
    )
    result = convert(blueprint, "cloudify", "hot", carry=False)
    found = yaml.safe_load(result.text)["resources"]["web"].get("properties", {})
    assert found.get("networks") == networks
    assert {one.code for one in result.diagnostics} & {"BPC707", "BPC709"} == ({code} if code else set())


@pytest.mark.parametrize(
    ("name", "networks"), [("m", [{"network": "m"}]), ("''", []), ("null", []), ("{get_input: x}", None)]
)
def test_no_name_is_no_management_network(name: str, networks: Any) -> None:
    found = one(f"{V2}Server", f"{{management_network_name: {name}, server: {{nics: []}}}}", "inputs: {x: {}}")
    read = found.properties("n").get("networks", [])
    assert len(read) == 1 if networks is None else read == networks


def test_a_port_of_a_key_that_a_condition_decides_has_the_number_of_its_interface() -> None:
    """As Heat calls it, not after the place of the condition."""
    interface = "{network: {get_resource: n}, subnet: {if: [c, {get_resource: s}]}}"
    result = converted(server(f"[{interface}, {interface}]"))
    assert [settings(result, f"web_port_{index}")["name"] for index in (0, 1)] == ["web-port-0", "web-port-1"]


def test_a_network_that_is_asked_for_stands_before_the_port_on_it() -> None:
    """An interface with a subnet alone, whose network only Neutron knows."""
    result = converted(server("[{subnet: {get_param: x}}]"))
    names = list(result.document["node_templates"])
    (network,) = [target for kind, target in targets(result, "web_port_0") if kind == NETWORK]
    assert node(result, network)["properties"]["use_external_resource"] is True
    assert names.index(network) < names.index("web_port_0") < names.index("web")
