"""The nodes of a blueprint in neutral form: kinds, properties, every hook's way back."""

from __future__ import annotations

from typing import Any

import pytest
from neutral_form import DEFAULT_RULES, REL, UUID, V2, V3, lifted, one

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Input, ListConcat, Query
from bpconvert.translators.catalogue.types import builtin
from bpconvert.translators.cloudify.openstack.read_nodes import kind_of

# -- kinds --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("type_name", "kind"),
    [
        (f"{V3}Server", "server"),
        (f"{V3}WindowsServer", "server"),
        (f"{V2}WindowsServer", "server"),
        (f"{V2}Network", "net"),
        ("cloudify.nodes.Compute", "compute"),
        ("cloudify.nodes.PasswordSecret", "random_string"),
        (f"{V2}Routes", "extra_route"),
        ("cloudify.nodes.Root", None),
        ("cloudify.nodes.aws.ec2.Instances", None),
    ],
)
def test_kind(type_name: str, kind: str | None) -> None:
    assert one(type_name, "{}").node("n").kind == kind


def test_a_derived_type_has_the_kind_of_its_nearest_mapped_parent() -> None:
    types = f"node_types:\n  my.Web: {{derived_from: my.Base}}\n  my.Base: {{derived_from: {V3}Server}}\n"
    assert one("my.Web", "{}", types).node("n").kind == "server"
    types = "node_types:\n  my.Host: {derived_from: cloudify.nodes.Compute}\n"
    assert one("my.Host", "{}", types).node("n").kind == "compute"


def test_types_of_other_plugins_are_no_machine_that_is_there() -> None:
    found = kind_of(builtin(), ["cloudify.aws.nodes.Instance", "cloudify.nodes.Compute", "cloudify.nodes.Root"])
    assert found is None


def test_a_network_of_a_provider_has_its_own_kind() -> None:
    kwargs = "{'provider:network_type': vlan, 'provider:segmentation_id': '7'}"
    found = one(f"{V3}Network", f"{{resource_config: {{kwargs: {kwargs}}}}}")
    assert found.node("n").kind == "provider_net"
    # Heat shares such networks by default, the plugin does not; vlan is no default of Heat
    assert found.properties("n") == {"network_type": "vlan", "segmentation_id": "7", "shared": False}


def test_a_network_of_a_provider_with_more_than_that_stays_a_network() -> None:
    kwargs = "{'provider:network_type': vlan, vlan_transparent: true}"
    found = one(f"{V3}Network", f"{{resource_config: {{kwargs: {kwargs}}}}}")
    assert found.node("n").kind == "net"
    assert found.properties("n") == {"value_specs": {"provider:network_type": "vlan", "vlan_transparent": True}}
    place = "node_templates.n.properties.resource_config.kwargs"
    assert found.told == [("BPC355", f"{place}.provider:network_type"), ("BPC355", f"{place}.vlan_transparent")]


# -- properties ---------------------------------------------------------------------------------------------


def test_names_and_places() -> None:
    found = one(f"{V3}Port", "{resource_config: {name: p, kwargs: {mac_address: x}, fixed_ips: [{subnet_id: s}]}}")
    node = found.node("n")
    assert node.properties == {
        "name": "p", "mac_address": "x", "fixed_ips": [{"subnet": "s"}], "security_groups": [],
    }  # fmt: skip
    place = ("node_templates", "n", "properties", "resource_config")
    assert node.origin("name") == (*place, "name")
    assert node.origin("mac_address") == (*place, "kwargs", "mac_address")
    assert node.origin("fixed_ips", 0, "subnet") == (*place, "fixed_ips", 0, "subnet_id")
    assert found.told == []


def test_settings_may_stand_in_or_out_of_kwargs() -> None:
    assert one(f"{V3}Router", "{resource_config: {kwargs: {name: r}}}").properties("n") == {"name": "r"}


def test_other_paths_that_mean_it() -> None:
    found = one(f"{V3}Server", "{image: '', resource_config: {image_id: i, flavor_name: f}}")
    assert found.properties("n") == {"image": "i", "flavor": "f"}
    assert found.told == []


def test_two_paths_that_differ() -> None:
    found = one(f"{V3}Server", "{image: a, flavor: f, resource_config: {image_id: b, flavor_id: f}}")
    assert found.properties("n") == {"image": "a", "flavor": "f"}
    assert found.told == [("BPC362", "node_templates.n.properties.resource_config.image_id")]


