"""The data that Heat adopts: each reference is what it stands for, and each nested stack has a file of its own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from running_stacks import exported

from bpconvert.adoption import Wanted, adopt
from bpconvert.api import Result
from bpconvert.diagnostics import DocumentError
from bpconvert.models.running import Existing, Recorded
from bpconvert.translators.hot.adopting import owns, part

HEAD = "heat_template_version: 2018-08-31\nresources:\n"
STATE = {"action": "CREATE", "status": "COMPLETE"}
MEMBER: dict[str, Any] = {
    "heat_template_version": "2018-08-31",
    "description": "a member",
    "parameters": {"net": {"type": "string"}},
    "resources": {
        "disk": {"type": "OS::Cinder::Volume", "properties": {"size": 1, "name": {"get_param": "net"}}},
        "server": {
            "type": "OS::Nova::Server",
            "properties": {
                "image": "i",
                "flavor": "f",
                "metadata": {"disk": {"get_resource": "disk"}, "same": "x"},
                "tags": ["a", {"get_resource": "disk"}],
            },
        },
    },
}


def row(name: str, type: str, identity: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "type": type, "resource_id": identity, **STATE, "metadata": {}, "resource_data": {}, **more}


def member(name: str) -> dict[str, Any]:
    """What runs of a nested stack; its volume has a name of its own."""
    rows = {
        "disk": row("disk", "OS::Cinder::Volume", f"{name}-disk"),
        "server": row("server", "OS::Nova::Server", f"{name}-server"),
    }
    return {
        "name": f"app-{name}", "id": f"stack-{name}", **STATE, "template": MEMBER,
        "environment": {"parameters": {"net": "net-id"}}, "files": {}, "resources": rows,
    }  # fmt: skip


def taken(folder: Path, data: Any, target: str = "hot", **more: Any) -> Result:
    file = folder / "stack.json"
    file.write_text(json.dumps(data), "utf-8")
    return adopt(file, target, **more)


def made(result: Result) -> Any:
    return json.loads(result.files["adopt.json"])


def nesting(resources: str, **rows: Any) -> dict[str, Any]:
    data = exported(HEAD + resources, **rows)
    data["files"] = {"file:///member.yaml": json.dumps(MEMBER)}
    for name, one in rows.items():
        data["resources"][name] = one
    return data


# -- nested stacks ------------------------------------------------------------------------------------------


def test_a_nested_stack_has_the_template_that_it_is_adopted_with(tmp_path: Path) -> None:
    """All else of it stays as it was exported."""
    one = '  one: {type: "file:///member.yaml", metadata: {a: b}, properties: {net: {get_resource: net}}}\n'
    data = nesting(f"  net: {{type: OS::Neutron::Net}}\n{one}", one=member("one"))
    found = made(taken(tmp_path, data))
    assert list(found["files"]) == ["file:///member.yaml", "adopt/one.yaml"]
    assert {key: found[key] for key in ("name", "id", "action", "environment")} == {
        key: data[key] for key in ("name", "id", "action", "environment")
    }
    assert found["template"]["heat_template_version"] == "2018-08-31"
    assert found["template"]["resources"] == {
        "net": {"type": "OS::Neutron::Net"},
        "one": {"type": "adopt/one.yaml", "metadata": {"a": "b"}, "properties": {"net": "net-id"}},
    }
    adopted = json.loads(found["files"]["adopt/one.yaml"])
    assert found["files"]["adopt/one.yaml"].startswith('{\n "heat_template_version"')
    disk, server = adopted.pop("resources").values()
    assert adopted == {key: value for key, value in MEMBER.items() if key != "resources"}
    assert disk == MEMBER["resources"]["disk"]
    assert server["properties"]["metadata"] == {"disk": "one-disk", "same": "x"}
    assert found["resources"]["net"] == data["resources"]["net"]
    assert found["resources"]["one"] == {
        "name": "app-one", "id": "stack-one", **STATE, "resources": member("one")["resources"],
    }  # fmt: skip


GROUP = """\
  net: {type: OS::Neutron::Net}
  all:
    type: OS::Heat::ResourceGroup
    properties:
      count: 2
      INDEX
      resource_def: {type: "file:///member.yaml", metadata: {a: b}, properties: {net: {get_resource: net}}}
