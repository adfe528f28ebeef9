"""The functions of the Cloudify DSL: recognition, reading, writing. Verdicts are those of cloudify-common 7.0.5."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml
from checkout import REALWORLD

from bpconvert.models.checks import Problem
from bpconvert.models.expressions import (
    MISSING,
    Attribute,
    AttributeDict,
    AttributeList,
    Capability,
    Concat,
    Consumers,
    Expr,
    Find,
    Foreign,
    Identity,
    Input,
    Join,
    Label,
    Lower,
    Merge,
    Property,
    Secret,
    Split,
    StringReplace,
    System,
    Upper,
)
from bpconvert.translators.cloudify import functions
from bpconvert.translators.cloudify.calls import collides
from bpconvert.translators.cloudify.functions import Inexpressible, needs, read_value, write_value

BLUEPRINTS = REALWORLD / "cfy"

A = Input("a", strict=True)


def read(raw: Any) -> Any:
    problems: list[Problem] = []
    value = read_value(raw, (), problems)
    assert problems == []
    return value


VALID: list[tuple[Any, Expr]] = [
    ({"get_input": "a"}, A),
    ({"get_input": ["a", "k", 0]}, Input("a", ("k", 0), strict=True)),
    ({"get_input": {"get_input": "a"}}, Input(A, strict=True)),
    ({"get_input": ["a", {"get_input": "a"}]}, Input("a", (A,), strict=True)),
    ({"get_property": ["n", "p"]}, Property("n", "p")),
    ({"get_property": ["SELF", "p", "k", 0]}, Property("SELF", "p", ("k", 0))),
    ({"get_property": [{"get_input": "a"}, {"get_input": "a"}]}, Property(A, A)),
    ({"get_attribute": ["n", "ip"]}, Attribute("n", "ip")),
    ({"get_attribute": ["SOURCE", "ips", -1]}, Attribute("SOURCE", "ips", (-1,))),
    ({"get_attributes_list": ["n", "ip", "k"]}, AttributeList("n", "ip", ("k",))),
    ({"get_attributes_dict": ["n", "ip", ["a", "b"]]}, AttributeDict("n", ("ip", ["a", "b"]))),
    ({"get_attributes_dict": ["n"]}, AttributeDict("n")),
    ({"get_secret": "s"}, Secret("s")),
    ({"get_secret": ["s", "k", 0]}, Secret("s", ("k", 0))),
    ({"get_secret": {"get_input": "a"}}, Secret(A)),
    ({"get_capability": ["d", "c"]}, Capability("c", "d")),
    ({"get_capability": [{"get_input": "a"}, "c", "k", 0]}, Capability("c", A, ("k", 0))),
    ({"get_group_capability": ["g", "c"]}, Capability("c", "g", scope="group")),
    ({"get_group_capability": ["g", ["c", "d"], "k"]}, Capability(["c", "d"], "g", ("k",), scope="group")),
    ({"get_environment_capability": "c"}, Capability("c", scope="environment")),
    ({"get_environment_capability": ["c", "k"]}, Capability("c", keys=("k",), scope="environment")),
    ({"get_label": "l"}, Label("l")),
    ({"get_label": ["l", 0]}, Label("l", 0)),
    ({"get_label": ["l", "1"]}, Label("l", "1")),
    ({"get_sys": ["tenant", "name"]}, System("tenant.name")),
    ({"get_sys": ["deployment", "id"]}, System("deployment.id")),
    ({"get_sys": ["deployment", "name"]}, System("deployment.name")),
    ({"get_sys": ["deployment", "blueprint"]}, System("deployment.blueprint")),
    ({"get_sys": ["deployment", "owner"]}, System("deployment.owner")),
    ({"get_sys": [{"get_input": "a"}, "id"]}, Foreign("cloudify", "get_sys", [A, "id"])),
    ({"get_sys": ["deployment", "id", "x"]}, Foreign("cloudify", "get_sys", ["deployment", "id", "x"])),
    ({"get_consumers": "ids"}, Consumers("ids")),
    ({"concat": []}, Concat(())),
    ({"concat": ["x", {"get_input": "a"}, 5, None]}, Concat(("x", A, 5, None))),
    ({"concat": [{"concat": ["x"]}]}, Concat((Concat(("x",)),))),
    ({"merge": [{"k": {"get_input": "a"}}, {"get_input": "a"}]}, Merge([{"k": A}, A], strict=True)),
    ({"string_find": ["text", "part"]}, Find("text", "part")),
    ({"string_replace": ["text", "a", "b"]}, StringReplace("text", "a", "b")),
    ({"string_replace": ["text", "a", "b", 1]}, StringReplace("text", "a", "b", 1)),
    ({"string_split": ["a,b", ","]}, Split(",", "a,b", strict=True)),
    ({"string_split": [{"get_input": "a"}, ",", 0]}, Split(",", A, 0, strict=True)),
    ({"string_lower": "A"}, Lower("A")),
    ({"string_upper": {"get_input": "a"}}, Upper(A)),
    ({"get_input": "a", "type": "integer"}, Foreign("cloudify", "type", [A, "integer"])),
    ({"type": "x", "concat": ["a"]}, Foreign("cloudify", "type", [Concat(("a",)), "x"])),
]


@pytest.mark.parametrize(("raw", "expr"), VALID)
def test_read_and_written_back(raw: Any, expr: Expr) -> None:
    assert read(raw) == expr
    assert write_value(expr) == raw
    nested = {"a": [raw, {"b": raw, "c": 1, "d": None}]}
    assert write_value(read(nested)) == nested


def test_a_list_with_the_name_alone_is_the_name() -> None:
    assert write_value(read({"get_input": ["a"]})) == {"get_input": "a"}


@pytest.mark.parametrize(
    "raw",
    [
        {},
        {"get_param": "a"},
        {"type": "string"},
        {"get_input": "a", "default": 1},
        {"concat": ["a"], "type": "x", "more": 1},
        {1: "a"},
        "get_input",
        ["get_input", "a"],
        None,
    ],
)
def test_data_stays_data(raw: Any) -> None:
    assert not collides(raw)
    value = read(raw)
    assert value == raw
    assert not isinstance(value, Expr)
    assert write_value(value) == raw


@pytest.mark.parametrize(
    "raw",
    [
        {"get_input": 5},
        {"get_input": []},
        {"get_input": None},
        {"get_input": ["a", None]},
        {"get_property": "n"},
        {"get_property": ["n"]},
        {"get_property": ["n", {"k": 1}]},
        {"get_attribute": ["n", ["a"]]},
        {"get_attributes_dict": ["n", 5]},
        {"get_attributes_dict": ["n", "a", ["a"]]},
        {"get_secret": ["s"]},
        {"get_secret": {"k": 1}},
        {"get_capability": "c"},
        {"get_capability": ["d"]},
        {"get_group_capability": ["g", "c", ["k"]]},
        {"get_environment_capability": ["c"]},
        {"get_environment_capability": {"get_input": "a"}},
        {"get_label": ["l"]},
        {"get_label": ["l", "x"]},
        {"get_label": 5},
        {"get_sys": ["deployment", "age"]},
        {"get_sys": "deployment"},
        {"get_consumers": "all"},
        {"concat": "text"},
        {"concat": {"get_input": "a"}},
        {"merge": {"a": 1}},
        {"merge": [{"a": 1}, None]},
        {"string_find": ["a"]},
        {"string_find": ["a", 5]},
        {"string_replace": ["a", "b"]},
        {"string_replace": ["a", "b", "c", "1"]},
        {"string_split": ["a", ",", "0"]},
        {"string_lower": ["a"]},
        {"string_upper": {"get_input": "a", "type": "string"}},
    ],
)
def test_refused_arguments(raw: dict[str, Any]) -> None:
    problems: list[Problem] = []
    value = read_value({"x": [raw]}, ("outputs",), problems)
    [(name, argument)] = raw.items()
    assert [(p.path, p.removed) for p in problems] == [(("outputs", "x", 0), False)]
    assert problems[0].text.startswith(f"'{name}' takes ")
    assert isinstance(value["x"][0], Foreign)
    assert write_value(value) == {"x": [raw]}
    assert collides(raw)
    assert argument == raw[name]


def test_of_two_functions_the_last_is_called() -> None:
    problems: list[Problem] = []
    value = read_value({"get_input": "a", "concat": ["b"]}, ("p",), problems)
    assert value == Concat(("b",))
    assert [(p.path, p.removed, p.value) for p in problems] == [(("p", "get_input"), True, "a")]


def test_paths_are_those_of_the_calls() -> None:
    value = read_value({"x": [{"concat": [{"get_input": "a"}]}]}, ("outputs",), [])
    concat = value["x"][0]
    assert concat.path == ("outputs", "x", 0)
    assert concat.items[0].path == ("outputs", "x", 0, "concat", 0)


def test_reading_makes_fresh_containers() -> None:
    raw = {"a": [1, {"b": 2}]}
    value = read(raw)
    assert value == raw
    assert value is not raw
    assert value["a"] is not raw["a"]


@pytest.mark.parametrize(
    "value",
    [
        Identity("n"),
        Join(",", (["a"],)),
        Attribute("n"),
        System("region"),
        System("project.id"),
        Capability("c"),
        Merge(A),
        Merge([A, None]),
        Foreign("hot", "get_file", "x"),
        {"get_input": "a"},
        {"merge": {"a": 1}},
        {"type": "string", "concat": "text"},
    ],
)
def test_unsayable(value: Any) -> None:
    with pytest.raises(Inexpressible) as caught:
        write_value({"x": [value], "y": 1})
    assert caught.value.value == value


@pytest.mark.parametrize(
    ("written", "version"),
    [
        ("text", "1_0"),
        ({"get_secret": "a"}, "1_0"),
        ({"string_find": ["a", "b"]}, "1_0"),
        ([{"concat": ["a"]}], "1_1"),
        ({"a": {"concat": [{"merge": []}]}}, "1_3"),
        ({"merge": 1, "x": 2}, "1_0"),
        ({"merge": [], "type": "x"}, "1_3"),
    ],
)
def test_needs(written: Any, version: str) -> None:
    assert needs(written) == version


def test_the_table_is_complete() -> None:
    names = {function.name for function in functions.FUNCTIONS.values()}
    assert names == set(functions.FUNCTIONS)
    assert len(names) == 19
    written = {next(iter(raw)) for raw, expr in VALID if not isinstance(expr, Foreign)}
    assert written == names
    hybrid = {f.name for f in functions.FUNCTIONS.values() if f.when == functions.HYBRID}
    assert hybrid == {"get_input", "get_property", "concat", "merge"} | {n for n in names if n.startswith("string_")}
    assert {f.name: f.since for f in functions.FUNCTIONS.values() if f.since != "1_0"} == {
        "concat": "1_1",
        "merge": "1_3",
    }
    for function in functions.FUNCTIONS.values():
        assert function.meaning
        assert function.shapes


def test_unwritten_arguments_are_left_out() -> None:
    assert Label("l").index is MISSING
    assert write_value(StringReplace("a", "b", "c")) == {"string_replace": ["a", "b", "c"]}


def blueprints() -> list[Any]:
    manifest = BLUEPRINTS / "manifest.json"
    if not manifest.exists():
        return [pytest.param(None, marks=pytest.mark.skip(reason=f"no real blueprints in {BLUEPRINTS}"))]
    files = json.loads(manifest.read_text())["files"]
    return [pytest.param(f["path"], id=f["path"]) for f in files if f["role"] == "primary"]


@pytest.mark.parametrize("name", blueprints())
def test_real_blueprints(name: str) -> None:
    data = yaml.safe_load((BLUEPRINTS / name).read_text(encoding="utf-8"))
    for section in ("inputs", "node_templates", "outputs", "capabilities", "labels", "groups"):
        raw = data.get(section)
        assert write_value(read(raw)) == raw
