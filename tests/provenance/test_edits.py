"""An edit of a result comes back as that edit, and nothing else."""

from __future__ import annotations

import difflib

import pytest
from checkout import ROOT

from bpconvert import Result, convert
from bpconvert.translators.provenance.differences import Difference, differences, weight
from bpconvert.translators.provenance.proposals import adapted

SOFTWARE = """\
tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml, plugin:cloudify-openstack-plugin]
node_templates:
  vm:
    type: cloudify.nodes.openstack.Server
    properties: {image: img, flavor: small}
  app:
    type: cloudify.nodes.SoftwareComponent
    interfaces:
      cloudify.interfaces.lifecycle:
        create: {implementation: scripts/a.sh, inputs: {A: one}}
        start: {implementation: scripts/b.sh, inputs: {A: two}}
    relationships: [{type: cloudify.relationships.contained_in, target: vm}]
"""
#: the older plugin, an anchor, comments
GROUPS = """\
tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml, plugin:cloudify-openstack-plugin]
dsl_definitions:
  access: &access
    username: u
node_templates:
  group:
    type: cloudify.openstack.nodes.SecurityGroup
    properties:
      openstack_config: *access
      resource_id: web
      # what is let in
      rules:
        - remote_ip_prefix: 0.0.0.0/0
          port: 80   # plain
        - remote_ip_prefix: 0.0.0.0/0
          port: 22
"""
#: the third generation runs it, and its node is of the second
SECOND = """\
tosca_definitions_version: cloudify_dsl_1_3
imports:
  - cloudify/types/types.yaml
  - plugin:cloudify-openstack-plugin
  - https://raw.githubusercontent.com/cloudify-cosmo/cloudify-openstack-plugin/3.2.7/compat.yaml
dsl_definitions:
  access: &access
    username: u
node_templates:
  net:
    type: cloudify.openstack.nodes.Network
    properties:
      resource_id: inner
      openstack_config: *access
  other:
    type: cloudify.openstack.nodes.Network
    properties:
      resource_id: other
      openstack_config: *access
"""
SCALING = """\
tosca_definitions_version: tosca_simple_yaml_1_3
topology_template:
  node_templates:
    vm:
      type: tosca.nodes.Compute
      capabilities:
        host: {properties: {num_cpus: 2, mem_size: 4 GB}}
  policies:
    - scale:
        type: tosca.policies.Scaling
        targets: [vm]
        properties:
          min_instances: 1
          max_instances: 10
          default_instances: 2
          increment: 1
"""
TEMPLATE = """\
heat_template_version: 2018-08-31
parameters:
  size: {type: string, default: small}  # how big
resources:
  net: {type: OS::Neutron::Net, properties: {name: mine}}
  other: {type: OS::Neutron::Net, properties: {name: other}}
  web:
    type: OS::Nova::Server
    properties:
      image: cirros  # the small one
      flavor: {get_param: size}
      networks: [{network: {get_resource: net}}]
      metadata: {a: one, b: two}
      user_data: |
        #!/bin/sh
        echo one
        echo two
  group:
    type: OS::Neutron::SecurityGroup
    properties:
      rules:
        # for people
        - {protocol: tcp, port_range_min: 22, port_range_max: 22}
        - protocol: tcp
          port_range_min: 80   # plain
          port_range_max: 80
"""


def edited(source: str, dialect: str, via: str, *edits: tuple[str, str]) -> tuple[list[str], Result]:
    """The lines of the source that come back otherwise, and the result."""
    text = convert(source.encode(), dialect, via).text
    for old, new in edits:
        assert old in text, text
        text = text.replace(old, new, 1)
    back = convert(text.encode(), via, dialect)
    lines = difflib.unified_diff(source.splitlines(), back.text.splitlines(), lineterm="", n=0)
    return [line for line in lines if line[:2] not in ("--", "++", "@@")], back


