"""What a language has no form for is kept in metadata, and comes back where nothing has been changed."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from checkout import ROOT

from bpconvert import Result, convert, verify
from bpconvert.diagnostics import Reporter
from bpconvert.models import expressions as ex
from bpconvert.models.topology import Input as TopologyInput
from bpconvert.models.topology import Node, Topology
from bpconvert.translators.catalogue.types import builtin
from bpconvert.translators.cloudify.blueprint_metadata import seen as blueprint_seen
from bpconvert.translators.hot.read.template import to_topology
from bpconvert.translators.hot.resource_metadata import seen as template_seen
from bpconvert.translators.provenance.metadata_text import Portable, as_text, is_known, restored
from bpconvert.translators.provenance.metadata_text import kept as digested
from bpconvert.translators.tosca.template_metadata import is_same
from bpconvert.yamlio.document import load

KEPT = "bpconvert_kept"
BLUEPRINT = (ROOT / "corpus/cfy/what-a-blueprint-kept/blueprint.yaml").read_text()
TEMPLATE = """
heat_template_version: 2018-08-31
parameters:
  word: {type: string, hidden: true}
resources:
  net:
    type: OS::Neutron::Net
    properties: {name: {digest: [sha256, {get_param: word}]}, tags: [{get_param: word}]}
