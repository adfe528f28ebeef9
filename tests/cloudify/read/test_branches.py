"""Choices among the items of a hidden input become ``if`` and conditions that mean the same for every value."""

from __future__ import annotations

import copy
from typing import Any

import pytest
import yaml
from choices import (
    INPUTS,
    VALUES,
    assignments,
    blueprint_of,
    computed,
    folded,
    topology_of,
)

from bpconvert.diagnostics import Reporter
from bpconvert.models import expressions as ex
from bpconvert.models.topology import Node
from bpconvert.translators.cloudify.functions import read_value
from bpconvert.translators.cloudify.read.branches import fold_branches
from bpconvert.yamlio.document import load

# -- one choice --------------------------------------------------------------------------------------------------

FIND = "{string_find: ['|%s|', {concat: ['|', {get_input: %s}, '|']}]}"


@pytest.mark.parametrize(
    ("index", "expected"),
    [
        (FIND % ("prod", "env"), ex.Equals(ex.Input("env", strict=True), "prod")),
        (FIND % ("", "env"), ex.Equals(ex.Input("env", strict=True), "")),
        (FIND % ("5", "env"), ex.Equals(ex.Input("env", strict=True), "5")),
        (FIND % ("True", "env"), ex.Equals(ex.Input("env", strict=True), "True")),
        (FIND % ("True", "flag"), ex.Input("flag", strict=True)),
        (FIND % ("2.5", "ratio"), ex.Equals(ex.Input("ratio", strict=True), 2.5)),
        (FIND % ("2", "size"), ex.Equals(ex.Input("size", strict=True), 2)),
        ("{string_find: ['#a|b#', {concat: ['#', {get_input: env}, '#']}]}",
         ex.Equals(ex.Input("env", strict=True), "a|b")),
        ("{string_find: ['|web-prod|', {concat: ['|web-', {get_input: env}, '|']}]}",
         ex.Equals(ex.Input("env", strict=True), "prod")),
        ("{string_find: ['|prod-1|', {concat: ['|', {get_input: env}, '-', '1|']}]}",
         ex.Equals(ex.Input("env", strict=True), "prod")),
        ("{string_find: ['|a|', {concat: ['|', {get_input: [names, 0]}, '|']}]}",
         ex.Equals(ex.Input("names", (0,), strict=True), "a")),
        # every value can be tried
        ("{string_find: [{get_input: stage}, prod]}", ex.Equals(ex.Input("stage", strict=True), "prod")),
        ("{string_find: [{concat: ['|', {get_input: stage}, '|']}, '|dev|']}",
         ex.Equals(ex.Input("stage", strict=True), "dev")),
        ("{string_find: [{string_upper: {get_input: stage}}, DEV]}",
         ex.Equals(ex.Input("stage", strict=True), "dev")),
        ("{string_find: [{concat: ['|', {get_input: flag}, '|']}, {concat: ['|', {get_input: ha}, '|']}]}",
         ex.Equals(ex.Input("flag", strict=True), ex.Input("ha", strict=True))),
    ],
)  # fmt: skip
def test_an_index_is_a_condition(index: str, expected: Any) -> None:
    inputs = INPUTS + "if_x: {hidden: true, default: [big, small]}"
    before = topology_of(blueprint_of(inputs, o="{get_input: [if_x, " + index + "]}"))
    after = copy.deepcopy(before)
    fold_branches(after, integers=["size"])
    assert after.outputs["o"].value == ex.If(expected, "big", "small")
    assert repr(after.outputs["o"].value) == repr(ex.If(expected, "big", "small"))  # 1 is not true
    assert "if_x" not in after.inputs
    used = [name for name in VALUES if f"'{name}'" in repr(expected)]
    for values in assignments(used):
        old, new = (computed(t.outputs["o"].value, t, values) for t in (before, after))
        assert old == new, values


def test_a_boolean_picks_the_second_of_two() -> None:
    after = folded(INPUTS + "if_x: {hidden: true, default: [small, big]}", o="{get_input: [if_x, {get_input: flag}]}")
    assert after.outputs["o"].value == ex.If(ex.Input("flag", strict=True), "big", "small")


