"""Conditions of HOT as choices of a blueprint, and back; choices of many sizes."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
import yaml
from choices import REFUSED, computed, holds, published, topology_of
from corpus_cases import HOT, Case, cases_of
from hypothesis import given, settings
from hypothesis import strategies as st

from bpconvert.api import convert
from bpconvert.diagnostics import Fidelity, Reporter
from bpconvert.models import expressions as ex
from bpconvert.models.expressions import MISSING
from bpconvert.models.topology import Topology
from bpconvert.translators.catalogue.types import builtin
from bpconvert.translators.cloudify.functions import read_value
from bpconvert.translators.cloudify.read.branches import fold_branches
from bpconvert.translators.hot.read.template import to_topology
from bpconvert.yamlio.document import load

#: a condition that is not converted: the resource is always created
ALWAYS_CREATED = "BPC401"
#: nodes whose scripts compute values: tests/engines/test_computed_values.py runs them
VALUE = "bpconvert.nodes.Value"

# -- from HOT and back ---------------------------------------------------------------------------------------------


def conditions_of(topology: Topology) -> set[str]:
    return {name for name in topology.inputs if name.startswith("if_")}


def compare(source: str, values: dict[str, list[Any]]) -> None:
    """The outputs and conditional nodes of a HOT template and of its blueprint, read back, agree for all values."""
    result = convert(source)
    hot = to_topology(load(source), builtin(), Reporter(load(source)))
    back = topology_of(result.document)
    fold_branches(back)
    assert not {name for name, declared in back.inputs.items() if declared.hidden}
    check_same(hot, back, values)


def is_url(value: Any) -> bool:
    return any(isinstance(expr, ex.Url) for expr in ex.walk(value))


def check_same(hot: Topology, back: Topology, values: dict[str, list[Any]], skip: frozenset[str] = frozenset()) -> None:
    """``skip``: outputs that are the same for some values only. Heat refuses some ports of URLs."""
    for combination in itertools.product(*values.values()):
        given_values = dict(zip(values, combination, strict=True))
        for name, output in hot.outputs.items():
            other = back.outputs.get(name)
            if other is None or name in skip or "not converted" in repr(other.value):
                continue
            if any(isinstance(e, (ex.Identity, ex.Attribute)) for e in ex.walk(output.value)):
                assert holds(output.condition, hot, given_values) is holds(other.condition, back, given_values)
            else:
                wanted = published(output, hot, given_values)
                if not (wanted == REFUSED and is_url(output.value)):
                    assert wanted == published(other, back, given_values), given_values
        for name, node in hot.nodes.items():
            twin = back.nodes.get(name)
            if twin is not None and twin.instances is MISSING:
                here, there = holds(node.condition, hot, given_values), holds(twin.condition, back, given_values)
                assert here is there, (name, given_values)


CASES = [case for case in cases_of(HOT) if case.target.exists() and "\n  if_" in case.target.read_text()]


def literals(hot: Topology) -> dict[str, list[Any]]:
    """Values for each parameter: what the template itself mentions, and some that it does not."""
    texts: list[Any] = ["", "prod|x", "|"]
    conditions = [holder.condition for holder in (*hot.nodes.values(), *hot.outputs.values())]
    for expr in ex.walk([hot.conditions, conditions, [output.value for output in hot.outputs.values()]]):
        if isinstance(expr, ex.Equals):
            texts += [side for side in (expr.left, expr.right) if isinstance(side, str) and side not in texts]
    choices: dict[str, list[Any]] = {"string": texts, "number": [0, 1, 2, 2.5], "boolean": [True, False]}
    found = {}
    for name, declared in hot.inputs.items():
        allowed = [c.argument for c in declared.constraints if c.kind == "allowed_values"]
        if declared.type in choices:
            found[name] = allowed[0] if allowed else choices[declared.type]
    return found


def inexact(case: Case, hot: Topology) -> set[str]:
    """The outputs that the conversion calls the same for some values only, themselves or by a condition."""
    told = [found.path for found in case.outcome.diagnostics if found.fidelity is Fidelity.APPROXIMATED]
    names = {path[1] for path in told if path[:1] == ("conditions",)}
    for _ in hot.conditions:
        names |= {name for name, value in hot.conditions.items() if uses(value, names)}
    found = {path[1] for path in told if path[:1] == ("outputs",)}
    return found | {name for name, output in hot.outputs.items() if uses([output.condition, output.value], names)}


def uses(value: Any, names: set[str]) -> bool:
    return any(isinstance(expr, ex.Condition) and expr.name in names for expr in ex.walk(value))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_corpus(case: Case) -> None:
    """A table stays where the conversion says that it is not exact, where it has the size of a group, and where what is
    compared is no text."""
    hot = to_topology(load(case.source.read_text()), builtin(), Reporter(load("a: 1\n")))
    blueprint = yaml.safe_load(case.target.read_text())
    back = topology_of(blueprint)
    fold_branches(back)
    skip = inexact(case, hot)
    scripts = {name for name, node in (blueprint.get("node_templates") or {}).items() if node["type"] == VALUE}
    skip |= {n for n, one in back.outputs.items() if any(getattr(e, "node", "") in scripts for e in ex.walk(one.value))}
    values = {name: output.value for name, output in back.outputs.items()}
    sizes = [read_value(policy, (), []) for policy in (blueprint.get("policies") or {}).values()]
    sizes += [[node.instances, *node.limits] for node in back.nodes.values()]
    staying = inputs_in([sizes, [values[name] for name in skip & values.keys()]], back) | picked_by_data(back)
    assert {name for name in conditions_of(back) if back.inputs[name].hidden} <= staying
    for found in case.outcome.diagnostics:
        if found.code == ALWAYS_CREATED:
            del hot.nodes[found.path[1]]
    check_same(hot, back, literals(hot), frozenset(skip))


def picked_by_data(topology: Topology) -> set[str]:
    """The tables from which an input picks that is neither a text nor a boolean."""
    values = [node.properties for node in topology.nodes.values()]
    values += [output.value for output in topology.outputs.values()]
    types = {name: declared.type for name, declared in topology.inputs.items() if name not in conditions_of(topology)}
    return {
        str(expr.name)
        for expr in ex.walk(values)
        if isinstance(expr, ex.Input)
        and any(types.get(name, "string") not in ("string", "boolean") for name in inputs_in(expr.keys, topology))
    }


def inputs_in(value: Any, topology: Topology) -> set[str]:
    """The inputs that a value refers to, and those that these refer to."""
    found = {str(expr.name) for expr in ex.walk(value) if isinstance(expr, ex.Input)}
    inner = [topology.inputs[name].default for name in found & topology.inputs.keys()]
    return found | (inputs_in(inner, topology) if inner else set())


CONDITION = st.recursive(
    st.sampled_from(
        ["{get_param: a}", "{get_param: b}", "{equals: [{get_param: env}, prod]}", "{equals: [{get_param: env}, dev]}",
         "{equals: [{get_param: env}, '']}", "{equals: [{get_param: a}, true]}", "{equals: [{get_param: c}, false]}",
         "{equals: [{get_param: a}, {get_param: b}]}"]
    ),
    lambda inner: st.one_of(
        inner.map(lambda c: "{not: " + c + "}"),
        st.lists(inner, min_size=2, max_size=3).map(lambda cs: "{and: [" + ", ".join(cs) + "]}"),
        st.lists(inner, min_size=2, max_size=3).map(lambda cs: "{or: [" + ", ".join(cs) + "]}"),
    ),
    max_leaves=7,
)  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(CONDITION, CONDITION, CONDITION)
def test_any_condition_comes_back(one: str, two: str, three: str) -> None:
    source = f"""
