"""Edits of requirements that stand for properties and nodes, and of these where they do: none of them vanishes, and no
other finding says so."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from checkout import ROOT

from bpconvert import Result, convert

HOT = """\
heat_template_version: 2018-08-31
resources:
  net: {type: OS::Neutron::Net}
  p:
    type: OS::Neutron::Port
    properties: {network: {get_resource: net}}
  q:
    type: OS::Neutron::Port
    properties: {network: {get_resource: net}}
  v: {type: OS::Cinder::Volume, properties: {size: 1}}
  w: {type: OS::Cinder::Volume, properties: {size: 2}}
  s:
    type: OS::Nova::Server
    properties:
      flavor: a
      image: b
      networks:
        - port: {get_resource: q}   # first
        - port: {get_resource: p}
  a:
    type: OS::Cinder::VolumeAttachment
    properties: {volume_id: {get_resource: v}, instance_uuid: {get_resource: s}}
  t: {type: OS::Nova::Server, properties: {flavor: a, image: b}}
"""
#: the same in two forms
IDIOMS = convert(HOT, "hot", "tosca", carry=False).text
PLAIN = """\
tosca_definitions_version: tosca_simple_yaml_1_3
topology_template:
  node_templates:
    net: {type: openstack.neutron.Net}
    p:
      type: openstack.neutron.Port
      properties: {network: {get_attribute: [net, tosca_id]}}
      requirements: [{dependency: net}]
    q:
      type: openstack.neutron.Port
      properties: {network: {get_attribute: [net, tosca_id]}}
      requirements: [{dependency: net}]
    v: {type: openstack.cinder.Volume, properties: {size: 1}}
    w: {type: openstack.cinder.Volume, properties: {size: 2}}
    s:
      type: openstack.nova.Server
      properties:
        flavor: a
        image: b
        networks: [{port: {get_attribute: [q, tosca_id]}}, {port: {get_attribute: [p, tosca_id]}}]
      requirements: [{dependency: q}, {dependency: p}]
    a:
      type: openstack.cinder.VolumeAttachment
      properties: {volume_id: {get_attribute: [v, tosca_id]}, instance_uuid: {get_attribute: [s, tosca_id]}}
      requirements: [{dependency: v}, {dependency: s}]
    t: {type: openstack.nova.Server, properties: {flavor: a, image: b}}
