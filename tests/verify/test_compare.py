"""Pairs of parts of two deployments, and where they differ."""

from __future__ import annotations

from typing import Any

import pytest

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING
from bpconvert.models.topology import Node
from bpconvert.translators.comparing.model import DEPLOYMENT, Deployment, Part, Published
from bpconvert.translators.comparing.scripts import OPERATION, PUBLISHES
from bpconvert.translators.verify.compare import (
    EXISTING,
    EXISTS,
    MEMBERS,
    WAITS,
    Found,
    compare,
    paired,
    same,
    values,
)

SIDE: Any = None


def part(name: str, kind: str = "server", properties: dict[str, Any] | None = None, **more: Any) -> Part:
    """A part of a kind; ``node``: settings of its node."""
    node = Node(name, **{"source_type": "t", "kind": kind, **more.pop("node", {})})
    return Part(name, kind, properties or {}, ("at", name), lambda *keys: ("at", name, *keys), node, **more)


def software(name: str, type: str, properties: dict[str, Any] | None = None, **more: Any) -> Part:
    """A part that is of no kind, but of a type."""
    settings = {"kind": None, "source_type": type, **more.pop("node", {})}
    return part(name, type, properties, node=settings, **more)


def deployment(*parts: Part, **more: Any) -> Deployment:
    return Deployment(SIDE, {one.name: one for one in parts}, **more)


def found(first: Part | None, second: Part | None) -> list[tuple[Any, ...]]:
    """What two parts have: the steps, and both values."""
    sides = [deployment(*([] if one is None else [one])) for one in (first, second)]
    return [(".".join(map(str, one.steps)), one.first, one.second) for one in compare(*sides)]


# -- values -------------------------------------------------------------------------------------------------

HEAD = 'Content-Type: multipart/mixed; boundary="{0}"\n\n--{0}\nContent-Type: text/plain\n\n{1}\n--{0}--\n'


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        (1, 1, True),
        (1, 1.0, True),
        (1, True, False),
        (True, 1, False),
        (True, True, True),
        (False, None, False),
        (1, "1", False),
        (None, None, True),
        (None, MISSING, False),
        (MISSING, MISSING, True),
        ("a", "b", False),
        ([1, "a"], (1, "a"), True),
        ([1], [1, 2], False),
        ([1], [True], False),
        ([1, 2], [1, 3], False),
        ({"a": 1}, {"a": 1}, True),
        ({"a": 1}, {"a": True}, False),
        ({"a": 1}, {"b": 1}, False),
        ({"a": 1, "b": 2}, {"a": 1, "b": 3}, False),
        ({"a": 1}, 1, False),
        ([1], 1, False),
        (ex.Input("a"), ex.Input("a"), True),
        (ex.Input("a"), ex.Input("b"), False),
        (ex.Input("a"), "a", False),
        ("a", ex.Input("a"), False),
        (HEAD.format("x", "text"), HEAD.format("y", "text"), True),
        (HEAD.format("x", "text"), HEAD.format("y", "other"), False),
        (HEAD.format("x", "text"), "text", True),
        (HEAD.format("x", "\udc80"), "\udc80", True),
        ("text", HEAD.format("x", "text"), True),
    ],
)
def test_values_are_the_same_in_value_and_kind(one: Any, other: Any, is_same: bool) -> None:
    assert same(one, other) is is_same
    assert Found((), one, other, (), ()).is_equal is is_same


def test_values_are_compared_to_their_innermost_parts() -> None:
    """Lists of different lengths, and empty ones, as a whole."""
    first = {"a": {"b": 1}, "c": [1, 2], "d": [1], "e": {}, "g": []}
    second = {"a": {"b": 2}, "c": [1, 3], "d": [1, 2], "f": 1, "e": {}, "g": []}
    assert [tuple(one) for one in values(("x",), first, second, ("p",), ("q",))] == [
        (("x", "a", "b"), 1, 2, ("p", "a", "b"), ("q", "a", "b")),
        (("x", "c", 0), 1, 1, ("p", "c", 0), ("q", "c", 0)),
        (("x", "c", 1), 2, 3, ("p", "c", 1), ("q", "c", 1)),
        (("x", "d"), [1], [1, 2], ("p", "d"), ("q", "d")),
        (("x", "e"), {}, {}, ("p", "e"), ("q", "e")),
        (("x", "g"), [], [], ("p", "g"), ("q", "g")),
        (("x", "f"), MISSING, 1, ("p", "f"), ("q", "f")),
    ]