"""


def back(text: str, **options: Any) -> Result:
    return convert(text, "cloudify", "hot", carry=False, **options)


def with_kept(kept: Any, blueprint: str = BLUEPRINT) -> str:
    """The blueprint with something else that it keeps."""
    return f"{blueprint[: blueprint.index(f'  {KEPT}:')]}  {KEPT}: {json.dumps(json.dumps(kept))}\n"


def asked(name: str, value: Any) -> dict[str, Any]:
    """What is kept for a value that input ``name`` asks for."""
    return {"inputs": {name: digested(load(BLUEPRINT).data["inputs"][name], value)}}


def codes(result: Result) -> list[str]:
    return [one.code for one in result.diagnostics]


def test_what_is_kept_names_inputs_and_has_no_values_of_hidden_ones() -> None:
    made = convert(TEMPLATE, "hot", "cloudify", carry=False)
    kept = json.loads(made.document["metadata"][KEPT])
    assert kept["nodes"]["net"]["properties"]["tags"] == [{"$Input": {"name": "word", "keys": [], "strict": False}}]
    given = convert(TEMPLATE, "hot", "cloudify", carry=False, params={"word": "pst"})
    assert "metadata" not in given.document


@pytest.mark.parametrize(("name", "is_kept"), [("{get_param: elsewhere}", True), ("front", False)])
def test_what_names_an_undeclared_parameter_is_kept_where_the_blueprint_has_an_input_for_it(
    name: str, is_kept: bool
) -> None:
    net = f"{{type: OS::Neutron::Net, properties: {{name: {name}, tags: [{{get_param: elsewhere}}]}}}}"
    template = f"heat_template_version: 2018-08-31\nresources: {{net: {net}}}\n"
    made = convert(template, "hot", "cloudify", carry=False)
    assert ("elsewhere" in made.document.get("inputs", {})) is is_kept
    assert ("metadata" in made.document) is is_kept
    assert ("tags" in back(made.text).document["resources"]["net"]["properties"]) is is_kept


def test_an_input_that_asks_for_a_value_is_gone_again() -> None:
    result = back(BLUEPRINT)
    assert set(result.document["parameters"]) == {"settings", "domain"}
    assert "BPC670" in codes(result)


def test_all_that_comes_back_is_told() -> None:
    found = [
        (one.path, one.message.partition(" comes from")[0])
        for one in back(BLUEPRINT).diagnostics
        if one.code == "BPC670"
    ]
    assert found == [
        (("inputs", "net_name_if", "description"), "the value of 'net_name_if'"),  # nothing takes it as a whole
        (("inputs", "net_name"), "the value of 'net_name'"),
        (("inputs", "net_name", "description"), "the value of 'net_name'"),
        (("node_templates", "staff"), "property 'roles' of 'staff'"),
        (("node_templates", "net"), "property 'tags' of 'net'"),
        (("metadata", KEPT), "what was not edited since"),
    ]
    nothing = back(BLUEPRINT[: BLUEPRINT.index("metadata:")])
    assert not {"BPC670", "BPC880"} & set(codes(nothing))
    staff = {"type": "cloudify.nodes.openstack.Group", "properties": {"tags": ["a"]}}
    assert codes(back(with_kept({"nodes": {"staff": staff}}))).count("BPC670") == 2


def test_an_input_that_is_used_otherwise_stays() -> None:
    """Its value is put where it is taken as a whole; a part of it, or an input whose name is computed, needs it."""
    whole = back(with_kept(asked("net_name", "front")))
    assert whole.document["resources"]["net"]["properties"]["name"] == "front"
    assert "net_name" not in whole.document["parameters"]
    for use in ("{get_input: [net_name, a]}", "{get_input: {get_input: domain}}"):
        text = BLUEPRINT.replace("outputs:\n", f"outputs:\n  o:\n    value: {use}\n")
        assert "net_name" in back(with_kept(asked("net_name", "front"), text)).document["parameters"], use


def test_a_value_that_names_a_resource_comes_back_where_that_does_not_wait_for_its_user() -> None:
    text = with_kept(asked("net_name", ex.Identity("staff")))
    name = back(text).document["resources"]["net"]["properties"]["name"]
    assert name == {"get_resource": "staff"}
    waits = "    relationships: [{type: cloudify.relationships.depends_on, target: net}]\n"
    group = "type: cloudify.nodes.openstack.Group\n"
    assert "net_name" in back(text.replace(group, group + waits)).document["parameters"]
    described = text.replace("description: Those who watch", "description: {get_attribute: [net, id]}")
    assert "net_name" in back(described).document["parameters"]


def test_resources_that_wait_for_each_other_are_no_endless_way() -> None:
    text = with_kept(asked("net_name", ex.Identity("staff")))
    for type, target in (("Group", "role"), ("Role", "staff")):
        start = f"type: cloudify.nodes.openstack.{type}\n"
        waits = f"    relationships: [{{type: cloudify.relationships.depends_on, target: {target}}}]\n"
        text = text.replace(start, start + waits)
    assert back(text).document["resources"]["net"]["properties"]["name"] == {"get_resource": "staff"}


def test_an_input_that_was_edited_stays() -> None:
    result = back(BLUEPRINT.replace("  net_name:\n", "  net_name:\n    default: front\n"))
    assert result.document["parameters"]["net_name"]["default"] == "front"
    assert result.document["resources"]["net"]["properties"]["name"] == {"get_param": "net_name"}


def test_a_value_that_names_what_is_gone_does_not_come_back() -> None:
    text = BLUEPRINT.replace("  settings:\n    type: dict\n    default:\n      size: small\n\n", "")
    assert text != BLUEPRINT
    assert set(back(text).document["parameters"]) == {"domain", "net_name", "net_name_if"}


def test_properties_of_a_node_with_another_type_do_not_come_back() -> None:
    text = BLUEPRINT.replace("type: cloudify.nodes.openstack.Group\n    prop", "type: cloudify.nodes.Root\n    prop")
    assert text != BLUEPRINT
    assert "roles" not in back(text).document["resources"]["staff"]["properties"]


def test_a_property_that_was_filled_in_counts() -> None:
    made = convert(ROOT / "corpus/hot/required-properties-that-are-null/hot.yaml", "hot", "cloudify", carry=False)
    port = back(made.text).document["resources"]["port"]["properties"]
    assert port["network"] is None
    result = back(made.text.replace("        name: front", "        name: front\n        network_id: private"))
    assert result.document["resources"]["port"]["properties"]["network"] == "private"


def test_what_is_kept_of_a_node_that_is_gone_does_not_matter() -> None:
    gone = {"type": "cloudify.nodes.openstack.Group", "properties": {"roles": []}}
    assert "gone" not in back(with_kept({"nodes": {"gone": gone}})).document["resources"]


def test_a_damaged_property_is_left_out_alone() -> None:
    properties = {"domain": {"$Nothing": {}}, "tags": ["watched"]}
    text = with_kept({"nodes": {"net": {"type": "cloudify.nodes.openstack.Network", "properties": properties}}})
    found = back(text).document["resources"]["net"]["properties"]
    assert found["tags"] == ["watched"]
    assert "domain" not in found


RULES = """tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml, plugin:cloudify-openstack-plugin]
inputs: {given: {type: list}}
node_templates:
  group: {type: cloudify.nodes.openstack.SecurityGroup, properties: {security_group_rules: %s}}
metadata:
  bpconvert_kept:
