"""Folding of what only Cloudify has (tests/engines/test_cloudify_agrees.py compares more with Cloudify itself)."""

from __future__ import annotations

from typing import Any

import pytest
from scopes import IP, same

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import (
    Concat,
    Find,
    Input,
    Lower,
    Merge,
    Property,
    Secret,
    Split,
    StringReplace,
    Upper,
)
from bpconvert.translators.evaluate import Refused, Scope, fold

DSL: dict[str, Any] = {
    "inputs": {"map": {"k": [1, {"x": "y"}]}, "text": "abc", "ref": {"a": Input("text", strict=True), "b": IP},
               "circle": Input("circle", strict=True)},
    "properties": {"n": {"p": {"k": [Input("text", strict=True)]}, "own": Property("n", "own"), "ip": IP}},
    "secrets": {"s": '{"user": "u"}', "plain": "x"},
}  # fmt: skip


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (Input("map", ("k", 1, "x"), strict=True), "y"),
        (Input("map", ("k", -2), strict=True), 1),
        (Input("ref", ("a",), strict=True), "abc"),
        (Input("ref", strict=True), {"a": "abc", "b": IP}),
        (Input("ref", ("b", "k"), strict=True), Input("ref", ("b", "k"), strict=True)),
        (Property("n", "p", ("k", 0)), "abc"),
        (Property("n", "ip"), IP),
        (Property("SELF", "p"), Property("SELF", "p")),
        (Secret("plain"), "x"),
        (Secret("s", ("user",)), "u"),
        (Secret("gone"), Secret("gone")),
        (Concat(()), ""),
        (Concat((5,)), "5"),
        (Concat(("a", 1.50, True, None, ["a", "b"], {"k": "v"})), "a1.5TrueNone['a', 'b']{'k': 'v'}"),
        (Concat(("a", 1, IP, None, "b")), Concat(("a1", IP, "Noneb"))),
        (Concat(([IP], "x")), Concat(([IP], "x"))),
        (Merge([{"a": {"x": 1}}, {"a": {"y": 2}}], strict=True), {"a": {"y": 2}}),
        (StringReplace("aaa", "a", "b"), "bbb"),
        (StringReplace("aaa", "a", "b", 2), "bba"),
        (StringReplace("a.c", ".", "", None), "ac"),
        (StringReplace(IP, "a", Upper("b")), StringReplace(IP, "a", "B")),
        (Find("abc", "c"), 2),
        (Find("abc", "x"), -1),
        (Lower("ÄB"), "äb"),
        (Upper("aß"), "ASS"),
        (Split(",", "a,b", strict=True), ["a", "b"]),
        (Split(",", "a,b", -1, strict=True), "b"),
        (Split(",", "a,b", None, strict=True), ["a", "b"]),
        (ex.Label("l", Find("a", "a")), ex.Label("l", 0)),
        (ex.Capability(Upper("c"), "d"), ex.Capability("C", "d")),
        (ex.AttributeList(Lower("N"), "a"), ex.AttributeList("n", "a")),
        (ex.AttributeDict("n", (Lower("A"),)), ex.AttributeDict("n", ("a",))),
        (ex.Consumers("ids"), ex.Consumers("ids")),
    ],
)
def test_cloudify_values(value: Any, expected: Any) -> None:
    assert same(fold(value, Scope(**DSL)), expected)


@pytest.mark.parametrize(
    "value",
    [
        Input("map", ("x",), strict=True),
        Input("map", ("k", "0"), strict=True),
        Input("map", ("k", 9), strict=True),
        Input("text", (0,), strict=True),
        Input("circle", strict=True),
        Property("n", "gone"),
        Property("n", "own"),
        Secret("s", ("password",)),
        Secret("plain", ("k",)),
        StringReplace("a", "a", 5),
        StringReplace("a", "a", "b", "1"),
        Find(5, "a"),
        Find("a", None),
        Lower(None),
        Split(",", None, strict=True),
        Split(None, "a b", strict=True),
        Split(",", "a", 1, strict=True),
        Split(",", "a", "0", strict=True),
        Split("", "a", strict=True),
    ],
)
def test_cloudify_refusals(value: Any) -> None:
    with pytest.raises(Refused):
        fold(value, Scope(**DSL))
