"""Every HOT function as a blueprint says it: one line a case, with the diagnostics that come along."""

from __future__ import annotations

from typing import Any

import pytest

from bpconvert.api import Result, convert
from bpconvert.yamlio.document import load
from bpconvert.yamlio.emit import emit

HEAD = """
heat_template_version: 2021-04-16
parameters:
  env: {type: string, default: dev}
  size: {type: number, default: 3}
  flag: {type: boolean, default: true}
  names: {type: comma_delimited_list, default: "a,b"}
  data: {type: json, default: {k: v, list: [x, y], n: 1}}
conditions:
  prod: {equals: [{get_param: env}, prod]}
  both: {and: [prod, {get_param: flag}]}
resources:
  net: {type: "OS::Neutron::Net"}
  sub: {type: "OS::Neutron::Subnet", properties: {network: {get_resource: net}, cidr: 10.0.0.0/24}}
  port:
    type: OS::Neutron::Port
    properties: {network: {get_resource: net}, fixed_ips: [{subnet: {get_resource: sub}}]}
  server: {type: "OS::Nova::Server", properties: {image: i, flavor: f, networks: [{port: {get_resource: port}}]}}
  secret: {type: "OS::Heat::RandomString"}
outputs:
  o:
    value: """


def output(value: str) -> tuple[Any, list[str], Result]:
    """What ``value`` becomes as an output, and the codes of the diagnostics about it."""
    result = convert(HEAD + value + "\n", asked="inputs")
    found = sorted({d.code for d in result.diagnostics if d.path[:1] == ("outputs",)})
    return result.document["outputs"].get("o", {}).get("value"), found, result


REWRITTEN, COMPUTED, INERT = ["BPC223"], ["BPC222"], ["BPC202"]
CASES: list[tuple[str, Any, list[str]]] = [
    # references
    ("{get_param: env}", {"get_input": "env"}, []),
    ("{get_param: [data, k]}", {"get_input": ["data", "k"]}, []),
    ("{get_param: [data, list, '1']}", {"get_input": ["data", "list", 1]}, []),
    ("{get_param: [names, '0']}", {"get_input": ["names", 0]}, []),
    ("{get_param: [names, 7]}", 'not converted: {"get_param": ["names", 7]}', INERT),
    ("{get_param: [data, absent]}", {"get_input": ["data", "absent"]}, ["BPC209"]),
    ("{get_param: [data, {get_param: env}]}", {"get_input": ["data", {"get_input": "env"}]}, ["BPC209"]),
    ("{get_param: [env, 0]}", 'not converted: {"get_param": ["env", 0]}', INERT),
    ("{get_param: 'OS::stack_name'}", {"get_sys": ["deployment", "name"]}, []),
    ("{get_param: 'OS::stack_id'}", {"get_sys": ["deployment", "id"]}, []),
    ("{get_param: 'OS::project_id'}", 'not converted: {"get_param": "OS::project_id"}', INERT),
    ("{get_param: 'OS::region'}", 'not converted: {"get_param": "OS::region"}', INERT),
    ("{get_resource: server}", {"get_attribute": ["server", "id"]}, []),
    ("{get_resource: secret}", {"get_attribute": ["secret", "password"]}, []),
    ("{get_attr: [server, first_address]}", {"get_attribute": ["server", "ip"]}, ["BPC309"]),
    ("{get_attr: [server, console_urls]}", 'not converted: {"get_attr": ["server", "console_urls"]}', INERT),
    ("{get_attr: [sub, cidr]}", {"get_property": ["sub", "resource_config", "cidr"]}, []),
    ("{get_attr: [sub, gateway_ip]}", 'not converted: {"get_attr": ["sub", "gateway_ip"]}', INERT),
    ("{get_attr: [sub, network_id]}", {"get_attribute": ["net", "id"]}, []),
    ("{get_attr: [port, fixed_ips, 0, ip_address]}", {"get_attribute": ["port", "fixed_ips", 0]}, []),
    ("{get_attr: [port, fixed_ips, 0, subnet_id]}", {"get_attribute": ["sub", "id"]}, []),
    ("{get_attr: [port, subnets, 0, cidr]}", {"get_property": ["sub", "resource_config", "cidr"]}, []),
    ("{get_attr: [server, networks, n, 0]}", {"get_attribute": ["port", "fixed_ips", 0]}, ["BPC310"]),
    ("{get_attr: [server, addresses, n, 0, port]}", {"get_attribute": ["port", "id"]}, REWRITTEN),
    # text
    ("{list_join: ['-', [a, {get_param: env}, c]]}", {"concat": ["a-", {"get_input": "env"}, "-c"]}, REWRITTEN),
    ("{list_join: ['', [a, b], [c]]}", "abc", COMPUTED),
    ("{list_join: ['.', [{get_param: env}]]}", {"get_input": "env"}, REWRITTEN),
    ("{list_join: [',', [{b: 1, a: [x]}, y]]}", '{"a": ["x"], "b": 1},y', COMPUTED),
    (
        "{list_join: [',', {str_split: ['-', {get_param: env}]}]}",
        {"string_replace": [{"get_input": "env"}, "-", ","]},
        REWRITTEN,
    ),
    ("{list_join: [',', {get_param: data}]}", 'not converted: {"list_join": [",", {"get_param": "data"}]}', INERT),
    (
        "{str_replace: {template: 'AB $e', params: {A: B, B: A, $e: {get_param: env}}}}",
        {"concat": ["BA ", {"get_input": "env"}]},
        REWRITTEN,
    ),
    ("{str_replace: {template: n=%n, params: {'%n': 1.50}}}", "n=1.5", COMPUTED),
    (
        "{str_replace: {template: n=%n, params: {'%n': {get_param: size}}}}",
        {"concat": ["n=", {"get_input": "size"}]},
        REWRITTEN,
    ),
    ("{str_replace: {template: n=%n, params: {'%n': true}}}", "n=True", COMPUTED),
    ("{str_split: [',', {get_param: env}, 1]}", {"string_split": [{"get_input": "env"}, ",", 1]}, REWRITTEN),
    ("{str_split: [',', 'a,b']}", ["a", "b"], COMPUTED),
    (
        "{str_split: [',', {get_attr: [server, name]}]}",
        'not converted: {"str_split": [",", {"get_attr": ["server", "name"]}]}',
        INERT,
    ),
    ("{digest: [md5, abc]}", "900150983cd24fb0d6963f7d28e17f72", COMPUTED),
    ("{make_url: {scheme: http, host: h, port: 80, path: /p}}", "http://h:80/p", COMPUTED),
    # lists and maps
    ("{map_merge: [{a: 1}, {a: 2, b: 3}]}", {"a": 2, "b": 3}, COMPUTED),
    ("{map_merge: [{a: 1}, {get_param: data}]}", {"merge": [{"a": 1}, {"get_input": "data"}]}, []),
    ("{map_replace: [{a: 1}, {keys: {a: b}}]}", {"b": 1}, COMPUTED),
    ("{list_concat: [[a], [{get_param: env}]]}", ["a", {"get_input": "env"}], COMPUTED),
    ("{list_concat_unique: [[a, b], [b]]}", ["a", "b"], COMPUTED),
    (
        "{list_concat_unique: [[a], {get_param: names}]}",
        'not converted: {"list_concat_unique": [["a"], {"get_param": "names"}]}',
        INERT,
    ),
    ("{repeat: {template: 'x%i', for_each: {'%i': ['1', '2']}}}", ["x1", "x2"], COMPUTED),
    ("{filter: [[a], [a, b]]}", ["b"], COMPUTED),
    # choice
    ("{if: [true, a, b]}", "a", COMPUTED),
    ("{if: [{get_param: flag}, a, b]}", {"get_input": ["if_o", {"get_input": "flag"}]}, REWRITTEN),
    ("{contains: [a, [a, b]]}", True, COMPUTED),
    ("{get_param: undeclared}", {"get_input": "undeclared"}, ["BPC210"]),
    # data that only looks like a call
    ("{equals: [1, 1]}", {"equals": [1, 1]}, []),
    ("{concat: [a, b]}", '{"concat": ["a", "b"]}', ["BPC205"]),
    ("{get_param: env, other: 1}", {"get_param": "env", "other": 1}, []),
]


