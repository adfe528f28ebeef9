"""Every recorded cloud belongs to the blueprint beside it, and every case without one says why.

What the clouds are compared with is deployed by Heat: ``tests/engines/test_recorded_clouds.py``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cloud_cases import digest_of, has_openstack_nodes, recorded_in, tells
from cloud_files import digest, restored, written
from cloud_table import Table
from corpus_cases import DIRECTIONS, Case, cases_of

FEWEST = 150
RECORD = "run 'python tools/clouds --plugin DIR --stale' (docs/proof.md) and read what changed"
TABLE = Table.read()
#: clouds are those of a blueprint and of a template of Heat
CASES = [case for language in DIRECTIONS for case in cases_of(language)]
RECORDED = [case for case in CASES if recorded_in(case).exists()]
OTHERS = [case for case in CASES if case not in RECORDED and has_openstack_nodes(case) and not case.is_mistake]


@pytest.fixture(params=RECORDED, ids=[case.id for case in RECORDED])
def case(request: pytest.FixtureRequest) -> Case:
    """Each case with a recorded cloud."""
    found: Case = request.param
    return found


def recorded(case: Case) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(recorded_in(case).read_bytes())
    return found


def test_many_clouds_are_recorded() -> None:
    assert len(RECORDED) >= FEWEST


def test_cloud_is_that_of_the_blueprint(case: Case) -> None:
    assert recorded(case)["blueprint"] == digest_of(case), RECORD


def test_only_what_is_deployed_counts_for_the_digest(tmp_path: Path) -> None:
    def of(blueprint: str, script: str = "echo\n") -> str:
        (tmp_path / "run.sh").write_text(script)
        (tmp_path / "blueprint.yaml").write_text(blueprint)
        return digest(tmp_path / "blueprint.yaml", None)

    plain = "inputs: {a: {default: 1}}\nmetadata: {mine: 2, bpconvert: {text: x}}\n"
    same = "# A comment.\ninputs:\n  a: {default: 1}   # and another\nmetadata: {bpconvert: {text: y}, mine: 2}\n"
    assert of(plain) == of(same)
    assert len({of(plain), of(plain.replace("1", "3")), of(plain.replace("2", "3")), of(plain, "# echo\n")}) == 4


def test_cloud_is_well_formed(case: Case) -> None:
    """The form is the one that is written, every reference leads somewhere, and something was made."""
    text = recorded_in(case).read_text(encoding="utf-8")
    data = json.loads(text)
    assert written(data) == text, RECORD
    assert re.fullmatch(r"cloudify-openstack-plugin 3\.\d+\.\d+", data["plugin"])
    for cloud in data["clouds"]:
        entities = cloud["entities"]
        assert any(entity.get("origin") != "preexisting" or entity.get("changes") for entity in entities.values())
        kinds = "|".join({label.removeprefix("existing ").split()[0] for label in entities})
        named = set(re.findall(rf"<((?:existing )?(?:{kinds}) [^<>]+)>", " ".join(texts(entities))))
        assert named <= entities.keys()
        answer = restored(cloud)["cloud"]["entities"]
        assert len({entity["id"] for entity in answer}) == len(answer) == len(entities)


def test_every_difference_is_reported(case: Case) -> None:
    """By a finding at the place that is more than an info and of fidelity approximated or carried."""
    codes = {diagnostic.code for diagnostic in case.outcome.diagnostics if tells(diagnostic)}
    data = recorded(case)
    rows = [row for cloud in data["clouds"] for row in cloud["differences"] + cloud["faults"]]
    rows += data.get("failures", [])
    assert {row["code"] for row in rows if row["code"]} <= codes
    assert sorted({row["line"] for row in rows if not row["code"]}) == TABLE.unexplained.get(case.id, [])


@pytest.mark.parametrize("case", OTHERS, ids=[case.id for case in OTHERS])
def test_case_without_a_cloud_says_why(case: Case) -> None:
    """Its own engine refuses it, or it deploys nothing, or the blueprint does not deploy: then a finding says so."""
    row = TABLE.without[case.id]
    codes = {diagnostic.code for diagnostic in case.outcome.diagnostics}
    assert row["why"]
    assert row.get("code") in {None, *codes}
    assert row["why"] in TABLE.unexplained.get(case.id, [row["why"]])


def test_table_has_no_other_cases() -> None:
    assert TABLE.without.keys() == {case.id for case in OTHERS}
    assert TABLE.unexplained.keys() <= {case.id for case in (*RECORDED, *OTHERS)}


def texts(value: Any) -> Iterator[str]:
    """Every text inside of a value."""
    if isinstance(value, dict):
        value = [*value.values()]
    if isinstance(value, list):
        for item in value:
            yield from texts(item)
    elif isinstance(value, str):
        yield value