def test_defaults_of_both_engines_are_left_out() -> None:
    found = one(f"{V3}SecurityGroupRule", "{resource_config: {direction: ingress, protocol: tcp, port_range_min: 1}}")
    assert found.properties("n") == {"port_range_min": 1}
    assert one(f"{V3}Network", "{resource_config: {admin_state_up: true}}").properties("n") == {"admin_state_up": True}
    assert one(f"{V3}Network", "{resource_config: {}}").properties("n") == {}


def test_a_default_that_heat_has_and_cannot_do_without() -> None:
    found = one(f"{V3}SecurityGroupRule", "{resource_config: {direction: egress}}")
    assert found.told == [("BPC365", "node_templates.n.properties")]


def test_a_default_of_cloudify_alone_is_written_out() -> None:
    assert one("cloudify.nodes.PasswordSecret", "{symbols: -1}").properties("n") == {"length": 8}


def test_credentials_are_told_once() -> None:
    client = "client_config: {auth_url: {get_secret: a}, password: {get_secret: b}, insecure: true, ca_cert: ''}"
    found = lifted(
        f"a: {{type: {V3}Router, properties: {{{client}}}}}\nb: {{type: {V3}Router, properties: {{{client}}}}}"
    )
    codes = [(d.code, d.path[1]) for d in found.diagnostics if d.code in ("BPC350", "BPC363")]
    assert codes == [("BPC350", "a"), ("BPC363", "a")]
    assert found.properties("a") == {}


def test_settings_that_a_call_yields_are_handed_on() -> None:
    found = one(f"{V3}Router", "{resource_config: {kwargs: {get_input: all}}}", "inputs: {all: {}}")
    assert found.properties("n") == {"value_specs": ex.Input("all", strict=True)}
    assert [d.code for d in found.diagnostics if d.code == "BPC978"] == ["BPC978"]


@pytest.mark.parametrize(
    ("type_name", "properties", "code"),
    [
        ("Server", "{use_public_ip: true}", "BPC351"),
        ("Server", "{agent_config: {user: x}}", "BPC351"),
        ("Server", "{use_password: true}", "BPC351"),
        ("Server", "{agent_config: {install_method: none}}", None),
        ("Server", "{use_public_ip: false, os_family: linux, ip: ''}", "BPC351"),
        ("FloatingIP", "{allow_reallocation: true}", "BPC352"),
        ("Network", "{create_if_missing: true}", "BPC352"),
        ("Network", "{resource_config: {kwargs: {routing: {external: true}}}}", "BPC351"),
        ("Volume", "{device_name: auto}", None),
        ("Volume", "{device_name: /dev/vdb}", "BPC351"),
        ("KeyPair", "{resource_config: {public_key: k, kwargs: {unknown: 1}}}", "BPC301"),
        ("Port", "{resource_config: {fixed_ips: [{subnet_id: s, what: 1}]}}", "BPC301"),
        ("Server", "{resource_config: {get_input: all}}", "BPC353"),
        ("Server", "{resource_config: {kwargs: {get_input: all}}}", "BPC353"),
    ],
)
def test_what_heat_has_nothing_for(type_name: str, properties: str, code: str | None) -> None:
    found = one(V3 + type_name, properties, "inputs: {all: {}}")
    assert [told for told, _ in found.told] == ([] if code is None else [code])


def test_properties_of_the_blueprints_own_types_are_only_for_cloudify() -> None:
    types = f"node_types:\n  my.Net: {{derived_from: {V3}Network, properties: {{owner: {{default: x}}}}}}\n"
    found = one("my.Net", "{owner: me, resource_config: {name: n}}", types)
    assert found.properties("n") == {"name": "n"}
    assert found.told == [("BPC351", "node_templates.n.properties.owner")]
    assert found.node("n").declared["owner"] == "me"


def test_defaults_of_the_blueprints_own_types_count() -> None:
    types = (
        f"node_types:\n  my.Net:\n    derived_from: {V3}Network\n    properties:\n"
        "      resource_config: {default: {name: given, kwargs: {shared: true}}}\n"
    )
    found = lifted("n: {type: my.Net}", types)
    assert found.properties("n") == {"name": "given", "shared": True}


def test_maps_of_other_nodes_are_known() -> None:
    found = lifted(
        f"a: {{type: {V3}Network, properties: {{resource_config: {{name: x}}}}}}\n"
        f"b: {{type: {V3}Network, properties: {{resource_config: {{get_property: [a, resource_config]}}}}}}"
    )
    assert found.properties("b") == {"name": "x"}
    assert found.told == []


