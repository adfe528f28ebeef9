"""Taking over stacks that nest others: the members of groups, nested templates, and what only one of them has."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from bpconvert.adoption import adopt
from bpconvert.api import Result
from bpconvert.diagnostics import DocumentError

STATE = {"action": "CREATE", "status": "COMPLETE"}
VERSION = "heat_template_version: 2018-08-31\n"
MEMBER = (
    VERSION
    + """\
parameters:
  net: {type: string}
  size: {type: number, default: 1}
  token: {type: string, hidden: true, default: secret-text}
resources:
  disk: {type: OS::Cinder::Volume, properties: {size: {get_param: size}, metadata: {token: {get_param: token}}}}
  server:
    type: OS::Nova::Server
    depends_on: disk
    properties:
      {image: i, flavor: f, networks: [{network: {get_param: net}}], metadata: {disk: {get_resource: disk}}}
outputs:
  id: {value: {get_resource: server}}
  size: {value: {get_param: size}}
"""
)
APP = (
    VERSION
    + """\
parameters: {size: {type: number, default: 3}}
resources:
  net: {type: OS::Neutron::Net}
  one: {type: "file:///member.yaml", properties: {net: {get_resource: net}, size: {get_param: size}}}
  after: {type: OS::Cinder::Volume, depends_on: one, properties: {size: {get_attr: [one, size]}}}
outputs:
  id: {value: {get_attr: [one, id]}}
"""
)
GROUP = (
    VERSION
    + """\
resources:
  net: {type: OS::Neutron::Net}
  many:
    type: OS::Heat::ResourceGroup
    properties:
      count: 2
      resource_def: {type: OS::Cinder::Volume, properties: {name: "disk-%index%", size: 1}}
  stacks:
    type: OS::Heat::ResourceGroup
    depends_on: many
    properties:
      count: 2
      resource_def: {type: "file:///member.yaml", properties: {net: {get_resource: net}, size: 2}}
outputs:
  all: {value: {get_attr: [stacks, id]}}
  first: {value: {get_attr: [many, resource.0]}}
  lost: {value: {get_attr: [many, removed_rsrc_list]}}
