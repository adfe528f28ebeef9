"""Folding: the engine's corner cases (tests/engines compares many more with Heat itself), and what stays symbolic."""

from __future__ import annotations

from typing import Any

import pytest
from scopes import ID, INPUTS, IP, SOME, hot, same, scope

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import (
    MISSING,
    And,
    Attribute,
    Condition,
    Contains,
    Digest,
    Equals,
    Expr,
    Filter,
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
)
from bpconvert.translators.evaluate import Refused, Scope, fold, pieces
from bpconvert.translators.evaluate.conditions import check_choices
from bpconvert.translators.evaluate.scope import FOLDERS


def test_every_expression_has_a_handler() -> None:
    kinds = {kind for kind in vars(ex).values() if isinstance(kind, type) and issubclass(kind, Expr)}
    assert set(FOLDERS) == kinds - {Expr}


# -- values -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        # get_param: a failed step gives ''
        (Input("text"), "abcab"),
        (Input("json", ("b", "c", 0)), 1),
        (Input("json", ("b", "c", "0")), 1),
        (Input("json", ("b", "c", 1)), None),
        (Input("json", ("b", "c", -2)), 1),
        (Input("json", ("b", "c", 1, "x")), ""),
        (Input("json", ("b", "c", 9)), ""),
        (Input("json", ("b", "c", "x")), ""),
        (Input("json", ("nothing",)), ""),
        (Input("json", (None,)), ""),
        (Input("number", (0,)), ""),
        (Input("text", (0,)), "a"),
        (Input("text", ("1",)), "b"),
        (Input("null"), None),
        (Input("null", (0,)), ""),
        (Input(Split(",", "json,a")), 1),
        (Input(Split(",", "text")), "abcab"),
        # list_join
        (Join(",", (["a", None, "b", ""],)), "a,,b,"),
        (Join("-", (["a"], None, "", [], {}, 0, ["b"])), "a-b"),
        (Join(",", ([{"b": 1, "a": "é"}, [True, 1.0]],)), '{"a": "\\u00e9", "b": 1},[true, 1.0]'),
        (Join(",", ([],)), ""),
        (Join(",", (None,), json_items=False), ""),
        (Join(",", (Input("list"),), json_items=False), "a,b,c"),
        # str_replace
        (Replace("AB", {"A": "B", "B": "A"}), "BA"),
        (Replace("$a $ab $abc", {"$a": 1, "$ab": 2, "$abc": 3}), "1 2 3"),
        (Replace("abcd", {"ab": "<", "bcd": ">"}), "a>"),
        (Replace("a b", {"a": None, "b": True}), " True"),
        (Replace("x", {"x": 1.0}), "1.0"),
        (Replace("x", {"x": {"k": "é", "a": [None]}}), '{"a": [null], "k": "\\u00e9"}'),
        (Replace("", {"x": 1}), ""),
        (Replace("x", {}), "x"),
        (Replace("XY", {"XY": "1"}, 1), "1"),
        (Replace("ab", {"a": 0, "b": False}, 2), "0False"),
        # str_split
        (Split(",", "a,b,,c"), ["a", "b", "", "c"]),
        (Split(",", "a,b", 1), "b"),
        (Split(",", "a,b", "-1"), "b"),
        (Split(None, " a  b "), ["a", "b"]),
        (Split(",", None), None),
        (Split(",", None, 5), None),
        # map_merge, map_replace
        (Merge([{"a": 1, "b": {"x": 1}}, None, {"b": {"y": 2}, "c": 3}]), {"a": 1, "b": {"y": 2}, "c": 3}),
        (Merge([]), {}),
        (Merge(""), {}),
        (MapReplace({"a": 1, "b": 2}, {"a": "z"}, {2: "two"}), {"z": 1, "b": "two"}),
        (MapReplace({"a": 1}, {"a": None}, {1: None}), {"a": None}),
        (MapReplace({"a": 1, "b": 1.0, "c": True}, MISSING, {1: "x"}), {"a": "x", "b": "x", "c": "x"}),
        (MapReplace({"a": [1], "b": {"k": 1}}, None, {1: 2}), {"a": [1], "b": {"k": 1}}),
        (MapReplace(None), {}),
        # repeat
        (Repeat("%x%-%y%", {"%x%": ["a", "b"], "%y%": ["1", "2"]}), ["a-1", "a-2", "b-1", "b-2"]),
        (Repeat("%x%-%y%", {"%x%": ["a", "b"], "%y%": ["1", "2"]}, False), ["a-1", "b-2"]),
        (Repeat("ab", {"b": ["a"], "a": ["z"]}), ["zz"]),
        (Repeat({"k%x%": ["%x%", {"%x%": 5}]}, {"%x%": ["a"]}), [{"ka": ["a", {"a": 5}]}]),
        (Repeat("x", {"x": None}), []),
        (Repeat("x", {"x": None, "y": ["a", "b"]}, False), []),
        (Repeat("x", {"x": {"k": 1, "l": 2}}), ["k", "l"]),
        (Repeat({"a": 1, "b": 2}, {"a": ["b"]}), [{"b": 2}]),
        (Repeat([5, None, True], {"x": [1, {}]}), [[5, None, True], [5, None, True]]),
        (hot({"repeat": {"template": {"repeat": {"template": "%a%%b%", "for_each": {"%a%": ["1", "2"]}}},
                         "for_each": {"%b%": ["x", "y"]}}}), [["1x", "2x"], ["1y", "2y"]]),
        # digest, make_url
        (Digest("MD5", "é"), "3406877694691ddd1dfb0aca54681407"),
        (Digest("sha256", ""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        (Url({}), ""),
        (Url({"host": "h"}), "//h"),
        (Url({"scheme": "http", "host": "h", "port": "80", "path": "a b"}), "http://h:80/a%20b"),
        (Url({"scheme": "http", "username": "u/", "password": "p@", "host": "[::1]"}), "http://u%2F:p%40@[::1]"),
        (Url({"scheme": "http", "host": "fe80::1", "query": {"a": "1/2 3", "b": 4}, "fragment": "f g"}),
         "http://[fe80::1]?a=1/2+3&b=4#f%20g"),
        # filter, list_concat, contains
        (Filter([1, "a"], [True, "a", "b", 2]), ["b", 2]),
        (Filter([1], None), None),
        (Filter([Input("nowhere"), If(False, Input("nowhere"))], []), []),
        (Filter([1], ""), ""),
        (Filter(None, [1, 2]), [1, 2]),
        (Filter(5, []), []),
        (ListConcat([[1], None, [[2]]]), [1, [2]]),
        (ListConcat([]), []),
        (ListConcat([[1, True, 1.0], ["a"], ["a", {}, {}]], unique=True), [1, "a", {}]),
        (Contains("b", "abc"), True),
        (Contains(True, [1]), True),
        (Contains("x", []), False),
        # Fn::Select
        (Select("1", ["a", "b"]), "b"),
        (Select(9, ["a"]), ""),
        (Select("k", '{"k": [1]}'), [1]),
        (Select("x", {"k": 1}), ""),
        (Select(0, None), ""),
        (Select(0, ""), ""),
        # conditions
        (Equals(1, "1"), False),
        (Equals(True, "true"), False),
        (Equals(True, 1), True),
        (Equals(Input("number"), 3), True),
        (Equals([1, {"a": 1.0}], [True, {"a": 1}]), True),
        (Not(Condition("c_true")), False),
        (Not(None), False),
        (And((False, Condition("nowhere"))), False),
        (Or((True, Condition("nowhere"))), True),
        (And((Condition("c_true"), Condition("c_equal"), Input("name"), None)), True),
        (Or((Input("no"), Condition("c_false"))), False),
        (If(Condition("c_equal"), 1, 2), 1),
        (If(Input("name"), 1, 2), 1),
        (If(False, Input("nowhere"), 2), 2),
        (If(None, 1, 2), 1),
        ([1, If(False, 2), 3], [1, 3]),
        ({"a": If(False, 1), "b": If(True, 2)}, {"b": 2}),
        (If(False, 1), None),
        ({"a": If(True, If(False, 1))}, {}),
        (Equals(If(False, 1), None), True),
        (hot({"str_split": [",", "a,b", {"if": [False, 1]}]}), ["a", "b"]),
        (hot({"get_param": ["json", "b", {"if": [False, "c"]}]}), {"c": [1, None]}),
        # calls whose whole argument is computed
        (hot({"str_split": {"get_param": ["json", "pair"]}}), ["a", "b"]),
        (hot({"map_replace": {"list_concat": [[{"a": 1}], [{"keys": {"a": "b"}}]]}}), {"b": 1}),
        (hot({"get_param": {"list_concat": [["json"], ["a"]]}}), 1),
        # results are not parsed again
        (hot({"get_param": ["json", "call"]}), {"get_param": "x"}),
    ],
)  # fmt: skip
def test_values(value: Any, expected: Any) -> None:
    inputs = {**INPUTS, "json": {**INPUTS["json"], "pair": [",", "a,b"], "call": {"get_param": "x"}}}
    found = fold(value, scope(inputs=inputs))
    assert same(found, expected), found


