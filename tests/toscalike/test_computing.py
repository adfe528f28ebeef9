"""Calls that nodes compute, and how they come back in place of these, in a size that grows with their number."""

from __future__ import annotations

from typing import Any

import pytest
from pass_requests import request

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Expr, Path, Value
from bpconvert.models.topology import Input, Node, Topology
from bpconvert.translators.toscalike.computing import Computing, input_name, opened


def result(node: str) -> ex.Attribute:
    return ex.Attribute(node, "result")


def parameter(name: str) -> Expr:
    return ex.Equals(ex.Input(name), "on")


def deciding(condition: Value) -> ex.If:
    return ex.If(condition, True, False)


def test_a_node_among_the_values_of_another_is_written_in_its_place() -> None:
    found: dict[str, Value] = {
        "outer": ex.Digest("md5", result("inner")),
        "inner": ex.Split(",", ex.Input("list")),
    }
    conditions: dict[str, Value] = {}
    value = opened(found, conditions)[0]({"a": [result("outer")], "b": ex.Attribute("other", "result")})
    assert value == {"a": [ex.Digest("md5", ex.Split(",", ex.Input("list")))], "b": ex.Attribute("other", "result")}
    assert conditions == {}


def test_what_decides_for_other_nodes_is_a_named_condition() -> None:
    """Also in a value; a name that is taken gets a number."""
    found: dict[str, Value] = {
        "both": deciding(ex.And((result("first"), parameter("b")))),
        "first": deciding(parameter("a")),
        "text": ex.If(ex.Not(result("both")), "x", result("first")),
    }
    conditions: dict[str, Value] = {"first": parameter("z")}
    back, _ = opened(found, conditions)
    first, both = ex.Condition("first_2"), ex.Condition("both")
    assert back(result("text")) == ex.If(ex.Not(both), "x", deciding(first))
    assert {name: back(value) for name, value in conditions.items()} == {
        "first": parameter("z"),
        "first_2": parameter("a"),
        "both": ex.And((first, parameter("b"))),
    }


def test_what_decides_for_no_node_is_a_choice() -> None:
    conditions: dict[str, Value] = {}
    assert opened({"one": deciding(parameter("a"))}, conditions)[0](result("one")) == deciding(parameter("a"))
    assert conditions == {}


def test_what_would_double_with_each_node_stays() -> None:
    """Of a chain of texts, each twice in the next, and of nodes that need each other."""
    chain = {f"n{i + 1}": ex.Digest("md5", ex.Concat((result(f"n{i}"), result(f"n{i}")))) for i in range(40)}
    found: dict[str, Value] = {"n0": ex.Digest("md5", ex.Input("p")), **chain}
    back, names = opened(found, {})
    assert back(result("n1")) == ex.Digest("md5", ex.Concat((found["n0"], found["n0"])))
    assert back(result("n40")) == result("n40")
    assert "n1" in names
    assert "n40" not in names
    circle: dict[str, Value] = {"a": ex.Digest("md5", result("b")), "b": ex.Digest("md5", result("a"))}
    back, names = opened(circle, {})
    assert back([result("a"), result("b")]) == [result("a"), result("b")]
    assert list(names) == []


# -- writing ------------------------------------------------------------------------------------------------


class Toy(Computing):
    """A language that takes every call and value as it is."""

    ATTRIBUTES = True

    def __init__(self, topology: Topology) -> None:
        super().__init__(topology, request(), self.same)
        self.programs = 0

    def same(self, value: Value, path: Path) -> Value:
        """Rewrite nothing."""
        return value

    def written(self, call: Any) -> Any:
        """See :meth:`Computing.written`."""
        return call

    def fresh(self, name: str) -> str:
        """See :meth:`Computing.fresh`."""
        return name

    def name(self, node: str) -> str:
        """See :meth:`Computing.name`."""
        return f"{node}_"

    def add_program(self) -> None:
        """See :meth:`Computing.add_program`."""
        self.programs += 1


PLACE = ("resources", "vm", "properties", "name")


def toy(conditions: dict[str, Value] | None = None, **nodes: Any) -> Toy:
    """Nodes ``vm`` and ``other``, with more settings of ``other``."""
    made = {"vm": Node("vm", ""), "other": Node("other", "", **nodes)}
    inputs = {name: Input(name, "string") for name in ("a", "b")}
    return Toy(Topology("toy", "1", inputs=inputs, nodes=made, conditions=conditions or {}))


def digest(text: Value) -> ex.Digest:
    return ex.Digest("md5", text)


def test_a_value_is_computed_once() -> None:
    """Each use is noted, and it is needed as soon as one of them needs it."""
    computing = toy()
    names = [computing.value(digest(ex.Input("a")), PLACE, user, needed=bool(user)) for user in ("", "vm", "other")]
    assert len(computing.values) == computing.programs == 1
    (computed,) = computing.values.values()
    assert computing.topology.nodes[computed.node.name] is computed.node
    assert computed.node.made_for is None
    assert names == [result(f"{computed.node.name}_")] * 3
    assert computed.call == {"$Digest": {"algorithm": "md5", "text": {"$Input": {"name": "a"}}}}
    assert computed.inputs == {"a": (ex.Input("a"), ex.Input("a"))}
    assert computed.needed
    assert computing.uses == [("vm", computed.node.name, PLACE), ("other", computed.node.name, PLACE)]