def test_an_empty_map_lacks_what_the_other_one_has() -> None:
    assert [tuple(one)[:3] for one in values(("x",), {}, {"a": 1}, (), ())] == [(("x", "a"), MISSING, 1)]
    assert [tuple(one)[:3] for one in values(("x",), {"a": 1}, {}, (), ())] == [(("x", "a"), 1, MISSING)]


# -- parts --------------------------------------------------------------------------------------------------


def test_properties_of_a_pair_have_their_places() -> None:
    first, second = part("a", properties={"size": {"x": 1}}), part("a", properties={"size": {"x": 2}, "name": "n"})
    rows = list(compare(deployment(first), deployment(second)))
    assert [tuple(one) for one in rows] == [
        (("a",), "server", "server", ("at", "a"), ("at", "a")),
        (("a", "size", "x"), 1, 2, ("at", "a", "size", "x"), ("at", "a", "size", "x")),
        (("a", "name"), MISSING, "n", ("at", "a", "name"), ("at", "a", "name")),
    ]


@pytest.mark.parametrize(
    ("more", "row"),
    [
        ({}, ("a", EXISTS, MISSING)),
        ({"existing": True}, None),
        ({"idle": True}, None),
        ({"node": {"kind": "value"}}, None),
        ({"only_runs": True}, ("a.size", 1, MISSING)),
        ({"only_runs": True, "kind": OPERATION}, ("a", EXISTS, MISSING)),
        ({"only_runs": True, "kind": DEPLOYMENT}, ("a", EXISTS, MISSING)),
        ({"only_runs": True, "properties": {}}, ("a", EXISTS, MISSING)),
    ],
)
def test_a_part_without_a_partner(more: dict[str, Any], row: tuple[Any, ...] | None) -> None:
    """What only runs something is compared by its properties."""
    alone = part("a", **{"properties": {"size": 1}, **more})
    assert found(alone, None) == ([row] if row else [])
    assert found(None, alone) == ([(row[0], row[2], row[1])] if row else [])


def test_one_that_exists_already_is_not_created() -> None:
    exists = part("a", properties={"size": 1}, existing=True)
    assert found(exists, part("a", properties={"size": 2})) == [("a", EXISTING, EXISTS)]
    assert found(part("a"), exists) == [("a", EXISTS, EXISTING)]
    assert (EXISTS, EXISTING) == ("exists", "exists already")


def test_parts_of_different_kinds_have_nothing_to_compare() -> None:
    assert found(part("a", "net", {"x": 1}), part("a", "port", {"x": 2})) == [("a", "net", "port")]


@pytest.mark.parametrize(
    ("first", "second", "rows"),
    [
        ({"idle": True}, {}, []),
        ({}, {"idle": True}, []),
        ({}, {}, [("a.size", 1, 2)]),
    ],
)
def test_nothing_of_an_idle_part_is_compared(first: Any, second: Any, rows: list[Any]) -> None:
    both = [part("a", properties={"size": size}, **more) for size, more in ((1, first), (2, second))]
    assert found(*both)[1:] == rows


