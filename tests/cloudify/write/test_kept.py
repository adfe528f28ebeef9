"""What a blueprint keeps of its source in the metadata, which no engine reads, and what comes back of it."""

from __future__ import annotations

import json
from typing import Any

import service_heads

from bpconvert.api import Result, convert

KEY = "bpconvert_kept"
HOT = """\
heat_template_version: 2018-08-31
parameters: {env: {type: string}}
resources:
  net: {type: OS::Neutron::Net, properties: {tags: [é, {get_param: env}]}}
outputs: {o: {value: {digest: [md5, {get_param: env}]}}, p: {value: {get_param: env}}}
"""
SERVICE = (
    service_heads.HEAD
    + """\
topology_template:
  node_templates:
    net:
      type: tosca.nodes.network.Network
      interfaces: {Standard: {operations: {create: {implementation: a.sh, inputs: {b: 1}}}}}
    app:
      type: tosca.nodes.SoftwareComponent
      interfaces: {Standard: {operations: {create: a.sh}}}
"""
)


def converted(text: str) -> Result:
    return convert(text, target="cloudify", name="source.yaml", carry=False, asked="inputs")


def kept(result: Result) -> Any:
    assert result.document["metadata"].keys() == {KEY}
    return json.loads(result.document["metadata"][KEY])


def test_properties_and_outputs_without_a_form() -> None:
    """With what stands there instead, so that an edit of that is seen."""
    digest = {"$Digest": {"algorithm": "md5", "text": {"$Input": {"name": "env", "keys": [], "strict": False}}}}
    data = kept(converted(HOT))
    assert data["nodes"] == {
        "net": {
            "type": "cloudify.nodes.openstack.Network",
            "properties": {"tags": ["é", {"$Input": {"name": "env", "keys": [], "strict": False}}]},
        }
    }
    assert {name: value for name, (_, value) in data["outputs"].items()} == {"o": digest}


def test_it_is_written_in_ascii() -> None:
    """As all of a blueprint."""
    result = converted(HOT)
    assert result.document["metadata"][KEY].isascii()
    assert (result.text or "").isascii()


def test_operations_that_nothing_runs() -> None:
    """Those that run are there."""
    result = converted(SERVICE)
    (operation,) = kept(result)["nodes"]["net"]["operations"]
    assert (operation["name"], operation["implementation"], operation["native"]) == ("create", "a.sh", "tosca")
    assert "app" not in kept(result)["nodes"]
    assert "interfaces" in result.document["node_templates"]["app"]


def test_what_comes_back() -> None:
    again = convert(converted(HOT).text or "", "cloudify", "hot", carry=False)
    assert again.document["resources"]["net"]["properties"]["tags"] == ["é", {"get_param": "env"}]
    assert again.document["outputs"]["o"]["value"] == {"digest": ["md5", {"get_param": "env"}]}
    places = [one.path for one in again.diagnostics if one.code == "BPC670"]
    assert places == [("node_templates", "net"), ("outputs", "o"), ("metadata", KEY)]


def test_an_output_that_was_edited_has_no_kept_value() -> None:
    text = (converted(HOT).text or "").replace("value: 'not converted: ", "value: 'another: ")
    again = convert(text, "cloudify", "hot", carry=False)
    assert str(again.document["outputs"]["o"]["value"]).startswith("another: ")
