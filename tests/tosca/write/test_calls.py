"""Which calls a service template has, and what stands where it can have none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from bpconvert.api import Result, convert

HOT = "heat_template_version: 2018-08-31\n"
TYPES = "imports: [cloudify/types/types.yaml, plugin:cloudify-openstack-plugin]\n"
BLUEPRINT = f"tosca_definitions_version: cloudify_dsl_1_3\n{TYPES}"
SERVICE = "tosca_definitions_version: tosca_simple_yaml_1_3\ntopology_template:\n"
SERVER = "image: i, flavor: f, networks: []"


def topology(result: Result) -> Any:
    return yaml.safe_load(result.text)["topology_template"]


def messages(result: Result, code: str) -> list[str]:
    return [one.message for one in result.diagnostics if one.code == code]


def named(value: str, parameters: str = "{}", **choices: Any) -> tuple[Any, Result]:
    """What the name of a server becomes where inputs ask for what has no call."""
    server = f"{{type: OS::Nova::Server, properties: {{{SERVER}, name: {value}}}}}"
    source = f"{HOT}parameters: {parameters}\nresources: {{x: {server}}}\n"
    made = convert(source, "hot", "tosca", carry=False, **{"asked": "inputs", **choices})
    return topology(made)["node_templates"]["x"]["properties"]["name"], made


# -- pieces and joined texts --------------------------------------------------------------------------------


@pytest.mark.parametrize("place", [0, 1, 12])
def test_a_piece_of_a_text_is_a_token(place: int) -> None:
    name, made = named(f"{{str_split: [',', {{get_param: a}}, {place}]}}", "{a: {type: string}}")
    assert name == {"token": [{"get_input": "a"}, ",", place]}
    assert messages(made, "BPC223") == ["'str_split' is written as `token`"]


@pytest.mark.parametrize(
    "arguments",
    ["'::', {get_param: a}, 0", "',', {get_param: a}, -1", "',', {get_param: a}, true", "{get_param: a}, b, 0",
     "',', {get_param: a}"],
)  # fmt: skip
def test_other_pieces_are_asked_for(arguments: str) -> None:
    name, made = named(f"{{str_split: [{arguments}]}}", "{a: {type: string}}")
    assert name == {"get_input": "x_name"}
    why = "token takes one character and the number of a piece"
    assert messages(made, "BPC201") == [f"not converted, asked for as input 'x_name': {why}"]


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ("{list_join: ['-', {get_param: l}]}", "not every engine reads join"),
        ("{list_join: ['-', [a], {get_param: l}]}", "not every engine reads join"),
        ("{str_replace: {template: {list_join: ['', ['//', {get_param: a}]]}, params: {'//': ''}}}",
         "TOSCA has no function for that"),
    ],
)  # fmt: skip
def test_what_no_engine_joins_is_asked_for(value: str, why: str) -> None:
    name, made = named(value, "{a: {type: string}, l: {type: comma_delimited_list}}")
    assert name == {"get_input": "x_name"}
    assert [why in message for message in messages(made, "BPC201")] == [True]


@pytest.mark.parametrize(
    ("asked", "kind", "written", "code"),
    [
        ("values", "number", {"get_attribute": ["x_name_list_join", "result"]}, "BPC215"),
        ("values", "boolean", {"get_attribute": ["x_name_list_join", "result"]}, "BPC215"),
        ("inputs", "number", {"get_input": "p"}, "BPC872"),
        ("inputs", "boolean", {"get_input": "x_name_list_join"}, "BPC201"),
    ],
)
def test_a_number_or_boolean_in_a_text_is_spelled_by_no_engine_alone(
    asked: str, kind: str, written: Any, code: str
) -> None:
    """It is not only in texts, so that the input cannot be a text itself."""
    source = (
        f"{HOT}parameters: {{p: {{type: {kind}}}}}\nresources: {{x: {{type: OS::Nova::Server, properties: "
        f"{{{SERVER}, metadata: {{k: {{get_param: p}}}}, name: {{list_join: ['', [a, {{get_param: p}}]]}}}}}}}}\n"
    )
    made = convert(source, "hot", "tosca", carry=False, asked=asked)
    assert topology(made)["node_templates"]["x"]["properties"]["name"] == {"concat": ["a", written]}
    place = ("resources", "x", "properties", "name", "list_join", 1, 1)
    assert [one.path for one in made.diagnostics if one.code == code] == [place]
    assert messages(made, "BPC223") == ["'list_join' is written as `concat` with the delimiter between the items"]
    why = {
        "boolean": "engines write true and false in different ways",
        "number": "some engines take no numbers in texts, and others write those with a point in their own ways",
    }
    assert [message.partition(": ")[2] for message in messages(made, code) if code != "BPC872"] in ([], [why[kind]])
    assert topology(made)["inputs"].get("x_name_list_join", {"type": "string"})["type"] == "string"


@pytest.mark.parametrize("kind", ["json", "comma_delimited_list"])
@pytest.mark.parametrize(
    ("asked", "written", "code"),
    [
        ("values", {"get_attribute": ["x_name_list_join", "result"]}, "BPC215"),
        ("inputs", {"get_input": "x_name_list_join"}, "BPC201"),
    ],
)
def test_a_list_or_map_in_a_text_is_written_by_no_engine_alone(kind: str, asked: str, written: Any, code: str) -> None:
    name, made = named("{list_join: ['-', [a, {get_param: p}]]}", f"{{p: {{type: {kind}}}}}", asked=asked)
    assert name == {"concat": ["a-", written]}
    assert topology(made)["inputs"].get("x_name_list_join", {"type": "string"})["type"] == "string"
    (told,) = messages(made, code)
    assert told.endswith(": Heat writes lists and maps as JSON here, TOSCA writes them in another way")


@pytest.mark.parametrize(
    "value", ["{digest: [md5, {get_param: p}]}", "{get_param: OS::stack_id}", "{list_join: ['', [{get_param: j}]]}"]
)
def test_what_creates_nothing_needs_no_value(value: str) -> None:
    """No node computes it, and no input takes it."""
    made = convert(
        f"{HOT}parameters: {{p: {{type: string}}, j: {{type: json}}}}\n"
        f"resources: {{s: {{type: Some::Type, properties: {{metadata: {{a: {value}}}}}}}}}\n",
        "hot", "tosca", carry=False,
    )  # fmt: skip
    assert list(topology(made)["node_templates"]) == ["s"]
    assert list(topology(made)["inputs"]) == ["p", "j"]
    shown = topology(made)["node_templates"]["s"]["properties"]["heat_properties"]["metadata"]["a"]
    assert shown.startswith("not converted: ")
    assert len(messages(made, "BPC202")) == 1


def test_an_input_that_is_a_text_is_one_by_itself() -> None:
    """A number that is in texts only is an input of the type string: with nothing around it, nothing joins it."""
    name, made = named("{list_join: ['', [{get_param: n}]]}", "{n: {type: number}}")
    assert name == {"get_input": "n"}
    assert topology(made)["inputs"]["n"]["type"] == "string"
    name, _ = named("{list_join: ['', [{get_param: n}, a]]}", "{n: {type: number}}")
    assert name == {"concat": [{"get_input": "n"}, "a"]}


def test_a_template_is_joined_from_its_pieces() -> None:
    name, made = named("{str_replace: {template: a-b, params: {b: {get_param: p}}}}", "{p: {type: string}}")
    assert name == {"concat": ["a-", {"get_input": "p"}]}
    assert messages(made, "BPC223") == ["'str_replace' is written as `concat` of the template's pieces"]


def test_a_url_is_joined_from_its_parts() -> None:
    url = "{make_url: {scheme: http, host: {get_param: p}, port: 80, path: a}}"
    name, made = named(url, "{p: {type: string}}")
    assert name["concat"][0].startswith("http://")
    assert {"get_input": "p"} in name["concat"]
    assert messages(made, "BPC223") == ["'make_url' is written as `concat` of the parts"]


@pytest.mark.parametrize(("asked", "code"), [("values", "BPC215"), ("inputs", "BPC201")])
def test_a_map_like_a_call_is_told(asked: str, code: str) -> None:
    server = f"{{type: OS::Nova::Server, properties: {{{SERVER}, metadata: {{get_attribute: [x, {{get_param: p}}]}}}}}}"
    source = f"{HOT}parameters: {{p: {{type: string}}}}\nresources: {{x: {server}}}\n"
    made = convert(source, "hot", "tosca", carry=False, asked=asked)
    (told,) = messages(made, code)
    assert told.endswith(": a map with the only key 'get_attribute' would be a call in TOSCA")


# -- references ---------------------------------------------------------------------------------------------

PORTS = """\
inputs: {i: {type: string}}
node_templates:
  ext: {type: cloudify.nodes.openstack.Network, properties: {use_external_resource: true, resource_config: {name: e}}}
  p: {type: cloudify.nodes.openstack.Port, properties: {resource_config: {name: b}}}
  k: {type: cloudify.nodes.openstack.KeyPair, properties: {resource_config: {name: %s}}}
