"""Which interfaces of a server become relationships and ports, which stay in its property, and what is told of them."""

from __future__ import annotations

from typing import Any

import pytest
from neutral_form import REL, V3, lifted
from server_interfaces import (
    NETWORK,
    PLACE,
    PORT,
    UUID,
    codes,
    converted,
    decided,
    node,
    places,
    server,
    settings,
    targets,
)

from bpconvert.api import convert
from bpconvert.models.expressions import Identity
from bpconvert.options import Options

OTHER = UUID.replace("3", "4")
MAC = "00:00:00:00:00:01"
FLOATING = "port_connected_to_floating_ip"
GROUP = "port_connected_to_security_group"


@pytest.mark.parametrize(
    ("networks", "found", "written"),
    [
        ("[{uuid: {get_resource: n}}]", [(NETWORK, "n")], None),
        ("[{network: m}]", [(NETWORK, "external_m")], None),
        ("[{network: {get_param: x}}]", [(NETWORK, "external_x")], None),
        (f"[{{network: {UUID}}}]", [], [{"uuid": UUID}]),
        (f"[{{uuid: {UUID}, fixed_ip: 10.0.0.3}}]", [], [{"uuid": UUID, "fixed_ip": "10.0.0.3"}]),
        (f"[{{uuid: {UUID}, tag: t}}]", [], [{"uuid": UUID, "tag": "t"}]),
        (f"[{{port: {UUID}}}]", [], [{"port": UUID}]),
        ("[{port: u}]", [(PORT, "external_u")], None),
        ("[{port: {get_resource: p}}]", [(PORT, "p")], None),
        (f"[{{port: {UUID}, floating_ip: f}}]", [(PORT, f"external_{UUID.replace('-', '_')}")], None),
        (f"[{{network: {{get_resource: n}}}}, {{uuid: {UUID}}}]",
         [(NETWORK, "n"), (NETWORK, f"external_{UUID.replace('-', '_')}")], None),
        (f"[{{uuid: {UUID}}}, {{uuid: {OTHER}}}]", [], [{"uuid": UUID}, {"uuid": OTHER}]),
        (f"[{{uuid: {UUID}}}, {{uuid: {UUID}}}]", [], [{"uuid": UUID}, {"uuid": UUID}]),
        ("[{port: {get_resource: p}}, {network: m}, {port: {get_resource: q}}]",
         [(PORT, "p"), (PORT, "web_port_1"), (PORT, "q")], None),
        ("[{port: {get_resource: q}}, {network: m}, {port: u}]",
         [(PORT, "q"), (PORT, "web_port_1"), (PORT, "external_u")], None),
        ("[{network: m}, {network: k}]", [(NETWORK, "external_m"), (NETWORK, "external_k")], None),
    ],
)  # fmt: skip
def test_interfaces_are_all_relationships_or_none(networks: str, found: Any, written: Any) -> None:
    """A name or a resource needs a node that finds it; an id does not."""
    result = converted(server(networks))
    assert [one for one in targets(result, "web") if one[0] in (PORT, NETWORK)] == found
    assert settings(result, "web").get("networks") == written
    assert codes(result, *PLACE) <= {"BPC311", "BPC338"}


def test_networks_of_providers_are_networks() -> None:
    provider = "  pn: {type: OS::Neutron::ProviderNet, properties: {network_type: flat}}\n"
    result = converted(provider, server("[{network: {get_resource: pn}}]"))
    assert targets(result, "web") == [(NETWORK, "pn")]
    port = server(f"[{{network: {{get_resource: pn}}, port_extra_properties: {{mac_address: '{MAC}'}}}}]")
    assert targets(converted(provider, port), "web_port_0")[0] == (NETWORK, "pn")