"""
)


def row(name: str, type: str, identity: str) -> dict[str, Any]:
    return {"name": name, "type": type, "resource_id": identity, **STATE, "metadata": {}, "resource_data": {}}


def stack(template: str, resources: dict[str, Any], **parameters: Any) -> dict[str, Any]:
    """The export of a stack."""
    data = yaml.safe_load(template)
    data["heat_template_version"] = "2018-08-31"
    named = {name: {"name": name, **one} for name, one in resources.items()}
    own = {"id": "stack-id", "name": "app", "files": {"file:///member.yaml": MEMBER}}
    return {**own, **STATE, "template": data, "environment": {"parameters": parameters}, "resources": named}


def member(name: str) -> dict[str, Any]:
    resources = {
        "disk": row("disk", "OS::Cinder::Volume", f"{name}-disk"),
        "server": row("server", "OS::Nova::Server", f"{name}-server"),
    }
    return stack(MEMBER, resources, net="net-id", size=3)


def nesting() -> dict[str, Any]:
    rows = {
        "net": row("net", "OS::Neutron::Net", "net-id"),
        "one": member("one"),
        "after": row("after", "OS::Cinder::Volume", "after-id"),
    }
    return stack(APP, rows, size=3)


def grouping(*names: str) -> dict[str, Any]:
    disks = {name: row(name, "OS::Cinder::Volume", f"disk-{name}-id") for name in names}
    many = {"id": "g", **STATE, "template": {}, "resources": disks}
    stacks = {"id": "h", **STATE, "template": {}, "resources": {name: member(name) for name in names}}
    return stack(GROUP, {"net": row("net", "OS::Neutron::Net", "net-id"), "many": many, "stacks": stacks})


def taken(tmp_path: Path, data: Mapping[str, Any], target: str = "cloudify", **more: Any) -> Result:
    file = tmp_path / "stack.json"
    file.write_text(json.dumps(data, indent=1), "utf-8")
    return adopt(file, target, **more)


def ids(result: Result) -> dict[str, str]:
    nodes = result.document["node_templates"].items()
    return {name: node["properties"]["resource_config"]["id"] for name, node in nodes if "properties" in node}


def test_a_nested_stack_is_part_of_the_blueprint(tmp_path: Path) -> None:
    result = taken(tmp_path, nesting())
    assert ids(result) == {"net": "net-id", "one_disk": "one-disk", "one_server": "one-server", "after": "after-id"}
    nodes = result.document["node_templates"]
    assert nodes["one_disk"]["properties"]["resource_config"]["size"] == {"get_input": "size"}
    waits = [one["target"] for one in nodes["after"]["relationships"]]
    assert waits == ["one_disk", "one_server"]
    assert result.document["outputs"]["id"]["value"] == {"get_attribute": ["one_server", "id"]}


def test_each_member_of_a_group_is_a_node(tmp_path: Path) -> None:
    """A member that was removed leaves a gap in the numbers."""
    result = taken(tmp_path, grouping("0", "2"))
    assert ids(result) == {
        "net": "net-id",
        "many_0": "disk-0-id",
        "many_2": "disk-2-id",
        "stacks_0_disk": "0-disk",
        "stacks_0_server": "0-server",
        "stacks_2_disk": "2-disk",
        "stacks_2_server": "2-server",
    }
    nodes, outputs = result.document["node_templates"], result.document["outputs"]
    assert nodes["many_2"]["properties"]["resource_config"]["name"] == "disk-2"
    every = [{"get_attribute": ["stacks_0_server", "id"]}, {"get_attribute": ["stacks_2_server", "id"]}]
    assert outputs["all"]["value"] == every
    assert "lost" not in outputs
    assert [found.path for found in result.diagnostics if found.code == "BPC692"] == [("outputs", "lost")]


def test_hidden_values_of_nested_stacks_are_not_written(tmp_path: Path) -> None:
    data = nesting()
    data["resources"]["one"]["environment"]["parameters"]["token"] = "given-secret"
    result = taken(tmp_path, data)
    assert "given-secret" not in result.text + "".join(result.files.values())
    assert [found.message for found in result.diagnostics if found.code == "BPC675"] == [
        "'metadata' of 'one_disk' is left out"
    ]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda one: one["resources"]["disk"].update(status="FAILED"), "'one_disk' is not taken over: it is CREATE_F"),
        (lambda one: one.update(action="DELETE"), "'one' is not taken over: it is DELETE_COMPLETE"),
        (lambda one: one["resources"].pop("disk"), "'one_disk' is not taken over: nothing that runs is recorded"),
        (lambda one: one["template"].pop("heat_template_version"), "'one' is not taken over: it is a stack of a"),
    ],
)  # fmt: skip
def test_nested_stacks_that_are_not_complete(tmp_path: Path, change: Any, words: str) -> None:
    data = nesting()
    change(data["resources"]["one"])
    with pytest.raises(DocumentError, match=words):
        taken(tmp_path, data)


# -- by Heat ---------------------------------------------------------------------------------------------------


def test_heat_adopts_a_nested_stack_by_a_template_of_its_own(tmp_path: Path) -> None:
    result = taken(tmp_path, nesting(), "hot")
    made = json.loads(result.files["adopt.json"])
    nested = made["template"]["resources"]["one"]
    assert nested == {"type": "adopt/one.yaml", "properties": {"net": "net-id", "size": {"get_param": "size"}}}
    inner = json.loads(made["files"]["adopt/one.yaml"])["resources"]["server"]["properties"]
    assert inner["metadata"] == {"disk": "one-disk"}
    assert inner["networks"] == [{"network": {"get_param": "net"}}]
    assert {name: one["resource_id"] for name, one in made["resources"]["one"]["resources"].items()} == {
        "disk": "one-disk",
        "server": "one-server",
    }
    assert made["template"]["resources"]["after"]["properties"] == {"size": {"get_param": "size"}}


def test_members_that_are_stacks_share_a_template(tmp_path: Path) -> None:
    result = taken(tmp_path, grouping("0", "1"), "hot")
    made = json.loads(result.files["adopt.json"])
    definition = made["template"]["resources"]["stacks"]["properties"]["resource_def"]
    assert definition["properties"] == {"net": "net-id", "size": 2, "bpconvert_index": "%index%"}
    inner = json.loads(made["files"][definition["type"]])
    assert inner["resources"]["server"]["properties"]["metadata"] == {
        "disk": {"get_param": ["bpconvert_values", {"get_param": "bpconvert_index"}, "0"]}
    }
    assert inner["parameters"]["bpconvert_values"]["default"] == {"0": {"0": "0-disk"}, "1": {"0": "1-disk"}}


def test_heat_does_not_adopt_groups_of_which_members_are_gone(tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match="'many' is not taken over: members of it were removed"):
        taken(tmp_path, grouping("0", "2"), "hot")


def test_heat_does_not_adopt_groups_that_scale(tmp_path: Path) -> None:
    template = VERSION + (
        "resources:\n  asg:\n    type: OS::Heat::AutoScalingGroup\n    properties:\n      min_size: 1\n"
        "      max_size: 2\n      resource: {type: OS::Cinder::Volume, properties: {size: 1}}\n"
    )
    rows = {"a7x": row("a7x", "OS::Cinder::Volume", "disk-id")}
    data = stack(template, {"asg": {"id": "g", **STATE, "template": {}, "resources": rows}})
    with pytest.raises(DocumentError, match="'asg' is not taken over: Heat adopts no OS::Heat::AutoScalingGroup"):
        taken(tmp_path, data, "hot")
    assert ids(taken(tmp_path, data)) == {"asg_a7x": "disk-id"}


def test_attributes_are_those_that_are_given(tmp_path: Path) -> None:
    template = VERSION + (
        "resources:\n  disk: {type: OS::Cinder::Volume, properties: {size: 1}}\n"
        "  other: {type: OS::Cinder::Volume, properties: "
        "{size: 1, metadata: {zone: {get_attr: [disk, availability_zone]}}}}\n"
    )
    rows = {name: row(name, "OS::Cinder::Volume", f"{name}-id") for name in ("disk", "other")}
    data = stack(template, rows)
    with pytest.raises(DocumentError, match="what 'get_attr' yields of 'disk' is not recorded"):
        taken(tmp_path, data, "hot")
    file = tmp_path / "attributes.json"
    file.write_text(json.dumps({"disk": {"attributes": {"availability_zone": "nova"}}}), "utf-8")
    result = taken(tmp_path, data, "hot", attributes=file)
    own = json.loads(result.files["adopt.json"])["template"]["resources"]["other"]["properties"]
    assert own == {"size": 1, "metadata": {"zone": "nova"}}
    file.write_text("[]", "utf-8")
    with pytest.raises(DocumentError, match="attributes are a map for each resource"):
        taken(tmp_path, data, "hot", attributes=file)


def test_a_list_of_resources_does_not_have_what_a_stack_of_its_own_is(tmp_path: Path) -> None:
    (tmp_path / "app.yaml").write_text(GROUP.replace("file:///", ""), "utf-8")
    (tmp_path / "member.yaml").write_text(MEMBER, "utf-8")
    listed = [
        ("net", "OS::Neutron::Net", "app"),
        ("many", "OS::Heat::ResourceGroup", "app"),
        ("stacks", "OS::Heat::ResourceGroup", "app"),
        ("0", "OS::Cinder::Volume", "app-many-x7"),
    ]
    rows = [
        {"resource_name": name, "physical_resource_id": f"{name}-id", "resource_type": kind, "stack_name": stack}
        for name, kind, stack in listed
    ]
    file = tmp_path / "rows.json"
    file.write_text(json.dumps([{**one, "resource_status": "CREATE_COMPLETE"} for one in rows]), "utf-8")
    for target in ("cloudify", "hot"):
        with pytest.raises(DocumentError, match="'many' is not taken over: it is a stack of its own: give what"):
            adopt(tmp_path / "app.yaml", target, resources=file)


def test_references_of_the_first_version_inside_of_a_stack_are_left_out(tmp_path: Path) -> None:
    data = nesting()
    template = data["resources"]["one"]["template"]
    template["heat_template_version"] = "2013-05-23"
    template["resources"]["server"]["properties"]["metadata"] = {"disk": {"Ref": "disk"}}
    result = taken(tmp_path, data)
    assert "metadata" not in result.document["node_templates"]["one_server"]["properties"]["resource_config"]
    assert [found.message for found in result.diagnostics if found.code == "BPC675"] == [
        "'metadata' of 'one_server' is left out"
    ]