"""


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ("{get_attribute: [ext, mtu]}", "'ext' exists already and only its name is known"),
        ("{get_attribute: [p, node_instance_index]}", "nothing yields the number of an instance"),
        ("{get_attribute: [p, {get_input: i}]}", "the name of the attribute, or a step into its value, is computed"),
        ("{get_attribute: [p, a, {get_input: i}]}", "the name of the attribute, or a step into its value, is computed"),
        ("{get_attribute: [gone, a]}", "the name of the node is computed, or there is none of that name"),
        ("{get_input: gone}", "the name of the input is computed, or there is none of that name"),
        ("{get_property: [k, resource_config, name]}", "the property refers to itself"),
        ("{get_property: [p, resource_config, {get_input: i}]}", "a part is taken of a value that is computed"),
    ],
)
def test_a_reference_that_leads_nowhere_is_asked_for(value: str, why: str) -> None:
    made = convert(BLUEPRINT + PORTS % value, "cloudify", "tosca", carry=False, asked="inputs")
    assert topology(made)["node_templates"]["k"]["properties"]["name"] == {"get_input": "k_name"}
    assert [message.endswith(why) for message in messages(made, "BPC201")] == [True]


def test_what_exists_already_is_its_id() -> None:
    body = (
        "resources:\n  n: {type: OS::Neutron::Net, external_id: abc}\n"
        "  p: {type: OS::Neutron::Port, properties: {network: {get_resource: n}}}\n"
        "outputs: {o: {value: {get_resource: n}}, p: {value: {get_resource: p}}}\n"
    )
    made = topology(convert(HOT + body, "hot", "tosca", carry=False))
    known = {"get_attribute": ["n", "openstack_id"]}
    assert made["node_templates"]["p"]["properties"]["network"] == known
    assert made["outputs"]["o"]["value"] == known
    assert made["outputs"]["p"]["value"] == {"get_attribute": ["p", "tosca_id"]}


def test_calls_that_came_from_a_service_template_are_written_again() -> None:
    """A property that no node has is a call as before; what other nodes have and what operations set is not."""
    source = f"""{SERVICE}  node_templates:
    s: {{type: openstack.nova.Server, properties: {{image: i, flavor: f, name: {{get_property: [s, gone, 0]}}}}}}
    k:
      type: openstack.nova.KeyPair
      properties: {{name: {{get_operation_output: [SELF, Standard, create, x]}}, type: {{get_property: [nobody, x]}}}}
  outputs:
    o: {{value: {{get_property: [s, gone]}}}}
    p: {{value: {{get_nodes_of_type: tosca.nodes.Root}}}}
