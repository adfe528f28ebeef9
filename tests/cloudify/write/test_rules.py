"""What the rules refuse, and in which words: a node computes it, or an output shows the call."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from property_writing import Writing

from bpconvert.api import Result, convert
from bpconvert.models import expressions as ex
from bpconvert.models.topology import Node
from bpconvert.translators.cloudify.write.rules import RULES

HEAD = """
heat_template_version: 2021-04-16
parameters:
  env: {type: string, default: dev}
  other: {type: string, default: data}
  size: {type: number, default: 3}
  flag: {type: boolean, default: true}
  names: {type: comma_delimited_list, default: "a,b"}
  data: {type: json, default: {k: v, list: [x, y], "1": n}}
  more: {type: json, default: {k: w}}
  bare: {type: json}
  free: {type: comma_delimited_list}
conditions: {prod: {equals: [{get_param: env}, prod]}}
resources:
  net: {type: OS::Neutron::Net}
  vol: {type: OS::Cinder::Volume, properties: {size: 1, metadata: {a: b}}}
  gone: {type: OS::Foo::Bar}
  held: {type: OS::Heat::Value, properties: {value: {map_replace: [{get_param: data}, {keys: {k: l}}]}}}
  deep:
    type: OS::Heat::Value
    properties: {value: {a: {map_replace: [{get_param: data}, {keys: {k: l}}]}, b: {get_param: more}}}
  plain: {type: OS::Heat::Value, properties: {value: {get_param: data}}}
  many: {type: OS::Heat::ResourceGroup, properties: {count: 1000, resource_def: {type: OS::Neutron::Net}}}
