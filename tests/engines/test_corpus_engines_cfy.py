"""``corpus/cfy`` before the real engines: Cloudify accepts every source, Heat every template, the values are the same.

Compared are the inputs with the parameters, the outputs and capabilities with the outputs, and the settings of
resources that the catalogue only renames, over the same inputs, secrets and runtime values. What may differ is listed
as ``differ`` in the case's ``engines.json``; then a diagnostic must say so, at its place or at what it refers to.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from cfy_runs import Run, calls, cloudify_request, first, heat_request
from corpus_cases import CFY, cases_of
from corpus_runs import (
    SECOND_GENERATION,
    cloudify_command,
    heat_command,
    may_differ,
    reported,
    same,
    second_generation,
)
from engine_processes import ask

from bpconvert.diagnostics import Fidelity

pytestmark = pytest.mark.engines

#: what both engines know of a deployment
SYSTEM_FACTS: Final = (["deployment", "id"], ["deployment", "name"])
#: calls whose values are the manager's business
OF_THE_MANAGER: Final = {"get_attributes_list", "get_capability"}
#: how values look that the engines invented on their own
INVENTED: Final = ("CAPABILITY(",)
#: fewer values than these are compared only if the comparison itself is broken
FEWEST_OUTPUTS, FEWEST_SETTINGS = 150, 100


RUNS = [
    Run(case, number, given) for case in cases_of(CFY) for number, given in enumerate(case.engines.get("inputs", [{}]))
]


# -- asking -------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def runs(engines_python: str, heat_engine: Path) -> dict[str, Run]:
    """Every run of every case, answered by both engines."""
    engines = heat_engine.parent
    older = second_generation(engines, SECOND_GENERATION)
    for options in ([], ["--stub"]):
        chosen = [run for run in RUNS if run.case.engines.get("cloudify", {}).get("stub", False) == bool(options)]
        command = cloudify_command(engines_python, engines, *older, *options, timeout=20)
        for run, answer in zip(chosen, ask(command, [cloudify_request(run) for run in chosen]), strict=True):
            run.cloudify = answer["result"]
    written = [run for run in RUNS if run.case.target.exists()]
    asked = ask(heat_command(engines_python, engines), [heat_request(run) for run in written])
    for run, answer in zip(written, asked, strict=True):
        run.heat = answer
    return {run.id: run for run in RUNS}


@pytest.fixture(params=RUNS, ids=[run.id for run in RUNS])
def run(request: pytest.FixtureRequest, runs: dict[str, Run]) -> Run:
    """Each run, answered."""
    return runs[request.param.id]


# -- acceptance ---------------------------------------------------------------------------------------------


def test_cloudify_accepts_what_is_no_mistake(run: Run) -> None:
    """Parsed, prepared and evaluated."""
    if run.case.is_mistake:
        assert run.cloudify.get("error"), "Cloudify has nothing against this"
    else:
        assert run.cloudify.get("error") is None


def test_heat_accepts_every_template(run: Run) -> None:
    """A source with mistakes may leave values that Heat cannot compute; what is written is a template all the same."""
    if not run.case.target.exists():
        assert run.case.is_mistake
        return
    assert run.heat.get("error") is None
    assert run.heat["ok"]
    assert run.case.is_mistake or run.heat.get("errors", []) == []


# -- values -------------------------------------------------------------------------------------------------


def test_inputs_are_the_same(run: Run) -> None:
    """Inputs that are parameters have the same value; one without a value has none in HOT."""
    if not run.has_values:
        return
    names = run.section("inputs").keys() & (run.template.get("parameters") or {}).keys()
    values = {name: run.cloudify["inputs"][name] for name in sorted(names - may_differ(run.case, "inputs"))}
    expected = {name: value for name, value in values.items() if value is not None and is_plain(value)}
    assert same({name: run.heat["parameters"].get(name, "no such parameter") for name in expected}, expected)


@pytest.mark.parametrize("section", ["outputs", "capabilities"])
def test_outputs_are_the_same(run: Run, section: str) -> None:
    expected = {name: run.cloudify[section].get(name) for name in comparable(run, section)}
    assert same({name: run.heat["outputs"][name]["value"] for name in expected}, expected)


def test_settings_are_the_same(run: Run) -> None:
    """Properties of resources that the catalogue only puts elsewhere, a text where it says so."""
    expected, actual = {}, {}
    for place, value, setting in settings(run):
        expected[place], actual[place] = value, setting
    assert same(actual, expected)


def test_differences_are_reported(run: Run) -> None:
    """What may have another value exists, and a diagnostic says so: at its place or where it comes from."""
    if not run.has_values:
        return
    for section in ("inputs", "outputs", "capabilities"):
        differ = may_differ(run.case, section)
        assert differ <= run.section(section).keys()
        known = reported(run.case, section, Fidelity.APPROXIMATED)
        for name in differ - known:
            reasons = [reported(run.case, other, Fidelity.APPROXIMATED) for other in ("inputs", "node_templates")]
            assert set().union(*reasons) & words(run.section(section)[name]), f"{section}.{name}"


def test_what_may_differ_does(runs: dict[str, Run]) -> None:
    """In one of the runs at least; a setting only has to be one that is there."""
    listed: dict[str, bool] = {}
    for run in (run for run in runs.values() if run.has_values):
        for name in run.case.engines.get("differ", {}):
            section, entry, *_ = name.split(".")
            if section == "inputs":
                differs = not same(run.heat["parameters"].get(entry), run.cloudify["inputs"].get(entry))
            elif section == "outputs":
                differs = not same(run.heat["outputs"][entry]["value"], run.cloudify["outputs"][entry])
            else:
                differs = at(run.source, name) is not None
            key = f"{run.case.id}: {name}"
            listed[key] = listed.get(key, False) or differs
    assert [key for key, differs in listed.items() if not differs] == []


def test_many_values_are_compared(runs: dict[str, Run]) -> None:
    outputs = sum(len(list(comparable(run, name))) for run in runs.values() for name in ("outputs", "capabilities"))
    assert outputs >= FEWEST_OUTPUTS
    assert sum(len(list(settings(run))) for run in runs.values()) >= FEWEST_SETTINGS


def comparable(run: Run, section: str) -> Iterator[str]:
    """The outputs of which both engines know everything, and for which nothing says that they are not there."""
    if not run.has_values:
        return
    left = reported(run.case, section, Fidelity.CARRIED) | may_differ(run.case, section)
    if section == "capabilities":
        left |= run.section("outputs").keys()
    for name, output in run.section(section).items():
        if name not in left and name in run.heat["outputs"] and is_known(run, output.get("value"), set()):
            yield name


def is_known(run: Run, value: Any, seen: set[str]) -> bool:
    """True if both engines were given every runtime value that the value holds, also through inputs and properties."""
    for name, argument in calls(value):
        node = first(argument)
        if name in OF_THE_MANAGER or (name == "get_sys" and argument not in SYSTEM_FACTS):
            return False
        if name == "get_secret" and not is_parameter(run, node):
            return False
        if name == "get_attribute" and not (is_answered(run, argument) or is_property(run, argument)):
            return False
        if isinstance(node, str) and node not in seen and not is_known(run, behind(run, name, argument), {*seen, node}):
            return False
    return True


def behind(run: Run, name: str, argument: Any) -> Any:
    """The source's value that a call leads to: the default of an input, a property of a node."""
    if name == "get_input" and first(argument) not in run.given:
        return (run.section("inputs").get(first(argument)) or {}).get("default")
    if name in ("get_property", "get_attribute"):
        node = run.section("node_templates").get(argument[0]) or {}
        return (node.get("properties") or {}).get(argument[1])
    return None


