"""``verify`` of groups that scale: what their attributes are of their members."""

from __future__ import annotations

from pathlib import Path

import pytest

from bpconvert import convert
from bpconvert.verification import verify

SCALING = """\
heat_template_version: 2018-08-31
resources:
  workers:
    type: OS::Heat::AutoScalingGroup
    properties:
      min_size: 1
      desired_capacity: 3
      max_size: 5
      resource: {type: OS::Nova::Server, properties: {image: cirros, flavor: small}}
outputs:
  size: {value: {get_attr: [workers, current_size]}}
  names: {value: {get_attr: [workers, outputs_list, name]}}
  ids: {value: {get_attr: [workers, refs]}}
"""


def test_attributes_of_a_scaling_group_are_those_of_its_members() -> None:
    found = verify(SCALING, convert(SCALING, "hot", "cloudify").text)
    assert found.is_same
    assert not found.notes


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("value: 3", "value: 2", "outputs.size"),
        ("[workers, name]", "[workers, id]", "outputs.names.0"),
        ("[workers, id]", "[workers, name]", "outputs.ids.0"),
        ("default_instances: 3", "default_instances: 2", "outputs.names"),
    ],
)
def test_another_value_in_the_result_is_found(old: str, new: str, what: str) -> None:
    text = convert(SCALING, "hot", "cloudify", carry=False).text
    assert text.count(old) == 1
    assert what in [one.what for one in verify(SCALING, text.replace(old, new)).differences]


def test_outputs_by_the_names_of_members() -> None:
    by_name = SCALING.replace("outputs_list, name", "outputs, name")
    (one,) = verify(by_name, SCALING, draws=0).differences
    assert one.what == "outputs.names"
    assert list(one.first) == ["0", "1", "2"]
    assert list(one.first.values()) == one.second


def test_a_policy_that_names_its_group_means_the_group() -> None:
    policy = "OS::Heat::ScalingPolicy"
    scaled = SCALING.replace(
        "outputs:\n",
        f"  more: {{type: {policy}, properties: {{adjustment_type: change_in_capacity, scaling_adjustment: 1,"
        " auto_scaling_group_id: {get_resource: workers}}}\noutputs:\n  url: {value: {get_attr: [more, signal_url]}}\n",
        1,
    )
    text = convert(scaled, "hot", "cloudify", carry=False).text
    named = "auto_scaling_group_id: workers_group"
    assert named in text
    assert verify(scaled, text).is_same
    other = text.replace(named, "auto_scaling_group_id: others")
    assert "more.auto_scaling_group_id" in [one.what for one in verify(scaled, other).differences]


COUNTED = """\
heat_template_version: 2018-08-31
parameters: {count: {type: number, default: 0}}
resources:
  workers:
    type: OS::Heat::ResourceGroup
    properties:
      count: {get_param: count}
      resource_def: {type: OS::Nova::Server, properties: {image: cirros, flavor: small}}
outputs:
  names: {value: {get_attr: [workers, name]}}
  ids: {value: {get_attr: [workers, refs]}}
"""


def test_a_group_without_members_has_no_values() -> None:
    assert verify(COUNTED, convert(COUNTED, "hot", "cloudify").text).is_same


LARGE = """\
heat_template_version: 2018-08-31
resources:
  disks:
    type: OS::Heat::ResourceGroup
    properties:
      count: 100
      resource_def: {type: OS::Cinder::Volume, properties: {size: 10}}
outputs:
  all: {value: {get_attr: [disks, size]}}
"""


def test_of_a_large_group_the_first_members_and_their_number_are_compared() -> None:
    found = verify(LARGE, convert(LARGE, "hot", "cloudify").text)
    assert found.is_same, found.differences
    assert found.compared > 100


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("default_instances: 100", "default_instances: 101", {"disks.0.number of members"}),
        ("default_instances: 100", "default_instances: 50", {"disks.0.number of members"}),
        ("        size: 10", "        size: 11", {f"disks.{n}.size" for n in range(50)}),
        ("resource_config, size]", "resource_config, name]", set()),
    ],
)
def test_another_value_of_a_large_group_is_found(old: str, new: str, what: set[str]) -> None:
    text = convert(LARGE, "hot", "cloudify", carry=False).text
    assert text.count(old) == 1
    found = {one.what for one in verify(LARGE, text.replace(old, new)).differences}
    assert found
    assert what <= found
    assert all(one in what or one.startswith("outputs.all") for one in found)