@pytest.mark.parametrize(
    "value",
    [
        Input("nowhere"),
        Input(5),
        Input(None),
        Input(Input("list"), ("a",)),
        Join(",", (["a", 1],)),
        Join(",", ([True, IP],)),
        Join(",", ([None, {"a": 1}],), json_items=False),
        Join(",", ("ab",)),
        Join(",", ({"a": 1},)),
        Join(",", ("",), json_items=False),
        Join(None, (["a"],)),
        Replace("x", {1: "a"}),
        Replace("x", {"": "a"}),
        Replace(5, {}),
        Replace("x", ["a"]),
        Replace("x", {"x": []}, json_values=False),
        Replace("XY", {"X": 1, "XY": 2}, 1),
        Replace("x", {"y": IP}, 1),
        Replace("x", {"x": ""}, 2),
        Replace("xy", {"x": None, "y": IP}, 2),
        Replace("x", {"x": {}}, 2),
        Split("", "a"),
        Split(",", 5),
        Split(",", "a", 1),
        Split(",", "a", "x"),
        Split(",", "a", None),
        Merge([["a"]]),
        Merge("ab"),
        Merge([5, IP]),
        Merge([{"a": 1}, None], strict=True),
        MapReplace({"a": 1, "b": 2}, {"a": "b", "b": "a"}),
        MapReplace({"a": 1, "b": 2}, {"a": "z", "b": "z"}),
        MapReplace(["a"]),
        Repeat("x", {}),
        Repeat("x", {"x": [1]}),
        Repeat("x", {"x": [None]}),
        Repeat("x", {"x": "ab"}),
        Repeat("x", {"x": {"a": 1}}, False),
        Repeat("x", {"x": ["a"], "y": ["b", "c"]}, False),
        Repeat(Input("%x%"), {"%x%": ["text"]}),
        Digest("md5", None),
        Digest("nothing", "a"),
        Digest("md5", "€"),
        Url({"port": 0}),
        Url({"port": "x", "host": IP}),
        Url({"host": None}),
        Url({"scheme": "a:b"}),
        Url({"query": "a"}),
        Url({"query": {}, "fragment": 5}),
        Filter([1], "ab"),
        Filter("ab", [1]),
        ListConcat([["a"], "b"]),
        ListConcat([{"a": 1}, IP]),
        Contains("a", None),
        Contains(1, "1"),
        Select(0, {"0": 1}),
        Select("x", ["a"]),
        Select(0, "{"),
        Select(0, 5),
        If(Condition("nowhere"), 1, 2),
        If("c_text", 1, 2),
        If(Input("number"), 1, 2),
        Condition("c_loop"),
        And((True, Condition("nowhere"))),
        And((False, Equals(Input("nowhere"), 1))),
        Not(Input("text")),
        [If(Input("null"), Input("nowhere"))],
        hot({"str_split": {"get_param": "number"}}),
        hot({"str_split": [{"if": [False, 1]}, "a"]}),
        Url(["http"]),
        ListConcat("ab"),
        Repeat("x", ["a"]),
        Merge({"a": 1}),
        Filter([If(Condition("nowhere"), 1, 2)], []),
        hot({"map_replace": [{"if": [False, {}]}, {}]}),
    ],
)
def test_refusals(value: Any) -> None:
    with pytest.raises(Refused):
        fold(value, scope())