@pytest.mark.parametrize(
    ("source", "dialect", "via", "edits", "expected"),
    [
        pytest.param(
            SOFTWARE, "cloudify", "hot", [("A: one", "A: uno")],
            ["-        create: {implementation: scripts/a.sh, inputs: {A: one}}",
             "+        create: {implementation: scripts/a.sh, inputs: {A: uno}}"],
            id="the input of an operation",
        ),
        pytest.param(
            GROUPS, "cloudify", "hot", [("port_range_min: 80", "port_range_min: 81"),
             ("port_range_max: 80", "port_range_max: 81")],
            ["-          port: 80   # plain", "+          port: 81   # plain"],
            id="one value that became two",
        ),
        pytest.param(
            GROUPS, "cloudify", "hot", [("port_range_max: 80", "port_range_max: 81")],
            # a port goes before a range (compat.py)
            ["-          port: 80   # plain",
             "+          port_range_min: 80", "+          port_range_max: 81   # plain"],
            id="one of two that one value became",
        ),
        pytest.param(
            SCALING, "tosca", "hot", [("max_size: 10", "max_size: 20")],
            ["-          max_instances: 10", "+          max_instances: 20"],
            id="a policy",
        ),
        pytest.param(
            TEMPLATE, "hot", "cloudify", [("image: cirros", "image: debian")],
            ["-      image: cirros  # the small one", "+      image: debian  # the small one"],
            id="a value with a comment",
        ),
        pytest.param(
            TEMPLATE, "hot", "tosca", [("a: one", "a: eins")],
            ["-      metadata: {a: one, b: two}", "+      metadata: {a: eins, b: two}"],
            id="a value in braces",
        ),
        pytest.param(
            TEMPLATE, "hot", "cloudify", [("echo two", "echo 2")],
            ["-        echo two", "+        echo 2"],
            id="a line of a script",
        ),
        pytest.param(
            TEMPLATE, "hot", "cloudify", [("default: small", "default: large")],
            ["-  size: {type: string, default: small}  # how big",
             "+  size: {type: string, default: large}  # how big"],
            id="a default",
        ),
        pytest.param(
            TEMPLATE, "hot", "tosca", [("port_range_max: 80", "port_range_max: 81")],
            ["-          port_range_max: 80", "+          port_range_max: 81"],
            id="an item of a list",
        ),
    ],
)  # fmt: skip
def test_an_edit(source: str, dialect: str, via: str, edits: list[tuple[str, str]], expected: list[str]) -> None:
    lines, back = edited(source, dialect, via, *edits)
    assert lines == expected
    assert {found.code for found in back.diagnostics if found.severity > "info"} == set()


def test_several_edits_at_once() -> None:
    edits = [("image: cirros", "image: debian"), ("name: mine", "name: yours"), ("echo one", "echo 1")]
    lines, _ = edited(TEMPLATE, "hot", "cloudify", *edits)
    assert len(lines) == 6


def test_a_stand_in_that_is_edited_into_another_type_is_a_stand_in_of_that() -> None:
    """In Cloudify again, the template has a stand-in of the same."""
    stand_in = "heat_template_version: 2018-08-31\nresources:\n  x: {type: Acme::Thing, properties: {a: one}}\n"
    made = convert(stand_in.encode()).text
    back = convert(
        made.replace("type: bpconvert.nodes.HeatResource", "type: cloudify.nodes.Root").encode(), target="hot"
    )
    properties = {"heat_type": "Acme::Thing", "heat_properties": {"a": "one"}}
    shown = {"cloudify_type": "cloudify.nodes.Root", "properties": properties}
    assert back.document["resources"] == {"x": {"type": "OS::Heat::None", "properties": shown}}
    assert [found.code for found in back.diagnostics] == ["BPC398", "BPC620"]


