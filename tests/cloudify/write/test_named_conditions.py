"""Conditions with names: one that several places ask for is a hidden input, which is looked up no deeper than it is."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from choices import computed, topology_of

from bpconvert.api import Result, convert
from bpconvert.diagnostics import Reporter
from bpconvert.translators.catalogue.types import builtin
from bpconvert.translators.hot.read.template import to_topology
from bpconvert.yamlio.document import load

HEAD = "heat_template_version: 2018-08-31\nresources: {n: {type: OS::Neutron::Net}}\n"


def equals(number: int, value: str = "a") -> str:
    return f"{{equals: [{{get_param: p{number}}}, {value}]}}"


def template(conditions: dict[str, str], outputs: dict[str, str], parameters: int) -> str:
    rows = [f"  p{number}: {{type: string, default: a}}" for number in range(parameters)]
    declared = [f"  {name}: {condition}" for name, condition in conditions.items()]
    shown = [f"  {name}: {{value: {value}}}" for name, value in outputs.items()]
    return HEAD + "\n".join(["parameters:", *rows, "conditions:", *declared, "outputs:", *shown]) + "\n"


def chosen(conditions: dict[str, str], outputs: dict[str, str], parameters: int) -> Result:
    """The blueprint of a template, which yields the same outputs whatever is given."""
    source = template(conditions, outputs, parameters)
    result = convert(source, carry=False, asked="inputs")
    hot, back = to_topology(load(source), builtin(), Reporter(load(source))), topology_of(result.document)
    for values in itertools.product("ab", repeat=parameters):
        given = {f"p{number}": value for number, value in enumerate(values)}
        for name in outputs:
            assert computed(back.outputs[name].value, back, given) == computed(hot.outputs[name].value, hot, given)
    return result


def hidden(result: Result) -> dict[str, Any]:
    """What is looked up: hidden input -> its default."""
    return {name: row["default"] for name, row in result.document["inputs"].items() if row.get("hidden")}


def is_a(number: int) -> dict[str, Any]:
    return {"string_find": ["|a|", {"concat": ["|", {"get_input": f"p{number}"}, "|"]}]}


def at(name: str, index: Any) -> dict[str, Any]:
    return {"get_input": [name, index]}


def chain(length: int) -> dict[str, str]:
    """Conditions of the one before and a parameter."""
    found = {"c0": equals(0)}
    for number in range(1, length):
        operator = "or" if number % 2 else "and"
        found[f"c{number}"] = f"{{{operator}: [{equals(number)}, c{number - 1}]}}"
    return found


BOTH = {"a": equals(0), "b": f"{{and: [a, {equals(1)}]}}"}


def test_a_condition_that_two_places_ask_for_is_decided_once() -> None:
    result = chosen(BOTH, {"x": "{if: [b, y, n]}", "z": "{if: [b, 1, 2]}"}, 2)
    assert hidden(result) == {
        "if_b": [True, False],
        "if_b_2": [at("if_b", is_a(1)), False],
        "b": at("if_b_2", is_a(0)),
        "if_x": ["n", "y"],
        "if_z": [2, 1],
    }
    assert result.document["outputs"]["x"]["value"] == at("if_x", {"get_input": "b"})
    assert result.document["inputs"]["b"]["description"] == "Whether the condition 'b' holds"


def test_a_condition_that_one_place_asks_for_is_written_there() -> None:
    result = chosen(BOTH, {"x": "{if: [b, y, n]}"}, 2)
    assert hidden(result) == {"if_x": ["y", "n"], "if_x_2": [at("if_x", is_a(1)), "n"]}
    assert result.document["outputs"]["x"]["value"] == at("if_x_2", is_a(0))


def test_a_condition_that_depends_on_one_comparison_is_that() -> None:
    result = chosen({"a": equals(0), "b": "{not: a}"}, {"x": "{if: [b, y, n]}", "z": "{if: [b, 1, 2]}"}, 1)
    assert hidden(result) == {"if_x": ["n", "y"], "if_z": [2, 1]}
    assert result.document["outputs"]["z"]["value"] == at("if_z", is_a(0))


@pytest.mark.parametrize(("condition", "wanted"), [("{or: [{not: a}, a]}", "y"), ("{and: [{not: a}, a]}", "n")])
def test_a_condition_that_depends_on_nothing_is_decided(condition: str, wanted: str) -> None:
    result = chosen({"a": equals(0), "b": condition}, {"x": "{if: [b, y, n]}", "z": "{if: [b, y, n]}"}, 1)
    assert hidden(result) == {}
    assert result.document["outputs"]["x"]["value"] == result.document["outputs"]["z"]["value"] == wanted


def test_long_values_are_written_once_where_a_condition_has_several_parts() -> None:
    """In quotes, 200 characters are no long value."""
    short, long = "y" * 198, "y" * 199
    assert hidden(chosen(BOTH, {"x": f"{{if: [b, {short}, n]}}"}, 2)) == {
        "if_x": [short, "n"],
        "if_x_2": [at("if_x", is_a(1)), "n"],
    }
    picked = {"if_x": [True, False], "if_x_2": [at("if_x", is_a(1)), False]}
    assert hidden(chosen(BOTH, {"x": f"{{if: [b, {long}, n]}}"}, 2)) == {**picked, "if_x_3": ["n", long]}
    assert hidden(chosen(BOTH, {"x": f"{{if: [b, n, {long}]}}"}, 2)) == {**picked, "if_x_3": [long, "n"]}
    assert hidden(chosen({"a": equals(0)}, {"x": f"{{if: [a, {long}, n]}}"}, 1)) == {"if_x": [long, "n"]}


def test_each_condition_of_a_chain_looks_up_the_one_before() -> None:
    result = chosen(chain(11), {f"o{number}": f"{{if: [c{number}, y, n]}}" for number in range(8, 11)}, 11)
    made = hidden(result)
    assert [name for name in made if not name.startswith("if_")] == ["c8", "c9"]
    assert made["if_c8"] == [True, False]
    assert made["if_c8_2"] == [True, at("if_c8", is_a(0))]
    assert made["if_c8_3"] == [at("if_c8_2", is_a(1)), False]
    assert made["c8"] == at("if_c8_9", is_a(8))
    assert made["if_c9"] == [False, True]
    assert made["if_c9_2"] == [True, at("if_c9", {"get_input": "c8"})]
    assert made["c9"] == at("if_c9_2", is_a(9))


def test_a_deep_chain_ends_in_the_condition_before_and_is_no_deeper() -> None:
    count = 14
    source = template(chain(count), {f"o{number}": f"{{if: [c{number}, y, n]}}" for number in range(count)}, count)
    result = convert(source, carry=False, asked="inputs")
    hot, back = to_topology(load(source), builtin(), Reporter(load(source))), topology_of(result.document)
    for numbers in [(), *itertools.combinations(range(count), 1), *itertools.combinations(range(count), 2)]:
        for usual, other in ("ab", "ba"):
            given = {f"p{number}": other if number in numbers else usual for number in range(count)}
            for name in hot.outputs:
                assert computed(back.outputs[name].value, back, given) == computed(hot.outputs[name].value, hot, given)
    made = hidden(result)
    assert len(made) <= 4 * count
    assert len(result.text) < 12 * len(source)


def test_conditions_that_ask_for_two_others_each_are_decided_once() -> None:
    conditions = {"a0": equals(0), "b0": equals(1)}
    for number in range(1, 5):
        conditions[f"a{number}"] = f"{{or: [{{and: [a{number - 1}, {equals(2 * number)}]}}, b{number - 1}]}}"
        conditions[f"b{number}"] = f"{{and: [{{or: [b{number - 1}, {equals(2 * number + 1)}]}}, a{number - 1}]}}"
    result = chosen(conditions, {"a": "{if: [a4, y, n]}", "b": "{if: [b4, y, n]}"}, 10)
    made = hidden(result)
    named = {name for name in made if not name.startswith("if_")}
    assert named == {f"{side}{number}" for side in "ab" for number in range(1, 4)}
    assert len(made) <= 8 * len(conditions)


@pytest.mark.parametrize(
    ("condition", "other"),
    [
        ("true", "y"),
        ("false", "n"),
        ("{not: known}", "n"),
        ("{or: [known, {equals: [{get_param: p0}, a]}]}", "y"),
        ("{and: [{not: known}, {equals: [{get_param: p0}, a]}]}", "n"),
        ("known", "y"),
    ],
)
def test_what_the_types_of_operands_tell_is_known(condition: str, other: str) -> None:
    """A text is never a number."""
    conditions = {"known": "{not: {equals: [{get_param: p0}, 1]}}", "c": condition}
    result = chosen(conditions, {"x": "{if: [c, y, n]}", "z": "{if: [c, y, n]}"}, 1)
    assert hidden(result) == {}
    assert result.document["outputs"]["x"]["value"] == other


def line(name: str, length: int, first: int = 0) -> dict[str, str]:
    """Conditions of the one before, which stands first, and a parameter."""
    found = {f"{name}0": equals(first)}
    for number in range(1, length):
        operator = "or" if number % 2 else "and"
        found[f"{name}{number}"] = f"{{{operator}: [{name}{number - 1}, {equals(first + number)}]}}"
    return found


def shown(conditions: dict[str, str], parameters: int) -> Result:
    """The blueprint of a template with two outputs for each condition."""
    outputs = {f"{name}{end}": f"{{if: [{name}, y, n]}}" for name in conditions for end in "xz"}
    source = template(conditions, outputs, parameters)
    result = convert(source, carry=False, asked="inputs")
    hot, back = to_topology(load(source), builtin(), Reporter(load(source))), topology_of(result.document)
    for numbers in itertools.chain.from_iterable(itertools.combinations(range(parameters), size) for size in (0, 1)):
        for usual, other in ("ab", "ba"):
            given = {f"p{number}": other if number in numbers else usual for number in range(parameters)}
            for name in (f"{name}x" for name in conditions):
                found = computed(back.outputs[name].value, back, given)
                unwritten = isinstance(found, str) and found.startswith("not converted: ")
                assert unwritten or found == computed(hot.outputs[name].value, hot, given)
    return result


def test_what_is_asked_last_makes_a_condition_no_deeper() -> None:
    """Eight conditions are looked up one inside of the other; all that follow end in the one before."""
    made = hidden(shown(line("c", 13), 13))
    assert made["if_c9"] == [at("if_c1", is_a(9)), True]
    assert made["c9"] == at("if_c9", {"get_input": "c8"})
    assert [made["if_c10"], made["c10"]] == [[{"get_input": "c9"}, False], at("if_c10", is_a(10))]
    assert [made["if_c11"], made["c11"]] == [[True, {"get_input": "c10"}], at("if_c11", is_a(11))]
    assert [made["if_c12"], made["c12"]] == [[{"get_input": "c11"}, False], at("if_c12", is_a(12))]


def test_one_of_two_deep_conditions_is_decided_by_its_parts() -> None:
    """Only one can be asked last: after the other one a decision follows."""
    made = hidden(shown({**line("c", 10), **line("d", 10, 10), "both": "{and: [c9, d9]}"}, 20))
    assert {name: value for name, value in made.items() if "both" in name} == {
        "if_both": [at("if_d9", {"get_input": "d8"}), False],
        "if_both_2": [at("if_both", is_a(9)), at("if_d9", {"get_input": "d8"})],
        "both": at("if_both_2", {"get_input": "c8"}),
    }


@pytest.mark.parametrize(("count", "is_written"), [(15, True), (16, False)])
def test_so_many_parts_of_a_deep_condition_are_written_in_its_place(count: int, is_written: bool) -> None:
    """With the condition before, there are sixteen of them, or one too many."""
    conditions = {**line("c", 9), **line("d", 10, 9)}
    conditions["c9"] = f"{{and: [c8, {', '.join(equals(19 + number) for number in range(count))}]}}"
    result = shown({**conditions, "both": "{and: [c9, d9]}"}, 19 + count)
    assert ("both" in hidden(result)) is is_written
    refused = [one.message for one in result.diagnostics if one.code == "BPC202"]
    assert len(refused) == (0 if is_written else 2)
    assert all("the condition is nested deeper than Cloudify evaluates" in message for message in refused)


@pytest.mark.parametrize(
    ("condition", "levels"),
    [("c0", 41), ("c1", 39), ("c2", 37), ("c5", 31), ("c10", 23), ("{and: [c10, c1]}", 23), ("{and: [c1, c10]}", 23)],
)
def test_each_condition_that_is_looked_up_takes_two_levels(condition: str, levels: int) -> None:
    """Cloudify evaluates so many levels of a value: what is deeper is not written."""
    conditions = line("c", 11)
    for depth, is_written in ((levels, True), (levels + 1, False)):
        outputs = {f"{name}{end}": f"{{if: [{name}, y, n]}}" for name in conditions for end in "xz"}
        outputs["deep"] = "[" * depth + f"{{if: [{condition}, y, n]}}" + "]" * depth
        result = convert(template(conditions, outputs, 11), carry=False, asked="inputs")
        value = result.document["outputs"]["deep"]["value"]
        for _ in range(depth):
            (value,) = value
        assert isinstance(value, dict) is is_written
        refused = [one.message for one in result.diagnostics if one.code == "BPC202"]
        assert len(refused) == (0 if is_written else 1)
        assert all("it is nested deeper than Cloudify evaluates" in message for message in refused)
