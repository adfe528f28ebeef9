"""The worked examples beside the map of types: ours and theirs mean the same, but for the differences listed here."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest
import yaml
from checkout import SHARED

from bpconvert.api import convert

EXAMPLES = SHARED / "reference" / "type_map_examples"
#: their names of generated nodes -> ours
NAMES: Final = {
    "shared_sg_ref": "external_shared_sg", "mgmt_net_ref": "external_mgmt_net", "ext_net_ref": "external_ext_net",
    "fip_after_rif": "sub_barrier",
}  # fmt: skip
#: nodes that only we have -> why
MORE_NODES: Final = {
    "srv_port_0": "the plugin takes ports before networks, and the network is the first interface: it needs a port",
    "vol_barrier": "the server waits for the volume, which is no way to connect the two",
    "external_vol_of_srv": "the server waits for the volume, so that a node that stands for it attaches it",
    "external_default": "the plugin sends an empty list of groups for that port, where OpenStack takes the default one",
}
#: (node, dotted path of a property) -> why it differs
PROPERTIES: Final = {
    ("vol", "device_name"): "the node that stands for the volume attaches it, and says as what",
    ("srv", "agent_config.install_method"): "user data installs the agent, which needs no private key",
    ("srv", "agent_config.user"): "cloud-init runs what installs the agent as root, as Heat's agent runs scripts",
}
#: (node, relationship) -> why only one of the two has it
RELATIONSHIPS: Final = {
    ("vol", "volume_attached_to_server", "srv"): "the node that stands for the volume attaches it",
    ("dep", "depends_on", "vol"): "what stands for the volume has the relationship",
    ("dep", "depends_on", "external_vol_of_srv"): "what stands for the volume has the relationship",
    ("srv", "depends_on", "vol_barrier"): "nothing closes a circle: the server waits for the volume",
    ("srv", "connected_to", "external_mgmt_net"): "the network is reached through a port of its own",
    ("srv", "server_connected_to_port", "srv_port_0"): "the port of the first interface",
    ("fip", "depends_on", "rtr"): "Heat lets a floating IP wait for the router whose gateway has its network",
}
#: (node, operation) -> why it differs
OPERATIONS: Final = {
    ("dep", "create"): "a runner gives the script the names and values that Heat's agent does and keeps its output",
}
#: output -> why it differs
OUTPUTS: Final = {
    "mac": "get_attribute finds the property where there is no runtime property, and evaluates it when asked",
}
#: section -> why only they have it
SECTIONS: Final = {
    "metadata": "the carry, which has another form",
    "capabilities": "outputs of a stack that nothing nests are outputs of the blueprint",
}


@pytest.fixture(scope="module")
def theirs() -> dict[str, Any]:
    if not EXAMPLES.is_dir():
        pytest.skip("../shared/reference/type_map_examples is not beside this checkout")
    found: dict[str, Any] = yaml.safe_load((EXAMPLES / "ex1_blueprint.yaml").read_text())
    return renamed(found)


@pytest.fixture(scope="module")
def ours(theirs: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = convert(EXAMPLES / "ex1_hot.yaml", carry=False, dsl_version="1_4").document
    return found


def renamed(value: Any) -> Any:
    """Their document with our names of nodes."""
    if isinstance(value, dict):
        return {NAMES.get(key, key): renamed(item) for key, item in value.items()}
    if isinstance(value, list):
        return [renamed(item) for item in value]
    return NAMES.get(value, value) if isinstance(value, str) else value


def nodes(document: dict[str, Any]) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = document["node_templates"]
    return found


def flat(value: Any, path: str = "") -> dict[str, Any]:
    """Dotted path -> value, of maps; lists and calls are values. A ``concat`` of adjacent texts is one text."""
    if isinstance(value, dict) and not (len(value) == 1 and str(next(iter(value))).startswith(("get_", "concat"))):
        result: dict[str, Any] = {}
        for key, item in value.items():
            result |= flat(item, f"{path}.{key}" if path else str(key))
        return result
    return {path: joined(value)}


def joined(value: Any) -> Any:
    parts = value.get("concat") if isinstance(value, dict) else None
    if not isinstance(parts, list):
        return value
    result: list[Any] = []
    for part in parts:
        if isinstance(part, str) and result and isinstance(result[-1], str):
            result[-1] += part
        else:
            result.append(part)
    return {"concat": result}


def differences(one: dict[str, Any], other: dict[str, Any]) -> set[str]:
    return {key for key in one.keys() | other.keys() if one.get(key) != other.get(key)}


def test_the_nodes_are_the_same(theirs: dict[str, Any], ours: dict[str, Any]) -> None:
    types = {name: node["type"] for name, node in nodes(ours).items() if name not in MORE_NODES}
    assert types == {name: node["type"] for name, node in nodes(theirs).items()}
    assert MORE_NODES.keys() <= nodes(ours).keys()


def test_the_properties_are_the_same(theirs: dict[str, Any], ours: dict[str, Any]) -> None:
    found = set()
    for name in nodes(theirs):
        both = [dict(one[name].get("properties", {})) for one in (nodes(theirs), nodes(ours))]
        for properties in both:
            properties.pop("client_config", None)
            properties["security_group_rules"] = sorted(map(str_of, properties.get("security_group_rules", ())))
        found |= {(name, path) for path in differences(*map(flat, both))}
    assert found == set(PROPERTIES)


def str_of(rule: dict[str, Any]) -> str:
    return str(sorted((key, str(value)) for key, value in rule.items()))


def test_the_relationships_are_the_same(theirs: dict[str, Any], ours: dict[str, Any]) -> None:
    found: set[tuple[str, str, str]] = set()
    for name in nodes(theirs):
        left, right = (pairs(name, one) for one in (theirs, ours))
        found |= left ^ right
    assert found == set(RELATIONSHIPS)


def pairs(name: str, document: dict[str, Any]) -> set[tuple[str, str, str]]:
    relationships = nodes(document)[name].get("relationships", ())
    return {(name, one["type"].rsplit(".", 1)[-1], one["target"]) for one in relationships}


def test_the_operations_are_the_same(theirs: dict[str, Any], ours: dict[str, Any]) -> None:
    both = [
        {(name, operation): what for name, node in nodes(one).items() for operation, what in lifecycle(node).items()}
        for one in (theirs, ours)
    ]
    assert both[0].keys() == both[1].keys()
    assert {key for key in both[0] if both[0][key] != both[1][key]} == set(OPERATIONS)
    script, runner = both[0]["dep", "create"], both[1]["dep", "create"]
    assert script["implementation"] in runner["inputs"].values()
    assert script["inputs"].items() <= runner["inputs"].items()


def lifecycle(node: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = node.get("interfaces", {}).get("cloudify.interfaces.lifecycle", {})
    return found


def test_the_outputs_are_the_same(theirs: dict[str, Any], ours: dict[str, Any]) -> None:
    both = [{name: data["value"] for name, data in one["outputs"].items()} for one in (theirs, ours)]
    assert both[0].keys() == both[1].keys()
    assert differences(*both) == set(OUTPUTS)
    assert both[1]["mac"] == {"get_attribute": ["val", "value", "mac"]}
    assert theirs.keys() - ours.keys() == SECTIONS.keys()
    inputs = {name: data["default"] for name, data in ours["inputs"].items() if "default" in data}
    assert inputs == {name: data["default"] for name, data in theirs["inputs"].items()}


#: a blueprint that the second example could have been made from
BLUEPRINT: Final = """tosca_definitions_version: cloudify_dsl_1_4
imports: [cloudify/types/types.yaml, plugin:cloudify-aws-plugin]
inputs: {cidr: {default: 10.0.0.0/16}}
node_templates:
  vpc:
    type: cloudify.nodes.aws.ec2.Vpc
    properties:
      client_config: {region_name: {get_secret: aws_region}}
      resource_config: {kwargs: {CidrBlock: {get_input: cidr}}}
  server_host: {type: cloudify.nodes.Compute, properties: {ip: 192.0.2.7}}
  app:
    type: cloudify.nodes.SoftwareComponent
    interfaces:
      cloudify.interfaces.lifecycle:
        create: {implementation: hi.sh, inputs: {port: 8080, vpc: {get_attribute: [vpc, aws_resource_id]}}}
    relationships:
      - {type: cloudify.relationships.contained_in, target: server_host}
      - {type: cloudify.relationships.depends_on, target: vpc}
