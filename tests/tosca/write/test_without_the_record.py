"""Back from a service template that does not carry its source: what TOSCA has no words for is in its metadata."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from bpconvert.api import convert

TEMPLATE = """\
heat_template_version: 2018-08-31
parameters:
  image: {type: string, label: Image, default: "0123", constraints: [{custom_constraint: glance.image}]}
  size: {type: number, default: 3, constraints: [{range: {min: 1, max: 9}}, {modulo: {step: 2, offset: 1}}]}
  name: {type: string, constraints: [{length: {min: 2, max: 5}, description: short}, {allowed_pattern: "[a-z]+"}]}
  secret: {type: string, hidden: true, immutable: true, tags: [a]}
  zones: {type: comma_delimited_list, default: [a, b]}
  data: {type: json, default: {a: [1, {b: null}]}}
  keep: {type: string, default: Retain}
conditions:
  big: {not: {equals: [{get_param: size}, 3]}}
resources:
  word: {type: OS::Heat::RandomString}
  net: {type: OS::Neutron::Net, properties: {value_specs: {a: 1, b: null}}}
  port:
    type: OS::Neutron::Port
    properties: {network: {get_resource: net}}
    deletion_policy: {get_param: keep}
    metadata: {zone: {get_param: [zones, 0]}, token: {token: x}}
  web:
    type: OS::Nova::Server
    condition: big
    depends_on: word
    update_policy: {a: b}
    properties:
      image: {get_param: image}
      flavor: {if: [big, m1.large, m1.small]}
      metadata: {digest: {digest: [sha256, {get_param: name}]}, data: {get_param: [data, a, 1]}, concat: [a]}
      networks: [{port: {get_resource: port}}]
  other:
    type: OS::Barbican::Secret
    description: It is there.
    external_id: 3e8d2c54-8a0e-4a3e-9d0c-0f6d6f2f1a11
outputs:
  ip: {description: of the server, value: {get_attr: [web, networks, {get_resource: net}, 0]}, condition: big}
  all: {value: {str_split: [",", {get_param: name}]}}
"""


@pytest.fixture(scope="module")
def back() -> Any:
    made = convert(TEMPLATE, "hot", "tosca", carry=False)
    return yaml.safe_load(convert(made.text, "tosca", "hot", carry=False, hot_version="2018-08-31").text)


@pytest.mark.parametrize("section", ["parameters", "conditions", "resources", "outputs"])
def test_everything_comes_back(back: Any, section: str) -> None:
    expected = yaml.safe_load(TEMPLATE)[section]
    for name, entry in expected.items():
        assert back[section].get(name) == entry, name
    assert list(back[section]) == list(expected)


def test_an_edit_counts_before_what_is_kept() -> None:
    made = convert(TEMPLATE, "hot", "tosca", carry=False).text
    flavor = yaml.safe_load(made)["topology_template"]["node_templates"]["web"]["properties"]["flavor"]
    assert flavor == {"get_attribute": ["web_flavor", "result"]}
    edited = made.replace("flavor: {get_attribute: [web_flavor, result]}", "flavor: m1.huge")
    found = yaml.safe_load(convert(edited, "tosca", "hot", carry=False).text)
    assert found["resources"]["web"]["properties"]["flavor"] == "m1.huge"
