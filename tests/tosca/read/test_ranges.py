"""Networks of which a service template gives addresses, but no range."""

from __future__ import annotations

from typing import Any

import pytest

from bpconvert import Result, convert

SOURCE = """\
tosca_definitions_version: tosca_simple_yaml_1_3
topology_template:
  inputs: {open: {type: string}, usual: {type: string, default: 10.3.0.1}}
  node_templates:
    vm: {type: tosca.nodes.Compute}
    net: {type: tosca.nodes.network.Network, properties: {%s}}
    port: {type: tosca.nodes.network.Port, properties: {%s}, requirements: [link: net, binding: vm]}
"""


def _converted(network: str, port: str = "") -> tuple[dict[str, Any], Result]:
    result = convert(SOURCE % (network, port), "tosca", "hot", carry=False)
    assert result.document["resources"]["net_subnet"]["properties"]["cidr"] == {"get_param": "net_cidr"}
    return result.document["parameters"]["net_cidr"], result


@pytest.mark.parametrize(
    ("network", "port", "default"),
    [
        ("network_name: a, ip_version: 4", "", "192.168.101.0/24"),
        ("start_ip: 10.0.7.3, end_ip: 10.0.7.9", "", "10.0.7.0/24"),
        ("start_ip: 10.0.0.3, end_ip: 10.0.3.9", "", "10.0.0.0/22"),
        ("gateway_ip: {get_input: usual}", "", "10.3.0.0/24"),
        ("gateway_ip: 10.3.1.1", "ip_address: 10.3.0.7", "10.3.0.0/23"),
        ("ip_version: 4", "ip_address: 10.2.0.7", "10.2.0.0/24"),
        ("ip_version: 6, gateway_ip: 'fd00:7::1'", "", "fd00:7::/64"),
        ("ip_version: 6", "", "fd00:0:0:65::/64"),
    ],
)
def test_the_range_has_the_addresses_that_are_given(network: str, port: str, default: str) -> None:
    declared, result = _converted(network, port)
    assert declared["default"] == default
    [finding] = [finding for finding in result.diagnostics if finding.code == "BPC867"]
    assert f"{default} by default" in finding.message


@pytest.mark.parametrize(
    ("network", "port"),
    [
        ("gateway_ip: {get_input: open}", ""),
        ("gateway_ip: 10.0.0.1", "ip_address: {get_input: open}"),
        ("ip_version: 6, gateway_ip: 10.0.0.1", ""),
        ("gateway_ip: 'fd00:7::1'", ""),
        ("gateway_ip: nowhere", ""),
    ],
)
def test_the_range_is_asked_for_where_the_addresses_are_not_known(network: str, port: str) -> None:
    declared, result = _converted(network, port)
    assert "default" not in declared
    [finding] = [finding for finding in result.diagnostics if finding.code == "BPC816"]
    assert finding.message == "'net' has no range of addresses: input 'net_cidr' asks for it"