heat_template_version: 2018-08-31
parameters:
  a: {{type: boolean, default: true}}
  b: {{type: boolean, default: true}}
  c: {{type: boolean, default: true}}
  env: {{type: string, default: prod}}
conditions: {{one: {one}, two: {two}}}
resources:
  net: {{type: "OS::Neutron::Net", condition: one}}
  other: {{type: "OS::Neutron::Net", condition: {three}}}
outputs:
  o: {{value: {{if: [one, x, {{if: [two, y, {{if: [{three}, x, 1]}}]}}]}}}}
  p: {{condition: two, value: here}}
"""
    booleans = [True, False]
    compare(source, {"a": booleans, "b": booleans, "c": booleans, "env": ["prod", "dev", "", "prod|x", "True"]})


@st.composite
def named(draw: st.DrawFn) -> list[str]:
    """Conditions each of which names some of those before it, most of them several times."""
    parts = ["{get_param: a}", "{get_param: b}", "{get_param: c}", "{equals: [{get_param: env}, prod]}"]
    found: list[str] = []
    for number in range(draw(st.integers(3, 12))):
        last = [f"c{number - 1}"] * 3 if number else []
        one = st.sampled_from([*parts, *last, *(f"c{other}" for other in range(number))])
        some = st.lists(one.flatmap(lambda c: st.sampled_from([c, f"{{not: {c}}}"])), min_size=2, max_size=3)
        both = some.map(lambda cs: "{and: [" + ", ".join(cs) + "]}")
        some = st.lists(st.one_of(one, both), min_size=2, max_size=3)
        found.append(draw(some.map(lambda cs: "{or: [" + ", ".join(cs) + "]}")))
    return found


@settings(max_examples=40, deadline=None)
@given(named())
def test_conditions_that_name_each_other_come_back(found: list[str]) -> None:
    conditions = "".join(f"  c{number}: {condition}\n" for number, condition in enumerate(found))
    outputs = "".join(f"  o{number}: {{value: {{if: [c{number}, x, y]}}}}\n" for number in range(0, len(found), 3))
    source = f"""