def test_refusals_say_where() -> None:
    value = {"a": Join(",", (Split("", "x", path=("b", "inner")),), path=("b",))}
    with pytest.raises(Refused) as refused:
        fold(value, scope())
    assert refused.value.path == ("b", "inner")
    assert refused.value.message == "empty separator"


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (Condition("c_loop"), 'Circular definition for condition "c_loop"'),
        (Contains("a", 5), 'Second argument to "contains" should be a sequence.'),
        (Contains("a", {"a": 1}), 'Second argument to "contains" should be a sequence.'),
        (Condition("nowhere"), 'Invalid condition "nowhere"'),
        (Condition("c_text"), 'The definition of condition "c_text" is invalid: abcab'),
        (If(5, 1, 2), 'Invalid condition "5"'),
    ],
)
def test_refusals_say_why(value: Any, message: str) -> None:
    with pytest.raises(Refused) as refused:
        fold(value, scope())
    assert refused.value.message == message


def test_only_the_branch_that_is_taken_is_read() -> None:
    """A refused condition counts where the engine gets to it."""
    bad = If(Condition("nowhere"), 1, 2)
    taken = If(Condition("c_true"), {"a": [bad]}, 1)
    with pytest.raises(Refused):
        check_choices([taken], scope())
    with pytest.raises(Refused):
        check_choices(If(SOME, 1, bad), scope())
    check_choices([If(Condition("c_false"), bad, {"b": Split(",", IP)}), If(Condition("c_true"), 1, bad)], scope())


