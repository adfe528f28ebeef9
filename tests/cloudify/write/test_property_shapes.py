"""Properties of node templates by the catalogue's rules: the shapes of values, and choices between them."""

from __future__ import annotations

from typing import Any

import pytest
from property_writing import GROUP, IS_PROD, PLACE, SERVER, Writing, a_group, asked_for, lift, removed

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Value
from bpconvert.models.topology import Input
from bpconvert.translators.catalogue.model import PropertyRule

# -- shapes ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "value", "written", "codes"),
    [
        ("string", 5, "5", ["BPC509"]),
        ("string", True, "True", ["BPC509"]),
        ("string", "x", "x", []),
        ("string", 1.5, 1.5, []),
        ("integer", "5", 5, ["BPC509"]),
        ("integer", 5, 5, []),
        ("integer", "five", "five", []),
        ("integer", True, True, []),
        ("integer", ["5"], ["5"], []),
        ("integer", {"a": "5"}, {"a": "5"}, []),
        ("integer", float("inf"), float("inf"), []),
        ("boolean", "true", True, ["BPC509"]),
        ("boolean", "False", False, ["BPC509"]),
        ("boolean", "yes", "yes", []),
        (None, 5, 5, []),
        (None, "5", "5", []),
    ],
)
def test_a_literal_is_what_heat_makes_of_it(kind: Any, value: Value, written: Any, codes: list[str]) -> None:
    writing = Writing()
    found = writing.put(value, to="p", type=kind)["p"]
    assert (found, type(found)) == (written, type(written))
    assert writing.found == [(code, ()) for code in codes]


@pytest.mark.parametrize(("name", "is_made"), [("n", True), ("flag", True), ("env", False), ("free", False)])
def test_a_number_where_a_text_is_wanted(name: str, is_made: bool) -> None:
    writing = Writing()
    found = writing.put(ex.Input(name), to="p", type="string")["p"]
    assert isinstance(found, ex.Concat) == is_made
    assert writing.found == ([("BPC332", ())] if is_made else [])
    if isinstance(found, ex.Concat):
        assert found.items == (ex.Input(name, strict=True),)


def test_an_input_is_no_literal() -> None:
    writing = Writing()
    assert writing.put(ex.Input("env"), to="p", type="integer") == {"p": ex.Input("env", strict=True)}
    assert not writing.found


def test_texts_become_maps_with_names() -> None:
    assert Writing().put(["a", ex.Input("env")], to="p", items="name_maps") == {
        "p": [{"name": "a"}, {"name": ex.Input("env", strict=True)}]
    }


@pytest.mark.parametrize(
    ("rule", "value", "default", "reason"),
    [
        ({"items": "name_maps"}, ex.Input("names"), [{"name": "a"}, {"name": "b"}], "maps with names"),
        ({"items": "name_maps"}, ex.Input("free"), None, "maps with names"),
        (
            {"each": {"k": PropertyRule(to="key")}},
            ex.Input("map"),
            {"key": "v"},
            "other names for the keys of its items",
        ),
    ],
    ids=["known list", "unknown", "known map"],
)
def test_what_only_a_call_yields_is_asked_for_in_its_shape(
    rule: dict[str, Any], value: Value, default: Any, reason: str
) -> None:
    writing = Writing()
    value.path = (*PLACE, 0)
    declared = asked_for(writing, writing.put(value, to="p", **rule)["p"])
    assert declared.get("default") == default
    assert writing.found[0] == ("BPC201" if default is None else "BPC702", (0,))
    assert f" Cloudify wants {reason}" in writing.messages[0]


def test_what_is_found_in_the_default_has_the_place_of_the_call() -> None:
    writing = Writing()
    value = ex.Input("map", path=(*PLACE, 0))
    writing.put(value, to="p", each={"other": PropertyRule(to="o")})
    assert ("BPC301", (0, "k")) in writing.found


def test_nothing_is_an_empty_list() -> None:
    writing = Writing()
    writing.context.topology.inputs["nothing"] = Input("nothing", "json", None)
    assert asked_for(writing, writing.put(ex.Input("nothing"), to="p", items="name_maps")["p"])["default"] == []


def test_what_is_usual_is_the_branch_of_the_defaults() -> None:
    inner = ex.If(ex.Equals(ex.Attribute("g", "name"), "x"), ["u"], ["v"])
    for condition, usual in ((IS_PROD, ["b"]), (ex.Not(IS_PROD), ["a"])):
        writing = Writing(a_group())
        assert writing.properties._usual(ex.If(condition, ["a"], ["b"])) == usual
        assert writing.properties._usual(ex.If(condition, ["a"], ["b"])) == usual
    assert Writing(a_group()).properties._usual(inner) is MISSING


@pytest.mark.parametrize(("other", "default"), [("x", [{"name": "x"}, {"name": "y"}]), (ex.Identity("g"), None)])
def test_a_part_that_a_relationship_may_express_is_no_default(other: Value, default: Any) -> None:
    writing = Writing(a_group())
    condition = ex.Equals(ex.Input("map"), {"k": "w"})  # maps have no text that Cloudify can compare
    choice = ex.If(condition, ["a"], [other, "y"])
    declared = asked_for(writing, writing.put(choice, to="p", items="name_maps")["p"])
    assert declared.get("default") == default


def test_open_maps_have_further_keys() -> None:
    each = {"group": PropertyRule(to="g", type="string")}
    assert Writing().put({"group": 5, "other": 5}, to="p", each=each, open=True) == {"p": {"g": "5", "other": 5}}
    assert Writing().put(ex.Input("map"), to="p", each=each, open=True) == {"p": ex.Input("map", strict=True)}


