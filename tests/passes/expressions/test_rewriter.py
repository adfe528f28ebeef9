"""Expressions rewritten for languages that exist nowhere else: one with a join, one without conditions."""

from __future__ import annotations

from typing import Any

import pytest
from pass_requests import codes, request, topology

from bpconvert.diagnostics import Fidelity
from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING, Path, Value
from bpconvert.models.topology import Constraint, Input
from bpconvert.translators.passes.expressions import branches, joins
from bpconvert.translators.passes.expressions.piecewise import PiecewiseRewriter
from bpconvert.translators.passes.expressions.rewriter import ExpressionRewriter, Rule, Unsupported

PLACE: Path = ("nodes", "web", "properties", "name")
ENV, SIZE, FLAG = ex.Input("env"), ex.Input("size"), ex.Input("flag")


def _input(rewriter: ExpressionRewriter, expr: ex.Input) -> Value:
    if expr.name not in rewriter.topology.inputs:
        raise Unsupported(f"there is no input '{expr.name}'")
    return expr


def _if(rewriter: PiecewiseRewriter, expr: ex.If) -> Value:
    parts = [rewriter.argument(part, expr.path) for part in (expr.then, expr.otherwise)]
    return branches.choose(rewriter, expr.condition, parts[0], parts[1], expr.path)


RULES = {
    ex.Input: Rule(Fidelity.EXACT, "itself", _input),
    ex.Join: Rule(Fidelity.REWRITTEN, "one text", joins.join, structure=lambda expr: expr.lists),
    ex.Replace: Rule(Fidelity.REWRITTEN, "one text", joins.replace),
    ex.If: Rule(Fidelity.REWRITTEN, "a place in a list", _if),
}


class Picking(PiecewiseRewriter):
    """Of a language that picks items of lists and maps."""

    def pick(self, branches: list[Value], index: Value, path: Path) -> Value:
        return ex.Select(index, branches)

    def table(self, table: dict[str, Value], chooser: ex.Input, path: Path) -> Value:
        self.topology.inputs["table"] = Input("table", "json", table)
        return ex.Input("table", (chooser,))


def rewritten(
    value: Value, kind: type[ExpressionRewriter] = ExpressionRewriter, inert: str = ""
) -> tuple[Value, list[str], dict[str, Input]]:
    """What ``value`` becomes, what was reported, and the inputs."""
    found = topology()
    allowed = [Constraint("allowed_values", ["dev", "prod"])]
    found.inputs = {
        "env": Input("env", "string", constraints=allowed), "size": Input("size", "number"),
        "flag": Input("flag", "boolean"),
    }  # fmt: skip
    asked = request()
    result = kind(found, asked, RULES).value(value, PLACE, inert=inert)
    return result, codes(asked), found.inputs


@pytest.mark.parametrize(
    ("value", "result"),
    [
        ([1, {"a": None}], [1, {"a": None}]),
        (ex.Join("-", (["a", "b"],), path=PLACE), "a-b"),
        (ex.Join("-", (["a", ENV],), path=PLACE), ex.Join("", (["a-", ENV],))),
        (ex.Join("", ([ENV],), path=PLACE), ENV),
        (ex.Replace("<x>!", {"<x>": ENV}, path=PLACE), ex.Join("", ([ENV, "!"],))),
        (ex.Replace("<x>", {"<x>": True}, path=PLACE), "True"),
    ],
)
def test_rules(value: Value, result: Value) -> None:
    assert rewritten(value)[0] == result


def test_what_is_unsupported_is_asked_for_once() -> None:
    digest = ex.Digest("md5", ENV, path=PLACE)
    result, found, inputs = rewritten([digest, {"again": ex.Digest("md5", ENV, path=PLACE)}])
    assert result == [ex.Input("web_name", strict=True), {"again": ex.Input("web_name", strict=True)}]
    assert found == ["BPC201"]
    assert inputs["web_name"].default is MISSING


def test_the_innermost_part_is_replaced() -> None:
    result, found, _ = rewritten(ex.Join("-", (["a", ex.Digest("md5", ENV, path=PLACE)],), path=PLACE))
    assert result == ex.Join("", (["a-", ex.Input("web_name", strict=True)],))
    assert found == ["BPC201", "BPC223"]


def test_nothing_is_asked_for_where_nothing_depends_on_it() -> None:
    result, found, inputs = rewritten(ex.Digest("md5", ENV, path=PLACE), inert="output")
    assert result.startswith("not converted: ")
    assert found == ["BPC202"]
    assert set(inputs) == {"env", "size", "flag"}


def test_a_text_of_a_structure_is_asked_for() -> None:
    result, found, _ = rewritten(ex.Join("", (["a", ex.Merge([{}], path=PLACE)],), path=PLACE))
    assert result == ex.Join("", (["a", ex.Input("web_name", strict=True)],))
    assert found == ["BPC201", "BPC223"]


def test_what_is_nested_too_deeply_is_asked_for() -> None:
    deep: Any = ENV
    for _ in range(5000):
        deep = [deep]
    assert rewritten(deep)[1] == ["BPC201"]


def test_a_condition_picks_an_item() -> None:
    value = ex.If(ex.Equals(ENV, "prod"), "big", "small", path=PLACE)
    found = ex.Find("|prod|", ex.Join("", (["|", ENV, "|"],)))
    assert rewritten(value, Picking)[0] == ex.Select(found, ["big", "small"])
    assert rewritten(ex.If(FLAG, 1, 2, path=PLACE), Picking)[0] == ex.Select(FLAG, [2, 1])
    assert rewritten(ex.If(ex.Equals(FLAG, "x"), 1, 2, path=PLACE), Picking)[0] == 2


def test_choices_are_moved_out_of_a_call_without_a_form() -> None:
    value = ex.Filter(["a"], ex.If(FLAG, ["a", "b"], ["c"]), path=PLACE)
    assert rewritten(value, Picking)[0] == ex.Select(FLAG, [["c"], ["b"]])
    value = ex.Join(",", (ex.If(FLAG, ["a", "b"], ["c"]),), path=PLACE)
    assert rewritten(value, Picking)[0] == ex.Select(FLAG, ["c", "a,b"])


def test_a_call_without_a_form_has_a_result_for_each_value_of_an_input() -> None:
    value = ex.Filter([ENV], ["dev", "prod", "test"], path=PLACE)
    found, reported, inputs = rewritten(value, Picking)
    assert found == ex.Input("table", (ENV,))
    assert inputs["table"].default == {"dev": ["prod", "test"], "prod": ["dev", "test"]}
    assert reported == ["BPC223"]


def test_an_entry_that_a_condition_removes_is_a_choice_of_lists() -> None:
    assert rewritten([1, ex.If(FLAG, 2)], Picking)[0] == ex.Select(FLAG, [[1], [1, 2]])