@pytest.mark.parametrize(
    "key", ["subnet: there", "fixed_ip: 10.0.0.3", f"port_extra_properties: {{mac_address: '{MAC}'}}"]
)
def test_an_input_may_name_the_network_of_a_port(key: str) -> None:
    """So that it has a port, too. Two inputs with nothing else are networks."""
    result = converted(server(f"[{{network: {{get_param: x}}}}, {{network: m, {key}}}]"))
    assert targets(result, "web") == [(PORT, "web_port_0"), (PORT, "web_port_1")]
    assert targets(result, "web_port_0")[0] == (NETWORK, "external_x")
    result = converted(server("[{network: {get_param: x}}, {network: m}]"))
    assert targets(result, "web") == [(NETWORK, "external_x"), (NETWORK, "external_m")]


def test_a_network_of_the_template_is_none_that_an_input_names() -> None:
    key = f"port_extra_properties: {{mac_address: '{MAC}'}}"
    result = converted(server(f"[{{network: {{get_resource: n}}, {key}}}, {{network: {{get_param: x}}}}]"))
    assert targets(result, "web")[:2] == [(PORT, "web_port_0"), (NETWORK, "external_x")]


@pytest.mark.parametrize("fixed", ["[{subnet: {get_resource: s}}]", "[{subnet_id: {get_resource: s}}]"])
def test_a_port_is_on_the_network_of_its_first_subnet(fixed: str) -> None:
    """A network beside it that is the same is a port, another one is a network."""
    port = f"  o: {{type: OS::Neutron::Port, properties: {{network: null, fixed_ips: {fixed}}}}}\n"
    result = converted(port, server("[{port: {get_resource: o}}, {network: {get_resource: n}}]"))
    assert targets(result, "web")[:2] == [(PORT, "o"), (PORT, "web_port_1")]
    result = converted(port, server("[{port: {get_resource: o}}, {network: m}]"))
    assert targets(result, "web")[:2] == [(PORT, "o"), (NETWORK, "external_m")]


def test_a_port_without_addresses_may_be_on_a_network_that_an_input_names() -> None:
    port = "  o: {type: OS::Neutron::Port, properties: {fixed_ips: []}}\n"
    result = converted(port, server("[{port: {get_resource: o}}, {network: {get_param: x}}]"))
    assert targets(result, "web")[:2] == [(PORT, "o"), (PORT, "web_port_1")]


# -- what is told -------------------------------------------------------------------------------------------


def test_what_a_port_cannot_have_is_named() -> None:
    """And null apart from it."""
    result = converted(server("[{network: m, subnet: there, tag: t, floating_ip: null}]"))
    assert places(result, "BPC330") == [(*PLACE, 0, "tag")]
    assert places(result, "BPC307") == [(*PLACE, 0, "floating_ip")]
    said = [one.message for one in result.diagnostics if one.code == "BPC330"]
    assert said == ["'tag' of a network interface has no counterpart"]
    result = converted(server("[{port: u, fixed_ip: 10.0.0.3}]"))
    assert places(result, "BPC330") == [(*PLACE, 0, "fixed_ip")]
    assert targets(result, "web") == [(PORT, "external_u")]


def test_the_word_for_all_networks_is_left_out_of_an_interface_with_a_network() -> None:
    result = converted(server(f"[{{uuid: {UUID}, allocate_network: auto}}]"))
    assert settings(result, "web") == {"networks": [{"uuid": UUID}]}
    assert places(result, "BPC330") == [(*PLACE, 0, "allocate_network")]
    said = [one.message for one in result.diagnostics if one.code == "BPC330"]
    assert said == ["'allocate_network' of a network interface has no counterpart"]