def test_lists_that_a_call_yields_pass_where_the_names_are_heats() -> None:
    found = one(f"{V3}Server", "{resource_config: {networks: {get_input: nets}}}", "inputs: {nets: {}}")
    assert found.properties("n") == {"networks": Input("nets", strict=True)}


# -- resources that exist -----------------------------------------------------------------------------------



@pytest.mark.parametrize(
    ("type_name", "config", "external_id", "external_name"),
    [
        ("Network", f"{{id: {UUID}}}", UUID, MISSING),
        ("Network", "{id: {get_input: x}}", Input("x", strict=True), MISSING),
        ("Network", "{id: public}", MISSING, "public"),
        ("Network", "{name: public}", MISSING, "public"),
        ("KeyPair", "{name: mine}", "mine", MISSING),
    ],
)
def test_existing_resources(type_name: str, config: str, external_id: Any, external_name: Any) -> None:
    found = one(V3 + type_name, f"{{use_external_resource: true, resource_config: {config}}}", "inputs: {x: {}}")
    node = found.node("n")
    assert (node.external_id, node.external_name) == (external_id, external_name)
    assert node.properties == {}
    assert found.told == []
    assert node.origin("external_id")[:4] == ("node_templates", "n", "properties", "resource_config")


@pytest.mark.parametrize(
    ("value", "external_id", "external_name"),
    [(UUID, UUID, MISSING), ("{get_input: x}", MISSING, Input("x", strict=True)), ("public", MISSING, "public")],
)
def test_existing_resources_of_the_2x_plugin(value: str, external_id: Any, external_name: Any) -> None:
    node = one(f"{V2}Network", f"{{use_external_resource: true, resource_id: {value}}}", "inputs: {x: {}}").node("n")
    assert (node.external_id, node.external_name) == (external_id, external_name)


def test_other_settings_of_existing_resources() -> None:
    found = one(f"{V3}Subnet", f"{{use_external_resource: true, resource_config: {{id: {UUID}, cidr: 10.0.0.0/8}}}}")
    assert found.told == [("BPC356", "node_templates.n.properties.resource_config.cidr")]


def test_relationships_of_existing_resources() -> None:
    external = "properties: {use_external_resource: true, resource_config: {name: x}}"
    relationship = f"relationships: [{{type: {REL}contained_in, target: net}}]"
    subnet = f"subnet: {{type: {V3}Subnet, {external}, {relationship}}}"
    assert lifted(f"net: {{type: {V3}Network}}\n{subnet}").told == [("BPC418", "node_templates.subnet.relationships.0")]
    both = lifted(f"net: {{type: {V3}Network, {external}}}\n{subnet}")
    assert both.told == [("BPC356", "node_templates.subnet.relationships.0")]


# -- hooks --------------------------------------------------------------------------------------------------


def test_interfaces_in_a_word() -> None:
    found = one(f"{V3}Server", "{resource_config: {networks: auto}}")
    assert found.properties("n") == {"networks": [{"allocate_network": "auto"}]}


@pytest.mark.parametrize(
    ("properties", "gateway"),
    [
        ("{external_network: public}", {"network": "public"}),
        ("{resource_config: {kwargs: {external_gateway_info: {network_id: n, enable_snat: false}}}}",
         {"network": "n", "enable_snat": False}),
        ("{external_network: a, resource_config: {kwargs: {external_gateway_info: {external_fixed_ips:"
         " [{subnet_id: s, ip_address: i}]}}}}",
         {"external_fixed_ips": [{"subnet": "s", "ip_address": "i"}], "network": "a"}),
    ],
)  # fmt: skip
def test_gateway(properties: str, gateway: Any) -> None:
    found = one(f"{V3}Router", properties)
    assert found.properties("n") == {"external_gateway_info": gateway}
    assert found.told == []


def test_gateway_given_twice() -> None:
    found = one(
        f"{V3}Router", "{external_network: a, resource_config: {kwargs: {external_gateway_info: {network_id: b}}}}"
    )
    assert found.properties("n") == {"external_gateway_info": {"network": "a"}}
    assert [code for code, _ in found.told] == ["BPC362"]


