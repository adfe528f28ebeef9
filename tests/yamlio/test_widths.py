"""What stands on one line, which is what fits there, and what Emitter writes piece by piece."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from bpconvert.yamlio import emit as emitting
from bpconvert.yamlio.comments import Comment
from bpconvert.yamlio.emit import Alias, Anchor, Emitter, Flow

emit = partial(emitting.emit, calls={"concat", "get_input"})

# -- what fits ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "line", "block"),
    [
        ({"get_input": "abcdef"}, "{get_input: abcdef}", "\n  get_input: abcdef"),
        ({"concat": ["ab", 12, "x"]}, "{concat: [ab, 12, x]}", "\n  concat: [ab, 12, x]"),
        ({"concat": [{"get_input": "ab"}, ""]}, "{concat: [{get_input: ab}, '']}", None),
        ({"concat": {"a": "x", "bc": 1.5}}, "{concat: {a: x, bc: 1.5}}", "\n  concat:\n    a: x\n    bc: 1.5"),
        ({"concat": [Anchor("one", "ab"), Alias("two")]}, "{concat: [&one ab, *two]}", None),
        ({"concat": [Alias("two"), Anchor("one", "ab")]}, "{concat: [*two, &one ab]}", None),
        ({"get_input": Anchor("one", [1, "a"])}, "{get_input: &one [1, a]}", None),
        (["ab", True, None], "[ab, true, null]", "\n  - ab\n  - true\n  - null"),
        ([[], {}, {"get_input": "ab"}], "[[], {}, {get_input: ab}]", None),
        (["abc", Alias("one")], "[abc, *one]", "\n  - abc\n  - *one"),
        (Flow({"a": 1, "bc": "xyz"}), "{a: 1, bc: xyz}", "\n  a: 1\n  bc: xyz"),
        (Flow({"a": {}, "b": Flow({"c": "d"}), "e": []}), "{a: {}, b: {c: d}, e: []}", None),
        (Flow({"abcdef": "x"}), "{abcdef: x}", "\n  abcdef: x"),
        (Flow({"x": "abcdef"}), "{x: abcdef}", "\n  x: abcdef"),
    ],
)
def test_what_fits_stands_on_one_line(value: Any, line: str, block: str | None) -> None:
    for indent in (0, 4):
        whole = f"{' ' * indent}key: {line}"
        for width in range(1, 60):
            written = emit({"key": value}, width=width, indent=indent)
            assert (written == f"{whole}\n") is (width >= len(whole)), width
    if block is not None:
        assert emit({"key": value}, width=len(f"key: {line}") - 1) == f"key:{block}\n"


def test_a_list_of_data_is_no_longer_than_it_is_easy_to_read() -> None:
    fits = ["d" * 33, "d" * 33]
    assert emit({"k": fits}) == f"k: [{fits[0]}, {fits[1]}]\n"
    assert emit({"k": [fits[0], "d" * 34]}) == f"k:\n  - {fits[0]}\n  - {'d' * 34}\n"
    assert emit({"k": {"concat": [fits[0], "d" * 34]}}) == f"k: {{concat: [{fits[0]}, {'d' * 34}]}}\n"


def test_a_short_text_with_line_breaks_stands_between_brackets() -> None:
    short, long = "a\n" * 12, "a\n" * 12 + "b"
    assert emit({"k": {"concat": [short]}}) == 'k: {concat: ["' + r"a\n" * 12 + '"]}\n'
    assert emit({"k": {"concat": [long]}}) == "k:\n  concat:\n    - |-\n" + "      a\n" * 12 + "      b\n"


def test_a_map_with_lists_or_comments_is_no_line() -> None:
    assert emit({"k": Flow({"x": "abcdef"})}, width=5) == "k:\n  x: abcdef\n"
    assert emit({"k": Flow({"a": [1]})}) == "k:\n  a: [1]\n"
    assert emit({"k": Flow({"a": {"b": 1}})}) == "k:\n  a:\n    b: 1\n"
    comments = {("k", "a"): Comment((), "# why", ())}
    assert emit({"k": Flow({"a": 1}), "l": Flow({"a": 1})}, comments=comments) == "k:\n  a: 1  # why\nl: {a: 1}\n"


def test_keys_up_to_a_thousand_characters_stand_before_their_colon() -> None:
    assert emit({"k" * 1000: 1}) == "k" * 1000 + ": 1\n"
    assert emit({"a": {"k" * 1001: 1}}) == "a:\n  ? " + "k" * 1001 + "\n  : 1\n"


# -- prose -------------------------------------------------------------------------------------------------


def test_prose_is_folded_where_a_line_of_its_own_does_not_hold_it() -> None:
    words = "word " * 20
    assert emit({"description": words[:57] + "x"}, width=60) == f"description: {words[:57]}x\n"
    assert emit({"description": words[:58] + "x"}, width=60) == f"description: >-\n  {words[:54]}\n  {words[55:58]}x\n"
    deeper = emit({"a": {"description": words[:56] + "x"}}, width=60)
    assert deeper == f"a:\n  description: >-\n    {words[:54]}\n    {words[55:56]}x\n"


def test_prose_with_line_breaks_keeps_them() -> None:
    long = "word " * 20 + "end"
    assert emit({"description": f"{long}\n{long}\n"}, width=60) == f"description: |\n  {long}\n  {long}\n"
    assert emit({"description": f"{long}\n\n"}, width=60) == f"description: |+\n  {long}\n\n"
    assert emit({"description": f"{long}\n{long}"}, width=60) == f"description: |-\n  {long}\n  {long}\n"
    assert emit({"description": f"{long}\n"}, width=60).startswith("description: >\n  word")


def test_only_descriptions_are_prose_with_and_without_comments() -> None:
    long = "word " * 30 + "end"
    comments = {("a",): Comment((), "# a", ()), ("l", 1): Comment((), "# one", ())}
    data = {"a": 1, "command": long, "description": long, "l": [long, long]}
    text = emit(data, comments=comments)
    assert f"\ncommand: {long}\n" in text
    assert "\ndescription: >-\n  word" in text
    assert f"  - {long}\n  - {long}  # one\n" in text
    assert emit([long]) == f"- {long}\n"
    assert emit({"a": 1, "command": long, "description": "short"}) == f"a: 1\ncommand: {long}\ndescription: short\n"


# -- pieces ------------------------------------------------------------------------------------------------


def test_an_emitter_hands_over_what_it_wrote_since() -> None:
    emitter = Emitter()
    emitter.entry("a", {"b": 1}, "", ("a",))
    emitter.item(["x"], "  ", ())
    assert emitter.take() == "a:\n  b: 1\n  - [x]"
    emitter.item({"c": 1, "d": 2}, "  ", (), "- ")
    assert emitter.take() == "- - c: 1\n    d: 2"
    assert emitter.take() == ""


def test_comments_stand_at_the_column_of_their_key() -> None:
    comments = {("X", "Xa"): Comment(("# above",), "# beside", ("# below",))}
    assert emit({"X": {"Xa": 1}}, comments=comments) == "X:\n  # above\n  Xa: 1  # beside\n  # below\n"


def test_classes_that_are_seen_for_the_first_time() -> None:
    for kind, value, line in ((str, "yes", "'yes'"), (list, [], "[]"), (dict, {}, "{}"), (int, 3, "3")):
        for place in ("k: [{0}]", "k: {{get_input: {0}}}", "k: {0}"):
            own: Any = type("Own", (kind,), {})(value)
            data = {"k": [own] if "[" in place else {"get_input": own} if "get" in place else own}
            assert emit(data) == place.format(line) + "\n"
    assert emit({"k": [type("Own", (list,), {})(["a"])]}) == "k:\n  - [a]\n"
    assert emit({"k": [type("Own", (dict,), {})({"a": 1})]}) == "k:\n  - a: 1\n"


def test_keys_are_scalars() -> None:
    hashable = type("Hashable", (dict,), {"__hash__": lambda self: 1})
    for key in (Anchor("a", "x"), Alias("a"), (1,), hashable()):
        for data in ({key: 1}, {"a": Flow({key: 1})}):
            with pytest.raises(TypeError, match=f"a key of type {type(key).__name__}"):
                emit(data)


# -- what is deep ------------------------------------------------------------------------------------------


def deep(value: Any, levels: int) -> Any:
    """``value`` in so many maps."""
    for _ in range(levels):
        value = {"a": value}
    return value


LONG = "x" * 1001


@pytest.mark.parametrize(
    ("value", "line"),
    [
        ({"b": "w", "c": 1}, "{b: w, c: 1}"),
        ({"b": "w" * 200}, f"{{b: {'w' * 200}}}"),
        ({"b": [1, {"c": None}], "d": {}}, "{b: [1, {c: null}], d: {}}"),
        ([1, ["x y", "on"]], "[1, [x y, 'on']]"),
        ({"b": Anchor("one", {"c": 1}), "d": Alias("one")}, "{b: &one {c: 1}, d: *one}"),
        ([Anchor("one", "z")], "[&one z]"),
    ],
)
def test_a_value_at_column_100_is_written_flat_however_long_it_is(value: Any, line: str) -> None:
    """Indentation alone would make what is written grow with the square of the depth."""
    assert emit(deep(value, 51)).splitlines()[-1] == f"{'  ' * 50}a: {line}"
    assert "{" not in emit(deep({"b": "w", "c": {"d": 1}}, 49))


@pytest.mark.parametrize(
    "value", [{LONG: 1}, [1, {LONG: 1}], {"b": {LONG: Anchor("one", 1)}}, Anchor("one", {LONG: 2})]
)
def test_a_key_that_is_too_long_for_a_flow_map_stays_in_a_block(value: Any) -> None:
    """YAML takes 1,000 characters as a key without '?' (YAML 1.2, 7.4.2)."""
    assert f"? {LONG}" in emit(deep({"b": value}, 51))
    assert f"{{{'x' * 1000}: 1}}" in emit(deep({"x" * 1000: 1}, 51))