"""


#: of each member, what differs
VALUES = {name: {"0": f"{name}-disk", "1": f"{name}-disk"} for name in "01"}


@pytest.mark.parametrize(("index", "written"), [("index_var: '#'", "#"), ("removal_policies: []", "%index%")])
def test_members_share_a_template_with_the_values_of_each(tmp_path: Path, index: str, written: str) -> None:
    """What is the same for all stands there once."""
    members = {name: member(name) for name in ("0", "1")}
    group = {"name": "all", "id": "g", **STATE, "template": {}, "resources": members}
    data = nesting(GROUP.replace("INDEX", index), all=group)
    found = made(taken(tmp_path, data))
    properties = found["template"]["resources"]["all"]["properties"]
    assert properties["count"] == "2"
    assert properties["resource_def"] == {
        "type": "adopt/all.yaml", "metadata": {"a": "b"},
        "properties": {"net": "net-id", "bpconvert_index": written},
    }  # fmt: skip
    adopted = json.loads(found["files"]["adopt/all.yaml"])
    assert found["files"]["adopt/all.yaml"].startswith('{\n "heat_template_version"')
    assert (adopted["heat_template_version"], adopted["description"]) == ("2018-08-31", "a member")
    assert adopted["parameters"] == {
        "net": {"type": "string"},
        "bpconvert_values": {"type": "json", "default": VALUES},
        "bpconvert_index": {"type": "string"},
    }
    values = [{"get_param": ["bpconvert_values", {"get_param": "bpconvert_index"}, key]} for key in "01"]
    properties = adopted["resources"]["server"]["properties"]
    assert properties["metadata"] == {"disk": values[0], "same": "x"}
    assert properties["tags"] == ["a", values[1]]
    rows = found["resources"]["all"]
    assert {key: rows[key] for key in ("name", "id")} == {"name": "all", "id": "g"}
    assert rows["resources"] == {
        name: {"name": f"app-{name}", "id": f"stack-{name}", **STATE, "resources": member(name)["resources"]}
        for name in members
    }


def test_members_that_nest_stacks_are_not_adopted(tmp_path: Path) -> None:
    """In whatever place of the member."""
    inner = member("0")
    inner["template"] = {**MEMBER, "resources": {**MEMBER["resources"], "deep": {"type": "file:///member.yaml"}}}
    inner["resources"]["deep"] = member("deep")
    group = {"name": "all", "id": "g", **STATE, "template": {}, "resources": {"0": inner}}
    data = nesting(GROUP.replace("INDEX", "removal_policies: []"), all=group)
    with pytest.raises(DocumentError, match="its members nest stacks"):
        taken(tmp_path, data)


# -- single resources ---------------------------------------------------------------------------------------


def test_what_is_not_there_because_of_its_condition_is_no_problem(tmp_path: Path) -> None:
    """Whatever stands behind it is adopted."""
    text = (
        "heat_template_version: 2018-08-31\nparameters: {p: {type: string}}\n"
        "conditions: {c: {equals: [{get_param: p}, x]}}\nresources:\n"
        "  gone: {type: OS::Neutron::Net, condition: c}\n  net: {type: OS::Neutron::Net}\n"
        "  port: {type: OS::Neutron::Port, properties: {network: {get_resource: net}}}\n"
    )
    data = exported(text)
    del data["resources"]["gone"]
    found = made(taken(tmp_path, data))
    assert found["template"]["resources"]["port"]["properties"] == {"network": "net-id"}
    assert list(found["resources"]) == ["net", "port"]


@pytest.mark.parametrize(
    ("resource", "change", "why"),
    [
        ("net: {type: OS::Neutron::Net}", {"resource_id": ""}, "nothing that runs is recorded of it"),
        ("pw: {type: OS::Heat::RandomString}", {"resource_data": {}}, "it would be made anew"),
    ],
)
def test_what_would_be_created_is_not_adopted(tmp_path: Path, resource: str, change: Any, why: str) -> None:
    name = resource.partition(":")[0]
    data = exported(f"{HEAD}  other: {{type: OS::Cinder::Volume, properties: {{size: 1}}}}\n  {resource}\n")
    data["resources"][name].update(change)
    with pytest.raises(DocumentError, match=f"'{name}' is not taken over: {why}"):
        taken(tmp_path, data)


def test_a_placeholder_needs_no_properties(tmp_path: Path) -> None:
    """Nothing reads them."""
    placeholder = "{type: OS::Heat::None, properties: {a: {get_resource: net}}}"
    data = exported(f"{HEAD}  net: {{type: OS::Neutron::Net}}\n  no: {placeholder}\n")
    assert made(taken(tmp_path, data))["template"]["resources"]["no"] == {"type": "OS::Heat::None", "properties": {}}


@pytest.mark.parametrize("type", ["SoftwareDeployment", "StructuredDeployment"])
def test_whose_machines_go_on_asking_the_first_engine(tmp_path: Path, type: str) -> None:
    resources = (
        "  config: {type: OS::Heat::SoftwareConfig, properties: {group: script, config: 'true'}}\n"
        "  vm: {type: OS::Nova::Server, properties: {image: i, flavor: f}}\n"
        f"  run: {{type: OS::Heat::{type}, properties: {{config: {{get_resource: config}}, "
        "server: {get_resource: vm}}}\n"
    )
    result = taken(tmp_path, exported(HEAD + resources))
    assert any("'run'" in one.message and "ask" in one.message for one in result.diagnostics)


# -- a part of a stack --------------------------------------------------------------------------------------

STACK = """\
resources:
  net: {type: OS::Neutron::Net}
  disk: {type: OS::Cinder::Volume, properties: {size: 1}}
  port: {type: OS::Neutron::Port, depends_on: [net, disk], properties: {network: {get_resource: net}}}
  next: {type: OS::Neutron::Port, depends_on: disk, properties: {network: {list_join: ['', [{get_attr: [net, name]}]]}}}