def test_a_condition_is_decided_once() -> None:
    once = scope()
    assert fold([Condition("c_equal"), Condition("c_false"), Condition("c_input")], once)[:2] == [True, False]
    assert once.decided == {"c_equal": True, "c_false": False}


def test_refusals_show_no_calls() -> None:
    with pytest.raises(Refused, match=r"^Items to concat must be lists, not a map$"):
        fold(ListConcat([{"a": Identity("server")}]), scope())


# -- yaql ---------------------------------------------------------------------------------------------------


def test_queries() -> None:
    pytest.importorskip("yaql", reason="yaql expressions are folded only with the yaql package")
    assert fold(Query("$.data.v.toUpper()", {"v": Input("text")}), scope()) == "ABCAB"
    assert fold(Query("$.data.select($ + 1)", [1, 2]), scope()) == [2, 3]
    with pytest.raises(Refused, match='No method "toLower" for receiver <map object> matches'):  # without its address
        fold(Query("$.data.v.toLower()", [{"v": "A"}]), scope())
    for refused in ("$.data.", "$.nothing()", "1 / 0"):
        with pytest.raises(Refused):
            fold(Query(refused, {}), scope())


def test_a_query_is_a_text() -> None:
    with pytest.raises(Refused):
        fold(Query(5, {}), scope())


# -- facts --------------------------------------------------------------------------------------------------


def test_nothing_is_known_by_default() -> None:
    for value in (Input("any"), Condition("any"), IP, ID, System("region"), ex.File("f"), ex.Facade("metadata")):
        assert fold(value, Scope()) is value


DATA = {"ip": "10.0.0.1", "nets": {"n": ["x", "y"]}, ("outputs", "k"): 5, "show": {}}


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (Attribute("r", "ip"), "10.0.0.1"),
        (Attribute("r", "nets", ("n", 1)), "y"),
        (Attribute("r", "nets", ("n", "1")), None),
        (Attribute("r", "ip", (0,)), "1"),
        (Attribute("r", "nets", (["n"],)), None),
        (Attribute("r", "gone"), None),
        (Attribute("r", "gone", ("a",)), None),
        (Attribute("r", "outputs", ("k",)), 5),
        (Attribute("r"), {"ip": "10.0.0.1", "nets": {"n": ["x", "y"]}}),
        (Attribute("other", "ip"), Attribute("other", "ip")),
        (Identity("r"), "r-id"),
        (Identity("other"), Identity("other")),
        (System("deployment.name"), "stack"),
        (ex.File("f"), "content"),
        (ex.File("gone"), ex.File("gone")),
        (ex.Facade("metadata"), {"a": 1}),
    ],
)
def test_runtime_facts(value: Any, expected: Any) -> None:
    files = {"f": "content"}.get
    for attributes in ({"r": DATA}, {"r": DATA}.get):
        known = Scope(
            attributes=attributes,
            identities={"r": "r-id"},
            system={"deployment.name": "stack"},
            files=files,
            parent={"metadata": {"a": 1}},
        )
        assert fold(value, known) == expected


@pytest.mark.parametrize("value", [ex.File(5), Attribute("r", ["ip"])])
def test_names_are_texts(value: Any) -> None:
    with pytest.raises(Refused):
        fold(value, Scope(attributes={"r": DATA}))


# -- pieces -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("template", "params", "parts", "unmatched"),
    [
        ("a $x b", {"$x": IP}, ["a ", IP, " b"], []),
        ("$x$x", {"$x": IP}, [IP, IP], []),
        ("", {"$x": IP}, [], ["$x"]),
        ("none", {"$x": IP, "$long": ID}, ["none"], ["$long", "$x"]),
        ("$a $ab", {"$a": IP, "$ab": ID}, [IP, " ", ID], []),
        ("abcd", {"ab": IP, "bcd": ID}, ["a", ID], ["ab"]),
        ("$x-$y-$z", {"$x": 1, "$y": IP, "$z": None}, ["1-", IP, "-"], []),
        ("$x$y", {"$x": "$y", "$y": IP}, ["$y", IP], []),
        ("$x", {"$x": {"k": IP}}, [{"k": IP}], []),
        ("$x $y", {"$x": "", "$y": ["a"]}, [' ["a"]'], []),
    ],
)
def test_pieces(template: str, params: dict[str, Any], parts: list[Any], unmatched: list[str]) -> None:
    found = pieces(template, params)
    assert found.parts == parts
    assert found.unmatched == unmatched


@pytest.mark.parametrize("params", [{"": "a"}, {5: "a"}, {"x": object()}])
def test_pieces_refuses(params: dict[Any, Any]) -> None:
    with pytest.raises((TypeError, ValueError)):
        pieces("x", params)