def is_parameter(run: Run, secret: Any) -> bool:
    """True if the secret is a parameter of its name."""
    return isinstance(secret, str) and secret in run.template["parameters"] and secret not in run.section("inputs")


def is_answered(run: Run, argument: Any) -> bool:
    """True if both engines have the same runtime value for ``get_attribute``."""
    value: Any = run.attributes.get(argument[0])
    for step in argument[1:]:
        if not isinstance(value, dict) or step not in value:
            return False
        value = value[step]
    return True


def is_property(run: Run, argument: Any) -> bool:
    """True if ``get_attribute`` finds a property: nothing of that name exists at run time."""
    node = run.cloudify["nodes"].get(argument[0]) or {}
    kind = run.kind(argument[0])
    if node.get("instances", 1) != 1:
        return False
    runtime = {rule.to for rule in kind.attributes.values()} if kind else set()
    return argument[1] in (node.get("properties") or {}) and argument[1] not in runtime


def settings(run: Run) -> Iterator[tuple[str, Any, Any]]:
    """What can be compared of the resources: place, Cloudify's value and Heat's."""
    for node, (name, _) in run.resources.items() if run.has_values else ():
        kind, resource = run.kind(node), run.heat["resources"].get(name) or {}
        properties = (run.cloudify["nodes"].get(node) or {}).get("properties") or {}
        for heat, rule in kind.properties.items() if kind else ():
            if rule.hook or rule.each or rule.lift or rule.items or rule.flatten or not rule.to:
                continue
            place = f"node_templates.{node}.properties.{rule.to}"
            value, setting = at(properties, rule.to), (resource.get("properties") or {}).get(heat)
            doubtful = place in run.case.engines.get("differ", {}) or not is_plain(value) or not is_plain(setting)
            if value in (None, "") or setting is None or doubtful or is_asked_for(run, place):
                continue
            yield place, str(value) if rule.type == "string" else value, setting


def is_asked_for(run: Run, place: str) -> bool:
    """True if a diagnostic says that something else stands for the value or a part of it."""
    steps = place.split(".")
    carried = (found.path for found in run.case.outcome.diagnostics if found.fidelity >= Fidelity.CARRIED)
    return any([*map(str, path)][: len(steps)] == steps for path in carried)


def at(value: Any, path: str) -> Any:
    for step in path.split("."):
        value = value.get(step) if isinstance(value, dict) else None
    return value


def is_plain(value: Any) -> bool:
    """False where a call is left or where an engine invented something."""
    return not any(True for _ in calls(value)) and not any(mark in json.dumps(value, default=str) for mark in INVENTED)


def words(value: Any) -> set[str]:
    """Every text inside of the value: the names of what it refers to are among them."""
    if isinstance(value, dict):
        return set().union(*(words(item) for item in value.values()))
    if isinstance(value, list):
        return set().union(*(words(item) for item in value))
    return {value} if isinstance(value, str) else set()
