"""``corpus/hot`` before the real engines: Heat accepts every source, Cloudify every blueprint, the values are the same.

Compared are the parameters (Heat's, after conversion to their types) with the inputs, and the outputs whose source has
nothing that is only known at run time. What may differ is reported as carried, or listed as ``differ`` in the case's
``engines.json``; then a diagnostic must say so.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from corpus_cases import HOT, cases_of
from corpus_runs import (
    SYSTEM,
    ask_cloudify,
    bundled,
    cloudify_command,
    heat_command,
    may_differ,
    reported,
    same,
    second_generation,
)
from heat_runs import Run, ask_heat, needs_run_time

from bpconvert.diagnostics import Fidelity

pytestmark = pytest.mark.engines

#: fewer outputs than this are compared only if the comparison itself is broken
FEWEST_OUTPUTS = 200


RUNS = [
    Run(case, number, given)
    for case in cases_of(HOT)
    for number, given in enumerate(case.engines.get("parameters", [{}]))
]


@pytest.fixture(scope="module")
def runs(engines_python: str, heat_engine: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Run]:
    """Every run of every case, answered by both engines."""
    bundles = tmp_path_factory.mktemp("bundles")
    engines = heat_engine.parent
    asked = ask_heat(heat_command(engines_python, engines), RUNS)
    for run, answer in zip(RUNS, asked, strict=True):
        run.heat = answer
    known: dict[str, list[str]] = {
        "v3": [],
        "v2": second_generation(engines, "plugin:cloudify-openstack-plugin"),
        "unknown": ["--stub"],
    }
    for types, options in known.items():
        chosen = [run for run in RUNS if run.types == types and run.blueprint is not None]
        command = cloudify_command(engines_python, engines, *options)
        answers = ask_cloudify(command, [cloudify_request(run, bundles) for run in chosen])
        for run, answer in zip(chosen, answers, strict=True):
            run.cloudify = answer["result"]
    return {run.id: run for run in RUNS}


def cloudify_request(run: Run, bundles: Path) -> dict[str, Any]:
    """What to ask Cloudify. A template with mistakes may have calls that fail with any value, so it is only parsed.

    Not strict: values that fail when they are evaluated are listed, not the only answer."""
    return {
        "blueprint": str(bundled(run.case, bundles)),
        "inputs": run.inputs(),
        "runtime": {"sys": SYSTEM},
        "options": {"synthesize": True, "strict": False, "parse_only": run.case.is_mistake},
    }


@pytest.fixture(params=RUNS, ids=[run.id for run in RUNS])
def run(request: pytest.FixtureRequest, runs: dict[str, Run]) -> Run:
    """Each run, answered."""
    return runs[request.param.id]


def test_heat_accepts_what_is_no_mistake(run: Run) -> None:
    refused = run.heat.get("error") or run.heat.get("errors")
    if run.case.is_mistake:
        assert refused, "Heat has nothing against this"
    else:
        assert not refused
        assert run.heat["ok"]


def test_cloudify_accepts_every_blueprint(run: Run) -> None:
    """Parsed, prepared and evaluated; the properties of a node without instances are never needed."""
    assert run.cloudify.get("error") is None
    if run.has_values:
        nodes = run.cloudify["nodes"].items()
        absent = {f"nodes.{name}.properties" for name, node in nodes if node.get("instances") == 0}
        assert [error for error in run.cloudify.get("evaluation_errors", []) if error["where"] not in absent] == []


def test_parameters_are_the_same(run: Run) -> None:
    """Declared parameters are inputs of the same value, defaults converted to their types as Heat does."""
    if not run.has_values:
        return
    names = (run.source.get("parameters") or {}).keys() - run.renamed("parameters") - run.decided
    names -= may_differ(run.case, "parameters")
    values = {name: run.heat["parameters"].get(name) for name in sorted(names)}
    expected = {name: value for name, value in values.items() if value is not None}
    assert same({name: run.cloudify["inputs"].get(name, "no such input") for name in expected}, expected)


def test_outputs_are_the_same(run: Run) -> None:
    """Heat lists an output without a value as null, Cloudify has none then."""
    expected = {name: run.heat["outputs"][name]["value"] for name in comparable(run)}
    assert same({name: run.cloudify["outputs"].get(name) for name in expected}, expected)


def test_differences_are_reported(run: Run) -> None:
    """What may have another value exists, and a diagnostic says so: at its place or where it comes from."""
    if not run.has_values:
        return
    for section in ("parameters", "outputs"):
        differ = may_differ(run.case, section)
        assert differ <= (run.source.get(section) or {}).keys()
        indirect = reported(run.case, "conditions", Fidelity.APPROXIMATED) | reported(
            run.case, "parameters", Fidelity.APPROXIMATED
        )
        assert indirect or differ <= reported(run.case, section, Fidelity.APPROXIMATED)


def test_many_outputs_are_compared(runs: dict[str, Run]) -> None:
    assert sum(len(list(comparable(run))) for run in runs.values()) >= FEWEST_OUTPUTS


def comparable(run: Run) -> Iterator[str]:
    """The outputs whose value does not depend on the run time, and for which nothing says that it is not there."""
    if not run.has_values:
        return
    left = reported(run.case, "outputs", Fidelity.CARRIED) | run.renamed("outputs") | may_differ(run.case, "outputs")
    resources = run.source.get("resources") or {}
    for name, output in (run.source.get("outputs") or {}).items():
        computed = name not in left and "error" not in run.heat["outputs"][name]
        if computed and not needs_run_time(output["value"], resources):
            yield name