@pytest.mark.parametrize(
    "index",
    [
        # 'prod|x' is found too
        "{string_find: [{concat: ['|', {get_input: env}, '|']}, '|prod|']}",
        "{string_find: [{get_input: env}, prod]}",
        "{string_find: [prod, {get_input: env}]}",
        "{string_find: ['|a|b|', {concat: ['|', {get_input: env}, '|']}]}",
        "{string_find: ['prod|', {concat: [{get_input: env}, '|']}]}",
        "{string_find: ['|prod', {concat: ['|', {get_input: env}]}]}",
        "{string_find: ['|||', {concat: ['|', {get_input: env}, '|']}]}",
        "{string_find: ['|x|x', {concat: ['|', {get_input: env}, 'x']}]}",
        "{string_find: ['|web|', {concat: ['|', {get_input: env}, '-|']}]}",
        # two texts: one may have the separator in it
        "{string_find: [{concat: ['|', {get_input: env}, '|']}, {concat: ['|', {get_input: other}, '|']}]}",
        # 2 and 2.0 are equal, their texts are not
        FIND % ("2", "ratio"),
        FIND % ("2.0", "ratio"),
        FIND % ("nan", "ratio"),
        # the kind is not known, or never that of the literal
        FIND % ("true", "flag"),
        FIND % ("x", "ratio"),
        FIND % ("1", "if_x"),
        FIND % ("1", "nowhere"),
        FIND % ("1", "anything"),
        FIND % ("None", "env"),
        FIND % ("prod", "optional"),
        "{string_find: ['|a|', {concat: ['|', {get_input: [map, a]}, '|']}]}",
        "{string_find: ['|a|', {concat: ['|', {get_attribute: [n, a]}, '|']}]}",
        "{string_find: ['|ab|', {concat: ['|', {get_input: env}, {get_input: other}, '|']}]}",
        "{string_find: [{get_input: stage}, v]}",  # index 2 for dev
        "{get_input: size}",
        "{get_input: maybe}",
        "{get_input: anything}",
        "0",
        "x",
        "null",
    ],
)
def test_what_is_not_exact_stays(index: str) -> None:
    inputs = (
        INPUTS
        + """
if_x: {hidden: true, default: [big, small, other]}
anything: {}
map: {type: dict, default: {a: 1}}
optional: {type: string, required: false}
maybe: {type: boolean, required: false}
"""
    )
    written = "{get_input: [if_x, " + index + "]}"
    before = topology_of(blueprint_of(inputs, o=written))
    after = folded(inputs, o=written)
    assert after.outputs["o"].value == before.outputs["o"].value
    assert "if_x" in after.inputs
    assert not after.conditions


@pytest.mark.parametrize(
    ("table", "value"),
    [
        ("{hidden: true, default: [only]}", "{get_input: [if_x, {get_input: flag}]}"),
        ("{hidden: true, default: {a: b}}", "{get_input: [if_x, {get_input: flag}]}"),
        ("{hidden: true}", "{get_input: [if_x, {get_input: flag}]}"),
        ("{default: [a, b]}", "{get_input: [if_x, {get_input: flag}]}"),  # users may give it
        ("{default: [a, {get_input: env}]}", "{get_input: [if_x, {get_input: flag}]}"),
        ("{hidden: true, default: [a, b]}", "{get_input: [if_x, {get_input: flag}, k]}"),
        ("{hidden: true, default: [a, b]}", "{get_input: if_x}"),
    ],
)
def test_what_is_no_table_of_branches_stays(table: str, value: str) -> None:
    before = topology_of(blueprint_of(INPUTS + "if_x: " + table, o=value))
    after = folded(INPUTS + "if_x: " + table, o=value)
    assert after.outputs["o"].value == before.outputs["o"].value
    assert "if_x" in after.inputs


def test_tables_in_a_circle_mean_what_they_meant() -> None:
    inputs = (
        INPUTS
        + """
if_a: {hidden: true, default: [a, {get_input: [if_b, {get_input: ha}]}]}
if_b: {hidden: true, default: [b, {get_input: [if_a, {get_input: flag}]}]}
"""
    )
    before = topology_of(blueprint_of(inputs, o="{get_input: [if_a, {get_input: flag}]}"))
    after = folded(inputs, o="{get_input: [if_a, {get_input: flag}]}")
    for values in assignments(["flag", "ha"]):
        old, new = (computed(t.outputs["o"].value, t, values) for t in (before, after))
        assert old == new == ("refused" if values["flag"] and values["ha"] else "b" if values["flag"] else "a")