@pytest.mark.parametrize(("hot", "expected", "codes"), CASES, ids=[case[0] for case in CASES])
def test_said_as(hot: str, expected: Any, codes: list[str]) -> None:
    value, found, _ = output(hot)
    assert value == expected
    assert isinstance(value, type(expected))
    assert found == codes


FIND = {"string_find": ["|prod|", {"concat": ["|", {"get_input": "env"}, "|"]}]}


@pytest.mark.parametrize(
    ("condition", "index", "branches"),
    [
        ("prod", FIND, ["yes", "no"]),
        ("{not: prod}", FIND, ["no", "yes"]),
        ("{get_param: flag}", {"get_input": "flag"}, ["no", "yes"]),
        ("both", FIND, [{"get_input": ["if_o", {"get_input": "flag"}]}, "no"]),
        ("{or: [prod, {get_param: flag}]}", FIND, ["yes", {"get_input": ["if_o", {"get_input": "flag"}]}]),
        ("{contains: [{get_param: env}, [prod]]}", FIND, ["yes", "no"]),
        (
            "{equals: [{get_param: size}, 3]}",
            {"string_find": ["|3|", {"concat": ["|", {"get_input": "size"}, "|"]}]},
            ["yes", "no"],
        ),
    ],
)
def test_conditions_pick_a_branch(condition: str, index: Any, branches: list[Any]) -> None:
    value, found, result = output("{if: [" + condition + ", 'yes', 'no']}")
    name, written = value["get_input"]
    assert written == index
    assert result.document["inputs"][name]["default"] == branches
    assert result.document["inputs"][name]["hidden"] is True
    assert set(found) <= {"BPC207", "BPC223"}


def test_the_same_branches_share_an_input() -> None:
    value, _, result = output("[{if: [prod, a, b]}, {if: [{get_param: flag}, b, a]}, {if: [prod, a, b]}]")
    assert [item["get_input"][0] for item in value] == ["if_o"] * 3
    assert [name for name in result.document["inputs"] if name.startswith("if_")] == ["if_o"]


