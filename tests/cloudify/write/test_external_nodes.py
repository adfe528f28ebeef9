"""External nodes, which find what exists by its name, and resources that become part of another node."""

from __future__ import annotations

from typing import Any

import pytest
from property_writing import Writing

from bpconvert.api import Result, convert
from bpconvert.models import expressions as ex
from bpconvert.models.topology import Input, Node

HEAD = """
heat_template_version: 2018-08-31
parameters:
  free: {type: string}
  empty: {type: string, default: ''}
  flag: {type: boolean}
conditions: {c: {get_param: flag}}
resources:
  sub: {type: OS::Neutron::Subnet, properties: {network: n, cidr: 10.0.0.0/24}}
  s: {type: OS::Nova::Server, properties: {image: i, flavor: f}}
  t: {type: OS::Nova::Server, properties: {image: i, flavor: f}}
"""
ABSORBED = ("resources", "x")


def converted(*resources: tuple[str, str, str]) -> Result:
    """Resources by name, type and properties, beside a subnet and two servers."""
    rows = [f"  {name}: {{type: 'OS::{kind}', properties: {properties}}}\n" for name, kind, properties in resources]
    return convert(HEAD + "".join(rows), "hot", "cloudify", carry=False)


def nodes(*resources: tuple[str, str, str]) -> Any:
    """The nodes that resources become."""
    return converted(*resources).document["node_templates"]


def port(network: str) -> tuple[str, str, str]:
    return "p", "Neutron::Port", f"{{network: {network}}}"


# -- what may be a name --------------------------------------------------------------------------------------


@pytest.mark.parametrize("network", ["{get_param: free}", "web", "{if: [c, web, db]}"])
def test_a_name_is_found_by_an_external_node(network: str) -> None:
    made = nodes(port(network))
    (target,) = [row["target"] for row in made["p"]["relationships"] if row["type"].endswith("connected_to")]
    assert made[target]["properties"]["use_external_resource"] is True
    assert "network_id" not in made["p"]["properties"]["resource_config"]


@pytest.mark.parametrize("network", ["''", "{get_param: empty}", "{if: [c, web, '']}", "{if: [c, web, null]}"])
def test_what_may_be_nothing_is_none(network: str) -> None:
    """An external node that finds nothing ends the deployment."""
    made = nodes(port(network))
    assert not [row for row in made["p"]["relationships"] if row["type"].endswith("connected_to")]
    assert "network_id" in made["p"]["properties"]["resource_config"]


@pytest.mark.parametrize("default", [None, ""])
def test_neither_is_an_input_that_is_nothing_by_default(default: str | None) -> None:
    writing = Writing()
    writing.context.topology.inputs["free"] = Input("free", "string", default)
    assert not writing.properties.arrangement.may_be_name(ex.Input("free"))
    assert writing.properties.arrangement.may_be_name(ex.Input("free", ("a",)))
    assert not writing.properties.arrangement.may_be_name(None)


def test_a_router_without_a_name_is_asked_for() -> None:
    """An empty text names nothing."""
    made = converted(("i", "Neutron::RouterInterface", "{router: '', subnet: {get_resource: sub}}"))
    external = made.document["node_templates"]["external_i_router"]
    assert external["properties"]["resource_config"] == {"id": {"get_input": "i_router"}}
    (row,) = [row for row in made.diagnostics if row.code == "BPC201"]
    assert (row.path, str(row.message)) == (
        ("resources", "i", "properties", "router"),
        "not converted, asked for as input 'i_router': an empty text names no existing resource",
    )


def test_the_default_group_of_a_port_is_told() -> None:
    made = converted(port("web"))
    (row,) = [row for row in made.diagnostics if row.code == "BPC338"]
    assert (row.path, str(row.message).split(",")[0]) == (
        ("resources", "p"),
        "'p' names the project's 'default' group",
    )


# -- resources that become part of another node --------------------------------------------------------------


def test_the_device_of_a_volume_is_that_of_the_attachment_that_names_one() -> None:
    """The other one has a node of its own, which stands for the same volume."""
    made = nodes(
        ("a", "Cinder::VolumeAttachment", "{volume_id: w, instance_uuid: {get_resource: s}}"),
        ("b", "Cinder::VolumeAttachment", "{volume_id: w, instance_uuid: {get_resource: t}, mountpoint: /dev/vdc}"),
    )
    first, other = made["external_w"], made["external_w_of_s"]
    assert (first["properties"]["device_name"], first["relationships"][0]["target"]) == ("/dev/vdc", "t")
    assert "device_name" not in other["properties"]
    assert other["relationships"][0]["target"] == "s"


def test_what_is_not_expressed_of_an_absorbed_resource_is_told() -> None:
    """In the order of the names, and not what is null."""
    writing = Writing()
    properties = {"zone": 1, "alias": 2, "nothing": None, "router": "r", "metric": 3}
    absorbed = Node("x", "OS::Neutron::RouterInterface", None, properties, path=ABSORBED)
    arrangement = writing.properties.arrangement
    arrangement.absorb(absorbed, "a", None, None, {"router"})
    assert absorbed.part_of == "a"
    assert arrangement.targets("a") == []
    rows = [(row.code, row.path) for row in writing.context.reporter.diagnostics]
    names = ("alias", "metric", "zone")
    assert rows == [("BPC303", ABSORBED), *(("BPC301", (*ABSORBED, "properties", name)) for name in names)]
    assert "'alias'" in writing.messages[1]
