"""What in a source may have become a value that was edited: the places that are proposed, the likeliest first."""

from __future__ import annotations

from typing import Any

import pytest

from bpconvert.models.expressions import MISSING, Path
from bpconvert.translators.dialects import load
from bpconvert.translators.provenance.differences import Difference
from bpconvert.translators.provenance.proposals import Proposals, Sources, adapted

SCRIPT = "#!/bin/sh\necho one\necho two\necho three"


@pytest.mark.parametrize(
    ("value", "before", "after", "expected"),
    [
        ("a", "a", "b", [(0, "b")]),
        (1, 1, 2, [(0, 2)]),
        ("a", "a", "new", [(0, "old"), (0, "new")]),  # the source has another name for it
        ("A", "a", "b", [(1, "b")]),
        ("1", 1, 2, [(1, "2"), (1, 2)]),
        (1, "1", "2", [(1, 2), (1, "2")]),
        (1, "1", "x", [(1, "x")]),
        (1.5, "1.5", "2.5", [(1, 2.5), (1, "2.5")]),
        (True, "true", "false", [(1, False), (1, "false")]),
        (False, "false", "true", [(1, True), (1, "true")]),
        (True, "True", "False", [(1, False), (1, "False")]),
        (True, "true", "odd", [(1, "odd")]),
        ("old", "new", "b", [(1, "b")]),  # the document has it under another name
        ("x a y", "a", "b", [(2, "x b y")]),
        ("a-a", "a", "b", [(2, "b-a"), (2, "a-b"), (2, "b-b")]),
        ("aa.a a_", "a", "b", []),  # no words of their own
        ("x$a", "$a", "$b", [(2, "x$b")]),
        ("a,a,a,a,a", "a", "b", [(2, "b,a,a,a,a"), (2, "a,b,a,a,a"), (2, "a,a,b,a,a"), (2, "a,a,a,b,a")]),
        ("a", "x-a-y", "x-b-y", [(3, "b")]),
        (8, "port 8!", "port 9!", [(3, 9)]),
        ("a", "x-a-y", "x-b-z", []),
        ("a", "x-a-y", "z-b-y", []),
        ("a", "x-a-y", "x--y", []),
        ("c", "a", "b", []),
        ("", "a", "b", []),
        (None, "a", "b", []),
        ("a", None, "b", []),
        ("a", "a", None, []),
        (["a"], "a", "b", []),
    ],
)
def test_what_becomes_of_a_value(value: Any, before: Any, after: Any, expected: list[Any]) -> None:
    found = [*adapted(value, before, after, {"new": "old"})]
    assert found == expected
    assert [type(one) for _, one in found] == [type(one) for _, one in expected]


@pytest.mark.parametrize(
    ("after", "becomes"),
    [
        (SCRIPT.replace("two", "2"), ["echo one\necho 2\nmore\n"]),
        (SCRIPT.replace("echo two\n", ""), ["echo one\n\nmore\n"]),
        (SCRIPT.replace("two\n", "two\necho 2\n"), ["echo one\necho two\necho 2\nmore\n"]),
        (SCRIPT.replace("one", "1").replace("two", "2"), ["echo 1\necho 2\nmore\n"]),
        (SCRIPT.replace("three", "3"), []),  # the text has no such line
    ],
)
def test_a_text_with_some_of_the_lines_has_those_that_were_changed(after: str, becomes: list[str]) -> None:
    text = "echo one\necho two\nmore\n"
    assert [*adapted(text, SCRIPT, after, {})] == [(2, one) for one in becomes]
    if after == SCRIPT.replace("two", "2"):  # of two such lines, nobody knows which one is meant
        assert [*adapted(text + text, SCRIPT, after, {})] == []


# -- places -------------------------------------------------------------------------------------------------


def texts(source: str, found: Difference, made: Any = None, of: list[Path] | None = None, **names: str) -> list[str]:
    """The source after each of the proposals."""
    sources = Sources(lambda _: [("nodes", "a")] if of is None else of, names, made or {})
    results = []
    for edits in Proposals(load(source), sources, frozenset()).edits_for(found):
        text = source
        for edit in sorted(edits, reverse=True):
            text = text[: edit.begin] + edit.text + text[edit.end :]
        results.append(text)
    return results


PLACE = ("resources", "a", "properties", "size")