"""
    there = convert(source, "tosca", "hot", carry=False)
    back = convert(there.text, "hot", "tosca", carry=False)
    nodes = topology(back)["node_templates"]
    assert nodes["s"]["properties"]["name"] == {"get_property": ["s", "gone", 0]}
    assert nodes["k"]["properties"] == {"name": {"get_input": "k_name"}, "type": {"get_input": "k_type"}}
    assert topology(back)["outputs"]["o"]["value"] == {"get_property": ["s", "gone"]}
    assert topology(back)["outputs"]["p"]["value"].startswith("not converted: ")
    assert sorted(message.partition(": ")[2] for message in messages(back, "BPC201")) == [
        "TOSCA has no counterpart of 'get_operation_output'",
        "the name of the node is computed, or there is none of that name",
    ]


# -- nodes of which there are several -----------------------------------------------------------------------

SCALED = """\
inputs: {i: {type: string}}
node_templates:
  s: {type: cloudify.nodes.openstack.Server}
  a:
    type: cloudify.nodes.SoftwareComponent
    relationships: [{type: cloudify.relationships.contained_in, target: s}]
    interfaces: {cloudify.interfaces.lifecycle: {create: {implementation: x.sh, inputs: {c: %s}}}}
  lone: {type: cloudify.nodes.openstack.KeyPair, properties: {resource_config: {name: %s}}}
