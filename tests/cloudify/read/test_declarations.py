"""Inputs of a blueprint and their constraints in neutral form."""

from __future__ import annotations

import re
from typing import Any

import pytest
from blueprints_read import DATA, HEAD, Found

from bpconvert.models.expressions import MISSING, Value, walk
from bpconvert.models.topology import Constraint
from bpconvert.translators.cloudify.read.declarations import whole_pattern

# -- inputs -------------------------------------------------------------------------------------------------


def one_input(read: Any, text: str, more: str = "") -> tuple[Any, Found]:
    done = read(f"inputs: {{i: {{{text}}}}}\n{more}")
    return done.topology.inputs["i"], done.found


@pytest.mark.parametrize(
    ("text", "expected", "reported"),
    [
        ("type: string", "string", False), ("type: textarea", "string", False), ("type: regex", "string", True),
        ("type: node_id", "string", True), ("type: integer", "number", True), ("type: float", "number", False),
        ("type: boolean", "boolean", False), ("type: list", "json", False), ("type: dict", "json", False),
        ("type: list, item_type: string", "list", False), ("type: list, item_type: integer", "json", True),
        ("", None, False), ("default: x", "string", False), ("default: true", "boolean", False),
        ("default: 1.5", "number", False), ("default: [1]", "json", False), ("default: {a: b}", "json", False),
        ("default: {get_secret: x}", None, False), ("constraints: [{pattern: a}]", "string", False),
        ("constraints: [{in_range: [1, 2]}]", "number", False), ("constraints: [{valid_values: [1]}]", None, False),
    ],
)  # fmt: skip
def test_input_types(read: Any, text: str, expected: str | None, reported: bool) -> None:
    lifted, found = one_input(read, text)
    assert lifted.type == expected
    assert found == ([("BPC520", ("inputs", "i", "type"))] if reported else [])


def test_input_keys(read: Any) -> None:
    text = "type: textarea, display_label: L, description: D, hidden: true, required: false, display: {rows: 3}"
    lifted, found = one_input(read, text)
    assert (lifted.label, lifted.description, lifted.hidden) == ("L", "D", True)
    assert lifted.extra == {"required": False, "display": {"rows": 3}}
    assert lifted.path == ("inputs", "i")
    assert found == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("default: null", MISSING), ("type: string, default: ''", ""), ("type: integer, default: 0", 0),
        ("default: {get_secret: x}", "secret"), ("type: dict, default: {a: {get_secret: x}}", {"a": "secret"}),
        ("type: list, default: []", []), ("type: string, default: 5", 5),
    ],
)  # fmt: skip
def test_input_defaults(read: Any, text: str, expected: Value) -> None:
    lifted, found = one_input(read, text)
    default = lifted.default
    secrets = list(walk(default))
    if secrets:
        assert all(secret.path[:3] == ("inputs", "i", "default") for secret in secrets)
        default = "secret" if default is secrets[0] else dict.fromkeys(default, "secret")
    assert default == expected
    assert "BPC522" not in [code for code, _ in found]


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("type: integer, default: '5'", ()), ("type: boolean, default: 1", ()), ("type: list, default: {}", ()),
        ("type: inner, default: 5", ()), ("type: inner, default: {z: 1}", ("z",)),
        ("type: outer, default: {}", ()), ("type: list, item_type: integer, default: [a]", ()),
        ("default: 5, constraints: [{in_range: [1, 3]}]", ()), ("default: 5, constraints: [{greater_than: 5}]", ()),
        ("default: ab, constraints: [{pattern: b}]", ()), ("default: ab, constraints: [{max_length: 1}]", ()),
        ("default: ab, constraints: [{length: 1}]", ()), ("default: ab, constraints: [{greater_than: 1}]", ()),
        ("default: ab, constraints: [{valid_values: [a]}]", ()),
        ("type: list, item_type: string, default: [a, b], constraints: [{valid_values: [a]}]", ()),
    ],
)  # fmt: skip
def test_defaults_that_the_parser_refuses(read: Any, text: str, path: tuple[Any, ...]) -> None:
    lifted, found = one_input(read, text, DATA)
    assert lifted.default is MISSING
    assert ("BPC522", ("inputs", "i", "default", *path)) in found


def test_data_typed_inputs(read: Any) -> None:
    lifted, _ = one_input(read, "type: outer, default: {k: 1}", DATA)
    assert (lifted.type, lifted.default) == ("json", {"k": 1, "i": {"x": 1, "y": 2}, "j": {"x": 1}})
    lifted, _ = one_input(read, "type: more", DATA)
    assert lifted.default == {"i": {"x": 5, "y": 2}, "j": {"x": 1}, "k": 7}
    lifted, found = one_input(read, "type: outer", DATA)  # k is required: no default
    assert lifted.default is MISSING
    assert "BPC522" not in [code for code, _ in found]


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("hidden: true", "hidden"), ("type: string, display: {rows: 1}", "display"),
        ("type: string, item_type: string", "item_type"), ("type: list, item_type: thing", "item_type"),
        ("type: node_id, default: x", "default"), ("default: {get_secret: x}, constraints: [{pattern: a}]", "default"),
        ("type: thing", "type"), ("constraints: [{equal: 1, less_than: 5}]", "constraints"),
    ],
)  # fmt: skip
def test_inputs_that_the_parser_refuses(read: Any, text: str, key: str) -> None:
    _, found = one_input(read, text)
    assert ("BPC121", ("inputs", "i", key)) in [(code, path[:3]) for code, path in found]


