"""Parameter coercion and constraints; tests/engines/test_heat_parameters.py compares many more with Heat itself."""

from __future__ import annotations

from typing import Any

import pytest

from bpconvert.translators.evaluate.parameters import check_constraint, coerce


@pytest.mark.parametrize(
    ("type_", "value", "expected"),
    [
        ("string", 5, "5"), ("string", True, "True"), ("string", 1.50, "1.5"), ("string", ["a"], "['a']"),
        ("number", "3", 3), ("number", "7.0", 7.0), ("number", " 7 ", 7), ("number", "1e3", 1000.0),
        ("number", True, True),
        ("boolean", "yes", True), ("boolean", "ON", True), ("boolean", 1, True), ("boolean", "n", False),
        ("boolean", "f", False),
        ("comma_delimited_list", "a, b,,c", ["a", " b", "", "c"]), ("comma_delimited_list", "", []),
        ("comma_delimited_list", [1, True], ["1", "True"]), ("list", "a,b", ["a", "b"]),
        ("json", '{"a": [1]}', {"a": [1]}), ("json", {1: "x"}, {"1": "x"}), ("json", "", ""), ("json", 0, 0),
        ("json", '"text"', "text"), ("json", [], []),
    ],
)  # fmt: skip
def test_coerced(type_: str, value: Any, expected: Any) -> None:
    found = coerce(type_, value)
    assert found == expected
    assert type(found) is type(expected)


@pytest.mark.parametrize(
    ("type_", "value"),
    [
        ("number", "0x10"), ("number", ""), ("number", [1]), ("boolean", "maybe"), ("boolean", 2), ("boolean", 1.0),
        ("comma_delimited_list", 5), ("comma_delimited_list", {"a": 1}), ("json", "{"), ("json", {"a": {1, 2}}),
        ("String", "a"), ("string", None),
    ],
)  # fmt: skip
def test_refused(type_: str, value: Any) -> None:
    with pytest.raises(ValueError, match=r"."):
        coerce(type_, value)


@pytest.mark.parametrize(
    ("type_", "kind", "argument", "good", "bad"),
    [
        ("number", "range", {"min": 1, "max": "5"}, [1, "5", 2.5], [0, "6"]),
        ("string", "length", {"min": 1, "max": 2}, ["a", "ab"], ["", "abc"]),
        ("comma_delimited_list", "length", {"max": 2}, ["a,b", []], ["a,b,c"]),
        ("json", "length", {"min": 1}, ['{"a": 1}', [0]], ["{}", {}]),
        ("number", "modulo", {"step": 2, "offset": 1}, [1, "3", -1], [2, "0"]),
        ("string", "allowed_values", ["1", 2, True], [1, "2", "True"], ["true", "3"]),
        ("number", "allowed_values", ["1", 2.0], [1, 2, "2"], [3]),
        ("boolean", "allowed_values", ["yes"], [True, "on"], [False]),
        ("comma_delimited_list", "allowed_values", ["a", "b"], ["a,b,a", ""], ["a, b"]),
        ("string", "allowed_pattern", "a|ab", ["a"], ["ab", "ba"]),
        ("string", "allowed_pattern", "a+?", ["a"], ["aaa"]),
        ("string", "allowed_pattern", "[a-z]+", ["abc"], ["abc1", "", 5]),
        ("string", "custom_constraint", "nova.flavor", ["x"], []),
        ("string", "custom", "nova.flavor", ["x"], []),
    ],
)
def test_constraints(type_: str, kind: str, argument: Any, good: list[Any], bad: list[Any]) -> None:
    for value in good:
        check_constraint(type_, kind, argument, value)
    for value in bad:
        with pytest.raises(ValueError, match=r"."):
            check_constraint(type_, kind, argument, value)


@pytest.mark.parametrize(
    ("type_", "kind", "argument"),
    [
        ("string", "range", {"min": 1}), ("json", "allowed_values", ["a"]), ("number", "allowed_pattern", "1"),
        ("number", "range", {}), ("number", "range", {"low": 1}), ("number", "range", 1), ("string", "length", {}),
        ("string", "length", {"max": 1.5}), ("number", "modulo", {"step": 0, "offset": 0}),
        ("number", "modulo", {"step": 2}),
        ("number", "modulo", {"step": 2, "offset": 2}), ("number", "modulo", {"step": 2, "offset": -1}),
        ("number", "modulo", {"step": 2.5, "offset": 1}), ("number", "modulo", {"step": float("inf"), "offset": 1}),
        ("string", "allowed_values", "abc"),
        ("string", "allowed_pattern", 5), ("string", "allowed_pattern", "("), ("string", "nothing", 1),
    ],
)  # fmt: skip
def test_wrong_constraints(type_: str, kind: str, argument: Any) -> None:
    with pytest.raises(ValueError, match=r"."):
        check_constraint(type_, kind, argument, "1")


def test_the_description_is_the_reason() -> None:
    with pytest.raises(ValueError, match=r"^1 or 2 only$"):
        check_constraint("number", "range", {"min": 1, "max": 2}, 3, description="1 or 2 only")
