"""Calls come back in place of the nodes that compute them, in a size that grows with the number of nodes."""

from __future__ import annotations

from bpconvert.models import expressions as ex
from bpconvert.models.expressions import Expr, Value
from bpconvert.translators.toscalike.computing import opened


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
