"""The text functions: borders of what is computed, and what stays when a part is not known."""

from __future__ import annotations

from typing import Any

import pytest
from scopes import ID, IP, SOME, same, scope

from bpconvert.models.expressions import (
    MISSING,
    Base64,
    Concat,
    Digest,
    Expr,
    Find,
    If,
    Input,
    Join,
    Lower,
    Replace,
    Split,
    StringReplace,
    Upper,
    Url,
)
from bpconvert.translators.evaluate import Refused, fold, pieces
from bpconvert.translators.evaluate.text import replacement

#: the most characters that are computed
MOST = 1_000_000


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ({"username": "u", "host": "h"}, "//u@h"),
        ({"password": "p", "host": "h"}, "//:p@h"),
        ({"username": "u", "password": "p", "host": "h"}, "//u:p@h"),
        ({"username": "", "password": "", "host": "h"}, "//h"),
        ({"username": "a:/@b", "password": "c d", "host": "h"}, "//a%3A%2F%40b:c%20d@h"),
        ({"host": "[h"}, "//%5Bh"),
        ({"host": "h]"}, "//h%5D"),
        ({"host": "[h]"}, "//h"),
        ({"host": "1::2", "port": 1}, "//[1::2]:1"),
        ({"host": "h", "port": 65535}, "//h:65535"),
        ({"host": "h", "port": "8080"}, "//h:8080"),
        ({"host": "h", "path": "/a/b c?"}, "//h/a/b%20c%3F"),
        ({"host": "h", "query": {"a/b": "c&d"}}, "//h?a/b=c%26d"),
        ({"host": "h", "fragment": "a#b"}, "//h#a%23b"),
        ({"scheme": "ftp", "host": "h"}, "ftp://h"),
        ({"path": "a"}, "a"),
    ],
)
def test_urls(parts: dict[str, Any], expected: str) -> None:
    assert fold(Url(parts), scope()) == expected


@pytest.mark.parametrize(
    "parts",
    [
        {"port": 65536},
        {"port": 0},
        {"port": -1, "host": IP},
        {"path": 5, "host": IP},
        {"username": 5, "host": IP},
        {"password": None, "host": IP},
        {"fragment": 5, "host": IP},
        {"scheme": 5, "host": IP},
        {"query": "a", "host": IP},
        {"host": IP, "scheme": SOME, "path": []},
    ],
)
def test_parts_of_urls_that_are_refused(parts: dict[str, Any]) -> None:
    with pytest.raises(Refused):
        fold(Url(parts), scope())


@pytest.mark.parametrize(
    "parts",
    [
        {"host": IP, "port": 65535},
        {"host": IP, "port": "1"},
        {"host": "h", "port": SOME, "query": {}},
        {"host": IP, "query": {"a": 1}, "fragment": 5},  # the engine looks no further than at the query
        {"host": "h", "query": SOME, "fragment": 5},
        {"scheme": IP},
    ],
)
def test_urls_of_parts_that_are_not_known(parts: dict[str, Any]) -> None:
    url = Url(parts)
    assert fold(url, scope()) == url


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (Split(",", "a,b", -2), "a"),
        (Split(",", "a,b", "-2"), "a"),
        (Split(",", "a,b", 0), "a"),
        (Split(",", "a,b", -2, strict=True), "a"),
        (Split(",", "a,b", 0, strict=True), "a"),
        (Split(",", "a,b", False, strict=True), "a"),
        (StringReplace("aaa", "a", "b", 0), "aaa"),
        (StringReplace("aaa", "a", "b", MISSING), "bbb"),
        (Find("abab", "b"), 1),
        (Digest("SHA1", "ÿ"), "85e53271e14006f0265921d02d4d736cdc580b0b"),
        (Base64("ÿ\n"), "w78K"),
        (Join(",", ([], [])), ""),
        (Join(",", ([None],)), ""),
        (Join(",", (["a"], ["b"], ["c"])), "a,b,c"),
        (Replace("x", {"x": ""}, 1), ""),
        (Replace("x", {"x": 0}, 2), "0"),
        (Replace("x", {"y": 1}), "x"),
    ],
)
def test_computed(value: Any, expected: Any) -> None:
    assert same(fold(value, scope()), expected)


