"""What becomes of the source of a document that was edited: the change, and what is reported of it."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import pytest

from bpconvert.diagnostics import Reporter
from bpconvert.models.expressions import Path
from bpconvert.translators.lowered import Lowered
from bpconvert.translators.provenance.carry import Origin
from bpconvert.translators.provenance.restore import Patch, patch, report
from bpconvert.yamlio.document import load
from tests.provenance.test_origins import MADE, MADE_DATA, NODES, OWN, origin

BACK_MADE: dict[Path, list[Path]] = {
    ("nodes", "net"): [("things", "net"), ("things", "plug")],
    ("nodes", "web"): [("things", "web")],
    ("nodes", "vol"): [("things", "disk")],
    ("nodes", "new"): [("things", "new")],
}
EDITED = {**NODES, "net": {"x": 2}}


def back(made: dict[Path, list[Path]] = BACK_MADE, **things: Any) -> Lowered:
    return Lowered({"things": things}, made=made)


def test_only_what_became_something_else_is_exchanged() -> None:
    before = {"things": {"net": {"n": 1}, "plug": {"b": 1}}}
    change = patch(origin(EDITED), back(net={"n": 1, "a": 5}, plug={"b": 1}), Lowered(before))
    assert change.new == {("things", "net"): {"a": 5, "n": 1}}
    change = patch(origin(EDITED), back(plug={"b": 1}, net={"n": 1, "c": 5}), Lowered(before))
    assert change.new == {("things", "net"): {"a": 1, "c": 5}}
    assert (change.grafted, change.dropped) == ({("things", "net")}, set())
    assert change.data["things"]["net"] == {"a": 1, "c": 5}
    assert list(change.data["things"]) == ["plug", "net", "web", "disk"]


@pytest.mark.parametrize(
    ("before", "net", "new", "dropped"),
    [
        ({"n": 1}, {"n": 1}, None, set()),
        ({"n": 1}, {"n": 1, "c": 5}, {"a": 1, "c": 5}, set()),
        ({"a": 7}, {"a": 8}, {"a": 8}, {("things", "plug")}),
        (None, {"a": 8}, {"a": 8}, {("things", "plug")}),
    ],
)
def test_parts_stay_where_their_owner_is_the_same_but_for_the_change(
    before: Any, net: Any, new: Any, dropped: set[Path]
) -> None:
    made = {("nodes", "net"): [("things", "net")]}
    known = {"things": {} if before is None else {"net": before}}
    change = patch(origin(EDITED), back(made, net=net), Lowered(known))
    assert change.new == ({} if new is None else {("things", "net"): new})
    assert change.dropped == dropped


def test_what_was_deleted_is_dropped_and_what_is_named_comes_along() -> None:
    now = {"web": {"y": 2}, "web_2": {"z": 1}, "vol": {"d": 1}, "new": {}}
    lowered = back(web={"uses": "helper"}, disk={"d": 1}, new={}, helper={"h": 1}, other={})
    change = patch(origin(now), lowered, Lowered({}))
    assert change.dropped == {("things", "net"), ("things", "plug")}
    assert change.new == {
        ("things", "web"): {"uses": "helper"},
        ("things", "new"): {},
        ("things", "helper"): {"h": 1},
    }
    assert list(change.new) == [("things", "web"), ("things", "new"), ("things", "helper")]
    assert change.data["things"] == {"web": {"uses": "helper"}, "disk": {"d": 1}, "new": {}, "helper": {"h": 1}}
    assert change.data["about"] == "text"


def test_what_is_the_same_but_not_what_the_source_yields_is_exchanged() -> None:
    """The document stands as the record has it, and one of the nodes is another one when the source is translated."""
    read = origin()
    nodes = {**NODES, "web_2": {"z": 5}}
    read.compare(Lowered({**MADE_DATA, "nodes": nodes, "meta": {}}, made=MADE), {}, True)
    assert read.unlike == {("nodes", "web_2")}
    known = {"things": {"web": {"c": 1}}}
    change = patch(read, back({("nodes", "web_2"): [("things", "web")]}, web={"c": 1}), Lowered(known))
    assert change.new == {("things", "web"): {"c": 1}}
    assert change.grafted == set()


# -- names when it is translated anew ----------------------------------------------------------------------


def anew(names: dict[str, str], value: Any, nodes: dict[str, Any] | None = None) -> dict[Path, Any]:
    """What is exchanged where a new thing has ``value`` and other nodes become things with other ``names``."""
    made: dict[Path, list[Path]] = {("nodes", name): [("things", new)] for name, new in names.items()}
    made[("nodes", "new")] = [("things", "new")]
    things = {**{new: {"same": 1} for new in names.values()}, "new": value}
    return patch(origin({**NODES, "new": {}, **(nodes or {})}), back(made, **things), Lowered({})).new


def test_what_is_added_names_what_the_source_has() -> None:
    value = {"uses": ["volume", "other", "volume"], "deep": {"on": "volume"}, "size": 1}
    assert anew({"vol": "volume"}, value) == {
        ("things", "new"): {"uses": ["disk", "other"], "deep": {"on": "disk"}, "size": 1}
    }


def test_a_list_without_such_names_stays_as_it_is() -> None:
    assert anew({"vol": "volume"}, {"uses": ["a", "a"], "on": "volume"}) == {
        ("things", "new"): {"uses": ["a", "a"], "on": "disk"}
    }


def test_all_such_names_count() -> None:
    read = anew({"net": "lan", "vol": "volume", "web_2": "second"}, {"uses": ["volume", "second"]})
    assert read[("things", "new")] == {"uses": ["disk", "web"]}


@pytest.mark.parametrize(
    ("names", "word"),
    [
        ({"net": "lan"}, "lan"),
        ({"vol": "web"}, "web"),
        ({"vol": "volume", "other": "volume"}, "none"),
    ],
    ids=["two sources", "a name that the source has", "another word"],
)
def test_other_names_stay(names: dict[str, str], word: str) -> None:
    assert anew(names, {"uses": word})[("things", "new")] == {"uses": word}


def test_what_was_edited_has_its_own_name() -> None:
    found = anew({"vol": "volume"}, {"uses": "volume"}, {"vol": {"d": 2}})
    assert found == {("things", "new"): {"uses": "volume"}, ("things", "volume"): {"same": 1}}


def test_names_of_another_section_stay() -> None:
    made: dict[Path, list[Path]] = {
        ("nodes", "vol"): [("inputs", "volume"), ("things",)],
        ("nodes", "new"): [("things", "new")],
    }
    lowered = Lowered({"things": {"new": {"uses": ["volume", "things"]}}, "inputs": {"volume": 1}}, made=made)
    change = patch(origin({**NODES, "new": {}}), lowered, Lowered({}))
    assert change.new[("things", "new")] == {"uses": ["volume", "things"]}


# -- what follows from what others are ---------------------------------------------------------------------


def test_entries_with_another_form_are_exchanged() -> None:
    """Nobody edited them: that they are texts, or there at all, follows from what others are."""
    before = Lowered(
        {"things": {"disk": {"d": 1}, "web": {"c": 1}}}, forms={("things", "disk"): "a", ("things", "web"): "a"}
    )
    lowered = back(disk={"d": "1"}, web={"c": "1"})
    lowered.forms = {("things", "disk"): "b", ("things", "web"): "a"}
    assert patch(origin(), lowered, before).new == {("things", "disk"): {"d": "1"}}
    assert patch(origin(), lowered, Lowered({}, forms=before.forms)).new == {}


def test_entries_that_only_one_of_both_has_a_form_for() -> None:
    before = Lowered({"things": {"disk": {"d": 1}, "net": {}, "away": {}}})
    before.forms = {("things", "net"): "a", ("things", "away"): "a"}
    lowered = back(disk={"d": "1"})
    lowered.forms = {("things", "disk"): "b"}
    change = patch(origin(), lowered, before)
    assert change.new == {("things", "disk"): {"d": "1"}}
    assert change.dropped == {("things", "net")}


GROUPS = {
    "things": {"new": {}},
    "groups": {"g": {"of": "new"}, "claimed": {}, "known": {}},
    "policies": {"p": {}},
    "x": 1,
}


def with_groups(made: bool = True, before: Any = None) -> Patch:
    lowered = Lowered(
        dict(GROUPS), made={("nodes", "new"): [("things", "new")], ("nodes", "web"): [("groups", "claimed")]}
    )
    lowered.data = {**lowered.data, "others": {"o": {}}}
    read = origin({**NODES, "new": {}} if made else None)
    return patch(read, lowered, Lowered({"groups": {"known": {}}} if before is None else before))


def test_what_comes_along_with_new_entries_is_added() -> None:
    assert with_groups().new == {("things", "new"): {}, ("groups", "g"): {"of": "new"}, ("policies", "p"): {}}


def test_nothing_comes_along_where_nothing_was_added_or_is_known() -> None:
    assert with_groups(made=False).new == {}
    assert with_groups(before={}).new == {("things", "new"): {}}


def test_a_whole_section_that_is_not_there_as_entries() -> None:
    """A text is exchanged in the order of the result."""
    made: dict[Path, list[Path]] = {("nodes", "new"): [("things", "new")], ("nodes", "more"): [("about",)]}
    lowered = Lowered({"about": "other", "things": {"new": {}}}, made=made)
    change = patch(origin({**NODES, "new": {}, "more": {}}), lowered, Lowered({}))
    assert list(change.new.items()) == [(("about",), "other"), (("things", "new"), {})]


# -- what is reported --------------------------------------------------------------------------------------


def reported(read: Origin, new: set[str], dropped: Collection[str] = ()) -> list[Any]:
    """Code and place of each finding, for changes of these things."""
    reporter = Reporter(load(repr(MADE_DATA)))
    places: list[set[Path]] = [{("things", name) for name in names} for names in (new, dropped)]
    change = Patch(dict.fromkeys(places[0]), places[1], set(), {}, {})
    report(read, change, Lowered({}, made=BACK_MADE), [], reporter)
    return [(found.code, found.path, found.message) for found in reporter.diagnostics]


def short(found: list[Any]) -> list[Any]:
    return [(code, path) for code, path, _ in found]


def test_edits_are_reported_with_what_becomes_of_them() -> None:
    now = {**EDITED, "web": {"y": 2}, "new": {}, "lost": {}}
    found = reported(origin(now), {"plug", "new"})
    assert short(found) == [
        ("BPC622", ("nodes", "lost")),
        ("BPC620", ("nodes", "net")),
        ("BPC623", ("nodes", "new")),
        ("BPC622", ("nodes", "web")),
    ]
    assert "nodes.net" in found[1][2]


def test_an_edit_that_took_its_source_away_is_reported_as_taken_over() -> None:
    assert short(reported(origin(EDITED), set(), {"plug"})) == [("BPC620", ("nodes", "net"))]


def test_what_only_shares_its_source_with_an_edit_is_no_finding() -> None:
    """``web_2`` was edited, and ``web`` is made of the same."""
    read = origin({**NODES, "web_2": {"z": 2}, "zoo": {}})
    assert read.changes.along == {("nodes", "web")}
    assert short(reported(read, {"web"})) == [("BPC620", ("nodes", "web_2")), ("BPC622", ("nodes", "zoo"))]


def test_deletions_are_reported_with_what_becomes_of_them() -> None:
    now = {"web": {"y": 1}}
    assert short(reported(origin(now), set(), {"plug", "disk"})) == [
        *[("BPC621", ("nodes",))] * 2,
        ("BPC622", ("nodes",)),
    ]
    found = reported(origin({**NODES, "extra": 1} | {"net": {"x": 1}}), {"new"})
    assert short(found) == [("BPC622", ("nodes", "extra"))]
    (net, *_) = reported(origin({name: NODES[name] for name in ("web", "web_2", "vol")}), {"net"})
    assert (net[0], net[1]) == ("BPC621", ("nodes",))
    assert "nodes.net" in net[2]


def test_what_the_source_does_not_yield_is_reported_as_such() -> None:
    read = origin({**EDITED, "more": {}})
    lowered = Lowered({**MADE_DATA, "nodes": {**NODES, "web": {"y": 5}, "gone": {}, "away": {}}, "meta": {}}, made=MADE)
    lowered.made = {**MADE, ("things", "disk"): [("nodes", "vol"), ("nodes", "gone")]}
    assert read.compare(lowered, {}, True) == set()
    assert read.unlike == {("nodes", "web"), ("nodes", "gone"), ("nodes", "away")}
    assert short(reported(read, {"web", "net", "disk"})) == [
        ("BPC661", ("nodes",)),
        ("BPC622", ("nodes", "more")),
        ("BPC620", ("nodes", "net")),
        ("BPC660", ("nodes", "web")),
        ("BPC662", OWN),
    ]
    last = reported(read, {"net"})[-1]
    assert last[:2] == ("BPC662", OWN)
    assert "nodes.away, nodes.gone, nodes.web" in last[2]


def test_findings_of_what_is_translated_anew_are_kept() -> None:
    read = origin(EDITED)
    read.changes.edited.add(("list",))
    kept = [("nodes", "net"), ("nodes", "net", "x", "y"), ("list",), ("list", 0, "a")]
    others: list[Path] = [(), ("nodes",), ("nodes", "web"), ("nodes", "web", "net"), ("meta",)]
    scratch, reporter = (Reporter(load("a: 1\n")) for _ in range(2))
    for path in (*kept, *others):
        scratch.report("BPC208", path, name="x")
    report(read, Patch({}, set(), set(), {}, {}), Lowered({}), scratch.diagnostics, reporter)
    assert {found.path for found in reporter.diagnostics if found.code == "BPC208"} == set(kept)
