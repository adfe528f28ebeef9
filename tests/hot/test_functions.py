"""Reading raw HOT values into expressions: which maps are calls in which version, and what they become."""

from __future__ import annotations

from typing import Any

import pytest

from bpconvert.models.expressions import (
    And,
    Attribute,
    Condition,
    Contains,
    Digest,
    Equals,
    Facade,
    File,
    Filter,
    Foreign,
    Identity,
    If,
    Input,
    Join,
    ListConcat,
    MapReplace,
    Merge,
    Not,
    Or,
    Query,
    Repeat,
    Replace,
    Select,
    Split,
    System,
    Url,
    walk,
)
from bpconvert.translators.hot.functions import (
    FUNCTIONS,
    VERSIONS,
    Problem,
    Reader,
    functions_of,
    nearest_version,
    read_resolved,
    resolve_version,
)

DATES = list(VERSIONS)
BASE, JUNO, KILO, LIBERTY, MITAKA, NEWTON, OCATA, PIKE, QUEENS, ROCKY, WALLABY = DATES


def read_value(raw: Any, version: Any, path: tuple[Any, ...] = (), problems: Any = None, **options: Any) -> Any:
    """One value; what is wrong with it goes to ``problems``."""
    reader = Reader(version, **options)
    value = reader.value(raw, path)
    if problems is not None:
        problems += reader.problems
    return value


def read_condition(raw: Any, version: Any, path: tuple[Any, ...], problems: Any, definition: bool = False) -> Any:
    """One condition; what is wrong with it goes to ``problems``."""
    reader = Reader(version)
    value = reader.condition(raw, path, definition=definition)
    problems += reader.problems
    return value


def read(raw: Any, version: str = WALLABY, **options: Any) -> Any:
    """The value, with no problem reported."""
    problems: list[Problem] = []
    value = read_value(raw, VERSIONS[version], problems=problems, **options)
    assert not problems
    return value


# -- versions -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "date"),
    [*((date, date) for date in DATES), ("newton", NEWTON), ("ocata", OCATA), ("pike", PIKE), ("queens", QUEENS),
     ("rocky", ROCKY), ("wallaby", WALLABY)],
)  # fmt: skip
def test_known_versions(text: str, date: str) -> None:
    found = resolve_version(text)
    assert found is VERSIONS[date]
    assert nearest_version(text) is found


@pytest.mark.parametrize("text", ["2015-05-23", "train", "Newton", "mitaka", "", None, 20130523])
def test_unknown_versions(text: Any) -> None:
    assert resolve_version(text) is None


@pytest.mark.parametrize(
    ("text", "date"),
    [("2015-05-23", KILO), ("2020-08-07", ROCKY), ("2012-01-01", BASE), ("2030-01-01", WALLABY), ("juno", JUNO),
     ("mitaka", MITAKA), ("train", ROCKY), ("zed", WALLABY), ("antelope", WALLABY), ("", WALLABY), (None, WALLABY)],
)  # fmt: skip
def test_nearest_version(text: Any, date: str) -> None:
    assert nearest_version(text).date == date


#: function -> since, rejected from (heat/engine/hot/template.py, the ``functions`` of each version)
MATRIX = {
    "contains": PIKE, "digest": KILO, "filter": OCATA, "get_attr": BASE, "get_file": BASE, "get_param": BASE,
    "get_resource": BASE, "if": NEWTON, "list_concat": PIKE, "list_concat_unique": PIKE, "list_join": BASE,
    "make_url": PIKE, "map_merge": MITAKA, "map_replace": NEWTON, "repeat": KILO, "resource_facade": BASE,
    "str_replace": BASE, "str_replace_strict": OCATA, "str_replace_vstrict": PIKE, "str_split": LIBERTY, "yaql": NEWTON,
}  # fmt: skip
REMOVED = {
    "Fn::Base64": JUNO, "Fn::GetAZs": JUNO, "Fn::Join": JUNO, "Fn::MemberListToMap": JUNO, "Fn::Replace": JUNO,
    "Fn::ResourceFacade": JUNO, "Fn::Select": LIBERTY, "Fn::Split": JUNO, "Ref": JUNO,
}  # fmt: skip
CONDITIONS = {
    "get_param": NEWTON, "equals": NEWTON, "not": NEWTON, "and": NEWTON, "or": NEWTON, "yaql": PIKE, "contains": PIKE,
}  # fmt: skip


