"""The types that values are found to be of, and how those that no type fits are written."""

from __future__ import annotations

from typing import Any

import pytest

from bpconvert.translators.tosca.coded import LIST, NULL, TYPES
from bpconvert.translators.tosca.write.schemas import MisfitError, Schemas, Shape, Shapes, used

CALL = {"get_input": "x"}
TEXT, NUMBER = Shape("string"), Shape("integer")
ROOT = "tosca.datatypes.Root"
SHAPES = Shapes("")


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (True, "boolean"),
        (1, "integer"),
        (1.5, "float"),
        ("a", "string"),
        ([], "list"),
        ({}, "map"),
        (CALL, ""),
        ({"$get_input": "x"}, "map"),
        ({"get_input": "x", "b": 1}, "map"),
        ({"a": 1}, "map"),
        (None, ""),
    ],
)
def test_the_type_of_a_literal(value: Any, kind: str) -> None:
    assert SHAPES.literal(value) == kind


def test_a_call_is_one_of_the_version_that_is_written() -> None:
    """In TOSCA 2.0 a call begins with ``$``: what Heat calls a function is a map of the data there."""
    shapes = Shapes("$")
    assert (shapes.literal({"$get_input": "x"}), shapes.literal(CALL)) == ("", "map")
    assert shapes.shape_of([{"a": CALL}]) == Shape("map", None, {"a": Shape("map", TEXT)})


@pytest.mark.parametrize(
    ("values", "shape"),
    [
        ([1, CALL], NUMBER),
        ([CALL], Shape("")),
        ([], Shape("")),
        ([["a"], []], Shape("list", TEXT)),
        ([[{"a": 1}]], Shape("list", Shape("map", None, {"a": NUMBER}))),
        ([{"a": 1, "b": 2}], Shape("map", NUMBER)),
        ([{"a": 1}, {"b": "x"}], Shape("map", None, {"a": NUMBER, "b": TEXT})),
        ([{"a": [1]}], Shape("map", None, {"a": Shape("list", NUMBER)})),
        ([{"a": {"b": 1}}], Shape("map", None, {"a": Shape("map", NUMBER)})),
        ([{"a": CALL}], Shape("map", Shape(""))),
        ([{1: "a", 2: "b"}], Shape("map", TEXT, None, "integer")),
        ([{1.5: "a"}], Shape("map", TEXT, None, "float")),
        ([{True: "a"}], Shape("map", TEXT, None, "boolean")),
        ([{1: {"a": 2}}], Shape("map", Shape("map", None, {"a": NUMBER}), None, "integer")),
    ],
)
def test_what_values_are_of(values: list[Any], shape: Shape) -> None:
    assert SHAPES.shape_of(values) == shape
    assert not shape.is_coded


@pytest.mark.parametrize(
    "values",
    [
        [1, "a"],
        [[1, "a"]],
        [{"a": 1}, {"a": "x"}],
        [[1], [None]],
        [None],
        [{1: "a", "b": "c"}],
        [{1: "a"}, {"b": "c"}],
        [{1: "a", 2.5: "b"}],
        [{(1, 2): "a"}],
        [{1: ["a"]}],
    ],
)
def test_what_no_type_fits(values: list[Any]) -> None:
    with pytest.raises(MisfitError):
        SHAPES.shape_of(values)


