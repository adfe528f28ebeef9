"""Where hidden inputs with branches are used: how large choices get, which tables stay, which nodes are there."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from choices import INPUTS, blueprint_of, folded, topology_of

from bpconvert.diagnostics import Reporter
from bpconvert.models import expressions as ex
from bpconvert.models.topology import ORDER, Node, Operation, Output, Relationship, Topology
from bpconvert.translators.cloudify.functions import read_value
from bpconvert.translators.cloudify.read.branches import LARGEST, fold_branches, open_maps
from bpconvert.translators.toscalike.node_templates import RawNode
from bpconvert.yamlio.document import load

FLAG, HA = ex.Input("flag", strict=True), ex.Input("ha", strict=True)
CHOICE = "{get_input: [%s, {get_input: flag}]}"


def read(text: str) -> Any:
    return read_value(yaml.safe_load(text), (), [])


def tables_left(topology: Topology) -> set[str]:
    """The inputs that are not those of every example."""
    return set(topology.inputs) - set(yaml.safe_load(INPUTS))


# -- size ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("more", "is_choice"), [(0, True), (1, False)])
def test_a_choice_with_too_many_expressions_stays_a_table(more: int, is_choice: bool) -> None:
    count = LARGEST - 2 + more  # the choice and its condition are expressions too
    many = "[" + ", ".join(["{get_attribute: [n, ip]}"] * count) + "]"
    after = folded(INPUTS + f"if_x: {{hidden: true, default: [small, {many}]}}", o=CHOICE % "if_x")
    expected = ex.If(FLAG, [ex.Attribute("n", "ip")] * count, "small")
    assert LARGEST == 1000
    assert after.outputs["o"].value == (expected if is_choice else ex.Input("if_x", (FLAG,), strict=True))
    assert tables_left(after) == (set() if is_choice else {"if_x"})


# -- tables that stay ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("inputs", "outputs", "left"),
    [
        # what a table that stays refers to stays too
        ("if_a: {hidden: true, default: [{k: x, l: {get_input: if_b}}, {k: y}]}\n"
         "if_b: {hidden: true, default: [y, z]}",
         {"o": "{get_input: [if_a, {get_input: flag}, k]}", "p": CHOICE % "if_b", "q": "{get_input: if_a}"},
         {"if_a", "if_b"}),
        # what one that goes refers to goes
        ("if_a: {hidden: true, default: [{k: x, l: {get_input: if_b}}, {k: y}]}\n"
         "if_b: {hidden: true, default: [y, z]}",
         {"o": "{get_input: [if_a, {get_input: flag}, k]}", "p": CHOICE % "if_b"}, set()),
        # another input refers to it
        ("if_b: {hidden: true, default: [y, z]}\ngiven: {default: {get_input: if_b}}",
         {"p": CHOICE % "if_b"}, {"if_b", "given"}),
        ("if_b: {hidden: true, default: [y, z]}\ngiven: {default: {get_input: env}}",
         {"p": CHOICE % "if_b"}, {"given"}),
        # a computed name may be any
        ("if_b: {hidden: true, default: [y, z]}\nif_c: {hidden: true, default: [1, 2]}",
         {"o": "{get_input: [{concat: [if_, {get_input: env}]}, {get_input: flag}]}", "p": CHOICE % "if_b"},
         {"if_b", "if_c"}),
    ],
)  # fmt: skip
def test_tables_that_something_needs_stay(inputs: str, outputs: dict[str, str], left: set[str]) -> None:
    after = folded(INPUTS + inputs, **outputs)
    assert tables_left(after) == left
    if "if_b" in outputs["p"]:
        assert after.outputs["p"].value == ex.If(FLAG, "z", "y")


def test_a_choice_in_a_table_by_a_computed_name_stays() -> None:
    index = "{get_input: [{concat: [if_, {get_input: env}]}, {get_input: flag}]}"
    after = folded(INPUTS + "if_b: {hidden: true, default: [y, z]}", o=index)
    assert after.outputs["o"].value == read(index)


def test_tables_of_which_choices_were_made_before_go() -> None:
    topology = topology_of({"inputs": yaml.safe_load(INPUTS + "if_a: {hidden: true, default: [1, 2]}")})
    fold_branches(topology, used=["if_a"])
    assert tables_left(topology) == set()


def test_a_value_that_is_nested_too_deeply_stays() -> None:
    value: Any = ex.Input("if_a", (FLAG,), strict=True)
    for _ in range(3000):
        value = [value]
    topology = topology_of({"inputs": yaml.safe_load(INPUTS + "if_a: {hidden: true, default: [1, 2]}")})
    topology.nodes["n"] = Node("n", "t", properties={"deep": value})
    fold_branches(topology)
    assert topology.nodes["n"].properties["deep"] is value
    assert tables_left(topology) == {"if_a"}


# -- maps of nodes ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("types", "name", "is_opened"),
    [
        ([], "resource_config", True),
        (["mine", "cloudify.nodes.Root"], "resource_config", True),
        ([], "heat_properties", False),
        (["bpconvert.nodes.HeatResource"], "heat_properties", True),
        (["mine", "bpconvert.nodes.HeatResource"], "heat_properties", True),
        (["bpconvert.nodes.HeatResource"], "resource_config", False),
    ],
)
def test_the_settings_of_a_node_that_are_chosen_as_a_whole(types: list[str], name: str, is_opened: bool) -> None:
    table = "if_x: {hidden: true, default: [{a: 1}, {a: 2, b: 3}]}"
    topology = topology_of({"inputs": yaml.safe_load(INPUTS + table)})
    value = read(CHOICE % "if_x")
    whole = {name: value, "other": value}
    node = RawNode("n", types[0] if types else "t", types, properties={name: value}, declared=whole)
    used = open_maps(topology, [node], Reporter(load("a: 1\n")))
    entries = {"a": ex.If(FLAG, 2, 1), "b": ex.If(FLAG, 3)}
    assert node.properties == {name: entries if is_opened else value}
    assert node.declared == {name: entries if is_opened else value, "other": value}
    assert used == ({"if_x"} if is_opened else set())


def test_the_type_alone_says_what_is_shown() -> None:
    topology = topology_of({"inputs": yaml.safe_load(INPUTS + "if_x: {hidden: true, default: [{a: 1}, {a: 2}]}")})
    node = RawNode("n", "bpconvert.nodes.HeatResource", properties={"heat_properties": read(CHOICE % "if_x")})
    open_maps(topology, [node], Reporter(load("a: 1\n")))
    assert node.properties == {"heat_properties": {"a": ex.If(FLAG, 2, 1)}}


# -- nodes without instances --------------------------------------------------------------------------------

OF_N = ex.Attribute("n", "ip")


def without_instances(topology: Topology) -> list[Any]:
    """The topology with a node ``n`` that has no instances, and what is told about it."""
    topology.nodes["n"] = Node("n", "t", instances=0, origins={("instances",): ("here",)}, path=("nodes", "n"))
    topology.nodes.setdefault("m", Node("m", "t"))
    reporter = Reporter(load("a: 1\n"))
    fold_branches(topology, reporter)
    return [(one.code, one.path) for one in reporter.diagnostics]


def test_a_node_without_instances_is_not_there() -> None:
    topology = Topology("cloudify", "cloudify_dsl_1_3")
    assert without_instances(topology) == [("BPC423", ("here",))]
    assert (topology.nodes["n"].condition, topology.nodes["n"].instances) == (False, ex.MISSING)
    assert (topology.nodes["m"].condition, topology.nodes["m"].instances) == (ex.MISSING, ex.MISSING)


def test_the_place_of_a_node_without_instances_is_its_own_where_none_is_known() -> None:
    topology = Topology("cloudify", "cloudify_dsl_1_3")
    topology.nodes["n"] = Node("n", "t", instances=0, path=("nodes", "n"))
    reporter = Reporter(load("a: 1\n"))
    fold_branches(topology, reporter)
    assert [(one.code, one.path) for one in reporter.diagnostics] == [("BPC423", ("nodes", "n"))]


@pytest.mark.parametrize(
    "user",
    [
        Node("m", "t", properties={"a": [OF_N]}),
        Node("m", "t", properties={"a": ex.Identity("n")}),
        Node("m", "t", properties={"a": ex.AttributeList("n", "ip")}),
        Node("m", "t", relationships=[Relationship("m", "n", ORDER)]),
        Node("m", "t", operations=[Operation("i", "create", "a.sh", {"ip": OF_N})]),
        Output("o", OF_N),
        ex.Concat(("a", OF_N)),
    ],
    ids=["property", "identity", "list", "order", "operation", "output", "input"],
)
def test_a_node_without_instances_that_something_refers_to_is_there(user: Any) -> None:
    topology = topology_of({"inputs": {"given": {"default": 1}}})
    if isinstance(user, Node):
        topology.nodes["m"] = user
    elif isinstance(user, Output):
        topology.outputs["o"] = user
    else:
        topology.inputs["given"].default = user
    assert without_instances(topology) == []
    assert (topology.nodes["n"].condition, topology.nodes["n"].instances) == (ex.MISSING, 0)


def test_a_node_without_instances_that_a_node_with_several_refers_to_is_there() -> None:
    topology = Topology("cloudify", "cloudify_dsl_1_3")
    topology.nodes["m"] = Node("m", "t", instances=2, properties={"a": OF_N})
    assert without_instances(topology) == []
    assert (topology.nodes["n"].condition, topology.nodes["n"].instances) == (ex.MISSING, 0)


def test_what_connects_two_nodes_is_no_use_of_them() -> None:
    topology = Topology("cloudify", "cloudify_dsl_1_3")
    topology.nodes["m"] = Node("m", "", kind="router_interface", properties={"subnet": ex.Identity("n")})
    assert without_instances(topology) == [("BPC423", ("here",))]
    assert topology.nodes["m"].condition is False


@pytest.mark.parametrize(
    ("limits", "before", "condition", "left"),
    [
        ((ex.MISSING, ex.MISSING), ex.MISSING, FLAG, ex.MISSING),
        ((ex.MISSING, ex.MISSING), HA, ex.Condition("ha_and_flag"), ex.MISSING),
        ((0, 3), ex.MISSING, ex.MISSING, ex.If(FLAG, 1, 0)),
        ((0, 3), HA, HA, ex.If(FLAG, 1, 0)),
        ((0, ex.MISSING), ex.MISSING, FLAG, ex.MISSING),
    ],
)
def test_the_number_of_a_node_beside_limits_and_a_condition(
    limits: tuple[Any, Any], before: Any, condition: Any, left: Any
) -> None:
    topology = topology_of({"inputs": yaml.safe_load(INPUTS + "if_x: {hidden: true, default: [0, 1]}")})
    number = read(CHOICE % "if_x")
    topology.nodes["n"] = Node("n", "t", instances=number, limits=limits, condition=before)
    fold_branches(topology)
    assert (topology.nodes["n"].condition, topology.nodes["n"].instances) == (condition, left)
    named = {"ha_and_flag": ex.And((HA, FLAG))}
    assert topology.conditions == (named if condition == ex.Condition("ha_and_flag") else {})


@pytest.mark.parametrize(
    ("table", "value"),
    [
        ("[0, 1]", ex.MISSING),
        ("[false, 1]", ex.If(FLAG, 1, False)),
        ("[2, 3]", ex.If(FLAG, 3, 2)),
    ],
)
def test_only_the_number_zero_is_none(table: str, value: Any) -> None:
    topology = topology_of({"inputs": yaml.safe_load(INPUTS + f"if_x: {{hidden: true, default: {table}}}")})
    topology.nodes["n"] = Node("n", "t", instances=read(CHOICE % "if_x"))
    fold_branches(topology)
    assert repr(topology.nodes["n"].instances) == repr(value)
    assert topology.nodes["n"].condition == (FLAG if value is ex.MISSING else ex.MISSING)


@pytest.mark.parametrize(
    ("table", "is_condition"), [("{default: [0, 1]}", True), ("{default: [1, 2]}", False), ("{}", False)]
)
def test_a_visible_table_of_numbers_is_a_condition_when_it_may_leave_the_node_out(
    table: str, is_condition: bool
) -> None:
    topology = topology_of({"inputs": yaml.safe_load(INPUTS + f"number: {table}")})
    number = read(CHOICE % "number")
    topology.nodes["n"] = Node("n", "t", instances=number)
    reporter = Reporter(load("a: 1\n"))
    fold_branches(topology, reporter)
    assert topology.nodes["n"].condition == (FLAG if is_condition else ex.MISSING)
    assert topology.nodes["n"].instances == (ex.MISSING if is_condition else number)
    assert [one.code for one in reporter.diagnostics] == ["BPC422"] * is_condition


# -- outputs, and names -------------------------------------------------------------------------------------


def test_a_null_branch_adds_to_the_outputs_condition() -> None:
    topology = topology_of(
        blueprint_of(INPUTS + "if_x: {hidden: true, default: [null, here]}", o=CHOICE % "if_x", p=CHOICE % "if_x")
    )
    topology.outputs["o"].condition = HA
    topology.capabilities["c"] = Output("c", read(CHOICE % "if_x"))
    fold_branches(topology)
    assert topology.conditions == {"ha_and_flag": ex.And((HA, FLAG))}
    assert topology.outputs["o"].condition == ex.Condition("ha_and_flag")
    assert topology.outputs["p"].condition == topology.capabilities["c"].condition == FLAG
    assert {one.value for one in topology.published} == {"here"}


def test_conditions_of_nodes_outputs_and_choices_get_one_name() -> None:
    find = "{get_input: [if_x, {string_find: ['|prod|', {concat: ['|', {get_input: env}, '|']}]}]}"
    is_prod = ex.Equals(ex.Input("env", strict=True), "prod")
    tables = INPUTS + "if_x: {hidden: true, default: [a, b]}"
    topology = topology_of(blueprint_of(tables, o=find))
    fold_branches(topology)
    assert topology.outputs["o"].value == ex.If(is_prod, "a", "b")
    assert topology.conditions == {}
    node = {"type": "t", "properties": {"a": yaml.safe_load(find)}}
    topology = topology_of({"inputs": yaml.safe_load(tables), "node_templates": {"n": node}})
    fold_branches(topology)
    assert topology.nodes["n"].properties == topology.nodes["n"].declared == {"a": ex.If(is_prod, "a", "b")}
    assert topology.conditions == {}
    topology = topology_of(blueprint_of(tables, o=find))
    topology.nodes["n"] = Node("n", "t", condition=is_prod)
    topology.outputs["q"] = Output("q", 1, condition=is_prod)
    fold_branches(topology)
    assert topology.conditions == {"env_is_prod": is_prod}
    assert topology.outputs["o"].value == ex.If(ex.Condition("env_is_prod"), "a", "b")
    assert topology.nodes["n"].condition == topology.outputs["q"].condition == ex.Condition("env_is_prod")


# -- hidden inputs that are conditions ----------------------------------------------------------------------

IS_PROD = ex.Equals(ex.Input("env", strict=True), "prod")
FIND_PROD = "{string_find: ['|prod|', {concat: ['|', {get_input: env}, '|']}]}"
CONDITION = f"""\
{INPUTS}
if_true: {{hidden: true, default: [false, true]}}
if_not: {{hidden: true, default: [true, false]}}
prod: {{hidden: true, default: {{get_input: [if_not, {FIND_PROD}]}}}}
"""


def test_a_condition_that_only_another_one_names_stays() -> None:
    """What asks for the other one asks for it."""
    deep = "deep: {hidden: true, default: {get_input: [if_not, {get_input: prod}]}}\n"
    topology = folded(CONDITION + deep, o="{get_input: deep}")
    assert topology.outputs["o"].value == ex.If(ex.Condition("deep"), True, False)
    assert topology.conditions == {"prod": IS_PROD, "deep": ex.Not(ex.Condition("prod"))}
    assert {"prod", "deep", "if_not"}.isdisjoint(topology.inputs)


def test_conditions_of_someone_else_stay() -> None:
    """Also those that nothing asks for."""
    topology = topology_of(blueprint_of(CONDITION, o="{get_input: prod}"))
    topology.conditions["mine"] = FLAG
    fold_branches(topology)
    assert topology.conditions == {"mine": FLAG, "prod": IS_PROD}


@pytest.mark.parametrize(
    "more",
    [
        "{default: {get_input: [if_true, {get_input: flag}]}}",
        "{hidden: true, type: boolean, default: true}",
        "{hidden: true, default: {get_input: [if_true, {get_input: flag}]}, constraints: [{valid_values: [true]}]}",
        "{hidden: true, default: {get_input: env}}",
    ],
)
def test_an_input_that_someone_gives_or_that_is_no_condition_stays(more: str) -> None:
    topology = folded(f"{CONDITION}given: {more}\n", o="{get_input: given}")
    assert topology.outputs["o"].value == ex.Input("given", strict=True)
    assert "given" in topology.inputs
    assert "given" not in topology.conditions