@pytest.mark.parametrize("date", DATES)
def test_which_names_are_calls(date: str) -> None:
    names = set(functions_of(VERSIONS[date]))
    assert names == {name for name, since in MATRIX.items() if since <= date} | set(REMOVED)


@pytest.mark.parametrize("date", DATES)
@pytest.mark.parametrize("name", REMOVED)
def test_removed_functions(name: str, date: str) -> None:
    problems: list[Problem] = []
    value = read_value({name: "x"}, VERSIONS[date], ("a",), problems=problems)
    if date >= REMOVED[name]:
        assert value == Foreign("hot", name, "x")
        assert [(problem.path, problem.kind) for problem in problems] == [(("a",), "removed")]
    else:
        assert not any(problem.kind == "removed" for problem in problems)


@pytest.mark.parametrize("date", DATES)
def test_which_names_are_conditions(date: str) -> None:
    version = VERSIONS[date]
    usable = {name for name, reader in functions_of(version, "condition").items() if reader.__name__[0] != "_"}
    assert usable == {name for name, since in CONDITIONS.items() if since <= date}


def test_every_function_says_what_it_does() -> None:
    assert all(function.form and function.meaning for function in FUNCTIONS)
    assert {function.name for function in FUNCTIONS} == {*MATRIX, *REMOVED, *CONDITIONS}


# -- calls and data -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("raw", "version"),
    [
        ({"contains": ["a", ["a"]]}, OCATA),
        ({"repeat": {"template": "x", "for_each": {"x": ["y"]}}}, JUNO),
        ({"equals": [1, 1]}, WALLABY),
        ({"not": True}, WALLABY),
        ({"if": [True, 1, 2]}, MITAKA),
        ({"Fn::GetAtt": ["r", "ip"]}, BASE),
        ({"Fn::If": ["c", 1, 2]}, WALLABY),
        ({"get_foo": "x"}, WALLABY),
        ({"get_param": "s", "other": 1}, WALLABY),
        ({"str_split": [",", "a"]}, KILO),
        ({}, WALLABY),
        ([], WALLABY),
        ("get_param", WALLABY),
        ({1: {"x": None}, False: [1.5]}, WALLABY),
    ],
)
def test_plain_data(raw: Any, version: str) -> None:
    value = read(raw, version)
    assert value == raw
    assert not list(walk(value))
    assert value is not raw or not isinstance(raw, (dict, list))


def test_data_around_calls_is_copied_in_order() -> None:
    class Marked(dict[str, Any]):
        pass

    raw = Marked(b=[{"get_param": "p"}, 1], a=Marked(x="y"))
    value = read(raw)
    assert value == {"b": [Input("p"), 1], "a": {"x": "y"}}
    assert list(value) == ["b", "a"]
    assert type(value) is dict
    assert type(value["a"]) is dict


