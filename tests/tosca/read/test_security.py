"""What may reach machines: ports of INDIGO's endpoints, rules of network functions."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from bpconvert.api import Conversion, convert

HEAD = """\
tosca_definitions_version: tosca_simple_yaml_1_0
topology_template:
  inputs: {number: {type: integer}}
  node_templates:
"""


def converted(nodes: str, target: str = "hot") -> tuple[dict[str, Any], Conversion]:
    """The data that a service template with these nodes becomes, and the whole conversion."""
    made = convert(HEAD + nodes, "tosca", target, carry=False)
    return yaml.safe_load(made.text), made


def machine(ports: str, more: str = "") -> str:
    return f"""
    vm:
      type: tosca.nodes.indigo.Compute
      properties: {{flavor: f, image: i}}
      capabilities: {{endpoint: {{properties: {{ports: {ports}}}}}}}
{more}"""


PORT = """
    net: {type: tosca.nodes.network.Network, properties: {network_name: a, cidr: 10.0.0.0/24}}
    port:
      type: tosca.nodes.network.Port
      requirements: [{link: net}, {binding: vm}]
"""
OPENED = {"protocol": "tcp", "port_range_min": 80, "port_range_max": 80}


@pytest.mark.parametrize(
    ("spec", "rule"),
    [
        ("{protocol: tcp, source: 80}", OPENED),
        ("{source: 80}", OPENED),
        ("{target: 80}", OPENED),
        ("{protocol: udp, source_range: [20, 30]}", {"protocol": "udp", "port_range_min": 20, "port_range_max": 30}),
        ("{source_range: [0, 65535]}", {"protocol": "tcp"}),
        ("{source_range: [0, 9]}", {"protocol": "tcp", "port_range_min": 1, "port_range_max": 9}),
        ("{protocol: igmp, source: 1}", {"protocol": "igmp"}),
        ("{source: 80, remote_cidr: 10.0.0.0/8}", {**OPENED, "remote_ip_prefix": "10.0.0.0/8"}),
        (
            "{source: {get_input: number}}",
            {"protocol": "tcp", "port_range_min": {"get_param": "number"}, "port_range_max": {"get_param": "number"}},
        ),
    ],
)
def test_ports_of_an_endpoint_are_opened(spec: str, rule: dict[str, Any]) -> None:
    found, made = converted(machine(f"{{one: {spec}}}"))
    assert found["resources"]["vm_ports"] == {"type": "OS::Neutron::SecurityGroup", "properties": {"rules": [rule]}}
    assert found["resources"]["vm"]["properties"]["security_groups"] == ["default", {"get_resource": "vm_ports"}]
    assert [one.code for one in made.diagnostics if one.code in ("BPC810", "BPC892")] == ["BPC892"]


def test_the_ports_of_a_server_have_the_group() -> None:
    found, _ = converted(machine("{one: {source: 80}}", PORT))
    assert "security_groups" not in found["resources"]["vm"]["properties"]
    assert found["resources"]["port"]["properties"]["security_groups"] == ["default", {"get_resource": "vm_ports"}]
    found, _ = converted(machine("{one: {source: 80}}", PORT), "cloudify")
    targets = [one["target"] for one in found["node_templates"]["port"]["relationships"]]
    assert targets == ["net", "external_default", "vm_ports", "net_subnet"]


@pytest.mark.parametrize("spec", ["{}", "{source_range: {get_input: number}}", "{protocol: tcp}", "80"])
def test_ports_that_are_not_known_are_reported(spec: str) -> None:
    found, made = converted(machine(f"{{one: {spec}}}"))
    assert "vm_ports" not in found["resources"]
    assert [one.path[-1] for one in made.diagnostics if one.code == "BPC810"][:1] == ["one"]


def test_another_port_on_the_machine_is_reported() -> None:
    found, made = converted(machine("{one: {source: 80, target: 8080}}"))
    assert found["resources"]["vm_ports"]["properties"]["rules"] == [OPENED]
    assert [one.path[-1] for one in made.diagnostics if one.code == "BPC810"] == ["target"]


def test_the_endpoint_of_the_standard_opens_nothing() -> None:
    found, made = converted(machine("{one: {source: 80}}").replace("indigo.", ""))
    assert "vm_ports" not in found["resources"]
    assert [one.path[-1] for one in made.diagnostics if one.code == "BPC810"] == ["endpoint"]


RULE = """
  policies:
  - web: {{type: tosca.policies.nfv.SecurityGroupRule, properties: {properties}, targets: [{targets}]}}
"""


@pytest.mark.parametrize(
    ("properties", "rule"),
    [
        (
            "{direction: ingress, ether_type: ipv4, protocol: tcp, port_range_min: 80, port_range_max: 90}",
            {"direction": "ingress", "protocol": "tcp", "port_range_min": 80, "port_range_max": 90},
        ),
        ("{}", {"direction": "ingress", "protocol": "tcp"}),
        (
            "{description: out, direction: egress, ether_type: ipv6, protocol: udp, port_range_max: 9}",
            {
                "direction": "egress", "ethertype": "IPv6", "protocol": "udp", "description": "out",
                "port_range_min": 1, "port_range_max": 9,
            },
        ),
        ("{protocol: icmp}", {"direction": "ingress", "protocol": "icmp"}),
        (
            "{protocol: icmp, port_range_min: 8, port_range_max: 0}",
            {"direction": "ingress", "protocol": "icmp", "port_range_min": 8, "port_range_max": 0},
        ),
    ],
)  # fmt: skip
def test_a_rule_of_a_network_function_is_a_group_of_its_ports(properties: str, rule: dict[str, Any]) -> None:
    found, made = converted(machine("{}", PORT) + RULE.format(properties=properties, targets="port"))
    assert found["resources"]["web"]["properties"]["rules"] == [{"ethertype": "IPv4", **rule}]
    assert found["resources"]["port"]["properties"]["security_groups"] == [{"get_resource": "web"}]
    assert "BPC835" not in [one.code for one in made.diagnostics]


def test_a_rule_in_a_blueprint() -> None:
    found, _ = converted(machine("{}", PORT) + RULE.format(properties="{}", targets="port"), "cloudify")
    rules = found["node_templates"]["web"]["properties"]["security_group_rules"]
    assert rules == [{"direction": "ingress", "ethertype": "IPv4", "protocol": "tcp"}]
    assert "web" in [one["target"] for one in found["node_templates"]["port"]["relationships"]]


def test_rules_without_ports_are_reported() -> None:
    _, made = converted(machine("{}", PORT) + RULE.format(properties="{}", targets="vm"))
    assert [one.path for one in made.diagnostics if one.code == "BPC835"] == [("policies", 0, "web")]
    _, made = converted(machine("{}", PORT) + RULE.format(properties="{}", targets="port, vm"))
    assert [one.code for one in made.diagnostics if one.code in ("BPC835", "BPC840")] == ["BPC840"]