@pytest.mark.parametrize(
    ("value", "shape", "written"),
    [
        (None, Shape("null"), {"none": True}),
        ([1, "a"], Shape("list", None, {"0": NUMBER, "1": TEXT}), {"0": 1, "1": "a"}),
        (["a"], Shape("list", TEXT), ["a"]),
        ([["a"], ["b"]], Shape("list", None, dict.fromkeys("01", Shape("list", TEXT))), {"0": ["a"], "1": ["b"]}),
        (
            [[1, "a"]],
            Shape("list", None, {"0": Shape("list", None, {"0": NUMBER, "1": TEXT})}),
            {"0": {"0": 1, "1": "a"}},
        ),
        ([None], Shape("list", Shape("null")), [{"none": True}]),
        ([None, CALL], Shape("list", None, {"0": Shape("null"), "1": Shape("")}), {"0": {"none": True}, "1": CALL}),
        ({"a": None, "b": 1}, Shape("map", None, {"a": Shape("null"), "b": NUMBER}), {"a": {"none": True}, "b": 1}),
        ({1: None}, Shape("map", Shape("null"), None, "integer"), {1: {"none": True}}),
        ([{"a": [1, "b"]}, CALL], None, [{"a": {"0": 1, "1": "b"}}, CALL]),
    ],
)
def test_how_values_are_written_that_no_type_fits(value: Any, shape: Shape | None, written: Any) -> None:
    found = SHAPES.shape_of([value], coded=True)
    assert SHAPES.encoded(value, found) == written
    if shape is not None:
        assert found == shape


def test_lists_of_one_property_are_coded_by_position_together() -> None:
    found = SHAPES.shape_of([[1, "a"], ["b"[:0] or 2, "c", True]], coded=True)
    assert found == Shape("list", None, {"0": NUMBER, "1": TEXT, "2": Shape("boolean")})
    assert SHAPES.encoded([1], found) == {"0": 1}
    assert SHAPES.encoded(CALL, found) == CALL


def test_a_row_has_the_type_of_the_values_or_the_one_that_it_should_have() -> None:
    schemas = Schemas(SHAPES)
    assert schemas.row([], "", "n") == {"type": "string"}
    assert schemas.row([None], "integer", "n") == {"type": "integer"}
    assert schemas.row([CALL], "float", "n") == {"type": "float"}
    assert schemas.row([1], "string", "n") == {"type": "integer"}
    assert schemas.row([1, "a"], "integer", "n") == {"type": "string"}
    assert schemas.row([CALL], "list", "n") == {"type": "list", "entry_schema": {"type": "string"}}
    assert schemas.row([CALL], "map", "n") == {"type": "map", "entry_schema": {"type": "string"}}
    assert schemas.types == {}


def test_a_row_of_a_coded_value_has_types_that_say_so() -> None:
    schemas = Schemas(SHAPES)
    row, shape = schemas.fitted([[1, "a", None]], "", "t.p")
    assert row == {"type": "t.p"}
    assert SHAPES.encoded([1, "a", None], shape) == {"0": 1, "1": "a", "2": {"none": True}}
    assert schemas.types == {
        LIST: TYPES[LIST],
        "t.p": {
            "derived_from": LIST,
            "properties": {
                "0": {"type": "integer", "required": False},
                "1": {"type": "string", "required": False},
                "2": {"type": NULL, "required": False},
            },
        },
        NULL: TYPES[NULL],
    }


def test_what_fits_is_not_coded_and_what_never_fits_leaves_no_type() -> None:
    schemas = Schemas(SHAPES)
    assert schemas.fitted([["a"]], "", "t.p") == (
        {"type": "list", "entry_schema": {"type": "string"}},
        Shape("list", TEXT),
    )
    assert schemas.fitted([[{"a": 1, "b": [1, None]}, {"a": "x"}], [2]], "", "t.p") == ({"type": "list"}, Shape("list"))
    assert schemas.row([[{"a": {"x": 1, "y": "b"}, "b": [["c"]]}]], "", "t.p") == {"type": "list"}
    assert schemas.types == {}


def test_data_types_have_names_of_their_own() -> None:
    schemas = Schemas(SHAPES)
    assert schemas.row([{"a": 1, "b": "x"}], "", "t p/q") == {"type": "t_p_q"}
    assert schemas.row([{"a": 1, "b": True}], "", "t p/q") == {"type": "t_p_q.2"}
    assert schemas.row([{"a": 1.5, "b": True}], "", "t p/q") == {"type": "t_p_q.3"}
    assert schemas.types["t_p_q.3"] == {
        "derived_from": ROOT,
        "properties": {"a": {"type": "float", "required": False}, "b": {"type": "boolean", "required": False}},
    }