def test_an_address_that_is_none_or_has_another_port_is_named() -> None:
    address = "  f: {type: OS::Neutron::FloatingIP, properties: {floating_network: pub}}\n"
    result = converted(server("[{port: {get_resource: p}, floating_ip: {get_resource: n}}]"))
    assert places(result, "BPC330") == [(*PLACE, 0, "floating_ip")]
    assert [kind for kind, _ in targets(result, "p")].count(FLOATING) == 0
    servers = [server("[{port: {get_resource: p}, floating_ip: {get_resource: f}}]", name) for name in ("web", "db")]
    result = converted(address, *servers)
    assert (FLOATING, "f") in targets(result, "p")
    assert places(result, "BPC330") == [("resources", "db", "properties", "networks", 0, "floating_ip")]
    said = [one.message for one in result.diagnostics if one.code == "BPC330"]
    assert said == ["'floating_ip' of a network interface has no counterpart"]


def test_a_network_alone_makes_no_port_for_what_it_cannot_have() -> None:
    result = converted(server("[{network: m, tag: t}]"))
    assert targets(result, "web") == [(NETWORK, "external_m")]
    assert places(result, "BPC330") == [(*PLACE, 0, "tag")]


def test_an_interface_on_no_network_is_none() -> None:
    """Heat refuses it."""
    result = converted(server("[{fixed_ip: 10.0.0.3}, {network: m}]"))
    assert targets(result, "web") == [(PORT, "web_port_1")]
    assert places(result, "BPC330") == [(*PLACE, 0, "fixed_ip")]
    assert "BPC182" in codes(result, *PLACE[:3])


def test_an_address_is_connected_by_the_relationship_of_the_plugin() -> None:
    result = converted(server("[{port: u, floating_ip: f}]"))
    (relationship,) = node(result, "external_u")["relationships"]
    assert relationship == {
        "type": "cloudify.relationships.openstack.port_connected_to_floating_ip",
        "target": "external_f",
    }


def test_an_interface_whose_port_nothing_names_has_no_address() -> None:
    """Heat does not know the port that Nova makes."""
    result = converted(server("[{network: m, floating_ip: f}]"))
    assert targets(result, "web") == [(NETWORK, "external_m")]
    assert places(result, "BPC330") == [(*PLACE, 0, "floating_ip")]


def test_more_properties_of_a_port_that_an_input_gives_are_left_out() -> None:
    result = converted(server("[{network: m, port_extra_properties: {get_param: x}}]"))
    assert targets(result, "web") == [(PORT, "web_port_0")]
    assert settings(result, "web_port_0") == {"name": "web-port-0"}
    assert places(result, "BPC330") == [(*PLACE, 0, "port_extra_properties")]
    said = [one.message for one in result.diagnostics if one.code == "BPC330"]
    assert said == ["'port_extra_properties' of a network interface has no counterpart"]


@pytest.mark.parametrize("network", ["", ", network: ''", ", network: null"])
def test_the_network_of_a_subnet_is_asked_for_where_nothing_names_it(network: str) -> None:
    result = converted(server(f"[{{subnet: there{network}}}]"))
    assert settings(result, "external_web_networks_network") == {"id": {"get_input": "web_networks_network"}}
    (said,) = [one for one in result.diagnostics if one.code == "BPC201"]
    assert said.path == (*PLACE, 0, "network")
    assert said.message.endswith("'web_networks_network': the template does not name the network of the subnet")
    assert "default" not in result.document["inputs"]["web_networks_network"]


# -- security groups ----------------------------------------------------------------------------------------

TEMPLATE_GROUP = "  g: {type: OS::Neutron::SecurityGroup}\n"
SUBNETS = "[{subnet: {get_resource: s}}, {subnet: {get_resource: s}}]"


def groups(result: Any, name: str) -> list[str]:
    return [target for kind, target in targets(result, name) if kind.endswith("connected_to_security_group")]


