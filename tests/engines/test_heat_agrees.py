"""Whatever Heat computes, folding computes; what Heat refuses, is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from expression_source import CONDITIONS, FILES, PARAMETERS, RESOURCES, Source
from heat_answers import MAPS_IN_REPEAT, REFUSED, ask, heat_value

from bpconvert.models.expressions import Foreign, walk
from bpconvert.translators.evaluate import Refused, Scope, fold
from bpconvert.translators.evaluate.parameters import coerce
from bpconvert.translators.hot.functions import Reader

CASES = 1500

pytestmark = [pytest.mark.engines, pytest.mark.drawn]


def folded(source: Source, raw: Any) -> Any:
    """What bpconvert computes, as plain data, or REFUSED."""
    reader = Reader(source.version, declared=PARAMETERS, names=RESOURCES)
    value = reader.value(raw)
    scope = Scope(
        inputs={name: coerce(type_, value) for name, (type_, value) in PARAMETERS.items()},
        declared=PARAMETERS,
        attributes={name: found["attributes"] for name, found in RESOURCES.items()},
        identities={name: found["id"] for name, found in RESOURCES.items()},
        conditions={
            name: Reader(source.version, declared=PARAMETERS).condition(condition, definition=True)
            for name, condition in CONDITIONS.items()
        }
        if source.version.has("2016-10-14")
        else {},
        files=_file,
    )
    try:
        result = fold(value, scope)
    except Refused:
        return REFUSED
    # a call that the engine rejects stays as it is, unless it stands in the branch of an if that is not taken
    return REFUSED if any(isinstance(found, Foreign) for found in walk(result)) else result


def _file(name: str) -> str:
    if name not in FILES:
        raise Refused("no such file")
    return FILES[name]


def compare(cases: list[tuple[Source, Any]], python: str, engine: Path) -> None:
    """Assert that all cases have the same value, or are refused by both."""
    answers = ask(cases, python, engine)
    assert len(answers) == len(cases)
    different = []
    for (source, raw), answer in zip(cases, answers, strict=True):
        mine, theirs = folded(source, raw), heat_value(answer)
        if MAPS_IN_REPEAT in str(answer) and not source.version.has("2016-10-14"):
            continue
        if json.dumps(mine, sort_keys=True, default=repr) != json.dumps(theirs, sort_keys=True):
            why = answer.get("error") or (answer.get("outputs") or {}).get("out", {}).get("error")
            different.append(f"{source.version.date} {json.dumps(raw)}\n   mine {mine!r}\n   heat {theirs!r} {why}")
    values = sum(heat_value(answer) != REFUSED for answer in answers)
    print(f"{len(cases)} expressions: {values} values, {len(cases) - values} refusals")
    assert not different, f"{len(different)} differ:\n" + "\n".join(different[:20])
    assert values > len(cases) // 3


def test_random_expressions(engines_python: str, heat_engine: Path) -> None:
    sources = [Source(seed, runtime=True) for seed in range(CASES)]
    compare([(source, source.value()) for source in sources], engines_python, heat_engine)


QUERIES: tuple[tuple[str, Any], ...] = (
    ("$.data", 5),
    ("$.data.v.toUpper()", {"v": "abC"}),
    ("$.data.v.indexOf('x')", {"v": "abx"}),
    ("$.data.v.replace('-', '+', 1)", {"v": "a-b-c"}),
    ("$.data.v.split('-')", {"v": "a-b-c"}),
    ("$.data.v.split('-')", {"v": None}),
    ("switch($.data.v = null => null, true => $.data.v.toLower())", {"v": None}),
    ("$.data.list.where($ > 1)", {"list": [1, 2, 3]}),
    ("$.data.list.select($ * 2).toList()", {"list": {"get_param": "j2"}}),
    ("$.data.list.len()", {"list": {"get_param": "l1"}}),
    ("dict($.data.list.select([$, 1]))", {"list": ["a", "b"]}),
    ("range(0, 300).toList()", None),
    ("$.data.sum()", [1, 2.5]),
    ("$.data.", []),
    ("1 +", None),
    ("$.nope", {}),
    ("1 / 0", {}),
    ("$.data.a.b", {"a": {"b": {"c": [True, None]}}}),
    ("$.data.groupBy($.k, $.v)", [{"k": "a", "v": 1}, {"k": "b", "v": 2}, {"k": "a", "v": 3}]),
    ("regex('a.').search($.data)", "bab"),
    ("let(x => 1) -> $x + $.data", 2),
    ("$.data.flatten().distinct().orderBy($)", [[3, 1], [2, 3]]),
    ("$.data.items()", {"a": 1}),
    ("len($.data * 20000)", "ab"),
)


def test_yaql(engines_python: str, heat_engine: Path) -> None:
    pytest.importorskip("yaql", reason="yaql expressions are folded only with the yaql package")
    source = Source(0, runtime=False, version="2021-04-16")
    cases = [(source, {"yaql": {"expression": expression, "data": data}}) for expression, data in QUERIES]
    compare([*cases, (source, {"yaql": {"expression": 5}})], engines_python, heat_engine)
