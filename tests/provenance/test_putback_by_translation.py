"""Edits put back into a source of a small language as what the document becomes by itself."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest
from small_language import SOURCE, all_of, put_back, removed, set_to

from bpconvert.models.expressions import Path
from bpconvert.translators.provenance.differences import Difference
from bpconvert.yamlio.document import load


def by_translation(
    change: Callable[[Any], None], back: Callable[[Any], None], source: str = SOURCE
) -> tuple[str, list[Difference]]:
    """As :func:`by_values`, where the edited document becomes the source with a change."""
    edits = put_back(change, source)
    before: Any = load(source).data
    after = deepcopy(before)
    back(after)
    edits.by_translation(before, after)
    return edits.document.text, edits.left


@pytest.mark.parametrize(
    ("change", "back", "old", "new"),
    [
        (set_to("big", "nodes", "disk", "kind"), set_to("big", "things", "disk", "kind"), "kind: fast", "kind: big"),
        (
            set_to(1, "nodes", "disk", "count"),
            set_to(1, "things", "disk", "count"),
            "[a, b]\n",
            "[a, b]\n    count: 1\n",
        ),
        (removed("nodes", "disk", "tags"), removed("things", "disk", "tags"), "    tags: [a, b]\n", ""),
        (
            set_to(["a", "x", "b"], "nodes", "disk", "tags"),
            set_to(["a", "x", "b"], "things", "disk", "tags"),
            "[a, b]",
            "[a, x, b]",
        ),
        (
            set_to({"get": "other"}, "nodes", "disk", "size"),
            set_to({"get": "other"}, "things", "disk", "size"),
            "{get: size}",
            "{get: other}",
        ),
        (set_to(4, "nodes", "disk", "size"), set_to(4, "things", "disk", "size"), "{get: size}", "4"),
    ],
    ids=["value", "new key", "no key", "item", "call", "no call"],
)
def test_what_the_document_becomes_is_put_back(
    change: Callable[[Any], None], back: Callable[[Any], None], old: str, new: str
) -> None:
    text, left = by_translation(change, back)
    assert text == SOURCE.replace(old, new)
    assert left == []


def test_each_entry_by_itself() -> None:
    """What the document becomes at one of them does not bring the edit about."""
    text, left = by_translation(
        all_of(set_to("slow", "nodes", "disk", "kind"), set_to(1, "nodes", "web", "count")),
        all_of(
            set_to("odd", "things", "disk", "kind"), set_to(4, "params", "size"), set_to(1, "things", "web", "count")
        ),
    )
    assert text == SOURCE + "    count: 1\n"
    assert [one.path for one in left] == [("nodes", "disk", "kind")]


def test_a_new_entry_is_put_back_with_the_definitions_that_it_needs() -> None:
    source = SOURCE + "node_types:\n  t: {a: 1}\n"

    def back(data: Any) -> None:
        data["node_types"]["u"] = {"b": 1}
        data["things"]["disk"]["type"] = "u"

    def change(data: Any) -> None:
        data["node_types"]["u"] = {"b": 1}
        data["nodes"]["disk"]["type"] = "u"

    text, left = by_translation(change, back, source)
    assert left == []
    assert load(text).data["node_types"] == {"t": {"a": 1}, "u": {"b": 1}}
    assert load(text).data["things"]["disk"]["type"] == "u"


def test_entries_are_not_put_back_by_their_parts() -> None:
    change, back = set_to({"is": "thing", "k": 1}, "nodes", "new"), set_to({"k": 1}, "things", "new")
    text, left = by_translation(change, back)
    assert text == SOURCE
    assert [one.path for one in left] == [("nodes", "new")]


def test_several_differences_of_an_entry() -> None:
    def edit(data: Any, section: str) -> None:
        data[section]["disk"] |= {"kind": "big", "tags": ["x", "b", "c"], "size": {"a": 1, "b": 2}, "count": 1}

    text, left = by_translation(lambda data: edit(data, "nodes"), lambda data: edit(data, "things"))
    assert left == []
    assert "    kind: big  # or slow\n" in text
    assert "    tags: [x, b, c]\n" in text
    assert load(text).data["things"]["disk"]["size"] == {"a": 1, "b": 2}


DEEP = """\
things:
  a:
    deep:
      # the first
      x: 1  # one
      y: 2  # two
    size: {get: size}
    tags:
      - a  # one
      - b  # two