"""


def edited(source: str, dialect: str, via: str, path: str, value: Any = None) -> Result:
    """The way back after the entry at ``path`` of what ``source`` became has this value, or is gone."""
    data = yaml.safe_load(convert(source, dialect, via).text)
    *steps, last = [int(step) if step.isdecimal() else step for step in path.split(".")]
    inner = data["topology_template"] if via == "tosca" else data
    for step in steps:
        inner = inner[step]
    if value is None:
        del inner[last]
    else:
        inner[last] = value
    return convert(yaml.safe_dump(data, sort_keys=False), via, dialect)


def resources(result: Result) -> Any:
    """The resources of a template."""
    return yaml.safe_load(result.text)["resources"]


def ports(resource: Any) -> list[str]:
    """The ports of a server."""
    return [one["port"]["get_resource"] for one in resource["properties"].get("networks", ())]


def findings(result: Result) -> list[tuple[str, str]]:
    """The findings that an entry was translated anew, or not."""
    return [(one.code, str(one.path[-1])) for one in result.diagnostics]


@pytest.mark.parametrize(
    ("path", "value", "expected", "other"),
    [
        ("node_templates.p.properties.order", -1, ["p", "q"], []),
        ("node_templates.q.requirements.1.binding", "t", ["p"], ["q"]),
        ("node_templates.q.requirements.1", None, ["p"], []),
        ("node_templates.t.requirements", [{"dependency": "net"}], ["q", "p"], []),
    ],
)
def test_bindings_that_are_edited(path: str, value: Any, expected: list[str], other: list[str]) -> None:
    result = edited(HOT, "hot", "tosca", path, value)
    found = resources(result)
    assert [ports(found["s"]), ports(found["t"])] == [expected, other]
    assert findings(result) == [("BPC620", path.split(".")[1])]


def test_another_edit_of_a_port_leaves_its_server() -> None:
    result = edited(HOT, "hot", "tosca", "node_templates.p.properties", {"order": 1, "name": "x"})
    assert findings(result) == [("BPC620", "p"), ("BPC170", "name")]  # the port's type has no such property in TOSCA
    changed = HOT.replace("    properties: {network: {get_resource: net}}", "    properties: {x}", 1)
    head, tail = changed.split("    properties: {x}")
    assert result.text.startswith(head)
    assert result.text.endswith(tail)
    assert resources(result)["p"]["properties"] == {"network": {"get_resource": "net"}, "name": "x"}


def test_links_that_are_edited() -> None:
    other = HOT.replace("  p:\n", "  other: {type: OS::Neutron::Net}\n  p:\n")
    result = edited(other, "hot", "tosca", "node_templates.p.requirements.0.link", "other")
    assert resources(result)["p"]["properties"] == {"network": {"get_resource": "other"}}
    assert findings(result) == [("BPC620", "p")]


def test_attachments_that_are_edited() -> None:
    result = edited(HOT, "hot", "tosca", "node_templates.s.requirements.0.volume.node", "w")
    assert resources(result)["a"]["properties"]["volume_id"] == {"get_resource": "w"}
    assert findings(result) == [("BPC620", "s")]
    result = edited(HOT, "hot", "tosca", "relationship_templates.a.properties", {"mountpoint": "/dev/vdx"})
    assert resources(result)["a"]["properties"]["mountpoint"] == "/dev/vdx"
    assert findings(result) == [("BPC620", "a")]
    result = edited(HOT, "hot", "tosca", "node_templates.s.requirements.0")
    assert "a" not in resources(result)
    assert ("BPC620", "s") in findings(result)
    rows = [{"volume": {"node": "v", "relationship": "a"}}, {"volume": "w"}]
    result = edited(HOT, "hot", "tosca", "node_templates.s.requirements", rows)
    assert resources(result)["s_w_attachment"]["properties"]["volume_id"] == {"get_resource": "w"}


@pytest.mark.parametrize("source", [IDIOMS, PLAIN], ids=["idioms", "plain"])
@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("s.properties.networks", [{"port": {"get_resource": "p"}}, {"port": {"get_resource": "q"}}]),
        ("s.properties.networks", [{"port": {"get_resource": "p"}}]),
        ("s.properties.networks", [{"port": {"get_resource": "p"}}, {"network": "out"}]),
        ("s.properties.networks", None),
        ("t.properties.networks", [{"network": "out"}]),
        ("s.properties.metadata", {"mac": {"get_attr": ["p", "mac_address"]}}),
        ("s.properties.flavor", "c"),
        ("p.properties.name", "c"),
        ("t.depends_on", "p"),
        ("t.depends_on", "s"),
        ("t.depends_on", "a"),
        ("a.properties.mountpoint", "/dev/vdx"),
        ("a.properties.volume_id", {"get_resource": "w"}),
        ("a.properties.instance_uuid", {"get_resource": "t"}),
        ("a.depends_on", "w"),
        ("a", None),
        ("v.properties.size", 9),
    ],
)
def test_edits_of_resources(source: str, path: str, value: Any) -> None:
    """The service template means what the edited template means, and has every thing once."""
    steps = path.split(".")
    wanted = yaml.safe_load(convert(source, "tosca", "hot", carry=False).text)["resources"]
    inner = wanted
    for step in steps[:-1]:
        inner = inner[step]
    if value is None:
        del inner[steps[-1]]
    else:
        inner[steps[-1]] = value
    result = edited(source, "tosca", "hot", f"resources.{path}", value)
    found = yaml.safe_load(result.text)["topology_template"]
    assert resources(convert(result.text, "tosca", "hot", carry=False)) == wanted
    nodes = found["node_templates"]
    assert not {*found.get("relationship_templates", ())} & nodes.keys()
    bound = [name for name, one in nodes.items() if {"binding": "s"} in one.get("requirements", [])]
    assert not bound or "networks" not in nodes["s"]["properties"]
    assert "BPC622" not in [code for code, _ in findings(result)]


def test_an_edit_elsewhere_that_turns_an_edge_round() -> None:
    """Where the server waits for its port in another way as well, no port is bound to it any more."""
    value = "        user_data: {get_attribute: [r, value]}\n"
    source = IDIOMS.replace("        flavor: a\n", f"        flavor: a\n{value}", 1)
    source = source.replace("    v:\n", "    r: {type: openstack.heat.RandomString}\n\n    v:\n", 1)
    result = edited(source, "tosca", "hot", "resources.r.depends_on", "p")
    nodes = yaml.safe_load(result.text)["topology_template"]["node_templates"]
    assert "binding" not in str(nodes)
    assert "networks" in nodes["s"]["properties"]


# -- where the source has another form than what was edited ------------------------------------------------


NETWORKS = """\
heat_template_version: 2018-08-31
resources:
  server:
    type: OS::Nova::Server
    properties:
      image: b
      flavor: a
      networks:
        - {network: private, fixed_ip: 10.0.0.5, subnet: front}
  port: {type: OS::Neutron::Port, properties: {network: private}}
