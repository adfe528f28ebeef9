"""Folding around what is not known: what stays as it is, what becomes smaller, and what is approximated."""

from __future__ import annotations

from typing import Any

import pytest
from scopes import ID, IP, SOME, scope

from bpconvert.models.expressions import (
    MISSING,
    And,
    Attribute,
    Concat,
    Condition,
    Contains,
    Digest,
    Equals,
    Filter,
    Find,
    Foreign,
    If,
    Input,
    Join,
    ListConcat,
    Lower,
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
    Upper,
    Url,
)
from bpconvert.translators.evaluate import Note, fold, fold_item


@pytest.mark.parametrize(
    "value",
    [
        SOME, IP, ID, Input("unknown", ("a",)), Input("json", (SOME,)), System("deployment.name"), Condition("c_input"),
        Join(",", (IP,)), Join(",", ([IP],)), Join(SOME, (["a", "b"],)), Join(",", ([{"a": IP}],)),
        Replace("a $x", {"$x": IP}), Replace(SOME, {"a": "b"}), Replace("abc", SOME), Replace("none", {"$x": IP}),
        Split(",", IP), Split(",", "a,b", SOME), Split(",", IP, 0),
        Merge([{"a": 1}, SOME, {"b": 2}]), Merge(SOME), Merge([{"a": ID}, {"a": 1}]),
        MapReplace({"a": IP}, {}, {"x": 1}),
        ListConcat([["a"], SOME]), ListConcat([["a", IP]], unique=True), Filter(["a"], SOME), Filter(["a", IP], ["b"]),
        Filter(["a"], [IP]), Filter([IP], []), Repeat("x", {"x": SOME}), Repeat("x", {"x": ["a", IP]}),
        MapReplace(SOME), MapReplace({"a": 1}, SOME), MapReplace({"a": If(SOME, 1)}), ListConcat(SOME),
        Filter(SOME, ["a"]),
        Repeat("x", SOME), Repeat("abc", {name: [name] * 60 for name in "abc"}), Find(IP, "a"), Upper(IP), Url(SOME),
        Repeat(Digest("md5", IP), {"x": ["a"]}), Repeat(IP, {"x": []}), Repeat({"x": IP, "a": 1}, {"x": ["a"]}),
        Select(0, ["a", IP]), Select(SOME, ["a"]), Digest("md5", IP), Url({"host": IP}), Query("$", IP), Equals(IP, 1),
        Not(SOME), And((Condition("c_input"), False)), Or((SOME, True)), If(SOME, 1, 2), If(SOME, 1),
        Contains("a", IP), Contains("a", [IP]), Contains("a", ["a", IP]),
        Foreign("hot", "Fn::GetAZs", ""), Foreign("hot", "list_join", [","]), Foreign("other", "f", IP),
    ],
)  # fmt: skip
def test_unknown_stays_itself(value: Any) -> None:
    assert fold(value, scope()) is value
    holder = {"k": [value, 1]}
    assert fold(holder, scope()) is holder


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (Join("-", (["a", "b", IP, None, "c"],)), Join("-", (["a-b", IP, "-c"],))),
        (Join("-", (["a"], IP, Input("list"), ["d"])), Join("-", (["a"], IP, ["a-b-c-d"]))),
        (Join("-", (["a"], [], [IP])), Join("-", (["a", IP],))),
        (Join("", ([Input("text"), SOME],)), Join("", (["abcab", SOME],))),
        (Join(Input("text"), (SOME,)), Join("abcab", (SOME,))),
        (Replace(Input("text"), {"a": IP, "b": Input("number")}), Replace("abcab", {"a": IP, "b": 3})),
        (Merge([{"a": 1}, {"a": Input("number"), "b": IP}]), {"a": 3, "b": IP}),
        (Merge([{"a": 1}, None, {"b": 2}, SOME, {"c": 3}, {"d": 4}]),
         Merge([{"a": 1, "b": 2}, SOME, {"c": 3, "d": 4}])),
        (Merge([{"a": 1}, {"a": If(SOME, 2)}]), Merge([{"a": 1}, {"a": If(SOME, 2)}])),
        (MapReplace({"a": IP, "b": 1}, {"a": "z"}), {"z": IP, "b": 1}),
        (ListConcat([["a"], [IP], None]), ["a", IP]),
        (ListConcat([["a"], Input("list"), SOME]), ListConcat([["a", "a", "b", "c"], SOME])),
        (Filter(["a"], ["a", IP, "b"]), Filter(["a"], [IP, "b"])),
        (Filter(None, [IP]), [IP]),
        (Select(1, [Input("unknown"), IP]), IP),
        (Contains("a", ["a", SOME]), True),
        (And((True, Condition("c_input"), SOME)), And((Condition("c_input"), SOME))),
        (And((Condition("c_true"), Condition("c_input"))), Condition("c_input")),
        (Or((False, SOME)), Or((False, SOME))),
        (Or((SOME, Condition("c_equal"))), Or((SOME, True))),
        (Not(Not(Condition("c_input"))), Condition("c_input")),
        (If(SOME, Input("text"), Input("nowhere")), If(SOME, "abcab", Input("nowhere"))),
        (Filter([SOME, Lower("A")], SOME), Filter([SOME, "a"], SOME)),
        (And((SOME, Condition("nowhere"), Input("text"))), And((SOME, Condition("nowhere"), Condition("abcab")))),
        (If(Condition("c_input"), [Input("number")], If(False, 1)), If(Condition("c_input"), [3], MISSING)),
        (If(True, {"a": IP, "b": If(False, 1)}, 2), {"a": IP}),
        (Url({"host": IP, "port": Input("number")}), Url({"host": IP, "port": 3})),
        (Attribute(Input("text"), "ip", (Input("number"),)), Attribute("abcab", "ip", (3,))),
        (Foreign("hot", "str_split", [",", Input("unknown"), Input("number")]),
         Foreign("hot", "str_split", [",", SOME, 3])),
    ],
)  # fmt: skip
def test_folded_around_the_unknown(value: Any, expected: Any) -> None:
    assert fold(value, scope()) == expected


def test_repeat_is_unrolled_around_references() -> None:
    notes: list[Note] = []
    template = {
        "name-%x%": ["%x%", IP, Input("unknown"), Join("-", (["%x%", IP],)), Replace("$a of %x%", {"$a": IP})],
        "if": If(SOME, "%x%", Concat(("%x%", ID))),
    }
    found = fold(Repeat(template, {"%x%": ["a", "b"]}, path=("here",)), scope(notes=notes))
    assert found == [
        {
            f"name-{x}": [x, IP, SOME, Join("-", ([x, IP],)), Replace(f"$a of {x}", {"$a": IP})],
            "if": If(SOME, x, Concat((x, ID))),
        }
        for x in "ab"
    ]
    assert [(note.kind, note.path) for note in notes] == [("repeat-runtime", ("here",))]


def test_repeat_is_not_unrolled_where_a_placeholder_would_change() -> None:
    value = Repeat(Replace("$a %x%", {"$a": IP}), {"%x%": ["$a"]})
    assert fold(value, scope()) is value


def test_known_loops_need_no_note() -> None:
    notes: list[Note] = []
    fold(Repeat({"%x%": Input("text")}, {"%x%": ["a"]}), scope(notes=notes))
    assert notes == []


def test_what_vanishes() -> None:
    assert fold_item(If(False, 1), scope()) is MISSING
    assert fold(If(False, 1), scope()) is None