# -- differences and proposals ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ({"a": 1}, {"a": 1}, []),
        ({"a": 1}, {"a": 2}, [(("a",), 1, 2)]),
        ({"a": 1}, {"a": True}, [(("a",), 1, True)]),
        ([1, 2, 3], [1, 3], [((1,), 2, "-")]),
        ([1, 3], [1, 2, 3], [((1,), "-", 2)]),
        ([{"a": 1, "b": 2}], [{"a": 1, "b": 3}], [((0, "b"), 2, 3)]),
        ({"a": 1}, {"b": 1}, [(("a",), 1, "-"), (("b",), "-", 1)]),
    ],
)
def test_differences(before: object, after: object, expected: list[tuple[object, ...]]) -> None:
    found = list(differences(before, after))
    shown = [(one.path, *("-" if repr(value) == "MISSING" else value for value in one[1:])) for one in found]
    assert repr(shown).replace("<MISSING>", "-") == repr(expected)


def test_the_entry_and_the_weight_of_a_difference() -> None:
    assert Difference(("resources", "a", "properties"), 1, 2).entry == ("resources", "a")
    assert Difference(("imports", 1), 1, 2).entry == ("imports",)
    assert weight([Difference(("a",), {"b": [1, 2]}, 3)]) == 5


@pytest.mark.parametrize(
    ("value", "before", "after", "expected"),
    [
        ("80", 80, 81, ["81", 81]),
        (80, "80", "81", [81, "81"]),
        ("10 GB", 10, 20, ["20 GB"]),
        (10, "10 GB", "20 GB", [20]),
        ("a one b", "one", "two", ["a two b"]),
        ("anyone", "one", "two", []),
        (True, "true", "false", [False, "false"]),
        ("x", "y", "z", []),
    ],
)
def test_notations_of_a_value(value: object, before: object, after: object, expected: list[object]) -> None:
    assert [one for _, one in adapted(value, before, after, {})] == expected


def test_names_that_the_document_has_otherwise() -> None:
    assert [one for _, one in adapted("a-b", "a_b", "c_d", {"a_b": "a-b", "c_d": "c-d"})] == ["c-d"]


# -- comments -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("via", ["cloudify", "tosca"])
def test_an_edited_comment(via: str) -> None:
    lines, _ = edited(TEMPLATE, "hot", via, ("# the small one", "# the tiny one"))
    assert lines == ["-      image: cirros  # the small one", "+      image: cirros  # the tiny one"]


@pytest.mark.parametrize("via", ["cloudify", "tosca"])
def test_a_comment_and_a_value(via: str) -> None:
    lines, _ = edited(TEMPLATE, "hot", via, ("image: cirros", "image: debian"), ("# the small one", "# the tiny one"))
    assert lines == ["-      image: cirros  # the small one", "+      image: debian  # the tiny one"]


def test_an_edited_comment_behind_a_new_item() -> None:
    """It is that of the item which comes later now."""
    item = "        - {protocol: udp, port_range_min: 53, port_range_max: 53}\n"
    lines, _ = edited(
        TEMPLATE, "hot", "cloudify", ("        # for people\n", f"{item}        # for people\n"), ("# plain", "# web")
    )
    assert lines == [
        "+        - protocol: udp", "+          port_range_min: 53", "+          port_range_max: 53",
        "-          port_range_min: 80   # plain", "+          port_range_min: 80   # web",
    ]  # fmt: skip


def test_an_edited_comment_of_an_entry_that_has_another_name() -> None:
    lines, _ = edited(TEMPLATE, "hot", "cloudify", ("  web:\n", "  shop:\n"), ("# the small one", "# the tiny one"))
    assert lines == [
        "-  web:", "+  shop:", "-      image: cirros  # the small one", "+      image: cirros  # the tiny one",
    ]  # fmt: skip