outputs:
  vpc_id: {value: {get_attribute: [vpc, aws_resource_id]}}
"""


def test_the_second_example_has_the_shape_of_what_we_make(tmp_path: Path) -> None:
    """An AWS node is a stand-in that shows its type; a machine and a script are a server and its deployment."""
    if not EXAMPLES.is_dir():
        pytest.skip("../shared/reference/type_map_examples is not beside this checkout")
    theirs = yaml.safe_load((EXAMPLES / "ex2_fallback_hot.yaml").read_text())["resources"]
    (tmp_path / "hi.sh").write_text("#!/bin/bash\necho hi")
    source = tmp_path / "blueprint.yaml"
    source.write_text(BLUEPRINT)
    document = convert(source, "cloudify", "hot").document
    ours = document["resources"]
    deployments = {name: data for name, data in ours.items() if data["type"] == "OS::Heat::SoftwareDeployment"}
    assert theirs["vpc"]["properties"].keys() == ours["vpc"]["properties"].keys()
    assert {ours[name]["type"] == theirs[name]["type"] for name in ("vpc", "server_host")} == {True}
    [deployment] = deployments.values()
    wanted = theirs["app_create_deploy"]
    assert deployment["properties"]["server"] == wanted["properties"]["server"]
    assert deployment["properties"]["input_values"].keys() == wanted["properties"]["input_values"].keys()
    assert document["outputs"]["vpc_id"]["value"] == {"get_attr": ["vpc", "aws_resource_id"]}
    config = ours[deployment["properties"]["config"]["get_resource"]]
    assert config["type"] == theirs["app_create_config"]["type"]
    assert "bpconvert_sidecar" in ours
