"""The source of a document, as its record has it: what was edited since, and what each entry was made of."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from bpconvert.models.expressions import Path
from bpconvert.translators.lowered import Lowered
from bpconvert.translators.provenance.carry import (
    Kept,
    Origin,
    _differ_in_scalars,
    digest,
    digest_at,
    digests_of,
    entries,
    fresh_entries,
    is_inside,
    needed,
    record,
    resolved,
)
from bpconvert.yamlio.document import load
from bpconvert.yamlio.emit import Alias, Anchor, Flow

#: ``net`` and ``plug`` became one node, which is named after ``net``; ``web`` two; ``about`` nothing
SOURCE = """\
about: text
inputs: {size: 1}
things: {plug: {b: 1}, net: {a: 1}, web: {c: 1}, disk: {d: 1}}
"""
SECTIONS = {"inputs": "params", "things": "nodes"}
MADE_DATA = {
    "meta": {"own": 0},
    "params": {"size": 1},
    "nodes": {"net": {"x": 1}, "web": {"y": 1}, "web_2": {"z": 1}, "vol": {"d": 1}},
}
MADE: dict[Path, list[Path]] = {
    ("things", "net"): [("nodes", "net")],
    ("things", "plug"): [("nodes", "net")],
    ("things", "web"): [("nodes", "web"), ("nodes", "web_2")],
    ("things", "disk"): [("nodes", "vol")],
    ("inputs", "size"): [("params", "size")],
}
OWN = ("meta", "own")


def origin(nodes: dict[str, Any] | None = None, made: dict[Path, list[Path]] = MADE, **more: Any) -> Origin:
    """The origin of a document whose nodes are what they are now."""
    kept = Kept("x", SECTIONS, more.pop("files", {}), more.pop("options", {}), more.pop("nested", {}), **more)
    found = record(kept, load(SOURCE), Lowered({**MADE_DATA, "meta": {}}, made=made))
    now = {**MADE_DATA, **({} if nodes is None else {"nodes": nodes})}
    return Origin(found, OWN, load(repr(now)), SECTIONS, load)


NODES: dict[str, Any] = MADE_DATA["nodes"]


# -- digests -----------------------------------------------------------------------------------------------


def test_layout_and_the_order_of_keys_do_not_count() -> None:
    assert digest({"a": [1, {"b": 2, "c": (3,)}]}) == digest({"a": (1, {"c": [3], "b": 2})})
    assert len(digest({})) == 12


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({1: "a"}, {"1": "a"}),
        ({True: "a"}, {1.5: "a"}),
        ({"a": {None: 1}}, {"a": {"None": 1}}),
        ([{1: "a"}], [{"1": "a"}]),
        (1, "1"),
        (True, 1),
        (None, "null"),
        ([1, 2], [2, 1]),
        ({"a": {1: 1, "b": 2}}, {"a": {"1": 1, "b": 2}}),
        ({"a": [date(2020, 1, 1)]}, {"a": [date(2020, 1, 2)]}),
        ([], {}),
        ({"a": 1}, {"a": 2}),
    ],
)
def test_everything_else_counts(one: Any, other: Any) -> None:
    assert digest(one) != digest(other)


def test_the_entries_of_a_document() -> None:
    data = {"version": 1, "empty": {}, "list": [1], "map": {"a": 1, 2: {}}}
    assert list(entries(data)) == [("version",), ("empty",), ("list",), ("map", "a"), ("map", 2)]
    assert digests_of(data, ("map", "a")) == {
        ("version",): digest(1),
        ("list",): digest([1]),
        ("map", 2): digest({}),
    }
    assert digest_at(data, ("map", "a")) == digest(1)
    assert digest_at(data, ("map", "b")) is None


def test_aliases_are_what_they_stand_for() -> None:
    day = date(2020, 1, 1)
    data = {"a": Anchor("n", {"b": [Anchor("m", 1), 2]}), "c": Flow({"d": Alias("n"), "e": (Alias("m"),)}), "f": day}
    plain = resolved(data)
    assert plain == {"a": {"b": [1, 2]}, "c": {"d": {"b": [1, 2]}, "e": [1]}, "f": day}
    assert type(plain["c"]) is Flow
    assert type(plain["a"]) is dict


# -- the record --------------------------------------------------------------------------------------------


def test_a_record_has_what_differs_from_the_ordinary() -> None:
    lowered = Lowered({"params": {"size": 1}, "nodes": {}}, made={("inputs", "size"): [("params", "size")]})
    found = record(Kept("x", SECTIONS, {}, {}, {}), load("inputs: {size: 1}\nabout: text\n"), lowered)
    assert set(found) == {"source", "sum", "digests", "text"}
    assert (found["source"], found["text"]) == ("x", "inputs: {size: 1}\nabout: text\n")
    assert found["sum"] == digest(found["text"])


def test_everything_of_a_record_is_read_again() -> None:
    read = origin(
        files={"a.sh": "echo", "../b.sh": "up"},
        options={"engine": "x"},
        nested={"n.yaml": "m.yaml"},
        bundle={"run.sh": "text"},
        unkept=["types"],
    )
    assert read.carried == {"a.sh": "echo", "../b.sh": "up"}
    assert read.files == {"a.sh": "echo"}
    assert (read.options, read.nested) == ({"engine": "x"}, {"n.yaml": "m.yaml"})
    assert read.bundle == {"run.sh": digest("text")}
    assert set(read.unkept) == {"types"}
    assert (read.text, read.document.data["about"], read.is_changed) == (SOURCE, "text", False)
    assert read.made == {("about",): [], **MADE}
    assert (read.place, read.sections) == (OWN, SECTIONS)


def test_the_byte_order_mark_is_kept() -> None:
    found = record(Kept("x", {}, {}, {}, {}), load(b"\xef\xbb\xbfa: 1\n"), Lowered({"b": 1}))
    assert found["text"] == "\ufeffa: 1\n"
    assert found["sum"] == digest("\ufeffa: 1\n")


def test_another_text_than_the_one_that_was_kept() -> None:
    found = record(Kept("x", SECTIONS, {}, {}, {}), load(SOURCE), Lowered(MADE_DATA, made=MADE))
    found["text"] = SOURCE.replace("a: 1", "a: 2")
    assert Origin(found, OWN, load(repr(MADE_DATA)), SECTIONS, load).is_changed


def test_places_of_entries_that_the_source_does_not_have() -> None:
    found = record(Kept("x", SECTIONS, {}, {}, {}), load(SOURCE), Lowered(MADE_DATA, made=MADE))
    found["made"] += "  ghost: [nodes.vol]\n"
    read = Origin(found, OWN, load(repr(MADE_DATA)), SECTIONS, load)
    assert read.sources(("nodes", "vol")) == [("things", "disk")]


@pytest.mark.parametrize("part", ["files", "nested", "bundle"])
def test_a_part_with_something_else_than_texts(part: str) -> None:
    found = record(Kept("x", SECTIONS, {}, {}, {}), load(SOURCE), Lowered(MADE_DATA, made=MADE))
    found[part] = "a: 1\n"
    with pytest.raises(ValueError, match=part):
        Origin(found, OWN, load(repr(MADE_DATA)), SECTIONS, load)


@pytest.mark.parametrize(
    "name", ["a", "a.sh", "a/b/c.yaml", "with space", "a..b", "X", "ż", "x" * 199, "a/" + "x" * 199]
)  # fmt: skip
def test_names_of_files_below_their_folder(name: str) -> None:
    assert is_inside(name)


@pytest.mark.parametrize(
    "name",
    ["", "/a", "a/", "a//b", "..", "../a", "a/../b", ".hidden", "a/.git/b", "a\\b", "c:d", "a\0", "a\nb", "x" * 200],
)
def test_names_of_files_that_are_elsewhere_or_hidden(name: str) -> None:
    assert not is_inside(name)


# -- what was edited ---------------------------------------------------------------------------------------


def test_nothing_was_edited() -> None:
    read = origin()
    assert read.is_untouched
    assert read.changes.present == set()
    assert not read.is_touched(("things", "net"))


@pytest.mark.parametrize(
    ("nodes", "edited", "added", "deleted"),
    [
        ({**NODES, "net": {"x": 2}}, {"net"}, set(), set()),
        ({**NODES, "web": {"y": 2}}, {"web", "web_2"}, set(), set()),
        ({**NODES, "web_2": {"z": 2}}, {"web", "web_2"}, set(), set()),
        ({**NODES, "new": {}}, set(), {"new"}, set()),
        ({name: NODES[name] for name in ("net", "web", "vol")}, {"web"}, set(), {"web_2"}),
        ({name: NODES[name] for name in ("web", "web_2", "vol")}, set(), set(), {"net"}),
    ],
)
def test_what_was_edited_and_what_shares_an_origin_with_it(
    nodes: dict[str, Any], edited: set[str], added: set[str], deleted: set[str]
) -> None:
    read = origin(nodes)
    sets = [{("nodes", name) for name in names} for names in (edited, added, deleted)]
    assert list(read.changes[:3]) == sets
    assert read.changes.along == {path for path in sets[0] if nodes[path[1]] == NODES[path[1]]}
    assert read.changes.present == sets[0] | sets[1]
    assert not read.is_untouched


def test_edits_go_on_through_all_that_share_entries() -> None:
    made = {**MADE, ("things", "disk"): [("nodes", "web_2"), ("nodes", "vol")]}
    assert origin({**NODES, "vol": {"d": 2}}, made).changes.edited == {
        ("nodes", "vol"),
        ("nodes", "web_2"),
        ("nodes", "web"),
    }


def test_edits_do_not_go_on_through_sections_without_a_counterpart() -> None:
    made = {**MADE, ("about",): [("nodes", "net"), ("nodes", "vol")]}
    assert origin({**NODES, "vol": {"d": 2}}, made).changes.edited == {("nodes", "vol")}


def test_what_is_touched() -> None:
    read = origin({"net": {"x": 2}, "web": {"y": 1}, "vol": {"d": 1}}, {**MADE, ("about",): [("nodes", "net")]})
    touched = {entry for entry in read.made if read.is_touched(entry)}
    assert touched == {("things", "net"), ("things", "plug"), ("things", "web")}
    assert not read.is_touched(("things", "unknown"))
    read = origin()
    read.touch({("nodes", "vol"), ("nodes", "unknown")})
    assert read.changes.edited == {("nodes", "vol")}


def test_names_and_parts() -> None:
    for made in (MADE, dict(reversed(MADE.items()))):
        read = origin(made={**made, ("about",): [("nodes", "vol")]})
        assert read.original(("nodes", "net")) == "net"
        assert read.original(("nodes", "vol")) == "disk"
        assert read.original(("nodes", "web_2")) is None
        assert read.original(("nodes", "unknown")) is None
        assert read.parts(("nodes", "net")) == [("things", "plug")]
        assert read.parts(("nodes", "vol")) == [("about",)]
        assert read.parts(("nodes", "web_2")) == [("things", "web")]
        assert read.parts(("nodes", "unknown")) == []
        assert sorted(read.sources(("nodes", "net"))) == [("things", "net"), ("things", "plug")]
        assert read.sources(("nodes", "unknown")) == []
        assert read.owner(("things", "plug")) == ("things", "net")
        assert read.owner(("things", "net")) is None
        assert read.owner(("about",)) == ("things", "disk")
        assert read.owner(("things", "unknown")) is None
        assert origin(made=made).owner(("about",)) is None


def test_of_several_that_became_one_without_a_name_in_common_the_first_gives_it() -> None:
    made = {**MADE, ("things", "disk"): [("nodes", "new")], ("things", "web"): [("nodes", "new")]}
    assert origin(made=made).original(("nodes", "new")) == "web"


def test_a_section_is_no_name() -> None:
    read = Origin(
        record(Kept("x", {"a": "b"}, {}, {}, {}), load("a: 1\n"), Lowered({"b": 1}, made={("a",): [("b",)]})),
        OWN, load("b: 1\n"), {"a": "b"}, load,
    )  # fmt: skip
    assert read.original(("b",)) is None
    assert read.sources(("b",)) == [("a",)]


# -- the source translated again ---------------------------------------------------------------------------


def again(**nodes: Any) -> Lowered:
    return Lowered({**MADE_DATA, "meta": {}, "nodes": {**NODES, **nodes}}, made=MADE)


def test_what_the_source_yields_counts() -> None:
    read = origin({**NODES, "net": {"x": 2}}, bundle={"old": "text"})
    assert read.compare(again(), {"run.sh": "text"}, True) == set()
    assert read.changes.edited == {("nodes", "net")}
    assert read.unlike == set()
    assert read.bundle == {"old": digest("text"), "run.sh": digest("text")}


def test_what_the_source_does_not_yield_is_unlike() -> None:
    read = origin()
    assert read.compare(again(web={"y": {"get": 5}}), {}, False) == {("nodes", "web")}
    assert (read.unlike, read.is_untouched) == (set(), True)
    assert read.compare(again(web={"y": 5}), {}, True) == set()
    assert read.unlike == {("nodes", "web")}
    assert read.changes.edited == {("nodes", "web"), ("nodes", "web_2")}


def test_another_scalar_is_unlike_whatever_is_not_kept() -> None:
    read = origin()
    assert read.compare(again(web={"y": 5}), {}, False) == set()
    assert read.unlike == {("nodes", "web")}


def test_what_was_edited_is_not_unlike() -> None:
    read = origin({**NODES, "web": {"y": 2}})
    assert read.compare(again(web={"y": 5}), {}, False) == set()
    assert read.unlike == set()


def test_entries_that_the_source_yields_no_more_or_in_addition() -> None:
    read = origin()
    lowered = Lowered({"nodes": {name: NODES[name] for name in ("net", "web", "web_2")} | {"more": {}}}, made={})
    assert read.compare(lowered, {}, True) == set()
    assert read.unlike == {("nodes", "vol"), ("params", "size"), ("nodes", "more")}
    assert (read.changes.added, read.changes.deleted) == (
        {("nodes", "vol"), ("params", "size")},
        {("nodes", "more")},
    )
    assert set(read.made) == {("about",), *MADE}
    assert not any(read.made.values())
    assert read.sources(("nodes", "net")) == []


def test_a_changed_text_counts_only_where_it_yields_the_document() -> None:
    found = record(Kept("x", SECTIONS, {}, {}, {}), load(SOURCE), Lowered({**MADE_DATA, "meta": {}}, made=MADE))
    found["text"] = SOURCE + "# more\n"
    read = Origin(found, OWN, load(repr(MADE_DATA)), SECTIONS, load)
    assert read.compare(again(), {}, True) == set()
    with pytest.raises(ValueError, match="not the one that was kept"):
        read.compare(again(web={"y": 5}), {}, True)


# -- what comes back ---------------------------------------------------------------------------------------


def test_entries_of_a_new_translation_that_come_from_changes() -> None:
    read = origin({**NODES, "net": {"x": 2}, "new": {}}, {**MADE, ("about",): [("nodes", "vol")]})
    back = {"things": {"net": 1, "plug": 1, "other": 1, "web": 1}}
    made: dict[Path, list[Path]] = {
        ("nodes", "net"): [("things", "net"), ("things", "plug"), ("things", "gone")],
        ("nodes", "new"): [("things", "other")],
        ("nodes", "web"): [("things", "web")],
    }
    assert fresh_entries(read, back, made) == {("things", "net"), ("things", "plug"), ("things", "other")}


def test_what_only_a_section_without_a_counterpart_became_has_no_place() -> None:
    back: dict[Path, list[Path]] = {("nodes", "vol"): [("things", "vol")]}
    made: dict[Path, list[Path]] = {**MADE, ("about",): [("nodes", "vol")]}
    assert fresh_entries(origin({**NODES, "vol": {"d": 2}}, made), {"things": {"vol": 1}}, back) == {("things", "vol")}
    read = origin({**NODES, "vol": {"d": 2}}, {**made, ("things", "disk"): []})
    assert read.changes.edited == {("nodes", "vol")}
    assert fresh_entries(read, {"things": {"vol": 1}}, back) == set()


def test_entries_that_changes_name_and_the_source_does_not_have() -> None:
    data = {
        "things": {"net": {"uses": "one"}, "one": {"uses": ["two"]}, "two": {}, "three": {"uses": "net"}},
        "new": {"one": 1},
        "version": "one",
        "one": 2,
    }
    assert needed(origin(), data, [{"a": ["one"]}]) == {
        ("things", "one"): {"uses": ["two"]},
        ("things", "two"): {},
        ("new", "one"): 1,
    }
    assert needed(origin(), data, ["net", "size"]) == {}
    assert needed(origin(), data, []) == {}
    assert needed(origin(), {"things": {"new": {"uses": "new"}}}, ["new"]) == {("things", "new"): {"uses": "new"}}
    assert needed(origin(), data, ["two", "three"]) == {("things", "two"): {}, ("things", "three"): {"uses": "net"}}


# -- files, parts, and what options decide ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stem", "file", "expected"),
    [("web", "web.app.yaml", True), ("web", "a/web.yaml", True), ("web", "a/x.web.", False), ("", ".x", False)],
)
def test_files_that_are_named_after_the_source(stem: str, file: str, expected: bool) -> None:
    kept = Kept("x", SECTIONS, {}, {}, {}, stem=stem)
    assert kept.is_named_after(file) is expected
    found = record(kept, load(SOURCE), Lowered(dict(MADE_DATA), files={file: ""}))
    assert ("stem" in found) is expected
    for written, read in ((f"folder/{stem}", stem), (1, "")):
        assert Origin({**found, "stem": written}, OWN, load(repr(MADE_DATA)), SECTIONS, load).stem == read


@pytest.mark.parametrize("option", ["types", "environments", "limits", "params"])
def test_options_that_may_be_missing_from_a_record(option: str) -> None:
    assert origin(unkept=[option]).unkept == {option}
    with pytest.raises(ValueError, match="'unkept' names no option: zz"):
        origin(unkept=[option, "zz"])


def test_what_was_edited_itself() -> None:
    """Not what only shares an origin with it, as ``web_2`` does with ``web``."""
    found = origin({**NODES, "web": {"y": 2}, "new": {}})
    assert found.changes.edited == {("nodes", "web"), ("nodes", "web_2")}
    assert found.changes.own == {("nodes", "web"), ("nodes", "new")}


def test_entries_that_stand_as_they_are_wanted() -> None:
    found = origin()
    found.compare(Lowered(dict(MADE_DATA), made=MADE), {}, True)
    nodes = dict(NODES)
    wanted = {"nodes": {**nodes, "web": {"y": 1}}, "params": MADE_DATA["params"], "meta": 1}
    assert found.same_in({"nodes": nodes, "params": MADE_DATA["params"]}, wanted) == {
        ("nodes", "net"), ("nodes", "web_2"), ("nodes", "vol"), ("params", "size"),
    }  # fmt: skip


def test_the_same_with_another_text() -> None:
    """Its entries, what they became, and what differs from the document now."""
    text = "things: {net: {a: 1}, disk: {d: 2}}\n"
    lowered = Lowered({"nodes": {"net": {"x": 1}, "vol": {"d": 2}}}, made={("things", "disk"): [("nodes", "vol")]})
    before = origin({"net": {"x": 1}, "vol": {"d": 1}})
    before.unlike = {("nodes", "net"), ("nodes", "vol"), ("nodes", "gone")}
    after = before.with_edits(load(text), lowered)
    assert (after.text, after.made) == (text, {("things", "net"): [], ("things", "disk"): [("nodes", "vol")]})
    assert after.same == {("nodes", "net")}
    assert after.changes.edited == {("nodes", "vol")}
    assert after.unlike == {("nodes", "vol")}
    assert (before.text, before.unlike) == (SOURCE, {("nodes", "net"), ("nodes", "vol"), ("nodes", "gone")})
    part = before.part(load(text), lowered, {"nodes": {"net": {"x": 1}, "vol": {"d": 2}}})
    assert (part.changes.edited, part.same) == (set(), {("nodes", "net"), ("nodes", "vol")})


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (1, 2, True),
        ("a", "OS::B", True),
        ("OS::A", "OS::B", False),
        (1, [1], False),
        ({}, 1, False),
        ([1, {"a": 2}], [3, {"a": 4}], True),
        ([1], [1, 2], False),
        ([1, "OS::A"], [2, "OS::B"], False),
        ([1, {}], [2, 3], False),
        ({"a": 1, "type": "t"}, {"a": 2, "type": "t"}, True),
        ({"a": 1, "type": "t"}, {"a": 1, "type": "u"}, False),
        ({"a": 1}, {"b": 1}, False),
        ({"a": 1, "b": "OS::A"}, {"a": 2, "b": "OS::B"}, False),
        ({"default": 1}, {"default": 2}, False),
    ],
)
def test_values_that_differ_in_scalars_only(one: Any, other: Any, expected: bool) -> None:
    assert _differ_in_scalars(one, other) is expected
