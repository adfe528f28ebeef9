"""The corpus before the real engines: Heat accepts every source, Cloudify every blueprint, and both compute the same values.

Compared are the parameters (Heat's, after conversion to their types) with the inputs, and the outputs whose source has nothing
that is only known at run time. What may differ is reported as carried, or listed as ``differ`` in the case's ``engines.json``.
"""

from __future__ import annotations

import json
import math
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import yaml
from bpconvert.diagnostics import Fidelity
from bpconvert.yamlio.document import load
from corpus_cases import CASES, Case

pytestmark = pytest.mark.engines

STACK_NAME, STACK_ID = "stack-of-the-corpus", "11111111-2222-3333-4444-555555555555"
#: calls whose value only exists at run time, or only in OpenStack
RUNTIME = {"get_attr", "get_resource", "resource_facade", "Fn::ResourceFacade", "Fn::GetAZs"}
RUNTIME_PARAMETERS = {"OS::stack_id", "OS::project_id"}
#: what a missing output is equal to: Heat lists an output whose value is null, or whose condition is false
NOTHING = None


@dataclass
class Run:
    """One case with one set of parameters in both engines. ``blueprint`` is None where there is none."""

    case: Case
    number: int
    given: dict[str, Any]
    heat: dict[str, Any] = field(default_factory=dict)
    blueprint: dict[str, Any] | None = None
    cloudify: dict[str, Any] = field(default_factory=dict)

    @property
    def id(self) -> str:
        return f"{self.case.name}-{self.number}"

    def inputs(self) -> dict[str, Any]:
        """Heat's values for the inputs that need one or were given; all others are left to their defaults."""
        declared = (self.blueprint or {}).get("inputs") or {}
        values = self.heat.get("parameters") or {}
        from_file = {name: value for name, value in self._inputs_file().items() if name not in self.given}
        wanted = {name for name, schema in declared.items() if name in self.given or (schema or {}).get("default") is None}
        return {name: values[name] for name in wanted & values.keys()} | from_file

    def _inputs_file(self) -> dict[str, Any]:
        path = self.case.folder / "files" / "hot.inputs.yaml"
        found: dict[str, Any] = yaml.safe_load(path.read_bytes()) if path.exists() else {}
        return found


RUNS = [Run(case, number, given) for case in CASES for number, given in enumerate(case.engines.get("parameters", [{}]))]


