"""What properties of OpenStack resources mean on the other side: one test for each conversion that looked right."""

from __future__ import annotations

from typing import Any

import pytest

from bpconvert.api import Result, convert

SERVER = "type: OS::Nova::Server, properties: {image: i, flavor: f"
PORT = "p: {type: OS::Neutron::Port, properties: {network: {get_resource: n}}}"
NET = "n: {type: OS::Neutron::Net}"
UUID = "9b2a8f9c-5d0d-4a1e-8c40-0a3c1f7b2222"
REL = "cloudify.relationships.openstack."


def converted(*resources: str, parameters: str = "", conditions: str = "") -> Result:
    """The conversion of a template with these resources."""
    head = f"parameters: {{{parameters}}}\nconditions: {{{conditions}}}\nresources:\n"
    return convert("heat_template_version: 2018-08-31\n" + head + "".join(f"  {line}\n" for line in resources))


def node(result: Result, name: str) -> Any:
    return result.document["node_templates"][name]


def config(result: Result, name: str) -> Any:
    return node(result, name)["properties"]["resource_config"]


def targets(result: Result, name: str) -> list[tuple[str, str]]:
    return [(r["type"].rsplit(".", 1)[-1], r["target"]) for r in node(result, name).get("relationships", ())]


def found(result: Result, code: str) -> list[Any]:
    """The last steps of the places that have this finding."""
    return [finding.path[-1] for finding in result.diagnostics if finding.code == code]


# -- interfaces ---------------------------------------------------------------------------------------------


def test_what_a_relationship_cannot_say_is_reported_and_never_mixed_with_it() -> None:
    networks = "[{port: {get_resource: p}, tag: t}, {network: m, floating_ip: x}, {allocate_network: auto}]"
    result = converted(NET, PORT, f"web: {{{SERVER}, networks: {networks}}}}}")
    assert "networks" not in config(result, "web")
    assert targets(result, "web") == [("server_connected_to_port", "p"), ("connected_to", "external_m")]
    assert found(result, "BPC330") == ["tag", "floating_ip", "allocate_network"]


def test_interfaces_without_anything_to_lift_stay_a_property() -> None:
    networks = f"[{{network: {UUID}, tag: t}}, {{port: {UUID}}}]"
    result = converted(f"web: {{{SERVER}, networks: {networks}}}}}")
    assert config(result, "web")["networks"] == [{"uuid": UUID, "tag": "t"}, {"port": UUID}]
    assert "relationships" not in node(result, "web")


@pytest.mark.parametrize("network", ["{get_resource: n}", "same", "{get_param: x}"])
def test_two_interfaces_on_one_network_are_both_ports(network: str) -> None:
    networks = f"[{{network: {network}}}, {{network: {network}}}]"
    result = converted(NET, f"web: {{{SERVER}, networks: {networks}}}}}", parameters="x: {type: string}")
    assert targets(result, "web") == [
        ("server_connected_to_port", "web_port_0"),
        ("server_connected_to_port", "web_port_1"),
    ]
    assert targets(result, "web_port_0")[0] == targets(result, "web_port_1")[0]


@pytest.mark.parametrize(
    ("port", "network", "is_port"),
    [
        ("{get_resource: p}", "{get_param: x}", False),  # the port is on a network of the template
        ("{get_resource: q}", "{get_param: x}", True),
        ("{get_resource: q}", "other", False),
        ("{get_param: y}", "{get_param: x}", True),
        ("{get_param: y}", "{get_resource: n}", False),
    ],
)
def test_a_network_that_may_be_that_of_a_port_is_a_port(port: str, network: str, is_port: bool) -> None:
    other = "q: {type: OS::Neutron::Port, properties: {network: m}}"
    web = f"web: {{{SERVER}, networks: [{{port: {port}}}, {{network: {network}}}]}}}}"
    result = converted(NET, PORT, other, web, parameters="x: {type: string}, y: {type: string}")
    assert (("server_connected_to_port", "web_port_1") in targets(result, "web")) is is_port


def test_a_network_beside_a_port_on_it_is_a_port() -> None:
    networks = "[{network: {get_resource: n}}, {port: {get_resource: p}}]"
    result = converted(NET, PORT, f"web: {{{SERVER}, networks: {networks}}}}}")
    assert targets(result, "web")[:2] == [
        ("server_connected_to_port", "web_port_0"),
        ("server_connected_to_port", "p"),
    ]


