"""Properties that a condition chooses, with a case in which nothing is given, which OpenStack decides then."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from bpconvert.api import Result, convert
from bpconvert.verification import verify


def template(gateway: str) -> bytes:
    return f"""heat_template_version: 2021-04-16
parameters: {{flag: {{type: boolean, default: true}}}}
conditions: {{c: {{get_param: flag}}}}
resources:
  n: {{type: OS::Neutron::Net}}
  s:
    type: OS::Neutron::Subnet
    properties: {{network: {{get_resource: n}}, cidr: 10.0.0.0/24, gateway_ip: {gateway}}}
""".encode()


def there(gateway: str) -> tuple[dict[str, Any], Result]:
    made = convert(template(gateway), "hot", "cloudify", carry=False)
    data = yaml.safe_load(made.text)
    return data, made


@pytest.mark.parametrize(
    ("gateway", "cases"),
    [
        ("{if: [c, '', 10.0.0.1]}", ["10.0.0.1", ""]),
        ("{if: [c, 10.0.0.9, '']}", ["", "10.0.0.9"]),
    ],
)
def test_no_gateway_in_one_case_comes_back_as_that(gateway: str, cases: list[str]) -> None:
    """Null in a blueprint, the empty text in Heat, where nothing is the gateway that Neutron chooses."""
    data, made = there(gateway)
    assert data["inputs"]["if_s_gateway_ip"]["default"] == [case or None for case in cases]
    back = yaml.safe_load(convert(made.text.encode(), "cloudify", "hot", carry=False).text)
    _, then, otherwise = back["resources"]["s"]["properties"]["gateway_ip"]["if"]
    assert sorted([then, otherwise]) == sorted(cases)


@pytest.mark.parametrize("gateway", ["{if: [c, 10.0.0.9]}", "{if: [c, {if: [{not: c}, 10.0.0.9]}, 10.0.0.8]}"])
def test_what_neutron_chooses_in_one_case_is_asked_for(gateway: str) -> None:
    data, made = there(gateway)
    assert data["node_templates"]["s"]["properties"]["resource_config"]["gateway_ip"] == {"get_input": "s_gateway_ip"}
    (finding,) = [item for item in made.diagnostics if item.severity != "info"]
    assert finding.code == "BPC201"
    assert "OpenStack's own choice in Heat and none for the plugin" in finding.message


@pytest.mark.parametrize(
    "nested", ["{if: [c, []]}", "{if: [c, [{get_resource: g}]]}", "{if: [c, {if: [{not: c}, []]}, []]}"]
)
def test_the_default_group_of_a_port_in_one_case_is_asked_for(nested: str) -> None:
    """Null would be a port without groups."""
    source = f"""heat_template_version: 2021-04-16
parameters: {{flag: {{type: boolean, default: false}}}}
conditions: {{c: {{get_param: flag}}}}
resources:
  n: {{type: OS::Neutron::Net}}
  g: {{type: OS::Neutron::SecurityGroup}}
  p: {{type: OS::Neutron::Port, properties: {{network: {{get_resource: n}}, security_groups: {nested}}}}}
"""
    made = convert(source.encode(), "hot", "cloudify", carry=False)
    assert [item.code for item in made.diagnostics if item.severity != "info"] == ["BPC201"]
    assert "p_security_groups" in yaml.safe_load(made.text)["inputs"]


CHOICES = """heat_template_version: 2018-08-31
parameters: {flag: {type: boolean, default: true}}
conditions: {c: {get_param: flag}}
resources:
  sub:
    type: OS::Neutron::Subnet
    properties: {network: n, cidr: 10.0.0.0/24, dns_nameservers: {if: [c, [9.9.9.9], null]}}
  g:
    type: OS::Neutron::SecurityGroup
    properties: {rules: {if: [c, [{protocol: tcp, remote_mode: remote_group_id}], null]}}
  p:
    type: OS::Neutron::Port
    properties: {network: n, fixed_ips: {if: [c, [{subnet: a}], [{subnet: b, ip_address: 10.0.0.8}]]}}
  s:
    type: OS::Nova::Server
    properties:
      flavor: f
      networks: {if: [c, [{network: n}], [{port: o}]]}
      security_groups: {if: [c, [{get_resource: g}], null]}
      metadata: {if: [c, {a: b}, null]}
      user_data_format: RAW
      user_data: {if: [c, text, other]}
      block_device_mapping_v2: {if: [c, [{image: i, volume_size: 4}], [{volume_id: v}]]}
"""


def test_null_in_a_case_is_the_default_that_heat_has() -> None:
    """The plugin takes no null for a list or map."""
    data = yaml.safe_load(convert(CHOICES.encode(), "hot", "cloudify", carry=False).text)
    otherwise = {name: table["default"][0] for name, table in data["inputs"].items() if name.startswith("if_s")}
    assert otherwise["if_s_security_groups"] == []
    assert otherwise["if_s_metadata"] == {}
    assert otherwise["if_sub_dns_nameservers"] == []


def test_a_choice_comes_back_case_by_case() -> None:
    """Not as a query over the choice, which fails where a case is null."""
    made = convert(CHOICES.encode(), "hot", "cloudify", carry=False)
    back = yaml.safe_load(convert(made.text.encode(), "cloudify", "hot", carry=False).text)
    settings = {name: node["properties"] for name, node in back["resources"].items()}
    cases = {
        (name, key): value["if"][1:] for name, properties in settings.items() for key, value in properties.items()
        if isinstance(value, dict) and "if" in value
    }  # fmt: skip
    assert cases["g", "rules"] == [[{"protocol": "tcp", "remote_mode": "remote_group_id"}], []]
    assert cases["p", "fixed_ips"] == [[{"subnet": "a"}], [{"subnet": "b", "ip_address": "10.0.0.8"}]]
    assert cases["s", "security_groups"] == [[{"get_resource": "g"}], []]
    assert cases["s", "user_data"] == ["text", "other"]
    assert cases["s", "block_device_mapping_v2"] == [[{"image": "i", "volume_size": 4}], [{"volume_id": "v"}]]
    assert cases["s", "networks"] == [[{"network": "n"}], [{"port": "o"}]]


def test_a_server_waits_for_the_subnet_of_a_network_that_a_condition_chooses(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(CHOICES)
    made = convert(tmp_path / "a.yaml", "hot", "cloudify", carry=False)
    made.write(tmp_path / "b.yaml")
    compared = verify(tmp_path / "a.yaml", tmp_path / "b.yaml", reported=made.diagnostics)
    assert [item.what for item in compared.differences if not item.is_reported] == []