def test_a_key_behind_a_relationship_is_written() -> None:
    each = {"group": PropertyRule(to="g", lift=lift()), "k": PropertyRule(to="key")}
    writing = Writing(a_group())
    assert writing.put({"group": ex.Identity("g"), "k": 1}, to="p", each=each) == {"p": {"key": 1}}


def test_an_open_map_that_is_all_relationships_is_not_written() -> None:
    each = {"group": PropertyRule(to="g", lift=lift())}
    writing = Writing(a_group())
    assert writing.put({"group": ex.Identity("g")}, to="p", each=each, open=True) == {}
    assert writing.relations == [(GROUP, "g")]
    assert Writing().put({}, to="p", each=each, open=True) == {"p": {}}
    assert Writing(a_group()).put({"group": ex.Identity("g")}, to="p", each=each) == {"p": {}}


def test_items_key_by_key() -> None:
    each = {
        "port": PropertyRule(to="number", type="integer"),
        "protocol": PropertyRule(to="proto", default="tcp"),
        "unwritten": PropertyRule(default=1),
    }
    writing = Writing()
    value = [{"port": "80"}, {"number": 1, "protocol": None}, {"protocol": "udp", "odd": 2}, "text"]
    assert writing.put(value, to="p", each=each, aliases={"number": "port"}) == {
        "p": [{"number": 80, "proto": "tcp"}, {"number": 1, "proto": "tcp"}, {"proto": "udp"}, "text"]
    }
    assert writing.found == [("BPC509", (0, "port")), ("BPC307", (1, "protocol")), ("BPC301", (2, "odd"))]
    assert writing.messages[2].startswith(f"{SERVER} has no property 'odd'")


def test_keys_that_are_no_texts_have_no_rule() -> None:
    writing = Writing()
    assert writing.put([{1: "a"}], to="p", each={"k": PropertyRule(to="k")}) == {"p": [{}]}
    assert writing.found == [("BPC301", (0, 1))]


def test_a_map_that_only_a_call_yields_is_asked_for() -> None:
    writing = Writing()
    [item] = writing.put([ex.Input("map")], to="p", each={"k": PropertyRule(to="key")})["p"]
    assert "map" not in str(item.name) or item.name != "map"
    assert writing.found == [("BPC201", (0,))]
    assert "its keys have other names in Cloudify" in writing.messages[0]


def test_a_key_with_a_hook_is_expressed_differently() -> None:
    writing = Writing()
    value = [{"remote_mode": "remote_group_id"}]
    assert writing.put(value, to="p", each={"remote_mode": PropertyRule(hook="remote_mode")}) == {
        "p": [{"remote_group_id": ex.Attribute("SELF", "id")}]
    }
    assert writing.found == [("BPC316", (0, "remote_mode"))]
    assert writing.messages == ["'remote_mode: remote_group_id' is expressed differently"]


def test_a_name_of_a_key_is_that_of_the_external_node_for_it() -> None:
    writing = Writing(a_group("external_web"))
    writing.context.topology.existing["server_group", repr("web"), repr(MISSING)] = "external_web"
    each = {"group": PropertyRule(to="g", lookup=True, lift=lift())}
    assert writing.put({"group": "web"}, to="p", each=each) == {"p": {}}
    assert writing.relations == [(GROUP, "external_web")]
    assert not writing.found


# -- choices ---------------------------------------------------------------------------------------------------


def test_a_choice_between_lists_is_shaped_branch_by_branch() -> None:
    writing = Writing()
    found = writing.put(ex.If(IS_PROD, ["a"], ["b"]), to="p", items="name_maps")["p"]
    assert asked_for(writing, found)["default"] == [[{"name": "a"}], [{"name": "b"}]]
    assert writing.found == [("BPC223", ())]
    assert writing.messages[0].startswith("'if' is written as ")


def test_a_choice_has_its_own_place() -> None:
    writing = Writing()
    choice = ex.If(IS_PROD, {"k": 1}, {"k": 2}, path=(*PLACE, 0))
    [item] = writing.put([choice], to="p", each={"k": PropertyRule(to="key")})["p"]
    assert asked_for(writing, item)["default"] == [{"key": 1}, {"key": 2}]
    assert writing.found == [("BPC223", (0,))]


def test_a_list_with_a_part_that_a_condition_removes_is_a_choice() -> None:
    writing = Writing()
    found = writing.put(["a", removed("b")], to="p", items="name_maps")["p"]
    assert asked_for(writing, found)["default"] == [[{"name": "a"}, {"name": "b"}], [{"name": "a"}]]


def test_in_a_branch_a_reference_is_no_relationship() -> None:
    each = {"group": PropertyRule(to="g", lift=lift())}
    writing = Writing(a_group())
    writing.put(ex.If(IS_PROD, {"group": ex.Identity("g")}, {}), to="p", each=each)
    assert not writing.relations
    writing.put({"group": ex.Identity("g")}, to="q", each=each)
    assert writing.relations == [(GROUP, "g")]


def test_a_choice_that_cloudify_cannot_decide_is_asked_for() -> None:
    writing = Writing(a_group())
    condition = ex.Equals(ex.Attribute("g", "name"), "x")
    found = writing.put(ex.If(condition, ["a"], ["b"]), to="p", items="name_maps")["p"]
    assert isinstance(found, ex.Input)
    assert dict(writing.found) == {"BPC201": ()}


def test_what_vanishes_is_no_choice() -> None:
    properties = Writing().properties
    assert properties.by_branch(removed(), PLACE, lambda value, _: value) is MISSING
    assert properties.by_branch("x", PLACE, lambda value, _: value) is MISSING