@pytest.mark.parametrize(
    ("raw", "version", "expected"),
    [
        ({"get_param": "p"}, BASE, Input("p")),
        ({"get_param": ["p", "k", 0]}, BASE, Input("p", ("k", 0))),
        ({"get_param": ["p", {"get_param": "q"}]}, BASE, Input("p", (Input("q"),))),
        ({"get_param": {"get_param": "q"}}, BASE, Input(Input("q"))),
        ({"get_param": [{"list_join": ["", ["a"]]}, "k"]}, LIBERTY, Input(Join("", (["a"],)), ("k",))),
        ({"get_param": "OS::stack_name"}, BASE, System("deployment.name")),
        ({"get_param": ["OS::stack_id"]}, BASE, System("deployment.id")),
        ({"get_param": "OS::project_id"}, BASE, System("project.id")),
        ({"get_param": "OS::region"}, BASE, System("region")),
        ({"get_param": ["OS::stack_name", 0]}, BASE, Foreign("hot", "get_param", ["OS::stack_name", 0])),
        ({"get_resource": "r"}, BASE, Identity("r")),
        ({"get_resource": {"get_param": "p"}}, BASE, Identity(Input("p"))),
        ({"get_attr": ["r", "ip"]}, BASE, Attribute("r", "ip")),
        ({"get_attr": ["r", "nets", "n", 0]}, KILO, Attribute("r", "nets", ("n", 0))),
        ({"get_attr": ["r"]}, LIBERTY, Attribute("r")),
        ({"get_attr": "r"}, LIBERTY, Attribute("r")),
        ({"get_attr": ["r", None]}, LIBERTY, Attribute("r")),
        ({"get_file": "f"}, BASE, File("f")),
        ({"resource_facade": "metadata"}, BASE, Facade("metadata")),
        ({"Fn::ResourceFacade": "DeletionPolicy"}, BASE, Facade("deletion_policy")),
        ({"list_join": [",", ["a"]]}, KILO, Join(",", (["a"],), json_items=False)),
        ({"list_join": [",", ["a"], {"get_param": "p"}]}, LIBERTY, Join(",", (["a"], Input("p")))),
        ({"Fn::Join": ["", ["a", "b"]]}, BASE, Join("", (["a", "b"],), json_items=False)),
        ({"str_replace": {"template": "t", "params": {"a": 1}}}, KILO, Replace("t", {"a": 1}, json_values=False)),
        ({"str_replace": {"template": "t", "params": {"get_param": "p"}}}, LIBERTY, Replace("t", Input("p"))),
        ({"str_replace_strict": {"template": "t", "params": {}}}, OCATA, Replace("t", {}, 1)),
        ({"str_replace_vstrict": {"template": "t", "params": {}}}, PIKE, Replace("t", {}, 2)),
        ({"Fn::Replace": [{"a": 1}, "t"]}, BASE, Replace("t", {"a": 1}, json_values=False)),
        ({"str_split": [",", "a,b"]}, LIBERTY, Split(",", "a,b")),
        ({"str_split": [",", "a,b", 1]}, LIBERTY, Split(",", "a,b", 1)),
        ({"str_split": {"get_param": "p"}}, LIBERTY, Foreign("hot", "str_split", Input("p"))),
        ({"Fn::Split": [",", "a,b"]}, BASE, Split(",", "a,b", strict=True)),
        ({"Fn::Base64": {"get_param": "p"}}, BASE, Input("p")),
        ({"Fn::Select": ["1", ["a", "b"]]}, KILO, Select("1", ["a", "b"])),
        ({"Fn::GetAZs": ""}, BASE, Foreign("hot", "Fn::GetAZs", "")),
        ({"digest": ["md5", "x"]}, KILO, Digest("md5", "x")),
        ({"make_url": {"host": {"get_param": "p"}}}, PIKE, Url({"host": Input("p")})),
        ({"map_merge": [{"a": 1}, None]}, MITAKA, Merge([{"a": 1}, None])),
        ({"map_merge": ""}, MITAKA, Merge([])),
        ({"map_replace": [{"a": 1}, {"keys": {"a": "b"}}]}, NEWTON, MapReplace({"a": 1}, {"a": "b"})),
        ({"map_replace": [{"a": 1}, {"values": {1: 2}}]}, NEWTON, MapReplace({"a": 1}, values={"1": 2})),
        ({"map_merge": [{1.5: [{True: 1, None: 2}]}]}, MITAKA, Merge([{"1.5": [{"true": 1, "null": 2}]}])),
        ({"map_replace": [{"a": 1}, None]}, NEWTON, MapReplace({"a": 1})),
        ({"map_replace": [{}, {"get_param": "p"}]}, NEWTON, Foreign("hot", "map_replace", [{}, Input("p")])),
        ({"list_concat": [[1], {"get_param": "p"}]}, PIKE, ListConcat([[1], Input("p")])),
        ({"list_concat_unique": [[1]]}, PIKE, ListConcat([[1]], unique=True)),
        ({"filter": [[1], [2]]}, OCATA, Filter([1], [2])),
        ({"repeat": {"template": "x", "for_each": {"x": ["y"]}}}, KILO, Repeat("x", {"x": ["y"]})),
        ({"repeat": {"template": "x", "for_each": {"x": {"y": 1}}}}, NEWTON, Repeat("x", {"x": {"y": 1}})),
        ({"repeat": {"template": "x", "for_each": {}, "permutations": False}}, PIKE, Repeat("x", {}, False)),
        ({"yaql": {"expression": "$", "data": {"a": {"get_param": "p"}}}}, NEWTON, Query("$", {"a": Input("p")})),
        ({"yaql": {"expression": "$"}}, NEWTON, Query("$", {})),
        ({"contains": ["a", {"get_param": "p"}]}, PIKE, Contains("a", Input("p"))),
        ({"if": ["c", {"get_param": "p"}, 2]}, NEWTON, If(Condition("c"), Input("p"), 2)),
        ({"if": [True, 1]}, WALLABY, If(True, 1)),
        (
            {"if": [{"and": ["a", {"not": "b"}, {"get_param": "p"}]}, 1, 2]},
            NEWTON,
            If(And((Condition("a"), Not(Condition("b")), Input("p"))), 1, 2),
        ),
    ],
)
def test_calls(raw: Any, version: str, expected: Any) -> None:
    assert read(raw, version) == expected


