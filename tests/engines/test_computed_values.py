"""Nodes that compute what Cloudify cannot: their scripts, run by Cloudify's local workflow engine, give what Heat
gives."""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import hot_calls as hot
import local_installs
import pytest
from computed_calls import NAMES, is_elsewhere, template
from corpus_runs import heat_command
from engine_processes import ask
from expression_source import FILES
from heat_answers import REFUSED, heat_value
from shapes import drawn

from bpconvert import BpconvertError, convert
from bpconvert.translators.cloudify.computed import PATH

pytestmark = pytest.mark.engines

CALLS = 25
LEAST = 40


def written(source: dict[str, Any], folder: Path) -> bool:
    """Whether the blueprint of a template, which is written into ``folder``, has a node that computes a value."""
    try:
        result = convert(json.dumps(source) + "\n", "hot", "cloudify", carry=False)
    except BpconvertError:
        return False
    if PATH not in result.files:
        return False
    folder.mkdir()
    result.write(folder / "blueprint.yaml")
    return True


def test_scripts_compute_what_heat_computes(engines_python: str, heat_engine: Path, tmp_path: Path) -> None:
    cases: list[tuple[str, dict[str, Any], Path]] = []
    for name in NAMES:
        strategy = hot.calls_of(name) if name in hot.GOOD else hot.conditions_of(name)
        for number, (version, value, conditions) in enumerate(drawn(strategy, CALLS)):
            source = template(version, value, conditions)
            if is_elsewhere([value, conditions]):
                continue
            folder = tmp_path / f"{len(cases)}-{number}"
            if written(source, folder):
                cases.append((name, source, folder / "blueprint.yaml"))
    requests = [{"text": json.dumps(source), "files": FILES, "runtime": {}} for _, source, _ in cases]
    theirs = [heat_value(one) for one in ask(heat_command(engines_python, heat_engine.parent), requests)]
    types = heat_engine.parent / "imports" / "cloudify" / "types"
    paths = "".join(f"{blueprint}\n" for *_, blueprint in cases)
    run = subprocess.run(
        [engines_python, local_installs.__file__, str(types)], input=paths, capture_output=True, text=True, check=True
    )
    answers = [json.loads(line) for line in run.stdout.splitlines()]
    different, values = [], Counter(dict.fromkeys(NAMES, 0))
    for (name, source, _), heat, answer in zip(cases, theirs, answers, strict=True):
        mine = answer["outputs"].get("out") if "outputs" in answer else answer["error"]
        values[name] += heat != REFUSED
        shown = json.dumps(mine, sort_keys=True)
        # an output that is refused has no value, and the rest is deployed
        same = ("null" in shown or "None" in shown) if heat == REFUSED else shown == json.dumps(heat, sort_keys=True)
        if not same:
            different.append(f"{json.dumps(source['outputs'])}\n   mine {mine!r}\n   heat {heat!r}")
    print(f"{len(cases)} calls: {sum(values.values())} values; {dict(values)}")
    assert not different, f"{len(different)} of {len(cases)} differ:\n" + "\n".join(different[:20])
    assert len(cases) >= LEAST
