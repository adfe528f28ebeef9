"""Maps that are merged or chosen as a whole become maps with entries that may vanish."""

from __future__ import annotations

from typing import Any

import pytest

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING
from bpconvert.translators.cloudify.read.branches import _step, opened
from bpconvert.translators.evaluate import Scope, fold

A = ex.Condition("a")
IP = ex.Attribute("web", "ip")


def kept(value: Any) -> Any:
    return value


@pytest.mark.parametrize(
    "value",
    [
        ex.Merge([{"x": 1, "z": 2}, {"x": 3}]),
        ex.If(A, {"x": 1}, {"x": 2}),
        ex.If(A, {"x": 1, "z": 1}, {"z": 1, "v": 2}),
        ex.If(A, {}, {"x": 1}),
        ex.Merge([{"x": 1}, ex.If(A, {"x": 2}, {})]),
        ex.Merge([{"x": 1}, ex.If(A, {}, {"x": 2, "z": 3})]),
        ex.Merge([ex.If(A, {"x": 1}, {}), {"z": 2}]),
        ex.Merge([ex.If(A, {"x": 1}, {}), ex.If(A, {"x": 2}, {"z": 3})]),
        ex.If(A, ex.Merge([{"x": 1}, {"z": 2}]), {"x": 3}),
        ex.Merge([]),
    ],
    ids=repr,
)
def test_entries_are_those_of_the_whole(value: Any) -> None:
    properties = {"kwargs": value, "name": "n"}
    found = opened(properties, kept)
    assert isinstance(found["kwargs"], dict)
    assert found["name"] == "n"
    assert properties["kwargs"] is value
    for a in (True, False):
        known = Scope(conditions={"a": a})
        assert fold(found["kwargs"], known) == fold(value, known)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (ex.If(A, {"x": 1}, {"x": 1, "z": 2}), {"x": 1, "z": ex.If(ex.Not(A), 2)}),
        (ex.If(A, {"x": 1}, {}), {"x": ex.If(A, 1)}),
        (ex.Merge([{"x": 1}, {"x": IP}]), {"x": IP}),
        (ex.Merge([{"x": 1}, ex.If(A, {"x": 2}, {})]), {"x": ex.If(A, 2, 1)}),
    ],
    ids=repr,
)
def test_entries_that_may_vanish(value: Any, expected: Any) -> None:
    assert opened({"kwargs": value}, kept) == {"kwargs": expected}


@pytest.mark.parametrize(
    "value",
    [
        *(ex.If(A, {"x": 1}, IP), ex.If(A, IP, {"x": 1}), ex.If(A, {"x": 1})),
        *(ex.Merge([{"x": 1}, IP]), ex.Merge(IP), IP, [1], "x"),
        *(ex.Merge([ex.If(A, {"x": 1}, IP), {"x": 2}]), ex.If(A, ex.Merge([{"x": 1}, IP]), {"x": 2})),
    ],
    ids=repr,
)
def test_what_is_not_known_to_be_a_map_stays(value: Any) -> None:
    properties = {"kwargs": value}
    assert opened(properties, kept) is properties


def test_maps_inside_and_beside() -> None:
    chosen = ex.If(A, {"x": 1}, {"x": 2})
    entries = {"x": ex.If(A, 1, 2)}
    assert opened({"resource_config": {"kwargs": chosen, "name": "n"}}, kept) == {
        "resource_config": {"kwargs": entries, "name": "n"}
    }
    both = {"resource_config": chosen, "kwargs": chosen}
    assert opened(both, kept) == dict.fromkeys(both, entries)
    unchanged = {"kwargs": {"kwargs": chosen}, "other": chosen}
    assert opened(unchanged, kept) is unchanged
    assert opened({"other": chosen}, kept, ("other",)) == {"other": entries}


def test_an_input_with_keys_is_looked_at_and_one_without_is_not() -> None:
    seen: list[Any] = []

    def table(value: Any) -> Any:
        seen.append(value)
        return {"x": 1}

    inputs = {"kwargs": ex.Input("table", ("k",)), "resource_config": ex.Input("table")}
    assert opened(inputs, table) == {**inputs, "kwargs": {"x": 1}}
    assert seen == [ex.Input("table", ("k",))]


@pytest.mark.parametrize(
    ("value", "keys", "expected"),
    [
        ([1, 2], (0,), 1),
        ([1, 2], (1,), 2),
        ([1, 2], (-1,), 2),
        ([1, 2], (-2,), 1),
        ([1, 2], (-3,), MISSING),
        ([1, 2], (2,), MISSING),
        ([1, 2], (True,), MISSING),
        ([1, 2], ("0",), MISSING),
        ({"a": [{"b": 3}]}, ("a", 0, "b"), 3),
        ({"a": 1}, ("b",), MISSING),
        ({0: 1}, (0,), MISSING),
        ("text", (0,), MISSING),
        (IP, ("a",), MISSING),
        (IP, (), IP),
    ],
)
def test_a_step_into_a_branch(value: Any, keys: Any, expected: Any) -> None:
    assert _step(value, keys) == expected