"""


def test_a_port_is_not_put_beside_the_address_of_another_one() -> None:
    """Heat refuses a fixed IP beside a port, and what the source had would be gone."""
    text = convert(NETWORKS, "hot", "cloudify").text
    places = [number for number, node in enumerate(yaml.safe_load(text)["node_templates"]["server"]["relationships"])]
    result = edited(NETWORKS, "hot", "cloudify", f"node_templates.server.relationships.{places[-1]}.target", "port")
    assert result.text == NETWORKS
    assert [str(one.code) for one in result.diagnostics if one.severity > "info"] == ["BPC622"]


def test_a_call_gives_way_to_another_call(tmp_path: Path) -> None:
    (tmp_path / "blob.bin").write_bytes(b"\xff\xfe\x00")
    source = NETWORKS.replace("flavor: a", "flavor: a\n      user_data: {get_file: blob.bin}")
    (tmp_path / "hot.yaml").write_text(source)
    text = convert(tmp_path / "hot.yaml", "hot", "cloudify").text
    (tmp_path / "edited.yaml").write_text(text.replace("server_user_data", "another_name"))
    back = yaml.safe_load(convert(tmp_path / "edited.yaml", "cloudify", "hot").text)
    assert back["resources"]["server"]["properties"]["user_data"] == {"get_param": "another_name"}


def test_an_edit_stays_out_of_the_files_beside_the_document(tmp_path: Path) -> None:
    """A value that two nodes have, one of them in a nested template: that one was not edited."""
    path = ROOT / "corpus/cfy/group-of-several-nodes/blueprint.yaml"
    made = convert(path, "cloudify", "hot")
    for name, text in {**made.files, "hot.yaml": made.text.replace("flavor: cirros", "flavor: debian")}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    nodes = yaml.safe_load(convert(tmp_path / "hot.yaml", "hot", "cloudify").text)["node_templates"]
    assert nodes["worker"]["properties"]["image"] == "cirros"
    assert nodes["monitor"]["properties"]["resource_config"]["metadata"]["flavor"] == "debian"


def test_what_is_added_refers_to_what_the_source_has(tmp_path: Path) -> None:
    """A deployment that waits for one that was an operation waits for its node: no script runs a second time."""
    path = ROOT / "corpus/cfy/software-on-a-server/blueprint.yaml"
    made = convert(path, "cloudify", "hot")
    start, _, rest = made.text.partition("  app_configure_deploy:\n")
    entry, _, end = rest.partition("\n\n")
    text = f"{start}  app_configure_deploy:\n{entry}\n\n  one_more:\n{entry}\n\n{end}"
    for name, content in {**made.files, "hot.yaml": text}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(content, "utf-8")
    nodes = convert(tmp_path / "hot.yaml", "hot", "cloudify").document["node_templates"]
    assert nodes.keys() == {*yaml.safe_load(path.read_text("utf-8"))["node_templates"], "one_more"}
    assert [one["target"] for one in nodes["one_more"]["relationships"]] == ["host", "app"]