@pytest.mark.parametrize(
    ("own", "other", "rows"),
    [
        ({"only_runs": True}, {"only_runs": True}, [("a", EXISTS, EXISTS)]),
        ({"only_runs": True}, {"only_orders": True}, [("a", EXISTS, EXISTS)]),
        ({"only_orders": True}, {"only_runs": True}, [("a", EXISTS, EXISTS)]),
        ({"only_orders": True}, {"only_orders": True}, [("a", "own", "other")]),
        ({"only_runs": True}, {}, [("a", "own", "other")]),
        ({}, {"only_runs": True}, [("a", "own", "other")]),
        ({"idle": True}, {"only_runs": True}, [("a", "other", "other")]),
        ({"idle": True, "stand_in": "shown"}, {}, [("a", "shown", "other")]),
        ({"idle": True, "only_runs": True}, {}, [("a", "other", "other")]),
        ({"idle": True}, {"idle": True}, [("a", EXISTS, EXISTS)]),
    ],
)
def test_software_of_two_types_is_the_same_where_it_does_the_same(own: Any, other: Any, rows: list[Any]) -> None:
    """What only runs its programs, and what only orders others."""
    assert found(software("a", "own", **own), software("a", "other", **other)) == rows


def test_numbers_of_members_are_compared() -> None:
    assert found(part("a", among=(2, 3)), part("a"))[1:] == [(f"a.{MEMBERS}", "2.3", MISSING)]
    assert MEMBERS == "number of members"


def test_a_published_output_that_one_does_not_use_is_no_difference() -> None:
    name = f"{PUBLISHES}x"
    assert found(part("a", properties={name: 1}), part("a"))[1:] == []
    assert found(part("a"), part("a", properties={name: 1}))[1:] == []
    assert found(part("a", properties={name: 1, "size": 1}), part("a"))[1:] == [("a.size", 1, MISSING)]
    assert found(part("a", properties={name: 1}), part("a", properties={name: 2}))[1:] == [(f"a.{name}", 1, 2)]


ANCESTRY = ["my.App", "base.App", "root"]


@pytest.mark.parametrize(
    ("own", "other", "is_same"),
    [("my.App", "base.App", True), ("my.App", "root", False), ("my.App", "other.App", False)],
)
def test_a_type_and_the_one_that_it_is_derived_from_are_the_same(own: str, other: str, is_same: bool) -> None:
    """Not the type of all nodes."""
    derived, base = software("a", own, node={"ancestry": ANCESTRY}), software("a", other, node={"ancestry": [other]})
    assert found(derived, base) == [("a", EXISTS, EXISTS) if is_same else ("a", own, other)]
    assert found(base, derived) == [("a", EXISTS, EXISTS) if is_same else ("a", other, own)]
    stand_in = software("a", own, node={"ancestry": ANCESTRY}, stand_in="x")
    assert found(stand_in, base) == [("a", "x", other)]


def test_what_only_runs_something_has_the_defaults_of_its_type() -> None:
    with_default = software("a", "t", defaults={"port": 80})
    assert found(software("a", "t", {"port": 80}), with_default)[1:] == [("a.port", 80, 80)]
    assert found(software("a", "t", {"name": "n"}), with_default)[1:] == [("a.name", "n", MISSING)]
    assert found(with_default, software("a", "t", {"port": 81}))[1:] == [("a.port", 80, 81)]


def test_outputs_without_a_value_are_none() -> None:
    first = deployment(outputs={"a": Published(1, ("p",)), "b": Published(None, ("q",))})
    second = deployment(outputs={"c": Published(2, ("r",))})
    assert [tuple(one) for one in compare(first, second)] == [
        (("outputs", "a"), 1, MISSING, ("p",), ()),
        (("outputs", "b"), MISSING, MISSING, ("q",), ()),
        (("outputs", "c"), MISSING, 2, (), ("r",)),
    ]


# -- pairs --------------------------------------------------------------------------------------------------


def names(first: list[Part], second: list[Part]) -> list[tuple[str, str]]:
    pairs = paired({one.name: one for one in first}, {one.name: one for one in second})
    return [(one.name if one else "", other.name if other else "") for one, other in pairs]


def test_parts_of_one_name_and_kind_are_a_pair_first() -> None:
    first = [part("a", properties={"x": 1}), part("b", properties={"x": 2})]
    second = [part("b", properties={"x": 1}), part("a", properties={"x": 2})]
    assert names(first, second) == [("a", "a"), ("b", "b")]


