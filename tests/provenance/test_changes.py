"""What an edit means for the source: which of its entries change, and how much of each."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from bpconvert.models.expressions import Path
from bpconvert.translators.lowered import Lowered
from bpconvert.translators.provenance import restore
from bpconvert.translators.provenance.restore import Patch, Unlike, graft, inserted, with_changes

# -- a change put into an entry ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("original", "before", "after", "expected"),
    [
        ({"a": 1, "own": 2}, {"a": 1}, {"a": 3}, {"a": 3, "own": 2}),
        ({"a": 1, "own": 2}, {"a": 1}, {"a": 1}, {"a": 1, "own": 2}),
        ({"a": 1, "own": 2}, {"a": 1, "made": 5}, {"a": 2, "made": 5}, {"a": 2, "own": 2}),
        ({"a": 1, "b": 2, "own": 2}, {"a": 1, "b": 2}, {"a": 1}, {"a": 1, "own": 2}),
        ({"own": 2}, {"a": 1}, {"a": 1, "b": 2}, {"own": 2, "b": 2}),
        ({"b": 2}, {}, {"b": 2}, {"b": 2}),
        ({"a": {"b": 1, "own": 2}}, {"a": {"b": 1}}, {"a": {"b": 2}}, {"a": {"b": 2, "own": 2}}),
        ({"a": 2}, {"a": 1}, {"a": 2}, {"a": 2}),
        ([{"a": 1, "own": 2}, {"b": 1}], [{"a": 1}, {"b": 1}], [{"a": 1}, {"b": 2}], [{"a": 1, "own": 2}, {"b": 2}]),
        ([1, 2], [1, 2], [1, 2, 3], [1, 2, 3]),
        ([1, 2], [1, 2], [2], [2]),
        ("a", "a", {"b": 1}, {"b": 1}),
        ({"a": 1}, {"a": 1}, [1], [1]),
        ([1], [1], {"a": 1}, {"a": 1}),
        ([1], [1], "a", "a"),
    ],
)
def test_only_what_the_edit_changed_is_exchanged(original: Any, before: Any, after: Any, expected: Any) -> None:
    assert graft(original, before, after) == expected


@pytest.mark.parametrize(
    ("original", "before", "after"),
    [
        (1, 2, 3),
        ({"a": 5}, {"a": 1}, {"a": 3}),
        ({}, {"a": 1}, {"a": 3}),
        ({"a": 5}, {"a": 1}, {}),
        ({}, {"a": 1}, {}),
        ({"b": 1}, {}, {"b": 2}),
        ([1, 2, 3], [1, 2], [1, 4]),
        ([1, 5], [1, 2], [1, 4]),
        ({"a": 1}, [1], [2]),
    ],
)
def test_a_part_that_the_source_does_not_have_so(original: Any, before: Any, after: Any) -> None:
    with pytest.raises(Unlike):
        graft(original, before, after)


def test_the_source_itself_is_not_changed() -> None:
    original = {"a": 1, "b": 2}
    assert graft(original, {"a": 1, "b": 2}, {"a": 3}) == {"a": 3}
    assert original == {"a": 1, "b": 2}


# -- the source with changes -------------------------------------------------------------------------------

OLD = {"version": 1, "parameters": {"a": 1, "b": 2}, "empty": {}, "none": None, "resources": {"c": {"d": 1}}}
ORDER = {"version": 1, "description": 1, "parameters": 1, "conditions": 1, "resources": 1, "outputs": 1}


@pytest.mark.parametrize(
    ("new", "dropped", "expected"),
    [
        ({}, [], OLD),
        ({("version",): 2}, [], OLD | {"version": 2}),
        ({("parameters", "a"): 5, ("parameters", "x"): 6}, [], OLD | {"parameters": {"a": 5, "b": 2, "x": 6}}),
        ({("empty", "x"): 1, ("none", "x"): 1}, [], OLD | {"empty": {"x": 1}, "none": {"x": 1}}),
        ({}, [("parameters", "a")], OLD | {"parameters": {"b": 2}}),
        ({}, [("resources", "c")], {name: OLD[name] for name in OLD if name != "resources"}),
        ({}, [("version",), ("empty",)], {name: OLD[name] for name in OLD if name not in ("version", "empty")}),
        ({("resources", "e"): 1}, [("resources", "c")], OLD | {"resources": {"e": 1}}),
    ],
)
def test_the_source_with_changes(new: dict[Path, Any], dropped: list[Path], expected: dict[str, Any]) -> None:
    changed = with_changes(OLD, new, set(dropped), ORDER)
    assert changed == expected
    assert list(changed) == list(expected)


def test_new_sections_stand_where_they_conventionally_do() -> None:
    new = {("outputs", "o"): 1, ("conditions", "c"): 1, ("description",): "d"}
    for one in (new, dict(reversed(new.items()))):
        assert list(with_changes(OLD, one, set(), ORDER)) == [
            *("version", "description", "parameters", "conditions", "empty", "none", "resources", "outputs")
        ]
    assert list(inserted({"x": 1, "resources": 1}, "version", 1, ORDER)) == ["version", "x", "resources"]
    assert inserted({"x": 1, "version": 1}, "outputs", 7, ORDER) == {"x": 1, "version": 1, "outputs": 7}


def test_one_more_change() -> None:
    data = {"version": 1, "resources": {"a": 1}}
    change = Patch({("resources", "a"): 1}, set(), set(), data, {})
    change.put(("resources", "b"), {"c": 2})
    change.put(("version",), 3)
    assert change.data == {"version": 3, "resources": {"a": 1, "b": {"c": 2}}}
    assert change.new == {("resources", "a"): 1, ("resources", "b"): {"c": 2}, ("version",): 3}


# -- what follows ------------------------------------------------------------------------------------------


class Keeper:
    """What a language knows: groups have members, and everything called ``late`` needs version 2."""

    def joined(self, new: Any, data: Any) -> dict[Any, Any]:
        return {}

    def consequences(self, data: dict[str, Any], dropped: set[Path]) -> dict[Path, Any]:
        gone = {path[1] for path in dropped}
        return {("groups", "g"): [name for name in data["groups"]["g"] if name not in gone]} if gone else {}

    def version(self, current: str, new: dict[Path, Any]) -> str:
        return "2" if any(path[-1] == "late" for path in new) else "1"

    def unresolved(self, data: Any) -> set[tuple[Path, str]]:
        nodes = data["nodes"]
        return {(("nodes", name), one) for name, uses in nodes.items() for one in uses if one not in nodes}


def origin_of(data: dict[str, Any]) -> Any:
    changes = SimpleNamespace(present=set())
    return SimpleNamespace(document=SimpleNamespace(data=data), changes=changes, sources=lambda place: ())


def patched(new: dict[Path, Any], dropped: set[Path], data: dict[str, Any]) -> Patch:
    return Patch(new, dropped, set(), with_changes(data, new, dropped, {}), {})


@pytest.mark.parametrize(
    ("new", "dropped", "more"),
    [
        ({}, set(), {}),
        ({("nodes", "x"): []}, set(), {}),
        ({("nodes", "late"): []}, set(), {("v",): "2"}),
        ({}, {("nodes", "b")}, {("groups", "g"): ["a"]}),
        ({("nodes", "late"): []}, {("nodes", "b")}, {("groups", "g"): ["a"], ("v",): "2"}),
    ],
)
def test_groups_and_the_version_follow(new: dict[Path, Any], dropped: set[Path], more: dict[Path, Any]) -> None:
    data = {"v": 1, "nodes": {"a": [], "b": []}, "groups": {"g": ["a", "b"]}}
    change = patched(dict(new), dropped, data)
    keeper: Any = Keeper()
    restore.follow_up(change, origin_of(data), Lowered({}), keeper, "v")
    assert change.new == new | more
    assert change.data == with_changes(data, new | more, dropped, {})


@pytest.mark.parametrize(
    ("nodes", "expected"),
    [
        ({"a": ["b_0", "b_1"], "b_0": [], "b_1": []}, {"a": ["b_0", "b_1"]}),
        ({"a": ["b_0", "x"], "b_0": [], "b_1": [], "x": []}, {"a": ["b_0", "x"], "x": []}),
        ({"a": ["b"], "b_0": [], "b_1": []}, {}),
        ({"a": [], "b_0": [], "b_1": []}, {}),
        ({"b_0": [], "b_1": []}, {}),
    ],
)
def test_what_named_an_entry_that_came_apart_names_its_parts(
    nodes: dict[str, list[str]], expected: dict[str, list[str]]
) -> None:
    """With what they need; not where that leads nowhere, too, or names nothing, and not what was edited itself."""
    data = {"v": 1, "nodes": {"a": ["b"], "b": [], "c": ["b"]}, "groups": {"g": ["a"]}}
    new = {("nodes", "b_0"): [], ("nodes", "b_1"): [], ("nodes", "c"): ["b_0"]}
    change = patched(dict(new), {("nodes", "b")}, data)
    keeper: Any = Keeper()
    restore.follow_up(change, origin_of(data), Lowered({"nodes": {**nodes, "c": ["b_1"]}}), keeper, "v")
    assert change.new == {**new, ("groups", "g"): ["a"], **{("nodes", name): uses for name, uses in expected.items()}}
    assert change.followed == ({("nodes", "a"): ["b"]} if expected else {})


def test_only_what_is_wholly_new_joins_others() -> None:
    """What was grafted has what the source had."""
    data = {"v": 1, "nodes": {"a": [], "b": []}, "groups": {"g": ["a", "b"]}}

    class Joining(Keeper):
        def joined(self, new: Any, data: Any) -> dict[Any, Any]:
            return {path: [*value, "joined"] for path, value in new.items()}

    keeper: Any = Joining()
    change = patched({("nodes", "a"): ["b"], ("nodes", "c"): []}, set(), data)
    change.grafted.add(("nodes", "a"))
    restore.follow_up(change, origin_of(data), Lowered({}), keeper, "v")
    assert change.new == {("nodes", "a"): ["b"], ("nodes", "c"): ["joined"]}


def test_a_later_version_of_the_source_stays_without_changes() -> None:
    data = {"v": 7, "nodes": {"a": []}}
    keeper: Any = Keeper()
    change = patched({}, set(), data)
    restore.follow_up(change, origin_of(data), Lowered({}), keeper, "v")
    assert change.new == {}


def test_only_names_that_are_newly_missing_are_reported() -> None:
    data = {"nodes": {"a": ["b", "never"], "b": [], "c": ["b"]}}
    change = patched({("nodes", "d"): ["gone"]}, {("nodes", "b")}, data)
    keeper: Any = Keeper()
    assert restore.unresolved(change, origin_of(data), keeper) == [
        (("nodes", "a"), "b"),
        (("nodes", "c"), "b"),
        (("nodes", "d"), "gone"),
    ]
