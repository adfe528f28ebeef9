"""Texts of numbers and of truth values, where the type of an input says what they are."""

from __future__ import annotations

from typing import Any

import pytest

from bpconvert import Result, check, convert

SOURCE = """\
tosca_definitions_version: tosca_simple_yaml_1_3
topology_template:
  inputs: {a: {type: %s, default: %s, constraints: [{%s}]}}
  node_templates: {node: {type: tosca.nodes.Root}}
"""


def _input(type: str, default: str, constraints: str, target: str) -> tuple[dict[str, Any], list[str], Result]:
    result = convert(SOURCE % (type, default, constraints), "tosca", target, carry=False)
    declared = result.document["inputs" if target == "cloudify" else "parameters"]["a"]
    return declared, [item.code for item in result.diagnostics], result


@pytest.mark.parametrize(
    ("type", "default", "constraint", "written", "limits"),
    [
        ("integer", "'-1'", "in_range: ['-1', 1825]", -1, {"in_range": [-1, 1825]}),
        ("integer", "' 3 '", "greater_than: '2'", 3, {"greater_or_equal": 3}),
        ("integer", "3", "valid_values: ['3', '4']", 3, {"valid_values": [3, 4]}),
        ("float", "'1.5'", "greater_or_equal: '1e0'", 1.5, {"greater_or_equal": 1.0}),
        ("boolean", "'On'", "equal: 'true'", True, {"valid_values": [True]}),
        ("string", "'3'", "length: '1'", "3", {"length": 1}),
        ("string", "'3'", "equal: '3'", "3", {"valid_values": ["3"]}),
        ("list", "['3']", "min_length: '1'", ["3"], {"min_length": 1}),
    ],
)
def test_a_text_is_the_value_that_the_type_has(
    type: str, default: str, constraint: str, written: Any, limits: dict[str, Any]
) -> None:
    declared, codes, result = _input(type, default, constraint, "cloudify")
    assert declared["default"] == written
    assert isinstance(declared["default"], bool) is isinstance(written, bool)
    assert declared["constraints"] == [limits]
    assert ("BPC509" in codes) is (default != "'3'" or "length" in constraint)
    assert check(result.text) == []
    assert _input(type, default, constraint, "hot")[0]["default"] == written


@pytest.mark.parametrize(("type", "default"), [("integer", "'1_000'"), ("integer", "some"), ("boolean", "maybe")])
def test_other_texts_stay(type: str, default: str) -> None:
    declared, codes, _ = _input(type, default, "", "cloudify")
    assert (declared["default"], "BPC509" in codes, "BPC171" in codes) == (default.strip("'"), False, True)


@pytest.mark.parametrize(("type", "digits"), [("float", "1e999"), ("integer", "9" * 5000)])
def test_texts_of_numbers_that_python_does_not_write_stay(type: str, digits: str) -> None:
    declared, codes, _ = _input(type, f"'{digits}'", "", "cloudify")
    assert (declared["default"], "BPC509" in codes) == (digits, False)


@pytest.mark.parametrize(
    ("type", "default", "constraint"),
    [
        ("version", "'1.0'", "greater_or_equal: '1.0'"),
        ("string", "b", "in_range: [a, c]"),
        ("timestamp", "'2020-01-01'", "less_or_equal: '2021-01-01'"),
    ],
)
def test_limits_that_are_no_numbers_are_reported(type: str, default: str, constraint: str) -> None:
    declared, codes, result = _input(type, default, constraint, "cloudify")
    assert "constraints" not in declared
    assert "BPC502" in codes
    assert check(result.text) == []


def test_no_limits_are_no_constraint() -> None:
    declared, codes, _ = _input("integer", "1", "in_range: [UNBOUNDED, UNBOUNDED]", "cloudify")
    assert "constraints" not in declared
    assert "BPC502" not in codes