def test_declared_parameters_hide_pseudo_parameters() -> None:
    assert read({"get_param": "OS::stack_name"}, declared={"OS::stack_name"}) == Input("OS::stack_name")


def test_ref_is_a_resource_or_a_parameter() -> None:
    names = {"r"}
    assert read({"Ref": "r"}, BASE, names=names) == Identity("r")
    assert read({"Ref": "p"}, BASE, names=names) == Input("p")
    assert read({"Ref": "OS::stack_name"}, BASE, names=names) == System("deployment.name")
    assert read({"Ref": "p"}, BASE) == Foreign("hot", "Ref", "p")


def test_paths_are_where_the_call_stands() -> None:
    raw = {"list_join": ["", ["a", {"get_param": ["p", {"get_attr": ["r", "k"]}]}]]}
    problems: list[Problem] = []
    value = read_value({"x": raw}, VERSIONS[WALLABY], ("outputs", "o"), problems=problems)
    assert [expr.path for expr in walk(value)] == [
        ("outputs", "o", "x"),
        ("outputs", "o", "x", "list_join", 1, 1),
        ("outputs", "o", "x", "list_join", 1, 1, "get_param", 1),
    ]


# -- problems -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("raw", "version"),
    [
        ({"get_param": 5}, WALLABY),
        ({"get_param": []}, WALLABY),
        ({"get_param": ""}, WALLABY),
        ({"get_param": {"a": 1, "b": 2}}, WALLABY),
        ({"get_param": [5]}, WALLABY),
        ({"get_resource": ["r"]}, WALLABY),
        ({"get_attr": "res"}, WALLABY),
        ({"get_attr": []}, WALLABY),
        ({"get_attr": ["r"]}, KILO),
        ({"get_attr": {"get_param": "p"}}, WALLABY),
        ({"get_file": ["f"]}, WALLABY),
        ({"resource_facade": "Metadata"}, WALLABY),
        ({"list_join": [","]}, WALLABY),
        ({"list_join": {"get_param": "p"}}, WALLABY),
        ({"list_join": [",", ["a"], ["b"]]}, KILO),
        ({"str_replace": {"template": "t"}}, WALLABY),
        ({"str_replace": ["t", {}]}, WALLABY),
        ({"str_replace": {"template": "t", "params": None}}, WALLABY),
        ({"str_replace": {"template": 5, "params": {}}}, WALLABY),
        ({"str_split": "a,b"}, WALLABY),
        ({"str_split": [","]}, WALLABY),
        ({"digest": ["md5"]}, WALLABY),
        ({"make_url": {"protocol": "http"}}, WALLABY),
        ({"make_url": {"get_param": "p"}}, WALLABY),
        ({"map_merge": {"a": 1, "b": 2}}, WALLABY),
        ({"map_replace": [{}, {"key": {}}]}, WALLABY),
        ({"map_replace": [{}]}, WALLABY),
        ({"map_replace": ["x", {}]}, WALLABY),
        ({"list_concat": "ab"}, WALLABY),
        ({"filter": [[1]]}, WALLABY),
        ({"repeat": {"template": "x"}}, WALLABY),
        ({"repeat": {"template": "x", "for_each": ["x"]}}, WALLABY),
        ({"repeat": {"template": "x", "for_each": {}, "permutations": "no"}}, WALLABY),
        ({"repeat": {"template": "x", "for_each": {"x": {"a": 1, "b": 2}}}}, MITAKA),
        ({"yaql": {"expression": "$", "other": 1}}, WALLABY),
        ({"yaql": {"data": 1}}, WALLABY),
        ({"yaql": {"expression": 5}}, WALLABY),
        ({"contains": ["a"]}, WALLABY),
        ({"if": ["c", 1]}, ROCKY),
        ({"if": ["c"]}, WALLABY),
        ({"if": "c"}, WALLABY),
        ({"Ref": ["r"]}, BASE),
        ({"Fn::Split": [{"get_param": "p"}, "x"]}, BASE),
        ({"Fn::Select": ["1"]}, BASE),
    ],
)
def test_malformed_calls_stay(raw: Any, version: str) -> None:
    problems: list[Problem] = []
    ((name, argument),) = raw.items()
    value = read_value(raw, VERSIONS[version], ("here",), problems=problems)
    assert isinstance(value, Foreign)
    assert (value.dialect, value.name, value.path) == ("hot", name, ("here",))
    kind = "late" if name in ("get_param", "get_resource", "get_file", "Fn::Split", "Fn::Base64") else "malformed"
    assert [(problem.path, problem.kind) for problem in problems] == [(("here",), kind)]
    assert value.argument == read(argument, version)