groups: {both: {members: [s, a]}}
policies: {more: {type: cloudify.policies.scaling, targets: [both], properties: {default_instances: 2}}}
outputs: {o: {value: %s}}
"""
ALL_OF_THEM = "has several instances; this is the list of the values of all of them"


def scaled(inside: str = "1", outside: str = "k", output: str = "1") -> Result:
    source = BLUEPRINT + SCALED % (inside, outside, output)
    return convert(source, "cloudify", "tosca", carry=False, beside={"x.sh": "#!/bin/sh\n"})


def input_of(made: Result) -> Any:
    operations = topology(made)["node_templates"]["a"]["interfaces"]["Standard"]["operations"]
    return operations["create"]["inputs"]["c"]


@pytest.mark.parametrize("call", ["get_attribute", "get_attributes_list"])
def test_outside_of_its_group_an_attribute_is_that_of_all_instances(call: str) -> None:
    made = scaled(outside=f"{{{call}: [s, name]}}", output=f"{{{call}: [a, k, 0]}}")
    assert topology(made)["node_templates"]["lone"]["properties"]["name"] == {"get_attribute": ["s", "name"]}
    assert topology(made)["outputs"]["o"]["value"] == {"get_attribute": ["a", "k", 0]}
    assert sorted(messages(made, "BPC841")) == [f"'a' {ALL_OF_THEM}", f"'s' {ALL_OF_THEM}"]
    places = {one.path[1] for one in made.diagnostics if one.code == "BPC841"}
    assert places == {"lone", "o"}


def test_inside_of_its_group_it_is_that_of_the_instance() -> None:
    made = scaled(inside="{get_attribute: [s, name]}")
    assert input_of(made) == {"get_attribute": ["s", "name"]}
    assert not messages(made, "BPC841")


@pytest.mark.parametrize(
    "call", ["{get_attributes_list: [s, id]}", "{get_attributes_list: [{get_input: i}, name]}",
             "{get_attributes_dict: [a, k]}"],
)  # fmt: skip
def test_other_lists_of_instances_have_no_call(call: str) -> None:
    made = scaled(output=call)
    assert topology(made)["outputs"]["o"]["value"].startswith("not converted: ")
    name = call[1:].partition(":")[0]
    assert messages(made, "BPC202") == [f"not converted: TOSCA has no counterpart of '{name}'"]


def test_inside_of_a_group_no_call_is_that_of_all_instances() -> None:
    made = scaled(inside="{get_attributes_list: [s, name]}")
    assert input_of(made) == {"get_input": "a_create_c"}
    assert topology(made)["inputs"]["a_create_c"]["type"] == "list"


@pytest.mark.parametrize("word", ["HOST", "SELF"])
def test_words_for_a_node_are_for_software_only(word: str) -> None:
    """An output belongs to none."""
    made = scaled(inside=f"{{get_attribute: [{word}, place]}}", output=f"{{get_attribute: [{word}, place]}}")
    assert input_of(made) == {"get_attribute": ["HOST" if word == "HOST" else "a", "place"]}
    assert messages(made, "BPC202") == [f"not converted: an output belongs to no node: nothing is {word} there"]


def test_what_scales_a_group_names_its_policy() -> None:
    """A policy is no node."""
    workflow = """workflows:
  more:
    mapping: default_workflows.cloudify.plugins.workflows.scale_entity
    parameters: {scalable_entity_name: {default: disks}, delta: {default: 1}, scale_compute: {default: false}}