SCALED = """\
tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml, "plugin:cloudify-openstack-plugin"]
node_templates:
  port:
    type: cloudify.nodes.openstack.Port
    properties: {resource_config: {name: a, kwargs: {port_security_enabled: false}}}
    relationships: [{type: cloudify.relationships.connected_to, target: net}]
  disk:
    type: cloudify.nodes.openstack.Volume
    properties: {resource_config: {size: 10}}
    relationships: [{type: cloudify.relationships.depends_on, target: port}]
  net: {type: cloudify.nodes.openstack.Network}
groups: {both: {members: [port, disk]}}
policies:
  scaling: {type: cloudify.policies.scaling, targets: [both], properties: {default_instances: 70}}
"""


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("", "", set()),
        ("count: 70", "count: 71", {"disk.0.number of members", "port.0.number of members"}),
        ("size: 10", "size: 11", {f"disk.{n}.size" for n in range(50)}),
    ],
)
def test_a_large_group_of_several_nodes(tmp_path: Path, old: str, new: str, what: set[str]) -> None:
    source, target = tmp_path / "blueprint.yaml", tmp_path / "hot.yaml"
    source.write_text(SCALED)
    result = convert(source, "cloudify", "hot", carry=False)
    texts = {target.name: result.text, **result.files}
    assert not old or sum(text.count(old) for text in texts.values()) == 1
    for name, text in texts.items():
        (tmp_path / name).write_text(text.replace(old, new) if old else text)
    assert {one.what for one in verify(source, target).differences} == what


RULES = """\
heat_template_version: 2018-08-31
parameters: {wanted: {type: boolean, default: false}}
conditions: {wanted: {equals: [{get_param: wanted}, true]}}
resources:
  group: {type: OS::Neutron::SecurityGroup, condition: wanted}
  rule:
    type: OS::Neutron::SecurityGroupRule
    condition: wanted
    properties: {security_group: {get_resource: group}, protocol: tcp}
"""


def test_what_is_in_a_group_without_instances_is_not_there() -> None:
    """A node with another one inside, neither of which is wanted."""
    assert verify(RULES, convert(RULES, "hot", "cloudify").text).is_same


def test_components_of_a_group_are_pairs_beside_nodes_that_scale_together(tmp_path: Path) -> None:
    members = "  many:\n    type: OS::Heat::ResourceGroup\n    properties: {count: 2, resource_def: {type: one.yaml}}\n"
    (tmp_path / "hot.yaml").write_text(RULES + members)
    (tmp_path / "one.yaml").write_text("heat_template_version: 2018-08-31\nresources: {n: {type: OS::Neutron::Net}}\n")
    made = convert(tmp_path / "hot.yaml", "hot", "cloudify")
    for name, text in {"blueprint.yaml": made.text, **made.files}.items():
        (tmp_path / "out" / name).parent.mkdir(exist_ok=True)
        (tmp_path / "out" / name).write_text(text)
    found = verify(tmp_path / "hot.yaml", tmp_path / "out" / "blueprint.yaml")
    assert found.is_same
    assert not found.notes


COUNTED = """\
heat_template_version: 2018-08-31
parameters: {n: {type: number, default: 2}}
resources:
  disks:
    type: OS::Heat::ResourceGroup
    properties:
      count: {get_param: n}
      resource_def: {type: OS::Cinder::Volume, properties: {size: 1, name: disk-%index%}}
"""
REPEATED = """\
heat_template_version: 2018-08-31
parameters: {n: {type: number, default: 2}}
resources:
  several:
    type: OS::Heat::ResourceGroup
    properties:
      count: {get_param: n}
      resource_def: {type: disk.yaml, properties: {index: '%index%'}}
"""
DISK = """\
heat_template_version: 2018-08-31
parameters: {index: {type: string}}
resources:
  disks:
    type: OS::Cinder::Volume
    properties: {size: 1, name: {list_join: ['', [disk-, {get_param: index}]]}}
"""


@pytest.mark.parametrize(("size", "found"), [("1", []), ("2", ["disks.0.size", "disks.1.size"])])
def test_a_group_of_resources_and_one_of_a_template_with_them(tmp_path: Path, size: str, found: list[str]) -> None:
    (tmp_path / "a.yaml").write_text(COUNTED)
    (tmp_path / "b.yaml").write_text(REPEATED)
    (tmp_path / "disk.yaml").write_text(DISK.replace("size: 1", f"size: {size}"))
    differences = verify(tmp_path / "a.yaml", tmp_path / "b.yaml", draws=0).differences
    assert [one.what for one in differences] == found