"""


@pytest.mark.parametrize(
    ("written", "kept", "expected"),
    [
        ("[{protocol: tcp, direction: ingress}]", [{"protocol": "icmp"}, {"protocol": "tcp"}], ["tcp", "icmp"]),
        ("[{protocol: tcp, direction: ingress}]", "all", ["tcp"]),
        ("[]", [{"protocol": "icmp"}], ["icmp"]),
    ],
)
def test_items_of_a_list_that_are_not_written_are_added(written: str, kept: Any, expected: list[str]) -> None:
    row = {"type": "cloudify.nodes.openstack.SecurityGroup", "properties": {"rules": kept}}
    result = back(with_kept({"nodes": {"group": row}}, RULES % written))
    assert [one["protocol"] for one in result.document["resources"]["group"]["properties"]["rules"]] == expected


@pytest.mark.parametrize("text", ["no JSON", "[]", '{"inputs": {"net_name": 1}}', '{"nodes": {"net": {}}}'])
def test_what_is_damaged_is_reported(text: str) -> None:
    start = BLUEPRINT.index(f"  {KEPT}:")
    result = back(f"{BLUEPRINT[:start]}  {KEPT}: {json.dumps(text)}\n")
    assert [one.path for one in result.diagnostics if one.code == "BPC880"] == [("metadata", KEPT)]
    assert "net_name" in result.document["parameters"]


@pytest.mark.parametrize("value", [{"$Input": {"name": ["domain"]}}, {"$Identity": {"node": {}}}, {"$Nothing": {}}])
def test_names_that_are_no_texts_do_not_come_back(value: Any) -> None:
    text = with_kept({"nodes": {"role": {"type": "cloudify.nodes.openstack.Role", "properties": {"domain": value}}}})
    assert "domain" not in back(text).document["resources"]["role"]["properties"]


def test_a_value_that_would_wait_for_itself_does_not_come_back() -> None:
    properties = {"domain": {"$Identity": {"node": "staff"}}}
    text = with_kept({"nodes": {"role": {"type": "cloudify.nodes.openstack.Role", "properties": properties}}})
    assert "domain" in back(text).document["resources"]["role"]["properties"]
    group = "type: cloudify.nodes.openstack.Group\n"
    waits = "    relationships: [{type: cloudify.relationships.depends_on, target: role}]\n"
    text = text.replace(group, group + waits, 1)
    assert "domain" not in back(text).document["resources"]["role"]["properties"]


def test_a_template_keeps_how_a_missing_resource_is_created() -> None:
    source = ROOT / "corpus/cfy/existing-resources-created-where-missing/blueprint.yaml"
    made = convert(source, "cloudify", "hot", carry=False)
    assert set(made.document["resources"]["net"]) == {"type", "external_id", "metadata"}
    again = convert(made.text, "hot", "cloudify", carry=False)
    subnet = again.document["node_templates"]["subnet"]
    assert subnet["properties"]["create_if_missing"] is True
    assert subnet["properties"]["resource_config"]["cidr"] == "10.0.0.0/24"
    assert subnet["relationships"] == [{"type": "cloudify.relationships.contained_in", "target": "net"}]
    assert codes(again).count("BPC670") == 4


MISSING_CREATED = ROOT / "corpus/cfy/existing-resources-created-where-missing/blueprint.yaml"


@pytest.mark.parametrize(
    "damaged", ["no JSON", "[]", '{"otherwise": 1}', '{"otherwise": {"a": {"$Input": {"name": "b"}}}}']
)
def test_what_is_damaged_in_a_template_is_told_and_the_rest_comes_back(damaged: str) -> None:
    made = convert(MISSING_CREATED, "cloudify", "hot", carry=False)
    kept = made.document["resources"]["net"]["metadata"][KEPT]
    result = convert(made.text.replace(f"'{kept}'", json.dumps(damaged)), "hot", "cloudify", carry=False)
    assert [one.path for one in result.diagnostics if one.code == "BPC880"] == [("resources", "net", "metadata", KEPT)]
    nodes = result.document["node_templates"]
    assert "create_if_missing" not in nodes["net"]["properties"]
    assert nodes["subnet"]["properties"]["create_if_missing"] is True


def test_a_resource_has_the_rest_of_its_metadata() -> None:
    made = load(convert(MISSING_CREATED, "cloudify", "hot", carry=False).text)
    port, net, subnet = (made.data["resources"].pop(name) for name in ("port", "net", "subnet"))
    net["metadata"]["own"] = 1
    made.data["resources"] = {"port": {**port, "metadata": {"own": 2}}, "net": net, "subnet": subnet}
    reporter = Reporter(made)
    nodes = to_topology(made, builtin(), reporter).nodes
    assert {name: node.extra.get("metadata") for name, node in nodes.items()} == {
        "port": {"own": 2}, "net": {"own": 1}, "subnet": None,
    }  # fmt: skip
    assert "metadata" not in nodes["subnet"].extra
    assert [set(nodes[name].otherwise) for name in ("net", "subnet")] == [{"name"}, {"cidr", "enable_dhcp", "network"}]
    told = [one for one in reporter.diagnostics if one.code == "BPC670"]
    assert [one.path[1:] for one in told] == [
        ("net",),
        ("net", "metadata", KEPT),
        ("subnet",),
        ("subnet", "metadata", KEPT),
    ]
    assert told[0].message.startswith("how 'net' is created where it is missing comes from the metadata")


def test_the_engines_do_not_see_what_is_kept() -> None:
    template = load(convert(MISSING_CREATED, "cloudify", "hot", carry=False).text)
    net, subnet, port = template.data["resources"].values()
    net["metadata"]["own"] = 1
    found = template_seen(template).data
    assert found["heat_template_version"] == template.data["heat_template_version"]
    assert found["resources"] == {
        "net": {"type": net["type"], "external_id": net["external_id"], "metadata": {"own": 1}},
        "subnet": {"type": subnet["type"], "external_id": subnet["external_id"]},
        "port": port,
    }
    assert KEPT in net["metadata"]
    blueprint = load(BLUEPRINT)
    blueprint.data["metadata"]["own"] = 1
    assert blueprint_seen(blueprint).data == {**blueprint.data, "metadata": {"own": 1}}
    for document in (load(TEMPLATE), load("a: 1\nmetadata: [b]\n"), load("[]\n")):
        assert template_seen(document) is document
        assert blueprint_seen(document) is document


def test_what_is_kept_is_no_difference(tmp_path: Path) -> None:
    """Only what the engine of the document computes counts."""
    (tmp_path / "one.yaml").write_text(BLUEPRINT)
    (tmp_path / "other.yaml").write_text(BLUEPRINT[: BLUEPRINT.index("metadata:")])
    found = verify(tmp_path / "one.yaml", tmp_path / "other.yaml")
    assert found.compared
    assert found.is_same


# -- how a value is kept, whatever the language -----------------------------------------------------------------

NAMES = {"word": "word_2", "vm": "machine"}
WORD, VM = ex.Input("word"), ex.Identity("vm")


def portable(**more: Any) -> Portable:
    """What gives values the names of another document: 'word' and 'vm' have one there."""
    conditions = {
        "plain": ex.Equals(WORD, "a"), "outer": ex.Not(ex.Condition("plain")), "gone": ex.Equals(ex.Input("lost"), 1),
        "round": ex.Not(ex.Condition("again")), "again": ex.Not(ex.Condition("round")),
    }  # fmt: skip
    return Portable(Topology("hot", "", conditions=conditions, **more), NAMES.get, NAMES.get)


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        ("text", "text"),
        ({"a": [WORD, VM]}, {"a": [ex.Input("word_2"), ex.Identity("machine")]}),
        (ex.Attribute("vm", "ip", (0, WORD)), ex.Attribute("machine", "ip", (0, ex.Input("word_2")))),
        (ex.Join("-", ([WORD],)), ex.Join("-", ([ex.Input("word_2")],))),
        # named conditions are what they mean, also twice
        (ex.If(ex.Condition("plain"), 1, 2), ex.If(ex.Equals(ex.Input("word_2"), "a"), 1, 2)),
        ([ex.Condition("outer")] * 2, [ex.Not(ex.Equals(ex.Input("word_2"), "a"))] * 2),
        (ex.Foreign("hot", "f", [1]), ex.Foreign("hot", "f", [1])),
    ],
)
def test_what_is_kept_has_the_names_of_the_document_that_is_written(value: Any, kept: Any) -> None:
    assert portable().value(value) == kept
    assert portable(withheld={"secret"}).value(value) is ex.MISSING


@pytest.mark.parametrize(
    "value",
    [
        ex.Input("lost"), ex.Input(WORD), ex.Identity("lost"), [1, {"a": ex.Attribute("lost", "ip")}],
        ex.Identity(WORD), ex.Condition("gone"), ex.Condition("nowhere"), ex.Condition(WORD), ex.Condition("round"),
        ex.File("a.txt"), [ex.Foreign("", "f", [1])], {"a": {1, 2}}, {(1, 2): "a"},
    ],
)  # fmt: skip
def test_what_means_nothing_elsewhere_is_not_kept(value: Any) -> None:
    assert portable().value(value) is ex.MISSING


def test_a_value_counts_as_long_as_nobody_changed_what_is_written() -> None:
    data = digested("written", {"a": WORD})
    assert restored("written", data, ()) == {"a": WORD}
    for written, damaged in (
        ("other", data),
        ("written", data[:1]),
        ("written", None),
        ("written", [data[0], {"$A": 1}]),
    ):
        assert restored(written, damaged, ()) is ex.MISSING


def test_what_a_value_names_has_to_be_there() -> None:
    topology = Topology("hot", "", inputs={"word": TopologyInput("word", "string")}, nodes={"vm": Node("vm", "")})
    assert is_known(topology, [WORD, {"a": ex.Attribute("vm", "ip")}])
    assert is_known(topology, "text")
    for value in (ex.Input("lost"), [WORD, ex.Identity("lost")], ex.Input(WORD), ex.Identity(WORD)):
        assert is_known(topology, value) is False


def test_the_text_in_the_metadata() -> None:
    assert as_text({"a": ["\u00fc"]}) == '{"a":["\u00fc"]}'
    assert as_text({"a": ["\u00fc"]}, ascii_only=True) == '{"a":["\\u00fc"]}'


@pytest.mark.parametrize(
    ("written", "value", "same"),
    [
        ({"a": [1, {"get_input": "word"}]}, {"a": [1, WORD]}, True),
        ({"get_attribute": ["vm", "tosca_id"]}, VM, True),
        ({"get_input": ["word", 0]}, ex.Input("word", (0,)), False),
        (["a"], ["a", "b"], False),
        ("a", ["a"], False),
        ({"a": 1}, {"a": 1, "b": 2}, False),
        (1, True, False),
        ({"get_input": "word"}, {"get_input": "word"}, False),
    ],
)
def test_a_service_template_says_a_value_by_itself(written: Any, value: Any, same: bool) -> None:
    """Data that looks like a call would be read back as one."""
    assert is_same(written, value) is same


def test_sections_that_are_gone_have_nothing_that_is_kept() -> None:
    source = "heat_template_version: 2018-08-31\nresources: {v: {type: OS::Cinder::Volume, properties: {size: 1}}}\n"
    source += "outputs: {project: {value: {get_param: 'OS::project_id'}}}\n"
    made = convert(source, "hot", "cloudify", carry=False).text
    head, _, rest = made.partition("\noutputs:")
    back = convert(head + rest[rest.index("\nmetadata:") :], "cloudify", "hot", carry=False).document
    assert "outputs" not in back


def test_an_edit_of_what_is_kept_changes_nothing_and_is_reported() -> None:
    """What the kept values belong to was not edited."""
    source = """\
