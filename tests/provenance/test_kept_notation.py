"""What is kept in metadata of values and operations, and what of that is given back."""

from __future__ import annotations

from typing import Any

import pytest
from pass_requests import node, request, topology

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING
from bpconvert.models.notation import to_data
from bpconvert.models.topology import Input, Operation, Topology
from bpconvert.translators.provenance.metadata_text import Portable, operations, restore_operations


def sample() -> Topology:
    """Nodes ``app`` and ``db``, which have other names in the document, and ``lost``, which it does not have."""
    found = topology(node("app", "s"), node("db", "s"), node("lost", "s"))
    found.inputs["size"] = Input("size", "integer")
    return found


def portable(topology: Topology) -> Portable:
    names = {"app": "app_x", "db": "db_x"}
    return Portable(topology, {"size": "size_x"}.get, names.get)


# -- values -------------------------------------------------------------------------------------------------


def test_a_value_of_up_to_300_expressions_is_kept() -> None:
    found = portable(sample())
    for _ in range(2):  # each value has as many
        assert found.value([ex.Input("size")] * 300) == [ex.Input("size_x")] * 300
    assert found.value([ex.Input("size")] * 301) is MISSING


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (ex.File("https://example.com/a.sh"), ex.File("https://example.com/a.sh")),
        (ex.File("a.sh"), MISSING),
        (ex.File(ex.Input("size")), MISSING),
        (ex.Identity("db"), ex.Identity("db_x")),
        (ex.Identity("lost"), MISSING),
        (ex.Identity("named"), ex.Input("size_x")),
        (ex.Identity("known"), ex.Identity("db_x")),
    ],
)
def test_a_value_has_the_names_of_the_document(value: Any, expected: Any) -> None:
    """A node that exists by a name that is computed stands for that name, unless the document has the node."""
    asked = sample()
    asked.nodes["named"] = node("named", "s")
    asked.nodes["db"].external_name = asked.nodes["named"].external_name = ex.Input("size")
    assert portable(asked).value(ex.Identity("db") if value == ex.Identity("known") else value) == expected


# -- operations ---------------------------------------------------------------------------------------------


def test_operations_are_kept_with_what_is_not_usual() -> None:
    rows = operations(
        portable(sample()),
        [
            Operation("i", "plain", "a.sh", host=""),
            Operation("i", "full", "b.sh", {"n": ex.Input("size")}, "db", "target", {"executor": "e"}, native="own"),
            Operation("i", "lost_input", "c.sh", {"n": ex.Input("gone")}),
            Operation("i", "lost_target", "d.sh", target="lost"),
        ],
        "toy",
    )
    assert rows == [
        {"interface": "i", "name": "plain", "implementation": "a.sh", "native": "toy"},
        {
            "interface": "i", "name": "full", "implementation": "b.sh", "host": "target", "extra": {"executor": "e"},
            "inputs": {"n": to_data(ex.Input("size_x"))}, "target": "db_x", "native": "own",
        },
    ]  # fmt: skip


ROW: dict[str, Any] = {"interface": "i", "name": "o", "implementation": "a.sh", "native": "toy"}


def restored(rows: Any) -> tuple[list[Operation], list[str]]:
    """The operations that ``app`` gets, and what is reported."""
    found, asked = sample(), request()
    app = found.nodes["app"]
    app.operations.append(Operation("i", "present", "own.sh", target="db"))
    restore_operations(found, app, rows, asked.reporter)
    return app.operations[1:], [item.message for item in asked.reporter.diagnostics if item.code == "BPC670"]


def test_kept_operations_are_given_back_and_reported() -> None:
    size = to_data(ex.Input("size"))
    row = {**ROW, "inputs": {"n": size}, "target": "db", "host": "target", "extra": {"executor": "e"}}
    [given], [message] = restored([row])
    assert (given.interface, given.name, given.implementation, given.native) == ("i", "o", "a.sh", "toy")
    assert (given.inputs, given.target, given.host) == ({"n": ex.Input("size")}, "db", "target")
    assert (given.extra, given.path) == ({"executor": "e"}, ("nodes", "app"))
    assert message.startswith("operation 'o' of 'app' (a.sh) comes from the metadata")
    [plain], _ = restored([ROW])
    assert (plain.inputs, plain.target, plain.host, plain.extra) == ({}, None, "source", {})


@pytest.mark.parametrize(
    "rows",
    [
        None,
        {"a": ROW},
        ["o"],
        [{}],
        [{**ROW, "name": ""}],
        [{**ROW, "name": 1}],
        [{**ROW, "interface": 1}],
        [{**ROW, "native": None}],
        [{**ROW, "inputs": ["n"]}],
        [{**ROW, "inputs": {"n": to_data(ex.Input("gone"))}}],
        [{**ROW, "extra": ["e"]}],
        [{**ROW, "target": 1}],
        [{**ROW, "target": "gone"}],
        [{**ROW, "name": "present", "target": "db"}],
    ],
)
def test_damaged_rows_and_what_was_given_since_are_left_out(rows: Any) -> None:
    assert restored(rows) == ([], [])


@pytest.mark.parametrize("other", [{"target": "app"}, {"interface": "j", "target": "db"}, {}])
def test_an_operation_at_another_place_is_another_one(other: dict[str, Any]) -> None:
    assert len(restored([{**ROW, "name": "present", **other}])[0]) == 1