def test_a_path_goes_on_into_the_branches() -> None:
    table = "if_x: {hidden: true, default: [{name: a, l: [1]}, {name: b, l: [2]}]}"
    after = folded(INPUTS + table, o="{get_input: [if_x, {get_input: flag}, l, 0]}")
    assert after.outputs["o"].value == ex.If(ex.Input("flag", strict=True), 2, 1)


def test_a_table_goes_only_when_nothing_needs_it() -> None:
    inputs = (
        INPUTS
        + """
if_a: {hidden: true, default: [x, {get_input: [if_b, {get_input: ha}]}]}
if_b: {hidden: true, default: [y, z]}
if_c: {hidden: true, default: [y, z]}
never: {hidden: true, default: [y, z]}
"""
    )
    choice = "{get_input: [if_a, {get_input: flag}]}"
    after = folded(inputs, o=choice, p="[{get_input: [if_c, {get_input: flag}]}, {get_input: if_c}]")
    assert set(after.inputs) - set(yaml.safe_load(INPUTS)) == {"if_c", "never"}
    assert after.outputs["p"].value[0] == ex.If(ex.Input("flag", strict=True), "z", "y")
    after = folded(inputs, o=choice, p="{get_input: {concat: [if_, {get_input: env}]}}")
    assert {"if_a", "if_b", "if_c", "never"} <= set(after.inputs)


def test_a_choice_stands_anywhere() -> None:
    choice = {"get_input": ["if_x", {"get_input": "flag"}]}
    inputs = yaml.safe_load(INPUTS + "if_x: {hidden: true, default: [1, 2]}")
    nodes = {"n": {"type": "t", "properties": {"a": [{"concat": ["p", choice]}]}}}
    topology = topology_of({"inputs": inputs, "node_templates": nodes})
    fold_branches(topology)
    expected = {"a": [ex.Concat(("p", ex.If(ex.Input("flag", strict=True), 2, 1)))]}
    assert topology.nodes["n"].properties == topology.nodes["n"].declared == expected
    assert "if_x" not in topology.inputs


# -- with a reporter: what is nearly the same ----------------------------------------------------------------------


PAIR = "{string_find: [{concat: ['|', {get_input: %s}, '|']}, {concat: ['|', {get_input: %s}, '|']}]}"


@pytest.mark.parametrize(
    ("table", "index", "sides", "codes"),
    [
        ("if_x", FIND % ("2", "ratio"), (ex.Input("ratio", strict=True), 2), ["BPC420"]),
        ("if_x", FIND % ("2", "size"), (ex.Input("size", strict=True), 2), []),
        ("if_x", PAIR % ("env", "other"), (ex.Input("env", strict=True), ex.Input("other", strict=True)), ["BPC421"]),
        ("if_x", PAIR % ("size", "ratio"), (ex.Input("size", strict=True), ex.Input("ratio", strict=True)), ["BPC420"]),
        ("if_x", FIND % ("None", "env"), (ex.Input("env", strict=True), "None"), ["BPC265"]),
        ("shown", FIND % ("prod", "env"), (ex.Input("env", strict=True), "prod"), ["BPC422"]),
    ],
)
def test_what_means_nearly_the_same_is_told(table: str, index: str, sides: tuple[Any, Any], codes: list[str]) -> None:
    inputs = INPUTS + "if_x: {hidden: true, default: [a, b]}\nshown: {default: [{get_input: env}, b]}"
    topology = topology_of(blueprint_of(inputs, o="{get_input: [" + table + ", " + index + "]}"))
    reporter = Reporter(load("a: 1\n"))
    fold_branches(topology, reporter, integers=["size"])
    assert isinstance(topology.outputs["o"].value, ex.If)
    assert topology.outputs["o"].value.condition == ex.Equals(*sides)
    assert [d.code for d in reporter.diagnostics] == codes


