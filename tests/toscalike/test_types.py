"""The hierarchy of types, in a language with words of its own."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

from bpconvert.models.expressions import MISSING, Path
from bpconvert.translators.toscalike.types import DATA, NODE, RELATIONSHIP, TypeTable, Vocabulary


class Property(BaseModel):
    type: str | None = None
    default: Any = None
    required: bool | None = None


class Kind(BaseModel):
    derived_from: str | None = None
    properties: dict[str, Property] | None = None
    does: dict[str, dict[str, str]] | None = None


WORDS = Vocabulary(
    types={NODE: "things", RELATIONSHIP: "links", DATA: "shapes"},
    interfaces={NODE: ("does",)},
    exists="there",
    is_primitive=lambda name: name in ("text", None),
    takes=lambda kind, value: isinstance(value, str),
)


def table(nodes: dict[str, Any], shapes: dict[str, Any] | None = None) -> tuple[TypeTable, list[tuple[Path, str]]]:
    refused: list[tuple[Path, str]] = []
    defined = {
        NODE: {name: Kind.model_validate(kind) for name, kind in nodes.items()},
        RELATIONSHIP: {},
        DATA: {name: Kind.model_validate(kind) for name, kind in (shapes or {}).items()},
    }
    return TypeTable(defined, WORDS, lambda raw, path: raw, lambda *what: refused.append(what), True), refused


def test_properties_and_operations_are_inherited() -> None:
    types, refused = table({
        "base": {"properties": {"a": {"default": "x"}, "b": {}}, "does": {"life": {"start": "old", "stop": "stop"}}},
        "more": {"derived_from": "base", "properties": {"b": {"default": "y"}}, "does": {"life": {"start": "new"}}},
    })  # fmt: skip
    found = types.find(NODE, "more")
    assert found is not None
    assert found.ancestry == ["more", "base"]
    assert {name: one.default for name, one in found.properties.items()} == {"b": "y", "a": "x"}
    assert {key: what for key, (what, _) in found.operations.items()} == {
        ("life", "start"): "new", ("life", "stop"): "stop"
    }  # fmt: skip
    assert found.operations["life", "stop"][1] == ("things", "base", "does", "life", "stop")
    assert not refused


def test_values_are_completed_and_checked() -> None:
    types, refused = table(
        {"thing": {"properties": {"where": {"type": "place"}, "name": {"type": "text"}, "note": {"required": False}}}},
        {"place": {"properties": {"street": {"default": "High"}, "town": {}}}},
    )
    found = types.find(NODE, "thing")
    assert found is not None
    problems: list[tuple[Path, str]] = []
    whole = types.complete({"where": {"town": "x"}, "name": 3}, found, lambda *what: problems.append(what))
    assert whole == {"where": {"street": "High", "town": "x"}, "name": 3}
    assert [steps for steps, _ in problems] == [("name",)]
    assert types.complete({"there": True}, found, lambda *what: problems.append(what))["there"] is True
    assert [steps for steps, _ in problems] == [("name",), ("where",), ("there",)]
    assert found.properties["name"].default is MISSING
    assert not refused


def test_circles_and_unknown_types_are_refused_at_their_places() -> None:
    types, refused = table({"a": {"derived_from": "b"}, "b": {"derived_from": "a"}, "c": {"derived_from": "none"}})
    assert types.find(NODE, "a") is not None
    assert types.find(NODE, "c") is not None
    assert [path for path, _ in refused] == [("things", "a", "derived_from"), ("things", "c", "derived_from")]