@pytest.mark.parametrize(
    ("value", "is_computed"),
    [
        (digest(ex.Input("a")), True),
        (digest("known"), False),
        (digest(MISSING), False),
        (ex.Input("a"), False),
        (ex.If(ex.Condition("lost"), ex.Input("a"), "b"), False),
        (ex.If(ex.Input("a"), ex.Input("b"), "b"), False),
        (digest(ex.Query("$", ex.Input("a"))), False),
    ],
)
def test_what_is_known_or_has_no_value_is_not_computed(value: Expr, is_computed: bool) -> None:
    assert toy().computes(value, "vm") is is_computed
    assert (toy().value(value, PLACE, "vm", needed=True) is not MISSING) == is_computed


@pytest.mark.parametrize(
    ("other", "user", "is_computed"),
    [
        ({}, {}, True),
        ({"condition": parameter("a")}, {}, False),
        ({"condition": parameter("a")}, {"condition": parameter("a")}, True),
        ({"condition": parameter("a")}, {"condition": parameter("b")}, False),
        ({}, {"condition": parameter("b")}, True),
        ({"group": "many"}, {}, False),
        ({"instances": 2}, {}, False),
    ],
)
def test_a_node_that_may_not_be_there_or_that_there_are_several_of(other: Any, user: Any, is_computed: bool) -> None:
    computing = toy(**other)
    computing.topology.nodes["vm"] = Node("vm", "", **user)
    assert computing.computes(digest(ex.Attribute("other", "name")), "vm") is is_computed


def test_a_small_condition_is_written_out_and_told() -> None:
    computing = toy({"big": parameter("a"), "both": ex.And((ex.Condition("big", path=PLACE), parameter("b")))})
    computing.value(ex.If(ex.Condition("both"), ex.Input("a"), "x"), PLACE, "vm", needed=True)
    (computed,) = computing.values.values()
    texts = [{"$Equals": {"left": {"$Input": {"name": name}}, "right": "on"}} for name in ("a", "b")]
    assert computed.call == {"$If": {"condition": {"$And": {"operands": texts}}, "then": {"$Input": {"name": "a"}},
                                     "otherwise": "x"}}  # fmt: skip
    assert [*computed.inputs] == ["a", "b"]
    assert [one.code for one in computing.request.reporter.diagnostics] == ["BPC223", "BPC223"]


@pytest.mark.parametrize(("more", "is_input"), [(ex.Input("q"), False), (ex.Not(ex.Input("q")), True)])
def test_a_large_condition_is_an_input(more: Expr, is_input: bool) -> None:
    """One of more than 24 expressions."""
    large = ex.And((*(ex.Not(ex.Input(f"p{index}")) for index in range(11)), more))
    computing = toy({"large": large})
    choice = ex.If(ex.Condition("large"), ex.Input("a"), "x")
    computing.value(choice, PLACE, "vm", needed=True)
    (computed,) = computing.values.values()
    assert ("large_holds" in computed.inputs) is is_input
    if is_input:
        assert computed.inputs["large_holds"] == (ex.Condition("large"), deciding(ex.Condition("large")))
        assert computed.call["$If"]["condition"] == {"$Input": {"name": "large_holds"}}


def test_a_condition_of_conditions_is_as_large_as_they_are_together() -> None:
    small = ex.And(tuple(ex.Not(ex.Input(f"p{index}")) for index in range(6)))
    both = ex.And((ex.Condition("small"), ex.Condition("small")))
    computing = toy({"small": small, "both": both})
    computing.value(ex.If(ex.Condition("both"), ex.Input("a"), "x"), PLACE, "vm", needed=True)
    (computed,) = computing.values.values()
    assert [*computed.inputs] == ["both_holds", "a"]


def test_a_part_of_an_attribute_is_taken_by_the_script() -> None:
    """The input has the attribute up to the first step that is computed."""
    computing = toy()
    value = ex.Attribute("other", "networks", ("net", ex.Input("a"), 0))
    computing.value(value, PLACE, "vm", needed=True)
    (computed,) = computing.values.values()
    keys = [{"$Input": {"name": "a"}}, 0]
    assert computed.call == {"$Attribute": {"node": "other_networks_net", "name": "networks", "keys": keys}}
    whole = ex.Attribute("other", "networks", ("net",))
    assert computed.inputs == {"other_networks_net": (whole, whole), "a": (ex.Input("a"), ex.Input("a"))}


def test_a_part_of_an_input_is_taken_leniently_by_the_script() -> None:
    computing = toy()
    computing.value(ex.Input("a", ("k", ex.Input("b"))), PLACE, "vm", needed=True)
    (computed,) = computing.values.values()
    assert computed.call == {"$Input": {"name": "a", "keys": ["k", {"$Input": {"name": "b"}}]}}
    assert toy().value(ex.Input("a", ("k",), strict=True), PLACE, "vm", needed=True) is MISSING


@pytest.mark.parametrize(
    ("leaf", "name"),
    [
        (ex.Input("a b"), "a_b"),
        (ex.Identity("vm"), "vm_id"),
        (ex.Attribute("vm", "ips", (0, "addr-4", ex.Input("a"))), "vm_ips_0_addr_4"),
        (ex.System("deployment.id"), "deployment_id"),
        (ex.Digest("md5", "a"), "given"),
        (ex.Input("\u00fc"), "given"),
        (ex.Input(ex.Input("a")), "given"),
    ],
)
def test_inputs_are_called_after_their_values(leaf: Expr, name: str) -> None:
    assert input_name(leaf) == name


def test_an_input_gets_a_name_that_is_free() -> None:
    """Also of what the script calls its own inputs."""
    computing = toy()
    values = [ex.Input("call"), ex.Input("a b"), ex.Input("a_b"), ex.Input("call")]
    computing.value(ex.Join(",", (values,)), PLACE, "vm", needed=True)
    (computed,) = computing.values.values()
    assert {name: value for name, (value, _) in computed.inputs.items()} == {
        "call_2": values[0], "a_b": values[1], "a_b_2": values[2],
    }  # fmt: skip
