"""``verify`` of groups that scale: what their attributes are of their members."""

from __future__ import annotations

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