@pytest.mark.parametrize(
    ("networks", "given", "of_ports", "of_server"),
    [
        (SUBNETS, "[{get_resource: g}]", ["g"], []),
        (SUBNETS, "[h]", ["external_h"], []),
        (SUBNETS, "[h, null, k]", ["external_h", "external_k"], []),
        (SUBNETS, "[]", ["external_default"], []),
        (SUBNETS, "null", ["external_default"], []),
        ("[{subnet: {get_resource: s}}, {network: m}]", "[{get_resource: g}]", [], ["g"]),
        ("[{subnet: {get_resource: s}}, {port: {get_resource: p}}]", "[{get_resource: g}]", ["g"], []),
        ("[{subnet: {get_resource: s}}, {port: u}]", "[{get_resource: g}]", ["g"], []),
        ("[{port: {get_resource: p}}]", "[{get_resource: g}]", None, ["g"]),
    ],
)
def test_groups_of_a_server_are_those_of_the_ports_that_are_made_for_it(
    networks: str, given: str, of_ports: Any, of_server: list[str]
) -> None:
    """Of no others. Where one interface is no port, the server has the groups of the template itself."""
    result = converted(TEMPLATE_GROUP, server(networks, more=f", security_groups: {given}"))
    ports = [name for _, name in targets(result, "web") if name.startswith("web_port_")]
    assert [groups(result, name) for name in ports] == [of_ports for _ in ports]
    assert bool(ports) is (of_ports is not None)
    assert groups(result, "web") == of_server
    assert groups(result, "p") == ["external_default"]
    assert groups(result, "external_u") == [] if "port: u" in networks else True
    kept = {"[]": [], "[h]": [{"name": "h"}], "[h, null, k]": [{"name": "h"}, {"name": None}, {"name": "k"}]}.get(given)
    assert settings(result, "web").get("security_groups") == kept


def test_a_port_that_says_its_groups_keeps_them() -> None:
    extra = "port_extra_properties: {security_groups: [z]}"
    result = converted(server(f"[{{subnet: {{get_resource: s}}, {extra}}}]", more=", security_groups: [h]"))
    assert groups(result, "web_port_0") == []
    assert settings(result, "web_port_0")["security_groups"] == [{"get_attribute": ["z_id", "id"]}]


def test_groups_that_an_input_gives_are_those_of_the_server() -> None:
    """Nobody knows whether it has any."""
    result = converted(server("[{subnet: {get_resource: s}}]", more=", security_groups: {get_param: x}"))
    assert groups(result, "web_port_0") == []
    assert "get_attribute" in settings(result, "web")["security_groups"]


# -- interfaces that a condition decides --------------------------------------------------------------------


def test_what_no_condition_decides_stays_as_it_is_in_both_cases() -> None:
    result = converted(server(f"[{{get_param: x}}, {{if: [c, {{network: '{UUID}'}}]}}]"))
    asked = {"get_input": "web_networks"}
    assert decided(result) == [[asked], [asked, {"uuid": UUID}]]


def test_a_network_in_a_branch_is_found_by_a_node_and_is_no_port() -> None:
    """The node is there in that case alone."""
    result = converted(server(f"[{{if: [c, {{network: m}}, {{network: '{UUID}'}}]}}]"))
    found = {"get_attribute": ["external_m", "id"]}
    assert decided(result) == [[{"uuid": UUID}], [{"uuid": found}]]
    assert "capabilities" in node(result, "external_m")
    assert places(result, "BPC311") == []


@pytest.mark.parametrize(
    ("branch", "is_port"),
    [
        (f"{{network: '{UUID}', port_extra_properties: {{mac_address: '{MAC}'}}}}", True),
        (f"{{network: '{UUID}', subnet: there}}", True),
        (f"{{network: '{UUID}', port_extra_properties: null}}", False),
        (f"{{network: '{UUID}', fixed_ip: 10.0.0.3}}", False),
    ],
)
def test_a_branch_that_only_a_port_expresses_has_one(branch: str, is_port: bool) -> None:
    result = converted(server(f"{{if: [c, [{branch}], []]}}"))
    (interface,) = decided(result)[1]
    assert interface.keys() - {"fixed_ip"} == ({"port"} if is_port else {"uuid"})
    assert decided(result)[0] == []
    if is_port:
        assert interface == {"port": {"get_attribute": ["web_port_0", "id"]}}
        choice = node(result, "web_port_0")["capabilities"]["scalable"]["properties"]["default_instances"]["get_input"]
        assert result.document["inputs"][choice[0]]["default"] == [0, 1]