tosca_definitions_version: cloudify_dsl_1_3
imports: [cloudify/types/types.yaml]
outputs: {label: {value: [{get_label: [team, 0]}]}}
"""
    made = convert(source, "cloudify", "hot").text
    back = convert(re.sub("bpconvert_kept: '.*'", "bpconvert_kept: edited", made), "hot", "cloudify")
    assert back.text == source
    assert {"BPC622", "BPC880"} <= {one.code for one in back.diagnostics}


DIFFERS = """
heat_template_version: 2018-08-31
parameters:
  word: {type: string, default: a}
  parts: {type: json, default: {a: b}}
conditions:
  is_a: {equals: [{get_param: word}, a]}
resources:
  net: {type: OS::Neutron::Net, properties: {name: {list_join: [-, [x, {get_param: word}]]}}, condition: is_a}
  part: {type: OS::Neutron::Net, properties: {name: {get_param: [parts, a]}}}
  chosen: {type: OS::Neutron::Net, properties: {name: {if: [is_a, b, c]}}}
outputs:
  project: {value: {get_param: "OS::project_id"}}
"""


def test_what_a_service_template_keeps_is_reported_where_it_says_something_else() -> None:
    """Not where the engines have the same value: of a call in other words, or one that a node computes."""
    there = convert(DIFFERS, "hot", "tosca", carry=False)
    again = convert(there.text, "tosca", "hot", carry=False)
    assert {finding.path for finding in again.diagnostics if finding.code == "BPC670"} == {
        ("node_templates", "net"),
        ("node_templates", "part", "properties", "name"),
        ("outputs", "project", "value"),
    }
    assert verify(DIFFERS, again.text).is_same
    assert all(row.is_reported for row in verify(there.text, again.text, reported=again.diagnostics).differences)
