"""``--trace``: what becomes of one entry, step by step."""

from __future__ import annotations

from pathlib import Path

import pytest
from text_files import write

from bpconvert import UsageError, trace
from bpconvert.cli.main import FAILED, OK, main

APP = """\
heat_template_version: 2018-08-31
parameters:
  env: {type: string}
  password: {type: string, hidden: true, default: correct-horse-9}
resources:
  group:
    type: OS::Heat::ResourceGroup
    properties: {count: 2, resource_def: {type: OS::Nova::KeyPair, properties: {name: {get_param: env}}}}
  plain: {type: OS::Neutron::Net}
outputs:
  keys: {value: {get_attr: [group, public_key]}}
"""
GROUP = """\
# read: app.yaml:6:3
nodes:
  group:
    name: group
    source_type: OS::Heat::ResourceGroup
    properties:
      count: 2
      resource_def:
        type: OS::Nova::KeyPair
        properties:
          name: Input(name='env')

# scaling groups
# app.yaml:7:5: info BPC740 the members of OS::Heat::ResourceGroup 'group' are the instances of one node, in scaling \
group 'group_members'
nodes:
  group:
    name: group
    source_type: OS::Nova::KeyPair
    kind: keypair
    properties:
      name: Input(name='env')
    group: group_members
groups:
  group_members:
    members: [group]
    sizes:
      count: 2
    policy: group_scaling

# written
# app.yaml:8:68: info BPC337 the private key of 'group' is kept in the node's runtime properties
node_templates:
"""


@pytest.fixture(autouse=True)
def _in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write("app.yaml", APP)


def test_a_resource_is_printed_after_each_step_that_changes_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hot2cfy", "app.yaml", "--trace", "group"]) == OK
    printed = capsys.readouterr()
    assert printed.out.startswith(GROUP)
    assert "  group:\n    type: cloudify.nodes.openstack.KeyPair\n" in printed.out
    assert "plain" not in printed.out
    assert printed.err == ""


def test_each_step_has_what_its_rules_reported_and_nothing_twice() -> None:
    steps = trace(APP, "group")
    assert [[item.code for item in step.findings] for step in steps] == [[], ["BPC740"], ["BPC337"]]
    assert [step.place for step in steps] == ["<input>:6:3", "", ""]


def test_an_output_and_a_parameter_have_a_trace_too() -> None:
    steps = trace(APP, "keys")
    assert [step.name for step in steps] == ["read", "scaling groups", "written"]
    assert steps[-1].data == {"outputs": {"keys": {"value": {"get_attributes_list": ["group", "public_key"]}}}}
    assert [step.name for step in trace(APP, "env", target="tosca")] == ["read", "written"]


def test_what_becomes_nothing_says_so() -> None:
    text = APP + "  nothing: {value: {get_param: env}, condition: never}\nconditions:\n  never: false\n"
    steps = trace(text, "never")
    assert str(steps[0]) == "# read: <input>:14:3\nconditions:\n  never: false\n"
    assert str(steps[-1]) == "# written\nnothing\n"


def test_hidden_values_are_masked(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hot2cfy", "app.yaml", "--trace", "password"]) == OK
    printed = capsys.readouterr().out
    assert "correct-horse-9" not in printed
    assert printed.count("'******'") == 2


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["app.yaml", "--trace", "grop"], "app.yaml has no 'grop'; did you mean 'group'?"),
        (["app.yaml", "--trace", "group", "-o", "x.yaml"], "--trace and --output: a trace has no result"),
        (["app.yaml", "--trace", "group", "--report", "x.html"], "--trace and --report: a trace has no result"),
        (["app.yaml", "other.yaml", "--trace", "group"], "--trace is about one document: name its file"),
        ([".", "--trace", "group"], "--trace is about one document: name its file"),
        (["none.yaml", "--trace", "group"], "No such file or directory"),
    ],
)
def test_usage(arguments: list[str], problem: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hot2cfy", *arguments]) == FAILED
    assert problem in capsys.readouterr().err


def test_a_name_that_is_not_there_is_an_error_of_the_library() -> None:
    with pytest.raises(UsageError, match="has no 'nothing'"):
        trace(APP, "nothing")


def test_entries_of_one_name_are_in_the_order_of_sections() -> None:
    """Whatever Python's hash seed is: the first place is that of the parameter, then come node and output."""
    text = """\
heat_template_version: 2018-08-31
outputs: {same: {value: {get_resource: same}}}
resources: {same: {type: OS::Neutron::Net, properties: {name: {get_param: same}}}}
parameters: {same: {type: string}}
"""
    read, *_, written = trace(text, "same", "hot", "cloudify")
    assert read.place.endswith(":4:14")
    assert [*written.data] == ["inputs", "node_templates", "outputs"]
