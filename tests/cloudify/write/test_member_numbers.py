"""Groups of too many members to write down: one node has the numbers of all of them."""

from __future__ import annotations

from typing import Any

import yaml

from bpconvert.api import convert
from bpconvert.translators.cloudify import numbering

HEAD = "heat_template_version: 2018-08-31\nresources:\n"


def group(name: str, properties: str) -> str:
    resource = f"{{type: OS::Cinder::Volume, properties: {properties}}}"
    return f"  {name}: {{type: OS::Heat::ResourceGroup, properties: {{count: 1000, resource_def: {resource}}}}}\n"


def number(name: str) -> dict[str, Any]:
    return {"get_attribute": ["member_numbers", "result", {"get_attribute": [name, "node_instance_index"]}]}


def test_one_node_has_the_numbers_of_all_groups() -> None:
    """It comes before the first group that needs it, is no member of that, and all of them wait for it."""
    key = "  keys: {type: OS::Nova::KeyPair, properties: {name: k}}\n"
    many, more = group("many", "{name: 'd-%index%', size: 1}"), group("more", "{name: '%index%', size: 1}")
    result = convert(HEAD + key + many + more, "hot", "cloudify", carry=False)
    data = yaml.safe_load(result.text)
    nodes = data["node_templates"]
    assert [*nodes] == ["keys", "member_numbers", "many", "more"]
    assert nodes["member_numbers"] == {
        "type": "bpconvert.nodes.Value",
        "interfaces": {
            "cloudify.interfaces.lifecycle": {"create": {"implementation": numbering.PATH, **numbering.SETTINGS}}
        },
    }
    assert result.files == {numbering.PATH: numbering.PROGRAM}
    waits = [{"type": "cloudify.relationships.depends_on", "target": "member_numbers"}]
    assert [nodes[name].get("relationships") for name in ("keys", "many", "more")] == [None, waits, waits]
    assert nodes["many"]["properties"]["resource_config"]["name"] == {"concat": ["d-", number("many")]}
    assert nodes["more"]["properties"]["resource_config"]["name"] == {"concat": [number("more")]}
    members = {name: part["members"] for name, part in data["groups"].items()}
    assert members == {"many_group": ["many"], "more_group": ["more"]}