outputs:
  a: {value: {get_resource: port}}
  b: {value: {get_attr: [disk, size]}}
  c: {value: {get_attr: [net, name]}}
"""


def cut(*names: str, version: str = "2018-08-31", **rows: Any) -> Recorded:
    data = exported(f"heat_template_version: {version}\n{STACK}", **rows)
    problems = [("", "of all"), ("disk", "of disk"), ("port", "of port")]
    rows_running = {name: Existing(f"{name}-id") for name in data["resources"]}
    recorded = Recorded(data["template"], rows_running, problems=problems, data=data)
    return part(recorded, lambda name: name in names)


def test_what_a_part_refers_to_exists() -> None:
    found = cut("port", "next")
    assert found.document["resources"] == {
        "port": {"type": "OS::Neutron::Port", "depends_on": [], "properties": {"network": {"get_resource": "net"}}},
        "next": {
            "type": "OS::Neutron::Port", "depends_on": [],
            "properties": {"network": {"list_join": ["", [{"get_attr": ["net", "name"]}]]}},
        },
        "net": {"type": "OS::Neutron::Net", "external_id": "net-id"},
    }  # fmt: skip
    assert list(found.document["outputs"]) == ["a", "c"]
    assert list(found.lost) == [("b",)]
    assert {*found.resources} == {*found.data["resources"]} == {"port", "next", "net"}
    assert found.data["template"] == found.document
    assert found.data["name"] == "app"
    assert found.problems == [("", "of all"), ("port", "of port")]


@pytest.mark.parametrize(
    ("names", "waits"), [(("port", "disk"), {"port": ["disk"]}), (("next", "disk"), {"next": ["disk"]})]
)
def test_a_part_waits_for_what_is_in_it(names: tuple[str, ...], waits: Any) -> None:
    resources = cut(*names).document["resources"]
    assert {name: body["depends_on"] for name, body in resources.items() if "depends_on" in body} == waits


@pytest.mark.parametrize(
    ("version", "expected"),
    [
        ("2013-05-23", "2016-10-14"), ("2016-04-08", "2016-10-14"), ("2016-10-14", "2016-10-14"),
        ("2017-09-01", "2017-09-01"), ("newton", "newton"), ("ocata", "ocata"), ("pike", "pike"),
    ],
)  # fmt: skip
def test_a_template_with_existing_resources_has_a_version_that_knows_them(version: str, expected: str) -> None:
    """One without keeps its own."""
    assert cut("port", version=version).document["heat_template_version"] == expected
    assert cut("net", "disk", version=version).document["heat_template_version"] == version


@pytest.mark.parametrize(
    "change",
    [
        {"resource_id": ""}, {"type": "OS::Heat::None"}, {"type": "OS::Heat::RandomString"},
        {"type": "OS::Neutron::RouterInterface"}, {"type": "OS::Keystone::UserRoleAssignment"},
    ],
)  # fmt: skip
def test_what_has_no_id_of_a_service_cannot_be_referred_to(change: Any) -> None:
    found = cut("port", net=change)
    assert ("net", "it has no id by which the part that is taken could refer to it") in found.problems


def test_what_a_stack_owns() -> None:
    rows = {"net": Existing("a", "OS::Neutron::Net"), "no": Existing("b", "OS::Heat::None")}
    recorded = Recorded({}, rows)
    assert [owns(recorded, name) for name in ("net", "no", "gone")] == [True, False, False]


def test_what_stands_in_a_list_is_referred_to() -> None:
    assert {*cut("next").document["resources"]} == {"next", "net"}


def test_a_part_without_what_waits(tmp_path: Path) -> None:
    result = taken(tmp_path, exported(), wanted=Wanted(("vol",)))
    assert result.document["resources"] == {"vol": {"type": "OS::Cinder::Volume", "properties": {"size": "1"}}}
