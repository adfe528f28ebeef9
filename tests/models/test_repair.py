"""What is wrong with data that a model refuses, in the keys of whoever wrote it, and what of it is left."""

from __future__ import annotations

import copy
from typing import Annotated, Any, ClassVar

import pytest
from pydantic import Field, ValidationError

from bpconvert.models.fields import LATER, Model, Named, Section
from bpconvert.models.repair import EditedData, repaired


class Part(Model):
    """Without its kind, it is a plain one."""

    NOUN: ClassVar[str] = "an odd part"
    FILLS: ClassVar[dict[str, Any]] = {"kind": "plain"}

    kind: str
    size: int = 1
    ratio: float = 1.0
    on: bool = True
    items: list[str] = Field(default_factory=list)
    notes: dict[str, str] = Field(default_factory=dict)
    short: str | None = Field(None, alias="brief")


class Bare(Model):
    """It is nothing without what it must have."""

    NOUN: ClassVar[str] = "a bare thing"

    must: str


class Whole(Model):
    """What is checked."""

    NOUN: ClassVar[str] = "a whole"
    KEY: ClassVar[str] = "word"

    parts: Section[Part] = Field(default_factory=dict)
    bare: Section[Bare] = Field(default_factory=dict)
    rows: list[Annotated[Bare, LATER]] = Field(default_factory=list)
    one: Annotated[Part, LATER] | None = None
    named: Named[str] = Field(default_factory=dict)


def left(raw: Any) -> tuple[Any, list[tuple[str, str]]]:
    """What is left of the data, and what is told; the data itself stays as it is."""
    before = copy.deepcopy(raw)
    data, problems = repaired(f"{__name__}:Whole", lambda data: data, raw)
    assert raw == before
    Whole.model_validate(data)
    return data, [(".".join(map(str, one.path)), one.text) for one in problems]


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("size", "x", "must be a whole number, not the text 'x'"),
        ("ratio", "y", "must be a number, not the text 'y'"),
        ("on", 3, "must be true or false, not the number 3"),
        ("items", 5, "must be a list, not the number 5"),
        ("notes", [], "must be a map, not a list"),
        ("brief", {}, "must be text, not a map"),
    ],
)
def test_a_value_of_another_type_is_left_out(key: str, value: Any, message: str) -> None:
    """The rest of its object stays."""
    data, told = left({"parts": {"a": {"kind": "k", key: value}}})
    assert data == {"parts": {"a": {"kind": "k"}}}
    assert told == [(f"parts.a.{key}", f"'{key}' of an odd part {message}")]


def test_what_was_left_out_is_handed_out() -> None:
    raw = {"parts": {"a": {"kind": "k", "size": ["x"]}}, "bare": {"b": {}}}
    _, problems = repaired(f"{__name__}:Whole", lambda data: data, raw)
    assert [(one.path[-1], one.removed, one.value) for one in problems] == [("size", True, ["x"]), ("b", True, {})]


def test_what_an_object_has_to_have_is_put_in_where_there_is_a_usual_one() -> None:
    """Also in place of one of another type."""
    data, told = left({"parts": {"a": {"size": 1}, "b": {"kind": 5}, "c": 7, "d": None}, "one": 5})
    plain = {"kind": "plain"}
    assert data == {"parts": {"a": {"size": 1, **plain}, "b": plain, "c": plain, "d": plain}, "one": plain}
    assert told == [
        ("parts.a", "'kind' of an odd part is missing"),
        ("parts.b.kind", "'kind' of an odd part must be text, not the number 5"),
        ("parts.c", "odd part 'c' must be a map, not the number 7"),
        ("parts.d", "odd part 'd' must be a map, not null"),
        ("one", "odd part 'one' must be a map, not the number 5"),
    ]


def test_an_object_without_what_it_has_to_have_is_left_out() -> None:
    """A wrong one is so in a second round."""
    data, told = left({"bare": {"a": {}, "b": {"must": "x"}, "c": {"must": 1}}})
    assert data == {"bare": {"b": {"must": "x"}}}
    assert told == [
        ("bare.a", "'must' of a bare thing is missing"),
        ("bare.c.must", "'must' of a bare thing must be text, not the number 1"),
        ("bare.c", "'must' of a bare thing is missing"),
    ]