def test_an_empty_map_in_a_list_is_of_a_data_type_without_properties() -> None:
    schemas = Schemas(SHAPES)
    assert schemas.row([[{}]], "", "t.p") == {"type": "list", "entry_schema": {"type": "t.p"}}
    assert schemas.types == {"t.p": {"derived_from": ROOT}}


def test_maps_by_number_have_a_schema_of_their_names() -> None:
    schemas = Schemas(SHAPES)
    row = {"type": "map", "key_schema": {"type": "integer"}, "entry_schema": {"type": "string"}}
    assert schemas.row([{80: "a"}], "", "t.p") == row
    assert schemas.row([[{80: "a"}]], "", "t.p") == {"type": "list"}


def test_a_place_that_gets_its_values_one_by_one_has_the_types_of_all() -> None:
    schemas = Schemas(SHAPES)
    number = schemas.grow("there", {"c": 1, "d": "x"}, "t.q")
    grown = [schemas.grow("here", value, "t.p") for value in ({"a": 1}, {"b": "x"}, {"c": {"d": [1]}})]
    schemas.grow("text", {"c": 1}, "t.r")
    text = schemas.grow("text", 1, "t.r")
    schemas.finish()
    assert number == {"type": "t.q", "required": False}
    assert grown == [{"type": "t.p", "required": False}] * 3
    assert text == {"type": "string", "required": False}
    assert {name: [*one["properties"]] for name, one in schemas.types.items()} == {
        "t.q": ["c", "d"],
        "t.p": ["a", "b", "c"],
        "t.p.c": ["d"],
    }


def test_an_attribute_without_paths_has_the_type_of_its_property() -> None:
    schemas = Schemas(SHAPES)
    assert schemas.attribute([()], {"type": "integer"}, "t.a") == {"type": "integer"}
    assert schemas.attribute([], None, "t.a") == {"type": "string"}
    assert schemas.types == {}


def test_an_attribute_has_what_paths_lead_into() -> None:
    schemas = Schemas(SHAPES)
    assert schemas.attribute([(0, 1)], None, "t.a") == {"type": "map", "entry_schema": {"type": "map"}}  # a list in one
    assert schemas.attribute([("b", 0, "c"), ("a",), ("b",)], None, "t.a") == {"type": "t.a"}
    assert schemas.types == {
        "t.a": {
            "derived_from": ROOT,
            "properties": {
                "a": {"type": "string", "required": False},
                "b": {"type": "list", "entry_schema": {"type": "t.a.b"}, "required": False},
            },
        },
        "t.a.b": {"derived_from": ROOT, "properties": {"c": {"type": "string", "required": False}}},
    }
    assert schemas.attribute([(CALL, "x")], None, "t.b") == {"type": "map", "entry_schema": {"type": "map"}}


def test_an_attribute_that_refines_a_map_of_maps_says_what_the_inner_ones_have() -> None:
    schemas = Schemas(SHAPES)
    made = schemas.attribute([("any", "ip"), ("other", 0, "x"), ("any",)], None, "t.a", own=False)
    assert made == {"type": "map", "entry_schema": {"type": "t.a.entry"}}
    assert [*schemas.types["t.a.entry"]["properties"].items()] == [
        (0, {"type": "t.a.entry.0", "required": False}),
        ("ip", {"type": "string", "required": False}),
    ]
    assert schemas.attribute([("any",)], None, "t.b", own=False) == {"type": "map", "entry_schema": {"type": "map"}}
    assert schemas.attribute([("any", CALL)], None, "t.b", own=False) == {
        "type": "map",
        "entry_schema": {"type": "map"},
    }
    assert not [name for name in schemas.types if name.startswith("t.b")]


def test_types_that_types_need_are_used() -> None:
    types = {"a": {"properties": {"x": {"type": "b"}}}, "b": {"derived_from": "c"}, "c": {}, "d": {"derived_from": "a"}}
    assert [*used(types, [{"type": "a"}, "e"])] == ["a", "b", "c"]
    assert used(types, "a word") == {}
