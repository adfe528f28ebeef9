"""Properties that a condition chooses, with a case in which nothing is given, which OpenStack decides then."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from bpconvert.api import Result, convert


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