def test_calls_inside_malformed_ones_are_read() -> None:
    raw = {"str_replace": {"params": {"a": {"get_attr": ["r", "ip"]}}}}
    value = read_value(raw, VERSIONS[WALLABY], problems=[])
    assert value == Foreign("hot", "str_replace", {"params": {"a": Attribute("r", "ip")}})


@pytest.mark.parametrize(
    ("raw", "version"),
    [
        ({"str_replace": {"template": "t", "params": {}, "other": 1}}, WALLABY),
        ({"repeat": {"template": "x", "for_each": {}, "permutations": False}}, OCATA),
        ({"str_split": [",", "a,b", 0, "more"]}, WALLABY),
        ({"get_attr": ["r", None, "k"]}, WALLABY),
    ],
)
def test_parts_without_effect_are_named(raw: Any, version: str) -> None:
    problems: list[Problem] = []
    value = read_value(raw, VERSIONS[version], ("here",), problems=problems)
    assert not isinstance(value, Foreign)
    assert [(problem.path, problem.kind) for problem in problems] == [(("here",), "ignored")]


# -- conditions ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (True, True),
        ("name", Condition("name")),
        ({"get_param": "p"}, Input("p")),
        ({"equals": [{"get_param": "p"}, "prod"]}, Equals(Input("p"), "prod")),
        ({"not": "c"}, Not(Condition("c"))),
        ({"not": {"not": False}}, Not(Not(False))),
        ({"and": ["a", True, {"equals": [1, 1]}]}, And((Condition("a"), True, Equals(1, 1)))),
        ({"or": ["a", None]}, Or((Condition("a"), None))),
        ({"contains": ["a", {"get_param": "l"}]}, Contains("a", Input("l"))),
        ({"yaql": {"expression": "$"}}, Query("$", {})),
    ],
)
def test_conditions(raw: Any, expected: Any) -> None:
    problems: list[Problem] = []
    assert read_condition(raw, VERSIONS[WALLABY], ("c",), problems=problems) == expected
    assert not problems