outputs: {o: {value: """
#: of data that Cloudify evaluates in an output
LEVELS = 42


def converted(value: str, **options: Any) -> Result:
    return convert(f"{HEAD}{value}}}}}\n", name="t.yaml", carry=False, beside={"a.txt": "text"}, **options)


def output(value: str, **options: Any) -> tuple[Any, list[tuple[str, str]]]:
    """What ``value`` becomes as an output, and what is reported there."""
    result = converted(value, **options)
    found = [(one.code, one.message) for one in result.diagnostics if one.path[:2] == ("outputs", "o")]
    return result.document["outputs"]["o"].get("value"), found


def condition(*branches: Any) -> dict[str, Any]:
    """The branch by whether it is production."""
    found = {"string_find": ["|prod|", {"concat": ["|", {"get_input": "env"}, "|"]}]}
    return {"get_input": [*branches, found]}


INPUT_NAME = "the parameter's name is computed and a part of its value is taken"
RUNTIME = "a runtime value selects a part of a parameter; get_input takes none"
TEXT = "a part of a text parameter is taken; get_input only enters lists and maps"
PLACE = "a text selects a place in a list; get_input takes whole numbers"
DEFAULT = "the default has no such part, and Cloudify refuses to deploy with it"
LATE = "string_split takes no value that is only known at run time"
TEXTS = "string_split takes texts only"
ONLY_MAPS = "only maps can be merged"
HELD = "one of the maps is computed, and the node that computes it can merge them"


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("{get_param: [data, {get_resource: net}]}", RUNTIME),
        ("{get_param: [data, {get_attr: [net, name]}]}", RUNTIME),
        ("{get_param: [data, list, {get_param: env}]}", PLACE),
        ("{get_param: [data, list, {get_param: size}]}", DEFAULT),
        ("{get_param: [data, {get_param: size}]}", DEFAULT),
        ("{get_param: [data, k, l]}", DEFAULT),
        ("{get_param: [env, 0]}", TEXT),
        ("{get_param: [size, 0]}", TEXT),
        ("{get_param: [flag, 0]}", TEXT),
        ("{get_param: [names, {get_param: env}]}", PLACE),
        ("{get_param: [names, {get_param: size}]}", DEFAULT),
        ("{str_split: [',', {get_param: env}, x]}", "the index is not a number"),
        ("{str_split: [',', {get_param: names}]}", TEXTS),
        ("{str_split: [',', {get_param: bare}]}", TEXTS),
        ("{str_split: [',', {get_attr: [net, name]}]}", LATE),
        ("{str_split: [{get_attr: [net, name]}, {get_param: env}]}", LATE),
        ("{map_merge: {get_param: names}}", "the list of maps is only known when deploying"),
        ("{map_merge: [{get_param: data}, {get_param: env}]}", ONLY_MAPS),
        ("{map_merge: [{get_param: data}, {get_attr: [net, name]}]}", ONLY_MAPS),
        ("{map_merge: [{get_param: data}, {get_attr: [held, value]}]}", HELD),
        ("{map_merge: [{get_param: data}, {get_attr: [deep, value, a]}]}", HELD),
    ],
)
def test_what_a_node_computes(value: str, reason: str) -> None:
    message = f"computed when deploying by the script of node 'o': {reason}"
    assert output(value) == ({"get_attribute": ["o", "result"]}, [("BPC215", message)])


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("{get_param: [{get_param: other}, k]}", f"{INPUT_NAME}; it is computed where --param gives other"),
        ("{get_param: OS::project_id}", "Cloudify does not know this, and no node needs it"),
        ("{get_file: none.txt}", "the file is not available"),
        ("{map_merge: [{get_param: data}, {get_attr: [gone, x]}]}",
         "the attribute is not known to be a map, and Cloudify merges nothing else"),
    ],
)  # fmt: skip
def test_what_is_shown(value: str, reason: str) -> None:
    shown, found = output(value)
    assert str(shown).startswith("not converted: {")
    assert ("BPC202", f"not converted: {reason}") in found


def test_files_that_are_kept_apart() -> None:
    assert output("{get_file: a.txt}") == ("text", [("BPC614", "the text of the file is written here")])
    shown, found = output("{get_file: a.txt}", files="keep")
    assert (shown, found) == (
        'not converted: {"get_file": "a.txt"}',
        [("BPC202", "not converted: files are kept apart")],
    )
    assert ("BPC610", "file 'none.txt' is not there") in output("{get_file: none.txt}")[1]


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("{get_param: {get_param: other}}", {"get_input": {"get_input": "other"}}),
        ("{get_param: [bare, k]}", {"get_input": ["bare", "k"]}),
        ("{get_param: [bare, {get_param: env}]}", {"get_input": ["bare", {"get_input": "env"}]}),
        ("{get_param: [data, [a]]}", ""),
        ("{get_param: OS::stack_name}", {"get_sys": ["deployment", "name"]}),
        ("{get_param: OS::stack_id}", {"get_sys": ["deployment", "id"]}),
        ("{str_split: [',', {get_param: env}]}", {"string_split": [{"get_input": "env"}, ","]}),
        ("{str_split: [',', {get_param: env}, 1]}", {"string_split": [{"get_input": "env"}, ",", 1]}),
        ("{str_split: [',', {get_param: env}, '1']}", {"string_split": [{"get_input": "env"}, ",", 1]}),
        ("{str_split: [',', {get_param: [bare, k]}]}", {"string_split": [{"get_input": ["bare", "k"]}, ","]}),
        ("{map_merge: [{a: {get_param: env}}]}", {"a": {"get_input": "env"}}),
        ("{map_merge: [{get_param: data}, {get_param: more}]}",
         {"merge": [{"get_input": "data"}, {"get_input": "more"}]}),
        ("{map_merge: [{get_param: data}, null]}", {"merge": [{"get_input": "data"}]}),
        ("{map_merge: []}", {}),
        ("{map_merge: [null]}", {}),
        ("{map_merge: [{a: b}]}", {"a": "b"}),
        ("{map_merge: [{get_param: data}, {get_attr: [vol, metadata]}]}",
         {"merge": [{"get_input": "data"}, {"get_property": ["vol", "resource_config", "kwargs", "metadata"]}]}),
        ("{map_merge: [{get_param: data}, {get_attr: [plain, value]}]}",
         {"merge": [{"get_input": "data"}, {"get_property": ["plain", "value"]}]}),
        ("{map_merge: [{get_param: data}, {get_attr: [deep, value, b]}]}",
         {"merge": [{"get_input": "data"}, {"get_property": ["deep", "value", "b"]}]}),
        ("{if: [{equals: [a, a]}, a, b]}", "a"),
        ("{if: [{equals: [a, b]}, a, b]}", "b"),
    ],
)  # fmt: skip
def test_what_the_dsl_says_itself(value: str, written: Any) -> None:
    shown, found = output(value)
    assert shown == written
    assert {code for code, _ in found} <= {"BPC222", "BPC223", "BPC209"}


@pytest.mark.parametrize(
    ("value", "branches"),
    [
        ("{if: [prod, a, b]}", ["a", "b"]),
        ("{if: [prod, a]}", ["a", None]),
        ("{if: [prod, {get_param: data}, {}]}", [{"get_input": "data"}, {}]),
    ],
)
def test_a_choice(value: str, branches: list[Any]) -> None:
    result = converted(value)
    assert result.document["outputs"]["o"]["value"] == condition("if_o")
    assert result.document["inputs"]["if_o"]["default"] == branches


@pytest.mark.parametrize(
    ("value", "places"),
    [
        ("{if: [prod, {get_attr: [gone, x]}, {get_attr: [net, mtu]}]}", [(), (1,), (2,)]),
        ("{if: [{or: [prod, {not: prod}]}, {get_attr: [gone, x]}, a]}", [(), (1,)]),
        ("{if: [{and: [prod, {not: prod}]}, a, {get_attr: [gone, x]}]}", [(), (2,)]),
        ("{if: [prod, {concat: [a, b]}, {concat: [c]}]}", [(), (1,), (2,)]),
        ("{if: [{or: [prod, {not: prod}]}, {concat: [a, b]}, c]}", [(), (1,)]),
        ("{if: [{and: [prod, {not: prod}]}, a, {concat: [a, b]}]}", [(), (2,)]),
    ],
)
def test_findings_of_a_choice_stand_at_its_branches(value: str, places: list[Any]) -> None:
    """Of one whose condition is always the same, at that one."""
    found = [one.path for one in converted(value).diagnostics if one.path[:2] == ("outputs", "o")]
    assert [path[4:] for path in found if path[3:4] in ((), ("if",))] == places


@pytest.mark.parametrize("choices", [0, 1, 3])
def test_choices_make_data_no_deeper(choices: int) -> None:
    """Each is a hidden input with its branches."""
    for depth, codes in ((LEVELS, set()), (LEVELS + 1, {"BPC224"})):
        data = "{a: " * depth + "1" + "}" * depth
        for _ in range(choices):
            data = f"{{if: [prod, {data}, b]}}"
        assert {code for code, _ in output(data)[1]} - {"BPC223"} == codes


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("{get_attr: [many, name]}", {"get_attributes_list": ["many", "name"]}),
        ("{get_attr: [many, refs]}", {"get_attributes_list": ["many", "id"]}),
        ("{get_attr: [many, attributes, name]}", {"get_attributes_dict": ["many", "name"]}),
    ],
)
def test_values_of_all_members(value: str, written: Any) -> None:
    assert output(value)[0] == written


@pytest.mark.parametrize("name", ["project_id", "region"])
def test_what_the_manager_does_not_know_is_asked_for(name: str) -> None:
    """Where a node needs it, an output has it, too."""
    fact = f"{{get_param: 'OS::{name}'}}"
    user = f"  user: {{type: OS::Neutron::Net, properties: {{name: {fact}}}}}\n"
    result = convert(f"{HEAD.replace('outputs:', f'{user}outputs:')}{fact}}}}}\n", carry=False)
    asked = {"get_input": f"os_{name}"}
    assert result.document["outputs"]["o"]["value"] == asked
    assert result.document["node_templates"]["user"]["properties"]["resource_config"] == {"name": asked}


@pytest.mark.parametrize("other", ["", ", null"])
def test_a_map_to_merge_that_a_condition_removes_is_empty(other: str) -> None:
    result = converted(f"{{map_merge: [{{get_param: data}}, {{if: [prod, {{a: b}}{other}]}}]}}")
    merged = {"merge": [{"get_input": "data"}, condition("if_o_map_merge")]}
    assert result.document["outputs"]["o"]["value"] == merged
    assert result.document["inputs"]["if_o_map_merge"]["default"] == [{"a": "b"}, {}]


# -- calls of other languages -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "call",
    [
        ex.Concat(("a", ex.Input("env", strict=True))),
        ex.Find(ex.Input("env", strict=True), "d"),
        ex.StringReplace(ex.Input("env", strict=True), "a", "b"),
        ex.StringReplace(ex.Input("env", strict=True), "a", "b", 1),
        ex.Lower(ex.Input("env", strict=True)),
        ex.Upper(ex.Input("env", strict=True)),
        ex.Secret("s", ("k",)),
        ex.Capability("c", "d"),
        ex.Property("SELF", "p"),
        ex.Property("own", "p", ("k",)),
    ],
    ids=lambda call: type(call).__name__,
)
def test_calls_that_only_the_dsl_has_stay(call: ex.Expr) -> None:
    """They come from where they are kept for the way back, and from service templates."""
    writing = Writing(Node("own", "my.Type", native="cloudify"))
    assert repr(writing.put(call, to="p")["p"]) == repr(call)
    assert writing.found == []


@pytest.mark.parametrize(
    ("node", "reason"),
    [("other", "there is no such property, or its value is not known"), ("missing", "there is no such node")],
)
def test_properties_are_those_of_nodes_of_the_dsl(node: str, reason: str) -> None:
    writing = Writing(Node("other", "OS::Foo::Bar"))
    writing.put(ex.Property(node, "p", path=("resources", "a", "properties", "p")), to="p")
    assert writing.messages == [f"not converted, asked for as input 'a_p': {reason}"]


def test_the_page_has_what_each_rule_says(root: Path) -> None:
    """docs/functions.md is made of them; facts, and what Heat has no function for, stand there in other words."""
    page = (root / "docs/functions.md").read_text(encoding="utf-8")
    assert [kind.__name__ for kind, rule in RULES.items() if rule.how not in page] == ["System", "AttributeDict"]