@pytest.mark.parametrize(
    ("expression", "reason"),
    [
        ("{if: [{equals: [{get_param: size}, {get_param: flag}]}, a, b]}", "different types"),
        ("{if: [{contains: [{get_param: env}, {get_param: names}]}, a, b]}", "not decided by comparing inputs"),
        ("{if: [nowhere, a, b]}", "nowhere"),
        ("{yaql: {expression: '$.data', data: {get_param: env}}}", "no counterpart of 'yaql'"),
    ],
)
def test_what_cannot_be_said_is_visible_and_named(expression: str, reason: str) -> None:
    value, found, result = output(expression)
    assert "not converted: " in str(value)
    assert "BPC202" in found
    assert any(reason in d.message for d in result.diagnostics)


def test_in_a_node_it_becomes_a_required_input() -> None:
    source = HEAD.replace("image: i", "image: {yaql: {expression: $, data: {get_param: env}}}") + "x\n"
    result = convert(source, asked="inputs")
    assert result.document["node_templates"]["server"]["properties"]["image"] == {"get_input": "server_image"}
    declared = result.document["inputs"]["server_image"]
    assert "default" not in declared
    assert '{"yaql"' in declared["description"]
    assert [d.code for d in result.diagnostics if d.path[:2] == ("resources", "server")] == ["BPC201"]


def test_only_the_part_that_cannot_be_said_is_replaced() -> None:
    text = "{str_replace: {template: '#!hosts=$h env=$e', params: {$h: {get_param: data}, $e: {get_param: env}}}}"
    source = HEAD.replace("flavor: f", f"flavor: f, user_data: {text}") + "x\n"
    server = convert(source, asked="inputs").document["node_templates"]["server"]
    assert server["properties"]["resource_config"]["user_data"] == {
        "concat": ["#!hosts=", {"get_input": "server_user_data_str_replace"}, " env=", {"get_input": "env"}]
    }


def test_functions_of_a_later_version_are_data() -> None:
    source = (
        HEAD.replace("2021-04-16", "2013-05-23").split("conditions:")[0]
        + "outputs: {o: {value: {map_merge: [{a: 1}]}}}\n"
    )
    assert convert(source).document["outputs"]["o"]["value"] == {"map_merge": [{"a": 1}]}


def test_the_text_of_a_file_is_written_in_place(tmp_path: Any) -> None:
    (tmp_path / "boot.sh").write_text("#!/bin/sh\necho $who\n")
    (tmp_path / "app.yaml").write_text(
        HEAD + "{str_replace: {template: {get_file: boot.sh}, params: {$who: {get_param: env}}}}\n"
    )
    result = convert(tmp_path / "app.yaml")
    assert result.document["outputs"]["o"]["value"] == {"concat": ["#!/bin/sh\necho ", {"get_input": "env"}, "\n"]}
    assert {"BPC614", "BPC223"} <= {d.code for d in result.diagnostics}


def test_files_outside_the_folder_are_not_read(tmp_path: Any) -> None:
    (tmp_path / "secret").write_text("x")
    folder = tmp_path / "templates"
    folder.mkdir()
    (folder / "app.yaml").write_text(HEAD + "{get_file: ../secret}\n")
    result = convert(folder / "app.yaml")
    assert "BPC611" in {d.code for d in result.diagnostics}
    assert convert(folder / "app.yaml", allow_outside=True).document["outputs"]["o"]["value"] == "x"


def test_what_is_written_is_read_back_the_same() -> None:
    result = output("{get_param: env}")[2]
    assert load(emit(result.document)).data == result.document


@pytest.mark.parametrize(
    ("type", "path", "said", "codes"),
    [
        ("string, constraints: [{allowed_values: [a, b]}]", "{get_param: p}", ["h://x/", "p"], []),
        ("string, constraints: [{allowed_values: [/a, /b]}]", "{get_param: p}", ["h://x", "p"], []),
        ("string, constraints: [{allowed_values: [a, /b]}]", "{get_param: p}", ["h://x", "p"], ["BPC228"]),
        ("string", "{get_param: p}", ["h://x", "p"], ["BPC228"]),
        ("number", "{get_param: p}", ["h://x/", "p"], []),
        ("number", "{list_join: ['', [{get_param: p}, /n]]}", ["h://x/", "p", "/n"], []),
    ],
)
def test_the_path_of_a_url_begins_with_a_slash(type: str, path: str, said: list[str], codes: list[str]) -> None:
    head = f"heat_template_version: 2018-08-31\nparameters: {{p: {{type: {type}}}}}\n"
    source = f"{head}outputs: {{o: {{value: {{make_url: {{scheme: h, host: x, path: {path}}}}}}}}}\n"
    made = convert(source, asked="inputs")
    value = load(made.text).data["outputs"]["o"]["value"]
    assert value == {"concat": [{"get_input": item} if item == "p" else item for item in said]}
    assert [one.code for one in made.diagnostics if one.code != "BPC223"] == codes