def test_a_server_on_a_named_network_still_waits_for_its_subnets() -> None:
    subnet = "s: {type: OS::Neutron::Subnet, properties: {network: m, cidr: 10.0.0.0/24}}"
    result = converted(subnet, f"web: {{{SERVER}, networks: [{{network: m}}]}}}}")
    assert targets(result, "web") == [("connected_to", "external_m"), ("depends_on", "s")]


def test_helpers_have_the_condition_of_their_node() -> None:
    result = converted(
        f"web: {{{SERVER}, networks: [{{network: m}}, {{network: k}}, {{network: k}}]}}, condition: c}}",
        f"other: {{{SERVER}, networks: [{{network: m}}]}}}}",
        parameters="e: {type: string}",
        conditions="c: {equals: [{get_param: e}, x]}",
    )
    scaling = node(result, "web")["capabilities"]
    assert {
        name for name, data in result.document["node_templates"].items() if data.get("capabilities") == scaling
    } == {
        "web",
        "external_m",
        "external_k",
        "external_default",
        "web_port_0",
        "web_port_1",
        "web_port_2",
    }
    assert targets(result, "other") == [("connected_to", "external_m_2")]


# -- block devices and gateways -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("volume_id: v", {"uuid": "v", "source_type": "volume", "boot_index": 0, "delete_on_termination": False}),
        ("volume_id: v, boot_index: 1", {"boot_index": 1, "destination_type": "volume"}),
        ("swap_size: 1", {"guest_format": "swap", "volume_size": 1, "boot_index": -1, "delete_on_termination": True}),
        ("ephemeral_size: 1, ephemeral_format: e", {"guest_format": "e", "volume_size": 1, "source_type": "blank"}),
        ("snapshot_id: s, volume_type: t", {"source_type": "snapshot", "volume_type": "t"}),
    ],
)
def test_block_devices_have_the_defaults_of_heat(given: str, said: dict[str, Any]) -> None:
    result = converted(f"web: {{{SERVER}, block_device_mapping_v2: [{{{given}}}]}}}}")
    (device,) = config(result, "web")["kwargs"]["block_device_mapping_v2"]
    assert device.items() >= said.items()


def test_heat_takes_the_first_kind_of_a_block_device() -> None:
    result = converted(f"web: {{{SERVER}, block_device_mapping_v2: [{{swap_size: 1, image: i, volume_id: v}}]}}}}")
    (device,) = config(result, "web")["kwargs"]["block_device_mapping_v2"]
    assert (device["uuid"], device["source_type"]) == ("v", "volume")
    assert found(result, "BPC335") == ["swap_size", "image"]


def test_a_gateway_with_more_than_a_network() -> None:
    info = "{network: public, enable_snat: false, external_fixed_ips: [{subnet: {get_resource: s}}], odd: 1}"
    result = converted(
        "s: {type: OS::Neutron::Subnet, properties: {network: m}}",
        f"r: {{type: OS::Neutron::Router, properties: {{external_gateway_info: {info}}}}}",
    )
    assert node(result, "r")["properties"]["external_network"] == "public"
    assert config(result, "r")["kwargs"]["external_gateway_info"] == {
        "enable_snat": False,
        "external_fixed_ips": [{"subnet_id": {"get_attribute": ["s", "id"]}}],
    }
    assert found(result, "BPC170") == ["odd"]


@pytest.mark.parametrize("value", ["null", "''"])
def test_no_gateway_is_not_the_default(value: str) -> None:
    properties = f"network: {UUID}, gateway_ip: {value}"
    result = converted(f"s: {{type: OS::Neutron::Subnet, properties: {{{properties}}}}}")
    assert config(result, "s")["kwargs"] == {"gateway_ip": None}
    assert "gateway_ip" not in config(result, "s")


def test_an_automatic_gateway_is_what_openstack_does() -> None:
    result = converted("s: {type: OS::Neutron::Subnet, properties: {network: m, gateway_ip: auto}}")
    assert "gateway_ip" not in config(result, "s")
    assert found(result, "BPC306") == ["gateway_ip"]


# -- existing resources and names ---------------------------------------------------------------------------


