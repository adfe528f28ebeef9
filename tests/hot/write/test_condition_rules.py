"""Conditions in HOT's terms, rule by rule."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from values_in_hot import context_of

from bpconvert.models import expressions as ex
from bpconvert.translators.evaluate import Scope, fold
from bpconvert.translators.hot.write import conditions
from bpconvert.translators.hot.write.conditions import both
from bpconvert.translators.hot.write.context import Context
from bpconvert.translators.hot.write.rewriter import HotRewriter
from bpconvert.translators.hot.write.rules import RULES

A, B = ex.Condition("a"), ex.Condition("b")
ENV, FLAG, DATA = ex.Input("env"), ex.Input("flag"), ex.Input("data")
PLACE = ("node_templates", "web", "condition")


def rewritten(condition: Any) -> tuple[Any, Context]:
    context = context_of()
    context.topology.conditions["a"] = ex.Equals(ENV, "prod")
    context.added.conditions["b"] = True
    return conditions.value(HotRewriter(context, RULES), condition, PLACE), context


@pytest.mark.parametrize(
    ("kind", "operands", "expected"),
    [
        (ex.And, [A, B], ex.And((A, B))),
        (ex.Or, [A, B], ex.Or((A, B))),
        (ex.And, [True, A], A),
        (ex.And, [A, True], A),
        (ex.And, [True, True], True),
        (ex.And, [], True),
        (ex.And, [False, A], False),
        (ex.And, [True, False, A], False),
        (ex.And, [A, False, B], ex.And((A, False))),
        (ex.Or, [False, A], A),
        (ex.Or, [False, False], False),
        (ex.Or, [], False),
        (ex.Or, [True, A], True),
        (ex.Or, [A, True, B], ex.Or((A, True))),
        (ex.And, [A, True, B], ex.And((A, B))),
    ],
)
def test_what_cannot_decide_is_left_out(kind: Any, operands: list[Any], expected: Any) -> None:
    found = both(kind, operands, ("x",))
    assert (type(found), found) == (type(expected), expected)
    if isinstance(found, kind):
        assert found.path == ("x",)


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        (None, True),
        (True, True),
        (False, False),
        ("a", A),
        (A, A),
        (B, B),
        (FLAG, FLAG),
        (ex.Not(FLAG), ex.Not(FLAG)),
        (ex.Not(True), False),
        (ex.Not(False), True),
        (ex.Not(ex.Not(A)), ex.Not(ex.Not(A))),
        (ex.And((FLAG, A)), ex.And((FLAG, A))),
        (ex.Equals("x", "x"), True),
        (ex.Equals("x", "z"), False),
        (ex.Equals([1], [1]), True),
        (ex.Equals(ENV, "x"), ex.Equals(ENV, "x")),
        (ex.Equals("x", ENV), ex.Equals("x", ENV)),
        (ex.Equals(DATA, {"plain": [1]}), ex.Equals(DATA, {"plain": [1]})),
        (ex.Contains(ENV, ["x", FLAG]), ex.Contains(ENV, ["x", FLAG])),
    ],
    ids=repr,
)
def test_conditions(condition: Any, expected: Any) -> None:
    found, context = rewritten(condition)
    assert (type(found), found) == (type(expected), expected)
    assert [one.code for one in context.reporter.diagnostics] == []


@pytest.mark.parametrize(
    "condition",
    [
        ex.Equals(ex.If(A, "x", "z"), "x"),
        ex.Equals("x", ex.If(A, "x", "z")),
        ex.Equals(ex.If(A, "z", "x"), "x"),
        ex.Equals(ex.If(A, "x"), None),
        ex.Equals(ex.If(A, ENV, "x"), "x"),
        ex.Equals("x", ex.If(A, ENV, "z")),
        ex.Equals(ex.If(A, ENV, "x"), ex.If(FLAG, "x", "z")),
        ex.If(A, True, False),
        ex.If(A, False, True),
        ex.If(A, FLAG, False),
        ex.If(A, FLAG, True),
        ex.If(FLAG, ex.If(A, True, False), A),
    ],
    ids=repr,
)
def test_choices_inside_are_moved_out(condition: Any) -> None:
    """What is written has no choice, and holds when the condition does."""
    found, context = rewritten(condition)
    assert context.reporter.diagnostics == []
    assert not any(isinstance(expr, ex.If) for expr in ex.walk(found))
    for a, flag, env in product((True, False), (True, False), ("x", "z")):
        known = Scope(inputs={"env": env, "flag": flag}, conditions={"a": a, "b": True})
        assert fold(found, known) is fold(condition, known)


@pytest.mark.parametrize(
    "condition",
    [
        5,
        ENV,
        "gone",
        ex.And((A, "gone")),
        ex.Or((A, ENV)),
        ex.If(A, FLAG),
        ex.If(A, FLAG, ENV),
        ex.Equals(DATA, [{"get_param": "x"}]),
        ex.Equals(DATA, {"deep": {"get_param": "x"}}),
        ex.Equals(DATA, {"deep": [{"a": 1}, {"get_param": "x"}]}),
        ex.Contains(ex.Attribute("web", "name"), ["x"]),
        ex.Contains("x", [ex.Attribute("web", "name")]),
    ],
    ids=repr,
)
def test_what_hot_cannot_say_is_asked_for(condition: Any) -> None:
    found, context = rewritten(condition)
    assert found == ex.Input("web_condition")
    assert context.added.parameters["web_condition"]["type"] == "boolean"
    (finding,) = [one for one in context.reporter.diagnostics if one.code == "BPC245"]
    assert finding.path == PLACE


def test_a_condition_that_is_nested_too_deeply_is_asked_for() -> None:
    condition: Any = A
    for _ in range(5000):
        condition = ex.Not(condition)
    found, context = rewritten(condition)
    assert found == ex.Input("web_condition")
    (finding,) = context.reporter.diagnostics
    assert (finding.code, finding.path) == ("BPC245", PLACE)
    assert "nested too deeply" in finding.message


def test_a_condition_with_another_name_in_the_template() -> None:
    context = context_of()
    context.topology.conditions["a"] = True
    context.condition_names["a"] = "a_2"
    rewriter = HotRewriter(context, RULES)
    named = ex.Condition("a", path=("x",))
    found = conditions.value(rewriter, ex.Not(named, path=("y",)), PLACE)
    assert found == ex.Not(ex.Condition("a_2"))
    assert (found.path, found.operand.path) == (("y",), ("x",))


def test_places_of_what_is_rewritten() -> None:
    found, _ = rewritten(ex.And((ex.Equals(ENV, "x"), ex.Contains("x", [ENV], path=("z",)), A), path=("y",)))
    assert [one.path for one in (found, *found.operands[:2])] == [("y",), ("y",), ("z",)]
    found, _ = rewritten(ex.Or((ex.Equals(ENV, "x"), "a")))
    assert [one.path for one in (found, *found.operands)] == [PLACE, PLACE, PLACE]
    found, _ = rewritten(ex.Equals(ex.If(A, ENV, "x"), "x"))
    assert [one.path for one in (found, *found.operands)] == [PLACE, PLACE, PLACE]
