"""Every function of the DSL, every version, arguments of many shapes: ``bpconvert.evaluate`` and Cloudify give the same
values and refuse the same calls, in outputs, properties and operations of relationships."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import dsl_calls as dsl
import pytest
from corpus_runs import cloudify_command
from engine_processes import ask
from shapes import drawn

from bpconvert import EvaluationError, evaluate
from bpconvert.translators.cloudify.functions import FUNCTIONS

pytestmark = [pytest.mark.engines, pytest.mark.drawn]

#: compared calls of functions that test_evaluate_agrees does not have or has in outputs only, and of the others
CASES, FEW = 200, 32
OFTEN = {name for name, function in FUNCTIONS.items() if name.startswith("get_")}
REFUSED = "refused"
#: the engine's names of the instances
IDS = {
    "vm": ["vm_000001"], "web": ["web_000002"], "many": ["many_000003", "many_000004", "many_000005"],
    "user": ["user_000006"],
}  # fmt: skip
Call = tuple[str, Any, str]


def computed(call: Call) -> Any:
    """What bpconvert computes, or REFUSED."""
    version, value, place = call
    attributes: dict[str, Any] = {"user": [{"node_instance_id": IDS["user"][0]}]}
    for node, found in dsl.RUNTIME.items():
        instances = found if isinstance(found, list) else [found]
        attributes[node] = [{"node_instance_id": name, **data} for name, data in zip(IDS[node], instances, strict=True)]
    properties: dict[str, Any] = {**dsl.PROPERTIES, "user": {"title": "of the user"}}
    try:
        return evaluate(
            value,
            dialect="cloudify",
            version=version,
            inputs=dsl.INPUTS,
            attributes=attributes,
            resources=properties,
            secrets=dsl.SECRETS,
            system={f"{entity}.{name}": text for entity, facts in dsl.SYSTEM.items() for name, text in facts.items()},
            here={"SELF": {"SELF": "user"}, "TARGET": {"SOURCE": "user", "TARGET": "vm"}}.get(place),
            capabilities=dsl.CAPABILITIES,
            group_capabilities=dsl.GROUPS,
            environment_capabilities=dsl.ENVIRONMENT,
            labels=dsl.LABELS,
            consumers=dsl.CONSUMERS,
        )
    except EvaluationError:
        return REFUSED


RUNTIME = {
    "nodes": dsl.RUNTIME,
    "secrets": dsl.SECRETS,
    "capabilities": dsl.CAPABILITIES,
    "group_capabilities": dsl.GROUPS,
    "environment_capabilities": dsl.ENVIRONMENT,
    "labels": dsl.LABELS,
    "sys": dsl.SYSTEM,
    "consumers": dsl.CONSUMERS,
}
#: values that are asked for in one blueprint
TOGETHER = 12


class Cloudify:
    """Asks the engine. Values that bpconvert computes are asked for many at a time, those that it refuses alone."""

    def __init__(self, python: str, engine: Path) -> None:
        self.command = cloudify_command(python, engine.parent, timeout=10)

    def values(self, calls: list[Call], expected: list[Any]) -> list[Any]:
        """What the engine computes for each call, or REFUSED."""
        found: dict[int, Any] = {}
        groups: dict[str, list[int]] = {}
        for number, (version, _, _) in enumerate(calls):
            if expected[number] != REFUSED:
                groups.setdefault(version, []).append(number)
        together = [
            numbers[start : start + TOGETHER]
            for numbers in groups.values()
            for start in range(0, len(numbers), TOGETHER)
        ]
        answered = self._ask([[calls[number] for number in group] for group in together])
        for numbers, answers in zip(together, answered, strict=True):
            if REFUSED not in answers:
                found.update(zip(numbers, answers, strict=True))
        alone = [number for number in range(len(calls)) if number not in found]
        for number, (answer,) in zip(alone, self._ask([[calls[number]] for number in alone]), strict=True):
            found[number] = answer
        return [found[number] for number in range(len(calls))]

    def _ask(self, groups: list[list[Call]]) -> list[list[Any]]:
        requests = [
            {
                "text": dsl.blueprint(group[0][0], [call[1:] for call in group]),
                "runtime": RUNTIME,
                "inputs": {"nothing": None},
                "options": {"strict": False, "operations": "all"},
            }
            for group in groups
        ]
        return [
            [self._value(answer["result"], f"v{number}", place) for number, (_, _, place) in enumerate(group)]
            for group, answer in zip(groups, ask(self.command, requests), strict=True)
        ]

    @staticmethod
    def _value(result: dict[str, Any], name: str, place: str) -> Any:
        if result.get("error") or result.get("evaluation_errors"):
            return REFUSED
        user = result["nodes"]["user"]
        operations = user["relationships"][0]["source_operations"]
        found = {"output": result["outputs"], "SELF": user["properties"], "TARGET": operations["i.o"]["inputs"]}[place]
        value = found.get(name, REFUSED)  # an output of a secret that is not there is left out
        return REFUSED if "<ERROR: " in json.dumps(value) else value  # outputs say it in a text


def compare(cases: list[tuple[str, Call]], python: str, engine: Path) -> Counter[str]:
    """Assert that both compute the same; the numbers of values by name."""
    different: list[str] = []
    values: Counter[str] = Counter(dict.fromkeys((name for name, _ in cases), 0))
    calls = [call for _, call in cases]
    expected = [computed(call) for call in calls]
    answers = Cloudify(python, engine).values(calls, expected)
    for (name, call), mine, theirs in zip(cases, expected, answers, strict=True):
        values[name] += theirs != REFUSED
        if json.dumps(mine, sort_keys=True, default=repr) != json.dumps(theirs, sort_keys=True):
            different.append(f"{json.dumps(call)}\n   mine {mine!r}\n   Cloudify {theirs!r}")
    print(f"{len(cases)} calls: {sum(values.values())} values; {dict(values)}")
    assert not different, f"{len(different)} of {len(cases)} differ:\n" + "\n".join(different[:40])
    return values


def test_every_function(engines_python: str, heat_engine: Path) -> None:
    assert set(dsl.GOOD) == set(FUNCTIONS)
    cases: list[tuple[str, Call]] = []
    for name in FUNCTIONS:
        wanted = CASES if name in OFTEN else FEW
        found = drawn(dsl.calls_of(name), wanted)
        assert len(found) == wanted
        cases += [(name, call) for call in found]
    values = compare(cases, engines_python, heat_engine)
    assert min(values.values()) >= FEW // 8


def test_every_version(engines_python: str, heat_engine: Path) -> None:
    """Each function in each version, and calls inside calls."""
    cases: list[tuple[str, Call]] = []
    for name in FUNCTIONS:
        arguments = drawn(dsl.GOOD[name], 3)
        cases += [(text, (text, {name: made}, "output")) for made in arguments for text in dsl.VERSION_TEXTS]
    cases += [(call[0], call) for call in drawn(dsl.everywhere(), CASES)]
    cases += [("unknown", (text, "text", "output")) for text in ("cloudify_dsl_1_6", "cloudify_dsl_2_0", "1_3x")]
    compare(cases, engines_python, heat_engine)