def test_items_are_told_of_by_their_places_in_the_source() -> None:
    """Whatever has been left out before them."""
    data, told = left({"rows": [{"must": "x"}, {}, {"must": "y"}, {"must": 2}, 5, {"must": "z"}]})
    assert data == {"rows": [{"must": "x"}, {"must": "y"}, {"must": "z"}]}
    assert told == [
        ("rows.1", "'must' of a bare thing is missing"),
        ("rows.3.must", "'must' of a bare thing must be text, not the number 2"),
        ("rows.4", "a bare thing must be a map, not the number 5"),
        ("rows.3", "'must' of a bare thing is missing"),
    ]
    data, told = left({"parts": {"a": {"kind": "k", "items": [*range(12), "x"]}}})
    assert data["parts"]["a"]["items"] == ["x"]
    assert [place for place, _ in told] == [f"parts.a.items.{number}" for number in range(12)]


def test_a_name_that_is_no_text_is_left_out() -> None:
    """Not the one that is that text."""
    data, told = left({"parts": {1: {"kind": "k"}, "1": {"kind": "l", "size": "q"}}, "named": {3: "x", "y": "z"}, 4: 5})
    assert data == {"parts": {"1": {"kind": "l"}}, "named": {"y": "z"}}
    assert sorted(told) == [
        ("4", "the number 4 cannot be a name here: names must be text"),
        ("named.3", "the number 3 cannot be a name here: names must be text"),
        ("parts.1", "the number 1 cannot be a name here: names must be text"),
        ("parts.1.size", "'size' of an odd part must be a whole number, not the text 'q'"),
    ]


def test_an_object_with_a_wrong_name_and_a_wrong_value_is_left_out() -> None:
    data, told = left({"parts": {1: {"kind": "k", "size": "q"}, "a": {"kind": "l"}}})
    assert data == {"parts": {"a": {"kind": "l"}}}
    assert ("parts.1", "the number 1 cannot be a name here: names must be text") in told


def test_keys_that_nothing_has_are_left_out() -> None:
    data, told = left({"what": 1, "one": {"kind": "k", "other": 6, "short": "x"}})
    assert data == {"one": {"kind": "k"}}
    assert told == [
        ("one.other", "unknown key 'other' of an odd part"),
        ("one.short", "unknown key 'short' of an odd part"),
        ("what", "unknown word 'what' of a whole"),
    ]


def test_a_value_in_a_map_of_texts_is_called_by_its_name() -> None:
    data, told = left({"parts": {"a": {"kind": "k", "notes": {"kind": 1, "b": "c"}}}, "named": {"x": []}})
    assert data == {"parts": {"a": {"kind": "k", "notes": {"b": "c"}}}, "named": {}}
    assert told == [
        ("parts.a.notes.kind", "'kind' of an odd part must be text, not the number 1"),
        ("named.x", "'x' of a whole must be text, not a list"),
    ]


@pytest.mark.parametrize("raw", [[], 5, "text"])
def test_what_is_no_map_is_not_repaired(raw: Any) -> None:
    with pytest.raises(ValidationError):
        repaired(f"{__name__}:Whole", lambda data: data, raw)


@pytest.mark.parametrize(
    ("place", "is_text", "expected"),
    [
        (("a", "1"), True, ("a", "1")),
        (("a", "1"), False, ("a", 1)),
        (("a", "2"), True, ("a", 2)),
        (("a", "true"), True, ("a",)),
        (("a", "gone", "more"), True, ("a",)),
        (("rows", 1), True, ("rows", 1)),
        (("rows", 2), True, ("rows",)),
        (("rows", "0", "x"), True, ("rows",)),
        (("rows", 0, "x", "y"), True, ("rows", 0, "x")),
        (("text", 0), True, ("text",)),
    ],
)
def test_a_place_is_found_as_far_as_it_is_there(place: Any, is_text: bool, expected: Any) -> None:
    """The model has each name as a text."""
    data = EditedData({"a": {1: {}, "1": {}, 2: {}}, "rows": [{"x": 1}, 2], "text": "word"})
    assert data.find(place, is_text=is_text) == expected