@pytest.mark.parametrize("key", ["floating_network_id", "floating_network_name"])
def test_floating_network(key: str) -> None:
    assert one(f"{V3}FloatingIP", f"{{resource_config: {{{key}: n}}}}").properties("n") == {"floating_network": "n"}




_SELECT = (
    "$.data.rules.select($.set(remote_mode, "
    "switch($.get(remote_group_id) = null => remote_ip_prefix, true => remote_group_id)))"
)
#: rules of an input with the mode that Heat asks for
WITH_MODES = Query(_SELECT, {"rules": Input("x", strict=True)})


@pytest.mark.parametrize(
    ("properties", "rules", "codes"),
    [
        ("{security_group_rules: [{direction: ingress, ethertype: IPv4, protocol: tcp}]}", [{"protocol": "tcp"}], []),
        ("{security_group_rules: [{remote_group_id: {get_attribute: [SELF, id]}}]}",
         [{"remote_mode": "remote_group_id"}], []),
        ("{security_group_rules: [{remote_group_id: other}]}",
         [{"remote_group_id": "other", "remote_mode": "remote_group_id"}], []),
        ("{disable_default_egress_rules: true, security_group_rules: [{direction: egress, protocol: tcp}]}",
         [{"direction": "egress", "protocol": "tcp"}], []),
        ("{security_group_rules: [{direction: egress, protocol: tcp}]}",
         [{"direction": "egress", "protocol": "tcp"}, {"direction": "egress"},
          {"direction": "egress", "ethertype": "IPv6"}],
         ["BPC358"]),
        ("{disable_default_egress_rules: true}", None, ["BPC359"]),
        ("{security_group_rules: [{direction: {get_input: x}}]}",
         [{"direction": Input("x", strict=True)}, *DEFAULT_RULES], ["BPC358"]),
        ("{security_group_rules: {get_input: x}}", ListConcat([WITH_MODES, DEFAULT_RULES]),
         ["BPC376", "BPC358"]),
        ("{security_group_rules: {get_input: x}, disable_default_egress_rules: true}", WITH_MODES,
         ["BPC376", "BPC359"]),
        ("{security_group_rules: {get_input: x}, disable_default_egress_rules: {get_input: x}}", WITH_MODES,
         ["BPC376", "BPC359"]),
        ("{security_group_rules: [{get_input: x}, {direction: egress}], disable_default_egress_rules: true}",
         [Query(f"{_SELECT}.first()", {"rules": [Input("x", strict=True)]}), {"direction": "egress"}], ["BPC376"]),
    ],
)  # fmt: skip
def test_rules(properties: str, rules: Any, codes: list[str]) -> None:
    found = one(f"{V3}SecurityGroup", properties, "inputs: {x: {}}")
    assert found.properties("n").get("rules") == rules
    assert [code for code, _ in found.told] == codes


@pytest.mark.parametrize(
    ("device", "heat", "codes"),
    [
        ("{uuid: v, source_type: volume, destination_type: volume, boot_index: 0, delete_on_termination: false}",
         {"volume_id": "v"}, []),
        ("{uuid: s, source_type: snapshot, destination_type: volume, boot_index: 1}",
         {"snapshot_id": "s", "boot_index": 1}, []),
        ("{uuid: i, source_type: image, destination_type: volume, volume_size: 9, device_name: vda, boot_index: 0}",
         {"image": "i", "volume_size": 9, "device_name": "vda"}, []),
        ("{source_type: blank, destination_type: local, guest_format: swap, volume_size: 5, boot_index: -1}",
         {"swap_size": 5}, []),
        ("{source_type: blank, destination_type: local, guest_format: ext4, volume_size: 5}",
         {"ephemeral_size": 5, "ephemeral_format": "ext4"}, []),
        ("{source_type: blank, destination_type: volume, volume_size: 5}", None, ["BPC352"]),
        ("{uuid: i, source_type: image, destination_type: local, boot_index: 0}", {"image": "i"}, ["BPC352"]),
        ("{uuid: i, source_type: image, boot_index: 0}", {"image": "i"}, ["BPC352"]),
        ("{uuid: v, source_type: volume, destination_type: volume}", {"volume_id": "v", "boot_index": -1}, []),
    ],
)  # fmt: skip
def test_block_devices(device: str, heat: Any, codes: list[str]) -> None:
    found = one(f"{V3}Server", f"{{resource_config: {{kwargs: {{block_device_mapping_v2: [{device}]}}}}}}")
    assert found.properties("n") == ({} if heat is None else {"block_device_mapping_v2": [heat]})
    assert [code for code, _ in found.told] == codes