@pytest.mark.parametrize("port", [f"{{port: '{UUID}', tag: t}}", "{port: u}", "{port: {get_resource: p}}"])
def test_a_port_in_a_branch_stays_in_the_property(port: str) -> None:
    result = converted(server(f"{{if: [c, [{port}], [{{uuid: {UUID}}}]]}}"))
    assert decided(result)[0] == [{"uuid": UUID}]
    (interface,) = decided(result)[1]
    assert interface.keys() == ({"port", "tag"} if "tag" in port else {"port"})
    assert not any(kind == PORT for kind, _ in targets(result, "web"))
    assert places(result, "BPC330") == []


def test_a_node_for_a_branch_of_a_conditional_server_is_there_where_both_hold() -> None:
    networks = "{if: [c, [{network: m}], [{network: k}]]}"
    text = server(networks).replace("{type", "{condition: {equals: [{get_param: x}, y]}, type")
    result = converted(text)
    for name, cases in (("external_m", [0, 1]), ("external_k", [1, 0])):
        choice = node(result, name)["capabilities"]["scalable"]["properties"]["default_instances"]["get_input"]
        inner, otherwise = result.document["inputs"][choice[0]]["default"]
        assert otherwise == 0
        assert "x" in str(choice[1])
        assert inner["get_input"][1] == {"get_input": "flag"}
        assert result.document["inputs"][inner["get_input"][0]]["default"] == cases


def test_one_condition_decides_all_interfaces_that_name_it() -> None:
    """Its cases are two, in whatever interfaces it stands."""
    items = f"{{if: [c, {{uuid: {UUID}}}]}}, {{if: [c, {{uuid: {OTHER}}}, {{uuid: {UUID}}}]}}, {{uuid: {OTHER}}}"
    result = converted(server(f"[{items}]"))
    assert decided(result) == [
        [{"uuid": UUID}, {"uuid": OTHER}],
        [{"uuid": UUID}, {"uuid": OTHER}, {"uuid": OTHER}],
    ]


def test_what_two_conditions_decide_has_four_cases() -> None:
    """Each of them a whole list."""
    other = f"{{if: [{{equals: [{{get_param: x}}, y]}}, {{uuid: {OTHER}}}]}}"
    result = converted(server(f"[{{if: [c, {{uuid: {UUID}}}]}}, {other}]"))
    tables = [one["default"] for one in result.document["inputs"].values() if isinstance(one.get("default"), list)]
    lists = [case for table in tables for case in table if isinstance(case, list)]
    mine, its = {"uuid": UUID}, {"uuid": OTHER}
    assert sorted(lists, key=str) == sorted([[], [mine], [its], [mine, its]], key=str)
    (table, _) = settings(result, "web")["networks"]["get_input"]
    assert [case.keys() for case in result.document["inputs"][table]["default"]] == [{"get_input"}, {"get_input"}]


def test_a_choice_of_one_branch_is_one_between_it_and_nothing() -> None:
    result = converted(server(f"{{if: [c, [{{uuid: {UUID}}}]]}}"))
    assert decided(result) == [[], [{"uuid": UUID}]]


def test_null_makes_no_port() -> None:
    result = converted(server(f"[{{uuid: {UUID}, subnet: null, port_extra_properties: null}}]"))
    assert settings(result, "web") == {"networks": [{"uuid": UUID}]}
    assert places(result, "BPC311") == []


# -- servers without networks -------------------------------------------------------------------------------