def test_an_existing_resource_is_only_looked_up() -> None:
    networks = "networks: [{port: {get_resource: p}}]"
    result = converted(NET, PORT, f"web: {{external_id: x, {SERVER}, {networks}}}}}")
    assert config(result, "web") == {"id": "x"}
    assert node(result, "web")["properties"].keys() - {"client_config", "agent_config"} == {
        "resource_config",
        "use_external_resource",
    }
    assert "relationships" not in node(result, "web")
    assert found(result, "BPC331") == ["image", "flavor", "networks"]


def test_names_become_existing_resources() -> None:
    properties = "network: m, fixed_ips: [{subnet: s}], security_groups: [g]"
    result = converted(f"q: {{type: OS::Neutron::Port, properties: {{{properties}}}}}")
    assert targets(result, "q") == [
        ("connected_to", "external_m"),
        ("port_connected_to_subnet", "external_s"),
        ("port_connected_to_security_group", "external_g"),
    ]
    assert config(result, "q") == {"fixed_ips": [{"subnet_id": {"get_attribute": ["external_s", "id"]}}]}
    assert [config(result, f"external_{name}") for name in "msg"] == [{"id": "m"}, {"id": "s"}, {"id": "g"}]


def test_names_of_what_the_plugin_has_no_type_for_are_looked_up_by_a_node() -> None:
    result = converted(
        "q: {type: OS::Neutron::Net, properties: {qos_policy: gold}}",
        "r: {type: OS::Neutron::Net, properties: {qos_policy: {get_param: x}}}",
        "s: {type: OS::Cinder::Volume, properties: {size: 1, source_volid: {get_param: x}}}",
        parameters="x: {type: string}",
    )
    assert found(result, "BPC261") == ["qos_policy", "qos_policy"]
    for name, user, value in (("gold_id", "q", "gold"), ("x_id", "r", {"get_input": "x"})):
        assert node(result, name)["type"] == "bpconvert.openstack.NameLookup"
        assert node(result, name)["properties"]["service"]["path"] == "/v2.0/qos/policies"
        assert config(result, name) == {"value": value}
        assert config(result, user) == {"kwargs": {"qos_policy_id": {"get_attribute": [name, "id"]}}}
        assert targets(result, user) == [("depends_on", name)]


# -- texts --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("5", "5"),
        ("true", "True"),
        ("{get_param: n}", {"concat": [{"get_input": "n"}]}),
        ("{get_param: b}", {"concat": [{"get_input": "b"}]}),
        ("{get_param: s}", {"get_input": "s"}),
    ],
)
def test_a_text_is_what_heat_makes_of_the_value(value: str, said: Any) -> None:
    parameters = "n: {type: number}, b: {type: boolean}, s: {type: string}"
    result = converted(f"n: {{type: OS::Neutron::Net, properties: {{name: {value}}}}}", parameters=parameters)
    assert config(result, "n")["name"] == said


def test_metadata_is_sent_as_json() -> None:
    metadata = "{a: x, b: 5, c: true, d: {e: [1]}, f: null, g: {get_param: n}}"
    result = converted(f"web: {{{SERVER}, metadata: {metadata}}}}}", parameters="n: {type: number}")
    assert config(result, "web")["metadata"] == {
        "a": "x",
        "b": "5",
        "c": "true",
        "d": '{"e": [1]}',
        "f": "null",
        "g": {"concat": [{"get_input": "n"}]},
    }


# -- odd values ---------------------------------------------------------------------------------------------


def test_texts_in_place_of_maps_are_made_sayable() -> None:
    result = converted(
        f"web: {{{SERVER}, block_device_mapping_v2: [é]}}}}",
        "r: {type: OS::Neutron::Router, properties: {external_gateway_info: é}}",
    )
    assert result.text.isascii()


@pytest.mark.parametrize("classes", ["[{class: []}]", "[{class: digits, min: x}]", "[{class: digits, min: true}]", "5"])
def test_odd_character_classes_are_reported(classes: str) -> None:
    result = converted(f"r: {{type: OS::Heat::RandomString, properties: {{character_classes: {classes}}}}}")
    assert found(result, "BPC302") == ["character_classes"]


def test_settings_keep_their_keys_and_those_that_nobody_sends_are_left_out() -> None:
    result = converted("n: {type: OS::Neutron::Net, properties: {value_specs: {7: x, 'router:external': true}}}")
    assert config(result, "n")["kwargs"] == {"router:external": True}
    assert [one.path[-1] for one in result.diagnostics if one.code == "BPC785"] == [7]