@pytest.mark.parametrize(
    ("raw", "kind"),
    [
        ({"list_join": ["", []]}, "context"),
        ({"get_attr": ["r", "ip"]}, "context"),
        ({"if": [True, True, False]}, "context"),
        ({"Ref": "p"}, "removed"),
        ({"equals": [1]}, "malformed"),
        ({"not": ["a"]}, "late"),
        ({"not": None}, "malformed"),
        ({"and": ["a"]}, "malformed"),
        ({"or": "ab"}, "malformed"),
        ({"and": ["a", 5]}, "late"),
        ({"nothing": 1}, "malformed"),
        (["a"], "malformed"),
        (5, "malformed"),
    ],
)
def test_no_conditions(raw: Any, kind: str) -> None:
    problems: list[Problem] = []
    read_condition(raw, VERSIONS[WALLABY], ("c",), problems=problems)
    assert [(problem.path, problem.kind) for problem in problems] == [(("c",), kind)]


@pytest.mark.parametrize("raw", ["true", "other", None, 1])
def test_a_definition_is_no_name(raw: Any) -> None:
    problems: list[Problem] = []
    read_condition(raw, VERSIONS[WALLABY], ("conditions", "c"), problems=problems, definition=True)
    assert len(problems) == 1


def test_contains_is_no_condition_before_pike() -> None:
    reader = Reader(VERSIONS[OCATA])
    reader.condition({"contains": ["a", ["a"]]})
    assert [problem.kind for problem in reader.problems] == ["malformed"]


def test_paths_of_conditions() -> None:
    value = Reader(VERSIONS[WALLABY]).value({"if": [{"and": ["a", {"not": "b"}]}, 1, 2]}, ("x",))
    assert [expr.path for expr in walk(value)] == [
        ("x",),
        ("x", "if", 0),
        ("x", "if", 0, "and", 0),
        ("x", "if", 0, "and", 1),
        ("x", "if", 0, "and", 1, "not"),
    ]


# -- computed arguments -------------------------------------------------------------------------------------


def test_results_are_not_parsed_again() -> None:
    assert read_resolved("str_split", [",", {"get_param": "p"}]) == Split(",", {"get_param": "p"})
    assert read_resolved("map_replace", [{}, {"keys": {"a": "b"}}]) == MapReplace({}, {"a": "b"})
    assert read_resolved("Fn::GetAZs", "x") == Foreign("hot", "Fn::GetAZs", "x")
    with pytest.raises(ValueError, match="str_split"):
        read_resolved("str_split", "a")


@pytest.mark.parametrize(
    ("raw", "keys"),
    [
        ({"str_replace": {"template": "a", "params": {1: {2: "x"}}}}, [("str_replace", "params", 1)]),
        ({"repeat": {"template": {3: "k"}, "for_each": {"k": {1: "a"}}}}, [("repeat", "for_each", "k", 1)]),
        ({"filter": [[{"if": ["c", {1: "a"}, "x"]}], []]}, [("filter", 0, 0, "if", 1, 1)]),
        ({"map_merge": [{1: "a"}]}, []),
        ({"if": ["c", {1: "a"}, {}]}, []),
        ({"str_replace": {"template": "a", "params": {"get_param": "all"}}}, []),
        ({"str_replace": "a"}, []),
    ],
)
def test_keys_that_a_function_looks_at(raw: dict[str, Any], keys: list[tuple[Any, ...]]) -> None:
    reader = Reader(VERSIONS["2018-08-31"])
    reader.value(raw)
    assert reader.keys == keys


def test_keys_of_a_choice_in_an_argument_are_texts() -> None:
    data = {"if": ["c", {1: "a"}, {2: "b"}]}
    value = Reader(VERSIONS["2018-08-31"]).value({"yaql": {"expression": "$.data", "data": data}})
    assert [(one.then, one.otherwise) for one in walk(value) if isinstance(one, If)] == [({"1": "a"}, {"2": "b"})]
