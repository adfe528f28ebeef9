"""Random calls of functions that Cloudify has no form for: the scripts of the nodes that compute their
values, run by Cloudify's local workflow engine, give what Heat gives."""

from __future__ import annotations

import json
import os
import subprocess
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import local_installs
import pytest
from computed_calls import NAMES, calls
from corpus_runs import heat_command
from engine_processes import ask
from expression_source import FILES
from heat_answers import REFUSED, heat_value

from bpconvert import BpconvertError, convert
from bpconvert.translators.cloudify.computed import PATH

Installs = Callable[[list[Path]], list[dict[str, Any]]]
pytestmark = [pytest.mark.engines, pytest.mark.drawn]

#: a thousand take five minutes
CALLS = int(os.environ.get("BPCONVERT_CALLS", "250"))
#: so many are drawn of each function: not all have a node
DRAWN = max(100, 3 * CALLS // 2)
#: Heat's words for what ``concat`` takes: a number or boolean among the items of a join
LENIENT = "Items to join must be string"
#: calls of one blueprint: an installation takes as long as many nodes
AT_ONCE = 20


def written(source: dict[str, Any], blueprint: Path) -> bool:
    """Whether the blueprint of a template, which is written, has a node that computes a value."""
    try:
        result = convert(json.dumps(source) + "\n", "hot", "cloudify", carry=False)
    except BpconvertError:
        return False
    if PATH not in result.files:
        return False
    blueprint.parent.mkdir(exist_ok=True)
    result.write(blueprint)
    return True


class Case(NamedTuple):
    """A call, and the file of its blueprint."""

    function: str
    source: dict[str, Any]
    blueprint: Path


def computed_by_nodes(folder: Path) -> list[Case]:
    """Random calls whose blueprints, which are written, have a node."""
    found: list[Case] = []
    for name, source in calls(DRAWN):
        case = Case(name, source, folder / str(len(found)) / "blueprint.yaml")
        if written(source, case.blueprint):
            found.append(case)
        if len(found) == CALLS:
            break
    return found


def joined(cases: list[Case]) -> dict[str, Any]:
    """A template with the calls of all: those of one version, and with the same conditions."""
    parameters = {name: row for case in cases for name, row in case.source["parameters"].items()}
    outputs = {f"out{number}": case.source["outputs"]["out"] for number, case in enumerate(cases)}
    return {**cases[0].source, "parameters": parameters, "outputs": outputs}


def installed(python: str, types: Path, blueprints: list[Path]) -> list[dict[str, Any]]:
    """What Cloudify's local workflow engine answers of each blueprint."""
    run = subprocess.run(
        [python, local_installs.__file__, str(types)], input="".join(f"{path}\n" for path in blueprints),
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return [json.loads(line) for line in run.stdout.splitlines()]


def values(cases: list[Case], is_refused: list[bool], folder: Path, install: Installs) -> list[Any]:
    """The value of each call: many in one blueprint, and each by itself where that one is refused."""
    alike: dict[str, list[int]] = {}
    for number, case in enumerate(cases):
        conditions = case.source.get("conditions")
        key = json.dumps([case.source["heat_template_version"], conditions, is_refused[number]])
        alike.setdefault(key, []).append(number)
    batches = [
        (numbers[start : start + AT_ONCE], folder / f"{key}-{start}" / "blueprint.yaml")
        for key, numbers in enumerate(alike.values())
        for start in range(0, len(numbers), AT_ONCE)
    ]
    joint = [batch for batch in batches if written(joined([cases[number] for number in batch[0]]), batch[1])]
    found: dict[int, Any] = {}
    for (numbers, _), answer in zip(joint, install([path for _, path in joint]), strict=True):
        outputs = answer.get("outputs", {})
        found |= {number: outputs[f"out{place}"] for place, number in enumerate(numbers) if f"out{place}" in outputs}
    alone = [number for number in range(len(cases)) if number not in found]
    for number, answer in zip(alone, install([cases[number].blueprint for number in alone]), strict=True):
        found[number] = answer["outputs"].get("out") if "outputs" in answer else answer["error"]
    return [found[number] for number in range(len(cases))]


def test_scripts_compute_what_heat_computes(engines_python: str, heat_engine: Path, tmp_path: Path) -> None:
    cases = computed_by_nodes(tmp_path)
    requests = [{"text": json.dumps(case.source), "files": FILES, "runtime": {}} for case in cases]
    answers = ask(heat_command(engines_python, heat_engine.parent), requests)
    theirs = [heat_value(answer) for answer in answers]
    types = heat_engine.parent / "imports" / "cloudify" / "types"
    (tmp_path / "joined").mkdir()
    refused = [heat == REFUSED for heat in theirs]
    install = partial(installed, engines_python, types)
    different, computed = [], Counter(dict.fromkeys(NAMES, 0))
    for case, answer, heat, mine in zip(
        cases, answers, theirs, values(cases, refused, tmp_path / "joined", install), strict=True
    ):
        computed[case.function] += heat != REFUSED
        shown = json.dumps(mine, sort_keys=True)
        # an output that is refused has no value, and the rest is deployed; or nothing is
        is_none = any(word in shown for word in ("null", "None", "Error: ")) or LENIENT in json.dumps(answer)
        if not (is_none if heat == REFUSED else shown == json.dumps(heat, sort_keys=True)):
            different.append(f"{json.dumps(case.source['outputs'])}\n   mine {mine!r}\n   heat {heat!r}")
    print(f"{len(cases)} calls: {computed.total()} values; {dict(computed)}")
    assert not different, f"{len(different)} of {len(cases)} differ:\n" + "\n".join(different[:20])
    assert len(cases) == CALLS
