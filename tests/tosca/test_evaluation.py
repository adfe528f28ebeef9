"""What values of service templates are, computed without an engine."""

from __future__ import annotations

from typing import Any

import pytest

from bpconvert import EvaluationError, evaluate

INPUTS = {"text": "a-b;c", "map": {"k": ["v"]}, "none": None}
PROPERTIES = {
    "one": {
        "name": "n", "made": {"concat": [{"get_property": ["SELF", "name"]}, {"get_input": "text"}]},
        "circle": {"get_property": ["SELF", "circle"]}, "deep": {"list": [1, {"k": 2}]},
    },
    "two": {"of_one": {"get_property": ["one", "made"]}},
}  # fmt: skip


def computed(value: Any, version: str = "tosca_simple_yaml_1_3", **more: Any) -> Any:
    given = {"inputs": INPUTS, "resources": PROPERTIES, "attributes": {"one": {"ip": "10.0.0.1", "nets": {"a": [0]}}}}
    return evaluate(value, dialect="tosca", version=version, **{**given, **more})


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"get_input": "text"}, "a-b;c"),
        ({"get_input": ["map", "k", 0]}, "v"),
        ({"get_property": ["two", "of_one"]}, "na-b;c"),
        ({"get_property": ["one", "deep", "list", 1, "k"]}, 2),
        ({"get_attribute": ["one", "ip"]}, "10.0.0.1"),
        ({"get_attribute": ["one", "nets", "a", 0]}, 0),
        ({"get_attribute": ["one", "name"]}, "n"),  # a property is an attribute (5.9.1)
        ({"concat": ["it's: ", 1, True, 1.0, 1.5, {"get_input": "text"}]}, "it's: 1true11.5a-b;c"),
        ({"join": [["a", {"get_input": "text"}], ", "]}, "a, a-b;c"),
        ({"join": [["a", "b"]]}, "ab"),
        ({"token": [{"get_input": "text"}, "-;", 2]}, "c"),
        ({"more": 1, "get_input": "text"}, {"more": 1, "get_input": "text"}),
        ([{"unknown": {"get_input": "text"}}], [{"unknown": "a-b;c"}]),
    ],
)
def test_values(value: Any, expected: Any) -> None:
    assert computed(value) == expected


@pytest.mark.parametrize(
    "value",
    [
        {"get_input": "missing"},
        {"get_input": ["map", "missing"]},
        {"get_property": ["one", "missing"]},
        {"get_property": ["one", "circle"]},
        {"get_property": ["SELF", "name"]},
        {"get_property": "one"},
        {"get_attribute": ["one", "tosca_id"]},
        {"get_operation_output": ["one", "Standard", "create", "x"]},
        {"concat": "text"},
        {"concat": [{"get_input": "none"}]},
        {"concat": [["a"]]},
        {"join": ["text", "-"]},
        {"token": ["a-b", "-", 2]},
        {"token": ["a-b", "", 0]},
    ],
)
def test_refused(value: Any) -> None:
    with pytest.raises(EvaluationError):
        computed(value)


def test_versions_have_functions_of_their_own() -> None:
    data = {"join": [["a", "b"], "-"]}
    assert computed(data, "tosca_simple_yaml_1_0") == data
    assert computed({"$concat": ["a", {"$get_input": "text"}]}, "tosca_2_0") == "aa-b;c"
    assert computed({"$concat": [["a"], ["b"]]}, "tosca_2_0") == ["a", "b"]
    assert computed({"concat": ["a"]}, "tosca_2_0") == {"concat": ["a"]}
    with pytest.raises(EvaluationError, match="no engine of TOSCA takes"):
        computed("text", "alien_dsl_2_0_0")


def test_words_for_nodes_and_capabilities() -> None:
    assert computed({"get_property": ["SELF", "name"]}, here={"SELF": "one"}) == "n"
    assert computed({"get_attribute": ["TARGET", "ip"]}, here={"TARGET": "one"}) == "10.0.0.1"
    capabilities = {"one": {"endpoint": {"port": 80}}}
    assert computed({"get_property": ["one", "endpoint", "port"]}, capabilities=capabilities) == 80
