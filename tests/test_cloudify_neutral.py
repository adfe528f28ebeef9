"""The nodes of a blueprint in neutral form: every rule, every hook's way back, every diagnostic."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import pytest

from bpconvert.diagnostics import Diagnostic, Reporter
from bpconvert.files import Files
from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Attribute, Foreign, Identity, Input, ListConcat, Property, Query
from bpconvert.models.topology import Node, Operation, Topology
from bpconvert.translators.cloudify.lift import lift
from bpconvert.translators.cloudify.neutral import RawNode, RawRelationship, neutralise
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
        own = ("BPC35", "BPC36", "BPC37", "BPC40", "BPC41")
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
        ("KeyPair", "{resource_config: {public_key: k, kwargs: {unknown: 1}}}", "BPC354"),
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


DEFAULT_RULES = [{"direction": "egress"}, {"direction": "egress", "ethertype": "IPv6"}]


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
        ("{security_group_rules: {get_input: x}}", ListConcat([Input("x", strict=True), DEFAULT_RULES]), ["BPC358"]),
        ("{security_group_rules: {get_input: x}, disable_default_egress_rules: true}", Input("x", strict=True),
         ["BPC359"]),
        ("{security_group_rules: {get_input: x}, disable_default_egress_rules: {get_input: x}}",
         Input("x", strict=True), ["BPC359"]),
        ("{security_group_rules: [{get_input: x}, {direction: egress}], disable_default_egress_rules: true}",
         [Input("x", strict=True), {"direction": "egress"}], []),
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


# -- operations ---------------------------------------------------------------------------------------------


def with_operation(type_name: str, properties: dict[str, Any], name: str, inputs: dict[str, Any]) -> Lifted:
    """One node that gives inputs to an operation of the plugin."""
    path = ("node_templates", "n", "interfaces", "cloudify.interfaces.lifecycle", name)
    operation = Operation("cloudify.interfaces.lifecycle", name, "openstack.plugin.run", inputs, path=path)
    node = RawNode("n", type_name, [type_name], properties, properties, path=("node_templates", "n"))
    node.operations.append(operation)
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
    assert found.properties("n") == {"image": "i", "flavor": "f", "user_data": "u", "user_data_format": "RAW"}
    assert [code for code, _ in found.told] == ["BPC366"]


def test_other_inputs_of_the_plugins_operations() -> None:
    found = with_operation(f"{V3}Router", {}, "start", {"routes": [{"destination": "d"}], "empty": []})
    assert [code for code, _ in found.told] == ["BPC367"]
    create = "{cloudify.interfaces.lifecycle: {create: {inputs: {a: 1}, max_retries: 3}}}"
    found = lifted(f"n: {{type: {V3}Router, interfaces: {create}}}")
    place = "node_templates.n.interfaces.cloudify.interfaces.lifecycle.create"
    assert found.told == [("BPC367", f"{place}.inputs.a"), ("BPC351", f"{place}.max_retries")]
    found = lifted("n: {type: cloudify.nodes.aws.X, interfaces: {i: {start: {inputs: {routes: [1]}}}}}")
    assert "BPC153" in [diagnostic.code for diagnostic in found.diagnostics]


# -- the 2.x plugin -----------------------------------------------------------------------------------------


def test_a_server_of_the_2x_plugin() -> None:
    server = (
        "{server: {name: s, image: i, flavor: f, userdata: u, security_groups: [a],"
        " nics: [{net-id: n, v4-fixed-ip: 10.0.0.1}, {port-id: p}]}, management_network_name: m}"
    )
    found = one(f"{V2}Server", server)
    assert found.properties("n") == {
        "name": "s", "image": "i", "flavor": "f", "user_data": "u", "user_data_format": "RAW",
        "networks": [{"network": "n", "fixed_ip": "10.0.0.1"}, {"port": "p"}],
    }  # fmt: skip
    assert found.node("n").origin("networks", 0, "network")[3:] == ("server", "nics", 0, "net-id")
    place = "node_templates.n.properties"
    assert found.told == [
        ("BPC352", f"{place}.management_network_name"), ("BPC416", f"{place}.server.security_groups"),
        ("BPC408", f"{place}.server.security_groups"),
    ]  # fmt: skip


def test_resource_id_is_the_name_of_what_is_created() -> None:
    assert one(f"{V2}Network", "{resource_id: mine}").properties("n") == {"name": "mine"}
    assert one(f"{V2}Network", "{resource_id: '', network: {name: b}}").properties("n") == {"name": "b"}
    found = one(f"{V2}Network", "{resource_id: a, network: {name: b}}")
    assert found.properties("n") == {"name": "b"}
    assert found.told == [("BPC362", "node_templates.n.properties.resource_id")]
    found = one(f"{V2}KeyPair", "{resource_id: key, keypair: {public_key: k}}")
    assert found.properties("n") == {"name": "key", "public_key": "k"}
    assert one(f"{V2}FloatingIP", "{resource_id: ip}").told == [("BPC351", "node_templates.n.properties.resource_id")]


def test_names_of_the_2x_plugin_that_outputs_read() -> None:
    outputs = (
        "outputs: {s: {value: {get_attribute: [s, external_name]}}, g: {value: {get_attribute: [g, external_name]}}}"
    )
    found = lifted(
        f"s: {{type: {V2}Server}}\ng: {{type: {V2}SecurityGroup, properties: {{resource_id: mine}}}}", outputs
    )
    assert found.topology.outputs["s"].value == Attribute("s", "name")
    # Heat's groups have no such attribute
    assert found.topology.outputs["g"].value == Property("g", "resource_id")


def test_properties_with_names_that_are_no_texts() -> None:
    found = one(f"{V3}Network", "{1: a, true: b, null: c, resource_config: {2.5: d}}")
    assert {code for code, _ in found.told} <= {"BPC354", "BPC355"}


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
    asked = Foreign("cloudify", "remote_group_name", "g")
    assert found.properties("n")["rules"] == [{"remote_group_id": asked, "remote_mode": "remote_group_id"}]


def test_properties_keep_the_order_of_the_blueprint() -> None:
    found = one(f"{V3}Server", "{resource_config: {user_data: u, name: n}, flavor: f, image: i}")
    assert list(found.properties("n")) == ["user_data", "user_data_format", "name", "flavor", "image"]


def test_rules_of_the_2x_plugin_that_are_not_written_out() -> None:
    found = one(f"{V2}SecurityGroup", "{rules: {get_input: r}}", "inputs: {r: {}}")
    rules = found.properties("n")["rules"]
    assert isinstance(rules, ListConcat)
    assert isinstance(rules.lists[0], Query)
    assert rules.lists[0].data == {"rules": Input("r", strict=True)}
    assert rules.lists[1] == DEFAULT_RULES
    assert [code for code, _ in found.told] == ["BPC358", "BPC369"]


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


def test_interfaces_are_ports_then_networks_in_the_order_of_the_relationships() -> None:
    found = lifted(
        f"a: {{type: {V3}Port}}\nb: {{type: {V3}Network}}\nc: {{type: {V3}Port}}\n"
        f"s:\n  type: {V3}Server\n  relationships:\n"
        + "".join(f"    - {{type: {REL}connected_to, target: {name}}}\n" for name in "cba")
    )
    networks = [{"port": Identity("c")}, {"port": Identity("a")}, {"network": Identity("b")}]
    assert found.properties("s") == {"networks": networks}
    places = [found.node("s").origin("networks", index)[-1] for index in range(3)]
    assert places == [0, 2, 1]


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
    device = {"volume_id": Identity("v"), "delete_on_termination": True}
    assert found.properties("s") == {"block_device_mapping_v2": [device]}


def test_a_volume_that_may_be_bootable() -> None:
    found = lifted(
        f"v: {{type: {V3}Volume, properties: {{use_external_resource: true, resource_config: {{name: v}}}}}}\n"
        f"s: {{type: {V3}Server, relationships: [{{type: {REL}depends_on, target: v}}]}}"
    )
    assert [code for code, _ in found.told] == ["BPC415", "BPC374"]


GROUP = f"relationships: [{{type: {REL}openstack.server_connected_to_security_group, target: g}}]"


@pytest.mark.parametrize(
    ("port", "groups"),
    [
        ("{}", ["default", Identity("g")]),
        ("{resource_config: {security_groups: [a, b]}}", ["a", "b", Identity("g")]),
    ],
)
@pytest.mark.parametrize("own", ["[{name: x}]", "{get_input: x}"])
def test_groups_of_a_server_with_ports(port: str, groups: Any, own: str) -> None:
    found = lifted(
        f"g: {{type: {V3}SecurityGroup}}\np: {{type: {V3}Port, properties: {port}}}\n"
        f"s: {{type: {V3}Server, properties: {{resource_config: {{security_groups: {own}}}}}, relationships:"
        f" [{{type: {REL}openstack.server_connected_to_security_group, target: g}},"
        f" {{type: {REL}connected_to, target: p}}]}}",
        "inputs: {x: {}}",
    )
    assert found.properties("s") == {"networks": [{"port": Identity("p")}]}
    assert found.node("s").depends_on == []
    assert found.properties("p") == {"security_groups": groups}
    place = ("node_templates", "s", "relationships", 0)
    assert found.node("p").origin("security_groups", len(groups) - 1) == place
    assert [told for told in found.told if told[0] != "BPC355"] == [
        ("BPC379", "node_templates.s.relationships.0"),
        ("BPC408", "node_templates.s.properties.resource_config.security_groups"),
    ]


def test_groups_that_a_server_with_ports_does_not_join() -> None:
    found = lifted(
        f"g: {{type: {V3}SecurityGroup}}\np: {{type: {V3}Port}}\n"
        f"s: {{type: {V3}Server, relationships: [{{type: {REL}connected_to, target: p}},"
        f" {{type: {REL}connected_to, target: g}}]}}"
    )
    assert found.properties("s") == {"networks": [{"port": Identity("p")}]}
    assert found.properties("p") == {}
    assert found.told == [("BPC408", "node_templates.s.relationships.1")]


def test_groups_of_a_server_with_ports_of_others() -> None:
    nets = "[{port: x}, {uuid: y}]"
    found = lifted(
        f"g: {{type: {V3}SecurityGroup}}\n"
        f"s: {{type: {V3}Server, properties: {{resource_config: {{networks: {nets}}}}}, {GROUP}}}"
    )
    assert "security_groups" not in found.properties("s")
    assert [code for code, _ in found.told] == ["BPC416", "BPC416"]


def test_groups_of_a_property_beside_ports_and_networks() -> None:
    settings = "{networks: [{uuid: y}], security_groups: [{name: a}]}"
    found = lifted(
        f"p: {{type: {V3}Port}}\ns: {{type: {V3}Server, properties: {{resource_config: {settings}}},"
        f" relationships: [{{type: {REL}connected_to, target: p}}]}}"
    )
    assert found.properties("s") == {"networks": [{"network": "y"}, {"port": Identity("p")}]}
    place = "node_templates.s.properties.resource_config.security_groups"
    assert found.told == [("BPC416", place), ("BPC408", place)]


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


@pytest.mark.parametrize(
    ("value", "waits"),
    [
        ("{get_attribute: [t, availability_zone]}", []),
        ("{get_attribute: [t, id]}", []),
        ("{concat: [a, {get_attribute: [t, id]}]}", []),
        # Heat has no such attribute: a parameter takes its place
        ("{get_attribute: [t, host]}", ["t"]),
    ],
)
def test_references_imply_order(value: str, waits: list[str]) -> None:
    config = f"{{resource_config: {{kwargs: {{metadata: {{a: {value}}}}}}}}}"
    found = lifted(
        f"t: {{type: {V3}Volume}}\n"
        f"s: {{type: {V3}Volume, properties: {config}, relationships: [{{type: {REL}depends_on, target: t}}]}}"
    )
    assert found.node("s").depends_on == waits


@pytest.mark.parametrize(
    ("value", "target", "waits"),
    [
        ("{get_attribute: [t, id]}", "t", False),
        ("{concat: [{get_attribute: [t, id]}, {get_secret: s}]}", "t", True),  # stays as data
        ("{get_attribute: [u, port]}", "u", False),
        ("{get_attribute: [u, said]}", "u", True),  # is the property
    ],
)
def test_references_of_stand_ins_imply_order(value: str, target: str, waits: bool) -> None:
    found = lifted(
        f"t: {{type: {V3}Volume}}\nu: {{type: odd, properties: {{said: 1}}}}\n"
        f"s: {{type: odd, properties: {{a: {value}}}, relationships: [{{type: {REL}depends_on, target: {target}}}]}}"
    )
    assert found.node("s").depends_on == [target] * waits


def test_references_of_operations_of_the_type_imply_no_order() -> None:
    raw = {name: RawNode(name, "odd", ["odd"], path=("node_templates", name)) for name in ("s", "t")}
    inputs = {"a": Attribute("t", "port")}
    for place, waits in ((("node_types", "odd"), ["t"]), (("node_templates", "s"), [])):
        raw["s"].operations = [Operation("i", "o", "plugin.run", inputs, path=(*place, "interfaces", "i", "o"))]
        relationship = ("node_templates", "s", "relationships", 0)
        raw["s"].relationships = [RawRelationship(f"{REL}depends_on", "t", path=relationship)]
        topology = Topology("cloudify", "cloudify_dsl_1_3")
        neutralise(topology, raw, builtin(), Reporter(load("{}", "blueprint.yaml")))
        assert topology.nodes["s"].depends_on == waits
        assert not waits or topology.nodes["s"].origins["depends_on", 0] == relationship


def test_existing_resources_wait_for_nothing() -> None:
    existing = "{use_external_resource: true, resource_config: {name: n}}"
    found = lifted(
        f"t: {{type: odd}}\n"
        f"s: {{type: {V3}Network, properties: {existing}, relationships: [{{type: {REL}depends_on, target: t}}]}}"
    )
    assert found.node("s").depends_on == []
    assert found.told == [("BPC356", "node_templates.s.relationships.0")]


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
        ("[port, ipv4_address]", query(".where(not (':' in $)).first(null)"), []),
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


# -- what the plugin does not do ----------------------------------------------------------------------------


def emptied(operation: str, rest: str = "") -> Lifted:
    interfaces = f"interfaces: {{cloudify.interfaces.lifecycle: {{{operation}}}}}"
    return lifted(f"n: {{type: {V3}Network, {interfaces}{rest}}}")


@pytest.mark.parametrize("operation", ["delete: {}", "delete: {implementation: ''}"])
def test_what_is_not_deleted_is_retained(operation: str) -> None:
    found = emptied(operation)
    assert found.node("n").extra == {"deletion_policy": "Retain"}
    assert found.told == [("BPC370", "node_templates.n.interfaces.cloudify.interfaces.lifecycle.delete")]
    assert emptied(operation, ", properties: {use_external_resource: true, resource_config: {name: n}}").told == []


def test_a_type_whose_resources_are_not_deleted() -> None:
    types = (
        f"node_types:\n  my.Net: {{derived_from: {V3}Network,"
        " interfaces: {cloudify.interfaces.lifecycle: {delete: {}}}}\n"
    )
    found = one("my.Net", "{}", types)
    assert found.node("n").extra == {"deletion_policy": "Retain"}
    assert [code for code, _ in found.told] == ["BPC370"]


def test_other_operations_that_are_switched_off() -> None:
    found = emptied("create: {}, start: {}")
    assert found.node("n").extra == {}
    assert found.told == [("BPC371", "node_templates.n.interfaces.cloudify.interfaces.lifecycle.create")]
    establish = "source_interfaces: {cloudify.interfaces.relationship_lifecycle: {establish: {}}}"
    found = lifted(
        f"t: {{type: {V3}Server}}\ns: {{type: {V3}Volume, relationships:"
        f" [{{type: {REL}openstack.volume_attached_to_server, target: t, {establish}}}]}}"
    )
    assert [code for code, _ in found.told] == ["BPC371", "BPC413"]


# -- several instances --------------------------------------------------------------------------------------

SCALED = "capabilities: {scalable: {properties: {default_instances: %s}}}"


@pytest.mark.parametrize(
    ("count", "name", "value"),
    [
        ("1", "ip", [Attribute("n", "first_address")]),
        ("1", "id", [Identity("n")]),
        ("3", "ip", ex.AttributeList("n", "first_address")),
        ("3", "id", ex.AttributeList("n", "id")),
        ("3", "unheard_of", ex.AttributeList("n", "unheard_of")),
    ],
)
def test_attributes_of_all_instances(count: str, name: str, value: Any) -> None:
    outputs = f"outputs: {{o: {{value: {{get_attributes_list: [n, {name}]}}}}}}"
    found = lifted(f"n: {{type: {V3}Server, {SCALED % count}}}", outputs)
    assert found.topology.outputs["o"].value == value


@pytest.mark.parametrize(("source", "target"), [("3", "1"), ("1", "3")])
def test_one_attachment_for_the_first_of_several(source: str, target: str) -> None:
    attached = f"relationships: [{{type: {REL}openstack.volume_attached_to_server, target: t}}]"
    found = lifted(
        f"t: {{type: {V3}Server, {SCALED % target}}}\ns: {{type: {V3}Volume, {SCALED % source}, {attached}}}"
    )
    assert found.node("s_attachment").instances is MISSING
    assert [code for code, _ in found.told] == ["BPC413", "BPC419"]


def test_no_attachment_without_instances() -> None:
    attached = f"relationships: [{{type: {REL}openstack.volume_attached_to_server, target: t}}]"
    found = lifted(f"t: {{type: {V3}Server, {SCALED % 0}}}\ns: {{type: {V3}Volume, {attached}}}")
    assert "s_attachment" not in found.topology.nodes
    assert found.told == [("BPC375", "node_templates.s.relationships.0")]


def test_no_instances_of_what_others_name() -> None:
    outputs = "outputs: {o: {value: {get_attribute: [n, ip]}}}"
    found = lifted(f"n: {{type: {V3}Server, {SCALED % 0}}}", outputs)
    assert (found.node("n").instances, found.node("n").condition) == (0, MISSING)


# -- what the target is -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("network", "gateway", "codes"),
    [
        ("{}", False, []),
        ("{resource_config: {kwargs: {'router:external': false}}}", False, ["BPC355"]),
        ("{resource_config: {kwargs: {'router:external': true}}}", True, ["BPC355"]),
        ("{resource_config: {kwargs: {external: true}}}", True, ["BPC355"]),
        ("{resource_config: {kwargs: {'router:external': {get_input: x}}}}", True, ["BPC355", "BPC417"]),
        ("{use_external_resource: true, resource_config: {name: n}}", True, []),
    ],
)
def test_gateways_are_external_networks(network: str, gateway: bool, codes: list[str]) -> None:
    found = lifted(
        f"t: {{type: {V3}Network, properties: {network}}}\n"
        f"s: {{type: {V3}Router, relationships: [{{type: {REL}connected_to, target: t}}]}}",
        "inputs: {x: {}}",
    )
    said = {"external_gateway_info": {"network": Identity("t")}} if gateway else {}
    assert found.properties("s") == said
    assert found.node("s").depends_on == ([] if gateway else ["t"])
    assert [code for code, _ in found.told] == codes


BOOT = f"{{type: {V3}Volume, properties: {{device_name: %s, resource_config: {{imageRef: i}}}}}}"
BOOTED = f"relationships: [{{type: {REL}depends_on, target: a}}, {{type: {REL}depends_on, target: b}}]"


def test_several_volumes_to_boot_from() -> None:
    found = lifted(f"b: {BOOT % 'auto'}\na: {BOOT % 'vda'}\ns: {{type: {V3}Server, {BOOTED}}}")
    assert found.properties("s")["block_device_mapping_v2"] == [
        {"volume_id": Identity("a"), "delete_on_termination": True, "device_name": "vda", "boot_index": 0},
        {"volume_id": Identity("b"), "delete_on_termination": True, "boot_index": 1},
    ]
    assert found.told == []


def test_volumes_to_boot_from_beside_a_property() -> None:
    device = "{source_type: volume, uuid: u, boot_index: 0}"
    kwargs = f"properties: {{resource_config: {{kwargs: {{block_device_mapping_v2: [{device}]}}}}}}"
    found = lifted(f"b: {BOOT % 'auto'}\na: {BOOT % 'auto'}\ns: {{type: {V3}Server, {kwargs}, {BOOTED}}}")
    items = found.properties("s")["block_device_mapping_v2"]
    assert [item.get("boot_index") for item in items] == [None, 1, 2]


def test_an_image_and_volumes_to_boot_from() -> None:
    found = lifted(
        f"b: {BOOT % 'auto'}\na: {BOOT % 'auto'}\ns: {{type: {V3}Server, properties: {{image: i}}, {BOOTED}}}"
    )
    indices = [item["boot_index"] for item in found.properties("s")["block_device_mapping_v2"]]
    assert indices == [-1, -1]
    assert [code for code, _ in found.told] == ["BPC373", "BPC373"]


PORT_T, NET_T = {"port": Identity("t")}, {"network": Identity("t")}


@pytest.mark.parametrize(
    ("types", "nics", "target", "networks", "codes"),
    [
        (V3, "[{uuid: x}]", "Network", [{"network": "x"}], ["BPC410"]),
        (V3, "[{port: x}]", "Port", [{"port": "x"}], ["BPC410"]),
        (V3, "[{uuid: x}]", "Port", [{"network": "x"}, PORT_T], []),
        (V3, "[{port: x}]", "Network", [{"port": "x"}, NET_T], []),
        (V3, "[{port: x}, {uuid: y}]", "Port", [{"port": "x"}, {"network": "y"}], ["BPC410"]),
        (V3, "[{uuid: {get_attribute: [t, id]}}]", "Network", [NET_T], []),
        (V2, "[{net-id: x}]", "Network", [{"network": "x"}, NET_T], []),
        (V2, "[{port-id: x}]", "Port", [{"port": "x"}, PORT_T], []),
        (V2, "[{net-id: x}, {port-id: y}]", "Port", [{"network": "x"}, {"port": "y"}, PORT_T], []),
        (V2, "[{port-id: {get_attribute: [t, id]}}]", "Port", [PORT_T], []),
    ],
)
def test_interfaces_as_a_property_and_a_relationship(
    types: str, nics: str, target: str, networks: Any, codes: list[str]
) -> None:
    settings = f"{{resource_config: {{networks: {nics}}}}}" if types == V3 else f"{{server: {{nics: {nics}}}}}"
    found = related(f"{types}Server", f"{types}{target}", f"{REL}connected_to", settings)
    assert found.properties("s")["networks"] == networks
    assert [code for code, _ in found.told] == codes


def test_interfaces_that_a_call_yields_and_a_relationship() -> None:
    found = lifted(
        f"t: {{type: {V3}Network}}\n"
        f"s: {{type: {V3}Server, properties: {{resource_config: {{networks: {{get_input: x}}}}}},"
        f" relationships: [{{type: {REL}connected_to, target: t}}]}}",
        "inputs: {x: {}}",
    )
    assert found.properties("s") == {"networks": Input("x", strict=True)}
    assert [code for code, _ in found.told] == ["BPC410"]


def test_interfaces_of_the_property_come_first_and_ports_that_join_last() -> None:
    found = lifted(
        f"late: {{type: {V3}Port, relationships:"
        f" [{{type: {REL}openstack.port_connected_to_server, target: s}}]}}\n"
        f"net: {{type: {V3}Network}}\n"
        f"port: {{type: {V3}Port, relationships: [{{type: {REL}connected_to, target: net}}]}}\n"
        f"s: {{type: {V2}Server, properties: {{server: {{nics: [{{net-id: {{get_attribute: [net, id]}}}}]}}}},"
        f" relationships: [{{type: {REL}connected_to, target: port}}]}}"
    )
    names = [next(iter(item.values())).node for item in found.properties("s")["networks"]]
    assert names == ["net", "port", "late"]


def test_floating_ip_of_a_server_that_exists() -> None:
    existing = f"{{use_external_resource: true, resource_config: {{id: {UUID}}}}}"
    relationship = f"{REL}openstack.server_connected_to_floating_ip"
    found = related(f"{V3}Server", f"{V3}FloatingIP", relationship, existing)
    said = [diagnostic.message for diagnostic in found.diagnostics if diagnostic.code == "BPC414"]
    assert said == ["'t' is not associated with 's': the server exists already"]


def test_existing_volumes_are_attached_by_id() -> None:
    attached = f"relationships: [{{type: {REL}openstack.volume_attached_to_server, target: t}}]"
    existing = "{use_external_resource: true, device_name: /dev/vdb, resource_config: {name: v}}"
    found = lifted(f"t: {{type: {V3}Server}}\ns: {{type: {V3}Volume, properties: {existing}, {attached}}}")
    assert [code for code, _ in found.told] == ["BPC413", "BPC374"]
    assert found.node("s_attachment").properties["mountpoint"] == "/dev/vdb"


def test_what_the_plugin_changes_about_a_port_that_exists() -> None:
    pairs = "{use_external_resource: true, resource_config: {name: p, allowed_address_pairs: [{ip_address: 10.0.0.1}]}}"
    assert [code for code, _ in one(f"{V3}Port", pairs).told] == ["BPC352"]


# -- order --------------------------------------------------------------------------------------------------


def test_what_waits_for_a_server_waits_for_its_floating_ip() -> None:
    found = lifted(
        f"p: {{type: {V3}Port, relationships: [{{type: {REL}openstack.port_connected_to_floating_ip, target: f}}]}}\n"
        f"f: {{type: {V3}FloatingIP}}\ng: {{type: {V3}FloatingIP}}\nnet: {{type: {V3}Network}}\n"
        f"s: {{type: {V3}Server, relationships: [{{type: {REL}connected_to, target: p}},"
        f" {{type: {REL}openstack.server_connected_to_floating_ip, target: g}}]}}\n"
        f"app: {{type: cloudify.nodes.WebServer, relationships: [{{type: {REL}contained_in, target: s}}]}}\n"
        f"other: {{type: cloudify.nodes.Root, relationships: [{{type: {REL}depends_on, target: p}}]}}"
    )
    assert found.node("s").depends_on == ["f_association"]
    assert found.node("app").depends_on == ["s", "g_association"]
    assert found.node("app").origins["depends_on", 1] == ("node_templates", "app", "relationships", 0)
    assert found.node("other").depends_on == ["p", "f_association"]


def test_floating_ips_that_wait_for_the_server_themselves() -> None:
    found = lifted(
        f"p: {{type: {V3}Port, relationships: [{{type: {REL}openstack.port_connected_to_floating_ip, target: f}}]}}\n"
        f"f: {{type: {V3}FloatingIP, relationships: [{{type: {REL}depends_on, target: s}}]}}\n"
        f"s: {{type: {V3}Server, relationships: [{{type: {REL}connected_to, target: p}}]}}"
    )
    assert found.node("s").depends_on == []
    assert found.node("f").depends_on == ["s"]


# -- names --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        "{get_attribute: [g, external_name]}",
        "{get_attribute: [g, name]}",
        "{get_property: [g, security_group, name]}",
        "web",
    ],
)
def test_the_name_of_a_group_of_the_blueprint(name: str) -> None:
    found = lifted(
        f"g: {{type: {V2}SecurityGroup, properties: {{security_group: {{name: web}}}}}}\n"
        f"s: {{type: {V2}Server, properties: {{server: {{security_groups: [{name}, {{name: other}}]}}}}, relationships:"
        " [{type: cloudify.openstack.server_connected_to_security_group, target: g}]}"
    )
    assert found.properties("s") == {"security_groups": [Identity("g"), "other"]}
    assert found.node("s").depends_on == []


def test_the_name_of_something_else_stays() -> None:
    found = lifted(
        f"g: {{type: {V3}SecurityGroup, properties: {{resource_config: {{name: web}}}}}}\n"
        f"s: {{type: {V3}Port, properties: {{resource_config: {{security_groups: [web]}}}}}}"
    )
    assert found.properties("s") == {"security_groups": ["web"]}


@pytest.mark.parametrize("name", ["{get_attribute: [k, name]}", "{get_property: [k, resource_config, name]}", "key"])
def test_the_name_of_a_key_of_the_blueprint(name: str) -> None:
    found = lifted(
        f"k: {{type: {V3}KeyPair, properties: {{resource_config: {{name: key, public_key: x}}}}}}\n"
        f"s: {{type: {V3}Server, properties: {{resource_config: {{key_name: {name}}}}},"
        f" relationships: [{{type: {REL}connected_to, target: k}}]}}"
    )
    assert found.properties("s") == {"key_name": Identity("k")}
    assert [code for code, _ in found.told] == (["BPC412"] if name == "key" else [])


@pytest.mark.parametrize(("default", "query"), [("[{name: a}]", True), ("[a]", False), ("[]", True)])
def test_groups_that_an_input_has(default: str, query: bool) -> None:
    groups = "{resource_config: {security_groups: {get_input: groups}}}"
    value = one(f"{V3}Server", groups, f"inputs: {{groups: {{default: {default}}}}}").properties("n")["security_groups"]
    assert isinstance(value, Query) is query


@pytest.mark.parametrize(
    ("nics", "networks", "codes"),
    [
        ("[]", [{"network": "m"}], ["BPC409"]),
        ("[{net-id: m}]", [{"network": "m"}], ["BPC409"]),
        ("[{net-id: x}]", [{"network": "x"}], ["BPC352"]),
    ],
)
def test_the_management_network(nics: str, networks: Any, codes: list[str]) -> None:
    found = one(f"{V2}Server", f"{{management_network_name: m, server: {{nics: {nics}}}}}")
    assert found.properties("n") == {"networks": networks}
    assert [code for code, _ in found.told] == codes


def test_a_management_network_of_the_blueprint() -> None:
    found = lifted(
        f"net: {{type: {V2}Network, properties: {{network: {{name: m}}}}}}\nip: {{type: {V2}FloatingIP}}\n"
        f"s: {{type: {V2}Server, properties: {{management_network_name: {{get_attribute: [net, external_name]}}}},"
        " relationships: [{type: cloudify.openstack.server_connected_to_floating_ip, target: ip}]}"
    )
    assert found.properties("s") == {"networks": [{"network": Identity("net")}]}
    assert found.node("ip_association").properties["port_id"] == Attribute(
        "s", "addresses", (Identity("net"), 0, "port")
    )


def test_nodes_in_different_clouds() -> None:
    found = lifted(
        f"a: {{type: {V3}Network, properties: {{client_config: {{auth_url: u, region_name: one}}}}}}\n"
        f"b: {{type: {V3}Network, properties: {{client_config: {{auth_url: u, region_name: two}}}}}}\n"
        f"c: {{type: {V3}Network, properties: {{client_config: {{auth_url: u, username: two}}}}}}"
    )
    assert found.told == [("BPC372", "node_templates.b.properties.client_config.region_name")]


def test_the_address_of_a_port_with_one() -> None:
    port = f"{{type: {V3}Port, properties: {{resource_config: {{fixed_ips: [{{ip_address: 10.0.0.1}}]}}}}}}"
    outputs = "outputs: {o: {value: {get_attribute: [port, ipv4_address]}}}"
    found = lifted(f"port: {port}", outputs)
    assert found.topology.outputs["o"].value == Attribute("port", "fixed_ips", (0, "ip_address"))
    related_port = (
        f"net: {{type: {V3}Network}}\n"
        f"sub: {{type: {V3}Subnet, relationships: [{{type: {REL}contained_in, target: net}}]}}\n"
        f"port: {{type: {V3}Port, relationships: [{{type: {REL}connected_to, target: net}}]}}"
    )
    found = lifted(related_port, outputs)
    assert found.topology.outputs["o"].value == Attribute("port", "fixed_ips", (0, "ip_address"))


@pytest.mark.parametrize(
    "name", ["own", "g", "{get_attribute: [g, name]}", "{get_property: [g, resource_id]}", "{get_input: x}"]
)
def test_a_group_of_the_blueprint_by_its_name(name: str) -> None:
    rule = f"{{remote_group_name: {name}, protocol: null, port: null}}"
    found = lifted(
        f"g: {{type: {V2}SecurityGroup, properties: {{resource_id: {{get_input: x}}, security_group: {{name: own}}}}}}"
        f"\nn: {{type: {V2}SecurityGroup, properties: {{rules: [{rule}]}}}}",
        "inputs: {x: {}}",
    )
    assert found.properties("n")["rules"] == [{"remote_group_id": Identity("g"), "remote_mode": "remote_group_id"}]


def test_a_group_by_its_own_name() -> None:
    found = one(f"{V2}SecurityGroup", "{rules: [{remote_group_name: n, protocol: null, port: null}]}")
    assert found.properties("n")["rules"] == [{"remote_mode": "remote_group_id"}]


def test_a_node_without_instances_is_told() -> None:
    count = "capabilities: {scalable: {properties: {default_instances: 0}}}"
    found = lifted(f"n: {{type: {V3}Network, {count}}}")
    assert found.node("n").condition is False
    places = [d.path for d in found.diagnostics if d.code == "BPC423"]
    assert places == [("node_templates", "n", "capabilities", "scalable", "properties", "default_instances")]


@pytest.mark.parametrize(
    ("node_type", "key"), [(f"{V2}ServerGroup", "openstack_config"), (f"{V3}RBACPolicy", "client_config")]
)
def test_credentials_of_nodes_that_are_no_resources(node_type: str, key: str) -> None:
    found = one(node_type, f"{{{key}: {{username: u, password: secret}}, resource_id: r}}")
    assert found.node("n").kind is None
    assert key not in found.properties("n")
    assert found.properties("n")["resource_id"] == "r"
    assert [d.path for d in found.diagnostics if d.code == "BPC350"] == [("node_templates", "n", "properties", key)]


def test_other_nodes_keep_what_they_call_credentials() -> None:
    found = one("cloudify.nodes.Root", "{client_config: {username: u}}")
    assert found.properties("n") == {"client_config": {"username": "u"}}


def test_credentials_of_operations_of_nodes_that_are_no_resources() -> None:
    inputs = "{client_config: {username: u}, args: {}}"
    create = f"{{implementation: a.sh, inputs: {inputs}}}"
    found = lifted(
        f"n: {{type: {V3}RBACPolicy, interfaces: {{cloudify.interfaces.lifecycle: {{create: {create}}}}}}}"
    )
    (operation,) = (one for one in found.node("n").operations if "args" in one.inputs)
    assert "client_config" not in operation.inputs
    assert [d.code for d in found.diagnostics if d.code == "BPC350"] == ["BPC350"]


def test_an_existing_group_that_is_known_by_its_name() -> None:
    rule = "{remote_group_name: own, protocol: null, port: null}"
    found = lifted(
        f"g: {{type: {V2}SecurityGroup, properties: {{use_external_resource: true, resource_id: own}}}}\n"
        f"n: {{type: {V2}SecurityGroup, properties: {{rules: [{rule}]}}}}"
    )
    assert found.told == [("BPC374", "node_templates.n.properties.rules.0.remote_group_name")]