def test_of_one_kind_the_most_alike_are_a_pair() -> None:
    first = [part("a", properties={"x": 1, "y": 1})]
    second = [part("p", properties={"x": 2, "y": 1}), part("q", properties={"x": 1, "y": 1})]
    assert names(first, second) == [("a", "q"), ("", "p")]


def test_each_part_has_one_partner() -> None:
    first, second = (
        [part(name, properties={"x": 1}) for name in "ab"],
        [part(name, properties={"x": 1}) for name in "pq"],
    )
    assert names(first, second) == [("a", "p"), ("b", "q")]


@pytest.mark.parametrize(("count", "partner"), [(50, "p49"), (60, "p59")])
def test_of_many_the_equal_one_is_the_partner_wherever_it_is(count: int, partner: str) -> None:
    second = [part(f"p{n}", properties={"x": n, "y": 0}) for n in range(count)]
    assert (("a", partner)) in names([part("a", properties={"x": count - 1, "y": 0})], second)


def test_the_most_alike_is_looked_for_among_fifty() -> None:
    """One that is nearly equal is not found among more."""
    nearly = part("a", properties={"x": 49, "y": 0, "z": 1})
    second = [part(f"p{n}", properties={"x": n, "y": 0}) for n in range(60)]
    assert ("a", "p49") in names([nearly], second[:50])
    assert ("a", "p59") not in names([part("a", properties={"x": 59, "y": 0, "z": 1})], second)


def test_of_those_that_are_as_alike_the_name_decides() -> None:
    """By the longest beginning."""
    assert names([part("web_port")], [part("other"), part("web_net"), part("west")]) == [
        ("web_port", "web_net"), ("", "other"), ("", "west"),
    ]  # fmt: skip


def test_an_instance_of_a_node_comes_before_what_is_more_alike() -> None:
    second = [part("q", properties={"x": 1}), part("a.0", properties={"x": 2})]
    first = part("a", properties={"x": 1})
    assert names([first], second) == [("a", "a.0"), ("", "q")]
    assert names(second, [first]) == [("q", ""), ("a.0", "a")]


def test_parts_of_one_name_but_other_kinds_are_a_pair_at_last() -> None:
    first, second = [part("a", "net"), part("b", "port")], [part("a", "port"), part("c", "net")]
    assert names(first, second) == [("a", "c"), ("b", "a")]
    assert names([part("a", "net")], [part("a", "port")]) == [("a", "a")]


def test_members_of_a_group_that_both_have_are_pairs_among_themselves() -> None:
    first = [part("g.0", properties={"x": 1}), part("alone", properties={"x": 3})]
    second = [part("other", properties={"x": 1}), part("g.1", properties={"x": 2})]
    assert names(first, second) == [("g.0", "g.1"), ("alone", "other")]


@pytest.mark.parametrize(("ending", "is_pair"), [("-id", True), ("", False)])
def test_what_only_connects_two_nodes_is_the_same_where_it_connects_the_same(ending: str, is_pair: bool) -> None:
    ids = {"a": f"x{ending}", "b": f"y{ending}"}
    first = [part("g.0", properties=ids), part("g.1", properties={"a": "1", "b": "2"})]
    second = [part("link", properties=ids), part("g.1", properties={"a": "1", "b": "2"})]
    assert (("g.0", "link") in names(first, second)) is is_pair


@pytest.mark.parametrize(
    "more",
    [
        {"kind": DEPLOYMENT, "properties": {"server": "x", "action": "y"}},
        {"kind": "server", "existing": True, "properties": {"server": "x"}},
        {"kind": OPERATION, "owner": "n", "properties": {"server": "x"}},
    ],
)
def test_scripts_of_one_server_and_what_exists_already(more: dict[str, Any]) -> None:
    """Others under other names are others."""
    changed = {**more, "properties": {**more["properties"], "server": "z"}, "owner": "m"}
    assert names([part("a", **more)], [part("b", **more)]) == [("a", "b")]
    assert names([part("a", **more)], [part("b", **changed)]) == [("a", ""), ("", "b")]


