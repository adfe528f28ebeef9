"""The template as a whole: what needs a later version, what of it is created, and where everything went."""

from __future__ import annotations

from typing import Any

import pytest
import service_heads
from hot_lowering import lowered, topology

from bpconvert.api import Result, convert
from bpconvert.models.topology import Input, Node, Output
from bpconvert.translators.hot.write.template import wants

V3 = "cloudify.nodes.openstack."
HEAD = """tosca_definitions_version: cloudify_dsl_1_4
imports: [cloudify/types/types.yaml, plugin:cloudify-openstack-plugin]
"""
NET = f"net: {{type: {V3}Network}}"


def converted(text: str, **options: Any) -> Result:
    return convert(HEAD + text, "cloudify", "hot", carry=False, **options)


# -- versions -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("section", "entry", "since", "what"),
    [
        ("parameters", {"tags": ["a"]}, "2018-03-02", "'tags' of 'x'"),
        ("parameters", {"constraints": [{"modulo": {}}, "odd"]}, "2017-02-24", "'modulo' of 'x'"),
        ("resources", {"condition": "c"}, "2016-10-14", "'condition' of 'x'"),
        ("resources", {"external_id": "a"}, "2016-10-14", "'external_id' of 'x'"),
        ("resources", {"deletion_policy": "delete"}, "2016-10-14", "the deletion policy of 'x'"),
        ("resources", {"properties": {"a": {"list_join": [",", ["a"], ["b"]]}}}, "2015-10-15",
         "a function that 'x' uses"),
        ("outputs", {"condition": "c"}, "2016-10-14", "'condition' of 'x'"),
        ("outputs", {"value": {"str_split": [",", "a"]}}, "2015-10-15", "a function that 'x' uses"),
        ("outputs", {"value": {"map_merge": []}}, "2016-04-08", "a function that 'x' uses"),
        ("conditions", {"yaql": {}}, "2016-10-14", "conditions"),
        ("conditions", {"contains": ["a", ["b"]]}, "2017-09-01", "a function in condition 'x'"),
    ],
)  # fmt: skip
def test_what_needs_a_later_version(section: str, entry: Any, since: str, what: str) -> None:
    sections: dict[str, Any] = {
        "parameters": {},
        "conditions": {},
        "resources": {},
        "outputs": {},
        section: {"x": entry},
    }
    assert (since, what) in wants(sections)


@pytest.mark.parametrize("entry", [{"default": {"map_merge": []}}, {"constraints": [{"range": {"min": 1}}]}])
def test_parameters_that_every_version_has(entry: Any) -> None:
    """Defaults are data."""
    sections: dict[str, Any] = {"parameters": {"x": entry}, "conditions": {}, "resources": {}, "outputs": {}}
    assert all(since <= "2013-05-23" for since, _ in wants(sections))


@pytest.mark.parametrize(
    "entry",
    [
        {"type": {"map_merge": []}},
        {"description": {"map_merge": []}},
        {"depends_on": {"map_merge": []}},
        {"deletion_policy": "Delete"},
        {"deletion_policy": {"get_param": "x"}},
    ],
)
def test_what_every_version_has(entry: Any) -> None:
    """Texts and names are no calls."""
    sections: dict[str, Any] = {"parameters": {}, "conditions": {}, "resources": {"x": entry}, "outputs": {}}
    assert max(since for since, _ in wants(sections)) <= "2013-05-23"


@pytest.mark.parametrize(
    ("wanted", "written", "told"),
    [
        (None, "2015-10-15", False),
        ("2013-05-23", "2015-10-15", True),
        ("kilo", "2015-10-15", True),
        ("2015-10-15", "2015-10-15", False),
        ("mitaka", "2016-04-08", False),
        ("rocky", "rocky", False),
    ],
)
def test_a_version_that_is_asked_for(wanted: str | None, written: str, told: bool) -> None:
    call = "{value: {string_split: [{get_input: s}, ',']}}"
    text = f"inputs: {{s: {{type: string}}}}\noutputs: {{o: {call}, p: {call}}}\n"
    result = converted(text, hot_version=wanted)
    assert str(result.document["heat_template_version"]) == written
    message = f"heat_template_version {wanted} cannot express a function that 'o' uses; 2015-10-15 is written"
    assert [one.message for one in result.diagnostics if one.code == "BPC540"] == [message] * told


def test_values_that_mean_something_else_in_a_version() -> None:
    many = f"{{type: {V3}Network, capabilities: {{scalable: {{properties: {{default_instances: 2}}}}}}}}"
    text = f"node_templates: {{many: {many}}}\noutputs: {{o: {{value: {{get_attributes_list: [many, name, 0]}}}}}}\n"
    result = converted(text, hot_version="2013-05-23")
    message = "heat_template_version 2013-05-23 cannot express what its values mean; 2014-10-16 is written"
    assert [one.message for one in result.diagnostics if one.code == "BPC540"] == [message]


# -- what is created ----------------------------------------------------------------------------------------

OTHER = "aws.ec2.Instances"