@pytest.mark.parametrize("tags", ["", ", tags: [a]"])
def test_a_server_that_says_nothing_of_networks_gets_them_from_nova(tags: str) -> None:
    """By the version of the compute API that does so, which has no tags."""
    result = converted(f"  web: {{type: OS::Nova::Server, properties: {{image: i, flavor: f{tags}}}}}\n")
    create = node(result, "web")["interfaces"]["cloudify.interfaces.lifecycle"]["create"]
    config = {"compute_api_version": "2", "compute_default_microversion": "2.36"}
    assert create == {"inputs": {"client_config": config}}
    said = {one.code: (one.path, one.message) for one in result.diagnostics}
    message = "'web' names no networks: version 2.36 of the compute API is asked for"
    assert said["BPC703"] == (PLACE, message)
    why = (
        "'tags' of 'web' cannot be deployed: Nova has tags since version 2.52 of the compute API,"
        " servers without networks up to 2.36"
    )
    assert said.get("BPC705") == ((("resources", "web", "properties", "tags"), why) if tags else None)


@pytest.mark.parametrize("plugin", ["v2", "v3"])
@pytest.mark.parametrize("networks", ["", ", networks: []", ", networks: [{allocate_network: none}]"])
def test_nobody_asks_for_a_version_where_the_server_exists_or_the_plugin_is_older(networks: str, plugin: str) -> None:
    for existing in ("", f", external_id: {UUID}"):
        text = (
            "heat_template_version: 2021-04-16\nresources:\n"
            f"  web: {{type: OS::Nova::Server{existing}, properties: {{image: i, flavor: f{networks}}}}}\n"
        )
        result = convert(text, "hot", "cloudify", options=Options(plugin=plugin), carry=False)
        is_asked = not existing and plugin == "v3"
        assert bool(places(result, "BPC703")) is is_asked
        assert ("interfaces" in node(result, "web")) is is_asked


@pytest.mark.parametrize(("default", "is_asked"), [("[]", True), ("[{network: n}]", False)])
def test_networks_that_an_input_gives_may_be_none(default: str, is_asked: bool) -> None:
    """Those of nobody who gives others are Nova's."""
    text = (
        f"heat_template_version: 2021-04-16\nparameters: {{x: {{type: json, default: {default}}}}}\nresources:\n"
        "  web: {type: OS::Nova::Server, properties: {image: i, flavor: f, networks: {get_param: x}}}\n"
    )
    result = convert(text, "hot", "cloudify", carry=False)
    assert places(result, "BPC703") == [PLACE] * is_asked
    assert "networks" in settings(result, "web")


# -- reading ------------------------------------------------------------------------------------------------

NEVER = {"networks": [{"allocate_network": "none"}]}
FIND = "find: {type: bpconvert.openstack.ProjectNetwork}\n"
USES = f"relationships: [{{type: {REL}depends_on, target: find}}]"
ITS_ID = "{resource_config: {networks: [{uuid: {get_attribute: [find, id]}}]}}"


def of_versions(config: str, more: str = "", kind: str = "Server") -> Any:
    create = f"{{cloudify.interfaces.lifecycle: {{create: {{inputs: {{client_config: {config}}}}}}}}}"
    return lifted(f"s: {{type: {V3}{kind}, interfaces: {create}{more}}}")


@pytest.mark.parametrize(
    ("config", "networks", "properties"),
    [
        ("{compute_default_microversion: '2.37'}", "null", NEVER),
        ("{compute_default_microversion: '2.37'}", "[]", NEVER),
        ("{compute_default_microversion: '2.37'}", "[{uuid: a}]", {"networks": [{"network": "a"}]}),
        ("{compute_api_version: '2.52'}", "[]", NEVER),
        ("{compute_api_version: '2.36'}", "[]", {}),
        ("{compute_api_version: '1', compute_default_microversion: '2'}", "[]", {}),
    ],
)
def test_the_version_of_the_compute_api_says_what_no_networks_mean(config: str, networks: str, properties: Any) -> None:
    """Beside networks it says nothing."""
    found = of_versions(config, f", properties: {{resource_config: {{networks: {networks}}}}}")
    assert found.properties("s") == properties
    assert "BPC363" not in {finding.code for finding in found.diagnostics}
    expected = {"BPC707", "BPC709"} & {finding.code for finding in found.diagnostics}
    if "uuid" in networks:
        assert expected == set()
    else:
        assert expected == ({"BPC709"} if properties else {"BPC707"})