"""
    made = convert(
        f"{BLUEPRINT}node_templates:\n  a: {{type: cloudify.nodes.openstack.Volume}}\n"
        "  b: {type: cloudify.nodes.openstack.Volume}\ngroups: {disks: {members: [a, b]}}\n"
        "policies: {p: {type: cloudify.policies.scaling, targets: [disks], properties: {max_instances: 4}}}\n"
        + workflow,
        "cloudify", "tosca", carry=False,
    )  # fmt: skip
    assert topology(made)["node_templates"]["more"]["properties"]["auto_scaling_group_id"] == "disks"
    assert [list(row) for row in topology(made)["policies"]] == [["disks"]]


# -- properties of others -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "written"),
    [
        ("x", {"get_input": "i"}), ("again", {"get_input": "i"}), ("l, 0", {"get_input": "i"}),
        ("l, -2", {"get_input": "i"}), ("l, 1, k", {"get_input": "i"}), ("l, 2", None), ("l, -3", None),
        ("l, x", None),
    ],
)  # fmt: skip
def test_a_property_of_another_node_is_its_value(path: str, written: Any) -> None:
    """Also that of a property that is one of another's; otherwise it is asked for."""
    made = convert(
        f"{BLUEPRINT}inputs: {{i: {{type: string}}}}\n"
        "node_types: {my.T: {derived_from: cloudify.nodes.Root, properties: {x: {}, again: {}, l: {}}}}\n"
        "node_templates:\n  n: {type: my.T, properties: {x: {get_input: i}, again: {get_property: [SELF, x]},"
        " l: [{get_input: i}, {k: {get_property: [SELF, again]}, m: {get_property: [SELF, l, -2]}}]}}\n"
        "  k: {type: cloudify.nodes.openstack.KeyPair, properties: "
        f"{{resource_config: {{name: {{get_property: [n, {path}]}}}}}}}}\n",
        "cloudify", "tosca", carry=False,
    )  # fmt: skip
    assert topology(made)["node_templates"]["k"]["properties"]["name"] == (written or {"get_input": "k_name"})
    assert ("BPC201" in {one.code for one in made.diagnostics}) is (written is None)
    taken = {"get_input": "i"}
    shown = topology(made)["node_templates"]["n"]["properties"]["cloudify_properties"]
    assert (shown["x"], shown["again"]) == (taken, taken)
    assert shown["l"][1] == {"k": taken, "m": taken}
    words = "'get_property' is written as the property's value"
    assert messages(made, "BPC223").count(words) == 3


# -- files --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("file", "code", "told"),
    [
        ("gone.txt", "BPC610", "file 'gone.txt' is not there"),
        (
            "http://example.org/a.sh",
            "BPC654",
            "'http://example.org/a.sh' is a URL, and nothing is read from the network",
        ),
    ],
)
def test_a_file_that_is_not_there_is_asked_for(file: str, code: str, told: str) -> None:
    name, made = named(f"{{get_file: '{file}'}}")
    assert name == {"get_input": "x_name"}
    assert messages(made, "BPC201") == ["not converted, asked for as input 'x_name': the file is not available"]
    assert messages(made, code) == [told]