@pytest.mark.parametrize(
    ("name", "owner", "is_pair"),
    [("m.create", "n", True), ("m.start", "n", False), ("m.create", "m", False)],
)
def test_operations_of_one_node_under_one_name_are_a_pair_whatever_they_run(
    name: str, owner: str, is_pair: bool
) -> None:
    own = part("n.create", OPERATION, {"script": "a"}, owner="n")
    other = part(name, OPERATION, {"script": "b"}, owner=owner)
    better = part("m.stop", OPERATION, {"script": "a"}, owner="n")
    assert (("n.create", name) in names([own], [better, other])) is is_pair


def test_operations_of_other_nodes_are_a_pair_where_they_are_equal() -> None:
    own = part("n.create", OPERATION, {"script": "a"}, owner="n")
    assert names([own], [part("m.start", OPERATION, {"script": "a"}, owner="m")]) == [("n.create", "m.start")]
    assert len(names([own], [part("m.start", OPERATION, {"script": "b"}, owner="m")])) == 2


# -- order --------------------------------------------------------------------------------------------------


def waits(first: dict[str, set[str]], second: dict[str, set[str]], **more: Any) -> list[tuple[Any, ...]]:
    existing = more.pop("existing", ())
    parts = [part(name, existing=name in existing) for name in "abc"]
    rows = compare(deployment(*parts, waits=first), deployment(*parts, waits=second, **more))
    return [(one.steps[0], one.steps[2], one.first, one.second) for one in rows if one.steps[1:2] == (WAITS,)]


def test_the_other_one_has_to_wait_at_once_or_in_the_end() -> None:
    first = {"a": {"c"}}
    assert waits(first, {"a": {"c"}}) == [("a", "c", True, True)]
    assert waits(first, {"a": {"b"}, "b": {"c"}}) == [("a", "c", True, True)]
    assert waits(first, {"a": {"x"}, "x": {"c"}}) == [("a", "c", True, True)]
    assert waits(first, {"a": {"b"}}) == [("a", "c", True, False)]
    assert waits(first, {}, besides={"a": {"c"}}) == [("a", "c", True, True)]
    assert waits({}, {"a": {"c"}}) == []
    assert waits({"a": {"c", "b"}}, {}) == [("a", "b", True, False), ("a", "c", True, False)]
    assert WAITS == "waits for"


def test_by_way_of_what_is_no_part_and_of_what_exists_already() -> None:
    assert waits({"a": {"x"}, "x": {"c"}}, {}) == [("a", "c", True, False)]
    assert waits({"a": {"b"}, "b": {"c"}}, {"b": {"c"}}) == [("a", "b", True, False), ("b", "c", True, True)]
    found = waits({"a": {"b"}, "b": {"c"}}, {"b": {"c"}}, existing="b")
    assert found == [("a", "c", True, False)]


def test_what_exists_already_in_one_of_the_two_waits_there() -> None:
    there = part("b", existing=True)
    rows = [*compare(deployment(there, part("a"), waits={"a": {"b"}}), deployment(part("b"), part("a")))]
    assert [(one.steps, one.first, one.second) for one in rows if WAITS in one.steps] == [
        (("a", WAITS, "b"), True, False)
    ]


def test_a_circle_that_only_one_has_is_a_difference() -> None:
    circle = {"a": {"b"}, "b": {"a"}}
    own = [("a", "a", True, False), ("b", "b", True, False)]
    assert [row for row in waits(circle, {"a": {"b"}}) if row[0] == row[1]] == own
    assert [row for row in waits({"a": {"b"}}, circle) if row[0] == row[1]] == [
        ("a", "a", False, True), ("b", "b", False, True),
    ]  # fmt: skip
    assert [row for row in waits(circle, circle) if row[0] == row[1]] == [
        ("a", "a", True, True), ("b", "b", True, True),
    ]  # fmt: skip