"""


@pytest.mark.parametrize(
    ("edit", "old", "new"),
    [
        ({"deep": {"x": 5, "y": 2}, "kind": 1}, "x: 1", "x: 5"),
        ({"deep": {"x": 5, "y": 2}, "size": {"a": 1, "b": 2}}, "x: 1", "x: 5"),
        ({"tags": ["a", "x", "b"], "kind": 1}, "# one\n      - b", "# one\n      - x\n      - b"),
        ({"tags": ["b"], "kind": 1}, "      - a  # one\n", ""),
    ],
    ids=["a value", "beside a call", "an item", "no item"],
)
def test_only_what_differs_is_written_anew(edit: dict[str, Any], old: str, new: str) -> None:
    text, left = by_translation(
        lambda data: data["nodes"]["a"].update(edit), lambda data: data["things"]["a"].update(edit), DEEP
    )
    assert left == []
    expected = DEEP.replace(old, new)
    if "size" in edit:
        assert [line for line in text.splitlines() if "#" in line] == [
            line for line in expected.splitlines() if "#" in line
        ]
        assert load(text).data["things"]["a"]["size"] == {"a": 1, "b": 2}
    else:
        assert text == expected + "    kind: 1\n"


def test_what_the_source_has_otherwise_is_exchanged_as_far_out_as_it_takes() -> None:
    edits = put_back(set_to({"a": 1}, "nodes", "disk", "kind"))
    things = {"disk": {"kind": {"a": 0}}}
    edits.by_translation({"things": things, "x": {"y": 1}}, {"things": {"disk": {"kind": {"a": 1}}}, "x": {}})
    assert edits.left == []
    assert load(edits.document.text).data["things"]["disk"]["kind"] == {"a": 1}


def test_new_entries_are_not_put_back_with_definitions() -> None:
    source = SOURCE + "node_types:\n  t: {a: 1}\n"

    def edit(data: Any, section: str, new: Any) -> None:
        data["node_types"]["u"] = {"b": 1}
        data[section]["new"] = new

    text, left = by_translation(
        lambda data: edit(data, "nodes", {"is": "thing", "k": 1}), lambda data: edit(data, "things", {"k": 1}), source
    )
    assert text == source
    assert {one.path for one in left} == {("nodes", "new"), ("node_types", "u")}


CALLS = """\
things:
  a: {get: x}
  b: {call: {get: size}, map: {x: 1, y: 2}, list: [{get: size}, 1], empty: {}, both: {get: size, y: 1}}
"""


@pytest.mark.parametrize(
    ("path", "whole"),
    [
        ("b call get", "b call get"),
        ("b call other", "b call"),
        ("b call other deep", "b call"),
        ("b map get", "b map"),
        ("b map z", "b map z"),
        ("b map x", "b map x"),
        ("b map x deep", "b map x deep"),
        ("b list 0 other", "b list 0"),
        ("b list 0 get", "b list 0 get"),
        ("b list 2", "b list 2"),
        ("b list 2 get", "b list 2 get"),
        ("b list x get", "b list x get"),
        ("b empty get", "b empty get"),
        ("b both z", "b both z"),
        ("a other", "a other"),
    ],
)
def test_a_call_is_exchanged_as_a_whole(path: str, whole: str) -> None:
    def steps(words: str) -> Path:
        return ("things", *(int(word) if word.isdigit() else word for word in words.split()))

    assert put_back(lambda data: None, CALLS)._whole_call(steps(path)) == steps(whole)