def test_the_own_entry_comes_first_then_the_likest_place() -> None:
    source = "nodes:\n  b: {size: 5}\n  a: {other: 5, size: 5, properties: {size: 5}}\n"
    found = texts(source, Difference(PLACE, 5, 6))
    assert found == [
        source.replace("properties: {size: 5}", "properties: {size: 6}"),
        source.replace("size: 5, prop", "size: 6, prop"),
        source.replace("other: 5", "other: 6"),
        source.replace("b: {size: 5}", "b: {size: 6}"),
    ]


def test_a_liker_place_comes_before_the_same_type() -> None:
    source = "nodes:\n  a: {other: 5, size: '5'}\n"
    assert texts(source, Difference(PLACE, 5, 6))[0] == source.replace("'5'", "'6'")


def test_a_whole_value_comes_before_a_part_of_a_text() -> None:
    source = "nodes:\n  a: {size: x-5-y, other: '5'}\n"
    found = texts(source, Difference(PLACE, "5", "6"))
    assert found == [source.replace("'5'", "'6'"), source.replace("x-5-y", "x-6-y")]


def test_what_is_the_default_of_all_is_not_proposed() -> None:
    assert texts("node_types:\n  a: {size: 5}\n", Difference(PLACE, 5, 6)) == []


def test_a_dozen_places_are_proposed_at_most() -> None:
    source = "nodes:\n  a: {" + ", ".join(f"p{number}: 5" for number in range(20)) + "}\n"
    assert len(texts(source, Difference(PLACE, 5, 6))) == 12


@pytest.mark.parametrize(
    ("old", "before", "after", "new"),
    [
        ("{size: {x: 1}, k: 2}", {"x": 1}, MISSING, "{k: 2}"),
        ("{size: {x: 1}}", {"x": 1}, {"x": 2}, "{size: {x: 2}}"),
        ("{size: {x: 1}}", {"x": 3}, {"x": 2}, None),
        ("{dimension: {x: 1}}", {"x": 1}, {"x": 2}, "{dimension: {x: 2}}"),
        ("{k: {x: 1}}", {"x": 1}, {"x": 2}, None),
        ("{list: [size], size: {x: 1}}", {"x": 1}, {"x": 2}, "{list: [size], size: {x: 2}}"),
        ("{k: 1, inner: {size: {x: 1}}}", {"x": 1}, {"x": 2}, "{k: 1, inner: {size: {x: 2}}}"),
        ("{size: 5, k: 2}", "5", MISSING, "{k: 2}"),
    ],
)
def test_an_entry_with_the_same_key_is_exchanged_or_removed(old: str, before: Any, after: Any, new: str | None) -> None:
    """Also under the name that the source has for it."""
    found = texts(f"nodes:\n  a: {old}\n", Difference(PLACE, before, after), size="dimension")
    assert found == ([f"nodes:\n  a: {new}\n"] if new else [])


@pytest.mark.parametrize(
    ("old", "index", "before", "after", "new"),
    [
        ("[x, y]", 1, MISSING, "z", "[x, z, y]"),
        ("[x, y]", 2, MISSING, "z", "[x, y, z]"),
        ("[x, y]", 3, MISSING, "z", None),
        ("[x, y]", 1, MISSING, "named", "[x, own, y]"),
        ("[x, y]", 0, MISSING, {"k": 1}, None),
        ("[{k: 1}]", 1, MISSING, {"k": 2}, "[{k: 1}, {k: 2}]"),
        ("[x, y]", 1, "y", MISSING, "[x]"),
        ("[x, y]", 1, "z", MISSING, None),
    ],
)
def test_an_item_is_added_or_removed(old: str, index: int, before: Any, after: Any, new: str | None) -> None:
    """Where the list has items of its kind."""
    difference = Difference((*PLACE, index), before, after)
    found = texts(f"nodes:\n  a: {{list: {old}}}\n", difference, named="own")
    assert found == ([f"nodes:\n  a: {{list: {new}}}\n"] if new else [])


def test_one_value_that_became_several_is_taken_apart() -> None:
    """The others stay as they are."""
    source = "nodes:\n  a: {k: 9, size: 5}\n"
    made = {"resources": {"a": {"width": 5, "height": 5, "depth": 7}}}
    found = texts(source, Difference(("resources", "a", "width"), 5, 6), made)
    assert found == ["nodes:\n  a: {k: 9, size: 6}\n", "nodes:\n  a: {k: 9, width: 6, height: 5}\n"]
    alone = {"resources": {"a": {"width": 5, "depth": 7}}}
    assert texts(source, Difference(("resources", "a", "width"), 5, 6), alone) == ["nodes:\n  a: {k: 9, size: 6}\n"]
