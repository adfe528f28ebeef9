"""``bpconvert.evaluate`` against the engines, function by function: the same values, the same refusals."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from engines.expression_source import CONDITIONS, FILES, PARAMETERS, RESOURCES, Source
from test_heat_agrees import MAPS_IN_REPEAT, REFUSED, ask, heat_value

from bpconvert import EvaluationError, evaluate
from bpconvert.translators.hot.functions import FUNCTIONS, VERSIONS
from bpconvert.translators.hot.parameters import coerce

pytestmark = pytest.mark.engines

#: how many calls of each function are compared
CASES = 200
#: functions that a resource of the parent stack, or a cloud, answers
ELSEWHERE = {"resource_facade", "Fn::ResourceFacade", "Fn::GetAZs"}
NAMES = sorted({f.name for f in FUNCTIONS if f.context == "value"} - ELSEWHERE - {"Fn::MemberListToMap", "yaql"})


def calls(name: str) -> list[tuple[Source, Any]]:
    """Calls of one function in all versions that have it."""
    versions = [date for date, version in VERSIONS.items() if any(_has(f, name, version) for f in FUNCTIONS)]
    found = []
    for number in range(CASES):
        source = Source(number, runtime=True, version=versions[number % len(versions)])
        kind = next((kind for kind, names in source.kinds.items() if name in names), "text")
        found.append((source, {name: source.argument(name, kind, 2)}))
    return found


def _has(function: Any, name: str, version: Any) -> bool:
    return bool(function.name == name and function.context == "value" and function.exists_in(version))


def computed(source: Source, raw: Any) -> Any:
    """What bpconvert computes, or REFUSED."""
    try:
        return evaluate(
            raw,
            dialect="hot",
            version=source.version.date,
            inputs={name: coerce(type_, value) for name, (type_, value) in PARAMETERS.items()},
            attributes={name: found["attributes"] for name, found in RESOURCES.items()},
            resources={name: found["id"] for name, found in RESOURCES.items()},
            files=FILES,
            conditions=CONDITIONS if source.version.has("2016-10-14") else None,
        )
    except EvaluationError:
        return REFUSED


def test_every_function_of_heat(engines_python: str, heat_engine: Path) -> None:
    cases = [(name, *call) for name in NAMES for call in calls(name)]
    answers = ask([(source, raw) for _, source, raw in cases], engines_python, heat_engine)
    different: list[str] = []
    values: Counter[str] = Counter()
    for (name, source, raw), answer in zip(cases, answers, strict=True):
        if MAPS_IN_REPEAT in str(answer) and not source.version.has("2016-10-14"):
            continue
        mine, theirs = computed(source, raw), heat_value(answer)
        values[name] += theirs != REFUSED
        if json.dumps(mine, sort_keys=True, default=repr) != json.dumps(theirs, sort_keys=True):
            why = answer.get("error") or (answer.get("outputs") or {}).get("out", {}).get("error")
            different.append(f"{source.version.date} {json.dumps(raw)}\n   mine {mine!r}\n   heat {theirs!r} {why}")
    print(f"{len(cases)} calls of {len(NAMES)} functions: {sum(values.values())} values; {dict(values)}")
    assert not different, f"{len(different)} differ:\n" + "\n".join(different[:20])
    assert min(values[name] for name in NAMES) > CASES // 10