@pytest.mark.parametrize(
    ("nodes", "told"),
    [
        ("a: {type: my.Type}, b: {type: my.Type}", "(2): 'a', 'b'"),
        (f"a: {{type: cloudify.nodes.{OTHER}}}, b: {{type: cloudify.nodes.{OTHER}}}", "(2 of AWS): 'a', 'b'"),
        (f"a: {{type: cloudify.nodes.{OTHER}}}, b: {{type: my.Type}}", "(1 of AWS, 1 others): 'a', 'b'"),
        (f"a: {{type: my.Type}}, {NET}", None),
        (NET, None),
    ],
)
def test_a_blueprint_of_which_nothing_is_created(nodes: str, told: str | None) -> None:
    types = "node_types: {my.Type: {derived_from: cloudify.nodes.Root, properties: {p: {default: 1}}}}\n"
    operation = "interfaces: {i: {o: {implementation: a.sh}}}"
    nodes = nodes.replace("my.Type}", f"my.Type, {operation}}}")
    result = converted(f"{types}node_templates: {{{nodes}}}\n")
    message = f"nothing of this document is created in Heat: all that it has are stand-ins {told}"
    assert [one.message for one in result.diagnostics if one.code == "BPC787"] == ([message] if told else [])


# -- where everything went ----------------------------------------------------------------------------------


def test_where_each_entry_went() -> None:
    related = "relationships: [{type: cloudify.relationships.openstack.subnet_connected_to_network, target: net}]"
    (trace,) = converted(
        f"""description: x
inputs: {{s: {{type: string, display_label: L}}}}
node_templates: {{{NET}, sub: {{type: {V3}Subnet, {related}}}}}
outputs: {{o: {{value: 1}}}}
capabilities: {{k: {{value: 2}}, o: {{value: 3}}}}
"""
    ).traces
    assert {".".join(entry): [".".join(place) for place in places] for entry, places in trace.made.items()} == {
        "tosca_definitions_version": ["heat_template_version"],
        "imports": [],
        "description": ["description"],
        "inputs.s": ["parameters.s"],
        "node_templates.net": ["resources.net"],
        "node_templates.sub": ["resources.sub"],
        "outputs.o": ["outputs.o"],
        "capabilities.k": ["outputs.k"],
        "capabilities.o": ["outputs.capability_o"],
    }
    moves = [(".".join(map(str, place)), ".".join(map(str, to))) for place, to in trace.moves]
    assert ("capabilities", "outputs") in moves
    assert ("capabilities.o", "outputs.capability_o") in moves
    assert ("inputs.s.display_label", "parameters.s.label") in moves
    assert ("node_templates.sub.relationships.0", "resources.sub.properties.network") in moves


def test_what_an_entry_says_of_other_nodes_went_there() -> None:
    """A list of policies is a whole; a port is part of what its server is."""
    service = f"""{service_heads.HEAD}policy_types:
  tosca.policies.tacker.Placement: {{derived_from: tosca.policies.Root}}
topology_template:
  node_templates:
    one: {{type: openstack.nova.Server, properties: {{flavor: small}}}}
    two: {{type: openstack.nova.Server, properties: {{flavor: small}}}}
    net: {{type: tosca.nodes.network.Network}}
    port: {{type: tosca.nodes.network.Port, requirements: [{{link: net}}, {{binding: one}}]}}
  policies:
    - apart: {{type: tosca.policies.tacker.Placement, targets: [one, two]}}
"""
    (trace,) = convert(service, "tosca", "hot", carry=False).traces
    assert trace.made["policies",] == [("resources", name) for name in ("apart", "one", "two")]
    assert trace.made["node_templates", "port"] == [("resources", "port"), ("resources", "one")]


def test_what_is_part_of_nested_templates_is_part_of_what_nests_them() -> None:
    place, other = ("node_templates", "inner"), ("node_templates", "net")
    made = lowered(topology(Node("net", "t", "net"), moved={place: ["net"], other: ["net"]})).lowered
    assert made.made[place] == [("resources", "net")]
    assert made.made[other] == [("resources", "net")]
    assert (place, ("resources", "net")) in made.moves


def test_the_names_in_the_template() -> None:
    source = topology(Input("a", "string"), Output("o", 1))
    source.capabilities["o"] = Output("o", 2, path=("capabilities", "o"))
    assert lowered(source).lowered.names == {
        "inputs": {"a": "a"},
        "outputs": {"o": "o"},
        "capabilities": {"o": "capability_o"},
    }


@pytest.mark.parametrize(
    ("more", "count"),
    [
        ("", "1 of AWS"),
        ("text: {type: cloudify.nodes.CloudInit.CloudConfig}", "1 of AWS, with the texts 'text'"),
        (NET, None),
    ],
)
def test_texts_are_nothing_that_is_created(more: str, count: str | None) -> None:
    head = HEAD.replace("]", ", plugin:cloudify-utilities-plugin, plugin:cloudify-aws-plugin]")
    text = head + f"node_templates: {{{', '.join(['vm: {type: cloudify.nodes.aws.ec2.Instances}', more])}}}\n"
    result = convert(text.replace(", }", "}"), "cloudify", "hot", carry=False)
    messages = [item.message for item in result.diagnostics if item.code == "BPC787"]
    wanted = f"nothing of this document is created in Heat: all that it has are stand-ins ({count}): 'vm'"
    assert messages == ([wanted] if count else [])
