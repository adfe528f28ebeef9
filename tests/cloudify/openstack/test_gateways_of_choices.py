"""The gateway of a subnet that a condition chooses: none, one that Neutron chooses, or an address."""

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
    assert "means that there is no gateway" in finding.message