# -- constraints --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "kind", "argument"),
    [
        ("type: float, constraints: [{in_range: [1, 3]}]", "range", {"min": 1, "max": 3}),
        ("type: float, constraints: [{greater_or_equal: 1}]", "range", {"min": 1}),
        ("type: float, constraints: [{less_or_equal: 3}]", "range", {"max": 3}),
        ("type: float, constraints: [{equal: 3}]", "allowed_values", [3]),
        ("type: string, constraints: [{length: 3}]", "length", {"min": 3, "max": 3}),
        ("type: string, constraints: [{min_length: 3}]", "length", {"min": 3}),
        ("type: dict, constraints: [{max_length: 3}]", "length", {"max": 3}),
        ("type: string, constraints: [{valid_values: [a, b]}]", "allowed_values", ["a", "b"]),
        ("type: list, item_type: string, constraints: [{valid_values: [a]}]", "allowed_values", ["a"]),
        ("type: string, constraints: [{pattern: 'a\\Z'}]", "allowed_pattern", "a"),
    ],
)
def test_constraints(read: Any, text: str, kind: str, argument: Any) -> None:
    lifted, found = one_input(read, text)
    (constraint,) = lifted.constraints
    assert (constraint.kind, constraint.argument) == (kind, argument)
    assert constraint.path[:4] == ("inputs", "i", "constraints", 0)
    assert found == []


def test_error_message_describes_the_constraint(read: Any) -> None:
    head = HEAD.replace("1_4", "1_5")
    done = read("inputs: {i: {type: float, constraints: [{in_range: [1, 2], error_message: E}]}}\n", head)
    (constraint,) = done.topology.inputs["i"].constraints
    assert isinstance(constraint, Constraint)
    assert constraint.description == "E"
    assert done.found == []


@pytest.mark.parametrize(
    ("text", "operator"),
    [
        ("type: float, constraints: [{greater_than: 1}]", "greater_than"),
        ("type: float, constraints: [{less_than: 1}]", "less_than"),
        ("type: deployment_id, constraints: [{labels: [{a: b}]}]", "labels"),
        ("type: deployment_id, constraints: [{name_pattern: {contains: a}}]", "name_pattern"),
        ("type: string, constraints: [{valid_values: {get_secret: x}}]", "valid_values"),
        ("type: list, constraints: [{valid_values: [[a]]}]", "valid_values"),
        ("default: [a], constraints: [{valid_values: [[a]]}]", "valid_values"),
        ("type: list, item_type: string, constraints: [{pattern: a}]", "pattern"),
        ("type: list, item_type: string, constraints: [{max_length: 3}]", "max_length"),
        ("type: boolean, constraints: [{in_range: [0, 1]}]", "in_range"),
        ("type: float, constraints: [{pattern: a}]", "pattern"),
    ],
)
def test_constraints_without_counterpart(read: Any, text: str, operator: str) -> None:
    lifted, found = one_input(read, text)
    assert lifted.constraints == []
    assert ("BPC521", ("inputs", "i", "constraints", 0, operator)) in found


TEXTS = ["", "a", "b", "ab", "ba", "aab", "a\n", "b\n", "abc\nd", "A", "a1", "1a", "a|b", "\n", "$", "a$", "aa$\n"]


def by_heat(pattern: str, text: str) -> bool:
    """Whether Heat's parameter constraint accepts ``text``."""
    match = re.match(pattern, text)
    return match is not None and match.end() == len(text)


@pytest.mark.parametrize(
    "pattern",
    [
        "a", "^a", "a$", "^a$", "a|b", "^a|b$", "^(a|b)$", "a|ab$", "(a|ab)", "[a|b]", "[a|b]$", r"a\|b", r"a\$", "a*",
        "a*?", ".*", "(?i)a", "(?i)a|b", "(?x)a # c", "(?x)a$ # c", "(?x)a|b # c", "(?m)a$", r"a\Z", r"a|b\Z",
        r"(a|ab)\Z", r"a*?\Z", "[^]a]", "[]|a]", "(?=a)a", "$", "", "(?s:a.)",
    ],
)  # fmt: skip
def test_patterns_accept_the_same(pattern: str) -> None:
    """Heat's match has to reach the end of the text, Cloudify's (``re.match``) has not. A last line break, which ``$``
    stands before, is refused."""
    converted = whole_pattern(pattern)
    texts = [text for text in TEXTS if not (pattern.endswith("$") and text.endswith("\n"))]
    assert [by_heat(converted, text) for text in texts] == [re.match(pattern, text) is not None for text in texts]


@pytest.mark.parametrize("pattern", ["[a-z]+", "a|ab", "(?i)[a-z]*?", "(a|b)+", "(?x)a # c", "^a$", "(?x)a|b # c"])
def test_patterns_of_hot_come_back(pattern: str) -> None:
    from bpconvert.translators.cloudify.write.declarations import _whole_pattern

    written = _whole_pattern(pattern)
    assert written is not None
    again = whole_pattern(written)
    assert again.rstrip("$") == pattern.rstrip("$")
    assert [by_heat(again, text) for text in TEXTS] == [by_heat(pattern, text) for text in TEXTS]
