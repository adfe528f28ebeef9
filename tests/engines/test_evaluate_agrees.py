"""``bpconvert.evaluate`` against the engines, function by function: the same values, the same refusals."""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from corpus_runs import cloudify_command
from engine_processes import ask as asked
from expression_source import CONDITIONS, FILES, PARAMETERS, PARENT, RESOURCES, ZONES, Source
from heat_answers import MAPS_IN_REPEAT, REFUSED, ask, heat_value

from bpconvert import EvaluationError, evaluate
from bpconvert.translators.evaluate.parameters import coerce
from bpconvert.translators.hot.functions import FUNCTIONS, VERSIONS

pytestmark = [pytest.mark.engines, pytest.mark.drawn]

#: how many calls of each function are compared
CASES = 200
NAMES = sorted({f.name for f in FUNCTIONS if f.context == "value"})


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
            system={"availability_zones": ZONES},
            parent=PARENT,
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


# -- Cloudify -----------------------------------------------------------------------------------------------

INPUTS: dict[str, Any] = {
    "text": "a-b-c", "number": 5, "yes": True, "items": ["x", "y-z", ["w"]],
    "tree": {"k": {"l": [1, "two", None]}, "0": "zero"},
}  # fmt: skip
PROPERTIES: dict[str, Any] = {
    "title": "Title-Text", "tree": {"list": ["d0", {"x": "d1"}], "t": "deep"}, "size": 3,
    "made": {"concat": [{"get_input": "text"}, "/", {"get_property": ["SELF", "title"]}]},
}  # fmt: skip
RUNTIME: dict[str, Any] = {"ip": "10.0.0.1", "tree": {"list": ["r0"]}, "nets": {"lan": ["a", "b"]}, "title": None}
SECRETS = {"plain": "secret text", "json": '{"k": ["v", {"deep": 1}]}'}
_TEXTS: list[Any] = ["", "a", "-", "a-b", "A 'q'", {"get_input": "text"}, {"get_property": ["node", "title"]}]
_ODD: list[Any] = [5, 1.5, True, None, ["a"], {"k": 1}, {"get_input": "number"}, {"get_input": "items"}]
_STEPS: list[Any] = ["k", "l", 0, 1, -1, "0", "list", "x", 9, {"get_input": "number"}, "lan", "t"]


def _argument(name: str, choose: random.Random) -> Any:
    """An argument for a function of the DSL; of a wrong kind now and then."""
    pool = [*_TEXTS, *_TEXTS, *_ODD] if choose.random() < 0.4 else _TEXTS
    steps = choose.sample(_STEPS, choose.randint(0, 3))
    if name == "get_input":
        return choose.choice([choose.choice([*INPUTS, "gone"]), [choose.choice(["items", "tree", "text"]), *steps]])
    if name in ("get_property", "get_attribute"):
        known = [*PROPERTIES, *PROPERTIES, *RUNTIME, "gone"]
        return [choose.choice(["node", "node", "node", "nowhere"]), choose.choice(known), *steps]
    if name == "get_secret":
        return choose.choice(["plain", "json", "gone", ["json", "k", *steps[:2]], ["json", *steps], ["plain"]])
    if name in ("string_lower", "string_upper"):
        return choose.choice(pool)
    if name == "merge":
        maps = [{"a": choose.choice(pool)}, {"b": 1, "a": 2}, {"get_input": "tree"}, {"get_input": "text"}, {}]
        return choose.sample(maps, choose.randint(0, 3))
    if name == "concat":
        return choose.choices(pool, k=choose.randint(0, 4))
    items = choose.choices(pool, k=3 if name == "string_replace" else 2)
    return [*items, choose.choice([0, 1, -1, 5])] if name != "string_find" and choose.random() < 0.4 else items


CALLS = [
    (name, _argument(name, random.Random(f"{name} {number}")))
    for name in (
        "get_input", "get_property", "get_attribute", "get_secret", "concat", "merge", "string_find", "string_replace",
        "string_split", "string_lower", "string_upper",
    )
    for number in range(CASES)
]  # fmt: skip


def blueprint(call: Any) -> str:
    """A blueprint whose only output is the call."""
    return json.dumps(
        {
            "tosca_definitions_version": "cloudify_dsl_1_5",
            "inputs": {name: {"default": value} for name, value in INPUTS.items()},
            "node_types": {"own": {"properties": {name: {} for name in PROPERTIES}}},
            "node_templates": {"node": {"type": "own", "properties": PROPERTIES}},
            "outputs": {"out": {"value": call}},
        }
    )


def computed_by_cloudify(call: Any) -> Any:
    """What bpconvert computes, or REFUSED."""
    properties = {**PROPERTIES, "made": {"concat": [{"get_input": "text"}, "/", {"get_property": ["node", "title"]}]}}
    try:
        return evaluate(
            call,
            dialect="cloudify",
            version="1_5",
            inputs=INPUTS,
            attributes={"node": RUNTIME},
            resources={"node": properties},
            secrets=SECRETS,
        )
    except EvaluationError:
        return REFUSED


def test_every_function_of_cloudify(engines_python: str, heat_engine: Path) -> None:
    runtime = {"nodes": {"node": RUNTIME}, "secrets": SECRETS}
    texts = [blueprint({name: argument}) for name, argument in CALLS]
    different_texts = list(dict.fromkeys(texts))
    requests = [{"text": text, "runtime": runtime, "options": {"strict": False}} for text in different_texts]
    command = cloudify_command(engines_python, heat_engine.parent)
    by_text = dict(zip(different_texts, asked(command, requests), strict=True))
    different: list[str] = []
    values: Counter[str] = Counter()
    for (name, argument), text in zip(CALLS, texts, strict=True):
        result = by_text[text]["result"]
        refused = result.get("error") or result.get("evaluation_errors") or "out" not in result.get("outputs", {})
        theirs = REFUSED if refused else result["outputs"]["out"]
        theirs = REFUSED if str(theirs).startswith("<ERROR: ") else theirs  # outputs say it in a text
        mine = computed_by_cloudify({name: argument})
        values[name] += theirs != REFUSED
        if json.dumps(mine, sort_keys=True, default=repr) != json.dumps(theirs, sort_keys=True):
            why = result.get("error") or result.get("evaluation_errors")
            different.append(f"{json.dumps({name: argument})}\n   mine {mine!r}\n   Cloudify {theirs!r} {why}")
    print(f"{len(CALLS)} calls: {sum(values.values())} values; {dict(values)}")
    assert not different, f"{len(different)} differ:\n" + "\n".join(different[:20])
    assert min(values.values()) > CASES // 10