def test_no_gateway_of_a_subnet() -> None:
    found = one(f"{V3}Subnet", "{resource_config: {kwargs: {gateway_ip: null}}}")
    assert found.properties("n") == {"gateway_ip": ""}
    assert one(f"{V3}Subnet", "{resource_config: {gateway_ip: null}}").properties("n") == {"gateway_ip": ""}
    assert one(f"{V3}Subnet", "{resource_config: {gateway_ip: 10.0.0.1}}").properties("n") == {"gateway_ip": "10.0.0.1"}


@pytest.mark.parametrize("devices", ["{get_input: all}", "[{get_input: all}]"])
def test_devices_of_an_input(devices: str) -> None:
    config = f"{{resource_config: {{kwargs: {{block_device_mapping_v2: {devices}}}}}}}"
    found = one(f"{V3}Server", config, "inputs: {all: {}}")
    value = found.properties("n")["block_device_mapping_v2"]
    query = value[0] if isinstance(value, list) else value
    assert isinstance(query, ex.Query)
    assert [code for code, _ in found.told] == ["BPC427"]


def test_numbers_in_metadata() -> None:
    config = "{resource_config: {metadata: {a: {concat: [{get_input: n}]}, b: {concat: [{get_input: t}]}}}}"
    found = one(f"{V3}Server", config, "inputs: {n: {type: integer}, t: {}}")
    assert found.properties("n")["metadata"]["a"] == Input("n", strict=True)
    assert isinstance(found.properties("n")["metadata"]["b"], ex.Concat)


@pytest.mark.parametrize(
    ("properties", "classes", "codes"),
    [
        ("{symbols: -1}", None, []),
        ("{symbols: -1, digits: -1}", [{"class": "letters"}], []),
        ("{symbols: -1, uppercase: -1, lowercase: -1, digits: 4}", [{"class": "digits", "min": 4}], []),
        ("{symbols: -1, uppercase: 2}", [{"class": "uppercase", "min": 2}, {"class": "lettersdigits"}], []),
        ("{symbols: -1, uppercase: -1}", [], []),
        ("{symbols: -1, uppercase: {get_input: x}}", [], []),
        ("{symbols: -1, length: 6, uppercase: 6}", [{"class": "uppercase", "min": 6}], []),
    ],
)
def test_characters_of_a_password(properties: str, classes: Any, codes: list[str]) -> None:
    found = one("cloudify.nodes.PasswordSecret", properties, "inputs: {x: {}}")
    assert found.properties("n").get("character_classes") == classes
    assert [code for code, _ in found.told] == codes


def test_symbols_of_a_password() -> None:
    found = one("cloudify.nodes.PasswordSecret", "{length: 20, symbols: 2}")
    symbols, others = found.properties("n")["character_sequences"]
    assert symbols["min"] == 2
    assert set(symbols["sequence"]) < set(others["sequence"])
    assert found.told == []


@pytest.mark.parametrize(
    "properties", ["{resource_config: {public_key: k}}", "{use_external_resource: true, resource_config: {name: k}}"]
)
def test_private_keys_that_nobody_makes(properties: str) -> None:
    found = one(f"{V3}KeyPair", properties)
    assert "save_private_key" not in found.properties("n")
    assert found.told == []


def test_a_private_key_is_kept() -> None:
    found = one(f"{V3}KeyPair", "{}")
    assert found.properties("n") == {"save_private_key": True}
    assert found.told == [("BPC364", "node_templates.n")]


@pytest.mark.parametrize(
    ("properties", "addresses"),
    [
        ("{fixed_ip: 10.0.0.1}", [{"ip_address": "10.0.0.1"}]),
        ("{fixed_ip: 10.0.0.1, resource_config: {fixed_ips: [{subnet_id: s}]}}",
         [{"subnet": "s"}, {"ip_address": "10.0.0.1"}]),
        ("{fixed_ip: 10.0.0.1, resource_config: {fixed_ips: [{ip_address: 10.0.0.1}]}}", [{"ip_address": "10.0.0.1"}]),
        ("{fixed_ip: ''}", None),
    ],
)  # fmt: skip
def test_address_of_a_port(properties: str, addresses: Any) -> None:
    found = one(f"{V3}Port", properties)
    assert found.properties("n").get("fixed_ips") == addresses
    assert found.told == []
