"""Heat's real deployment of a case gives the cloud that the real OpenStack plugin made of its blueprint.

The plugin's side is recorded (``cloud.json``, written by ``tools/clouds``); Heat's is deployed here, by its own engine
and resource plugins into the same fake OpenStack. What compares the clouds knows no table of bpconvert.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import cloud_oracle
import pytest
import yaml
from cloud_cases import Made, recorded_clouds, recorded_in, tells
from cloud_cases import differences as differences_of
from cloud_files import restored
from corpus_cases import CASES, Case

from bpconvert.api import convert

pytestmark = [pytest.mark.engines, pytest.mark.deploys]

RECORDED = [case for case in CASES if recorded_in(case).exists()]
#: its nodes are called as those of the oracle's own blueprint, so that the oracle's mutations fit
ALL_PARTS = next(case for case in CASES if case.name == "a-cloud-with-all-its-parts")

Json = dict[str, Any]


@pytest.fixture(params=RECORDED, ids=[case.id for case in RECORDED])
def case(request: pytest.FixtureRequest) -> Case:
    """Each case with a recorded cloud."""
    found: Case = request.param
    return found


def test_heat_makes_the_recorded_cloud(case: Case, made_by_heat: Made, oracle: tuple[ModuleType, ModuleType]) -> None:
    """The same, but for what is listed as a difference, which a finding tells (``tests/corpus/test_clouds.py``)."""
    compare, run = oracle
    for cloud, (heat, _) in zip(recorded_clouds(case), made_by_heat(case), strict=True):
        found = differences_of(case, run, compare, (heat, restored(cloud)))
        assert [difference.line for difference in found] == [row["line"] for row in cloud["differences"]]


# ------------------------------------------------------------------ the proof of the proof
def changed(entities: Json, derived: set[str]) -> Iterator[tuple[str, Json]]:
    """A recorded cloud with one attribute changed, for every attribute that is not ``derived`` from others; with one
    thing less, with one more."""
    for label, entity in entities.items():
        if entity.get("origin") == "preexisting":
            continue
        for key, value in entity["is"].items():
            if key not in derived:
                changed_entity = {**entity, "is": {**entity["is"], key: other(value)}}
                yield f"{label}.{key}", {**entities, label: changed_entity}
        yield f"{label} dropped", {name: item for name, item in entities.items() if name != label}
        yield f"{label} twice", {**entities, f"{label} #99": entity}


def other(value: Any) -> Any:
    """Another value of the same kind."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int | float):
        return value + 1
    if isinstance(value, str):
        return f"other-{value}"
    if isinstance(value, list):
        return [other(value[0]), *value[1:]]
    first = next(iter(value))
    return {**value, first: other(value[first])}


def kind_of(change: str) -> str:
    """Which change it is, of which kind of thing."""
    label, _, word = change.rpartition(" ") if change.endswith((" dropped", " twice")) else change.rpartition(".")
    return f"{label.split()[0]} {word}"


def test_every_change_of_a_recorded_cloud_is_seen(
    made_by_heat: Made, oracle: tuple[ModuleType, ModuleType]
) -> None:
    """Each kind of change of each kind of thing once, in the clouds that are the same."""
    compare, _ = oracle
    seen: set[str] = set()
    missed: list[str] = []
    for case in RECORDED:
        for cloud, (heat, _) in zip(recorded_clouds(case), made_by_heat(case), strict=True):
            if cloud["differences"]:
                continue
            for change, entities in changed(cloud["entities"], compare.DERIVED["*"]):
                if kind_of(change) in seen:
                    continue
                seen.add(kind_of(change))
                if compare.compare(heat, restored({**cloud, "entities": entities}))["verdict"] == "same":
                    missed.append(f"{case.id}: {change}")
    assert len(seen) >= 150
    assert missed == []


def test_every_mutation_of_the_oracle_is_seen(
    deploys: cloud_oracle.Engine, oracle: tuple[ModuleType, ModuleType], tmp_path: Path
) -> None:
    """A mutated blueprint becomes a template that Heat makes another cloud of, or none; or a warning says why not."""
    compare, run = oracle
    mutations = cloud_oracle.mutations()
    source = yaml.safe_load(ALL_PARTS.source.read_bytes())
    (cloud,) = recorded_clouds(ALL_PARTS)

    def verdict(number: int) -> str:
        name, change = mutations[number]
        mutated = copy.deepcopy(source)
        change(mutated)
        path = tmp_path / f"{number}.yaml"
        path.write_text(yaml.safe_dump(mutated), encoding="utf-8")
        result = convert(path, "cloudify", "hot")
        path.write_text(result.text, encoding="utf-8")
        heat = deploys(path, cloud["given"], cloud=cloud.get("before"))
        found = differences_of(ALL_PARTS, run, compare, (heat, restored(cloud)))
        told = {d.code for d in result.diagnostics if tells(d)} - {d.code for d in ALL_PARTS.outcome.diagnostics}
        return "" if found or told else name

    missed = [name for name in map(verdict, range(len(mutations))) if name]
    assert len(mutations) >= 50
    assert missed == []