@pytest.mark.parametrize(
    "value",
    [
        Split(",", "a,b", -3),
        Split(",", "a,b", "-3"),
        Split(",", "a,b", 2),
        Split(",", "a,b", -3, strict=True),
        Split(",", "a,b", 2, strict=True),
        Split(",", "a,b", [1], strict=True),
        Find("a", 1),
        Upper(5),
        Lower(5),
        StringReplace("a", 1, "b"),
        StringReplace(1, "a", "b"),
        Digest(5, "a"),
        Join(5, ([IP],)),
        Join(",", ({},), json_items=False),
        Replace(None, {}),
        Replace(IP, ["a"]),
    ],
)
def test_refused(value: Any) -> None:
    with pytest.raises(Refused):
        fold(value, scope())


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (Join(IP, (["a", None], ["b"])), Join(IP, (["a", "", "b"],))),
        (Join(IP, (["a"], SOME, ["b"], ["c"])), Join(IP, (["a"], SOME, ["b", "c"]))),
        (Join(IP, ()), Join(IP, ([],))),
        (Join(",", (["a", "b", IP, "c"], ["d"])), Join(",", (["a,b", IP, "c,d"],))),
        (Join(",", (["a", "b"], SOME, ["c", "d"])), Join(",", (["a,b"], SOME, ["c,d"]))),
        (Join(",", (["a"], SOME)), Join(",", (["a"], SOME))),
        (Join(",", (SOME,)), Join(",", (SOME,))),
        (Concat((IP, "a", "b")), Concat((IP, "ab"))),
        (Split(",", IP, Lower("A")), Split(",", IP, "a")),
        (Split(Lower("A"), IP), Split("a", IP)),
        (StringReplace(Lower("A"), IP, Lower("B"), Find("a", "a")), StringReplace("a", IP, "b", 0)),
        (Find(IP, Upper("b")), Find(IP, "B")),
        (Find(Upper("b"), IP), Find("B", IP)),
        (Upper(Concat((IP, "a", "b"))), Upper(Concat((IP, "ab")))),
        (Digest(Lower("MD5"), IP), Digest("md5", IP)),
        (Digest(IP, Lower("A")), Digest(IP, "a")),
        (Url({"host": IP, "path": Lower("A")}), Url({"host": IP, "path": "a"})),
        (Url(SOME), Url(SOME)),
        (Replace(IP, {"a": Lower("B")}), Replace(IP, {"a": "b"})),
        (Replace(Lower("A"), SOME), Replace("a", SOME)),
        (Replace("a b", {"a": IP, "b": Lower("C")}), Replace("a b", {"a": IP, "b": "c"})),
        (Replace("a", {"a": If(Input("unknown"), 1)}), Replace("a", {"a": If(Input("unknown"), 1)})),
    ],
)
def test_what_is_not_known_stays(value: Any, expected: Any) -> None:
    assert same(fold(value, scope()), expected)


@pytest.mark.parametrize("value", [Join(IP, (["a"],)), Join(",", ([IP, "a"],)), Concat((IP, "a"))])
def test_what_has_nothing_to_compute_is_the_same_object(value: Expr) -> None:
    assert fold(value, scope()) is value


def test_texts_up_to_a_length_are_computed() -> None:
    half = "a" * (MOST // 2)
    assert len(fold(Replace("xx", {"x": half}), scope())) == MOST
    longer = Replace("xxb", {"x": half})
    assert fold(longer, scope()) == longer


@pytest.mark.parametrize(
    ("template", "params", "parts", "unmatched"),
    [
        ("a-b", {"a": IP, "b": ID}, [IP, "-", ID], []),
        ("ab", {"a": IP, "b": "x"}, [IP, "x"], []),
        ("aab", {"a": "1", "b": 2}, ["112"], []),
        ("a", {"a": ""}, [], []),
        ("", {"a": IP}, [], ["a"]),
        ("ab", {"ab": IP, "b": "x", "a": "y", "cc": 1, "bb": 1}, [IP], ["bb", "cc", "a", "b"]),
        ("x", {"x": [IP]}, [[IP]], []),
    ],
)
def test_a_template_taken_apart(template: str, params: dict[str, Any], parts: list[Any], unmatched: list[str]) -> None:
    assert pieces(template, params) == (parts, unmatched)


@pytest.mark.parametrize(
    ("value", "expected"),
    [(None, ""), ("", ""), (True, "True"), (1.0, "1.0"), ({"b": 1, "a": []}, '{"a": [], "b": 1}'), ([None], "[null]")],
)
def test_what_is_put_into_a_template(value: Any, expected: str) -> None:
    assert replacement(value, "k") == expected


@pytest.mark.parametrize("value", [None, "", [], {}])
def test_nothing_empty_is_put_where_that_is_refused(value: Any) -> None:
    with pytest.raises(ValueError, match="empty value for param k"):
        replacement(value, "k", empty=False)


def test_maps_and_lists_are_put_only_where_they_become_json() -> None:
    for value in ([1], {"a": 1}):
        with pytest.raises(TypeError, match="param k is not valid"):
            replacement(value, "k", json_values=False)