@pytest.mark.parametrize(
    ("config", "kind"),
    [
        ("{compute_default_microversion: '2.37'}", "Volume"),
        ("{compute_api_version: '2.37', other: a}", "Server"),
        ("{compute_default_microversion: odd}", "Server"),
        ("{compute_default_microversion: [1]}", "Server"),
        ("text", "Server"),
    ],
)
def test_other_settings_of_the_cloud_say_nothing_of_networks(config: str, kind: str) -> None:
    found = of_versions(config, kind=kind)
    assert "networks" not in found.properties("s")
    assert {"BPC707", "BPC709"} & {finding.code for finding in found.diagnostics} == set()
    assert ("BPC363" in {finding.code for finding in found.diagnostics}) is (config != "text")


def test_the_networks_of_a_server_on_the_network_of_the_project_are_a_word() -> None:
    """Only of such a server; the node is no resource, and nothing waits for it."""
    found = lifted(
        f"{FIND}k: {{type: {V3}Router}}\nn: {{type: {V3}Network}}\n"
        f"s: {{type: {V3}Server, properties: {ITS_ID}, relationships:"
        f" [{{type: {REL}depends_on, target: k}}, {{type: {REL}depends_on, target: find}}]}}\n"
        f"t: {{type: {V3}Server, relationships: [{{type: {REL}connected_to, target: n}}]}}\n"
        f"u: {{type: {V3}Server, properties: {{resource_config: {{networks: [{{uuid: a}}]}}}}}}\n"
    )
    assert found.properties("s") == {"networks": [{"allocate_network": "auto"}]}
    assert found.node("s").awaited == ["k"]
    assert found.properties("t") == {"networks": [{"network": Identity("n")}]}
    assert found.properties("u") == {"networks": [{"network": "a"}]}
    assert "find" not in found.topology.nodes


@pytest.mark.parametrize(
    ("properties", "relationships"),
    [
        ("{resource_config: {networks: [{uuid: {get_attribute: [find, id]}}, {uuid: a}]}}", USES),
        ("{resource_config: {networks: [{uuid: a}]}}", USES),
        ("{resource_config: {networks: []}}", USES),
    ],
)
def test_other_networks_of_a_server_that_waits_for_that_of_the_project_stay(
    properties: str, relationships: str
) -> None:
    """And then its node does."""
    found = lifted(f"{FIND}s: {{type: {V3}Server, properties: {properties}, {relationships}}}")
    assert {"allocate_network": "auto"} not in found.properties("s").get("networks", [])
    assert "find" in found.topology.nodes


def test_the_network_of_the_project_stays_where_something_else_takes_its_id() -> None:
    port = "{resource_config: {network_id: {get_attribute: [find, id]}}}"
    found = lifted(
        f"{FIND}p: {{type: {V3}Port, properties: {port}, {USES}}}\n"
        f"s: {{type: {V3}Server, properties: {ITS_ID}, {USES}}}"
    )
    assert found.properties("p")["network"] == Identity("find")
    assert found.properties("s") == {"networks": [{"allocate_network": "auto"}]}
    assert "find" in found.topology.nodes


@pytest.mark.parametrize("word", ["auto", "none"])
def test_the_word_of_a_blueprint_is_that_of_heat(word: str) -> None:
    found = lifted(f"s: {{type: {V3}Server, properties: {{resource_config: {{networks: {word}}}}}}}")
    assert found.properties("s") == {"networks": [{"allocate_network": word}]}
    place = ("node_templates", "s", "properties", "resource_config", "networks")
    assert found.node("s").origin("networks")[:5] == place