def ask(command: list[str], requests: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The engine's answers to JSON lines, in order; each request gets an id."""
    lines = [json.dumps({"id": number, **request}) for number, request in enumerate(requests)]
    done = subprocess.run(command, input="\n".join(lines) + "\n", capture_output=True, text=True, check=False)
    answers = {answer["id"]: answer for answer in map(json.loads, filter(lambda line: line.startswith("{"), done.stdout.splitlines()))}
    assert len(answers) == len(requests), done.stderr[-2000:]
    return [answers[number] for number in range(len(requests))]


@pytest.fixture(scope="module")
def runs(engines_python: str, heat_engine: Path) -> dict[str, Run]:
    """Every run of every case, from one start of each engine."""
    cloudify_engine = heat_engine.with_name("cloudify_engine.py")
    if not cloudify_engine.exists():
        pytest.skip(f"{cloudify_engine} is not there")
    requests = [{**heat_request(run), **run.case.engines.get("heat", {})} for run in RUNS]
    for run, answer in zip(RUNS, ask([engines_python, str(heat_engine), "--batch"], requests), strict=True):
        run.heat = answer
    with_blueprint = [run for run in RUNS if run.case.blueprint.exists()]
    for run in with_blueprint:
        run.blueprint = yaml.safe_load(run.case.blueprint.read_bytes())
    command = [engines_python, str(cloudify_engine), "--serve", "--prune", "--timeout", "60"]
    for run, answer in zip(with_blueprint, ask(command, [cloudify_request(run) for run in with_blueprint]), strict=True):
        run.cloudify = answer["result"]
    return {run.id: run for run in RUNS}


def heat_request(run: Run) -> dict[str, Any]:
    return {
        "template": str(run.case.source),
        "files_root": str(run.case.folder),
        "params": run.given,
        "runtime": {"stack_name": STACK_NAME, "stack_id": STACK_ID},
        "fake_params": True,
        "fake_attrs": True,
        "strict_types": True,
    }


def cloudify_request(run: Run) -> dict[str, Any]:
    return {
        "blueprint": str(run.case.blueprint),
        "inputs": run.inputs(),
        "runtime": {"sys": {"deployment": {"id": STACK_ID, "name": STACK_NAME}}},
        "options": {"synthesize": True},
    }


@pytest.fixture(params=RUNS, ids=[run.id for run in RUNS])
def run(request: pytest.FixtureRequest, runs: dict[str, Run]) -> Run:
    """Each run, answered by both engines."""
    return runs[request.param.id]


def test_heat_accepts_what_is_no_mistake(run: Run) -> None:
    refused = run.heat.get("error") or run.heat.get("errors")
    if run.case.is_mistake:
        assert refused, "Heat has nothing against this"
    else:
        assert run.heat["ok"], refused
        assert not refused


def test_cloudify_accepts_every_blueprint(run: Run) -> None:
    if run.blueprint is not None:
        assert "error" not in run.cloudify, run.cloudify["error"]


def test_parameters_are_the_same(run: Run) -> None:
    """Declared parameters are inputs of the same value, defaults converted to their types as Heat does."""
    if run.blueprint is None or not run.heat["ok"] or "error" in run.cloudify:
        return
    declared = load(run.case.source.read_bytes()).data.get("parameters") or {}
    inputs = run.cloudify["inputs"]
    renamed = {d.path[1] for d in run.case.outcome.diagnostics if d.code == "BPC604" and d.path[:1] == ("parameters",)}
    expected = {name: run.heat["parameters"][name] for name in declared if name not in renamed and run.heat["parameters"].get(name) is not None}
    assert same({name: inputs.get(name, "no such input") for name in expected}, expected)


def test_outputs_are_the_same(run: Run) -> None:
    if run.blueprint is None or not run.heat["ok"] or "error" in run.cloudify:
        return
    expected = {name: run.heat["outputs"][name].get("value", NOTHING) for name in comparable(run)}
    actual = {name: run.cloudify["outputs"].get(name, NOTHING) for name in expected}
    assert same(actual, expected)


def test_allowed_differences_are_real(runs: dict[str, Run]) -> None:
    """An output that is listed as different must exist."""
    for case in CASES:
        unknown = case.engines.get("differ", {}).keys() - (load(case.source.read_bytes()).data.get("outputs") or {}).keys()
        assert not unknown, case.name


def comparable(run: Run) -> Iterator[str]:
    """The outputs whose value does not depend on the run time and is promised to be kept."""
    data = load(run.case.source.read_bytes()).data
    outputs, resources = data.get("outputs"), data.get("resources") or {}
    if not isinstance(outputs, dict):
        return
    diagnostics = run.case.outcome.diagnostics
    left = {d.path[1] for d in diagnostics if d.path[:1] == ("outputs",) and d.path[1:] and d.fidelity is Fidelity.CARRIED}
    left |= {d.path[1] for d in diagnostics if d.path[:1] == ("outputs",) and d.path[1:] and d.code == "BPC604"}
    for name, output in outputs.items():
        if name in left or name in run.case.engines.get("differ", {}) or not isinstance(output, dict):
            continue
        if "error" not in run.heat["outputs"].get(name, {"error": 1}) and not needs_run_time(output.get("value"), resources):
            yield name


def needs_run_time(value: Any, resources: dict[str, Any]) -> bool:
    """True if a value holds a call that only the running stack answers."""
    if isinstance(value, dict):
        for key, item in value.items():
            runtime = key in RUNTIME or (key == "Ref" and item in resources) or (key == "get_param" and str(item) in RUNTIME_PARAMETERS)
            if runtime or needs_run_time(item, resources):
                return True
        return False
    return isinstance(value, list) and any(needs_run_time(item, resources) for item in value)


def same(left: Any, right: Any) -> bool:
    """Equal in value and kind: 1 is neither true nor '1', but the engines' JSON may write 1.0 where it means 1."""
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(same(left[key], right[key]) for key in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, float) and isinstance(right, float) and math.isnan(left):
        return math.isnan(right)
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    return bool(left == right) and isinstance(left, str) == isinstance(right, str)