# -- instances and outputs -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("instances", "condition", "left"),
    [
        ("{get_input: [if_created, {get_input: flag}]}", ex.Not(ex.Input("flag", strict=True)), ex.MISSING),
        ("{get_input: [if_not, {get_input: flag}]}", ex.Input("flag", strict=True), ex.MISSING),
        ("{get_input: [three, {get_input: flag}]}", ex.Input("flag", strict=True), 3),
        ("0", False, ex.MISSING),
        ("1", ex.MISSING, ex.MISSING),
        ("2", ex.MISSING, 2),
        ("{get_input: size}", ex.MISSING, ex.Input("size", strict=True)),
    ],
)
def test_instances_are_a_condition(instances: str, condition: Any, left: Any) -> None:
    inputs = (
        INPUTS
        + """
if_created: {hidden: true, default: [1, 0]}
if_not: {hidden: true, default: [0, 1]}
three: {hidden: true, default: [0, 3]}
"""
    )
    topology = topology_of({"inputs": yaml.safe_load(inputs)})
    topology.nodes["n"] = Node("n", "t", instances=read_value(yaml.safe_load(instances), (), []))
    fold_branches(topology)
    assert (topology.nodes["n"].condition, topology.nodes["n"].instances) == (condition, left)


def test_a_visible_count_is_told() -> None:
    topology = topology_of({"inputs": yaml.safe_load(INPUTS + "created: {default: [0, 1]}")})
    instances = read_value({"get_input": ["created", {"get_input": "flag"}]}, (), [])
    topology.nodes["n"] = Node("n", "t", instances=instances)
    reporter = Reporter(load("a: 1\n"))
    fold_branches(topology, reporter)
    assert topology.nodes["n"].condition == ex.Input("flag", strict=True)
    assert [(d.code, d.path) for d in reporter.diagnostics] == [("BPC422", ("inputs", "created"))]


def test_a_null_branch_is_the_outputs_condition() -> None:
    inputs = (
        INPUTS
        + """
if_a: {hidden: true, default: [null, here]}
if_b: {hidden: true, default: [here, null]}
if_c: {hidden: true, default: [null, {get_input: [if_a, {get_input: ha}]}]}
"""
    )
    after = folded(
        inputs,
        a="{get_input: [if_a, {get_input: flag}]}",
        b="{get_input: [if_b, {get_input: flag}]}",
        c="{get_input: [if_c, {get_input: flag}]}",
        inner="[{get_input: [if_a, {get_input: flag}]}]",
    )
    flag, ha = ex.Input("flag", strict=True), ex.Input("ha", strict=True)
    found = {name: (output.condition, output.value) for name, output in after.outputs.items()}
    assert found == {
        "a": (flag, "here"),
        "b": (ex.Not(flag), "here"),
        "c": (ex.Condition("flag_and_ha"), "here"),
        "inner": (ex.MISSING, [ex.If(flag, "here", None)]),
    }
    assert after.conditions == {"flag_and_ha": ex.And((flag, ha))}


# -- names ---------------------------------------------------------------------------------------------------------


def test_conditions_get_names_that_say_what_they_compare() -> None:
    inputs = (
        INPUTS
        + """
if_x: {hidden: true, default: [a, b]}
if_y: {hidden: true, default: [b, a]}
if_created: {hidden: true, default: [1, 0]}
env_is_dev: {type: string}
"""
    )
    prod, dev, empty = (FIND % (text, "env") for text in ("prod", "dev", ""))
    topology = topology_of(
        blueprint_of(
            inputs,
            once="{get_input: [if_x, " + empty + "]}",
            twice="[{get_input: [if_x, " + prod + "]}, {get_input: [if_y, " + prod + "]}]",
            taken="[{get_input: [if_x, " + dev + "]}, {get_input: [if_y, " + dev + "]}]",
        )
    )
    for name in ("n", "m"):
        instances = read_value({"get_input": ["if_created", {"get_input": "ha"}]}, (), [])
        topology.nodes[name] = Node(name, "t", instances=instances)
    fold_branches(topology)
    env = ex.Input("env", strict=True)
    assert topology.conditions == {
        "env_is_prod": ex.Equals(env, "prod"),
        "env_is_dev_2": ex.Equals(env, "dev"),
        "not_ha": ex.Not(ex.Input("ha", strict=True)),
    }
    assert topology.outputs["once"].value.condition == ex.Equals(env, "")
    assert topology.nodes["n"].condition == ex.Condition("not_ha")
