"""What an edit leaves to be written anew, and which texts count for that."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from small_language import SOURCE, all_of, put_back, removed, set_to


def test_a_text_that_yields_the_edit() -> None:
    edits = put_back(set_to("slow", "nodes", "disk", "kind"))
    for is_anew in (True, False):
        found = edits.judged(SOURCE.replace("fast", "slow"), is_anew)
        assert found is not None
        assert found[1] == []
        assert found[0].data["nodes"]["disk"]["kind"] == "slow"


@pytest.mark.parametrize(
    "text",
    ["things: [", "other: 1\n", SOURCE.replace("fast", "'not converted: x'")],
    ids=["no yaml", "not translated", "a placeholder"],
)
@pytest.mark.parametrize("is_anew", [True, False])
def test_a_text_that_counts_in_no_case(text: str, is_anew: bool) -> None:
    assert put_back(set_to("slow", "nodes", "disk", "kind")).judged(text, is_anew) is None


@pytest.mark.parametrize(
    "text",
    [
        SOURCE,
        SOURCE.replace("fast", "other"),
        SOURCE.replace("fast", "other").replace("level: 7", "level: 8"),
        SOURCE.replace("fast", "slow") + "  more: {}\n",
        SOURCE.replace("fast", "slow") + "".join(f"# {n}\n" for n in range(20)),
    ],
    ids=["the same", "no nearer", "farther", "another entry", "many lines"],
)
def test_a_text_that_was_written_anew_has_to_be_nearer_and_no_other(text: str) -> None:
    edits = put_back(all_of(set_to("slow", "nodes", "disk", "kind"), set_to(["a"], "nodes", "disk", "tags")))
    assert edits.judged(text, True) is None
    if "#" not in text[len(SOURCE) :]:
        assert edits.judged(text, False) is not None


def test_a_text_with_other_nodes_than_was_edited_counts_in_no_case() -> None:
    """But where it has something of the edit, or the nodes are of an entry that was added."""
    edit = set_to("slow", "nodes", "disk", "kind")
    assert put_back(edit).judged(SOURCE + "  more: {}\n", False) is None
    assert put_back(edit).judged(SOURCE.replace("fast", "slow") + "  more: {}\n", False) is not None
    edits = put_back(set_to({"is": "thing"}, "nodes", "new"))
    assert edits.judged(SOURCE + "  new: {}\n  more: {}\n", False) is not None
    assert edits.judged(SOURCE.replace("level: 7", "level: 8") + "  new: {}\n", True) is None


def test_as_many_lines_may_change_as_were_edited() -> None:
    """Three for each line that was edited, on both sides, and six."""
    edits = put_back(set_to("slow", "nodes", "disk", "kind"))
    new = SOURCE.replace("fast", "slow")
    most = next(n for n in range(40) if edits.judged(new + "#\n" * n, True) is None)
    assert most == 3 * 2 + 6 - 2 + 1
    edits = put_back(all_of(set_to("slow", "nodes", "disk", "kind"), set_to({"is": "thing"}, "nodes", "new")))
    assert edits.judged(new + "  new: {}\n" + "#\n" * 40, True) is not None


def test_a_text_with_more_than_values_may_have_other_entries() -> None:
    change = all_of(set_to("slow", "nodes", "disk", "kind"), set_to({"is": "thing", "k": 1}, "nodes", "new"))
    edits = put_back(change)
    text = SOURCE + "  new: {k: 1}\n"
    found = edits.judged(text + "# x\n" * 60, True)
    assert found is not None
    assert [one.path for one in found[1]] == [("nodes", "disk", "kind")]


@pytest.mark.parametrize(
    ("more", "counts"), [("", True), ("other: {x: 1}\n", False), ("more: 1\n", False)], ids=["none", "section", "text"]
)
def test_a_text_in_place_of_values_has_no_other_entries(more: str, counts: bool) -> None:
    edits = put_back(all_of(set_to("slow", "nodes", "disk", "kind"), set_to(["a"], "nodes", "disk", "tags")))
    assert (edits.judged(SOURCE.replace("fast", "slow") + more, True) is not None) is counts


def test_a_parameter_in_a_text_is_another_entry() -> None:
    names = ("kind", "k", "l", "m")
    source = SOURCE.replace("kind: fast  # or slow", "kind: fast\n    k: fast\n    l: fast\n    m: fast")
    edits = put_back(all_of(*(set_to("slow", "nodes", "disk", name) for name in names)), source)
    text = source.replace("fast", "slow", 3)
    assert edits.judged(text, True) is not None
    assert edits.judged(text.replace("  size: 3\n", "  size: 3\n  more: 1\n"), True) is None


def test_placeholders_count_where_nothing_was_added() -> None:
    text = SOURCE + "  new: {k: 'not converted: x'}\n"
    edits = put_back(set_to({"is": "thing", "k": 1}, "nodes", "new"))
    assert edits.judged(text, False) is not None
    edits = put_back(set_to("slow", "nodes", "disk", "kind"), SOURCE.replace("fast", "'not converted: y'"))
    assert edits.judged(SOURCE.replace("fast", "'not converted: z'"), False) is not None


def test_nearer_at_some_entries() -> None:
    change = all_of(set_to("slow", "nodes", "disk", "kind"), set_to(8, "nodes", "web", "host"))
    edits = put_back(change)
    disk, web = ("nodes", "disk"), ("nodes", "web")
    text = SOURCE.replace("fast", "slow")
    found = edits.as_near(text, edits.left, {disk})
    assert found is not None
    assert [one.entry for one in found[1]] == [web]
    assert edits.as_near(text, edits.left, {web}) is None
    assert edits.as_near(text, edits.left, {disk, web}) is not None
    farther = SOURCE.replace("kind: fast", "kind: {a: 1, b: 2}")
    assert edits.as_near(farther, edits.left, {disk}) is None
    assert edits.as_near(farther, edits.left, {web}) is None
    as_near = SOURCE.replace("fast", "other")
    assert edits.as_near(as_near, edits.left, {disk}) is not None
    assert edits.as_near("things: [", edits.left, {disk}) is None
    assert edits.as_near("other: 1\n", edits.left, {disk}) is None


@pytest.mark.parametrize(
    ("change", "of_values", "new_entries"),
    [
        (set_to("slow", "nodes", "disk", "kind"), True, False),
        (removed("nodes", "disk", "kind"), True, False),
        (set_to(1, "nodes", "disk", "new"), False, False),
        (set_to({"a": 1}, "nodes", "disk", "kind"), False, False),
        (set_to({}, "nodes", "new"), False, True),
        (removed("nodes", "disk"), False, False),
        (all_of(set_to("slow", "nodes", "disk", "kind"), set_to(1, "nodes", "disk", "new")), False, False),
        (all_of(set_to("slow", "nodes", "disk", "kind"), set_to({}, "nodes", "new")), False, True),
    ],
    ids=["value", "no value", "new value", "a map", "new entry", "no entry", "two", "one of two"],
)
def test_what_is_left(change: Callable[[Any], None], of_values: bool, new_entries: bool) -> None:
    edits = put_back(change)
    assert (edits.is_of_values, edits.has_new_entries) == (of_values, new_entries)
