"""Every HOT function, every version, arguments of many shapes: ``bpconvert.evaluate`` and Heat give the same values and
refuse the same calls."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import hot_calls as hot
import pytest
from corpus_runs import STACK_ID, STACK_NAME, heat_command
from engine_processes import ask
from expression_source import CONDITIONS, FILES, PARAMETERS, PARENT, RESOURCES, ZONES
from heat_answers import MAPS_IN_REPEAT, REFUSED, heat_value
from shapes import drawn

from bpconvert import EvaluationError, evaluate
from bpconvert.translators.evaluate.parameters import coerce
from bpconvert.translators.hot.functions import resolve_version

pytestmark = [pytest.mark.engines, pytest.mark.drawn]

#: compared calls of functions that test_evaluate_agrees does not have, and of those that it has
CASES, FEW = 200, 32
NEW = {
    "yaql",
    "resource_facade",
    "Fn::ResourceFacade",
    "Fn::GetAZs",
    "Fn::MemberListToMap",
    "Fn::Select",
    "Fn::Split",
    "Ref",
    "get_file",
    "get_resource",
    "get_attr",
}
SYSTEM = {
    "deployment.name": STACK_NAME,
    "deployment.id": STACK_ID,
    "project.id": "project",
    "availability_zones": ZONES,
}
#: (version, value, conditions, parent resource)
Call = tuple[str, Any, dict[str, Any], dict[str, Any] | None]


def template(version: str, value: Any, conditions: dict[str, Any]) -> dict[str, Any]:
    """A template whose only output is the value."""
    found: dict[str, Any] = {
        "heat_template_version": version,
        "parameters": {name: {"type": type_, "default": default} for name, (type_, default) in PARAMETERS.items()},
        "resources": {name: {"type": "Test::Anything"} for name in RESOURCES},
        "outputs": {"out": {"value": value}},
    }
    if _has_conditions(version):
        found["conditions"] = {**CONDITIONS, **conditions}
    return found


def _has_conditions(version: str) -> bool:
    found = resolve_version(version)
    return found is not None and found.has("2016-10-14")


def computed(call: Call) -> Any:
    """What bpconvert computes, or REFUSED."""
    version, value, conditions, parent = call
    try:
        return evaluate(
            value,
            dialect="hot",
            version=version,
            inputs={name: coerce(type_, given) for name, (type_, given) in PARAMETERS.items()},
            attributes={name: found["attributes"] for name, found in RESOURCES.items()},
            resources={name: found["id"] for name, found in RESOURCES.items()},
            files=FILES,
            conditions={**CONDITIONS, **conditions} if _has_conditions(version) else None,
            system=SYSTEM,
            parent=parent,
        )
    except EvaluationError:
        return REFUSED


def compare(cases: list[tuple[str, Call]], python: str, engine: Path, least: int = 0) -> Counter[str]:
    """Assert that both compute the same; ``least``: so many of each name have a value. Returns the numbers of those."""
    runtime = {
        "resources": RESOURCES,
        "stack_name": STACK_NAME,
        "stack_id": STACK_ID,
        "project_id": "project",
        "availability_zones": ZONES,
    }
    requests = [
        {"text": json.dumps(template(*call[:3])), "files": FILES, "runtime": {**runtime, "parent_resource": call[3]}}
        for _, call in cases
    ]
    different: list[str] = []
    values: Counter[str] = Counter(dict.fromkeys((name for name, _ in cases), 0))
    for (name, call), answer in zip(cases, ask(heat_command(python, engine.parent), requests), strict=True):
        version = resolve_version(call[0])
        if MAPS_IN_REPEAT in str(answer) and version is not None and not version.has("2016-10-14"):
            continue
        mine, theirs = computed(call), heat_value(answer)
        if " object at 0x" in json.dumps(theirs):  # the text of an iterator is another one each time
            theirs = REFUSED
        values[name] += theirs != REFUSED
        if json.dumps(mine, sort_keys=True, default=repr) != json.dumps(theirs, sort_keys=True):
            why = answer.get("error") or (answer.get("outputs") or {}).get("out", {}).get("error")
            different.append(f"{json.dumps(call)}\n   mine {mine!r}\n   heat {theirs!r} {why}")
    print(f"{len(cases)} calls: {sum(values.values())} values; {dict(values)}")
    assert not different, f"{len(different)} of {len(cases)} differ:\n" + "\n".join(different[:40])
    assert min(values.values()) >= least
    return values


def test_every_function(engines_python: str, heat_engine: Path) -> None:
    assert set(hot.GOOD) == set(hot.NAMES)
    cases: list[tuple[str, Call]] = []
    for name in hot.NAMES:
        wanted = CASES if name in NEW else FEW
        found = drawn(hot.calls_of(name), wanted)
        assert len(found) == wanted
        cases += [(name, (*call, PARENT if number % 4 else None)) for number, call in enumerate(found)]
    compare(cases, engines_python, heat_engine, least=FEW // 8)


def test_every_condition_function(engines_python: str, heat_engine: Path) -> None:
    assert set(hot.GOOD_CONDITION) == set(hot.CONDITION_NAMES)
    cases: list[tuple[str, Call]] = []
    for name in hot.CONDITION_NAMES:
        found = drawn(hot.conditions_of(name), CASES)
        assert len(found) == CASES
        cases += [(name, (*call, None)) for call in found]
    compare(cases, engines_python, heat_engine, least=CASES // 10)


def test_every_version(engines_python: str, heat_engine: Path) -> None:
    """Each function once in each version, and calls at random: a function of another version is data, or refused."""
    cases: list[tuple[str, Call]] = []
    for name in hot.NAMES:
        (argument,) = drawn(hot.GOOD[name], 1)
        cases += [(version, (version, {name: argument}, {}, PARENT)) for version in hot.VERSION_TEXTS]
    for name in hot.CONDITION_NAMES:
        (argument,) = drawn(hot.GOOD_CONDITION[name], 1)
        cases += [(version, (version, {"if": [{name: argument}, 1, 2]}, {}, None)) for version in hot.VERSION_TEXTS]
    cases += [(call[0], (*call, PARENT)) for call in drawn(hot.everywhere(), 3 * CASES)]
    unknown = ["2016-10-15", "2013-05-24", "stein", "2021-04-17", "liberty", "Newton", "2099-01-01"]
    cases += [("unknown", (version, "text", {}, None)) for version in unknown]
    compare(cases, engines_python, heat_engine)
    assert hot.having("if") == hot.VERSION_TEXTS[5:]