def test_a_file_is_its_text(tmp_path: Path) -> None:
    (tmp_path / "there.txt").write_text("a\n", "utf-8")
    (tmp_path / "t.yaml").write_text(
        f"{HOT}resources: {{x: {{type: OS::Nova::Server, properties: {{{SERVER}, name: {{get_file: there.txt}}}}}}}}\n"
    )
    made = convert(tmp_path / "t.yaml", "hot", "tosca", carry=False)
    node = topology(made)["node_templates"]["x"]
    assert node["properties"]["name"] == "a\n"
    assert "metadata" not in node  # on the way back it is a text
    assert "BPC201" not in {one.code for one in made.diagnostics}


def test_a_file_beside_what_is_kept_is_kept_as_its_text() -> None:
    """Nothing says that the file is beside the result."""
    value = "{a: {get_file: f.txt}, b: {get_file: gone.txt}, c: {digest: [md5, {get_param: p}]}}"
    server = f"{{type: OS::Nova::Server, properties: {{{SERVER}, metadata: {value}}}}}"
    source = f"{HOT}parameters: {{p: {{type: string}}}}\nresources: {{x: {server}}}\n"
    made = convert(source, "hot", "tosca", carry=False, beside={"f.txt": "text"})
    kept = yaml.safe_load(topology(made)["node_templates"]["x"]["metadata"]["bpconvert"])["properties"]["metadata"][1]
    assert kept["a"] == "text"
    assert kept["b"] == {"$File": {"name": "gone.txt"}}


@pytest.mark.parametrize(("via", "operation"), [("hot", "create"), ("cloudify", "configure")])
def test_a_file_at_a_url_that_software_gets_is_an_artifact(via: str, operation: str) -> None:
    """Each once, by the last part of the URL; what its text is, is not known."""
    inputs = ", ".join(f"{name}: {{get_artifact: [SELF, {of}]}}" for name, of in
                       [("a", "data"), ("b", "data"), ("c", "more"), ("d", "top")])  # fmt: skip
    source = f"""{SERVICE}  node_templates:
    vm: {{type: tosca.nodes.Compute}}
    app:
      type: tosca.nodes.SoftwareComponent
      requirements: [host: vm]
      artifacts:
        data: {{type: tosca.artifacts.File, file: 'https://example.org/-my data.sql'}}
        more: {{type: tosca.artifacts.File, file: 'https://example.org/2/my data.sql'}}
        top: {{type: tosca.artifacts.File, file: 'https://example.org/'}}
      interfaces: {{Standard: {{operations: {{configure: {{
        implementation: 'https://example.org/install.yml', inputs: {{{inputs}}}}}}}}}}}
"""
    there = convert(source, "tosca", via, carry=False)
    back = convert(there.text, via, "tosca", carry=False, beside=there.files)
    (app,) = (node for node in topology(back)["node_templates"].values() if "artifacts" in node)
    assert app["artifacts"] == {
        "my_data_sql": {"type": "tosca.artifacts.File", "file": "https://example.org/-my data.sql"},
        "my_data_sql_2": {"type": "tosca.artifacts.File", "file": "https://example.org/2/my data.sql"},
        "file": {"type": "tosca.artifacts.File", "file": "https://example.org/"},
    }
    assert app["interfaces"]["Standard"]["operations"][operation]["inputs"] == {
        "a": {"get_artifact": ["SELF", "my_data_sql"]},
        "b": {"get_artifact": ["SELF", "my_data_sql"]},
        "c": {"get_artifact": ["SELF", "my_data_sql_2"]},
        "d": {"get_artifact": ["SELF", "file"]},
    }
    artifacts = [message.split("'")[1::2][:2] for message in messages(back, "BPC257")]
    assert artifacts == [
        ["https://example.org/-my data.sql", "my_data_sql"], ["https://example.org/-my data.sql", "my_data_sql"],
        ["https://example.org/2/my data.sql", "my_data_sql_2"], ["https://example.org/", "file"],
    ]  # fmt: skip
