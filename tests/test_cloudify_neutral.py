"""The nodes of a blueprint in neutral form: every rule, every hook's way back, every diagnostic."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import pytest

from bpconvert.diagnostics import Diagnostic, Reporter
from bpconvert.files import Files
from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Attribute, Identity, Input, Property, Query
from bpconvert.models.topology import Node, Operation, Topology
from bpconvert.translators.cloudify.lift import lift
from bpconvert.translators.cloudify.neutral import RawNode, neutralise
from bpconvert.translators.types import builtin
from bpconvert.yamlio.document import load

V3 = "cloudify.nodes.openstack."
V2 = "cloudify.openstack.nodes."
REL = "cloudify.relationships."


class Lifted(NamedTuple):
    topology: Topology
    diagnostics: list[Diagnostic]

    def node(self, name: str) -> Node:
        return self.topology.nodes[name]

    def properties(self, name: str) -> dict[str, Any]:
        return self.topology.nodes[name].properties

    @property
    def told(self) -> list[tuple[str, str]]:
        """Code and place of what this part reports."""
        own = ("BPC35", "BPC36", "BPC41")
        found = [d for d in self.diagnostics if d.code.startswith(own) and d.code != "BPC350"]
        return [(d.code, ".".join(map(str, d.path))) for d in found]


def lifted(nodes: str, rest: str = "") -> Lifted:
    """The topology of a blueprint with these node templates."""
    body = "".join(f"  {line}\n" for line in nodes.strip("\n").splitlines())
    text = (
        "tosca_definitions_version: cloudify_dsl_1_3\nimports:\n  - cloudify/types/types.yaml\n"
        f"  - plugin:cloudify-openstack-plugin\n{rest}\nnode_templates:\n{body}"
    )
    document = load(text, "blueprint.yaml")
    reporter = Reporter(document)
    topology = lift(document, builtin(), reporter, Files(Path("/nowhere")))
    return Lifted(topology, reporter.diagnostics)


def one(type_name: str, properties: str, rest: str = "") -> Lifted:
    """One node ``n`` with the properties of a flow map."""
    return lifted(f"n: {{type: {type_name}, properties: {properties}}}", rest)


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
        (f"{V2}Routes", None),
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
    found = builtin().cloudify_kind(["cloudify.aws.nodes.Instance", "cloudify.nodes.Compute", "cloudify.nodes.Root"])
    assert found is None


def test_a_network_of_a_provider_has_its_own_kind() -> None:
    kwargs = "{'provider:network_type': vlan, 'provider:segmentation_id': '7'}"
    found = one(f"{V3}Network", f"{{resource_config: {{kwargs: {kwargs}}}}}")
    assert found.node("n").kind == "provider_net"
    # Heat shares such networks by default, the plugin does not; vlan is Heat's default
    assert found.properties("n") == {"segmentation_id": "7", "shared": False}


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
    assert node.properties == {"name": "p", "mac_address": "x", "fixed_ips": [{"subnet": "s"}]}
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


@pytest.mark.parametrize(
    ("type_name", "properties", "code"),
    [
        ("Server", "{use_public_ip: true}", "BPC351"),
        ("Server", "{agent_config: {user: x}}", "BPC351"),
        ("Server", "{use_password: true}", "BPC352"),
        ("Server", "{agent_config: {install_method: none}}", None),
        ("Server", "{use_public_ip: false, os_family: linux, ip: ''}", "BPC351"),
        ("FloatingIP", "{allow_reallocation: true}", "BPC352"),
        ("Network", "{create_if_missing: true}", "BPC352"),
        ("Network", "{resource_config: {kwargs: {routing: {external: true}}}}", "BPC351"),
        ("Volume", "{device_name: auto}", None),
        ("Volume", "{device_name: /dev/vdb}", "BPC351"),
        ("KeyPair", "{resource_config: {kwargs: {unknown: 1}}}", "BPC354"),
        ("Port", "{resource_config: {fixed_ips: [{subnet_id: s, what: 1}]}}", "BPC354"),
        ("Server", "{resource_config: {get_input: all}}", "BPC353"),
        ("Router", "{resource_config: {kwargs: {get_input: all}}}", "BPC353"),
        ("Server", "{resource_config: {kwargs: {block_device_mapping_v2: {get_input: all}}}}", "BPC353"),
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

UUID = "3e8d2c54-8a0e-4a3e-9d0c-0f6d6f2f1a11"


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
        ("{security_group_rules: [{direction: {get_input: x}}]}", [{"direction": Input("x", strict=True)}], ["BPC359"]),
        ("{security_group_rules: {get_input: x}}", Input("x", strict=True), ["BPC359"]),
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
    assert found.properties("n") == {"gateway_ip": None}
    assert one(f"{V3}Subnet", "{resource_config: {gateway_ip: null}}").properties("n") == {}
    assert one(f"{V3}Subnet", "{resource_config: {gateway_ip: 10.0.0.1}}").properties("n") == {"gateway_ip": "10.0.0.1"}


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
        ("{symbols: -1, uppercase: -1}", [{"class": "lowercase"}, {"class": "digits"}], ["BPC368"]),
        ("{symbols: -1, uppercase: {get_input: x}}", None, ["BPC352"]),
    ],
)
def test_characters_of_a_password(properties: str, classes: Any, codes: list[str]) -> None:
    found = one("cloudify.nodes.PasswordSecret", properties, "inputs: {x: {}}")
    assert found.properties("n").get("character_classes") == classes
    assert [code for code, _ in found.told] == codes


def test_symbols_of_a_password() -> None:
    found = one("cloudify.nodes.PasswordSecret", "{length: 20, symbols: 2}")
    assert found.properties("n")["character_sequences"][0]["min"] == 2
    assert [code for code, _ in found.told] == ["BPC368"]


def test_a_private_key_that_is_read_is_kept() -> None:
    found = one(f"{V3}KeyPair", "{}", "outputs: {key: {value: {get_attribute: [n, private_key]}}}")
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


# -- operations ---------------------------------------------------------------------------------------------


def with_operation(type_name: str, properties: dict[str, Any], name: str, inputs: dict[str, Any]) -> Lifted:
    """One node that gives inputs to an operation of its type."""
    path = ("node_templates", "n", "interfaces", "cloudify.interfaces.lifecycle", name)
    operation = Operation("cloudify.interfaces.lifecycle", name, "", inputs, path=path)
    node = RawNode("n", type_name, [type_name], properties, properties, path=("node_templates", "n"))
    node.partial.append(operation)
    reporter = Reporter(load("{}", "blueprint.yaml"))
    topology = Topology("cloudify", "cloudify_dsl_1_3")
    neutralise(topology, {"n": node}, builtin(), reporter)
    return Lifted(topology, reporter.diagnostics)


def test_settings_in_the_inputs_of_the_plugins_operations() -> None:
    own = Property("n", "resource_config")
    properties = {"resource_config": {"name": "a", "admin_state_up": False}}
    found = with_operation(f"{V3}Network", properties, "create", {"resource_config": own})
    assert found.properties("n") == {"name": "a", "admin_state_up": False}
    assert found.told == []
    given = {"resource_config": {"name": "b", "kwargs": {"shared": True}}}
    found = with_operation(f"{V3}Network", properties, "create", given)
    assert found.properties("n") == {"name": "b", "admin_state_up": False, "shared": True}
    place = "node_templates.n.interfaces.cloudify.interfaces.lifecycle.create.inputs.resource_config"
    assert found.told == [("BPC366", place)]
    assert ".".join(map(str, found.node("n").origin("name"))) == f"{place}.name"


def test_arguments_of_the_2x_plugin() -> None:
    given = {"args": {"image": "i", "server": {"userdata": "u"}}}
    found = with_operation(f"{V2}Server", {"flavor": "f", "image": "j"}, "create", given)
    assert found.properties("n") == {"image": "i", "flavor": "f", "user_data": "u"}
    assert [code for code, _ in found.told] == ["BPC366"]


def test_other_inputs_of_the_plugins_operations() -> None:
    found = with_operation(f"{V3}Router", {}, "start", {"routes": [{"destination": "d"}], "empty": []})
    assert [code for code, _ in found.told] == ["BPC367"]
    found = with_operation("cloudify.nodes.aws.X", {}, "start", {"routes": [1]})
    assert [diagnostic.code for diagnostic in found.diagnostics] == ["BPC153"]


# -- the 2.x plugin -----------------------------------------------------------------------------------------


def test_a_server_of_the_2x_plugin() -> None:
    server = (
        "{server: {name: s, image: i, flavor: f, userdata: u, security_groups: [a],"
        " nics: [{net-id: n, v4-fixed-ip: 10.0.0.1}, {port-id: p}]}, management_network_name: m}"
    )
    found = one(f"{V2}Server", server)
    assert found.properties("n") == {
        "name": "s", "image": "i", "flavor": "f", "user_data": "u", "security_groups": ["a"],
        "networks": [{"network": "n", "fixed_ip": "10.0.0.1"}, {"port": "p"}],
    }  # fmt: skip
    assert found.node("n").origin("networks", 0, "network")[3:] == ("server", "nics", 0, "net-id")
    assert found.told == [("BPC352", "node_templates.n.properties.management_network_name")]


def test_resource_id_is_the_name_of_what_is_created() -> None:
    assert one(f"{V2}Network", "{resource_id: mine}").properties("n") == {"name": "mine"}
    assert one(f"{V2}Network", "{resource_id: '', network: {name: b}}").properties("n") == {"name": "b"}


@pytest.mark.parametrize(
    ("rule", "heat", "filled"),
    [
        ("{port: 22}", {"protocol": "tcp", "port_range_min": 22, "port_range_max": 22}, True),
        ("{protocol: udp, port_range_min: 1, port_range_max: 9, remote_ip_prefix: 10.0.0.0/8}",
         {"protocol": "udp", "port_range_min": 1, "port_range_max": 9, "remote_ip_prefix": "10.0.0.0/8"}, False),
        ("{protocol: null, port_range_min: null, port_range_max: null}", {}, False),
        ("{ethertype: IPv6, port: 1}",
         {"ethertype": "IPv6", "protocol": "tcp", "port_range_min": 1, "port_range_max": 1,
          "remote_ip_prefix": "0.0.0.0/0"},
         True),
        ("{remote_group_node: other, port: 1}",
         {"remote_group_id": Identity("other"), "remote_mode": "remote_group_id", "protocol": "tcp",
          "port_range_min": 1, "port_range_max": 1}, True),
    ],
)  # fmt: skip
def test_rules_of_the_2x_plugin(rule: str, heat: Any, filled: bool) -> None:
    found = one(f"{V2}SecurityGroup", f"{{rules: [{rule}], description: d}}")
    assert found.properties("n") == {"rules": [heat], "description": "d"}
    assert [code for code, _ in found.told] == (["BPC357"] if filled else [])


def test_a_group_by_its_name() -> None:
    found = one(f"{V2}SecurityGroup", "{rules: [{remote_group_name: g, protocol: null, port: null}]}")
    assert found.told == [("BPC352", "node_templates.n.properties.rules.0.remote_group_name")]
    assert found.properties("n")["rules"] == [{"remote_group_id": "g", "remote_mode": "remote_group_id"}]


def test_properties_keep_the_order_of_the_blueprint() -> None:
    found = one(f"{V3}Server", "{resource_config: {user_data: u, name: n}, flavor: f, image: i}")
    assert list(found.properties("n")) == ["user_data", "name", "flavor", "image"]


def test_rules_of_the_2x_plugin_that_are_not_written_out() -> None:
    found = one(f"{V2}SecurityGroup", "{rules: {get_input: r}}", "inputs: {r: {}}")
    rules = found.properties("n")["rules"]
    assert isinstance(rules, Query)
    assert rules.data == {"rules": Input("r", strict=True)}
    assert [code for code, _ in found.told] == ["BPC359", "BPC369"]


# -- relationships ------------------------------------------------------------------------------------------


def related(source: str, target: str, relationship: str, properties: str = "{}") -> Lifted:
    return lifted(
        f"t: {{type: {target}}}\n"
        f"s: {{type: {source}, properties: {properties}, relationships: [{{type: {relationship}, target: t}}]}}"
    )


@pytest.mark.parametrize("relationship", ["depends_on", "connected_to", "contained_in"])
@pytest.mark.parametrize(
    ("source", "target", "said"),
    [
        ("Server", "Network", {"networks": [{"network": Identity("t")}]}),
        ("Server", "Port", {"networks": [{"port": Identity("t")}]}),
        ("Server", "SecurityGroup", {"security_groups": [Identity("t")]}),
        ("Server", "KeyPair", {"key_name": Identity("t")}),
        ("Port", "Network", {"network": Identity("t")}),
        ("Port", "SecurityGroup", {"security_groups": [Identity("t")]}),
        ("Subnet", "Network", {"network": Identity("t")}),
        ("Router", "Network", {"external_gateway_info": {"network": Identity("t")}}),
        ("FloatingIP", "Network", {"floating_network": Identity("t")}),
        ("FloatingIP", "Port", {"port_id": Identity("t")}),
        ("FloatingIP", "Subnet", {"floating_subnet": Identity("t")}),
    ],
)
def test_the_two_nodes_decide(source: str, target: str, said: Any, relationship: str) -> None:
    found = related(V3 + source, V3 + target, REL + relationship)
    assert found.properties("s") == said
    assert found.node("s").depends_on == []
    name = next(iter(said))
    part = said[name] if isinstance(said[name], (list, dict)) else None
    steps = (name,) if part is None else (name, 0) if isinstance(part, list) else (name, "network")
    assert found.node("s").origin(*steps)[:4] == ("node_templates", "s", "relationships", 0)


@pytest.mark.parametrize(
    ("source", "target"),
    [("Server", "Subnet"), ("Port", "Subnet"), ("Subnet", "Router"), ("Port", "Router"), ("Volume", "Server"),
     ("Server", "FloatingIP"), ("SecurityGroupRule", "SecurityGroup"), ("Server", "Volume")],
)  # fmt: skip
def test_mere_order(source: str, target: str) -> None:
    config = "{resource_config: {protocol: tcp}}" if source == "SecurityGroupRule" else "{}"
    found = related(V3 + source, V3 + target, f"{REL}depends_on", config)
    assert found.node("s").depends_on == ["t"]
    assert found.told == []


def test_property_and_relationship_say_the_same() -> None:
    config = "{resource_config: {network_id: {get_attribute: [t, id]}}}"
    found = related(f"{V3}Port", f"{V3}Network", f"{REL}connected_to", config)
    assert found.properties("s") == {"network": Identity("t")}
    assert found.told == []


def test_property_and_relationship_differ() -> None:
    found = related(f"{V3}Port", f"{V3}Network", f"{REL}connected_to", "{resource_config: {network_id: other}}")
    assert found.properties("s") == {"network": "other"}
    assert found.node("s").depends_on == ["t"]
    assert found.told == [("BPC410", "node_templates.s.relationships.0")]


def test_lists_grow_in_the_order_of_the_relationships() -> None:
    found = lifted(
        f"a: {{type: {V3}Port}}\nb: {{type: {V3}Network}}\nc: {{type: {V3}Port}}\n"
        f"s:\n  type: {V3}Server\n  relationships:\n"
        + "".join(f"    - {{type: {REL}connected_to, target: {name}}}\n" for name in "cba")
    )
    networks = [{"port": Identity("c")}, {"network": Identity("b")}, {"port": Identity("a")}]
    assert found.properties("s") == {"networks": networks}


def test_a_network_and_a_port_on_it_are_one_interface() -> None:
    found = lifted(
        f"net: {{type: {V3}Network}}\n"
        f"port: {{type: {V3}Port, relationships: [{{type: {REL}connected_to, target: net}}]}}\n"
        f"s: {{type: {V3}Server, relationships: [{{type: {REL}connected_to, target: net}},"
        f" {{type: {REL}connected_to, target: port}}]}}"
    )
    assert found.properties("s") == {"networks": [{"port": Identity("port")}]}


@pytest.mark.parametrize(
    ("source", "target", "relationship", "made", "kind", "properties"),
    [
        ("Subnet", "Router", "subnet_connected_to_router", "s_interface", "router_interface",
         {"subnet": Identity("s"), "router": Identity("t")}),
        ("Port", "Router", "port_connected_to_router", "s_interface", "router_interface",
         {"port": Identity("s"), "router": Identity("t")}),
        ("Volume", "Server", "volume_attached_to_server", "s_attachment", "volume_attachment",
         {"volume_id": Identity("s"), "instance_uuid": Identity("t")}),
        ("Port", "FloatingIP", "port_connected_to_floating_ip", "t_association", "floating_ip_association",
         {"port_id": Identity("s"), "floatingip_id": Identity("t")}),
    ],
)  # fmt: skip
@pytest.mark.parametrize(("types", "prefix"), [(V3, f"{REL}openstack."), (V2, "cloudify.openstack.")])
def test_splits(
    source: str, target: str, relationship: str, made: str, kind: str, properties: Any, types: str, prefix: str
) -> None:
    if (types, relationship) == (V2, "port_connected_to_router"):
        pytest.skip("the 2.x plugin has no such relationship")
    found = related(types + source, types + target, prefix + relationship)
    node = found.node(made)
    assert (node.kind, node.properties, node.path) == (kind, properties, ("node_templates", "s", "relationships", 0))
    assert found.node("s").depends_on == []
    assert found.told == [("BPC413", "node_templates.s.relationships.0")]
    assert list(found.topology.nodes) == ["t", "s", made]


def test_the_mountpoint_is_the_volumes() -> None:
    relationship = f"{REL}openstack.volume_attached_to_server"
    found = related(f"{V3}Volume", f"{V3}Server", relationship, "{device_name: /dev/vdb}")
    assert found.node("s_attachment").properties["mountpoint"] == "/dev/vdb"
    assert found.node("s_attachment").origin("mountpoint") == ("node_templates", "s", "properties", "device_name")
    assert found.told == [("BPC413", "node_templates.s.relationships.0")]


def test_a_name_that_is_taken() -> None:
    found = lifted(
        f"s_interface: {{type: {V3}Router}}\n"
        f"s: {{type: {V3}Subnet, relationships:"
        f" [{{type: {REL}openstack.subnet_connected_to_router, target: s_interface}}]}}"
    )
    assert found.node("s_interface_2").properties["router"] == Identity("s_interface")


def test_what_waits_for_a_volume_waits_for_its_attachment() -> None:
    found = lifted(
        f"server: {{type: {V3}Server}}\n"
        f"disk: {{type: {V3}Volume, relationships:"
        f" [{{type: {REL}openstack.volume_attached_to_server, target: server}}]}}\n"
        f"app: {{type: cloudify.nodes.Root, relationships: [{{type: {REL}depends_on, target: disk}}]}}"
    )
    assert found.node("app").depends_on == ["disk_attachment"]


@pytest.mark.parametrize(
    ("interface", "port", "codes"),
    [
        (f"p: {{type: {V3}Port}}", Identity("p"), ["BPC413"]),
        (f"p: {{type: {V3}Network}}", Attribute("s", "addresses", (Identity("p"), 0, "port")), ["BPC413"]),
        ("p: {type: cloudify.nodes.Root}", None, ["BPC414"]),
    ],
)
def test_floating_ip_of_a_server(interface: str, port: Any, codes: list[str]) -> None:
    found = lifted(
        f"{interface}\nip: {{type: {V3}FloatingIP}}\n"
        f"s: {{type: {V3}Server, relationships: [{{type: {REL}openstack.server_connected_to_floating_ip, target: ip}},"
        f" {{type: {REL}connected_to, target: p}}]}}"
    )
    assert [code for code, _ in found.told] == codes
    if port is None:
        assert found.node("s").depends_on == ["p", "ip"]
        assert "ip_association" not in found.topology.nodes
    else:
        assert found.node("ip_association").properties == {"port_id": port, "floatingip_id": Identity("ip")}


def test_a_port_that_joins_a_server() -> None:
    found = related(f"{V3}Port", f"{V3}Server", f"{REL}openstack.port_connected_to_server")
    assert found.properties("t") == {"networks": [{"port": Identity("s")}]}
    assert found.node("s").depends_on == []


def test_a_server_boots_from_a_bootable_volume() -> None:
    found = lifted(
        f"v: {{type: {V3}Volume, properties: {{resource_config: {{imageRef: i}}}}}}\n"
        f"s: {{type: {V3}Server, relationships: [{{type: {REL}depends_on, target: v}}]}}"
    )
    assert found.properties("s") == {"block_device_mapping_v2": [{"volume_id": Identity("v")}]}


def test_a_volume_that_may_be_bootable() -> None:
    found = lifted(
        f"v: {{type: {V3}Volume, properties: {{use_external_resource: true, resource_config: {{name: v}}}}}}\n"
        f"s: {{type: {V3}Server, relationships: [{{type: {REL}depends_on, target: v}}]}}"
    )
    assert [code for code, _ in found.told] == ["BPC415"]


def test_groups_of_a_server_with_ports() -> None:
    found = lifted(
        f"g: {{type: {V3}SecurityGroup}}\np: {{type: {V3}Port}}\n"
        f"s: {{type: {V3}Server, relationships: [{{type: {REL}connected_to, target: p}},"
        f" {{type: {REL}connected_to, target: g}}]}}"
    )
    assert found.told == [("BPC416", "node_templates.s.relationships.1")]


def test_relationships_that_are_not_in_the_catalogue() -> None:
    found = related(f"{V3}Server", f"{V3}ServerGroup", f"{REL}openstack.server_connected_to_server_group")
    assert found.told == [("BPC411", "node_templates.s.relationships.0")]
    assert found.node("s").depends_on == ["t"]


def test_host_is_the_nearest_machine() -> None:
    found = lifted(
        f"vm: {{type: {V3}Server}}\n"
        f"web: {{type: cloudify.nodes.WebServer, relationships: [{{type: {REL}contained_in, target: vm}}]}}\n"
        f"app: {{type: cloudify.nodes.ApplicationModule, relationships: [{{type: {REL}contained_in, target: web}}]}}"
    )
    assert [node.host for node in found.topology.nodes.values()] == [None, "vm", "vm"]


def test_references_imply_order() -> None:
    config = "{resource_config: {metadata: {a: {get_attribute: [t, mac_address]}}}}"
    found = lifted(
        f"t: {{type: {V3}Volume}}\n"
        f"s: {{type: {V3}Volume, properties: {config}, relationships: [{{type: {REL}depends_on, target: t}}]}}"
    )
    assert found.node("s").depends_on == []


# -- what the conversion from HOT adds ----------------------------------------------------------------------


def test_barriers_vanish() -> None:
    found = lifted(
        f"t: {{type: {V3}Network}}\n"
        f"t_barrier: {{type: cloudify.nodes.Root, relationships: [{{type: {REL}depends_on, target: t}}]}}\n"
        f"s: {{type: {V3}Server, relationships: [{{type: {REL}depends_on, target: t_barrier}}]}}"
    )
    assert list(found.topology.nodes) == ["t", "s"]
    assert found.node("s").depends_on == ["t"]
    assert found.properties("s") == {}


@pytest.mark.parametrize("change", ["properties: {x: 1}", "interfaces: {i: {o: {implementation: a.sh}}}"])
def test_nodes_that_say_more_are_no_barriers(change: str) -> None:
    found = lifted(
        "t: {type: cloudify.nodes.Root}\n"
        f"t_barrier: {{type: cloudify.nodes.Root, {change}, relationships: [{{type: {REL}depends_on, target: t}}]}}\n"
        f"s: {{type: {V3}Server, relationships: [{{type: {REL}depends_on, target: t_barrier}}]}}"
    )
    assert "t_barrier" in found.topology.nodes


DEFAULT_GROUP = (
    f"external_default: {{type: {V3}SecurityGroup, properties:"
    " {use_external_resource: true, resource_config: {id: default}}}\n"
)
IN_DEFAULT = f"{{type: {REL}openstack.port_connected_to_security_group, target: external_default}}"


def test_the_default_group_of_ports_goes_without_saying() -> None:
    found = lifted(f"{DEFAULT_GROUP}p: {{type: {V3}Port, relationships: [{IN_DEFAULT}]}}")
    assert found.properties("p") == {}
    assert list(found.topology.nodes) == ["p"]


def interface(name: str, rest: str = "") -> Lifted:
    return lifted(
        f"{DEFAULT_GROUP}net: {{type: {V3}Network}}\nsub: {{type: {V3}Subnet}}\n"
        f"{name}: {{type: {V3}Port, properties: {{resource_config: {{fixed_ips:"
        f" [{{subnet_id: {{get_attribute: [sub, id]}}, ip_address: 10.0.0.1}}]}}}},"
        f" relationships: [{{type: {REL}connected_to, target: net}}, {IN_DEFAULT}]}}\n"
        f"web: {{type: {V3}Server, relationships: [{{type: {REL}connected_to, target: {name}}}]}}",
        rest,
    )


def test_ports_of_interfaces_are_part_of_the_server() -> None:
    found = interface("web_port_0")
    item = {"network": Identity("net"), "subnet": Identity("sub"), "fixed_ip": "10.0.0.1"}
    assert found.properties("web") == {"networks": [item]}
    assert list(found.topology.nodes) == ["net", "sub", "web"]


def test_ports_that_are_used_elsewhere_stay() -> None:
    found = interface("web_port_0", "outputs: {o: {value: {get_attribute: [web_port_0, id]}}}")
    assert found.properties("web") == {"networks": [{"port": Identity("web_port_0")}]}
    assert interface("other_port").properties("web") == {"networks": [{"port": Identity("other_port")}]}


def test_what_heat_waits_for_by_itself() -> None:
    net = f"{{type: {REL}connected_to, target: net}}"
    found = lifted(
        f"net: {{type: {V3}Network}}\nsub: {{type: {V3}Subnet, relationships: [{net}]}}\n"
        f"p: {{type: {V3}Port, relationships: [{net}, {{type: {REL}depends_on, target: sub}}]}}"
    )
    assert found.node("p").depends_on == []


def test_stand_ins_are_themselves_again() -> None:
    found = lifted(
        "a:\n  type: bpconvert.nodes.HeatResource\n  properties:\n    heat_type: OS::Heat::WaitCondition\n"
        "    heat_properties: {handle: {get_attribute: [b, id]}}\n"
        "b:\n  type: bpconvert.nodes.HeatResource\n  properties:\n    heat_type: OS::Neutron::Port\n"
        "    heat_properties: {network_id: x}\n",
        "node_types:\n  bpconvert.nodes.HeatResource:\n    derived_from: cloudify.nodes.Root\n    properties:\n"
        "      heat_type: {type: string}\n      heat_properties: {default: {}}\n",
    )
    a, b = found.node("a"), found.node("b")
    assert (a.kind, a.native, a.source_type) == (None, "hot", "OS::Heat::WaitCondition")
    assert a.properties == {"handle": Identity("b")}
    assert (b.kind, b.native, b.properties, b.aliases) == ("port", "hot", {"network": "x"}, {"network": "network_id"})
    assert b.origin("network")[-2:] == ("heat_properties", "network_id")


# -- attributes ---------------------------------------------------------------------------------------------

CONNECTED = (
    f"net: {{type: {V3}Network}}\n"
    f"port: {{type: {V3}Port, relationships: [{{type: {REL}connected_to, target: net}},"
    f" {{type: {REL}openstack.port_connected_to_floating_ip, target: fip}}]}}\n"
    f"fip: {{type: {V3}FloatingIP}}\nvolume: {{type: {V3}Volume}}\n"
    f"group: {{type: {V3}SecurityGroup, properties: {{resource_config: {{name: g}}}}}}\n"
    f"server: {{type: {V3}Server, relationships: [{{type: {REL}connected_to, target: port}}]}}\n"
    "vm: {type: cloudify.nodes.Compute, properties: {ip: 10.0.0.1}}\n"
    "secret: {type: cloudify.nodes.PasswordSecret}\n"
    f"old: {{type: {V2}Network, properties: {{resource_id: x}}}}\n"
)
SWITCH = "switch($.data.v = null => null, true => $.data.v.select($.ip_address){})"


def query(part: str) -> Query:
    return Query(SWITCH.format(part), {"v": Attribute("port", "fixed_ips")})


@pytest.mark.parametrize(
    ("call", "value", "codes"),
    [
        ("[server, id]", Identity("server"), []),
        ("[old, external_id]", Identity("old"), []),
        ("[secret, password]", Identity("secret"), []),
        ("[server, ip]", Attribute("server", "first_address"), []),
        ("[server, ipv4_address]", Attribute("server", "first_address"), []),
        ("[server, access_ipv4]", Attribute("server", "accessIPv4"), []),
        ("[server, public_ip]", Attribute("fip", "floating_ip_address"), []),
        ("[server, public_ip_address]", Attribute("fip", "floating_ip_address"), []),
        ("[server, ipv4_addresses, 0]", Attribute("port", "fixed_ips", (0, "ip_address")), ["BPC361"]),
        ("[server, ipv6_address]", query(".where(':' in $).first(null)"), ["BPC361"]),
        ("[port, fixed_ips, 1]", Attribute("port", "fixed_ips", (1, "ip_address")), []),
        ("[port, fixed_ips]", query(""), []),
        ("[port, fixed_ips, 0, 1]", Attribute("port", "fixed_ips", (0, 1)), ["BPC360"]),
        ("[port, ipv4_address]", Attribute("port", "fixed_ips", (0, "ip_address")), ["BPC361"]),
        ("[port, ipv6_address]", query(".where(':' in $).first(null)"), []),
        ("[port, ipv4_addresses]", query(".where(not (':' in $))"), []),
        ("[port, ipv6_addresses, 1]", query(".where(':' in $).skip(1).first(null)"), []),
        ("[port, mac_address]", Attribute("port", "mac_address"), []),
        ("[volume, name]", Attribute("volume", "display_name"), []),
        ("[old, external_name]", Attribute("old", "name"), []),
        ("[group, name]", Property("group", "resource_config", ("name",)), []),
        ("[vm, ip]", Property("vm", "ip"), []),
        ("[server, unheard_of]", Attribute("server", "unheard_of"), []),
    ],
)
def test_attributes(call: str, value: Any, codes: list[str]) -> None:
    """In outputs, in inputs with branches, and in other nodes."""
    rest = (
        f"outputs: {{o: {{value: {{get_attribute: {call}}}}}}}\ninputs: {{i: {{default: [{{get_attribute: {call}}}]}}}}"
    )
    found = lifted(
        CONNECTED + f"last: {{type: cloudify.nodes.Root, properties: {{x: {{get_attribute: {call}}}}}}}", rest
    )
    assert found.topology.outputs["o"].value == value
    assert found.topology.inputs["i"].default == [value]
    assert found.properties("last") == {"x": value}
    assert found.node("last").declared["x"] == value
    told = [code for code, place in found.told if place.startswith("outputs")]
    assert told == codes


def test_the_address_that_the_agent_uses() -> None:
    found = lifted(
        f"fip: {{type: {V3}FloatingIP}}\n"
        f"server: {{type: {V3}Server, properties: {{use_public_ip: true}},"
        f" relationships: [{{type: {REL}openstack.server_connected_to_floating_ip, target: fip}}]}}",
        "outputs: {o: {value: {get_attribute: [server, ip]}}}",
    )
    assert found.topology.outputs["o"].value == Attribute("fip", "floating_ip_address")
