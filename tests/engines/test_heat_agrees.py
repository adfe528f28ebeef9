"""Whatever Heat computes, folding computes; what Heat refuses, is refused."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from bpconvert.models.expressions import Foreign, walk
from bpconvert.translators.evaluate import Refused, Scope, fold
from bpconvert.translators.hot.functions import Reader
from bpconvert.translators.hot.parameters import coerce
from expression_source import CONDITIONS, FILES, PARAMETERS, RESOURCES, Source

CASES = 40000
REFUSED = "refused"
#: Before 2016-10-14 a loop over a map is refused; that is reported when it is read, but cannot be seen in a computed map.
MAPS_IN_REPEAT = 'The values of the "for_each" argument to "repeat" must be lists'

pytestmark = pytest.mark.engines


def template_of(source: Source, raw: Any) -> dict[str, Any]:
    """A template whose only output is the expression."""
    template: dict[str, Any] = {
        "heat_template_version": source.version.date,
        "parameters": {name: {"type": type_, "default": value} for name, (type_, value) in PARAMETERS.items()},
        "resources": {name: {"type": "Test::Anything"} for name in RESOURCES},
        "outputs": {"out": {"value": raw}},
    }
    if source.version.has("2016-10-14"):
        template["conditions"] = CONDITIONS
    return template


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


@pytest.fixture(scope="module")
def cases() -> list[tuple[Source, Any]]:
    sources = [Source(seed, runtime=True) for seed in range(CASES)]
    return [(source, source.value()) for source in sources]


@pytest.fixture(scope="module")
def answers(cases: list[tuple[Source, Any]], engines_python: str, heat_engine: Path) -> list[dict[str, Any]]:
    """Heat's answers, from one run of the engine."""
    runtime = {"resources": RESOURCES}
    requests = [
        json.dumps({"text": json.dumps(template_of(source, raw)), "runtime": runtime, "files": FILES, "id": index})
        for index, (source, raw) in enumerate(cases)
    ]
    run = subprocess.run(
        [engines_python, str(heat_engine), "--batch"], input="\n".join(requests), capture_output=True, text=True, check=True
    )
    return [json.loads(line) for line in run.stdout.splitlines()]


def heat_value(answer: dict[str, Any]) -> Any:
    """The output's value, or REFUSED."""
    if not answer["ok"] or "error" in answer["outputs"]["out"]:
        return REFUSED
    return answer["outputs"]["out"]["value"]


def test_same_values(cases: list[tuple[Source, Any]], answers: list[dict[str, Any]]) -> None:
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