@pytest.mark.parametrize("via", ["cloudify", "tosca"])
def test_comments_at_both_ends_and_of_a_section(via: str) -> None:
    source = "# Shop: one machine\n" + TEMPLATE.replace("resources:\n", "# what runs\nresources:\n") + "# the end\n"
    edits = ("one machine", "two machines"), ("what runs", "what is running"), ("\n# the end", "\n# the very end")
    lines, back = edited(source, "hot", via, *edits)
    assert lines == [
        "-# Shop: one machine", "+# Shop: two machines", "-# what runs", "+# what is running", "-# the end",
        "+# the very end",
    ]  # fmt: skip
    assert {row.code for row in back.diagnostics if row.severity > "info"} == set()


def test_a_new_comment() -> None:
    lines, _ = edited(TEMPLATE, "hot", "cloudify", ("  web:\n", "  # the first machine\n  web:\n"))
    assert lines == ["+  # the first machine"]


def test_a_comment_without_a_place_is_reported() -> None:
    lines, back = edited(TEMPLATE, "hot", "cloudify", ("imports:\n", "# what is read\nimports:\n"))
    assert lines == []
    assert [found.code for found in back.diagnostics if found.severity > "info"] == ["BPC667"]


def test_what_cannot_come_back_as_it_is_stays_and_is_reported() -> None:
    """A policy has one step for both directions: another one for growing has no place."""
    lines, back = edited(SCALING, "tosca", "hot", ("scaling_adjustment: 1", "scaling_adjustment: 3"))
    assert lines == []
    assert {"BPC622", "BPC666"} & {found.code for found in back.diagnostics}


def test_a_name_in_the_arguments_of_an_operation_is_removed_there() -> None:
    case = ROOT / "corpus" / "cfy" / "v2-operation-arguments" / "blueprint.yaml"
    lines, back = edited(case.read_text("utf-8"), "cloudify", "tosca", ("        name: in_the_arguments\n", ""))
    assert "-              network: {name: in_the_arguments}" in lines
    assert not [line for line in lines if line[0] == "+"]
    assert {found.code for found in back.diagnostics if found.severity > "info"} == set()


def test_an_entry_that_is_translated_anew_is_a_warning_and_keeps_its_credentials() -> None:
    """What the name was is not known to the service template; the node stays one of its generation."""
    lines, back = edited(SECOND, "cloudify", "tosca", ("        name: inner\n", ""))
    assert lines == ["-      resource_id: inner"]
    assert "BPC665" in {found.code for found in back.diagnostics}


def test_where_an_entry_would_become_another_one_it_stays_and_is_reported() -> None:
    """The name of a key pair that is there already is its identity: without it, it would be a new key pair."""
    case = ROOT / "corpus" / "cfy" / "existing-resources-by-name" / "blueprint.yaml"
    change = ("      attributes:\n        openstack_id: ops\n", "")
    lines, back = edited(case.read_text("utf-8"), "cloudify", "tosca", change)
    assert lines == []
    assert "BPC622" in {found.code for found in back.diagnostics}


def test_nothing_that_is_not_converted_comes_in_place_of_what_the_source_has() -> None:
    """The name is read by another node, which keeps the value that it had; translated anew, the node would have texts
    in place of its secrets."""
    source = """\
tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml, 'plugin:cloudify-aws-plugin']
node_templates:
  key:
    type: cloudify.nodes.aws.ec2.Keypair
    properties:
      resource_config: {KeyName: demo}
      client_config: {aws_access_key_id: {get_secret: key}}
  machine:
    type: cloudify.nodes.aws.ec2.Instances
    properties:
      resource_config: {KeyName: {get_property: [key, resource_config, KeyName]}}
"""
    made = convert(source, "cloudify", "tosca").text
    start = made.index("    key:\n")
    back = convert(made[:start] + made[start:].replace("KeyName: demo", "KeyName: other", 1), "tosca", "cloudify")
    assert "not converted" not in back.text
    assert "resource_config: {KeyName: other}\n      client_config: {aws_access_key_id: {get_secret: key}}" in back.text
    assert "resource_config: {KeyName: demo}" in back.text
    assert {"BPC620", "BPC669"} <= {found.code for found in back.diagnostics}
