"""Edits that come back into a document that is JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bpconvert.api import convert

NET = {"type": "OS::Neutron::Net", "properties": {"name": "a", "admin_state_up": True}}
SOURCE: Any = {
    "heat_template_version": "2018-08-31",
    "parameters": {"size": {"type": "number", "default": 1}},
    "resources": {"n": NET, "v": {"type": "OS::Cinder::Volume", "properties": {"size": {"get_param": "size"}}}},
    "outputs": {"o": {"value": {"get_attr": ["n", "name"]}}},
}
SUBNET = """  s:
    type: cloudify.nodes.openstack.Subnet
    properties:
      client_config: *client_config
      resource_config: {cidr: 192.0.2.0/24, ip_version: 4}
    relationships:
      - {type: cloudify.relationships.contained_in, target: 'n'}

"""


@pytest.mark.parametrize("indent", [None, 2, 4])
@pytest.mark.parametrize(
    ("before", "after", "place", "value"),
    [
        ("name: a\n", "name: 'no'\n", ("resources", "n", "properties", "name"), "no"),
        ("name: a\n", "name: 'x \"y'\n", ("resources", "n", "properties", "name"), 'x "y'),
        ("name: a\n", "name: a\n        shared: true\n", ("resources", "n", "properties", "shared"), True),
        ("name: a\n", "name: a\n        dns_domain: d.\n", ("resources", "n", "properties", "dns_domain"), "d."),
        (
            "    default: 1\n",
            "    default: 2\n    description: the GiB\n",
            ("parameters", "size", "description"),
            "the GiB",
        ),
        (
            "node_templates:\n\n",
            f"node_templates:\n\n{SUBNET}",
            ("resources", "s", "properties", "cidr"),
            "192.0.2.0/24",
        ),
        ("outputs:\n", "outputs:\n  more:\n    value: [1, yes]\n", ("outputs", "more", "value"), [1, True]),
    ],
)
def test_it_stays_json(indent: int | None, before: str, after: str, place: tuple[str, ...], value: Any) -> None:
    there = convert(json.dumps(SOURCE, indent=indent).encode(), "hot", "cloudify").text
    assert there is not None
    assert before in there
    back = convert(there.replace(before, after, 1), "cloudify", "hot")
    assert back.text is not None
    data = json.loads(back.text)
    for step in place:
        data = data[step]
    assert data == value
    untouched = [key for key in SOURCE if key != place[0]]
    assert {key: json.loads(back.text)[key] for key in untouched} == {key: SOURCE[key] for key in untouched}