heat_template_version: 2018-08-31
parameters:
  a: {{type: boolean, default: true}}
  b: {{type: boolean, default: true}}
  c: {{type: boolean, default: true}}
  env: {{type: string, default: prod}}
conditions:
{conditions}
resources:
  net: {{type: "OS::Neutron::Net", condition: c{len(found) - 1}}}
outputs:
{outputs}
  last: {{condition: c{len(found) - 1}, value: here}}
"""
    booleans = [True, False]
    compare(source, {"a": booleans, "b": booleans, "c": booleans, "env": ["prod", "dev"]})


# -- size ----------------------------------------------------------------------------------------------------------


def test_tables_that_would_double_with_each_level() -> None:
    inputs: dict[str, Any] = {
        "odd_0": {"hidden": True, "default": ["even", "odd"]},
        "even_0": {"hidden": True, "default": ["odd", "even"]},
    }
    for number in range(40):
        inputs[f"b{number}"] = {"type": "boolean"}
    for number in range(1, 40):
        pick = {"get_input": f"b{number - 1}"}
        branches = [{"get_input": [f"odd_{number - 1}", pick]}, {"get_input": [f"even_{number - 1}", pick]}]
        inputs[f"odd_{number}"] = {"hidden": True, "default": branches}
        inputs[f"even_{number}"] = {"hidden": True, "default": branches[::-1]}
    blueprint = {"inputs": inputs, "outputs": {"o": {"value": {"get_input": ["odd_39", {"get_input": "b39"}]}}}}
    before, after = topology_of(blueprint), topology_of(blueprint)
    fold_branches(after)
    for ones in ([], [3], [1, 20, 39], range(40)):
        values = {f"b{number}": number in ones for number in range(40)}
        old, new = (computed(t.outputs["o"].value, t, values) for t in (before, after))
        assert old == new == ("odd" if len(ones) % 2 else "even")


def test_many_alternatives_become_one_or() -> None:
    inputs: dict[str, Any] = {"env": {"type": "string"}, "if_0": {"hidden": True, "default": ["yes", "no"]}}
    find = [{"string_find": [f"|v{n}|", {"concat": ["|", {"get_input": "env"}, "|"]}]} for n in range(151)]
    for number in range(1, 151):
        branches = ["yes", {"get_input": [f"if_{number - 1}", find[number - 1]]}]
        inputs[f"if_{number}"] = {"hidden": True, "default": branches}
    after = topology_of({"inputs": inputs, "outputs": {"o": {"value": {"get_input": ["if_150", find[150]]}}}})
    fold_branches(after)
    assert list(after.inputs) == ["env"]
    (condition,) = after.conditions.values()
    assert isinstance(condition, ex.Or)
    assert len(condition.operands) == 151


def test_deep_data_is_no_traceback() -> None:
    value: Any = {"get_input": ["if_x", {"get_input": "flag"}]}
    for _ in range(180):
        value = [value]
    inputs = {"flag": {"type": "boolean"}, "if_x": {"hidden": True, "default": [1, 2]}}
    after = topology_of({"inputs": inputs, "outputs": {"o": {"value": value}}})
    fold_branches(after)
    assert "if_x" not in after.inputs