def test_an_unknown_direction_is_reported() -> None:
    rules = "[{direction: {get_param: d}}]"
    result = converted(
        f"g: {{type: OS::Neutron::SecurityGroup, properties: {{rules: {rules}}}}}", parameters="d: {type: string}"
    )
    assert found(result, "BPC333") == ["rules"]


@pytest.mark.parametrize(
    ("properties", "code"),
    [
        ("save_private_key: true", "BPC306"),
        ("save_private_key: false", "BPC337"),
        ("name: k", "BPC337"),
        ("public_key: k", None),
    ],
)
def test_private_keys_are_kept(properties: str, code: str | None) -> None:
    result = converted(f"k: {{type: OS::Nova::KeyPair, properties: {{{properties}}}}}")
    codes = {finding.code for finding in result.diagnostics} & {"BPC302", "BPC306", "BPC337"}
    assert codes == ({code} if code else set())


def test_a_port_without_security_groups_names_the_default_one() -> None:
    source = """heat_template_version: 2015-10-15
resources:
  net: {type: OS::Neutron::Net}
  silent: {type: OS::Neutron::Port, properties: {network: {get_resource: net}}}
  none: {type: OS::Neutron::Port, properties: {network: {get_resource: net}, security_groups: []}}
  open: {type: OS::Neutron::Port, properties: {network: {get_resource: net}, port_security_enabled: false}}
  server:
    type: OS::Nova::Server
    properties:
      image: i
      flavor: f
      security_groups: [web]
      networks: [{network: {get_resource: net}, fixed_ip: 10.0.0.3}, {network: {get_resource: net}}]
"""
    nodes = convert(source).document["node_templates"]

    def groups(name: str) -> list[str]:
        kind = "cloudify.relationships.openstack.port_connected_to_security_group"
        return [r["target"] for r in nodes[name].get("relationships", ()) if r["type"] == kind]

    assert nodes["external_default"]["properties"]["resource_config"] == {"id": "default"}
    assert {name: groups(name) for name in ("silent", "none", "open", "server_port_0", "server_port_1")} == {
        "silent": ["external_default"],
        "none": [],
        "open": [],
        "server_port_0": ["external_web"],
        "server_port_1": ["external_web"],
    }
    assert "external_default" not in convert(source, plugin="v2").document["node_templates"]


RECORD = "r: {type: OS::Designate::RecordSet, properties: {type: A, records: [192.0.2.1], zone: %s}}"
ZONE = "z: {type: OS::Designate::Zone, properties: {name: %s, email: a@example.org}}"
GROUP = "r: {type: OS::Heat::ResourceGroup, properties: {count: 2, resource_def: %s}}"


@pytest.mark.parametrize(
    ("record", "zone", "name", "code"),
    [
        (RECORD % "{get_resource: z}", ZONE % "example.org.", "r.example.org.", "BPC264"),
        (RECORD % "example.org.", NET, "r.example.org.", "BPC264"),
        (RECORD % "{get_resource: z}", ZONE % "{get_param: d}", {"concat": ["r", ".", {"get_input": "d"}]}, "BPC264"),
        (RECORD % "{get_param: d}", NET, {"concat": ["r", ".", {"get_attribute": ["external_d", "name"]}]}, "BPC264"),
        (RECORD % "{get_resource: z}", "z: {type: OS::Designate::Zone, properties: {get_file: z}}", None, "BPC319"),
        (GROUP % (RECORD % "{get_resource: z}")[3:], ZONE % "example.org.", None, "BPC319"),
    ],
)
def test_a_record_without_a_name_has_one_in_its_zone(record: str, zone: str, name: Any, code: str) -> None:
    """Designate refuses the one that the plugin makes up; two records cannot have the same."""
    result = converted(record, zone, parameters="d: {type: string}")
    assert config(result, "r").get("name") == name
    assert [finding.code for finding in result.diagnostics if finding.code in ("BPC264", "BPC319")] == [code]


@pytest.mark.parametrize("value", ["null", "true"])
def test_null_is_heats_default(value: str) -> None:
    """Not what OpenStack does without the value."""
    result = converted(f"d: {{type: OS::Keystone::Domain, properties: {{enabled: {value}}}}}")
    assert config(result, "d")["enabled"] is True
    result = converted("f: {type: OS::Nova::Flavor, properties: {ram: 1, vcpus: 1, disk: null}}")
    assert config(result, "f")["disk"] == 0
